/* A tree over the boxes of bodies first; then, for two bodies whose boxes meet, boxes of their primitives. */
#include "world/near.h"

#include "broad/emit.h"
#include "motion/rounding.h"
#include "world/box_pairs.h"
#include "world/controls.h"
#include "world/near_faces.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define TREE_DEPTH 64     /* halves of equal count: 33 would do */
#define PAIRS_OF_MOVERS 4 /* that a span may have for each two movers: to list them takes about as long as a look */

/* ---- boxes ---- */

typedef struct box_job {
    gz_movers *movers;
    gz_span span;
} box_job;

static double grow_of(const gz_movers *movers, const gz_mover *mover) {
    return gz_add_up(movers->grow, mover->unit->padding);
}

static void set_boxes(gz_movers *movers, uint32_t worker, gz_mover *mover, gz_span span) {
    double grow = grow_of(movers, mover);
    const gz_face_node *root = mover->unit->nodes;
    if (gz_unit_has_frame(mover->unit)) {
        const gz_frame_model *frame = gz_mover_frame(movers, worker, mover, span, &mover->frame);
        if (frame != &mover->frame) mover->frame = *frame;
        gz_frame_spread(frame, mover->spread);
    }
    mover->box = root ? gz_box_in_frame(mover, root->center, root->half, grow) : gz_box_empty();
    for (uint32_t v = 0; !root && v < mover->unit->mesh.vertex_count; v++) {
        mover->boxes[v] = gz_box_of_vertex(mover, span, v, grow);
        gz_box_join(&mover->box, &mover->boxes[v]);
    }
}

static void box_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const box_job *job = state;
    for (size_t i = begin; i < end; i++)
        if (job->movers->list[i].wanted) set_boxes(job->movers, worker, &job->movers->list[i], job->span);
}

void gz_near_boxes(gz_movers *movers, gz_span span, const gz_mover_pairs *only) {
    box_job job = {movers, span};
    movers->span = span;
    for (size_t i = 0; i < movers->count; i++) movers->list[i].wanted = !only;
    for (size_t i = 0; only && i < only->count; i++)
        movers->list[only->pairs[i][0]].wanted = movers->list[only->pairs[i][1]].wanted = true;
    gz_parallel(movers->context, movers->count, 1, box_range, &job);
}

/* ---- boxes along an axis ---- */

typedef struct item {
    gz_box box;
    uint32_t id;
} item;

/* Primitives of a mover. */
enum { VERTICES, EDGES, FACES, POINTS, CODIM_EDGES, PRIMITIVES };

typedef struct item_list {
    item *items;
    size_t count, room;
} item_list;

static int by_x(const void *a, const void *b) {
    double x = ((const item *)a)->box.lo[0], y = ((const item *)b)->box.lo[0];
    return (x > y) - (x < y);
}

static bool add_item(graze_context *context, item_list *list, const gz_box *box, uint32_t id) {
    if (!gz_grow(context, (void **)&list->items, &list->room, list->count + 1, sizeof *list->items)) return false;
    list->items[list->count++] = (item){*box, id};
    return true;
}

/* State of one worker's search. */
typedef struct searcher {
    graze_context *context;
    const gz_movers *movers;
    uint32_t first, second;
    bool self;                      /* both are one mover */
    item_list lists[2][PRIMITIVES]; /* of both */
    gz_near_list found;
    size_t limit; /* it ends where so many are found */
    bool halves;  /* a span that is too long may be halved */
    bool failed;  /* there was no memory */
} searcher;

static void emit(searcher *s, graze_kind kind, bool swapped, uint32_t a, uint32_t b) {
    gz_near_list *to = &s->found;
    const graze_mesh *mesh = &s->movers->list[s->first].unit->mesh;
    if (s->self && gz_share_vertex(mesh, kind, a, b)) return;
    if (s->self && gz_kind_is_self(kind) && a > b) {
        uint32_t low = b;
        b = a;
        a = low;
    }
    if (to->count >= s->limit) return;
    if (s->failed || !gz_grow(s->context, (void **)&to->pairs, &to->room, to->count + 1, sizeof *to->pairs)) {
        s->failed = true;
        return;
    }
    gz_near_pair pair = {s->first, s->second, {kind, a, b}};
    if (swapped) pair.first = s->second, pair.second = s->first;
    to->pairs[to->count++] = pair;
}

