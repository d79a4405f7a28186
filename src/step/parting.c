#include "step/parting.h"

#include "kernels/kernels.h"
#include "pair/closest_direction.h"
#include "pair/thick.h"
#include "step/mesh_pair.h"
#include "step/solve.h"

#include <string.h>

/* The four positions of a pair at both ends of the step, seen from a point near them. */
typedef struct local_pair {
    double x0[4][3], x1[4][3];
    double radii[4];
    int rows, in_a;
} local_pair;

static void gather(const gz_step_call *call, graze_kind kind, const uint32_t ids[4], local_pair *pair) {
    const gz_positions *p = &call->positions;
    const double *origin = gz_position(p->x0, p->stride, ids[0]);
    pair->rows = gz_kind_rows(kind);
    pair->in_a = gz_kind_rows_of_a(kind);
    gz_pair_radii(call, ids, pair->radii);
    for (int i = 0; i < pair->rows; i++) {
        const double *a = gz_position(p->x0, p->stride, ids[i]), *b = gz_position(p->x1, p->stride, ids[i]);
        for (int c = 0; c < 3; c++) {
            pair->x0[i][c] = a[c] - origin[c];
            pair->x1[i][c] = b[c] - origin[c];
        }
    }
}

/* ‖n‖, rounded up. A direction may be so short that its squares underflow. */
static double norm_up(const double n[3]) {
    return sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + GZ_NORM_TINY) * GZ_NORM_UP;
}

double gz_reach(const double n[3], const double x[3], double radius, double sign) {
    double dot = n[0] * x[0] + n[1] * x[1] + n[2] * x[2];
    double size = fabs(n[0] * x[0]) + fabs(n[1] * x[1]) + fabs(n[2] * x[2]) + radius;
    return (sign * dot + radius) + (size * GZ_DOT_SLACK + GZ_DOT_TINY);
}

/* Planes across n from a to b: a may come up to front[0] along n, b down to −front[1]. False when the gap along n is
   not more than the separation. */
static bool place_planes(const local_pair *pair, const double n[3], double separation, double front[2]) {
    double near[2] = {-INFINITY, -INFINITY}, norm = norm_up(n);
    for (int i = 0; i < pair->rows; i++) {
        int side = i < pair->in_a ? 0 : 1;
        double r = gz_reach(n, pair->x0[i], pair->radii[i] * norm, side ? -1 : 1);
        if (!(fabs(r) <= DBL_MAX)) return false; /* overflow */
        if (r > near[side]) near[side] = r;
    }
    double gap = -(near[0] + near[1]), kept = separation * norm * GZ_NORM_UP + GZ_DOT_TINY;
    double each = 0.5 * (gap - kept) * (1 - GZ_PLANES_SHARE); /* what is kept covers the roundings up to here */
    if (!(each > GZ_PLANES_SHARE * (fabs(near[0]) + fabs(near[1])) + GZ_ROOT_TINY)) return false;
    front[0] = near[0] + each;
    front[1] = near[1] + each;
    /* the proof: what is between the planes, rounding and all, is more than the separation */
    double between = -(front[0] + front[1]);
    return between - (fabs(front[0]) + fabs(front[1])) * GZ_DOT_SLACK > kept;
}

/* The largest fraction of the way for which vertex i stays behind its plane. */
static double stop_at(const local_pair *pair, int i, const double n[3], const double front[2], double t_max) {
    int side = i < pair->in_a ? 0 : 1;
    double sign = side ? -1 : 1, radius = pair->radii[i] * norm_up(n);
    double q0 = gz_reach(n, pair->x0[i], radius, sign), q1 = gz_reach(n, pair->x1[i], radius, sign);
    if (q1 <= front[side]) return t_max;
    double room = front[side] - q0;
    if (!(room > 0)) return 0;
    double stop = room / (q1 - q0) * GZ_ROOT_DOWN - GZ_ROOT_TINY;
    return stop > 0 ? fmin(stop, t_max) : 0;
}

/* From a to b, between the closest points at t = 0. */
static void find_direction(const gz_step_call *call, graze_kind kind, const local_pair *pair, double n[3]) {
    if (call->mesh->thickness)
        gz_thick_start_direction(kind, pair->x0, pair->radii, call->question.separation, n);
    else
        gz_closest_direction(kind, pair->x0, n);
}

/* True if the pair is parted; where its rows stop, unless `stops` is NULL. */
static bool part_pair(const gz_step_call *call, graze_kind kind, const uint32_t ids[4], double stops[4]) {
    local_pair pair;
    double n[3], front[2];
    gather(call, kind, ids, &pair);
    find_direction(call, kind, &pair, n);
    bool apart = place_planes(&pair, n, call->question.separation, front);
    for (int i = 0; stops && i < pair.rows; i++)
        stops[i] = apart ? stop_at(&pair, i, n, front, call->question.t_max) : 0;
    return apart;
}

static gz_parting_job open_job(const gz_step_call *call, graze_kind kind, const uint32_t (*pairs)[2], size_t count,
                               gz_parted_block *block) {
    for (size_t k = 0; k < count; k++) gz_pair_vertices(call->mesh, kind, pairs[k][0], pairs[k][1], block->ids[k]);
    if (!gz_parting_in_lanes(call, kind)) memset(block->parted, GZ_PARTING_LEFT, count);
    return (gz_parting_job){.kind = kind,
                            .positions = &call->positions,
                            .separation = call->question.separation,
                            .t_max = call->question.t_max,
                            .ids = (const uint32_t(*)[4])block->ids,
                            .count = count};
}

void gz_block_parted(const gz_step_call *call, graze_kind kind, const uint32_t (*pairs)[2], size_t count,
                     gz_parted_block *block) {
    gz_parting_job job = open_job(call, kind, pairs, count, block);
    if (gz_parting_in_lanes(call, kind)) call->context->kernels->parted(&job, block->parted);
    for (size_t k = 0; k < count; k++)
        if (block->parted[k] == GZ_PARTING_LEFT) block->parted[k] = part_pair(call, kind, block->ids[k], NULL);
}

void gz_block_stops(const gz_step_call *call, graze_kind kind, const uint32_t (*pairs)[2], size_t count,
                    gz_parted_block *block) {
    gz_parting_job job = open_job(call, kind, pairs, count, block);
    if (gz_parting_in_lanes(call, kind)) call->context->kernels->stops(&job, block->parted, block->stops);
    for (size_t k = 0; k < count; k++) {
        if (block->parted[k] != GZ_PARTING_LEFT) continue;
        double stops[4];
        block->parted[k] = part_pair(call, kind, block->ids[k], stops);
        for (int i = 0; i < gz_kind_rows(kind); i++) block->stops[i][k] = stops[i];
    }
}
