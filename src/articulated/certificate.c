/* graze_articulated_certificate(): models, motions and proofs as one text. */
#include "articulated/proof.h"
#include "articulated/search.h"
#include "articulated/text.h"

#include "base/sizes.h"

#include <math.h>

typedef struct pair_proof {
    uint32_t a, b;
    double contact;
    graze_reason reason;
    gz_proof proof;
} pair_proof;

typedef struct writer {
    gz_scene scene;
    gz_frames *frames; /* one for each worker */
    graze_articulated_options options;
    pair_proof *pairs;
    size_t pair_count, pair_room;
    gz_text text;
} writer;

/* ---- models ---- */

/* Vertices, and faces in the order of the tree's leaves: then its shape need not be written. */
static void put_geometry(gz_text *text, const gz_link *link) {
    gz_text_word(text, ",\"vertices\":[");
    for (uint32_t i = 0; i < link->vertex_count; i++) {
        if (i) gz_text_word(text, ",");
        gz_text_doubles(text, link->vertices[i], 3);
    }
    gz_text_word(text, "],\"faces\":[");
    const char *comma = "";
    for (uint32_t i = 0; i < link->tree.count; i++) {
        const gz_face_node *node = &link->tree.nodes[i];
        if (!gz_face_node_is_leaf(node)) continue;
        gz_text_word(text, comma);
        comma = ",";
        for (int k = 0; k < 3; k++) {
            gz_text_word(text, k ? "," : "[");
            gz_text_whole(text, link->faces[node->face][k]);
        }
        gz_text_word(text, "]");
    }
    gz_text_word(text, "]");
}

static void put_link(gz_text *text, const gz_link *link) {
    static const char *const kinds[] = {"fixed", "revolute", "prismatic", "spherical", "planar", "free"};
    gz_text_word(text, "\n{\"parent\":");
    gz_text_whole(text, link->parent);
    gz_text_word(text, ",\"joint\":\"");
    gz_text_word(text, kinds[link->joint]);
    gz_text_word(text, "\",\"position\":");
    gz_text_doubles(text, link->origin.position, 3);
    gz_text_word(text, ",\"rotation\":");
    gz_text_doubles(text, link->origin.rotation, 4);
    gz_text_word(text, ",\"axis\":");
    gz_text_doubles(text, link->given_axis, 3);
    gz_text_word(text, ",\"padding\":");
    gz_text_double(text, link->padding);
    put_geometry(text, link);
    gz_text_word(text, "}");
}

static void put_models(gz_text *text, const graze_model *const *models, size_t count) {
    gz_text_word(text, ",\"models\":[");
    for (size_t m = 0; m < count; m++) {
        gz_text_word(text, m ? ",{\"links\":[" : "{\"links\":[");
        for (size_t i = 0; i < models[m]->count; i++) {
            if (i) gz_text_word(text, ",");
            put_link(text, &models[m]->links[i]);
        }
        gz_text_word(text, "]}");
    }
    gz_text_word(text, "]");
}

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

/* ---- pairs ---- */

static void put_pair(gz_text *text, uint32_t a, uint32_t b) {
    gz_text_word(text, "[");
    gz_text_whole(text, a);
    gz_text_word(text, ",");
    gz_text_whole(text, b);
    gz_text_word(text, "]");
}

static bool add_pair(writer *to, uint32_t a, uint32_t b) {
    const gz_link *x = to->scene.links[a].link, *y = to->scene.links[b].link;
    if (!gz_grow(to->scene.context, (void **)&to->pairs, &to->pair_room, to->pair_count + 1, sizeof *to->pairs))
        return false;
    double contact = (to->options.min_separation + x->padding + y->padding) * GZ_REACH_UP;
    to->pairs[to->pair_count++] = (pair_proof){.a = a, .b = b, .contact = contact};
    return true;
}

/* All pairs that joints move against each other: those that the mask leaves out are named. */
static graze_status list_pairs(writer *to) {
    size_t links = to->scene.count;
    const char *comma = "";
    gz_text_word(&to->text, ",\n\"skip\":[");
    for (uint32_t a = 0; a < links; a++)
        for (uint32_t b = a + 1; b < links; b++) {
            if (!gz_scene_is_pair(&to->scene, a, b)) continue;
            if (!to->options.link_pairs || to->options.link_pairs[a * links + b]) {
                if (!add_pair(to, a, b)) return GRAZE_ERR_OUT_OF_MEMORY;
                continue;
            }
            gz_text_word(&to->text, comma);
            comma = ",";
            put_pair(&to->text, a, b);
        }
    gz_text_word(&to->text, "]");
    return GRAZE_OK;
}

static void prove_pairs(void *state, size_t begin, size_t end, uint32_t worker) {
    writer *to = state;
    for (size_t i = begin; i < end; i++) {
        pair_proof *pair = &to->pairs[i];
        pair->proof.size = 0;
        pair->reason = gz_prove_apart(&to->frames[worker], pair->a, pair->b, pair->contact, to->options.t_max,
                                      to->options.max_checks, &pair->proof);
    }
}

/* ---- paths ---- */

