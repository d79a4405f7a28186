/* The table that libgraze loads. */
#include "cuda/call/backend.cuh"

#include "cuda/call/blocks.cuh"
#include "cuda/call/find_all.cuh"
#include "cuda/call/find_earliest.cuh"
#include "cuda/call/find_lists.cuh"
#include "cuda/call/find_near.cuh"
#include "cuda/call/passes.cuh"
#include "cuda/call/stage_bytes.cuh"
#include "cuda/listed.cuh"
#include "cuda/sort.cuh"

#include <chrono>
#include <new>

namespace {

/* ---- life ---- */

void close_device(void *handle) {
    gz_cuda_backend *b = (gz_cuda_backend *)handle;
    gz_device_in_use guard(b->device);
    gz_unlock_blocks(b);
    gz_device_scene_release(b->scene);
    gz_device_narrow_release(b->narrow);
    gz_device_pairs_release(b->pairs);
    gz_device_batch_release(b->batches);
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
    gz_cuda_backend *b = new (std::nothrow) gz_cuda_backend;
    if (!b) return NULL;
    gz_device_error error;
    b->device = wanted;
    if (wanted < 0) error.note(cudaGetDevice(&b->device), "device");
    gz_device_in_use guard(b->device);
    error.note(guard.code, "device");
    error.note(cudaDeviceGetAttribute(&b->scene.processors, cudaDevAttrMultiProcessorCount, b->device), "device");
    error.note(cudaStreamCreateWithFlags(&b->scene.stream, cudaStreamNonBlocking), "device");
    if (gz_code_load(error) && gz_device_sort_open(error)) return b;
    snprintf(message, size, "%s", error.message);
    close_device(b);
    return NULL;
}

/* ---- a step ---- */

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

gz_device_request device_request(const gz_backend_request *given) {
    gz_device_request r = {};
    r.given = given;
    r.call.exact = given->exact != 0;
    gz_certified_take(&r.call, &given->question);
    r.lists = given->candidates || given->stops || given->near;
    r.looks = given->looks && (!r.lists || given->near);
    r.kept = {r.lists ? 0 : given->kept_part, given->question.separation, given->question.tolerance, 0, 0};
    return r;
}

bool find(gz_cuda_step &c) {
    return c.given->candidates ? gz_find_candidates(c)
           : c.given->near     ? gz_find_near(c)
           : c.given->stops    ? gz_find_stops(c)
           : c.given->all      ? gz_find_all(c)
                               : gz_find_earliest(c);
}

graze_status run(gz_cuda_backend *b, const gz_backend_request *given, gz_backend_answer *answer) {
    gz_cuda_step c = {b, given, answer, device_request(given), {}, GRAZE_OK, false, false};
    double start = seconds();
    gz_device_in_use guard(b->device);
    c.error.note(guard.code, "device");
    c.trusted = gz_device_scene_may_have(b->scene, given);
    b->narrow.clock.begin(given->by_stage && !c.request.lists);
    bool good = c.good() && (c.trusted || gz_load_mesh(c)) && gz_load_positions(c) &&
                (!given->only || gz_upload_list(b->scene, b->narrow, given, c.error));
    double loaded = seconds();
    b->narrow.before = 0;
    good = good && gz_open_times(c) && !gz_is_ended(given) && find(c);
    answer->cancelled = !good && c.good();
    good = good && gz_read_stages(c);
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

/* Exceptions of C++ stay here. */
graze_status step(void *handle, const gz_backend_request *given, gz_backend_answer *answer) {
    try {
        return run((gz_cuda_backend *)handle, given, answer);
    } catch (const std::bad_alloc &) {
        ((gz_cuda_backend *)handle)->scene.resident = false;
        snprintf(answer->message, sizeof answer->message, "the host has no memory");
        return GRAZE_ERR_DEVICE;
    }
}

graze_status batch(void *handle, const gz_batch_request *given, gz_batch_answer *answer) {
    gz_cuda_backend *b = (gz_cuda_backend *)handle;
    gz_device_error error;
    gz_device_in_use guard(b->device);
    bool good =
        error.note(guard.code, "device") && gz_batch_answer_all(b->batches, given, b->scene.processors, answer, error);
    if (!good) snprintf(answer->message, sizeof answer->message, "%s", error.message);
    return good ? GRAZE_OK : GRAZE_ERR_DEVICE;
}

void forget(void *handle, const void *block) { gz_forget_block((gz_cuda_backend *)handle, block); }

} // namespace

extern "C" __attribute__((visibility("default"))) const gz_backend_table gz_backend_exported = {
    GZ_BACKEND_VERSION,
    sizeof(gz_backend_request),
    sizeof(gz_backend_answer),
    sizeof(graze_pair_result),
    sizeof(graze_proximity_pair),
    sizeof(gz_batch_request),
    sizeof(gz_batch_answer),
    open_device,
    close_device,
    forget,
    step,
    batch,
};
