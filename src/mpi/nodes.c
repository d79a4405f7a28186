#include "mpi/nodes.h"

#include "pair/swept.h"

#include <string.h>

/* ---- boxes ---- */

static float below(double x) {
    float f = (float)x;
    return f > x ? nextafterf(f, -INFINITY) : f;
}

static float above(double x) {
    float f = (float)x;
    return f < x ? nextafterf(f, INFINITY) : f;
}

/* The box of a step, a little larger. */
static gz_node_box vertex_box(const gz_piece *piece, const gz_window *window, uint32_t v) {
    gz_box box;
    gz_node_box rounded;
    double grow = piece->radii ? gz_add_up(window->grow, piece->radii[v]) : window->grow;
    gz_window_box(piece->x0[v], window->at_start ? piece->x0[v] : piece->x1[v], window->t, grow, &box);
    for (int c = 0; c < 3; c++) {
        rounded.lo[c] = below(box.lo[c]);
        rounded.hi[c] = above(box.hi[c]);
    }
    return rounded;
}

gz_node_box gz_edge_node_box(const gz_nodes *nodes, const gz_piece *piece, uint32_t edge) {
    const uint32_t *e = piece->edges[edge];
    return gz_join_boxes(nodes->vertices[e[0]], &nodes->vertices[e[1]]);
}

gz_node_box gz_face_node_box(const gz_nodes *nodes, const gz_piece *piece, uint32_t face) {
    const uint32_t *f = piece->faces[face];
    return gz_join_boxes(gz_join_boxes(nodes->vertices[f[0]], &nodes->vertices[f[1]]), &nodes->vertices[f[2]]);
}

