/* Where bodies and links are at a time, in doubles without bounds: for pictures. */
#ifndef GRAZE_CLI_WORLD_PLACES_H
#define GRAZE_CLI_WORLD_PLACES_H

#include "graze/world.h"

/* Rotations of the poses are of length 1. */

/* The pose of a RIGID body. */
void cli_rigid_pose(const graze_body_motion *motion, double t, graze_frame *pose);

/* A link's joint, as it is numbered in its model; `value`: its first. */
typedef struct cli_joint {
    graze_joint_kind kind;
    graze_frame origin;
    const double *axis;
    size_t link, value;
} cli_joint;
/* The pose of the link in its parent's frame. */
void cli_joint_pose(const cli_joint *joint, const graze_motion *motion, double t, graze_frame *pose);

/* `inner` seen from where `outer` is. */
graze_frame cli_pose_within(const graze_frame *outer, const graze_frame *inner);
void cli_point_at(const graze_frame *pose, const double x[3], double to[3]);

#endif
