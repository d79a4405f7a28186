/* Names of files. */
#ifndef GRAZE_SIM_READER_PATH_H
#define GRAZE_SIM_READER_PATH_H

#include <stdbool.h>
#include <string.h>

static inline bool sim_ends_with(const char *text, const char *end) {
    size_t length = strlen(text), part = strlen(end);
    return length >= part && strcmp(text + length - part, end) == 0;
}

#endif