static gz_node_box empty_box(void) {
    return (gz_node_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

typedef struct box_job {
    gz_nodes *nodes;
    const gz_piece *piece;
    const gz_window *window;
} box_job;

static void make_boxes(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const box_job *job = state;
    for (size_t v = begin; v < end; v++) job->nodes->vertices[v] = vertex_box(job->piece, job->window, (uint32_t)v);
}

/* A vertex of something that lives in node `tag`; in that node itself it is anyway. */
static void add(const gz_nodes *nodes, const gz_piece *piece, uint32_t tag, uint32_t v, gz_rank_nodes *mine) {
    if (piece->tags[v] != tag) mine->boxes[tag] = gz_join_boxes(mine->boxes[tag], &nodes->vertices[v]);
}

static const gz_rank_nodes *nodes_of(const gz_nodes *nodes, uint32_t rank) {
    return (const gz_rank_nodes *)(const void *)(nodes->all + rank * nodes->size);
}

static void fill_nodes(const gz_nodes *nodes, const gz_dealt *dealt, gz_rank_nodes *mine) {
    const gz_piece *piece = &dealt->piece;
    mine->count = dealt->node_count;
    for (uint32_t i = 0; i < dealt->node_room; i++) mine->boxes[i] = empty_box();
    for (uint32_t v = 0; v < piece->vertex_count; v++) {
        uint32_t tag = piece->tags[v];
        if (tag != GZ_TAG_NONE) mine->boxes[tag] = gz_join_boxes(mine->boxes[tag], &nodes->vertices[v]);
    }
    for (uint32_t e = 0; e < piece->edge_count; e++) add(nodes, piece, gz_edge_tag(piece, e), piece->edges[e][1], mine);
    for (uint32_t f = 0; f < piece->face_count; f++)
        for (int k = 0; k < 3; k++) add(nodes, piece, gz_face_tag(piece, f), piece->faces[f][k], mine);
}

static gz_node_box whole_box(const gz_rank_nodes *nodes) {
    gz_node_box box = empty_box();
    for (uint64_t i = 0; i < nodes->count; i++) box = gz_join_boxes(box, &nodes->boxes[i]);
    return box;
}

/* ---- neighbors ---- */

static bool meets_any(const gz_node_box *box, const gz_rank_nodes *nodes) {
    for (uint64_t i = 0; i < nodes->count; i++)
        if (gz_node_boxes_meet(box, &nodes->boxes[i])) return true;
    return false;
}

/* Marks the first half of the nodes of `low` that meet one of `high`; false where none does. */
static bool halve(const gz_rank_nodes *low, const gz_rank_nodes *high, uint8_t *first_half) {
    uint16_t meeting[GZ_NODES];
    uint32_t count = 0;
    gz_node_box all = whole_box(high);
    memset(first_half, 0, GZ_NODES);
    for (uint64_t i = 0; i < low->count; i++)
        if (gz_node_boxes_meet(&low->boxes[i], &all) && meets_any(&low->boxes[i], high)) meeting[count++] = (uint16_t)i;
    for (uint32_t k = 0; k < (count + 1) / 2; k++) first_half[meeting[k]] = 1;
    return count > 0;
}

static bool find_neighbors(const gz_ranks *ranks, gz_nodes *nodes) {
    const gz_rank_nodes *mine = nodes_of(nodes, ranks->rank);
    gz_node_box box = whole_box(mine);
    uint32_t count = 0;
    for (uint32_t r = 0; r < ranks->count; r++) count += r != ranks->rank && meets_any(&box, nodes_of(nodes, r));
    nodes->neighbors = gz_hold_get(&nodes->hold, count, sizeof *nodes->neighbors);
    if (!nodes->neighbors) return false;
    for (uint32_t r = 0; r < ranks->count; r++) {
        const gz_rank_nodes *other = nodes_of(nodes, r);
        if (r == ranks->rank || !meets_any(&box, other)) continue;
        gz_neighbor *neighbor = &nodes->neighbors[nodes->neighbor_count];
        neighbor->rank = r;
        neighbor->nodes = other;
        bool low = ranks->rank < r;
        nodes->neighbor_count += halve(low ? mine : other, low ? other : mine, neighbor->first_half);
    }
    return true;
}

static bool list_meetings(const gz_ranks *ranks, gz_nodes *nodes, uint32_t node, size_t *count) {
    const gz_node_box *box = &nodes_of(nodes, ranks->rank)->boxes[node];
    for (uint32_t n = 0; n < nodes->neighbor_count; n++) {
        const gz_neighbor *neighbor = &nodes->neighbors[n];
        for (uint32_t k = 0; k < neighbor->nodes->count; k++) {
            if (!gz_node_boxes_meet(box, &neighbor->nodes->boxes[k])) continue;
            if (!gz_grow(ranks->context, (void **)&nodes->meetings, &nodes->room, *count + 1, sizeof *nodes->meetings))
                return false;
            nodes->meetings[(*count)++] =
                (gz_meeting){(uint16_t)n, (uint16_t)k, gz_tested_here(neighbor, ranks->rank, node, k)};
        }
    }
    return true;
}

graze_status gz_nodes_open(gz_ranks *ranks, const gz_dealt *dealt, const gz_window *window, gz_nodes *nodes) {
    const gz_piece *piece = &dealt->piece;
    *nodes = (gz_nodes){.hold = {.context = ranks->context}};
    nodes->vertices = gz_hold_get(&nodes->hold, piece->vertex_count, sizeof *nodes->vertices);
    nodes->size = sizeof(gz_rank_nodes) + dealt->node_room * sizeof(gz_node_box);
    nodes->all = gz_hold_get(&nodes->hold, ranks->count, nodes->size);
    gz_rank_nodes *mine = gz_hold_get(&nodes->hold, 1, nodes->size);
    bool room = nodes->vertices && nodes->all && mine;
    if (room) {
        box_job job = {nodes, piece, window};
        gz_parallel(ranks->context, piece->vertex_count, 4096, make_boxes, &job);
        fill_nodes(nodes, dealt, mine);
    }
    graze_status status =
        gz_ranks_gather(ranks, room ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY, mine, nodes->size, nodes->all);
    if (status != GRAZE_OK) return status;
    size_t count = 0;
    if (!find_neighbors(ranks, nodes)) return GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t node = 0; node < GZ_NODES; node++) {
        nodes->starts[node] = count;
        if (node < dealt->node_count && !list_meetings(ranks, nodes, node, &count)) return GRAZE_ERR_OUT_OF_MEMORY;
    }
    nodes->starts[GZ_NODES] = count;
    return GRAZE_OK;
}
