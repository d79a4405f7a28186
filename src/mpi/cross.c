#include "mpi/cross.h"

#include "broad/sort.h"
#include "mesh/mesh.h"
#include "mesh/sides.h"
#include "mpi/message.h"
#include "mpi/ranks/id_table.h"

#include <string.h>

/* One message, opened. */
typedef struct letter {
    gz_sent_counts counts;
    const gz_sent_vertex *vertices;
    const gz_sent_edge *edges;
    const gz_sent_face *faces;
    uint32_t slot;
    const uint32_t *places; /* of its vertices in the piece */
} letter;

typedef struct maker {
    graze_context *context;
    gz_piece *piece;
    letter *letters;
    uint32_t letter_count;
    gz_sent_counts totals;
    gz_hold hold, stage; /* of all stages, and of the one under way */
    gz_id_table ids;
    uint32_t *place;              /* from the table's order to that of ids */
    const gz_sent_vertex **first; /* that the table's vertices came with; one that its own rank sent, if any */
    uint32_t *tags;
} maker;

static letter open_letter(const char *bytes, uint32_t slot) {
    letter l = {.slot = slot};
    memcpy(&l.counts, bytes, sizeof l.counts);
    l.vertices = (const gz_sent_vertex *)(const void *)(bytes + sizeof l.counts);
    l.edges = (const gz_sent_edge *)(const void *)(l.vertices + l.counts.vertices);
    l.faces = (const gz_sent_face *)(const void *)(l.edges + l.counts.edges);
    return l;
}

static bool open_letters(maker *m, const char *messages, const size_t *sizes, uint32_t ranks, gz_halo *halo) {
    uint32_t next = 0;
    m->letters = gz_hold_get(&m->hold, halo->nodes.neighbor_count + 1, sizeof *m->letters);
    if (!m->letters) return false;
    for (uint32_t rank = 0; rank < ranks; rank++) {
        while (next < halo->nodes.neighbor_count && halo->nodes.neighbors[next].rank < rank) next++;
        if (!sizes[rank]) continue;
        letter l = open_letter(messages, rank == halo->rank ? 0 : 1 + next);
        m->letters[m->letter_count++] = l;
        m->totals.vertices += l.counts.vertices;
        m->totals.edges += l.counts.edges;
        m->totals.faces += l.counts.faces;
        if (l.slot) halo->crossing += l.counts.vertices + l.counts.edges + l.counts.faces;
        messages += sizes[rank];
    }
    return true;
}

/* ---- vertices ---- */

static bool gather_vertices(maker *m) {
    size_t most = m->totals.vertices;
    m->first = gz_hold_get(&m->hold, most, sizeof *m->first);
    m->tags = gz_hold_get(&m->hold, most, sizeof *m->tags);
    if (!m->first || !m->tags || !gz_id_table_open(&m->hold, most, &m->ids)) return false;
    for (uint32_t l = 0; l < m->letter_count; l++)
        for (size_t i = 0; i < m->letters[l].counts.vertices; i++) {
            const gz_sent_vertex *vertex = &m->letters[l].vertices[i];
            size_t before = m->ids.count;
            uint32_t at = gz_id_table_add(&m->ids, vertex->id);
            if (at == GZ_NOWHERE) return false;
            bool from_home = vertex->node != GZ_TAG_NONE;
            if (at < before && !from_home) continue;
            m->first[at] = vertex;
            m->tags[at] = from_home ? GZ_TAG(m->letters[l].slot, vertex->node) : GZ_TAG_NONE;
        }
    return true;
}

static gz_keyed *sort_ids(maker *m, gz_keyed *items, size_t count) {
    gz_keyed *other = gz_hold_get(&m->stage, count, sizeof *other);
    void *scratch = gz_hold_get(&m->stage, gz_sort_scratch(m->context, count), 1);
    return other && scratch ? gz_sort(m->context, items, other, count, 64, scratch) : NULL;
}

