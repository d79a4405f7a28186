/* The fused step on a large mesh: the tree is refitted to the window as it shrinks.
 *
 * Early hits come first: the leaf blocks are worked off in rounds, each four times as large as all before it and spread
 * over the whole mesh. Each block is visited once. The first round takes one kind of pairs after the other, so that the
 * trees of the next see a smaller window, or, where a pair touches at the very start, are not needed. */
#include "step/earliest/rounds.h"

#include "base/force.h"
#include "broad/bvh.h"
#include "kernels/kernels.h"
#include "numerics/kept.h"
#include "step/kept_reach.h"
#include "step/mesh_pair.h"

#define RUN 8u /* leaf blocks that are visited together */
#define FIRST_PART 256u
#define LEAST_RUNS 8u /* in the first round */
#define ALONE_RUNS 8u
#define RUNS_EACH 4u /* or pieces of them, that a thread is to have of a round, if need be */
#define EDGE_SAMPLES 128u
#define STILL_PART 0.125 /* of the tests that boxes of the start alone would spare */

typedef struct rounds {
    gz_fused *fused;
    const gz_step_call *call;
    gz_tree trees[GZ_TREES];
    gz_bvh_job jobs[GZ_KINDS]; /* of a.count 0 until its trees are built */
    uint32_t part;             /* this round: runs that are multiples of it … */
    bool first;                /* … all of them, or those that earlier rounds left */
    int only;                  /* in the first round: the kind that it is about */
    double window;             /* that the boxes are of */
    size_t runs[GZ_KINDS];     /* in this round */
    size_t pieces;             /* of a run: more than one where there are few runs for many threads */
    double extent, motion;     /* of some edges; 0 until they are wanted */
} rounds;

static size_t divide_up(size_t a, size_t b) { return a / b + (a % b != 0); }

static size_t runs_of(const rounds *r, int kind) {
    return r->jobs[kind].a.count ? divide_up(r->jobs[kind].a.blocks[0], RUN) : 0;
}

static void plan_round(rounds *r) {
    for (int kind = 0; kind < GZ_KINDS; kind++) {
        size_t multiples = divide_up(runs_of(r, kind), r->part);
        r->runs[kind] = !r->first ? multiples - divide_up(multiples, 4) : kind == r->only ? multiples : 0;
    }
}

/* Number i of this round. */
static size_t run_at(const rounds *r, size_t i) { return r->part * (r->first ? i : 4 * (i / 3) + 1 + i % 3); }

/* True if a block has a pair that comes before the first one with toi 0: by its own ids, where they are those of a. */
static bool matters(const rounds *r, int kind, size_t block) {
    uint64_t first = gz_fused_first(r->fused);
    if (first == GZ_RANK_NONE) return true;
    if (gz_kind_is_self((graze_kind)kind)) return gz_pair_rank((graze_kind)kind, 0, 0) < first;
    const uint32_t *ids = r->jobs[kind].a.leaves[block].ids;
    for (unsigned lane = 0; lane < GZ_BLOCK; lane++)
        if (gz_pair_rank((graze_kind)kind, ids[lane], 0) < first) return true;
    return false;
}

/* Visits a piece of a run, without the blocks that do not matter. */
static void visit_run(rounds *r, int kind, size_t run, size_t piece, gz_emitter *emitter) {
    gz_bvh_kernel *visit = r->call->context->kernels->bvh;
    size_t size = RUN / r->pieces, first = run * RUN + piece * size;
    size_t blocks = r->jobs[kind].a.blocks[0], end = first + size < blocks ? first + size : blocks;
    for (size_t k = first; k < end; k++) {
        size_t begin = k;
        while (k < end && matters(r, kind, k)) k++;
        if (begin < k) visit(&r->jobs[kind], begin, k, emitter);
    }
}

static void round_range(void *state, size_t begin, size_t end, uint32_t worker) {
    rounds *r = state;
    for (size_t i = begin; i < end; i++) {
        size_t index = i / r->pieces;
        int kind = 0;
        while (index >= r->runs[kind]) index -= r->runs[kind++];
        gz_emitter *emitter = &r->fused->workers[worker].emitters[kind];
        if (gz_stopped(emitter) || gz_cancelled(r->call->context)) return;
        visit_run(r, kind, run_at(r, index), i % r->pieces, emitter);
    }
}

