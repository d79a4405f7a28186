/* The readers of certificates: small texts of every format, each broken at every place, and each rule by its own break.
 */
#include "verify/small_texts.h"

TEST(each_small_certificate_is_accepted) {
    for (int which = 0; which < SMALL_TEXTS; which++) {
        small_text text = small_read(which);
        char why[VERIFY_TEXT];
        for (int with = 0; with < 2; with++)
            CHECK_MSG(small_status(text, with ? small_mesh_of(which) : NULL, 1, VERIFY_WORK_PATHS, why) ==
                          SMALL_ACCEPTED,
                      "%s: %s", small_names[which], why);
        free(text.bytes);
    }
}

/* ---- every place ---- */

static void expect_refused(int which, small_text text, const char *how, size_t at) {
    char why[VERIFY_TEXT];
    int status = small_status(text, small_mesh_of(which), 1, VERIFY_WORK_PATHS, why);
    CHECK_MSG(status != SMALL_ACCEPTED && why[0], "%s, %s at %zu: %d %s", small_names[which], how, at, status, why);
}

TEST(a_text_cut_at_any_byte_is_refused) {
    for (int which = 0; which < SMALL_TEXTS; which++) {
        small_text text = small_read(which);
        for (size_t size = 0; size < text.size; size++) {
            small_text part = small_copy(text.bytes, size);
            expect_refused(which, part, "cut", size);
            free(part.bytes);
        }
        free(text.bytes);
    }
}

TEST(a_mark_left_out_doubled_or_changed_is_refused) {
    for (int which = 0; which < SMALL_TEXTS; which++) {
        small_text text = small_read(which);
        for (size_t at = 0; at < text.size; at++) {
            if (!strchr("{}[]:,\"", text.bytes[at])) continue;
            char mark[3] = {text.bytes[at], text.bytes[at], '\0'};
            const char *by[] = {"", mark, ";", "0", "{", "]"};
            for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
                if (by[k][0] == mark[0] && !by[k][1]) continue;
                small_text changed = small_replace(text, at, 1, by[k]);
                expect_refused(which, changed, by[k], at);
                free(changed.bytes);
            }
        }
        free(text.bytes);
    }
}

/* Outside of texts, that is; every kind of blank, and after the end. */
TEST(blanks_between_marks_change_nothing) {
    for (int which = 0; which < SMALL_TEXTS; which++) {
        small_text text = small_read(which);
        for (const char *blank = " \t\r\n"; *blank; blank++) {
            small_text wide = {malloc(3 * text.size + 1), 0};
            bool quoted = false;
            for (size_t i = 0; i < text.size; i++) {
                quoted ^= text.bytes[i] == '"' && text.bytes[i - 1] != '\\';
                bool mark = strchr("{}[]:,", text.bytes[i]) && !quoted;
                if (mark) wide.bytes[wide.size++] = *blank;
                wide.bytes[wide.size++] = text.bytes[i];
                if (mark) wide.bytes[wide.size++] = *blank;
            }
            char why[VERIFY_TEXT];
            CHECK_MSG(small_status(wide, small_mesh_of(which), 1, VERIFY_WORK_PATHS, why) == SMALL_ACCEPTED, "%s: %s",
                      small_names[which], why);
            free(wide.bytes);
        }
        free(text.bytes);
    }
}

/* ---- every rule ---- */

typedef struct edit {
    int which;
    const char *after, *from, *by; /* the first `from` at or behind the first `after` */
    int status;
    const char *says;
} edit;

/* Frees the text. */
static small_text with(small_text text, const char *after, const char *from, const char *by) {
    static char bytes[8192];
    snprintf(bytes, sizeof bytes, "%.*s", (int)text.size, text.bytes);
    const char *place = strstr(bytes, after), *at = place ? strstr(place, from) : NULL;
    CHECK_MSG(at != NULL, "no %s", from);
    if (!at) return text;
    small_text changed = small_replace(text, (size_t)(at - bytes), strlen(from), by);
    free(text.bytes);
    return changed;
}

/* With the first `also` changed, too, where there is one. */
static void try_both(const edit *e, const char *also, const char *also_by) {
    small_text changed = with(small_read(e->which), e->after, e->from, e->by);
    char why[VERIFY_TEXT];
    if (also) changed = with(changed, "{", also, also_by);
    int status = small_status(changed, small_mesh_of(e->which), 1, VERIFY_WORK_PATHS, why);
    CHECK_MSG(status == e->status && strstr(why, e->says), "%s, %s for %s: %d in place of %d: %s",
              small_names[e->which], e->by, e->from, status, e->status, why);
    free(changed.bytes);
}

static void try_edit(const edit *e) { try_both(e, NULL, NULL); }

static void try_edits(const edit *edits, size_t count) {
    for (size_t i = 0; i < count; i++) try_edit(&edits[i]);
}
#define TRY_EDITS(edits) try_edits(edits, sizeof(edits) / sizeof *(edits))

