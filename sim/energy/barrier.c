#include "sim/energy/barrier.h"

#include "sim/energy/vector.h"

#include <math.h>
#include <string.h>

void sim_barrier(double square, double reach_square, double out[3]) {
    double s = square - reach_square, ln = log(square / reach_square);
    out[0] = -s * s * ln;
    out[1] = -2 * s * ln - s * s / square;
    out[2] = -2 * ln - 4 * s / square + s * s / (square * square);
}

/* ---- nearly parallel edges ---- */

double sim_parallel_scale(double square_a, double square_b) { return 1e-3 * square_a * square_b; }

/* |e1 × e2|² of the edges in rows 0 1 and 2 3. */
static void cross_square(double x[4][3], sim_order order, sim_term *term) {
    double e[2][3];
    sim_minus(x[1], x[0], e[0]);
    sim_minus(x[3], x[2], e[1]);
    double both = sim_dot(e[0], e[1]), n[3];
    sim_cross(e[0], e[1], n);
    sim_term_begin(term, 12);
    term->value = sim_dot(n, n);
    for (int k = 0; k < 2; k++) {
        double other = sim_dot(e[1 - k], e[1 - k]);
        for (int c = 0; c < 3; c++) {
            double slope = 2 * other * e[k][c] - 2 * both * e[1 - k][c];
            term->gradient[6 * k + 3 + c] = slope;
            term->gradient[6 * k + c] = -slope;
        }
    }
    if (order < SIM_HESSIAN) return;
    for (int r = 0; r < 12; r++)
        for (int s = 0; s < 12; s++) {
            int k = r / 6, l = s / 6, i = r % 3, j = s % 3;
            double sign = (r / 3 + s / 3) % 2 ? -1 : 1, other = sim_dot(e[1 - k], e[1 - k]);
            double entry = k == l ? 2 * other * (i == j) - 2 * e[1 - k][i] * e[1 - k][j]
                                  : 4 * e[k][i] * e[l][j] - 2 * e[l][i] * e[k][j] - 2 * both * (i == j);
            term->hessian[r][s] = sign * entry;
        }
}

/* c/ε·(2 − c/ε) below ε, and its two derivatives. */
static void soften(double c, double scale, double out[3]) {
    out[0] = c / scale * (2 - c / scale);
    out[1] = 2 / scale * (1 - c / scale);
    out[2] = -2 / (scale * scale);
}

/* term = m(c)·b(D): `term` holds b(D) with its derivatives on entry. */
static void multiply(sim_term *term, const sim_term *cross, const double m[3], sim_order order) {
    double b = term->value, slope[SIM_TERM];
    memcpy(slope, term->gradient, sizeof slope);
    term->value = m[0] * b;
    for (int i = 0; i < 12; i++) term->gradient[i] = m[0] * slope[i] + m[1] * b * cross->gradient[i];
    if (order < SIM_HESSIAN) return;
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++) term->hessian[i][j] = m[0] * term->hessian[i][j] + m[1] * b * cross->hessian[i][j];
    sim_term_outer(term, m[2] * b, cross->gradient);
    sim_term_cross(term, m[1], cross->gradient, slope);
}

/* ---- the barrier of a pair ---- */

/* Rows whose vertices have a part in the closest features, moved to the front, projected, and moved back. */
static void project_rows(sim_term *term, const sim_distance *d) {
    double small[SIM_TERM][SIM_TERM];
    int row[SIM_TERM], n = 0;
    for (int i = 0; i < term->rows; i++)
        if (d->weight[i / 3] != 0 || d->slope[0][i / 3] != 0 || d->slope[1][i / 3] != 0) row[n++] = i;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) small[i][j] = term->hessian[row[i]][row[j]];
    sim_project(&small[0][0], n, SIM_TERM);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) term->hessian[row[i]][row[j]] = small[i][j];
}

