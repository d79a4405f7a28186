/* A call on a whole mesh: its arguments checked, its boxes made, its pairs searched and answered. */
#ifndef GZ_STEP_CALL_H
#define GZ_STEP_CALL_H

#include "graze/step.h"

#include "base/overlap.h"
#include "base/sizes.h"
#include "broad/broad.h"
#include "narrow/method.h"

typedef struct gz_step_call {
    graze_context *context;
    gz_workspace *workspace; /* kept in the context */
    const graze_mesh *mesh;  /* &given_mesh */
    graze_mesh given_mesh;   /* the caller's, with every field that it lacks */
    gz_positions positions;
    graze_step_options options; /* every default filled in; `narrow` is not read after the check */
    graze_options narrow;
    double separation, t_max;
    bool at_start; /* t_max = 0 was asked for: x1 is x0, and t_max is 1 */
    const gz_method *method;
    gz_narrow_call calls[GZ_KINDS]; /* for the kinds that the mesh has pairs of */
    const gz_box *vertices;
    gz_tree_source *trees; /* &source, where the broad phase wants it */
    gz_tree_source source;
    gz_set sets[GZ_KINDS + 1][2]; /* without boxes where the broad phase makes them from the vertices' */
    size_t room;                  /* pairs in a block */
} gz_step_call;

/* The caller's options, NULL for none, with every field that they lack; none is checked. */
graze_status gz_step_options_read(graze_context *context, const graze_step_options *given, graze_step_options *options);

/* GRAZE_ERR_UNSUPPORTED where the options speak of a device's memory. */
graze_status gz_step_on_host(graze_context *context, const graze_step_options *options);

/* Fills in the default of a stride, or says what is wrong with it for so many positions. */
graze_status gz_stride_read(graze_context *context, size_t *stride, uint32_t vertex_count);

/* Reads and checks what takes a time that does not grow with the mesh; then what is in its lists, with `whole` also
   that they are complete for a search of all pairs; then the positions. For back ends, which check in another order. */
graze_status gz_step_read(graze_context *context, const graze_mesh *mesh, const double (*x0)[3], const double (*x1)[3],
                          const graze_step_options *options, gz_step_call *call);
graze_status gz_step_check_mesh(gz_step_call *call, bool whole);
graze_status gz_step_check_positions(gz_step_call *call);

/* All of that but the method. On any status but GRAZE_OK the call is not to be used. */
graze_status gz_step_open(graze_context *context, const graze_mesh *mesh, const double (*x0)[3], const double (*x1)[3],
                          const graze_step_options *options, gz_step_call *call);

/* The same for a search of all pairs, which the lists of the mesh have to be complete for. */
graze_status gz_step_open_whole(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                const double (*x1)[3], const graze_step_options *options, gz_step_call *call);

/* Checks the method and prepares it for every kind that the mesh has pairs of. */
graze_status gz_step_open_narrow(gz_step_call *call);

/* Whether method, mode and mesh go with relative_separation. */
graze_status gz_step_relative_check(const gz_step_call *call);

/* Makes the swept boxes and fills in the sets. `coarse`: trees may do with boxes in float, and find pairs, too, whose
   boxes only nearly meet. */
graze_status gz_step_boxes(gz_step_call *call, bool coarse);

/* The same for trees from boxes in float, which gz_tree_renew is yet to make. */
graze_status gz_step_open_trees(gz_step_call *call);

/* Only those of the vertices. */
graze_status gz_step_vertex_boxes(gz_step_call *call);

gz_box_input gz_step_box_input(const gz_step_call *call);

/* Whether pairs of this kind are looked for, and the mesh can have such; GZ_FF included. */
/* Whether `x`, positions that the call writes, are none that it reads. */
graze_status gz_step_check_target(const gz_step_call *call, const char *name, const double (*x)[3]);
/* The same for the times of mode VERTICES, and for results of a list of pairs. */
graze_status gz_step_check_times(const gz_step_call *call);
graze_status gz_step_check_results(const gz_step_call *call, gz_pieces results, const graze_pair *pairs, size_t count);

bool gz_step_has_kind(const gz_step_call *call, graze_kind kind);

/* Gives all pairs of a kind to the sink in blocks of at most call->room. */
graze_status gz_step_search(const gz_step_call *call, graze_kind kind, bool interrupted, gz_sink *sink, void *state);

/* Whether that search would find the pair, but for shared vertices, groups and filter. */
bool gz_step_is_candidate(const gz_step_call *call, graze_kind kind, const uint32_t ids[4]);

/* How many first and second primitives the pairs of a kind, GZ_FF included, choose from. */
static inline void gz_pair_counts(const graze_mesh *mesh, graze_kind kind, uint32_t *a, uint32_t *b) {
    bool faces = (int)kind == GZ_FF;
    *a = faces ? mesh->face_count : kind == GRAZE_EE ? mesh->edge_count : mesh->vertex_count;
    *b = faces || kind == GRAZE_VF ? mesh->face_count : kind == GRAZE_PP ? mesh->vertex_count : mesh->edge_count;
}

