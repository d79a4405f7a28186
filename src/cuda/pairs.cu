#include "cuda/pairs.cuh"

#include "cuda/list_room.cuh"
#include "cuda/near.cuh"
#include "cuda/results.cuh"
#include "cuda/sort.cuh"
#include "pair/parting_kernel.h"

namespace {

/* ---- kernels ---- */

__device__ gz_positions positions_of(const gz_device_step &s) {
    return {(const char *)s.ends->x0, (const char *)s.ends->x1, sizeof(gz_vertex_ends), NULL};
}

/* Lists the pairs that a search for candidates in double finds: boxes in float let a few more through. */
template <graze_kind kind>
__global__ void list_candidates(gz_device_step s, gz_device_list<uint2> pairs,
                                gz_device_list<unsigned long long> listed) {
    unsigned long long total = pairs.size();
    unsigned step = gridDim.x * blockDim.x, lane = threadIdx.x % 32;
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < total; i += step) {
        bool wanted = false;
        uint2 pair = make_uint2(0, 0);
        if (i < total) {
            uint32_t ids[4];
            pair = pairs.items[i];
            gz_device_ids(s, kind, pair.x, pair.y, ids);
            wanted = gz_late_is_candidate(s, kind, ids);
        }
        unsigned long long at = gz_list_place(listed, wanted);
        if (wanted) listed.put(at, s.coder.code(kind, pair.x, pair.y));
    }
}

__global__ void open_limits(unsigned long long *limits, uint32_t count, double t_max) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) limits[i] = (unsigned long long)__double_as_longlong(t_max);
}

/* The lesser of both. */
__global__ void join_limits(const unsigned long long *limits, const unsigned long long *theirs, uint32_t count,
                            unsigned long long *to) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) to[i] = limits[i] < theirs[i] ? limits[i] : theirs[i];
}

/* Takes in the stops that one pair gives its vertices; false when it is not for lanes. */
template <graze_kind kind>
__device__ bool take_stops(const gz_device_step &s, const uint32_t (*ids)[4], unsigned long long *limits,
                           double *least) {
    gz_positions positions = positions_of(s);
    gz_parting_job job = {kind, &positions, s.call.separation, s.call.t_max, ids, 1};
    parting_lanes p;
    d_vec x1[4];
    part_lanes(kind, &job, 0, &p);
    if (!d_m_bits(p.told)) return false;
    lanes_rows(positions.x1, positions.stride, ids, 1, x1);
    *least = s.call.t_max;
    for (int i = 0; i < 4; i++) {
        double stop = lanes_stop(kind, &p, i, d_vec_sub(x1[i], p.origin), s.call.t_max);
        if (!d_m_bits(p.apart)) stop = 0;
        if (stop < s.call.t_max) atomicMin(&limits[ids[0][i]], (unsigned long long)__double_as_longlong(stop));
        if (stop < *least) *least = stop;
    }
    return true;
}

/* Those that may stop a vertex first are listed as hits; what is not for lanes is left to the host. */
template <graze_kind kind>
__global__ void __launch_bounds__(128)
    stop_pairs(gz_device_step s, gz_device_list<uint2> pairs, gz_device_list<gz_device_hit> hits,
               gz_device_list<unsigned long long> left, unsigned long long *limits) {
    unsigned long long total = pairs.size();
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x) {
        if (gz_device_stopped(s.stop)) return;
        uint2 pair = pairs.items[i];
        uint32_t ids[1][4];
        gz_device_ids(s, kind, pair.x, pair.y, ids[0]);
        if (!gz_late_is_candidate(s, kind, ids[0])) continue;
        unsigned long long code = s.coder.code(kind, pair.x, pair.y);
        double least = s.call.t_max;
        bool told = kind <= GRAZE_EE && !s.thick;
        if constexpr (kind <= GRAZE_EE) told = told && take_stops<kind>(s, ids, limits, &least);
        if (!told) left.put(left.take(1), code);
        if (!(least < s.call.t_max)) continue;
        unsigned long long bits = (unsigned long long)__double_as_longlong(least);
        if (atomicMin(&s.state->best, bits) >= bits) hits.put(hits.take(1), gz_device_hit{bits, code});
    }
}

/* Vertices of pairs by code, four for each. */
__global__ void gather_rows(gz_device_step s, const unsigned long long *codes, size_t count, gz_vertex_ends *rows) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= count) return;
    unsigned long long code = codes[i];
    gz_device_rows(s, (graze_kind)s.coder.kind(code), s.coder.a(code), s.coder.b(code), rows + 4 * i);
}

