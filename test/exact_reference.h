/* Distances at one rational time in GMP rationals, by ways that the library does not use: closest points by clamping
   and by Gram's equations (Euclidean), all vertices of the linear program (largest norm). */
#ifndef GRAZE_TEST_EXACT_REFERENCE_H
#define GRAZE_TEST_EXACT_REFERENCE_H

#include "check.h"

#include <gmp.h>

typedef struct reference {
    mpq_t x[4][3];
    mpq_t best, s, t, det, a, b, c, d, e, tmp, tmp2, w[3], q[3], e1[3], e2[3];
} reference;

static void reference_each(reference *r, void (*visit)(mpq_ptr)) {
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) visit(r->x[i][k]);
    mpq_ptr all[] = {r->best, r->s, r->t, r->det, r->a, r->b, r->c, r->d, r->e, r->tmp, r->tmp2};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) visit(all[i]);
    for (int k = 0; k < 3; k++) visit(r->w[k]), visit(r->q[k]), visit(r->e1[k]), visit(r->e2[k]);
}

static inline void reference_begin(reference *r) { reference_each(r, mpq_init); }
static inline void reference_end(reference *r) { reference_each(r, mpq_clear); }

static inline int reference_rows(graze_kind kind) { return kind == GRAZE_PP ? 2 : kind == GRAZE_PE ? 3 : 4; }

/* The positions of the points at time t. */
static inline void reference_move(reference *r, graze_kind kind, const graze_query *query, const mpq_t t) {
    for (int i = 0; i < reference_rows(kind); i++)
        for (int c = 0; c < 3; c++) {
            mpq_set_d(r->x[i][c], query->x0[i][c]);
            mpq_set_d(r->tmp, query->x1[i][c]);
            mpq_sub(r->tmp, r->tmp, r->x[i][c]);
            mpq_mul(r->tmp, r->tmp, t);
            mpq_add(r->x[i][c], r->x[i][c], r->tmp);
        }
}

static inline void reference_dot(mpq_t result, mpq_t a[3], mpq_t b[3], mpq_t tmp) {
    mpq_mul(result, a[0], b[0]);
    mpq_mul(tmp, a[1], b[1]);
    mpq_add(result, result, tmp);
    mpq_mul(tmp, a[2], b[2]);
    mpq_add(result, result, tmp);
}

/* best = min(best, |q − s·e1 − t·e2|²) */
static inline void reference_offer(reference *r, mpq_t q[3], mpq_t s, mpq_t e1[3], mpq_t t, mpq_t e2[3]) {
    for (int c = 0; c < 3; c++) {
        mpq_mul(r->tmp, s, e1[c]);
        mpq_sub(r->w[c], q[c], r->tmp);
        mpq_mul(r->tmp, t, e2[c]);
        mpq_sub(r->w[c], r->w[c], r->tmp);
    }
    reference_dot(r->tmp2, r->w, r->w, r->tmp);
    if (mpq_sgn(r->best) < 0 || mpq_cmp(r->tmp2, r->best) < 0) mpq_set(r->best, r->tmp2);
}

static inline void reference_point_segment(reference *r, int p, int a, int b) {
    mpq_t q[3], e[3];
    for (int c = 0; c < 3; c++) {
        mpq_init(q[c]), mpq_init(e[c]);
        mpq_sub(q[c], r->x[p][c], r->x[a][c]);
        mpq_sub(e[c], r->x[b][c], r->x[a][c]);
    }
    reference_dot(r->a, e, e, r->tmp);
    mpq_set_ui(r->s, 0, 1);
    mpq_set_ui(r->t, 0, 1);
    if (mpq_sgn(r->a) > 0) {
        reference_dot(r->s, q, e, r->tmp);
        mpq_div(r->s, r->s, r->a);
        if (mpq_sgn(r->s) < 0) mpq_set_ui(r->s, 0, 1);
        if (mpq_cmp_ui(r->s, 1, 1) > 0) mpq_set_ui(r->s, 1, 1);
    }
    reference_offer(r, q, r->s, e, r->t, e);
    for (int c = 0; c < 3; c++) mpq_clear(q[c]), mpq_clear(e[c]);
}

