/* Differences, closest points and distances of one pair. */
#include "pair/motion.h"

#include "numerics/closest.h"
#include "numerics/double_double.h"
#include "pair/thick.h"

#include <math.h>

static GZ_PAIR_FN v_vec difference(const double b[3], const double a[3]) {
    return (v_vec){b[0] - a[0], b[1] - a[1], b[2] - a[2]};
}

static GZ_PAIR_FN double largest_of(v_vec a) { return v_max(fabs(a.x), v_max(fabs(a.y), fabs(a.z))); }

GZ_PAIR_FN void gz_motion_make(gz_motion *pair, graze_kind kind, const graze_query *query, double separation) {
    pair->kind = kind;
    pair->thick = false;
    int count = pair->count = gz_difference_count(kind);
    v_vec *ends[2] = {pair->w0, pair->w1};
    for (int end = 0; end < 2; end++) {
        const double(*x)[3] = end ? query->x1 : query->x0;
        for (int k = 0; k < count; k++)
            ends[end][k] = difference(x[gz_difference_to(kind, k)], x[gz_difference_from(kind, k)]);
        if (kind == GRAZE_VF) {
            pair->e1[end] = difference(x[2], x[1]);
            pair->e2[end] = difference(x[3], x[1]);
            pair->q[end] = difference(x[0], x[1]);
        } else if (kind == GRAZE_EE) {
            pair->e1[end] = difference(x[1], x[0]);
            pair->e2[end] = difference(x[3], x[2]);
            pair->q[end] = difference(x[2], x[0]);
        }
    }
    v_vec size = probe_size(pair->w0, pair->w1, count);
    double scale = gz_scale_for(v_max(largest_of(size), separation));
    for (int end = 0; end < 2; end++) {
        for (int k = 0; k < count; k++) ends[end][k] = vec_scale(ends[end][k], scale);
        if (kind == GRAZE_VF || kind == GRAZE_EE) {
            pair->e1[end] = vec_scale(pair->e1[end], scale);
            pair->e2[end] = vec_scale(pair->e2[end], scale);
            pair->q[end] = vec_scale(pair->q[end], scale);
        }
    }
    pair->size = vec_scale(size, scale);
    pair->largest = largest_of(pair->size);
    pair->separation = separation * scale;
    pair->surplus = 0;
    pair->scale = scale;
}

/* The rows of a pair with these differences, the first of a at the origin. */
static GZ_PAIR_FN void rows_of(graze_kind kind, const v_vec w[4], gz_vec3 x[4]) {
    x[0] = (gz_vec3){{0, 0, 0}};
    for (int k = 0; k < gz_difference_count(kind) && gz_difference_from(kind, k) == 0; k++) {
        gz_vec3 b = {{w[k].x, w[k].y, w[k].z}};
        x[gz_difference_to(kind, k)] = b;
    }
    if (kind != GRAZE_EE) return;
    v_vec edge = vec_sub(w[0], w[2]);
    x[1] = (gz_vec3){{edge.x, edge.y, edge.z}};
}

GZ_PAIR_FN v_vec gz_motion_closest(const gz_motion *pair, double t, double *u, double *v) {
    if (pair->thick) return gz_thick_closest(pair, t, u, v);
    v_vec w[4];
    gz_vec3 x[4];
    probe_at(pair->w0, pair->w1, pair->count, t, w);
    rows_of(pair->kind, w, x);
    gz_closest at = gz_closest_points(pair->kind, x);
    *u = gz_closest_u(pair->kind, &at);
    *v = gz_closest_v(pair->kind, &at);
    return (v_vec){-at.vector.c[0], -at.vector.c[1], -at.vector.c[2]};
}

GZ_PAIR_FN bool gz_motion_within(const gz_motion *pair, double t, double more, double *u, double *v) {
    if (pair->thick) return gz_thick_within(pair, t, more, u, v);
    return gz_motion_proves_reach(gz_motion_closest(pair, t, u, v), pair->separation + more);
}

GZ_PAIR_FN v_vec gz_motion_direction(const gz_motion *pair, double t) {
    if (pair->thick) return gz_thick_direction(pair, t);
    v_vec w[4];
    probe_at(pair->w0, pair->w1, pair->count, t, w);
    switch (pair->count) {
    case 3: return probe_direction(w, 3);
    case 4: return probe_direction(w, 4);
    case 2: return probe_direction(w, 2);
    default: return w[0];
    }
}

/* (b - a) - d with a relative error of a few u: the roundings of both differences are put back. */
static GZ_PAIR_FN double difference_less(double b, double a, double d) {
    gz_dd w = dd_two_sum(b, -a), s = dd_two_sum(w.hi, -d);
    return s.hi + (w.lo + s.lo);
}

GZ_PAIR_FN double gz_axis_free_time(graze_kind kind, const graze_query *query, double separation, const double *radii,
                                    int *axis) {
    int rows = gz_kind_rows(kind), split = gz_kind_rows_of_a(kind);
    double best = 0;
    for (int c = 0; c < 3; c++) {
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < rows; i++) {
            int side = i >= split;
            double x = query->x0[i][c];
            low[side] = v_min(low[side], x);
            high[side] = v_max(high[side], x);
        }
        for (int sign = 0; sign < 2; sign++) {
            /* rounding is monotone: below the separation when rounded is not above it when exact */
            if ((sign ? low[0] - high[1] : low[1] - high[0]) < separation) continue;
            double last = 2;
            for (int i = 0; i < split; i++)
                for (int j = split; j < rows; j++) {
                    int from = sign ? j : i, to = sign ? i : j;
                    double reach = radii ? gz_reach_of(separation, radii[i], radii[j]) : separation;
                    double a = difference_less(query->x0[to][c], query->x0[from][c], reach);
                    double z = difference_less(query->x1[to][c], query->x1[from][c], reach);
                    if (!(a > 0))
                        last = 0;
                    else if (!(z > 0))
                        last = v_min(last, a / (a - z) * GZ_ROOT_DOWN - GZ_ROOT_TINY);
                }
            if (!(last > best)) continue;
            best = last;
            if (axis) *axis = 2 * c + sign;
        }
    }
    return best > 1 ? 1 : best;
}
