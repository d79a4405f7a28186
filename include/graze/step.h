/// Whole steps: all pairs of a moving mesh at once.
#ifndef GRAZE_STEP_H
#define GRAZE_STEP_H

#include "graze/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Ways to find the pairs whose swept boxes meet. The set does not depend on the choice.
typedef enum graze_broad {
    GRAZE_BROAD_AUTO = 0,
    GRAZE_BROAD_BRUTE,
    GRAZE_BROAD_SAP,
    GRAZE_BROAD_ISAP,
    GRAZE_BROAD_GRID,
    GRAZE_BROAD_GSAP,
    GRAZE_BROAD_HASH,
    GRAZE_BROAD_BVH,
    GRAZE_BROAD_KDTREE,
    GRAZE_BROAD_TRACY,
    GRAZE_BROAD_STQ,
    GRAZE_BROAD_CGAL,
    GRAZE_BROAD_LBVH,
} graze_broad;

typedef enum graze_step_mode {
    GRAZE_STEP_EARLIEST = 0, ///< the first contact of all pairs
    GRAZE_STEP_ANY,          ///< stops at the first proven contact that it finds: then toi is 0 and `limiting` is that
                             ///< contact; which one may depend on the number of threads. Else as EARLIEST
    GRAZE_STEP_VERTICES, ///< a time for each vertex: nothing touches when every vertex goes any part of the way up to
                         ///< its own time, all at once or one after the other. UNRESOLVED when one has to stop, with
                         ///< the reason GRAZE_REASON_STOPPED; PRECISION where a pair cannot be told from one that
                         ///< touches at t = 0
    GRAZE_STEP_ALL,      ///< every pair that touches, with its own time
} graze_step_mode;

/// A pair: vertex a and face b; edges a < b; codimensional point (vertex id) a and edge b; vertices a < b.
typedef struct graze_pair {
    graze_kind kind;
    uint32_t a, b;
} graze_pair;

typedef struct graze_pair_result {
    graze_pair pair;
    graze_result result;
} graze_pair_result;

/// The vertices of a pair, in the order of a query's rows, and what weight each has in the gap between the two points
/// that touch: gap = Σ weights[i] · x[vertices[i]], from the point of b to that of a. Weights of a are ≥ 0 and sum to
/// 1, those of b ≤ 0 and sum to −1; weights[i] times the normal is the gradient of the gap along it.
typedef struct graze_stencil {
    uint32_t count; ///< 4 (VF, EE), 3 (PE) or 2 (PP)
    uint32_t vertices[4];
    double weights[4];
} graze_stencil;

/// Memory that holds an array.
typedef enum graze_memory {
    GRAZE_MEMORY_HOST = 0,
    GRAZE_MEMORY_DEVICE, ///< of the CUDA device that the context uses (graze_context_options.device)
} graze_memory;

/// Options of a step. Fill it by graze_default_step_options().
typedef struct graze_step_options {
    size_t struct_size;
    const graze_options *narrow; ///< NULL for graze_default_options()
    graze_step_mode mode;
    graze_broad broad;
    graze_backend backend; ///< AUTO: what the context says
    size_t stride;         ///< bytes from one position to the next, a multiple of 8; 0: 24
    size_t memory_limit;   ///< bytes for candidates; beyond it they are worked off in batches; 0: the context's limit
    double *vertex_toi;    ///< mode VERTICES: receives vertex_count times
    /// bit (1u << graze_kind) for each kind of pair that is looked for; 0: all. CLEAR is of these alone
    unsigned kinds;
    /// Part of its start distance that a pair whose boxes meet must keep, where that is more than min_separation (and
    /// up to 2^160); 0 for none, at most 0.999. It is computed from the distance less its error, so a separated pair
    /// never starts in violation. Not with thickness, mode VERTICES, or a line search, which keeps a distance of its
    /// own; start_violations and candidates do not read it
    double relative_separation;
    /// graze_step, graze_candidates and graze_earliest_of_pairs: where x0 and x1 are. DEVICE: the call runs there, as
    /// if GRAZE_BACKEND_CUDA was asked for by name. It waits for earlier work in `stream`, and has read the positions
    /// when it returns. Other calls that take these options return GRAZE_ERR_UNSUPPORTED
    graze_memory positions_in;
    /// graze_step, modes ALL and VERTICES, and graze_candidates: where the list of pairs is left. DEVICE: as
    /// result->device_pairs, or as *pairs, which then points to memory of the device; in mode VERTICES vertex_toi is in
    /// the memory of the device, and written after what is in `stream`. The call runs there, too
    graze_memory pairs_in;
    void *stream; ///< with positions or times on the device: a cudaStream_t; NULL: CUDA's default stream
} graze_step_options;

