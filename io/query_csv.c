#include "io/query_csv.h"

#include "io/file.h"
#include "io/integer.h"
#include "io/output.h"
#include "io/scan.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 8 /* rows of a query */

typedef struct reader {
    io_scan scan;                      /* line by line */
    io_integer numerator, denominator; /* for numbers that outgrow a machine word */
} reader;

#define FAIL(in, ...) io_scan_fail(&(in)->scan, __VA_ARGS__)

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool row_ends(const reader *in) { return in->scan.at == in->scan.stop; }

static char next(const reader *in) { return row_ends(in) ? '\0' : *in->scan.at; }

static void skip_blanks(reader *in) {
    while (is_blank(next(in))) in->scan.at++;
}

/* One column: where its digits are, whether it is negative. */
typedef struct integer_text {
    const char *digits;
    size_t length;
    bool negative;
} integer_text;

static bool read_integer(reader *in, int column, integer_text *out) {
    skip_blanks(in);
    out->negative = next(in) == '-';
    if (next(in) == '-' || next(in) == '+') in->scan.at++;
    out->digits = in->scan.at;
    while (is_digit(next(in))) in->scan.at++;
    out->length = (size_t)(in->scan.at - out->digits);
    if (out->length == 0) return FAIL(in, "column %d: expected an integer", column + 1);
    skip_blanks(in);
    while (out->length > 1 && *out->digits == '0') {
        out->digits++;
        out->length--;
    }
    if (out->length <= IO_MAX_DIGITS) return true;
    return FAIL(in, "column %d: an integer of %zu digits; at most %d are read", column + 1, out->length, IO_MAX_DIGITS);
}

static bool small_value(const integer_text *text, uint64_t *value) {
    if (text->length > 18) return false;
    *value = 0;
    for (size_t i = 0; i < text->length; i++) *value = *value * 10 + (uint64_t)(text->digits[i] - '0');
    return true;
}

/* numerator / denominator as a double, which it must be exactly. */
static bool wide_rational(reader *in, int column, const integer_text *numerator, const integer_text *denominator,
                          double *value) {
    io_integer *above = &in->numerator, *below = &in->denominator;
    io_integer_from_digits(above, numerator->digits, numerator->length);
    io_integer_from_digits(below, denominator->digits, denominator->length);
    *value = 0;
    if (above->count == 0) return true;
    /* split off the powers of two; what is left of the denominator must divide the numerator */
    long exponent = (long)io_integer_make_odd(above) - (long)io_integer_make_odd(below);
    uint64_t odd;
    bool divides = io_integer_divide_odd(above, below, &odd);
    if (!divides && io_integer_bits(below) > 1)
        return FAIL(in, "columns %d, %d: the rational is not a double (its denominator is no power of two)", column + 1,
                    column + 2);
    if (!divides || odd > (uint64_t)1 << DBL_MANT_DIG)
        return FAIL(in, "columns %d, %d: the rational is not a double (more than 53 bits)", column + 1, column + 2);
    long bits = 0; /* value = odd × 2^exponent */
    for (uint64_t rest = odd; rest; rest >>= 1) bits++;
    if (exponent < DBL_MIN_EXP - DBL_MANT_DIG || bits + exponent > DBL_MAX_EXP)
        return FAIL(in, "columns %d, %d: the rational is not a double (exponent out of range)", column + 1, column + 2);
    *value = ldexp((double)odd, (int)exponent);
    if (numerator->negative != denominator->negative) *value = -*value;
    return true;
}

static bool read_coordinate(reader *in, int column, double *value) {
    integer_text numerator, denominator;
    if (!read_integer(in, column, &numerator)) return false;
    if (next(in) != ',') return FAIL(in, "column %d: expected a comma after it", column + 1);
    in->scan.at++;
    if (!read_integer(in, column + 1, &denominator)) return false;
    if (denominator.length == 1 && *denominator.digits == '0')
        return FAIL(in, "column %d: the denominator is zero", column + 2);
    /* the ordinary case: a numerator below 2^53 over a power of two that fits a word */
    uint64_t up, down;
    if (small_value(&numerator, &up) && small_value(&denominator, &down) && up <= (uint64_t)1 << 53 &&
        (down & (down - 1)) == 0) {
        double magnitude = (double)up / (double)down;
        *value = up && numerator.negative != denominator.negative ? -magnitude : magnitude;
        return true;
    }
    return wide_rational(in, column, &numerator, &denominator, value);
}

/* A row: three coordinates and perhaps the truth (−1 without). */
static bool read_row(reader *in, double x[3], int *truth) {
    for (int c = 0; c < 3; c++) {
        if (c > 0) {
            if (row_ends(in)) return FAIL(in, "expected 6 or 7 columns, the row ends early");
            if (next(in) != ',') return FAIL(in, "expected a comma between columns");
            in->scan.at++;
        }
        if (!read_coordinate(in, 2 * c, &x[c])) return false;
    }
    *truth = -1;
    if (next(in) == ',') {
        in->scan.at++;
        integer_text text;
        uint64_t value;
        if (!read_integer(in, 6, &text)) return false;
        if (!small_value(&text, &value) || value > 1 || (text.negative && value))
            return FAIL(in, "column 7: the truth must be 0 or 1");
        *truth = (int)value;
    }
    return row_ends(in) || FAIL(in, "unexpected text after column %d", *truth < 0 ? 6 : 7);
}

