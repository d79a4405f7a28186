/* Pairs of primitives of a mesh: their vertices and their order. */
#ifndef GZ_STEP_MESH_PAIR_H
#define GZ_STEP_MESH_PAIR_H

#include "graze/step.h"

#include "numerics/kind.h"

#include <stdbool.h>
#include <string.h>

/* The numbers of first and second primitives that the pairs of a kind, GZ_FF included, choose from. */
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

/* The place of a pair in the order of ties: kind, a, b. Ids are below 2^31. */
#define GZ_RANK_NONE UINT64_MAX
static inline uint64_t gz_pair_rank(graze_kind kind, uint32_t a, uint32_t b) {
    return (uint64_t)kind << 62 | (uint64_t)a << 31 | b;
}

/* Earlier toi first; ties: kind, a, b. */
static inline bool gz_pair_before(const graze_pair_result *x, const graze_pair_result *y) {
    if (x->result.toi != y->result.toi) return x->result.toi < y->result.toi;
    if (x->pair.kind != y->pair.kind) return x->pair.kind < y->pair.kind;
    return x->pair.a != y->pair.a ? x->pair.a < y->pair.a : x->pair.b < y->pair.b;
}

#endif
