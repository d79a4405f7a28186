/* Reads NAME.json and NAME-edges.json for `graze bench articulated --data`. */
#include "cli/robots/edges.h"

#include "app/folders.h"
#include "cli/made_models.h"

#include "io/file.h"
#include "io/json_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char ending[] = "-edges.json";

/* Both files while they are read, the models for as long as they are measured. */
typedef struct edge_files {
    char *edges_path, *model_path;
    io_json_file json;
    io_error error;
    cli_model_file model;
    size_t robot;          /* that moves */
    const io_json *joints; /* names, in the order of the poses */
    graze_context *context;
} edge_files;

static void ok(const edge_files *files, bool good) {
    if (!good) app_fail("%s", files->error.message);
}

static void parse(edge_files *files) {
    char *bytes;
    size_t size;
    ok(files, io_read_file(files->edges_path, &bytes, &size, &files->error));
    io_source source = {.name = files->edges_path, .bytes = bytes, .size = size};
    ok(files, io_json_parse(source, &files->json, &files->error));
    free(bytes);
}

static void read_joints(edge_files *files) {
    const char *name;
    ok(files, io_json_need(&files->json, files->json.root, "joints", &files->joints) &&
                  io_json_list(&files->json, files->joints));
    if (files->joints->count == 0) ok(files, io_json_fail(&files->json, files->joints, "has no names"));
    for (size_t i = 0; i < files->joints->count; i++)
        ok(files, io_json_text(&files->json, &files->joints->items[i], &name));
}

static const robot_tree *tree_of(const edge_files *files) { return &files->model.read.trees[files->robot]; }

/* The first model that has the first joint. */
static void find_robot(edge_files *files) {
    const char *name = files->joints->items[0].text;
    for (size_t i = 0; i < files->model.read.count; i++)
        if (robot_find_joint(&files->model.read.trees[i], name) >= 0) {
            files->robot = i;
            return;
        }
    app_fail("%s: no model of %s has a joint '%s'", files->edges_path, files->model_path, name);
}

static const robot_link *joint_at(const edge_files *files, size_t index) {
    const io_json *name = &files->joints->items[index];
    int32_t found = robot_find_joint(tree_of(files), name->text);
    const robot_link *link = found < 0 ? NULL : &tree_of(files)->links[found];
    if (!link || robot_joint_values(link->kind) != 1 || link->mimic >= 0)
        ok(files, io_json_fail(&files->json, name, "no joint '%.100s' takes one value", name->text));
    return link;
}

/* Values of all joints: those that are named, zeros elsewhere. Free it. */
static double *pose_of(const edge_files *files, const io_json *listed) {
    double *values = app_allocate(tree_of(files)->values + 1, sizeof *values);
    if (listed->kind != IO_JSON_LIST || listed->count != files->joints->count)
        ok(files, io_json_fail(&files->json, listed, "must be a list of %zu numbers", files->joints->count));
    for (size_t i = 0; i < listed->count; i++)
        ok(files, io_json_number(&files->json, &listed->items[i], &values[joint_at(files, i)->first_value]));
    robot_fill_mimics(tree_of(files), values);
    return values;
}

/* Other models stand where the model file's own motion starts. */
static void set_edge(const edge_files *files, const io_json *edge, size_t index, bench_robots *robots, int of) {
    graze_motion *motions = robots->edges[of] + index * robots->model_count, *own = cli_segment(&files->model, 0);
    for (size_t i = 0; i < robots->model_count; i++) {
        motions[i] = graze_default_motion();
        motions[i].from = motions[i].to = own[i].from;
    }
    free(own);
    if (edge->kind != IO_JSON_LIST || edge->count != 2)
        ok(files, io_json_fail(&files->json, edge, "must be a list of two poses"));
    double *from = pose_of(files, &edge->items[0]), *to = pose_of(files, &edge->items[1]);
    motions[files->robot].from = from;
    motions[files->robot].to = to;
    for (size_t v = 0; v < tree_of(files)->values; v++)
        robots->turns[of][index] = fmax(robots->turns[of][index], fabs(to[v] - from[v]));
}

static void read_set(const edge_files *files, const char *set, bench_robots *robots, int of) {
    const io_json *list = io_json_get(files->json.root, set);
    if (!list) return;
    ok(files, io_json_list(&files->json, list));
    robots->edges[of] = app_allocate(list->count * robots->model_count + 1, sizeof *robots->edges[of]);
    robots->turns[of] = app_allocate(list->count + 1, sizeof *robots->turns[of]);
    for (size_t i = 0; i < list->count; i++) set_edge(files, &list->items[i], i, robots, of);
    robots->edge_counts[of] = list->count;
}

static void set_models(const edge_files *files, bench_robots *robots) {
    const robot_models *read = &files->model.read;
    robots->model_count = read->count;
    robots->models = app_allocate(read->count, sizeof *robots->models);
    for (size_t i = 0; i < read->count; i++) robots->models[i] = files->model.models[i];
    robots->options = graze_default_articulated_options();
    robots->options.link_pairs = files->model.link_pairs;
    robots->options.min_separation = read->separation;
    robots->options.tolerance = read->tolerance;
}

static void open_robots(graze_context *context, const char *path, bench_robots *robots) {
    edge_files *files = app_allocate(1, sizeof *files);
    size_t stem = strlen(path) - strlen(ending);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    files->edges_path = app_text("%s", path);
    files->model_path = app_text("%.*s.json", (int)stem, path);
    files->context = context;
    parse(files);
    read_joints(files);
    cli_read_model_file(context, files->model_path, &files->model);
    find_robot(files);
    robots->scene = app_text("%.*s", (int)(stem - (size_t)(name - path)), name);
    robots->file = files;
    set_models(files, robots);
    read_set(files, "short", robots, 0);
    read_set(files, "long", robots, 1);
}

static void close_robots(bench_robots *robots) {
    edge_files *files = robots->file;
    for (int of = 0; of < BENCH_EDGE_SETS; of++) {
        for (size_t e = 0; e < robots->edge_counts[of]; e++) {
            const graze_motion *motion = &robots->edges[of][e * robots->model_count + files->robot];
            free((void *)(uintptr_t)motion->from);
            free((void *)(uintptr_t)motion->to);
        }
        free(robots->edges[of]);
        free(robots->turns[of]);
    }
    free(robots->models);
    free(robots->scene);
    cli_free_model_file(files->context, &files->model);
    io_json_free(&files->json);
    free(files->edges_path);
    free(files->model_path);
    free(files);
}

const struct bench_robot_reader cli_robot_reader = {open_robots, close_robots};
