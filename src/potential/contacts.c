/* From pairs that are close to contacts: by closest features, equal ones merged. */
#include "potential/term.h"

#include "base/context.h"
#include "base/merge_sort.h"
#include "base/sizes.h"
#include "mesh/mesh.h"
#include "numerics/kind.h"
#include "numerics/vec3.h"
#include "potential/parallel_edges.h"

#include <string.h>

#define PARALLEL_SHARE 1e-3 /* IPC's: of the product of the squared lengths at rest */

typedef struct positions {
    const char *rest, *x;
    size_t stride;
    uint32_t count;
} positions;

static const double *position(const char *x, size_t stride, uint32_t vertex) {
    return (const double *)(const void *)(x + stride * vertex);
}

static double squared_length(const positions *p, const uint32_t edge[2]) {
    gz_vec3 a = gz_vec3_of(position(p->rest, p->stride, edge[0]));
    gz_vec3 e = gz_vec3_sub(gz_vec3_of(position(p->rest, p->stride, edge[1])), a);
    return gz_vec3_dot(e, e);
}

static void swap_sorted(uint32_t *a, uint32_t *b) {
    if (*a < *b) return;
    uint32_t other = *a;
    *a = *b;
    *b = other;
}

/* The vertices of the rows from `first` on that the feature has. */
static int corners(const graze_proximity_pair *pair, int side, int first, uint32_t out[3]) {
    int count = 0;
    for (int i = 0; i < 3; i++)
        if (pair->distance.feature[side] >> i & 1) out[count++] = pair->vertices[first + i];
    return count;
}

/* Vertex and vertex, or vertex and edge. */
static void set_few(const uint32_t *a, const uint32_t *b, int in_b, graze_contact *contact) {
    contact->kind = in_b == 1 ? GRAZE_PP : GRAZE_PE;
    contact->vertices[0] = a[0];
    memcpy(contact->vertices + 1, b, (size_t)in_b * sizeof *b);
    if (in_b == 1)
        swap_sorted(&contact->vertices[0], &contact->vertices[1]);
    else
        swap_sorted(&contact->vertices[1], &contact->vertices[2]);
}

static void set_features(const graze_proximity_pair *pair, graze_contact *contact) {
    uint32_t a[3], b[3];
    int in_a = corners(pair, 0, 0, a), in_b = corners(pair, 1, gz_kind_rows_of_a(pair->pair.kind), b);
    if (in_a == 1 && in_b <= 2) {
        set_few(a, b, in_b, contact);
    } else if (in_a == 2 && in_b == 1) {
        set_few(b, a, in_a, contact);
    } else {
        contact->kind = pair->pair.kind;
        memcpy(contact->vertices, pair->vertices, sizeof contact->vertices);
    }
}

static void set_contact(const positions *p, const graze_proximity_pair *pair, graze_contact *contact) {
    memset(contact, 0, sizeof *contact);
    contact->multiplicity = 1;
    contact->offset = pair->offset;
    contact->kind = pair->pair.kind;
    if (pair->pair.kind == GRAZE_EE && p->rest) {
        double rows[4][3];
        for (int i = 0; i < 4; i++) memcpy(rows[i], position(p->x, p->stride, pair->vertices[i]), sizeof rows[i]);
        contact->parallel = PARALLEL_SHARE * squared_length(p, pair->vertices) * squared_length(p, pair->vertices + 2);
        if (gz_parallel_is(contact, (const double(*)[3])rows)) {
            memcpy(contact->vertices, pair->vertices, sizeof contact->vertices);
            return;
        }
    }
    set_features(pair, contact);
    if (contact->kind != GRAZE_EE) contact->parallel = 0;
}

static int compare(const void *a, const void *b) {
    const graze_contact *p = a, *q = b;
    if (p->kind != q->kind) return p->kind < q->kind ? -1 : 1;
    for (int i = 0; i < 4; i++)
        if (p->vertices[i] != q->vertices[i]) return p->vertices[i] < q->vertices[i] ? -1 : 1;
    if (p->offset != q->offset) return p->offset < q->offset ? -1 : 1;
    return p->parallel < q->parallel ? -1 : p->parallel > q->parallel;
}

