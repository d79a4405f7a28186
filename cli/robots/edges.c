/* Reads NAME.json and NAME-edges.json for `graze bench articulated --data`. */
#include "cli/robots/edges.h"

#include "app/folders.h"
#include "cli/model_file.h"

#include "io/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char ending[] = "-edges.json";

/* Both files while they are read, the models for as long as they are measured. */
typedef struct edge_files {
    char *edges_path, *model_path;
    cJSON *json;
    cli_model_file model;
    size_t robot; /* that moves */
    graze_context *context;
} edge_files;

static cJSON *parse(const char *path) {
    char *bytes;
    size_t size;
    io_error error;
    if (!io_read_file(path, &bytes, &size, &error)) cli_fail("%s", error.message);
    cJSON *json = cJSON_ParseWithLength(bytes, size + 1);
    free(bytes);
    if (!cJSON_IsObject(json)) cli_fail("%s: not an object of JSON", path);
    return json;
}

static const cJSON *joints_of(const edge_files *files) {
    const cJSON *joints = cJSON_GetObjectItemCaseSensitive(files->json, "joints"), *name;
    if (!cJSON_IsArray(joints) || !joints->child) cli_fail("%s: no \"joints\"", files->edges_path);
    cJSON_ArrayForEach(name, joints) if (!cJSON_IsString(name)) cli_fail("%s: \"joints\" are names", files->edges_path);
    return joints;
}

/* The first robot that has the first joint; poses name the others. */
static size_t robot_of(const edge_files *files) {
    const char *name = joints_of(files)->child->valuestring;
    for (size_t i = 0; i < files->model.robot_count; i++)
        if (cli_robot_find_joint(&files->model.robots[i], name) >= 0) return i;
    cli_fail("%s: no model of %s has a joint '%s'", files->edges_path, files->model_path, name);
}

/* Values of all joints; `listed` has those that are named, in their order. */
static double *pose_of(const edge_files *files, const cJSON *listed, const char *set, size_t edge) {
    const cJSON *joints = joints_of(files), *name, *value = cJSON_IsArray(listed) ? listed->child : NULL;
    if (!cJSON_IsArray(listed) || cJSON_GetArraySize(listed) != cJSON_GetArraySize(joints))
        cli_fail("%s: \"%s\", edge %zu: not two poses of %d numbers", files->edges_path, set, edge,
                 cJSON_GetArraySize(joints));
    cJSON *pose = cJSON_CreateObject();
    cJSON_ArrayForEach(name, joints) {
        if (!cJSON_IsNumber(value))
            cli_fail("%s: \"%s\", edge %zu: a pose that is not of numbers", files->edges_path, set, edge);
        cJSON_AddNumberToObject(pose, name->valuestring, value->valuedouble);
        value = value->next;
    }
    double *values = cli_pose(&files->model, files->robot, pose);
    cJSON_Delete(pose);
    return values;
}

/* Others stand where the model's own motion starts. */
static void set_edge(const edge_files *files, const cJSON *edge, const char *set, size_t index, bench_robots *robots,
                     int of) {
    graze_motion *motions = robots->edges[of] + index * robots->model_count, *own = cli_segment(&files->model, 0);
    for (size_t i = 0; i < robots->model_count; i++)
        motions[i] = (graze_motion){.from = own[i].from, .to = own[i].from};
    free(own);
    if (!cJSON_IsArray(edge) || cJSON_GetArraySize(edge) != 2)
        cli_fail("%s: \"%s\", edge %zu: not two poses", files->edges_path, set, index);
    double *from = pose_of(files, edge->child, set, index), *to = pose_of(files, edge->child->next, set, index);
    motions[files->robot].from = from;
    motions[files->robot].to = to;
    for (size_t v = 0; v < graze_model_values(files->model.robots[files->robot].model); v++)
        robots->turns[of][index] = fmax(robots->turns[of][index], fabs(to[v] - from[v]));
}

static void read_set(const edge_files *files, const char *set, bench_robots *robots, int of) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(files->json, set), *edge;
    if (!list) return;
    if (!cJSON_IsArray(list)) cli_fail("%s: \"%s\" is not a list", files->edges_path, set);
    size_t count = (size_t)cJSON_GetArraySize(list), index = 0;
    robots->edges[of] = cli_allocate(count * robots->model_count + 1, sizeof *robots->edges[of]);
    robots->turns[of] = cli_allocate(count + 1, sizeof *robots->turns[of]);
    cJSON_ArrayForEach(edge, list) set_edge(files, edge, set, index++, robots, of);
    robots->edge_counts[of] = count;
}

static void set_models(const edge_files *files, bench_robots *robots) {
    const cli_model_file *model = &files->model;
    robots->model_count = model->robot_count;
    robots->models = cli_allocate(model->robot_count, sizeof *robots->models);
    for (size_t i = 0; i < model->robot_count; i++) robots->models[i] = model->robots[i].model;
    robots->options = graze_default_articulated_options();
    robots->options.link_pairs = model->link_pairs;
    robots->options.min_separation = model->separation;
    robots->options.tolerance = model->tolerance;
}

static void open_robots(graze_context *context, const char *path, bench_robots *robots) {
    edge_files *files = cli_allocate(1, sizeof *files);
    size_t stem = strlen(path) - strlen(ending);
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    files->edges_path = cli_copy_text(path);
    files->model_path = cli_text("%.*s.json", (int)stem, path);
    files->context = context;
    files->json = parse(path);
    cli_read_model_file(context, files->model_path, &files->model);
    files->robot = robot_of(files);
    robots->scene = cli_text("%.*s", (int)(stem - (size_t)(name - path)), name);
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
    cJSON_Delete(files->json);
    free(files->edges_path);
    free(files->model_path);
    free(files);
}

const struct bench_robot_reader cli_robot_reader = {open_robots, close_robots};
