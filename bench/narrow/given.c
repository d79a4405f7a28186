/* Answers in a file: read, sorted, and found again by file and index. */
#include "bench/narrow/given.h"

#include "io/file.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    uint32_t file; /* in `files` */
    uint32_t verdict;
    uint64_t index;
    double toi;
} entry;

struct bench_given {
    entry *entries;
    size_t count, capacity;
    char **files;
    size_t file_count, file_capacity;
    bool has_toi;
};

static uint32_t file_number(bench_given *given, const char *name) {
    /* lines of one file follow each other */
    for (size_t i = given->file_count; i-- > 0;)
        if (strcmp(given->files[i], name) == 0) return (uint32_t)i;
    given->files = bench_grow(given->files, given->file_count, &given->file_capacity, sizeof *given->files);
    given->files[given->file_count] = bench_copy(name);
    return (uint32_t)given->file_count++;
}

/* -1 for a word that is no verdict. */
static int verdict_of(const char *word) {
    for (int v = GRAZE_UNRESOLVED; v <= GRAZE_HIT; v++)
        if (word && strcmp(word, graze_verdict_name((graze_verdict)v)) == 0) return v;
    return -1;
}

/* Takes a line, or says what is wrong with it; NULL: it was taken. */
static const char *take_line(bench_given *given, const cJSON *line) {
    const char *file = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "file"));
    const cJSON *index = cJSON_GetObjectItemCaseSensitive(line, "index");
    const cJSON *toi = cJSON_GetObjectItemCaseSensitive(line, "toi");
    int verdict = verdict_of(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(line, "verdict")));
    if (!cJSON_IsObject(line)) return "not a JSON object";
    if (!file) return "no \"file\"";
    if (!cJSON_IsNumber(index) || !(index->valuedouble >= 0 && index->valuedouble < 0x1p53) ||
        index->valuedouble != floor(index->valuedouble))
        return "\"index\" is not a whole number from 0 on";
    if (verdict < 0) return "\"verdict\" is none of clear, hit, unresolved";
    bool timed = cJSON_IsNumber(toi);
    if (timed && !(toi->valuedouble >= 0 && toi->valuedouble <= 1)) return "\"toi\" is not in [0, 1]";
    if (verdict == GRAZE_HIT && !timed) given->has_toi = false;
    given->entries = bench_grow(given->entries, given->count, &given->capacity, sizeof *given->entries);
    given->entries[given->count++] = (entry){.file = file_number(given, file),
                                             .verdict = (uint32_t)verdict,
                                             .index = (uint64_t)index->valuedouble,
                                             .toi = timed ? toi->valuedouble : NAN};
    return NULL;
}

static int by_place(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static bool read_lines(bench_given *given, const char *path, char *text, io_error *error) {
    size_t number = 0;
    for (char *line = text; *line; number++) {
        char *end = line + strcspn(line, "\n");
        bool last = *end == '\0';
        *end = '\0';
        if (line[strspn(line, " \t\r")] != '\0') {
            cJSON *json = cJSON_Parse(line);
            const char *fault = json ? take_line(given, json) : "not a JSON object";
            cJSON_Delete(json);
            if (fault) return io_fail(error, path, number + 1, "%s", fault);
        }
        line = last ? end : end + 1;
    }
    if (given->count == 0) return io_fail(error, path, 0, "it holds no answers");
    qsort(given->entries, given->count, sizeof *given->entries, by_place);
    for (size_t i = 1; i < given->count; i++)
        if (by_place(&given->entries[i - 1], &given->entries[i]) == 0)
            return io_fail(error, path, 0, "query %llu of %s is answered twice",
                           (unsigned long long)given->entries[i].index, given->files[given->entries[i].file]);
    return true;
}

bench_given *bench_given_read(const char *path, io_error *error) {
    char *text;
    size_t size;
    if (!io_read_file(path, &text, &size, error)) return NULL;
    bench_given *given = bench_allocate(1, sizeof *given);
    *given = (bench_given){.has_toi = true};
    bool good = strlen(text) == size ? read_lines(given, path, text, error) : io_fail(error, path, 0, "a NUL in it");
    free(text);
    if (good) return given;
    bench_given_free(given);
    return NULL;
}

void bench_given_free(bench_given *given) {
    if (!given) return;
    for (size_t i = 0; i < given->file_count; i++) free(given->files[i]);
    free(given->files);
    free(given->entries);
    free(given);
}

bool bench_given_has_toi(const bench_given *given) { return given->has_toi; }

/* Data folders move: files are the same when their names, and those of the two folders around them, are, as far as both
   paths have them. */
static bool same_file(const char *a, const char *b) {
    const char *p = a + strlen(a), *q = b + strlen(b);
    for (int slashes = 0; p > a && q > b;) {
        if (*--p != *--q) return false;
        if (*p == '/' && ++slashes == 3) return true;
    }
    return (p == a || p[-1] == '/') && (q == b || q[-1] == '/');
}

bool bench_given_find(const bench_given *given, const char *path, uint64_t index, graze_result *result) {
    for (size_t f = 0; f < given->file_count; f++) {
        if (!same_file(given->files[f], path)) continue;
        const entry wanted = {.file = (uint32_t)f, .index = index};
        const entry *found = bsearch(&wanted, given->entries, given->count, sizeof wanted, by_place);
        if (!found) continue;
        *result = (graze_result){.verdict = (graze_verdict)found->verdict, .toi = found->toi};
        return true;
    }
    return false;
}
