/* Whole files in memory, and files that appear only when they are complete. */
#ifndef GRAZE_IO_FILE_H
#define GRAZE_IO_FILE_H

#include "io/error.h"

#include <stdio.h>

/* Reads a whole file; a NUL follows the last byte. Folders, missing and unreadable files are errors. */
bool io_read_file(const char *path, char **bytes, size_t *size, io_error *error);

/* A file under a temporary name beside `path` that takes its place at io_close_atomic. */
typedef struct io_atomic_file {
    FILE *stream;
    char *path, *temporary;
} io_atomic_file;

bool io_open_atomic(const char *path, io_atomic_file *file, io_error *error);
/* Checks every write, then renames; on failure the old file is untouched. */
bool io_close_atomic(io_atomic_file *file, io_error *error);
/* Removes the temporary file. */
void io_abandon_atomic(io_atomic_file *file);

#endif
