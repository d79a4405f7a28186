/* Reads the file of `graze articulate`. */
#include "cli/model_file.h"

#include "io/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values of JSON ---- */

static const char *text_of(const cli_model_file *file, const cJSON *object, const char *key, const char *where) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsString(item)) cli_fail("%s: %s: \"%s\" is not a text", file->path, where, key);
    return item->valuestring;
}

static double number_of(const cli_model_file *file, const cJSON *item, const char *where) {
    if (!cJSON_IsNumber(item)) cli_fail("%s: %s: not a number", file->path, where);
    if (!isfinite(item->valuedouble)) cli_fail("%s: %s: a number that is not finite", file->path, where);
    return item->valuedouble;
}

static void numbers_of(const cli_model_file *file, const cJSON *list, size_t count, const char *where, double *out) {
    if (!cJSON_IsArray(list) || (size_t)cJSON_GetArraySize(list) != count)
        cli_fail("%s: %s: not a list of %zu numbers", file->path, where, count);
    const cJSON *item;
    cJSON_ArrayForEach(item, list) *out++ = number_of(file, item, where);
}

static void read_frame(const cli_model_file *file, const cJSON *object, const char *where, graze_frame *frame) {
    *frame = (graze_frame){.rotation = {1, 0, 0, 0}};
    if (!object) return;
    if (!cJSON_IsObject(object)) cli_fail("%s: %s: \"origin\" is not an object", file->path, where);
    const cJSON *position = cJSON_GetObjectItemCaseSensitive(object, "position");
    const cJSON *rotation = cJSON_GetObjectItemCaseSensitive(object, "rotation");
    if (position) numbers_of(file, position, 3, where, frame->position);
    if (!rotation) return;
    numbers_of(file, rotation, 4, where, frame->rotation);
    const double *q = frame->rotation;
    if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0) cli_fail("%s: %s: the rotation is zero", file->path, where);
}

/* ---- models ---- */

static graze_joint_kind kind_of(const cli_model_file *file, const char *name, const char *where) {
    static const char *const names[] = {"fixed", "revolute", "prismatic", "spherical", "planar", "free"};
    for (int i = 0; i < 6; i++)
        if (strcmp(name, names[i]) == 0) return (graze_joint_kind)i;
    cli_fail("%s: %s: no joint is called '%s' (fixed, revolute, prismatic, spherical, planar, free)", file->path, where,
             name);
}

static void read_joint(const cli_model_file *file, const cJSON *object, const char *where, cli_robot_link *link) {
    if (!object) return;
    if (!cJSON_IsObject(object)) cli_fail("%s: %s: \"joint\" is not an object", file->path, where);
    link->kind = kind_of(file, text_of(file, object, "kind", where), where);
    const cJSON *axis = cJSON_GetObjectItemCaseSensitive(object, "axis");
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(object, "name");
    if (axis) numbers_of(file, axis, 3, where, link->axis);
    if (cJSON_IsString(name)) link->joint = cli_copy_text(name->valuestring);
}

static void add_mesh(const cli_model_file *file, cli_robot_link *link, const cJSON *object, const char *where) {
    const cJSON *name = cJSON_IsString(object) ? object : cJSON_GetObjectItemCaseSensitive(object, "mesh");
    if (!cJSON_IsString(name)) cli_fail("%s: %s: a mesh without a file", file->path, where);
    char *path = cli_path_beside(file->path, name->valuestring);
    cli_link_mesh *mesh = cli_robot_add_mesh(link, path);
    free(path);
    if (cJSON_IsString(object)) return;
    read_frame(file, cJSON_GetObjectItemCaseSensitive(object, "origin"), where, &mesh->origin);
    const cJSON *scale = cJSON_GetObjectItemCaseSensitive(object, "scale");
    if (scale) numbers_of(file, scale, 3, where, mesh->scale);
}

