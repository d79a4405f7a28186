/* Positions, radii and groups from parts to pieces: all copies of a vertex meet at its home, and have to agree. */
#include "mpi/deal/deal.h"

#include <string.h>

#define ROW_MOST 7 /* x0, x1, radius */
#define ROUNDS 8u
#define ROUNDS_FROM 1000u /* vertices of a rank */

static size_t row_width(const gz_dealt *dealt) { return dealt->radii ? ROW_MOST : ROW_MOST - 1; }

static void row_of(const gz_brought *brought, size_t i, double *row) {
    memcpy(row, brought->x0 + i * brought->stride, sizeof(double[3]));
    memcpy(row + 3, brought->x1 + i * brought->stride, sizeof(double[3]));
    if (brought->part.thickness) row[6] = brought->part.thickness[i];
}

static void row_from(const gz_piece *piece, uint32_t v, double *row) {
    memcpy(row, piece->x0[v], sizeof piece->x0[v]);
    memcpy(row + 3, piece->x1[v], sizeof piece->x1[v]);
    if (piece->radii) row[6] = piece->radii[v];
}

static void put_row(gz_piece *piece, uint32_t v, const double *row) {
    memcpy(piece->x0[v], row, sizeof piece->x0[v]);
    memcpy(piece->x1[v], row + 3, sizeof piece->x1[v]);
    if (piece->radii) piece->radii[v] = row[6];
}

/* Name of the first thing that copies of a vertex disagree about; NULL where they agree. */
static const char *difference(const gz_piece *piece, uint32_t v, const double *row) {
    if (memcmp(piece->x0[v], row, sizeof piece->x0[v])) return "x0";
    if (memcmp(piece->x1[v], row + 3, sizeof piece->x1[v])) return "x1";
    return piece->radii && memcmp(&piece->radii[v], &row[6], sizeof row[6]) ? "its thickness" : NULL;
}

typedef struct bringing {
    gz_ranks *ranks;
    const gz_brought *brought;
    gz_dealt *dealt;
    gz_hold hold;
    graze_status status;           /* of this rank, until all agree on it */
    uint8_t *seen;                 /* of the piece's vertices; NULL: none comes twice */
    size_t *counts[2], *begins[2]; /* rows of this round, sent and received, and which of all they are */
    size_t first[2], own;          /* where the rows that stay here are among those of the route, and how many */
} bringing;

static bool open_bringing(bringing *b) {
    const gz_route *route = &b->dealt->bring;
    uint32_t rank = b->ranks->rank;
    bool once = route->received == b->dealt->own_vertices;
    if (!once) b->seen = gz_hold_zeros(&b->hold, b->dealt->piece.vertex_count, 1);
    bool room = once || b->seen;
    for (int i = 0; i < 2; i++) {
        b->counts[i] = gz_hold_get(&b->hold, b->ranks->count, sizeof *b->counts[i]);
        b->begins[i] = gz_hold_get(&b->hold, b->ranks->count, sizeof *b->begins[i]);
        room = room && b->counts[i] && b->begins[i];
        for (uint32_t r = 0; r < rank; r++) b->first[i] += i ? route->to_counts[r] : route->from_counts[r];
    }
    b->own = route->from_counts[rank];
    return room;
}

/* The first copy is taken, all others have to be like it. */
static graze_status take_row(bringing *b, uint32_t v, const double *row, uint32_t from) {
    gz_piece *piece = &b->dealt->piece;
    if (!b->seen || !b->seen[v]) {
        put_row(piece, v, row);
        if (b->seen) b->seen[v] = 1;
        return GRAZE_OK;
    }
    const char *what = difference(piece, v, row);
    if (!what) return GRAZE_OK;
    return gz_fail(b->ranks->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
                   "vertex %llu: ranks do not agree about %s, rank %u among them",
                   (unsigned long long)piece->vertex_ids[v], what, from);
}

static void copy_own(const bringing *b) {
    const uint32_t *from = b->dealt->bring.from + b->first[0], *to = b->dealt->bring.to + b->first[1];
    const char *x[2] = {b->brought->x0, b->brought->x1};
    gz_piece *piece = &b->dealt->piece;
    double(*own[2])[3] = {piece->x0, piece->x1};
    for (int end = 0; end < 2; end++)
        for (size_t i = 0; i < b->own; i++)
            memcpy(own[end][to[i]], x[end] + from[i] * b->brought->stride, sizeof *own[end]);
    for (size_t i = 0; piece->radii && i < b->own; i++) piece->radii[to[i]] = b->brought->part.thickness[from[i]];
}

/* Rows of vertices whose home is the rank that brings them. */
static graze_status take_own(bringing *b) {
    const gz_route *route = &b->dealt->bring;
    graze_status status = GRAZE_OK;
    double row[ROW_MOST];
    if (!b->seen) {
        copy_own(b);
        return GRAZE_OK;
    }
    for (size_t i = 0; status == GRAZE_OK && i < b->own; i++) {
        row_of(b->brought, route->from[b->first[0] + i], row);
        status = take_row(b, route->to[b->first[1] + i], row, b->ranks->rank);
    }
    return status;
}

static graze_status take_others(bringing *b, const double *rows) {
    const gz_route *route = &b->dealt->bring;
    const uint32_t *to = route->to;
    graze_status status = GRAZE_OK;
    for (uint32_t r = 0; r < b->ranks->count; to += route->to_counts[r++])
        for (size_t i = 0; status == GRAZE_OK && i < b->counts[1][r]; i++, rows += row_width(b->dealt))
            status = take_row(b, to[b->begins[1][r] + i], rows, r);
    return status;
}

