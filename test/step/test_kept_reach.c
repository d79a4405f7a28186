/* The part of its start distance that a pair that stops in a window can have to keep, against exact rationals, and the
   steps that rest on it against all pairs. */
#include "rational.h"
#include "same_bits.h"
#include "soup.h"

#include "step/kept_reach.h"

#define POSITIONS(s) (const double(*)[3])(s)->x0, (const double(*)[3])(s)->x1

/* ---- the bound ---- */

/* The bound of a mesh of so many vertices, as a step has it. */
static double reach_of(graze_context *context, const double (*x0)[3], const double (*x1)[3], uint32_t count,
                       double part, double separation, double tolerance, double window) {
    graze_mesh mesh = graze_default_mesh();
    mesh.vertex_count = count;
    gz_step_call call = {.context = context, .mesh = &mesh};
    call.positions = (gz_positions){(const char *)x0, (const char *)x1, sizeof *x0, NULL};
    call.options.relative_separation = part;
    call.question.separation = separation;
    call.narrow.tolerance = tolerance;
    gz_kept_measure(&call);
    return gz_kept_reach(&call, window);
}

/* True if reach² ≥ 3·(part·gap)²: what two points keep that are `gap` apart on every axis. */
static bool holds(double reach, double part, const mpq_t gap) {
    mpq_t kept, square;
    mpq_inits(kept, square, NULL);
    mpq_set_d(kept, part);
    mpq_mul(kept, kept, gap);
    mpq_mul(kept, kept, kept);
    mpq_set_si(square, 3, 1);
    mpq_mul(kept, kept, square);
    mpq_set_d(square, reach);
    mpq_mul(square, square, square);
    bool enough = mpq_cmp(square, kept) >= 0;
    mpq_clears(kept, square, NULL);
    return enough;
}

/* The least double that is not below q > 0. */
static double not_below(const mpq_t q) {
    mpq_t back;
    double x = mpq_get_d(q); /* rounded towards 0 */
    mpq_init(back);
    mpq_set_d(back, x);
    if (mpq_cmp(back, q) < 0) x = nextafter(x, INFINITY);
    mpq_clear(back);
    return x;
}

static double draw_part(test_random *random, int run) {
    return run % 3 == 0 ? 0.999 : run % 3 == 1 ? test_random_between(random, 0.5, 0.999) : test_random_unit(random);
}

/* Two points approach each other along the diagonal, at the largest speed of all: they come to what they have to keep
   at the time gap·(1 − part)/(2·motion) of the step, exactly. Sizes of motion and window are drawn by themselves. */
TEST(what_stops_in_a_window_keeps_no_more_than_the_bound) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {1};
    size_t tight = 0;
    for (int run = 0; run < 20000; run++) {
        double part = draw_part(&random, run),
               window = ldexp(test_random_unit(&random), -(int)test_random_below(&random, 40));
        double motion =
            ldexp(1 + test_random_unit(&random), run % 4 ? 100 - (int)test_random_below(&random, 1000) : -1060);
        if (run % 4 == 0)
            motion = ldexp((double)(1 + test_random_below(&random, 9)), -1074 + (int)test_random_below(&random, 6));
        double x0[2][3], x1[2][3];
        for (int c = 0; c < 3; c++) {
            x0[0][c] = x0[1][c] = x1[1][c] = 0;
            x1[0][c] = c == run % 3 ? -motion : motion;
        }
        mpq_t gap, speed, rest;
        mpq_inits(gap, speed, rest, NULL);
        mpq_set_d(gap, window);
        mpq_set_d(speed, motion);
        mpq_mul(gap, gap, speed);
        mpq_add(gap, gap, gap); /* both move */
        mpq_set_d(speed, part);
        mpq_set_si(rest, 1, 1);
        mpq_sub(rest, rest, speed);
        mpq_div(gap, gap, rest);
        double reach = reach_of(context, (const double(*)[3])x0, (const double(*)[3])x1, 2, part, 0, 0, window);
        CHECK_MSG(holds(reach, part, gap), "part %a, motion %a, window %a: %a", part, motion, window, reach);
        tight += part > 0.5 && !holds(reach * (1 - 0x1p-30), part, gap);
        mpq_clears(gap, speed, rest, NULL);
    }
    CHECK_MSG(tight > 2000, "%zu", tight);
    graze_context_destroy(context);
}

