/* The checked JSON reader: what it takes, what it refuses and where it says that is. */
#include "check.h"

#include "io/json_reader.h"
#include "io/number.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static io_error error;

static bool parse(const char *text, io_json_file *file) {
    error.message[0] = '\0';
    return io_json_parse((io_source){"f.json", text, strlen(text)}, file, &error);
}

static void refused(const char *text, const char *words) {
    io_json_file file;
    bool taken = parse(text, &file);
    CHECK_MSG(!taken && strstr(error.message, words) && strncmp(error.message, "f.json", 6) == 0, "%s: %s", text,
              error.message);
    if (taken) io_json_free(&file);
}

TEST(values_keep_their_kind_key_line_and_order) {
    io_json_file file;
    CHECK(parse("\xef\xbb\xbf {\"a\":[1,-2.5e-1,0.125E2],\n\"b\":{\"c\":null,\"d\":true},\r\n\"e\":\"x\"}", &file));
    const io_json *a = io_json_get(file.root, "a"), *b = io_json_get(file.root, "b"), *e = io_json_get(file.root, "e");
    double x[3] = {0};
    CHECK(a && b && e && a->line == 1 && b->line == 2 && e->line == 3);
    CHECK(io_json_numbers(&file, a, 3, x) && x[0] == 1 && x[1] == -0.25 && x[2] == 12.5);
    CHECK(b->kind == IO_JSON_OBJECT && b->count == 2 && b->items[0].kind == IO_JSON_NULL && b->items[1].truth);
    CHECK(e->kind == IO_JSON_TEXT && strcmp(e->text, "x") == 0 && strcmp(e->key, "e") == 0 && e->parent == file.root);
    CHECK(!io_json_get(file.root, "x") && !io_json_get(NULL, "x") && !io_json_get(a, "x"));
    io_json_free(&file);
}

