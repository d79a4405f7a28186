/* Ranges of motion from the outside: what formulas say of boxes on joints, and random small models against sampling. */
#include "articulated/bodies.h"

#include "graze/range.h"

static graze_joint_range range_of(double lower, double upper) {
    graze_joint_range range = graze_default_joint_range();
    range.lower = lower;
    range.upper = upper;
    return range;
}

/* A box that slides along x from the origin, and one that stands at x = 2, aside by so much: they touch from 1 to 3. */
static graze_range_result slide(graze_context *context, double aside, double lower, double upper,
                                graze_status *status) {
    test_box box = test_box_of(0.5, 0.5, 0.5);
    graze_link_mesh mesh = test_mesh_of(&box);
    graze_link links[2] = {test_link(-1, GRAZE_JOINT_PRISMATIC, test_frame(0, 0, 0), &mesh),
                           test_link(-1, GRAZE_JOINT_FIXED, test_frame(2, 1.5 * aside, aside), &mesh)};
    links[0].axis[0] = 1;
    links[0].axis[2] = 0;
    graze_model *models[2];
    for (int i = 0; i < 2; i++) CHECK(graze_model_create(context, &links[i], 1, &models[i]) == GRAZE_OK);
    graze_joint_range range = range_of(lower, upper);
    graze_range_result result = graze_default_range_result();
    *status = graze_articulated_range(context, (const graze_model *const *)models, 2, &range, NULL, &result);
    for (int i = 0; i < 2; i++) graze_model_destroy(context, models[i]);
    return result;
}

TEST(a_box_that_slides_is_clear_or_touches_as_its_limits_say) {
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    static const struct {
        double lower, upper;
        graze_verdict verdict;
    } cases[] = {{-1, 0.9999999, GRAZE_CLEAR}, {-1, 1.01, GRAZE_HIT},    {3.0000001, 100, GRAZE_CLEAR},
                 {2.99, 100, GRAZE_HIT},       {0.5, 0.5, GRAZE_CLEAR},  {2, 2, GRAZE_HIT},
                 {-1e6, 0.99, GRAZE_CLEAR},    {-1, 1.000001, GRAZE_HIT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        graze_status status;
        graze_range_result r = slide(context, 0.2, cases[i].lower, cases[i].upper, &status);
        CHECK(status == GRAZE_OK && r.pair_count == 1 && r.values == 1);
        const graze_range_pair *pair = &r.pairs[0];
        CHECK_MSG(pair->verdict == cases[i].verdict, "case %zu: %s after %llu cells, %g left", i,
                  graze_verdict_name(pair->verdict), (unsigned long long)pair->cells, pair->unresolved);
        CHECK(pair->unresolved == 0);
        if (pair->verdict == GRAZE_HIT)
            CHECK(pair->pose[0] >= 1 && pair->pose[0] <= 3 && pair->pose[0] >= cases[i].lower &&
                  pair->pose[0] <= cases[i].upper);
        graze_range_release(context, &r);
    }
    graze_context_destroy(context);
}

/* As the fingers of a hand: no two triangles cross for certain, but the middle of one is inside of the other box. */
TEST(boxes_whose_faces_meet_in_one_plane_touch_for_certain) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    static const double limits[][2] = {{-1, 1.5}, {1.25, 2.5}, {1.0001, 1.0001}, {2.5, 2.5}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        graze_status status;
        graze_range_result r = slide(context, 0, limits[i][0], limits[i][1], &status);
        CHECK(status == GRAZE_OK && r.pair_count == 1);
        CHECK_MSG(r.pairs[0].verdict == GRAZE_HIT && r.pairs[0].unresolved == 0, "case %zu: %g left", i,
                  r.pairs[0].unresolved);
        CHECK(r.pairs[0].pose[0] >= limits[i][0] && r.pairs[0].pose[0] <= limits[i][1] && r.pairs[0].pose[0] > 1);
        graze_range_release(context, &r);
    }
    graze_context_destroy(context);
}

/* Two triangles in one plane, one of which slides: nothing proves that they touch, from 0 to 2^-6. The rest is proven,
   though that part comes first. */
