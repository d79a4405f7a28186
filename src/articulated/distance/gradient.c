/* By Danskin's theorem: the distance changes as that of the closest points does, held fast in their links. Where
   several points are as close, each has a derivative of its own, and only components that agree are the gradient's. */
#include "articulated/distance/gradient.h"

#include "motion/sine.h"

#include <math.h>

#define AS_CLOSE 0x1p-44  /* of the links' size */
#define DIFFERENT 0x1p-10 /* of the speed of the points */

/* ---- joints ---- */

/* Motion of a link's points in the world with one value of its joint: shift + turn × (point − origin). */
typedef struct twist {
    gz_vec3 shift, turn;
} twist;

static gz_vec3 zero(void) { return (gz_vec3){{0, 0, 0}}; }
static gz_vec3 unit(int axis) { return (gz_vec3){{axis == 0, axis == 1, axis == 2}}; }

/* Turns with the frame. */
static gz_vec3 turned(const gz_frame_model *frame, gz_vec3 x) {
    gz_vec3 at;
    for (int i = 0; i < 3; i++)
        at.c[i] = frame->c[0][i][0] * x.c[0] + frame->c[0][i][1] * x.c[1] + frame->c[0][i][2] * x.c[2];
    return at;
}

/* From the frame that the joint moves in to the world. */
static gz_vec3 out_of_joint(gz_frames *frames, const gz_scene_link *link, gz_vec3 x) {
    gz_vec3 at = zero();
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) at.c[i] += link->link->rotation.m[i][j] * x.c[j];
    return link->parent < 0 ? at : turned(gz_frames_world(frames, (uint32_t)link->parent), at);
}

/* (x − sin x)/x³ */
static double third_of_sine(double x) {
    double s = x * x;
    if (x > 0.5) return (x - gz_sine_of(x).sin) / (s * x);
    return 1.0 / 6 - s * (1.0 / 120 - s * (1.0 / 5040 - s * (1.0 / 362880 - s / 39916800)));
}

/* The angular velocity of exp(r) as component `axis` of r grows: e + (1 − cos θ)/θ²·r × e + (θ − sin θ)/θ³·r × (r × e).
 */
static gz_vec3 turn_of_vector(const double r[3], int axis) {
    gz_vec3 v = gz_vec3_of(r), e = unit(axis), once = gz_vec3_cross(v, e), twice = gz_vec3_cross(v, once);
    double angle = gz_vec3_norm(v), half = gz_sinc_of(0.5 * angle);
    return gz_vec3_along(gz_vec3_along(e, 0.5 * half * half, once), third_of_sine(angle), twice);
}

/* In the frame that the joint moves in; `value` is one of those that it has. */
static twist joint_twist(const gz_link *link, const double *values, int value) {
    twist t = {zero(), zero()};
    switch (link->joint) {
    case GRAZE_JOINT_FIXED: break;
    case GRAZE_JOINT_REVOLUTE: t.turn = gz_vec3_of(link->axis); break;
    case GRAZE_JOINT_PRISMATIC: t.shift = gz_vec3_of(link->axis); break;
    case GRAZE_JOINT_SPHERICAL: t.turn = turn_of_vector(values, value); break;
    case GRAZE_JOINT_PLANAR: *(value < 2 ? &t.shift : &t.turn) = unit(value); break;
    case GRAZE_JOINT_FREE:
        if (value < 3)
            t.shift = unit(value);
        else
            t.turn = turn_of_vector(values + 3, value - 3);
        break;
    }
    return t;
}

/* ---- points ---- */

/* Two points that are closest, and the way from the second to the first. */
typedef struct closest {
    gz_vec3 points[2], n;
} closest;

/* Room for derivatives: those of the gap, and the speeds of the points. */
typedef struct derivatives {
    double *gap, *speed;
} derivatives;

static gz_vec3 velocity_of(twist t, gz_vec3 from_origin) {
    return gz_vec3_along(t.shift, 1, gz_vec3_cross(t.turn, from_origin));
}

/* The joint of one link that carries point `side` and not the other. */
static void add_joint(gz_search *search, const gz_values *values, uint32_t index, const closest *at, int side,
                      derivatives out) {
    static const double zeros[6];
    const gz_scene_link *link = gz_scene_at(&search->scene, index);
    int count = gz_joint_values(link->link->joint);
    if (count == 0) return; /* a link that stands may have no motion */
    const double *from = gz_motion_at(values->motions, link->motion).from;
    from = from ? from + link->link->first_value : zeros;
    const gz_frame_model *frame = gz_frames_world(&search->wide, index);
    gz_vec3 origin = {{frame->c[0][0][3], frame->c[0][1][3], frame->c[0][2][3]}};
    for (int k = 0; k < count; k++) {
        twist t = joint_twist(link->link, from, k);
        t = (twist){out_of_joint(&search->wide, link, t.shift), out_of_joint(&search->wide, link, t.turn)};
        gz_vec3 v = velocity_of(t, gz_vec3_sub(at->points[side], origin));
        size_t value = values->first[link->model] + link->link->first_value + (size_t)k;
        out.gap[value] += (side ? -1 : 1) * gz_vec3_dot(at->n, v);
        out.speed[value] += gz_vec3_norm(v);
    }
}

