#include "io/json_reader.h"

#include "io/json_build.h"
#include "io/nearest.h"
#include "io/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- building ---- */

static bool out_of_memory(const io_json_build *build) {
    return io_fail(build->file->error, build->file->name, 0, "out of memory");
}

static bool push(const io_json_build *build, io_json_nodes *list, const io_json *items, size_t count) {
    if (list->room - list->count < count) {
        size_t room = 2 * list->room + count + 16;
        io_json *larger = room > SIZE_MAX / sizeof *larger ? NULL : realloc(list->items, room * sizeof *larger);
        if (!larger) return out_of_memory(build);
        list->items = larger;
        list->room = room;
    }
    if (count) memcpy(list->items + list->count, items, count * sizeof *items);
    list->count += count;
    return true;
}

bool io_json_start(io_json_build *build, const char *name, size_t size, io_error *error) {
    *build->file = (io_json_file){.name = name, .error = error, .texts = malloc(size + 1)};
    return build->file->texts || out_of_memory(build);
}

size_t io_json_open(io_json_build *build) {
    build->depth++;
    return build->open.count;
}

bool io_json_add(io_json_build *build, const io_json *node) { return push(build, &build->open, node, 1); }

/* Members are gathered on `open` and go to `done` together, one behind the other. */
bool io_json_close(io_json_build *build, size_t mark, io_json_kind kind, io_json *node) {
    build->depth--;
    node->kind = kind;
    node->first = build->done.count;
    node->count = build->open.count - mark;
    build->open.count = mark;
    return push(build, &build->done, node->count ? build->open.items + mark : NULL, node->count);
}

static void connect(io_json_file *file, size_t count) {
    for (size_t i = 0; i < count; i++) {
        io_json *node = &file->nodes[i];
        node->items = file->nodes + node->first;
        for (size_t k = 0; k < node->count; k++) node->items[k].parent = node;
    }
}

static int by_key(const void *a, const void *b) {
    const io_json *const *x = a, *const *y = b;
    int order = strcmp((*x)->key, (*y)->key);
    return order ? order : (*x > *y) - (*x < *y);
}

static bool sorted_keys_differ(const io_json_file *file, const io_json **keys, size_t count) {
    qsort(keys, count, sizeof *keys, by_key);
    for (size_t i = 1; i < count; i++)
        if (strcmp(keys[i - 1]->key, keys[i]->key) == 0) return io_json_fail(file, keys[i], "is there twice");
    return true;
}

static bool keys_differ(const io_json_file *file, const io_json *object) {
    const io_json **keys = malloc((object->count + 1) * sizeof *keys);
    if (!keys) return io_fail(file->error, file->name, 0, "out of memory");
    for (size_t i = 0; i < object->count; i++) keys[i] = &object->items[i];
    bool good = sorted_keys_differ(file, keys, object->count);
    free(keys);
    return good;
}

static bool check_keys(const io_json_file *file, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (file->nodes[i].kind == IO_JSON_OBJECT && !keys_differ(file, &file->nodes[i])) return false;
    return true;
}

bool io_json_finish(io_json_build *build, const io_json *root) {
    if (!push(build, &build->done, root, 1)) return false;
    io_json_file *file = build->file;
    size_t count = build->done.count;
    file->nodes = build->done.items;
    file->root = file->nodes + count - 1;
    build->done = (io_json_nodes){0};
    connect(file, count);
    return check_keys(file, count);
}

void io_json_end(io_json_build *build, bool good) {
    free(build->open.items);
    free(build->done.items);
    if (!good) io_json_free(build->file);
}

/* ---- parsing ---- */

typedef struct parser {
    io_json_file *file;
    const char *at, *end; /* a NUL follows */
    char *texts;          /* room for what texts hold, which is less than the file */
    size_t line;
    io_json_build build;
} parser;

static bool fail(const parser *p, const char *reason) {
    return io_fail(p->file->error, p->file->name, p->line, "not JSON: %s", reason);
}

static void skip_blanks(parser *p) {
    for (; p->at < p->end && io_is_blank(*p->at); p->at++) p->line += *p->at == '\n';
}

static bool take(parser *p, char c) {
    if (p->at == p->end || *p->at != c) return false;
    p->at++;
    return true;
}

/* ---- texts ---- */

static bool read_unit(parser *p, uint32_t *code) {
    *code = 0;
    for (int i = 0; i < 4; i++, p->at++) {
        char c = *p->at; /* the NUL behind the file is no digit */
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) return fail(p, "\\u wants four hexadecimal digits");
        *code = *code << 4 | (uint32_t)digit;
    }
    return true;
}

