/* Results bit for bit: NaN equals NaN, counts of checks included. */
#ifndef GRAZE_TEST_SAME_BITS_H
#define GRAZE_TEST_SAME_BITS_H

#include "check.h"

static inline bool same_result(const graze_result *a, const graze_result *b) {
    size_t numbers = offsetof(graze_result, toi); /* from there on there are no gaps */
    const double *p = (const double *)(const void *)((const char *)a + numbers);
    const double *q = (const double *)(const void *)((const char *)b + numbers);
    size_t count = (offsetof(graze_result, checks) - numbers) / sizeof *p;
    bool same = a->verdict == b->verdict && a->reason == b->reason && a->proven == b->proven && a->checks == b->checks;
    for (size_t i = 0; i < count; i++) same &= memcmp(&p[i], &q[i], sizeof *p) == 0 || (isnan(p[i]) && isnan(q[i]));
    return same;
}

static inline bool same_bits(const graze_pair_result *a, const graze_pair_result *b) {
    return a->pair.kind == b->pair.kind && a->pair.a == b->pair.a && a->pair.b == b->pair.b &&
           same_result(&a->result, &b->result);
}

#endif
