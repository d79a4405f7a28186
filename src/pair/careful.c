/* Directions and distances in double-double, for pairs so close that rounding turns the vector between their closest
   points: what is left of it along an edge, or in the plane of both edges, is then as long as itself. Any direction may
   be tried and any two points be looked at, so no proof rests on how they were found. */
#include "pair/careful.h"

#include "pair/differences.h"

static GZ_PAIR_FN v_vec rounded(gz_dd_vec a) { return (v_vec){a.x.hi, a.y.hi, a.z.hi}; }

static GZ_PAIR_FN void differences_at(const gz_motion *pair, const graze_query *query, double t, gz_dd_vec *w) {
    differences d;
    differences_make(&d, pair, query);
    for (int k = 0; k < d.count; k++) w[k] = difference_at(&d, k, t);
}

/* The foot of the origin on the line through w and w + e: the second step takes away what rounding left of e. */
static GZ_PAIR_FN v_vec foot_on_line(gz_dd_vec w, gz_dd_vec e) {
    double square = dd_vec_dot(e, e).hi;
    for (int i = 0; i < 2 && square > 0; i++) w = dd_vec_add(w, dd_vec_scale(e, -dd_vec_dot(e, w).hi / square));
    return rounded(w);
}

GZ_PAIR_FN int gz_careful_directions(const gz_motion *pair, const graze_query *query, double t, v_vec n[5]) {
    static const int sides[4][2] = {{0, 1}, {0, 2}, {1, 2}}, square[4][2] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
    const int(*lines)[2] = pair->kind == GRAZE_EE ? square : sides;
    int count = pair->kind == GRAZE_EE ? 4 : pair->kind == GRAZE_VF ? 3 : pair->kind == GRAZE_PE ? 1 : 0;
    gz_dd_vec w[4];
    differences_at(pair, query, t, w);
    for (int i = 0; i < count; i++) n[i] = foot_on_line(w[lines[i][0]], dd_vec_sub(w[lines[i][1]], w[lines[i][0]]));
    if (count < 3) return count;
    gz_dd_vec normal = dd_vec_cross(dd_vec_sub(w[1], w[0]), dd_vec_sub(w[2], w[0]));
    n[count] = vec_scale(rounded(normal), dd_vec_dot(normal, w[0]).hi < 0 ? -1 : 1);
    return count + 1;
}

GZ_PAIR_FN bool gz_careful_within(const gz_motion *pair, const graze_query *query, double t, double more) {
    if (pair->count < 3) return false;
    gz_dd_vec w[4];
    differences_at(pair, query, t, w);
    gz_dd_vec e1 = dd_vec_sub(w[1], w[0]), e2 = dd_vec_sub(w[2], w[0]);
    gz_dd a11 = dd_vec_dot(e1, e1), a12 = dd_vec_dot(e1, e2), a22 = dd_vec_dot(e2, e2);
    gz_dd c1 = dd_neg(dd_vec_dot(e1, w[0])), c2 = dd_neg(dd_vec_dot(e2, w[0]));
    double det = dd_sub(dd_mul(a11, a22), dd_mul(a12, a12)).hi;
    double r = dd_sub(dd_mul(c1, a22), dd_mul(c2, a12)).hi / det, s = dd_sub(dd_mul(c2, a11), dd_mul(c1, a12)).hi / det;
    if (!(r >= 0 && s >= 0 && (pair->kind == GRAZE_VF ? r + s <= 1 : r <= 1 && s <= 1))) return false;
    gz_dd_vec between = dd_vec_add(w[0], dd_vec_add(dd_vec_scale(e1, r), dd_vec_scale(e2, s)));
    return gz_motion_proves_reach(rounded(between), pair->separation + more);
}