/* Sets r->best to the squared distance of the points where they are now. */
static inline void reference_distance(reference *r, graze_kind kind) {
    mpq_set_si(r->best, -1, 1);
    if (kind == GRAZE_PP) reference_point_segment(r, 0, 1, 1);
    if (kind == GRAZE_PE) reference_point_segment(r, 0, 1, 2);
    if (kind == GRAZE_PP || kind == GRAZE_PE) return;
    bool face = kind == GRAZE_VF;
    if (face) {
        for (int i = 1; i <= 3; i++) reference_point_segment(r, 0, i, i % 3 + 1);
    } else {
        for (int i = 0; i < 2; i++) reference_point_segment(r, i, 2, 3), reference_point_segment(r, i + 2, 0, 1);
    }
    /* minimize |q − s·e1 − t·e2|²: EE has q = b0 − a0 and e2 = −(b1 − b0) */
    for (int c = 0; c < 3; c++) {
        mpq_sub(r->q[c], r->x[face ? 0 : 2][c], r->x[face ? 1 : 0][c]);
        mpq_sub(r->e1[c], r->x[face ? 2 : 1][c], r->x[face ? 1 : 0][c]);
        if (face)
            mpq_sub(r->e2[c], r->x[3][c], r->x[1][c]);
        else
            mpq_sub(r->e2[c], r->x[2][c], r->x[3][c]);
    }
    reference_dot(r->a, r->e1, r->e1, r->tmp);
    reference_dot(r->b, r->e1, r->e2, r->tmp);
    reference_dot(r->c, r->e2, r->e2, r->tmp);
    reference_dot(r->d, r->e1, r->q, r->tmp);
    reference_dot(r->e, r->e2, r->q, r->tmp);
    mpq_mul(r->det, r->a, r->c);
    mpq_mul(r->tmp, r->b, r->b);
    mpq_sub(r->det, r->det, r->tmp);
    if (mpq_sgn(r->det) == 0) return;
    mpq_mul(r->s, r->d, r->c);
    mpq_mul(r->tmp, r->b, r->e);
    mpq_sub(r->s, r->s, r->tmp);
    mpq_div(r->s, r->s, r->det);
    mpq_mul(r->t, r->a, r->e);
    mpq_mul(r->tmp, r->b, r->d);
    mpq_sub(r->t, r->t, r->tmp);
    mpq_div(r->t, r->t, r->det);
    if (mpq_sgn(r->s) < 0 || mpq_sgn(r->t) < 0) return;
    if (face) {
        mpq_add(r->tmp, r->s, r->t);
        if (mpq_cmp_ui(r->tmp, 1, 1) > 0) return;
    } else if (mpq_cmp_ui(r->s, 1, 1) > 0 || mpq_cmp_ui(r->t, 1, 1) > 0) {
        return;
    }
    reference_offer(r, r->q, r->s, r->e1, r->t, r->e2);
}

/* A line a·s + b·t = c in the plane of the parameters. */
typedef struct reference_line {
    mpq_t a, b, c;
} reference_line;

/* Sets r->best to the distance in the largest norm: w = q − s·e1 − t·e2, and the least of max |w_c| over the domain is
   taken where two of these lines cross: w_c = 0, w_c = ±w_d, the domain's sides. */
