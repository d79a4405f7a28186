/* `certified`: many pairs in lanes until most are proven apart, then one at a time. */
#include "narrow/certified.h"

#include <math.h>
#include <string.h>

#define BLOCK 512 /* pairs that go through the lanes together: enough that few lanes are empty in the later rounds */

static const double ahead[GZ_LANE_ROUNDS] = GZ_LANE_AHEAD;

static gz_certified_round *round_of(graze_isa isa) {
    switch (isa) {
#ifdef GRAZE_HAVE_AVX512
    case GRAZE_ISA_AVX512: return gz_certified_round_avx512;
#endif
#ifdef GRAZE_HAVE_AVX2
    case GRAZE_ISA_AVX2: return gz_certified_round_avx2;
#endif
#ifdef GRAZE_HAVE_NEON
    case GRAZE_ISA_NEON: return gz_certified_round_neon;
#endif
    default: return gz_certified_round_scalar;
    }
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

/* At most BLOCK pairs, from `base` on. */
static void solve_block(const gz_finish *finish, const gz_lane_source *source, size_t base, uint32_t count,
                        graze_result *results) {
    const gz_narrow_call *call = finish->call;
    gz_certified_round *probe = round_of(call->isa);
    uint32_t index[BLOCK];
    uint32_t left = count;
    double before[BLOCK], t[BLOCK];
    double directions[BLOCK][3];
    /* what leaves the lanes unresolved: who, its time, and the rounds it took */
    uint32_t stuck[BLOCK], stuck_count = 0;
    double stuck_t[BLOCK];
    for (uint32_t i = 0; i < count; i++) {
        index[i] = (uint32_t)(base + i);
        before[i] = 0;
    }
    for (int round = 0; left; round++) {
        if (round == GZ_LANE_ROUNDS || (uint64_t)round == call->max_checks) {
            for (uint32_t i = 0; i < left; i++) {
                stuck[stuck_count] = index[i];
                stuck_t[stuck_count++] = before[i];
            }
            break;
        }
        memcpy(t, before, left * sizeof *t);
        probe(source, round == 0, ahead[round], index, left, t, finish->record ? directions : NULL);
        call->counts->checks += left;
        uint32_t kept = 0;
        for (uint32_t i = 0; i < left; i++) {
            graze_result *result = &results[index[i]];
            result->checks++;
            double moved = t[i] - before[i];
            if (finish->record && moved > 0) finish->record(finish->record_state, directions[i], before[i], t[i]);
            if (t[i] >= call->t_max) {
                result->verdict = GRAZE_CLEAR;
                result->toi = call->t_max;
            } else if (ahead[round] == 0 && moved < GZ_LANE_LEAST_MOVE) {
                stuck[stuck_count] = index[i];
                stuck_t[stuck_count++] = t[i];
            } else {
                index[kept] = index[i];
                before[kept++] = t[i];
            }
        }
        left = kept;
    }
    for (uint32_t i = 0; i < stuck_count; i++) {
        uint32_t pair = stuck[i];
        graze_query query;
        const graze_query *given = &query;
        if (source->queries)
            given = &source->queries[pair];
        else
            gather(source, pair, &query);
        gz_certified_finish(finish, given, stuck_t[i], &results[pair]);
    }
}

void gz_certified_solve(const gz_finish *finish, const gz_lane_source *source, size_t count, graze_result *results) {
    for (size_t base = 0; base < count; base += BLOCK)
        solve_block(finish, source, base, (uint32_t)(count - base < BLOCK ? count - base : BLOCK), results);
}

static void solve_many(const gz_narrow_call *call, const graze_query *queries, size_t count, graze_result *results) {
    gz_finish finish = {.call = call};
    gz_lane_source source = {.kind = call->kind, .separation = call->separation, .queries = queries};
    gz_certified_solve(&finish, &source, count, results);
}

static void solve(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    solve_many(call, query, 1, result);
}

static void solve_pairs(const gz_narrow_call *call, const gz_positions *positions, const uint32_t (*ids)[4],
                        size_t count, graze_result *results) {
    gz_finish finish = {.call = call};
    gz_lane_source source = {.kind = call->kind, .separation = call->separation, .positions = *positions, .ids = ids};
    gz_certified_solve(&finish, &source, count, results);
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
};
