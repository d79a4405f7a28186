/* The first probe, in float, on differences that were narrowed from double: what it calls free is free in exact
   rationals, at every size and offset; every instruction set says the same. */
#include "check.h"
#include "rational.h"
#include "scaled_pairs.h"

#include "narrow/certified.h"

enum { COUNT = 333 }; /* not a multiple of any number of lanes */

static const graze_kind kinds[] = {GRAZE_VF, GRAZE_EE, GRAZE_PE, GRAZE_PP};

/* A pair whose gap is a few roundings of float wide, far from the origin or near, small or large. */
static void close_query(test_random *random, graze_kind kind, graze_query *query) {
    static const int exponents[] = {-1060, -150, -140, -128, -120, -60, -30, 0, 0, 0, 0, 0, 30, 60, 120, 130, 150};
    int exponent = exponents[test_random_below(random, 17)];
    double offset = test_random_below(random, 3) ? 0 : ldexp(1, (int)test_random_below(random, 20));
    bool turns = test_random_below(random, 4) == 0; /* else the pair moves together, and only the gap changes */
    double a[3], b[3], gap[3], u = 0, v = 0;
    for (int end = 0; end < 2; end++) {
        double(*x)[3] = end ? query->x1 : query->x0;
        for (int c = 0; c < 3; c++) x[0][c] = test_random_between(random, -1, 1);
        if (end == 0 || turns) {
            u = test_random_between(random, 0, 1);
            v = test_random_between(random, 0, 1 - u);
            for (int c = 0; c < 3; c++) {
                a[c] = test_random_between(random, -1, 1);
                b[c] = test_random_between(random, -1, 1);
            }
        }
        for (int c = 0; c < 3; c++) gap[c] = a[(c + 1) % 3]; /* for points: any direction */
        if (kind == GRAZE_VF || kind == GRAZE_EE)
            for (int c = 0; c < 3; c++) gap[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
        if (kind == GRAZE_PE) gap[0] = a[1], gap[1] = -a[0], gap[2] = 0;
        /* in roundings of float; a point and an edge have no cross product, and their direction loses twice as much */
        double height =
            ldexp(test_random_between(random, -1, 1), (int)test_random_below(random, 8) - (kind == GRAZE_PE ? 13 : 26));
        for (int c = 0; c < 3; c++) {
            double foot = x[0][c] + height * gap[c];
            switch (kind) {
            case GRAZE_VF: /* the corners around the foot of the vertex */
                x[1][c] = foot - u * a[c] - v * b[c];
                x[2][c] = x[1][c] + a[c];
                x[3][c] = x[1][c] + b[c];
                break;
            case GRAZE_EE:
                x[1][c] = x[0][c] + a[c];
                x[2][c] = foot + u * a[c] - v * b[c];
                x[3][c] = x[2][c] + b[c];
                break;
            case GRAZE_PE:
                x[1][c] = foot - u * a[c];
                x[2][c] = x[1][c] + a[c];
                x[3][c] = 0;
                break;
            case GRAZE_PP:
                x[1][c] = foot;
                x[2][c] = x[3][c] = 0;
                break;
            }
        }
        for (int i = 0; i < 4; i++)
            for (int c = 0; c < 3; c++) x[i][c] = ldexp(x[i][c] + offset, exponent);
    }
}

static double separation_for(test_random *random, const graze_query *query, graze_kind kind) {
    if (test_random_below(random, 2)) return 0;
    double gap = 0;
    for (int c = 0; c < 3; c++) gap += fabs(query->x0[1][c] - query->x0[0][c]);
    /* points have the whole gap between them, the others next to none */
    return gap * (kind == GRAZE_PP ? test_random_between(random, 0.3, 0.7) : ldexp(1, -20));
}

TEST(what_the_first_probe_calls_free_is_free_in_rationals) {
    test_random random = {41};
    for (int k = 0; k < 4; k++) {
        size_t proven = 0;
        for (int i = 0; i < 200000; i++) {
            graze_query query;
            close_query(&random, kinds[k], &query);
            double separation = separation_for(&random, &query, kinds[k]), n[1][3];
            gz_lane_source source = {.kind = kinds[k], .separation = separation, .queries = &query};
            float t;
            gz_kernels_scalar.first(&source, gz_float_not_below(separation), 0, 1, &t, n);
            if (t == 0) continue;
            proven++;
            CHECK_QUERY(t > 0 && t <= 1, kinds[k], &query);
            CHECK_QUERY(rational_apart_along(kinds[k], &query, NULL, separation, n[0], 0), kinds[k], &query);
            CHECK_QUERY(rational_apart_along(kinds[k], &query, NULL, separation, n[0], t), kinds[k], &query);
        }
        CHECK_MSG(proven > 1000, "only %zu of 200000 of kind %d were proven: nothing was tested", proven,
                  (int)kinds[k]);
    }
}

TEST(what_the_first_probe_calls_free_is_free_for_parts_of_any_size) {
    static const scaled_range near_one = {-60, 60, 160};
    test_random random = {43};
    for (int k = 0; k < 4; k++) {
        size_t proven = 0;
        for (int i = 0; i < 20000; i++) {
            scaled_pair pair;
            scaled_draw(&random, kinds[k], i & 1 ? near_one : scaled_doubles, &pair);
            double separation = i % 3 ? pair.separation : 0, n[1][3];
            gz_lane_source source = {.kind = kinds[k], .separation = separation, .queries = &pair.query};
            float t;
            gz_kernels_scalar.first(&source, gz_float_not_below(separation), 0, 1, &t, n);
            if (t == 0) continue;
            proven++;
            CHECK_QUERY(rational_apart_along(kinds[k], &pair.query, NULL, separation, n[0], 0), kinds[k], &pair.query);
            CHECK_QUERY(rational_apart_along(kinds[k], &pair.query, NULL, separation, n[0], t), kinds[k], &pair.query);
        }
        CHECK_MSG(proven > 1000, "only %zu of kind %d were proven", proven, (int)kinds[k]);
    }
}

TEST(every_instruction_set_and_every_length_gives_the_same_bits_from_queries_and_from_a_mesh) {
    static graze_query queries[COUNT];
    static double x0[4 * COUNT][3], x1[4 * COUNT][3], padded[2][4 * COUNT][5];
    static uint32_t ids[COUNT][4];
    test_random random = {42};
    for (int k = 0; k < 4; k++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            close_query(&random, kinds[k], &queries[i]);
            for (uint32_t r = 0; r < 4; r++) {
                ids[i][r] = 4 * (COUNT - 1 - i) + r;
                for (int c = 0; c < 3; c++) {
                    x0[ids[i][r]][c] = padded[0][ids[i][r]][c] = queries[i].x0[r][c];
                    x1[ids[i][r]][c] = padded[1][ids[i][r]][c] = queries[i].x1[r][c];
                }
            }
        }
        gz_lane_source sources[] = {
            {.kind = kinds[k], .queries = queries},
            {.kind = kinds[k],
             .positions = {(const char *)x0, (const char *)x1, sizeof x0[0]},
             .ids = (const uint32_t(*)[4])ids},
            {.kind = kinds[k],
             .positions = {(const char *)padded[0], (const char *)padded[1], sizeof padded[0][0]},
             .ids = (const uint32_t(*)[4])ids},
        };
        for (float separation = 0; separation < 1; separation += 0.25f) {
            float expected[COUNT], t[COUNT + 1];
            double n[COUNT][3], m[COUNT][3];
            gz_kernels_scalar.first(&sources[0], separation, 0, COUNT, expected, n);
            for (int isa = GRAZE_ISA_SCALAR; isa <= GRAZE_ISA_WASM; isa++) {
                if (!graze_isa_available((graze_isa)isa)) continue;
                for (int s = 0; s < 3; s++)
                    for (size_t base = 0, count = 1; base < COUNT; base += count, count = count * 3 % 37 + 1) {
                        if (count > COUNT - base) count = COUNT - base;
                        t[count] = -7;
                        gz_kernels_of((graze_isa)isa)->first(&sources[s], separation, base, count, t, m);
                        CHECK(memcmp(t, expected + base, count * sizeof *t) == 0);
                        CHECK(t[count] == -7); /* nothing beyond what was asked for */
                        for (size_t i = 0; i < count; i++)
                            CHECK(t[i] == 0 || memcmp(m[i], n[base + i], sizeof m[i]) == 0);
                    }
            }
        }
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
