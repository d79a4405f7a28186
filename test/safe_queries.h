/* Queries that strain a cubic test: exact contacts by construction, thin and small shapes, motion along the plane. */
#ifndef GRAZE_TEST_SAFE_QUERIES_H
#define GRAZE_TEST_SAFE_QUERIES_H

#include "check.h"

enum { SAFE_FAMILIES = 6 };

static inline double integer_between(test_random *random, int low, int high) {
    return low + (double)test_random_below(random, (uint64_t)(high - low + 1));
}

/* A contact at t = 1/2 whose coordinates are small integers over powers of two: all of it is exact. Lengths along z and
   velocities along z shrink by powers of two, so that shapes become thin or small and motion parallel to the plane. */
static inline void contact_query(test_random *random, graze_kind kind, graze_query *query) {
    int parts[4] = {4, (int)integer_between(random, 0, 4), 0, 0};
    parts[2] = (int)integer_between(random, 0, 4 - parts[1]);
    parts[3] = 4 - parts[1] - parts[2];
    double shape[3], motion[3];
    for (int c = 0; c < 3; c++) {
        shape[c] = test_random_below(random, 3) ? 1 : ldexp(1, -(int)test_random_below(random, 40));
        motion[c] = test_random_below(random, 3) ? 1 : ldexp(1, -(int)test_random_below(random, 40));
    }
    for (int c = 0; c < 3; c++) {
        double x[4], v[4];
        for (int i = 0; i < 4; i++) {
            x[i] = 4 * integer_between(random, -3, 3);
            v[i] = integer_between(random, -9, 9);
        }
        if (kind == GRAZE_VF) {
            x[0] = (parts[1] * x[1] + parts[2] * x[2] + parts[3] * x[3]) / 4;
        } else {
            /* b1 such that b0 + (b1 − b0)·(parts[2] + 1)/4 or its mirror meets the point of edge a */
            double on_a = x[0] + (x[1] - x[0]) * parts[1] / 4, weight = 1 << (parts[2] % 3);
            x[3] = x[2] + (on_a - x[2]) * weight;
        }
        for (int i = 0; i < 4; i++) {
            query->x0[i][c] = shape[c] * x[i] - motion[c] * v[i];
            query->x1[i][c] = shape[c] * x[i] + motion[c] * v[i];
        }
    }
}

/* Changes some coordinates by an ulp, zeros by about that of their neighbors: next to zero lie only subnormals. */
static inline void disturb(test_random *random, graze_query *query) {
    double *x = (double *)(void *)query; /* 24 of them */
    for (int i = 0; i < 24; i++)
        if (test_random_below(random, 4) == 0) {
            double side = test_random_below(random, 2) ? 100 : -100;
            x[i] = x[i] == 0 ? side * 0x1p-60 : nextafter(x[i], side);
        }
}

/* Like a candidate in cloth: a piece of size 1, close to flat, little motion. */
static inline void cloth_query(test_random *random, graze_query *query) {
    double height = ldexp(1, -(int)test_random_below(random, 24)), step = ldexp(1, -(int)test_random_below(random, 24));
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            query->x0[i][c] = (c == 2 ? height : 1) * test_random_between(random, -1, 1);
            query->x1[i][c] = query->x0[i][c] + step * test_random_between(random, -1, 1);
        }
}

static inline void safe_query(test_random *random, graze_kind kind, int family, graze_query *query) {
    switch (family) {
    case 0:
    case 1:
        for (int i = 0; i < 4; i++)
            for (int c = 0; c < 3; c++) {
                query->x0[i][c] = family ? integer_between(random, 0, 3) : test_random_unit(random);
                query->x1[i][c] = family ? integer_between(random, 0, 3) : test_random_unit(random);
            }
        break;
    case 2: cloth_query(random, query); break;
    default:
        contact_query(random, kind, query);
        if (family >= 4) disturb(random, query);
        if (family == 5) { /* far from the origin: the coordinates round */
            double offset = ldexp(test_random_between(random, 1, 2), (int)test_random_below(random, 30));
            for (int i = 0; i < 4; i++)
                for (int c = 0; c < 3; c++) {
                    query->x0[i][c] += offset;
                    query->x1[i][c] += offset;
                }
        }
    }
}

static inline void scale_query(graze_query *query, int exponent) {
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            query->x0[i][c] = ldexp(query->x0[i][c], exponent);
            query->x1[i][c] = ldexp(query->x1[i][c], exponent);
        }
}

static inline graze_query_f32 to_float(const graze_query *query) {
    graze_query_f32 narrow;
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            narrow.x0[i][c] = (float)query->x0[i][c];
            narrow.x1[i][c] = (float)query->x1[i][c];
        }
    return narrow;
}

static inline graze_query to_double(const graze_query_f32 *query) {
    graze_query wide;
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            wide.x0[i][c] = query->x0[i][c];
            wide.x1[i][c] = query->x1[i][c];
        }
    return wide;
}

#endif
