/* `graze articulate --range`: which links can touch within the limits of the joints. */
#ifndef GRAZE_CLI_ROBOTS_RANGE_H
#define GRAZE_CLI_ROBOTS_RANGE_H

#include "cli/made_models.h"

typedef struct cli_range_ask {
    double separation;
    uint64_t max_cells;      /* 0: the library's */
    const char *certificate; /* NULL, or where to write proofs and poses for `graze verify` */
    const char *srdf;        /* NULL, or where to write the pairs that are proven clear */
    bool json, no_times;
} cli_range_ask;

/* HIT where any pair touches, else UNRESOLVED where any is not settled. */
graze_verdict cli_answer_range(graze_context *context, const cli_model_file *file, const cli_range_ask *ask);

#endif
