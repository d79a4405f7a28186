/* graze sequence: what it says of every step, what is kept when it is stopped or a frame is bad, and where things
 * touch. */
#include "small_data.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void expect(int wanted, const char *arguments) {
    int status = run("%s", arguments);
    CHECK_MSG(status == wanted, "graze %s: status %d, stderr %s", arguments, status, err);
}

static bool has_text(const cJSON *object, const char *path, const char *text) {
    return strcmp(text_at(object, path), text) == 0;
}

/* ---- frames: a point falls on a triangle, one unit in each step; from height 2.5, so it hits in step 2 ---- */

static void write_frame(const char *name, double height) {
    char text[400];
    snprintf(text, sizeof text, "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 %g\nv 1 1 %g\nv 2 1 %g\nf 1 2 3\nf 4 5 6\n", height,
             height + 9, height + 9);
    write_file(name, text);
}

static void write_steps(void) {
    CHECK(shell("rm -rf ./* ./.[a-z]*; mkdir s") == 0);
    for (int k = 0; k < 6; k++) {
        char name[32];
        snprintf(name, sizeof name, "s/f_%d.obj", k);
        write_frame(name, 2.5 - k);
    }
}

TEST(the_json_is_that_of_the_contract) {
    write_steps();
    expect(0, "sequence s --json");
    cJSON *object = cJSON_Parse(out);
    CHECK(number_at(object, "frames") == 6 && cJSON_GetArraySize(field(object, "steps")) == 5);
    CHECK(has_text(object, "steps.0.from", "s/f_0.obj") && has_text(object, "steps.0.to", "s/f_1.obj"));
    CHECK(number_at(object, "steps.4.step") == 4 && has_text(object, "steps.0.verdict", "clear"));
    CHECK(cJSON_IsNull(field(object, "steps.0.pair")) && number_at(object, "steps.0.start.intersections") == 0);
    CHECK(has_text(object, "steps.2.verdict", "hit") && fabs(number_at(object, "steps.2.toi") - 0.5) < 1e-6);
    CHECK(has_text(object, "steps.2.pair.kind", "vf") && number_at(object, "steps.2.pair.vertices.0") == 3);
    CHECK(number_at(object, "steps.2.pair.point.0") == 1 && number_at(object, "steps.2.pair.point.1") == 1);
    CHECK(number_at(object, "steps.2.time_ms.total") >= 0 && number_at(object, "steps.2.time_ms.start") >= 0);
    CHECK(number_at(object, "steps.3.start.intersections") == 1); /* by then the one is stuck in the other */
    CHECK(number_at(object, "total.steps") == 5 && number_at(object, "total.hit") == 1 &&
          number_at(object, "total.clear") == 4);
    CHECK(number_at(object, "total.unresolved") == 0 && number_at(object, "total.with_intersections") == 2);
    CHECK(cJSON_IsTrue(field(object, "complete")));
    cJSON_Delete(object);
}

TEST(the_text_begins_with_a_summary_and_counts_only_what_is_counted) {
    write_steps();
    expect(0, "sequence s");
    CHECK_MSG(strncmp(out, "1 of 5 steps touch, 2 start with intersections\n", 47) == 0, "%s", out);
    CHECK_MSG(!strstr(out, "candidates") && strstr(out, "0.5 ") && !strstr(out, "0.49999999999999"), "%s", out);
    expect(0, "sequence s --mode all");
    CHECK_MSG(strstr(out, "candidates"), "%s", out);
    expect(1, "sequence s --exit-code");
    expect(0, "sequence s --exit-code --range 0:2");
}