/* From item x on: those of the other side that begin no later than it ends. */
static void match(searcher *s, graze_kind kind, bool swapped, const item *x, const item_list *others, size_t from,
                  bool x_is_a) {
    for (size_t j = from; j < others->count && others->items[j].box.lo[0] <= x->box.hi[0]; j++) {
        const item *y = &others->items[j];
        if (!gz_boxes_meet(&x->box, &y->box)) continue;
        emit(s, kind, swapped, x_is_a ? x->id : y->id, x_is_a ? y->id : x->id);
    }
}

/* Pairs of an item of a with one of b, each once. */
static void sweep(searcher *s, graze_kind kind, bool swapped, const item_list *a, const item_list *b) {
    size_t i = 0, j = 0;
    while (i < a->count && j < b->count) {
        if (a->items[i].box.lo[0] <= b->items[j].box.lo[0])
            match(s, kind, swapped, &a->items[i], b, j, true), i++;
        else
            match(s, kind, swapped, &b->items[j], a, i, false), j++;
    }
}

/* Pairs of two items of one list, each once. */
static void sweep_self(searcher *s, graze_kind kind, const item_list *list) {
    for (size_t i = 0; i < list->count; i++) match(s, kind, false, &list->items[i], list, i + 1, true);
}

/* ---- primitives of two movers ---- */

static void add(searcher *s, int side, int what, uint32_t id, const gz_box *box, const gz_box *region) {
    if (gz_boxes_meet(box, region) && !add_item(s->context, &s->lists[side][what], box, id)) s->failed = true;
}

static uint32_t primitive_count(const graze_mesh *mesh, int what) {
    const uint32_t counts[] = {mesh->vertex_count, mesh->edge_count, mesh->face_count, mesh->codim_point_count,
                               mesh->codim_edge_count};
    return counts[what];
}

/* Its id, and its box, of a mover with the boxes of its vertices. */
static uint32_t primitive(const gz_mover *mover, int what, uint32_t index, gz_box *box) {
    const graze_mesh *mesh = &mover->unit->mesh;
    uint32_t id = what == POINTS ? mesh->codim_points[index] : what == CODIM_EDGES ? mesh->codim_edges[index] : index;
    if (what == VERTICES || what == POINTS) {
        *box = mover->boxes[id];
        return id;
    }
    const uint32_t *corners = what == FACES ? mesh->faces[id] : mesh->edges[id];
    *box = mover->boxes[corners[0]];
    gz_box_join(box, &mover->boxes[corners[1]]);
    if (what == FACES) gz_box_join(box, &mover->boxes[corners[2]]);
    return id;
}

static void gather_all(searcher *s, int side, const gz_mover *mover, const gz_box *region) {
    for (int what = 0; what < PRIMITIVES; what++)
        for (uint32_t i = 0; i < primitive_count(&mover->unit->mesh, what); i++) {
            gz_box box;
            uint32_t id = primitive(mover, what, i, &box);
            add(s, side, what, id, &box, region);
        }
}

/* A face and what it owns. */
static void gather_face(searcher *s, int side, const gz_mover *mover, uint32_t face, const gz_box *region) {
    const gz_face_part *part = &mover->unit->parts[face];
    const uint32_t *corners = mover->unit->mesh.faces[face];
    gz_box boxes[3], whole = gz_box_empty();
    double grow = grow_of(s->movers, mover);
    for (int k = 0; k < 3; k++) {
        boxes[k] = gz_box_of_vertex(mover, s->movers->span, corners[k], grow);
        gz_box_join(&whole, &boxes[k]);
    }
    if (!gz_boxes_meet(&whole, region)) return;
    add(s, side, FACES, face, &whole, region);
    for (int k = 0; k < 3; k++) {
        gz_box edge = boxes[k];
        gz_box_join(&edge, &boxes[(k + 1) % 3]);
        if (part->owned >> k & 1) add(s, side, VERTICES, corners[k], &boxes[k], region);
        if (part->owned >> (3 + k) & 1) add(s, side, EDGES, part->edges[k], &edge, region);
    }
}

