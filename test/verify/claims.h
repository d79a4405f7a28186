/* The certificate of one pair given to the checker, in memory. */
#ifndef GRAZE_TEST_VERIFY_CLAIMS_H
#define GRAZE_TEST_VERIFY_CLAIMS_H

#include "graze/graze.h"

#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CLAIM_PIECES 8192

/* Room for the pieces, one for each thread. */
typedef struct claim {
    graze_certificate_entry entries[CLAIM_PIECES];
    verify_piece pieces[CLAIM_PIECES];
    graze_result result; /* the answer that the certificate is of */
    char reason[VERIFY_TEXT];
} claim;

static inline verify_proof claim_proof_of(const double n[3]) {
    if (isnan(n[0])) return VERIFY_DECIDED;
    return n[0] == 0 && n[1] == 0 && n[2] == 0 ? VERIFY_VOLUME : VERIFY_DIRECTION;
}

static inline void claim_copy_pieces(claim *c, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const graze_certificate_entry *entry = &c->entries[i];
        c->pieces[i] = (verify_piece){.proof = claim_proof_of(entry->direction), .t0 = entry->t0, .t1 = entry->t1};
        memcpy(c->pieces[i].n, entry->direction, sizeof c->pieces[i].n);
    }
}

/* The free time alone, [0, toi), is claimed; for a hit at t_max, where only a contact may end, the contact too. */
static inline verify_pair claim_pair_of(claim *c, graze_kind kind, const graze_query *query, const double *radii,
                                        const graze_options *options, size_t count) {
    static const verify_kind kinds[] = {VERIFY_VF, VERIFY_EE, VERIFY_PE, VERIFY_PP};
    verify_pair pair = {.kind = kinds[kind],
                        .separation = options->min_separation,
                        .t_max = options->t_max,
                        .verdict = c->result.verdict == GRAZE_CLEAR ? VERIFY_CLEAR : VERIFY_UNRESOLVED,
                        .toi = c->result.toi,
                        .toi_upper = INFINITY,
                        .free = c->pieces,
                        .free_count = count};
    if (c->result.verdict != GRAZE_CLEAR && c->result.toi == options->t_max) {
        pair.verdict = VERIFY_HIT;
        pair.toi_upper = options->t_max;
        pair.contact = VERIFY_CONTACT_DECIDED;
    }
    memcpy(pair.x0, query->x0, sizeof pair.x0);
    memcpy(pair.x1, query->x1, sizeof pair.x1);
    if (radii) memcpy(pair.radii, radii, sizeof pair.radii);
    claim_copy_pieces(c, count);
    return pair;
}

/* True when the library proves its answer; else `reason` says why not. Options as for graze_ccd_certificate_thick. */
static inline bool claim_holds(claim *c, graze_kind kind, const graze_query *query, const double *radii,
                               const graze_options *options) {
    size_t count;
    graze_status status =
        graze_ccd_certificate_thick(kind, query, radii, options, c->entries, CLAIM_PIECES, &count, &c->result);
    snprintf(c->reason, sizeof c->reason, "%s", graze_status_name(status));
    if (status != GRAZE_OK) return false;
    verify_pair pair = claim_pair_of(c, kind, query, radii, options, count);
    return verify_check(&pair, c->reason);
}

/* A rejected one was not decided for lack of work: docs/certificates.md bounds it, and any doubles may reach that. */
static inline bool claim_took_too_much(const claim *c) {
    return strstr(c->reason, "too hard to decide") || strstr(c->reason, "too much work");
}

#endif
