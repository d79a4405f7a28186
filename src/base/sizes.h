/* Structs that begin with their struct_size: a caller and the library may know different numbers of their fields. */
#ifndef GZ_BASE_SIZES_H
#define GZ_BASE_SIZES_H

#include "graze/base.h"

#include <stdbool.h>

/* Size of a struct whose last field is `field`: what the first release had, which the library asks for at least. */
#define GZ_SIZE_UP_TO(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))

/* Fills a caller's struct of `size` bytes with the `known` bytes of the defaults, and zeros beyond them. */
void gz_sized_init(void *caller, size_t size, const void *defaults, size_t known);

/* Lays what a caller gives over `mine`, which holds the defaults. A shorter struct leaves the last ones as they are; a
   longer one must be zero where the library knows no field. `what` is how the message calls it. */
graze_status gz_sized_read(graze_context *context, const char *what, void *mine, size_t known, size_t least,
                           const void *given);

/* A kind of struct that callers give in arrays. */
typedef struct gz_sized_kind {
    const char *name; /* "motion": messages put the number behind it */
    size_t known, least;
} gz_sized_kind;

/* gz_sized_read for element `index` of an array whose stride is the struct_size of its first. All have that size, and
   those before it have been read. `fault` is the index of the error. */
graze_status gz_sized_read_at(graze_context *context, const gz_sized_kind *kind, uint64_t fault, void *mine,
                              const void *first, size_t index);

/* True if a caller's struct for results has a size; for gz_sized_write. */
graze_status gz_sized_check(graze_context *context, const char *what, const void *caller, size_t least);

/* Copies results to a caller's struct that gz_sized_check has seen: no more than its size, which stays as it is. */
void gz_sized_write(void *caller, const void *mine, size_t known);

/* Checks the ranges common to all options: 0 ≤ separation ≤ most, 0 < t_max ≤ 1. */
graze_status gz_range_check(graze_context *context, double separation, double most, double t_max);

#endif
