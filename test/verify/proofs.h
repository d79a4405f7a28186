/* Pairs with their proofs as the program would write them, from random and handcrafted queries, and what is true of
   them by graze_truth, which shares nothing with the checker. */
#ifndef GRAZE_TEST_VERIFY_PROOFS_H
#define GRAZE_TEST_VERIFY_PROOFS_H

#include "check.h"

#include "scenes/handcraft.h"
#include "verify/polynomial.h"
#include "verify/verify.h"

/* ---- a pair with its proof ---- */

typedef struct proof {
    verify_pair pair;
    verify_piece pieces[4096];
} proof;

static inline int rows_of(graze_kind kind) { return kind == GRAZE_PE ? 3 : kind == GRAZE_PP ? 2 : 4; }

static const verify_kind kinds[] = {
    [GRAZE_VF] = VERIFY_VF, [GRAZE_EE] = VERIFY_EE, [GRAZE_PE] = VERIFY_PE, [GRAZE_PP] = VERIFY_PP};

static inline graze_kind kind_of(const verify_pair *pair) {
    for (graze_kind kind = GRAZE_VF; kind < GRAZE_PP; kind++)
        if (kinds[kind] == pair->kind) return kind;
    return GRAZE_PP;
}

/* The proof that the program writes: the answer of `method`, the pieces of `certified`, and what they leave for the
   checker. */
static inline bool prove(proof *p, graze_kind kind, const graze_query *query, double separation, double t_max,
                         graze_method method) {
    static graze_certificate_entry entries[4096];
    graze_options options = graze_default_options();
    options.min_separation = separation;
    options.t_max = t_max;
    options.method = method;
    graze_result result, ignored;
    size_t count;
    graze_status status = graze_ccd(kind, query, &options, &result);
    if (status == GRAZE_OK) status = graze_ccd_certificate(kind, query, &options, entries, 4095, &count, &ignored);
    CHECK_QUERY(status == GRAZE_OK, kind, query);
    if (status != GRAZE_OK) return false;
    verify_pair *pair = &p->pair;
    *pair = (verify_pair){.kind = kinds[kind], .separation = separation, .t_max = t_max, .free = p->pieces};
    for (int i = 0; i < rows_of(kind); i++) {
        memcpy(pair->x0[i], query->x0[i], sizeof pair->x0[i]);
        memcpy(pair->x1[i], query->x1[i], sizeof pair->x1[i]);
    }
    pair->verdict = result.verdict == GRAZE_CLEAR ? VERIFY_CLEAR
                    : result.verdict == GRAZE_HIT ? VERIFY_HIT
                                                  : VERIFY_UNRESOLVED;
    pair->toi = result.toi;
    pair->toi_upper = INFINITY;
    double reached = 0;
    for (size_t i = 0; i < count && reached < result.toi && !isnan(entries[i].direction[0]); i++) {
        const double *n = entries[i].direction;
        verify_piece *piece = &p->pieces[pair->free_count++];
        *piece = (verify_piece){.proof = n[0] == 0 && n[1] == 0 && n[2] == 0 ? VERIFY_VOLUME : VERIFY_DIRECTION};
        memcpy(piece->n, n, sizeof piece->n);
        piece->t0 = reached;
        piece->t1 = reached = fmin(entries[i].t1, result.toi);
    }
    if (reached < result.toi)
        p->pieces[pair->free_count++] = (verify_piece){.proof = VERIFY_DECIDED, .t0 = reached, .t1 = result.toi};
    if (result.verdict == GRAZE_HIT && result.proven) {
        pair->toi_upper = result.toi_upper;
        pair->contact = verify_find_contact(pair);
        CHECK_QUERY(pair->contact != VERIFY_NO_CONTACT, kind, query);
    }
    return true;
}

static inline void query_of(const verify_pair *pair, graze_query *query) {
    memset(query, 0, sizeof *query);
    memcpy(query->x0, pair->x0, sizeof query->x0);
    memcpy(query->x1, pair->x1, sizeof query->x1);
}

