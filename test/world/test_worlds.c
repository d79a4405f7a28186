/* Many worlds in one call: each has the bits of a call of its own, and fails by itself. GRAZE_WORLDS says how many are
   drawn. */
#include "failing.h"
#include "mixed_worlds.h"
#include "same_contact.h"

enum { MOST_WORLDS = 24, MOST_BODIES = MOST_WORLDS * MIXED_BODIES + 1 };

/* Worlds that are drawn, and their bodies as one list in which a plate comes first that is in all of them. */
typedef struct drawn {
    mixed_world list[MOST_WORLDS];
    mixed_world shared; /* of the plate alone */
    graze_body bodies[MOST_BODIES];
    graze_body_motion motions[MOST_BODIES];
    int32_t world_of[MOST_BODIES];
    uint32_t number[MOST_WORLDS][MIXED_BODIES + 1]; /* of each world's bodies among all; the plate is its body 0 */
    size_t worlds, count;
} drawn;

static void draw_plate(graze_context *context, drawn *made) {
    test_random random = {7};
    made->shared.context = context;
    made->shared.count = 1;
    mixed_make_body(&random, &made->shared, 0, MIXED_TURN);
    made->bodies[0] = made->shared.given[0];
    made->motions[0] = made->shared.motions[0];
    made->world_of[0] = -1;
    made->count = 1;
}

/* Bodies of the worlds take turns, so that those of one are not neighbors. */
static void draw(test_random *random, graze_context *context, size_t worlds, drawn *made) {
    memset(made, 0, sizeof *made);
    made->worlds = worlds;
    draw_plate(context, made);
    for (size_t w = 0; w < worlds; w++) {
        mixed_make(random, context, MIXED_KINDS, &made->list[w]);
        made->list[w].separation = made->list[0].separation;
        made->list[w].t_max = made->list[0].t_max;
    }
    for (size_t i = 0; i < MIXED_BODIES; i++)
        for (size_t w = 0; w < worlds; w++) {
            if (i >= made->list[w].count) continue;
            made->number[w][i + 1] = (uint32_t)made->count;
            made->bodies[made->count] = made->list[w].given[i];
            made->motions[made->count] = made->list[w].motions[i];
            made->motions[made->count].body = (uint32_t)made->count;
            made->world_of[made->count++] = (int32_t)w;
        }
}

static void release(drawn *made) {
    for (size_t w = 0; w < made->worlds; w++) mixed_release(&made->list[w]);
    mixed_release(&made->shared);
}

static graze_articulated_options options_of(const drawn *made) {
    graze_articulated_options options = graze_default_articulated_options();
    options.min_separation = made->list[0].separation;
    options.t_max = made->list[0].t_max;
    return options;
}

/* One world by a call of its own, whose bodies are counted in it. */
static graze_articulated_result alone(graze_context *context, const drawn *made, size_t w, graze_status *status) {
    graze_body bodies[MIXED_BODIES + 1];
    graze_body_motion motions[MIXED_BODIES + 1];
    graze_world *world = NULL;
    size_t count = made->list[w].count + 1;
    for (size_t i = 0; i < count; i++) {
        bodies[i] = made->bodies[made->number[w][i]];
        motions[i] = made->motions[made->number[w][i]];
        motions[i].body = (uint32_t)i;
    }
    graze_articulated_result result = graze_default_articulated_result();
    graze_articulated_options options = options_of(made);
    *status = graze_world_create(context, bodies, count, NULL, &world);
    graze_error error;
    graze_context_last_error(context, &error);
    CHECK_MSG(*status == GRAZE_OK, "%s\n", error.message);
    *status = graze_world_step(context, world, motions, count, &options, &result);
    graze_world_release(world);
    if (result.has_contact) {
        result.contact.model_a = made->number[w][result.contact.model_a];
        result.contact.model_b = made->number[w][result.contact.model_b];
    }
    return result;
}

static bool same(const graze_articulated_result *a, const graze_articulated_result *b) {
    return a->verdict == b->verdict && a->reason == b->reason && memcmp(&a->toi, &b->toi, sizeof a->toi) == 0 &&
           memcmp(&a->toi_upper, &b->toi_upper, sizeof a->toi) == 0 && a->has_contact == b->has_contact &&
           a->checks == b->checks && same_contact(&a->contact, &b->contact);
}

static graze_worlds *make(graze_context *context, const drawn *made) {
    graze_worlds *worlds = NULL;
    CHECK(graze_worlds_create(context, made->bodies, made->world_of, made->count, NULL, &worlds) == GRAZE_OK);
    CHECK(graze_worlds_count(worlds) == made->worlds);
    return worlds;
}

static void ask(graze_context *context, const graze_worlds *worlds, const drawn *made,
                graze_articulated_result *results, graze_status *statuses) {
    graze_articulated_options options = options_of(made);
    for (size_t w = 0; w < made->worlds; w++) results[w] = graze_default_articulated_result();
    CHECK(graze_worlds_step(context, worlds, made->motions, made->count, &options, results, statuses) == GRAZE_OK);
}