static void put_utf8(parser *p, uint32_t code) {
    static const uint32_t ends[] = {0x80, 0x800, 0x10000};
    int more = 0;
    while (more < 3 && code >= ends[more]) more++;
    static const unsigned char marks[] = {0, 0xc0, 0xe0, 0xf0};
    *p->texts++ = (char)(marks[more] | code >> 6 * more);
    while (more-- > 0) *p->texts++ = (char)(0x80 | (code >> 6 * more & 0x3f));
}

static bool read_code(parser *p) {
    uint32_t code, low;
    if (!read_unit(p, &code)) return false;
    if (code >= 0xd800 && code < 0xdc00) {
        if (!take(p, '\\') || !take(p, 'u')) return fail(p, "half of a surrogate pair");
        if (!read_unit(p, &low)) return false;
        if (low < 0xdc00 || low > 0xdfff) return fail(p, "half of a surrogate pair");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code < 0xe000) {
        return fail(p, "half of a surrogate pair");
    }
    if (code == 0) return fail(p, "a text with a NUL");
    put_utf8(p, code);
    return true;
}

static bool read_escape(parser *p) {
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    if (take(p, 'u')) return read_code(p);
    const char *found = p->at < p->end && *p->at ? strchr(names, *p->at) : NULL;
    if (!found) return fail(p, "a backslash before a character that needs none");
    *p->texts++ = meant[found - names];
    p->at++;
    return true;
}

static bool read_text(parser *p, const char **text) {
    if (!take(p, '"')) return fail(p, "expected a text in double quotes");
    *text = p->texts;
    while (!take(p, '"')) {
        if (p->at == p->end) return fail(p, "a text does not end");
        if ((unsigned char)*p->at < 0x20) return fail(p, "a control character in a text");
        if (!take(p, '\\'))
            *p->texts++ = *p->at++;
        else if (!read_escape(p))
            return false;
    }
    *p->texts++ = '\0';
    return true;
}

/* ---- values ---- */

/* JSON has fewer numbers than io_parse_number: no plus, no zero before a digit, digits on both sides of a point. */
static bool is_json_number(const char *text, size_t length) {
    size_t i = text[0] == '-';
    if (i == length || text[i] < '0' || text[i] > '9') return false;
    if (text[i] == '0' && i + 1 < length && text[i + 1] >= '0' && text[i + 1] <= '9') return false;
    const char *point = memchr(text, '.', length);
    return !point || (point + 1 < text + length && point[1] >= '0' && point[1] <= '9');
}

static bool read_number(parser *p, io_json *node) {
    const char *first = p->at;
    while (p->at < p->end && *p->at && strchr("+-.eE0123456789", *p->at)) p->at++;
    size_t length = (size_t)(p->at - first);
    if (length == 0) return fail(p, "expected a value");
    node->kind = IO_JSON_NUMBER;
    if (!is_json_number(first, length) || !io_parse_number(first, length, &node->number))
        return fail(p, "a number that is none");
    return true;
}

static bool read_word(parser *p, io_json *node, const char *word, io_json_kind kind, bool truth) {
    size_t length = strlen(word);
    if ((size_t)(p->end - p->at) < length || memcmp(p->at, word, length) != 0) return fail(p, "expected a value");
    p->at += length;
    node->kind = kind;
    node->truth = truth;
    return true;
}

static bool read_value(parser *p, io_json *node);

static bool read_member(parser *p, bool in_object) {
    io_json child = {0};
    skip_blanks(p);
    if (in_object) {
        if (!read_text(p, &child.key)) return false;
        skip_blanks(p);
        if (!take(p, ':')) return fail(p, "expected ':' behind a key");
    }
    return read_value(p, &child) && io_json_add(&p->build, &child);
}

static bool read_members(parser *p, bool in_object) {
    char close = in_object ? '}' : ']';
    skip_blanks(p);
    if (take(p, close)) return true;
    do {
        if (!read_member(p, in_object)) return false;
        skip_blanks(p);
    } while (take(p, ','));
    return take(p, close) || fail(p, in_object ? "expected ',' or '}'" : "expected ',' or ']'");
}

static bool read_container(parser *p, io_json *node, bool is_object) {
    size_t mark = io_json_open(&p->build);
    if (p->build.depth > IO_JSON_DEEPEST) return fail(p, "more than 64 levels");
    p->at++;
    return read_members(p, is_object) &&
           io_json_close(&p->build, mark, is_object ? IO_JSON_OBJECT : IO_JSON_LIST, node);
}

static bool read_value(parser *p, io_json *node) {
    skip_blanks(p);
    node->line = p->line;
    switch (p->at < p->end ? *p->at : '\0') {
    case '{': return read_container(p, node, true);
    case '[': return read_container(p, node, false);
    case '"': node->kind = IO_JSON_TEXT; return read_text(p, &node->text);
    case 't': return read_word(p, node, "true", IO_JSON_BOOLEAN, true);
    case 'f': return read_word(p, node, "false", IO_JSON_BOOLEAN, false);
    case 'n': return read_word(p, node, "null", IO_JSON_NULL, false);
    default: return read_number(p, node);
    }
}

