/* Pseudo-random numbers, the same on every machine (splitmix64). */
#ifndef GRAZE_SCENES_RANDOM_H
#define GRAZE_SCENES_RANDOM_H

#include <stdint.h>

typedef struct scene_random {
    uint64_t state;
} scene_random;

static inline uint64_t scene_random_bits(scene_random *random) {
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* in [0, 1), 53 bits */
static inline double scene_random_unit(scene_random *random) {
    return (double)(scene_random_bits(random) >> 11) * 0x1p-53;
}

/* in [low, high) */
static inline double scene_random_between(scene_random *random, double low, double high) {
    return low + (high - low) * scene_random_unit(random);
}

/* an integer in [low, high]; high − low is far below 2^64, so the remainder's bias does not show */
static inline int64_t scene_random_integer(scene_random *random, int64_t low, int64_t high) {
    return low + (int64_t)(scene_random_bits(random) % (uint64_t)(high - low + 1));
}

#endif
