/* graze dataset --make: boxes, truth and queries for a folder that has only frames. */
#ifndef GRAZE_CLI_DATASET_MAKE_H
#define GRAZE_CLI_DATASET_MAKE_H

#include "app/app.h"

/* Writes boxes/, mma_bool/ and queries/ beside `folder`/frames for every step k from frame k to k + 1: all pairs whose
   swept boxes meet, or `limit` of them, with exact truth. Exits 2 when one of these folders holds something already, so
   that truth from elsewhere is never replaced, but goes on with a run of its own that was cut off. With `mine` what
   is there is such a run, whole or not. Returns what was made, or NULL and prints it unless `json`. */
cJSON *cli_dataset_make(const char *folder, uint64_t threads, uint64_t limit, bool mine, bool json);

#endif
