/* Three-vectors, as plain arrays. */
#ifndef GRAZE_SIM_ENERGY_VECTOR_H
#define GRAZE_SIM_ENERGY_VECTOR_H

static inline double sim_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void sim_minus(const double a[3], const double b[3], double out[3]) {
    for (int c = 0; c < 3; c++) out[c] = a[c] - b[c];
}

static inline void sim_cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* out += s·a */
static inline void sim_add(double s, const double a[3], double out[3]) {
    for (int c = 0; c < 3; c++) out[c] += s * a[c];
}

#endif
