#include "cuda/call/find_all.cuh"

#include "cuda/call/blocks.cuh"
#include "cuda/call/passes.cuh"
#include "cuda/results.cuh"

#include <algorithm>

/* Lists those of the pairs that the device left to the host which are not clear, in their order; how many. */
static size_t answer_asks(gz_cuda_step &c) {
    gz_device_narrow &n = c.narrow();
    size_t count = c.b->asks.size(), kept = 0;
    gz_pair_coder coder = gz_device_scene_coder(c.scene());
    auto code_of = [&](const gz_backend_ask &ask) { return coder.code(ask.pair.kind, ask.pair.a, ask.pair.b); };
    if (!count || !n.more_hits.reserve(count, c.error) || !n.more_results.reserve(count, c.error)) return 0;
    std::sort(c.b->asks.begin(), c.b->asks.end(),
              [&](const gz_backend_ask &x, const gz_backend_ask &y) { return code_of(x) < code_of(y); });
    c.given->functions.answer_all(c.given->host, c.b->asks.data(), count, n.more_results.items);
    for (size_t i = 0; i < count; i++) {
        const graze_result &result = n.more_results.items[i];
        if (result.verdict == GRAZE_CLEAR) continue;
        n.more_hits.items[kept] = {gz_bits_of(result.toi + 0.0), code_of(c.b->asks[i])};
        n.more_results.items[kept++] = result;
    }
    return kept;
}

/* In as many passes as it takes: hits and their results stay in their lists, what the host has to answer is gathered.
 */
static bool find_pairs(gz_cuda_step &c) {
    gz_device_pass pass = {c.request.call.t_max, GZ_NOTHING_YET, GZ_START_POSITIONS, 0};
    c.b->asks.clear();
    for (;; pass.first = c.narrow().batch_end) {
        if (!gz_run_pass(c, pass)) return false;
        gz_list_asks(c);
        for (int kind = 0; kind < 4; kind++) c.answer->candidates[kind] += c.seen().candidates[kind];
        pass.start = GZ_START_TREE;
        pass.best = c.seen().best;
        c.narrow().before = c.seen().hits;
        c.request.asked = c.b->asks.size();
        if (gz_is_last(c)) return true;
    }
}

static bool fetch_pairs(gz_cuda_step &c, size_t more) {
    size_t count = (size_t)c.seen().hits + more;
    graze_pair_result *to = NULL;
    if (count && !c.request.keep()) {
        to = c.given->functions.room(c.given->host, count);
        if (!to) c.status = GRAZE_ERR_OUT_OF_MEMORY;
        if (!to) return false;
    }
    bool locked = to && gz_lock_pages(c.b, to, count * sizeof *to);
    return !count || gz_pass_fetch(c.scene(), c.narrow(), c.request, more, to, locked, c.error);
}

/* The earliest, and how many there are of each kind: of what the device found, then of what the host did. */
static void count_pairs(gz_cuda_step &c, size_t more) {
    const gz_step_state &seen = c.seen();
    const gz_device_narrow &n = c.narrow();
    gz_pair_coder coder = gz_device_scene_coder(c.scene());
    uint32_t before = 0;
    gz_device_hit first = {seen.best, seen.first_code};
    if (seen.hits) c.answer->first = *n.host_first.items;
    for (int kind = 0; kind < 4; kind++) {
        if (!seen.ends[kind]) continue;
        c.answer->hits[kind] = seen.ends[kind] - before;
        before = seen.ends[kind];
    }
    for (size_t i = 0; i < more; i++) {
        const gz_device_hit &hit = n.more_hits.items[i];
        c.answer->hits[coder.kind(hit.code)]++;
        if (seen.hits || i)
            if (hit.toi > first.toi || (hit.toi == first.toi && hit.code > first.code)) continue;
        first = hit;
        c.answer->first = {gz_pair_of(coder, hit.code), n.more_results.items[i]};
    }
}

bool gz_find_all(gz_cuda_step &c) {
    if (!find_pairs(c) || !gz_pass_sort(c.scene(), c.narrow(), c.error)) return false;
    size_t more = answer_asks(c); /* while the device sorts what it found */
    if (!c.good() || !fetch_pairs(c, more)) return false;
    c.answer->pairs = c.request.keep() ? c.narrow().sorted.items : NULL;
    c.answer->pair_count = (size_t)c.seen().hits + more;
    count_pairs(c, more);
    return true;
}
