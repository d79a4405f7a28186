/* Elements in the order of a Hilbert curve through their middles, that packets of eight are close together. The order
   changes how fast a step is, never what it says, so it is kept while it serves. */
#ifndef GZ_CUDA_SCENE_ORDER_CUH
#define GZ_CUDA_SCENE_ORDER_CUH

#include "cuda/scene/scene.cuh"
#include "cuda/warp.cuh"

#define GZ_ORDER_BITS 10

__device__ inline int gz_ordered_int(float x) {
    int bits = __float_as_int(x);
    return bits < 0 ? bits ^ 0x7fffffff : bits;
}
__device__ inline float gz_float_of_ordered(int i) { return __int_as_float(i < 0 ? i ^ 0x7fffffff : i); }

static __global__ void gz_find_extent(gz_device_positions x, uint32_t count, gz_extent *extent) {
    int lo[3] = {INT_MAX, INT_MAX, INT_MAX}, hi[3] = {INT_MIN, INT_MIN, INT_MIN};
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        for (int c = 0; c < 3; c++) {
            int at = gz_ordered_int((float)gz_position_of(x.x0, x.stride, i)[c]);
            lo[c] = min(lo[c], at);
            hi[c] = max(hi[c], at);
        }
    for (int c = 0; c < 3; c++) {
        int least = gz_warp_least(lo[c]), most = gz_warp_most(hi[c]);
        if (threadIdx.x % 32 == 0) {
            atomicMin(&extent->lo[c], least);
            atomicMax(&extent->hi[c], most);
        }
    }
}

/* Position along the Hilbert curve of a cell (John Skilling's transposition). */
__device__ inline uint32_t gz_hilbert(uint32_t x, uint32_t y, uint32_t z) {
    uint32_t cell[3] = {x, y, z};
    for (uint32_t q = 1u << (GZ_ORDER_BITS - 1); q > 1; q >>= 1)
        for (int i = 0; i < 3; i++) {
            if (cell[i] & q) {
                cell[0] ^= q - 1;
            } else {
                uint32_t t = (cell[0] ^ cell[i]) & (q - 1);
                cell[0] ^= t;
                cell[i] ^= t;
            }
        }
    cell[1] ^= cell[0];
    cell[2] ^= cell[1];
    uint32_t t = 0;
    for (uint32_t q = 1u << (GZ_ORDER_BITS - 1); q > 1; q >>= 1)
        if (cell[2] & q) t ^= q - 1;
    uint32_t key = 0;
    for (int bit = GZ_ORDER_BITS - 1; bit >= 0; bit--)
        for (int i = 0; i < 3; i++) key = key << 1 | ((cell[i] ^ t) >> bit & 1u);
    return key;
}

/* World of a vertex, and 0 where there is one. */
struct gz_world_of {
    const uint32_t *groups; /* NULL: there is one */
    uint32_t group_count;
    __device__ uint32_t operator()(uint32_t vertex) const { return groups ? groups[vertex] / group_count : 0; }
};

template <class K>
static __global__ void gz_order_keys(const gz_element *elements, uint32_t count, gz_device_positions x,
                                     const gz_extent *extent, gz_world_of world, K *keys, uint32_t *ids) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float lo[3], side = 0;
    for (int c = 0; c < 3; c++) {
        lo[c] = gz_float_of_ordered(extent->lo[c]);
        side = gz_float_max(side, gz_float_of_ordered(extent->hi[c]) - lo[c]);
    }
    uint32_t cell[3];
    for (int c = 0; c < 3; c++) {
        float middle = 0;
        for (int k = 0; k < 3; k++) middle += (float)gz_position_of(x.x0, x.stride, elements[i].corner[k])[c];
        float at = (middle / 3 - lo[c]) / side * (1 << GZ_ORDER_BITS);
        cell[c] = at > 0 ? at < (1 << GZ_ORDER_BITS) - 1 ? (uint32_t)at : (1 << GZ_ORDER_BITS) - 1 : 0;
    }
    keys[i] = gz_hilbert(cell[0], cell[1], cell[2]);
    if (sizeof(K) > sizeof(uint32_t)) keys[i] |= (K)world(elements[i].corner[0]) << 3 * GZ_ORDER_BITS;
    ids[i] = i;
}

static __global__ void gz_order_elements(const gz_element *elements, const uint32_t *ids, uint32_t count,
                                         gz_element *sorted) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) sorted[i] = elements[ids[i]];
}

/* Where the elements of each world end, which are in its order. */
static __global__ void gz_find_world_ends(const gz_element *sorted, uint32_t count, gz_world_of world, uint32_t *ends) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    uint32_t mine = world(sorted[i].corner[0]);
    if (i + 1 == count || world(sorted[i + 1].corner[0]) != mine) ends[mine] = i + 1;
}

/* For each packet where the world of its last element ends. */
static __global__ void gz_find_walk_ends(const gz_element *sorted, uint32_t count, gz_world_of world,
                                         const uint32_t *world_ends, uint32_t *ends) {
    uint32_t packet = blockIdx.x * blockDim.x + threadIdx.x;
    if (packet < (count + 7) / 8) ends[packet] = world_ends[world(sorted[min(packet * 8 + 7, count - 1)].corner[0])];
}

#endif
