/* graze articulate --clearance: how close links come during a motion or a plan. */
#ifndef GRAZE_CLI_ROBOTS_CLEARANCE_H
#define GRAZE_CLI_ROBOTS_CLEARANCE_H

#include "cli/made_models.h"
#include "graze/clearance.h"

/* Prints the pairs that come closest. `plan`: a trajectory in place of the file's motion, or NULL. Exits 2 with one
   line for what is wrong. */
void cli_articulate_clearance(graze_context *context, const cli_model_file *file, const char *plan,
                              const graze_clearance_options *options, bool json);

#endif
