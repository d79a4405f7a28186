/* `certified`: many pairs in lanes until most are proven apart, then one at a time. */
#include "narrow/certified.h"

#include <math.h>
#include <string.h>

#define BLOCK 512 /* pairs that go through the lanes together: enough that few lanes are empty in the later rounds */

static const double lane_ahead[GZ_LANE_ROUNDS] = GZ_LANE_AHEAD;

/* The pairs of a block that the lanes have not settled yet, each free up to its time t. */
typedef struct lane_list {
    uint32_t index[BLOCK];
    double t[BLOCK];
    uint32_t count;
} lane_list;

/* Vectors take as long for one pair as for many, and every instruction set gives the same bits: what does not fill the
   widest ones takes the narrowest that hold it. */
static const gz_kernels *narrower(const gz_kernels *kernels, uint32_t count, uint32_t lanes) {
    if (count == 1) return &gz_kernels_scalar;
    return kernels->half && count <= lanes / 2 ? kernels->half : kernels;
}

static void probe_first(const gz_kernels *kernels, const gz_lane_source *source, float separation, uint32_t base,
                        uint32_t count, float *t, double (*directions)[3]) {
    uint32_t rest = count % kernels->floats, full = count - rest;
    if (full) kernels->first(source, separation, base, full, t, directions);
    if (rest)
        narrower(kernels, rest, kernels->floats)
            ->first(source, separation, base + full, rest, t + full, directions ? directions + full : NULL);
}

static void probe_later(const gz_kernels *kernels, const gz_lane_source *source, double ahead, const lane_list *list,
                        double *t, double (*directions)[3]) {
    uint32_t rest = list->count % kernels->doubles, full = list->count - rest;
    if (full) kernels->round(source, ahead, list->index, full, t, directions);
    if (rest)
        narrower(kernels, rest, kernels->doubles)
            ->round(source, ahead, list->index + full, rest, t + full, directions ? directions + full : NULL);
}

static void gather(const gz_lane_source *source, uint32_t pair, graze_query *query) {
    int rows = gz_kind_rows(source->kind);
    for (int i = 0; i < 4; i++) {
        uint32_t vertex = source->ids[pair][i < rows ? i : 0];
        const gz_positions *p = &source->positions;
        memcpy(query->x0[i], gz_position(p->x0, p->stride, vertex), sizeof query->x0[i]);
        memcpy(query->x1[i], gz_position(p->x1, p->stride, vertex), sizeof query->x1[i]);
    }
}

static void add(lane_list *list, uint32_t pair, double t) {
    list->index[list->count] = pair;
    list->t[list->count++] = t;
}

/* What one probe of a pair found: it is free from `before` to t. True where that settles it. */
static bool settled(const gz_finish *finish, const double direction[3], double before, double t, graze_result *result) {
    result->checks++;
    if (finish->record && t > before) finish->record(finish->record_state, direction, before, t);
    if (t < gz_follow_to(finish->call)) return false;
    result->verdict = GRAZE_CLEAR;
    result->toi = finish->call->t_max;
    return true;
}

static void first_round(const gz_finish *finish, const gz_lane_source *source, uint32_t base, uint32_t count,
                        lane_list *left, graze_result *results) {
    const gz_narrow_call *call = finish->call;
    float t[BLOCK];
    double directions[BLOCK][3];
    left->count = 0;
    probe_first(call->kernels, source, gz_float_not_below(call->separation), base, count, t,
                finish->record ? directions : NULL);
    call->counts->checks += count;
    graze_result clear = gz_unresolved;
    clear.verdict = GRAZE_CLEAR;
    clear.toi = call->t_max;
    clear.checks = 1;
    double enough = gz_follow_to(call);
    for (uint32_t i = 0; i < count; i++) {
        graze_result *result = &results[base + i];
        if (finish->record && t[i] > 0) finish->record(finish->record_state, directions[i], 0, t[i]);
        if (t[i] < enough) {
            gz_result_unresolved(result, GRAZE_REASON_NONE);
            result->checks = 1;
            add(left, base + i, t[i]);
        } else if (call->follow) { /* most pairs end here, and a whole result costs as much as the probe */
            result->verdict = GRAZE_CLEAR;
        } else {
            memcpy(result, &clear, sizeof clear);
        }
    }
}

/* Moves on what is left; a pair that hardly moves leaves the lanes for `stuck`. */
static void later_round(const gz_finish *finish, const gz_lane_source *source, double ahead, lane_list *left,
                        lane_list *stuck, graze_result *results) {
    const gz_narrow_call *call = finish->call;
    double t[BLOCK], directions[BLOCK][3];
    memcpy(t, left->t, left->count * sizeof *t);
    probe_later(call->kernels, source, ahead, left, t, finish->record ? directions : NULL);
    call->counts->checks += left->count;
    uint32_t count = left->count;
    left->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pair = left->index[i];
        double before = left->t[i];
        if (settled(finish, directions[i], before, t[i], &results[pair])) continue;
        add(ahead == 0 && t[i] - before < GZ_LANE_LEAST_MOVE ? stuck : left, pair, t[i]);
    }
}

