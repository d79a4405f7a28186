#include "world/motions.h"

#include "articulated/world/pose.h"
#include "base/overlap.h"
#include "mesh/mesh.h"
#include "step/call.h"
#include "world/rigid.h"

#include <math.h>
#include <string.h>

/* ---- positions ---- */

static const double *position(const gz_mover *mover, int k, uint32_t v) {
    return (const double *)(const void *)(mover->x[k] + mover->stride * v);
}

static graze_status check_positions(graze_context *context, const gz_mover *mover, const char *name, const char *x) {
    const gz_unit *unit = mover->unit;
    if (!x)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, unit->body, "body %u: no positions %s", unit->body, name);
    graze_status status = gz_positions_check(context, name, x, mover->stride, unit->mesh.vertex_count, 0);
    if (status == GRAZE_OK) return status;
    graze_error why = context->error;
    return gz_fail(context, status, unit->body, "body %u: %s", unit->body, why.message);
}

static graze_status take_positions(graze_context *context, const graze_body_motion *motion, gz_mover *mover) {
    static const char *const names[4] = {"control 0", "control 1", "control 2", "control 3"};
    bool cubic = mover->unit->kind == GZ_UNIT_CUBIC;
    graze_status status = GRAZE_OK;
    for (int k = 0; k < 4; k++)
        mover->x[k] = (const char *)(cubic ? motion->control[k] : k == 0 ? motion->x0 : k == 3 ? motion->x1 : NULL);
    mover->stride = motion->stride;
    status = gz_stride_read(context, &mover->stride, mover->unit->mesh.vertex_count);
    for (int k = 0; k < 4 && status == GRAZE_OK; k++)
        if (cubic || k == 0 || k == 3)
            status = check_positions(context, mover, cubic ? names[k] : k ? "x1" : "x0", mover->x[k]);
    return status;
}

void gz_affine_rows(const double m[3][4], const double (*rest)[3], uint32_t count, double (*to)[3]) {
    for (uint32_t v = 0; v < count; v++)
        for (int i = 0; i < 3; i++)
            to[v][i] = m[i][0] * rest[v][0] + m[i][1] * rest[v][1] + m[i][2] * rest[v][2] + m[i][3];
}

/* ---- the joined mesh of all that moves straight ---- */

static void copy_positions(const gz_mover *mover, int k, double (*to)[3]) {
    for (uint32_t v = 0; v < mover->unit->mesh.vertex_count; v++) memcpy(to[v], position(mover, k, v), sizeof to[v]);
}

static graze_status put_affine(gz_movers *movers, const graze_body_motion *motion, gz_mover *mover, double (*x0)[3],
                               double (*x1)[3]) {
    uint32_t count = mover->unit->mesh.vertex_count;
    gz_affine_rows(motion->matrix0, mover->unit->rest, count, x0);
    gz_affine_rows(motion->matrix1, mover->unit->rest, count, x1);
    mover->x[0] = (const char *)x0;
    mover->x[3] = (const char *)x1;
    mover->stride = sizeof *x0;
    graze_status status = check_positions(movers->context, mover, "by matrix0", mover->x[0]);
    return status == GRAZE_OK ? check_positions(movers->context, mover, "by matrix1", mover->x[3]) : status;
}

static graze_status put_straight(gz_movers *movers, const graze_body_motion *motion, gz_mover *mover) {
    const gz_unit *unit = mover->unit;
    double(*x0)[3] = movers->straight + unit->straight.vertices;
    double(*x1)[3] = x0 + movers->world->units.joined.vertex_count;
    if (unit->kind == GZ_UNIT_AFFINE) return put_affine(movers, motion, mover, x0, x1);
    if (unit->kind == GZ_UNIT_STILL) {
        mover->x[0] = mover->x[3] = (const char *)unit->rest;
        mover->stride = sizeof *unit->rest;
    } else {
        graze_status status = take_positions(movers->context, motion, mover);
        if (status != GRAZE_OK) return status;
    }
    copy_positions(mover, 0, x0);
    copy_positions(mover, 3, x1);
    return GRAZE_OK;
}