static inline graze_truth *truth_of(const verify_pair *pair) {
    graze_query query;
    query_of(pair, &query);
    graze_truth_options options = graze_default_truth_options();
    options.min_separation = pair->separation;
    options.t_max = pair->t_max;
    graze_truth *truth;
    graze_status status = graze_truth_find(NULL, kind_of(pair), &query, &options, &truth);
    CHECK_QUERY(status == GRAZE_OK, kind_of(pair), &query);
    return status == GRAZE_OK ? truth : NULL;
}

/* True if what the pair claims is so, whatever its proof. */
static inline bool claims_are_true(const verify_pair *pair) {
    graze_truth *truth = truth_of(pair);
    if (!truth) return true;
    bool touches = graze_truth_hit(truth);
    bool good = pair->verdict == VERIFY_CLEAR ? !touches : !touches || graze_truth_compare(truth, pair->toi) <= 0;
    if (pair->toi_upper <= 1) good = good && touches && graze_truth_compare(truth, pair->toi_upper) >= 0;
    graze_truth_destroy(NULL, truth);
    return good;
}

static inline bool accepted(const verify_pair *pair) {
    char reason[VERIFY_TEXT];
    return verify_check(pair, reason);
}

static inline void expect_accepted(const verify_pair *pair) {
    char reason[VERIFY_TEXT] = "";
    bool good = verify_check(pair, reason);
    double allowed = VERIFY_WORK_PAIR + VERIFY_WORK_PIECE * (double)pair->free_count;
    CHECK_MSG(poly_work() <= allowed / 16, "work %g of %g", poly_work(), allowed);
    if (good) return;
    graze_query query;
    query_of(pair, &query);
    CHECK_MSG(good, "separation %.17g, toi %.17g: %s", pair->separation, pair->toi, reason);
    test_print_query(kind_of(pair), &query);
}

/* ---- where queries come from ---- */

static inline void random_query(test_random *random, graze_query *query) {
    double size = ldexp(1, (int)test_random_below(random, 12) - 6);
    double shift = test_random_below(random, 4) == 0 ? test_random_between(random, -1e4, 1e4) : 0;
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            query->x0[i][c] = shift + test_random_between(random, -size, size);
            query->x1[i][c] = shift + test_random_between(random, -size, size);
        }
    if (test_random_below(random, 3) == 0) /* few different values: parallel edges, contacts at corners, no extent */
        for (int i = 0; i < 4; i++)
            for (int c = 0; c < 3; c++) {
                query->x0[i][c] = (double)test_random_below(random, 4);
                query->x1[i][c] = (double)test_random_below(random, 4);
            }
}

static const double separations[] = {0, 0.01, 0.3};

typedef void use_proof(proof *p, test_random *random);

static inline void for_random_proofs(uint64_t seed, int count, use_proof *use) {
    test_random random = {seed};
    static proof p;
    for (int i = 0; i < count; i++) {
        graze_query query;
        random_query(&random, &query);
        graze_kind kind = (graze_kind)test_random_below(&random, 4);
        double t_max = test_random_below(&random, 3) ? 1 : test_random_between(&random, 0.05, 1);
        graze_method method = test_random_below(&random, 2) ? GRAZE_METHOD_EXACT : GRAZE_METHOD_CERTIFIED;
        if (prove(&p, kind, &query, separations[i % 3], t_max, method)) use(&p, &random);
    }
}

static inline void for_handcrafted_proofs(uint64_t seed, uint64_t count, use_proof *use) {
    test_random random = {seed};
    static proof p;
    const handcraft_family *family;
    for (size_t f = 0; (family = handcraft_get(f)) != NULL; f++)
        for (int kind = 0; kind < 2; kind++)
            for (uint64_t i = 0; i < count; i++) {
                graze_query query;
                handcraft_make(family, (graze_kind)kind, seed, i, &query);
                double separation = i % 2 ? family->separation : i % 4 ? 0 : 0.01;
                graze_method method = i % 2 ? GRAZE_METHOD_EXACT : GRAZE_METHOD_CERTIFIED;
                double largest = 0;
                for (int k = 0; k < 12; k++)
                    largest = fmax(largest, fmax(fabs(query.x0[k / 3][k % 3]), fabs(query.x1[k / 3][k % 3])));
                if (largest > GRAZE_MAX_COORDINATE) continue;
                if (prove(&p, (graze_kind)kind, &query, separation, 1, method)) use(&p, &random);
            }
}

#endif
