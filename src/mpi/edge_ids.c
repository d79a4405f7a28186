#include "mpi/edge_ids.h"

#include "mpi/ranks/spread.h"

typedef struct edge_key {
    uint64_t j, i;
    uint64_t at; /* where it was received */
} edge_key;

static int compare(const void *a, const void *b) {
    const edge_key *x = a, *y = b;
    if (x->j != y->j) return x->j < y->j ? -1 : 1;
    return (x->i > y->i) - (x->i < y->i);
}

static edge_key key_of(const gz_piece *piece, uint32_t e) {
    return (edge_key){.j = piece->vertex_ids[piece->edges[e][1]], .i = piece->vertex_ids[piece->edges[e][0]]};
}

/* Numbers the edges of this rank's range from `first` on, in the order in which they came. */
static graze_status number(gz_hold *hold, edge_key *keys, size_t count, uint64_t first, uint64_t **ids) {
    edge_key *scratch = gz_hold_get(hold, count, sizeof *scratch);
    *ids = gz_hold_get(hold, count, sizeof **ids);
    if (!scratch || !*ids) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) keys[i].at = i;
    gz_merge_sort(keys, scratch, count, sizeof *keys, compare);
    for (size_t i = 0; i < count; i++) (*ids)[keys[i].at] = first + i;
    return GRAZE_OK;
}

static graze_status find(gz_ranks *ranks, gz_hold *hold, gz_dealt *dealt, uint64_t *edge_ids) {
    gz_piece *piece = &dealt->piece;
    edge_key *mine = gz_hold_get(hold, piece->edge_count, sizeof *mine), *keys;
    size_t *counts = gz_hold_get(hold, 2 * (size_t)ranks->count, sizeof *counts);
    uint64_t first, total, *ids;
    bool room = mine && counts && edge_ids;
    for (uint32_t e = 0; room && e < piece->edge_count; e++) mine[e] = key_of(piece, e);
    graze_status status = gz_spread(ranks, room ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY, hold, mine, piece->edge_count,
                                    sizeof *mine, compare, (void **)&keys, counts, counts + ranks->count);
    if (status != GRAZE_OK) return status;
    gz_hold_drop(hold, mine);
    size_t count = gz_ranks_sum(ranks, counts + ranks->count);
    status = gz_spread_first(ranks, GRAZE_OK, hold, count, &first, &total);
    if (status != GRAZE_OK) return status;
    status = number(hold, keys, count, first, &ids);
    return gz_ranks_pass(ranks, status, ids, counts + ranks->count, sizeof *ids, edge_ids, counts);
}

graze_status gz_edge_ids_find(gz_ranks *ranks, gz_dealt *dealt) {
    gz_piece *piece = &dealt->piece;
    if (piece->edge_ids) return GRAZE_OK; /* on one rank as on all */
    gz_hold hold = {.context = ranks->context};
    uint64_t *edge_ids = gz_hold_get(&piece->hold, piece->edge_count, sizeof *edge_ids);
    graze_status status = find(ranks, &hold, dealt, edge_ids);
    gz_hold_free(&hold);
    if (status == GRAZE_OK)
        piece->edge_ids = edge_ids;
    else
        gz_hold_drop(&piece->hold, edge_ids);
    return status;
}

/* Own edges before (i, j). */
static uint64_t count_before(const gz_piece *piece, const uint64_t edge[2]) {
    edge_key wanted = {.j = edge[1], .i = edge[0]};
    uint32_t low = 0, high = piece->edge_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        edge_key key = key_of(piece, middle);
        if (compare(&key, &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

graze_status gz_edge_ids_count(gz_ranks *ranks, const gz_dealt *dealt, const uint64_t edges[2][2], uint64_t ids[2]) {
    gz_hold hold = {.context = ranks->context};
    uint64_t mine[2], (*all)[2] = gz_hold_get(&hold, ranks->count, sizeof *all);
    for (int k = 0; k < 2; k++) mine[k] = count_before(&dealt->piece, edges[k]);
    graze_status status = gz_ranks_gather(ranks, all ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY, mine, sizeof mine, all);
    ids[0] = ids[1] = 0;
    for (uint32_t r = 0; status == GRAZE_OK && r < ranks->count; r++)
        for (int k = 0; k < 2; k++) ids[k] += all[r][k];
    gz_hold_free(&hold);
    return status;
}
