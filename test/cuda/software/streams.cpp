/* Streams, events and graphs. Work waits until a call of the host lets the device go on: whoever forgets to wait for it
   reads what was there before. */
#include "device_state.h"

#include <algorithm>
#include <cfenv>
#include <chrono>

#define SLICE 2048 /* times that threads run while the host asks for something once */

using namespace software;

cudaError_t note(cudaError_t code);

struct CUstream_st {
    std::deque<work_maker> waiting;
    std::unique_ptr<work> under_way;
    bool capturing = false;
    std::vector<work_maker> captured;

    bool is_empty() const { return waiting.empty() && !under_way; }
};

struct CUevent_st {
    uint64_t recorded = 0, reached = 0;
    std::chrono::steady_clock::time_point when = {};
};

struct software_graph {
    std::vector<work_maker> all;
};

namespace software {

device_state &device() {
    static device_state all;
    return all;
}

static thread_local cudaStream_t capturing;

bool is_capturing() { return capturing != nullptr; }

/* The one that NULL stands for. */
static CUstream_st *stream_of(cudaStream_t stream) {
    static CUstream_st *const usual = open_stream();
    return stream ? stream : usual;
}

cudaStream_t open_stream() {
    device().streams.push_back(new CUstream_st);
    return device().streams.back();
}

/* ---- going on ---- */

/* One slice of a stream's work; false where it can do nothing now. */
static bool go_on(CUstream_st &s) {
    size_t budget = SLICE;
    bool done_any = false;
    while (budget && !s.is_empty() && !device().lost) {
        if (!s.under_way) {
            s.under_way = s.waiting.front()();
            s.waiting.pop_front();
        }
        if (s.under_way->is_held_up()) break;
        done_any = true;
        if (!s.under_way->go(&budget)) break;
        s.under_way.reset();
        budget -= std::min<size_t>(budget, 64);
    }
    return done_any;
}

/* Some slice of some stream, with the numbers of a thread that has just begun: those of the host are its own matter. */
static bool let_device_work(CUstream_st *wanted) {
    std::fenv_t kept;
    std::fegetenv(&kept);
    std::fesetenv(FE_DFL_ENV);
    std::vector<CUstream_st *> &all = device().streams;
    const size_t start = draw(all.size());
    bool done = wanted && draw(4) == 0 && go_on(*wanted);
    for (size_t k = 0; k < all.size() && !done && !device().lost; k++) done = go_on(*all[(start + k) % all.size()]);
    std::fesetenv(&kept);
    return done;
}

/* Works until is_done() says so, and lets other threads of the host in between. */
template <class F>
static cudaError_t wait_until(std::unique_lock<std::mutex> &held, CUstream_st *wanted, const F &is_done) {
    while (!device().lost && !is_done()) {
        if (!let_device_work(wanted)) fail("streams wait for each other");
        held.unlock();
        held.lock();
    }
    return device().lost ? cudaErrorLaunchFailure : cudaSuccess;
}

cudaError_t drain(std::unique_lock<std::mutex> &held, cudaStream_t stream) {
    CUstream_st *s = stream_of(stream);
    if (capturing) return cudaErrorStreamCaptureUnsupported;
    return wait_until(held, s, [=] { return s->is_empty(); });
}

cudaError_t drain_all(std::unique_lock<std::mutex> &held) {
    return wait_until(held, nullptr, [] {
        for (const CUstream_st *s : device().streams)
            if (!s->is_empty()) return false;
        return true;
    });
}

void lose_device() { device().lost = true; }

/* ---- work ---- */

cudaError_t push(cudaStream_t stream, const work_maker &make) {
    CUstream_st *s = stream_of(stream);
    if (device().lost) return cudaErrorLaunchFailure;
    if (s->capturing)
        s->captured.push_back(make);
    else
        s->waiting.push_back(make);
    return cudaSuccess;
}

struct function_work : work {
    std::function<void()> function;
    explicit function_work(const std::function<void()> &f) : function(f) {}
    bool go(size_t *) override {
        function();
        return true;
    }
};

cudaError_t push_function(cudaStream_t stream, const std::function<void()> &function) {
    return push(stream, [=] { return std::unique_ptr<work>(new function_work(function)); });
}

static void copy_rows(char *to, size_t to_stride, const char *from, size_t from_stride, size_t width, size_t rows) {
    if (to_stride == width && from_stride == width) width *= rows, rows = 1;
    for (size_t i = 0; i < rows; i++) std::memcpy(to + to_stride * i, from + from_stride * i, width);
}

cudaError_t push_copy(cudaStream_t stream, char *to, size_t to_stride, const char *from, size_t from_stride,
                      size_t width, size_t rows) {
    if (!width || !rows) return cudaSuccess;
    if (memory_at(from))
        return push_function(stream, [=] { copy_rows(to, to_stride, from, from_stride, width, rows); });
    if (is_capturing()) return cudaErrorStreamCaptureUnsupported;
    auto staged = std::make_shared<std::vector<char>>(width * rows);
    copy_rows(staged->data(), width, from, from_stride, width, rows);
    return push_function(stream, [=] { copy_rows(to, to_stride, staged->data(), width, width, rows); });
}

struct grid_work : work {
    grid g;
    explicit grid_work(grid &&made) : g(std::move(made)) {}
    bool go(size_t *budget) override { return grid_run(*g, budget); }
};

void launch_threads(const char *name, unsigned blocks, unsigned threads, cudaStream_t stream,
                    const thread_function &thread) {
    std::unique_lock<std::mutex> held(device().lock);
    if (!blocks || !threads || threads > 1024) {
        note(cudaErrorInvalidConfiguration);
        return;
    }
    note(push(stream, [=] { return std::unique_ptr<work>(new grid_work(grid_begin(name, blocks, threads, thread))); }));
}

cudaError_t launch_function(const std::function<void()> &function, cudaStream_t stream) {
    std::unique_lock<std::mutex> held(device().lock);
    return push_function(stream, function);
}

struct waiting_work : work {
    cudaEvent_t event;
    uint64_t until;
    waiting_work(cudaEvent_t e, uint64_t u) : event(e), until(u) {}
    bool is_held_up() const override { return event->reached < until; }
    bool go(size_t *) override { return true; }
};

} // namespace software

