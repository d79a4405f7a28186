#include "cuda/step.cuh"

#include "cuda/certify.cuh"
#include "cuda/finish.cuh"
#include "cuda/sort.cuh"

#include <algorithm>

/* ---- kernels ---- */

static __global__ void begin_pass(gz_step_state *state, const gz_pass_input *input) {
    const unsigned given = sizeof *input / sizeof(uint32_t),
                   late = offsetof(gz_step_state, first_late) / sizeof(uint32_t);
    for (unsigned i = threadIdx.x; i < late; i += blockDim.x)
        ((uint32_t *)state)[i] = i < given ? ((const uint32_t *)input)[i] : 0;
    if (threadIdx.x < sizeof state->walk_over / sizeof *state->walk_over) state->walk_over[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x) return;
    state->walk_pending = state->input.walkers;
    state->best = state->input.best;
    state->hits = state->input.hits;
    state->first_code = ~0ull;
}

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

/* How many of `count` codes in order, code_of(0) and so on, come before one. */
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

/* Where item i, of the device's or behind them the host's, is in the order of all. */
static __device__ uint32_t place_among_all(const gathering &g, uint32_t i, unsigned long long code) {
    if (i < g.count) return i + codes_before(g.more, code, [&](uint32_t k) { return g.hits[g.count + k].code; });
    return i - g.count + codes_before(g.count, code, [&](uint32_t k) { return g.codes[k]; });
}

/* Results in the order of the pairs, one thread a word, so that neighbours read and write what lies side by side. */
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

/* Vertices of the first pair, behind those of the pairs that the host answers, which are at most `room`. */
static __global__ void tell_first(gz_device_step s, size_t room) {
    unsigned long long code = s.state->first_code, asks = s.state->asks;
    if (code == ~0ull || asks > room) return;
    gz_device_rows(s, (graze_kind)s.coder.kind(code), s.coder.a(code), s.coder.b(code), s.ask_rows + 4 * asks);
}

/* ---- a pass ---- */

gz_pair_coder gz_scene_coder(const gz_device_scene &s) {
    uint32_t most = s.vertex_count, bits = 1;
    if (s.edge_count > most) most = s.edge_count;
    if (s.face_count > most) most = s.face_count;
    while (bits < 31 && most >> bits) bits++;
    return {bits};
}

template <class T> static gz_device_list<T> list_of(gz_device_array<T> &array, unsigned long long *count) {
    return {array.items, array.room, count};
}

gz_device_step gz_step_of(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request) {
    gz_device_step step;
    memset(&step, 0, sizeof step); /* a key is made of it */
    step.faces = s.faces.items;
    step.edges = s.edges.items;
    step.ends = s.ends.items;
    step.late_rows = request.rows ? n.late_rows.items : NULL;
    step.ask_rows = request.rows ? n.ask_rows.items : NULL;
    step.call = request.call;
    step.grow = request.grow;
    step.thick = s.has_thickness;
    step.all = request.all;
    step.coder = gz_scene_coder(s);
    step.state = n.state.items;
    step.stop = request.given->may_end ? n.stop.items : NULL;
    return step;
}

template <graze_kind kind>
static void certify(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request,
                    const gz_device_step &step) {
    if (!(request.kinds >> kind & 1u)) return;
    const unsigned blocks = 4 * (unsigned)s.processors;
    const float separation = gz_float_not_below(request.call.separation);
    gz_device_list<uint2> pairs = list_of(s.pairs[kind], &step.state->pairs[kind]);
    gz_device_list<gz_open_pair> open = list_of(n.open, &step.state->open);
    if constexpr (kind <= GRAZE_EE)
        if (request.looks && request.all) {
            gz_certify_looking<kind>
                <<<blocks, GZ_FIRST_BLOCK, 0, s.stream>>>(step, s.far.items, separation, pairs, open);
            return;
        }
    auto kernel = request.all ? gz_certify_first<kind, true> : gz_certify_first<kind, false>;
    kernel<<<blocks, GZ_FIRST_BLOCK, 0, s.stream>>>(step, separation, pairs, open);
}