/* At rest a pair stops where it is within the tolerance of what it keeps: gap·(1 − part) is that tolerance. By default
   it is 2⁻⁴⁰ of the size, here that of two points on both sides of the first. */
TEST(the_tolerance_of_the_widest_pair_is_within_the_bound) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {2};
    for (int run = 0; run < 2000; run++) {
        double part = draw_part(&random, run),
               size = ldexp(1 + test_random_unit(&random), 100 - (int)test_random_below(&random, 1000));
        double x[3][3] = {{0}}, asked = run % 2 ? size * test_random_between(&random, 0.01, 1) : 0;
        for (int c = 0; c < 3; c++) x[1][c] = size, x[2][c] = -size;
        double reach = reach_of(context, (const double(*)[3])x, (const double(*)[3])x, 3, part, 0, asked, 1);
        mpq_t kept, one;
        mpq_inits(kept, one, NULL);
        mpq_set_d(kept, part);
        mpq_set_si(one, 1, 1);
        mpq_sub(one, one, kept);
        mpq_div(kept, kept, one);
        mpq_set_d(one, run % 2 ? asked : 0x1p-40 * 2 * size);
        mpq_mul(kept, kept, one);
        CHECK_MSG(reach >= not_below(kept), "part %a, size %a: %a", part, size, reach);
        mpq_clears(kept, one, NULL);
    }
    graze_context_destroy(context);
}

TEST(the_separation_of_all_pairs_is_the_least_bound) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    const double x[2][3] = {{0, 0, 0}, {1, 0, 0}};
    CHECK(reach_of(context, x, x, 2, 0, 0.25, 0, 1) == 0.25 && reach_of(context, x, x, 2, 0.5, 0.25, 0, 1) == 0.25);
    CHECK(reach_of(context, x, x, 2, 0.999, 0, 0, 1) <= 0x1p-27);
    graze_context_destroy(context);
}

/* ---- steps ---- */

/* Those that move little stop at times and distances of every size. */
static void make_scene(soup *s, graze_context *context, int scene) {
    soup_make(s, context, scene % 3 == 2 ? SOUP_CLUSTERED : SOUP_UNIFORM, 150 + 30 * (uint32_t)(scene % 5),
              700 + (uint64_t)scene);
    double slow = scene % 2 ? 1 : 0.02;
    for (uint32_t v = 0; v < s->mesh.vertex_count; v++)
        for (int c = 0; c < 3; c++) s->x1[v][c] = s->x0[v][c] + slow * (s->x1[v][c] - s->x0[v][c]);
}

/* Mode all looks at every candidate, without a window. The second step of a context tries the pairs of the first. */
TEST(windows_leave_the_earliest_of_pairs_that_keep_a_part) {
    static soup s;
    size_t early = 0, others = 0;
    for (int scene = 0; scene < 60; scene++) {
        const double part = (const double[]){0.05, 0.3, 0.9, 0.999}[scene % 4];
        graze_context *context = test_context(1 + (uint32_t)scene % 3, GRAZE_ISA_AUTO);
        graze_options narrow = graze_default_options();
        graze_step_options options = graze_default_step_options();
        make_scene(&s, context, scene);
        narrow.method = scene % 5 == 4 ? GRAZE_METHOD_EXACT : GRAZE_METHOD_CERTIFIED;
        if (scene % 7 == 3) narrow.tolerance = 1e-4;
        if (scene % 7 == 5) narrow.max_checks = 3;
        if (scene % 7 == 6) narrow.min_separation = 1e-3;
        options.narrow = &narrow;
        options.relative_separation = part;
        options.mode = GRAZE_STEP_ALL;
        graze_step_result all = graze_default_step_result(), first = graze_default_step_result();
        CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &all) == GRAZE_OK);
        options.mode = GRAZE_STEP_EARLIEST;
        for (int again = 0; again < 3; again++) {
            CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &first) == GRAZE_OK);
            CHECK_MSG(first.toi == all.toi && first.verdict == all.verdict && first.has_pair == all.has_pair &&
                          (!all.has_pair || same_bits(&first.limiting, &all.limiting)),
                      "scene %d, part %g: toi %a, of all %a", scene, part, first.toi, all.toi);
        }
        early += all.has_pair && all.toi > 0 && 2 * part * all.toi < 1 - part;
        others += all.pair_count > 20;
        graze_step_release(context, &all);
        graze_mesh_release(context, &s.mesh);
        graze_context_destroy(context);
    }
    CHECK_MSG(early > 15 && others > 30, "%zu, %zu", early, others);
}

