/* Faces, edges and points on their way from parts to pieces. */
#include "mpi/deal/dealing.h"

#include "mesh/sides.h"

#include <string.h>

static uint32_t home_of(const gz_dealing *d, uint64_t id) { return d->known_home[gz_id_table_find(&d->known, id)]; }

/* ---- faces ---- */

static uint64_t first_face(const gz_dealing *d) {
    uint64_t before = 0;
    for (uint32_t r = 0; r < d->ranks->rank; r++) before += d->all[r].faces;
    return before;
}

static int first_corner(const uint64_t v[3]) {
    int first = v[1] < v[0] ? 1 : 0;
    return v[2] < v[first] ? 2 : first;
}

graze_status gz_deal_faces(gz_dealing *d) {
    const graze_mpi_part *part = &d->brought->part;
    gz_dealt_face *mine = gz_hold_get(&d->hold, part->face_count, sizeof *mine);
    uint32_t *to = gz_hold_get(&d->hold, part->face_count, sizeof *to);
    uint64_t first = first_face(d);
    for (size_t i = 0; mine && to && i < part->face_count; i++) {
        mine[i] = (gz_dealt_face){.id = part->face_ids ? part->face_ids[i] : first + i, .rank = d->ranks->rank};
        memcpy(mine[i].v, part->faces[i], sizeof mine[i].v);
        for (int k = 0; k < 3; k++) mine[i].homes[k] = home_of(d, mine[i].v[k]);
        to[i] = mine[i].homes[first_corner(mine[i].v)];
    }
    graze_status status = gz_deal_out(d, gz_room(mine && to), mine, to, part->face_count, sizeof *mine,
                                      (void **)&d->faces, &d->face_count);
    gz_hold_drop(&d->hold, mine);
    gz_hold_drop(&d->hold, to);
    return status;
}

/* ---- edges ---- */

/* Lists of ids as lists of numbers in the table of what is known. */
static uint32_t *numbers_of(gz_dealing *d, const uint64_t *ids, size_t count) {
    uint32_t *numbers = gz_hold_get(&d->hold, count, sizeof *numbers);
    for (size_t i = 0; numbers && i < count; i++) numbers[i] = gz_id_table_find(&d->known, ids[i]);
    return numbers;
}

static gz_dealt_edge edge_of(const gz_dealing *d, const gz_side *side) {
    uint64_t a = d->known.ids[side->v[0]], b = d->known.ids[side->v[1]];
    bool turned = b < a;
    return (gz_dealt_edge){.i = turned ? b : a,
                           .j = turned ? a : b,
                           .home = d->known_home[side->v[!turned]],
                           .is_free = (side->from & GZ_FREE_EDGE) != 0};
}

/* Each side of the part once; free where no face of the part has it. */
static graze_status list_sides(gz_dealing *d, gz_dealt_edge **mine, uint32_t **to, size_t *count) {
    const graze_mpi_part *part = &d->brought->part;
    uint32_t *faces = numbers_of(d, part->face_count ? part->faces[0] : NULL, 3 * part->face_count);
    uint32_t *edges = numbers_of(d, part->edge_count ? part->edges[0] : NULL, 2 * part->edge_count);
    gz_sides sides = {0};
    bool room =
        faces && edges &&
        gz_sides_open(d->context, (uint32_t)d->known.count, (const uint32_t(*)[3])faces, (uint32_t)part->face_count,
                      (const uint32_t(*)[2])edges, (uint32_t)part->edge_count, &sides);
    *count = 0;
    for (size_t i = 0; room && i < sides.count; i = gz_sides_end(&sides, i)) ++*count;
    *mine = room ? gz_hold_get(&d->hold, *count, sizeof **mine) : NULL;
    *to = room ? gz_hold_get(&d->hold, *count, sizeof **to) : NULL;
    room = *mine && *to;
    *count = 0;
    for (size_t i = 0; room && i < sides.count; i = gz_sides_end(&sides, i)) {
        (*mine)[*count] = edge_of(d, &sides.items[i]);
        (*to)[*count] = home_of(d, (*mine)[*count].i);
        ++*count;
    }
    if (faces && edges) gz_sides_close(d->context, &sides);
    gz_hold_drop(&d->hold, faces);
    gz_hold_drop(&d->hold, edges);
    return gz_room(room);
}

