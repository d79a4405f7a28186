/* graze articulate --plan from outside. */
#include "program.h"

static void set_up(void) {
    write_file("cube.obj",
               "v -.5 -.5 -.5\nv .5 -.5 -.5\nv -.5 .5 -.5\nv .5 .5 -.5\nv -.5 -.5 .5\nv .5 -.5 .5\n"
               "v -.5 .5 .5\nv .5 .5 .5\nf 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n");
    /* the car meets the wall where its value is −1; the lift stands at 9, away from both */
    write_file(
        "m.json",
        "{\"models\":[{\"name\":\"car\",\"links\":[{\"name\":\"body\",\"joint\":{\"kind\":\"prismatic\",\"axis\":[1,0,"
        "0]},"
        "\"mesh\":\"cube.obj\"}]},{\"name\":\"wall\",\"mesh\":\"cube.obj\",\"origin\":{\"position\":[0,0.3,0.2]}},"
        "{\"name\":\"lift\",\"links\":[{\"name\":\"cabin\",\"joint\":{\"kind\":\"prismatic\"},\"mesh\":\"cube.obj\"}]}]"
        ","
        "\"motion\":{\"lift\":{\"from\":[9],\"to\":[9]}}}");
}

static int plan(const char *text) {
    write_file("p.json", text);
    return run("articulate m.json --plan p.json --json --no-times");
}

/* A contact at that time; NAN: none. */
static void expect(const char *text, double time, int segment, int segments) {
    int status = plan(text);
    CHECK_MSG(status == 0, "%s: %s", text, err);
    cJSON *r = cJSON_Parse(out);
    const cJSON *at = cJSON_GetObjectItem(r, "time"), *in = cJSON_GetObjectItem(r, "segment");
    CHECK(cJSON_GetNumberValue(cJSON_GetObjectItem(r, "segments")) == segments);
    if (isnan(time)) {
        CHECK_MSG(strstr(out, "\"clear\"") && cJSON_IsNull(at) && cJSON_IsNull(in), "%s: %s", text, out);
    } else {
        double found = cJSON_GetNumberValue(at);
        CHECK_MSG(strstr(out, "\"hit\"") && found <= time && found > time - 1e-7, "%s: %s", text, out);
        CHECK_MSG(cJSON_GetNumberValue(in) == segment, "%s: %s", text, out);
        CHECK(cJSON_GetArraySize(cJSON_GetObjectItem(r, "links")) == 2);
    }
    cJSON_Delete(r);
}

TEST(a_plan_touches_when_it_should) {
    set_up();
    expect("{\"model\":\"car\",\"times\":[0,1,3],\"positions\":[[-3],[-2],[0]]}", 2, 1, 2);
    expect("{\"model\":\"car\",\"joints\":[\"body\"],\"times\":[0,1,3],\"positions\":[[-3],[-2],[-1.01]]}", NAN, 0, 2);
    /* from rest to rest: half-way in the middle, by symmetry */
    expect("{\"model\":\"car\",\"times\":[0,2],\"positions\":[[-3],[1]],\"velocities\":[[0],[0]]}", 1, 0, 1);
    expect("{\"model\":\"car\",\"times\":[4,6],\"positions\":[[-3],[1]],\"velocities\":[[0],[0]],\"accelerations\":[[0]"
           ",[0]]}",
           5, 0, 1);
    /* constant acceleration 2: −2 + t² is −1 at 1; the same by a quintic, and as a spline */
    expect("{\"model\":\"car\",\"times\":[0,4],\"positions\":[[-2],[14]],\"velocities\":[[0],[8]],\"accelerations\":[["
           "2],[2]]}",
           1, 0, 1);
    expect("{\"model\":\"car\",\"degree\":2,\"knots\":[0,0,0,4,4,4],\"control\":[[-2],[-2],[14]]}", 1, 0, 1);
    /* it overshoots between way points: cubic Bézier values −2, −0.5, −0.5, −2 reach −0.875 */
    expect("{\"model\":\"car\",\"times\":[0,3],\"positions\":[[-2],[-2]],\"velocities\":[[1.5],[-1.5]]}",
           3 * (0.5 - sqrt(0.25 - 2.0 / 9)), 0, 1);
    CHECK(run("articulate m.json --plan p.json --exit-code") == 1 && strstr(out, "free until"));
}

