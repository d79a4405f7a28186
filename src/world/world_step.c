/* The door of a step of a world, whatever its bodies are. */
#include "world/world_step.h"

#include "base/sizes.h"
#include "world/straight.h"
#include "world/world_rounds.h"

#include <math.h>
#include <string.h>

/* ---- what is answered ---- */

static void conclude(const gz_movers *movers, const gz_contacts *found, const gz_rounds *rounds,
                     graze_articulated_result *result) {
    const gz_touching *first = gz_contacts_first(found);
    result->verdict = GRAZE_CLEAR;
    result->toi = movers->options.t_max;
    result->checks = rounds->checks;
    result->pairs_near = result->pairs_close = rounds->candidates;
    if (first) {
        result->contact = gz_touching_contact(movers, first);
        result->has_contact = 1;
        result->verdict = result->contact.verdict;
        result->reason = result->contact.reason;
        result->toi = result->contact.toi;
        result->toi_upper = result->contact.toi_upper;
        if (movers->options.mode == GRAZE_ARTICULATED_ANY && result->contact.proven) result->toi = 0;
    }
    if (rounds->reason == GRAZE_REASON_NONE || (first && first->joined.result.toi < rounds->ended_at)) return;
    *result = graze_default_articulated_result();
    result->reason = rounds->reason;
    result->toi = rounds->ended_at;
}

static graze_status list_contacts(const gz_movers *movers, gz_contacts *found, graze_articulated_result *result) {
    if (movers->options.mode != GRAZE_ARTICULATED_ALL || found->count == 0) return GRAZE_OK;
    gz_contacts_sort(found);
    result->contacts = gz_allocate_array(movers->context, found->count, sizeof *result->contacts);
    if (!result->contacts) return GRAZE_ERR_OUT_OF_MEMORY;
    for (; result->contact_count < found->count; result->contact_count++)
        result->contacts[result->contact_count] = gz_touching_contact(movers, &found->pairs[result->contact_count]);
    return GRAZE_OK;
}

/* ---- what is done ---- */

static graze_status search(gz_movers *movers, gz_contacts *found, graze_articulated_result *result) {
    graze_step_result straight = graze_default_step_result();
    gz_rounds rounds = {0};
    double limit = INFINITY;
    bool all = movers->options.mode == GRAZE_ARTICULATED_ALL;
    straight.verdict = GRAZE_CLEAR;
    graze_status status = gz_straight_step(movers, found, &straight);
    if (status != GRAZE_OK) return status;
    if (straight.reason == GRAZE_REASON_CANCELLED) {
        result->reason = GRAZE_REASON_CANCELLED;
        return GRAZE_OK;
    }
    const gz_touching *first = gz_contacts_first(found);
    if (first && !all) limit = first->joined.result.toi;
    if (first && first->joined.result.proven && movers->options.mode == GRAZE_ARTICULATED_ANY) limit = -1;
    status = gz_rounds_run(movers, limit, found, &rounds);
    if (status != GRAZE_OK) return status;
    conclude(movers, found, &rounds, result);
    return list_contacts(movers, found, result);
}

static graze_status check_options(graze_context *context, const graze_articulated_options *options) {
    if (options->check_inside)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "check_inside is only for models and static bodies");
    if (options->interval_arithmetic)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX,
                       "interval_arithmetic is only for models and static bodies");
    return GRAZE_OK;
}

static graze_status step_mixed(graze_context *context, const graze_world *world, const graze_body_motion *motions,
                               size_t count, const graze_articulated_options *options,
                               graze_articulated_result *result) {
    gz_movers movers;
    gz_contacts found = {.context = context};
    graze_status status = check_options(context, options);
    if (status != GRAZE_OK) return status;
    status = gz_movers_open(&movers, context, world, motions, count, options);
    if (status == GRAZE_OK) status = search(&movers, &found, result);
    gz_contacts_release(&found);
    gz_movers_close(&movers);
    if (status != GRAZE_OK) {
        graze_articulated_release(context, result);
        *result = graze_default_articulated_result();
    }
    return status;
}

graze_status gz_world_answer(graze_context *context, const graze_world *world, const graze_body_motion *motions,
                             size_t count, const graze_articulated_options *options, graze_articulated_result *result) {
    return world->mixed ? step_mixed(context, world, motions, count, options, result)
                        : gz_world_step_models(context, world, motions, count, options, result);
}

graze_status graze_world_step(graze_context *context, const graze_world *world, const graze_body_motion *motions,
                              size_t count, const graze_articulated_options *given, graze_articulated_result *result) {
    if (gz_result_open(result) != GRAZE_OK || !context) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    graze_articulated_options options;
    graze_articulated_result found = graze_default_articulated_result();
    status = gz_world_check(context, world, motions, count, gz_bytes_at(result, result->struct_size), given, &options);
    if (status == GRAZE_OK) status = gz_world_answer(context, world, motions, count, &options, &found);
    gz_sized_write(result, &found, sizeof found);
    return gz_context_leave(context, &env, status);
}
