/* Plans: splines of a world's joints, from the outside. Contacts are where formulas put them, and poses before a
 * contact are free. */
#include "articulated/bodies.h"

#include "graze/plan.h"

/* A box that slides along x, and another one that stands: they touch where the value is 1 to 3. */
typedef struct slide {
    graze_context *context;
    test_box box;
    graze_world *world;
} slide;

static slide make_slide(uint32_t threads) {
    slide s = {.context = test_context(threads, GRAZE_ISA_AUTO), .box = test_box_of(0.5, 0.5, 0.5)};
    graze_link_mesh mesh = test_mesh_of(&s.box);
    graze_link link = test_link(-1, GRAZE_JOINT_PRISMATIC, test_frame(0, 0, 0), &mesh);
    link.axis[0] = 1;
    link.axis[2] = 0;
    graze_model *model;
    CHECK(graze_model_create(s.context, &link, 1, &model) == GRAZE_OK);
    graze_body bodies[2] = {graze_default_body(), graze_default_body()};
    bodies[0].model = model;
    bodies[1].kind = GRAZE_BODY_STATIC;
    bodies[1].meshes = &mesh;
    bodies[1].mesh_count = 1;
    bodies[1].origin = test_frame(2, 0.3, 0.2);
    CHECK(graze_world_create(s.context, bodies, 2, NULL, &s.world) == GRAZE_OK);
    graze_model_destroy(s.context, model);
    return s;
}

static void free_slide(slide *s) {
    graze_world_release(s->world);
    graze_context_destroy(s->context);
}

static graze_path path_of(uint32_t degree, size_t count, const double *knots, const double *control) {
    graze_path path = graze_default_path();
    path.degree = degree;
    path.count = count;
    path.knots = knots;
    path.control = control;
    return path;
}

static graze_plan_result solve(const slide *s, const graze_path *path) {
    graze_plan_result result = graze_default_plan_result();
    CHECK(graze_world_plan(s->context, s->world, path, 1, NULL, &result) == GRAZE_OK);
    return result;
}

TEST(straight_segments_touch_when_they_should) {
    slide s = make_slide(2);
    /* 0 at 10 s, 0.5 at 12 s, 0 at 13 s, 1.5 at 16 s: at 1 after two of three seconds, at 15 */
    double knots[] = {10, 10, 12, 13, 16, 16}, control[] = {0, 0.5, 0, 1.5};
    graze_path path = path_of(1, 4, knots, control);
    graze_plan_result r = solve(&s, &path);
    CHECK(r.verdict == GRAZE_HIT && r.segments == 3 && r.segment == 2);
    CHECK_MSG(r.time <= 15 && r.time > 15 - 1e-8, "%.17g", r.time);
    CHECK_MSG(r.time_upper >= 15 && r.time_upper < 15 + 1e-8, "%.17g", r.time_upper);
    CHECK(fabs(r.toi - 2.0 / 3) < 1e-8 && r.has_contact && r.contact.model_a + r.contact.model_b == 1);
    path.count = 3; /* until 13 s */
    double shorter[] = {10, 10, 12, 13, 13};
    path.knots = shorter;
    r = solve(&s, &path);
    CHECK(r.verdict == GRAZE_CLEAR && r.time == 13 && r.segment == 2 && r.segments == 2);
    free_slide(&s);
}

/* x(t) = 2·t^d on [0, 1] in seconds 4·t − 3: it is 1 at t = 2^(−1/d). Bézier values 0, …, 0, 2. */
TEST(powers_of_every_degree_touch_when_they_should) {
    slide s = make_slide(1);
    for (uint32_t degree = 1; degree <= GRAZE_MAX_DEGREE; degree++) {
        double knots[16], control[8] = {0};
        for (uint32_t i = 0; i <= degree; i++) knots[i] = -3, knots[degree + 1 + i] = 1;
        control[degree] = 2;
        graze_path path = path_of(degree, degree + 1, knots, control);
        graze_plan_result r = solve(&s, &path);
        double truth = 4 * pow(2, -1.0 / degree) - 3;
        CHECK(r.verdict == GRAZE_HIT && r.contact.proven && r.segments == 1);
        CHECK_MSG(r.time <= truth + 1e-15 && r.time > truth - 1e-7, "degree %u: %.17g, %.17g", degree, r.time, truth);
        CHECK_MSG(r.time_upper >= truth - 1e-15 && r.time_upper < truth + 1e-7, "degree %u", degree);
        control[degree] = 0.999999;
        CHECK(solve(&s, &path).verdict == GRAZE_CLEAR);
    }
    free_slide(&s);
}

/* De Boor's value of a spline in doubles, to know where to look. */
static double value_at(const graze_path *path, double t) {
    size_t span = path->degree;
    while (span + 1 < path->count && path->knots[span + 1] <= t) span++;
    double d[GRAZE_MAX_DEGREE + 1];
    for (size_t i = 0; i <= path->degree; i++) d[i] = path->control[span - path->degree + i];
    for (size_t level = 1; level <= path->degree; level++)
        for (size_t j = path->degree; j >= level; j--) {
            double from = path->knots[j + span - path->degree], to = path->knots[j + 1 + span - level];
            d[j] += (1 - (t - from) / (to - from)) * (d[j - 1] - d[j]);
        }
    return d[path->degree];
}

