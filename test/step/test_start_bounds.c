/* The side of a point of a plane (docs/numerics.md, section 3), against exact rationals. The source is included for its
   static functions. */
#include "step/start_check.c"

#include "bound_queries.h"

static int exact_side(const double o[3], const double q[3], const double r[3], const double x[3]) {
    rational_vector a, b, c, n, origin;
    mpq_t side;
    rational_init(&a), rational_init(&b), rational_init(&c), rational_init(&n), rational_init(&origin);
    mpq_init(side);
    rational_set(&a, q), rational_set(&b, r), rational_set(&c, x), rational_set(&origin, o);
    rational_sub(&a, &a, &origin), rational_sub(&b, &b, &origin), rational_sub(&c, &c, &origin);
    rational_cross(&n, &a, &b);
    rational_dot(side, &n, &c);
    int sign = mpq_sgn(side);
    rational_clear(&a), rational_clear(&b), rational_clear(&c), rational_clear(&n), rational_clear(&origin);
    mpq_clear(side);
    return sign;
}

/* A point of the plane but for rounding, moved a little at times. */
static void near_plane(test_random *random, const double p[3][3], double x[3]) {
    double u = test_random_between(random, -1, 2), v = test_random_between(random, -1, 2);
    for (int c = 0; c < 3; c++) {
        x[c] = p[0][c] + u * (p[1][c] - p[0][c]) + v * (p[2][c] - p[0][c]);
        for (uint64_t k = test_random_below(random, 4); k > 0; k--)
            x[c] = nextafter(x[c], test_random_bits(random) & 1 ? 1e50 : -1e50);
    }
}

TEST(a_side_that_is_told_is_the_exact_one) {
    test_random random = {77};
    size_t told = 0;
    for (int i = 0; i < 40000; i++) {
        /* of one size; far from the origin; so small that products underflow */
        double size = i % 3 == 2 ? ldexp(1, -350 - (int)test_random_below(&random, 12)) : 1, p[3][3], x[3];
        for (int k = 0; k < 9; k++) p[k / 3][k % 3] = size * (some_unit(&random) + (i % 3 == 1 ? 1000 : 0));
        near_plane(&random, (const double(*)[3])p, x);
        int side = side_of_plane(p[0], p[1], p[2], x);
        told += side != 0;
        CHECK_MSG(side == 0 || side == exact_side(p[0], p[1], p[2], x), "%a %a %a, size %a", x[0], x[1], x[2], size);
        for (int c = 0; c < 3; c++) x[c] = size * some_unit(&random);
        side = side_of_plane(p[0], p[1], p[2], x);
        CHECK(i % 3 || side == exact_side(p[0], p[1], p[2], x)); /* nothing is near: every one is told */
    }
    CHECK(told > 100);
}

/* Corners with small integers for coordinates, so that sums of them are exact; in one plane or not. */
static void some_face(test_random *random, bool flat, double x[3][3]) {
    for (int k = 0; k < 9; k++) x[k / 3][k % 3] = (double)test_random_below(random, 9) - 4;
    for (int k = 0; flat && k < 3; k++) x[k][2] = x[k][0] - 2 * x[k][1];
}

TEST(faces_that_touch_are_not_told_apart_and_faces_in_a_plane_that_do_not_touch_are) {
    test_random random = {78};
    for (int i = 0; i < 40000; i++) {
        double x[6][3], point[3], size = ldexp(test_random_between(&random, 1, 2), i % 3 ? 0 : -300);
        some_face(&random, i & 1, x);
        some_face(&random, i & 1, x + 3);
        /* the middle of two corners of one, or a corner, becomes a corner of the other */
        uint64_t at = test_random_below(&random, 3), other = test_random_below(&random, 3);
        for (int c = 0; c < 3; c++) point[c] = (x[at][c] + x[other][c]) / 2;
        memcpy(x[3 + at], point, sizeof point);
        if (at == other) /* the same numbers: any will do */
            for (int k = 0; k < 18; k++) x[k / 3][k % 3] *= size;
        CHECK(!sides_part((const double(*)[3])x));
        /* moved away along a side of the first face, by more than both are long */
        for (int k = 3; k < 6; k++)
            for (int c = 0; c < 3; c++) x[k][c] += 40 * (x[1][c] - x[0][c]);
        double moved = fabs(x[1][0] - x[0][0]) + fabs(x[1][1] - x[0][1]);
        bool wide = (x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) != (x[1][1] - x[0][1]) * (x[2][0] - x[0][0]);
        CHECK(!(i & 1) || at == other || moved == 0 || !wide || sides_part((const double(*)[3])x));
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