/// A count that the mode does not make.
#define GRAZE_NOT_COUNTED UINT64_MAX

/// Result of a step.
typedef struct graze_step_result {
    size_t struct_size;
    graze_verdict verdict; ///< of the pair that limits the step
    graze_reason reason;
    double toi;                 ///< least over all pairs that touch or are unresolved; CLEAR: t_max
    double toi_upper;           ///< a contact at or before it is proven; else INFINITY
    int32_t has_pair;           ///< `limiting` is set
    graze_pair_result limiting; ///< ties: VF before EE before PE before PP, then a, then b
    uint64_t candidates[4];     ///< by graze_kind, or GRAZE_NOT_COUNTED
    uint64_t hits[4];           ///< by graze_kind, hits and unresolved, or GRAZE_NOT_COUNTED
    graze_pair_result *pairs;   ///< mode ALL: those pairs, sorted by kind, a, b. Owned: graze_step_release
    size_t pair_count;
    double ms_boxes, ms_broad, ms_narrow, ms_total; ///< wall time; of a few vertices all of it counts as ms_broad
    double alpha;          ///< graze_step_to: how far along x1 − x0 the positions are; else 0
    graze_backend backend; ///< where it ran: GRAZE_BACKEND_CPU or GRAZE_BACKEND_CUDA
    /// with pairs_in DEVICE, in place of `pairs`: pair_count of them in the memory of the device, complete when the
    /// call returns. The context's own, and there until it is used again
    const graze_pair_result *device_pairs;
} graze_step_result;

GRAZE_DEFAULTS(graze_step_options, graze_default_step_options, graze_init_step_options)
/// UNRESOLVED with toi 0.
GRAZE_DEFAULTS(graze_step_result, graze_default_step_result, graze_init_step_result)

/// Finds the first contact of a mesh whose vertices move on straight lines from x0 at t = 0 to x1 at t = 1.
///
/// Obstacles are vertices with the same position in x0 and x1. A group of their own skips pairs of obstacles
/// (mesh.groups, skip_same_group). Positions are rows of x, y, z with a stride, indices unsigned 32-bit: a
/// column-major array is copied to rows first; signed indices that are not negative may be passed as they are.
///
/// Guarantee: with a conservative method nothing touches in [0, toi), provided the mesh does not already intersect
/// itself at x0: parts that overlap at the start may never register a contact. graze_static_intersections lists them.
/// Answers are bit-identical for any thread count, instruction set and broad phase.
///
/// @param options  NULL for graze_default_step_options()
/// @param result   from graze_default_step_result(); on any status but GRAZE_OK it is { GRAZE_UNRESOLVED, toi = 0 }
///
/// Memory comes from the context, and is kept there for the next call.
GRAZE_API graze_status graze_step(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                  const double (*x1)[3], const graze_step_options *options, graze_step_result *result);

/// A step of one mesh against another: the pairs of a primitive of `a` with one of `b`, none within either. All ids are
/// those of the joined mesh (graze_mesh_join, which says what is kept of the two): those of `a` as they are, those of
/// `b` after them; vertex_toi has room for the vertices of both. Bits, guarantee and modes are those of graze_step on
/// that mesh. Each call copies both meshes: for repeated calls join them once. CLEAR holds only where no face or edge
/// of one passes through a face of the other at the start.
///
/// @param xa0, xa1  positions of `a`, and xb0, xb1 of `b`, all with the stride of the options
GRAZE_API graze_status graze_step_between(graze_context *context, const graze_mesh *a, const double (*xa0)[3],
                                          const double (*xa1)[3], const graze_mesh *b, const double (*xb0)[3],
                                          const double (*xb1)[3], const graze_step_options *options,
                                          graze_step_result *result);

/// Releases result->pairs.
GRAZE_API void graze_step_release(graze_context *context, graze_step_result *result);

/// A step that is safe to take: writes rounded positions x on the way from x0 to x1. The straight motion from x0 to x,
/// x included, is proven free of contact. Separation and thickness are kept.
///
/// toi of graze_step is about exact paths: x0 + toi·(x1 − x0), rounded, may lie inside the contact. Here x is rounded
/// first and proven after, by a step of its own, and moved back towards x0 until that is clear; a try or two, mostly,
/// each about the cost of a step. `result` is that of graze_step in mode EARLIEST, and `alpha` says where x is: 1 (x1
/// itself) when the whole step is clear, at most t_max; 0 only where x0 itself touches, where the call was cancelled,
/// or where no state that differs from x0 in any bit could be proven: then x is x0.
///
/// x is a free start for the next call.
///
/// @param x        vertex_count positions with the stride of the options, which share no memory with x0 and x1
///                 (GRAZE_ERR_INVALID_ARGUMENT). Not to be used on any status but GRAZE_OK
/// @param options  as graze_step; `mode` is not read. GRAZE_ERR_UNSUPPORTED for a method that is not conservative
GRAZE_API graze_status graze_step_to(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                     const double (*x1)[3], const graze_step_options *options, double (*x)[3],
                                     graze_step_result *result);

