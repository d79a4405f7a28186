/* Robots from files, as plain arrays. */
#include "check.h"

#include "graze/robot.h"
#include "robot/model_file.h"
#include "robot/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- files ---- */

static char folder[] = "/tmp/graze-robot-XXXXXX";

static const char *write_file(const char *name, const char *text) {
    static char paths[4][80];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    FILE *stream = fopen(path, "wb");
    CHECK(stream != NULL);
    fputs(text, stream);
    fclose(stream);
    return path;
}

/* Children before parents: the arrays have them the other way around. */
static const char *const text =
    "<robot name=\"two\"><link name=\"hand\"><collision><geometry><mesh filename=\"package://parts/t.obj\" scale=\"2 2 "
    "2\"/>"
    "</geometry></collision></link><link name=\"finger\"/><link name=\"arm\"><collision><origin xyz=\"1 2 "
    "3\"/><geometry>"
    "<box size=\"1 2 3\"/></geometry></collision><collision><geometry><sphere "
    "radius=\"0.5\"/></geometry></collision></link>"
    "<link name=\"base\"/>"
    "<joint name=\"slide\" type=\"prismatic\"><parent link=\"arm\"/><child link=\"hand\"/><origin xyz=\"0 0 1\"/>"
    "<limit lower=\"-0.5\" upper=\"0.25\" velocity=\"3\" effort=\"1\"/><safety_controller soft_lower_limit=\"-0.4\" "
    "soft_upper_limit=\"0.2\" k_velocity=\"1\"/></joint>"
    "<joint name=\"turn\" type=\"continuous\"><parent link=\"base\"/><child link=\"arm\"/><axis xyz=\"0 0 2\"/>"
    "<limit velocity=\"2\" effort=\"1\"/></joint>"
    "<joint name=\"follow\" type=\"revolute\"><parent link=\"hand\"/><child link=\"finger\"/><mimic joint=\"slide\" "
    "multiplier=\"2\" offset=\"0.5\"/><limit lower=\"1\" upper=\"-1\"/></joint></robot>";

static graze_robot *load(const char *urdf, const char *srdf) {
    graze_robot_options options = graze_default_robot_options();
    const char *names[] = {"parts"}, *folders[] = {folder};
    options.package_names = names;
    options.package_folders = folders;
    options.package_count = 1;
    options.srdf = srdf;
    graze_robot *robot;
    graze_robot_error error;
    write_file("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    graze_status status = graze_robot_load(urdf, &options, &robot, &error);
    CHECK_MSG(status == GRAZE_OK && error.message[0] == '\0', "%s", error.message);
    return robot;
}

static size_t link_of(const graze_robot *robot, const char *name) {
    for (size_t i = 0; i < robot->link_count; i++)
        if (strcmp(robot->link_names[i], name) == 0) return i;
    CHECK_MSG(false, "no link %s", name);
    return 0;
}

TEST(a_capsule_is_a_segment_with_a_radius_beside_other_shapes) {
    graze_robot *r =
        load(write_file("capsule.urdf",
                        "<robot name=\"c\"><link name=\"l\"><collision><origin xyz=\"1 0 0\"/><geometry><capsule "
                        "length=\"0.5\" radius=\"0.25\"/></geometry></collision><collision><geometry><box "
                        "size=\"1 1 1\"/></geometry></collision></link></robot>"),
             NULL);
    const graze_link_mesh *capsule = &r->links[0].meshes[0], *box = &r->links[0].meshes[1];
    CHECK(r->links[0].mesh_count == 2 && r->links[0].padding == 0 && capsule->radius == 0.25 && box->radius == 0);
    CHECK(capsule->vertex_count == 3 && capsule->face_count == 1 && capsule->origin.position[0] == 1);
    CHECK(capsule->vertices[0][2] == -0.25 && capsule->vertices[1][2] == 0.25 && capsule->vertices[0][0] == 0);
    graze_robot_free(r);
    graze_robot_error error;
    const char *bad = write_file("bad.urdf", "<robot name=\"c\"><link name=\"l\"><collision><geometry><capsule "
                                             "radius=\"1\"/></geometry></collision></link></robot>");
    CHECK(graze_robot_load(bad, NULL, &r, &error) != GRAZE_OK && strstr(error.message, "length"));
}

/* Spheres are points with a radius; a cylinder's sides are beyond it by at most 2^-10 of its radius, its ends by
 * nothing. */
TEST(spheres_are_exact_and_cylinders_hardly_larger) {
    graze_robot *r = load(write_file("round.urdf",
                                     "<robot name=\"c\"><link name=\"l\"><collision><geometry><sphere radius=\"0.25\"/>"
                                     "</geometry></collision><collision><geometry><cylinder radius=\"3\" length=\"2\"/>"
                                     "</geometry></collision></link></robot>"),
                          NULL);
    const graze_link_mesh *ball = &r->links[0].meshes[0], *prism = &r->links[0].meshes[1];
    CHECK(ball->radius == 0.25 && ball->face_count == 1);
    for (uint32_t i = 0; i < ball->vertex_count; i++)
        for (int c = 0; c < 3; c++) CHECK(ball->vertices[i][c] == 0);
    CHECK(prism->radius == 0 && prism->face_count > 0);
    for (uint32_t f = 0; f < prism->face_count; f++)
        for (int k = 0; k < 3; k++) {
            const double *a = prism->vertices[prism->faces[f][k]], *b = prism->vertices[prism->faces[f][(k + 1) % 3]];
            double wide = hypot(a[0], a[1]), middle = hypot(0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]));
            CHECK(fabs(a[2]) == 1 && (wide == 0 || (wide >= 3 && wide <= 3 * (1 + 0x1p-10))));
            CHECK_MSG(wide == 0 || hypot(b[0], b[1]) == 0 || middle >= 3, "%.17g", middle);
        }
    graze_robot_free(r);
}