/* Joints that carry both links do not move them against each other. */
static void derive(gz_search *search, const gz_values *values, uint32_t first, uint32_t second, const closest *at,
                   derivatives out) {
    const gz_scene *scene = &search->scene;
    int32_t ancestor = gz_scene_ancestor(scene, first, second);
    for (size_t i = 0; i < values->count; i++) out.gap[i] = out.speed[i] = 0;
    for (int side = 0; side < 2; side++)
        for (int32_t i = (int32_t)(side ? second : first); i != ancestor; i = gz_scene_at(scene, (uint32_t)i)->parent)
            add_joint(search, values, (uint32_t)i, at, side, out);
}

/* Of a gap that is seen from the search's second link. */
static closest in_world(gz_frames *frames, const gz_listed_gap *gap, const gz_face_gap *found) {
    const gz_frame_model *frame = gz_frames_world(frames, gap->pair.b);
    bool swap = gap->first != gap->pair.a;
    gz_vec3 a = gz_link_point_at(frame, found->a, 0), b = gz_link_point_at(frame, found->b, 0),
            n = turned(frame, found->n);
    double length = gz_length(n.c);
    for (int c = 0; c < 3; c++) n.c[c] = (swap ? -n.c[c] : n.c[c]) / length;
    return (closest){{swap ? b : a, swap ? a : b}, n};
}

gz_vec3 gz_gap_normal(gz_frames *frames, const gz_listed_gap *gap) {
    if (!gap->gap.apart) return (gz_vec3){{NAN, NAN, NAN}};
    return in_world(frames, gap, &gap->gap.closest).n;
}

/* ---- other points that are as close ---- */

typedef struct others {
    gz_search *search;
    const gz_values *values;
    const gz_listed_gap *gap;
    gz_frame_model frame;
    double within; /* of points, contact taken off */
    double *gradient;
    derivatives room;
} others;

/* Components that differ from those of the gradient are not unique. False when none is left. */
static bool compare(others *job, const gz_face_gap *found) {
    closest at = in_world(&job->search->wide, job->gap, found);
    derive(job->search, job->values, job->gap->first, job->gap->second, &at, job->room);
    bool any = false;
    for (size_t i = 0; i < job->values->count; i++) {
        if (fabs(job->room.gap[i] - job->gradient[i]) > DIFFERENT * job->room.speed[i]) job->gradient[i] = NAN;
        any = any || (job->room.speed[i] > 0 && !isnan(job->gradient[i]));
    }
    return any;
}

/* The distance that counts as contact for two triangles. */
static double reach_of(const others *job, gz_faces faces) {
    gz_link_pair own = job->gap->pair;
    gz_pair_narrow(&job->search->scene, &own, faces);
    return own.contact_low;
}

static bool visit_faces(void *user, gz_faces faces) {
    others *job = user;
    const gz_link *a = gz_scene_at(&job->search->scene, job->gap->pair.a)->link;
    const gz_link *b = gz_scene_at(&job->search->scene, job->gap->pair.b)->link;
    gz_triangle x = gz_triangle_at(&job->frame, a, faces.a, 0), y = gz_triangle_of(b, faces.b);
    for (int feature = 0; feature < GZ_FACE_FEATURES; feature++) {
        gz_face_gap found;
        if (!gz_gap_of_feature(&x, &y, feature, &found)) continue;
        double distance = gz_length(gz_vec3_sub(found.a, found.b).c) - reach_of(job, faces);
        if (distance <= job->within && !compare(job, &found)) return false;
    }
    return true;
}

static double size_of(const gz_link *link) {
    double extent[3];
    gz_link_extent(link, extent);
    return fmax(extent[0], fmax(extent[1], extent[2]));
}

void gz_gap_gradient(gz_search *search, const gz_values *values, const gz_listed_gap *gap, double *gradient,
                     double *room) {
    if (!gap->gap.apart) {
        for (size_t i = 0; i < values->count; i++) gradient[i] = NAN;
        return;
    }
    others job = {.search = search, .values = values, .gap = gap, .gradient = gradient};
    job.room = (derivatives){room, room + values->count};
    const gz_link *a = gz_scene_at(&search->scene, gap->pair.a)->link;
    const gz_link *b = gz_scene_at(&search->scene, gap->pair.b)->link;
    double as_close = AS_CLOSE * fmax(size_of(a), size_of(b));
    closest at = in_world(&search->wide, gap, &gap->gap.closest);
    derive(search, values, gap->first, gap->second, &at, (derivatives){gradient, room});
    gz_frames_relative(&search->wide, gap->pair.a, gap->pair.b, &job.frame);
    job.within = gz_length(gz_vec3_sub(gap->gap.closest.a, gap->gap.closest.b).c) - reach_of(&job, gap->gap.faces);
    job.within += as_close;
    gz_faces_within(&search->wide, &gap->pair, gap->gap.upper + as_close, gap->gap.closest.n, visit_faces, &job);
}

void gz_contact_gradient(gz_search *search, const gz_values *values, uint32_t first, uint32_t second, gz_vec3 point,
                         gz_vec3 normal, double *gradient, double *speed) {
    closest at = {{point, point}, normal};
    derive(search, values, first, second, &at, (derivatives){gradient, speed});
}