/* ---- one mover ---- */

static graze_status set_motion(gz_movers *movers, const graze_body_motion *motion, gz_mover *mover) {
    const gz_unit *unit = mover->unit;
    const char *why = "";
    if (gz_unit_is_straight(unit)) return put_straight(movers, motion, mover);
    if (unit->kind == GZ_UNIT_CUBIC) return take_positions(movers->context, motion, mover);
    if (unit->kind == GZ_UNIT_LINK) return GRAZE_OK;
    graze_status status = gz_rigid_motion(motion, &mover->joint, &why);
    mover->spin = mover->joint.spin;
    return status == GRAZE_OK ? status : gz_fail(movers->context, status, unit->body, "body %u: %s", unit->body, why);
}

static double size_of(const gz_mover *mover) {
    double most = 0;
    if (gz_unit_has_frame(mover->unit)) return mover->unit->size;
    for (int c = 0; c < 3; c++) {
        double lo = INFINITY, hi = -INFINITY;
        for (uint32_t v = 0; v < mover->unit->mesh.vertex_count; v++) {
            double x = position(mover, 0, v)[c];
            lo = fmin(lo, x);
            hi = fmax(hi, x);
        }
        most = fmax(most, 0.5 * (hi - lo));
    }
    return most;
}

/* ---- all of them ---- */

/* Which motion moves a body: SIZE_MAX for none. Motions of one body after the first are refused. */
static graze_status find_motions(graze_context *context, const graze_world *world, const graze_body_motion *motions,
                                 size_t count, size_t *of_body) {
    for (size_t b = 0; b < world->body_count; b++) of_body[b] = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        uint32_t body = gz_body_motion_at(motions, i).body;
        if (of_body[body] != SIZE_MAX)
            return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, i, "motion %zu: body %u already has one", i, body);
        of_body[body] = i;
    }
    return GRAZE_OK;
}

static graze_status set_motions(gz_movers *movers, const graze_body_motion *motions, const size_t *of_body) {
    const gz_units *units = &movers->world->units;
    graze_status status = GRAZE_OK;
    for (size_t i = 0; i < units->count && status == GRAZE_OK; i++) {
        gz_mover *mover = &movers->list[movers->count++];
        size_t at = of_body[units->list[i].body];
        graze_body_motion motion = at == SIZE_MAX ? graze_default_body_motion() : gz_body_motion_at(motions, at);
        *mover = (gz_mover){.unit = &units->list[i]};
        status = set_motion(movers, &motion, mover);
        if (status == GRAZE_OK && units->curved) mover->size = size_of(mover);
    }
    return status;
}

static bool has_links(const gz_units *units) {
    for (size_t i = 0; i < units->count; i++)
        if (units->list[i].kind == GZ_UNIT_LINK) return true;
    return false;
}

static double spin_of(const gz_scene *scene, uint32_t link) {
    double spin = 0;
    for (int32_t at = (int32_t)link; at >= 0; at = gz_scene_at(scene, (size_t)at)->parent)
        spin += gz_scene_at(scene, (size_t)at)->joint.spin;
    return spin;
}

/* Joints of models, and frames of their links for every worker. */
static graze_status open_links(gz_movers *movers, const graze_body_motion *motions, size_t count) {
    graze_context *context = movers->context;
    movers->search = gz_kept_search(context);
    if (!movers->search) return GRAZE_ERR_OUT_OF_MEMORY;
    graze_status status = gz_search_reopen_world(movers->search, context, movers->world, &movers->options);
    if (status != GRAZE_OK) return status;
    status = gz_scene_move(&movers->search->scene, gz_world_motions(movers->search, motions, 0, count));
    if (status != GRAZE_OK) return status;
    movers->frames = gz_allocate_array(context, context->threads, sizeof *movers->frames);
    if (!movers->frames) return GRAZE_ERR_OUT_OF_MEMORY;
    memset(movers->frames, 0, context->threads * sizeof *movers->frames);
    for (uint32_t i = 0; i < context->threads && status == GRAZE_OK; i++)
        status = gz_frames_open(&movers->frames[i], &movers->search->scene);
    for (size_t i = 0; i < movers->count && status == GRAZE_OK; i++)
        if (movers->list[i].unit->kind == GZ_UNIT_LINK)
            movers->list[i].spin = spin_of(&movers->search->scene, movers->list[i].unit->place);
    return status;
}

