/* Pairs of links, the nearer boxes first: what is found bounds what has to be looked at. */
#include "articulated/distance/gap_list.h"

#include "articulated/world/world.h"
#include "motion/rounding.h"

#include <math.h>
#include <stdlib.h>

#define FEW_NODES 15 /* a tree of still links that is not worth a walk */

/* ---- the list ---- */

/* The order of answers: by distance, then by links. */
static bool comes_before(const gz_gap_list *list, const gz_listed_gap *x, const gz_listed_gap *y) {
    const gz_scene *scene = &list->search->scene;
    if (x->gap.upper != y->gap.upper) return x->gap.upper < y->gap.upper;
    if (x->first != y->first) return gz_scene_before(scene, x->first, y->first);
    return gz_scene_before(scene, x->second, y->second);
}

static double reach_of(const gz_gap_list *list) {
    bool full = list->most && list->count == list->most;
    return full ? fmin(list->within, list->gaps[0].gap.upper) : list->within;
}

static void leave_out(gz_gap_list *list, double lower) { list->lower = fmin(list->lower, lower); }

/* Restores a heap, the last in the order of answers on top, below a gap that may be too early for its place. */
static void sift_down(const gz_gap_list *list, size_t root, size_t count) {
    gz_listed_gap *gaps = list->gaps, moved = gaps[root];
    for (size_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && comes_before(list, &gaps[child], &gaps[child + 1])) child++;
        if (!comes_before(list, &moved, &gaps[child])) break;
        gaps[root] = gaps[child];
    }
    gaps[root] = moved;
}

static void sift_up(const gz_gap_list *list, size_t at) {
    gz_listed_gap *gaps = list->gaps, moved = gaps[at];
    for (; at && comes_before(list, &gaps[(at - 1) / 2], &moved); at = (at - 1) / 2) gaps[at] = gaps[(at - 1) / 2];
    gaps[at] = moved;
}

static void sort(const gz_gap_list *list) {
    for (size_t last = list->count; last-- > 1;) {
        gz_listed_gap largest = list->gaps[0];
        list->gaps[0] = list->gaps[last];
        list->gaps[last] = largest;
        sift_down(list, 0, last);
    }
}

/* In a list that is full the last one makes room. */
static bool insert(gz_gap_list *list, const gz_listed_gap *gap) {
    if (list->most && list->count == list->most) {
        bool nearer = comes_before(list, gap, &list->gaps[0]);
        leave_out(list, nearer ? list->gaps[0].gap.lower : gap->gap.lower);
        if (!nearer) return true;
        list->gaps[0] = *gap;
        sift_down(list, 0, list->count);
        return true;
    }
    graze_context *context = list->search->scene.context;
    if (!gz_grow(context, (void **)&list->gaps, &list->room, list->count + 1, sizeof *list->gaps)) return false;
    list->gaps[list->count++] = *gap;
    sift_up(list, list->count - 1);
    return true;
}

/* Two links that are tested, and whose boxes are `bound` apart, at least. */
static bool measure(gz_gap_list *list, const gz_link_pair *pair, double bound) {
    double reach = reach_of(list);
    if (bound >= reach) {
        leave_out(list, bound);
        return true;
    }
    bool swap = gz_scene_before(&list->search->scene, pair->b, pair->a);
    gz_listed_gap listed = {swap ? pair->b : pair->a, swap ? pair->a : pair->b, *pair, {0}};
    listed.gap = gz_links_gap(&list->search->wide, pair, reach);
    if (listed.gap.lower < list->within && listed.gap.upper < INFINITY) return insert(list, &listed);
    leave_out(list, listed.gap.lower);
    return true;
}

/* ---- boxes ---- */

/* Boxes are grown by paddings and half of the separation each: a lower bound beyond contact. */
static double box_bound(const gz_link_box *x, const gz_link_box *y) {
    double gap[3];
    for (int c = 0; c < 3; c++) gap[c] = fmax(0, fmax(x->lo[c] - y->hi[c], y->lo[c] - x->hi[c]));
    return fmax(0, gz_length_below(gap));
}

/* Of a link that is not still; made when it is asked for. */
static const gz_link_box *box_of(const gz_gap_list *list, uint32_t link) {
    gz_search *search = list->search;
    gz_link_box *box = &search->boxes[link - search->scene.still_count];
    if (isnan(box->lo[0])) *box = gz_cull_box(&search->wide, link, search->options.min_separation);
    return box;
}

/* Two links that move, and how far their boxes are apart. */
typedef struct mover_pair {
    double bound;
    gz_link_pair pair;
} mover_pair;

static int by_bound(const void *a, const void *b) {
    const mover_pair *x = a, *y = b;
    if (x->bound != y->bound) return x->bound < y->bound ? -1 : 1;
    if (x->pair.a != y->pair.a) return x->pair.a < y->pair.a ? -1 : 1;
    return (x->pair.b > y->pair.b) - (x->pair.b < y->pair.b);
}

typedef struct mover_pairs {
    mover_pair *pairs;
    size_t count, room;
} mover_pairs;

static bool list_movers(const gz_gap_list *list, mover_pairs *pairs) {
    const gz_scene *scene = &list->search->scene;
    uint32_t first = (uint32_t)scene->still_count, end = (uint32_t)scene->count;
    for (uint32_t a = first; a < end; a++)
        for (uint32_t b = a + 1; b < end; b++) {
            gz_link_pair pair;
            if (!gz_search_pair(list->search, a, b, &pair)) continue;
            if (!gz_grow(scene->context, (void **)&pairs->pairs, &pairs->room, pairs->count + 1, sizeof *pairs->pairs))
                return false;
            pairs->pairs[pairs->count++] = (mover_pair){box_bound(box_of(list, a), box_of(list, b)), pair};
        }
    return true;
}