/* "mesh": a file, or null for a link without geometry; "meshes": a list. */
static void read_meshes(const cli_model_file *file, const cJSON *object, const char *where, cli_robot_link *link) {
    const cJSON *mesh = cJSON_GetObjectItemCaseSensitive(object, "mesh"), *item;
    const cJSON *meshes = cJSON_GetObjectItemCaseSensitive(object, "meshes");
    if (cJSON_IsString(mesh)) add_mesh(file, link, mesh, where);
    cJSON_ArrayForEach(item, meshes) add_mesh(file, link, item, where);
    if (link->mesh_count == 0 && !cJSON_IsNull(mesh))
        cli_fail("%s: %s is empty: no mesh (\"mesh\":null for a link without geometry)", file->path, where);
}

static void read_link(const cli_model_file *file, cli_robot *robot, const cJSON *object) {
    char where[300];
    snprintf(where, sizeof where, "model '%.100s'", robot->name);
    const char *name = text_of(file, object, "name", where);
    snprintf(where, sizeof where, "model '%.100s', link '%.100s'", robot->name, name);
    cli_robot_link *link = cli_robot_add(robot, name);
    read_joint(file, cJSON_GetObjectItemCaseSensitive(object, "joint"), where, link);
    read_frame(file, cJSON_GetObjectItemCaseSensitive(object, "origin"), where, &link->origin);
    const cJSON *padding = cJSON_GetObjectItemCaseSensitive(object, "padding");
    if (padding) link->padding = number_of(file, padding, where);
    read_meshes(file, object, where, link);
}

/* Parents may be listed after their children: a second round finds them. */
static void set_parents(const cli_model_file *file, cli_robot *robot, const cJSON *links) {
    size_t i = 0;
    const cJSON *object;
    cJSON_ArrayForEach(object, links) {
        cli_robot_link *link = &robot->links[i++];
        const cJSON *parent = cJSON_GetObjectItemCaseSensitive(object, "parent");
        if (!parent || cJSON_IsNull(parent)) continue;
        link->parent = cJSON_IsString(parent) ? cli_robot_find(robot, parent->valuestring) : -1;
        if (link->parent < 0)
            cli_fail("%s: model '%s': link '%s' hangs on a link that is not there", file->path, robot->name,
                     link->name);
    }
}

static void read_single(const cli_model_file *file, cli_robot *robot, const cJSON *object) {
    char where[200];
    snprintf(where, sizeof where, "model '%.100s'", robot->name);
    cli_robot_link *link = cli_robot_add(robot, robot->name);
    read_frame(file, cJSON_GetObjectItemCaseSensitive(object, "origin"), where, &link->origin);
    read_meshes(file, object, where, link);
}

static void read_robot(const cli_model_file *file, cli_robot *robot, const cJSON *object) {
    const cJSON *links = cJSON_GetObjectItemCaseSensitive(object, "links"), *link;
    const cJSON *urdf = cJSON_GetObjectItemCaseSensitive(object, "urdf");
    robot->file = file->path;
    robot->name = cli_copy_text(text_of(file, object, "name", "a model"));
    if (cJSON_IsString(urdf)) {
        char *path = cli_path_beside(file->path, urdf->valuestring);
        robot->by_name = true;
        cli_read_urdf(robot, path, cJSON_GetObjectItemCaseSensitive(object, "packages"));
        free(path);
    } else if (cJSON_IsArray(links)) {
        cJSON_ArrayForEach(link, links) read_link(file, robot, link);
        set_parents(file, robot, links);
    } else {
        read_single(file, robot, object);
    }
}

static void read_models(graze_context *context, cli_model_file *file) {
    const cJSON *models = cJSON_GetObjectItemCaseSensitive(file->json, "models"), *object;
    if (!cJSON_IsArray(models) || cJSON_GetArraySize(models) == 0) cli_fail("%s: no \"models\"", file->path);
    file->robots = cli_allocate((size_t)cJSON_GetArraySize(models), sizeof *file->robots);
    cJSON_ArrayForEach(object, models) {
        cli_robot *robot = &file->robots[file->robot_count];
        read_robot(file, robot, object);
        for (size_t i = 0; i < file->robot_count; i++)
            if (strcmp(file->robots[i].name, robot->name) == 0)
                cli_fail("%s: two models are called '%s'", file->path, robot->name);
        cli_robot_finish(context, robot);
        file->robot_count++;
    }
}

