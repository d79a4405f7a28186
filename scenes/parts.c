#include "scenes/parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* every operation must round to double at once, or scenes differ from machine to machine */
_Static_assert(FLT_EVAL_METHOD == 0, "FLT_EVAL_METHOD must be 0");

/* ---- rotations ---- */

scene_rotation scene_rotation_about(const double a[3]) {
    double s = 2 / (1 + (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]));
    return (scene_rotation){{
        {1 - s * (a[1] * a[1] + a[2] * a[2]), s * (a[0] * a[1] - a[2]), s * (a[0] * a[2] + a[1])},
        {s * (a[0] * a[1] + a[2]), 1 - s * (a[0] * a[0] + a[2] * a[2]), s * (a[1] * a[2] - a[0])},
        {s * (a[0] * a[2] - a[1]), s * (a[1] * a[2] + a[0]), 1 - s * (a[0] * a[0] + a[1] * a[1])},
    }};
}

void scene_rotate(const scene_rotation *rotation, double x[3]) {
    const double(*m)[3] = rotation->m;
    double p = x[0], q = x[1], r = x[2];
    for (int c = 0; c < 3; c++) x[c] = m[c][0] * p + m[c][1] * q + m[c][2] * r;
}

/* ---- meshes ---- */

bool scene_mesh_allocate(scene_mesh *mesh, size_t vertex_count, size_t face_count) {
    *mesh = (scene_mesh){.vertex_count = vertex_count, .face_count = face_count};
    mesh->positions = calloc(vertex_count, sizeof *mesh->positions);
    mesh->faces = calloc(face_count, sizeof *mesh->faces);
    if (mesh->positions && mesh->faces) return true;
    scene_mesh_free(mesh);
    return false;
}

void scene_mesh_free(scene_mesh *mesh) {
    free(mesh->positions);
    free(mesh->faces);
    *mesh = (scene_mesh){0};
}

/* ---- sphere ---- */

size_t scene_sphere_vertices(uint32_t cells) { return 4 * (size_t)cells * cells + 2; }
size_t scene_sphere_faces(uint32_t cells) { return 8 * (size_t)cells * cells; }

/* The octahedron's rings from the north pole: ring k of the upper half has 4·k vertices, mirrored below. */
static uint32_t ring_size(uint32_t cells, uint32_t ring) {
    uint32_t k = ring <= cells ? ring : 2 * cells - ring;
    return k ? 4 * k : 1;
}

static uint32_t ring_start(uint32_t cells, uint32_t ring) {
    if (ring == 0) return 0;
    if (ring <= cells) return 1 + 2 * ring * (ring - 1);
    uint32_t k = 2 * cells - ring; /* 2·k·(k+1) vertices and the south pole lie from here on */
    return 4 * cells * cells + 1 - 2 * k * (k + 1);
}

