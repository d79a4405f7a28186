/* Which links of a model are tested against each other: all but those that a joint itself connects, or that no joint
   moves against each other. */
#include "bodies.h"

enum { MOST_LINKS = 9 };

/* ---- counts ---- */

/* A joint that can move lies between the two links of a tree. */
static bool can_move(const graze_link *links, int a, int b) {
    bool on_way[MOST_LINKS] = {false};
    int x = a, y = b;
    for (; x >= 0; x = links[x].parent) on_way[x] = true;
    while (y >= 0 && !on_way[y]) y = links[y].parent;
    for (int i = a; i != y; i = links[i].parent)
        if (links[i].joint != GRAZE_JOINT_FIXED) return true;
    for (int i = b; i != y; i = links[i].parent)
        if (links[i].joint != GRAZE_JOINT_FIXED) return true;
    return false;
}

static bool is_wanted(const graze_link *links, int a, int b) {
    return links[a].mesh_count && links[b].mesh_count && links[b].parent != a && can_move(links, a, b);
}

static uint64_t tested_pairs(graze_context *context, const graze_link *links, size_t count) {
    graze_model *model = NULL;
    graze_motion motion = graze_default_motion();
    graze_articulated_result r = graze_default_articulated_result();
    CHECK(graze_model_create(context, links, count, &model) == GRAZE_OK);
    CHECK(graze_articulated_step(context, (const graze_model *const *)&model, 1, &motion, NULL, &r) == GRAZE_OK);
    graze_model_destroy(context, model);
    return r.pairs_tested;
}

TEST(only_links_that_a_joint_connects_or_none_moves_are_left_out) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {21};
    test_box box = test_box_of(0.1, 0.1, 0.1);
    graze_link_mesh mesh = test_mesh_of(&box);
    for (int round = 0; round < 500; round++) {
        graze_link links[MOST_LINKS];
        int count = 2 + (int)test_random_below(&random, MOST_LINKS - 1);
        uint64_t wanted = 0;
        for (int i = 0; i < count; i++) {
            int parent = (int)test_random_below(&random, (uint64_t)i + 1) - 1;
            graze_joint_kind joint = test_random_below(&random, 2) ? GRAZE_JOINT_FIXED : GRAZE_JOINT_REVOLUTE;
            bool bare = test_random_below(&random, 4) == 0;
            links[i] = test_link(parent, joint, test_frame(3.0 * i, 0, 0), bare ? NULL : &mesh);
        }
        for (int b = 0; b < count; b++)
            for (int a = 0; a < b; a++) wanted += is_wanted(links, a, b);
        uint64_t tested = tested_pairs(context, links, (size_t)count);
        CHECK_MSG(tested == wanted, "round %d: %d of %d", round, (int)tested, (int)wanted);
    }
    graze_context_destroy(context);
}

/* ---- robots that hold something ---- */

static graze_articulated_result turn(graze_context *context, const graze_link *links, size_t count, const double *to,
                                     const graze_articulated_options *options) {
    graze_model *model = NULL;
    graze_motion motion = test_motion(NULL, to);
    graze_articulated_result r = graze_default_articulated_result();
    CHECK(graze_model_create(context, links, count, &model) == GRAZE_OK);
    CHECK(graze_articulated_step(context, (const graze_model *const *)&model, 1, &motion, options, &r) == GRAZE_OK);
    graze_model_destroy(context, model);
    return r;
}

static bool are(const graze_articulated_result *r, uint32_t a, uint32_t b) {
    const graze_link_contact *c = &r->contact;
    return (c->link_a == a && c->link_b == b) || (c->link_a == b && c->link_b == a);
}

/* The angle at which (x, y), turned about the origin, comes down to `height` behind it. */
static double angle_down_to(double x, double y, double height) {
    return acos(-1) - asin(height / hypot(x, y)) - atan2(y, x);
}

