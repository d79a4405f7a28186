/* The lists of a scene folder: pairs of box ids, and their truth as an array of booleans. */
#ifndef GRAZE_IO_PAIRS_JSON_H
#define GRAZE_IO_PAIRS_JSON_H

#include "io/error.h"

#include <stdint.h>

typedef struct io_id_pairs {
    uint32_t (*pairs)[2]; /* ids count vertices first, then edges, then faces */
    size_t count;
} io_id_pairs;

typedef struct io_booleans {
    unsigned char *values; /* 0 or 1 */
    size_t count;
} io_booleans;

/* [[a, b], …]. On failure the list is empty. */
bool io_read_id_pairs(const char *path, io_id_pairs *list, io_error *error);
void io_free_id_pairs(io_id_pairs *list);

/* [true, false, …]. On failure the list is empty. */
bool io_read_booleans(const char *path, io_booleans *list, io_error *error);
void io_free_booleans(io_booleans *list);

#endif
