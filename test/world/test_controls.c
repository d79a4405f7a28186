/* Control positions of vertices over a window, and boxes around them, beside the motion itself in reals of 256 bits. */
#include "articulated/big_real.h"
#include "mixed_worlds.h"

#include "world/controls.h"
#include "world/near.h"
#include "world/rigid.h"

enum { VERTICES = 1, DRAWS = 20000 };

static double scaled(test_random *random, int low, int high) {
    int exponent = low + (int)test_random_below(random, (uint64_t)(high - low + 1));
    return ldexp(mixed_random(random, 1), exponent);
}

/* A dyadic span of time. */
static gz_span random_span(test_random *random) {
    double count = ldexp(1, (int)test_random_below(random, 12));
    double begin = floor(test_random_unit(random) * count) / count;
    return (gz_span){begin, begin + 1 / count};
}

static real real_time(gz_span span, double s) {
    return real_add(real_of(span.begin), real_mul(real_of(s), real_sub(real_of(span.end), real_of(span.begin))));
}

static real bernstein(const double q[4][3], int c, double s) {
    real b[4];
    for (int k = 0; k < 4; k++) b[k] = real_of(q[k][c]);
    for (int level = 3; level > 0; level--)
        for (int k = 0; k < level; k++) b[k] = real_add(b[k], real_mul(real_of(s), real_sub(b[k + 1], b[k])));
    return b[0];
}

/* The distance of the curve from the point at time s of the span, as a share of the bound. */
static double share_of(const double q[4][3], double off, double s, const real x[3]) {
    real d[3];
    for (int c = 0; c < 3; c++) d[c] = real_sub(bernstein(q, c, s), x[c]);
    real length = real_root(real_dot(d, d));
    if (mpfr_zero_p(length)) return 0;
    return mpfr_get_d(real_div(length, real_of(off)), MPFR_RNDU);
}

static double check_motion(test_random *random, const gz_mover *mover, const gz_frame_model *frame, gz_span span,
                           void (*at)(const void *, real, real[3]), const void *state) {
    double q[4][3], most = 0, off = gz_controls(mover, frame, span, 0, q);
    for (int k = 0; k < 8; k++) {
        double s = k < 2 ? k : test_random_unit(random);
        real x[3];
        at(state, real_time(span, s), x);
        double share = share_of((const double(*)[3])q, off, s, x);
        CHECK_MSG(share <= 1, "share %g of %g\n", share, off);
        most = fmax(most, share);
    }
    return most;
}

/* ---- straight and cubic ---- */

static void curve_at(const void *state, real t, real out[3]) {
    const double(*x)[3] = (const double(*)[3])state;
    for (int c = 0; c < 3; c++) {
        real b[4];
        for (int k = 0; k < 4; k++) b[k] = real_of(x[k][c]);
        for (int level = 3; level > 0; level--)
            for (int k = 0; k < level; k++) b[k] = real_add(b[k], real_mul(t, real_sub(b[k + 1], b[k])));
        out[c] = b[0];
    }
}

static void line_at(const void *state, real t, real out[3]) {
    const double(*x)[3] = (const double(*)[3])state;
    for (int c = 0; c < 3; c++)
        out[c] = real_add(real_of(x[0][c]), real_mul(t, real_sub(real_of(x[3][c]), real_of(x[0][c]))));
}

TEST(control_positions_of_curves_are_within_their_bound) {
    test_random random = {47};
    double most = 0;
    for (int i = 0; i < DRAWS; i++) {
        double x[4][3];
        bool cubic = i % 2;
        gz_unit unit = {.kind = cubic ? GZ_UNIT_CUBIC : GZ_UNIT_STRAIGHT};
        gz_mover mover = {.unit = &unit, .stride = sizeof *x};
        double size = ldexp(1, (int)test_random_below(&random, 80) - 40);
        for (int k = 0; k < 4; k++) {
            for (int c = 0; c < 3; c++) x[k][c] = size * scaled(&random, -3, 0);
            mover.x[k] = (const char *)x[k];
        }
        most = fmax(most, check_motion(&random, &mover, NULL, random_span(&random), cubic ? curve_at : line_at, x));
        real_reset();
    }
    printf("bound GZ_CONTROL_SLACK used %.3f\n", most);
}

