/* graze articulate from outside: the JSON as promised, every kind of model, one line for everything that is bad. */
#include "program.h"

#include <sys/stat.h>
#include <unistd.h>

/* Runs the program from another folder. */
static int graze(const char *arguments) { return run_shell("cd / && \"$graze\" %s", arguments); }

/* `graze articulate m.json` on the text: meshes are beside the file. */
static int articulate(const char *model, const char *options) {
    char arguments[1000];
    write_file("m.json", model);
    snprintf(arguments, sizeof arguments, "articulate %s %s", path_of("m.json"), options);
    return graze(arguments);
}

static void set_up(void) {
    static bool done;
    if (done) return;
    done = true;
    write_file("cube.obj",
               "v -.5 -.5 -.5\nv .5 -.5 -.5\nv -.5 .5 -.5\nv .5 .5 -.5\nv -.5 -.5 .5\nv .5 -.5 .5\n"
               "v -.5 .5 .5\nv .5 .5 .5\nf 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n");
}

static const char *const two_cubes =
    "{\"models\":[{\"name\":\"car\",\"links\":[{\"name\":\"body\",\"parent\":null,\"joint\":{\"kind\":\"prismatic\","
    "\"axis\":[2,0,0]},\"mesh\":\"cube.obj\"}]},{\"name\":\"wall\",\"mesh\":\"cube.obj\"}],"
    "\"motion\":{\"car\":{\"from\":[-2],\"to\":[1]}}}";

static double number(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItem(object, key);
    CHECK_MSG(cJSON_IsNumber(item), "%s", key);
    return item ? item->valuedouble : NAN;
}

