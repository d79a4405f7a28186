/* The failure-proof cubic test and the basic one, in one precision. */
#include "compared/narrow/safe.h"
#include "compared/narrow/safe_edge.h"
#include "compared/narrow/safe_plane.h"

static inline vec row(const real x[4][3], int i) { return (vec){x[i][0], x[i][1], x[i][2]}; }

/* Which rows are the base points, and which the ends of q and r. */
typedef struct labels {
    int p[2], q[2], r[2]; /* p = row p[0] − row p[1] */
} labels;

static inline labels labels_of(graze_kind kind) {
    switch (kind) {
    case GRAZE_VF: return (labels){{0, 1}, {2, 1}, {3, 1}};
    case GRAZE_EE: return (labels){{2, 0}, {1, 0}, {3, 2}};
    case GRAZE_PE: return (labels){{0, 1}, {2, 1}, {0, 0}};
    default: return (labels){{0, 1}, {0, 0}, {0, 0}};
    }
}

/* Differences at t = 0 and, in the second places, at t = 1. */
static inline void take_differences(graze_kind kind, const real_query *query, differences *d) {
    const labels l = labels_of(kind);
    const real(*x[2])[3] = {query->x0, query->x1};
    for (int at = 0; at < 2; at++) {
        d->p[at] = vec_sub(row(x[at], l.p[0]), row(x[at], l.p[1]));
        d->q[at] = vec_sub(row(x[at], l.q[0]), row(x[at], l.q[1]));
        d->r[at] = vec_sub(row(x[at], l.r[0]), row(x[at], l.r[1]));
    }
    d->edges = kind == GRAZE_EE;
}

static inline vec end_at(vec start, vec end, real t) {
    return t == 1 ? end : vec_add(start, vec_scale(vec_sub(end, start), t));
}

/* Moves the second places from t = 1 to T. */
static inline void cut_at(differences *d, real t) {
    d->end = t;
    d->largest =
        vec_add(vec_add(vec_max(vec_abs(d->p[0]), vec_abs(d->p[1])), vec_max(vec_abs(d->q[0]), vec_abs(d->q[1]))),
                vec_max(vec_abs(d->r[0]), vec_abs(d->r[1])));
    d->p[1] = end_at(d->p[0], d->p[1], t);
    d->q[1] = end_at(d->q[0], d->q[1], t);
    d->r[1] = end_at(d->r[0], d->r[1], t);
}

typedef struct bounds {
    real bound, speed; /* B and 2V */
} bounds;

/* From differences at t = 0 and 1. */
static inline bounds bounds_of(const differences *d) {
    vec p = vec_sub(d->p[1], d->p[0]), q = vec_sub(d->q[1], d->q[0]), r = vec_sub(d->r[1], d->r[0]);
    vec edges = vec_max(vec_abs(d->q[0]), vec_abs(d->r[0]));
    if (d->edges)
        r = vec_add(p, r);
    else
        edges = vec_max(edges, vec_abs(vec_sub(d->r[0], d->q[0])));
    /* all velocities seen from one of the points, which itself is at rest then */
    const vec rest = {0, 0, 0};
    vec range = vec_sub(vec_max(vec_max(p, q), vec_max(r, rest)), vec_min(vec_min(p, q), vec_min(r, rest)));
    real speed = vec_largest(range) * (1 + 16 * EPS);
    return (bounds){(vec_largest(edges) + speed) * (1 + 16 * EPS), speed};
}

/* The pair, scaled so that B lies in [1/2, 1). */
typedef struct pair {
    graze_kind kind;
    const real_query *query;
    real up, scale; /* powers of two, whose product may overflow */
    real end;
    int a, b; /* EE: the rows of the base points, the closest two ends; the others are 1 − a and 5 − b */
    moving p, q, r;
    tolerances k;
} pair;

