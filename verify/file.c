/* A certificate as text: cut into pairs, then read and checked pair by pair on any number of threads. */
#include "verify/scan.h"
#include "verify/step.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool in_unit(double t) { return t >= 0 && t <= 1; }

static bool read_time(scanner *in, const char *what, double *t) {
    return scan_number(in, what, t) && (in_unit(*t) || scan_fail(in, "%s is not in [0, 1]", what));
}

/* Reads the fields of an object, each by `read`, which is told the name's number. */
typedef bool read_field(scanner *in, int name, void *state);

static bool read_object(scanner *in, const char *what, const char *const *names, int count, unsigned *seen,
                        read_field *read, void *state) {
    *seen = 0;
    if (!scan_take(in, '{')) return scan_fail(in, "%s: expected an object", what);
    if (scan_take(in, '}')) return true;
    do {
        int name;
        if (!scan_name(in, names, count, seen, &name) || !read(in, name, state)) return false;
    } while (scan_take(in, ','));
    return scan_expect(in, '}', "a comma or }");
}

/* ---- one pair ---- */

typedef struct pair_reader {
    verify_pair *pair;
    bool thick;                       /* it has radii */
    int x0_rows, x1_rows, radii_rows; /* rows that were read: the kind may come later */
    const char *file;
    size_t file_length;
    double numbers[3]; /* index, a, b: names only */
} pair_reader;

enum { PIECE_N, PIECE_VOLUME, PIECE_EXACT, PIECE_T0, PIECE_T1, PIECE_NAMES };
static const char *const piece_names[PIECE_NAMES] = {"n", "volume", "exact", "t0", "t1"};

static bool read_piece_field(scanner *in, int name, void *state) {
    verify_piece *piece = state;
    switch (name) {
    case PIECE_N: piece->proof = VERIFY_DIRECTION; return scan_numbers(in, "free", piece->n, 3);
    case PIECE_VOLUME: piece->proof = VERIFY_VOLUME; return scan_true(in, "free");
    case PIECE_EXACT: piece->proof = VERIFY_DECIDED; return scan_true(in, "free");
    case PIECE_T0: return read_time(in, "free", &piece->t0);
    default: return read_time(in, "free", &piece->t1);
    }
}

static bool read_piece(scanner *in, verify_piece *piece) {
    unsigned seen, times = 1u << PIECE_T0 | 1u << PIECE_T1;
    if (!read_object(in, "free", piece_names, PIECE_NAMES, &seen, read_piece_field, piece)) return false;
    unsigned proof = seen & ~times;
    bool one = proof && !(proof & (proof - 1));
    return (one && (seen & times) == times) || scan_fail(in, "free: a piece has t0, t1 and one proof");
}

static bool read_free(scanner *in, pair_reader *to) {
    verify_pair *pair = to->pair;
    if (!scan_take(in, '[')) return scan_fail(in, "free: expected a list");
    if (scan_take(in, ']')) return true;
    size_t capacity = 0;
    do {
        if (pair->free_count == capacity) {
            capacity = capacity ? 2 * capacity : 16;
            verify_piece *grown = realloc(pair->free, capacity * sizeof *grown);
            if (!grown) return scan_fail(in, "out of memory");
            pair->free = grown;
        }
        verify_piece *piece = &pair->free[pair->free_count++];
        memset(piece, 0, sizeof *piece);
        if (!read_piece(in, piece)) return false;
    } while (scan_take(in, ','));
    return scan_expect(in, ']', "a comma or ]");
}

/* One to four rows; how many the kind asks for is seen in the end. */
static bool read_rows(scanner *in, const char *what, double x[4][3], int *rows) {
    *rows = 0;
    if (!scan_take(in, '[')) return scan_fail(in, "%s: expected rows in brackets", what);
    do {
        if (*rows == 4) return scan_fail(in, "%s: more than 4 rows", what);
        if (!scan_numbers(in, what, x[(*rows)++], 3)) return false;
    } while (scan_take(in, ','));
    return scan_expect(in, ']', "a comma or ]");
}

