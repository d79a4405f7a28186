/* A cell knows the nodes and windows that may meet it; its children look at these alone. */
#include "articulated/swept/octree.h"

#include "articulated/node_pairs.h"

static bool put_item(gz_octree *tree, gz_sweep_item item) {
    if (!gz_grow(tree->context, (void **)&tree->items, &tree->item_room, tree->item_count + 1, sizeof *tree->items))
        return false;
    tree->items[tree->item_count++] = item;
    return true;
}

static bool put_cell(gz_octree *tree, const gz_cube *cube, graze_cell_state state) {
    if (!gz_grow(tree->context, (void **)&tree->cells, &tree->room, tree->count + 1, sizeof *tree->cells)) return false;
    graze_swept_cell cell = {.half = cube->half, .state = state};
    for (int c = 0; c < 3; c++) cell.center[c] = cube->center[c];
    tree->cells[tree->count++] = cell;
    return true;
}

static const gz_face_node *node_of(const gz_octree *tree, gz_sweep_item item) {
    return &tree->sweep->link->tree.nodes[item.node];
}

/* ---- what may meet a cell ---- */

/* Below an item, nodes that may meet the cell and are not larger than it. */
static bool keep_below(gz_octree *tree, gz_sweep_item item, const gz_cube *cube) {
    uint32_t stack[72], depth = 1; /* trees are 33 deep at most */
    const gz_sweep_window *window = &tree->sweep->windows[item.window];
    stack[0] = item.node;
    while (depth) {
        item.node = stack[--depth];
        const gz_face_node *node = node_of(tree, item);
        if (gz_sweep_apart(tree->sweep, window, node, cube)) continue;
        if (gz_face_node_is_leaf(node) || gz_node_size(node) <= cube->half) {
            if (!put_item(tree, item)) return false;
        } else {
            stack[depth++] = node->right;
            stack[depth++] = item.node + 1;
        }
    }
    return true;
}

/* From the list [first, end) to a new one behind it. */
static bool keep_items(gz_octree *tree, size_t first, size_t end, const gz_cube *cube) {
    for (size_t i = first; i < end; i++)
        if (!keep_below(tree, tree->items[i], cube)) return false;
    return true;
}

/* ---- a cell that is not split ---- */

typedef bool face_test(const gz_sweep *sweep, const gz_sweep_window *window, uint32_t face, const gz_cube *cube);

/* True if some face below an item answers as `wanted`. */
static bool any_face(const gz_octree *tree, gz_sweep_item item, const gz_cube *cube, face_test *test, bool wanted) {
    uint32_t stack[72], depth = 1;
    const gz_sweep_window *window = &tree->sweep->windows[item.window];
    stack[0] = item.node;
    while (depth) {
        item.node = stack[--depth];
        const gz_face_node *node = node_of(tree, item);
        if (!gz_face_node_is_leaf(node)) {
            stack[depth++] = node->right;
            stack[depth++] = item.node + 1;
        } else if (test(tree->sweep, window, node->face, cube) == wanted) {
            return true;
        }
    }
    return false;
}

static bool any_item(const gz_octree *tree, size_t first, const gz_cube *cube, face_test *test, bool wanted) {
    for (size_t i = first; i < tree->item_count; i++)
        if (any_face(tree, tree->items[i], cube, test, wanted)) return true;
    return false;
}

/* The surface is never in the cell: then it is inside of a closed part throughout a segment, or outside. */
static graze_cell_state state_without_surface(const gz_octree *tree, const gz_cube *cube) {
    graze_cell_state state = GRAZE_CELL_OUTSIDE;
    for (size_t i = 0; i < tree->sweep->count && state != GRAZE_CELL_TOUCHED; i++) {
        if (!tree->sweep->windows[i].begins) continue;
        gz_inside inside = gz_sweep_inside(tree->sweep, &tree->sweep->windows[i], cube);
        if (inside == GZ_INSIDE) state = GRAZE_CELL_TOUCHED;
        if (inside == GZ_INSIDE_UNKNOWN) state = GRAZE_CELL_UNDECIDED;
    }
    return state;
}

static graze_cell_state state_of_small(const gz_octree *tree, size_t first, const gz_cube *cube) {
    if (any_item(tree, first, cube, gz_sweep_touches, true)) return GRAZE_CELL_TOUCHED;
    if (any_item(tree, first, cube, gz_sweep_face_apart, false)) return GRAZE_CELL_UNDECIDED;
    return state_without_surface(tree, cube);
}

/* ---- the walk ---- */

static gz_cube child_of(const gz_cube *cube, int k) {
    gz_cube child = {.half = 0.5 * cube->half};
    for (int c = 0; c < 3; c++) child.center[c] = cube->center[c] + (k >> c & 1 ? child.half : -child.half);
    return child;
}

static bool give_up(gz_octree *tree, const gz_cube *cube) {
    tree->whole = false;
    return put_cell(tree, cube, GRAZE_CELL_UNDECIDED);
}

/* [first, end): the items of the cell around it. */
static bool visit(gz_octree *tree, const gz_cube *cube, size_t first, size_t end) {
    if (gz_cancelled(tree->context)) return give_up(tree, cube);
    bool good = keep_items(tree, first, end, cube);
    size_t own = end, last = tree->item_count;
    if (!good) return false;
    if (own == last) {
        good = put_cell(tree, cube, state_without_surface(tree, cube));
    } else if (cube->half <= tree->least) {
        good = put_cell(tree, cube, state_of_small(tree, own, cube));
    } else if (tree->count >= tree->most) {
        good = give_up(tree, cube);
    } else {
        for (int k = 0; k < 8 && good; k++) {
            gz_cube child = child_of(cube, k);
            good = visit(tree, &child, own, last);
        }
    }
    tree->item_count = end;
    return good;
}

bool gz_octree_fill(gz_octree *tree, const gz_cube *block) {
    tree->item_count = 0;
    for (size_t i = 0; i < tree->sweep->count; i++)
        if (!tree->sweep->windows[i].begins && !put_item(tree, (gz_sweep_item){(uint32_t)i, 0})) return false;
    return visit(tree, block, 0, tree->item_count);
}

void gz_octree_close(gz_octree *tree) {
    gz_release(tree->context, tree->cells, tree->room * sizeof *tree->cells);
    gz_release(tree->context, tree->items, tree->item_room * sizeof *tree->items);
    tree->cells = NULL;
    tree->items = NULL;
}