static void finish(gz_device_scene &s, gz_device_narrow &n, const gz_device_step &step) {
    gz_step_state *state = step.state;
    gz_device_list<gz_device_hit> hits = list_of(n.hits, &state->hits);
    gz_device_list<gz_open_pair> late = list_of(n.late, &state->late);
    graze_result *results = step.all ? n.results.items : NULL;
    if (!step.thick && step.call.separation == 0) { /* what is open is done with, and has room for all that was late */
        gz_device_list<gz_open_pair> rest = list_of(n.open, &state->rest);
        gz_finish_soon(step, late, hits, results, rest, s.processors, s.stream);
        late = rest;
    }
    gz_finish(step, late, hits, results, {n.host_asks.items, n.host_asks.room, &state->asks}, s.processors, s.stream);
    if (step.all) return; /* the host adds its own first */
    find_first<<<s.processors, 256, 0, s.stream>>>(hits, state);
    if (step.ask_rows) tell_first<<<1, 1, 0, s.stream>>>(step, n.host_asks.room);
}

static void fetch_state(gz_device_scene &s, gz_device_narrow &n, gz_device_error &error) {
    error.note(
        cudaMemcpyAsync(n.host_state.items, n.state.items, sizeof(gz_step_state), cudaMemcpyDeviceToHost, s.stream),
        "results");
}

static void launch_pass(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, gz_pass_start start,
                        gz_device_error &error) {
    gz_device_step step = gz_step_of(s, n, request);
    n.clock.mark(GZ_STAGES, s.stream); /* what lies before is the host's */
    begin_pass<<<1, 128, 0, s.stream>>>(step.state, n.host_input.items);
    if (start != GZ_START_TREE) {
        gz_scene_boxes(s, start == GZ_START_POSITIONS, step.state, request.looks);
        n.clock.mark(GZ_STAGE_BOXES, s.stream);
        gz_scene_tree(s);
        n.clock.mark(GZ_STAGE_TREE, s.stream);
    }
    gz_scene_walk(s, request.kinds, step.state, step.stop, request.all, request.looks);
    n.clock.mark(GZ_STAGE_TRAVERSAL, s.stream);
    certify<GRAZE_VF>(s, n, request, step);
    certify<GRAZE_EE>(s, n, request, step);
    certify<GRAZE_PE>(s, n, request, step);
    certify<GRAZE_PP>(s, n, request, step);
    n.clock.mark(GZ_STAGE_PROBES, s.stream);
    gz_certify_rounds<<<4 * s.processors, 128, 0, s.stream>>>(step, list_of(n.open, &step.state->open),
                                                              list_of(n.late, &step.state->late));
    if (request.all) finish(s, n, step);
    n.clock.mark(GZ_STAGE_NARROW, s.stream);
    fetch_state(s, n, error);
    n.clock.mark(GZ_STAGE_DOWNLOAD, s.stream);
    error.note(cudaGetLastError(), "step");
}

/* ---- order of the results ---- */

/* The sort has room for so many; it is begun before it is known how many there are. */
static bool reserve_sort(gz_device_scene &s, gz_device_narrow &n, size_t room, gz_device_error &error) {
    n.sort_room = 0; /* as long as there is none */
    if (!n.codes.reserve(2 * room, error) || !n.places.reserve(2 * room, error) ||
        !gz_sort_reserve(n.sort_bytes, (uint32_t)room, gz_scene_coder(s).used(), error))
        return false;
    n.sort_room = (uint32_t)room;
    return true;
}

/* Of what is in the list of hits; codes and places in order lie behind those that are not. */
static bool launch_sort(gz_device_scene &s, gz_device_narrow &n, gz_device_error &error) {
    gz_device_list<gz_device_hit> hits = list_of(n.hits, &n.state.items->hits);
    n.clock.mark(GZ_STAGES, s.stream);
    gz_find_first(s, n);
    take_codes<<<2 * s.processors, 256, 0, s.stream>>>(hits, n.sort_room, n.codes.items, n.places.items);
    gz_sort(n.sort_bytes, n.codes.items, n.places.items, n.sort_room, gz_scene_coder(s).used(), s.stream, error);
    n.clock.mark(GZ_STAGE_SORT, s.stream);
    return error.note(cudaGetLastError(), "sorting");
}

