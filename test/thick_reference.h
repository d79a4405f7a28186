/* Hulls of balls by search: two points of a pair, by their parameters, that are close enough, confirmed in rationals.
 */
#ifndef GRAZE_TEST_THICK_REFERENCE_H
#define GRAZE_TEST_THICK_REFERENCE_H

#include "rational.h"

#include <stdbool.h>

static inline int rows_of(graze_kind kind) { return kind == GRAZE_PP ? 2 : kind == GRAZE_PE ? 3 : 4; }
static inline int rows_of_a(graze_kind kind) { return kind == GRAZE_EE ? 2 : 1; }

static inline void weights_at(graze_kind kind, double u, double v, double weight[4]) {
    weight[0] = 1, weight[1] = weight[2] = weight[3] = 0;
    if (kind == GRAZE_EE)
        weight[0] = 1 - u, weight[1] = u, weight[2] = 1 - v, weight[3] = v;
    else
        weight[1] = 1 - u - v, weight[2] = u, weight[3] = v;
}

static inline double excess_at(graze_kind kind, const graze_query *query, const double *radii, double separation,
                               double t, double u, double v) {
    double weight[4], reach = separation, square = 0;
    weights_at(kind, u, v, weight);
    for (int i = 0; i < rows_of(kind); i++) reach += weight[i] * radii[i];
    for (int c = 0; c < 3; c++) {
        double between = 0;
        for (int i = 0; i < rows_of(kind); i++)
            between +=
                (i < rows_of_a(kind) ? -weight[i] : weight[i]) * ((1 - t) * query->x0[i][c] + t * query->x1[i][c]);
        square += between * between;
    }
    return sqrt(square) - reach;
}

/* Into the domain, exactly. */
static inline void bring_inside(graze_kind kind, double *u, double *v) {
    *u = kind == GRAZE_PP ? 0 : fmin(fmax(*u, 0), 1);
    *v = kind == GRAZE_PP || kind == GRAZE_PE ? 0 : fmin(fmax(*v, 0), 1);
    while (kind == GRAZE_VF && *v > 0 && *v > 1 - *u) *v = nextafter(fmin(*v, 1 - *u), 0);
}

/* |b(v) - a(u)| <= separation + both radii at time t, without a rounding */
static inline bool touches_exactly(graze_kind kind, const graze_query *query, const double *radii, double separation,
                                   double t, double u, double v) {
    mpq_t weight[4], reach, square, time, s;
    rational_vector between, row;
    rational_init(&between);
    rational_init(&row);
    mpq_inits(reach, square, time, s, NULL);
    for (int i = 0; i < 4; i++) mpq_init(weight[i]);
    mpq_t pu, pv;
    mpq_inits(pu, pv, NULL);
    mpq_set_d(pu, u);
    mpq_set_d(pv, v);
    mpq_set_ui(weight[0], 1, 1);
    mpq_set_ui(weight[kind == GRAZE_EE ? 2 : 1], 1, 1);
    if (kind == GRAZE_EE) {
        mpq_sub(weight[0], weight[0], pu), mpq_set(weight[1], pu);
        mpq_sub(weight[2], weight[2], pv), mpq_set(weight[3], pv);
    } else {
        mpq_sub(weight[1], weight[1], pu), mpq_sub(weight[1], weight[1], pv);
        mpq_set(weight[2], pu), mpq_set(weight[3], pv);
    }
    mpq_set_d(time, t);
    mpq_set_d(reach, separation);
    bool inside = true;
    for (int i = 0; i < rows_of(kind); i++) {
        inside = inside && mpq_sgn(weight[i]) >= 0;
        mpq_set_d(s, radii[i]);
        mpq_mul(s, s, weight[i]);
        mpq_add(reach, reach, s);
        rational_row(&row, query, i, time);
        for (int c = 0; c < 3; c++) {
            mpq_mul(s, row.x[c], weight[i]);
            if (i < rows_of_a(kind))
                mpq_sub(between.x[c], between.x[c], s);
            else
                mpq_add(between.x[c], between.x[c], s);
        }
    }
    rational_dot(square, &between, &between);
    mpq_mul(reach, reach, reach);
    bool touches = inside && mpq_cmp(square, reach) <= 0;
    mpq_clears(reach, square, time, s, pu, pv, NULL);
    for (int i = 0; i < 4; i++) mpq_clear(weight[i]);
    rational_clear(&between);
    rational_clear(&row);
    return touches;
}

/* True if a search over the parameters, on finer and finer grids, finds a contact at t; it is told only if exact. */
static inline bool search_finds_contact(graze_kind kind, const graze_query *query, const double *radii,
                                        double separation, double t) {
    double best_u = 0.5, best_v = 0.5, best = INFINITY;
    double width = 1;
    for (int step = 0; step < 400 && width > 0x1p-30; step++) {
        int half = width == 1 ? 4 : 2;
        double middle_u = best_u, middle_v = best_v;
        for (int i = -half; i <= half; i++)
            for (int j = -half; j <= half; j++) {
                double u = middle_u + width * i / (2 * half), v = middle_v + width * j / (2 * half);
                bring_inside(kind, &u, &v);
                double excess = excess_at(kind, query, radii, separation, t, u, v);
                if (excess < best) best = excess, best_u = u, best_v = v;
            }
        if (step == 0 || (best_u == middle_u && best_v == middle_v)) width *= 0.5;
    }
    return best < 1e-6 * (radii[0] + separation + fabs(query->x0[0][0])) + 1e-30 &&
           touches_exactly(kind, query, radii, separation, t, best_u, best_v);
}

#endif
