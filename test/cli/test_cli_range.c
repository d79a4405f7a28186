/* graze articulate --range from outside. */
#include "program.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Two arms of one box each beside each other: the first reaches the second where it turns by more than about 1.1 rad.
 */
static void set_up_with(const char *limits, const char *more) {
    char text[2000];
    write_file("bar.obj",
               "v 0 -.05 -.05\nv 1 -.05 -.05\nv 0 .05 -.05\nv 1 .05 -.05\nv 0 -.05 .05\nv 1 -.05 .05\n"
               "v 0 .05 .05\nv 1 .05 .05\nf 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n");
    snprintf(text, sizeof text,
             "{\"models\":[{\"name\":\"arm\",\"links\":[{\"name\":\"base\",\"mesh\":null},"
             "{\"name\":\"upper\",\"parent\":\"base\",\"joint\":{\"kind\":\"revolute\"},\"mesh\":\"bar.obj\"},"
             "{\"name\":\"post\",\"parent\":\"base\",\"joint\":{\"kind\":\"prismatic\"},\"mesh\":\"bar.obj\","
             "\"origin\":{\"position\":[0,0.5,0]}}]}],\"limits\":{\"arm\":%s}%s}",
             limits, more);
    write_file("m.json", text);
}

static void set_up(const char *limits) { set_up_with(limits, ""); }

static cJSON *ask(const char *options) {
    int status = run("articulate m.json --range --json --no-times %s", options);
    CHECK_MSG(status == 0, "%s", err);
    return cJSON_Parse(out);
}

static void expect(const char *verdict, const char *options) {
    cJSON *r = ask(options), *pair = cJSON_GetArrayItem(cJSON_GetObjectItem(r, "pairs"), 0);
    const cJSON *said = cJSON_GetObjectItem(pair, "verdict"), *witness = cJSON_GetObjectItem(pair, "witness");
    CHECK(cJSON_GetArraySize(cJSON_GetObjectItem(r, "pairs")) == 1);
    CHECK_MSG(cJSON_IsString(said) && strcmp(said->valuestring, verdict) == 0, "%s", out);
    CHECK(cJSON_IsObject(witness) == (strcmp(verdict, "touch") == 0));
    CHECK((cJSON_GetNumberValue(cJSON_GetObjectItem(pair, "unresolved")) > 0) == (strcmp(verdict, "unresolved") == 0));
    if (cJSON_IsObject(witness)) {
        double turn = cJSON_GetNumberValue(cJSON_GetObjectItem(witness, "upper"));
        double up = cJSON_GetNumberValue(cJSON_GetObjectItem(witness, "post"));
        CHECK_MSG(fabs(up) <= 0.12 && turn > 0.4, "%s", out);
    }
    cJSON_Delete(r);
}

/* The bar is 1 long and 0.1 thick: turned by θ its far corner is at sin θ + 0.05·cos θ, the other bar begins at 0.45.
 */
TEST(pairs_are_clear_or_touch_as_limits_say) {
    set_up("{\"upper\":[-1,0.4],\"post\":[-1,1]}");
    expect("clear", "");
    set_up("{\"upper\":[-1,0.43],\"post\":[-1,1]}");
    expect("touch", "");
    set_up("{\"upper\":[-1,3],\"post\":[0.11,1]}");
    expect("clear", "");
    expect("touch", "--separation 0.02");
    write_file("l.json", "{\"arm\":{\"post\":[-1,1]}}");
    expect("touch", "--limits l.json");
    set_up("{\"post\":[0.10000001,1]}"); /* a whole circle */
    expect("clear", "");
    set_up("{\"upper\":[-1,3],\"post\":[0.1,1]}"); /* they graze at a limit: that never closes */
    expect("unresolved", "--max-checks 50");
    set_up("{\"post\":[0.10000001,1]}");
    CHECK(run("articulate m.json --range --exit-code") == 0 && strstr(out, "1 clear"));
    CHECK(run("articulate m.json --range --budget 30") == 0);
}

