#include "world/worlds_backend.h"

#include "step/call.h"
#include "step/mesh_pair.h"
#include "step/on_backend.h"
#include "step/step.h"
#include "world/answer.h"
#include "world/worlds_joined.h"

#include <math.h>
#include <string.h>

const char *gz_worlds_unsuited(const gz_worlds_call *call) {
    if (call->context->options.backend != GRAZE_BACKEND_CUDA) return "the context was made for another back end";
    if (!call->worlds->joined) return call->worlds->not_joined;
    return call->options->mode == GRAZE_ARTICULATED_EARLIEST ? NULL : "it knows mode earliest only";
}

/* ---- where positions are ---- */

typedef struct asked_worlds {
    const gz_worlds_call *call;
    const gz_joined_worlds *joined;
    gz_backend_piece *pieces;
    double (*affine)[3]; /* x0, then x1, of all AFFINE bodies */
    bool wrong;          /* a motion is, or is missing */
} asked_worlds;

static void put_affine(const asked_worlds *a, const gz_joined_piece *from, const graze_body_motion *motion,
                       gz_backend_piece *piece) {
    double(*x0)[3] = a->affine + from->affine, (*x1)[3] = x0 + a->joined->affine;
    gz_affine_rows(motion->matrix0, from->unit->rest, piece->count, x0);
    gz_affine_rows(motion->matrix1, from->unit->rest, piece->count, x1);
    piece->x0 = (const char *)x0;
    piece->x1 = (const char *)x1;
}

static bool put_straight(const asked_worlds *a, const graze_body_motion *motion, gz_backend_piece *piece) {
    piece->x0 = (const char *)motion->x0;
    piece->x1 = (const char *)motion->x1;
    piece->stride = motion->stride;
    if (a->call->on_device) piece->place = GZ_PIECE_ON_DEVICE;
    return piece->x0 && piece->x1 && gz_stride_read(a->call->context, &piece->stride, piece->count) == GRAZE_OK;
}

static void put_pieces(asked_worlds *a) {
    for (size_t i = 0; i < a->joined->piece_count && !a->wrong; i++) {
        const gz_joined_piece *from = &a->joined->pieces[i];
        size_t at = a->call->of_body[from->body];
        a->pieces[i] = from->piece;
        if (from->piece.place == GZ_PIECE_STAYS) continue;
        graze_body_motion motion =
            at == SIZE_MAX ? graze_default_body_motion() : gz_body_motion_at(a->call->motions, at);
        if (from->unit->kind == GZ_UNIT_AFFINE)
            put_affine(a, from, &motion, &a->pieces[i]);
        else
            a->wrong = !put_straight(a, &motion, &a->pieces[i]);
    }
}

/* ---- what each world is told ---- */

static void write_one(const gz_worlds_call *call, size_t world, const graze_articulated_result *result) {
    call->statuses[world] = GRAZE_OK;
    gz_sized_write(call->results + world * call->stride, result, sizeof *result);
}

static void write_all(const gz_worlds_call *call, bool cancelled) {
    graze_articulated_result result = graze_default_articulated_result();
    if (cancelled) {
        result.reason = GRAZE_REASON_CANCELLED;
    } else {
        result.verdict = GRAZE_CLEAR;
        result.toi = call->options->t_max;
    }
    for (size_t w = 0; w < call->worlds->count; w++) write_one(call, w, &result);
}

static uint32_t first_of(graze_kind kind, const gz_offsets *at) { return kind == GRAZE_EE ? at->edges : at->vertices; }

/* Of a world: the pair as its own mesh counts it. */
static graze_pair_result in_world(const gz_offsets *at, const graze_pair_result *pair) {
    graze_pair_result own = *pair;
    own.pair.a -= first_of(pair->pair.kind, at);
    own.pair.b -= pair->pair.kind == GRAZE_VF ? at->faces : pair->pair.kind == GRAZE_PP ? at->vertices : at->edges;
    return own;
}

static void write_contact(const gz_worlds_call *call, size_t world, const graze_pair_result *pair) {
    const gz_one_world *one = &call->worlds->list[world];
    graze_pair_result own = in_world(&call->worlds->joined->first[world], pair);
    gz_near_pair near = gz_near_of_straight(&one->world->units, own.pair);
    graze_articulated_result result = graze_default_articulated_result();
    result.contact = gz_unit_contact(&one->world->units, &near, &own.result);
    result.contact.model_a = one->bodies[result.contact.model_a];
    result.contact.model_b = one->bodies[result.contact.model_b];
    result.has_contact = 1;
    result.verdict = own.result.verdict;
    result.reason = own.result.reason;
    result.toi = own.result.toi;
    result.toi_upper = own.result.toi_upper;
    write_one(call, world, &result);
}

