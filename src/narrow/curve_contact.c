#include "narrow/curve_contact.h"

#include "numerics/intervals.h"

/* ---- where the points are ---- */

/* The part of a time interval that is left of 1. */
static gz_interval rest_of(double t) {
    double rest = 1 - t;
    return (gz_interval){rest > 0 ? gz_next_down(rest) : 0, gz_next_up(rest)};
}

static gz_interval between(gz_interval a, gz_interval b, double t) {
    return gz_interval_add(gz_interval_scale(a, rest_of(t)), gz_interval_scale(b, gz_interval_point(t)));
}

/* One of a cubic's control values on [t0, t1]: t0 as often as `first` says, then t1, of three times. */
static gz_interval control_value(const gz_interval c[4], double t0, double t1, int first) {
    gz_interval p[4] = {c[0], c[1], c[2], c[3]};
    for (int n = 3; n > 0; n--)
        for (int i = 0; i < n; i++) p[i] = between(p[i], p[i + 1], first >= n ? t0 : t1);
    return p[0];
}

/* All values on [t0, t1]: the hull of the control values. */
static gz_interval values_over(const gz_interval c[4], double t0, double t1) {
    gz_interval all = control_value(c, t0, t1, 0);
    for (int first = 1; first <= 3 && t1 > t0; first++) {
        gz_interval one = control_value(c, t0, t1, first);
        all.lo = fmin(all.lo, one.lo);
        all.hi = fmax(all.hi, one.hi);
    }
    return all;
}

/* Both ends of a difference may be off by `wide`. */
static gz_interval widened(gz_interval x, double wide) {
    if (!(wide > 0)) return x;
    return (gz_interval){gz_next_down(x.lo - 2 * wide), gz_next_up(x.hi + 2 * wide)};
}

/* The rows seen from the first one, over [t0, t1]. */
static void rows_over(graze_kind kind, const graze_curve_query *query, double wide, double t0, double t1,
                      gz_interval3 rows[4]) {
    for (int i = 1; i < gz_kind_rows(kind); i++)
        for (int c = 0; c < 3; c++) {
            gz_interval x[4];
            for (int j = 0; j < 4; j++)
                x[j] = gz_interval_sub(gz_interval_point(query->x[i][j][c]), gz_interval_point(query->x[0][j][c]));
            rows[i].c[c] = widened(values_over(x, t0, t1), wide);
        }
}

/* ---- without a separation ---- */

static int volume_sign(graze_kind kind, const graze_curve_query *query, double wide, double t) {
    gz_interval3 x[4];
    rows_over(kind, query, wide, t, t, x);
    gz_interval3 normal = gz_interval3_cross(&x[2], &x[3]);
    return gz_interval_sign(gz_interval3_dot(&x[1], &normal));
}

/* The side on which b is of a, both seen from one point and along m. */
static int side_of(const gz_interval3 *a, const gz_interval3 *b, const gz_interval3 *m) {
    gz_interval3 area = gz_interval3_cross(a, b);
    return gz_interval_sign(gz_interval3_dot(&area, m));
}

static bool is_inside(graze_kind kind, const gz_interval3 x[4], const gz_interval3 *m) {
    if (kind == GRAZE_VF) { /* the corners, seen from the vertex, go once around it */
        int side = side_of(&x[1], &x[2], m);
        return side != 0 && side_of(&x[2], &x[3], m) == side && side_of(&x[3], &x[1], m) == side;
    }
    gz_interval3 zero = {{{0, 0}, {0, 0}, {0, 0}}}, b = gz_interval3_sub(&x[3], &x[2]);
    gz_interval3 to_start = gz_interval3_sub(&zero, &x[2]), to_end = gz_interval3_sub(&x[1], &x[2]);
    return side_of(&x[1], &x[2], m) * side_of(&x[1], &x[3], m) < 0 &&
           side_of(&b, &to_start, m) * side_of(&b, &to_end, m) < 0;
}

bool gz_curve_crosses(graze_kind kind, const graze_curve_query *query, v_vec m, double wide, double t0, double t1) {
    if (kind != GRAZE_VF && kind != GRAZE_EE) return false;
    int sign = volume_sign(kind, query, wide, t1);
    if (sign == 0 || volume_sign(kind, query, wide, t0) != -sign) return false;
    gz_interval3 x[4], normal = {{gz_interval_point(m.x), gz_interval_point(m.y), gz_interval_point(m.z)}};
    rows_over(kind, query, wide, t0, t1, x);
    return is_inside(kind, x, &normal);
}

/* ---- with a separation ---- */

/* a + s·(b − a) */
static gz_interval3 along(const gz_interval3 *a, const gz_interval3 *b, double s) {
    gz_interval3 e = gz_interval3_sub(b, a), p;
    for (int c = 0; c < 3; c++) p.c[c] = gz_interval_add(a->c[c], gz_interval_scale(e.c[c], gz_interval_point(s)));
    return p;
}

/* From the point of a to the point of b. */
static gz_interval3 vector_between(graze_kind kind, const gz_interval3 x[4], double u, double v) {
    gz_interval3 zero = {{{0, 0}, {0, 0}, {0, 0}}}, to, from = zero;
    switch (kind) {
    case GRAZE_VF: { /* the corner 2 is taken from the point on the side that u leaves */
        gz_interval3 first = along(&x[1], &x[2], u), second = gz_interval3_sub(&x[3], &x[1]);
        for (int c = 0; c < 3; c++)
            to.c[c] = gz_interval_add(first.c[c], gz_interval_scale(second.c[c], gz_interval_point(v)));
        break;
    }
    case GRAZE_EE:
        from = along(&zero, &x[1], u);
        to = along(&x[2], &x[3], v);
        break;
    case GRAZE_PE: to = along(&x[1], &x[2], u); break;
    default: to = x[1]; break;
    }
    return gz_interval3_sub(&to, &from);
}

bool gz_curve_within(graze_kind kind, const graze_curve_query *query, double t, double u, double v, double reach) {
    u = gz_clamp01(u), v = gz_clamp01(v);
    if (kind == GRAZE_VF && gz_next_up(u + v) > 1) { /* into the face, for certain */
        double shrink = (1 - 0x1p-51) / (u + v);
        u *= shrink, v *= shrink;
    }
    gz_interval3 x[4];
    rows_over(kind, query, 0, t, t, x);
    gz_interval3 w = vector_between(kind, x, u, v);
    double most = 0;
    for (int c = 0; c < 3; c++) most = gz_next_up(most + gz_interval_square(w.c[c]).hi);
    return reach > 0 && most <= gz_next_down(reach * reach);
}
