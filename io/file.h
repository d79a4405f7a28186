/* Whole files in memory. */
#ifndef GRAZE_IO_FILE_H
#define GRAZE_IO_FILE_H

#include "io/error.h"

/* Reads a whole file; a NUL follows the last byte. Folders, missing and unreadable files are errors. The file is an
   input from then on, which no output replaces (io/output.h). A pipe or device may hold 1 GiB. */
bool io_read_file(const char *path, char **bytes, size_t *size, io_error *error);

/* For a file that another file names: pipes and devices are errors, and are not waited for. */
bool io_read_regular_file(const char *path, char **bytes, size_t *size, io_error *error);

#endif
