/* "limits" of a model file, or a file of their own: {"model": {"joint": [lower, upper]}}. Joints of
   several values stand: {"joint": [[v, v], …]}, a pair for each. */
#ifndef GRAZE_ROBOT_LIMITS_H
#define GRAZE_ROBOT_LIMITS_H

#include "io/json_reader.h"
#include "robot/model_file.h"

/* Replaces the limits of the joints that are named. */
bool robot_take_limits(const io_json_file *json, const io_json *limits, robot_models *models);
bool robot_read_limits(const char *path, robot_models *models, io_error *error);

#endif
