/* Lists of close links of a world: against every pair alone, in order, in bits, without memory, and with bad arguments.
 */
#include "bodies.h"

#include "failing.h"

enum { OBSTACLES = 12, BODIES = OBSTACLES + 1, LINKS = 4, VALUES = 3 };

/* An arm of three boxes on a pedestal, among boxes that stand. */
typedef struct yard {
    test_box boxes[BODIES + LINKS];
    graze_link_mesh meshes[BODIES + LINKS];
    graze_link links[LINKS];
    graze_model *arm;
    graze_body bodies[BODIES];
    double values[VALUES];
    graze_motion motion;
    graze_body_motion pose;
} yard;

static void open_yard(yard *y, graze_context *context, test_random *random) {
    for (int i = 0; i < LINKS; i++) {
        y->boxes[i] = test_box_of(0.3, test_random_between(random, 0.02, 0.1), test_random_between(random, 0.02, 0.1));
        y->meshes[i] = test_mesh_of(&y->boxes[i]);
        graze_joint_kind kind = i ? GRAZE_JOINT_REVOLUTE : GRAZE_JOINT_FIXED;
        y->links[i] = test_link(i - 1, kind, test_frame(i ? 0.7 : 0, 0, 0), &y->meshes[i]);
        for (int c = 0; c < 3; c++) y->links[i].axis[c] = test_random_between(random, -1, 1);
        if (i == 2) y->links[i].padding = 0.01;
    }
    CHECK(graze_model_create(context, y->links, LINKS, &y->arm) == GRAZE_OK);
    y->bodies[0] = graze_default_body();
    y->bodies[0].model = y->arm;
    for (int i = 1; i < BODIES; i++) {
        test_box *box = &y->boxes[LINKS + i];
        *box = test_box_of(test_random_between(random, 0.05, 0.3), 0.1, test_random_between(random, 0.05, 0.3));
        y->meshes[LINKS + i] = test_mesh_of(box);
        y->bodies[i] = graze_default_body();
        y->bodies[i].kind = GRAZE_BODY_STATIC;
        y->bodies[i].meshes = &y->meshes[LINKS + i];
        y->bodies[i].mesh_count = 1;
        for (int c = 0; c < 3; c++) y->bodies[i].origin.position[c] = test_random_between(random, -2, 2);
    }
    for (int v = 0; v < VALUES; v++) y->values[v] = test_random_between(random, -2, 2);
    y->motion = test_motion(y->values, y->values);
    y->pose = graze_default_body_motion();
    y->pose.joints = &y->motion;
}

static void close_yard(graze_context *context, yard *y) { graze_model_destroy(context, y->arm); }

static graze_world_distance_result ask(graze_context *context, const graze_world *world, const yard *y, size_t most,
                                       double distance) {
    graze_world_distance_options options = graze_default_world_distance_options();
    graze_world_distance_result r = graze_default_world_distance_result();
    options.most = most;
    options.distance = distance;
    options.gradients = 1;
    CHECK(graze_world_distance(context, world, &y->pose, 1, &options, &r) == GRAZE_OK);
    CHECK(r.value_count == VALUES && r.gap_size == sizeof(graze_link_gap));
    return r;
}

static bool same_links(const graze_link_gap *x, const graze_link_gap *y) {
    return x->body_a == y->body_a && x->link_a == y->link_a && x->body_b == y->body_b && x->link_b == y->link_b;
}

/* ---- lists ---- */

/* Lists of so many, and within a distance, are the beginning of the list of all, which is sorted; what is not listed is
   as far away as it says. */