TEST(many_worlds_have_the_bits_of_calls_of_their_own) {
    graze_context *contexts[3] = {test_context(2, GRAZE_ISA_AUTO), test_context(1, GRAZE_ISA_SCALAR),
                                  test_context(5, GRAZE_ISA_AUTO)};
    static drawn made;
    graze_articulated_result results[MOST_WORLDS];
    graze_status statuses[MOST_WORLDS], status;
    test_random random = {101};
    size_t hits = 0, clear = 0;
    for (int round = 0; round < 6; round++) {
        draw(&random, contexts[0], round ? 1 + test_random_below(&random, MOST_WORLDS) : MOST_WORLDS, &made);
        for (int k = 0; k < 3; k++) {
            graze_worlds *worlds = make(contexts[k], &made);
            ask(contexts[k], worlds, &made, results, statuses);
            for (size_t w = 0; w < made.worlds; w++) {
                graze_articulated_result own = alone(contexts[0], &made, w, &status);
                CHECK(status == GRAZE_OK && statuses[w] == GRAZE_OK);
                CHECK_MSG(same(&own, &results[w]), "round %d, world %zu: toi %.17g and %.17g\n", round, w, own.toi,
                          results[w].toi);
                hits += own.verdict == GRAZE_HIT;
                clear += own.verdict == GRAZE_CLEAR;
            }
            graze_worlds_release(worlds);
        }
        release(&made);
    }
    CHECK(hits > 10 && clear > 10);
    for (int k = 0; k < 3; k++) graze_context_destroy(contexts[k]);
}

/* ---- failures ---- */

TEST(a_world_that_fails_stops_only_itself) {
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    static drawn made;
    graze_articulated_result results[MOST_WORLDS];
    graze_status statuses[MOST_WORLDS], status;
    test_random random = {103};
    draw(&random, context, MOST_WORLDS, &made);
    uint32_t bad = made.number[5][1], worse = made.number[9][1]; /* the first body of a world has a mesh */
    graze_worlds *worlds = make(context, &made);
    static double nowhere[MIXED_VERTICES][3];
    for (int v = 0; v < MIXED_VERTICES; v++) nowhere[v][2] = NAN;
    for (int i = 0; i < 2; i++) {
        graze_body_motion *motion = &made.motions[i ? worse : bad];
        motion->pose1.position[0] = motion->matrix1[0][0] = INFINITY;
        motion->x1 = (const double(*)[3])nowhere;
        motion->control[2] = (const double(*)[3])nowhere;
    }
    ask(context, worlds, &made, results, statuses);
    graze_error error;
    graze_context_last_error(context, &error);
    CHECK_MSG(error.status == GRAZE_ERR_NOT_FINITE && error.index == 5 && strstr(error.message, "world 5"), "%s\n",
              error.message);
    for (size_t w = 0; w < made.worlds; w++) {
        graze_articulated_result own = alone(context, &made, w, &status);
        CHECK(statuses[w] == status && same(&own, &results[w]));
        CHECK((w == 5 || w == 9) == (status == GRAZE_ERR_NOT_FINITE));
    }
    graze_worlds_release(worlds);
    release(&made);
    graze_context_destroy(context);
}

/* ---- rules ---- */

TEST(rules_of_many_worlds_count_where_both_bodies_are) {
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    static drawn made;
    test_random random = {107};
    draw(&random, context, 8, &made);
    graze_world_pair rules[MIXED_BODIES * MIXED_BODIES + MIXED_BODIES];
    size_t count = 0;
    for (size_t i = 0; i <= made.list[3].count; i++)
        for (size_t j = 0; j <= i; j++) {
            rules[count] = graze_default_world_pair();
            rules[count].body_a = made.number[3][i];
            rules[count].body_b = made.number[3][j];
            rules[count++].rule = GRAZE_PAIR_SKIP;
        }
    graze_world_options options = graze_default_world_options();
    options.pairs = rules;
    options.pair_count = count;
    graze_worlds *worlds = NULL;
    graze_articulated_result results[MOST_WORLDS];
    graze_status statuses[MOST_WORLDS], status;
    CHECK(graze_worlds_create(context, made.bodies, made.world_of, made.count, &options, &worlds) == GRAZE_OK);
    ask(context, worlds, &made, results, statuses);
    for (size_t w = 0; w < made.worlds; w++) {
        graze_articulated_result own = alone(context, &made, w, &status);
        bool skipped = results[w].verdict == GRAZE_CLEAR && results[w].checks == 0;
        CHECK(w == 3 ? skipped : same(&own, &results[w]));
    }
    CHECK(graze_world_bodies(graze_worlds_at(worlds, 3)) == made.list[3].count + 1);
    CHECK(graze_worlds_at(worlds, made.worlds) == NULL);
    graze_worlds_release(worlds);
    release(&made);
    graze_context_destroy(context);
}

/* ---- what is refused ---- */