/* ---- copies ---- */

/* Memory of the host that is not page-locked has been written when the call returns. */
static cudaError_t copy(void *to, size_t to_stride, const void *from, size_t from_stride, size_t width, size_t rows,
                        cudaStream_t stream) {
    std::unique_lock<std::mutex> held(device().lock);
    cudaError_t code = push_copy(stream, (char *)to, to_stride, (const char *)from, from_stride, width, rows);
    if (code == cudaSuccess && width && rows && !memory_at(to)) code = drain(held, stream);
    return note(code);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, cudaMemcpyKind, cudaStream_t stream) {
    return copy(to, size, from, size, size, 1, stream);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_stride, const void *from, size_t from_stride, size_t width,
                              size_t rows, cudaMemcpyKind, cudaStream_t stream) {
    return copy(to, to_stride, from, from_stride, width, rows, stream);
}

cudaError_t cudaMemsetAsync(void *memory, int byte, size_t size, cudaStream_t stream) {
    std::unique_lock<std::mutex> held(device().lock);
    return note(push_function(stream, [=] { std::memset(memory, byte, size); }));
}

/* ---- streams ---- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
    std::unique_lock<std::mutex> held(device().lock);
    if (device().lost) return note(cudaErrorLaunchFailure);
    *stream = open_stream();
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    std::unique_lock<std::mutex> held(device().lock);
    cudaError_t code = drain(held, stream);
    std::vector<CUstream_st *> &all = device().streams;
    all.erase(std::remove(all.begin(), all.end(), stream), all.end());
    delete stream;
    return note(code);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    std::unique_lock<std::mutex> held(device().lock);
    return note(drain(held, stream));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    std::unique_lock<std::mutex> held(device().lock);
    const uint64_t until = event->recorded;
    return note(push(stream, [=] { return std::unique_ptr<work>(new waiting_work(event, until)); }));
}

/* ---- graphs ---- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    std::unique_lock<std::mutex> held(device().lock);
    if (device().lost) return note(cudaErrorLaunchFailure);
    if (!stream || stream->capturing || capturing) return note(cudaErrorStreamCaptureUnsupported);
    stream->capturing = true;
    stream->captured.clear();
    capturing = stream;
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
    std::unique_lock<std::mutex> held(device().lock);
    *graph = nullptr;
    if (capturing != stream) return note(cudaErrorStreamCaptureUnsupported);
    capturing = nullptr;
    stream->capturing = false;
    if (device().lost) return note(cudaErrorLaunchFailure);
    *graph = new software_graph{stream->captured};
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *made, cudaGraph_t graph, unsigned long long) {
    *made = new software_graph(*graph);
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
    std::unique_lock<std::mutex> held(device().lock);
    cudaError_t code = cudaSuccess;
    for (const work_maker &make : graph->all)
        if (code == cudaSuccess) code = push(stream, make);
    return note(code);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete graph;
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
    delete graph;
    return cudaSuccess;
}

/* ---- events ---- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
    std::unique_lock<std::mutex> held(device().lock);
    *event = new CUevent_st;
    return note(device().lost ? cudaErrorLaunchFailure : cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, 0); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    std::unique_lock<std::mutex> held(device().lock);
    cudaError_t code = wait_until(held, nullptr, [=] { return event->reached >= event->recorded; });
    delete event;
    return note(code);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    std::unique_lock<std::mutex> held(device().lock);
    if (is_capturing()) return note(cudaErrorStreamCaptureUnsupported);
    const uint64_t ticket = ++event->recorded;
    return note(push_function(stream, [=] {
        event->reached = ticket;
        event->when = std::chrono::steady_clock::now();
    }));
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    std::unique_lock<std::mutex> held(device().lock);
    if (device().lost) return note(cudaErrorLaunchFailure);
    if (event->reached >= event->recorded) return cudaSuccess;
    let_device_work(nullptr);
    return note(event->reached >= event->recorded ? cudaSuccess : cudaErrorNotReady);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    std::unique_lock<std::mutex> held(device().lock);
    const uint64_t until = event->recorded;
    return note(wait_until(held, nullptr, [=] { return event->reached >= until; }));
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) {
    std::unique_lock<std::mutex> held(device().lock);
    *ms = std::chrono::duration<float, std::milli>(to->when - from->when).count();
    return note(device().lost ? cudaErrorLaunchFailure : cudaSuccess);
}
