#include "step/closest.h"

#include <math.h>

typedef struct vec {
    double x, y, z;
} vec;

static vec load(const double a[3]) { return (vec){a[0], a[1], a[2]}; }
static vec sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static vec mix(vec a, vec b, double t) {
    return (vec){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}
static double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec cross(vec a, vec b) { return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
static double clamp01(double t) { return t > 0 ? t < 1 ? t : 1 : 0; }

static vec on_segment(vec p, vec a, vec b) {
    vec e = sub(b, a);
    double length = dot(e, e);
    return mix(a, b, length > 0 ? clamp01(dot(sub(p, a), e) / length) : 0);
}

static vec nearer(vec p, vec a, vec b) { return dot(sub(a, p), sub(a, p)) <= dot(sub(b, p), sub(b, p)) ? a : b; }

/* From p to the closest point of a triangle: inside, or on the nearest of its edges. */
static vec to_triangle(vec p, vec a, vec b, vec c) {
    vec e1 = sub(b, a), e2 = sub(c, a), q = sub(p, a), n = cross(e1, e2);
    double size = dot(n, n), u = dot(cross(q, e2), n), v = dot(cross(e1, q), n);
    if (size > 0 && u >= 0 && v >= 0 && u + v <= size) {
        vec foot = {a.x + (u * e1.x + v * e2.x) / size, a.y + (u * e1.y + v * e2.y) / size,
                    a.z + (u * e1.z + v * e2.z) / size};
        return sub(foot, p);
    }
    vec best = nearer(p, on_segment(p, a, b), on_segment(p, b, c));
    return sub(nearer(p, best, on_segment(p, c, a)), p);
}

/* From the closest point of segment ab to that of segment cd. */
static vec between_segments(vec a, vec b, vec c, vec d) {
    vec best = sub(on_segment(a, c, d), a);
    vec others[3] = {sub(on_segment(b, c, d), b), sub(c, on_segment(c, a, b)), sub(d, on_segment(d, a, b))};
    for (int i = 0; i < 3; i++)
        if (dot(others[i], others[i]) < dot(best, best)) best = others[i];
    vec e1 = sub(b, a), e2 = sub(d, c), q = sub(c, a), n = cross(e1, e2);
    double size = dot(n, n), s = dot(cross(q, e2), n), t = dot(cross(q, e1), n);
    if (size > 0 && s >= 0 && t >= 0 && s <= size && t <= size) {
        vec inner = sub(mix(c, d, t / size), mix(a, b, s / size));
        if (dot(inner, inner) < dot(best, best)) best = inner;
    }
    return best;
}

static vec between(graze_kind kind, const double (*x)[3]) {
    vec a = load(x[0]), b = load(x[1]);
    switch (kind) {
    case GRAZE_VF: return to_triangle(a, b, load(x[2]), load(x[3]));
    case GRAZE_EE: return between_segments(a, b, load(x[2]), load(x[3]));
    case GRAZE_PE: return sub(on_segment(a, b, load(x[2])), a);
    case GRAZE_PP: return sub(b, a);
    }
    return (vec){0, 0, 0};
}

/* Coordinates brought to about 1, so that no product overflows or vanishes. */
static int scale_rows(graze_kind kind, const double (*x)[3], double scaled[4][3]) {
    int rows = kind == GRAZE_PP ? 2 : kind == GRAZE_PE ? 3 : 4, exponent = 0;
    double largest = 0;
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < 3; c++) largest = fmax(largest, fabs(x[i][c] - x[0][c]));
    if (largest > 0) frexp(largest, &exponent);
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < 3; c++) scaled[i][c] = ldexp(x[i][c] - x[0][c], -exponent);
    return exponent;
}

void gz_closest_direction(graze_kind kind, const double (*x)[3], double n[3]) {
    double rows[4][3] = {{0}};
    scale_rows(kind, x, rows);
    const double(*r)[3] = (const double(*)[3])rows;
    vec w = between(kind, r);
    if (kind <= GRAZE_EE && dot(w, w) < 0x1p-60) {
        vec flat = kind == GRAZE_VF ? cross(sub(load(r[2]), load(r[1])), sub(load(r[3]), load(r[1])))
                                    : cross(sub(load(r[1]), load(r[0])), sub(load(r[3]), load(r[2])));
        double side = dot(flat, w);
        if (side == 0) side = dot(flat, sub(load(r[kind == GRAZE_VF ? 1 : 2]), load(r[0])));
        if (dot(flat, flat) > 0) w = side < 0 ? (vec){-flat.x, -flat.y, -flat.z} : flat;
    }
    double length = sqrt(dot(w, w));
    if (!(length > 0)) length = 1;
    n[0] = w.x / length;
    n[1] = w.y / length;
    n[2] = w.z / length;
}

double gz_closest_distance(graze_kind kind, const double (*x)[3]) {
    double rows[4][3] = {{0}};
    int exponent = scale_rows(kind, x, rows);
    vec w = between(kind, (const double(*)[3])rows);
    return ldexp(sqrt(dot(w, w)), exponent);
}
