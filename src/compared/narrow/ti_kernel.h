/* Tight Inclusion: the search of one pair, written once for every instruction set.
 *
 * F(t, u, v) is the difference of a point of A and a point of B, and a contact is a root of it. F is linear along each
 * parameter, so over a box of parameters it stays, axis by axis, between its smallest and its largest corner. A box
 * whose corners keep away from 0 by more than rounding can explain (docs/numerics.md, section 2) holds no contact; any
 * other is cut in two, until it is small.
 *
 * Boxes are visited level by level, the earliest first. All boxes of a level have the same widths, so a box is only its
 * lower corner. Corners and widths are multiples of 2⁻⁵² in [0, 1]: every sum of two of them is exact. */
#include "compared/narrow/ti.h"
#include "compared/narrow/ti_pair.h"

/* Halvings of one parameter that stay exact. */
#define MAX_DEPTH 52
#define POLL_INTERVAL 4096

#define TI_CHUNK GZ_TI_CHUNK
#define MOST_KEPT GZ_TI_MOST_KEPT
typedef struct gz_ti_level box_level;
typedef struct gz_ti_kept kept_boxes;

typedef struct box_shape {
    double width[3];
    int depth[3];
} box_shape;

typedef struct search_state {
    gz_ti_pair pair;
    const gz_narrow_call *call;
    bool prism;  /* u + v ≤ 1 */
    double best; /* earliest small box that may hold a contact */
    uint64_t checks, splits, next_poll;
    uint64_t limit;       /* checks allowed to the search at hand; at most max_checks */
    double hint[2];       /* (u, v) of the box that had the last slab cut */
    graze_reason stopped; /* NONE while the search may go on */
} search_state;

/* Bit k speaks of box k. */
typedef struct chunk_bits {
    unsigned meets; /* may hold a contact */
    unsigned final; /* so small, or so near, that cutting it shows nothing more */
} chunk_bits;

/* ---- the inclusion box ---- */

/* Looks at `count` ≤ TI_CHUNK boxes of one shape. The arrays are readable up to TI_CHUNK. */
static inline chunk_bits check_chunk(const search_state *state, const box_shape *shape, const double *t,
                                     const double *u, const double *v, unsigned count) {
    v_real wt = v_set1(shape->width[0]), wu = v_set1(shape->width[1]), wv = v_set1(shape->width[2]);
    v_real tolerance = v_set1(state->call->question.tolerance);
    chunk_bits bits = {0, 0};
    for (unsigned k = 0; k < count; k += v_width) {
        unsigned live = count - k >= v_width ? V_ALL_LANES : (1u << (count - k)) - 1u;
        box_lanes box;
        box.t0 = v_load(t + k), box.t1 = v_add(box.t0, wt);
        box.u0 = v_load(u + k), box.u1 = v_add(box.u0, wu);
        box.v0 = v_load(v + k), box.v1 = v_add(box.v0, wv);
        v_mask meets = d_m_from_bits(live), small = meets, within = meets;
        for (int c = 0; c < 3; c++) {
            v_real low, high, reach = v_set1(state->pair.reach[c]), back = d_neg(reach);
            corner_range(&state->pair, c, &box, &low, &high);
            meets = m_and(meets, m_and(v_le(low, reach), v_le(back, high)));
            if (!m_bits(meets)) break;
            small = m_and(small, v_le(v_sub(high, low), tolerance));
            within = m_and(within, m_and(v_le(back, low), v_le(high, reach)));
        }
        bits.meets |= m_bits(meets) << k;
        bits.final |= m_bits(m_and(meets, d_m_or(small, within))) << k;
    }
    return bits;
}

/* The parameter along which F stretches most over a box of this shape; −1 when none can be cut. */
static inline int split_axis(const gz_ti_pair *pair, const box_shape *shape) {
    int axis = -1;
    double most = 0;
    for (int k = 0; k < 3; k++) {
        double length = shape->width[k] * pair->stretch[k];
        if (length > most && shape->depth[k] < MAX_DEPTH) {
            most = length;
            axis = k;
        }
    }
    return axis;
}

static inline void halve(box_shape *shape, int axis) {
    shape->width[axis] *= 0.5;
    shape->depth[axis]++;
}