TEST(texts_are_utf_8_without_controls_and_half_pairs) {
    enum { NO = SMALL_NOT_READ, YES = SMALL_ACCEPTED };
    static const struct {
        const char *text;
        int status;
    } names[] = {{"\x7f", YES},
                 {"\x1f", NO},
                 {"\t", NO},
                 {"\xc2\x80", YES},
                 {"\xc1\x80", NO},
                 {"\xc2\x7f", NO},
                 {"\xc2\xc0", NO},
                 {"\xe0\xa0\x80", YES},
                 {"\xe0\x9f\x80", NO},
                 {"\xe1\x80\x80", YES},
                 {"\xed\x9f\x80", YES},
                 {"\xed\xa0\x80", NO},
                 {"\xee\x80\x80", YES},
                 {"\xf0\x90\x80\x80", YES},
                 {"\xf0\x8f\x80\x80", NO},
                 {"\xf1\x80\x80\x80", YES},
                 {"\xf4\x8f\x80\x80", YES},
                 {"\xf4\x90\x80\x80", NO},
                 {"\xf5\x80\x80\x80", NO},
                 {"\xf3\x90\x80\x80", YES},
                 {"\x80", NO},
                 {"\\u0041", YES},
                 {"\\u00aF", YES},
                 {"\\u00Fa", YES},
                 {"\\u000/", NO},
                 {"\\u000:", NO},
                 {"\\u000@", NO},
                 {"\\u000G", NO},
                 {"\\u000`", NO},
                 {"\\u000g", NO},
                 {"\\u0000", NO},
                 {"\\u004", NO},
                 {"\\ud7ff", YES},
                 {"\\ud800\\udc00", YES},
                 {"\\udbff\\udfff", YES},
                 {"\\ud800", NO},
                 {"\\ud800\\ud800", NO},
                 {"\\ud800\\ue000", NO},
                 {"\\ud800\\u0041", NO},
                 {"\\ud800/udc00", NO},
                 {"\\ud800\\n", NO},
                 {"\\ud800nudc00", NO},
                 {"\\udc00", NO},
                 {"\\udfff", NO},
                 {"\\ue000", YES},
                 {"\\\\\\\"\\/\\b\\f\\n\\r\\t", YES},
                 {"\\a", NO},
                 {"\\x41", NO},
                 {"\\U0041", NO}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char by[100];
        snprintf(by, sizeof by, "\"%s\"", names[i].text);
        edit e = {SMALL_PAIRS, "\"file\"",      "\"\\u00e9\\ud83d\\ude00\\\"\xc3\xa9\xf0\x9f\x98\x80.csv\"",
                  by,          names[i].status, names[i].status == NO ? "file" : ""};
        if (strstr(names[i].text, "\"") && names[i].status == NO) e.says = "";
        try_edit(&e);
    }
}

TEST(each_rule_of_pairs_is_asked_for) {
    static const edit edits[] = {
        {SMALL_PAIRS, "{", "\"separation\":0.5", "\"separation\":-0.5", SMALL_NOT_READ, "separation is negative"},
        {SMALL_PAIRS, "{", "\"t_max\":1", "\"t_max\":0", SMALL_NOT_READ, "t_max is not in (0, 1]"},
        {SMALL_PAIRS, "{", "\"t_max\":1", "\"t_max\":1.5", SMALL_NOT_READ, "t_max is not in [0, 1]"},
        {SMALL_PAIRS, "{", "\"t_max\":1", "\"t_max\":-1", SMALL_NOT_READ, "t_max is not in [0, 1]"},
        {SMALL_PAIRS, "{", "\"t_max\":1", "\"t_max\":1e999", SMALL_NOT_READ, "finite"},
        {SMALL_PAIRS, "{", "certificate 2", "certificate 4", SMALL_NOT_READ, "not one of the words"},
        {SMALL_PAIRS, "{", "certificate 2", "certificate 1", SMALL_NOT_READ, "radii"},
        {SMALL_PAIRS, "{", "certificate 2", "certificate 3", SMALL_NOT_READ, "is missing"},
        {SMALL_PAIRS, "{", "\"t_max\":1,", "", SMALL_NOT_READ, "\"t_max\" is missing"},
        {SMALL_PAIRS, "{", "\"t_max\":1,", "\"t_max\":1,\"groups\":null,", SMALL_NOT_READ, "is for format 3"},
        {SMALL_PAIRS, "\"free\"", "true,\"t0\":0.125", "false,\"t0\":0.125", SMALL_NOT_READ, "expected true"},
        {SMALL_PAIRS, "\"free\"", "\"volume\":true,", "", SMALL_NOT_READ, "one proof"},
        {SMALL_PAIRS, "\"free\"", "\"volume\":true,", "\"volume\":true,\"exact\":true,", SMALL_NOT_READ, "one proof"},
        {SMALL_PAIRS, "\"free\"", "\"t0\":0,", "", SMALL_NOT_READ, "a piece has t0, t1"},
        {SMALL_PAIRS, "\"free\"", "[0,0,-1]", "[0,0,-1,0]", SMALL_NOT_READ, "more than 3 numbers"},
        {SMALL_PAIRS, "\"hit\":{", "{\"at\":[0.25,0.25]}", "{}", SMALL_NOT_READ, "one proof, or null"},
        {SMALL_PAIRS, "\"hit\":{", "{\"at\"", "{\"exact\":true,\"at\"", SMALL_NOT_READ, "one proof, or null"},
        {SMALL_PAIRS, "\"hit\":{", "{\"at\":[0.25,0.25]}", "{\"touching\":true}", SMALL_ACCEPTED, ""},
        {SMALL_PAIRS, "\"hit\":{", "{\"at\":[0.25,0.25]}", "{\"crossing\":true}", SMALL_REJECTED, "does not cross"},
        {SMALL_PAIRS, "\"hit\":{", "0.25,0.25", "0.75,0.75", SMALL_REJECTED, "not close enough"},
        {SMALL_PAIRS, "\"x0\"", "[0,1,0]]", "[0,1,0],[0,0,0]]", SMALL_NOT_READ, "more than 4 rows"},
        {SMALL_PAIRS, "\"x0\"", ",[0,1,0]]", "]", SMALL_NOT_READ, "x0: a pair of kind vf has 4 rows"},
        {SMALL_PAIRS, "\"x1\"", ",[0,1,0]]", "]", SMALL_NOT_READ, "x1: a pair of kind vf has 4 rows"},
        {SMALL_PAIRS, "\"radii\"", "[0,0,0,0]", "[0,0,0]", SMALL_NOT_READ, "radii: a pair of kind vf has 4 rows"},
        {SMALL_PAIRS, "\"radii\"", "[0,0,0,0]", "[0,0,0,0,0]", SMALL_NOT_READ, "more than 4"},
        {SMALL_PAIRS, "\"radii\"", "[0,0,0,0]", "[0,0,-1,0]", SMALL_NOT_READ, "negative"},
        {SMALL_PAIRS, "\"radii\"", "\"radii\":[0,0,0,0],", "", SMALL_NOT_READ, "radii is missing"},
        {SMALL_PAIRS, "\"kind\"", "\"kind\":\"vf\",", "", SMALL_NOT_READ, "kind is missing"},
        {SMALL_PAIRS, "\"kind\"", "\"kind\":\"vf\",", "\"kind\":\"vv\",", SMALL_NOT_READ, "not one of the words"},
        {SMALL_PAIRS, "\"kind\"", "\"index\":3,", "\"index\":3,\"index\":3,", SMALL_NOT_READ, "occurs twice"},
        {SMALL_PAIRS, "\"pp\"", "[1,0,0]", "[0,1,0]", SMALL_REJECTED, "does not separate"},
        {SMALL_PAIRS, "\"pp\"", "\"toi_upper\":null", "\"toi_upper\":1", SMALL_REJECTED, "contact is claimed"},
        {SMALL_PAIRS, "{", "[\n{\"kind\"", "[]}x[{\"kind\"", SMALL_NOT_READ, "follows the certificate"},
        {SMALL_PAIRS, "{", "{\"kind\"", "0,{\"kind\"", SMALL_NOT_READ, "expected a pair"},
    };
    TRY_EDITS(edits);
}

