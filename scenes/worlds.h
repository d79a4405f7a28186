/* Worlds of bodies that move in different ways: a gripper that folds a cloth, parts that tumble in a bin, a car door
   that closes on its seal. Functions of their name and size alone, to the last bit on every machine. */
#ifndef GRAZE_SCENES_WORLDS_H
#define GRAZE_SCENES_WORLDS_H

#include "graze/world.h"

#include "scenes/parts.h"

typedef struct scene_body {
    const char *name;
    graze_body_kind kind;
    bool yields;              /* it may be stopped: whole, or where it deforms vertex by vertex */
    const scene_mesh *mesh;   /* its faces, and its rest positions or those of the present */
    graze_frame pose;         /* of a rigid one, now */
    double speed[3], spin[3]; /* in one frame; the spin as the tangent of half of its angle along an axis */
} scene_body;

typedef struct scene_world {
    const char *name, *summary;
    uint32_t frames;
    double separation; /* that it is stepped with */
    scene_body *bodies;
    size_t count;
    scene_mesh meshes[4];
    scene_springs springs;  /* of the cloth */
    double (*wanted)[4][3]; /* control positions of the body that deforms */
} scene_world;

/* NULL past the last one. */
const char *scene_world_name(size_t index);
/* `size`: cells along a cloth, parts in a bin, cells along a seal; 0: as many as it is shown with. NULL for a name that
   is none, and without memory. */
scene_world *scene_world_make(const char *name, uint32_t size);
void scene_world_free(scene_world *world);

/* The motion that each body has in a frame where nothing is in its way. Positions are borrowed until the next call. */
void scene_world_want(scene_world *world, uint32_t frame, graze_body_motion *motions);
/* A body that yields stays where it is in this frame: all of it, or one vertex of one that deforms. False where it
   stays already, or does not yield. */
bool scene_world_stop(scene_world *world, graze_body_motion *motions, uint32_t body, uint32_t vertex);
/* The ends of these motions are where the next frame begins; what was stopped rebounds. */
void scene_world_take(scene_world *world, const graze_body_motion *motions);

#endif
