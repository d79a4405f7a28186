/* A step as every kernel of the narrow phase sees it. */
#ifndef GZ_CUDA_NARROW_CUH
#define GZ_CUDA_NARROW_CUH

#include "cuda/far.cuh"
#include "cuda/lists.cuh"

#include "graze/step.h"
#include "pair/pair.h"

#define GZ_LISTED_PACKET 64u /* pairs of a caller's list that count as one packet of elements */
#define GZ_FEW_LATE                                                                                                    \
    64 /* pairs that the host finishes sooner than a kernel: it takes them one after another, but runs                 \
          through each some thirty times as fast as one thread of a device */

/* Positions at both ends, in the memory of the device. */
struct gz_device_positions {
    const char *x0, *x1;
    size_t stride;
};

__device__ inline const double *gz_position_of(const char *x, size_t stride, uint32_t vertex) {
    return (const double *)(x + stride * vertex);
}

/* Input of a pass. */
struct gz_pass_input {
    gz_device_positions positions;
    double window; /* boxes are of [0, window] */
    double until;  /* and contacts from here on of no interest: the next window finds them */
    double grow, largest;
    uint32_t tight; /* boxes are those of the search for candidates: the window is all of the step */
    gz_view view;
    float reach;             /* separation and tolerance, in the view: for the first look */
    unsigned long long best; /* bits of the least toi that is known */
    unsigned long long hits; /* that are there from earlier passes */
    uint32_t walkers;        /* warps that walk */
    uint32_t packets[2];     /* for those of [0] … [1] − 1 */
    const graze_pair *list;  /* NULL, or a caller's: packets are of GZ_LISTED_PACKET of them */
    unsigned long long listed;
};

/* Counts of a pass, and what the host wants to know after it. */
struct gz_step_state {
    gz_pass_input input;
    unsigned long long element_pairs, pairs[4] /* by graze_kind */, open, late, rest /* of those */, hits, asks,
        candidates[4];
    uint32_t walk_head, walk_tail, walk_pending, walk_started;
    uint32_t bad;                  /* some coordinate is too large, or no number */
    uint32_t bad_pair;             /* some pair of the caller's list is none */
    unsigned long long best;       /* bits of the least toi so far */
    unsigned long long first_code; /* least of the pairs with that toi */
    unsigned long long stuck_code; /* least of the late pairs of which nothing is proven but the start */
    uint32_t ends[4];              /* of the sorted pairs: where those of each kind end */
    gz_open_pair first_late[GZ_FEW_LATE];
    uint32_t walk_over[32]; /* the first says whether; many ask, and nothing else lies near it */
};

struct gz_device_step {
    const uint32_t *faces, *edges;
    const gz_vertex_ends *ends;
    gz_vertex_ends *late_rows; /* NULL, or memory of the host for the vertices of state->first_late */
    gz_vertex_ends *ask_rows;  /* the same for pairs that are asked of the host, then of state->first_code */
    gz_certified_call call;    /* of every kind */
    double grow;               /* of a vertex' box, beside its thickness */
    double part;               /* of its start distance that a pair keeps: at_rest.cuh */
    bool thick, all;
    bool only; /* pairs are a caller's: each counts, a candidate or not */
    gz_pair_coder coder;
    gz_step_state *state;
    const uint32_t *stop; /* NULL, or set while kernels run, to end them */
};

/* True once the call is to end: then what is not done stays so. */
__device__ inline bool gz_device_stopped(const uint32_t *stop) { return stop && *(const volatile uint32_t *)stop; }
/* As gz_device_stopped, but for all lanes of a warp. */
__device__ inline bool gz_warp_stopped(const uint32_t *stop) {
    return stop && __any_sync(~0u, gz_device_stopped(stop));
}

