/* Steps of worlds of mixed motions, beside dense sampling of the same motions and brute force over all pairs, and the
   bits of graze_step where all of it moves straight. GRAZE_WORLDS says how many worlds are drawn. */
#include "failing.h"
#include "mixed_judge.h"

enum { DEFAULT_WORLDS = 150 };

static size_t worlds_asked(void) {
    const char *given = getenv("GRAZE_WORLDS");
    return given && atol(given) > 0 ? (size_t)atol(given) : DEFAULT_WORLDS;
}

TEST(worlds_of_mixed_motions_are_never_late_and_have_the_same_bits_everywhere) {
    graze_context *contexts[4] = {test_context(1, GRAZE_ISA_AUTO), test_context(2, GRAZE_ISA_AUTO),
                                  test_context(3, GRAZE_ISA_SCALAR), NULL};
    test_random random = {41};
    verdicts tally = {0};
    for (size_t i = 0; i < worlds_asked(); i++) {
        contexts[3] = test_context(2, GRAZE_ISA_SCALAR); /* a fresh one */
        mixed_world world;
        mixed_make(&random, contexts[0], MIXED_KINDS, &world);
        check_world(&world, contexts, 4, i, &tally);
        mixed_release(&world);
        graze_context_destroy(contexts[3]);
    }
    for (int k = 0; k < 3; k++) graze_context_destroy(contexts[k]);
    printf("      worlds: %zu clear, %zu hit (%zu unproven), %zu unresolved, %zu in contact at the start\n",
           tally.clear, tally.hit, tally.unproven, tally.unresolved, tally.at_start);
    CHECK(tally.clear * 8 > worlds_asked() && tally.hit * 8 > worlds_asked());
    CHECK(tally.unresolved * 100 <= worlds_asked());
}

/* The mesh that joins all bodies, by the public calls, with a group for each. */
static graze_mesh join_all(graze_context *context, const mixed_world *world, uint32_t *groups, uint8_t *table) {
    graze_mesh joined = world->bodies[0].mesh;
    uint32_t at = 0;
    for (size_t i = 1; i < world->count; i++) {
        graze_mesh next = graze_default_mesh();
        CHECK(graze_mesh_join(context, &joined, &world->bodies[i].mesh, &next) == GRAZE_OK);
        if (i > 1) graze_mesh_release(context, &joined);
        joined = next;
    }
    for (uint32_t i = 0; i < world->count; i++) {
        for (uint32_t v = 0; v < world->bodies[i].mesh.vertex_count; v++) groups[at++] = i;
        for (uint32_t j = 0; j < world->count; j++) {
            bool still = world->bodies[i].kind == MIXED_STATIC && world->bodies[j].kind == MIXED_STATIC;
            table[i * world->count + j] = i == j ? mixed_deforms(&world->bodies[i]) : !still;
        }
    }
    joined.groups = groups;
    joined.group_count = (uint32_t)world->count;
    joined.skip_same_group = 0;
    joined.group_pairs = table;
    return joined;
}

static void check_step_contact(const mixed_world *world, const graze_link_contact *contact,
                               const graze_pair_result *pair) {
    uint32_t a = contact->pair.a, b = contact->pair.b;
    for (uint32_t i = 0; i < contact->model_a; i++)
        a += contact->pair.kind == GRAZE_VF ? world->bodies[i].mesh.vertex_count : world->bodies[i].mesh.edge_count;
    for (uint32_t i = 0; i < contact->model_b; i++)
        b += contact->pair.kind == GRAZE_VF ? world->bodies[i].mesh.face_count : world->bodies[i].mesh.edge_count;
    CHECK(contact->pair.kind == pair->pair.kind && a == pair->pair.a && b == pair->pair.b);
    CHECK(contact->toi == pair->result.toi && contact->toi_upper == pair->result.toi_upper);
    CHECK(contact->u == pair->result.u && contact->v == pair->result.v && contact->proven == pair->result.proven);
    CHECK(memcmp(contact->point, pair->result.point, sizeof contact->point) == 0);
    CHECK(memcmp(contact->normal, pair->result.normal, sizeof contact->normal) == 0);
}

