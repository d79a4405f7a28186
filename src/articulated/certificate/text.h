/* Text that goes to a user's callback in large parts. */
#ifndef GZ_ARTICULATED_CERTIFICATE_TEXT_H
#define GZ_ARTICULATED_CERTIFICATE_TEXT_H

#include "graze/articulated.h"

#include <stdbool.h>

typedef struct gz_text {
    graze_write *write;
    void *user;
    bool failed; /* the callback said so: nothing more is given to it */
    size_t size;
    char bytes[1 << 12];
} gz_text;

void gz_text_put(gz_text *text, const char *bytes, size_t size);
void gz_text_word(gz_text *text, const char *word);
void gz_text_whole(gz_text *text, int64_t number);
/* So that it reads back to the same bits, with a point whatever the locale says. */
void gz_text_double(gz_text *text, double x);
/* [x, y, …] */
void gz_text_doubles(gz_text *text, const double *x, size_t count);
void gz_text_flush(gz_text *text);

#endif
