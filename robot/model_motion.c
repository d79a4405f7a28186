/* "motion": from and to, a path, cubics; turns, screws and straight rotation vectors. */
#include "robot/memory.h"
#include "robot/model_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One model's part. */
typedef struct mover {
    const robot_reader *r;
    const robot_tree *tree;
    robot_motion *motion;
} mover;

/* ---- poses ---- */

static bool named_value(const mover *m, const io_json *item, double *values) {
    const io_json_file *json = &m->r->json;
    int32_t found = robot_find_joint(m->tree, item->key);
    const robot_link *link = found < 0 ? NULL : &m->tree->links[found];
    size_t count = link ? robot_joint_values(link->kind) : 0;
    if (count == 0 || link->mimic >= 0) return io_json_fail(json, item, "no joint '%.100s' takes a value", item->key);
    if (count == 1 && item->kind == IO_JSON_NUMBER) return io_json_number(json, item, values + link->first_value);
    return io_json_numbers(json, item, count, values + link->first_value);
}

/* In the order of the file's links. */
static bool listed_values(const mover *m, const io_json *list, double *values) {
    size_t next = 0;
    if (list->kind != IO_JSON_LIST || list->count != m->tree->given)
        return io_json_fail(&m->r->json, list, "must be a list of %zu numbers", m->tree->given);
    for (size_t i = 0; i < m->tree->count; i++) {
        const robot_link *link = &m->tree->links[i];
        size_t count = link->mimic < 0 ? robot_joint_values(link->kind) : 0;
        for (size_t k = 0; k < count; k++)
            if (!io_json_number(&m->r->json, &list->items[next++], values + link->first_value + k)) return false;
    }
    return true;
}

static bool read_pose(const mover *m, const io_json *given, double *values) {
    bool good = true;
    if (given->kind != IO_JSON_OBJECT) good = listed_values(m, given, values);
    for (size_t i = 0; given->kind == IO_JSON_OBJECT && good && i < given->count; i++)
        good = named_value(m, &given->items[i], values);
    if (good) robot_fill_mimics(m->tree, values);
    return good;
}

static bool make_poses(const mover *m, size_t count) {
    free(m->motion->poses);
    m->motion->pose_count = count;
    m->motion->poses = m->tree->values && count > SIZE_MAX / m->tree->values
                           ? NULL
                           : robot_allocate(count * m->tree->values, sizeof *m->motion->poses);
    return m->motion->poses || robot_out_of_memory(m->r);
}

/* A model without motion stands at zeros; mimicking joints then stand where they belong. */
static bool stand(const mover *m) {
    if (!make_poses(m, 1)) return false;
    robot_fill_mimics(m->tree, m->motion->poses);
    return true;
}

static bool read_path(const mover *m, const io_json *path) {
    if (!make_poses(m, path->count)) return false;
    for (size_t i = 0; i < path->count; i++)
        if (!read_pose(m, &path->items[i], m->motion->poses + i * m->tree->values)) return false;
    return true;
}

static bool read_ends(const mover *m, const io_json *object) {
    const io_json *from, *to;
    return io_json_need(&m->r->json, object, "from", &from) && io_json_need(&m->r->json, object, "to", &to) &&
           make_poses(m, 2) && read_pose(m, from, m->motion->poses) &&
           read_pose(m, to, m->motion->poses + m->tree->values);
}

/* ---- turns, screws, rotation vectors, cubics ---- */

static bool find_link(const mover *m, const io_json *at, const char *name, uint32_t *place) {
    int32_t link = robot_find_link(m->tree, name);
    if (link < 0) return io_json_fail(&m->r->json, at, "model '%.100s' has no link '%.100s'", m->tree->name, name);
    *place = m->tree->links[link].place;
    return true;
}

static bool read_turns(const mover *m, const io_json *given) {
    uint32_t place = 0;
    if (!given) return true;
    if (given->kind != IO_JSON_OBJECT) return io_json_fail(&m->r->json, given, "must be an object");
    double(*turns)[3] = m->motion->turns = robot_allocate(m->tree->count, sizeof *turns);
    if (!turns) return robot_out_of_memory(m->r);
    for (size_t i = 0; i < m->tree->count; i++) turns[i][0] = turns[i][1] = turns[i][2] = NAN;
    for (size_t i = 0; i < given->count; i++)
        if (!find_link(m, &given->items[i], given->items[i].key, &place) ||
            !io_json_numbers(&m->r->json, &given->items[i], 3, turns[place]))
            return false;
    return true;
}

/* Of which kinds "true" speaks. */
static bool is_screw_kind(graze_joint_kind kind) { return kind == GRAZE_JOINT_PLANAR || kind == GRAZE_JOINT_FREE; }
static bool is_rotvec_kind(graze_joint_kind kind) { return kind == GRAZE_JOINT_SPHERICAL || kind == GRAZE_JOINT_FREE; }

