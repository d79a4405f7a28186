#include "cuda/compared/ti.cuh"

#include <algorithm>
#include <cmath>

namespace {

#define MOST_DEPTH 52         /* halvings of one parameter that stay exact */
#define MOST_TAKEN (1u << 20) /* intervals of a round */

#define MOST_ROUNDS 100000

enum { ON_STACK, EARLIEST, STATES };

__global__ void make_pairs(gz_device_step s, const unsigned long long *codes, uint32_t count, gz_ti_pair *pairs,
                           gz_ti_interval *stack) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    graze_kind kind = (graze_kind)s.coder.kind(codes[i]);
    gz_vertex_ends v[4];
    graze_query query;
    gz_device_vertices(s, kind, s.coder.a(codes[i]), s.coder.b(codes[i]), v);
    for (int row = 0; row < 4; row++)
        for (int c = 0; c < 3; c++) query.x0[row][c] = v[row].x0[c], query.x1[row][c] = v[row].x1[c];
    prepare(kind, &query, s.call.separation, &pairs[i]);
    /* the bit says that u + v ≤ 1 */
    stack[i] = {0, 0, 0, i | (kind == GRAZE_VF ? 0x80000000u : 0u), {0, 0, 0, 0}};
}

struct width {
    double along[3];
};

__device__ width width_of(const gz_ti_interval &box) {
    width w;
    for (int k = 0; k < 3; k++) w.along[k] = scalbn(1.0, -box.depth[k]);
    return w;
}

/* True if the box may hold a contact; `final` when it is so small, or so near, that cutting it shows nothing more. */
__device__ bool meets(const gz_ti_pair &pair, const gz_ti_interval &box, const width &w, double tolerance,
                      bool *final) {
    box_lanes lanes = {box.t, box.t + w.along[0], box.u, box.u + w.along[1], box.v, box.v + w.along[2]};
    bool small = true, within = true;
    for (int c = 0; c < 3; c++) {
        double low, high, reach = pair.reach[c];
        corner_range(&pair, c, &lanes, &low, &high);
        if (!(low <= reach && -reach <= high)) return false;
        small = small && high - low <= tolerance;
        within = within && -reach <= low && high <= reach;
    }
    *final = small || within;
    return true;
}

/* The parameter along which F stretches most over the box; −1 when none can be cut. */
__device__ int split_axis(const gz_ti_pair &pair, const gz_ti_interval &box, const width &w) {
    int axis = -1;
    double most = 0;
    for (int k = 0; k < 3; k++) {
        double length = w.along[k] * pair.stretch[k];
        if (length > most && box.depth[k] < MOST_DEPTH) most = length, axis = k;
    }
    return axis;
}

/* One interval: skipped when it begins after the earliest time, discarded when it holds no contact, else the earliest
   time, or two halves. */
__global__ void look_at(const gz_ti_pair *pairs, const gz_ti_interval *taken, uint32_t count, double tolerance,
                        double t_max, gz_ti_interval *stack, unsigned long long *state) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    gz_ti_interval box = taken[i];
    unsigned long long bits = (unsigned long long)__double_as_longlong(box.t);
    if (box.t > t_max || bits >= *(volatile unsigned long long *)&state[EARLIEST]) return;
    gz_ti_pair pair = pairs[box.pair & 0x7fffffffu];
    width w = width_of(box);
    bool final;
    if (!meets(pair, box, w, tolerance, &final)) return;
    int axis = final ? -1 : split_axis(pair, box, w);
    if (axis < 0) {
        atomicMin(&state[EARLIEST], bits);
        return;
    }
    double half = 0.5 * w.along[axis];
    gz_ti_interval parts[2] = {box, box};
    for (gz_ti_interval &part : parts) part.depth[axis]++;
    (axis == 0 ? parts[1].t : axis == 1 ? parts[1].u : parts[1].v) += half;
    bool both = !(box.pair & 0x80000000u) || parts[1].u + parts[1].v <= 1;
    unsigned long long at = atomicAdd(&state[ON_STACK], both ? 2ull : 1ull);
    /* the earlier half comes off first */
    if (both) stack[at] = parts[1];
    stack[at + both] = parts[0];
}

__global__ void take_off(const gz_ti_interval *stack, unsigned long long first, uint32_t count, gz_ti_interval *taken,
                         unsigned long long *state) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) taken[i] = stack[first + i];
    if (i == 0) state[ON_STACK] = first;
}

unsigned blocks_for(size_t count) { return (unsigned)((count + 127) / 128); }

bool reserve(gz_device_ti &ti, size_t count, gz_device_error &error) {
    /* each round puts at most as many more on the stack as it took off, and there are at most three times MOST_DEPTH */
    return ti.pairs.reserve(count, error) && ti.taken.reserve(MOST_TAKEN, error) &&
           ti.stack.reserve(count + 32 * (size_t)MOST_TAKEN, error) && ti.state.reserve(STATES, error) &&
           ti.host_state.reserve(STATES, error);
}

} // namespace

bool gz_compare_ti(gz_device_scene &s, gz_device_ti &ti, const gz_device_step &step, const unsigned long long *codes,
                   size_t count, double tolerance, gz_ti_found *found, gz_device_error &error) {
    *found = {INFINITY, 0, 0};
    if (!count) return true;
    if (count >= 0x80000000u) return error.note(cudaErrorInvalidValue, "too many pairs");
    if (!reserve(ti, count, error)) return false;
    unsigned long long *state = ti.host_state.items;
    state[ON_STACK] = count, state[EARLIEST] = ~0ull;
    error.note(cudaMemcpyAsync(ti.state.items, state, STATES * sizeof *state, cudaMemcpyHostToDevice, s.stream), "ti");
    make_pairs<<<blocks_for(count), 128, 0, s.stream>>>(step, codes, (uint32_t)count, ti.pairs.items, ti.stack.items);
    while (state[ON_STACK] && !error.failed()) {
        size_t left = ti.stack.room - state[ON_STACK]; /* never a dropped interval: what does not fit is not taken */
        uint32_t taken = (uint32_t)std::min({(size_t)state[ON_STACK], (size_t)MOST_TAKEN, left});
        if (!taken || found->rounds == MOST_ROUNDS) return error.note(cudaErrorMemoryAllocation, "intervals of ti");
        take_off<<<blocks_for(taken), 128, 0, s.stream>>>(ti.stack.items, state[ON_STACK] - taken, taken,
                                                          ti.taken.items, ti.state.items);
        look_at<<<blocks_for(taken), 128, 0, s.stream>>>(ti.pairs.items, ti.taken.items, taken, tolerance,
                                                         step.call.t_max, ti.stack.items, ti.state.items);
        found->checks += taken;
        found->rounds++;
        error.note(cudaMemcpyAsync(state, ti.state.items, STATES * sizeof *state, cudaMemcpyDeviceToHost, s.stream),
                   "ti");
        error.note(cudaGetLastError(), "ti");
        error.note(cudaStreamSynchronize(s.stream), "ti");
    }
    if (state[EARLIEST] != ~0ull) memcpy(&found->toi, &state[EARLIEST], sizeof found->toi);
    return !error.failed();
}

void gz_ti_release(gz_device_ti &ti) {
    ti.pairs.release(), ti.stack.release(), ti.taken.release(), ti.state.release(), ti.host_state.release();
}
