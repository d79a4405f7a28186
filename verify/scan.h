/* A strict reader of JSON: exactly the grammar of RFC 8259, values known beforehand, and nothing that two readers could
   take for different things. */
#ifndef GRAZE_VERIFY_SCAN_H
#define GRAZE_VERIFY_SCAN_H

#include "verify/verify.h"

typedef struct scanner {
    const char *begin, *at, *end;
    char *message; /* VERIFY_TEXT bytes; the first error, with its line */
} scanner;

/* All return false after an error; then the message says what is wrong. */

bool scan_fail(scanner *in, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Takes `c` if it comes next; says nothing if it does not. */
bool scan_take(scanner *in, char c);
bool scan_expect(scanner *in, char c, const char *what);
bool scan_at_end(scanner *in);

/* Texts are compared as they are written: one with an escape is none of the words. */
bool scan_word(scanner *in, const char *const *words, int count, const char *what, int *which);

/* The next name of an object and its colon: one of `names`, and none that is in `*seen`, a bit for each. Names that
   share all their letters but are written with escapes are no names. */
bool scan_name(scanner *in, const char *const *names, int count, unsigned *seen, int *which);

/* Any text without control characters, in UTF-8, without escaped NUL; where it begins and its length with escapes. */
bool scan_text(scanner *in, const char *what, const char **text, size_t *length);

bool scan_number(scanner *in, const char *what, double *x); /* finite */
bool scan_numbers(scanner *in, const char *what, double *x, int count);
bool scan_true(scanner *in, const char *what);
/* Takes null if it comes next. */
bool scan_null(scanner *in);

/* Goes over an object by its brackets, without reading it. */
bool scan_skip_object(scanner *in);

#endif
