/* Taylor models against real numbers of 256 bits: whatever is claimed of a motion holds for the exact one. */
#include "articulated/big_real.h"
#include "articulated/bodies.h"

#include "articulated/projection.h"
#include "articulated/range/forms.h"
#include "articulated/triangles.h"
#include "motion/rounding.h"
#include "motion/sine.h"

/* Positions that the frames are held against; GRAZE_POSITIONS asks for a longer run. */
static int positions(void) {
    const char *asked = getenv("GRAZE_POSITIONS");
    return asked ? atoi(asked) : 10000;
}

TEST(sine_and_cosine_are_within_their_error) {
    test_random random = {1};
    for (int i = 0; i < 20000; i++) {
        real_reset();
        double size = ldexp(1, (int)test_random_below(&random, 31) - 10), x = test_random_between(&random, -size, size);
        if (i % 5 == 0) x = (double)(int64_t)test_random_between(&random, -600000, 600000) * 1.5707963267948966;
        gz_sine at = gz_sine_of(x);
        CHECK_MSG(real_within(real_sin(real_of(x)), at.sin, GZ_SINE_ERROR), "sin %a = %a", x, at.sin);
        CHECK_MSG(real_within(real_cos(real_of(x)), at.cos, GZ_SINE_ERROR), "cos %a = %a", x, at.cos);
    }
}

TEST(an_angle_is_that_of_its_sine_and_cosine) {
    test_random random = {2};
    for (int i = 0; i < 5000; i++) {
        real_reset();
        double s = test_random_between(&random, -1, 1), c = test_random_between(&random, -1, 1);
        if (i % 3 == 0) s *= 0x1p-40;
        if (i % 7 == 0) c = 0;
        double angle = gz_angle_of(s, c);
        CHECK_MSG(real_within(real_angle(real_of(s), real_of(c)), angle, 0x1p-49), "%a %a: %a", s, c, angle);
    }
}

TEST(a_sine_over_its_angle_is_within_its_error) {
    test_random random = {6};
    CHECK(gz_sinc_of(0) == 1);
    for (int i = 0; i < 20000; i++) {
        real_reset();
        double size = ldexp(1, (int)test_random_below(&random, 61) - 40), x = test_random_between(&random, -size, size);
        real exact = real_div(real_sin(real_of(x)), real_of(x));
        CHECK_MSG(real_within(exact, gz_sinc_of(x), GZ_SINC_ERROR), "%a: %a", x, gz_sinc_of(x));
    }
}

/* ---- arithmetic ---- */

static double random_signed(test_random *random, int low, int high) {
    double size = ldexp(1, low + (int)test_random_below(random, (uint64_t)(high - low + 1)));
    return test_random_between(random, -size, size);
}

static gz_taylor random_model(test_random *random, int low, int high) {
    gz_taylor a = {{0}, fabs(random_signed(random, low, high)) * (test_random_below(random, 2) ? 1 : 0x1p-40), 0};
    for (int k = 0; k < 4; k++) a.c[k] = random_signed(random, low, high);
    a.n = fabs(a.c[0]) + fabs(a.c[1]) + fabs(a.c[2]) + fabs(a.c[3]);
    a.n = nextafter(nextafter(a.n, INFINITY), INFINITY);
    return a;
}

static real polynomial(const gz_taylor *a, real s) {
    real f = real_of(a->c[3]);
    for (int k = 2; k >= 0; k--) f = real_add(real_mul(f, s), real_of(a->c[k]));
    return f;
}

static real entry_at(const gz_frame_model *frame, int i, int j, real s) {
    gz_taylor entry = gz_frame_entry(frame, i, j);
    return polynomial(&entry, s);
}

/* A function of the model: its polynomial and a part of the remainder that turns with s. */
static real some_value(const gz_taylor *a, real s, double part) {
    return real_add(polynomial(a, s), real_mul(real_of(part), real_of(a->r)));
}

static void check_holds(const gz_taylor *f, real value, real s, const char *what) {
    real d = real_sub(value, polynomial(f, s));
    mpfr_abs(d, d, MPFR_RNDN);
    CHECK_MSG(mpfr_cmp_d(d, f->r) <= 0, "%s: off by %a, remainder %a", what, mpfr_get_d(d, MPFR_RNDN), f->r);
}

