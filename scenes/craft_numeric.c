/* Handcrafted queries that strain the numbers: huge, tiny, far away, subnormal, on lattices, or of all bits. */
#include "scenes/craft.h"

#include <math.h>

/* A contact whose coordinates are multiples of 1/8 below 2^9. */
static handcraft_promise simple_contact(craft *c) {
    static craft_maker *const makers[] = {craft_inside, craft_on_edge, craft_corner, craft_coplanar};
    c->value = 1;
    int64_t pick = craft_integer(c, 0, 3);
    if (pick < 3) c->value = craft_eighth(c, 0, 1);
    return makers[pick](c);
}

handcraft_promise craft_scaled(craft *c) {
    double factor = ldexp(1, (int)c->value);
    handcraft_promise promise = simple_contact(c);
    craft_scale(c, (const double[3]){factor, factor, factor});
    return promise;
}

/* The three axes have different units, so that exponents are as far apart as `value`. */
handcraft_promise craft_wide(craft *c) {
    int spread = (int)c->value, up = spread / 2 < 140 ? spread / 2 : 140;
    handcraft_promise promise = simple_contact(c);
    int turn = (int)craft_integer(c, 0, 2);
    double factor[3];
    for (int k = 0; k < 3; k++) factor[(k + turn) % 3] = k == 0 ? ldexp(1, up) : k == 1 ? 1 : ldexp(1, up - spread);
    craft_scale(c, factor);
    return promise;
}

handcraft_promise craft_far(craft *c) {
    int64_t size = (int64_t)1 << (int)c->value;
    handcraft_promise promise = simple_contact(c);
    double offset[3];
    for (int k = 0; k < 3; k++)
        offset[k] = (double)craft_integer(c, size / 2, size) * (craft_integer(c, 0, 1) ? 1 : -1);
    craft_offset(c, offset);
    return promise;
}

/* The last place of the coordinates is 2^value. */
handcraft_promise craft_subnormal(craft *c) {
    double factor = ldexp(1, (int)c->value + 3);
    handcraft_promise promise = simple_contact(c);
    craft_scale(c, (const double[3]){factor, factor, factor});
    return promise;
}

handcraft_promise craft_lattice(craft *c) {
    for (int i = 0; i < 4; i++) {
        craft_vector(c, (int64_t)c->value, c->query->x0[i]);
        craft_vector(c, (int64_t)c->value, c->query->x1[i]);
    }
    return HANDCRAFT_OPEN;
}

/* All 53 bits at random, motion of the given size. */
handcraft_promise craft_random(craft *c) {
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            c->query->x0[i][k] = scene_random_between(&c->random, -1, 1);
            c->query->x1[i][k] = c->query->x0[i][k] + c->value * scene_random_between(&c->random, -1, 1);
        }
    return HANDCRAFT_OPEN;
}

/* A contact in general position, computed with rounding: a hit or a miss by the last bits. */
handcraft_promise craft_rounded(craft *c) {
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            c->at[i][k] = scene_random_between(&c->random, -1, 1);
            c->velocity[i][k] = scene_random_between(&c->random, -1, 1);
        }
    c->time = c->value;
    craft_join(c, CRAFT_ANYWHERE);
    craft_finish(c);
    return HANDCRAFT_OPEN;
}