/* ---- its graph ---- */

static void add_to_key(std::vector<unsigned char> &key, const void *bytes, size_t size) {
    const unsigned char *from = (const unsigned char *)bytes;
    key.insert(key.end(), from, from + size);
}

template <class A> static void add_array(std::vector<unsigned char> &key, const A &array) {
    add_to_key(key, &array.items, sizeof array.items);
    add_to_key(key, &array.room, sizeof array.room);
}

/* Everything that launch_pass hands to a kernel. */
static std::vector<unsigned char> key_of(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request) {
    std::vector<unsigned char> key;
    gz_device_step step = gz_step_of(s, n, request);
    uint32_t counts[] = {s.vertex_count, s.element_count,    request.kinds,          s.has_groups,
                         s.groups.count, s.groups.skip_same, (uint32_t)request.looks};
    const void *places[] = {s.groups.pairs,  s.thickness.items,  s.vertex_groups.items, s.boxes.items,
                            s.far.items,     s.sorted.items,     s.packets.items,       s.tops.items,
                            n.results.items, s.walks_left.items, n.host_input.items,    n.host_state.items};
    add_to_key(key, &step, sizeof step);
    add_to_key(key, counts, sizeof counts);
    add_to_key(key, places, sizeof places);
    add_array(key, s.element_pairs);
    for (int kind = 0; kind < 4; kind++) add_array(key, s.pairs[kind]);
    add_array(key, n.open), add_array(key, n.late), add_array(key, n.hits), add_array(key, n.host_asks);
    return key;
}

static void drop_graph(gz_pass_graph &graph) {
    if (graph.made) cudaGraphExecDestroy(graph.made);
    graph.made = nullptr;
}

template <class F>
static bool make_graph(gz_device_scene &s, gz_pass_graph &graph, gz_device_error &error, const F &launch) {
    cudaGraph_t captured = nullptr;
    drop_graph(graph);
    if (!error.note(cudaStreamBeginCapture(s.stream, cudaStreamCaptureModeThreadLocal), "graph")) return false;
    launch();
    error.note(cudaStreamEndCapture(s.stream, &captured), "graph");
    if (!error.failed()) error.note(cudaGraphInstantiate(&graph.made, captured, 0), "graph");
    if (captured) cudaGraphDestroy(captured);
    if (error.failed()) graph.made = nullptr;
    return !error.failed();
}

/* Runs what launch() launches: as a graph, unless events lie between the kernels. */
template <class F>
static bool run_graph(gz_device_scene &s, gz_device_narrow &n, gz_pass_graph &graph,
                      const std::vector<unsigned char> &key, gz_device_error &error, const F &launch) {
    if (n.clock.on) {
        launch();
        return !error.failed();
    }
    if (!graph.made || key != graph.key) {
        if (!make_graph(s, graph, error, launch)) return false;
        graph.key = key;
    }
    return error.note(cudaGraphLaunch(graph.made, s.stream), "step");
}

static bool run_pass(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, gz_pass_start start,
                     gz_device_error &error) {
    return run_graph(s, n, n.graphs[request.all][start], key_of(s, n, request), error,
                     [&] { launch_pass(s, n, request, start, error); });
}

static bool run_sort(gz_device_scene &s, gz_device_narrow &n, gz_device_error &error) {
    std::vector<unsigned char> key;
    /* codes of another mesh may be longer, and a graph cannot be made where memory is */
    if (!gz_sort_reserve(n.sort_bytes, n.sort_room, gz_scene_coder(s).used(), error)) return false;
    const void *places[] = {n.codes.items, n.places.items, n.sort_bytes.items, n.state.items};
    uint32_t counts[] = {n.sort_room, (uint32_t)gz_scene_coder(s).used()};
    add_to_key(key, places, sizeof places);
    add_to_key(key, counts, sizeof counts);
    add_array(key, n.hits);
    return run_graph(s, n, n.sort_graph, key, error, [&] { launch_sort(s, n, error); });
}

/* ---- lists ---- */

/* Calls f(list, how many it should have room for to begin with, how many the last pass had) for each of those that hold
   pairs on their way: what real scenes need, in units of an element. */
