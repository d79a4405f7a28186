/* The program's generators and exact truth from outside: scene, handcraft, truth with --resume and --write, and
   dataset --make. */
#include "program.h"

#include "io/file.h"
#include "io/mesh.h"
#include "io/pairs_json.h"
#include "io/query_csv.h"

#include <unistd.h>

static bool same_files(const char *a, const char *b) {
    size_t size_a, size_b;
    char *bytes_a = read_file(a, &size_a), *bytes_b = read_file(b, &size_b);
    bool same = size_a == size_b && memcmp(bytes_a, bytes_b, size_a) == 0;
    free(bytes_a);
    free(bytes_b);
    return same;
}

/* ---- scene ---- */

TEST(scene_writes_frames_that_read_back_and_do_not_depend_on_the_instruction_set) {
    expect_status(0, run("scene cloth-ball --out s/one --frames 3 --size 8 --seed 5 --json"));
    CHECK(number_said("frames") == 3 && number_said("vertices") == 81 + 18 && number_said("faces") == 128 + 32);
    setenv("GRAZE_ISA", "scalar", 1);
    expect_status(0, run("scene cloth-ball --out s/two --frames 3 --size 8 --seed 5 --threads 2"));
    unsetenv("GRAZE_ISA");
    expect_status(0, run("scene cloth-ball --out s/other --frames 3 --size 8 --seed 6"));
    for (int k = 0; k < 3; k++) {
        char name[3][100];
        static const char *const runs[] = {"one", "two", "other"};
        for (int i = 0; i < 3; i++) snprintf(name[i], 100, "s/%s/frames/cloth-ball_%d.ply", runs[i], k);
        CHECK(same_files(name[0], name[1]));
        CHECK(!same_files(name[0], name[2]));
        io_mesh mesh;
        io_error error = {""};
        CHECK_MSG(io_read_mesh(path_of(name[0]), &mesh, &error), "%s", error.message);
        CHECK(mesh.vertex_count == 99 && mesh.face_count == 160);
        io_free_mesh(&mesh);
    }
}

TEST(scene_refuses_what_it_cannot_do) {
    expect_refusal(run("scene no-such-scene --out x"), "no-such-scene");
    expect_refusal(run("scene n-body"), "--out");
    expect_refusal(run("scene n-body --out x --frames 0"), "--frames");
    expect_refusal(run("scene n-body --out x --size 100000"), "--size");
    write_file("plain", "x");
    expect_refusal(run("scene n-body --out plain/x"), "plain");
    expect_status(0, run("scene --list --json"));
    CHECK(strstr(out, "cloth-ball") && strstr(out, "n-body") && strstr(out, "rod-twist"));
}

/* ---- handcraft and truth ---- */

static void handcraft(void) {
    static bool done;
    if (!done) expect_status(0, run("handcraft --out hand --count 20 --seed 3 --json"));
    done = true;
}

TEST(handcraft_writes_truth_that_the_oracle_confirms) {
    handcraft();
    double queries = number_said("queries"), hits = number_said("hits"), within = number_said("hits_within");
    CHECK(queries >= 25 * 40 && hits > 0 && hits < queries);
    size_t size;
    char *index = read_file("hand/index.json", &size);
    CHECK(strstr(index, "near-contact") && strstr(index, "\"ulps\""));
    CHECK(strstr(index, "short-edges") && strstr(index, "\"separation\":\t0.5"));
    free(index);
    expect_status(0, run("truth hand/short-edges hand/needles hand/tiny-apart --separation 0.5 --json"));
    CHECK(within > 0 && number_said("total.hits") == within && number_said("total.queries") == 120);
    expect_status(0, run("truth hand --json"));
    CHECK(number_said("total.queries") == queries && number_said("total.hits") == hits &&
          number_said("total.disagreements") == 0);
    CHECK(number_said("total.time_us.mean") > 0);
    expect_status(0, run("handcraft --out again --count 20 --seed 3 --threads 1"));
    CHECK(same_files("hand/index.json", "again/index.json"));
    CHECK(same_files("hand/nudged/edge-edge/ulps_-1.csv", "again/nudged/edge-edge/ulps_-1.csv"));
}

