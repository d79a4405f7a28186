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
