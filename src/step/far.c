#include "step/far.h"

#include "base/least.h"
#include "numerics/error_bounds.h"

#define CHUNK 16384
/* From so many checks on, `certified` asks exact arithmetic before it runs out of them: none of its answers ends
   early. */
#define ENOUGH_CHECKS 512u

bool gz_far_serves(const gz_step_call *call) {
    graze_method method = call->method->info.method;
    return (method == GRAZE_METHOD_CERTIFIED || method == GRAZE_METHOD_EXACT) && !call->mesh->thickness &&
           call->options.relative_separation == 0 &&
           (call->narrow.max_checks == 0 || call->narrow.max_checks >= ENOUGH_CHECKS);
}

typedef struct ends_job {
    const gz_step_call *call;
    double window;
    gz_far_ends *ends;
    gz_least least; /* of 1 / largest coordinate */
} ends_job;

static void ends_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    ends_job *job = state;
    const gz_positions *p = &job->call->positions;
    gz_view view = job->call->trees->view;
    double largest = 0;
    for (size_t v = begin; v < end; v++) {
        const double *x0 = gz_position(p->x0, p->stride, (uint32_t)v), *x1 = gz_position(p->x1, p->stride, (uint32_t)v);
        gz_far_ends *ends = &job->ends[v];
        for (int c = 0; c < 3; c++) {
            double from = (x0[c] - view.origin[c]) * view.scale;
            double to = (x0[c] + job->window * (x1[c] - x0[c]) - view.origin[c]) * view.scale;
            double last = fabs((x1[c] - view.origin[c]) * view.scale);
            double offset = (fabs(x0[c]) + fabs(x1[c])) * view.scale * GZ_FAR_OFFSET;
            double size = (fabs(from) > last ? fabs(from) : last) + offset;
            ends->x[0][c] = (float)from;
            ends->x[1][c] = (float)to;
            if (!(size <= largest)) largest = size;
        }
        ends->x[0][3] = ends->x[1][3] = 0;
    }
    gz_least_lower(&job->least, 1 / largest);
}

bool gz_far_renew(const gz_step_call *call, double window, gz_far_job *job) {
    const graze_mesh *mesh = call->mesh;
    ends_job ends = {.call = call, .window = window};
    ends.ends = gz_reserve(call->context, call->workspace, GZ_SLOT_FAR_ENDS, mesh->vertex_count, sizeof *ends.ends);
    if (!ends.ends) return false;
    gz_least_init(&ends.least, INFINITY);
    gz_parallel(call->context, mesh->vertex_count, CHUNK, ends_range, &ends);
    double reach = (call->separation + call->narrow.tolerance) * call->trees->view.scale;
    *job = (gz_far_job){.ends = ends.ends, .faces = mesh->faces, .edges = mesh->edges};
    job->slack = nextafterf((float)(1 / gz_least_get(&ends.least)), INFINITY) * GZ_FAR_SLACK;
    job->reach = reach > 0 ? nextafterf((float)reach, INFINITY) : 0;
    return true;
}
