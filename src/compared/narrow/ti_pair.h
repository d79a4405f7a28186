/* Tight Inclusion: a pair, and its inclusion box. No context, so that a device has it too. */
#ifndef GZ_COMPARED_NARROW_TI_PAIR_H
#define GZ_COMPARED_NARROW_TI_PAIR_H

#include "graze/query.h"

#include "numerics/error_bounds.h"
#include "numerics/lanes.h"

/* The difference A − B of the two primitives on one axis is (p + t·dp) + u·(q + t·dq) + v·(r + t·dr). Exposed for the
   tests, which hold its corner values against exact ones. */
typedef struct gz_ti_pair {
    double p[4], dp[4], q[4], dq[4], r[4], dr[4];
    double reach[4];   /* the filter, plus the separation: a box that stays farther than this from 0 holds no contact */
    double stretch[3]; /* how far F moves, at most, along t, u and v */
} gz_ti_pair;

/* ---- the pair ---- */

static GZ_INLINE void prepare(graze_kind kind, const graze_query *query, double separation, gz_ti_pair *pair) {
    /* p, q and r are differences of two rows each: VF v−f0, f0−f1, f0−f2; EE a0−b0, a1−a0, b0−b1 */
    static const unsigned char rows[2][6] = {{0, 1, 1, 2, 1, 3}, {0, 2, 1, 0, 2, 3}};
    const unsigned char *row = rows[kind == GRAZE_EE];
    double x0[4][4], x1[4][4], largest[4];
    for (int i = 0; i < 4; i++) {
        for (int c = 0; c < 3; c++) {
            x0[i][c] = query->x0[i][c];
            x1[i][c] = query->x1[i][c];
        }
        x0[i][3] = x1[i][3] = 0;
    }
    double filter = kind == GRAZE_EE ? GZ_TI_FILTER_EE : GZ_TI_FILTER_VF;
    if (separation > 0) filter = kind == GRAZE_EE ? GZ_TI_FILTER_EE_SEPARATION : GZ_TI_FILTER_VF_SEPARATION;
    double least = separation > 1 ? separation : 1;
    for (int c = 0; c < 4; c++) largest[c] = least;
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 4; c++) {
            double a = fabs(x0[i][c]), b = fabs(x1[i][c]);
            a = a > b ? a : b;
            largest[c] = largest[c] > a ? largest[c] : a;
        }
    double along_t[4], along_u[4], along_v[4];
    for (int c = 0; c < 4; c++) {
        pair->reach[c] = filter * (largest[c] * largest[c] * largest[c]) + separation;
        double p0 = x0[row[0]][c] - x0[row[1]][c], p1 = x1[row[0]][c] - x1[row[1]][c];
        double q0 = x0[row[2]][c] - x0[row[3]][c], q1 = x1[row[2]][c] - x1[row[3]][c];
        double r0 = x0[row[4]][c] - x0[row[5]][c], r1 = x1[row[4]][c] - x1[row[5]][c];
        double dp = p1 - p0, dq = q1 - q0, dr = r1 - r0;
        pair->p[c] = p0;
        pair->q[c] = q0;
        pair->r[c] = r0;
        pair->dp[c] = dp;
        pair->dq[c] = dq;
        pair->dr[c] = dr;
        double a = fabs(dp), b = fabs(dp + dq), d = fabs(dp + dr), e = fabs(dp + dq + dr);
        a = a > b ? a : b;
        d = d > e ? d : e;
        along_t[c] = a > d ? a : d;
        along_u[c] = fabs(q0) > fabs(q1) ? fabs(q0) : fabs(q1);
        along_v[c] = fabs(r0) > fabs(r1) ? fabs(r0) : fabs(r1);
    }
    pair->stretch[0] = fmax(fmax(along_t[0], along_t[1]), along_t[2]);
    pair->stretch[1] = fmax(fmax(along_u[0], along_u[1]), along_u[2]);
    pair->stretch[2] = fmax(fmax(along_v[0], along_v[1]), along_v[2]);
}

/* ---- the inclusion box ---- */

typedef struct box_lanes {
    v_real t0, t1, u0, u1, v0, v1;
} box_lanes;

/* Smallest and largest of the 8 corner values on one axis. Rounding is monotone, so the smallest computed sum is the
   sum of the smallest terms: no corner is left out. */
static GZ_INLINE void corner_range(const gz_ti_pair *pair, int c, const box_lanes *box, v_real *low, v_real *high) {
    v_real p = v_set1(pair->p[c]), dp = v_set1(pair->dp[c]);
    v_real q = v_set1(pair->q[c]), dq = v_set1(pair->dq[c]);
    v_real r = v_set1(pair->r[c]), dr = v_set1(pair->dr[c]);
    v_real pa = v_add(p, v_mul(box->t0, dp)), pb = v_add(p, v_mul(box->t1, dp));
    v_real qa = v_add(q, v_mul(box->t0, dq)), qb = v_add(q, v_mul(box->t1, dq));
    v_real ra = v_add(r, v_mul(box->t0, dr)), rb = v_add(r, v_mul(box->t1, dr));
    v_real qa0 = v_mul(box->u0, qa), qa1 = v_mul(box->u1, qa), qb0 = v_mul(box->u0, qb), qb1 = v_mul(box->u1, qb);
    v_real ra0 = v_mul(box->v0, ra), ra1 = v_mul(box->v1, ra), rb0 = v_mul(box->v0, rb), rb1 = v_mul(box->v1, rb);
    v_real low_a = v_add(v_add(pa, v_min(qa0, qa1)), v_min(ra0, ra1));
    v_real low_b = v_add(v_add(pb, v_min(qb0, qb1)), v_min(rb0, rb1));
    v_real high_a = v_add(v_add(pa, v_max(qa0, qa1)), v_max(ra0, ra1));
    v_real high_b = v_add(v_add(pb, v_max(qb0, qb1)), v_max(rb0, rb1));
    *low = v_min(low_a, low_b);
    *high = v_max(high_a, high_b);
}

#endif
