/* A pair that is being finished, and the ends that the volume polynomial has for it: most pairs that the lanes leave
   come to one of them at once. For finish.c and finish_soon.c. */
#ifndef GZ_PAIR_FINISH_STATE_H
#define GZ_PAIR_FINISH_STATE_H

#include "pair/contact.h"
#include "pair/pair.h"
#include "pair/thick.h"
#include "pair/volume.h"

#include <math.h>

/* An automatic tolerance, as a part of the pair's size. */
#define GZ_AUTOMATIC_TOLERANCE 0x1p-40

/* Checks after which exact arithmetic is asked, once: it is the cheaper way where directions gain less with each step,
   as on a face or edge that shrinks to nothing where it is touched. */
#define GZ_SLOW_CHECKS 256

typedef struct finish_state {
    const gz_certified_call *call;
    const graze_query *query;
    graze_result *result;
    gz_motion pair;
    gz_volume volume;
    double separation;   /* and the largest radii, rounded up */
    double most[2];      /* the largest radius of a and of b */
    const double *radii; /* NULL: these are all there are */
    double t;            /* proven free: [0, t) */
    double enough;       /* free up to here is clear */
    bool asks;           /* left for whoever has exact arithmetic */
    double tolerance;    /* scaled */
} finish_state;

static GZ_PAIR_FN void record(const finish_state *s, v_vec n, double t0, double t1) {
    double direction[3] = {n.x, n.y, n.z};
    if (s->call->record && t1 > t0) s->call->record(s->call->record_state, direction, t0, t1);
}

static GZ_PAIR_FN void finish_clear(finish_state *s) {
    s->result->verdict = GRAZE_CLEAR;
    s->result->reason = GRAZE_REASON_NONE;
    s->result->toi = s->call->t_max;
}

/* toi, raised to what the axis directions prove: then a pair whose boxes over [0, x] do not meet never has toi < x.
   True when that clears the pair. */
static GZ_PAIR_FN bool settle_toi(finish_state *s) {
    const gz_certified_call *call = s->call;
    double separation = s->radii ? call->separation : s->separation;
    double axis = gz_axis_free_time(call->kind, s->query, separation, s->radii, NULL);
    if (axis > s->t) s->t = axis;
    if (s->t >= s->enough) {
        finish_clear(s);
        return true;
    }
    s->result->toi = s->t;
    return false;
}

static GZ_PAIR_FN void set_verdict(finish_state *s, double upper) {
    s->result->toi = s->t;
    s->result->verdict = GRAZE_HIT;
    s->result->proven = upper <= s->call->t_max;
    s->result->toi_upper = s->result->proven ? v_max(upper, s->t) : INFINITY;
}

/* As is_near of finish.c, but for a contact that the volume polynomial proved: its foot is inside at t, so that the
   distance is |f| / |N|. Half of the tolerance is for rounding. */
static GZ_PAIR_FN bool is_near_plane(const finish_state *s, double t, v_vec normal) {
    double height = fabs(gz_volume_at(&s->volume, t)) + s->volume.slack, half = 0.5 * s->tolerance;
    return height < half * sqrt(vec_dot(normal, normal));
}

static GZ_PAIR_FN void set_tolerance(finish_state *s) {
    double asked = s->call->tolerance;
    s->tolerance = asked > 0 ? asked * s->pair.scale : s->pair.largest * GZ_AUTOMATIC_TOLERANCE;
}

typedef enum volume_outcome { VOLUME_OPEN, VOLUME_CLEAR, VOLUME_HIT } volume_outcome;

/* The polynomial's proof: its sign at t, and, for VOLUME_HIT, a contact in (t, upper]. */
typedef struct volume_contact {
    int sign;
    double upper;
    gz_contact at;
} volume_contact;

/* Moves on as far as the polynomial proves the pair free. */
static GZ_PAIR_FN volume_outcome advance_by_volume(finish_state *s, uint64_t most_checks, volume_contact *found) {
    double from = s->t;
    found->sign = gz_volume_advance(&s->volume, &s->t, &s->result->checks, most_checks);
    record(s, (v_vec){0, 0, 0}, from, s->t);
    if (s->t >= s->enough) {
        finish_clear(s);
        return VOLUME_CLEAR;
    }
    bool hit = found->sign && s->t > 0 && s->separation == 0 &&
               gz_volume_hit(&s->pair, &s->volume, s->t, found->sign, &found->upper, &found->at);
    return hit ? VOLUME_HIT : VOLUME_OPEN;
}

/* True if the bracket (t, upper] is to be narrowed first. */
static GZ_PAIR_FN bool is_wide(const finish_state *s, const volume_contact *found) {
    return s->call->exact || !is_near_plane(s, s->t, found->at.normal);
}

static GZ_PAIR_FN void tell_volume_hit(finish_state *s, volume_contact *found) {
    double t_max = s->call->t_max;
    if (found->upper > t_max && gz_volume_hit_by(&s->pair, &s->volume, s->t, found->sign, t_max, &found->at))
        found->upper = t_max;
    if (settle_toi(s)) return;
    set_verdict(s, found->upper);
    gz_contact_fill_along(&s->pair, s->query, found->at.u, found->at.v, found->at.normal, s->result);
}

#endif
