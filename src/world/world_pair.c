#include "world/world_pair.h"

#include "motion/rounding.h"
#include "narrow/curve_contact.h"
#include "narrow/curve_walk.h"
#include "numerics/intervals.h"
#include "pair/result.h"
#include "world/controls.h"

#define AUTOMATIC_TOLERANCE 0x1p-30 /* of the larger mover's size */
#define ENOUGH_OF_TOLERANCE 0.25    /* a gap below this part of the tolerance ends the walk */
#define BLUR_OF_TOLERANCE 0.125     /* a remainder that hides no more than this part is small enough */
#define LEAST_SPAN 0x1p-44
#define FIRST_STEP 0x1p-36 /* of a window: the first time after toi at which a contact is looked for, then 4 times */
#define MOST_CHECKS 100000u

typedef struct search {
    gz_movers *movers;
    uint32_t worker;
    graze_kind kind;
    const gz_mover *first, *second;
    int rows_of_first, rows;
    uint32_t vertices[4]; /* of the rows, in their movers */
    double contact, contact_low, tolerance;
    double t, end; /* free before t */
    graze_result *result;
} search;

/* The pair over a window of time: curves, and how far off them both primitives may be. */
typedef struct window {
    gz_span span;
    graze_curve_query query;
    double off;
} window;

/* ---- the pair ---- */

/* Vertices of a primitive with so many of them. */
static void put_vertices(const graze_mesh *mesh, uint32_t id, int count, uint32_t *to) {
    if (count == 1) to[0] = id;
    if (count == 2) memcpy(to, mesh->edges[id], sizeof mesh->edges[id]);
    if (count == 3) memcpy(to, mesh->faces[id], sizeof mesh->faces[id]);
}

static void open_search(search *s, const gz_near_pair *near) {
    const gz_movers *movers = s->movers;
    s->kind = near->pair.kind;
    s->first = &movers->list[near->first];
    s->second = &movers->list[near->second];
    s->rows = gz_kind_rows(s->kind);
    s->rows_of_first = gz_kind_rows_of_a(s->kind);
    const gz_unit *a = s->first->unit, *b = s->second->unit;
    put_vertices(&a->mesh, near->pair.a, s->rows_of_first, s->vertices);
    put_vertices(&b->mesh, near->pair.b, s->rows - s->rows_of_first, s->vertices + s->rows_of_first);
    double separation = gz_units_separation(movers->world, a, b, movers->options.min_separation);
    gz_reach_between(separation, a->padding, b->padding, &s->contact_low, &s->contact);
    s->tolerance = movers->options.tolerance;
    if (!(s->tolerance > 0)) s->tolerance = AUTOMATIC_TOLERANCE * fmax(s->first->size, s->second->size);
}

static const gz_frame_model *frame_over(const search *s, const gz_mover *mover, gz_span span, gz_frame_model *room) {
    const gz_span *round = &s->movers->span;
    if (span.begin == round->begin && span.end == round->end) return &mover->frame;
    return gz_mover_frame(s->movers, s->worker, mover, span, room);
}

static void put_side(const search *s, const gz_mover *mover, int begin, int end, window *w) {
    gz_frame_model room;
    const gz_frame_model *frame = gz_unit_has_frame(mover->unit) ? frame_over(s, mover, w->span, &room) : NULL;
    double most = 0;
    for (int i = begin; i < end; i++)
        most = fmax(most, gz_controls(mover, frame, w->span, s->vertices[i], w->query.x[i]));
    w->off = (w->off + most) * GZ_TAYLOR_UP;
}

static void open_window(const search *s, gz_span span, window *w) {
    memset(&w->query, 0, sizeof w->query);
    w->span = span;
    w->off = 0;
    put_side(s, s->first, 0, s->rows_of_first, w);
    put_side(s, s->second, s->rows_of_first, s->rows, w);
}

/* ---- times ---- */

/* Spans begin and end at few bits, and a time t of one less its begin is exact. */
static double into(gz_span span, double t) { return (t - span.begin) / (span.end - span.begin); }

/* Not after the time s of the span. */
static double out_of(gz_span span, double s) {
    double part = s * (span.end - span.begin), t = span.begin + part;
    return t - span.begin > part ? gz_next_down(t) : t;
}

static double not_before(gz_span span, double s) {
    double part = s * (span.end - span.begin), t = span.begin + part;
    return t - span.begin < part ? gz_next_up(t) : t;
}

static gz_span half_with(gz_span span, double t) {
    double middle = 0.5 * (span.begin + span.end);
    return t < middle ? (gz_span){span.begin, middle} : (gz_span){middle, span.end};
}