TEST(what_cannot_be_settled_leaves_the_rest_proven) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    static const double corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t face[1][3] = {{0, 1, 2}};
    graze_link_mesh mesh = graze_default_link_mesh();
    mesh.vertices = corners, mesh.faces = face, mesh.vertex_count = 3, mesh.face_count = 1;
    graze_link links[2] = {test_link(-1, GRAZE_JOINT_PRISMATIC, test_frame(1 - 0x1p-6, 0, 0), &mesh),
                           test_link(-1, GRAZE_JOINT_FIXED, test_frame(0, 0, 0), &mesh)};
    links[0].axis[0] = 1;
    links[0].axis[2] = 0;
    graze_model *models[2];
    for (int i = 0; i < 2; i++) CHECK(graze_model_create(context, &links[i], 1, &models[i]) == GRAZE_OK);
    graze_joint_range range = range_of(0, 1);
    graze_range_options options = graze_default_range_options();
    for (uint64_t cells = 1000; cells <= 200000; cells *= 200) {
        options.max_cells = cells;
        graze_range_result r = graze_default_range_result();
        CHECK(graze_articulated_range(context, (const graze_model *const *)models, 2, &range, &options, &r) ==
              GRAZE_OK);
        const graze_range_pair *pair = &r.pairs[0];
        CHECK(pair->verdict == GRAZE_UNRESOLVED && pair->reason == GRAZE_REASON_BUDGET);
        CHECK_MSG(pair->unresolved >= 0x1p-6 && pair->unresolved < (cells > 1000 ? 0.01566 : 0.02),
                  "%g left after %llu", pair->unresolved, (unsigned long long)pair->cells);
        CHECK(pair->cells <= cells && pair->lower[0] >= 0 && pair->upper[0] <= 0.02);
        CHECK(pair->pose[0] >= pair->lower[0] && pair->pose[0] <= pair->upper[0]);
        graze_range_release(context, &r);
    }
    for (int i = 0; i < 2; i++) graze_model_destroy(context, models[i]);
    graze_context_destroy(context);
}

/* A bar that turns below another one, whose way ends where they would touch: that never closes for any turn by which
   the one reaches below the other. The parts that are left shrink as the cells that there may be grow. */
TEST(what_grazes_at_a_limit_leaves_little) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_box box = test_box_of(0.5, 0.05, 0.05);
    graze_link_mesh mesh = test_mesh_of(&box);
    graze_link links[2] = {test_link(-1, GRAZE_JOINT_REVOLUTE, test_frame(0, 0, 0), &mesh),
                           test_link(-1, GRAZE_JOINT_PRISMATIC, test_frame(0, 0.5, 0), &mesh)};
    graze_model *models[2];
    for (int i = 0; i < 2; i++) CHECK(graze_model_create(context, &links[i], 1, &models[i]) == GRAZE_OK);
    graze_joint_range ranges[2] = {range_of(-1, 3), range_of(0.1, 1)};
    graze_range_options options = graze_default_range_options();
    for (uint64_t cells = 1 << 9; cells <= 1 << 17; cells *= 16) {
        options.max_cells = cells;
        graze_range_result r = graze_default_range_result();
        CHECK(graze_articulated_range(context, (const graze_model *const *)models, 2, ranges, &options, &r) ==
              GRAZE_OK);
        const graze_range_pair *pair = &r.pairs[0];
        CHECK(r.pair_count == 1 && pair->verdict == GRAZE_UNRESOLVED && pair->cells <= cells);
        CHECK_MSG(pair->unresolved < 12.0 / (double)cells, "%g left after %llu", pair->unresolved,
                  (unsigned long long)cells);
        graze_range_release(context, &r);
    }
    for (int i = 0; i < 2; i++) graze_model_destroy(context, models[i]);
    graze_context_destroy(context);
}

