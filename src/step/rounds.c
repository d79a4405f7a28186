/* The fused step on a large mesh: the tree is refitted to the window as it shrinks.
 *
 * Early hits come first: the leaf blocks are worked off in rounds, each four times as large as all before it and spread
 * over the whole mesh. Each block is visited once. */
#include "step/fused.h"

#include "broad/bvh.h"
#include "kernels/kernels.h"

#define RUN 8u /* leaf blocks that are visited together */
#define FIRST_PART 256u
#define LEAST_RUNS 8u /* in the first round */

typedef struct rounds {
    gz_fused *fused;
    const gz_step_call *call;
    gz_tree trees[GZ_TREES];
    gz_bvh_job jobs[GZ_KINDS];
    uint32_t part;         /* this round: runs that are multiples of it … */
    bool first;            /* … all of them, or those that earlier rounds left */
    size_t runs[GZ_KINDS]; /* in this round */
} rounds;

static size_t divide_up(size_t a, size_t b) { return a / b + (a % b != 0); }

static size_t runs_of(const rounds *r, int kind) {
    return gz_step_has_kind(r->call, (graze_kind)kind) ? divide_up(r->jobs[kind].a.blocks[0], RUN) : 0;
}

static void plan_round(rounds *r) {
    for (int kind = 0; kind < GZ_KINDS; kind++) {
        size_t multiples = divide_up(runs_of(r, kind), r->part);
        r->runs[kind] = r->first ? multiples : multiples - divide_up(multiples, 4);
    }
}

/* Number i of this round. */
static size_t run_at(const rounds *r, size_t i) { return r->part * (r->first ? i : 4 * (i / 3) + 1 + i % 3); }

static void round_range(void *state, size_t begin, size_t end, uint32_t worker) {
    rounds *r = state;
    gz_bvh_kernel *visit = r->call->context->kernels->bvh;
    for (size_t i = begin; i < end; i++) {
        size_t index = i;
        int kind = 0;
        while (index >= r->runs[kind]) index -= r->runs[kind++];
        gz_emitter *emitter = &r->fused->workers[worker].emitters[kind];
        if (gz_stopped(emitter) || gz_cancelled(r->call->context)) return;
        size_t first = run_at(r, index) * RUN, last = first + RUN, blocks = r->jobs[kind].a.blocks[0];
        visit(&r->jobs[kind], first, last < blocks ? last : blocks, emitter);
    }
}

static void flush_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    rounds *r = state;
    for (size_t i = begin; i < end; i++)
        for (int kind = 0; kind < GZ_KINDS; kind++) gz_emit_flush(&r->fused->workers[i].emitters[kind]);
}

static void run_round(rounds *r) {
    graze_context *context = r->call->context;
    size_t total = 0, waiting = 0;
    plan_round(r);
    for (int kind = 0; kind < GZ_KINDS; kind++) total += r->runs[kind];
    /* a handful of runs is done before another thread has woken up */
    gz_parallel(context, total, total < 16 ? total : total > 64 * context->threads ? 4 : 1, round_range, r);
    for (uint32_t i = 0; i < context->threads; i++)
        for (int kind = 0; kind < GZ_KINDS; kind++) waiting += r->fused->workers[i].emitters[kind].count;
    if (waiting > 1024) {
        gz_parallel(context, context->threads, 1, flush_range, r);
    } else {
        flush_range(r, 0, context->threads, 0);
    }
}

/* The window that holds every pair whose toi is at most best; docs/numerics.md, section 3. */
static double window_for(const rounds *r) {
    double best = gz_fused_best(r->fused);
    return best < r->call->t_max ? fmin(best * (1 + 0x1p-30) + 0x1p-800, r->call->t_max) : r->call->t_max;
}

static void renew_boxes(rounds *r, double window) {
    const gz_step_call *call = r->call;
    gz_box *vertices = call->workspace->slots[GZ_SLOT_VERTEX_BOXES].bytes;
    gz_box_input input = gz_step_box_input(call);
    gz_window_boxes(call->context, &input, window, vertices);
    gz_tree_renew(call->trees);
}

static void refit(rounds *r, double window) {
    renew_boxes(r, window);
    for (int tree = 0; tree < GZ_TREES; tree++)
        if (r->trees[tree].count) gz_tree_refit(r->call->trees, &r->trees[tree]);
}

/* Refitting pays when it spares more pairs than it costs primitives; about four of these to one of those. */
static bool worth_refitting(const rounds *r) {
    uint64_t seen = 0, primitives = 0;
    for (uint32_t i = 0; i < r->call->context->threads; i++) seen += r->fused->workers[i].counts.queries;
    for (int tree = 0; tree < GZ_TREES; tree++) primitives += r->trees[tree].count;
    return 4 * seen * (r->part - 1) > primitives; /* one block of r->part has been visited */
}