/* The next one, twice as long where that is one of the halves of `whole` and of its halves. */
static gz_span span_after(gz_span span, gz_span whole) {
    double length = span.end - span.begin, index = (span.end - whole.begin) / length;
    if (2 * length < whole.end - whole.begin && fmod(index, 2) == 0) length *= 2;
    return (gz_span){span.end, span.end + length};
}

/* A window half as long as the span, around t. */
static gz_span span_around(gz_span span, double t) {
    double length = 0.5 * (span.end - span.begin), grain = 0.125 * length;
    double begin = floor(t / grain) * grain - 0.5 * length;
    if (begin < 0) begin = 0;
    if (begin > 1 - length) begin = 1 - length;
    return (gz_span){begin, begin + length};
}

/* ---- contact ---- */

static bool within(const search *s, const window *w, const gz_curve *curve, double at, double reach) {
    double u, v;
    gz_curve_closest(curve, at, &u, &v);
    return gz_curve_within(s->kind, &w->query, at, u, v, gz_next_down(reach - w->off));
}

/* A time by which a contact is proven; INFINITY where none is found. */
static double proven_upper(const search *s, const window *w, const gz_curve *curve, double at) {
    double end = s->end < w->span.end ? into(w->span, s->end) : 1;
    bool apart = s->contact_low > 0;
    v_vec normal = gz_curve_normal(curve, at);
    for (double step = FIRST_STEP; step <= 1; step *= 4) {
        double to = fmin(at + step, end);
        if (apart ? within(s, w, curve, to, s->contact_low)
                  : gz_curve_crosses(s->kind, &w->query, normal, w->off, fmax(at - step, 0), to))
            return fmin(not_before(w->span, to), s->end);
        if (to == end) break;
    }
    return INFINITY;
}

/* No direction proves more: looks for a contact from s->t on. */
static void finish(search *s, gz_span span) {
    window w;
    gz_curve curve;
    open_window(s, span, &w);
    gz_curve_make(&curve, s->kind, &w.query, s->contact);
    double at = into(w.span, s->t), upper = proven_upper(s, &w, &curve, at);
    s->result->toi = s->t;
    s->result->reason = GRAZE_REASON_PRECISION;
    if (!(upper <= 1) && !within(s, &w, &curve, at, s->contact_low + s->tolerance)) return;
    s->result->verdict = GRAZE_HIT;
    s->result->reason = GRAZE_REASON_NONE;
    s->result->proven = upper <= 1;
    s->result->toi_upper = upper;
    gz_curve_fill(s->kind, &w.query, at, s->result);
}

/* ---- windows ---- */

/* Moves s->t on through a window: NONE where it comes to its end. */
static graze_reason walk_through(search *s, const window *w, bool small) {
    gz_curve_walk walk;
    double end = s->end < w->span.end ? into(w->span, s->end) : 1;
    gz_curve_walk_open(&walk, s->kind, &w->query, (s->contact + w->off) * GZ_TAYLOR_UP, into(w->span, s->t), end);
    walk.enough = (small ? ENOUGH_OF_TOLERANCE * s->tolerance : w->off) * walk.curve.scale;
    walk.max_checks = s->result->checks < MOST_CHECKS ? MOST_CHECKS - s->result->checks : 0;
    graze_reason reason = gz_curve_walk_on(&walk);
    s->result->checks += walk.checks;
    s->t = reason == GRAZE_REASON_NONE ? fmin(w->span.end, s->end) : fmax(s->t, out_of(w->span, walk.t));
    return reason;
}

static void run(search *s, gz_span whole) {
    double before = INFINITY; /* remainder of the window that this one is half of */
    window w;
    open_window(s, whole, &w);
    for (;;) {
        bool shorter = w.off < 0.5 * before && w.span.end - w.span.begin > LEAST_SPAN;
        bool small = w.off <= BLUR_OF_TOLERANCE * s->tolerance || !shorter;
        graze_reason reason = walk_through(s, &w, small);
        if (s->t >= s->end) {
            gz_result_clear(s->result, s->end);
            return;
        }
        if (reason == GRAZE_REASON_BUDGET) {
            s->result->toi = s->t;
            s->result->reason = reason;
            return;
        }
        if (reason != GRAZE_REASON_NONE && small) {
            finish(s, w.off > 0 ? span_around(w.span, s->t) : w.span);
            return;
        }
        before = reason == GRAZE_REASON_NONE ? INFINITY : w.off;
        open_window(s, reason == GRAZE_REASON_NONE ? span_after(w.span, whole) : half_with(w.span, s->t), &w);
    }
}

void gz_world_pair(gz_movers *movers, uint32_t worker, const gz_near_pair *near, gz_span span, graze_result *result) {
    search s = {.movers = movers, .worker = worker, .t = span.begin, .result = result};
    s.end = fmin(span.end, movers->options.t_max);
    gz_result_unresolved(result, GRAZE_REASON_NONE);
    open_search(&s, near);
    run(&s, span);
}
