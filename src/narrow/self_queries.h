/* The queries of the self-test, and what is known of their answers. */
#ifndef GZ_NARROW_SELF_QUERIES_H
#define GZ_NARROW_SELF_QUERIES_H

#include "graze/query.h"

#include <stdbool.h>

enum { GZ_SELF_GROUPS = 4, GZ_SELF_MOST = 24 };

/* Queries of a kind, drawn from a seed by whole numbers alone. */
typedef struct gz_self_group {
    graze_kind kind;
    double separation;
    uint64_t seed;
    size_t count, first; /* of the answers */
} gz_self_group;

/* CLEAR has toi 1 and toi_upper INFINITY; the others are hits. */
typedef struct gz_self_answer {
    double toi, toi_upper;
} gz_self_answer;

extern const gz_self_group gz_self_groups[GZ_SELF_GROUPS];
extern const gz_self_answer gz_self_answers[];

void gz_self_queries(const gz_self_group *group, graze_query *queries);

/* The answers of `certified` on the kernels of `isa`. */
void gz_self_answer_group(const gz_self_group *group, graze_isa isa, graze_result *results);

#endif
