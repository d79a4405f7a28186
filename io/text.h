/* Names and words from outside, made fit for a terminal or for JSON. */
#ifndef GRAZE_IO_TEXT_H
#define GRAZE_IO_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Puts '?' in place of every control character and of every byte that is no part of valid UTF-8, so that nothing that a
   file or a name holds can steer a terminal or break a line. */
void io_make_printable(char *text);

/* A copy that is valid UTF-8: U+FFFD stands for each byte that is not. NULL without memory. Free it. */
char *io_valid_text(const char *text);

/* The end of a path that is longer than `length` bytes, from a whole character on; the path itself where it is not. */
const char *io_path_tail(const char *path, size_t length);

#endif