/* ---- motion ---- */

/* Follows the joints that mimic others. */
static void fill_mimics(const cli_robot *robot, double *values) {
    for (size_t i = 0; i < robot->count; i++) {
        const cli_robot_link *link = &robot->links[i];
        if (link->mimic < 0 || cli_joint_values(link->kind) != 1) continue;
        values[link->first_value] = link->multiplier * values[robot->links[link->mimic].first_value] + link->offset;
    }
}

static void named_values(const cli_model_file *file, const cli_robot *robot, const cJSON *object, double *values) {
    char where[300];
    const cJSON *item;
    cJSON_ArrayForEach(item, object) {
        int32_t found = cli_robot_find_joint(robot, item->string);
        const cli_robot_link *link = found < 0 ? NULL : &robot->links[found];
        if (!link || link->mimic >= 0 || cli_joint_values(link->kind) == 0)
            cli_fail("%s: model '%s': no joint '%s' takes a value", file->path, robot->name, item->string);
        snprintf(where, sizeof where, "model '%.100s', joint '%.100s'", robot->name, item->string);
        if (cJSON_IsNumber(item) && cli_joint_values(link->kind) == 1)
            values[link->first_value] = number_of(file, item, where);
        else
            numbers_of(file, item, cli_joint_values(link->kind), where, values + link->first_value);
    }
}

/* Values in the order of the file's links, or by the names of joints, as the library wants them. */
static double *read_values(const cli_model_file *file, const cli_robot *robot, const cJSON *given, const char *what) {
    double *values = cli_allocate(graze_model_values(robot->model) + 1, sizeof *values);
    char where[300];
    snprintf(where, sizeof where, "motion of '%.100s', \"%s\"", robot->name, what);
    if (cJSON_IsObject(given)) {
        named_values(file, robot, given, values);
    } else {
        size_t count = cli_robot_values(robot), next = 0;
        double *listed = cli_allocate(count + 1, sizeof *listed);
        numbers_of(file, given, count, where, listed);
        for (size_t i = 0; i < robot->count; i++) {
            const cli_robot_link *link = &robot->links[i];
            size_t taken = link->mimic < 0 ? cli_joint_values(link->kind) : 0;
            memcpy(values + link->first_value, listed + next, taken * sizeof *values);
            next += taken;
        }
        free(listed);
    }
    fill_mimics(robot, values);
    return values;
}

double *cli_pose(const cli_model_file *file, size_t robot, const cJSON *values) {
    return read_values(file, &file->robots[robot], values, "pose");
}

static double (*read_turns(const cli_model_file *file, const cli_robot *robot, const cJSON *given))[3] {
    double(*turns)[3] = cli_allocate(robot->count, sizeof *turns);
    for (size_t i = 0; i < robot->count; i++) turns[i][0] = turns[i][1] = turns[i][2] = NAN;
    const cJSON *item;
    cJSON_ArrayForEach(item, given) {
        int32_t link = cli_robot_find(robot, item->string);
        if (link < 0) cli_fail("%s: \"turn\" of '%s': no link '%s'", file->path, robot->name, item->string);
        numbers_of(file, item, 3, "\"turn\"", turns[robot->links[link].place]);
    }
    return turns;
}