template <class F>
static void for_lists(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, const F &f) {
    static const gz_step_state nothing = {};
    const gz_step_state &seen = n.host_state.items ? *n.host_state.items : nothing;
    size_t elements = s.element_count;
    f(s.element_pairs, 16 * elements, seen.element_pairs);
    for (int kind = 0; kind < 4; kind++)
        if (request.kinds >> kind & 1u) f(s.pairs[kind], 8 * elements, seen.pairs[kind]);
    f(n.open, request.lists ? 0 : 2 * elements, seen.open);
    f(n.late, request.lists ? 0 : elements, seen.late);
}

#define LEAST_ROOM 4096u        /* of a list */
#define LEAST_ROOM_LIMITED 256u /* as much as one step of a warp finds */

/* Under a limit each list gets its part of it, and a pass as many packets as that goes round for. */
bool gz_lists_reserve(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request,
                      gz_device_error &error) {
    double wanted = 0, held = 0;
    for_lists(s, n, request, [&](auto &list, size_t room, unsigned long long) {
        wanted += (double)room * sizeof *list.items;
        held += (double)list.bytes();
    });
    double part = request.limit ? std::min(1.0, (double)request.limit / wanted) : 1;
    bool changed = n.limit != request.limit || n.batch_of != s.tree.packets[0] || n.batch_lists != request.lists;
    if (changed) n.batch = request.limit ? (uint32_t)std::max(1.0, part * s.tree.packets[0]) : UINT32_MAX;
    for_lists(s, n, request, [&](auto &list, size_t room, unsigned long long) {
        if (changed && request.limit && held > (double)request.limit) list.release();
        list.reserve((size_t)(part * (double)room) + (request.limit ? LEAST_ROOM_LIMITED : LEAST_ROOM), error);
    });
    n.limit = request.limit;
    n.batch_of = s.tree.packets[0];
    n.batch_lists = request.lists;
    return !error.failed();
}

/* Pairs that the host answers, and what it has to know of them, in its memory. */
static bool reserve_asks(gz_device_narrow &n, const gz_device_request &request, size_t room, gz_device_error &error) {
    return n.host_asks.reserve(room, error) && (!request.rows || n.ask_rows.reserve(4 * (n.host_asks.room + 1), error));
}

/* Starting sizes, or what the last step needed. */
static bool reserve_lists(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request,
                          gz_device_error &error) {
    size_t elements = s.element_count;
    bool good = gz_scene_reserve(s, error) && n.host_state.reserve(1, error) &&
                gz_lists_reserve(s, n, request, error) &&
                n.hits.reserve_keeping(elements + LEAST_ROOM, n.before, s.stream, error) &&
                n.state.reserve_zero(1, s.stream, error) && n.host_input.reserve(1, error) &&
                reserve_asks(n, request, LEAST_ROOM, error) && n.stop.reserve_zero(1, s.stream, error);
    if (good && request.looks) good = s.far.reserve(s.vertex_count, error);
    if (good && request.rows) good = n.late_rows.reserve(4 * GZ_FEW_LATE, error);
    if (good && request.all) good = n.results.reserve_keeping(n.hits.room, n.before, s.stream, error);
    return good;
}

/* Whether the device has the memory for lists that hold what the last pass found. */
static bool is_too_much(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request) {
    size_t free = 0, total = 0;
    double wanted = 0, held = 0;
    for_lists(s, n, request, [&](auto &list, size_t, unsigned long long count) {
        held += (double)list.bytes();
        wanted += std::max((double)list.bytes(), 1.25 * (double)count * sizeof *list.items);
    });
    return wanted - held > 1e8 && cudaMemGetInfo(&free, &total) == cudaSuccess && wanted > 0.9 * ((double)free + held);
}

