/* Pairs whose vertices have radii: each primitive is the hull of balls around its vertices, and over a primitive the
   radius is as linear as the points are. So the pair is within the separation where |w| <= reach for a convex
   combination (w, reach) of the differences and their reaches; |w| - reach is a convex function of the parameters, and
   its least value has a closed form on every feature. What a direction and a point prove: docs/numerics.md, section
   4.11. Nothing but gz_thick_within is a proof here. */
#include "pair/thick.h"

#include "numerics/double_double.h"

#include <math.h>

GZ_PAIR_FN double gz_reach_of(double separation, double radius_a, double radius_b) {
    return (separation + radius_a + radius_b) * GZ_REACH_UP;
}

GZ_PAIR_FN bool gz_largest_radii(graze_kind kind, const double *radii, double most[2]) {
    int split = gz_kind_rows_of_a(kind);
    bool equal = true;
    most[0] = radii[0];
    most[1] = radii[split];
    for (int i = 0; i < gz_kind_rows(kind); i++) {
        double *side = &most[i >= split];
        if (radii[i] != *side) equal = false;
        *side = v_max(*side, radii[i]);
    }
    return equal;
}

/* a + b rounded up; *below receives what of the sum is left out, and is at most 0 */
static GZ_PAIR_FN double sum_up(double a, double b, double *below) {
    gz_dd sum = dd_two_sum(a, b);
    double up = sum.lo > 0 ? nextafter(sum.hi, (double)INFINITY) : sum.hi;
    *below = (sum.hi - up) + sum.lo;
    return up;
}

GZ_PAIR_FN double gz_reach_up(double separation, const double radii[2], double *surplus) {
    double first, second, reach = sum_up(sum_up(separation, radii[0], &first), radii[1], &second);
    *surplus = -(first + second);
    return reach;
}

GZ_PAIR_FN void gz_motion_make_thick(gz_motion *pair, graze_kind kind, const graze_query *query, double separation,
                                     const double *radii) {
    double most[2];
    gz_largest_radii(kind, radii, most);
    gz_motion_make(pair, kind, query, gz_reach_of(separation, most[0], most[1]));
    pair->thick = true;
    for (int k = 0; k < pair->count; k++)
        pair->reach[k] =
            gz_reach_of(separation, radii[gz_difference_from(kind, k)], radii[gz_difference_to(kind, k)]) * pair->scale;
}

/* ---- the least |w| - reach ---- */

/* (w, reach) at a corner, and how both change along an edge */
typedef struct lifted {
    v_vec w;
    double reach;
} lifted;

static GZ_PAIR_FN lifted lifted_sub(lifted a, lifted b) { return (lifted){vec_sub(a.w, b.w), a.reach - b.reach}; }
static GZ_PAIR_FN lifted lifted_along(lifted a, lifted e, double s) {
    return (lifted){vec_add(a.w, vec_scale(e.w, s)), a.reach + e.reach * s};
}
static GZ_PAIR_FN double length_of(v_vec a) { return sqrt(vec_dot(a, a)); }
/* Parameter of the best point of a + s e. Along the line |w| grows like a hyperbola over its foot, reach like a line:
   the best point is where their slopes agree, which the slope of a line that is as steep as the edge is long never
   does. */
static GZ_PAIR_FN double best_on_segment(lifted a, lifted e) {
    double square = vec_dot(e.w, e.w), left = square - e.reach * e.reach;
    if (!(left > 0)) return e.reach > 0;
    double foot = -vec_dot(e.w, a.w) / square;
    return gz_clamp01(foot + length_of(lifted_along(a, e, foot).w) * e.reach / sqrt(left * square));
}

typedef struct best_point {
    double excess, u, v; /* |w| - reach */
    v_vec w;
} best_point;

static GZ_PAIR_FN void consider(best_point *best, lifted a, lifted e1, lifted e2, double u, double v) {
    lifted at = lifted_along(lifted_along(a, e1, u), e2, v);
    double excess = length_of(at.w) - at.reach;
    if (!(excess < best->excess)) return;
    *best = (best_point){.excess = excess, .u = u, .v = v, .w = at.w};
}

/* The best point of the plane a + u e1 + v e2 and the direction there, when it has one: the part of w in the plane is
   |w| times the vector g with <g, e> = slope of reach along e. False where reach is steeper than that, or the plane
   thin. */
static GZ_PAIR_FN bool best_in_plane(lifted a, lifted e1, lifted e2, double *u, double *v, v_vec *direction) {
    double a11 = vec_dot(e1.w, e1.w), a22 = vec_dot(e2.w, e2.w), a12 = vec_dot(e1.w, e2.w);
    double det = a11 * a22 - a12 * a12;
    if (!(det > 0)) return false;
    double c1 = -vec_dot(e1.w, a.w), c2 = -vec_dot(e2.w, a.w);
    double foot_u = (c1 * a22 - c2 * a12) / det, foot_v = (c2 * a11 - c1 * a12) / det;
    double along_u = (e1.reach * a22 - e2.reach * a12) / det, along_v = (e2.reach * a11 - e1.reach * a12) / det;
    double left = 1 - (along_u * e1.reach + along_v * e2.reach);
    if (!(left > 0)) return false;
    v_vec normal = vec_cross(e1.w, e2.w), g = vec_add(vec_scale(e1.w, along_u), vec_scale(e2.w, along_v));
    double height = vec_dot(normal, a.w) / length_of(normal), far = fabs(height) / sqrt(left);
    *u = foot_u + far * along_u;
    *v = foot_v + far * along_v;
    *direction = vec_add(vec_scale(normal, (height < 0 ? -1 : 1) * sqrt(left) / length_of(normal)), g);
    return isfinite(direction->x) && isfinite(direction->y) && isfinite(direction->z);
}