/* A URDF's joint that turns without end: limits that are given hold for it, too. */
TEST(limits_hold_for_continuous_joints) {
    set_up("{}"); /* for bar.obj */
    write_file("a.urdf",
               "<robot name='arm'><link name='base'/>"
               "<link name='upper'><collision><geometry><mesh filename='bar.obj'/></geometry></collision></link>"
               "<link name='post'><collision><geometry><mesh filename='bar.obj'/></geometry></collision></link>"
               "<joint name='turn' type='continuous'><parent link='base'/><child link='upper'/>"
               "<axis xyz='0 0 1'/></joint>"
               "<joint name='stand' type='fixed'><parent link='base'/><child link='post'/>"
               "<origin xyz='0 0.5 0'/></joint></robot>");
    write_file("m.json", "{\"models\":[{\"name\":\"arm\",\"urdf\":\"a.urdf\"}],"
                         "\"limits\":{\"arm\":{\"turn\":[-1,0.4]}}}");
    CHECK_MSG(run("articulate m.json --range --json") == 0 && strstr(out, "\"clear\""), "%s%s", out, err);
    write_file("l.json", "{\"arm\":{\"turn\":[-1,0.5]}}");
    CHECK_MSG(run("articulate m.json --range --json --limits l.json") == 0 && strstr(out, "\"touch\""), "%s%s", out,
              err);
    double turn = number_said("pairs.0.witness.turn");
    CHECK_MSG(turn >= 0.4 && turn <= 0.5, "%s", out);
    write_file("m.json", "{\"models\":[{\"name\":\"arm\",\"urdf\":\"a.urdf\"}]}");
    CHECK(run("articulate m.json --range") == 0 && strstr(out, "1 touch"));
}

TEST(what_is_skipped_is_asked_for_by_no_skip) {
    set_up_with("{\"upper\":[-1,3],\"post\":[-1,1]}", ",\"skip\":[[\"arm/upper\",\"arm/post\"]]");
    CHECK_MSG(run("articulate m.json --range") == 0 && strstr(out, "0 pairs"), "%s", err);
    CHECK(run("articulate m.json --range --no-skip") == 0 && strstr(out, "1 touch"));
}

TEST(proven_pairs_become_an_srdf) {
    set_up("{\"upper\":[-1,0.4],\"post\":[-1,1]}");
    CHECK_MSG(run("articulate m.json --range --srdf a.srdf") == 0, "%s", err);
    look_into("a.srdf");
    CHECK_MSG(strstr(out, "link1=\"upper\" link2=\"post\" reason=\"Never\"") && strstr(out, "<robot name=\"arm\">"),
              "%s", out);
    set_up("{\"upper\":[-1,3],\"post\":[-1,1]}");
    CHECK(run("articulate m.json --range --srdf a.srdf") == 0);
    look_into("a.srdf");
    CHECK(!strstr(out, "disable"));
    set_up("{\"upper\":[-1,3],\"post\":[0.1,1]}"); /* they graze at a limit */
    CHECK(run("articulate m.json --range --max-checks 50 --srdf a.srdf") == 0);
    look_into("a.srdf");
    CHECK_MSG(strstr(out, "link1=\"upper\" link2=\"post\" reason=\"Sampled\"/> <!-- ") && !strstr(out, "\"Never\""),
              "%s", out);
}

/* Pairs that are never asked about are listed, too: else whoever reads the file tests them, and finds them in contact.
   A flange without a mesh holds a hand, and a camera, which overlap the arm. */
