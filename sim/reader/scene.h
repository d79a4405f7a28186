/* A scene: a world and how to run it, from a JSON text. The format is in docs/simulator.md. */
#ifndef GRAZE_SIM_READER_SCENE_H
#define GRAZE_SIM_READER_SCENE_H

#include "sim/world.h"

typedef struct sim_scene {
    char name[64];
    uint32_t frames; /* to simulate by default */
    bool active_set; /* constraints in place of barriers */
    double offset;   /* η of the active set */
    sim_world world;
} sim_scene;

/* Reads a scene. `size` 0: the scene's own. Ends the program with one line when something is wrong: an unknown key, a
   file that is missing, a mesh that is inverted or flat, bodies that intersect at the start. */
void sim_scene_read(sim_scene *scene, const char *file, const char *text, double size, graze_context *context);
void sim_scene_free(sim_scene *scene, graze_context *context);

/* The scenes that come with the program, in order; NULL past the last one. */
typedef struct sim_builtin {
    const char *name, *text;
} sim_builtin;
const sim_builtin *sim_builtin_get(size_t index);
const sim_builtin *sim_builtin_find(const char *name);
/* A line that says what it shows. Free it. */
char *sim_builtin_summary(const sim_builtin *builtin);

#endif
