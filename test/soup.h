/* Random moving meshes of many shapes, the same on every machine, and the candidate pairs of one by two plain loops. */
#ifndef GRAZE_TEST_SOUP_H
#define GRAZE_TEST_SOUP_H

#include "check.h"

#include <fenv.h>

#define SOUP_MAX 400

typedef enum soup_style {
    SOUP_UNIFORM,    /* small triangles all over a box */
    SOUP_CLUSTERED,  /* a few tight clusters */
    SOUP_FLAT,       /* one coordinate the same for all */
    SOUP_SAME,       /* every triangle in the same place */
    SOUP_DEGENERATE, /* points and segments for triangles, coordinates on a coarse lattice: many boxes just touch */
    SOUP_HUGE,       /* one triangle across the whole scene, coordinates to 1e40 */
    SOUP_TINY,       /* subnormal coordinates */
    SOUP_OFFSET,     /* far from the origin, a few ulps apart */
    SOUP_STYLES,
} soup_style;

typedef struct soup {
    uint32_t faces[SOUP_MAX][3];
    double x0[3 * SOUP_MAX][3], x1[3 * SOUP_MAX][3];
    uint32_t groups[3 * SOUP_MAX];
    uint32_t codim_edges[SOUP_MAX], codim_points[SOUP_MAX];
    graze_mesh mesh;
} soup;

static inline double soup_coordinate(test_random *random, soup_style style, int c, const double centre[3]) {
    double x = test_random_between(random, -1, 1);
    switch (style) {
    case SOUP_UNIFORM: return centre[c] + 0.05 * x;
    case SOUP_CLUSTERED: return floor(2 * centre[c]) + 0.01 * x;
    case SOUP_FLAT: return c == 1 ? 0.25 : centre[c] + 0.1 * x;
    case SOUP_SAME: return c + 1;
    case SOUP_DEGENERATE: return floor(4 * x) / 4 + floor(3 * centre[c]);
    case SOUP_HUGE: return 1e40 * (centre[c] + 0.05 * x);
    case SOUP_TINY: return 0x1p-1060 * (centre[c] + 0.05 * x);
    case SOUP_OFFSET: return 1e7 + 0x1p-28 * floor(40 * centre[c] + 3 * x);
    default: return x;
    }
}

/* `count` triangles, two of three without a neighbor, the third joined to the one before. Groups by thirds. */
static inline void soup_make(soup *s, graze_context *context, soup_style style, uint32_t count, uint64_t seed) {
    test_random random = {seed * 1000 + (uint64_t)style};
    uint32_t vertices = 0;
    for (uint32_t f = 0; f < count; f++) {
        uint32_t group = 3 * f / count;
        double centre[3];
        for (int c = 0; c < 3; c++) centre[c] = test_random_between(&random, -1, 1);
        for (int k = 0; k < 3; k++) {
            bool join = f % 3 == 2 && k < 2 && s->groups[s->faces[f - 1][k]] == group;
            if (join) {
                s->faces[f][k] = s->faces[f - 1][k];
                continue;
            }
            uint32_t v = vertices++;
            s->faces[f][k] = v;
            s->groups[v] = group;
            for (int c = 0; c < 3; c++) {
                s->x0[v][c] = soup_coordinate(&random, style, c, centre);
                s->x1[v][c] = test_random_below(&random, 4) ? soup_coordinate(&random, style, c, centre) : s->x0[v][c];
            }
        }
    }
    if (style == SOUP_HUGE)
        for (int c = 0; c < 3; c++) s->x0[0][c] = -1e40, s->x1[1][c] = 1e40;
    s->mesh = graze_default_mesh();
    CHECK(graze_mesh_from_faces(context, vertices, (const uint32_t(*)[3])s->faces, count, &s->mesh) == GRAZE_OK);
    /* any vertices and edges will do as codimensional ones: the pairs are defined by the lists alone */
    s->mesh.codim_points = s->codim_points;
    s->mesh.codim_edges = s->codim_edges;
    for (uint32_t i = 0; i < count / 2; i++) {
        s->codim_points[s->mesh.codim_point_count++] = (7 * i) % vertices;
        s->codim_edges[s->mesh.codim_edge_count++] = (5 * i) % s->mesh.edge_count;
    }
    s->mesh.codim_point_count = s->mesh.codim_point_count < vertices / 7 ? s->mesh.codim_point_count : vertices / 7;
    if (s->mesh.codim_edge_count > s->mesh.edge_count / 5) s->mesh.codim_edge_count = s->mesh.edge_count / 5;
}

/* ---- the plain loops ---- */

typedef struct plain_box {
    double lo[3], hi[3];
} plain_box;

