/* What went wrong while reading or writing: one line with file, line and reason. */
#ifndef GRAZE_IO_ERROR_H
#define GRAZE_IO_ERROR_H

#include <stdbool.h>
#include <stddef.h>

typedef struct io_error {
    char message[600];
} io_error;

/* Writes "path:line: reason" ("path: reason" for line 0) and returns false, so that `return io_fail(…)` reads well. */
bool io_fail(io_error *error, const char *path, size_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
