#include "narrow/contact.h"

#include <math.h>

typedef struct vec3 {
    double x, y, z;
} vec3;

static vec3 sub(vec3 a, vec3 b) { return (vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static vec3 along(vec3 a, double s, vec3 b) { return (vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }
static double dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec3 cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static double size(vec3 a) { return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z))); }
static double clamp(double s) { return s > 0 ? (s < 1 ? s : 1) : 0; } /* NaN gives 0 */

/* Unit vector, or false where there is no direction. Scaled first, so that squares neither overflow nor vanish. */
static int normalize(vec3 a, vec3 *unit) {
    double largest = size(a);
    if (!(largest > 0)) return 0;
    a = (vec3){a.x / largest, a.y / largest, a.z / largest};
    double length = sqrt(dot(a, a));
    *unit = (vec3){a.x / length, a.y / length, a.z / length};
    return 1;
}

/* Parameter of the point of the segment 0, e that is closest to q. */
static double closest_on_segment(vec3 q, vec3 e) { return clamp(dot(q, e) / dot(e, e)); }

static double squared_gap(vec3 q, double u, vec3 e1, double v, vec3 e2) {
    vec3 gap = along(along(q, -u, e1), -v, e2);
    return dot(gap, gap);
}

/* Closest point to q of the triangle 0, e1, e2: its inside where the projection falls there, else the best edge. */
static void closest_on_triangle(vec3 q, vec3 e1, vec3 e2, double *u, double *v) {
    double a = dot(e1, e1), b = dot(e1, e2), c = dot(e2, e2), d = dot(q, e1), e = dot(q, e2);
    double det = a * c - b * b;
    if (det > 0) {
        *u = (c * d - b * e) / det;
        *v = (a * e - b * d) / det;
        if (*u >= 0 && *v >= 0 && *u + *v <= 1) return;
    }
    double s0 = closest_on_segment(q, e1), s1 = closest_on_segment(q, e2);
    double s2 = closest_on_segment(sub(q, e1), sub(e2, e1));
    const double candidates[3][2] = {{s0, 0}, {0, s1}, {1 - s2, s2}};
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        double gap = squared_gap(q, candidates[k][0], e1, candidates[k][1], e2);
        if (gap < least) {
            least = gap;
            *u = candidates[k][0];
            *v = candidates[k][1];
        }
    }
}

/* Closest points of the segments 0, ea and w, w + eb: inside both where the common perpendicular falls there, else the
   best of the four ends against the other segment. */
static void closest_on_segments(vec3 w, vec3 ea, vec3 eb, double *u, double *v) {
    double a = dot(ea, ea), b = dot(ea, eb), c = dot(eb, eb), d = dot(ea, w), e = dot(eb, w);
    double det = a * c - b * b;
    if (det > 0) {
        *u = (c * d - b * e) / det;
        *v = (b * d - a * e) / det;
        if (*u >= 0 && *u <= 1 && *v >= 0 && *v <= 1) return;
    }
    vec3 back = {-w.x, -w.y, -w.z}, opposite = {-eb.x, -eb.y, -eb.z};
    const double candidates[4][2] = {{0, closest_on_segment(back, eb)},
                                     {1, closest_on_segment(along(ea, -1, w), eb)},
                                     {closest_on_segment(w, ea), 0},
                                     {closest_on_segment(along(w, 1, eb), ea), 1}};
    double least = INFINITY;
    for (int k = 0; k < 4; k++) {
        double gap = squared_gap(w, candidates[k][0], ea, candidates[k][1], opposite);
        if (gap < least) {
            least = gap;
            *u = candidates[k][0];
            *v = candidates[k][1];
        }
    }
}

/* A gap below this part of the coordinates is rounding, not a direction. */
#define GAP_SHOWS 0x1p-44

void gz_contact_fill(graze_kind kind, const graze_query *query, graze_result *result) {
    double t = result->toi, scale = 0;
    vec3 x[4], motion[4];
    for (int i = 0; i < 4; i++) {
        const double *from = query->x0[i], *to = query->x1[i];
        motion[i] = (vec3){to[0] - from[0], to[1] - from[1], to[2] - from[2]};
        x[i] = along((vec3){from[0], from[1], from[2]}, t, motion[i]);
        scale = fmax(scale, size(x[i]));
    }
    vec3 on_b, e1, e2, towards_a, approach;
    double u = 0, v = 0;
    /* lengths near 1, by an exact power of two: no square overflows, and tiny pairs have squares at all */
    vec3 edges[3];
    if (kind == GRAZE_VF) {
        edges[0] = sub(x[0], x[1]), edges[1] = sub(x[2], x[1]), edges[2] = sub(x[3], x[1]);
    } else {
        edges[0] = sub(x[2], x[0]), edges[1] = sub(x[1], x[0]), edges[2] = sub(x[3], x[2]);
    }
    int exponent = 0;
    (void)frexp(fmax(size(edges[0]), fmax(size(edges[1]), size(edges[2]))), &exponent);
    for (int k = 0; k < 3; k++)
        edges[k] = (vec3){ldexp(edges[k].x, -exponent), ldexp(edges[k].y, -exponent), ldexp(edges[k].z, -exponent)};
    e1 = edges[1], e2 = edges[2];
    if (kind == GRAZE_VF) {
        closest_on_triangle(edges[0], e1, e2, &u, &v);
        on_b = along(along(x[1], u, sub(x[2], x[1])), v, sub(x[3], x[1]));
        towards_a = sub(x[0], on_b);
        approach =
            along(along(sub(motion[0], motion[1]), -u, sub(motion[2], motion[1])), -v, sub(motion[3], motion[1]));
    } else {
        closest_on_segments(edges[0], e1, e2, &u, &v);
        on_b = along(x[2], v, sub(x[3], x[2]));
        towards_a = sub(along(x[0], u, sub(x[1], x[0])), on_b);
        approach = along(along(sub(motion[0], motion[2]), u, sub(motion[1], motion[0])), -v, sub(motion[3], motion[2]));
    }
    result->u = u;
    result->v = v;
    result->point[0] = on_b.x, result->point[1] = on_b.y, result->point[2] = on_b.z;

    vec3 normal, speed = {0, 0, 0};
    if (!(size(towards_a) > GAP_SHOWS * scale)) {
        int moving = normalize(approach, &speed);
        if (normalize(cross(e1, e2), &normal)) {
            double side = dot(normal, speed);
            if (side == 0) side = -dot(normal, towards_a);
            if (side > 0) normal = (vec3){-normal.x, -normal.y, -normal.z};
        } else if (moving) {
            normal = (vec3){-speed.x, -speed.y, -speed.z};
        } else {
            return;
        }
    } else if (!normalize(towards_a, &normal)) {
        return;
    }
    result->normal[0] = normal.x, result->normal[1] = normal.y, result->normal[2] = normal.z;
}
