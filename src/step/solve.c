/* Pairs of a mesh to queries, and blocks of them to the narrow phase. */
#include "step/call.h"

#include "broad/boxes.h"
#include "step/closest.h"

#include <string.h>

/* The hull of balls around the vertices of a primitive lies within its largest radius, so this is a separation that no
   contact of the thick primitives escapes; for equal radii it is exact but for the rounding upwards. */
double gz_pair_separation(const gz_step_call *call, graze_kind kind, const uint32_t ids[4]) {
    const double *r = call->mesh->thickness;
    if (!r) return call->separation;
    int in_a = gz_kind_rows_of_a(kind), rows = gz_kind_rows(kind);
    double a = 0, b = 0;
    for (int i = 0; i < rows; i++) {
        double *most = i < in_a ? &a : &b;
        if (r[ids[i]] > *most) *most = r[ids[i]];
    }
    return gz_add_up(gz_add_up(call->separation, a), b);
}

void gz_pair_radii(const gz_step_call *call, const uint32_t ids[4], double radii[4]) {
    const double *r = call->mesh->thickness;
    for (int i = 0; i < 4; i++) radii[i] = r ? r[ids[i]] : 0;
}

/* The largest difference of two coordinates on one axis at the start. */
static double start_size(graze_kind kind, const graze_query *query) {
    double size = 0;
    for (int c = 0; c < 3; c++) {
        double low = query->x0[0][c], high = low;
        for (int i = 1; i < gz_kind_rows(kind); i++) {
            double x = query->x0[i][c];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        size = high - low > size ? high - low : size;
    }
    return size;
}

/* The pair's part of its start distance where that is more than the separation; less than all of it, whatever the
   rounding of the distance (docs/numerics.md, section 8). */
static double kept_separation(const gz_step_call *call, graze_kind kind, const graze_query *query) {
    double slack = GZ_CLOSEST_SLACK * start_size(kind, query) + GZ_CLOSEST_TINY;
    double kept = call->options.relative_separation * (gz_closest_distance(kind, query->x0) - slack);
    if (kept > GRAZE_MAX_COORDINATE) kept = GRAZE_MAX_COORDINATE;
    return kept > call->separation ? kept : call->separation;
}

static size_t look_at_start(size_t count, graze_result *results) {
    size_t touching = 0;
    for (size_t i = 0; i < count; i++) {
        gz_result_at_start(&results[i]);
        touching += results[i].verdict != GRAZE_CLEAR;
    }
    return touching;
}

size_t gz_step_solve_ids(const gz_step_call *call, uint32_t worker, gz_counts *counts, graze_kind kind, double *follow,
                         const uint32_t (*ids)[4], size_t count, graze_result *results) {
    gz_narrow_call narrow = call->calls[kind];
    narrow.worker = worker;
    narrow.counts = counts;
    narrow.follow = follow;
    counts->queries += count;
    bool thick = call->mesh->thickness != NULL;
    bool relative = call->options.relative_separation > 0;
    if (call->method->solve_pairs && (call->method->thick || !thick) && !relative) {
        size_t touching = call->method->solve_pairs(&narrow, &call->positions, ids, count, results);
        return call->at_start ? look_at_start(count, results) : touching;
    }
    size_t touching = 0;
    for (size_t i = 0; i < count; i++) {
        if (thick) narrow.separation = gz_pair_separation(call, kind, ids[i]);
        gz_result_unresolved(&results[i], GRAZE_REASON_NONE);
        graze_query query;
        gz_gather(&call->positions, ids[i], 4, &query);
        if (relative) narrow.separation = kept_separation(call, kind, &query);
        call->method->solve(&narrow, &query, &results[i]);
        if (call->at_start) gz_result_at_start(&results[i]);
        touching += results[i].verdict != GRAZE_CLEAR;
        counts->unresolved += results[i].verdict == GRAZE_UNRESOLVED;
    }
    return touching;
}

size_t gz_step_solve(const gz_step_call *call, uint32_t worker, gz_counts *counts, graze_kind kind, double *follow,
                     const uint32_t (*pairs)[2], size_t count, uint32_t (*ids)[4], graze_result *results) {
    for (size_t i = 0; i < count; i++) gz_pair_vertices(call->mesh, kind, pairs[i][0], pairs[i][1], ids[i]);
    return gz_step_solve_ids(call, worker, counts, kind, follow, (const uint32_t(*)[4])ids, count, results);
}
