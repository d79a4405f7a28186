/* Faults before anything moves: pairs within the separation, faces that intersect. Decided exactly. */
#include "step/list.h"

#include "exact/decide.h"
#include "numerics/vec3.h"
#include "pair/thick.h"
#include "step/parting.h"
#include "step/search.h"
#include "step/solve.h"

#include <stdlib.h>
#include <string.h>

/* The pair at rest. */
static void gather(const gz_step_call *call, const uint32_t ids[4], graze_query *query) {
    gz_positions still = call->positions;
    still.x1 = still.x0;
    gz_gather(&still, ids, 4, query);
}

/* True if `certified` proves that the pair at rest keeps the separation; its radii may differ. */
static bool thick_is_clear(const gz_step_call *call, uint32_t worker, graze_kind kind, const graze_query *query,
                           const double radii[4]) {
    gz_counts counts = {0};
    gz_narrow_call narrow = {.worker = worker, .counts = &counts, .radii = radii};
    const gz_method *method;
    graze_options options = graze_default_options();
    options.method = GRAZE_METHOD_CERTIFIED;
    options.min_separation = call->question.separation;
    if (gz_narrow_prepare(call->context, kind, &options, &narrow, &method) != GRAZE_OK) return false;
    graze_result result;
    gz_result_unresolved(&result, GRAZE_REASON_NONE);
    method->solve(&narrow, query, &result);
    return result.verdict == GRAZE_CLEAR;
}

/* Decides by exact arithmetic, which takes one radius for each primitive. Where radii differ `certified` decides, and
   pairs that it cannot tell are listed. */
static bool decide(const gz_step_call *call, uint32_t worker, graze_kind kind, const uint32_t ids[4], bool *violates) {
    double radii[4], most[2];
    graze_query query;
    gz_exact_answer answer;
    gather(call, ids, &query);
    gz_pair_radii(call, ids, radii);
    if (!gz_largest_radii(kind, radii, most)) {
        *violates = !thick_is_clear(call, worker, kind, &query, radii);
        return true;
    }
    if (!gz_exact_decide_thick(call->context, worker, kind, &query, call->question.separation, most, 1, &answer))
        return false;
    *violates = answer.hit;
    return true;
}

/* A direction proves most pairs apart; the rest are decided. */
static bool violate(const gz_step_call *call, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2],
                    size_t count, bool *wanted) {
    gz_parted_block block;
    gz_block_parted(call, kind, pairs, count, &block);
    for (size_t k = 0; k < count; k++) {
        wanted[k] = false;
        if (!block.parted[k] && !decide(call, worker, kind, block.ids[k], &wanted[k])) return false;
    }
    return true;
}

/* ---- faces ---- */

/* Side of x as seen from the plane through o, q, r: the sign of ⟨(q − o) × (r − o), x − o⟩ where that is beyond its
   error, else 0. */
static int side_of_plane(const double o[3], const double q[3], const double r[3], const double x[3]) {
    double e1[3], e2[3], side = 0, size = 0;
    for (int c = 0; c < 3; c++) {
        e1[c] = q[c] - o[c];
        e2[c] = r[c] - o[c];
    }
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        double d = x[c] - o[c];
        side += (e1[i] * e2[j] - e1[j] * e2[i]) * d;
        size += (fabs(e1[i] * e2[j]) + fabs(e1[j] * e2[i])) * fabs(d);
    }
    double error = size * GZ_SIDE_SLACK + GZ_SIDE_TINY;
    return (side > error) - (side < -error);
}

static int side_of(const gz_step_call *call, uint32_t o, uint32_t q, uint32_t r, uint32_t x) {
    const gz_positions *p = &call->positions;
    return side_of_plane(gz_position(p->x0, p->stride, o), gz_position(p->x0, p->stride, q),
                         gz_position(p->x0, p->stride, r), gz_position(p->x0, p->stride, x));
}

/* A segment meets a triangle iff a point that moves along it does: the exact decision for a vertex and a face. */
static int segment_meets(const gz_step_call *call, uint32_t worker, uint32_t from, uint32_t to, const uint32_t *face) {
    const gz_positions *p = &call->positions;
    const uint32_t ids[4] = {from, face[0], face[1], face[2]};
    graze_query query;
    gz_exact_answer answer;
    gather(call, ids, &query);
    memcpy(query.x1[0], gz_position(p->x0, p->stride, to), sizeof query.x1[0]);
    if (!gz_exact_decide(call->context, worker, GRAZE_VF, &query, 0, 1, &answer)) return -1;
    return answer.hit;
}

/* The side from `from` to `to` of one face and the other face, whose plane has these ends on the given sides. Where the
   ends are on different ones, the line passes through the face if it passes its three sides alike. */
static int side_meets(const gz_step_call *call, uint32_t worker, uint32_t from, uint32_t to, const uint32_t *face,
                      int from_side, int to_side) {
    if (from_side * to_side > 0) return 0;
    if (from_side * to_side < 0) {
        int first = side_of(call, from, to, face[0], face[1]), second = side_of(call, from, to, face[1], face[2]);
        int third = side_of(call, from, to, face[2], face[0]);
        if (first * second < 0 || second * third < 0 || third * first < 0) return 0;
        if (first && second && third) return 1;
    }
    return segment_meets(call, worker, from, to, face);
}

/* True if all of the first face is beyond all of the second along n or −n; rows of x: three corners each. */
static bool parts(const double n[3], const double x[6][3]) {
    double up[2] = {-INFINITY, -INFINITY}, down[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < 6; i++) {
        up[i / 3] = fmax(up[i / 3], gz_reach(n, x[i], 0, 1));
        down[i / 3] = fmax(down[i / 3], gz_reach(n, x[i], 0, -1));
    }
    return up[0] < -down[1] || up[1] < -down[0];
}

