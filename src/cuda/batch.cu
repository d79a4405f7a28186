/* One thread a query, lanes of width 1, the code of the CPU; what a kernel leaves is listed anew for the next. */
#include "cuda/batch.cuh"

#include "cuda/finish.cuh"
#include "pair/certified_first_kernel.h"

#include "numerics/as_float.h"

#include "pair/certified_kernel.h"

#include "numerics/as_double.h"

#include "pair/certified_kernel.h"

#include <algorithm>

namespace {

/* ---- kernels ---- */

/* The queries of a slice that has such. */
__device__ const graze_query *queries_of(const gz_batch_slice &s, const graze_query *) { return s.queries; }
__device__ const graze_query_f32 *queries_of(const gz_batch_slice &s, const graze_query_f32 *) { return s.floats; }

template <class Query> __device__ bool is_allowed(const Query &query, int rows, double largest) {
    bool good = true;
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < 3; c++) /* NaN is not */
            good &= fabs((double)query.x0[i][c]) <= largest && fabs((double)query.x1[i][c]) <= largest;
    return good;
}

template <graze_kind kind>
__device__ double probe_later(const gz_batch_slice &s, const graze_query *queries, uint32_t i, int round, double t) {
    gz_lane_source source = {kind, s.call.separation, queries, {}, NULL, NULL};
    d_probe_round(kind, &source, gz_certified_ahead(round), &i, 1, &t, NULL);
    return t;
}

template <graze_kind kind>
__device__ double probe_later(const gz_batch_slice &s, const graze_query_f32 *queries, uint32_t i, int round,
                              double t) {
    gz_lane_source_f32 source = {kind, s.separation, queries};
    float narrow = (float)t; /* exact: it came from there */
    f_probe_round(kind, &source, (float)gz_certified_ahead(round), &i, 1, &narrow, NULL);
    return narrow;
}

template <graze_kind kind>
__device__ double probe_once(const gz_batch_slice &s, const graze_query *queries, uint32_t i) {
    row_finder rows = {{(const char *)queries->x0, (const char *)queries->x1}, NULL, sizeof(graze_query)};
    float t;
    probe_first(kind, sizeof(graze_query), &rows, s.separation, i, 1, &t, NULL);
    return t;
}

template <graze_kind kind>
__device__ double probe_once(const gz_batch_slice &s, const graze_query_f32 *queries, uint32_t i) {
    return probe_later<kind>(s, queries, i, 0, 0);
}

__device__ double difference(const graze_query *, double t, double before) { return t - before; }
__device__ double difference(const graze_query_f32 *, double t, double before) { return (float)t - (float)before; }

/* Checks each query, and lists what is open after the first probe. */
template <graze_kind kind, class Query> __global__ void probe_all(gz_batch_slice s) {
    const Query *queries = queries_of(s, (const Query *)NULL);
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    gz_open_pair pair = {i, 0, 0, kind, 1};
    bool left = false;
    if (i < s.count) {
        if (is_allowed(queries[i], gz_kind_rows(kind), s.largest)) {
            pair.t = probe_once<kind>(s, queries, i);
            left = pair.t < s.call.t_max;
        } else {
            atomicMin(&s.state->bad, (unsigned long long)i);
        }
        s.codes[i] = 1;
    }
    unsigned long long at = gz_list_place(s.open, left);
    if (left) s.open.put(at, pair);
}

template <graze_kind kind, class Query> __global__ void __launch_bounds__(128) probe_open(gz_batch_slice s) {
    const Query *queries = queries_of(s, (const Query *)NULL);
    unsigned long long count = s.open.size();
    unsigned step = gridDim.x * blockDim.x, lane = threadIdx.x % 32;
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i - lane < count; i += step) {
        gz_open_pair pair = {0, 0, 0, 0, 0};
        bool left = false;
        if (i < count) {
            pair = s.open.items[i];
            gz_certified_next next = gz_certified_after(0, pair.t, pair.t, s.call.t_max, s.call.max_checks);
            while (next == GZ_NEXT_PROBE) {
                double before = pair.t;
                int round = (int)pair.checks++;
                pair.t = probe_later<kind>(s, queries, pair.a, round, before);
                next = gz_certified_after(round, pair.t, difference(queries, pair.t, before), s.call.t_max,
                                          s.call.max_checks);
            }
            left = next == GZ_NEXT_FINISH;
            if (!left) s.codes[pair.a] = pair.checks;
        }
        unsigned long long at = gz_list_place(s.late, left);
        if (left) s.late.put(at, pair);
    }
}