TEST(a_robot_is_what_its_file_says) {
    graze_robot *r = load(write_file("two.urdf", text), NULL);
    CHECK(strcmp(r->name, "two") == 0 && r->link_count == 4 && r->value_count == 3 && r->skip_count == 0);
    size_t base = link_of(r, "base"), arm = link_of(r, "arm"), hand = link_of(r, "hand"), finger = link_of(r, "finger");
    CHECK(base == 0 && arm == 1 && hand == 2 && finger == 3);
    CHECK(r->links[base].parent == -1 && r->links[arm].parent == 0 && r->links[hand].parent == 1);
    CHECK(r->joint_names[base][0] == '\0' && strcmp(r->joint_names[hand], "slide") == 0);
    CHECK(r->links[arm].mesh_count == 2 && r->links[arm].meshes[0].face_count == 12 && r->links[base].mesh_count == 0);
    CHECK(r->links[arm].meshes[0].origin.position[1] == 2 && r->links[hand].meshes[0].scale[0] == 2);
    CHECK(r->links[arm].joint == GRAZE_JOINT_REVOLUTE && r->continuous[arm] && !r->continuous[finger]);
    CHECK(r->links[arm].axis[2] == 2 && r->links[finger].axis[0] == 1);
    CHECK(r->limits[hand][0] == -0.5 && r->limits[hand][1] == 0.25 && r->velocities[hand] == 3);
    CHECK(r->soft_limits[hand][0] == -0.4 && r->soft_limits[hand][1] == 0.2);
    CHECK(r->limits[arm][0] == -INFINITY && r->limits[arm][1] == INFINITY && r->velocities[arm] == 2);
    CHECK(r->limits[finger][0] == -INFINITY && r->soft_limits[finger][1] == INFINITY && isinf(r->velocities[finger]));
    CHECK(r->mimics[finger] == (int32_t)hand && r->mimics[arm] == -1);
    CHECK(r->mimic_lines[finger][0] == 2 && r->mimic_lines[finger][1] == 0.5);
    double values[3] = {1, 0.25, 99};
    CHECK(r->first_values[arm] == 0 && r->first_values[hand] == 1 && r->first_values[finger] == 2);
    graze_robot_mimic(r, values);
    CHECK(values[0] == 1 && values[1] == 0.25 && values[2] == 1);
    graze_robot_free(r);
    graze_robot_free(NULL);
}

TEST(the_library_takes_the_links_as_they_are) {
    const char *srdf = write_file("two.srdf", "<robot name=\"two\"><disable_collisions link1=\"hand\" link2=\"base\" "
                                              "reason=\"Never\"/><group name=\"g\"/></robot>");
    graze_robot *r = load(write_file("two.urdf", text), srdf);
    graze_context *context;
    graze_model *model;
    CHECK(graze_context_create(NULL, &context) == GRAZE_OK);
    CHECK(graze_model_create(context, r->links, r->link_count, &model) == GRAZE_OK);
    CHECK(graze_model_links(model) == 4 && graze_model_values(model) == r->value_count);
    CHECK(r->skip_count == 1 && r->skips[0][0] == 2 && r->skips[0][1] == 0);
    uint8_t pairs[16];
    graze_robot_link_pairs(r, pairs);
    for (size_t i = 0; i < 16; i++) CHECK(pairs[i] == (i != 2 && i != 8));
    graze_model_destroy(context, model);
    graze_context_destroy(context);
    graze_robot_free(r);
}

