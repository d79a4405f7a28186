/* A drawing of a step: the mesh at one time, and where it touches itself. */
#ifndef GRAZE_CLI_DEMO_PICTURE_H
#define GRAZE_CLI_DEMO_PICTURE_H

#include "app/app.h"

#include <stdio.h>

/* Writes an SVG element of the two frames' mesh at time t. `pairs` is what `graze step --pairs-out` wrote (each gets a
   dot), `limiting` the pair object of `graze step --json` (gets a ring); both may be NULL. Colours come from the page:
   classes a0 … a7 for the first piece of the mesh, b0 … b7 for the others, `dot` and `ring`; or from `style`, a style
   sheet that makes the element a file of its own. */
void cli_demo_picture(FILE *out, const char *frame_a, const char *frame_b, double t, const cJSON *pairs,
                      const cJSON *limiting, const char *style);

#endif
