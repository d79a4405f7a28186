#include "sim/energy/term.h"

#include <math.h>
#include <string.h>

void sim_term_begin(sim_term *term, int rows) {
    memset(term, 0, sizeof *term);
    term->rows = rows;
}

void sim_term_outer(sim_term *term, double factor, const double *a) {
    for (int i = 0; i < term->rows; i++)
        for (int j = 0; j < term->rows; j++) term->hessian[i][j] += factor * a[i] * a[j];
}

void sim_term_cross(sim_term *term, double factor, const double *a, const double *b) {
    for (int i = 0; i < term->rows; i++)
        for (int j = 0; j < term->rows; j++) term->hessian[i][j] += factor * (a[i] * b[j] + b[i] * a[j]);
}

/* ---- projection ---- */

typedef double square[SIM_TERM][SIM_TERM];

/* Whether Cholesky's elimination meets positive pivots only: then there is nothing to project. */
static bool is_positive(const double *matrix, int n, int stride) {
    square l;
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = matrix[i * stride + j];
            for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
            if (i == j && !(sum > 0)) return false;
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    return true;
}

/* The rotation in the plane of p and q that makes a[p][q] zero, applied to a and collected in v. */
static void rotate(square a, square v, int n, int p, int q) {
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < n; k++) {
        double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y;
        a[k][q] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y;
        a[q][k] = s * x + c * y;
        x = v[k][p];
        y = v[k][q];
        v[k][p] = c * x - s * y;
        v[k][q] = s * x + c * y;
    }
}

static double norm(square a, int n, bool diagonal) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (diagonal || i != j) sum += a[i][j] * a[i][j];
    return sqrt(sum);
}

/* Jacobi's method: a becomes diagonal, its eigenvectors are the columns of v. */
static void diagonalise(square a, square v, int n) {
    enum { SWEEPS = 30 };
    double small = 1e-14 * norm(a, n, true);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) v[i][j] = i == j;
    for (int sweep = 0; sweep < SWEEPS && norm(a, n, false) > small; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                if (fabs(a[p][q]) > small / n) rotate(a, v, n, p, q);
}

void sim_project(double *matrix, int n, int stride) {
    if (is_positive(matrix, n, stride)) return;
    square a, v;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i][j] = 0.5 * (matrix[i * stride + j] + matrix[j * stride + i]);
    diagonalise(a, v, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                if (a[k][k] > 0) sum += v[i][k] * a[k][k] * v[j][k];
            matrix[i * stride + j] = sum;
        }
}
