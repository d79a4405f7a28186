/* Boxes of bodies are sorted along an axis first; then, for two bodies whose boxes meet, those of their primitives. */
#include "world/near.h"

#include "broad/emit.h"
#include "world/controls.h"

#include <stdlib.h>
#include <string.h>

/* ---- boxes ---- */

static gz_box box_of(const double q[4][3], double grow) {
    gz_box box = gz_box_empty();
    for (int k = 0; k < 4; k++)
        for (int c = 0; c < 3; c++) {
            box.lo[c] = fmin(box.lo[c], q[k][c]);
            box.hi[c] = fmax(box.hi[c], q[k][c]);
        }
    for (int c = 0; c < 3 && grow > 0; c++) {
        box.lo[c] = gz_sub_down(box.lo[c], grow);
        box.hi[c] = gz_add_up(box.hi[c], grow);
    }
    return box;
}

typedef struct box_job {
    gz_movers *movers;
    gz_span span;
} box_job;

static void set_boxes(gz_movers *movers, uint32_t worker, gz_mover *mover, gz_span span) {
    const gz_frame_model *frame = NULL;
    double grow = gz_add_up(movers->grow, mover->unit->padding), q[4][3];
    if (gz_unit_has_frame(mover->unit)) {
        frame = gz_mover_frame(movers, worker, mover, span, &mover->frame);
        mover->frame = *frame;
    }
    mover->box = gz_box_empty();
    for (uint32_t v = 0; v < mover->unit->mesh.vertex_count; v++) {
        double off = gz_controls(mover, frame, span, v, q);
        mover->boxes[v] = box_of((const double(*)[3])q, gz_add_up(grow, off));
        gz_box_join(&mover->box, &mover->boxes[v]);
    }
}

static void box_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const box_job *job = state;
    for (size_t i = begin; i < end; i++) set_boxes(job->movers, worker, &job->movers->list[i], job->span);
}

void gz_near_boxes(gz_movers *movers, gz_span span) {
    box_job job = {movers, span};
    gz_parallel(movers->context, movers->count, 1, box_range, &job);
}

/* ---- boxes along an axis ---- */

typedef struct item {
    gz_box box;
    uint32_t id;
} item;

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

