#include "robot/limits.h"

#include "io/file.h"

#include <stdlib.h>
#include <string.h>

/* A box for a joint of several values, which has no size: [[v, v], …]. */
static bool take_box(const io_json_file *json, const io_json *item, robot_link *link) {
    size_t values = robot_joint_values(link->kind);
    if (item->kind != IO_JSON_LIST || item->count != values)
        return io_json_fail(json, item, "the joint takes %zu values: a [lower, upper] for each of them", values);
    for (size_t k = 0; k < values; k++) {
        double limits[2];
        if (!io_json_numbers(json, &item->items[k], 2, limits)) return false;
        if (limits[0] != limits[1])
            return io_json_fail(json, &item->items[k],
                                "a joint of %zu values must stand still: give equal lower and upper limits", values);
        link->stand[k] = limits[0];
    }
    link->stands = true;
    return true;
}

static bool take_joint(const io_json_file *json, const io_json *item, robot_tree *tree) {
    int32_t found = robot_find_joint(tree, item->key);
    robot_link *link = found < 0 ? NULL : &tree->links[found];
    double limits[2];
    if (link && robot_joint_values(link->kind) > 1) return take_box(json, item, link);
    if (!link || robot_joint_values(link->kind) != 1 || link->mimic >= 0)
        return io_json_fail(json, item, "no joint '%.100s' takes one value", item->key);
    if (!io_json_numbers(json, item, 2, limits)) return false;
    if (!(limits[0] <= limits[1])) return io_json_fail(json, item, "its lower limit is above the upper one");
    memcpy(link->limits, limits, sizeof limits);
    link->continuous = false; /* it ends there now */
    return true;
}

static robot_tree *find_tree(const robot_models *models, const char *name) {
    for (size_t i = 0; i < models->count; i++)
        if (strcmp(models->trees[i].name, name) == 0) return &models->trees[i];
    return NULL;
}

bool robot_take_limits(const io_json_file *json, const io_json *limits, robot_models *models) {
    if (!limits) return true;
    if (limits->kind != IO_JSON_OBJECT) return io_json_fail(json, limits, "must be an object");
    for (size_t i = 0; i < limits->count; i++) {
        const io_json *given = &limits->items[i];
        robot_tree *tree = find_tree(models, given->key);
        if (!tree) return io_json_fail(json, given, "no model '%.100s'", given->key);
        if (given->kind != IO_JSON_OBJECT) return io_json_fail(json, given, "must be an object");
        for (size_t k = 0; k < given->count; k++)
            if (!take_joint(json, &given->items[k], tree)) return false;
    }
    return true;
}

bool robot_read_limits(const char *path, robot_models *models, io_error *error) {
    char *bytes;
    size_t size;
    io_json_file json;
    if (!io_read_file(path, &bytes, &size, error)) return false;
    bool good = io_json_parse((io_source){path, bytes, size}, &json, error);
    free(bytes);
    if (!good) return false;
    good = robot_take_limits(&json, json.root, models);
    io_json_free(&json);
    return good;
}
