#include "step/distance/kept_near.h"

#include "numerics/error_bounds.h"
#include "pair/swept.h"

#include <math.h>
#include <string.h>

/* Choices: a list is to serve that many calls, and pays where these move by no more than the distance. */
#define SERVES 8
#define LEAST_SHARE 0.125

/* ---- the mesh that a list belongs to ---- */

typedef struct part {
    const void *from;
    size_t bytes;
} part;

enum { PARTS = 7 };

static void list_parts(const graze_mesh *mesh, const double *radii, part parts[PARTS]) {
    size_t groups = mesh->group_pairs ? (size_t)mesh->group_count * mesh->group_count : 0;
    parts[0] = (part){mesh->edges, mesh->edge_count * sizeof *mesh->edges};
    parts[1] = (part){mesh->faces, mesh->face_count * sizeof *mesh->faces};
    parts[2] = (part){mesh->codim_edges, mesh->codim_edge_count * sizeof *mesh->codim_edges};
    parts[3] = (part){mesh->codim_points, mesh->codim_point_count * sizeof *mesh->codim_points};
    parts[4] = (part){mesh->groups, mesh->groups ? mesh->vertex_count * sizeof *mesh->groups : 0};
    parts[5] = (part){mesh->group_pairs, groups};
    parts[6] = (part){radii, radii ? mesh->vertex_count * sizeof *radii : 0};
}

static void make_head(const gz_step_call *call, const double *radii, uint32_t head[9]) {
    const graze_mesh *mesh = call->mesh;
    const uint32_t made[9] = {mesh->vertex_count,
                              mesh->edge_count,
                              mesh->face_count,
                              mesh->codim_edge_count,
                              mesh->codim_point_count,
                              mesh->group_count,
                              (uint32_t)(mesh->skip_same_group != 0),
                              call->options.kinds,
                              (uint32_t)(!!mesh->groups + 2 * !!mesh->group_pairs + 4 * !!radii)};
    memcpy(head, made, sizeof made);
}

static bool is_same_mesh(const gz_step_call *call, const double *radii) {
    const gz_workspace *workspace = call->workspace;
    const char *kept = workspace->slots[GZ_SLOT_NEAR_LISTS].bytes;
    uint32_t head[9];
    part parts[PARTS];
    make_head(call, radii, head);
    list_parts(call->mesh, radii, parts);
    bool same = workspace->near.known && memcmp(head, workspace->near.head, sizeof head) == 0;
    for (int i = 0; i < PARTS && same; i++) {
        same = parts[i].bytes == 0 || memcmp(kept, parts[i].from, parts[i].bytes) == 0;
        kept += parts[i].bytes;
    }
    return same;
}

static bool keep_mesh(const gz_step_call *call, const double *radii) {
    gz_kept_near *near = &call->workspace->near;
    part parts[PARTS];
    size_t bytes = 0;
    list_parts(call->mesh, radii, parts);
    for (int i = 0; i < PARTS; i++) bytes += parts[i].bytes;
    char *kept = gz_reserve(call->context, call->workspace, GZ_SLOT_NEAR_LISTS, bytes + 1, 1);
    if (!kept) return false;
    for (int i = 0; i < PARTS; i++) {
        if (parts[i].bytes) memcpy(kept, parts[i].from, parts[i].bytes);
        kept += parts[i].bytes;
    }
    make_head(call, radii, near->head);
    return true;
}

/* ---- how far it has moved ---- */

typedef struct motion_job {
    const gz_positions *positions;
    const double (*kept)[3];
    double *most; /* of each worker */
} motion_job;

static void motion_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const motion_job *job = state;
    double most = job->most[worker];
    for (size_t v = begin; v < end; v++) {
        const double *x = gz_position(job->positions->x0, job->positions->stride, (uint32_t)v);
        for (int c = 0; c < 3; c++) {
            double by = fabs(x[c] - job->kept[v][c]);
            most = by > most ? by : most;
        }
    }
    job->most[worker] = most;
}