/* One part of the rows that go to others. */
static graze_status bring_round(bringing *b, uint32_t round, uint32_t rounds) {
    const gz_route *route = &b->dealt->bring;
    const size_t *counts[2] = {route->from_counts, route->to_counts};
    size_t width = row_width(b->dealt), total[2] = {0, 0}, next = 0;
    for (int i = 0; i < 2; i++)
        for (uint32_t r = 0; r < b->ranks->count; r++) {
            size_t all = r == b->ranks->rank ? 0 : counts[i][r];
            b->begins[i][r] = all * round / rounds;
            total[i] += b->counts[i][r] = all * (round + 1) / rounds - b->begins[i][r];
        }
    double *sent = gz_hold_get(&b->hold, total[0], width * sizeof *sent);
    double *rows = gz_hold_get(&b->hold, total[1], width * sizeof *rows);
    const uint32_t *from = route->from;
    for (uint32_t r = 0; sent && r < b->ranks->count; from += counts[0][r++])
        for (size_t i = 0; i < b->counts[0][r]; i++)
            row_of(b->brought, from[b->begins[0][r] + i], sent + width * next++);
    graze_status status = gz_ranks_pass(b->ranks, sent && rows ? b->status : GRAZE_ERR_OUT_OF_MEMORY, sent,
                                        b->counts[0], width * sizeof *sent, rows, b->counts[1]);
    if (status == GRAZE_OK) b->status = take_others(b, rows);
    gz_hold_drop(&b->hold, sent);
    gz_hold_drop(&b->hold, rows);
    return status;
}

/* Many rows go in parts, so that they take little room beside what a step keeps. */
static graze_status bring(bringing *b) {
    uint32_t rounds = b->dealt->vertex_total / b->ranks->count > ROUNDS_FROM ? ROUNDS : 1;
    b->status = open_bringing(b) ? take_own(b) : GRAZE_ERR_OUT_OF_MEMORY;
    graze_status status = gz_ranks_agree(b->ranks, b->status);
    for (uint32_t round = 0; status == GRAZE_OK && round < rounds; round++) status = bring_round(b, round, rounds);
    gz_hold_free(&b->hold);
    return status == GRAZE_OK ? b->status : status;
}

static graze_status support(gz_ranks *ranks, graze_status mine, gz_dealt *dealt) {
    const gz_route *route = &dealt->support;
    gz_hold hold = {.context = ranks->context};
    size_t width = row_width(dealt);
    double *sent = gz_hold_get(&hold, route->sent, width * sizeof *sent);
    double *rows = gz_hold_get(&hold, route->received, width * sizeof *rows);
    if (mine == GRAZE_OK && !(sent && rows)) mine = GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; mine == GRAZE_OK && i < route->sent; i++)
        row_from(&dealt->piece, route->from[i], sent + width * i);
    graze_status status =
        gz_ranks_pass(ranks, mine, sent, route->from_counts, width * sizeof *sent, rows, route->to_counts);
    for (size_t i = 0; status == GRAZE_OK && i < route->received; i++)
        put_row(&dealt->piece, route->to[i], rows + width * i);
    gz_hold_free(&hold);
    return status;
}

graze_status gz_deal_positions(gz_ranks *ranks, const gz_brought *brought, gz_dealt *dealt) {
    bringing b = {.ranks = ranks, .brought = brought, .dealt = dealt, .hold = {.context = ranks->context}};
    return support(ranks, bring(&b), dealt);
}

/* ---- groups ---- */

/* Groups by a route, from the part or from the piece itself; the first copy is taken, others have to be like it. */
static graze_status pass_groups(gz_ranks *ranks, gz_hold *hold, const gz_route *route, const uint32_t *groups,
                                gz_piece *piece) {
    uint32_t *sent = gz_hold_get(hold, route->sent, sizeof *sent),
             *got = gz_hold_get(hold, route->received, sizeof *got);
    for (size_t i = 0; sent && i < route->sent; i++) sent[i] = groups[route->from[i]];
    graze_status status = gz_ranks_pass(ranks, sent && got ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY, sent,
                                        route->from_counts, sizeof *sent, got, route->to_counts);
    for (size_t i = 0; status == GRAZE_OK && i < route->received; i++) {
        uint32_t *group = &piece->groups[route->to[i]];
        if (*group == UINT32_MAX) *group = got[i];
        if (*group != got[i])
            status = gz_fail(ranks->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
                             "vertex %llu: ranks do not agree about its group",
                             (unsigned long long)piece->vertex_ids[route->to[i]]);
    }
    return gz_ranks_agree(ranks, status);
}

graze_status gz_deal_groups(gz_ranks *ranks, const gz_brought *brought, gz_dealt *dealt) {
    gz_hold hold = {.context = ranks->context};
    gz_piece *piece = &dealt->piece;
    if (!dealt->rules.group_count) return GRAZE_OK; /* on one rank as on all */
    memset(piece->groups, 0xff, piece->vertex_count * sizeof *piece->groups);
    graze_status status = pass_groups(ranks, &hold, &dealt->bring, brought->part.groups, piece);
    if (status == GRAZE_OK) status = pass_groups(ranks, &hold, &dealt->support, piece->groups, piece);
    gz_hold_free(&hold);
    return status;
}
