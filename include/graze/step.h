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
    GRAZE_STEP_ANY, ///< stops at the first proven contact found: then toi is 0 and `limiting` is that contact, which
                    ///< may depend on the number of threads. Otherwise as EARLIEST
    GRAZE_STEP_VERTICES, ///< a time for each vertex: nothing touches if every vertex goes any part of the way up to its
                         ///< own time, all at once or one by one. UNRESOLVED if one must stop, with reason
                         ///< GRAZE_REASON_STOPPED, or PRECISION if a pair may touch at t = 0
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

/// The vertices of a pair, in the order of a query's rows, and their weights in the gap between the two touching
/// points: gap = Σ weights[i] · x[vertices[i]], from b to a. Weights of a are ≥ 0 and sum to 1; weights of b are ≤ 0
/// and sum to −1. weights[i] times the normal is the gradient of the gap along the normal.
typedef struct graze_stencil {
    uint32_t count; ///< 4 (VF, EE), 3 (PE) or 2 (PP)
    uint32_t vertices[4];
    double weights[4];
} graze_stencil;

/// Where an array lives.
typedef enum graze_memory {
    GRAZE_MEMORY_HOST = 0,
    GRAZE_MEMORY_DEVICE, ///< memory of the context's CUDA device (graze_context_options.device)
} graze_memory;

/// Options of a step. Begin with graze_default_step_options().
typedef struct graze_step_options {
    size_t struct_size;
    const graze_options *narrow; ///< NULL for graze_default_options()
    graze_step_mode mode;
    graze_broad broad;
    graze_backend backend; ///< AUTO: what the context says
    size_t stride;         ///< bytes from one position to the next, a multiple of 8; 0: 24
    size_t memory_limit;   ///< bytes for candidates; more are handled in batches; 0: the context's limit
    double *vertex_toi;    ///< mode VERTICES: receives vertex_count times
    /// Bit (1u << graze_kind) for each kind of pair to search; 0: all. CLEAR is about these kinds only
    unsigned kinds;
    /// Fraction of its start distance that a pair whose boxes meet must keep, if that is more than min_separation (and
    /// at most 2^160); 0: none; at most 0.999. It is computed from the distance minus its error, so a separated pair
    /// never starts in violation. Not with thickness, mode VERTICES, or a line search, which keeps its own distance;
    /// start_violations and candidates do not read it
    double relative_separation;
    /// graze_step, graze_candidates and graze_earliest_of_pairs: where x0 and x1 are. DEVICE: the call runs on the GPU,
    /// as if GRAZE_BACKEND_CUDA were asked for by name. It waits for earlier work in `stream`, and has read the
    /// positions when it returns. Other calls with these options return GRAZE_ERR_UNSUPPORTED
    graze_memory positions_in;
    /// graze_step, modes ALL and VERTICES, and graze_candidates: where the list of pairs is left. DEVICE: in
    /// result->device_pairs, or in *pairs, which then points to device memory. In mode VERTICES vertex_toi is in device
    /// memory, and written after earlier work in `stream`. The call runs on the GPU too
    graze_memory pairs_in;
    void *stream; ///< with positions or times on the device: a cudaStream_t; NULL: CUDA's default stream
} graze_step_options;

/// A count that the mode does not compute.
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
    double ms_boxes, ms_broad, ms_narrow, ms_total; ///< wall time; for a few vertices all of it counts as ms_broad
    double alpha;          ///< graze_step_to: how far along x1 − x0 the positions are; else 0
    graze_backend backend; ///< where it ran: GRAZE_BACKEND_CPU or GRAZE_BACKEND_CUDA
    /// With pairs_in DEVICE, instead of `pairs`: pair_count results in device memory, complete when the call returns.
    /// The context owns them, until its next call
    const graze_pair_result *device_pairs;
} graze_step_result;

GRAZE_DEFAULTS(graze_step_options, graze_default_step_options, graze_init_step_options)
/// UNRESOLVED with toi 0.
GRAZE_DEFAULTS(graze_step_result, graze_default_step_result, graze_init_step_result)

