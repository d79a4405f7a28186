#include "cli/demo/picture.h"

#include "io/intersections.h"
#include "io/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 640, MARGIN = 10, SHADES = 8 };

typedef struct drawing {
    io_mesh a, b;
    graze_mesh mesh;
    double t;
    double scale, centre[3], height; /* of the picture, in the turned frame */
    const double (*view)[3];         /* right, up, towards the eye */
    unsigned char *crosses;          /* for each face, or NULL */
} drawing;

static const double from_above[3][3] = {
    {0.82, 0.5723635209, 0}, {-0.19, 0.2722092, 0.9432990}, {0.539909, -0.773513, 0.331966}};
static const double from_front[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void turn(const drawing *d, const double x[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = d->view[k][0] * x[0] + d->view[k][1] * x[1] + d->view[k][2] * x[2];
}

static void position(const drawing *d, uint32_t vertex, double t, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = (1 - t) * d->a.positions[vertex][k] + t * d->b.positions[vertex][k];
}

/* Place of a point in the picture, in pixels; [2] is its depth. */
static void project(const drawing *d, const double x[3], double out[3]) {
    turn(d, x, out);
    out[0] = WIDTH / 2.0 + d->scale * (out[0] - d->centre[0]);
    out[1] = d->height / 2 - d->scale * (out[1] - d->centre[1]);
}

static void fit(drawing *d) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < d->a.vertex_count; i++) {
        double x[3], y[3];
        position(d, i, d->t, x);
        turn(d, x, y);
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], y[k]);
            high[k] = fmax(high[k], y[k]);
        }
    }
    for (int k = 0; k < 3; k++) d->centre[k] = (low[k] + high[k]) / 2;
    d->scale = (WIDTH - 2 * MARGIN) / fmax(fmax(high[0] - low[0], high[1] - low[1]), 1e-9);
    d->height = d->scale * (high[1] - low[1]) + 2 * MARGIN;
}

/* Marks the vertices that hang together with vertex 0 of the first face. */
static unsigned char *first_piece(const io_mesh *mesh) {
    unsigned char *inside = app_allocate(mesh->vertex_count, 1);
    if (mesh->face_count) inside[mesh->faces[0][0]] = 1;
    for (bool grew = true; grew;) {
        grew = false;
        for (size_t f = 0; f < mesh->face_count; f++) {
            const uint32_t *face = mesh->faces[f];
            int count = inside[face[0]] + inside[face[1]] + inside[face[2]];
            if (count == 0 || count == 3) continue;
            inside[face[0]] = inside[face[1]] = inside[face[2]] = 1;
            grew = true;
        }
    }
    return inside;
}

typedef struct triangle {
    double corners[3][2], depth;
    int shade;
    bool first, crosses;
} triangle;

/* Triangles that intersect are drawn after others of the same depth. */
static int by_depth(const void *left, const void *right) {
    const triangle *a = left, *b = right;
    if (a->depth != b->depth) return a->depth > b->depth ? 1 : -1;
    return (int)a->crosses - (int)b->crosses;
}

static triangle look_at(const drawing *d, const uint32_t face[3], bool first) {
    triangle result = {.first = first};
    double x[3][3], e1[3], e2[3];
    for (int i = 0; i < 3; i++) {
        double p[3];
        position(d, face[i], d->t, x[i]);
        project(d, x[i], p);
        result.corners[i][0] = p[0];
        result.corners[i][1] = p[1];
        result.depth += p[2];
    }
    for (int k = 0; k < 3; k++) {
        e1[k] = x[1][k] - x[0][k];
        e2[k] = x[2][k] - x[0][k];
    }
    double n[3] = {e1[1] * e2[2] - e1[2] * e2[1], e1[2] * e2[0] - e1[0] * e2[2], e1[0] * e2[1] - e1[1] * e2[0]};
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double light = length > 0 ? fabs(0.3 * n[0] - 0.45 * n[1] + 0.84 * n[2]) / length : 0; /* both sides are lit */
    result.shade = (int)(light * (SHADES - 0.01));
    if (result.shade > SHADES - 1) result.shade = SHADES - 1;
    return result;
}

