#include "base/merge_sort.h"

#include <string.h>

/* Merges [begin, middle) and [middle, end) of `from` into `to`. */
static void merge(const char *from, char *to, size_t begin, size_t middle, size_t end, size_t size,
                  gz_compare *compare) {
    size_t left = begin, right = middle;
    for (size_t at = begin; at < end; at++) {
        size_t take =
            left < middle && (right == end || compare(from + left * size, from + right * size) <= 0) ? left++ : right++;
        memcpy(to + at * size, from + take * size, size);
    }
}

void gz_merge_sort(void *items, void *scratch, size_t count, size_t size, gz_compare *compare) {
    char *from = items, *to = scratch;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t begin = 0; begin < count; begin += 2 * run) {
            size_t middle = count - begin < run ? count : begin + run;
            size_t end = count - middle < run ? count : middle + run;
            merge(from, to, begin, middle, end, size, compare);
        }
        char *other = from;
        from = to;
        to = other;
    }
    if (from != items) memcpy(items, from, count * size);
}

/* Every two neighbors become one; how many are left. */
static size_t merge_neighbors(const char *from, char *to, size_t *ends, size_t runs, size_t size, gz_compare *compare) {
    size_t begin = 0, made = 0;
    for (size_t i = 0; i < runs; i += 2) {
        size_t end = ends[i + 1 < runs ? i + 1 : i];
        merge(from, to, begin, ends[i], end, size, compare);
        begin = ends[made++] = end;
    }
    return made;
}

void gz_merge_runs(void *items, void *sorted, size_t *ends, size_t runs, size_t size, gz_compare *compare) {
    char *from = items, *to = sorted;
    size_t rounds = 0, count = runs ? ends[runs - 1] : 0;
    for (size_t left = runs; left > 1; left = (left + 1) / 2) rounds++;
    if (rounds % 2 == 0) {
        if (count) memcpy(sorted, items, count * size);
        from = sorted;
        to = items;
    }
    while (runs > 1) {
        runs = merge_neighbors(from, to, ends, runs, size, compare);
        char *other = from;
        from = to;
        to = other;
    }
}