TEST(each_rule_of_steps_is_asked_for) {
    static const edit edits[] = {
        {SMALL_STEP, "\"mesh\"", "cdef\"", "cde\"", SMALL_NOT_READ, "64 hexadecimal digits"},
        {SMALL_STEP, "\"mesh\"", "cdef\"", "cdeg\"", SMALL_NOT_READ, "64 hexadecimal digits"},
        {SMALL_STEP, "\"mesh\"", "cdef\"", "cdeff\"", SMALL_NOT_READ, "64 hexadecimal digits"},
        {SMALL_STEP, "\"mesh\"", "[0,0,1,1,2]", "[0,0,1,1]", SMALL_NOT_READ, "4 groups for 5 vertices"},
        {SMALL_STEP, "\"mesh\"", "[0,0,1,1,2]", "[0,0,1,1,-2]", SMALL_NOT_READ, "negative"},
        {SMALL_STEP, "\"mesh\"", "[0,0,1,1,2]", "[0,0,1,1,0]", SMALL_REJECTED, "no such pair"},
        {SMALL_STEP, "\"mesh\"", "[0,0,1,1,2]", "null", SMALL_ACCEPTED, ""},
        {SMALL_STEP, "\"mesh\"", "[0.25,0.25,0.25,0.25,0.5]", "[0.25,0.25,0.25,0.25]", SMALL_NOT_READ, "4 radii for 5"},
        {SMALL_STEP, "\"mesh\"", "[0.25,0.25,0.25,0.25,0.5]", "[0.25,0.25,0.25,0.25,0.25]", SMALL_REJECTED, "radii"},
        {SMALL_STEP, "\"mesh\"", "\"candidates\":3", "\"candidates\":4", SMALL_REJECTED, "4 candidates are claimed"},
        {SMALL_STEP, "{", "certificate 3", "certificate 2", SMALL_NOT_READ, "is for format 3"},
        {SMALL_STEP, "\"ee\"", "\"a\":0,", "", SMALL_REJECTED, "do not name a pair"},
        {SMALL_STEP, "\"ee\"", "\"b\":1,", "", SMALL_REJECTED, "do not name a pair"},
        {SMALL_STEP, "\"ee\"", "\"a\":0,", "\"a\":-1,", SMALL_REJECTED, "do not name a pair"},
        {SMALL_STEP, "\"ee\"", "\"a\":0,", "\"a\":4294967296,", SMALL_REJECTED, "do not name a pair"},
        {SMALL_STEP, "\"ee\"", "\"a\":0,", "\"a\":0.5,", SMALL_REJECTED, "do not name a pair"},
        {SMALL_STEP, "\"ee\"", "\"b\":1,", "\"b\":0.5,", SMALL_REJECTED, "do not name a pair"},
        {SMALL_STEP, "\"ee\"", "\"a\":0,", "\"a\":2,", SMALL_REJECTED, "no such pair"},
        {SMALL_STEP, "\"ee\"", "\"b\":1,", "\"b\":2,", SMALL_REJECTED, "no such pair"},
        {SMALL_STEP, "\"ee\"", "\"a\":0,\"b\":1", "\"a\":1,\"b\":0", SMALL_REJECTED, "a is not less than b"},
        {SMALL_STEP, "\"ee\"", "\"a\":0,\"b\":1", "\"a\":1,\"b\":1", SMALL_REJECTED, "a is not less than b"},
        {SMALL_STEP, "\"pe\"", "\"a\":4", "\"a\":3", SMALL_REJECTED, "no such pair"},
        {SMALL_STEP, "\"x0\"", "[0,0,0]", "[0,0,1]", SMALL_REJECTED, "coordinates"},
        {SMALL_STEP, "\"x1\"", "[0,0,0]", "[0,1,0]", SMALL_REJECTED, "coordinates"},
        {SMALL_STEP, "\"x1\"", "[0,0,0]", "[1,0,0]", SMALL_REJECTED, "coordinates"},
        {SMALL_STEP, "\"x1\"", "[0.25,0.25,0.25,0.25]", "[0.25,0.25,0.25,0]", SMALL_REJECTED, "radii"},
    };
    TRY_EDITS(edits);
    small_text text = small_read(SMALL_PAIRS);
    char why[VERIFY_TEXT];
    CHECK(small_status(text, &small_mesh, 1, 0, why) == SMALL_NOT_READ && strstr(why, "names no mesh"));
    free(text.bytes);
}

