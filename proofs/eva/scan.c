/* The scanner, on any bytes: after each call it stands within the text, and every order of calls is tried. */
#include "verify/scan.h"

#include "__fc_builtin.h"

enum { SIZE = 4096, WORDS = 3 };

static const char *const words[WORDS] = {"vf", "ee", "pe"};

static void call(scanner *in) {
    unsigned seen = Frama_C_unsigned_int_interval(0, (1 << WORDS) - 1);
    int which;
    double x, list[3];
    const char *text;
    size_t length;
    switch (Frama_C_interval(0, 10)) {
    case 0: scan_take(in, '['); break;
    case 1: scan_expect(in, ']', "]"); break;
    case 2: scan_word(in, words, WORDS, "a word", &which); break;
    case 3: scan_name(in, words, WORDS, &seen, &which); break;
    case 4: scan_text(in, "a text", &text, &length); break;
    case 5: scan_number(in, "a number", &x); break;
    case 6: scan_numbers(in, "numbers", list, 3); break;
    case 7: scan_true(in, "a word"); break;
    case 8: scan_null(in); break;
    case 9: scan_at_end(in); break;
    default: scan_skip_object(in);
    }
}

int main(void) {
    static char text[SIZE], message[VERIFY_TEXT];
    /*@ widen_hints global:"all", SIZE - 1, SIZE; */
    Frama_C_make_unknown(text, SIZE);
    const char *begin = text, *end = text + SIZE;
    scanner in = {.begin = begin, .at = begin, .end = end, .message = message};
    while (Frama_C_nondet(0, 1)) {
        call(&in);
        /*@ assert stands_within: begin <= in.at <= end; */
    }
    return 0;
}
