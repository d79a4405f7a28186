/* The first contact of a caller's list: against each pair by itself, against whole steps, and against the oracle. */
#include "drawn_pairs.h"
#include "same_bits.h"
#include "soup.h"

#define POSITIONS(s) (const double(*)[3])(s)->x0, (const double(*)[3])(s)->x1

static graze_step_result first_of(graze_context *context, const soup *s, const graze_pair *pairs, size_t count,
                                  const graze_step_options *options) {
    graze_step_result result = graze_default_step_result();
    CHECK(graze_earliest_of_pairs(context, &s->mesh, POSITIONS(s), pairs, count, options, &result) == GRAZE_OK);
    CHECK(result.candidates[0] == GRAZE_NOT_COUNTED && result.hits[1] == GRAZE_NOT_COUNTED && !result.pairs);
    return result;
}

static bool before(const graze_pair_result *x, const graze_pair_result *y) {
    if (x->result.toi != y->result.toi) return x->result.toi < y->result.toi;
    if (x->pair.kind != y->pair.kind) return x->pair.kind < y->pair.kind;
    return x->pair.a != y->pair.a ? x->pair.a < y->pair.a : x->pair.b < y->pair.b;
}

/* The answer by one call for each pair. */
static graze_step_result one_by_one(graze_context *context, const soup *s, const graze_pair *pairs, size_t count,
                                    const graze_step_options *options, double t_max) {
    graze_step_result best = graze_default_step_result();
    best.verdict = GRAZE_CLEAR;
    best.toi = t_max;
    for (size_t i = 0; i < count; i++) {
        graze_pair_result one = {.pair = pairs[i]};
        CHECK(graze_ccd_pairs(context, &s->mesh, POSITIONS(s), &pairs[i], 1, options, &one.result) == GRAZE_OK);
        if (one.result.verdict == GRAZE_CLEAR || (best.has_pair && !before(&one, &best.limiting))) continue;
        best.limiting = one;
        best.has_pair = 1;
        best.verdict = one.result.verdict;
        best.toi = one.result.toi;
    }
    return best;
}

static bool same_answer(const graze_step_result *a, const graze_step_result *b) {
    return a->verdict == b->verdict && a->toi == b->toi && a->has_pair == b->has_pair &&
           (!a->has_pair || same_bits(&a->limiting, &b->limiting));
}

typedef struct setting {
    graze_options narrow;
    graze_step_options step;
} setting;

static void set(setting *g, int scene) {
    static const graze_method methods[] = {GRAZE_METHOD_CERTIFIED, GRAZE_METHOD_EXACT, GRAZE_METHOD_CERTIFIED,
                                           GRAZE_METHOD_TI};
    g->narrow = graze_default_options();
    g->step = graze_default_step_options();
    g->step.narrow = &g->narrow;
    g->narrow.method = methods[scene % 4];
    if (g->narrow.method == GRAZE_METHOD_TI) g->narrow.max_checks = 2000;
    if (scene % 5 == 1) g->narrow.min_separation = 0.003;
    if (scene % 5 == 3) g->narrow.t_max = 0.3;
    if (scene % 5 == 4) g->narrow.t_max = 0;
    if (scene % 7 == 2 && g->narrow.method != GRAZE_METHOD_TI) g->step.relative_separation = 0.3;
}

TEST(a_list_of_all_candidates_has_the_bits_of_the_step) {
    static soup s;
    size_t hit = 0, clear = 0, at_start = 0;
    for (int scene = 0; scene < 40; scene++) {
        graze_context *context = test_context(1 + (uint32_t)scene % 3, GRAZE_ISA_AUTO);
        setting g;
        set(&g, scene);
        soup_make(&s, context, (soup_style)(scene % SOUP_STYLES), 40 + 5 * (uint32_t)scene, (uint64_t)scene);
        if (scene % 6 == 5) /* little moves, and most steps are free */
            for (uint32_t v = 0; v < s.mesh.vertex_count; v++)
                for (int c = 0; c < 3; c++) s.x1[v][c] = s.x0[v][c] + 0x1p-9 * (s.x1[v][c] - s.x0[v][c]);
        if (g.narrow.method == GRAZE_METHOD_TI) s.mesh.codim_point_count = 0;
        test_random random = {(uint64_t)scene};
        graze_pair *pairs;
        size_t count;
        CHECK(graze_candidates(context, &s.mesh, POSITIONS(&s), &g.step, &pairs, &count) == GRAZE_OK);
        graze_step_result step = graze_default_step_result();
        CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &g.step, &step) == GRAZE_OK);
        for (int order = 0; order < 3; order++) {
            graze_step_result found = first_of(context, &s, pairs, count, &g.step);
            CHECK_MSG(same_answer(&found, &step), "scene %d: toi %a, step %a", scene, found.toi, step.toi);
            CHECK(found.toi_upper == step.toi_upper && found.reason == step.reason);
            shuffle(&random, pairs, count);
        }
        *(step.verdict == GRAZE_CLEAR ? &clear : step.toi == 0 ? &at_start : &hit) += 1;
        graze_pairs_release(context, pairs, count);
        graze_mesh_release(context, &s.mesh);
        graze_context_destroy(context);
    }
    CHECK_MSG(hit >= 10 && clear >= 3 && at_start >= 3, "%zu hit, %zu clear, %zu at the start", hit, clear, at_start);
}

