/* Sweep and tiniest queue (Belgrod et al., Algorithm 2): boxes sorted along the axis on which their middles spread
   most; a queue of neighbors (i, j) whose intervals meet there. Each entry is tested on the other axes and, when i
   reaches j + 1 too, goes back as (i, j + 1). A block has the queue of its own boxes in shared memory, one entry for
   each, so it never grows. */
#include "cuda/compared/boxes.cuh"

namespace {

#define QUEUE 128

__global__ void make_boxes(gz_compare_pair pair, uint32_t count, gz_box *boxes) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    uint32_t ids[4], rows = 1, first = 0;
    if (pair.kind == GRAZE_EE) {
        gz_device_ids(pair.step, GRAZE_EE, i, i, ids);
        rows = 2;
    } else if (i < pair.vertices) {
        ids[0] = i;
    } else {
        gz_device_ids(pair.step, GRAZE_VF, 0, i - pair.vertices, ids);
        first = 1;
        rows = 3;
    }
    gz_box box = gz_box_empty();
    for (uint32_t k = first; k < first + rows; k++) gz_device_add_box(pair.step, pair.step.ends[ids[k]], &box);
    boxes[i] = box;
}

/* Sums of the middles and of their squares, by axis. */
__global__ void find_spread(const gz_box *boxes, uint32_t count, double *spread) {
    double sums[6] = {0, 0, 0, 0, 0, 0};
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        for (int c = 0; c < 3; c++) {
            double middle = 0.5 * boxes[i].lo[c] + 0.5 * boxes[i].hi[c];
            sums[c] += middle;
            sums[3 + c] += middle * middle;
        }
    for (int k = 0; k < 6; k++) {
        for (int apart = 16; apart; apart /= 2) sums[k] += __shfl_down_sync(~0u, sums[k], apart);
        if (threadIdx.x % 32 == 0) atomicAdd(&spread[k], sums[k]);
    }
}

__global__ void make_keys(const gz_box *boxes, uint32_t count, int axis, unsigned long long *keys, uint32_t *ids) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    keys[i] = gz_ordered_bits(boxes[i].lo[axis]);
    ids[i] = i;
}

__global__ void gather_boxes(const gz_box *boxes, const uint32_t *ids, uint32_t count, gz_box *sorted) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) sorted[i] = boxes[ids[i]];
}

__device__ bool reaches(const gz_box *boxes, uint32_t count, int axis, uint32_t i, uint32_t j) {
    return j < count && boxes[j].lo[axis] <= boxes[i].hi[axis];
}

__global__ void __launch_bounds__(QUEUE) sweep(gz_compare_pair pair, const gz_box *boxes, const uint32_t *ids,
                                               uint32_t count, int axis, gz_device_list<unsigned long long> listed) {
    __shared__ uint2 queue[2][QUEUE];
    __shared__ uint32_t length[2];
    uint32_t i = blockIdx.x * QUEUE + threadIdx.x;
    int turn = 0;
    if (threadIdx.x < 2) length[threadIdx.x] = 0;
    __syncthreads();
    if (i < count && reaches(boxes, count, axis, i, i + 1)) queue[0][atomicAdd(&length[0], 1)] = make_uint2(i, i + 1);
    __syncthreads();
    while (length[turn]) {
        if (threadIdx.x < length[turn]) {
            uint2 entry = queue[turn][threadIdx.x];
            if (pair.match(ids[entry.x], ids[entry.y]) && gz_boxes_meet_but(boxes[entry.x], boxes[entry.y], axis))
                pair.list(ids[entry.x], ids[entry.y], listed);
            entry.y++;
            if (reaches(boxes, count, axis, entry.x, entry.y)) queue[!turn][atomicAdd(&length[!turn], 1)] = entry;
        }
        __syncthreads();
        if (threadIdx.x == 0) length[turn] = 0;
        turn = !turn;
        __syncthreads();
    }
}

/* The axis along which the middles vary most. */
int choose_axis(const double *spread, uint32_t count) {
    int best = 0;
    double most = -1;
    for (int c = 0; c < 3; c++) {
        double mean = spread[c] / count, variance = spread[3 + c] / count - mean * mean;
        if (variance > most) most = variance, best = c;
    }
    return best;
}

} // namespace

uint32_t gz_compare_boxes(gz_device_scene &s, gz_device_compare &c, const gz_device_step &step, graze_kind kind,
                          gz_device_error &error) {
    uint32_t count = kind == GRAZE_EE ? s.edge_count : s.vertex_count + s.face_count;
    if (!c.boxes.reserve(count, error) || !c.sorted.reserve(count, error) ||
        !c.keys.reserve(2 * (size_t)count, error) || !c.ids.reserve(2 * (size_t)count, error) ||
        !c.spread.reserve(6, error) || !c.host_spread.reserve(6, error))
        return 0;
    make_boxes<<<gz_blocks(count, 128), 128, 0, s.stream>>>(gz_compare_pair_of(s, step, kind), count, c.boxes.items);
    return count;
}

bool gz_compare_stq(gz_device_scene &s, gz_device_compare &c, const gz_device_step &step, graze_kind kind,
                    gz_device_list<unsigned long long> listed, gz_device_error &error) {
    uint32_t count = gz_compare_boxes(s, c, step, kind, error);
    if (error.failed()) return false;
    error.note(cudaMemsetAsync(c.spread.items, 0, 6 * sizeof(double), s.stream), "sweep");
    find_spread<<<4 * s.processors, 256, 0, s.stream>>>(c.boxes.items, count, c.spread.items);
    error.note(
        cudaMemcpyAsync(c.host_spread.items, c.spread.items, 6 * sizeof(double), cudaMemcpyDeviceToHost, s.stream),
        "sweep");
    if (!error.note(cudaStreamSynchronize(s.stream), "sweep")) return false;
    int axis = choose_axis(c.host_spread.items, count);
    make_keys<<<gz_blocks(count, 256), 256, 0, s.stream>>>(c.boxes.items, count, axis, c.keys.items, c.ids.items);
    if (!gz_device_sort(c.sort_bytes, c.keys.items, c.ids.items, count, 64, s.stream, error)) return false;
    const uint32_t *ids = c.ids.items + count;
    gather_boxes<<<gz_blocks(count, 256), 256, 0, s.stream>>>(c.boxes.items, ids, count, c.sorted.items);
    sweep<<<gz_blocks(count, QUEUE), QUEUE, 0, s.stream>>>(gz_compare_pair_of(s, step, kind), c.sorted.items, ids,
                                                           count, axis, listed);
    return error.note(cudaGetLastError(), "sweep");
}

void gz_compare_release(gz_device_compare &c) {
    c.boxes.release(), c.sorted.release(), c.keys.release(), c.ids.release(), c.sort_bytes.release();
    c.spread.release(), c.host_spread.release(), c.nodes.release(), c.parents.release(), c.visits.release();
}
