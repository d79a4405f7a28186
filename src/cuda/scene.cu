#include "cuda/expand.cuh"
#include "cuda/order.cuh"
#include "cuda/sort.cuh"

#include <algorithm>
#include <atomic>
#include <climits>
#include <cmath>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

static unsigned blocks_for(size_t count, unsigned block) { return (unsigned)((count + block - 1) / block); }

template <class T>
static bool upload(gz_device_scene &s, gz_device_array<T> &to, const void *from, size_t count, gz_device_error &error) {
    return to.reserve(count ? count : 1, error) &&
           error.note(cudaMemcpyAsync(to.items, from, count * sizeof(T), cudaMemcpyHostToDevice, s.stream), "upload");
}

bool gz_scene_may_have(const gz_device_scene &s, const graze_mesh *mesh) {
    return s.resident && s.vertex_count == mesh->vertex_count && s.known_faces.size() == 3 * (size_t)mesh->face_count &&
           s.known_edges.size() == 2 * (size_t)mesh->edge_count && s.has_groups == (mesh->groups != NULL) &&
           s.has_thickness == (mesh->thickness != NULL);
}

#define COMPARE_CHUNK (1u << 18) /* bytes that a thread compares at a time */

struct comparison {
    const char *known, *given;
    std::atomic<bool> differs;
};

static void compare_bytes(void *state, size_t begin, size_t end, uint32_t worker) {
    comparison *c = (comparison *)state;
    (void)worker;
    if (!c->differs && memcmp(c->known + begin, c->given + begin, end - begin) != 0) c->differs = true;
}

template <class T>
static bool same_list(const gz_backend_request *request, const std::vector<T> &known, const void *list, size_t count) {
    if (!list) count = 0;
    if (known.size() != count) return false;
    comparison c = {(const char *)known.data(), (const char *)list, {false}};
    if (count) request->functions.parallel(request->host, count * sizeof(T), COMPARE_CHUNK, compare_bytes, &c);
    return !c.differs;
}

template <class T> static void keep_list(std::vector<T> &known, const void *list, size_t count) {
    const T *items = (const T *)list;
    known.assign(items, items + (list ? count : 0));
}

/* How many entries the table of groups that may touch has. */
static size_t group_pair_count(const graze_mesh *mesh) {
    return mesh->group_pairs ? (size_t)mesh->group_count * mesh->group_count : 0;
}

bool gz_scene_has(const gz_device_scene &s, const gz_backend_request *r) {
    const graze_mesh *mesh = r->mesh;
    return gz_scene_may_have(s, mesh) && s.known_group_count == mesh->group_count &&
           s.known_skip_same == mesh->skip_same_group &&
           same_list(r, s.known_faces, mesh->faces, 3 * (size_t)mesh->face_count) &&
           same_list(r, s.known_edges, mesh->edges, 2 * (size_t)mesh->edge_count) &&
           same_list(r, s.known_codim_edges, mesh->codim_edges, mesh->codim_edge_count) &&
           same_list(r, s.known_codim_points, mesh->codim_points, mesh->codim_point_count) &&
           same_list(r, s.known_groups, mesh->groups, mesh->vertex_count) &&
           same_list(r, s.known_group_pairs, mesh->group_pairs, group_pair_count(mesh)) &&
           same_list(r, s.known_thickness, mesh->thickness, mesh->vertex_count);
}

static void keep_lists(gz_device_scene &s, const graze_mesh *mesh) {
    keep_list(s.known_faces, mesh->faces, 3 * (size_t)mesh->face_count);
    keep_list(s.known_edges, mesh->edges, 2 * (size_t)mesh->edge_count);
    keep_list(s.known_codim_edges, mesh->codim_edges, mesh->codim_edge_count);
    keep_list(s.known_codim_points, mesh->codim_points, mesh->codim_point_count);
    keep_list(s.known_groups, mesh->groups, mesh->vertex_count);
    keep_list(s.known_group_pairs, mesh->group_pairs, group_pair_count(mesh));
    keep_list(s.known_thickness, mesh->thickness, mesh->vertex_count);
    s.known_group_count = mesh->group_count;
    s.known_skip_same = mesh->skip_same_group;
    s.resident = true;
}

