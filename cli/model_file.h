/* The file of `graze articulate`: models, their motion, pairs that are left out. */
#ifndef GRAZE_CLI_MODEL_FILE_H
#define GRAZE_CLI_MODEL_FILE_H

#include "cli/robot.h"

/* One model on one segment, in the library's order. */
typedef struct cli_segment_motion {
    double *from, *to;
    double (*turns)[3];
    double (*cubic)[4];
} cli_segment_motion;

typedef struct cli_model_file {
    const char *path;
    cJSON *json;
    cli_robot *robots;
    size_t robot_count;
    size_t segments;
    bool is_path;               /* answers are a list, though there may be one segment only */
    cli_segment_motion *motion; /* [segment][robot] */
    uint8_t **screws;           /* [robot]: NULL, or a byte for each of its links */
    uint8_t *link_pairs;
    double separation, tolerance;
} cli_model_file;

/* Exits 2 with one line for what is wrong. */
void cli_read_model_file(graze_context *context, const char *path, cli_model_file *file);
void cli_free_model_file(graze_context *context, cli_model_file *file);

/* What the library takes for one segment. Free it. */
graze_motion *cli_segment(const cli_model_file *file, size_t segment);
/* The library's values of a pose, a list or by the names of joints, those of mimicking joints included. Free it. */
double *cli_pose(const cli_model_file *file, size_t robot, const cJSON *values);
const cli_robot_link *cli_link_at(const cli_robot *robot, uint32_t place);

#endif
