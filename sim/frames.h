/* Frames on disk: PLY files that any reader takes, with all that a run needs to go on from one.
 *
 * The vertices that may touch, with their velocities as further properties; faces; free edges; and, as an element of
 * its own, the vertices inside solids. */
#ifndef GRAZE_SIM_FRAMES_H
#define GRAZE_SIM_FRAMES_H

#include "sim/world.h"

#include "io/error.h"

/* DIR/frames/NAME_<k>.ply. Free it. */
char *sim_frame_path(const char *folder, const char *name, uint32_t frame);

/* The file appears when it is whole; false with the reason otherwise, on a full disk for example. */
bool sim_frame_write(const char *path, const sim_world *world, io_error *error);

/* Positions and velocities of a frame of this very world; false with the reason when the file is not there, not whole,
   or of another scene. Then the world is as before. */
bool sim_frame_read(const char *path, sim_world *world, io_error *error);

#endif
