/* Convex hulls, point after point: triangles that a point is beyond are replaced by those that join it to their border.
   Sides of planes are told exactly, so rounding can neither leave a point outside nor tear the surface. */
#include "articulated/shapes/shape.h"

#include "exact/orientation.h"

#include <string.h>

typedef struct hull_face {
    uint32_t v[3]; /* counterclockwise, seen from outside */
    bool seen;     /* the point at hand is beyond it */
} hull_face;

typedef struct hull {
    graze_context *context;
    const double (*points)[3];
    size_t count;
    hull_face *faces;
    size_t face_count, face_room;
    uint32_t (*rim)[2]; /* sides of seen faces that no other seen face has, each as its face has it */
    size_t rim_count, rim_room;
    graze_status status;
} hull;

/* The side of the plane of three points that a fourth is on; the hull keeps a failure. */
static int side(hull *h, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    int sign = 0;
    if (h->status == GRAZE_OK &&
        !gz_orientation(h->context, h->points[a], h->points[b], h->points[c], h->points[d], &sign))
        h->status = GRAZE_ERR_OUT_OF_MEMORY;
    return sign;
}

static void add_face(hull *h, uint32_t a, uint32_t b, uint32_t c) {
    if (!gz_grow(h->context, (void **)&h->faces, &h->face_room, h->face_count + 1, sizeof *h->faces)) {
        h->status = GRAZE_ERR_OUT_OF_MEMORY;
        return;
    }
    h->faces[h->face_count++] = (hull_face){{a, b, c}, false};
}

/* A side of two seen faces is in the middle of them: it is there once in each direction. */
static void add_side(hull *h, uint32_t a, uint32_t b) {
    for (size_t i = 0; i < h->rim_count; i++)
        if (h->rim[i][0] == b && h->rim[i][1] == a) {
            memcpy(h->rim[i], h->rim[--h->rim_count], sizeof *h->rim);
            return;
        }
    if (!gz_grow(h->context, (void **)&h->rim, &h->rim_room, h->rim_count + 1, sizeof *h->rim)) {
        h->status = GRAZE_ERR_OUT_OF_MEMORY;
        return;
    }
    h->rim[h->rim_count][0] = a;
    h->rim[h->rim_count++][1] = b;
}

static void add_point(hull *h, uint32_t p) {
    bool any = false;
    for (size_t f = 0; f < h->face_count; f++) {
        hull_face *face = &h->faces[f];
        face->seen = side(h, face->v[0], face->v[1], face->v[2], p) > 0;
        any = any || face->seen;
    }
    if (!any) return;
    h->rim_count = 0;
    size_t kept = 0;
    for (size_t f = 0; f < h->face_count; f++) {
        hull_face face = h->faces[f];
        for (int k = 0; k < 3 && face.seen; k++) add_side(h, face.v[k], face.v[(k + 1) % 3]);
        if (!face.seen) h->faces[kept++] = face;
    }
    h->face_count = kept;
    for (size_t i = 0; i < h->rim_count && h->status == GRAZE_OK; i++) add_face(h, h->rim[i][0], h->rim[i][1], p);
}

/* True if three points are on a line: every plane through them and a fourth point is undecided. */
static bool on_line(hull *h, uint32_t a, uint32_t b, uint32_t c) {
    for (uint32_t d = 0; d < h->count; d++)
        if (side(h, a, b, c, d) != 0) return false;
    return true;
}

static bool is_same(const double a[3], const double b[3]) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

/* The first tetrahedron that has an inside; false: all points are in a plane. */
static bool begin(hull *h) {
    uint32_t a = 0, b = 1, c = 2, d = 0;
    while (b < h->count && is_same(h->points[a], h->points[b])) b++;
    for (c = b + 1; c < h->count && on_line(h, a, b, c); c++) continue;
    if (c >= h->count) return false;
    while (d < h->count && side(h, a, b, c, d) == 0) d++;
    if (d == h->count || h->status != GRAZE_OK) return false;
    if (side(h, a, b, c, d) > 0) { /* d is to be below abc */
        uint32_t swap = b;
        b = c;
        c = swap;
    }
    add_face(h, a, b, c);
    add_face(h, a, c, d);
    add_face(h, c, b, d);
    add_face(h, b, a, d);
    return h->status == GRAZE_OK;
}

/* Vertices are those of the faces, in the order of the points. */
static graze_status take(hull *h, graze_shape *shape) {
    uint32_t *place = gz_allocate_array(h->context, h->count, sizeof *place), vertices = 0;
    if (!place) return GRAZE_ERR_OUT_OF_MEMORY;
    memset(place, 0, h->count * sizeof *place);
    for (size_t f = 0; f < h->face_count; f++)
        for (int k = 0; k < 3; k++) place[h->faces[f].v[k]] = 1;
    for (size_t i = 0; i < h->count; i++) place[i] = place[i] ? vertices++ : UINT32_MAX;
    gz_shape_mesh mesh;
    graze_status status = gz_shape_reserve(h->context, vertices, h->face_count, shape, &mesh);
    for (size_t i = 0; i < h->count && status == GRAZE_OK; i++)
        if (place[i] != UINT32_MAX) memcpy(mesh.vertices[place[i]], h->points[i], sizeof *mesh.vertices);
    for (size_t f = 0; f < h->face_count && status == GRAZE_OK; f++)
        for (int k = 0; k < 3; k++) mesh.faces[f][k] = place[h->faces[f].v[k]];
    gz_release(h->context, place, h->count * sizeof *place);
    return status;
}

static graze_status make(hull *h, graze_shape *shape) {
    bool solid = begin(h);
    if (h->status != GRAZE_OK) return h->status;
    if (!solid) return gz_shape_refuse(h->context, "the points of the hull lie in one plane");
    for (uint32_t p = 0; p < h->count && h->status == GRAZE_OK; p++) add_point(h, p);
    return h->status == GRAZE_OK ? take(h, shape) : h->status;
}

static graze_status make_hull(graze_context *context, const void *given, graze_shape *shape) {
    const gz_shape_points *points = given;
    graze_status status = gz_shape_check_points(context, points);
    if (status != GRAZE_OK) return status;
    hull h = {.context = context, .points = points->list, .count = points->count};
    status = make(&h, shape);
    gz_release(context, h.faces, h.face_room * sizeof *h.faces);
    gz_release(context, h.rim, h.rim_room * sizeof *h.rim);
    return status;
}

graze_status graze_shape_hull(graze_context *context, const double (*points)[3], size_t count, double radius,
                              graze_shape *shape) {
    return gz_shape_make(context, radius, make_hull, &(gz_shape_points){points, count}, shape);
}
