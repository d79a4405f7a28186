/* Advances a pair of triangles along directions, as src/narrow does on straight paths, here on Taylor models. */
#include "articulated/touch.h"

#include "motion/rounding.h"
#include "numerics/hull.h"
#include "numerics/intervals.h"

#include <math.h>

#define MOST_PROBES 1000
#define MOST_WINDOWS 200        /* Taylor models that one pair may ask for */
#define FIRST_WAIT 0x1p-43      /* after toi: the first time that a crossing is looked for, then 16 times as late */
#define BLUR_OF_TOLERANCE 0.125 /* a remainder that hides no more than this part of the tolerance is small enough */

gz_triangle gz_triangle_of(const gz_link *link, uint32_t face) {
    const uint32_t *v = link->faces[face];
    return (gz_triangle){
        {gz_vec3_of(link->vertices[v[0]]), gz_vec3_of(link->vertices[v[1]]), gz_vec3_of(link->vertices[v[2]])}};
}

/* Of two triangles of links whose meshes have radii of their own. */
static void reach_of_faces(const gz_link *a, const gz_link *b, gz_faces faces, double separation, double *low,
                           double *high) {
    gz_reach_between(separation, gz_face_padding(a, faces.a), gz_face_padding(b, faces.b), low, high);
}

void gz_pair_narrow(const gz_scene *scene, gz_link_pair *pair, gz_faces faces) {
    const gz_link *a = gz_scene_at(scene, pair->a)->link, *b = gz_scene_at(scene, pair->b)->link;
    if (a->radii || b->radii) reach_of_faces(a, b, faces, pair->separation, &pair->contact_low, &pair->contact);
}

/* A frame at one time, rounded. */
typedef struct placed_frame {
    double m[3][4];
} placed_frame;

static placed_frame frame_at(const gz_frame_model *frame, double s) {
    placed_frame at;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            at.m[i][j] = ((frame->c[3][i][j] * s + frame->c[2][i][j]) * s + frame->c[1][i][j]) * s + frame->c[0][i][j];
    return at;
}

static gz_vec3 point_of(const placed_frame *at, gz_vec3 x) {
    gz_vec3 moved;
    for (int i = 0; i < 3; i++) {
        const double *row = at->m[i];
        moved.c[i] = row[3] + (row[0] * x.c[0] + row[1] * x.c[1] + row[2] * x.c[2]);
    }
    return moved;
}

gz_vec3 gz_link_point_at(const gz_frame_model *frame, gz_vec3 x, double s) {
    placed_frame at = frame_at(frame, s);
    return point_of(&at, x);
}

gz_triangle gz_triangle_at(const gz_frame_model *frame, const gz_link *link, uint32_t face, double s) {
    gz_triangle local = gz_triangle_of(link, face), moved;
    placed_frame m = frame_at(frame, s);
    for (int k = 0; k < 3; k++) moved.x[k] = point_of(&m, local.x[k]);
    return moved;
}

/* ---- one probe ---- */

/* Proof by one direction from the start of some time on. */
typedef struct probe {
    double gap;   /* beyond contact and margin, at the start; ≤ 0: nothing is proven */
    double share; /* part of that time that is proven free, in [0, 1] */
    double blur;  /* remainder of the Taylor model, which a shorter window may lessen, as a length */
    bool blurred; /* it is in the way */
} probe;

/* Bernstein coefficients on [s0, s1] of the cubic c. */
static void bernstein(const double c[4], double s0, double s1, double b[4]) {
    double length = s1 - s0;
    double a0 = ((c[3] * s0 + c[2]) * s0 + c[1]) * s0 + c[0];
    double a1 = length * ((3 * c[3] * s0 + 2 * c[2]) * s0 + c[1]);
    double a2 = length * length * (3 * c[3] * s0 + c[2]);
    double a3 = length * length * length * c[3];
    b[0] = a0;
    b[1] = a0 + a1 * (1.0 / 3);
    b[2] = a0 + (2 * a1 + a2) * (1.0 / 3);
    b[3] = a0 + (a1 + a2 + a3);
}

