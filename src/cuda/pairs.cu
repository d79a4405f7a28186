#include "cuda/pairs.cuh"

#include "cuda/sort.cuh"
#include "step/parting_kernel.h"

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

/* What one pair says about its vertices; false when it is not for lanes. */
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

__global__ void decode_pairs(gz_pair_coder coder, const unsigned long long *codes, size_t count, graze_pair *pairs) {
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= count) return;
    pairs[i] = {(graze_kind)coder.kind(codes[i]), coder.a(codes[i]), coder.b(codes[i])};
}

/* ---- a pass ---- */

unsigned blocks_for(size_t count, unsigned block) { return (unsigned)((count + block - 1) / block); }

template <class T> gz_device_list<T> list_of(gz_device_array<T> &array, unsigned long long *count) {
    return {array.items, array.room, count};
}

/* Of the codes only the first half is filled: what is sorted goes to the second. */
gz_device_list<unsigned long long> code_list(gz_device_pairs &p, gz_step_state *state) {
    return {p.codes.items, p.codes.room / 2, &state->asks};
}

bool reserve(gz_device_scene &s, gz_device_narrow &n, gz_device_pairs &p, const gz_device_request &request, bool stops,
             gz_device_error &error) {
    size_t elements = s.element_count;
    bool good = gz_scene_reserve(s, error) && s.element_pairs.reserve(16 * elements + 4096, error) &&
                n.state.reserve_zero(1, s.stream, error) && n.host_input.reserve(1, error) &&
                n.host_state.reserve(1, error) && p.codes.reserve(stops ? 8192 : 2 * (8 * elements + 4096), error) &&
                (!stops || (n.hits.reserve(elements + 4096, error) && p.limits.reserve(s.vertex_count, error) &&
                            p.host_limits.reserve(s.vertex_count, error)));
    for (int kind = 0; kind < 4 && good; kind++)
        if (request.kinds >> kind & 1u) good = s.pairs[kind].reserve(8 * elements + 4096, error);
    return good;
}

template <graze_kind kind>
void look_at(gz_device_scene &s, gz_device_narrow &n, gz_device_pairs &p, const gz_device_request &request,
             const gz_device_step &step, bool stops) {
    if (!(request.kinds >> kind & 1u)) return;
    gz_device_list<uint2> pairs = list_of(s.pairs[kind], &step.state->pairs[kind]);
    if (stops)
        stop_pairs<kind><<<8 * s.processors, 128, 0, s.stream>>>(step, pairs, list_of(n.hits, &step.state->hits),
                                                                 code_list(p, step.state), p.limits.items);
    else
        list_candidates<kind><<<8 * s.processors, 256, 0, s.stream>>>(step, pairs, code_list(p, step.state));
}

/* Candidates by a broad phase that is there for comparison. */
bool compare_kinds(gz_device_scene &s, gz_device_pairs &p, const gz_device_request &request, const gz_device_step &step,
                   gz_device_error &error) {
    auto find = p.broad == GRAZE_BROAD_STQ ? gz_compare_stq : gz_compare_lbvh;
    for (graze_kind kind : {GRAZE_VF, GRAZE_EE})
        if (request.kinds >> kind & 1u) find(s, p.compare, step, kind, code_list(p, step.state), error);
    return !error.failed();
}

bool fetch_state(gz_device_scene &s, gz_device_narrow &n, gz_device_error &error) {
    error.note(
        cudaMemcpyAsync(n.host_state.items, n.state.items, sizeof(gz_step_state), cudaMemcpyDeviceToHost, s.stream),
        "results");
    return error.note(cudaGetLastError(), "step");
}

/* Makes room where a list was too short. True when one was. */
bool grow(gz_device_scene &s, gz_device_narrow &n, gz_device_pairs &p, const gz_device_request &request, bool stops,
          gz_device_error &error) {
    const gz_step_state &seen = *n.host_state.items;
    bool grown = false;
    auto more = [&](auto &array, unsigned long long count) {
        if (count <= array.room) return;
        grown = true;
        array.reserve((size_t)(count + count / 4), error);
    };
    more(s.element_pairs, seen.element_pairs);
    for (int kind = 0; kind < 4; kind++)
        if (request.kinds >> kind & 1u) more(s.pairs[kind], seen.pairs[kind]);
    more(p.codes, 2 * seen.asks);
    if (stops) more(n.hits, seen.hits);
    return grown;
}

