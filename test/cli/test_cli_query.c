/* graze query from outside: the JSON as promised, scores, and one line for everything that is bad. */
#include "small_data.h"

#include <sys/stat.h>
#include <unistd.h>

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

TEST(query_resumes_a_file_cut_at_any_byte_and_answers_what_changed_again) {
    make_folder("again");
    write_queries("again/one-vf.csv", true);
    write_queries("again/two-vf.csv", true);
    CHECK_MSG(run("query again --out whole.jsonl") == 0, "%s", err);
    size_t size;
    char *bytes = read_file("whole.jsonl", &size);
    CHECK(lines_of(bytes) == 10);
    for (size_t cut = 0; cut <= size; cut += 131) {
        write_bytes("cut.jsonl.graze-part", bytes, cut);
        CHECK_MSG(run("query again --out cut.jsonl --resume --json") == 0, "%s", err);
        CHECK(shell("cmp whole.jsonl cut.jsonl && rm cut.jsonl") == 0);
        CHECK(number_said("total.hits") == 4 && number_said("total.false_negatives") == 4);
    }
    char *verdict = strstr(bytes, "\"hit\"");
    CHECK(verdict != NULL);
    if (verdict) memcpy(verdict, "\"HIT\"", 5);
    write_bytes("cut.jsonl", bytes, size);
    CHECK(run("query again --out cut.jsonl --resume") == 0 && strstr(err, "1 line changed"));
    CHECK(shell("cmp whole.jsonl cut.jsonl") == 0);
    CHECK(run("query again --out cut.jsonl --resume --separation 20 --json") == 0);
    CHECK(number_said("total.hits") > 4);
    expect_refusal(run("query again/two-vf.csv --out whole.jsonl --resume"), "whole.jsonl:1:");
    expect_refusal(run("query again/one-vf.csv --out whole.jsonl --resume"), "more lines");
    expect_refusal(run("query again --resume"), "--out");
    expect_refusal(run("query again --out x.jsonl --resume --certificate c.json"), "--certificate");
    free(bytes);
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
    expect_refusal(run("query --method ti plain.csv"), "plain.csv", "--kind");
    expect_refusal(run("query --method ti plain.csv --kind pp"), "--kind", "pp");
}

TEST(query_out_has_a_line_for_each_query_that_reads_back_exactly) {
    write_queries("q-vf.csv", true);
    write_file("answers.jsonl", "old\n");
    CHECK(run("query --method ti q-vf.csv q-vf.csv --out answers.jsonl --t-max 0.75") == 0);
    look_into("answers.jsonl");
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
    expect_refusal(run("query --method ti q-vf.csv bad-vf.csv --out answers.jsonl"), "bad-vf.csv:1:", "denominator");
    look_into("answers.jsonl");
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
    expect_refusal(run("query --method ti q-vf.csv --truth truth.json"), "truth.json", "5 queries");
    write_file("truth.json", "[true, false, maybe]");
    expect_refusal(run("query --method ti q-vf.csv --truth truth.json"), "truth.json:1:", "true or false");
    write_file("truth.json", "[true, false, true, false, true");
    expect_refusal(run("query --method ti q-vf.csv --truth truth.json"), "truth.json:1:", "comma or ]");
    expect_refusal(run("query --method ti q-vf.csv q-vf.csv --truth truth.json"), "--truth", "one CSV");
    expect_refusal(run("query --method ti q-vf.csv --truth none.json"), "none.json", "cannot open");
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
        expect_refusal(run("query --method ti --json q-vf.csv bad-vf.csv"), rows[i][1], rows[i][2]);
    }
    /* 2^200 in the sixth row of the second query: a double, but beyond the methods' range */
    char text[4000] = "";
    put_query(text, true, ",1");
    for (int i = 0; i < 5; i++) strcat(text, "0,1,0,1,0,1,1\n");
    strcat(text, "1606938044258990275541962092341162602522202993782792835301376,1,0,1,0,1,1\n"
                 "0,1,0,1,0,1,1\n0,1,0,1,0,1,1\n");
    write_file("wide-vf.csv", text);
    expect_refusal(run("query --method ti --json wide-vf.csv"), "wide-vf.csv:14:", "2^160");
    expect_refusal(run("query --method ti"), "query", "no queries");
    expect_refusal(run("query --method ti missing-vf.csv"), "missing-vf.csv", "cannot open");
    make_folder("empty");
    expect_refusal(run("query --method ti empty"), "empty", "no CSV");
    expect_refusal(run("query --method none q-vf.csv"), "none", "does not exist; there are: certified, exact");
    expect_refusal(run("query --method certfied q-vf.csv"), "certfied",
                   "(did you mean certified?); there are: certified");
    expect_refusal(run("query --separation -1 q-vf.csv"), "--separation", "negative");
    expect_refusal(run("query --separation nan q-vf.csv"), "--separation", "not finite");
    expect_refusal(run("query --tolerance -1 q-vf.csv"), "--tolerance", "negative");
    expect_refusal(run("query --t-max 0 q-vf.csv"), "--t-max", "(0, 1]");
    expect_refusal(run("query --t-max 1.5 q-vf.csv"), "--t-max", "(0, 1]");
    expect_refusal(run("query --repeat 0 q-vf.csv"), "--repeat", "at least 1");
    expect_refusal(run("query --threads 2000 q-vf.csv"), "--threads", "at most");
    expect_refusal(run("query --sep 1 q-vf.csv"), "--sep", "unknown option");
    expect_refusal(run("query --out"), "--out", "needs a value");
    expect_refusal(run("query --method ti q-vf.csv --out none/a.jsonl"), "none/a.jsonl", "cannot write");
    if (geteuid() != 0) {
        make_folder("closed");
        chmod(path_of("closed"), 0);
        expect_refusal(run("query --method ti closed"), "closed", "cannot open");
        chmod(path_of("closed"), 0700);
    }
}

int main(int argc, char **argv) { return run_program_tests(argc, argv); }