static const char *text(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItem(object, key);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static cJSON *answer(const char *model, const char *options) {
    int status = articulate(model, options);
    CHECK_MSG(status == 0, "%d: %s", status, err);
    cJSON *object = cJSON_Parse(out);
    CHECK(object != NULL);
    return object;
}

TEST(a_hit_has_every_field_that_is_promised) {
    set_up();
    cJSON *r = answer(two_cubes, "--json");
    CHECK(strcmp(text(r, "verdict"), "hit") == 0);
    CHECK(number(r, "toi") <= 1.0 / 3 && number(r, "toi") > 1.0 / 3 - 1e-9);
    cJSON *links = cJSON_GetObjectItem(r, "links"), *pair = cJSON_GetObjectItem(r, "pair");
    CHECK(cJSON_GetArraySize(links) == 2);
    bool car_first = strcmp(text(cJSON_GetArrayItem(links, 0), "model"), "car") == 0;
    CHECK(strcmp(text(cJSON_GetArrayItem(links, car_first ? 0 : 1), "link"), "body") == 0);
    CHECK(strcmp(text(cJSON_GetArrayItem(links, car_first ? 1 : 0), "link"), "wall") == 0);
    CHECK(strcmp(text(pair, "kind"), "vf") == 0 || strcmp(text(pair, "kind"), "ee") == 0);
    CHECK(number(pair, "a") >= 0 && number(pair, "b") >= 0 && number(r, "checks") > 0 && number(r, "time_ms") >= 0);
    const cJSON *normal = cJSON_GetObjectItem(r, "normal");
    CHECK(fabs(cJSON_GetArrayItem(normal, 0)->valuedouble - (car_first ? -1 : 1)) < 1e-9);
    CHECK(fabs(cJSON_GetArrayItem(cJSON_GetObjectItem(r, "point"), 0)->valuedouble + 0.5) < 1e-6);
    CHECK(cJSON_HasObjectItem(r, "toi_upper"));
    cJSON_Delete(r);
    r = answer(two_cubes, "--json --separation 0.25 --mode all");
    CHECK(number(r, "toi") <= 0.25 && number(r, "toi") > 0.25 - 1e-9 && number(r, "toi_upper") < 0.25 + 1e-6);
    CHECK(cJSON_GetArraySize(cJSON_GetObjectItem(r, "pairs")) == 1);
    cJSON_Delete(r);
    CHECK(articulate(two_cubes, "--exit-code") == 1 && strstr(out, "hit"));
}

TEST(what_is_clear_has_nulls) {
    set_up();
    cJSON *r =
        answer("{\"models\":[{\"name\":\"a\",\"links\":[{\"name\":\"l\",\"joint\":{\"kind\":\"revolute\"},\"mesh\":"
               "\"cube.obj\"}]},{\"name\":\"b\",\"mesh\":\"cube.obj\",\"origin\":{\"position\":[3,0,0]}}],"
               "\"motion\":{\"a\":{\"from\":[0],\"to\":[7]}}}",
               "--json");
    CHECK(strcmp(text(r, "verdict"), "clear") == 0 && number(r, "toi") == 1);
    static const char *const keys[] = {"toi_upper", "links", "pair", "point", "normal"};
    for (int i = 0; i < 5; i++) CHECK(cJSON_IsNull(cJSON_GetObjectItem(r, keys[i])));
    cJSON_Delete(r);
}

/* Two cubes, their faces 1 apart. */
TEST(distances_are_those_of_the_start) {
    set_up();
    cJSON *r = answer(two_cubes, "--distance --json"), *pairs = cJSON_GetObjectItem(r, "pairs");
    cJSON *pair = cJSON_GetArrayItem(pairs, 0), *links = cJSON_GetObjectItem(pair, "links");
    CHECK(cJSON_GetArraySize(pairs) == 1 && cJSON_IsNull(cJSON_GetObjectItem(r, "others")) && number(r, "tested") == 1);
    CHECK(strcmp(text(cJSON_GetArrayItem(links, 0), "link"), "body") == 0);
    CHECK(strcmp(text(cJSON_GetArrayItem(links, 1), "model"), "wall") == 0);
    CHECK(number(pair, "lower") <= 1 && number(pair, "upper") >= 1 && number(pair, "upper") < 1 + 1e-12);
    const cJSON *points = cJSON_GetObjectItem(pair, "points"), *normal = cJSON_GetObjectItem(pair, "normal");
    CHECK(fabs(cJSON_GetArrayItem(cJSON_GetArrayItem(points, 0), 0)->valuedouble + 1.5) < 1e-12);
    CHECK(fabs(cJSON_GetArrayItem(normal, 0)->valuedouble + 1) < 1e-12);
    const cJSON *gradient = cJSON_GetObjectItem(cJSON_GetObjectItem(pair, "gradient"), "car");
    CHECK(cJSON_GetArraySize(gradient) == 1 && fabs(cJSON_GetArrayItem(gradient, 0)->valuedouble + 1) < 1e-12);
    cJSON_Delete(r);
    r = answer(two_cubes, "--distance --most 0 --within 0.5 --json");
    CHECK(cJSON_GetArraySize(cJSON_GetObjectItem(r, "pairs")) == 0 && number(r, "others") >= 0.5);
    cJSON_Delete(r);
    CHECK(articulate(two_cubes, "--distance --most 0 --within 0.5") == 0 && strstr(out, "no pair"));
    CHECK(articulate(two_cubes, "--distance --separation 0.25") == 0 && strstr(out, "0.75"));
    CHECK(strstr(out, "car/body, wall/wall"));
    CHECK(articulate(two_cubes, "--distance --within -1") == 2 && strstr(err, "--within"));
    CHECK(articulate(two_cubes, "--distance --mode any") == 2 && strstr(err, "--distance"));
}

TEST(a_start_inside_is_told_where_that_is_asked) {
    set_up();
    const char *nested =
        "{\"models\":[{\"name\":\"a\",\"mesh\":\"cube.obj\"},{\"name\":\"b\",\"links\":[{\"name\":"
        "\"l\",\"joint\":{\"kind\":\"free\"},\"meshes\":[{\"mesh\":\"cube.obj\",\"scale\":[9,9,9]}]}]}]}";
    cJSON *r = answer(nested, "--json");
    CHECK(strcmp(text(r, "verdict"), "clear") == 0 && !cJSON_HasObjectItem(r, "inside"));
    cJSON_Delete(r);
    r = answer(nested, "--json --inside");
    CHECK(strcmp(text(r, "verdict"), "hit") == 0 && number(r, "toi") == 0 && number(r, "toi_upper") == 0);
    CHECK(cJSON_IsTrue(cJSON_GetObjectItem(r, "inside")) && cJSON_IsNull(cJSON_GetObjectItem(r, "pair")));
    CHECK(strcmp(text(cJSON_GetArrayItem(cJSON_GetObjectItem(r, "links"), 1), "link"), "l") == 0);
    cJSON_Delete(r);
    CHECK(articulate(nested, "--inside --exit-code") == 1 && strstr(out, "one inside the other"));
}

/* Children may be listed before their parents; values are in the order of the file. */
TEST(values_are_in_the_order_of_the_links) {
    set_up();
    cJSON *r = answer("{\"models\":[{\"name\":\"a\",\"links\":["
                      "{\"name\":\"tip\",\"parent\":\"base\",\"joint\":{\"kind\":\"prismatic\",\"axis\":[1,0,0]},"
                      "\"mesh\":\"cube.obj\"},"
                      "{\"name\":\"base\",\"joint\":{\"kind\":\"prismatic\",\"axis\":[0,1,0]},\"mesh\":null}]},"
                      "{\"name\":\"wall\",\"mesh\":\"cube.obj\",\"origin\":{\"position\":[3,0,0]}}],"
                      "\"motion\":{\"a\":{\"from\":[0,0],\"to\":[4,0]}}}",
                      "--json");
    CHECK(number(r, "toi") <= 0.5 && number(r, "toi") > 0.5 - 1e-9);
    cJSON_Delete(r);
}

TEST(a_path_answers_for_each_segment) {
    set_up();
    cJSON *r = answer("{\"models\":[{\"name\":\"a\",\"links\":[{\"name\":\"l\",\"joint\":{\"kind\":\"free\"},\"mesh\":"
                      "\"cube.obj\"}]},"
                      "{\"name\":\"wall\",\"mesh\":\"cube.obj\"}],\"motion\":{\"a\":{\"path\":["
                      "[-5,0,0,0,0,0],[-2,0,0,0,0,0],[1,0,0,0,0,0]]}}}",
                      "--json");
    cJSON *segments = cJSON_GetObjectItem(r, "segments");
    CHECK(cJSON_GetArraySize(segments) == 2 && number(r, "first") == 1);
    CHECK(strcmp(text(cJSON_GetArrayItem(segments, 0), "verdict"), "clear") == 0);
    CHECK(fabs(number(cJSON_GetArrayItem(segments, 1), "toi") - 1.0 / 3) < 1e-9);
    cJSON_Delete(r);
}

/* A half turn needs a direction; with one it is made. */
TEST(turns_and_skipped_pairs_are_heard) {
    set_up();
    const char *half =
        "{\"models\":[{\"name\":\"a\",\"links\":[{\"name\":\"l\",\"joint\":{\"kind\":\"spherical\"},\"meshes\":[{"
        "\"mesh\":"
        "\"cube.obj\",\"origin\":{\"position\":[3,0,0]},\"scale\":[1,1,1]}]}]},{\"name\":\"wall\",\"mesh\":\"cube."
        "obj\","
        "\"origin\":{\"position\":[0,3,0]}}],\"motion\":{\"a\":{\"from\":[0,0,0],\"to\":[0,0,3.141592653589793]%s}}%s}";
    char model[2000];
    snprintf(model, sizeof model, half, "", "");
    CHECK(articulate(model, "") == 2 && strstr(err, "half a circle") && strstr(err, "'l'"));
    snprintf(model, sizeof model, half, ",\"turn\":{\"l\":[0,0,3.141592653589793]}", "");
    cJSON *r = answer(model, "--json");
    CHECK(strcmp(text(r, "verdict"), "hit") == 0 && number(r, "toi") > 0.3 && number(r, "toi") < 0.5);
    cJSON_Delete(r);
    snprintf(model, sizeof model, half, ",\"turn\":{\"l\":[0,0,-3.141592653589793]}", "");
    r = answer(model, "--json");
    CHECK(strcmp(text(r, "verdict"), "clear") == 0);
    cJSON_Delete(r);
    snprintf(model, sizeof model, half, ",\"turn\":{\"l\":[0,0,3.141592653589793]}", ",\"skip\":[[\"a/l\",\"wall\"]]");
    r = answer(model, "--json");
    CHECK(strcmp(text(r, "verdict"), "clear") == 0);
    cJSON_Delete(r);
}

/* A bar of half length 0.5 on a hand that turns half a circle about the end of the forearm. */
TEST(a_held_bar_is_tested_against_the_forearm) {
    set_up();
    const char *held =
        "{\"models\":[{\"name\":\"arm\",\"links\":[{\"name\":\"forearm\",\"parent\":null,\"joint\":{\"kind\":"
        "\"revolute\",\"axis\":[0,0,1]},\"meshes\":[{\"mesh\":\"cube.obj\",\"scale\":[2,0.2,0.2]}]},{\"name\":"
        "\"hand\",\"parent\":\"forearm\",\"joint\":{\"kind\":\"revolute\",\"axis\":[0,0,1]},\"origin\":{"
        "\"position\":[1,0,0]},\"mesh\":null},{\"name\":\"bar\",\"parent\":\"hand\",\"joint\":{\"kind\":\"fixed\"},"
        "\"origin\":{\"position\":[0.7,0,0]},\"meshes\":[{\"mesh\":\"cube.obj\",\"scale\":[1,0.1,0.1]}]}]}],"
        "\"motion\":{\"arm\":{\"from\":[0,0],\"to\":[0,3.14]}}%s}";
    char model[2000];
    snprintf(model, sizeof model, held, "");
    cJSON *r = answer(model, "--json");
    CHECK(strcmp(text(r, "verdict"), "hit") == 0 && number(r, "toi") > 0.5);
    cJSON_Delete(r);
    snprintf(model, sizeof model, held, ",\"skip\":[[\"arm/forearm\",\"arm/bar\"]]");
    r = answer(model, "--json");
    CHECK(strcmp(text(r, "verdict"), "clear") == 0);
    cJSON_Delete(r);
}

/* Two triangles that turn by three radians each and stay 0.149 apart. */
TEST(links_that_never_come_near_each_other_are_clear) {
    const char *data = test_data_folder(), *modes[] = {"earliest", "any", "all"};
    if (!data) {
        test_skip("GRAZE_DATA is not set");
        return;
    }
    for (int i = 0; i < 3; i++) {
        int status =
            run_shell("\"$graze\" articulate '%s/articulated/false-hit.json' --mode %s --json", data, modes[i]);
        CHECK_MSG(status == 0 && strstr(out, "\"verdict\":\"clear\""), "%s: %s", modes[i], out);
    }
}

/* Rows of a table of a report; −1 where there is no such table. */
static int rows_of(const cJSON *report, const char *id) {
    const cJSON *table;
    cJSON_ArrayForEach(
        table,
        cJSON_GetObjectItem(report, "tables")) if (strcmp(text(table, "id"), id) ==
                                                   0) return cJSON_GetArraySize(cJSON_GetObjectItem(table, "rows"));
    return -1;
}

/* A car that meets a wall on the second of three edges, and the fields that programs read. */
TEST(edges_of_a_planner_are_measured_from_files) {
    set_up();
    write_file("lane.json", two_cubes);
    write_file("lane-edges.json",
               "{\"joints\":[\"body\"],\"short\":[[[-3],[-2]],[[-2],[1]],[[3],[2]]],\"long\":[[[-4],[-2]]]}");
    int status = run_shell("cd / && \"$graze\" bench articulated --data '%s' --out '%s' --json", path_of("."),
                           path_of("report"));
    CHECK_MSG(status == 0, "%d: %s", status, err);
    cJSON *report = cJSON_Parse(out), *row = cJSON_GetArrayItem(cJSON_GetObjectItem(report, "robots"), 0);
    CHECK(cJSON_GetArraySize(cJSON_GetObjectItem(report, "robots")) == 2);
    CHECK(rows_of(report, "articulated_growth") == 6 + 5 + 3 && rows_of(report, "articulated_pieces") == 4);
    CHECK(rows_of(report, "articulated_plans") == 1);
    CHECK(strcmp(text(row, "scene"), "lane") == 0 && strcmp(text(row, "set"), "short") == 0);
    cJSON *free = cJSON_GetObjectItem(row, "free"), *blocked = cJSON_GetObjectItem(row, "blocked");
    CHECK(number(free, "count") == 2 && number(free, "mean_us") > 0 && number(free, "median_us") > 0);
    CHECK(number(blocked, "count") == 1 && number(blocked, "mean_us") > 0 && number(row, "unresolved") == 0);
    CHECK(cJSON_GetObjectItem(row, "fcl_0.01") != NULL && cJSON_GetObjectItem(row, "fcl_0.05") != NULL);
    cJSON_Delete(report);
    write_file("lane-edges.json", "{\"joints\":[\"wheel\"],\"short\":[]}");
    status = run_shell("cd / && \"$graze\" bench articulated --data '%s' --out '%s'", path_of("."), path_of("report"));
    CHECK_MSG(status == 2 && strstr(err, "no model") && strstr(err, "'wheel'"), "%d: %s", status, err);
    write_file("lane-edges.json", "{\"joints\":[\"body\"],\"short\":[[[0],[1,2]]]}");
    status = run_shell("cd / && \"$graze\" bench articulated --data '%s' --out '%s'", path_of("."), path_of("report"));
    CHECK_MSG(status == 2 && strstr(err, "short[0][1]"), "%d: %s", status, err);
}

/* One line on stderr that holds the words, nothing on stdout, exit 2. */
static void refused(const char *model, const char *words) {
    int status = articulate(model, "--json");
    char *newline = strchr(err, '\n');
    CHECK_MSG(status == 2 && strstr(err, words) && out[0] == '\0' && newline && newline[1] == '\0',
              "%d: %s (wanted: %s)", status, err, words);
}

/* A model text with places for the kind of a joint, its motion, and which links move so: the verdict of the joint's
   motion and of a path of a free joint is `plain` for none of them and `special` for all. */
static void motions_are_heard(const char *model_of, const char *joint, const char *motion, const char *free_path,
                              const char *plain, const char *special) {
    char model[2000];
    static const char *const links[] = {"false", "true", "[\"l\"]", "[]"};
    for (int i = 0; i < 4; i++) {
        const char *expected = i == 1 || i == 2 ? special : plain;
        snprintf(model, sizeof model, model_of, joint, motion, links[i]);
        cJSON *r = answer(model, "--json");
        CHECK_MSG(strcmp(text(r, "verdict"), expected) == 0, "%s", links[i]);
        cJSON_Delete(r);
        snprintf(model, sizeof model, model_of, "free", free_path, links[i]);
        r = answer(model, "--json");
        const cJSON *segment = cJSON_GetArrayItem(cJSON_GetObjectItem(r, "segments"), 0);
        CHECK_MSG(strcmp(text(segment, "verdict"), expected) == 0, "%s", links[i]);
        cJSON_Delete(r);
    }
    snprintf(model, sizeof model, model_of, joint, motion, "[\"m\"]");
    refused(model, "no link 'm'");
}

static void viewer_refuses(const char *model, const char *words) {
    write_file("m.json", model);
    CHECK(run_shell("cd / && \"$graze\" view %s --out /dev/null", path_of("m.json")) == 2);
    CHECK(strstr(err, words) || strstr(err, "not in this program"));
}

/* From the right of a cube to its left, half around it: straight on it is in the way. */
TEST(screws_are_heard) {
    set_up();
    const char *around =
        "{\"models\":[{\"name\":\"a\",\"links\":[{\"name\":\"l\",\"joint\":{\"kind\":\"%s\"},\"mesh\":\"cube.obj\"}]},"
        "{\"name\":\"wall\",\"mesh\":\"cube.obj\"}],\"motion\":{\"a\":{%s,\"screw\":%s}}}";
    const char *planar = "\"from\":[3,0,0],\"to\":[-3,0,3]";
    motions_are_heard(around, "planar", planar, "\"path\":[[3,0,0,0,0,0],[-3,0,0,0,0,3]]", "hit", "clear");
    char model[2000];
    snprintf(model, sizeof model, around, "planar", planar, "1");
    refused(model, "true or a list");
    snprintf(model, sizeof model, around, "planar", "\"from\":[3,0,0],\"to\":[-3,0,6.283185307179586]", "true");
    refused(model, "whole number of turns");
    snprintf(model, sizeof model, around, "planar", planar, "true");
    viewer_refuses(model, "does not play screws");
}

/* From −2 to 2 rad by way of 0, where a cube is in the way, or the shorter way, around the back. */
TEST(straight_rotation_vectors_are_heard) {
    set_up();
    const char *around =
        "{\"models\":[{\"name\":\"a\",\"links\":[{\"name\":\"l\",\"joint\":{\"kind\":\"%s\"},\"meshes\":[{\"mesh\":"
        "\"cube.obj\",\"origin\":{\"position\":[5,0,0]}}]}]},{\"name\":\"wall\",\"mesh\":\"cube.obj\",\"origin\":{"
        "\"position\":[5,0,0]}}],\"motion\":{\"a\":{%s,\"rotvec\":%s}}}";
    const char *spherical = "\"from\":[0,0,-2],\"to\":[0,0,2]";
    motions_are_heard(around, "spherical", spherical, "\"path\":[[0,0,0,0,0,-2],[0,0,0,0,0,2]]", "clear", "hit");
    char model[2000];
    snprintf(model, sizeof model, around, "planar", spherical, "[\"l\"]");
    refused(model, "spherical and free joints");
    snprintf(model, sizeof model, around, "spherical", "\"from\":[0,0,-2],\"to\":[0,0,2],\"turn\":{\"l\":[0,0,1]}",
             "true");
    refused(model, "has no `turn`");
    snprintf(model, sizeof model, around, "spherical", spherical, "true");
    viewer_refuses(model, "does not play straight rotation vectors");
    CHECK(run_shell("cd / && \"$graze\" articulate %s --certificate /dev/null", path_of("m.json")) == 2 ||
          strstr(out, "hit"));
}

#define LINK(more) "{\"models\":[{\"name\":\"a\",\"links\":[{\"name\":\"l\"," more "}]}]}"

TEST(bad_files_are_one_clear_line) {
    set_up();
    refused("{\"models\":", "not JSON");
    refused("[]", "must be an object");
    refused("{}", "\"models\" is missing");
    refused("{\"models\":[{\"name\":\"a\",\"links\":[]}]}", "has no links");
    refused(LINK("\"mesh\":\"none.obj\""), "none.obj");
    refused(LINK("\"joint\":{\"kind\":\"fixed\"}"), "is empty");
    refused(LINK("\"meshes\":[]"), "is empty");
    refused(LINK("\"mesh\":\"cube.obj\",\"parent\":\"l\""), "cycle");
    refused(LINK("\"mesh\":\"cube.obj\",\"parent\":\"x\""), "does not exist");
    refused(LINK("\"mesh\":\"cube.obj\",\"joint\":{\"kind\":\"hinge\"}"), "hinge");
    refused(LINK("\"mesh\":\"cube.obj\",\"joint\":{\"kind\":\"revolute\",\"axis\":[0,0,0]}"), "axis");
    refused(LINK("\"mesh\":\"cube.obj\",\"joint\":{\"kind\":\"revolute\",\"axis\":[1e999,0,0]}"), "not finite");
    refused(LINK("\"mesh\":\"cube.obj\",\"origin\":{\"rotation\":[0,0,0,0]}"), "rotation is zero");
    refused(LINK("\"mesh\":\"cube.obj\",\"origin\":{\"rotation\":[0,0,0]}"), "4 numbers");
    refused("{\"models\":[{\"name\":\"a\",\"links\":[{\"name\":\"x\",\"parent\":\"y\",\"mesh\":\"cube.obj\"},{\"name\":"
            "\"y\","
            "\"parent\":\"x\",\"mesh\":\"cube.obj\"}]}]}",
            "cycle");
    refused("{\"models\":[{\"name\":\"a\",\"mesh\":\"cube.obj\"},{\"name\":\"a\",\"mesh\":\"cube.obj\"}]}",
            "two models");
    refused("{\"models\":[{\"name\":\"a\",\"links\":[{\"name\":\"l\",\"joint\":{\"kind\":\"revolute\"},\"mesh\":\"cube."
            "obj\"}]}],"
            "\"motion\":{\"a\":{\"from\":[NaN],\"to\":[1]}}}",
            "not JSON");
    refused("{\"models\":[{\"name\":\"a\",\"links\":[{\"name\":\"l\",\"joint\":{\"kind\":\"revolute\"},\"mesh\":\"cube."
            "obj\"}]}],"
            "\"motion\":{\"a\":{\"from\":[0],\"to\":[1e999]}}}",
            "not finite");
    refused("{\"models\":[{\"name\":\"a\",\"links\":[{\"name\":\"l\",\"joint\":{\"kind\":\"revolute\"},\"mesh\":\"cube."
            "obj\"}]}],"
            "\"motion\":{\"a\":{\"from\":[0],\"to\":[1,2]}}}",
            "list of 1 numbers");
    refused("{\"models\":[{\"name\":\"a\",\"mesh\":\"cube.obj\"}],\"motion\":{\"b\":{\"from\":[],\"to\":[]}}}",
            "no model 'b'");
    refused("{\"models\":[{\"name\":\"a\",\"mesh\":\"cube.obj\"}],\"skip\":[[\"a\",\"c\"]]}", "no link 'c'");
    CHECK(articulate(two_cubes, "--mode first") == 2 && strstr(err, "earliest, any, all"));
    CHECK(articulate(two_cubes, "--separation -1") == 2);
}

/* Every example can be written and read again; the arm's first ways are decided. */
TEST(examples_can_be_written_and_answered) {
    set_up();
    CHECK(graze("articulate --list --json") == 0);
    cJSON *list = cJSON_Parse(out);
    const cJSON *entry, *examples = cJSON_GetObjectItem(list, "examples");
    CHECK(cJSON_GetArraySize(examples) == 10);
    cJSON_ArrayForEach(entry, examples) {
        char command[1000];
        snprintf(command, sizeof command, "articulate --example %s --out %s --frames 2", text(entry, "name"),
                 path_of(text(entry, "name")));
        CHECK_MSG(graze(command) == 0, "%s", err);
    }
    cJSON_Delete(list);
    char command[1000];
    snprintf(command, sizeof command, "articulate %s --json", path_of("arm-reach/arm-reach.json"));
    CHECK_MSG(graze(command) == 0, "%s", err);
    cJSON *r = cJSON_Parse(out);
    CHECK(cJSON_GetArraySize(cJSON_GetObjectItem(r, "segments")) == 2);
    cJSON_Delete(r);
    CHECK(graze("articulate --example none --out x") == 2 && strstr(err, "no example 'none'"));
    CHECK(graze("articulate --example walk") == 2 && strstr(err, "--out"));
}

/* ---- URDF ---- */

static const char *const urdf =
    "<?xml version=\"1.0\"?><robot name=\"r\"><link name=\"base\"><collision><geometry><box size=\"0.2 0.2 "
    "0.2\"/></geometry>"
    "</collision></link><link name=\"arm\"><collision><origin xyz=\"0.5 0 0\" rpy=\"0 1.5707963267948966 "
    "0\"/><geometry>"
    "<cylinder radius=\"0.05\" length=\"0.8\"/></geometry></collision><collision><origin xyz=\"1 0 "
    "0\"/><geometry><sphere "
    "radius=\"0.1\"/></geometry></collision></link><link name=\"tool\"><collision><geometry><mesh "
    "filename=\"package://parts/cube.obj\" scale=\"0.1 0.1 0.1\"/></geometry></collision></link><link name=\"finger\"/>"
    "<joint name=\"turn\" type=\"continuous\"><parent link=\"base\"/><child link=\"arm\"/><axis xyz=\"0 0 1\"/></joint>"
    "<joint name=\"slide\" type=\"prismatic\"><parent link=\"arm\"/><child link=\"tool\"/><origin xyz=\"1.2 0 "
    "0\"/></joint>"
    "<joint name=\"follow\" type=\"revolute\"><parent link=\"tool\"/><child link=\"finger\"/><axis xyz=\"0 1 "
    "0\"/><mimic "
    "joint=\"turn\" multiplier=\"2\" offset=\"0.5\"/></joint></robot>";

static const char *const robot = "{\"models\":[{\"name\":\"r\",\"urdf\":\"r.urdf\",\"packages\":{\"parts\":\".\"}%s},{"
                                 "\"name\":\"post\",\"mesh\":\"cube.obj\","
                                 "\"origin\":{\"position\":[0,%s,0]}}],\"motion\":{\"r\":{\"from\":{\"turn\":0},\"to\":"
                                 "{\"turn\":1.5707963267948966,\"slide\":0.1}}}}";

TEST(a_urdf_robot_moves_as_its_joints_say) {
    set_up();
    write_file("r.urdf", urdf);
    char model[1000];
    snprintf(model, sizeof model, robot, "", "9");
    cJSON *r = answer(model, "--json");
    CHECK(strcmp(text(r, "verdict"), "clear") == 0);
    cJSON_Delete(r);
    /* at the end the tool's cube ends at y = 1.2 + 0.1 + 0.05 */
    snprintf(model, sizeof model, robot, "", "1.86");
    r = answer(model, "--json");
    CHECK(strcmp(text(r, "verdict"), "clear") == 0);
    cJSON_Delete(r);
    snprintf(model, sizeof model, robot, "", "1.84");
    r = answer(model, "--json");
    CHECK(strcmp(text(r, "verdict"), "hit") == 0 && number(r, "toi") > 0.8);
    cJSON_Delete(r);
    /* the same cube as COLLADA in centimetres, turned and moved by its scene: 0.1 m wide around x = 0.2 */
    write_file(
        "c.dae",
        "<COLLADA><asset><unit meter=\"0.01\"/></asset><library_geometries><geometry id=\"g\"><mesh><source id=\"p\">"
        "<float_array>-5 -5 -5 5 -5 -5 -5 5 -5 5 5 -5 -5 -5 5 5 -5 5 -5 5 5 5 5 5</float_array></source><vertices "
        "id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices><polylist><input semantic=\"VERTEX\" "
        "source=\"#v\" offset=\"0\"/><input semantic=\"NORMAL\" source=\"#n\" offset=\"1\"/><vcount>4 4 4 4 4 "
        "4</vcount>"
        "<p>0 0 2 0 3 0 1 0 4 0 5 0 7 0 6 0 0 0 1 0 5 0 4 0 2 0 6 0 7 0 3 0 0 0 4 0 6 0 2 0 1 0 3 0 7 0 5 0</p>"
        "</polylist></mesh></geometry></library_geometries><library_visual_scenes><visual_scene><node><translate>20 0 "
        "0</translate><rotate>0 0 1 90</rotate><instance_geometry url=\"#g\"/></node></visual_scene>"
        "</library_visual_scenes></COLLADA>");
    r = answer(
        "{\"models\":[{\"name\":\"a\",\"links\":[{\"name\":\"l\",\"joint\":{\"kind\":\"prismatic\",\"axis\":[1,0,0]},"
        "\"mesh\":\"c.dae\"}]},{\"name\":\"wall\",\"mesh\":\"cube.obj\"}],\"motion\":{\"a\":{\"from\":[-2],\"to\":[0]}}"
        "}",
        "--json");
    CHECK(number(r, "toi") <= 0.625 && number(r, "toi") > 0.625 - 1e-9); /* 0.25 − 2 + 2t = −0.5 */
    cJSON_Delete(r);
    write_file("r.srdf", "<robot name=\"r\"><disable_collisions link1=\"base\" link2=\"tool\"/></robot>");
    snprintf(model, sizeof model, robot, ",\"srdf\":\"r.srdf\"", "9");
    cJSON_Delete(answer(model, "--json"));
    write_file("r.srdf", "<robot name=\"r\"><disable_collisions link1=\"base\" link2=\"hand\"/></robot>");
    refused(model, "unknown link");
    write_file("r.urdf", "<robot><link name=\"a\"/><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child "
                         "link=\"b\"/></joint></robot>");
    refused(model, "no link 'b'");
    write_file("r.urdf", "<robot><link");
    refused(model, "not XML");
}

/* Each line says which file, which line and why. */
TEST(keys_that_are_unknown_or_exclude_each_other_are_refused) {
    set_up();
#define ONE "{\"name\":\"a\",\"links\":[{\"name\":\"l\",\"joint\":{\"kind\":\"revolute\"},\"mesh\":\"cube.obj\"}]}"
    refused("{\"models\":[" ONE "],\n\"seperation\":1}",
            "m.json:2: unknown key \"seperation\": did you mean \"separation\"?");
    refused(LINK("\"mesh\":\"cube.obj\",\"joint\":{\"kind\":\"revolute\",\"axix\":[0,0,1]}"),
            "unknown key \"axix\": did you mean \"axis\"?");
    refused(LINK("\"mesh\":\"cube.obj\",\"orgin\":{}"), "did you mean \"origin\"?");
    refused(LINK("\"mesh\":\"cube.obj\",\"origin\":{\"postion\":[0,0,0]}"), "did you mean \"position\"?");
    refused(LINK("\"meshes\":[{\"mesh\":\"cube.obj\",\"Scale\":[1,1,1]}]"), "did you mean \"scale\"?");
    refused("{\"models\":[{\"name\":\"a\",\"mesh\":\"cube.obj\",\"joint\":{}}]}", "unknown key \"joint\"");
    refused("{\"models\":[{\"name\":\"a\",\"mesh\":\"cube.obj\",\"name\":\"b\"}]}", "is there twice");
    refused("{\"models\":[{\"name\":\"a\",\"urdf\":\"r.urdf\",\"links\":[]}]}", "beside \"urdf\"");
    refused("{\"models\":[{\"name\":\"a\",\"urdf\":\"r.urdf\",\"mesh\":\"cube.obj\"}]}", "beside \"urdf\"");
    refused("{\"models\":[{\"name\":\"a\",\"mesh\":\"cube.obj\",\"links\":[]}]}", "beside \"links\"");
    static const struct {
        const char *motion, *words;
    } motions[] = {{"{\"a\":{\"from\":[0],\"to\":[1],\"path\":[[0],[1]]}}", "beside \"path\""},
                   {"{\"a\":{\"path\":[[0],[1]],\"turn\":{}}}", "beside \"path\""},
                   {"{\"a\":{\"cubic\":[[0,0,0,0]],\"to\":[1]}}", "beside \"cubic\""},
                   {"{\"a\":{\"form\":[0],\"to\":[1]}}", "did you mean \"from\"?"},
                   {"{\"a\":{\"from\":[0]}}", "\"to\" is missing"},
                   {"{\"a\":{}}", "\"from\" is missing"},
                   {"{\"a\":[1]}", "motion.a: must be an object"},
                   {"{\"a\":1}", "must be an object"},
                   {"[1]", "motion: must be an object"},
                   {"[]", "motion: must be an object"},
                   {"\"x\"", "must be an object"},
                   {"{\"a\":{\"from\":[0],\"to\":[1],\"turn\":[[1,2,3]]}}", "turn: must be an object"},
                   {"{\"a\":{\"from\":[0],\"to\":[1],\"turn\":{\"m\":[1,2,3]}}}", "no link 'm'"},
                   {"{\"a\":{\"from\":[0],\"to\":[1],\"turn\":{\"l\":[1,2]}}}", "list of 3 numbers"},
                   {"{\"a\":{\"from\":[0],\"to\":[1],\"screw\":[7]}}", "must be a text"},
                   {"{\"a\":{\"from\":[0],\"to\":[true]}}", "must be a number"},
                   {"{\"a\":{\"from\":{\"l\":\"0\"},\"to\":[1]}}", "list of 1 numbers"},
                   {"{\"a\":{\"from\":{\"k\":0},\"to\":[1]}}", "no joint 'k'"},
                   {"{\"a\":{\"path\":[[0]]}}", "two poses"},
                   {"{\"a\":{\"path\":{\"x\":1}}}", "must be a list"},
                   {"{\"a\":{\"cubic\":{\"x\":1}}}", "must be a list of 1"}};
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
        char model[1000];
        snprintf(model, sizeof model, "{\"models\":[" ONE "],\"motion\":%s}", motions[i].motion);
        refused(model, motions[i].words);
    }
    refused("{\"models\":[" ONE "],\"skip\":\"m\"}", "skip: must be a list");
    refused("{\"models\":[" ONE "],\"skip\":{\"a\":\"b\"}}", "skip: must be a list");
    refused("{\"models\":[" ONE "],\"skip\":[\"a\",\"a/l\"]}", "skip[0]: must be a pair");
    refused("{\"models\":[" ONE "],\"skip\":[[\"a\",1]]}", "skip[0][1]: must be a text");
    refused("{\"models\":[" ONE "],\"separation\":-1}", "is negative");
    refused("{\"models\":[" ONE "],\"tolerance\":\"1\"}", "must be a number");
    refused("{\"models\":{\"name\":\"a\"}}", "models: must be a list");
    refused("{\"models\":[[1]]}", "models[0]: must be an object");
    refused("{\"models\":[{\"name\":\"a\",\"urdf\":\"r.urdf\",\"packages\":[\"p\"]}]}", "packages: must be an object");
    refused("{\"models\":[{\"name\":\"a\",\"urdf\":\"r.urdf\",\"packages\":{\"p\":1}}]}", "must be a text");
    refused("{\"models\":[{\"name\":\"a\",\"urdf\":[\"p\"]}]}", "urdf: must be a text");
    refused("{\"models\":[{\"name\":\"a\",\"links\":{\"name\":1}}]}", "links: must be a list");
    refused(LINK("\"mesh\":[\"cube.obj\"]"), "mesh: must be a text");
    refused(LINK("\"meshes\":{\"mesh\":\"cube.obj\"}"), "meshes: must be a list");
    refused(LINK("\"mesh\":null,\"parent\":1"), "parent: must be a text");
    refused(LINK("\"mesh\":null,\"joint\":[\"fixed\"]"), "joint: must be an object");
    refused(LINK("\"mesh\":\"/dev/zero\""), "not a regular file");
    CHECK(run_shell("rm -f fifo.obj && mkfifo fifo.obj") == 0);
    refused(LINK("\"mesh\":\"fifo.obj\""), "not a regular file");
}