TEST(sums_and_products_of_models_hold_those_of_their_functions) {
    test_random random = {3};
    for (int i = 0; i < 20000; i++) {
        real_reset();
        int low = i % 4 == 0 ? -560 : -8, high = i % 4 == 0 ? -480 : 8;
        gz_taylor a = random_model(&random, low, high), b = random_model(&random, low, high);
        if (i % 3 == 0) a.c[0] = a.c[1] = a.c[2] = a.c[3] = a.n = 0; /* nothing but a remainder */
        if (i % 9 == 0) b.c[0] = b.c[1] = b.c[2] = b.c[3] = b.n = 0;
        if (i % 5 == 0) a.r = b.r = 0;
        gz_taylor product = gz_taylor_product(&a, &b), sum = gz_taylor_sum(&a, &b, -1);
        static const double places[] = {-1, 1, 0, 0.3, -0.7};
        for (int k = 0; k < 20; k++) {
            real s = real_of(places[k % 5]);
            real f = some_value(&a, s, k & 1 ? 1 : -1), g = some_value(&b, s, k & 2 ? 1 : -1);
            check_holds(&product, real_mul(f, g), s, "product");
            check_holds(&sum, real_sub(f, g), s, "difference");
        }
    }
}

TEST(the_range_of_a_model_holds_its_values) {
    test_random random = {4};
    for (int i = 0; i < 20000; i++) {
        real_reset();
        gz_taylor a = random_model(&random, -8, 8);
        if (i & 1) a.r = 0;
        double half, middle = gz_taylor_range(&a, &half), most = gz_taylor_most(&a);
        for (int k = 0; k < 5; k++) {
            real f = some_value(&a, real_of(k < 2 ? 2 * k - 1 : test_random_between(&random, -1, 1)), k & 1 ? 1 : -1);
            CHECK(real_within(f, middle, half));
            CHECK(real_within(f, 0, most));
        }
    }
}

TEST(sines_of_models_hold_those_of_their_functions) {
    test_random random = {5};
    for (int i = 0; i < 5000; i++) {
        real_reset();
        gz_taylor angle = random_model(&random, -30, 0), sine, cosine;
        angle.c[0] = test_random_between(&random, -10, 10);
        angle.r *= 0x1p-20;
        gz_taylor_close(&angle);
        gz_taylor_sine(&angle, &sine, &cosine);
        for (int k = 0; k < 6; k++) {
            real s = real_of(k < 2 ? 2 * k - 1 : test_random_between(&random, -1, 1));
            real x = some_value(&angle, s, k & 1 ? 1 : -1);
            check_holds(&sine, real_sin(x), s, "sine");
            check_holds(&cosine, real_cos(x), s, "cosine");
        }
    }
}

/* ---- roundings that have a side ---- */

static real length_of(const double v[3]) {
    real3 x = real3_of(v);
    return real_root(real_dot(x.c, x.c));
}

TEST(lengths_waits_and_sums_are_rounded_to_their_side) {
    test_random random = {7};
    for (int i = 0; i < 20000; i++) {
        real_reset();
        double v[3], n[3], low, high, sum[3];
        for (int c = 0; c < 3; c++) {
            v[c] = random_signed(&random, -8, 8);
            sum[c] = fabs(random_signed(&random, -8, 8));
        }
        gz_unit_of(v, n);
        CHECK(mpfr_cmp_d(real_mul(length_of(n), real_of(sum[0])), gz_contact_along(sum[0])) <= 0);
        CHECK(mpfr_cmp_d(length_of(v), gz_length_below(v)) >= 0);
        double tiny[3]; /* squares that underflow are rounded up, too */
        for (int c = 0; c < 3; c++) tiny[c] = ldexp(v[c], -530 - (int)test_random_below(&random, 20));
        CHECK(mpfr_cmp_d(length_of(tiny), gz_length_below(tiny)) >= 0);
        gz_reach_between(sum[0], sum[1], sum[2], &low, &high);
        real exact = real_add(real_of(sum[0]), real_add(real_of(sum[1]), real_of(sum[2])));
        CHECK(mpfr_cmp_d(exact, low) >= 0 && mpfr_cmp_d(exact, high) <= 0);
        double t = test_random_unit(&random), gap = test_random_between(&random, 0x1p-6, 1), speed = 1 + sum[0] / 256;
        if (gap / speed < 0x1p-6) continue;
        exact = real_add(real_of(t), real_div(real_of(gap), real_of(speed)));
        CHECK(mpfr_cmp_d(exact, gz_time_after(t, gap / speed)) >= 0);
    }
}