/* true for all planar and free joints, or a list of links. */
static uint8_t *read_screws(const cli_model_file *file, const cli_robot *robot, const cJSON *given) {
    uint8_t *screws = cli_allocate(robot->count, 1);
    for (size_t i = 0; i < robot->count && cJSON_IsTrue(given); i++) {
        graze_joint_kind kind = robot->links[i].kind;
        screws[robot->links[i].place] = kind == GRAZE_JOINT_PLANAR || kind == GRAZE_JOINT_FREE;
    }
    if (!cJSON_IsArray(given) && !cJSON_IsBool(given))
        cli_fail("%s: motion of '%s': \"screw\" is true or a list of links", file->path, robot->name);
    const cJSON *item;
    cJSON_ArrayForEach(item, given) {
        int32_t link = cJSON_IsString(item) ? cli_robot_find(robot, item->valuestring) : -1;
        if (link < 0)
            cli_fail("%s: \"screw\" of '%s': no link '%s'", file->path, robot->name,
                     cJSON_IsString(item) ? item->valuestring : "?");
        screws[robot->links[link].place] = 1;
    }
    return screws;
}

static double (*read_cubic(const cli_model_file *file, const cli_robot *robot, const cJSON *given))[4] {
    size_t count = cli_robot_values(robot), next = 0;
    double(*cubic)[4] = cli_allocate(graze_model_values(robot->model) + 1, sizeof *cubic);
    if (!cJSON_IsArray(given) || (size_t)cJSON_GetArraySize(given) != count)
        cli_fail("%s: motion of '%s': \"cubic\" is not a list of %zu", file->path, robot->name, count);
    for (size_t i = 0; i < robot->count; i++) {
        const cli_robot_link *link = &robot->links[i];
        for (size_t k = 0; link->mimic < 0 && k < cli_joint_values(link->kind); k++)
            numbers_of(file, cJSON_GetArrayItem(given, (int)next++), 4, "\"cubic\"", cubic[link->first_value + k]);
    }
    for (size_t i = 0; i < robot->count; i++) {
        const cli_robot_link *link = &robot->links[i];
        if (link->mimic < 0) continue;
        for (int k = 0; k < 4; k++)
            cubic[link->first_value][k] =
                link->multiplier * cubic[robot->links[link->mimic].first_value][k] + link->offset;
    }
    return cubic;
}

static cli_segment_motion *motion_at(const cli_model_file *file, size_t segment, size_t robot) {
    return &file->motion[segment * file->robot_count + robot];
}

static void forget_motion(cli_segment_motion *motion) {
    free(motion->from);
    free(motion->to);
    free(motion->turns);
    free(motion->cubic);
    *motion = (cli_segment_motion){0};
}

static void read_path(cli_model_file *file, size_t robot, const cJSON *path) {
    for (size_t s = 0; s < file->segments; s++) {
        cli_segment_motion *motion = motion_at(file, s, robot);
        forget_motion(motion);
        motion->from = read_values(file, &file->robots[robot], cJSON_GetArrayItem(path, (int)s), "path");
        motion->to = read_values(file, &file->robots[robot], cJSON_GetArrayItem(path, (int)s + 1), "path");
    }
}

/* A model without motion stands; mimicking joints then stand where they belong. */
static void stand(cli_model_file *file, size_t robot) {
    cJSON *nothing = cJSON_CreateObject();
    for (size_t s = 0; s < file->segments; s++) {
        cli_segment_motion *motion = motion_at(file, s, robot);
        motion->from = read_values(file, &file->robots[robot], nothing, "from");
        motion->to = read_values(file, &file->robots[robot], nothing, "to");
    }
    cJSON_Delete(nothing);
}

static void read_motion(cli_model_file *file, size_t index, const cJSON *object) {
    const cli_robot *robot = &file->robots[index];
    const cJSON *screw = cJSON_GetObjectItemCaseSensitive(object, "screw");
    if (screw) file->screws[index] = read_screws(file, robot, screw);
    const cJSON *path = cJSON_GetObjectItemCaseSensitive(object, "path");
    const cJSON *cubic = cJSON_GetObjectItemCaseSensitive(object, "cubic");
    const cJSON *turn = cJSON_GetObjectItemCaseSensitive(object, "turn");
    if (cJSON_IsArray(path)) {
        read_path(file, index, path);
        return;
    }
    if (file->is_path)
        cli_fail("%s: motion of '%s': some models have a path, this one has none", file->path, robot->name);
    cli_segment_motion *motion = motion_at(file, 0, index);
    if (cubic) {
        motion->cubic = read_cubic(file, robot, cubic);
        return;
    }
    forget_motion(motion);
    motion->from = read_values(file, robot, cJSON_GetObjectItemCaseSensitive(object, "from"), "from");
    motion->to = read_values(file, robot, cJSON_GetObjectItemCaseSensitive(object, "to"), "to");
    if (turn) motion->turns = read_turns(file, robot, turn);
}

