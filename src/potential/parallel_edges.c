#include "potential/parallel_edges.h"

#include "numerics/vec3.h"

#include <string.h>

typedef struct two_edges {
    gz_vec3 e[2];
    double square[2], both; /* of their lengths; their product */
} two_edges;

static two_edges edges_of(const double (*x)[3]) {
    two_edges t;
    for (int k = 0; k < 2; k++) {
        t.e[k] = gz_vec3_sub(gz_vec3_of(x[2 * k + 1]), gz_vec3_of(x[2 * k]));
        t.square[k] = gz_vec3_dot(t.e[k], t.e[k]);
    }
    t.both = gz_vec3_dot(t.e[0], t.e[1]);
    return t;
}

double gz_cross_square(const double (*x)[3]) {
    two_edges t = edges_of(x);
    gz_vec3 n = gz_vec3_cross(t.e[0], t.e[1]);
    return gz_vec3_dot(n, n);
}

/* n × e_other, up to its sign the slope of |n|²/2 by e_k: without the cancellation of ⟨e, e⟩·e − ⟨e, e⟩·e. */
static void cross_gradient(const two_edges *t, double gradient[GZ_TERM]) {
    gz_vec3 n = gz_vec3_cross(t->e[0], t->e[1]);
    gz_vec3 slope[2] = {gz_vec3_cross(t->e[1], n), gz_vec3_cross(n, t->e[0])};
    for (int k = 0; k < 2; k++)
        for (int c = 0; c < 3; c++) {
            gradient[6 * k + 3 + c] = 2 * slope[k].c[c];
            gradient[6 * k + c] = -2 * slope[k].c[c];
        }
}

static double cross_curvature(const two_edges *t, int r, int s) {
    int k = r / 6, l = s / 6, i = r % 3, j = s % 3;
    double sign = (r / 3 + s / 3) % 2 ? -1 : 1;
    const double *e = t->e[k].c, *f = t->e[l].c, *other = t->e[1 - k].c;
    if (k == l) return sign * (2 * t->square[1 - k] * (i == j) - 2 * other[i] * other[j]);
    return sign * (4 * e[i] * f[j] - 2 * f[i] * e[j] - 2 * t->both * (i == j));
}

bool gz_parallel_is(const graze_contact *contact, const double (*x)[3]) {
    return contact->kind == GRAZE_EE && contact->parallel > 0 && gz_cross_square(x) < contact->parallel;
}

double gz_parallel_factor(const graze_contact *contact, const double (*x)[3]) {
    double part = gz_cross_square(x) / contact->parallel;
    return part * (2 - part);
}

void gz_parallel_soften(const graze_contact *contact, const double (*x)[3], graze_order order, graze_term *term) {
    two_edges t = edges_of(x);
    double cross[GZ_TERM], slope[GZ_TERM], b = term->value, scale = contact->parallel;
    double part = gz_cross_square(x) / scale, m = part * (2 - part), m1 = 2 / scale * (1 - part);
    double m2 = -2 / (scale * scale);
    memcpy(slope, term->gradient, sizeof slope);
    term->value = m * b;
    if (order < GRAZE_ORDER_GRADIENT) return;
    cross_gradient(&t, cross);
    for (int i = 0; i < GZ_TERM; i++) term->gradient[i] = m * slope[i] + m1 * b * cross[i];
    if (order < GRAZE_ORDER_HESSIAN) return;
    for (int i = 0; i < GZ_TERM; i++)
        for (int j = 0; j < GZ_TERM; j++)
            term->hessian[i][j] = m * term->hessian[i][j] + m1 * b * cross_curvature(&t, i, j);
    gz_term_outer(term, m2 * b, cross);
    gz_term_cross(term, m1, cross, slope);
}
