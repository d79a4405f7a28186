/* Certificates of paths from outside: articulate writes them, verify reads them. */
#include "program.h"

#include <unistd.h>

#define CUBES(motion)                                                                                                  \
    "{\"models\":[{\"name\":\"car\",\"links\":[{\"name\":\"body\",\"joint\":{\"kind\":\"prismatic\",\"axis\":[2,0,0]}" \
    ","                                                                                                                \
    "\"mesh\":\"cube.obj\"}]},{\"name\":\"wall\",\"mesh\":\"cube.obj\"}],\"motion\":{\"car\":{" motion "}}}"

static void set_up(void) {
    static bool done;
    if (done) return;
    done = true;
    write_file("cube.obj",
               "v -.5 -.5 -.5\nv .5 -.5 -.5\nv -.5 .5 -.5\nv .5 .5 -.5\nv -.5 -.5 .5\nv .5 -.5 .5\n"
               "v -.5 .5 .5\nv .5 .5 .5\nf 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n");
    write_file("free.json", CUBES("\"from\":[-3],\"to\":[-1.5]"));
    write_file("blocked.json", CUBES("\"from\":[-3],\"to\":[1]"));
    write_file("path.json", CUBES("\"path\":[[-3],[-2],[-1.25],[-4]]"));
    write_file("cubic.json", CUBES("\"cubic\":[[-3,-1.5,-1.5,-3]]"));
}

TEST(a_free_motion_has_a_certificate_that_verify_accepts) {
    set_up();
    expect_status(0, run("articulate free.json --certificate c.json --json"));
    CHECK(strstr(out, "\"clear\""));
    expect_status(0, run("verify c.json --json"));
    cJSON *said = json();
    CHECK(cJSON_IsTrue(field(said, "accepted")) && number_at(said, "paths") == 1 && number_at(said, "pairs") == 1);
    CHECK(number_at(said, "triangles") == 24 && number_at(said, "links") == 2 && number_at(said, "skipped") == 0);
    CHECK(number_at(said, "t_max") == 1 && number_at(said, "separation") == 0 && number_at(said, "directions") >= 1);
    expect_null(said, "first_rejected");
    CHECK(strstr(text_at(said, "premise"), "inside"));
    cJSON_Delete(said);
    expect_status(0, run("verify c.json --threads 3"));
    CHECK(strstr(out, "accepted"));
    expect_status(0, run("articulate free.json --separation 0.4 --mode all --certificate c.json"));
    expect_status(0, run("verify c.json --json"));
    CHECK(number_said("separation") == 0.4);
    expect_status(0, run("articulate cubic.json --certificate c.json"));
    expect_status(0, run("verify c.json"));
}

TEST(a_path_of_segments_is_in_one_certificate) {
    set_up();
    expect_status(0, run("articulate path.json --certificate c.json"));
    expect_status(0, run("verify c.json --json"));
    CHECK(number_said("paths") == 3 && number_said("rejected") == 0);
}

TEST(generated_examples_have_certificates) {
    static const char *const names[] = {"walk", "exercise", "falling-train"};
    for (int i = 0; i < 3; i++) {
        expect_status(0, run("articulate --example %s --out ex --frames 2", names[i]));
        expect_status(0, run("articulate ex/%s.json --certificate c.json", names[i]));
        expect_status(0, run("verify c.json --json"));
        CHECK(number_said("paths") == 2 && number_said("pairs") > 90 && number_said("triangles") > 20000);
    }
}

/* A joint that mimics another moves as that one does: the values in the file are its own. */
TEST(mimicking_joints_are_in_the_certificate) {
    set_up();
    write_file("r.urdf",
               "<robot name=\"r\"><link name=\"base\"/><link name=\"arm\"><collision><geometry><box "
               "size=\"0.2 0.2 0.2\"/></geometry></collision></link><link name=\"tool\"><collision><geometry>"
               "<box size=\"0.1 0.1 0.1\"/></geometry></collision></link><joint name=\"turn\" "
               "type=\"continuous\"><parent link=\"base\"/><child link=\"arm\"/></joint><joint name=\"follow\" "
               "type=\"prismatic\"><parent link=\"arm\"/><child link=\"tool\"/><origin xyz=\"1 0 0\"/><mimic "
               "joint=\"turn\" multiplier=\"0.25\" offset=\"0.5\"/></joint></robot>");
    write_file("r.json", "{\"models\":[{\"name\":\"r\",\"urdf\":\"r.urdf\"},{\"name\":\"post\",\"mesh\":\"cube.obj\","
                         "\"origin\":{\"position\":[0,-3,0]}}],\"motion\":{\"r\":{\"from\":{\"turn\":0},\"to\":"
                         "{\"turn\":1}}}}");
    expect_status(0, run("articulate r.json --certificate c.json"));
    look_into("c.json");
    CHECK(strstr(out, "\"from\":[0,0.5],\"to\":[1,0.75]"));
    expect_status(0, run("verify c.json --json"));
    CHECK(number_said("pairs") == 2 && number_said("links") == 4);
}

TEST(a_motion_that_is_not_free_has_none) {
    set_up();
    expect_status(0, run("articulate blocked.json --certificate none.json"));
    CHECK(strstr(out, "hit") && strstr(err, "no certificate"));
    CHECK(!is_there("none.json"));
    expect_status(0, run("articulate free.json --separation 0.6 --certificate none.json"));
    CHECK(!is_there("none.json"));
    expect_refusal(run("articulate free.json --inside --certificate none.json"), "--inside");
    expect_refusal(run("articulate free.json --json --certificate -"), "--certificate");
}

TEST(changed_certificates_are_rejected_or_refused) {
    set_up();
    expect_status(0, run("articulate free.json --certificate c.json"));
    expect_status(0, shell("sed 's/\"to\":\\[-1.5\\]/\"to\":[-0.5]/' c.json > far.json"));
    expect_status(1, run("verify far.json --json"));
    cJSON *said = json();
    CHECK(cJSON_IsFalse(field(said, "accepted")) && number_at(said, "rejected") == 1);
    expect_text(said, "first_rejected.name", "path 0, links 0 and 1");
    CHECK(strstr(text_at(said, "first_rejected.reason"), "not apart"));
    cJSON_Delete(said);
    expect_status(1, run("verify far.json"));
    CHECK(strstr(out, "links 0 and 1"));
    expect_status(0, shell("sed 's/\"pairs\":\\[/\"pairs\":[],\"more\":[/' c.json > less.json"));
    expect_refusal(run("verify less.json"), "less.json", "line");
    expect_refusal(run("verify c.json --max-work 1"), "work");
    expect_status(0, run("verify c.json --max-work 100000"));
}

int main(int argc, char **argv) { return run_program_tests(argc, argv); }
