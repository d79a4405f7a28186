/* Exact answers to many queries on many threads, in order. */
#ifndef GRAZE_CLI_TRUTHS_H
#define GRAZE_CLI_TRUTHS_H

#include "app/app.h"

typedef struct cli_truth {
    bool hit;
    double lower, upper; /* NaN without a hit */
    char *polynomial;    /* as a JSON array; NULL without a hit, or when it was not asked for */
    double seconds;      /* that the decision and the bracket took */
} cli_truth;

typedef struct cli_truth_job {
    graze_truth_options options;
    uint64_t threads; /* 0: all cores */
    bool polynomials;
} cli_truth_job;

/* Decides queries[0 … count). Answers are released by cli_free_truths. Exits 2 on a failed call: `what` says on which
   file it worked. `progress` may be NULL; it goes on from what is done already. */
void cli_find_truths(const cli_truth_job *job, const char *what, graze_kind kind, const graze_query *queries,
                     size_t count, cli_truth *answers, app_progress *progress);
void cli_free_truths(cli_truth *answers, size_t count);

#endif