static const char *const three = "hand/lattice hand/graze hand/near-contact/vertex-face";

TEST(truth_lines_are_the_same_for_every_number_of_threads_and_say_what_the_contract_says) {
    handcraft();
    expect_status(0, run("truth %s --out one.jsonl --threads 1", three));
    expect_status(0, run("truth %s --out four.jsonl --threads 4", three));
    CHECK(same_files("one.jsonl", "four.jsonl"));
    size_t size;
    char *bytes = read_file("one.jsonl", &size);
    size_t lines = 0, hits = 0;
    for (char *at = bytes, *end; (end = strchr(at, '\n')); at = end + 1, lines++) {
        *end = '\0';
        cJSON *line = cJSON_Parse(at);
        const cJSON *lower = cJSON_GetObjectItem(line, "toi_lower"), *upper = cJSON_GetObjectItem(line, "toi_upper");
        const cJSON *polynomial = cJSON_GetObjectItem(line, "polynomial");
        CHECK_MSG(cJSON_IsString(cJSON_GetObjectItem(line, "file")) &&
                      cJSON_IsNumber(cJSON_GetObjectItem(line, "index")),
                  "%s", at);
        if (cJSON_IsTrue(cJSON_GetObjectItem(line, "hit"))) {
            hits++;
            double a = cJSON_IsNumber(lower) ? lower->valuedouble : NAN,
                   b = cJSON_IsNumber(upper) ? upper->valuedouble : NAN;
            CHECK_MSG(a >= 0 && b <= 1 && (a == b || nextafter(a, 2) == b), "%s", at);
            CHECK_MSG(cJSON_GetArraySize(polynomial) >= 2 && cJSON_IsString(cJSON_GetArrayItem(polynomial, 0)), "%s",
                      at);
        } else {
            CHECK_MSG(cJSON_IsNull(lower) && cJSON_IsNull(upper) && cJSON_IsNull(polynomial), "%s", at);
        }
        cJSON_Delete(line);
    }
    CHECK(lines == 40 + 40 + 20 && hits > 50 && hits < lines);
    free(bytes);
}

TEST(truth_resumes_a_file_cut_at_any_byte_to_the_identical_file) {
    handcraft();
    expect_status(0, run("truth %s --out whole.jsonl", three));
    size_t size;
    char *bytes = read_file("whole.jsonl", &size);
    test_random random = {4};
    for (int i = 0; i < 24; i++) {
        size_t cut = i == 0 ? 0 : i == 1 ? size : i == 2 ? size - 1 : (size_t)test_random_below(&random, size);
        write_bytes("cut.jsonl", bytes, cut);
        expect_status(0, run("truth %s --out cut.jsonl --resume --json", three));
        CHECK_MSG(same_files("whole.jsonl", "cut.jsonl"), "cut at byte %zu", cut);
        CHECK(number_said("total.queries") == 100 && number_said("total.disagreements") == 0);
        if (i == 0) CHECK(number_said("total.decided") == 100);
        if (i == 1) CHECK(number_said("total.decided") == 0);
    }
    /* a file that is not there yet, and files of another run */
    expect_status(0, run("truth %s --out fresh.jsonl --resume", three));
    CHECK(same_files("whole.jsonl", "fresh.jsonl"));
    expect_refusal(run("truth hand/graze --out whole.jsonl --resume"), "whole.jsonl:1:");
    expect_refusal(run("truth hand/lattice --out whole.jsonl --resume"), "more lines");
    write_bytes("cut.jsonl", bytes, size / 2);
    expect_refusal(run("truth %s --resume", three), "--out");
    /* other options are another input: no line is kept */
    expect_status(0, run("truth %s --out near.jsonl --separation 1", three));
    expect_status(0, run("truth %s --out cut.jsonl --resume --separation 1 --json", three));
    CHECK(same_files("near.jsonl", "cut.jsonl") && number_said("total.decided") == 100);
    free(bytes);
}

