/* graze step WORLD.json: bodies that move in every way, in one step. */
#ifndef GRAZE_CLI_WORLD_STEP_WORLD_H
#define GRAZE_CLI_WORLD_STEP_WORLD_H

#include "app/step_run.h"

/* True if the one operand of `graze step` names a world: it ends in .json. */
bool cli_is_world(const char *path);

/* The exit status. Whatever is wrong exits 2 with one line. */
int cli_step_world(const app_step_settings *settings, const char *path, bool exit_code);

#endif
