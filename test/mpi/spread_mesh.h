/* A random moving mesh with everything that a mesh can have, and parts of it for ranks, cut without any order. */
#ifndef GRAZE_TEST_SPREAD_MESH_H
#define GRAZE_TEST_SPREAD_MESH_H

#include "soup.h"

#include "graze/mpi.h"

#define SPREAD_EXTRA 40

typedef struct spread_mesh {
    soup base;
    uint32_t edges[SPREAD_EXTRA][2], points[SPREAD_EXTRA];
    uint32_t groups[3 * SOUP_MAX + 4 * SPREAD_EXTRA];
    double thickness[3 * SOUP_MAX + 4 * SPREAD_EXTRA];
    double x0[3 * SOUP_MAX + 4 * SPREAD_EXTRA][3], x1[3 * SOUP_MAX + 4 * SPREAD_EXTRA][3];
    graze_mesh mesh;
    bool sparse; /* ids are far apart */
} spread_mesh;

static inline uint64_t spread_id(const spread_mesh *m, uint64_t v) { return m->sparse ? 11 + v * 0x100000007u : v; }

/* Triangles, then free edges, some of them between triangles, then points and a vertex of nothing. */
static inline void spread_make(spread_mesh *m, graze_context *context, soup_style style, uint32_t faces,
                               uint64_t seed) {
    test_random random = {seed};
    soup_make(&m->base, context, style, faces, seed);
    uint32_t count = m->base.mesh.vertex_count, before = count;
    memcpy(m->x0, m->base.x0, count * sizeof *m->x0);
    memcpy(m->x1, m->base.x1, count * sizeof *m->x1);
    for (uint32_t i = 0; i < 4 * SPREAD_EXTRA; i++, count++)
        for (int c = 0; c < 3; c++) {
            uint64_t like = test_random_below(&random, before);
            m->x0[count][c] = m->x0[like][c];
            m->x1[count][c] = m->x1[test_random_below(&random, before)][c];
        }
    for (uint32_t i = 0; i < SPREAD_EXTRA; i++) {
        m->edges[i][0] = before + 2 * i;
        m->edges[i][1] = i % 3 ? before + 2 * i + 1 : (uint32_t)test_random_below(&random, before);
        m->points[i] = before + 2 * SPREAD_EXTRA + i % (SPREAD_EXTRA - 3);
    }
    for (uint32_t v = 0; v < count; v++) m->groups[v] = 0;
    for (uint32_t v = 0; v < count; v++) m->thickness[v] = 0x1p-6 * test_random_unit(&random);
    m->mesh = graze_default_mesh();
    CHECK(graze_mesh_from_parts(context, count, (const uint32_t(*)[3])m->base.faces, faces,
                                (const uint32_t(*)[2])m->edges, SPREAD_EXTRA, m->points, SPREAD_EXTRA,
                                &m->mesh) == GRAZE_OK);
}

static inline void spread_free(spread_mesh *m, graze_context *context) {
    graze_mesh_release(context, &m->mesh);
    m->base.mesh.codim_edges = m->base.mesh.codim_points = NULL;
    graze_mesh_release(context, &m->base.mesh);
}

/* Mesh and positions of one rank. */
typedef struct spread_part {
    graze_mpi_part part;
    uint64_t *ids, (*faces)[3], *face_ids, (*edges)[2], *points;
    uint32_t *rows; /* of the whole mesh' vertices */
    uint32_t *groups;
    double *thickness, (*x0)[3], (*x1)[3];
} spread_part;

/* True if a rank brings an item: one rank always does, some others too. */
static inline bool spread_brings(uint64_t item, uint64_t salt, uint32_t rank, uint32_t ranks, bool again) {
    test_random random = {item * 1000003 + salt};
    if (test_random_below(&random, ranks) == rank) return true;
    random.state += rank;
    return again && test_random_below(&random, 5) == 0;
}

static inline void spread_vertices(const spread_mesh *m, uint32_t rank, uint32_t ranks, spread_part *p) {
    size_t count = 0;
    for (uint32_t v = 0; v < m->mesh.vertex_count; v++) {
        if (!spread_brings(v, 1, rank, ranks, true)) continue;
        p->ids[count] = spread_id(m, v);
        p->rows[count] = v;
        p->groups[count] = m->groups[v];
        p->thickness[count] = m->thickness[v];
        memcpy(p->x0[count], m->x0[v], sizeof p->x0[count]);
        memcpy(p->x1[count++], m->x1[v], sizeof p->x1[0]);
    }
    p->part.vertex_count = count;
    p->part.vertex_ids = p->ids;
    p->part.groups = m->mesh.groups ? p->groups : NULL;
    p->part.group_count = m->mesh.group_count;
    p->part.skip_same_group = m->mesh.skip_same_group;
    p->part.group_pairs = m->mesh.group_pairs;
    p->part.thickness = m->mesh.thickness ? p->thickness : NULL;
}

static inline void spread_lists(const spread_mesh *m, uint32_t rank, uint32_t ranks, spread_part *p) {
    graze_mpi_part *part = &p->part;
    for (uint32_t f = 0; f < m->mesh.face_count; f++) {
        if (!spread_brings(f, 2, rank, ranks, true)) continue;
        for (int k = 0; k < 3; k++) p->faces[part->face_count][k] = spread_id(m, m->mesh.faces[f][k]);
        p->face_ids[part->face_count++] = f;
    }
    for (uint32_t e = 0; e < SPREAD_EXTRA; e++) {
        if (!spread_brings(e, 3, rank, ranks, true)) continue;
        for (int k = 0; k < 2; k++) p->edges[part->edge_count][k] = spread_id(m, m->edges[e][k]);
        part->edge_count++;
    }
    for (uint32_t i = 0; i < SPREAD_EXTRA; i++)
        if (spread_brings(i, 4, rank, ranks, true)) p->points[part->point_count++] = spread_id(m, m->points[i]);
    part->faces = (const uint64_t(*)[3])p->faces;
    part->face_ids = p->face_ids;
    part->edges = (const uint64_t(*)[2])p->edges;
    part->points = p->points;
}

static inline void spread_part_make(const spread_mesh *m, uint32_t rank, uint32_t ranks, spread_part *p) {
    size_t count = m->mesh.vertex_count + 1;
    *p = (spread_part){.part = graze_default_mpi_part()};
    p->ids = malloc(count * sizeof *p->ids);
    p->rows = malloc(count * sizeof *p->rows);
    p->groups = malloc(count * sizeof *p->groups);
    p->thickness = malloc(count * sizeof *p->thickness);
    p->x0 = malloc(count * sizeof *p->x0);
    p->x1 = malloc(count * sizeof *p->x1);
    p->faces = malloc((m->mesh.face_count + 1) * sizeof *p->faces);
    p->face_ids = malloc((m->mesh.face_count + 1) * sizeof *p->face_ids);
    p->edges = malloc(SPREAD_EXTRA * sizeof *p->edges);
    p->points = malloc(SPREAD_EXTRA * sizeof *p->points);
    spread_vertices(m, rank, ranks, p);
    spread_lists(m, rank, ranks, p);
}

static inline void spread_part_free(spread_part *p) {
    void *const blocks[] = {p->ids, p->rows,  p->groups,   p->thickness, p->x0,
                            p->x1,  p->faces, p->face_ids, p->edges,     p->points};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}

#endif
