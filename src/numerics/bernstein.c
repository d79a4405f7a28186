#include "numerics/bernstein.h"

static const double binomial[GZ_BERNSTEIN_DEGREE + 1][GZ_BERNSTEIN_DEGREE + 1] = {
    {1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}, {1, 5, 10, 10, 5, 1}, {1, 6, 15, 20, 15, 6, 1},
};

/* Coefficient k of the product is the sum over i + j = k of a_i·b_j·C(m, i)·C(n, j), over C(m + n, k). */
gz_bernstein gz_bernstein_mul(const gz_bernstein *a, const gz_bernstein *b) {
    gz_bernstein p = {.degree = a->degree + b->degree};
    for (int k = 0; k <= p.degree; k++) {
        gz_interval sum = {0, 0};
        int first = k > b->degree ? k - b->degree : 0;
        for (int i = first; i <= a->degree && i <= k; i++) {
            double weight = binomial[a->degree][i] * binomial[b->degree][k - i];
            gz_interval term = gz_interval_mul(a->c[i], b->c[k - i]);
            if (weight != 1) term = gz_interval_scale(term, gz_interval_point(weight));
            sum = i == first ? term : gz_interval_add(sum, term);
        }
        double over = binomial[p.degree][k];
        p.c[k] = over == 1 ? sum : (gz_interval){gz_next_down(sum.lo / over), gz_next_up(sum.hi / over)};
    }
    return p;
}

static gz_bernstein raised(const gz_bernstein *p, int degree) {
    gz_bernstein one = {.degree = degree - p->degree};
    if (one.degree == 0) return *p;
    for (int i = 0; i <= one.degree; i++) one.c[i] = gz_interval_point(1);
    return gz_bernstein_mul(p, &one);
}

gz_bernstein gz_bernstein_sub(const gz_bernstein *a, const gz_bernstein *b) {
    int degree = a->degree > b->degree ? a->degree : b->degree;
    gz_bernstein p = raised(a, degree), q = raised(b, degree);
    for (int i = 0; i <= degree; i++) p.c[i] = gz_interval_sub(p.c[i], q.c[i]);
    return p;
}

/* de Casteljau */
gz_interval gz_bernstein_at(const gz_bernstein *p, double t) {
    gz_bernstein q = *p;
    gz_interval at = gz_interval_point(t), rest = gz_interval_sub(gz_interval_point(1), at);
    if (rest.lo < 0) rest.lo = 0; /* t ≤ 1 */
    for (int n = q.degree; n > 0; n--)
        for (int i = 0; i < n; i++)
            q.c[i] = gz_interval_add(gz_interval_scale(q.c[i], rest), gz_interval_scale(q.c[i + 1], at));
    return q.c[0];
}

gz_bernstein3 gz_bernstein3_cross(const gz_bernstein3 *a, const gz_bernstein3 *b) {
    gz_bernstein3 p;
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        gz_bernstein first = gz_bernstein_mul(&a->c[i], &b->c[j]), second = gz_bernstein_mul(&a->c[j], &b->c[i]);
        p.c[c] = gz_bernstein_sub(&first, &second);
    }
    return p;
}

gz_bernstein gz_bernstein3_dot(const gz_bernstein3 *a, const gz_bernstein3 *b) {
    gz_bernstein sum = gz_bernstein_mul(&a->c[0], &b->c[0]);
    for (int c = 1; c < 3; c++) {
        gz_bernstein term = gz_bernstein_mul(&a->c[c], &b->c[c]);
        for (int i = 0; i <= sum.degree; i++) sum.c[i] = gz_interval_add(sum.c[i], term.c[i]);
    }
    return sum;
}