static bool read_radii(scanner *in, pair_reader *to) {
    if (!to->thick) return scan_fail(in, "radii: they are for format 2, and for format 3 with radii");
    to->radii_rows = 0;
    if (!scan_take(in, '[')) return scan_fail(in, "radii: expected numbers in brackets");
    do {
        if (to->radii_rows == 4) return scan_fail(in, "radii: more than 4");
        double *radius = &to->pair->radii[to->radii_rows++];
        if (!scan_number(in, "radii", radius)) return false;
        if (!(*radius >= 0)) return scan_fail(in, "radii: one is negative");
    } while (scan_take(in, ','));
    return scan_expect(in, ']', "a comma or ]");
}

static const char *const contact_names[] = {"crossing", "touching", "exact", "at"};

static bool read_contact_field(scanner *in, int name, void *state) {
    pair_reader *to = state;
    to->pair->contact = (verify_contact)(VERIFY_CROSSING + name);
    if (to->pair->contact != VERIFY_WITNESS) return scan_true(in, "hit");
    if (!to->thick) return scan_fail(in, "hit: a contact at two points needs radii");
    return scan_numbers(in, "hit", to->pair->at, 2);
}

static bool read_contact(scanner *in, pair_reader *to) {
    unsigned seen;
    if (scan_null(in)) return true;
    if (!read_object(in, "hit", contact_names, 4, &seen, read_contact_field, to)) return false;
    return (seen && !(seen & (seen - 1))) || scan_fail(in, "hit: one proof, or null");
}

enum { KIND, X0, X1, RADII, VERDICT, TOI, TOI_UPPER, FREE, HIT, FILE_NAME, INDEX, A, B, PAIR_NAMES };
static const char *const pair_names[PAIR_NAMES] = {"kind", "x0",  "x1",   "radii", "verdict", "toi", "toi_upper",
                                                   "free", "hit", "file", "index", "a",       "b"};
static const char *const kinds[] = {"vf", "ee", "pe", "pp"};

static bool read_pair_field(scanner *in, int name, void *state) {
    static const char *const verdicts[] = {"clear", "hit", "unresolved"};
    pair_reader *to = state;
    verify_pair *pair = to->pair;
    int which = 0;
    switch (name) {
    case KIND:
        if (!scan_word(in, kinds, 4, "kind", &which)) return false;
        pair->kind = (verify_kind)which;
        return true;
    case VERDICT:
        if (!scan_word(in, verdicts, 3, "verdict", &which)) return false;
        pair->verdict = (verify_verdict)which;
        return true;
    case X0: return read_rows(in, "x0", pair->x0, &to->x0_rows);
    case X1: return read_rows(in, "x1", pair->x1, &to->x1_rows);
    case RADII: return read_radii(in, to);
    case TOI: return read_time(in, "toi", &pair->toi);
    case TOI_UPPER: return scan_null(in) || read_time(in, "toi_upper", &pair->toi_upper);
    case FREE: return read_free(in, to);
    case HIT: return read_contact(in, to);
    case FILE_NAME: return scan_text(in, "file", &to->file, &to->file_length);
    default: return scan_number(in, pair_names[name], &to->numbers[name - INDEX]);
    }
}

/* All that must be there is, and as much of it as the kind has rows. */
static bool is_whole(scanner *in, const pair_reader *to, unsigned seen) {
    static const int rows[] = {4, 4, 3, 2};
    for (int name = 0; name <= HIT; name++)
        if (!(seen >> name & 1) && (name != RADII || to->thick))
            return scan_fail(in, "%s is missing", pair_names[name]);
    int wanted = rows[to->pair->kind];
    const char *wrong = to->x0_rows != wanted                   ? "x0"
                        : to->x1_rows != wanted                 ? "x1"
                        : to->thick && to->radii_rows != wanted ? "radii"
                                                                : NULL;
    return !wrong || scan_fail(in, "%s: a pair of kind %s has %d rows", wrong, kinds[to->pair->kind], wanted);
}

