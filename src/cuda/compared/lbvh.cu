/* A linear tree with two children a node (Karras 2012): leaves in the order of a Hilbert curve, nodes found from common
   beginnings of their keys, boxes from below. One thread walks it for each box. */
#include "cuda/compared/boxes.cuh"
#include "cuda/scene/order.cuh"

namespace {

#define STACK 96 /* deeper than keys of 64 bits have beginnings */

/* Range of the tree's boxes: all edges, or faces, which come after the vertices. */
struct leaf_range {
    uint32_t first, count;
};

__global__ void make_leaf_keys(const gz_box *boxes, leaf_range leaves, gz_view view, unsigned long long *keys,
                               uint32_t *ids) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= leaves.count) return;
    uint32_t cell[3];
    for (int c = 0; c < 3; c++) { /* the view takes what there is to about [−1, 1] */
        const gz_box &box = boxes[leaves.first + i];
        double at = ((0.5 * box.lo[c] + 0.5 * box.hi[c] - view.origin[c]) * view.scale + 1) * 0.5;
        double place = at * (1 << GZ_ORDER_BITS);
        cell[c] = place > 0 ? place < (1 << GZ_ORDER_BITS) - 1 ? (uint32_t)place : (1 << GZ_ORDER_BITS) - 1 : 0;
    }
    keys[i] = (unsigned long long)gz_hilbert(cell[0], cell[1], cell[2]) << 32 | i; /* no two are equal */
    ids[i] = i;
}

/* The number of leading bits that the keys of leaves i and j share; −1 beyond the ends. */
__device__ int common(const unsigned long long *keys, uint32_t count, uint32_t i, long long j) {
    return j < 0 || j >= count ? -1 : __clzll((long long)(keys[i] ^ keys[j]));
}

/* The leaves below node i, and where they part. */
__global__ void make_nodes(const unsigned long long *keys, uint32_t count, gz_binary_node *nodes, uint32_t *parents) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 >= count) return;
    int way = common(keys, count, i, (long long)i + 1) > common(keys, count, i, (long long)i - 1) ? 1 : -1;
    int least = common(keys, count, i, (long long)i - way);
    long long most = 2, length = 0, split = 0;
    while (common(keys, count, i, i + most * way) > least) most *= 2;
    for (long long t = most / 2; t; t /= 2)
        if (common(keys, count, i, i + (length + t) * way) > least) length += t;
    uint32_t other = (uint32_t)(i + length * way);
    int whole = common(keys, count, i, other);
    for (long long t = length; t > 1;) {
        t = (t + 1) / 2;
        if (common(keys, count, i, i + (split + t) * way) > whole) split += t;
    }
    uint32_t at = (uint32_t)(i + split * way) + (way < 0 ? (uint32_t)-1 : 0);
    uint32_t first = i < other ? i : other, last = i < other ? other : i;
    uint32_t child[2] = {first == at ? at | GZ_LEAF : at, last == at + 1 ? (at + 1) | GZ_LEAF : at + 1};
    for (int k = 0; k < 2; k++) {
        nodes[i].child[k] = child[k];
        if (child[k] & GZ_LEAF)
            parents[child[k] & ~GZ_LEAF] = i;
        else
            nodes[child[k]].parent = i;
    }
    if (i == 0) nodes[i].parent = UINT32_MAX;
}

__device__ gz_box joined(const gz_box &a, const gz_box &b) {
    gz_box box = a;
    gz_box_join(&box, &b);
    return box;
}

/* From the leaves up: who comes second to a node goes on. */
__global__ void make_node_boxes(const gz_box *sorted, uint32_t count, gz_binary_node *nodes, const uint32_t *parents,
                                uint32_t *visits) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    for (uint32_t at = parents[i]; at != UINT32_MAX; at = nodes[at].parent) {
        __threadfence();
        if (atomicAdd(&visits[at], 1) == 0) return;
        __threadfence();
        gz_box side[2];
        for (int k = 0; k < 2; k++) {
            uint32_t child = nodes[at].child[k];
            const volatile double *from =
                (const volatile double *)(child & GZ_LEAF ? &sorted[child & ~GZ_LEAF] : &nodes[child].box);
            for (int c = 0; c < 3; c++) side[k].lo[c] = from[c], side[k].hi[c] = from[3 + c];
        }
        nodes[at].box = joined(side[0], side[1]);
    }
}

