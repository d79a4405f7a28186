/* Report of `graze sequence`: the steps are the JSON objects of its list, made now or read from an earlier run. */
#ifndef GRAZE_CLI_SEQUENCE_REPORT_H
#define GRAZE_CLI_SEQUENCE_REPORT_H

#include "app/step_run.h"

typedef struct cli_sequence_total {
    uint64_t steps, hit, clear, unresolved, failed, with_intersections;
} cli_sequence_total;

cli_sequence_total cli_sequence_count(const cJSON *steps);
cJSON *cli_sequence_total_json(const cli_sequence_total *total);
cJSON *cli_sequence_gaps(const cJSON *steps);

/* "60 of 120 steps touch, 3 start with intersections", then a row for each step. */
void cli_sequence_print(const cJSON *steps, size_t planned);
/* As cli_sequence_print, but as a page, for a build without the viewer. */
void cli_sequence_page(FILE *out, const app_step_settings *settings, const char *name, const cJSON *steps,
                       size_t planned);

#endif
