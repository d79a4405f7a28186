/* Trajectories: times and positions, with velocities, with accelerations, or a spline as it is. */
#include "robot/plan_file.h"

#include "io/file.h"
#include "io/json_reader.h"
#include "robot/memory.h"
#include "robot/plan_formats.h"

#include <stdlib.h>
#include <string.h>

typedef struct plan_reader {
    io_json_file json;
    const robot_tree *tree;
    const double *stand; /* values of the model where it stands */
    size_t *places;      /* of the library's values, for each number of a row */
    size_t joints;
    robot_plan *plan;
} plan_reader;

static bool out_of_memory(const plan_reader *r) { return io_fail(r->json.error, r->json.name, 0, "out of memory"); }

/* ---- which model, which joints ---- */

/* Without names: whether it has joints at all. */
static bool has_joints(const robot_tree *tree, const io_json *joints) {
    for (size_t i = 0; joints && i < joints->count; i++)
        if (joints->items[i].text && robot_find_joint(tree, joints->items[i].text) < 0) return false;
    return tree->values > 0;
}

/* The one whose name is given, or the only one that has the joints. */
static bool find_model(plan_reader *r, const robot_models *models) {
    const io_json *given = io_json_get(r->json.root, "model"), *joints = io_json_get(r->json.root, "joints");
    const char *name;
    size_t found = models->count, moving = 0, last = 0;
    if (given && !io_json_text(&r->json, given, &name)) return false;
    for (size_t i = 0; i < models->count; i++) {
        if (models->trees[i].values) last = i, moving++;
        if (given ? strcmp(models->trees[i].name, name) != 0 : !has_joints(&models->trees[i], joints)) continue;
        if (found < models->count)
            return io_json_fail(&r->json, r->json.root, "several models have %sjoints: name one by \"model\"",
                                joints ? "these " : "");
        found = i;
    }
    if (!given && found == models->count && moving == 1) found = last; /* it lacks a joint: that is what to say */
    if (!given && found == models->count && moving > 1)
        return io_json_fail(&r->json, joints, "no model has all of these joints");
    if (found == models->count)
        return given ? io_json_fail(&r->json, given, "no model '%.100s'", name)
                     : io_json_fail(&r->json, r->json.root, "no model has a joint that moves");
    r->tree = &models->trees[found];
    r->stand = models->motions[found].poses;
    r->plan->path.body = (uint32_t)found;
    return true;
}

static bool add_joint(plan_reader *r, const robot_link *link) {
    for (size_t k = 0; k < r->joints; k++)
        if (r->places[k] == link->first_value) return false;
    r->places[r->joints++] = link->first_value;
    return true;
}

static bool is_scalar(const robot_link *link) { return robot_joint_values(link->kind) == 1 && link->mimic < 0; }

static bool name_joint(plan_reader *r, const io_json *item) {
    const char *name;
    if (!io_json_text(&r->json, item, &name)) return false;
    int32_t found = robot_find_joint(r->tree, name);
    if (found < 0 || !is_scalar(&r->tree->links[found]))
        return io_json_fail(&r->json, item, "no joint '%.100s' takes one value", name);
    return add_joint(r, &r->tree->links[found]) || io_json_fail(&r->json, item, "'%.100s' is named twice", name);
}

/* Without a list: all joints that take one value, in the order of the model's file. */
static bool find_joints(plan_reader *r) {
    const io_json *list = io_json_get(r->json.root, "joints");
    r->places = robot_allocate(r->tree->count, sizeof *r->places);
    if (!r->places) return out_of_memory(r);
    for (size_t i = 0; !list && i < r->tree->count; i++)
        if (is_scalar(&r->tree->links[i])) add_joint(r, &r->tree->links[i]);
    if (list && !io_json_list(&r->json, list)) return false;
    for (size_t i = 0; list && i < list->count; i++)
        if (!name_joint(r, &list->items[i])) return false;
    return r->joints > 0 || io_json_fail(&r->json, list ? list : r->json.root, "names no joint");
}

/* ---- rows ---- */