TEST(each_rule_of_links_is_asked_for) {
    static const edit edits[] = {
        {SMALL_PATHS, "{", "\"separation\"", "\"t_max\"", SMALL_NOT_READ, "expected \"separation\""},
        {SMALL_PATHS, "{", "\"parent\":-1", "\"parent\":-2", SMALL_NOT_READ, "not a whole number in its range"},
        {SMALL_PATHS, "{", "\"parent\":-1", "\"parent\":-0.5", SMALL_NOT_READ, "not a whole number in its range"},
        {SMALL_PATHS, "{", "\"padding\":0.0625", "\"padding\":-0.5", SMALL_NOT_READ, "padding: it is negative"},
        {SMALL_PATHS, "\"models\":", "{\"links\":[", "{\"links\":[]},{\"links\":[", SMALL_NOT_READ,
         "a model without links"},
        {SMALL_PATHS, "{", "[0,1,2]", "[0,1,3]", SMALL_NOT_READ, "not a whole number in its range"},
        {SMALL_PATHS, "{", "\"separation\":0.25", "\"separation\":-1", SMALL_NOT_READ, "negative"},
        {SMALL_PATHS, "{", "\"t_max\":0.5", "\"t_max\":0", SMALL_NOT_READ, "t_max is not in (0, 1]"},
        {SMALL_PATHS, "{", "\"t_max\":0.5", "\"t_max\":1.5", SMALL_NOT_READ, "t_max is not in (0, 1]"},
        {SMALL_PATHS, "\"skip\"", "[0,2],", "[0,1],", SMALL_NOT_READ, "links that are no pair"},
        {SMALL_PATHS, "\"skip\"", "[0,2],", "[2,3],", SMALL_NOT_READ, "links that are no pair"},
        {SMALL_PATHS, "\"skip\"", "[0,2],", "[2,0],", SMALL_NOT_READ, "links that are no pair"},
        {SMALL_PATHS, "\"skip\"", "[0,2],[1,3]", "[1,3],[0,2]", SMALL_NOT_READ, "not in order"},
        {SMALL_PATHS, "\"skip\"", "[0,2],[1,3]", "[0,3],[0,2]", SMALL_NOT_READ, "not in order"},
        {SMALL_PATHS, "\"skip\"", "[0,2],[1,3]", "[0,2],[0,2]", SMALL_NOT_READ, "not in order"},
        {SMALL_PATHS, "\"skip\"", "[0,2],[1,3]", "[0,2],[0,4]", SMALL_NOT_READ, "not a whole number in its range"},
        {SMALL_PATHS, "\"skip\"", "[0,2],[1,3]", "[0,2],[0,3]", SMALL_NOT_READ, "expected the proof of links 1 and 2"},
        {SMALL_PATHS, "\"motions\"", "\"from\":[0,0,0,0]", "\"from\":[0,0,0,0,0]", SMALL_NOT_READ,
         "more than 4 values"},
        {SMALL_PATHS, "\"motions\"", "\"from\":[0,0,0,0]", "\"from\":[0,0,0]", SMALL_NOT_READ, "fewer than 4 values"},
        {SMALL_PATHS, "\"motions\"", ",\"screws\":[0,1]", ",\"screws\":[0,1],\"turns\":[null,null]", SMALL_NOT_READ,
         "come last"},
        {SMALL_PATHS, "\"screws\"", "[0,1]", "[0,2]", SMALL_NOT_READ, "not a whole number in its range"},
        {SMALL_PATHS, "\"screws\"", "[0,1]", "[1,0]", SMALL_REJECTED, "neither planar nor free"},
        {SMALL_PATHS, "\"to\"", "0.125,", "1048577,", SMALL_REJECTED, "beyond 2^20"},
        {SMALL_PATHS, "\"from\"", "[0,", "[1048577,", SMALL_REJECTED, "beyond 2^20"},
        {SMALL_PATHS, "\"cubic\"", "0,0.125,0.25,0.25", "0,0,1048577,0", SMALL_REJECTED, "beyond 2^20"},
        {SMALL_PATHS, "{", "\"axis\":[0,0,1]", "\"axis\":[0,0,0]", SMALL_REJECTED, "an axis that is zero"},
        {SMALL_PATHS, "{", "\"rotation\":[1,0,0,0]", "\"rotation\":[0,0,0,0]", SMALL_REJECTED,
         "a rotation that is zero"},
        {SMALL_PATHS, "\"pairs\"", "\"links\":[0,3]", "\"links\":[0,2]", SMALL_NOT_READ,
         "expected the proof of links 0 and 3"},
        {SMALL_PATHS, "\"pairs\"", "\"links\":[0,3]", "\"links\":[1,3]", SMALL_NOT_READ,
         "expected the proof of links 0 and 3"},
        {SMALL_PATHS, "\"pairs\"", ",{\"links\":[1,2],\"proof\":\"t(1,0,0)X\"}", "", SMALL_NOT_READ, "have no proof"},
        {SMALL_PATHS, "t(1", "t(1,0,0)X", "t(1,0,0)X\\u0058", SMALL_REJECTED, "goes on"},
        {SMALL_PATHS, "t(1", "(1,0,0)", "(0,0,0)", SMALL_REJECTED, "a direction that is zero"},
        {SMALL_PATHS, "t(1", "(1,0,0)", "(-,0,0)", SMALL_REJECTED, "not whole"},
        {SMALL_PATHS, "t(1", "(1,0,0)", "(01,0,0)", SMALL_REJECTED, "not whole"},
        {SMALL_PATHS, "t(1", "(1,0,0)", "(123456789012345678,0,0)", SMALL_ACCEPTED, ""},
        {SMALL_PATHS, "t(1", "(1,0,0)", "(1234567890123456789,0,0)", SMALL_REJECTED, "too long"},
        {SMALL_PATHS, "t(1", "(1,0,0)", "(1/,0,0)", SMALL_REJECTED, "three numbers"},
        {SMALL_PATHS, "t(1", "(1,0,0)", "(0,1,0)", SMALL_REJECTED, "not apart"},
        {SMALL_PATHS, "t(1", "t(1,0,0)X", "t(1,0,0)", SMALL_REJECTED, "ends before"},
        {SMALL_PATHS, "t(1", "t(1,0,0)X", "t(1,0,0)X-", SMALL_REJECTED, "goes on"},
        {SMALL_PATHS, "t(1", "t(1,0,0)X", "tX-", SMALL_REJECTED, "means nothing"},
        {SMALL_PATHS, "t(1", "t(1,0,0)X", "t(", SMALL_REJECTED, "not whole"},
        {SMALL_PATHS, "t(1", "t(1,0,0)X", "t(-", SMALL_REJECTED, "not whole"},
        {SMALL_PATHS, "t(1", "t(1,0,0)X", "t(1", SMALL_REJECTED, "three numbers"},
        {SMALL_PATHS, "t(1", "t(1,0,0)X", "a", SMALL_REJECTED, "cannot be split"},
        {SMALL_PATHS, "t(1", "t(1,0,0)X", "Kx", SMALL_REJECTED, "not given before"},
    };
    TRY_EDITS(edits);
}

