/* Runs a fuzzer of numbers without libFuzzer, with any compiler.
 *
 *     drive_NAME FILE…                  these inputs, each in a process of its own
 *     drive_NAME --count N --seed K --keep FOLDER    N inputs of random bytes; one that fails is kept as
 * FOLDER/SEED-NUMBER
 *
 * Input number i of a seed is a function of both alone. The last line is JSON: {"seed":…,"cases":…,"disagreements":…}.
 * Exit status: 0; 1 where an input failed, or none was run. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_BYTES = 4096, MOST_FILE = 1 << 20, SECONDS = 120 };

static uint64_t bits(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Half of the inputs repeat a few bytes, which makes coincidences likely. */
static size_t make_input(uint64_t seed, uint64_t index, uint8_t input[MOST_BYTES]) {
    uint64_t state = seed * 0x9e3779b97f4a7c15u ^ index * 0xd1342543de82ef95u, few = 0;
    size_t size = 1 + bits(&state) % MOST_BYTES;
    bool repeats = bits(&state) % 2;
    few = bits(&state);
    for (size_t i = 0; i < size; i++) {
        uint64_t draw = bits(&state);
        input[i] = repeats && draw % 4 ? (uint8_t)(few >> 8 * (draw >> 8) % 64) : (uint8_t)(draw >> 16);
    }
    return size;
}

static bool ended_well(pid_t child) {
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* ---- files ---- */

static void run_file(const char *path) {
    static uint8_t input[MOST_FILE];
    FILE *stream = fopen(path, "rb");
    if (!stream) _exit(2);
    size_t size = fread(input, 1, sizeof input, stream);
    fclose(stream);
    alarm(SECONDS);
    LLVMFuzzerTestOneInput(input, size);
    _exit(0);
}

static int run_files(int count, char **paths) {
    int failed = 0;
    for (int i = 0; i < count; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) run_file(paths[i]);
        if (ended_well(child)) continue;
        printf("FAILED: %s\n", paths[i]);
        failed++;
    }
    printf("{\"cases\":%d,\"disagreements\":%d}\n", count, failed);
    return failed ? 1 : 0;
}

/* ---- random bytes ---- */

static void keep(const char *folder, uint64_t seed, uint64_t index) {
    uint8_t input[MOST_BYTES];
    char path[2000];
    size_t size = make_input(seed, index, input);
    snprintf(path, sizeof path, "%s/%llu-%llu", folder, (unsigned long long)seed, (unsigned long long)index);
    FILE *stream = mkdir(folder, 0777) == 0 || errno == EEXIST ? fopen(path, "wb") : NULL;
    bool written = stream && fwrite(input, 1, size, stream) == size;
    if (!stream || fclose(stream) != 0 || !written) printf("%s: not written\n", path);
    printf("FAILED: %s\n", path);
}

/* From *next on; *next is the one under way. */
static void run_from(uint64_t seed, volatile uint64_t *next, uint64_t count) {
    uint8_t input[MOST_BYTES];
    for (; *next < count; ++*next) {
        alarm(SECONDS);
        LLVMFuzzerTestOneInput(input, make_input(seed, *next, input));
    }
    _exit(0);
}

static int run_random(uint64_t count, uint64_t seed, const char *folder) {
    uint64_t failed = 0;
    volatile uint64_t *next = mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (next == MAP_FAILED) return 2;
    for (*next = 0; *next < count && failed < 10;) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) run_from(seed, next, count);
        if (ended_well(child)) continue;
        failed++;
        keep(folder, seed, *next);
        ++*next;
    }
    printf("{\"seed\":%llu,\"cases\":%llu,\"disagreements\":%llu}\n", (unsigned long long)seed,
           (unsigned long long)*next, (unsigned long long)failed);
    return failed || *next == 0 ? 1 : 0;
}

static int usage(const char *name) {
    fprintf(stderr, "usage: %s FILE…\n       %s --count N --seed K --keep FOLDER\n", name, name);
    return 2;
}

int main(int argc, char **argv) {
    uint64_t count = 0, seed = 1;
    const char *folder = ".";
    if (argc < 2) return usage(argv[0]);
    if (argv[1][0] != '-') return run_files(argc - 1, argv + 1);
    for (int i = 1; i < argc; i += 2) {
        bool is_count = strcmp(argv[i], "--count") == 0, is_seed = strcmp(argv[i], "--seed") == 0;
        if (i + 1 == argc || (!is_count && !is_seed && strcmp(argv[i], "--keep") != 0)) return usage(argv[0]);
        if (is_count) count = strtoull(argv[i + 1], NULL, 10);
        if (is_seed) seed = strtoull(argv[i + 1], NULL, 10);
        if (!is_count && !is_seed) folder = argv[i + 1];
    }
    return run_random(count, seed, folder);
}
