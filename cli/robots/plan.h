/* `graze articulate --plan`: the first contact along a trajectory. */
#ifndef GRAZE_CLI_ROBOTS_PLAN_H
#define GRAZE_CLI_ROBOTS_PLAN_H

#include "cli/made_models.h"

typedef struct cli_plan_ask {
    const char *path;
    const char *certificate; /* NULL, or where to write the proof that it is clear */
    graze_articulated_options options;
    bool json, no_times;
} cli_plan_ask;

graze_verdict cli_answer_plan(graze_context *context, const cli_model_file *file, const cli_plan_ask *ask);

#endif