/* The pairs are sorted by kind, then a, and so by world within each kind. */
static graze_status write_first(const gz_worlds_call *call, const graze_pair_result *pairs, size_t count) {
    const gz_offsets *first = call->worlds->joined->first;
    size_t worlds = call->worlds->count;
    const graze_pair_result **least = gz_allocate_array(call->context, worlds, sizeof *least);
    if (!least) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t w = 0; w < worlds; w++) least[w] = NULL;
    size_t world = 0;
    for (size_t i = 0; i < count; i++) {
        graze_kind kind = pairs[i].pair.kind;
        if (i && kind != pairs[i - 1].pair.kind) world = 0;
        while (first_of(kind, &first[world + 1]) <= pairs[i].pair.a) world++;
        if (!least[world] || gz_pair_before(&pairs[i], least[world])) least[world] = &pairs[i];
    }
    for (size_t w = 0; w < worlds; w++)
        if (least[w]) write_contact(call, w, least[w]);
    gz_release(call->context, least, worlds * sizeof *least);
    return GRAZE_OK;
}

/* ---- the step ---- */

static graze_status open_step(const asked_worlds *a, graze_options *narrow, gz_step_call *step, gz_backend **backend) {
    const graze_articulated_options *given = a->call->options;
    const double(*nowhere)[3] = (const double(*)[3])a->pieces; /* positions are those of the pieces */
    graze_step_options options = graze_default_step_options();
    *narrow = graze_default_options();
    narrow->min_separation = given->min_separation;
    narrow->t_max = given->t_max;
    narrow->tolerance = given->tolerance;
    options.narrow = narrow;
    options.mode = GRAZE_STEP_ALL;
    options.positions_in = GRAZE_MEMORY_DEVICE;
    options.stream = a->call->stream;
    graze_status status = gz_step_read(a->call->context, &a->joined->mesh, nowhere, nowhere, &options, step);
    if (status == GRAZE_OK) status = gz_step_choose_backend(step, backend);
    return status == GRAZE_OK ? gz_step_open_narrow(step) : status;
}

static graze_status run_step(const asked_worlds *a, bool *answered, const double (**rows)[3]) {
    const gz_backend_worlds worlds = {a->joined->serial, (uint32_t)a->call->worlds->count, a->joined->first_vertex,
                                      a->pieces, a->joined->piece_count};
    graze_options narrow;
    gz_step_call step;
    gz_backend *backend;
    graze_step_result found = graze_default_step_result();
    bool cancelled = false;
    graze_status status = open_step(a, &narrow, &step, &backend);
    if (status == GRAZE_OK) status = gz_worlds_on_backend(&step, backend, &worlds, &found, &cancelled);
    if (status == GRAZE_ERR_NOT_FINITE || status == GRAZE_ERR_OUT_OF_RANGE) {
        *rows = (const double(*)[3])(const void *)step.positions.x0;
        status = GRAZE_OK;
    } else if (status == GRAZE_OK) {
        *answered = true;
        write_all(a->call, cancelled);
        if (!cancelled) status = write_first(a->call, found.pairs, found.pair_count);
    }
    graze_step_release(a->call->context, &found);
    return status;
}

graze_status gz_worlds_by_backend(const gz_worlds_call *call, bool *answered, const double (**rows)[3]) {
    graze_context *context = call->context;
    asked_worlds a = {.call = call, .joined = call->worlds->joined};
    size_t pieces = a.joined->piece_count, affine = 2 * (size_t)a.joined->affine;
    *answered = false;
    *rows = NULL;
    a.pieces = gz_allocate_array(context, pieces, sizeof *a.pieces);
    if (affine) a.affine = gz_allocate_array(context, affine, sizeof *a.affine);
    graze_status status = !a.pieces || (affine && !a.affine) ? GRAZE_ERR_OUT_OF_MEMORY : GRAZE_OK;
    if (status == GRAZE_OK) put_pieces(&a);
    if (status == GRAZE_OK && !a.wrong) status = run_step(&a, answered, rows);
    gz_release(context, a.pieces, pieces * sizeof *a.pieces);
    gz_release(context, a.affine, affine * sizeof *a.affine);
    return status;
}

void gz_worlds_read_rows(const gz_worlds_call *call, const double (*rows)[3], graze_body_motion *motions) {
    const gz_joined_worlds *joined = call->worlds->joined;
    for (size_t i = 0; i < joined->piece_count; i++) {
        const gz_joined_piece *from = &joined->pieces[i];
        size_t at = call->of_body[from->body];
        if (from->unit->kind != GZ_UNIT_STRAIGHT || at == SIZE_MAX) continue;
        motions[at].x0 = rows + from->piece.first;
        motions[at].x1 = motions[at].x0 + joined->mesh.vertex_count;
        motions[at].stride = sizeof *rows;
    }
}
