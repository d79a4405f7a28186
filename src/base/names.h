/* Names of enum values, and the way back. */
#ifndef GZ_BASE_NAMES_H
#define GZ_BASE_NAMES_H

#include <stddef.h>
#include <string.h>

/* NULL for a value that names none. */
static inline const char *gz_name_of(const char *const *names, size_t count, int value) {
    return (unsigned)value < count ? names[value] : NULL;
}

/* The value with that name, or −1. */
static inline int gz_name_find(const char *const *names, size_t count, const char *name) {
    for (size_t i = 0; name && i < count; i++)
        if (strcmp(names[i], name) == 0) return (int)i;
    return -1;
}

#endif
