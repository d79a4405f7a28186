/* A cursor over a file in memory: lines, words and numbers of text, or binary values; errors name the place. */
#ifndef GRAZE_IO_SCAN_H
#define GRAZE_IO_SCAN_H

#include "io/error.h"

#include <stdint.h>

typedef struct io_scan {
    const char *path;
    const char *begin, *at, *end;
    const char *stop;              /* words are looked for before it: the end of the line, or of the file */
    const char *next_lf, *next_cr; /* the first of each that is not before `at`, once looked for; else NULL */
    size_t line;                   /* of `at`, from 1; 0 before the first line */
    bool binary;                   /* errors name the byte instead of the line */
    bool swap;                     /* binary values have the other byte order */
    io_error *error;
} io_scan;

typedef struct io_word {
    const char *text; /* not terminated */
    size_t length;
} io_word;

/* A place in a file, for errors that are found later. */
typedef struct io_place {
    size_t line, byte;
} io_place;

/* `bytes` must be followed by a NUL, as io_read_file leaves them. A UTF-8 byte-order mark at the begin is passed over.
 */
io_scan io_scan_open(const char *path, const char *bytes, size_t size, io_error *error);

/* Writes the error with its place and returns false. */
bool io_scan_fail(io_scan *scan, const char *format, ...) __attribute__((format(printf, 2, 3)));
io_place io_scan_place(const io_scan *scan);
bool io_scan_fail_at(io_scan *scan, io_place place, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Goes to the next line; false at the end of the file. A line ends with LF, CR or both. */
bool io_scan_line(io_scan *scan);
/* Goes behind the end of this line, to binary data that follows it. The CR of a file whose first line ends with CR
   alone is a line end without an LF; what follows is data. */
void io_scan_end_line(io_scan *scan);
/* As io_scan_line, but to the next line that is not blank once `comment` and what follows it are cut off (0: no
   comments). */
bool io_scan_filled_line(io_scan *scan, char comment);
/* From here to the end of the file as one run of words; line ends count as blanks. */
void io_scan_join_lines(io_scan *scan);
/* Moves on to `to`, counting the lines on the way. */
void io_scan_skip_to(io_scan *scan, const char *to);

/* The next word; false when there is none before `stop`. */
bool io_scan_word(io_scan *scan, io_word *word);
bool io_word_is(io_word word, const char *text);
/* True if no word is left before `stop`. */
bool io_scan_at_stop(io_scan *scan);

/* Numbers as words. `what` says in errors what was expected. A number may be NaN or infinite: the caller decides. */
bool io_word_number(io_scan *scan, io_word word, const char *what, double *x);
bool io_word_integer(io_scan *scan, io_word word, const char *what, int64_t *x);
bool io_scan_number(io_scan *scan, const char *what, double *x);
bool io_scan_integer(io_scan *scan, const char *what, int64_t *x);

/* The next `size` bytes (1, 2, 4 or 8) as they lie in memory here, whatever the file's byte order. */
bool io_scan_value(io_scan *scan, const char *what, void *value, size_t size);

/* Fails unless `count` things of at least `bytes_each` bytes can still follow, so that a claim in a header is never
   believed beyond the size of the file. */
bool io_scan_has_room(io_scan *scan, uint64_t count, uint64_t bytes_each, const char *what);

#endif
