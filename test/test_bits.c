/* One hash over every bit of the answers to fixed queries: the same for every instruction set and thread count, and,
   printed, to be held against that of another machine (`./dev neon`). */
#include "check.h"

enum { COUNT = 1500 };

/* Coordinates made without the C library, so that they have the same bits everywhere. */
static void make_query(test_random *random, graze_query *query) {
    static const double sizes[] = {0x1p-40, 0x1p-6, 1, 1, 1, 0x1p20};
    double size = sizes[test_random_below(random, 6)];
    bool lattice = test_random_below(random, 4) == 0, near = test_random_below(random, 3) == 0;
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            query->x0[i][c] =
                lattice ? (double)test_random_below(random, 4) : size * test_random_between(random, -1, 1);
            query->x1[i][c] =
                lattice ? (double)test_random_below(random, 4) : size * test_random_between(random, -1, 1);
            if (near) query->x1[i][c] = query->x0[i][c] + 0.25 * (query->x1[i][c] - query->x0[i][c]);
        }
}

static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t size) { /* FNV-1a */
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t add_double(uint64_t hash, double x) {
    uint64_t bits = 0x7ff8000000000000u; /* NaNs differ between machines, and mean the same */
    if (x == x) memcpy(&bits, &x, sizeof bits);
    return add_bytes(hash, &bits, sizeof bits);
}

static uint64_t add_result(uint64_t hash, const graze_result *result) {
    int32_t words[3] = {(int32_t)result->verdict, (int32_t)result->reason, result->proven};
    hash = add_bytes(hash, words, sizeof words);
    hash = add_double(add_double(hash, result->toi), result->toi_upper);
    hash = add_double(add_double(hash, result->u), result->v);
    for (int c = 0; c < 3; c++) hash = add_double(add_double(hash, result->point[c]), result->normal[c]);
    return add_bytes(hash, &result->checks, sizeof result->checks);
}

static const struct {
    graze_method method;
    double separation;
    bool f32;
} runs[] = {
    {GRAZE_METHOD_CERTIFIED, 0, false}, {GRAZE_METHOD_CERTIFIED, 0.01, false}, {GRAZE_METHOD_EXACT, 0, false},
    {GRAZE_METHOD_EXACT, 0.01, false},  {GRAZE_METHOD_TI, 0, false},           {GRAZE_METHOD_TI, 0.01, false},
    {GRAZE_METHOD_CERTIFIED, 0, true},  {GRAZE_METHOD_CERTIFIED, 0.01, true},  {GRAZE_METHOD_EXACT, 0, true},
    {GRAZE_METHOD_EXACT, 0.01, true},
};
#define RUN_COUNT (sizeof runs / sizeof *runs)

/* Run `r` on all kinds that its method takes. */
static uint64_t hash_of(size_t r, uint32_t threads, graze_isa isa) {
    static graze_query queries[COUNT];
    static graze_query_f32 floats[COUNT];
    static graze_result results[COUNT];
    graze_context *context = test_context(threads, isa);
    uint64_t hash = 0xcbf29ce484222325u;
    graze_options options = graze_default_options();
    options.method = runs[r].method;
    options.min_separation = runs[r].separation;
    if (runs[r].method == GRAZE_METHOD_TI) options.max_checks = 300;
    for (int kind = 0; kind < 4; kind++) {
        if (!(graze_method_get(runs[r].method)->kinds >> kind & 1)) continue;
        test_random random = {(uint64_t)kind + 1};
        for (int i = 0; i < COUNT; i++) {
            make_query(&random, &queries[i]);
            for (int k = 0; k < 12; k++) {
                floats[i].x0[k / 3][k % 3] = (float)queries[i].x0[k / 3][k % 3];
                floats[i].x1[k / 3][k % 3] = (float)queries[i].x1[k / 3][k % 3];
            }
        }
        graze_status status = runs[r].f32
                                  ? graze_ccd_batch_f32(context, (graze_kind)kind, floats, COUNT, &options, results)
                                  : graze_ccd_batch(context, (graze_kind)kind, queries, COUNT, &options, results);
        CHECK_MSG(status == GRAZE_OK, "run %zu: %s", r, graze_status_name(status));
        int verdicts[3] = {0};
        for (int i = 0; i < COUNT; i++) {
            hash = add_result(hash, &results[i]);
            verdicts[results[i].verdict == GRAZE_CLEAR ? 0 : results[i].verdict == GRAZE_HIT ? 1 : 2]++;
        }
        CHECK_MSG(verdicts[0] > 50 && verdicts[1] > 5, "run %zu, kind %d: %d clear, %d hits, %d unresolved", r, kind,
                  verdicts[0], verdicts[1], verdicts[2]);
    }
    graze_context_destroy(context);
    return hash;
}

TEST(the_bits_of_answers_do_not_depend_on_instruction_set_and_threads) {
    uint64_t all = 0xcbf29ce484222325u;
    for (size_t r = 0; r < RUN_COUNT; r++) {
        uint64_t scalar = hash_of(r, 1, GRAZE_ISA_SCALAR);
        for (graze_isa isa = GRAZE_ISA_SCALAR; graze_isa_name(isa) && isa <= GRAZE_ISA_NEON; isa++) {
            if (!graze_isa_available(isa)) continue;
            uint64_t other = hash_of(r, isa == GRAZE_ISA_SCALAR ? 3 : 1, isa);
            CHECK_MSG(other == scalar, "run %zu, %s: %016llx, scalar %016llx", r, graze_isa_name(isa),
                      (unsigned long long)other, (unsigned long long)scalar);
        }
        all = add_bytes(all, &scalar, sizeof scalar);
        printf("    %s separation %g%s: %016llx\n", graze_method_get(runs[r].method)->name, runs[r].separation,
               runs[r].f32 ? " float32" : "", (unsigned long long)scalar);
    }
    printf("    bits %016llx\n", (unsigned long long)all);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
