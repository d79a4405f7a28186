/* The first look at one pair alone is the first probe of lanes: what it settles they settle, and the other way round
   where this machine has it. */
#include "check.h"
#include "scaled_pairs.h"

#include "kernels/kernels.h"
#include "narrow/first_alone.h"
#include "pair/pair.h"

static bool lane_settles(graze_kind kind, const graze_query *query, float separation) {
    gz_lane_source source = {.kind = kind, .separation = separation, .queries = query};
    float t = 0;
    gz_kernels_scalar.first(&source, separation, 0, 1, &t, NULL);
    return t >= 1;
}

typedef struct tally {
    size_t settled, open;
} tally;

static void compare(graze_kind kind, const graze_query *query, double separation, tally *count) {
    float narrow = gz_float_not_below(separation);
    bool alone = gz_first_alone(kind, query, narrow), lane = lane_settles(kind, query, narrow);
    count->settled += alone, count->open += !alone;
#if defined(__SSE2__)
    CHECK_QUERY(alone == lane, kind, query);
#else
    CHECK_QUERY(!alone || lane, kind, query);
#endif
}

static double drawn_separation(test_random *random) {
    return test_random_bits(random) & 1 ? 0 : ldexp(test_random_unit(random), -(int)test_random_below(random, 40));
}

/* Coordinates of a few units, apart or not, with some that are equal. */
static void draw_near(test_random *random, graze_query *query) {
    for (int k = 0; k < 24; k++) {
        double *x = k < 12 ? &query->x0[0][k] : &query->x1[0][k - 12];
        *x = test_random_bits(random) % 5 ? test_random_between(random, -1, 1)
                                          : (double)test_random_below(random, 5) - 2;
    }
    double far = test_random_between(random, 0, 3); /* of the first row, so that some pairs are apart */
    query->x0[0][0] += far, query->x1[0][0] += far;
}

TEST(a_look_at_one_pair_settles_what_the_probe_in_lanes_settles) {
    test_random random = {29};
    tally count[2] = {{0, 0}, {0, 0}};
    for (int i = 0; i < 200000; i++) {
        graze_kind kind = (graze_kind)(i & 1);
        graze_query query;
        draw_near(&random, &query);
        compare(kind, &query, drawn_separation(&random), &count[kind]);
    }
    for (int kind = 0; kind < 2; kind++) {
        CHECK_MSG(count[kind].open > 10000, "kind %d: %zu open", kind, count[kind].open);
#if defined(__SSE2__)
        CHECK_MSG(count[kind].settled > 10000, "kind %d: %zu settled", kind, count[kind].settled);
#endif
    }
}

TEST(so_it_does_for_parts_of_every_size) {
    test_random random = {30};
    tally count = {0, 0};
    for (int i = 0; i < 200000; i++) {
        graze_kind kind = (graze_kind)(i & 1);
        scaled_pair pair;
        scaled_draw(&random, kind, scaled_doubles, &pair);
        compare(kind, &pair.query, i & 2 ? drawn_separation(&random) : 0, &count);
    }
    CHECK_MSG(count.open > 10000, "%zu open", count.open);
}

TEST(points_have_no_such_look) {
    graze_query query = {{{0}}, {{0}}};
    query.x0[1][0] = query.x1[1][0] = query.x0[2][0] = query.x1[2][0] = 1;
    CHECK(!gz_first_alone(GRAZE_PE, &query, 0) && !gz_first_alone(GRAZE_PP, &query, 0));
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