static graze_pair_rule test_all(void *user, uint32_t a, uint32_t b, uint32_t c, uint32_t d, double *separation) {
    (void)user, (void)a, (void)b, (void)c, (void)d, (void)separation;
    return GRAZE_PAIR_TEST;
}

static bool says(graze_context *context, graze_status status, graze_status wanted, const char *words) {
    graze_error error;
    graze_context_last_error(context, &error);
    return status == wanted && strstr(error.message, words);
}

TEST(bad_numbers_of_worlds_and_what_concerns_all_of_them_fail_the_call) {
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    static drawn made;
    test_random random = {109};
    draw(&random, context, 4, &made);
    graze_worlds *worlds = NULL;
    graze_world_options options = graze_default_world_options();
    int32_t *of = made.world_of;
    of[2] = -2;
    CHECK(says(context, graze_worlds_create(context, made.bodies, of, made.count, NULL, &worlds), GRAZE_ERR_BAD_INDEX,
               "there is no world -2"));
    of[2] = 1 << 30;
    CHECK(says(context, graze_worlds_create(context, made.bodies, of, made.count, NULL, &worlds), GRAZE_ERR_BAD_INDEX,
               "some have none"));
    of[2] = 5;
    CHECK(says(context, graze_worlds_create(context, made.bodies, of, made.count, NULL, &worlds),
               GRAZE_ERR_INVALID_ARGUMENT, "world 4 has no body"));
    of[2] = 1;
    options.filter = test_all;
    CHECK(says(context, graze_worlds_create(context, made.bodies, of, made.count, &options, &worlds),
               GRAZE_ERR_UNSUPPORTED, "filter"));
    CHECK(worlds == NULL && graze_worlds_create(context, made.bodies, NULL, 3, NULL, &worlds) != GRAZE_OK);
    of[0] = 0; /* a world has none but the shared ones */
    CHECK(graze_worlds_create(context, made.bodies, of, 1, NULL, &worlds) == GRAZE_OK);
    graze_worlds_release(worlds);
    of[0] = -1;
    worlds = make(context, &made);
    graze_articulated_result results[MOST_WORLDS];
    graze_status statuses[MOST_WORLDS];
    graze_articulated_options asked = graze_default_articulated_options();
    results[0] = graze_default_articulated_result();
    asked.mode = GRAZE_ARTICULATED_ALL;
    CHECK(says(context, graze_worlds_step(context, worlds, made.motions, made.count, &asked, results, statuses),
               GRAZE_ERR_UNSUPPORTED, "mode all"));
    CHECK(statuses[3] == GRAZE_ERR_UNSUPPORTED && results[3].verdict == GRAZE_UNRESOLVED && results[3].toi == 0);
    made.motions[1].body = made.motions[2].body;
    CHECK(says(context, graze_worlds_step(context, worlds, made.motions, made.count, NULL, results, statuses),
               GRAZE_ERR_INVALID_ARGUMENT, "already has one"));
    made.motions[1].body = 1000;
    CHECK(says(context, graze_worlds_step(context, worlds, made.motions, made.count, NULL, results, statuses),
               GRAZE_ERR_BAD_INDEX, "no body 1000"));
    results[0].struct_size = 0;
    CHECK(graze_worlds_step(context, worlds, NULL, 0, NULL, results, statuses) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_worlds_count(NULL) == 0 && graze_worlds_at(NULL, 0) == NULL);
    graze_worlds_release(NULL);
    graze_worlds_release(worlds);
    release(&made);
    graze_context_destroy(context);
}

TEST(many_worlds_survive_failure_of_every_allocation) {
    static drawn made;
    graze_articulated_result results[MOST_WORLDS];
    graze_status statuses[MOST_WORLDS];
    graze_context *other = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {113};
    draw(&random, other, 3, &made);
    for (long n = 3; n < 6000; n++) {
        failing f = {.left = LONG_MAX};
        graze_worlds *worlds = NULL;
        graze_context *context = failing_context(&f, 1);
        CHECK(context);
        f.left = n;
        graze_status status = graze_worlds_create(context, made.bodies, made.world_of, made.count, NULL, &worlds);
        bool done = status == GRAZE_OK;
        if (done) {
            results[0] = graze_default_articulated_result();
            status = graze_worlds_step(context, worlds, made.motions, made.count, NULL, results, statuses);
            for (size_t w = 0; w < made.worlds; w++) {
                done &= statuses[w] == GRAZE_OK;
                CHECK(statuses[w] == GRAZE_OK || statuses[w] == GRAZE_ERR_OUT_OF_MEMORY);
                CHECK(statuses[w] == GRAZE_OK || (results[w].verdict == GRAZE_UNRESOLVED && results[w].toi == 0));
            }
        }
        CHECK(status == GRAZE_OK || status == GRAZE_ERR_OUT_OF_MEMORY);
        f.left = LONG_MAX;
        graze_worlds_release(worlds);
        graze_context_destroy(context);
        CHECK(f.held == 0);
        if (!done) continue;
        release(&made);
        graze_context_destroy(other);
        return;
    }
    CHECK(!"all of it succeeds with enough memory");
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
