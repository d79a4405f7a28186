#include "sim/energy/term.h"

#include <string.h>

void sim_term_begin(sim_term *term, int rows) {
    memset(term, 0, sizeof *term);
    term->rows = rows;
}

void sim_term_outer(sim_term *term, double factor, const double *a) {
    for (int i = 0; i < term->rows; i++)
        for (int j = 0; j < term->rows; j++) term->hessian[i][j] += factor * a[i] * a[j];
}