TEST(an_srdf_lists_links_that_fixed_joints_hold_together) {
    set_up("{}"); /* for bar.obj */
    const char *model =
        "{\"models\":[{\"name\":\"arm\",\"links\":[{\"name\":\"base\",\"mesh\":\"bar.obj\"},"
        "{\"name\":\"upper\",\"parent\":\"base\",\"joint\":{\"kind\":\"revolute\"},\"mesh\":\"bar.obj\"},"
        "{\"name\":\"flange\",\"parent\":\"upper\",\"mesh\":null},"
        "{\"name\":\"hand\",\"parent\":\"flange\",\"mesh\":\"bar.obj\"},"
        "{\"name\":\"camera\",\"parent\":\"flange\",\"shapes\":[{\"kind\":\"sphere\",\"radius\":0.2}]},"
        "{\"name\":\"post\",\"mesh\":\"bar.obj\",\"origin\":{\"position\":[0,3,0]}}]}]%s}";
    char text[2000];
    snprintf(text, sizeof text, model, ",\"skip\":[[\"arm/base\",\"arm/hand\"]]");
    write_file("m.json", text);
    CHECK_MSG(run("articulate m.json --range --srdf a.srdf") == 0, "%s", err);
    look_into("a.srdf");
    static const char *const pairs[][3] = {{"base", "upper", "Adjacent"},   {"upper", "hand", "Adjacent"},
                                           {"upper", "camera", "Adjacent"}, {"hand", "camera", "Adjacent"},
                                           {"base", "post", "Adjacent"},    {"base", "hand", "User"},
                                           {"upper", "post", "Never"},      {"camera", "post", "Never"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        snprintf(text, sizeof text, "link1=\"%s\" link2=\"%s\" reason=\"%s\"", pairs[i][0], pairs[i][1], pairs[i][2]);
        CHECK_MSG(strstr(out, text), "no %s in %s", text, out);
    }
    CHECK_MSG(!strstr(out, "flange") && !strstr(out, "link1=\"base\" link2=\"camera\""), "%s", out); /* they touch */
    CHECK(run("articulate m.json --range --no-skip --srdf a.srdf") == 0);
    look_into("a.srdf");
    CHECK_MSG(!strstr(out, "\"User\"") && !strstr(out, "link1=\"base\" link2=\"hand\""), "%s", out);
}

/* Nothing is proven of them, nobody looked: they stay tested. */
TEST(an_srdf_leaves_out_pairs_that_nobody_looked_at) {
    set_up("{\"upper\":[-1,0.4],\"post\":[-1,1]}");
    CHECK(run("articulate m.json --range --budget 1e-9 --srdf a.srdf") == 0 && strstr(out, "1 unresolved"));
    look_into("a.srdf");
    CHECK_MSG(!strstr(out, "disable"), "%s", out);
}

/* A capsule beside a box is a part of its link: the link is never clear where its capsule touches. */
TEST(an_srdf_joins_the_parts_of_links) {
    set_up("{}"); /* for bar.obj */
    for (int touches = 0; touches < 2; touches++) {
        char text[2000];
        snprintf(text, sizeof text,
                 "{\"models\":[{\"name\":\"arm\",\"links\":[{\"name\":\"base\",\"mesh\":\"bar.obj\"},"
                 "{\"name\":\"upper\",\"parent\":\"base\",\"joint\":{\"kind\":\"revolute\"},\"mesh\":\"bar.obj\","
                 "\"shapes\":[{\"kind\":\"sphere\",\"radius\":0.05,\"origin\":{\"position\":[%g,0,0]}}]},"
                 "{\"name\":\"post\",\"parent\":\"base\",\"mesh\":\"bar.obj\",\"origin\":{\"position\":[0,1.3,0]}}]}]}",
                 touches ? 1.25 : 0.8);
        write_file("m.json", text);
        CHECK_MSG(run("articulate m.json --range --srdf a.srdf") == 0, "%s", err);
        CHECK_MSG(strstr(out, "2 pairs: ") && strstr(out, touches ? "1 touch" : "0 touch"), "%s", out);
        look_into("a.srdf");
        CHECK_MSG(!strstr(out, "radius"), "%s", out);
        CHECK_MSG(strstr(out, "link1=\"base\" link2=\"upper\" reason=\"Adjacent\"/>\n"), "%s", out);
        const char *never = strstr(out, "link1=\"upper\" link2=\"post\" reason=\"Never\"/>");
        CHECK_MSG((never == NULL) == touches && !(never && strstr(strstr(never, "/>"), "Never")), "%s", out);
    }
}

/* The first pair is clear, touches or is left over as the limits say; each has a certificate that holds. */
TEST(ranges_have_certificates) {
    static const struct {
        const char *limits, *options, *counted;
    } cases[] = {{"{\"upper\":[-1,0.4],\"post\":[-1,1]}", "", "clear"},
                 {"{\"upper\":[-1,3],\"post\":[-1,1]}", "", "touch"},
                 {"{\"upper\":[-1,3],\"post\":[-1,1]}", "--separation 0.05", "touch"},
                 {"{\"upper\":[-1,0.4],\"post\":[-1,1]}", "--max-checks 4", "unresolved"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_up(cases[i].limits);
        CHECK_MSG(run("articulate m.json --range --json --certificate c.json %s", cases[i].options) == 0, "%s", err);
        CHECK(number_said("certificate_bytes") > 500);
        if (i == 3) CHECK_MSG(strstr(out, "\"cell\"") && strstr(out, "\"upper\":"), "%s", out);
        bool settled = strcmp(cases[i].counted, "unresolved") != 0;
        CHECK_MSG(run("verify c.json --json") == (settled ? 0 : 3), "%s%s", out, err);
        CHECK_MSG(number_said(cases[i].counted) == 1 && number_said("pairs") == 1, "%s", out);
    }
    set_up("{\"upper\":[-1,0.4],\"post\":[-1,1]}");
    CHECK(run("articulate m.json --range --certificate c.json") == 0 && strstr(out, "certificate of "));
    CHECK(run("verify c.json") == 0 && strstr(out, "for all values"));
    CHECK(shell("sed 's/\\[-1,0.4/[-1,0.9/' c.json > far.json") == 0);
    CHECK(run("verify far.json") == 1 && strstr(out, "links 1 and 2"));
    expect_refusal(run("verify c.json --max-work 1"), "work");
    expect_refusal(run("articulate m.json --range --certificate nowhere/c.json"), "nowhere/c.json");
}

/* The posts' way ends where the arm's level begins: that never closes, and takes seconds. */
static void set_up_long(void) {
    set_up("{}"); /* for bar.obj */
    write_file("m.json",
               "{\"models\":[{\"name\":\"arm\",\"links\":[{\"name\":\"base\",\"mesh\":null},"
               "{\"name\":\"upper\",\"parent\":\"base\",\"joint\":{\"kind\":\"revolute\"},\"mesh\":\"bar.obj\"},"
               "{\"name\":\"hand\",\"parent\":\"upper\",\"joint\":{\"kind\":\"prismatic\",\"axis\":[1,0,0]},"
               "\"mesh\":\"bar.obj\"},"
               "{\"name\":\"post\",\"parent\":\"base\",\"joint\":{\"kind\":\"prismatic\"},\"mesh\":\"bar.obj\","
               "\"origin\":{\"position\":[0,0.5,0]}}]}],"
               "\"limits\":{\"arm\":{\"upper\":[-1,3],\"hand\":[0,1],\"post\":[0.1,1]}}}");
}

/* However far the search goes, what it writes of pairs that it leaves open is checked within the bound of work. */
TEST(certificates_of_what_stays_open_are_checked_within_the_bound_of_work) {
    set_up_long();
    CHECK(run("articulate m.json --range --json --no-times --max-checks 1000000 --certificate c.json") == 0);
    double told = number_said("pairs.0.unresolved"), cells = number_said("cells");
    CHECK_MSG(told > 0 && told < 2e-5 && cells > 1e5, "%s", out);
    CHECK_MSG(run("verify c.json") == 3, "%s%s", out, err);
    look_into("c.json");
    const char *open = strstr(out, "\"open\":");
    CHECK(open && strtod(open + 7, NULL) >= told && strtod(open + 7, NULL) < 0.01 && strstr(open, "\"rest\":\""));
}

/* Out of time, or stopped, it tells what is proven until then, in files that are whole. */
TEST(what_is_proven_is_told_when_time_is_out_or_it_is_stopped) {
    set_up_long();
    for (int stopped = 0; stopped < 2; stopped++) {
        shell("rm -f c.json a.srdf .out .err");
        pid_t child = fork();
        if (child == 0) {
            if (chdir(path_of(".")) == 0 && freopen(".out", "w", stdout) && freopen(".err", "w", stderr))
                execl(GRAZE_PROGRAM_PATH, "graze", "articulate", "m.json", "--range", "--json", "--certificate",
                      "c.json", "--srdf", "a.srdf", "--budget", stopped ? "1000" : "0.5", NULL);
            _exit(99);
        }
        for (int wait = 0; stopped && wait < 500 && shell("ls -a | grep -q '^.graze-'"); wait++) /* its files */
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        int status;
        if (stopped) nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
        if (stopped) kill(child, SIGINT);
        CHECK(waitpid(child, &status, 0) == child);
        CHECK_MSG(stopped ? WIFSIGNALED(status) && WTERMSIG(status) == SIGINT : WIFEXITED(status), "%d", status);
        look_at_errors();
        CHECK_MSG((strstr(err, "stopped") != NULL) == stopped, "%s", err);
        look_into(".out");
        CHECK_MSG(number_said("pairs.0.unresolved") > 0 && strstr(out, "\"cancelled\""), "%s", out);
        look_into("a.srdf");
        CHECK(strstr(out, "</robot>"));
        CHECK_MSG(run("verify c.json") == 3, "%s%s", out, err);
    }
}

static double item_of(const cJSON *cell, const char *axis, int end) {
    return cJSON_GetNumberValue(cJSON_GetArrayItem(cJSON_GetObjectItem(cell, axis), end));
}

/* The bars touch where their heights overlap, |post| ≤ 0.1, and the first one's far corner reaches y = 0.45. */
static void check_cell(const cJSON *cell, int counts[3], double *area) {
    double x[2], y[2];
    for (int end = 0; end < 2; end++) x[end] = item_of(cell, "x", end), y[end] = item_of(cell, "y", end);
    const char *state = cJSON_GetStringValue(cJSON_GetObjectItem(cell, "state"));
    bool is_free = strcmp(state, "free") == 0, touches = strcmp(state, "touching") == 0;
    bool level = y[0] <= 0.1 && y[1] >= -0.1, reaches = false, certain = false;
    for (int k = 0; k <= 100; k++) { /* θ up to 0.5: it meets the other bar's side */
        double turn = x[0] + (x[1] - x[0]) * k / 100, far = sin(turn) + 0.05 * cos(turn);
        reaches = reaches || far > 0.45;
        certain = certain || (far > 0.4501 && turn < 0.5);
    }
    CHECK_MSG(!is_free || !(level && certain), "[%g, %g], [%g, %g] is %s", x[0], x[1], y[0], y[1], state);
    CHECK_MSG(!touches || (level && reaches), "[%g, %g], [%g, %g] is %s", x[0], x[1], y[0], y[1], state);
    counts[is_free ? 0 : touches ? 1 : 2]++;
    *area += (x[1] - x[0]) * (y[1] - y[0]);
}

TEST(maps_show_where_links_touch) {
    set_up("{\"upper\":[-1,0.5],\"post\":[-1,1]}");
    CHECK_MSG(run("articulate m.json --range --map a.svg --joints upper,arm/post --cells 30 --json --no-times") == 0,
              "%s", err);
    cJSON *map = cJSON_Parse(out), *cell;
    int counts[3] = {0};
    double area = 0;
    cJSON_ArrayForEach(cell, cJSON_GetObjectItem(map, "cells")) check_cell(cell, counts, &area);
    CHECK_MSG(counts[0] > 10 && counts[1] > 4 && counts[2] < counts[1], "%d %d %d", counts[0], counts[1], counts[2]);
    CHECK_MSG(fabs(area - 3) < 1e-9, "%g", area);
    double shares = number_said("free") + number_said("touching") + number_said("undecided");
    CHECK(fabs(shares - 1) < 1e-12 && number_said("free") > 0.8);
    cJSON_Delete(map);
    look_into("a.svg");
    CHECK(strstr(out, "<svg ") && strstr(out, ">upper, rad<") && strstr(out, ">arm/post<"));
    CHECK(run("articulate m.json --range --map a.svg --joints post,upper --separation 3") == 0);
    CHECK_MSG(strstr(out, "touching   100 %"), "%s", out);
}

/* A post that flies: where it stands has to be said, and it does so there. */
TEST(joints_of_several_values_stand_where_it_is_said_or_are_refused) {
    set_up("{}"); /* for bar.obj */
    const char *model =
        "{\"models\":[{\"name\":\"arm\",\"links\":[{\"name\":\"base\",\"mesh\":null},"
        "{\"name\":\"upper\",\"parent\":\"base\",\"joint\":{\"kind\":\"revolute\"},\"mesh\":\"bar.obj\"},"
        "{\"name\":\"post\",\"parent\":\"base\",\"joint\":{\"kind\":\"free\",\"name\":\"fly\"},"
        "\"mesh\":\"bar.obj\"}]}]%s}";
    char text[2000];
    snprintf(text, sizeof text, model, "");
    write_file("m.json", text);
    expect_refusal(run("articulate m.json --range"), "m.json", "'fly' takes 6 values");
    write_file("l.json", "{\"arm\":{\"fly\":[[0,0],[0.5,0.5],[0,0],[0,0],[0,0],[0,0]]}}");
    CHECK_MSG(run("articulate m.json --range --limits l.json") == 0 && strstr(out, "1 touch"), "%s%s", out, err);
    snprintf(text, sizeof text, model, ",\"limits\":{\"arm\":{\"fly\":[[0,0],[0,0],[2,2],[0,0],[0,0],[0,0]]}}");
    write_file("m.json", text);
    CHECK_MSG(run("articulate m.json --range --certificate c.json") == 0 && strstr(out, "1 clear"), "%s%s", out, err);
    CHECK(run("verify c.json") == 0);
    write_file("l.json", "{\"arm\":{\"fly\":[[0,0],[0.5,0.6],[0,0],[0,0],[0,0],[0,0]]}}");
    expect_refusal(run("articulate m.json --range --limits l.json"), "l.json", "6 values must stand still");
    write_file("l.json", "{\"arm\":{\"fly\":[0,0]}}");
    expect_refusal(run("articulate m.json --range --limits l.json"), "l.json", "takes 6 values");
    write_file("l.json", "{\"arm\":{\"fly\":[[0,0],[0,0],[0,0],[0,0],[0,0],0]}}");
    expect_refusal(run("articulate m.json --range --limits l.json"), "l.json", "arm.fly[5]");
}

TEST(bad_maps_are_one_clear_line) {
    set_up("{\"upper\":[-1,0.5],\"post\":[1,1]}");
    expect_refusal(run("articulate m.json --range --map a.svg"), "--joints");
    expect_refusal(run("articulate m.json --map a.svg --joints upper,post"), "--range");
    expect_refusal(run("articulate m.json --range --map a.svg --joints upper"), "--joints A,B");
    expect_refusal(run("articulate m.json --range --map a.svg --joints upper,post,base"), "--joints A,B");
    expect_refusal(run("articulate m.json --range --map a.svg --joints upper,upper"), "different");
    expect_refusal(run("articulate m.json --range --map a.svg --joints upper,lower"), "no joint 'lower'");
    expect_refusal(run("articulate m.json --range --map a.svg --joints upper,base"), "'base'");
    expect_refusal(run("articulate m.json --range --map a.svg --joints upper,post"), "'post' has no range");
    expect_refusal(run("articulate m.json --range --map nowhere/a.svg --joints upper,arm/post"), "post");
    expect_refusal(run("articulate m.json --range --map a.svg --joints upper,post --cells 0"), "--cells");
    expect_refusal(run("articulate m.json --range --map a.svg --joints upper,post --srdf b.srdf"), "--srdf");
}

TEST(bad_limits_are_one_clear_line) {
    set_up("{\"upper\":[1,-1],\"post\":[0,1]}");
    expect_refusal(run("articulate m.json --range"), "m.json", "limits.arm.upper", "above");
    set_up("{\"lower\":[-1,1]}");
    expect_refusal(run("articulate m.json --range"), "m.json", "no joint 'lower'");
    set_up("{\"upper\":[-1,1]}");
    expect_refusal(run("articulate m.json --range"), "m.json", "joint 'post' has no limits");
    write_file("l.json", "{\"leg\":{}}");
    expect_refusal(run("articulate m.json --range --limits l.json"), "l.json", "no model 'leg'");
    expect_refusal(run("articulate m.json --limits l.json"), "--range");
    write_file("l.json", "{\"arm\":{\"upper\":[-1e7,1],\"post\":[0,1]}}");
    expect_refusal(run("articulate m.json --range --limits l.json"), "joint 'upper'", "beyond 2^20");
    set_up("{\"upper\":[-1,1],\"post\":[0,1]}");
    expect_refusal(run("articulate m.json --range --srdf nowhere/a.srdf"), "nowhere/a.srdf");
    expect_refusal(run("articulate m.json --range --budget 0"), "--budget");
    expect_refusal(run("articulate m.json --budget 1"), "--budget is for --range");
    expect_refusal(run("articulate m.json --range --map a.svg --joints upper,post --budget 1"), "--budget is for");
    expect_refusal(run("articulate m.json --range --plan l.json"), "--range");
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
