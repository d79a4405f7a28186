/* Shapes of the library as meshes of links. */
#ifndef GRAZE_ROBOT_SHAPES_H
#define GRAZE_ROBOT_SHAPES_H

#include "graze/shapes.h"

#include "robot/tree.h"

/* Fills the shape with memory of the context; false with the tree's error set. */
typedef bool robot_make_shape(void *given, graze_context *context, graze_shape *shape);
/* Adds what `make` makes to the link, with its radius. NULL with the error set. */
robot_mesh *robot_add_shape(robot_tree *tree, robot_link *link, robot_make_shape *make, void *given);
/* True where the library made the shape; else its reason is in `reason`. */
bool robot_shape_made(graze_context *context, graze_status status, char *reason, size_t size);

#endif
