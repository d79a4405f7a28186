/* The file of `graze articulate`: models, their motion, pairs that are left out (docs/articulated.md). */
#ifndef GRAZE_ROBOT_MODEL_FILE_H
#define GRAZE_ROBOT_MODEL_FILE_H

#include "robot/tree.h"

/* Of one model, in the library's order. */
typedef struct robot_motion {
    double *poses; /* one behind the other: 1 for a model that stands, else one more than there are segments */
    size_t pose_count;
    double (*turns)[3];
    double (*cubic)[4];
    uint8_t *screws, *rotvecs; /* NULL, or a byte for each link */
} robot_motion;

/* Links that are not tested against each other: two rows of links, counted over all models in the library's order. */
typedef struct robot_skip {
    uint32_t first[2], count[2];
} robot_skip;

typedef struct robot_models {
    const char *path;
    robot_tree *trees;
    robot_motion *motions;
    size_t count;
    size_t *first_link; /* of each model among all links, and of none: how many there are */
    size_t segments;
    bool is_path; /* answers are a list, though there may be one segment only */
    robot_skip *skips;
    size_t skip_count, skip_room;
    double separation, tolerance;
    io_error *error;
} robot_models;

/* On failure there is nothing to free. `path` is borrowed; what the command line names may be a pipe. */
bool robot_read_models(const char *path, robot_models *models, io_error *error);
bool robot_parse_models(io_source source, robot_models *models, io_error *error);
void robot_free_models(robot_models *models);

/* One model on one segment: borrowed. */
graze_motion robot_segment(const robot_models *models, size_t model, size_t segment);

/* The table that graze_articulated_options.link_pairs takes: NULL where nothing is skipped. False without memory, or
   with more links than such a table is made for. Free it. */
bool robot_link_table(const robot_models *models, uint8_t **table);

#endif
