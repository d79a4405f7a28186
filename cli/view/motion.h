/* The page of a step or a sequence: frames, what touches between them, what intersects already. */
#ifndef GRAZE_CLI_VIEW_MOTION_H
#define GRAZE_CLI_VIEW_MOTION_H

#include "app/step_run.h"
#include "cli/view/page.h"

#include "io/folder.h"

typedef struct cli_motion_page {
    cli_page page;
    app_step_settings settings; /* as given, but asking for all pairs */
    cJSON *frames, *steps;
    const char *const *names; /* of the mesh's groups; NULL: they are numbered */
    size_t most_contacts;     /* written for each step, the earliest of them */
} cli_motion_page;

enum { CLI_CONTACT_ROW = 16 }; /* kind, a, b, four vertices or −1, verdict, toi, toi_upper, point, normal */

/* `steps` is how many will follow. All exit 2 on failure. */
void cli_motion_open(cli_motion_page *motion, FILE *out, const char *title, const app_step_settings *settings,
                     size_t steps);
/* The next step: its first frame must be the last one's second. */
void cli_motion_step(cli_motion_page *motion, graze_context *context, const app_frames *frames, const char *name);
void cli_motion_close(cli_motion_page *motion);

/* For steps that are made elsewhere: the mesh first (`up`: 'y', 'z' or 0), then frames. */
void cli_motion_mesh(cli_motion_page *motion, const graze_mesh *mesh, char up);
void cli_motion_frame(cli_motion_page *motion, const char *name, const double (*positions)[3], size_t count);

/* All of it, from the files. */
void cli_motion_files(FILE *out, const char *title, const app_step_settings *settings, const io_frames *list);

#endif