void sim_contact_term(const sim_contact *contact, double x[4][3], double reach_square, sim_order order, sim_term *term,
                      double *square) {
    sim_distance d;
    sim_closest(contact->kind, x, &d);
    if (square) *square = d.square;
    if (!(d.square < reach_square)) {
        sim_term_begin(term, 0);
        return;
    }
    double b[3], m[3];
    sim_barrier(d.square, reach_square, b);
    sim_distance_term(contact->kind, &d, x, order, term);
    term->value = d.square > 0 ? b[0] : INFINITY;
    if (order >= SIM_HESSIAN) {
        for (int i = 0; i < term->rows; i++)
            for (int j = 0; j < term->rows; j++) term->hessian[i][j] *= b[1];
        sim_term_outer(term, b[2], term->gradient);
    }
    for (int i = 0; i < term->rows; i++) term->gradient[i] *= b[1];
    sim_term cross;
    bool softened = false;
    if (contact->parallel > 0) {
        cross_square(x, order, &cross);
        softened = cross.value < contact->parallel;
    }
    if (softened) {
        soften(cross.value, contact->parallel, m);
        multiply(term, &cross, m, order);
    }
    if (order < SIM_PROJECTED) return;
    if (softened)
        sim_project(&term->hessian[0][0], term->rows, SIM_TERM);
    else
        project_rows(term, &d);
}

/* ---- friction ---- */

/* Two unit vectors that are orthogonal to n and to each other. */
static void tangents(const double n[3], double out[2][3]) {
    int least = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2) : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
    double axis[3] = {least == 0, least == 1, least == 2};
    sim_cross(n, axis, out[0]);
    double length = sqrt(sim_dot(out[0], out[0]));
    for (int c = 0; c < 3; c++) out[0][c] /= length;
    sim_cross(n, out[0], out[1]);
}

bool sim_friction_make(const sim_contact *contact, double x[4][3], double reach_square, double stiffness,
                       double coefficient, sim_friction *out) {
    sim_distance d;
    double b[3], factor = 1, n[3];
    sim_closest(contact->kind, x, &d);
    if (!(d.square < reach_square) || !(d.square > 0)) return false;
    sim_barrier(d.square, reach_square, b);
    if (contact->parallel > 0) {
        sim_term cross;
        double m[3];
        cross_square(x, SIM_VALUE, &cross);
        soften(cross.value, contact->parallel, m);
        if (cross.value < contact->parallel) factor = m[0];
    }
    double distance = sqrt(d.square);
    for (int c = 0; c < 3; c++) n[c] = d.vector[c] / distance;
    out->kind = contact->kind;
    memcpy(out->vertex, contact->vertex, sizeof out->vertex);
    memcpy(out->weight, d.weight, sizeof out->weight);
    tangents(n, out->tangent);
    out->force = coefficient * stiffness * factor * -b[1] * 2 * distance;
    return out->force > 0;
}

/* Energy of a unit force over a sliding distance y, its slope divided by y, and (second derivative − that)/y². */
static void sliding(double y, double slip, double out[3]) {
    bool sticks = y < slip;
    out[0] = sticks ? y * y / slip * (1 - y / (3 * slip)) + slip / 3 : y;
    out[1] = sticks ? 2 / slip - y / (slip * slip) : 1 / y;
    out[2] = sticks ? (y > 0 ? -1 / (slip * slip * y) : 0) : -1 / (y * y * y);
}

void sim_friction_term(const sim_friction *friction, double x0[4][3], double x[4][3], double slip, sim_order order,
                       sim_term *term) {
    int rows = 3 * sim_rows(friction->kind);
    double motion[3] = {0}, u[2], f[3], across[2][SIM_TERM], along[SIM_TERM];
    sim_term_begin(term, rows);
    for (int i = 0; i < rows; i++) motion[i % 3] += friction->weight[i / 3] * (x[i / 3][i % 3] - x0[i / 3][i % 3]);
    for (int k = 0; k < 2; k++) u[k] = sim_dot(friction->tangent[k], motion);
    sliding(sqrt(u[0] * u[0] + u[1] * u[1]), slip, f);
    term->value = friction->force * f[0];
    if (order < SIM_GRADIENT) return;
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < 2; k++) across[k][i] = friction->weight[i / 3] * friction->tangent[k][i % 3];
        along[i] = u[0] * across[0][i] + u[1] * across[1][i];
        term->gradient[i] = friction->force * f[1] * along[i];
    }
    if (order < SIM_HESSIAN) return;
    for (int k = 0; k < 2; k++) sim_term_outer(term, friction->force * f[1], across[k]);
    sim_term_outer(term, friction->force * f[2], along);
}