TEST(each_rule_of_rotation_vectors_is_asked_for) {
    static const edit edits[] = {
        {SMALL_BALLS, "\"from\"", "[0,0,0,0,0,0,0,0,0]", "[1048577,0,0,0,0,0,0,0,0]", SMALL_REJECTED, "beyond 2^20"},
        {SMALL_BALLS, "\"from\"", "[0,0,0,0,0,0,0,0,0]", "[0,1048577,0,0,0,0,0,0,0]", SMALL_REJECTED, "beyond 2^20"},
        {SMALL_BALLS, "\"from\"", "[0,0,0,0,0,0,0,0,0]", "[0,0,-1048577,0,0,0,0,0,0]", SMALL_REJECTED, "beyond 2^20"},
        {SMALL_BALLS, "\"to\"", "[0,0,0.5,", "[0,0,1048577,", SMALL_REJECTED, "beyond 2^20"},
        {SMALL_BALLS, "\"turns\"", "[0,0,1]", "[0,0,1048577]", SMALL_REJECTED, "beyond 2^20"},
        {SMALL_BALLS, "\"turns\"", "[0,0,1]", "[0,0,0]", SMALL_ACCEPTED, ""},
        {SMALL_BALLS, "\"turns\"", "[0,0,1.5]", "[0,0,0]", SMALL_ACCEPTED, ""}, /* a screw without a turn */
        {SMALL_BALLS, "\"turns\"", "[0,0,1.5]", "[0,0,6.283185307179586]", SMALL_REJECTED, ""}, /* nearly a whole one */
        {SMALL_BALLS, "\"to\"", "[0,0,0.5,", "[0,0,0,", SMALL_ACCEPTED, ""},
        {SMALL_BALLS, "\"to\"", "[0,0,0.5,", "[0,0,1e-40,", SMALL_ACCEPTED, ""},
        {SMALL_BALLS, "\"to\"", "[0,0,0.5,", "[0,0,1e-25,", SMALL_ACCEPTED, ""},
        {SMALL_BALLS, "\"to\"", "[0,0,0.5,", "[0,0,5.5,", SMALL_ACCEPTED, ""}, /* the other way round is shorter */
        {SMALL_BALLS, "\"screws\"", "[0,1]", "[1,1]", SMALL_REJECTED, "neither planar nor free"},
        {SMALL_BALLS, "{", "spherical", "prismatic", SMALL_NOT_READ, "more than 7 values"},
        {SMALL_PATHS, "{", "planar", "spherical", SMALL_REJECTED, "neither planar nor free"},
        {SMALL_PATHS, "\"screws\"", "[0,1]", "[0,0]", SMALL_ACCEPTED, ""},
        {SMALL_PATHS, "\"to\"", "0.125]", "0]", SMALL_ACCEPTED, ""}, /* a screw that does not turn */
        {SMALL_PATHS, "\"to\"", "0.125]", "1e-300]", SMALL_ACCEPTED, ""},
        {SMALL_PATHS, "\"turns\"", ",\"screws\":[0,1]", "", SMALL_ACCEPTED, ""},
    };
    TRY_EDITS(edits);
    edit whole = {
        SMALL_BALLS, "\"turns\"", "[0,0,1.5]", "[0,0,916697.8867615801]", SMALL_REJECTED, "whole number of turns"};
    try_edit(&whole); /* 145897 circles to within 2^-49: the chord of such a screw is 2^-138 of its length */
    edit half = {SMALL_BALLS,    "\"to\"",       "[0,0,0.5,", "[3.688845115579543e-16,0,3.141592653589793,",
                 SMALL_REJECTED, "half a circle"};
    try_both(&half, "\"from\":[0,0,0,", "\"from\":[0,0,-1.224646799147353e-16,"); /* to within 2^-160 */
    edit cubic = {SMALL_PATHS, "{", "planar", "spherical", SMALL_REJECTED, "a curved path"};
    edit spline = {SMALL_PLAN, "{", "prismatic", "spherical", SMALL_REJECTED, "a curved path"};
    try_both(&cubic, "[0,1]}", "[0,0]}");
    try_both(&spline, "[[-3],[-2],[-3]]", "[[0,0,0],[0,0,0],[0,0,0]]");
}