/* Chooses the ends of the edges that are closest over both end times. Returns their distance. */
static inline real choose_ends(const real_query *query, int *a, int *b) {
    real least = INFINITY;
    for (int i = 0; i < 2; i++)
        for (int j = 2; j < 4; j++) {
            vec start = vec_sub(row(query->x0, j), row(query->x0, i));
            vec end = vec_sub(row(query->x1, j), row(query->x1, i));
            real size = vec_largest(vec_max(vec_abs(start), vec_abs(end)));
            if (size < least) {
                least = size;
                *a = i;
                *b = j;
            }
        }
    return least;
}

/* The largest difference between the vertex and the corners at t = 0 and 1. */
static inline real corner_distance(const differences *d, graze_kind kind) {
    vec size = vec_max(vec_abs(d->p[0]), vec_abs(d->p[1]));
    if (kind == GRAZE_PP) return vec_largest(size);
    for (int at = 0; at < 2; at++) {
        size = vec_max(size, vec_abs(vec_sub(d->p[at], d->q[at])));
        if (kind == GRAZE_VF) size = vec_max(size, vec_abs(vec_sub(d->p[at], d->r[at])));
    }
    return vec_largest(size);
}

static inline moving scaled(vec start, vec end, real up, real scale) {
    return (moving){vec_scale(vec_scale(start, up), scale), vec_scale(vec_scale(vec_sub(end, start), up), scale)};
}

/* Point j seen from point i, scaled. */
static inline moving seen_from(const pair *w, int j, int i) {
    const real_query *query = w->query;
    return scaled(vec_sub(row(query->x0, j), row(query->x0, i)), vec_sub(row(query->x1, j), row(query->x1, i)), w->up,
                  w->scale);
}

/* p · (q × r) as a cubic in t. */
static inline cubic volume(const pair *w) {
    vec xx = vec_cross(w->q.x, w->r.x), vv = vec_cross(w->q.v, w->r.v);
    vec vx = vec_cross(w->q.v, w->r.x), xv = vec_cross(w->q.x, w->r.v);
    return (cubic){
        .a = vec_dot(w->p.v, vv),
        .b = vec_dot(w->p.x, vv) + vec_dot(w->p.v, vx) + vec_dot(w->p.v, xv),
        .c = vec_dot(w->p.x, vx) + vec_dot(w->p.x, xv) + vec_dot(w->p.v, xx),
        .d = vec_dot(w->p.x, xx),
    };
}

/* Barycentric weights at a time, times |n|²: of f1 and f2, or the parameters on a and b. */
typedef struct weights {
    vec n, q, r;
    real u, v, whole;
} weights;

static inline weights weights_at(const pair *w, real t) {
    vec p = moving_at(&w->p, t), q = moving_at(&w->q, t), r = moving_at(&w->r, t);
    vec n = vec_cross(q, r);
    vec pq = w->kind == GRAZE_VF ? vec_cross(q, p) : vec_cross(p, q);
    return (weights){n, q, r, vec_dot(n, vec_cross(p, r)), vec_dot(n, pq), vec_dot(n, n)};
}

static inline bool inside(graze_kind kind, const weights *b) {
    if (!(b->u >= 0 && b->u <= b->whole && b->v >= 0 && b->v <= b->whole)) return false;
    return kind == GRAZE_EE || b->u + b->v <= b->whole;
}

/* The normal is large enough, and so is every height. */
static inline bool well_shaped(const pair *w, const weights *b) {
    real size = vec_size(b->n);
    if (!(size >= w->k.tau)) return false;
    real edge = real_max(vec_size(b->q), vec_size(b->r));
    if (w->kind == GRAZE_VF) edge = real_max(edge, vec_size(vec_sub(b->r, b->q)));
    return edge * w->k.eta <= size;
}

/* True when no contact is attached to the candidate at t: the cubic leaves its slack within h on both sides, and the
   weights cannot come back inside in that time. h is eps^(1/2), or more where the cubic is flat. */