/* Boxes in a row on joints that slide by 0.01 at most: as many values between the ends as the row is long, less one. */
TEST(sixteen_values_between_two_links_are_searched_and_no_more) {
    enum { MOST = 18 };
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_box box = test_box_of(0.1, 0.1, 0.1);
    graze_link_mesh mesh = test_mesh_of(&box);
    for (size_t count = 16; count <= MOST; count++) {
        graze_link links[MOST];
        graze_joint_range ranges[MOST];
        graze_model *model;
        for (size_t i = 0; i < count; i++) {
            bool ends = i == 0 || i + 1 == count;
            links[i] = test_link((int32_t)i - 1, GRAZE_JOINT_PRISMATIC, test_frame(0.3, 0, 0), ends ? &mesh : NULL);
            ranges[i] = range_of(-0.01, 0.01);
        }
        CHECK(graze_model_create(context, links, count, &model) == GRAZE_OK);
        graze_range_result r = graze_default_range_result();
        CHECK(graze_articulated_range(context, (const graze_model *const *)&model, 1, ranges, NULL, &r) == GRAZE_OK);
        CHECK_MSG(r.pair_count == 1 && r.pairs[0].verdict == (count <= 17 ? GRAZE_CLEAR : GRAZE_UNRESOLVED), "%zu: %s",
                  count, graze_verdict_name(r.pairs[0].verdict));
        CHECK(count <= 17 || (r.pairs[0].unresolved == 1 && r.pairs[0].reason == GRAZE_REASON_BUDGET));
        graze_range_release(context, &r);
        graze_model_destroy(context, model);
    }
    graze_context_destroy(context);
}

/* A slide that follows a value of 0.1 by 1e17·value − 1e16: doubles say 0 or 2, and 0.55511151231257827 is meant, where
   it touches. The value stands, or has a range of a last bit. */
TEST(what_follows_is_proven_for_the_exact_numbers) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_box box = test_box_of(0.5, 0.5, 0.5);
    graze_link_mesh mesh = test_mesh_of(&box);
    graze_link links[3] = {test_link(-1, GRAZE_JOINT_PRISMATIC, test_frame(0, 0, 0), NULL),
                           test_link(-1, GRAZE_JOINT_PRISMATIC, test_frame(0, 0, 0), &mesh),
                           test_link(-1, GRAZE_JOINT_FIXED, test_frame(0, 0, 0), &mesh)};
    graze_model *models[3];
    for (int k = 0; k < 24; k++) { /* where the other box stands: doubles have the follower away from it, it is there */
        double value = 0.1 + k * 0.001, multiplier = 1e17, offset = -rint(1e17 * value);
        double rounded = multiplier * value + offset, exact = fma(multiplier, value, offset);
        links[2].origin = test_frame(0, 0, exact + (exact > rounded ? 0.9 : -0.9));
        if (fabs(exact - rounded) < 0.2) continue;
        for (int i = 0; i < 3; i++) CHECK(graze_model_create(context, &links[i], 1, &models[i]) == GRAZE_OK);
        graze_joint_range ranges[2] = {range_of(value, k % 2 ? value : nextafter(value, 1)), range_of(0, 0)};
        ranges[1].follows = 0;
        ranges[1].multiplier = multiplier;
        ranges[1].offset = offset;
        graze_range_result r = graze_default_range_result();
        CHECK(graze_articulated_range(context, (const graze_model *const *)models, 3, ranges, NULL, &r) == GRAZE_OK);
        CHECK_MSG(r.pair_count == 1 && r.pairs[0].verdict != GRAZE_CLEAR, "value %.17g: it is at %g, not at %g", value,
                  exact, rounded);
        graze_range_release(context, &r);
        for (int i = 0; i < 3; i++) graze_model_destroy(context, models[i]);
    }
    graze_context_destroy(context);
}