static graze_step_result step_joined(graze_context *context, const mixed_world *world, graze_step_mode mode) {
    static double x[2][MIXED_BODIES * MIXED_VERTICES][3], radii[MIXED_BODIES * MIXED_VERTICES];
    uint32_t groups[MIXED_BODIES * MIXED_VERTICES], at = 0;
    uint8_t table[MIXED_BODIES * MIXED_BODIES];
    graze_mesh joined = join_all(context, world, groups, table);
    bool thick = false;
    for (size_t i = 0; i < world->count; i++)
        for (uint32_t v = 0; v < world->bodies[i].mesh.vertex_count; v++, at++) {
            memcpy(x[0][at], world->bodies[i].x[0][v], sizeof x[0][at]);
            memcpy(x[1][at], world->bodies[i].x[3][v], sizeof x[1][at]);
            radii[at] = world->bodies[i].padding;
            thick |= radii[at] > 0;
        }
    joined.thickness = thick ? radii : NULL;
    graze_options narrow = graze_default_options();
    graze_step_options options = graze_default_step_options();
    graze_step_result result = graze_default_step_result();
    narrow.min_separation = world->separation;
    narrow.t_max = world->t_max;
    options.narrow = &narrow;
    options.mode = mode;
    CHECK(graze_step(context, &joined, (const double(*)[3])x[0], (const double(*)[3])x[1], &options, &result) ==
          GRAZE_OK);
    if (world->count > 1) graze_mesh_release(context, &joined);
    return result;
}

TEST(worlds_that_move_straight_have_the_bits_of_a_step_of_the_joined_mesh) {
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    test_random random = {43};
    size_t hits = 0;
    for (size_t i = 0; i < 4 * worlds_asked(); i++) {
        mixed_world world;
        mixed_make(&random, context, 3, &world);
        graze_world *made = make_world(context, &world);
        {
            graze_articulated_result earliest = ask(context, made, &world, GRAZE_ARTICULATED_EARLIEST);
            graze_articulated_result all = ask(context, made, &world, GRAZE_ARTICULATED_ALL);
            graze_step_result one = step_joined(context, &world, GRAZE_STEP_EARLIEST);
            graze_step_result list = step_joined(context, &world, GRAZE_STEP_ALL);
            CHECK(earliest.verdict == one.verdict && earliest.toi == one.toi && earliest.toi_upper == one.toi_upper);
            CHECK(earliest.has_contact == one.has_pair && all.contact_count == list.pair_count);
            if (one.has_pair) check_step_contact(&world, &earliest.contact, &one.limiting);
            for (size_t k = 0; k < list.pair_count && k < all.contact_count; k++)
                check_step_contact(&world, &all.contacts[k], &list.pairs[k]);
            hits += one.has_pair;
            graze_step_release(context, &list);
            graze_articulated_release(context, &all);
        }
        graze_world_release(made);
        mixed_release(&world);
    }
    CHECK(hits * 4 > worlds_asked());
    graze_context_destroy(context);
}

/* ---- what is refused ---- */

/* Two boxes' worth of world: a sheet that falls, and a body that turns beside it. */
static void two_bodies(graze_context *context, mixed_kind first, mixed_kind second, mixed_world *world) {
    test_random random = {61};
    memset(world, 0, sizeof *world);
    world->context = context;
    world->count = 2;
    world->t_max = 1;
    mixed_make_body(&random, world, 0, first);
    mixed_make_body(&random, world, 1, second);
}

static bool says(graze_context *context, graze_status status, graze_status wanted, const char *words) {
    graze_error error;
    graze_context_last_error(context, &error);
    return status == wanted && strstr(error.message, words);
}

