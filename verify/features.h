/* A pair as polynomials: its features (point–point, point–line, point–plane, line–line) and when each of them is at the
   separation. */
#ifndef GRAZE_VERIFY_FEATURES_H
#define GRAZE_VERIFY_FEATURES_H

#include "verify/polynomial.h"
#include "verify/verify.h"

/* If `extent` > 0 and all of `inside` >= 0, the distance of the pair is at most that of this feature, and `excess` is
   <= 0 (for `plain`: = 0) exactly where that is at most the separation. */
typedef struct feature {
    poly excess;
    bool plain; /* excess is the volume polynomial itself, not a square */
    poly extent;
    poly inside[4];
    int inside_count;
} feature;

#define FEATURE_MAX 9

typedef struct features {
    int count;
    feature list[FEATURE_MAX]; /* vf and ee: the first is point–plane or line–line */
} features;

/* The coordinates, the separation and the radii as integers, all multiplied by the same power of two. */
typedef struct integers {
    mpz_t x[2][4][3];
    mpz_t separation, radii[4];
    mpz_t separation2; /* the square of the separation and the largest radius of each primitive: what features see */
    bool uniform;      /* each primitive has one radius, and they see the truth */
} integers;

void integers_init(integers *in, const verify_pair *pair);
void integers_clear(integers *in);

/* All features, or only the first. */
void features_init(features *all, const verify_pair *pair, bool only_first);
void features_clear(features *all);

/* Rows of A and B: the differences B - A are what a direction is tried on. */
int verify_rows_a(verify_kind kind);
int verify_rows(verify_kind kind);

#endif
