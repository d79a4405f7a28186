/* Nodes of a piece: runs of its own vertices along the curve, and what their edges and faces have beside them. */
#include "broad/sort.h"
#include "mpi/deal/hilbert_place.h"
#include "mpi/deal/homes.h"
#include "mpi/nodes.h"

#include <math.h>

static void frame_of(const gz_piece *piece, gz_homes *frame) {
    gz_summary box = {.lo = {INFINITY, INFINITY, INFINITY}, .hi = {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t v = 0; v < piece->vertex_count; v++)
        for (int c = 0; c < 3; c++) {
            box.lo[c] = fmin(box.lo[c], piece->x0[v][c]);
            box.hi[c] = fmax(box.hi[c], piece->x0[v][c]);
        }
    gz_homes_frame(&box, 1, frame);
}

/* A run of vertices on the curve that lies in one cell of it. */
typedef struct cell {
    uint32_t begin, end;
    double weight;
} cell;

typedef struct cutter {
    const gz_piece *piece;
    const gz_keyed *places;
    uint32_t count;
    double scale, whole; /* the surface of everything's box */
} cutter;

/* Half of the surface of a run's box. */
static double surface_of(const cutter *c, uint32_t begin, uint32_t end) {
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY}, side[3];
    for (uint32_t i = begin; i < end; i++)
        for (int k = 0; k < 3; k++) {
            double x = c->piece->x0[c->places[i].id][k];
            lo[k] = fmin(lo[k], x);
            hi[k] = fmax(hi[k], x);
        }
    for (int k = 0; k < 3; k++) side[k] = (hi[k] - lo[k]) * c->scale;
    return side[0] * side[1] + side[1] * side[2] + side[2] * side[0];
}

/* Few vertices along the sides of a cell that others own have a box that is as large as the cell, and much would cross
   for it: so cells are cut by their boxes as well as by what is in them. */
static cell cell_of(const cutter *c, uint32_t begin, uint32_t end) {
    double part = c->whole > 0 ? surface_of(c, begin, end) / c->whole : 0;
    return (cell){begin, end, (double)(end - begin) / c->count + part};
}

static uint64_t highest_bit(uint64_t word) {
    uint64_t bit = (uint64_t)1 << 63;
    while (bit > word) bit >>= 1;
    return bit;
}

/* The cut of a run: at the highest bit in which its places differ, so that no part of it jumps; its end where no
   bit differs. */
static uint32_t cut_of(const gz_keyed *places, cell run) {
    uint64_t differ = places[run.begin].key ^ places[run.end - 1].key;
    if (!differ) return run.end;
    uint64_t bit = highest_bit(differ);
    uint32_t low = run.begin, high = run.end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (places[middle].key & bit)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The run of the greatest weight is cut again and again; how many there are. */
static uint32_t cut_cells(const cutter *c, uint32_t most, cell *cells) {
    uint32_t made = c->count > 0;
    cells[0] = cell_of(c, 0, c->count);
    while (made && made < most) {
        uint32_t next = 0;
        for (uint32_t i = 1; i < made; i++)
            if (cells[i].weight > cells[next].weight) next = i;
        cell whole = cells[next];
        uint32_t at = cut_of(c->places, whole);
        if (at == whole.end) {
            if (!(whole.weight > 0)) break;
            cells[next].weight = 0; /* all in one place */
            continue;
        }
        cells[next] = cell_of(c, whole.begin, at);
        cells[made++] = cell_of(c, at, whole.end);
    }
    return made;
}

/* ---- beside ---- */

/* Edges and faces have vertices of other nodes beside those of their own. */
typedef struct beside {
    const gz_piece *piece;
    gz_keyed *items; /* NULL: they are counted */
    size_t count;
} beside;

static void note(beside *b, uint32_t node, uint32_t v) {
    if (node == b->piece->tags[v]) return;
    if (b->items) b->items[b->count] = (gz_keyed){(uint64_t)node << 32 | v, 0};
    b->count++;
}

static size_t note_all(const gz_piece *piece, gz_keyed *items) {
    beside b = {piece, items, 0};
    for (uint32_t e = 0; e < piece->edge_count; e++) note(&b, gz_edge_tag(piece, e), piece->edges[e][1]);
    for (uint32_t f = 0; f < piece->face_count; f++)
        for (int k = 0; k < 3; k++) note(&b, gz_face_tag(piece, f), piece->faces[f][k]);
    return b.count;
}

/* Each once, in order of nodes. */
static bool keep_beside(gz_dealt *dealt, const gz_keyed *items, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) kept += !i || items[i].key != items[i - 1].key;
    dealt->beside = gz_hold_get(&dealt->hold, kept, sizeof *dealt->beside);
    dealt->beside_starts = gz_hold_zeros(&dealt->hold, GZ_NODES + 1, sizeof *dealt->beside_starts);
    if (!dealt->beside || !dealt->beside_starts) return false;
    kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (i && items[i].key == items[i - 1].key) continue;
        dealt->beside[kept++] = (uint32_t)items[i].key;
        dealt->beside_starts[(items[i].key >> 32) + 1] = kept;
    }
    for (uint32_t i = 0; i < GZ_NODES; i++)
        if (dealt->beside_starts[i + 1] < dealt->beside_starts[i])
            dealt->beside_starts[i + 1] = dealt->beside_starts[i];
    return true;
}

static bool find_beside(graze_context *context, gz_dealt *dealt) {
    gz_hold hold = {.context = context};
    size_t count = note_all(&dealt->piece, NULL);
    gz_keyed *items = gz_hold_get(&hold, count, sizeof *items), *other = gz_hold_get(&hold, count, sizeof *other);
    void *scratch = gz_hold_get(&hold, gz_sort_scratch(context, count), 1);
    bool room = items && other && scratch;
    if (room) {
        note_all(&dealt->piece, items);
        room = keep_beside(dealt, gz_sort(context, items, other, count, 40, scratch), count);
    }
    gz_hold_free(&hold);
    return room;
}

/* ---- both ---- */

graze_status gz_deal_nodes(gz_ranks *ranks, gz_dealt *dealt) {
    gz_piece *piece = &dealt->piece;
    gz_hold hold = {.context = ranks->context};
    gz_homes frame;
    cell cells[GZ_NODES];
    uint32_t own = dealt->own_vertices, next = 0;
    gz_keyed *items[2];
    for (int i = 0; i < 2; i++) items[i] = gz_hold_get(&hold, own, sizeof *items[i]);
    void *scratch = gz_hold_get(&hold, gz_sort_scratch(ranks->context, own), 1);
    bool room = items[0] && items[1] && scratch;
    frame_of(piece, &frame);
    for (uint32_t v = 0; room && v < piece->vertex_count; v++)
        if (piece->tags[v] != GZ_TAG_NONE)
            items[0][next++] = (gz_keyed){gz_fine_hilbert_place(piece->x0[v], frame.origin, frame.scale), v};
    const gz_keyed *done = room ? gz_sort(ranks->context, items[0], items[1], own, 63, scratch) : NULL;
    cutter c = {piece, done, own, frame.scale, 0};
    if (done) {
        c.whole = surface_of(&c, 0, own);
        dealt->node_count = cut_cells(&c, gz_node_count(own), cells);
    }
    for (uint32_t node = 0; done && node < dealt->node_count; node++)
        for (uint32_t i = cells[node].begin; i < cells[node].end; i++) piece->tags[done[i].id] = node;
    gz_hold_free(&hold);
    room = room && find_beside(ranks->context, dealt);
    return room ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}