/* One byte of a line is another, or one query of the input: that line is made again, and no other. */
TEST(truth_makes_a_changed_line_and_a_changed_query_again) {
    handcraft();
    expect_status(0, run("truth %s --out whole.jsonl", three));
    size_t size;
    char *bytes = read_file("whole.jsonl", &size);
    test_random random = {5};
    for (int i = 0; i < 24; i++) {
        size_t at = (size_t)test_random_below(&random, size);
        if (bytes[at] == '\n') continue;
        char before = bytes[at];
        bytes[at] = i % 3 ? (char)(before ^ 1) : '\x1b';
        if (bytes[at] == '\n') bytes[at] = 'x';
        write_bytes("changed.jsonl", bytes, size);
        bytes[at] = before;
        expect_status(0, run("truth %s --out changed.jsonl --resume --json", three));
        CHECK_MSG(same_files("whole.jsonl", "changed.jsonl"), "byte %zu", at);
        CHECK(number_said("total.decided") == 1 && strstr(err, "1 line changed") && !strchr(err, '\x1b'));
    }
    free(bytes);
    const char *still = "0,1,0,1,0,1\n1,1,0,1,0,1\n0,1,1,1,0,1\n";
    char first[200], second[200], both[400];
    snprintf(first, sizeof first, "1,4,1,4,1,1\n%s1,4,1,4,-1,1\n%s", still, still);
    snprintf(second, sizeof second, "1,4,1,4,1,1\n%s1,4,1,4,1,2\n%s", still, still);
    snprintf(both, sizeof both, "%s%s", first, first);
    write_file("two-vf.csv", both);
    expect_status(0, run("truth two-vf.csv --out two.jsonl --json"));
    CHECK(number_said("total.hits") == 2);
    snprintf(both, sizeof both, "%s%s", first, second); /* the second stops above the triangle */
    write_file("two-vf.csv", both);
    expect_status(0, run("truth two-vf.csv --out two.jsonl --resume --json"));
    CHECK(number_said("total.hits") == 1 && number_said("total.decided") == 1);
}

/* Twenty queries many times over: seconds of work. */
TEST(truth_that_is_stopped_says_how_to_go_on) {
    handcraft();
    expect_status(0, shell("f=$(ls hand/*/vertex-face/*.csv | head -n 1); mkdir -p many/vertex-face; "
                           "for i in $(seq 1000); do cat $f; done > k; "
                           "cat k k k k k k k k k k k k k k k k > many/vertex-face/many.csv"));
    static const char stop[] =
        "$graze truth many --out many.jsonl --threads 1 & p=$!; while [ ! -s many.jsonl.graze-part ]; do "
        "kill -0 $p || exit 9; sleep 0.02; done; kill -TERM $p; wait $p";
    int status = run_shell("%s", stop);
    CHECK_MSG(status == 128 + 15 && strstr(err, "--resume") && strstr(err, "many.jsonl.graze-part"), "status %d: %s",
              status, err);
    expect_status(0, run("truth many --out many.jsonl --resume --json"));
    CHECK(number_said("total.decided") > 0 && number_said("total.decided") < number_said("total.queries"));
}

TEST(truth_finds_a_wrong_column_and_puts_it_right) {
    handcraft();
    io_queries queries;
    io_error error = {""};
    CHECK_MSG(io_read_query_csv(path_of("hand/lattice/edge-edge/range_1.csv"), &queries, &error), "%s", error.message);
    unsigned char *wrong = calloc(queries.count, 1);
    memcpy(wrong, queries.truth, queries.count);
    wrong[1] = !wrong[1];
    CHECK(io_write_query_csv(path_of("wrong-ee.csv"), queries.queries, queries.count, wrong, &error));
    CHECK(io_write_query_csv(path_of("without-ee.csv"), queries.queries, queries.count, NULL, &error));
    expect_status(1, run("truth wrong-ee.csv --json"));
    CHECK(number_said("total.disagreements") == 1 && strstr(err, "wrong-ee.csv:9: query 1"));
    expect_status(0, run("truth without-ee.csv --json"));
    CHECK(isnan(number_said("total.disagreements"))); /* null */
    expect_status(1, run("truth wrong-ee.csv --write"));
    expect_status(0, run("truth wrong-ee.csv without-ee.csv --write"));
    CHECK(same_files("wrong-ee.csv", "hand/lattice/edge-edge/range_1.csv"));
    CHECK(same_files("without-ee.csv", "hand/lattice/edge-edge/range_1.csv"));
    free(wrong);
    io_free_queries(&queries);
}