/* Paddings too small to change the sum count nevertheless. */
TEST(a_padding_is_never_lost_in_a_sum) {
    double low, high;
    gz_reach_between(1, 0x1p-80, 0, &low, &high);
    CHECK(low <= 1 && high > 1);
    gz_reach_between(0.1, 0, 0, &low, &high);
    CHECK(low == 0.1 && high == 0.1);
}

TEST(the_extent_of_an_interval_holds_its_ends) {
    test_random random = {8};
    for (int i = 0; i < 20000; i++) {
        real_reset();
        double center = random_signed(&random, -8, 8), half = fabs(random_signed(&random, -30, 8));
        real end = real_add(real_of(fabs(center)), real_of(half));
        CHECK(mpfr_cmp_d(end, gz_extent_of(center, half)) <= 0);
    }
}

/* ---- joints and chains ---- */

enum { MOST_LINKS = 6, MOST_VALUES = 36 };

typedef struct random_chain {
    graze_link links[MOST_LINKS];
    size_t count, first[MOST_LINKS];
    double from[MOST_VALUES], to[MOST_VALUES], turns[MOST_LINKS][3], cubic[MOST_VALUES][4];
    double bezier[MOST_VALUES * (GRAZE_MAX_DEGREE + 1)];
    uint8_t screws[MOST_LINKS], rotvecs[MOST_LINKS];
    graze_motion motion;
    graze_model *model;
} random_chain;

static const int joint_values[] = {0, 1, 1, 3, 3, 6};

static graze_frame random_frame(test_random *random, bool plain) {
    graze_frame frame = test_frame(random_signed(random, -3, 3), random_signed(random, -3, 3), 0);
    if (test_random_below(random, 3) == 0) frame = test_frame(0, 0, 0); /* nothing hides the errors of the rotation */
    if (plain) return frame;
    double length = ldexp(1, (int)test_random_below(random, 5) * 100 - 200);
    for (int k = 0; k < 4; k++) frame.rotation[k] = test_random_between(random, -1, 1) * length;
    return frame;
}

static void set_bezier(test_random *random, size_t values, random_chain *chain) {
    size_t degree = 1 + (size_t)test_random_below(random, GRAZE_MAX_DEGREE);
    for (size_t v = 0; v < values; v++)
        for (size_t k = 0; k <= degree; k++)
            chain->bezier[v * (degree + 1) + k] = chain->from[v] + test_random_between(random, -1, 1);
    chain->motion.bezier = chain->bezier;
    chain->motion.degree = (uint32_t)degree;
}

/* Straight, cubic, or of any degree. */
typedef enum path_kind { STRAIGHT, CUBIC, BEZIER } path_kind;

/* `kind` < 0: any. Values up to about `size`. */
static void make_chain(graze_context *context, test_random *random, size_t count, int kind, double size, path_kind path,
                       random_chain *chain) {
    test_box box = test_box_of(0.5, 0.7, 0.3);
    graze_link_mesh mesh = test_mesh_of(&box);
    size_t values = 0;
    *chain = (random_chain){.count = count};
    for (size_t i = 0; i < count; i++) {
        int joint = kind >= 0 ? kind : (int)test_random_below(random, path ? 3 : 6);
        chain->links[i] =
            test_link((int32_t)i - 1, (graze_joint_kind)joint, random_frame(random, test_random_below(random, 4) == 0),
                      i + 1 == count ? &mesh : NULL);
        for (int c = 0; c < 3; c++) {
            chain->links[i].axis[c] = test_random_between(random, -1, 1);
            chain->turns[i][c] = test_random_below(random, 3) ? NAN : test_random_between(random, -3, 3);
        }
        bool bends = joint == GRAZE_JOINT_PLANAR || joint == GRAZE_JOINT_FREE;
        bool turns = joint == GRAZE_JOINT_SPHERICAL || joint == GRAZE_JOINT_FREE;
        chain->screws[i] = bends && test_random_below(random, 2);
        chain->rotvecs[i] = turns && !chain->screws[i] && test_random_below(random, 2);
        if (chain->rotvecs[i]) chain->turns[i][0] = NAN;
        chain->first[i] = values;
        values += (size_t)joint_values[joint];
    }
    for (size_t v = 0; v < values; v++) {
        chain->from[v] = test_random_between(random, -size, size);
        chain->to[v] = chain->from[v] + test_random_between(random, -1, 1);
        for (int k = 0; k < 4; k++) chain->cubic[v][k] = chain->from[v] + test_random_between(random, -1, 1);
    }
    for (size_t i = 0; i < count; i++)
        if (isnan(chain->turns[i][0] + chain->turns[i][1] + chain->turns[i][2])) chain->turns[i][0] = NAN;
    chain->motion = test_screw(chain->from, chain->to, path ? NULL : chain->screws);
    chain->motion.turns = (const double(*)[3])chain->turns;
    chain->motion.rotvecs = chain->rotvecs;
    if (path == CUBIC) chain->motion.cubic = (const double(*)[4])chain->cubic;
    if (path == BEZIER) set_bezier(random, values, chain);
    CHECK(graze_model_create(context, chain->links, count, &chain->model) == GRAZE_OK);
}