TEST(random_lists_with_duplicates_have_the_bits_of_their_earliest_pair) {
    static soup s;
    enum { MOST = 3000 };
    static graze_pair pairs[MOST];
    size_t hit = 0, clear = 0;
    for (int scene = 0; scene < 30; scene++) {
        graze_context *context = test_context(2, GRAZE_ISA_AUTO);
        test_random random = {77 + (uint64_t)scene};
        setting g;
        set(&g, scene);
        soup_make(&s, context, (soup_style)(scene % 2 ? scene % SOUP_STYLES : SOUP_CLUSTERED), 60, (uint64_t)scene);
        s.mesh.groups = s.groups; /* neither these nor a filter have a say in a list */
        s.mesh.group_count = 3;
        s.mesh.skip_same_group = 1;
        g.step.kinds = 1u << GRAZE_PP;
        bool ti = g.narrow.method == GRAZE_METHOD_TI; /* it has two kinds, and is slow */
        size_t count = scene % 3 ? 1 + test_random_below(&random, 100) : ti ? 300 : MOST;
        for (size_t i = 0; i < count; i++)
            pairs[i] = i && test_random_below(&random, 4) == 0 ? pairs[test_random_below(&random, i)]
                                                               : draw_pair(&random, &s.mesh, ti ? 2 : 4);
        graze_step_result found = first_of(context, &s, pairs, count, &g.step);
        graze_step_result expected = one_by_one(context, &s, pairs, count, &g.step, g.narrow.t_max);
        CHECK_MSG(same_answer(&found, &expected), "scene %d: toi %a, one by one %a", scene, found.toi, expected.toi);
        *(found.verdict == GRAZE_CLEAR ? &clear : &hit) += 1;
        graze_mesh_release(context, &s.mesh);
        graze_context_destroy(context);
    }
    CHECK_MSG(hit >= 5 && clear >= 3, "%zu hit, %zu clear", hit, clear);
}

TEST(toi_is_never_after_the_first_contact_of_the_oracle) {
    static soup s;
    size_t hit = 0, clear = 0;
    for (int scene = 0; scene < 40; scene++) {
        graze_context *context = test_context(2, GRAZE_ISA_AUTO);
        test_random random = {5 + (uint64_t)scene};
        soup_make(&s, context, SOUP_UNIFORM, 100, 90 + (uint64_t)scene);
        graze_pair *pairs;
        size_t all, count = 0;
        CHECK(graze_candidates(context, &s.mesh, POSITIONS(&s), NULL, &pairs, &all) == GRAZE_OK);
        for (size_t i = 0; i < all; i++)
            if (test_random_below(&random, 20) == 0) pairs[count++] = pairs[i];
        graze_options narrow = graze_default_options();
        narrow.method = GRAZE_METHOD_ORACLE;
        double first = INFINITY, upper = INFINITY;
        for (size_t i = 0; i < count; i++) {
            graze_query query;
            graze_result exact;
            CHECK(graze_pair_query(&s.mesh, POSITIONS(&s), 0, pairs[i], &query) == GRAZE_OK);
            CHECK(graze_ccd(pairs[i].kind, &query, &narrow, &exact) == GRAZE_OK);
            if (exact.verdict != GRAZE_HIT) continue;
            first = fmin(first, exact.toi);
            upper = fmin(upper, exact.toi_upper);
        }
        graze_step_result found = first_of(context, &s, pairs, count, NULL);
        CHECK((found.verdict == GRAZE_CLEAR) == (first == INFINITY));
        *(first == INFINITY ? &clear : &hit) += 1;
        if (found.verdict == GRAZE_HIT)
            CHECK_MSG(found.toi <= upper && found.toi_upper >= first, "[%a, %a], oracle [%a, %a]", found.toi,
                      found.toi_upper, first, upper);
        graze_pairs_release(context, pairs, all);
        graze_mesh_release(context, &s.mesh);
        graze_context_destroy(context);
    }
    CHECK_MSG(hit >= 10 && clear >= 3, "%zu hit, %zu clear", hit, clear);
}