TEST(each_rule_of_plans_is_asked_for) {
    static const edit edits[] = {
        {SMALL_PLAN, "{", "\"degree\":1", "\"degree\":0", SMALL_NOT_READ, "not a whole number in its range"},
        {SMALL_PLAN, "{", "\"degree\":1", "\"degree\":8", SMALL_NOT_READ, "not a whole number in its range"},
        {SMALL_PLAN, "{", "[0,0,1,2,2]", "[0,0,1,2]", SMALL_NOT_READ, "4 knots for 3 control points"},
        {SMALL_PLAN, "{", "[0,0,1,2,2]", "[0,0,3,2,2]", SMALL_NOT_READ, "must not decrease"},
        {SMALL_PLAN, "{", "[0,0,1,2,2]", "[-1,0,1,2,3]", SMALL_ACCEPTED, ""}, /* knots beyond both ends */
        {SMALL_PLAN, "{", "[0,0,1,2,2]", "[0,0,1,3,3]", SMALL_NOT_READ, "begin or end at different times"},
        {SMALL_PLAN, "{", "[0,0,0,2,2,2]", "[-1,-1,-1,2,2,2]", SMALL_NOT_READ, "begin or end at different times"},
        {SMALL_PLAN, "{", "[0,0,1,2,2]", "[0,0,0,2,2]", SMALL_NOT_READ, "pieces: more than the knots make"},
        {SMALL_PLAN, "{", "\"control\":[[-3],[-2],[-3]]", "\"control\":[]", SMALL_NOT_READ, "without control points"},
        {SMALL_PLAN, "{", "null,", "{\"degree\":1,\"knots\":[0,0,2,2],\"control\":[]},", SMALL_NOT_READ,
         "without values"},
        {SMALL_PLAN, "{", "[[-3],[-2],[-3]]", "[[-3],[1048577],[-3]]", SMALL_REJECTED, "not apart"}, /* no angle */
        {SMALL_PLAN, "{", "\"prismatic\"", "\"revolute\"", SMALL_REJECTED, "not apart"},
        {SMALL_PLAN, "\"pieces\"", "{\"pairs\":[{\"links\":[0,1],\"proof\":\"tXX\"}",
         "{\"pairs\":[{\"links\":[0,1],\"proof\":\"tX\"}", SMALL_REJECTED, "ends before"},
    };
    TRY_EDITS(edits);
    edit turned = {SMALL_PLAN, "{", "prismatic", "revolute", SMALL_REJECTED, "not apart"};
    try_edit(&turned);
}

