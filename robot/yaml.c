#include "robot/yaml.h"

#include "io/json_build.h"
#include "io/number.h"

#include <string.h>

/* `at` is in a line; its first character that is not blank is at `indent`, or would be if dashes before it were. */
typedef struct parser {
    io_json_build build;
    const char *at, *end; /* a NUL follows */
    char *texts;
    size_t line, indent;
    bool begun, over; /* the document has */
} parser;

static bool fail(const parser *p, const char *reason) {
    return io_fail(p->build.file->error, p->build.file->name, p->line, "%s", reason);
}

/* ---- lines ---- */

static bool is_break(char c) { return c == '\n' || c == '\r'; }

static void skip_spaces(parser *p) {
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t')) p->at++;
}

static bool at_line_end(const parser *p) { return p->at == p->end || is_break(*p->at); }

/* Behind blanks: a comment counts as the end of the line. */
static void skip_comment(parser *p) {
    skip_spaces(p);
    if (p->at < p->end && *p->at == '#')
        while (!at_line_end(p)) p->at++;
}

static void skip_break(parser *p) {
    if (p->at < p->end && *p->at == '\r') p->at++;
    if (p->at < p->end && *p->at == '\n') p->at++;
    p->line++;
}

static bool has_marker(const parser *p, const char *marker) {
    if (p->end - p->at < 3 || memcmp(p->at, marker, 3) != 0) return false;
    return p->end - p->at == 3 || is_break(p->at[3]) || p->at[3] == ' ';
}

/* A line of dashes or dots ends the document; nothing may follow it. */
static bool end_document(parser *p) {
    p->over = true;
    p->at += 3;
    while (p->at < p->end && (io_is_blank(*p->at) || has_marker(p, "---") || has_marker(p, "..."))) {
        if (is_break(*p->at))
            skip_break(p);
        else
            p->at += io_is_blank(*p->at) ? 1 : 3;
    }
    return p->at == p->end || fail(p, "a second message follows: one is read");
}

/* Goes to the next line that has something, from the end of one. */
static bool next_line(parser *p) {
    while (p->at < p->end) {
        const char *first = p->at;
        while (p->at < p->end && *p->at == ' ') p->at++;
        p->indent = (size_t)(p->at - first);
        if (p->at < p->end && *p->at == '\t') return fail(p, "a tab in the indentation");
        if (!p->begun && p->indent == 0 && has_marker(p, "---")) p->at += 3;
        if (p->indent == 0 && (has_marker(p, "---") || has_marker(p, "..."))) return end_document(p);
        skip_comment(p);
        if (!at_line_end(p)) return p->begun = true;
        if (p->at < p->end) skip_break(p);
    }
    p->over = true;
    return true;
}

/* The value ends here, and so must its line. */
static bool end_line(parser *p) {
    skip_comment(p);
    if (!at_line_end(p)) return fail(p, "something follows the value");
    if (p->at < p->end) skip_break(p);
    return next_line(p);
}

/* ---- scalars ---- */

static bool read_quoted(parser *p, const char **text) {
    char quote = *p->at++;
    *text = p->texts;
    for (;; p->at++) {
        if (at_line_end(p)) return fail(p, "a text does not end in its line");
        if (quote == '"' && *p->at == '\\') return fail(p, "a backslash in a text");
        if (*p->at != quote) {
            *p->texts++ = *p->at;
        } else {
            p->at++;
            if (quote == '"' || *p->at != '\'') break;
            *p->texts++ = '\'';
        }
    }
    *p->texts++ = '\0';
    return true;
}

/* A colon ends a key where a blank follows it, a number sign begins a comment where a blank is before it. */
static size_t plain_length(const parser *p, bool flow) {
    const char *at = p->at;
    for (; at < p->end && !is_break(*at); at++) {
        if (flow && strchr(",[]{}", *at)) break;
        if (*at == ':' && (at + 1 == p->end || io_is_blank(at[1]) || (flow && strchr(",]}", at[1])))) break;
        if (*at == '#' && at > p->at && io_is_blank(at[-1])) break;
    }
    while (at > p->at && io_is_blank(at[-1])) at--;
    return (size_t)(at - p->at);
}

static const char *keep_text(parser *p, size_t length) {
    char *text = memcpy(p->texts, p->at, length);
    text[length] = '\0';
    p->texts += length + 1;
    p->at += length;
    return text;
}