TEST(texts_are_unescaped_into_utf8) {
    io_json_file file;
    CHECK(parse("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\",\"\\u00e9\\u20AC\\ud83d\\ude00\",\"\"]", &file));
    CHECK(strcmp(file.root->items[0].text, "\"\\/\b\f\n\r\t") == 0);
    CHECK(strcmp(file.root->items[1].text, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80") == 0);
    CHECK(file.root->items[2].text[0] == '\0');
    io_json_free(&file);
    static const char *const bad[] = {"\"\\ud83d\"", "\"\\ude00\"", "\"\\ud83d\\u0041\"", "\"\\u12g4\"",
                                      "\"\\x\"",     "\"\\u0000\"", "\"a\nb\"",           "\"",
                                      "\"\\",        "\"\\u12"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) refused(bad[i], "f.json:1: not JSON");
}

TEST(what_is_no_json_is_refused_with_its_line) {
    static const char *const bad[] = {"",       "{",         "[1,]",   "[1 2]", "{\"a\"}", "{\"a\":}",  "{\"a\":1,}",
                                      "{a:1}",  "[NaN]",     "[1,5",   "nul",   "truE",    "Infinity",  "[-]",
                                      "[01]",   "[1.]",      "[.5]",   "[+1]",  "[1e]",    "[1.5e+]",   "[0x10]",
                                      "[--1]",  "[1.2.3]",   "{}{}",   "[1]x",  "'a'",     "[\"a\" 1]", "[1e5.5]",
                                      "[1,5,]", "[[[[[[1]]", "// a\n1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char later[100];
        refused(bad[i], "f.json:1: not JSON");
        snprintf(later, sizeof later, "\n\n%s", bad[i]);
        refused(later, "f.json:3: not JSON");
    }
}

TEST(a_key_twice_is_refused_however_many_there_are) {
    refused("{\"a\":1,\"b\":2,\n\"a\":1}", "f.json:2: a: is there twice");
    refused("[{\"x\":{\"\\u0061\":1,\"a\":2}}]", "[0].x.a: is there twice");
    enum { COUNT = 100000 };
    char *text = malloc(COUNT * 16), *at = text + 1;
    text[0] = '{';
    for (int i = 0; i < COUNT; i++) at += sprintf(at, "\"%d\":0,", i);
    strcpy(at, "\"777\":0}");
    refused(text, "777: is there twice");
    free(text);
}

TEST(levels_are_limited) {
    char text[200] = "";
    memset(text, '[', 65);
    refused(text, "more than 64 levels");
    memset(text, '[', 64);
    memset(text + 64, ']', 64);
    text[128] = '\0';
    io_json_file file;
    CHECK(parse(text, &file));
    io_json_free(&file);
}

TEST(errors_name_line_and_path) {
    io_json_file file;
    double x;
    const char *text;
    bool truth;
    CHECK(parse("{\"bodies\":[0,\n{\"shape\":{\"kind\":1e999}}]}", &file));
    const io_json *body = &io_json_get(file.root, "bodies")->items[1], *shape = io_json_get(body, "shape");
    const io_json *kind = io_json_get(shape, "kind"), *missing;
    CHECK(!io_json_number(&file, kind, &x));
    CHECK_MSG(strcmp(error.message, "f.json:2: bodies[1].shape.kind: is not finite") == 0, "%s", error.message);
    CHECK(!io_json_text(&file, kind, &text) && strstr(error.message, "must be a text"));
    CHECK(!io_json_boolean(&file, kind, &truth) && strstr(error.message, "true or false"));
    CHECK(!io_json_list(&file, shape) && strstr(error.message, "must be a list"));
    CHECK(!io_json_numbers(&file, shape, 2, &x) && strstr(error.message, "list of 2 numbers"));
    CHECK(!io_json_number(&file, shape, &x) && strstr(error.message, "must be a number"));
    CHECK(!io_json_keys(&file, kind, "a b") && strstr(error.message, "must be an object"));
    CHECK(!io_json_need(&file, shape, "size", &missing) && strstr(error.message, "\"size\" is missing"));
    io_json_free(&file);
}

TEST(an_unknown_key_names_the_nearest_known_one) {
    static const struct {
        const char *given, *meant;
    } cases[] = {{"seperation", "separation"},
                 {"axix", "axis"},
                 {"Axis", "axis"},
                 {"toleranec", "tolerance"},
                 {"path ", "path"},
                 {"form", "from"},
                 {"", "to"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        io_json_file file;
        char text[100], wanted[100];
        snprintf(text, sizeof text, "{\"axis\":1,\"%s\":2}", cases[i].given);
        snprintf(wanted, sizeof wanted, "f.json:1: unknown key \"%s\": did you mean \"%s\"?", cases[i].given,
                 cases[i].meant);
        CHECK(parse(text, &file) && !io_json_keys(&file, file.root, "separation axis tolerance path from to"));
        CHECK_MSG(strcmp(error.message, wanted) == 0, "%s (wanted: %s)", error.message, wanted);
        io_json_free(&file);
    }
}

/* Every number that printf writes reads back; a locale with a comma changes nothing. */
TEST(numbers_are_the_same_in_every_locale) {
    static const char *const locales[] = {"C", "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"};
    for (size_t l = 0; l < sizeof locales / sizeof *locales; l++) {
        if (!setlocale(LC_NUMERIC, locales[l])) continue;
        double x = 0;
        CHECK(io_parse_number("1.5", 3, &x) && x == 1.5);
        CHECK(io_parse_number("-12.25e-1x", 9, &x) && x == -1.225);
        CHECK(!io_parse_number("1,5", 3, &x) && !io_parse_number("1.5e", 4, &x) && !io_parse_number("", 0, &x));
        CHECK(!io_parse_number("nan", 3, &x) && !io_parse_number("inf", 3, &x) && !io_parse_number(".", 1, &x));
    }
    setlocale(LC_NUMERIC, "C");
}

TEST(counts_do_not_wrap) {
    size_t n = 7;
    CHECK(io_parse_count("9223372036854775807", 19, &n) && n == INT64_MAX);
    CHECK(!io_parse_count("9223372036854775808", 19, &n) && !io_parse_count("18446744073709551615", 20, &n));
    CHECK(!io_parse_count("-1", 2, &n) && !io_parse_count("", 0, &n) && !io_parse_count("1e3", 3, &n));
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
