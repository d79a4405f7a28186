#include "cuda/step.cuh"

#include "cuda/certify.cuh"

/* ---- counting candidates ---- */

/* Pairs whose boxes in double meet: those in float are a few more. */
template <graze_kind kind>
static __global__ void count_candidates(gz_device_step s, gz_device_list<uint2> pairs, unsigned long long *total) {
    unsigned long long count = pairs.size();
    unsigned step = gridDim.x * blockDim.x, mine = 0;
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        uint32_t ids[4];
        gz_device_ids(s, kind, pairs.items[i].x, pairs.items[i].y, ids);
        mine += gz_device_is_candidate(s, kind, ids);
    }
    mine = __reduce_add_sync(~0u, mine);
    if (threadIdx.x % 32 == 0 && mine) atomicAdd(total, (unsigned long long)mine);
}

/* ---- one pass ---- */

static __global__ void begin_pass(gz_step_state *state, unsigned long long best) {
    *state = gz_step_state();
    state->best = best;
    state->first_code = ~0ull;
}

/* Ties: the first pair of those with the least toi. */
static __global__ void find_first(gz_device_list<gz_device_hit> hits, gz_step_state *state) {
    unsigned long long count = hits.size(), first = ~0ull;
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        if (hits.items[i].toi == state->best && hits.items[i].code < first) first = hits.items[i].code;
    if (first != ~0ull) atomicMin(&state->first_code, first);
}

/* ---- sorted results ---- */

static __global__ void take_codes(const gz_device_hit *hits, uint32_t count, unsigned long long *codes,
                                  uint32_t *places) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    codes[i] = hits[i].code;
    places[i] = hits[i].place;
}

static __global__ void gather_results(const unsigned long long *codes, const uint32_t *places,
                                      const graze_result *results, uint32_t count, graze_pair_result *sorted) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    unsigned long long code = codes[i];
    sorted[i].pair.kind = (graze_kind)(code >> 62);
    sorted[i].pair.a = (uint32_t)(code >> 31 & 0x7fffffff);
    sorted[i].pair.b = (uint32_t)(code & 0x7fffffff);
    sorted[i].result = results[places[i]];
}

static bool sort_results(gz_device_scene &s, gz_device_narrow &n, uint32_t count, gz_device_error &error) {
    size_t bytes = 0;
    cub::DeviceRadixSort::SortPairs(NULL, bytes, (unsigned long long *)NULL, (unsigned long long *)NULL,
                                    (uint32_t *)NULL, (uint32_t *)NULL, count, 0, 64, s.stream);
    if (!n.codes.reserve(2 * (size_t)count, error) || !n.places.reserve(2 * (size_t)count, error) ||
        !n.sort_bytes.reserve(bytes, error) || !n.sorted.reserve(count, error) || !n.host_pairs.reserve(count, error))
        return false;
    unsigned blocks = (count + 255) / 256;
    take_codes<<<blocks, 256, 0, s.stream>>>(n.hits.items, count, n.codes.items, n.places.items);
    error.note(cub::DeviceRadixSort::SortPairs(n.sort_bytes.items, bytes, n.codes.items, n.codes.items + count,
                                               n.places.items, n.places.items + count, count, 0, 64, s.stream),
               "sorting");
    gather_results<<<blocks, 256, 0, s.stream>>>(n.codes.items + count, n.places.items + count, n.results.items, count,
                                                 n.sorted.items);
    error.note(cudaGetLastError(), "sorting");
    return error.note(cudaMemcpyAsync(n.host_pairs.items, n.sorted.items, count * sizeof(graze_pair_result),
                                      cudaMemcpyDeviceToHost, s.stream),
                      "results");
}

struct pass {
    gz_device_scene &s;
    gz_device_narrow &n;
    const gz_device_request &request;
    gz_device_step step;

    template <class T> gz_device_list<T> list(gz_device_array<T> &array, unsigned long long *count) {
        return {array.items, array.room, count};
    }
    gz_step_state *state() { return n.state.items; }

    template <graze_kind kind> void certify() {
        if (!(request.kinds >> kind & 1u)) return;
        gz_device_list<uint2> pairs = list(s.pairs[kind], &state()->pass.pairs[kind]);
        gz_device_list<gz_open_pair> open = list(n.open, &state()->open);
        unsigned blocks = 8 * s.processors;
        if (request.all) count_candidates<kind><<<blocks, 256, 0, s.stream>>>(step, pairs, &state()->candidates[kind]);
        if (step.thick)
            gz_open_all<kind><<<blocks, 256, 0, s.stream>>>(pairs, open);
        else
            gz_certify_first<kind>
                <<<blocks, 256, 0, s.stream>>>(step, gz_float_not_below(request.call.separation), pairs, open);
    }

