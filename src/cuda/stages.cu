#include "cuda/stages.cuh"

#define COPIED ((size_t)256 << 20) /* bytes */
#define LAUNCHED 200

static __global__ void do_nothing() {}

void gz_stage_clock::record(int stage, cudaStream_t stream) {
    if (used == events.size()) {
        cudaEvent_t event;
        if (cudaEventCreate(&event) != cudaSuccess) return;
        events.push_back(event);
        marked.push_back(stage);
    }
    marked[used] = stage;
    cudaEventRecord(events[used++], stream);
}

bool gz_stage_clock::read(gz_stages *stages, gz_device_error &error) {
    if (used && !error.note(cudaEventSynchronize(events[used - 1]), "stages")) return false;
    for (size_t i = 1; i < used; i++) {
        float ms = 0;
        if (marked[i] >= GZ_STAGES || !error.note(cudaEventElapsedTime(&ms, events[i - 1], events[i]), "stages"))
            continue;
        stages->ms[marked[i]] += ms;
    }
    return !error.failed();
}

bool gz_stage_clock::measure(gz_stages *stages, cudaStream_t stream, gz_device_error &error) {
    if (!(launch > 0)) {
        gz_device_array<unsigned char> from, to;
        gz_pinned_array<unsigned char> host;
        gz_stages seen = {};
        if (from.reserve(COPIED, error) && to.reserve(COPIED, error) && host.reserve(COPIED, error)) {
            for (int again = 0; again < 2; again++) { /* the first warms up */
                begin(true);
                mark(GZ_STAGES, stream);
                cudaMemcpyAsync(from.items, host.items, COPIED, cudaMemcpyHostToDevice, stream);
                mark(GZ_STAGE_UPLOAD, stream);
                cudaMemcpyAsync(to.items, from.items, COPIED, cudaMemcpyDeviceToDevice, stream);
                mark(GZ_STAGE_TREE, stream);
                for (int i = 0; i < LAUNCHED; i++) do_nothing<<<1, 32, 0, stream>>>();
                mark(GZ_STAGE_NARROW, stream);
                seen = {};
                if (!read(&seen, error)) break;
            }
            bus = 1e-6 * COPIED / seen.ms[GZ_STAGE_UPLOAD];
            memory = 2e-6 * COPIED / seen.ms[GZ_STAGE_TREE];
            launch = 1e3 * seen.ms[GZ_STAGE_NARROW] / LAUNCHED;
        }
        from.release(), to.release(), host.release();
    }
    stages->bus = bus;
    stages->memory = memory;
    stages->launch = launch;
    return !error.failed();
}

void gz_stage_clock::release() {
    for (cudaEvent_t event : events) cudaEventDestroy(event);
    events.clear();
    marked.clear();
}
