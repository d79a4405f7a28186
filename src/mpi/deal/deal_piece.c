/* The lists of a piece from what arrived, in the order of ids. */
#include "mpi/deal/dealing.h"

#include "broad/sort.h"
#include "mesh/mesh.h"
#include "mesh/sides.h"
#include "mpi/nodes.h"

#include <string.h>

typedef struct sorted {
    gz_keyed *items[2], *done;
    void *scratch;
} sorted;

static int bits_of(const gz_keyed *items, size_t count) {
    uint64_t all = 0;
    int bits = 1;
    for (size_t i = 0; i < count; i++) all |= items[i].key;
    while (bits < 64 && all >> bits) bits++;
    return bits;
}

/* Room to sort `count` ids; the caller fills items[0]. */
static bool sorted_open(gz_dealing *d, size_t count, sorted *s) {
    for (int i = 0; i < 2; i++) s->items[i] = gz_hold_get(&d->hold, count, sizeof *s->items[i]);
    s->scratch = gz_hold_get(&d->hold, gz_sort_scratch(d->context, count), 1);
    return s->items[0] && s->items[1] && s->scratch;
}

static void sorted_run(gz_dealing *d, size_t count, sorted *s) {
    s->done = gz_sort(d->context, s->items[0], s->items[1], count, bits_of(s->items[0], count), s->scratch);
}

static void sorted_close(gz_dealing *d, sorted *s) {
    for (int i = 0; i < 2; i++) gz_hold_drop(&d->hold, s->items[i]);
    gz_hold_drop(&d->hold, s->scratch);
}

/* ---- vertices ---- */

static void replace(uint32_t *places, size_t count, const uint32_t *place) {
    for (size_t i = 0; i < count; i++) places[i] = place[places[i]];
}

/* From numbers of the table to places in the piece. */
static bool sort_vertices(gz_dealing *d, uint32_t *place) {
    gz_dealt *dealt = d->dealt;
    size_t count = d->here.count;
    sorted s = {0};
    bool room = sorted_open(d, count, &s);
    for (size_t i = 0; room && i < count; i++) s.items[0][i] = (gz_keyed){d->here.ids[i], (uint32_t)i};
    if (room) sorted_run(d, count, &s);
    for (size_t i = 0; room && i < count; i++) {
        place[s.done[i].id] = (uint32_t)i;
        dealt->piece.vertex_ids[i] = s.done[i].key;
        dealt->piece.tags[i] = s.done[i].id < dealt->own_vertices ? 0 : GZ_TAG_NONE;
    }
    sorted_close(d, &s);
    return room;
}

static void replace_routes(gz_dealt *dealt, const uint32_t *place) {
    replace(dealt->bring.to, dealt->bring.received, place);
    replace(dealt->support.from, dealt->support.sent, place);
    replace(dealt->support.to, dealt->support.received, place);
}

static uint32_t place_of(const gz_dealing *d, const uint32_t *place, uint64_t id) {
    return place[gz_id_table_find(&d->here, id)];
}

/* ---- faces ---- */

static graze_status take_face(gz_dealing *d, const gz_dealt_face *face, const gz_dealt_face *before,
                              const uint32_t *place) {
    gz_piece *piece = &d->dealt->piece;
    if (before && before->id == face->id) {
        if (!memcmp(before->v, face->v, sizeof face->v)) return GRAZE_OK;
        return gz_fail(d->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
                       "face %llu: ranks %u and %u do not agree about its corners", (unsigned long long)face->id,
                       before->rank, face->rank);
    }
    for (int k = 0; k < 3; k++) piece->faces[piece->face_count][k] = place_of(d, place, face->v[k]);
    piece->face_ids[piece->face_count++] = face->id;
    return GRAZE_OK;
}

static graze_status sort_faces(gz_dealing *d, const uint32_t *place) {
    sorted s = {0};
    graze_status status = gz_room(sorted_open(d, d->face_count, &s));
    if (status == GRAZE_OK) {
        for (size_t i = 0; i < d->face_count; i++) s.items[0][i] = (gz_keyed){d->faces[i].id, (uint32_t)i};
        sorted_run(d, d->face_count, &s);
    }
    for (size_t i = 0; status == GRAZE_OK && i < d->face_count; i++)
        status = take_face(d, &d->faces[s.done[i].id], i ? &d->faces[s.done[i - 1].id] : NULL, place);
    sorted_close(d, &s);
    return status;
}

/* ---- edges and points ---- */

/* Codimensional where no copy is a side of a face. */
static void take_edge(gz_dealing *d, const gz_sides *sides, size_t begin, size_t end) {
    gz_piece *piece = &d->dealt->piece;
    bool is_free = true;
    for (size_t i = begin; i < end; i++) is_free &= d->edges[sides->items[i].from & ~GZ_FREE_EDGE].is_free != 0;
    if (is_free) piece->codim_edges[piece->codim_edge_count++] = piece->edge_count;
    memcpy(piece->edges[piece->edge_count++], sides->items[begin].v, sizeof *piece->edges);
}