TEST(a_model_may_come_by_a_pipe) {
    set_up();
    write_file("piped.json", "{\"models\":[{\"name\":\"wall\",\"mesh\":null}]}");
    CHECK_MSG(run_shell("cat piped.json | \"$graze\" articulate /dev/stdin --json") == 0, "%s", err);
}

/* ---- URDF that is wrong ---- */

static void refused_urdf(const char *text, const char *words) {
    write_file("bad.urdf", text);
    refused("{\"models\":[{\"name\":\"r\",\"urdf\":\"bad.urdf\"}]}", words);
}

static void taken_urdf(const char *text) {
    write_file("good.urdf", text);
    int status = articulate("{\"models\":[{\"name\":\"r\",\"urdf\":\"good.urdf\"}]}", "--json");
    CHECK_MSG(status == 0, "%s: %s", text, err);
}

#define SHAPE(shape)                                                                                                   \
    "<robot name=\"r\">\n<link name=\"a\"><collision><geometry>" shape "</geometry></collision></link></robot>"
#define JOINT(inside)                                                                                                  \
    "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"revolute\"><parent link=\"a\"/>"   \
    "<child link=\"b\"/>" inside "</joint></robot>"

TEST(urdf_numbers_are_read_strictly) {
    set_up();
    taken_urdf(SHAPE("<sphere radius=\" 1.5e-1 \"/>"));
    static const char *const bad[] = {"1,5", "1.5e", "1.5x", "", " ", "nan", "inf", "0x1", "1 2", "-1", "1e999", "--1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[400];
        snprintf(text, sizeof text, SHAPE("<sphere radius=\"%s\"/>"), bad[i]);
        refused_urdf(text, "bad.urdf:2: radius=");
        snprintf(text, sizeof text, SHAPE("<cylinder radius=\"1\" length=\"%s\"/>"), bad[i]);
        refused_urdf(text, "bad.urdf:2: length=");
        snprintf(text, sizeof text, SHAPE("<box size=\"1 1 %s\"/>"), bad[i]);
        refused_urdf(text, "bad.urdf:2: size=");
        if (strcmp(bad[i], "-1") == 0) continue;
        snprintf(text, sizeof text, JOINT("<origin xyz=\"0 0 %s\"/>"), bad[i]);
        refused_urdf(text, "xyz=");
        snprintf(text, sizeof text, JOINT("<axis xyz=\"%s 0 0\"/>"), bad[i]);
        refused_urdf(text, "xyz=");
        snprintf(text, sizeof text, JOINT("<limit lower=\"%s\" upper=\"1\"/>"), bad[i]);
        refused_urdf(text, "lower=");
    }
    refused_urdf(SHAPE("<sphere/>"), "<sphere> without radius");
}

