/* Rules for every command: help, exit statuses, and nothing from outside that steers the terminal. */
#include "small_data.h"

TEST(the_environment_names_the_instruction_set) {
    setenv("GRAZE_ISA", "scalar", 1);
    CHECK(run("info --json") == 0);
    cJSON *object = json();
    expect_text(object, "isa", "scalar");
    cJSON_Delete(object);
    setenv("GRAZE_ISA", "abacus", 1);
    expect_refusal(run("info --json"), "GRAZE_ISA", "abacus");
    unsetenv("GRAZE_ISA");
}

TEST(every_command_explains_itself) {
    static const char *const commands[] = {"",        "info",  "query", "step",       "sequence",
                                           "dataset", "scene", "truth", "handcraft",  "verify",
                                           "bench",   "check", "view",  "articulate", "merge"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        CHECK_MSG(run("%s --help", commands[i]) == 0, "%s", commands[i]);
        CHECK(strstr(out, "usage: graze") != NULL && err[0] == '\0');
    }
    expect_refusal(run("nonsense"), "nonsense", "unknown command");
    expect_refusal(run("version"), "did you mean --version?");
}

TEST(help_with_a_command_is_the_help_of_that_command) {
    for (int i = 0; i < 2; i++) {
        CHECK(run(i ? "help step" : "step --help") == 0);
        CHECK(strstr(out, "usage: graze step A B") != NULL && err[0] == '\0');
    }
    CHECK(run("help") == 0 && strstr(out, "usage: graze COMMAND") != NULL);
    CHECK(run("help --help") == 0 && strstr(out, "usage: graze COMMAND") != NULL);
    expect_refusal(run("help nonsense"), "nonsense", "unknown command");
    CHECK(run("--version") == 0 && strncmp(out, "graze ", 6) == 0);
}

TEST(words_that_were_mistyped_are_guessed) {
    static const char *const cases[][2] = {{"stpe", "did you mean step?"},
                                           {"chek", "did you mean check?"},
                                           {"sequenze", "did you mean sequence?"},
                                           {"step --metod ti", "did you mean --method?"},
                                           {"step --seperation=1", "did you mean --separation?"},
                                           {"step --hlep", "did you mean --help?"},
                                           {"scene --sede 3", "did you mean --seed?"},
                                           {"hlep", "did you mean help?"},
                                           {"scene cloth-bal --out d", "did you mean cloth-ball?"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) expect_refusal(run("%s", cases[i][0]), cases[i][1]);
    static const char *const far[] = {"nonsense", "x", "step --nonsense", "step -x",
                                      "step --a-word-that-is-longer-than-all-options-are"};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        expect_refusal(run("%s", far[i]), "unknown", "--help` lists them");
        CHECK(strstr(err, "did you mean") == NULL);
    }
}

TEST(a_step_prints_counts_that_its_mode_made_and_no_others) {
    write_frames();
    CHECK(run("step a0.obj a1.obj") == 0);
    CHECK_MSG(strstr(out, "candidates") == NULL && strstr(out, " - ") == NULL, "%s", out);
    CHECK(run("step a0.obj a1.obj --mode all") == 0);
    CHECK_MSG(strstr(out, "\ncandidates   vf ") != NULL && strstr(out, "\nhits         vf ") != NULL, "%s", out);
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
    look_into("l.jsonl");
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
    expect_refusal(run("query long-vf.csv"), "long-vf.csv:1: column 1", "digits");
}

int main(int argc, char **argv) { return run_program_tests(argc, argv); }
