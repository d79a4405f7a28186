/* Handcrafted contacts: where, when and how closely two primitives touch. */
#include "scenes/craft.h"

#include <math.h>
#include <string.h>

static handcraft_promise contact(craft *c, craft_feature feature) {
    craft_points(c);
    c->time = c->value;
    craft_join(c, feature);
    craft_finish(c);
    craft_mix(c);
    return HANDCRAFT_TOUCHES;
}

handcraft_promise craft_inside(craft *c) { return contact(c, CRAFT_INSIDE); }
handcraft_promise craft_on_edge(craft *c) { return contact(c, CRAFT_EDGE); }
handcraft_promise craft_corner(craft *c) { return contact(c, CRAFT_CORNER); }

/* Both primitives are points all the time. */
handcraft_promise craft_points_only(craft *c) {
    craft_points(c);
    c->time = c->value;
    for (int i = 1; i < 4; i++) memcpy(c->at[i], c->at[0], sizeof c->at[i]);
    if (c->kind == GRAZE_VF)
        memcpy(c->velocity[2], c->velocity[1], sizeof c->velocity[2]);
    else
        memcpy(c->velocity[1], c->velocity[0], sizeof c->velocity[1]);
    memcpy(c->velocity[3], c->velocity[2], sizeof c->velocity[3]);
    craft_finish(c);
    craft_mix(c);
    return HANDCRAFT_TOUCHES;
}

/* Two rigid primitives, one of which moves towards the other's plane (or away from it): they touch at `time` alone. */
static handcraft_promise touch(craft *c, double time, craft_feature feature) {
    double n[3], approach[3];
    do {
        craft_points(c);
        craft_vector(c, 16, approach);
        craft_normal(c, n);
    } while (craft_dot(n, approach) == 0);
    craft_move_together(c);
    for (int i = 0; i < (c->kind == GRAZE_VF ? 1 : 2); i++)
        for (int k = 0; k < 3; k++) c->velocity[i][k] += approach[k];
    c->time = time;
    craft_join(c, feature);
    craft_finish(c);
    craft_mix(c);
    return HANDCRAFT_TOUCHES;
}

handcraft_promise craft_touch_start(craft *c) { return touch(c, 0, (craft_feature)c->value); }
handcraft_promise craft_touch_end(craft *c) { return touch(c, 1, (craft_feature)c->value); }

/* The volume f(t) is a constant times (t − time)²: the primitives touch and part again on the side they came from.
 *
 * With s = t − time, e1 = (l, 0, a·s), e2 = (0, m, b·s) and q = p − v1 = (u·l + x·s, v·m + y·s, z·s),
 * f = ⟨e1 × e2, q⟩ = s·l·m·(z − a·u − b·v) − s²·(a·m·x + l·b·y): choose z to cancel the linear term.
 * For edges q = p3 − p1 and the second coordinate starts at −v·m, so that z = a·u − b·v. */
handcraft_promise craft_graze(craft *c) {
    double l, m, a, b, x, y;
    do {
        l = (double)craft_integer(c, 1, 8);
        m = (double)craft_integer(c, 1, 8);
        a = (double)craft_integer(c, -8, 8);
        b = (double)craft_integer(c, -8, 8);
        x = (double)craft_integer(c, -8, 8);
        y = (double)craft_integer(c, -8, 8);
    } while (a * m * x + l * b * y == 0);
    double u = craft_eighth(c, 0.125, 0.75), v = craft_eighth(c, 0.125, 0.875 - u);
    double base[3], drift[3];
    craft_vector(c, 8, base);
    craft_vector(c, 8, drift);
    for (int i = 0; i < 4; i++) {
        memcpy(c->at[i], base, sizeof base);
        memcpy(c->velocity[i], drift, sizeof drift);
    }
    bool faces = c->kind == GRAZE_VF;
    int p = faces ? 0 : 2, end1 = faces ? 2 : 1; /* the row that q ends at, and the row that e1 ends at */
    double z = faces ? a * u + b * v : a * u - b * v;
    const double q[3] = {u * l, faces ? v * m : -v * m, 0}, q_velocity[3] = {x, y, z};
    c->at[end1][0] += l;
    c->velocity[end1][2] += a;
    for (int k = 0; k < 3; k++) {
        c->at[p][k] += q[k];
        c->velocity[p][k] += q_velocity[k];
    }
    if (!faces) { /* edge b starts at p3 */
        memcpy(c->at[3], c->at[2], sizeof c->at[3]);
        memcpy(c->velocity[3], c->velocity[2], sizeof c->velocity[3]);
    }
    c->at[3][1] += m;
    c->velocity[3][2] += b;
    c->time = c->value;
    craft_finish(c);
    craft_mix(c);
    return HANDCRAFT_TOUCHES;
}