/// Finds the first contact of a mesh whose vertices move on straight lines from x0 at t = 0 to x1 at t = 1.
///
/// Obstacles are vertices with equal positions in x0 and x1. Put them into their own group to skip pairs of obstacles
/// (mesh.groups, skip_same_group). Positions are rows of x, y, z with a stride; copy a column-major array to rows
/// first. Indices are unsigned 32-bit; non-negative signed indices may be passed as they are.
///
/// Guarantee: with a conservative method nothing touches in [0, toi), provided the mesh does not already intersect
/// itself at x0: parts that overlap at the start may never register a contact. graze_static_intersections lists them.
/// Answers are bit-identical for any thread count, instruction set and broad phase.
///
/// @param options  NULL for graze_default_step_options()
/// @param result   from graze_default_step_result(); on any status but GRAZE_OK it is { GRAZE_UNRESOLVED, toi = 0 }
///
/// Memory comes from the context, which keeps it for the next call.
GRAZE_API graze_status graze_step(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                  const double (*x1)[3], const graze_step_options *options, graze_step_result *result);

/// A step of one mesh against another: pairs of a primitive of `a` with one of `b`, and no others. Ids belong to the
/// joined mesh (see graze_mesh_join): those of `a` stay, those of `b` follow. vertex_toi has room for the vertices of
/// both. Bits, guarantee and modes are those of graze_step on the joined mesh. Each call copies both meshes; for
/// repeated calls, join them once. CLEAR holds only if no face or edge of one passes through a face of the other at the
/// start.
///
/// @param xa0, xa1  positions of `a`; xb0, xb1: positions of `b`; all with the stride of the options
GRAZE_API graze_status graze_step_between(graze_context *context, const graze_mesh *a, const double (*xa0)[3],
                                          const double (*xa1)[3], const graze_mesh *b, const double (*xb0)[3],
                                          const double (*xb1)[3], const graze_step_options *options,
                                          graze_step_result *result);

/// Releases result->pairs.
GRAZE_API void graze_step_release(graze_context *context, graze_step_result *result);

/// A step that is safe to take: writes rounded positions x on the way from x0 to x1. The straight motion from x0 to x,
/// x included, is proven free of contact. Separation and thickness are kept.
///
/// toi of graze_step belongs to exact paths: x0 + toi·(x1 − x0), rounded, may lie inside the contact. This call rounds
/// x first, proves the motion to it by another step, and moves x back towards x0 until that step is clear. It mostly
/// takes one or two tries, each about the cost of a step. `result` is that of graze_step in mode EARLIEST. `alpha` says
/// where x is: 1 (x1 itself) if the whole step is clear, at most t_max; 0 only if x0 itself touches, if the call was
/// cancelled, or if no state that differs from x0 in any bit could be proven. Then x is x0.
///
/// The next call may start from x.
///
/// @param x        vertex_count positions with the stride of the options, which must not overlap x0 and x1
///                 (GRAZE_ERR_INVALID_ARGUMENT). Use them only on GRAZE_OK
/// @param options  as graze_step; `mode` is not read. GRAZE_ERR_UNSUPPORTED for a method that is not conservative
GRAZE_API graze_status graze_step_to(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                     const double (*x1)[3], const graze_step_options *options, double (*x)[3],
                                     graze_step_result *result);

/// Lists the pairs whose closed swept boxes over [0, t_max] come within separation and thickness of each other on every
/// axis (each box grown by half of the separation and its radii, rounded outward), sorted by kind, a, b. Release the
/// list by graze_pairs_release. It reads the options broad, backend, kinds, stride, memory_limit, positions_in,
/// pairs_in, stream and narrow->{method, t_max, min_separation}. Cancel and deadline do not end it, since a partial
/// list would hide pairs. With a memory limit and no filter it searches twice, and holds little more than the trees and
/// the list (12 bytes a pair). On back end CUDA, asked for by name, broad may be STQ or LBVH: for comparison, only
/// pairs of faces and their edges, and without a memory limit. With pairs_in DEVICE the context owns the list: it is
/// complete when the call returns, stays valid until the context's next call, and releasing it does nothing.
GRAZE_API graze_status graze_candidates(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                        const double (*x1)[3], const graze_step_options *options, graze_pair **pairs,
                                        size_t *count);
