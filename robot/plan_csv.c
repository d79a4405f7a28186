/* Tables of times and joint values: comma-separated, a header of names. */
#include "robot/memory.h"
#include "robot/plan_formats.h"

#include "io/number.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 4096 };
enum { POSITION, VELOCITY, ACCELERATION, KINDS, TIME = KINDS };
static const char *const keys[KINDS] = {"positions", "velocities", "accelerations"};

typedef struct column {
    const char *name;
    int kind;
} column;

typedef struct row {
    size_t line;
    const char *text; /* behind it NUL or the end of the line */
} row;

typedef struct table {
    io_json_build build;
    const char *at, *end;
    char *texts;
    column *columns;
    size_t column_count, *order[KINDS], joints; /* the column of each joint, by kind */
    size_t time, counts[KINDS];
    row *rows;
    size_t row_count;
    double *numbers; /* rows of them */
} table;

static bool fail(const table *t, size_t line, const char *reason) {
    return io_fail(t->build.file->error, t->build.file->name, line, "%s", reason);
}

static bool out_of_memory(const table *t) { return fail(t, 0, "out of memory"); }

/* ---- lines and fields ---- */

static const char *line_end(const table *t, const char *at) {
    while (at < t->end && *at != '\n' && *at != '\r') at++;
    return at;
}

static const char *next_line(const table *t, const char *at) {
    at = line_end(t, at);
    if (at < t->end && *at == '\r') at++;
    if (at < t->end && *at == '\n') at++;
    return at;
}

static bool is_space(char c) { return c == ' ' || c == '\t'; }

static bool is_filled(const table *t, const char *at) {
    while (at < t->end && is_space(*at)) at++;
    return at < t->end && *at != '\n' && *at != '\r' && *at != '#';
}

/* Lines that have something and do not begin with a number sign. */
static bool find_rows(table *t) {
    size_t line = 1, room = 1;
    for (const char *at = t->at; at < t->end; at++) room += *at == '\n' || *at == '\r';
    t->rows = robot_allocate(room, sizeof *t->rows);
    if (!t->rows) return out_of_memory(t);
    for (const char *at = t->at; at < t->end; at = next_line(t, at), line++)
        if (is_filled(t, at)) t->rows[t->row_count++] = (row){line, at};
    return t->row_count > 0 || fail(t, 0, "an empty file");
}

/* The next field without blanks and quotes around it; *at goes behind its comma, or is NULL where the line ends. */
static const char *take_field(const table *t, const char **at, size_t *length) {
    const char *first = *at, *last = first;
    while (last < t->end && *last != ',' && *last != '\n' && *last != '\r') last++;
    *at = last < t->end && *last == ',' ? last + 1 : NULL;
    while (first < last && is_space(*first)) first++;
    while (first < last && is_space(last[-1])) last--;
    if (last - first >= 2 && *first == '"' && last[-1] == '"') first++, last--;
    *length = (size_t)(last - first);
    return first;
}

/* ---- the header ---- */

static bool is_time(const char *name) {
    static const char *const words[] = {"time", "t", "time_from_start", "timestamp", "__time"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(name, words[i]) == 0) return true;
    return false;
}

/* Cuts "/velocity" or ".velocity" off. */
static int kind_of(char *name) {
    static const char *const endings[KINDS] = {"position", "velocity", "acceleration"};
    if (is_time(name)) return TIME;
    for (int k = 0; k < KINDS; k++) {
        size_t length = strlen(name), ending = strlen(endings[k]);
        if (length < ending + 2 || strcmp(name + length - ending, endings[k]) != 0) continue;
        char *mark = name + length - ending - 1;
        if (*mark != '.' && *mark != '/') continue;
        *mark = '\0';
        return k;
    }
    return POSITION;
}

static bool read_name(table *t, const char *text, size_t length) {
    if (length == 0 || memchr(text, '\0', length)) return fail(t, t->rows[0].line, "a column without a name");
    char *name = memcpy(t->texts, text, length);
    name[length] = '\0';
    t->texts += length + 1;
    column made = {.name = name, .kind = kind_of(name)};
    if (made.kind == TIME) {
        if (t->time < SIZE_MAX) return fail(t, t->rows[0].line, "two columns of time");
        t->time = t->column_count;
    }
    t->columns[t->column_count++] = made;
    return true;
}

static bool read_header(table *t) {
    size_t room = 1, length;
    for (const char *at = t->rows[0].text; at < line_end(t, t->rows[0].text); at++) room += *at == ',';
    if (room > MOST_COLUMNS) return fail(t, t->rows[0].line, "more than 4096 columns");
    t->columns = robot_allocate(room, sizeof *t->columns);
    for (int k = 0; k < KINDS; k++) {
        t->order[k] = robot_allocate(room, sizeof *t->order[k]);
        if (!t->columns || !t->order[k]) return out_of_memory(t);
    }
    t->time = SIZE_MAX;
    for (const char *at = t->rows[0].text; at;) {
        const char *text = take_field(t, &at, &length);
        if (!read_name(t, text, length)) return false;
    }
    return t->time < SIZE_MAX || fail(t, t->rows[0].line, "no column is called \"time\"");
}

static size_t find_joint(const table *t, const char *name) {
    size_t j = 0;
    while (j < t->joints && strcmp(t->columns[t->order[POSITION][j]].name, name) != 0) j++;
    return j;
}