TEST(urdf_that_is_unknown_where_it_matters_is_refused) {
    set_up();
    refused_urdf(SHAPE("<cone radius=\"1\" length=\"1\"/>"), "<cone>: a shape is one mesh");
    refused_urdf(SHAPE("<sphere radius=\"1\"/><sphere radius=\"2\"/>"), "a shape is one");
    refused_urdf(SHAPE("<x:sphere radius=\"1\"/>"), "<x:sphere>: a shape is one mesh");
    refused_urdf(SHAPE("<sphere radius=\"1\"><x:scale/></sphere>"), "unknown element <x:scale>");
    taken_urdf("<robot><link name=\"a\"><collision><sdf resolution=\"9\"/><x:stiff/><x:stiff/><geometry>"
               "<mesh filename=\"cube.obj\"><x:convex/></mesh></geometry></collision></link></robot>");
    refused_urdf(SHAPE("<sphere raduis=\"1\"/>"), "did you mean \"radius\"?");
    refused_urdf(SHAPE(""), "no geometry");
    refused_urdf(JOINT("<origin xyz=\"0 0 0\" quat=\"1 0 0 0\"/>"), "unknown attribute \"quat\"");
    refused_urdf(JOINT("<orgin xyz=\"0 0 1\"/>"), "did you mean <origin>?");
    refused_urdf(JOINT("<origin xyz=\"0 0 1\"/><origin xyz=\"0 0 2\"/>"), "a second <origin>");
    refused_urdf(JOINT("<limits lower=\"1\"/>"), "did you mean <limit>?");
    refused_urdf(JOINT("<Axis xyz=\"1 0 0\"/>"), "did you mean <axis>?");
    refused_urdf(JOINT("<limit lowr=\"1\"/>"), "did you mean \"lower\"?");
    refused_urdf(JOINT("<limit><lower/></limit>"), "unknown element <lower>");
    refused_urdf(JOINT("<mimic joint=\"j\" multiplyer=\"1\"/>"), "did you mean \"multiplier\"?");
    refused_urdf(JOINT("<mimic joint=\"j\"/>"), "mimics itself");
    refused_urdf(JOINT("<mimic joint=\"k\"/>"), "no joint 'k'");
    refused_urdf("<robot><link name=\"a\"><colision/></link></robot>", "did you mean <collision>?");
    refused_urdf("<robot><link name=\"a\"/><Link name=\"b\"/></robot>", "did you mean <link>?");
    refused_urdf("<robot><link name=\"a\"/><link name=\"a\"/></robot>", "two links 'a'");
    taken_urdf("<robot><link name=\"a\"><visual><cone/></visual></link><gazebo><x/></gazebo></robot>");
    taken_urdf(JOINT(
        "<controller_gains kp=\"1\"/><traits/><traits/><anchor xyz=\"1 2 3\"/><joint_properties damping=\"1\"/>"));
    taken_urdf(JOINT("<limit effort=\"1\" velocity=\"2\" maker_effort=\"3\"/>"));
}