/* Down the tree of a mover that keeps its shape. A vertex that is near is of faces that are, and one of them owns it.
 */
static void gather_near(searcher *s, int side, const gz_mover *mover, const gz_box *region) {
    uint32_t stack[TREE_DEPTH], count = 0;
    const gz_face_node *nodes = mover->unit->nodes;
    double grow = grow_of(s->movers, mover);
    stack[count++] = 0;
    while (count) {
        uint32_t at = stack[--count];
        gz_box box = gz_box_in_frame(mover, nodes[at].center, nodes[at].half, grow);
        if (!gz_boxes_meet(&box, region)) continue;
        if (gz_face_node_is_leaf(&nodes[at])) {
            gather_face(s, side, mover, nodes[at].face, region);
            continue;
        }
        stack[count++] = nodes[at].right;
        stack[count++] = at + 1;
    }
}

static void gather(searcher *s, int side, const gz_mover *mover, const gz_box *region) {
    for (int what = 0; what < PRIMITIVES; what++) s->lists[side][what].count = 0;
    (mover->unit->nodes ? gather_near : gather_all)(s, side, mover, region);
}

/* Around all that was gathered of a side. */
static gz_box hull_of(const searcher *s, int side) {
    gz_box hull = gz_box_empty();
    for (int what = 0; what < PRIMITIVES; what++)
        for (size_t i = 0; i < s->lists[side][what].count; i++) gz_box_join(&hull, &s->lists[side][what].items[i].box);
    return hull;
}

/* Keeps the items of a side that meet the region, sorted. */
static void settle(searcher *s, int side, const gz_box *region) {
    for (int what = 0; what < PRIMITIVES; what++) {
        item_list *list = &s->lists[side][what];
        size_t kept = 0;
        for (size_t i = 0; i < list->count; i++)
            if (gz_boxes_meet(&list->items[i].box, region)) list->items[kept++] = list->items[i];
        list->count = kept;
        if (kept > 1) qsort(list->items, kept, sizeof *list->items, by_x);
    }
}

/* True if both are near; else the lists are not to be read. */
static bool gather_both(searcher *s, const gz_mover *a, const gz_mover *b) {
    gather(s, 0, a, &b->box);
    gz_box hull = hull_of(s, 0);
    if (!gz_boxes_meet(&hull, &b->box)) return false;
    gather(s, 1, b, &hull);
    gz_box other = hull_of(s, 1);
    if (!gz_boxes_meet(&hull, &other)) return false;
    settle(s, 0, &other);
    settle(s, 1, &hull);
    return true;
}

static void search_self(searcher *s, const gz_mover *mover) {
    item_list *lists = s->lists[0];
    gather(s, 0, mover, &mover->box);
    settle(s, 0, &mover->box);
    sweep(s, GRAZE_VF, false, &lists[VERTICES], &lists[FACES]);
    sweep_self(s, GRAZE_EE, &lists[EDGES]);
    sweep(s, GRAZE_PE, false, &lists[POINTS], &lists[CODIM_EDGES]);
    sweep_self(s, GRAZE_PP, &lists[POINTS]);
}

/* All that two faces own. Who touches a face touches it by a face that owns it, too. */
static bool take_faces(void *user, uint32_t face_a, uint32_t face_b) {
    searcher *s = user;
    const gz_unit *a = s->movers->list[s->first].unit, *b = s->movers->list[s->second].unit;
    const gz_face_part *x = &a->parts[face_a], *y = &b->parts[face_b];
    for (int i = 0; i < 3; i++) {
        if (x->owned >> i & 1) emit(s, GRAZE_VF, false, a->mesh.faces[face_a][i], face_b);
        if (y->owned >> i & 1) emit(s, GRAZE_VF, true, b->mesh.faces[face_b][i], face_a);
        for (int j = 0; j < 3 && x->owned >> (3 + i) & 1; j++)
            if (y->owned >> (3 + j) & 1) emit(s, GRAZE_EE, false, x->edges[i], y->edges[j]);
    }
    return !s->failed && s->found.count < s->limit;
}