/* ---- a slice ---- */

#define MOST_IN_SLICE (1u << 17)
#define LEAST_IN_SLICE 64u
#define STAGE_CHUNK 1024 /* queries that a thread gathers at a time */

/* Bytes that a query takes of both memories, in both slices. */
constexpr size_t bytes_of_query =
    2 * 2 * (sizeof(graze_query) + sizeof(uint32_t) + sizeof(graze_result)) + 2 * 2 * sizeof(gz_open_pair);

size_t slice_room(const gz_batch_request *request) {
    size_t limit = request->memory_limit / bytes_of_query;
    if (!request->memory_limit)
        return std::min<size_t>(MOST_IN_SLICE, std::max<size_t>(request->count, LEAST_IN_SLICE));
    return std::min<size_t>(MOST_IN_SLICE, std::max<size_t>(limit, LEAST_IN_SLICE));
}

bool reserve_slot(gz_batch_slot &slot, size_t room, gz_device_error &error) {
    if (!slot.stream && !error.note(cudaStreamCreateWithFlags(&slot.stream, cudaStreamNonBlocking), "device"))
        return false;
    return slot.queries.reserve(room * sizeof(graze_query), error) && slot.open.reserve(room, error) &&
           slot.late.reserve(room, error) && slot.codes.reserve(room, error) &&
           slot.results.reserve_zero(room, slot.stream, error) && slot.state.reserve(1, error) &&
           slot.staged.reserve(room * sizeof(graze_query), error) && slot.host_codes.reserve(room, error) &&
           slot.host_results.reserve(room, error) && slot.host_state.reserve(1, error);
}

struct staging {
    const gz_batch_request *request;
    size_t begin, size;
    unsigned char *to;
};

void stage_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const staging *s = (const staging *)state;
    (void)worker;
    s->request->functions.gather(s->request->host, s->begin + begin, s->begin + end, s->to + s->size * begin);
}

bool is_page_locked(const void *memory) {
    cudaPointerAttributes attributes;
    bool known = memory && cudaPointerGetAttributes(&attributes, memory) == cudaSuccess;
    cudaGetLastError();
    return known && attributes.type == cudaMemoryTypeHost;
}

/* Address from which the queries of a slice can be copied at the speed of the bus. */
const void *staged(const gz_batch_request *request, gz_batch_slot &slot) {
    size_t size = request->floats ? sizeof(graze_query_f32) : sizeof(graze_query);
    if (is_page_locked(request->queries)) return (const char *)request->queries + size * slot.begin;
    staging state = {request, slot.begin, size, slot.staged.items};
    request->functions.parallel(request->host, slot.count, STAGE_CHUNK, stage_range, &state);
    return slot.staged.items;
}

gz_certified_call call_of(const gz_batch_request *request) {
    gz_certified_call call = {};
    call.kind = request->kind;
    call.exact = request->exact != 0;
    gz_certified_take(&call, &request->question);
    return call;
}

gz_batch_slice slice_of(const gz_batch_request *request, gz_batch_slot &slot) {
    gz_batch_slice s = {};
    gz_batch_state *state = slot.state.items;
    s.call = call_of(request);
    s.separation = gz_float_not_below(request->question.separation);
    s.largest = request->largest;
    if (request->floats)
        s.floats = (const graze_query_f32 *)slot.queries.items;
    else
        s.queries = (const graze_query *)slot.queries.items;
    s.count = (uint32_t)slot.count;
    s.open = gz_list_of(slot.open, &state->open);
    s.late = gz_list_of(slot.late, &state->late);
    s.codes = slot.codes.items;
    s.results = slot.results.items;
    s.state = state;
    return s;
}

template <graze_kind kind, class Query> void probe(const gz_batch_slice &s, int processors, cudaStream_t stream) {
    probe_all<kind, Query><<<(s.count + 127) / 128, 128, 0, stream>>>(s);
    probe_open<kind, Query><<<8 * processors, 128, 0, stream>>>(s);
}

