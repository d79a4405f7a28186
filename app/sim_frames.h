/* The simulator as a source of data: started as the program that it is, and the frames of five scenes that are kept. */
#ifndef GRAZE_APP_SIM_FRAMES_H
#define GRAZE_APP_SIM_FRAMES_H

#include "io/error.h"

#include <cjson/cJSON.h>
#include <stddef.h>

/* Runs `program` with these arguments on one thread and returns the JSON object that it prints; NULL with the error
   set, in the program's own words where it had any. */
cJSON *app_sim_start(const char *program, io_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum { APP_KEPT_ROOM = 1100 }; /* for the name of a folder */

/* The scenes that data are made from by default; NULL after the last. */
const char *app_kept_scene(size_t index);

/* True if there is a place to keep frames: the user's cache. */
bool app_kept_place(char folder[APP_KEPT_ROOM]);

/* The frames of a scene at its default size, in folder/frames/SCENE_<k>.ply: made where they are not yet there, which
   takes a minute. A new version makes them anew. */
bool app_kept_frames(const char *program, const char *scene, char folder[APP_KEPT_ROOM], unsigned *frames,
                     io_error *error);

#endif
