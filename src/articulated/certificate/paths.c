/* graze_articulated_certificate(): models, motions and proofs as one text. */
#include "articulated/certificate/writer.h"
#include "articulated/search.h"

#include "base/sizes.h"

#include <math.h>

/* ---- motions ---- */

/* NULL: zeros. */
static void put_values(gz_text *text, const char *name, const double *values, size_t count) {
    gz_text_word(text, name);
    for (size_t i = 0; i < count; i++) {
        gz_text_word(text, i ? "," : "[");
        gz_text_double(text, values ? values[i] : 0);
    }
    gz_text_word(text, count ? "]" : "[]");
}

/* A turn that is not given is null. */
static void put_turns(gz_text *text, const double (*turns)[3], size_t links) {
    gz_text_word(text, ",\"turns\":[");
    for (size_t i = 0; i < links; i++) {
        if (i) gz_text_word(text, ",");
        if (isnan(turns[i][0]) || isnan(turns[i][1]) || isnan(turns[i][2]))
            gz_text_word(text, "null");
        else
            gz_text_doubles(text, turns[i], 3);
    }
    gz_text_word(text, "]");
}

static void put_screws(gz_text *text, const uint8_t *screws, size_t links) {
    gz_text_word(text, ",\"screws\":[");
    for (size_t i = 0; i < links; i++) {
        if (i) gz_text_word(text, ",");
        gz_text_word(text, screws[i] ? "1" : "0");
    }
    gz_text_word(text, "]");
}

static void put_motion(gz_text *text, const graze_model *model, const graze_motion *motion) {
    if (motion->cubic) {
        gz_text_word(text, "{\"cubic\":[");
        for (size_t i = 0; i < model->values; i++) {
            if (i) gz_text_word(text, ",");
            gz_text_doubles(text, motion->cubic[i], 4);
        }
        gz_text_word(text, "]}");
        return;
    }
    put_values(text, "{\"from\":", motion->from, model->values);
    put_values(text, ",\"to\":", motion->to, model->values);
    if (motion->turns) put_turns(text, motion->turns, model->count);
    if (motion->screws) put_screws(text, motion->screws, model->count);
    gz_text_word(text, "}");
}

/* ---- paths ---- */

static void put_path(gz_writer *to, const graze_model *const *models, size_t count, gz_motions motions) {
    gz_text *text = &to->text;
    gz_text_word(text, "\n{\"motions\":[");
    for (size_t m = 0; m < count; m++) {
        if (m) gz_text_word(text, ",");
        graze_motion motion = gz_motion_at(motions, m);
        put_motion(text, models[m], &motion);
    }
    gz_text_word(text, "],");
    gz_writer_put_proofs(to);
    gz_text_word(text, "}");
}

static void put_head(gz_writer *to, const graze_model *const *models, size_t count) {
    gz_text_word(&to->text, "{\"format\":\"graze path certificate 1\",\"separation\":");
    gz_text_double(&to->text, to->options.min_separation);
    gz_text_word(&to->text, ",\"t_max\":");
    gz_text_double(&to->text, to->options.t_max);
    gz_text_models(&to->text, models, count);
}

/* *path is the one without a proof, or `paths`. */
static graze_status write_all(gz_writer *to, const graze_model *const *models, size_t count,
                              const graze_motion *motions, size_t paths, size_t *path, graze_reason *reason) {
    put_head(to, models, count);
    graze_status status = gz_writer_skip(to);
    gz_text_word(&to->text, ",\n\"paths\":[");
    for (*path = 0; *path < paths && status == GRAZE_OK; ++*path) {
        gz_motions of_path = gz_motions_from(motions, *path * count);
        status = gz_writer_prove(to, of_path, reason);
        if (status != GRAZE_OK || *reason != GRAZE_REASON_NONE) return status;
        if (*path) gz_text_word(&to->text, ",");
        put_path(to, models, count, of_path);
        if (to->text.failed) break;
    }
    gz_text_word(&to->text, "\n]}\n");
    return gz_writer_end(to, status);
}

/* ---- the call ---- */

static graze_articulated_result *result_at(graze_articulated_result *results, size_t path) {
    return (graze_articulated_result *)(void *)((char *)results + path * results->struct_size);
}

static bool all_clear(graze_articulated_result *results, size_t paths) {
    for (size_t p = 0; p < paths; p++)
        if (result_at(results, p)->verdict != GRAZE_CLEAR) return false;
    return true;
}

/* The format has lines, cubics, turns and screws. */
static graze_status check_kinds(graze_context *context, const graze_motion *motions, size_t count) {
    for (size_t i = 0; i < count; i++) {
        graze_motion motion = gz_motion_at(gz_motions_from(motions, i), 0);
        if (motion.bezier)
            return gz_fail(context, GRAZE_ERR_UNSUPPORTED, i, "motion %zu: no certificate holds Bézier values", i);
        if (motion.rotvecs)
            return gz_fail(context, GRAZE_ERR_UNSUPPORTED, i,
                           "motion %zu: no certificate holds straight rotation vectors", i);
    }
    return GRAZE_OK;
}

static graze_status prove_and_write(graze_context *context, const graze_model *const *models, size_t count,
                                    const graze_motion *motions, size_t paths, const graze_articulated_options *given,
                                    gz_writer *to, graze_articulated_result *results) {
    graze_status status = gz_articulated_options_check(context, models, count, motions, given, &to->options);
    size_t path = paths;
    graze_reason reason = GRAZE_REASON_NONE;
    if (status == GRAZE_OK && to->options.check_inside)
        status = gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX,
                         "a certificate does not cover links that start inside each other");
    if (status == GRAZE_OK) status = check_kinds(context, motions, paths * count);
    if (status == GRAZE_OK) status = gz_writer_open(to, context, models, count);
    if (status == GRAZE_OK) status = write_all(to, models, count, motions, paths, &path, &reason);
    if (status == GRAZE_OK && path < paths) {
        graze_articulated_result open = graze_default_articulated_result();
        open.reason = reason;
        gz_sized_write(result_at(results, path), &open, sizeof open);
    }
    gz_writer_close(to, context);
    return status;
}

static void close_results(graze_articulated_result *results, size_t paths) {
    graze_articulated_result closed = graze_default_articulated_result();
    for (size_t p = 0; p < paths; p++) gz_sized_write(result_at(results, p), &closed, sizeof closed);
}

graze_status graze_articulated_certificate(graze_context *context, const graze_model *const *models, size_t count,
                                           const graze_motion *motions, size_t paths,
                                           const graze_articulated_options *options, graze_write *write, void *user,
                                           graze_articulated_result *results) {
    graze_status status = graze_articulated_batch(context, models, count, motions, paths, options, results);
    if (status != GRAZE_OK) return status;
    if (!write) {
        close_results(results, paths);
        return GRAZE_ERR_INVALID_ARGUMENT;
    }
    if (!all_clear(results, paths)) return GRAZE_OK;
    gz_fp_environment env;
    status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    gz_writer to = {.text = {.write = write, .user = user}};
    status = prove_and_write(context, models, count, motions, paths, options, &to, results);
    if (status != GRAZE_OK) close_results(results, paths);
    return gz_context_leave(context, &env, status);
}
