/* The nearest of several words: for "did you mean". */
#ifndef GRAZE_IO_NEAREST_H
#define GRAZE_IO_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct io_near_word {
    char text[64];
} io_near_word;

/* True if `words`, separated by blanks, has the word. */
bool io_has_word(const char *words, const char *word);
/* Letters to add, drop, change or swap with their neighbor; words are cut behind 63 letters. */
size_t io_word_distance(const char *a, const char *b);
/* As io_word_distance, but for the first n letters of a and the first m of b. */
size_t io_letters_distance(const char *a, size_t n, const char *b, size_t m);
/* The one of them at the least distance; the first of several. */
io_near_word io_nearest_word(const char *words, const char *word);

#endif
