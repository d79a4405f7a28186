/* The query format: what is read is exact, what is malformed is an error with file and line. */
#include "check.h"

#include "io/file.h"
#include "io/output.h"
#include "io/query_csv.h"

#include <gmp.h>
#include <unistd.h>

static char folder[] = "/tmp/graze-test-XXXXXX";

static const char *write_text(const char *text) {
    static char path[64];
    if (strstr(folder, "XXXXXX")) CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/q.csv", folder);
    FILE *stream = fopen(path, "w");
    CHECK(stream != NULL);
    if (stream) {
        fputs(text, stream);
        fclose(stream);
    }
    return path;
}

/* 8 rows; row `at` is replaced by `row`. */
static const char *write_rows(int at, const char *row, int rows) {
    char text[4096] = "";
    for (int i = 0; i < rows; i++) {
        strcat(text, i == at ? row : "1,2,-3,4,5,1,1");
        strcat(text, "\n");
    }
    return write_text(text);
}

static void expect_error(const char *path, const char *where, const char *reason) {
    io_queries queries;
    io_error error = {""};
    CHECK(!io_read_query_csv(path, &queries, &error));
    CHECK_MSG(strstr(error.message, where) != NULL, "message: %s", error.message);
    CHECK_MSG(strstr(error.message, reason) != NULL, "message: %s", error.message);
    CHECK(queries.queries == NULL && queries.count == 0);
}

TEST(csv_reads_rationals_exactly) {
    const char *path = write_rows(3,
                                  " 9007199254740993 , 9007199254740993, 1, 2, -5348868689029467, "
                                  "324518553658426726783156020576256, 1",
                                  8);
    io_queries queries;
    io_error error = {""};
    CHECK_MSG(io_read_query_csv(path, &queries, &error), "%s", error.message);
    CHECK(queries.count == 1 && queries.truth && queries.truth[0] == 1);
    if (queries.count != 1) return;
    CHECK(queries.queries[0].x0[0][0] == 0.5 && queries.queries[0].x0[0][1] == -0.75 &&
          queries.queries[0].x0[0][2] == 5);
    CHECK(queries.queries[0].x0[3][0] == 1); /* the same odd number above and below */
    CHECK(queries.queries[0].x0[3][2] == -5348868689029467.0 * 0x1p-108);
    io_free_queries(&queries);
}

TEST(csv_written_and_read_again_has_the_same_bits) {
    test_random random = {7};
    enum { N = 200 };
    graze_query *queries = calloc(N, sizeof *queries);
    unsigned char truth[N];
    for (int i = 0; i < N; i++) {
        truth[i] = (unsigned char)test_random_below(&random, 2);
        double *x = &queries[i].x0[0][0];
        for (int k = 0; k < 24; k++) {
            do {
                uint64_t bits = test_random_bits(&random);
                memcpy(&x[k], &bits, sizeof bits);
            } while (!isfinite(x[k]));
            if (x[k] == 0) x[k] = 0; /* the format has no negative zero */
        }
    }
    queries[0].x0[0][0] = 4.9406564584124654e-324;
    queries[0].x0[0][1] = 1.7976931348623157e308;
    const char *path = write_text("");
    io_forget_input(path); /* an earlier test read it */
    io_error error = {""};
    CHECK_MSG(io_write_query_csv(path, queries, N, truth, &error), "%s", error.message);
    io_queries again;
    CHECK_MSG(io_read_query_csv(path, &again, &error), "%s", error.message);
    CHECK(again.count == N);
    if (again.count == N) {
        CHECK(memcmp(again.queries, queries, N * sizeof *queries) == 0);
        CHECK(again.truth && memcmp(again.truth, truth, N) == 0);
    }
    io_free_queries(&again);
    free(queries);
}

/* One coordinate as a file would have it; NAN with the reason in `error` where it is refused. */
static double read_rational(const char *numerator, const char *denominator, io_error *error) {
    static char text[100000];
    size_t used = (size_t)snprintf(text, sizeof text, "%s,%s,0,1,0,1\n", numerator, denominator);
    for (int i = 1; i < 8; i++) used += (size_t)snprintf(text + used, sizeof text - used, "0,1,0,1,0,1\n");
    io_queries queries;
    if (!io_parse_query_csv((io_source){"q.csv", text, used}, &queries, error)) return NAN;
    double x = queries.queries[0].x0[0][0];
    io_free_queries(&queries);
    return x;
}

/* The value of the rational by GMP: NAN unless it is a double. */
static double exact_double(const mpz_t numerator, const mpz_t denominator) {
    mpq_t exact, back;
    mpq_inits(exact, back, NULL);
    mpq_set_num(exact, numerator);
    mpq_set_den(exact, denominator);
    mpq_canonicalize(exact);
    double x = mpq_get_d(exact); /* cuts off */
    bool same = isfinite(x);
    if (same) mpq_set_d(back, x);
    same = same && mpq_equal(exact, back);
    mpq_clears(exact, back, NULL);
    return same ? x : NAN;
}

