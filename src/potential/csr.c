/* Patterns of 3 × 3 blocks, as compressed rows of single entries: the three rows of a vertex have the same columns. */
#include "potential/csr.h"

#include "base/context.h"
#include "base/merge_sort.h"
#include "base/sizes.h"
#include "numerics/kind.h"

bool gz_csr_find(const graze_csr *csr, uint32_t a, uint32_t b, size_t *block) {
    size_t begin = csr->row_start[3 * (size_t)a], low = 0, high = (csr->row_start[3 * (size_t)a + 1] - begin) / 3;
    size_t end = high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (csr->columns[begin + 3 * middle] < 3 * b)
            low = middle + 1;
        else
            high = middle;
    }
    *block = low;
    return low < end && csr->columns[begin + 3 * low] == 3 * b;
}

void gz_csr_add(graze_csr *csr, uint32_t a, size_t block, const double *entries, size_t stride) {
    for (size_t r = 0; r < 3; r++) {
        double *row = csr->values + csr->row_start[3 * (size_t)a + r] + 3 * block;
        for (size_t c = 0; c < 3; c++) row[c] += entries[r * stride + c];
    }
}

/* ---- patterns ---- */

static int compare(const void *a, const void *b) {
    uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return p < q ? -1 : p > q;
}

/* Pairs of vertices of the contacts, each once, sorted; returns how many. */
static size_t list_blocks(const graze_contact *contacts, size_t count, uint64_t *keys, uint64_t *scratch) {
    size_t all = 0, kept = 0;
    for (size_t i = 0; i < count; i++) {
        int rows = gz_kind_rows(contacts[i].kind);
        for (int k = 0; k < rows * rows; k++)
            keys[all++] = (uint64_t)contacts[i].vertices[k / rows] << 32 | contacts[i].vertices[k % rows];
    }
    gz_merge_sort(keys, scratch, all, sizeof *keys, compare);
    for (size_t i = 0; i < all; i++)
        if (kept == 0 || keys[kept - 1] != keys[i]) keys[kept++] = keys[i];
    return kept;
}

static bool open_rows(graze_context *context, uint32_t vertex_count, size_t blocks, graze_csr *csr) {
    csr->rows = 3 * (size_t)vertex_count;
    csr->count = 9 * blocks;
    csr->row_start = gz_allocate_array(context, csr->rows + 1, sizeof *csr->row_start);
    csr->columns = gz_allocate_array(context, csr->count, sizeof *csr->columns);
    csr->values = gz_allocate_array(context, csr->count, sizeof *csr->values);
    return csr->row_start && (csr->columns || !csr->count) && (csr->values || !csr->count);
}

static void fill_rows(const uint64_t *keys, size_t blocks, uint32_t vertex_count, graze_csr *csr) {
    size_t at = 0, first = 0;
    for (uint32_t v = 0; v < vertex_count; v++) {
        size_t end = first;
        while (end < blocks && keys[end] >> 32 == v) end++;
        for (size_t r = 0; r < 3; r++) {
            csr->row_start[3 * (size_t)v + r] = at;
            for (size_t k = first; k < end; k++)
                for (uint32_t c = 0; c < 3; c++) csr->columns[at++] = 3 * (uint32_t)keys[k] + c;
        }
        first = end;
    }
    csr->row_start[csr->rows] = at;
    for (size_t k = 0; k < csr->count; k++) csr->values[k] = 0;
}

static graze_status check(graze_context *context, const graze_contact *contacts, size_t count, uint32_t vertex_count) {
    if (vertex_count > UINT32_MAX / 3)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "%u vertices: too many columns", vertex_count);
    for (size_t i = 0; i < count; i++) {
        if ((unsigned)contacts[i].kind > GRAZE_PP)
            return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, i, "contact %zu: unknown kind", i);
        for (int k = 0; k < gz_kind_rows(contacts[i].kind); k++)
            if (contacts[i].vertices[k] >= vertex_count)
                return gz_fail(context, GRAZE_ERR_BAD_INDEX, i, "contact %zu: vertex %u of %u", i,
                               contacts[i].vertices[k], vertex_count);
    }
    return GRAZE_OK;
}

static void release(graze_context *context, graze_csr *csr) {
    gz_release(context, csr->row_start, csr->row_start ? (csr->rows + 1) * sizeof *csr->row_start : 0);
    gz_release(context, csr->columns, csr->columns ? csr->count * sizeof *csr->columns : 0);
    gz_release(context, csr->values, csr->values ? csr->count * sizeof *csr->values : 0);
}

static graze_status make(graze_context *context, const graze_contact *contacts, size_t count, uint32_t vertex_count,
                         graze_csr *csr) {
    graze_status status = check(context, contacts, count, vertex_count);
    if (status != GRAZE_OK) return status;
    size_t most = count ? 16 * count : 1;
    uint64_t *keys = gz_allocate_array(context, most, sizeof *keys);
    uint64_t *scratch = gz_allocate_array(context, most, sizeof *scratch);
    status = keys && scratch ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
    size_t blocks = status == GRAZE_OK ? list_blocks(contacts, count, keys, scratch) : 0;
    if (status == GRAZE_OK && !open_rows(context, vertex_count, blocks, csr)) {
        release(context, csr);
        status = GRAZE_ERR_OUT_OF_MEMORY;
    }
    if (status == GRAZE_OK) fill_rows(keys, blocks, vertex_count, csr);
    gz_release(context, keys, keys ? most * sizeof *keys : 0);
    gz_release(context, scratch, scratch ? most * sizeof *scratch : 0);
    return status;
}

static const graze_csr closed = {.struct_size = sizeof closed};

void graze_init_csr(graze_csr *csr, size_t size) { gz_sized_init(csr, size, &closed, sizeof closed); }

graze_status graze_csr_make(graze_context *context, const graze_contact *contacts, size_t count, uint32_t vertex_count,
                            graze_csr *csr) {
    gz_fp_environment env;
    graze_csr made = closed;
    if (!csr || gz_sized_check(NULL, "matrix", csr, GZ_CSR_LEAST) != GRAZE_OK) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_sized_write(csr, &closed, sizeof closed);
    if (!context || (count && !contacts)) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    status = make(context, contacts, count, vertex_count, &made);
    if (status == GRAZE_OK) gz_sized_write(csr, &made, sizeof made);
    return gz_context_leave(context, &env, status);
}

void graze_csr_release(graze_context *context, graze_csr *csr) {
    if (!csr || csr->struct_size < GZ_CSR_LEAST) return;
    release(context, csr);
    size_t size = csr->struct_size;
    gz_sized_init(csr, size, &closed, sizeof closed);
}
