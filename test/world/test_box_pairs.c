/* Boxes that meet, beside every box against every other. */
#include "check.h"
#include "failing.h"
#include "world/box_pairs.h"

enum { MOST = 400 };

static uint8_t seen[MOST][MOST];

static bool take(void *user, uint32_t a, uint32_t b) {
    seen[a][b]++;
    size_t *left = user;
    return !left || --*left > 0;
}

/* Boxes of all sizes, some of them equal, some points, some in a row. */
static void draw(test_random *random, gz_boxed *items, uint32_t count) {
    unsigned way = (unsigned)test_random_below(random, 4);
    for (uint32_t i = 0; i < count; i++) {
        items[i].id = i;
        for (int c = 0; c < 3; c++) {
            double at = way == 1 ? (double)test_random_below(random, 5) : test_random_between(random, -1, 1);
            double size = way == 2 ? 0 : ldexp(test_random_unit(random), -(int)test_random_below(random, 12));
            if (way == 3 && c) at = 0;
            items[i].box.lo[c] = at;
            items[i].box.hi[c] = at + size;
        }
    }
}

TEST(boxes_that_meet_are_found_once_each_and_no_others) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {127};
    size_t found = 0;
    for (int round = 0; round < 300; round++) {
        gz_boxed items[MOST], given[MOST];
        uint32_t count = (uint32_t)test_random_below(&random, round < 30 ? 20 : MOST + 1);
        draw(&random, items, count);
        memcpy(given, items, sizeof items);
        memset(seen, 0, sizeof seen);
        CHECK(gz_box_pairs(context, items, count, take, NULL));
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t j = 0; j <= i; j++) {
                int wanted = i != j && gz_boxes_meet(&given[i].box, &given[j].box);
                CHECK_MSG((i == j ? seen[i][i] : seen[i][j] + seen[j][i]) == wanted, "round %d: %u, %u\n", round, i, j);
                found += (size_t)wanted;
            }
    }
    CHECK(found > 10000);
    graze_context_destroy(context);
}

TEST(a_search_for_boxes_ends_where_no_more_are_wanted_or_memory_is_out) {
    failing f = {.left = LONG_MAX};
    graze_context *context = failing_context(&f, 1);
    CHECK(context);
    gz_boxed items[50];
    for (uint32_t i = 0; i < 50; i++) items[i] = (gz_boxed){{{0, 0, 0}, {1, 1, 1}}, i};
    size_t left = 7, total = 0;
    memset(seen, 0, sizeof seen);
    CHECK(!gz_box_pairs(context, items, 50, take, &left) && left == 0);
    for (int i = 0; i < 50; i++)
        for (int j = 0; j < 50; j++) total += seen[i][j];
    CHECK(total == 7);
    f.left = 0;
    CHECK(!gz_box_pairs(context, items, 50, take, NULL));
    CHECK(gz_box_pairs(context, items, 0, take, NULL));
    graze_context_destroy(context);
    CHECK(f.held == 0);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