/* True if a line along a side of one of the faces, in its plane, has them on different sides: as good as always where
   faces lie in one plane and do not meet. */
static bool sides_part(const double x[6][3]) {
    for (int face = 0; face < 2; face++) {
        const double(*p)[3] = x + 3 * face;
        gz_vec3 sides[3];
        for (int k = 0; k < 3; k++) sides[k] = gz_vec3_sub(gz_vec3_of(p[(k + 1) % 3]), gz_vec3_of(p[k]));
        gz_vec3 normal = gz_vec3_cross(sides[0], sides[1]);
        for (int k = 0; k < 3; k++)
            if (parts(gz_vec3_cross(normal, sides[k]).c, x)) return true;
    }
    return false;
}

/* As sides_part, but for faces of the mesh, seen from the first corner. */
static bool faces_part(const gz_step_call *call, const uint32_t *f, const uint32_t *g) {
    const gz_positions *p = &call->positions;
    const double *origin = gz_position(p->x0, p->stride, f[0]);
    double x[6][3];
    for (int i = 0; i < 6; i++) {
        const double *corner = gz_position(p->x0, p->stride, i < 3 ? f[i] : g[i - 3]);
        for (int c = 0; c < 3; c++) x[i][c] = corner[c] - origin[c];
    }
    return sides_part((const double(*)[3])x);
}

static bool all_told(const int sides[3]) { return sides[0] && sides[1] && sides[2]; }

/* Two triangles meet iff a side of one meets the other. */
static int two_faces_meet(const gz_step_call *call, uint32_t worker, uint32_t a, uint32_t b) {
    const uint32_t *f = call->mesh->faces[a], *g = call->mesh->faces[b];
    int f_sides[3], g_sides[3];
    for (int k = 0; k < 3; k++) f_sides[k] = side_of(call, g[0], g[1], g[2], f[k]);
    if (abs(f_sides[0] + f_sides[1] + f_sides[2]) == 3) return 0;
    for (int k = 0; k < 3; k++) g_sides[k] = side_of(call, f[0], f[1], f[2], g[k]);
    if (abs(g_sides[0] + g_sides[1] + g_sides[2]) == 3) return 0;
    if (!(all_told(f_sides) && all_told(g_sides)) && faces_part(call, f, g)) return 0;
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        int meets = side_meets(call, worker, f[k], f[next], g, f_sides[k], f_sides[next]);
        if (meets == 0) meets = side_meets(call, worker, g[k], g[next], f, g_sides[k], g_sides[next]);
        if (meets != 0) return meets;
    }
    return 0;
}

static bool faces_meet(const gz_step_call *call, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2],
                       size_t count, bool *wanted) {
    (void)kind;
    for (size_t k = 0; k < count; k++) {
        int meets = two_faces_meet(call, worker, pairs[k][0], pairs[k][1]);
        if (meets < 0) return false;
        wanted[k] = meets != 0;
    }
    return true;
}

/* ---- the public face ---- */

static graze_status violations(const gz_step_call *call, gz_pair_list *list) {
    return gz_list_kinds(call, 0, GZ_KINDS - 1, violate, list);
}

static graze_status intersections(const gz_step_call *call, gz_pair_list *list) {
    graze_status status = gz_list_kinds(call, GZ_FF, GZ_FF, faces_meet, list);
    for (size_t i = 0; i < list->count; i++) list->pairs[i].kind = (graze_kind)0;
    return status;
}

typedef graze_status list_at_rest(const gz_step_call *call, gz_pair_list *list);

static graze_status run_at_rest(graze_context *context, const graze_mesh *mesh, const double (*x)[3],
                                const graze_step_options *options, bool separated, list_at_rest *lister,
                                gz_pair_list *list) {
    gz_step_call call;
    graze_status status = gz_step_open_whole(context, mesh, x, x, options, &call);
    if (!separated) call.question.separation = 0;
    if (status == GRAZE_OK) status = gz_step_boxes(&call, true); /* every pair is tested */
    return status == GRAZE_OK ? lister(&call, list) : status;
}

graze_status gz_intersections_run(graze_context *context, const graze_mesh *mesh, const double (*x)[3],
                                  const graze_step_options *options, gz_pair_list *list) {
    return run_at_rest(context, mesh, x, options, false, intersections, list);
}

static graze_status list_pairs(graze_context *context, const graze_mesh *mesh, const double (*x)[3],
                               const graze_step_options *options, bool separated, list_at_rest *lister,
                               graze_pair **pairs, size_t *count) {
    if (pairs) *pairs = NULL;
    if (count) *count = 0;
    if (!context || !pairs || !count) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    gz_pair_list list = {0};
    status = run_at_rest(context, mesh, x, options, separated, lister, &list);
    if (status == GRAZE_OK) {
        *pairs = list.pairs;
        *count = list.count;
    } else {
        gz_list_release(context, &list);
    }
    return gz_context_leave(context, &env, status);
}

graze_status graze_start_violations(graze_context *context, const graze_mesh *mesh, const double (*x)[3],
                                    const graze_step_options *options, graze_pair **pairs, size_t *count) {
    return list_pairs(context, mesh, x, options, true, violations, pairs, count);
}

graze_status graze_static_intersections(graze_context *context, const graze_mesh *mesh, const double (*x)[3],
                                        const graze_step_options *options, graze_pair **pairs, size_t *count) {
    return list_pairs(context, mesh, x, options, false, intersections, pairs, count);
}