TEST(xacro_is_refused_with_how_to_expand_it) {
    set_up();
#define XACRO "expand it first: xacro robot.xacro > robot.urdf"
    refused_urdf("<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\"><link name=\"a\"/>\n<xacro:if value=\"1\">"
                 "<link name=\"b\"/></xacro:if></robot>",
                 "bad.urdf:2: <xacro:if>: this is xacro; " XACRO);
    refused_urdf("<robot xmlns:x=\"http://www.ros.org/wiki/xacro\"><link name=\"a\"><x:macro/></link></robot>", XACRO);
    refused_urdf("<robot><link name=\"${prefix}a\"/></robot>", XACRO);
    refused_urdf(SHAPE("<mesh filename=\"$(find parts)/a.obj\"/>"), XACRO);
    taken_urdf("<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\"><link name=\"a\"/></robot>");
}

TEST(a_prologue_may_be_odd_but_a_doctype_is_refused) {
    set_up();
#define PLAIN "<robot name=\"r\"><link name=\"a\"/></robot>"
    static const char *const good[] = {"<?xml version=\"0.0\"?>" PLAIN,
                                       "<?xml version=\"1\"?>\n" PLAIN,
                                       "\n  \n<?xml version=\"1.0\"?>\n" PLAIN,
                                       "\xef\xbb\xbf" PLAIN,
                                       "\xef\xbb\xbf\n<?xml version=\"1.0\" encoding=\"utf8\"?>" PLAIN,
                                       "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><!-- \xe9 -->" PLAIN,
                                       "<!-- first -->" PLAIN};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) taken_urdf(good[i]);
    refused_urdf("\n<?xml version=\"1.0\"?>\n\n<robot><link name=\"a\"/></robt>", "bad.urdf:4: not XML");
    refused_urdf("<?xml version=\"1.0\"?>\n<!DOCTYPE r [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>"
                 "<robot name=\"&b;\"/>",
                 "bad.urdf:2: a DOCTYPE");
    refused_urdf("<!DOCTYPE robot>" PLAIN, "a DOCTYPE");
    refused_urdf("<robot name=\"&a;\"/>", "not XML");
    refused_urdf("\xff\xfe<\0r\0", "UTF-16");
    refused_urdf("", "not XML");
    refused_urdf("<model/>", "not a <robot>");
    refused("{\"models\":[{\"name\":\"r\",\"urdf\":\"none.urdf\"}]}", "none.urdf: cannot open");
    refused("{\"models\":[{\"name\":\"r\",\"urdf\":\"/dev/zero\"}]}", "not a regular file");
    char *deep = malloc(5000);
    strcpy(deep, "<robot>");
    for (int i = 0; i < 300; i++) strcat(deep, "<a>");
    refused_urdf(deep, "more than 200 levels");
    free(deep);
}

