#include "mpi/halo.h"

#include "mpi/cross.h"
#include "mpi/message.h"

#include <string.h>

typedef struct picked {
    uint32_t *items;
    size_t count, room;
} picked;

/* Items that go to one rank: vertices that are tested there and ends of the others, edges, faces. */
typedef struct choice {
    picked vertices, edges, faces;
} choice;

typedef struct chooser {
    gz_ranks *ranks;
    const gz_dealt *dealt;
    const gz_piece *piece;
    gz_nodes *nodes;
    choice *choices;              /* [0] stays here, [1 + i] goes to neighbor i */
    gz_node_box *boxes;           /* of vertices near other ranks */
    uint32_t *near;               /* which of these boxes is that of a vertex, GZ_TAG_NONE for none */
    uint8_t *meets;               /* of the piece's vertices: its node meets one of another rank */
    uint32_t *place;              /* of the piece's vertices in the message under way; takes the room of `near` */
    uint8_t *is_point, *is_codim; /* NULL where there are none */
    gz_hold hold;
} chooser;

/* ---- choosing ---- */

static bool pick(chooser *c, picked *list, uint32_t item) {
    if (!gz_grow(c->ranks->context, (void **)&list->items, &list->room, list->count + 1, sizeof *list->items))
        return false;
    list->items[list->count++] = item;
    return true;
}

static picked *list_of(choice *chosen, int which) {
    return which == 0 ? &chosen->vertices : which == 1 ? &chosen->edges : &chosen->faces;
}

static bool meets_nothing(const gz_nodes *nodes, uint32_t tag) {
    return tag == GZ_TAG_NONE || nodes->starts[tag] == nodes->starts[tag + 1];
}

/* The item goes wherever it is to be tested with what it meets: once for each rank. */
static bool choose(chooser *c, int which, uint32_t item, uint32_t tag, gz_node_box box) {
    bool here = false;
    uint32_t last = UINT32_MAX;
    if (!gz_node_boxes_meet(&box, &c->nodes->met[tag])) return true;
    for (size_t k = c->nodes->starts[tag]; k < c->nodes->starts[tag + 1]; k++) {
        const gz_meeting *m = &c->nodes->meetings[k];
        if (m->here ? here : last == m->neighbor) continue;
        if (!gz_node_boxes_meet(&box, &m->box)) continue;
        if (!pick(c, list_of(&c->choices[m->here ? 0 : 1 + m->neighbor], which), item)) return false;
        if (m->here)
            here = true;
        else
            last = m->neighbor;
    }
    return true;
}

static gz_node_box edge_box(const chooser *c, const uint32_t *e) {
    return gz_join_boxes(c->boxes[c->near[e[0]]], &c->boxes[c->near[e[1]]]);
}

static gz_node_box face_box(const chooser *c, const uint32_t *f) {
    return gz_join_boxes(edge_box(c, f), &c->boxes[c->near[f[2]]]);
}

static bool choose_all(chooser *c) {
    const gz_piece *piece = c->piece;
    bool room = true;
    for (uint32_t v = 0; room && v < piece->vertex_count; v++)
        if (c->meets[v]) room = choose(c, 0, v, piece->tags[v], c->boxes[c->near[v]]);
    for (uint32_t e = 0; room && e < piece->edge_count; e++)
        if (c->meets[piece->edges[e][0]]) room = choose(c, 1, e, gz_edge_tag(piece, e), edge_box(c, piece->edges[e]));
    for (uint32_t f = 0; room && f < piece->face_count; f++)
        if (c->meets[gz_face_first(piece, f)])
            room = choose(c, 2, f, gz_face_tag(piece, f), face_box(c, piece->faces[f]));
    return room;
}

/* Numbers the vertices of all that lives in a node that meets one of another rank; how many there are. */
static uint32_t mark_near(chooser *c) {
    const gz_piece *piece = c->piece;
    const gz_dealt *dealt = c->dealt;
    uint32_t count = 0;
    for (uint32_t v = 0; v < piece->vertex_count; v++) {
        c->meets[v] = !meets_nothing(c->nodes, piece->tags[v]);
        c->near[v] = c->meets[v] ? count++ : GZ_TAG_NONE;
    }
    for (uint32_t i = 0; i < dealt->node_count; i++)
        for (size_t k = dealt->beside_starts[i]; !meets_nothing(c->nodes, i) && k < dealt->beside_starts[i + 1]; k++)
            if (c->near[dealt->beside[k]] == GZ_TAG_NONE) c->near[dealt->beside[k]] = count++;
    return count;
}

