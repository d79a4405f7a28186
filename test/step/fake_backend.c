/* A back end without a device, for the tests of what loads one. GRAZE_FAKE says how it behaves: `ask` leaves every
   candidate and every query to the host, `cpu` answers steps of any size by the CPU, `lost` fails in the middle, `none`
   has no device, `old` is of another version. */
#include "step/fake_backend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4096

static gz_backend_ask asks[MOST];
static size_t ask_count;
static graze_result results[MOST];
static graze_pair_result pairs[MOST];
static graze_pair listed[MOST];
static double limits[MOST];

int fake_is(const char *name) {
    const char *mode = getenv("GRAZE_FAKE");
    return mode && strcmp(mode, name) == 0;
}

static void *open_fake(int device, char *message, size_t size) {
    if (!fake_is("none") && device < 1) return asks; /* there is one */
    if (device < 0) snprintf(message, size, "no device was made for this test");
    if (device >= 0) snprintf(message, size, "device %d was not made for this test", device);
    return NULL;
}

static void close_fake(void *device) {
    (void)device;
    fake_close_cpu();
}

static void forget_fake(void *device, const void *block) {
    (void)device;
    (void)block;
}

/* The hull of some vertices at both ends; t_max is 1 and there is no separation in these tests. */
typedef struct hull {
    double lo[3], hi[3];
} hull;

static hull hull_of(const gz_backend_request *r, const uint32_t *ids, int count) {
    hull h = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int i = 0; i < count; i++)
        for (int c = 0; c < 3; c++) {
            double a = ((const double *)(const void *)(r->x0 + r->stride * ids[i]))[c];
            double b = ((const double *)(const void *)(r->x1 + r->stride * ids[i]))[c];
            h.lo[c] = fmin(h.lo[c], fmin(a, b));
            h.hi[c] = fmax(h.hi[c], fmax(a, b));
        }
    return h;
}

static int meet(hull a, hull b) {
    for (int c = 0; c < 3; c++)
        if (a.lo[c] > b.hi[c] || b.lo[c] > a.hi[c]) return 0;
    return 1;
}

static int shared(const uint32_t *a, int na, const uint32_t *b, int nb) {
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++)
            if (a[i] == b[j]) return 1;
    return 0;
}

static void ask(gz_backend_answer *answer, graze_kind kind, uint32_t a, uint32_t b) {
    if (ask_count < MOST) asks[ask_count++] = (gz_backend_ask){{kind, a, b}, 0};
    answer->candidates[kind]++;
}

/* The candidates were found in the order of the answer. */
static void answer_all(const gz_backend_request *r, gz_backend_answer *answer) {
    r->functions.answer_all(r->host, asks, ask_count, results);
    for (size_t i = 0; i < ask_count; i++) {
        if (results[i].verdict == GRAZE_CLEAR) continue;
        graze_pair_result *pair = &pairs[answer->pair_count];
        *pair = (graze_pair_result){asks[i].pair, results[i]};
        if (!answer->pair_count++ || results[i].toi < answer->first.result.toi) answer->first = *pair;
        answer->hits[asks[i].pair.kind]++;
    }
    answer->pairs = pairs;
    if (!r->keep_pairs && answer->pair_count)
        memcpy(r->functions.room(r->host, answer->pair_count), pairs, answer->pair_count * sizeof *pairs);
}

/* Candidates, or every pair left to the host: both are what was found. */
static void list_all(const gz_backend_request *r, gz_backend_answer *answer) {
    for (size_t i = 0; i < ask_count; i++) listed[i] = asks[i].pair;
    for (uint32_t v = 0; v < r->mesh->vertex_count && v < MOST; v++) limits[v] = r->question.t_max;
    answer->listed = r->keep_pairs ? listed : NULL;
    answer->listed_count = ask_count;
    answer->limits = limits;
    if (r->candidates && !r->keep_pairs && ask_count)
        memcpy(r->functions.list_room(r->host, ask_count), listed, ask_count * sizeof *listed);
    for (size_t i = 0; r->stops && i < ask_count; i += 5)
        r->functions.take_stops(r->host, listed + i, ask_count - i < 5 ? ask_count - i : 5);
    for (uint32_t v = 0; r->times && v < r->mesh->vertex_count; v++)
        r->times[v] = fmin(limits[v], r->functions.stops(r->host)[v]);
}

/* ---- positions "on the device", which here is the same memory ---- */

static int is_bad(const gz_backend_request *r, uint32_t v) {
    int bad = 0;
    for (int end = 0; end < 2; end++)
        for (int c = 0; c < 3; c++)
            bad |= !(fabs(((const double *)(const void *)((end ? r->x1 : r->x0) + r->stride * v))[c]) <= r->largest);
    return bad;
}