/* The rows of a list, one after the other; NULL for a list that is not there. */
static bool read_rows(const plan_reader *r, const io_json *list, size_t rows, double **values) {
    *values = NULL;
    if (!list) return true;
    if (!io_json_list(&r->json, list)) return false;
    if (list->count != rows) return io_json_fail(&r->json, list, "has %zu rows, not %zu", list->count, rows);
    *values = robot_allocate(rows * r->joints, sizeof **values);
    if (!*values) return out_of_memory(r);
    for (size_t i = 0; i < rows; i++)
        if (!io_json_numbers(&r->json, &list->items[i], r->joints, *values + i * r->joints)) return false;
    return true;
}

static bool make_path(plan_reader *r, uint32_t degree, size_t count) {
    graze_path *path = &r->plan->path;
    path->degree = degree;
    path->count = count;
    r->plan->knots = robot_allocate(count + degree + 1, sizeof *r->plan->knots);
    r->plan->control = robot_allocate(count * r->tree->values, sizeof *r->plan->control);
    path->knots = r->plan->knots;
    path->control = r->plan->control;
    if (!r->plan->knots || !r->plan->control) return out_of_memory(r);
    for (size_t i = 0; i < count; i++)
        memcpy(r->plan->control + i * r->tree->values, r->stand, r->tree->values * sizeof *r->stand);
    return true;
}

static double *control_at(const plan_reader *r, size_t point, size_t joint) {
    return &r->plan->control[point * r->tree->values + r->places[joint]];
}

static void fill_mimics(const plan_reader *r) {
    for (size_t i = 0; i < r->plan->path.count; i++) robot_fill_mimics(r->tree, r->plan->control + i * r->tree->values);
}

/* ---- times and positions ---- */

typedef struct waypoints {
    size_t count;
    double *times, *positions, *velocities, *accelerations; /* the last two may be NULL */
} waypoints;

static bool read_times(const plan_reader *r, waypoints *points) {
    const io_json *list;
    if (!io_json_need(&r->json, r->json.root, "times", &list) || !io_json_list(&r->json, list)) return false;
    if (list->count < 2) return io_json_fail(&r->json, list, "a plan needs at least two times");
    points->count = list->count;
    points->times = robot_allocate(list->count, sizeof *points->times);
    if (!points->times) return out_of_memory(r);
    if (!io_json_numbers(&r->json, list, list->count, points->times)) return false;
    for (size_t i = 1; i < list->count; i++)
        if (!(points->times[i] > points->times[i - 1]))
            return io_json_fail(&r->json, &list->items[i], "is not after the time before it");
    return true;
}

static bool read_waypoints(const plan_reader *r, waypoints *points) {
    const io_json *positions, *velocities = io_json_get(r->json.root, "velocities");
    const io_json *accelerations = io_json_get(r->json.root, "accelerations");
    if (accelerations && !velocities) return io_json_fail(&r->json, accelerations, "stands without \"velocities\"");
    return read_times(r, points) && io_json_need(&r->json, r->json.root, "positions", &positions) &&
           read_rows(r, positions, points->count, &points->positions) &&
           read_rows(r, velocities, points->count, &points->velocities) &&
           read_rows(r, accelerations, points->count, &points->accelerations);
}

/* Every time is a knot, as often as the degree says, and once more at both ends. */
static void set_knots(const plan_reader *r, const waypoints *points) {
    size_t degree = r->plan->path.degree, next = 0;
    r->plan->knots[next++] = points->times[0];
    for (size_t i = 0; i < points->count; i++)
        for (size_t k = 0; k < degree; k++) r->plan->knots[next++] = points->times[i];
    r->plan->knots[next] = points->times[points->count - 1];
}

/* The Bézier values on the side of waypoint i that `step` leads to, in seconds; negative: the side before it. */
static void set_side(const plan_reader *r, const waypoints *points, size_t i, size_t joint, double step, int way) {
    size_t degree = r->plan->path.degree, at = i * degree, from = i * r->joints + joint;
    double p = points->positions[from], v = points->velocities[from] * step / (double)degree;
    *control_at(r, way > 0 ? at + 1 : at - 1, joint) = p + v;
    if (degree < 5) return;
    double a = points->accelerations[from] * step * step / 20;
    *control_at(r, way > 0 ? at + 2 : at - 2, joint) = p + 2 * v + a;
}

