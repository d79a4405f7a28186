#include "agreement/draw.h"

int draw_rows(graze_kind kind) { return kind == GRAZE_PP ? 2 : kind == GRAZE_PE ? 3 : 4; }
int draw_rows_of_a(graze_kind kind) { return kind == GRAZE_EE ? 2 : 1; }

int draw_exponent(test_random *random) {
    switch (test_random_below(random, 4)) {
    case 0: return 0;
    case 1: return -1060 + (int)test_random_below(random, 120);
    default: return -1060 + (int)test_random_below(random, 1217);
    }
}

/* Few bits make exact coincidences likely, many make roundings likely. */
static double draw_mantissa(test_random *random) {
    if (test_random_below(random, 2)) return (double)(4 + test_random_below(random, 5)) / 8;
    return test_random_between(random, 0.5, 1);
}

double draw_size(test_random *random) {
    static const uint64_t deepest[4] = {1, 60, 501, 501};
    int depth = (int)test_random_below(random, deepest[test_random_below(random, 4)]);
    return ldexp(draw_mantissa(random), -depth);
}

static double draw_signed(test_random *random, double size) {
    return test_random_below(random, 2) ? size * draw_mantissa(random) : -size * draw_mantissa(random);
}

void draw_vector(test_random *random, double size, double vector[3]) {
    uint64_t shape = test_random_below(random, 3), axis = test_random_below(random, 3);
    for (unsigned c = 0; c < 3; c++) {
        double part = draw_signed(random, size), own = draw_size(random);
        vector[c] = shape == 0 ? (c == axis ? part : 0) : shape == 1 ? part : part * own;
    }
}

static void add_multiple(double x[3], double factor, const double d[3]) {
    for (int c = 0; c < 3; c++) x[c] += factor * d[c];
}

/* ---- a pair around its closest time ---- */

typedef struct plan {
    double at[4][3], motion[4][3]; /* where the points are at `time`, and where they go in a unit of it */
    double time;
    double gap; /* length between the two points that are meant to be closest */
} plan;

static double draw_time(test_random *random) {
    return test_random_below(random, 2) ? (double)test_random_below(random, 9) / 8 : test_random_unit(random);
}

/* 0 and 1 are as likely as all between them. */
static double draw_parameter(test_random *random) {
    uint64_t place = test_random_below(random, 4);
    return place < 2 ? (double)place : test_random_unit(random);
}

/* The first corner of B lies at the origin, so that short edges there keep their bits. */
static void place_points(test_random *random, graze_kind kind, plan *p) {
    double e1[3], e2[3], gap[3] = {0, 0, 0};
    draw_vector(random, draw_size(random), e1);
    draw_vector(random, draw_size(random), e2);
    if (test_random_below(random, 4)) draw_vector(random, draw_size(random), gap);
    p->gap = sqrt(gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2]);
    double u = draw_parameter(random), v = kind == GRAZE_VF ? (1 - u) * draw_parameter(random) : draw_parameter(random);
    memset(p->at, 0, sizeof p->at);
    memcpy(p->at[0], gap, sizeof gap);
    if (kind == GRAZE_EE) {
        add_multiple(p->at[0], v, e2);
        memcpy(p->at[1], p->at[0], sizeof p->at[1]);
        add_multiple(p->at[0], -u, e1);
        add_multiple(p->at[1], 1 - u, e1);
        add_multiple(p->at[3], 1, e2);
    } else if (kind != GRAZE_PP) {
        add_multiple(p->at[0], u, e1);
        add_multiple(p->at[2], 1, e1);
        if (kind == GRAZE_VF) add_multiple(p->at[0], v, e2);
        if (kind == GRAZE_VF) add_multiple(p->at[3], 1, e2);
    }
}

/* A goes past B, and some points have a motion of their own. */
static void draw_motions(test_random *random, graze_kind kind, plan *p) {
    double past[3];
    draw_vector(random, draw_size(random), past);
    memset(p->motion, 0, sizeof p->motion);
    for (int i = 0; i < draw_rows(kind); i++) {
        double own[3];
        draw_vector(random, draw_size(random), own);
        if (i < draw_rows_of_a(kind)) add_multiple(p->motion[i], 1, past);
        if (test_random_below(random, 3) == 0) add_multiple(p->motion[i], 1, own);
    }
    p->time = draw_time(random);
}

static void write_query(const plan *p, graze_kind kind, int exponent, graze_query *query) {
    memset(query, 0, sizeof *query);
    for (int i = 0; i < draw_rows(kind); i++)
        for (int c = 0; c < 3; c++) {
            query->x0[i][c] = ldexp(p->at[i][c] - p->time * p->motion[i][c], exponent);
            query->x1[i][c] = ldexp(p->at[i][c] + (1 - p->time) * p->motion[i][c], exponent);
        }
}