/* A bar that turns by `multiplier` times a value in [−1, 1], past a post that it reaches from about 0.6 rad on. */
static graze_status turn_by_another(graze_context *context, double multiplier, double offset, graze_verdict *verdict) {
    test_box box = test_box_of(0.5, 0.05, 0.05);
    graze_link_mesh mesh = test_mesh_of(&box);
    graze_link links[3] = {test_link(-1, GRAZE_JOINT_PRISMATIC, test_frame(0, 0, 0), NULL),
                           test_link(-1, GRAZE_JOINT_REVOLUTE, test_frame(0, 0, 0), &mesh),
                           test_link(-1, GRAZE_JOINT_FIXED, test_frame(0, 0.3, 0), &mesh)};
    graze_model *models[3];
    for (int i = 0; i < 3; i++) CHECK(graze_model_create(context, &links[i], 1, &models[i]) == GRAZE_OK);
    graze_joint_range ranges[2] = {range_of(-1, 1), range_of(0, 0)};
    ranges[1].follows = 0;
    ranges[1].multiplier = multiplier;
    ranges[1].offset = offset;
    graze_range_options options = graze_default_range_options();
    options.samples = 0; /* none that meets the contact by chance */
    graze_range_result r = graze_default_range_result();
    graze_status status = graze_articulated_range(context, (const graze_model *const *)models, 3, ranges, &options, &r);
    CHECK(r.pair_count == (status == GRAZE_OK));
    *verdict = r.pair_count ? r.pairs[0].verdict : GRAZE_UNRESOLVED;
    graze_range_release(context, &r);
    for (int i = 0; i < 3; i++) graze_model_destroy(context, models[i]);
    return status;
}

/* Angles beyond 2^20 have no sine here: no such pose may count as clear. */
TEST(what_follows_another_value_beyond_its_limits_is_never_clear) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_verdict verdict;
    static const double too_far[][2] = {{1e9, 0}, {0x1p20, 1}, {-0x1p20, 1}, {0, 0x1.0000000000001p20}, {1e308, 1e308}};
    for (size_t i = 0; i < sizeof too_far / sizeof *too_far; i++) {
        graze_status status = turn_by_another(context, too_far[i][0], too_far[i][1], &verdict);
        CHECK_MSG(verdict != GRAZE_CLEAR, "case %zu is clear", i);
        graze_error error;
        graze_context_last_error(context, &error);
        CHECK_MSG(status == GRAZE_ERR_INVALID_ARGUMENT && error.index == 1 && strstr(error.message, "2^20"), "case %zu",
                  i);
    }
    CHECK(turn_by_another(context, 0.3, 0, &verdict) == GRAZE_OK && verdict == GRAZE_CLEAR);
    CHECK(turn_by_another(context, -1, 0, &verdict) == GRAZE_OK && verdict == GRAZE_HIT);
    CHECK(turn_by_another(context, 0x1p20, 0, &verdict) == GRAZE_OK && verdict == GRAZE_HIT);
    graze_context_destroy(context);
}

/* ---- random models ---- */

enum { LINKS = 4 };

typedef struct arm {
    test_box boxes[LINKS];
    graze_link_mesh meshes[LINKS];
    graze_link links[LINKS];
    graze_joint_range ranges[LINKS];
    graze_model *model;
} arm;

static void make_arm(graze_context *context, test_random *random, arm *made) {
    for (int i = 0; i < LINKS; i++) {
        made->boxes[i] = test_box_of(test_random_between(random, 0.05, 0.3), test_random_between(random, 0.05, 0.3),
                                     test_random_between(random, 0.05, 0.3));
        made->meshes[i] = test_mesh_of(&made->boxes[i]);
        graze_joint_kind joint = test_random_below(random, 3) ? GRAZE_JOINT_REVOLUTE : GRAZE_JOINT_PRISMATIC;
        double reach = i ? 0.8 : 0;
        made->links[i] =
            test_link(i - 1, joint,
                      test_frame(test_random_between(random, -reach, reach), test_random_between(random, -reach, reach),
                                 test_random_between(random, -reach, reach)),
                      &made->meshes[i]);
        for (int k = 0; k < 4; k++) made->links[i].origin.rotation[k] = test_random_between(random, -1, 1);
        for (int k = 0; k < 3; k++) made->links[i].axis[k] = test_random_between(random, -1, 1);
        if (test_random_below(random, 6) == 0) made->links[i].padding = 0.02;
        double middle = test_random_between(random, -1, 1), half = test_random_between(random, 0, 0.8);
        if (test_random_below(random, 8) == 0) half = 0; /* it stands */
        made->ranges[i] = range_of(middle - half, middle + half);
        if (i == LINKS - 1 && test_random_below(random, 3) == 0) {
            made->ranges[i].follows = 1;
            made->ranges[i].multiplier = test_random_between(random, -1.5, 1.5);
            made->ranges[i].offset = test_random_between(random, -0.5, 0.5);
        }
    }
    CHECK(graze_model_create(context, made->links, LINKS, &made->model) == GRAZE_OK);
}