/* Rows of the query that a pair is. */
static inline void gz_pair_vertices(const graze_mesh *mesh, graze_kind kind, uint32_t a, uint32_t b, uint32_t ids[4]) {
    switch (kind) {
    case GRAZE_VF:
        ids[0] = a;
        memcpy(ids + 1, mesh->faces[b], sizeof mesh->faces[b]);
        return;
    case GRAZE_EE:
        memcpy(ids, mesh->edges[a], sizeof mesh->edges[a]);
        memcpy(ids + 2, mesh->edges[b], sizeof mesh->edges[b]);
        return;
    case GRAZE_PE:
        ids[0] = a;
        memcpy(ids + 1, mesh->edges[b], sizeof mesh->edges[b]);
        ids[3] = a;
        return;
    case GRAZE_PP:
        ids[0] = ids[2] = a;
        ids[1] = ids[3] = b;
        return;
    }
}

/* The largest distance that counts as contact for this pair: the separation, and the vertices' thickness. */
double gz_pair_separation(const gz_step_call *call, graze_kind kind, const uint32_t ids[4]);

/* The largest difference of two coordinates of a pair on one axis at the start. */
double gz_start_size(graze_kind kind, const gz_positions *positions, const uint32_t ids[4]);

/* The radii of a pair's rows; all 0 without thickness. */
void gz_pair_radii(const gz_step_call *call, const uint32_t ids[4], double radii[4]);

/* Answers a block of pairs of one kind on the calling worker. `ids` is room for as many rows; `follow` as in
   gz_narrow_call. Returns how many are not CLEAR. */
size_t gz_step_solve(const gz_step_call *call, uint32_t worker, gz_counts *counts, graze_kind kind, double *follow,
                     const uint32_t (*pairs)[2], size_t count, uint32_t (*ids)[4], graze_result *results);

/* The same for pairs given by their vertices, in the order of a query's rows. */
size_t gz_step_solve_ids(const gz_step_call *call, uint32_t worker, gz_counts *counts, graze_kind kind, double *follow,
                         const uint32_t (*ids)[4], size_t count, graze_result *results);

/* Earlier toi first; ties: kind, a, b. */
static inline bool gz_pair_before(const graze_pair_result *x, const graze_pair_result *y) {
    if (x->result.toi != y->result.toi) return x->result.toi < y->result.toi;
    if (x->pair.kind != y->pair.kind) return x->pair.kind < y->pair.kind;
    return x->pair.a != y->pair.a ? x->pair.a < y->pair.a : x->pair.b < y->pair.b;
}

/* Whether gz_step_earliest can answer this call; and whether it then needs no more than the boxes of the vertices. */
bool gz_step_is_fused(const gz_step_call *call);
bool gz_step_is_few(const gz_step_call *call);

/* Modes EARLIEST and ANY, traversal and narrow phase at once: sets has_pair, limiting and ms_narrow, counts nothing.
   `stopped` is set when mode ANY ended before all pairs were looked at. */
graze_status gz_step_earliest(const gz_step_call *call, graze_step_result *result, bool *stopped);

/* Orders pairs of one kind: key_of packs (a, b) so that keys sort as pairs do. */
typedef struct gz_pair_key {
    int b_bits, bits;
} gz_pair_key;
gz_pair_key gz_pair_key_for(const gz_step_call *call, graze_kind kind);
static inline uint64_t gz_pair_key_of(gz_pair_key key, uint32_t a, uint32_t b) { return (uint64_t)a << key.b_bits | b; }

/* graze_step inside a call that has entered the context; `result` is written as the library knows it. */
graze_status gz_step_run(graze_context *context, const graze_mesh *mesh, const double (*x0)[3], const double (*x1)[3],
                         const graze_step_options *options, graze_step_result *result);

/* The door of a call that fills a caller's result: closed from here on, and written only when all went well. */
graze_status gz_step_enter(graze_context *context, graze_step_result *result, gz_fp_environment *env);
graze_status gz_step_leave(graze_context *context, gz_fp_environment *env, graze_status status,
                           const graze_step_result *found, graze_step_result *result);

/* Asked for at least: the size of the struct in its first release. */
#define GZ_STEP_RESULT_LEAST GZ_SIZE_UP_TO(graze_step_result, ms_total)

/* Writes x0 + alpha·(x1 − x0), rounded, to positions with that stride; x0 and x1 themselves for 0 and 1. Whether any
   coordinate differs from x0. */
bool gz_positions_between(const gz_positions *ends, uint32_t count, double alpha, char *x, size_t stride);

/* Whether the step from the call's x0 to x is proven clear as a whole. */
graze_status gz_step_is_clear(const gz_step_call *call, const double (*x)[3], bool *clear);

/* Mode VERTICES: fills options.vertex_toi, sets has_pair, limiting and ms_narrow. */
graze_status gz_step_vertices(const gz_step_call *call, graze_step_result *result);

#endif
