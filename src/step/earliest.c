/* The fused earliest-impact step: traverse, test, shrink the window; no list of candidates.
 *
 * best is the least toi found so far. A pair whose boxes do not meet within a window slightly longer than [0, best] has
 * a toi above best (gz_method.windowed), so the tree is refitted to that window and the pair is never seen; a pair that
 * is seen is followed only up to just after best. Both leave the pairs with the least toi untouched, whatever the order
 * of work: the answer, with its ties, is the same for every number of threads.
 *
 * Early hits come first: the leaf blocks are worked off in rounds, each four times as large as all before it and spread
 * over the whole mesh. Each block is visited once. */
#include "step/call.h"

#include "broad/bvh.h"

#define RUN 4u /* leaf blocks that are visited together */
#define FIRST_PART 256u
#define LEAST_RUNS 8u /* in the first round */
#define TIMED 32u     /* pairs in a block below which reading the clock would cost more than it tells */

typedef enum tree_id { TREE_VERTICES, TREE_FACES, TREE_EDGES, TREE_POINTS, TREE_CODIM_EDGES, TREES } tree_id;

typedef struct fused_worker {
    gz_emitter emitters[GZ_KINDS];
    bool has_best;
    bool whole; /* best was followed all the way to t_max */
    graze_pair_result best;
    gz_counts counts;
    double narrow_seconds;
} fused_worker;

typedef struct fused {
    const gz_step_call *call;
    gz_tree trees[TREES];
    gz_bvh_job jobs[GZ_KINDS];
    gz_search searches[GZ_KINDS];
    fused_worker *workers;
    uint32_t (*ids)[4];
    graze_result *results;
    _Atomic uint64_t best; /* bits of a double ≥ 0: they order as it does */
    atomic_bool stopped;
    uint32_t part;         /* this round: runs that are multiples of it … */
    bool first;            /* … all of them, or those that earlier rounds left */
    size_t runs[GZ_KINDS]; /* in this round */
} fused;

static double bits_to_double(uint64_t bits) {
    union {
        uint64_t u;
        double d;
    } pun = {.u = bits};
    return pun.d;
}

static uint64_t double_to_bits(double d) {
    union {
        double d;
        uint64_t u;
    } pun = {.d = d};
    return pun.u;
}

static double best_now(const fused *f) { return bits_to_double(atomic_load_explicit(&f->best, memory_order_relaxed)); }

static void lower_best(fused *f, double toi) {
    uint64_t bits = double_to_bits(toi), seen = atomic_load_explicit(&f->best, memory_order_relaxed);
    while (bits < seen && !atomic_compare_exchange_weak(&f->best, &seen, bits)) {
    }
}

static void stop_all(fused *f) {
    atomic_store(&f->stopped, true);
    for (int kind = 0; kind < GZ_KINDS; kind++) atomic_store(&f->searches[kind].stop, true);
}

/* How far a pair need be followed: a toi equal to best still counts, for the tie. */
static double follow_to(const fused *f) {
    double best = best_now(f);
    return best < f->call->t_max ? fmin(nextafter(best, INFINITY), f->call->t_max) : f->call->t_max;
}

static bool fused_block(void *state, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2], size_t count) {
    fused *f = state;
    const gz_step_call *call = f->call;
    fused_worker *mine = &f->workers[worker];
    if (gz_cancelled(call->context)) return false;
    bool timed = count >= TIMED;
    double start = timed ? gz_seconds() : 0, end = follow_to(f);
    graze_result *results = f->results + worker * call->room;
    gz_step_solve(call, worker, &mine->counts, kind, end, pairs, count, f->ids + worker * call->room, results);
    bool go_on = true;
    for (size_t i = 0; i < count; i++) {
        if (results[i].verdict == GRAZE_CLEAR) continue;
        graze_pair_result pair = {.pair = {kind, pairs[i][0], pairs[i][1]}, .result = results[i]};
        if (call->options.mode == GRAZE_STEP_ANY && results[i].proven) {
            mine->best = pair;
            mine->has_best = true;
            stop_all(f);
            go_on = false;
            break;
        }
        if (!mine->has_best || gz_pair_before(&pair, &mine->best)) {
            mine->best = pair;
            mine->whole = end == call->t_max;
        }
        mine->has_best = true;
        lower_best(f, pair.result.toi);
    }
    if (timed) mine->narrow_seconds += gz_seconds() - start;
    return go_on;
}

/* ---- rounds ---- */

static size_t divide_up(size_t a, size_t b) { return a / b + (a % b != 0); }

static size_t runs_of(const fused *f, int kind) {
    return gz_step_has_kind(f->call->mesh, (graze_kind)kind) ? divide_up(f->jobs[kind].a.blocks[0], RUN) : 0;
}