TEST(range_mode_separation_and_thickness_do_what_they_say) {
    write_steps();
    expect(0, "sequence s --range 1:3 --json");
    cJSON *object = cJSON_Parse(out);
    CHECK(number_at(object, "frames") == 3 && number_at(object, "steps.0.step") == 1 &&
          number_at(object, "total.hit") == 1);
    cJSON_Delete(object);
    expect(0, "sequence s --range 4: --json");
    object = cJSON_Parse(out);
    CHECK(number_at(object, "frames") == 2 && number_at(object, "steps.0.step") == 4);
    cJSON_Delete(object);
    expect(0, "sequence s --mode all --json");
    object = cJSON_Parse(out);
    CHECK(number_at(object, "steps.2.hits.vf") == 1 && number_at(object, "steps.0.hits.vf") == 0);
    cJSON_Delete(object);
    expect(0, "sequence s --separation 1 --json"); /* 2.5 − t = 1 in step 1 */
    object = cJSON_Parse(out);
    CHECK(has_text(object, "steps.1.verdict", "hit") && fabs(number_at(object, "steps.1.toi") - 0.5) < 1e-6);
    cJSON_Delete(object);
    expect(0, "sequence s --thickness 0.5 --json");
    object = cJSON_Parse(out);
    CHECK(has_text(object, "steps.1.verdict", "hit") && fabs(number_at(object, "steps.1.toi") - 0.5) < 1e-6);
    cJSON_Delete(object);
    expect_refusal(run("sequence s --range 7:9"), "--range");
    expect_refusal(run("sequence s --range 3"), "--range");
    expect_refusal(run("sequence s --range a:b"), "--range");
    expect_refusal(run("sequence s --mode some"), "mode");
}

TEST(a_bad_frame_costs_its_own_steps_only) {
    write_steps();
    write_file("s/f_1.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"); /* another mesh */
    write_file("s/f_5.obj", "v 0 0 x\n");
    expect(2, "sequence s --json --out lines.jsonl --pairs-out p.json");
    const char *end = strchr(err, '\n');
    CHECK_MSG(end && !end[1] && strstr(err, "3 of 5 steps") && strstr(err, "f_1.obj"), "%s", err);
    cJSON *object = cJSON_Parse(out);
    CHECK(cJSON_GetArraySize(field(object, "steps")) == 5 && number_at(object, "total.failed") == 3);
    CHECK(cJSON_IsNull(field(object, "steps.0.verdict")) && cJSON_IsString(field(object, "steps.0.error")));
    CHECK(has_text(object, "steps.2.verdict", "hit") && cJSON_IsFalse(field(object, "complete")));
    CHECK(strstr(field(object, "steps.4.error")->valuestring, "f_5.obj:1:"));
    cJSON_Delete(object);
    look_into("lines.jsonl");
    size_t lines = 0;
    for (const char *c = out; *c; c++) lines += *c == '\n';
    CHECK_MSG(lines == 2, "%s", out);
    look_into("p.json");
    object = cJSON_Parse(out);
    CHECK(cJSON_GetArraySize(object) == 1 && number_at(object, "0.step") == 2 &&
          number_at(object, "0.vertices.0") == 3);
    cJSON_Delete(object);
    write_frame("s/f_1.obj", 1.5); /* put right: only what is missing is done */
    write_frame("s/f_5.obj", -2.5);
    expect(0, "sequence s --json --mode all --out lines.jsonl --resume");
    object = cJSON_Parse(out);
    CHECK(number_at(object, "total.failed") == 0 && number_at(object, "total.steps") == 5 &&
          number_at(object, "total.hit") == 1);
    CHECK(has_text(object, "steps.2.verdict", "hit") && number_at(object, "steps.2.pair.vertices.0") == 3);
    cJSON_Delete(object);
    expect_refusal(run("sequence s --out lines.jsonl --resume --separation 1"), "other options");
    /* what is not in the answer, but was asked: a line of another question is not taken for one of this */
    expect_refusal(run("sequence s --mode all --out lines.jsonl --resume --thickness 0.1"), "other options");
    expect_refusal(run("sequence s --mode all --out lines.jsonl --resume --t-max 0.5"), "other options");
    expect_refusal(run("sequence s --resume"), "--out");
}

