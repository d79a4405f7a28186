/* Batches on a back end: the bits of the CPU, whatever part of them the back end leaves to it, and its errors. */
#include "batch_queries.h"

#include "base/backend_load.h"

static void behave(const char *mode) {
    setenv("GRAZE_CUDA_LIBRARY", GRAZE_FAKE_LIBRARY, 1);
    setenv("GRAZE_FAKE", mode, 1);
}

/* True if a batch has come back from the back end, and forgets it. */
static bool was_asked(graze_context *context) {
    double(*seconds)[2] = gz_backend_kept(context)->query_seconds;
    bool asked = seconds[0][1] > 0 || seconds[1][1] > 0;
    memset(seconds, 0, sizeof gz_backend_kept(context)->query_seconds);
    return asked;
}

TEST(a_batch_on_a_back_end_has_the_bits_of_the_cpu) {
    static const char *const modes[] = {"ask", "answer"};
    for (int mode = 0; mode < 2; mode++) {
        behave(modes[mode]);
        graze_context *cpu = batch_context(GRAZE_BACKEND_CPU, 2, 0), *fake = batch_context(GRAZE_BACKEND_CUDA, 2, 0);
        size_t touching = 0, compared = batch_compare_all(cpu, fake, 350, &touching) +
                                        batch_compare_scaled(cpu, fake, 48, 350, &touching);
        CHECK(was_asked(fake) && !was_asked(cpu));
        CHECK_MSG(touching > compared / 20 && touching < compared - compared / 20, "%zu of %zu", touching, compared);
        graze_context_destroy(cpu);
        graze_context_destroy(fake);
    }
}

TEST(a_bad_query_is_named_as_by_the_cpu_and_no_result_holds_a_verdict) {
    static const double wrong[] = {NAN, INFINITY, -0x1p161};
    behave("answer");
    batch_arrays b;
    batch_open(&b, 300);
    graze_context *contexts[2] = {batch_context(GRAZE_BACKEND_CPU, 2, 0), batch_context(GRAZE_BACKEND_CUDA, 2, 0)};
    graze_options options = graze_default_options();
    for (int w = 0; w < 3; w++)
        for (int layout = 0; layout < BATCH_LAYOUTS; layout++) {
            if (layout == BATCH_FLOATS && w == 2) continue; /* a float is not so large */
            graze_error error[2];
            graze_status status[2];
            batch_fill(&b, GRAZE_VF, 5);
            b.queries[217].x1[2][1] = b.columns[1][(4 * 1 + 2) * b.count + 217] = wrong[w];
            b.floats[217].x1[2][1] = (float)wrong[w];
            b.queries[290].x0[0][0] = NAN; /* not the first */
            for (int i = 0; i < 2; i++) {
                status[i] = batch_ask(contexts[i], &b, GRAZE_VF, (batch_layout)layout, &options, b.there);
                graze_context_last_error(contexts[i], &error[i]);
                for (size_t k = 0; k < b.count; k++)
                    CHECK(b.there[k].result.verdict == GRAZE_UNRESOLVED && b.there[k].result.toi == 0);
            }
            CHECK(status[0] == (w < 2 ? GRAZE_ERR_NOT_FINITE : GRAZE_ERR_OUT_OF_RANGE) && status[1] == status[0]);
            CHECK(batch_stats(contexts[1]).queries == 0);
            CHECK(error[0].index == 217 && error[1].index == 217 && strcmp(error[0].message, error[1].message) == 0);
        }
    for (int i = 0; i < 2; i++) graze_context_destroy(contexts[i]);
    batch_close(&b);
}

/* Threads find bad ones in any order. */
TEST(of_many_bad_queries_the_first_is_named) {
    batch_arrays b;
    batch_open(&b, 60000);
    batch_fill(&b, GRAZE_EE, 7);
    graze_context *context = batch_context(GRAZE_BACKEND_CPU, 4, 0);
    graze_options options = graze_default_options();
    for (size_t first = 59000; first > 100; first = first * 2 / 3) {
        graze_error error;
        b.queries[first].x0[1][2] = first % 2 ? NAN : 0x1p161;
        graze_status status = batch_ask(context, &b, GRAZE_EE, BATCH_DOUBLES, &options, b.here);
        graze_context_last_error(context, &error);
        CHECK(status == (first % 2 ? GRAZE_ERR_NOT_FINITE : GRAZE_ERR_OUT_OF_RANGE) && error.index == first);
    }
    graze_context_destroy(context);
    batch_close(&b);
}

static void check_refused(graze_context *context, batch_arrays *b, const graze_options *options, graze_status expected,
                          const char *why) {
    graze_error error;
    CHECK(batch_ask(context, b, GRAZE_EE, BATCH_DOUBLES, options, b->there) == expected);
    graze_context_last_error(context, &error);
    CHECK_MSG(strstr(error.message, why) != NULL, "'%s' does not say '%s'", error.message, why);
    for (size_t k = 0; k < b->count; k++)
        CHECK(b->there[k].result.verdict == GRAZE_UNRESOLVED && b->there[k].result.toi == 0);
}

TEST(what_a_back_end_does_not_have_is_refused_by_name) {
    behave("answer");
    batch_arrays b;
    batch_open(&b, 10);
    batch_fill(&b, GRAZE_EE, 5);
    graze_context *fake = batch_context(GRAZE_BACKEND_CUDA, 1, 0);
    graze_options options = graze_default_options();
    options.method = GRAZE_METHOD_TI;
    check_refused(fake, &b, &options, GRAZE_ERR_UNSUPPORTED, "methods certified and exact");
    options = graze_default_options();
    options.t_max = 0;
    check_refused(fake, &b, &options, GRAZE_ERR_UNSUPPORTED, "t_max = 0");
    graze_context_destroy(fake);
    setenv("GRAZE_FAKE", "none", 1);
    fake = batch_context(GRAZE_BACKEND_CUDA, 1, 0);
    options = graze_default_options();
    check_refused(fake, &b, &options, GRAZE_ERR_UNSUPPORTED, "no device was made for this test");
    graze_context_destroy(fake);
    batch_close(&b);
}

