/* Distances are asked only of pairs that are near at rest: boxes of the positions at t = 0, grown by the least distance
 * found so far and what rounding can hide, find every pair that could be nearer. That needs a distance to begin with,
 * from the first candidates that turn up; whenever it has become much less the search begins again with smaller boxes.
 * docs/numerics.md, section 3. */
#include "step/least_distance.h"

#include "base/least.h"
#include "kernels/kernels.h"
#include "pair/closest_direction.h"
#include "pair/pair.h"
#include "pair/thick.h"
#include "step/mesh_pair.h"
#include "step/parting.h"
#include "step/search.h"
#include "step/solve.h"

#include <string.h>

/* The first bound, as a part of what vertices move by: where things are near each other, some pair is within it. */
#define FIRST_GUESS 0.125
/* After so many pairs it may pay to begin again, when the least distance is less than this part of the bound. */
#ifndef SAMPLE
#define SAMPLE 8192u
#endif
#define SHRUNK 0.25

typedef struct nearest_job {
    const gz_step_call *call; /* with the separation that makes candidates */
    gz_positions rest;        /* both ends at t = 0 */
    double largest;           /* coordinate at t = 0 */
    double motion;            /* of a vertex along an axis, on average */
    double bound;             /* what the boxes are made for */
    bool swept;               /* these are those of the step: no other pairs than candidates are sought */
    bool only_candidates;     /* they were, for one of the kinds */
    gz_least least;
    atomic_size_t seen;
    atomic_uint again; /* a word: not every machine exchanges bytes */
    atomic_size_t other_count;
    gz_near_pair *others;
} nearest_job;

/* Pairs that are farther apart have a computed distance of more than `distance`. */
static double near_enough(double distance, double largest) {
    return distance + (2 * largest * GZ_CLOSEST_SLACK + GZ_CLOSEST_TINY);
}

/* ---- pairs ---- */

static double plain_distance(const gz_step_call *call, graze_kind kind, const uint32_t ids[4]) {
    const gz_positions *p = &call->positions;
    double x[4][3], radii[4];
    for (int i = 0; i < 4; i++) memcpy(x[i], gz_position(p->x0, p->stride, ids[i]), sizeof x[i]);
    if (!call->mesh->thickness) return gz_closest_distance(kind, (const double(*)[3])x);
    gz_pair_radii(call, ids, radii);
    return fmax(0, gz_thick_start_distance(kind, (const double(*)[3])x, radii));
}

/* Leaves those of the pairs that may be nearer than the least so far; the number of them. */
static size_t drop_far(const nearest_job *job, graze_kind kind, uint32_t (*ids)[4], size_t count) {
    double least = gz_least_get(&job->least), near = near_enough(least, job->largest);
    if (job->call->mesh->thickness || !(near <= GRAZE_MAX_COORDINATE)) return count;
    gz_lane_source source = {
        .kind = kind, .separation = near, .positions = job->rest, .ids = (const uint32_t(*)[4])ids};
    float apart[GZ_PARTING_BLOCK]; /* 1: farther than that, all the time */
    job->call->context->kernels->first(&source, gz_float_not_below(near), 0, count, apart, NULL);
    size_t left = 0;
    for (size_t k = 0; k < count; k++)
        if (!(apart[k] >= 1)) memmove(ids[left++], ids[k], sizeof *ids);
    return left;
}

static void measure(const nearest_job *job, graze_kind kind, const uint32_t (*ids)[4], size_t count,
                    double *distances) {
    gz_parting_job lanes = {.kind = kind, .positions = &job->rest, .ids = ids, .count = count};
    bool in_lanes = gz_parting_in_lanes(job->call, kind);
    if (in_lanes) job->call->context->kernels->distances(&lanes, distances);
    for (size_t k = 0; k < count; k++)
        if (!in_lanes || distances[k] < 0) distances[k] = plain_distance(job->call, kind, ids[k]);
}

static void take(nearest_job *job, graze_kind kind, const uint32_t ids[4], double distance) {
    if (gz_step_is_candidate(job->call, kind, ids)) {
        gz_least_lower(&job->least, distance);
        return;
    }
    size_t place = atomic_fetch_add(&job->other_count, 1);
    if (place >= GZ_OTHERS) return;
    job->others[place] = (gz_near_pair){.kind = kind, .distance = distance};
    memcpy(job->others[place].ids, ids, sizeof job->others[place].ids);
}

static void look_at(nearest_job *job, graze_kind kind, const uint32_t (*pairs)[2], size_t count) {
    uint32_t ids[GZ_PARTING_BLOCK][4];
    double distances[GZ_PARTING_BLOCK];
    for (size_t k = 0; k < count; k++) gz_pair_vertices(job->call->mesh, kind, pairs[k][0], pairs[k][1], ids[k]);
    count = drop_far(job, kind, ids, count);
    measure(job, kind, (const uint32_t(*)[4])ids, count, distances);
    for (size_t k = 0; k < count; k++)
        if (distances[k] < gz_least_get(&job->least)) take(job, kind, ids[k], distances[k]);
}

