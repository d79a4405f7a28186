/* The volume polynomial: where the four points of a pair do not lie in a plane they cannot touch, and where its sign
   changes while the contact is strictly inside both primitives they do. docs/numerics.md, sections 4.4 and 4.5. */
#include "pair/volume.h"

#include "numerics/hull.h"

#include <math.h>

static GZ_PAIR_FN double size_of(const v_vec x[2]) {
    v_vec m = vec_max_abs(x[0], x[1]);
    return v_max(m.x, v_max(m.y, m.z));
}

GZ_PAIR_FN void gz_volume_make(gz_volume *volume, const gz_motion *pair) {
    const v_vec *e1 = pair->e1, *e2 = pair->e2, *q = pair->q;
    v_vec n0 = vec_cross(e1[0], e2[0]), n2 = vec_cross(e1[1], e2[1]);
    v_vec n1 = vec_add(vec_cross(e1[0], e2[1]), vec_cross(e1[1], e2[0]));
    volume->c[0] = vec_dot(n0, q[0]);
    volume->c[1] = (vec_dot(n1, q[0]) + vec_dot(n0, q[1])) * (1.0 / 3);
    volume->c[2] = (vec_dot(n2, q[0]) + vec_dot(n1, q[1])) * (1.0 / 3);
    volume->c[3] = vec_dot(n2, q[1]);
    double area = size_of(e1) * size_of(e2), size = area * size_of(q);
    volume->area = area;
    volume->size = size;
    volume->slack = size * GZ_VOLUME_SLACK + GZ_VOLUME_TINY;
    volume->separation = pair->separation;
    volume->n[0] = n0;
    volume->n[1] = vec_scale(n1, 0.5);
    volume->n[2] = n2;
    volume->normal_slack = pair->separation * area * GZ_NORMAL_SLACK;
}

/* The right part of a Bezier polynomial from s on, in place; `degree` is a constant at every call. */
static GZ_INLINE void keep_right(double *b, int degree, double s) {
    for (int level = degree; level > 0; level--)
        for (int i = 0; i < level; i++) b[i] = (1 - s) * b[i] + s * b[i + 1];
}
static GZ_INLINE void keep_left(double *b, int degree, double s) {
    for (int level = 0; level < degree; level++)
        for (int i = degree; i > level; i--) b[i] = (1 - s) * b[i - 1] + s * b[i];
}

/* Bernstein coefficients on [t, 1] */
static GZ_INLINE void restrict_to(const gz_volume *volume, double t, double b[4]) {
    const double *c = volume->c;
    double s = 1 - t;
    double c01 = s * c[0] + t * c[1], c12 = s * c[1] + t * c[2], c23 = s * c[2] + t * c[3];
    double c012 = s * c01 + t * c12, c123 = s * c12 + t * c23;
    b[0] = s * c012 + t * c123;
    b[1] = c123;
    b[2] = c23;
    b[3] = c[3];
}

GZ_PAIR_FN double gz_volume_at(const gz_volume *volume, double t) {
    double b[4];
    restrict_to(volume, t, b);
    return b[0];
}

/* Coefficients, on [t, t + part (1 - t)], of a polynomial that is nowhere above sign * f - separation * |N|. */
static GZ_PAIR_FN void lower_bound(const gz_volume *volume, double t, double part, const double b[4], int sign,
                                   double low[4]) {
    for (int i = 0; i < 4; i++) low[i] = b[i] * sign;
    if (part < 1) keep_left(low, 3, part);
    for (int i = 0; i < 4; i++) low[i] -= volume->slack;
    if (volume->separation == 0) return;
    /* a norm is convex: |N| is at most the polynomial with the norms of N's coefficients; raised to degree 3 */
    double x[3], y[3], z[3], length[3];
    for (int i = 0; i < 3; i++) x[i] = volume->n[i].x, y[i] = volume->n[i].y, z[i] = volume->n[i].z;
    keep_right(x, 2, t), keep_right(y, 2, t), keep_right(z, 2, t);
    if (part < 1) keep_left(x, 2, part), keep_left(y, 2, part), keep_left(z, 2, part);
    for (int i = 0; i < 3; i++)
        length[i] = sqrt(x[i] * x[i] + y[i] * y[i] + z[i] * z[i] + GZ_NORM_TINY) * volume->separation;
    low[0] -= length[0] + volume->normal_slack;
    low[1] -= (length[0] + 2 * length[1]) * (1.0 / 3) + volume->normal_slack;
    low[2] -= (2 * length[1] + length[2]) * (1.0 / 3) + volume->normal_slack;
    low[3] -= length[2] + volume->normal_slack;
}

/* A time not after t + step, of which the step is a crossing of the control polygon with its rounding. */
static GZ_PAIR_FN double later(double t, double step) { return (t + step * GZ_CLIP_DOWN) * GZ_TIME_DOWN; }

/* Without a separation, at once to just before the first root, found by Newton's method and then proven to be the
   first. False when that fails, and nothing is known. */
static GZ_PAIR_FN bool leap(const gz_volume *volume, const double b[4], int sign, double *t) {
    double a0 = b[0] * sign, a1 = 3 * (b[1] - b[0]) * sign, a2 = 3 * (b[2] - 2 * b[1] + b[0]) * sign;
    double a3 = (b[3] - 3 * (b[2] - b[1]) - b[0]) * sign;
    double s = 0, slope = a1;
    for (int i = 0; i < 8; i++) {
        double value = a0 + s * (a1 + s * (a2 + s * a3));
        slope = a1 + s * (2 * a2 + s * (3 * a3));
        if (!(slope < 0)) return false;
        double move = value / slope;
        s -= move;
        if (!(s > 0 && s < 1)) return false;
        if (fabs(move) < 0x1p-30) break; /* the error is about the square of that */
    }
    s -= (3 * volume->slack) / -slope + 0x1p-50;
    if (!(s > 0)) return false;
    double low[4] = {b[0], b[1], b[2], b[3]};
    keep_left(low, 3, s);
    for (int i = 0; i < 4; i++)
        if (!(low[i] * sign > volume->slack)) return false;
    double next = later(*t, s * (1 - *t));
    if (!(next > *t)) return false;
    *t = next;
    return true;
}