TEST(bad_plans_are_one_clear_line) {
    static const char *const bad[][2] = {
        {"{\"model\":\"car\",\"tines\":[0,1],\"positions\":[[0],[1]]}", "did you mean \"times\"?"},
        {"{\"model\":\"car\",\"times\":[0,1],\"positions\":[[0],[1,2]]}", "positions[1]"},
        {"{\"model\":\"car\",\"times\":[0,1],\"positions\":[[0]]}", "1 rows, not 2"},
        {"{\"model\":\"car\",\"times\":[1,1],\"positions\":[[0],[1]]}", "not after"},
        {"{\"model\":\"car\",\"times\":[1],\"positions\":[[0]]}", "two times"},
        {"{\"model\":\"cat\",\"times\":[0,1],\"positions\":[[0],[1]]}", "no model 'cat'"},
        {"{\"times\":[0,1],\"positions\":[[0],[1]]}", "several models"},
        {"{\"model\":\"car\",\"joints\":[\"q\"],\"times\":[0,1],\"positions\":[[0],[1]]}", "no joint 'q'"},
        {"{\"model\":\"car\",\"joints\":[\"body\",\"body\"],\"times\":[0,1],\"positions\":[[0,0],[1,0]]}", "twice"},
        {"{\"model\":\"car\",\"times\":[0,1],\"positions\":[[0],[1]],\"accelerations\":[[0],[1]]}",
         "without \"velocities\""},
        {"{\"model\":\"car\",\"degree\":8,\"knots\":[0],\"control\":[[1]]}", "from 1 to 7"},
        {"{\"model\":\"car\",\"degree\":1,\"knots\":[0,1],\"control\":[[1],[2]]}", "must have 4 times"},
        {"{\"model\":\"car\",\"degree\":1,\"knots\":[0,0,1,0.5],\"control\":[[1],[2]]}", "must not decrease"},
        {"[]", "must be an object"},
        {"{\"model\":\"wall\",\"times\":[0,1],\"positions\":[[0],[1]]}", "names no joint"}};
    set_up();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) expect_refusal(plan(bad[i][0]), "p.json", bad[i][1]);
    expect_refusal(run("articulate m.json --plan none.json"), "none.json");
    expect_refusal(run("articulate m.json --plan p.json --mode all"), "--plan");
}

TEST(a_plan_that_is_clear_has_one_certificate) {
    set_up();
    write_file("p.json", "{\"model\":\"car\",\"times\":[2,3,5],\"positions\":[[-3],[-1.5],[-2]],\"velocities\":[[0],"
                         "[0],[0]],\"accelerations\":[[0],[0],[0]]}");
    CHECK(run("articulate m.json --plan p.json --certificate c.json --json") == 0 && strstr(out, "\"clear\""));
    CHECK_MSG(run("verify c.json --json") == 0, "%s", err);
    CHECK(number_said("pieces") == 2 && number_said("begin") == 2 && number_said("end") == 5);
    CHECK(number_said("pairs") == 3 && number_said("rejected") == 0);
    CHECK(run("verify c.json") == 0 && strstr(out, "from 2 to 5 s"));
    /* the control points of another plan */
    CHECK(shell("sed 's/\\[-1.5\\]/[-0.5]/g' c.json > far.json") == 0);
    CHECK(run("verify far.json") == 1 && strstr(out, "piece 0, links 0 and 1"));
    write_file("p.json", "{\"model\":\"car\",\"times\":[0,1],\"positions\":[[-3],[1]]}");
    CHECK(run("articulate m.json --plan p.json --certificate none.json") == 0 && strstr(err, "no certificate"));
    CHECK(!is_there("none.json"));
}

/* ---- other formats ---- */

static int plan_as(const char *name, const char *text) {
    char command[200];
    write_file(name, text);
    snprintf(command, sizeof command, "articulate m.json --plan %s --json --no-times", name);
    return run(command);
}

/* A file of another format says what a plan in JSON says, bit for bit. */
static void expect_same(const char *json, const char *name, const char *text) {
    char first[4000];
    CHECK_MSG(plan(json) == 0, "%s: %s", json, err);
    snprintf(first, sizeof first, "%s", out);
    CHECK_MSG(plan_as(name, text) == 0, "%s: %s", text, err);
    CHECK_MSG(strcmp(first, out) == 0, "%s: %s%s", text, first, out);
}

