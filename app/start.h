/* Intersections in frame A, before anything moves. */
#ifndef GRAZE_APP_START_H
#define GRAZE_APP_START_H

#include "app/step_run.h"

#include "io/intersections.h"

/* Counts the intersections of frame A. Where `list` is not NULL it receives them; free it. Exits 2 on failure. */
uint64_t app_find_intersections(graze_context *context, const app_frames *frames, io_intersection **list);

#endif