/* Frames of the same names that hold other positions, and lines that somebody edited: taken again, and no others. */
TEST(resume_takes_changed_frames_and_changed_lines_again) {
    write_steps();
    for (int k = 0; k < 6; k++) {
        char name[20];
        snprintf(name, sizeof name, "s/f_%d.obj", k);
        write_frame(name, 3); /* nothing moves */
    }
    expect(0, "sequence s --json --out l.jsonl");
    CHECK(number_said("total.clear") == 5);
    CHECK(shell("cp l.jsonl still.jsonl") == 0);
    write_frame("s/f_5.obj", -2.5);
    expect(0, "sequence s --json --out l.jsonl --resume");
    CHECK(number_said("total.clear") == 4 && number_said("total.hit") == 1);
    CHECK_MSG(strstr(err, "1 line changed") && strstr(err, "line 5"), "%s", err);
    CHECK(shell("test $(wc -l <l.jsonl) = 5") == 0);
    CHECK(shell("cp l.jsonl true.jsonl") == 0);
    /* the first line says something else, with its own check, with none, with escapes, or is no JSON */
    static const char *const edits[] = {"s/\"clear\"/\"hit\"/", "s/,\"check\":\"[0-9a-f]*\"//",
                                        "s/\"clear\"/\"\\x1b[31mclear\"/", "s/{/[/"};
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        CHECK(shell("sed '2{%s}' true.jsonl >l.jsonl", edits[i]) == 0);
        expect(0, "sequence s --out l.jsonl --resume");
        CHECK_MSG(strstr(out, "1 of 5 steps touch") && !strchr(out, '\x1b'), "%s", out);
        CHECK_MSG(strstr(err, "1 line changed") && strstr(err, "line 2"), "%s", err);
        CHECK(shell("grep -c '\"clear\"' l.jsonl | grep -qx 4") == 0);
    }
    /* lines of other steps stay where they are not asked for */
    expect(0, "sequence s --range 2:3 --json --out l.jsonl --resume");
    CHECK(shell("test $(wc -l <l.jsonl) = 5") == 0 && number_said("total.steps") == 1);
}

/* Other outputs hold more than the lines do: they come out as those of a run without a break. */
TEST(what_is_resumed_has_whole_outputs) {
    write_steps();
    expect(0, "sequence s --out l.jsonl --contacts c.ply --pairs-out p.json --html h.html");
    CHECK(shell("head -n 2 l.jsonl >cut.jsonl && cp cut.jsonl again.jsonl") == 0);
    expect(0, "sequence s --out again.jsonl --resume --contacts c2.ply --pairs-out p2.json --html h2.html");
    CHECK(shell("cmp c.ply c2.ply && cmp p.json p2.json && test -s h2.html") == 0);
    CHECK(shell("head -n 2 again.jsonl | cmp - cut.jsonl && test $(wc -l <again.jsonl) = 5") == 0);
    expect_refusal(run("sequence s --mode earliest --out again.jsonl --resume --contacts c3.ply"), "other options");
}

