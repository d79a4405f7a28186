/* What is wrong before anything moves: pairs within the separation, faces that intersect. Decided exactly. */
#include "step/list.h"

#include "exact/decide.h"

#include <string.h>

static void gather(const gz_step_call *call, const uint32_t ids[4], graze_query *query) {
    const gz_positions *p = &call->positions;
    for (int i = 0; i < 4; i++) {
        memcpy(query->x0[i], gz_position(p->x0, p->stride, ids[i]), sizeof query->x0[i]);
        memcpy(query->x1[i], query->x0[i], sizeof query->x1[i]);
    }
}

/* A direction proves most pairs apart; exact arithmetic decides the rest. It takes one radius for each primitive: where
   they differ `certified` decides, and pairs that it cannot tell are listed. */
static int violates(const gz_step_call *call, graze_kind kind, uint32_t a, uint32_t b) {
    if (gz_step_parted(call, kind, a, b)) return 0;
    uint32_t ids[4];
    double radii[4], most[2];
    graze_query query;
    gz_exact_answer answer;
    gz_pair_vertices(call->mesh, kind, a, b, ids);
    gather(call, ids, &query);
    gz_pair_radii(call, ids, radii);
    if (!gz_largest_radii(kind, radii, most)) {
        graze_result result;
        graze_options options = graze_default_options();
        options.method = GRAZE_METHOD_CERTIFIED;
        options.min_separation = call->separation;
        return graze_ccd_thick(kind, &query, radii, &options, &result) != GRAZE_OK || result.verdict != GRAZE_CLEAR;
    }
    if (!gz_exact_decide_thick(call->context, kind, &query, call->separation, most, 1, &answer)) return -1;
    return answer.hit;
}

/* ---- faces ---- */

/* All three corners of face g proven on one side of the plane of f: ⟨n, g_j − f_0⟩ has one sign beyond its error. The
   normal comes from rounded edges; what it errs by, per component, is at most 8u times the products it is made of. */
static bool plane_parts(const gz_step_call *call, const uint32_t *f, const uint32_t *g) {
    const gz_positions *p = &call->positions;
    const double *o = gz_position(p->x0, p->stride, f[0]);
    const double *q = gz_position(p->x0, p->stride, f[1]), *r = gz_position(p->x0, p->stride, f[2]);
    double e1[3], e2[3], n[3], slack[3];
    for (int c = 0; c < 3; c++) {
        e1[c] = q[c] - o[c];
        e2[c] = r[c] - o[c];
    }
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        n[c] = e1[i] * e2[j] - e1[j] * e2[i];
        slack[c] = fabs(e1[i] * e2[j]) + fabs(e1[j] * e2[i]);
    }
    int above = 0, below = 0;
    for (int k = 0; k < 3; k++) {
        const double *x = gz_position(p->x0, p->stride, g[k]);
        double side = 0, error = 0;
        for (int c = 0; c < 3; c++) {
            double d = x[c] - o[c];
            side += n[c] * d;
            error += slack[c] * fabs(d);
        }
        error = error * 0x1p-48 + 0x1p-900; /* 32u, and what underflows for coordinates that matter */
        above += side > error;
        below += side < -error;
    }
    return above == 3 || below == 3;
}

/* A segment meets a triangle iff a point that moves along it does: the exact decision for a vertex and a face. */
static int segment_meets(const gz_step_call *call, uint32_t from, uint32_t to, const uint32_t *face) {
    const gz_positions *p = &call->positions;
    const uint32_t ids[4] = {from, face[0], face[1], face[2]};
    graze_query query;
    gz_exact_answer answer;
    gather(call, ids, &query);
    memcpy(query.x1[0], gz_position(p->x0, p->stride, to), sizeof query.x1[0]);
    if (!gz_exact_decide(call->context, GRAZE_VF, &query, 0, 1, &answer)) return -1;
    return answer.hit;
}

/* Two triangles meet iff a side of one meets the other. */
static int faces_meet(const gz_step_call *call, graze_kind kind, uint32_t a, uint32_t b) {
    (void)kind;
    const uint32_t *f = call->mesh->faces[a], *g = call->mesh->faces[b];
    if (plane_parts(call, f, g) || plane_parts(call, g, f)) return 0;
    for (int k = 0; k < 3; k++) {
        int meets = segment_meets(call, f[k], f[(k + 1) % 3], g);
        if (meets == 0) meets = segment_meets(call, g[k], g[(k + 1) % 3], f);
        if (meets != 0) return meets;
    }
    return 0;
}

/* ---- the public face ---- */

static graze_status violations(const gz_step_call *call, gz_pair_list *list) {
    return gz_list_kinds(call, 0, GZ_KINDS - 1, violates, list);
}

static graze_status intersections(const gz_step_call *call, gz_pair_list *list) {
    graze_status status = gz_list_kinds(call, GZ_FF, GZ_FF, faces_meet, list);
    for (size_t i = 0; i < list->count; i++) list->pairs[i].kind = (graze_kind)0;
    return status;
}

typedef graze_status list_at_rest(const gz_step_call *call, gz_pair_list *list);

static graze_status list_pairs(graze_context *context, const graze_mesh *mesh, const double (*x)[3],
                               const graze_step_options *options, bool separated, list_at_rest *lister,
                               graze_pair **pairs, size_t *count) {
    if (pairs) *pairs = NULL;
    if (count) *count = 0;
    if (!context || !pairs || !count) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    gz_step_call call;
    gz_pair_list list = {0};
    status = gz_step_open_whole(context, mesh, x, x, options, &call);
    if (!separated) call.separation = 0;
    if (status == GRAZE_OK) status = gz_step_boxes(&call);
    if (status == GRAZE_OK) status = lister(&call, &list);
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
