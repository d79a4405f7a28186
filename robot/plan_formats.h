/* Trajectories in formats of other tools, as the tree of values that a plan in JSON has: "joints", "times", "positions"
   and, where they are given, "velocities" and "accelerations". Values keep the line that they come from. */
#ifndef GRAZE_ROBOT_PLAN_FORMATS_H
#define GRAZE_ROBOT_PLAN_FORMATS_H

#include "io/json_build.h"

/* On failure there is nothing to free; else io_json_free. */

/* A header of "time" and names of joints, then a row of numbers for each time. NAME/position or NAME.position is NAME;
   velocity and acceleration may stand in its place. */
bool robot_parse_plan_csv(io_source source, io_json_file *file, io_error *error);
/* A trajectory_msgs/JointTrajectory as ROS 1 and ROS 2 print it. */
bool robot_parse_plan_yaml(io_source source, io_json_file *file, io_error *error);

#endif
