#include "cli/view/models.h"

#include "cli/made_models.h"
#include "cli/view/page.h"
#include "robot/plan_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static cJSON *numbers_json(const double *x, size_t count) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++) cJSON_AddItemToArray(list, app_json_double(x[i]));
    return list;
}

static void add_frame(cJSON *object, const graze_frame *frame) {
    cJSON *origin = cJSON_AddObjectToObject(object, "origin");
    cJSON_AddItemToObject(origin, "position", numbers_json(frame->position, 3));
    cJSON_AddItemToObject(origin, "rotation", numbers_json(frame->rotation, 4));
}

/* ---- models ---- */

static cJSON *mesh_json(cli_page *page, const robot_mesh *mesh) {
    cJSON *object = cJSON_CreateObject();
    const io_mesh *m = &mesh->mesh;
    cJSON_AddItemToObject(object, "vertices",
                          cli_page_array(page, m->positions, m->vertex_count * sizeof *m->positions));
    cJSON_AddItemToObject(object, "faces", cli_page_array(page, m->faces, m->face_count * sizeof *m->faces));
    add_frame(object, &mesh->origin);
    cJSON_AddItemToObject(object, "scale", numbers_json(mesh->scale, 3));
    return object;
}

static cJSON *link_json(cli_page *page, const robot_tree *robot, const robot_link *link) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "name", app_json_text(link->name));
    cJSON_AddNumberToObject(object, "parent", link->parent < 0 ? -1 : (double)robot->links[link->parent].place);
    cJSON_AddNumberToObject(object, "joint", link->kind);
    add_frame(object, &link->origin);
    cJSON_AddItemToObject(object, "axis", numbers_json(link->axis, 3));
    cJSON_AddItemToObject(object, "padding", app_json_double(link->padding));
    cJSON *meshes = cJSON_AddArrayToObject(object, "meshes");
    for (size_t i = 0; i < link->mesh_count; i++) cJSON_AddItemToArray(meshes, mesh_json(page, &link->meshes[i]));
    return object;
}

/* Links in the library's order: parents first. */
static cJSON *robot_json(cli_page *page, const robot_tree *robot) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "name", app_json_text(robot->name));
    cJSON *links = cJSON_AddArrayToObject(object, "links");
    for (size_t i = 0; i < robot->count; i++)
        cJSON_AddItemToArray(links, link_json(page, robot, cli_link_at(robot, (uint32_t)i)));
    return object;
}

/* ---- motion ---- */

/* Rows of `width` numbers; one with NaN is null. */
static cJSON *rows_json(const double *x, size_t count, size_t width) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++, x += width)
        cJSON_AddItemToArray(list, isnan(x[0]) ? cJSON_CreateNull() : numbers_json(x, width));
    return list;
}

/* The page plays what its own reader knows. */
static void refuse_unplayed(const char *path, const cli_model_file *file) {
    for (size_t i = 0; i < file->read.count; i++) {
        const robot_motion *motion = &file->read.motions[i];
        if (motion->screws || motion->rotvecs)
            app_fail("%s: motion of '%s': the page does not play %s", path, file->read.trees[i].name,
                     motion->screws ? "screws" : "straight rotation vectors");
    }
}

static cJSON *motion_json(const robot_tree *robot, const graze_motion *motion) {
    size_t values = robot->values;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "from", numbers_json(motion->from, values));
    cJSON_AddItemToObject(object, "to", numbers_json(motion->to, values));
    cJSON_AddItemToObject(object, "turns",
                          motion->turns ? rows_json(motion->turns[0], robot->count, 3) : cJSON_CreateNull());
    cJSON_AddItemToObject(object, "cubic", motion->cubic ? rows_json(motion->cubic[0], values, 4) : cJSON_CreateNull());
    return object;
}

static void add_segments(cli_page *page, const cli_model_file *file) {
    cJSON *segments = cJSON_AddArrayToObject(page->data, "segments");
    for (size_t s = 0; s < file->read.segments; s++) {
        graze_motion *motions = cli_segment(file, s);
        cJSON *row = cJSON_CreateArray();
        for (size_t i = 0; i < file->read.count; i++)
            cJSON_AddItemToArray(row, motion_json(&file->read.trees[i], &motions[i]));
        cJSON_AddItemToArray(segments, row);
        free(motions);
    }
}

/* ---- a plan ---- */

