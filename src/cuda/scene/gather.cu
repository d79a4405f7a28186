/* Positions of meshes that join many worlds, from where each body has them. */
#include "cuda/scene/scene.cuh"

#include <algorithm>
#include <atomic>

#define PIECES_AT_ONCE 64u
#define GATHER_BLOCK 128u

struct gathering {
    const gz_backend_request *request;
    gz_device_scene *scene;
    bool all; /* those that stay with the mesh, too */
    int device;
    std::atomic<int> failed; /* a cudaError_t */
};

static void stage_piece(const gz_device_scene &s, const gz_backend_piece &piece) {
    const size_t row = sizeof(double[3]);
    for (int end = 0; end < 2; end++) {
        const char *from = end ? piece.x1 : piece.x0;
        double *to = s.staged.items + 3 * (end * (size_t)s.vertex_count + piece.first);
        if (piece.stride == row) memcpy(to, from, row * piece.count);
        for (size_t i = 0; piece.stride != row && i < piece.count; i++)
            memcpy(to + 3 * i, from + piece.stride * i, row);
    }
}

/* Brings some pieces into page-locked memory, and sends all that lies between the first and the last that it brought:
   what stays lies there since the first step. */
static void send_pieces(void *state, size_t begin, size_t end, uint32_t worker) {
    gathering &g = *(gathering *)state;
    const gz_backend_worlds *worlds = g.request->worlds;
    gz_device_scene &s = *g.scene;
    size_t first = SIZE_MAX, last = 0;
    (void)worker;
    for (size_t i = begin; i < end; i++) {
        const gz_backend_piece &piece = worlds->pieces[i];
        if (piece.place == GZ_PIECE_ON_DEVICE || (piece.place == GZ_PIECE_STAYS && !g.all) || !piece.count) continue;
        stage_piece(s, piece);
        first = std::min<size_t>(first, piece.first);
        last = std::max<size_t>(last, (size_t)piece.first + piece.count);
    }
    if (first > last) return;
    int before = g.device;
    cudaError_t code = cudaGetDevice(&before);
    if (before != g.device) code = cudaSetDevice(g.device);
    for (int k = 0; k < 2 && code == cudaSuccess; k++)
        code = cudaMemcpyAsync((k ? s.x1 : s.x0).items + 3 * first,
                               s.staged.items + 3 * (k * (size_t)s.vertex_count + first),
                               sizeof(double[3]) * (last - first), cudaMemcpyHostToDevice, s.stream);
    if (before != g.device) cudaSetDevice(before);
    if (code != cudaSuccess) g.failed = code;
}

/* One block for a piece. */
static __global__ void gather(const gz_piece *pieces, double *x0, double *x1) {
    const gz_piece piece = pieces[blockIdx.x];
    for (uint32_t v = threadIdx.x; v < piece.count; v += blockDim.x)
        for (int c = 0; c < 3; c++) {
            x0[3 * ((size_t)piece.first + v) + c] = ((const double *)(piece.x0 + piece.stride * v))[c];
            x1[3 * ((size_t)piece.first + v) + c] = ((const double *)(piece.x1 + piece.stride * v))[c];
        }
}

static bool gather_on_device(gz_device_scene &s, const gz_backend_request *request, gz_device_error &error) {
    const gz_backend_worlds *worlds = request->worlds;
    unsigned count = 0;
    for (size_t i = 0; i < worlds->piece_count; i++) count += worlds->pieces[i].place == GZ_PIECE_ON_DEVICE;
    if (!count) return true;
    count = 0;
    if (!s.host_pieces.reserve(worlds->piece_count, error) || !s.pieces.reserve(worlds->piece_count, error))
        return false;
    for (size_t i = 0; i < worlds->piece_count; i++) {
        const gz_backend_piece &p = worlds->pieces[i];
        if (p.place == GZ_PIECE_ON_DEVICE && p.count)
            s.host_pieces.items[count++] = {p.x0, p.x1, p.stride, p.first, p.count};
    }
    if (!count) return true;
    if (!gz_device_scene_wait_for(s, request->stream, error) ||
        !error.note(cudaMemcpyAsync(s.pieces.items, s.host_pieces.items, count * sizeof(gz_piece),
                                    cudaMemcpyHostToDevice, s.stream),
                    "upload"))
        return false;
    gather<<<count, GATHER_BLOCK, 0, s.stream>>>(s.pieces.items, s.x0.items, s.x1.items);
    return error.note(cudaGetLastError(), "positions");
}

bool gz_device_scene_gather(gz_device_scene &s, const gz_backend_request *request, gz_device_error &error) {
    gathering state = {request, &s, !s.gathered, 0, {cudaSuccess}};
    const size_t numbers = 3 * (size_t)s.vertex_count;
    if (!s.x0.reserve(numbers, error) || !s.x1.reserve(numbers, error) || !s.staged.reserve(2 * numbers, error) ||
        !error.note(cudaGetDevice(&state.device), "upload"))
        return false;
    s.positions = {(const char *)s.x0.items, (const char *)s.x1.items, sizeof(double[3])};
    s.used = s.gathered = true;
    request->functions.parallel(request->host, request->worlds->piece_count, PIECES_AT_ONCE, send_pieces, &state);
    if (!error.note((cudaError_t)state.failed.load(), "upload")) return false;
    return gather_on_device(s, request, error);
}