/* Vertices of a pair, in the order of a query's rows. */
__host__ __device__ inline void gz_row_ids(const uint32_t *faces, const uint32_t *edges, graze_kind kind, uint32_t a,
                                           uint32_t b, uint32_t ids[4]) {
    const uint32_t *face = faces + 3 * (size_t)b, *edge_a = edges + 2 * (size_t)a, *edge_b = edges + 2 * (size_t)b;
    switch (kind) {
    case GRAZE_VF: ids[0] = a, ids[1] = face[0], ids[2] = face[1], ids[3] = face[2]; break;
    case GRAZE_EE: ids[0] = edge_a[0], ids[1] = edge_a[1], ids[2] = edge_b[0], ids[3] = edge_b[1]; break;
    case GRAZE_PE: ids[0] = ids[3] = a, ids[1] = edge_b[0], ids[2] = edge_b[1]; break;
    case GRAZE_PP: ids[0] = ids[2] = a, ids[1] = ids[3] = b; break;
    }
}

/* As gz_row_ids, with edges read in one piece each. */
__device__ inline void gz_read_ids(const uint32_t *faces, const uint32_t *edges, graze_kind kind, uint32_t a,
                                   uint32_t b, uint32_t ids[4]) {
    if (kind == GRAZE_EE) {
        uint2 edge_a = ((const uint2 *)edges)[a], edge_b = ((const uint2 *)edges)[b];
        ids[0] = edge_a.x, ids[1] = edge_a.y, ids[2] = edge_b.x, ids[3] = edge_b.y;
    } else {
        gz_row_ids(faces, edges, kind, a, b, ids);
    }
}

__device__ inline void gz_device_ids(const gz_device_step &s, graze_kind kind, uint32_t a, uint32_t b,
                                     uint32_t ids[4]) {
    gz_read_ids(s.faces, s.edges, kind, a, b, ids);
}

/* From when on contacts are of no interest: the end of the pass, or just after the best so far, so that ties are
   seen. */
__device__ inline double gz_device_enough(const gz_device_step &s) {
    double until = s.state->input.until;
    if (s.all) return until;
    unsigned long long bits = *(volatile unsigned long long *)&s.state->best + 1; /* of a double ≥ 0: the next one */
    double after = __longlong_as_double((long long)bits);
    return after < until ? after : until;
}

/* The vertices of a pair, read in as few pieces as can be: gathering them is what the kernels wait for. */
__device__ inline void gz_device_vertices(const gz_device_step &s, graze_kind kind, uint32_t a, uint32_t b,
                                          gz_vertex_ends v[4]) {
    uint32_t ids[4];
    gz_device_ids(s, kind, a, b, ids);
#pragma unroll
    for (int i = 0; i < 4; i++) v[i] = s.ends[ids[i]];
}

/* The vertices of a pair as a query; radii may be NULL. */
__device__ inline void gz_device_query(const gz_device_step &s, const uint32_t ids[4], graze_query *query,
                                       double *radii) {
#pragma unroll
    for (int k = 0; k < 4; k++) {
        gz_vertex_ends v = s.ends[ids[k]];
        if (radii) radii[k] = v.radius;
        for (int c = 0; c < 3; c++) query->x0[k][c] = v.x0[c], query->x1[k][c] = v.x1[c];
    }
}

/* As gz_device_vertices, but for the host: one after another, which takes few registers. */
__device__ inline void gz_device_rows(const gz_device_step &s, graze_kind kind, uint32_t a, uint32_t b,
                                      gz_vertex_ends *rows) {
    uint32_t ids[4];
    gz_device_ids(s, kind, a, b, ids);
    for (int i = 0; i < 4; i++) rows[i] = s.ends[ids[i]];
}

/* Adds the box of a vertex, over the whole step and rounded outward. */
__device__ inline void gz_device_add_box(const gz_device_step &s, const gz_vertex_ends &v, gz_box *side) {
    gz_box box;
    gz_swept_box(v.x0, v.x1, s.call.t_max, s.thick ? gz_add_up(s.grow, v.radius) : s.grow, &box);
    gz_box_join(side, &box);
}

/* True if a search for candidates in double would find the pair: what it would not never counts. Vertices are read one
   after another: for the few that come to it, in few instructions. */
__device__ inline bool gz_late_is_candidate(const gz_device_step &s, graze_kind kind, const uint32_t ids[4]) {
    gz_box sides[2] = {gz_box_empty(), gz_box_empty()};
    for (int i = 0; i < gz_kind_rows(kind); i++)
        gz_device_add_box(s, s.ends[ids[i]], &sides[i >= gz_kind_rows_of_a(kind)]);
    return gz_boxes_meet(&sides[0], &sides[1]);
}

#endif