__global__ void gather_leaves(const gz_box *boxes, leaf_range leaves, const uint32_t *ids, gz_box *sorted) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < leaves.count) sorted[i] = boxes[leaves.first + ids[i]];
}

/* Edges walk in the order of the leaves and look at those after their own; vertices look at all. */
__global__ void walk(gz_compare_pair pair, const gz_box *boxes, const gz_box *sorted, const uint32_t *ids,
                     const gz_binary_node *nodes, leaf_range leaves, gz_device_list<unsigned long long> listed) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    bool self = pair.kind == GRAZE_EE;
    if (i >= (self ? leaves.count : pair.vertices)) return;
    gz_box mine = self ? sorted[i] : boxes[i];
    uint32_t id = self ? ids[i] : i, stack[STACK], depth = 0;
    stack[depth++] = leaves.count == 1 ? GZ_LEAF : 0;
    while (depth) {
        uint32_t at = stack[--depth];
        const gz_box &box = at & GZ_LEAF ? sorted[at & ~GZ_LEAF] : nodes[at].box;
        if (!gz_boxes_meet(&mine, &box)) continue;
        if (at & GZ_LEAF) {
            uint32_t leaf = at & ~GZ_LEAF;
            if (!self || leaf > i) pair.list(id, leaves.first + ids[leaf], listed);
            continue;
        }
        stack[depth++] = nodes[at].child[0];
        stack[depth++] = nodes[at].child[1];
    }
}

} // namespace

bool gz_compare_lbvh(gz_device_scene &s, gz_device_compare &c, const gz_device_step &step, graze_kind kind,
                     gz_device_list<unsigned long long> listed, gz_device_error &error) {
    gz_compare_boxes(s, c, step, kind, error);
    leaf_range leaves = {kind == GRAZE_EE ? 0 : s.vertex_count, kind == GRAZE_EE ? s.edge_count : s.face_count};
    uint32_t count = leaves.count;
    if (!count || !c.nodes.reserve(count, error) || !c.parents.reserve(count, error) || !c.visits.reserve(count, error))
        return !error.failed();
    make_leaf_keys<<<gz_blocks(count, 256), 256, 0, s.stream>>>(c.boxes.items, leaves, s.view, c.keys.items,
                                                                c.ids.items);
    if (!gz_device_sort(c.sort_bytes, c.keys.items, c.ids.items, count, 64, s.stream, error)) return false;
    const unsigned long long *keys = c.keys.items + count;
    const uint32_t *ids = c.ids.items + count;
    gather_leaves<<<gz_blocks(count, 256), 256, 0, s.stream>>>(c.boxes.items, leaves, ids, c.sorted.items);
    error.note(cudaMemsetAsync(c.visits.items, 0, count * sizeof(uint32_t), s.stream), "tree");
    if (count > 1) {
        make_nodes<<<gz_blocks(count, 256), 256, 0, s.stream>>>(keys, count, c.nodes.items, c.parents.items);
        make_node_boxes<<<gz_blocks(count, 256), 256, 0, s.stream>>>(c.sorted.items, count, c.nodes.items,
                                                                     c.parents.items, c.visits.items);
    }
    uint32_t walkers = kind == GRAZE_EE ? count : s.vertex_count;
    walk<<<gz_blocks(walkers, 128), 128, 0, s.stream>>>(gz_compare_pair_of(s, step, kind), c.boxes.items,
                                                        c.sorted.items, ids, c.nodes.items, leaves, listed);
    return error.note(cudaGetLastError(), "tree");
}