/* ---- COLLADA that is wrong ---- */

static void dae(const char *input, const char *vcount, const char *p) {
    char text[1500];
    snprintf(
        text, sizeof text,
        "<COLLADA><library_geometries><geometry id=\"g\"><mesh><source id=\"s\"><float_array>0 0 0 1 0 0 0 1 0 0 0 1"
        "</float_array></source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#s\"/></vertices>"
        "<polylist><input semantic=\"VERTEX\" "
        "source=\"#v\"%s/><vcount>%s</vcount><p>%s</p></polylist></mesh></geometry>"
        "</library_geometries><library_visual_scenes><visual_scene><node><instance_geometry url=\"#g\"/></node>"
        "</visual_scene></library_visual_scenes></COLLADA>",
        input, vcount, p);
    write_file("c.dae", text);
}

TEST(collada_indices_stay_within_their_arrays) {
    set_up();
    const char *model = "{\"models\":[{\"name\":\"a\",\"mesh\":\"c.dae\"}]}";
    dae("", "3 3", "0 1 2 0 2 3");
    cJSON_Delete(answer(model, "--json"));
    dae(" offset=\"1\"", "3", "9 0 9 1 9 2");
    cJSON_Delete(answer(model, "--json"));
    static const char *const offsets[] = {
        "18446744073709551615", "123456789", "4611686018427387904", "256", "-1", "x", "1.0"};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        char input[100];
        snprintf(input, sizeof input, " offset=\"%s\"", offsets[i]);
        dae(input, "3", "0 1 2");
        refused(model, "offset");
    }
    static const struct {
        const char *vcount, *p, *words;
    } cases[] = {{"9223372036854775808", "0 1 2", "not a whole number"},
                 {"9223372036854775807", "0 1 2", "too few indices"},
                 {"4611686018427387904 3", "0 1 2", "too few indices"},
                 {"4", "0 1 2", "too few indices"},
                 {"3", "0 1 4", "names no position"},
                 {"3", "0 1 -1", "not a whole number"},
                 {"3", "0 1 4294967296", "names no position"},
                 {"3", "0 1 1e0", "not a whole number"},
                 {"-3", "0 1 2", "not a whole number"},
                 {"3", "0 1 2,0", "not a whole number"},
                 {"2", "0 1", "no triangles"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dae("", cases[i].vcount, cases[i].p);
        refused(model, cases[i].words);
    }
}