    void finish() {
        gz_device_list<gz_open_pair> open = list(n.open, &state()->open), late = list(n.late, &state()->late);
        gz_certify_rounds<<<8 * s.processors, 128, 0, s.stream>>>(step, open, late);
        gz_certify_finish<<<8 * s.processors, 64, 0, s.stream>>>(step, late, list(n.hits, &state()->hits),
                                                                 request.all ? n.results.items : NULL,
                                                                 list(n.asks, &state()->asks));
        find_first<<<s.processors, 256, 0, s.stream>>>(list(n.hits, &state()->hits), state());
    }
};

/* Starting sizes: what steps of real scenes need, or what the last one did. */
static bool reserve_lists(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request,
                          gz_device_error &error) {
    size_t elements = s.element_count;
    bool good = s.element_pairs.reserve(16 * elements + 4096, error) && n.open.reserve(2 * elements + 4096, error) &&
                n.late.reserve(elements + 4096, error) && n.hits.reserve(elements + 4096, error) &&
                n.asks.reserve(4096, error) && n.state.reserve(1, error) && n.host_state.reserve(1, error) &&
                n.host_asks.reserve(n.asks.room, error);
    for (int kind = 0; kind < 4 && good; kind++)
        if (request.kinds >> kind & 1u) good = s.pairs[kind].reserve(8 * elements + 4096, error);
    if (good && request.all) good = n.results.reserve(n.hits.room, error);
    return good;
}

/* Makes room where a list was too short. True when one was. */
static bool grow_lists(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request,
                       const gz_step_state &seen, gz_device_error &error) {
    bool grown = false;
    auto more = [&](auto &array, unsigned long long count) {
        if (count <= array.room) return;
        grown = true;
        array.reserve((size_t)(count + count / 4), error);
    };
    more(s.element_pairs, seen.pass.element_pairs);
    for (int kind = 0; kind < 4; kind++)
        if (request.kinds >> kind & 1u) more(s.pairs[kind], seen.pass.pairs[kind]);
    more(n.open, seen.open);
    more(n.late, seen.late);
    more(n.hits, seen.hits);
    more(n.asks, seen.asks);
    n.host_asks.reserve(n.asks.room, error);
    if (request.all) n.results.reserve(n.hits.room, error);
    return grown;
}

static bool run_pass(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, double window,
                     unsigned long long best, gz_device_error &error) {
    gz_step_state *state = n.state.items;
    begin_pass<<<1, 1, 0, s.stream>>>(state, best);
    if (!gz_scene_boxes(s, window, request.grow, error)) return false;
    if (!gz_scene_walk(s, 0, s.tree.packets[0], request.kinds, &state->pass, error)) return false;
    gz_device_step step = {s.faces.items,
                           s.edges.items,
                           s.ends.items,
                           request.call,
                           request.grow,
                           s.has_thickness,
                           request.all ? NULL : &state->best};
    pass p = {s, n, request, step};
    p.certify<GRAZE_VF>();
    p.certify<GRAZE_EE>();
    p.certify<GRAZE_PE>();
    p.certify<GRAZE_PP>();
    p.finish();
    error.note(cudaGetLastError(), "narrow phase");
    error.note(cudaMemcpyAsync(n.host_state.items, state, sizeof *state, cudaMemcpyDeviceToHost, s.stream), "results");
    return error.note(cudaStreamSynchronize(s.stream), "step");
}

bool gz_device_pass(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, double window,
                    unsigned long long best, gz_device_answer *answer, gz_device_error &error) {
    if (!reserve_lists(s, n, request, error)) return false;
    do {
        if (!run_pass(s, n, request, window, best, error)) return false;
    } while (grow_lists(s, n, request, *n.host_state.items, error) && !error.failed());
    const gz_step_state &seen = *n.host_state.items;
    answer->best = seen.best;
    answer->first_code = seen.first_code;
    answer->hit_count = (size_t)seen.hits;
    answer->ask_count = (size_t)seen.asks;
    for (int kind = 0; kind < 4; kind++) answer->candidates[kind] = seen.candidates[kind];
    bool fetch = seen.asks || (request.all && seen.hits);
    if (request.all && seen.hits && !sort_results(s, n, (uint32_t)seen.hits, error)) return false;
    if (seen.asks)
        error.note(cudaMemcpyAsync(n.host_asks.items, n.asks.items, seen.asks * sizeof(unsigned long long),
                                   cudaMemcpyDeviceToHost, s.stream),
                   "results");
    return error.note(fetch ? cudaStreamSynchronize(s.stream) : cudaSuccess, "results");
}

void gz_narrow_release(gz_device_narrow &n) {
    n.open.release(), n.late.release(), n.hits.release(), n.results.release(), n.asks.release(), n.state.release();
    n.codes.release(), n.places.release(), n.sort_bytes.release(), n.sorted.release();
    n.host_state.release(), n.host_asks.release(), n.host_pairs.release();
}
