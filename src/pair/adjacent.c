/* Double-double sees a sign one unit in the last place away from a root; docs/numerics.md, section 4.7. */
#include "pair/adjacent.h"

#include "pair/differences.h"

#include <math.h>

/* The adjacent doubles around root = t + step, where step is accurate to far less than a unit in the last place of it.
 */
static GZ_PAIR_FN void around(double t, double step, double *lower, double *upper) {
    gz_dd root = dd_two_sum(t, step);
    *lower = root.lo < 0 ? nextafter(root.hi, -1.0) : root.hi;
    *upper = nextafter(*lower, 2.0);
}

typedef struct cubic {
    gz_dd a[4];
} cubic;

static GZ_PAIR_FN gz_dd cubic_at(const cubic *f, double t) {
    gz_dd sum = f->a[3];
    for (int i = 2; i >= 0; i--) sum = dd_add(dd_scale(sum, t), f->a[i]);
    return sum;
}

/* e1, e2 (and q, with `count` 3) of the volume polynomial at t = 0, and their rates */
static GZ_PAIR_FN void volume_vectors(const gz_motion *pair, const graze_query *query, int count, gz_dd_vec *at,
                                      gz_dd_vec *rate) {
    static const int ends[2][3][2] = {{{2, 1}, {3, 1}, {0, 1}}, {{1, 0}, {3, 2}, {2, 0}}};
    for (int i = 0; i < count; i++) {
        const int *end = ends[pair->kind == GRAZE_EE][i];
        at[i] = difference(query->x0, end[0], end[1], pair->scale);
        rate[i] = dd_vec_sub(difference(query->x1, end[0], end[1], pair->scale), at[i]);
    }
}

static GZ_PAIR_FN void cubic_make(cubic *f, const gz_motion *pair, const graze_query *query) {
    gz_dd_vec at[3], rate[3];
    volume_vectors(pair, query, 3, at, rate);
    gz_dd_vec n0 = dd_vec_cross(at[0], at[1]), n2 = dd_vec_cross(rate[0], rate[1]);
    gz_dd_vec n1 = dd_vec_add(dd_vec_cross(at[0], rate[1]), dd_vec_cross(rate[0], at[1]));
    f->a[0] = dd_vec_dot(n0, at[2]);
    f->a[1] = dd_add(dd_vec_dot(n1, at[2]), dd_vec_dot(n0, rate[2]));
    f->a[2] = dd_add(dd_vec_dot(n2, at[2]), dd_vec_dot(n1, rate[2]));
    f->a[3] = dd_vec_dot(n2, rate[2]);
}

static GZ_PAIR_FN double volume_slope(const gz_volume *volume, double t) {
    const double *c = volume->c;
    double s = 1 - t, d0 = c[1] - c[0], d1 = c[2] - c[1], d2 = c[3] - c[2];
    return 3 * (s * (s * d0 + t * d1) + t * (s * d1 + t * d2));
}

GZ_PAIR_FN bool gz_adjacent_volume(const gz_motion *pair, const graze_query *query, const gz_volume *volume, int sign,
                                   double *lower, double *upper) {
    double size = volume->size, t = *lower, span = *upper - t, slope = volume_slope(volume, t);
    if (!(-slope * sign > 8 * volume->slack + size * GZ_VOLUME_CURVE * span)) return false;

    cubic f;
    cubic_make(&f, pair, query);
    double slack = size * GZ_VOLUME_SLACK_DD + GZ_VOLUME_TINY, step = 0, before, after;
    for (int i = 0; i < 2; i++) { /* Newton; one step does when the bracket is narrow */
        double move = -cubic_at(&f, t + step).hi / slope;
        step += move;
        if (fabs(move) < 0x1p-30) break;
    }
    around(t, step, &before, &after);
    if (before < t || after > *upper) return false;
    if (!(cubic_at(&f, before).hi * sign > slack && cubic_at(&f, after).hi * sign < -slack)) return false;
    *lower = before;
    *upper = after;
    return true;
}

/* ---- with a separation ---- */

/* The differences that span the feature with the closest point, and its weights among them. */
typedef struct feature {
    int size;     /* 1: a corner, 2: an edge, 0: the inside */
    int from, to; /* of an edge, or the corner twice */
    double s;     /* along the edge */
    gz_dd weight[4];
} feature;

