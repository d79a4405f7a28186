#include "verify/features.h"

#include <math.h>

int verify_rows_a(verify_kind kind) { return kind == VERIFY_EE ? 2 : 1; }
int verify_rows(verify_kind kind) { return kind == VERIFY_PE ? 3 : kind == VERIFY_PP ? 2 : 4; }

/* ---- integers ---- */

/* Exponent of the lowest bit of x. */
static int lowest(double x) {
    if (x == 0) return INT16_MAX;
    int exponent;
    double part = frexp(x, &exponent);
    mpz_t n;
    mpz_init(n);
    mpz_set_d(n, ldexp(part, 53));
    int low = exponent - 53 + (int)mpz_scan1(n, 0);
    mpz_clear(n);
    return low;
}

/* x / 2^unit, which is an integer */
static void set_scaled(mpz_t n, double x, int unit) {
    int exponent;
    double part = frexp(x, &exponent);
    mpz_set_d(n, ldexp(part, 53));
    int shift = exponent - 53 - unit;
    if (shift >= 0)
        mpz_mul_2exp(n, n, (mp_bitcnt_t)shift);
    else
        mpz_fdiv_q_2exp(n, n, (mp_bitcnt_t)-shift);
}

void integers_init(integers *in, const verify_pair *pair) {
    int unit = lowest(pair->separation);
    for (int i = 0; i < verify_rows(pair->kind); i++) {
        int low = lowest(pair->radii[i]);
        if (low < unit) unit = low;
        for (int c = 0; c < 3; c++) {
            int low0 = lowest(pair->x0[i][c]), low1 = lowest(pair->x1[i][c]);
            if (low0 < unit) unit = low0;
            if (low1 < unit) unit = low1;
        }
    }
    if (unit == INT16_MAX) unit = 0;
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            mpz_inits(in->x[0][i][c], in->x[1][i][c], NULL);
            if (i >= verify_rows(pair->kind)) continue;
            set_scaled(in->x[0][i][c], pair->x0[i][c], unit);
            set_scaled(in->x[1][i][c], pair->x1[i][c], unit);
        }
    mpz_inits(in->separation, in->separation2, NULL);
    set_scaled(in->separation, pair->separation, unit);
    int rows_a = verify_rows_a(pair->kind), most[2] = {0, rows_a};
    in->uniform = true;
    for (int i = 0; i < 4; i++) {
        mpz_init(in->radii[i]);
        if (i >= verify_rows(pair->kind)) continue;
        set_scaled(in->radii[i], pair->radii[i], unit);
        int *first = &most[i >= rows_a];
        if (pair->radii[i] != pair->radii[*first]) in->uniform = false;
        if (pair->radii[i] > pair->radii[*first]) *first = i;
    }
    mpz_add(in->separation2, in->separation, in->radii[most[0]]);
    mpz_add(in->separation2, in->separation2, in->radii[most[1]]);
    mpz_mul(in->separation2, in->separation2, in->separation2);
}

void integers_clear(integers *in) {
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) mpz_clears(in->x[0][i][c], in->x[1][i][c], NULL);
    for (int i = 0; i < 4; i++) mpz_clear(in->radii[i]);
    mpz_clears(in->separation, in->separation2, NULL);
}

/* ---- vectors of polynomials ---- */

typedef struct vector {
    poly x[3];
} vector;

static void vector_init(vector *v) {
    for (int c = 0; c < 3; c++) poly_init(&v->x[c]);
}
static void vector_clear(vector *v) {
    for (int c = 0; c < 3; c++) poly_clear(&v->x[c]);
}

/* row b - row a */
static void difference(vector *v, const integers *in, int a, int b) {
    mpz_t start, end;
    mpz_inits(start, end, NULL);
    for (int c = 0; c < 3; c++) {
        mpz_sub(start, in->x[0][b][c], in->x[0][a][c]);
        mpz_sub(end, in->x[1][b][c], in->x[1][a][c]);
        poly_set_line(&v->x[c], start, end);
    }
    mpz_clears(start, end, NULL);
}

static void dot(poly *p, const vector *a, const vector *b) {
    poly product;
    poly_init(&product);
    poly_mul(p, &a->x[0], &b->x[0]);
    for (int c = 1; c < 3; c++) {
        poly_mul(&product, &a->x[c], &b->x[c]);
        poly_add(p, p, &product);
    }
    poly_clear(&product);
}

/* v is neither a nor b */
static void cross(vector *v, const vector *a, const vector *b) {
    poly product;
    poly_init(&product);
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        poly_mul(&v->x[c], &a->x[i], &b->x[j]);
        poly_mul(&product, &a->x[j], &b->x[i]);
        poly_sub(&v->x[c], &v->x[c], &product);
    }
    poly_clear(&product);
}

/* ---- features ---- */

