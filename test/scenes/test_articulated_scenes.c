/* The articulated examples: the sizes that they were made for, poses that models take, answers that are no give-ups. */
#include "check.h"

#include "articulated/search.h"
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

static void set_motions(const example *e, uint32_t frame, graze_motion motions[SCENE_MOST_MODELS]) {
    static double values[2][SCENE_MOST_MODELS][SCENE_MOST_VALUES];
    memset(values, 0, sizeof values);
    for (size_t i = 0; i < e->scene->count; i++) {
        for (uint32_t end = 0; end < 2; end++) e->scene->pose(e->scene, frame + end, i, values[end][i]);
        motions[i] = graze_default_motion();
        motions[i].from = values[0][i];
        motions[i].to = values[1][i];
    }
}

static graze_articulated_result solve_frame(example *e, uint32_t frame) {
    graze_motion motions[SCENE_MOST_MODELS];
    set_motions(e, frame, motions);
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

/* Checks of a motion of the arm that is asked as so many pieces; all of them are free where *free says so. */
static uint64_t checks_of_pieces(const example *e, const double *from, const double *to, size_t values, int pieces,
                                 bool *free) {
    uint64_t checks = 0;
    for (int k = 0; k < pieces; k++) {
        double ends[2][SCENE_MOST_VALUES] = {{0}};
        for (int end = 0; end < 2; end++)
            for (size_t v = 0; v < values; v++) ends[end][v] = from[v] + (to[v] - from[v]) * (k + end) / pieces;
        graze_motion motions[SCENE_MOST_MODELS];
        for (size_t i = 0; i < SCENE_MOST_MODELS; i++) motions[i] = graze_default_motion();
        motions[0].from = ends[0];
        motions[0].to = ends[1];
        graze_articulated_options options = graze_default_articulated_options();
        options.mode = GRAZE_ARTICULATED_ANY;
        graze_articulated_result r = graze_default_articulated_result();
        CHECK(graze_articulated_step(e->context, (const graze_model *const *)e->models, e->scene->count, motions,
                                     &options, &r) == GRAZE_OK);
        checks += r.checks;
        *free = *free && r.verdict == GRAZE_CLEAR;
    }
    return checks;
}

/* Whoever cuts a far motion by hand gains little: windows are as short as the frames ask for. */
TEST(a_far_motion_in_one_piece_takes_hardly_more_than_in_the_best_pieces) {
    example e = open_example("arm-sweep");
    uint64_t whole = 0, cut[3] = {0};
    for (uint32_t frame = 0; frame < 80; frame += 2) {
        double ends[2][SCENE_MOST_VALUES] = {{0}};
        for (uint32_t end = 0; end < 2; end++) e.scene->pose(e.scene, frame + end, 0, ends[end]);
        size_t values = graze_model_values(e.models[0]);
        bool free = true;
        uint64_t checks = checks_of_pieces(&e, ends[0], ends[1], values, 1, &free);
        if (!free) continue;
        whole += checks;
        for (int i = 0; i < 3; i++) cut[i] += checks_of_pieces(&e, ends[0], ends[1], values, 4 << i, &free);
        CHECK_MSG(free, "frame %u: free as a whole, not in pieces", (unsigned)frame);
    }
    for (int i = 0; i < 3; i++)
        CHECK_MSG((double)whole <= 1.5 * (double)cut[i], "%d pieces: %llu, in one: %llu", 4 << i,
                  (unsigned long long)cut[i], (unsigned long long)whole);
    CHECK(whole > 0);
    close_example(&e);
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

/* ---- culling ---- */

enum { POSES = 101 };

/* The box of link `index` over many poses of the motion. */
static gz_link_box sampled_box(gz_frames *frames, uint32_t index) {
    gz_link_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    const gz_face_node *root = frames->scene->links[index].link->tree.nodes;
    for (int k = 0; k < POSES; k++) {
        gz_frames_window(frames, (double)k / (POSES - 1), (double)k / (POSES - 1));
        const gz_frame_model *frame = gz_frames_world(frames, index);
        for (int i = 0; i < 3; i++) {
            double middle = frame->c[0][i][3], half = 0;
            for (int j = 0; j < 3; j++) {
                middle += frame->c[0][i][j] * root->center[j];
                half += fabs(frame->c[0][i][j]) * root->half[j];
            }
            box.lo[i] = fmin(box.lo[i], middle - half);
            box.hi[i] = fmax(box.hi[i], middle + half);
        }
    }
    return box;
}

static bool boxes_meet(const gz_link_box *a, const gz_link_box *b) {
    for (int c = 0; c < 3; c++)
        if (a->lo[c] > b->hi[c] || b->lo[c] > a->hi[c]) return false;
    return true;
}

static uint64_t sampled_pairs(const example *e, const graze_motion *motions) {
    gz_scene scene;
    gz_frames frames;
    gz_link_box boxes[64];
    uint64_t pairs = 0;
    CHECK(e->links <= 64);
    CHECK(gz_scene_open(&scene, e->context, (const graze_model *const *)e->models, e->scene->count) == GRAZE_OK);
    CHECK(gz_scene_move(&scene, gz_motions_from(motions, 0)) == GRAZE_OK &&
          gz_frames_open(&frames, &scene) == GRAZE_OK);
    for (uint32_t i = 0; i < scene.count; i++) {
        boxes[i] = sampled_box(&frames, i);
        for (uint32_t k = 0; k < i; k++) pairs += gz_scene_is_pair(&scene, k, i) && boxes_meet(&boxes[k], &boxes[i]);
    }
    gz_frames_close(&frames);
    gz_scene_close(&scene);
    return pairs;
}

/* Every box that holds the motion meets where sampled boxes do; few more do, and fewer than with intervals. */
TEST(culling_leaves_at_most_a_tenth_more_than_sampled_boxes_and_less_than_intervals) {
    double all_near = 0, all_flat = 0;
    for (size_t i = 0; i < 8; i++) {
        example e = open_example(scene_articulated_name(i));
        double near = 0, sampled = 0;
        for (uint32_t frame = 0; frame < e.scene->frames; frame += 5) {
            graze_motion motions[SCENE_MOST_MODELS];
            set_motions(&e, frame, motions);
            graze_articulated_options options = graze_default_articulated_options();
            options.max_checks = 1; /* the boxes alone */
            for (options.interval_arithmetic = 0; options.interval_arithmetic < 2; options.interval_arithmetic++) {
                graze_articulated_result r = graze_default_articulated_result();
                CHECK(graze_articulated_step(e.context, (const graze_model *const *)e.models, e.scene->count, motions,
                                             &options, &r) == GRAZE_OK);
                *(options.interval_arithmetic ? &all_flat : &near) += (double)r.pairs_near;
            }
            sampled += (double)sampled_pairs(&e, motions);
        }
        CHECK_MSG(near >= sampled && near <= 1.1 * sampled, "%s: %g, sampled %g", e.scene->name, near, sampled);
        all_near += near;
        close_example(&e);
    }
    CHECK_MSG(all_near < all_flat, "%g, by intervals %g", all_near, all_flat);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