GZ_PAIR_FN int gz_volume_advance(const gz_volume *volume, double *t, uint64_t *checks, uint64_t max_checks) {
    int sign = 0;
    double part = 1; /* of the time left that is looked at: |N| is bounded well over short times only */
    while (*checks < max_checks) {
        ++*checks;
        double b[4], low[4];
        restrict_to(volume, *t, b);
        if (!(fabs(b[0]) > volume->slack)) break;
        int side = b[0] > 0 ? 1 : -1;
        if (volume->separation == 0 && leap(volume, b, side, t)) return side;
        lower_bound(volume, *t, part, b, side, low);
        if (!(low[0] > 0)) break;
        sign = side;
        double step = gz_hull_falls(low);
        bool all = step > 1;
        if (all && part == 1) {
            *t = 1;
            break;
        }
        if (all) step = 1;
        double next = later(*t, step * part * (1 - *t));
        if (!(next > *t)) break;
        double moved = next - *t;
        *t = next;
        if (volume->separation > 0) part = v_min(1, part * (all ? 8 : 2 * step));
        if (!all && moved < 0x1p-46) break;
    }
    return sign;
}

/* The determinant of a contact inside both primitives and the numerators of its parameters. */
typedef struct inside_terms {
    double det, u, v;
} inside_terms;

static GZ_PAIR_FN inside_terms inside_of(graze_kind kind, const v_vec x[3]) {
    double a11 = vec_dot(x[0], x[0]), a12 = vec_dot(x[0], x[1]), a22 = vec_dot(x[1], x[1]);
    double c1 = vec_dot(x[0], x[2]), c2 = vec_dot(x[1], x[2]);
    return (inside_terms){a11 * a22 - a12 * a12, c1 * a22 - c2 * a12,
                          kind == GRAZE_VF ? c2 * a11 - c1 * a12 : c1 * a12 - c2 * a11};
}

/* Error bounds of these terms, with `off` in units of the product of four sizes. */
static GZ_PAIR_FN inside_terms inside_errors(const gz_motion *pair, double off) {
    double m1 = size_of(pair->e1), m2 = size_of(pair->e2), mq = size_of(pair->q);
    return (inside_terms){m1 * m1 * m2 * m2 * off + GZ_VOLUME_TINY, m1 * m2 * m2 * mq * off + GZ_VOLUME_TINY,
                          m1 * m1 * m2 * mq * off + GZ_VOLUME_TINY};
}

static GZ_PAIR_FN bool is_inside_beyond(graze_kind kind, inside_terms at, inside_terms off) {
    if (!(at.det > off.det && at.u > off.u && at.v > off.v)) return false;
    if (kind == GRAZE_VF) return at.det - at.u - at.v > off.det + off.u + off.v;
    return at.det - at.u > off.det + off.u && at.det - at.v > off.det + off.v;
}

static GZ_PAIR_FN void vectors_at(const gz_motion *pair, double t, v_vec x[3]) {
    const v_vec *ends[3] = {pair->e1, pair->e2, pair->q};
    for (int i = 0; i < 3; i++) x[i] = vec_add(ends[i][0], vec_scale(vec_sub(ends[i][1], ends[i][0]), t));
}

GZ_PAIR_FN bool gz_volume_hit_by(const gz_motion *pair, const gz_volume *volume, double t, int sign, double upper,
                                 gz_contact *contact) {
    double span = upper - t; /* rounded; GZ_INSIDE_RATE has room for that */
    if (!(span <= GZ_INSIDE_SPAN)) return false;
    if (!(gz_volume_at(volume, upper) * sign < -volume->slack)) return false;
    v_vec x[3];
    vectors_at(pair, t, x);
    inside_terms at = inside_of(pair->kind, x);
    if (!is_inside_beyond(pair->kind, at, inside_errors(pair, span * GZ_INSIDE_RATE + GZ_INSIDE_SLACK))) return false;
    contact->u = at.u / at.det;
    contact->v = at.v / at.det;
    /* f > 0: the vertex is ahead of the face along e1 x e2, but edge b is ahead of edge a */
    contact->normal = vec_scale(vec_cross(x[0], x[1]), pair->kind == GRAZE_VF ? sign : -sign);
    return true;
}

GZ_PAIR_FN bool gz_volume_hit(const gz_motion *pair, const gz_volume *volume, double t, int sign, double *upper,
                              gz_contact *contact) {
    double b[4];
    restrict_to(volume, t, b);
    double left = 1 - t, slope = 3 * (b[0] - b[1]) * sign; /* how fast |f| falls, for all that is left of the step */
    if (!(left > 0 && slope > 0)) return false;
    double step = (fabs(b[0]) + 2 * volume->slack) / slope * left + 0x1p-51;
    for (int i = 0; i < 3; i++, step *= 8) {
        double end = t + step;
        if (end > 1) end = 1;
        if (gz_volume_at(volume, end) * sign < -volume->slack) {
            *upper = end;
            return gz_volume_hit_by(pair, volume, t, sign, end, contact);
        }
    }
    return false;
}