/* Counts up to `wanted` checks and says how many are allowed; 0 ends the search. */
static inline unsigned allow_checks(search_state *state, unsigned wanted) {
    if (GZ_UNLIKELY(state->checks >= state->next_poll)) {
        state->next_poll += POLL_INTERVAL;
        if (gz_cancelled(state->call->context)) {
            state->stopped = GRAZE_REASON_CANCELLED;
            return 0;
        }
    }
    uint64_t left = state->limit - state->checks;
    if (wanted > left) wanted = (unsigned)left;
    if (wanted == 0) state->stopped = GRAZE_REASON_BUDGET;
    state->checks += wanted;
    return wanted;
}

/* ---- slab by slab ----
   Where a level outgrows its array: slabs of time, the earliest first, each searched depth-first over (u, v) alone. A
   slab in which a box survives that is no longer than the slab is cut in two in time. This needs no memory to speak of,
   all time before the slab at hand is proven free, and so the first box that is final is the answer. */

typedef enum slab_outcome { SLAB_FREE, SLAB_CUT, SLAB_FINAL, SLAB_STOPPED } slab_outcome;

/* Cuts made before the parts are looked at: most checks of a single cut would only say that both halves go on. */
#define CUTS_AT_ONCE 2
/* Each step takes one box off and puts at most 2^CUTS_AT_ONCE on; a box has at most 2·MAX_DEPTH cuts. */
#define MOST_STACKED (((1 << CUTS_AT_ONCE) - 1) * (2 * MAX_DEPTH / CUTS_AT_ONCE + 1) + TI_CHUNK)

static slab_outcome search_slab(search_state *state, double t, const box_shape *slab) {
    struct {
        double u, v;
        box_shape shape;
    } stack[MOST_STACKED];
    double ts[TI_CHUNK], us[TI_CHUNK] = {0}, vs[TI_CHUNK] = {0};
    for (int k = 0; k < TI_CHUNK; k++) ts[k] = t;
    box_shape shape = *slab;
    unsigned count = 1, top = 0;
    for (;;) {
        if (allow_checks(state, count) < count) {
            if (state->stopped == GRAZE_REASON_NONE) state->stopped = GRAZE_REASON_BUDGET;
            return SLAB_STOPPED;
        }
        chunk_bits bits = check_chunk(state, &shape, ts, us, vs, count);
        if (bits.final) return SLAB_FINAL;
        /* what had the last slab cut comes off first: it is likely to have this one cut, too */
        for (int hinted = 0; hinted < 2; hinted++)
            for (unsigned left = bits.meets; left; left &= left - 1) {
                unsigned k = (unsigned)__builtin_ctz(left);
                bool hint = us[k] <= state->hint[0] && state->hint[0] <= us[k] + shape.width[1] &&
                            vs[k] <= state->hint[1] && state->hint[1] <= vs[k] + shape.width[2];
                if (hint != hinted) continue;
                stack[top].u = us[k];
                stack[top].v = vs[k];
                stack[top++].shape = shape;
            }
        if (top == 0) return SLAB_FREE;
        top--;
        shape = stack[top].shape;
        us[0] = stack[top].u;
        vs[0] = stack[top].v;
        count = 1;
        for (int cut = 0; cut < CUTS_AT_ONCE; cut++) {
            int axis = split_axis(&state->pair, &shape);
            if (axis <= 0 && cut > 0) break;
            if (axis < 0) return SLAB_FINAL;
            if (axis == 0) {
                state->hint[0] = us[0];
                state->hint[1] = vs[0];
                return SLAB_CUT;
            }
            halve(&shape, axis);
            double du = axis == 1 ? shape.width[1] : 0, dv = axis == 2 ? shape.width[2] : 0;
            for (unsigned k = 0, before = count; k < before; k++) {
                us[count] = us[k] + du;
                vs[count] = vs[k] + dv;
                count += !state->prism || us[count] + vs[count] <= 1;
            }
        }
        state->splits += count - 1;
    }
}

/* From time t on, in slabs of t's width in `shape` or less. Returns the time up to which all is free. */
static GZ_NOINLINE double search_slabs(search_state *state, double t, const box_shape *shape) {
    box_shape slab = {.width = {shape->width[0], 1, 1}, .depth = {shape->depth[0], 0, 0}};
    while (t <= state->call->question.t_max && t < 1 && t < state->best) {
        switch (search_slab(state, t, &slab)) {
        case SLAB_STOPPED: return t;
        case SLAB_FINAL: state->best = t; return t;
        case SLAB_CUT:
            halve(&slab, 0);
            state->splits++;
            break;
        case SLAB_FREE:
            /* the next slab is the longest that starts here on its own grid: what is left of the one that was cut */
            t += slab.width[0];
            while (slab.depth[0] > shape->depth[0] && fmod(t, 2 * slab.width[0]) == 0) {
                slab.width[0] *= 2;
                slab.depth[0]--;
            }
            break;
        }
    }
    return t;
}