TEST(random_splines_are_free_before_the_time_and_touch_at_it) {
    slide s = make_slide(2);
    test_random random = {5};
    int hits = 0, clear = 0;
    for (int n = 0; n < 600; n++) {
        double knots[40], control[20], time = 0;
        uint32_t degree = 1 + (uint32_t)test_random_below(&random, GRAZE_MAX_DEGREE);
        size_t count = degree + 1 + (size_t)test_random_below(&random, 12), run = 1;
        for (size_t i = 0; i <= count + degree; i++) {
            bool again = i && i != count && run < degree && test_random_below(&random, 3) == 0;
            run = again ? run + 1 : 1;
            if (!again) time += test_random_unit(&random) + 0.01;
            knots[i] = time;
        }
        for (size_t i = 0; i < count; i++) control[i] = test_random_between(&random, -2, 1.4);
        graze_path path = path_of(degree, count, knots, control);
        graze_plan_result r = solve(&s, &path);
        double first = INFINITY, begin = knots[degree], end = knots[count];
        for (int k = 0; k <= 4000 && first == INFINITY; k++) {
            double t = begin + (end - begin) * k / 4000;
            if (value_at(&path, fmin(t, end)) >= 1) first = t;
        }
        CHECK_MSG(r.time <= first + 1e-12, "case %d: %.17g, but it touches at %.17g", n, r.time, first);
        if (r.verdict == GRAZE_HIT)
            CHECK_MSG(fabs(value_at(&path, r.time) - 1) < 1e-6 || r.time == begin, "case %d", n);
        CHECK(r.verdict != GRAZE_UNRESOLVED && (r.verdict == GRAZE_HIT || first == INFINITY));
        hits += r.verdict == GRAZE_HIT;
        clear += r.verdict == GRAZE_CLEAR;
    }
    CHECK_MSG(hits > 100 && clear > 100, "%d hits, %d clear", hits, clear);
    free_slide(&s);
}

TEST(threads_change_no_bit_and_many_pieces_are_one_plan) {
    enum { COUNT = 301 };
    double knots[COUNT + 4], control[COUNT];
    for (int i = 0; i < COUNT + 4; i++) knots[i] = 0.1 * i;
    for (int i = 0; i < COUNT; i++) control[i] = 0.9 * sin(0.7 * i);
    graze_path path = path_of(3, COUNT, knots, control);
    for (int last = 0; last < 2; last++) {
        graze_plan_result results[2];
        if (last) control[COUNT - 20] = 4;
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            slide s = make_slide(threads);
            results[threads / 2] = solve(&s, &path);
            free_slide(&s);
        }
        CHECK(memcmp(&results[0], &results[1], sizeof *results) == 0);
        CHECK(results[0].verdict == (last ? GRAZE_HIT : GRAZE_CLEAR) && results[0].segments == COUNT - 3);
    }
}

TEST(bad_plans_are_refused_with_a_reason) {
    slide s = make_slide(1);
    double knots[] = {0, 0, 1, 1}, control[] = {0, 0.5}, late[] = {0, 0, 2, 2};
    graze_path good[2] = {path_of(1, 2, knots, control), path_of(1, 2, late, control)};
    graze_plan_result r = graze_default_plan_result();
    graze_error error;
    CHECK(graze_world_plan(s.context, s.world, good, 1, NULL, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_world_plan(NULL, s.world, good, 1, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_world_plan(s.context, NULL, good, 1, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_world_plan(s.context, s.world, good, 0, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_world_plan(s.context, s.world, good, 2, NULL, &r) == GRAZE_ERR_INVALID_ARGUMENT);
    graze_context_last_error(s.context, &error);
    CHECK_MSG(error.index == 1 && strstr(error.message, "another time"), "%s", error.message);
    CHECK(r.verdict == GRAZE_UNRESOLVED && r.time == -INFINITY);
    good[0].body = 7;
    CHECK(graze_world_plan(s.context, s.world, good, 1, NULL, &r) == GRAZE_ERR_BAD_INDEX);
    good[0].body = 0;
    control[1] = NAN;
    CHECK(graze_world_plan(s.context, s.world, good, 1, NULL, &r) == GRAZE_ERR_NOT_FINITE && r.time == -INFINITY);
    control[1] = 0.5;
    graze_articulated_options options = graze_default_articulated_options();
    options.mode = GRAZE_ARTICULATED_ALL;
    CHECK(graze_world_plan(s.context, s.world, good, 1, &options, &r) == GRAZE_ERR_UNSUPPORTED);
    options = graze_default_articulated_options();
    options.t_max = 0.5;
    CHECK(graze_world_plan(s.context, s.world, good, 1, &options, &r) == GRAZE_ERR_UNSUPPORTED);
    options.t_max = 1;
    options.max_checks = 1;
    control[1] = 0.999; /* near enough that one check does not do */
    CHECK(graze_world_plan(s.context, s.world, good, 1, &options, &r) == GRAZE_OK && r.verdict != GRAZE_HIT);
    CHECK(graze_world_plan(s.context, s.world, good, 1, NULL, &r) == GRAZE_OK && r.verdict == GRAZE_CLEAR);
    free_slide(&s);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
