/* graze step WORLD.json from outside: the JSON as promised, every kind of body, and one line for everything bad. */
#include "small_data.h"

#define SHEET "v -2 -2 %g\nv 2 -2 %g\nv 0 2 %g\nf 1 2 3\n"
#define TIP "v 0 0 0\nv 1 0 2\nv 0 1 2\nv -1 -1 2\nf 1 2 3\nf 1 3 4\nf 1 4 2\n"
#define ARM                                                                                                            \
    "{\"models\":[{\"name\":\"arm\",\"links\":[{\"name\":\"tip\",\"parent\":null,\"joint\":{\"kind\":\"prismatic\"},"  \
    "\"mesh\":\"tip.obj\"}]}],\"motion\":{\"arm\":{\"from\":[1],\"to\":[-1]}}}"

static void write_sheet(const char *name, double z) {
    char text[200];
    snprintf(text, sizeof text, SHEET, z, z, z);
    write_file(name, text);
}

static void write_meshes(void) {
    write_sheet("low.obj", 0);
    write_sheet("high.obj", 1);
    write_sheet("deep.obj", -1);
    write_file("tip.obj", TIP);
    write_file("arm.json", ARM);
}

static void write_world(const char *first, const char *second) {
    char text[1500];
    snprintf(text, sizeof text, "{\"bodies\":[{\"name\":\"one\",%s},\n{\"name\":\"two\",%s}]}", first, second);
    write_file("world.json", text);
}

#define LOW "\"mesh\":\"low.obj\""
#define FALLS "\"mesh\":\"high.obj\",\"to\":\"deep.obj\""
#define RIGID(path)                                                                                                    \
    "\"mesh\":\"tip.obj\",\"motion\":{\"kind\":\"rigid\",\"path\":\"" path                                             \
    "\",\"from\":{\"position\":[0,0,1]},\"to\":{\"position\":[0,0,-1]}}"
#define AFFINE                                                                                                         \
    "\"mesh\":\"tip.obj\",\"motion\":{\"kind\":\"affine\",\"from\":[[1,0,0,0],[0,1,0,0],[0,0,1,1]],"                   \
    "\"to\":[[1,0,0,0],[0,1,0,0],[0,0,1,-1]]}"
#define CUBIC                                                                                                          \
    "\"mesh\":\"high.obj\",\"motion\":{\"kind\":\"cubic\",\"control\":[\"high.obj\",\"high.obj\",\"deep.obj\","        \
    "\"deep.obj\"]}"

/* Every motion passes z = 0 half-way. */
static void expect_half(const char *first, const char *second) {
    write_world(first, second);
    CHECK_MSG(run("step world.json --json") == 0, "%s", err);
    cJSON *object = json();
    expect_text(object, "verdict", "hit");
    expect_number(object, "toi", 0.499, 0.5);
    CHECK(field(object, "toi_upper") != NULL);
    expect_text(object, "pair.kind", "vf");
    CHECK(cJSON_GetArraySize(field(object, "pair.bodies")) == 2);
    CHECK(cJSON_GetArraySize(field(object, "pair.point")) == 3);
    CHECK(field(object, "pair.u") && field(object, "pair.v") && field(object, "pair.normal"));
    expect_number(object, "start.intersections", 0, 0);
    expect_text(object, "method", "certified");
    cJSON_Delete(object);
}

TEST(every_kind_of_body_meets_the_others_when_it_should) {
    write_meshes();
    expect_half(LOW, RIGID("turn"));
    expect_half(RIGID("screw"), LOW);
    expect_half(RIGID("rotvec"), LOW);
    expect_half(LOW, AFFINE);
    expect_half("\"model\":\"arm.json\"", LOW);
    write_file("up.obj", "v 0 0 0\nv 1 0 -2\nv 0 1 -2\nv -1 -1 -2\nf 1 2 3\nf 1 3 4\nf 1 4 2\n");
    expect_half("\"mesh\":\"up.obj\"", FALLS);
    expect_half("\"mesh\":\"up.obj\"", CUBIC);
}

