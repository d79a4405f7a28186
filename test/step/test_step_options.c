/* Options of a step: the kinds that are looked for, the start alone, an outer bound on toi. */
#include "soup.h"

#define POSITIONS(s) (const double(*)[3])(s)->x0, (const double(*)[3])(s)->x1

static graze_step_result run(graze_context *context, const soup *s, const graze_step_options *options) {
    graze_step_result result = graze_default_step_result();
    CHECK(graze_step(context, &s->mesh, POSITIONS(s), options, &result) == GRAZE_OK);
    return result;
}

/* Every subset of the kinds gives what the list of all pairs has of them, in every way of searching. */
TEST(only_the_kinds_of_the_mask_are_looked_for) {
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    for (int scene = 0; scene < 6; scene++) {
        static soup s;
        soup_make(&s, context, scene % 2 ? SOUP_CLUSTERED : SOUP_UNIFORM, scene < 2 ? 4 : 90, (uint64_t)scene);
        graze_step_options options = graze_default_step_options();
        options.mode = GRAZE_STEP_ALL;
        graze_step_result all = run(context, &s, &options);
        for (unsigned kinds = 1; kinds < 16; kinds++) {
            const graze_pair_result *first = NULL;
            size_t expected = 0, at = 0;
            options.kinds = kinds;
            options.mode = GRAZE_STEP_ALL;
            graze_step_result some = run(context, &s, &options);
            for (size_t i = 0; i < all.pair_count; i++) {
                const graze_pair_result *p = &all.pairs[i];
                if (!(kinds >> p->pair.kind & 1u)) continue;
                expected++;
                if (!first || p->result.toi < first->result.toi) first = p;
                if (at < some.pair_count)
                    CHECK(memcmp(&some.pairs[at].pair, &p->pair, sizeof p->pair) == 0 &&
                          some.pairs[at].result.toi == p->result.toi);
                at++;
            }
            CHECK(some.pair_count == expected);
            graze_step_release(context, &some);
            options.mode = GRAZE_STEP_EARLIEST;
            graze_step_result earliest = run(context, &s, &options);
            CHECK_MSG(earliest.has_pair == (first != NULL) && (!first || earliest.toi == first->result.toi),
                      "scene %d, kinds %u", scene, kinds);
            graze_pair *pairs;
            size_t count;
            CHECK(graze_candidates(context, &s.mesh, POSITIONS(&s), &options, &pairs, &count) == GRAZE_OK);
            for (size_t i = 0; i < count; i++) CHECK(kinds >> pairs[i].kind & 1u);
            graze_pairs_release(context, pairs, count);
        }
        options.kinds = 16;
        graze_step_result none = graze_default_step_result();
        CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &none) == GRAZE_ERR_INVALID_ARGUMENT);
        graze_step_release(context, &all);
        graze_mesh_release(context, &s.mesh);
    }
    graze_context_destroy(context);
}

/* Against the oracle on the pair at rest, for every method that misses nothing, alone, in batches and in float. */
TEST(t_max_0_asks_for_the_start_alone) {
    test_random random = {31};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    int hits = 0;
    for (int i = 0; i < 4000; i++) {
        graze_kind kind = (graze_kind)(i % 4);
        graze_query query, rest;
        graze_query_f32 narrowed;
        for (int r = 0; r < 4; r++)
            for (int c = 0; c < 3; c++) {
                query.x0[r][c] = i % 3 ? (double)test_random_below(&random, 2) : test_random_between(&random, -1, 1);
                query.x1[r][c] = test_random_between(&random, -1, 1);
                query.x0[r][c] = narrowed.x0[r][c] = (float)query.x0[r][c];
                query.x1[r][c] = narrowed.x1[r][c] = (float)query.x1[r][c];
            }
        rest = query;
        memcpy(rest.x1, rest.x0, sizeof rest.x0);
        graze_options options = graze_default_options();
        graze_result truth, result, batched, single;
        options.min_separation = i % 5 ? 0 : 0.25;
        options.method = GRAZE_METHOD_ORACLE;
        CHECK(graze_ccd(kind, &rest, &options, &truth) == GRAZE_OK);
        options.t_max = 0;
        static const graze_method methods[] = {GRAZE_METHOD_CERTIFIED, GRAZE_METHOD_EXACT, GRAZE_METHOD_ORACLE};
        for (int m = 0; m < 3; m++) {
            options.method = methods[m];
            CHECK(graze_ccd(kind, &query, &options, &result) == GRAZE_OK);
            CHECK_QUERY(result.verdict == truth.verdict && result.toi == 0, kind, &query);
            CHECK(graze_ccd_batch(context, kind, &query, 1, &options, &batched) == GRAZE_OK);
            CHECK_QUERY(batched.verdict == truth.verdict && batched.toi == 0, kind, &query);
            CHECK(graze_ccd_f32(kind, &narrowed, &options, &single) == GRAZE_OK);
            CHECK_QUERY(single.verdict == truth.verdict && single.toi == 0, kind, &query);
        }
        hits += truth.verdict == GRAZE_HIT;
    }
    CHECK(hits > 400 && hits < 3600);
    graze_context_destroy(context);
}