static bool nearest_block(void *state, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2], size_t count) {
    (void)worker;
    nearest_job *job = state;
    for (size_t done = 0; done < count; done += GZ_PARTING_BLOCK)
        look_at(job, kind, pairs + done, count - done < GZ_PARTING_BLOCK ? count - done : GZ_PARTING_BLOCK);
    size_t seen = atomic_fetch_add_explicit(&job->seen, count, memory_order_relaxed) + count;
    if (seen < SAMPLE || !(gz_least_get(&job->least) < SHRUNK * job->bound) || job->call->mesh->thickness) return true;
    atomic_store(&job->again, true);
    return false;
}

/* ---- boxes ---- */

double gz_largest_start(const gz_step_call *call) {
    double largest = 0;
    for (uint32_t v = 0; v < call->mesh->vertex_count; v++) {
        const double *x = gz_position(call->positions.x0, call->positions.stride, v);
        for (int c = 0; c < 3; c++) largest = fmax(largest, fabs(x[c]));
    }
    return largest;
}

/* The distance that the vertices go on an axis, on average. */
static double mean_motion(const gz_step_call *call) {
    const gz_positions *p = &call->positions;
    double sum = 0;
    for (uint32_t v = 0; v < call->mesh->vertex_count; v++)
        for (int c = 0; c < 3; c++)
            sum += fabs(gz_position(p->x1, p->stride, v)[c] - gz_position(p->x0, p->stride, v)[c]);
    return sum * call->question.t_max / (3.0 * call->mesh->vertex_count);
}

/* Boxes for pairs up to job->bound: those of the start, or of the step itself where these are smaller. */
static graze_status open_boxes(nearest_job *job, gz_step_call *boxes) {
    *boxes = *job->call;
    double near = near_enough(job->bound, job->largest);
    job->swept = job->call->mesh->thickness || !(near <= GRAZE_MAX_COORDINATE) ||
                 near > job->motion + job->call->question.separation;
    if (!job->swept) {
        boxes->positions = job->rest;
        boxes->question.separation = near;
    }
    return gz_step_boxes(boxes, true);
}

/* Begins again with smaller boxes as long as that pays. */
static graze_status search_kind(nearest_job *job, gz_step_call *boxes, graze_kind kind) {
    graze_status status = GRAZE_OK;
    do {
        if (atomic_exchange(&job->again, false)) {
            job->bound = gz_least_get(&job->least);
            status = open_boxes(job, boxes);
        }
        atomic_store(&job->seen, 0);
        if (status == GRAZE_OK) status = gz_step_search(boxes, kind, true, nearest_block, job);
    } while (status == GRAZE_OK && atomic_load(&job->again));
    job->only_candidates |= job->swept;
    return status;
}

/* All candidates that are nearer than the least so far; up to `bound`, unless the boxes are those of the step. */
static graze_status search_kinds(nearest_job *job, double bound) {
    gz_step_call boxes;
    job->bound = bound;
    job->only_candidates = false;
    graze_status status = open_boxes(job, &boxes);
    for (int kind = 0; kind < GZ_KINDS && status == GRAZE_OK; kind++)
        if (gz_step_has_kind(job->call, (graze_kind)kind)) status = search_kind(job, &boxes, (graze_kind)kind);
    return status;
}

graze_status gz_find_nearest(const gz_step_call *call, double separation, double bound, gz_nearest *nearest) {
    gz_step_call grown = *call;
    grown.question.separation = separation;
    nearest_job job = {.call = &grown, .rest = call->positions, .others = nearest->others};
    job.rest.x1 = job.rest.x0;
    job.largest = gz_largest_start(call);
    job.motion = mean_motion(call);
    gz_least_init(&job.least, bound);
    double guess = fmin(bound, FIRST_GUESS * job.motion);
    graze_status status = search_kinds(&job, guess);
    if (status == GRAZE_OK && !job.swept && gz_least_get(&job.least) > guess)
        status = search_kinds(&job, gz_least_get(&job.least));
    nearest->least = gz_least_get(&job.least);
    nearest->other_count = atomic_load(&job.other_count);
    nearest->all_others = !job.only_candidates && nearest->other_count <= GZ_OTHERS;
    return status;
}

graze_status gz_find_nearest_again(const gz_step_call *call, double separation, gz_nearest *nearest) {
    if (!nearest->all_others) return gz_find_nearest(call, separation, nearest->least, nearest);
    gz_step_call grown = *call;
    grown.question.separation = separation;
    for (size_t i = 0; i < nearest->other_count; i++) {
        const gz_near_pair *other = &nearest->others[i];
        if (other->distance < nearest->least && gz_step_is_candidate(&grown, other->kind, other->ids))
            nearest->least = other->distance;
    }
    return GRAZE_OK;
}