TEST(truth_with_a_separation_touches_more_and_is_not_compared_with_the_column) {
    handcraft();
    expect_status(0, run("truth hand/static hand/coplanar --separation 0.5 --json"));
    CHECK(isnan(number_said("total.disagreements")) && number_said("total.hits") >= 40);
    double euclidean = number_said("total.hits");
    expect_status(0, run("truth hand/static hand/coplanar --separation 0.5 --norm max --json"));
    CHECK(number_said("total.hits") >= euclidean); /* the cube holds the ball */
    expect_status(0, run("truth hand/static hand/coplanar --separation 1000 --json"));
    CHECK(number_said("total.hits") == number_said("total.queries"));
    expect_refusal(run("truth hand/static --separation -1"), "--separation");
    expect_refusal(run("truth hand/static --norm taxi"), "taxi");
    expect_refusal(run("truth nowhere.csv --kind vf"), "nowhere.csv");
    expect_refusal(run("truth hand/static --t-max 0"), "--t-max");
}

/* ---- dataset --make ---- */

TEST(dataset_make_writes_a_scene_folder_that_scores_without_a_miss) {
    expect_status(0, run("scene cloth-ball --out made --frames 3 --size 16"));
    expect_status(0, run("dataset made --make --json"));
    double vf = number_said("total.truth.vf"), ee = number_said("total.truth.ee"),
           pairs = number_said("steps.0.candidates.ee");
    CHECK(number_said("steps.1.step") == 1 && vf > 0 && ee > 0);
    expect_status(0, run("dataset made --method oracle --json"));
    CHECK(number_said("total.truth.vf") == vf && number_said("total.truth.ee") == ee &&
          number_said("steps.0.candidates.ee") == pairs);
    CHECK(number_said("total.broad_missed.vf") == 0 && number_said("total.broad_missed.ee") == 0);
    CHECK(number_said("total.false_negatives.vf") == 0 && number_said("total.false_negatives.ee") == 0);
    CHECK(number_said("total.false_positives.vf") == 0 && number_said("total.false_positives.ee") == 0);
    /* the three lists of a step tell the same */
    io_id_pairs ids;
    io_booleans truth;
    io_queries queries;
    io_error error = {""};
    CHECK(io_read_id_pairs(path_of("made/boxes/0ee.json"), &ids, &error));
    CHECK(io_read_booleans(path_of("made/mma_bool/0ee_mma_bool.json"), &truth, &error));
    CHECK(io_read_query_csv(path_of("made/queries/0ee.csv"), &queries, &error));
    CHECK(ids.count == pairs && truth.count == pairs && queries.count == pairs);
    CHECK(queries.truth && memcmp(truth.values, queries.truth, truth.count) == 0);
    io_free_id_pairs(&ids);
    io_free_booleans(&truth);
    io_free_queries(&queries);
    expect_refusal(run("dataset made --make"), "already has files");
    expect_refusal(run("dataset nowhere --make"), "nowhere");
}