static feature *add(features *all, int inside_count) {
    feature *f = &all->list[all->count++];
    poly_init(&f->excess);
    poly_init(&f->extent);
    for (int i = 0; i < 4; i++) poly_init(&f->inside[i]);
    f->plain = false;
    f->inside_count = inside_count;
    return f;
}

/* f->excess = square - separation^2 * extent */
static void set_excess(feature *f, const poly *square, const integers *in) {
    poly_scale(&f->excess, &f->extent, in->separation2);
    poly_sub(&f->excess, square, &f->excess);
}

static void add_points(features *all, const integers *in, int a, int b) {
    vector q;
    poly square;
    vector_init(&q);
    poly_init(&square);
    feature *f = add(all, 0);
    difference(&q, in, a, b);
    dot(&square, &q, &q);
    poly_set_constant(&f->extent, 1);
    set_excess(f, &square, in);
    vector_clear(&q);
    poly_clear(&square);
}

/* point p, edge from a to b */
static void add_point_line(features *all, const integers *in, int p, int a, int b) {
    vector q, e, n;
    poly square;
    vector_init(&q);
    vector_init(&e);
    vector_init(&n);
    poly_init(&square);
    feature *f = add(all, 2);
    difference(&q, in, a, p);
    difference(&e, in, a, b);
    cross(&n, &q, &e);
    dot(&square, &n, &n);
    dot(&f->extent, &e, &e);
    dot(&f->inside[0], &q, &e);
    poly_sub(&f->inside[1], &f->extent, &f->inside[0]);
    set_excess(f, &square, in);
    vector_clear(&q);
    vector_clear(&e);
    vector_clear(&n);
    poly_clear(&square);
}

/* The point and the face's plane, or the lines of the two edges. */
static void add_volume(features *all, const integers *in, verify_kind kind) {
    bool vf = kind == VERIFY_VF;
    vector q, e1, e2, n, side;
    poly volume;
    vector_init(&q);
    vector_init(&e1);
    vector_init(&e2);
    vector_init(&n);
    vector_init(&side);
    poly_init(&volume);
    feature *f = add(all, vf ? 3 : 4);
    difference(&e1, in, vf ? 1 : 0, vf ? 2 : 1);
    difference(&e2, in, vf ? 1 : 2, 3);
    difference(&q, in, vf ? 1 : 0, vf ? 0 : 2);
    cross(&n, &e1, &e2);
    dot(&volume, &n, &q);
    dot(&f->extent, &n, &n);
    /* the parameters of the closest points, times |n|^2: vf: along e1 and e2; ee: along a and b */
    cross(&side, &q, &e2);
    dot(&f->inside[0], &side, &n);
    if (vf)
        cross(&side, &e1, &q);
    else
        cross(&side, &q, &e1);
    dot(&f->inside[1], &side, &n);
    poly_sub(&f->inside[2], &f->extent, &f->inside[0]);
    if (vf)
        poly_sub(&f->inside[2], &f->inside[2], &f->inside[1]);
    else
        poly_sub(&f->inside[3], &f->extent, &f->inside[1]);
    f->plain = mpz_sgn(in->separation2) == 0;
    if (f->plain) {
        poly_copy(&f->excess, &volume);
    } else {
        poly_mul(&volume, &volume, &volume);
        set_excess(f, &volume, in);
    }
    vector_clear(&q);
    vector_clear(&e1);
    vector_clear(&e2);
    vector_clear(&n);
    vector_clear(&side);
    poly_clear(&volume);
}

void features_init(features *all, const verify_pair *pair, bool only_first) {
    integers in;
    integers_init(&in, pair);
    all->count = 0;
    verify_kind kind = pair->kind;
    if (kind == VERIFY_VF || kind == VERIFY_EE) add_volume(all, &in, kind);
    if (!only_first) {
        if (kind == VERIFY_VF)
            for (int i = 0; i < 3; i++) {
                add_point_line(all, &in, 0, 1 + i, 1 + (i + 1) % 3);
                add_points(all, &in, 0, 1 + i);
            }
        if (kind == VERIFY_EE)
            for (int i = 0; i < 2; i++) {
                add_point_line(all, &in, i, 2, 3);
                add_point_line(all, &in, 2 + i, 0, 1);
                add_points(all, &in, i, 2);
                add_points(all, &in, i, 3);
            }
        if (kind == VERIFY_PE) {
            add_point_line(all, &in, 0, 1, 2);
            add_points(all, &in, 0, 2);
        }
        if (kind == VERIFY_PE || kind == VERIFY_PP) add_points(all, &in, 0, 1);
    }
    integers_clear(&in);
}

void features_clear(features *all) {
    for (int k = 0; k < all->count; k++) {
        feature *f = &all->list[k];
        poly_clear(&f->excess);
        poly_clear(&f->extent);
        for (int i = 0; i < 4; i++) poly_clear(&f->inside[i]);
    }
    all->count = 0;
}