static void sphere_point(uint32_t cells, uint32_t ring, uint32_t i, double x[3]) {
    static const int corner[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    uint32_t k = ring <= cells ? ring : 2 * cells - ring;
    uint32_t side = k ? i / k : 0, along = k ? i % k : 0;
    const int *from = corner[side], *to = corner[(side + 1) % 4];
    double p[3];
    for (int c = 0; c < 2; c++) p[c] = (double)((int)(k - along) * from[c] + (int)along * to[c]);
    p[2] = (double)((int)cells - (int)ring);
    double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    for (int c = 0; c < 3; c++) x[c] = p[c] / length;
}

static void add_face(uint32_t (*faces)[3], size_t *count, uint32_t a, uint32_t b, uint32_t c) {
    faces[*count][0] = a;
    faces[*count][1] = b;
    faces[(*count)++][2] = c;
}

void scene_sphere(uint32_t cells, uint32_t base, double (*x)[3], uint32_t (*faces)[3]) {
    size_t vertex = 0, face = 0;
    for (uint32_t ring = 0; ring <= 2 * cells; ring++)
        for (uint32_t i = 0; i < ring_size(cells, ring); i++) sphere_point(cells, ring, i, x[vertex++]);
    /* between two rings, on each of the four sides: triangles with an edge on the longer ring, and between them
       those with an edge on the shorter one */
    for (uint32_t ring = 0; ring < 2 * cells; ring++) {
        bool upper = ring < cells;
        uint32_t small = upper ? ring : ring + 1, large = upper ? ring + 1 : ring;
        uint32_t k = upper ? ring : 2 * cells - ring - 1; /* cells of the shorter ring on a side */
        uint32_t s0 = base + ring_start(cells, small), l0 = base + ring_start(cells, large);
        uint32_t s_size = ring_size(cells, small), l_size = ring_size(cells, large);
        for (uint32_t side = 0; side < 4; side++)
            for (uint32_t i = 0; i <= k; i++) {
                uint32_t s = s0 + (side * k + i) % s_size, s_next = s0 + (side * k + i + 1) % s_size;
                uint32_t l = l0 + side * (k + 1) + i, l_next = l0 + (side * (k + 1) + i + 1) % l_size;
                add_face(faces, &face, s, upper ? l : l_next, upper ? l_next : l);
                if (i < k) add_face(faces, &face, l_next, upper ? s_next : s, upper ? s : s_next);
            }
    }
}

/* ---- springs ---- */

/* A side of a face, and the corner that faces it. */
typedef struct side {
    uint32_t low, high, opposite;
} side;

static int compare_sides(const void *left, const void *right) {
    const side *a = left, *b = right;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    return a->opposite < b->opposite ? -1 : a->opposite > b->opposite;
}

static double distance(const double *a, const double *b) {
    double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static void add_link(scene_springs *springs, uint32_t a, uint32_t b) {
    springs->links[springs->link_count++] = (scene_link){a, b, distance(springs->x[a], springs->x[b])};
}

bool scene_springs_from_mesh(scene_springs *springs, const scene_mesh *mesh, size_t particles) {
    *springs = (scene_springs){.count = particles, .x = mesh->positions};
    side *sides = calloc(3 * mesh->face_count, sizeof *sides);
    springs->before = calloc(particles, sizeof *springs->before);
    springs->pinned = calloc(particles, sizeof *springs->pinned);
    springs->links = calloc(6 * mesh->face_count, sizeof *springs->links);
    if (!sides || !springs->before || !springs->pinned || !springs->links) {
        free(sides);
        scene_springs_free(springs);
        return false;
    }
    size_t count = 0;
    for (size_t f = 0; f < mesh->face_count; f++) {
        const uint32_t *face = mesh->faces[f];
        if (face[0] >= particles || face[1] >= particles || face[2] >= particles) continue;
        for (int k = 0; k < 3; k++) {
            uint32_t a = face[k], b = face[(k + 1) % 3];
            sides[count++] = (side){a < b ? a : b, a < b ? b : a, face[(k + 2) % 3]};
        }
    }
    qsort(sides, count, sizeof *sides, compare_sides);
    for (size_t i = 0; i < count; i++) {
        bool second = i > 0 && sides[i].low == sides[i - 1].low && sides[i].high == sides[i - 1].high;
        if (second)
            add_link(springs, sides[i - 1].opposite, sides[i].opposite);
        else
            add_link(springs, sides[i].low, sides[i].high);
    }
    free(sides);
    for (size_t i = 0; i < particles; i++)
        for (int c = 0; c < 3; c++) springs->before[i][c] = springs->x[i][c];
    return true;
}

void scene_springs_free(scene_springs *springs) {
    free(springs->before);
    free(springs->pinned);
    free(springs->links);
    *springs = (scene_springs){0};
}

void scene_springs_move(scene_springs *springs, const double gravity[3], double keep) {
    for (size_t i = 0; i < springs->count; i++) {
        if (springs->pinned[i]) continue;
        for (int c = 0; c < 3; c++) {
            double velocity = keep * (springs->x[i][c] - springs->before[i][c]) + gravity[c];
            springs->before[i][c] = springs->x[i][c];
            springs->x[i][c] += velocity;
        }
    }
}

void scene_springs_relax(scene_springs *springs) {
    for (size_t i = 0; i < springs->link_count; i++) {
        const scene_link *link = &springs->links[i];
        double *a = springs->x[link->a], *b = springs->x[link->b];
        bool a_moves = !springs->pinned[link->a], b_moves = !springs->pinned[link->b];
        if (!a_moves && !b_moves) continue;
        double now = distance(a, b);
        if (!(now > 0)) continue; /* no direction to push in */
        double share = (now - link->length) / now / (a_moves && b_moves ? 2 : 1);
        for (int c = 0; c < 3; c++) {
            double pull = share * (b[c] - a[c]);
            if (a_moves) a[c] += pull;
            if (b_moves) b[c] -= pull;
        }
    }
}