static void exact_position(const random_chain *chain, size_t from, size_t to, double t, const double x[3],
                           real out[3]) {
    real3 p = real3_of(x);
    for (size_t i = to; i + 1 > from; i--) {
        real q[3];
        real_joint(&chain->links[i], i, chain->first[i], &chain->motion, real_of(t), p.c, q);
        for (int c = 0; c < 3; c++) p.c[c] = q[c];
        if (i == 0) break;
    }
    for (int c = 0; c < 3; c++) out[c] = p.c[c];
}

/* The model of a frame's coordinate i of the point x, evaluated in exact numbers; *bound: how far it may be off. */
static real claimed(const gz_frame_model *frame, int i, real s, const double x[3], real *bound) {
    real f = entry_at(frame, i, 3, s);
    *bound = real_of(frame->r[i][3]);
    for (int j = 0; j < 3; j++) {
        f = real_add(f, real_mul(entry_at(frame, i, j, s), real_of(x[j])));
        *bound = real_add(*bound, real_mul(real_of(frame->r[i][j]), real_of(fabs(x[j]))));
    }
    return f;
}

static void check_position(const gz_frame_model *frame, gz_window window, double t, const double x[3],
                           const real at[3]) {
    real s = window.h > 0 ? real_div(real_sub(real_of(t), real_of(window.m)), real_of(window.h)) : real_of(0);
    for (int i = 0; i < 3; i++) {
        real bound, off = real_sub(claimed(frame, i, s, x, &bound), at[i]);
        mpfr_abs(off, off, MPFR_RNDN);
        CHECK_MSG(mpfr_cmp(off, bound) <= 0, "axis %d at t = %a: off by %g, bound %g", i, t, mpfr_get_d(off, MPFR_RNDN),
                  mpfr_get_d(bound, MPFR_RNDN));
    }
}

/* Along a direction: the interval of the root's box holds the point. */
static void check_projection(const gz_frame_model *frame, const gz_link *link, test_random *random, const double x[3],
                             const real at[3]) {
    double n[3], extent[3], none[3] = {0, 0, 0};
    for (int c = 0; c < 3; c++) n[c] = test_random_between(random, -1, 1);
    gz_projection p;
    gz_link_extent(link, extent);
    gz_project(frame, extent, none, n, 0, &p);
    gz_face_node node = {.center = {x[0], x[1], x[2]}};
    double half, sweep, middle = gz_node_interval(&p, &node, &half, &sweep);
    real3 direction = real3_of(n);
    CHECK(real_within(real_dot(direction.c, at), middle, half + p.margin));
}

static void check_chain(graze_context *context, test_random *random, random_chain *chain, int samples) {
    gz_scene scene;
    gz_frames frames;
    const graze_model *models[1] = {chain->model};
    CHECK(gz_scene_open(&scene, context, models, 1) == GRAZE_OK);
    CHECK(gz_scene_move(&scene, gz_motions_from(&chain->motion, 0)) == GRAZE_OK);
    CHECK(gz_frames_open(&frames, &scene) == GRAZE_OK);
    uint32_t last = (uint32_t)chain->count - 1;
    for (int k = 0; k < samples; k++) {
        real_reset();
        double t = test_random_unit(random), begin = t, end = t;
        if (k % 3) {
            double length = ldexp(1, -(int)test_random_below(random, 12));
            begin = fmax(0, t - test_random_unit(random) * length);
            end = fmin(1, t + test_random_unit(random) * length);
        }
        if (k % 6 == 1) t = end;
        frames.intervals = k % 5 == 0;
        gz_frames_forget(&frames);
        gz_frames_window(&frames, begin, end);
        const gz_frame_model *frame = gz_frames_world(&frames, last);
        double x[3];
        for (int c = 0; c < 3; c++) x[c] = test_random_between(random, -0.3, 0.3);
        real at[3];
        exact_position(chain, 0, last, t, x, at);
        check_position(frame, frames.window, t, x, at);
        check_projection(frame, chain->model->links[last].tree.nodes ? &chain->model->links[last] : NULL, random, x,
                         at);
    }
    gz_frames_close(&frames);
    gz_scene_close(&scene);
}