/* Enough pairs for several rounds, and contacts at many times. */
TEST(threads_and_instruction_sets_do_not_change_a_bit) {
    static soup s;
    enum { COUNT = 40000 };
    static graze_pair pairs[COUNT];
    static const graze_isa isas[] = {GRAZE_ISA_SCALAR, GRAZE_ISA_AVX2, GRAZE_ISA_AVX512, GRAZE_ISA_NEON};
    for (int scene = 0; scene < 6; scene++) {
        test_random random = {(uint64_t)scene};
        graze_step_result expected = graze_default_step_result();
        for (int run = 0; run < 8; run++) {
            if (!graze_isa_available(isas[run % 4])) continue;
            graze_context *context = test_context(1 + (uint32_t)run % 3, isas[run % 4]);
            graze_options narrow = graze_default_options();
            graze_step_options options = graze_default_step_options();
            options.narrow = &narrow;
            narrow.min_separation = scene % 2 ? 0.001 : 0;
            soup_make(&s, context, SOUP_UNIFORM, 300, (uint64_t)scene);
            if (scene > 3) /* nothing touches at once */
                for (uint32_t v = 0; v < s.mesh.vertex_count; v++)
                    for (int c = 0; c < 3; c++) s.x1[v][c] = s.x0[v][c] + 0.3 * (s.x1[v][c] - s.x0[v][c]);
            if (run == 0)
                for (size_t i = 0; i < COUNT; i++) pairs[i] = draw_pair(&random, &s.mesh, 4);
            graze_step_result found = first_of(context, &s, pairs, COUNT, &options);
            if (run == 0) expected = found;
            CHECK_MSG(same_answer(&found, &expected), "scene %d, run %d: %a, %a", scene, run, found.toi, expected.toi);
            graze_mesh_release(context, &s.mesh);
            graze_context_destroy(context);
        }
        CHECK(expected.has_pair);
    }
}

/* The window shrinks between rounds, and must not leave out an earlier contact that comes later in the list. */
TEST(long_lists_have_the_bits_of_their_earliest_pair) {
    static soup s;
    enum { COUNT = 40000 };
    static graze_pair pairs[COUNT];
    static graze_result results[COUNT];
    size_t late = 0;
    for (int scene = 0; scene < 30; scene++) {
        graze_context *context = test_context(2, GRAZE_ISA_AUTO);
        test_random random = {(uint64_t)scene};
        soup_make(&s, context, SOUP_UNIFORM, 300, 500 + (uint64_t)scene);
        graze_pair *candidates;
        size_t count;
        CHECK(graze_candidates(context, &s.mesh, POSITIONS(&s), NULL, &candidates, &count) == GRAZE_OK);
        for (size_t i = 0; i < COUNT; i++) pairs[i] = draw_pair(&random, &s.mesh, 4);
        for (size_t i = 0; i < count && i < COUNT; i++) /* few of them, so that the first of all is late in the list */
            if (test_random_below(&random, 1 + (uint64_t)scene * 3) == 0) pairs[i] = candidates[i];
        shuffle(&random, pairs, COUNT);
        graze_step_result found = first_of(context, &s, pairs, COUNT, NULL);
        CHECK(graze_ccd_pairs(context, &s.mesh, POSITIONS(&s), pairs, COUNT, NULL, results) == GRAZE_OK);
        size_t best = COUNT;
        for (size_t i = 0; i < COUNT; i++) {
            if (results[i].verdict == GRAZE_CLEAR) continue;
            graze_pair_result mine = {pairs[i], results[i]};
            if (best == COUNT || before(&mine, &(graze_pair_result){pairs[best], results[best]})) best = i;
        }
        CHECK(found.has_pair == (best < COUNT));
        if (best == COUNT) continue;
        CHECK_MSG(same_bits(&found.limiting, &(graze_pair_result){pairs[best], results[best]}), "scene %d: %a, %a",
                  scene, found.toi, results[best].toi);
        late += found.toi > 0 && best / 256 % 16 != 0;
        graze_pairs_release(context, candidates, count);
        graze_mesh_release(context, &s.mesh);
        graze_context_destroy(context);
    }
    CHECK_MSG(late >= 10, "%zu", late);
}

