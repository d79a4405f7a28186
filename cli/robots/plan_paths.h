/* A plan for every model of a file: those that it does not move stand. */
#ifndef GRAZE_CLI_ROBOTS_PLAN_PATHS_H
#define GRAZE_CLI_ROBOTS_PLAN_PATHS_H

#include "cli/made_models.h"
#include "robot/plan_file.h"

typedef struct cli_plan_paths {
    graze_path *paths;
    size_t count, models;
    double **control, (*knots)[4]; /* of models that stand */
} cli_plan_paths;

/* Borrows both. */
cli_plan_paths cli_plan_paths_of(const cli_model_file *file, const robot_plan *plan);
void cli_free_plan_paths(cli_plan_paths *paths);

/* A world of the file's models, with its pairs; ends the program where there is none. */
graze_world *cli_world_of(graze_context *context, const cli_model_file *file);

#endif