static void check_chains(uint64_t seed, size_t links, int kind, double size, path_kind path, int chains, int samples) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {seed};
    for (int i = 0; i < chains; i++) {
        random_chain chain;
        make_chain(context, &random, links, kind, size, path, &chain);
        check_chain(context, &random, &chain, samples);
        graze_model_destroy(context, chain.model);
    }
    graze_context_destroy(context);
}

TEST(the_frame_of_each_kind_of_joint_holds_the_exact_one) {
    for (int kind = GRAZE_JOINT_FIXED; kind <= GRAZE_JOINT_FREE; kind++) {
        check_chains(10 + (uint64_t)kind, 1, kind, 3, STRAIGHT, 60, 12);
        check_chains(20 + (uint64_t)kind, 1, kind, 1000, STRAIGHT, 60, 12);
    }
    check_chains(30, 1, GRAZE_JOINT_REVOLUTE, 100, CUBIC, 60, 12);
    check_chains(31, 1, GRAZE_JOINT_PRISMATIC, 100, CUBIC, 60, 12);
    check_chains(32, 1, GRAZE_JOINT_REVOLUTE, 100, BEZIER, 200, 12);
    check_chains(33, 1, GRAZE_JOINT_PRISMATIC, 100, BEZIER, 200, 12);
    check_chains(34, 1, GRAZE_JOINT_PLANAR, 100, BEZIER, 200, 12);
}

TEST(taylor_boxes_of_chains_hold_exact_positions) {
    int chains = positions() / 40;
    check_chains(40, MOST_LINKS, -1, 3, STRAIGHT, chains, 30);
    check_chains(41, MOST_LINKS, -1, 2, CUBIC, chains, 10);
    check_chains(42, MOST_LINKS, -1, 2, BEZIER, chains, 10);
}

/* Two links of a tree, seen from each other by way of the link that carries both. */
TEST(a_link_seen_from_another_is_where_it_is) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {50};
    for (int i = 0; i < 100; i++) {
        real_reset();
        random_chain chain;
        make_chain(context, &random, 4, -1, 3, STRAIGHT, &chain);
        gz_scene scene;
        gz_frames frames;
        const graze_model *models[1] = {chain.model};
        CHECK(gz_scene_open(&scene, context, models, 1) == GRAZE_OK &&
              gz_scene_move(&scene, gz_motions_from(&chain.motion, 0)) == GRAZE_OK);
        CHECK(gz_frames_open(&frames, &scene) == GRAZE_OK);
        double t = test_random_unit(&random), x[3] = {0.1, -0.2, 0.3};
        gz_frames_window(&frames, fmax(0, t - 0.1), fmin(1, t + 0.1));
        gz_frame_model up, down;
        gz_frames_relative(&frames, 3, 1, &up);
        gz_frames_relative(&frames, 1, 3, &down);
        real at[3];
        exact_position(&chain, 2, 3, t, x, at);
        check_position(&up, frames.window, t, x, at);
        /* and back: the frame of 1 seen from 3 takes that point to x */
        real s = real_div(real_sub(real_of(t), real_of(frames.window.m)), real_of(frames.window.h));
        for (int c = 0; c < 3; c++) {
            real f = entry_at(&down, c, 3, s), bound = real_of(down.r[c][3]);
            for (int j = 0; j < 3; j++) {
                f = real_add(f, real_mul(entry_at(&down, c, j, s), at[j]));
                bound =
                    real_add(bound, real_mul(real_of(down.r[c][j]), real_of(fabs(mpfr_get_d(at[j], MPFR_RNDN)) + 1)));
            }
            CHECK(real_within(f, x[c], mpfr_get_d(bound, MPFR_RNDU)));
        }
        gz_frames_close(&frames);
        gz_scene_close(&scene);
        graze_model_destroy(context, chain.model);
    }
    graze_context_destroy(context);
}

