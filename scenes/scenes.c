/* The table of scenes. */
#include "scenes/scenes.h"

#include "scenes/list.h"

#include <string.h>

static const scene_info scenes[] = {
    {"cloth-ball", "a sheet falls on a ball and folds over it", 40, scene_cloth_ball},
    {"n-body", "spheres attract each other and fly through each other's paths", 12, scene_n_body},
    {"rod-twist", "a hollow bar is turned at its ends until its walls meet", 40, scene_rod_twist},
};
#define SCENE_COUNT (sizeof scenes / sizeof *scenes)

const scene_info *scene_get(size_t index) { return index < SCENE_COUNT ? &scenes[index] : NULL; }

const scene_info *scene_find(const char *name) {
    for (size_t i = 0; i < SCENE_COUNT; i++)
        if (strcmp(name, scenes[i].name) == 0) return &scenes[i];
    return NULL;
}
