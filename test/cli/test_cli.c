/* The program from outside: JSON as promised, scores, exit statuses, and one line for everything that is bad. */
#include "check.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/graze-cli-XXXXXX";

/* ---- running ---- */

static char out[1 << 20], err[1 << 16];

static void slurp(const char *name, char *to, size_t size) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "rb");
    size_t used = stream ? fread(to, 1, size - 1, stream) : 0;
    to[used] = '\0';
    if (stream) fclose(stream);
}

/* Runs the program within the test's folder; the exit status, or −1 when it crashed. */
static int run(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int run(const char *format, ...) {
    char arguments[2000], command[4000];
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    snprintf(command, sizeof command, "cd %s && '%s' %s >.out 2>.err", folder, GRAZE_PROGRAM_PATH, arguments);
    int status = system(command);
    slurp(".out", out, sizeof out);
    slurp(".err", err, sizeof err);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void write_file(const char *name, const char *text) {
    char path[200];
    if (strstr(folder, "XXXXXX")) CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "w");
    CHECK_MSG(stream != NULL, "%s", path);
    if (!stream) return;
    fputs(text, stream);
    fclose(stream);
}

static void make_folder(const char *name) {
    char path[200];
    if (strstr(folder, "XXXXXX")) CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    mkdir(path, 0777);
}

static size_t lines_of(const char *text) {
    size_t lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

/* Bad input: exit 2, nothing on stdout, one line on stderr that has all the words. */
static void expect_refusal(const char *arguments, const char *word, const char *other) {
    int status = run("%s", arguments);
    CHECK_MSG(status == 2, "graze %s: status %d", arguments, status);
    CHECK_MSG(out[0] == '\0', "graze %s: stdout: %s", arguments, out);
    CHECK_MSG(lines_of(err) == 1 && err[strlen(err) - 1] == '\n', "graze %s: stderr: %s", arguments, err);
    CHECK_MSG(strstr(err, word) && strstr(err, other), "graze %s: '%s' and '%s' are not in: %s", arguments, word, other,
              err);
}

/* The one JSON object on stdout. */
static cJSON *json(void) {
    size_t length = strlen(out);
    CHECK(length > 0 && out[length - 1] == '\n' && lines_of(out) == 1);
    if (length) out[length - 1] = '\0';
    cJSON *object = cJSON_ParseWithOpts(out, NULL, 1);
    CHECK_MSG(cJSON_IsObject(object), "not one JSON object: %s", out);
    return object;
}

/* A field by its path, "total.time_us.mean"; numbers of arrays are steps too: "files.0.kind". */
static const cJSON *field(const cJSON *object, const char *path) {
    char name[80];
    while (object && *path) {
        size_t length = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        object = cJSON_IsArray(object) ? cJSON_GetArrayItem(object, atoi(name))
                                       : cJSON_GetObjectItemCaseSensitive(object, name);
        path += length + (path[length] == '.');
    }
    return object;
}

static void expect_number(const cJSON *object, const char *path, double low, double high) {
    const cJSON *item = field(object, path);
    CHECK_MSG(cJSON_IsNumber(item) && item->valuedouble >= low && item->valuedouble <= high,
              "%s is %g, not in [%g, %g]", path, cJSON_IsNumber(item) ? item->valuedouble : NAN, low, high);
}

static void expect_text(const cJSON *object, const char *path, const char *text) {
    const cJSON *item = field(object, path);
    CHECK_MSG(cJSON_IsString(item) && strcmp(item->valuestring, text) == 0, "%s is %s, not %s", path,
              cJSON_IsString(item) ? item->valuestring : "no text", text);
}

static void expect_null(const cJSON *object, const char *path) {
    CHECK_MSG(cJSON_IsNull(field(object, path)), "%s is not null", path);
}

/* ---- data ---- */

/* A vertex that falls through a triangle at t = 1/2, or (a clear one) beside it; the truth is what is claimed. */
static void put_query(char *text, bool falls_inside, const char *truth) {
    const char *x = falls_inside ? "1,4" : "8,1";
    char rows[600];
    snprintf(rows, sizeof rows,
             "%s,1,4,1,1%s\n0,1,0,1,0,1%s\n1,1,0,1,0,1%s\n0,1,1,1,0,1%s\n"
             "%s,1,4,-1,1%s\n0,1,0,1,0,1%s\n1,1,0,1,0,1%s\n0,1,1,1,0,1%s\n",
             x, truth, truth, truth, truth, x, truth, truth, truth, truth);
    strcat(text, rows);
}

static void write_queries(const char *name, bool with_truth) {
    char text[4000] = "";
    put_query(text, true, with_truth ? ",1" : "");
    put_query(text, false, with_truth ? ",0" : "");
    put_query(text, true, with_truth ? ",0" : "");  /* claimed clear: a false positive */
    put_query(text, false, with_truth ? ",1" : ""); /* claimed a hit: a false negative */
    put_query(text, false, with_truth ? ",1" : "");
    write_file(name, text);
}

/* A resting triangle and one that comes down upon it, point first: vertex 3 meets face 0 at t = 1/2. */
#define FRAME_0 "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 1\nv 1 1 3\nv 2 1 3\n"
#define FRAME_1 "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 -1\nv 1 1 1\nv 2 1 1\n"
#define FACES "f 1 2 3\nf 4 5 6\n"

static void write_frames(void) {
    write_file("a0.obj", FRAME_0 FACES);
    write_file("a1.obj", FRAME_1 FACES);
}

/* ---- query ---- */

TEST(query_json_has_the_fields_of_the_contract_and_the_right_counts) {
    make_folder("vertex-face");
    write_queries("vertex-face/q.csv", true);
    CHECK_MSG(run("query --method ti --json vertex-face/q.csv") == 0, "%s", err);
    CHECK(err[0] == '\0');
    cJSON *object = json();
    expect_text(object, "method", "ti");
    expect_number(object, "separation", 0, 0);
    expect_number(object, "tolerance", 1e-6, 1e-6);
    expect_text(object, "files.0.path", "vertex-face/q.csv");
    static const char *const places[] = {"files.0", "total"};
    for (int i = 0; i < 2; i++) {
        const cJSON *score = field(object, places[i]);
        expect_text(score, "kind", "vf");
        expect_number(score, "queries", 5, 5);
        expect_number(score, "hits", 2, 2);
        expect_number(score, "unresolved", 0, 0);
        expect_number(score, "truth", 3, 3);
        expect_number(score, "false_positives", 1, 1);
        expect_number(score, "false_negatives", 2, 2);
        expect_number(score, "time_us.mean", 0, 1e6);
        expect_number(score, "time_us.p50", 0, 1e6);
        expect_number(score, "time_us.p99", 0, 1e6);
        expect_number(score, "time_us.max", 0, 1e6);
    }
    cJSON_Delete(object);
}

TEST(query_times_a_batch_beside_single_calls) {
    write_queries("b-vf.csv", true);
    CHECK(run("query b-vf.csv --json --threads 2") == 0);
    cJSON *object = json();
    expect_number(object, "files.0.batch_us", 1e-4, 1e6);
    expect_number(object, "total.batch_us", 1e-4, 1e6);
    expect_number(object, "files.0.hits", 2, 2); /* the answers are those of the single calls */
    cJSON_Delete(object);
}

TEST(query_totals_cover_the_files_that_have_truth) {
    make_folder("edge-edge");
    make_folder("vertex-face");
    write_queries("vertex-face/q.csv", true);
    write_queries("bare-vf.csv", false);
    write_queries("edge-edge/q.csv", true);
    CHECK(run("query --method ti --json vertex-face edge-edge bare-vf.csv --threads 2 --repeat 2") == 0);
    cJSON *object = json();
    CHECK(cJSON_GetArraySize(field(object, "files")) == 3);
    expect_text(object, "files.1.kind", "ee");
    expect_text(object, "files.2.kind", "vf");
    expect_null(object, "files.2.truth");
    expect_null(object, "files.2.false_positives");
    expect_null(object, "files.2.false_negatives");
    expect_null(object, "total.kind");
    expect_number(object, "total.queries", 10, 10);
    expect_number(object, "total.truth", 6, 6);
    cJSON_Delete(object);
    CHECK(run("query --method ti --json bare-vf.csv") == 0);
    object = json();
    expect_number(object, "total.queries", 5, 5);
    expect_null(object, "total.truth");
    cJSON_Delete(object);
}

TEST(query_kind_is_told_by_option_then_folder_then_name) {
    write_queries("plain.csv", true);
    write_queries("7ee.csv", true);
    make_folder("vertex-face");
    write_queries("vertex-face/7ee.csv", true);
    static const char *const cases[][2] = {
        {"plain.csv --kind vf", "vf"}, {"plain.csv --kind=ee", "ee"}, {"7ee.csv", "ee"},
        {"./7ee.csv", "ee"},           {"vertex-face/7ee.csv", "vf"}, {"vertex-face/7ee.csv --kind ee", "ee"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_MSG(run("query --method ti --json %s", cases[i][0]) == 0, "%s: %s", cases[i][0], err);
        cJSON *object = json();
        expect_text(object, "files.0.kind", cases[i][1]);
        cJSON_Delete(object);
    }
    expect_refusal("query --method ti plain.csv", "plain.csv", "--kind");
    expect_refusal("query --method ti plain.csv --kind pp", "--kind", "pp");
}

TEST(query_out_has_a_line_for_each_query_that_reads_back_exactly) {
    write_queries("q-vf.csv", true);
    write_file("answers.jsonl", "old\n");
    CHECK(run("query --method ti q-vf.csv q-vf.csv --out answers.jsonl --t-max 0.75") == 0);
    slurp("answers.jsonl", out, sizeof out);
    char *line = strtok(out, "\n");
    for (int i = 0; i < 10; i++, line = strtok(NULL, "\n")) {
        cJSON *object = line ? cJSON_ParseWithOpts(line, NULL, 1) : NULL;
        CHECK_MSG(cJSON_IsObject(object), "line %d: %s", i, line ? line : "is missing");
        if (!object) return;
        bool hit = i % 5 == 0 || i % 5 == 2;
        expect_text(object, "file", "q-vf.csv");
        expect_number(object, "index", i % 5, i % 5);
        expect_text(object, "verdict", hit ? "hit" : "clear");
        if (hit) {
            expect_number(object, "toi", 0.499, 0.5);
            expect_number(object, "u", 0.2, 0.3);
            expect_number(object, "v", 0.2, 0.3);
        } else {
            expect_number(object, "toi", 0.75, 0.75);
            expect_null(object, "toi_upper");
            expect_null(object, "u");
            expect_null(object, "v");
        }
        CHECK(field(object, "toi_upper") != NULL);
        expect_number(object, "checks", 0, 1e6);
        cJSON_Delete(object);
    }
    CHECK(line == NULL);
    /* nothing half-written is left when a later file is bad */
    write_file("answers.jsonl", "old\n");
    write_file("bad-vf.csv", "1,0\n");
    expect_refusal("query --method ti q-vf.csv bad-vf.csv --out answers.jsonl", "bad-vf.csv:1:", "denominator");
    slurp("answers.jsonl", out, sizeof out);
    CHECK(strcmp(out, "old\n") == 0);
}

TEST(query_truth_may_come_from_a_list) {
    write_queries("q-vf.csv", true);
    write_file("truth.json", "[true, false, true,\n false, false]\n");
    CHECK_MSG(run("query --method ti --json q-vf.csv --truth truth.json") == 0, "%s", err);
    cJSON *object = json();
    expect_number(object, "total.truth", 2, 2);
    expect_number(object, "total.false_positives", 0, 0);
    expect_number(object, "total.false_negatives", 0, 0);
    cJSON_Delete(object);
    write_file("truth.json", "[true, false]");
    expect_refusal("query --method ti q-vf.csv --truth truth.json", "truth.json", "5 queries");
    write_file("truth.json", "[true, false, maybe]");
    expect_refusal("query --method ti q-vf.csv --truth truth.json", "truth.json:1:", "true or false");
    write_file("truth.json", "[true, false, true, false, true");
    expect_refusal("query --method ti q-vf.csv --truth truth.json", "truth.json:1:", "comma or ]");
    expect_refusal("query --method ti q-vf.csv q-vf.csv --truth truth.json", "--truth", "one CSV");
    expect_refusal("query --method ti q-vf.csv --truth none.json", "none.json", "cannot open");
}

TEST(query_refuses_bad_input_in_one_line) {
    write_queries("q-vf.csv", true);
    static const char *const rows[][3] = {
        {"1,0,1,1,1,1,1\n", "bad-vf.csv:1:", "denominator is zero"},
        {"1,3,1,1,1,1,1\n", "bad-vf.csv:1:", "not a double"},
        {"one,1,1,1,1,1,1\n", "bad-vf.csv:1:", "integer"},
        {"nan,1,1,1,1,1,1\n", "bad-vf.csv:1:", "integer"},
        {"inf,1,1,1,1,1,1\n", "bad-vf.csv:1:", "integer"},
        {"1,1,1,1,1,1\n1,1,1,1,1,1\n1,1,1,1,1,1\n1,1,1,1,1,1\n1,1,1,1,1,1\n1,1,1,1,1,1\n1,1,1,1,1,1\n",
         "bad-vf.csv:7:", "7 rows"},
        {"", "bad-vf.csv", "no queries"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_file("bad-vf.csv", rows[i][0]);
        expect_refusal("query --method ti --json q-vf.csv bad-vf.csv", rows[i][1], rows[i][2]);
    }
    /* 2^200 in the sixth row of the second query: a double, but beyond the methods' range */
    char text[4000] = "";
    put_query(text, true, ",1");
    for (int i = 0; i < 5; i++) strcat(text, "0,1,0,1,0,1,1\n");
    strcat(text, "1606938044258990275541962092341162602522202993782792835301376,1,0,1,0,1,1\n"
                 "0,1,0,1,0,1,1\n0,1,0,1,0,1,1\n");
    write_file("wide-vf.csv", text);
    expect_refusal("query --method ti --json wide-vf.csv", "wide-vf.csv:14:", "2^160");
    expect_refusal("query --method ti", "query", "which queries");
    expect_refusal("query --method ti missing-vf.csv", "missing-vf.csv", "cannot open");
    make_folder("empty");
    expect_refusal("query --method ti empty", "empty", "no CSV");
    expect_refusal("query --method none q-vf.csv", "none", "does not exist");
    expect_refusal("query --separation -1 q-vf.csv", "--separation", "negative");
    expect_refusal("query --separation nan q-vf.csv", "--separation", "not finite");
    expect_refusal("query --tolerance -1 q-vf.csv", "--tolerance", "negative");
    expect_refusal("query --t-max 0 q-vf.csv", "--t-max", "(0, 1]");
    expect_refusal("query --t-max 1.5 q-vf.csv", "--t-max", "(0, 1]");
    expect_refusal("query --repeat 0 q-vf.csv", "--repeat", "at least 1");
    expect_refusal("query --threads 2000 q-vf.csv", "--threads", "at most");
    expect_refusal("query --sep 1 q-vf.csv", "--sep", "unknown option");
    expect_refusal("query --out", "--out", "needs a value");
    expect_refusal("query --method ti q-vf.csv --out none/a.jsonl", "none/a.jsonl", "cannot write");
    if (geteuid() != 0) {
        char path[200];
        make_folder("closed");
        snprintf(path, sizeof path, "%s/closed", folder);
        chmod(path, 0);
        expect_refusal("query --method ti closed", "closed", "cannot open");
        chmod(path, 0700);
    }
}

/* ---- step ---- */

TEST(step_json_has_the_fields_of_the_contract_and_the_right_contact) {
    write_frames();
    CHECK_MSG(run("step a0.obj a1.obj --method ti --json --threads 2") == 0, "%s", err);
    cJSON *object = json();
    expect_text(object, "verdict", "hit");
    expect_number(object, "toi", 0.499, 0.5);
    CHECK(field(object, "toi_upper") != NULL);
    expect_text(object, "pair.kind", "vf");
    expect_number(object, "pair.a", 3, 3);
    expect_number(object, "pair.b", 0, 0);
    expect_number(object, "pair.u", 0.2, 0.3);
    expect_number(object, "pair.v", 0.2, 0.3);
    expect_number(object, "pair.normal.2", 0.99, 1.01);
    static const char *const numbers[] = {"candidates.vf", "candidates.ee", "hits.vf",        "hits.ee",
                                          "time_ms.boxes", "time_ms.broad", "time_ms.narrow", "time_ms.total"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const cJSON *item = field(object, numbers[i]);
        CHECK_MSG(cJSON_IsNumber(item) || cJSON_IsNull(item), "%s", numbers[i]);
    }
    expect_text(object, "method", "ti");
    expect_text(object, "broad", "auto");
    expect_text(object, "backend", "cpu");
    expect_number(object, "threads", 2, 2);
    cJSON_Delete(object);
}

TEST(step_time_limit_and_separation_move_the_answer) {
    write_frames();
    CHECK(run("step a0.obj a1.obj --method ti --json --t-max 0.25") == 0);
    cJSON *object = json();
    expect_text(object, "verdict", "clear");
    expect_number(object, "toi", 0.25, 0.25);
    expect_null(object, "toi_upper");
    expect_null(object, "pair");
    cJSON_Delete(object);
    CHECK(run("step a0.obj a1.obj --method ti --json --separation 0.5") == 0);
    object = json();
    expect_text(object, "verdict", "hit");
    expect_number(object, "toi", 0.1, 0.25);
    cJSON_Delete(object);
}

TEST(step_all_counts_and_lists_the_pairs) {
    write_frames();
    CHECK_MSG(run("step a0.obj a1.obj --method ti --json --pairs-out pairs.json --repeat 2") == 0, "%s", err);
    cJSON *object = json();
    /* the swept boxes of vertex 3 and of the two edges that end in it reach face 0 and its long side, edge 2 */
    expect_number(object, "candidates.vf", 1, 1);
    expect_number(object, "candidates.ee", 2, 2);
    expect_number(object, "hits.vf", 1, 1);
    expect_number(object, "hits.ee", 0, 0);
    cJSON_Delete(object);
    slurp("pairs.json", out, sizeof out);
    cJSON *list = cJSON_ParseWithOpts(out, NULL, 0);
    CHECK_MSG(cJSON_IsArray(list) && cJSON_GetArraySize(list) == 1, "%s", out);
    expect_text(list, "0.kind", "vf");
    expect_number(list, "0.a", 3, 3);
    expect_number(list, "0.b", 0, 0);
    expect_text(list, "0.verdict", "hit");
    expect_number(list, "0.toi", 0.499, 0.5);
    CHECK(field(list, "0.toi_upper") != NULL);
    cJSON_Delete(list);
}

TEST(step_reads_every_format_alike) {
    write_frames();
    CHECK(run("step a0.obj a1.obj --method ti") == 0);
    static const struct {
        const char *name, *head, *between, *tail;
    } formats[] = {
        {"off", "OFF\n6 2 0\n", "", "3 0 1 2\n3 3 4 5\n"},
        {"ply",
         "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\n"
         "element face 2\nproperty list uchar int vertex_indices\nend_header\n",
         "", "3 0 1 2\n3 3 4 5\n"},
        {"msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n", "tag",
         "$EndNodes\n$Elements\n2\n1 2 0 1 2 3\n2 2 0 4 5 6\n$EndElements\n"},
        {"stl", "solid\n", "stl", "endsolid\n"},
    };
    static const double z[2][6] = {{0, 0, 0, 1, 3, 3}, {0, 0, 0, -1, 1, 1}};
    static const double xy[6][2] = {{0, 0}, {4, 0}, {0, 4}, {1, 1}, {1, 1}, {2, 1}};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        char names[2][32];
        for (int frame = 0; frame < 2; frame++) {
            char text[2000], line[100];
            strcpy(text, formats[f].head);
            for (int i = 0; i < 6; i++) {
                bool stl = strcmp(formats[f].between, "stl") == 0;
                if (stl && i % 3 == 0) strcat(text, "facet normal 0 0 0\nouter loop\n");
                snprintf(line, sizeof line, "%g %g %g\n", xy[i][0], xy[i][1], z[frame][i]);
                char number[16];
                snprintf(number, sizeof number, "%d ", i + 1);
                if (strcmp(formats[f].between, "tag") == 0) strcat(text, number);
                if (stl) strcat(text, "vertex ");
                strcat(text, line);
                if (stl && i % 3 == 2) strcat(text, "endloop\nendfacet\n");
            }
            strcat(text, formats[f].tail);
            snprintf(names[frame], sizeof names[frame], "f%d.%s", frame, formats[f].name);
            write_file(names[frame], text);
        }
        CHECK_MSG(run("step %s %s --method ti --json", names[0], names[1]) == 0, "%s", err);
        cJSON *object = json();
        expect_text(object, "verdict", "hit");
        expect_number(object, "pair.a", 3, 3);
        expect_number(object, "toi", 0.499, 0.5);
        cJSON_Delete(object);
    }
}

TEST(step_fans_large_faces_with_a_notice) {
    write_file("q0.obj", "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nv 1 1 1\nv 1 1 3\nv 2 1 3\nf 1 2 3 4\nf 5 6 7\n");
    write_file("q1.obj", "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nv 1 1 -1\nv 1 1 1\nv 2 1 1\nf 1 2 3 4\nf 5 6 7\n");
    CHECK(run("step q0.obj q1.obj --method ti --json") == 0);
    CHECK_MSG(lines_of(err) == 1 && strstr(err, "q0.obj") && strstr(err, "1 faces"), "%s", err);
    cJSON *object = json();
    expect_number(object, "toi", 0.499, 0.5);
    cJSON_Delete(object);
}

TEST(step_collides_lines_that_belong_to_no_face) {
    /* two bare lines, one of them listed twice, that cross in the middle of the step */
    write_file("l0.obj", "v -1 0 0\nv 1 0 0\nv 0 -1 1\nv 0 1 1\nl 2 1\nl 3 4\nl 4 3\n");
    write_file("l1.obj", "v -1 0 0\nv 1 0 0\nv 0 -1 -1\nv 0 1 -1\nl 2 1\nl 3 4\nl 4 3\n");
    CHECK_MSG(run("step l0.obj l1.obj --method ti --json --mode all") == 0, "%s", err);
    cJSON *object = json();
    expect_text(object, "verdict", "hit");
    expect_text(object, "pair.kind", "ee");
    expect_number(object, "candidates.ee", 1, 1);
    expect_number(object, "hits.ee", 1, 1);
    expect_number(object, "toi", 0.499, 0.5);
    cJSON_Delete(object);
}

TEST(step_to_writes_a_state_that_may_be_stepped_to) {
    write_frames();
    write_file("l0.obj", "v -1 0 0\nv 1 0 0\nv 0 -1 1\nv 0 1 1\nl 2 1\nl 3 4\nl 3 3\n");
    write_file("l1.obj", "v -1 0 0\nv 1 0 0\nv 0 -1 -1\nv 0 1 -1\nl 2 1\nl 3 4\nl 3 3\n");
    for (int lines = 0; lines < 2; lines++) {
        const char *a = lines ? "l0.obj" : "a0.obj", *b = lines ? "l1.obj" : "a1.obj";
        CHECK_MSG(run("step %s %s --json --to c.ply --separation 0.01", a, b) == 0, "%s", err);
        cJSON *object = json();
        expect_text(object, "verdict", "hit");
        expect_number(object, "alpha", 0.49, 0.5);
        cJSON_Delete(object);
        CHECK_MSG(run("step %s c.ply --separation 0.01 --exit-code", a) == 0, "%s%s", out, err);
        CHECK_MSG(run("step c.ply %s --separation 0.01 --json", b) == 0, "%s", err);
        object = json();
        expect_number(object, "toi", 1e-300, 0.5); /* it starts free */
        cJSON_Delete(object);
    }
    CHECK(run("step a0.obj a1.obj --t-max 0.25 --to c.ply") == 0 && strstr(out, "alpha        0.25"));
    expect_refusal("step a0.obj a1.obj --mode all --to c.ply", "--to", "earliest");
    expect_refusal("step a0.obj a1.obj --method provot --to c.ply", "provot", "proves nothing");
}

TEST(step_refuses_bad_input_in_one_line) {
    write_frames();
    static const char *const bodies[][3] = {
        {"v 0 0 nan\n" FACES, "bad.obj:1:", "not a number"},
        {"v 0 0 0\nv inf 0 0\n" FACES, "bad.obj:2:", "infinite"},
        {FRAME_1 "f 1 2 3\nf 4 5 7\n", "bad.obj:8:", "out of range"},
        {"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "a0.obj", "bad.obj"},
        {FRAME_1 "f 1 2 3\nf 4 6 5\n", "a0.obj", "bad.obj"},
        {"v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 -1\nv 1e308 1 1\nv 2 1 1\n" FACES, "bad.obj:5:", "2^160"},
        {"", "bad.obj", "no vertices"},
        {"v 0 0 0\n", "bad.obj", "no faces"},
        {"v 0 0 zero\n", "bad.obj:1:", "'zero'"},
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        write_file("bad.obj", bodies[i][0]);
        expect_refusal("step a0.obj bad.obj --method ti --json", bodies[i][1], bodies[i][2]);
    }
    write_file("cut.ply",
               "ply\nformat binary_little_endian 1.0\nelement vertex 2\nproperty char x\nproperty char y\n"
               "property char z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\nabcdefg");
    expect_refusal("step cut.ply cut.ply", "cut.ply", "cut off");
    write_file("huge.ply", "ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\n"
                           "property float z\nend_header\n0 0 0\n");
    expect_refusal("step huge.ply huge.ply", "huge.ply:3:", "4000000000");
    expect_refusal("step a0.obj missing.obj", "missing.obj", "cannot open");
    expect_refusal("step a0.obj", "step", "two meshes");
    expect_refusal("step a0.obj a1.obj a0.obj", "step", "two meshes");
    expect_refusal("step a0.obj a1.obj --separation -0.5", "--separation", "negative");
    expect_refusal("step a0.obj a1.obj --separation NaN", "--separation", "not finite");
    expect_refusal("step a0.obj a1.obj --mode some", "some", "mode");
    expect_refusal("step a0.obj a1.obj --broad none", "none", "broad");
    expect_refusal("step a0.obj a1.obj --backend tpu", "tpu", "back end");
    setenv("GRAZE_CUDA_LIBRARY", "/nonexistent/library.so", 1);
    expect_refusal("step a0.obj a1.obj --backend cuda", "back end cuda", "/nonexistent/library.so");
    unsetenv("GRAZE_CUDA_LIBRARY");
    expect_refusal("step a0.obj a1.obj --mode earliest --pairs-out p.json", "--pairs-out", "mode all");
    expect_refusal("step a0.obj a1.obj --pairs-out none/p.json", "none/p.json", "cannot write");
}

/* ---- sequence ---- */

TEST(sequence_takes_frames_in_numeric_order_and_reports_gaps) {
    make_folder("seq");
    write_file("seq/f9.obj", FRAME_0 FACES);
    write_file("seq/f10.obj", FRAME_1 FACES);
    write_file("seq/f12.obj", FRAME_1 FACES);
    write_file("seq/notes.txt", "not a frame 11\n");
    CHECK_MSG(run("sequence seq --method ti --json --html page.html") == 0, "%s", err);
    bool plain = strstr(err, "plain") != NULL; /* view_pages.sh looks at the page of the viewer */
    CHECK_MSG(lines_of(err) == (plain ? 2 : 1) && strstr(err, "gap"), "%s", err);
    cJSON *object = json();
    expect_number(object, "frames", 3, 3);
    CHECK(cJSON_GetArraySize(field(object, "steps")) == 2);
    expect_number(object, "steps.0.step", 9, 9);
    expect_text(object, "steps.0.verdict", "hit");
    expect_number(object, "steps.1.step", 10, 10);
    CHECK(cJSON_GetArraySize(field(object, "gaps")) == 1);
    expect_number(object, "gaps.0.after", 10, 10);
    expect_number(object, "gaps.0.missing", 1, 1);
    cJSON_Delete(object);
    slurp("page.html", out, sizeof out);
    CHECK(!plain || (strstr(out, "<svg") && strstr(out, "</html>") && !strstr(out, "http") && strstr(out, ">point<")));
    CHECK(run("sequence seq/f12.obj seq/f9.obj seq/f10.obj --method ti --json") == 0);
    object = json();
    expect_number(object, "steps.0.step", 9, 9);
    cJSON_Delete(object);
    CHECK(run("sequence seq --method ti") == 0 && strstr(out, "9-10"));
}

TEST(sequence_refuses_bad_input_in_one_line) {
    make_folder("seq1");
    write_file("seq1/1.obj", FRAME_0 FACES);
    expect_refusal("sequence seq1", "seq1", "needs two");
    expect_refusal("sequence none", "none", "cannot open");
    expect_refusal("sequence", "sequence", "which frames");
    write_file("seq1/01.obj", FRAME_0 FACES);
    expect_refusal("sequence seq1", "seq1/", "same step");
}

/* ---- dataset ---- */

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
        expect_refusal("dataset scene --method ti --json", lists[i][2], lists[i][3]);
    }
    char path[200];
    snprintf(path, sizeof path, "%s/scene/mma_bool/5ee_mma_bool.json", folder);
    remove(path);
    expect_refusal("dataset scene", "5ee_mma_bool.json", "missing");
    snprintf(path, sizeof path, "%s/scene/frames/thing6.obj", folder);
    remove(path);
    expect_refusal("dataset scene", "5ee.json", "frame 6");
    make_folder("bare");
    make_folder("bare/frames");
    write_file("bare/frames/1.obj", FRAME_0 FACES);
    expect_refusal("dataset bare", "bare", "no ground truth");
    expect_refusal("dataset none", "none", "cannot open");
    expect_refusal("dataset a0.obj", "a0.obj", "folder");
    expect_refusal("dataset", "dataset", "which folder");
}

/* ---- all commands ---- */

TEST(the_environment_names_the_instruction_set) {
    setenv("GRAZE_ISA", "scalar", 1);
    CHECK(run("info --json") == 0);
    cJSON *object = json();
    expect_text(object, "isa", "scalar");
    cJSON_Delete(object);
    setenv("GRAZE_ISA", "abacus", 1);
    expect_refusal("info --json", "GRAZE_ISA", "abacus");
    unsetenv("GRAZE_ISA");
}

TEST(every_command_explains_itself) {
    static const char *const commands[] = {"",        "info",  "query", "step",      "sequence",
                                           "dataset", "scene", "truth", "handcraft", "verify",
                                           "bench",   "check", "view",  "articulate"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        CHECK_MSG(run("%s --help", commands[i]) == 0, "%s", commands[i]);
        CHECK(strstr(out, "usage: graze") != NULL && err[0] == '\0');
    }
    expect_refusal("nonsense", "nonsense", "unknown command");
}

TEST(exit_code_tells_hit_clear_and_unresolved) {
    char text[4000] = "";
    write_frames();
    put_query(text, false, ",0");
    write_file("clear-vf.csv", text);
    put_query(text, true, ",1");
    write_file("both-vf.csv", text);
    CHECK(run("query --method ti clear-vf.csv --exit-code") == 0);
    CHECK(run("query --method ti both-vf.csv --exit-code") == 1);
    CHECK(run("query --method ti both-vf.csv") == 0);
    CHECK(run("query --method ti both-vf.csv --exit-code --max-checks 1 --json") == 3);
    cJSON *object = json();
    expect_number(object, "total.hits", 0, 0);
    expect_number(object, "total.false_negatives", 0, 0); /* unresolved is scored as a hit */
    cJSON_Delete(object);
    CHECK(run("step a0.obj a1.obj --method ti --exit-code") == 1);
    CHECK(run("step a0.obj a1.obj --method ti --exit-code --t-max 0.25") == 0);
    CHECK(run("step a0.obj a1.obj --method ti --exit-code --max-checks 1 --json") == 3);
    object = json();
    expect_text(object, "verdict", "unresolved");
    expect_text(object, "reason", "budget");
    cJSON_Delete(object);
    CHECK(run("step a0.obj a1.obj --mode vertices --exit-code --json") == 1);
    object = json();
    expect_text(object, "verdict", "unresolved");
    expect_text(object, "reason", "stopped");
    cJSON_Delete(object);
    CHECK(run("sequence a0.obj a1.obj --method ti --exit-code") == 1);
}

TEST(reference_data_has_no_false_negative_and_no_missed_pair) {
    const char *data = test_data_folder();
    if (!data) {
        test_skip("GRAZE_DATA is unset");
        return;
    }
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

/* ---- the premise ---- */

/* A triangle stuck in another, and both move together: nothing touches on the way. */
#define STUCK_0 "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 -1\nv 1 1 1\nv 2 1 1\n"
#define STUCK_1 "v 1 0 0\nv 5 0 0\nv 1 4 0\nv 2 1 -1\nv 2 1 1\nv 3 1 1\n"
/* The free edge from vertex 4 to 5 goes through the face; that from 5 to 6 does not. */
#define LINES "f 1 2 3\nl 4 5\nl 5 6\n"

TEST(faces_that_intersect_at_the_start_are_counted_and_said) {
    write_file("s0.obj", STUCK_0 FACES);
    write_file("s1.obj", STUCK_1 FACES);
    CHECK(run("step s0.obj s1.obj --json") == 0);
    cJSON *object = json();
    expect_text(object, "verdict", "clear"); /* what CCD is asked for: unchanged */
    expect_number(object, "start.intersections", 1, 1);
    expect_number(object, "time_ms.start", 0, 1e6);
    cJSON_Delete(object);
    CHECK(run("step s0.obj s1.obj --exit-code") == 0);
    CHECK_MSG(strstr(out, "1 pair of faces intersects already"), "%s", out);
    CHECK(run("step s0.obj s1.obj --no-start-check --json") == 0);
    object = json();
    expect_null(object, "start.intersections");
    expect_null(object, "time_ms.start");
    cJSON_Delete(object);
    write_file("f0.obj", FRAME_0 FACES);
    write_file("f1.obj", FRAME_1 FACES);
    CHECK(run("step f0.obj f1.obj") == 0);
    CHECK_MSG(!strstr(out, "intersect"), "%s", out);
    CHECK(run("sequence s0.obj s1.obj --json") == 0);
    object = json();
    expect_number(object, "steps.0.start.intersections", 1, 1);
    cJSON_Delete(object);
}

TEST(free_edges_through_faces_are_intersections) {
    write_file("l0.obj", STUCK_0 LINES);
    CHECK(run("step l0.obj l0.obj --json") == 0);
    cJSON *object = json();
    expect_number(object, "start.intersections", 1, 1);
    cJSON_Delete(object);
    CHECK(run("check l0.obj --json --pairs-out p.json") == 0);
    object = json();
    expect_number(object, "files.0.intersections", 1, 1);
    cJSON_Delete(object);
    slurp("p.json", out, sizeof out);
    CHECK_MSG(strstr(out, "{\"file\":\"l0.obj\",\"kind\":\"ef\",\"a\":3,\"b\":0}"), "%s", out);
}

TEST(check_lists_intersections_and_violations_of_one_state) {
    write_file("s0.obj", STUCK_0 FACES);
    write_file("f0.obj", FRAME_0 FACES);
    CHECK(run("check s0.obj f0.obj --json") == 0);
    cJSON *object = json();
    expect_text(object, "files.0.path", "s0.obj");
    expect_number(object, "files.0.vertices", 6, 6);
    expect_number(object, "files.0.edges", 6, 6);
    expect_number(object, "files.0.faces", 2, 2);
    expect_number(object, "files.0.intersections", 1, 1);
    expect_number(object, "files.0.violations.vf", 0, 0);
    expect_number(object, "files.1.intersections", 0, 0);
    expect_number(object, "files.1.violations.vf", 0, 0);
    cJSON_Delete(object);
    CHECK(run("check s0.obj --exit-code") == 1);
    CHECK(run("check f0.obj --exit-code") == 0);
    CHECK(run("check f0.obj --exit-code --separation 0.99") == 0);
    CHECK(run("check f0.obj --exit-code --separation 1") == 1); /* vertex 3 is 1 above face 0 */
    CHECK(run("check f0.obj --separation 1 --json --pairs-out p.json") == 0);
    object = json();
    expect_number(object, "files.0.violations.vf", 1, 1);
    cJSON_Delete(object);
    slurp("p.json", out, sizeof out);
    CHECK_MSG(strstr(out, "\"kind\":\"vf\",\"a\":3,\"b\":0}"), "%s", out);
    CHECK(run("check f0.obj --exit-code --thickness 0.5") == 1);
    expect_refusal("check", "check", "which");
    expect_refusal("check no-such.obj", "no-such.obj", "cannot open");
    expect_refusal("check f0.obj --separation -1", "--separation", "-1");
    expect_refusal("check f0.obj --pairs-out - --json", "--pairs-out", "JSON");
}

TEST(pairs_say_where_they_touch) {
    write_file("f0.obj", FRAME_0 FACES);
    write_file("f1.obj", FRAME_1 FACES);
    CHECK(run("step f0.obj f1.obj --json --pairs-out p.json") == 0);
    cJSON *object = json();
    expect_number(object, "pair.point.0", 1, 1);
    expect_number(object, "pair.point.1", 1, 1);
    expect_number(object, "pair.point.2", -1e-9, 1e-9);
    expect_number(object, "pair.vertices.0", 3, 3);
    expect_number(object, "pair.vertices.1", 0, 0);
    expect_number(object, "pair.vertices.3", 2, 2);
    cJSON_Delete(object);
    slurp("p.json", out, sizeof out);
    cJSON *pairs = cJSON_Parse(out);
    CHECK(cJSON_GetArraySize(pairs) >= 1);
    for (int i = 0; i < cJSON_GetArraySize(pairs); i++) {
        const cJSON *pair = cJSON_GetArrayItem(pairs, i);
        expect_number(pair, "u", 0, 1);
        expect_number(pair, "v", 0, 1);
        expect_number(pair, "vertices.0", 0, 5);
        expect_number(pair, "vertices.3", 0, 5);
        double length = 0;
        for (int c = 0; c < 3; c++) {
            const cJSON *n = cJSON_GetArrayItem(field(pair, "normal"), c);
            length += n ? n->valuedouble * n->valuedouble : 0;
            CHECK(cJSON_IsNumber(cJSON_GetArrayItem(field(pair, "point"), c)));
        }
        CHECK(fabs(length - 1) < 1e-12);
    }
    cJSON_Delete(pairs);
}

/* ---- names and words from outside ---- */

/* The bytes 0x01 … 0x1f but the newline, DEL and what is not UTF-8. */
static bool steers_a_terminal(const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if ((*c < ' ' && *c != '\n') || *c == 0x7f || *c == 0xff) return true;
    return false;
}

TEST(names_that_are_not_utf_8_give_valid_json) {
    write_queries("vf-\xff\x1b[31m-vf.csv", true);
    write_queries("vf-\xc3\xb6-vf.csv", true);
    CHECK(run("query 'vf-\xff\x1b[31m-vf.csv' --out l.jsonl --json") == 0);
    cJSON *object = json();
    expect_text(object, "files.0.path", "vf-\xef\xbf\xbd\x1b[31m-vf.csv");
    cJSON_Delete(object);
    slurp("l.jsonl", out, sizeof out);
    CHECK(strstr(out, "{\"file\":\"vf-\xef\xbf\xbd\\u001b[31m-vf.csv\",") == out);
    CHECK(run("query 'vf-\xc3\xb6-vf.csv' --json") == 0);
    object = json();
    expect_text(object, "files.0.path", "vf-\xc3\xb6-vf.csv");
    cJSON_Delete(object);
    CHECK(run("truth 'vf-\xff\x1b[31m-vf.csv' --out t.jsonl") == 1);
    CHECK(run("truth 'vf-\xff\x1b[31m-vf.csv' --out t.jsonl --resume") == 1);
}

TEST(nothing_from_outside_steers_the_terminal) {
    write_queries("vf-\xff\x1b[31m-vf.csv", true);
    CHECK(run("query 'vf-\xff\x1b[31m-vf.csv'") == 0);
    CHECK_MSG(!steers_a_terminal(out) && !steers_a_terminal(err), "%s %s", out, err);
    CHECK(run("truth 'vf-\xff\x1b[31m-vf.csv'") == 1);
    CHECK_MSG(!steers_a_terminal(out) && !steers_a_terminal(err), "%s %s", out, err);
    CHECK(run("query --method '\x1b]0;x\x07'") == 2);
    CHECK_MSG(!steers_a_terminal(err) && lines_of(err) == 1, "%s", err);
    CHECK(run("info '--\x1b[2J'") == 2);
    CHECK_MSG(!steers_a_terminal(err) && lines_of(err) == 1, "%s", err);
    CHECK(run("'\x1b[2J\n'") == 2);
    CHECK_MSG(!steers_a_terminal(err) && lines_of(err) == 1, "%s", err);
    write_file("e.ply", "ply\nformat \x1b[31m 1.0\n");
    CHECK(run("step e.ply e.ply") == 2);
    CHECK_MSG(!steers_a_terminal(err) && lines_of(err) == 1, "%s", err);
}

TEST(long_names_in_a_table_are_cut_with_a_mark) {
    char name[160];
    memset(name, 'x', 120);
    strcpy(name + 120, "-vf.csv");
    write_queries(name, true);
    CHECK(run("query %s", name) == 0);
    CHECK_MSG(strstr(out, "\n\xe2\x80\xa6xxx") && strstr(out, "x-vf.csv  vf"), "%s", out);
}

TEST(a_number_of_a_million_digits_is_refused_at_once) {
    static char text[1 << 20];
    memset(text, '7', sizeof text - 20);
    strcpy(text + sizeof text - 20, ",1,1,1,1,1\n");
    write_file("long-vf.csv", text);
    expect_refusal("query long-vf.csv", "long-vf.csv:1: column 1", "digits");
}

int main(int argc, char **argv) {
    int status = RUN_TESTS(argc, argv);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (!strstr(folder, "XXXXXX") && system(command) != 0) status = 1;
    return status;
}