/* Triangle i of a row of them, at `height` over the ground and moving up by `rise`. */
static void set_triangle(soup *s, uint32_t i, double place, double height, double rise, double size) {
    for (uint32_t k = 0; k < 3; k++) {
        double *x0 = s->x0[3 * i + k], *x1 = s->x1[3 * i + k];
        s->faces[i][k] = 3 * i + k;
        x0[0] = x1[0] = size * (place + (k == 1 ? 1 : 0.1 * (i % 2)));
        x0[1] = x1[1] = size * (k == 2 ? 1 : 0.1 * (i % 2));
        x0[2] = size * height;
        x1[2] = size * (height + rise);
    }
}

/* Two triangles that are far apart and fast stop before two that are close and slow, long before their own boxes meet.
   The close ones are known from the step before, so the window is small from the start. */
TEST(fast_pairs_that_are_far_apart_are_found_in_a_small_window) {
    static soup s;
    enum { COUNT = 90 };
    test_random random = {8};
    for (int run = 0; run < 60; run++) {
        graze_context *context = test_context(1 + (uint32_t)run % 2, GRAZE_ISA_AUTO);
        double size = ldexp(1, run % 5 ? 30 - (int)test_random_below(&random, 60) : 0);
        double gap = test_random_between(&random, 1, 4), part = test_random_between(&random, 0.5, 0.95);
        double early = 0.004 * (1 - part) * test_random_between(&random, 0.5, 1); /* when the fast ones stop */
        for (uint32_t i = 0; i < COUNT; i++) set_triangle(&s, i, 10.0 * i, 0, 0, size);
        set_triangle(&s, 0, 0, 0, 0.5 * gap * (1 - part) / early, size);
        set_triangle(&s, 1, 0, gap, -0.5 * gap * (1 - part) / early, size);
        set_triangle(&s, 2, 20, 0, 0, size);
        set_triangle(&s, 3, 20, 0.01, -0.01 * (1 - part) / (2 * early), size);
        s.mesh = graze_default_mesh();
        CHECK(graze_mesh_from_faces(context, 3 * COUNT, (const uint32_t(*)[3])s.faces, COUNT, &s.mesh) == GRAZE_OK);
        graze_step_options options = graze_default_step_options();
        graze_step_result slow = graze_default_step_result(), both = graze_default_step_result();
        options.relative_separation = part;
        double kept[3] = {s.x1[0][2], s.x1[1][2], s.x1[2][2]};
        for (int v = 0; v < 3; v++) s.x1[v][2] = s.x0[v][2]; /* one of the fast ones rests, the other goes away */
        for (int v = 3; v < 6; v++) s.x1[v][2] = 2 * s.x0[v][2] - s.x1[v][2];
        CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &slow) == GRAZE_OK);
        for (int v = 0; v < 3; v++) s.x1[v][2] = kept[v];
        for (int v = 3; v < 6; v++) s.x1[v][2] = 2 * s.x0[v][2] - s.x1[v][2];
        CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &both) == GRAZE_OK);
        CHECK_MSG(fabs(slow.toi - 2 * early) < 0.01 * early && fabs(both.toi - early) < 0.01 * early,
                  "run %d: %g and %g, early %g", run, slow.toi, both.toi, early);
        graze_mesh_release(context, &s.mesh);
        graze_context_destroy(context);
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
