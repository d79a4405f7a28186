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
        {"{\"model\":\"car\",\"degree\":1,\"knots\":[0,0,1,0.5],\"control\":[[1],[2]]}", "before the one ahead"},
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

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
