/* The file of `graze articulate --plan`: a trajectory of one model's joints (docs/articulated.md). */
#ifndef GRAZE_ROBOT_PLAN_FILE_H
#define GRAZE_ROBOT_PLAN_FILE_H

#include "graze/plan.h"

#include "robot/model_file.h"

typedef struct robot_plan {
    graze_path path; /* its body is the model's number; knots and control points are the plan's own */
    double *knots, *control;
    bool has_way_points; /* positions at times, the path goes through them; else a spline as it was given */
} robot_plan;

/* On failure there is nothing to free. Joints that the file does not name stand where their model stands. */
bool robot_read_plan(const char *path, const robot_models *models, robot_plan *plan, io_error *error);
bool robot_parse_plan(io_source source, const robot_models *models, robot_plan *plan, io_error *error);
void robot_free_plan(robot_plan *plan);

#endif