static GZ_PAIR_FN best_point best_of(const gz_motion *pair, double t, v_vec *direction) {
    v_vec w[4] = {{0, 0, 0}};
    probe_at(pair->w0, pair->w1, pair->count, t, w);
    bool square = pair->kind == GRAZE_EE;
    lifted a = {w[0], pair->reach[0]}, e1 = {{0, 0, 0}, 0}, e2 = e1;
    if (pair->count > 1) e1 = lifted_sub((lifted){w[square ? 2 : 1], pair->reach[square ? 2 : 1]}, a);
    if (pair->count > 2) e2 = lifted_sub((lifted){w[square ? 1 : 2], pair->reach[square ? 1 : 2]}, a);
    best_point best = {.excess = INFINITY};
    if (pair->count == 1) {
        consider(&best, a, e1, e2, 0, 0);
    } else if (pair->count == 2) {
        consider(&best, a, e1, e2, best_on_segment(a, e1), 0);
    } else {
        double u, v;
        if (best_in_plane(a, e1, e2, &u, &v, direction) && u >= 0 && v >= 0 &&
            (square ? u <= 1 && v <= 1 : u + v <= 1)) {
            consider(&best, a, e1, e2, u, v);
            return best;
        }
        consider(&best, a, e1, e2, best_on_segment(a, e1), 0);
        consider(&best, a, e1, e2, 0, best_on_segment(a, e2));
        if (square) {
            consider(&best, a, e1, e2, best_on_segment(lifted_along(a, e2, 1), e1), 1);
            consider(&best, a, e1, e2, 1, best_on_segment(lifted_along(a, e1, 1), e2));
        } else {
            double s = best_on_segment(lifted_along(a, e1, 1), lifted_sub(e2, e1));
            consider(&best, a, e1, e2, 1 - s, s);
        }
    }
    *direction = best.w;
    return best;
}

GZ_PAIR_FN v_vec gz_thick_closest(const gz_motion *pair, double t, double *u, double *v) {
    v_vec ignored;
    best_point best = best_of(pair, t, &ignored);
    *u = best.u;
    *v = best.v;
    return best.w;
}

GZ_PAIR_FN v_vec gz_thick_direction(const gz_motion *pair, double t) {
    v_vec n;
    best_of(pair, t, &n);
    return n;
}

GZ_PAIR_FN double gz_thick_gap(const gz_motion *pair, double t) {
    v_vec ignored;
    return best_of(pair, t, &ignored).excess;
}

GZ_PAIR_FN double gz_thick_reach(const gz_motion *pair, double u, double v) {
    const double *r = pair->reach;
    bool square = pair->kind == GRAZE_EE;
    double reach = r[0];
    if (pair->count > 1) reach += (r[square ? 2 : 1] - r[0]) * u;
    if (pair->count > 2) reach += (r[square ? 1 : 2] - r[0]) * v;
    return reach - GZ_REACH_SLACK;
}

GZ_PAIR_FN bool gz_thick_within(const gz_motion *pair, double t, double more, double *u, double *v) {
    v_vec ignored;
    best_point best = best_of(pair, t, &ignored);
    *u = best.u;
    *v = best.v;
    return gz_motion_proves_reach(best.w, gz_thick_reach(pair, best.u, best.v) + more);
}

/* ---- at rest ---- */

static GZ_PAIR_FN void make_still(gz_motion *pair, graze_kind kind, const double (*x)[3], const double *radii,
                                  double separation) {
    graze_query query = {{{0}}, {{0}}};
    for (int i = 0; i < gz_kind_rows(kind); i++)
        for (int c = 0; c < 3; c++) query.x0[i][c] = query.x1[i][c] = x[i][c];
    gz_motion_make_thick(pair, kind, &query, separation, radii);
}

GZ_PAIR_FN void gz_thick_start_direction(graze_kind kind, const double (*x)[3], const double *radii, double separation,
                                         double n[3]) {
    gz_motion pair;
    make_still(&pair, kind, x, radii, separation);
    v_vec w = gz_thick_direction(&pair, 0);
    double length = length_of(w);
    if (!(length > 0)) length = 1;
    n[0] = w.x / length, n[1] = w.y / length, n[2] = w.z / length;
}

GZ_PAIR_FN double gz_thick_start_distance(graze_kind kind, const double (*x)[3], const double *radii) {
    gz_motion pair;
    make_still(&pair, kind, x, radii, 0);
    return gz_thick_gap(&pair, 0) / pair.scale;
}
