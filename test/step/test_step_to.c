/* A step that may be taken: what graze_step_to writes is free in exact arithmetic, as the doubles that it is. */
#include "check.h"

/* Two triangles that move towards each other, far from the origin or not. */
typedef struct scene {
    uint32_t faces[2][3];
    double x0[6][3], x1[6][3], x[6][3];
    graze_mesh mesh;
} scene;

static void make_scene(scene *s, graze_context *context, test_random *random, double offset, int style) {
    for (uint32_t v = 0; v < 6; v++) {
        s->faces[v / 3][v % 3] = v;
        double side = v < 3 ? -1 : 1;
        for (int c = 0; c < 3; c++) {
            double a = test_random_between(random, -0.5, 0.5), b = test_random_between(random, -0.5, 0.5);
            if (c == 2) a = 0.3 * a + 0.4 * side, b = 0.3 * b - 0.4 * side;
            if (style == 1) a = floor(8 * a) / 8, b = floor(8 * b) / 8; /* contacts along edges and in corners */
            if (style == 2 && c == 2) a = 1e-7 * a + 1e-6 * side, b = 1e-7 * b - 1e-6 * side; /* hardly apart */
            if (style == 3 && c < 2) b = a;                                                   /* straight up and down */
            s->x0[v][c] = a + offset * (c + 1);
            s->x1[v][c] = b + offset * (c + 1);
        }
    }
    s->mesh = graze_default_mesh();
    CHECK(graze_mesh_from_faces(context, 6, (const uint32_t(*)[3])s->faces, 2, &s->mesh) == GRAZE_OK);
}

/* True if any pair of the two triangles comes within the separation, by the oracle alone. */
static bool touches(const scene *s, const double (*from)[3], const double (*to)[3], double separation) {
    graze_options options = graze_default_options();
    options.method = GRAZE_METHOD_ORACLE;
    options.min_separation = separation;
    for (int kind = 0; kind < 2; kind++)
        for (uint32_t a = 0; a < 6; a++)
            for (uint32_t b = 0; b < 6; b++) {
                graze_pair pair = {(graze_kind)kind, a, b};
                if (kind == GRAZE_VF && (b >= 2 || a / 3 == b)) continue;
                if (kind == GRAZE_EE && (a >= b || s->mesh.edges[a][0] / 3 == s->mesh.edges[b][0] / 3)) continue;
                graze_query query;
                graze_result result;
                CHECK(graze_pair_query(&s->mesh, from, to, 0, pair, &query) == GRAZE_OK);
                CHECK(graze_ccd((graze_kind)kind, &query, &options, &result) == GRAZE_OK);
                if (result.verdict != GRAZE_CLEAR) return true;
            }
    return false;
}

typedef struct tally {
    long hits, stopped, short_steps;
} tally;

static void check_case(graze_context *context, test_random *random, long i, tally *count) {
    static const double offsets[] = {0, 1, 1e3, 1e6}, separations[] = {0, 1e-9, 1e-6, 1e-3, 1e-2};
    scene s;
    double separation = separations[i % 5];
    make_scene(&s, context, random, offsets[i / 5 % 4], (int)(i / 20 % 4));
    graze_options narrow = graze_default_options();
    narrow.min_separation = separation;
    narrow.method = i / 80 % 2 ? GRAZE_METHOD_EXACT : GRAZE_METHOD_CERTIFIED;
    if (i % 7 == 0) narrow.t_max = test_random_between(random, 0.1, 1);
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    graze_step_result result = graze_default_step_result();
    const double(*x0)[3] = (const double(*)[3])s.x0, (*x1)[3] = (const double(*)[3])s.x1;
    const double(*x)[3] = (const double(*)[3])s.x;
    CHECK(graze_step_to(context, &s.mesh, x0, x1, &options, s.x, &result) == GRAZE_OK);
    CHECK(result.alpha >= 0 && result.alpha <= narrow.t_max && result.alpha <= result.toi);
    count->hits += result.verdict != GRAZE_CLEAR;
    if (result.alpha == 0) {
        count->stopped++;
        CHECK_MSG(touches(&s, x0, x0, separation), "case %ld stays although its start is free", i);
        CHECK(memcmp(s.x, s.x0, sizeof s.x) == 0);
    } else {
        CHECK_MSG(!touches(&s, x0, x, separation), "case %ld: alpha %a, toi %a", i, result.alpha, result.toi);
        CHECK_MSG(!touches(&s, x, x, separation), "case %ld starts in contact", i);
        count->short_steps += result.alpha < 0.99 * result.toi;
    }
    if (result.verdict == GRAZE_CLEAR && narrow.t_max == 1)
        CHECK(result.alpha == 1 && memcmp(s.x, s.x1, sizeof s.x) == 0);
    graze_mesh_release(context, &s.mesh);
}

/* GRAZE_STEP_TO_CASES sets their number: 1000000 takes minutes. */
TEST(no_step_that_may_be_taken_touches) {
    const char *asked = getenv("GRAZE_STEP_TO_CASES");
    long cases = asked ? atol(asked) : 4000;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {2024};
    tally count = {0};
    for (long i = 0; i < cases; i++) check_case(context, &random, i, &count);
    printf("      %ld cases, %ld hits, %ld start in contact, %ld stop before 0.99 toi\n", cases, count.hits,
           count.stopped, count.short_steps);
    CHECK(count.hits > cases / 4 && count.short_steps < cases / 4);
    graze_context_destroy(context);
}