/* Brings the pair with the least time to the front: where only the first contact counts, it may spare the others. */
static void earliest_first(lane_list *list) {
    uint32_t least = 0;
    for (uint32_t i = 1; i < list->count; i++)
        if (list->t[i] < list->t[least]) least = i;
    if (least == 0) return;
    uint32_t pair = list->index[least];
    double t = list->t[least];
    list->index[least] = list->index[0], list->t[least] = list->t[0];
    list->index[0] = pair, list->t[0] = t;
}

/* Returns how many of them are not CLEAR. */
static size_t finish_pairs(const gz_finish *finish, const gz_lane_source *source, lane_list *list,
                           graze_result *results) {
    const gz_narrow_call *call = finish->call;
    size_t touching = 0;
    if (call->follow) earliest_first(list);
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t pair = list->index[i];
        if (list->t[i] >= gz_follow_to(call)) {
            results[pair].verdict = GRAZE_CLEAR;
            results[pair].toi = call->t_max;
            continue;
        }
        graze_query query;
        const graze_query *given = &query;
        if (source->queries)
            given = &source->queries[pair];
        else
            gather(source, pair, &query);
        double radii[4];
        for (int row = 0; source->radii && row < gz_kind_rows(source->kind); row++)
            radii[row] = gz_lane_radius(source, pair, row);
        graze_result *result = &results[pair];
        gz_certified_finish(finish, given, source->radii ? radii : NULL, list->t[i], result);
        if (result->verdict == GRAZE_CLEAR) continue;
        touching++;
        call->counts->unresolved += result->verdict == GRAZE_UNRESOLVED;
        if (call->follow && result->toi < *call->follow) *call->follow = nextafter(result->toi, INFINITY);
    }
    return touching;
}

/* At most BLOCK pairs, from `base` on. */
static size_t solve_block(const gz_finish *finish, const gz_lane_source *source, uint32_t base, uint32_t count,
                          graze_result *results) {
    lane_list left, stuck;
    stuck.count = 0;
    if (source->radii) { /* float knows one separation for all */
        left.count = 0;
        for (uint32_t i = 0; i < count; i++) {
            gz_result_unresolved(&results[base + i], GRAZE_REASON_NONE);
            add(&left, base + i, 0);
        }
        later_round(finish, source, lane_ahead[0], &left, &stuck, results);
    } else {
        first_round(finish, source, base, count, &left, results);
    }
    for (int round = 1; left.count && round < GZ_LANE_ROUNDS && (uint64_t)round < finish->call->max_checks; round++)
        later_round(finish, source, lane_ahead[round], &left, &stuck, results);
    size_t touching = finish_pairs(finish, source, &stuck, results);
    return touching + finish_pairs(finish, source, &left, results);
}

size_t gz_certified_solve(const gz_finish *finish, const gz_lane_source *source, size_t count, graze_result *results) {
    size_t touching = 0;
    for (size_t base = 0; base < count; base += BLOCK) {
        uint32_t size = (uint32_t)(count - base < BLOCK ? count - base : BLOCK);
        touching += solve_block(finish, source, (uint32_t)base, size, results);
    }
    return touching;
}

size_t gz_certified_queries(const gz_narrow_call *call, bool exact, const graze_query *queries, size_t count,
                            graze_result *results) {
    gz_finish finish = {.call = call, .exact = exact};
    gz_lane_source source = {
        .kind = call->kind, .separation = call->separation, .queries = queries, .radii = call->radii};
    return gz_certified_solve(&finish, &source, count, results);
}

void gz_certified_query(const gz_narrow_call *call, bool exact, const graze_query *query, graze_result *result) {
    gz_certified_queries(call, exact, query, 1, result);
    call->counts->unresolved -= result->verdict == GRAZE_UNRESOLVED; /* of one query the caller's to count */
}

size_t gz_certified_pairs(const gz_narrow_call *call, bool exact, const gz_positions *positions,
                          const uint32_t (*ids)[4], size_t count, graze_result *results) {
    gz_finish finish = {.call = call, .exact = exact};
    gz_lane_source source = {.kind = call->kind,
                             .separation = call->separation,
                             .positions = *positions,
                             .ids = ids,
                             .radii = positions->radii};
    return gz_certified_solve(&finish, &source, count, results);
}

static void solve(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    gz_certified_query(call, false, query, result);
}

static size_t solve_many(const gz_narrow_call *call, const graze_query *queries, size_t count, graze_result *results) {
    return gz_certified_queries(call, false, queries, count, results);
}

static size_t solve_pairs(const gz_narrow_call *call, const gz_positions *positions, const uint32_t (*ids)[4],
                          size_t count, graze_result *results) {
    return gz_certified_pairs(call, false, positions, ids, count, results);
}

const gz_method gz_method_certified = {
    .info = {.method = GRAZE_METHOD_CERTIFIED,
             .name = "certified",
             .summary = "directional certificates: conservative, three-valued",
             .available = 1,
             .conservative = 1,
             .gives_toi = 1,
             .default_max_checks = GZ_CERTIFIED_MAX_CHECKS,
             .kinds = 1u << GRAZE_VF | 1u << GRAZE_EE | 1u << GRAZE_PE | 1u << GRAZE_PP},
    .solve = solve,
    .solve_many = solve_many,
    .solve_pairs = solve_pairs,
    .windowed = 1,
    .thick = 1,
};