bool gz_lists_grow(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, gz_device_error &error) {
    const gz_pass_input &input = *n.host_input.items;
    uint32_t packets = input.packets[1] - input.packets[0];
    double fullest = 0;
    for_lists(s, n, request, [&](auto &list, size_t, unsigned long long count) {
        fullest = std::max(fullest, (double)count / (double)list.room);
    });
    bool again = fullest > 1, limited = n.limit || n.batch != UINT32_MAX;
    if (again && !limited) limited = is_too_much(s, n, request);
    if (again && limited && packets > 1)
        n.batch = (uint32_t)std::max(1.0, 0.8 * packets / fullest);
    else if (again)
        for_lists(s, n, request, [&](auto &list, size_t, unsigned long long count) {
            if (count > list.room) list.reserve((size_t)(count + count / 4), error);
        });
    else if (limited && fullest < 0.5)
        n.batch = (uint32_t)std::min(4.0 * packets, std::min(0.8 * packets / (fullest + 1e-3), (double)n.batch_of));
    return again;
}

/* The same for what is found, too. */
static bool grow_lists(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request,
                       gz_device_error &error) {
    const gz_step_state &seen = *n.host_state.items;
    bool again = gz_lists_grow(s, n, request, error);
    size_t hits = (size_t)(seen.hits + request.asked + seen.asks); /* some of which the host finds to be hits */
    again |= hits > n.hits.room || seen.asks > n.host_asks.room;
    if (hits > n.hits.room) n.hits.reserve_keeping(hits + hits / 4, n.before, s.stream, error);
    if (seen.asks > n.host_asks.room) reserve_asks(n, request, (size_t)(seen.asks + seen.asks / 4), error);
    if (request.all) n.results.reserve_keeping(n.hits.room, n.before, s.stream, error);
    return again;
}

/* ---- the parts of a pass ---- */

/* After a pass that was stopped. */
static bool may_run(gz_device_scene &s, gz_device_narrow &n, gz_device_error &error) {
    if (n.stopped) error.note(cudaMemsetAsync(n.stop.items, 0, n.stop.bytes(), s.stream), "step");
    n.stopped = false;
    return !error.failed();
}

/* What a pass begins with: over so many packets from pass.first on as a batch has. */
static void fill_input(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request,
                       const gz_device_pass &pass) {
    gz_pass_input &input = *n.host_input.items;
    input.positions = s.positions;
    input.window = pass.window;
    input.until = request.all ? request.call.t_max : pass.window;
    input.grow = request.grow;
    input.tight = request.all;
    input.largest = request.largest;
    input.view = s.view;
    input.reach = gz_far_reach((request.call.separation + request.call.tolerance) * s.view.scale);
    input.best = pass.best;
    input.hits = n.before;
    input.packets[0] = pass.first;
    input.packets[1] = n.batch_end = pass.first + std::min(n.batch, s.tree.packets[0] - pass.first);
    input.walkers = gz_scene_walkers(s);
    s.walks_clean = false; /* until it has come to its end */
}

/* What is in the stream up to here is waited for, and not what follows. */
static bool mark_done(gz_device_scene &s, gz_device_narrow &n, gz_device_error &error) {
    return (n.done || error.note(cudaEventCreateWithFlags(&n.done, cudaEventDisableTiming), "step")) &&
           error.note(cudaEventRecord(n.done, s.stream), "step");
}

bool gz_pass_begin(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request,
                   const gz_device_pass &pass, gz_device_error &error) {
    if (!reserve_lists(s, n, request, error) || !may_run(s, n, error)) return false;
    fill_input(s, n, request, pass);
    if (!run_pass(s, n, request, pass.start, error) || !mark_done(s, n, error)) return false;
    /* what it finds is sorted at once, while the host looks at what is left to it */
    n.sorting = request.all && n.sort_room && n.batch_end == s.tree.packets[0] && !n.clock.on;
    return !n.sorting || run_sort(s, n, error);
}

static bool open_aside(gz_device_narrow &n, gz_device_error &error) {
    return n.aside || error.note(cudaStreamCreateWithFlags(&n.aside, cudaStreamNonBlocking), "stream");
}

/* Ends the kernels that run, from another stream. */
static bool stop_pass(gz_device_narrow &n, gz_device_error &error) {
    n.stopped = true;
    return open_aside(n, error) &&
           error.note(cudaMemsetAsync(n.stop.items, 1, sizeof *n.stop.items, n.aside), "stopping") &&
           error.note(cudaStreamSynchronize(n.aside), "stopping");
}

