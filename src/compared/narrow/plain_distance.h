/* Squared distance by the textbook formulas that the published methods are described with. Their verdicts are what is
   measured here, rounding errors included: everything else takes numerics/closest.h, which errs less. */
#ifndef GZ_COMPARED_NARROW_PLAIN_DISTANCE_H
#define GZ_COMPARED_NARROW_PLAIN_DISTANCE_H

#include "graze/query.h"

#include "numerics/vec3.h"

/* Parameter in [0, 1] of the point of the segment 0, e that is closest to q. */
static inline double gz_plain_on_segment(gz_vec3 q, gz_vec3 e) {
    double s = gz_vec3_dot(q, e) / gz_vec3_dot(e, e);
    return s > 0 ? (s < 1 ? s : 1) : 0; /* a segment without length gives NaN, and that gives 0 */
}

/* Squared length of q − u·e1 − v·e2, kept when it is the least so far. */
static inline void gz_plain_try(gz_vec3 q, gz_vec3 e1, gz_vec3 e2, double u, double v, double *least) {
    gz_vec3 gap = gz_vec3_along(gz_vec3_along(q, -u, e1), -v, e2);
    double squared = gz_vec3_dot(gap, gap);
    if (squared < *least) *least = squared;
}

/* Squared distance of q from the triangle 0, e1, e2. */
static inline double gz_squared_distance_to_triangle(gz_vec3 q, gz_vec3 e1, gz_vec3 e2) {
    gz_vec3 n = gz_vec3_cross(e1, e2);
    double n2 = gz_vec3_dot(n, n), u = gz_vec3_dot(n, gz_vec3_cross(q, e2)), v = gz_vec3_dot(n, gz_vec3_cross(e1, q));
    if (n2 > 0 && u >= 0 && v >= 0 && u + v <= n2) {
        double height = gz_vec3_dot(n, q);
        return height * (height / n2);
    }
    double least = INFINITY, s = gz_plain_on_segment(gz_vec3_sub(q, e1), gz_vec3_sub(e2, e1));
    gz_plain_try(q, e1, e2, gz_plain_on_segment(q, e1), 0, &least);
    gz_plain_try(q, e1, e2, 0, gz_plain_on_segment(q, e2), &least);
    gz_plain_try(q, e1, e2, 1 - s, s, &least);
    return least;
}

/* Squared distance of the segments 0, ea and w, w + eb. */
static inline double gz_squared_distance_of_segments(gz_vec3 w, gz_vec3 ea, gz_vec3 eb) {
    gz_vec3 n = gz_vec3_cross(ea, eb);
    double n2 = gz_vec3_dot(n, n), u = gz_vec3_dot(n, gz_vec3_cross(w, eb)), v = gz_vec3_dot(n, gz_vec3_cross(w, ea));
    if (n2 > 0 && u >= 0 && u <= n2 && v >= 0 && v <= n2) {
        double height = gz_vec3_dot(n, w);
        return height * (height / n2);
    }
    gz_vec3 zero = {{0, 0, 0}}, back = gz_vec3_sub(zero, eb), q = gz_vec3_sub(zero, w);
    double least = INFINITY;
    gz_plain_try(w, ea, back, 0, gz_plain_on_segment(q, eb), &least);
    gz_plain_try(w, ea, back, 1, gz_plain_on_segment(gz_vec3_along(q, 1, ea), eb), &least);
    gz_plain_try(w, ea, back, gz_plain_on_segment(w, ea), 0, &least);
    gz_plain_try(w, ea, back, gz_plain_on_segment(gz_vec3_along(w, 1, eb), ea), 1, &least);
    return least;
}

/* Squared distance of the two primitives of a query's rows. Kinds VF and EE. */
static inline double gz_squared_distance(graze_kind kind, const gz_vec3 x[4]) {
    if (kind == GRAZE_VF)
        return gz_squared_distance_to_triangle(gz_vec3_sub(x[0], x[1]), gz_vec3_sub(x[2], x[1]),
                                               gz_vec3_sub(x[3], x[1]));
    return gz_squared_distance_of_segments(gz_vec3_sub(x[2], x[0]), gz_vec3_sub(x[1], x[0]), gz_vec3_sub(x[3], x[2]));
}

#endif