static void run_rounds(rounds *r, double window) {
    const gz_step_call *call = r->call;
    size_t total = 0;
    for (int kind = 0; kind < GZ_KINDS; kind++) total += runs_of(r, kind);
    r->part = FIRST_PART;
    while (r->part > 1 && total / r->part < LEAST_RUNS) r->part /= 4;
    for (r->first = true;; r->first = false, r->part /= 4) {
        run_round(r);
        if (r->part == 1 || atomic_load(&r->fused->stopped) || atomic_load(&call->context->cancelled)) return;
        double smaller = window_for(r);
        if (smaller < 0.5 * window && worth_refitting(r)) refit(r, window = smaller);
    }
}

static bool build_trees(rounds *r) {
    for (int kind = 0; kind < GZ_KINDS; kind++) {
        if (!gz_step_has_kind(r->call, (graze_kind)kind)) continue;
        gz_tree *sides[2];
        for (int side = 0; side < 2; side++) {
            gz_tree_id id = gz_tree_of((graze_kind)kind, side == 1);
            sides[side] = &r->trees[id];
            if (sides[side]->count == 0 && !gz_tree_build(r->call->trees, id, sides[side])) return false;
        }
        r->jobs[kind] = (gz_bvh_job){.a = *sides[0], .b = *sides[1]};
    }
    return true;
}

/* ---- from step to step ---- */

/* What touched first in the last step often does so in this one, and makes the window small from the start. */
static void try_seeds(rounds *r) {
    const graze_mesh *mesh = r->call->mesh;
    const gz_workspace *workspace = r->call->workspace;
    if (mesh->filter) return; /* it is asked once for each pair */
    for (uint32_t i = 0; i < workspace->seed_count; i++) {
        gz_seed seed = workspace->seeds[i];
        gz_traversal *traversal = &r->fused->traversals[seed.kind];
        uint32_t a_count, b_count;
        gz_pair_counts(mesh, (graze_kind)seed.kind, &a_count, &b_count);
        if (!gz_step_has_kind(r->call, (graze_kind)seed.kind)) continue;
        if (seed.a >= a_count || seed.b >= b_count) continue;
        if (gz_share_vertex(mesh, traversal->kind, seed.a, seed.b)) continue;
        if (traversal->ruled && !gz_pair_allowed(traversal, seed.a, seed.b)) continue;
        if (!gz_fused_block(r->fused, 0, traversal->kind, (const uint32_t[1][2]){{seed.a, seed.b}}, 1)) return;
    }
}

typedef struct seed_list {
    gz_seed *pairs;
    double toi[GZ_SEEDS];
    uint32_t count;
} seed_list;

/* Keeps the pairs with the least toi, in that order. */
static void add_seed(seed_list *list, gz_seed pair, double toi) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->pairs[i].kind == pair.kind && list->pairs[i].a == pair.a && list->pairs[i].b == pair.b) return;
    if (list->count == GZ_SEEDS && !(toi < list->toi[GZ_SEEDS - 1])) return;
    uint32_t at = list->count == GZ_SEEDS ? GZ_SEEDS - 1 : list->count++;
    for (; at > 0 && list->toi[at - 1] > toi; at--) {
        list->toi[at] = list->toi[at - 1];
        list->pairs[at] = list->pairs[at - 1];
    }
    list->toi[at] = toi;
    list->pairs[at] = pair;
}

static void keep_seeds(const rounds *r) {
    gz_workspace *workspace = r->call->workspace;
    seed_list list = {.pairs = workspace->seeds};
    for (uint32_t i = 0; i < r->fused->worker_count; i++) {
        const gz_fused_worker *worker = &r->fused->workers[i];
        for (uint32_t k = 0; k < GZ_RECENT && k < worker->recent_count; k++)
            if (worker->recent[k].pair.kind <= GRAZE_EE) /* others may be none of the next mesh */
                add_seed(&list, worker->recent[k].pair, worker->recent[k].toi);
    }
    if (list.count) workspace->seed_count = list.count; /* else the old ones may serve again */
}

bool gz_fused_rounds(gz_fused *f) {
    rounds r = {.fused = f, .call = f->call};
    try_seeds(&r);
    if (atomic_load(&f->stopped) || atomic_load(&f->call->context->cancelled)) return true;
    double window = window_for(&r);
    if (window < f->call->t_max) renew_boxes(&r, window);
    if (!build_trees(&r)) return false;
    run_rounds(&r, window);
    keep_seeds(&r);
    return true;
}