TEST(control_positions_of_a_curve_over_the_whole_step_are_its_own) {
    double x[4][3] = {{0.1, 0.2, 0.3}, {1, 2, 3}, {-1, 0.7, 0.9}, {1e-3, 1e5, 7}}, q[4][3];
    gz_unit unit = {.kind = GZ_UNIT_CUBIC};
    gz_mover mover = {.unit = &unit, .stride = sizeof *x};
    for (int k = 0; k < 4; k++) mover.x[k] = (const char *)x[k];
    CHECK(gz_controls(&mover, NULL, (gz_span){0, 1}, 0, q) == 0);
    CHECK(memcmp(q, x, sizeof q) == 0);
}

/* ---- rigid bodies ---- */

typedef struct rigid_case {
    graze_body_motion motion;
    double x[1][3];
} rigid_case;

static real_quaternion real_rotation(const double q[4]) {
    return (real_quaternion){real_of(q[0]), {real_of(q[1]), real_of(q[2]), real_of(q[3])}};
}

static void pose_at(const void *state, real t, real out[3]) {
    const rigid_case *rigid = state;
    const graze_body_motion *m = &rigid->motion;
    bool straight = m->path == GRAZE_PATH_ROTVEC;
    real3 r0 = real3_of(m->rotvec0), r1 = real3_of(m->rotvec1), r;
    for (int c = 0; c < 3; c++) r.c[c] = real_add(r0.c[c], real_mul(t, real_sub(r1.c[c], r0.c[c])));
    real_quaternion from = real_rotation(m->pose0.rotation), to = real_rotation(m->pose1.rotation);
    real3 turn = real_logarithm(real_product(to, real_conjugate(from)));
    real_frame frame;
    real_matrix(straight ? real_exponential(r) : real_product(real_exponential(real_scaled(t, turn)), from), frame.r);
    for (int c = 0; c < 3; c++)
        frame.t[c] = real_add(real_of(m->pose0.position[c]),
                              real_mul(t, real_sub(real_of(m->pose1.position[c]), real_of(m->pose0.position[c]))));
    if (m->path == GRAZE_PATH_SCREW) real_screw(m->pose0.position, m->pose1.position, 3, turn, t, frame.t);
    real_apply(&frame, real3_of(rigid->x[0]).c, out);
}

static void draw_rigid(test_random *random, rigid_case *rigid) {
    graze_body_motion *m = &rigid->motion;
    double near = ldexp(1, -(int)test_random_below(random, 30)); /* from half a circle down to hardly any turn */
    *m = graze_default_body_motion();
    m->path = (graze_pose_path)test_random_below(random, 3);
    for (int c = 0; c < 3; c++) {
        m->rotvec0[c] = mixed_random(random, 4);
        m->rotvec1[c] = m->rotvec0[c] + near * mixed_random(random, 4);
    }
    for (int c = 0; c < 4; c++) {
        m->pose0.rotation[c] = mixed_random(random, 1);
        m->pose1.rotation[c] = m->pose0.rotation[c] + near * mixed_random(random, 1);
    }
    double place = ldexp(1, (int)test_random_below(random, 40) - 20),
           size = ldexp(1, (int)test_random_below(random, 40) - 20);
    for (int c = 0; c < 3; c++) {
        m->pose0.position[c] = place * mixed_random(random, 1);
        m->pose1.position[c] = place * mixed_random(random, 1);
        rigid->x[0][c] = size * mixed_random(random, 1);
    }
}