TEST(each_rule_of_ranges_is_asked_for) {
    static const edit edits[] = {
        {SMALL_RANGES, "{", "\"separation\":0.25", "\"separation\":-1", SMALL_NOT_READ, "negative"},
        {SMALL_RANGES, "\"ranges\"", "[0,1]", "[1,0]", SMALL_NOT_READ, "a lower limit above the upper one"},
        {SMALL_RANGES, "\"ranges\"", "\"follows\":0", "\"follows\":1", SMALL_NOT_READ, "follows a follower"},
        {SMALL_RANGES, "\"ranges\"", "\"follows\":0", "\"follows\":2", SMALL_NOT_READ,
         "not a whole number in its range"},
        {SMALL_RANGES, "\"ranges\"", "\"follows\":0", "\"follows\":-1", SMALL_NOT_READ,
         "not a whole number in its range"},
        {SMALL_RANGES, "\"touch\"", "[1,null]", "[1,0]", SMALL_NOT_READ, "follows another is null"},
        {SMALL_RANGES, "\"touch\"", "[1,null]", "[2,null]", SMALL_NOT_READ, "beyond its limits"},
        {SMALL_RANGES, "\"touch\"", "[1,null]", "[-1,null]", SMALL_NOT_READ, "beyond its limits"},
        {SMALL_RANGES, "\"at\"", "[0.5,0,0,0]", "[-0.5,0,0,0]", SMALL_NOT_READ, "beyond its triangle"},
        {SMALL_RANGES, "\"at\"", "[0.5,0,0,0]", "[0.5,-0.5,0,0]", SMALL_NOT_READ, "beyond its triangle"},
        {SMALL_RANGES, "\"at\"", "[0.5,0,0,0]", "[1.5,0,0,0]", SMALL_NOT_READ, "beyond its triangle"},
        {SMALL_RANGES, "\"at\"", "[0.5,0,0,0]", "[0.5,1.5,0,0]", SMALL_NOT_READ, "beyond its triangle"},
        {SMALL_RANGES, "\"at\"", "[0.5,0,0,0]", "[0.75,0.5,0,0]", SMALL_NOT_READ, "beyond its triangle"},
        {SMALL_RANGES, "\"at\"", "[0.5,0,0,0]", "[0.5,0,0.75,0.5]", SMALL_NOT_READ, "beyond its triangle"},
        {SMALL_RANGES, "\"at\"", "[0.5,0,0,0]", "[0.5,0.5,0,0]", SMALL_REJECTED, "not seen to touch"},
        {SMALL_RANGES, "\"at\"", "[0.5,0,0,0]", "[0.5,1e-300,0,0]", SMALL_ACCEPTED, ""}, /* between two units */
        {SMALL_RANGES, "\"at\"", "[0.5,0,0,0]", "[1e-300,0,1,1e-300]", SMALL_NOT_READ, "beyond its triangle"},
        {SMALL_RANGES, "\"faces\"", ",\"at\":[0.5,0,0,0]", "", SMALL_REJECTED, "not seen to touch"},
        {SMALL_RANGES, "\"touch\"", "\"faces\":[0,0]", "\"faces\":[0,1]", SMALL_NOT_READ,
         "not a whole number in its range"},
        {SMALL_RANGES, "\"pairs\"", "\"links\":[0,1]", "\"links\":[0,2]", SMALL_NOT_READ, "expected links 0 and 1"},
        {SMALL_RANGES, "\"pairs\"", "\"links\":[0,1]", "\"links\":[1,1]", SMALL_NOT_READ, "expected links 0 and 1"},
        {SMALL_RANGES, "\"pairs\"", "\"clear\":\"z\"", "\"clear\":\"x\"", SMALL_REJECTED, "not apart"},
        {SMALL_RANGES, "\"pairs\"", "\"clear\":\"z\"", "\"clear\":\"hz\"", SMALL_ACCEPTED, ""},
        {SMALL_RANGES, "\"pairs\"", "\"clear\":\"z\"", "\"clear\":\"z\",\"open\":1", SMALL_NOT_READ, "}"},
        {SMALL_RANGES, "\"pairs\"", "\"clear\":\"z\"", "\"shut\":\"z\"", SMALL_NOT_READ, "unknown name"},
        {SMALL_RANGES, "\"pairs\"", "\"open\":0.5", "\"open\":1.5", SMALL_NOT_READ, "not in [0, 1]"},
        {SMALL_RANGES, "\"pairs\"", "\"open\":0.5", "\"open\":-0.5", SMALL_NOT_READ, "not in [0, 1]"},
        {SMALL_RANGES, "\"pairs\"", "\"open\":0.5", "\"open\":0.25", SMALL_REJECTED, "more is given up"},
        {SMALL_RANGES, "\"pairs\"", "\"open\":0.5,\"rest\":\"c<0>u(0,0,1)\"", "\"open\":0.5", SMALL_NOT_READ,
         "the rest is missing"},
        {SMALL_RANGES, "\"pairs\"", "\"open\":0.5,\"rest\":\"c<0>u(0,0,1)\"", "\"open\":1", SMALL_ACCEPTED, ""},
        {SMALL_RANGES, "\"pairs\"", "c<0>u(0,0,1)", "c<0>u(0,0,0)", SMALL_REJECTED, "a direction that is zero"},
        {SMALL_RANGES, "\"pairs\"", "c<0>u(0,0,1)", "c<0>u(0,0,1", SMALL_REJECTED, "three numbers"},
        {SMALL_RANGES, "\"pairs\"", "c<0>u(0,0,1)", "c<0>u(0,0,-", SMALL_REJECTED, "not whole"},
        {SMALL_RANGES, "\"pairs\"", "c<0>u(0,0,1)", "c<0>u(", SMALL_REJECTED, "not whole"},
        {SMALL_RANGES, "\"pairs\"", "c<0>u(0,0,1)", "c<0>u(0,0,01)", SMALL_REJECTED, "not whole"},
        {SMALL_RANGES, "\"pairs\"", "c<0>u(0,0,1)", "c<0>u(0,0,1234567890123456789)", SMALL_REJECTED, "too long"},
        {SMALL_RANGES, "\"pairs\"", "c<0>u(0,0,1)", "c", SMALL_REJECTED, "how to cut"},
        {SMALL_RANGES, "\"pairs\"", "c<0>u(0,0,1)", "c(0>", SMALL_REJECTED, "how to cut"},
        {SMALL_RANGES, "\"pairs\"", "c<0>u(0,0,1)", "c<x>", SMALL_REJECTED, "how to cut"},
        {SMALL_RANGES, "\"pairs\"", "c<0>u(0,0,1)", "c<0", SMALL_REJECTED, "how to cut"},
        {SMALL_RANGES, "\"pairs\"", "c<0>u(0,0,1)", "c<0)u(0,0,1)", SMALL_REJECTED, "how to cut"},
        {SMALL_RANGES, "\"pairs\"", "c<0>u(0,0,1)", "c<1>u(0,0,1)", SMALL_REJECTED, "not between the links"},
        {SMALL_RANGES, "\"pairs\"", "c<0>u(0,0,1)", "c<0>zz", SMALL_ACCEPTED, ""}, /* it gives up less than it says */
        {SMALL_RANGES, "\"pairs\"", "c<0>u(0,0,1)", "c<0>zu", SMALL_ACCEPTED, ""},
        {SMALL_RANGES, "\"pairs\"", "c<0>u(0,0,1)", "c<0>uu", SMALL_REJECTED, "more is given up"},
        {SMALL_RANGES, "\"pairs\"", "c<0>u(0,0,1)", "cu", SMALL_REJECTED, "more is given up"},
        {SMALL_RANGES, "\"pairs\"", "c<0>u(0,0,1)", "0", SMALL_REJECTED, "not given before"},
        {SMALL_RANGES, "\"pairs\"", "c<0>u(0,0,1)", "?", SMALL_REJECTED, "means nothing"},
        {SMALL_RANGES, "\"pairs\"", "c<0>u(0,0,1)", "z-", SMALL_REJECTED, "goes on"},
        {SMALL_RANGES, "\"inside\"", "\"inside\":[0,0]", "\"inside\":[1,0]", SMALL_REJECTED, "not seen to be inside"},
        {SMALL_RANGES, "\"inside\"", "\"inside\":[0,0]", "\"inside\":[0,1]", SMALL_NOT_READ,
         "not a whole number in its range"},
        {SMALL_RANGES, "\"inside\"", "\"inside\":[0,0]", "\"inside\":[2,0]", SMALL_NOT_READ,
         "not a whole number in its range"},
        {SMALL_RANGES, "\"pairs\"", "\"inside\":true", "\"inside\":false", SMALL_NOT_READ, "expected true"},
        {SMALL_RANGES, "\"pairs\"", "\"touch\":[1,null],\"inside\":true", "\"clear\":\"u\"", SMALL_REJECTED,
         "given up"},
        {SMALL_RANGES, "\"pairs\"", "\"touch\":[1,null],\"faces\":[0,0],\"at\":[0.5,0,0,0]",
         "\"touch\":[1,null],\"inside\":true", SMALL_REJECTED, "neither link"},
        {SMALL_RANGES, "{", "prismatic", "revolute", SMALL_REJECTED, "not seen to touch"},
    };
    TRY_EDITS(edits);
}

