/* Errors of reading and writing: one line with file, line and reason. And what the readers read. */
#ifndef GRAZE_IO_ERROR_H
#define GRAZE_IO_ERROR_H

#include <stdbool.h>
#include <stddef.h>

typedef struct io_error {
    char message[600];
} io_error;

/* A file in memory: a NUL follows its last byte. The name tells its format and stands in errors. */
typedef struct io_source {
    const char *name, *bytes;
    size_t size;
} io_source;

/* Writes "path:line: reason" ("path: reason" for line 0) and returns false, so that `return io_fail(…)` reads well.
   Whatever path and reason hold, the message is one line of printable text. */
bool io_fail(io_error *error, const char *path, size_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
