#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "sim/replay.h"

#include "app/app.h"
#include "io/file.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PASSES = 5 };

/* Of this process: on a busy machine the clock on the wall says little. */
static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One pass; returns its processor time. */
static double pass(sim_filter *filter, double (*x)[3], double *factor, uint64_t count, double seconds,
                   sim_replay *out) {
    size_t n = filter->world->outside;
    double began = processor_seconds();
    filter->seconds = 0;
    *out = (sim_replay){.seconds = out->seconds};
    while (out->calls < count && !(seconds > 0 && filter->seconds > seconds)) {
        double(*x0)[3] = x + 2 * n * out->calls++;
        double toi = sim_filter_step(filter, x0, x0 + n, factor);
        out->toi_sum += toi;
        out->zero += toi == 0;
    }
    return processor_seconds() - began;
}

sim_replay sim_replay_run(sim_filter *filter, const char *path, double seconds, uint64_t calls) {
    char *bytes;
    size_t size, call = 2 * filter->world->outside * sizeof(double[3]);
    io_error error;
    if (!io_read_file(path, &bytes, &size, &error)) app_fail("sim: %s", error.message);
    if (size % call) app_fail("sim: %s: is no record of this scene and size", path);
    double(*x)[3] = app_allocate(size / sizeof *x + 1, sizeof *x);
    double *factor = app_allocate(filter->world->count, sizeof *factor);
    memcpy(x, bytes, size);
    free(bytes);
    if (calls == 0 || calls > size / call) calls = size / call;
    sim_replay out = {0}, again = {0};
    out.seconds = pass(filter, x, factor, calls, seconds, &out);
    for (int i = 1; i < PASSES && out.seconds < 1; i++) {
        double spent = pass(filter, x, factor, out.calls, 0, &again);
        if (spent < out.seconds) out.seconds = spent;
    }
    free(factor);
    free(x);
    return out;
}
