/* Mode VERTICES: how far each vertex may go on its own.
 *
 * Least times over the pairs of a vertex would not do: vertices that stop at different times leave the common motion
 * that those times speak of. So every candidate pair is cut apart by two parallel planes, more than the separation from
 * each other, with one primitive behind each at t = 0; every vertex stops where it would cross its plane. Then each
 * primitive stays behind its plane, whatever fractions up to their own limits its vertices take, together or one after
 * the other. Pairs whose swept boxes do not meet need no planes: the boxes hold all such motions.
 * docs/numerics.md, section 3. */
#include "step/call.h"

#include "narrow/motion.h"
#include "step/closest.h"

#include <string.h>

typedef struct vertices_worker {
    bool has_best;
    graze_pair_result best; /* the pair that stops one of its vertices first */
    double seconds;
} vertices_worker;

typedef struct vertices_job {
    const gz_step_call *call;
    vertices_worker *workers;
    _Atomic uint64_t *limits; /* bits of a double ≥ 0: they order as it does */
} vertices_job;

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

/* An upper bound of ⟨n, x⟩ for every x of a ball whose middle `x` was rounded from; with `sign` −1 of its negative.
   `radius` is that of the ball, times ‖n‖ rounded up. */
static double reach(const double n[3], const double x[3], double radius, double sign) {
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
        double r = reach(n, pair->x0[i], pair->radii[i] * norm, side ? -1 : 1);
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
    double q0 = reach(n, pair->x0[i], radius, sign), q1 = reach(n, pair->x1[i], radius, sign);
    if (q1 <= front[side]) return t_max;
    double room = front[side] - q0;
    if (!(room > 0)) return 0;
    double stop = room / (q1 - q0) * GZ_ROOT_DOWN - GZ_ROOT_TINY;
    return stop > 0 ? fmin(stop, t_max) : 0;
}

/* From a to b, between the closest points at t = 0. */
static void find_direction(const gz_step_call *call, graze_kind kind, const local_pair *pair, double n[3]) {
    if (call->mesh->thickness)
        gz_thick_start_direction(kind, pair->x0, pair->radii, call->separation, n);
    else
        gz_closest_direction(kind, pair->x0, n);
}

bool gz_step_parted(const gz_step_call *call, graze_kind kind, uint32_t a, uint32_t b) {
    uint32_t ids[4];
    local_pair pair;
    double n[3], front[2];
    gz_pair_vertices(call->mesh, kind, a, b, ids);
    gather(call, kind, ids, &pair);
    find_direction(call, kind, &pair, n);
    return place_planes(&pair, n, call->separation, front);
}

static void lower(_Atomic uint64_t *limit, double value) {
    uint64_t bits, seen = atomic_load_explicit(limit, memory_order_relaxed);
    memcpy(&bits, &value, sizeof bits);
    while (bits < seen &&
           !atomic_compare_exchange_weak_explicit(limit, &seen, bits, memory_order_relaxed, memory_order_relaxed)) {
    }
}

static bool vertices_block(void *state, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2], size_t count) {
    vertices_job *job = state;
    const gz_step_call *call = job->call;
    vertices_worker *mine = &job->workers[worker];
    if (gz_cancelled(call->context)) return false;
    double start = gz_seconds();
    for (size_t k = 0; k < count; k++) {
        uint32_t ids[4];
        local_pair pair;
        double n[3], front[2], least = call->t_max;
        gz_pair_vertices(call->mesh, kind, pairs[k][0], pairs[k][1], ids);
        gather(call, kind, ids, &pair);
        find_direction(call, kind, &pair, n);
        bool apart = place_planes(&pair, n, call->separation, front);
        for (int i = 0; i < pair.rows; i++) {
            double stop = apart ? stop_at(&pair, i, n, front, call->t_max) : 0;
            if (stop < call->t_max) lower(&job->limits[ids[i]], stop);
            if (stop < least) least = stop;
        }
        if (least == call->t_max) continue;
        graze_pair_result limit = {.pair = {kind, pairs[k][0], pairs[k][1]}};
        gz_result_unresolved(&limit.result, apart ? GRAZE_REASON_STOPPED : GRAZE_REASON_PRECISION);
        limit.result.toi = least;
        if (!mine->has_best || gz_pair_before(&limit, &mine->best)) mine->best = limit;
        mine->has_best = true;
    }
    mine->seconds += gz_seconds() - start;
    return true;
}

graze_status gz_step_vertices(const gz_step_call *call, graze_step_result *result) {
    graze_context *context = call->context;
    uint32_t count = call->mesh->vertex_count;
    double *out = call->options.vertex_toi;
    if (!out && count)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "mode vertices: vertex_toi is NULL");
    for (uint32_t v = 0; v < count; v++) out[v] = 0;
    vertices_job job = {.call = call};
    job.workers = gz_reserve(context, call->workspace, GZ_SLOT_STEP_WORKERS, context->threads, sizeof *job.workers);
    job.limits = gz_reserve(context, call->workspace, GZ_SLOT_STEP_SORT, count, sizeof *job.limits);
    if (!job.workers || !job.limits) return GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < context->threads; i++) job.workers[i] = (vertices_worker){0};
    uint64_t whole;
    memcpy(&whole, &call->t_max, sizeof whole);
    for (uint32_t v = 0; v < count; v++) atomic_init(&job.limits[v], whole);
    graze_status status = GRAZE_OK;
    for (int kind = 0; kind < GZ_KINDS && status == GRAZE_OK; kind++)
        if (gz_step_has_kind(call, (graze_kind)kind))
            status = gz_step_search(call, (graze_kind)kind, true, vertices_block, &job);
    if (status != GRAZE_OK) return status;
    for (uint32_t i = 0; i < context->threads; i++) {
        const vertices_worker *worker = &job.workers[i];
        result->ms_narrow += 1e3 * worker->seconds / context->threads;
        if (worker->has_best && (!result->has_pair || gz_pair_before(&worker->best, &result->limiting))) {
            result->limiting = worker->best;
            result->has_pair = 1;
        }
    }
    if (atomic_load(&context->cancelled)) return GRAZE_OK; /* some pairs were not looked at: nobody moves */
    for (uint32_t v = 0; v < count; v++) {
        uint64_t bits = atomic_load_explicit(&job.limits[v], memory_order_relaxed);
        memcpy(&out[v], &bits, sizeof bits);
        if (call->at_start) out[v] = 0;
    }
    return GRAZE_OK;
}