static bool read_root(parser *p) {
    io_json root = {0};
    if (p->end - p->at >= 3 && memcmp(p->at, "\xef\xbb\xbf", 3) == 0) p->at += 3;
    if (!read_value(p, &root)) return false;
    skip_blanks(p);
    if (p->at != p->end) return fail(p, "something follows the value");
    return io_json_finish(&p->build, &root);
}

bool io_json_parse(io_source source, io_json_file *file, io_error *error) {
    parser p = {
        .build = {.file = file}, .file = file, .at = source.bytes, .end = source.bytes + source.size, .line = 1};
    if (!io_json_start(&p.build, source.name, source.size, error)) return false;
    p.texts = file->texts;
    bool good = read_root(&p);
    io_json_end(&p.build, good);
    return good;
}

void io_json_free(io_json_file *file) {
    free(file->nodes);
    free(file->texts);
    *file = (io_json_file){0};
}

/* ---- errors ---- */

typedef struct json_path {
    char text[160];
} json_path;

static size_t put_step(char *text, size_t room, const io_json *node, bool first) {
    int size = node->key ? snprintf(text, room, "%s%s", first ? "" : ".", node->key)
                         : snprintf(text, room, "[%zu]", (size_t)(node - node->parent->items));
    return size < 0 ? 0 : (size_t)size < room ? (size_t)size : room - 1;
}

/* "bodies[2].shape"; "" for the whole file. */
static json_path path_of(const io_json *node) {
    const io_json *steps[IO_JSON_DEEPEST + 1];
    size_t count = 0, used = 0;
    json_path path = {""};
    for (; node && node->parent && count <= IO_JSON_DEEPEST; node = node->parent) steps[count++] = node;
    for (size_t i = count; i-- > 0;)
        used += put_step(path.text + used, sizeof path.text - used, steps[i], i + 1 == count);
    return path;
}

bool io_json_fail(const io_json_file *file, const io_json *at, const char *format, ...) {
    char reason[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    json_path path = path_of(at);
    return io_fail(file->error, file->name, at ? at->line : 0, "%s%s%s", path.text, *path.text ? ": " : "", reason);
}

/* ---- values ---- */

const io_json *io_json_get(const io_json *object, const char *key) {
    if (!object || object->kind != IO_JSON_OBJECT) return NULL;
    for (size_t i = 0; i < object->count; i++)
        if (strcmp(object->items[i].key, key) == 0) return &object->items[i];
    return NULL;
}

bool io_json_need(const io_json_file *file, const io_json *object, const char *key, const io_json **value) {
    *value = io_json_get(object, key);
    return *value || io_json_fail(file, object, "\"%s\" is missing", key);
}

bool io_json_keys(const io_json_file *file, const io_json *object, const char *keys) {
    if (object->kind != IO_JSON_OBJECT) return io_json_fail(file, object, "must be an object");
    for (size_t i = 0; i < object->count; i++) {
        const io_json *member = &object->items[i];
        if (io_has_word(keys, member->key)) continue;
        json_path path = path_of(object);
        return io_fail(file->error, file->name, member->line, "%s%sunknown key \"%.60s\": did you mean \"%s\"?",
                       path.text, *path.text ? ": " : "", member->key, io_nearest_word(keys, member->key).text);
    }
    return true;
}

bool io_json_list(const io_json_file *file, const io_json *value) {
    return value->kind == IO_JSON_LIST || io_json_fail(file, value, "must be a list");
}

bool io_json_text(const io_json_file *file, const io_json *value, const char **text) {
    *text = value->text;
    return value->kind == IO_JSON_TEXT || io_json_fail(file, value, "must be a text");
}

bool io_json_boolean(const io_json_file *file, const io_json *value, bool *truth) {
    *truth = value->truth;
    return value->kind == IO_JSON_BOOLEAN || io_json_fail(file, value, "must be true or false");
}

bool io_json_number(const io_json_file *file, const io_json *value, double *x) {
    if (value->kind != IO_JSON_NUMBER) return io_json_fail(file, value, "must be a number");
    *x = value->number;
    return isfinite(*x) || io_json_fail(file, value, "is not finite");
}

bool io_json_numbers(const io_json_file *file, const io_json *list, size_t count, double *x) {
    if (list->kind != IO_JSON_LIST || list->count != count)
        return io_json_fail(file, list, "must be a list of %zu numbers", count);
    for (size_t i = 0; i < count; i++)
        if (!io_json_number(file, &list->items[i], &x[i])) return false;
    return true;
}
