/* The volume polynomial of a pair: where it has no root nothing touches, and where it changes its sign inside both
   primitives they do. */
#ifndef GZ_PAIR_VOLUME_H
#define GZ_PAIR_VOLUME_H

#include "pair/motion.h"

/* f(t) = <e1 x e2, q>, zero where the four points lie in a plane: Bernstein coefficients on [0, 1], and what each of
   them, on any part of [0, 1], is off by at most. Vertex–face and edge–edge. |f| > separation |N|, N = e1 x e2, means
   that the vertex is farther than that from the plane of the face, or the lines of the edges from each other. */
typedef struct gz_volume {
    double c[4];
    double slack;
    double area, size; /* m1 m2 and m1 m2 mq, the products of the largest components of e1, e2 and q */
    double separation;
    v_vec n[3]; /* Bernstein coefficients of N */
    double normal_slack;
} gz_volume;

GZ_PAIR_FN void gz_volume_make(gz_volume *volume, const gz_motion *pair);
GZ_PAIR_FN double gz_volume_at(const gz_volume *volume, double t);

/* Moves *t to a time such that |f| > separation |N| on [*t old, *t new]; 1 when that holds up to 1. Returns the proven
   sign of f there, 0 (and *t as it was) when it cannot be told. `checks` counts the steps, up to `max_checks`. */
GZ_PAIR_FN int gz_volume_advance(const gz_volume *volume, double *t, uint64_t *checks, uint64_t max_checks);

/* The place of a contact on the primitives. */
typedef struct gz_contact {
    double u, v;
    v_vec normal; /* from b towards a, any length */
} gz_contact;

/* f has the proven sign `sign` at t, and the pair does not touch before t. Looks for a time *upper > t with the other
   sign such that the contact is strictly inside both primitives all the way: then they touch in (t, *upper]. */
GZ_PAIR_FN bool gz_volume_hit(const gz_motion *pair, const gz_volume *volume, double t, int sign, double *upper,
                              gz_contact *contact);
/* As gz_volume_hit, but for a given `upper`. */
GZ_PAIR_FN bool gz_volume_hit_by(const gz_motion *pair, const gz_volume *volume, double t, int sign, double upper,
                                 gz_contact *contact);

#endif
