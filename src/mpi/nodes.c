#include "mpi/nodes.h"

#include "pair/swept.h"

#include <string.h>

/* ---- boxes ---- */

static gz_node_box rounded(const gz_box *box) {
    gz_node_box made;
    for (int c = 0; c < 3; c++) {
        made.lo[c] = (float)box->lo[c];
        made.hi[c] = (float)box->hi[c];
    }
    return made;
}

static double grow_of(const gz_piece *piece, const gz_window *window, uint32_t v) {
    return piece->radii ? gz_add_up(window->grow, piece->radii[v]) : window->grow;
}

gz_node_box gz_vertex_node_box(const gz_piece *piece, const gz_window *window, uint32_t v) {
    gz_box box;
    const double *x1 = window->at_start ? piece->x0[v] : piece->x1[v];
    gz_window_box(piece->x0[v], x1, window->t, grow_of(piece, window, v), &box);
    return rounded(&box);
}

static gz_node_box empty_box(void) {
    return (gz_node_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

/* Positions of a node's vertices at both ends of the window, and the largest of what their boxes grow by. */
typedef struct reach {
    gz_box ends;
    double size[3], grow;
} reach;

static inline void add_vertex(const gz_piece *piece, const gz_window *window, uint32_t v, reach *r) {
    const double *x0 = piece->x0[v], *x1 = window->at_start ? x0 : piece->x1[v];
    double grow = grow_of(piece, window, v);
    for (int c = 0; c < 3; c++) {
        double a = x0[c], x = a + window->t * (x1[c] - a), size = fabs(a) + fabs(x1[c]);
        double least = a < x ? a : x, most = a < x ? x : a;
        r->ends.lo[c] = least < r->ends.lo[c] ? least : r->ends.lo[c];
        r->ends.hi[c] = most > r->ends.hi[c] ? most : r->ends.hi[c];
        r->size[c] = size > r->size[c] ? size : r->size[c];
    }
    r->grow = grow > r->grow ? grow : r->grow;
}

/* Holds the box of each of its vertices: gz_window_box subtracts no more from any of them, and rounding keeps order. */
static gz_node_box box_of(const reach *r) {
    gz_box box;
    for (int c = 0; c < 3; c++) {
        double slack = r->size[c] * GZ_WINDOW_SLACK + GZ_WINDOW_TINY;
        double wider = r->grow > 0 ? r->grow + (r->size[c] + 2 * r->grow) * GZ_WINDOW_SLACK : 0;
        box.lo[c] = r->ends.lo[c] - slack - wider;
        box.hi[c] = r->ends.hi[c] + slack + wider;
    }
    return rounded(&box);
}

static const gz_rank_nodes *nodes_of(const gz_nodes *nodes, uint32_t rank) {
    return (const gz_rank_nodes *)(const void *)(nodes->all + rank * nodes->size);
}

/* A node's vertices come in runs: what they reach stays in registers until the next run. */
static void add_own(const gz_piece *piece, const gz_window *window, reach *reaches) {
    reach run = {.ends = gz_box_empty()};
    uint32_t node = GZ_TAG_NONE;
    for (uint32_t v = 0; v < piece->vertex_count; v++) {
        if (piece->tags[v] == GZ_TAG_NONE) continue;
        if (piece->tags[v] != node) {
            if (node != GZ_TAG_NONE) reaches[node] = run;
            node = piece->tags[v];
            run = reaches[node];
        }
        add_vertex(piece, window, v, &run);
    }
    if (node != GZ_TAG_NONE) reaches[node] = run;
}

/* The box of a node holds whatever has a vertex in it as its first. */
static void fill_nodes(const gz_dealt *dealt, const gz_window *window, reach *reaches, gz_rank_nodes *mine) {
    const gz_piece *piece = &dealt->piece;
    mine->count = dealt->node_count;
    for (uint32_t i = 0; i < dealt->node_count; i++) reaches[i] = (reach){.ends = gz_box_empty()};
    add_own(piece, window, reaches);
    for (uint32_t i = 0; i < dealt->node_count; i++)
        for (size_t k = dealt->beside_starts[i]; k < dealt->beside_starts[i + 1]; k++)
            add_vertex(piece, window, dealt->beside[k], &reaches[i]);
    for (uint32_t i = 0; i < dealt->node_room; i++)
        mine->boxes[i] = i < dealt->node_count ? box_of(&reaches[i]) : empty_box();
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
                (gz_meeting){neighbor->nodes->boxes[k], (uint16_t)n, gz_tested_here(neighbor, ranks->rank, node, k)};
            nodes->met[node] = gz_join_boxes(nodes->met[node], &neighbor->nodes->boxes[k]);
        }
    }
    return true;
}

graze_status gz_nodes_open(gz_ranks *ranks, const gz_dealt *dealt, const gz_window *window, gz_nodes *nodes) {
    *nodes = (gz_nodes){.hold = {.context = ranks->context}};
    nodes->size = sizeof(gz_rank_nodes) + dealt->node_room * sizeof(gz_node_box);
    nodes->all = gz_hold_get(&nodes->hold, ranks->count, nodes->size);
    gz_rank_nodes *mine = gz_hold_get(&nodes->hold, 1, nodes->size);
    reach *reaches = gz_hold_get(&nodes->hold, dealt->node_count, sizeof *reaches);
    bool room = nodes->all && mine && reaches;
    if (room) fill_nodes(dealt, window, reaches, mine);
    graze_status status =
        gz_ranks_gather(ranks, room ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY, mine, nodes->size, nodes->all);
    if (status != GRAZE_OK) return status;
    size_t count = 0;
    if (!find_neighbors(ranks, nodes)) return GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t node = 0; node < GZ_NODES; node++) {
        nodes->starts[node] = count;
        nodes->met[node] = empty_box();
        if (node < dealt->node_count && !list_meetings(ranks, nodes, node, &count)) return GRAZE_ERR_OUT_OF_MEMORY;
    }
    nodes->starts[GZ_NODES] = count;
    return GRAZE_OK;
}