/// Lists the pairs whose closed swept boxes over [0, t_max] come within separation and thickness of each other on every
/// axis (each box grown by half of the separation and its radii, rounded outward): sorted by kind, a, b. Release
/// the list by graze_pairs_release. Of the options broad, backend, kinds, stride, memory_limit, positions_in, pairs_in,
/// stream and narrow->{method, t_max, min_separation} are read. Cancel and deadline do not end it: a part of the list
/// would hide pairs. With a memory limit and no filter pairs are searched twice, and beside the list (12 bytes a pair)
/// little more is held than the trees. On the back end cuda, asked for by name, broad may be STQ or LBVH: for
/// comparison, pairs of faces and their edges only, and without a memory limit. With pairs_in DEVICE the context owns
/// the list: it is complete when the call returns, stays until the context is used again, and releasing it does
/// nothing.
GRAZE_API graze_status graze_candidates(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                        const double (*x1)[3], const graze_step_options *options, graze_pair **pairs,
                                        size_t *count);
GRAZE_API void graze_pairs_release(graze_context *context, graze_pair *pairs, size_t count);

/// Runs the narrow phase on a list of pairs of a mesh: results[i] answers pairs[i].
GRAZE_API graze_status graze_ccd_pairs(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                       const double (*x1)[3], const graze_pair *pairs, size_t count,
                                       const graze_step_options *options, graze_result *results);

/// The first contact of a list of pairs: mode EARLIEST of graze_step, restricted to them. For solvers that keep the
/// pairs which can meet, and ask again and again.
///
/// Every listed pair is answered, as graze_ccd_pairs answers it, in the order in which its ids are given; groups,
/// filter and `kinds` are not asked. Pairs may be listed twice and in any order. Ties are broken as in a step. With the
/// list of graze_candidates the result has the bits of graze_step, and it has the same bits for every order of the
/// list, every number of threads and every instruction set.
///
/// Guarantee: with a conservative method no listed pair touches in [0, toi). Nothing is said about other pairs. An
/// empty list is CLEAR.
///
/// @param pairs    GRAZE_ERR_BAD_INDEX for an id beyond the mesh, GRAZE_ERR_INVALID_ARGUMENT for a kind that names none
///                 and for a pair that shares a vertex; graze_context_last_error names the first of them
/// @param options  NULL for graze_default_step_options(); `mode`, `broad` and `kinds` are not read. On a GPU as
///                 graze_step, positions on the device included; left to graze, short lists stay on the CPU
/// @param result   as graze_step; candidates and hits are GRAZE_NOT_COUNTED
GRAZE_API graze_status graze_earliest_of_pairs(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                               const double (*x1)[3], const graze_pair *pairs, size_t count,
                                               const graze_step_options *options, graze_step_result *result);

/// The query of a pair of a mesh: its vertices at x0 and x1 as rows; rows that its kind does not read are 0. `stride`
/// is in bytes; 0: 24. On any status but GRAZE_OK the query is 0. Only the pair's own entries of the mesh are read.
GRAZE_API graze_status graze_pair_query(const graze_mesh *mesh, const double (*x0)[3], const double (*x1)[3],
                                        size_t stride, graze_pair pair, graze_query *query);

/// The vertices of a pair, and their weights at u and v: those of a hit (graze_result) or of closest points
/// (graze_distance_result). u and v may be NaN (no contact): then only the vertices are meaningful.
/// On any status but GRAZE_OK the stencil is 0.
GRAZE_API graze_status graze_pair_stencil(const graze_mesh *mesh, graze_pair pair, double u, double v,
                                          graze_stencil *stencil);

/// Lists the pairs that are within the separation already at x, before any motion. Release by graze_pairs_release.
/// Decided exactly, except where thickness differs within a primitive: there the list includes pairs whose distance is
/// too close to the separation for doubles to tell.
GRAZE_API graze_status graze_start_violations(graze_context *context, const graze_mesh *mesh, const double (*x)[3],
                                              const graze_step_options *options, graze_pair **pairs, size_t *count);

/// Lists the pairs of faces (a < b are faces; `kind` is 0, without meaning) that intersect at x, touching included,
/// decided exactly. Faces that share a vertex are skipped. Groups are kept apart as in a step; the filter is not
/// asked.
GRAZE_API graze_status graze_static_intersections(graze_context *context, const graze_mesh *mesh, const double (*x)[3],
                                                  const graze_step_options *options, graze_pair **pairs, size_t *count);

