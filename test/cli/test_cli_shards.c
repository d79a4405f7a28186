/* Runs in parts: --shard, --shard-out, --no-times, --lines and graze merge. One run judges the merged list, byte for
   byte; what is damaged must be refused by name. */
#include "small_data.h"

#include "app/input_hash.h"
#include "io/sha256.h"

#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- inputs ---- */

static unsigned seed = 12345;

static unsigned draw(unsigned below) {
    seed = seed * 1664525u + 1013904223u;
    return (unsigned)(((uint64_t)(seed >> 4) * below) >> 28);
}

/* Frames of a triangle that falls through another one, later and later; the last ones stay above. */
static void write_sequence(const char *folder, int frames) {
    char name[80], text[400];
    make_folder(folder);
    for (int k = 0; k < frames; k++) {
        double z = (k % 2 ? -1 : 1) * (k < frames - 3) + 0.1 * k;
        snprintf(name, sizeof name, "%s/f_%d.obj", folder, k);
        snprintf(text, sizeof text, "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 %g\nv 1 1 %g\nv 2 1 %g\n" FACES, z, z + 2, z + 2);
        write_file(name, text);
    }
}

static void write_query_files(void) {
    make_folder("q");
    write_queries("q/a-vf.csv", true);
    write_queries("q/b-vf.csv", true);
    write_file("q/c-vf.csv", "");
    char text[4000] = "";
    for (int i = 0; i < 3; i++) put_query(text, i == 1, "");
    write_file("q/c-vf.csv", text);
}

/* The commands, each with the option that names the list of a whole run. */
static const struct {
    const char *name, *arguments, *list;
    int status; /* of a whole run; that of a shard is this one or 0 */
} commands[] = {{"query", "query q --threads 1", "--out", 0},
                {"truth", "truth q --threads 1", "--out", 1}, /* column 7 claims what is not so */
                {"sequence", "sequence s --threads 1 --mode all", "--out", 0},
                {"articulate", "articulate w/walk.json --threads 1", "--lines", 0},
                {"dataset", "dataset ds --threads 1", "--lines", 0}};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void write_inputs(void) {
    if (is_there("ds/boxes")) return;
    write_query_files();
    write_sequence("s", 9);
    make_folder("ds");
    write_sequence("ds/frames", 5);
    CHECK(shell("graze dataset ds --make >/dev/null") == 0);
    CHECK(shell("graze articulate --example walk --out w --frames 6 >/dev/null") == 0);
    for (size_t i = 0; i < COMMANDS; i++) {
        int status = shell("graze %s --no-times %s %s.jsonl >/dev/null 2>&1", commands[i].arguments, commands[i].list,
                           commands[i].name);
        CHECK_MSG(status == commands[i].status, "%s: %d", commands[i].name, status);
    }
}

static void make_shards(const char *arguments, int n, const char *folder) {
    CHECK(shell("rm -rf %s; for i in $(seq %d); do graze %s --shard $i/%d --shard-out %s >/dev/null 2>&1; "
                "[ $? -le 1 ] || exit 9; done",
                folder, n, arguments, n, folder) == 0);
}

static void expect_same(const char *a, const char *b) {
    CHECK_MSG(shell("cmp -s %s %s && [ -s %s ]", a, b, a) == 0, "%s and %s differ", a, b);
}

/* ---- the same bytes ---- */

static void expect_whole_run(size_t command, int n) {
    char whole[40];
    snprintf(whole, sizeof whole, "%s.jsonl", commands[command].name);
    make_shards(commands[command].arguments, n, "d");
    int status = run("merge d --out merged.jsonl");
    CHECK_MSG(status == 0, "%s in %d: %s", commands[command].name, n, err);
    expect_same("merged.jsonl", whole);
}

TEST(merged_queries_have_the_bytes_of_one_run_for_1_to_64_shards) {
    write_inputs();
    for (int n = 1; n <= 64; n++) expect_whole_run(0, n);
}

TEST(merged_steps_have_the_bytes_of_one_run_for_1_to_64_shards) {
    write_inputs();
    for (int n = 1; n <= 64; n++) expect_whole_run(2, n);
}

