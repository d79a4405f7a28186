#include "cuda/step.cuh"

#include "cuda/certify.cuh"
#include "cuda/finish.cuh"
#include "cuda/kept.cuh"
#include "cuda/list_room.cuh"
#include "cuda/listed.cuh"
#include "cuda/results.cuh"

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
    state->first_code = state->stuck_code = ~0ull;
}

/* Vertices of the first pair that is stuck at the start. */
static __global__ void tell_stuck(gz_device_step s) {
    unsigned long long code = s.state->stuck_code;
    gz_device_rows(s, (graze_kind)s.coder.kind(code), s.coder.a(code), s.coder.b(code), s.late_rows);
}

/* Vertices of the first pair, behind those of the pairs that the host answers, which are at most `room`. */
static __global__ void tell_first(gz_device_step s, size_t room) {
    unsigned long long code = s.state->first_code, asks = s.state->asks;
    if (code == ~0ull || asks > room) return;
    gz_device_rows(s, (graze_kind)s.coder.kind(code), s.coder.a(code), s.coder.b(code), s.ask_rows + 4 * asks);
}

/* ---- a pass ---- */

gz_device_step gz_step_of(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request) {
    gz_device_step step;
    memset(&step, 0, sizeof step); /* a key is made of it */
    step.faces = s.faces.items;
    step.edges = s.edges.items;
    step.ends = s.ends.items;
    step.late_rows = request.rows() ? n.late_rows.items : NULL;
    step.ask_rows = request.rows() ? n.ask_rows.items : NULL;
    step.call = request.call;
    step.grow = request.given->grow;
    step.part = request.kept.part;
    step.thick = s.has_thickness;
    step.all = request.all();
    step.only = request.only();
    step.coder = gz_device_scene_coder(s);
    step.state = n.state.items;
    step.stop = request.given->may_end ? n.stop.items : NULL;
    return step;
}

template <graze_kind kind>
static void certify(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request,
                    const gz_device_step &step) {
    if (!request.has(kind)) return;
    const unsigned blocks = 4 * (unsigned)s.processors;
    const float separation = gz_float_not_below(request.call.separation);
    gz_device_list<uint2> pairs = gz_list_of(s.pairs[kind], &step.state->pairs[kind]);
    if (step.part > 0) {
        gz_certify_kept<kind>
            <<<blocks, GZ_KEPT_BLOCK, 0, s.stream>>>(step, pairs, gz_list_of(n.late, &step.state->late));
        return;
    }
    gz_device_list<gz_open_pair> open = gz_list_of(n.open, &step.state->open);
    if constexpr (kind <= GRAZE_EE)
        if (request.looks && request.all()) {
            gz_certify_looking<kind>
                <<<blocks, GZ_FIRST_BLOCK, 0, s.stream>>>(step, s.far.items, separation, pairs, open);
            return;
        }
    auto kernel = request.all() ? gz_certify_first<kind, true> : gz_certify_first<kind, false>;
    kernel<<<blocks, GZ_FIRST_BLOCK, 0, s.stream>>>(step, separation, pairs, open);
}

static void finish(gz_device_scene &s, gz_device_narrow &n, const gz_device_step &step) {
    gz_step_state *state = step.state;
    gz_device_list<gz_device_hit> hits = gz_list_of(n.hits, &state->hits);
    gz_device_list<gz_open_pair> late = gz_list_of(n.late, &state->late);
    graze_result *results = step.all ? n.results.items : NULL;
    if (!step.thick && step.call.separation == 0 &&
        step.part == 0) { /* what is open is done with, and has room for all that was late */
        gz_device_list<gz_open_pair> rest = gz_list_of(n.open, &state->rest);
        gz_finish_soon(step, late, hits, results, rest, s.processors, s.stream);
        late = rest;
    }
    gz_finish(step, late, hits, results, {n.host_asks.items, n.host_asks.room, &state->asks}, s.processors, s.stream);
    if (step.all) return; /* the host adds its own first */
    gz_find_first(s, n);
    if (step.ask_rows) tell_first<<<1, 1, 0, s.stream>>>(step, n.host_asks.room);
}