TEST(the_closest_pairs_and_those_within_a_distance_are_the_first_of_all) {
    test_random random = {3};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    for (int n = 0; n < 40; n++) {
        yard y;
        graze_world *world;
        open_yard(&y, context, &random);
        CHECK(graze_world_create(context, y.bodies, BODIES, NULL, &world) == GRAZE_OK);
        graze_world_distance_result all = ask(context, world, &y, 0, INFINITY);
        /* two links of the arm's four apart, and three that move against each of those that stand */
        CHECK(all.gap_count == 3 + 3 * OBSTACLES && all.pairs_tested == all.gap_count && all.lower == INFINITY);
        for (size_t i = 1; i < all.gap_count; i++) CHECK(all.gaps[i - 1].upper <= all.gaps[i].upper);
        for (size_t most = 1; most < all.gap_count; most += 7) {
            graze_world_distance_result some = ask(context, world, &y, most, INFINITY);
            CHECK(some.gap_count == most);
            for (size_t i = 0; i < most; i++)
                CHECK_MSG(fabs(some.gaps[i].upper - all.gaps[i].upper) < 1e-9, "yard %d, most %zu: %zu", n, most, i);
            CHECK(some.lower <= all.gaps[most].upper && some.lower >= all.gaps[most - 1].lower - 1e-9);
            graze_world_distance_release(context, &some);
        }
        double within = 0.5 * (all.gaps[9].upper + all.gaps[10].lower);
        graze_world_distance_result near = ask(context, world, &y, 0, within);
        if (all.gaps[10].lower > all.gaps[9].upper + 1e-9) {
            CHECK(near.gap_count == 10 && near.lower >= within);
            for (size_t i = 0; i < near.gap_count; i++) CHECK(same_links(&near.gaps[i], &all.gaps[i]));
        }
        graze_world_distance_release(context, &near);
        graze_world_distance_release(context, &all);
        graze_world_release(world);
        close_yard(context, &y);
    }
    graze_context_destroy(context);
}

/* A pair of boxes whose distance is a number that everyone can see, listed at that very distance. */
TEST(a_pair_at_the_distance_itself_is_listed_with_points_normal_and_gradient) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_box box = test_box_of(0.5, 0.5, 0.5), tip = {.faces = {{0, 1, 2}}};
    double corners[3][3] = {{0, 0, 0}, {1, 0.5, 0.25}, {1, -0.5, 0.25}};
    memcpy(tip.vertices, corners, sizeof corners);
    graze_link_mesh meshes[2] = {test_mesh_of(&box), test_mesh_of(&tip)};
    meshes[1].vertex_count = 3;
    meshes[1].face_count = 1;
    graze_link link = test_link(-1, GRAZE_JOINT_FREE, test_frame(0, 0, 0), &meshes[1]);
    graze_model *model;
    CHECK(graze_model_create(context, &link, 1, &model) == GRAZE_OK);
    graze_body bodies[2] = {graze_default_body(), graze_default_body()};
    bodies[0].kind = GRAZE_BODY_STATIC;
    bodies[0].meshes = &meshes[0];
    bodies[0].mesh_count = 1;
    bodies[1].model = model;
    graze_world *world;
    CHECK(graze_world_create(context, bodies, 2, NULL, &world) == GRAZE_OK);
    double at[6] = {0.75, 0.125, 0.25, 0, 0, 0};
    graze_motion motion = test_motion(at, at);
    graze_body_motion pose = graze_default_body_motion();
    pose.body = 1;
    pose.joints = &motion;
    graze_world_distance_options options = graze_default_world_distance_options();
    options.distance = 0.25;
    options.gradients = 1;
    graze_world_distance_result r = graze_default_world_distance_result();
    CHECK(graze_world_distance(context, world, &pose, 1, &options, &r) == GRAZE_OK);
    CHECK(r.gap_count == 1 && r.gaps[0].lower <= 0.25 && r.gaps[0].upper >= 0.25 && r.gaps[0].upper < 0.25 + 1e-12);
    CHECK(r.gaps[0].body_a == 0 && r.gaps[0].body_b == 1 && r.gaps[0].face_b == 0);
    static const double normal[3] = {-1, 0, 0}, point_a[3] = {0.5, 0.125, 0.25}, point_b[3] = {0.75, 0.125, 0.25};
    static const double gradient[6] = {1, 0, 0, 0, 0, 0}; /* the tip is where it turns about */
    for (int c = 0; c < 3; c++)
        CHECK(fabs(r.gaps[0].normal[c] - normal[c]) < 1e-12 && fabs(r.gaps[0].point_a[c] - point_a[c]) < 1e-12 &&
              fabs(r.gaps[0].point_b[c] - point_b[c]) < 1e-12);
    for (int v = 0; v < 6; v++) CHECK_MSG(fabs(r.gradients[v] - gradient[v]) < 1e-12, "%d: %g", v, r.gradients[v]);
    graze_world_distance_release(context, &r);
    CHECK(r.gaps == NULL && r.gradients == NULL && r.gap_count == 0);
    options.distance = 0.25 - 1e-6;
    CHECK(graze_world_distance(context, world, &pose, 1, &options, &r) == GRAZE_OK);
    CHECK(r.gap_count == 0 && r.lower >= options.distance && r.gradients == NULL);
    graze_world_release(world);
    graze_model_destroy(context, model);
    graze_context_destroy(context);
}