TEST(merged_truths_segments_and_scores_have_the_bytes_of_one_run) {
    static const int counts[] = {1, 2, 3, 4, 5, 6, 7, 11, 23, 64};
    write_inputs();
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        expect_whole_run(1, counts[i]);
        expect_whole_run(3, counts[i]);
        expect_whole_run(4, counts[i]);
    }
}

TEST(shards_may_lie_in_several_folders_and_threads_change_no_byte) {
    write_inputs();
    CHECK(shell("for i in 1 2 3 4 5; do graze sequence s --mode all --threads $i --shard $i/5 --shard-out e/$i "
                ">/dev/null || exit 9; done") == 0);
    CHECK(run("merge e/4 e/1 e/2 e/5 e/3 --out merged.jsonl") == 0);
    expect_same("merged.jsonl", "sequence.jsonl");
    CHECK(run("merge e/4 e/1 e/2 e/5 e/3 --out -") == 0);
    size_t size;
    char *whole = read_file("sequence.jsonl", &size);
    CHECK(strcmp(out, whole) == 0);
    free(whole);
}

TEST(no_times_leaves_out_what_a_clock_says_and_nothing_else) {
    write_inputs();
    for (size_t i = 0; i < COMMANDS; i++) {
        int status = run("%s --json --no-times", commands[i].arguments);
        CHECK_MSG(status == commands[i].status, "%s", err);
        CHECK_MSG(out[0] == '{' && !strstr(out, "\"time_") && !strstr(out, "\"threads\"") && !strstr(out, "_us\""),
                  "%s: %s", commands[i].name, out);
        char *without = strdup(out);
        CHECK(run("%s --json --no-times", commands[i].arguments) == commands[i].status && strcmp(out, without) == 0);
        free(without);
        CHECK(run("%s --json", commands[i].arguments) == commands[i].status && strstr(out, "\"time_"));
        CHECK(run("%s --no-times", commands[i].arguments) == commands[i].status && !strstr(out, "nan"));
    }
}

TEST(a_list_with_times_is_not_continued_without_them) {
    write_inputs();
    for (size_t i = 0; i < COMMANDS; i++) {
        const char *arguments = commands[i].arguments, *list = commands[i].list;
        char whole[40];
        snprintf(whole, sizeof whole, "%s.jsonl", commands[i].name);
        CHECK(run("%s %s t.jsonl", arguments, list) == commands[i].status);
        CHECK(run("%s %s t.jsonl --resume --no-times", arguments, list) == commands[i].status);
        expect_same("t.jsonl", whole);
    }
}

/* ---- shards that were cut off ---- */

/* As a run that was killed leaves it: half a list under the name of a part. */
static void cut_off(int i, int n) {
    char name[80], part[100];
    size_t size;
    snprintf(name, sizeof name, "d/shard-%d-of-%d.jsonl", i, n);
    snprintf(part, sizeof part, "%s.graze-part", name);
    char *bytes = read_file(name, &size);
    write_bytes(part, bytes, draw((unsigned)size + 1));
    if (draw(2)) remove(path_of(name)); /* else an older list stands beside the part */
    free(bytes);
}

TEST(shards_that_were_cut_anywhere_and_resumed_have_the_same_bytes) {
    write_inputs();
    for (int trial = 0; trial < 40; trial++) {
        size_t command = (size_t)trial % COMMANDS;
        char whole[40];
        snprintf(whole, sizeof whole, "%s.jsonl", commands[command].name);
        int n = 1 + (int)draw(6);
        make_shards(commands[command].arguments, n, "d");
        for (int i = 1; i <= n; i++)
            if (draw(2)) cut_off(i, n);
        for (int i = 1; i <= n; i++)
            CHECK(run("%s --shard %d/%d --shard-out d --resume", commands[command].arguments, i, n) <= 1);
        CHECK_MSG(run("merge d --out merged.jsonl") == 0, "%s", err);
        expect_same("merged.jsonl", whole);
    }
}

