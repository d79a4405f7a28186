#include "io/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the character that begins here; 0 where that is not UTF-8 (too long forms, halves of pairs, beyond
 * U+10FFFF). */
static size_t character_at(const char *text, uint32_t *code) {
    const unsigned char *c = (const unsigned char *)text;
    size_t length = c[0] < 0x80 ? 1 : c[0] >> 5 == 6 ? 2 : c[0] >> 4 == 14 ? 3 : c[0] >> 3 == 30 ? 4 : 0;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    *code = length == 1 ? c[0] : length ? c[0] & (0x7fu >> length) : 0;
    for (size_t i = 1; i < length; i++) {
        if (c[i] >> 6 != 2) return 0; /* the NUL at the end is none either */
        *code = *code << 6 | (c[i] & 0x3f);
    }
    bool good = length && *code >= least[length] && *code <= 0x10ffff && (*code < 0xd800 || *code > 0xdfff);
    return good ? length : 0;
}

static bool is_control(uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

void io_make_printable(char *text) {
    char *to = text;
    while (*text) {
        uint32_t code;
        size_t length = character_at(text, &code);
        if (length == 0 || is_control(code)) {
            *to++ = '?';
            text += length ? length : 1;
        } else {
            memmove(to, text, length);
            to += length;
            text += length;
        }
    }
    *to = '\0';
}

char *io_valid_text(const char *text) {
    char *copy = malloc(3 * strlen(text) + 1), *to = copy;
    if (!copy) return NULL;
    while (*text) {
        uint32_t code;
        size_t length = character_at(text, &code);
        memcpy(to, length ? text : "\xef\xbf\xbd", length ? length : 3);
        to += length ? length : 3;
        text += length ? length : 1;
    }
    *to = '\0';
    return copy;
}

const char *io_path_tail(const char *path, size_t length) {
    size_t all = strlen(path);
    if (all <= length) return path;
    path += all - length;
    while ((*path & 0xc0) == 0x80) path++;
    return path;
}