bool gz_scene_load_mesh(gz_device_scene &s, const graze_mesh *mesh, gz_device_error &error) {
    s.resident = s.ordered = false;
    std::vector<gz_element> elements = gz_elements_of(mesh);
    if (elements.size() > GZ_MOST_ELEMENTS)
        return error.note(cudaErrorInvalidValue, "a mesh of more than 2^27 elements");
    s.vertex_count = mesh->vertex_count;
    s.edge_count = mesh->edge_count;
    s.face_count = mesh->face_count;
    s.element_count = (uint32_t)elements.size();
    s.has_groups = mesh->groups != NULL;
    s.has_thickness = mesh->thickness != NULL;
    size_t groups = group_pair_count(mesh);
    if (!upload(s, s.faces, mesh->faces, 3 * (size_t)mesh->face_count, error) ||
        !upload(s, s.edges, mesh->edges, 2 * (size_t)mesh->edge_count, error) ||
        !upload(s, s.elements, elements.data(), elements.size(), error) ||
        !upload(s, s.vertex_groups, mesh->groups, s.has_groups ? mesh->vertex_count : 0, error) ||
        !upload(s, s.thickness, mesh->thickness, s.has_thickness ? mesh->vertex_count : 0, error) ||
        !upload(s, s.group_pairs, mesh->group_pairs, groups, error))
        return false;
    s.groups.pairs = groups && s.has_groups ? s.group_pairs.items : NULL;
    s.groups.count = mesh->group_count;
    s.groups.skip_same = s.has_groups && mesh->skip_same_group;
    /* `elements` is gone after this */
    if (!error.note(cudaStreamSynchronize(s.stream), "upload")) return false;
    keep_lists(s, mesh);
    return true;
}

/* ---- positions ---- */

static __device__ bool is_within(double x, double largest) { return fabs(x) <= largest; /* NaN is not */ }

#define BOX_BLOCK 128u

/* Rows of a block, one after another from x on: read side by side, since they may lie in the memory of the host. */
static __device__ void read_rows(const char *x, uint32_t first, uint32_t count, double *rows) {
    const double *from = (const double *)x + 3 * (size_t)first;
    uint32_t numbers = 3 * min(BOX_BLOCK, count - first);
#pragma unroll
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t i = k * BOX_BLOCK + threadIdx.x;
        if (i < numbers) rows[i] = from[i];
    }
}

/* Positions of vertex i, one of the block's, at both ends. */
static __device__ void read_ends(const gz_device_positions &x, uint32_t i, uint32_t count, gz_vertex_ends *v) {
    __shared__ double rows[2][3 * BOX_BLOCK];
    const double *x0 = rows[0] + 3 * threadIdx.x, *x1 = rows[1] + 3 * threadIdx.x;
    if (x.stride == sizeof(double[3])) {
        read_rows(x.x0, blockIdx.x * BOX_BLOCK, count, rows[0]);
        read_rows(x.x1, blockIdx.x * BOX_BLOCK, count, rows[1]);
        __syncthreads();
    } else if (i < count) {
        x0 = gz_position_of(x.x0, x.stride, i), x1 = gz_position_of(x.x1, x.stride, i);
    }
    for (int c = 0; c < 3 && i < count; c++) v->x0[c] = x0[c], v->x1[c] = x1[c];
}

/* Ends and box of each vertex; without `pack` the ends are there already. */
template <bool pack>
static __global__ void __launch_bounds__(BOX_BLOCK)
    make_boxes(const double *thickness, const uint32_t *groups, uint32_t count, gz_vertex_ends *ends,
               gz_vertex_box *boxes, gz_far_vertex *far, gz_step_state *state) {
    uint32_t i = blockIdx.x * BOX_BLOCK + threadIdx.x;
    gz_vertex_ends v;
    if (pack) read_ends(state->input.positions, i, count, &v);
    if (i >= count) return;
    if (pack) {
        bool good = true;
        for (int c = 0; c < 3; c++)
            good &= is_within(v.x0[c], state->input.largest) && is_within(v.x1[c], state->input.largest);
        v.radius = thickness ? thickness[i] : 0;
        v.group = groups ? groups[i] : 0;
        v.unused = 0;
        ends[i] = v;
        if (!good) state->bad = 1;
    } else {
        v = ends[i];
    }
    boxes[i] = gz_vertex_box_at(v, state->input.window, state->input.grow, state->input.tight, state->input.view);
    if (far) far[i] = gz_far_vertex_at(v, state->input.window, state->input.view);
}

