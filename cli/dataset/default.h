/* graze dataset --make without a folder: scenes with ground truth from what the program makes itself. */
#ifndef GRAZE_CLI_DATASET_DEFAULT_H
#define GRAZE_CLI_DATASET_DEFAULT_H

#include "app/app.h"

/* Makes OUT/SCENE, a scene folder with frames and truth, of the last step of each simulated scene; `quick`, and where
   there is no simulator: of each generated scene. Goes on with a run that was cut off. Returns what was made, or NULL
   and prints it unless `json`. */
cJSON *cli_dataset_default(const char *out, bool quick, uint64_t threads, uint64_t limit, bool json);

#endif