/* Another program in the place of graze-sim, which says what was asked of it and has frames at once. */
TEST(dataset_make_without_a_folder_takes_the_simulated_scenes) {
    expect_status(0, run("scene cloth-ball --out sheet --frames 4 --size 6"));
    write_file("fake", "#!/bin/sh\n"
                       "mkdir -p \"$4/frames\"; echo \"$1 $2\" >> asked\n"
                       "for k in 0 1 2 3; do cp sheet/frames/cloth-ball_$k.ply \"$4/frames/${1}_$k.ply\"; done\n"
                       "echo '{\"frames\":4}'\n");
    expect_status(
        0, shell("mkdir \"it's; here\" && cp \"$graze\" \"it's; here/graze\" && cp fake \"it's; here/graze-sim\" && "
                 "ln -s \"it's; here\" beside && chmod +x beside/graze-sim"));
    /* a name that a shell would take apart */
    expect_status(0,
                  run_shell("XDG_CACHE_HOME=$PWD/cache \"it's; here/graze\" dataset --make --out made --json 2>.err"));
    cJSON *object = json();
    static const char *const scenes[] = {"rollers", "cloth-ball", "cloth-funnel", "n-body", "rod-twist"};
    for (int i = 0; i < 5; i++) {
        char at[100];
        snprintf(at, sizeof at, "scenes.%d.scene", i);
        expect_text(object, at, scenes[i]);
        snprintf(at, sizeof at, "scenes.%d.steps.0.step", i);
        expect_number(object, at, 2, 2);
        snprintf(at, sizeof at, "made/%s/boxes/2ee.json", scenes[i]);
        CHECK(is_there(at));
    }
    CHECK(cJSON_GetArraySize(field(object, "scenes")) == 5);
    cJSON_Delete(object);
    expect_contents("asked", "rollers --resume\ncloth-ball --resume\ncloth-funnel --resume\nn-body --resume\n"
                             "rod-twist --resume\n");
    expect_status(0, run("dataset made/n-body --json"));
    CHECK(number_said("total.false_negatives.vf") == 0 && number_said("total.truth.vf") >= 0);
    /* one that says why it cannot; then none */
    write_file("beside/graze-sim", "#!/bin/sh\necho 'the disk is full'\nexit 2\n");
    expect_refusal(run_shell("XDG_CACHE_HOME=$PWD/cache beside/graze dataset --make --out other 2>&1 >/dev/null | "
                             "grep -v 'the cache' >&2; exit 2"),
                   "rollers", "the disk is full");
    expect_status(0, run_shell("rm beside/graze-sim; beside/graze dataset --make --out generated --limit 20 --json"));
    CHECK(number_said("scenes.2.total.candidates.vf") + number_said("scenes.2.total.candidates.ee") == 20);
    expect_refusal(run("dataset made --make --quick"), "--quick");
    expect_refusal(run_shell("beside/graze dataset --make --out generated"), "--limit");
    expect_refusal(run_shell("beside/graze dataset --make --out made"), "cloth-ball_2.ply", "--out");
}

TEST(truth_agrees_with_every_reference_query) {
    const char *data = test_data_folder();
    if (!data) return;
    expect_status(0, run("truth '%s/queries' --json", data));
    CHECK(number_said("total.disagreements") == 0 && number_said("total.truth") > 0);
    CHECK(number_said("total.hits") == number_said("total.truth") &&
          number_said("total.decided") == number_said("total.queries"));
}

/* ---- the demo's page ---- */

TEST(demo_page_shows_the_step_and_a_row_for_each_method_that_finished) {
    expect_status(0, run("scene rod-twist --out bar --frames 6 --size 8"));
    expect_status(
        0,
        run("step bar/frames/rod-twist_4.ply bar/frames/rod-twist_5.ply --mode all --pairs-out bar/pairs.json --json"));
    write_file("bar/step.json", out);
    expect_status(0, run("handcraft --out bar/hand --count 2"));
    expect_status(0, run("query bar/hand --method oracle --json"));
    write_file("bar/hand-oracle.json", out);
    expect_status(0, run("demo bar bar/frames/rod-twist_4.ply bar/frames/rod-twist_5.ply"));
    CHECK_MSG(strstr(out, "certified") && strstr(out, "ti") && !strstr(out, "oracle"), "%s", out); /* three rows */
    size_t size;
    char *page = read_file("bar/index.html", &size), *methods = read_file("bar/methods.html", &size);
    CHECK(strstr(page, "<svg") && strstr(page, "class=\"a") && strstr(page, "methods.html"));
    CHECK(strstr(methods, "<code>oracle</code>"));
    CHECK(!strstr(page, "http://") && !strstr(page, "https://") && !strstr(page, "nan")); /* nothing from elsewhere */
    free(page);
    free(methods);
    expect_refusal(run("demo bar"), "demo");
    expect_refusal(run("demo hand bar/frames/rod-twist_4.ply bar/frames/rod-twist_5.ply"), "step.json");
}

int main(int argc, char **argv) { return run_program_tests(argc, argv); }
