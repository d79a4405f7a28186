/* The source of pairs: queries one after another, or a mesh by the vertex ids of each pair. No context. */
#ifndef GZ_PAIR_SOURCE_H
#define GZ_PAIR_SOURCE_H

#include "numerics/kind.h"

#include <stddef.h>
#include <stdint.h>

/* Positions of a mesh at both ends of a step. */
typedef struct gz_positions {
    const char *x0, *x1;
    size_t stride;       /* bytes */
    const double *radii; /* NULL, or one for each vertex; only to methods that are `thick` */
} gz_positions;

static GZ_INLINE const double *gz_position(const char *x, size_t stride, uint32_t vertex) {
    return (const double *)(const void *)(x + stride * vertex);
}

/* The positions of `rows` vertices as those of a query. */
static GZ_INLINE void gz_gather(const gz_positions *p, const uint32_t *ids, int rows, graze_query *query) {
    for (int i = 0; i < rows; i++) {
        const double *x0 = gz_position(p->x0, p->stride, ids[i]), *x1 = gz_position(p->x1, p->stride, ids[i]);
        for (int c = 0; c < 3; c++) {
            query->x0[i][c] = x0[c];
            query->x1[i][c] = x1[c];
        }
    }
}

typedef struct gz_lane_source {
    graze_kind kind;
    double separation;
    const graze_query *queries; /* NULL: the mesh */
    gz_positions positions;
    const uint32_t (*ids)[4];
    const double *radii; /* NULL, or one for each vertex of the mesh, four for each query */
    /* NULL, or one for each pair that the first probe is called for, in place of its argument */
    const float *separations;
} gz_lane_source;

/* As gz_lane_source, but in float32, queries only. */
typedef struct gz_lane_source_f32 {
    graze_kind kind;
    float separation; /* not below the one asked for */
    const graze_query_f32 *queries;
} gz_lane_source_f32;

/* Exactly. */
static GZ_INLINE graze_query gz_widened(const graze_query_f32 *query) {
    graze_query wide;
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            wide.x0[i][c] = query->x0[i][c];
            wide.x1[i][c] = query->x1[i][c];
        }
    return wide;
}

/* Row i of a pair at both ends. */
static GZ_INLINE void gz_lane_row(const gz_lane_source *source, uint32_t pair, int i, const double **x0,
                                  const double **x1) {
    const gz_positions *p = &source->positions;
    *x0 = source->queries ? source->queries[pair].x0[i] : gz_position(p->x0, p->stride, source->ids[pair][i]);
    *x1 = source->queries ? source->queries[pair].x1[i] : gz_position(p->x1, p->stride, source->ids[pair][i]);
}

static GZ_INLINE void gz_lane_row_f32(const gz_lane_source_f32 *source, uint32_t pair, int i, const float **x0,
                                      const float **x1) {
    *x0 = source->queries[pair].x0[i];
    *x1 = source->queries[pair].x1[i];
}

/* The radius of row i of a pair; there are radii. */
static GZ_INLINE double gz_lane_radius(const gz_lane_source *source, uint32_t pair, int i) {
    return source->queries ? source->radii[4 * (size_t)pair + (size_t)i] : source->radii[source->ids[pair][i]];
}

/* All of them: NULL where there are none. */
static GZ_INLINE const double *gz_lane_radii(const gz_lane_source *source, uint32_t pair, double radii[4]) {
    for (int i = 0; source->radii && i < gz_kind_rows(source->kind); i++) radii[i] = gz_lane_radius(source, pair, i);
    return source->radii ? radii : NULL;
}

/* The pair as a query: where it is one already, or gathered into `room`. */
static GZ_INLINE const graze_query *gz_lane_query(const gz_lane_source *source, uint32_t pair, graze_query *room) {
    if (source->queries) return &source->queries[pair];
    gz_gather(&source->positions, source->ids[pair], gz_kind_rows(source->kind), room);
    return room;
}

#endif
