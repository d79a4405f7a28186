#include "io/nearest.h"

#include <string.h>

enum { LONGEST = 63 };

bool io_has_word(const char *words, const char *word) {
    size_t length = strlen(word);
    if (length == 0 || strchr(word, ' ')) return false;
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
    return false;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Edits between two words, a swap of neighbors being one; beyond LONGEST letters words are cut. */
static size_t distance(const char *a, size_t n, const char *b, size_t m) {
    size_t rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= m; j++) last[j] = before[j] = j;
    for (size_t i = 1; i <= n; i++) {
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = least(least(row[j - 1], last[j]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
        size_t *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[m];
}

size_t io_letters_distance(const char *a, size_t n, const char *b, size_t m) {
    return distance(a, least(n, LONGEST), b, least(m, LONGEST));
}

size_t io_word_distance(const char *a, const char *b) { return io_letters_distance(a, strlen(a), b, strlen(b)); }

io_near_word io_nearest_word(const char *words, const char *word) {
    io_near_word nearest = {""};
    size_t length = least(strlen(word), LONGEST), best = (size_t)-1;
    for (const char *at = words; *at;) {
        size_t size = strcspn(at, " "), shown = least(size, LONGEST), edits = distance(word, length, at, shown);
        if (size && edits < best) {
            best = edits;
            memcpy(nearest.text, at, shown);
            nearest.text[shown] = '\0';
        }
        at += size;
        at += strspn(at, " ");
    }
    return nearest;
}
