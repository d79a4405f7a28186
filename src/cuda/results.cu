#include "cuda/results.cuh"

#include "cuda/sort.cuh"

#include <algorithm>

/* ---- kernels ---- */

/* Ties: the first pair of those with the least toi. */
static __global__ void find_first(gz_device_list<gz_device_hit> hits, gz_step_state *state) {
    unsigned long long count = hits.size(), first = ~0ull;
    for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        if (hits.items[i].toi == state->best && hits.items[i].code < first) first = hits.items[i].code;
    if (first != ~0ull) atomicMin(&state->first_code, first);
}

/* Codes of the hits, to be sorted with their places; the rest of `room` has one that comes last. */
static __global__ void take_codes(gz_device_list<gz_device_hit> hits, uint32_t room, unsigned long long *codes,
                                  uint32_t *places) {
    unsigned long long count = hits.size();
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < room; i += gridDim.x * blockDim.x) {
        codes[i] = i < count ? hits.items[i].code : ~0ull;
        places[i] = i;
    }
}

#define WORDS (sizeof(graze_pair_result) / sizeof(unsigned long long))
#define WORDS_BEFORE (offsetof(graze_pair_result, result) / sizeof(unsigned long long)) /* kind and a, then b */

/* Lists that are in order by themselves: what the device found, by its sorted codes, and what the host did, behind it
   in the lists of hits and results. */
struct gathering {
    gz_pair_coder coder;
    const unsigned long long *codes; /* of the device's, with places in `results` */
    const uint32_t *places;
    uint32_t count, more;
    const gz_device_hit *hits;
    const graze_result *results;
};

