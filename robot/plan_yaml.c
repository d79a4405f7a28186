/* trajectory_msgs/JointTrajectory: joint_names, and points of positions and time_from_start. */
#include "robot/plan_formats.h"
#include "robot/yaml.h"

#include <math.h>

/* Seconds up to here are read without loss, nanoseconds included. */
#define MOST_SECONDS 9e6

typedef struct message {
    io_json_file from;
    io_json_build to;
    const io_json *joints, *points;
} message;

/* ---- times ---- */

/* sec and nanosec, in ROS 1 secs and nsecs. */
static bool read_seconds(const message *m, const io_json *given, double *time) {
    const io_json *sec, *nanosec;
    bool old = io_json_get(given, "secs") != NULL;
    double whole, rest;
    if (!io_json_keys(&m->from, given, old ? "secs nsecs" : "sec nanosec") ||
        !io_json_need(&m->from, given, old ? "secs" : "sec", &sec) ||
        !io_json_need(&m->from, given, old ? "nsecs" : "nanosec", &nanosec) || !io_json_number(&m->from, sec, &whole) ||
        !io_json_number(&m->from, nanosec, &rest))
        return false;
    if (!(whole >= 0 && whole <= MOST_SECONDS) || whole != floor(whole))
        return io_json_fail(&m->from, sec, "must be a whole number from 0 to %.0f", MOST_SECONDS);
    if (!(rest >= 0 && rest < 1e9) || rest != floor(rest))
        return io_json_fail(&m->from, nanosec, "must be a whole number below 1000000000");
    *time = (whole * 1e9 + rest) / 1e9; /* one rounding: the sum is exact */
    return true;
}

static bool put_times(message *m, io_json *list) {
    size_t mark = io_json_open(&m->to);
    for (size_t i = 0; i < m->points->count; i++) {
        const io_json *given;
        io_json time = {.kind = IO_JSON_NUMBER};
        if (!io_json_need(&m->from, &m->points->items[i], "time_from_start", &given) ||
            !read_seconds(m, given, &time.number))
            return false;
        time.line = given->line;
        if (!io_json_add(&m->to, &time)) return false;
    }
    return io_json_close(&m->to, mark, IO_JSON_LIST, list);
}

/* ---- rows ---- */

static bool copy_list(message *m, const io_json *list, io_json *made) {
    size_t mark = io_json_open(&m->to);
    made->line = list->line;
    for (size_t i = 0; i < list->count; i++) {
        io_json item = {.kind = list->items[i].kind,
                        .line = list->items[i].line,
                        .text = list->items[i].text,
                        .number = list->items[i].number};
        if (item.kind != IO_JSON_NUMBER && item.kind != IO_JSON_TEXT)
            return io_json_fail(&m->from, &list->items[i], "must be a number or a name");
        if (!io_json_add(&m->to, &item)) return false;
    }
    return io_json_close(&m->to, mark, IO_JSON_LIST, made);
}

/* Messages print what they do not have as an empty list. */
static bool has_rows(const message *m, const char *name) {
    const io_json *list = io_json_get(&m->points->items[0], name);
    return list && list->count > 0;
}

static bool put_rows(message *m, const char *name, io_json *made) {
    size_t mark = io_json_open(&m->to);
    for (size_t i = 0; i < m->points->count; i++) {
        const io_json *list;
        io_json row = {0};
        if (!io_json_need(&m->from, &m->points->items[i], name, &list) || !io_json_list(&m->from, list)) return false;
        if (list->count != m->joints->count)
            return io_json_fail(&m->from, list, "has %zu numbers for %zu joints", list->count, m->joints->count);
        if (!copy_list(m, list, &row) || !io_json_add(&m->to, &row)) return false;
    }
    return io_json_close(&m->to, mark, IO_JSON_LIST, made);
}

/* Rows that only some points have are an error, not a plan without them. */
static bool has_none(const message *m, const char *name) {
    for (size_t i = 0; i < m->points->count; i++) {
        const io_json *list = io_json_get(&m->points->items[i], name);
        if (list && list->count > 0) return io_json_fail(&m->from, list, "the first point has none");
    }
    return true;
}

/* ---- the message ---- */

static bool check_message(message *m) {
    const io_json *root = m->from.root;
    if (!io_json_keys(&m->from, root, "header joint_names points") ||
        !io_json_need(&m->from, root, "joint_names", &m->joints) || !io_json_list(&m->from, m->joints) ||
        !io_json_need(&m->from, root, "points", &m->points) || !io_json_list(&m->from, m->points))
        return false;
    if (m->points->count < 2) return io_json_fail(&m->from, m->points, "a plan needs at least two points");
    for (size_t i = 0; i < m->points->count; i++)
        if (!io_json_keys(&m->from, &m->points->items[i], "positions velocities accelerations effort time_from_start"))
            return false;
    return true;
}

static bool put_member(message *m, const char *key, io_json *value) {
    value->key = key;
    return io_json_add(&m->to, value);
}

static bool convert(message *m) {
    static const char *const rows[] = {"positions", "velocities", "accelerations"};
    io_json root = {.line = m->from.root->line}, joints = {0}, times = {.line = m->points->line};
    size_t mark = io_json_open(&m->to);
    if (!copy_list(m, m->joints, &joints) || !put_member(m, "joints", &joints) || !put_times(m, &times) ||
        !put_member(m, "times", &times))
        return false;
    for (int i = 0; i < 3; i++) {
        io_json list = {.line = m->points->line};
        if (i && !has_rows(m, rows[i])) {
            if (!has_none(m, rows[i])) return false;
        } else if (!put_rows(m, rows[i], &list) || !put_member(m, rows[i], &list)) {
            return false;
        }
    }
    return io_json_close(&m->to, mark, IO_JSON_OBJECT, &root) && io_json_finish(&m->to, &root);
}

bool robot_parse_plan_yaml(io_source source, io_json_file *file, io_error *error) {
    message m = {.to = {.file = file}};
    if (!robot_parse_yaml(source, &m.from, error)) return false;
    if (!io_json_start(&m.to, source.name, 0, error)) {
        io_json_free(&m.from);
        return false;
    }
    bool good = check_message(&m) && convert(&m);
    if (good) { /* names lie in the texts of the message */
        char *own = file->texts;
        file->texts = m.from.texts;
        m.from.texts = own;
    }
    io_json_end(&m.to, good);
    io_json_free(&m.from);
    return good;
}
