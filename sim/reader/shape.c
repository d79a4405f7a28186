#include "sim/reader/shape.h"

#include "sim/energy/vector.h"

#include "app/app.h"
#include "scenes/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void sim_shape_free(sim_shape *shape) {
    free(shape->points.items);
    free(shape->tetrahedra.items);
    free(shape->faces.items);
    free(shape->edges.items);
    *shape = (sim_shape){0};
}

static void add_point(sim_shape *shape, double x, double y, double z) {
    SIM_PUSH(&shape->points, (sim_vector){{x, y, z}});
}

/* Turned so that its volume is positive. */
static void add_tetrahedron(sim_shape *shape, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    const sim_vector *p = shape->points.items;
    double e[3][3], n[3];
    sim_minus(p[b].c, p[a].c, e[0]);
    sim_minus(p[c].c, p[a].c, e[1]);
    sim_minus(p[d].c, p[a].c, e[2]);
    sim_cross(e[0], e[1], n);
    bool turned = sim_dot(n, e[2]) < 0;
    SIM_PUSH(&shape->tetrahedra, (sim_tetrahedron){{a, b, turned ? d : c, turned ? c : d}});
}

static void add_face(sim_shape *shape, uint32_t a, uint32_t b, uint32_t c) {
    SIM_PUSH(&shape->faces, (sim_face){{a, b, c}});
}

/* ---- the skin of a solid ---- */

typedef struct side {
    uint32_t sorted[3];
    sim_face face;
} side;

static int compare_sides(const void *left, const void *right) {
    return memcmp(((const side *)left)->sorted, ((const side *)right)->sorted, sizeof((side *)0)->sorted);
}

static void swap_if_less(uint32_t *a, uint32_t *b) {
    if (*b < *a) {
        uint32_t t = *a;
        *a = *b;
        *b = t;
    }
}

static side make_side(uint32_t a, uint32_t b, uint32_t c) {
    side s = {{a, b, c}, {{a, b, c}}};
    swap_if_less(&s.sorted[0], &s.sorted[1]);
    swap_if_less(&s.sorted[1], &s.sorted[2]);
    swap_if_less(&s.sorted[0], &s.sorted[1]);
    return s;
}

void sim_shape_skin(sim_shape *shape) {
    static const int corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    size_t count = 4 * shape->tetrahedra.count;
    side *sides = app_allocate(count + 1, sizeof *sides);
    for (size_t i = 0; i < count; i++) {
        const uint32_t *t = shape->tetrahedra.items[i / 4].v;
        const int *k = corners[i % 4];
        sides[i] = make_side(t[k[0]], t[k[1]], t[k[2]]);
    }
    qsort(sides, count, sizeof *sides, compare_sides);
    for (size_t i = 0; i < count; i++) {
        bool as_before = i > 0 && compare_sides(&sides[i - 1], &sides[i]) == 0;
        bool as_next = i + 1 < count && compare_sides(&sides[i + 1], &sides[i]) == 0;
        if (!as_before && !as_next) SIM_PUSH(&shape->faces, sides[i].face);
    }
    free(sides);
}

void sim_shape_centre(sim_shape *shape) {
    double mean[3] = {0}, extent = 0;
    size_t n = shape->points.count;
    for (int c = 0; c < 3; c++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < n; i++) {
            double x = shape->points.items[i].c[c];
            mean[c] += x / (double)n;
            low = fmin(low, x);
            high = fmax(high, x);
        }
        extent = fmax(extent, high - low);
    }
    for (size_t i = 0; i < 3 * n && extent > 0; i++) {
        double *x = &shape->points.items[i / 3].c[i % 3];
        *x = (*x - mean[i % 3]) / extent;
    }
}

/* Gives each point that is used its new place, and moves it there; returns how many there are. */
static uint32_t keep_used(sim_shape *shape, uint32_t *place) {
    uint32_t next = 0;
    for (size_t i = 0; i < 3 * shape->faces.count; i++) place[shape->faces.items[i / 3].v[i % 3]] = 1;
    for (size_t i = 0; i < 2 * shape->edges.count; i++) place[shape->edges.items[i / 2].v[i % 2]] = 1;
    for (size_t i = 0; i < shape->points.count; i++) {
        if (!place[i]) continue;
        shape->points.items[next] = shape->points.items[i];
        place[i] = next++;
    }
    return next;
}

