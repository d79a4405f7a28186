/* Code that a user brought, run in a child process with a limit: it may hang, crash or exit without ending the bench.
 */
#ifndef GRAZE_BENCH_NARROW_APART_H
#define GRAZE_BENCH_NARROW_APART_H

#include "bench/suite.h"

/* Zeroed memory that a child shares with its parent; NULL without any. */
void *bench_shared(size_t size);
void bench_shared_free(void *memory, size_t size);

enum { BENCH_APART_TEXT = 120 };

/* Runs `work` in a child. False with the reason where it did not return within `limit` seconds, ended the process, or
   was ended by a signal. A stop of the bench ends the child too; then it is true, and what is done is in shared memory.
 */
bool bench_apart(const bench_settings *settings, double limit, void (*work)(void *state), void *state,
                 char reason[BENCH_APART_TEXT]);

#endif