typedef struct box_job {
    const chooser *c;
    const gz_window *window;
} box_job;

static void make_boxes(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const box_job *job = state;
    const chooser *c = job->c;
    for (size_t v = begin; v < end; v++)
        if (c->near[v] != GZ_TAG_NONE) c->boxes[c->near[v]] = gz_vertex_node_box(c->piece, job->window, (uint32_t)v);
}

static bool find_near(chooser *c, const gz_window *window) {
    box_job job = {c, window};
    c->near = gz_hold_get(&c->hold, c->piece->vertex_count, sizeof *c->near);
    c->meets = gz_hold_get(&c->hold, c->piece->vertex_count, sizeof *c->meets);
    if (!c->near || !c->meets) return false;
    c->boxes = gz_hold_get(&c->hold, mark_near(c), sizeof *c->boxes);
    if (c->boxes) gz_parallel(c->ranks->context, c->piece->vertex_count, 4096, make_boxes, &job);
    return c->boxes != NULL;
}

/* ---- messages ---- */

static bool add_end(chooser *c, choice *chosen, uint32_t v) {
    if (c->place[v] != UINT32_MAX) return true;
    c->place[v] = (uint32_t)chosen->vertices.count;
    return pick(c, &chosen->vertices, v);
}

static void set_places(chooser *c, const choice *chosen) {
    for (size_t i = 0; i < chosen->vertices.count; i++) c->place[chosen->vertices.items[i]] = (uint32_t)i;
}

static void clear_places(chooser *c, const choice *chosen) {
    for (size_t i = 0; i < chosen->vertices.count; i++) c->place[chosen->vertices.items[i]] = UINT32_MAX;
}

static bool add_ends(chooser *c, choice *chosen) {
    bool room = true;
    set_places(c, chosen);
    for (size_t i = 0; room && i < chosen->edges.count; i++)
        for (int k = 0; k < 2; k++) room = room && add_end(c, chosen, c->piece->edges[chosen->edges.items[i]][k]);
    for (size_t i = 0; room && i < chosen->faces.count; i++)
        for (int k = 0; k < 3; k++) room = room && add_end(c, chosen, c->piece->faces[chosen->faces.items[i]][k]);
    clear_places(c, chosen);
    return room;
}

static size_t bytes_of(const choice *chosen) {
    if (!chosen->vertices.count) return 0;
    return sizeof(gz_sent_counts) + chosen->vertices.count * sizeof(gz_sent_vertex) +
           chosen->edges.count * sizeof(gz_sent_edge) + chosen->faces.count * sizeof(gz_sent_face);
}

static uint32_t has(const uint8_t *marks, uint32_t item) { return marks ? marks[item] : 0; }

static gz_sent_vertex vertex_of(const chooser *c, uint32_t v) {
    const gz_piece *piece = c->piece;
    gz_sent_vertex sent = {.id = piece->vertex_ids[v], .node = piece->tags[v], .is_point = has(c->is_point, v)};
    memcpy(sent.x0, piece->x0[v], sizeof sent.x0);
    memcpy(sent.x1, piece->x1[v], sizeof sent.x1);
    sent.radius = piece->radii ? piece->radii[v] : 0;
    sent.group = piece->groups ? piece->groups[v] : 0;
    return sent;
}

/* Writes a message of bytes_of(chosen) bytes. */
static void write_message(chooser *c, const choice *chosen, char *to) {
    const gz_piece *piece = c->piece;
    gz_sent_counts counts = {chosen->vertices.count, chosen->edges.count, chosen->faces.count};
    set_places(c, chosen);
    memcpy(to, &counts, sizeof counts);
    gz_sent_vertex *vertices = (gz_sent_vertex *)(void *)(to + sizeof counts);
    gz_sent_edge *edges = (gz_sent_edge *)(void *)(vertices + counts.vertices);
    gz_sent_face *faces = (gz_sent_face *)(void *)(edges + counts.edges);
    for (size_t i = 0; i < counts.vertices; i++) vertices[i] = vertex_of(c, chosen->vertices.items[i]);
    for (size_t i = 0; i < counts.edges; i++) {
        uint32_t e = chosen->edges.items[i];
        edges[i] = (gz_sent_edge){.id = piece->edge_ids ? piece->edge_ids[e] : 0, .is_codim = has(c->is_codim, e)};
        for (int k = 0; k < 2; k++) edges[i].v[k] = c->place[piece->edges[e][k]];
    }
    for (size_t i = 0; i < counts.faces; i++) {
        uint32_t f = chosen->faces.items[i];
        faces[i] = (gz_sent_face){.id = piece->face_ids[f]};
        for (int k = 0; k < 3; k++) faces[i].v[k] = c->place[piece->faces[f][k]];
    }
    clear_places(c, chosen);
}

