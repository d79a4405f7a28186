/* The table that libgraze loads: one device, one stream, one scene that stays. */
#include "cuda/batch.cuh"
#include "cuda/pairs.cuh"
#include "cuda/sort.cuh"

#include "base/backend.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <new>
#include <vector>

namespace {

#define NOTHING_YET 0x7ff0000000000000ull /* the bits of infinity */
#define ORDER_AGE 64                      /* steps after which elements are ordered anew */
#define WIDER 16.0

#define LOCKED_FROM ((size_t)1 << 20) /* bytes of a list of pairs */

/* A block that the host gave for pairs. */
struct known_block {
    void *address;
    size_t locked; /* bytes whose pages are; 0: none */
};

struct cuda_backend {
    int device = 0;
    gz_device_scene scene;
    gz_device_narrow narrow;
    gz_device_pairs pairs;
    gz_device_batch batches;
    int order_age = 0;
    double window = 0; /* about what the last step needed; 0: not known */
    std::vector<gz_backend_ask> asks;
    std::vector<known_block> blocks;
    std::mutex blocks_lock;
};

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double double_of(unsigned long long bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

unsigned long long bits_of(double d) {
    unsigned long long bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

graze_pair pair_of(const gz_pair_coder &coder, unsigned long long code) {
    return {(graze_kind)coder.kind(code), coder.a(code), coder.b(code)};
}

/* Makes a device the thread's own until the end of the scope: the caller has chosen one, too. */
struct device_in_use {
    int before = -1;
    cudaError_t code;

    explicit device_in_use(int device) {
        cudaGetLastError(); /* what a call that failed left unread is not told again */
        cudaGetDevice(&before);
        code = cudaSetDevice(device);
    }
    ~device_in_use() {
        if (before >= 0) cudaSetDevice(before);
    }
};

/* ---- life ---- */

void close_device(void *handle) {
    cuda_backend *b = (cuda_backend *)handle;
    device_in_use guard(b->device);
    for (const known_block &known : b->blocks)
        if (known.locked) cudaHostUnregister(known.address);
    gz_scene_release(b->scene);
    gz_narrow_release(b->narrow);
    gz_pairs_release(b->pairs);
    gz_batch_release(b->batches);
    if (b->scene.stream) cudaStreamDestroy(b->scene.stream);
    delete b;
}

void *open_device(int wanted, char *message, size_t size) {
    int count = 0;
    cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess || count == 0) {
        snprintf(message, size, "no CUDA device: %s", code != cudaSuccess ? cudaGetErrorString(code) : "none found");
        return NULL;
    }
    if (wanted >= count) {
        snprintf(message, size, "device %d does not exist; there are %d", wanted, count);
        return NULL;
    }
    cuda_backend *b = new (std::nothrow) cuda_backend;
    if (!b) return NULL;
    gz_device_error error;
    b->device = wanted;
    if (wanted < 0) error.note(cudaGetDevice(&b->device), "device");
    device_in_use guard(b->device);
    error.note(guard.code, "device");
    error.note(cudaDeviceGetAttribute(&b->scene.processors, cudaDevAttrMultiProcessorCount, b->device), "device");
    error.note(cudaStreamCreateWithFlags(&b->scene.stream, cudaStreamNonBlocking), "device");
    if (gz_code_load(error) && gz_sort_open(error)) return b;
    snprintf(message, size, "%s", error.message);
    close_device(b);
    return NULL;
}

/* ---- blocks of the host that pairs are copied to ---- */

/* Whether its pages are locked: those of a long one that has come twice are. */
bool lock_pages(cuda_backend *b, const void *block, size_t size) {
    if (size < LOCKED_FROM) return false;
    std::lock_guard<std::mutex> guard(b->blocks_lock);
    for (known_block &known : b->blocks) {
        if (known.address != block) continue;
        if (known.locked >= size) return true;
        if (known.locked) cudaHostUnregister(known.address);
        bool locked = cudaHostRegister(known.address, size, cudaHostRegisterDefault) == cudaSuccess;
        if (!locked) cudaGetLastError(); /* then they are copied */
        known.locked = locked ? size : 0;
        return locked;
    }
    b->blocks.push_back({(void *)block, 0});
    return false;
}

void unlock_pages(const known_block &known) {
    if (known.locked) cudaHostUnregister(known.address);
}

void forget(void *handle, const void *block) {
    cuda_backend *b = (cuda_backend *)handle;
    std::lock_guard<std::mutex> guard(b->blocks_lock);
    for (size_t i = 0; i < b->blocks.size(); i++) {
        if (b->blocks[i].address != block) continue;
        device_in_use in_use(b->device);
        unlock_pages(b->blocks[i]);
        b->blocks[i] = b->blocks.back();
        b->blocks.pop_back();
        return;
    }
}

/* ---- a step ---- */

/* One call. `status` is other than GRAZE_OK once the host found something wrong. */
struct cuda_step {
    cuda_backend *b;
    const gz_backend_request *given;
    gz_backend_answer *answer;
    gz_device_request request;
    gz_device_error error;
    graze_status status;
    bool trusted; /* lists are compared while the device works */
    bool bad;     /* a position is */

    gz_device_scene &scene() { return b->scene; }
    gz_device_narrow &narrow() { return b->narrow; }
    const gz_step_state &seen() { return *b->narrow.host_state.items; }
    bool good() const { return status == GRAZE_OK && !error.failed(); }
};

gz_device_request device_request(const gz_backend_request *request) {
    gz_device_request r = {};
    r.call.exact = request->exact != 0;
    r.call.separation = request->separation;
    r.call.t_max = request->t_max;
    r.call.tolerance = request->tolerance;
    r.call.max_checks = request->max_checks;
    r.grow = request->grow;
    r.largest = request->largest;
    r.kinds = request->kinds;
    r.all = request->all != 0;
    r.lists = request->candidates || request->stops;
    r.looks = request->looks && !r.lists;
    r.rows = request->rows[0] != NULL;
    r.keep = request->keep_pairs != 0;
    r.limit = request->memory_limit;
    r.given = request;
    return r;
}

bool is_ended(const gz_backend_request *r) { return r->may_end && r->functions.cancelled(r->host); }

bool load_mesh(cuda_step &c) {
    c.status = c.given->functions.check_mesh(c.given->host);
    return c.good() && gz_scene_load_mesh(c.scene(), c.given->mesh, c.error);
}

/* Whether the first and the last of so many bytes are where the device can read and write them. */
bool is_on_device(const cuda_step &c, const void *x, size_t size) {
    for (const char *at : {(const char *)x, (const char *)x + size - 1}) {
        cudaPointerAttributes found;
        bool known = cudaPointerGetAttributes(&found, at) == cudaSuccess;
        cudaGetLastError();
        if (!known || (found.type != cudaMemoryTypeManaged &&
                       (found.type != cudaMemoryTypeDevice || found.device != c.b->device)))
            return false;
    }
    return true;
}

bool check_on_device(cuda_step &c, const char *name, const void *x, size_t size) {
    if (is_on_device(c, x, size)) return true;
    c.status = GRAZE_ERR_INVALID_ARGUMENT;
    snprintf(c.answer->message, sizeof c.answer->message, "%s is not in the memory of device %d", name, c.b->device);
    return false;
}

bool take_positions(cuda_step &c) {
    size_t size = c.given->stride * (c.given->mesh->vertex_count - 1) + sizeof(double[3]);
    if (!check_on_device(c, "x0", c.given->x0, size) || !check_on_device(c, "x1", c.given->x1, size)) return false;
    return gz_scene_take(c.scene(), c.given, c.error);
}

bool load_positions(cuda_step &c) {
    gz_device_scene &s = c.scene();
    bool order = !s.ordered || c.b->order_age++ >= ORDER_AGE;
    c.narrow().clock.mark(GZ_STAGES, s.stream);
    if (!(c.request.rows ? take_positions(c) : gz_scene_upload(s, c.given, !order, c.error))) return false;
    c.narrow().clock.mark(GZ_STAGE_UPLOAD, s.stream);
    if (!order) return true;
    c.b->order_age = 0;
    order = gz_scene_order(s, c.error);
    c.narrow().clock.mark(GZ_STAGE_ORDER, s.stream);
    return order;
}

bool begin_pass(cuda_step &c, const gz_device_pass &pass) {
    if (!c.request.lists) return gz_pass_begin(c.scene(), c.narrow(), c.request, pass, c.error);
    return gz_pairs_begin(c.scene(), c.narrow(), c.b->pairs, c.request, pass, c.error);
}

bool end_pass(cuda_step &c) {
    if (!c.request.lists) return gz_pass_end(c.scene(), c.narrow(), c.request, c.error);
    return gz_pairs_end(c.scene(), c.narrow(), c.b->pairs, c.request, c.error);
}

/* Says what is wrong with positions, which the device has seen to be. */
bool refuse_positions(cuda_step &c) {
    if (c.request.rows && !gz_scene_download(c.scene(), c.given->rows, c.error)) return false;
    c.status = c.given->functions.check_positions(c.given->host);
    if (c.status == GRAZE_OK) c.error.note(cudaErrorUnknown, "positions");
    return false;
}

/* Begins a pass and waits for it, with longer lists or fewer packets where they were too short. While the device works
   the host looks whether the mesh is what it took it for. */
bool run_pass(cuda_step &c, gz_device_pass pass) {
    for (bool whole = false; !whole && c.good();) {
        if (!begin_pass(c, pass)) return false;
        c.answer->passes++;
        bool other = c.trusted && !gz_scene_has(c.scene(), c.given);
        c.trusted = false;
        whole = end_pass(c);
        if (c.narrow().stopped) return false;
        pass.start = other ? GZ_START_POSITIONS : GZ_START_TREE;
        c.bad = !other && (c.bad || c.seen().bad);
        if (!other || !c.good()) continue;
        whole = false;
        if (!load_mesh(c) || !load_positions(c)) return false;
    }
    return c.good() && (!c.bad || refuse_positions(c));
}

/* Whether the pass that was run had the last of the packets. */
bool is_last(cuda_step &c) { return c.narrow().batch_end >= c.scene().tree.packets[0]; }

/* ---- the earliest contact ---- */

/* About the part of the step in which vertices move a twentieth of an edge: then few pairs meet that are not near. */
double first_window(cuda_step &c) {
    double window = 0.05 * gz_scene_edges_to_motion(c.scene(), c.error);
    return window > 0x1p-30 ? std::min(window, 1.0) : c.scene().edge_count ? 0x1p-30 : 1.0; /* and for no number */
}

/* Every pair whose toi is at most best is inside the window, or it is all of the step. */
bool is_done(double best, double window, double t_max) {
    return window >= t_max || best * (1 + 0x1p-30) + 0x1p-800 <= window;
}

/* Tells the host where the vertices of a pair are. */
void fill_rows(cuda_step &c, const graze_pair &pair, const gz_vertex_ends *rows) {
    const graze_mesh *mesh = c.given->mesh;
    uint32_t ids[4];
    if (!c.request.rows) return;
    gz_row_ids((const uint32_t *)mesh->faces, (const uint32_t *)mesh->edges, pair.kind, pair.a, pair.b, ids);
    for (int i = 0; i < 4; i++) {
        memcpy(c.given->rows[0][ids[i]], rows[i].x0, sizeof(double[3]));
        memcpy(c.given->rows[1][ids[i]], rows[i].x1, sizeof(double[3]));
    }
}

void list_asks(cuda_step &c) {
    gz_pair_coder coder = gz_scene_coder(c.scene());
    const gz_device_ask *asks = c.narrow().host_asks.items;
    if (!c.request.all) c.b->asks.clear();
    for (size_t i = 0; i < c.seen().asks; i++) {
        c.b->asks.push_back({pair_of(coder, asks[i].code), asks[i].free});
        fill_rows(c, c.b->asks.back().pair, c.narrow().ask_rows.items + 4 * i);
    }
}

void list_late(cuda_step &c) {
    c.b->asks.clear();
    for (size_t i = 0; i < c.seen().late; i++) {
        const gz_open_pair &late = c.seen().first_late[i];
        c.b->asks.push_back({{(graze_kind)late.kind, late.a, late.b}, late.t});
        fill_rows(c, c.b->asks.back().pair, c.narrow().late_rows.items + 4 * i);
    }
}

/* The earliest of those that the device has answered. */
void take_first(cuda_step &c, unsigned long long *least) {
    gz_backend_answer *answer = c.answer;
    const gz_step_state &seen = c.seen();
    unsigned long long code = seen.first_code;
    if (code == ~0ull || (answer->has_best && (bits_of(answer->best_toi) < seen.best ||
                                               (bits_of(answer->best_toi) == seen.best && *least < code))))
        return;
    *least = code;
    answer->has_best = 1;
    answer->best = pair_of(gz_scene_coder(c.scene()), code);
    answer->best_toi = double_of(seen.best);
    fill_rows(c, answer->best, c.narrow().ask_rows.items + 4 * seen.asks);
}

/* Few pairs that are left go to the host, many to the device. The least toi that is known then. */
bool finish_pass(cuda_step &c, const gz_device_pass &pass, unsigned long long *first, double *best) {
    if (c.seen().late <= GZ_FEW_LATE) {
        list_late(c);
    } else {
        while (!gz_pass_finish(c.scene(), c.narrow(), c.request, c.error))
            if (!c.good() || c.narrow().stopped || !run_pass(c, pass)) return false; /* again, with longer lists */
        list_asks(c);
        take_first(c, first);
    }
    *best = double_of(c.seen().best);
    if (!c.b->asks.empty())
        *best = std::min(*best, c.given->functions.answer(c.given->host, c.b->asks.data(), c.b->asks.size()));
    return true;
}

/* All pairs of a window, in as many passes as it takes. */
bool find_in_window(cuda_step &c, gz_device_pass pass, unsigned long long *first, double *best) {
    for (;; pass.first = c.narrow().batch_end) {
        if (!run_pass(c, pass)) return false;
        pass.start = GZ_START_TREE;
        if (!finish_pass(c, pass, first, best)) return false;
        pass.best = bits_of(*best);
        if (is_last(c)) return true;
    }
}

bool find_earliest(cuda_step &c) {
    double t_max = c.request.call.t_max, best = INFINITY;
    unsigned long long first = ~0ull;
    if (!(c.b->window > 0)) c.b->window = first_window(c);
    gz_device_pass pass = {std::min(c.b->window, t_max), NOTHING_YET, GZ_START_POSITIONS, 0};
    for (;;) {
        if (!find_in_window(c, pass, &first, &best)) return false;
        if (is_done(best, pass.window, t_max)) break;
        if (is_ended(c.given)) return false;
        pass = {std::min(pass.window * WIDER, t_max), bits_of(best), GZ_START_ENDS, 0};
    }
    c.b->window = best < t_max ? std::max(1.5 * best, 0x1p-30) : 1; /* after a clear step all of it, at once */
    return true;
}

/* ---- all pairs ---- */

/* Lists those of the pairs that the device left to the host which are not clear, in their order; how many. */
size_t answer_asks(cuda_step &c) {
    gz_device_narrow &n = c.narrow();
    size_t count = c.b->asks.size(), kept = 0;
    gz_pair_coder coder = gz_scene_coder(c.scene());
    auto code_of = [&](const gz_backend_ask &ask) { return coder.code(ask.pair.kind, ask.pair.a, ask.pair.b); };
    if (!count || !n.more_hits.reserve(count, c.error) || !n.more_results.reserve(count, c.error)) return 0;
    std::sort(c.b->asks.begin(), c.b->asks.end(),
              [&](const gz_backend_ask &x, const gz_backend_ask &y) { return code_of(x) < code_of(y); });
    c.given->functions.answer_all(c.given->host, c.b->asks.data(), count, n.more_results.items);
    for (size_t i = 0; i < count; i++) {
        const graze_result &result = n.more_results.items[i];
        if (result.verdict == GRAZE_CLEAR) continue;
        n.more_hits.items[kept] = {bits_of(result.toi + 0.0), code_of(c.b->asks[i])};
        n.more_results.items[kept++] = result;
    }
    return kept;
}

/* In as many passes as it takes: hits and their results stay in their lists, what the host has to answer is gathered.
 */
bool find_pairs(cuda_step &c) {
    gz_device_pass pass = {c.request.call.t_max, NOTHING_YET, GZ_START_POSITIONS, 0};
    c.b->asks.clear();
    for (;; pass.first = c.narrow().batch_end) {
        if (!run_pass(c, pass)) return false;
        list_asks(c);
        for (int kind = 0; kind < 4; kind++) c.answer->candidates[kind] += c.seen().candidates[kind];
        pass.start = GZ_START_TREE;
        pass.best = c.seen().best;
        c.narrow().before = c.seen().hits;
        c.request.asked = c.b->asks.size();
        if (is_last(c)) return true;
    }
}

bool fetch_pairs(cuda_step &c, size_t more) {
    size_t count = (size_t)c.seen().hits + more;
    graze_pair_result *to = NULL;
    if (count && !c.request.keep) {
        to = c.given->functions.room(c.given->host, count);
        if (!to) c.status = GRAZE_ERR_OUT_OF_MEMORY;
        if (!to) return false;
    }
    bool locked = to && lock_pages(c.b, to, count * sizeof *to);
    return !count || gz_pass_fetch(c.scene(), c.narrow(), c.request, more, to, locked, c.error);
}

/* The earliest, and how many there are of each kind: of what the device found, then of what the host did. */
void count_pairs(cuda_step &c, size_t more) {
    const gz_step_state &seen = c.seen();
    const gz_device_narrow &n = c.narrow();
    gz_pair_coder coder = gz_scene_coder(c.scene());
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
        c.answer->first = {pair_of(coder, hit.code), n.more_results.items[i]};
    }
}

bool find_all(cuda_step &c) {
    if (!find_pairs(c) || !gz_pass_sort(c.scene(), c.narrow(), c.error)) return false;
    size_t more = answer_asks(c); /* while the device sorts what it found */
    if (!c.good() || !fetch_pairs(c, more)) return false;
    c.answer->pairs = c.request.keep ? c.narrow().sorted.items : NULL;
    c.answer->pair_count = (size_t)c.seen().hits + more;
    count_pairs(c, more);
    return true;
}

/* ---- lists ---- */

/* In as many passes as it takes; taken(c) after each. */
template <class Taken> bool find_lists(cuda_step &c, const Taken &taken) {
    gz_device_pass pass = {c.request.call.t_max, NOTHING_YET, GZ_START_POSITIONS, 0};
    c.b->pairs.count = 0;
    for (;; pass.first = c.narrow().batch_end) {
        if (!run_pass(c, pass) || !taken(c)) return false;
        pass.start = GZ_START_TREE;
        pass.best = c.seen().best;
        c.narrow().before = c.seen().hits;
        if (is_last(c) || c.b->pairs.broad != GRAZE_BROAD_AUTO) return true;
    }
}

/* The earliest time of an interval-parallel ti in place of the list. */
bool find_ti(cuda_step &c) {
    gz_device_pairs &p = c.b->pairs;
    if (!gz_compare_ti(c.scene(), p.ti, gz_step_of(c.scene(), c.narrow(), c.request), p.codes.items, p.count,
                       c.given->ti_tolerance, &p.ti_found, c.error))
        return false;
    c.answer->has_best = p.ti_found.toi <= c.request.call.t_max;
    c.answer->best_toi = p.ti_found.toi;
    c.answer->ti_checks = p.ti_found.checks;
    return true;
}

bool fetch_candidates(cuda_step &c) {
    gz_device_pairs &p = c.b->pairs;
    c.answer->listed_count = p.count;
    if (!gz_pairs_sort(c.scene(), p, c.error)) return false;
    if (c.request.keep) c.answer->listed = p.count ? p.listed.items : NULL;
    if (c.request.keep || !p.count) return c.error.note(cudaStreamSynchronize(c.scene().stream), "results");
    graze_pair *to = c.given->functions.list_room(c.given->host, p.count);
    if (!to) c.status = GRAZE_ERR_OUT_OF_MEMORY;
    return to && gz_fetch_parts(c.scene(), c.narrow(), c.request, p.listed.items, p.count * sizeof *to, to, c.error);
}

bool find_candidates(cuda_step &c) {
    c.b->pairs.broad = (graze_broad)c.given->broad;
    auto count = [](cuda_step &step) {
        step.b->pairs.count += (size_t)step.seen().asks;
        return true;
    };
    return find_lists(c, count) && (c.given->ti_tolerance > 0 ? find_ti(c) : fetch_candidates(c));
}

/* Has the host look at the first `count` of the pairs by code; where they have most of the vertices it gets all. */
bool have_looked_at(cuda_step &c, size_t count) {
    gz_device_pairs &p = c.b->pairs;
    bool some = c.request.rows && count < c.scene().vertex_count / 4;
    if (!count) return true;
    if (!gz_pairs_fetch(c.scene(), c.narrow(), p, c.request, count, some, c.error)) return false;
    if (c.request.rows && !some && !gz_scene_download(c.scene(), c.given->rows, c.error)) return false;
    for (size_t i = 0; i < count && some; i++) fill_rows(c, p.host_listed.items[i], c.narrow().ask_rows.items + 4 * i);
    c.given->functions.take_stops(c.given->host, p.host_listed.items, count);
    return true;
}

/* Nobody moves until all pairs have been looked at. */
bool open_times(cuda_step &c) {
    size_t size = c.given->mesh->vertex_count * sizeof *c.given->times;
    if (!c.given->times) return true;
    return check_on_device(c, "vertex_toi", c.given->times, size) &&
           gz_scene_wait_for(c.scene(), c.given->stream, c.error) &&
           c.error.note(cudaMemsetAsync(c.given->times, 0, size, c.scene().stream), "results") &&
           c.error.note(cudaStreamSynchronize(c.scene().stream), "results"); /* the call may end here */
}

/* The pair that stops a vertex first is named by the host, too. */
bool find_stops(cuda_step &c) {
    gz_device_pairs &p = c.b->pairs;
    p.broad = GRAZE_BROAD_AUTO;
    if (!find_lists(c, [](cuda_step &step) { return have_looked_at(step, (size_t)step.seen().asks); })) return false;
    const unsigned long long *first = &c.seen().first_code;
    if (*first != ~0ull) {
        c.error.note(cudaMemcpyAsync(p.codes.items, first, sizeof *first, cudaMemcpyHostToDevice, c.scene().stream),
                     "results");
        if (!have_looked_at(c, 1)) return false;
    }
    if (c.given->times)
        return gz_pairs_leave_limits(c.scene(), p, c.given->functions.stops(c.given->host), c.given->times, c.error);
    c.answer->limits = p.host_limits.items;
    return gz_pairs_limits(c.scene(), p, c.error);
}

/* ---- stages ---- */

/* What each has to read and write, each thing once, and its kernels. */
void count_bytes(cuda_step &c, gz_stages &stages) {
    const gz_device_scene &s = c.scene();
    const gz_step_state &seen = c.seen();
    double vertices = s.vertex_count, elements = s.element_count, packets = 0, pairs = 0;
    double ends = vertices * sizeof(gz_vertex_ends), boxes = vertices * sizeof(gz_vertex_box);
    double far = c.request.looks ? vertices * sizeof(gz_far_vertex) : 0;
    uint32_t kinds = 0;
    for (int level = 0; level < s.tree.levels; level++) packets += s.tree.packets[level] * (double)sizeof(gz_packet);
    for (int kind = 0; kind < 4; kind++) pairs += (double)seen.pairs[kind], kinds += c.request.kinds >> kind & 1u;
    double hits = c.request.all ? (double)seen.hits : 0;
    double listed = (2 * (double)seen.element_pairs + pairs) * sizeof(uint2);
    const double bytes[GZ_STAGES] = {vertices * 2 * sizeof(double[3]),
                                     elements * (2 * sizeof(gz_element) + 4 * sizeof(uint32_t)),
                                     vertices * 2 * sizeof(double[3]) + ends + boxes + far,
                                     elements * sizeof(gz_element) + boxes + packets,
                                     packets + elements * sizeof(gz_element) + boxes + far + listed,
                                     pairs * sizeof(uint2) + ends + (double)seen.open * sizeof(gz_open_pair),
                                     ((double)seen.open + 2 * (double)seen.late) * sizeof(gz_open_pair) +
                                         hits * sizeof(graze_result),
                                     hits * (sizeof(gz_device_hit) + sizeof(graze_result) + sizeof(graze_pair_result)),
                                     sizeof(gz_step_state) + hits * sizeof(graze_pair_result)};
    const uint32_t launches[GZ_STAGES] = {
        2, 4, 2, (uint32_t)s.tree.levels / 3, 2, kinds, c.request.all ? 2u : 1u, hits > 0 ? 6u : 0u, 1};
    for (int stage = 0; stage < GZ_STAGES; stage++) {
        stages.megabytes[stage] = 1e-6 * bytes[stage];
        stages.launches[stage] = launches[stage];
    }
}

bool read_stages(cuda_step &c) {
    gz_stage_clock &clock = c.narrow().clock;
    gz_stages &stages = c.answer->stages;
    if (!clock.on) return true;
    count_bytes(c, stages);
    bool good = clock.read(&stages, c.error) && clock.measure(&stages, c.scene().stream, c.error);
    clock.begin(false);
    return good;
}

bool find(cuda_step &c) {
    return c.given->candidates ? find_candidates(c)
           : c.given->stops    ? find_stops(c)
           : c.given->all      ? find_all(c)
                               : find_earliest(c);
}

graze_status run(cuda_backend *b, const gz_backend_request *given, gz_backend_answer *answer) {
    cuda_step c = {b, given, answer, device_request(given), {}, GRAZE_OK, false, false};
    double start = seconds();
    device_in_use guard(b->device);
    c.error.note(guard.code, "device");
    c.trusted = gz_scene_may_have(b->scene, given->mesh);
    b->narrow.clock.begin(given->by_stage && !c.request.lists);
    bool good = c.good() && (c.trusted || load_mesh(c)) && load_positions(c);
    double loaded = seconds();
    b->narrow.before = 0;
    good = good && open_times(c) && !is_ended(given) && find(c);
    answer->cancelled = !good && c.good();
    good = good && read_stages(c);
    if (!good && c.good()) return GRAZE_OK; /* it was ended */
    if (!good) {
        b->scene.resident = b->scene.ordered = false;
        if (c.error.failed()) snprintf(answer->message, sizeof answer->message, "%s", c.error.message);
        return c.status != GRAZE_OK ? c.status : GRAZE_ERR_DEVICE;
    }
    answer->ms_boxes = 1e3 * (loaded - start);
    answer->ms_narrow = 1e3 * (seconds() - loaded);
    return GRAZE_OK;
}

/* What C++ throws stays here. */
graze_status step(void *handle, const gz_backend_request *given, gz_backend_answer *answer) {
    try {
        return run((cuda_backend *)handle, given, answer);
    } catch (const std::bad_alloc &) {
        ((cuda_backend *)handle)->scene.resident = false;
        snprintf(answer->message, sizeof answer->message, "the host has no memory");
        return GRAZE_ERR_DEVICE;
    }
}

graze_status batch(void *handle, const gz_batch_request *given, gz_batch_answer *answer) {
    cuda_backend *b = (cuda_backend *)handle;
    gz_device_error error;
    device_in_use guard(b->device);
    bool good =
        error.note(guard.code, "device") && gz_batch_answer_all(b->batches, given, b->scene.processors, answer, error);
    if (!good) snprintf(answer->message, sizeof answer->message, "%s", error.message);
    return good ? GRAZE_OK : GRAZE_ERR_DEVICE;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const gz_backend_table gz_backend_exported = {
    GZ_BACKEND_VERSION,
    sizeof(gz_backend_request),
    sizeof(gz_backend_answer),
    sizeof(graze_pair_result),
    sizeof(gz_batch_request),
    sizeof(gz_batch_answer),
    open_device,
    close_device,
    forget,
    step,
    batch,
};