static inline bool candidate_is_empty(const pair *w, const cubic *f, const weights *b, real t) {
    real slope = real_abs((3 * f->a * t + 2 * f->b) * t + f->c);
    real h = real_max(EPS_1_2, 4 * w->k.beyond / slope);
    real slack = w->k.drift * h;
    bool outside;
    if (w->kind == GRAZE_VF) {
        outside = real_min(real_min(b->u, b->v), b->whole - b->u - b->v) < -slack;
    } else {
        outside = real_min(b->u, b->v) < -slack || real_min(b->whole - b->u, b->whole - b->v) < -2 * slack;
    }
    if (!outside) return false;
    bool before = t - h <= 0 || real_abs(cubic_value(f, t - h)) > w->k.beyond;
    bool after = t + h >= w->end || real_abs(cubic_value(f, t + h)) > w->k.beyond;
    return before && after;
}

/* When a positive was seen, and the direction in which the pair was closest then. */
typedef struct sighting {
    real time;
    vec direction;
} sighting;

static inline real clamp(real t) { return t > 0 ? real_min(t, 1) : 0; }

/* The part of a along e. */
static inline vec along(vec a, vec e) {
    real length2 = vec_dot(e, e);
    return length2 > 0 ? vec_scale(e, vec_dot(a, e) / length2) : (vec){0, 0, 0};
}

/* That of the gap, or where it is mere rounding that of the approach. */
static inline vec closest_direction(vec gap, vec approach, real bound) {
    return vec_size(gap) > 64 * EPS * bound ? gap : approach;
}

/* The vertex–edge test of point `v` and the edge `i`, `j`. */
static inline bool edge_test(const pair *w, int v, int i, int j, sighting *seen) {
    moving q = seen_from(w, v, i), e = seen_from(w, j, i), other = seen_from(w, v, j);
    if (!vertex_edge(&q, &e, &other, &w->k, w->end, &seen->time)) return false;
    vec qt = moving_at(&q, seen->time), et = moving_at(&e, seen->time);
    real part = clamp(vec_dot(qt, et) / vec_dot(et, et));
    vec gap = vec_sub(qt, vec_scale(et, part)), approach = vec_sub(q.v, vec_scale(e.v, part));
    seen->direction = closest_direction(gap, vec_sub(approach, along(approach, et)), w->k.bound);
    return true;
}

static inline bool edge_tests(const pair *w, gz_safe_counts *counts, sighting *seen) {
    static const int of_face[3][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}};
    static const int of_edges[4][3] = {{2, 0, 1}, {3, 0, 1}, {0, 2, 3}, {1, 2, 3}};
    const int(*tests)[3] = w->kind == GRAZE_VF ? of_face : of_edges;
    int count = w->kind == GRAZE_VF ? 3 : 4;
    for (int i = 0; i < count; i++) {
        counts->edge_run++;
        if (edge_test(w, tests[i][0], tests[i][1], tests[i][2], seen)) {
            counts->edge_hits++;
            return true;
        }
    }
    return false;
}

/* VF and EE: the cubic's candidates, each tested for being a contact, then the edges. */
static inline bool cubic_test(const pair *w, const differences *d, const gz_safe_setup *setup, gz_safe_counts *counts,
                              sighting *seen) {
    cubic f = volume(w);
    real candidates[CUBIC_CANDIDATES];
    int count = cubic_candidates(&f, w->end, w->k.mu, candidates);
    bool open = !setup->edge_cull;
    counts->rootless += count == 0;
    for (int i = 0; i < count; i++) {
        real t = candidates[i];
        weights b = weights_at(w, t);
        if (inside(w->kind, &b) && (setup->basic || well_shaped(w, &b))) {
            counts->root_hits++;
            *seen = (sighting){t, b.n};
            return true;
        }
        if (!setup->basic && !open) open = !candidate_is_empty(w, &f, &b, t);
    }
    if (setup->basic) return false;
    counts->edge_wanted += w->kind == GRAZE_VF ? 3 : 4;
    if (!open || !edge_tests(w, counts, seen)) return false;
    /* most of these are near misses, and then the direction of the closest approach often is a plane's normal */
    if (setup->plane_cull && plane_keeps_apart(d, seen->direction)) {
        counts->edge_denied++;
        return false;
    }
    return true;
}

