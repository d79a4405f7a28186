#include "wxf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const unsigned char *at, *end;
    int depth;
} reader;

static bool read_length(reader *in, size_t *length) {
    *length = 0;
    for (int shift = 0; shift < 63 && in->at < in->end; shift += 7) {
        unsigned char byte = *in->at++;
        *length |= (size_t)(byte & 127) << shift;
        if (byte < 128) return true;
    }
    return false;
}

static wxf_node *new_node(char type) {
    wxf_node *node = calloc(1, sizeof *node);
    if (!node) abort();
    node->type = type;
    return node;
}

static wxf_node *read_text(reader *in, char type) {
    size_t length;
    if (!read_length(in, &length) || length > (size_t)(in->end - in->at)) return NULL;
    wxf_node *node = new_node(type);
    node->text = calloc(1, length + 1);
    if (!node->text) abort();
    memcpy(node->text, in->at, length);
    in->at += length;
    return node;
}

static wxf_node *read_word(reader *in, size_t bytes) {
    if (bytes > (size_t)(in->end - in->at)) return NULL;
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++) value |= (uint64_t)in->at[i] << (8 * i);
    in->at += bytes;
    if (bytes < 8 && value >> (8 * bytes - 1)) value |= ~(uint64_t)0 << (8 * bytes);
    wxf_node *node = new_node('I');
    node->text = calloc(1, 24);
    if (!node->text) abort();
    snprintf(node->text, 24, "%lld", (long long)value);
    return node;
}

static wxf_node *read_node(reader *in) {
    if (in->at >= in->end || in->depth > 200) return NULL;
    char type = (char)*in->at++;
    switch (type) {
    case 's':
    case 'S':
    case 'I': return read_text(in, type);
    case 'C': return read_word(in, 1);
    case 'j': return read_word(in, 2);
    case 'i': return read_word(in, 4);
    case 'L': return read_word(in, 8);
    case 'f': break;
    default: return NULL;
    }
    size_t count;
    if (!read_length(in, &count) || count > (size_t)(in->end - in->at)) return NULL;
    wxf_node *node = new_node('f');
    in->depth++;
    node->head = read_node(in);
    node->items = calloc(count + 1, sizeof *node->items);
    if (!node->items) abort();
    bool good = node->head != NULL;
    while (good && node->count < count) {
        node->items[node->count] = read_node(in);
        good = node->items[node->count] != NULL;
        if (good) node->count++;
    }
    in->depth--;
    if (good) return node;
    wxf_free(node);
    return NULL;
}

wxf_node *wxf_read(const unsigned char *bytes, size_t size) {
    if (size < 2 || memcmp(bytes, "8:", 2) != 0) return NULL;
    reader in = {.at = bytes + 2, .end = bytes + size};
    wxf_node *node = read_node(&in);
    if (node && in.at != in.end) {
        wxf_free(node);
        return NULL;
    }
    return node;
}

void wxf_free(wxf_node *node) {
    if (!node) return;
    for (size_t i = 0; i < node->count; i++) wxf_free(node->items[i]);
    wxf_free(node->head);
    free(node->items);
    free(node->text);
    free(node);
}

bool wxf_is(const wxf_node *node, const char *head) {
    return node->type == 'f' && node->head->type == 's' && strcmp(node->head->text, head) == 0;
}

/* ---- values ---- */

/* The body of a pure function of one argument as a polynomial with integer coefficients. */
static bool polynomial(const wxf_node *node, fmpz_poly_t out) {
    if (node->type == 'I') {
        fmpz_t c;
        fmpz_init(c);
        bool good = fmpz_set_str(c, node->text, 10) == 0;
        fmpz_poly_set_fmpz(out, c);
        fmpz_clear(c);
        return good;
    }
    if (wxf_is(node, "Slot")) {
        fmpz_poly_zero(out);
        fmpz_poly_set_coeff_ui(out, 1, 1);
        return true;
    }
    fmpz_poly_t part;
    fmpz_poly_init(part);
    bool good = false;
    if (wxf_is(node, "Plus") || wxf_is(node, "Times")) {
        bool sum = wxf_is(node, "Plus");
        fmpz_poly_set_ui(out, sum ? 0 : 1);
        good = true;
        for (size_t i = 0; good && i < node->count; i++) {
            good = polynomial(node->items[i], part);
            if (sum)
                fmpz_poly_add(out, out, part);
            else
                fmpz_poly_mul(out, out, part);
        }
    } else if (wxf_is(node, "Power") && node->count == 2 && node->items[1]->type == 'I') {
        long power = atol(node->items[1]->text);
        good = power >= 0 && power <= 12 && polynomial(node->items[0], part);
        if (good) fmpz_poly_pow(out, part, (ulong)power);
    }
    fmpz_poly_clear(part);
    return good;
}