TEST(csv_rationals_of_any_length_are_those_of_gmp) {
    test_random random = {19};
    mpz_t numerator, denominator, factor;
    mpz_inits(numerator, denominator, factor, NULL);
    int doubles = 0, refused = 0;
    for (int i = 0; i < 4000; i++) {
        mpz_set_ui(numerator, (unsigned long)(test_random_bits(&random) >> (10 + test_random_below(&random, 54))));
        mpz_set_ui(denominator, test_random_below(&random, 8) ? 1 : (unsigned long)test_random_below(&random, 9) + 1);
        mpz_mul_2exp(numerator, numerator, (mp_bitcnt_t)test_random_below(&random, i % 2 ? 1100 : 40));
        mpz_mul_2exp(denominator, denominator, (mp_bitcnt_t)test_random_below(&random, i % 3 ? 1100 : 40));
        mpz_set_ui(factor, (unsigned long)test_random_bits(&random) | 1); /* the rational need not be reduced */
        mpz_pow_ui(factor, factor, (unsigned long)test_random_below(&random, 30));
        mpz_mul(numerator, numerator, factor);
        mpz_mul(denominator, denominator, factor);
        if (test_random_below(&random, 8) == 0) mpz_add_ui(numerator, numerator, 2); /* seldom a double any more */
        if (test_random_below(&random, 2)) mpz_neg(numerator, numerator);
        if (test_random_below(&random, 4) == 0) mpz_neg(denominator, denominator);
        char *above = mpz_get_str(NULL, 10, numerator), *below = mpz_get_str(NULL, 10, denominator);
        io_error error = {""};
        double x = read_rational(above, below, &error), expected = exact_double(numerator, denominator);
        CHECK_MSG(isnan(expected) ? isnan(x) && strstr(error.message, "not a double") : x == expected,
                  "%s / %s: %a, expected %a %s", above, below, x, expected, error.message);
        doubles += !isnan(expected);
        refused += isnan(expected);
        free(above);
        free(below);
    }
    CHECK_MSG(doubles > 1000 && refused > 300, "%d doubles, %d refused", doubles, refused);
    mpz_clears(numerator, denominator, factor, NULL);
}

TEST(csv_numbers_that_would_take_long_are_refused) {
    static char digits[40000];
    memset(digits, '7', 10001);
    io_error error = {""};
    CHECK(isnan(read_rational(digits, "1", &error)));
    CHECK_MSG(strstr(error.message, "q.csv:1: column 1: an integer of 10001 digits"), "%s", error.message);
    digits[10000] = '\0'; /* as many as are read: 7…7 / 7…7 */
    CHECK(read_rational(digits, digits, &error) == 1);
    memset(digits, '0', 30000); /* zeros in front are no digits */
    digits[30000] = '5';
    CHECK(read_rational(digits, "1", &error) == 5);
}

TEST(csv_may_have_a_byte_order_mark_and_any_line_ends) {
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    for (int e = 0; e < 3; e++)
        for (int mark = 0; mark < 2; mark++) {
            char text[400];
            strcpy(text, mark ? "\xef\xbb\xbf" : "");
            for (int i = 0; i < 16; i++) {
                strcat(text, i == 0 ? "5,2,0,1,0,1" : "0,1,0,1,0,1");
                strcat(text, ends[e]);
            }
            io_queries queries;
            io_error error = {""};
            bool good = io_parse_query_csv((io_source){"q.csv", text, strlen(text)}, &queries, &error);
            CHECK_MSG(good && queries.count == 2 && queries.queries[0].x0[0][0] == 2.5, "line end %d: %s", e,
                      error.message);
            io_free_queries(&queries);
            text[strlen(text) - strlen(ends[e]) - 1] = 'x'; /* the last row */
            CHECK(!io_parse_query_csv((io_source){"q.csv", text, strlen(text)}, &queries, &error));
            CHECK_MSG(strstr(error.message, "q.csv:16:"), "%s", error.message);
        }
}

TEST(csv_without_truth_says_so) {
    const char *path = write_text("1,1,1,1,1,1\n1,1,1,1,1,1\n1,1,1,1,1,1\n1,1,1,1,1,1\n"
                                  "1,1,1,1,1,1\n1,1,1,1,1,1\n1,1,1,1,1,1\n1,1,1,1,1,1\r\n\n");
    io_queries queries;
    io_error error = {""};
    CHECK_MSG(io_read_query_csv(path, &queries, &error), "%s", error.message);
    CHECK(queries.count == 1 && queries.truth == NULL);
    io_free_queries(&queries);
}

TEST(csv_errors_name_file_line_and_reason) {
    expect_error(write_rows(-1, "", 7), "q.csv:7:", "7 rows");
    expect_error(write_rows(2, "1,0,1,1,1,1,1", 8), "q.csv:3:", "denominator is zero");
    expect_error(write_rows(4, "1,3,1,1,1,1,1", 8), "q.csv:5:", "not a double");
    expect_error(write_rows(4, "9007199254740993,1,1,1,1,1,1", 8), "q.csv:5:", "53 bits");
    expect_error(write_rows(5, "one,1,1,1,1,1,1", 8), "q.csv:6:", "integer");
    expect_error(write_rows(5, "1.5,1,1,1,1,1,1", 8), "q.csv:6:", "comma");
    expect_error(write_rows(6, "1,1,1,1", 8), "q.csv:7:", "6 or 7 columns");
    expect_error(write_rows(6, "1,1,1,1,1,1,1,1", 8), "q.csv:7:", "unexpected text");
    expect_error(write_rows(6, "1,1,1,1,1,1,2", 8), "q.csv:7:", "0 or 1");
    expect_error(write_rows(6, "1,1,1,1,1,1,0", 8), "q.csv:7:", "differs");
    expect_error(write_rows(6, "1,1,1,1,1,1", 8), "q.csv:7:", "missing");
    expect_error(write_text(""), "q.csv", "no queries");
    expect_error(folder, folder, "folder");
    expect_error("/nonexistent/q.csv", "/nonexistent/q.csv", "cannot open");
    char huge[1000] = "1,1";
    memset(huge + 3, '0', 900); /* 1 / 10^900 */
    strcpy(huge + 903, ",1,1,1,1,1");
    expect_error(write_rows(0, huge, 8), "q.csv:1:", "not a double");
    remove(write_text(""));
    rmdir(folder);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