TEST(what_ends_within_an_escape_is_refused) {
    static const char *const texts[] = {"{\"\\",        "{\"a\\u",     "{\"\\u00", "{\"\\ud800",
                                        "{\"\\ud800\\", "{\"\xe2\x82", "{\"\xf0",  "{\"a"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        small_text text = small_copy(texts[i], strlen(texts[i]));
        char why[VERIFY_TEXT];
        CHECK_MSG(small_status(text, NULL, 1, VERIFY_WORK_PATHS, why) == SMALL_NOT_READ && why[0], "%zu: %s", i, why);
        free(text.bytes);
    }
}

TEST(what_begins_as_no_certificate_of_links_is_none) {
    static const struct {
        const char *text;
        size_t size;
        bool paths, ranges;
    } texts[] = {{" \t\r\n{ \"format\"\n: \"graze path certificate 1\"", 45, true, false},
                 {"{\"format\":\"graze plan certificate 1\"", 36, true, false},
                 {"{\"format\":\"graze range certificate 1\"", 37, false, true},
                 {"{\"format\":\"graze range certificate 1\"", 36, false, false},
                 {"  ", 2, false, false},
                 {"", 0, false, false},
                 {"{\0\"format\":\"graze plan certificate 1\"", 37, false, false},
                 {"{\"format\":\"graze plan certificate 2\"", 36, false, false}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        small_text text = small_copy(texts[i].text, texts[i].size);
        CHECK_MSG(verify_is_path_text(text.bytes, text.size) == texts[i].paths, "%zu", i);
        CHECK_MSG(verify_is_range_text(text.bytes, text.size) == texts[i].ranges, "%zu", i);
        free(text.bytes);
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
