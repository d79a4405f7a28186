/* The one rule for what is written. A regular file is replaced as a whole once it is complete, so that a run that is
   cut off leaves the old one; links are followed; devices and FIFOs are written directly; `-` is standard output; a
   file that this process has read is not overwritten, and none is written twice at once. */
#ifndef GRAZE_IO_OUTPUT_H
#define GRAZE_IO_OUTPUT_H

#include "io/error.h"

#include <stdio.h>

typedef struct io_output {
    FILE *stream;           /* write here; errors are found when it is closed */
    struct io_opened *open; /* NULL: not open */
} io_output;

bool io_open_output(const char *path, io_output *output, io_error *error);
/* Checks every write, then puts the file in its place. On failure the old file is untouched. */
bool io_close_output(io_output *output, io_error *error);
/* Leaves no trace of it (but of a growing one). For one that is not open nothing happens. */
void io_abandon_output(io_output *output);

/* End of a path through links, also where the last one leads to nothing yet; to be freed. NULL with the error set. */
char *io_follow_links(const char *path, io_error *error);

/* Removes the temporary files of all open outputs: for the end of the program, also in a signal handler. */
void io_remove_temporaries(void);

/* In a child process: the open outputs stay the parent's, and are not removed when the child ends. */
void io_leave_outputs(void);

/* ---- lists that grow and can be continued ---- */

/* The list is written to `path`.graze-part, which takes its place when it is closed; a run that is cut off leaves it.
   While it is open no other run may write it, nor take its place. The first `size` bytes are there already: those of
   io_read_growing, or some of them. */
bool io_open_growing(const char *path, const char *bytes, size_t size, io_output *output, io_error *error);
/* Reads what an earlier run left: `path`.graze-part, else `path`; `bytes` is NULL where there is neither. Regular files
   only. */
bool io_read_growing(const char *path, char **bytes, size_t *size, io_error *error);

/* ---- inputs ---- */

/* io_read_file calls this for every file that it reads. */
void io_note_input(const char *path);
bool io_is_input(const char *path);
/* The name of input i, in the order in which they were read or noted; NULL behind the last. */
const char *io_input(size_t i);
/* For a file that is meant to be rewritten. */
void io_forget_input(const char *path);

#endif