/* Root[f &, k, 0]: real roots come first, in increasing order, repeated ones as often as they occur. */
static bool root_value(const wxf_node *node, qqbar_t value) {
    if (node->count < 2 || !wxf_is(node->items[0], "Function") || node->items[0]->count != 1) return false;
    if (node->items[1]->type != 'I') return false;
    long wanted = atol(node->items[1]->text);
    fmpz_poly_t p;
    fmpz_poly_init(p);
    bool good = polynomial(node->items[0]->items[0], p) && fmpz_poly_degree(p) >= 1;
    if (good) {
        slong n = fmpz_poly_degree(p);
        qqbar_ptr roots = _qqbar_vec_init(n);
        qqbar_roots_fmpz_poly(roots, p, 0);
        slong real = 0;
        for (slong i = 0; i < n; i++)
            if (qqbar_is_real(roots + i)) qqbar_swap(roots + real++, roots + i);
        for (slong i = 1; i < real; i++)
            for (slong j = i; j > 0 && qqbar_cmp_re(roots + j, roots + j - 1) < 0; j--)
                qqbar_swap(roots + j, roots + j - 1);
        good = wanted >= 1 && wanted <= real;
        if (good) qqbar_set(value, roots + wanted - 1);
        _qqbar_vec_clear(roots, n);
    }
    fmpz_poly_clear(p);
    return good;
}

static bool fold(const wxf_node *node, bool sum, qqbar_t value) {
    qqbar_t part;
    qqbar_init(part);
    bool good = true;
    qqbar_set_ui(value, sum ? 0 : 1);
    for (size_t i = 0; good && i < node->count; i++) {
        good = wxf_value(node->items[i], part);
        if (sum)
            qqbar_add(value, value, part);
        else
            qqbar_mul(value, value, part);
    }
    qqbar_clear(part);
    return good;
}

static bool power_value(const wxf_node *node, qqbar_t value) {
    if (node->count != 2) return false;
    const wxf_node *exponent = node->items[1];
    long up, down = 1;
    if (exponent->type == 'I') {
        up = atol(exponent->text);
    } else if (wxf_is(exponent, "Rational") && exponent->count == 2 && exponent->items[0]->type == 'I' &&
               exponent->items[1]->type == 'I') {
        up = atol(exponent->items[0]->text);
        down = atol(exponent->items[1]->text);
    } else {
        return false;
    }
    if (down < 1 || down > 6 || labs(up) > 12) return false;
    qqbar_t base;
    qqbar_init(base);
    bool good = wxf_value(node->items[0], base) && !(up < 0 && qqbar_is_zero(base));
    if (good) {
        qqbar_root_ui(base, base, (ulong)down);
        qqbar_pow_ui(value, base, (ulong)labs(up));
        if (up < 0) qqbar_inv(value, value);
    }
    qqbar_clear(base);
    return good;
}

bool wxf_value(const wxf_node *node, qqbar_t value) {
    if (node->type == 'I') {
        fmpz_t integer;
        fmpz_init(integer);
        bool good = fmpz_set_str(integer, node->text, 10) == 0;
        qqbar_set_fmpz(value, integer);
        fmpz_clear(integer);
        return good;
    }
    if (wxf_is(node, "Rational") && node->count == 2) {
        qqbar_t down;
        qqbar_init(down);
        bool good = wxf_value(node->items[0], value) && wxf_value(node->items[1], down) && !qqbar_is_zero(down);
        if (good) qqbar_div(value, value, down);
        qqbar_clear(down);
        return good;
    }
    if (wxf_is(node, "Plus")) return fold(node, true, value);
    if (wxf_is(node, "Times")) return fold(node, false, value);
    if (wxf_is(node, "Power")) return power_value(node, value);
    if (wxf_is(node, "Root")) return root_value(node, value);
    return false;
}