static graze_status step_with(graze_context *context, const graze_world *made, const mixed_world *world, size_t count,
                              const graze_articulated_options *options) {
    graze_articulated_result result = graze_default_articulated_result();
    graze_status status = graze_world_step(context, made, world->motions, count, options, &result);
    CHECK(status == GRAZE_OK || (result.verdict == GRAZE_UNRESOLVED && result.toi == 0));
    return status;
}

TEST(what_mixed_worlds_do_not_take_is_refused_by_a_line) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    mixed_world world;
    two_bodies(context, MIXED_STRAIGHT, MIXED_TURN, &world);
    graze_world *made = make_world(context, &world), *other = NULL;
    graze_articulated_options options = graze_default_articulated_options();
    graze_articulated_result result = graze_default_articulated_result();
    CHECK(step_with(context, made, &world, 2, NULL) == GRAZE_OK);
    options.check_inside = 1;
    CHECK(says(context, step_with(context, made, &world, 2, &options), GRAZE_ERR_UNSUPPORTED, "check_inside"));
    options = graze_default_articulated_options();
    options.interval_arithmetic = 1;
    CHECK(says(context, step_with(context, made, &world, 2, &options), GRAZE_ERR_UNSUPPORTED, "interval"));
    graze_body_motion kept = world.motions[0];
    world.motions[0].x1 = NULL;
    CHECK(says(context, step_with(context, made, &world, 2, NULL), GRAZE_ERR_INVALID_ARGUMENT, "body 0: no positions"));
    world.motions[0] = world.motions[1];
    CHECK(says(context, step_with(context, made, &world, 2, NULL), GRAZE_ERR_INVALID_ARGUMENT, "already has one"));
    world.motions[0] = kept;
    world.bodies[0].x[3][1][2] = NAN;
    CHECK(says(context, step_with(context, made, &world, 2, NULL), GRAZE_ERR_NOT_FINITE, "body 0: x1"));
    world.bodies[0].x[3][1][2] = 0;
    world.motions[1].path = GRAZE_PATH_ROTVEC;
    world.motions[1].rotvec1[0] = INFINITY;
    CHECK(says(context, step_with(context, made, &world, 2, NULL), GRAZE_ERR_NOT_FINITE, "body 1: a rotation vector"));
    world.motions[1].path = GRAZE_PATH_TURN;
    CHECK(says(context, graze_world_valid(context, made, world.motions, 2, NULL, &result), GRAZE_ERR_UNSUPPORTED,
               "models and static"));
    result = graze_default_articulated_result();
    CHECK(says(context, graze_world_batch(context, made, world.motions, 2, 1, NULL, &result), GRAZE_ERR_UNSUPPORTED,
               "models and static"));
    double radii[MIXED_VERTICES] = {0};
    world.bodies[0].mesh.thickness = radii;
    CHECK(says(context, graze_world_create(context, world.given, 2, NULL, &other), GRAZE_ERR_UNSUPPORTED,
               "body 0: its mesh has"));
    CHECK(other == NULL);
    world.bodies[0].mesh.thickness = NULL;
    static const double corners[3][3] = {{9, 9, 9}, {10, 9, 9}, {9, 10, 9}};
    static const uint32_t face[1][3] = {{0, 1, 2}};
    graze_link_mesh meshes[2] = {graze_default_link_mesh(), graze_default_link_mesh()};
    for (int i = 0; i < 2; i++) {
        meshes[i].vertices = corners;
        meshes[i].vertex_count = 3;
        meshes[i].faces = face;
        meshes[i].face_count = 1;
        meshes[i].radius = i;
    }
    graze_body turning = world.given[1];
    world.given[1] = graze_default_body();
    world.given[1].kind = GRAZE_BODY_STATIC;
    world.given[1].meshes = meshes;
    world.given[1].mesh_count = 2;
    CHECK(says(context, graze_world_create(context, world.given, 2, NULL, &other), GRAZE_ERR_UNSUPPORTED,
               "body 1, link 0: meshes of several radii"));
    CHECK(other == NULL);
    world.given[1] = turning;
    world.given[1].rest = NULL;
    CHECK(says(context, graze_world_create(context, world.given, 2, NULL, &other), GRAZE_ERR_INVALID_ARGUMENT,
               "body 1: no mesh, or no rest"));
    graze_world_release(made);
    mixed_release(&world);
    graze_context_destroy(context);
}