static inline void reference_distance_max(reference *r, graze_kind kind) {
    bool face = kind != GRAZE_EE;
    int rows = reference_rows(kind);
    for (int c = 0; c < 3; c++) {
        mpq_sub(r->q[c], r->x[face ? 0 : 2][c], r->x[face ? 1 : 0][c]);
        mpq_set_ui(r->e1[c], 0, 1);
        mpq_set_ui(r->e2[c], 0, 1);
        if (!face) mpq_sub(r->e1[c], r->x[1][c], r->x[0][c]), mpq_sub(r->e2[c], r->x[2][c], r->x[3][c]);
        if (face && rows > 2) mpq_sub(r->e1[c], r->x[2][c], r->x[1][c]);
        if (face && rows > 3) mpq_sub(r->e2[c], r->x[3][c], r->x[1][c]);
    }
    reference_line lines[13];
    int n = 0;
    for (int i = 0; i < 13; i++) mpq_init(lines[i].a), mpq_init(lines[i].b), mpq_init(lines[i].c);
    for (int c = 0; c < 3; c++, n++) {
        mpq_set(lines[n].a, r->e1[c]), mpq_set(lines[n].b, r->e2[c]), mpq_set(lines[n].c, r->q[c]);
    }
    for (int c = 0; c < 3; c++)
        for (int sign = 0; sign < 2; sign++, n++) {
            int d = (c + 1) % 3;
            void (*combine)(mpq_ptr, mpq_srcptr, mpq_srcptr) = sign ? mpq_add : mpq_sub;
            combine(lines[n].a, r->e1[c], r->e1[d]);
            combine(lines[n].b, r->e2[c], r->e2[d]);
            combine(lines[n].c, r->q[c], r->q[d]);
        }
    mpq_set_ui(lines[n++].a, 1, 1);
    mpq_set_ui(lines[n++].b, 1, 1);
    mpq_set_ui(lines[n].a, 1, 1), mpq_set_ui(lines[n].c, 1, 1);
    if (face) mpq_set_ui(lines[n].b, 1, 1);
    n++;
    if (!face) mpq_set_ui(lines[n].b, 1, 1), mpq_set_ui(lines[n++].c, 1, 1);
    mpq_set_si(r->best, -1, 1);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++) {
            mpq_mul(r->det, lines[i].a, lines[k].b);
            mpq_mul(r->tmp, lines[i].b, lines[k].a);
            mpq_sub(r->det, r->det, r->tmp);
            if (mpq_sgn(r->det) == 0) continue;
            mpq_mul(r->s, lines[i].c, lines[k].b);
            mpq_mul(r->tmp, lines[i].b, lines[k].c);
            mpq_sub(r->s, r->s, r->tmp);
            mpq_div(r->s, r->s, r->det);
            mpq_mul(r->t, lines[i].a, lines[k].c);
            mpq_mul(r->tmp, lines[i].c, lines[k].a);
            mpq_sub(r->t, r->t, r->tmp);
            mpq_div(r->t, r->t, r->det);
            if (mpq_sgn(r->s) < 0 || mpq_sgn(r->t) < 0) continue;
            mpq_add(r->tmp, r->s, r->t);
            if (face ? mpq_cmp_ui(r->tmp, 1, 1) > 0 : mpq_cmp_ui(r->s, 1, 1) > 0 || mpq_cmp_ui(r->t, 1, 1) > 0)
                continue;
            mpq_set_ui(r->a, 0, 1);
            for (int c = 0; c < 3; c++) {
                mpq_mul(r->tmp, r->s, r->e1[c]);
                mpq_sub(r->tmp2, r->q[c], r->tmp);
                mpq_mul(r->tmp, r->t, r->e2[c]);
                mpq_sub(r->tmp2, r->tmp2, r->tmp);
                mpq_abs(r->tmp2, r->tmp2);
                if (mpq_cmp(r->tmp2, r->a) > 0) mpq_set(r->a, r->tmp2);
            }
            if (mpq_sgn(r->best) < 0 || mpq_cmp(r->a, r->best) < 0) mpq_set(r->best, r->a);
        }
    for (int i = 0; i < 13; i++) mpq_clear(lines[i].a), mpq_clear(lines[i].b), mpq_clear(lines[i].c);
}

/* −1, 0 or 1 as the distance at time t is less than, equal to or more than d. */
static inline int reference_compare(reference *r, graze_kind kind, const graze_query *query, const mpq_t t, double d,
                                    graze_norm norm) {
    reference_move(r, kind, query, t);
    if (norm == GRAZE_NORM_MAX)
        reference_distance_max(r, kind);
    else
        reference_distance(r, kind);
    mpq_set_d(r->tmp, d);
    if (norm != GRAZE_NORM_MAX) mpq_mul(r->tmp, r->tmp, r->tmp);
    return mpq_cmp(r->best, r->tmp);
}

#endif
