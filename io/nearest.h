/* The nearest of several words: for "did you mean". */
#ifndef GRAZE_IO_NEAREST_H
#define GRAZE_IO_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct io_near_word {
    char text[64];
} io_near_word;

/* Whether `words`, separated by blanks, has the word. */
bool io_has_word(const char *words, const char *word);
/* The one of them with the fewest letters to add, drop, change or swap; the first of several. */
io_near_word io_nearest_word(const char *words, const char *word);

#endif
