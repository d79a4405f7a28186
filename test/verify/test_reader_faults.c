/* The checker while memory or threads run out: each allocation of it is refused in turn, and nothing is accepted that
   was not checked. The linker puts the functions below in the place of malloc and pthread_create (test/CMakeLists.txt).
 */
#include "verify/small_texts.h"

#include <pthread.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *state);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *state);

static long left = -1; /* −1: as many as are asked for */
static bool refused, only_one;
static int threads_left = -1;

static bool refuses(void) {
    if (left < 0) return false;
    if (left > 0) {
        left--;
        return false;
    }
    bool refuse = !(refused && only_one);
    refused = true;
    return refuse;
}

void *__wrap_malloc(size_t size) { return refuses() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return refuses() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *block, size_t size) { return refuses() ? NULL : __real_realloc(block, size); }

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *state) {
    if (threads_left == 0) return 11;
    if (threads_left > 0) threads_left--;
    return __real_pthread_create(thread, attributes, run, state);
}

/* True where nothing was refused. */
static bool check_with(long allocations, int which, small_text text, unsigned threads) {
    char why[VERIFY_TEXT];
    left = allocations;
    refused = false;
    int status = small_status(text, small_mesh_of(which), threads, VERIFY_WORK_PATHS, why);
    left = -1;
    if (!refused)
        CHECK_MSG(status == SMALL_ACCEPTED, "%s: %s", small_names[which], why);
    else if (status == SMALL_ACCEPTED) /* only what a check costs was not counted */
        CHECK_MSG(which == SMALL_RANGES, "%s is accepted after %ld allocations", small_names[which], allocations);
    else
        CHECK_MSG(why[0], "%s, %ld allocations: no reason", small_names[which], allocations);
    return !refused;
}

TEST(nothing_is_accepted_unchecked_when_memory_runs_out) {
    for (int which = 0; which < SMALL_TEXTS; which++) {
        small_text text = small_read(which);
        long allocations = 0;
        for (int one = 0; one < 2; one++) {
            only_one = one;
            for (allocations = 0; allocations < 1000 && !check_with(allocations, which, text, 1);) allocations++;
            CHECK_MSG(allocations > 3 && allocations < 1000, "%s: %ld", small_names[which], allocations);
        }
        printf("      %s: %ld allocations\n", small_names[which], allocations);
        free(text.bytes);
    }
}

/* A certificate of which every pair is wrong, with many pairs: the first is named, whoever finds it. */
static small_text many_wrong(int which) {
    small_text text = small_read(which);
    static char bytes[1 << 17];
    size_t used = 0;
#define ADD(...) used += (size_t)snprintf(bytes + used, sizeof bytes - used, __VA_ARGS__)
    if (which == SMALL_PAIRS) {
        const char *from = "{\"kind\":\"pp\"";
        ADD("{\"format\":\"graze certificate 1\",\"separation\":0,\"t_max\":1,\"pairs\":[");
        for (int i = 0; i < 200; i++)
            ADD("%s%s,\"x0\":[[0,0,0],[2,0,%d]],\"x1\":[[0,0,0],[3,0,0]],\"verdict\":\"clear\",\"toi\":1,\"toi_upper\":"
                "null,\"hit\":null,\"free\":[{\"n\":[-1,0,0],\"t0\":0,\"t1\":1}]}",
                i ? "," : "", from, i);
    } else {
        bool ranges = which == SMALL_RANGES;
        enum { LINKS = 16 };
        ADD("{\"format\":\"graze %s certificate 1\",\"separation\":0%s,\"models\":[", ranges ? "range" : "path",
            ranges ? "" : ",\"t_max\":1");
        for (int i = 0; i < LINKS; i++)
            ADD("%s{\"links\":[{\"parent\":-1,\"joint\":\"prismatic\",\"position\":[0,0,0],\"rotation\":[1,0,0,0],"
                "\"axis\":[1,0,0],\"padding\":0,\"vertices\":[[0,0,0],[1,0,0],[0,1,0]],\"faces\":[[0,1,2]]}]}",
                i ? "," : "");
        ADD("],\"skip\":[],");
        ADD("%s", ranges ? "\"ranges\":[" : "\"paths\":[{\"motions\":[");
        for (int i = 0; i < LINKS; i++) ADD("%s%s", i ? "," : "", ranges ? "[0,1]" : "{\"from\":[0],\"to\":[1]}");
        ADD("],\"pairs\":[");
        for (int a = 0; a < LINKS; a++)
            for (int b = a + 1; b < LINKS; b++)
                ADD("%s{\"links\":[%d,%d],\"%s\":\"x\"}", b > 1 ? "," : "", a, b, ranges ? "clear" : "proof");
        ADD("%s", ranges ? "" : "]}");
    }
    ADD("]}");
    free(text.bytes);
    return small_copy(bytes, used);
}

TEST(the_first_wrong_pair_is_named_by_any_number_of_threads) {
    static const int kinds[] = {SMALL_PAIRS, SMALL_PATHS, SMALL_RANGES};
    for (int k = 0; k < 3; k++) {
        small_text text = many_wrong(kinds[k]);
        char first[VERIFY_TEXT], why[VERIFY_TEXT];
        CHECK(small_status(text, NULL, 1, VERIFY_WORK_PATHS, first) == SMALL_REJECTED);
        for (int i = 0; i < 60; i++) {
            CHECK(small_status(text, NULL, 2 + (unsigned)i % 7, VERIFY_WORK_PATHS, why) == SMALL_REJECTED);
            CHECK_MSG(strcmp(why, first) == 0, "%s in place of %s", why, first);
        }
        CHECK(small_status(text, NULL, 0, VERIFY_WORK_PATHS, why) == SMALL_REJECTED && strcmp(why, first) == 0);
        free(text.bytes);
    }
}

TEST(a_check_ends_with_the_threads_that_there_are) {
    for (int which = 0; which < SMALL_TEXTS; which++) {
        small_text text = small_read(which);
        char why[VERIFY_TEXT];
        for (int threads = 0; threads < 3; threads++) {
            threads_left = threads;
            CHECK_MSG(small_status(text, small_mesh_of(which), 4, VERIFY_WORK_PATHS, why) == SMALL_ACCEPTED, "%s: %s",
                      small_names[which], why);
        }
        threads_left = -1;
        free(text.bytes);
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