static bool read_pair(scanner *in, pair_reader *to, unsigned *seen) {
    to->pair->toi_upper = INFINITY;
    return read_object(in, "a pair", pair_names, PAIR_NAMES, seen, read_pair_field, to) && is_whole(in, to, *seen);
}

/* "vf 3 12", or "name.csv query 7" */
static void name_pair(const pair_reader *to, unsigned seen, char name[VERIFY_TEXT]) {
    enum { MOST = 120 };
    name[0] = '\0';
    if (seen >> FILE_NAME & seen >> INDEX & 1) {
        size_t cut = to->file_length > MOST ? to->file_length - MOST : 0;
        snprintf(name, VERIFY_TEXT, "%.*s query %.0f", (int)(to->file_length - cut), to->file + cut, to->numbers[0]);
    } else if (seen >> A & seen >> B & 1) {
        snprintf(name, VERIFY_TEXT, "%s %.0f %.0f", kinds[to->pair->kind], to->numbers[1], to->numbers[2]);
    }
}

/* ---- the whole ---- */

typedef struct numbers {
    double *values;
    size_t count;
} numbers;

typedef struct certificate {
    double separation, t_max;
    int format;
    bool thick;            /* every pair has radii */
    numbers groups, radii; /* format 3: of the vertices; none where the file has null */
    double candidates;
    char mesh[65];
    const char **pairs; /* where each pair begins, and where the last one ends */
    size_t count, capacity;
} certificate;

static bool add_place(scanner *in, certificate *file, const char *place) {
    if (file->count == file->capacity) {
        file->capacity = file->capacity ? 2 * file->capacity : 256;
        const char **grown = realloc(file->pairs, file->capacity * sizeof *grown);
        if (!grown) return scan_fail(in, "out of memory");
        file->pairs = grown;
    }
    file->pairs[file->count++] = place;
    return true;
}

static bool scan_pairs(scanner *in, certificate *file) {
    if (!scan_expect(in, '[', "[, the begin of the pairs")) return false;
    bool more = !scan_take(in, ']');
    while (more) {
        if (!add_place(in, file, in->at) || !scan_skip_object(in)) return false;
        more = scan_take(in, ',');
        if (!more && !scan_expect(in, ']', "a comma or ]")) return false;
    }
    if (!add_place(in, file, in->at)) return false;
    file->count--;
    return true;
}

static bool read_list(scanner *in, const char *what, numbers *list) {
    if (scan_null(in)) return true;
    size_t capacity = 0;
    if (!scan_expect(in, '[', "[ or null")) return false;
    do {
        if (list->count == capacity) {
            capacity = capacity ? 2 * capacity : 256;
            double *grown = realloc(list->values, capacity * sizeof *grown);
            if (!grown) return scan_fail(in, "out of memory");
            list->values = grown;
        }
        double *value = &list->values[list->count++];
        if (!scan_number(in, what, value)) return false;
        if (!(*value >= 0)) return scan_fail(in, "%s: one is negative", what);
    } while (scan_take(in, ','));
    return scan_expect(in, ']', "a comma or ]");
}

static bool read_hash(scanner *in, char hash[65]) {
    const char *text;
    size_t length;
    if (!scan_text(in, "mesh", &text, &length)) return false;
    if (length != 64 || strspn(text, "0123456789abcdef") != 64) return scan_fail(in, "mesh: 64 hexadecimal digits");
    memcpy(hash, text, 64);
    return true;
}

enum { FORMAT, SEPARATION, T_MAX, PAIRS, OLD_NAMES, MESH = OLD_NAMES, GROUPS, FILE_RADII, CANDIDATES, FILE_NAMES };
static const char *const file_names[FILE_NAMES] = {"format", "separation", "t_max", "pairs",
                                                   "mesh",   "groups",     "radii", "candidates"};

static bool read_format(scanner *in, certificate *file) {
    static const char *const formats[] = {"graze certificate 1", "graze certificate 2", "graze certificate 3"};
    int format = 0;
    if (!scan_word(in, formats, 3, "the format, \"graze certificate 1\", 2 or 3", &format)) return false;
    file->format = format + 1;
    return true;
}