static bool is_moving(const graze_query *query, int i, int j) {
    for (int c = 0; c < 3; c++)
        if (query->x0[i][c] != query->x0[j][c] || query->x1[i][c] != query->x1[j][c]) return true;
    return false;
}

/* Two ends of an edge, or the two points of a pair, that are one and the same at both ends of time. */
static bool has_flattened(graze_kind kind, const graze_query *query) {
    int b = draw_rows_of_a(kind);
    if (kind == GRAZE_PP) return !is_moving(query, 0, 1);
    bool flat = !is_moving(query, b, b + 1);
    if (kind == GRAZE_VF) flat = flat || !is_moving(query, b, b + 2);
    if (kind == GRAZE_EE) flat = flat || !is_moving(query, 0, 1);
    return flat;
}

/* ---- separations ---- */

static double distance_at(const drawn *d, double t) {
    double x[4][3];
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) x[i][c] = (1 - t) * d->query.x0[i][c] + t * d->query.x1[i][c];
    graze_distance_result found;
    return graze_distance(d->kind, (const double(*)[3])x, &found) == GRAZE_OK ? found.value : 0;
}

/* Between the least distance that a few times have and the one at the start: contact begins on the way. */
static double draw_between(test_random *random, const drawn *d) {
    double start = distance_at(d, 0), least = start;
    for (int k = 1; k <= 8; k++) least = fmin(least, distance_at(d, k / 8.0));
    if (!(least > 0)) return start * draw_size(random);
    int steps = ilogb(start) - ilogb(least) + 1;
    return fmin(start, ldexp(least * (1 + test_random_unit(random)), (int)test_random_below(random, (uint64_t)steps)));
}

static double draw_separation(test_random *random, const drawn *d, double gap, double size) {
    double nearly = ldexp(draw_mantissa(random), -(int)test_random_below(random, 54));
    switch (test_random_below(random, 8)) {
    case 0: return 0;
    case 1: return gap;
    case 2: return gap * (1 + nearly);
    case 3: return gap * (1 - nearly);
    case 4: return size * draw_size(random);
    default: return draw_between(random, d);
    }
}

void draw_pair(test_random *random, graze_kind kind, int exponent, drawn *out) {
    plan p;
    *out = (drawn){.kind = kind};
    place_points(random, kind, &p);
    draw_motions(random, kind, &p);
    write_query(&p, kind, exponent, &out->query);
    out->flattened = has_flattened(kind, &out->query);
    out->t_max = test_random_below(random, 4) ? 1 : 0.625;
    out->separation = draw_separation(random, out, ldexp(p.gap, exponent), ldexp(1, exponent));
}

void draw_radii(test_random *random, bool uniform, drawn *out) {
    double whole = out->separation;
    out->thick = true;
    out->separation = test_random_below(random, 2) ? 0 : whole / 2;
    double a = (whole - out->separation) * draw_size(random), b = whole - out->separation - a;
    for (int i = 0; i < draw_rows(out->kind); i++) {
        out->radii[i] = i < draw_rows_of_a(out->kind) ? a : b;
        if (!uniform && test_random_below(random, 2)) out->radii[i] *= draw_size(random);
    }
}

void draw_flat(drawn *out) {
    for (int i = 0; i < 4; i++) out->query.x0[i][2] = out->query.x1[i][2] = 0;
    out->flattened = has_flattened(out->kind, &out->query);
}

/* ---- straight motions as cubics ---- */

static bool sum_is_exact(double a, double b) {
    double sum = a + b, of_b = sum - a;
    return (a - (sum - of_b)) + (b - of_b) == 0;
}

static bool steps_are_exact(double x, double w) {
    return w + w - w == w && sum_is_exact(x, w) && sum_is_exact(x, 2 * w) && sum_is_exact(2 * w, w) &&
           sum_is_exact(x, 3 * w);
}

/* With few bits, so that three steps of w from x are exact where the two are not too far apart. */
static double shorten(double x) {
    int exponent;
    double part = frexp(x, &exponent);
    return ldexp(nearbyint(ldexp(part, 20)), exponent - 20);
}

static void raise_coordinate(double *x0, double *x1, double control[4]) {
    double x = shorten(*x0), w = shorten((*x1 - *x0) / 3);
    if (!steps_are_exact(x, w)) *(fabs(x) < fabs(w) ? &x : &w) = 0;
    for (int k = 0; k < 4; k++) control[k] = x + k * w;
    *x0 = control[0];
    *x1 = control[3];
}

void draw_raised(test_random *random, drawn *out, graze_curve_query *curve) {
    memset(curve, 0, sizeof *curve);
    for (int i = 0; i < draw_rows(out->kind); i++)
        for (int c = 0; c < 3; c++) {
            double control[4];
            raise_coordinate(&out->query.x0[i][c], &out->query.x1[i][c], control);
            for (int k = 0; k < 4; k++) curve->x[i][k][c] = control[k];
        }
    if (out->separation > 0 && test_random_below(random, 2)) out->separation = draw_between(random, out);
}
