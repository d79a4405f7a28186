/* Lists on the fake back end: every pair of a caller's, and every pair of a mesh that may be near, is left to the host.
 */
#include "step/fake_backend.h"

#include "broad/broad.h"
#include "pair/near.h"
#include "step/mesh_pair.h"

#define MOST 200000

static gz_backend_ask asks[MOST];
static graze_proximity_pair near_pairs[MOST];

static int share(graze_kind kind, const uint32_t ids[4]) {
    int shared = 0, in_a = gz_kind_rows_of_a(kind);
    for (int i = 0; i < in_a; i++)
        for (int k = in_a; k < gz_kind_rows(kind); k++) shared |= ids[i] == ids[k];
    return shared;
}

static int is_pair(const graze_mesh *mesh, graze_pair pair) {
    uint32_t a, b, ids[4];
    if ((unsigned)pair.kind >= GZ_KINDS) return 0;
    gz_pair_counts(mesh, pair.kind, &a, &b);
    if (pair.a >= a || pair.b >= b) return 0;
    gz_pair_vertices(mesh, pair.kind, pair.a, pair.b, ids);
    return !share(pair.kind, ids);
}

static void fill_all_rows(const gz_backend_request *r) {
    for (uint32_t v = 0; v < r->mesh->vertex_count && r->rows[0]; v++) {
        memcpy(r->rows[0][v], r->x0 + r->stride * v, sizeof r->rows[0][v]);
        memcpy(r->rows[1][v], r->x1 + r->stride * v, sizeof r->rows[1][v]);
    }
}

void fake_answer_list(const gz_backend_request *r, gz_backend_answer *answer) {
    size_t count = r->list_count < MOST ? r->list_count : MOST;
    for (size_t i = 0; i < count; i++) {
        asks[i] = (gz_backend_ask){r->list[i], 0};
        answer->has_bad |= !is_pair(r->mesh, r->list[i]);
    }
    fill_all_rows(r);
    if (!answer->has_bad) r->functions.answer(r->host, asks, count);
}

static size_t ask_all(const graze_mesh *mesh, graze_kind kind, size_t count) {
    graze_pair pair = {kind, 0, 0};
    uint32_t a, b;
    gz_pair_counts(mesh, kind, &a, &b);
    for (pair.a = 0; pair.a < a; pair.a++)
        for (pair.b = kind == GRAZE_EE ? pair.a + 1 : 0; pair.b < b; pair.b++)
            if (is_pair(mesh, pair) && count < MOST) asks[count++] = (gz_backend_ask){pair, 0};
    return count;
}

static void tell(const gz_backend_request *r, graze_pair pair, graze_proximity_pair *out) {
    static const double none[2] = {0, 0};
    uint32_t ids[4] = {0};
    gz_vec3 rows[4];
    gz_pair_vertices(r->mesh, pair.kind, pair.a, pair.b, ids);
    for (int i = 0; i < 4; i++) rows[i] = gz_vec3_of((const double *)(const void *)(r->x0 + r->stride * ids[i]));
    gz_measure(pair.kind, rows, &out->distance);
    gz_near_tell(pair, ids, r->question.separation, none, out);
}

/* Without thickness, vertices and faces, edges and edges. */
graze_status fake_find_near(const gz_backend_request *r, gz_backend_answer *answer) {
    size_t count = 0;
    for (graze_kind kind = GRAZE_VF; kind <= GRAZE_EE; kind++)
        if (r->kinds >> kind & 1u) count = ask_all(r->mesh, kind, count);
    fill_all_rows(r);
    size_t kept = r->functions.decide(r->host, asks, count);
    if (kept == SIZE_MAX) return GRAZE_ERR_OUT_OF_MEMORY;
    graze_proximity_pair *to = r->keep_pairs ? near_pairs : kept ? r->functions.near_room(r->host, kept) : NULL;
    if (kept && !to) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < kept; i++) tell(r, asks[i].pair, &to[i]);
    answer->near = r->keep_pairs ? near_pairs : NULL;
    answer->near_count = kept;
    return GRAZE_OK;
}
