/* The file of `graze articulate` (robot/model_file.h), and the library's models that are made from it. */
#ifndef GRAZE_CLI_MADE_MODELS_H
#define GRAZE_CLI_MADE_MODELS_H

#include "app/app.h"

#include "robot/model_file.h"

typedef struct cli_model_file {
    robot_models read;
    graze_model **models;
    uint8_t *link_pairs; /* NULL: nothing is skipped */
} cli_model_file;

/* Exits 2 with one line for what is wrong. */
void cli_read_model_file(graze_context *context, const char *path, cli_model_file *file);
void cli_free_model_file(graze_context *context, cli_model_file *file);

/* All models, in their order. Free it. */
const graze_model **cli_models_of(const cli_model_file *file);
/* Motions of one segment, as the library takes them. Free it. */
graze_motion *cli_segment(const cli_model_file *file, size_t segment);
/* The link at that place of the library's order. */
const robot_link *cli_link_at(const robot_tree *tree, uint32_t place);
/* The name of a link; a part of a link has the name of the whole. */
const char *cli_link_name(const robot_tree *tree, uint32_t place);

#endif