/* ---- rules ---- */

static graze_verdict verdict_with(graze_context *context, const mixed_world *world, graze_pair_rule rule,
                                  double separation, double *toi) {
    graze_world_pair pair = graze_default_world_pair();
    graze_world_options options = graze_default_world_options();
    graze_world *made = NULL;
    pair.body_b = 1;
    pair.rule = rule;
    pair.separation = separation;
    options.pairs = &pair;
    options.pair_count = 1;
    CHECK(graze_world_create(context, world->given, world->count, &options, &made) == GRAZE_OK);
    graze_articulated_result result = ask(context, made, world, GRAZE_ARTICULATED_EARLIEST);
    graze_world_release(made);
    *toi = result.toi;
    return result.verdict;
}

TEST(rules_of_a_world_skip_pairs_and_keep_them_apart) {
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    test_random random = {67};
    size_t skipped = 0;
    for (int i = 0; i < 200; i++) {
        mixed_world world;
        double toi, apart, before;
        mixed_make(&random, context, MIXED_KINDS, &world);
        world.count = 2;
        world.separation = 0;
        bool straight = world.bodies[0].kind <= MIXED_AFFINE && world.bodies[1].kind <= MIXED_AFFINE;
        bool deforms = mixed_deforms(&world.bodies[0]) || mixed_deforms(&world.bodies[1]);
        graze_verdict tested = verdict_with(context, &world, GRAZE_PAIR_TEST, 0, &toi);
        graze_verdict left_out = verdict_with(context, &world, GRAZE_PAIR_SKIP, 0, &apart);
        CHECK(deforms || left_out == GRAZE_CLEAR);
        skipped += tested == GRAZE_HIT && left_out == GRAZE_CLEAR;
        if (!straight) {
            verdict_with(context, &world, GRAZE_PAIR_APART, 0.05, &apart);
            world.separation = 0.05;
            verdict_with(context, &world, GRAZE_PAIR_TEST, 0, &before);
            CHECK(apart <= toi && (deforms || apart == before));
        }
        world.count = MIXED_BODIES;
        mixed_release(&world);
    }
    CHECK(skipped > 10);
    graze_context_destroy(context);
}

/* ---- memory ---- */

TEST(mixed_worlds_survive_failure_of_every_allocation) {
    for (long n = 3; n < 4000; n++) {
        failing f = {.left = LONG_MAX};
        graze_context *context = failing_context(&f, 1), *other = test_context(1, GRAZE_ISA_AUTO);
        CHECK(context);
        mixed_world world;
        test_random random = {71};
        do {
            mixed_make(&random, other, MIXED_KINDS, &world);
            if (world.count == MIXED_BODIES) break;
            mixed_release(&world);
        } while (true);
        graze_world *made = NULL;
        graze_articulated_result result = graze_default_articulated_result();
        graze_articulated_options all = graze_default_articulated_options();
        all.mode = GRAZE_ARTICULATED_ALL;
        f.left = n;
        graze_status status = graze_world_create(context, world.given, world.count, NULL, &made);
        if (status == GRAZE_OK) status = graze_world_step(context, made, world.motions, world.count, &all, &result);
        CHECK(status == GRAZE_OK || status == GRAZE_ERR_OUT_OF_MEMORY);
        CHECK(status == GRAZE_OK || (result.verdict == GRAZE_UNRESOLVED && result.toi == 0 && !result.contacts));
        f.left = LONG_MAX;
        graze_articulated_release(context, &result);
        graze_world_release(made);
        graze_context_destroy(context);
        CHECK(f.held == 0);
        mixed_release(&world);
        graze_context_destroy(other);
        if (status == GRAZE_OK) return;
    }
    CHECK(!"all of it succeeds with enough memory");
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