/* The loop of a solver: step, then ask again from there, towards the same end. */
TEST(steps_can_be_taken_again_and_again) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {7};
    for (int i = 0; i < 100; i++) {
        scene s;
        make_scene(&s, context, &random, i % 2 ? 1e3 : 0, i % 4);
        for (int step = 0; step < 6; step++) {
            graze_step_result result = graze_default_step_result();
            CHECK(graze_step_to(context, &s.mesh, (const double(*)[3])s.x0, (const double(*)[3])s.x1, NULL, s.x,
                                &result) == GRAZE_OK);
            if (step > 0) CHECK_MSG(result.toi > 0, "step %d of scene %d starts in contact", step, i);
            memcpy(s.x0, s.x, sizeof s.x0);
        }
        graze_mesh_release(context, &s.mesh);
    }
    graze_context_destroy(context);
}

/* Its positions are those at alpha, and free; with an energy and without, for any stride. */
TEST(the_positions_of_a_line_search_are_free) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {11};
    int moved = 0;
    for (int i = 0; i < 400; i++) {
        scene s;
        double wide0[6][5], wide1[6][5], wide[6][5];
        make_scene(&s, context, &random, i % 4 == 3 ? 1e6 : i % 4, i % 3);
        for (int v = 0; v < 6; v++)
            for (int c = 0; c < 5; c++)
                wide0[v][c] = c < 3 ? s.x0[v][c] : 7, wide1[v][c] = c < 3 ? s.x1[v][c] : 7, wide[v][c] = 7;
        graze_step_options step = graze_default_step_options();
        graze_line_search_options options = graze_default_line_search_options();
        graze_line_search_result result = graze_default_line_search_result();
        step.stride = sizeof wide[0];
        options.step = &step;
        options.x = (double(*)[3])(void *)wide;
        CHECK(graze_line_search(context, &s.mesh, (const double(*)[3])(void *)wide0, (const double(*)[3])(void *)wide1,
                                NULL, NULL, &options, &result) == GRAZE_OK);
        for (int v = 0; v < 6; v++) {
            for (int c = 0; c < 3; c++) s.x[v][c] = wide[v][c];
            CHECK(wide[v][3] == 7 && wide[v][4] == 7);
        }
        const double(*x0)[3] = (const double(*)[3])s.x0, (*x)[3] = (const double(*)[3])s.x;
        if (result.alpha == 0) CHECK(memcmp(s.x, s.x0, sizeof s.x) == 0);
        if (result.alpha > 0) CHECK_MSG(!touches(&s, x0, x, 0), "scene %d, alpha %a", i, result.alpha);
        moved += result.alpha > 0;
        /* the least start distance of its candidates, by all pairs that there are */
        if (result.has_pair) {
            double least = INFINITY;
            graze_pair *pairs;
            size_t count;
            graze_options narrow = graze_default_options();
            graze_step_options all = graze_default_step_options();
            narrow.min_separation = 10;
            all.narrow = &narrow;
            CHECK(graze_candidates(context, &s.mesh, x0, (const double(*)[3])s.x1, &all, &pairs, &count) == GRAZE_OK);
            for (size_t k = 0; k < count; k++) {
                graze_distance_result d;
                CHECK(graze_distances(context, &s.mesh, x0, &pairs[k], 1, NULL, &d) == GRAZE_OK);
                least = fmin(least, d.value);
            }
            CHECK(result.distance >= least && isfinite(result.distance));
            graze_pairs_release(context, pairs, count);
        }
        graze_mesh_release(context, &s.mesh);
    }
    CHECK(moved > 200);
    graze_context_destroy(context);
}

TEST(thickness_is_kept) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {8};
    double radii[6] = {0.01, 0.01, 0.01, 0.02, 0.02, 0.02};
    for (int i = 0; i < 200; i++) {
        scene s;
        make_scene(&s, context, &random, 0, 0);
        s.mesh.thickness = radii;
        graze_step_result result = graze_default_step_result();
        CHECK(graze_step_to(context, &s.mesh, (const double(*)[3])s.x0, (const double(*)[3])s.x1, NULL, s.x, &result) ==
              GRAZE_OK);
        CHECK(result.alpha == 0 || !touches(&s, (const double(*)[3])s.x0, (const double(*)[3])s.x, 0.03));
        graze_mesh_release(context, &s.mesh);
    }
    graze_context_destroy(context);
}

static int cancel_after(void *user) { return --*(int *)user < 0; }

TEST(what_cannot_be_proven_stays_where_it_is) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    test_random random = {9};
    scene s;
    make_scene(&s, context, &random, 0, 3);
    graze_step_result result = graze_default_step_result();
    const double(*x0)[3] = (const double(*)[3])s.x0, (*x1)[3] = (const double(*)[3])s.x1;
    CHECK(graze_step_to(context, &s.mesh, x0, x1, NULL, NULL, &result) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_step_to(NULL, &s.mesh, x0, x1, NULL, s.x, &result) == GRAZE_ERR_INVALID_ARGUMENT && result.alpha == 0);
    CHECK(graze_step_to(context, &s.mesh, x0, x1, NULL, s.x, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    graze_options narrow = graze_default_options();
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    narrow.method = GRAZE_METHOD_PROVOT;
    CHECK(graze_step_to(context, &s.mesh, x0, x1, &options, s.x, &result) == GRAZE_ERR_UNSUPPORTED);
    for (int calls = 0; calls < 12; calls++) {
        int left = calls;
        graze_context_options own = graze_default_context_options();
        own.threads = 1;
        own.cancel = cancel_after;
        own.cancel_user = &left;
        graze_context *cancelled;
        CHECK(graze_context_create(&own, &cancelled) == GRAZE_OK);
        CHECK(graze_step_to(cancelled, &s.mesh, x0, x1, NULL, s.x, &result) == GRAZE_OK);
        CHECK(result.alpha == 0 ? memcmp(s.x, s.x0, sizeof s.x) == 0 : !touches(&s, x0, (const double(*)[3])s.x, 0));
        graze_context_destroy(cancelled);
    }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
