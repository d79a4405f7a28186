#include "io/pairs_json.h"

#include "io/file.h"

#include <stdlib.h>
#include <string.h>

/* These files have hundreds of thousands of entries of one shape, so they are read without a tree. */
typedef struct json_reader {
    const char *path, *begin, *at; /* a NUL ends the text */
    io_error *error;
} json_reader;

static bool fail(const json_reader *in, const char *expected) {
    size_t line = 1;
    for (const char *c = in->begin; c < in->at; c++) line += *c == '\n';
    return io_fail(in->error, in->path, line, "byte %zu: expected %s", (size_t)(in->at - in->begin), expected);
}

static void skip_blanks(json_reader *in) {
    while (*in->at == ' ' || *in->at == '\t' || *in->at == '\n' || *in->at == '\r') in->at++;
}

/* Takes `c` if it comes next. */
static bool take(json_reader *in, char c) {
    skip_blanks(in);
    if (*in->at != c) return false;
    in->at++;
    return true;
}

static bool read_id(json_reader *in, uint32_t *id) {
    skip_blanks(in);
    const char *start = in->at;
    uint64_t value = 0;
    while (*in->at >= '0' && *in->at <= '9' && value <= UINT32_MAX) value = value * 10 + (uint64_t)(*in->at++ - '0');
    if (in->at == start || value > UINT32_MAX) {
        in->at = start;
        return fail(in, "a box id (an integer from 0 to 2^32 - 1)");
    }
    *id = (uint32_t)value;
    return true;
}

static bool read_pair(json_reader *in, void *item) {
    uint32_t *pair = item;
    if (!take(in, '[')) return fail(in, "a pair of box ids in brackets");
    if (!read_id(in, &pair[0])) return false;
    if (!take(in, ',')) return fail(in, "a comma and a second box id");
    if (!read_id(in, &pair[1])) return false;
    return take(in, ']') || fail(in, "] after two box ids");
}

static bool read_boolean(json_reader *in, void *item) {
    skip_blanks(in);
    bool yes = strncmp(in->at, "true", 4) == 0;
    if (!yes && strncmp(in->at, "false", 5) != 0) return fail(in, "true or false");
    in->at += yes ? 4 : 5;
    *(unsigned char *)item = yes;
    return true;
}

typedef bool read_item(json_reader *in, void *item);

static bool parse_array(io_source source, size_t item_size, read_item *read, void **items, size_t *count,
                        io_error *error) {
    *items = NULL;
    *count = 0;
    size_t capacity = 0;
    json_reader in = {.path = source.name, .begin = source.bytes, .at = source.bytes, .error = error};
    if (strncmp(in.at, "\xef\xbb\xbf", 3) == 0) in.at += 3; /* a byte-order mark */
    bool good = take(&in, '[') || fail(&in, "[, the begin of an array");
    bool more = good && !take(&in, ']');
    while (more) {
        if (*count == capacity) {
            capacity = capacity ? capacity * 2 : 1024;
            void *grown = realloc(*items, capacity * item_size);
            good = grown != NULL || io_fail(error, source.name, 0, "out of memory");
            if (!good) break;
            *items = grown;
        }
        good = read(&in, (char *)*items + *count * item_size);
        if (!good) break;
        (*count)++;
        more = take(&in, ',');
        if (!more) good = take(&in, ']') || fail(&in, "a comma or ]");
    }
    if (good) {
        skip_blanks(&in);
        good = in.at == source.bytes + source.size || fail(&in, "nothing after the array");
    }
    if (!good) {
        free(*items);
        *items = NULL;
        *count = 0;
    }
    return good;
}

static bool read_array(const char *path, size_t item_size, read_item *read, void **items, size_t *count,
                       io_error *error) {
    *items = NULL;
    *count = 0;
    char *bytes;
    size_t size;
    if (!io_read_file(path, &bytes, &size, error)) return false;
    bool good = parse_array((io_source){path, bytes, size}, item_size, read, items, count, error);
    free(bytes);
    return good;
}

bool io_read_id_pairs(const char *path, io_id_pairs *list, io_error *error) {
    return read_array(path, sizeof *list->pairs, read_pair, (void **)&list->pairs, &list->count, error);
}

void io_free_id_pairs(io_id_pairs *list) {
    free(list->pairs);
    *list = (io_id_pairs){0};
}

bool io_read_booleans(const char *path, io_booleans *list, io_error *error) {
    return read_array(path, 1, read_boolean, (void **)&list->values, &list->count, error);
}

void io_free_booleans(io_booleans *list) {
    free(list->values);
    *list = (io_booleans){0};
}