GRAZE_API void graze_pairs_release(graze_context *context, graze_pair *pairs, size_t count);

/// Runs the narrow phase on a list of pairs of a mesh: results[i] answers pairs[i].
GRAZE_API graze_status graze_ccd_pairs(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                       const double (*x1)[3], const graze_pair *pairs, size_t count,
                                       const graze_step_options *options, graze_result *results);

/// The first contact of a list of pairs: mode EARLIEST of graze_step, restricted to the list. For solvers that keep the
/// pairs that can meet, and ask often.
///
/// Every listed pair is answered as by graze_ccd_pairs, with its ids in the order given; groups, filter and `kinds` do
/// not apply. Pairs may repeat and have any order. Ties are broken as in a step. With the list of graze_candidates the
/// result has the bits of graze_step. Bits do not depend on the order of the list, the number of threads or the
/// instruction set.
///
/// Guarantee: with a conservative method no listed pair touches in [0, toi). Other pairs may. An empty list is CLEAR.
///
/// @param pairs    GRAZE_ERR_BAD_INDEX for an id beyond the mesh, GRAZE_ERR_INVALID_ARGUMENT for an unknown kind and
///                 for a pair that shares a vertex; graze_context_last_error names the first such pair
/// @param options  NULL for graze_default_step_options(); `mode`, `broad` and `kinds` are not read. Runs on a GPU as
///                 graze_step does, positions on the device included; with GRAZE_BACKEND_AUTO short lists stay on the
///                 CPU
/// @param result   as graze_step; candidates and hits are GRAZE_NOT_COUNTED
GRAZE_API graze_status graze_earliest_of_pairs(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                               const double (*x1)[3], const graze_pair *pairs, size_t count,
                                               const graze_step_options *options, graze_step_result *result);

/// Builds the query of a mesh's pair: its vertices at x0 and x1 as rows; rows that its kind does not read are 0.
/// `stride` is in bytes; 0: 24. On any status but GRAZE_OK the query is 0. Only the pair's entries of the mesh are
/// read.
GRAZE_API graze_status graze_pair_query(const graze_mesh *mesh, const double (*x0)[3], const double (*x1)[3],
                                        size_t stride, graze_pair pair, graze_query *query);

/// Gives the vertices of a pair, and their weights at u and v, which come from a hit (graze_result) or from closest
/// points (graze_distance_result). With NaN for u and v (no contact) only the vertices are meaningful. On any status
/// but GRAZE_OK the stencil is 0.
GRAZE_API graze_status graze_pair_stencil(const graze_mesh *mesh, graze_pair pair, double u, double v,
                                          graze_stencil *stencil);

/// Lists the pairs that are within the separation already at x, before any motion. Release by graze_pairs_release.
/// Decided exactly, unless thickness differs within a primitive: then the list also has pairs whose distance is too
/// close to the separation for doubles to tell.
GRAZE_API graze_status graze_start_violations(graze_context *context, const graze_mesh *mesh, const double (*x)[3],
                                              const graze_step_options *options, graze_pair **pairs, size_t *count);

/// Lists the pairs of faces (a < b are faces; `kind` is 0 and means nothing) that intersect or touch at x, decided
/// exactly. Faces that share a vertex are skipped. Groups apply as in a step; the filter does not.
GRAZE_API graze_status graze_static_intersections(graze_context *context, const graze_mesh *mesh, const double (*x)[3],
                                                  const graze_step_options *options, graze_pair **pairs, size_t *count);

/// A shorter time, to stay clear of contact without a proof: toi·(1 − fraction), and always a double below toi if toi >
/// 0. `fraction` is in [0, 1]. 0 for toi ≤ 0 and for NaN.
GRAZE_API double graze_step_back(double toi, double fraction);

/// The pairs that touch in a step, with their times (Algorithm 3 of Tight Inclusion's paper): mode ALL as a function.
/// GRAZE_ERR_CANCELLED, and no pairs, if the cancel callback or the deadline ended it, since a partial list would hide
/// contacts.
GRAZE_API graze_status graze_active_set(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                        const double (*x1)[3], const graze_step_options *options,
                                        graze_pair_result **pairs, size_t *count);
