/* A first look at vertex–face and edge–edge pairs in float, from positions in float: reading a pair costs half of what
   it costs in double, and most are plainly apart. What the look leaves is asked as if it had not been:
   docs/numerics.md, section 4.14. */
#ifndef GZ_CUDA_FAR_CUH
#define GZ_CUDA_FAR_CUH

#include "cuda/scene/boxes.cuh"

#include "pair/far.h"
#include "pair/probe.h"
#include "pair/view_kernel.h"

/* the functions of the CPU, but with divisions that are not rounded right: a direction may be any */
namespace gz_rough_lanes {
static GZ_INLINE f_real f_div(f_real a, f_real b) {
#if defined(__CUDA_ARCH__)
    return __fdividef(a, b);
#else
    return a / b;
#endif
}
#include "numerics/as_float.h"

#include "pair/probe_body.h"

#include "pair/far_look.h"
} // namespace gz_rough_lanes

/* A vertex at both ends of the step, in the view and in one sector of memory: x, y, z of the start, its own slack; x,
   y, z of the end, 0. */
struct __align__(32) gz_far_vertex {
    float end[8];
};

/* Data that a kernel needs for the look. */
struct gz_far_look {
    const gz_far_vertex *vertices; /* NULL: there is none */
    const uint32_t *faces, *edges;
    const float *reach;
};

__device__ inline gz_far_vertex gz_far_vertex_at(const gz_vertex_ends &v, double w, const gz_view &view) {
    gz_far_vertex far;
    double size = 0;
    for (int c = 0; c < 3; c++) {
        double from = in_view(&view, c, v.x0[c]);
        far.end[c] = (float)from;
        far.end[4 + c] = (float)in_view(&view, c, v.x0[c] + w * (v.x1[c] - v.x0[c]));
        size = d_max(far_size(&view, c, from, v.x0[c], v.x1[c]), size);
    }
    far.end[3] = gz_far_slack(__double2float_ru(size), GZ_FAR_SLACK);
    far.end[7] = 0;
    return far;
}

/* True if the pair is apart by more than `reach` on all of the step, by one direction or by one for each quarter. Its
   slack is that of its own vertices. */
template <graze_kind kind, bool quarters>
__device__ inline bool gz_is_far(const gz_far_vertex *vertices, const uint32_t ids[4], float reach) {
    gz_far_vertex v[4];
    const float *rows[4][f_width];
    float slack = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        v[i] = vertices[ids[i]];
        rows[i][0] = v[i].end;
        slack = f_max(v[i].end[3], slack);
    }
    return quarters ? gz_rough_lanes::far_quarters(kind, rows, slack, reach)
                    : gz_rough_lanes::far_lanes(kind, rows, slack, reach);
}

#endif
