/* Options that have no test of their own elsewhere: those that say only how an answer is found leave it as it is, and
 * the others do what --help says. */
#include "small_data.h"

/* ---- the same answer ---- */

/* Takes out what may differ: times, and where the work was done. */
static void remove_means(cJSON *object) {
    static const char *const means[] = {"time_ms", "threads", "broad", "backend"};
    for (size_t i = 0; i < sizeof means / sizeof *means; i++) cJSON_DeleteItemFromObject(object, means[i]);
    cJSON *item;
    cJSON_ArrayForEach(item, object) {
        if (cJSON_IsObject(item) || cJSON_IsArray(item)) remove_means(item);
    }
}

static char *answer_to(const char *arguments) {
    int status = run("%s --json", arguments);
    CHECK_MSG(status == 0, "graze %s: %d, %s", arguments, status, err);
    cJSON *object = json();
    remove_means(object);
    char *text = cJSON_PrintUnformatted(object);
    cJSON_Delete(object);
    return text;
}

static void expect_same_answer(const char *plain, const char *arguments) {
    char *wanted = answer_to(plain), *found = answer_to(arguments);
    CHECK_MSG(wanted && found && strcmp(wanted, found) == 0, "%s: %s\n%s: %s", plain, wanted, arguments, found);
    cJSON_free(wanted);
    cJSON_free(found);
}

static void write_scene(void) {
    write_frames();
    CHECK(shell("mkdir -p scene/frames scene/boxes scene/mma_bool && cp a0.obj scene/frames/thing5.obj && "
                "cp a1.obj scene/frames/thing6.obj") == 0);
    write_file("scene/boxes/5vf.json", "[[3,12],[0,13]]");
    write_file("scene/boxes/5ee.json", "[[8,9]]");
    write_file("scene/mma_bool/5vf_mma_bool.json", "[true,false]");
    write_file("scene/mma_bool/5ee_mma_bool.json", "[false]");
}

TEST(means_do_not_change_an_answer) {
    write_scene();
    CHECK(run("scene cloth-ball --out c --size 12 --frames 8") == 0);
    CHECK(run("articulate --example walk --out w --frames 2") == 0);
    const char *step = "step c/frames/cloth-ball_5.ply c/frames/cloth-ball_6.ply --mode all --separation 1e-2";
    expect_same_answer(step, "step c/frames/cloth-ball_5.ply c/frames/cloth-ball_6.ply --mode all --separation 1e-2 "
                             "--memory-limit 4K");
    static const char *const sequences[] = {
        "sequence c --mode all --memory-limit 4K",
        "sequence c --mode all --threads 3",
        "sequence c --mode all --broad brute",
        "sequence c --mode all --repeat 2",
        "sequence c --mode all -v",
    };
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
        expect_same_answer("sequence c --mode all", sequences[i]);
    static const char *const datasets[] = {
        "dataset scene --memory-limit 4K",
        "dataset scene --threads 3",
        "dataset scene --broad brute",
        "dataset scene --backend cpu",
    };
    for (size_t i = 0; i < sizeof datasets / sizeof *datasets; i++) expect_same_answer("dataset scene", datasets[i]);
    expect_same_answer("check c/frames/cloth-ball_7.ply", "check c/frames/cloth-ball_7.ply --threads 3");
    expect_same_answer("articulate w/walk.json", "articulate w/walk.json --threads 3");
}

TEST(v_says_on_stderr_where_a_step_runs) {
    write_frames();
    CHECK(run("sequence a0.obj a1.obj") == 0 && err[0] == '\0');
    CHECK(run("sequence a0.obj a1.obj -v") == 0);
    CHECK_MSG(strstr(err, "back end cpu") != NULL, "%s", err);
}

TEST(info_says_how_many_threads_there_would_be) {
    CHECK(run("info --threads 3 --json") == 0);
    CHECK(number_said("threads") == 3);
}

TEST(a_limit_of_memory_is_a_count_of_bytes) {
    write_frames();
    expect_refusal(run("step a0.obj a1.obj --memory-limit 4Q"), "--memory-limit", "4Q", "not a count");
    expect_refusal(run("dataset scene --memory-limit=-1"), "--memory-limit", "not a count");
}

/* ---- other answers: the point comes down from 1 to -1, and meets the face at 1/2 ---- */