TEST(a_step_with_t_max_0_finds_the_start_violations_and_nothing_else) {
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    for (int scene = 0; scene < 8; scene++) {
        static soup s;
        soup_make(&s, context, (soup_style)(scene % SOUP_STYLES), 60, 5);
        graze_options narrow = graze_default_options();
        graze_step_options options = graze_default_step_options();
        graze_pair *pairs;
        size_t count;
        narrow.min_separation = scene == 0 ? 0.02 : 0;
        options.narrow = &narrow;
        CHECK(graze_start_violations(context, &s.mesh, (const double(*)[3])s.x0, &options, &pairs, &count) == GRAZE_OK);
        narrow.t_max = 0;
        options.mode = GRAZE_STEP_ALL;
        graze_step_result all = run(context, &s, &options);
        CHECK_MSG(all.pair_count == count, "style %d: %zu pairs, %zu violations", scene, all.pair_count, count);
        for (size_t i = 0; i < count && i < all.pair_count; i++)
            CHECK(memcmp(&all.pairs[i].pair, &pairs[i], sizeof *pairs) == 0 && all.pairs[i].result.toi == 0);
        options.mode = GRAZE_STEP_EARLIEST;
        graze_step_result first = run(context, &s, &options);
        CHECK(first.toi == 0 && first.verdict == (count ? GRAZE_HIT : GRAZE_CLEAR));
        if (count) CHECK(memcmp(&first.limiting.pair, &pairs[0], sizeof *pairs) == 0);
        graze_step_release(context, &all);
        graze_pairs_release(context, pairs, count);
        graze_mesh_release(context, &s.mesh);
    }
    graze_context_destroy(context);
}

/* The bound that another part of the search has found: what is earlier keeps its bits, and what is later is left out.
 */
TEST(t_max_is_an_outer_bound_that_leaves_earlier_answers_as_they_are) {
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    for (int scene = 0; scene < 12; scene++) {
        static soup s;
        soup_make(&s, context, scene % 2 ? SOUP_CLUSTERED : SOUP_OFFSET, 60, (uint64_t)scene + 40);
        graze_options narrow = graze_default_options();
        graze_step_options options = graze_default_step_options();
        options.narrow = &narrow;
        graze_step_result whole = run(context, &s, &options);
        for (int i = 0; i < 6; i++) {
            double factors[] = {0.5, 0.99, 1, 1.01, 2, 1e3};
            narrow.t_max = fmin(1, whole.toi * factors[i]);
            if (i == 2) narrow.t_max = fmin(1, nextafter(whole.toi, 2)); /* ties are kept */
            graze_step_result bounded = run(context, &s, &options);
            if (narrow.t_max > whole.toi && whole.has_pair)
                CHECK(bounded.toi == whole.toi && bounded.verdict == whole.verdict &&
                      memcmp(&bounded.limiting.pair, &whole.limiting.pair, sizeof whole.limiting.pair) == 0);
            if (i < 2 && whole.toi > 0) CHECK(bounded.verdict == GRAZE_CLEAR && bounded.toi == narrow.t_max);
        }
        graze_mesh_release(context, &s.mesh);
    }
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