TEST(what_is_wrong_is_one_line_and_no_robot) {
    graze_robot *robot = (graze_robot *)folder;
    graze_robot_error error;
    graze_robot_options options = graze_default_robot_options();
    const char *urdf = write_file("bad.urdf", "<robot name=\"r\">\n<link/></robot>");
    CHECK(graze_robot_load(urdf, NULL, &robot, &error) == GRAZE_ERR_INVALID_ARGUMENT && !robot);
    CHECK_MSG(strstr(error.message, "bad.urdf:2: <link> without name"), "%s", error.message);
    CHECK(graze_robot_load(urdf, NULL, &robot, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_robot_load(NULL, NULL, &robot, &error) == GRAZE_ERR_INVALID_ARGUMENT && error.message[0]);
    CHECK(graze_robot_load(urdf, NULL, NULL, &error) == GRAZE_ERR_INVALID_ARGUMENT);
    options.struct_size = 0;
    CHECK(graze_robot_load(urdf, &options, &robot, &error) == GRAZE_ERR_INVALID_ARGUMENT);
    options = graze_default_robot_options();
    options.package_count = 1;
    CHECK(graze_robot_load(urdf, &options, &robot, &error) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_robot_load("/dev/zero", NULL, &robot, &error) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(strstr(error.message, "not a regular file"));
    options = graze_default_robot_options();
    options.srdf = write_file("none.srdf", "<robot><disable_collisions link1=\"a\" link2=\"b\"/></robot>");
    urdf = write_file("one.urdf", "<robot name=\"r\"><link name=\"a\"/></robot>");
    CHECK(graze_robot_load(urdf, &options, &robot, &error) == GRAZE_ERR_INVALID_ARGUMENT && !robot);
    CHECK_MSG(strstr(error.message, "none.srdf:1: unknown link: 'b'"), "%s", error.message);
    CHECK(graze_robot_load(urdf, NULL, &robot, &error) == GRAZE_OK && robot && !error.message[0]);
    graze_robot_free(robot);
}

/* Chains of mimicking joints, forwards and backwards in the file, follow the first of them. */
TEST(chains_of_mimicking_joints_follow_the_first) {
    for (int backwards = 0; backwards < 2; backwards++) {
        enum { COUNT = 2000 };
        char *urdf = malloc(COUNT * 300), *at = urdf + sprintf(urdf, "<robot name=\"r\"><link name=\"l0\"/>");
        for (int k = 1; k <= COUNT; k++) {
            int i = backwards ? COUNT + 1 - k : k;
            at += sprintf(
                at,
                "<link name=\"l%d\"/><joint name=\"j%d\" type=\"prismatic\"><parent link=\"l0\"/><child link=\"l%d\"/>",
                i, i, i);
            if (i > 1) at += sprintf(at, "<mimic joint=\"j%d\" multiplier=\"-1\" offset=\"1\"/>", i - 1);
            at += sprintf(at, "</joint>");
        }
        strcpy(at, "</robot>");
        graze_robot *r = load(write_file("chain.urdf", urdf), NULL);
        size_t first = link_of(r, "l1");
        for (size_t i = 0; i < r->link_count; i++) {
            int number = atoi(r->link_names[i] + 1);
            if (number < 2) continue;
            CHECK(r->mimics[i] == (int32_t)first && r->mimic_lines[i][0] == (number % 2 ? 1 : -1) &&
                  r->mimic_lines[i][1] == (number % 2 ? 0 : 1));
        }
        graze_robot_free(r);
        free(urdf);
    }
}

TEST(names_are_found_among_many) {
    enum { COUNT = 5000 };
    static char storage[COUNT][8];
    robot_names names = {0};
    CHECK(robot_name_find(&names, "x") == -1);
    for (uint32_t i = 0; i < COUNT; i++) {
        snprintf(storage[i], sizeof storage[i], "n%u", (unsigned)i);
        CHECK(robot_name_add(&names, storage[i], i) == ROBOT_NAMED);
    }
    for (uint32_t i = 0; i < COUNT; i++) CHECK(robot_name_find(&names, storage[i]) == i);
    CHECK(robot_name_add(&names, "n17", 3) == ROBOT_NAMED_TWICE && robot_name_find(&names, "n17") == 17);
    CHECK(robot_name_find(&names, "n") == -1 && robot_name_find_part(&names, "n123x", 4) == 123);
    robot_names_free(&names);
}

/* Skips of whole models and of links give the same table; one that is there a thousand times costs nothing more. */
TEST(skips_are_kept_as_they_are_listed) {
    char json[40000];
    char *at = json + sprintf(json, "{\"models\":[{\"name\":\"m\",\"links\":[");
    for (int i = 0; i < 50; i++) at += sprintf(at, "%s{\"name\":\"l%d\",\"mesh\":null}", i ? "," : "", i);
    at += sprintf(at, "]},{\"name\":\"m/n\",\"mesh\":null}],\"skip\":[[\"m/n\",\"m/l3\"]");
    for (int i = 0; i < 1000; i++) at += sprintf(at, ",[\"m\",\"m\"]");
    strcpy(at, "]}");
    robot_models models;
    io_error error;
    uint8_t *table;
    CHECK(robot_parse_models((io_source){"m.json", json, strlen(json)}, &models, &error));
    CHECK(models.skip_count == 1001 && robot_link_table(&models, &table) && table);
    for (size_t a = 0; a < 51; a++)
        for (size_t b = 0; b < 51; b++) {
            bool skipped = (a < 50 && b < 50) || (a == 50 && b == 3) || (a == 3 && b == 50);
            CHECK(table[a * 51 + b] == !skipped);
        }
    free(table);
    robot_free_models(&models);
}

int main(int argc, char **argv) {
    if (!mkdtemp(folder)) return 1;
    int status = RUN_TESTS(argc, argv);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) != 0 || status;
}