void sim_shape_hollow(sim_shape *shape) {
    if (shape->tetrahedra.count == 0) return;
    uint32_t *place = app_allocate(shape->points.count, sizeof *place);
    shape->points.count = keep_used(shape, place);
    for (size_t i = 0; i < 3 * shape->faces.count; i++) {
        uint32_t *id = &shape->faces.items[i / 3].v[i % 3];
        *id = place[*id];
    }
    for (size_t i = 0; i < 2 * shape->edges.count; i++) {
        uint32_t *id = &shape->edges.items[i / 2].v[i % 2];
        *id = place[*id];
    }
    shape->tetrahedra.count = 0;
    free(place);
}

/* ---- solids ---- */

/* Six tetrahedra around the diagonal of each cell: paths from one corner to the other along the three axes. */
static void cut_cell(sim_shape *shape, uint32_t corner, const uint32_t step[3]) {
    static const int paths[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int k = 0; k < 6; k++) {
        uint32_t b = corner + step[paths[k][0]], c = b + step[paths[k][1]];
        add_tetrahedron(shape, corner, b, c, c + step[paths[k][2]]);
    }
}

void sim_shape_box(sim_shape *shape, const double size[3], const uint32_t cells[3]) {
    const uint32_t step[3] = {(cells[1] + 1) * (cells[2] + 1), cells[2] + 1, 1};
    for (uint32_t i = 0; i <= cells[0]; i++)
        for (uint32_t j = 0; j <= cells[1]; j++)
            for (uint32_t k = 0; k <= cells[2]; k++)
                add_point(shape, size[0] * ((double)i / cells[0] - 0.5), size[1] * ((double)j / cells[1] - 0.5),
                          size[2] * ((double)k / cells[2] - 0.5));
    for (uint32_t i = 0; i < cells[0]; i++)
        for (uint32_t j = 0; j < cells[1]; j++)
            for (uint32_t k = 0; k < cells[2]; k++) cut_cell(shape, i * step[0] + j * step[1] + k, step);
    sim_shape_skin(shape);
}

/* Three tetrahedra of a prism with the triangles v[0..2] and v[3..5]. Each of its squares is cut at its lowest corner,
   so that neighbors agree. */
static void cut_prism(sim_shape *shape, const uint32_t v[6]) {
    static const int turned[6][6] = {{0, 1, 2, 3, 4, 5}, {1, 2, 0, 4, 5, 3}, {2, 0, 1, 5, 3, 4},
                                     {3, 5, 4, 0, 2, 1}, {4, 3, 5, 1, 0, 2}, {5, 4, 3, 2, 1, 0}};
    int lowest = 0;
    for (int k = 1; k < 6; k++)
        if (v[k] < v[lowest]) lowest = k;
    uint32_t p[6];
    for (int k = 0; k < 6; k++) p[k] = v[turned[lowest][k]];
    uint32_t first = p[1] < p[5] ? p[1] : p[5], second = p[2] < p[4] ? p[2] : p[4];
    add_tetrahedron(shape, p[0], p[4], p[5], p[3]);
    if (first < second) {
        add_tetrahedron(shape, p[0], p[1], p[2], p[5]);
        add_tetrahedron(shape, p[0], p[1], p[5], p[4]);
    } else {
        add_tetrahedron(shape, p[0], p[1], p[2], p[4]);
        add_tetrahedron(shape, p[0], p[4], p[2], p[5]);
    }
}

/* A hill of unit height around the direction (x, y, z). */
static double hill(const double p[3], double x, double y, double z) {
    double d[3] = {p[0] - x, p[1] - y, p[2] - z};
    return exp(-12 * sim_dot(d, d));
}

static double bumpy(const double p[3], double bumps) {
    double nose = hill(p, 0, 0, 1), chin = hill(p, 0, -0.8, 0.6);
    return 1 + bumps * (nose + 0.7 * chin + 0.8 * (hill(p, 0.98, 0.2, 0) + hill(p, -0.98, 0.2, 0)));
}

