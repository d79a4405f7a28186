#include "flint_oracle.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define MAX_POLYS 512
#define MAX_TIMES 512

/* Polynomials in t over one common power of two; `used` of them live at once. */
typedef struct workshop {
    fmpz_poly_struct poly[MAX_POLYS];
    int used;
    qqbar_ptr times; /* candidate times */
    int time_count;
    qqbar_t zero, end;
} workshop;

typedef fmpz_poly_struct *scalar;
typedef struct vector {
    scalar c[3];
} vector;

static scalar fresh(workshop *w) {
    assert(w->used < MAX_POLYS);
    return &w->poly[w->used++];
}

static scalar add(workshop *w, scalar a, scalar b) {
    scalar r = fresh(w);
    fmpz_poly_add(r, a, b);
    return r;
}

static scalar sub(workshop *w, scalar a, scalar b) {
    scalar r = fresh(w);
    fmpz_poly_sub(r, a, b);
    return r;
}

static scalar mul(workshop *w, scalar a, scalar b) {
    scalar r = fresh(w);
    fmpz_poly_mul(r, a, b);
    return r;
}

static vector vector_sub(workshop *w, vector a, vector b) {
    vector r;
    for (int i = 0; i < 3; i++) r.c[i] = sub(w, a.c[i], b.c[i]);
    return r;
}

static scalar dot(workshop *w, vector a, vector b) {
    return add(w, add(w, mul(w, a.c[0], b.c[0]), mul(w, a.c[1], b.c[1])), mul(w, a.c[2], b.c[2]));
}

static vector cross(workshop *w, vector a, vector b) {
    vector r;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        r.c[i] = sub(w, mul(w, a.c[j], b.c[k]), mul(w, a.c[k], b.c[j]));
    }
    return r;
}

/* x · 2^shift as an integer; shift makes it one. */
static void scaled(fmpz_t out, double x, long shift) {
    int exponent;
    double mantissa = frexp(x, &exponent);
    fmpz_set_d(out, ldexp(mantissa, 53));
    if (x != 0) fmpz_mul_2exp(out, out, (ulong)(shift + exponent - 53));
}

static long least_exponent(const double *x, int n, long least) {
    for (int i = 0; i < n; i++) {
        int exponent;
        if (x[i] == 0) continue;
        frexp(x[i], &exponent);
        if (exponent - 53 < least) least = exponent - 53;
    }
    return least;
}

/* ---- what can change, and when ---- */

static void add_times(workshop *w, scalar p) {
    if (fmpz_poly_degree(p) < 1) return;
    fmpz_poly_t square_free;
    fmpz_poly_init(square_free);
    fmpz_poly_t derivative;
    fmpz_poly_init(derivative);
    fmpz_poly_derivative(derivative, p);
    fmpz_poly_gcd(derivative, derivative, p);
    fmpz_poly_div(square_free, p, derivative);
    slong n = fmpz_poly_degree(square_free);
    qqbar_ptr roots = _qqbar_vec_init(n);
    qqbar_roots_fmpz_poly(roots, square_free, 0);
    for (slong i = 0; i < n; i++) {
        if (!qqbar_is_real(roots + i)) continue;
        if (qqbar_cmp_re(roots + i, w->zero) < 0 || qqbar_cmp_re(roots + i, w->end) > 0) continue;
        assert(w->time_count < MAX_TIMES);
        qqbar_set(w->times + w->time_count++, roots + i);
    }
    _qqbar_vec_clear(roots, n);
    fmpz_poly_clear(square_free);
    fmpz_poly_clear(derivative);
}

/* The minimal polynomial of t is irreducible: p vanishes at t iff that divides p. Else precision will tell. */
static int sign_at(scalar p, const qqbar_t t) {
    if (fmpz_poly_is_zero(p)) return 0;
    fmpz_poly_t quotient;
    fmpz_poly_init(quotient);
    bool zero = fmpz_poly_divides(quotient, p, QQBAR_POLY(t));
    fmpz_poly_clear(quotient);
    if (zero) return 0;
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    int sign = 0;
    for (slong bits = 128; sign == 0; bits *= 2) {
        qqbar_get_arb(x, t, bits);
        arb_zero(y);
        for (slong i = fmpz_poly_degree(p); i >= 0; i--) {
            arb_mul(y, y, x, 2 * bits + 4096);
            arb_add_fmpz(y, y, fmpz_poly_get_coeff_ptr(p, i), 2 * bits + 4096);
        }
        if (!arb_contains_zero(y)) sign = arb_is_positive(y) ? 1 : -1;
    }
    arb_clear(x);
    arb_clear(y);
    return sign;
}