TEST(tables_are_read) {
    set_up();
    const char *linear = "{\"model\":\"car\",\"times\":[0,1,3],\"positions\":[[-3],[-2],[0]]}";
    expect_same(linear, "p.csv", "time,body\n0,-3\n1,-2\n3,0\n");
    expect_same(linear, "p.csv", "\xef\xbb\xbf# made by hand\r\n\r\n\"body\" , t\r\n-3, 0\r\n -2.0,1e0\r\n0,3\r\n\r\n");
    expect_same("{\"joints\":[\"cabin\"],\"times\":[0,1],\"positions\":[[9],[10]]}", "p.csv", "time,cabin\n0,9\n1,10");
    expect_same("{\"model\":\"car\",\"times\":[0,2],\"positions\":[[-3],[1]],\"velocities\":[[0.5],[0.25]]}", "p.csv",
                "body.velocity,time_from_start,body.position\n.5,0,-3\n0.25,2,1\n");
    expect_same("{\"model\":\"car\",\"times\":[0,4],\"positions\":[[-2],[14]],\"velocities\":[[0],[8]],"
                "\"accelerations\":[[2],[2]]}",
                "p.csv", "__time,body,body/velocity,body/acceleration\n0,-2,0,2\n4,14,8,2\n");
}

/* As `ros2 topic echo` and `rostopic echo` print a JointTrajectory. */
TEST(messages_of_ros_are_read) {
    set_up();
    expect_same("{\"model\":\"car\",\"times\":[0,1.25,3],\"positions\":[[-3],[-2],[0]]}", "p.yaml",
                "header:\n  stamp:\n    sec: 0\n    nanosec: 0\n  frame_id: ''\njoint_names:\n- body\npoints:\n"
                "- positions:\n  - -3.0\n  velocities: []\n  accelerations: []\n  effort: []\n  time_from_start:\n"
                "    sec: 0\n    nanosec: 0\n"
                "- positions:\n  - -2.0\n  velocities: []\n  accelerations: []\n  effort: []\n  time_from_start:\n"
                "    sec: 1\n    nanosec: 250000000\n"
                "- positions:\n  - 0.0\n  velocities: []\n  accelerations: []\n  effort: []\n  time_from_start:\n"
                "    sec: 3\n    nanosec: 0\n---\n");
    expect_same(
        "{\"model\":\"car\",\"times\":[0.1,2.000000001],\"positions\":[[-3],[1]],\"velocities\":[[0.5],[0.25]],"
        "\"accelerations\":[[0],[1]]}",
        "p.yml",
        "---\n# a comment\nheader: \n  seq: 7\n  stamp: \n    secs: 0\n    nsecs:         0\n  frame_id: ''\n"
        "joint_names: \n  - \"body\"\npoints: \n  - \n    positions: [-3.0]\n    velocities: [0.5]\n"
        "    accelerations: [0.0]\n    effort: []\n    time_from_start: \n      secs: 0\n      nsecs: 100000000\n"
        "  - \n    positions: [\n      1.0  # wrapped\n    ]\n    velocities: [0.25]\n    accelerations: [1]\n"
        "    effort: []\n    time_from_start: {secs: 2, nsecs: 1}\n");
    expect_same("{\"model\":\"car\",\"times\":[0,1],\"positions\":[[-3],[-2]]}", "p.yaml",
                "{joint_names: ['body'], points: [{positions: [-3], time_from_start: {sec: 0, nanosec: 0}},\n"
                " {positions: [-2], time_from_start: {sec: 1, nanosec: 0}}]}");
}

#define POINT(p, t) "- positions: " p "\n  time_from_start: {sec: " t ", nanosec: 0}\n"
#define NAMES "joint_names: [body]\npoints:\n"