/* Two cubes face to face: the gap grows with x alone, and no turn but that about x has one derivative. */
TEST(components_of_a_gradient_that_are_not_unique_are_not_numbers) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_box box = test_box_of(0.5, 0.5, 0.5);
    graze_model *models[2] = {test_body(context, GRAZE_JOINT_FIXED, test_frame(0, 0, 0), &box),
                              test_body(context, GRAZE_JOINT_FREE, test_frame(0, 0, 0), &box)};
    graze_body bodies[2] = {graze_default_body(), graze_default_body()};
    for (int i = 0; i < 2; i++) bodies[i].model = models[i];
    graze_world *world;
    CHECK(graze_world_create(context, bodies, 2, NULL, &world) == GRAZE_OK);
    for (int crossing = 0; crossing < 2; crossing++) {
        double at[6] = {crossing ? 0.75 : 1.25, 0.3, 0.2, 0, 0, 0};
        graze_motion motion = test_motion(at, at);
        graze_body_motion pose = graze_default_body_motion();
        pose.body = 1;
        pose.joints = &motion;
        graze_world_distance_options options = graze_default_world_distance_options();
        options.gradients = 1;
        graze_world_distance_result r = graze_default_world_distance_result();
        CHECK(graze_world_distance(context, world, &pose, 1, &options, &r) == GRAZE_OK);
        CHECK(r.gap_count == 1 && r.value_count == 6);
        if (crossing) {
            CHECK(r.gaps[0].lower == 0 && isnan(r.gaps[0].normal[0]));
            for (int v = 0; v < 6; v++) CHECK(isnan(r.gradients[v]));
        } else {
            CHECK(fabs(r.gradients[0] - 1) < 1e-12 && fabs(r.gradients[1]) < 1e-12 && fabs(r.gradients[2]) < 1e-12);
            CHECK(fabs(r.gradients[3]) < 1e-12 && isnan(r.gradients[4]) && isnan(r.gradients[5]));
        }
        graze_world_distance_release(context, &r);
    }
    graze_world_release(world);
    for (int i = 0; i < 2; i++) graze_model_destroy(context, models[i]);
    graze_context_destroy(context);
}

/* ---- times of impact ---- */

static graze_articulated_result step_of(graze_context *context, const graze_world *world, const yard *y) {
    graze_articulated_result r = graze_default_articulated_result();
    CHECK(graze_world_step(context, world, &y->pose, 1, NULL, &r) == GRAZE_OK);
    return r;
}

/* The slope of toi by value v of `values`, from steps of h; NaN where another pair touches first, or none. */
static double toi_slope(graze_context *context, const graze_world *world, const yard *y, double *values, int v,
                        double h, const graze_link_contact *contact) {
    double before = values[v], toi[2];
    for (int side = 0; side < 2; side++) {
        values[v] = before + (side ? h : -h);
        graze_articulated_result r = step_of(context, world, y);
        bool same =
            r.verdict == GRAZE_HIT && r.contact.link_a == contact->link_a && r.contact.model_b == contact->model_b;
        toi[side] = same ? r.toi : NAN;
    }
    values[v] = before;
    return (toi[1] - toi[0]) / (2 * h);
}