/* ---- two still primitives: each feature gives a condition on signs, and the polynomials whose roots matter ---- */

typedef struct feature {
    scalar gap;       /* ≤ 0 when the feature's distance is within the separation */
    scalar exists;    /* > 0 when it is not degenerate; NULL: always */
    scalar inside[4]; /* each ≥ 0 when the feet lie inside */
    int inside_count;
} feature;

typedef struct features {
    feature list[16];
    int count;
} features;

static feature *more(features *f) {
    assert(f->count < 16);
    feature *made = &f->list[f->count++];
    *made = (feature){0};
    return made;
}

static void point_point(workshop *w, features *f, vector a, vector b, scalar d2) {
    vector q = vector_sub(w, a, b);
    more(f)->gap = sub(w, dot(w, q, q), d2);
}

static void point_line(workshop *w, features *f, vector p, vector a, vector b, scalar d2) {
    vector q = vector_sub(w, p, a), e = vector_sub(w, b, a), c = cross(w, q, e);
    scalar ee = dot(w, e, e), qe = dot(w, q, e);
    feature *made = more(f);
    made->gap = sub(w, dot(w, c, c), mul(w, d2, ee));
    made->exists = ee;
    made->inside[0] = qe;
    made->inside[1] = sub(w, ee, qe);
    made->inside_count = 2;
}

static void point_edge(workshop *w, features *f, vector p, vector a, vector b, scalar d2) {
    point_point(w, f, p, a, d2);
    point_point(w, f, p, b, d2);
    point_line(w, f, p, a, b, d2);
}

static void point_plane(workshop *w, features *f, vector p, const vector v[3], scalar d2) {
    vector n = cross(w, vector_sub(w, v[1], v[0]), vector_sub(w, v[2], v[0]));
    scalar h = dot(w, n, vector_sub(w, p, v[0])), nn = dot(w, n, n);
    feature *made = more(f);
    made->gap = sub(w, mul(w, h, h), mul(w, d2, nn));
    made->exists = nn;
    for (int i = 0; i < 3; i++) {
        vector e = vector_sub(w, v[(i + 1) % 3], v[i]);
        made->inside[i] = dot(w, n, cross(w, e, vector_sub(w, p, v[i])));
    }
    made->inside_count = 3;
}

static void line_line(workshop *w, features *f, const vector x[4], scalar d2) {
    vector a = vector_sub(w, x[1], x[0]), b = vector_sub(w, x[3], x[2]), q = vector_sub(w, x[2], x[0]);
    vector n = cross(w, a, b);
    scalar h = dot(w, n, q), nn = dot(w, n, n);
    feature *made = more(f);
    made->gap = sub(w, mul(w, h, h), mul(w, d2, nn));
    made->exists = nn;
    made->inside[0] = dot(w, n, cross(w, q, b));
    made->inside[1] = sub(w, nn, made->inside[0]);
    made->inside[2] = dot(w, n, cross(w, q, a));
    made->inside[3] = sub(w, nn, made->inside[2]);
    made->inside_count = 4;
}

static bool within(const feature *f, const qqbar_t t) {
    if (sign_at(f->gap, t) > 0) return false;
    if (f->exists && sign_at(f->exists, t) <= 0) return false;
    for (int i = 0; i < f->inside_count; i++)
        if (sign_at(f->inside[i], t) < 0) return false;
    return true;
}

static int by_time(const void *a, const void *b) { return qqbar_cmp_re(a, b); }

