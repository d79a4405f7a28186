/* Spheres, capsules, boxes, cylinders, points. */
#include "articulated/shapes/shape.h"

#include "base/sizes.h"
#include "numerics/error_bounds.h"

#include <string.h>

#define SHAPE_LEAST GZ_SIZE_UP_TO(graze_shape, mesh)

static const graze_shape empty = {
    .mesh = {.struct_size = sizeof(graze_link_mesh), .origin = {.rotation = {1, 0, 0, 0}}, .scale = {1, 1, 1}}};

void graze_init_shape(graze_shape *shape, size_t size) { gz_sized_init(shape, size, &empty, sizeof empty); }

/* ---- what all of them need ---- */

graze_status gz_shape_refuse(graze_context *context, const char *reason) {
    return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "%s", reason);
}

static graze_status open_shape(graze_context *context, double radius, graze_shape *shape) {
    graze_status status = gz_sized_check(context, "shape", shape, SHAPE_LEAST);
    if (status != GRAZE_OK) return status;
    graze_init_shape(shape, shape->struct_size);
    if (!gz_is_length(radius)) return gz_shape_refuse(context, "the radius is not a length");
    shape->radius = radius;
    return GRAZE_OK;
}

graze_status gz_shape_make(graze_context *context, double radius, gz_shape_maker *make, const void *given,
                           graze_shape *shape) {
    if (!context || !shape) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    status = open_shape(context, radius, shape);
    if (status == GRAZE_OK) status = make(context, given, shape);
    return gz_context_leave(context, &env, status);
}

graze_status gz_shape_reserve(graze_context *context, size_t vertices, size_t faces, graze_shape *shape,
                              gz_shape_mesh *mesh) {
    if (vertices >= UINT32_MAX || faces >= UINT32_MAX) return gz_shape_refuse(context, "there are too many points");
    mesh->vertices = gz_allocate_array(context, vertices, sizeof *mesh->vertices);
    mesh->faces = gz_allocate_array(context, faces, sizeof *mesh->faces);
    if (!mesh->vertices || !mesh->faces) {
        gz_release(context, mesh->vertices, vertices * sizeof *mesh->vertices);
        gz_release(context, mesh->faces, faces * sizeof *mesh->faces);
        return GRAZE_ERR_OUT_OF_MEMORY;
    }
    shape->mesh.vertices = (const double(*)[3])mesh->vertices;
    shape->mesh.faces = (const uint32_t(*)[3])mesh->faces;
    shape->mesh.vertex_count = (uint32_t)vertices;
    shape->mesh.face_count = (uint32_t)faces;
    return GRAZE_OK;
}

