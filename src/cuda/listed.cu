#include "cuda/listed.cuh"

#include "cuda/scene/expand.cuh"

#include <atomic>

/* ---- on its way ---- */

struct sending {
    const gz_backend_request *request;
    gz_device_scene *scene;
    gz_device_narrow *narrow;
    int device;
    std::atomic<int> failed; /* a cudaError_t */
};

/* Through page-locked memory, which the driver copies from by itself. */
static void send_range(void *state, size_t begin, size_t end, uint32_t worker) {
    sending &s = *(sending *)state;
    graze_pair *staged = s.narrow->host_list.items + begin;
    size_t bytes = (end - begin) * sizeof *staged;
    int before = s.device;
    (void)worker;
    memcpy(staged, s.request->list + begin, bytes);
    cudaError_t code = cudaGetDevice(&before);
    if (before != s.device) code = cudaSetDevice(s.device);
    if (code == cudaSuccess)
        code = cudaMemcpyAsync(s.narrow->list.items + begin, staged, bytes, cudaMemcpyHostToDevice, s.scene->stream);
    if (before != s.device) cudaSetDevice(before);
    if (code != cudaSuccess) s.failed = code;
}

#define SENT_AT_ONCE 87040u /* pairs: a megabyte */

bool gz_upload_list(gz_device_scene &s, gz_device_narrow &n, const gz_backend_request *request,
                    gz_device_error &error) {
    size_t count = request->list_count;
    sending state = {request, &s, &n, 0, {cudaSuccess}};
    if (!n.list.reserve(count ? count : 1, error) || !n.host_list.reserve(count, error) ||
        !error.note(cudaGetDevice(&state.device), "upload"))
        return false;
    if (count) request->functions.parallel(request->host, count, SENT_AT_ONCE, send_range, &state);
    return error.note((cudaError_t)state.failed.load(), "upload");
}

/* ---- on the device ---- */

/* Counts that the ids of a pair are checked against. */
struct mesh_counts {
    uint32_t vertices, edges, faces;
};

/* Only once its kind is known to be one. */
static __device__ bool is_in_range(const mesh_counts &counts, const graze_pair &pair) {
    uint32_t a = pair.kind == GRAZE_EE ? counts.edges : counts.vertices;
    uint32_t b = pair.kind == GRAZE_VF ? counts.faces : pair.kind == GRAZE_PP ? counts.vertices : counts.edges;
    return pair.a < a && pair.b < b;
}

static __device__ bool share_vertex(graze_kind kind, const uint32_t ids[4]) {
    bool shared = false;
    for (int i = 0; i < gz_kind_rows_of_a(kind); i++)
        for (int k = gz_kind_rows_of_a(kind); k < gz_kind_rows(kind); k++) shared |= ids[i] == ids[k];
    return shared;
}

/* A pair of the list with its vertices; false, and told, where it is none. */
static __device__ bool read_pair(const gz_far_look &look, const mesh_counts &counts, gz_step_state *state,
                                 const graze_pair &pair, uint32_t ids[4]) {
    bool good = (unsigned)pair.kind < GZ_KINDS && is_in_range(counts, pair);
    if (good) gz_row_ids(look.faces, look.edges, pair.kind, pair.a, pair.b, ids);
    good = good && !share_vertex(pair.kind, ids);
    if (!good) state->bad_pair = 1;
    return good;
}

template <bool looks> static __device__ bool is_open(const gz_far_look &look, graze_kind kind, const uint32_t ids[4]) {
    if (!looks || kind > GRAZE_EE) return true;
    return kind == GRAZE_VF ? !gz_is_far<GRAZE_VF, false>(look.vertices, ids, *look.reach)
                            : !gz_is_far<GRAZE_EE, false>(look.vertices, ids, *look.reach);
}

#define DEAL_WARPS 4
#define DEAL_BLOCKS 8 /* for each processor */

template <bool looks>
static __global__ void __launch_bounds__(32 * DEAL_WARPS)
    deal_pairs(gz_far_look look, mesh_counts counts, gz_device_lists lists, gz_step_state *state) {
    __shared__ uint2 held[DEAL_WARPS][2][64];
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    gz_warp_queue<uint2> queues[2] = {{held[warp][GRAZE_VF], 0}, {held[warp][GRAZE_EE], 0}};
    const gz_pass_input &input = state->input;
    unsigned long long begin = input.packets[0] * (unsigned long long)GZ_LISTED_PACKET,
                       end = min(input.packets[1] * (unsigned long long)GZ_LISTED_PACKET, input.listed);
    unsigned step = gridDim.x * blockDim.x;
    for (unsigned long long i = begin + blockIdx.x * blockDim.x + threadIdx.x; i - lane < end; i += step) {
        if (gz_warp_stopped(lists.stop)) break;
        graze_pair pair = {GRAZE_VF, 0, 0};
        uint32_t ids[4];
        bool wanted = false;
        if (i < end) {
            pair = input.list[i];
            wanted = read_pair(look, counts, state, pair, ids) && is_open<looks>(look, pair.kind, ids);
        }
#pragma unroll
        for (int kind = 0; kind < 2; kind++) {
            gz_queue_add(queues[kind], wanted && pair.kind == kind, make_uint2(pair.a, pair.b));
            if (queues[kind].queued > 32) gz_queue_flush(queues[kind], lists.kind[kind]);
        }
        if (wanted && pair.kind > GRAZE_EE)
            lists.kind[pair.kind].put(lists.kind[pair.kind].take(1), make_uint2(pair.a, pair.b));
    }
    for (int kind = 0; kind < 2; kind++) gz_queue_flush(queues[kind], lists.kind[kind]);
}

void gz_deal_list(gz_device_scene &s, const gz_device_request &request, gz_step_state *state, const uint32_t *stop) {
    gz_device_lists lists = gz_lists_of_scene(s, request.given->kinds, state, stop);
    gz_far_look look = {s.far.items, s.faces.items, s.edges.items, &state->input.reach};
    mesh_counts counts = {s.vertex_count, s.edge_count, s.face_count};
    auto kernel = request.looks ? deal_pairs<true> : deal_pairs<false>;
    kernel<<<DEAL_BLOCKS * s.processors, 32 * DEAL_WARPS, 0, s.stream>>>(look, counts, lists, state);
}
