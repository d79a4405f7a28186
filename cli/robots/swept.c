#include "cli/robots/swept.h"

#include "app/outputs.h"
#include "cli/robots/cell_files.h"
#include "cli/robots/link_contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which link ---- */

typedef struct chosen_link {
    size_t model;
    uint32_t link;
} chosen_link;

/* "link" of the model, or "model/link". */
static bool is_meant(const robot_tree *tree, const char *link, const char *name) {
    size_t model = strlen(tree->name);
    if (strcmp(link, name) == 0) return true;
    return strncmp(tree->name, name, model) == 0 && name[model] == '/' && strcmp(link, name + model + 1) == 0;
}

static chosen_link find_link(const cli_model_file *file, const char *name) {
    chosen_link found = {SIZE_MAX, 0};
    for (size_t m = 0; m < file->read.count; m++)
        for (uint32_t i = 0; i < graze_model_links(file->models[m]); i++) {
            if (!is_meant(&file->read.trees[m], cli_link_at(&file->read.trees[m], i)->name, name)) continue;
            if (found.model < SIZE_MAX)
                app_fail("articulate: --link: several links are called '%s': say MODEL/LINK", name);
            found = (chosen_link){m, i};
        }
    if (found.model == SIZE_MAX) app_fail("articulate: --link: no link '%s'", name);
    return found;
}

/* ---- the call ---- */

static graze_swept_result sweep(graze_context *context, const cli_model_file *file, const cli_swept_ask *ask,
                                chosen_link at) {
    size_t segments = file->read.segments;
    graze_motion *motions = app_allocate(segments, sizeof *motions);
    for (size_t s = 0; s < segments; s++) motions[s] = robot_segment(&file->read, at.model, s);
    graze_swept_options options = graze_default_swept_options();
    graze_swept_result result = graze_default_swept_result();
    options.size = ask->size;
    graze_status status =
        graze_model_swept(context, file->models[at.model], at.link, motions, segments, &options, &result);
    if (status != GRAZE_OK) app_fail_status(status, context, file->read.trees[at.model].name);
    free(motions);
    return result;
}

static bool has_ending(const char *name, const char *ending) {
    size_t length = strlen(name), of = strlen(ending);
    return length > of && strcmp(name + length - of, ending) == 0;
}

static double volume_of(const graze_swept_result *r, graze_cell_state state) {
    double sum = 0;
    for (size_t i = 0; i < r->cell_count; i++)
        if (r->cells[i].state == (int32_t)state) sum += 8 * r->cells[i].half * r->cells[i].half * r->cells[i].half;
    return sum;
}

static void tell(const cli_swept_ask *ask, const graze_swept_result *r) {
    static const char *const names[] = {"outside", "touched", "undecided"};
    cJSON *object = cJSON_CreateObject();
    for (int s = 0; s < 3; s++) {
        double volume = volume_of(r, (graze_cell_state)s);
        if (!ask->json) printf("%-10s %llu cells, %.9g\n", names[s], (unsigned long long)r->counts[s], volume);
        cJSON *part = cJSON_AddObjectToObject(object, names[s]);
        cJSON_AddItemToObject(part, "cells", app_json_count(r->counts[s]));
        cJSON_AddItemToObject(part, "volume", app_json_double(volume));
    }
    cJSON_AddBoolToObject(object, "whole", r->whole);
    if (!ask->json && !r->whole) printf("%-10s it ended early: larger cells are undecided, too\n", "whole");
    if (ask->json)
        app_print_json(object);
    else
        cJSON_Delete(object);
}

void cli_articulate_swept(graze_context *context, const cli_model_file *file, const cli_swept_ask *ask) {
    bool ply = has_ending(ask->path, ".ply");
    if (!ply && !has_ending(ask->path, ".npz")) app_fail("articulate: --swept writes FILE.ply or FILE.npz");
    chosen_link at = find_link(file, ask->link);
    io_output out = {0};
    app_open_output("--swept", ask->path, ask->json, &out);
    graze_swept_result result = sweep(context, file, ask, at);
    if (!(ply ? cli_write_cells_ply : cli_write_cells_npz)(out.stream, result.cells, result.cell_count))
        app_fail("%s: more cells than the format holds", ask->path);
    app_close_output(&out);
    tell(ask, &result);
    graze_swept_release(context, &result);
}
