/* graze_robot_load: a URDF file as plain arrays. */
#include "graze/robot.h"

#include "robot/memory.h"
#include "robot/tree.h"

#include <stdlib.h>
#include <string.h>

/* Memory that a graze_robot points into. */
typedef struct loaded {
    graze_robot robot; /* first: the user's pointer is this one */
    robot_tree tree;
    robot_pairs skips;
    graze_link *links;
    const char **link_names, **joint_names;
    size_t *first_values;
    double (*limits)[2], (*soft_limits)[2], *velocities, (*mimic_lines)[2];
    uint8_t *continuous;
    int32_t *mimics;
} loaded;

void graze_init_robot_options(graze_robot_options *value, size_t size) {
    const graze_robot_options defaults = {.struct_size = size};
    memset(value, 0, size);
    memcpy(value, &defaults, size < sizeof defaults ? size : sizeof defaults);
}

static bool allocate(loaded *l) {
    size_t n = l->tree.count;
    l->links = robot_library_links(&l->tree);
    l->link_names = robot_allocate(n, sizeof *l->link_names);
    l->joint_names = robot_allocate(n, sizeof *l->joint_names);
    l->first_values = robot_allocate(n, sizeof *l->first_values);
    l->limits = robot_allocate(n, sizeof *l->limits);
    l->soft_limits = robot_allocate(n, sizeof *l->soft_limits);
    l->velocities = robot_allocate(n, sizeof *l->velocities);
    l->mimic_lines = robot_allocate(n, sizeof *l->mimic_lines);
    l->continuous = robot_allocate(n, sizeof *l->continuous);
    l->mimics = robot_allocate(n, sizeof *l->mimics);
    return l->links && l->link_names && l->joint_names && l->first_values && l->limits && l->soft_limits &&
           l->velocities && l->mimic_lines && l->continuous && l->mimics;
}

static void fill_joint(loaded *l, size_t place) {
    const robot_link *link = &l->tree.links[l->tree.order[place]];
    l->link_names[place] = link->name;
    l->joint_names[place] = link->joint ? link->joint : "";
    l->first_values[place] = link->first_value;
    memcpy(l->limits[place], link->limits, sizeof link->limits);
    memcpy(l->soft_limits[place], link->soft_limits, sizeof link->soft_limits);
    l->velocities[place] = link->velocity;
    l->continuous[place] = link->continuous;
    l->mimics[place] = link->mimic < 0 ? -1 : (int32_t)l->tree.links[link->mimic].place;
    l->mimic_lines[place][0] = link->multiplier;
    l->mimic_lines[place][1] = link->offset;
}

static void fill(loaded *l) {
    for (size_t place = 0; place < l->tree.count; place++) fill_joint(l, place);
    for (size_t i = 0; i < l->skips.count; i++)
        for (int k = 0; k < 2; k++) l->skips.pairs[i][k] = l->tree.links[l->skips.pairs[i][k]].place;
    l->robot = (graze_robot){.name = l->tree.name,
                             .link_count = l->tree.count,
                             .value_count = l->tree.values,
                             .links = l->links,
                             .link_names = l->link_names,
                             .joint_names = l->joint_names,
                             .first_values = l->first_values,
                             .limits = (const double(*)[2])l->limits,
                             .soft_limits = (const double(*)[2])l->soft_limits,
                             .velocities = l->velocities,
                             .continuous = l->continuous,
                             .mimics = l->mimics,
                             .mimic_lines = (const double(*)[2])l->mimic_lines,
                             .skips = (const uint32_t(*)[2])l->skips.pairs,
                             .skip_count = l->skips.count};
}

static bool load(loaded *l, const char *path, const graze_robot_options *options, io_error *error) {
    const robot_packages packages = {NULL, options->package_names, options->package_folders, options->package_count};
    l->tree.file = path;
    l->tree.error = error;
    bool good = robot_read_urdf(&l->tree, path, &packages) && robot_close(&l->tree) &&
                (!options->srdf || robot_read_srdf(&l->tree, options->srdf, &l->skips));
    if (good && !allocate(l)) good = io_fail(error, path, 0, "out of memory");
    if (good) fill(l);
    l->tree.file = "";
    l->tree.error = NULL;
    return good;
}

static bool options_are_good(const graze_robot_options *options) {
    if (options->struct_size < sizeof *options) return false;
    if (options->package_count && (!options->package_names || !options->package_folders)) return false;
    for (size_t i = 0; i < options->package_count; i++)
        if (!options->package_names[i] || !options->package_folders[i]) return false;
    return true;
}

graze_status graze_robot_load(const char *path, const graze_robot_options *options, graze_robot **robot,
                              graze_robot_error *error) {
    const graze_robot_options defaults = graze_default_robot_options();
    io_error reason = {""};
    if (!options) options = &defaults;
    if (robot) *robot = NULL;
    if (error) strcpy(error->message, "graze_robot_load: a NULL pointer, or options that were not filled");
    if (!robot || !path || !options_are_good(options)) return GRAZE_ERR_INVALID_ARGUMENT;
    loaded *l = robot_allocate(1, sizeof *l);
    bool good = l ? load(l, path, options, &reason) : io_fail(&reason, path, 0, "out of memory");
    if (error) snprintf(error->message, sizeof error->message, "%s", good ? "" : reason.message);
    if (good) {
        *robot = &l->robot;
        return GRAZE_OK;
    }
    if (l) graze_robot_free(&l->robot);
    return strstr(reason.message, "out of memory") ? GRAZE_ERR_OUT_OF_MEMORY : GRAZE_ERR_INVALID_ARGUMENT;
}

void graze_robot_free(graze_robot *robot) {
    loaded *l = (loaded *)robot;
    if (!l) return;
    robot_free_tree(&l->tree);
    free(l->skips.pairs);
    free(l->links);
    free(l->link_names);
    free(l->joint_names);
    free(l->first_values);
    free(l->limits);
    free(l->soft_limits);
    free(l->velocities);
    free(l->mimic_lines);
    free(l->continuous);
    free(l->mimics);
    free(l);
}

void graze_robot_mimic(const graze_robot *robot, double *values) {
    for (size_t i = 0; i < robot->link_count; i++)
        if (robot->mimics[i] >= 0)
            values[robot->first_values[i]] =
                robot->mimic_lines[i][0] * values[robot->first_values[robot->mimics[i]]] + robot->mimic_lines[i][1];
}

void graze_robot_link_pairs(const graze_robot *robot, uint8_t *link_pairs) {
    size_t n = robot->link_count;
    memset(link_pairs, 1, n * n);
    for (size_t i = 0; i < robot->skip_count; i++) {
        const uint32_t *pair = robot->skips[i];
        link_pairs[pair[0] * n + pair[1]] = link_pairs[pair[1] * n + pair[0]] = 0;
    }
}