void gz_scene_boxes(gz_device_scene &s, bool pack, gz_step_state *state, bool looks) {
    const double *thickness = s.has_thickness ? s.thickness.items : NULL;
    const uint32_t *groups = s.has_groups ? s.vertex_groups.items : NULL;
    auto kernel = pack ? make_boxes<true> : make_boxes<false>;
    kernel<<<blocks_for(s.vertex_count, BOX_BLOCK), BOX_BLOCK, 0, s.stream>>>(
        thickness, groups, s.vertex_count, s.ends.items, s.boxes.items, looks ? s.far.items : NULL, state);
}

/* ---- positions in plain pages ---- */

/* The driver would have to copy them first, by one thread: those of the context do. */
struct staging {
    const gz_backend_request *request;
    gz_device_scene *scene;
    int device;
    std::atomic<int> failed; /* a cudaError_t */
};

/* Past the caches, which nobody reads it from again. */
static void copy_past(double *to, const char *from, size_t bytes) {
#if defined(__SSE2__)
    const size_t step = sizeof(__m128i), whole = ((uintptr_t)to % step) ? 0 : bytes / step * step;
    for (size_t i = 0; i < whole; i += step)
        _mm_stream_si128((__m128i *)((char *)to + i), _mm_loadu_si128((const __m128i *)(from + i)));
    memcpy((char *)to + whole, from + whole, bytes - whole);
    _mm_sfence();
#else
    memcpy(to, from, bytes);
#endif
}

/* Copies some rows of either end to their place in `staged`, which is the result. */
static double *stage_rows(const staging &s, int end, size_t first, size_t last) {
    const size_t row = sizeof(double[3]), stride = s.request->stride;
    const char *from = (end ? s.request->x1 : s.request->x0) + stride * first;
    double *to = s.scene->staged.items + 3 * (end * (size_t)s.scene->vertex_count + first);
    if (stride == row)
        copy_past(to, from, row * (last - first));
    else
        for (size_t i = 0; i < last - first; i++) memcpy(to + 3 * i, from + stride * i, row);
    return to;
}

/* Calls f(end, first, last) for the rows of all of x0, then all of x1. */
template <class F> static void for_rows(size_t count, size_t begin, size_t end, const F &f) {
    if (begin < count) f(0, begin, std::min(end, count));
    if (end > count) f(1, std::max(begin, count) - count, end - count);
}

static void stage_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const staging &s = *(const staging *)state;
    (void)worker;
    for_rows(s.scene->vertex_count, begin, end,
             [&](int which, size_t first, size_t last) { stage_rows(s, which, first, last); });
}

/* The same, and sends them at once. */
static void send_range(void *state, size_t begin, size_t end, uint32_t worker) {
    staging &s = *(staging *)state;
    int before = s.device;
    cudaError_t code = cudaGetDevice(&before);
    (void)worker;
    if (before != s.device) code = cudaSetDevice(s.device);
    for_rows(s.scene->vertex_count, begin, end, [&](int which, size_t first, size_t last) {
        if (code != cudaSuccess) return;
        const double *staged = stage_rows(s, which, first, last);
        code = cudaMemcpyAsync((which ? s.scene->x1 : s.scene->x0).items + 3 * first, staged,
                               sizeof(double[3]) * (last - first), cudaMemcpyHostToDevice, s.scene->stream);
    });
    if (before != s.device) cudaSetDevice(before);
    if (code != cudaSuccess) s.failed = code;
}

