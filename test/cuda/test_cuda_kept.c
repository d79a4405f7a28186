/* Pairs that keep a part of their own start distance, on a device, in depth: scenes whose triangles have places, edges
   and motions of sizes drawn apart from each other, one context that keeps its windows from step to step. Every answer
   has the bits of the CPU. Skipped, with the reason, where there is no device. */
#include "scaled_pairs.h"
#include "scenes.h"

/* GRAZE_KEPT_SCENES: how many are drawn. */
static size_t wanted(size_t usual) {
    const char *given = getenv("GRAZE_KEPT_SCENES");
    return given ? (size_t)strtoull(given, NULL, 10) : usual / one_in();
}

/* ---- scenes ---- */

/* Exponents of a scene's size, and how far below it sizes of its parts may be. */
static const scaled_range ranges[] = {{-3, 3, 4}, {-20, 20, 30}, {-1060, 156, 60}, {-1060, 156, 500}};

typedef struct drawn {
    soup s;
    int exponent, spread;
} drawn;

/* Corners of a triangle, or ends of an edge, about a place of their own. */
static void draw_places(test_random *random, drawn *d) {
    for (uint32_t v = 0; v < d->s.mesh.vertex_count; v++) {
        double place[3], part[3];
        scaled_vector(random, ldexp(1, d->exponent - 1), place);
        if (v % 3) memcpy(place, d->s.x0[v - 1], sizeof place);
        scaled_vector(random, scaled_size(random, d->exponent - 3, d->spread), part);
        for (int c = 0; c < 3; c++) d->s.x0[v][c] = place[c] + part[c];
    }
}

/* All vertices move by about as much, or each as it likes; some not at all. */
static void draw_motions(test_random *random, drawn *d) {
    double all = scaled_size(random, d->exponent - 1, d->spread);
    bool alike = test_random_below(random, 2);
    for (uint32_t v = 0; v < d->s.mesh.vertex_count; v++) {
        double motion[3];
        scaled_vector(random, alike ? all : scaled_size(random, d->exponent - 1, d->spread), motion);
        bool moves = test_random_below(random, 5) > 0;
        for (int c = 0; c < 3; c++) d->s.x1[v][c] = d->s.x0[v][c] + (moves ? motion[c] : 0);
    }
}

static void draw_scene(test_random *random, graze_context *context, drawn *d) {
    scaled_range range = ranges[test_random_below(random, sizeof ranges / sizeof *ranges)];
    uint32_t count = 2 + (uint32_t)test_random_below(random, 40);
    soup_make(&d->s, context, SOUP_UNIFORM, count, test_random_below(random, 1000));
    d->exponent = range.least + (int)test_random_below(random, (uint64_t)(range.most - range.least + 1));
    d->spread = range.spread;
    draw_places(random, d);
    draw_motions(random, d);
}

/* ---- questions ---- */

/* From hardly any of the distance to nearly all of it. */
static double draw_part(test_random *random) {
    double small = ldexp(test_random_between(random, 0.5, 1), -(int)test_random_below(random, 40));
    switch (test_random_below(random, 4)) {
    case 0: return small;
    case 1: return fmin(1 - small, 0.999); /* which is the most that may be asked for */
    case 2: return 0x1p-1074;
    default: return test_random_between(random, 0.01, 0.6);
    }
}

static void draw_question(test_random *random, const drawn *d, graze_options *narrow, graze_step_options *options) {
    *narrow = graze_default_options();
    *options = graze_default_step_options();
    narrow->method = test_random_below(random, 2) ? GRAZE_METHOD_EXACT : GRAZE_METHOD_CERTIFIED;
    if (test_random_below(random, 3) == 0)
        narrow->min_separation = scaled_size(random, d->exponent - 3, d->spread) * test_random_unit(random);
    if (test_random_below(random, 3) == 0) narrow->t_max = test_random_between(random, 0.01, 1);
    if (test_random_below(random, 4) == 0)
        narrow->max_checks = 1 + test_random_below(random, test_random_below(random, 2) ? 600 : 8);
    if (test_random_below(random, 4) == 0) options->memory_limit = 1 + test_random_below(random, 20000);
    options->narrow = narrow;
    options->relative_separation = draw_part(random);
}

/* ---- steps ---- */

typedef struct tally {
    size_t steps, hits, open;
} tally;

static void compare(graze_context *context, const drawn *d, const graze_step_options *asked, graze_step_mode mode,
                    const char *what, tally *seen) {
    static double times[2][3 * SOUP_MAX];
    graze_step_options options = *asked;
    graze_step_result r[2];
    options.mode = mode;
    for (int i = 0; i < 2; i++) {
        options.backend = i ? GRAZE_BACKEND_CUDA : GRAZE_BACKEND_CPU;
        options.memory_limit = i ? asked->memory_limit : 0;
        options.vertex_toi = times[i];
        r[i] = graze_default_step_result();
        graze_status status = graze_step(context, &d->s.mesh, POSITIONS(&d->s), &options, &r[i]);
        graze_error error;
        graze_context_last_error(context, &error);
        CHECK_MSG(status == GRAZE_OK, "%s: %s", what, error.message);
    }
    CHECK(r[1].backend == GRAZE_BACKEND_CUDA);
    check_same(&r[0], r[0].pairs, &r[1], r[1].pairs, what);
    seen->steps++;
    seen->hits += r[0].verdict == GRAZE_HIT && r[0].toi > 0;
    seen->open += r[0].verdict == GRAZE_UNRESOLVED;
    for (int i = 0; i < 2; i++) graze_step_release(context, &r[i]);
}

/* Some steps of one mesh: its windows are those of the steps before it. */
static void compare_some(test_random *random, graze_context *context, drawn *d, tally *seen) {
    for (int again = 0; again < 3; again++) {
        graze_options narrow;
        graze_step_options options;
        char what[160];
        draw_question(random, d, &narrow, &options);
        snprintf(what, sizeof what, "2^%d by 2^-%d, %u vertices, keeping %a, separation %a, t_max %a", d->exponent,
                 d->spread, d->s.mesh.vertex_count, options.relative_separation, narrow.min_separation, narrow.t_max);
        compare(context, d, &options, GRAZE_STEP_EARLIEST, what, seen);
        if (again == 0) compare(context, d, &options, GRAZE_STEP_ALL, what, seen);
        draw_motions(random, d);
    }
}

TEST(kept_parts_in_scenes_of_every_scale_have_the_bits_of_the_cpu) {
    if (!have_device()) return;
    static drawn d;
    tally seen = {0};
    test_random random = {20261120};
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    for (size_t i = 0; i < wanted(5000); i++) {
        draw_scene(&random, context, &d);
        compare_some(&random, context, &d, &seen);
        graze_mesh_release(context, &d.s.mesh);
        if (i % 50 != 49) continue;
        graze_context_destroy(context); /* and one that knows of no window */
        context = test_context(2, GRAZE_ISA_AUTO);
    }
    printf("      %zu steps, %zu of them with a first contact after the start, %zu unresolved\n", seen.steps, seen.hits,
           seen.open);
    CHECK(seen.hits > seen.steps / 10);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
