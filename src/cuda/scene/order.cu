#include "cuda/scene/order.cuh"

#include "cuda/sort.cuh"

#include <climits>
#include <cmath>

/* A view that makes good use of float: about the middle of what there is, scaled to about 1. */
static void choose_view(gz_device_scene &s, const gz_extent &extent) {
    double reach = 0;
    for (int c = 0; c < 3; c++) {
        int bits[2] = {extent.lo[c], extent.hi[c]};
        float side[2];
        for (int k = 0; k < 2; k++) {
            int i = bits[k] < 0 ? bits[k] ^ 0x7fffffff : bits[k];
            memcpy(&side[k], &i, sizeof i);
            if (!(fabsf(side[k]) < 1e38f)) side[k] = copysignf(1e38f, side[k]);
        }
        s.view.origin[c] = 0.5 * ((double)side[0] + (double)side[1]);
        reach = fmax(reach, (double)side[1] - (double)side[0]);
    }
    s.view.scale = reach > 0 ? ldexp(1, -ilogb(reach)) : 1;
}

template <class K>
static bool sort_elements(gz_device_scene &s, gz_device_array<K> &keys, gz_world_of world, int bits,
                          gz_device_error &error) {
    uint32_t count = s.element_count;
    if (!keys.reserve(2 * (size_t)count, error)) return false;
    gz_order_keys<<<gz_blocks_for(count, 256), 256, 0, s.stream>>>(s.elements.items, count, s.positions, s.extent.items,
                                                                   world, keys.items, s.ids.items);
    return gz_device_sort(s.sort_bytes, keys.items, s.ids.items, count, bits, s.stream, error);
}

/* By world first, then along the curve: a walk ends with its own world. */
static bool sort_worlds(gz_device_scene &s, gz_world_of world, gz_device_error &error) {
    uint32_t count = s.element_count, packets = (count + 7) / 8;
    int bits = 3 * GZ_ORDER_BITS;
    for (uint32_t most = s.world_count; most; most /= 2) bits++;
    if (!s.world_ends.reserve(s.world_count, error) || !s.walk_ends.reserve(packets, error)) return false;
    return sort_elements(s, s.world_keys, world, bits, error);
}

static void find_ends(gz_device_scene &s, gz_world_of world) {
    uint32_t count = s.element_count;
    gz_find_world_ends<<<gz_blocks_for(count, 256), 256, 0, s.stream>>>(s.sorted.items, count, world,
                                                                        s.world_ends.items);
    gz_find_walk_ends<<<gz_blocks_for((count + 7) / 8, 256), 256, 0, s.stream>>>(s.sorted.items, count, world,
                                                                                 s.world_ends.items, s.walk_ends.items);
}

bool gz_device_scene_order(gz_device_scene &s, gz_device_error &error) {
    uint32_t count = s.element_count;
    gz_world_of world = {s.serial ? s.vertex_groups.items : NULL, s.groups.count};
    if (!s.ids.reserve(2 * (size_t)count, error) || !s.sorted.reserve(count, error) || !s.extent.reserve(1, error) ||
        !s.host_extent.reserve(1, error))
        return false;
    *s.host_extent.items = {{INT_MAX, INT_MAX, INT_MAX}, {INT_MIN, INT_MIN, INT_MIN}};
    error.note(
        cudaMemcpyAsync(s.extent.items, s.host_extent.items, sizeof(gz_extent), cudaMemcpyHostToDevice, s.stream),
        "order");
    gz_find_extent<<<4 * s.processors, 256, 0, s.stream>>>(s.positions, s.vertex_count, s.extent.items);
    error.note(
        cudaMemcpyAsync(s.host_extent.items, s.extent.items, sizeof(gz_extent), cudaMemcpyDeviceToHost, s.stream),
        "order");
    if (!(s.serial ? sort_worlds(s, world, error) : sort_elements(s, s.keys, world, 3 * GZ_ORDER_BITS, error)))
        return false;
    gz_order_elements<<<gz_blocks_for(count, 256), 256, 0, s.stream>>>(s.elements.items, s.ids.items + count, count,
                                                                       s.sorted.items);
    if (s.serial) find_ends(s, world);
    error.note(cudaGetLastError(), "order");
    if (!error.note(cudaStreamSynchronize(s.stream), "order")) return false;
    choose_view(s, *s.host_extent.items);
    s.ordered = true;
    return true;
}
