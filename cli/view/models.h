/* The page of articulated models: links with their meshes, and the segments of their motion. */
#ifndef GRAZE_CLI_VIEW_MODELS_H
#define GRAZE_CLI_VIEW_MODELS_H

#include <stdio.h>

/* Writes the page of the file that `graze articulate` reads, its joints on the trajectory `plan` where there is one;
   exits 2 on failure. The viewer finds the contacts. */
void cli_view_models(const char *path, const char *plan, FILE *out);

#endif