void sim_shape_ball(sim_shape *shape, const double size[3], uint32_t cells, double bumps) {
    uint32_t n = (uint32_t)scene_sphere_vertices(cells), faces = (uint32_t)scene_sphere_faces(cells);
    uint32_t shells = (cells + 1) / 2 + (cells > 2);
    double(*sphere)[3] = app_allocate(n, sizeof *sphere);
    uint32_t(*face)[3] = app_allocate(faces, sizeof *face);
    scene_sphere(cells, 0, sphere, face);
    /* from the outside in, the center last */
    for (uint32_t s = shells; s > 0; s--)
        for (uint32_t i = 0; i < n; i++) {
            double r = 0.5 * bumpy(sphere[i], bumps) * s / shells;
            add_point(shape, r * size[0] * sphere[i][0], r * size[1] * sphere[i][1], r * size[2] * sphere[i][2]);
        }
    add_point(shape, 0, 0, 0);
    for (uint32_t s = 0; s < shells; s++)
        for (uint32_t f = 0; f < faces; f++) {
            uint32_t v[6];
            for (int k = 0; k < 6; k++) v[k] = face[f][k % 3] + (s + (k > 2)) * n;
            if (s + 1 < shells)
                cut_prism(shape, v);
            else
                add_tetrahedron(shape, v[0], v[1], v[2], shells * n);
        }
    free(sphere);
    free(face);
    sim_shape_skin(shape);
}

/* Slices of a disc: its center and `across` points around it. */
void sim_shape_torus(sim_shape *shape, double radius, double tube, uint32_t around, uint32_t across) {
    const double turn = 2 * acos(-1.0);
    uint32_t slice = across + 1;
    for (uint32_t i = 0; i < around; i++) {
        double a = turn * i / around;
        for (uint32_t j = 0; j < slice; j++) {
            double b = turn * j / across, r = radius + (j < across ? tube * cos(b) : 0);
            add_point(shape, r * cos(a), j < across ? tube * sin(b) : 0, r * sin(a));
        }
    }
    for (uint32_t i = 0; i < around; i++)
        for (uint32_t j = 0; j < across; j++) {
            uint32_t here = i * slice, next = (i + 1) % around * slice, k = (j + 1) % across;
            const uint32_t v[6] = {here + across, here + j, here + k, next + across, next + j, next + k};
            cut_prism(shape, v);
        }
    sim_shape_skin(shape);
}

/* ---- surfaces ---- */

void sim_shape_sheet(sim_shape *shape, const double size[2], const uint32_t cells[2]) {
    uint32_t width = cells[1] + 1;
    for (uint32_t i = 0; i <= cells[0]; i++)
        for (uint32_t j = 0; j <= cells[1]; j++)
            add_point(shape, size[0] * ((double)i / cells[0] - 0.5), 0, size[1] * ((double)j / cells[1] - 0.5));
    for (uint32_t i = 0; i < cells[0]; i++)
        for (uint32_t j = 0; j < cells[1]; j++) {
            uint32_t a = i * width + j, b = a + width, c = b + 1, d = a + 1;
            bool falling = (i + j) % 2 != 0;
            add_face(shape, a, falling ? d : c, b);
            add_face(shape, falling ? b : a, d, c);
        }
}

/* The first vertex of ring i, and how many it has. */
typedef struct ring {
    uint32_t first, count;
} ring;

static void join_rings(sim_shape *shape, ring lower, ring upper) {
    uint32_t n = lower.count > upper.count ? lower.count : upper.count;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t a = lower.first + k % lower.count, b = lower.first + (k + 1) % lower.count;
        uint32_t c = upper.first + k % upper.count, d = upper.first + (k + 1) % upper.count;
        if (a != b) add_face(shape, a, c, b);
        if (c != d) add_face(shape, b, c, d);
    }
}

void sim_shape_lathe(sim_shape *shape, const double (*profile)[2], size_t count, uint32_t around) {
    const double turn = 2 * acos(-1.0);
    ring before = {0};
    for (size_t i = 0; i < count; i++) {
        double r = profile[i][0];
        ring here = {(uint32_t)shape->points.count, r == 0 ? 1 : around};
        for (uint32_t k = 0; k < here.count; k++)
            add_point(shape, r * cos(turn * k / around), profile[i][1], r * sin(turn * k / around));
        if (i > 0) join_rings(shape, before, here);
        before = here;
    }
}

void sim_shape_line(sim_shape *shape, const double from[3], const double to[3], uint32_t cells) {
    uint32_t first = (uint32_t)shape->points.count;
    for (uint32_t i = 0; i <= cells; i++) {
        double t = (double)i / cells;
        add_point(shape, from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1]),
                  from[2] + t * (to[2] - from[2]));
        if (i > 0) SIM_PUSH(&shape->edges, (sim_edge){{first + i - 1, first + i}});
    }
}