static void draw_pose(test_random *random, const arm *a, double *pose) {
    for (int i = 0; i < LINKS; i++) pose[i] = test_random_between(random, a->ranges[i].lower, a->ranges[i].upper);
    for (int i = 0; i < LINKS; i++) {
        if (test_random_below(random, 4) == 0) pose[i] = a->ranges[i].lower;
        if (test_random_below(random, 4) == 0) pose[i] = a->ranges[i].upper;
    }
    for (int i = 0; i < LINKS; i++)
        if (a->ranges[i].follows >= 0)
            pose[i] = a->ranges[i].multiplier * pose[a->ranges[i].follows] + a->ranges[i].offset;
}

/* Every pair of links that touches at a pose is not one that is proven clear. */
static void judge_pose(graze_context *context, const arm *a, const graze_range_result *r, const double *pose) {
    graze_motion motion = test_motion(pose, pose);
    graze_articulated_options options = graze_default_articulated_options();
    options.mode = GRAZE_ARTICULATED_ALL;
    options.check_inside = 1;
    graze_articulated_result found = graze_default_articulated_result();
    CHECK(graze_articulated_step(context, (const graze_model *const *)&a->model, 1, &motion, &options, &found) ==
          GRAZE_OK);
    for (size_t c = 0; c < found.contact_count; c++) {
        const graze_link_contact *contact = &found.contacts[c];
        if (contact->verdict != GRAZE_HIT || !(contact->proven || contact->inside)) continue;
        uint32_t x = contact->link_a < contact->link_b ? contact->link_a : contact->link_b;
        uint32_t y = contact->link_a + contact->link_b - x;
        for (size_t i = 0; i < r->pair_count; i++)
            if (r->pairs[i].link_a == x && r->pairs[i].link_b == y)
                CHECK_MSG(r->pairs[i].verdict != GRAZE_CLEAR, "links %u and %u touch at a pose in a clear range", x, y);
    }
    graze_articulated_release(context, &found);
}

static int count_of(const char *name, int otherwise) {
    const char *given = getenv(name);
    return given ? atoi(given) : otherwise;
}

TEST(no_pose_within_a_clear_range_touches_and_witnesses_do) {
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    test_random random = {20261116};
    int clear = 0, hits = 0, open = 0, models = count_of("GRAZE_RANGE_MODELS", 60);
    graze_range_options options = graze_default_range_options();
    options.max_cells = 3000;
    options.samples = 40;
    for (int n = 0; n < models; n++) {
        arm a;
        make_arm(context, &random, &a);
        options.min_separation = n % 5 == 0 ? 0.01 : 0;
        graze_range_result r = graze_default_range_result();
        CHECK(graze_articulated_range(context, (const graze_model *const *)&a.model, 1, a.ranges, &options, &r) ==
              GRAZE_OK);
        CHECK(r.pair_count == 3);
        for (size_t i = 0; i < r.pair_count; i++) {
            clear += r.pairs[i].verdict == GRAZE_CLEAR;
            hits += r.pairs[i].verdict == GRAZE_HIT;
            open += r.pairs[i].verdict == GRAZE_UNRESOLVED;
            CHECK((r.pairs[i].verdict == GRAZE_UNRESOLVED) == (r.pairs[i].unresolved > 0));
            for (int v = 0; v < LINKS && a.ranges[v].follows < 0; v++)
                CHECK(r.pairs[i].pose[v] >= a.ranges[v].lower && r.pairs[i].pose[v] <= a.ranges[v].upper);
        }
        for (int k = 0; k < 200; k++) {
            double pose[LINKS];
            draw_pose(&random, &a, pose);
            judge_pose(context, &a, &r, pose);
        }
        graze_range_release(context, &r);
        graze_model_destroy(context, a.model);
    }
    printf("  %d pairs clear, %d touch, %d open\n", clear, hits, open);
    CHECK(clear > models / 4 && hits > models / 4);
    graze_context_destroy(context);
}