/* Codes to pairs, in the host's memory; one place is left for one more. */
bool fetch_listed(gz_device_scene &s, gz_device_pairs &p, size_t count, bool sorted, gz_device_error &error) {
    p.count = count;
    if (!p.host_listed.reserve(count + 1, error) || !p.listed.reserve(count + 1, error)) return false;
    if (!count) return true;
    gz_pair_coder coder = gz_scene_coder(s);
    const unsigned long long *codes = p.codes.items;
    if (sorted) {
        unsigned long long *to = p.codes.items + p.codes.room / 2;
        if (!gz_sort_keys(p.sort_bytes, p.codes.items, to, count, coder.used(), s.stream, error)) return false;
        codes = to;
    }
    decode_pairs<<<blocks_for(count, 256), 256, 0, s.stream>>>(coder, codes, count, p.listed.items);
    error.note(cudaMemcpyAsync(p.host_listed.items, p.listed.items, count * sizeof(graze_pair), cudaMemcpyDeviceToHost,
                               s.stream),
               "results");
    return error.note(cudaGetLastError(), "results");
}

} // namespace

bool gz_pairs_begin(gz_device_scene &s, gz_device_narrow &n, gz_device_pairs &p, const gz_device_request &request,
                    bool stops, gz_device_error &error) {
    if (!reserve(s, n, p, request, stops, error)) return false;
    gz_device_step step = gz_step_of(s, n, request);
    gz_pass_open(s, n, request,
                 {request.call.t_max, 0x7ff0000000000000ull, GZ_START_POSITIONS, 0}); /* the bits of infinity */
    gz_scene_boxes(s, true, step.state);
    if (p.broad != GRAZE_BROAD_AUTO) return compare_kinds(s, p, request, step, error) && fetch_state(s, n, error);
    gz_scene_tree(s);
    gz_scene_walk(s, request.kinds, step.state, NULL);
    if (stops)
        open_limits<<<blocks_for(s.vertex_count, 256), 256, 0, s.stream>>>(p.limits.items, s.vertex_count,
                                                                           request.call.t_max);
    look_at<GRAZE_VF>(s, n, p, request, step, stops);
    look_at<GRAZE_EE>(s, n, p, request, step, stops);
    look_at<GRAZE_PE>(s, n, p, request, step, stops);
    look_at<GRAZE_PP>(s, n, p, request, step, stops);
    if (stops) gz_find_first(s, n);
    return fetch_state(s, n, error);
}

bool gz_pairs_end(gz_device_scene &s, gz_device_narrow &n, gz_device_pairs &p, const gz_device_request &request,
                  bool stops, gz_device_error &error) {
    bool waited = error.note(cudaStreamSynchronize(s.stream), "step");
    s.walks_clean = waited;
    if (!waited || grow(s, n, p, request, stops, error) || error.failed()) return false;
    const gz_step_state &seen = *n.host_state.items;
    if (seen.bad) return true;
    if (p.ti_tolerance > 0)
        return gz_compare_ti(s, p.ti, gz_step_of(s, n, request), p.codes.items, (size_t)seen.asks, p.ti_tolerance,
                             &p.ti_found, error);
    if (!fetch_listed(s, p, (size_t)seen.asks, !stops, error)) return false;
    if (stops)
        error.note(cudaMemcpyAsync(p.host_limits.items, p.limits.items, s.vertex_count * sizeof(double),
                                   cudaMemcpyDeviceToHost, s.stream),
                   "results");
    if (!error.note(cudaStreamSynchronize(s.stream), "results")) return false;
    gz_pair_coder coder = gz_scene_coder(s);
    unsigned long long first = seen.first_code;
    if (stops && first != ~0ull)
        p.host_listed.items[p.count++] = {(graze_kind)coder.kind(first), coder.a(first), coder.b(first)};
    return true;
}

void gz_pairs_release(gz_device_pairs &p) {
    p.codes.release(), p.sort_bytes.release(), p.listed.release(), p.limits.release();
    p.host_listed.release(), p.host_limits.release();
    gz_compare_release(p.compare);
    gz_ti_release(p.ti);
}
