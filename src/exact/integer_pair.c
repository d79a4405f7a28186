#include "exact/integer_pair.h"

#include <float.h>
#include <math.h>

void gz_vector_subtract(gz_arena *arena, const gz_vector *a, const gz_vector *b, gz_vector *difference) {
    for (int i = 0; i < 3; i++) gz_poly_add(arena, &a->c[i], &b->c[i], -1, &difference->c[i]);
}

void gz_vector_cross(gz_arena *arena, const gz_vector *a, const gz_vector *b, gz_vector *product) {
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        gz_poly_product terms[2] = {{&a->c[j], &b->c[k], false}, {&a->c[k], &b->c[j], true}};
        gz_poly_sum_of_products(arena, terms, 2, &product->c[i]);
    }
}

void gz_vector_dot(gz_arena *arena, const gz_vector *a, const gz_vector *b, gz_poly *product) {
    gz_poly_product terms[3];
    for (int i = 0; i < 3; i++) terms[i] = (gz_poly_product){&a->c[i], &b->c[i], false};
    gz_poly_sum_of_products(arena, terms, 3, product);
}

bool gz_vector_is_zero(const gz_vector *a) {
    return gz_poly_is_zero(&a->c[0]) && gz_poly_is_zero(&a->c[1]) && gz_poly_is_zero(&a->c[2]);
}

/* x = n·2^exponent with n odd; false for 0. */
static bool take_apart(double x, int64_t *n, int *exponent) {
    *n = (int64_t)(frexp(x, exponent) * 0x1p53);
    if (*n == 0) return false;
    int twos = __builtin_ctzll((uint64_t)*n);
    *n >>= twos;
    *exponent += twos - 53;
    return true;
}

static void lower_to(double x, int *least) {
    int64_t n;
    int exponent;
    if (take_apart(x, &n, &exponent) && exponent < *least) *least = exponent;
}

/* x / 2^least */
static gz_int scaled(gz_arena *arena, double x, int least) {
    int64_t n;
    int exponent;
    if (!take_apart(x, &n, &exponent)) return gz_int_zero();
    return gz_int_shift_up(arena, gz_int_from(arena, n), (size_t)(exponent - least));
}

/* Touching does not depend on the unit of an axis: with no separation each axis has its own, and the integers are as
   short as can be. The separation is a sum of three. */
static void load_points(gz_pair *pair, const graze_query *query, const double separation[3]) {
    int rows = pair->kind == GRAZE_PP ? 2 : pair->kind == GRAZE_PE ? 3 : 4;
    int least[3] = {DBL_MAX_EXP, DBL_MAX_EXP, DBL_MAX_EXP};
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < rows; i++) {
            lower_to(query->x0[i][c], &least[c]);
            lower_to(query->x1[i][c], &least[c]);
        }
    pair->separation = gz_int_zero();
    if (separation[0] > 0 || separation[1] > 0 || separation[2] > 0) {
        int common = DBL_MAX_EXP;
        for (int i = 0; i < 3; i++) lower_to(separation[i], &common);
        for (int c = 0; c < 3; c++)
            if (least[c] < common) common = least[c];
        for (int c = 0; c < 3; c++) least[c] = common;
        for (int i = 0; i < 3; i++)
            if (separation[i] > 0)
                pair->separation =
                    gz_int_add(pair->arena, pair->separation, scaled(pair->arena, separation[i], common));
    }
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < 3; c++) {
            gz_poly *x = &pair->x[i].c[c];
            x->c[0] = scaled(pair->arena, query->x0[i][c], least[c]);
            x->c[1] = gz_int_subtract(pair->arena, scaled(pair->arena, query->x1[i][c], least[c]), x->c[0]);
            x->degree = x->c[1].size ? 1 : x->c[0].size ? 0 : -1;
        }
    for (int c = 0; c < 3; c++) pair->unit[c] = least[c] < DBL_MAX_EXP ? least[c] : 0;
}

void gz_pair_load(gz_pair *pair, gz_arena *arena, graze_kind kind, const graze_query *query, double separation) {
    gz_pair_load_sum(pair, arena, kind, query, (double[3]){separation, 0, 0});
}

void gz_pair_load_sum(gz_pair *pair, gz_arena *arena, graze_kind kind, const graze_query *query,
                      const double separation[3]) {
    pair->arena = arena;
    pair->kind = kind;
    pair->inside_count = pair->edge_count = 0;
    load_points(pair, query, separation);
    const gz_vector *x = pair->x;
    if (kind == GRAZE_PE || kind == GRAZE_PP) return;
    bool face = kind == GRAZE_VF;
    gz_vector_subtract(arena, face ? &x[0] : &x[2], face ? &x[1] : &x[0], &pair->q);
    gz_vector_subtract(arena, face ? &x[2] : &x[1], face ? &x[1] : &x[0], &pair->e1);
    gz_vector_subtract(arena, &x[3], face ? &x[1] : &x[2], &pair->e2);
    gz_vector_cross(arena, &pair->e1, &pair->e2, &pair->n);
    gz_vector_dot(arena, &pair->n, &pair->q, &pair->f);
}

