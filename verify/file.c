/* A certificate as text: cut into pairs, then read and checked pair by pair on any number of threads. */
#include "verify/verify.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool fail(char *message, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(char *message, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(message, VERIFY_TEXT, format, list);
    va_end(list);
    return false;
}

/* ---- values ---- */

static bool read_number(const cJSON *item, double *x) {
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble)) return false;
    *x = item->valuedouble;
    return true;
}

static bool read_numbers(const cJSON *item, int count, double *x) {
    if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != count) return false;
    int c = 0;
    const cJSON *number;
    cJSON_ArrayForEach(number, item) if (!read_number(number, &x[c++])) return false;
    return true;
}

static bool read_vector(const cJSON *item, double x[3]) { return read_numbers(item, 3, x); }

/* Which of the words the text is; -1 for none. */
static int read_word(const cJSON *item, const char *const *words, int count) {
    for (int i = 0; cJSON_IsString(item) && i < count; i++)
        if (strcmp(item->valuestring, words[i]) == 0) return i;
    return -1;
}

static const cJSON *get(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static bool in_unit(double t) { return t >= 0 && t <= 1; }

/* ---- one pair ---- */

static bool read_rows(const cJSON *item, int rows, double x[4][3]) {
    if (!cJSON_IsArray(item) || cJSON_GetArraySize(item) != rows) return false;
    int i = 0;
    const cJSON *row;
    cJSON_ArrayForEach(row, item) if (!read_vector(row, x[i++])) return false;
    return true;
}

/* One for each row; without `thick` none, and it must not look as if there were any. */
static bool read_radii(const cJSON *item, bool thick, int rows, double radii[4]) {
    if (!thick) return !item;
    if (!read_numbers(item, rows, radii)) return false;
    for (int i = 0; i < rows; i++)
        if (!(radii[i] >= 0)) return false;
    return true;
}

static bool read_piece(const cJSON *item, verify_piece *piece) {
    if (!cJSON_IsObject(item)) return false;
    if (!read_number(get(item, "t0"), &piece->t0) || !read_number(get(item, "t1"), &piece->t1)) return false;
    if (!in_unit(piece->t0) || !in_unit(piece->t1)) return false;
    const cJSON *n = get(item, "n"), *volume = get(item, "volume"), *exact = get(item, "exact");
    if ((n != NULL) + (volume != NULL) + (exact != NULL) != 1) return false;
    piece->proof = n ? VERIFY_DIRECTION : volume ? VERIFY_VOLUME : VERIFY_DECIDED;
    return n ? read_vector(n, piece->n) : cJSON_IsTrue(volume ? volume : exact);
}

static bool read_free(const cJSON *item, verify_pair *pair) {
    if (!cJSON_IsArray(item)) return false;
    size_t count = (size_t)cJSON_GetArraySize(item);
    pair->free = calloc(count + 1, sizeof *pair->free);
    if (!pair->free) return false;
    const cJSON *piece;
    cJSON_ArrayForEach(piece, item) if (!read_piece(piece, &pair->free[pair->free_count++])) return false;
    return true;
}

static bool read_contact(const cJSON *item, verify_pair *pair) {
    static const char *const names[] = {"crossing", "touching", "exact", "at"};
    pair->contact = VERIFY_NO_CONTACT;
    if (cJSON_IsNull(item)) return true;
    if (!cJSON_IsObject(item)) return false;
    for (int i = 0; i < 4; i++) {
        const cJSON *value = get(item, names[i]);
        if (!value) continue;
        if (pair->contact != VERIFY_NO_CONTACT) return false;
        pair->contact = (verify_contact)(VERIFY_CROSSING + i);
        if (pair->contact == VERIFY_WITNESS ? !read_numbers(value, 2, pair->at) : !cJSON_IsTrue(value)) return false;
    }
    return pair->contact != VERIFY_NO_CONTACT;
}

/* The field that cannot be read; NULL when all can. */
static const char *read_pair(const cJSON *item, bool thick, verify_pair *pair) {
    static const char *const kinds[] = {"vf", "ee", "pe", "pp"};
    static const char *const verdicts[] = {"clear", "hit", "unresolved"};
    static const int rows[] = {4, 4, 3, 2};
    int kind = read_word(get(item, "kind"), kinds, 4), verdict = read_word(get(item, "verdict"), verdicts, 3);
    if (kind < 0) return "kind";
    if (verdict < 0) return "verdict";
    pair->kind = (verify_kind)kind;
    pair->verdict = (verify_verdict)verdict;
    if (!read_rows(get(item, "x0"), rows[kind], pair->x0)) return "x0";
    if (!read_rows(get(item, "x1"), rows[kind], pair->x1)) return "x1";
    if (!read_radii(get(item, "radii"), thick, rows[kind], pair->radii)) return "radii";
    if (!read_number(get(item, "toi"), &pair->toi) || !in_unit(pair->toi)) return "toi";
    const cJSON *upper = get(item, "toi_upper");
    pair->toi_upper = INFINITY;
    if (!cJSON_IsNull(upper) && (!read_number(upper, &pair->toi_upper) || !in_unit(pair->toi_upper)))
        return "toi_upper";
    if (!read_free(get(item, "free"), pair)) return "free";
    if (!read_contact(get(item, "hit"), pair)) return "hit";
    return NULL;
}

/* "vf 3 12", or "name.csv query 7" */
static void name_pair(const cJSON *item, char name[VERIFY_TEXT]) {
    const cJSON *file = get(item, "file"), *index = get(item, "index"), *kind = get(item, "kind");
    const cJSON *a = get(item, "a"), *b = get(item, "b");
    name[0] = '\0';
    if (cJSON_IsString(file) && cJSON_IsNumber(index)) {
        size_t length = strlen(file->valuestring);
        const char *tail = file->valuestring + (length > 120 ? length - 120 : 0);
        snprintf(name, VERIFY_TEXT, "%s query %.0f", tail, index->valuedouble);
    } else if (cJSON_IsString(kind) && cJSON_IsNumber(a) && cJSON_IsNumber(b)) {
        snprintf(name, VERIFY_TEXT, "%.8s %.0f %.0f", kind->valuestring, a->valuedouble, b->valuedouble);
    }
}

/* ---- the whole ---- */

typedef struct scanner {
    const char *begin, *at, *end;
    char *message;
} scanner;

static bool fail_at(scanner *in, const char *expected) {
    size_t line = 1;
    for (const char *c = in->begin; c < in->at && c < in->end; c++) line += *c == '\n';
    return fail(in->message, "line %zu: expected %s", line, expected);
}

static void skip_blanks(scanner *in) {
    while (in->at < in->end && (*in->at == ' ' || *in->at == '\t' || *in->at == '\n' || *in->at == '\r')) in->at++;
}

static bool take(scanner *in, char c) {
    skip_blanks(in);
    if (in->at == in->end || *in->at != c) return false;
    in->at++;
    return true;
}

/* Goes over a value of the list, an object, without reading it. */
static bool skip_object(scanner *in) {
    skip_blanks(in);
    if (in->at == in->end || *in->at != '{') return fail_at(in, "a pair, {…}");
    int depth = 0;
    bool quoted = false;
    for (; in->at < in->end; in->at++) {
        char c = *in->at;
        if (quoted) {
            if (c == '\\' && in->at + 1 < in->end)
                in->at++;
            else if (c == '"')
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if ((c == '}' || c == ']') && --depth == 0) {
            in->at++;
            return true;
        }
    }
    return fail_at(in, "the end of a pair");
}

typedef struct certificate {
    double separation, t_max;
    bool thick;         /* format 2: every pair has radii */
    const char **pairs; /* where each pair begins, and where the last one ends */
    size_t count, capacity;
} certificate;

static bool add_place(scanner *in, certificate *file, const char *place) {
    if (file->count == file->capacity) {
        file->capacity = file->capacity ? 2 * file->capacity : 256;
        const char **grown = realloc(file->pairs, file->capacity * sizeof *grown);
        if (!grown) return fail(in->message, "out of memory");
        file->pairs = grown;
    }
    file->pairs[file->count++] = place;
    return true;
}

static bool scan_pairs(scanner *in, certificate *file) {
    if (!take(in, '[')) return fail_at(in, "[, the begin of the pairs");
    bool more = !take(in, ']');
    while (more) {
        skip_blanks(in);
        if (!add_place(in, file, in->at) || !skip_object(in)) return false;
        more = take(in, ',');
        if (!more && !take(in, ']')) return fail_at(in, "a comma or ]");
    }
    if (!add_place(in, file, in->at)) return false;
    file->count--;
    return true;
}

/* A small value, by the JSON reader. */
static cJSON *scan_value(scanner *in) {
    const char *end = NULL;
    cJSON *item = cJSON_ParseWithLengthOpts(in->at, (size_t)(in->end - in->at), &end, 0);
    if (item) in->at = end;
    return item;
}

static bool scan_certificate(scanner *in, certificate *file) {
    bool has_format = false, has_separation = false, has_t_max = false, has_pairs = false;
    if (!take(in, '{')) return fail_at(in, "{, the begin of a certificate");
    bool more = !take(in, '}');
    while (more) {
        skip_blanks(in);
        cJSON *key = scan_value(in);
        const char *name = cJSON_IsString(key) ? key->valuestring : "";
        bool good = cJSON_IsString(key) && take(in, ':');
        if (!good) fail_at(in, "a name and a colon");
        if (good && strcmp(name, "pairs") == 0) {
            good = !has_pairs && scan_pairs(in, file);
            if (has_pairs) fail_at(in, "\"pairs\" only once");
            has_pairs = true;
        } else if (good) {
            cJSON *value = scan_value(in);
            good = value != NULL;
            if (!good) fail_at(in, "a value");
            if (good && strcmp(name, "format") == 0) {
                file->thick = cJSON_IsString(value) && strcmp(value->valuestring, "graze certificate 2") == 0;
                good = !has_format && cJSON_IsString(value) &&
                       (file->thick || strcmp(value->valuestring, "graze certificate 1") == 0);
                if (!good) fail_at(in, "the format \"graze certificate 1\" or \"graze certificate 2\"");
                has_format = true;
            } else if (good && strcmp(name, "separation") == 0) {
                good = !has_separation && read_number(value, &file->separation) && file->separation >= 0;
                if (!good) fail_at(in, "the separation: one number, not negative");
                has_separation = true;
            } else if (good && strcmp(name, "t_max") == 0) {
                good = !has_t_max && read_number(value, &file->t_max) && file->t_max > 0 && file->t_max <= 1;
                if (!good) fail_at(in, "t_max: one number in (0, 1]");
                has_t_max = true;
            }
            cJSON_Delete(value);
        }
        cJSON_Delete(key);
        if (!good) return false;
        more = take(in, ',');
        if (!more && !take(in, '}')) return fail_at(in, "a comma or }");
    }
    skip_blanks(in);
    if (in->at != in->end) return fail_at(in, "nothing after the certificate");
    if (!has_format) return fail(in->message, "not a certificate: \"format\" is missing");
    if (!has_separation || !has_t_max || !has_pairs)
        return fail(in->message, "%s is missing", !has_separation ? "separation" : !has_t_max ? "t_max" : "pairs");
    return true;
}

/* ---- checking ---- */

typedef struct work {
    const certificate *file;
    atomic_size_t next;
} work;

typedef struct worker {
    work *shared;
    verify_report report;
    uint64_t unreadable; /* the first pair that cannot be read, UINT64_MAX: none */
    char message[VERIFY_TEXT];
} worker;

static void count_pair(verify_report *report, const verify_pair *pair) {
    report->pairs++;
    report->clear += pair->verdict == VERIFY_CLEAR;
    report->hits += pair->verdict == VERIFY_HIT;
    report->proven += pair->verdict == VERIFY_HIT && pair->contact != VERIFY_NO_CONTACT;
    report->unresolved += pair->verdict == VERIFY_UNRESOLVED;
    for (size_t k = 0; k < pair->free_count; k++) report->pieces[pair->free[k].proof]++;
    report->contacts[pair->contact]++;
}

static void check_one(worker *me, size_t i) {
    const certificate *file = me->shared->file;
    verify_pair pair = {.separation = file->separation, .t_max = file->t_max};
    cJSON *item = cJSON_ParseWithLength(file->pairs[i], (size_t)(file->pairs[i + 1] - file->pairs[i]));
    const char *field = item ? read_pair(item, file->thick, &pair) : "its JSON";
    if (field) {
        if (i < me->unreadable) {
            me->unreadable = i;
            fail(me->message, "pair %zu: %s is missing or cannot be read", i, field);
        }
    } else {
        count_pair(&me->report, &pair);
        char reason[VERIFY_TEXT];
        if (!verify_check(&pair, reason)) {
            verify_report *report = &me->report;
            if (report->rejected++ == 0 || i < report->first) {
                report->first = i;
                memcpy(report->reason, reason, sizeof reason);
                name_pair(item, report->name);
            }
        }
    }
    free(pair.free);
    cJSON_Delete(item);
}

static void *run_worker(void *state) {
    enum { CHUNK = 16 };
    worker *me = state;
    size_t count = me->shared->file->count;
    for (size_t begin; (begin = atomic_fetch_add(&me->shared->next, CHUNK)) < count;)
        for (size_t i = begin; i < count && i < begin + CHUNK; i++) check_one(me, i);
    return NULL;
}

static void add_report(verify_report *to, const verify_report *from) {
    to->pairs += from->pairs;
    to->clear += from->clear;
    to->hits += from->hits;
    to->proven += from->proven;
    to->unresolved += from->unresolved;
    for (int i = 0; i < 3; i++) to->pieces[i] += from->pieces[i];
    for (int i = 0; i < 5; i++) to->contacts[i] += from->contacts[i];
    if (from->rejected && (!to->rejected || from->first < to->first)) {
        to->first = from->first;
        memcpy(to->name, from->name, sizeof to->name);
        memcpy(to->reason, from->reason, sizeof to->reason);
    }
    to->rejected += from->rejected;
}

static bool check_all(const certificate *file, unsigned threads, verify_report *report, char *message) {
    work shared = {.file = file};
    atomic_init(&shared.next, 0);
    if (threads < 1) threads = 1;
    worker *workers = calloc(threads, sizeof *workers);
    pthread_t *handles = calloc(threads, sizeof *handles);
    if (!workers || !handles) {
        free(workers);
        free(handles);
        return fail(message, "out of memory");
    }
    for (unsigned i = 0; i < threads; i++) workers[i] = (worker){.shared = &shared, .unreadable = UINT64_MAX};
    unsigned started = 1;
    while (started < threads && pthread_create(&handles[started], NULL, run_worker, &workers[started]) == 0) started++;
    run_worker(&workers[0]);
    for (unsigned i = 1; i < started; i++) pthread_join(handles[i], NULL);
    uint64_t unreadable = UINT64_MAX;
    for (unsigned i = 0; i < threads; i++) {
        add_report(report, &workers[i].report);
        if (workers[i].unreadable < unreadable) {
            unreadable = workers[i].unreadable;
            memcpy(message, workers[i].message, VERIFY_TEXT);
        }
    }
    free(workers);
    free(handles);
    return unreadable == UINT64_MAX;
}

bool verify_text(const char *text, size_t size, unsigned threads, verify_report *report, char message[VERIFY_TEXT]) {
    *report = (verify_report){0};
    message[0] = '\0';
    certificate file = {0};
    scanner in = {.begin = text, .at = text, .end = text + size, .message = message};
    bool good = scan_certificate(&in, &file) && check_all(&file, threads, report, message);
    free(file.pairs);
    return good;
}
