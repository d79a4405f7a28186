#include "io/query_csv.h"

#include "io/file.h"

#include <float.h>
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 8 /* rows of a query */

typedef struct reader {
    const char *path;
    size_t line;
    const char *at, *end;         /* what is left of the line */
    mpz_t numerator, denominator; /* for numbers that outgrow a machine word */
    char *digits;                 /* a number as a C string, for GMP */
    size_t capacity;
    io_error *error;
} reader;

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void skip_blanks(reader *in) {
    while (in->at < in->end && is_blank(*in->at)) in->at++;
}

/* One column: where its digits are, whether it is negative. */
typedef struct integer_text {
    const char *digits;
    size_t length;
    bool negative;
} integer_text;

static bool read_integer(reader *in, int column, integer_text *out) {
    skip_blanks(in);
    out->negative = in->at < in->end && *in->at == '-';
    if (in->at < in->end && (*in->at == '-' || *in->at == '+')) in->at++;
    out->digits = in->at;
    while (in->at < in->end && is_digit(*in->at)) in->at++;
    out->length = (size_t)(in->at - out->digits);
    if (out->length == 0) return io_fail(in->error, in->path, in->line, "column %d: expected an integer", column + 1);
    skip_blanks(in);
    while (out->length > 1 && *out->digits == '0') {
        out->digits++;
        out->length--;
    }
    return true;
}

static bool small_value(const integer_text *text, uint64_t *value) {
    if (text->length > 18) return false;
    *value = 0;
    for (size_t i = 0; i < text->length; i++) *value = *value * 10 + (uint64_t)(text->digits[i] - '0');
    return true;
}

static bool to_mpz(reader *in, const integer_text *text, mpz_t value) {
    if (text->length + 1 > in->capacity) {
        char *grown = realloc(in->digits, text->length + 1);
        if (!grown) return io_fail(in->error, in->path, in->line, "out of memory");
        in->digits = grown;
        in->capacity = text->length + 1;
    }
    memcpy(in->digits, text->digits, text->length);
    in->digits[text->length] = '\0';
    mpz_set_str(value, in->digits, 10);
    if (text->negative) mpz_neg(value, value);
    return true;
}

/* numerator / denominator as a double, which it must be exactly. */
static bool wide_rational(reader *in, int column, double *value) {
    if (mpz_sgn(in->numerator) == 0) {
        *value = 0;
        return true;
    }
    bool negative = (mpz_sgn(in->numerator) < 0) != (mpz_sgn(in->denominator) < 0);
    mpz_abs(in->numerator, in->numerator);
    mpz_abs(in->denominator, in->denominator);
    /* split off the powers of two; what is left of the denominator must divide the numerator */
    mp_bitcnt_t up = mpz_scan1(in->numerator, 0), down = mpz_scan1(in->denominator, 0);
    mpz_tdiv_q_2exp(in->numerator, in->numerator, up);
    mpz_tdiv_q_2exp(in->denominator, in->denominator, down);
    if (!mpz_divisible_p(in->numerator, in->denominator))
        return io_fail(in->error, in->path, in->line,
                       "columns %d, %d: the rational is not a double (its denominator is no power of two)", column + 1,
                       column + 2);
    mpz_divexact(in->numerator, in->numerator, in->denominator);
    size_t bits = mpz_sizeinbase(in->numerator, 2);
    long exponent = (long)up - (long)down; /* value = odd × 2^exponent */
    if (bits > DBL_MANT_DIG || exponent < DBL_MIN_EXP - DBL_MANT_DIG || (long)bits + exponent > DBL_MAX_EXP)
        return io_fail(in->error, in->path, in->line, "columns %d, %d: the rational is not a double (%s)", column + 1,
                       column + 2, bits > DBL_MANT_DIG ? "more than 53 bits" : "exponent out of range");
    *value = ldexp(mpz_get_d(in->numerator), (int)exponent);
    if (negative) *value = -*value;
    return true;
}

static bool read_coordinate(reader *in, int column, double *value) {
    integer_text numerator, denominator;
    if (!read_integer(in, column, &numerator)) return false;
    if (in->at == in->end || *in->at != ',')
        return io_fail(in->error, in->path, in->line, "column %d: expected a comma after it", column + 1);
    in->at++;
    if (!read_integer(in, column + 1, &denominator)) return false;
    if (denominator.length == 1 && *denominator.digits == '0')
        return io_fail(in->error, in->path, in->line, "column %d: the denominator is zero", column + 2);
    /* the ordinary case: a numerator below 2^53 over a power of two that fits a word */
    uint64_t up, down;
    if (small_value(&numerator, &up) && small_value(&denominator, &down) && up <= (uint64_t)1 << 53 &&
        (down & (down - 1)) == 0) {
        double magnitude = (double)up / (double)down;
        *value = up && numerator.negative != denominator.negative ? -magnitude : magnitude;
        return true;
    }
    return to_mpz(in, &numerator, in->numerator) && to_mpz(in, &denominator, in->denominator) &&
           wide_rational(in, column, value);
}

