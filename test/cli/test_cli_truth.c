/* The program's generators and exact truth from outside: scene, handcraft, truth with --resume and --write, and
   dataset --make. */
#include "check.h"

#include "io/file.h"
#include "io/mesh.h"
#include "io/pairs_json.h"
#include "io/query_csv.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/graze-truth-XXXXXX";

static char *in_folder(const char *name) {
    static char paths[4][300];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static char *read_all(const char *path, size_t *size) {
    char *bytes;
    io_error error;
    bool good = io_read_file(path, &bytes, size, &error);
    CHECK_MSG(good, "%s", error.message);
    return good ? bytes : calloc(1, 1);
}

static void write_all(const char *path, const char *bytes, size_t size) {
    FILE *stream = fopen(path, "wb");
    CHECK(stream != NULL && fwrite(bytes, 1, size, stream) == size);
    if (stream) fclose(stream);
}

static char *out, *err;

/* Runs the program within the test's folder; the exit status, or −1 when it crashed. */
static int run(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int run(const char *format, ...) {
    if (strstr(folder, "XXXXXX")) CHECK(mkdtemp(folder) != NULL);
    char arguments[2000], command[4000];
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    snprintf(command, sizeof command, "cd %s && '%s' %s >.out 2>.err", folder, GRAZE_PROGRAM_PATH, arguments);
    int status = system(command);
    size_t size;
    free(out);
    free(err);
    out = read_all(in_folder(".out"), &size);
    err = read_all(in_folder(".err"), &size);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void expect(int wanted, int status) { CHECK_MSG(status == wanted, "status %d: %s", status, err); }

static void expect_refusal(int status, const char *word) {
    CHECK_MSG(status == 2 && out[0] == '\0', "status %d, stdout %s", status, out);
    const char *end = strchr(err, '\n');
    CHECK_MSG(end && end[1] == '\0' && strstr(err, word), "'%s' is not in the one line: %s", word, err);
}

static double number(const char *path) {
    cJSON *object = cJSON_Parse(out);
    const cJSON *item = object;
    char name[80];
    while (item && *path) {
        size_t length = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        item = cJSON_IsArray(item) ? cJSON_GetArrayItem(item, atoi(name)) : cJSON_GetObjectItem(item, name);
        path += length + (path[length] == '.');
    }
    double value = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    cJSON_Delete(object);
    return value;
}

static bool same_files(const char *a, const char *b) {
    size_t size_a, size_b;
    char *bytes_a = read_all(a, &size_a), *bytes_b = read_all(b, &size_b);
    bool same = size_a == size_b && memcmp(bytes_a, bytes_b, size_a) == 0;
    free(bytes_a);
    free(bytes_b);
    return same;
}

/* ---- scene ---- */

TEST(scene_writes_frames_that_read_back_and_do_not_depend_on_the_instruction_set) {
    expect(0, run("scene cloth-ball --out s/one --frames 3 --size 8 --seed 5 --json"));
    CHECK(number("frames") == 3 && number("vertices") == 81 + 18 && number("faces") == 128 + 32);
    setenv("GRAZE_ISA", "scalar", 1);
    expect(0, run("scene cloth-ball --out s/two --frames 3 --size 8 --seed 5 --threads 2"));
    unsetenv("GRAZE_ISA");
    expect(0, run("scene cloth-ball --out s/other --frames 3 --size 8 --seed 6"));
    for (int k = 0; k < 3; k++) {
        char name[3][100];
        static const char *const runs[] = {"one", "two", "other"};
        for (int i = 0; i < 3; i++) snprintf(name[i], 100, "s/%s/frames/cloth-ball_%d.ply", runs[i], k);
        CHECK(same_files(in_folder(name[0]), in_folder(name[1])));
        CHECK(!same_files(in_folder(name[0]), in_folder(name[2])));
        io_mesh mesh;
        io_error error = {""};
        CHECK_MSG(io_read_mesh(in_folder(name[0]), &mesh, &error), "%s", error.message);
        CHECK(mesh.vertex_count == 99 && mesh.face_count == 160);
        io_free_mesh(&mesh);
    }
}

TEST(scene_refuses_what_it_cannot_do) {
    expect_refusal(run("scene no-such-scene --out x"), "no-such-scene");
    expect_refusal(run("scene n-body"), "--out");
    expect_refusal(run("scene n-body --out x --frames 0"), "--frames");
    expect_refusal(run("scene n-body --out x --size 100000"), "--size");
    write_all(in_folder("plain"), "x", 1);
    expect_refusal(run("scene n-body --out plain/x"), "plain");
    expect(0, run("scene --list --json"));
    CHECK(strstr(out, "cloth-ball") && strstr(out, "n-body") && strstr(out, "rod-twist"));
}

/* ---- handcraft and truth ---- */

static void handcraft(void) {
    static bool done;
    if (!done) expect(0, run("handcraft --out hand --count 20 --seed 3 --json"));
    done = true;
}

TEST(handcraft_writes_truth_that_the_oracle_confirms) {
    handcraft();
    double queries = number("queries"), hits = number("hits");
    CHECK(queries >= 25 * 40 && hits > 0 && hits < queries);
    size_t size;
    char *index = read_all(in_folder("hand/index.json"), &size);
    CHECK(strstr(index, "near-contact") && strstr(index, "\"ulps\""));
    free(index);
    expect(0, run("truth hand --json"));
    CHECK(number("total.queries") == queries && number("total.hits") == hits && number("total.disagreements") == 0);
    CHECK(number("total.time_us.mean") > 0);
    expect(0, run("handcraft --out again --count 20 --seed 3 --threads 1"));
    CHECK(same_files(in_folder("hand/index.json"), in_folder("again/index.json")));
    CHECK(same_files(in_folder("hand/nudged/edge-edge/ulps_-1.csv"), in_folder("again/nudged/edge-edge/ulps_-1.csv")));
}

static const char *const three = "hand/lattice hand/graze hand/near-contact/vertex-face";

TEST(truth_lines_are_the_same_for_every_number_of_threads_and_say_what_the_contract_says) {
    handcraft();
    expect(0, run("truth %s --out one.jsonl --threads 1", three));
    expect(0, run("truth %s --out four.jsonl --threads 4", three));
    CHECK(same_files(in_folder("one.jsonl"), in_folder("four.jsonl")));
    size_t size;
    char *bytes = read_all(in_folder("one.jsonl"), &size);
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
    expect(0, run("truth %s --out whole.jsonl", three));
    size_t size;
    char *bytes = read_all(in_folder("whole.jsonl"), &size);
    test_random random = {4};
    for (int i = 0; i < 24; i++) {
        size_t cut = i == 0 ? 0 : i == 1 ? size : i == 2 ? size - 1 : (size_t)test_random_below(&random, size);
        write_all(in_folder("cut.jsonl"), bytes, cut);
        expect(0, run("truth %s --out cut.jsonl --resume --json", three));
        CHECK_MSG(same_files(in_folder("whole.jsonl"), in_folder("cut.jsonl")), "cut at byte %zu", cut);
        CHECK(number("total.queries") == 100 && number("total.disagreements") == 0);
        if (i == 0) CHECK(number("total.decided") == 100);
        if (i == 1) CHECK(number("total.decided") == 0);
    }
    /* a file that is not there yet, and files of another run */
    expect(0, run("truth %s --out fresh.jsonl --resume", three));
    CHECK(same_files(in_folder("whole.jsonl"), in_folder("fresh.jsonl")));
    expect_refusal(run("truth hand/graze --out whole.jsonl --resume"), "whole.jsonl:1:");
    expect_refusal(run("truth hand/lattice --out whole.jsonl --resume"), "more lines");
    write_all(in_folder("cut.jsonl"), bytes, size / 2);
    expect_refusal(run("truth %s --out cut.jsonl --resume --separation 1", three), "same options");
    expect_refusal(run("truth %s --resume", three), "--out");
    free(bytes);
}

TEST(truth_finds_a_wrong_column_and_puts_it_right) {
    handcraft();
    io_queries queries;
    io_error error = {""};
    CHECK_MSG(io_read_query_csv(in_folder("hand/lattice/edge-edge/range_1.csv"), &queries, &error), "%s",
              error.message);
    unsigned char *wrong = calloc(queries.count, 1);
    memcpy(wrong, queries.truth, queries.count);
    wrong[1] = !wrong[1];
    CHECK(io_write_query_csv(in_folder("wrong-ee.csv"), queries.queries, queries.count, wrong, &error));
    CHECK(io_write_query_csv(in_folder("without-ee.csv"), queries.queries, queries.count, NULL, &error));
    expect(1, run("truth wrong-ee.csv --json"));
    CHECK(number("total.disagreements") == 1 && strstr(err, "wrong-ee.csv:9: query 1"));
    expect(0, run("truth without-ee.csv --json"));
    CHECK(isnan(number("total.disagreements"))); /* null */
    expect(1, run("truth wrong-ee.csv --write"));
    expect(0, run("truth wrong-ee.csv without-ee.csv --write"));
    CHECK(same_files(in_folder("wrong-ee.csv"), in_folder("hand/lattice/edge-edge/range_1.csv")));
    CHECK(same_files(in_folder("without-ee.csv"), in_folder("hand/lattice/edge-edge/range_1.csv")));
    free(wrong);
    io_free_queries(&queries);
}

TEST(truth_with_a_separation_touches_more_and_is_not_compared_with_the_column) {
    handcraft();
    expect(0, run("truth hand/static hand/coplanar --separation 0.5 --json"));
    CHECK(isnan(number("total.disagreements")) && number("total.hits") >= 40);
    double euclidean = number("total.hits");
    expect(0, run("truth hand/static hand/coplanar --separation 0.5 --norm max --json"));
    CHECK(number("total.hits") >= euclidean); /* the cube holds the ball */
    expect(0, run("truth hand/static hand/coplanar --separation 1000 --json"));
    CHECK(number("total.hits") == number("total.queries"));
    expect_refusal(run("truth hand/static --separation -1"), "--separation");
    expect_refusal(run("truth hand/static --norm taxi"), "taxi");
    expect_refusal(run("truth nowhere.csv --kind vf"), "nowhere.csv");
    expect_refusal(run("truth hand/static --t-max 0"), "--t-max");
}

/* ---- dataset --make ---- */

TEST(dataset_make_writes_a_scene_folder_that_scores_without_a_miss) {
    expect(0, run("scene cloth-ball --out made --frames 3 --size 16"));
    expect(0, run("dataset made --make --json"));
    double vf = number("total.truth.vf"), ee = number("total.truth.ee"), pairs = number("steps.0.candidates.ee");
    CHECK(number("steps.1.step") == 1 && vf > 0 && ee > 0);
    expect(0, run("dataset made --method oracle --json"));
    CHECK(number("total.truth.vf") == vf && number("total.truth.ee") == ee && number("steps.0.candidates.ee") == pairs);
    CHECK(number("total.broad_missed.vf") == 0 && number("total.broad_missed.ee") == 0);
    CHECK(number("total.false_negatives.vf") == 0 && number("total.false_negatives.ee") == 0);
    CHECK(number("total.false_positives.vf") == 0 && number("total.false_positives.ee") == 0);
    /* the three lists of a step tell the same */
    io_id_pairs ids;
    io_booleans truth;
    io_queries queries;
    io_error error = {""};
    CHECK(io_read_id_pairs(in_folder("made/boxes/0ee.json"), &ids, &error));
    CHECK(io_read_booleans(in_folder("made/mma_bool/0ee_mma_bool.json"), &truth, &error));
    CHECK(io_read_query_csv(in_folder("made/queries/0ee.csv"), &queries, &error));
    CHECK(ids.count == pairs && truth.count == pairs && queries.count == pairs);
    CHECK(queries.truth && memcmp(truth.values, queries.truth, truth.count) == 0);
    io_free_id_pairs(&ids);
    io_free_booleans(&truth);
    io_free_queries(&queries);
    expect_refusal(run("dataset made --make"), "has files already");
    expect_refusal(run("dataset nowhere --make"), "nowhere");
}

TEST(truth_agrees_with_every_reference_query) {
    const char *data = test_data_folder();
    if (!data) {
        test_skip("GRAZE_DATA is not set");
        return;
    }
    expect(0, run("truth '%s/queries' --json", data));
    CHECK(number("total.disagreements") == 0 && number("total.truth") > 0);
    CHECK(number("total.hits") == number("total.truth") && number("total.decided") == number("total.queries"));
}

/* ---- the demo's page ---- */

TEST(demo_page_shows_the_step_and_a_row_for_each_method_that_finished) {
    expect(0, run("scene rod-twist --out bar --frames 6 --size 8"));
    expect(
        0,
        run("step bar/frames/rod-twist_4.ply bar/frames/rod-twist_5.ply --mode all --pairs-out bar/pairs.json --json"));
    write_all(in_folder("bar/step.json"), out, strlen(out));
    expect(0, run("handcraft --out bar/hand --count 2"));
    expect(0, run("query bar/hand --method oracle --json"));
    write_all(in_folder("bar/hand-oracle.json"), out, strlen(out));
    expect(0, run("demo bar bar/frames/rod-twist_4.ply bar/frames/rod-twist_5.ply"));
    CHECK_MSG(strstr(out, "oracle") && strstr(out, "ti"), "%s", out);
    size_t size;
    char *page = read_all(in_folder("bar/index.html"), &size);
    CHECK(strstr(page, "<svg") && strstr(page, "class=\"a") && strstr(page, "<code>oracle</code>"));
    CHECK(!strstr(page, "http://") && !strstr(page, "https://") && !strstr(page, "nan")); /* nothing from elsewhere */
    free(page);
    expect_refusal(run("demo bar"), "demo");
    expect_refusal(run("demo hand bar/frames/rod-twist_4.ply bar/frames/rod-twist_5.ply"), "step.json");
}

int main(int argc, char **argv) {
    int status = RUN_TESTS(argc, argv);
    free(out);
    free(err);
    char command[400];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (!strstr(folder, "XXXXXX") && system(command) != 0) return 1;
    return status;
}