void graze_shape_release(graze_context *context, graze_shape *shape) {
    if (!shape) return;
    graze_link_mesh *mesh = &shape->mesh;
    gz_release(context, (void *)mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
    gz_release(context, (void *)mesh->faces, mesh->face_count * sizeof *mesh->faces);
    mesh->vertices = NULL;
    mesh->faces = NULL;
    mesh->vertex_count = mesh->face_count = 0;
}

graze_status gz_shape_check_points(graze_context *context, const gz_shape_points *points) {
    if (!points->list || points->count == 0) return gz_shape_refuse(context, "there are no points");
    if (points->count > UINT32_MAX / 4) return gz_shape_refuse(context, "there are too many points");
    for (size_t i = 0; i < points->count; i++)
        for (int c = 0; c < 3; c++)
            if (!(fabs(points->list[i][c]) <= GRAZE_MAX_COORDINATE))
                return gz_fail(context, GRAZE_ERR_NOT_FINITE, i, "point %zu is not a number in range", i);
    return GRAZE_OK;
}

/* A triangle of three corners of its own, which is open: a point and a segment have no inside. */
static void put_thin(gz_shape_mesh *mesh, size_t i, const double a[3], const double b[3]) {
    memcpy(mesh->vertices[3 * i], a, sizeof *mesh->vertices);
    for (size_t k = 1; k < 3; k++) memcpy(mesh->vertices[3 * i + k], b, sizeof *mesh->vertices);
    for (uint32_t k = 0; k < 3; k++) mesh->faces[i][k] = (uint32_t)(3 * i) + k;
}

/* ---- round ones ---- */

static graze_status make_points(graze_context *context, const void *given, graze_shape *shape) {
    const gz_shape_points *points = given;
    gz_shape_mesh mesh = {0};
    graze_status status = gz_shape_check_points(context, points);
    if (status == GRAZE_OK) status = gz_shape_reserve(context, 3 * points->count, points->count, shape, &mesh);
    for (size_t i = 0; i < points->count && status == GRAZE_OK; i++)
        put_thin(&mesh, i, points->list[i], points->list[i]);
    return status;
}

graze_status graze_shape_points(graze_context *context, const double (*points)[3], size_t count, double radius,
                                graze_shape *shape) {
    return gz_shape_make(context, radius, make_points, &(gz_shape_points){points, count}, shape);
}

graze_status graze_shape_sphere(graze_context *context, double radius, graze_shape *shape) {
    static const double center[1][3] = {{0, 0, 0}};
    return graze_shape_points(context, center, 1, radius, shape);
}

static graze_status make_capsule(graze_context *context, const void *given, graze_shape *shape) {
    const double *length = given;
    if (!gz_is_length(*length)) return gz_shape_refuse(context, "the capsule has no valid length");
    gz_shape_mesh mesh;
    graze_status status = gz_shape_reserve(context, 3, 1, shape, &mesh);
    const double low[3] = {0, 0, -0.5 * *length}, high[3] = {0, 0, 0.5 * *length};
    if (status == GRAZE_OK) put_thin(&mesh, 0, low, high);
    return status;
}

graze_status graze_shape_capsule(graze_context *context, double length, double radius, graze_shape *shape) {
    return gz_shape_make(context, radius, make_capsule, &length, shape);
}

/* ---- boxes and cylinders ---- */

static graze_status make_box(graze_context *context, const void *given, graze_shape *shape) {
    static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    const double *size = given;
    if (!(size && gz_is_length(size[0]) && gz_is_length(size[1]) && gz_is_length(size[2])))
        return gz_shape_refuse(context, "the size of the box is not of lengths");
    gz_shape_mesh mesh;
    graze_status status = gz_shape_reserve(context, 8, 12, shape, &mesh);
    if (status != GRAZE_OK) return status;
    memcpy(mesh.faces, faces, sizeof faces);
    for (int i = 0; i < 8; i++)
        for (int c = 0; c < 3; c++) mesh.vertices[i][c] = (i >> c & 1 ? 0.5 : -0.5) * size[c];
    return GRAZE_OK;
}

graze_status graze_shape_box(graze_context *context, const double size[3], double radius, graze_shape *shape) {
    return gz_shape_make(context, radius, make_box, size, shape);
}

enum { SIDES = 96 }; /* 1/cos(π/96) − 1 is below 2⁻¹⁰ */

static void half_way(const double a[2], const double b[2], double out[2]) {
    double x = a[0] + b[0], y = a[1] + b[1], length = sqrt(x * x + y * y);
    out[0] = x / length;
    out[1] = y / length;
}

/* A regular polygon around the unit circle, by halving the angles of a hexagon; rounding takes it outward. */
static void polygon(double corners[SIDES][2]) {
    static const double sign[6][2] = {{1, 0}, {0.5, 1}, {-0.5, 1}, {-1, 0}, {-0.5, -1}, {0.5, -1}};
    const double height = sqrt(0.75);
    for (int i = 0; i < 6; i++) {
        corners[i * (SIDES / 6)][0] = sign[i][0];
        corners[i * (SIDES / 6)][1] = sign[i][1] * height;
    }
    for (int step = SIDES / 6; step > 1; step /= 2)
        for (int i = 0; i < SIDES; i += step) half_way(corners[i], corners[(i + step) % SIDES], corners[i + step / 2]);
    double x = 0.5 * (corners[0][0] + corners[1][0]), y = 0.5 * (corners[0][1] + corners[1][1]);
    for (int i = 0; i < SIDES; i++)
        for (int c = 0; c < 2; c++) corners[i][c] *= GZ_PRISM_UP / sqrt(x * x + y * y);
}

/* Side i of the prism: a triangle of each end and two of the wall. */
static void put_side(gz_shape_mesh *mesh, uint32_t i) {
    uint32_t next = (i + 1) % SIDES, low = 2 * SIDES, high = low + 1;
    const uint32_t faces[4][3] = {
        {low, next, i}, {high, SIDES + i, SIDES + next}, {i, next, SIDES + next}, {i, SIDES + next, SIDES + i}};
    memcpy(mesh->faces[4 * i], faces, sizeof faces);
}

static void put_corners(gz_shape_mesh *mesh, uint32_t end, double across, double z) {
    double corners[SIDES][2];
    polygon(corners);
    for (uint32_t i = 0; i < SIDES; i++)
        memcpy(mesh->vertices[end * SIDES + i], (double[3]){across * corners[i][0], across * corners[i][1], z},
               sizeof *mesh->vertices);
    memcpy(mesh->vertices[2 * SIDES + end], (double[3]){0, 0, z}, sizeof *mesh->vertices);
}

static graze_status make_cylinder(graze_context *context, const void *given, graze_shape *shape) {
    const double *across = given, *length = across + 1;
    bool small = *across > 0 && *across < GZ_PRISM_LEAST;
    if (small || !(gz_is_length(2 * *across) && gz_is_length(*length)))
        return gz_shape_refuse(context, "the cylinder has no valid radius or length");
    gz_shape_mesh mesh;
    graze_status status = gz_shape_reserve(context, 2 * SIDES + 2, 4 * SIDES, shape, &mesh);
    if (status != GRAZE_OK) return status;
    put_corners(&mesh, 0, *across, -0.5 * *length);
    put_corners(&mesh, 1, *across, 0.5 * *length);
    for (uint32_t i = 0; i < SIDES; i++) put_side(&mesh, i);
    return GRAZE_OK;
}

graze_status graze_shape_cylinder(graze_context *context, double across, double length, double radius,
                                  graze_shape *shape) {
    return gz_shape_make(context, radius, make_cylinder, (double[2]){across, length}, shape);
}