/// A shorter time, where touching itself is to be avoided and no proof is needed: toi·(1 − fraction), and always a
/// double below toi when toi > 0. `fraction` in [0, 1]; 0 for toi ≤ 0 and for NaN.
GRAZE_API double graze_step_back(double toi, double fraction);

/// The pairs that touch in a step, with their times (Algorithm 3 of Tight Inclusion's paper): mode ALL as a function.
/// GRAZE_ERR_CANCELLED, and no pairs, when the cancel callback or the deadline ended it: a part would hide contacts.
GRAZE_API graze_status graze_active_set(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                        const double (*x1)[3], const graze_step_options *options,
                                        graze_pair_result **pairs, size_t *count);
GRAZE_API void graze_active_set_release(graze_context *context, graze_pair_result *pairs, size_t count);

/// Energy of positions `x` (vertex_count × 3). NaN and +INFINITY reject the step; −INFINITY says that the energy could
/// not be computed, and ends the search with GRAZE_ERR_CALLBACK.
typedef double graze_energy(void *user, const double (*x)[3]);

typedef struct graze_line_search_options {
    size_t struct_size;
    const graze_step_options *step; ///< NULL for the defaults
    double separation_fraction; ///< p of Algorithm 4: the separation asked for is p × the start distance, in (0, 1)
    double tolerance;           ///< δ: least separation asked for, where the start distance has room for it
    double shrink;              ///< factor of the backtracking on the energy, in (0, 1)
    uint32_t max_steps;         ///< backtracking steps allowed
    double (*x)[3];             ///< NULL, or receives the positions at alpha, in the step options' stride; not x0, x1
} graze_line_search_options;

typedef struct graze_line_search_result {
    size_t struct_size;
    double alpha;      ///< step length to take, in [0, 1]: the motion to the positions at alpha is proven free
    double alpha_free; ///< largest step length that CCD allowed
    double energy;     ///< at alpha
    uint32_t energy_calls;
    graze_pair limiting;
    int32_t has_pair;
    double distance; ///< least start distance of the candidates, thickness taken off, within 2⁻⁴⁸ of a pair's size
                     ///< where there is none; INFINITY without candidates
} graze_line_search_result;

GRAZE_DEFAULTS(graze_line_search_options, graze_default_line_search_options, graze_init_line_search_options)
GRAZE_DEFAULTS(graze_line_search_result, graze_default_line_search_result, graze_init_line_search_result)

/// A step length along x1 − x0 that is free of contact and lowers the energy (Algorithm 4 of the paper).
///
/// CCD asks for a separation of max(p·d, δ), d the least start distance of the candidates (beyond min_separation); p is
/// halved until that is well below d. Where d is too small for any, or the answer would be 0, it asks for
/// min_separation alone and takes 0.8 of the way. Then the step is shortened until the energy is below that of x0;
/// `alpha` is 0 when no step is. `energy` NULL: no such search. `energy` must not use the context.
///
/// The positions at alpha are x0 + alpha·(x1 − x0), each operation rounded, and x1 itself for 1; ask for them (`x`)
/// rather than computing them again. The motion from x0 straight to them, as doubles, is proven free of contact, as by
/// graze_step_to: where it cannot be, the step is shortened as for the energy.
///
/// @param result  from graze_default_line_search_result()
GRAZE_API graze_status graze_line_search(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                         const double (*x1)[3], graze_energy *energy, void *user,
                                         const graze_line_search_options *options, graze_line_search_result *result);

/// "earliest", "any", "vertices", "all"; NULL for a value that names none.
GRAZE_API const char *graze_step_mode_name(graze_step_mode mode);
/// Returns 0 and leaves *mode alone when no mode has that name.
GRAZE_API int graze_step_mode_find(const char *name, graze_step_mode *mode);
/// NULL for a value that names none; "auto", "brute", …
GRAZE_API const char *graze_broad_name(graze_broad broad);
/// Returns 0 and leaves *broad alone when no broad phase has that name.
GRAZE_API int graze_broad_find(const char *name, graze_broad *broad);
/// True if this build has it, on the CPU.
GRAZE_API int graze_broad_available(graze_broad broad);
/// "auto", "cpu", "cuda"; NULL for a value that names none.
GRAZE_API const char *graze_backend_name(graze_backend backend);
/// Returns 0 and leaves *backend alone when no back end has that name.
GRAZE_API int graze_backend_find(const char *name, graze_backend *backend);
/// True if it can be used here. For GRAZE_BACKEND_CUDA that loads its library and looks for a device, every time.
GRAZE_API int graze_backend_available(graze_backend backend);

#ifdef __cplusplus
}
#endif
#endif