/* Segments of all paths, which must be equally many. */
static void count_segments(cli_model_file *file, const cJSON *motions) {
    const cJSON *object;
    file->segments = 1;
    cJSON_ArrayForEach(object, motions) {
        const cJSON *path = cJSON_GetObjectItemCaseSensitive(object, "path");
        if (!path) continue;
        int poses = cJSON_IsArray(path) ? cJSON_GetArraySize(path) : 0;
        if (poses < 2) cli_fail("%s: motion of '%s': a path has at least two poses", file->path, object->string);
        if (file->is_path && file->segments != (size_t)poses - 1)
            cli_fail("%s: motion of '%s': paths of different lengths", file->path, object->string);
        file->is_path = true;
        file->segments = (size_t)poses - 1;
    }
}

static void read_motions(cli_model_file *file) {
    const cJSON *motions = cJSON_GetObjectItemCaseSensitive(file->json, "motion"), *object;
    count_segments(file, motions);
    file->motion = cli_allocate(file->segments * file->robot_count, sizeof *file->motion);
    file->screws = cli_allocate(file->robot_count, sizeof *file->screws);
    for (size_t i = 0; i < file->robot_count; i++) stand(file, i);
    cJSON_ArrayForEach(object, motions) {
        size_t i = 0;
        while (i < file->robot_count && strcmp(file->robots[i].name, object->string) != 0) i++;
        if (i == file->robot_count) cli_fail("%s: \"motion\": no model '%s'", file->path, object->string);
        read_motion(file, i, object);
    }
}

/* ---- pairs ---- */

static size_t links_before(const cli_model_file *file, size_t robot) {
    size_t links = 0;
    for (size_t i = 0; i < robot; i++) links += file->robots[i].count;
    return links;
}

static void skip_pair(cli_model_file *file, size_t a, size_t b) {
    size_t total = links_before(file, file->robot_count);
    file->link_pairs[a * total + b] = file->link_pairs[b * total + a] = 0;
}

/* "model/link", or "model" for all of its links: the first link and how many, in the library's order. */
static bool find_links(const cli_model_file *file, const char *name, size_t *first, size_t *count) {
    for (size_t i = 0; i < file->robot_count; i++) {
        const cli_robot *robot = &file->robots[i];
        size_t length = strlen(robot->name);
        if (strncmp(name, robot->name, length) != 0) continue;
        *first = links_before(file, i);
        *count = robot->count;
        if (name[length] == '\0') return true;
        int32_t link = name[length] == '/' ? cli_robot_find(robot, name + length + 1) : -1;
        if (link < 0) continue;
        *first += robot->links[link].place;
        *count = 1;
        return true;
    }
    return false;
}

static void skip_named(cli_model_file *file, const cJSON *pair) {
    size_t first[2], count[2];
    if (!cJSON_IsArray(pair) || cJSON_GetArraySize(pair) != 2)
        cli_fail("%s: \"skip\" lists pairs of links", file->path);
    for (int i = 0; i < 2; i++) {
        const cJSON *name = cJSON_GetArrayItem(pair, i);
        if (!cJSON_IsString(name) || !find_links(file, name->valuestring, &first[i], &count[i]))
            cli_fail("%s: \"skip\": no link '%s'", file->path, cJSON_IsString(name) ? name->valuestring : "?");
    }
    for (size_t a = 0; a < count[0]; a++)
        for (size_t b = 0; b < count[1]; b++) skip_pair(file, first[0] + a, first[1] + b);
}