/* A worker that has no run left answers what it gathered, while others are still at theirs. */
static void flush_worker(void *state, uint32_t worker) {
    rounds *r = state;
    for (int kind = 0; kind < GZ_KINDS; kind++) gz_emit_flush(&r->fused->workers[worker].emitters[kind]);
}

/* Blocks of a run go down the tree together, which is quicker but for threads that wait for the last run. */
static size_t pieces_for(const graze_context *context, size_t runs) {
    size_t pieces = 1;
    while (pieces < RUN && runs * pieces < RUNS_EACH * (context->threads - 1)) pieces *= 2;
    return pieces;
}

static void run_round(rounds *r) {
    graze_context *context = r->call->context;
    size_t runs = 0;
    plan_round(r);
    for (int kind = 0; kind < GZ_KINDS; kind++) runs += r->runs[kind];
    /* on a small mesh a handful of runs is done before another thread has woken up */
    bool alone = gz_choose(GZ_CHOICE_ALONE, r->first && r->part == 1 && runs < ALONE_RUNS);
    r->pieces = alone ? 1 : pieces_for(context, runs);
    size_t total = runs * r->pieces, at_once = alone ? total : total > 64 * context->threads ? 4 : 1;
    gz_parallel_then(context, total, at_once, round_range, flush_worker, r);
}

/* The window that holds every pair whose toi is at most best; docs/numerics.md, section 3. A pair that keeps a part of
   its own distance may stop while its boxes are apart: boxes of a window then grow by as much as one can have to keep.
   That bound is not for pairs that run out of checks, and of no use where boxes grow by more than vertices move. */
static double window_for(const rounds *r) {
    double part = r->call->options.relative_separation, t_max = r->call->question.t_max;
    double window = gz_fused_best(r->fused) * (1 + 0x1p-30) + 0x1p-800;
    if (!(window < t_max) || (part > 0 && !gz_far_serves(r->call))) return t_max;
    return gz_choose(GZ_CHOICE_WINDOW, gz_kept_pays(part, window, t_max)) ? window : t_max;
}

static void renew_boxes(rounds *r, double window) {
    const gz_step_call *call = r->call;
    bool whole = window == call->question.t_max; /* which holds all candidates as it is */
    call->trees->window = window;
    call->trees->input.grow = gz_half_up(whole ? call->question.separation : gz_kept_reach(call, window));
    gz_tree_renew(call->trees);
    if (r->fused->looks) r->fused->far = gz_far_job_of(call);
}

/* Sums over some edges: by how much their ends differ, and how far they go in the whole step. */
static void sample_edges(rounds *r) {
    const graze_mesh *mesh = r->call->mesh;
    const gz_box_input *in = &r->call->trees->input;
    uint32_t step = mesh->edge_count / EDGE_SAMPLES + 1;
    for (uint32_t e = 0; e < mesh->edge_count; e += step) {
        const double *a = gz_box_position(in, in->x0, mesh->edges[e][0]);
        const double *b = gz_box_position(in, in->x0, mesh->edges[e][1]);
        const double *to = gz_box_position(in, in->x1, mesh->edges[e][0]);
        for (int c = 0; c < 3; c++) {
            r->extent += fabs(b[c] - a[c]) + 2 * in->grow;
            r->motion += fabs(to[c] - a[c]);
        }
    }
}

/* Roughly the part of the tests that a window this small would spare: boxes on a surface meet by their area. */
static double spared(rounds *r, double smaller) {
    if (r->extent == 0) sample_edges(r);
    double all = r->extent + 2 * r->window * r->motion;
    return all > 0 ? 2 * (r->window - smaller) * r->motion / all : 1;
}

/* True if the boxes are nearly those of edges at rest, and pairs that are apart may be left out. */
static bool nearly_still(rounds *r) { return r->fused->looks && gz_choose(GZ_CHOICE_STILL, spared(r, 0) < STILL_PART); }

static void refit(rounds *r, double window) {
    renew_boxes(r, window);
    r->trees[GZ_TREE_EDGES].slopes = nearly_still(r);
    gz_tree_refit(r->call->trees, r->trees);
}

static double primitives_of(const rounds *r) {
    double count = 0;
    for (int tree = 0; tree < GZ_TREES; tree++) count += r->trees[tree].count;
    return count;
}