/* Least control values of the three corners of a along the direction. */
static void lowest(const gz_projection *p, const gz_triangle *local, double s0, double s1, double low[4]) {
    for (int k = 0; k < 4; k++) low[k] = INFINITY;
    for (int v = 0; v < 3; v++) {
        const double *x = local->x[v].c;
        double c[4], b[4];
        for (int k = 0; k < 4; k++) c[k] = p->t[k] + (p->x[0][k] * x[0] + p->x[1][k] * x[1] + p->x[2][k] * x[2]);
        bernstein(c, s0, s1, b);
        for (int k = 0; k < 4; k++) low[k] = b[k] < low[k] ? b[k] : low[k];
    }
}

static double highest(const double n[3], const gz_triangle *b) {
    double high = -INFINITY;
    for (int v = 0; v < 3; v++) high = fmax(high, n[0] * b->x[v].c[0] + n[1] * b->x[v].c[1] + n[2] * b->x[v].c[2]);
    return high;
}

typedef struct advance {
    gz_frames *frames;
    const gz_link_pair *pair;
    const gz_link *link_a;
    gz_faces faces;
    gz_frame_model frame; /* over `window`, which holds the time from now to window_end */
    gz_window window;
    double window_end;
    gz_triangle local_a, b;
    double extent_a[3], extent_b[3];
    int windows;
    double blur;  /* of the window before this one, when that was cut short; else INFINITY */
    double cut;   /* its length */
    double floor; /* windows no longer than this on either side of their middle have the least blur that there is */
} advance;

static double place_of(const advance *job, double t) { return gz_window_place(job->window, t); }

bool gz_faces_apart(const gz_projection *p, const gz_triangle *local_a, const gz_triangle *b, double s0, double s1) {
    double g[4], least = highest(p->n, b) + (p->margin + p->reach);
    lowest(p, local_a, s0, s1, g);
    return g[0] > least && g[1] > least && g[2] > least && g[3] > least;
}

static probe try_direction(const advance *job, const double n[3], double from, double to) {
    gz_projection p;
    double g[4];
    gz_project(&job->frame, job->extent_a, job->extent_b, n, job->pair->contact, &p);
    lowest(&p, &job->local_a, place_of(job, from), place_of(job, to), g);
    double least = highest(n, &job->b) + (p.margin + p.reach);
    for (int k = 0; k < 4; k++) g[k] -= least;
    double remainder = p.margin - p.rounding;
    probe found = {.gap = g[0], .blurred = remainder > p.rounding && remainder > 0.25 * g[0]};
    found.blur = remainder / gz_length(n);
    if (g[0] > 0) found.share = gz_part_above_zero(g);
    return found;
}

/* ---- proof of contact ---- */

double gz_position_error(const gz_frame_model *frame, const double extent[3]) {
    double most = 0;
    for (int i = 0; i < 3; i++) {
        double error = frame->r[i][3], size = frame->n[i][3];
        for (int j = 0; j < 3; j++) {
            error += frame->r[i][j] * extent[j];
            size += frame->n[i][j] * extent[j];
        }
        most = fmax(most, error + GZ_PROJECTION_SLACK * size);
    }
    return most * GZ_TAYLOR_UP + GZ_TAYLOR_TINY;
}

gz_touch_test gz_touch_test_of(const gz_scene *scene, const gz_link_pair *pair, const gz_frame_model *frame) {
    gz_touch_test test = {.a = gz_scene_at(scene, pair->a)->link,
                          .b = gz_scene_at(scene, pair->b)->link,
                          .frame = frame,
                          .separation = pair->separation,
                          .contact = pair->contact_low};
    double extent_a[3], extent_b[3];
    gz_link_extent(test.a, extent_a);
    gz_link_extent(test.b, extent_b);
    test.error = gz_position_error(frame, extent_a);
    for (int c = 0; c < 3; c++) test.size += fabs(frame->c[0][c][3]) + extent_a[c] + extent_b[c];
    return test;
}

/* Proven: the faces are no farther apart than that. The closest points lie in the triangles to within roundings
   relative to coordinates. */
static bool is_within(const gz_touch_test *test, const gz_face_gap *closest, double reach) {
    double distance = gz_vec3_norm(gz_vec3_sub(closest->a, closest->b)) * GZ_TAYLOR_UP;
    return distance + 2 * test->error + 2 * GZ_PROJECTION_SLACK * test->size <= reach;
}

