#include "mpi/found.h"

#include "step/call.h"
#include "step/mesh_pair.h"

#include <string.h>

#define KINDS 4

void gz_global_pair(const gz_piece *piece, graze_pair pair, uint64_t vertices[4], graze_mpi_pair *to) {
    uint32_t ids[4];
    int rows = gz_kind_rows(pair.kind);
    gz_pair_vertices(&piece->mesh, pair.kind, pair.a, pair.b, ids);
    for (int i = 0; i < 4; i++) vertices[i] = i < rows ? piece->vertex_ids[ids[i]] : 0;
    bool edges[2] = {pair.kind == GRAZE_EE, pair.kind == GRAZE_EE || pair.kind == GRAZE_PE};
    to->kind = pair.kind;
    to->a = !edges[0] ? vertices[0] : piece->edge_ids ? piece->edge_ids[pair.a] : 0;
    to->b = edges[1]                ? piece->edge_ids ? piece->edge_ids[pair.b] : 0
            : pair.kind == GRAZE_VF ? piece->face_ids[pair.b]
                                    : vertices[1];
}

/* The place of a primitive among those of its kind: an edge's is known by its vertices before its id is. */
typedef struct place {
    uint64_t high, low;
} place;

static place first_place(const graze_mpi_pair_result *p) {
    return p->pair.kind == GRAZE_EE ? (place){p->vertices[1], p->vertices[0]} : (place){0, p->vertices[0]};
}

static place second_place(const graze_mpi_pair_result *p) {
    switch (p->pair.kind) {
    case GRAZE_EE: return (place){p->vertices[3], p->vertices[2]};
    case GRAZE_PE: return (place){p->vertices[2], p->vertices[1]};
    case GRAZE_PP: return (place){0, p->vertices[1]};
    case GRAZE_VF: break;
    }
    return (place){0, p->pair.b};
}

static int compare_places(place x, place y) {
    if (x.high != y.high) return x.high < y.high ? -1 : 1;
    return (x.low > y.low) - (x.low < y.low);
}

static bool before(const graze_mpi_pair_result *x, const graze_mpi_pair_result *y) {
    if (x->result.toi != y->result.toi) return x->result.toi < y->result.toi;
    if (x->pair.kind != y->pair.kind) return x->pair.kind < y->pair.kind;
    int first = compare_places(first_place(x), first_place(y));
    return first ? first < 0 : compare_places(second_place(x), second_place(y)) < 0;
}

static void take(gz_found *found, const graze_mpi_pair_result *pair) {
    if (!found->has_pair || before(pair, &found->best)) found->best = *pair;
    found->has_pair = 1;
}

void gz_found_add(gz_found *found, const gz_piece *piece, const graze_step_result *result) {
    found->cancelled |= result->reason == GRAZE_REASON_CANCELLED && !result->has_pair;
    for (int kind = 0; kind < KINDS && result->candidates[kind] != GRAZE_NOT_COUNTED; kind++) {
        found->candidates[kind] += result->candidates[kind];
        found->hits[kind] += result->hits[kind];
    }
    if (!result->has_pair) return;
    graze_mpi_pair_result pair;
    memset(&pair, 0, sizeof pair);
    pair.result = result->limiting.result;
    gz_global_pair(piece, result->limiting.pair, pair.vertices, &pair.pair);
    take(found, &pair);
}

static void join(gz_found *all, const gz_found *one) {
    all->cancelled |= one->cancelled;
    for (int kind = 0; kind < KINDS; kind++) {
        all->candidates[kind] += one->candidates[kind];
        all->hits[kind] += one->hits[kind];
    }
    if (one->has_pair && one->stopped >= all->stopped) {
        if (one->stopped > all->stopped) all->has_pair = 0; /* a proven contact goes before all others */
        take(all, &one->best);
    }
    all->stopped |= one->stopped;
}

graze_status gz_found_reduce(gz_ranks *ranks, graze_status mine, gz_found *found, double *imbalance) {
    gz_hold hold = {.context = ranks->context};
    gz_found *all = gz_hold_get(&hold, ranks->count, sizeof *all), sum = {0};
    double most = 0, seconds = 0, most_work = 0, work = 0;
    graze_status status =
        gz_ranks_gather(ranks, mine == GRAZE_OK && !all ? GRAZE_ERR_OUT_OF_MEMORY : mine, found, sizeof *found, all);
    for (uint32_t r = 0; status == GRAZE_OK && r < ranks->count; r++) {
        join(&sum, &all[r]);
        seconds += all[r].seconds;
        work += all[r].work;
        if (all[r].seconds > most) most = all[r].seconds;
        if (all[r].work > most_work) most_work = all[r].work;
    }
    gz_hold_free(&hold);
    sum.seconds = found->seconds;
    sum.work = found->work;
    sum.behind = most_work - work / ranks->count;
    *found = sum;
    *imbalance = seconds > 0 ? most * ranks->count / seconds : 1;
    return status;
}
