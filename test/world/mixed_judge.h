/* Judges of a world of mixed motions: dense sampling of the same motions, brute force over all pairs, other instruction
   sets and numbers of threads. */
#ifndef GRAZE_TEST_MIXED_JUDGE_H
#define GRAZE_TEST_MIXED_JUDGE_H

#include "mixed_worlds.h"
#include "same_contact.h"

enum { SAMPLES = 96, MOST_PAIRS = 40000 };

#define POSITION_ERROR 1e-12 /* of the positions that are computed here */

/* ---- distances ---- */

static double clamped(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

static double to_segment(const double p[3], const double a[3], const double b[3]) {
    double e[3], w[3], d[3];
    mixed_sub(b, a, e);
    mixed_sub(p, a, w);
    double length = mixed_dot(e, e), s = length > 0 ? clamped(mixed_dot(w, e) / length) : 0;
    for (int c = 0; c < 3; c++) d[c] = w[c] - s * e[c];
    return sqrt(mixed_dot(d, d));
}

static double to_triangle(const double p[3], const double a[3], const double b[3], const double c[3]) {
    double e[3], f[3], w[3], n[3], g[3];
    double rim = fmin(to_segment(p, a, b), fmin(to_segment(p, b, c), to_segment(p, c, a)));
    mixed_sub(b, a, e);
    mixed_sub(c, a, f);
    mixed_sub(p, a, w);
    mixed_cross(e, f, n);
    double area = mixed_dot(n, n);
    if (!(area > 0)) return rim;
    mixed_cross(w, f, g);
    double u = mixed_dot(g, n) / area;
    mixed_cross(e, w, g);
    double v = mixed_dot(g, n) / area;
    return u >= 0 && v >= 0 && u + v <= 1 ? fabs(mixed_dot(w, n)) / sqrt(area) : rim;
}

static double of_segments(const double a[3], const double b[3], const double c[3], const double d[3]) {
    double rim = fmin(fmin(to_segment(a, c, d), to_segment(b, c, d)), fmin(to_segment(c, a, b), to_segment(d, a, b)));
    double e[3], f[3], w[3];
    mixed_sub(b, a, e);
    mixed_sub(d, c, f);
    mixed_sub(a, c, w);
    double ee = mixed_dot(e, e), ff = mixed_dot(f, f), ef = mixed_dot(e, f), determinant = ee * ff - ef * ef;
    if (!(determinant > 1e-20 * ee * ff)) return rim;
    double s = (ef * mixed_dot(f, w) - ff * mixed_dot(e, w)) / determinant;
    double t = (ee * mixed_dot(f, w) - ef * mixed_dot(e, w)) / determinant;
    if (s < 0 || s > 1 || t < 0 || t > 1) return rim;
    double gap[3];
    for (int k = 0; k < 3; k++) gap[k] = w[k] + s * e[k] - t * f[k];
    return sqrt(mixed_dot(gap, gap));
}

/* ---- pairs ---- */

typedef struct mixed_pair {
    uint32_t first, second; /* bodies */
    graze_pair pair;
    double reach; /* that counts as contact */
    double found; /* earliest sample that is in contact; INFINITY: none */
} mixed_pair;

static mixed_pair pairs[MOST_PAIRS];
static size_t pair_count;

static bool shares(const mixed_body *body, graze_kind kind, uint32_t a, uint32_t b) {
    const uint32_t *f = body->mesh.faces[b], *e = body->mesh.edges[a], *g = body->mesh.edges[b];
    if (kind == GRAZE_VF) return f[0] == a || f[1] == a || f[2] == a;
    return e[0] == g[0] || e[0] == g[1] || e[1] == g[0] || e[1] == g[1];
}

static void list_kind(const mixed_world *world, uint32_t i, uint32_t j, graze_kind kind) {
    const mixed_body *x = &world->bodies[i], *y = &world->bodies[j];
    uint32_t na = kind == GRAZE_VF ? x->mesh.vertex_count : x->mesh.edge_count;
    uint32_t nb = kind == GRAZE_VF ? y->mesh.face_count : y->mesh.edge_count;
    for (uint32_t a = 0; a < na; a++)
        for (uint32_t b = kind == GRAZE_EE && i == j ? a + 1 : 0; b < nb; b++) {
            if (i == j && shares(x, kind, a, b)) continue;
            if (pair_count == MOST_PAIRS) abort();
            pairs[pair_count++] =
                (mixed_pair){i, j, {kind, a, b}, world->separation + x->padding + y->padding, INFINITY};
        }
}

static void list_pairs(const mixed_world *world) {
    pair_count = 0;
    for (uint32_t i = 0; i < world->count; i++)
        for (uint32_t j = 0; j < world->count; j++) {
            const mixed_body *x = &world->bodies[i], *y = &world->bodies[j];
            if (i == j ? !mixed_deforms(x) : x->kind == MIXED_STATIC && y->kind == MIXED_STATIC) continue;
            list_kind(world, i, j, GRAZE_VF);
            if (i <= j) list_kind(world, i, j, GRAZE_EE);
        }
}

typedef struct mixed_state {
    double x[MIXED_BODIES][MIXED_VERTICES][3];
} mixed_state;

static mixed_state state_at(const mixed_world *world, double t) {
    mixed_state state = {{{{0}}}};
    for (size_t i = 0; i < world->count; i++)
        for (uint32_t v = 0; v < world->bodies[i].mesh.vertex_count; v++)
            mixed_at(&world->bodies[i], v, t, state.x[i][v]);
    return state;
}

static double distance_of(const mixed_world *world, const mixed_state *state, const mixed_pair *p) {
    const double(*x)[3] = state->x[p->first], (*y)[3] = state->x[p->second];
    if (p->pair.kind == GRAZE_VF) {
        const uint32_t *f = world->bodies[p->second].mesh.faces[p->pair.b];
        return to_triangle(x[p->pair.a], y[f[0]], y[f[1]], y[f[2]]);
    }
    const uint32_t *e = world->bodies[p->first].mesh.edges[p->pair.a];
    const uint32_t *f = world->bodies[p->second].mesh.edges[p->pair.b];
    return of_segments(x[e[0]], x[e[1]], y[f[0]], y[f[1]]);
}

/* An edge passes through a face of another body: contact has begun before. */
static bool passes(const double a[3], const double b[3], const double (*y)[3], const uint32_t *f) {
    double e[3], g[3], w[3], d[3], n[3], m[3];
    mixed_sub(y[f[1]], y[f[0]], e);
    mixed_sub(y[f[2]], y[f[0]], g);
    mixed_sub(a, y[f[0]], w);
    mixed_sub(b, a, d);
    mixed_cross(e, g, n);
    double slope = mixed_dot(d, n), s = -mixed_dot(w, n) / slope;
    if (!(s > 1e-9 && s < 1 - 1e-9)) return false;
    for (int c = 0; c < 3; c++) w[c] += s * d[c];
    double area = mixed_dot(n, n);
    mixed_cross(w, g, m);
    double u = mixed_dot(m, n) / area;
    mixed_cross(e, w, m);
    double v = mixed_dot(m, n) / area;
    return u > 1e-9 && v > 1e-9 && u + v < 1 - 1e-9;
}

static bool pierced(const mixed_world *world, const mixed_state *state, uint32_t i, uint32_t j) {
    const mixed_body *x = &world->bodies[i], *y = &world->bodies[j];
    if (x->kind == MIXED_STATIC && y->kind == MIXED_STATIC) return false;
    for (uint32_t e = 0; e < x->mesh.edge_count; e++)
        for (uint32_t f = 0; f < y->mesh.face_count; f++)
            if (passes(state->x[i][x->mesh.edges[e][0]], state->x[i][x->mesh.edges[e][1]],
                       (const double(*)[3])state->x[j], y->mesh.faces[f]))
                return true;
    return false;
}

static bool any_pierced(const mixed_world *world, const mixed_state *state) {
    for (uint32_t i = 0; i < world->count; i++)
        for (uint32_t j = 0; j < world->count; j++)
            if (i != j && pierced(world, state, i, j)) return true;
    return false;
}

static bool touches(const mixed_world *world, const mixed_state *state, double more) {
    for (size_t i = 0; i < pair_count; i++)
        if (distance_of(world, state, &pairs[i]) < pairs[i].reach + more) return true;
    return false;
}

/* ---- the library ---- */

static graze_world *make_world(graze_context *context, const mixed_world *world) {
    graze_world *made = NULL;
    CHECK(graze_world_create(context, world->given, world->count, NULL, &made) == GRAZE_OK);
    return made;
}

static graze_articulated_result ask(graze_context *context, const graze_world *made, const mixed_world *world,
                                    graze_articulated_mode mode) {
    graze_articulated_options options = graze_default_articulated_options();
    graze_articulated_result result = graze_default_articulated_result();
    options.mode = mode;
    options.min_separation = world->separation;
    options.t_max = world->t_max;
    graze_status status = graze_world_step(context, made, world->motions, world->count, &options, &result);
    graze_error error;
    graze_context_last_error(context, &error);
    CHECK_MSG(status == GRAZE_OK, "%s\n", error.message);
    return result;
}

static bool is_same_pair(const mixed_pair *p, const graze_link_contact *c) {
    return p->first == c->model_a && p->second == c->model_b && p->pair.kind == c->pair.kind &&
           p->pair.a == c->pair.a && p->pair.b == c->pair.b;
}

static const mixed_pair *pair_of(const graze_link_contact *contact) {
    for (size_t i = 0; i < pair_count; i++)
        if (is_same_pair(&pairs[i], contact)) return &pairs[i];
    return NULL;
}

/* ---- never late ---- */

/* Nothing touches at samples of [0, toi), the last of them close to it. */
static void check_free_before(const mixed_world *world, double toi, size_t index) {
    for (int k = 0; k <= SAMPLES + 16; k++) {
        double t = k <= SAMPLES ? toi * k / SAMPLES : toi * (1 - ldexp(1, -(k - SAMPLES + 6)));
        if (k == SAMPLES) continue;
        mixed_state state = state_at(world, t);
        CHECK_MSG(!any_pierced(world, &state), "world %zu, t = %.17g of %.17g\n", index, t, toi);
        CHECK_MSG(!touches(world, &state, -POSITION_ERROR), "world %zu, t = %.17g of %.17g\n", index, t, toi);
    }
}

static void check_contact(const mixed_world *world, const graze_link_contact *contact, size_t index) {
    const mixed_pair *pair = pair_of(contact);
    CHECK_MSG(pair != NULL, "world %zu\n", index);
    if (!pair || contact->verdict != GRAZE_HIT) return;
    mixed_state state = state_at(world, contact->toi);
    double gap = distance_of(world, &state, pair) - pair->reach;
    CHECK_MSG(gap <= 2e-9, "world %zu: gap %g, proven %d\n", index, gap, contact->proven);
    if (!contact->proven) return;
    CHECK(contact->toi_upper >= contact->toi && contact->toi_upper <= world->t_max);
    for (int k = 0; k <= 64; k++) {
        state = state_at(world, contact->toi + (contact->toi_upper - contact->toi) * k / 64);
        gap = fmin(gap, distance_of(world, &state, pair) - pair->reach);
    }
    double speed = 64, between = (contact->toi_upper - contact->toi) / 64;
    CHECK_MSG(gap <= POSITION_ERROR + speed * between, "world %zu: proven, gap %g\n", index, gap);
}

/* ---- brute force ---- */

static void find_by_samples(const mixed_world *world) {
    for (int k = 0; k <= SAMPLES; k++) {
        double t = world->t_max * k / SAMPLES;
        mixed_state state = state_at(world, t);
        for (size_t i = 0; i < pair_count; i++)
            if (pairs[i].found == INFINITY && distance_of(world, &state, &pairs[i]) < pairs[i].reach - POSITION_ERROR)
                pairs[i].found = t;
    }
}

static void check_list(const mixed_world *world, const graze_articulated_result *all, size_t index) {
    find_by_samples(world);
    for (size_t i = 0; i < all->contact_count; i++) check_contact(world, &all->contacts[i], index);
    for (size_t i = 0; i < pair_count; i++) {
        bool listed = pairs[i].found == INFINITY;
        for (size_t j = 0; j < all->contact_count && !listed; j++)
            listed = is_same_pair(&pairs[i], &all->contacts[j]) && all->contacts[j].toi <= pairs[i].found;
        CHECK_MSG(listed, "world %zu: bodies %u, %u at %.17g\n", index, pairs[i].first, pairs[i].second,
                  pairs[i].found);
    }
}

/* ---- bits ---- */

static bool same_result(const graze_articulated_result *a, const graze_articulated_result *b) {
    bool same = a->verdict == b->verdict && a->reason == b->reason && memcmp(&a->toi, &b->toi, sizeof a->toi) == 0 &&
                memcmp(&a->toi_upper, &b->toi_upper, sizeof a->toi) == 0 && a->has_contact == b->has_contact &&
                same_contact(&a->contact, &b->contact) && a->contact_count == b->contact_count;
    for (size_t i = 0; same && i < a->contact_count; i++) same = same_contact(&a->contacts[i], &b->contacts[i]);
    return same;
}

/* Threads, instruction sets, contexts that have answered others and ones that have not. */
static void check_bits(const mixed_world *world, const graze_articulated_result *first, graze_articulated_mode mode,
                       graze_context *const *contexts, int count) {
    for (int k = 0; k < count; k++) {
        graze_world *made = make_world(contexts[k], world);
        graze_articulated_result result = ask(contexts[k], made, world, mode);
        CHECK(same_result(first, &result));
        graze_articulated_release(contexts[k], &result);
        graze_world_release(made);
    }
}

/* ---- one world ---- */

typedef struct verdicts {
    size_t clear, hit, unproven, unresolved, at_start;
} verdicts;

static void count_verdict(verdicts *tally, const graze_articulated_result *result) {
    tally->clear += result->verdict == GRAZE_CLEAR;
    tally->hit += result->verdict == GRAZE_HIT;
    tally->unproven += result->verdict == GRAZE_HIT && !result->contact.proven;
    tally->unresolved += result->verdict == GRAZE_UNRESOLVED;
}

/* The answers about a world, in all modes; `contexts`: the first answers, the others have to have its bits. */
static void check_world(const mixed_world *world, graze_context *const *contexts, int count, size_t index,
                        verdicts *tally) {
    list_pairs(world);
    mixed_state start = state_at(world, 0);
    bool apart = !any_pierced(world, &start) && !touches(world, &start, POSITION_ERROR);
    graze_world *made = make_world(contexts[0], world);
    graze_articulated_result earliest = ask(contexts[0], made, world, GRAZE_ARTICULATED_EARLIEST);
    graze_articulated_result all = ask(contexts[0], made, world, GRAZE_ARTICULATED_ALL);
    graze_articulated_result any = ask(contexts[0], made, world, GRAZE_ARTICULATED_ANY);
    tally->at_start += !apart;
    if (apart) {
        count_verdict(tally, &earliest);
        check_free_before(world, earliest.toi, index);
        CHECK(earliest.verdict != GRAZE_CLEAR || earliest.toi == world->t_max);
    }
    if (earliest.has_contact) check_contact(world, &earliest.contact, index);
    check_list(world, &all, index);
    CHECK_MSG(fabs(all.toi - earliest.toi) < 1e-6 && all.verdict == earliest.verdict, "world %zu: %g %g\n", index,
              all.toi, earliest.toi);
    CHECK(any.verdict == earliest.verdict);
    check_bits(world, &earliest, GRAZE_ARTICULATED_EARLIEST, contexts + 1, count - 1);
    check_bits(world, &all, GRAZE_ARTICULATED_ALL, contexts + 1, count - 1);
    graze_articulated_release(contexts[0], &all);
    graze_world_release(made);
}

#endif
