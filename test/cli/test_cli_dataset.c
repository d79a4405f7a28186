/* graze dataset from outside: both phases scored against lists of truth. */
#include "small_data.h"

#include <unistd.h>

static void write_scene(const char *vf_boxes, const char *vf_truth, const char *ee_boxes, const char *ee_truth) {
    make_folder("scene");
    make_folder("scene/frames");
    make_folder("scene/boxes");
    make_folder("scene/mma_bool");
    write_file("scene/frames/thing5.obj", FRAME_0 FACES);
    write_file("scene/frames/thing6.obj", FRAME_1 FACES);
    write_file("scene/boxes/5vf.json", vf_boxes);
    write_file("scene/boxes/5ee.json", ee_boxes);
    write_file("scene/mma_bool/5vf_mma_bool.json", vf_truth);
    write_file("scene/mma_bool/5ee_mma_bool.json", ee_truth);
}

TEST(dataset_scores_both_phases_against_the_lists) {
    /* 6 vertices, 6 edges: box 12 is face 0, box 13 face 1, box 8 the long side of face 0, boxes 9 and 10 the edges
       that end in vertex 3 */
    write_scene("[[3,12],[0,13]]", "[true,false]", "[[8,9]]", "[false]");
    CHECK_MSG(run("dataset scene --method ti --json") == 0, "%s", err);
    cJSON *object = json();
    expect_text(object, "scene", "scene");
    expect_number(object, "steps.0.step", 5, 5);
    static const char *const places[] = {"steps.0", "total"};
    for (int i = 0; i < 2; i++) {
        const cJSON *score = field(object, places[i]);
        expect_number(score, "candidates.vf", 1, 1);
        expect_number(score, "candidates.ee", 2, 2);
        expect_number(score, "truth.vf", 1, 1);
        expect_number(score, "truth.ee", 0, 0);
        expect_number(score, "broad_missed.vf", 0, 0);
        expect_number(score, "broad_missed.ee", 0, 0);
        expect_number(score, "false_negatives.vf", 0, 0);
        expect_number(score, "false_positives.ee", 0, 0);
        expect_number(score, "time_ms.broad", 0, 1e5);
        expect_number(score, "time_ms.narrow", 0, 1e5);
        expect_number(score, "time_ms.total", 0, 1e5);
    }
    cJSON_Delete(object);
    /* claims that are wrong show as errors of the phase they concern */
    write_scene("[[13,0],[3,12]]", "[true,false]", "[[9,8],[8,10]]", "[true,true]");
    CHECK(run("dataset scene --method ti --json --repeat 2") == 0);
    object = json();
    expect_number(object, "total.truth.vf", 1, 1);
    expect_number(object, "total.truth.ee", 2, 2);
    expect_number(object, "total.broad_missed.vf", 1, 1);
    expect_number(object, "total.broad_missed.ee", 0, 0);
    expect_number(object, "total.false_positives.vf", 1, 1);
    expect_number(object, "total.false_negatives.vf", 0, 0);
    expect_number(object, "total.false_negatives.ee", 2, 2);
    cJSON_Delete(object);
    CHECK(run("dataset scene --method ti --json --limit 2") == 0);
    object = json();
    expect_number(object, "total.candidates.ee", 2, 2);
    const cJSON *vf = field(object, "total.sampled.vf"), *ee = field(object, "total.sampled.ee");
    CHECK(cJSON_IsNumber(vf) && cJSON_IsNumber(ee) && vf->valueint + ee->valueint == 2);
    cJSON_Delete(object);
    CHECK(run("dataset scene/ --method ti") == 0 && strstr(out, "scene"));
}

TEST(dataset_refuses_bad_input_in_one_line) {
    static const char *const lists[][4] = {
        {"[[3,12]", "[true]", "5vf.json:1:", "comma"},    {"[[3,12]]", "[true,false]", "5vf_mma_bool.json", "5vf.json"},
        {"[[3,14]]", "[true]", "5vf.json", "entry 0"},    {"[[3,4]]", "[true]", "5vf.json", "entry 0"},
        {"[[3]]", "[true]", "5vf.json:1:", "comma"},      {"[3,12]", "[true]", "5vf.json:1:", "brackets"},
        {"[[3,-12]]", "[true]", "5vf.json:1:", "box id"}, {"[[3,99999999999]]", "[true]", "5vf.json:1:", "box id"},
        {"", "[true]", "5vf.json:1:", "array"},           {"[[3,12]] x", "[true]", "5vf.json:1:", "nothing after"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        write_scene(lists[i][0], lists[i][1], "[]", "[]");
        expect_refusal(run("dataset scene --method ti --json"), lists[i][2], lists[i][3]);
    }
    remove(path_of("scene/mma_bool/5ee_mma_bool.json"));
    expect_refusal(run("dataset scene"), "5ee_mma_bool.json", "missing");
    remove(path_of("scene/frames/thing6.obj"));
    expect_refusal(run("dataset scene"), "5ee.json", "frame 6");
    make_folder("bare");
    make_folder("bare/frames");
    write_file("bare/frames/1.obj", FRAME_0 FACES);
    expect_refusal(run("dataset bare"), "bare", "no ground truth");
    expect_refusal(run("dataset none"), "none", "cannot open");
    expect_refusal(run("dataset a0.obj"), "a0.obj", "folder");
    expect_refusal(run("dataset"), "dataset", "no folder");
}

TEST(reference_data_has_no_false_negative_and_no_missed_pair) {
    const char *data = test_data_folder();
    if (!data) return;
    CHECK_MSG(run("query --method ti --json %s/queries", data) == 0, "%s", err);
    cJSON *object = json();
    expect_number(object, "total.queries", 1000, 1e9);
    expect_number(object, "total.false_negatives", 0, 0);
    cJSON_Delete(object);
    CHECK_MSG(run("dataset --method ti --json %s/scenes/cloth-funnel", data) == 0, "%s", err);
    object = json();
    expect_number(object, "total.candidates.vf", 7319, 7319);
    expect_number(object, "total.candidates.ee", 33770, 33770);
    expect_number(object, "total.truth.vf", 27, 27);
    expect_number(object, "total.truth.ee", 107, 107);
    expect_number(object, "total.broad_missed.vf", 0, 0);
    expect_number(object, "total.broad_missed.ee", 0, 0);
    expect_number(object, "total.false_negatives.vf", 0, 0);
    expect_number(object, "total.false_negatives.ee", 0, 0);
    cJSON_Delete(object);
}

int main(int argc, char **argv) { return run_program_tests(argc, argv); }
