#include "sim/energy/elastic.h"

#include "sim/energy/vector.h"

#include <math.h>

/* ---- the element at rest ---- */

/* The vectors dual to the edges e[0], …, in the element's own frame: dual[k]·e[l] = 1 for k = l, else 0. Returns six
   times the volume (signed), or twice the area. */
static double dual_of_tetrahedron(double e[3][3], double dual[3][3]) {
    for (int k = 0; k < 3; k++) sim_cross(e[(k + 1) % 3], e[(k + 2) % 3], dual[k]);
    double size = sim_dot(e[0], dual[0]);
    for (int k = 0; k < 9; k++) dual[k / 3][k % 3] /= size;
    return size;
}

/* The triangle's plane is turned so that e[0] = (length, 0) and e[1] = (along, height). */
static double dual_of_triangle(double e[3][3], double dual[3][3]) {
    double n[3];
    sim_cross(e[0], e[1], n);
    double size = sqrt(sim_dot(n, n)), length = sqrt(sim_dot(e[0], e[0]));
    dual[0][0] = 1 / length;
    dual[0][1] = -sim_dot(e[0], e[1]) / length / size;
    dual[1][0] = 0;
    dual[1][1] = length / size;
    return size;
}

bool sim_element_make(sim_element *element, int m, const uint32_t *vertex, const double (*rest)[3], double thickness) {
    double e[3][3], dual[3][3];
    *element = (sim_element){.dimension = m};
    for (int k = 0; k <= m; k++) element->vertex[k] = vertex[k];
    for (int k = 0; k < m; k++) sim_minus(rest[vertex[k + 1]], rest[vertex[0]], e[k]);
    double size = m == 3 ? dual_of_tetrahedron(e, dual) : dual_of_triangle(e, dual);
    bool sound = size > 0 && isfinite(size);
    element->volume = m == 3 ? size / 6 : size / 2 * thickness;
    for (int k = 0; k < m; k++)
        for (int j = 0; j < m; j++) {
            element->shape[k + 1][j] = dual[k][j];
            element->shape[0][j] -= dual[k][j];
            sound &= isfinite(dual[k][j]) != 0;
        }
    return sound;
}

void sim_element_material(sim_element *element, double young, double poisson) {
    element->mu = young / (2 * (1 + poisson));
    element->lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
}

/* ---- its energy ---- */

/* F, G = F·(FᵀF)⁻¹, the inverse of FᵀF, and ln J. */
typedef struct stretch {
    double f[3][3], g[3][3], inverse[3][3], log_j;
} stretch;

static void deform(const sim_element *element, double x[4][3], double f[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < element->dimension; j++) {
            f[i][j] = 0;
            for (int a = 0; a <= element->dimension; a++) f[i][j] += x[a][i] * element->shape[a][j];
        }
}

/* G is the inverse of Fᵀ: its columns are dual to those of F. False unless J > 0. */
static bool stretch_solid(stretch *s) {
    double column[3][3], dual[3][3];
    for (int k = 0; k < 9; k++) column[k % 3][k / 3] = s->f[k / 3][k % 3];
    double j = dual_of_tetrahedron(column, dual);
    for (int k = 0; k < 9; k++) s->g[k % 3][k / 3] = dual[k / 3][k % 3];
    s->log_j = log(j);
    return j > 0;
}

static bool stretch_sheet(stretch *s) {
    double c[2][2] = {{0}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) c[k / 2][k % 2] += s->f[i][k / 2] * s->f[i][k % 2];
    double d = c[0][0] * c[1][1] - c[0][1] * c[1][0];
    for (int k = 0; k < 4; k++) s->inverse[k / 2][k % 2] = (k == 1 || k == 2 ? -c[0][1] : c[1 - k / 2][1 - k / 2]) / d;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) s->g[i][j] = s->f[i][0] * s->inverse[0][j] + s->f[i][1] * s->inverse[1][j];
    s->log_j = 0.5 * log(d);
    return d > 0;
}

/* δ − G·Fᵀ: what is normal to a triangle; zero for a tetrahedron. */
static double normal_part(const stretch *s, int m, int i, int k) {
    return m == 3 ? 0 : (i == k) - (s->g[i][0] * s->f[k][0] + s->g[i][1] * s->f[k][1]);
}

/* ∂²density/∂F[i][j]∂F[k][l], rows and columns numbered i·m + j. */
static void second_derivative(const sim_element *element, const stretch *s, double out[9][9]) {
    int m = element->dimension;
    double mu = element->mu, lambda = element->lambda, pressure = lambda * s->log_j - mu;
    for (int r = 0; r < 3 * m; r++)
        for (int c = 0; c < 3 * m; c++) {
            int i = r / m, j = r % m, k = c / m, l = c % m;
            double turned = normal_part(s, m, i, k) * (m == 3 ? 0 : s->inverse[l][j]) - s->g[i][l] * s->g[k][j];
            out[r][c] = mu * (r == c) + lambda * s->g[i][j] * s->g[k][l] + pressure * turned;
        }
}

static void spread_hessian(const sim_element *element, double k[9][9], sim_term *term) {
    int m = element->dimension;
    double half[SIM_TERM][9] = {{0}}; /* rows by vertices, columns by F */
    for (int a = 0; a <= m; a++)
        for (int i = 0; i < 3; i++)
            for (int c = 0; c < 3 * m; c++)
                for (int j = 0; j < m; j++) half[3 * a + i][c] += element->shape[a][j] * k[i * m + j][c];
    for (int r = 0; r < term->rows; r++)
        for (int b = 0; b <= m; b++)
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < m; j++)
                    term->hessian[r][3 * b + i] += element->volume * half[r][i * m + j] * element->shape[b][j];
}