/* NULL where nothing is listed. */
static uint8_t *marks_of(chooser *c, const uint32_t *listed, uint32_t listed_count, uint32_t count, bool *room) {
    if (!listed_count) return NULL;
    uint8_t *marks = gz_hold_zeros(&c->hold, count, 1);
    for (uint32_t i = 0; marks && i < listed_count; i++) marks[listed[i]] = 1;
    *room &= marks != NULL;
    return marks;
}

static bool open_chooser(chooser *c) {
    const gz_piece *piece = c->piece;
    c->choices = gz_hold_zeros(&c->hold, c->nodes->neighbor_count + 1, sizeof *c->choices);
    bool room = c->choices != NULL;
    c->is_point = marks_of(c, piece->points, piece->point_count, piece->vertex_count, &room);
    c->is_codim = marks_of(c, piece->codim_edges, piece->codim_edge_count, piece->edge_count, &room);
    return room;
}

/* All is chosen, and boxes are no longer needed. */
static void begin_messages(chooser *c) {
    gz_hold_drop(&c->hold, c->boxes);
    gz_hold_drop(&c->hold, c->meets);
    c->place = c->near;
    memset(c->place, 0xff, c->piece->vertex_count * sizeof *c->place);
}

static void close_chooser(chooser *c) {
    for (uint32_t i = 0; c->choices && i <= c->nodes->neighbor_count; i++)
        for (int which = 0; which < 3; which++) {
            picked *list = list_of(&c->choices[i], which);
            gz_release(c->ranks->context, list->items, list->room * sizeof *list->items);
        }
    gz_hold_free(&c->hold);
}

/* The vertices of all messages, in order of ranks. */
static bool note_vertices(chooser *c, gz_halo *halo) {
    gz_route *route = &halo->route;
    uint32_t next = 1;
    for (uint32_t i = 0; i <= c->nodes->neighbor_count; i++) route->sent += c->choices[i].vertices.count;
    route->from = gz_hold_get(&halo->cross.hold, route->sent, sizeof *route->from);
    uint32_t *at = route->from;
    for (uint32_t rank = 0; at && rank < c->ranks->count; rank++) {
        bool other = next <= c->nodes->neighbor_count && c->nodes->neighbors[next - 1].rank == rank;
        if (!other && rank != c->ranks->rank) continue;
        const picked *list = &c->choices[other ? next : 0].vertices;
        if (list->count) memcpy(at, list->items, list->count * sizeof *at);
        at += route->from_counts[rank] = list->count;
        next += other;
    }
    return at != NULL;
}

/* The message to each rank, this one included, one after the other. */
static graze_status write_messages(chooser *c, gz_hold *hold, size_t *sizes, char **messages) {
    size_t total = 0;
    begin_messages(c);
    for (uint32_t i = 0; i <= c->nodes->neighbor_count; i++) {
        if (!add_ends(c, &c->choices[i])) return GRAZE_ERR_OUT_OF_MEMORY;
        uint32_t rank = i ? c->nodes->neighbors[i - 1].rank : c->ranks->rank;
        total += sizes[rank] = bytes_of(&c->choices[i]);
    }
    char *at = *messages = gz_hold_get(hold, total, 1);
    if (!at) return GRAZE_ERR_OUT_OF_MEMORY;
    uint32_t next = 1;
    for (uint32_t rank = 0; rank < c->ranks->count; rank++) {
        bool other = next <= c->nodes->neighbor_count && c->nodes->neighbors[next - 1].rank == rank;
        if (!sizes[rank]) {
            next += other;
            continue;
        }
        write_message(c, &c->choices[other ? next : 0], at);
        at += sizes[rank];
        next += other;
    }
    return GRAZE_OK;
}