template <class Query> void launch(const gz_batch_slice &s, int processors, cudaStream_t stream) {
    switch (s.call.kind) {
    case GRAZE_VF: probe<GRAZE_VF, Query>(s, processors, stream); break;
    case GRAZE_EE: probe<GRAZE_EE, Query>(s, processors, stream); break;
    case GRAZE_PE: probe<GRAZE_PE, Query>(s, processors, stream); break;
    case GRAZE_PP: probe<GRAZE_PP, Query>(s, processors, stream); break;
    }
    gz_finish_queries(s, processors, stream);
}

/* Begins a slice, and waits for nothing of the device. */
bool begin_slice(const gz_batch_request *request, gz_batch_slot &slot, int processors, gz_device_error &error) {
    static const gz_batch_state fresh = {0, 0, 0, ~0ull};
    size_t size = request->floats ? sizeof(graze_query_f32) : sizeof(graze_query);
    const void *queries = staged(request, slot);
    *slot.host_state.items = fresh;
    error.note(cudaMemcpyAsync(slot.queries.items, queries, size * slot.count, cudaMemcpyHostToDevice, slot.stream),
               "upload");
    error.note(
        cudaMemcpyAsync(slot.state.items, slot.host_state.items, sizeof fresh, cudaMemcpyHostToDevice, slot.stream),
        "upload");
    auto kernels = request->floats ? launch<graze_query_f32> : launch<graze_query>;
    kernels(slice_of(request, slot), processors, slot.stream);
    error.note(cudaMemcpyAsync(slot.host_codes.items, slot.codes.items, slot.count * sizeof(uint32_t),
                               cudaMemcpyDeviceToHost, slot.stream),
               "results");
    error.note(
        cudaMemcpyAsync(slot.host_state.items, slot.state.items, sizeof fresh, cudaMemcpyDeviceToHost, slot.stream),
        "results");
    return error.note(cudaGetLastError(), "batch");
}

/* Waits for a slice and hands over what it found. False when the batch is to end. */
bool end_slice(const gz_batch_request *request, gz_batch_slot &slot, gz_batch_answer *answer, gz_device_error &error) {
    size_t count = slot.count;
    slot.count = 0;
    if (!count) return true;
    if (!error.note(cudaStreamSynchronize(slot.stream), "batch")) return false;
    const gz_batch_state &state = *slot.host_state.items;
    if (state.bad != ~0ull) {
        answer->bad = slot.begin + (size_t)state.bad;
        return false;
    }
    if (state.results) {
        error.note(cudaMemcpyAsync(slot.host_results.items, slot.results.items,
                                   (size_t)state.results * sizeof(graze_result), cudaMemcpyDeviceToHost, slot.stream),
                   "results");
        if (!error.note(cudaStreamSynchronize(slot.stream), "results")) return false;
    }
    request->functions.take(request->host, slot.begin, count, slot.host_codes.items, slot.host_results.items);
    answer->done = slot.begin + count;
    return true;
}

} // namespace

bool gz_batch_answer_all(gz_device_batch &batch, const gz_batch_request *request, int processors,
                         gz_batch_answer *answer, gz_device_error &error) {
    size_t room = slice_room(request), next = 0;
    for (gz_batch_slot &slot : batch.slots) {
        slot.count = 0;
        if (!reserve_slot(slot, room, error)) return false;
    }
    bool going = true;
    unsigned turn = 0;
    for (; going && next < request->count && !request->functions.cancelled(request->host); turn ^= 1) {
        gz_batch_slot &slot = batch.slots[turn];
        going = end_slice(request, slot, answer, error);
        if (!going) break;
        slot.begin = next;
        slot.count = std::min(room, request->count - next);
        next += slot.count;
        going = begin_slice(request, slot, processors, error);
    }
    for (int k = 0; k < 2; k++, turn ^= 1) { /* in the order in which they were begun */
        if (going)
            going = end_slice(request, batch.slots[turn], answer, error);
        else
            cudaStreamSynchronize(batch.slots[turn].stream); /* it reads what the host may write next */
    }
    return !error.failed();
}

void gz_device_batch_release(gz_device_batch &batch) {
    for (gz_batch_slot &slot : batch.slots) {
        slot.queries.release(), slot.open.release(), slot.late.release(), slot.codes.release(), slot.results.release();
        slot.state.release(), slot.staged.release(), slot.host_codes.release(), slot.host_results.release();
        slot.host_state.release();
        if (slot.stream) cudaStreamDestroy(slot.stream);
        slot.stream = nullptr;
    }
}
