/* Where the pages of worlds draw bodies and links, beside reals of 256 bits and the positions of other tests. */
#include "articulated/big_real.h"
#include "cli/world/places.h"
#include "world/mixed_worlds.h"

static double about(test_random *random, double most) { return test_random_between(random, -most, most); }

static bool near(const double x[3], const double y[3], double most) {
    return fabs(x[0] - y[0]) <= most && fabs(x[1] - y[1]) <= most && fabs(x[2] - y[2]) <= most;
}

TEST(rigid_bodies_are_drawn_where_they_are) {
    static const mixed_kind kinds[] = {MIXED_TURN, MIXED_SCREW, MIXED_ROTVEC};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {11};
    for (int i = 0; i < 300; i++) {
        mixed_world world = {.context = context, .count = 1};
        mixed_make_body(&random, &world, 0, kinds[i % 3]);
        for (int k = 0; k <= 4; k++) {
            double t = 0.25 * k, x[3], y[3];
            graze_frame pose;
            cli_rigid_pose(&world.motions[0], t, &pose);
            cli_point_at(&pose, world.bodies[0].rest[1], x);
            mixed_at(&world.bodies[0], 1, t, y);
            CHECK_MSG(near(x, y, 1e-11), "%d at %g: %g %g %g, not %g %g %g", i, t, x[0], x[1], x[2], y[0], y[1], y[2]);
        }
        mixed_release(&world);
    }
    graze_context_destroy(context);
}

/* A joint of any kind, whose motion has one of the ways that it may have. */
static void draw_joint(test_random *random, graze_link *link, graze_motion *motion, double values[2][6],
                       double cubic[6][4], double turn[3], uint8_t *yes) {
    *link = graze_default_link();
    *motion = graze_default_motion();
    link->joint = (graze_joint_kind)test_random_below(random, GRAZE_JOINT_FREE + 1);
    const double at[3] = {about(random, 2), about(random, 2), about(random, 2)};
    link->origin = mixed_frame(random, at);
    for (int c = 0; c < 3; c++) link->axis[c] = about(random, 3), turn[c] = about(random, 4);
    for (int v = 0; v < 6; v++) {
        for (int e = 0; e < 2; e++) values[e][v] = about(random, 1.5);
        for (int k = 0; k < 4; k++) cubic[v][k] = about(random, 1.5);
    }
    motion->from = values[0];
    motion->to = values[1];
    bool turns = link->joint == GRAZE_JOINT_SPHERICAL || link->joint == GRAZE_JOINT_FREE;
    bool screws = link->joint == GRAZE_JOINT_PLANAR || link->joint == GRAZE_JOINT_FREE;
    uint64_t way = test_random_below(random, 4);
    if (way == 1 && turns) motion->turns = (const double(*)[3])turn;
    if (way == 1 && !turns) motion->cubic = (const double(*)[4])cubic;
    if (way == 2 && screws) motion->screws = yes;
    if (way == 3 && turns) motion->rotvecs = yes;
}

TEST(links_are_drawn_where_their_joints_carry_them) {
    test_random random = {13};
    uint8_t yes = 1;
    for (int i = 0; i < 2000; i++) {
        graze_link link;
        graze_motion motion;
        double values[2][6], cubic[6][4], turn[3], x[3], to[3], y[3];
        draw_joint(&random, &link, &motion, values, cubic, turn, &yes);
        for (int c = 0; c < 3; c++) x[c] = about(&random, 1);
        double t = test_random_unit(&random);
        const cli_joint joint = {link.joint, link.origin, link.axis, 0, 0};
        graze_frame pose;
        cli_joint_pose(&joint, &motion, t, &pose);
        cli_point_at(&pose, x, to);
        real point[3], out[3];
        real_reset();
        for (int c = 0; c < 3; c++) point[c] = real_of(x[c]);
        real_joint(&link, 0, 0, &motion, real_of(t), point, out);
        for (int c = 0; c < 3; c++) y[c] = mpfr_get_d(out[c], MPFR_RNDN);
        CHECK_MSG(near(to, y, 1e-11), "joint %d of kind %d: %g %g %g, not %g %g %g", i, link.joint, to[0], to[1], to[2],
                  y[0], y[1], y[2]);
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
