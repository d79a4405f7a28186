#include "scenes/craft.h"

#include <string.h>

int64_t craft_integer(craft *c, int64_t low, int64_t high) { return scene_random_integer(&c->random, low, high); }

double craft_eighth(craft *c, double low, double high) {
    return (double)craft_integer(c, (int64_t)(8 * low), (int64_t)(8 * high)) / 8;
}

void craft_vector(craft *c, int64_t range, double x[3]) {
    for (int k = 0; k < 3; k++) x[k] = (double)craft_integer(c, -range, range);
}

double craft_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

void craft_cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

void craft_minus(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

void craft_normal(const craft *c, double n[3]) {
    double e1[3], e2[3];
    if (c->kind == GRAZE_VF) {
        craft_minus(c->at[2], c->at[1], e1);
        craft_minus(c->at[3], c->at[1], e2);
    } else {
        craft_minus(c->at[1], c->at[0], e1);
        craft_minus(c->at[3], c->at[2], e2);
    }
    craft_cross(e1, e2, n);
}

void craft_points(craft *c) {
    double n[3];
    do {
        for (int i = 0; i < 4; i++) {
            craft_vector(c, 16, c->at[i]);
            craft_vector(c, 16, c->velocity[i]);
        }
        craft_normal(c, n);
    } while (craft_dot(n, n) == 0);
    c->time = craft_eighth(c, 0, 1);
}

void craft_join_at(craft *c, double u, double v) {
    for (int k = 0; k < 3; k++) {
        if (c->kind == GRAZE_VF) {
            const double *f0 = c->at[1], *f1 = c->at[2], *f2 = c->at[3];
            c->at[0][k] = f0[k] + u * (f1[k] - f0[k]) + v * (f2[k] - f0[k]);
        } else {
            double meet = c->at[0][k] + u * (c->at[1][k] - c->at[0][k]);
            double along = c->at[3][k] - c->at[2][k];
            c->at[2][k] = meet - v * along;
            c->at[3][k] = meet + (1 - v) * along;
        }
    }
}

void craft_join(craft *c, craft_feature feature) {
    if (feature == CRAFT_ANYWHERE) feature = (craft_feature)craft_integer(c, CRAFT_INSIDE, CRAFT_CORNER);
    double u, v;
    if (c->kind == GRAZE_VF) {
        static const double corners[3][2] = {{0, 0}, {1, 0}, {0, 1}};
        int64_t corner = craft_integer(c, 0, 2);
        const double *from = corners[corner], *to = corners[(corner + 1) % 3];
        u = from[0];
        v = from[1];
        if (feature == CRAFT_EDGE) {
            double s = craft_eighth(c, 0.125, 0.875);
            u = from[0] + s * (to[0] - from[0]);
            v = from[1] + s * (to[1] - from[1]);
        } else if (feature == CRAFT_INSIDE) {
            u = craft_eighth(c, 0.125, 0.75);
            v = craft_eighth(c, 0.125, 0.875 - u);
        }
    } else {
        u = feature == CRAFT_INSIDE ? craft_eighth(c, 0.125, 0.875) : (double)craft_integer(c, 0, 1);
        v = feature == CRAFT_CORNER ? (double)craft_integer(c, 0, 1) : craft_eighth(c, 0.125, 0.875);
        if (feature == CRAFT_EDGE && craft_integer(c, 0, 1)) {
            double swapped = u;
            u = v;
            v = swapped;
        }
    }
    craft_join_at(c, u, v);
}

void craft_move_together(craft *c) {
    for (int i = 1; i < 4; i++) memcpy(c->velocity[i], c->velocity[0], sizeof c->velocity[i]);
}

void craft_finish(craft *c) {
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            c->query->x0[i][k] = c->at[i][k] - c->time * c->velocity[i][k];
            c->query->x1[i][k] = c->at[i][k] + (1 - c->time) * c->velocity[i][k];
        }
}

void craft_mix(craft *c) {
    double rows[3][3], n[3];
    do {
        for (int r = 0; r < 3; r++) craft_vector(c, 2, rows[r]);
        craft_cross(rows[0], rows[1], n);
    } while (craft_dot(n, rows[2]) == 0);
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < 4; i++) {
            double *x = half ? c->query->x1[i] : c->query->x0[i];
            double mixed[3] = {craft_dot(rows[0], x), craft_dot(rows[1], x), craft_dot(rows[2], x)};
            memcpy(x, mixed, sizeof mixed);
        }
}

void craft_scale(craft *c, const double factor[3]) {
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            c->query->x0[i][k] *= factor[k];
            c->query->x1[i][k] *= factor[k];
        }
}

void craft_offset(craft *c, const double offset[3]) {
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            c->query->x0[i][k] += offset[k];
            c->query->x1[i][k] += offset[k];
        }
}

/* Doubles in their order as integers: 0 and −0 are both 0. */
static int64_t order_of(double x) {
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? -(bits & INT64_MAX) : bits;
}

double craft_ulps(double x, int64_t count) {
    int64_t place = order_of(x) + count;
    int64_t bits = place < 0 ? -place | INT64_MIN : place;
    memcpy(&x, &bits, sizeof x);
    return x;
}