static gz_over_span search_trees(searcher *s, const gz_mover *a, const gz_mover *b, bool list) {
    double low, contact, separation = s->movers->options.min_separation;
    separation = gz_units_separation(s->movers->world, a->unit, b->unit, separation);
    gz_reach_between(separation, a->unit->padding, b->unit->padding, &low, &contact);
    return gz_near_faces(s->movers, a, b, contact, list ? take_faces : NULL, s, s->halves);
}

/* `list`: and lists their pairs, but those of GZ_SPAN_COARSE ones. */
static gz_over_span search_movers(searcher *s, uint32_t first, uint32_t second, bool list) {
    item_list *a = s->lists[0], *b = s->lists[1];
    const gz_mover *x = &s->movers->list[first], *y = &s->movers->list[second];
    s->first = first;
    s->second = second;
    s->self = first == second;
    if (!gz_boxes_meet(&x->box, &y->box)) return GZ_SPAN_APART;
    if (!s->self && x->unit->nodes && y->unit->nodes) return search_trees(s, x, y, list);
    if (!list) return GZ_SPAN_NEAR;
    if (s->self) search_self(s, &s->movers->list[first]);
    if (s->self || !gather_both(s, x, y)) return GZ_SPAN_NEAR;
    sweep(s, GRAZE_VF, false, &a[VERTICES], &b[FACES]);
    sweep(s, GRAZE_VF, true, &b[VERTICES], &a[FACES]);
    sweep(s, GRAZE_EE, false, &a[EDGES], &b[EDGES]);
    sweep(s, GRAZE_PE, false, &a[POINTS], &b[CODIM_EDGES]);
    sweep(s, GRAZE_PE, true, &b[POINTS], &a[CODIM_EDGES]);
    sweep(s, GRAZE_PP, false, &a[POINTS], &b[POINTS]);
    return GZ_SPAN_NEAR;
}

/* ---- movers ---- */

static bool are_tested(const gz_movers *movers, uint32_t a, uint32_t b) {
    const gz_unit *x = movers->list[a].unit, *y = movers->list[b].unit;
    if (gz_unit_is_straight(x) && gz_unit_is_straight(y)) return false;
    return gz_units_separation(movers->world, x, y, 0) >= 0;
}

typedef struct mover_pairs {
    gz_movers *movers;
    searcher *searchers; /* one for each worker */
    gz_mover_pairs found;
    const gz_mover_pairs *pairs;
    size_t most;               /* pairs of primitives; of more only the number is known */
    atomic_size_t listed;      /* pairs of primitives, until there are more than that */
    atomic_bool coarse;        /* some movers are */
    uint8_t *nearness, *lists; /* of each two movers; lists: they have pairs of primitives */
} mover_pairs;

static bool add_pair(graze_context *context, gz_mover_pairs *to, uint32_t a, uint32_t b) {
    if (!gz_grow(context, (void **)&to->pairs, &to->room, to->count + 1, sizeof *to->pairs)) return false;
    to->pairs[to->count][0] = a < b ? a : b;
    to->pairs[to->count++][1] = a < b ? b : a;
    return true;
}

static bool add_movers(mover_pairs *job, uint32_t a, uint32_t b) {
    return !are_tested(job->movers, a, b) || add_pair(job->movers->context, &job->found, a, b);
}

static bool take_movers(void *user, uint32_t a, uint32_t b) { return add_movers(user, a, b); }

/* Movers whose boxes meet, and those that may touch themselves. */
static bool list_movers(mover_pairs *job, gz_boxed *boxes) {
    gz_movers *movers = job->movers;
    for (uint32_t i = 0; i < movers->count; i++) {
        if (!add_movers(job, i, i)) return false;
        boxes[i] = (gz_boxed){movers->list[i].box, i};
    }
    return gz_box_pairs(movers->context, boxes, movers->count, take_movers, job);
}