TEST(gradients_of_toi_are_those_of_differences) {
    test_random random = {17};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    int checked = 0;
    for (int n = 0; n < 60; n++) {
        yard y;
        graze_world *world;
        double to[VALUES], from_slopes[VALUES], to_slopes[VALUES];
        open_yard(&y, context, &random);
        for (int v = 0; v < VALUES; v++) to[v] = y.values[v] + test_random_between(&random, -2, 2);
        y.motion.to = to;
        CHECK(graze_world_create(context, y.bodies, BODIES, NULL, &world) == GRAZE_OK);
        graze_articulated_result r = step_of(context, world, &y);
        if (r.verdict == GRAZE_HIT && r.toi > 0.01) {
            CHECK(graze_world_toi_gradient(context, world, &y.pose, 1, NULL, &r.contact, from_slopes, to_slopes) ==
                  GRAZE_OK);
            for (int k = 0; k < 2 * VALUES; k++) {
                double *values = k < VALUES ? y.values : to, got = (k < VALUES ? from_slopes : to_slopes)[k % VALUES];
                double wide = toi_slope(context, world, &y, values, k % VALUES, 0x1p-14, &r.contact);
                double narrow = toi_slope(context, world, &y, values, k % VALUES, 0x1p-15, &r.contact);
                if (isnan(got) || !(fabs(wide - narrow) < 1e-5)) continue;
                CHECK_MSG(fabs(got - narrow) < 1e-4 * (1 + fabs(narrow)), "yard %d, value %d: %.9g, not %.9g", n, k,
                          got, narrow);
                checked++;
            }
        }
        graze_world_release(world);
        close_yard(context, &y);
    }
    CHECK_MSG(checked > 30, "%d", checked);
    graze_context_destroy(context);
}

/* A cube that slides, and turns about its own middle if it should, lands flat on another one: the time depends on the
   way alone. */
TEST(gradients_of_toi_that_are_not_unique_are_not_numbers) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_box box = test_box_of(0.5, 0.5, 0.5);
    graze_link_mesh mesh = test_mesh_of(&box);
    graze_link links[2] = {test_link(-1, GRAZE_JOINT_PRISMATIC, test_frame(0, 0, 0), NULL),
                           test_link(0, GRAZE_JOINT_REVOLUTE, test_frame(0, 0, 0), &mesh)};
    links[0].axis[0] = 1;
    links[0].axis[2] = 0;
    graze_model *model;
    CHECK(graze_model_create(context, links, 2, &model) == GRAZE_OK);
    graze_body bodies[2] = {graze_default_body(), graze_default_body()};
    bodies[0].model = model;
    bodies[1].kind = GRAZE_BODY_STATIC;
    bodies[1].meshes = &mesh;
    bodies[1].mesh_count = 1;
    graze_world *world;
    CHECK(graze_world_create(context, bodies, 2, NULL, &world) == GRAZE_OK);
    double start[2] = {-3, 0}, end[2] = {1, 0}, from[2], to[2];
    graze_motion motion = test_motion(start, end);
    graze_body_motion moved = graze_default_body_motion();
    moved.joints = &motion;
    graze_articulated_result r = graze_default_articulated_result();
    CHECK(graze_world_step(context, world, &moved, 1, NULL, &r) == GRAZE_OK && r.verdict == GRAZE_HIT);
    CHECK(graze_world_toi_gradient(context, world, &moved, 1, NULL, &r.contact, from, to) == GRAZE_OK);
    /* from f to e the cube is at −1 when t = (−1 − f)/(e − f): derivatives at f = −3, e = 1 */
    CHECK(fabs(from[0] + 0.125) < 1e-6 && fabs(to[0] + 0.125) < 1e-6 && isnan(from[1]) && isnan(to[1]));
    double cubic[2][4] = {{-3, -2, 0, 1}, {0, 0, 0, 0}};
    motion.cubic = (const double(*)[4])cubic;
    CHECK(graze_world_toi_gradient(context, world, &moved, 1, NULL, &r.contact, from, to) == GRAZE_ERR_UNSUPPORTED);
    motion.cubic = NULL;
    const uint8_t rotvecs[8] = {0};
    motion.rotvecs = rotvecs;
    CHECK(graze_world_toi_gradient(context, world, &moved, 1, NULL, &r.contact, from, to) == GRAZE_ERR_UNSUPPORTED);
    motion.rotvecs = NULL;
    CHECK(graze_world_toi_gradient(context, world, &moved, 1, NULL, NULL, from, to) == GRAZE_ERR_INVALID_ARGUMENT);
    r.contact.model_b = 7;
    CHECK(graze_world_toi_gradient(context, world, &moved, 1, NULL, &r.contact, from, to) == GRAZE_ERR_BAD_INDEX);
    graze_world_release(world);
    graze_model_destroy(context, model);
    graze_context_destroy(context);
}

/* ---- bits ---- */

