#include "potential/term.h"

#include "base/self_test.h"

#include <math.h>
#include <string.h>

void gz_term_begin(graze_term *term, int rows, graze_order order) {
    memset(term, 0, order >= GRAZE_ORDER_HESSIAN ? sizeof *term : offsetof(graze_term, hessian));
    term->rows = rows;
}

void gz_term_outer(graze_term *term, double factor, const double *a) {
    for (int i = 0; i < term->rows; i++)
        for (int j = 0; j < term->rows; j++) term->hessian[i][j] += factor * a[i] * a[j];
}

void gz_term_cross(graze_term *term, double factor, const double *a, const double *b) {
    for (int i = 0; i < term->rows; i++)
        for (int j = 0; j < term->rows; j++) term->hessian[i][j] += factor * (a[i] * b[j] + b[i] * a[j]);
}

void gz_term_scale(graze_term *term, double factor, graze_order order) {
    term->value *= factor;
    for (int i = 0; i < term->rows; i++) term->gradient[i] *= factor;
    if (order < GRAZE_ORDER_HESSIAN) return;
    for (int i = 0; i < term->rows; i++)
        for (int j = 0; j < term->rows; j++) term->hessian[i][j] *= factor;
}

/* ---- projection ---- */

typedef double square[GZ_TERM][GZ_TERM];

/* True if Cholesky's elimination meets positive pivots only: then there is nothing to project. */
static bool is_positive(const double *matrix, int n, size_t stride) {
    square l;
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = matrix[(size_t)i * stride + (size_t)j];
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
static void diagonalize(square a, square v, int n) {
    enum { SWEEPS = 30 };
    double small = 1e-14 * norm(a, n, true);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) v[i][j] = i == j;
    for (int sweep = 0; sweep < SWEEPS && norm(a, n, false) > small; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                if (fabs(a[p][q]) > small / n) rotate(a, v, n, p, q);
}

bool gz_term_project(double *matrix, int n, size_t stride) {
    if (is_positive(matrix, n, stride)) return false;
    square a, v;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = 0.5 * (matrix[(size_t)i * stride + (size_t)j] + matrix[(size_t)j * stride + (size_t)i]);
    diagonalize(a, v, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                if (a[k][k] > 0) sum += v[i][k] * a[k][k] * v[j][k];
            matrix[(size_t)i * stride + (size_t)j] = sum;
        }
    return true;
}

graze_status graze_project(double *matrix, int n, size_t stride) {
    gz_fp_environment env;
    if (n < 0 || n > GZ_TERM || stride < (size_t)n || (n > 0 && !matrix)) return GRAZE_ERR_INVALID_ARGUMENT;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (!isfinite(matrix[(size_t)i * stride + (size_t)j])) return GRAZE_ERR_NOT_FINITE;
    if (!gz_enter(&env)) return GRAZE_ERR_FP_ENVIRONMENT;
    gz_term_project(matrix, n, stride);
    gz_fp_leave(&env);
    return GRAZE_OK;
}
