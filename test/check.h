/* A small test harness. A test is a sentence; a failing check prints where, and what was looked at.
 *
 *     TEST(vf_toi_is_never_after_the_exact_root) { CHECK(toi <= root); }
 *     int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
 *
 * Arguments: the names of the tests to run (all without), --list.
 * Exit status: 0; 1 where a test failed, or ran no check; 77 where every test was skipped. */
#ifndef GRAZE_TEST_CHECK_H
#define GRAZE_TEST_CHECK_H

#include "graze/graze.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void test_function(void);

void test_register(const char *name, test_function *function);
int test_run_all(int argc, char **argv);
/* True while the failures of this test are still printed in full. */
bool test_failed(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Notes that a check ran: a test in which none did, and which was not skipped, has failed. */
void test_checked(void);
/* Says why the rest of this test is left out (data that is not here, say). */
void test_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Of the test under way, so far: 0, 1 where a check failed, 77 where something was left out. */
int test_outcome(void);

/* The query as hex floats, ready to paste as a C initializer. */
void test_print_query(graze_kind kind, const graze_query *query);
const char *test_kind_name(graze_kind kind);

/* Reproducible pseudo-random numbers (splitmix64), the same on every machine. */
typedef struct test_random {
    uint64_t state;
} test_random;
uint64_t test_random_bits(test_random *random);
/* in [0, 1), 53 bits */
double test_random_unit(test_random *random);
/* uniform in [low, high) */
double test_random_between(test_random *random, double low, double high);
/* an integer in [0, count) */
uint64_t test_random_below(test_random *random, uint64_t count);
/* Bytes of a fuzzer, that all generators draw before they make their own: an integer takes as few as it can be told by;
   a unit is mostly a multiple of 1/16, or an ulp beside one, or a power of two. NULL, 0: no bytes. */
void test_random_feed(const uint8_t *bytes, size_t size);

/* A context with that many real threads (its own parallel-for on pthreads, which the thread sanitizer understands) and
   that instruction set; NULL after a failed check. */
graze_context *test_context(uint32_t threads, graze_isa isa);

/* The folder of reference data, from GRAZE_DATA; NULL where it is unset: the test is skipped then, and only then. */
const char *test_data_folder(void);

#ifdef __cplusplus
}
#endif

#define TEST(name)                                                                                                     \
    static void name(void);                                                                                            \
    __attribute__((constructor)) static void register_##name(void) { test_register(#name, name); }                     \
    static void name(void)

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        test_checked();                                                                                                \
        if (!(condition)) test_failed(__FILE__, __LINE__, "%s", #condition);                                           \
    } while (0)

/* CHECK_MSG(a == b, "i = %d", i) */
#define CHECK_MSG(condition, ...)                                                                                      \
    do {                                                                                                               \
        test_checked();                                                                                                \
        if (!(condition)) {                                                                                            \
            if (test_failed(__FILE__, __LINE__, "%s", #condition)) {                                                   \
                printf("      " __VA_ARGS__);                                                                          \
                printf("\n");                                                                                          \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

#define CHECK_QUERY(condition, kind, query)                                                                            \
    do {                                                                                                               \
        test_checked();                                                                                                \
        if (!(condition)) {                                                                                            \
            test_failed(__FILE__, __LINE__, "%s", #condition);                                                         \
            test_print_query(kind, query);                                                                             \
        }                                                                                                              \
    } while (0)

#define RUN_TESTS(argc, argv) test_run_all(argc, argv)

#endif
