#include "cli/dataset/pair_sample.h"

static uint64_t scramble(uint64_t z) {
    z = (z + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* floor(i × count / parts), without overflow for parts below 2^32 */
static uint64_t part_begin(uint64_t i, uint64_t count, uint64_t parts) {
    return i * (count / parts) + i * (count % parts) / parts;
}

graze_pair *cli_sample_pairs(const graze_pair *pairs, size_t count, size_t limit) {
    graze_pair *chosen = app_allocate(limit, sizeof *chosen);
    for (size_t i = 0; i < limit; i++) {
        uint64_t begin = part_begin(i, count, limit), end = part_begin(i + 1, count, limit);
        chosen[i] = pairs[begin + scramble(i) % (end - begin)];
    }
    return chosen;
}
