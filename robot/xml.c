#include "robot/xml.h"

#include "io/nearest.h"
#include "io/number.h"
#include "robot/memory.h"

#include <expat.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEEPEST = 200, CHUNK = 1 << 20 };
#define MOST_BYTES ((size_t)1 << 30)

/* Offsets in place of pointers while the arrays grow. */
typedef struct open_element {
    size_t name, text, text_end, line, first_attribute;
    uint32_t attribute_count, end;
} open_element;

typedef struct offsets {
    size_t name, value;
} offsets;

typedef struct parser {
    XML_Parser expat;
    robot_xml_file *file;
    size_t lines_before; /* of the declaration, which Expat does not see */
    open_element *elements;
    offsets *attributes;
    size_t count, room, attribute_count, attribute_room;
    char *texts;
    size_t used, text_room;
    uint32_t open[DEEPEST]; /* elements that the parser is within */
    int depth;
    bool failed;
} parser;

/* ---- what Expat calls ---- */

static void fail(parser *p, size_t line, const char *reason) {
    if (!p->failed) io_fail(p->file->error, p->file->name, line, "%s", reason);
    p->failed = true;
    XML_StopParser(p->expat, XML_FALSE);
}

static size_t line_here(const parser *p) { return p->lines_before + (size_t)XML_GetCurrentLineNumber(p->expat); }

static bool put(parser *p, const char *text, size_t length, size_t *at) {
    if (p->text_room - p->used <= length) {
        size_t room = 2 * p->text_room + length + 1024;
        char *larger = realloc(p->texts, room);
        if (!larger) return false;
        p->texts = larger;
        p->text_room = room;
    }
    *at = p->used;
    memcpy(p->texts + p->used, text, length);
    p->used += length;
    p->texts[p->used] = '\0';
    return true;
}

/* With its NUL. */
static bool put_word(parser *p, const char *text, size_t *at) { return put(p, text, strlen(text) + 1, at); }

static bool put_attributes(parser *p, const char **given, open_element *element) {
    element->first_attribute = p->attribute_count;
    for (; given[0]; given += 2) {
        offsets entry, *larger = robot_grown(p->attributes, &p->attribute_room, p->attribute_count, sizeof entry);
        if (!larger) return false;
        p->attributes = larger;
        if (!put_word(p, given[0], &entry.name) || !put_word(p, given[1], &entry.value)) return false;
        p->attributes[p->attribute_count++] = entry;
        element->attribute_count++;
    }
    return true;
}

/* A NUL behind the text that is under way, where there is one. */
static bool close_text(parser *p) {
    if (p->depth == 0) return true;
    const open_element *parent = &p->elements[p->open[p->depth - 1]];
    size_t at;
    return parent->text_end == 0 || parent->text_end != p->used || put(p, "", 1, &at);
}

static void begin(void *user, const char *name, const char **attributes) {
    parser *p = user;
    open_element element = {.line = line_here(p)};
    if (p->failed) return;
    if (p->depth == DEEPEST) {
        fail(p, element.line, "more than 200 levels");
        return;
    }
    bool good = p->count < UINT32_MAX && close_text(p) && put_word(p, name, &element.name) &&
                put_attributes(p, attributes, &element);
    open_element *larger = good ? robot_grown(p->elements, &p->room, p->count, sizeof element) : NULL;
    if (!larger) {
        fail(p, 0, "out of memory");
        return;
    }
    p->elements = larger;
    p->open[p->depth++] = (uint32_t)p->count;
    p->elements[p->count++] = element;
}

static void end(void *user, const char *name) {
    parser *p = user;
    (void)name;
    if (p->failed) return;
    if (!close_text(p)) fail(p, 0, "out of memory");
    p->elements[p->open[--p->depth]].end = (uint32_t)p->count;
}

static void text(void *user, const char *bytes, int length) {
    parser *p = user;
    if (p->failed || p->depth == 0) return;
    open_element *element = &p->elements[p->open[p->depth - 1]];
    if (element != &p->elements[p->count - 1]) return; /* a child has begun */
    size_t at;
    if (!put(p, bytes, (size_t)length, &at)) {
        fail(p, 0, "out of memory");
        return;
    }
    if (element->text_end == 0) element->text = at;
    element->text_end = p->used;
}

