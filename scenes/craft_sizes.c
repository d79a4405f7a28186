/* Handcrafted queries whose edges have sizes that differ hugely, and that meet only within a separation. */
#include "scenes/craft.h"

#include <math.h>

/* A corner in the plane z = height, at the origin or within `size` of it, moving in that plane as far. */
static void place_corner(craft *c, int row, double size, double height) {
    for (int k = 0; k < 2; k++) {
        c->at[row][k] = size * (double)craft_integer(c, 1, 4) * (craft_integer(c, 0, 1) ? 1 : -1);
        c->velocity[row][k] = size * (double)craft_integer(c, -4, 4);
    }
    c->at[row][2] = height;
    c->velocity[row][2] = 0;
}

/* Turns all axes by a random permutation with signs: distances keep their bits. */
static void turn(craft *c) {
    int first = (int)craft_integer(c, 0, 2), step = (int)craft_integer(c, 1, 2);
    double sign[3];
    for (int k = 0; k < 3; k++) sign[k] = craft_integer(c, 0, 1) ? 1 : -1;
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < 4; i++) {
            double *x = half ? c->query->x1[i] : c->query->x0[i], old[3] = {x[0], x[1], x[2]};
            for (int k = 0; k < 3; k++) x[k] = sign[k] * old[(first + k * step) % 3];
        }
}

/* B has an edge of 2^-first and, a face, another of 2^-second; with edges it is A's that has the second size. A passes
 * above B's first corner, at its height above all of B: within the separation, just at it, or just beyond. */
static handcraft_promise pass_over(craft *c, int first, int second) {
    static const double heights[4] = {0.25, 0.375, 0.5, 0.5 + 0x1p-30};
    double height = heights[craft_integer(c, 0, 3)], past[2];
    bool faces = c->kind == GRAZE_VF;
    int a = 0, b = faces ? 1 : 2;
    for (int i = 0; i < 4; i++) place_corner(c, i, 0, i < b ? height : 0);
    place_corner(c, b + 1, ldexp(1, -first), 0);
    place_corner(c, faces ? 3 : 1, ldexp(1, -second), faces ? 0 : height);
    for (int k = 0; k < 2; k++) past[k] = (double)craft_integer(c, 1, 4);
    for (int i = a; i < b; i++)
        for (int k = 0; k < 2; k++) c->velocity[i][k] += past[k];
    c->time = craft_eighth(c, 0.125, 0.875);
    craft_finish(c);
    turn(c);
    return height <= HANDCRAFT_SEPARATION ? HANDCRAFT_TOUCHES : HANDCRAFT_MISSES;
}

/* One edge of 2^-value beside others of 1. */
handcraft_promise craft_short_edges(craft *c) {
    bool swap = craft_integer(c, 0, 1);
    return pass_over(c, swap ? 0 : (int)c->value, swap ? (int)c->value : 0);
}

/* Two edges, both short, neither as short as the other: their product is 2^-value. */
handcraft_promise craft_needles(craft *c) {
    int part = (int)craft_integer(c, 1, (int64_t)c->value - 1);
    return pass_over(c, part, (int)c->value - part);
}

/* Both primitives are of 2^-value, and half a unit apart. */
handcraft_promise craft_tiny_apart(craft *c) { return pass_over(c, (int)c->value, (int)c->value); }
