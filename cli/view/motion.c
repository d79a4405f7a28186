#include "cli/view/motion.h"

#include "app/folders.h"
#include "app/start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Contacts in one page. A step's share is what its list and its picture show; their number is given beside. */
#define PAGE_CONTACTS 20000
#define LEAST_CONTACTS 100
#define MOST_INTERSECTIONS 20000 /* pairs of faces that are marked in one step */

void cli_motion_open(cli_motion_page *motion, FILE *out, const char *title, const app_step_settings *settings,
                     size_t steps) {
    *motion = (cli_motion_page){.settings = *settings};
    motion->settings.options.mode = GRAZE_STEP_ALL;
    motion->settings.repeat = 1;
    motion->most_contacts = PAGE_CONTACTS / steps > LEAST_CONTACTS ? PAGE_CONTACTS / steps : LEAST_CONTACTS;
    cli_page_open(&motion->page, out, "motion", title);
    motion->frames = cJSON_AddArrayToObject(motion->page.data, "frames");
    motion->steps = cJSON_AddArrayToObject(motion->page.data, "steps");
}

/* ---- mesh and frames ---- */

/* Groups of the vertices if several sets of files were joined: one each. */
static cJSON *groups_json(cli_motion_page *motion, const graze_mesh *mesh) {
    cJSON *groups = cJSON_CreateObject(), *names = cJSON_AddArrayToObject(groups, "names");
    for (uint32_t g = 0; g < mesh->group_count; g++) {
        char name[32];
        snprintf(name, sizeof name, "set %u", (unsigned)g + 1);
        cJSON_AddItemToArray(names, app_json_text(motion->names ? motion->names[g] : name));
    }
    cJSON_AddItemToObject(groups, "of",
                          cli_page_array(&motion->page, mesh->groups, mesh->vertex_count * sizeof *mesh->groups));
    return groups;
}

/* Options that the steps were answered with: the viewer computes more of the same. */
static void add_options(cli_motion_page *motion, const graze_mesh *mesh) {
    const graze_options *narrow = &motion->settings.narrow_options;
    const char *method = graze_method_get(narrow->method)->name;
    double relative = motion->settings.options.relative_separation;
    cJSON *options = cJSON_AddObjectToObject(motion->page.data, "options");
    cJSON_AddStringToObject(options, "method", method);
    cJSON_AddItemToObject(options, "separation", app_json_double(narrow->min_separation));
    cJSON_AddItemToObject(options, "t_max", app_json_double(narrow->t_max));
    cJSON_AddItemToObject(options, "tolerance", app_json_double(narrow->tolerance));
    cJSON_AddItemToObject(options, "max_checks", app_json_count(narrow->max_checks));
    cJSON_AddItemToObject(options, "relative_separation", app_json_double(relative));
    cJSON_AddItemToObject(
        options, "thickness",
        mesh->thickness ? cli_page_array(&motion->page, mesh->thickness, mesh->vertex_count * sizeof *mesh->thickness)
                        : cJSON_CreateNull());
    char *kept = relative > 0 ? app_text(", each pair keeps %g of its distance", relative) : app_text("%s", "");
    char *note = app_text("%u vertices, %u faces; method %s, separation %g%s%s; graze %s", (unsigned)mesh->vertex_count,
                          (unsigned)mesh->face_count, method, narrow->min_separation, kept,
                          mesh->thickness ? ", with thickness" : "", graze_version());
    cJSON_AddItemToObject(motion->page.data, "note", app_json_text(note));
    free(note);
    free(kept);
}

void cli_motion_mesh(cli_motion_page *motion, const graze_mesh *mesh, char up) {
    cJSON *data = motion->page.data;
    uint32_t(*lines)[2] = app_allocate(mesh->codim_edge_count + 1, sizeof *lines);
    for (uint32_t i = 0; i < mesh->codim_edge_count; i++)
        memcpy(lines[i], mesh->edges[mesh->codim_edges[i]], sizeof *lines);
    cJSON_AddItemToObject(data, "faces",
                          cli_page_array(&motion->page, mesh->faces, mesh->face_count * sizeof *mesh->faces));
    cJSON_AddItemToObject(data, "lines", cli_page_array(&motion->page, lines, mesh->codim_edge_count * sizeof *lines));
    cJSON_AddItemToObject(
        data, "groups", mesh->groups ? groups_json(motion, mesh) : cJSON_CreateNull()); /* null: what hangs together */
    free(lines);
    if (up) cJSON_AddStringToObject(data, "up", up == 'z' ? "z" : "y");
    add_options(motion, mesh);
}

void cli_motion_frame(cli_motion_page *motion, const char *name, const double (*positions)[3], size_t count) {
    cJSON *frame = cJSON_CreateObject();
    cJSON_AddItemToObject(frame, "name", app_json_text(name));
    cJSON_AddItemToObject(frame, "positions", cli_page_array(&motion->page, positions, count * sizeof *positions));
    cJSON_AddItemToArray(motion->frames, frame);
}

static void add_frame(cli_motion_page *motion, const char *path, const io_mesh *mesh) {
    size_t length;
    const char *name = io_base_name(path, &length);
    char *text = app_text("%.*s", (int)length, name);
    cli_motion_frame(motion, text, (const double(*)[3])mesh->positions, mesh->vertex_count);
    free(text);
}

/* ---- contacts ---- */

static int by_time(const void *a, const void *b) {
    const graze_pair_result *const *x = a, *const *y = b;
    double s = (*x)->result.toi, t = (*y)->result.toi;
    if (s != t) return s < t ? -1 : 1;
    return (*x > *y) - (*x < *y); /* they lie in the order of their ids */
}

