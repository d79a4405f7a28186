/* The self-test: its answers are right by exact arithmetic, it fails where arithmetic is not IEEE's, and no call
   answers after it failed.

   `test_self_test --accept FILE` writes src/narrow/self_answers.h anew, after exact arithmetic agreed;
   `test_self_test --refuses` is for builds with flags that break the proofs (test/builds.sh). */
#include "check.h"

#include "base/self_test.h"
#include "narrow/self_queries.h"
#include "numerics/ieee_facts.h"

#include <time.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* ---- what is known ---- */

/* `certified` says that nothing touches in [0, toi), and something at or before toi_upper: so does the exact root. */
static bool agrees_with_truth(graze_context *context, const gz_self_group *group, const graze_query *query,
                              const graze_result *result) {
    graze_truth_options options = graze_default_truth_options();
    options.min_separation = group->separation;
    graze_truth *truth = NULL;
    double lower, upper;
    if (graze_truth_find(context, group->kind, query, &options, &truth) != GRAZE_OK) return false;
    bool hit = graze_truth_hit(truth);
    graze_truth_bracket(truth, &lower, &upper);
    graze_truth_destroy(context, truth);
    if (!hit) return result->verdict == GRAZE_CLEAR && result->toi == 1 && isinf(result->toi_upper);
    return result->verdict == GRAZE_HIT && result->proven && result->toi <= lower && upper <= result->toi_upper &&
           upper - result->toi < 0x1p-30;
}

/* Returns how many are hits. */
static size_t judge(const gz_self_group *group, graze_result *results) {
    graze_query queries[GZ_SELF_MOST];
    graze_context *context = NULL;
    graze_context_create(NULL, &context);
    size_t hits = 0;
    gz_self_queries(group, queries);
    gz_self_answer_group(group, GRAZE_ISA_SCALAR, results);
    for (size_t i = 0; i < group->count; i++) {
        CHECK_QUERY(agrees_with_truth(context, group, &queries[i], &results[i]), group->kind, &queries[i]);
        hits += results[i].verdict == GRAZE_HIT;
    }
    graze_context_destroy(context);
    return hits;
}

TEST(exact_arithmetic_agrees_with_the_known_answers) {
    for (int g = 0; g < GZ_SELF_GROUPS; g++) {
        const gz_self_group *group = &gz_self_groups[g];
        graze_result results[GZ_SELF_MOST];
        size_t hits = judge(group, results);
        CHECK_MSG(hits >= 3 && hits + 3 <= group->count, "group %d: %zu hits", g, hits);
        for (size_t i = 0; i < group->count; i++) {
            const gz_self_answer *known = &gz_self_answers[group->first + i];
            CHECK_MSG(results[i].toi == known->toi && results[i].toi_upper == known->toi_upper,
                      "group %d, query %zu: %a %a, known %a %a; ./dev bits --accept takes them", g, i, results[i].toi,
                      results[i].toi_upper, known->toi, known->toi_upper);
        }
    }
}

__extension__ typedef unsigned __int128 wide;

/* a · b lies nearest to c among numbers c ± unit, all as whole numbers */
static bool is_nearest_product(wide product, wide c, wide unit) {
    return 2 * product >= 2 * c - unit && 2 * product <= 2 * c + unit;
}

TEST(the_roots_of_two_are_rounded_as_whole_numbers_say) {
    /* s = m·2⁻⁵² is nearest to √2 where (2m − 1)² < 2·2¹⁰⁶ < (2m + 1)² */
    wide m = (wide)ldexp(GZ_ROOT_OF_TWO, 52), two = (wide)2 << 106;
    CHECK((2 * m - 1) * (2 * m - 1) < two && two < (2 * m + 1) * (2 * m + 1));
    CHECK(is_nearest_product(m * m, (wide)ldexp(GZ_ROOT_SQUARED, 52) << 52, (wide)1 << 53));
    m = (wide)ldexp(GZ_ROOT_OF_TWO_F32, 23);
    two = (wide)2 << 48;
    CHECK((2 * m - 1) * (2 * m - 1) < two && two < (2 * m + 1) * (2 * m + 1));
    CHECK(is_nearest_product(m * m, (wide)ldexp(GZ_ROOT_SQUARED_F32, 23) << 23, (wide)1 << 23));
}

/* 1/d is nearest to r·2⁻ᵇ, with r of `digits` digits, and d·r is not nearest to 1. */
static void check_divisor(uint64_t d, int digits) {
    int shift = 0;
    while ((((wide)1 << (shift + 1)) / d) >> digits == 0) shift++;
    wide one = (wide)1 << shift, r = (2 * one / d + 1) / 2;
    CHECK(r >> digits == 0 && r >> (digits - 1) == 1);
    /* below 1 neighbors are 2⁻ᵈⁱᵍⁱᵗˢ apart: d·r lies more than half of that below */
    CHECK(2 * (one - d * r) > one >> digits);
}

TEST(the_divisors_times_their_reciprocals_are_not_one) {
    check_divisor((uint64_t)GZ_DIVISOR, 53);
    check_divisor((uint64_t)GZ_DIVISOR_F32, 24);
}

/* ---- where arithmetic is right, and where it is not ---- */

TEST(every_instruction_set_passes) {
    for (int isa = GRAZE_ISA_SCALAR; isa < GZ_ISAS; isa++)
        if (graze_isa_available((graze_isa)isa))
            CHECK_MSG(gz_self_test_run((graze_isa)isa), "%s", graze_isa_name((graze_isa)isa));
}

