/* Arrays that a call writes may not share memory with arrays that it reads: what is read would no longer be what was
   given, and the answer not about it. */
#ifndef GZ_BASE_OVERLAP_H
#define GZ_BASE_OVERLAP_H

#include "graze/base.h"

#include <stdbool.h>

/* `count` pieces of `size` bytes, `stride` bytes from one to the next. */
typedef struct gz_pieces {
    const void *first;
    size_t count, size, stride;
} gz_pieces;

gz_pieces gz_bytes_at(const void *first, size_t bytes);

/* True if a byte is in both. Pieces of one stride may lie between each other, as the fields of an array of structs;
   of different strides they may not. NULL shares nothing. */
bool gz_overlap(gz_pieces a, gz_pieces b);

/* GRAZE_ERR_INVALID_ARGUMENT with both names where they overlap. */
graze_status gz_apart_check(graze_context *context, const char *written, gz_pieces out, const char *read, gz_pieces in);

#endif