static bool is_word(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static bool read_plain(parser *p, bool flow, io_json *node) {
    size_t length = plain_length(p, flow);
    if (length && strchr("&*!|>%@`?", *p->at)) return fail(p, "anchors, tags and block texts are not read here");
    if (memchr(p->at, '\0', length)) return fail(p, "a NUL in the text");
    if (io_parse_number(p->at, length, &node->number)) {
        node->kind = IO_JSON_NUMBER;
    } else if (length == 0 || is_word(p->at, length, "null") || is_word(p->at, length, "~")) {
        node->kind = IO_JSON_NULL;
    } else if (is_word(p->at, length, "true") || is_word(p->at, length, "false")) {
        node->kind = IO_JSON_BOOLEAN;
        node->truth = length == 4;
    } else {
        node->kind = IO_JSON_TEXT;
        node->text = keep_text(p, length);
        return true;
    }
    p->at += length;
    return true;
}

static bool read_scalar(parser *p, bool flow, io_json *node) {
    if (p->at == p->end || (*p->at != '\'' && *p->at != '"')) return read_plain(p, flow, node);
    node->kind = IO_JSON_TEXT;
    return read_quoted(p, &node->text);
}

/* "key" or key, and the colon behind it. */
static bool read_key(parser *p, bool flow, const char **key) {
    if (p->at < p->end && (*p->at == '\'' || *p->at == '"')) {
        if (!read_quoted(p, key)) return false;
    } else {
        size_t length = plain_length(p, flow);
        if (length == 0 || memchr(p->at, '\0', length)) return fail(p, "expected a key");
        *key = keep_text(p, length);
    }
    skip_spaces(p);
    if (p->at == p->end || *p->at != ':') return fail(p, "expected ':' behind a key");
    p->at++;
    return true;
}

/* ---- flow lists and maps, which may go on over lines ---- */

static void skip_flow_blanks(parser *p) {
    for (;;) {
        skip_comment(p);
        if (!at_line_end(p) || p->at == p->end) return;
        skip_break(p);
    }
}

static bool read_flow_value(parser *p, io_json *node);

static bool read_flow_member(parser *p, bool in_map) {
    io_json child = {0};
    if (in_map && !read_key(p, true, &child.key)) return false;
    skip_flow_blanks(p);
    return read_flow_value(p, &child) && io_json_add(&p->build, &child);
}

static bool take(parser *p, char c) {
    skip_flow_blanks(p);
    if (p->at == p->end || *p->at != c) return false;
    p->at++;
    return true;
}

static bool read_flow(parser *p, bool is_map, io_json *node) {
    size_t mark = io_json_open(&p->build);
    char close = is_map ? '}' : ']';
    if (p->build.depth > IO_JSON_DEEPEST) return fail(p, "more than 64 levels");
    p->at++;
    while (!take(p, close)) {
        if (!read_flow_member(p, is_map)) return false;
        if (take(p, ',')) continue;
        if (take(p, close)) break;
        return fail(p, is_map ? "expected ',' or '}'" : "expected ',' or ']'");
    }
    return io_json_close(&p->build, mark, is_map ? IO_JSON_OBJECT : IO_JSON_LIST, node);
}

static bool read_flow_value(parser *p, io_json *node) {
    node->line = p->line;
    char c = p->at < p->end ? *p->at : '\0';
    if (c == '[' || c == '{') return read_flow(p, c == '{', node);
    return read_scalar(p, true, node);
}

/* ---- blocks ---- */

static bool read_block(parser *p, io_json *node);

static bool at_dash(const parser *p) {
    return !p->over && *p->at == '-' && (p->at + 1 == p->end || io_is_blank(p->at[1]));
}

static bool starts_map(const parser *p) {
    parser ahead = *p;
    char c = *p->at;
    if (c == '[' || c == '{') return false;
    if (c == '\'' || c == '"') {
        for (ahead.at++; !at_line_end(&ahead) && *ahead.at != c; ahead.at++) {
        }
        if (!at_line_end(&ahead)) ahead.at++;
        skip_spaces(&ahead);
    } else {
        ahead.at += plain_length(p, false);
        skip_spaces(&ahead);
    }
    return ahead.at < ahead.end && *ahead.at == ':';
}

/* Value behind "key:" or "-": in its line, or in lines that are farther in than `indent`, or none. */
static bool read_below(parser *p, size_t indent, bool dash_may_align, io_json *node) {
    size_t line = p->line;
    skip_comment(p);
    if (!at_line_end(p)) {
        if (!read_flow_value(p, node)) return false;
        return end_line(p);
    }
    if (!end_line(p)) return false;
    node->line = line;
    if (p->over) return true;
    if (p->indent > indent || (dash_may_align && p->indent == indent && at_dash(p))) return read_block(p, node);
    return true;
}

static bool read_entry(parser *p, size_t indent) {
    io_json child = {.line = p->line};
    return read_key(p, false, &child.key) && read_below(p, indent, true, &child) && io_json_add(&p->build, &child);
}

/* Behind a dash a value may begin in the same line, as if it were farther in. */
static bool read_item(parser *p, size_t indent) {
    io_json child = {.line = p->line};
    const char *dash = p->at++;
    skip_spaces(p);
    if (at_line_end(p) || *p->at == '#') {
        if (!read_below(p, indent, false, &child)) return false;
    } else {
        p->indent = indent + (size_t)(p->at - dash);
        if (!read_block(p, &child)) return false;
    }
    return io_json_add(&p->build, &child);
}

static bool read_container(parser *p, bool is_list, io_json *node) {
    size_t indent = p->indent, mark = io_json_open(&p->build);
    if (p->build.depth > IO_JSON_DEEPEST) return fail(p, "more than 64 levels");
    while (!p->over && p->indent == indent && at_dash(p) == is_list)
        if (!(is_list ? read_item(p, indent) : read_entry(p, indent))) return false;
    if (!p->over && p->indent > indent) return fail(p, "is indented more than the line above it");
    return io_json_close(&p->build, mark, is_list ? IO_JSON_LIST : IO_JSON_OBJECT, node);
}

static bool read_block(parser *p, io_json *node) {
    node->line = p->line;
    if (at_dash(p) || starts_map(p)) return read_container(p, at_dash(p), node);
    return read_flow_value(p, node) && end_line(p);
}

static bool read_document(parser *p) {
    io_json root = {0};
    if (p->end - p->at >= 3 && memcmp(p->at, "\xef\xbb\xbf", 3) == 0) p->at += 3;
    if (!next_line(p)) return false;
    if (p->over) return fail(p, "an empty file");
    if (!read_block(p, &root)) return false;
    if (!p->over) return fail(p, "something follows the value");
    return io_json_finish(&p->build, &root);
}

bool robot_parse_yaml(io_source source, io_json_file *file, io_error *error) {
    parser p = {.build = {.file = file}, .at = source.bytes, .end = source.bytes + source.size, .line = 1};
    if (!io_json_start(&p.build, source.name, source.size, error)) return false;
    p.texts = file->texts;
    bool good = read_document(&p);
    io_json_end(&p.build, good);
    return good;
}
