/* Code that is written once and compiled for every instruction set: a table for each, chosen at run time. */
#ifndef GZ_KERNELS_KERNELS_H
#define GZ_KERNELS_KERNELS_H

#include "graze/curve.h"

#include <stdbool.h>

struct gz_lane_source;
struct gz_lane_source_f32;
struct gz_narrow_call;
struct gz_ti_outcome;
struct gz_ti_room;
struct gz_ti_pair;
struct gz_box;
struct gz_brute_job;
struct gz_bvh_job;
struct gz_hilbert_job;
struct gz_emitter;
struct gz_view_lanes;
struct gz_face_node;
struct gz_face_batch;
struct gz_face_block;
struct gz_children;
struct gz_frame_model;
struct gz_taylor;
struct gz_turn;
struct gz_parting_job;
struct gz_closest_block;
struct gz_gap_job;
struct gz_gap_block;
struct gz_far_job;
struct gz_windows_job;
struct gz_window_sizes;
struct gz_tree;
struct gz_rough;

/* Probes the pairs base … base + count - 1 for the first time, from t = 0, in float: t[i] is how far pair base + i is
   proven free. The direction is that of the closest points half-way. `separation` is not below that of the source.
   `directions` may be NULL. */
typedef void gz_first_kernel(const struct gz_lane_source *source, float separation, size_t base, size_t count, float *t,
                             double (*directions)[3]);

/* True if the first direction proves each of the pairs apart at all times of [0, 1]. `separation` is not below the one
   asked for. */
typedef void gz_curve_first_kernel(graze_kind kind, const graze_curve_query *queries, float separation, size_t count,
                                   bool *apart);

/* Probes the pairs index[0..count) once from their times t, which are proven free, and moves t on. The direction is
   that of the closest points at t + ahead (1 - t). `directions` may be NULL. */
typedef void gz_round_kernel(const struct gz_lane_source *source, double ahead, const uint32_t *index, size_t count,
                             double *t, double (*directions)[3]);
typedef void gz_round_kernel_f32(const struct gz_lane_source_f32 *source, float ahead, const uint32_t *index,
                                 size_t count, float *t, double (*directions)[3]);

/* Writes those of the vertex–face or edge–edge pairs that it does not prove apart to `left`, in their order, and
   returns how many. */
typedef size_t gz_far_kernel(const struct gz_far_job *job, graze_kind kind, const uint32_t (*pairs)[2], size_t count,
                             uint32_t (*left)[2]);

/* Tight Inclusion on one pair; and two of its parts, for the tests: the differences of a pair, and the smallest and
   largest corner of F on one axis over the box of lower corner (t, u, v) and the given widths. */
typedef void gz_ti_kernel(const struct gz_narrow_call *call, const graze_query *query, struct gz_ti_room *room,
                          struct gz_ti_outcome *outcome);
typedef void gz_ti_prepare_kernel(graze_kind kind, const graze_query *query, double separation,
                                  struct gz_ti_pair *pair);
typedef void gz_ti_range_kernel(const struct gz_ti_pair *pair, int axis, const double corner[3], const double width[3],
                                double range[2]);

/* Boxes [begin, end) of set a against all of set b; self: against those after them. */
typedef void gz_brute_kernel(const struct gz_brute_job *job, size_t begin, size_t end, struct gz_emitter *emitter);
/* All pairs of the emitter's kind, VF or EE, of a mesh that gz_is_few; the boxes of its vertices. */
typedef void gz_few_kernel(const struct gz_box *vertices, struct gz_emitter *emitter);
/* Blocks [begin, end) of level 0 of tree a against tree b; self: against itself and those after it. */
typedef void gz_bvh_kernel(const struct gz_bvh_job *job, size_t begin, size_t end, struct gz_emitter *emitter);
/* The job's vertices [begin, end); raises *largest to the bound of their coordinates. */
typedef void gz_windows_kernel(const struct gz_windows_job *job, size_t begin, size_t end,
                               struct gz_window_sizes *sizes);
/* Boxes of the leaf blocks [begin, end) of a tree from those of the vertices. Returns by how much the blocks are larger
   than what is in them, on all axes, together. */
typedef double gz_fill_kernel(const struct gz_tree *tree, const struct gz_rough *vertices, size_t begin, size_t end);
/* The items of primitives [begin, end): their places along Hilbert's curve. */
typedef void gz_hilbert_kernel(const struct gz_hilbert_job *job, size_t begin, size_t end);

/* True if two nodes of trees are apart along a direction of the view. Else *sweep is half of how far the center of the
   first may move. */
