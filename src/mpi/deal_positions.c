/* Positions, radii and groups from parts to pieces: all copies of a vertex meet at its home, and have to agree. */
#include "mpi/deal.h"

#include "broad/sort.h"
#include "mpi/curve.h"
#include "mpi/homes.h"
#include "mpi/nodes.h"

#include <math.h>
#include <string.h>

#define NODE_LEAST 32u /* vertices of a node, at least */

typedef struct row {
    double x0[3], x1[3], radius;
    uint32_t group, spare;
} row;

static void row_of(const gz_brought *brought, size_t i, row *to) {
    memset(to, 0, sizeof *to);
    memcpy(to->x0, brought->x0 + i * brought->stride, sizeof to->x0);
    memcpy(to->x1, brought->x1 + i * brought->stride, sizeof to->x1);
    if (brought->part.thickness) to->radius = brought->part.thickness[i];
    if (brought->part.groups) to->group = brought->part.groups[i];
}

static void row_from(const gz_piece *piece, uint32_t v, row *to) {
    memset(to, 0, sizeof *to);
    memcpy(to->x0, piece->x0[v], sizeof to->x0);
    memcpy(to->x1, piece->x1[v], sizeof to->x1);
    if (piece->radii) to->radius = piece->radii[v];
    if (piece->groups) to->group = piece->groups[v];
}

static void put_row(gz_piece *piece, uint32_t v, const row *from) {
    memcpy(piece->x0[v], from->x0, sizeof from->x0);
    memcpy(piece->x1[v], from->x1, sizeof from->x1);
    if (piece->radii) piece->radii[v] = from->radius;
    if (piece->groups) piece->groups[v] = from->group;
}

static const char *difference(const row *a, const row *b) {
    if (memcmp(a->x0, b->x0, sizeof a->x0)) return "x0";
    if (memcmp(a->x1, b->x1, sizeof a->x1)) return "x1";
    return a->group != b->group ? "its group" : "its thickness";
}

/* The first copy is taken, all others have to be like it. */
static graze_status take_rows(gz_ranks *ranks, gz_dealt *dealt, const row *rows, uint8_t *seen) {
    const gz_route *bring = &dealt->bring;
    size_t at = 0;
    for (uint32_t r = 0; r < ranks->count; r++)
        for (size_t end = at + bring->to_counts[r]; at < end; at++) {
            uint32_t v = bring->to[at];
            row mine;
            if (!seen[v]) put_row(&dealt->piece, v, &rows[at]);
            seen[v] = 1;
            row_from(&dealt->piece, v, &mine);
            if (!memcmp(&mine, &rows[at], sizeof mine)) continue;
            return gz_fail(ranks->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
                           "vertex %llu: ranks do not agree about %s, rank %u among them",
                           (unsigned long long)dealt->piece.vertex_ids[v], difference(&mine, &rows[at]), r);
        }
    return GRAZE_OK;
}

static graze_status bring(gz_ranks *ranks, const gz_brought *brought, gz_hold *hold, gz_dealt *dealt) {
    size_t count = dealt->bring.sent;
    row *sent = gz_hold_get(hold, count, sizeof *sent), *rows = gz_hold_get(hold, dealt->bring.received, sizeof *rows);
    uint8_t *seen = gz_hold_zeros(hold, dealt->piece.vertex_count, 1);
    for (size_t i = 0; sent && i < count; i++) row_of(brought, dealt->bring.from[i], &sent[i]);
    graze_status status = gz_ranks_pass(ranks, sent && rows && seen ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY, sent,
                                        dealt->bring.from_counts, sizeof *sent, rows, dealt->bring.to_counts);
    if (status == GRAZE_OK) status = take_rows(ranks, dealt, rows, seen);
    gz_hold_free(hold);
    return status;
}

static graze_status support(gz_ranks *ranks, graze_status mine, gz_hold *hold, gz_dealt *dealt) {
    const gz_route *route = &dealt->support;
    row *sent = gz_hold_get(hold, route->sent, sizeof *sent), *rows = gz_hold_get(hold, route->received, sizeof *rows);
    if (mine == GRAZE_OK && !(sent && rows)) mine = GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; mine == GRAZE_OK && i < route->sent; i++) row_from(&dealt->piece, route->from[i], &sent[i]);
    graze_status status = gz_ranks_pass(ranks, mine, sent, route->from_counts, sizeof *sent, rows, route->to_counts);
    for (size_t i = 0; status == GRAZE_OK && i < route->received; i++) put_row(&dealt->piece, route->to[i], &rows[i]);
    gz_hold_free(hold);
    return status;
}

graze_status gz_deal_positions(gz_ranks *ranks, const gz_brought *brought, gz_dealt *dealt) {
    gz_hold hold = {.context = ranks->context};
    return support(ranks, bring(ranks, brought, &hold, dealt), &hold, dealt);
}

/* ---- nodes ---- */

static void frame_of(const gz_piece *piece, gz_homes *frame) {
    gz_summary box = {.lo = {INFINITY, INFINITY, INFINITY}, .hi = {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t v = 0; v < piece->vertex_count; v++)
        for (int c = 0; c < 3; c++) {
            box.lo[c] = fmin(box.lo[c], piece->x0[v][c]);
            box.hi[c] = fmax(box.hi[c], piece->x0[v][c]);
        }
    gz_homes_frame(&box, 1, frame);
}

graze_status gz_deal_nodes(gz_ranks *ranks, gz_dealt *dealt) {
    gz_piece *piece = &dealt->piece;
    gz_hold hold = {.context = ranks->context};
    gz_homes frame;
    uint32_t own = dealt->own_vertices, next = 0;
    gz_keyed *items[2];
    for (int i = 0; i < 2; i++) items[i] = gz_hold_get(&hold, own, sizeof *items[i]);
    void *scratch = gz_hold_get(&hold, gz_sort_scratch(ranks->context, own), 1);
    bool room = items[0] && items[1] && scratch;
    dealt->node_count = own / NODE_LEAST < 1 ? own > 0 : own / NODE_LEAST > GZ_NODES ? GZ_NODES : own / NODE_LEAST;
    frame_of(piece, &frame);
    for (uint32_t v = 0; room && v < piece->vertex_count; v++)
        if (piece->tags[v] != GZ_TAG_NONE)
            items[0][next++] = (gz_keyed){gz_curve_place(piece->x0[v], frame.origin, frame.scale), v};
    gz_keyed *done = room ? gz_sort(ranks->context, items[0], items[1], own, 63, scratch) : NULL;
    for (uint32_t i = 0; done && i < own; i++)
        piece->tags[done[i].id] = (uint32_t)((uint64_t)i * dealt->node_count / own);
    gz_hold_free(&hold);
    return room ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}