static void plan_round(fused *f) {
    for (int kind = 0; kind < GZ_KINDS; kind++) {
        size_t multiples = divide_up(runs_of(f, kind), f->part);
        f->runs[kind] = f->first ? multiples : multiples - divide_up(multiples, 4);
    }
}

/* Number i of this round. */
static size_t run_at(const fused *f, size_t i) { return f->part * (f->first ? i : 4 * (i / 3) + 1 + i % 3); }

static void round_range(void *state, size_t begin, size_t end, uint32_t worker) {
    fused *f = state;
    gz_bvh_kernel *visit = gz_bvh_kernel_for(f->call->context->isa);
    for (size_t i = begin; i < end; i++) {
        size_t index = i;
        int kind = 0;
        while (index >= f->runs[kind]) index -= f->runs[kind++];
        gz_emitter *emitter = &f->workers[worker].emitters[kind];
        if (gz_stopped(emitter) || gz_cancelled(f->call->context)) return;
        size_t first = run_at(f, index) * RUN, last = first + RUN, blocks = f->jobs[kind].a.blocks[0];
        visit(&f->jobs[kind], first, last < blocks ? last : blocks, emitter);
    }
}

static void flush_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    fused *f = state;
    for (size_t i = begin; i < end; i++)
        for (int kind = 0; kind < GZ_KINDS; kind++) gz_emit_flush(&f->workers[i].emitters[kind]);
}

static void run_round(fused *f) {
    graze_context *context = f->call->context;
    size_t total = 0, waiting = 0;
    plan_round(f);
    for (int kind = 0; kind < GZ_KINDS; kind++) total += f->runs[kind];
    /* a handful of runs is done before another thread has woken up */
    gz_parallel(context, total, total < 16 ? total : total > 64 * context->threads ? 4 : 1, round_range, f);
    for (uint32_t i = 0; i < context->threads; i++)
        for (int kind = 0; kind < GZ_KINDS; kind++) waiting += f->workers[i].emitters[kind].count;
    if (waiting > 64) {
        gz_parallel(context, context->threads, 1, flush_range, f);
    } else {
        flush_range(f, 0, context->threads, 0);
    }
}

/* The window that holds every pair whose toi is at most best; docs/numerics.md, section 3. */
static double window_for(const fused *f) {
    double best = best_now(f);
    return best < f->call->t_max ? fmin(best * (1 + 0x1p-30) + 0x1p-800, f->call->t_max) : f->call->t_max;
}

static void refit(fused *f, double window) {
    const gz_step_call *call = f->call;
    gz_box *vertices = call->workspace->slots[GZ_SLOT_VERTEX_BOXES].bytes;
    gz_box_input input = gz_step_box_input(call);
    gz_window_boxes(call->context, &input, window, vertices);
    for (int tree = 0; tree < TREES; tree++)
        if (f->trees[tree].count) gz_tree_refit(call->context, &f->trees[tree], vertices);
}

/* Refitting pays when it spares more pairs than it costs primitives; about four of these to one of those. */
static bool worth_refitting(const fused *f) {
    uint64_t seen = 0, primitives = 0;
    for (uint32_t i = 0; i < f->call->context->threads; i++) seen += f->workers[i].counts.queries;
    for (int tree = 0; tree < TREES; tree++) primitives += f->trees[tree].count;
    return 4 * seen * (f->part - 1) > primitives; /* one block of f->part has been visited */
}

static void run_rounds(fused *f) {
    const gz_step_call *call = f->call;
    size_t total = 0;
    for (int kind = 0; kind < GZ_KINDS; kind++) total += runs_of(f, kind);
    double window = call->t_max;
    f->part = FIRST_PART;
    while (f->part > 1 && total / f->part < LEAST_RUNS) f->part /= 4;
    for (f->first = true;; f->first = false, f->part /= 4) {
        run_round(f);
        if (f->part == 1 || atomic_load(&f->stopped) || atomic_load(&call->context->cancelled)) return;
        double smaller = window_for(f);
        if (smaller < 0.5 * window && worth_refitting(f)) refit(f, window = smaller);
    }
}

/* ---- before and after ---- */

static bool build(fused *f, tree_id id, graze_kind kind, bool second) {
    const gz_step_call *call = f->call;
    const gz_set *set = &call->sets[kind][second];
    gz_tree_input input = {.vertices = call->vertices,
                           .rank = call->rank,
                           .vertex_count = call->mesh->vertex_count,
                           .lists = gz_vertex_lists_for(call->mesh, kind, second),
                           .ids = set->ids,
                           .count = set->count};
    gz_slot slot = (gz_slot)(GZ_SLOT_TREES + 2 * (int)id);
    return gz_tree_build(call->context, call->workspace, &input, slot, (gz_slot)(slot + 1), &f->trees[id]);
}