/* 90 levels of nodes that each hold the next one twice, and many instances of one geometry: neither is followed. */
TEST(collada_instances_have_a_budget) {
    set_up();
    const char *model = "{\"models\":[{\"name\":\"a\",\"mesh\":\"c.dae\"}]}";
    char *text = malloc(20000), *at = text;
    at += sprintf(at, "<COLLADA><library_nodes>");
    for (int i = 0; i < 90; i++)
        at += sprintf(at, "<node id=\"n%d\"><instance_node url=\"#n%d\"/><instance_node url=\"#n%d\"/></node>", i,
                      i + 1, i + 1);
    sprintf(at, "<node id=\"n90\"/></library_nodes><library_visual_scenes><visual_scene><instance_node url=\"#n0\"/>"
                "</visual_scene></library_visual_scenes></COLLADA>");
    write_file("c.dae", text);
    refused(model, "more than 100000 instances");
    write_file("c.dae",
               "<COLLADA><library_visual_scenes><visual_scene id=\"v\"><instance_node url=\"#v\"/></visual_scene>"
               "</library_visual_scenes></COLLADA>");
    refused(model, "more than 100 levels");
    write_file("c.dae", "<COLLADA><library_visual_scenes><visual_scene><instance_node url=\"#w\"/></visual_scene>"
                        "</library_visual_scenes></COLLADA>");
    refused(model, "refers to nothing");
    free(text);
}

/* ---- large files ---- */

/* Seconds of a processor. */
static double time_to_answer(const char *model) {
    write_file("large.json", model);
    double before = processor_seconds_of_commands();
    int status = run("articulate large.json --json --mode any");
    CHECK_MSG(status == 0, "%d: %s", status, err);
    return processor_seconds_of_commands() - before;
}

static double time_of_path(char *text, int poses) {
    char *at = text;
    at += sprintf(
        at, "{\"models\":[{\"name\":\"a\",\"links\":[{\"name\":\"l\",\"joint\":{\"kind\":\"free\"},\"mesh\":null}]},"
            "{\"name\":\"b\",\"mesh\":null}],\"motion\":{\"a\":{\"path\":[");
    for (int i = 0; i < poses; i++) at += sprintf(at, "%s[%d,0,0,0,0,0]", i ? "," : "", i);
    strcpy(at, "]}}}");
    return time_to_answer(text);
}

static double time_of_skips(char *text, int links) {
    char *at = text + sprintf(text, "{\"models\":[{\"name\":\"a\",\"links\":[");
    for (int i = 0; i < links; i++) at += sprintf(at, "%s{\"name\":\"link number %d\",\"mesh\":null}", i ? "," : "", i);
    at += sprintf(at, "]}],\"skip\":[");
    for (int i = 0; i < 50 * links; i++)
        at += sprintf(at, "%s[\"a/link number %d\",\"a/link number %d\"]", i ? "," : "", i % links, i / 50);
    strcpy(at, "]}");
    return time_to_answer(text);
}

static double time_of_chain(char *text, int links) {
    char *at = text + sprintf(text, "<robot name=\"r\"><link name=\"l0\"/>");
    for (int i = 1; i < links; i++)
        at += sprintf(
            at,
            "<link name=\"l%d\"/><joint name=\"j%d\" type=\"revolute\"><parent link=\"l%d\"/><child link=\"l%d\"/>"
            "%s</joint>",
            i, i, i - 1, i, i > 1 ? "<mimic joint=\"j1\"/>" : "");
    strcpy(at, "</robot>");
    write_file("chain.urdf", text);
    return time_to_answer("{\"models\":[{\"name\":\"r\",\"urdf\":\"chain.urdf\"}]}");
}

/* Four times as much takes four times as long, on any machine, and sixteen times where a list is looked through for
   each of its entries. */
TEST(long_paths_many_links_and_many_skips_are_read_in_proportion_to_their_size) {
    set_up();
    char *text = malloc(60000000);
    static double (*const times[])(char *, int) = {time_of_path, time_of_skips, time_of_chain};
    static const int most[] = {120000, 8000, 60000};
    for (int i = 0; i < 3; i++) {
        double quarter = INFINITY, whole = INFINITY;
        for (int run = 0; run < 3; run++) { /* the least of them has the least of other programs in it */
            quarter = fmin(quarter, times[i](text, most[i] / 4));
            whole = fmin(whole, times[i](text, most[i]));
        }
        printf("    %.3f s and %.3f s\n", quarter, whole);
        CHECK_MSG(whole < 12 * quarter, "%g s, %g s for four times as much", quarter, whole);
    }
    free(text);
}

/* A carriage of one link on a slide along x, and a ball of radius 0.25 at (2, 0.1, 0). */
#define CARRIAGE(shapes)                                                                                               \
    "{\"models\":[{\"name\":\"car\",\"links\":[{\"name\":\"body\",\"joint\":{\"kind\":\"prismatic\",\"axis\":[1,0,0]}" \
    ","                                                                                                                \
    "\"shapes\":[" shapes "]}]},{\"name\":\"ball\",\"shapes\":[{\"kind\":\"sphere\",\"radius\":0.25}],\"origin\":{"    \
    "\"position\":[2,0.1,0]}}],\"motion\":{\"car\":{\"from\":[-1],\"to\":[3]}}}"

static void hits_at(const char *model, double place) {
    cJSON *r = answer(model, "--json");
    double expected = (place + 1) / 4, toi = number(r, "toi");
    CHECK_MSG(strcmp(text(r, "verdict"), "hit") == 0 && toi <= expected + 1e-12 && toi > expected - 1e-6,
              "%.17g of %.17g", toi, expected);
    cJSON *links = cJSON_GetObjectItem(r, "links");
    for (int i = 0; i < 2; i++) {
        const cJSON *link = cJSON_GetArrayItem(links, i);
        CHECK(strcmp(text(link, "link"), strcmp(text(link, "model"), "car") == 0 ? "body" : "ball") == 0);
    }
    cJSON_Delete(r);
}