static bool follow_waypoints(plan_reader *r, const waypoints *points) {
    uint32_t degree = points->accelerations ? 5 : points->velocities ? 3 : 1;
    if (!make_path(r, degree, degree * (points->count - 1) + 1)) return false;
    set_knots(r, points);
    for (size_t i = 0; i < points->count; i++)
        for (size_t k = 0; k < r->joints; k++) {
            *control_at(r, i * degree, k) = points->positions[i * r->joints + k];
            if (degree == 1) continue;
            if (i + 1 < points->count) set_side(r, points, i, k, points->times[i + 1] - points->times[i], 1);
            if (i > 0) set_side(r, points, i, k, points->times[i - 1] - points->times[i], -1);
        }
    return true;
}

static bool read_trajectory(plan_reader *r) {
    waypoints points = {0};
    bool good = io_json_keys(&r->json, r->json.root, "model joints times positions velocities accelerations") &&
                read_waypoints(r, &points) && follow_waypoints(r, &points);
    r->plan->has_way_points = good;
    free(points.times);
    free(points.positions);
    free(points.velocities);
    free(points.accelerations);
    return good;
}

/* ---- a spline ---- */

static bool read_spline(plan_reader *r) {
    const io_json *degree, *knots, *control;
    double given, *rows = NULL;
    if (!io_json_keys(&r->json, r->json.root, "model joints degree knots control") ||
        !io_json_need(&r->json, r->json.root, "degree", &degree) || !io_json_number(&r->json, degree, &given) ||
        !io_json_need(&r->json, r->json.root, "knots", &knots) || !io_json_list(&r->json, knots) ||
        !io_json_need(&r->json, r->json.root, "control", &control) || !io_json_list(&r->json, control))
        return false;
    uint32_t whole = given >= 1 && given <= GRAZE_MAX_DEGREE ? (uint32_t)given : 0;
    if (whole != given) return io_json_fail(&r->json, degree, "must be a whole number from 1 to %d", GRAZE_MAX_DEGREE);
    if (control->count <= whole) return io_json_fail(&r->json, control, "must have more rows than the degree");
    if (knots->count != control->count + whole + 1)
        return io_json_fail(&r->json, knots, "must have %zu times, not %zu", control->count + whole + 1, knots->count);
    bool good = make_path(r, whole, control->count) && io_json_numbers(&r->json, knots, knots->count, r->plan->knots) &&
                read_rows(r, control, control->count, &rows);
    for (size_t i = 0; good && i < control->count; i++)
        for (size_t k = 0; k < r->joints; k++) *control_at(r, i, k) = rows[i * r->joints + k];
    free(rows);
    return good;
}

/* ---- the file ---- */

static bool read_all(plan_reader *r, const robot_models *models) {
    if (r->json.root->kind != IO_JSON_OBJECT) return io_json_fail(&r->json, r->json.root, "must be an object");
    bool good = find_model(r, models) && find_joints(r) &&
                (io_json_get(r->json.root, "knots") || io_json_get(r->json.root, "control") ? read_spline(r)
                                                                                            : read_trajectory(r));
    if (good) fill_mimics(r);
    return good;
}

static bool has_ending(const char *name, const char *ending) {
    size_t length = strlen(name), of = strlen(ending);
    return length > of && strcmp(name + length - of, ending) == 0;
}

/* The name tells the format. */
static bool parse(io_source source, io_json_file *file, io_error *error) {
    if (has_ending(source.name, ".csv")) return robot_parse_plan_csv(source, file, error);
    if (has_ending(source.name, ".yaml") || has_ending(source.name, ".yml"))
        return robot_parse_plan_yaml(source, file, error);
    return io_json_parse(source, file, error);
}

bool robot_parse_plan(io_source source, const robot_models *models, robot_plan *plan, io_error *error) {
    *plan = (robot_plan){.path = graze_default_path()};
    plan_reader r = {.plan = plan};
    if (!parse(source, &r.json, error)) return false;
    bool good = read_all(&r, models);
    free(r.places);
    io_json_free(&r.json);
    if (!good) robot_free_plan(plan);
    return good;
}

bool robot_read_plan(const char *path, const robot_models *models, robot_plan *plan, io_error *error) {
    char *bytes;
    size_t size;
    *plan = (robot_plan){0};
    if (!io_read_file(path, &bytes, &size, error)) return false;
    bool good = robot_parse_plan((io_source){path, bytes, size}, models, plan, error);
    free(bytes);
    return good;
}

void robot_free_plan(robot_plan *plan) {
    free(plan->knots);
    free(plan->control);
    *plan = (robot_plan){0};
}