TEST(bad_tables_and_messages_are_one_clear_line) {
    static const char *const bad[][3] = {
        {"p.csv", "", "empty"},
        {"p.csv", "body\n0\n1\n", "p.csv:1: no column is called \"time\""},
        {"p.csv", "time,t\n0,0\n1,1\n", "two columns of time"},
        {"p.csv", "time,,body\n0,0\n1,1\n", "p.csv:1: a column without a name"},
        {"p.csv", "time,body\n0,0\n1\n", "p.csv:3: 1 fields, not 2"},
        {"p.csv", "time,body\n0,0\n\n1,1,2\n", "p.csv:4: more than 2 fields"},
        {"p.csv", "time,body\n0,0\n1,0x1\n", "p.csv:3: body: '0x1' is not a number"},
        {"p.csv", "time,body\n0,0\n1,1;2\n", "is not a number"},
        {"p.csv", "time,body\n0,0\n1,1e999\n", "p.csv:3: positions[1][0]: is not finite"},
        {"p.csv", "time,body\n0,0\n", "at least two rows"},
        {"p.csv", "time,body\n1,0\n1,1\n", "p.csv:3: times[1]: is not after"},
        {"p.csv", "time,legs\n0,0\n1,1\n", "no model has all of these joints"},
        {"p.csv", "time,body,body\n0,0,0\n1,1,1\n", "named twice"},
        {"p.csv", "time,body,cabin/velocity\n0,0,0\n1,1,1\n", "'cabin', which has no positions"},
        {"p.csv", "time,body,cabin,body/velocity\n0,0,0,0\n1,1,1,1\n", "velocities of 1 of 2 joints"},
        {"p.csv", "time,body,body/acceleration\n0,0,0\n1,1,1\n", "without \"velocities\""},
        {"p.yaml", "", "empty"},
        {"p.yaml", NAMES POINT("[0]", "0"), "at least two points"},
        {"p.yaml", NAMES POINT("[0]", "0") POINT("[0, 1]", "1"), "p.yaml:5: points[1].positions: has 2 numbers for 1"},
        {"p.yaml", NAMES POINT("[0]", "0") POINT("[x]", "1"), "must be a number"},
        {"p.yaml", NAMES POINT("[0]", "0") POINT("[1]", "0"), "is not after"},
        {"p.yaml", NAMES POINT("[0]", "0") POINT("[1]", "0.5"), "sec: must be a whole number"},
        {"p.yaml", NAMES POINT("[0]", "0") POINT("[1]", "1") "  velocities: [1]\n", "the first point has none"},
        {"p.yaml", NAMES POINT("[0]", "0") POINT("[1]", "1") "  speed: [1]\n", "p.yaml:7: points[1]: unknown key"},
        {"p.yaml", NAMES POINT("[0]", "0") "- positions: [1]\n", "\"time_from_start\" is missing"},
        {"p.yaml", NAMES POINT("[0]", "0") "- positions: [1]\n  time_from_start: 1.5\n", "must be an object"},
        {"p.yaml", NAMES POINT("[0]", "0") POINT("[1]", "1") "---\njoint_names: []\n", "a second message"},
        {"p.yaml", NAMES POINT("&a [0]", "0") POINT("*a", "1"), "p.yaml:3: anchors"},
        {"p.yaml", "joint_names: [body\npoints: []\n", "expected ','"},
        {"p.yaml", "joint_names:\n\t- body\n", "p.yaml:2: a tab"},
        {"p.yaml", "joint_names:\n    - body\n  - b\n", "p.yaml:3: is indented more"},
        {"p.yaml", "joint_names: [body]\njoint_names: [body]\n", "p.yaml:2: joint_names: is there twice"},
        {"p.yaml", "joint_names: 'body\n", "does not end in its line"},
        {"p.yaml", "just words\n", "must be an object"},
        {"p.yaml", NAMES POINT("[0]", "0") POINT("[1]", "1") "  x y\n", "expected ':' behind a key"}};
    set_up();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        expect_refusal(plan_as(bad[i][0], bad[i][1]), bad[i][0], bad[i][2]);
}

/* ---- clearance ---- */

/* One pair, with this least distance at this time of this segment, and derivatives by the ends of the segment. */
static void expect_clearance(const char *more, double distance, int segment, double time, double from, double to) {
    char command[300];
    snprintf(command, sizeof command, "articulate m.json --clearance --json %s", more);
    CHECK_MSG(run(command) == 0, "%s", err);
    cJSON *r = cJSON_Parse(out);
    const cJSON *pair = cJSON_GetArrayItem(cJSON_GetObjectItem(r, "pairs"), 0);
    double lower = cJSON_GetNumberValue(cJSON_GetObjectItem(pair, "lower"));
    double upper = cJSON_GetNumberValue(cJSON_GetObjectItem(pair, "upper"));
    CHECK_MSG(lower <= distance && upper >= distance && upper - lower < 1e-5, "%s: %s", more, out);
    CHECK(cJSON_GetNumberValue(cJSON_GetObjectItem(pair, "segment")) == segment);
    CHECK_MSG(fabs(cJSON_GetNumberValue(cJSON_GetObjectItem(pair, "time")) - time) < 1e-3, "%s: %s", more, out);
    static const char *const names[] = {"gradient_from", "gradient_to"};
    for (int k = 0; k < 2; k++) {
        const cJSON *by = cJSON_GetObjectItem(cJSON_GetObjectItem(pair, names[k]), "car");
        CHECK_MSG(fabs(cJSON_GetNumberValue(cJSON_GetArrayItem(by, 0)) - (k ? to : from)) < 1e-3, "%s: %s", more, out);
    }
    cJSON_Delete(r);
}

