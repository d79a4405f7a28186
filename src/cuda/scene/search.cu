/* The tree over the elements, and the search for pairs in it. */
#include "cuda/scene/expand.cuh"

/* Levels come in threes, the last of which has one packet. */
static bool plan_tree(gz_device_scene &s, gz_device_error &error) {
    size_t boxes = s.element_count, total = 0, tops = 0;
    int level = 0;
    s.tree = {};
    s.tree.root = -1;
    do {
        for (int k = 0; k < 3; k++, level++) {
            boxes = (boxes + 7) / 8;
            s.tree.packets[level] = (uint32_t)boxes;
            total += boxes;
            if (boxes == 1 && s.tree.root < 0) s.tree.root = level;
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

#define WALK_BLOCKS 8 /* for each processor */

/* Places of the queue are empty, which a walk leaves them. */
static bool reserve_walks(gz_device_scene &s, gz_device_error &error) {
    if (s.walks_left.room && s.walks_clean) return true;
    s.walks_clean = s.walks_left.reserve(GZ_WALK_LEFT, error) &&
                    error.note(cudaMemsetAsync(s.walks_left.items, 0xff, s.walks_left.bytes(), s.stream), "walk");
    return s.walks_clean;
}

bool gz_device_scene_reserve(gz_device_scene &s, gz_device_error &error) {
    return s.ends.reserve(s.vertex_count, error) && s.boxes.reserve(s.vertex_count, error) && plan_tree(s, error) &&
           reserve_walks(s, error);
}

void gz_device_scene_tree(gz_device_scene &s) {
    gz_element_boxes leaves = {s.sorted.items, s.boxes.items};
    uint32_t count = s.element_count, blocks = gz_blocks_for(count, GZ_TREE_BLOCK);
    gz_float_box *tops = s.tops.items;
    gz_make_levels<<<blocks, GZ_TREE_BLOCK, 0, s.stream>>>(leaves, count, s.tree, 0, tops);
    for (int level = 3; level < s.tree.levels; level += 3) {
        gz_stored_boxes stored = {tops};
        count = blocks;
        tops += blocks;
        blocks = gz_blocks_for(count, GZ_TREE_BLOCK);
        gz_make_levels<<<blocks, GZ_TREE_BLOCK, 0, s.stream>>>(stored, count, s.tree, level, tops);
    }
}

uint32_t gz_device_scene_walkers(const gz_device_scene &s) {
    return WALK_BLOCKS * GZ_WALK_WARPS * (uint32_t)s.processors;
}

void gz_device_scene_walk(gz_device_scene &s, unsigned kinds, gz_step_state *state, const uint32_t *stop, bool count,
                          bool looks) {
    gz_device_list<uint2> found = {s.element_pairs.items, s.element_pairs.room, &state->element_pairs};
    gz_device_lists lists = gz_lists_of_scene(s, kinds, state, stop);
    if (count) lists.candidates = state->candidates;
    gz_walk_tasks tasks = {s.walks_left.items, state, stop, 4 * s.processors};
    auto walk = s.serial ? gz_walk<true> : gz_walk<false>;
    walk<<<WALK_BLOCKS * s.processors, 32 * GZ_WALK_WARPS, 0, s.stream>>>(s.tree, tasks, s.walk_ends.items, found);
    gz_far_look look = {s.far.items, s.faces.items, s.edges.items, &state->input.reach};
    auto expand = looks ? gz_expand<true> : gz_expand<false>;
    expand<<<GZ_EXPAND_BLOCKS * s.processors, 32 * GZ_EXPAND_WARPS, 0, s.stream>>>(found, s.sorted.items, s.boxes.items,
                                                                                   s.groups, look, lists);
}