/* true for all joints of some kinds, or a list of links: a byte for each link. */
static bool read_flags(const mover *m, const io_json *given, bool (*counts)(graze_joint_kind), uint8_t **flags) {
    uint32_t place = 0;
    const char *name;
    if (!given) return true;
    if (given->kind != IO_JSON_LIST && given->kind != IO_JSON_BOOLEAN)
        return io_json_fail(&m->r->json, given, "is true or a list of links");
    *flags = robot_allocate(m->tree->count, 1);
    if (!*flags) return robot_out_of_memory(m->r);
    for (size_t i = 0; i < m->tree->count && given->truth; i++)
        (*flags)[m->tree->links[i].place] = counts(m->tree->links[i].kind);
    for (size_t i = 0; i < given->count; i++) {
        if (!io_json_text(&m->r->json, &given->items[i], &name) || !find_link(m, &given->items[i], name, &place))
            return false;
        (*flags)[place] = 1;
    }
    return true;
}

static void fill_cubic_mimics(const mover *m) {
    double(*cubic)[4] = m->motion->cubic;
    for (size_t i = 0; i < m->tree->count; i++) {
        const robot_link *link = &m->tree->links[i];
        for (int k = 0; link->mimic >= 0 && k < 4; k++)
            cubic[link->first_value][k] =
                link->multiplier * cubic[m->tree->links[link->mimic].first_value][k] + link->offset;
    }
}

static bool read_cubic(const mover *m, const io_json *given) {
    size_t next = 0;
    if (given->kind != IO_JSON_LIST || given->count != m->tree->given)
        return io_json_fail(&m->r->json, given, "must be a list of %zu", m->tree->given);
    m->motion->cubic = robot_allocate(m->tree->values, sizeof *m->motion->cubic);
    if (!m->motion->cubic) return robot_out_of_memory(m->r);
    for (size_t i = 0; i < m->tree->count; i++) {
        const robot_link *link = &m->tree->links[i];
        size_t count = link->mimic < 0 ? robot_joint_values(link->kind) : 0;
        for (size_t k = 0; k < count; k++)
            if (!io_json_numbers(&m->r->json, &given->items[next++], 4, m->motion->cubic[link->first_value + k]))
                return false;
    }
    fill_cubic_mimics(m);
    return true;
}

/* ---- the whole ---- */

static bool read_motion(const mover *m, const io_json *object) {
    const io_json *path = io_json_get(object, "path"), *cubic = io_json_get(object, "cubic");
    if (!robot_alone(m->r, object, "path", "from to cubic turn") ||
        !robot_alone(m->r, object, "cubic", "from to turn screw rotvec"))
        return false;
    if (!path && m->r->models->is_path)
        return io_json_fail(&m->r->json, object, "some models have a path, this one has none");
    if (!read_flags(m, io_json_get(object, "screw"), is_screw_kind, &m->motion->screws) ||
        !read_flags(m, io_json_get(object, "rotvec"), is_rotvec_kind, &m->motion->rotvecs))
        return false;
    if (path) return read_path(m, path);
    if (cubic) return read_cubic(m, cubic);
    return read_ends(m, object) && read_turns(m, io_json_get(object, "turn"));
}

/* Segments of all paths, which must be equally many. */
static bool count_segments(robot_reader *r, const io_json *motions) {
    robot_models *models = r->models;
    models->segments = 1;
    for (size_t i = 0; motions && i < motions->count; i++) {
        if (!io_json_keys(&r->json, &motions->items[i], "from to path cubic turn screw rotvec")) return false;
        const io_json *path = io_json_get(&motions->items[i], "path");
        if (!path) continue;
        if (!io_json_list(&r->json, path)) return false;
        if (path->count < 2) return io_json_fail(&r->json, path, "a path needs at least two poses");
        if (models->is_path && models->segments != path->count - 1)
            return io_json_fail(&r->json, path, "paths of different lengths");
        models->is_path = true;
        models->segments = path->count - 1;
    }
    return true;
}

bool robot_read_motions(robot_reader *r) {
    const io_json *motions = io_json_get(r->json.root, "motion");
    robot_models *models = r->models;
    if (motions && motions->kind != IO_JSON_OBJECT) return io_json_fail(&r->json, motions, "must be an object");
    models->motions = robot_allocate(models->count, sizeof *models->motions);
    if (!models->motions) return robot_out_of_memory(r);
    if (!count_segments(r, motions)) return false;
    for (size_t i = 0; i < models->count; i++)
        if (!stand(&(mover){r, &models->trees[i], &models->motions[i]})) return false;
    for (size_t i = 0; motions && i < motions->count; i++) {
        const io_json *object = &motions->items[i];
        int64_t model = robot_name_find(&r->names, object->key);
        if (model < 0) return io_json_fail(&r->json, object, "no model '%.100s'", object->key);
        if (!read_motion(&(mover){r, &models->trees[model], &models->motions[model]}, object)) return false;
    }
    return true;
}
