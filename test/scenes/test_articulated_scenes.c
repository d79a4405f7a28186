/* The articulated examples: the sizes that they were made for, poses that models take, answers that are no give-ups. */
#include "check.h"

#include "scenes/articulated.h"

typedef struct example {
    graze_context *context;
    scene_articulated *scene;
    graze_model *models[SCENE_MOST_MODELS];
    size_t links, values;
} example;

static example open_example(const char *name) {
    example e = {.context = test_context(1, GRAZE_ISA_AUTO), .scene = scene_articulated_make(name)};
    CHECK(e.scene != NULL);
    for (size_t i = 0; e.scene && i < e.scene->count; i++) {
        CHECK(graze_model_create(e.context, e.scene->machines[i].links, e.scene->machines[i].count, &e.models[i]) ==
              GRAZE_OK);
        e.links += graze_model_links(e.models[i]);
        CHECK(graze_model_values(e.models[i]) <= SCENE_MOST_VALUES);
    }
    return e;
}

static void close_example(example *e) {
    for (size_t i = 0; e->scene && i < e->scene->count; i++) graze_model_destroy(e->context, e->models[i]);
    graze_context_destroy(e->context);
    scene_articulated_free(e->scene);
}

static graze_articulated_result solve_frame(example *e, uint32_t frame) {
    static double values[2][SCENE_MOST_MODELS][SCENE_MOST_VALUES];
    graze_motion motions[SCENE_MOST_MODELS];
    memset(values, 0, sizeof values);
    for (size_t i = 0; i < e->scene->count; i++) {
        for (uint32_t end = 0; end < 2; end++) e->scene->pose(e->scene, frame + end, i, values[end][i]);
        motions[i] = (graze_motion){values[0][i], values[1][i], NULL, NULL};
    }
    graze_articulated_options options = graze_default_articulated_options();
    if (e->scene->any) options.mode = GRAZE_ARTICULATED_ANY;
    graze_articulated_result r = graze_default_articulated_result();
    CHECK(graze_articulated_step(e->context, (const graze_model *const *)e->models, e->scene->count, motions, &options,
                                 &r) == GRAZE_OK);
    return r;
}

TEST(examples_have_the_sizes_of_the_paper) {
    static const struct {
        const char *name;
        size_t links, triangles;
    } sizes[] = {{"walk", 31, 121000},       {"exercise", 15, 20000},    {"excavator-drive", 6, 413000},
                 {"crane-swing", 5, 395000}, {"four-trains", 40, 92000}, {"falling-train", 18, 71000},
                 {"arm-reach", 8, 23000}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        example e = open_example(sizes[i].name);
        CHECK_MSG(e.links == sizes[i].links, "%s: %zu links", sizes[i].name, e.links);
        double ratio = (double)e.scene->triangles / (double)sizes[i].triangles;
        CHECK_MSG(ratio > 0.9 && ratio < 1.1, "%s: %zu triangles", sizes[i].name, e.scene->triangles);
        close_example(&e);
    }
}

/* Some of the motions of every example collide or not as they should: both occur in all but the exercise. */
TEST(examples_move_and_are_decided) {
    for (size_t i = 0; scene_articulated_name(i); i++) {
        example e = open_example(scene_articulated_name(i));
        for (uint32_t frame = 0; frame < e.scene->frames; frame += e.scene->frames / 4) {
            graze_articulated_result r = solve_frame(&e, frame);
            CHECK_MSG(r.verdict != GRAZE_UNRESOLVED, "%s, frame %u", e.scene->name, (unsigned)frame);
            CHECK(r.pairs_tested > 0 && r.pairs_near <= r.pairs_tested && r.pairs_close <= r.pairs_near);
        }
        close_example(&e);
    }
    CHECK(scene_articulated_make("none") == NULL);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
