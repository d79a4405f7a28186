/* The inside conditions at a root in doubles that carry their error: what the integers would say, for a tenth of the
   work, wherever no condition is near zero. docs/numerics.md, section 5. */
#include "exact/touch.h"

#include "numerics/error_bounds.h"

#include <math.h>

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
    if (!sure || !gz_enclose_quotient(u.value, u.error, n2.value, n2.error, 1, place->bounds[0]) ||
        !gz_enclose_quotient(v.value, v.error, n2.value, n2.error, 1, place->bounds[1]))
        return GZ_FILTER_UNSURE;
    place->bounded = true;
    return GZ_FILTER_TOUCHES;
}
