/* One rule for what the program writes: whole files in place of old ones, links followed, devices and FIFOs written
   directly, no input overwritten, `-` is stdout, every failed write is exit 2, and what was cut off can be told and
   continued. */
#include "program.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The program with these arguments must end like that. */
static void expect(int wanted, const char *arguments) {
    int status = run("%s", arguments);
    CHECK_MSG(status == wanted, "graze %s: status %d, stderr %s", arguments, status, err);
}

/* Files of ours that were left behind under other names. */
static int leftovers(void) {
    int count = 0;
    DIR *stream = opendir(path_of("."));
    for (struct dirent *entry; stream && (entry = readdir(stream)) != NULL;)
        count += strncmp(entry->d_name, ".graze-", 7) == 0 || strstr(entry->d_name, ".graze-part") != NULL;
    if (stream) closedir(stream);
    return count;
}

#define ROW_0 "0,1,0,1,0,1\n1,1,0,1,0,1\n0,1,1,1,0,1\n"
#define QUERY "1,4,1,4,1,1\n" ROW_0 "1,4,1,4,-1,1\n" ROW_0

/* A resting triangle and one that comes down upon it; a face of four corners gives a notice. */
#define FRAME_0 "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 1\nv 1 1 3\nv 2 1 3\nv 2 2 3\n"
#define FRAME_1 "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 -1\nv 1 1 1\nv 2 1 1\nv 2 2 1\n"
#define FACES "f 1 2 3\nf 4 5 6 7\n"

static void write_inputs(void) {
    CHECK(shell("rm -rf ./* ./.[a-z]*") == 0);
    write_file("vf.csv", QUERY QUERY QUERY);
    write_file("a.obj", FRAME_0 FACES);
    write_file("b.obj", FRAME_1 FACES);
}

TEST(a_file_is_replaced_as_a_whole_or_stays_as_it_was) {
    write_inputs();
    write_file("x.jsonl", "old");
    CHECK(chmod(path_of("x.jsonl"), 0640) == 0);
    CHECK(link(path_of("x.jsonl"), path_of("same")) == 0);
    expect(0, "query vf.csv --out x.jsonl");
    expect_contents("same", "old"); /* another file took the name */
    look_into("x.jsonl");
    CHECK(strncmp(out, "{\"file\":", 8) == 0 && out[strlen(out) - 1] == '\n');
    struct stat about;
    CHECK(stat(path_of("x.jsonl"), &about) == 0 && (about.st_mode & 0777) == 0640);
    write_file("x.jsonl", "old");
    write_file("bad-vf.csv", QUERY "1,1\n");
    expect_refusal(run("query vf.csv bad-vf.csv --out x.jsonl --certificate c.json"), "bad-vf.csv:9");
    expect_contents("x.jsonl", "old");
    CHECK(!is_there("c.json") && leftovers() == 1 && is_there("x.jsonl.graze-part")); /* to be continued */
}

