/* Some of many pairs, evenly spread. */
#ifndef GRAZE_CLI_DATASET_PAIR_SAMPLE_H
#define GRAZE_CLI_DATASET_PAIR_SAMPLE_H

#include "app/app.h"

/* One pair from each of `limit` equal parts of the list, always the same ones, in its order; 0 < limit < count, below
   2^32. Free it. */
graze_pair *cli_sample_pairs(const graze_pair *pairs, size_t count, size_t limit);

#endif