static void doctype(void *user, const char *name, const char *system, const char *public, int internal) {
    parser *p = user;
    (void)name, (void)system, (void)public, (void)internal;
    fail(p, line_here(p), "a DOCTYPE: such files are not read, since entities can grow without end");
}

/* ---- the declaration ---- */

static const char *after_mark(io_source source) {
    bool marked = source.size >= 3 && memcmp(source.bytes, "\xef\xbb\xbf", 3) == 0;
    return source.bytes + (marked ? 3 : 0);
}

/* The encoding that a declaration names, where Expat knows it; else what the text is, UTF-8. */
static const char *encoding_in(const char *at, const char *end) {
    static const char *const known[] = {"ISO-8859-1", "US-ASCII"};
    for (; at < end; at++)
        for (size_t i = 0; i < 2; i++)
            if ((size_t)(end - at) >= strlen(known[i]) && strncasecmp(at, known[i], strlen(known[i])) == 0)
                return known[i];
    return "UTF-8";
}

/* Start of the text behind its declaration. */
static const char *pass_declaration(parser *p, io_source source, const char **encoding) {
    const char *at = after_mark(source), *last = source.bytes + source.size;
    while (at < last && io_is_blank(*at)) at++;
    *encoding = "UTF-8";
    if (last - at > 5 && memcmp(at, "<?xml", 5) == 0 && io_is_blank(at[5])) {
        const char *close = strstr(at, "?>");
        if (close) {
            *encoding = encoding_in(at, close);
            at = close + 2;
        }
    }
    for (const char *c = source.bytes; c < at; c++) p->lines_before += *c == '\n';
    return at;
}

/* ---- the whole ---- */

static void connect(const parser *p, robot_xml *elements) {
    for (size_t i = 0; i < p->count; i++) {
        const open_element *from = &p->elements[i];
        robot_xml *to = &elements[i];
        *to = (robot_xml){.name = p->texts + from->name,
                          .text = from->text_end ? p->texts + from->text : "",
                          .line = from->line,
                          .attributes = p->file->attributes + from->first_attribute,
                          .attribute_count = from->attribute_count,
                          .end = from->end};
        if (from->end > i + 1) to->child = &elements[i + 1];
    }
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = i + 1; k < elements[i].end; k = elements[k].end)
            if (elements[k].end < elements[i].end) elements[k].next = &elements[elements[k].end];
}

static bool keep(parser *p) {
    robot_xml_file *file = p->file;
    file->root = robot_allocate(p->count, sizeof *file->root);
    file->attributes = robot_allocate(p->attribute_count, sizeof *file->attributes);
    if (!file->root || !file->attributes) return io_fail(file->error, file->name, 0, "out of memory");
    for (size_t i = 0; i < p->attribute_count; i++)
        file->attributes[i] =
            (robot_xml_attribute){p->texts + p->attributes[i].name, p->texts + p->attributes[i].value};
    connect(p, file->root);
    file->count = (uint32_t)p->count;
    file->texts = p->texts;
    p->texts = NULL;
    return true;
}

static bool feed(parser *p, const char *at, const char *last) {
    for (bool done = false; !done;) {
        size_t size = (size_t)(last - at) < CHUNK ? (size_t)(last - at) : CHUNK;
        done = at + size == last;
        if (XML_Parse(p->expat, at, (int)size, done) == XML_STATUS_ERROR) {
            char reason[200];
            snprintf(reason, sizeof reason, "not XML: %s", XML_ErrorString(XML_GetErrorCode(p->expat)));
            fail(p, line_here(p), reason);
            return false;
        }
        at += size;
    }
    return !p->failed;
}

