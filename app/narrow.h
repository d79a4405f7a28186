/* The options that query, step and sequence share: which method answers, and how. */
#ifndef GRAZE_APP_NARROW_H
#define GRAZE_APP_NARROW_H

#include "app/app.h"

typedef struct app_narrow {
    const char *method;
    double separation, tolerance, t_max;
    uint64_t max_checks;
} app_narrow;

#define APP_NARROW_DEFAULTS                                                                                            \
    { .t_max = 1 }

/* Entries for a table of options; `n` is a app_narrow. */
#define APP_NARROW_OPTIONS(n)                                                                                          \
    {"--method", APP_TEXT, &(n).method, "M", "method for each pair; `graze info` lists them"},                         \
        {"--separation", APP_NUMBER, &(n).separation, "D", "distance that counts as contact (0)"},                     \
        {"--tolerance", APP_NUMBER, &(n).tolerance, "X", "gap at which an unproven hit is reported (0: automatic)"},   \
        {"--max-checks", APP_COUNT, &(n).max_checks, "N", "most checks of one pair (0: the method's default)"}, {      \
        "--t-max", APP_NUMBER, &(n).t_max, "T", "end of the time interval, in (0, 1] (1)"                              \
    }

/* Checks the values, or exits 2. */
graze_options app_narrow_options(const char *command, const app_narrow *narrow);

/* The tolerance that is in force: the one given or the method's own; 0 for automatic. */
double app_tolerance_in_force(const graze_options *options);

/* The verdict of that name; false where the item is none. */
bool app_verdict_read(const cJSON *item, graze_verdict *verdict);

/* 0, or with --exit-code 1 for a hit, 3 for unresolved. */
int app_verdict_status(bool exit_code, bool hit, bool unresolved);

#endif