#define FEW_ROWS 4096u   /* for no more than these a thread is woken */
#define FEW_PARTS 6u     /* that a few thousand rows are copied in: threads take turns at being told */
#define MANY_ROWS 43520u /* a megabyte: each copy of the driver's takes its time */
#define MOST_READ                                                                                                      \
    ((size_t)6 << 20) /* bytes that the device reads from the memory of the host by itself, which begins               \
                         sooner than a copy, but is a little slower */

/* For the device to read them from there. */
static bool stage_all(gz_device_scene &s, const gz_backend_request *request, gz_device_error &error) {
    const size_t count = s.vertex_count, part = (2 * count + FEW_PARTS - 1) / FEW_PARTS;
    staging state = {request, &s, 0, {cudaSuccess}};
    if (!s.staged.reserve(6 * count, error)) return false;
    s.positions = {(const char *)s.staged.items, (const char *)(s.staged.items + 3 * count), sizeof(double[3])};
    request->functions.parallel(request->host, 2 * count, std::max<size_t>(part, FEW_ROWS), stage_range, &state);
    return true;
}

static bool send_all(gz_device_scene &s, const gz_backend_request *request, gz_device_error &error) {
    staging state = {request, &s, 0, {cudaSuccess}};
    if (!s.staged.reserve(6 * (size_t)s.vertex_count, error) || !error.note(cudaGetDevice(&state.device), "upload"))
        return false;
    request->functions.parallel(request->host, 2 * (size_t)s.vertex_count, MANY_ROWS, send_range, &state);
    return error.note((cudaError_t)state.failed.load(), "upload");
}

/* Whether the driver can copy from there by itself. */
static bool is_locked(const char *x) {
    cudaPointerAttributes attributes;
    bool known = cudaPointerGetAttributes(&attributes, x) == cudaSuccess;
    cudaGetLastError();
    return known && attributes.type != cudaMemoryTypeUnregistered;
}

bool gz_scene_upload(gz_device_scene &s, const gz_backend_request *request, bool once, gz_device_error &error) {
    const size_t row = sizeof(double[3]), numbers = 3 * (size_t)s.vertex_count;
    const char *from[2] = {request->x0, request->x1};
    gz_device_array<double> *to[2] = {&s.x0, &s.x1};
    bool locked = is_locked(from[0]) && is_locked(from[1]);
    if (!locked && once && 2 * sizeof(double) * numbers <= MOST_READ) return stage_all(s, request, error);
    if (!s.x0.reserve(numbers, error) || !s.x1.reserve(numbers, error)) return false;
    s.positions = {(const char *)s.x0.items, (const char *)s.x1.items, row};
    if (!locked) return send_all(s, request, error);
    for (int end = 0; end < 2; end++)
        error.note(cudaMemcpy2DAsync(to[end]->items, row, from[end], request->stride, row, s.vertex_count,
                                     cudaMemcpyDefault, s.stream),
                   "upload");
    return !error.failed();
}

bool gz_scene_wait_for(gz_device_scene &s, void *stream, gz_device_error &error) {
    cudaStream_t theirs = (cudaStream_t)stream;
    if (!s.given) error.note(cudaEventCreateWithFlags(&s.given, cudaEventDisableTiming), "stream");
    return !error.failed() && error.note(cudaEventRecord(s.given, theirs), "stream") &&
           error.note(cudaStreamWaitEvent(s.stream, s.given, 0), "stream");
}

bool gz_scene_take(gz_device_scene &s, const gz_backend_request *request, gz_device_error &error) {
    s.positions = {request->x0, request->x1, request->stride};
    return gz_scene_wait_for(s, request->stream, error);
}

bool gz_scene_download(gz_device_scene &s, double (*const rows[2])[3], gz_device_error &error) {
    const char *from[2] = {s.positions.x0, s.positions.x1};
    const size_t row = sizeof(double[3]);
    for (int end = 0; end < 2; end++)
        error.note(cudaMemcpy2DAsync(rows[end], row, from[end], s.positions.stride, row, s.vertex_count,
                                     cudaMemcpyDeviceToHost, s.stream),
                   "positions");
    return error.note(cudaStreamSynchronize(s.stream), "positions");
}

#define EDGES_LOOKED_AT 512u
#define EDGES_AT_ONCE 128u