__global__ void decode_pairs(gz_pair_coder coder, const unsigned long long *codes, size_t count, graze_pair *pairs) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= count) return;
    pairs[i] = {(graze_kind)coder.kind(codes[i]), coder.a(codes[i]), coder.b(codes[i])};
}

/* ---- a pass ---- */

/* Of the codes only the first half is filled, behind those of earlier passes: what is sorted goes to the second. */
gz_device_list<unsigned long long> code_list(gz_device_pairs &p, gz_step_state *state) {
    return {p.codes.items + p.count, p.codes.room / 2 - p.count, &state->asks};
}

bool reserve(gz_device_scene &s, gz_device_narrow &n, gz_device_pairs &p, const gz_device_request &request,
             gz_device_error &error) {
    size_t elements = s.element_count;
    bool stops = request.given->stops != 0, hits = stops || request.given->near;
    bool good = gz_device_scene_reserve(s, error) && n.host_state.reserve(1, error) &&
                gz_lists_reserve(s, n, request, error) && n.state.reserve_zero(1, s.stream, error) &&
                n.host_input.reserve(1, error) &&
                p.codes.reserve_keeping(stops ? 8192 : 2 * (8 * elements + 4096), p.count, s.stream, error);
    if (good && hits) good = n.hits.reserve_keeping(elements + 4096, n.before, s.stream, error);
    if (good && request.looks) good = s.far.reserve(s.vertex_count, error);
    return good &&
           (!stops || (p.limits.reserve(s.vertex_count, error) && p.host_limits.reserve(s.vertex_count, error)));
}

template <graze_kind kind>
void look_at(gz_device_scene &s, gz_device_narrow &n, gz_device_pairs &p, const gz_device_request &request,
             const gz_device_step &step) {
    if (!request.has(kind)) return;
    gz_device_list<uint2> pairs = gz_list_of(s.pairs[kind], &step.state->pairs[kind]);
    if (request.given->near)
        gz_list_near(s, p, step, kind, pairs, code_list(p, step.state), gz_list_of(n.hits, &step.state->hits));
    else if (request.given->stops)
        stop_pairs<kind><<<8 * s.processors, 128, 0, s.stream>>>(step, pairs, gz_list_of(n.hits, &step.state->hits),
                                                                 code_list(p, step.state), p.limits.items);
    else
        list_candidates<kind><<<8 * s.processors, 256, 0, s.stream>>>(step, pairs, code_list(p, step.state));
}

/* Candidates by a broad phase that is there for comparison. */
bool compare_kinds(gz_device_scene &s, gz_device_pairs &p, const gz_device_request &request, const gz_device_step &step,
                   gz_device_error &error) {
    auto find = p.broad == GRAZE_BROAD_STQ ? gz_compare_stq : gz_compare_lbvh;
    for (graze_kind kind : {GRAZE_VF, GRAZE_EE})
        if (request.has(kind)) find(s, p.compare, step, kind, code_list(p, step.state), error);
    return !error.failed();
}

bool fetch_state(gz_device_scene &s, gz_device_narrow &n, gz_device_error &error) {
    gz_fetch_state(s, n, error);
    return error.note(cudaGetLastError(), "step");
}

/* Makes room where a list was too short, or the batch smaller. True when one was. */
bool grow(gz_device_scene &s, gz_device_narrow &n, gz_device_pairs &p, const gz_device_request &request,
          gz_device_error &error) {
    const gz_step_state &seen = *n.host_state.items;
    bool again = gz_lists_grow(s, n, request, error);
    size_t codes = p.count + (size_t)seen.asks, hits = (size_t)seen.hits;
    again |= 2 * codes > p.codes.room || hits > n.hits.room;
    if (2 * codes > p.codes.room) p.codes.reserve_keeping(2 * (codes + codes / 4), p.count, s.stream, error);
    if (hits > n.hits.room) n.hits.reserve_keeping(hits + hits / 4, n.before, s.stream, error);
    return again;
}

bool decode(gz_device_scene &s, gz_device_pairs &p, const unsigned long long *codes, size_t count,
            gz_device_error &error) {
    if (!p.listed.reserve(count, error)) return false;
    decode_pairs<<<gz_blocks_for(count, 256), 256, 0, s.stream>>>(gz_device_scene_coder(s), codes, count,
                                                                  p.listed.items);
    return error.note(cudaGetLastError(), "results");
}

} // namespace