bool gz_touch_proven(const gz_touch_test *test, gz_faces faces) {
    gz_triangle x = gz_triangle_at(test->frame, test->a, faces.a, 0), y = gz_triangle_of(test->b, faces.b);
    if (gz_triangles_cross(&x, &y, test->error)) return true;
    double contact = test->contact, high;
    if (test->a->radii || test->b->radii) reach_of_faces(test->a, test->b, faces, test->separation, &contact, &high);
    if (!(contact > 0)) return false;
    gz_face_gap closest = gz_gap_of_faces(&x, &y);
    return is_within(test, &closest, contact);
}

bool gz_touch_proven_at(gz_frames *frames, const gz_link_pair *pair, gz_faces faces, double t) {
    gz_frame_model frame;
    gz_frames_window(frames, t, t);
    gz_frames_relative(frames, pair->a, pair->b, &frame);
    gz_touch_test test = gz_touch_test_of(frames->scene, pair, &frame);
    return gz_touch_proven(&test, faces);
}

double gz_touch_proven_after(gz_frames *frames, const gz_link_pair *pair, gz_faces faces, double toi, double t_max) {
    for (double wait = FIRST_WAIT, t = toi; wait <= GZ_LAST_WAIT && t < t_max; wait *= 16) {
        t = fmin(toi + wait, t_max);
        if (t > toi && gz_touch_proven_at(frames, pair, faces, t)) return t;
    }
    return INFINITY;
}

/* ---- the way from probe to probe ---- */

/* A new Taylor model over `length` from t on; false when there were too many or it has no length. */
static bool open_window(advance *job, double t, double length, double end) {
    if (++job->windows > MOST_WINDOWS || !(t + length > t)) return false;
    job->window_end = fmin(t + length, end);
    gz_frames_window(job->frames, t, job->window_end);
    job->window = job->frames->window;
    gz_frames_relative(job->frames, job->pair->a, job->pair->b, &job->frame);
    return true;
}

/* As open_window(), but in place of a longer window that blurs. */
static bool cut_window(advance *job, double t, double length, double end, double blur) {
    double h = job->window.h;
    if (!open_window(job, t, length, end)) return false;
    job->blur = blur;
    job->cut = h;
    return true;
}

/* No window takes away the rounding in the frames: a cut that did not help is the last one. */
static void note_blur(advance *job, double blur) {
    if (!(blur < 0.5 * job->blur)) job->floor = job->cut;
    job->blur = INFINITY;
}

/* Closest points at a single time. */
static gz_face_gap closest_at(gz_frames *frames, const gz_link_pair *pair, gz_faces faces, double t) {
    gz_frame_model frame;
    gz_frames_window(frames, t, t);
    gz_frames_relative(frames, pair->a, pair->b, &frame);
    gz_triangle a = gz_triangle_at(&frame, gz_scene_at(frames->scene, pair->a)->link, faces.a, 0);
    gz_triangle b = gz_triangle_of(gz_scene_at(frames->scene, pair->b)->link, faces.b);
    return gz_gap_of_faces(&a, &b);
}

/* Proves no more from t on. Frames of that single time decide what is there: no window blurs them. */
static gz_touch stop(const advance *job, double t, graze_reason reason) {
    gz_touch touch = {.verdict = GRAZE_HIT, .toi = t, .proven = INFINITY, .faces = job->faces};
    gz_frame_model frame;
    gz_frames_window(job->frames, t, t);
    gz_frames_relative(job->frames, job->pair->a, job->pair->b, &frame);
    gz_touch_test test = gz_touch_test_of(job->frames->scene, job->pair, &frame);
    gz_triangle a = gz_triangle_at(&frame, job->link_a, job->faces.a, 0);
    touch.closest = gz_gap_of_faces(&a, &job->b);
    if (gz_touch_proven(&test, job->faces)) {
        touch.proven = t;
    } else if (!is_within(&test, &touch.closest, test.contact + job->pair->tolerance)) {
        touch.verdict = GRAZE_UNRESOLVED;
        touch.reason = reason;
    }
    return touch;
}

/* A shorter window would tell more: of what is free, or of what is within the tolerance. */
static bool is_blurred(const advance *job, const probe *found) {
    if (!(job->window.h > job->floor)) return false;
    return found->gap > 0 ? found->blurred && found->share < 0.5
                          : found->blur > BLUR_OF_TOLERANCE * job->pair->tolerance;
}