GRAZE_API void graze_active_set_release(graze_context *context, graze_pair_result *pairs, size_t count);

/// Energy of positions `x` (vertex_count × 3). NaN and +INFINITY reject the step. −INFINITY means that the energy could
/// not be computed, and ends the search with GRAZE_ERR_CALLBACK.
typedef double graze_energy(void *user, const double (*x)[3]);

typedef struct graze_line_search_options {
    size_t struct_size;
    const graze_step_options *step; ///< NULL for the defaults
    double separation_fraction; ///< p of Algorithm 4: the separation asked for is p × the start distance, in (0, 1)
    double tolerance;           ///< δ: least separation asked for, if the start distance has room for it
    double shrink;              ///< factor of the backtracking on the energy, in (0, 1)
    uint32_t max_steps;         ///< backtracking steps allowed
    double (*x)[3];             ///< NULL, or receives the positions at alpha, with the step options' stride; not x0, x1
} graze_line_search_options;

typedef struct graze_line_search_result {
    size_t struct_size;
    double alpha;      ///< step length to take, in [0, 1]: the motion to the positions at alpha is proven free
    double alpha_free; ///< largest step length that CCD allowed
    double energy;     ///< at alpha
    uint32_t energy_calls;
    graze_pair limiting;
    int32_t has_pair;
    double distance; ///< least start distance of the candidates, minus thickness; without thickness within 2⁻⁴⁸ of a
                     ///< pair's size; INFINITY without candidates
} graze_line_search_result;

GRAZE_DEFAULTS(graze_line_search_options, graze_default_line_search_options, graze_init_line_search_options)
GRAZE_DEFAULTS(graze_line_search_result, graze_default_line_search_result, graze_init_line_search_result)

/// Finds a step length along x1 − x0 that is free of contact and lowers the energy (Algorithm 4 of the paper).
///
/// CCD asks for a separation of max(p·d, δ), where d is the least start distance of the candidates (beyond
/// min_separation); p is halved until that is well below d. If d is too small for any p, or the answer would be 0, it
/// asks for min_separation and takes 0.8 of the way. Then the step is shortened until the energy is below that of x0;
/// `alpha` is 0 if no step is. With `energy` NULL this part is left out. `energy` must not use the context.
///
/// The positions at alpha are x0 + alpha·(x1 − x0), each operation rounded, and x1 itself for alpha 1. Ask for them
/// (`x`) rather than computing them again. The straight motion from x0 to these doubles is proven free of contact, as
/// by graze_step_to; if the proof fails, the step is shortened as for the energy.
///
/// @param result  from graze_default_line_search_result()
GRAZE_API graze_status graze_line_search(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                         const double (*x1)[3], graze_energy *energy, void *user,
                                         const graze_line_search_options *options, graze_line_search_result *result);

/// "earliest", "any", "vertices", "all"; NULL for an unknown value.
GRAZE_API const char *graze_step_mode_name(graze_step_mode mode);
/// Returns 0 and leaves *mode alone if no mode has that name.
GRAZE_API int graze_step_mode_find(const char *name, graze_step_mode *mode);
/// "auto", "brute", …; NULL for an unknown value.
GRAZE_API const char *graze_broad_name(graze_broad broad);
/// Returns 0 and leaves *broad alone if no broad phase has that name.
GRAZE_API int graze_broad_find(const char *name, graze_broad *broad);
/// True if this build has it, on the CPU.
GRAZE_API int graze_broad_available(graze_broad broad);
/// "auto", "cpu", "cuda"; NULL for an unknown value.
GRAZE_API const char *graze_backend_name(graze_backend backend);
/// Returns 0 and leaves *backend alone if no back end has that name.
GRAZE_API int graze_backend_find(const char *name, graze_backend *backend);
/// True if it can be used here. For GRAZE_BACKEND_CUDA each call loads the library and looks for a device.
GRAZE_API int graze_backend_available(graze_backend backend);

#ifdef __cplusplus
}
#endif
#endif