static void put_vertex(gz_piece *piece, uint32_t v, const gz_sent_vertex *from, uint32_t tag) {
    piece->vertex_ids[v] = from->id;
    memcpy(piece->x0[v], from->x0, sizeof from->x0);
    memcpy(piece->x1[v], from->x1, sizeof from->x1);
    if (piece->radii) piece->radii[v] = from->radius;
    if (piece->groups) piece->groups[v] = from->group;
    piece->tags[v] = tag;
    if (from->is_point && tag != GZ_TAG_NONE) piece->points[piece->point_count++] = v;
}

static bool put_vertices(maker *m) {
    size_t count = m->ids.count;
    gz_keyed *items = gz_hold_get(&m->stage, count, sizeof *items);
    m->place = gz_hold_get(&m->hold, count, sizeof *m->place);
    if (!items || !m->place) return false;
    for (size_t i = 0; i < count; i++) items[i] = (gz_keyed){m->ids.ids[i], (uint32_t)i};
    const gz_keyed *done = sort_ids(m, items, count);
    for (uint32_t v = 0; done && v < count; v++) {
        m->place[done[v].id] = v;
        put_vertex(m->piece, v, m->first[done[v].id], m->tags[done[v].id]);
    }
    return done != NULL;
}

/* Places of the vertices of each message. */
static bool note_places(maker *m, gz_halo *halo) {
    gz_route *route = &halo->route;
    route->received = m->totals.vertices;
    uint32_t *at = route->to = gz_hold_get(&m->piece->hold, route->received, sizeof *route->to);
    if (!at) return false;
    for (uint32_t l = 0; l < m->letter_count; l++) {
        letter *from = &m->letters[l];
        uint32_t rank = from->slot ? halo->nodes.neighbors[from->slot - 1].rank : halo->rank;
        route->to_counts[rank] = from->counts.vertices;
        from->places = at;
        for (uint32_t i = 0; i < from->counts.vertices; i++)
            *at++ = m->place[gz_id_table_find(&m->ids, from->vertices[i].id)];
    }
    return true;
}

/* ---- edges and faces ---- */

static bool put_edges(maker *m, bool with_ids) {
    gz_piece *piece = m->piece;
    size_t count = 0;
    uint32_t(*ends)[2] = gz_hold_get(&m->stage, m->totals.edges, sizeof *ends);
    const gz_sent_edge **from = gz_hold_get(&m->stage, m->totals.edges, sizeof *from);
    piece->edge_ids = with_ids ? gz_hold_get(&piece->hold, m->totals.edges, sizeof *piece->edge_ids) : NULL;
    if (!ends || !from || (with_ids && !piece->edge_ids)) return false;
    for (uint32_t l = 0; l < m->letter_count; l++)
        for (size_t i = 0; i < m->letters[l].counts.edges; i++, count++) {
            from[count] = &m->letters[l].edges[i];
            for (int k = 0; k < 2; k++) ends[count][k] = m->letters[l].places[from[count]->v[k]];
        }
    gz_sides sides;
    bool room =
        gz_sides_open(m->context, piece->vertex_count, NULL, 0, (const uint32_t(*)[2])ends, (uint32_t)count, &sides);
    for (size_t i = 0; room && i < sides.count; i++) {
        const gz_sent_edge *edge = from[sides.items[i].from & ~GZ_FREE_EDGE];
        if (edge->is_codim) piece->codim_edges[piece->codim_edge_count++] = piece->edge_count;
        if (with_ids) piece->edge_ids[piece->edge_count] = edge->id;
        memcpy(piece->edges[piece->edge_count++], sides.items[i].v, sizeof *piece->edges);
    }
    gz_sides_close(m->context, &sides);
    return room;
}