TEST(threads_change_no_bit) {
    graze_range_result results[2];
    graze_context *contexts[2];
    for (int t = 0; t < 2; t++) {
        test_random random = {8};
        arm a;
        contexts[t] = test_context(t ? 3 : 1, GRAZE_ISA_AUTO);
        make_arm(contexts[t], &random, &a);
        results[t] = graze_default_range_result();
        graze_range_options options = graze_default_range_options();
        options.max_cells = 2000;
        CHECK(graze_articulated_range(contexts[t], (const graze_model *const *)&a.model, 1, a.ranges, &options,
                                      &results[t]) == GRAZE_OK);
        graze_model_destroy(contexts[t], a.model);
    }
    CHECK(results[0].pair_count == results[1].pair_count && results[0].cells == results[1].cells);
    for (size_t i = 0; i < results[0].pair_count; i++) {
        CHECK(results[0].pairs[i].verdict == results[1].pairs[i].verdict &&
              results[0].pairs[i].unresolved == results[1].pairs[i].unresolved);
        CHECK(memcmp(results[0].pairs[i].pose, results[1].pairs[i].pose, LINKS * sizeof(double)) == 0);
    }
    for (int t = 0; t < 2; t++) {
        graze_range_release(contexts[t], &results[t]);
        graze_context_destroy(contexts[t]);
    }
}

TEST(what_is_no_range_is_refused) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {9};
    arm a;
    make_arm(context, &random, &a);
    const graze_model *const *models = (const graze_model *const *)&a.model;
    graze_range_result r = graze_default_range_result();
    graze_error error;
    for (int i = 0; i < LINKS; i++) a.ranges[i] = range_of(-0.1, 0.1);
    CHECK(graze_articulated_range(context, models, 1, a.ranges, NULL, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_articulated_range(NULL, models, 1, a.ranges, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_articulated_range(context, models, 1, NULL, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_articulated_range(context, models, 0, a.ranges, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    a.ranges[1].lower = 1;
    CHECK(graze_articulated_range(context, models, 1, a.ranges, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    graze_context_last_error(context, &error);
    CHECK_MSG(error.index == 1 && strstr(error.message, "range 1 (link 1 of model 0): its lower limit is above"), "%s",
              error.message);
    a.ranges[1] = range_of(NAN, 1);
    CHECK(graze_articulated_range(context, models, 1, a.ranges, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    for (int i = 0; i < LINKS; i++) {
        a.ranges[i] = range_of(0, 0x1p21); /* too far for an angle, not for a length */
        graze_status expected = a.links[i].joint == GRAZE_JOINT_REVOLUTE ? GRAZE_ERR_INVALID_ARGUMENT : GRAZE_OK;
        a.ranges[1] = range_of(-0.1, 0.1);
        if (i != 1) CHECK(graze_articulated_range(context, models, 1, a.ranges, NULL, &r) == expected);
        graze_range_release(context, &r);
        a.ranges[i] = range_of(-0.1, 0.1);
    }
    a.ranges[1].follows = 1;
    CHECK(graze_articulated_range(context, models, 1, a.ranges, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    a.ranges[1].follows = 2;
    a.ranges[2].follows = 0;
    CHECK(graze_articulated_range(context, models, 1, a.ranges, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    a.ranges[2].follows = -1;
    CHECK(graze_articulated_range(context, models, 1, a.ranges, NULL, &r) == GRAZE_OK);
    graze_range_release(context, &r);
    graze_range_options options = graze_default_range_options();
    options.least_share = 2;
    CHECK(graze_articulated_range(context, models, 1, a.ranges, &options, &r) == GRAZE_ERR_INVALID_ARGUMENT &&
          r.pair_count == 0);
    graze_model_destroy(context, a.model);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