static bool sort_edges(gz_dealing *d, const uint32_t *place) {
    uint32_t(*ends)[2] = gz_hold_get(&d->hold, d->edge_count, sizeof *ends);
    gz_sides sides = {0};
    for (size_t i = 0; ends && i < d->edge_count; i++) {
        ends[i][0] = place_of(d, place, d->edges[i].i);
        ends[i][1] = place_of(d, place, d->edges[i].j);
    }
    bool room = ends && gz_sides_open(d->context, d->dealt->piece.vertex_count, NULL, 0, (const uint32_t(*)[2])ends,
                                      (uint32_t)d->edge_count, &sides);
    for (size_t i = 0; room && i < sides.count;) {
        size_t end = gz_sides_end(&sides, i);
        take_edge(d, &sides, i, end);
        i = end;
    }
    if (ends) gz_sides_close(d->context, &sides);
    gz_hold_drop(&d->hold, ends);
    return room;
}

static void take_points(gz_dealing *d, const uint32_t *place) {
    gz_piece *piece = &d->dealt->piece;
    for (size_t i = 0; i < d->point_count; i++) {
        uint32_t at = gz_id_table_find(&d->here, d->points[i]);
        if (d->in_edge[at]) continue;
        d->in_edge[at] = 1; /* a point that comes twice is one */
        piece->points[piece->point_count++] = place[at];
    }
}

static uint32_t free_edges(const gz_dealing *d) {
    uint32_t count = 0;
    for (size_t i = 0; i < d->edge_count; i++) count += d->edges[i].is_free;
    return count;
}

/* Vertices that are here as ends alone are tested elsewhere; edges and faces live with their first vertex. */
static bool halve(gz_piece *piece) {
    if (!gz_piece_halves(piece)) return false;
    piece->halves_of_longer = GZ_HALF_A | GZ_HALF_B;
    for (uint32_t v = 0; v < piece->vertex_count; v++)
        piece->halves[v] = piece->tags[v] == GZ_TAG_NONE ? GZ_HALF_ASKED : GZ_HALF_A | GZ_HALF_B;
    return true;
}

static graze_status make_piece(gz_dealing *d) {
    gz_dealt *dealt = d->dealt;
    gz_piece *piece = &dealt->piece;
    uint32_t *place = gz_hold_get(&d->hold, d->here.count, sizeof *place);
    if (d->here.count > INT32_MAX || d->edge_count > INT32_MAX || d->face_count > INT32_MAX)
        return gz_fail(d->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "more than 2^31 of one kind on a rank");
    bool room = place && gz_piece_open(piece, (uint32_t)d->here.count, dealt->rules.group_count > 0, dealt->radii) &&
                gz_piece_room(piece, (uint32_t)d->edge_count, (uint32_t)d->face_count, free_edges(d),
                              (uint32_t)d->point_count) &&
                sort_vertices(d, place) && sort_edges(d, place);
    if (!room) return GRAZE_ERR_OUT_OF_MEMORY;
    graze_status status = sort_faces(d, place);
    if (status != GRAZE_OK) return status;
    take_points(d, place);
    replace_routes(dealt, place);
    bool alone = dealt->support.received == 0;
    return gz_room((alone || halve(piece)) && gz_piece_close(piece, &dealt->rules, ~(1u << GRAZE_VF)));
}

typedef struct piece_counts {
    uint64_t vertices, edges, faces, codim_edges, points;
} piece_counts;

graze_status gz_deal_piece(gz_dealing *d) {
    gz_dealt *dealt = d->dealt;
    piece_counts *all = gz_hold_get(&d->hold, d->ranks->count, sizeof *all);
    graze_status status = all ? make_piece(d) : GRAZE_ERR_OUT_OF_MEMORY;
    const gz_piece *piece = &dealt->piece;
    piece_counts mine = {dealt->own_vertices, piece->edge_count, piece->face_count, piece->codim_edge_count,
                         piece->point_count};
    status = gz_ranks_gather(d->ranks, status, &mine, sizeof mine, all);
    if (status != GRAZE_OK) return status;
    for (uint32_t r = 0; r < d->ranks->count; r++) {
        dealt->vertex_total += all[r].vertices;
        uint32_t nodes = gz_node_count(all[r].vertices);
        if (nodes > dealt->node_room) dealt->node_room = nodes;
        dealt->edge_total += all[r].edges;
        dealt->face_total += all[r].faces;
        dealt->codim_edge_total += all[r].codim_edges;
        dealt->point_total += all[r].points;
    }
    return GRAZE_OK;
}