static void put_contact(const graze_mesh *mesh, const graze_pair_result *pair, double row[CLI_CONTACT_ROW]) {
    graze_stencil stencil;
    graze_pair_stencil(mesh, pair->pair, 0, 0, &stencil);
    row[0] = pair->pair.kind;
    row[1] = pair->pair.a;
    row[2] = pair->pair.b;
    for (uint32_t i = 0; i < 4; i++) row[3 + i] = i < stencil.count ? (double)stencil.vertices[i] : -1;
    row[7] = pair->result.verdict;
    row[8] = pair->result.toi;
    row[9] = pair->result.toi_upper;
    memcpy(row + 10, pair->result.point, sizeof pair->result.point);
    memcpy(row + 13, pair->result.normal, sizeof pair->result.normal);
}

/* The earliest first. */
static cJSON *contacts_json(cli_motion_page *motion, const graze_mesh *mesh, const graze_step_result *result) {
    size_t count = result->pair_count, shown = count < motion->most_contacts ? count : motion->most_contacts;
    const graze_pair_result **order = app_allocate(count + 1, sizeof *order);
    for (size_t i = 0; i < count; i++) order[i] = &result->pairs[i];
    qsort(order, count, sizeof *order, by_time);
    double(*rows)[CLI_CONTACT_ROW] = app_allocate(shown + 1, sizeof *rows);
    for (size_t i = 0; i < shown; i++) put_contact(mesh, order[i], rows[i]);
    cJSON *json = cli_page_array(&motion->page, rows, shown * sizeof *rows);
    free(rows);
    free(order);
    return json;
}

/* Pairs of faces that intersect at the start; of an edge and a face the face alone is marked. */
static void add_intersections(cli_motion_page *motion, graze_context *context, const app_frames *frames, cJSON *step) {
    if (motion->settings.no_start_check) {
        cJSON_AddNullToObject(step, "intersections");
        cJSON_AddNumberToObject(step, "intersection_count", 0);
        return;
    }
    io_intersection *list;
    uint64_t count = app_find_intersections(context, frames, &list);
    size_t shown = count < MOST_INTERSECTIONS ? (size_t)count : MOST_INTERSECTIONS;
    uint32_t(*ids)[2] = app_allocate(shown + 1, sizeof *ids);
    for (size_t i = 0; i < shown; i++) {
        ids[i][0] = list[i].edge ? list[i].b : list[i].a;
        ids[i][1] = list[i].b;
    }
    cJSON_AddItemToObject(step, "intersections", cli_page_array(&motion->page, ids, shown * sizeof *ids));
    cJSON_AddItemToObject(step, "intersection_count", app_json_count(count));
    free(ids);
    free(list);
}

void cli_motion_step(cli_motion_page *motion, graze_context *context, const app_frames *frames, const char *name) {
    int at = cJSON_GetArraySize(motion->frames);
    if (at == 0) {
        cli_motion_mesh(motion, &frames->mesh, frames->a.up);
        add_frame(motion, frames->path_a, &frames->a);
        at = 1;
    }
    add_frame(motion, frames->path_b, &frames->b);
    app_step_outcome outcome;
    app_run_step(&motion->settings, frames, context, &outcome);
    const graze_step_result *result = &outcome.result;
    cJSON *step = cJSON_CreateObject();
    cJSON_AddNumberToObject(step, "from", at - 1);
    cJSON_AddNumberToObject(step, "to", at);
    cJSON_AddItemToObject(step, "name", app_json_text(name));
    cJSON_AddStringToObject(step, "verdict", graze_verdict_name(result->verdict));
    cJSON_AddStringToObject(step, "reason", graze_reason_name(result->reason));
    cJSON_AddItemToObject(step, "toi", app_json_double(result->toi));
    cJSON_AddItemToObject(step, "toi_upper", app_json_double(result->toi_upper));
    cJSON_AddItemToObject(step, "contacts", contacts_json(motion, &frames->mesh, result));
    cJSON_AddItemToObject(step, "contact_count", app_json_count(result->pair_count));
    cJSON_AddItemToObject(step, "ms", app_json_double(outcome.ms_total));
    app_free_outcome(&outcome);
    add_intersections(motion, context, frames, step);
    cJSON_AddItemToArray(motion->steps, step);
}

void cli_motion_close(cli_motion_page *motion) { cli_page_close(&motion->page); }

/* ---- from files ---- */

void cli_motion_files(FILE *out, const char *title, const app_step_settings *settings, const io_frames *list) {
    graze_context *home = app_context(1), *context = app_context(settings->threads);
    cli_motion_page motion;
    cli_motion_open(&motion, out, title, settings, list->count - 1);
    app_progress progress;
    app_progress_begin(&progress, "steps", list->count - 1);
    for (size_t i = 0; i + 1 < list->count; i++) {
        app_frames frames;
        app_load_frames(home, list->frames[i].path, list->frames[i + 1].path, &frames);
        char *name = app_text("%llu–%llu", (unsigned long long)list->frames[i].step,
                              (unsigned long long)list->frames[i + 1].step);
        cli_motion_step(&motion, context, &frames, name);
        free(name);
        app_free_frames(home, &frames);
        app_progress_update(&progress, i + 1);
    }
    app_progress_end(&progress);
    cli_motion_close(&motion);
    graze_context_destroy(context);
    graze_context_destroy(home);
}