static size_t merge_equal(graze_contact *contacts, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept && compare(&contacts[kept - 1], &contacts[i]) == 0)
            contacts[kept - 1].multiplicity++;
        else
            contacts[kept++] = contacts[i];
    }
    return kept;
}

static graze_status check_pairs(graze_context *context, const graze_proximity_pair *pairs, size_t count,
                                uint32_t vertex_count) {
    for (size_t i = 0; i < count; i++) {
        if ((unsigned)pairs[i].pair.kind > GRAZE_PP || !pairs[i].distance.feature[0] || !pairs[i].distance.feature[1])
            return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, i, "pair %zu: not a pair of graze_proximity", i);
        for (int k = 0; k < gz_kind_rows(pairs[i].pair.kind); k++)
            if (pairs[i].vertices[k] >= vertex_count)
                return gz_fail(context, GRAZE_ERR_BAD_INDEX, i, "pair %zu: vertex %u of %u", i, pairs[i].vertices[k],
                               vertex_count);
    }
    return GRAZE_OK;
}

static graze_status check_positions(graze_context *context, const positions *p) {
    if (!p->x && p->count) return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "positions are NULL");
    graze_status status = gz_positions_check(context, "x", p->x, p->stride, p->count, 0);
    if (status == GRAZE_OK && p->rest) status = gz_positions_check(context, "rest", p->rest, p->stride, p->count, 0);
    return status;
}

/* Allocated, sorted, merged, and moved to a block that has no room to spare. */
static graze_status make(graze_context *context, const graze_proximity_pair *pairs, size_t count, const positions *p,
                         graze_contact_list *list) {
    size_t bytes = count * sizeof *list->contacts;
    graze_contact *all = gz_allocate_array(context, count, sizeof *all);
    graze_contact *scratch = gz_allocate_array(context, count, sizeof *scratch);
    graze_status status = all && scratch ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
    if (status == GRAZE_OK) {
        for (size_t i = 0; i < count; i++) set_contact(p, &pairs[i], &all[i]);
        gz_merge_sort(all, scratch, count, sizeof *all, compare);
        size_t kept = merge_equal(all, count);
        list->contacts = gz_allocate_array(context, kept, sizeof *list->contacts);
        if (list->contacts) memcpy(list->contacts, all, kept * sizeof *all);
        list->count = list->contacts ? kept : 0;
        status = list->contacts ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
    }
    gz_release(context, all, all ? bytes : 0);
    gz_release(context, scratch, scratch ? bytes : 0);
    return status;
}

static const graze_contact_list closed = {.struct_size = sizeof closed};

void graze_init_contact_list(graze_contact_list *list, size_t size) {
    gz_sized_init(list, size, &closed, sizeof closed);
}

#define LIST_LEAST GZ_SIZE_UP_TO(graze_contact_list, count)

graze_status graze_contacts_make(graze_context *context, const graze_proximity_pair *pairs, size_t count,
                                 const double (*rest)[3], const double (*x)[3], uint32_t vertex_count, size_t stride,
                                 graze_contact_list *list) {
    gz_fp_environment env;
    graze_contact_list found = closed;
    positions p = {(const char *)rest, (const char *)x, stride ? stride : sizeof *x, vertex_count};
    if (!list || gz_sized_check(NULL, "contact list", list, LIST_LEAST) != GRAZE_OK) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_sized_write(list, &closed, sizeof closed);
    if (!context || (count && !pairs) || p.stride % sizeof(double) || p.stride < sizeof *x)
        return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    status = check_positions(context, &p);
    if (status == GRAZE_OK) status = check_pairs(context, pairs, count, vertex_count);
    if (status == GRAZE_OK && count) status = make(context, pairs, count, &p, &found);
    if (status == GRAZE_OK) gz_sized_write(list, &found, sizeof found);
    return gz_context_leave(context, &env, status);
}

void graze_contacts_release(graze_context *context, graze_contact_list *list) {
    if (!list || list->struct_size < LIST_LEAST) return;
    gz_release(context, list->contacts, list->count * sizeof *list->contacts);
    list->contacts = NULL;
    list->count = 0;
}