/* The number of codes that come before one, of `count` in order: code_of(0) and so on. */
template <class F> static __device__ uint32_t codes_before(uint32_t count, unsigned long long code, const F &code_of) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (code_of(middle) < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Place of item i, of the device's or behind them the host's, in the order of all. */
static __device__ uint32_t place_among_all(const gathering &g, uint32_t i, unsigned long long code) {
    if (i < g.count) return i + codes_before(g.more, code, [&](uint32_t k) { return g.hits[g.count + k].code; });
    return i - g.count + codes_before(g.count, code, [&](uint32_t k) { return g.codes[k]; });
}

/* Results in the order of the pairs, one thread a word, so that neighbors read and write what lies side by side. */
static __global__ void gather_results(gathering g, graze_pair_result *sorted, graze_pair_result *first,
                                      gz_step_state *state) {
    size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    uint32_t i = (uint32_t)(at / WORDS), word = (uint32_t)(at % WORDS);
    if (i >= g.count + g.more) return;
    bool found = i < g.count;
    unsigned long long code = found ? g.codes[i] : g.hits[i].code, value;
    if (word == 0)
        value = g.coder.kind(code) | (unsigned long long)g.coder.a(code) << 32;
    else if (word == 1)
        value = g.coder.b(code);
    else
        value = ((const unsigned long long *)&g.results[found ? g.places[i] : i])[word - WORDS_BEFORE];
    ((unsigned long long *)&sorted[place_among_all(g, i, code)])[word] = value;
    if (!found) return;
    if (code == state->first_code) ((unsigned long long *)first)[word] = value;
    if (word == 0 && (i + 1 == g.count || g.coder.kind(g.codes[i + 1]) != g.coder.kind(code)))
        state->ends[g.coder.kind(code)] = i + 1;
}

/* ---- their order ---- */

void gz_find_first(gz_device_scene &s, gz_device_narrow &n) {
    find_first<<<s.processors, 256, 0, s.stream>>>(gz_list_of(n.hits, &n.state.items->hits), n.state.items);
}

/* The sort has room for so many; it is begun before it is known how many there are. */
static bool reserve_sort(gz_device_scene &s, gz_device_narrow &n, size_t room, gz_device_error &error) {
    n.sort_room = 0; /* as long as there is none */
    if (!n.codes.reserve(2 * room, error) || !n.places.reserve(2 * room, error) ||
        !gz_device_sort_reserve(n.sort_bytes, (uint32_t)room, gz_device_scene_coder(s).used(), error))
        return false;
    n.sort_room = (uint32_t)room;
    return true;
}

/* Of what is in the list of hits; codes and places in order lie behind those that are not. */
static bool launch_sort(gz_device_scene &s, gz_device_narrow &n, gz_device_error &error) {
    gz_device_list<gz_device_hit> hits = gz_list_of(n.hits, &n.state.items->hits);
    n.clock.mark(GZ_STAGES, s.stream);
    gz_find_first(s, n);
    take_codes<<<2 * s.processors, 256, 0, s.stream>>>(hits, n.sort_room, n.codes.items, n.places.items);
    gz_device_sort(n.sort_bytes, n.codes.items, n.places.items, n.sort_room, gz_device_scene_coder(s).used(), s.stream,
                   error);
    n.clock.mark(GZ_STAGE_SORT, s.stream);
    return error.note(cudaGetLastError(), "sorting");
}

bool gz_pass_begin_sort(gz_device_scene &s, gz_device_narrow &n, gz_device_error &error) {
    std::vector<unsigned char> key;
    /* codes of another mesh may be longer, and a graph cannot be made where memory is */
    if (!gz_device_sort_reserve(n.sort_bytes, n.sort_room, gz_device_scene_coder(s).used(), error)) return false;
    const void *places[] = {n.codes.items, n.places.items, n.sort_bytes.items, n.state.items};
    uint32_t counts[] = {n.sort_room, (uint32_t)gz_device_scene_coder(s).used()};
    gz_add_to_key(key, places, sizeof places);
    gz_add_to_key(key, counts, sizeof counts);
    gz_add_array(key, n.hits);
    return gz_run_or_time(s, n, n.sort_graph, key, error, [&] { launch_sort(s, n, error); });
}

bool gz_pass_sort(gz_device_scene &s, gz_device_narrow &n, gz_device_error &error) {
    size_t count = (size_t)n.host_state.items->hits, room = n.sort_room;
    if (n.sorting && count <= room && count >= room / 4) return true; /* it is under way */
    if (!count) return true;
    return reserve_sort(s, n, count + count / 4, error) && launch_sort(s, n, error);
}

/* ---- to the host ---- */

void gz_fetch_state(gz_device_scene &s, gz_device_narrow &n, gz_device_error &error) {
    error.note(
        cudaMemcpyAsync(n.host_state.items, n.state.items, sizeof(gz_step_state), cudaMemcpyDeviceToHost, s.stream),
        "results");
}

/* Puts what the host found behind what the device did. */
static bool append_hits(gz_device_scene &s, gz_device_narrow &n, size_t count, size_t more, gz_device_error &error) {
    error.note(cudaMemcpyAsync(n.hits.items + count, n.more_hits.items, more * sizeof(gz_device_hit),
                               cudaMemcpyHostToDevice, s.stream),
               "results");
    return error.note(cudaMemcpyAsync(n.results.items + count, n.more_results.items, more * sizeof(graze_result),
                                      cudaMemcpyHostToDevice, s.stream),
                      "results");
}

/* Brings both into one order, at `to`, which may be the host's. */
static bool gather(gz_device_scene &s, gz_device_narrow &n, size_t more, graze_pair_result *to,
                   gz_device_error &error) {
    uint32_t count = (uint32_t)n.host_state.items->hits;
    size_t threads = (count + more) * WORDS;
    gathering g = {gz_device_scene_coder(s),
                   n.codes.items + n.sort_room,
                   n.places.items + n.sort_room,
                   count,
                   (uint32_t)more,
                   n.hits.items,
                   n.results.items};
    if (!n.host_first.reserve(1, error) || (more && !append_hits(s, n, count, more, error))) return false;
    gather_results<<<(unsigned)((threads + 255) / 256), 256, 0, s.stream>>>(g, to, n.host_first.items, n.state.items);
    gz_fetch_state(s, n, error);
    return error.note(cudaGetLastError(), "results");
}

#define PART_BYTES ((size_t)4 << 20)
#define FEW_BYTES ((size_t)1 << 18)      /* that one thread copies */
#define COPIED_AT_ONCE ((size_t)1 << 18) /* bytes, by a thread */

struct copying {
    const unsigned char *from;
    unsigned char *to;
};

static void copy_bytes(void *state, size_t begin, size_t end, uint32_t worker) {
    const copying *c = (const copying *)state;
    (void)worker;
    memcpy(c->to + begin, c->from + begin, end - begin);
}

static size_t part_size(size_t bytes, size_t part) { return std::min(bytes - part * PART_BYTES, PART_BYTES); }

static bool begin_part(gz_device_scene &s, gz_device_narrow &n, const void *from, size_t bytes, size_t part,
                       gz_device_error &error) {
    int which = (int)(part % 2);
    size_t size = part_size(bytes, part);
    cudaEvent_t &there = n.part_there[which];
    return n.part[which].reserve(size, error) &&
           (there || error.note(cudaEventCreateWithFlags(&there, cudaEventDisableTiming), "results")) &&
           error.note(cudaMemcpyAsync(n.part[which].items, (const char *)from + part * PART_BYTES, size,
                                      cudaMemcpyDeviceToHost, s.stream),
                      "results") &&
           error.note(cudaEventRecord(there, s.stream), "results");
}

/* While one part is on its way the one before is copied on. */
bool gz_fetch_parts(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, const void *from,
                    size_t bytes, void *to, gz_device_error &error) {
    size_t parts = (bytes + PART_BYTES - 1) / PART_BYTES;
    const gz_backend_host &host = request.given->functions;
    if (!begin_part(s, n, from, bytes, 0, error)) return false;
    for (size_t part = 0; part < parts; part++) {
        if (part + 1 < parts && !begin_part(s, n, from, bytes, part + 1, error)) return false;
        if (!error.note(cudaEventSynchronize(n.part_there[part % 2]), "results")) return false;
        copying state = {n.part[part % 2].items, (unsigned char *)to + part * PART_BYTES};
        host.parallel(request.given->host, part_size(bytes, part), COPIED_AT_ONCE, copy_bytes, &state);
    }
    return true;
}

/* A short list is written to page-locked memory by the device, and copied from there. */
static bool fetch_few(gz_device_scene &s, gz_device_narrow &n, size_t more, size_t bytes, graze_pair_result *to,
                      gz_device_error &error) {
    if (!n.part[0].reserve(PART_BYTES, error) || !gather(s, n, more, (graze_pair_result *)n.part[0].items, error) ||
        !error.note(cudaStreamSynchronize(s.stream), "results"))
        return false;
    n.clock.mark(GZ_STAGE_DOWNLOAD, s.stream);
    memcpy(to, n.part[0].items, bytes);
    return true;
}

bool gz_pass_fetch(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, size_t more,
                   graze_pair_result *to, bool locked, gz_device_error &error) {
    size_t count = (size_t)n.host_state.items->hits + more, bytes = count * sizeof *to;
    if (to && !locked && bytes <= FEW_BYTES) return fetch_few(s, n, more, bytes, to, error);
    if (!n.sorted.reserve(count, error)) return false;
    if (!gather(s, n, more, n.sorted.items, error)) return false;
    if (to && locked)
        error.note(cudaMemcpyAsync(to, n.sorted.items, bytes, cudaMemcpyDeviceToHost, s.stream), "results");
    else if (to && !gz_fetch_parts(s, n, request, n.sorted.items, bytes, to, error))
        return false;
    n.clock.mark(GZ_STAGE_DOWNLOAD, s.stream);
    return error.note(cudaStreamSynchronize(s.stream), "results");
}