TEST(shapes_of_a_link_touch_where_closed_formulas_say) {
    set_up();
    hits_at(CARRIAGE("{\"kind\":\"sphere\",\"radius\":0.2}"), 2 - sqrt(0.45 * 0.45 - 0.01));
    hits_at(CARRIAGE("{\"kind\":\"capsule\",\"radius\":0.2,\"length\":1}"), 2 - sqrt(0.45 * 0.45 - 0.01));
    hits_at(CARRIAGE("{\"kind\":\"box\",\"size\":[1,1,1],\"radius\":0.1}"), 2 - 0.5 - 0.35);
    hits_at(CARRIAGE("{\"kind\":\"hull\",\"mesh\":\"cube.obj\",\"radius\":0.1}"), 2 - 0.5 - 0.35);
    hits_at(CARRIAGE("{\"kind\":\"points\",\"points\":[[0,0,0],[0.5,0.1,0]],\"radius\":0.1}"), 2 - 0.5 - 0.35);
    hits_at(CARRIAGE("{\"kind\":\"height_map\",\"heights\":[[1,1],[1,1]],\"floor\":-1,\"origin\":{\"position\":"
                     "[-1,-0.5,0]}}"),
            2 - 0.25);
    cJSON *r = answer(CARRIAGE("{\"kind\":\"cylinder\",\"radius\":0.2,\"length\":1}"), "--json");
    double exact = (3 - sqrt(0.45 * 0.45 - 0.01)) / 4;
    CHECK(number(r, "toi") <= exact && number(r, "toi") > exact - 0.2 * 0x1p-10);
    cJSON_Delete(r);
    /* each with a radius of its own: the far end decides, and no other is grown by it */
    hits_at(CARRIAGE("{\"kind\":\"sphere\",\"radius\":0.6},{\"kind\":\"box\",\"size\":[2,1,1]}"), 2 - 1 - 0.25);
    hits_at(CARRIAGE("{\"kind\":\"box\",\"size\":[0.2,1,1]},{\"kind\":\"sphere\",\"radius\":0.6},"
                     "{\"kind\":\"sphere\",\"radius\":0.1,\"origin\":{\"position\":[0.8,0.1,0]}}"),
            2 - 0.8 - 0.35);
}

/* A carriage of a URDF, and the ball at (2, y, 0). */
static const char *urdf_carriage(const char *shapes, const char *y) {
    static char text[1200];
    snprintf(text, sizeof text,
             "<robot name=\"car\"><link name=\"base\"/><link name=\"body\">%s</link><joint name=\"x\" "
             "type=\"prismatic\"><parent link=\"base\"/><child link=\"body\"/><axis xyz=\"1 0 0\"/></joint></robot>",
             shapes);
    write_file("round.urdf", text);
    snprintf(text, sizeof text,
             "{\"models\":[{\"name\":\"car\",\"urdf\":\"round.urdf\"},{\"name\":\"ball\",\"shapes\":[{\"kind\":"
             "\"sphere\",\"radius\":0.25}],\"origin\":{\"position\":[2,%s,0]}}],\"motion\":{\"car\":{\"from\":"
             "{\"x\":-1},\"to\":{\"x\":3}}}}",
             y);
    return text;
}

#define COLLISION(x, shape) "<collision><origin xyz=\"" #x " 0 0\"/><geometry>" shape "</geometry></collision>"

/* Links of several radii have a proof, too. */
TEST(shapes_of_urdf_touch_where_closed_formulas_say) {
    static const char *const three = COLLISION(0, "<sphere radius=\"0.2\"/>") COLLISION(0.5, "<sphere radius=\"0.1\"/>")
        COLLISION(0, "<box size=\"0.1 0.1 0.1\"/>");
    set_up();
    hits_at(urdf_carriage(COLLISION(0, "<sphere radius=\"0.2\"/>"), "0.1"), 2 - sqrt(0.45 * 0.45 - 0.01));
    hits_at(urdf_carriage(COLLISION(0, "<capsule radius=\"0.2\" length=\"1\"/>"), "0.1"), 2 - sqrt(0.45 * 0.45 - 0.01));
    hits_at(urdf_carriage(three, "0.1"), 2 - 0.5 - sqrt(0.35 * 0.35 - 0.01));
    char options[300];
    snprintf(options, sizeof options, "--certificate %s", path_of("p.json"));
    CHECK(articulate(urdf_carriage(three, "0.46"), options) == 0 && strstr(out, "clear"));
    CHECK_MSG(run("verify p.json") == 0, "%s%s", out, err);
}

/* Two links whose shapes of several radii overlap at the joint between them. */
#define PARTS(skip)                                                                                                    \
    "{\"models\":[{\"name\":\"arm\",\"links\":[{\"name\":\"a\",\"joint\":{\"kind\":\"revolute\"},\"shapes\":["         \
    "{\"kind\":\"sphere\",\"radius\":0.2},{\"kind\":\"box\",\"size\":[0.1,0.1,0.1]}]},{\"name\":\"b\",\"parent\":"     \
    "\"a\",\"joint\":{\"kind\":\"revolute\"},\"shapes\":[{\"kind\":\"sphere\",\"radius\":0.3},{\"kind\":\"box\","      \
    "\"size\":[0.2,0.2,0.2]}]},{\"name\":\"c\",\"parent\":\"b\",\"joint\":{\"kind\":\"revolute\"},\"shapes\":["        \
    "{\"kind\":\"sphere\",\"radius\":0.1},{\"kind\":\"box\",\"size\":[0.3,0.3,0.3]}]}]}],\"skip\":[" skip "],"         \
    "\"motion\":{\"arm\":{\"from\":[0,0,0],\"to\":[1,1,1]}}}"

TEST(shapes_of_several_radii_are_left_out_as_their_links_are) {
    set_up();
    cJSON *r = answer(PARTS(""), "--json"); /* a and c overlap: no joint connects them */
    CHECK(strcmp(text(r, "verdict"), "hit") == 0 && number(r, "toi") == 0);
    cJSON_Delete(r);
    r = answer(PARTS("[\"arm/a\",\"arm/c\"]"), "--json");
    CHECK(strcmp(text(r, "verdict"), "clear") == 0);
    cJSON_Delete(r);
}

TEST(bad_shapes_are_refused) {
    set_up();
    refused(CARRIAGE("{\"kind\":\"sphare\",\"radius\":1}"), "no shape is called 'sphare'");
    refused(CARRIAGE("{\"kind\":\"sphere\",\"radios\":1}"), "radius");
    refused(CARRIAGE("{\"kind\":\"sphere\"}"), "\"radius\" is missing");
    refused(CARRIAGE("{\"kind\":\"sphere\",\"radius\":-1}"), "must not be negative");
    refused(CARRIAGE("{\"kind\":\"capsule\",\"radius\":1}"), "\"length\" is missing");
    refused(CARRIAGE("{\"kind\":\"box\",\"size\":[1,1]}"), "size");
    refused(CARRIAGE("{\"kind\":\"box\",\"size\":[1,1,-1]}"), "not of lengths");
    refused(CARRIAGE("{\"kind\":\"hull\"}"), "one of");
    refused(CARRIAGE("{\"kind\":\"hull\",\"points\":[[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}"), "one plane");
    refused(CARRIAGE("{\"kind\":\"hull\",\"mesh\":\"none.obj\"}"), "none.obj");
    refused(CARRIAGE("{\"kind\":\"points\",\"points\":[],\"radius\":1}"), "no points");
    refused(CARRIAGE("{\"kind\":\"height_map\",\"heights\":[[1,1],[1]],\"floor\":0}"), "heights");
    refused(CARRIAGE("{\"kind\":\"height_map\",\"heights\":[[1,1],[1,0]],\"floor\":0}"), "not above the floor");
    refused(CARRIAGE("3"), "must be an object");
    refused("{\"models\":[{\"name\":\"a\",\"shapes\":{}}]}", "list");
}

int main(int argc, char **argv) { return run_program_tests(argc, argv); }
