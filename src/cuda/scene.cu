#include "cuda/scene.cuh"

#include <climits>
#include <cmath>

static unsigned blocks_for(size_t count, unsigned block) { return (unsigned)((count + block - 1) / block); }

template <class T>
static bool upload(gz_device_scene &s, gz_device_array<T> &to, const void *from, size_t count, gz_device_error &error) {
    return to.reserve(count ? count : 1, error) &&
           error.note(cudaMemcpyAsync(to.items, from, count * sizeof(T), cudaMemcpyHostToDevice, s.stream), "upload");
}

static bool same_ids(const std::vector<uint32_t> &known, const uint32_t *ids, size_t count) {
    return known.size() == count && (count == 0 || memcmp(known.data(), ids, count * sizeof *ids) == 0);
}

/* Groups and thickness are few, and loaded each time. */
static bool is_resident(const gz_device_scene &s, const graze_mesh *mesh) {
    return s.resident && !s.has_groups && !mesh->groups && !s.has_thickness && !mesh->thickness &&
           s.vertex_count == mesh->vertex_count &&
           same_ids(s.known_faces, (const uint32_t *)mesh->faces, 3 * (size_t)mesh->face_count) &&
           same_ids(s.known_edges, (const uint32_t *)mesh->edges, 2 * (size_t)mesh->edge_count) &&
           same_ids(s.known_codim_edges, mesh->codim_edges, mesh->codim_edge_count) &&
           same_ids(s.known_codim_points, mesh->codim_points, mesh->codim_point_count);
}

static void keep_lists(gz_device_scene &s, const graze_mesh *mesh) {
    const uint32_t *faces = (const uint32_t *)mesh->faces, *edges = (const uint32_t *)mesh->edges;
    s.known_faces.assign(faces, faces + 3 * (size_t)mesh->face_count);
    s.known_edges.assign(edges, edges + 2 * (size_t)mesh->edge_count);
    s.known_codim_edges.assign(mesh->codim_edges, mesh->codim_edges + mesh->codim_edge_count);
    s.known_codim_points.assign(mesh->codim_points, mesh->codim_points + mesh->codim_point_count);
    s.resident = true;
}

bool gz_scene_load_mesh(gz_device_scene &s, const graze_mesh *mesh, gz_device_error &error) {
    if (is_resident(s, mesh)) return true;
    std::vector<gz_element> elements = gz_elements_of(mesh);
    s.resident = s.ordered = false;
    if (elements.size() > GZ_MOST_ELEMENTS)
        return error.note(cudaErrorInvalidValue, "a mesh of more than 2^27 elements");
    s.vertex_count = mesh->vertex_count;
    s.edge_count = mesh->edge_count;
    s.face_count = mesh->face_count;
    s.element_count = (uint32_t)elements.size();
    s.has_groups = mesh->groups != NULL;
    s.has_thickness = mesh->thickness != NULL;
    size_t groups = mesh->group_pairs ? (size_t)mesh->group_count * mesh->group_count : 0;
    if (!upload(s, s.faces, mesh->faces, 3 * (size_t)mesh->face_count, error) ||
        !upload(s, s.edges, mesh->edges, 2 * (size_t)mesh->edge_count, error) ||
        !upload(s, s.elements, elements.data(), elements.size(), error) ||
        !upload(s, s.vertex_groups, mesh->groups, s.has_groups ? mesh->vertex_count : 0, error) ||
        !upload(s, s.thickness, mesh->thickness, s.has_thickness ? mesh->vertex_count : 0, error) ||
        !upload(s, s.group_pairs, mesh->group_pairs, groups, error))
        return false;
    s.groups.pairs = groups && s.has_groups ? s.group_pairs.items : NULL;
    s.groups.count = mesh->group_count;
    s.groups.skip_same = s.has_groups && mesh->skip_same_group;
    /* `elements` is gone after this */
    if (!error.note(cudaStreamSynchronize(s.stream), "upload")) return false;
    keep_lists(s, mesh);
    return true;
}

