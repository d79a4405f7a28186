/* Numbers of text formats, read strictly: the whole word or nothing, and a point is a point in every locale. */
#ifndef GRAZE_IO_NUMBER_H
#define GRAZE_IO_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* An optional sign, digits with at most one point among them, an optional exponent; no more and no less. Returns false
   for anything else: "1,5", "1.5e", "nan", "0x1". An overflow gives an infinity. */
bool io_parse_number(const char *text, size_t length, double *x);

/* Decimal digits alone, below 2^63. */
bool io_parse_count(const char *text, size_t length, size_t *n);

/* Blanks of XML and JSON. */
bool io_is_blank(char c);

#endif
