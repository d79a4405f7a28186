/* Sorts without memory of its own. */
#ifndef GZ_BASE_MERGE_SORT_H
#define GZ_BASE_MERGE_SORT_H

#include <stddef.h>

/* As qsort: less than 0 where a comes before b. */
typedef int gz_compare(const void *a, const void *b);

/* Items of `size` bytes; `scratch` has room for as many. Equal ones keep their order. */
void gz_merge_sort(void *items, void *scratch, size_t count, size_t size, gz_compare *compare);

/* Merges sorted runs into `sorted`. Run i ends before item ends[i]. Items and ends are overwritten. */
void gz_merge_runs(void *items, void *sorted, size_t *ends, size_t runs, size_t size, gz_compare *compare);

#endif
