#include "sim/energy/distance.h"

#include "sim/energy/vector.h"

#include <string.h>

int sim_rows(graze_kind kind) { return kind == GRAZE_PP ? 2 : kind == GRAZE_PE ? 3 : 4; }

/* ---- the closest features ---- */

/* A side of the pair whose corners begin at row `first`: its closest point moves along the edges from one of the
   feature's corners to each of the others. */
static void add_parameters(graze_feature feature, int first, sim_distance *d) {
    int base = -1;
    for (int k = 0; k < 3; k++) {
        if (!(feature >> k & 1)) continue;
        if (base >= 0) {
            d->slope[d->parameters][first + k] = 1;
            d->slope[d->parameters++][first + base] = -1;
        } else {
            base = k;
        }
    }
}

void sim_closest(graze_kind kind, double x[4][3], sim_distance *out) {
    graze_distance_result found;
    graze_distance(kind, (const double(*)[3])x, &found);
    *out = (sim_distance){.square = sim_dot(found.vector, found.vector)};
    memcpy(out->weight, found.weights, sizeof out->weight);
    memcpy(out->vector, found.vector, sizeof out->vector);
    add_parameters(found.feature[0], 0, out);
    add_parameters(found.feature[1], kind == GRAZE_EE ? 2 : 1, out);
}

/* ---- derivatives ---- */

/* ∂²|r|²/∂x∂parameter, and how r moves with the parameter. */
static void mixed(const sim_distance *d, double x[4][3], int k, int rows, double column[SIM_TERM], double motion[3]) {
    for (int c = 0; c < 3; c++) motion[c] = 0;
    for (int a = 0; a < rows / 3; a++) sim_add(d->slope[k][a], x[a], motion);
    for (int i = 0; i < rows; i++)
        column[i] = 2 * (d->slope[k][i / 3] * d->vector[i % 3] + d->weight[i / 3] * motion[i % 3]);
}

/* Takes −C·S⁻¹·Cᵀ to the Hessian, where C has the mixed columns and S = 2·motionₖ·motionₗ. */
static void follow_parameters(const sim_distance *d, double x[4][3], sim_term *term) {
    double column[2][SIM_TERM], motion[2][3] = {{0}};
    for (int k = 0; k < d->parameters; k++) mixed(d, x, k, term->rows, column[k], motion[k]);
    if (d->parameters == 0) return;
    double a = 2 * sim_dot(motion[0], motion[0]);
    if (d->parameters == 1) {
        sim_term_outer(term, -1 / a, column[0]);
        return;
    }
    double b = 2 * sim_dot(motion[0], motion[1]), c = 2 * sim_dot(motion[1], motion[1]), n[3];
    sim_cross(motion[0], motion[1], n);
    double det = 4 * sim_dot(n, n); /* a·c − b·b without its cancellation */
    if (!(det > 1e-20 * a * c)) {   /* parallel for what double can tell: one parameter does the work of both */
        sim_term_outer(term, -1 / a, column[0]);
        return;
    }
    sim_term_outer(term, -c / det, column[0]);
    sim_term_outer(term, -a / det, column[1]);
    sim_term_cross(term, b / det, column[0], column[1]);
}

void sim_distance_term(graze_kind kind, const sim_distance *d, double x[4][3], sim_order order, sim_term *term) {
    sim_term_begin(term, 3 * sim_rows(kind));
    term->value = d->square;
    for (int i = 0; i < term->rows; i++) term->gradient[i] = 2 * d->weight[i / 3] * d->vector[i % 3];
    if (order < SIM_HESSIAN) return;
    for (int i = 0; i < term->rows; i++)
        for (int b = 0; b < term->rows / 3; b++) term->hessian[i][3 * b + i % 3] = 2 * d->weight[i / 3] * d->weight[b];
    follow_parameters(d, x, term);
}
