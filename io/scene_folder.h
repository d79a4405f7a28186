/* Scene folders with ground truth: frames, the pairs that were looked at, and which of them collide. */
#ifndef GRAZE_IO_SCENE_FOLDER_H
#define GRAZE_IO_SCENE_FOLDER_H

#include "io/folder.h"

/* One step from frame `step` to frame `step` + 1. Paths of kind 0 (vf) and 1 (ee); NULL where a file does not exist. */
typedef struct io_scene_step {
    uint64_t step;
    const char *frame_a, *frame_b; /* borrowed from the scene's frames */
    char *boxes[2], *truth[2], *queries[2];
} io_scene_step;

typedef struct io_scene {
    io_frames frames;
    io_scene_step *steps; /* those with boxes, in numeric order */
    size_t step_count;
    bool sampled; /* sample.json is there: pairs that are not listed are not known, instead of clear */
} io_scene;

/* Boxes need both frames of their step and their truth; a folder without boxes has no steps. One with the file
   IO_SCENE_INCOMPLETE, whose lists are not all there yet, is an error. */
#define IO_SCENE_INCOMPLETE "make.incomplete"
#define IO_SCENE_SAMPLE "sample.json"
bool io_open_scene(const char *folder, io_scene *scene, io_error *error);
void io_free_scene(io_scene *scene);

#endif
