/* The file of `graze step WORLD.json`: bodies that move in every way, in one step (docs/worlds.md). */
#ifndef GRAZE_ROBOT_WORLD_FILE_H
#define GRAZE_ROBOT_WORLD_FILE_H

#include "graze/world.h"

#include "io/mesh.h"
#include "robot/model_file.h"

typedef struct robot_world_body {
    char *name;
    graze_body_kind kind;
    char *model_path;
    robot_models models; /* MODEL: one, on one segment */
    io_mesh meshes[4];   /* the mesh, or control positions: STRAIGHT has two, CUBIC four */
    size_t mesh_count;
    graze_body_motion motion; /* AFFINE and RIGID: matrices, poses, path */
    double padding;
} robot_world_body;

typedef struct robot_world {
    const char *path;
    robot_world_body *bodies;
    size_t count;
    double separation;
} robot_world;

/* On failure there is nothing to free. `path` is borrowed. */
bool robot_read_world(const char *path, robot_world *world, io_error *error);
bool robot_parse_world(io_source source, robot_world *world, io_error *error);
void robot_free_world(robot_world *world);

#endif