/* The Bézier value of a piece with so many arguments at its beginning, by de Boor's recursion in doubles: the page
   shows these, and `graze articulate --plan` proves what the knots define. */
static double blossom(const graze_path *path, size_t span, size_t values, size_t value, size_t begins) {
    double d[GRAZE_MAX_DEGREE + 1];
    size_t degree = path->degree;
    for (size_t i = 0; i <= degree; i++) d[i] = path->control[(span - degree + i) * values + value];
    for (size_t level = 1; level <= degree; level++)
        for (size_t j = degree; j >= level; j--) {
            double from = path->knots[j + span - degree], to = path->knots[j + 1 + span - level];
            d[j] = d[j - 1] + (path->knots[level <= begins ? span : span + 1] - from) / (to - from) * (d[j] - d[j - 1]);
        }
    return d[degree];
}

static cJSON *piece_json(const graze_path *path, size_t span, size_t values) {
    cJSON *object = cJSON_CreateObject(), *rows = cJSON_AddArrayToObject(object, "bezier");
    cJSON_AddArrayToObject(object, "from");
    cJSON_AddArrayToObject(object, "to");
    cJSON_AddNullToObject(object, "turns");
    cJSON_AddNullToObject(object, "cubic");
    for (size_t v = 0; v < values; v++) {
        double row[GRAZE_MAX_DEGREE + 1];
        for (size_t k = 0; k <= path->degree; k++) row[k] = blossom(path, span, values, v, path->degree - k);
        cJSON_AddItemToArray(rows, numbers_json(row, path->degree + 1));
    }
    return object;
}

/* The pieces between knots that differ, and the seconds where they meet. */
static void add_plan(cli_page *page, const cli_model_file *file, const char *path) {
    robot_plan plan;
    io_error error;
    if (!robot_read_plan(path, &file->read, &plan, &error)) app_fail("%s", error.message);
    const graze_path *way = &plan.path;
    cJSON *segments = cJSON_AddArrayToObject(page->data, "segments"),
          *times = cJSON_AddArrayToObject(page->data, "times");
    cJSON_AddItemToArray(times, app_json_double(way->knots[way->degree]));
    for (size_t span = way->degree; span < way->count; span++) {
        if (!(way->knots[span] < way->knots[span + 1])) continue;
        cJSON *row = cJSON_CreateArray();
        for (size_t m = 0; m < file->read.count; m++) {
            graze_motion stand = graze_default_motion();
            stand.from = stand.to = file->read.motions[m].poses;
            cJSON_AddItemToArray(row, m == way->body ? piece_json(way, span, file->read.trees[m].values)
                                                     : motion_json(&file->read.trees[m], &stand));
        }
        cJSON_AddItemToArray(segments, row);
        cJSON_AddItemToArray(times, app_json_double(way->knots[span + 1]));
    }
    robot_free_plan(&plan);
}

/* The page wants a table, whether or not pairs are skipped. */
static void add_pairs(cli_page *page, const cli_model_file *file, size_t links) {
    uint8_t *all = file->link_pairs ? NULL : app_allocate(links, links);
    if (all) memset(all, 1, links * links);
    cJSON_AddItemToObject(page->data, "link_pairs", cli_page_array(page, all ? all : file->link_pairs, links * links));
    free(all);
}

void cli_view_models(const char *path, const char *plan, FILE *out) {
    graze_context *context = app_context(1);
    cli_model_file file;
    cli_read_model_file(context, path, &file);
    if (!plan) refuse_unplayed(path, &file);
    cli_page page;
    cli_page_open(&page, out, "models", path);
    cJSON *models = cJSON_AddArrayToObject(page.data, "models");
    size_t links = 0;
    for (size_t i = 0; i < file.read.count; i++) {
        cJSON_AddItemToArray(models, robot_json(&page, &file.read.trees[i]));
        links += file.read.trees[i].count;
    }
    if (plan)
        add_plan(&page, &file, plan);
    else
        add_segments(&page, &file);
    add_pairs(&page, &file, links);
    cJSON_AddItemToObject(page.data, "separation", app_json_double(file.read.separation));
    cJSON_AddItemToObject(page.data, "tolerance", app_json_double(file.read.tolerance));
    cJSON_AddItemToObject(page.data, "note", app_json_text(plan ? plan : ""));
    cli_page_close(&page);
    cli_free_model_file(context, &file);
    graze_context_destroy(context);
}
