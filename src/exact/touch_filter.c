/* The inside conditions at a root in doubles that carry their error: what the integers would say, for a tenth of the
   work, wherever no condition is near zero. docs/numerics.md, section 5. */
#include "exact/touch.h"

#include "numerics/error_bounds.h"

#include <math.h>
#include <string.h>

/* Every number that this may stand for is within `error` of `value`. */
typedef struct near_number {
    double value, error;
} near_number;

typedef struct near_vector {
    near_number c[3];
} near_vector;

static near_number multiply(near_number a, near_number b) {
    double value = a.value * b.value;
    double error =
        fabs(a.value) * b.error + fabs(b.value) * a.error + a.error * b.error + GZ_CARRIED_ROUND * fabs(value);
    return (near_number){value, error * GZ_CARRIED_UP + GZ_CARRIED_TINY};
}

static near_number add(near_number a, near_number b, double sign) {
    double value = a.value + sign * b.value;
    return (near_number){value, (a.error + b.error + GZ_CARRIED_ROUND * fabs(value)) * GZ_CARRIED_UP};
}

static near_vector cross(const near_vector *a, const near_vector *b) {
    near_vector product;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        product.c[i] = add(multiply(a->c[j], b->c[k]), multiply(a->c[k], b->c[j]), -1);
    }
    return product;
}

static near_number dot(const near_vector *a, const near_vector *b) {
    near_number sum = add(multiply(a->c[0], b->c[0]), multiply(a->c[1], b->c[1]), 1);
    return add(sum, multiply(a->c[2], b->c[2]), 1);
}

static size_t longest(const gz_vector *a, size_t bits) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= a->c[i].degree; k++)
            if (gz_int_bits(a->c[i].c[k]) > bits) bits = gz_int_bits(a->c[i].c[k]);
    return bits;
}

/* A linear vector at the root, divided by 2^bits. */
static near_vector at_root(const gz_vector *a, double below, size_t bits) {
    near_vector at;
    for (int i = 0; i < 3; i++) {
        double c[2] = {0, 0};
        for (int k = 0; k <= a->c[i].degree; k++) c[k] = gz_int_scaled_down(a->c[i].c[k], bits);
        at.c[i].value = c[0] + c[1] * below;
        at.c[i].error = GZ_LINE_SLACK * (fabs(c[0]) + fabs(c[1]) * below) + GZ_POLY_TINY;
    }
    return at;
}

/* Widens q by `reach`, for a pair of which no more is known than that it is within `reach`: the parameters are those of
   points that lie in the plane, or on the line, so near to q. */
static void loosen(const gz_pair *pair, double reach, size_t bits, near_vector *q) {
    for (int i = 0; i < 3; i++) q->c[i].error += ldexp(reach, -pair->unit[i] - (int)bits);
}

static bool enclose(near_number over, near_number under, double value[2]) {
    return gz_enclose_quotient(over.value, over.error, under.value, under.error, 1, value);
}

static bool bound_on_edge(const gz_pair *pair, double below, double reach, gz_place *place) {
    const gz_point_edge *edge = &pair->edges[0];
    size_t bits = longest(&edge->q, longest(&edge->e, 0));
    near_vector q = at_root(&edge->q, below, bits), e = at_root(&edge->e, below, bits);
    loosen(pair, reach, bits, &q);
    place->bounds[1][0] = place->bounds[1][1] = 0;
    return enclose(dot(&q, &e), dot(&e, &e), place->bounds[0]);
}

bool gz_bound_parameters(gz_pair *pair, double below, double reach, gz_place *place) {
    place->bounded = true;
    memset(place->bounds, 0, sizeof place->bounds);
    if (pair->kind == GRAZE_PP) return true;
    gz_pair_make_edges(pair);
    if (pair->kind == GRAZE_PE) return bound_on_edge(pair, below, reach, place);
    size_t bits = longest(&pair->q, longest(&pair->e1, longest(&pair->e2, 0)));
    near_vector q = at_root(&pair->q, below, bits), e1 = at_root(&pair->e1, below, bits),
                e2 = at_root(&pair->e2, below, bits), n = cross(&e1, &e2);
    loosen(pair, reach, bits, &q);
    near_vector of_u = cross(&q, &e2), of_v = pair->kind == GRAZE_VF ? cross(&e1, &q) : cross(&q, &e1);
    near_number n2 = dot(&n, &n);
    return enclose(dot(&n, &of_u), n2, place->bounds[0]) && enclose(dot(&n, &of_v), n2, place->bounds[1]);
}

gz_filtered gz_touch_filter(const gz_pair *pair, const gz_root *root, gz_place *place) {
    size_t bits = longest(&pair->q, longest(&pair->e1, longest(&pair->e2, 0)));
    near_vector q = at_root(&pair->q, root->below, bits), e1 = at_root(&pair->e1, root->below, bits),
                e2 = at_root(&pair->e2, root->below, bits), n = cross(&e1, &e2), product = cross(&q, &e2);
    near_number n2 = dot(&n, &n), u = dot(&n, &product), v, inside[4];
    product = pair->kind == GRAZE_VF ? cross(&e1, &q) : cross(&q, &e1);
    v = dot(&n, &product);
    inside[0] = u;
    inside[1] = v;
    inside[2] = add(n2, u, -1);
    inside[3] = add(n2, v, -1);
    if (pair->kind == GRAZE_VF) inside[2] = inside[3] = add(inside[2], v, -1);
    bool sure = true;
    for (int i = 0; i < 4; i++) {
        if (inside[i].value < -inside[i].error) return GZ_FILTER_APART;
        if (inside[i].value <= inside[i].error) sure = false;
    }
    if (!sure || !enclose(u, n2, place->bounds[0]) || !enclose(v, n2, place->bounds[1])) return GZ_FILTER_UNSURE;
    place->bounded = true;
    return GZ_FILTER_TOUCHES;
}
