/* Folder of the seeds, for targets whose files name others. */
#ifndef GRAZE_FUZZ_SEEDS_H
#define GRAZE_FUZZ_SEEDS_H

#include "io/error.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes as a file of that name: a NUL follows them. Free source.bytes. */
static inline io_source fuzz_source(const char *name, const uint8_t *data, size_t size) {
    char *bytes = malloc(size + 1);
    if (!bytes) abort();
    if (size) memcpy(bytes, data, size);
    bytes[size] = '\0';
    return (io_source){name, bytes, size};
}

/* An error is one printable line. */
static inline void fuzz_check_line(const char *message) {
    if (!message[0]) abort();
    for (; *message; message++)
        if ((unsigned char)*message < 0x20) abort();
}

#endif
