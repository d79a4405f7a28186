/* Boxes of still links as triangles from corner to corner, so that the tree of triangles holds them. */
#include "articulated/world/still_tree.h"

#include "numerics/error_bounds.h"

#include <math.h>
#include <string.h>

static bool list_links(graze_context *context, const gz_still_links *still, gz_still_tree *tree, uint32_t *count) {
    *count = 0;
    if (!gz_grow(context, (void **)&tree->links, &tree->capacity, still->count, sizeof *tree->links)) return false;
    for (uint32_t i = 0; i < still->count; i++)
        if (still->links[i].link->tree.nodes) tree->links[(*count)++] = i;
    return true;
}

/* Two corners of each box, and a triangle of them. */
static void list_corners(graze_context *context, const gz_still_links *still, const gz_still_tree *tree, uint32_t count,
                         double (*corners)[3], uint32_t (*faces)[3]) {
    gz_scene scene = {.context = context, .still = still, .still_count = still->count, .count = still->count};
    gz_frames frames = {.scene = &scene};
    for (uint32_t i = 0; i < count; i++) {
        gz_link_box box = gz_cull_box(&frames, tree->links[i], 0);
        memcpy(corners[2 * i], box.lo, sizeof box.lo);
        memcpy(corners[2 * i + 1], box.hi, sizeof box.hi);
        faces[i][0] = 2 * i;
        faces[i][1] = faces[i][2] = 2 * i + 1;
    }
}

graze_status gz_still_tree_build(graze_context *context, const gz_still_links *still, gz_still_tree *tree) {
    uint32_t count;
    *tree = (gz_still_tree){0};
    if (still->count == 0) return GRAZE_OK;
    if (!list_links(context, still, tree, &count)) return GRAZE_ERR_OUT_OF_MEMORY;
    double(*corners)[3] = gz_allocate_array(context, 2 * (size_t)count, sizeof *corners);
    uint32_t(*faces)[3] = gz_allocate_array(context, count, sizeof *faces);
    graze_status status = corners && faces ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
    if (status == GRAZE_OK) {
        list_corners(context, still, tree, count, corners, faces);
        status =
            gz_face_tree_build(context, (const double(*)[3])corners, (const uint32_t(*)[3])faces, count, &tree->boxes);
    }
    gz_release(context, corners, 2 * (size_t)count * sizeof *corners);
    gz_release(context, faces, count * sizeof *faces);
    return status;
}

void gz_still_tree_release(graze_context *context, gz_still_tree *tree) {
    gz_face_tree_release(context, &tree->boxes);
    gz_release(context, tree->links, tree->capacity * sizeof *tree->links);
    *tree = (gz_still_tree){0};
}

bool gz_still_may_meet(const gz_face_node *node, const gz_link_box *box, double grow) {
    for (int c = 0; c < 3; c++) {
        double size = fabs(node->center[c]) + node->half[c] + grow;
        double half = node->half[c] + grow + GZ_STILL_SLACK * size;
        if (!(node->center[c] - half <= box->hi[c] && box->lo[c] <= node->center[c] + half)) return false;
    }
    return true;
}

bool gz_still_tree_find(const gz_still_tree *tree, const gz_link_box *box, double grow, gz_still_sink *sink,
                        void *user) {
    uint32_t stack[64], depth = tree->boxes.count > 0;
    stack[0] = 0;
    while (depth) {
        uint32_t at = stack[--depth];
        const gz_face_node *node = &tree->boxes.nodes[at];
        if (!gz_still_may_meet(node, box, grow)) continue;
        if (gz_face_node_is_leaf(node)) {
            if (!sink(user, tree->links[node->face])) return false;
        } else {
            stack[depth++] = node->right;
            stack[depth++] = at + 1;
        }
    }
    return true;
}
