/* graze_plan_certificate(): models, splines, and proofs piece by piece as one text. */
#include "graze/plan.h"

#include "articulated/certificate/writer.h"
#include "articulated/door.h"
#include "articulated/world/pieces.h"
#include "base/sizes.h"

#define RESULT_LEAST GZ_SIZE_UP_TO(graze_plan_result, contact)

typedef struct plan_writer {
    gz_writer to;
    gz_plan cut;
    const graze_model *const *models;
    size_t count;
    double *bezier;        /* of one piece */
    graze_motion *of_path; /* its motions */
    graze_motion *motions; /* one for each model */
} plan_writer;

static size_t model_values(const void *of, size_t body) {
    const graze_model *const *models = of;
    return models[body]->values;
}

/* ---- text ---- */

static void put_path(gz_text *text, const graze_path *path, size_t values) {
    gz_text_word(text, "\n{\"degree\":");
    gz_text_whole(text, path->degree);
    gz_text_word(text, ",\"knots\":");
    gz_text_doubles(text, path->knots, path->count + path->degree + 1);
    gz_text_word(text, ",\"control\":[");
    for (size_t i = 0; i < path->count; i++) {
        if (i) gz_text_word(text, ",");
        gz_text_doubles(text, path->control + i * values, values);
    }
    gz_text_word(text, "]}");
}

/* The path of a model, or null: it stands at zeros. */
static void put_paths(plan_writer *w) {
    gz_text *text = &w->to.text;
    gz_text_word(text, ",\n\"paths\":[");
    for (size_t m = 0; m < w->count; m++) {
        size_t i = 0;
        while (i < w->cut.count && w->cut.paths[i].body != m) i++;
        if (m) gz_text_word(text, ",");
        if (i < w->cut.count)
            put_path(text, &w->cut.paths[i], w->models[m]->values);
        else
            gz_text_word(text, "null");
    }
    gz_text_word(text, "]");
}

static graze_status put_head(plan_writer *w) {
    gz_text_word(&w->to.text, "{\"format\":\"graze plan certificate 1\",\"separation\":");
    gz_text_double(&w->to.text, w->to.options.min_separation);
    gz_text_models(&w->to.text, w->models, w->count);
    graze_status status = gz_writer_skip(&w->to);
    put_paths(w);
    return status;
}

/* ---- pieces ---- */

static graze_status prove_piece(plan_writer *w, size_t piece, graze_reason *reason) {
    for (size_t m = 0; m < w->count; m++) w->motions[m] = graze_default_motion();
    gz_plan_motions(&w->cut, piece, w->bezier, w->of_path);
    for (size_t i = 0; i < w->cut.count; i++) w->motions[w->cut.paths[i].body] = w->of_path[i];
    return gz_writer_prove(&w->to, gz_motions_from(w->motions, 0), reason);
}

static void stop_at(const plan_writer *w, size_t piece, graze_reason reason, graze_plan_result *result) {
    result->verdict = reason == GRAZE_REASON_NONE ? GRAZE_CLEAR : GRAZE_UNRESOLVED;
    result->reason = reason;
    result->time = w->cut.times[piece];
    result->segment = piece;
    result->segments = w->cut.pieces;
    result->toi = reason == GRAZE_REASON_NONE;
}

static graze_status write_all(plan_writer *w, graze_plan_result *result) {
    graze_reason reason = GRAZE_REASON_NONE;
    graze_status status = put_head(w);
    size_t piece = 0;
    gz_text_word(&w->to.text, ",\n\"pieces\":[");
    for (; piece < w->cut.pieces && status == GRAZE_OK && !w->to.text.failed; piece++) {
        status = prove_piece(w, piece, &reason);
        if (status != GRAZE_OK || reason != GRAZE_REASON_NONE) break;
        gz_text_word(&w->to.text, piece ? ",\n{" : "\n{");
        gz_writer_put_proofs(&w->to);
        gz_text_word(&w->to.text, "}");
    }
    stop_at(w, piece, reason, result);
    if (reason == GRAZE_REASON_NONE) gz_text_word(&w->to.text, "\n]}\n");
    return gz_writer_end(&w->to, status);
}

/* ---- the call ---- */

static graze_status read_options(plan_writer *w, graze_context *context, const graze_articulated_options *given) {
    graze_articulated_options *options = &w->to.options;
    graze_status status = gz_articulated_options_read(context, given, options);
    if (status != GRAZE_OK) return status;
    if (options->check_inside)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX,
                       "a certificate does not cover links that start inside each other");
    if (options->t_max != 1)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "a plan ends with its knots, not at a t_max");
    return GRAZE_OK;
}

static graze_status open_room(plan_writer *w, graze_context *context) {
    w->bezier = gz_allocate_array(context, w->cut.bezier_size, sizeof *w->bezier);
    w->of_path = gz_allocate_array(context, w->cut.count, sizeof *w->of_path);
    w->motions = gz_allocate_array(context, w->count, sizeof *w->motions);
    if (!w->bezier || !w->of_path || !w->motions) return GRAZE_ERR_OUT_OF_MEMORY;
    return gz_writer_open(&w->to, context, w->models, w->count);
}

static void close_room(plan_writer *w, graze_context *context) {
    gz_writer_close(&w->to, context);
    gz_release(context, w->bezier, w->cut.bezier_size * sizeof *w->bezier);
    gz_release(context, w->of_path, w->cut.count * sizeof *w->of_path);
    gz_release(context, w->motions, w->count * sizeof *w->motions);
    gz_plan_close(&w->cut);
}

static graze_status check_models(graze_context *context, const graze_model *const *models, size_t count,
                                 const graze_path *paths, size_t path_count) {
    if (!models || count == 0 || !paths || path_count == 0 || path_count > count)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
                       "no models, no paths, or more paths than models");
    for (size_t i = 0; i < count; i++)
        if (!models[i]) return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, i, "model %zu is NULL", i);
    return GRAZE_OK;
}

static graze_status run(plan_writer *w, graze_context *context, const graze_path *paths, size_t path_count,
                        const graze_articulated_options *options, gz_pieces written, graze_plan_result *result) {
    graze_status status = check_models(context, w->models, w->count, paths, path_count);
    if (status == GRAZE_OK) status = read_options(w, context, options);
    if (status != GRAZE_OK) return status;
    w->cut = (gz_plan){.context = context, .bodies = {w->models, w->count, model_values}, .count = path_count};
    status = gz_plan_open(&w->cut, paths, written);
    if (status == GRAZE_OK) status = open_room(w, context);
    if (status == GRAZE_OK) status = write_all(w, result);
    close_room(w, context);
    return status;
}

graze_status graze_plan_certificate(graze_context *context, const graze_model *const *models, size_t count,
                                    const graze_path *paths, size_t path_count,
                                    const graze_articulated_options *options, graze_write *write, void *user,
                                    graze_plan_result *result) {
    if (!result || gz_sized_check(NULL, "plan result", result, RESULT_LEAST) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    graze_plan_result found = graze_default_plan_result();
    gz_sized_write(result, &found, sizeof found);
    if (!context || !write) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    plan_writer w = {.to = {.text = {.write = write, .user = user}}, .models = models, .count = count};
    status = run(&w, context, paths, path_count, options, gz_bytes_at(result, result->struct_size), &found);
    if (status != GRAZE_OK) found = graze_default_plan_result();
    gz_sized_write(result, &found, sizeof found);
    return gz_context_leave(context, &env, status);
}