/* Small turns and large ones, both ways round. */
TEST(the_origin_of_a_screw_is_where_it_is) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {51};
    for (int i = 0; i < 300; i++) {
        random_chain chain;
        int kind = i % 3 ? GRAZE_JOINT_FREE : GRAZE_JOINT_PLANAR;
        make_chain(context, &random, 1, kind, 3, STRAIGHT, &chain);
        chain.screws[0] = 1;
        chain.rotvecs[0] = 0;
        double size = ldexp(1, -(int)test_random_below(&random, 60));
        if (i % 3 == 1)
            for (int c = 0; c < 3; c++) chain.turns[0][c] = 4 * size * test_random_between(&random, -1, 1);
        else
            for (int v = kind == GRAZE_JOINT_FREE ? 3 : 2; v < joint_values[kind]; v++)
                chain.to[v] = chain.from[v] + 2 * size * test_random_between(&random, -1, 1);
        check_chain(context, &random, &chain, 12);
        graze_model_destroy(context, chain.model);
    }
    graze_context_destroy(context);
}

/* The origin of a screw at t by its coefficients, as exact numbers. */
static real by_coefficients(const gz_screw *screw, int c, double start, double t) {
    real angle = real_of(screw->angle), at = real_mul(angle, real_of(t));
    real s = real_div(real_sin(at), angle);
    real bend = real_div(real_sub(real_of(1), real_cos(at)), real_mul(angle, angle));
    real sum = real_add(real_of(start), real_mul(real_of(t), real_of(screw->slide[c])));
    return real_add(sum, real_add(real_mul(s, real_of(screw->swing[c])), real_mul(bend, real_of(screw->bend[c]))));
}

/* Nothing but the roundings of gz_screw_about and of the turn it is given. */
TEST(the_coefficients_of_a_screw_are_within_their_error) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_box box = test_box_of(0.5, 0.7, 0.3);
    graze_model *model = test_body(context, GRAZE_JOINT_FREE, test_frame(0, 0, 0), &box);
    gz_scene scene;
    CHECK(gz_scene_open(&scene, context, (const graze_model *const *)&model, 1) == GRAZE_OK);
    test_random random = {52};
    for (int i = 0; i < 2000; i++) {
        real_reset();
        double from[6], to[6], turns[1][3] = {{NAN, 0, 0}};
        uint8_t screws[1] = {1};
        for (int v = 0; v < 6; v++) {
            from[v] = test_random_between(&random, -2, 2);
            to[v] = from[v] + random_signed(&random, -30, 0);
        }
        if (i & 1) /* beyond half a turn, and nearly whole ones */
            for (int c = 0; c < 3; c++) turns[0][c] = test_random_between(&random, -3.6, 3.6);
        graze_motion motion = test_screw(from, to, screws);
        motion.turns = (const double(*)[3])turns;
        if (gz_scene_move(&scene, gz_motions_from(&motion, 0)) != GRAZE_OK) continue;
        const gz_joint_motion *joint = &scene.links[0].joint;
        double way[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]}, t = test_random_unit(&random);
        double sizes = 1 + joint->screw.angle + gz_length(from + 3) + gz_length(to + 3);
        double error = GZ_SCREW_ERROR * sizes * joint->screw.stretch * joint->screw.stretch * gz_length(way);
        real exact[3];
        real_screw(from, to, 3, real_turn(&motion, 3, 0), real_of(t), exact);
        for (int c = 0; c < 3; c++) {
            real off = real_sub(by_coefficients(&joint->screw, c, from[c], t), exact[c]);
            CHECK_MSG(real_within(off, 0, error), "off by %g, bound %g", mpfr_get_d(off, MPFR_RNDN), error);
        }
    }
    gz_scene_close(&scene);
    graze_model_destroy(context, model);
    graze_context_destroy(context);
}

/* ---- forms over a cell of joint values ---- */

/* Every joint at a time of its own: a corner, an edge or the inside of the cell. */
static void draw_times(test_random *random, size_t count, double *times) {
    for (size_t i = 0; i < count; i++) {
        times[i] = test_random_unit(random);
        if (test_random_below(random, 3) == 0) times[i] = (double)test_random_below(random, 2);
    }
}

static void make_forms(graze_context *context, const random_chain *chain, gz_forms *forms) {
    gz_forms_identity(forms, (int)chain->count);
    for (size_t i = 0; i < chain->count; i++) {
        const char *why = "";
        gz_joint_motion joint;
        gz_frame_model frame;
        gz_forms before = *forms;
        CHECK(gz_joint_prepare(&chain->model->links[i], (uint32_t)i, &chain->motion, &joint, &why) == GRAZE_OK);
        gz_joint_frame(context->kernels, &joint, gz_window_of(0, 1), false, &frame);
        gz_forms_append(&before, &frame, (int)i, 0, forms);
    }
}