bool gz_device_pairs_begin(gz_device_scene &s, gz_device_narrow &n, gz_device_pairs &p,
                           const gz_device_request &request, const gz_device_pass &pass, gz_device_error &error) {
    if (!reserve(s, n, p, request, error)) return false;
    gz_device_step step = gz_step_of(s, n, request);
    if (!gz_pass_open(s, n, request, pass, error)) return false;
    if (pass.start != GZ_START_TREE) gz_device_scene_boxes(s, true, step.state, request.looks);
    if (p.broad != GRAZE_BROAD_AUTO) return compare_kinds(s, p, request, step, error) && fetch_state(s, n, error);
    if (pass.start != GZ_START_TREE) gz_device_scene_tree(s);
    gz_device_scene_walk(s, request.given->kinds, step.state, step.stop, false, request.looks);
    if (request.given->stops && pass.start != GZ_START_TREE)
        open_limits<<<gz_blocks_for(s.vertex_count, 256), 256, 0, s.stream>>>(p.limits.items, s.vertex_count,
                                                                              request.call.t_max);
    look_at<GRAZE_VF>(s, n, p, request, step);
    look_at<GRAZE_EE>(s, n, p, request, step);
    look_at<GRAZE_PE>(s, n, p, request, step);
    look_at<GRAZE_PP>(s, n, p, request, step);
    if (request.given->stops) gz_find_first(s, n);
    return fetch_state(s, n, error);
}

bool gz_device_pairs_end(gz_device_scene &s, gz_device_narrow &n, gz_device_pairs &p, const gz_device_request &request,
                         gz_device_error &error) {
    bool waited = gz_pass_wait(s, n, request, error);
    s.walks_clean = waited;
    if (!waited || (p.broad == GRAZE_BROAD_AUTO && !gz_walk_ended(s, n, error))) return false;
    return !n.stopped && !grow(s, n, p, request, error) && !error.failed();
}

bool gz_device_pairs_order(gz_device_scene &s, gz_device_pairs &p, gz_device_error &error) {
    return !p.count || gz_device_sort_keys(p.sort_bytes, p.codes.items, p.codes.items + p.codes.room / 2, p.count,
                                           gz_device_scene_coder(s).used(), s.stream, error);
}

bool gz_device_pairs_sort(gz_device_scene &s, gz_device_pairs &p, gz_device_error &error) {
    return gz_device_pairs_order(s, p, error) &&
           (!p.count || decode(s, p, p.codes.items + p.codes.room / 2, p.count, error));
}

bool gz_device_pairs_fetch(gz_device_scene &s, gz_device_narrow &n, gz_device_pairs &p,
                           const gz_device_request &request, size_t count, bool rows, gz_device_error &error) {
    if (!decode(s, p, p.codes.items, count, error) || !p.host_listed.reserve(count, error)) return false;
    error.note(cudaMemcpyAsync(p.host_listed.items, p.listed.items, count * sizeof(graze_pair), cudaMemcpyDeviceToHost,
                               s.stream),
               "results");
    if (rows && n.ask_rows.reserve(4 * count, error))
        gather_rows<<<gz_blocks_for(count, 128), 128, 0, s.stream>>>(gz_step_of(s, n, request), p.codes.items, count,
                                                                     n.ask_rows.items);
    error.note(cudaGetLastError(), "results");
    return error.note(cudaStreamSynchronize(s.stream), "results");
}

bool gz_device_pairs_limits(gz_device_scene &s, gz_device_pairs &p, gz_device_error &error) {
    error.note(cudaMemcpyAsync(p.host_limits.items, p.limits.items, s.vertex_count * sizeof(double),
                               cudaMemcpyDeviceToHost, s.stream),
               "results");
    return error.note(cudaStreamSynchronize(s.stream), "results");
}

bool gz_device_pairs_leave_limits(gz_device_scene &s, gz_device_pairs &p, const double *host, double *to,
                                  gz_device_error &error) {
    if (!p.theirs.reserve(s.vertex_count, error)) return false;
    error.note(cudaMemcpyAsync(p.theirs.items, host, s.vertex_count * sizeof *host, cudaMemcpyHostToDevice, s.stream),
               "results");
    join_limits<<<gz_blocks_for(s.vertex_count, 256), 256, 0, s.stream>>>(p.limits.items, p.theirs.items,
                                                                          s.vertex_count, (unsigned long long *)to);
    error.note(cudaGetLastError(), "results");
    return error.note(cudaStreamSynchronize(s.stream), "results");
}

void gz_device_pairs_release(gz_device_pairs &p) {
    p.codes.release(), p.sort_bytes.release(), p.listed.release(), p.limits.release(), p.theirs.release();
    p.host_listed.release(), p.host_limits.release(), p.near.release(), p.radii.release(), p.more_codes.release();
    gz_compare_release(p.compare);
    gz_ti_release(p.ti);
}
