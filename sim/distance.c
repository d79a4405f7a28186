#include "sim/distance.h"

#include "sim/vector.h"

#include <math.h>

int sim_rows(graze_kind kind) { return kind == GRAZE_PP ? 2 : kind == GRAZE_PE ? 3 : 4; }

/* ---- the closest features ---- */

static void measure(double x[4][3], sim_distance *d) {
    for (int c = 0; c < 3; c++) d->vector[c] = 0;
    for (int a = 0; a < 4; a++)
        if (d->weight[a] != 0) sim_add(d->weight[a], x[a], d->vector);
    d->square = sim_dot(d->vector, d->vector);
}

/* The point in row p and the edge between rows a and b: one of its ends, or between them. */
static sim_distance point_edge(double x[4][3], int p, int a, int b) {
    double e[3], q[3];
    sim_minus(x[b], x[a], e);
    sim_minus(x[p], x[a], q);
    double along = sim_dot(q, e), whole = sim_dot(e, e);
    sim_distance d = {0};
    d.weight[p] = 1;
    if (!(along > 0)) {
        d.weight[a] = -1;
    } else if (!(along < whole)) {
        d.weight[b] = -1;
    } else {
        double s = along / whole;
        d.parameters = 1;
        d.weight[a] = -(1 - s);
        d.weight[b] = -s;
        d.slope[0][a] = 1;
        d.slope[0][b] = -1;
    }
    measure(x, &d);
    return d;
}

static void keep_closer(sim_distance *best, const sim_distance *d) {
    if (d->square < best->square) *best = *d;
}

static void vertex_face(double x[4][3], sim_distance *out) {
    double e1[3], e2[3], q[3], n[3], m[3];
    sim_minus(x[2], x[1], e1);
    sim_minus(x[3], x[1], e2);
    sim_minus(x[0], x[1], q);
    sim_cross(e1, e2, n);
    double whole = sim_dot(n, n);
    sim_cross(q, e2, m);
    double u = sim_dot(m, n) / whole;
    sim_cross(e1, q, m);
    double v = sim_dot(m, n) / whole;
    if (u > 0 && v > 0 && u + v < 1) {
        *out = (sim_distance){
            .parameters = 2, .weight = {1, -(1 - u - v), -u, -v}, .slope = {{0, 1, -1, 0}, {0, 1, 0, -1}}};
        measure(x, out);
        return;
    }
    out->square = INFINITY;
    for (int k = 0; k < 3; k++) {
        sim_distance d = point_edge(x, 0, 1 + k, 1 + (k + 1) % 3);
        keep_closer(out, &d);
    }
}

/* Where the lines of both edges come closest, if that is inside both. */
static bool between_lines(double x[4][3], sim_distance *out) {
    double e1[3], e2[3], q[3], n[3], m[3];
    sim_minus(x[1], x[0], e1);
    sim_minus(x[3], x[2], e2);
    sim_minus(x[2], x[0], q);
    sim_cross(e1, e2, n);
    double whole = sim_dot(n, n);
    if (!(whole > 1e-20 * sim_dot(e1, e1) * sim_dot(e2, e2))) return false; /* parallel for what double can tell */
    sim_cross(q, e2, m);
    double s = sim_dot(m, n) / whole;
    sim_cross(q, e1, m);
    double t = sim_dot(m, n) / whole;
    if (!(s > 0 && s < 1 && t > 0 && t < 1)) return false;
    *out = (sim_distance){.parameters = 2, .weight = {1 - s, s, -(1 - t), -t}, .slope = {{-1, 1, 0, 0}, {0, 0, 1, -1}}};
    measure(x, out);
    return true;
}

static void edge_edge(double x[4][3], sim_distance *out) {
    static const int cases[4][3] = {{0, 2, 3}, {1, 2, 3}, {2, 0, 1}, {3, 0, 1}};
    sim_distance best = {.square = INFINITY};
    for (int k = 0; k < 4; k++) {
        sim_distance d = point_edge(x, cases[k][0], cases[k][1], cases[k][2]);
        keep_closer(&best, &d);
    }
    /* nearly parallel edges may lose more to rounding than they gain */
    if (!between_lines(x, out) || out->square > best.square) *out = best;
}

void sim_closest(graze_kind kind, double x[4][3], sim_distance *out) {
    if (kind == GRAZE_VF) {
        vertex_face(x, out);
    } else if (kind == GRAZE_EE) {
        edge_edge(x, out);
    } else if (kind == GRAZE_PE) {
        *out = point_edge(x, 0, 1, 2);
    } else {
        *out = (sim_distance){.weight = {1, -1}};
        measure(x, out);
    }
}

/* ---- derivatives ---- */

/* ∂²|r|²/∂x∂parameter, and how r moves with the parameter. */
static void mixed(const sim_distance *d, double x[4][3], int k, int rows, double column[SIM_TERM], double motion[3]) {
    for (int c = 0; c < 3; c++) motion[c] = 0;
    for (int a = 0; a < rows / 3; a++) sim_add(d->slope[k][a], x[a], motion);
    for (int i = 0; i < rows; i++)
        column[i] = 2 * (d->slope[k][i / 3] * d->vector[i % 3] + d->weight[i / 3] * motion[i % 3]);
}

/* Takes −C·S⁻¹·Cᵀ to the Hessian, where C has the mixed columns and S = 2·motionₖ·motionₗ. */
static void follow_parameters(const sim_distance *d, double x[4][3], sim_term *term) {
    double column[2][SIM_TERM], motion[2][3] = {{0}};
    for (int k = 0; k < d->parameters; k++) mixed(d, x, k, term->rows, column[k], motion[k]);
    if (d->parameters == 0) return;
    double a = 2 * sim_dot(motion[0], motion[0]);
    if (d->parameters == 1) {
        sim_term_outer(term, -1 / a, column[0]);
        return;
    }
    double b = 2 * sim_dot(motion[0], motion[1]), c = 2 * sim_dot(motion[1], motion[1]), n[3];
    sim_cross(motion[0], motion[1], n);
    double det = 4 * sim_dot(n, n); /* a·c − b·b without its cancellation */
    sim_term_outer(term, -c / det, column[0]);
    sim_term_outer(term, -a / det, column[1]);
    sim_term_cross(term, b / det, column[0], column[1]);
}

void sim_distance_term(graze_kind kind, const sim_distance *d, double x[4][3], sim_order order, sim_term *term) {
    sim_term_begin(term, 3 * sim_rows(kind));
    term->value = d->square;
    for (int i = 0; i < term->rows; i++) term->gradient[i] = 2 * d->weight[i / 3] * d->vector[i % 3];
    if (order < SIM_HESSIAN) return;
    for (int i = 0; i < term->rows; i++)
        for (int b = 0; b < term->rows / 3; b++) term->hessian[i][3 * b + i % 3] = 2 * d->weight[i / 3] * d->weight[b];
    follow_parameters(d, x, term);
}