static inline bool decide(const pair *w, const differences *d, const gz_safe_setup *setup, gz_safe_counts *counts,
                          sighting *seen) {
    switch (w->kind) {
    case GRAZE_PP:
        if (!vertex_vertex(&w->p, 311 * EPS * w->k.bound * w->k.bound, w->end, &seen->time)) return false;
        seen->direction = closest_direction(moving_at(&w->p, seen->time), w->p.v, w->k.bound);
        return true;
    case GRAZE_PE: return edge_test(w, 0, 1, 2, seen);
    default: return cubic_test(w, d, setup, counts, seen);
    }
}

/* False when no contact is possible: the points are too far apart for their motion. `d` is at t = 0 and 1. */
static inline bool set_up(pair *w, graze_kind kind, const real_query *query, const differences *d, real end,
                          real scene_bound) {
    bounds b = bounds_of(d);
    *w = (pair){.kind = kind, .query = query, .end = end, .a = 0, .b = 2};
    real distance = kind == GRAZE_EE ? choose_ends(query, &w->a, &w->b) : corner_distance(d, kind);
    if (!(distance <= b.bound)) return false;
    w->up = b.bound < SCALE_LOW ? SCALE_UP : 1;
    int exponent;
    real bound = real_frexp(real_max(b.bound, scene_bound) * w->up, &exponent);
    w->scale = real_ldexp(1, -exponent);
    w->k = tolerances_of(bound, b.speed * w->up * w->scale);
    if (w->a == 0 && w->b == 2) {
        w->p = scaled(d->p[0], d->p[1], w->up, w->scale);
        w->q = scaled(d->q[0], d->q[1], w->up, w->scale);
        w->r = scaled(d->r[0], d->r[1], w->up, w->scale);
    } else {
        w->p = seen_from(w, w->b, w->a);
        w->q = seen_from(w, 1 - w->a, w->a);
        w->r = seen_from(w, 5 - w->b, w->b);
    }
    return true;
}

/* The best of a few planes: across the direction seen, the normal at the start, the line between the middles. */
static inline real proven_time(const differences *d, vec direction) {
    real part = d->edges ? (real)0.5 : (real)1 / 3;
    vec middle = vec_sub(d->p[0], vec_scale(d->edges ? vec_sub(d->q[0], d->r[0]) : vec_add(d->q[0], d->r[0]), part));
    real t = real_max(safe_time(d, direction), safe_time(d, middle));
    return real_max(t, safe_time(d, vec_cross(d->q[0], d->r[0])));
}

/* False where the differences may overflow: then nothing is known. */
static inline bool test(graze_kind kind, const real_query *query, const gz_safe_setup *setup, gz_safe_counts *counts,
                        gz_safe_answer *answer) {
    *answer = (gz_safe_answer){0};
    real end = (real)setup->t_max;
    if (end < setup->t_max) end = real_nextafter(end, 1);
    differences d, whole;
    take_differences(kind, query, &whole);
    d = whole;
    cut_at(&d, end);
    if (!(vec_largest(d.largest) < SCALE_HIGH)) return false;
    counts->tests++;
    if (setup->plane_cull &&
        (plane_keeps_apart(&d, vec_cross(d.q[0], d.r[0])) || plane_keeps_apart(&d, vec_cross(d.q[1], d.r[1])))) {
        counts->plane_culled++;
        return true;
    }
    pair w;
    if (!set_up(&w, kind, query, &whole, end, (real)setup->bound)) {
        counts->bound_culled++;
        return true;
    }
    sighting seen = {0};
    answer->positive = decide(&w, &d, setup, counts, &seen);
    if (!answer->positive || setup->only_positive) return true;
    answer->time = real_min(seen.time, (real)setup->t_max);
    double toi = proven_time(&d, seen.direction);
    answer->toi = toi < setup->t_max ? toi : setup->t_max;
    return true;
}
