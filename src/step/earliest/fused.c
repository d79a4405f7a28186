/* The fused earliest-impact step: traverse, test, shrink the window; no list of candidates.
 *
 * best is the least toi found so far. A pair whose boxes do not meet within a window slightly longer than [0, best] has
 * a toi above best (gz_method.windowed), so it need not be seen; a pair that is seen is followed only up to just after
 * best. Both leave the pairs with the least toi untouched, whatever the order of work: the answer, with its ties, is
 * the same for every number of threads. At toi 0 no pair can be earlier, and those after the first that has it are
 * left out as well. */
#include "step/earliest/fused.h"

#include "base/force.h"
#include "step/mesh_pair.h"
#include "step/search.h"
#include "step/solve.h"

#define TIMED 32u /* pairs in a block below which reading the clock would cost more than it tells */

double gz_fused_best(const gz_fused *f) { return gz_least_get(&f->best); }

uint64_t gz_fused_first(const gz_fused *f) { return atomic_load_explicit(&f->first, memory_order_relaxed); }

static void stop_all(gz_fused *f) {
    atomic_store(&f->stopped, true);
    for (int kind = 0; kind < GZ_KINDS; kind++) atomic_store(&f->traversals[kind].stop, true);
}

/* The time up to which a pair need be followed: a toi equal to best still counts, for the tie. */
static double follow_to(const gz_fused *f) {
    double best = gz_fused_best(f);
    return best < f->call->question.t_max && gz_choose(GZ_CHOICE_FOLLOW, true)
               ? fmin(nextafter(best, INFINITY), f->call->question.t_max)
               : f->call->question.t_max;
}

static void take(gz_fused_worker *mine, const graze_pair_result *pair) {
    uint32_t place = mine->recent_count++ % GZ_RECENT;
    mine->recent[place].toi = pair->result.toi;
    mine->recent[place].pair = (gz_seed){(int)pair->pair.kind, pair->pair.a, pair->pair.b};
    if (!mine->has_best || gz_pair_before(pair, &mine->best)) mine->best = *pair;
    mine->has_best = true;
}

static bool solve_block(gz_fused *f, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2], size_t count) {
    const gz_step_call *call = f->call;
    gz_fused_worker *mine = &f->workers[worker];
    double follow = follow_to(f);
    graze_result *results = f->results + worker * call->room;
    uint32_t(*ids)[4] = f->ids + worker * call->room;
    if (!gz_step_solve(call, worker, &mine->counts, kind, &follow, pairs, count, ids, results)) return true;
    for (size_t i = 0; i < count; i++) {
        if (results[i].verdict == GRAZE_CLEAR) continue;
        /* the search is in float, a little coarser, and what it finds beyond must not count */
        if (!gz_step_is_candidate(call, kind, (const uint32_t *)ids[i])) {
            if (count == 1) return true;
            /* it may have spared pairs that do count: once more, each by itself */
            for (size_t k = 0; k < count; k++)
                if (!solve_block(f, worker, kind, pairs + k, 1)) return false;
            return true;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (results[i].verdict == GRAZE_CLEAR) continue;
        graze_pair_result pair = {.pair = {kind, pairs[i][0], pairs[i][1]}, .result = results[i]};
        if (call->options.mode == GRAZE_STEP_ANY && pair.result.proven) {
            mine->best = pair;
            mine->has_best = true;
            stop_all(f);
            return false;
        }
        take(mine, &pair);
        gz_least_lower(&f->best, pair.result.toi);
        if (pair.result.toi == 0 && call->options.mode == GRAZE_STEP_EARLIEST && gz_choose(GZ_CHOICE_AT_START, true))
            gz_least_lower_to(&f->first, gz_pair_rank(kind, pair.pair.a, pair.pair.b));
    }
    return true;
}

/* Answers those that come before the first pair with toi 0. */
static bool solve_before(gz_fused *f, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2], size_t count) {
    for (size_t i = 0; i < count;) {
        uint64_t first = gz_fused_first(f);
        while (i < count && gz_pair_rank(kind, pairs[i][0], pairs[i][1]) >= first) i++;
        size_t begin = i;
        while (i < count && gz_pair_rank(kind, pairs[i][0], pairs[i][1]) < first) i++;
        if (begin < i && !solve_block(f, worker, kind, pairs + begin, i - begin)) return false;
    }
    return true;
}

/* Copies the pairs that the mesh's filter allows into `left`. */
static size_t keep_allowed(gz_traversal *traversal, const uint32_t (*pairs)[2], size_t count, uint32_t (*left)[2]) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t a = pairs[i][0], b = pairs[i][1];
        if (!gz_filter_allows(traversal, a, b)) continue;
        left[kept][0] = a;
        left[kept++][1] = b;
    }
    return kept;
}

/* Without those that are plainly apart. The filter, which may be slow, is asked about the others only. */
static bool solve_pairs(gz_fused *f, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2], size_t count) {
    gz_fused_worker *mine = &f->workers[worker];
    if (f->looks && (kind == GRAZE_VF || kind == GRAZE_EE)) {
        count = gz_far_drop(f->call, &f->far, kind, pairs, count, mine->left, &mine->counts);
        pairs = (const uint32_t(*)[2])mine->left;
    }
    if (f->call->mesh->filter) {
        count = keep_allowed(&f->traversals[kind], pairs, count, mine->left);
        pairs = (const uint32_t(*)[2])mine->left;
    }
    return count == 0 || solve_before(f, worker, kind, pairs, count);
}

bool gz_fused_block(void *state, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2], size_t count) {
    gz_fused *f = state;
    if (gz_cancelled(f->call->context)) return false;
    if (count < TIMED) return solve_pairs(f, worker, kind, pairs, count);
    double start = gz_seconds();
    bool go_on = solve_pairs(f, worker, kind, pairs, count);
    f->workers[worker].narrow_seconds += gz_seconds() - start;
    return go_on;
}