static void fill_row(const gz_backend_request *r, uint32_t v) {
    memcpy(r->rows[0][v], r->x0 + r->stride * v, sizeof r->rows[0][v]);
    memcpy(r->rows[1][v], r->x1 + r->stride * v, sizeof r->rows[1][v]);
}

/* Rows that were not asked about are no numbers, so that an answer that looked at them would be wrong. */
static void fill_rows(const gz_backend_request *r) {
    memset(r->rows[0], 0xff, r->mesh->vertex_count * sizeof *r->rows[0]);
    memset(r->rows[1], 0xff, r->mesh->vertex_count * sizeof *r->rows[1]);
    for (size_t i = 0; i < ask_count; i++) {
        uint32_t a = asks[i].pair.a, b = asks[i].pair.b;
        int edges = asks[i].pair.kind == GRAZE_EE;
        for (int k = 0; k < 2; k++) fill_row(r, edges ? r->mesh->edges[a][k] : a);
        for (int k = 0; k < 3; k++) fill_row(r, edges ? r->mesh->edges[b][k % 2] : r->mesh->faces[b][k]);
    }
}

static graze_status check_positions(const gz_backend_request *r) {
    int bad = !r->rows[0];
    for (uint32_t v = 0; v < r->mesh->vertex_count && r->rows[0]; v++) {
        fill_row(r, v);
        bad |= is_bad(r, v);
    }
    return bad ? r->functions.check_positions(r->host) : GRAZE_OK;
}

static graze_status step_worlds(const gz_backend_request *r, gz_backend_answer *answer) {
    gz_backend_request joined;
    graze_mesh mesh;
    int bad = 0;
    graze_status status = r->functions.check_mesh(r->host);
    if (status != GRAZE_OK) return status;
    status = fake_worlds_open(r, &joined, &mesh) ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t v = 0; status == GRAZE_OK && v < r->mesh->vertex_count; v++) {
        fill_row(&joined, v);
        bad |= is_bad(&joined, v);
    }
    if (status == GRAZE_OK) status = bad ? r->functions.check_positions(r->host) : fake_step_by_cpu(&joined, answer);
    fake_worlds_close(&joined);
    return status;
}

static graze_status step_fake(void *device, const gz_backend_request *r, gz_backend_answer *answer) {
    (void)device;
    if (fake_is("lost")) {
        snprintf(answer->message, sizeof answer->message, "the device was lost");
        return GRAZE_ERR_DEVICE;
    }
    if (r->worlds) return step_worlds(r, answer);
    if (fake_is("cpu")) return fake_step_by_cpu(r, answer);
    const graze_mesh *m = r->mesh;
    graze_status status = r->functions.check_mesh(r->host);
    if (status == GRAZE_OK) status = check_positions(r);
    if (status != GRAZE_OK) return status;
    if (r->near) return fake_find_near(r, answer);
    if (r->only) fake_answer_list(r, answer);
    if (r->only) return GRAZE_OK;
    ask_count = 0;
    for (uint32_t v = 0; v < m->vertex_count && r->kinds >> GRAZE_VF & 1u; v++)
        for (uint32_t f = 0; f < m->face_count; f++)
            if (!shared(&v, 1, m->faces[f], 3) && meet(hull_of(r, &v, 1), hull_of(r, m->faces[f], 3)))
                ask(answer, GRAZE_VF, v, f);
    for (uint32_t e = 0; e < m->edge_count && r->kinds >> GRAZE_EE & 1u; e++)
        for (uint32_t g = e + 1; g < m->edge_count; g++)
            if (!shared(m->edges[e], 2, m->edges[g], 2) && meet(hull_of(r, m->edges[e], 2), hull_of(r, m->edges[g], 2)))
                ask(answer, GRAZE_EE, e, g);
    if (r->rows[0]) fill_rows(r);
    if (r->candidates || r->stops)
        list_all(r, answer);
    else if (r->all)
        answer_all(r, answer);
    else
        r->functions.answer(r->host, asks, ask_count);
    return GRAZE_OK;
}

extern const gz_backend_table gz_backend_exported;
__attribute__((visibility("default"))) const gz_backend_table gz_backend_exported = {
#ifdef GRAZE_FAKE_OLD
    .version = GZ_BACKEND_VERSION + 1,
#else
    .version = GZ_BACKEND_VERSION,
#endif
    .request_size = sizeof(gz_backend_request),
    .answer_size = sizeof(gz_backend_answer),
    .result_size = sizeof(graze_pair_result),
    .near_size = sizeof(graze_proximity_pair),
    .batch_request_size = sizeof(gz_batch_request),
    .batch_answer_size = sizeof(gz_batch_answer),
    .open = open_fake,
    .close = close_fake,
    .forget = forget_fake,
    .step = step_fake,
    .batch = fake_batch,
};