#if defined(__x86_64__)
TEST(other_modes_of_the_machine_are_noticed) {
    static const unsigned modes[] = {0x8000u, 0x0040u, 0x2000u, 0x4000u, 0x6000u}; /* FTZ, DAZ, down, up, to zero */
    unsigned before = _mm_getcsr();
    for (int isa = GRAZE_ISA_SCALAR; isa < GZ_ISAS; isa++)
        for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
            if (!graze_isa_available((graze_isa)isa)) continue;
            _mm_setcsr(before | modes[i]);
            bool passed = gz_self_test_run((graze_isa)isa);
            _mm_setcsr(before);
            CHECK_MSG(!passed, "%s, mode %x", graze_isa_name((graze_isa)isa), modes[i]);
        }
}
#endif

TEST(no_call_answers_after_the_self_test_failed) {
    static const graze_query apart = {{{0, 0, 1}, {1}, {0, 1}, {1, 1}}, {{0, 0, 1}, {1}, {0, 1}, {1, 1}}};
    static const graze_query_f32 floats = {{{0}}, {{0}}};
    static const graze_query_2d flat = {{{0}}, {{0}}};
    static const graze_curve_query curve = {{{{0}}}};
    static const double radii[4] = {0};
    graze_isa isa = graze_isa_in_use();
    graze_result result;
    graze_context *context = NULL;
    graze_distance_result distance;
    size_t count;
    CHECK(graze_ccd(GRAZE_VF, &apart, NULL, &result) == GRAZE_OK && result.verdict == GRAZE_CLEAR);
    atomic_store(&gz_self_tested[isa], GZ_UNSOUND);
    CHECK(graze_context_create(NULL, &context) == GRAZE_ERR_FP_ENVIRONMENT && !context);
    CHECK(graze_ccd(GRAZE_VF, &apart, NULL, &result) == GRAZE_ERR_FP_ENVIRONMENT);
    CHECK(result.verdict == GRAZE_UNRESOLVED && result.toi == 0);
    CHECK(graze_ccd_thick(GRAZE_VF, &apart, radii, NULL, &result) == GRAZE_ERR_FP_ENVIRONMENT);
    CHECK(graze_ccd_f32(GRAZE_VF, &floats, NULL, &result) == GRAZE_ERR_FP_ENVIRONMENT);
    CHECK(graze_ccd_2d(GRAZE_PE, &flat, NULL, &result) == GRAZE_ERR_FP_ENVIRONMENT);
    CHECK(graze_ccd_curve(GRAZE_VF, &curve, NULL, &result) == GRAZE_ERR_FP_ENVIRONMENT);
    CHECK(graze_ccd_batch(NULL, GRAZE_VF, &apart, 1, NULL, &result) == GRAZE_ERR_FP_ENVIRONMENT);
    CHECK(graze_ccd_certificate(GRAZE_VF, &apart, NULL, NULL, 0, &count, &result) == GRAZE_ERR_FP_ENVIRONMENT);
    CHECK(graze_distance(GRAZE_VF, apart.x0, &distance) == GRAZE_ERR_FP_ENVIRONMENT);
    atomic_store(&gz_self_tested[isa], GZ_NOT_TESTED);
    CHECK(graze_ccd(GRAZE_VF, &apart, NULL, &result) == GRAZE_OK);
    CHECK(atomic_load(&gz_self_tested[isa]) == GZ_SOUND);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

TEST(the_self_test_is_quick) {
    double least = 1;
    for (int i = 0; i < 200; i++) {
        double start = seconds();
        CHECK(gz_self_test_run(graze_isa_in_use()));
        double took = seconds() - start;
        if (took < least) least = took;
    }
    printf("    %.1f microseconds\n", 1e6 * least);
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    CHECK_MSG(least < 5e-3 || getenv("GRAZE_EMULATED"), "%g microseconds", 1e6 * least); /* also of a slow machine */
#endif
}

/* ---- new answers ---- */

static int accept_answers(const char *path) {
    for (int isa = 0; isa < GZ_ISAS; isa++) atomic_store(&gz_self_tested[isa], GZ_SOUND); /* exact arithmetic judges */
    FILE *file = fopen(path, "w");
    if (!file) return 2;
    fputs("/* Made by ./dev bits --accept, after exact arithmetic agreed: toi and toi_upper of `certified`. */\n"
          "const gz_self_answer gz_self_answers[] = {\n",
          file);
    for (int g = 0; g < GZ_SELF_GROUPS; g++) {
        graze_result results[GZ_SELF_MOST];
        judge(&gz_self_groups[g], results);
        for (size_t i = 0; i < gz_self_groups[g].count; i++)
            if (results[i].verdict == GRAZE_CLEAR)
                fputs("    {1, INFINITY},\n", file);
            else
                fprintf(file, "    {%a, %a},\n", results[i].toi, results[i].toi_upper);
    }
    fputs("};\n", file);
    return fclose(file) == 0 && test_outcome() != 1 ? 0 : 1;
}

/* 0 where every door refuses, as it has to in a build with flags that break the proofs. */
static int refuses(void) {
    static const graze_query query = {{{0}}, {{0}}};
    graze_context *context = NULL;
    graze_result result;
    return graze_context_create(NULL, &context) == GRAZE_ERR_FP_ENVIRONMENT &&
                   graze_ccd(GRAZE_VF, &query, NULL, &result) == GRAZE_ERR_FP_ENVIRONMENT
               ? 0
               : 1;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--refuses") == 0) return refuses();
    return argc == 3 && strcmp(argv[1], "--accept") == 0 ? accept_answers(argv[2]) : RUN_TESTS(argc, argv);
}
