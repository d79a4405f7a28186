/* Tests of every outcome, for runner_says.sh. */
#include "check.h"

TEST(passes) { CHECK(1 + 1 == 2); }
TEST(skips) { test_skip("for this reason"); }
TEST(asks_for_data) {
    if (test_data_folder()) CHECK(1 + 1 == 2);
}
TEST(checks_nothing) {}
TEST(fails) { CHECK(1 + 1 == 3); }
TEST(fails_after_a_skip) {
    test_skip("before it failed");
    CHECK(1 + 1 == 3);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