double gz_scene_edges_to_motion(gz_device_scene &s, gz_device_error &error) {
    double2 sum = {0, 0};
    if (!s.host_motion.reserve(EDGES_AT_ONCE, error)) return NAN;
    gz_measure_motion<<<1, EDGES_AT_ONCE, 0, s.stream>>>(
        s.edges.items, s.edge_count, s.edge_count / EDGES_LOOKED_AT + 1, s.positions, s.host_motion.items);
    if (!error.note(cudaStreamSynchronize(s.stream), "motion")) return NAN;
    for (unsigned i = 0; i < EDGES_AT_ONCE; i++) {
        sum.x += s.host_motion.items[i].x;
        sum.y += s.host_motion.items[i].y;
    }
    return sum.x / sum.y;
}

/* ---- order ---- */

/* A view that makes good use of float: about the middle of what there is, scaled to about 1. */
static void choose_view(gz_device_scene &s, const gz_extent &extent) {
    double reach = 0;
    for (int c = 0; c < 3; c++) {
        int bits[2] = {extent.lo[c], extent.hi[c]};
        float side[2];
        for (int k = 0; k < 2; k++) {
            int i = bits[k] < 0 ? bits[k] ^ 0x7fffffff : bits[k];
            memcpy(&side[k], &i, sizeof i);
            if (!(fabsf(side[k]) < 1e38f)) side[k] = copysignf(1e38f, side[k]);
        }
        s.view.origin[c] = 0.5 * ((double)side[0] + (double)side[1]);
        reach = fmax(reach, (double)side[1] - (double)side[0]);
    }
    s.view.scale = reach > 0 ? ldexp(1, -ilogb(reach)) : 1;
}

bool gz_scene_order(gz_device_scene &s, gz_device_error &error) {
    uint32_t count = s.element_count;
    if (!s.keys.reserve(2 * (size_t)count, error) || !s.ids.reserve(2 * (size_t)count, error) ||
        !s.sorted.reserve(count, error) || !s.extent.reserve(1, error) || !s.host_extent.reserve(1, error))
        return false;
    *s.host_extent.items = {{INT_MAX, INT_MAX, INT_MAX}, {INT_MIN, INT_MIN, INT_MIN}};
    error.note(
        cudaMemcpyAsync(s.extent.items, s.host_extent.items, sizeof(gz_extent), cudaMemcpyHostToDevice, s.stream),
        "order");
    gz_find_extent<<<4 * s.processors, 256, 0, s.stream>>>(s.positions, s.vertex_count, s.extent.items);
    error.note(
        cudaMemcpyAsync(s.host_extent.items, s.extent.items, sizeof(gz_extent), cudaMemcpyDeviceToHost, s.stream),
        "order");
    gz_order_keys<<<blocks_for(count, 256), 256, 0, s.stream>>>(s.elements.items, count, s.positions, s.extent.items,
                                                                s.keys.items, s.ids.items);
    if (!gz_sort(s.sort_bytes, s.keys.items, s.ids.items, count, 3 * GZ_ORDER_BITS, s.stream, error)) return false;
    gz_order_elements<<<blocks_for(count, 256), 256, 0, s.stream>>>(s.elements.items, s.ids.items + count, count,
                                                                    s.sorted.items);
    error.note(cudaGetLastError(), "order");
    if (!error.note(cudaStreamSynchronize(s.stream), "order")) return false;
    choose_view(s, *s.host_extent.items);
    s.ordered = true;
    return true;
}

/* ---- tree and walk ---- */

/* Levels come in threes, the last of which has one packet. */
static bool plan_tree(gz_device_scene &s, gz_device_error &error) {
    size_t boxes = s.element_count, total = 0, tops = 0;
    int level = 0;
    s.tree = {};
    s.tree.root = -1;
    do {
        for (int k = 0; k < 3; k++, level++) {
            boxes = (boxes + 7) / 8;
            s.tree.packets[level] = (uint32_t)boxes;
            total += boxes;
            if (boxes == 1 && s.tree.root < 0) s.tree.root = level;
        }
        /* the third level of a block is one packet, and its box one of `tops` */
        tops += boxes;
    } while (boxes > 1 && level < GZ_TREE_LEVELS);
    s.tree.levels = level;
    if (!s.packets.reserve(total, error) || !s.tops.reserve(tops, error)) return false;
    gz_packet *next = s.packets.items;
    for (int k = 0; k < level; k++, next += s.tree.packets[k - 1]) s.tree.level[k] = next;
    return true;
}