/* Kills a run once its part holds a line; false when the run was faster. */
static bool kill_a_run(const char *shard, const char *part) {
    pid_t child = fork();
    if (child == 0) {
        if (chdir(path_of(".")) == 0 && freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
            execl(GRAZE_PROGRAM_PATH, "graze", "sequence", "long", "--shard", shard, "--shard-out", "d", "--resume",
                  NULL);
        _exit(99);
    }
    struct stat seen;
    int status;
    while (waitpid(child, &status, WNOHANG) == 0)
        if (stat(path_of(part), &seen) == 0 && seen.st_size > 0) {
            kill(child, SIGKILL);
            return waitpid(child, &status, 0) == child && WIFSIGNALED(status);
        }
    return false;
}

/* A fast machine may end a run before it is killed: then it is tried again from the start. */
static bool leave_a_part_behind(int i) {
    char shard[20], list[80], part[100];
    snprintf(shard, sizeof shard, "%d/3", i);
    snprintf(list, sizeof list, "d/shard-%d-of-3.jsonl", i);
    snprintf(part, sizeof part, "%s.graze-part", list);
    for (int trial = 0; trial < 100; trial++) {
        remove(path_of(list));
        if (kill_a_run(shard, part)) return true;
    }
    return false;
}

TEST(shards_that_were_killed_and_resumed_have_the_same_bytes) {
    write_inputs();
    write_sequence("long", 600);
    CHECK(run("sequence long --no-times --out long.jsonl") == 0);
    CHECK(shell("rm -rf d") == 0);
    for (int i = 1; i <= 3; i++) CHECK_MSG(leave_a_part_behind(i), "no run was killed");
    for (int i = 1; i <= 3; i++) CHECK(run("sequence long --shard %d/3 --shard-out d --resume", i) == 0);
    CHECK_MSG(run("merge d --out merged.jsonl") == 0, "%s", err);
    expect_same("merged.jsonl", "long.jsonl");
}

TEST(a_shard_of_other_options_or_inputs_is_not_continued) {
    write_inputs();
    make_shards("query q --threads 1", 2, "d");
    expect_refusal(run("query q --separation 1 --shard 1/2 --shard-out d --resume"), "d/shard-1-of-2.jsonl",
                   "other options");
    expect_refusal(run("query q/a-vf.csv --shard 1/2 --shard-out d --resume"), "d/shard-1-of-2.jsonl", "other inputs");
    CHECK(run("query q --separation 1 --shard 1/2 --shard-out d") == 0);
}

/* ---- damaged merges ---- */

enum { SHARDS = 5 };

static const char *shard_name(int i) {
    static char name[80];
    snprintf(name, sizeof name, "d/shard-%d-of-%d.jsonl", i, SHARDS);
    return name;
}

static void hash_of(const char *bytes, size_t size, char text[IO_SHA256_TEXT]) {
    io_sha256 hash;
    io_sha256_begin(&hash);
    io_sha256_bytes(&hash, bytes, size);
    io_sha256_end(&hash, text);
}

/* The line gets a new check: as if another program had written it so. */
static void seal_line(char *line) {
    char digits[IO_SHA256_TEXT], *check = strstr(line, ",\"check\":\"");
    CHECK(check != NULL);
    hash_of(line, (size_t)(check - line), digits);
    memcpy(check + 10, digits, 16);
}

/* A shard as another version would have written it: whole in itself. */
static void change_version(const char *name) {
    size_t size;
    char digits[IO_SHA256_TEXT], *bytes = read_file(name, &size), *version = strstr(bytes, "\"version\":\"");
    CHECK(version != NULL);
    version[11] = '7';
    seal_line(bytes);
    char *end = strstr(bytes, "{\"graze\":\"end of shard\"");
    CHECK(end != NULL);
    hash_of(bytes, (size_t)(end - bytes), digits);
    memcpy(strstr(end, "\"hash\":\"") + 8, digits, 64);
    seal_line(end);
    write_bytes(name, bytes, size);
    free(bytes);
}

static void cut_at_a_byte(const char *name) {
    size_t size;
    char *bytes = read_file(name, &size);
    write_bytes(name, bytes, draw((unsigned)size));
    free(bytes);
}

static void change_a_byte(const char *name) {
    size_t size;
    char *bytes = read_file(name, &size);
    bytes[draw((unsigned)size)] ^= (char)(1 + draw(255));
    write_bytes(name, bytes, size);
    free(bytes);
}

static void take_a_line_away(const char *name) {
    CHECK(shell("sed %u'd' %s >x && mv x %s", 2 + draw(2), name, name) == 0);
}

/* Inputs of the same size: a vertex that falls elsewhere; of a sequence in the shard's first frame. */
static void make_from_other_inputs(const char *command, int i) {
    char change[80] = "sed -i '1s/^1,4/1,2/' q/b-vf.csv";
    const char *folder = strncmp(command, "sequence", 8) == 0 ? "s" : "q";
    if (*folder == 's') snprintf(change, sizeof change, "sed -i '4s/v 1 1/v 2 1/' s/f_%d.obj", 8 * (i - 1) / SHARDS);
    CHECK(shell("cp -r %s kept && %s && graze %s --threads 1 --shard %d/%d --shard-out d >/dev/null 2>&1; "
                "rm -r %s; mv kept %s",
                folder, change, command, i, SHARDS, folder, folder) == 0);
}

TEST(two_hundred_damaged_merges_are_refused_by_name) {
    write_inputs();
    for (int trial = 0; trial < 200; trial++) {
        static const char *const three[] = {"query q", "truth q", "sequence s --mode all"};
        const char *command = three[trial % 3];
        int kind = trial / 3 % 8, i = 1 + (int)draw(SHARDS);
        if (kind == 5 && i == 1) i = 2; /* the first frame of a sequence is of one shard alone */
        if (trial < 3) make_shards(command, SHARDS, trial == 0 ? "good0" : trial == 1 ? "good1" : "good2");
        CHECK(shell("rm -rf d other; cp -r good%d d", trial % 3) == 0);
        const char *name = shard_name(i), *folder = "d";
        char words[80];
        snprintf(words, sizeof words, "%s", name);
        switch (kind) {
        case 0: cut_at_a_byte(name); break;
        case 1: change_a_byte(name); break;
        case 2:
            CHECK(shell("mkdir other && cp %s other/shard-x.jsonl", name) == 0);
            folder = "d other";
            break;
        case 3:
            CHECK(remove(path_of(name)) == 0);
            snprintf(words, sizeof words, "shard %d of %d is missing", i, SHARDS);
            break;
        case 4:
            CHECK(shell("graze %s --threads 1 --separation 0.5 --shard %d/%d --shard-out d >/dev/null 2>&1", command, i,
                        SHARDS) <= 1);
            break;
        case 5: make_from_other_inputs(command, i); break;
        case 6: change_version(name); break;
        case 7: take_a_line_away(name); break;
        }
        write_file("merged.jsonl", "old");
        int status = run("merge %s --out merged.jsonl", folder);
        CHECK_MSG(status == 2 && strstr(err, words), "trial %d, kind %d, %s: status %d: %s", trial, kind, name, status,
                  err);
        expect_refusal(status, words);
        expect_contents("merged.jsonl", "old");
    }
}

TEST(merge_says_what_is_wrong_with_a_shard) {
    write_inputs();
    make_shards("query q --threads 1", 4, "d");
    CHECK(shell("cp d/shard-2-of-4.jsonl d/shard-2-again.jsonl") == 0);
    expect_refusal(run("merge d --out m.jsonl"), "shard 2 of 4 is there twice", "shard-2-again", "shard-2-of-4");
    CHECK(shell("rm d/shard-2-again.jsonl; touch d/slurm-17.out; mv d/shard-3-of-4.jsonl "
                "d/shard-3-of-4.jsonl.graze-part") == 0);
    expect_refusal(run("merge d --out m.jsonl"), "d/shard-3-of-4.jsonl: is not finished", "--resume");
    CHECK(shell("rm d/*.graze-part; graze truth q --shard 3/4 --shard-out d >/dev/null 2>&1") <= 1);
    expect_refusal(run("merge d --out m.jsonl"), "d/shard-3-of-4.jsonl", "another command");
    CHECK(shell("rm d/shard-3*; graze query q --shard 3/5 --shard-out d >/dev/null") == 0);
    expect_refusal(run("merge d --out m.jsonl"), "d/shard-3-of-5.jsonl", "another number of shards");
    CHECK(shell("rm d/shard-3*; graze query q --method ti --shard 3/4 --shard-out d >/dev/null") == 0);
    expect_refusal(run("merge d --out m.jsonl"), "d/shard-3-of-4.jsonl", "other options", "--method ti");
    CHECK(!is_there("m.jsonl"));
    CHECK(shell("graze query q --shard 3/4 --shard-out d >/dev/null") == 0 && run("merge d --out m.jsonl") == 0);
    expect_same("m.jsonl", "query.jsonl");
    expect_refusal(run("merge d --out d/shard-1-of-4.jsonl"), "not overwritten");
    expect_refusal(run("merge d"), "--out");
    expect_refusal(run("merge --out m.jsonl"), "no shards");
    expect_refusal(run("merge q --out m.jsonl"), "q: no shards");
    expect_refusal(run("merge nowhere --out m.jsonl"), "nowhere");
}

static void step_shard(int i, int n) {
    CHECK(shell("graze sequence c --with w/floor.obj --shard %d/%d --shard-out d >/dev/null 2>&1", i, n) == 0);
}

TEST(frames_that_were_changed_between_shards_are_noticed) {
    CHECK(shell("rm -rf d c; mkdir -p w") == 0);
    write_sequence("c", 9);
    write_file("w/floor.obj", "v 0 0 -50\nv 1 0 -50\nv 0 1 -50\nf 1 2 3\n");
    for (int i = 1; i <= 4; i++) step_shard(i, 4);
    write_file("c/f_4.obj", "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 7\nv 1 1 9\nv 2 1 9\n" FACES);
    step_shard(2, 4); /* its last frame, and the first of shard 3 */
    expect_refusal(run("merge d --out m.jsonl"), "d/shard-2-of-4.jsonl", "other inputs");
    for (int i = 1; i <= 4; i++) step_shard(i, 4);
    CHECK_MSG(run("merge d --out m.jsonl") == 0, "%s", err);
    CHECK(run("sequence c --with w/floor.obj --no-times --out c.jsonl") == 0);
    expect_same("m.jsonl", "c.jsonl");
    write_file("w/floor.obj", "v 0 0 -60\nv 1 0 -50\nv 0 1 -50\nf 1 2 3\n");
    step_shard(4, 4);
    expect_refusal(run("merge d --out m.jsonl"), "d/shard-4-of-4.jsonl", "other inputs");
}

/* Frame k of a sequence that one shard alone reads, as it was in another simulation: shards of the two have every frame
   in common that both of them read. */
static void expect_mixture_noticed(const char *folder, int frame, int shard) {
    CHECK(shell("rm -rf d m.jsonl") == 0);
    for (int i = 1; i <= 4; i++)
        CHECK(shell("graze sequence %s --shard %d/4 --shard-out d >/dev/null 2>&1", folder, i) <= 1);
    CHECK_MSG(run("merge d --out m.jsonl") == 0, "%s", err);
    CHECK(shell("sed -i '5s/$/1/' %s/f_%d.obj && rm m.jsonl", folder, frame) == 0); /* a digit more */
    CHECK(shell("graze sequence %s --shard %d/4 --shard-out d >/dev/null 2>&1", folder, shard) <= 1);
    char name[40];
    snprintf(name, sizeof name, "d/shard-%d-of-4.jsonl", shard);
    expect_refusal(run("merge d --out m.jsonl"), name, "other inputs");
    CHECK(!is_there("m.jsonl"));
}

TEST(shards_of_two_simulations_that_share_the_frames_between_shards_are_told_apart) {
    CHECK(shell("rm -rf two") == 0);
    write_sequence("two", 9);
    expect_mixture_noticed("two", 1, 1);
    expect_mixture_noticed("two", 5, 3);
    expect_mixture_noticed("two", 7, 4);
}

/* Frames that are not read whole: what is changed everywhere is noticed, wherever the file begins alike. */
TEST(long_frames_are_told_apart_by_samples) {
    CHECK(shell("rm -rf long d; graze scene cloth-ball --out long --frames 5 --size 160 >/dev/null") == 0);
    CHECK(shell("test $(wc -c <$(ls long/frames/*_1.ply)) -gt %d", APP_SAMPLED_FROM) == 0);
    for (int i = 1; i <= 2; i++) CHECK(shell("graze sequence long --shard %d/2 --shard-out d >/dev/null 2>&1", i) <= 1);
    CHECK(shell("cd long/frames && f=$(ls *_1.ply) && g=$(ls *_3.ply) && s=$(wc -c <$f) && "
                "{ head -c $((s / 4)) $f; tail -c +$((s / 4 + 1)) $g; } >x && mv x $f") == 0);
    CHECK(shell("graze sequence long --shard 1/2 --shard-out d >/dev/null 2>&1") <= 1);
    expect_refusal(run("merge d --out m.jsonl"), "d/shard-", "other inputs");
}

TEST(steps_that_could_not_be_taken_are_missing_as_in_one_run) {
    write_sequence("bad", 7);
    write_file("bad/f_3.obj", "v 1 2\n");
    CHECK(run("sequence bad --no-times --out bad.jsonl") == 2);
    for (int i = 1; i <= 4; i++) run("sequence bad --shard %d/4 --shard-out b", i);
    expect_refusal(run("merge b --out merged.jsonl"), "2 items could not be done", "b/shard-2-of-4.jsonl");
    expect_same("merged.jsonl", "bad.jsonl");
}

/* ---- options ---- */

TEST(a_part_that_is_none_is_refused_by_every_command) {
    static const char *const lines[] = {
        "query q-vf.csv --no-times --shard 0/4 --shard-out parts",
        "truth q-vf.csv --no-times --shard 5/4 --shard-out parts",
        "sequence frames --no-times --shard x --shard-out parts",
        "articulate m.json --no-times --resume --shard 2/1 --shard-out parts",
        "dataset scene --no-times --resume --shard -1/4 --shard-out parts",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        int status = run("%s", lines[i]);
        CHECK_MSG(status == 2 && strstr(err, "--shard"), "%s: %d: %s", lines[i], status, err);
    }
}

TEST(shard_options_that_do_not_fit_are_refused) {
    write_inputs();
    static const char *const wrong[] = {"0/4", "5/4", "x", "1/0", "1", "/4", "2/", "-1/4", "1/4/5", "1/1000001", "''"};
    for (size_t c = 0; c < COMMANDS; c++) {
        const char *arguments = commands[c].arguments;
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
            expect_refusal(run("%s --shard %s --shard-out o", arguments, wrong[i]), commands[c].name, "--shard:");
        expect_refusal(run("%s --shard 1/4", arguments), "--shard-out DIR");
        expect_refusal(run("%s --shard-out o", arguments), "--shard I/N");
        expect_refusal(run("%s --shard 1/4 --shard-out o --json", arguments), "--json");
        expect_refusal(run("%s --shard 1/4 --shard-out o %s x", arguments, commands[c].list), commands[c].list,
                       "merge");
        expect_refusal(run("%s --resume", arguments), "--resume", commands[c].list);
    }
    expect_refusal(run("truth q --write --shard 1/4 --shard-out o"), "--write");
    expect_refusal(run("query q --certificate c --shard 1/4 --shard-out o"), "--certificate");
    expect_refusal(run("sequence s --html c --shard 1/4 --shard-out o"), "--html");
    expect_refusal(run("dataset ds --make --shard 1/4 --shard-out o"), "--make");
    CHECK(!is_there("o") && !is_there("x"));
}

int main(int argc, char **argv) { return run_program_tests(argc, argv); }