/* The hull of the end positions, grown by half of d with the processor's own directed rounding. */
static inline plain_box plain_hull(const soup *s, const uint32_t *ids, int count, double d) {
    volatile double two = 2;
    volatile plain_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int i = 0; i < count; i++)
        for (int c = 0; c < 3; c++) {
            box.lo[c] = fmin(box.lo[c], fmin(s->x0[ids[i]][c], s->x1[ids[i]][c]));
            box.hi[c] = fmax(box.hi[c], fmax(s->x0[ids[i]][c], s->x1[ids[i]][c]));
        }
    fesetround(FE_UPWARD);
    volatile double grow = d / two;
    for (int c = 0; c < 3; c++) {
        fesetround(FE_DOWNWARD);
        box.lo[c] = box.lo[c] - grow;
        fesetround(FE_UPWARD);
        box.hi[c] = box.hi[c] + grow;
        fesetround(FE_TONEAREST);
    }
    return box;
}

static inline bool plain_meet(const plain_box *a, const plain_box *b) {
    for (int c = 0; c < 3; c++)
        if (a->lo[c] > b->hi[c] || b->lo[c] > a->hi[c]) return false;
    return true;
}

/* May vertices of these two primitives belong to a pair? Rules as the mesh states them. */
static inline bool plain_allowed(const graze_mesh *mesh, graze_kind kind, const uint32_t *va, int na,
                                 const uint32_t *vb, int nb, uint32_t a, uint32_t b) {
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++)
            if (va[i] == vb[j]) return false;
    if (mesh->groups) {
        uint32_t ga = mesh->groups[va[0]], gb = mesh->groups[vb[0]];
        if (mesh->skip_same_group && ga == gb) return false;
        if (mesh->group_pairs && !mesh->group_pairs[ga * mesh->group_count + gb]) return false;
    }
    return !mesh->filter || mesh->filter(mesh->filter_user, kind, a, b);
}

typedef struct plain_list {
    graze_pair *pairs;
    size_t count, room;
} plain_list;

static inline void plain_add(plain_list *list, graze_kind kind, uint32_t a, uint32_t b) {
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 1024;
        list->pairs = realloc(list->pairs, list->room * sizeof *list->pairs);
        if (!list->pairs) abort();
    }
    list->pairs[list->count++] = (graze_pair){kind, a, b};
}

static inline int plain_order(const void *x, const void *y) {
    const graze_pair *p = x, *q = y;
    if (p->kind != q->kind) return p->kind < q->kind ? -1 : 1;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return p->b < q->b ? -1 : p->b > q->b;
}

/* One kind: primitives given by their vertex lists and ids. */
static inline void plain_kind(plain_list *list, const soup *s, graze_kind kind, const uint32_t *va, int na,
                              const uint32_t *ida, uint32_t ca, const uint32_t *vb, int nb, const uint32_t *idb,
                              uint32_t cb, double d) {
    bool self = kind == GRAZE_EE || kind == GRAZE_PP;
    plain_box *boxes = malloc(cb * sizeof *boxes + 1);
    for (uint32_t j = 0; j < cb; j++) boxes[j] = plain_hull(s, vb + (size_t)nb * (idb ? idb[j] : j), nb, d);
    for (uint32_t i = 0; i < ca; i++) {
        uint32_t a = ida ? ida[i] : i;
        plain_box box = plain_hull(s, va + (size_t)na * a, na, d);
        for (uint32_t j = self ? i + 1 : 0; j < cb; j++) {
            uint32_t b = idb ? idb[j] : j;
            uint32_t low = self && b < a ? b : a, high = self && b < a ? a : b;
            if (plain_meet(&box, &boxes[j]) &&
                plain_allowed(&s->mesh, kind, va + (size_t)na * a, na, vb + (size_t)nb * b, nb, low, high))
                plain_add(list, kind, low, high);
        }
    }
    free(boxes);
}

static inline plain_list plain_candidates(const soup *s, double d) {
    plain_list list = {0};
    const graze_mesh *m = &s->mesh;
    uint32_t *self = malloc(m->vertex_count * sizeof *self);
    for (uint32_t v = 0; v < m->vertex_count; v++) self[v] = v;
    plain_kind(&list, s, GRAZE_VF, self, 1, NULL, m->vertex_count, (const uint32_t *)m->faces, 3, NULL, m->face_count,
               d);
    plain_kind(&list, s, GRAZE_EE, (const uint32_t *)m->edges, 2, NULL, m->edge_count, (const uint32_t *)m->edges, 2,
               NULL, m->edge_count, d);
    plain_kind(&list, s, GRAZE_PE, self, 1, m->codim_points, m->codim_point_count, (const uint32_t *)m->edges, 2,
               m->codim_edges, m->codim_edge_count, d);
    plain_kind(&list, s, GRAZE_PP, self, 1, m->codim_points, m->codim_point_count, self, 1, m->codim_points,
               m->codim_point_count, d);
    if (list.count) qsort(list.pairs, list.count, sizeof *list.pairs, plain_order);
    free(self);
    return list;
}

#endif
