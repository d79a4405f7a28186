#include "sim/energy/constraint.h"

#include <math.h>

double sim_constraint_gap(const sim_constraint *constraint, double x[4][3]) {
    double gap = 0;
    for (int i = 0; i < constraint->rows; i++)
        gap += constraint->weight[i / 3] * constraint->normal[i % 3] * x[i / 3][i % 3];
    return gap;
}

/* The force that pushes apart, ≥ 0. */
static double force(const sim_constraint *constraint, double x[4][3]) {
    double missing = constraint->offset - sim_constraint_gap(constraint, x);
    return fmax(0, constraint->stiffness * missing + constraint->multiplier);
}

void sim_constraint_term(const sim_constraint *constraint, double x[4][3], sim_order order, sim_term *term) {
    double pushed = force(constraint, x), slope[SIM_TERM];
    sim_term_begin(term, constraint->rows);
    term->value = pushed * pushed / (2 * constraint->stiffness);
    if (order < GRAZE_ORDER_GRADIENT || pushed == 0) return;
    for (int i = 0; i < term->rows; i++) {
        slope[i] = constraint->weight[i / 3] * constraint->normal[i % 3];
        term->gradient[i] = -pushed * slope[i];
    }
    if (order >= GRAZE_ORDER_HESSIAN) sim_term_outer(term, constraint->stiffness, slope);
}

double sim_constraint_update(sim_constraint *constraint, double x[4][3]) {
    double before = constraint->multiplier;
    constraint->multiplier = force(constraint, x);
    return fabs(constraint->multiplier - before);
}
