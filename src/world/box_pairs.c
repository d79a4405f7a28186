#include "world/box_pairs.h"

#define LEAF 8

/* A node's first half follows it; of a leaf `second` is 0. */
typedef struct node {
    gz_box box;
    size_t begin, end;
    uint32_t second;
} node;

typedef struct tree {
    gz_boxed *items;
    node *nodes;
    uint32_t count;
    gz_take_pair *take;
    void *user;
} tree;

/* ---- building ---- */

static int widest_axis(const gz_box *box) {
    int axis = 0;
    for (int c = 1; c < 3; c++)
        if (box->hi[c] - box->lo[c] > box->hi[axis] - box->lo[axis]) axis = c;
    return axis;
}

static double place_of(const gz_boxed *item, int axis) { return item->box.lo[axis] + item->box.hi[axis]; }

/* Item k becomes the one that sorting would put there; those before it are not above it, those after it not below. */
static void select_item(gz_boxed *items, size_t low, size_t high, size_t k, int axis) {
    while (low < high) {
        double pivot = place_of(&items[k], axis);
        size_t i = low, j = high;
        while (i <= j) {
            while (place_of(&items[i], axis) < pivot) i++;
            while (pivot < place_of(&items[j], axis)) j--;
            if (i > j) break;
            gz_boxed item = items[i];
            items[i++] = items[j];
            items[j] = item;
            if (j == 0) break;
            j--;
        }
        if (j < k) low = i;
        if (k < i) high = j;
    }
}

static uint32_t build(tree *t, size_t begin, size_t end) {
    uint32_t at = t->count++;
    node *made = &t->nodes[at];
    *made = (node){.box = gz_box_empty(), .begin = begin, .end = end};
    for (size_t i = begin; i < end; i++) gz_box_join(&made->box, &t->items[i].box);
    if (end - begin <= LEAF) return at;
    size_t middle = begin + (end - begin) / 2;
    select_item(t->items, begin, end - 1, middle, widest_axis(&made->box));
    build(t, begin, middle);
    made->second = build(t, middle, end);
    return at;
}

/* ---- pairs ---- */

static bool take_items(const tree *t, const node *a, const node *b) {
    for (size_t i = a->begin; i < a->end; i++)
        for (size_t j = a == b ? i + 1 : b->begin; j < b->end; j++)
            if (gz_boxes_meet(&t->items[i].box, &t->items[j].box) && !t->take(t->user, t->items[i].id, t->items[j].id))
                return false;
    return true;
}

/* Pairs of an item of one node with one of the other. */
static bool join(const tree *t, const node *a, const node *b) {
    if (!gz_boxes_meet(&a->box, &b->box)) return true;
    if (!a->second && !b->second) return take_items(t, a, b);
    if (!a->second || (b->second && b->end - b->begin > a->end - a->begin)) {
        const node *other = a;
        a = b;
        b = other;
    }
    return join(t, a + 1, b) && join(t, &t->nodes[a->second], b);
}

/* Pairs of two items of the node. */
static bool join_self(const tree *t, const node *at) {
    if (!at->second) return take_items(t, at, at);
    const node *second = &t->nodes[at->second];
    return join_self(t, at + 1) && join_self(t, second) && join(t, at + 1, second);
}

bool gz_box_pairs(graze_context *context, gz_boxed *items, size_t count, gz_take_pair *take, void *user) {
    tree t = {.items = items, .take = take, .user = user};
    if (count == 0) return true;
    t.nodes = gz_allocate_array(context, 2 * count, sizeof *t.nodes);
    if (!t.nodes) return false;
    build(&t, 0, count);
    bool done = join_self(&t, t.nodes);
    gz_release(context, t.nodes, 2 * count * sizeof *t.nodes);
    return done;
}