static void draw_faces(FILE *out, const drawing *d) {
    unsigned char *first = first_piece(&d->a);
    triangle *triangles = app_allocate(d->a.face_count, sizeof *triangles);
    for (size_t f = 0; f < d->a.face_count; f++) {
        triangles[f] = look_at(d, d->a.faces[f], first[d->a.faces[f][0]]);
        triangles[f].crosses = d->crosses && d->crosses[f];
    }
    qsort(triangles, d->a.face_count, sizeof *triangles, by_depth);
    for (size_t f = 0; f < d->a.face_count; f++) {
        const triangle *t = &triangles[f];
        char shade[3] = {t->first ? 'a' : 'b', (char)('0' + t->shade), 0};
        fprintf(out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fZ\"/>\n", t->crosses ? "x" : shade,
                t->corners[0][0], t->corners[0][1], t->corners[1][0], t->corners[1][1], t->corners[2][0],
                t->corners[2][1]);
    }
    free(triangles);
    free(first);
}

static double number(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

/* The vertex of a pair, or the point of its edge a at u (the middle where that is not known), at time t. */
static bool contact_point(const drawing *d, const cJSON *pair, double t, double out[3]) {
    const cJSON *kind = cJSON_GetObjectItemCaseSensitive(pair, "kind");
    double a = number(pair, "a"), u = number(pair, "u");
    if (!cJSON_IsString(kind) || !(a >= 0)) return false;
    double x[3];
    if (strcmp(kind->valuestring, "vf") == 0 && a < d->mesh.vertex_count) {
        position(d, (uint32_t)a, t, x);
    } else if (strcmp(kind->valuestring, "ee") == 0 && a < d->mesh.edge_count) {
        double y[3];
        const uint32_t *edge = d->mesh.edges[(uint32_t)a];
        if (!(u >= 0 && u <= 1)) u = 0.5;
        position(d, edge[0], t, x);
        position(d, edge[1], t, y);
        for (int k = 0; k < 3; k++) x[k] = (1 - u) * x[k] + u * y[k];
    } else {
        return false;
    }
    project(d, x, out);
    return true;
}

static void read_frames(drawing *d, graze_context *context, const cli_picture *picture) {
    io_error error;
    if (!io_read_mesh_pair(picture->frame_a, picture->frame_b, &d->a, &d->b, &error)) app_fail("%s", error.message);
    graze_status status = graze_mesh_from_faces(context, (uint32_t)d->a.vertex_count, (const uint32_t(*)[3])d->a.faces,
                                                (uint32_t)d->a.face_count, &d->mesh);
    if (status != GRAZE_OK) app_fail_status(status, context, picture->frame_a);
}

static void mark_crossing(drawing *d, graze_context *context, const char *name) {
    io_intersection *list;
    size_t count;
    graze_status status = io_find_intersections(context, &d->mesh, (const double(*)[3])d->a.positions, &list, &count);
    if (status != GRAZE_OK) app_fail_status(status, context, name);
    d->crosses = app_allocate(d->a.face_count, 1);
    for (size_t i = 0; i < count; i++) {
        if (!list[i].edge) d->crosses[list[i].a] = 1;
        d->crosses[list[i].b] = 1;
    }
    free(list);
}

static void draw_contacts(FILE *out, const drawing *d, const cli_picture *picture) {
    double p[3];
    const cJSON *pair;
    cJSON_ArrayForEach(pair, picture->pairs) if (contact_point(d, pair, d->t, p))
        fprintf(out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>\n", p[0], p[1]);
    if (picture->limiting && contact_point(d, picture->limiting, d->t, p))
        fprintf(out, "<circle class=\"ring\" cx=\"%.1f\" cy=\"%.1f\" r=\"9\"/>\n", p[0], p[1]);
}

void cli_draw_picture(FILE *out, const cli_picture *picture) {
    drawing d = {.t = picture->t, .mesh = graze_default_mesh(), .view = picture->front ? from_front : from_above};
    graze_context *context = app_context(1);
    read_frames(&d, context, picture);
    if (picture->crossing) mark_crossing(&d, context, picture->frame_a);
    fit(&d);
    fprintf(out, "<svg%s viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"%s\">\n",
            picture->style ? " xmlns=\"http://www.w3.org/2000/svg\"" : "", WIDTH, d.height, picture->says);
    if (picture->style) fprintf(out, "<style>\n%s</style>\n", picture->style);
    draw_faces(out, &d);
    draw_contacts(out, &d, picture);
    fputs("</svg>\n", out);
    free(d.crosses);
    graze_mesh_release(context, &d.mesh);
    graze_context_destroy(context);
    io_free_mesh(&d.a);
    io_free_mesh(&d.b);
}
