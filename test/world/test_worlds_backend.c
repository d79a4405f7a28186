/* Many worlds in one step of a back end: what it is asked, and what each world is told of its answer. A fake one stands
   in for a device. */
#include "straight_worlds.h"

#include "failing.h"

static void behave(const char *mode) {
    setenv("GRAZE_CUDA_LIBRARY", GRAZE_FAKE_LIBRARY, 1);
    setenv("GRAZE_FAKE", mode, 1);
}

static graze_context *device_context(void) {
    graze_context_options options = graze_default_context_options();
    graze_context *context = NULL;
    options.threads = 3;
    options.backend = GRAZE_BACKEND_CUDA;
    CHECK(graze_context_create(&options, &context) == GRAZE_OK);
    return context;
}

static bool says(graze_context *context, graze_status status, graze_status wanted, const char *words) {
    graze_error error;
    graze_context_last_error(context, &error);
    return status == wanted && strstr(error.message, words);
}

TEST(worlds_on_a_back_end_have_the_bits_of_the_cpu) {
    behave("cpu");
    graze_context *cpu = test_context(2, GRAZE_ISA_AUTO), *device = device_context();
    static straight_worlds made;
    static straight_answers here, there;
    test_random random = {211};
    size_t hits = 0, all = 0;
    for (int round = 0; round < 20; round++) {
        straight_draw(&random, cpu, 1 + test_random_below(&random, STRAIGHT_WORLDS), &made);
        graze_worlds *alone = straight_make(cpu, &made), *joined = straight_make(device, &made);
        straight_ask(cpu, &made, alone, false, &here);
        for (int k = 0; k < 2; k++) {
            straight_ask(device, &made, joined, k, &there);
            hits += straight_compare(&here, &there, made.worlds);
            all += made.worlds;
        }
        graze_worlds_release(joined);
        graze_worlds_release(alone);
        straight_release(&made);
    }
    CHECK_MSG(hits > all / 10 && hits < all - all / 10, "%zu of %zu worlds are hit\n", hits, all);
    graze_context_destroy(device);
    graze_context_destroy(cpu);
}

TEST(a_world_that_is_wrong_stops_only_itself_on_a_back_end) {
    behave("cpu");
    graze_context *cpu = test_context(2, GRAZE_ISA_AUTO), *device = device_context();
    static straight_worlds made;
    static straight_answers here, there;
    static double nowhere[MIXED_VERTICES][3] = {{0, NAN, 0}};
    test_random random = {223};
    straight_draw(&random, cpu, 20, &made);
    made.motions[1 + 7].x1 = (const double(*)[3])nowhere; /* the first body of world 7 */
    graze_worlds *alone = straight_make(cpu, &made), *joined = straight_make(device, &made);
    straight_ask(cpu, &made, alone, false, &here);
    for (int k = 0; k < 2; k++) {
        straight_ask(device, &made, joined, k, &there);
        straight_compare(&here, &there, made.worlds);
        CHECK(there.statuses[7] == GRAZE_ERR_NOT_FINITE && there.statuses[8] == GRAZE_OK);
        CHECK(says(device, GRAZE_OK, GRAZE_OK, "world 7"));
    }
    made.motions[1 + 7].x1 = NULL;
    straight_ask(cpu, &made, alone, false, &here);
    straight_ask(device, &made, joined, false, &there);
    straight_compare(&here, &there, made.worlds);
    straight_ask(device, &made, joined, true, &there);
    CHECK(says(device, there.status, GRAZE_ERR_INVALID_ARGUMENT, "each STRAIGHT body has to be listed"));
    CHECK(there.statuses[3] == GRAZE_ERR_INVALID_ARGUMENT && there.results[3].verdict == GRAZE_UNRESOLVED);
    graze_worlds_release(joined);
    graze_worlds_release(alone);
    straight_release(&made);
    graze_context_destroy(device);
    graze_context_destroy(cpu);
}

/* A rule in one world alone. */
static graze_worlds *with_a_rule(graze_context *context, const straight_worlds *made) {
    graze_world_pair rule = graze_default_world_pair();
    graze_world_options options = graze_default_world_options();
    graze_worlds *worlds = NULL;
    rule.body_a = 0, rule.body_b = 1 + 2;
    rule.rule = GRAZE_PAIR_SKIP;
    options.pairs = &rule;
    options.pair_count = 1;
    CHECK(graze_worlds_create(context, made->bodies, made->world_of, made->count, &options, &worlds) == GRAZE_OK);
    return worlds;
}

