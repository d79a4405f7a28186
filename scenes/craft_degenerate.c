/* Handcrafted degenerate motion: flat, collinear, collapsed, turned over, at rest, sliding. */
#include "scenes/craft.h"

#include <string.h>

static void copy_point(craft *c, int to, int from) {
    memcpy(c->at[to], c->at[from], sizeof c->at[to]);
    memcpy(c->velocity[to], c->velocity[from], sizeof c->velocity[to]);
}

/* The first row of primitive B. */
static int first_of_b(const craft *c) { return c->kind == GRAZE_VF ? 1 : 2; }

/* A on one side of a plane and B on the other, at both ends and so always, in the first `dimensions` coordinates. */
static handcraft_promise apart(craft *c, int dimensions, bool still) {
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < 4; i++) {
            double *x = half ? c->query->x1[i] : c->query->x0[i];
            craft_vector(c, 16, x);
            x[0] = (double)craft_integer(c, 1, 16) * (i < first_of_b(c) ? 1 : -1);
            for (int k = dimensions; k < 3; k++) x[k] = 0;
        }
    if (still) memcpy(c->query->x1, c->query->x0, sizeof c->query->x1);
    craft_mix(c);
    return HANDCRAFT_MISSES;
}

/* All in a plane: f ≡ 0. */
handcraft_promise craft_coplanar(craft *c) {
    if (c->value == 0) return apart(c, 2, false);
    double n[3];
    do {
        craft_points(c);
        for (int i = 0; i < 4; i++) c->at[i][2] = c->velocity[i][2] = 0;
        craft_normal(c, n);
    } while (n[2] == 0);
    craft_join(c, CRAFT_ANYWHERE);
    craft_finish(c);
    craft_mix(c);
    return HANDCRAFT_TOUCHES;
}

/* All on a line. */
handcraft_promise craft_collinear(craft *c) {
    if (c->value == 0) return apart(c, 1, false);
    craft_points(c);
    for (int i = 0; i < 4; i++)
        for (int k = 1; k < 3; k++) c->at[i][k] = c->velocity[i][k] = 0;
    craft_join(c, CRAFT_ANYWHERE);
    craft_finish(c);
    craft_mix(c);
    return HANDCRAFT_TOUCHES;
}

/* Makes the points of a craft coincide or align: 0, two corners (edge a) are one point; 1, the corners lie on a line
 * (edge b is a point, or parallel to a when only `once`); 2, all corners (both edges) are one point. */
static void collapse(craft *c, bool once) {
    double kept[4][3];
    memcpy(kept, c->velocity, sizeof kept);
    int variant = (int)c->value;
    if (c->kind == GRAZE_VF) {
        static const double places[3] = {0.5, 2, -1};
        double place = places[craft_integer(c, 0, 2)];
        if (variant == 1)
            for (int k = 0; k < 3; k++) {
                c->at[3][k] = c->at[1][k] + place * (c->at[2][k] - c->at[1][k]);
                c->velocity[3][k] = c->velocity[1][k] + place * (c->velocity[2][k] - c->velocity[1][k]);
            }
        else
            copy_point(c, 3, 2);
        if (variant == 2) copy_point(c, 1, 2);
    } else {
        if (variant != 1) copy_point(c, 1, 0);
        if (variant == 2 || (variant == 1 && !once)) copy_point(c, 3, 2);
        if (variant == 1 && once) {
            double times = craft_integer(c, 0, 1) ? 0.5 : -1;
            for (int k = 0; k < 3; k++) c->at[3][k] = c->at[2][k] + times * (c->at[1][k] - c->at[0][k]);
        }
    }
    if (once) memcpy(c->velocity, kept, sizeof kept);
}

handcraft_promise craft_degenerate_always(craft *c) {
    craft_points(c);
    collapse(c, false);
    bool touches = craft_integer(c, 0, 2) > 0;
    if (touches) craft_join(c, CRAFT_ANYWHERE);
    craft_finish(c);
    craft_mix(c);
    return touches ? HANDCRAFT_TOUCHES : HANDCRAFT_OPEN;
}

/* Degenerate at one time that all three variants share with the contact, where there is one. */
handcraft_promise craft_degenerate_once(craft *c) {
    bool touches = craft_integer(c, 0, 2) > 0, flat = true;
    while (flat) {
        craft_points(c);
        collapse(c, true);
        if (touches) craft_join(c, CRAFT_ANYWHERE);
        craft_finish(c);
        /* not for all time: e1 × e2 is not zero at both ends */
        double n[3];
        memcpy(c->at, c->query->x0, sizeof c->at);
        craft_normal(c, n);
        flat = craft_dot(n, n) == 0;
        memcpy(c->at, c->query->x1, sizeof c->at);
        craft_normal(c, n);
        flat = flat && craft_dot(n, n) == 0;
    }
    craft_mix(c);
    return touches ? HANDCRAFT_TOUCHES : HANDCRAFT_OPEN;
}

/* A triangle (edge b) whose two corners change places while it comes down: one side of the volume that the difference
 * sweeps is a bilinear patch in the shape of an hourglass. The other primitive waits at the height `value`; the height
 * 0.1 is the published example. */
