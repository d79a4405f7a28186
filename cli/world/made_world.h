/* A world as its file describes it, made: bodies, motions, and the library's world. */
#ifndef GRAZE_CLI_WORLD_MADE_WORLD_H
#define GRAZE_CLI_WORLD_MADE_WORLD_H

#include "app/app.h"

#include "graze/world.h"
#include "robot/world_file.h"

typedef struct cli_world {
    graze_context *context;
    robot_world read;
    graze_mesh *meshes; /* of bodies without a model */
    graze_model **models;
    graze_motion *joints;
    graze_body *bodies;
    graze_body_motion *motions;
    graze_world_pair *skips;
    size_t skip_count, skip_room;
    graze_world *world;
} cli_world;

/* Exits 2 with one line for what is wrong. */
void cli_open_world(const char *path, uint64_t threads, cli_world *world);
void cli_close_world(cli_world *world);

/* Exits 2 with the line of the library, and the body's name in place of its number. */
_Noreturn void cli_fail_body(const cli_world *world, graze_status status);

#endif