void flint_decide(graze_kind kind, const graze_query *query, double separation, double t_max, flint_answer *answer) {
    workshop *w = malloc(sizeof *w);
    for (int i = 0; i < MAX_POLYS; i++) fmpz_poly_init(&w->poly[i]);
    w->used = w->time_count = 0;
    w->times = _qqbar_vec_init(MAX_TIMES);
    qqbar_init(w->zero);
    qqbar_init(w->end);
    qqbar_set_d(w->end, t_max);

    int rows = kind == GRAZE_PP ? 2 : kind == GRAZE_PE ? 3 : 4;
    long least = least_exponent(&separation, 1, 0);
    least = least_exponent(&query->x0[0][0], 3 * rows, least);
    least = least_exponent(&query->x1[0][0], 3 * rows, least);
    vector x[4];
    fmpz_t a, b;
    fmpz_init(a);
    fmpz_init(b);
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < 3; c++) {
            scaled(a, query->x0[i][c], -least);
            scaled(b, query->x1[i][c], -least);
            fmpz_sub(b, b, a);
            x[i].c[c] = fresh(w);
            fmpz_poly_set_coeff_fmpz(x[i].c[c], 0, a);
            fmpz_poly_set_coeff_fmpz(x[i].c[c], 1, b);
        }
    scalar d2 = fresh(w);
    scaled(a, separation, -least);
    fmpz_mul(a, a, a);
    fmpz_poly_set_coeff_fmpz(d2, 0, a);
    fmpz_clear(a);
    fmpz_clear(b);

    features f = {.count = 0};
    switch (kind) {
    case GRAZE_PP: point_point(w, &f, x[0], x[1], d2); break;
    case GRAZE_PE: point_edge(w, &f, x[0], x[1], x[2], d2); break;
    case GRAZE_VF:
        for (int i = 1; i < 4; i++) point_point(w, &f, x[0], x[i], d2);
        for (int i = 0; i < 3; i++) point_line(w, &f, x[0], x[1 + i], x[1 + (i + 1) % 3], d2);
        point_plane(w, &f, x[0], &x[1], d2);
        break;
    case GRAZE_EE:
        for (int i = 0; i < 2; i++)
            for (int j = 2; j < 4; j++) point_point(w, &f, x[i], x[j], d2);
        for (int i = 0; i < 2; i++) point_line(w, &f, x[i], x[2], x[3], d2);
        for (int j = 2; j < 4; j++) point_line(w, &f, x[j], x[0], x[1], d2);
        line_line(w, &f, x, d2);
        break;
    }

    /* The set of contact times is closed, and its first point is 0 or a root of something that changes sign there. */
    w->time_count = 1; /* times[0] is 0 */
    for (int i = 0; i < f.count; i++) {
        add_times(w, f.list[i].gap);
        if (f.list[i].exists) add_times(w, f.list[i].exists);
        for (int k = 0; k < f.list[i].inside_count; k++) add_times(w, f.list[i].inside[k]);
    }
    qsort(w->times, (size_t)w->time_count, sizeof *w->times, by_time);

    answer->hit = false;
    qqbar_zero(answer->time);
    for (int t = 0; t < w->time_count && !answer->hit; t++)
        for (int i = 0; i < f.count && !answer->hit; i++)
            if (within(&f.list[i], w->times + t)) {
                answer->hit = true;
                qqbar_set(answer->time, w->times + t);
            }

    qqbar_clear(w->zero);
    qqbar_clear(w->end);
    _qqbar_vec_clear(w->times, MAX_TIMES);
    for (int i = 0; i < MAX_POLYS; i++) fmpz_poly_clear(&w->poly[i]);
    free(w);
}

void flint_answer_init(flint_answer *answer) {
    answer->hit = false;
    qqbar_init(answer->time);
}

void flint_answer_clear(flint_answer *answer) { qqbar_clear(answer->time); }

int flint_compare(double t, const flint_answer *answer) {
    qqbar_t x;
    qqbar_init(x);
    qqbar_set_d(x, t);
    int order = qqbar_cmp_re(x, answer->time);
    qqbar_clear(x);
    return order;
}

bool flint_polynomial_fits(char *const *coefficients, int degree, const flint_answer *answer) {
    fmpz_poly_t p;
    fmpz_poly_init(p);
    fmpz_t c;
    fmpz_init(c);
    bool good = true;
    for (int i = 0; i <= degree; i++) {
        if (fmpz_set_str(c, coefficients[i], 10) != 0) good = false;
        fmpz_poly_set_coeff_fmpz(p, i, c);
    }
    good = good && fmpz_poly_degree(p) == degree && fmpz_sgn(fmpz_poly_lead(p)) > 0;
    fmpz_poly_content(c, p);
    good = good && fmpz_is_one(c) && fmpz_poly_is_squarefree(p) && sign_at(p, answer->time) == 0;
    fmpz_clear(c);
    fmpz_poly_clear(p);
    return good;
}