static bool measure_movers(gz_gap_list *list) {
    mover_pairs pairs = {0};
    bool good = list_movers(list, &pairs);
    if (good && pairs.count) qsort(pairs.pairs, pairs.count, sizeof *pairs.pairs, by_bound);
    for (size_t i = 0; i < pairs.count && good; i++) good = measure(list, &pairs.pairs[i].pair, pairs.pairs[i].bound);
    gz_release(list->search->scene.context, pairs.pairs, pairs.room * sizeof *pairs.pairs);
    return good;
}

/* ---- links that stand ---- */

/* A link that moves, on the way down the tree of those that do not. */
typedef struct still_walk {
    gz_gap_list *list;
    uint32_t mover;
    const gz_link_box *box;
    const gz_still_tree *tree;
} still_walk;

/* A node's box holds those below it, which are grown by paddings alone; sums are off by less than GZ_TAYLOR_UP. */
static gz_link_box node_box(const still_walk *walk, const gz_face_node *node) {
    gz_link_box box = {.fixed = true};
    double grow = walk->list->search->options.min_separation;
    for (int c = 0; c < 3; c++) {
        double size = fabs(node->center[c]) + node->half[c] + grow;
        double half = node->half[c] + grow + (GZ_TAYLOR_UP - 1) * size;
        box.lo[c] = node->center[c] - half;
        box.hi[c] = node->center[c] + half;
    }
    return box;
}

static double node_bound(const still_walk *walk, uint32_t index) {
    gz_link_box box = node_box(walk, &walk->tree->boxes.nodes[index]);
    return box_bound(walk->box, &box);
}

static bool measure_still(gz_gap_list *list, uint32_t mover, uint32_t link) {
    gz_search *search = list->search;
    gz_link_pair pair;
    if (!gz_search_pair(search, mover, link, &pair)) return true;
    gz_link_box box = gz_cull_box(&search->wide, link, search->options.min_separation);
    return measure(list, &pair, box_bound(box_of(list, mover), &box));
}

/* The nearer child first. The tree is at most 33 deep. */
static bool walk_still(const still_walk *walk, uint32_t index, double bound) {
    const gz_face_node *node = &walk->tree->boxes.nodes[index];
    if (bound >= reach_of(walk->list)) {
        leave_out(walk->list, bound);
        return true;
    }
    if (gz_face_node_is_leaf(node)) return measure_still(walk->list, walk->mover, walk->tree->links[node->face]);
    double left = node_bound(walk, index + 1), right = node_bound(walk, node->right);
    bool swap = right < left;
    return walk_still(walk, swap ? node->right : index + 1, swap ? right : left) &&
           walk_still(walk, swap ? index + 1 : node->right, swap ? left : right);
}

/* Without the tree: rules may say that none is tested, and no box is made. */
static bool measure_few(gz_gap_list *list, const gz_still_tree *tree, uint32_t mover) {
    bool good = true;
    for (uint32_t i = 0; i < (tree->boxes.count + 1) / 2 && good; i++)
        good = measure_still(list, mover, tree->links[i]);
    return good;
}

static bool measure_stills(gz_gap_list *list) {
    const gz_scene *scene = &list->search->scene;
    const graze_world *world = list->search->world;
    bool good = true;
    if (!world || world->still->tree.boxes.count == 0) return true;
    const gz_still_tree *tree = &world->still->tree;
    for (uint32_t i = (uint32_t)scene->still_count; i < scene->count && good; i++) {
        if (!gz_scene_at(scene, i)->link->tree.nodes) continue;
        if (tree->boxes.count <= FEW_NODES) {
            good = measure_few(list, tree, i);
            continue;
        }
        still_walk walk = {list, i, box_of(list, i), tree};
        good = walk_still(&walk, 0, node_bound(&walk, 0));
    }
    return good;
}

graze_status gz_gap_list_find(gz_gap_list *list, gz_search *search, double t, size_t most, double within) {
    *list = (gz_gap_list){.search = search, .most = most, .within = within, .lower = INFINITY};
    size_t movers = search->scene.count - search->scene.still_count;
    if (!gz_grow(search->scene.context, (void **)&search->boxes, &search->box_room, movers, sizeof *search->boxes))
        return GRAZE_ERR_OUT_OF_MEMORY;
    gz_frames_window(&search->wide, t, t);
    for (size_t i = 0; i < movers; i++) search->boxes[i].lo[0] = NAN;
    if (!measure_movers(list) || !measure_stills(list)) return GRAZE_ERR_OUT_OF_MEMORY;
    sort(list);
    return GRAZE_OK;
}

void gz_gap_list_close(gz_gap_list *list) {
    if (list->gaps) gz_release(list->search->scene.context, list->gaps, list->room * sizeof *list->gaps);
    list->gaps = NULL;
    list->count = list->room = 0;
}

gz_world_points gz_points_in_world(gz_frames *frames, const gz_listed_gap *gap) {
    const gz_frame_model *frame = gz_frames_world(frames, gap->pair.b);
    gz_vec3 a = gz_link_point_at(frame, gap->gap.closest.a, 0), b = gz_link_point_at(frame, gap->gap.closest.b, 0);
    return gap->first == gap->pair.a ? (gz_world_points){a, b} : (gz_world_points){b, a};
}
