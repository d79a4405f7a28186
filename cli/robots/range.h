/* `graze articulate --range`: which links can touch within the limits of the joints. */
#ifndef GRAZE_CLI_ROBOTS_RANGE_H
#define GRAZE_CLI_ROBOTS_RANGE_H

#include "graze/range.h"

#include "cli/made_models.h"

typedef struct cli_range_ask {
    double separation;
    uint64_t max_cells;      /* 0: the library's */
    const char *certificate; /* NULL, or where to write proofs and poses for `graze verify` */
    const char *srdf;        /* NULL, or where to write the pairs that are proven clear */
    bool json, no_times;
} cli_range_ask;

/* One for each joint value. With `moving` only these two values range, all others stand. Free them. */
graze_joint_range *cli_ranges_of(const cli_model_file *file, const size_t *moving);

/* HIT where any pair touches, else UNRESOLVED where any is not settled. */
graze_verdict cli_answer_range(graze_context *context, const cli_model_file *file, const cli_range_ask *ask);

#endif