static __global__ void pack_ends(const double *x0, const double *x1, const double *thickness, const uint32_t *groups,
                                 uint32_t count, gz_vertex_ends *ends) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    gz_vertex_ends v;
    for (int c = 0; c < 3; c++) {
        v.x0[c] = x0[3 * (size_t)i + c];
        v.x1[c] = x1[3 * (size_t)i + c];
    }
    v.radius = thickness ? thickness[i] : 0;
    v.group = groups ? groups[i] : 0;
    v.unused = 0;
    ends[i] = v;
}

bool gz_scene_pack(gz_device_scene &s, const double *x0, const double *x1, gz_device_error &error) {
    if (!s.ends.reserve(s.vertex_count, error)) return false;
    pack_ends<<<blocks_for(s.vertex_count, 256), 256, 0, s.stream>>>(x0, x1, s.has_thickness ? s.thickness.items : NULL,
                                                                     s.has_groups ? s.vertex_groups.items : NULL,
                                                                     s.vertex_count, s.ends.items);
    return error.note(cudaGetLastError(), "positions");
}

bool gz_scene_upload(gz_device_scene &s, const char *x0, const char *x1, size_t stride, gz_device_error &error) {
    const size_t row = 3 * sizeof(double);
    if (!s.x0.reserve(3 * (size_t)s.vertex_count, error) || !s.x1.reserve(3 * (size_t)s.vertex_count, error))
        return false;
    if (stride == row) {
        error.note(cudaMemcpyAsync(s.x0.items, x0, row * s.vertex_count, cudaMemcpyHostToDevice, s.stream), "upload");
        error.note(cudaMemcpyAsync(s.x1.items, x1, row * s.vertex_count, cudaMemcpyHostToDevice, s.stream), "upload");
    } else {
        error.note(
            cudaMemcpy2DAsync(s.x0.items, row, x0, stride, row, s.vertex_count, cudaMemcpyHostToDevice, s.stream),
            "upload");
        error.note(
            cudaMemcpy2DAsync(s.x1.items, row, x1, stride, row, s.vertex_count, cudaMemcpyHostToDevice, s.stream),
            "upload");
    }
    return !error.failed() && gz_scene_pack(s, s.x0.items, s.x1.items, error);
}

/* ---- order ---- */

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

bool gz_scene_order(gz_device_scene &s, gz_device_error &error) {
    uint32_t count = s.element_count;
    size_t bytes = 0;
    cub::DeviceRadixSort::SortPairs(NULL, bytes, (uint32_t *)NULL, (uint32_t *)NULL, (uint32_t *)NULL, (uint32_t *)NULL,
                                    count, 0, 3 * GZ_ORDER_BITS, s.stream);
    if (!s.keys.reserve(2 * (size_t)count, error) || !s.ids.reserve(2 * (size_t)count, error) ||
        !s.sort_bytes.reserve(bytes, error) || !s.sorted.reserve(count, error) || !s.extent.reserve(1, error) ||
        !s.host_extent.reserve(1, error))
        return false;
    *s.host_extent.items = {{INT_MAX, INT_MAX, INT_MAX}, {INT_MIN, INT_MIN, INT_MIN}};
    error.note(
        cudaMemcpyAsync(s.extent.items, s.host_extent.items, sizeof(gz_extent), cudaMemcpyHostToDevice, s.stream),
        "order");
    gz_find_extent<<<4 * s.processors, 256, 0, s.stream>>>(s.ends.items, s.vertex_count, s.extent.items);
    error.note(
        cudaMemcpyAsync(s.host_extent.items, s.extent.items, sizeof(gz_extent), cudaMemcpyDeviceToHost, s.stream),
        "order");
    gz_order_keys<<<blocks_for(count, 256), 256, 0, s.stream>>>(s.elements.items, count, s.ends.items, s.extent.items,
                                                                s.keys.items, s.ids.items);
    error.note(cub::DeviceRadixSort::SortPairs(s.sort_bytes.items, bytes, s.keys.items, s.keys.items + count,
                                               s.ids.items, s.ids.items + count, count, 0, 3 * GZ_ORDER_BITS, s.stream),
               "order");
    gz_order_elements<<<blocks_for(count, 256), 256, 0, s.stream>>>(s.elements.items, s.ids.items + count, count,
                                                                    s.sorted.items);
    error.note(cudaGetLastError(), "order");
    if (!error.note(cudaStreamSynchronize(s.stream), "order")) return false;
    choose_view(s, *s.host_extent.items);
    s.ordered = true;
    return true;
}