static bool scan_file_field(scanner *in, int name, void *state) {
    certificate *file = state;
    switch (name) {
    case FORMAT: return read_format(in, file);
    case SEPARATION:
        return scan_number(in, "separation", &file->separation) &&
               (file->separation >= 0 || scan_fail(in, "the separation is negative"));
    case T_MAX:
        return read_time(in, "t_max", &file->t_max) && (file->t_max > 0 || scan_fail(in, "t_max is not in (0, 1]"));
    case MESH: return read_hash(in, file->mesh);
    case GROUPS: return read_list(in, "groups", &file->groups);
    case FILE_RADII: return read_list(in, "radii", &file->radii);
    case CANDIDATES: return scan_number(in, "candidates", &file->candidates);
    default: return scan_pairs(in, file);
    }
}

static bool scan_certificate(scanner *in, certificate *file) {
    unsigned seen;
    if (memchr(in->begin, '\0', (size_t)(in->end - in->begin))) return scan_fail(in, "a byte 0 in the text");
    if (!read_object(in, "a certificate", file_names, FILE_NAMES, &seen, scan_file_field, file)) return false;
    if (!scan_at_end(in)) return scan_fail(in, "something follows the certificate");
    int names = file->format == 3 ? FILE_NAMES : OLD_NAMES;
    for (int name = 0; name < FILE_NAMES; name++) {
        if (name < names && !(seen >> name & 1)) return scan_fail(in, "\"%s\" is missing", file_names[name]);
        if (name >= names && seen >> name & 1) return scan_fail(in, "\"%s\" is for format 3", file_names[name]);
    }
    file->thick = file->format == 2 || file->radii.values;
    return true;
}

/* ---- checking ---- */

