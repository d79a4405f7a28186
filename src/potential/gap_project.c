/* The Hessian of a function of |r|², r = Σ w_a·x_a, acts on few directions only: moving r along each axis, and each
   parameter's change of the weights along r. So its eigenvalues are those of a matrix of 3 to 5 rows. */
#include "potential/gap.h"

#include <math.h>

#define MOST 5

typedef struct basis {
    int count;
    double q[MOST][GZ_TERM]; /* orthonormal */
} basis;

static double dot4(const double a[4], const double b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* Frees `a` of its part along the unit vector b. */
static void free_of(double a[4], const double b[4]) {
    double part = dot4(a, b);
    for (int i = 0; i < 4; i++) a[i] -= part * b[i];
}

static bool make_unit(double a[4]) {
    double length = sqrt(dot4(a, a));
    for (int i = 0; i < 4 && length > 0; i++) a[i] /= length;
    return length > 0;
}

/* The outer product of weights and a vector. */
static void add_direction(basis *b, const double weights[4], const double vector[3]) {
    for (int i = 0; i < GZ_TERM; i++) b->q[b->count][i] = weights[i / 3] * vector[i % 3];
    b->count++;
}

static void find_basis(const gz_gap *gap, basis *b) {
    double units[1 + 2][4], length = gz_vec3_norm(gap->vector);
    b->count = 0;
    for (int i = 0; i < 4; i++) units[0][i] = gap->weight[i];
    make_unit(units[0]);
    for (int c = 0; c < 3; c++) add_direction(b, units[0], (const double[3]){c == 0, c == 1, c == 2});
    if (!(length > 0)) return; /* weights change nothing then */
    gz_vec3 along = gz_vec3_scale(gap->vector, 1 / length);
    for (int k = 1; k <= gap->parameters; k++) {
        for (int i = 0; i < 4; i++) units[k][i] = gap->slope[k - 1][i];
        for (int i = 0; i < k; i++) free_of(units[k], units[i]);
        if (make_unit(units[k])) add_direction(b, units[k], along.c);
    }
}

/* Qᵀ·H·Q */
static void restrict_to(const basis *b, const graze_term *term, double small[MOST][MOST]) {
    for (int k = 0; k < b->count; k++) {
        double column[GZ_TERM] = {0};
        for (int i = 0; i < term->rows; i++)
            for (int j = 0; j < term->rows; j++) column[i] += term->hessian[i][j] * b->q[k][j];
        for (int l = 0; l < b->count; l++) {
            small[l][k] = 0;
            for (int i = 0; i < term->rows; i++) small[l][k] += b->q[l][i] * column[i];
        }
    }
}

/* Q·M·Qᵀ */
static void extend_from(const basis *b, double small[MOST][MOST], graze_term *term) {
    double half[MOST][GZ_TERM] = {{0}};
    for (int k = 0; k < b->count; k++)
        for (int l = 0; l < b->count; l++)
            for (int j = 0; j < term->rows; j++) half[k][j] += small[k][l] * b->q[l][j];
    for (int i = 0; i < term->rows; i++)
        for (int j = 0; j < term->rows; j++) {
            term->hessian[i][j] = 0;
            for (int k = 0; k < b->count; k++) term->hessian[i][j] += b->q[k][i] * half[k][j];
        }
}

void gz_gap_project(const gz_gap *gap, graze_term *term) {
    basis b;
    double small[MOST][MOST];
    find_basis(gap, &b);
    restrict_to(&b, term, small);
    if (gz_term_project(&small[0][0], b.count, MOST)) extend_from(&b, small, term);
}
