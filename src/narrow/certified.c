/* `certified`: many pairs in lanes until most are proven apart, then one at a time. */
#include "narrow/certified.h"

#define BLOCK 512 /* pairs that go through the lanes together: enough that few lanes are empty in the later rounds */

/* The pairs of a block that the lanes have not settled yet, each free up to its time t. */
typedef struct lane_list {
    uint32_t index[BLOCK];
    double t[BLOCK];
    uint32_t count;
} lane_list;

/* State shared by the blocks of one call. */
typedef struct lane_job {
    const gz_narrow_call *call;
    gz_certified_call pair;
    gz_lane_source source;
    gz_lane_source_f32 floats; /* with queries: they are probed in float, and `source` is not read */
    graze_result *results;
} lane_job;

static double follow_to(const gz_narrow_call *call) { return call->follow ? *call->follow : call->question.t_max; }

static void add(lane_list *list, uint32_t pair, double t) {
    list->index[list->count] = pair;
    list->t[list->count++] = t;
}

/* Vectors take as long for one pair as for many, and every instruction set gives the same bits: what does not fill the
   widest ones takes the narrowest that hold it. */
static const gz_kernels *narrower(const gz_kernels *kernels, uint32_t count, uint32_t lanes) {
    if (count == 1) return &gz_kernels_scalar;
    return kernels->half && count <= lanes / 2 ? kernels->half : kernels;
}

static void probe_first(const lane_job *job, uint32_t base, uint32_t count, float *t) {
    const gz_kernels *kernels = job->call->kernels;
    float separation = gz_float_not_below(job->call->question.separation);
    uint32_t rest = count % kernels->floats, full = count - rest;
    if (full) kernels->first(&job->source, separation, base, full, t, NULL);
    gz_lane_source source = job->source;
    if (source.separations) source.separations += full;
    if (rest) narrower(kernels, rest, kernels->floats)->first(&source, separation, base + full, rest, t + full, NULL);
}

static void probe_floats(const lane_job *job, int round, const uint32_t *index, uint32_t count, float *t) {
    job->call->kernels->round_f32(&job->floats, (float)gz_certified_ahead(round), index, count, t, NULL);
}

/* Moves t, which are the times of the list, on. */
static void probe_later(const lane_job *job, int round, const lane_list *list, double *t) {
    const gz_kernels *kernels = job->call->kernels;
    if (job->floats.queries) {
        float narrow[BLOCK];
        for (uint32_t i = 0; i < list->count; i++) narrow[i] = (float)t[i]; /* exact: they came from there */
        probe_floats(job, round, list->index, list->count, narrow);
        for (uint32_t i = 0; i < list->count; i++) t[i] = narrow[i];
        return;
    }
    double ahead = gz_certified_ahead(round);
    uint32_t rest = list->count % kernels->doubles, full = list->count - rest;
    if (full) kernels->round(&job->source, ahead, list->index, full, t, NULL);
    if (rest)
        narrower(kernels, rest, kernels->doubles)->round(&job->source, ahead, list->index + full, rest, t + full, NULL);
}

/* Not inlined, nor is the next: what they keep on the stack is gone when exact arithmetic needs it.
   Looks at pairs base … base + count - 1 for the first time and lists what is left of them. */
static GZ_NOINLINE void first_round(const lane_job *job, uint32_t base, uint32_t count, lane_list *left) {
    float t[BLOCK];
    left->count = 0;
    if (job->floats.queries) {
        uint32_t index[BLOCK];
        for (uint32_t i = 0; i < count; i++) index[i] = base + i, t[i] = 0;
        probe_floats(job, 0, index, count, t);
    } else {
        probe_first(job, base, count, t);
    }
    job->call->counts->checks += count;
    graze_result clear = {.checks = 1};
    gz_result_clear(&clear, job->call->question.t_max);
    double enough = follow_to(job->call);
    for (uint32_t i = 0; i < count; i++) {
        graze_result *result = &job->results[base + i];
        if (t[i] < enough) {
            gz_result_unresolved(result, GRAZE_REASON_NONE);
            result->checks = 1;
            add(left, base + i, t[i]);
        } else if (job->call->follow) { /* most pairs end here, and a whole result costs as much as the probe */
            result->verdict = GRAZE_CLEAR;
        } else {
            memcpy(result, &clear, sizeof clear);
        }
    }
}

