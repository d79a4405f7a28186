#include "narrow/curve_pair.h"

#include "numerics/hull.h"
#include "numerics/intervals.h"

/* ---- making ---- */

static v_vec difference(const double b[3], const double a[3]) { return (v_vec){b[0] - a[0], b[1] - a[1], b[2] - a[2]}; }

static void scale_points(v_vec points[4], double scale) {
    for (int j = 0; j < 4; j++) points[j] = vec_scale(points[j], scale);
}

void gz_curve_make(gz_curve *curve, graze_kind kind, const graze_curve_query *query, double separation) {
    v_vec size = {0, 0, 0};
    int rows = gz_kind_rows(kind), count = gz_difference_count(kind);
    curve->kind = kind;
    curve->count = count;
    for (int j = 0; j < 4; j++) {
        for (int i = 0; i < rows; i++) curve->rows[i][j] = difference(query->x[i][j], query->x[0][j]);
        for (int k = 0; k < count; k++) {
            int from = gz_difference_from(kind, k), to = gz_difference_to(kind, k);
            curve->w[k][j] = difference(query->x[to][j], query->x[from][j]);
            size = vec_max_abs(size, curve->w[k][j]);
        }
    }
    curve->scale = gz_scale_for(v_max(v_max(size.x, v_max(size.y, size.z)), separation));
    for (int i = 0; i < rows; i++) scale_points(curve->rows[i], curve->scale);
    for (int k = 0; k < count; k++) scale_points(curve->w[k], curve->scale);
    curve->size = vec_scale(size, curve->scale);
    curve->largest = v_max(curve->size.x, v_max(curve->size.y, curve->size.z));
    curve->separation = separation * curve->scale;
}

/* ---- a direction ---- */

static double between(double a, double b, double t) { return (1 - t) * a + t * b; }

void gz_curve_part(const double c[4], double from, double to, double part[4]) {
    double s[3], e[3], ss[2], se[2], ee[2];
    for (int i = 0; i < 3; i++) s[i] = between(c[i], c[i + 1], from), e[i] = between(c[i], c[i + 1], to);
    for (int i = 0; i < 2; i++) {
        ss[i] = between(s[i], s[i + 1], from);
        se[i] = between(s[i], s[i + 1], to);
        ee[i] = between(e[i], e[i + 1], to);
    }
    part[0] = between(ss[0], ss[1], from);
    part[1] = between(ss[0], ss[1], to);
    part[2] = between(se[0], se[1], to);
    part[3] = between(ee[0], ee[1], to);
}

/* The bound that the differences have to exceed along n: the separation, and what rounding can take. */
static double least_along(const gz_curve *curve, v_vec n) {
    double slack = vec_dot(vec_abs(n), curve->size) * GZ_CURVE_SLACK + GZ_DOT_TINY;
    if (!(curve->separation > 0)) return slack;
    return curve->separation * probe_norm(n) * GZ_NORM_UP + slack;
}

/* The least of the differences' control values along n. */
static void lowest(const gz_curve *curve, v_vec n, double from, double to, double low[4]) {
    for (int j = 0; j < 4; j++) low[j] = INFINITY;
    for (int k = 0; k < curve->count; k++) {
        double c[4], part[4];
        for (int j = 0; j < 4; j++) c[j] = vec_dot(n, curve->w[k][j]);
        gz_curve_part(c, from, to, part);
        for (int j = 0; j < 4; j++) low[j] = v_min(low[j], part[j]);
    }
}

gz_curve_probe gz_curve_try(const gz_curve *curve, v_vec n, double from, double to) {
    double g[4], least = least_along(curve, n), length = sqrt(vec_dot(n, n));
    lowest(curve, n, from, to, g);
    for (int j = 0; j < 4; j++) g[j] -= least;
    gz_curve_probe probe = {.gap = g[0] / length, .falls = 3 * (g[0] - g[1]) / (to - from) / length, .reached = from};
    if (!(g[0] > 0)) return probe;
    double part = gz_part_above_zero(g);
    if (part < GZ_ROOT_TINY) return probe;
    probe.reached = part < 1 ? gz_next_down(from + part * (to - from)) : to;
    if (probe.reached < from) probe.reached = from;
    return probe;
}

/* ---- at one time ---- */

static v_vec point_at(const v_vec x[4], const double weights[4]) {
    v_vec first = vec_add(vec_scale(x[0], weights[0]), vec_scale(x[1], weights[1]));
    return vec_add(first, vec_add(vec_scale(x[2], weights[2]), vec_scale(x[3], weights[3])));
}

void gz_curve_still(const gz_curve *curve, double t, graze_query *still) {
    double rest = 1 - t, weights[4] = {rest * rest * rest, 3 * (rest * rest * t), 3 * (rest * t * t), t * t * t};
    for (int i = 0; i < gz_kind_rows(curve->kind); i++) {
        v_vec x = i ? point_at(curve->rows[i], weights) : (v_vec){0, 0, 0}; /* it sees itself at the origin */
        vec_store(x, &still->x0[i], 1);
        vec_store(x, &still->x1[i], 1);
    }
}