static bool make_room(reader *in, io_queries *out, size_t *capacity) {
    if (out->count < *capacity) return true;
    size_t larger = *capacity ? *capacity * 2 : 64;
    graze_query *queries = realloc(out->queries, larger * sizeof *queries);
    if (queries) out->queries = queries;
    unsigned char *truth = queries ? realloc(out->truth, larger) : NULL;
    if (!truth) return FAIL(in, "out of memory");
    out->truth = truth;
    *capacity = larger;
    return true;
}

static bool read_rows(reader *in, io_queries *out) {
    size_t capacity = 0, row = 0;
    bool has_truth = false, blank_seen = false;
    while (io_scan_line(&in->scan)) {
        skip_blanks(in);
        if (row_ends(in)) { /* blank lines may only end a file */
            blank_seen = true;
            continue;
        }
        if (blank_seen) return FAIL(in, "a row follows a blank line");
        if (row % ROWS == 0 && !make_room(in, out, &capacity)) return false;
        graze_query *query = &out->queries[out->count];
        size_t k = row % ROWS;
        int truth = -1;
        if (!read_row(in, k < 4 ? query->x0[k] : query->x1[k - 4], &truth)) return false;
        if (row == 0) has_truth = truth >= 0;
        if (has_truth != (truth >= 0))
            return FAIL(in, "%s",
                        has_truth ? "column 7, the truth, is missing here but not above"
                                  : "a truth column here, but none above");
        if (k == 0)
            out->truth[out->count] = (unsigned char)(truth > 0);
        else if (has_truth && out->truth[out->count] != truth)
            return FAIL(in, "the truth differs from that of the query's other rows");
        row++;
        if (row % ROWS == 0) out->count++;
    }
    if (row % ROWS != 0) return FAIL(in, "the last query has %zu rows, a query has 8", row % ROWS);
    if (row == 0) return io_fail(in->scan.error, in->scan.path, 0, "no queries in it");
    if (!has_truth) {
        free(out->truth);
        out->truth = NULL;
    }
    return true;
}

bool io_parse_query_csv(io_source source, io_queries *queries, io_error *error) {
    *queries = (io_queries){0};
    reader in;
    in.scan = io_scan_open(source.name, source.bytes, source.size, error);
    bool good = read_rows(&in, queries);
    if (!good) io_free_queries(queries);
    return good;
}

bool io_read_query_csv(const char *path, io_queries *queries, io_error *error) {
    *queries = (io_queries){0};
    char *bytes;
    size_t size;
    if (!io_read_file(path, &bytes, &size, error)) return false;
    bool good = io_parse_query_csv((io_source){path, bytes, size}, queries, error);
    free(bytes);
    return good;
}

void io_free_queries(io_queries *queries) {
    free(queries->queries);
    free(queries->truth);
    *queries = (io_queries){0};
}

/* ---- writing ---- */

/* m × 2^shift */
static void write_integer(FILE *stream, uint64_t m, int shift) {
    io_integer x;
    char text[IO_INTEGER_TEXT];
    io_integer_from_shifted(&x, m, (unsigned)shift);
    io_integer_to_digits(&x, text);
    fputs(text, stream);
}

/* x as numerator, denominator in lowest terms. */
static void write_rational(FILE *stream, double x) {
    int exponent;
    double mantissa = frexp(fabs(x), &exponent); /* |x| = mantissa × 2^exponent, mantissa in [½, 1) or 0 */
    uint64_t integer = (uint64_t)ldexp(mantissa, DBL_MANT_DIG);
    exponent -= DBL_MANT_DIG;
    if (integer == 0) exponent = 0;
    while (exponent < 0 && integer % 2 == 0) {
        integer /= 2;
        exponent++;
    }
    if (x < 0) fputc('-', stream);
    write_integer(stream, integer, exponent > 0 ? exponent : 0);
    fputc(',', stream);
    write_integer(stream, 1, exponent < 0 ? -exponent : 0);
}

bool io_write_query_csv(const char *path, const graze_query *queries, size_t count, const unsigned char *truth,
                        io_error *error) {
    io_output file;
    if (!io_open_output(path, &file, error)) return false;
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < ROWS; k++) {
            const double *x = k < 4 ? queries[i].x0[k] : queries[i].x1[k - 4];
            for (int c = 0; c < 3; c++) {
                if (c) fputc(',', file.stream);
                write_rational(file.stream, x[c]);
            }
            if (truth) fprintf(file.stream, ",%d", truth[i] ? 1 : 0);
            fputc('\n', file.stream);
        }
    }
    return io_close_output(&file, error);
}
