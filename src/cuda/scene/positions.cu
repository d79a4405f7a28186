/* Positions on their way to the device, and back. */
#include "cuda/scene/scene.cuh"

#include <algorithm>
#include <atomic>
#include <cmath>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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

/* As stage_range, and sends the rows at once. */
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

/* The number of rows to bring over: those of x1 only where they are not those of x0. */
static size_t rows_of(const gz_device_scene &s, const gz_backend_request *request) {
    return (request->x1 == request->x0 ? 1 : 2) * (size_t)s.vertex_count;
}

/* For the device to read them from there. */
static bool stage_all(gz_device_scene &s, const gz_backend_request *request, gz_device_error &error) {
    const size_t count = s.vertex_count, rows = rows_of(s, request), part = (rows + FEW_PARTS - 1) / FEW_PARTS;
    staging state = {request, &s, 0, {cudaSuccess}};
    if (!s.staged.reserve(6 * count, error)) return false;
    s.positions = {(const char *)s.staged.items, (const char *)(s.staged.items + 3 * (rows - count)),
                   sizeof(double[3])};
    request->functions.parallel(request->host, rows, std::max<size_t>(part, FEW_ROWS), stage_range, &state);
    return true;
}

static bool send_all(gz_device_scene &s, const gz_backend_request *request, gz_device_error &error) {
    staging state = {request, &s, 0, {cudaSuccess}};
    if (!s.staged.reserve(6 * (size_t)s.vertex_count, error) || !error.note(cudaGetDevice(&state.device), "upload"))
        return false;
    request->functions.parallel(request->host, rows_of(s, request), MANY_ROWS, send_range, &state);
    return error.note((cudaError_t)state.failed.load(), "upload");
}

/* True if the driver can copy from there by itself. */
static bool is_locked(const char *x) {
    cudaPointerAttributes attributes;
    bool known = cudaPointerGetAttributes(&attributes, x) == cudaSuccess;
    cudaGetLastError();
    return known && attributes.type != cudaMemoryTypeUnregistered;
}

/* By the driver, which copies them first: for the first step of a context, where page-locked memory would cost more. */
static bool send_plain(gz_device_scene &s, const gz_backend_request *request, int ends, gz_device_error &error) {
    const size_t bytes = sizeof(double[3]) * (size_t)s.vertex_count;
    error.note(cudaMemcpyAsync(s.x0.items, request->x0, bytes, cudaMemcpyHostToDevice, s.stream), "upload");
    if (ends == 2)
        error.note(cudaMemcpyAsync(s.x1.items, request->x1, bytes, cudaMemcpyHostToDevice, s.stream), "upload");
    return !error.failed();
}

bool gz_device_scene_upload(gz_device_scene &s, const gz_backend_request *request, bool once, gz_device_error &error) {
    const size_t row = sizeof(double[3]), numbers = 3 * (size_t)s.vertex_count;
    const char *from[2] = {request->x0, request->x1};
    gz_device_array<double> *to[2] = {&s.x0, &s.x1};
    const int ends = from[1] == from[0] ? 1 : 2;
    bool locked = is_locked(from[0]) && is_locked(from[1]), first = !s.used;
    s.used = true;
    if (!locked && once && 2 * sizeof(double) * numbers <= MOST_READ) return stage_all(s, request, error);
    if (!s.x0.reserve(numbers, error) || !s.x1.reserve(numbers, error)) return false;
    s.positions = {(const char *)s.x0.items, (const char *)to[ends - 1]->items, row};
    if (!locked && first && request->stride == row) return send_plain(s, request, ends, error);
    if (!locked) return send_all(s, request, error);
    for (int end = 0; end < ends; end++)
        error.note(cudaMemcpy2DAsync(to[end]->items, row, from[end], request->stride, row, s.vertex_count,
                                     cudaMemcpyDefault, s.stream),
                   "upload");
    return !error.failed();
}

