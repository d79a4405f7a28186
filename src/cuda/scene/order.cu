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

bool gz_device_scene_order(gz_device_scene &s, gz_device_error &error) {
    uint32_t count = s.element_count;
    if (!s.keys.reserve(2 * (size_t)count, error) || !s.ids.reserve(2 * (size_t)count, error) ||
        !s.sorted.reserve(count, error) || !s.extent.reserve(1, error) || !s.host_extent.reserve(1, error))
        return false;
    *s.host_extent.items = {{INT_MAX, INT_MAX, INT_MAX}, {INT_MIN, INT_MIN, INT_MIN}};
    error.note(
        cudaMemcpyAsync(s.extent.items, s.host_extent.items, sizeof(gz_extent), cudaMemcpyHostToDevice, s.stream),
        "order");
    gz_find_extent<<<4 * s.processors, 256, 0, s.stream>>>(s.positions, s.vertex_count, s.extent.items);
    error.note(
        cudaMemcpyAsync(s.host_extent.items, s.extent.items, sizeof(gz_extent), cudaMemcpyDeviceToHost, s.stream),
        "order");
    gz_order_keys<<<gz_blocks_for(count, 256), 256, 0, s.stream>>>(s.elements.items, count, s.positions, s.extent.items,
                                                                   s.keys.items, s.ids.items);
    if (!gz_device_sort(s.sort_bytes, s.keys.items, s.ids.items, count, 3 * GZ_ORDER_BITS, s.stream, error))
        return false;
    gz_order_elements<<<gz_blocks_for(count, 256), 256, 0, s.stream>>>(s.elements.items, s.ids.items + count, count,
                                                                       s.sorted.items);
    error.note(cudaGetLastError(), "order");
    if (!error.note(cudaStreamSynchronize(s.stream), "order")) return false;
    choose_view(s, *s.host_extent.items);
    s.ordered = true;
    return true;
}