/* Waits for what was marked last. */
static bool wait_or_stop(gz_device_narrow &n, const gz_device_request &request, gz_device_error &error) {
    const gz_backend_host &host = request.given->functions;
    while (request.given->may_end && !n.stopped && cudaEventQuery(n.done) == cudaErrorNotReady)
        if (host.cancelled(request.given->host) && !stop_pass(n, error)) return false;
    return error.note(cudaEventSynchronize(n.done), "step");
}

bool gz_pass_wait(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, gz_device_error &error) {
    return mark_done(s, n, error) && wait_or_stop(n, request, error);
}

bool gz_pass_open(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, const gz_device_pass &pass,
                  gz_device_error &error) {
    if (!n.stop.reserve_zero(1, s.stream, error) || !may_run(s, n, error)) return false;
    fill_input(s, n, request, pass);
    begin_pass<<<1, 128, 0, s.stream>>>(n.state.items, n.host_input.items);
    return true;
}

void gz_find_first(gz_device_scene &s, gz_device_narrow &n) {
    find_first<<<s.processors, 256, 0, s.stream>>>(list_of(n.hits, &n.state.items->hits), n.state.items);
}

static bool wait_for(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request,
                     gz_device_error &error) {
    return wait_or_stop(n, request, error) && !n.stopped && !grow_lists(s, n, request, error) && !error.failed();
}

bool gz_walk_ended(gz_device_scene &s, const gz_device_narrow &n, gz_device_error &error) {
    if (!error.failed() && n.host_state.items->walk_pending) error.note(cudaErrorUnknown, "a walk that is not whole");
    s.walks_clean = !error.failed();
    return s.walks_clean;
}

bool gz_pass_end(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, gz_device_error &error) {
    bool whole = wait_for(s, n, request, error);
    if (!gz_walk_ended(s, n, error)) return false;
    return whole;
}

bool gz_pass_finish(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, gz_device_error &error) {
    n.clock.mark(GZ_STAGES, s.stream);
    finish(s, n, gz_step_of(s, n, request));
    n.clock.mark(GZ_STAGE_NARROW, s.stream);
    fetch_state(s, n, error);
    error.note(cudaGetLastError(), "step");
    mark_done(s, n, error);
    return wait_for(s, n, request, error);
}

bool gz_pass_sort(gz_device_scene &s, gz_device_narrow &n, gz_device_error &error) {
    size_t count = (size_t)n.host_state.items->hits, room = n.sort_room;
    if (n.sorting && count <= room && count >= room / 4) return true; /* it is under way */
    if (!count) return true;
    return reserve_sort(s, n, count + count / 4, error) && launch_sort(s, n, error);
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
    gathering g = {gz_scene_coder(s),
                   n.codes.items + n.sort_room,
                   n.places.items + n.sort_room,
                   count,
                   (uint32_t)more,
                   n.hits.items,
                   n.results.items};
    if (!n.host_first.reserve(1, error) || (more && !append_hits(s, n, count, more, error))) return false;
    gather_results<<<(unsigned)((threads + 255) / 256), 256, 0, s.stream>>>(g, to, n.host_first.items, n.state.items);
    fetch_state(s, n, error);
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

void gz_narrow_release(gz_device_narrow &n) {
    for (auto &row : n.graphs)
        for (gz_pass_graph &graph : row) drop_graph(graph);
    drop_graph(n.sort_graph);
    if (n.done) cudaEventDestroy(n.done);
    n.open.release(), n.late.release(), n.hits.release(), n.results.release(), n.state.release();
    n.codes.release(), n.places.release(), n.sort_bytes.release(), n.sorted.release();
    n.host_input.release(), n.host_state.release(), n.host_asks.release();
    for (int i = 0; i < 2; i++) {
        n.part[i].release();
        if (n.part_there[i]) cudaEventDestroy(n.part_there[i]);
    }
    if (n.aside) cudaStreamDestroy(n.aside);
    n.clock.release();
    n.stop.release(), n.more_hits.release(), n.more_results.release(), n.late_rows.release(), n.ask_rows.release(),
        n.host_first.release();
}
