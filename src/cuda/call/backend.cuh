/* One device, and one call on it. */
#ifndef GZ_CUDA_CALL_BACKEND_CUH
#define GZ_CUDA_CALL_BACKEND_CUH

#include "cuda/batch.cuh"
#include "cuda/pairs.cuh"

#include <mutex>
#include <vector>

#define GZ_NOTHING_YET 0x7ff0000000000000ull /* the bits of infinity */

/* A block that the host gave for pairs. */
struct gz_known_block {
    void *address;
    size_t locked; /* bytes whose pages are; 0: none */
};

/* State kept from call to call: one device, one stream, one scene. */
struct gz_cuda_backend {
    int device = 0;
    gz_device_scene scene;
    gz_device_narrow narrow;
    gz_device_pairs pairs;
    gz_device_batch batches;
    int order_age = 0;
    double window[2] = {}; /* about what the last step needed, and the last list of pairs; 0: not known */
    std::vector<gz_backend_ask> asks;
    std::vector<gz_known_block> blocks;
    std::mutex blocks_lock;
};

inline double gz_double_of(unsigned long long bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

inline unsigned long long gz_bits_of(double d) {
    unsigned long long bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

inline graze_pair gz_pair_of(const gz_pair_coder &coder, unsigned long long code) {
    return {(graze_kind)coder.kind(code), coder.a(code), coder.b(code)};
}

/* Makes a device the thread's own until the end of the scope: the caller has chosen one, too. */
struct gz_device_in_use {
    int before = -1;
    cudaError_t code;

    explicit gz_device_in_use(int device) {
        cudaGetLastError(); /* what a call that failed left unread is not told again */
        cudaGetDevice(&before);
        code = cudaSetDevice(device);
    }
    ~gz_device_in_use() {
        if (before >= 0) cudaSetDevice(before);
    }
};

/* One call. `status` is other than GRAZE_OK once the host found something wrong. */
struct gz_cuda_step {
    gz_cuda_backend *b;
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

inline bool gz_is_ended(const gz_backend_request *r) { return r->may_end && r->functions.cancelled(r->host); }

#endif
