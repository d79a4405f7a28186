/* Articulated examples made without outside data: walkers, machines, trains, an arm among obstacles.
 *
 * As the other scenes they are a function of their name alone, to the last bit on every machine. */
#ifndef GRAZE_SCENES_ARTICULATED_H
#define GRAZE_SCENES_ARTICULATED_H

#include "graze/articulated.h"

#include "scenes/scenes.h"

enum { SCENE_MOST_LINKS = 17, SCENE_MOST_MODELS = 18, SCENE_MOST_VALUES = 64 };

/* One model: links that share a pool of shapes. */
typedef struct scene_machine {
    const char *name;
    graze_link links[SCENE_MOST_LINKS];
    graze_link_mesh *meshes[SCENE_MOST_LINKS];
    size_t count;
} scene_machine;

typedef struct scene_articulated scene_articulated;

/* Joint values of model `machine` at `frame`; between two frames they change as joints do. */
typedef void scene_pose(const scene_articulated *scene, uint32_t frame, size_t machine, double *values);

struct scene_articulated {
    const char *name, *summary;
    scene_machine machines[SCENE_MOST_MODELS];
    size_t count;
    scene_mesh shapes[8];
    size_t shape_count;
    uint32_t frames;
    bool any; /* a planner asks: is the way free? */
    scene_pose *pose;
    size_t triangles;
};

/* The examples in order: NULL past the last one. */
const char *scene_articulated_name(size_t index);
const char *scene_articulated_summary(size_t index);
/* NULL for a name that is none, and without memory. */
scene_articulated *scene_articulated_make(const char *name);
void scene_articulated_free(scene_articulated *scene);

#endif
