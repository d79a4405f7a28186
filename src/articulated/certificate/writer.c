/* Scene, threads and texts of a certificate. */
#include "articulated/certificate/writer.h"

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

void gz_text_models(gz_text *text, const graze_model *const *models, size_t count) {
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

/* ---- pairs ---- */

void gz_text_pair(gz_text *text, uint32_t a, uint32_t b) {
    gz_text_word(text, "[");
    gz_text_whole(text, a);
    gz_text_word(text, ",");
    gz_text_whole(text, b);
    gz_text_word(text, "]");
}

static bool add_pair(gz_writer *to, uint32_t a, uint32_t b) {
    const gz_link *x = to->scene.links[a].link, *y = to->scene.links[b].link;
    if (!gz_grow(to->scene.context, (void **)&to->pairs, &to->pair_room, to->pair_count + 1, sizeof *to->pairs))
        return false;
    double contact = (to->options.min_separation + x->padding + y->padding) * GZ_REACH_UP;
    to->pairs[to->pair_count++] = (gz_pair_proof){.a = a, .b = b, .contact = contact};
    return true;
}

/* All pairs that joints move against each other: those that the mask leaves out are named. */
graze_status gz_writer_skip(gz_writer *to) {
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
            gz_text_pair(&to->text, a, b);
        }
    gz_text_word(&to->text, "]");
    return GRAZE_OK;
}

static void prove_pairs(void *state, size_t begin, size_t end, uint32_t worker) {
    gz_writer *to = state;
    for (size_t i = begin; i < end; i++) {
        gz_pair_proof *pair = &to->pairs[i];
        pair->proof.size = 0;
        pair->reason = gz_prove_apart(&to->frames[worker], pair->a, pair->b, pair->contact, to->options.t_max,
                                      to->options.max_checks, &pair->proof);
    }
}

graze_status gz_writer_prove(gz_writer *to, gz_motions motions, graze_reason *reason) {
    graze_context *context = to->scene.context;
    graze_status status = gz_scene_move(&to->scene, motions);
    if (status != GRAZE_OK) return status;
    for (uint32_t i = 0; i < context->threads; i++) gz_frames_forget(&to->frames[i]);
    gz_parallel(context, to->pair_count, 1, prove_pairs, to);
    *reason = GRAZE_REASON_NONE;
    for (size_t i = 0; i < to->pair_count && *reason == GRAZE_REASON_NONE; i++) *reason = to->pairs[i].reason;
    return GRAZE_OK;
}

void gz_writer_put_proofs(gz_writer *to) {
    gz_text *text = &to->text;
    gz_text_word(text, "\"pairs\":[");
    for (size_t i = 0; i < to->pair_count; i++) {
        gz_text_word(text, i ? ",\n{\"links\":" : "\n{\"links\":");
        gz_text_pair(text, to->pairs[i].a, to->pairs[i].b);
        gz_text_word(text, ",\"proof\":\"");
        gz_text_put(text, to->pairs[i].proof.text, to->pairs[i].proof.size);
        gz_text_word(text, "\"}");
    }
    gz_text_word(text, "]");
}

graze_status gz_writer_end(gz_writer *to, graze_status status) {
    gz_text_flush(&to->text);
    return to->text.failed ? GRAZE_ERR_CALLBACK : status;
}

/* ---- memory ---- */

graze_status gz_writer_check(graze_context *context, const graze_model *const *models, size_t count) {
    for (size_t m = 0, first = 0; m < count; first += models[m++]->count)
        for (size_t i = 0; i < models[m]->count; i++)
            if (models[m]->links[i].radii)
                return gz_fail(context, GRAZE_ERR_UNSUPPORTED, first + i,
                               "model %zu, link %zu: no certificate holds meshes of several radii", m, i);
    return GRAZE_OK;
}

graze_status gz_writer_open(gz_writer *to, graze_context *context, const graze_model *const *models, size_t count) {
    graze_status status = gz_writer_check(context, models, count);
    if (status == GRAZE_OK) status = gz_scene_open(&to->scene, context, models, count);
    if (status != GRAZE_OK) return status;
    to->frames = gz_allocate_array(context, context->threads, sizeof *to->frames);
    if (!to->frames) return GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < context->threads; i++) to->frames[i] = (gz_frames){0};
    for (uint32_t i = 0; i < context->threads && status == GRAZE_OK; i++)
        status = gz_frames_open(&to->frames[i], &to->scene);
    return status;
}

void gz_writer_close(gz_writer *to, graze_context *context) {
    for (size_t i = 0; i < to->pair_count; i++) gz_proof_release(context, &to->pairs[i].proof);
    gz_release(context, to->pairs, to->pair_room * sizeof *to->pairs);
    for (uint32_t i = 0; to->frames && i < context->threads; i++) gz_frames_close(&to->frames[i]);
    gz_release(context, to->frames, context->threads * sizeof *to->frames);
    gz_scene_close(&to->scene);
}