static bool build_trees(fused *f) {
    static const tree_id sides[GZ_KINDS][2] = {{TREE_VERTICES, TREE_FACES},
                                               {TREE_EDGES, TREE_EDGES},
                                               {TREE_POINTS, TREE_CODIM_EDGES},
                                               {TREE_POINTS, TREE_POINTS}};
    for (int kind = 0; kind < GZ_KINDS; kind++) {
        if (!gz_step_has_kind(f->call->mesh, (graze_kind)kind)) continue;
        for (int side = 0; side < 2; side++) {
            tree_id id = sides[kind][side];
            if (f->trees[id].count == 0 && !build(f, id, (graze_kind)kind, side == 1)) return false;
        }
        f->jobs[kind] = (gz_bvh_job){.a = f->trees[sides[kind][0]], .b = f->trees[sides[kind][1]]};
    }
    return true;
}

static bool open_workers(fused *f) {
    const gz_step_call *call = f->call;
    graze_context *context = call->context;
    size_t threads = context->threads, room = call->room;
    f->workers = gz_reserve(context, call->workspace, GZ_SLOT_STEP_WORKERS, threads, sizeof *f->workers);
    f->ids = gz_reserve(context, call->workspace, GZ_SLOT_STEP_IDS, threads * room, sizeof *f->ids);
    f->results = gz_reserve(context, call->workspace, GZ_SLOT_STEP_RESULTS, threads * room, sizeof *f->results);
    uint32_t(*pairs)[2] =
        gz_reserve(context, call->workspace, GZ_SLOT_EMITTED, threads * room * GZ_KINDS, sizeof *pairs);
    if (!f->workers || !f->ids || !f->results || !pairs) return false;
    for (int kind = 0; kind < GZ_KINDS; kind++)
        f->searches[kind] = (gz_search){.mesh = call->mesh,
                                        .kind = (graze_kind)kind,
                                        .ruled = call->mesh->groups || call->mesh->filter,
                                        .sink = fused_block,
                                        .sink_state = f};
    for (uint32_t i = 0; i < threads; i++) {
        f->workers[i] = (fused_worker){.has_best = false};
        for (int kind = 0; kind < GZ_KINDS; kind++, pairs += room)
            f->workers[i].emitters[kind] =
                (gz_emitter){.search = &f->searches[kind], .worker = i, .pairs = pairs, .room = room};
    }
    return true;
}

/* The pair that limits the step, answered as if it were alone: what follow_to cut off comes back. */
static void reduce(fused *f, graze_step_result *result) {
    graze_context *context = f->call->context;
    bool stopped = atomic_load(&f->stopped), whole = false;
    for (uint32_t i = 0; i < context->threads; i++) {
        const fused_worker *worker = &f->workers[i];
        result->ms_narrow += 1e3 * worker->narrow_seconds / context->threads;
        if (!worker->has_best || (stopped && !worker->best.result.proven)) continue;
        if (!result->has_pair || gz_pair_before(&worker->best, &result->limiting)) {
            result->limiting = worker->best;
            whole = worker->whole;
        }
        result->has_pair = 1;
    }
    if (result->has_pair && !stopped && !whole) {
        const uint32_t pair[1][2] = {{result->limiting.pair.a, result->limiting.pair.b}};
        gz_step_solve(f->call, 0, &f->workers[0].counts, result->limiting.pair.kind, f->call->t_max, pair, 1, f->ids,
                      f->results);
        result->limiting.result = f->results[0];
    }
    for (uint32_t i = 0; i < context->threads; i++) gz_add_counts(context, &f->workers[i].counts);
}

bool gz_step_is_fused(const gz_step_call *call) {
    return (call->options.mode == GRAZE_STEP_EARLIEST || call->options.mode == GRAZE_STEP_ANY) &&
           (call->options.broad == GRAZE_BROAD_AUTO || call->options.broad == GRAZE_BROAD_BVH) &&
           call->method->windowed;
}

graze_status gz_step_earliest(const gz_step_call *call, graze_step_result *result, bool *stopped) {
    fused f = {.call = call, .best = double_to_bits(INFINITY)};
    if (!open_workers(&f) || !build_trees(&f)) return GRAZE_ERR_OUT_OF_MEMORY;
    run_rounds(&f);
    for (int kind = 0; kind < GZ_KINDS; kind++)
        if (atomic_load(&f.searches[kind].bad_filter))
            return gz_fail(call->context, GRAZE_ERR_CALLBACK, UINT64_MAX, "the pair filter returned neither 0 nor 1");
    reduce(&f, result);
    *stopped = atomic_load(&f.stopped);
    return GRAZE_OK;
}
