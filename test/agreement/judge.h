/* Exact arithmetic and the checker of certificates judge an answer. */
#ifndef GRAZE_TEST_AGREEMENT_JUDGE_H
#define GRAZE_TEST_AGREEMENT_JUDGE_H

#include "agreement/draw.h"

#include "verify/claims.h"

/* Each is a number of cases; `pairs`, `certificates` and what is said of pairs in a block or a step are more. */
typedef struct tally {
    uint64_t cases, pairs, flattened, subnormal;
    uint64_t hits, clear, unresolved;    /* of `certified`, and of curves and steps */
    uint64_t contacts;                   /* of the oracle */
    uint64_t exact_unresolved;           /* `exact` had no room to decide */
    uint64_t plain;                      /* of the pairs: apart by a direction, with room to spare */
    uint64_t certificates;               /* that were given to the checker */
    uint64_t missed, late, wrong_proofs; /* a contact that is not seen, a toi after it, a toi_upper before it */
    uint64_t disagreements;              /* `exact` and the oracle */
    uint64_t rejected;                   /* by the checker */
    uint64_t refused;                    /* a status that is not GRAZE_OK */
} tally;

void tally_add(tally *sum, const tally *part);
uint64_t tally_failures(const tally *found);

/* One thread at work. */
typedef struct judge {
    graze_context *context;    /* of one thread */
    graze_context *others[16]; /* NULL, or of other instruction sets: a step has the same bits there */
    size_t other_count;
    claim claim;
    tally found;
    uint64_t seed, index; /* of the case at hand */
    const char *subject;
} judge;

/* Counts a failure in *counter and prints the query, ready to paste. */
void judge_fails(judge *j, uint64_t *counter, const drawn *d, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

graze_status judge_ask(const drawn *d, graze_method method, graze_result *result);

/* The exact answer, without radii; false where there is no memory for it. */
bool judge_truth(judge *j, const drawn *d, graze_result *truth);

/* Whether directions part the pair over all of [0, 1], hundreds of times as far as rounding can matter. */
bool judge_is_apart(const drawn *d);

/* As judge_truth, but what a direction parts is clear without exact arithmetic. Of 64 cases, one asks for both. */
bool judge_truth_unless_apart(judge *j, const drawn *d, graze_result *truth);

/* An answer must not be clear, late, or proven too early, where the truth touches. */
void judge_answer(judge *j, const drawn *d, const char *name, const graze_result *answer, const graze_result *truth);

/* `exact` must be the truth to the last bit, or unresolved and not late. */
void judge_exact(judge *j, const drawn *d, const graze_result *exact, const graze_result *truth);

/* The certificate of the pair proves its verdict, and its toi. */
void judge_certificate(judge *j, const drawn *d, const graze_result *certified);

/* ---- the cases ---- */

void judge_pair(judge *j, test_random *random);
void judge_scales(judge *j, test_random *random); /* pairs without the certificate, which takes most of the time */
void judge_ordinary(judge *j, test_random *random);
void judge_plane(judge *j, test_random *random);
void judge_thick(judge *j, test_random *random);
void judge_curve(judge *j, test_random *random);
void judge_step(judge *j, test_random *random);

#endif
