/* Gradient of a contact's time with respect to the motion: by the contact's normal and point, with a look just before
   it for other points that touch as well. */
#include "graze/world_distance.h"

#include "articulated/distance/gradient.h"
#include "articulated/door.h"
#include "articulated/world/pose.h"
#include "articulated/world/world.h"

#include <math.h>

#define JUST_BEFORE 0x1p-20 /* of time */
#define AS_SOON 0x1p-10     /* another pair whose gap is not larger by this part touches as soon */
#define GRAZES 0x1p-20      /* of the points' speed: slower along the normal is no way to tell the time */
#define DIFFERENT 0x1p-9    /* of the points' speed, between the contact and just before it */

/* Numbers for each value, `count` of each. */
typedef struct toi_room {
    double *gradient, *speed, *before, *more;
    size_t *first, count;
    double *memory;
} toi_room;

typedef struct toi_job {
    gz_search *search;
    const graze_link_contact *contact;
    gz_motions motions;
    toi_room room;
} toi_job;

/* ---- what is given ---- */

static bool has_values(const gz_link *link) { return gz_joint_values(link->joint) > 0; }

/* Values of rotation vectors, of which there are as many at the end of the joint's. */
static int turning_values(const gz_link *link) {
    return link->joint == GRAZE_JOINT_SPHERICAL || link->joint == GRAZE_JOINT_FREE ? 3 : 0;
}

static double value_at(const double *values, size_t i) { return values ? values[i] : 0; }

/* True if every value of the link moves straight. */
static bool is_straight(const gz_link *link, const graze_motion *motion) {
    if (motion->turns || motion->cubic || motion->bezier || motion->screws || motion->rotvecs) return false;
    int count = gz_joint_values(link->joint), turning = turning_values(link);
    for (int k = count - turning; k < count; k++) {
        size_t i = link->first_value + (size_t)k;
        if (value_at(motion->from, i) != value_at(motion->to, i)) return false;
    }
    return true;
}

static graze_status check_motions(const toi_job *job) {
    const gz_scene *scene = &job->search->scene;
    for (size_t i = scene->still_count; i < scene->count; i++) {
        const gz_scene_link *link = gz_scene_at(scene, i);
        graze_motion motion = gz_motion_at(job->motions, link->motion);
        if (has_values(link->link) && !is_straight(link->link, &motion))
            return gz_fail(scene->context, GRAZE_ERR_UNSUPPORTED, i,
                           "model %u, link %u: its joint values do not move straight", link->model, link->index);
    }
    return GRAZE_OK;
}

/* The link's number in the scene; its count where there is none. */
static uint32_t find_link(const gz_scene *scene, uint32_t model, uint32_t index) {
    for (uint32_t i = 0; i < scene->count; i++)
        if (gz_scene_at(scene, i)->model == model && gz_scene_at(scene, i)->index == index) return i;
    return (uint32_t)scene->count;
}

/* ---- derivatives ---- */

static void set_nan(const toi_job *job, double *from, double *to) {
    for (size_t i = 0; i < job->room.count; i++) from[i] = to[i] = NAN;
}

/* Rate at which the gap changes with time. *speed: how fast the points move for that. */
static double gap_speed(const toi_job *job, double *speed) {
    const gz_scene *scene = &job->search->scene;
    double sum = 0;
    *speed = 0;
    for (size_t i = scene->still_count; i < scene->count; i++) {
        const gz_scene_link *link = gz_scene_at(scene, i);
        graze_motion motion = gz_motion_at(job->motions, link->motion);
        for (int k = 0; k < gz_joint_values(link->link->joint); k++) {
            size_t own = link->link->first_value + (size_t)k, all = job->room.first[link->model] + own;
            double change = value_at(motion.to, own) - value_at(motion.from, own);
            sum += job->room.gradient[all] * change;
            *speed += job->room.speed[all] * fabs(change);
        }
    }
    return sum;
}

static bool are_links(const gz_listed_gap *gap, uint32_t a, uint32_t b) {
    return (gap->first == a && gap->second == b) || (gap->first == b && gap->second == a);
}

/* Just before the contact its two links are closest, no others are about as close, and components that are not unique
   there are not numbers here. False: nothing is unique. */