/* The exact position of x with the joints at these times. */
static real3 position_at(const random_chain *chain, const double *times, const double x[3]) {
    real3 p = real3_of(x), q;
    for (size_t i = chain->count; i-- > 0; p = q)
        real_joint(&chain->links[i], i, chain->first[i], &chain->motion, real_of(times[i]), p.c, q.c);
    return p;
}

/* The form of entry i, j at that point of the cell. */
static real form_at(const gz_forms *forms, int i, int j, const double *times) {
    gz_window window = gz_window_of(0, 1);
    real f = real_of(forms->c0[i][j]);
    for (int v = 0; v < forms->variables; v++) {
        real xi = real_div(real_sub(real_of(times[v]), real_of(window.m)), real_of(window.h));
        f = real_add(f, real_mul(real_of(forms->c[v][i][j]), xi));
    }
    return f;
}

static void check_forms(const random_chain *chain, const gz_forms *forms, const double *times, double *share) {
    double origin[3] = {0, 0, 0};
    real3 at = position_at(chain, times, origin);
    for (int j = 0; j < 4; j++) {
        double unit[3] = {j == 0, j == 1, j == 2};
        real3 end = position_at(chain, times, unit);
        for (int i = 0; i < 3; i++) {
            real exact = j < 3 ? real_sub(end.c[i], at.c[i]) : at.c[i];
            double off = fabs(mpfr_get_d(real_sub(exact, form_at(forms, i, j, times)), MPFR_RNDN));
            CHECK_MSG(off <= forms->r[i][j], "entry %d %d is off by %g, bound %g", i, j, off, forms->r[i][j]);
            if (forms->r[i][j] > 1e-6) *share = fmax(*share, off / forms->r[i][j]);
        }
    }
}

static void check_box(test_random *random, const random_chain *chain, const gz_forms *forms, const double *times) {
    double n[3], center[3], half[3], x[3], wide;
    for (int c = 0; c < 3; c++) {
        n[c] = random_signed(random, -8, 2);
        center[c] = random_signed(random, -3, 3);
        half[c] = test_random_below(random, 3) ? fabs(random_signed(random, -6, 1)) : 0;
        double part = test_random_below(random, 3) ? 1 : test_random_unit(random);
        x[c] = center[c] + (test_random_below(random, 2) ? part : -part) * half[c];
    }
    gz_form_line line;
    gz_forms_along(forms, n, &line);
    double middle = gz_line_box(&line, forms->variables, center, half, &wide);
    real3 at = position_at(chain, times, x), direction = real3_of(n);
    double off = fabs(mpfr_get_d(real_sub(real_dot(direction.c, at.c), real_of(middle)), MPFR_RNDN));
    CHECK_MSG(off <= wide, "a point of a box is %g from the middle, not %g", off, wide);
    CHECK(line.length * line.length >= n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

TEST(forms_over_a_cell_hold_the_exact_positions) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {70};
    double share = 0;
    for (int n = 0; n < 300; n++) {
        random_chain chain;
        gz_forms forms;
        double times[MOST_LINKS];
        make_chain(context, &random, 1 + (size_t)test_random_below(&random, MOST_LINKS), n % 3, 3, STRAIGHT, &chain);
        double width = ldexp(1, -(int)test_random_below(&random, n % 2 ? 40 : 3));
        for (size_t v = 0; v < chain.count; v++) chain.to[v] = chain.from[v] + width * (chain.to[v] - chain.from[v]);
        make_forms(context, &chain, &forms);
        for (int k = 0; k < 20; k++) {
            real_reset();
            draw_times(&random, chain.count, times);
            check_forms(&chain, &forms, times, &share);
            check_box(&random, &chain, &forms, times);
        }
        graze_model_destroy(context, chain.model);
    }
    CHECK_MSG(share > 0.2, "the bounds are never nearly reached: %g", share);
    graze_context_destroy(context);
}

/* ---- the motion bound ---- */

TEST(no_point_moves_faster_than_the_motion_bound) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {60};
    double closest = 0;
    for (int i = 0; i < 400; i++) {
        real_reset();
        random_chain chain;
        path_kind path = i % 4 == 0 ? CUBIC : i % 4 == 1 ? BEZIER : STRAIGHT;
        make_chain(context, &random, i % 3 == 0 ? 1 : 4, -1, 3, path, &chain);
        gz_scene scene;
        const graze_model *models[1] = {chain.model};
        CHECK(gz_scene_open(&scene, context, models, 1) == GRAZE_OK &&
              gz_scene_move(&scene, gz_motions_from(&chain.motion, 0)) == GRAZE_OK);
        uint32_t last = (uint32_t)chain.count - 1;
        for (int k = 0; k < 5; k++) {
            real_reset();
            double v[3], n[3], t = test_random_unit(&random), h = 0x1p-40;
            const double *x = chain.model->links[last].vertices[test_random_below(&random, 8)];
            for (int c = 0; c < 3; c++) v[c] = test_random_between(&random, -1, 1);
            CHECK(gz_normalise(v, n));
            if (t + h > 1) t = 1 - h;
            real a[3], b[3];
            exact_position(&chain, 0, last, t, x, a);
            exact_position(&chain, 0, last, t + h, x, b);
            real3 direction = real3_of(n);
            double moved = fabs(mpfr_get_d(real_sub(real_dot(direction.c, b), real_dot(direction.c, a)), MPFR_RNDN));
            double bound = gz_scene_motion_bound(&scene, last, -1, n);
            CHECK_MSG(moved <= h * bound, "moved %g, bound %g", moved / h, bound);
            closest = fmax(closest, moved / (h * bound));
        }
        gz_scene_close(&scene);
        graze_model_destroy(context, chain.model);
    }
    CHECK_MSG(closest > 0.5, "the bound is never nearly reached: %g", closest);
    graze_context_destroy(context);
}