/* Closest points that are hardly apart do not tell their direction; the sides of triangles do. */
static probe try_axis(const advance *job, double from, double to) {
    gz_triangle a = gz_triangle_at(&job->frame, job->link_a, job->faces.a, place_of(job, from));
    return try_direction(job, gz_parting_axis(&a, &job->b).c, from, to);
}

static gz_touch go(advance *job, double begin, double end, uint64_t *checks) {
    double t = begin, span = end - begin;
    for (int probes = 0; probes < MOST_PROBES; probes++) {
        double to = t + span, last = fmin(job->window_end, end);
        if (!(to < gz_next_down(last)))
            to = last; /* no rest of a single rounding, which no window is short enough for */
        gz_triangle a = gz_triangle_at(&job->frame, job->link_a, job->faces.a, place_of(job, t));
        gz_face_gap closest = gz_gap_of_faces(&a, &job->b);
        probe found = try_direction(job, closest.n.c, t, to);
        ++*checks;
        note_blur(job, found.blur);
        if (!(found.gap > 0) && !is_blurred(job, &found)) {
            gz_touch touch = stop(job, t, GRAZE_REASON_PRECISION);
            if (touch.verdict != GRAZE_HIT) found = try_axis(job, t, to);
            if (!(found.gap > 0)) return touch;
        }
        if (found.share >= 1) {
            t = to;
            span *= 4;
            if (t >= end) return (gz_touch){.verdict = GRAZE_CLEAR, .toi = end, .closest = closest};
            if (t >= job->window_end && !open_window(job, t, 8 * job->window.h, end)) break;
            continue;
        }
        double reached = gz_next_down(t + found.share * (to - t));
        double shorter = fmin((job->window_end - t) / 16, 2 * span);
        if (is_blurred(job, &found) && cut_window(job, t, shorter, end, found.blur)) {
            span = end - t;
        } else if (reached > t) {
            span = 4 * (reached - t);
            t = reached;
        } else if (found.gap > 0 && t + (to - t) / 16 > t) {
            span = (to - t) / 16;
        } else {
            return stop(job, t, GRAZE_REASON_PRECISION);
        }
    }
    return stop(job, t, GRAZE_REASON_BUDGET);
}

static gz_touch advance_from(gz_frames *frames, const gz_link_pair *pair, gz_faces faces, const gz_frame_model *frame,
                             gz_window window, double begin, double end, uint64_t *checks) {
    const gz_link *a = gz_scene_at(frames->scene, pair->a)->link, *b = gz_scene_at(frames->scene, pair->b)->link;
    advance job = {.frames = frames, .pair = pair, .link_a = a, .faces = faces, .window = window};
    job.frame = *frame;
    job.window_end = end;
    job.blur = INFINITY;
    job.local_a = gz_triangle_of(a, faces.a);
    job.b = gz_triangle_of(b, faces.b);
    gz_link_extent(a, job.extent_a);
    gz_link_extent(b, job.extent_b);
    return go(&job, begin, end, checks);
}

/* Link b seen from a. A direction that stands beside the one triangle turns away from the other: with a face that turns
   about a point near the contact, probes shrink with the gap. Seen from that face they do not. */
static gz_touch advance_exchanged(gz_frames *frames, const gz_link_pair *pair, gz_faces faces, double begin, double end,
                                  uint64_t *checks) {
    gz_link_pair exchanged = *pair;
    exchanged.a = pair->b;
    exchanged.b = pair->a;
    gz_frame_model frame;
    gz_frames_window(frames, begin, end);
    gz_frames_relative(frames, exchanged.a, exchanged.b, &frame);
    gz_touch touch =
        advance_from(frames, &exchanged, (gz_faces){faces.b, faces.a}, &frame, frames->window, begin, end, checks);
    touch.faces = faces;
    touch.closest = closest_at(frames, pair, faces, touch.toi);
    return touch;
}

gz_touch gz_touch_advance(gz_frames *frames, const gz_link_pair *pair, gz_faces faces, const gz_frame_model *frame,
                          gz_window window, double begin, double end, uint64_t *checks) {
    gz_link_pair own = *pair;
    gz_pair_narrow(frames->scene, &own, faces);
    gz_touch touch = advance_from(frames, &own, faces, frame, window, begin, end, checks);
    if (touch.verdict != GRAZE_UNRESOLVED || touch.reason != GRAZE_REASON_BUDGET || !(touch.toi < end)) return touch;
    return advance_exchanged(frames, &own, faces, touch.toi, end, checks);
}