static graze_status look_before(toi_job *job, const gz_values *values, uint32_t first, uint32_t second, bool *unique) {
    gz_gap_list list;
    double t = fmax(0, job->contact->toi - JUST_BEFORE);
    graze_status status = gz_gap_list_find(&list, job->search, t, 2, INFINITY);
    const gz_listed_gap *gaps = list.gaps;
    *unique = status == GRAZE_OK && list.count > 0 && are_links(&gaps[0], first, second) && gaps[0].gap.apart &&
              !(list.count > 1 && gaps[1].gap.lower <= gaps[0].gap.upper * (1 + AS_SOON));
    if (*unique) gz_gap_gradient(job->search, values, &gaps[0], job->room.before, job->room.more);
    for (size_t i = 0; *unique && i < job->room.count; i++)
        if (!(fabs(job->room.before[i] - job->room.gradient[i]) <= DIFFERENT * job->room.speed[i]))
            job->room.gradient[i] = NAN;
    gz_gap_list_close(&list);
    return status;
}

static graze_status derive(toi_job *job, uint32_t first, uint32_t second, double *from, double *to) {
    const graze_link_contact *c = job->contact;
    gz_values values = {job->motions, job->room.first, job->room.count};
    double t = c->toi, speed;
    bool unique;
    set_nan(job, from, to);
    if (!c->has_pair || !(t > 0)) return GRAZE_OK;
    gz_frames_window(&job->search->wide, t, t);
    gz_contact_gradient(job->search, &values, first, second, gz_vec3_of(c->point), gz_vec3_of(c->normal),
                        job->room.gradient, job->room.speed);
    double along = gap_speed(job, &speed);
    if (!(along < -GRAZES * speed)) return GRAZE_OK;
    graze_status status = look_before(job, &values, first, second, &unique);
    if (status != GRAZE_OK || !unique) return status;
    for (size_t i = 0; i < job->room.count; i++) {
        from[i] = -job->room.gradient[i] * (1 - t) / along;
        to[i] = -job->room.gradient[i] * t / along;
    }
    return GRAZE_OK;
}

/* ---- the call ---- */

static bool make_room(graze_context *context, const graze_world *world, toi_room *room) {
    room->first = gz_allocate_array(context, world->body_count, sizeof *room->first);
    for (size_t m = 0; room->first && m < world->body_count; m++) {
        room->first[m] = room->count;
        room->count += world->bodies[m]->model.values;
    }
    room->memory = gz_allocate_array(context, 5 * room->count + 1, sizeof *room->memory);
    room->gradient = room->memory;
    if (!room->first || !room->memory) return false;
    room->speed = room->gradient + room->count;
    room->before = room->speed + room->count;
    room->more = room->before + room->count; /* twice as many */
    return true;
}

static void free_room(graze_context *context, const graze_world *world, toi_room *room) {
    gz_release(context, room->first, world->body_count * sizeof *room->first);
    gz_release(context, room->memory, (5 * room->count + 1) * sizeof *room->memory);
}

static graze_status solve(graze_context *context, const graze_world *world, const graze_body_motion *motions,
                          size_t count, const graze_articulated_options *options, toi_job *job, double *from,
                          double *to) {
    job->search = gz_kept_search(context);
    if (!job->search || !make_room(context, world, &job->room)) return GRAZE_ERR_OUT_OF_MEMORY;
    graze_status status = gz_search_reopen_world(job->search, context, world, options);
    if (status != GRAZE_OK) return status;
    job->motions = gz_world_motions(job->search, motions, 0, count);
    status = check_motions(job);
    if (status == GRAZE_OK) status = gz_search_begin(job->search, job->motions);
    if (status != GRAZE_OK) return status;
    const graze_link_contact *c = job->contact;
    const gz_scene *scene = &job->search->scene;
    uint32_t a = find_link(scene, c->model_a, c->link_a), b = find_link(scene, c->model_b, c->link_b);
    if (a == scene->count || b == scene->count)
        return gz_fail(context, GRAZE_ERR_BAD_INDEX, UINT64_MAX, "the world does not have the contact's links");
    return derive(job, a, b, from, to);
}

graze_status graze_world_toi_gradient(graze_context *context, const graze_world *world,
                                      const graze_body_motion *motions, size_t count,
                                      const graze_articulated_options *given, const graze_link_contact *contact,
                                      double *from, double *to) {
    if (!context || !contact || !from || !to) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    graze_articulated_options options;
    status = gz_articulated_options_read(context, given, &options);
    if (status == GRAZE_OK) status = gz_world_motions_check(context, world, motions, count, gz_bytes_at(NULL, 0));
    if (status == GRAZE_OK) status = gz_world_of_models(context, world, "the gradient of a time");
    if (status == GRAZE_OK) {
        toi_job job = {.contact = contact};
        status = solve(context, world, motions, count, &options, &job, from, to);
        free_room(context, world, &job.room);
    }
    return gz_context_leave(context, &env, status);
}