bool gz_device_scene_wait_for(gz_device_scene &s, void *stream, gz_device_error &error) {
    cudaStream_t theirs = (cudaStream_t)stream;
    if (!s.given) error.note(cudaEventCreateWithFlags(&s.given, cudaEventDisableTiming), "stream");
    return !error.failed() && error.note(cudaEventRecord(s.given, theirs), "stream") &&
           error.note(cudaStreamWaitEvent(s.stream, s.given, 0), "stream");
}

bool gz_device_scene_take(gz_device_scene &s, const gz_backend_request *request, gz_device_error &error) {
    s.positions = {request->x0, request->x1, request->stride};
    return gz_device_scene_wait_for(s, request->stream, error);
}

bool gz_device_scene_download(gz_device_scene &s, double (*const rows[2])[3], gz_device_error &error) {
    const char *from[2] = {s.positions.x0, s.positions.x1};
    const size_t row = sizeof(double[3]);
    for (int end = 0; end < 2; end++)
        error.note(cudaMemcpy2DAsync(rows[end], row, from[end], s.positions.stride, row, s.vertex_count,
                                     cudaMemcpyDeviceToHost, s.stream),
                   "positions");
    return error.note(cudaStreamSynchronize(s.stream), "positions");
}

/* ---- how far they move ---- */

/* Lengths of edges, and how far one end of each moves, of every so manyth edge: sums of each of the block's threads. */
static __global__ void gz_measure_motion(const uint32_t *edges, uint32_t count, uint32_t apart, gz_device_positions x,
                                         double2 *sums) {
    double2 sum = make_double2(0, 0);
    for (uint32_t e = threadIdx.x * apart; e < count; e += blockDim.x * apart) {
        uint32_t a = edges[2 * (size_t)e], b = edges[2 * (size_t)e + 1];
        const double *from = gz_position_of(x.x0, x.stride, a), *to = gz_position_of(x.x1, x.stride, a),
                     *other = gz_position_of(x.x0, x.stride, b);
        sum.x += norm3d(other[0] - from[0], other[1] - from[1], other[2] - from[2]);
        sum.y += norm3d(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
    }
    sums[threadIdx.x] = sum;
}

#define EDGES_LOOKED_AT 512u
#define EDGES_AT_ONCE 128u

double gz_device_scene_edges_to_motion(gz_device_scene &s, gz_device_error &error) {
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

#define MOTION_BLOCK 256u
#define MOTION_BLOCKS 16u

/* The largest motion of a vertex on an axis, and the largest difference of its start from that of the first: of what
   each thread looks at. */
static __global__ void gz_measure_most(gz_device_positions x, uint32_t count, double2 *most) {
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    const double *first = gz_position_of(x.x0, x.stride, 0);
    double2 mine = make_double2(0, 0);
    for (uint32_t v = thread; v < count; v += gridDim.x * blockDim.x) {
        const double *from = gz_position_of(x.x0, x.stride, v), *to = gz_position_of(x.x1, x.stride, v);
        for (int c = 0; c < 3; c++) {
            mine.x = fmax(mine.x, fabs(to[c] - from[c]));
            mine.y = fmax(mine.y, fabs(from[c] - first[c]));
        }
    }
    most[thread] = mine;
}

bool gz_device_scene_motion(gz_device_scene &s, gz_kept_step *step, gz_device_error &error) {
    const unsigned threads = MOTION_BLOCKS * MOTION_BLOCK;
    if (!s.host_motion.reserve(threads, error)) return false;
    gz_measure_most<<<MOTION_BLOCKS, MOTION_BLOCK, 0, s.stream>>>(s.positions, s.vertex_count, s.host_motion.items);
    if (!error.note(cudaStreamSynchronize(s.stream), "motion")) return false;
    step->motion = step->span = 0;
    for (unsigned i = 0; i < threads; i++) {
        step->motion = fmax(step->motion, s.host_motion.items[i].x);
        step->span = fmax(step->span, s.host_motion.items[i].y);
    }
    return true;
}
