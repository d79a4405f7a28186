/* Two triangles of two links in motion: until when they are apart, and proof that they touch. */
#ifndef GZ_ARTICULATED_TOUCH_H
#define GZ_ARTICULATED_TOUCH_H

#include "articulated/projection.h"
#include "articulated/triangles.h"

/* A pair of links and what is asked of it. */
typedef struct gz_link_pair {
    uint32_t a, b; /* in the scene */
    double separation;
    double contact;     /* separation and both paddings, rounded up */
    double contact_low; /* the same rounded down */
    double tolerance;
} gz_link_pair;

/* A triangle of link a and one of link b. */
typedef struct gz_faces {
    uint32_t a, b;
} gz_faces;

typedef struct gz_touch {
    graze_verdict verdict; /* CLEAR: apart up to the end of the time looked at */
    graze_reason reason;
    double toi;          /* apart before it */
    double proven;       /* a time at which contact is proven; INFINITY: not looked for yet */
    bool inside;         /* one link is in the other, or may be: there are no faces */
    gz_faces faces;      /* that touch */
    gz_face_gap closest; /* of them at toi, in the frame of link b */
} gz_touch;

/* Sets `contact` and `contact_low` to those of two triangles, whose meshes may have radii of their own. */
void gz_pair_narrow(const gz_scene *scene, gz_link_pair *pair, gz_faces faces);

/* Proven: the faces are apart along p from s0 to s1 of its window; the first as it is in its own link's frame. */
bool gz_faces_apart(const gz_projection *p, const gz_triangle *local_a, const gz_triangle *b, double s0, double s1);

/* The faces over [begin, end], where `frame` is link a seen from b over `window`, which holds that time. `frames` makes
   the frames of shorter windows, `checks` counts probes. */
gz_touch gz_touch_advance(gz_frames *frames, const gz_link_pair *pair, gz_faces faces, const gz_frame_model *frame,
                          gz_window window, double begin, double end, uint64_t *checks);

/* Two links as a proof of contact needs them. `frame` is the first seen from the second at a single time; it stays
   where it is. */
typedef struct gz_touch_test {
    const gz_link *a, *b;
    const gz_frame_model *frame;
    double separation;
    double contact; /* rounded down */
    double error;   /* of a's points, along each axis */
    double size;    /* that roundings of closest points are relative to */
} gz_touch_test;

gz_touch_test gz_touch_test_of(const gz_scene *scene, const gz_link_pair *pair, const gz_frame_model *frame);
/* Proven: the faces are in contact. */
bool gz_touch_proven(const gz_touch_test *test, gz_faces faces);
/* As gz_touch_proven(), but at time t. */
bool gz_touch_proven_at(gz_frames *frames, const gz_link_pair *pair, gz_faces faces, double t);

/* A proof of contact this long after toi at the latest: a wider bracket says nothing of when. */
#define GZ_LAST_WAIT 0x1p-31
/* A time from toi on, GZ_LAST_WAIT and t_max included, at which the faces are proven to be in contact; INFINITY
 * without.
 */
double gz_touch_proven_after(gz_frames *frames, const gz_link_pair *pair, gz_faces faces, double toi, double t_max);

/* Bound on the error of a point of a link along each axis at a single time. */
double gz_position_error(const gz_frame_model *frame, const double extent[3]);

/* A point of link a, and the corners of a triangle of it, at time s of the window, rounded, in the frame that `frame`
 * is in. */
gz_vec3 gz_link_point_at(const gz_frame_model *frame, gz_vec3 x, double s);
gz_triangle gz_triangle_at(const gz_frame_model *frame, const gz_link *link, uint32_t face, double s);
gz_triangle gz_triangle_of(const gz_link *link, uint32_t face);

#endif