graze_status gz_deal_edges(gz_dealing *d) {
    gz_dealt_edge *mine = NULL;
    uint32_t *to = NULL;
    size_t count = 0;
    graze_status status = list_sides(d, &mine, &to, &count);
    status = gz_deal_out(d, status, mine, to, count, sizeof *mine, (void **)&d->edges, &d->edge_count);
    gz_hold_drop(&d->hold, mine);
    gz_hold_drop(&d->hold, to);
    return status;
}

graze_status gz_deal_points(gz_dealing *d) {
    const graze_mpi_part *part = &d->brought->part;
    uint32_t *to = gz_hold_get(&d->hold, part->point_count, sizeof *to);
    for (size_t i = 0; to && i < part->point_count; i++) to[i] = home_of(d, part->points[i]);
    graze_status status = gz_deal_out(d, gz_room(to != NULL), part->points, to, part->point_count, sizeof *d->points,
                                      (void **)&d->points, &d->point_count);
    gz_hold_drop(&d->hold, to);
    gz_hold_drop(&d->hold, d->known_home);
    gz_id_table_close(&d->known);
    d->known_home = NULL;
    return status;
}

/* ---- support ---- */

/* An end of a face or an edge: own ones are marked, others are wanted from their home. */
static bool want(gz_dealing *d, uint64_t id, uint32_t home, uint32_t **homes, size_t *room) {
    uint32_t at = gz_id_table_add(&d->here, id), own = d->dealt->own_vertices;
    if (at == GZ_NOWHERE) return false;
    if (at < own) {
        d->in_edge[at] = 1;
        return true;
    }
    if (at - own >= *room && !gz_grow(d->context, (void **)homes, room, at - own + 1, sizeof **homes)) return false;
    (*homes)[at - own] = home;
    return true;
}

static bool want_ends(gz_dealing *d, uint32_t **homes, size_t *room) {
    d->in_edge = gz_hold_zeros(&d->hold, d->dealt->own_vertices, 1);
    if (!d->in_edge) return false;
    for (size_t i = 0; i < d->face_count; i++)
        for (int k = 0; k < 3; k++)
            if (!want(d, d->faces[i].v[k], d->faces[i].homes[k], homes, room)) return false;
    for (size_t i = 0; i < d->edge_count; i++)
        if (!want(d, d->edges[i].i, d->ranks->rank, homes, room) ||
            !want(d, d->edges[i].j, d->edges[i].home, homes, room))
            return false;
    return true;
}

/* Vertices that others asked for are sent to them from now on, and are ends of something there. */
static graze_status open_support(gz_dealing *d, const uint64_t *asked, size_t wanted) {
    gz_route *route = &d->dealt->support;
    uint32_t own = d->dealt->own_vertices;
    route->received = wanted;
    memcpy(route->from_counts, d->counts[1], d->ranks->count * sizeof *route->from_counts);
    memcpy(route->to_counts, d->counts[0], d->ranks->count * sizeof *route->to_counts);
    route->from = gz_hold_get(&d->dealt->hold, route->sent, sizeof *route->from);
    route->to = gz_hold_get(&d->dealt->hold, wanted, sizeof *route->to);
    if (!route->from || !route->to) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < wanted; i++) route->to[i] = own + d->order[i];
    for (size_t i = 0; i < route->sent; i++) {
        route->from[i] = gz_id_table_find(&d->here, asked[i]);
        d->in_edge[route->from[i]] = 1;
    }
    return GRAZE_OK;
}

graze_status gz_deal_support(gz_dealing *d) {
    uint32_t own = d->dealt->own_vertices, *homes = NULL;
    size_t room = 0;
    uint64_t *asked;
    graze_status status = gz_room(want_ends(d, &homes, &room));
    size_t wanted = d->here.count - own;
    status = gz_deal_out(d, status, d->here.ids + own, homes, wanted, sizeof *asked, (void **)&asked,
                         &d->dealt->support.sent);
    gz_release(d->context, homes, room * sizeof *homes);
    if (status != GRAZE_OK) return status;
    status = open_support(d, asked, wanted);
    gz_hold_drop(&d->hold, asked);
    return gz_ranks_agree(d->ranks, status);
}