TEST(left_to_us_a_large_batch_goes_where_a_query_took_less) {
    behave("answer");
    batch_arrays b;
    batch_open(&b, 40000);
    batch_fill(&b, GRAZE_VF, 5);
    graze_context *context = batch_context(GRAZE_BACKEND_AUTO, 2, 0);
    graze_options options = graze_default_options();
    gz_backend *kept = gz_backend_kept(context);
    CHECK(batch_ask(context, &b, GRAZE_VF, BATCH_DOUBLES, &options, b.here) == GRAZE_OK);
    CHECK(kept->spent > 0 && kept->query_seconds[0][0] > 0 && !kept->device); /* too early to open one */
    kept->spent = 1;
    CHECK(batch_ask(context, &b, GRAZE_VF, BATCH_DOUBLES, &options, b.there) == GRAZE_OK);
    CHECK(kept->device && kept->query_seconds[0][1] > 0); /* tried once */
    for (size_t i = 0; i < b.count; i++) CHECK(same_result(&b.here[i].result, &b.there[i].result));
    kept->query_seconds[0][0] = 1e-9;
    kept->query_seconds[0][1] = 1;
    CHECK(batch_ask(context, &b, GRAZE_VF, BATCH_DOUBLES, &options, b.there) == GRAZE_OK);
    CHECK(kept->query_seconds[0][1] == 1 && kept->query_seconds[0][0] != 1e-9); /* on the CPU */
    kept->query_seconds[0][0] = 2;
    CHECK(batch_ask(context, &b, GRAZE_VF, BATCH_DOUBLES, &options, b.there) == GRAZE_OK);
    CHECK(kept->query_seconds[0][0] == 2 && kept->query_seconds[0][1] != 1); /* on the back end */
    b.count = 1000;
    kept->query_seconds[0][1] = 1e-9;
    CHECK(batch_ask(context, &b, GRAZE_VF, BATCH_DOUBLES, &options, b.there) == GRAZE_OK);
    CHECK(kept->query_seconds[0][1] == 1e-9); /* a small one is not worth it */
    graze_context_destroy(context);
    batch_close(&b);
}

TEST(a_device_that_is_lost_is_an_error_by_name_and_a_batch_on_the_cpu_else) {
    behave("lost");
    batch_arrays b;
    batch_open(&b, 40000);
    batch_fill(&b, GRAZE_EE, 5);
    graze_context *named = batch_context(GRAZE_BACKEND_CUDA, 2, 0), *open = batch_context(GRAZE_BACKEND_AUTO, 2, 0);
    graze_options options = graze_default_options();
    check_refused(named, &b, &options, GRAZE_ERR_DEVICE, "the device was lost");
    CHECK(batch_ask(open, &b, GRAZE_EE, BATCH_DOUBLES, &options, b.here) == GRAZE_OK);
    gz_backend_kept(open)->spent = 1e9;
    batch_stats(open);
    CHECK(batch_ask(open, &b, GRAZE_EE, BATCH_DOUBLES, &options, b.there) == GRAZE_OK);
    CHECK(batch_stats(open).queries == b.count);                   /* once, not what the device did beside */
    CHECK(gz_backend_kept(open)->query_seconds[0][1] == INFINITY); /* and not again */
    for (size_t i = 0; i < b.count; i++) CHECK(same_result(&b.here[i].result, &b.there[i].result));
    graze_context_destroy(named);
    graze_context_destroy(open);
    batch_close(&b);
}

static int third_time(void *user) { return ++*(int *)user >= 3; }

TEST(a_batch_that_is_cancelled_keeps_what_was_answered) {
    behave("answer");
    batch_arrays b;
    batch_open(&b, 1000);
    batch_fill(&b, GRAZE_VF, 5);
    int asked = 0;
    graze_context_options options = graze_default_context_options();
    options.backend = GRAZE_BACKEND_CUDA;
    options.threads = 2;
    options.cancel = third_time;
    options.cancel_user = &asked;
    graze_context *context = NULL, *cpu = batch_context(GRAZE_BACKEND_CPU, 2, 0);
    CHECK(graze_context_create(&options, &context) == GRAZE_OK);
    graze_options narrow = graze_default_options();
    CHECK(batch_ask(cpu, &b, GRAZE_VF, BATCH_DOUBLES, &narrow, b.here) == GRAZE_OK);
    CHECK(batch_ask(context, &b, GRAZE_VF, BATCH_DOUBLES, &narrow, b.there) == GRAZE_OK);
    size_t cancelled = 0;
    for (size_t i = 0; i < b.count; i++) {
        const graze_result *result = &b.there[i].result;
        bool ended = result->verdict == GRAZE_UNRESOLVED && result->reason == GRAZE_REASON_CANCELLED;
        CHECK(ended ? result->toi == 0 : same_result(&b.here[i].result, result));
        cancelled += ended;
    }
    CHECK_MSG(cancelled > 0 && cancelled < b.count, "%zu", cancelled);
    CHECK(batch_stats(context).queries == b.count);
    graze_context_destroy(context);
    graze_context_destroy(cpu);
    batch_close(&b);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
