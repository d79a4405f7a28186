/* One link over short windows of time against cubes: proof that it is never in one, and that it once is. */
#ifndef GZ_ARTICULATED_SWEPT_SWEEP_H
#define GZ_ARTICULATED_SWEPT_SWEEP_H

#include "articulated/inside.h"

enum { GZ_SWEEP_AXES = 6 };

/* A closed cube; its numbers are exact. */
typedef struct gz_cube {
    double center[3], half;
} gz_cube;

/* The link over one window: along the axes of the world and its own, and where it is in the middle. */
typedef struct gz_sweep_window {
    gz_frame_model frame;
    gz_projection along[GZ_SWEEP_AXES];
    gz_frame_model middle; /* of a single time */
    double error;          /* of points there, along each axis */
    bool begins;           /* a segment: `middle` is its start, and nothing else is used of the window */
} gz_sweep_window;

typedef struct gz_sweep {
    const gz_link *link;
    double extent[3]; /* of the link */
    double reach[3];  /* of all cubes */
    gz_sweep_window *windows;
    size_t count;
} gz_sweep;

/* The window of the frames, which is from `begin` to `end`. */
void gz_sweep_set(const gz_sweep *sweep, gz_sweep_window *window, gz_frames *frames, uint32_t link, double begin,
                  double end);
/* The start of a segment alone. */
void gz_sweep_set_start(const gz_sweep *sweep, gz_sweep_window *window, gz_frames *frames, uint32_t link);

/* Proven: throughout the window no point of the node, padding included, is in the cube. */
bool gz_sweep_apart(const gz_sweep *sweep, const gz_sweep_window *window, const gz_face_node *node,
                    const gz_cube *cube);
/* As gz_sweep_apart(), but for a face, which has directions of its own. */
bool gz_sweep_face_apart(const gz_sweep *sweep, const gz_sweep_window *window, uint32_t face, const gz_cube *cube);
/* Proven: in the middle of the window a point of the face, padding included, is in the cube. */
bool gz_sweep_touches(const gz_sweep *sweep, const gz_sweep_window *window, uint32_t face, const gz_cube *cube);

/* True if the middle of the cube is in a closed part of the link at the start of a segment. */
gz_inside gz_sweep_inside(const gz_sweep *sweep, const gz_sweep_window *start, const gz_cube *cube);

#endif
