#include "cli/made_models.h"

#include <stdlib.h>

static _Noreturn void fail_link(graze_context *context, const robot_tree *tree) {
    graze_error error = {0};
    graze_context_last_error(context, &error);
    if (error.index < tree->count)
        app_fail("%s: model '%s', link '%s': %s", tree->file, tree->name, cli_link_name(tree, (uint32_t)error.index),
                 error.message);
    app_fail("%s: model '%s': %s", tree->file, tree->name, error.message);
}

static graze_model *make_model(graze_context *context, const robot_tree *tree) {
    graze_model *model;
    graze_link *links = robot_library_links(tree);
    if (!links) app_fail("out of memory");
    if (graze_model_create(context, links, tree->count, &model) != GRAZE_OK) fail_link(context, tree);
    free(links);
    return model;
}

void cli_read_model_file(graze_context *context, const char *path, cli_model_file *file) {
    io_error error;
    *file = (cli_model_file){0};
    if (!robot_read_models(path, &file->read, &error)) app_fail("%s", error.message);
    if (!robot_link_table(&file->read, &file->link_pairs)) app_fail("%s", error.message);
    file->read.error = NULL;
    file->models = app_allocate(file->read.count, sizeof *file->models);
    for (size_t i = 0; i < file->read.count; i++) file->models[i] = make_model(context, &file->read.trees[i]);
}

void cli_free_model_file(graze_context *context, cli_model_file *file) {
    for (size_t i = 0; i < file->read.count; i++) graze_model_destroy(context, file->models[i]);
    robot_free_models(&file->read);
    free(file->models);
    free(file->link_pairs);
}

const graze_model **cli_models_of(const cli_model_file *file) {
    const graze_model **models = app_allocate(file->read.count, sizeof *models);
    for (size_t i = 0; i < file->read.count; i++) models[i] = file->models[i];
    return models;
}

graze_motion *cli_segment(const cli_model_file *file, size_t segment) {
    graze_motion *motions = app_allocate(file->read.count, sizeof *motions);
    for (size_t i = 0; i < file->read.count; i++) motions[i] = robot_segment(&file->read, i, segment);
    return motions;
}

const robot_link *cli_link_at(const robot_tree *tree, uint32_t place) { return &tree->links[tree->order[place]]; }

const char *cli_link_name(const robot_tree *tree, uint32_t place) {
    const robot_link *link = cli_link_at(tree, place);
    return link->owner >= 0 ? tree->links[link->owner].name : link->name;
}