/* Nothing crosses where there is one rank. */
static graze_status open_empty(gz_ranks *ranks, const gz_dealt *dealt, gz_halo *halo) {
    bool room = gz_route_open(ranks, &halo->cross.hold, &halo->route) && gz_piece_close(&halo->cross, &dealt->rules, 0);
    return room ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}

graze_status gz_halo_open(gz_ranks *ranks, const gz_dealt *dealt, const gz_window *window, gz_halo *halo) {
    *halo = (gz_halo){.cross.hold.context = ranks->context, .nodes.hold.context = ranks->context, .rank = ranks->rank};
    if (ranks->count == 1) return open_empty(ranks, dealt, halo);
    graze_status status = gz_nodes_open(ranks, dealt, window, &halo->nodes);
    gz_hold hold = {.context = ranks->context};
    chooser c = {
        .ranks = ranks, .dealt = dealt, .piece = &dealt->piece, .nodes = &halo->nodes, .hold.context = ranks->context};
    size_t *sizes = gz_hold_zeros(&hold, 2 * (size_t)ranks->count, sizeof *sizes);
    char *messages = NULL;
    void *received = NULL;
    if (status == GRAZE_OK && !(sizes && find_near(&c, window) && open_chooser(&c) && choose_all(&c)))
        status = GRAZE_ERR_OUT_OF_MEMORY;
    if (status == GRAZE_OK && !gz_route_open(ranks, &halo->cross.hold, &halo->route)) status = GRAZE_ERR_OUT_OF_MEMORY;
    if (status == GRAZE_OK) status = write_messages(&c, &hold, sizes, &messages);
    if (status == GRAZE_OK && !note_vertices(&c, halo)) status = GRAZE_ERR_OUT_OF_MEMORY;
    close_chooser(&c);
    status = gz_ranks_exchange(ranks, status, &hold, messages, sizes, 1, &received, sizes + ranks->count);
    if (status == GRAZE_OK) {
        gz_hold_drop(&hold, messages);
        status = gz_cross_make(ranks->context, dealt, received, sizes + ranks->count, ranks->count, halo);
        gz_hold_free(&hold);
        return gz_ranks_agree(ranks, status);
    }
    gz_hold_free(&hold);
    return status;
}

void gz_halo_free(gz_halo *halo) {
    gz_nodes *nodes = &halo->nodes;
    gz_piece_free(&halo->cross);
    gz_release(nodes->hold.context, nodes->meetings, nodes->room * sizeof *nodes->meetings);
    gz_hold_free(&nodes->hold);
}

/* ---- filters ---- */

/* Of kinds other than VF a piece has its own pairs alone: gz_deal_piece knows it, too. */
int gz_piece_allows(void *state, graze_kind kind, uint32_t a, uint32_t b) {
    const gz_piece *piece = state;
    (void)b;
    return kind != GRAZE_VF || piece->tags[a] != GZ_TAG_NONE;
}

/* True if a pair with these tags is one of this rank and another, and tested here. */
static bool crosses_here(const gz_halo *halo, uint32_t x, uint32_t y) {
    if (x == GZ_TAG_NONE || y == GZ_TAG_NONE || (GZ_TAG_SLOT(x) == 0) == (GZ_TAG_SLOT(y) == 0)) return false;
    uint32_t mine = GZ_TAG_SLOT(x) ? y : x, theirs = GZ_TAG_SLOT(x) ? x : y;
    const gz_neighbor *neighbor = &halo->nodes.neighbors[GZ_TAG_SLOT(theirs) - 1];
    return gz_tested_here(neighbor, halo->rank, GZ_TAG_NODE(mine), GZ_TAG_NODE(theirs));
}

int gz_halo_allows(void *state, graze_kind kind, uint32_t a, uint32_t b) {
    const gz_halo *halo = state;
    const gz_piece *cross = &halo->cross;
    uint32_t x = kind == GRAZE_EE ? gz_edge_tag(cross, a) : cross->tags[a];
    uint32_t y = kind == GRAZE_VF ? gz_face_tag(cross, b) : kind == GRAZE_PP ? cross->tags[b] : gz_edge_tag(cross, b);
    return crosses_here(halo, x, y);
}

bool gz_halo_has_faces(const gz_halo *halo, uint32_t a, uint32_t b) {
    return crosses_here(halo, gz_face_tag(&halo->cross, a), gz_face_tag(&halo->cross, b));
}
