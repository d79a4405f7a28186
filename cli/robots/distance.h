/* graze articulate --distance: how far links are apart where a motion begins. */
#ifndef GRAZE_CLI_ROBOTS_DISTANCE_H
#define GRAZE_CLI_ROBOTS_DISTANCE_H

#include "cli/made_models.h"

/* Prints the closest pairs; exits 2 with one line for what is wrong. */
void cli_articulate_distance(graze_context *context, const cli_model_file *file,
                             const graze_world_distance_options *options, bool json);

#endif