static bool parse(parser *p, io_source source) {
    const char *encoding, *at = pass_declaration(p, source, &encoding);
    p->expat = XML_ParserCreate(encoding);
    if (!p->expat) return io_fail(p->file->error, source.name, 0, "out of memory");
    XML_SetUserData(p->expat, p);
    XML_SetElementHandler(p->expat, begin, end);
    XML_SetCharacterDataHandler(p->expat, text);
    XML_SetStartDoctypeDeclHandler(p->expat, doctype);
    bool good = feed(p, at, source.bytes + source.size);
    XML_ParserFree(p->expat);
    return good;
}

bool robot_xml_parse(io_source source, const char *root, robot_xml_file *file, io_error *error) {
    *file = (robot_xml_file){.name = source.name, .error = error};
    if (source.size > MOST_BYTES) return io_fail(error, source.name, 0, "more than 1 GiB of XML");
    if (source.size >= 2 && (memcmp(source.bytes, "\xff\xfe", 2) == 0 || memcmp(source.bytes, "\xfe\xff", 2) == 0))
        return io_fail(error, source.name, 1, "the text is UTF-16; UTF-8 is read");
    parser p = {.file = file};
    bool good = parse(&p, source) && keep(&p);
    free(p.elements);
    free(p.attributes);
    free(p.texts);
    if (good && !robot_xml_is(file->root, root)) good = robot_xml_fail(file, file->root, "not a <%s>", root);
    if (!good) robot_xml_free(file);
    return good;
}

void robot_xml_free(robot_xml_file *file) {
    free(file->root);
    free(file->attributes);
    free(file->texts);
    *file = (robot_xml_file){0};
}

/* ---- elements ---- */

bool robot_xml_fail(const robot_xml_file *file, const robot_xml *at, const char *format, ...) {
    char reason[340];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return io_fail(file->error, file->name, at ? at->line : 0, "%s", reason);
}

bool robot_xml_is(const robot_xml *element, const char *name) { return strcmp(element->name, name) == 0; }

const robot_xml *robot_xml_child(const robot_xml *element, const char *name) {
    for (const robot_xml *child = element ? element->child : NULL; child; child = child->next)
        if (robot_xml_is(child, name)) return child;
    return NULL;
}

const char *robot_xml_attribute_of(const robot_xml *element, const char *name) {
    for (uint32_t i = 0; element && i < element->attribute_count; i++)
        if (strcmp(element->attributes[i].name, name) == 0) return element->attributes[i].value;
    return NULL;
}

bool robot_xml_need(const robot_xml_file *file, const robot_xml *element, const char *name, const char **value) {
    *value = robot_xml_attribute_of(element, name);
    return *value || robot_xml_fail(file, element, "<%.60s> without %s", element->name, name);
}

static bool unknown_attribute(const robot_xml_file *file, const robot_xml *element, const char *name,
                              const char *names) {
    return robot_xml_fail(file, element, "unknown attribute \"%.60s\" of <%.60s>: did you mean \"%s\"?", name,
                          element->name, io_nearest_word(names, name).text);
}

bool robot_xml_only_attributes(const robot_xml_file *file, const robot_xml *element, const char *names) {
    for (uint32_t i = 0; i < element->attribute_count; i++)
        if (!io_has_word(names, element->attributes[i].name))
            return unknown_attribute(file, element, element->attributes[i].name, names);
    return true;
}

bool robot_xml_spelt_attributes(const robot_xml_file *file, const robot_xml *element, const char *names) {
    for (uint32_t i = 0; i < element->attribute_count; i++) {
        const char *name = element->attributes[i].name;
        if (!io_has_word(names, name) && io_word_distance(io_nearest_word(names, name).text, name) <= 2)
            return unknown_attribute(file, element, name, names);
    }
    return true;
}

static bool is_first_of_its_name(const robot_xml_file *file, const robot_xml *element, const robot_xml *child) {
    return robot_xml_child(element, child->name) == child ||
           robot_xml_fail(file, child, "a second <%.60s> in <%.60s>", child->name, element->name);
}

static bool unknown_element(const robot_xml_file *file, const robot_xml *element, const robot_xml *child,
                            const char *names) {
    return robot_xml_fail(file, child, "unknown element <%.60s> in <%.60s>%s%s%s", child->name, element->name,
                          *names ? ": did you mean <" : "", io_nearest_word(names, child->name).text,
                          *names ? ">?" : "");
}

