/* True if two answers have the same bits, and whether there is a device to ask. */
#ifndef GRAZE_TEST_CUDA_BITS_H
#define GRAZE_TEST_CUDA_BITS_H

#include "resident.h"
#include "same_bits.h"
#include "soup.h"

#define POSITIONS(s) (const double(*)[3])(s)->x0, (const double(*)[3])(s)->x1

/* Everything that two steps say; their lists of pairs are `pairs` and `other`. */
static inline void check_same(const graze_step_result *here, const graze_pair_result *pairs,
                              const graze_step_result *there, const graze_pair_result *other, const char *what) {
    CHECK_MSG(here->verdict == there->verdict && here->toi == there->toi && here->has_pair == there->has_pair &&
                  here->toi_upper == there->toi_upper && here->pair_count == there->pair_count,
              "%s: toi %a here, %a there; %zu and %zu pairs", what, here->toi, there->toi, here->pair_count,
              there->pair_count);
    if (here->has_pair && there->has_pair)
        CHECK_MSG(same_bits(&here->limiting, &there->limiting),
                  "%s: the limiting pair, %d %u %u after %llu and %d %u %u after %llu", what,
                  (int)here->limiting.pair.kind, here->limiting.pair.a, here->limiting.pair.b,
                  (unsigned long long)here->limiting.result.checks, (int)there->limiting.pair.kind,
                  there->limiting.pair.a, there->limiting.pair.b, (unsigned long long)there->limiting.result.checks);
    for (size_t i = 0; i < here->pair_count && i < there->pair_count; i++)
        CHECK_MSG(same_bits(&pairs[i], &other[i]), "%s: pair %zu", what, i);
    for (int kind = 0; kind < 4; kind++)
        CHECK_MSG(here->candidates[kind] == there->candidates[kind] && here->hits[kind] == there->hits[kind],
                  "%s: counts of kind %d", what, kind);
}

/* GRAZE_ONE_IN: of long lists of questions one in so many is asked, and scenes are smaller, where a device is slow. */
static inline unsigned one_in(void) {
    const char *given = getenv("GRAZE_ONE_IN");
    unsigned count = given ? (unsigned)strtoul(given, NULL, 10) : 1;
    return count ? count : 1;
}

/* True for all but one in so many, each time another one; *turn counts. */
static inline bool left_out(unsigned *turn) { return (*turn)++ % one_in() != 0; }

/* Triangles of the largest scenes. */
static inline uint32_t most_triangles(void) { return one_in() > 1 ? 110 : SOUP_MAX; }

static inline bool have_device(void) {
    if (graze_backend_available(GRAZE_BACKEND_CUDA)) return true;
    test_skip("there is no CUDA device, or no libgraze_cuda.so");
    return false;
}

#endif