TEST(what_a_back_end_does_not_answer_runs_on_the_cpu_or_says_why) {
    behave("cpu");
    graze_context *cpu = test_context(2, GRAZE_ISA_AUTO), *device = device_context();
    static straight_worlds made;
    static straight_answers here, there;
    test_random random = {227};
    straight_draw(&random, cpu, 12, &made);
    graze_worlds *alone = straight_make(cpu, &made), *ruled = with_a_rule(device, &made),
                 *ruled_here = with_a_rule(cpu, &made);
    straight_ask(device, &made, alone, true, &there);
    CHECK(says(device, there.status, GRAZE_ERR_UNSUPPORTED, "made by a context of another back end"));
    straight_ask(device, &made, ruled, true, &there);
    CHECK(says(device, there.status, GRAZE_ERR_UNSUPPORTED, "rules of its worlds differ"));
    straight_ask(cpu, &made, ruled_here, false, &here);
    straight_ask(device, &made, ruled, false, &there);
    straight_compare(&here, &there, made.worlds);
    straight_ask(cpu, &made, ruled, true, &there);
    CHECK(says(cpu, there.status, GRAZE_ERR_UNSUPPORTED, "the context was made for another back end"));
    graze_worlds_release(alone);
    graze_worlds_release(ruled);
    graze_worlds_release(ruled_here);
    graze_worlds *joined = straight_make(device, &made);
    made.options.mode = GRAZE_ARTICULATED_ANY;
    straight_ask(device, &made, joined, true, &there);
    CHECK(says(device, there.status, GRAZE_ERR_UNSUPPORTED, "mode earliest only"));
    made.options.mode = GRAZE_ARTICULATED_EARLIEST;
    graze_worlds_release(joined);
    straight_pad(&made, false);
    made.bodies[1 + 3].padding = 0.1;
    joined = straight_make(device, &made);
    straight_ask(device, &made, joined, true, &there);
    CHECK(says(device, there.status, GRAZE_ERR_UNSUPPORTED, "some have none"));
    graze_worlds_release(joined);
    made.bodies[1 + 3].padding = 0;
    made.bodies[1].kind = GRAZE_BODY_RIGID;
    joined = straight_make(device, &made);
    straight_ask(device, &made, joined, true, &there);
    CHECK(says(device, there.status, GRAZE_ERR_UNSUPPORTED, "neither stands nor moves straight"));
    graze_worlds_release(joined);
    straight_release(&made);
    graze_context_destroy(device);
    graze_context_destroy(cpu);
}

TEST(a_device_that_is_lost_or_missing_is_an_error_of_all_worlds) {
    static const char *const modes[2] = {"lost", "none"}, *const words[2] = {"the device was lost", "no device"};
    static const graze_status wanted[2] = {GRAZE_ERR_DEVICE, GRAZE_ERR_UNSUPPORTED};
    for (int k = 0; k < 2; k++) {
        behave(modes[k]);
        graze_context *device = device_context();
        static straight_worlds made;
        static straight_answers there;
        test_random random = {229};
        straight_draw(&random, device, 5, &made);
        graze_worlds *joined = straight_make(device, &made);
        straight_ask(device, &made, joined, false, &there);
        CHECK(says(device, there.status, wanted[k], words[k]));
        CHECK(there.statuses[4] == wanted[k] && there.results[4].verdict == GRAZE_UNRESOLVED);
        graze_worlds_release(joined);
        straight_release(&made);
        graze_context_destroy(device);
    }
}

static graze_context *refusing_context(failing *f, long left) {
    graze_context_options options = graze_default_context_options();
    graze_context *context = NULL;
    *f = (failing){left, 0};
    options.threads = 1;
    options.backend = GRAZE_BACKEND_CUDA;
    options.allocator = (graze_allocator){.user = f, .allocate = failing_allocate, .release = failing_release};
    graze_status status = graze_context_create(&options, &context);
    CHECK(status == (context ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY));
    return context;
}

/* Where memory was refused: a world without memory is unresolved at 0; one that is answered has the answer. */
static void check_refused(const straight_answers *full, const straight_answers *refused, size_t worlds) {
    CHECK(refused->status == GRAZE_OK || refused->status == GRAZE_ERR_OUT_OF_MEMORY);
    for (size_t w = 0; w < worlds; w++) {
        const graze_articulated_result *result = &refused->results[w];
        bool without = result->verdict == GRAZE_UNRESOLVED && result->toi == 0;
        CHECK(refused->status == GRAZE_OK || refused->statuses[w] == GRAZE_ERR_OUT_OF_MEMORY);
        CHECK_MSG(refused->statuses[w] == GRAZE_OK ? straight_same(&full->results[w], result)
                                                   : refused->statuses[w] == GRAZE_ERR_OUT_OF_MEMORY && without,
                  "world %zu: status %d, verdict %d, toi %.17g\n", w, (int)refused->statuses[w], (int)result->verdict,
                  result->toi);
    }
}

TEST(worlds_on_a_back_end_survive_failure_of_every_allocation) {
    behave("cpu");
    graze_context *device = device_context();
    static straight_worlds made;
    static straight_answers full, refused;
    test_random random = {233};
    straight_draw(&random, device, 6, &made);
    graze_worlds *joined = straight_make(device, &made);
    straight_ask(device, &made, joined, false, &full);
    CHECK(full.status == GRAZE_OK);
    for (int on_device = 0; on_device < 2; on_device++) {
        size_t refusals = 0;
        bool whole = false;
        for (long left = 0; left < 2000 && !whole; left++) {
            failing f;
            graze_context *context = refusing_context(&f, left);
            if (context) {
                straight_ask(context, &made, joined, on_device, &refused);
                check_refused(&full, &refused, made.worlds);
                graze_context_destroy(context);
                whole = f.left >= 0;
                refusals += !whole;
            }
            CHECK_MSG(f.held == 0, "%ld allocations: %ld blocks are left\n", left, (long)f.held);
        }
        CHECK_MSG(whole && refusals > 5, "%zu refusals\n", refusals);
    }
    graze_worlds_release(joined);
    straight_release(&made);
    graze_context_destroy(device);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