/* What one worker searches with. */
typedef struct searcher {
    graze_context *context;
    const gz_movers *movers;
    uint32_t first, second;
    bool self;         /* both are one mover */
    item_list side[2]; /* primitives of both */
    gz_near_list found;
    bool failed; /* there was no memory */
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

/* Pairs of an item of side a with one of side b, each once. */
static void sweep(searcher *s, graze_kind kind, bool swapped) {
    const item_list *a = &s->side[0], *b = &s->side[1];
    size_t i = 0, j = 0;
    while (i < a->count && j < b->count) {
        if (a->items[i].box.lo[0] <= b->items[j].box.lo[0])
            match(s, kind, swapped, &a->items[i], b, j, true), i++;
        else
            match(s, kind, swapped, &b->items[j], a, i, false), j++;
    }
}

/* The same within one list. */
static void sweep_self(searcher *s, graze_kind kind) {
    const item_list *list = &s->side[0];
    for (size_t i = 0; i < list->count; i++) match(s, kind, false, &list->items[i], list, i + 1, true);
}

/* ---- primitives of two movers ---- */

enum { VERTICES, EDGES, FACES, POINTS, CODIM_EDGES };

static uint32_t primitive_count(const graze_mesh *mesh, int what) {
    const uint32_t counts[] = {mesh->vertex_count, mesh->edge_count, mesh->face_count, mesh->codim_point_count,
                               mesh->codim_edge_count};
    return counts[what];
}

/* Its id, and its box. */
static uint32_t primitive(const gz_mover *mover, int what, uint32_t index, gz_box *box) {
    const graze_mesh *mesh = &mover->unit->mesh;
    uint32_t id = what == POINTS ? mesh->codim_points[index] : what == CODIM_EDGES ? mesh->codim_edges[index] : index;
    const uint32_t *corners = what == FACES ? mesh->faces[id] : mesh->edges[id];
    if (what == VERTICES || what == POINTS) {
        *box = mover->boxes[id];
        return id;
    }
    *box = mover->boxes[corners[0]];
    gz_box_join(box, &mover->boxes[corners[1]]);
    if (what == FACES) gz_box_join(box, &mover->boxes[corners[2]]);
    return id;
}

/* Those of a mover that meet the other's box, sorted. */
static void gather(searcher *s, int side, const gz_mover *mover, const gz_box *other, int what) {
    item_list *list = &s->side[side];
    list->count = 0;
    for (uint32_t i = 0; i < primitive_count(&mover->unit->mesh, what); i++) {
        gz_box box;
        uint32_t id = primitive(mover, what, i, &box);
        if (gz_boxes_meet(&box, other) && !add_item(s->context, list, &box, id)) s->failed = true;
    }
    if (list->count > 1) qsort(list->items, list->count, sizeof *list->items, by_x);
}

/* Pairs of a kind, a of `first` with b of `second`. */
static void search_kind(searcher *s, graze_kind kind, int what_a, int what_b, bool swapped) {
    const gz_mover *a = &s->movers->list[swapped ? s->second : s->first];
    const gz_mover *b = &s->movers->list[swapped ? s->first : s->second];
    if (primitive_count(&a->unit->mesh, what_a) == 0 || primitive_count(&b->unit->mesh, what_b) == 0) return;
    gather(s, 0, a, &b->box, what_a);
    if (s->self && what_a == what_b) {
        sweep_self(s, kind);
        return;
    }
    if (s->side[0].count == 0) return;
    gather(s, 1, b, &a->box, what_b);
    sweep(s, kind, swapped);
}

static void search_movers(searcher *s, uint32_t first, uint32_t second) {
    s->first = first;
    s->second = second;
    s->self = first == second;
    search_kind(s, GRAZE_VF, VERTICES, FACES, false);
    search_kind(s, GRAZE_EE, EDGES, EDGES, false);
    search_kind(s, GRAZE_PE, POINTS, CODIM_EDGES, false);
    search_kind(s, GRAZE_PP, POINTS, POINTS, false);
    if (s->self) return;
    search_kind(s, GRAZE_VF, VERTICES, FACES, true);
    search_kind(s, GRAZE_PE, POINTS, CODIM_EDGES, true);
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
    uint32_t (*pairs)[2];
    size_t count, room;
} mover_pairs;

static bool add_movers(mover_pairs *job, uint32_t a, uint32_t b) {
    if (!are_tested(job->movers, a, b)) return true;
    if (!gz_grow(job->movers->context, (void **)&job->pairs, &job->room, job->count + 1, sizeof *job->pairs))
        return false;
    job->pairs[job->count][0] = a < b ? a : b;
    job->pairs[job->count++][1] = a < b ? b : a;
    return true;
}

/* Movers whose boxes meet, and those that may touch themselves. */
static bool list_movers(mover_pairs *job, item_list *items) {
    gz_movers *movers = job->movers;
    bool room = true;
    for (uint32_t i = 0; i < movers->count && room; i++)
        room = add_movers(job, i, i) && add_item(movers->context, items, &movers->list[i].box, i);
    if (!room) return false;
    qsort(items->items, items->count, sizeof *items->items, by_x);
    for (size_t i = 0; i < items->count && room; i++)
        for (size_t j = i + 1; j < items->count && room; j++) {
            const item *x = &items->items[i], *y = &items->items[j];
            if (y->box.lo[0] > x->box.hi[0]) break;
            if (gz_boxes_meet(&x->box, &y->box)) room = add_movers(job, x->id, y->id);
        }
    return room;
}

static void mover_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const mover_pairs *job = state;
    for (size_t i = begin; i < end; i++) search_movers(&job->searchers[worker], job->pairs[i][0], job->pairs[i][1]);
}

/* What the workers found, as one list. */
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
    for (int i = 0; i < 2; i++) gz_release(s->context, s->side[i].items, s->side[i].room * sizeof(item));
    gz_release(s->context, s->found.pairs, s->found.room * sizeof *s->found.pairs);
}

static bool find(mover_pairs *job, gz_near_list *list) {
    item_list items = {0};
    graze_context *context = job->movers->context;
    bool done = list_movers(job, &items);
    gz_release(context, items.items, items.room * sizeof *items.items);
    if (!done) return false;
    gz_parallel(context, job->count, 1, mover_range, job);
    return collect(job, list);
}

graze_status gz_near_find(gz_movers *movers, gz_near_list *list) {
    graze_context *context = movers->context;
    mover_pairs job = {.movers = movers};
    job.searchers = gz_allocate_array(context, context->threads, sizeof *job.searchers);
    if (!job.searchers) return GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < context->threads; i++) job.searchers[i] = (searcher){.context = context, .movers = movers};
    bool done = find(&job, list);
    for (uint32_t i = 0; i < context->threads; i++) close_searcher(&job.searchers[i]);
    gz_release(context, job.searchers, context->threads * sizeof *job.searchers);
    gz_release(context, job.pairs, job.room * sizeof *job.pairs);
    return done ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}