TEST(links_are_followed) {
    write_inputs();
    CHECK(mkdir(path_of("elsewhere"), 0777) == 0);
    write_file("elsewhere/real.json", "old");
    CHECK(symlink("elsewhere/real.json", path_of("link.json")) == 0);
    CHECK(symlink("link.json", path_of("link2.json")) == 0);
    CHECK(symlink("elsewhere/new.json", path_of("dangling.json")) == 0);
    expect(0, "step a.obj b.obj --pairs-out link2.json");
    expect(0, "step a.obj b.obj --pairs-out dangling.json");
    struct stat about;
    CHECK(lstat(path_of("link.json"), &about) == 0 && S_ISLNK(about.st_mode));
    CHECK(lstat(path_of("link2.json"), &about) == 0 && S_ISLNK(about.st_mode));
    CHECK(lstat(path_of("elsewhere/real.json"), &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 10);
    CHECK(lstat(path_of("elsewhere/new.json"), &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 10);
    CHECK(symlink("circle", path_of("circle")) == 0);
    expect_refusal(run("step a.obj b.obj --pairs-out circle"), "circle: cannot write");
}

TEST(devices_and_fifos_are_written_directly_and_stay) {
    write_inputs();
    CHECK(mkfifo(path_of("fifo"), 0666) == 0);
    CHECK(shell("{ cat fifo >got & } && \"$graze\" step a.obj b.obj --pairs-out fifo >/dev/null 2>&1 && wait") == 0);
    struct stat about;
    CHECK(lstat(path_of("fifo"), &about) == 0 && S_ISFIFO(about.st_mode));
    look_into("got");
    CHECK_MSG(out[0] == '[' && strstr(out, "\"kind\":\"vf\""), "%s", out);
    expect(0, "step a.obj b.obj --pairs-out /dev/null");
    CHECK(stat("/dev/null", &about) == 0 && S_ISCHR(about.st_mode));
    expect_refusal(run("step a.obj b.obj --pairs-out /dev/full"), "/dev/full: cannot write");
    expect_refusal(run("truth vf.csv --out /dev/full"), "/dev/full: cannot write");
    expect(0, "truth vf.csv --out /dev/null");
    CHECK(!is_there("/dev/null.graze-part"));
    expect_refusal(run("query vf.csv --out ."), "folder");
    expect_refusal(run("query vf.csv --out missing/x.jsonl"), "cannot write");
}

TEST(an_input_is_never_overwritten) {
    write_inputs();
    CHECK(link(path_of("vf.csv"), path_of("other-name")) == 0 && symlink("vf.csv", path_of("link")) == 0);
    static const char *const commands[] = {"query vf.csv --out vf.csv",
                                           "query vf.csv --certificate vf.csv",
                                           "query vf.csv --out other-name",
                                           "query vf.csv --out link",
                                           "truth vf.csv --out vf.csv",
                                           "truth vf.csv --out link",
                                           "step a.obj b.obj --pairs-out a.obj",
                                           "step a.obj b.obj --pairs-out b.obj",
                                           "step a.obj b.obj --certificate a.obj",
                                           "sequence a.obj b.obj --html b.obj",
                                           "query vf.csv --truth t.json --out t.json"};
    write_file("t.json", "[true,true,true]");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        expect_refusal(run("%s", commands[i]), "not overwritten");
    expect_contents("vf.csv", QUERY QUERY QUERY);
    expect_contents("a.obj", FRAME_0 FACES);
    expect_contents("b.obj", FRAME_1 FACES);
    expect_contents("t.json", "[true,true,true]");
    expect_refusal(run("query vf.csv --out x --certificate x"), "already being written");
    CHECK(!is_there("x") && leftovers() == 0);
    expect(0, "truth vf.csv --write"); /* this one is meant to */
    look_into("vf.csv");
    CHECK_MSG(strstr(out, "1,4,1,4,1,1,1\n") == out, "%s", out);
}

TEST(a_dash_is_standard_output) {
    write_inputs();
    expect(0, "step a.obj b.obj --pairs-out -");
    CHECK_MSG(out[0] == '[' && strstr(out, "\n]\n") && !strstr(out, "verdict "), "%s", out);
    CHECK_MSG(strstr(err, "verdict"), "%s", err);
    expect(0, "query vf.csv --out -");
    CHECK_MSG(strncmp(out, "{\"file\":", 8) == 0 && !strstr(out, "method"), "%s", out);
    expect(0, "truth vf.csv --out -");
    CHECK_MSG(strncmp(out, "{\"file\":", 8) == 0 && !strstr(out, "queries"), "%s", out);
    CHECK(!is_there("-") && !is_there("-.graze-part"));
    expect_refusal(run("step a.obj b.obj --pairs-out - --json"), "JSON");
    expect_refusal(run("step a.obj b.obj --certificate - --json"), "JSON");
    expect_refusal(run("query vf.csv --out - --json"), "JSON");
    expect_refusal(run("query vf.csv --out - --certificate -"), "already");
    expect_refusal(run("truth vf.csv --out - --json"), "JSON");
    expect_refusal(run("truth vf.csv --out - --resume"), "continued");
    expect_refusal(run("sequence a.obj b.obj --html - --json"), "JSON");
}

TEST(closed_streams_do_not_become_files) {
    write_inputs();
    /* the notice of a face that is cut, and the text, must not land in what is opened next */
    CHECK(shell("\"$graze\" step a.obj b.obj --pairs-out p.json 2>&- >/dev/null") == 0);
    look_into("p.json");
    CHECK_MSG(out[0] == '[' && !strstr(out, "graze:"), "%s", out);
    CHECK(shell("\"$graze\" step a.obj b.obj --pairs-out p.json >&- 2>&-") == 2); /* its answer has nowhere to go */
    look_into("p.json");
    CHECK_MSG(out[0] == '[' && !strstr(out, "verdict  "), "%s", out);
    CHECK(shell("\"$graze\" query vf.csv --out q.jsonl <&- >&- 2>.err") == 2);
    look_into("q.jsonl");
    CHECK_MSG(strncmp(out, "{\"file\":", 8) == 0 && !strstr(out, "times in"), "%s", out);
    look_at_errors();
    CHECK_MSG(strstr(err, "standard output"), "%s", err);
}

TEST(what_cannot_be_written_is_exit_2) {
    write_inputs();
    static const char *const commands[] = {"--help",       "help",         "--version",        "info",
                                           "info --json",  "step --help",  "step a.obj b.obj", "query vf.csv --json",
                                           "scene --list", "truth vf.csv", "bench --help",     "sequence a.obj b.obj"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        int status = shell("\"$graze\" %s >/dev/full 2>.err", commands[i]);
        look_at_errors();
        CHECK_MSG(status == 2 && strstr(err, "cannot write to standard output"), "graze %s: status %d, %s", commands[i],
                  status, err);
    }
}

/* The lines go to a FIFO that nobody reads: the program waits there with its other output open. */
TEST(a_run_that_is_stopped_leaves_nothing_behind) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (int i = 0; i < 3; i++) {
        write_inputs();
        write_file("x.jsonl", "old");
        CHECK(mkfifo(path_of("fifo"), 0666) == 0);
        pid_t child = fork();
        if (child == 0) {
            if (chdir(path_of(".")) == 0)
                execl(GRAZE_PROGRAM_PATH, "graze", "sequence", "a.obj", "b.obj", "--pairs-out", "x.jsonl", "--out",
                      "fifo", NULL);
            _exit(99);
        }
        for (int wait = 0; wait < 500 && leftovers() == 0; wait++)
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        CHECK(leftovers() == 1);
        int status;
        kill(child, signals[i]);
        CHECK(waitpid(child, &status, 0) == child);
        CHECK_MSG(WIFSIGNALED(status) && WTERMSIG(status) == signals[i], "status %d", status);
        expect_contents("x.jsonl", "old");
        CHECK(leftovers() == 0);
    }
}

TEST(truth_that_is_cut_off_can_be_told_and_goes_on) {
    write_inputs();
    expect(0, "truth vf.csv --out whole.jsonl");
    CHECK(!is_there("whole.jsonl.graze-part"));
    char *whole = strdup((look_into("whole.jsonl"), out));
    for (int cut = 0; cut < (int)strlen(whole); cut += 37) { /* as an interruption leaves it: no file, but its part */
        char *half = strdup(whole);
        half[cut] = '\0';
        write_file("x.jsonl.graze-part", half);
        free(half);
        CHECK(!is_there("x.jsonl"));
        expect(0, "truth vf.csv --out x.jsonl --resume");
        expect_contents("x.jsonl", whole);
        CHECK(!is_there("x.jsonl.graze-part"));
        CHECK(remove(path_of("x.jsonl")) == 0);
    }
    /* a link that another put there is neither followed nor kept */
    write_file("precious", "mine");
    CHECK(symlink("precious", path_of("y.jsonl.graze-part")) == 0);
    expect(0, "truth vf.csv --out y.jsonl");
    expect_contents("precious", "mine");
    expect_contents("y.jsonl", whole);
    /* a file that failed to grow is not taken for a whole one */
    write_file("bad-vf.csv", QUERY "1,1\n");
    expect_refusal(run("truth vf.csv bad-vf.csv --out z.jsonl"), "bad-vf.csv:9");
    CHECK(!is_there("z.jsonl") && is_there("z.jsonl.graze-part"));
    free(whole);
}

/* ---- lists that grow ---- */

/* A run that writes to x.jsonl and waits there: its standard input is not what it reads, the FIFO is. */
static pid_t start_truth(const char *list) {
    pid_t child = fork();
    if (child == 0) {
        if (chdir(path_of(".")) == 0 && freopen("/dev/null", "w", stdout) && freopen(".err", "w", stderr))
            execl(GRAZE_PROGRAM_PATH, "graze", "truth", "vf.csv", list, "--kind", "vf", "--out", "x.jsonl", NULL);
        _exit(99);
    }
    for (int wait = 0; wait < 500; wait++) { /* until its first lines are there */
        struct stat about;
        if (stat(path_of("x.jsonl.graze-part"), &about) == 0 && about.st_size > 0) break;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return child;
}

static int end_of(pid_t child) {
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(two_runs_do_not_write_one_list) {
    write_inputs();
    CHECK(mkfifo(path_of("fifo"), 0666) == 0);
    expect(0, "truth vf.csv --out one.jsonl");
    pid_t first = start_truth("fifo"); /* waits for somebody to write into the FIFO */
    expect_refusal(run("truth vf.csv --out x.jsonl"), "x.jsonl", "another run");
    expect_refusal(run("query vf.csv --out x.jsonl --resume"), "x.jsonl");
    CHECK(shell("cat vf.csv >fifo") == 0);
    CHECK(end_of(first) == 0);
    CHECK(shell("test $(wc -l <x.jsonl) = 6 && head -n 3 x.jsonl | cmp - one.jsonl") == 0);
    CHECK(leftovers() == 0);
    expect(0, "truth vf.csv --out x.jsonl"); /* the lock went with the run */
}

TEST(a_part_that_another_took_away_is_an_error) {
    write_inputs();
    CHECK(mkfifo(path_of("fifo"), 0666) == 0);
    write_file("x.jsonl", "old");
    pid_t first = start_truth("fifo");
    CHECK(shell("rm x.jsonl.graze-part && echo other >x.jsonl.graze-part && cat vf.csv >fifo") == 0);
    CHECK(end_of(first) == 2);
    look_at_errors();
    CHECK_MSG(strstr(err, "taken away"), "%s", err);
    expect_contents("x.jsonl", "old");
    expect_contents("x.jsonl.graze-part", "other\n");
}

TEST(a_file_of_the_user_called_part_stays) {
    write_inputs();
    write_file("x.jsonl.part", "mine");
    expect(0, "truth vf.csv --out x.jsonl");
    expect(0, "truth vf.csv --out x.jsonl --resume");
    expect_contents("x.jsonl.part", "mine");
}

TEST(what_is_no_file_is_not_continued) {
    write_inputs();
    CHECK(mkfifo(path_of("fifo"), 0666) == 0);
    CHECK(mkfifo(path_of("y.jsonl.graze-part"), 0666) == 0);
    CHECK(symlink("real.jsonl", path_of("link.jsonl")) == 0);
    expect_refusal(run("truth vf.csv --out fifo --resume"), "fifo", "continued");
    expect_refusal(run("truth vf.csv --out /dev/null --resume"), "/dev/null", "continued");
    expect_refusal(run("query vf.csv --out . --resume"), "continued");
    expect(0, "truth vf.csv --out y.jsonl --resume"); /* a FIFO in the place of its part does not hold it up */
    expect(0, "truth vf.csv --out link.jsonl --resume");
    expect(0, "truth vf.csv --out link.jsonl --resume");
    CHECK(shell("test -L link.jsonl && cmp real.jsonl y.jsonl") == 0);
}

/* ---- inputs of other kinds, and ends of other kinds ---- */

static const char robot[] = "<robot name='r'><link name='l'><collision><geometry><mesh filename='box.dae'/></geometry>"
                            "</collision></link></robot>";
static const char srdf[] = "<robot name='r'></robot>";
static const char dae[] =
    "<COLLADA><library_geometries><geometry id='g'><mesh><source id='p'><float_array id='a' count='9'>0 0 0 1 0 0 0 1 0"
    "</float_array><technique_common><accessor source='#a' count='3' stride='3'/></technique_common></source>"
    "<vertices id='v'><input semantic='POSITION' source='#p'/></vertices><triangles count='1'><input semantic='VERTEX' "
    "source='#v' offset='0'/><p>0 1 2</p></triangles></mesh></geometry></library_geometries><library_visual_scenes>"
    "<visual_scene id='s'><node><instance_geometry url='#g'/></node></visual_scene></library_visual_scenes><scene>"
    "<instance_visual_scene url='#s'/></scene></COLLADA>";

TEST(files_of_a_robot_are_inputs) {
    write_inputs();
    write_file("r.urdf", robot);
    write_file("r.srdf", srdf);
    write_file("box.dae", dae);
    write_file("m.json", "{\"models\":[{\"name\":\"r\",\"urdf\":\"r.urdf\",\"srdf\":\"r.srdf\"},"
                         "{\"name\":\"o\",\"mesh\":\"a.obj\"}]}");
    int status = run("articulate m.json --certificate c.json");
    if (strstr(err, "libxml2")) {
        test_skip("no libxml2");
        return;
    }
    CHECK_MSG(status == 0 || strstr(err, "certificate"), "%s", err);
    static const char *const files[] = {"r.urdf", "r.srdf", "box.dae", "a.obj", "m.json"};
    static const char *const held[] = {robot, srdf, dae, FRAME_0 FACES, NULL};
    for (int i = 0; i < 5; i++) {
        expect_refusal(run("articulate m.json --certificate %s", files[i]), files[i], "was read");
        if (held[i]) expect_contents(files[i], held[i]);
    }
    CHECK(shell("rm -f box.dae c.json") == 0);
    expect_refusal(run("articulate m.json"), "box.dae: cannot open: No such file");
    write_file("box.dae", dae);
    CHECK(shell("rm r.srdf") == 0);
    expect_refusal(run("articulate m.json"), "r.srdf: cannot open: No such file");
    CHECK(shell("rm r.urdf") == 0);
    expect_refusal(run("articulate m.json"), "r.urdf: cannot open: No such file");
}

TEST(a_full_quota_and_a_closed_pipe_leave_nothing_behind) {
    write_inputs();
    CHECK(shell("\"$graze\" scene cloth-ball --out s --size 6 --frames 3 >/dev/null") == 0);
    const char *frames = "s/frames/cloth-ball_1.ply s/frames/cloth-ball_2.ply";
    CHECK_MSG(run("step %s --certificate whole.json", frames) == 0, "%s", err);
    int status = run_shell("ulimit -f 1; graze step %s --certificate big.json", frames);
    CHECK_MSG(status == 2 && strstr(err, "File too large"), "status %d: %s", status, err);
    CHECK(leftovers() == 0 && !is_there("big.json"));
    /* the reader of stdout is gone while another output is open */
    status = shell("{ while test ! -e gone; do sleep 0.02; done; graze sequence a.obj b.obj --pairs-out p.json --out - "
                   "2>.err; echo $? >status; } | { exec <&-; : >gone; }");
    CHECK(status == 0 && leftovers() == 0);
    CHECK(shell("test $(cat status) = 141 && test ! -e p.json") == 0);
}

static void write_scene(const char *name) {
    CHECK(shell("rm -rf %s && \"$graze\" scene rod-twist --out %s --frames 6 --size 8 >/dev/null", name, name) == 0);
}

TEST(dataset_make_that_is_cut_off_can_be_told_and_goes_on) {
    write_inputs();
    write_scene("whole");
    write_scene("cut");
    expect(0, "dataset whole --make");
    CHECK(!is_there("whole/make.incomplete"));
    expect(0, "dataset cut --make");
    /* as an interruption leaves it: the mark, the first steps, and half of a step */
    write_file("cut/make.incomplete", "limit 0\n");
    CHECK(
        shell("rm cut/boxes/[234]* cut/mma_bool/[34]* cut/queries/3ee.csv cut/queries/4*; rm -f cut/boxes/1ee.json") ==
        0);
    expect_refusal(run("dataset cut"), "make.incomplete");
    expect_refusal(run("dataset cut --make --limit 10"), "--limit");
    expect(0, "dataset cut --make --json");
    CHECK(shell("diff -r whole cut") == 0);
    expect_refusal(run("dataset cut --make"), "already has files");
    expect(0, "dataset cut");
}

TEST(dataset_make_keeps_to_its_limit_and_says_so) {
    write_inputs();
    write_scene("some");
    expect(0, "dataset some --make --limit 50");
    CHECK(is_there("some/sample.json"));
    look_into("some/boxes/4vf.json");
    int pairs = -1; /* each list has a bracket of its own */
    for (const char *c = out; *c; c++) pairs += *c == '[';
    look_into("some/boxes/4ee.json");
    for (const char *c = out; *c; c++) pairs += *c == '[';
    CHECK_MSG(pairs - 1 == 50, "%d pairs", pairs - 1);
    /* pairs that were left out are not known: no hit on them is a false one */
    expect(0, "dataset some --method oracle --json");
    const char *total = strstr(out, "\"total\":");
    CHECK_MSG(total && strstr(total, "\"false_positives\":{\"vf\":0,\"ee\":0}") &&
                  strstr(total, "\"false_negatives\":{\"vf\":0,\"ee\":0}"),
              "%s", total ? total : out);
}

/* The script with a program that fails at once: only what it does with folders. */
TEST(the_demo_removes_only_what_it_made) {
    write_inputs();
    CHECK(shell("mkdir -p theirs/demo && echo 1 >theirs/demo/data.json") == 0);
    CHECK(shell("sh '%s' /bin/false theirs >.out 2>.err", GRAZE_DEMO_SCRIPT) == 2);
    look_at_errors();
    CHECK_MSG(strstr(err, "theirs/demo is there already"), "%s", err);
    expect_contents("theirs/demo/data.json", "1\n");
    CHECK(shell("mkdir -p ours && echo 1 >ours/mine.json") == 0);
    CHECK(shell("sh '%s' /bin/false ours >.out 2>.err", GRAZE_DEMO_SCRIPT) != 0);
    CHECK(shell("cd ours/demo && echo 1 >step.json && echo step.json >.made-by-demo && echo 2 >notes.json") == 0);
    CHECK(shell("sh '%s' /bin/false ours >.out 2>.err", GRAZE_DEMO_SCRIPT) != 0);
    CHECK(!is_there("ours/demo/step.json"));
    expect_contents("ours/demo/notes.json", "2\n");
    expect_contents("ours/mine.json", "1\n");
}

int main(int argc, char **argv) { return run_program_tests(argc, argv); }
