/* The options that query, step and sequence share: which method answers, and how. */
#ifndef GRAZE_APP_NARROW_H
#define GRAZE_APP_NARROW_H

#include "app/app.h"

typedef struct cli_narrow {
    const char *method;
    double separation, tolerance, t_max;
    uint64_t max_checks;
} cli_narrow;

#define CLI_NARROW_DEFAULTS                                                                                            \
    { .t_max = 1 }

/* Entries for a table of options; `n` is a cli_narrow. */
#define CLI_NARROW_OPTIONS(n)                                                                                          \
    {"--method", CLI_TEXT, &(n).method, "M", "how pairs are decided; `graze info` lists the methods"},                 \
        {"--separation", CLI_NUMBER, &(n).separation, "D", "distance that counts as contact (0)"},                     \
        {"--tolerance", CLI_NUMBER, &(n).tolerance, "X", "gap at which an unproven hit is reported (0: automatic)"},   \
        {"--max-checks", CLI_COUNT, &(n).max_checks, "N", "work allowed to one pair (0: the method's own)"}, {         \
        "--t-max", CLI_NUMBER, &(n).t_max, "T", "end of the time looked at, in (0, 1] (1)"                             \
    }

/* Checks the values, or exits 2. */
graze_options cli_narrow_options(const char *command, const cli_narrow *narrow);

/* The tolerance that is in force: the one given or the method's own; 0 for automatic. */
double cli_tolerance_in_force(const graze_options *options);

/* The verdict of that name; false where the item is none. */
bool cli_verdict_read(const cJSON *item, graze_verdict *verdict);

/* 0, or with --exit-code 1 for a hit, 3 for unresolved. */
int cli_verdict_status(bool exit_code, bool hit, bool unresolved);

#endif