handcraft_promise craft_hourglass(craft *c) {
    static const double start[3][3] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}}, end[3][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    double height = c->value;
    int corners = c->kind == GRAZE_VF ? 3 : 2, first = 4 - corners;
    for (int i = first; i < 4; i++) {
        memcpy(c->query->x0[i], start[i - 1], sizeof c->query->x0[i]);
        memcpy(c->query->x1[i], end[i - 1], sizeof c->query->x1[i]);
    }
    if (height == 0.1) {
        static const double point[3] = {0.1, 0.1, 0.1}, edge[2][3] = {{0, 0, 0.1}, {1, 1, 0.1}};
        for (int i = 0; i < first; i++)
            for (int k = 0; k < 3; k++)
                c->query->x0[i][k] = c->query->x1[i][k] = c->kind == GRAZE_VF ? point[k] : edge[i][k];
        double grown = c->index < 8 ? 1 : (double)(1 << craft_integer(c, 1, 8));
        craft_scale(c, (const double[3]){grown, grown, grown});
        return HANDCRAFT_TOUCHES;
    }
    c->time = 1 - height;
    for (int i = first; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            c->velocity[i][k] = c->query->x1[i][k] - c->query->x0[i][k];
            c->at[i][k] = c->query->x0[i][k] + c->time * c->velocity[i][k];
        }
    double u = craft_eighth(c, 0.125, 0.75), v = craft_eighth(c, 0.125, 0.875 - u);
    if (c->kind == GRAZE_VF) {
        craft_join_at(c, u, v);
    } else {
        double along[3];
        do craft_vector(c, 4, along);
        while (craft_dot(along, along) == 0);
        for (int k = 0; k < 3; k++) {
            double meet = c->at[2][k] + v * (c->at[3][k] - c->at[2][k]);
            c->at[0][k] = meet - u * along[k];
            c->at[1][k] = meet + (1 - u) * along[k];
        }
    }
    for (int i = 0; i < first; i++)
        for (int k = 0; k < 3; k++) c->velocity[i][k] = 0;
    craft_finish(c);
    craft_mix(c);
    return HANDCRAFT_TOUCHES;
}

/* The published example of a cubic with an inflection point in the step: f = −72t³ + 120t² − 44t + 3. As edges: the
 * same four points. */
handcraft_promise craft_inflection(craft *c) {
    static const graze_query example = {{{1, 1, 0}, {0, 0, 5}, {2, 0, 2}, {0, 1, 0}},
                                        {{1, 1, 0}, {0, 0, -1}, {0, 0, -2}, {0, 7, 0}}};
    *c->query = example;
    if (c->value != 0) craft_mix(c);
    return HANDCRAFT_OPEN;
}

/* Two, three or all four points are one and the same, all the time. */
handcraft_promise craft_identical(craft *c) {
    craft_points(c);
    int b = first_of_b(c), count = (int)c->value;
    copy_point(c, b, 0);
    if (count > 2) copy_point(c, 3, 0);
    if (count > 3) {
        copy_point(c, 1, 0);
        copy_point(c, 2, 0);
    }
    craft_finish(c);
    craft_mix(c);
    return HANDCRAFT_TOUCHES;
}

handcraft_promise craft_static(craft *c) {
    if (c->value == 0) return apart(c, 3, true);
    craft_points(c);
    memset(c->velocity, 0, sizeof c->velocity);
    craft_join(c, CRAFT_ANYWHERE);
    craft_finish(c);
    craft_mix(c);
    return HANDCRAFT_TOUCHES;
}

static void add_multiple(double x[3], double factor, const double d[3]) {
    for (int k = 0; k < 3; k++) x[k] += factor * d[k];
}

/* Parallel edges that slide along their direction: on one line (0), side by side (1), or side by side with the gap
 * closing at one time (2). A vertex slides along an edge of the triangle (0), at a constant height over it (1), or
 * comes down while it slides (2). */
handcraft_promise craft_sliding(craft *c) {
    int variant = (int)c->value;
    craft_points(c);
    craft_move_together(c);
    double e1[3], e2[3], n[3], side[3];
    craft_minus(c->at[2], c->at[1], e1);
    craft_minus(c->at[3], c->at[1], e2);
    if (c->kind == GRAZE_VF) {
        craft_normal(c, n);
        do craft_vector(c, 8, side);
        while (craft_dot(side, n) == 0);
        craft_join_at(c, craft_eighth(c, 0, 1), 0);
        add_multiple(c->velocity[0], craft_eighth(c, -2, 2), e1);
        if (variant > 0) add_multiple(c->velocity[0], craft_eighth(c, -2, 2), e2);
        if (variant == 1) add_multiple(c->at[0], 1, side);
        if (variant == 2) add_multiple(c->velocity[0], 1, side);
    } else {
        craft_minus(c->at[1], c->at[0], e1);
        do {
            craft_vector(c, 8, side);
            craft_cross(side, e1, n);
        } while (craft_dot(n, n) == 0);
        double length = craft_integer(c, 0, 1) ? craft_eighth(c, 0.125, 2) : craft_eighth(c, -2, -0.125);
        memcpy(c->at[2], c->at[0], sizeof c->at[2]);
        add_multiple(c->at[2], craft_eighth(c, 0, 1), e1); /* edge b starts on edge a */
        memcpy(c->at[3], c->at[2], sizeof c->at[3]);
        add_multiple(c->at[3], length, e1);
        double slide = craft_eighth(c, -4, 4);
        for (int i = 2; i < 4; i++) {
            add_multiple(c->velocity[i], slide, e1);
            if (variant == 1) add_multiple(c->at[i], 1, side);
            if (variant == 2) add_multiple(c->velocity[i], 1, side);
        }
    }
    craft_finish(c);
    craft_mix(c);
    return variant == 1 ? HANDCRAFT_MISSES : HANDCRAFT_TOUCHES;
}