TEST(distances_have_the_same_bits_on_every_instruction_set_and_in_a_used_context) {
    graze_context *used = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {11};
    for (int n = 0; n < 10; n++) {
        yard y;
        graze_world *world;
        open_yard(&y, used, &random);
        CHECK(graze_world_create(used, y.bodies, BODIES, NULL, &world) == GRAZE_OK);
        graze_world_distance_result first = ask(used, world, &y, 5, INFINITY);
        for (int isa = GRAZE_ISA_SCALAR; isa <= GRAZE_ISA_AVX512; isa++) {
            graze_context_options options = graze_default_context_options();
            graze_context *context = NULL;
            options.isa = (graze_isa)isa;
            if (graze_context_create(&options, &context) != GRAZE_OK) continue;
            graze_world_distance_result again = ask(context, world, &y, 5, INFINITY);
            CHECK(again.gap_count == first.gap_count && again.lower == first.lower);
            CHECK(memcmp(again.gaps, first.gaps, first.gap_count * sizeof *first.gaps) == 0);
            CHECK(memcmp(again.gradients, first.gradients, first.gap_count * VALUES * sizeof(double)) == 0);
            graze_world_distance_release(context, &again);
            graze_context_destroy(context);
        }
        graze_world_distance_release(used, &first);
        graze_world_release(world);
        close_yard(used, &y);
    }
    graze_context_destroy(used);
}

/* ---- what goes wrong ---- */

TEST(distances_refuse_bad_arguments) {
    test_random random = {5};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    yard y;
    graze_world *world;
    open_yard(&y, context, &random);
    CHECK(graze_world_create(context, y.bodies, BODIES, NULL, &world) == GRAZE_OK);
    graze_world_distance_options options = graze_default_world_distance_options();
    graze_world_distance_result r = graze_default_world_distance_result();
    CHECK(graze_world_distance(context, world, &y.pose, 1, NULL, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_world_distance(NULL, world, &y.pose, 1, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_world_distance(context, NULL, &y.pose, 1, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_world_distance(context, world, NULL, 1, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    static const double bad[] = {-1, NAN};
    for (int i = 0; i < 2; i++) {
        options.distance = bad[i];
        CHECK(graze_world_distance(context, world, &y.pose, 1, &options, &r) == GRAZE_ERR_INVALID_ARGUMENT);
        options = graze_default_world_distance_options();
        options.min_separation = bad[i];
        CHECK(graze_world_distance(context, world, &y.pose, 1, &options, &r) == GRAZE_ERR_INVALID_ARGUMENT);
        options = graze_default_world_distance_options();
    }
    y.pose.body = BODIES;
    CHECK(graze_world_distance(context, world, &y.pose, 1, NULL, &r) == GRAZE_ERR_BAD_INDEX);
    y.pose.body = 0;
    y.values[1] = NAN;
    CHECK(graze_world_distance(context, world, &y.pose, 1, NULL, &r) != GRAZE_OK);
    CHECK(r.gap_count == 0 && r.gaps == NULL && r.lower == 0);
    r.struct_size = 8;
    CHECK(graze_world_distance(context, world, &y.pose, 1, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    graze_world_release(world);
    close_yard(context, &y);
    graze_context_destroy(context);
}

TEST(distances_survive_failure_of_every_allocation) {
    test_random random = {5};
    for (long allowed = 0; allowed < 400; allowed++) {
        failing f = {.left = LONG_MAX};
        graze_context *context = failing_context(&f, 0);
        CHECK(context);
        yard y;
        graze_world *world;
        random.state = 5;
        open_yard(&y, context, &random);
        CHECK(graze_world_create(context, y.bodies, BODIES, NULL, &world) == GRAZE_OK);
        graze_world_distance_options options = graze_default_world_distance_options();
        graze_world_distance_result r = graze_default_world_distance_result();
        options.most = 0;
        options.gradients = 1;
        f.left = allowed;
        graze_status status = graze_world_distance(context, world, &y.pose, 1, &options, &r);
        f.left = LONG_MAX;
        CHECK(status == GRAZE_OK || (status == GRAZE_ERR_OUT_OF_MEMORY && r.gaps == NULL && r.lower == 0));
        graze_world_distance_release(context, &r);
        graze_world_release(world);
        close_yard(context, &y);
        graze_context_destroy(context);
        CHECK(f.held == 0);
        if (status == GRAZE_OK) return;
    }
    CHECK(!"it succeeds with enough memory");
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