/* Pairs whose boxes met so far. */
static double pairs_seen(const rounds *r) {
    double count = 0;
    for (uint32_t i = 0; i < r->call->context->threads; i++) {
        const gz_fused_worker *worker = &r->fused->workers[i];
        count += (double)worker->counts.queries + (double)worker->emitters[GRAZE_EE].beside;
    }
    return count;
}

/* Refitting a primitive costs an eighth of what traversing with it does, and a third of a pair. One run of r->part has
   been visited. */
static bool worth_refitting(rounds *r, double smaller) {
    double primitives = primitives_of(r), left = (8 * primitives / r->part + 3 * pairs_seen(r)) * (r->part - 1);
    return left * spared(r, smaller) > primitives;
}

/* Looking at eight edges costs as much as looking at one pair does later: it pays where pairs are many. */
static bool worth_looking_beside(const rounds *r) {
    return r->trees[GZ_TREE_EDGES].slopes &&
           gz_choose(GZ_CHOICE_BESIDE, pairs_seen(r) * r->part > 2 * primitives_of(r));
}

/* False when a later round is of no use. */
static bool go_on(const rounds *r) {
    return !atomic_load(&r->fused->stopped) && !atomic_load(&r->call->context->cancelled);
}

static void shrink(rounds *r) {
    double smaller = window_for(r);
    if (smaller < r->window && gz_choose(GZ_CHOICE_REFIT, smaller < 0.5 * r->window && worth_refitting(r, smaller)))
        refit(r, r->window = smaller);
    r->jobs[GRAZE_EE].beside = worth_looking_beside(r) ? gz_far_beside(r->call) : 0;
}

/* The tree of one side, unless another kind has built it. */
static bool build_tree(rounds *r, gz_tree_id id) {
    if (r->trees[id].count) return true;
    r->trees[id].slopes = id == GZ_TREE_EDGES && nearly_still(r);
    return gz_tree_build(r->call->trees, id, &r->trees[id]);
}

static bool build_job(rounds *r, graze_kind kind) {
    gz_tree_id a = gz_tree_of(kind, false), b = gz_tree_of(kind, true);
    if (!build_tree(r, a) || !build_tree(r, b)) return false;
    r->jobs[kind].a = r->trees[a];
    r->jobs[kind].b = r->trees[b];
    return true;
}

/* ---- from step to step ---- */

/* Pairs that touched first in the last step often do so in this one, and make the window small from the start. */
static void try_seeds(rounds *r) {
    const graze_mesh *mesh = r->call->mesh;
    const gz_workspace *workspace = r->call->workspace;
    if (mesh->filter || !gz_choose(GZ_CHOICE_SEEDS, true)) return; /* a filter is asked once for each pair */
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

/* The number of runs of all kinds that there will be. */
static size_t total_runs(const rounds *r) {
    size_t total = 0;
    for (int kind = 0; kind < GZ_KINDS; kind++) {
        uint32_t a, b;
        gz_pair_counts(r->call->mesh, (graze_kind)kind, &a, &b);
        if (gz_step_has_kind(r->call, (graze_kind)kind)) total += divide_up(gz_block_count(a), RUN);
    }
    return total;
}

/* The first round, kind by kind. False when there is no memory. */
static bool run_first(rounds *r) {
    size_t total = total_runs(r);
    r->part = FIRST_PART;
    while (r->part > 1 && !gz_choose(GZ_CHOICE_ROUNDS, total / r->part >= LEAST_RUNS)) r->part /= 4;
    r->first = true;
    for (r->only = 0; r->only < GZ_KINDS && go_on(r); r->only++) {
        graze_kind kind = (graze_kind)r->only;
        if (!gz_step_has_kind(r->call, kind) || gz_pair_rank(kind, 0, 0) >= gz_fused_first(r->fused)) continue;
        if (!build_job(r, kind)) return false;
        run_round(r);
        if (r->part > 1) shrink(r);
    }
    return true;
}

static void run_rest(rounds *r) {
    for (r->first = false; r->part > 1 && go_on(r); shrink(r)) {
        r->part /= 4;
        run_round(r);
    }
}

bool gz_fused_rounds(gz_fused *f) {
    rounds r = {.fused = f, .call = f->call};
    try_seeds(&r);
    if (!go_on(&r)) return true;
    r.window = window_for(&r);
    f->looks = gz_far_open(f->call);
    renew_boxes(&r, r.window);
    if (!run_first(&r)) return false;
    run_rest(&r);
    keep_seeds(&r);
    return true;
}
