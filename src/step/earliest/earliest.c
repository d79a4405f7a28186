/* The fused step as a whole: opens its workers, has a handful of primitives looked at one by one and all others in
   rounds, and reduces what they found. */
#include "step/earliest/earliest.h"

#include "base/force.h"
#include "broad/few.h"
#include "kernels/kernels.h"
#include "mesh/mesh.h"
#include "step/earliest/fused.h"
#include "step/earliest/rounds.h"
#include "step/mesh_pair.h"

bool gz_step_is_few(const gz_step_call *call) {
    return gz_step_is_fused(call) && gz_is_few(call->mesh) && gz_choose(GZ_CHOICE_FEW, true);
}

/* Every box against every other, on the calling thread. */
static void run_few(gz_fused *f) {
    bool fewest = gz_is_fewest(f->call->mesh) && gz_choose(GZ_CHOICE_FEWEST, true);
    gz_few_kernel *find = fewest ? gz_fewest_find : f->call->context->kernels->few;
    for (int kind = GRAZE_VF; kind <= GRAZE_EE; kind++)
        if (gz_step_has_kind(f->call, (graze_kind)kind)) find(f->call->vertices, &f->workers[0].emitters[kind]);
}

/* ---- before and after ---- */

static bool open_workers(gz_fused *f) {
    const gz_step_call *call = f->call;
    graze_context *context = call->context;
    size_t threads = f->worker_count, room = call->room;
    f->workers = gz_reserve(context, call->workspace, GZ_SLOT_MODE_WORKERS, threads, sizeof *f->workers);
    f->ids = gz_reserve(context, call->workspace, GZ_SLOT_MODE_IDS, threads * room, sizeof *f->ids);
    f->results = gz_reserve(context, call->workspace, GZ_SLOT_MODE_RESULTS, threads * room, sizeof *f->results);
    uint32_t(*pairs)[2] =
        gz_reserve(context, call->workspace, GZ_SLOT_BROAD_PAIRS, threads * room * (GZ_KINDS + 1), sizeof *pairs);
    if (!f->workers || !f->ids || !f->results || !pairs) return false;
    for (int kind = 0; kind < GZ_KINDS; kind++)
        f->traversals[kind] = (gz_traversal){.mesh = call->mesh,
                                             .kind = (graze_kind)kind,
                                             .ruled = gz_mesh_has_rules(call->mesh),
                                             .filters_later = true,
                                             .sink = gz_fused_block,
                                             .sink_state = f};
    for (uint32_t i = 0; i < threads; i++) {
        f->workers[i] = (gz_fused_worker){.has_best = false};
        for (int kind = 0; kind < GZ_KINDS; kind++, pairs += room)
            f->workers[i].emitters[kind] =
                (gz_emitter){.traversal = &f->traversals[kind], .worker = i, .pairs = pairs, .room = room};
        f->workers[i].left = pairs;
        pairs += room;
    }
    return true;
}

static void reduce(gz_fused *f, graze_step_result *result) {
    graze_context *context = f->call->context;
    bool stopped = atomic_load(&f->stopped);
    for (uint32_t i = 0; i < f->worker_count; i++) {
        const gz_fused_worker *worker = &f->workers[i];
        result->ms_narrow += 1e3 * worker->narrow_seconds / context->threads;
        gz_counts counts = worker->counts;
        counts.queries += worker->emitters[GRAZE_EE].beside;
        counts.checks += worker->emitters[GRAZE_EE].beside;
        gz_add_counts(context, &counts);
        if (!worker->has_best || (stopped && !worker->best.result.proven)) continue;
        if (!result->has_pair || gz_pair_before(&worker->best, &result->limiting)) result->limiting = worker->best;
        result->has_pair = 1;
    }
}

bool gz_step_is_fused(const gz_step_call *call) {
    return (call->options.mode == GRAZE_STEP_EARLIEST || call->options.mode == GRAZE_STEP_ANY) &&
           (call->options.broad == GRAZE_BROAD_AUTO || call->options.broad == GRAZE_BROAD_BVH) &&
           call->method->windowed;
}

graze_status gz_step_earliest(const gz_step_call *call, graze_step_result *result, bool *stopped) {
    gz_fused f;
    bool few = gz_step_is_few(call);
    f.call = call;
    f.worker_count = few ? 1 : call->context->threads;
    f.looks = false;
    gz_least_init(&f.best, INFINITY);
    atomic_init(&f.first, GZ_RANK_NONE);
    atomic_init(&f.stopped, false);
    if (!open_workers(&f)) return GRAZE_ERR_OUT_OF_MEMORY;
    if (few) {
        run_few(&f);
    } else if (!gz_fused_rounds(&f)) {
        return GRAZE_ERR_OUT_OF_MEMORY;
    }
    for (int kind = 0; kind < GZ_KINDS; kind++)
        if (atomic_load(&f.traversals[kind].bad_filter))
            return gz_fail(call->context, GRAZE_ERR_CALLBACK, UINT64_MAX, "the pair filter returned neither 0 nor 1");
    reduce(&f, result);
    *stopped = atomic_load(&f.stopped);
    return GRAZE_OK;
}