/* No distance has changed by more than this since the state that is kept. A difference is rounded to nearest, so that
   the next larger number is not below the exact one. INFINITY when there is no memory to tell. */
static double moved(const gz_step_call *call) {
    graze_context *context = call->context;
    double most = 0;
    double *each = gz_reserve(context, call->workspace, GZ_SLOT_MODE_WORKERS, context->threads, sizeof *each);
    if (!each) return INFINITY;
    memset(each, 0, context->threads * sizeof *each);
    motion_job job = {&call->positions, call->workspace->slots[GZ_SLOT_NEAR_POSITIONS].bytes, each};
    gz_parallel(context, call->mesh->vertex_count, 4096, motion_range, &job);
    for (uint32_t i = 0; i < context->threads; i++) most = each[i] > most ? each[i] : most;
    return most > 0 ? GZ_NEAR_MOVES * nextafter(most, INFINITY) : 0;
}

static bool keep_positions(const gz_step_call *call) {
    uint32_t count = call->mesh->vertex_count;
    double(*kept)[3] = gz_reserve(call->context, call->workspace, GZ_SLOT_NEAR_POSITIONS, count, sizeof *kept);
    for (uint32_t v = 0; kept && v < count; v++)
        memcpy(kept[v], gz_position(call->positions.x0, call->positions.stride, v), sizeof *kept);
    return kept || count == 0;
}

/* ---- the face ---- */

/* A filter may change its mind. */
static bool may_keep(const gz_step_call *call) {
    return !call->mesh->filter && !call->context->options.memory_limit && call->mesh->vertex_count > 0;
}

const graze_pair *gz_near_among(const gz_step_call *call, const double *radii, size_t *count) {
    gz_kept_near *near = &call->workspace->near;
    if (!near->known) return NULL;
    if (!may_keep(call) || !is_same_mesh(call, radii)) {
        near->known = false;
        return NULL;
    }
    near->calls++;
    if (!(moved(call) <= gz_sub_down(near->reach, call->question.separation))) return NULL;
    *count = near->count;
    return call->workspace->slots[GZ_SLOT_NEAR_PAIRS].bytes;
}

/* True if twice the distance stays in the range of separations, thickness included. */
static bool is_in_range(const gz_step_call *call) {
    const double *radii = call->mesh->thickness;
    double twice = 2 * call->question.separation;
    for (uint32_t v = 0; radii && v < call->mesh->vertex_count; v++)
        if (twice + 2 * radii[v] > GRAZE_MAX_COORDINATE) return false;
    return twice <= GRAZE_MAX_COORDINATE;
}

double gz_keep_near_margin(const gz_step_call *call) {
    const gz_kept_near *near = &call->workspace->near;
    double distance = call->question.separation;
    if (!near->known || !may_keep(call)) return 0;
    double wanted = SERVES * moved(call) / near->calls;
    if (!(wanted <= distance) || !is_in_range(call)) return 0;
    return wanted > LEAST_SHARE * distance ? wanted : LEAST_SHARE * distance;
}

static bool keep_pairs(const gz_step_call *call, const gz_pair_list *list) {
    graze_pair *kept =
        gz_reserve(call->context, call->workspace, GZ_SLOT_NEAR_PAIRS, list->count ? list->count : 1, sizeof *kept);
    if (kept && list->count) memcpy(kept, list->pairs, list->count * sizeof *kept);
    return kept;
}

void gz_keep_near(const gz_step_call *call, const double *radii, const gz_pair_list *list) {
    gz_kept_near *near = &call->workspace->near;
    near->known = false;
    if (!may_keep(call) || !keep_mesh(call, radii) || !keep_positions(call)) return;
    near->known = true;
    near->calls = 0;
    near->reach = list && keep_pairs(call, list) ? call->question.separation : -1;
    near->count = near->reach >= 0 ? list->count : 0;
}