TEST(a_held_bar_that_sweeps_the_forearm_is_found) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_box forearm = test_box_of(1, 0.1, 0.1), hand = test_box_of(0.05, 0.05, 0.05),
             bar = test_box_of(0.3, 0.02, 0.02);
    graze_link_mesh of_forearm = test_mesh_of(&forearm), of_hand = test_mesh_of(&hand), of_bar = test_mesh_of(&bar);
    graze_link links[5] = {test_link(-1, GRAZE_JOINT_REVOLUTE, test_frame(0, 0, 0), &of_forearm),
                           test_link(0, GRAZE_JOINT_REVOLUTE, test_frame(1, 0, 0), &of_hand),
                           test_link(1, GRAZE_JOINT_FIXED, test_frame(0.2, 0, 0), NULL), /* the flange */
                           test_link(2, GRAZE_JOINT_FIXED, test_frame(0.3, 0, 0), &of_bar)};
    double to[2] = {0.5, 3}, toi = angle_down_to(0.2, 0.02, 0.1) / 3;
    for (int mode = GRAZE_ARTICULATED_EARLIEST; mode <= GRAZE_ARTICULATED_ANY; mode++) {
        graze_articulated_options options = graze_default_articulated_options();
        options.mode = (graze_articulated_mode)mode;
        graze_articulated_result r = turn(context, links, 4, to, &options);
        CHECK(r.verdict == GRAZE_HIT && r.contact.proven && are(&r, 0, 3));
        CHECK_MSG(mode || (r.toi <= toi + 1e-15 && r.toi > toi - 1e-9), "%.17g, not %.17g", r.toi, toi);
    }
    uint8_t mask[16];
    memset(mask, 1, sizeof mask);
    mask[3] = mask[12] = 0;
    graze_articulated_options options = graze_default_articulated_options();
    options.link_pairs = mask; /* the bar may pass */
    CHECK(turn(context, links, 4, to, &options).verdict == GRAZE_CLEAR);
    graze_context_destroy(context);
}

TEST(a_table_that_the_base_carries_is_found_by_every_link) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_box base = test_box_of(0.1, 0.1, 0.1), link = test_box_of(0.5, 0.05, 0.05), table = test_box_of(0.02, 2, 2);
    graze_link_mesh of_base = test_mesh_of(&base), of_link = test_mesh_of(&link), of_table = test_mesh_of(&table);
    of_link.origin = test_frame(0.5, 0, 0);               /* from its joint to the next */
    for (uint32_t reaches = 1; reaches <= 3; reaches++) { /* the last link of the chain that is that long */
        graze_link links[5] = {test_link(-1, GRAZE_JOINT_FIXED, test_frame(0, 0, 0), &of_base)};
        for (uint32_t i = 1; i <= reaches; i++) {
            links[i] = test_link((int32_t)i - 1, GRAZE_JOINT_REVOLUTE, test_frame(1, 0, 0), &of_link);
            if (i > 1) links[i].joint = GRAZE_JOINT_PRISMATIC; /* along z: stays where it is */
        }
        uint32_t last = reaches + 1;
        links[last] = test_link(0, GRAZE_JOINT_FIXED, test_frame(1 - (reaches - 0.4), 0, 0), &of_table);
        double to[3] = {acos(-1), 0, 0};
        graze_articulated_result r = turn(context, links, reaches + 2, to, NULL);
        CHECK_MSG(r.verdict == GRAZE_HIT && r.toi > 0 && are(&r, reaches, last), "link %u", reaches);
    }
    graze_context_destroy(context);
}

/* The gripper is fixed to link 7 by a flange; link 6 carries link 7. */
TEST(a_gripper_is_tested_against_the_link_before_the_wrist) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_box arm = test_box_of(0.1, 0.1, 0.4), wrist = test_box_of(0.05, 0.05, 0.05),
             finger = test_box_of(0.02, 0.02, 0.2);
    graze_link_mesh of_arm = test_mesh_of(&arm), of_wrist = test_mesh_of(&wrist), of_finger = test_mesh_of(&finger);
    graze_link links[4] = {test_link(-1, GRAZE_JOINT_REVOLUTE, test_frame(0, 0, 0), &of_arm),
                           test_link(0, GRAZE_JOINT_REVOLUTE, test_frame(0.2, 0, 0), &of_wrist),
                           test_link(1, GRAZE_JOINT_FIXED, test_frame(0.1, 0, 0), &of_finger)};
    double to[2] = {0, 3};
    graze_articulated_result r = turn(context, links, 3, to, NULL);
    CHECK(r.verdict == GRAZE_HIT && r.contact.proven && are(&r, 0, 2));
    to[1] = 1;
    CHECK(turn(context, links, 3, to, NULL).verdict == GRAZE_CLEAR);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