/* A row: three coordinates and perhaps the truth (−1 without). */
static bool read_row(reader *in, double x[3], int *truth) {
    for (int c = 0; c < 3; c++) {
        if (c > 0) {
            if (in->at == in->end || *in->at != ',')
                return io_fail(in->error, in->path, in->line, "%s",
                               in->at == in->end ? "expected 6 or 7 columns, the row ends early"
                                                 : "expected a comma between columns");
            in->at++;
        }
        if (!read_coordinate(in, 2 * c, &x[c])) return false;
    }
    *truth = -1;
    if (in->at < in->end && *in->at == ',') {
        in->at++;
        integer_text text;
        uint64_t value;
        if (!read_integer(in, 6, &text)) return false;
        if (!small_value(&text, &value) || value > 1 || (text.negative && value))
            return io_fail(in->error, in->path, in->line, "column 7: the truth is 0 or 1");
        *truth = (int)value;
    }
    if (in->at != in->end)
        return io_fail(in->error, in->path, in->line, "unexpected text after column %d", *truth < 0 ? 6 : 7);
    return true;
}

static bool read_rows(reader *in, const char *bytes, size_t size, io_queries *out) {
    size_t capacity = 0, row = 0;
    bool has_truth = false, blank_seen = false;
    const char *at = bytes, *stop = bytes + size;
    while (at < stop) {
        in->line++;
        const char *newline = memchr(at, '\n', (size_t)(stop - at));
        in->at = at;
        in->end = newline ? newline : stop;
        at = newline ? newline + 1 : stop;
        if (in->end > in->at && in->end[-1] == '\r') in->end--;
        skip_blanks(in);
        if (in->at == in->end) { /* blank lines may only end a file */
            blank_seen = true;
            continue;
        }
        if (blank_seen) return io_fail(in->error, in->path, in->line, "a row follows a blank line");
        if (row % ROWS == 0 && out->count == capacity) {
            size_t larger = capacity ? capacity * 2 : 64;
            graze_query *queries = realloc(out->queries, larger * sizeof *queries);
            if (queries) out->queries = queries;
            unsigned char *truth = queries ? realloc(out->truth, larger) : NULL;
            if (!truth) return io_fail(in->error, in->path, in->line, "out of memory");
            out->truth = truth;
            capacity = larger;
        }
        graze_query *query = &out->queries[out->count];
        size_t k = row % ROWS;
        int truth = -1;
        if (!read_row(in, k < 4 ? query->x0[k] : query->x1[k - 4], &truth)) return false;
        if (row == 0) has_truth = truth >= 0;
        if (has_truth != (truth >= 0))
            return io_fail(in->error, in->path, in->line, "%s",
                           has_truth ? "column 7, the truth, is missing here but not above"
                                     : "a truth column here, but none above");
        if (k == 0)
            out->truth[out->count] = (unsigned char)(truth > 0);
        else if (has_truth && out->truth[out->count] != truth)
            return io_fail(in->error, in->path, in->line, "the truth differs from that of the query's other rows");
        row++;
        if (row % ROWS == 0) out->count++;
    }
    if (row % ROWS != 0)
        return io_fail(in->error, in->path, in->line, "the last query has %zu rows, a query has 8", row % ROWS);
    if (row == 0) return io_fail(in->error, in->path, 0, "no queries in it");
    if (!has_truth) {
        free(out->truth);
        out->truth = NULL;
    }
    return true;
}

bool io_read_query_csv(const char *path, io_queries *queries, io_error *error) {
    *queries = (io_queries){0};
    char *bytes;
    size_t size;
    if (!io_read_file(path, &bytes, &size, error)) return false;
    reader in = {.path = path, .error = error};
    mpz_inits(in.numerator, in.denominator, NULL);
    bool good = read_rows(&in, bytes, size, queries);
    mpz_clears(in.numerator, in.denominator, NULL);
    free(in.digits);
    free(bytes);
    if (!good) io_free_queries(queries);
    return good;
}

void io_free_queries(io_queries *queries) {
    free(queries->queries);
    free(queries->truth);
    *queries = (io_queries){0};
}

/* x as numerator, denominator in lowest terms. */
static void write_rational(FILE *stream, double x, mpz_t integer) {
    int exponent;
    double mantissa = frexp(x, &exponent); /* x = mantissa × 2^exponent, |mantissa| in [½, 1) */
    mpz_set_d(integer, ldexp(mantissa, DBL_MANT_DIG));
    exponent -= DBL_MANT_DIG;
    if (mpz_sgn(integer) == 0) exponent = 0;
    while (exponent < 0 && mpz_even_p(integer)) {
        mpz_tdiv_q_2exp(integer, integer, 1);
        exponent++;
    }
    if (exponent > 0) mpz_mul_2exp(integer, integer, (mp_bitcnt_t)exponent);
    gmp_fprintf(stream, "%Zd,", integer);
    mpz_set_ui(integer, 1);
    if (exponent < 0) mpz_mul_2exp(integer, integer, (mp_bitcnt_t)-exponent);
    gmp_fprintf(stream, "%Zd", integer);
}

bool io_write_query_csv(const char *path, const graze_query *queries, size_t count, const unsigned char *truth,
                        io_error *error) {
    io_atomic_file file;
    if (!io_open_atomic(path, &file, error)) return false;
    mpz_t integer;
    mpz_init(integer);
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < ROWS; k++) {
            const double *x = k < 4 ? queries[i].x0[k] : queries[i].x1[k - 4];
            for (int c = 0; c < 3; c++) {
                if (c) fputc(',', file.stream);
                write_rational(file.stream, x[c], integer);
            }
            if (truth) fprintf(file.stream, ",%d", truth[i] ? 1 : 0);
            fputc('\n', file.stream);
        }
    }
    mpz_clear(integer);
    return io_close_atomic(&file, error);
}