/* ---- boxes and tree ---- */

static __global__ void make_boxes(const gz_vertex_ends *ends, uint32_t count, double w, double grow,
                                  gz_device_view view, gz_vertex_box *boxes) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) boxes[i] = gz_vertex_box_at(ends[i], w, grow, view);
}

/* Levels come in threes, the last of which has one packet. */
static bool plan_tree(gz_device_scene &s, gz_device_error &error) {
    size_t boxes = s.element_count, total = 0, tops = 0;
    int level = 0;
    do {
        for (int k = 0; k < 3; k++, level++) {
            boxes = (boxes + 7) / 8;
            s.tree.packets[level] = (uint32_t)boxes;
            total += boxes;
        }
        /* the third level of a block is one packet, and its box one of `tops` */
        tops += boxes;
    } while (boxes > 1 && level < GZ_TREE_LEVELS);
    s.tree.levels = level;
    if (!s.packets.reserve(total, error) || !s.tops.reserve(tops, error)) return false;
    gz_packet *next = s.packets.items;
    for (int k = 0; k < level; k++, next += s.tree.packets[k - 1]) s.tree.level[k] = next;
    return true;
}

bool gz_scene_boxes(gz_device_scene &s, double w, double grow, gz_device_error &error) {
    if (!s.boxes.reserve(s.vertex_count, error) || !plan_tree(s, error)) return false;
    make_boxes<<<blocks_for(s.vertex_count, 256), 256, 0, s.stream>>>(s.ends.items, s.vertex_count, w, grow, s.view,
                                                                      s.boxes.items);
    gz_element_boxes leaves = {s.sorted.items, s.boxes.items};
    uint32_t count = s.element_count, blocks = blocks_for(count, GZ_TREE_BLOCK);
    gz_float_box *tops = s.tops.items;
    gz_make_levels<<<blocks, GZ_TREE_BLOCK, 0, s.stream>>>(leaves, count, s.tree, 0, tops);
    for (int level = 3; level < s.tree.levels; level += 3) {
        gz_stored_boxes stored = {tops};
        count = blocks;
        tops += blocks;
        blocks = blocks_for(count, GZ_TREE_BLOCK);
        gz_make_levels<<<blocks, GZ_TREE_BLOCK, 0, s.stream>>>(stored, count, s.tree, level, tops);
    }
    return error.note(cudaGetLastError(), "tree");
}

bool gz_scene_walk(gz_device_scene &s, uint32_t first, uint32_t end, unsigned kinds, gz_pass_counts *counts,
                   gz_device_error &error) {
    gz_device_list<uint2> found = {s.element_pairs.items, s.element_pairs.room, &counts->element_pairs};
    gz_device_lists lists;
    for (int kind = 0; kind < 4; kind++)
        lists.kind[kind] = {s.pairs[kind].items, s.pairs[kind].room, &counts->pairs[kind]};
    lists.kinds = kinds;
    if (!s.walks_left.reserve(GZ_WALK_LEFT, error)) return false;
    gz_walk_list left = {s.walks_left.items, &counts->left};
    gz_walk<false>
        <<<8 * s.processors, 32 * GZ_WALK_WARPS, 0, s.stream>>>(s.tree, first, end, &counts->next_packet, left, found);
    gz_walk<true>
        <<<8 * s.processors, 32 * GZ_WALK_WARPS, 0, s.stream>>>(s.tree, first, end, &counts->next_left, left, found);
    gz_expand<<<8 * s.processors, 256, 0, s.stream>>>(found, s.sorted.items, s.boxes.items, s.groups, lists);
    return error.note(cudaGetLastError(), "walk");
}

void gz_scene_release(gz_device_scene &s) {
    s.faces.release(), s.edges.release(), s.vertex_groups.release(), s.group_pairs.release(), s.thickness.release();
    s.elements.release(), s.sorted.release(), s.x0.release(), s.x1.release(), s.ends.release(), s.boxes.release();
    s.keys.release(), s.ids.release(), s.sort_bytes.release(), s.extent.release(), s.packets.release(),
        s.tops.release();
    s.element_pairs.release(), s.walks_left.release(), s.host_extent.release();
    for (int kind = 0; kind < 4; kind++) s.pairs[kind].release();
}
