#include "broad/rough.h"

#include <float.h>

#define CHUNK 16384
#define SAMPLES 256u

static double finite(double x) { return x > DBL_MAX ? DBL_MAX : x < -DBL_MAX ? -DBL_MAX : x; }

gz_view gz_view_of(const gz_box *boxes, size_t count) {
    gz_view view = {.scale = 1};
    double reach = 0;
    size_t step = count / SAMPLES + 1;
    for (int c = 0; c < 3; c++) {
        view.origin[c] = finite(boxes[0].lo[c]);
        for (size_t i = 0; i < count; i += step)
            reach = fmax(reach, fmax(fabs(boxes[i].lo[c] - view.origin[c]), fabs(boxes[i].hi[c] - view.origin[c])));
    }
    if (reach > 0) view.scale = ldexp(1, reach <= DBL_MAX ? -ilogb(fmax(reach, 0x1p-1000)) : -1000);
    return view;
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
    gz_parallel(context, count, CHUNK, rough_range, &job);
}
