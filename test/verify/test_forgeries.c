/* Certificates as text, mutated and forged: none is accepted whose claims are false, by a second reader and exact
   truth. GRAZE_FORGERIES=1000000 makes a long run of it, some minutes; GRAZE_FORGERIES_SEED another one. */
#include "verify/proofs.h"
#include "verify/second_reader.h"

#include <stdarg.h>
#include <time.h>

/* ---- texts ---- */

typedef struct text {
    char bytes[1 << 16];
    size_t size;
} text;

static void put(text *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(text *to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    to->size += (size_t)vsnprintf(to->bytes + to->size, sizeof to->bytes - to->size, format, list);
    va_end(list);
}

static void put_rows(text *to, const char *name, const double x[4][3], int rows) {
    put(to, ",\"%s\":[", name);
    for (int i = 0; i < rows; i++) put(to, "%s[%.17g,%.17g,%.17g]", i ? "," : "", x[i][0], x[i][1], x[i][2]);
    put(to, "]");
}

static void put_piece(text *to, const verify_piece *piece) {
    if (piece->proof == VERIFY_DIRECTION)
        put(to, "{\"n\":[%.17g,%.17g,%.17g]", piece->n[0], piece->n[1], piece->n[2]);
    else
        put(to, "{\"%s\":true", piece->proof == VERIFY_VOLUME ? "volume" : "exact");
    put(to, ",\"t0\":%.17g,\"t1\":%.17g}", piece->t0, piece->t1);
}

/* `of` is NULL, or the pair of a step. */
static void put_pair(text *to, const verify_pair *pair, bool thick, int index, const graze_pair *of) {
    static const char *const names[] = {"vf", "ee", "pe", "pp"}, *const verdicts[] = {"clear", "hit", "unresolved"};
    static const char *const contacts[] = {"", "crossing", "touching", "exact"};
    int rows = rows_of(kind_of(pair));
    put(to, "%s\n{\"kind\":\"%s\"", index ? "," : "", names[pair->kind]);
    if (of)
        put(to, ",\"a\":%u,\"b\":%u", (unsigned)of->a, (unsigned)of->b);
    else
        put(to, ",\"file\":\"some.csv\",\"index\":%d", index);
    put_rows(to, "x0", pair->x0, rows);
    put_rows(to, "x1", pair->x1, rows);
    for (int i = 0; thick && i < rows; i++) put(to, "%s%.17g", i ? "," : ",\"radii\":[", pair->radii[i]);
    if (thick) put(to, "]");
    put(to, ",\"verdict\":\"%s\",\"toi\":%.17g", verdicts[pair->verdict], pair->toi);
    if (pair->contact == VERIFY_NO_CONTACT)
        put(to, ",\"toi_upper\":null,\"hit\":null");
    else if (pair->contact == VERIFY_WITNESS)
        put(to, ",\"toi_upper\":%.17g,\"hit\":{\"at\":[%.17g,%.17g]}", pair->toi_upper, pair->at[0], pair->at[1]);
    else
        put(to, ",\"toi_upper\":%.17g,\"hit\":{\"%s\":true}", pair->toi_upper, contacts[pair->contact]);
    put(to, ",\"free\":[");
    for (size_t k = 0; k < pair->free_count; k++) {
        if (k) put(to, ",");
        put_piece(to, &pair->free[k]);
    }
    put(to, "]}");
}

/* A certificate of one or two pairs; the second claims something that was made up and leaves the proof to the checker.
 */
static bool make_certificate(text *to, test_random *random) {
    static proof p, forged;
    graze_query query;
    double separation = test_random_below(random, 2) ? 0 : 0.01;
    double t_max = test_random_below(random, 3) ? 1 : test_random_between(random, 0.05, 1);
    bool thick = test_random_below(random, 4) == 0;
    to->size = 0;
    put(to, "{\"format\":\"graze certificate %d\",\"separation\":%.17g,\"t_max\":%.17g,\"pairs\":[", thick ? 2 : 1,
        separation, t_max);
    for (int i = 0; i < 2; i++) {
        random_query(random, &query);
        graze_method method = test_random_below(random, 2) ? GRAZE_METHOD_EXACT : GRAZE_METHOD_CERTIFIED;
        graze_kind kind = (graze_kind)test_random_below(random, 4);
        if (!prove(&p, kind, &query, separation, t_max, method) || p.pair.free_count > 60) return false;
        if (i == 0) {
            put_pair(to, &p.pair, thick, 0, NULL);
            if (test_random_below(random, 2)) break;
            continue;
        }
        forged.pair = p.pair;
        forged.pair.free = forged.pieces;
        forged.pair.verdict = (verify_verdict)test_random_below(random, 3);
        forged.pair.toi = forged.pair.verdict == VERIFY_CLEAR ? t_max : t_max * test_random_unit(random);
        bool contact = forged.pair.verdict == VERIFY_HIT && test_random_below(random, 2);
        forged.pair.contact =
            contact ? (verify_contact)(VERIFY_CROSSING + test_random_below(random, 3)) : VERIFY_NO_CONTACT;
        forged.pair.toi_upper =
            contact ? forged.pair.toi + (t_max - forged.pair.toi) * test_random_unit(random) : INFINITY;
        forged.pair.free_count = forged.pair.toi > 0;
        forged.pieces[0] = (verify_piece){.proof = test_random_below(random, 2) ? VERIFY_DECIDED : VERIFY_VOLUME};
        forged.pieces[0].t1 = forged.pair.toi;
        put_pair(to, &forged.pair, thick, 1, NULL);
    }
    put(to, "\n]}\n");
    return to->size < sizeof to->bytes / 2;
}

/* A certificate of a whole step of two triangles, as the program writes it. */
static bool make_step_certificate(text *to, test_random *random) {
    static const uint32_t faces[2][3] = {{0, 1, 2}, {3, 4, 5}};
    static proof p;
    double x0[6][3], x1[6][3];
    for (int k = 0; k < 18; k++) {
        x0[k / 3][k % 3] = test_random_between(random, -1, 1);
        x1[k / 3][k % 3] = x0[k / 3][k % 3] + 0.5 * test_random_between(random, -1, 1);
    }
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_mesh mesh = graze_default_mesh();
    graze_pair *pairs = NULL;
    size_t count = 0;
    CHECK(graze_mesh_from_faces(context, 6, faces, 2, &mesh) == GRAZE_OK);
    CHECK(graze_candidates(context, &mesh, (const double(*)[3])x0, (const double(*)[3])x1, NULL, &pairs, &count) ==
          GRAZE_OK);
    to->size = 0;
    put(to, "{\"format\":\"graze certificate 1\",\"separation\":0,\"t_max\":1,\"pairs\":[");
    bool good = count > 1;
    for (size_t i = 0; good && i < count; i++) {
        graze_query query;
        graze_pair_query(&mesh, (const double(*)[3])x0, (const double(*)[3])x1, 0, pairs[i], &query);
        good = prove(&p, pairs[i].kind, &query, 0, 1, GRAZE_METHOD_CERTIFIED) && p.pair.free_count <= 60;
        if (good) put_pair(to, &p.pair, false, (int)i, &pairs[i]);
    }
    put(to, "\n]}\n");
    graze_pairs_release(context, pairs, count);
    graze_mesh_release(context, &mesh);
    graze_context_destroy(context);
    return good && to->size < sizeof to->bytes / 2;
}

/* ---- mutations ---- */

static void replace(text *in, size_t at, size_t length, const char *by, size_t by_length) {
    if (at + length > in->size || in->size - length + by_length >= sizeof in->bytes) return;
    memmove(in->bytes + at + by_length, in->bytes + at + length, in->size - at - length);
    memcpy(in->bytes + at, by, by_length);
    in->size += by_length - length;
    in->bytes[in->size] = '\0';
}

static bool is_of_number(char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e'; }

/* The n-th place at which a number begins, of as many as there are; its length. */
static size_t pick_number(const text *in, test_random *random, size_t *length) {
    size_t places[4000], count = 0;
    for (size_t i = 1; i < in->size && count < 4000; i++)
        if (is_of_number(in->bytes[i]) && strchr(",:[", in->bytes[i - 1])) places[count++] = i;
    size_t at = count ? places[test_random_below(random, count)] : 0;
    *length = 0;
    while (at && is_of_number(in->bytes[at + *length])) (*length)++;
    return at;
}

static void change_number(text *in, test_random *random) {
    size_t length, other_length;
    size_t at = pick_number(in, random, &length), other = pick_number(in, random, &other_length);
    char by[64];
    double x = strtod(in->bytes + at, NULL);
    switch (test_random_below(random, 9)) {
    case 0: x = nextafter(x, 2); break;
    case 1: x = nextafter(x, -2); break;
    case 2: x = -x; break;
    case 3: x = 0; break;
    case 4: x = strtod(in->bytes + other, NULL); break;
    case 5: x *= 1 + ldexp(test_random_unit(random), -(int)test_random_below(random, 50)); break;
    case 6: x = test_random_unit(random); break;
    case 7: x = ldexp(x, (int)test_random_below(random, 200) - 100); break;
    default: x += 1; break;
    }
    int written = snprintf(by, sizeof by, test_random_below(random, 8) ? "%.17g" : "%.17g0", x);
    replace(in, at, length, by, (size_t)written);
}

/* Texts that stand in for each other, or make a reader stumble. */
static void change_word(text *in, test_random *random) {
    static const char *const words[] = {"\"clear\"",
                                        "\"hit\"",
                                        "\"unresolved\"",
                                        "\"vf\"",
                                        "\"ee\"",
                                        "\"pe\"",
                                        "\"pp\"",
                                        "\"x0\"",
                                        "\"x1\"",
                                        "\"toi\"",
                                        "\"toi_upper\"",
                                        "null",
                                        "true",
                                        "\"volume\"",
                                        "\"exact\"",
                                        "\"crossing\"",
                                        "\"touching\"",
                                        "\"free\"",
                                        "\"t0\"",
                                        "\"t1\"",
                                        "\"clear\\u0000no\"",
                                        "\"x1\\u0000\"",
                                        "\"toi\\u0000\"",
                                        "\"x\\u0031\"",
                                        "\"at\"",
                                        "[0.5,0.5]",
                                        "\"radii\"",
                                        "graze certificate 1",
                                        "graze certificate 2",
                                        "false",
                                        "\"hit\":null,",
                                        "\"pairs\"",
                                        "\"n\"",
                                        "\xef\xbb\xbf",
                                        "\"\\ud800\"",
                                        "NaN",
                                        "1e999",
                                        "01",
                                        "+1",
                                        ".5",
                                        "1.",
                                        "0x1",
                                        "\"index\"",
                                        "\"file\""};
    enum { COUNT = sizeof words / sizeof *words };
    const char *from = words[test_random_below(random, COUNT)], *by = words[test_random_below(random, COUNT)];
    const char *start = in->bytes + test_random_below(random, in->size), *place = strstr(start, from);
    if (!place) place = strstr(in->bytes, from);
    if (place) replace(in, (size_t)(place - in->bytes), strlen(from), by, strlen(by));
}

/* A field of an object once more, in front of or behind one that is there, with its value or that of another. */
static void add_field(text *in, test_random *random) {
    static const char *const fields[] = {"\"x1\":[[9,9,9],[0,0,0],[1,0,0],[0,1,0]],",
                                         "\"x0\":[[9,9,9],[0,0,0],[1,0,0],[0,1,0]],",
                                         "\"verdict\":\"clear\",",
                                         "\"verdict\":\"unresolved\",",
                                         "\"toi\":0,",
                                         "\"toi\":1,",
                                         "\"toi_upper\":null,",
                                         "\"hit\":null,",
                                         "\"kind\":\"pp\",",
                                         "\"t1\":1,",
                                         "\"t0\":0,",
                                         "\"exact\":true,",
                                         "\"separation\":0,",
                                         "\"t_max\":0.5,",
                                         "\"free\":[],",
                                         "\"more\":{\"x1\":[]},",
                                         "\"x1\\u0000\":[[9,9,9],[0,0,0],[1,0,0],[0,1,0]],",
                                         "\"toi\\u0000\":0,",
                                         "\"radii\":[0,0,0,0],",
                                         "\"at\":[0,0],",
                                         "\"X1\":[],"};
    const char *field = fields[test_random_below(random, sizeof fields / sizeof *fields)];
    size_t places[4000], count = 0;
    for (size_t i = 1; i < in->size && count < 4000; i++)
        if (in->bytes[i] == '"' && strchr("{,", in->bytes[i - 1])) places[count++] = i;
    if (count) replace(in, places[test_random_below(random, count)], 0, field, strlen(field));
}

static void change_byte(text *in, test_random *random) {
    static const char usual[] = "\"\\{}[],:0123456789.-+eEun tfax\n";
    size_t at = test_random_below(random, in->size);
    char c = test_random_below(random, 4) ? usual[test_random_below(random, sizeof usual - 1)]
                                          : (char)test_random_bits(random);
    switch (test_random_below(random, 4)) {
    case 0: replace(in, at, 1, "", 0); break;
    case 1: replace(in, at, 0, &c, 1); break;
    default: replace(in, at, 1, &c, 1); break;
    }
}

/* A piece of the list goes, or proves something by other means. */
static void change_piece(text *in, test_random *random) {
    const char *start = in->bytes + test_random_below(random, in->size), *n = strstr(start, "\"n\":[");
    const char *end = n ? strchr(n, ']') : NULL;
    if (!end) return;
    const char *by = test_random_below(random, 2) ? "\"volume\":true" : "\"exact\":true";
    if (test_random_below(random, 4))
        replace(in, (size_t)(n - in->bytes), (size_t)(end + 1 - n), by, strlen(by));
    else if (strchr(end, '}'))
        replace(in, (size_t)(n - in->bytes) - 1, (size_t)(strchr(end, '}') + 1 - n) + 1, "", 0);
}

/* A pair is a line. Any of them, with its length; 0 where there is none. */
static size_t pick_pair(const text *in, test_random *random, size_t *length) {
    size_t places[100], count = 0;
    for (size_t i = 1; i + 8 < in->size && count < 100; i++)
        if (in->bytes[i - 1] == '\n' && strncmp(in->bytes + i, "{\"kind\"", 7) == 0) places[count++] = i;
    size_t at = count ? places[test_random_below(random, count)] : 0;
    *length = at ? strcspn(in->bytes + at, "\n") : 0;
    if (*length && in->bytes[at + *length - 1] == ',') --*length;
    return at;
}

/* A pair goes, with the comma on one of its sides. */
static void cut_pair(text *in, test_random *random) {
    size_t length, at = pick_pair(in, random, &length);
    if (!at) return;
    if (in->bytes[at + length] == ',')
        replace(in, at, length + 2, "", 0);
    else if (in->bytes[at - 2] == ',')
        replace(in, at - 2, length + 2, "", 0);
    else
        replace(in, at, length, "", 0); /* the only one */
}

/* A pair once more, in front of any other. */
static void double_pair(text *in, test_random *random) {
    static text copy;
    size_t length, other_length, at = pick_pair(in, random, &length), before = pick_pair(in, random, &other_length);
    if (!at) return;
    memcpy(copy.bytes, in->bytes + at, length);
    memcpy(copy.bytes + length, ",\n", 2);
    replace(in, before, 0, copy.bytes, length + 2);
}

typedef void mutation(text *in, test_random *random);

static void leave(text *in, test_random *random) { (void)in, (void)random; } /* forged, not mutated */

static mutation *const mutations[] = {change_number, change_number, change_number, change_word, add_field,
                                      change_byte,   change_piece,  cut_pair,      double_pair, leave};
#define MUTATIONS (sizeof mutations / sizeof *mutations)

static void mutate(text *in, test_random *random) {
    for (uint64_t left = 1 + test_random_below(random, 3); left > 0 && in->size > 20; left--)
        mutations[test_random_below(random, MUTATIONS)](in, random);
}

/* ---- what must hold ---- */

static long forgeries_wanted(void) {
    const char *asked = getenv("GRAZE_FORGERIES");
    return asked ? atol(asked) : 10000;
}

static uint64_t seed_wanted(void) {
    const char *asked = getenv("GRAZE_FORGERIES_SEED");
    return asked ? strtoull(asked, NULL, 10) : 41;
}

TEST(no_certificate_is_accepted_whose_claims_are_false) {
    test_random random = {seed_wanted()};
    static text whole, changed;
    long wanted = forgeries_wanted(), accepted_count = 0, rejected = 0, unreadable = 0, made = 0;
    while (made < wanted) {
        bool step = test_random_below(&random, 8) == 0;
        if (!(step ? make_step_certificate : make_certificate)(&whole, &random)) continue;
        for (int i = 0; i < 10 && made < wanted; i++, made++) {
            memcpy(changed.bytes, whole.bytes, whole.size + 1);
            changed.size = whole.size;
            mutate(&changed, &random);
            verify_report report;
            char message[VERIFY_TEXT], why[200];
            bool read = verify_text(changed.bytes, changed.size, 1, NULL, &report, message);
            if (!read || report.rejected) {
                unreadable += !read;
                rejected += read;
                CHECK(read ? report.reason[0] : message[0]);
                continue;
            }
            accepted_count++;
            bool confirmed = second_reader_confirms(changed.bytes, changed.size, why);
            CHECK_MSG(confirmed, "accepted, but %s:\n%s", why, changed.bytes);
        }
    }
    printf("    %ld certificates: %ld accepted, %ld rejected, %ld not read\n", made, accepted_count, rejected,
           unreadable);
    CHECK(accepted_count > made / 20 && rejected > made / 20 && unreadable > made / 20);
}

/* The other side: what is as it was written is read the same by both. */
TEST(certificates_that_nobody_changed_are_accepted_by_both_readers) {
    test_random random = {43};
    static text whole;
    for (int i = 0; i < 500; i++) {
        static proof p;
        graze_query query;
        random_query(&random, &query);
        whole.size = 0;
        if (!prove(&p, (graze_kind)(i % 4), &query, 0.01, 1, GRAZE_METHOD_EXACT) || p.pair.free_count > 200) continue;
        put(&whole, "{\"format\":\"graze certificate 1\",\"separation\":0.01,\"t_max\":1,\"pairs\":[");
        put_pair(&whole, &p.pair, false, 0, NULL);
        put(&whole, "\n]}\n");
        verify_report report;
        char message[VERIFY_TEXT], why[200];
        CHECK_MSG(verify_text(whole.bytes, whole.size, 1, NULL, &report, message) && report.rejected == 0, "%s %s",
                  message, report.reason);
        CHECK_MSG(second_reader_confirms(whole.bytes, whole.size, why), "%s", why);
    }
}

/* A list of pairs shows that every claim in it holds, not that none is missing: docs/certificates.md says so. */
TEST(a_step_with_pairs_cut_out_or_doubled_claims_nothing_false) {
    test_random random = {44};
    static text whole;
    int cut = 0, doubled = 0;
    for (int i = 0; i < 300; i++) {
        if (!make_step_certificate(&whole, &random)) continue;
        mutation *change = i % 2 ? cut_pair : double_pair;
        size_t before = whole.size;
        change(&whole, &random);
        verify_report report;
        char message[VERIFY_TEXT], why[200];
        CHECK_MSG(verify_text(whole.bytes, whole.size, 1, NULL, &report, message) && report.rejected == 0, "%s %s",
                  message, report.reason);
        CHECK_MSG(second_reader_confirms(whole.bytes, whole.size, why), "%s", why);
        cut += whole.size < before;
        doubled += whole.size > before;
    }
    CHECK_MSG(cut > 50 && doubled > 50, "%d cut, %d doubled", cut, doubled);
}

/* ---- strictness, one rule at a time ---- */

#define BEFORE "{\"format\":\"graze certificate 1\",\"separation\":0,\"t_max\":1,\"pairs\":["
#define X0 "\"x0\":[[0.25,0.25,1],[0,0,0],[1,0,0],[0,1,0]]"
#define X1_CLEAR "\"x1\":[[0.25,0.25,0.5],[0,0,0],[1,0,0],[0,1,0]]"
#define X1_THROUGH "\"x1\":[[0.25,0.25,-1],[0,0,0],[1,0,0],[0,1,0]]"
#define REST                                                                                                           \
    "\"verdict\":\"clear\",\"toi\":1,\"toi_upper\":null,\"hit\":null,\"free\":[{\"exact\":true,\"t0\":0,\"t1\":1}]}"

/* 0 accepted, 1 rejected, 2 not read */
static int status_of(const char *bytes, size_t size) {
    verify_report report;
    char message[VERIFY_TEXT];
    if (!verify_text(bytes, size, 1, NULL, &report, message)) return 2;
    return report.rejected ? 1 : 0;
}

static void expect_status(int wanted, const char *bytes) {
    CHECK_MSG(status_of(bytes, strlen(bytes)) == wanted, "not %d: %s", wanted, bytes);
}

TEST(what_two_readers_could_take_for_different_things_is_not_read) {
    expect_status(0, BEFORE "{\"kind\":\"vf\"," X0 "," X1_CLEAR "," REST "]}");
    expect_status(1, BEFORE "{\"kind\":\"vf\"," X0 "," X1_THROUGH "," REST "]}");
    expect_status(2, BEFORE "{\"kind\":\"vf\"," X0 "," X1_CLEAR "," X1_THROUGH "," REST "]}");
    expect_status(2, BEFORE "{\"kind\":\"vf\"," X0 "," X1_THROUGH "," X1_CLEAR "," REST "]}");
    expect_status(2, BEFORE "{\"kind\":\"vf\"," X0 ",\"x1\\u0000\":[[0,0,9],[0,0,0],[1,0,0],[0,1,0]]," X1_CLEAR "," REST
                            "]}");
    expect_status(2, BEFORE "{\"kind\":\"vf\"," X0 ",\"\\u0078\\u0031\":[]," X1_CLEAR "," REST "]}");
    expect_status(2, BEFORE "{\"kind\":\"vf\",\"note\":1," X0 "," X1_CLEAR "," REST "]}");
    expect_status(2, BEFORE "{\"kind\":\"vf\",\"file\":\"a\\u0000b\",\"index\":1," X0 "," X1_CLEAR "," REST "]}");
    expect_status(0, BEFORE "{\"kind\":\"vf\",\"file\":\"a\\u00e4\\ud83d\\ude00\",\"index\":1," X0 "," X1_CLEAR "," REST
                            "]}");
    expect_status(2, BEFORE "{\"kind\":\"vf\",\"file\":\"a\\ud83d\",\"index\":1," X0 "," X1_CLEAR "," REST "]}");
    expect_status(2, BEFORE "{\"kind\":\"vf\",\"file\":\"\xff\",\"index\":1," X0 "," X1_CLEAR "," REST "]}");
    expect_status(2, BEFORE "{\"kind\":\"vf\\u0000\"," X0 "," X1_CLEAR "," REST "]}");
    expect_status(2, BEFORE "{\"kind\":\"vf\"," X0 "," X1_CLEAR ",\"verdict\":\"clear\\u0000no\"," REST "]}");
    static const char with_nul[] = BEFORE "{\"kind\":\"vf\"," X0 "," X1_CLEAR "," REST "]}\n\0";
    CHECK(status_of(with_nul, sizeof with_nul - 1) == 2);
    expect_status(2, "{\"format\":\"graze certificate 1\",\"separation\":0,\"separation\":0,\"t_max\":1,\"pairs\":[]}");
    expect_status(2, "{\"format\":\"graze certificate 1\",\"separation\":0,\"t_max\":1,\"more\":0,\"pairs\":[]}");
    expect_status(0, "{\"format\":\"graze certificate 1\",\"separation\":0,\"t_max\":1,\"pairs\":[]}");
}

TEST(numbers_are_those_of_the_grammar) {
    static const char *const numbers[] = {"01",  "+1",  ".5",     "1.",  "0x1", "1e",    "1e+",      "NaN",
                                          "inf", "1_0", "1e1000", "--1", "1 1", "\"1\"", "Infinity", "1d0"};
    char bytes[1000];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        snprintf(bytes, sizeof bytes, "{\"format\":\"graze certificate 1\",\"separation\":%s,\"t_max\":1,\"pairs\":[]}",
                 numbers[i]);
        expect_status(2, bytes);
    }
    static const char *const good[] = {"0", "1", "1.5", "1e2", "1E+2", "1.25e-3", "0.0", "1e-400", "-0"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        snprintf(bytes, sizeof bytes, "{\"format\":\"graze certificate 1\",\"separation\":%s,\"t_max\":1,\"pairs\":[]}",
                 good[i]);
        expect_status(0, bytes);
    }
}

TEST(a_contact_at_two_points_belongs_to_format_2) {
#define CONTACT                                                                                                        \
    "{\"kind\":\"vf\"," X0 "," X1_THROUGH                                                                              \
    "%s,\"verdict\":\"hit\",\"toi\":0,\"toi_upper\":0.5,\"hit\":{\"at\":[0.25,0.25]},\"free\":[]}]}"
    static const char in_1[] = "{\"format\":\"graze certificate 1\",\"separation\":0,\"t_max\":1,\"pairs\":[";
    static const char in_2[] = "{\"format\":\"graze certificate 2\",\"separation\":0,\"t_max\":1,\"pairs\":[";
    char bytes[1000];
    int used = snprintf(bytes, sizeof bytes, "%s", in_1);
    snprintf(bytes + used, sizeof bytes - (size_t)used, CONTACT, "");
    expect_status(2, bytes);
    used = snprintf(bytes, sizeof bytes, "%s", in_2);
    snprintf(bytes + used, sizeof bytes - (size_t)used, CONTACT, ",\"radii\":[0,0,0,0]");
    expect_status(0, bytes);
}

/* Coordinates over the whole range of doubles, and roots that lie close: the worst of what one pair can ask for. */
TEST(the_work_for_one_pair_is_bounded) {
    test_random random = {47};
    double slowest = 0;
    for (int i = 0; i < 300; i++) {
        verify_pair pair = {.kind = i % 2 ? VERIFY_VF : VERIFY_EE, .t_max = 1, .separation = i % 3 ? 0 : 0x1p-500};
        verify_piece piece = {.proof = VERIFY_DECIDED, .t1 = 1};
        for (int k = 0; k < 12; k++) {
            pair.x0[k / 3][k % 3] =
                ldexp(test_random_between(&random, -1, 1), (int)test_random_below(&random, 2000) - 1000);
            pair.x1[k / 3][k % 3] = -pair.x0[k / 3][k % 3];
            if (i % 5 == 0) pair.x1[k / 3][k % 3] *= 1 + 0x1p-52;
        }
        pair.toi = 1, pair.toi_upper = INFINITY, pair.free = &piece, pair.free_count = 1;
        char reason[VERIFY_TEXT];
        struct timespec begin, end;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
        verify_check(&pair, reason);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
        slowest = fmax(slowest, (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
    }
    printf("    the slowest pair took %.3f s\n", slowest);
    CHECK_MSG(slowest < 60, "%g s", slowest); /* a tenth of a second; without a bound it would be hours */
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
