/* Ends and boxes of the vertices. */
#include "cuda/scene/scene.cuh"

static __device__ bool is_within(double x, double largest) { return fabs(x) <= largest; /* NaN is not */ }

#define BOX_BLOCK 128u

/* Rows of a block, one after another from x on: read side by side, since they may lie in the memory of the host. */
static __device__ void read_rows(const char *x, uint32_t first, uint32_t count, double *rows) {
    const double *from = (const double *)x + 3 * (size_t)first;
    uint32_t numbers = 3 * min(BOX_BLOCK, count - first);
#pragma unroll
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t i = k * BOX_BLOCK + threadIdx.x;
        if (i < numbers) rows[i] = from[i];
    }
}

/* Positions of vertex i, one of the block's, at both ends. */
static __device__ void read_ends(const gz_device_positions &x, uint32_t i, uint32_t count, gz_vertex_ends *v) {
    __shared__ double rows[2][3 * BOX_BLOCK];
    const double *x0 = rows[0] + 3 * threadIdx.x, *x1 = rows[1] + 3 * threadIdx.x;
    if (x.stride == sizeof(double[3])) {
        read_rows(x.x0, blockIdx.x * BOX_BLOCK, count, rows[0]);
        if (x.x1 != x.x0) read_rows(x.x1, blockIdx.x * BOX_BLOCK, count, rows[1]);
        __syncthreads();
        if (x.x1 == x.x0) x1 = x0; /* nothing moves, and reading it again would take as long */
    } else if (i < count) {
        x0 = gz_position_of(x.x0, x.stride, i), x1 = gz_position_of(x.x1, x.stride, i);
    }
    for (int c = 0; c < 3 && i < count; c++) v->x0[c] = x0[c], v->x1[c] = x1[c];
}

/* Ends and box of each vertex; without `pack` the ends are there already. */
template <bool pack>
static __global__ void __launch_bounds__(BOX_BLOCK)
    make_boxes(const double *thickness, const uint32_t *groups, uint32_t count, gz_vertex_ends *ends,
               gz_device_box *boxes, gz_far_vertex *far, gz_step_state *state) {
    uint32_t i = blockIdx.x * BOX_BLOCK + threadIdx.x;
    gz_vertex_ends v;
    if (pack) read_ends(state->input.positions, i, count, &v);
    if (i >= count) return;
    if (pack) {
        bool good = true;
        for (int c = 0; c < 3; c++)
            good &= is_within(v.x0[c], state->input.largest) && is_within(v.x1[c], state->input.largest);
        v.radius = thickness ? thickness[i] : 0;
        v.group = groups ? groups[i] : 0;
        v.unused = 0;
        ends[i] = v;
        if (!good) state->bad = 1;
    } else {
        v = ends[i];
    }
    boxes[i] = gz_device_box_at(v, state->input.window, state->input.grow, state->input.tight, state->input.view);
    if (far) far[i] = gz_far_vertex_at(v, state->input.window, state->input.view);
}

void gz_device_scene_boxes(gz_device_scene &s, bool pack, gz_step_state *state, bool looks) {
    const double *thickness = s.has_thickness ? s.thickness.items : NULL;
    const uint32_t *groups = s.has_groups ? s.vertex_groups.items : NULL;
    auto kernel = pack ? make_boxes<true> : make_boxes<false>;
    kernel<<<gz_blocks_for(s.vertex_count, BOX_BLOCK), BOX_BLOCK, 0, s.stream>>>(
        thickness, groups, s.vertex_count, s.ends.items, s.boxes.items, looks ? s.far.items : NULL, state);
}
