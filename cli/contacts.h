/* --contacts and --pairs-out: what touches in a step or a sequence, as points with normals or as a list of pairs. */
#ifndef GRAZE_CLI_CONTACTS_H
#define GRAZE_CLI_CONTACTS_H

#include "app/outputs.h"
#include "app/step_run.h"

#include "io/folder.h"

typedef struct cli_contact {
    uint64_t step;
    graze_pair pair;
    double toi, point[3], normal[3];
} cli_contact;

typedef struct cli_contacts {
    io_output output;
    int format; /* by the file's name */
    cli_contact *list;
    size_t count, capacity;
} cli_contacts;

/* The format is told by the ending: .ply, .vtk, .obj, .json. Exits 2 for another one, or when it cannot be written. */
void cli_contacts_open(cli_contacts *contacts, const char *path, bool json);
/* Adds what the step found: all pairs of mode all, else the pair that limits it. The three formats of points take only
   pairs whose contact is known. */
void cli_contacts_add(cli_contacts *contacts, const app_frames *frames, const graze_step_result *result, uint64_t step);
void cli_contacts_close(cli_contacts *contacts);

/* One entry of --pairs-out: its comma, if it is not the first, then the object; `step` is left out where it is NULL. */
void cli_put_pair(FILE *stream, bool first, const app_frames *frames, const graze_pair_result *pair,
                  const uint64_t *step);

#endif
