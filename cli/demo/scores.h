/* Results that demo/demo.sh has collected in a folder: for each method scene-METHOD.json and hand-METHOD.json, and
   other answers. */
#ifndef GRAZE_CLI_DEMO_SCORES_H
#define GRAZE_CLI_DEMO_SCORES_H

#include "app/app.h"

typedef struct cli_demo_score {
    bool known, limited; /* limited: the run was repeated with few checks, because it took too long without */
    double queries, truth, false_positives, false_negatives, unresolved, mean_us, max_us;
} cli_demo_score;

enum { CLI_DEMO_LIMITED_CHECKS = 4096 }; /* as in demo/demo.sh */

typedef struct cli_demo_row {
    const graze_method_info *info;
    cli_demo_score scene, hand;
} cli_demo_row;

/* NULL where the file is not there or not whole: a run that was cut off. */
cJSON *cli_demo_json(const char *folder, const char *name);
/* The number at a path such as "time_us.mean"; NAN where it is not there. */
double cli_demo_number(const cJSON *object, const char *path);

/* A row for each method of this build; free them. */
size_t cli_demo_read_rows(const char *folder, cli_demo_row **rows);
/* The three that stand for all: ours, the proven one before it, and roots in floating point. */
bool cli_demo_is_one_of_three(const cli_demo_row *row);
const char *cli_demo_promise(const cli_demo_row *row);

#endif