typedef struct work {
    const char *text;
    const certificate *file;
    const step *step; /* NULL: without a mesh */
    step_pair *ids;   /* format 3: of each pair */
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

static bool read_id(double x, uint32_t *id) {
    *id = x >= 0 && x < 0x1p32 ? (uint32_t)x : 0;
    return *id == x;
}

/* Format 3: the pair has a name, and with a mesh it is that pair. */
static bool check_name(const work *shared, size_t i, const pair_reader *to, unsigned seen, char *reason) {
    if (!shared->ids) return true;
    step_pair *id = &shared->ids[i];
    id->kind = to->pair->kind;
    if (!(seen >> A & seen >> B & 1) || !read_id(to->numbers[1], &id->a) || !read_id(to->numbers[2], &id->b)) {
        snprintf(reason, VERIFY_TEXT, "a and b do not name a pair of a mesh");
        return false;
    }
    return !shared->step || step_has(shared->step, id, to->pair, reason);
}

static void check_one(worker *me, size_t i) {
    const certificate *file = me->shared->file;
    verify_pair pair = {.separation = file->separation, .t_max = file->t_max};
    pair_reader to = {.pair = &pair, .thick = file->thick};
    char message[VERIFY_TEXT];
    scanner in = {.begin = me->shared->text, .at = file->pairs[i], .end = file->pairs[i + 1], .message = message};
    unsigned seen;
    verify_report *report = &me->report;
    char reason[VERIFY_TEXT];
    if (!read_pair(&in, &to, &seen)) {
        if (i < me->unreadable) {
            me->unreadable = i;
            snprintf(me->message, VERIFY_TEXT, "pair %zu: %.160s", i, message);
        }
    } else {
        count_pair(report, &pair);
        bool good = check_name(me->shared, i, &to, seen, reason) && verify_check(&pair, reason);
        if (!good && report->rejected++ == 0) { /* a worker takes them in order */
            report->first = i;
            memcpy(report->reason, reason, sizeof reason);
            name_pair(&to, seen, report->name);
        }
    }
    free(pair.free);
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

static bool check_all(work *shared, unsigned threads, verify_report *report, char *message) {
    atomic_init(&shared->next, 0);
    if (threads < 1) threads = 1;
    worker *workers = calloc(threads, sizeof *workers);
    pthread_t *handles = calloc(threads, sizeof *handles);
    if (!workers || !handles) {
        free(workers);
        free(handles);
        snprintf(message, VERIFY_TEXT, "out of memory");
        return false;
    }
    for (unsigned i = 0; i < threads; i++) workers[i] = (worker){.shared = shared, .unreadable = UINT64_MAX};
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

/* ---- a step as a whole ---- */

static void reject(verify_report *report, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void reject(verify_report *report, const char *name, const char *format, ...) {
    if (report->rejected++) return; /* a pair was rejected before */
    report->first = report->pairs;
    snprintf(report->name, sizeof report->name, "%s", name);
    va_list list;
    va_start(list, format);
    vsnprintf(report->reason, sizeof report->reason, format, list);
    va_end(list);
}

static bool check_list(work *shared, verify_report *report, char *message) {
    step_pair first;
    char name[VERIFY_TEXT];
    if (!step_compare(shared->step, shared->ids, shared->file->count, &report->missing, &report->twice, &first)) {
        snprintf(message, VERIFY_TEXT, "out of memory");
        return false;
    }
    snprintf(name, sizeof name, "%s %u %u", kinds[first.kind], (unsigned)first.a, (unsigned)first.b);
    if (report->missing)
        reject(report, name, "not listed, and so are %llu candidates of the mesh", (unsigned long long)report->missing);
    if (report->twice) reject(report, "the list", "%llu pairs are listed again", (unsigned long long)report->twice);
    return true;
}

/* The lists of the file have a value for each vertex. */
static bool prepare_step(step *s, const verify_mesh *mesh, const certificate *file, char *message) {
    const numbers *lists[] = {&file->groups, &file->radii};
    for (int i = 0; i < 2; i++)
        if (lists[i]->values && lists[i]->count != mesh->vertex_count) {
            snprintf(message, VERIFY_TEXT, "%zu %s for %zu vertices of the mesh", lists[i]->count,
                     file_names[GROUPS + i], mesh->vertex_count);
            return false;
        }
    if (!step_init(s, mesh)) {
        snprintf(message, VERIFY_TEXT, "out of memory");
        return false;
    }
    s->separation = file->separation;
    s->t_max = file->t_max;
    s->groups = file->groups.values;
    s->radii = file->radii.values;
    return true;
}

static bool check_file(const char *text, const certificate *file, unsigned threads, const step *s,
                       verify_report *report, char *message) {
    work shared = {.text = text, .file = file, .step = s};
    report->of_step = file->format == 3;
    memcpy(report->mesh, file->mesh, sizeof report->mesh);
    if (report->of_step && !(shared.ids = calloc(file->count + 1, sizeof *shared.ids))) {
        snprintf(message, VERIFY_TEXT, "out of memory");
        return false;
    }
    bool good = check_all(&shared, threads, report, message);
    if (good && report->of_step && file->candidates != (double)file->count)
        reject(report, "the list", "%.17g candidates are claimed, and %zu pairs are listed", file->candidates,
               file->count);
    if (good && s) good = check_list(&shared, report, message);
    free(shared.ids);
    return good;
}

bool verify_text(const char *text, size_t size, unsigned threads, const verify_mesh *mesh, verify_report *report,
                 char message[VERIFY_TEXT]) {
    *report = (verify_report){0};
    message[0] = '\0';
    certificate file = {0};
    step s = {0};
    scanner in = {.begin = text, .at = text, .end = text + size, .message = message};
    bool good = scan_certificate(&in, &file);
    if (good && mesh && file.format != 3) {
        snprintf(message, VERIFY_TEXT, "it names no mesh: a certificate of a step of format 3 does");
        good = false;
    }
    good = good && (!mesh || prepare_step(&s, mesh, &file, message));
    good = good && check_file(text, &file, threads, mesh ? &s : NULL, report, message);
    step_clear(&s);
    free(file.pairs);
    free(file.groups.values);
    free(file.radii.values);
    return good;
}