typedef bool gz_apart_kernel(const struct gz_view_lanes *view, const struct gz_face_node *a,
                             const struct gz_face_node *b, double *sweep);

/* Distance between two nodes of trees at a single time along each direction of the view; 0 where they are not apart. */
typedef void gz_gap_kernel(const struct gz_view_lanes *view, const struct gz_face_node *a, const struct gz_face_node *b,
                           double *gaps);

/* Lower bound on the distance between each pair of triangles, margins aside; negative where that is not told. */
typedef void gz_faces_kernel(const struct gz_face_batch *batch, double *gaps);

/* As gz_apart_kernel, but for a node and a block of nodes, which are a's with `of_a`, else b's: a bit for each that is
   not apart. */
typedef unsigned gz_children_kernel(const struct gz_view_lanes *view, const struct gz_face_node *node,
                                    const struct gz_face_block *block, bool of_a, struct gz_children *children);

/* a·b, or with `back` the inverse of a's rotation times b; `out` is neither. `still`: no entry depends on time. Four
   lanes are filled. */
typedef void gz_frame_kernel(const struct gz_frame_model *a, const struct gz_frame_model *b, bool back, bool still,
                             struct gz_frame_model *out);

/* The rotation of a turn by an angle with this cosine and sine, its matrices off by `error`. Three lanes are filled;
   the origin of `out` is anything after it. */
typedef void gz_turn_kernel(const struct gz_turn *turn, const struct gz_taylor *cosine, const struct gz_taylor *sine,
                            double error, struct gz_frame_model *out);

/* Results of step/parting.h for at most GZ_PARTING_BLOCK pairs: a gz_parting of each; where each row stops, by row; the
   distance at t = 0, or -1 where the pair is left to plain code. */
typedef void gz_parted_kernel(const struct gz_parting_job *job, unsigned char *parted);
typedef void gz_stops_kernel(const struct gz_parting_job *job, unsigned char *parted, double (*stops)[64]);
typedef void gz_distances_kernel(const struct gz_parting_job *job, double *distances);
/* As gz_distances_kernel, with closest points, as graze_distance has them. */
typedef void gz_closest_kernel(const struct gz_parting_job *job, struct gz_closest_block *out);

/* Gaps of contacts, as gz_gap_find has them. */
typedef void gz_contact_gaps_kernel(const struct gz_gap_job *job, struct gz_gap_block *out);

/* Least value of t[k] + x·turn[k] over the positions in three columns of that length, a multiple of 8, for each k; and
   the highest of n·x. */
typedef void gz_lowest_kernel(const double *x, size_t column, const double t[4], const double turn[3][4],
                              double low[4]);
typedef double gz_highest_kernel(const double *x, size_t column, const double n[3]);

/* True if the arithmetic of the unit is that of IEEE 754. */
typedef bool gz_ieee_kernel(void);

typedef struct gz_kernels {
    graze_isa isa;
    uint32_t doubles, floats;      /* lanes */
    const struct gz_kernels *half; /* NULL, or a table with half the lanes: quicker for what fills no more */
    gz_first_kernel *first;
    gz_curve_first_kernel *curve_first;
    gz_round_kernel *round;
    gz_round_kernel_f32 *round_f32;
    gz_far_kernel *far;
    gz_ti_kernel *ti;
    gz_ti_prepare_kernel *ti_prepare;
    gz_ti_range_kernel *ti_range;
    gz_brute_kernel *brute;
    gz_few_kernel *few;
    gz_bvh_kernel *bvh;
    gz_windows_kernel *windows;
    gz_fill_kernel *fill;
    gz_hilbert_kernel *hilbert;
    gz_apart_kernel *apart, *apart_still; /* over a window of time, at a single time */
    gz_gap_kernel *gaps;
    gz_faces_kernel *faces;
    gz_children_kernel *children, *children_still;
    gz_frame_kernel *frame; /* and turn: NULL where there are more than four doubles; `half` has them */
    gz_turn_kernel *turn;
    gz_parted_kernel *parted;
    gz_stops_kernel *stops;
    gz_distances_kernel *distances;
    gz_closest_kernel *closest;
    gz_contact_gaps_kernel *contact_gaps;
    gz_lowest_kernel *lowest;
    gz_highest_kernel *highest;
    gz_ieee_kernel *ieee;
} gz_kernels;

extern const gz_kernels gz_kernels_scalar, gz_kernels_avx2, gz_kernels_avx512, gz_kernels_neon, gz_kernels_wasm;

/* NULL where this build has none for `isa`, which is not AUTO. */
const gz_kernels *gz_kernels_of(graze_isa isa);

#endif