TEST(control_positions_of_rigid_bodies_are_within_their_bound) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {53};
    size_t turned = 0;
    for (int i = 0; i < DRAWS / 4; i++) {
        rigid_case rigid;
        gz_joint_motion joint;
        gz_frame_model frame;
        const char *why = "";
        draw_rigid(&random, &rigid);
        if (gz_rigid_motion(&rigid.motion, &joint, &why) != GRAZE_OK) continue;
        gz_unit unit = {.kind = GZ_UNIT_RIGID, .rest = (const double(*)[3])rigid.x};
        gz_mover mover = {.unit = &unit};
        gz_span span = random_span(&random);
        gz_joint_frame(context->kernels, &joint, gz_span_window(span), false, &frame);
        check_motion(&random, &mover, &frame, span, pose_at, &rigid);
        real_reset();
        turned++;
    }
    CHECK(turned * 8 > DRAWS);
    graze_context_destroy(context);
}

TEST(poses_without_a_shorter_way_or_a_meaning_are_refused) {
    gz_joint_motion joint;
    const char *why = "";
    graze_body_motion motion = graze_default_body_motion();
    motion.pose1 = (graze_frame){{1, 0, 0}, {0, 0, 1, 0}};
    CHECK(gz_rigid_motion(&motion, &joint, &why) == GRAZE_ERR_INVALID_ARGUMENT && strstr(why, "half a circle"));
    motion.pose1.rotation[2] = 0;
    CHECK(gz_rigid_motion(&motion, &joint, &why) == GRAZE_ERR_INVALID_ARGUMENT && strstr(why, "zero"));
    motion.pose1 = (graze_frame){{NAN, 0, 0}, {1, 0, 0, 0}};
    CHECK(gz_rigid_motion(&motion, &joint, &why) == GRAZE_ERR_NOT_FINITE);
    motion = graze_default_body_motion();
    motion.path = (graze_pose_path)7;
    CHECK(gz_rigid_motion(&motion, &joint, &why) == GRAZE_ERR_INVALID_ARGUMENT);
}

/* ---- boxes ---- */

static bool is_in(const gz_box *box, const double x[3], double error) {
    for (int c = 0; c < 3; c++)
        if (!(x[c] >= box->lo[c] - error && x[c] <= box->hi[c] + error)) return false;
    return true;
}

/* Over all of a turn the remainder of a frame is large: without it vertices leave their boxes. */
static void check_boxes(const gz_mover *mover, gz_span span, uint32_t vertex, const double x[3]) {
    gz_box box = mover->boxes ? mover->boxes[vertex] : gz_box_of_vertex(mover, span, vertex, 0);
    const gz_unit *unit = mover->unit;
    CHECK(is_in(&box, x, 1e-13) && is_in(&mover->box, x, 1e-13));
    for (uint32_t n = 0; unit->nodes && n < 2 * unit->mesh.face_count - 1; n++) {
        const gz_face_node *node = &unit->nodes[n];
        bool holds = true;
        for (int c = 0; c < 3; c++) holds &= fabs(unit->rest[vertex][c] - node->center[c]) <= node->half[c];
        box = gz_box_in_frame(mover, node->center, node->half, 0);
        CHECK(!holds || is_in(&box, x, 1e-13));
    }
}

TEST(boxes_over_a_span_hold_their_vertices) {
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    test_random random = {59};
    for (int i = 0; i < 200; i++) {
        mixed_world world;
        graze_world *made = NULL;
        gz_movers movers;
        graze_articulated_options options = graze_default_articulated_options();
        gz_span span = i % 2 ? (gz_span){0, 1} : random_span(&random);
        mixed_make(&random, context, MIXED_KINDS, &world);
        CHECK(graze_world_create(context, world.given, world.count, NULL, &made) == GRAZE_OK);
        CHECK(gz_movers_open(&movers, context, made, world.motions, world.count, &options) == GRAZE_OK);
        bool curved = made->units.curved;
        if (curved) gz_near_boxes(&movers, span, NULL);
        for (size_t b = 0; curved && b < world.count; b++)
            for (int k = 0; k <= 32; k++)
                for (uint32_t v = 0; v < world.bodies[b].mesh.vertex_count; v++) {
                    double x[3];
                    mixed_at(&world.bodies[b], v, span.begin + (span.end - span.begin) * k / 32, x);
                    check_boxes(&movers.list[b], span, v, x);
                }
        gz_movers_close(&movers);
        graze_world_release(made);
        mixed_release(&world);
    }
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