/* Room for the boxes of all vertices that no tree has, where some unit is curved. */
static graze_status open_boxes(gz_movers *movers) {
    for (size_t i = 0; i < movers->count; i++)
        if (!movers->list[i].unit->nodes) movers->box_count += movers->list[i].unit->mesh.vertex_count;
    movers->boxes = gz_allocate_array(movers->context, movers->box_count, sizeof *movers->boxes);
    if (!movers->boxes) return GRAZE_ERR_OUT_OF_MEMORY;
    gz_box *at = movers->boxes;
    for (size_t i = 0; i < movers->count; i++) {
        if (movers->list[i].unit->nodes) continue;
        movers->list[i].boxes = at;
        at += movers->list[i].unit->mesh.vertex_count;
    }
    return GRAZE_OK;
}

static graze_status open_room(gz_movers *movers) {
    const gz_units *units = &movers->world->units;
    size_t vertices = 2 * (size_t)units->joined.vertex_count;
    movers->list = gz_allocate_array(movers->context, units->count, sizeof *movers->list);
    if (!movers->list) return GRAZE_ERR_OUT_OF_MEMORY;
    if (units->straight) movers->straight = gz_allocate_array(movers->context, vertices, sizeof *movers->straight);
    return units->straight && !movers->straight ? GRAZE_ERR_OUT_OF_MEMORY : GRAZE_OK;
}

graze_status gz_movers_open(gz_movers *movers, graze_context *context, const graze_world *world,
                            const graze_body_motion *motions, size_t count, const graze_articulated_options *options) {
    *movers = (gz_movers){.context = context, .world = world, .options = *options};
    movers->grow = gz_half_up(fmax(options->min_separation, gz_units_margin(world)));
    size_t *of_body = gz_allocate_array(context, world->body_count, sizeof *of_body);
    if (!of_body) return GRAZE_ERR_OUT_OF_MEMORY;
    graze_status status = open_room(movers);
    if (status == GRAZE_OK) status = find_motions(context, world, motions, count, of_body);
    if (status == GRAZE_OK) status = set_motions(movers, motions, of_body);
    if (status == GRAZE_OK && has_links(&world->units)) status = open_links(movers, motions, count);
    if (status == GRAZE_OK && world->units.curved) status = open_boxes(movers);
    gz_release(context, of_body, world->body_count * sizeof *of_body);
    return status;
}

void gz_movers_close(gz_movers *movers) {
    graze_context *context = movers->context;
    const gz_units *units = &movers->world->units;
    for (uint32_t i = 0; movers->frames && i < context->threads; i++) gz_frames_close(&movers->frames[i]);
    gz_release(context, movers->frames, context->threads * sizeof *movers->frames);
    gz_release(context, movers->boxes, movers->box_count * sizeof *movers->boxes);
    gz_release(context, movers->straight, 2 * (size_t)units->joined.vertex_count * sizeof *movers->straight);
    gz_release(context, movers->list, units->count * sizeof *movers->list);
}

const gz_frame_model *gz_mover_frame(gz_movers *movers, uint32_t worker, const gz_mover *mover, gz_span span,
                                     gz_frame_model *room) {
    if (mover->unit->kind == GZ_UNIT_LINK) {
        gz_frames *frames = &movers->frames[worker];
        gz_frames_over(frames, gz_span_window(span));
        return gz_frames_world(frames, mover->unit->place);
    }
    gz_joint_frame(movers->context->kernels, &mover->joint, gz_span_window(span), false, room);
    return room;
}
