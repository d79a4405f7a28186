#include "step/far.h"

#include "narrow/pair.h"

/* From so many checks on, `certified` asks exact arithmetic before it runs out of them: none of its answers ends
   early. */
#define ENOUGH_CHECKS 512u

static bool serves(const gz_step_call *call) {
    graze_method method = call->method->info.method;
    return (method == GRAZE_METHOD_CERTIFIED || method == GRAZE_METHOD_EXACT) && !call->mesh->thickness &&
           call->options.relative_separation == 0 &&
           (call->narrow.max_checks == 0 || call->narrow.max_checks >= ENOUGH_CHECKS);
}

bool gz_far_open(const gz_step_call *call) {
    if (!serves(call)) return false;
    call->trees->ends = gz_reserve(call->context, call->workspace, GZ_SLOT_FAR_ENDS, call->mesh->vertex_count,
                                   sizeof *call->trees->ends);
    return call->trees->ends;
}

/* Not below x, whatever the roundings that led to it. */
static float float_above(double x) { return nextafterf(gz_float_not_below(x), INFINITY); }

gz_far_job gz_far_job_of(const gz_step_call *call) {
    const gz_tree_source *trees = call->trees;
    double reach = (call->separation + call->narrow.tolerance) * trees->view.scale;
    return (gz_far_job){.ends = (const float(*)[8])trees->ends,
                        .faces = call->mesh->faces,
                        .edges = call->mesh->edges,
                        .slack = float_above(trees->largest) * GZ_FAR_SLACK,
                        .reach = reach > 0 ? float_above(reach) : 0};
}

bool gz_far_make(const gz_step_call *call, gz_far_job *job) {
    gz_tree_source *trees = call->trees;
    if (!trees || !gz_far_open(call)) return false;
    trees->largest = gz_rough_windows(
        call->context,
        &(gz_windows_job){.view = trees->view, .input = &trees->input, .t = call->t_max, .ends = trees->ends});
    *job = gz_far_job_of(call);
    return true;
}

size_t gz_far_drop(const gz_step_call *call, const gz_far_job *job, graze_kind kind, const uint32_t (*pairs)[2],
                   size_t count, uint32_t (*left)[2], gz_counts *counts) {
    size_t kept = call->context->kernels->far(job, kind, pairs, count, left);
    counts->queries += count - kept;
    counts->checks += count - kept;
    return kept;
}
