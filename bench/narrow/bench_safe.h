/* Measurements of the suite `safe` on one set of queries. */
#ifndef GRAZE_BENCH_NARROW_BENCH_SAFE_H
#define GRAZE_BENCH_NARROW_BENCH_SAFE_H

#include "bench/data/bench_sets.h"

#include "compared/narrow/safe.h"

/* Ways to run the cubic test. */
enum {
    SAFE_BASIC,           /* provot */
    SAFE_FULL,            /* safe: the verdict, as the seed of the method times it */
    SAFE_BASIC_PLANELESS, /* the same two without planes */
    SAFE_PLANELESS,
    SAFE_EDGES, /* safe without the cull of vertex–edge tests */
    SAFE_TOI,   /* safe with its proven time of impact */
    SAFE_SCENE, /* safe with one B for the whole set */
    SAFE_F32,   /* safe in float */
    SAFE_VARIANTS,
};

/* Distances of false alarms in units of B eps^(1/4), by the upper ends of their bins; the last is the bound. */
enum { SAFE_BINS = 7 };
extern const double bench_safe_bins[SAFE_BINS];

typedef struct safe_verdicts {
    uint64_t tests, contacts, missed, alarms;
    uint64_t binned[SAFE_BINS], beyond; /* of the alarms, as far as they were measured */
    uint64_t late;                      /* times of impact after the exact one */
} safe_verdicts;

/* Another method, through the public batch call on one thread. */
typedef struct safe_other {
    const char *name;
    uint64_t tests, contacts, missed, alarms;
    double seconds;
} safe_other;

enum { SAFE_OTHERS = 6 };

typedef struct safe_row {
    const bench_set *set;
    double seconds[SAFE_VARIANTS]; /* for all tests of the set */
    gz_safe_counts counts[SAFE_VARIANTS];
    safe_verdicts basic, full, scene, single;
    double bound; /* B of the whole set */
    safe_other others[SAFE_OTHERS];
    int other_count;
} safe_row;

/* Adds the tables. */
void bench_safe_report(bench_report *report, const safe_row *rows, int count);

#endif
