#include "step/float_look.h"

#include "base/force.h"
#include "pair/pair.h"
#include "step/kept_reach.h"

/* From so many checks on, `certified` asks exact arithmetic before it runs out of them: none of its answers ends
   early. */
#define ENOUGH_CHECKS 512u

bool gz_far_serves(const gz_step_call *call) {
    graze_method method = call->method->info.method;
    return (method == GRAZE_METHOD_CERTIFIED || method == GRAZE_METHOD_EXACT) && !call->mesh->thickness &&
           (call->narrow.max_checks == 0 || call->narrow.max_checks >= ENOUGH_CHECKS);
}

bool gz_far_open(const gz_step_call *call) {
    if (!gz_far_serves(call) || !gz_choose(GZ_CHOICE_LOOK, true)) return false;
    call->trees->ends = gz_reserve(call->context, call->workspace, GZ_SLOT_LOOK_ENDS, call->mesh->vertex_count,
                                   sizeof *call->trees->ends);
    return call->trees->ends;
}

/* Separation and tolerance, in the view; of pairs that keep a part of their distance the most that counts. */
static double reach_of(const gz_step_call *call) {
    return (gz_kept_reach(call, call->trees->window) + call->narrow.tolerance) * call->trees->view.scale;
}

gz_far_job gz_far_job_of(const gz_step_call *call) {
    const gz_tree_source *trees = call->trees;
    return (gz_far_job){.ends = (const float(*)[8])trees->ends,
                        .faces = call->mesh->faces,
                        .edges = call->mesh->edges,
                        .slack = gz_far_slack(gz_float_above(trees->sizes.largest), GZ_FAR_SLACK),
                        .reach = gz_far_reach(reach_of(call)),
                        .quarters = gz_choose(GZ_CHOICE_QUARTERS, false)};
}

float gz_far_beside(const gz_step_call *call) {
    const gz_window_sizes *sizes = &call->trees->sizes;
    return gz_float_above(GZ_BESIDE_WIDTH * sizes->widest + 2 * reach_of(call)) +
           gz_far_slack(gz_float_above(sizes->largest), GZ_BESIDE_SLACK);
}

bool gz_far_make(const gz_step_call *call, gz_far_job *job) {
    gz_tree_source *trees = call->trees;
    if (!trees || !gz_far_open(call)) return false;
    trees->sizes = gz_rough_windows(
        call->context,
        &(gz_windows_job){.view = trees->view, .input = &trees->input, .t = call->question.t_max, .ends = trees->ends});
    *job = gz_far_job_of(call);
    job->quarters =
        gz_choose(GZ_CHOICE_QUARTERS, true); /* motions are long, and what is left costs a hundred times as much */
    return true;
}

size_t gz_far_drop(const gz_step_call *call, const gz_far_job *job, graze_kind kind, const uint32_t (*pairs)[2],
                   size_t count, uint32_t (*left)[2], gz_counts *counts) {
    size_t kept = call->context->kernels->far(job, kind, pairs, count, left);
    counts->queries += count - kept;
    counts->checks += count - kept;
    return kept;
}
