/* Names of enum values, and the way back. */
#ifndef GZ_BASE_NAMES_H
#define GZ_BASE_NAMES_H

#include <stddef.h>

/* NULL for a value that names none. */
const char *gz_name_of(const char *const *names, size_t count, int value);

/* The value with that name, or −1. */
int gz_name_find(const char *const *names, size_t count, const char *name);

#endif
