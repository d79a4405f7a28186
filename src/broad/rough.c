#include "broad/rough.h"

#include "base/least.h"
#include "kernels/kernels.h"

#include <float.h>

#define CHUNK_LEAST 256u /* about 1 µs */
#define CHUNK_MOST 2048u
#define SAMPLES 64u

static double finite(double x) { return x > DBL_MAX ? DBL_MAX : x < -DBL_MAX ? -DBL_MAX : x; }

gz_view gz_view_of(const gz_box *boxes, size_t count) {
    gz_view view = {.scale = 1};
    double reach = 0;
    size_t step = count / SAMPLES + 1;
    for (int c = 0; c < 3; c++) {
        view.origin[c] = finite(boxes[0].lo[c]);
        for (size_t i = 0; i < count; i += step) {
            double low = fabs(boxes[i].lo[c] - view.origin[c]), high = fabs(boxes[i].hi[c] - view.origin[c]);
            reach = low > reach ? low : reach;
            reach = high > reach ? high : reach;
        }
    }
    /* at most 2^900: docs/numerics.md, section 4.14 */
    if (reach > 0) view.scale = ldexp(1, reach <= DBL_MAX ? -ilogb(fmax(reach, 0x1p-900)) : -1000);
    return view;
}

gz_view gz_view_of_vertices(const gz_box_input *input) {
    gz_box boxes[SAMPLES];
    uint32_t vertices = input->mesh->vertex_count, step = vertices / SAMPLES + 1, count = 0;
    for (uint32_t v = 0; v < vertices; v += step) gz_vertex_box(input, v, &boxes[count++]);
    return gz_view_of(boxes, count);
}

typedef struct rough_job {
    const gz_view *view;
    const gz_box *boxes;
    gz_rough *rough;
} rough_job;

static void rough_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const rough_job *job = state;
    gz_view view = *job->view;
    for (size_t i = begin; i < end; i++) {
        gz_rough *rough = &job->rough[i];
        for (int c = 0; c < 3; c++) {
            rough->side[c] = (float)((job->boxes[i].lo[c] - view.origin[c]) * view.scale);
            rough->side[4 + c] = -(float)((job->boxes[i].hi[c] - view.origin[c]) * view.scale);
        }
        rough->side[3] = rough->side[7] = 0;
    }
}

void gz_rough_boxes(graze_context *context, const gz_view *view, const gz_box *boxes, size_t count, gz_rough *rough) {
    rough_job job = {view, boxes, rough};
    gz_parallel(context, count, gz_chunk_for(context, count, CHUNK_LEAST, CHUNK_MOST), rough_range, &job);
}

typedef struct windows_call {
    const gz_windows_job *job;
    gz_windows_kernel *windows;
    gz_least largest, widest; /* their inverses */
} windows_call;

static void windows_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    windows_call *call = state;
    gz_window_sizes sizes = {0, 0};
    call->windows(call->job, begin, end, &sizes);
    gz_least_lower(&call->largest, 1 / sizes.largest);
    gz_least_lower(&call->widest, 1 / sizes.widest);
}

gz_window_sizes gz_rough_windows(graze_context *context, const gz_windows_job *job) {
    windows_call call = {.job = job, .windows = context->kernels->windows};
    gz_least_init(&call.largest, INFINITY);
    gz_least_init(&call.widest, INFINITY);
    size_t count = job->input->mesh->vertex_count;
    gz_parallel(context, count, gz_chunk_for(context, count, CHUNK_LEAST, CHUNK_MOST), windows_range, &call);
    double up = 1 + 0x1p-50;
    return (gz_window_sizes){1 / gz_least_get(&call.largest) * up, 1 / gz_least_get(&call.widest) * up};
}