/* ---- box by box ----
   Slabs find a contact early, but cut (u, v) anew for each; for a pair that never touches, the boxes of the levels are
   fewer. So what slabs leave undecided after half of the checks is searched depth-first over those very boxes. */

static GZ_NOINLINE double search_boxes(search_state *state, const box_level *level, unsigned count,
                                       const box_shape *level_shape, double from) {
    struct {
        double t, u, v;
        box_shape shape;
    } stack[3 * MAX_DEPTH + 2];
    for (unsigned i = 0; i < count && level->t[i] < state->best; i++) {
        if (level->t[i] + level_shape->width[0] < from) continue;
        double ts[TI_CHUNK] = {level->t[i]}, us[TI_CHUNK] = {level->u[i]}, vs[TI_CHUNK] = {level->v[i]};
        double reached = level->t[i] > from ? level->t[i] : from;
        box_shape shape = *level_shape;
        for (unsigned boxes = 1, top = 0;;) {
            if (allow_checks(state, boxes) < boxes) {
                if (state->stopped == GRAZE_REASON_NONE) state->stopped = GRAZE_REASON_BUDGET;
                return reached;
            }
            chunk_bits bits = check_chunk(state, &shape, ts, us, vs, boxes);
            for (unsigned k = boxes; k-- > 0;) { /* the earlier half comes off first */
                if (!(bits.meets >> k & 1u) || ts[k] + shape.width[0] < from) continue;
                if (ts[k] >= state->best || ts[k] > state->call->question.t_max) continue;
                if (bits.final >> k & 1u) {
                    state->best = ts[k];
                    continue;
                }
                stack[top].t = ts[k];
                stack[top].u = us[k];
                stack[top].v = vs[k];
                stack[top++].shape = shape;
            }
            int axis = -1;
            while (axis < 0 && top) {
                if (stack[--top].t >= state->best) continue;
                shape = stack[top].shape;
                axis = split_axis(&state->pair, &shape);
                if (axis < 0) state->best = stack[top].t;
            }
            if (axis < 0) break;
            halve(&shape, axis);
            state->splits++;
            for (int k = 0; k < 2; k++) {
                ts[k] = stack[top].t + (axis == 0 && k ? shape.width[0] : 0);
                us[k] = stack[top].u + (axis == 1 && k ? shape.width[1] : 0);
                vs[k] = stack[top].v + (axis == 2 && k ? shape.width[2] : 0);
            }
            boxes = state->prism && us[1] + vs[1] > 1 ? 1 : 2;
        }
    }
    return state->call->question.t_max;
}

/* Searches the rest when a level outgrows its array. Returns the time up to which all is free. */
static GZ_NOINLINE double search_on(search_state *state, const box_level *level, unsigned count, const box_shape *shape,
                                    double from) {
    uint64_t all = state->limit;
    state->limit = state->checks + (all - state->checks) / 2;
    double reached = search_slabs(state, from, shape);
    state->limit = all;
    if (state->stopped != GRAZE_REASON_BUDGET) return reached;
    state->stopped = GRAZE_REASON_NONE;
    return search_boxes(state, level, count, shape, reached);
}

/* ---- level by level ---- */

/* Looks at the boxes of a level and keeps those to be cut. Returns their number, MOST_KEPT + 1 when they do not fit;
   when the search stopped, at least one, and in any case kept->t[0] is the earliest not yet decided. */
static unsigned check_level(search_state *state, box_level *level, const box_shape *shape, unsigned count,
                            kept_boxes *kept) {
    for (unsigned k = 0; k < TI_CHUNK; k++) level->t[count + k] = level->u[count + k] = level->v[count + k] = 0;
    unsigned found = 0, n;
    for (unsigned i = 0; i < count; i += n) {
        n = count - i < TI_CHUNK ? count - i : TI_CHUNK;
        while (n && level->t[i + n - 1] >= state->best) n--;
        if (!n) break;
        n = allow_checks(state, n);
        if (!n) {
            if (found) return found;
            kept->t[0] = level->t[i];
            return 1;
        }
        chunk_bits bits = check_chunk(state, shape, level->t + i, level->u + i, level->v + i, n);
        if (bits.final) state->best = level->t[i + (unsigned)__builtin_ctz(bits.final)];
        for (unsigned left = bits.meets & ~bits.final; left; left &= left - 1) {
            unsigned k = i + (unsigned)__builtin_ctz(left);
            if (found == MOST_KEPT) return MOST_KEPT + 1;
            kept->t[found] = level->t[k];
            kept->u[found] = level->u[k];
            kept->v[found++] = level->v[k];
        }
    }
    while (found && kept->t[found - 1] >= state->best) found--;
    return found;
}

