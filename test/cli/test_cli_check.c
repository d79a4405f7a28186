/* The premise of a step: what intersects or is too near at the start is counted and said, and `graze check` lists it.
 */
#include "small_data.h"

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
    look_into("p.json");
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
    look_into("p.json");
    CHECK_MSG(strstr(out, "\"kind\":\"vf\",\"a\":3,\"b\":0}"), "%s", out);
    CHECK(run("check f0.obj --exit-code --thickness 0.5") == 1);
    expect_refusal(run("check"), "check", "no meshes");
    expect_refusal(run("check no-such.obj"), "no-such.obj", "cannot open");
    expect_refusal(run("check f0.obj --separation -1"), "--separation", "-1");
    expect_refusal(run("check f0.obj --pairs-out - --json"), "--pairs-out", "JSON");
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
    look_into("p.json");
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

int main(int argc, char **argv) { return run_program_tests(argc, argv); }
