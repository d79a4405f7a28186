/* A drawing of a step: the mesh at one time, and where it touches itself. */
#ifndef GRAZE_CLI_DEMO_PICTURE_H
#define GRAZE_CLI_DEMO_PICTURE_H

#include "app/app.h"

#include <stdio.h>

/* A picture of the two frames' mesh at time t. `pairs` is what `graze step --pairs-out` wrote (each gets a dot),
   `limiting` the pair object of `graze step --json` (gets a ring); both may be NULL. */
typedef struct cli_picture {
    const char *frame_a, *frame_b;
    double t;
    const cJSON *pairs, *limiting;
    bool front;        /* seen along z, where y is up; otherwise from a little above, where z is up */
    bool crossing;     /* faces that intersect at t = 0 have the class x */
    const char *says;  /* in words, for those who do not see it */
    const char *style; /* a style sheet that makes the element a file of its own, or NULL */
} cli_picture;

/* Writes an SVG element. Colors come from the page: classes a0 … a7 for the first piece of the mesh, b0 … b7 for the
   others, x, dot and ring; or from `style`. */
void cli_draw_picture(FILE *out, const cli_picture *picture);

#endif