/* Stopped once the first step is done, of a sequence that takes seconds. */
TEST(what_was_done_is_kept_when_it_is_stopped) {
    write_steps();
    CHECK(shell("\"$graze\" scene rod-twist --out rod --frames 60 --size 24 >/dev/null") == 0);
    pid_t child = fork();
    if (child == 0) {
        if (chdir(path_of(".")) == 0 && freopen(".out", "w", stdout) && freopen(".err", "w", stderr))
            execl(GRAZE_PROGRAM_PATH, "graze", "sequence", "rod", "--json", "--mode", "all", "--method", "oracle",
                  "--out", "o.jsonl", NULL);
        _exit(99);
    }
    for (int i = 0; i < 1000; i++) { /* until a step is done */
        if (is_there("o.jsonl.graze-part")) look_into("o.jsonl.graze-part");
        if (strchr(out, '\n')) break;
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    kill(child, SIGINT);
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_MSG(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT, "status %d", status);
    look_into(".out");
    cJSON *object = cJSON_Parse(out);
    double done = number_at(object, "total.steps");
    CHECK_MSG(done >= 1 && done < 59 && cJSON_IsFalse(field(object, "complete")), "%g steps", done);
    cJSON_Delete(object);
    CHECK(!is_there("o.jsonl") && is_there("o.jsonl.graze-part"));
    expect(0, "sequence rod --range 0:1 --method oracle --mode all --out o.jsonl --resume --json");
    CHECK(is_there("o.jsonl") && !is_there("o.jsonl.graze-part"));
}

TEST(other_files_may_move_or_rest_beside_the_frames) {
    write_steps();
    /* a second point that falls beside the triangle onto a floor of its own file */
    CHECK(shell("mkdir drop") == 0);
    for (int k = 0; k < 6; k++) {
        char name[40], text[200];
        snprintf(name, sizeof name, "drop/d%02d.obj", k);
        snprintf(text, sizeof text, "v 11 11 %g\nv 11 12 %g\nv 12 11 %g\nf 1 2 3\n", 0.25 - k, 9.25 - k, 9.25 - k);
        write_file(name, text);
    }
    write_file("floor.obj", "v 10 10 0\nv 14 10 0\nv 10 14 0\nf 1 2 3\n");
    expect(0, "sequence s --with 'drop/d*.obj' --with floor.obj --json");
    cJSON *object = cJSON_Parse(out);
    CHECK(has_text(object, "steps.0.verdict", "hit") && fabs(number_at(object, "steps.0.toi") - 0.25) < 1e-6);
    CHECK(number_at(object, "steps.0.pair.vertices.0") == 6 && number_at(object, "steps.0.pair.vertices.1") == 9);
    CHECK(number_at(object, "total.hit") == 2);
    cJSON_Delete(object);
    expect(0, "sequence s --with drop --with floor.obj --between --json"); /* the contact within s is left out */
    object = cJSON_Parse(out);
    CHECK(number_at(object, "total.hit") == 1 && number_at(object, "total.with_intersections") == 4);
    cJSON_Delete(object);
    CHECK(shell("rm drop/d03.obj") == 0);
    expect(2, "sequence s --with 'drop/d*.obj' --json");
    CHECK_MSG(strstr(err, "2 of 5 steps") && strstr(err, "f_3.obj"), "%s", err);
    expect_refusal(run("sequence s --with 'no-such-*.obj'"), "no-such");
}

TEST(contacts_are_written_in_four_formats) {
    write_steps();
    expect(0, "sequence s --contacts c.ply");
    look_into("c.ply");
    CHECK_MSG(strstr(out, "element vertex 1\n") && strstr(out, "end_header\n1 1 "), "%s", out);
    expect(0, "step s/f_2.obj s/f_3.obj --contacts c.vtk");
    look_into("c.vtk");
    CHECK_MSG(strstr(out, "POINTS 1 double\n1 1 ") && strstr(out, "NORMALS normal double\n"), "%s", out);
    expect(0, "step s/f_2.obj s/f_3.obj --contacts c.obj --json");
    look_into("c.obj");
    CHECK_MSG(strstr(out, "v 1 1 ") && strstr(out, "vn ") && strstr(out, "p 1\n"), "%s", out);
    expect(0, "sequence s --contacts c.json");
    look_into("c.json");
    cJSON *list = cJSON_Parse(out);
    CHECK(cJSON_GetArraySize(list) == 1 && number_at(list, "0.step") == 2 && has_text(list, "0.kind", "vf"));
    CHECK(number_at(list, "0.point.0") == 1 && fabs(fabs(number_at(list, "0.normal.2")) - 1) < 1e-9);
    cJSON_Delete(list);
    expect_refusal(run("step s/f_2.obj s/f_3.obj --contacts c.txt"), ".ply");
    expect_refusal(run("sequence s --contacts s/f_0.obj"), "not overwritten");
}

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
    look_into("page.html");
    CHECK(!plain || (strstr(out, "<svg") && strstr(out, "</html>") && !strstr(out, "://") && strstr(out, ">point<")));
    CHECK(run("sequence seq/f12.obj seq/f9.obj seq/f10.obj --method ti --json") == 0);
    object = json();
    expect_number(object, "steps.0.step", 9, 9);
    cJSON_Delete(object);
    CHECK(run("sequence seq --method ti") == 0 && strstr(out, "9-10"));
}

TEST(sequence_refuses_bad_input_in_one_line) {
    make_folder("seq1");
    write_file("seq1/1.obj", FRAME_0 FACES);
    expect_refusal(run("sequence seq1"), "seq1", "needs two");
    expect_refusal(run("sequence none"), "none", "cannot open");
    expect_refusal(run("sequence"), "sequence", "no frames");
    write_file("seq1/01.obj", FRAME_0 FACES);
    expect_refusal(run("sequence seq1"), "seq1/", "same step");
}

int main(int argc, char **argv) { return run_program_tests(argc, argv); }
