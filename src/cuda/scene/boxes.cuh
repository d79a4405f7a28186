/* Boxes of the vertices over [0, w] in float, through one map that keeps the order of any two numbers (minus an origin,
   times a power of two, rounded): what meets in double meets here. As src/broad/boxes.c and rough.h have it. */
#ifndef GZ_CUDA_SCENE_BOXES_CUH
#define GZ_CUDA_SCENE_BOXES_CUH

#include "cuda/device.cuh"

#include "numerics/view.h"
#include "pair/swept.h"

/* Positions of a vertex at both ends of the step, side by side: read in three pieces of sixteen bytes. */
struct __align__(32) gz_vertex_ends {
    double x0[3], x1[3];
    double radius; /* the vertex' thickness */
    uint32_t group, unused;
};

struct __align__(16) gz_device_box {
    float lo[3];
    uint32_t group;
    float hi[3];
    uint32_t unused;
};

__device__ inline float gz_float_min(float a, float b) { return fminf(a, b); }
__device__ inline float gz_float_max(float a, float b) { return fmaxf(a, b); }

/* `tight`: the box that the search for candidates has, else one that is a little wider, and cheap. */
__device__ inline gz_device_box gz_device_box_at(const gz_vertex_ends &v, double w, double grow, bool tight,
                                                 const gz_view &view) {
    gz_device_box box;
    gz_box window;
    grow = grow > 0 || v.radius > 0 ? gz_add_up(grow, v.radius) : 0;
    if (tight)
        gz_swept_box(v.x0, v.x1, w, grow, &window);
    else
        gz_window_box(v.x0, v.x1, w, grow, &window);
    for (int c = 0; c < 3; c++) {
        box.lo[c] = (float)((window.lo[c] - view.origin[c]) * view.scale);
        box.hi[c] = (float)((window.hi[c] - view.origin[c]) * view.scale);
    }
    box.group = v.group;
    box.unused = 0;
    return box;
}

#endif
