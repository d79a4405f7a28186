#include "pair/contact.h"

#include "numerics/lanes.h"

/* The vector from a to b between the points with parameters u, v, at t = 0 or t = 1. */
static GZ_PAIR_FN v_vec between_at_end(const gz_motion *pair, double u, double v, int end) {
    const v_vec *w = end ? pair->w1 : pair->w0;
    switch (pair->kind) {
    case GRAZE_VF: return vec_add(w[0], vec_add(vec_scale(vec_sub(w[1], w[0]), u), vec_scale(vec_sub(w[2], w[0]), v)));
    case GRAZE_EE: return vec_add(w[0], vec_sub(vec_scale(vec_sub(w[1], w[0]), v), vec_scale(vec_sub(w[0], w[2]), u)));
    case GRAZE_PE: return vec_add(w[0], vec_scale(vec_sub(w[1], w[0]), u));
    default: return w[0];
    }
}

/* The distance of touching primitives shows no direction any more: that of the face or of both edges does, on the side
   that the points in contact come from; or, when these move in that plane, the way they come. */
static GZ_PAIR_FN v_vec contact_normal(const gz_motion *pair, double t, double u, double v) {
    double cu, cv;
    v_vec between = gz_motion_closest(pair, t, &cu, &cv);
    if (vec_dot(between, between) > pair->largest * pair->largest * 0x1p-70) return vec_scale(between, -1);
    v_vec from = t > 0 ? vec_scale(between_at_end(pair, u, v, 0), -1) : between_at_end(pair, u, v, 1);
    if (pair->kind != GRAZE_VF && pair->kind != GRAZE_EE) return from;
    v_vec e1 = vec_add(pair->e1[0], vec_scale(vec_sub(pair->e1[1], pair->e1[0]), t));
    v_vec e2 = vec_add(pair->e2[0], vec_scale(vec_sub(pair->e2[1], pair->e2[0]), t));
    v_vec n = vec_cross(e1, e2);
    double side = vec_dot(n, from), least = sqrt(vec_dot(n, n) * vec_dot(from, from)) * 0x1p-40;
    if (vec_dot(from, from) == 0) return n;
    return fabs(side) > least ? vec_scale(n, side > 0 ? 1 : -1) : from;
}

/* A weighted mean of rows of b: coordinates near DBL_MAX do not overflow. */
static GZ_PAIR_FN double contact_point(graze_kind kind, const double x[4], double u, double v) {
    double mean = kind == GRAZE_VF   ? (1 - u - v) * x[1] + u * x[2] + v * x[3]
                  : kind == GRAZE_EE ? (1 - v) * x[2] + v * x[3]
                  : kind == GRAZE_PE ? (1 - u) * x[1] + u * x[2]
                                     : x[1];
    return v_min(v_max(mean, -DBL_MAX), DBL_MAX);
}

/* Unit length; (1, 0, 0) for a vector without a direction, since any is as good. */
static GZ_PAIR_FN void store_unit(v_vec n, double unit[3]) {
    double largest = v_max(fabs(n.x), v_max(fabs(n.y), fabs(n.z)));
    if (!(largest > 0)) n.x = largest = 1;
    n = vec_scale(n, gz_scale_for(largest));
    double length = sqrt(vec_dot(n, n));
    unit[0] = n.x / length;
    unit[1] = n.y / length;
    unit[2] = n.z / length;
}

GZ_PAIR_FN void gz_contact_fill_along(const gz_motion *pair, const graze_query *query, double u, double v, v_vec normal,
                                      graze_result *result) {
    double t = result->toi;
    result->u = u;
    result->v = v;
    for (int c = 0; c < 3; c++) {
        double x[4];
        for (int i = 0; i < gz_kind_rows(pair->kind); i++) x[i] = (1 - t) * query->x0[i][c] + t * query->x1[i][c];
        result->point[c] = contact_point(pair->kind, x, u, v);
    }
    store_unit(normal, result->normal);
}

GZ_PAIR_FN void gz_contact_fill(const gz_motion *pair, const graze_query *query, double u, double v,
                                graze_result *result) {
    gz_contact_fill_along(pair, query, u, v, contact_normal(pair, result->toi, u, v), result);
}

GZ_PAIR_FN void gz_contact_find(graze_kind kind, const graze_query *query, graze_result *result) {
    gz_motion pair;
    double u, v;
    gz_motion_make(&pair, kind, query, 0);
    gz_motion_closest(&pair, result->toi, &u, &v);
    gz_contact_fill(&pair, query, u, v, result);
}