static void launch_pass(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, gz_pass_start start,
                        gz_device_error &error) {
    gz_device_step step = gz_step_of(s, n, request);
    n.clock.mark(GZ_STAGES, s.stream); /* what lies before is the host's */
    begin_pass<<<1, 128, 0, s.stream>>>(step.state, n.host_input.items);
    if (start != GZ_START_TREE) {
        gz_device_scene_boxes(s, start == GZ_START_POSITIONS, step.state, request.looks);
        n.clock.mark(GZ_STAGE_BOXES, s.stream);
        if (!request.only()) gz_device_scene_tree(s);
        n.clock.mark(GZ_STAGE_TREE, s.stream);
    }
    if (request.only())
        gz_deal_list(s, request, step.state, step.stop);
    else
        gz_device_scene_walk(s, request.given->kinds, step.state, step.stop, request.all(), request.looks);
    n.clock.mark(GZ_STAGE_TRAVERSAL, s.stream);
    certify<GRAZE_VF>(s, n, request, step);
    certify<GRAZE_EE>(s, n, request, step);
    certify<GRAZE_PE>(s, n, request, step);
    certify<GRAZE_PP>(s, n, request, step);
    n.clock.mark(GZ_STAGE_PROBES, s.stream);
    gz_certify_rounds<<<4 * s.processors, 128, 0, s.stream>>>(step, gz_list_of(n.open, &step.state->open),
                                                              gz_list_of(n.late, &step.state->late));
    if (request.all()) finish(s, n, step);
    n.clock.mark(GZ_STAGE_NARROW, s.stream);
    gz_fetch_state(s, n, error);
    n.clock.mark(GZ_STAGE_DOWNLOAD, s.stream);
    error.note(cudaGetLastError(), "step");
}

/* Everything that launch_pass hands to a kernel. */
static std::vector<unsigned char> key_of(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request) {
    std::vector<unsigned char> key;
    gz_device_step step = gz_step_of(s, n, request);
    uint32_t counts[] = {s.vertex_count,  s.edge_count,         s.face_count,
                         s.element_count, request.given->kinds, s.has_groups,
                         s.groups.count,  s.groups.skip_same,   (uint32_t)request.looks};
    const void *places[] = {s.groups.pairs,  s.thickness.items,  s.vertex_groups.items, s.boxes.items,
                            s.far.items,     s.sorted.items,     s.packets.items,       s.tops.items,
                            n.results.items, s.walks_left.items, n.host_input.items,    n.host_state.items};
    gz_add_to_key(key, &step, sizeof step);
    gz_add_to_key(key, counts, sizeof counts);
    gz_add_to_key(key, &s.serial, sizeof s.serial);
    gz_add_array(key, s.walk_ends);
    gz_add_to_key(key, places, sizeof places);
    gz_add_array(key, s.element_pairs);
    for (int kind = 0; kind < 4; kind++) gz_add_array(key, s.pairs[kind]);
    gz_add_array(key, n.open), gz_add_array(key, n.late), gz_add_array(key, n.hits), gz_add_array(key, n.host_asks);
    return key;
}

static bool run_pass(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, gz_pass_start start,
                     gz_device_error &error) {
    auto launch = [&] { launch_pass(s, n, request, start, error); };
    return gz_run_or_time(s, n, n.graphs[request.only() ? 2 : request.all()][start], key_of(s, n, request), error,
                          launch);
}

/* ---- its parts ---- */

/* After a pass that was stopped. */
static bool may_run(gz_device_scene &s, gz_device_narrow &n, gz_device_error &error) {
    if (n.stopped) error.note(cudaMemsetAsync(n.stop.items, 0, n.stop.bytes(), s.stream), "step");
    n.stopped = false;
    return !error.failed();
}