/* Nearness does not depend on who comes first, nor does whether there are more than the most. */
static void mover_range(void *state, size_t begin, size_t end, uint32_t worker) {
    mover_pairs *job = state;
    searcher *s = &job->searchers[worker];
    for (size_t i = begin; i < end; i++) {
        size_t before = s->found.count;
        bool list = job->listed <= job->most;
        s->limit = job->most < SIZE_MAX - before ? before + job->most + 1 : SIZE_MAX;
        gz_over_span nearness = search_movers(s, job->pairs->pairs[i][0], job->pairs->pairs[i][1], list);
        job->nearness[i] = (uint8_t)nearness;
        job->lists[i] = s->found.count > before;
        job->listed += s->found.count - before;
        if (nearness == GZ_SPAN_COARSE) job->coarse = true;
    }
}

/* Findings of the workers, as one list. */
static bool collect(const mover_pairs *job, gz_near_list *list) {
    graze_context *context = job->movers->context;
    size_t total = 0;
    bool failed = false;
    for (uint32_t i = 0; i < context->threads; i++) {
        total += job->searchers[i].found.count;
        failed |= job->searchers[i].failed;
    }
    list->count = 0;
    if (failed || !gz_grow(context, (void **)&list->pairs, &list->room, total, sizeof *list->pairs)) return false;
    for (uint32_t i = 0; i < context->threads; i++) {
        const gz_near_list *found = &job->searchers[i].found;
        if (found->count) memcpy(list->pairs + list->count, found->pairs, found->count * sizeof *found->pairs);
        list->count += found->count;
    }
    return true;
}

static void close_searcher(searcher *s) {
    for (int i = 0; i < 2 * PRIMITIVES; i++) {
        item_list *list = &s->lists[i / PRIMITIVES][i % PRIMITIVES];
        gz_release(s->context, list->items, list->room * sizeof *list->items);
    }
    gz_release(s->context, s->found.pairs, s->found.room * sizeof *s->found.pairs);
}

static bool list_active(const mover_pairs *job, bool whole, gz_mover_pairs *active) {
    bool room = true;
    active->count = 0;
    for (size_t i = 0; i < job->pairs->count && room; i++)
        if (whole ? job->lists[i] || job->nearness[i] == GZ_SPAN_COARSE : job->nearness[i] != GZ_SPAN_APART)
            room = add_pair(job->movers->context, active, job->pairs->pairs[i][0], job->pairs->pairs[i][1]);
    return room;
}

static bool find_all(mover_pairs *job) {
    graze_context *context = job->movers->context;
    size_t count = job->movers->count;
    gz_boxed *boxes = gz_allocate_array(context, count, sizeof *boxes);
    bool done = boxes && list_movers(job, boxes);
    gz_release(context, boxes, count * sizeof *boxes);
    job->pairs = &job->found;
    return done;
}

static bool find(mover_pairs *job, size_t most, gz_near_list *list, gz_mover_pairs *active, bool *too_long) {
    graze_context *context = job->movers->context;
    if (!job->pairs && !find_all(job)) return false;
    size_t count = job->pairs->count;
    if (too_long && count < (SIZE_MAX - most) / PAIRS_OF_MOVERS) job->most = most + PAIRS_OF_MOVERS * count;
    job->nearness = gz_allocate_array(context, count, 2);
    if (!job->nearness) return false;
    job->lists = job->nearness + count;
    gz_parallel(context, count, 1, mover_range, job);
    bool whole = job->listed <= job->most;
    bool done = list_active(job, whole, active) && (!whole || collect(job, list));
    if (too_long) *too_long = !whole || job->coarse;
    gz_release(context, job->nearness, 2 * count);
    return done;
}

graze_status gz_near_find(gz_movers *movers, const gz_mover_pairs *only, size_t most, gz_near_list *list,
                          gz_mover_pairs *active, bool *too_long) {
    graze_context *context = movers->context;
    mover_pairs job = {.movers = movers, .pairs = only, .most = SIZE_MAX};
    job.searchers = gz_allocate_array(context, context->threads, sizeof *job.searchers);
    if (!job.searchers) return GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < context->threads; i++)
        job.searchers[i] = (searcher){.context = context, .movers = movers, .halves = too_long != NULL};
    bool done = find(&job, most, list, active, too_long);
    for (uint32_t i = 0; i < context->threads; i++) close_searcher(&job.searchers[i]);
    gz_release(context, job.searchers, context->threads * sizeof *job.searchers);
    gz_release(context, job.found.pairs, job.found.room * sizeof *job.found.pairs);
    return done ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}