static bool put_faces(maker *m) {
    gz_piece *piece = m->piece;
    size_t count = 0;
    gz_keyed *items = gz_hold_get(&m->stage, m->totals.faces, sizeof *items);
    uint32_t(*corners)[3] = gz_hold_get(&m->stage, m->totals.faces, sizeof *corners);
    if (!items || !corners) return false;
    for (uint32_t l = 0; l < m->letter_count; l++)
        for (size_t i = 0; i < m->letters[l].counts.faces; i++, count++) {
            const gz_sent_face *face = &m->letters[l].faces[i];
            items[count] = (gz_keyed){face->id, (uint32_t)count};
            for (int k = 0; k < 3; k++) corners[count][k] = m->letters[l].places[face->v[k]];
        }
    const gz_keyed *done = sort_ids(m, items, count);
    for (size_t i = 0; done && i < count; i++) {
        piece->face_ids[i] = done[i].key;
        memcpy(piece->faces[i], corners[done[i].id], sizeof *piece->faces);
    }
    piece->face_count = (uint32_t)count;
    return done != NULL;
}

/* Half of what lives in a node of this rank, for pairs with what others sent. Of two ranks the nodes of the lesser one
   say who tests: what is a lesser neighbor's alone has no half, so of meetings with greater neighbors the filter is
   asked where they do not agree. */
static uint8_t own_half(const gz_halo *halo, uint32_t node) {
    const gz_nodes *nodes = &halo->nodes;
    bool here = false, elsewhere = false;
    for (size_t k = nodes->starts[node]; k < nodes->starts[node + 1]; k++) {
        const gz_meeting *meeting = &nodes->meetings[k];
        here |= meeting->here;
        elsewhere |= !meeting->here && nodes->neighbors[meeting->neighbor].rank > halo->rank;
    }
    return (uint8_t)(!here ? 0 : elsewhere ? GZ_HALF_A | GZ_HALF_ASKED : GZ_HALF_A);
}

/* Half of what lives in a node of a neighbor. */
static uint8_t their_half(const gz_halo *halo, const gz_neighbor *neighbor, uint32_t node) {
    return neighbor->rank < halo->rank && neighbor->first_half[node] ? 0 : GZ_HALF_B;
}

/* A pair is wanted where one of it lives here and one with another rank, and the two are tested here. */
static bool halve(gz_piece *piece, const gz_halo *halo) {
    if (!gz_piece_halves(piece)) return false;
    for (uint32_t v = 0; v < piece->vertex_count; v++) {
        uint32_t tag = piece->tags[v];
        if (tag == GZ_TAG_NONE)
            piece->halves[v] = 0;
        else if (GZ_TAG_SLOT(tag))
            piece->halves[v] = their_half(halo, &halo->nodes.neighbors[GZ_TAG_SLOT(tag) - 1], GZ_TAG_NODE(tag));
        else
            piece->halves[v] = own_half(halo, GZ_TAG_NODE(tag));
    }
    return true;
}

/* Gives back what a stage needed; whether it went well. */
static bool ends(maker *m, bool room) {
    gz_hold_free(&m->stage);
    return room;
}

static bool make(maker *m, const gz_dealt *dealt, gz_halo *halo) {
    gz_piece *piece = m->piece;
    if (!gather_vertices(m)) return false;
    const gz_sent_counts *t = &m->totals;
    return gz_piece_open(piece, (uint32_t)m->ids.count, dealt->piece.groups != NULL, dealt->radii) &&
           gz_piece_room(piece, (uint32_t)t->edges, (uint32_t)t->faces, (uint32_t)t->edges, (uint32_t)t->vertices) &&
           ends(m, put_vertices(m)) && note_places(m, halo) && ends(m, put_edges(m, dealt->piece.edge_ids != NULL)) &&
           ends(m, put_faces(m)) && halve(piece, halo) && gz_piece_close(piece, &dealt->rules, 0);
}

graze_status gz_cross_make(graze_context *context, const gz_dealt *dealt, const char *messages, const size_t *sizes,
                           uint32_t ranks, gz_halo *halo) {
    maker m = {.context = context, .piece = &halo->cross, .hold.context = context, .stage.context = context};
    bool room = open_letters(&m, messages, sizes, ranks, halo);
    bool fit = m.totals.vertices <= INT32_MAX && m.totals.edges <= INT32_MAX && m.totals.faces <= INT32_MAX;
    room = room && fit && make(&m, dealt, halo);
    gz_hold_free(&m.hold);
    return room ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}
