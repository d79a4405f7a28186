/* The scenes, one file each. */
#ifndef GRAZE_SCENES_LIST_H
#define GRAZE_SCENES_LIST_H

#include "scenes/scenes.h"

scene_generate scene_cloth_ball;
scene_generate scene_n_body;
scene_generate scene_rod_twist;

#endif