uint32_t gz_pass_packets(const gz_device_scene &s, const gz_device_request &request) {
    size_t listed = (request.given->list_count + GZ_LISTED_PACKET - 1) / GZ_LISTED_PACKET;
    return request.only() ? (uint32_t)listed : s.tree.packets[0];
}

/* What boxes of a window grow by. */
static double grow_of(const gz_device_request &request, double window) {
    if (request.kept.part == 0 || window >= request.call.t_max) return request.given->grow;
    return gz_half_up(gz_kept_bound(&request.kept, window));
}

/* Writes the input of a pass, over as many packets from pass.first on as a batch has. */
static void fill_input(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request,
                       const gz_device_pass &pass) {
    gz_pass_input &input = *n.host_input.items;
    input.positions = s.positions;
    input.window = pass.window;
    input.until = request.all() ? request.call.t_max : pass.window;
    input.grow = grow_of(request, pass.window);
    input.tight = request.all();
    input.largest = request.given->largest;
    input.view = s.view;
    input.reach = gz_far_reach((request.call.separation + request.call.tolerance) * s.view.scale);
    input.best = pass.best;
    input.hits = n.before;
    input.packets[0] = pass.first;
    input.packets[1] = n.batch_end = pass.first + std::min(n.batch, gz_pass_packets(s, request) - pass.first);
    input.list = request.only() ? n.list.items : NULL;
    input.listed = request.given->list_count;
    input.walkers = request.only() ? 0 : gz_device_scene_walkers(s);
    s.walks_clean = false; /* until it has come to its end */
}

/* Marks the end of what is waited for: all that is in the stream up to here, and nothing that follows. */
static bool mark_done(gz_device_scene &s, gz_device_narrow &n, gz_device_error &error) {
    return (n.done || error.note(cudaEventCreateWithFlags(&n.done, cudaEventDisableTiming), "step")) &&
           error.note(cudaEventRecord(n.done, s.stream), "step");
}

bool gz_pass_begin(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request,
                   const gz_device_pass &pass, gz_device_error &error) {
    if (!gz_pass_reserve(s, n, request, error) || !may_run(s, n, error)) return false;
    fill_input(s, n, request, pass);
    if (!run_pass(s, n, request, pass.start, error) || !mark_done(s, n, error)) return false;
    /* what it finds is sorted at once, while the host looks at what is left to it */
    n.sorting = request.all() && n.sort_room && n.batch_end == s.tree.packets[0] && !n.clock.on;
    return !n.sorting || gz_pass_begin_sort(s, n, error);
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
    cudaGetLastError(); /* that it was not ready is no error, and not told to whoever asks next */
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

static bool wait_for(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request,
                     gz_device_error &error) {
    return wait_or_stop(n, request, error) && !n.stopped && !gz_pass_grow(s, n, request, error) && !error.failed();
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

bool gz_pass_tell_stuck(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request,
                        gz_device_error &error) {
    if (!request.rows()) return true;
    tell_stuck<<<1, 1, 0, s.stream>>>(gz_step_of(s, n, request));
    return error.note(cudaStreamSynchronize(s.stream), "step");
}

bool gz_pass_finish(gz_device_scene &s, gz_device_narrow &n, const gz_device_request &request, gz_device_error &error) {
    n.clock.mark(GZ_STAGES, s.stream);
    finish(s, n, gz_step_of(s, n, request));
    n.clock.mark(GZ_STAGE_NARROW, s.stream);
    gz_fetch_state(s, n, error);
    error.note(cudaGetLastError(), "step");
    mark_done(s, n, error);
    return wait_for(s, n, request, error);
}

void gz_device_narrow_release(gz_device_narrow &n) {
    for (auto &row : n.graphs)
        for (gz_pass_graph &graph : row) gz_drop_graph(graph);
    gz_drop_graph(n.sort_graph);
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
    n.list.release(), n.host_list.release();
    n.stop.release(), n.more_hits.release(), n.more_results.release(), n.late_rows.release(), n.ask_rows.release(),
        n.host_first.release();
}