/* ---- crossing triangles ---- */

static int exact_side(const gz_vec3 *o, const gz_vec3 *p, const gz_vec3 *q, const gz_vec3 *r) {
    real d[3][3];
    const gz_vec3 *x[3] = {p, q, r};
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) d[i][c] = real_sub(real_of(x[i]->c[c]), real_of(o->c[c]));
    real det = real_of(0);
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        real minor = real_sub(real_mul(d[1][i], d[2][j]), real_mul(d[1][j], d[2][i]));
        det = real_add(det, real_mul(d[0][c], minor));
    }
    return mpfr_sgn(det);
}

/* The segment meets the closed triangle; coplanar ones are left to the sides. */
static bool exactly_meets(const gz_vec3 *p, const gz_vec3 *q, const gz_triangle *f) {
    int above = exact_side(&f->x[0], &f->x[1], &f->x[2], p), below = exact_side(&f->x[0], &f->x[1], &f->x[2], q);
    if (above * below > 0 || (above == 0 && below == 0)) return false;
    int s[3];
    for (int k = 0; k < 3; k++) s[k] = exact_side(p, q, &f->x[k], &f->x[(k + 1) % 3]);
    bool has_plus = s[0] > 0 || s[1] > 0 || s[2] > 0, has_minus = s[0] < 0 || s[1] < 0 || s[2] < 0;
    return !(has_plus && has_minus);
}

/* Of size 1, and so small that products of three coordinates underflow. */
static double crossing_size(int i) { return i % 5 == 0 ? ldexp(1, -340 - i / 5 % 20) : 1; }

TEST(triangles_that_are_said_to_cross_do) {
    test_random random = {70};
    int said = 0, denied = 0;
    for (int i = 0; i < 100000; i++) {
        real_reset();
        double size = crossing_size(i);
        gz_triangle f[2];
        for (int k = 0; k < 6; k++)
            for (int c = 0; c < 3; c++) f[k / 3].x[k % 3].c[c] = size * test_random_between(&random, -1, 1);
        if (i % 4) { /* a corner of the second in a side or in the plane of the first, but for rounding */
            double u = test_random_unit(&random), v = i % 4 == 1 ? 0 : test_random_unit(&random) * (1 - u);
            for (int c = 0; c < 3; c++)
                f[1].x[0].c[c] =
                    f[0].x[0].c[c] + u * (f[0].x[1].c[c] - f[0].x[0].c[c]) + v * (f[0].x[2].c[c] - f[0].x[0].c[c]);
        }
        bool exact = false;
        for (int k = 0; k < 3 && !exact; k++)
            exact = exactly_meets(&f[0].x[k], &f[0].x[(k + 1) % 3], &f[1]) ||
                    exactly_meets(&f[1].x[k], &f[1].x[(k + 1) % 3], &f[0]);
        bool claimed_cross = gz_triangles_cross(&f[0], &f[1], 0);
        CHECK(!claimed_cross || exact);
        said += claimed_cross;
        denied += exact && !claimed_cross;
    }
    CHECK(said > 1000 && denied < said);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