TEST(clearance_is_told_of_motions_and_plans) {
    set_up();
    write_file("p.csv", "time,body\n0,-3\n1,-1.5\n4,-2\n");
    expect_clearance("--plan p.csv --within 2", 0.5, 0, 1, 0, -1);
    /* cubic Bézier values −2, −1.1, −1.1, −2: −1.325 in the middle, half of it by each end */
    write_file("p.csv", "time,body,body/velocity\n0,-2,0.9\n3,-2,-0.9\n");
    expect_clearance("--plan p.csv --tolerance 1e-7", 0.325, 0, 0.5, -0.5, -0.5);
    CHECK(run("articulate m.json --clearance --plan p.csv --most 0") == 0);
    CHECK_MSG(strstr(out, "clearance") && strstr(out, "car/body, wall/wall") && strstr(out, "lift/cabin"), "%s", out);
    CHECK(run("articulate m.json --clearance --plan p.csv --within 0.1") == 0 && strstr(out, "no pair"));
    CHECK(run("articulate m.json --clearance --plan p.csv --budget 1e-9") == 0 && strstr(out, "no pair"));
    CHECK_MSG(strstr(out, "others     at least 0\n"), "%s", out);
    CHECK(run("articulate m.json --plan p.csv --budget 100") == 0 && strstr(out, "clear"));
    expect_refusal(run("articulate m.json --clearance --range"), "--clearance");
    expect_refusal(run("articulate m.json --clearance --within -1"), "--within");
    expect_refusal(run("articulate m.json --clearance --plan none.csv"), "none.csv");
}

/* ---- swept volumes ---- */

static double volume(const cJSON *r, const char *state) {
    return cJSON_GetNumberValue(cJSON_GetObjectItem(cJSON_GetObjectItem(r, state), "volume"));
}

/* A unit cube that goes from 0 to 2 along x: 3 of volume, and at most one cell of 1/4 more on each side. */
TEST(swept_volumes_are_written) {
    set_up();
    write_file("s.json",
               "{\"models\":[{\"name\":\"car\",\"links\":[{\"name\":\"body\",\"joint\":{\"kind\":\"prismatic\","
               "\"axis\":[1,0,0]},\"mesh\":\"cube.obj\"}]},{\"name\":\"wall\",\"mesh\":\"cube.obj\"}],"
               "\"motion\":{\"car\":{\"from\":[0],\"to\":[2]}}}");
    CHECK_MSG(run("articulate s.json --swept s.ply --link body --size 0.3 --json") == 0, "%s", err);
    cJSON *r = cJSON_Parse(out);
    CHECK(cJSON_IsTrue(cJSON_GetObjectItem(r, "whole")));
    CHECK_MSG(volume(r, "touched") >= 3 && volume(r, "touched") + volume(r, "undecided") <= 3.5 * 1.5 * 1.5, "%s", out);
    CHECK(volume(r, "outside") + volume(r, "touched") + volume(r, "undecided") == 64);
    cJSON_Delete(r);
    CHECK_MSG(run("check s.ply") == 0, "%s", err); /* a mesh that the reader takes, which is closed */
    CHECK_MSG(run("articulate s.json --swept s.npz --link car/body --size 0.3") == 0, "%s", err);
    CHECK(strstr(out, "outside") && strstr(out, "touched") && strstr(out, "undecided"));
    static char bytes[1 << 20];
    FILE *file = fopen(path_of("s.npz"), "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) fclose(file);
    CHECK(size > 1000 && memcmp(bytes, "PK\3\4", 4) == 0 && memcmp(bytes + size - 22, "PK\5\6", 4) == 0);
    CHECK(memcmp(bytes + 30, "center.npy\x93NUMPY", 16) == 0);
    CHECK(run("articulate s.json --swept s.npz --link body --size 0.3 --budget 1e-9") == 0);
    CHECK_MSG(strstr(out, "outside    0 cells") && strstr(out, "ended early"), "%s", out);
    expect_refusal(run("articulate s.json --swept s.obj --link body --size 0.3"), "FILE.ply or FILE.npz");
    expect_refusal(run("articulate s.json --swept s.ply --link leg --size 0.3"), "no link 'leg'");
    expect_refusal(run("articulate s.json --swept s.ply --link body"), "go together");
    expect_refusal(run("articulate s.json --swept s.ply --link body --size -1"), "--size");
    expect_refusal(run("articulate s.json --swept s.ply --link body --size 1e-12"), "30 levels");
    expect_refusal(run("articulate s.json --swept s.ply --link body --size 1 --range"), "--swept");
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
