/* The algorithm of Gilbert, Johnson and Keerthi: the point of the hull of a − b that is closest to the origin. */
#include "articulated/distance/gjk.h"

#include "articulated/distance/side.h"
#include "numerics/closest.h"

#include <math.h>

#define MOST_STEPS 24       /* beyond it any direction will do */
#define LEAST_SAVED 0x1p-30 /* part of the squared distance that a further corner has to save */

/* A corner of a − b, and the vertices that it is the difference of. */
typedef struct corner {
    gz_vec3 at;
    const double *a, *b;
} corner;

/* A point inside of the hull of some corners. */
typedef struct simplex {
    corner corners[3];
    double weights[3];
    int count;
    gz_vec3 closest; /* to the origin */
    double squared;
} simplex;

static gz_vec3 placed(const gz_frame_model *frame, const double x[3]) {
    gz_vec3 at;
    for (int i = 0; i < 3; i++) {
        const double *row = frame->c[0][i];
        at.c[i] = row[3] + (row[0] * x[0] + row[1] * x[1] + row[2] * x[2]);
    }
    return at;
}

/* The corner that is least along n. */
static corner corner_against(const gz_link_view *view, gz_vec3 n, corner last) {
    const gz_frame_model *frame = view->frame;
    double back[3];
    for (int j = 0; j < 3; j++)
        back[j] = -(frame->c[0][0][j] * n.c[0] + frame->c[0][1][j] * n.c[1] + frame->c[0][2][j] * n.c[2]);
    corner least = {.a = gz_farthest_vertex(view->a, back, last.a), .b = gz_farthest_vertex(view->b, n.c, last.b)};
    least.at = gz_vec3_sub(placed(frame, least.a), gz_vec3_of(least.b));
    return least;
}

/* Takes p + s·(q − p) + t·(r − p) when it is closer. */
static void take(simplex *best, int count, const corner *p, double s, const corner *q, double t, const corner *r) {
    gz_vec3 closest = gz_vec3_along(p->at, s, gz_vec3_sub(q->at, p->at));
    closest = gz_vec3_along(closest, t, gz_vec3_sub(r->at, p->at));
    double squared = gz_vec3_dot(closest, closest);
    if (squared < best->squared) *best = (simplex){{*p, *q, *r}, {1 - s - t, s, t}, count, closest, squared};
}

static void try_segment(simplex *best, const corner *p, const corner *q) {
    gz_vec3 e = gz_vec3_sub(q->at, p->at);
    double s = -gz_vec3_dot(p->at, e) / gz_vec3_dot(e, e);
    if (s > 0 && s < 1) take(best, 2, p, s, q, 0, q);
}

static void try_triangle(simplex *best, const corner *p, const corner *q, const corner *r) {
    gz_vec3 e = gz_vec3_sub(q->at, p->at), f = gz_vec3_sub(r->at, p->at), origin = {{0, 0, 0}};
    double s, t;
    gz_closest_in_plane(gz_vec3_sub(origin, p->at), e, f, &s, &t);
    if (s > 0 && t > 0 && s + t < 1) take(best, 3, p, s, q, t, r);
}

/* The closest point with one corner more, which it depends on. */
static simplex with_corner(const simplex *s, const corner *w) {
    simplex best = {.squared = INFINITY};
    take(&best, 1, w, 0, w, 0, w);
    for (int i = 0; i < s->count; i++) try_segment(&best, w, &s->corners[i]);
    for (int i = 1; i < s->count; i++)
        for (int j = 0; j < i; j++) try_triangle(&best, w, &s->corners[i], &s->corners[j]);
    return best;
}

static gz_hull_gap gap_of(const simplex *s) {
    gz_hull_gap gap = {.n = s->closest};
    for (int i = 0; i < s->count; i++) {
        gap.a = gz_vec3_along(gap.a, s->weights[i], gz_vec3_of(s->corners[i].a));
        gap.b = gz_vec3_along(gap.b, s->weights[i], gz_vec3_of(s->corners[i].b));
    }
    return gap;
}

static gz_vec3 between_centers(const gz_link_view *view) {
    return gz_vec3_sub(placed(view->frame, view->a->tree.nodes->center), gz_vec3_of(view->b->tree.nodes->center));
}

bool gz_hulls_gap(const gz_link_view *view, gz_hull_gap *gap) {
    simplex s = {.squared = INFINITY};
    corner w = corner_against(view, between_centers(view), (corner){.a = NULL});
    s = with_corner(&s, &w);
    for (int i = 0; i < MOST_STEPS; i++) {
        w = corner_against(view, s.closest, w);
        double left = gz_vec3_dot(s.closest, w.at);
        if (!(s.squared - left > LEAST_SAVED * s.squared)) {
            *gap = gap_of(&s);
            return left > 0;
        }
        simplex next = with_corner(&s, &w);
        if (!(next.squared < s.squared)) break;
        s = next;
    }
    *gap = gap_of(&s);
    return gz_vec3_dot(s.closest, w.at) > 0;
}