/* Moves on what is left; what is to be finished by itself leaves the lanes for `last`. */
static GZ_NOINLINE void later_round(const lane_job *job, int round, lane_list *left, lane_list *last) {
    const gz_narrow_call *call = job->call;
    double t[BLOCK], enough = follow_to(call);
    memcpy(t, left->t, left->count * sizeof *t);
    probe_later(job, round, left, t);
    call->counts->checks += left->count;
    uint32_t count = left->count;
    left->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pair = left->index[i];
        double before = left->t[i], moved = job->floats.queries ? (float)t[i] - (float)before : t[i] - before;
        job->results[pair].checks++;
        switch (gz_certified_after(round, t[i], moved, enough, call->question.max_checks)) {
        case GZ_NEXT_CLEAR:
            job->results[pair].verdict = GRAZE_CLEAR;
            job->results[pair].toi = call->question.t_max;
            break;
        case GZ_NEXT_PROBE: add(left, pair, t[i]); break;
        case GZ_NEXT_FINISH: add(last, pair, t[i]); break;
        }
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

static void finish_pair(const lane_job *job, uint32_t pair, double t, double enough) {
    graze_result *result = &job->results[pair];
    uint64_t before = result->checks;
    graze_query room;
    double radii[4];
    const graze_query *query = &room;
    if (job->floats.queries)
        room = gz_widened(&job->floats.queries[pair]);
    else
        query = gz_lane_query(&job->source, pair, &room);
    gz_certified_finish(&job->pair, query, gz_lane_radii(&job->source, pair, radii), t, enough, result);
    job->call->counts->checks += result->checks - before;
}

/* Returns how many of them are not CLEAR. */
static size_t finish_pairs(const lane_job *job, lane_list *list) {
    const gz_narrow_call *call = job->call;
    size_t touching = 0;
    if (call->follow) earliest_first(list);
    for (uint32_t i = 0; i < list->count; i++) {
        graze_result *result = &job->results[list->index[i]];
        double enough = follow_to(call);
        if (list->t[i] >= enough) {
            result->verdict = GRAZE_CLEAR;
            result->toi = call->question.t_max;
            continue;
        }
        finish_pair(job, list->index[i], list->t[i], enough);
        if (result->verdict == GRAZE_CLEAR) continue;
        touching++;
        call->counts->unresolved += result->verdict == GRAZE_UNRESOLVED;
        if (call->follow && result->toi < *call->follow) *call->follow = nextafter(result->toi, INFINITY);
    }
    return touching;
}

/* Not inlined, as above. Pairs with a separation each: the first probe, which settles most of them. */
static GZ_NOINLINE void first_apart(lane_job *job, uint32_t base, uint32_t count, lane_list *left) {
    float separations[BLOCK];
    for (uint32_t i = 0; i < count; i++) separations[i] = gz_float_not_below(job->call->separations[base + i]);
    job->source.separations = separations;
    first_round(job, base, count, left);
    job->source.separations = NULL;
}

/* Answers the pairs that first_apart left, one by one and from the start. */
static size_t finish_apart(const lane_job *job, lane_list *left) {
    gz_narrow_call one = *job->call;
    size_t touching = 0;
    one.separations = NULL;
    if (one.follow) earliest_first(left);
    for (uint32_t i = 0; i < left->count; i++) {
        graze_query room;
        uint32_t pair = left->index[i];
        graze_result *result = &job->results[pair];
        one.question.separation = job->call->separations[pair];
        gz_certified_query(&one, gz_lane_query(&job->source, pair, &room), result);
        if (result->verdict == GRAZE_CLEAR) continue;
        touching++;
        one.counts->unresolved += result->verdict == GRAZE_UNRESOLVED;
        if (one.follow && result->toi < *one.follow) *one.follow = nextafter(result->toi, INFINITY);
    }
    return touching;
}

/* At most BLOCK pairs, from `base` on. */
static size_t solve_block(lane_job *job, uint32_t base, uint32_t count) {
    lane_list left, last;
    left.count = last.count = 0;
    if (job->call->separations) {
        first_apart(job, base, count, &left);
        return finish_apart(job, &left);
    }
    if (job->source.radii) { /* float knows one separation for all */
        for (uint32_t i = 0; i < count; i++) {
            gz_result_unresolved(&job->results[base + i], GRAZE_REASON_NONE);
            add(&left, base + i, 0);
        }
        later_round(job, 0, &left, &last);
    } else {
        first_round(job, base, count, &left);
        if (job->call->question.max_checks == 1) last = left, left.count = 0;
    }
    for (int round = 1; left.count; round++) later_round(job, round, &left, &last);
    return finish_pairs(job, &last);
}

static size_t solve_blocks(lane_job *job, size_t count) {
    size_t touching = 0;
    for (size_t base = 0; base < count; base += BLOCK)
        touching += solve_block(job, (uint32_t)base, (uint32_t)(count - base < BLOCK ? count - base : BLOCK));
    return touching;
}

static bool ask(void *state, const graze_query *query, const double most[2], gz_exact_answer *answer) {
    const gz_narrow_call *call = state;
    call->counts->oracle_calls++;
    return gz_exact_decide_thick(call->context, call->worker, call->kind, query, call->question.separation, most,
                                 call->question.t_max, answer);
}

gz_certified_call gz_certified_call_of(const gz_narrow_call *call) {
    gz_certified_call pair = {.kind = call->kind, .exact = call->exact, .ask = ask, .ask_state = (void *)call};
    gz_certified_take(&pair, &call->question);
    return pair;
}

void gz_certified_query(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    gz_certified_call pair = gz_certified_call_of(call);
    gz_lane_source source = {
        .kind = call->kind, .separation = call->question.separation, .queries = query, .radii = call->radii};
    gz_certified_pair(&pair, &source, 0, follow_to(call), result);
    call->counts->checks += result->checks;
}

size_t gz_certified_queries(const gz_narrow_call *call, const graze_query *queries, size_t count,
                            graze_result *results) {
    lane_job job = {.call = call,
                    .pair = gz_certified_call_of(call),
                    .source = {.kind = call->kind,
                               .separation = call->question.separation,
                               .queries = queries,
                               .radii = call->radii},
                    .results = results};
    return solve_blocks(&job, count);
}

size_t gz_certified_pairs(const gz_narrow_call *call, const gz_positions *positions, const uint32_t (*ids)[4],
                          size_t count, graze_result *results) {
    lane_job job = {.call = call,
                    .pair = gz_certified_call_of(call),
                    .source = {.kind = call->kind,
                               .separation = call->question.separation,
                               .positions = *positions,
                               .ids = ids,
                               .radii = positions->radii},
                    .results = results};
    return solve_blocks(&job, count);
}

size_t gz_certified_floats(const gz_narrow_call *call, const graze_query_f32 *queries, size_t count,
                           graze_result *results) {
    lane_job job = {
        .call = call,
        .pair = gz_certified_call_of(call),
        .floats = {.kind = call->kind, .separation = gz_float_not_below(call->question.separation), .queries = queries},
        .results = results};
    return solve_blocks(&job, count);
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
    GZ_CERTIFIED_SOLVERS,
};