static void put_path(writer *to, const graze_model *const *models, size_t count, gz_motions motions) {
    gz_text *text = &to->text;
    gz_text_word(text, "\n{\"motions\":[");
    for (size_t m = 0; m < count; m++) {
        if (m) gz_text_word(text, ",");
        graze_motion motion = gz_motion_at(motions, m);
        put_motion(text, models[m], &motion);
    }
    gz_text_word(text, "],\"pairs\":[");
    for (size_t i = 0; i < to->pair_count; i++) {
        gz_text_word(text, i ? ",\n{\"links\":" : "\n{\"links\":");
        put_pair(text, to->pairs[i].a, to->pairs[i].b);
        gz_text_word(text, ",\"proof\":\"");
        gz_text_put(text, to->pairs[i].proof.text, to->pairs[i].proof.size);
        gz_text_word(text, "\"}");
    }
    gz_text_word(text, "]}");
}

static graze_status prove_path(writer *to, gz_motions motions, graze_reason *reason) {
    graze_context *context = to->scene.context;
    graze_status status = gz_scene_move(&to->scene, motions);
    if (status != GRAZE_OK) return status;
    for (uint32_t i = 0; i < context->threads; i++) gz_frames_forget(&to->frames[i]);
    gz_parallel(context, to->pair_count, 1, prove_pairs, to);
    *reason = GRAZE_REASON_NONE;
    for (size_t i = 0; i < to->pair_count && *reason == GRAZE_REASON_NONE; i++) *reason = to->pairs[i].reason;
    return GRAZE_OK;
}

static graze_status open_writer(writer *to, graze_context *context, const graze_model *const *models, size_t count) {
    graze_status status = gz_scene_open(&to->scene, context, models, count);
    to->frames = gz_allocate_array(context, context->threads, sizeof *to->frames);
    if (!to->frames) return GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < context->threads; i++) to->frames[i] = (gz_frames){0};
    for (uint32_t i = 0; i < context->threads && status == GRAZE_OK; i++)
        status = gz_frames_open(&to->frames[i], &to->scene);
    return status;
}

static void close_writer(writer *to, graze_context *context) {
    for (size_t i = 0; i < to->pair_count; i++) gz_proof_release(context, &to->pairs[i].proof);
    gz_release(context, to->pairs, to->pair_room * sizeof *to->pairs);
    for (uint32_t i = 0; to->frames && i < context->threads; i++) gz_frames_close(&to->frames[i]);
    gz_release(context, to->frames, context->threads * sizeof *to->frames);
    gz_scene_close(&to->scene);
}

static void put_head(writer *to, const graze_model *const *models, size_t count) {
    gz_text_word(&to->text, "{\"format\":\"graze path certificate 1\",\"separation\":");
    gz_text_double(&to->text, to->options.min_separation);
    gz_text_word(&to->text, ",\"t_max\":");
    gz_text_double(&to->text, to->options.t_max);
    put_models(&to->text, models, count);
}

/* *path is the one without a proof, or `paths`. */
static graze_status write_all(writer *to, const graze_model *const *models, size_t count, const graze_motion *motions,
                              size_t paths, size_t *path, graze_reason *reason) {
    put_head(to, models, count);
    graze_status status = list_pairs(to);
    gz_text_word(&to->text, ",\n\"paths\":[");
    for (*path = 0; *path < paths && status == GRAZE_OK; ++*path) {
        gz_motions of_path = gz_motions_from(motions, *path * count);
        status = prove_path(to, of_path, reason);
        if (status != GRAZE_OK || *reason != GRAZE_REASON_NONE) return status;
        if (*path) gz_text_word(&to->text, ",");
        put_path(to, models, count, of_path);
        if (to->text.failed) break;
    }
    gz_text_word(&to->text, "\n]}\n");
    gz_text_flush(&to->text);
    return to->text.failed ? GRAZE_ERR_CALLBACK : status;
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

/* The format has one padding for each link. */
static graze_status check_radii(graze_context *context, const graze_model *const *models, size_t count) {
    for (size_t m = 0, first = 0; m < count; first += models[m++]->count)
        for (size_t i = 0; i < models[m]->count; i++)
            if (models[m]->links[i].radii)
                return gz_fail(context, GRAZE_ERR_UNSUPPORTED, first + i,
                               "model %zu, link %zu: no certificate holds meshes of several radii", m, i);
    return GRAZE_OK;
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
                                    writer *to, graze_articulated_result *results) {
    graze_status status = gz_articulated_options_check(context, models, count, motions, given, &to->options);
    size_t path = paths;
    graze_reason reason = GRAZE_REASON_NONE;
    if (status == GRAZE_OK && to->options.check_inside)
        status = gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "no certificate says what starts inside of what");
    if (status == GRAZE_OK) status = check_kinds(context, motions, paths * count);
    if (status == GRAZE_OK) status = check_radii(context, models, count);
    if (status == GRAZE_OK) status = open_writer(to, context, models, count);
    if (status == GRAZE_OK) status = write_all(to, models, count, motions, paths, &path, &reason);
    if (status == GRAZE_OK && path < paths) {
        graze_articulated_result open = graze_default_articulated_result();
        open.reason = reason;
        gz_sized_write(result_at(results, path), &open, sizeof open);
    }
    close_writer(to, context);
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
    writer to = {.text = {.write = write, .user = user}};
    status = prove_and_write(context, models, count, motions, paths, options, &to, results);
    if (status != GRAZE_OK) close_results(results, paths);
    return gz_context_leave(context, &env, status);
}