typedef struct srdf_skip {
    cli_model_file *file;
    size_t robot;
} srdf_skip;

static void skip_by_srdf(void *user, int32_t a, int32_t b) {
    srdf_skip *skip = user;
    const cli_robot *robot = &skip->file->robots[skip->robot];
    size_t first = links_before(skip->file, skip->robot);
    skip_pair(skip->file, first + robot->links[a].place, first + robot->links[b].place);
}

static void read_pairs(cli_model_file *file) {
    size_t total = links_before(file, file->robot_count), index = 0;
    const cJSON *object, *pair;
    file->link_pairs = cli_allocate(total * total, 1);
    memset(file->link_pairs, 1, total * total);
    cJSON_ArrayForEach(pair, cJSON_GetObjectItemCaseSensitive(file->json, "skip")) skip_named(file, pair);
    cJSON_ArrayForEach(object, cJSON_GetObjectItemCaseSensitive(file->json, "models")) {
        const cJSON *srdf = cJSON_GetObjectItemCaseSensitive(object, "srdf");
        if (cJSON_IsString(srdf)) {
            char *path = cli_path_beside(file->path, srdf->valuestring);
            srdf_skip skip = {file, index};
            cli_read_srdf(&file->robots[index], path, skip_by_srdf, &skip);
            free(path);
        }
        index++;
    }
}

/* ---- the whole ---- */

static size_t line_of(const char *text, const char *at) {
    size_t line = 1;
    for (; text < at; text++) line += *text == '\n';
    return line;
}

static void parse(cli_model_file *file) {
    char *bytes;
    size_t size;
    io_error error;
    if (!io_read_file(file->path, &bytes, &size, &error)) cli_fail("%s", error.message);
    const char *end = NULL;
    file->json = cJSON_ParseWithLengthOpts(bytes, size + 1, &end, true);
    if (!file->json) cli_fail("%s:%zu: not JSON", file->path, end ? line_of(bytes, end) : (size_t)1);
    if (!cJSON_IsObject(file->json)) cli_fail("%s: not an object", file->path);
    free(bytes);
}

void cli_read_model_file(graze_context *context, const char *path, cli_model_file *file) {
    *file = (cli_model_file){.path = path};
    parse(file);
    read_models(context, file);
    read_motions(file);
    read_pairs(file);
    const cJSON *separation = cJSON_GetObjectItemCaseSensitive(file->json, "separation");
    const cJSON *tolerance = cJSON_GetObjectItemCaseSensitive(file->json, "tolerance");
    if (separation) file->separation = number_of(file, separation, "\"separation\"");
    if (tolerance) file->tolerance = number_of(file, tolerance, "\"tolerance\"");
    if (file->separation < 0 || file->tolerance < 0)
        cli_fail("%s: \"separation\" and \"tolerance\" are not negative", path);
}

void cli_free_model_file(graze_context *context, cli_model_file *file) {
    for (size_t i = 0; i < file->segments * file->robot_count; i++) forget_motion(&file->motion[i]);
    for (size_t i = 0; i < file->robot_count; i++) {
        cli_robot_free(context, &file->robots[i]);
        free(file->screws[i]);
    }
    free(file->screws);
    free(file->motion);
    free(file->robots);
    free(file->link_pairs);
    cJSON_Delete(file->json);
}

graze_motion *cli_segment(const cli_model_file *file, size_t segment) {
    graze_motion *motions = cli_allocate(file->robot_count, sizeof *motions);
    for (size_t i = 0; i < file->robot_count; i++) {
        const cli_segment_motion *motion = motion_at(file, segment, i);
        motions[i] = (graze_motion){motion->from, motion->to, (const double(*)[3])motion->turns,
                                    (const double(*)[4])motion->cubic, file->screws[i]};
    }
    return motions;
}

const cli_robot_link *cli_link_at(const cli_robot *robot, uint32_t place) {
    for (size_t i = 0; i < robot->count; i++)
        if (robot->links[i].place == place) return &robot->links[i];
    return NULL;
}
