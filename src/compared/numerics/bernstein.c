#include "compared/numerics/bernstein.h"

#define UNIT 0x1p-53
/* A bound is itself rounded, a few times; and products may lose bits below the least double. */
#define SLACK (1 + 0x1p-40)
#define UNDERFLOW 0x1p-1050

static const double binomial[GZ_BERNSTEIN_DEGREE + 1][GZ_BERNSTEIN_DEGREE + 1] = {
    {1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}, {1, 5, 10, 10, 5, 1}, {1, 6, 15, 20, 15, 6, 1},
};

static double largest(const gz_bernstein *p) {
    double size = 0;
    for (int i = 0; i <= p->degree; i++) size = fabs(p->c[i]) > size ? fabs(p->c[i]) : size;
    return size;
}

gz_bernstein gz_bernstein_line(gz_interval start, gz_interval end) {
    gz_bernstein line = {.degree = 1, .c = {0.5 * start.lo + 0.5 * start.hi, 0.5 * end.lo + 0.5 * end.hi}};
    double a = fmax(start.hi - line.c[0], line.c[0] - start.lo), b = fmax(end.hi - line.c[1], line.c[1] - end.lo);
    line.error = gz_next_up(fmax(a, b));
    return line;
}

/* Coefficient k of the product is the mean of a_i·b_j over i + j = k with the weights C(m, i)·C(n, j). */
static inline void multiply(const double *a, int m, const double *b, int n, double *p) {
    for (int k = 0; k <= m + n; k++) {
        double sum = 0;
        for (int i = k > n ? k - n : 0; i <= (k < m ? k : m); i++)
            sum += a[i] * b[k - i] * (binomial[m][i] * binomial[n][k - i]);
        p[k] = sum / binomial[m + n][k];
    }
}

gz_bernstein gz_bernstein_mul(const gz_bernstein *a, const gz_bernstein *b) {
    gz_bernstein p = {.degree = a->degree + b->degree};
    /* the usual degrees as constants, so that the loops become straight lines */
    if (a->degree == 1 && b->degree == 1)
        multiply(a->c, 1, b->c, 1, p.c);
    else if (a->degree == 2 && b->degree == 1)
        multiply(a->c, 2, b->c, 1, p.c);
    else if (a->degree == 2 && b->degree == 2)
        multiply(a->c, 2, b->c, 2, p.c);
    else
        multiply(a->c, a->degree, b->c, b->degree, p.c);
    double size_a = largest(a), size_b = largest(b);
    p.error =
        (size_a * b->error + size_b * a->error + a->error * b->error + 8 * UNIT * size_a * size_b) * SLACK + UNDERFLOW;
    return p;
}

static gz_bernstein raised(const gz_bernstein *p, int degree) {
    if (p->degree == degree) return *p;
    gz_bernstein one = {.degree = degree - p->degree, .c = {1, 1, 1, 1}};
    return gz_bernstein_mul(p, &one);
}

static void add(gz_bernstein *sum, const gz_bernstein *p, double sign) {
    for (int i = 0; i <= sum->degree; i++) sum->c[i] += sign * p->c[i];
    sum->error = (sum->error + p->error + UNIT * largest(sum)) * SLACK;
}

gz_bernstein gz_bernstein_sub(const gz_bernstein *a, const gz_bernstein *b) {
    int degree = a->degree > b->degree ? a->degree : b->degree;
    gz_bernstein difference = raised(a, degree), raised_b = raised(b, degree);
    add(&difference, &raised_b, -1);
    return difference;
}

/* de Casteljau: every step is a mean of two numbers, each rounded three times. */
gz_interval gz_bernstein_at(const gz_bernstein *p, double t) {
    double c[GZ_BERNSTEIN_DEGREE + 1], rest = 1 - t;
    for (int i = 0; i <= p->degree; i++) c[i] = p->c[i];
    for (int n = p->degree; n > 0; n--)
        for (int i = 0; i < n; i++) c[i] = c[i] * rest + c[i + 1] * t;
    double error = (p->error + 4 * p->degree * UNIT * largest(p)) * SLACK + UNDERFLOW;
    return (gz_interval){gz_next_down(c[0] - error), gz_next_up(c[0] + error)};
}

gz_bernstein3 gz_bernstein3_cross(const gz_bernstein3 *a, const gz_bernstein3 *b) {
    gz_bernstein3 p;
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        gz_bernstein second = gz_bernstein_mul(&a->c[j], &b->c[i]);
        p.c[c] = gz_bernstein_mul(&a->c[i], &b->c[j]);
        add(&p.c[c], &second, -1);
    }
    return p;
}

gz_bernstein gz_bernstein3_dot(const gz_bernstein3 *a, const gz_bernstein3 *b) {
    gz_bernstein sum = gz_bernstein_mul(&a->c[0], &b->c[0]);
    for (int c = 1; c < 3; c++) {
        gz_bernstein term = gz_bernstein_mul(&a->c[c], &b->c[c]);
        add(&sum, &term, 1);
    }
    return sum;
}