static double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/* A motion that ends in an inner contact, with the last position moved by some doubles past it (positive) or short of
 * it (negative). Both primitives are rigid, so that f is linear up to that nudge and its sign at the end decides. */
handcraft_promise craft_near_contact(craft *c) {
    touch(c, 1, CRAFT_INSIDE);
    const graze_query *query = c->query;
    memcpy(c->at, query->x0, sizeof c->at);
    double n[3], gap[3];
    craft_normal(c, n);
    craft_minus(query->x0[0], query->x0[c->kind == GRAZE_VF ? 1 : 2], gap);
    int axis = (int)craft_integer(c, 0, 2);
    while (n[axis] == 0) axis = (axis + 1) % 3;
    int64_t count = (int64_t)(-c->value * sign(craft_dot(n, gap)) * sign(n[axis]));
    for (int i = 0; i < (c->kind == GRAZE_VF ? 1 : 2); i++)
        c->query->x1[i][axis] = craft_ulps(c->query->x1[i][axis], count);
    return c->value > 0 ? HANDCRAFT_TOUCHES : HANDCRAFT_MISSES;
}

/* An edge of the face (edge b) from −e to e, and a vertex (an end of edge a) that slides along it, 2^-value times a
 * small normal n of the edge away. n parts the two: B is nowhere above the edge along n, A is above it. */
handcraft_promise craft_near_miss(craft *c) {
    double e[3], n[3], side[3], other[3], drift[3], gap = ldexp(1, -(int)c->value);
    do {
        craft_vector(c, 8, e), craft_vector(c, 8, other), craft_vector(c, 2, side);
        craft_cross(e, side, n);
        craft_cross(e, other, side);
    } while (craft_dot(n, n) == 0 || craft_dot(side, side) == 0);
    bool face = c->kind == GRAZE_VF, turned = (craft_dot(n, other) > 0) == face;
    double at = craft_eighth(c, -0.875, 0.875), slide = craft_eighth(c, -0.875, 0.875) - at;
    int turn = (int)craft_integer(c, 0, 2), from = face ? 1 + turn : 2, to = face ? 1 + (turn + 1) % 3 : 3;
    int third = face ? 1 + (turn + 2) % 3 : 1;
    craft_vector(c, craft_integer(c, 0, 1) ? 8 : 0, drift);
    for (int i = 0; i < 4; i++) memcpy(c->velocity[i], drift, sizeof drift);
    for (int k = 0; k < 3; k++) {
        c->at[0][k] = at * e[k] + gap * n[k];
        c->at[from][k] = -e[k], c->at[to][k] = e[k];
        c->at[third][k] = (face ? 0 : c->at[0][k]) + (turned ? -other[k] : other[k]);
        c->velocity[0][k] += slide * e[k];
        if (!face) c->velocity[third][k] += slide * e[k];
    }
    c->time = 0;
    craft_finish(c);
    return HANDCRAFT_MISSES;
}

/* A double root with the moving point shifted by some doubles: it splits into two roots or vanishes. */
handcraft_promise craft_near_graze(craft *c) {
    int64_t count = (int64_t)c->value;
    c->value = 0.5;
    craft_graze(c);
    int axis = (int)craft_integer(c, 0, 2);
    c->query->x0[0][axis] = craft_ulps(c->query->x0[0][axis], count);
    c->query->x1[0][axis] = craft_ulps(c->query->x1[0][axis], count);
    return HANDCRAFT_OPEN;
}

