/* Answers in a file, a JSON object on each line, as `graze query --out` writes them. */
#ifndef GRAZE_BENCH_NARROW_GIVEN_H
#define GRAZE_BENCH_NARROW_GIVEN_H

#include "bench/narrow/methods.h"

/* NULL with the error set: the file, the line, and what is wrong with it. */
bench_given *bench_given_read(const char *path, io_error *error);
/* NULL is fine. */
void bench_given_free(bench_given *given);
/* True if every hit has a toi. */
bool bench_given_has_toi(const bench_given *given);

#endif