TEST(a_world_that_is_clear_says_so_and_a_pair_names_its_bodies) {
    write_meshes();
    write_world(LOW, RIGID("turn"));
    CHECK(run("step world.json --json --t-max 0.25 --exit-code") == 0);
    cJSON *object = json();
    expect_text(object, "verdict", "clear");
    expect_number(object, "toi", 0.25, 0.25);
    expect_null(object, "pair");
    cJSON_Delete(object);
    CHECK(run("step world.json --json --exit-code --separation 0.5 --mode all") == 1);
    object = json();
    expect_number(object, "toi", 0.2, 0.25);
    expect_text(object, "pair.bodies.0", "two");
    expect_text(object, "pair.bodies.1", "one");
    expect_number(object, "pair.a", 0, 0);
    expect_number(object, "pairs.0.toi", 0.2, 0.25);
    cJSON_Delete(object);
    CHECK(run("step world.json") == 0 && strstr(out, "vf 0 of two, 0 of one"));
}

TEST(a_world_that_starts_with_an_intersection_is_told_of_it) {
    write_meshes();
    write_world(LOW, "\"mesh\":\"tip.obj\",\"motion\":{\"kind\":\"rigid\",\"from\":{\"position\":[0,0,-1]},"
                     "\"to\":{\"position\":[0,0,-1]}}");
    CHECK(run("step world.json --json") == 0);
    cJSON *object = json();
    expect_number(object, "start.intersections", 1, 3);
    cJSON_Delete(object);
    CHECK(run("step world.json --json --no-start-check") == 0);
    object = json();
    expect_null(object, "start.intersections");
    cJSON_Delete(object);
}

static void expect_line(const char *first, const char *options, const char *words) {
    char command[200];
    write_world(first, LOW);
    snprintf(command, sizeof command, "step world.json %s", options);
    CHECK(run(command) == 2);
    CHECK_MSG(strstr(err, words), "%s", err);
    CHECK(strchr(err, '\n') == err + strlen(err) - 1);
}

TEST(what_is_wrong_with_a_world_is_one_line) {
    write_meshes();
    expect_line("\"mesh\":\"low.obj\",\"too\":\"high.obj\"", "",
                "world.json:1: bodies[0]: unknown key \"too\": did you mean \"to\"?");
    expect_line("\"mesh\":\"none.obj\"", "", "world.json:1: bodies[0].mesh: none.obj");
    expect_line("\"mesh\":\"low.obj\",\"to\":\"tip.obj\"", "", "bodies[0].to");
    expect_line(FALLS ",\"motion\":{}", "", "one of them, not both");
    expect_line("\"model\":\"arm.json\",\"mesh\":\"low.obj\"", "", "one of them, not both");
    expect_line(LOW ",\"motion\":{\"kind\":\"rigd\"}", "", "(rigid, affine, cubic)");
    expect_line(RIGID("turns"), "", "(turn, screw, rotvec)");
    expect_line(LOW ",\"motion\":{\"kind\":\"cubic\",\"control\":[\"low.obj\"]}", "", "must be four files");
    expect_line(LOW ",\"motion\":{\"kind\":\"affine\",\"from\":[[1]],\"to\":[]}", "", "must be three rows");
    expect_line(LOW ",\"padding\":-1", "", "is negative");
    expect_line(LOW, "--mode vertices", "--mode vertices");
    expect_line(LOW, "--method ti", "--method ti");
    expect_line(LOW, "--to x.ply", "a world does not take --to");
    write_file("world.json",
               "{\"bodies\":[{\"name\":\"a\",\"mesh\":\"low.obj\"},{\"name\":\"a\",\"mesh\":\"low.obj\"}]}");
    CHECK(run("step world.json") == 2 && strstr(err, "another body is called 'a'"));
    write_file("world.json", "{\"bodies\":[]}");
    CHECK(run("step world.json") == 2 && strstr(err, "has no body"));
}

int main(int argc, char **argv) { return run_program_tests(argc, argv); }
