/* The table that libgraze loads: one device, one stream, one scene that stays. */
#include "cuda/step.cuh"

#include "step/backend.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <vector>

namespace {

#define NOTHING_YET 0x7ff0000000000000ull /* the bits of infinity */
#define ORDER_AGE 16                      /* steps after which elements are ordered anew */
#define FIRST_WINDOW (1.0 / 64)
#define WIDER 16.0

struct cuda_backend {
    int device = 0;
    gz_device_scene scene;
    gz_device_narrow narrow;
    int order_age = 0;
    double window = FIRST_WINDOW; /* for the next step: about what the last one needed */
    std::vector<graze_pair> asks;
};

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double double_of(unsigned long long bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

graze_pair pair_of(unsigned long long code) {
    return {(graze_kind)(code >> 62), (uint32_t)(code >> 31 & 0x7fffffff), (uint32_t)(code & 0x7fffffff)};
}

/* ---- life ---- */

void close_device(void *handle) {
    cuda_backend *b = (cuda_backend *)handle;
    cudaSetDevice(b->device);
    gz_scene_release(b->scene);
    gz_narrow_release(b->narrow);
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
    b->device = wanted < 0 ? 0 : wanted;
    gz_device_error error;
    error.note(cudaSetDevice(b->device), "device");
    error.note(cudaDeviceGetAttribute(&b->scene.processors, cudaDevAttrMultiProcessorCount, b->device), "device");
    error.note(cudaStreamCreateWithFlags(&b->scene.stream, cudaStreamNonBlocking), "device");
    if (!error.failed()) return b;
    snprintf(message, size, "%s", error.message);
    close_device(b);
    return NULL;
}

/* ---- a step ---- */

bool load(cuda_backend *b, const gz_backend_request *request, gz_device_error &error) {
    gz_device_scene &s = b->scene;
    if (!gz_scene_load_mesh(s, request->mesh, error)) return false;
    if (!gz_scene_upload(s, request->x0, request->x1, request->stride, error)) return false;
    if (s.ordered && b->order_age++ < ORDER_AGE) return true;
    b->order_age = 0;
    return gz_scene_order(s, error);
}

gz_device_request device_request(const gz_backend_request *request) {
    gz_device_request r = {};
    r.call.exact = request->exact != 0;
    r.call.separation = request->separation;
    r.call.t_max = request->t_max;
    r.call.tolerance = request->tolerance;
    r.call.max_checks = request->max_checks;
    r.grow = request->grow;
    r.kinds = request->kinds;
    r.all = request->all != 0;
    return r;
}

/* Every pair whose toi is at most best is inside the window, or it is all of the step. */
bool is_done(double best, double window, double t_max) {
    return window >= t_max || best * (1 + 0x1p-30) + 0x1p-800 <= window;
}

bool find_earliest(cuda_backend *b, const gz_device_request &request, const gz_backend_request *given,
                   gz_backend_answer *answer, gz_device_answer *found, gz_device_error &error) {
    double t_max = request.call.t_max, window = std::min(b->window, t_max);
    unsigned long long best = NOTHING_YET;
    for (;;) {
        if (given->cancelled(given->cancel_state)) {
            answer->cancelled = 1;
            return true;
        }
        if (!gz_device_pass(b->scene, b->narrow, request, window, best, found, error)) return false;
        if (is_done(double_of(found->best), window, t_max)) break;
        window = std::min(window * WIDER, t_max);
    }
    double first = double_of(found->best);
    b->window = first < t_max ? std::max(1.5 * first, 0x1p-30) : FIRST_WINDOW;
    return true;
}

void tell(cuda_backend *b, const gz_device_answer &found, bool all, gz_backend_answer *answer) {
    answer->has_best = found.hit_count > 0;
    if (answer->has_best) {
        answer->best = pair_of(found.first_code);
        answer->best_toi = double_of(found.best);
    }
    b->asks.resize(found.ask_count);
    for (size_t i = 0; i < found.ask_count; i++) b->asks[i] = pair_of(b->narrow.host_asks.items[i]);
    answer->asks = b->asks.data();
    answer->ask_count = found.ask_count;
    answer->pairs = all ? b->narrow.host_pairs.items : NULL;
    answer->pair_count = all ? found.hit_count : 0;
    for (int kind = 0; kind < 4; kind++) answer->candidates[kind] = found.candidates[kind];
}

graze_status run(void *handle, const gz_backend_request *given, gz_backend_answer *answer) {
    cuda_backend *b = (cuda_backend *)handle;
    gz_device_error error;
    gz_device_answer found = {};
    gz_device_request request = device_request(given);
    error.note(cudaSetDevice(b->device), "device");
    double start = seconds();
    bool good = !error.failed() && load(b, given, error);
    double loaded = seconds();
    if (good && given->all)
        good = gz_device_pass(b->scene, b->narrow, request, request.call.t_max, NOTHING_YET, &found, error);
    else if (good)
        good = find_earliest(b, request, given, answer, &found, error);
    if (!good) {
        b->scene.resident = b->scene.ordered = false;
        snprintf(answer->message, sizeof answer->message, "%s", error.message);
        return GRAZE_ERR_DEVICE;
    }
    tell(b, found, given->all != 0, answer);
    answer->ms_boxes = 1e3 * (loaded - start);
    answer->ms_narrow = 1e3 * (seconds() - loaded);
    return GRAZE_OK;
}

/* What C++ throws stays here. */
graze_status step(void *handle, const gz_backend_request *given, gz_backend_answer *answer) {
    try {
        return run(handle, given, answer);
    } catch (const std::bad_alloc &) {
        ((cuda_backend *)handle)->scene.resident = false;
        snprintf(answer->message, sizeof answer->message, "the host has no memory");
        return GRAZE_ERR_DEVICE;
    }
}

} // namespace

extern "C" __attribute__((visibility("default"))) const gz_backend_table gz_backend_exported = {
    GZ_BACKEND_VERSION,
    sizeof(gz_backend_request),
    sizeof(gz_backend_answer),
    sizeof(graze_pair_result),
    open_device,
    close_device,
    step,
};
