/* A state to step to: not a time at which exact paths are free, but positions in doubles whose own motion is proven.
 *
 * x0 + α·(x1 − x0) is rounded, and the rounded positions are asked for as a step of their own: from x0 straight to
 * them. When that is clear it is the proof; else α is brought back. docs/numerics.md, section 3. */
#include "step/step_to.h"

#include "step/step.h"

/* Parts of toi to keep, try by try: first less what a rounding error may need, then ever less. From there on halves. */
static const double kept_parts[] = {1, 1 - 0x1p-40, 1 - 0x1p-30, 1 - 0x1p-20, 1 - 0x1p-12, 1 - 0x1p-7, 0.875};
#define PARTS (sizeof kept_parts / sizeof *kept_parts)

/* Rounded, but never beyond the ends. */
static double between(double a, double b, double alpha) {
    double x = a + alpha * (b - a), low = a < b ? a : b, high = a < b ? b : a;
    return x < low ? low : x > high ? high : x;
}

bool gz_positions_between(const gz_positions *ends, uint32_t count, double alpha, char *x, size_t stride) {
    bool moved = false;
    for (uint32_t v = 0; v < count; v++) {
        const double *a = gz_position(ends->x0, ends->stride, v), *b = gz_position(ends->x1, ends->stride, v);
        double *to = (double *)(void *)(x + stride * v);
        for (int c = 0; c < 3; c++) {
            to[c] = alpha == 1 ? b[c] : alpha == 0 ? a[c] : between(a[c], b[c], alpha);
            moved |= to[c] != a[c];
        }
    }
    return moved;
}

graze_status gz_step_is_clear(const gz_step_call *call, const double (*x)[3], bool *clear) {
    graze_options narrow = call->narrow;
    graze_step_options options = call->options;
    graze_step_result result;
    narrow.t_max = 1;
    options.narrow = &narrow;
    options.mode = GRAZE_STEP_EARLIEST;
    graze_status status =
        gz_step_run(call->context, call->mesh, (const double(*)[3])call->positions.x0, x, &options, &result);
    *clear = status == GRAZE_OK && result.verdict == GRAZE_CLEAR;
    return status;
}

static double next_alpha(double toi, int try, double alpha) {
    return try < (int)PARTS ? toi * kept_parts[try] : 0.5 * alpha;
}

/* Positions in x and their α for a step that is free in [0, toi). */
static graze_status find_state(const gz_step_call *call, double toi, double (*x)[3], double *found) {
    double alpha = toi;
    for (int try = 0; alpha > 0; try++) {
        bool clear = false, moved = gz_positions_between(&call->positions, call->mesh->vertex_count, alpha, (char *)x,
                                                         call->positions.stride);
        if (!moved && call->mesh->vertex_count) break;
        graze_status status = gz_step_is_clear(call, (const double(*)[3])x, &clear);
        if (status != GRAZE_OK) return status;
        if (clear) {
            *found = alpha;
            return GRAZE_OK;
        }
        if (atomic_load(&call->context->cancelled)) break;
        alpha = next_alpha(toi, try + 1, alpha);
    }
    gz_positions_between(&call->positions, call->mesh->vertex_count, 0, (char *)x, call->positions.stride);
    return GRAZE_OK;
}

static graze_status step_to(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                            const double (*x1)[3], const graze_step_options *given, double (*x)[3],
                            graze_step_result *result) {
    gz_step_call call;
    graze_step_options options;
    graze_status status = gz_step_open_whole(context, mesh, x0, x1, given, &call);
    if (status == GRAZE_OK) status = gz_step_options_read(context, given, &options);
    if (status != GRAZE_OK) return status;
    if (!x && call.mesh->vertex_count) return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "x is NULL");
    status = gz_step_check_target(&call, "x", (const double(*)[3])x);
    if (status != GRAZE_OK) return status;
    if (!call.method->info.conservative)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "method %s proves no time that is safe to step to",
                       call.method->info.name);
    gz_positions_between(&call.positions, call.mesh->vertex_count, 0, (char *)x, call.positions.stride);
    options.mode = GRAZE_STEP_EARLIEST;
    status = gz_step_run(context, mesh, x0, x1, &options, result);
    if (status != GRAZE_OK) return status;
    if (result->verdict == GRAZE_CLEAR && result->toi == 1) { /* the motion that was asked about is the one to take */
        gz_positions_between(&call.positions, call.mesh->vertex_count, 1, (char *)x, call.positions.stride);
        result->alpha = 1;
        return GRAZE_OK;
    }
    return find_state(&call, result->toi, x, &result->alpha);
}

graze_status graze_step_to(graze_context *context, const graze_mesh *mesh, const double (*x0)[3], const double (*x1)[3],
                           const graze_step_options *options, double (*x)[3], graze_step_result *result) {
    gz_fp_environment env;
    graze_step_result found = graze_default_step_result();
    graze_status status = gz_step_enter(context, result, &env);
    if (status != GRAZE_OK) return status;
    status = step_to(context, mesh, x0, x1, options, x, &found);
    return gz_step_leave(context, &env, status, &found, result);
}