void gz_pair_make_inside(gz_pair *pair) {
    if (pair->inside_count) return;
    gz_arena *arena = pair->arena;
    gz_poly *inside = pair->inside;
    gz_vector product;
    gz_vector_dot(arena, &pair->n, &pair->n, &pair->n2);
    gz_vector_cross(arena, &pair->q, &pair->e2, &product);
    gz_vector_dot(arena, &pair->n, &product, &inside[0]);
    if (pair->kind == GRAZE_VF) {
        gz_vector_cross(arena, &pair->e1, &pair->q, &product);
        gz_vector_dot(arena, &pair->n, &product, &inside[1]);
        gz_poly_add(arena, &pair->n2, &inside[0], -1, &inside[2]);
        gz_poly_add(arena, &inside[2], &inside[1], -1, &inside[2]);
        pair->inside_count = 3;
    } else {
        gz_poly_add(arena, &pair->n2, &inside[0], -1, &inside[1]);
        gz_vector_cross(arena, &pair->q, &pair->e1, &product);
        gz_vector_dot(arena, &pair->n, &product, &inside[2]);
        gz_poly_add(arena, &pair->n2, &inside[2], -1, &inside[3]);
        pair->inside_count = 4;
    }
}

/* Point, start and end of each point and segment, by kind. Their starts run through every pair of corners. */
static const struct {
    int count, rows[4][3];
} parts[4] = {
    [GRAZE_VF] = {3, {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}}},
    [GRAZE_EE] = {4, {{0, 2, 3}, {1, 3, 2}, {2, 1, 0}, {3, 0, 1}}},
    [GRAZE_PE] = {2, {{0, 1, 2}, {0, 2, 1}}},
    [GRAZE_PP] = {1, {{0, 1, 1}}},
};

void gz_pair_make_edges(gz_pair *pair) {
    if (pair->edge_count) return;
    gz_arena *arena = pair->arena;
    const int(*ends)[3] = parts[pair->kind].rows;
    pair->edge_count = parts[pair->kind].count;
    /* one segment, written twice for the sake of its ends: at separation 0 they need no care of their own */
    if (pair->kind == GRAZE_PE && pair->separation.size == 0) pair->edge_count = 1;
    for (int k = 0; k < pair->edge_count; k++) {
        gz_point_edge *edge = &pair->edges[k];
        gz_vector_subtract(arena, &pair->x[ends[k][0]], &pair->x[ends[k][1]], &edge->q);
        gz_vector_subtract(arena, &pair->x[ends[k][2]], &pair->x[ends[k][1]], &edge->e);
        gz_vector_cross(arena, &edge->q, &edge->e, &edge->cross);
        gz_vector_dot(arena, &edge->q, &edge->e, &edge->along);
        gz_vector_dot(arena, &edge->e, &edge->e, &edge->length2);
        gz_poly_add(arena, &edge->length2, &edge->along, -1, &edge->rest);
        gz_vector_dot(arena, &edge->q, &edge->q, &edge->start2);
    }
}

void gz_pair_place_on_edge(const gz_pair *pair, int k, bool at_start, gz_place *place) {
    const gz_point_edge *edge = &pair->edges[k];
    gz_fraction along = {NULL, NULL, 0}, rest = {NULL, NULL, 1};
    const gz_fraction zero = {NULL, NULL, 0}, one = {NULL, NULL, 1};
    if (!at_start) {
        along = (gz_fraction){&edge->along, &edge->length2, 0};
        rest = (gz_fraction){&edge->rest, &edge->length2, 0};
    }
    /* by the table above */
    const gz_fraction vf[3][2] = {{along, zero}, {rest, along}, {zero, rest}};
    const gz_fraction ee[4][2] = {{zero, along}, {one, rest}, {rest, zero}, {along, one}};
    const gz_fraction pe[2][2] = {{along, zero}, {rest, zero}};
    const gz_fraction(*uv)[2] = pair->kind == GRAZE_VF ? vf : pair->kind == GRAZE_EE ? ee : pe;
    place->u = uv[k][0];
    place->v = uv[k][1];
}

void gz_pair_place_inside(const gz_pair *pair, gz_place *place) {
    place->u = (gz_fraction){&pair->inside[0], &pair->n2, 0};
    place->v = (gz_fraction){&pair->inside[pair->kind == GRAZE_VF ? 1 : 2], &pair->n2, 0};
}
