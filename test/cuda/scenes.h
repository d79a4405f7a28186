/* Random scenes of every kind, and the questions that are asked of each. */
#ifndef GRAZE_TEST_CUDA_SCENES_H
#define GRAZE_TEST_CUDA_SCENES_H

#include "bits.h"

/* One step on both. */
static inline void compare_step(graze_context *context, const soup *s, graze_step_options *options, const char *what) {
    graze_step_result here = graze_default_step_result(), there = graze_default_step_result();
    options->backend = GRAZE_BACKEND_CPU;
    graze_status a = graze_step(context, &s->mesh, POSITIONS(s), options, &here);
    options->backend = GRAZE_BACKEND_CUDA;
    graze_status b = graze_step(context, &s->mesh, POSITIONS(s), options, &there);
    graze_error error;
    graze_context_last_error(context, &error);
    CHECK_MSG(a == GRAZE_OK && b == GRAZE_OK, "%s: %s", what, error.message);
    CHECK(b != GRAZE_OK || there.backend == GRAZE_BACKEND_CUDA);
    if (a == GRAZE_OK && b == GRAZE_OK && options->mode != GRAZE_STEP_ANY)
        check_same(&here, here.pairs, &there, there.pairs, what);
    if (options->mode == GRAZE_STEP_ANY) CHECK((here.verdict == GRAZE_CLEAR) == (there.verdict == GRAZE_CLEAR));
    graze_step_release(context, &here);
    graze_step_release(context, &there);
}

/* In every mode but VERTICES: test_cuda_pairs.c. */
static inline void compare_modes(graze_context *context, const soup *s, graze_step_options *options, const char *what) {
    for (int mode = 0; mode <= GRAZE_STEP_ALL; mode++) {
        if (mode == GRAZE_STEP_VERTICES) continue;
        char name[260];
        snprintf(name, sizeof name, "%s, mode %d", what, mode);
        options->mode = (graze_step_mode)mode;
        compare_step(context, s, options, name);
    }
}

typedef void soup_test(graze_context *context, const soup *s, const char *what);

/* Every style, from a few triangles on. */
static inline void with_every_soup(soup_test *test) {
    static soup s;
    graze_context *context = test_context(4, GRAZE_ISA_AUTO);
    for (int style = 0; style < SOUP_STYLES; style++)
        for (uint32_t count = 7; count <= most_triangles(); count = count * 3 + 11) {
            soup_make(&s, context, (soup_style)style, count, count);
            char what[80];
            snprintf(what, sizeof what, "style %d, %u triangles", style, count);
            test(context, &s, what);
            graze_mesh_release(context, &s.mesh);
        }
    graze_context_destroy(context);
}

/* In groups that may touch each other, or themselves too; without thickness, with, and with the same everywhere. */
static inline void with_thick_soups(soup_test *test) {
    static soup s;
    static double thickness[3 * SOUP_MAX];
    graze_context *context = test_context(4, GRAZE_ISA_AUTO);
    test_random random = {9};
    for (int round = 0; round < 6; round++) {
        soup_make(&s, context, SOUP_UNIFORM, 200, (uint64_t)round);
        for (uint32_t v = 0; v < s.mesh.vertex_count; v++)
            thickness[v] = round % 3 == 2 ? 0.01 : 0.02 * test_random_unit(&random);
        if (round % 3) s.mesh.thickness = thickness;
        s.mesh.groups = s.groups;
        s.mesh.group_count = 3;
        s.mesh.skip_same_group = round >= 3;
        test(context, &s, "thick, in groups");
        graze_mesh_release(context, &s.mesh);
    }
    graze_context_destroy(context);
}

typedef void question_test(graze_context *context, const soup *s, graze_step_options *options, const char *what);

/* Both methods, separations and ends. */
static inline void with_every_question(graze_context *context, const soup *s, const char *what, question_test *test) {
    static const double separations[] = {0, 1e-3, 0.05}, ends[] = {1, 0.3};
    static unsigned turn;
    for (int i = 0; i < 12; i++) {
        if (left_out(&turn)) continue;
        graze_options narrow = graze_default_options();
        narrow.method = i % 2 ? GRAZE_METHOD_EXACT : GRAZE_METHOD_CERTIFIED;
        narrow.min_separation = separations[i / 2 % 3];
        narrow.t_max = ends[i / 6];
        graze_step_options options = graze_default_step_options();
        options.narrow = &narrow;
        char name[200];
        snprintf(name, sizeof name, "%s, method %s, separation %g, t_max %g", what,
                 graze_method_get(narrow.method)->name, narrow.min_separation, narrow.t_max);
        test(context, s, &options, name);
    }
}

#endif
