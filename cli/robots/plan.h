/* `graze articulate --plan`: the first contact along a trajectory. */
#ifndef GRAZE_CLI_ROBOTS_PLAN_H
#define GRAZE_CLI_ROBOTS_PLAN_H

#include "cli/made_models.h"

graze_verdict cli_answer_plan(graze_context *context, const cli_model_file *file, const char *path,
                              const graze_articulated_options *asked, bool json, bool no_times);

#endif