static inline void put_box(box_level *level, unsigned at, double t, double u, double v) {
    level->t[at] = t;
    level->u[at] = u;
    level->v[at] = v;
}

/* Cuts every box in two along `axis`, of new width `half`; the halves are in the order of time again. */
static unsigned split_level(const search_state *state, const kept_boxes *from, unsigned count, int axis, double half,
                            box_level *to) {
    unsigned made = 0;
    if (axis == 0) {
        for (unsigned i = 0, end; i < count; i = end) {
            double late = from->t[i] + half;
            for (end = i; end < count && from->t[end] == from->t[i]; end++)
                put_box(to, made++, from->t[end], from->u[end], from->v[end]);
            if (late > state->call->question.t_max || late >= state->best) continue;
            for (unsigned k = i; k < end; k++) put_box(to, made++, late, from->u[k], from->v[k]);
        }
        return made;
    }
    double du = axis == 1 ? half : 0, dv = axis == 2 ? half : 0, most = state->prism ? 1 : 2;
    for (unsigned i = 0; i < count; i++) {
        double u = from->u[i] + du, v = from->v[i] + dv;
        put_box(to, made++, from->t[i], from->u[i], from->v[i]);
        put_box(to, made, from->t[i], u, v);
        made += u + v <= most;
    }
    return made;
}

static void ti_kernel(const gz_narrow_call *call, const graze_query *query, gz_ti_room *room, gz_ti_outcome *outcome) {
    search_state state;
    prepare(call->kind, query, call->question.separation, &state.pair);
    state.call = call;
    state.prism = call->kind == GRAZE_VF;
    state.best = INFINITY;
    state.checks = state.splits = 0;
    state.next_poll = POLL_INTERVAL;
    state.limit = call->question.max_checks;
    state.hint[0] = state.hint[1] = 0;
    state.stopped = GRAZE_REASON_NONE;

    box_level *level = &room->level;
    kept_boxes *kept = &room->kept;
    box_shape shape = {.width = {1, 1, 1}, .depth = {0, 0, 0}};
    put_box(level, 0, 0, 0, 0);
    double reached = 0;
    for (unsigned boxes = 1;;) {
        unsigned count = check_level(&state, level, &shape, boxes, kept);
        if (count == 0) break;
        reached = kept->t[0];
        if (state.stopped != GRAZE_REASON_NONE) break;
        if (count > MOST_KEPT) {
            reached = search_on(&state, level, boxes, &shape, reached);
            break;
        }
        int axis = split_axis(&state.pair, &shape);
        if (axis < 0) {
            state.best = reached;
            break;
        }
        halve(&shape, axis);
        state.splits += count;
        boxes = split_level(&state, kept, count, axis, shape.width[axis], level);
    }

    outcome->checks = state.checks;
    outcome->splits = state.splits;
    outcome->reason = GRAZE_REASON_NONE;
    if (state.stopped != GRAZE_REASON_NONE && reached < state.best) {
        outcome->verdict = GRAZE_UNRESOLVED;
        outcome->reason = state.stopped;
        outcome->toi = reached;
    } else if (state.best < INFINITY) {
        outcome->verdict = GRAZE_HIT;
        outcome->toi = state.best;
    } else {
        outcome->verdict = GRAZE_CLEAR;
        outcome->toi = call->question.t_max;
    }
}

/* ---- for the tests ---- */

static void ti_prepare_kernel(graze_kind kind, const graze_query *query, double separation, gz_ti_pair *pair) {
    prepare(kind, query, separation, pair);
}

static void ti_range_kernel(const gz_ti_pair *pair, int axis, const double corner[3], const double width[3],
                            double range[2]) {
    box_lanes box = {.t0 = v_set1(corner[0]),
                     .t1 = v_set1(corner[0] + width[0]),
                     .u0 = v_set1(corner[1]),
                     .u1 = v_set1(corner[1] + width[1]),
                     .v0 = v_set1(corner[2]),
                     .v1 = v_set1(corner[2] + width[2])};
    v_real low, high;
    corner_range(pair, axis, &box, &low, &high);
    double lane[v_width];
    v_store(lane, low);
    range[0] = lane[0];
    v_store(lane, high);
    range[1] = lane[0];
}
