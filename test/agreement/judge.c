#include "agreement/judge.h"

#include <float.h>
#include <pthread.h>
#include <stdarg.h>

#define MOST_SHOWN 20 /* failures of a run that are printed; all are counted */

void tally_add(tally *sum, const tally *part) {
    for (size_t i = 0; i < sizeof *sum / sizeof(uint64_t); i++) ((uint64_t *)sum)[i] += ((const uint64_t *)part)[i];
}

uint64_t tally_failures(const tally *found) {
    return found->missed + found->late + found->wrong_proofs + found->disagreements + found->rejected + found->refused;
}

static void print_drawn(const drawn *d) {
    test_print_query(d->kind, &d->query);
    printf("      double separation = %a, t_max = %a", d->separation, d->t_max);
    if (d->thick) printf(", radii[4] = {%a, %a, %a, %a}", d->radii[0], d->radii[1], d->radii[2], d->radii[3]);
    printf(";\n");
}

void judge_fails(judge *j, uint64_t *counter, const drawn *d, const char *format, ...) {
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    static int shown;
    ++*counter;
    pthread_mutex_lock(&one_at_a_time);
    if (shown++ < MOST_SHOWN) {
        printf("    --only %s --seed %llu --from %llu --count 1: ", j->subject, (unsigned long long)j->seed,
               (unsigned long long)j->index);
        va_list list;
        va_start(list, format);
        vprintf(format, list);
        va_end(list);
        printf("\n");
        print_drawn(d);
    }
    pthread_mutex_unlock(&one_at_a_time);
}

graze_status judge_ask(const drawn *d, graze_method method, graze_result *result) {
    graze_options options = graze_default_options();
    options.method = method;
    options.min_separation = d->separation;
    options.t_max = d->t_max;
    return graze_ccd_thick(d->kind, &d->query, d->thick ? d->radii : NULL, &options, result);
}

static bool has_subnormal(const graze_query *query) {
    for (int k = 0; k < 24; k++) {
        double x = fabs((&query->x0[0][0])[k]);
        if (x > 0 && x < DBL_MIN) return true;
    }
    return false;
}

/* graze_truth_find has no limit but memory; the method `oracle` has one. */
bool judge_truth(judge *j, const drawn *d, graze_result *truth) {
    graze_truth_options options = graze_default_truth_options();
    options.min_separation = d->separation;
    options.t_max = d->t_max;
    graze_truth *found;
    graze_status status = graze_truth_find(NULL, d->kind, &d->query, &options, &found);
    j->found.pairs++;
    j->found.flattened += d->flattened;
    j->found.subnormal += has_subnormal(&d->query);
    if (status != GRAZE_OK) judge_fails(j, &j->found.refused, d, "oracle: %s", graze_status_name(status));
    if (status != GRAZE_OK) return false;
    *truth = (graze_result){.verdict = GRAZE_CLEAR, .toi = d->t_max, .toi_upper = INFINITY};
    if (graze_truth_hit(found)) {
        truth->verdict = GRAZE_HIT;
        graze_truth_bracket(found, &truth->toi, &truth->toi_upper);
    }
    j->found.contacts += truth->verdict == GRAZE_HIT;
    graze_truth_destroy(NULL, found);
    return true;
}

bool judge_truth_unless_apart(judge *j, const drawn *d, graze_result *truth) {
    bool apart = judge_is_apart(d), both = j->index % 64 == 0;
    j->found.plain += apart;
    if (!apart || both) {
        if (!judge_truth(j, d, truth)) return false;
        if (apart && truth->verdict == GRAZE_HIT)
            judge_fails(j, &j->found.refused, d, "apart by a direction, and touches");
        return true;
    }
    j->found.pairs++;
    *truth = (graze_result){.verdict = GRAZE_CLEAR, .toi = d->t_max, .toi_upper = INFINITY};
    return true;
}

void judge_answer(judge *j, const drawn *d, const char *name, const graze_result *answer, const graze_result *truth) {
    bool hit = truth->verdict == GRAZE_HIT;
    if (hit && answer->verdict == GRAZE_CLEAR)
        judge_fails(j, &j->found.missed, d, "%s misses the contact at %.17g", name, truth->toi);
    else if (hit && answer->toi > truth->toi)
        judge_fails(j, &j->found.late, d, "%s: toi %.17g, contact at %.17g", name, answer->toi, truth->toi);
    if (answer->proven && (!hit || answer->toi_upper < truth->toi))
        judge_fails(j, &j->found.wrong_proofs, d, "%s: contact by %.17g is not so", name, answer->toi_upper);
}

void judge_exact(judge *j, const drawn *d, const graze_result *exact, const graze_result *truth) {
    judge_answer(j, d, "exact", exact, truth);
    j->found.exact_unresolved += exact->verdict == GRAZE_UNRESOLVED;
    if (exact->verdict == GRAZE_UNRESOLVED) return;
    bool same = exact->verdict == truth->verdict && exact->toi == truth->toi && exact->toi_upper == truth->toi_upper;
    if (!same)
        judge_fails(j, &j->found.disagreements, d, "exact: %s [%.17g, %.17g], oracle: %s [%.17g, %.17g]",
                    graze_verdict_name(exact->verdict), exact->toi, exact->toi_upper,
                    graze_verdict_name(truth->verdict), truth->toi, truth->toi_upper);
}

/* ---- certificates ---- */

void judge_certificate(judge *j, const drawn *d, const graze_result *certified) {
    graze_options options = graze_default_options();
    options.min_separation = d->separation;
    options.t_max = d->t_max;
    bool holds = claim_holds(&j->claim, d->kind, &d->query, d->thick ? d->radii : NULL, &options);
    j->found.certificates++;
    if (j->other_count && !holds && claim_took_too_much(&j->claim))
        return; /* any doubles of a fuzzer may be that hard */
    if (!holds) judge_fails(j, &j->found.rejected, d, "rejected: %s", j->claim.reason);
    if (j->claim.result.verdict != certified->verdict || j->claim.result.toi != certified->toi)
        judge_fails(j, &j->found.rejected, d, "the certificate is of another answer");
}
