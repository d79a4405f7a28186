/* The parts of robot/model_file.c. Each returns false with the error of the file set. */
#ifndef GRAZE_ROBOT_MODEL_READER_H
#define GRAZE_ROBOT_MODEL_READER_H

#include "io/json_reader.h"
#include "robot/model_file.h"

typedef struct robot_reader {
    io_json_file json;
    robot_models *models;
    robot_names names; /* of models */
} robot_reader;

bool robot_out_of_memory(const robot_reader *reader);
/* Keys that exclude each other: false where `object` has the key `one` and any of `others` ("a b c"). */
bool robot_alone(const robot_reader *reader, const io_json *object, const char *one, const char *others);

/* "position" and "rotation"; the identity without an object. */
bool robot_read_frame(const robot_reader *reader, const io_json *object, graze_frame *frame);
/* One of "shapes". */
bool robot_read_shape(const robot_reader *reader, robot_tree *tree, robot_link *link, const io_json *object);
/* A link has one padding: shapes of other radii become parts of it. */
bool robot_split_radii(const robot_reader *reader, robot_tree *tree);

/* "models", "motion" and "skip" with the SRDF files of the models. */
bool robot_read_trees(robot_reader *reader);
bool robot_read_motions(robot_reader *reader);
bool robot_read_skips(robot_reader *reader);

#endif