TEST(each_pair_keeps_its_part_of_the_distance_that_it_starts_at) {
    write_frames();
    static const double parts[] = {0.25, 0.5, 0.75};
    for (int i = 0; i < 3; i++) {
        CHECK(run("step a0.obj a1.obj --json --relative-separation %g", parts[i]) == 0);
        double reached = (1 - parts[i]) / 2, toi = number_said("toi");
        CHECK_MSG(toi <= reached * (1 + 1e-9) && toi > reached - 1e-6, "%g: %g", parts[i], toi);
    }
    expect_refusal(run("step a0.obj a1.obj --relative-separation 1"), "relative_separation");
}

TEST(a_tolerance_moves_a_hit_forward_by_no_more_than_itself) {
    write_scene();
    CHECK(run("step a0.obj a1.obj --json --method ti --tolerance 0.25") == 0);
    double toi = number_said("toi");
    CHECK_MSG(toi >= 0.375 && toi < 0.49, "%g", toi); /* 0.25 is an eighth of the way of 2 */
    CHECK(run("sequence a0.obj a1.obj --json --method ti --tolerance 0.25") == 0);
    CHECK(number_said("steps.0.toi") == toi);
    CHECK(run("dataset scene --json --method ti --tolerance 0.25") == 0);
    CHECK(number_said("total.false_negatives.vf") == 0);
}

TEST(work_that_is_not_allowed_leaves_a_step_unresolved) {
    write_scene();
    CHECK(run("sequence a0.obj a1.obj --json --method ti --max-checks 1") == 0);
    CHECK(number_said("total.unresolved") == 1 && number_said("total.hit") == 0);
    CHECK(run("dataset scene --json --method ti --max-checks 1 --exit-code") == 3);
    CHECK(number_said("total.false_negatives.vf") == 0); /* unresolved counts as a hit */
    CHECK(run("dataset scene --json --method ti --exit-code") == 1);
}

TEST(without_the_look_at_the_start_intersections_are_not_counted) {
    write_file("b0.obj", FRAME_1 FACES); /* the point is through the face */
    write_file("b1.obj", FRAME_1 FACES);
    CHECK(run("sequence b0.obj b1.obj --json") == 0);
    CHECK_MSG(number_said("total.with_intersections") == 1, "%s", out);
    CHECK(run("sequence b0.obj b1.obj --json --no-start-check") == 0);
    cJSON *object = json();
    CHECK_MSG(!cJSON_IsNumber(field(object, "steps.0.start.intersections")), "%s", out);
    cJSON_Delete(object);
}

/* ---- links on joints: a cube slides on another one ---- */

static void write_cubes(void) {
    write_file("cube.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
                           "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n");
    write_file("m.json",
               "{\"models\":[{\"name\":\"car\",\"links\":[{\"name\":\"body\",\"parent\":null,\"joint\":{\"kind\":"
               "\"prismatic\",\"axis\":[1,0,0]},\"mesh\":\"cube.obj\"}]},{\"name\":\"wall\",\"mesh\":\"cube.obj\"}],"
               "\"motion\":{\"car\":{\"from\":[-3],\"to\":[-1.0009765625]}}}");
}

TEST(a_tolerance_of_links_is_a_gap_that_may_count_as_contact) {
    write_cubes(); /* the gap ends at 2^-10 */
    CHECK(run("articulate m.json --json") == 0);
    cJSON *object = json();
    expect_text(object, "verdict", "clear");
    cJSON_Delete(object);
    CHECK(run("articulate m.json --json --tolerance 0.25") == 0);
    double toi = number_said("toi");
    CHECK_MSG(toi >= 0.87, "%g", toi); /* it never ends where the gap is wider */
}

TEST(work_that_is_not_allowed_leaves_links_unresolved) {
    CHECK(run("articulate --example arm-sweep --out arm --frames 4") == 0);
    CHECK(run("articulate arm/arm-sweep.json --json --max-checks 1 --exit-code") == 3);
    CHECK_MSG(strstr(out, "\"unresolved\"") != NULL, "%s", out);
}

TEST(bench_lists_its_suites) {
    CHECK(run("bench --list") == 0 && strstr(out, "narrow ") && strstr(out, "all "));
    CHECK(run("bench --list --json") == 0);
    cJSON *object = json();
    CHECK(strcmp(text_at(object, "suites.0"), "narrow") == 0);
    cJSON_Delete(object);
    expect_refusal(run("bench narrow --list"), "bench");
}

int main(int argc, char **argv) { return run_program_tests(argc, argv); }