/* Joints in the order of their positions; velocities and accelerations are those of all joints, or of none. */
static bool find_joints(table *t) {
    for (size_t i = 0; i < t->column_count; i++)
        if (t->columns[i].kind == POSITION) t->order[POSITION][t->joints++] = i;
    for (int k = VELOCITY; k < KINDS; k++) {
        for (size_t j = 0; j < t->joints; j++) t->order[k][j] = SIZE_MAX;
        for (size_t i = 0; i < t->column_count; i++) {
            if (t->columns[i].kind != k) continue;
            size_t j = find_joint(t, t->columns[i].name);
            if (j == t->joints || t->order[k][j] < SIZE_MAX)
                return io_fail(t->build.file->error, t->build.file->name, t->rows[0].line, "%s of '%.100s', which %s",
                               keys[k], t->columns[i].name, j == t->joints ? "has no positions" : "are there twice");
            t->order[k][j] = i;
            t->counts[k]++;
        }
        if (t->counts[k] && t->counts[k] < t->joints)
            return io_fail(t->build.file->error, t->build.file->name, t->rows[0].line, "%s of %zu of %zu joints",
                           keys[k], t->counts[k], t->joints);
    }
    return true;
}

/* ---- numbers ---- */

static bool read_row(const table *t, const row *r, double *x) {
    const char *at = r->text;
    size_t length;
    for (size_t i = 0; i < t->column_count; i++) {
        if (!at)
            return io_fail(t->build.file->error, t->build.file->name, r->line, "%zu fields, not %zu", i,
                           t->column_count);
        const char *text = take_field(t, &at, &length);
        if (!io_parse_number(text, length, &x[i]))
            return io_fail(t->build.file->error, t->build.file->name, r->line, "%.100s: '%.*s' is not a number",
                           t->columns[i].name, (int)(length < 40 ? length : 40), text);
    }
    return !at || io_fail(t->build.file->error, t->build.file->name, r->line, "more than %zu fields", t->column_count);
}

static bool read_numbers(table *t) {
    if (t->row_count < 3) return fail(t, t->rows[t->row_count - 1].line, "a plan needs at least two rows");
    t->numbers = robot_allocate((t->row_count - 1) * t->column_count, sizeof *t->numbers);
    if (!t->numbers) return out_of_memory(t);
    for (size_t i = 1; i < t->row_count; i++)
        if (!read_row(t, &t->rows[i], t->numbers + (i - 1) * t->column_count)) return false;
    return true;
}

/* ---- the tree ---- */

static bool put_number(table *t, size_t i, size_t from) {
    io_json x = {.kind = IO_JSON_NUMBER, .line = t->rows[i].line};
    x.number = t->numbers[(i - 1) * t->column_count + from];
    return io_json_add(&t->build, &x);
}

static bool put_names(table *t) {
    io_json list = {.line = t->rows[0].line, .key = "joints"};
    size_t mark = io_json_open(&t->build);
    for (size_t j = 0; j < t->joints; j++) {
        io_json name = {.kind = IO_JSON_TEXT, .line = list.line, .text = t->columns[t->order[POSITION][j]].name};
        if (!io_json_add(&t->build, &name)) return false;
    }
    return io_json_close(&t->build, mark, IO_JSON_LIST, &list) && io_json_add(&t->build, &list);
}

static bool put_times(table *t) {
    io_json list = {.line = t->rows[0].line, .key = "times"};
    size_t mark = io_json_open(&t->build);
    for (size_t i = 1; i < t->row_count; i++)
        if (!put_number(t, i, t->time)) return false;
    return io_json_close(&t->build, mark, IO_JSON_LIST, &list) && io_json_add(&t->build, &list);
}

static bool put_rows(table *t, int kind) {
    io_json list = {.line = t->rows[0].line, .key = keys[kind]};
    size_t mark = io_json_open(&t->build);
    for (size_t i = 1; i < t->row_count; i++) {
        io_json made = {.line = t->rows[i].line};
        size_t inner = io_json_open(&t->build);
        for (size_t j = 0; j < t->joints; j++)
            if (!put_number(t, i, t->order[kind][j])) return false;
        if (!io_json_close(&t->build, inner, IO_JSON_LIST, &made) || !io_json_add(&t->build, &made)) return false;
    }
    return io_json_close(&t->build, mark, IO_JSON_LIST, &list) && io_json_add(&t->build, &list);
}

static bool put_table(table *t) {
    io_json root = {.line = t->rows[0].line};
    size_t mark = io_json_open(&t->build);
    if (!put_names(t) || !put_times(t)) return false;
    for (int k = 0; k < KINDS; k++)
        if ((k == POSITION || t->counts[k]) && !put_rows(t, k)) return false;
    return io_json_close(&t->build, mark, IO_JSON_OBJECT, &root) && io_json_finish(&t->build, &root);
}

bool robot_parse_plan_csv(io_source source, io_json_file *file, io_error *error) {
    table t = {.build = {.file = file}, .at = source.bytes, .end = source.bytes + source.size};
    if (!io_json_start(&t.build, source.name, source.size, error)) return false;
    t.texts = file->texts;
    if (t.end - t.at >= 3 && memcmp(t.at, "\xef\xbb\xbf", 3) == 0) t.at += 3;
    bool good = find_rows(&t) && read_header(&t) && find_joints(&t) && read_numbers(&t) && put_table(&t);
    free(t.rows);
    free(t.columns);
    for (int k = 0; k < KINDS; k++) free(t.order[k]);
    free(t.numbers);
    io_json_end(&t.build, good);
    return good;
}
