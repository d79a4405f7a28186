/* Runs a fuzz target on mutated seeds, with any compiler: `mutate_NAME COUNT FOLDER [SEED]` (fuzz/mutate.sh).
   Inputs run in child processes of a thousand each. A crash, or one that takes longer than a second for each MiB begun,
   leaves the input in mutated-NAME and exits 1. */
#define _XOPEN_SOURCE 700
#include "fuzz/seeds.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SEEDS = 200, MOST_BYTES = 1 << 20, BATCH = 1000 };

typedef struct bytes {
    uint8_t *data;
    size_t size;
} bytes;

static bytes seeds[MOST_SEEDS];
static size_t seed_count;
static uint64_t state;

static uint64_t random_below(uint64_t n) {
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return n ? (z ^ z >> 31) % n : 0;
}

static void read_seed(const char *path) {
    FILE *stream = fopen(path, "rb");
    bytes *seed = &seeds[seed_count];
    if (!stream || seed_count == MOST_SEEDS) exit(2);
    seed->data = malloc(MOST_BYTES);
    seed->size = seed->data ? fread(seed->data, 1, MOST_BYTES, stream) : 0;
    fclose(stream);
    seed_count++;
}

static void read_seeds(const char *folder) {
    DIR *stream = opendir(folder);
    if (!stream) exit(2);
    for (struct dirent *entry = readdir(stream); entry; entry = readdir(stream)) {
        char path[2000];
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        read_seed(path);
    }
    closedir(stream);
}

/* ---- mutations ---- */

/* Puts `size` bytes in place of `cut` bytes at `at`. */
static void replace(bytes *input, size_t at, size_t cut, const void *with, size_t size) {
    if (input->size - cut + size > MOST_BYTES) return;
    memmove(input->data + at + size, input->data + at + cut, input->size - at - cut);
    memcpy(input->data + at, with, size);
    input->size += size - cut;
}

static bool is_digit(uint8_t c) { return (c >= '0' && c <= '9') || c == '.'; }

static void put_word(bytes *input) {
    static const char *const words[] = {"-1",
                                        "0",
                                        "1e999",
                                        "18446744073709551615",
                                        "4611686018427387904",
                                        "9223372036854775808",
                                        "1,5",
                                        "nan",
                                        "2e0",
                                        "4294967296",
                                        "\"\"",
                                        "[]",
                                        "{}",
                                        "null",
                                        "true",
                                        "[1]",
                                        "[[1,2,3]]",
                                        "\"x\"",
                                        "<a>",
                                        "</a>",
                                        "/>",
                                        "<!DOCTYPE a>",
                                        "&amp;",
                                        "&a;",
                                        "<![CDATA[",
                                        "]]>",
                                        "<!--",
                                        "\\u0000",
                                        "\\ud800",
                                        "\xff",
                                        "#v",
                                        "100000",
                                        "\n",
                                        "\"",
                                        "7",
                                        "8",
                                        "24",
                                        "256",
                                        "1e-320",
                                        "-0"};
    const char *word = words[random_below(sizeof words / sizeof *words)];
    size_t at = random_below(input->size + 1), end;
    bool number = random_below(3) > 0; /* in place of the next one, so that most of the file stays what it is */
    while (number && at < input->size && !is_digit(input->data[at])) at++;
    for (end = at; number && end < input->size && is_digit(input->data[end]);) end++;
    replace(input, at, end - at, word, strlen(word));
}

static void copy_part(bytes *input) {
    const bytes *from = &seeds[random_below(seed_count)];
    size_t first = random_below(from->size),
           size = random_below(from->size - first < 200 ? from->size - first + 1 : 200);
    replace(input, random_below(input->size + 1), 0, from->data + first, size);
}

static void cut_part(bytes *input) {
    size_t at = random_below(input->size), size = random_below(input->size - at + 1);
    replace(input, at, random_below(4) ? size % 40 : size, "", 0);
}

static void change_byte(bytes *input) {
    if (input->size == 0) return;
    uint8_t *byte = &input->data[random_below(input->size)];
    *byte = random_below(2) ? (uint8_t)random_below(256) : (uint8_t)(*byte ^ 1u << random_below(8));
}

static void mutate(bytes *input) {
    typedef void change(bytes *);
    static change *const changes[] = {put_word, put_word, put_word, copy_part, cut_part, change_byte};
    const bytes *seed = &seeds[random_below(seed_count)];
    memcpy(input->data, seed->data, seed->size);
    input->size = seed->size;
    for (uint64_t n = 1 + random_below(3); n > 0; n--) changes[random_below(6)](input);
}

/* ---- runs ---- */

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void keep(const char *name, const bytes *input) {
    FILE *stream = fopen(name, "wb");
    if (stream) {
        fwrite(input->data, 1, input->size, stream);
        fclose(stream);
    }
}

/* A child: exits 0 when all is well. */
static void run_batch(const char *name, uint64_t first, uint64_t count) {
    bytes input = {malloc(MOST_BYTES), 0};
    state = first * 0x2545f4914f6cdd1du;
    for (uint64_t i = 0; i < count; i++) {
        mutate(&input);
        keep(name, &input);
        alarm(60 + (unsigned)(input.size >> 20));
        double start = seconds();
        LLVMFuzzerTestOneInput(input.data, input.size);
        double spent = seconds() - start, allowed = 1 + (double)(input.size >> 20);
        if (spent <= allowed) continue;
        fprintf(stderr, "%s: %zu bytes took %.2f s\n", name, input.size, spent);
        _exit(1);
    }
    remove(name);
    _exit(0);
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    uint64_t count = strtoull(argv[1], NULL, 10), seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    const char *slash = strrchr(argv[0], '/');
    char name[200];
    snprintf(name, sizeof name, "mutated-%s", slash ? slash + 1 : argv[0]);
    read_seeds(argv[2]);
    if (seed_count == 0) return 2;
    for (uint64_t done = 0; done < count; done += BATCH) {
        pid_t child = fork();
        if (child == 0) run_batch(name, seed * 1000000007u + done, count - done < BATCH ? count - done : BATCH);
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            fprintf(stderr, "the input is in %s\n", name);
            return 1;
        }
    }
    printf("%llu mutated files\n1 passed, 0 failed, 0 skipped\n", (unsigned long long)count);
    return 0;
}
