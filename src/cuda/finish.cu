/* In a unit of its own: it holds all that can happen to a pair, and takes longer to compile than everything else. */
#include "cuda/at_rest.cuh"
#include "cuda/finish.cuh"

#include "pair/pair_unit.h"

/* Checks that a thread takes before it leaves a pair to the host, as long as not many were: few take more, and the
   others would wait for them. */
#define PATIENCE 40
#define MOST_LEFT 256

/* False when the pair is left to the host: it needs exact arithmetic, or more than `most` checks. */
static __device__ bool finish_pair(const gz_device_step &s, const gz_open_pair &pair, double enough, uint64_t most,
                                   graze_result *result) {
    graze_kind kind = (graze_kind)pair.kind;
    double radii[4];
    uint32_t ids[4];
    graze_query query;
    gz_device_ids(s, kind, pair.a, pair.b, ids);
    gz_device_query(s, ids, &query, radii);
    gz_certified_call call = s.call;
    call.kind = kind;
    call.max_checks = most < call.max_checks ? most : call.max_checks;
    if (s.part > 0) call.separation = gz_kept_by(s, kind, pair.a, pair.b);
    gz_result_unresolved(result, GRAZE_REASON_NONE);
    result->checks = pair.checks;
    return gz_certified_finish(&call, &query, s.thick ? radii : NULL, pair.t, enough, result) &&
           (result->checks < call.max_checks || call.max_checks == s.call.max_checks);
}

/* Spacing of the lanes that take a pair, when pairs are few: lanes of a warp that go different ways wait for each
   other. */
static __device__ unsigned lanes_apart(unsigned long long count) {
    unsigned apart = 1;
    while (apart < 32 && 2 * apart * count <= gridDim.x * blockDim.x) apart *= 2;
    return apart;
}

/* Lists a pair for the host, in its memory: it need not fetch it then. */
static __device__ void leave_to_host(const gz_device_step &s, const gz_device_list<gz_device_ask> &asks,
                                     const gz_open_pair &pair) {
    unsigned long long place = gz_list_take_one(asks);
    asks.put(place, gz_device_ask{s.coder.code(pair.kind, pair.a, pair.b), pair.t});
    if (s.ask_rows && place < asks.room)
        gz_device_rows(s, (graze_kind)pair.kind, pair.a, pair.b, s.ask_rows + 4 * place);
}

static __global__ void __launch_bounds__(64)
    finish_pairs(const __grid_constant__ gz_device_step s, gz_device_list<gz_open_pair> late,
                 gz_device_list<gz_device_hit> hits, graze_result *results, gz_device_list<gz_device_ask> asks) {
    unsigned long long count = late.size();
    unsigned apart = lanes_apart(count), thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread % apart) return;
    for (unsigned long long i = thread / apart; i < count; i += gridDim.x * blockDim.x / apart) {
        gz_open_pair pair = late.items[i];
        double enough = gz_device_enough(s);
        if (pair.t >= enough || gz_device_stopped(s.stop)) continue;
        graze_result result;
        bool few = *(volatile unsigned long long *)asks.count < MOST_LEFT;
        if (!finish_pair(s, pair, enough, few ? PATIENCE : UINT64_MAX, &result))
            leave_to_host(s, asks, pair);
        else if (result.verdict != GRAZE_CLEAR)
            gz_keep_hit(s, hits, results, gz_list_take_one(hits), pair, result);
    }
}

void gz_finish(const gz_device_step &s, gz_device_list<gz_open_pair> late, gz_device_list<gz_device_hit> hits,
               graze_result *results, gz_device_list<gz_device_ask> asks, int processors, cudaStream_t stream) {
    finish_pairs<<<4 * processors, 64, 0, stream>>>(s, late, hits, results, asks);
}

/* Answer to the host about a query: GZ_BATCH_ASK where it needs exact arithmetic. */
static __device__ uint32_t finish_query(const gz_batch_slice &s, const gz_open_pair &pair) {
    graze_query query = s.floats ? gz_widened(&s.floats[pair.a]) : s.queries[pair.a];
    graze_result result;
    gz_result_unresolved(&result, GRAZE_REASON_NONE);
    result.checks = pair.checks;
    if (!gz_certified_finish(&s.call, &query, NULL, pair.t, s.call.t_max, &result)) return GZ_BATCH_ASK;
    if (result.verdict == GRAZE_CLEAR && result.checks < GZ_BATCH_ASK) return (uint32_t)result.checks;
    uint32_t place = (uint32_t)atomicAdd(&s.state->results, 1ull);
    s.results[place] = result;
    return GZ_BATCH_RESULT | place;
}

static __global__ void __launch_bounds__(64) finish_queries(gz_batch_slice s) {
    unsigned long long count = s.late.size();
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        gz_open_pair pair = s.late.items[i];
        s.codes[pair.a] = finish_query(s, pair);
    }
}

void gz_finish_queries(const gz_batch_slice &s, int processors, cudaStream_t stream) {
    finish_queries<<<8 * processors, 64, 0, stream>>>(s);
}
