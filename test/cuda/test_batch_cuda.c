/* Batches on a device have the bits of the CPU. Skipped, with the reason, where there is none. */
#include "batch_queries.h"
#include "cuda/bits.h"

/* GRAZE_BATCH_QUERIES: how many in all; without, enough for every part of the code. */
static size_t wanted(size_t usual) {
    const char *given = getenv("GRAZE_BATCH_QUERIES");
    return given ? (size_t)strtoull(given, NULL, 10) : usual / one_in();
}

TEST(generated_batches_have_the_bits_of_the_cpu) {
    if (!have_device()) return;
    graze_context *cpu = batch_context(GRAZE_BACKEND_CPU, 0, 0), *device = batch_context(GRAZE_BACKEND_CUDA, 0, 0);
    size_t touching = 0, compared = batch_compare_all(cpu, device, wanted(96000) / 96, &touching);
    printf("      %zu queries compared, %zu of them not clear\n", compared, touching);
    CHECK(touching > compared / 20);
    graze_context_destroy(cpu);
    graze_context_destroy(device);
}

TEST(batches_of_pairs_with_parts_of_any_size_have_the_bits_of_the_cpu) {
    if (!have_device()) return;
    graze_context *cpu = batch_context(GRAZE_BACKEND_CPU, 0, 0), *device = batch_context(GRAZE_BACKEND_CUDA, 0, 0);
    size_t touching = 0, compared = batch_compare_scaled(cpu, device, 480, wanted(96000) / 480, &touching);
    printf("      %zu queries compared, %zu of them not clear\n", compared, touching);
    CHECK(touching > compared / 20);
    graze_context_destroy(cpu);
    graze_context_destroy(device);
}

TEST(a_batch_under_a_small_memory_limit_has_the_bits_of_the_cpu) {
    if (!have_device()) return;
    graze_context *cpu = batch_context(GRAZE_BACKEND_CPU, 0, 0);
    for (size_t limit = (size_t)200 << 10; limit <= (size_t)1 << 24; limit *= 8) {
        graze_context *device = batch_context(GRAZE_BACKEND_CUDA, 1, limit);
        size_t touching = 0;
        batch_compare_all(cpu, device, 3000 / one_in(), &touching);
        graze_context_destroy(device);
    }
    graze_context_destroy(cpu);
}

TEST(a_bad_query_in_any_slice_is_named_as_by_the_cpu) {
    if (!have_device()) return;
    batch_arrays b;
    batch_open(&b, 300000);
    graze_context *contexts[2] = {batch_context(GRAZE_BACKEND_CPU, 0, 0), batch_context(GRAZE_BACKEND_CUDA, 0, 0)};
    graze_options options = graze_default_options();
    batch_fill(&b, GRAZE_EE, 6);
    static const size_t places[] = {0, 131071, 131072, 262200, 299999};
    unsigned turn = 2; /* one in five: the one in the last slice */
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        if (left_out(&turn)) continue;
        size_t bad = places[p];
        double kept = b.queries[bad].x0[3][2];
        b.queries[bad].x0[3][2] = p % 2 ? NAN : 0x1p161;
        graze_error error[2];
        graze_status status[2];
        for (int i = 0; i < 2; i++) {
            status[i] = batch_ask(contexts[i], &b, GRAZE_EE, BATCH_DOUBLES, &options, b.there);
            graze_context_last_error(contexts[i], &error[i]);
            for (size_t k = 0; k < b.count; k++) CHECK(b.there[k].result.verdict == GRAZE_UNRESOLVED);
        }
        CHECK(status[0] != GRAZE_OK && status[1] == status[0]);
        CHECK(error[0].index == bad && error[1].index == bad && strcmp(error[0].message, error[1].message) == 0);
        b.queries[bad].x0[3][2] = kept;
        batch_compare(contexts[0], contexts[1], &b, GRAZE_EE, BATCH_DOUBLES, &options);
    }
    for (int i = 0; i < 2; i++) graze_context_destroy(contexts[i]);
    batch_close(&b);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
