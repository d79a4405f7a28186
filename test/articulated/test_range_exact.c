/* Ranges that are proven clear against poses in 256 bits: at every pose some axis parts the two boxes. */
#include "articulated/big_real.h"
#include "articulated/bodies.h"

#include "graze/range.h"

enum { LINKS = 4 };

typedef struct arm {
    test_box boxes[LINKS];
    graze_link_mesh meshes[LINKS];
    graze_link links[LINKS];
    graze_joint_range ranges[LINKS];
    graze_model *model;
} arm;

static double spread(test_random *random, double size) { return test_random_between(random, -size, size); }

static void make_arm(graze_context *context, test_random *random, arm *made) {
    for (int i = 0; i < LINKS; i++) {
        made->boxes[i] = test_box_of(test_random_between(random, 0.05, 0.3), test_random_between(random, 0.05, 0.3),
                                     test_random_between(random, 0.05, 0.3));
        made->meshes[i] = test_mesh_of(&made->boxes[i]);
        double reach = i ? 0.7 : 0;
        made->links[i] = test_link(i - 1, test_random_below(random, 3) ? GRAZE_JOINT_REVOLUTE : GRAZE_JOINT_PRISMATIC,
                                   test_frame(spread(random, reach), spread(random, reach), spread(random, reach)),
                                   &made->meshes[i]);
        for (int k = 0; k < 4; k++) made->links[i].origin.rotation[k] = spread(random, 1);
        for (int k = 0; k < 3; k++) made->links[i].axis[k] = spread(random, 1);
        double middle = spread(random, 1), half = test_random_between(random, 0, 0.8);
        made->ranges[i] = graze_default_joint_range();
        made->ranges[i].lower = middle - half;
        made->ranges[i].upper = middle + half;
    }
    CHECK(graze_model_create(context, made->links, LINKS, &made->model) == GRAZE_OK);
}

/* ---- in 256 bits ---- */

/* The frame of a link in its parent's, by where its origin and its axes are. */
static real_frame exact_joint(const arm *a, size_t link, const graze_motion *motion) {
    real_frame frame;
    real zero[3] = {real_of(0), real_of(0), real_of(0)};
    real_joint(&a->links[link], link, link, motion, real_of(0), zero, frame.t);
    for (int c = 0; c < 3; c++) {
        real x[3] = {real_of(c == 0), real_of(c == 1), real_of(c == 2)}, at[3];
        real_joint(&a->links[link], link, link, motion, real_of(0), x, at);
        for (int r = 0; r < 3; r++) frame.r[r][c] = real_sub(at[r], frame.t[r]);
    }
    return frame;
}

/* Frames of all links in the world. */
static void exact_frames(const arm *a, const double *pose, real_frame *frames) {
    graze_motion motion = test_motion(pose, pose);
    for (size_t i = 0; i < LINKS; i++) {
        real_frame local = exact_joint(a, i, &motion);
        frames[i] = local;
        if (i == 0) continue;
        const real_frame *up = &frames[i - 1];
        real_apply(up, local.t, frames[i].t);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) {
                real column[3] = {local.r[0][c], local.r[1][c], local.r[2][c]};
                frames[i].r[r][c] = real_dot(up->r[r], column);
            }
    }
}

typedef struct real_box {
    real x[8][3], axes[3][3];
} real_box;

static void exact_box(const test_box *box, const real_frame *frame, real_box *to) {
    for (int v = 0; v < 8; v++) real_apply(frame, real3_of(box->vertices[v]).c, to->x[v]);
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) to->axes[c][r] = frame->r[r][c];
}

static void interval_along(const real_box *box, const real n[3], real *low, real *high) {
    for (int v = 0; v < 8; v++) {
        real at = real_dot(n, box->x[v]);
        if (v == 0 || mpfr_cmp(at, *low) < 0) *low = at;
        if (v == 0 || mpfr_cmp(at, *high) > 0) *high = at;
    }
}

/* More than rounding of 256 bits could feign. */
static bool parts(const real_box *a, const real_box *b, const real n[3]) {
    real low[2], high[2];
    interval_along(a, n, &low[0], &high[0]);
    interval_along(b, n, &low[1], &high[1]);
    for (int i = 0; i < 2; i++)
        if (mpfr_cmp_d(real_sub(low[i], high[!i]), 0x1p-200) > 0) return true;
    return false;
}

static bool are_apart(const real_box *a, const real_box *b) {
    for (int i = 0; i < 3; i++)
        if (parts(a, b, a->axes[i]) || parts(a, b, b->axes[i])) return true;
    for (int i = 0; i < 9; i++)
        if (parts(a, b, real_cross(a->axes[i / 3], b->axes[i % 3]).c)) return true;
    return false;
}

/* ---- poses ---- */

static void draw_pose(test_random *random, const arm *a, double *pose) {
    for (int i = 0; i < LINKS; i++) {
        pose[i] = test_random_between(random, a->ranges[i].lower, a->ranges[i].upper);
        uint64_t end = test_random_below(random, 4);
        if (end < 2) pose[i] = end ? a->ranges[i].upper : a->ranges[i].lower;
    }
}

static uint64_t judge(const arm *a, const graze_range_result *r, test_random *random, uint64_t poses) {
    uint64_t judged = 0;
    for (uint64_t n = 0; n < poses; n++) {
        double pose[LINKS];
        real_frame frames[LINKS];
        draw_pose(random, a, pose);
        real_reset();
        exact_frames(a, pose, frames);
        size_t mark = real_used;
        for (size_t i = 0; i < r->pair_count; i++) {
            const graze_range_pair *pair = &r->pairs[i];
            if (pair->verdict != GRAZE_CLEAR) continue;
            real_used = mark;
            real_box one, other;
            exact_box(&a->boxes[pair->link_a], &frames[pair->link_a], &one);
            exact_box(&a->boxes[pair->link_b], &frames[pair->link_b], &other);
            CHECK_MSG(are_apart(&one, &other), "links %u and %u are not apart at %.17g %.17g %.17g %.17g", pair->link_a,
                      pair->link_b, pose[0], pose[1], pose[2], pose[3]);
            judged++;
        }
    }
    return judged;
}

static uint64_t number_of(const char *name, uint64_t otherwise) {
    return getenv(name) ? strtoull(getenv(name), NULL, 10) : otherwise;
}

TEST(poses_in_clear_ranges_are_free_in_256_bits) {
    uint64_t wanted = number_of("GRAZE_RANGE_POSES", 1500), judged = 0;
    test_random random = {number_of("GRAZE_RANGE_SEED", 20261118)};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_range_options options = graze_default_range_options();
    options.samples = 40;
    options.max_cells = 3000;
    while (judged < wanted) {
        arm a;
        make_arm(context, &random, &a);
        graze_range_result r = graze_default_range_result();
        CHECK(graze_articulated_range(context, (const graze_model *const *)&a.model, 1, a.ranges, &options, &r) ==
              GRAZE_OK);
        judged += judge(&a, &r, &random, 40);
        graze_range_release(context, &r);
        graze_model_destroy(context, a.model);
    }
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
