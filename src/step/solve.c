/* Pairs of a mesh to queries, and blocks of them to the narrow phase. */
#include "step/solve.h"

#include "broad/boxes.h"
#include "kernels/kernels.h"
#include "numerics/kept.h"
#include "pair/closest_direction.h"
#include "step/mesh_pair.h"
#include "step/parting.h"

#include <string.h>

/* The hull of balls around the vertices of a primitive lies within its largest radius, so this is a separation that no
   contact of the thick primitives escapes; for equal radii it is exact but for the rounding upwards. */
double gz_pair_separation(const gz_step_call *call, graze_kind kind, const uint32_t ids[4]) {
    const double *r = call->mesh->thickness;
    if (!r) return call->question.separation;
    int in_a = gz_kind_rows_of_a(kind), rows = gz_kind_rows(kind);
    double a = 0, b = 0;
    for (int i = 0; i < rows; i++) {
        double *most = i < in_a ? &a : &b;
        if (r[ids[i]] > *most) *most = r[ids[i]];
    }
    return gz_add_up(gz_add_up(call->question.separation, a), b);
}

void gz_pair_radii(const gz_step_call *call, const uint32_t ids[4], double radii[4]) {
    const double *r = call->mesh->thickness;
    for (int i = 0; i < 4; i++) radii[i] = r ? r[ids[i]] : 0;
}

double gz_start_size(graze_kind kind, const gz_positions *positions, const uint32_t ids[4]) {
    const double *row[4];
    double size = 0;
    int rows = gz_kind_rows(kind);
    for (int i = 0; i < rows; i++) row[i] = gz_position(positions->x0, positions->stride, ids[i]);
    for (int c = 0; c < 3; c++) {
        double low = row[0][c], high = low;
        for (int i = 1; i < rows; i++) {
            double x = row[i][c];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        size = high - low > size ? high - low : size;
    }
    return size;
}

static double plain_distance(const gz_step_call *call, graze_kind kind, const uint32_t ids[4]) {
    graze_query query;
    gz_gather(&call->positions, ids, gz_kind_rows(kind), &query);
    return gz_closest_distance(kind, (const double(*)[3])query.x0);
}

/* Each pair's part of its start distance where that is more than the separation; less than all of it, whatever the
   rounding of the distance (docs/numerics.md, section 8). At most GZ_PARTING_BLOCK of them. */
static void kept_separations(const gz_step_call *call, graze_kind kind, const uint32_t (*ids)[4], size_t count,
                             double *kept) {
    gz_parting_job lanes = {.kind = kind, .positions = &call->positions, .ids = ids, .count = count};
    bool in_lanes = gz_parting_in_lanes(call, kind);
    if (in_lanes) call->context->kernels->distances(&lanes, kept);
    for (size_t i = 0; i < count; i++) {
        double distance = in_lanes && kept[i] >= 0 ? kept[i] : plain_distance(call, kind, ids[i]);
        kept[i] = gz_kept_separation(distance, gz_start_size(kind, &call->positions, ids[i]),
                                     call->options.relative_separation, call->question.separation);
    }
}

static size_t look_at_start(size_t count, graze_result *results) {
    size_t touching = 0;
    for (size_t i = 0; i < count; i++) {
        gz_result_at_start(&results[i]);
        touching += results[i].verdict != GRAZE_CLEAR;
    }
    return touching;
}

/* One by one: what the method has no lanes for. `kept`: NULL, or a separation for each. */
static size_t solve_each(const gz_step_call *call, gz_narrow_call *narrow, const uint32_t (*ids)[4], size_t count,
                         const double *kept, graze_result *results) {
    size_t touching = 0;
    for (size_t i = 0; i < count; i++) {
        if (call->mesh->thickness) narrow->question.separation = gz_pair_separation(call, narrow->kind, ids[i]);
        if (kept) narrow->question.separation = kept[i];
        gz_result_unresolved(&results[i], GRAZE_REASON_NONE);
        graze_query query;
        gz_gather(&call->positions, ids[i], 4, &query);
        call->method->solve(narrow, &query, &results[i]);
        touching += results[i].verdict != GRAZE_CLEAR;
        narrow->counts->unresolved += results[i].verdict == GRAZE_UNRESOLVED;
    }
    return touching;
}

static size_t solve_relative(const gz_step_call *call, gz_narrow_call *narrow, const uint32_t (*ids)[4], size_t count,
                             graze_result *results) {
    size_t touching = 0;
    double kept[GZ_PARTING_BLOCK];
    bool lanes = call->method->solve_pairs && call->method->thick;
    for (size_t done = 0, now; done < count; done += now) {
        now = count - done < GZ_PARTING_BLOCK ? count - done : GZ_PARTING_BLOCK;
        kept_separations(call, narrow->kind, ids + done, now, kept);
        narrow->separations = lanes ? kept : NULL;
        touching += lanes ? call->method->solve_pairs(narrow, &call->positions, ids + done, now, results + done)
                          : solve_each(call, narrow, ids + done, now, kept, results + done);
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
    bool thick = call->mesh->thickness != NULL, lanes = call->method->solve_pairs && (call->method->thick || !thick);
    size_t touching = call->options.relative_separation > 0 ? solve_relative(call, &narrow, ids, count, results)
                      : lanes ? call->method->solve_pairs(&narrow, &call->positions, ids, count, results)
                              : solve_each(call, &narrow, ids, count, NULL, results);
    return call->at_start ? look_at_start(count, results) : touching;
}

size_t gz_step_solve(const gz_step_call *call, uint32_t worker, gz_counts *counts, graze_kind kind, double *follow,
                     const uint32_t (*pairs)[2], size_t count, uint32_t (*ids)[4], graze_result *results) {
    for (size_t i = 0; i < count; i++) gz_pair_vertices(call->mesh, kind, pairs[i][0], pairs[i][1], ids[i]);
    return gz_step_solve_ids(call, worker, counts, kind, follow, (const uint32_t(*)[4])ids, count, results);
}
