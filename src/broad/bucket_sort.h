/* A stable sort of packed items on several threads, with half the loops of gz_sort. */
#ifndef GZ_BROAD_BUCKET_SORT_H
#define GZ_BROAD_BUCKET_SORT_H

#include "base/context.h"

size_t gz_bucket_sort_scratch(const graze_context *context, size_t count);

/* As gz_sort_packed, with the result in `items`. False, and nothing is changed but `other`, where one thread does it as
   well: there is one, items are few, or most of them lie in one bucket. */
bool gz_bucket_sort(graze_context *context, uint64_t *items, uint64_t *other, size_t count, int bits, void *scratch);

#endif
