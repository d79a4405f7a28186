#include "robot/shapes.h"

#include "robot/memory.h"

#include <math.h>
#include <string.h>

static bool empty_mesh(size_t vertices, size_t faces, io_mesh *mesh) {
    *mesh = (io_mesh){.vertex_count = vertices, .face_count = faces};
    mesh->positions = robot_allocate(vertices, sizeof *mesh->positions);
    mesh->faces = robot_allocate(faces, sizeof *mesh->faces);
    if (mesh->positions && mesh->faces) return true;
    io_free_mesh(mesh);
    return false;
}

bool robot_box(const double size[3], io_mesh *mesh) {
    static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    if (!empty_mesh(8, 12, mesh)) return false;
    memcpy(mesh->faces, faces, sizeof faces);
    for (int i = 0; i < 8; i++)
        for (int c = 0; c < 3; c++) mesh->positions[i][c] = (i >> c & 1 ? 0.5 : -0.5) * size[c];
    return true;
}

bool robot_spine(double length, io_mesh *mesh) {
    if (!empty_mesh(2, 1, mesh)) return false;
    memset(mesh->positions, 0, 2 * sizeof *mesh->positions);
    mesh->positions[0][2] = -0.5 * length;
    mesh->positions[1][2] = 0.5 * length;
    mesh->faces[0][0] = 0;
    mesh->faces[0][1] = mesh->faces[0][2] = 1;
    return true;
}

static void unit_middle(const double a[3], const double b[3], double out[3]) {
    double m[3] = {a[0] + b[0], a[1] + b[1], a[2] + b[2]}, length = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    for (int c = 0; c < 3; c++) out[c] = m[c] / length;
}

/* Every triangle into four, corners on the unit sphere; corners are not shared. */
static bool refine_sphere(io_mesh *mesh) {
    io_mesh fine, coarse = *mesh;
    if (!empty_mesh(12 * coarse.face_count, 4 * coarse.face_count, &fine)) return false;
    for (size_t f = 0; f < coarse.face_count; f++) {
        double x[6][3];
        for (int k = 0; k < 3; k++) memcpy(x[k], coarse.positions[coarse.faces[f][k]], sizeof x[k]);
        for (int k = 0; k < 3; k++) unit_middle(x[k], x[(k + 1) % 3], x[3 + k]);
        static const int parts[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
        for (size_t p = 0; p < 4; p++)
            for (size_t k = 0; k < 3; k++) {
                size_t v = 12 * f + 3 * p + k;
                memcpy(fine.positions[v], x[parts[p][k]], sizeof x[0]);
                fine.faces[4 * f + p][k] = (uint32_t)v;
            }
    }
    io_free_mesh(&coarse);
    *mesh = fine;
    return true;
}

/* Distance of the face's plane from the origin. */
static double plane_distance(const io_mesh *mesh, size_t f) {
    const double *a = mesh->positions[mesh->faces[f][0]], *b = mesh->positions[mesh->faces[f][1]],
                 *c = mesh->positions[mesh->faces[f][2]];
    double u[3], v[3], n[3], length = 0, along = 0;
    for (int i = 0; i < 3; i++) {
        u[i] = b[i] - a[i];
        v[i] = c[i] - a[i];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = u[j] * v[k] - u[k] * v[j];
        length += n[i] * n[i];
        along += n[i] * a[i];
    }
    return fabs(along) / sqrt(length);
}

static void scale_mesh(io_mesh *mesh, double x, double y, double z) {
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        mesh->positions[i][0] *= x;
        mesh->positions[i][1] *= y;
        mesh->positions[i][2] *= z;
    }
}

static bool octahedron(io_mesh *mesh) {
    if (!empty_mesh(6, 8, mesh)) return false;
    for (int i = 0; i < 6; i++) mesh->positions[i][i / 2] = i % 2 ? -1 : 1;
    for (uint32_t f = 0; f < 8; f++) {
        mesh->faces[f][0] = f & 1;
        mesh->faces[f][1] = 2 + (f >> 1 & 1);
        mesh->faces[f][2] = 4 + (f >> 2 & 1);
    }
    return true;
}

bool robot_sphere(double radius, io_mesh *mesh) {
    bool good = octahedron(mesh);
    for (int level = 0; level < 4 && good; level++) good = refine_sphere(mesh);
    if (!good) {
        io_free_mesh(mesh);
        return false;
    }
    double least = 1;
    for (size_t f = 0; f < mesh->face_count; f++) least = fmin(least, plane_distance(mesh, f));
    double size = radius / least * (1 + 1e-12); /* every plane is then outside the sphere */
    scale_mesh(mesh, size, size, size);
    return true;
}

enum { SIDES = 64 };

/* Corners of a regular polygon around the unit circle, by halving right angles. */
static void circle_corners(double corners[SIDES][3]) {
    for (int i = 0; i < 4; i++) {
        double *x = corners[i * (SIDES / 4)];
        x[0] = i == 0 ? 1 : i == 2 ? -1 : 0;
        x[1] = i == 1 ? 1 : i == 3 ? -1 : 0;
        x[2] = 0;
    }
    for (int step = SIDES / 4; step > 1; step /= 2)
        for (int i = 0; i < SIDES; i += step)
            unit_middle(corners[i], corners[(i + step) % SIDES], corners[i + step / 2]);
    double middle[3] = {0.5 * (corners[0][0] + corners[1][0]), 0.5 * (corners[0][1] + corners[1][1]), 0};
    double least = sqrt(middle[0] * middle[0] + middle[1] * middle[1]) * (1 - 1e-12);
    for (int i = 0; i < SIDES; i++)
        for (int c = 0; c < 2; c++) corners[i][c] /= least;
}

bool robot_cylinder(double radius, double length, io_mesh *mesh) {
    double corners[SIDES][3];
    circle_corners(corners);
    if (!empty_mesh(2 * SIDES + 2, 4 * SIDES, mesh)) return false;
    for (uint32_t i = 0; i < SIDES; i++)
        for (uint32_t end = 0; end < 2; end++) {
            uint32_t next = (i + 1) % SIDES, at = end * SIDES, centre = 2 * SIDES + end;
            memcpy(mesh->positions[at + i], corners[i], sizeof corners[i]);
            mesh->positions[at + i][2] = mesh->positions[centre][2] = end ? 0.5 : -0.5;
            uint32_t cap[3] = {centre, at + i, at + next}, wall[3] = {i + at, next + at, end ? i : next + SIDES};
            memcpy(mesh->faces[4 * i + 2 * end], cap, sizeof cap);
            memcpy(mesh->faces[4 * i + 2 * end + 1], wall, sizeof wall);
        }
    scale_mesh(mesh, radius, radius, length);
    return true;
}