#define WALK_BLOCKS 8 /* for each processor */

/* Places of the queue are empty, which a walk leaves them. */
static bool reserve_walks(gz_device_scene &s, gz_device_error &error) {
    if (s.walks_left.room && s.walks_clean) return true;
    s.walks_clean = s.walks_left.reserve(GZ_WALK_LEFT, error) &&
                    error.note(cudaMemsetAsync(s.walks_left.items, 0xff, s.walks_left.bytes(), s.stream), "walk");
    return s.walks_clean;
}

bool gz_scene_reserve(gz_device_scene &s, gz_device_error &error) {
    return s.ends.reserve(s.vertex_count, error) && s.boxes.reserve(s.vertex_count, error) && plan_tree(s, error) &&
           reserve_walks(s, error);
}

void gz_scene_tree(gz_device_scene &s) {
    gz_element_boxes leaves = {s.sorted.items, s.boxes.items};
    uint32_t count = s.element_count, blocks = blocks_for(count, GZ_TREE_BLOCK);
    gz_float_box *tops = s.tops.items;
    gz_make_levels<<<blocks, GZ_TREE_BLOCK, 0, s.stream>>>(leaves, count, s.tree, 0, tops);
    for (int level = 3; level < s.tree.levels; level += 3) {
        gz_stored_boxes stored = {tops};
        count = blocks;
        tops += blocks;
        blocks = blocks_for(count, GZ_TREE_BLOCK);
        gz_make_levels<<<blocks, GZ_TREE_BLOCK, 0, s.stream>>>(stored, count, s.tree, level, tops);
    }
}

uint32_t gz_scene_walkers(const gz_device_scene &s) { return WALK_BLOCKS * GZ_WALK_WARPS * (uint32_t)s.processors; }

void gz_scene_walk(gz_device_scene &s, unsigned kinds, gz_step_state *state, const uint32_t *stop, bool count,
                   bool looks) {
    gz_device_list<uint2> found = {s.element_pairs.items, s.element_pairs.room, &state->element_pairs};
    gz_device_lists lists;
    for (int kind = 0; kind < 4; kind++)
        lists.kind[kind] = {s.pairs[kind].items, s.pairs[kind].room, &state->pairs[kind]};
    lists.kinds = kinds;
    lists.candidates = count ? state->candidates : NULL;
    lists.stop = stop;
    gz_walk_tasks tasks = {s.walks_left.items, state, stop, 4 * s.processors};
    gz_walk<<<WALK_BLOCKS * s.processors, 32 * GZ_WALK_WARPS, 0, s.stream>>>(s.tree, tasks, found);
    gz_far_look look = {s.far.items, s.faces.items, s.edges.items, &state->input.reach};
    auto expand = looks ? gz_expand<true> : gz_expand<false>;
    expand<<<GZ_EXPAND_BLOCKS * s.processors, 32 * GZ_EXPAND_WARPS, 0, s.stream>>>(found, s.sorted.items, s.boxes.items,
                                                                                   s.groups, look, lists);
}

void gz_scene_release(gz_device_scene &s) {
    s.faces.release(), s.edges.release(), s.vertex_groups.release(), s.group_pairs.release(), s.thickness.release();
    s.elements.release(), s.sorted.release(), s.x0.release(), s.x1.release(), s.staged.release(), s.ends.release(),
        s.boxes.release(), s.far.release();
    s.keys.release(), s.ids.release(), s.sort_bytes.release(), s.extent.release(), s.packets.release(),
        s.tops.release();
    s.element_pairs.release(), s.walks_left.release(), s.host_extent.release(), s.host_motion.release();
    if (s.given) cudaEventDestroy(s.given);
    for (int kind = 0; kind < 4; kind++) s.pairs[kind].release();
}
