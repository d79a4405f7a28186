/* Signs for root parity in integers. */
#include "compared/narrow/root_parity.h"

#include <math.h>

static gz_int det_of(gz_arena *arena, const gz_int a[3], const gz_int b[3], const gz_int c[3]) {
    gz_product terms[3];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        gz_product minor[2] = {{a[j], b[k], false}, {a[k], b[j], true}};
        terms[i] = (gz_product){gz_int_sum_of_products(arena, minor, 2), c[i], false};
    }
    return gz_int_sum_of_products(arena, terms, 3);
}

/* The weights of the origin in the tetrahedron of a patch, times one number. */
static void weights_of(gz_parity_exact *e, const int patch[4], gz_int weight[4]) {
    for (int i = 0; i < 4; i++) {
        const gz_int *rest[3];
        for (int k = 0, n = 0; k < 4; k++)
            if (k != i) rest[n++] = e->corner[patch[k]];
        weight[i] = det_of(e->arena, rest[0], rest[1], rest[2]);
        if (i % 2) weight[i] = gz_int_negative(weight[i]);
    }
}

static int det(void *self, int a, int b, int c) {
    gz_parity_exact *e = self;
    size_t mark = gz_arena_mark(e->arena);
    int sign = gz_int_sign(det_of(e->arena, e->corner[a], e->corner[b], e->corner[c]));
    gz_arena_release(e->arena, mark);
    return sign;
}

static int volume(void *self, const int patch[4]) {
    gz_parity_exact *e = self;
    size_t mark = gz_arena_mark(e->arena);
    gz_int weight[4];
    weights_of(e, patch, weight);
    gz_int first = gz_int_add(e->arena, weight[0], weight[1]), second = gz_int_add(e->arena, weight[2], weight[3]);
    int sign = gz_int_sign(gz_int_add(e->arena, first, second));
    gz_arena_release(e->arena, mark);
    return sign;
}

static int saddle(void *self, const int patch[4]) {
    gz_parity_exact *e = self;
    size_t mark = gz_arena_mark(e->arena);
    gz_int weight[4];
    weights_of(e, patch, weight);
    gz_product terms[2] = {{weight[0], weight[2], false}, {weight[1], weight[3], true}};
    int sign = gz_int_sign(gz_int_sum_of_products(e->arena, terms, 2));
    gz_arena_release(e->arena, mark);
    return sign;
}

static int ray(void *self, const int direction[3], int a, int b) {
    gz_parity_exact *e = self;
    size_t mark = gz_arena_mark(e->arena);
    gz_int r[3];
    for (int c = 0; c < 3; c++) r[c] = gz_int_shift_up(e->arena, gz_int_from(e->arena, direction[c]), e->ray_shift[c]);
    int sign = gz_int_sign(det_of(e->arena, r, e->corner[a], e->corner[b]));
    gz_arena_release(e->arena, mark);
    return sign;
}

static int cross(void *self, int component, int a, int b) {
    gz_parity_exact *e = self;
    size_t mark = gz_arena_mark(e->arena);
    int j = (component + 1) % 3, k = (component + 2) % 3;
    gz_product minor[2] = {{e->corner[a][j], e->corner[b][k], false}, {e->corner[a][k], e->corner[b][j], true}};
    int sign = gz_int_sign(gz_int_sum_of_products(e->arena, minor, 2));
    gz_arena_release(e->arena, mark);
    return sign;
}

/* In a plane with the origin, the segment from P(t) to Q(t) holds the origin when P × Q = 0 and ⟨P, Q⟩ ≤ 0. Every
   component of P × Q is a multiple of the same quadratic. */
static bool planar_contact(void *self, int from, int to) {
    gz_parity_exact *e = self;
    gz_arena *arena = e->arena;
    size_t mark = gz_arena_mark(arena);
    gz_vector product;
    gz_poly dot;
    gz_vector_cross(arena, &e->path[from], &e->path[to], &product);
    gz_vector_dot(arena, &e->path[from], &e->path[to], &dot);
    const gz_poly *line = NULL; /* zero when the ends of the segment and the origin are on a line; NULL: always */
    for (int c = 0; c < 3 && !line; c++)
        if (!gz_poly_is_zero(&product.c[c])) line = &product.c[c];

    gz_root start = gz_root_from(arena, 0), end = gz_root_from(arena, e->t_max);
    bool found = (!line || gz_root_sign(arena, &start, line) == 0) && gz_root_sign(arena, &start, &dot) <= 0;
    found = found || ((!line || gz_root_sign(arena, &end, line) == 0) && gz_root_sign(arena, &end, &dot) <= 0);
    if (!found && (line || !gz_poly_is_zero(&dot))) {
        gz_root roots[GZ_DEGREE];
        int count = gz_roots_isolate(arena, line ? line : &dot, roots);
        for (int i = 0; i < count && !found; i++)
            found = gz_root_side(arena, &roots[i], e->t_max) >= 0 && gz_root_sign(arena, &roots[i], &dot) <= 0;
    }
    gz_arena_release(arena, mark);
    return found;
}

void gz_parity_exact_load(gz_parity_exact *exact, gz_arena *arena, graze_kind kind, const graze_query *query,
                          double t_max) {
    gz_pair pair;
    gz_pair_load(&pair, arena, kind, query, 0);
    *exact = (gz_parity_exact){.arena = arena, .kind = kind, .t_max = t_max};
    const int *unit = pair.unit;
    int largest = unit[0] > unit[1] ? unit[0] : unit[1];
    if (unit[2] > largest) largest = unit[2];
    for (int c = 0; c < 3; c++) exact->ray_shift[c] = (size_t)(largest - unit[c]);
    /* t_max = m / 2^shift: the end of a path times 2^shift is an integer, and so the start is taken times that too */
    int exponent, half = gz_corner_half(kind);
    int64_t m = (int64_t)(frexp(t_max, &exponent) * 0x1p53);
    int shift = 53 - exponent;
    while (m % 2 == 0) m /= 2, shift--;
    gz_int end = gz_int_from(arena, m);
    for (int k = 0; k < half; k++) {
        gz_corner rows = gz_corner_rows(kind, k);
        gz_vector_subtract(arena, &pair.x[rows.to], &pair.x[rows.from], &exact->path[k]);
        for (int c = 0; c < 3; c++) {
            const gz_poly *p = &exact->path[k].c[c];
            gz_int start = p->degree >= 0 ? p->c[0] : gz_int_zero(), motion = p->degree >= 1 ? p->c[1] : gz_int_zero();
            exact->corner[k][c] = gz_int_shift_up(arena, start, (size_t)shift);
            exact->corner[k + half][c] = gz_int_add(arena, exact->corner[k][c], gz_int_multiply(arena, motion, end));
        }
    }
}

const gz_parity_signs gz_parity_exact_signs = {det, volume, saddle, ray, cross, planar_contact};
