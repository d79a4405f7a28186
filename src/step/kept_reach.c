#include "step/kept_reach.h"

#include "base/least.h"
#include "numerics/kept.h"

#include <math.h>

#define CHUNK_LEAST 2048
#define CHUNK_MOST 32768

typedef struct motion_job {
    const gz_positions *positions;
    gz_least motion, span; /* the bits of the largest, all turned: the least of those */
} motion_job;

static void raise(gz_least *most, double x) { gz_least_lower_to(most, ~gz_least_bits(x)); }

static double largest(const gz_least *most) {
    uint64_t bits = ~atomic_load_explicit(most, memory_order_relaxed);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void measure_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    motion_job *job = state;
    const gz_positions *p = job->positions;
    const double *from = gz_position(p->x0, p->stride, 0);
    double motion = 0, span = 0;
    for (size_t v = begin; v < end; v++) {
        const double *x0 = gz_position(p->x0, p->stride, (uint32_t)v), *x1 = gz_position(p->x1, p->stride, (uint32_t)v);
        for (int c = 0; c < 3; c++) {
            motion = fmax(motion, fabs(x1[c] - x0[c]));
            span = fmax(span, fmax(fabs(x0[c] - from[c]), fabs(x1[c] - from[c])));
        }
    }
    raise(&job->motion, motion);
    raise(&job->span, span);
}

void gz_kept_measure(gz_step_call *call) {
    size_t count = call->mesh->vertex_count;
    motion_job job = {.positions = &call->positions};
    if (call->options.relative_separation == 0) return;
    atomic_init(&job.motion, ~gz_least_bits(0));
    atomic_init(&job.span, ~gz_least_bits(0));
    gz_parallel(call->context, count, gz_chunk_for(call->context, count, CHUNK_LEAST, CHUNK_MOST), measure_range, &job);
    call->kept_motion = largest(&job.motion);
    call->kept_span = largest(&job.span);
}

double gz_kept_reach(const gz_step_call *call, double window) {
    double part = call->options.relative_separation;
    if (part == 0) return call->question.separation;
    gz_kept_step step = {part, call->question.separation, call->narrow.tolerance, call->kept_motion, call->kept_span};
    return gz_kept_bound(&step, window);
}