static GZ_PAIR_FN void feature_find(feature *f, const gz_motion *pair, double u, double v) {
    gz_dd one_u = dd_two_sum(1, -u), one_v = dd_two_sum(1, -v);
    f->size = 2;
    switch (pair->kind) {
    case GRAZE_VF:
        f->weight[0] = dd_sub(one_u, dd_of(v)), f->weight[1] = dd_of(u), f->weight[2] = dd_of(v);
        if (v == 0)
            f->from = 0, f->to = 1, f->s = u;
        else if (u == 0)
            f->from = 0, f->to = 2, f->s = v;
        else if (f->weight[0].hi < 0x1p-50) {
            f->from = 1, f->to = 2, f->s = v;
            f->weight[0] = dd_of(0), f->weight[1] = one_v;
        } else
            f->size = 0;
        break;
    case GRAZE_EE:
        f->weight[0] = dd_mul(one_u, one_v), f->weight[1] = dd_scale(one_u, v);
        f->weight[2] = dd_scale(one_v, u), f->weight[3] = dd_two_product(u, v);
        if (u == 0 || u == 1)
            f->from = u == 0 ? 0 : 2, f->to = f->from + 1, f->s = v;
        else if (v == 0 || v == 1)
            f->from = v == 0 ? 0 : 1, f->to = f->from + 2, f->s = u;
        else
            f->size = 0;
        break;
    case GRAZE_PE:
        f->weight[0] = one_u, f->weight[1] = dd_of(u);
        f->from = 0, f->to = 1, f->s = u;
        break;
    case GRAZE_PP:
        f->weight[0] = dd_of(1);
        f->from = f->to = 0, f->s = 0;
        break;
    }
    if (f->size == 2 && (f->s == 0 || f->s == 1)) {
        f->size = 1;
        f->from = f->to = f->s == 0 ? f->from : f->to;
    }
}

/* N = e1 x e2 at t, on the side of b; `side` is the sign that e1 x e2 had there. From the edges themselves: the
   differences between the primitives may be much longer, and so may their roundings. */
static GZ_PAIR_FN gz_dd_vec plane_direction(const gz_motion *pair, const graze_query *query, const differences *d,
                                            double t, int *side) {
    gz_dd_vec e[2], rate[2];
    volume_vectors(pair, query, 2, e, rate);
    for (int i = 0; i < 2; i++) e[i] = dd_vec_add(e[i], dd_vec_scale(rate[i], t));
    gz_dd_vec n = dd_vec_cross(e[0], e[1]);
    *side = dd_vec_dot(n, difference_at(d, 0, t)).hi < 0 ? -1 : 1;
    return *side < 0 ? dd_vec_scale(n, -1) : n;
}

/* The direction between the closest points at t, on a corner or an edge. */
static GZ_PAIR_FN gz_dd_vec feature_direction(const differences *d, const feature *f, double t) {
    gz_dd_vec w = difference_at(d, f->from, t);
    if (f->size == 1) return w;
    gz_dd_vec e = dd_vec_sub(difference_at(d, f->to, t), w);
    w = dd_vec_add(w, dd_vec_scale(e, f->s));
    return dd_vec_add(w, dd_vec_scale(e, -dd_vec_dot(e, w).hi / dd_vec_dot(e, e).hi));
}

/* separation², before it was rounded up */
static GZ_PAIR_FN gz_dd squared_separation(const gz_motion *pair) {
    if (pair->surplus == 0) return dd_two_product(pair->separation, pair->separation);
    gz_dd separation = dd_two_sum(pair->separation, -pair->surplus);
    return dd_mul(separation, separation);
}

/* <n, w_k> > separation |n| at both times, so between them too, for the first `count` differences. `factor` widens the
   slacks where n stands for a vector that it is not exactly. */
static GZ_PAIR_FN bool proves_free(const differences *d, int count, gz_dd_vec n, gz_dd squared, double t0, double t1,
                                   double factor) {
    gz_dd length = dd_vec_dot(n, n);
    double size = fabs(n.x.hi) + fabs(n.y.hi) + fabs(n.z.hi);
    double slack = size * (GZ_DOT_SLACK_DD * factor) + GZ_VOLUME_TINY;
    gz_dd least = dd_mul(length, squared);
    for (int k = 0; k < count; k++) {
        gz_dd g0 = dd_vec_dot(n, d->w0[k]), rate = dd_vec_dot(n, d->rate[k]);
        for (int end = 0; end < 2; end++) {
            gz_dd g = dd_add(g0, dd_scale(rate, end ? t1 : t0));
            g = dd_sub(g, dd_of(slack));
            if (!(g.hi > 0)) return false;
            gz_dd over = dd_sub(dd_mul(g, g), least);
            double off = (g.hi * g.hi + least.hi) * (GZ_SQUARE_SLACK_DD * factor) + GZ_VOLUME_TINY;
            if (!(over.hi > off)) return false;
        }
    }
    return true;
}

