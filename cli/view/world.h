/* The page of a world: its bodies at times that follow each other, and what touches between them. */
#ifndef GRAZE_CLI_VIEW_WORLD_H
#define GRAZE_CLI_VIEW_WORLD_H

#include "app/step_run.h"

/* Writes the page of the file that `graze step WORLD.json` reads; exits 2 on failure. */
void cli_view_world(const char *path, const app_step_settings *settings, FILE *out);

#endif
