/* graze articulate --swept: what a link passes through, as a file. */
#ifndef GRAZE_CLI_ROBOTS_SWEPT_H
#define GRAZE_CLI_ROBOTS_SWEPT_H

#include "cli/made_models.h"

typedef struct cli_swept_ask {
    const char *path; /* .ply or .npz */
    const char *link; /* its name, or model/link */
    double size;
    bool json;
} cli_swept_ask;

/* Writes the file and says what is in it; exits 2 with one line for what is wrong. */
void cli_articulate_swept(graze_context *context, const cli_model_file *file, const cli_swept_ask *ask);

#endif