void sim_element_term(const sim_element *element, double x[4][3], sim_order order, sim_term *term) {
    int m = element->dimension;
    double mu = element->mu, lambda = element->lambda, volume = element->volume;
    stretch s;
    sim_term_begin(term, 3 * (m + 1));
    deform(element, x, s.f);
    if (!(m == 3 ? stretch_solid(&s) : stretch_sheet(&s))) {
        term->value = INFINITY;
        return;
    }
    double square = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < m; j++) square += s.f[i][j] * s.f[i][j];
    term->value = volume * (mu / 2 * (square - m) - mu * s.log_j + lambda / 2 * s.log_j * s.log_j);
    if (order < GRAZE_ORDER_GRADIENT) return;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < m; j++) {
            double stress = mu * s.f[i][j] + (lambda * s.log_j - mu) * s.g[i][j];
            for (int a = 0; a <= m; a++) term->gradient[3 * a + i] += volume * stress * element->shape[a][j];
        }
    if (order < GRAZE_ORDER_HESSIAN) return;
    double k[9][9];
    second_derivative(element, &s, k);
    if (order == GRAZE_ORDER_PROJECTED) graze_project(&k[0][0], 3 * m, 9);
    spread_hessian(element, k, term);
}

/* ---- hinges ---- */

static double cotangent(const double *at, const double *p, const double *q) {
    double a[3], b[3], n[3];
    sim_minus(p, at, a);
    sim_minus(q, at, b);
    sim_cross(a, b, n);
    return sim_dot(a, b) / sqrt(sim_dot(n, n));
}

static double twice_area(const double *a, const double *b, const double *c) {
    double e[3], f[3], n[3];
    sim_minus(b, a, e);
    sim_minus(c, a, f);
    sim_cross(e, f, n);
    return sqrt(sim_dot(n, n));
}

bool sim_hinge_make(sim_hinge *hinge, const uint32_t vertex[4], const double (*rest)[3], double stiffness) {
    const double *x[4];
    for (int k = 0; k < 4; k++) {
        hinge->vertex[k] = vertex[k];
        x[k] = rest[vertex[k]];
    }
    double at_0 = cotangent(x[0], x[1], x[2]), and_0 = cotangent(x[0], x[1], x[3]);
    double at_1 = cotangent(x[1], x[0], x[2]), and_1 = cotangent(x[1], x[0], x[3]);
    double area = (twice_area(x[0], x[1], x[2]) + twice_area(x[0], x[1], x[3])) / 2;
    hinge->weight[0] = at_1 + and_1;
    hinge->weight[1] = at_0 + and_0;
    hinge->weight[2] = -at_0 - at_1;
    hinge->weight[3] = -and_0 - and_1;
    hinge->stiffness = 3 * stiffness / area;
    return isfinite(hinge->stiffness) && isfinite(at_0 + at_1 + and_0 + and_1);
}

void sim_hinge_term(const sim_hinge *hinge, double x[4][3], sim_order order, sim_term *term) {
    double bend[3] = {0};
    sim_term_begin(term, 12);
    for (int a = 0; a < 4; a++) sim_add(hinge->weight[a], x[a], bend);
    term->value = hinge->stiffness / 2 * sim_dot(bend, bend);
    if (order < GRAZE_ORDER_GRADIENT) return;
    for (int a = 0; a < 4; a++) sim_add(hinge->stiffness * hinge->weight[a], bend, &term->gradient[3 * a]);
    if (order < GRAZE_ORDER_HESSIAN) return;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            for (int c = 0; c < 3; c++)
                term->hessian[3 * a + c][3 * b + c] = hinge->stiffness * hinge->weight[a] * hinge->weight[b];
}

/* ---- strings ---- */

bool sim_string_make(sim_string *string, const uint32_t vertex[2], const double (*rest)[3], double stiffness) {
    double d[3];
    sim_minus(rest[vertex[1]], rest[vertex[0]], d);
    *string = (sim_string){{vertex[0], vertex[1]}, sqrt(sim_dot(d, d)), stiffness};
    return string->length > 0 && isfinite(string->length);
}

/* ∂²/∂d² = k/L·(1 − L/l)·I + k/l·d dᵀ/l²: only the part across the segment can be negative, under pressure. */
void sim_string_term(const sim_string *string, double x[4][3], sim_order order, sim_term *term) {
    double d[3], rest = string->length, k = string->stiffness;
    sim_term_begin(term, 6);
    sim_minus(x[1], x[0], d);
    double length = sqrt(sim_dot(d, d)), strain = length / rest - 1;
    term->value = k / 2 * rest * strain * strain;
    if (order < GRAZE_ORDER_GRADIENT || length == 0) return;
    double along[6];
    for (int c = 0; c < 3; c++) {
        along[3 + c] = d[c] / length;
        along[c] = -along[3 + c];
    }
    for (int i = 0; i < 6; i++) term->gradient[i] = k * strain * along[i];
    if (order < GRAZE_ORDER_HESSIAN) return;
    double across = k / rest - k / length;
    if (order == GRAZE_ORDER_PROJECTED && across < 0) across = 0;
    sim_term_outer(term, k / rest - across, along);
    for (int c = 0; c < 6; c++) {
        term->hessian[c][c] += across;
        term->hessian[c][(c + 3) % 6] -= across;
    }
}
