/* Follows the proof of one pair of links, letter by letter. */
#ifndef GRAZE_VERIFY_PATH_WALK_H
#define GRAZE_VERIFY_PATH_WALK_H

#include "verify/path_scene.h"

/* True if a text begins as a certificate of this format, in quotes, does. */
bool verify_begins_as(const char *text, size_t size, const char *format);

/* Cost of a proof: known from its text alone. */
typedef struct path_cost {
    uint64_t windows, directions;
} path_cost;

/* Reads the proof of a pair without any arithmetic. False: it does not cover all triangles at all times, or is not of
   the right letters. */
bool path_walk_count(const path_scene *scene, path_pair pair, path_text proof, path_cost *cost,
                     char reason[VERIFY_TEXT]);

/* Checks it. `joints` are those of all links on this path. */
bool path_walk_check(const path_scene *scene, const joint_motion *joints, path_pair pair, path_text proof,
                     char reason[VERIFY_TEXT]);

/* The lowest link that carries both; -1: the world. */
int path_ancestor(const path_scene *scene, path_pair pair);

/* Joints on the way from one link of a pair to the other. */
size_t path_joints_between(const path_scene *scene, path_pair pair);

#endif