/* |N| and |N|' at t. */
static GZ_PAIR_FN double normal_growth(const gz_volume *volume, double t, double *length) {
    const v_vec *n = volume->n;
    double s = 1 - t;
    v_vec r0 = vec_sub(n[1], n[0]), r1 = vec_sub(n[2], n[1]);
    v_vec normal = vec_add(vec_scale(vec_add(vec_scale(n[0], s), vec_scale(n[1], t)), s),
                           vec_scale(vec_add(vec_scale(n[1], s), vec_scale(n[2], t)), t));
    v_vec turning = vec_scale(vec_add(vec_scale(r0, s), vec_scale(r1, t)), 2);
    *length = sqrt(vec_dot(normal, normal));
    return vec_dot(normal, turning) / *length;
}

/* sign * f - separation * |N| falls all the way from t to t + span: its slope at t, less what rounding and curvature
   can take from it, is negative. */
static GZ_PAIR_FN bool distance_falls(const gz_volume *volume, int sign, double t, double span) {
    double length, growth = normal_growth(volume, t, &length), area = volume->area, thin = area / length;
    if (!(length > GZ_NORMAL_LEAST && span * thin < 0x1p-5 && thin < GZ_THIN_MAX)) return false;
    double slope = volume_slope(volume, t) * sign - volume->separation * growth;
    double off = 8 * volume->slack + volume->separation * area * (1 + 16 * thin) * GZ_TURN_SLACK;
    double curve = volume->size * GZ_VOLUME_CURVE + volume->separation * area * (1 + 25 * thin) * GZ_TURN_CURVE;
    return slope < -(off + span * curve);
}

/* |sum of weight_k w_k|² - `squared` at t; `rate` receives about its derivative */
static GZ_PAIR_FN gz_dd excess_at(const differences *d, const feature *f, gz_dd squared, double t, double *rate) {
    gz_dd_vec between = {{0, 0}, {0, 0}, {0, 0}};
    double moving[3] = {0, 0, 0};
    for (int k = 0; k < d->count; k++) {
        double weight = f->weight[k].hi;
        if (weight == 0) continue;
        between = dd_vec_add(between, dd_vec_mul(difference_at(d, k, t), f->weight[k]));
        moving[0] += d->rate[k].x.hi * weight;
        moving[1] += d->rate[k].y.hi * weight;
        moving[2] += d->rate[k].z.hi * weight;
    }
    *rate = 2 * (between.x.hi * moving[0] + between.y.hi * moving[1] + between.z.hi * moving[2]);
    return dd_sub(dd_vec_dot(between, between), squared);
}

GZ_PAIR_FN bool gz_adjacent_distance(const gz_motion *pair, const graze_query *query, const gz_volume *volume,
                                     double *lower, double *upper) {
    double t = *lower, u, v, rate, step = 0, before, after;
    differences d;
    differences_make(&d, pair, query);
    gz_dd squared = squared_separation(pair);
    feature f = {0};
    for (int i = 0; i < 3; i++) { /* Newton; the closest points move while it converges */
        gz_motion_closest(pair, t + step, &u, &v);
        feature_find(&f, pair, u, v);
        double move = -excess_at(&d, &f, squared, t + step, &rate).hi / rate;
        if (!(rate < 0)) return false;
        step += move;
        if (fabs(move) < 0x1p-34) break;
    }
    around(t, step, &before, &after);
    if (before < t || after > *upper) return false;
    if (!(excess_at(&d, &f, squared, after, &rate).hi < -GZ_SQUARE_SLACK_DD)) return false;
    if (f.size == 0) {
        /* a turning face: no one direction serves from t on, but its plane does, and is all that matters */
        int side;
        gz_dd_vec n = plane_direction(pair, query, &d, before, &side);
        int sign = pair->kind == GRAZE_VF ? -side : side; /* of f: q is -w0 there */
        if (!distance_falls(volume, sign, t, after - t)) return false;
        if (!proves_free(&d, 1, n, squared, before, before, GZ_THIN_FACTOR)) return false;
    } else if (!proves_free(&d, d.count, feature_direction(&d, &f, before), squared, t, before, 1)) {
        return false;
    }
    *lower = before;
    *upper = after;
    return true;
}
