/* The earliest root, of any of several polynomials, at which a test holds. */
#ifndef GZ_EXACT_ROOT_SEARCH_H
#define GZ_EXACT_ROOT_SEARCH_H

#include "exact/integer_pair.h"

typedef bool gz_root_search_test(void *state, gz_root *root, gz_place *place);

typedef struct gz_root_search {
    gz_arena *arena;
    double t_max;
    gz_root_search_test *test;
    void *state;
    bool hit;
    gz_root first;
    gz_place place;
} gz_root_search;

/* Tests t = 0. */
void gz_root_search_begin(gz_root_search *search, gz_arena *arena, double t_max, gz_root_search_test *test,
                          void *state);
/* Looks for a root of p, not zero, in (0, t_max] that is earlier than what was found so far. */
void gz_root_search_roots(gz_root_search *search, const gz_poly *p);
/* As gz_root_search_roots, but for roots of a divisor p of `of`. */
void gz_root_search_divisor(gz_root_search *search, const gz_poly *p, const gz_poly *of);

#endif
