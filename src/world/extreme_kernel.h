/* The ends of a body along a direction: all of its vertices, side by side. */
#include "kernels/kernels.h"

#include "numerics/lanes.h"

static GZ_INLINE d_real extreme_dot(const double *x, size_t column, double a, double b, double c) {
    d_real sum = d_add(d_mul(d_load(x), d_set1(a)), d_mul(d_load(x + column), d_set1(b)));
    return d_add(sum, d_mul(d_load(x + 2 * column), d_set1(c)));
}

static void lowest_kernel(const double *x, size_t column, const double t[4], const double turn[3][4], double low[4]) {
    d_real least[4];
    double lanes[d_width];
    for (int k = 0; k < 4; k++) least[k] = d_set1(INFINITY);
    for (size_t i = 0; i < column; i += d_width)
        for (int k = 0; k < 4; k++) {
            d_real at = extreme_dot(x + i, column, turn[0][k], turn[1][k], turn[2][k]);
            least[k] = d_min(d_add(d_set1(t[k]), at), least[k]);
        }
    for (int k = 0; k < 4; k++) {
        d_store(lanes, least[k]);
        low[k] = lanes[0];
        for (int i = 1; i < (int)d_width; i++) low[k] = lanes[i] < low[k] ? lanes[i] : low[k];
    }
}

static double highest_kernel(const double *x, size_t column, const double n[3]) {
    d_real most = d_set1(-INFINITY);
    double lanes[d_width];
    for (size_t i = 0; i < column; i += d_width) most = d_max(extreme_dot(x + i, column, n[0], n[1], n[2]), most);
    d_store(lanes, most);
    double high = lanes[0];
    for (int i = 1; i < (int)d_width; i++) high = lanes[i] > high ? lanes[i] : high;
    return high;
}