/* Any exact contact with one coordinate moved to the next double. */
handcraft_promise craft_nudged(craft *c) {
    static const struct {
        craft_maker *make;
        double value;
    } from[] = {
        {craft_inside, 0.5},        {craft_on_edge, 0.5},   {craft_corner, 0.5}, {craft_points_only, 0.5},
        {craft_touch_start, 0},     {craft_touch_end, 0},   {craft_graze, 0.25}, {craft_coplanar, 1},
        {craft_collinear, 1},       {craft_hourglass, 0.5}, {craft_static, 1},   {craft_sliding, 0},
        {craft_degenerate_once, 1}, {craft_identical, 2},
    };
    int64_t count = (int64_t)c->value;
    size_t pick = (size_t)craft_integer(c, 0, (int64_t)(sizeof from / sizeof *from) - 1);
    c->value = from[pick].value;
    from[pick].make(c);
    int64_t where = craft_integer(c, 0, 23);
    double *x = where < 12 ? &c->query->x0[where / 3][where % 3] : &c->query->x1[where / 3 - 4][where % 3];
    *x = craft_ulps(*x, count);
    return HANDCRAFT_OPEN;
}

/* f has roots at two or three eighths of the step, and each is a contact.
 *
 * In the frame of a face with e1 = (E, 0, A), e2 = (0, G, B) and the point at (x, y, w), f = E·G·w − A·G·x − B·E·y; in
 * that of edges (x before and E − x behind the crossing on a, y and G − y on b; A and B their rises; w the height
 * between their starts) f = E·G·w − A·G·x + B·E·y. With E = s·(1 + t), G = s·(3 − t) and x = y = 1 any cubic F is such
 * an f: F = (1 + t)(3 − t)·Q + (3 − t)·F(−1)/4 + (1 + t)·F(3)/4, with Q the quotient of F by (1 + t)(3 − t). */
handcraft_promise craft_many_roots(craft *c) {
    double root[3]; /* in eighths */
    root[0] = (double)craft_integer(c, 1, 5);
    root[1] = (double)craft_integer(c, (int64_t)root[0] + 1, 6);
    root[2] = c->value == 2 ? (craft_integer(c, 0, 1) ? -8 : 16) : (double)craft_integer(c, (int64_t)root[1] + 1, 7);
    /* F = Π (8t − root) = 512t³ + f2·t² + …, divided by −t² + 2t + 3 */
    double f2 = -64 * (root[0] + root[1] + root[2]);
    double q1 = -512, q0 = 2 * q1 - f2;
    double at_3 = (24 - root[0]) * (24 - root[1]) * (24 - root[2]);
    double at_minus_1 = (-8 - root[0]) * (-8 - root[1]) * (-8 - root[2]);
    bool faces = c->kind == GRAZE_VF;
    double s = faces ? 4 : 2; /* the point stays inside: 1/E + 1/G < 1 */
    double a = -at_minus_1 / (4 * s), b = (faces ? -at_3 : at_3) / (4 * s);
    double base[3], drift[3];
    craft_vector(c, 8, base);
    craft_vector(c, 8, drift);
    const double start = q0 / (s * s), rise = q1 / (s * s); /* of w */
    /* rows at t = 0 and their velocities, relative to base and drift */
    const double face[4][2][3] = {
        {{1, 1, start}, {0, 0, rise}}, {{0, 0, 0}, {0, 0, 0}}, {{s, 0, a}, {s, 0, 0}}, {{0, 3 * s, b}, {0, -s, 0}}};
    const double edges[4][2][3] = {{{0, 1, 0}, {0, 0, 0}},
                                   {{s, 1, a}, {s, 0, 0}},
                                   {{1, 0, start}, {0, 0, rise}},
                                   {{1, 3 * s, start + b}, {0, -s, rise}}};
    c->time = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            c->at[i][k] = base[k] + (faces ? face : edges)[i][0][k];
            c->velocity[i][k] = drift[k] + (faces ? face : edges)[i][1][k];
        }
    craft_finish(c);
    craft_mix(c);
    return HANDCRAFT_TOUCHES;
}