bool robot_xml_only_children(const robot_xml_file *file, const robot_xml *element, const char *names) {
    for (const robot_xml *child = element->child; child; child = child->next) {
        if (!io_has_word(names, child->name)) return unknown_element(file, element, child, names);
        if (!is_first_of_its_name(file, element, child)) return false;
    }
    return true;
}

bool robot_xml_only_own_children(const robot_xml_file *file, const robot_xml *element, const char *names) {
    for (const robot_xml *child = element->child; child; child = child->next) {
        if (strchr(child->name, ':')) continue;
        if (!io_has_word(names, child->name)) return unknown_element(file, element, child, names);
        if (!is_first_of_its_name(file, element, child)) return false;
    }
    return true;
}

bool robot_xml_spelt_children(const robot_xml_file *file, const robot_xml *element, const char *names) {
    for (const robot_xml *child = element->child; child; child = child->next) {
        if (io_has_word(names, child->name)) {
            if (!is_first_of_its_name(file, element, child)) return false;
        } else if (io_word_distance(io_nearest_word(names, child->name).text, child->name) <= 2) {
            return unknown_element(file, element, child, names);
        }
    }
    return true;
}

/* ---- numbers ---- */

/* The next word of a text; false at its end. */
static bool next_word(const char **at, const char **word, size_t *length) {
    while (io_is_blank(**at)) ++*at;
    *word = *at;
    while (**at && !io_is_blank(**at)) ++*at;
    *length = (size_t)(*at - *word);
    return *length > 0;
}

bool robot_xml_numbers(const robot_xml_file *file, const robot_xml *element, const char *name, size_t count,
                       double *x) {
    const char *value = robot_xml_attribute_of(element, name), *at = value, *word;
    size_t length, found = 0;
    if (!value) return true;
    bool good = true;
    while (good && next_word(&at, &word, &length)) {
        double number = 0;
        good = found < count && io_parse_number(word, length, &number) && isfinite(number);
        if (good) x[found++] = number;
    }
    if (good && found == count) return true;
    return robot_xml_fail(file, element, "%s=\"%.100s\" of <%.60s> is not %zu number%s", name, value, element->name,
                          count, count == 1 ? "" : "s");
}

bool robot_xml_count(const robot_xml_file *file, const robot_xml *element, const char *name, size_t *n) {
    const char *value = robot_xml_attribute_of(element, name);
    return !value || io_parse_count(value, strlen(value), n) ||
           robot_xml_fail(file, element, "%s=\"%.60s\" is not a whole number", name, value);
}

/* A word has at least one letter and a blank: half the length of the text is room for all of them. */
static void *room_for_words(const robot_xml_file *file, const robot_xml *element, size_t size) {
    void *room = robot_allocate(strlen(element->text) / 2 + 1, size);
    if (!room) io_fail(file->error, file->name, 0, "out of memory");
    return room;
}

bool robot_xml_text_numbers(const robot_xml_file *file, const robot_xml *element, double **x, size_t *count) {
    const char *at = element->text, *word;
    size_t length;
    *count = 0;
    *x = room_for_words(file, element, sizeof **x);
    if (!*x) return false;
    while (next_word(&at, &word, &length)) {
        if (!io_parse_number(word, length, *x + *count) || !isfinite((*x)[*count]))
            return robot_xml_fail(file, element, "'%.*s' in <%.60s> is not a number", (int)(length < 40 ? length : 40),
                                  word, element->name);
        ++*count;
    }
    return true;
}

bool robot_xml_text_counts(const robot_xml_file *file, const robot_xml *element, size_t **n, size_t *count) {
    const char *at = element->text, *word;
    size_t length;
    *count = 0;
    *n = room_for_words(file, element, sizeof **n);
    if (!*n) return false;
    while (next_word(&at, &word, &length)) {
        if (!io_parse_count(word, length, *n + *count))
            return robot_xml_fail(file, element, "'%.*s' in <%.60s> is not a whole number",
                                  (int)(length < 40 ? length : 40), word, element->name);
        ++*count;
    }
    return true;
}
