/* Time of a step by stages: events between them. */
#ifndef GZ_CUDA_STAGES_CUH
#define GZ_CUDA_STAGES_CUH

#include "cuda/device.cuh"

#include "base/backend.h"

#include <vector>

struct gz_stage_clock {
    bool on = false;

    /* Forgets what was marked. */
    void begin(bool wanted) {
        on = wanted;
        used = 0;
    }
    /* Charges the stream's work since the last mark to this stage; GZ_STAGES: to none. Does nothing while off. */
    void mark(int stage, cudaStream_t stream) {
        if (on) record(stage, stream);
    }
    /* Waits for the last mark, and adds up. */
    bool read(gz_stages *stages, gz_device_error &error);
    /* Speeds of copies and launches, measured once. */
    bool measure(gz_stages *stages, cudaStream_t stream, gz_device_error &error);
    void release();

  private:
    std::vector<cudaEvent_t> events;
    std::vector<int> marked;
    size_t used = 0;
    double bus = 0, memory = 0, launch = 0;

    void record(int stage, cudaStream_t stream);
};

#endif
