#include "articulated/world/pieces.h"

#include "base/sizes.h"

#include <stdlib.h>

#define PATH_LEAST GZ_SIZE_UP_TO(graze_path, control)

static const graze_path path_defaults = {.degree = 1};

void graze_init_path(graze_path *path, size_t size) { gz_sized_init(path, size, &path_defaults, sizeof path_defaults); }

size_t gz_plan_values(const gz_plan *plan, size_t path) {
    return plan->bodies.values(plan->bodies.of, plan->paths[path].body);
}

/* ---- what is given ---- */

static graze_status refuse(const gz_plan *p, size_t path, const char *why) {
    return gz_fail(p->context, GRAZE_ERR_INVALID_ARGUMENT, path, "path %zu: %s", path, why);
}

static graze_status check_path(const gz_plan *p, size_t i, gz_pieces written) {
    const graze_path *path = &p->paths[i];
    if (path->body >= p->bodies.count)
        return gz_fail(p->context, GRAZE_ERR_BAD_INDEX, i, "path %zu: the world has no body %u", i, path->body);
    const char *fault = gz_spline_fault(path);
    if (fault) return refuse(p, i, fault);
    if (gz_spline_begin(path) != gz_spline_begin(p->paths) || gz_spline_end(path) != gz_spline_end(p->paths))
        return refuse(p, i, "it begins or ends at another time than the first");
    for (size_t k = 0; k < i; k++)
        if (p->paths[k].body == path->body) return refuse(p, i, "another path moves the same body");
    size_t knots = path->count + path->degree + 1, values = path->count * gz_plan_values(p, i);
    if (gz_apart_check(p->context, "the result", written, "knots",
                       gz_bytes_at(path->knots, knots * sizeof *path->knots)) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    return gz_apart_check(p->context, "the result", written, "control points",
                          gz_bytes_at(path->control, values * sizeof *path->control));
}

static graze_status read_paths(gz_plan *p, const graze_path *given, gz_pieces written) {
    static const gz_sized_kind kind = {"path", sizeof *given, PATH_LEAST};
    graze_status status = GRAZE_OK;
    for (size_t i = 0; i < p->count && status == GRAZE_OK; i++) {
        p->paths[i] = path_defaults;
        status = gz_sized_read_at(p->context, &kind, i, &p->paths[i], given, i);
        if (status == GRAZE_OK) status = check_path(p, i, written);
    }
    if (status != GRAZE_OK) return status;
    return gz_apart_check(p->context, "the result", written, "paths",
                          gz_bytes_at(given, p->count * given->struct_size));
}

/* ---- pieces ---- */

static int before(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The distinct knots of all paths from beginning to end. */
static void find_times(gz_plan *p) {
    size_t count = 0, kept = 1;
    double begin = gz_spline_begin(p->paths), end = gz_spline_end(p->paths);
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; k <= p->paths[i].count + p->paths[i].degree; k++) {
            double t = p->paths[i].knots[k];
            if (t >= begin && t <= end) p->times[count++] = t;
        }
    qsort(p->times, count, sizeof *p->times, before);
    for (size_t k = 1; k < count; k++)
        if (p->times[k] > p->times[kept - 1]) p->times[kept++] = p->times[k];
    p->pieces = kept - 1;
}

void gz_plan_motions(const gz_plan *p, size_t piece, double *room, graze_motion *motions) {
    double begin = p->times[piece], end = p->times[piece + 1];
    for (size_t i = 0; i < p->count; i++) {
        const graze_path *path = &p->paths[i];
        size_t values = gz_plan_values(p, i), span = gz_spline_span(path, begin), row = path->degree + 1;
        motions[i] = graze_default_motion();
        motions[i].degree = path->degree;
        motions[i].bezier = room;
        motions[i].bezier_error = room + values * row;
        for (size_t v = 0; v < values; v++)
            room[values * row + v] = gz_spline_piece(path, span, v, values, begin, end, room + v * row);
        room += values * (row + 1);
    }
}

/* ---- memory ---- */

graze_status gz_plan_open(gz_plan *p, const graze_path *given, gz_pieces written) {
    p->paths = gz_allocate_array(p->context, p->count, sizeof *p->paths);
    graze_status status = p->paths ? read_paths(p, given, written) : GRAZE_ERR_OUT_OF_MEMORY;
    if (status != GRAZE_OK) return status;
    for (size_t i = 0; i < p->count; i++) {
        p->knots += p->paths[i].count + p->paths[i].degree + 1;
        p->bezier_size += gz_plan_values(p, i) * (p->paths[i].degree + 2);
    }
    p->times = gz_allocate_array(p->context, p->knots, sizeof *p->times);
    if (!p->times) return GRAZE_ERR_OUT_OF_MEMORY;
    find_times(p);
    return GRAZE_OK;
}

void gz_plan_close(gz_plan *p) {
    gz_release(p->context, p->paths, p->count * sizeof *p->paths);
    gz_release(p->context, p->times, p->knots * sizeof *p->times);
}
