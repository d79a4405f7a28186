/* Handcrafted queries: every degenerate and nearly degenerate situation that a method can meet, by family.
 *
 * A query is a function of family, kind, seed and index alone, to the last bit on every machine. Coordinates are
 * small dyadic numbers computed without rounding, so that contacts are exact by construction. */
#ifndef GRAZE_SCENES_HANDCRAFT_H
#define GRAZE_SCENES_HANDCRAFT_H

#include "graze/query.h"

/* Of the families that touch only within one. */
#define HANDCRAFT_SEPARATION 0.5

/* Proven by the construction itself, with the separation of the family. */
typedef enum handcraft_promise {
    HANDCRAFT_OPEN = 0, /* nothing: ask the oracle */
    HANDCRAFT_TOUCHES,  /* a contact in [0, 1] */
    HANDCRAFT_MISSES,   /* none */
} handcraft_promise;

typedef struct handcraft_family {
    const char *name;      /* "near-contact" */
    const char *parameter; /* what the family varies: "ulps" */
    const char *summary;
    const double *values; /* of the parameter */
    size_t value_count;
    int maker;         /* the construction, for handcraft_make alone */
    double separation; /* 0, or HANDCRAFT_SEPARATION: without it no query of the family touches */
} handcraft_family;

/* The families in order; NULL past the last one. */
const handcraft_family *handcraft_get(size_t index);
/* NULL when no family has that name. */
const handcraft_family *handcraft_find(const char *name);

/* Query `index` of a family; the parameter is values[index % value_count]. `kind` is GRAZE_VF or GRAZE_EE. */
handcraft_promise handcraft_make(const handcraft_family *family, graze_kind kind, uint64_t seed, uint64_t index,
                                 graze_query *query);

/* Queries 0 to count − 1 of a family; returns how many were written: `count`, or 0 for an unknown name or kind. */
size_t handcraft_generate(const char *family, graze_kind kind, uint64_t seed, graze_query *out, size_t count);

#endif