TEST(an_empty_list_is_clear) {
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_SAME, 10, 1);
    graze_step_result found = first_of(context, &s, NULL, 0, NULL);
    CHECK(found.verdict == GRAZE_CLEAR && found.toi == 1 && !found.has_pair && found.backend == GRAZE_BACKEND_CPU);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

static void check_refused(graze_context *context, const soup *s, const graze_pair *pairs, size_t count,
                          const graze_step_options *options, graze_status status, uint64_t index) {
    graze_step_result result = graze_default_step_result();
    graze_error error;
    result.verdict = GRAZE_CLEAR;
    CHECK(graze_earliest_of_pairs(context, &s->mesh, POSITIONS(s), pairs, count, options, &result) == status);
    CHECK(result.verdict == GRAZE_UNRESOLVED && result.toi == 0 && !result.has_pair);
    CHECK(graze_context_last_error(context, &error) == GRAZE_OK);
    CHECK_MSG(error.index == index, "%llu: %s", (unsigned long long)error.index, error.message);
}

TEST(a_pair_that_is_none_is_refused_by_its_index) {
    static soup s;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    enum { COUNT = 9000 };
    static graze_pair pairs[COUNT];
    soup_make(&s, context, SOUP_UNIFORM, 60, 1);
    test_random random = {3};
    for (size_t i = 0; i < COUNT; i++) pairs[i] = draw_pair(&random, &s.mesh, 4);
    graze_step_options options = graze_default_step_options();
    const graze_pair bad[] = {{(graze_kind)9, 0, 0},
                              {GRAZE_VF, s.mesh.vertex_count, 0},
                              {GRAZE_VF, 0, s.mesh.face_count},
                              {GRAZE_EE, 0, s.mesh.edge_count},
                              {GRAZE_PP, 0, s.mesh.vertex_count},
                              {GRAZE_VF, s.mesh.faces[5][2], 5},
                              {GRAZE_EE, 7, 7},
                              {GRAZE_PE, s.mesh.edges[3][1], 3},
                              {GRAZE_PP, 4, 4}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        size_t at = (k * 4801) % COUNT, later = at + 1 + test_random_below(&random, COUNT - at - 1);
        graze_pair kept = pairs[at], other = pairs[later];
        bool range = k >= 1 && k <= 4;
        pairs[at] = bad[k];
        pairs[later] = bad[(k + 4) % 9];
        check_refused(context, &s, pairs, COUNT, &options, range ? GRAZE_ERR_BAD_INDEX : GRAZE_ERR_INVALID_ARGUMENT,
                      at);
        pairs[at] = kept;
        pairs[later] = other;
    }
    check_refused(context, &s, NULL, 1, &options, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX);
    double x = s.x1[7][1];
    s.x1[7][1] = NAN;
    check_refused(context, &s, pairs, COUNT, &options, GRAZE_ERR_NOT_FINITE, 7);
    s.x1[7][1] = x;
    options.pairs_in = GRAZE_MEMORY_DEVICE; /* with a device or without */
    check_refused(context, &s, pairs, COUNT, &options, GRAZE_ERR_UNSUPPORTED, UINT64_MAX);
    options.backend = GRAZE_BACKEND_CPU;
    check_refused(context, &s, pairs, COUNT, &options, GRAZE_ERR_UNSUPPORTED, UINT64_MAX);
    graze_step_result result = graze_default_step_result();
    CHECK(graze_earliest_of_pairs(NULL, &s.mesh, POSITIONS(&s), pairs, 1, NULL, &result) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_earliest_of_pairs(context, &s.mesh, POSITIONS(&s), pairs, 1, NULL, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

static int always(void *user) {
    (void)user;
    return 1;
}

TEST(a_cancelled_list_is_unresolved_at_zero) {
    static soup s;
    graze_context_options options = graze_default_context_options();
    options.cancel = always;
    graze_context *context;
    CHECK(graze_context_create(&options, &context) == GRAZE_OK);
    soup_make(&s, context, SOUP_UNIFORM, 60, 1);
    test_random random = {3};
    graze_pair pairs[50];
    for (size_t i = 0; i < 50; i++) pairs[i] = draw_pair(&random, &s.mesh, 4);
    graze_step_result found = first_of(context, &s, pairs, 50, NULL);
    CHECK(found.verdict == GRAZE_UNRESOLVED && found.reason == GRAZE_REASON_CANCELLED && found.toi == 0);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
