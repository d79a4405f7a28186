/* The stages, each with an exchange or two:
 *
 *   ids of vertices go to their homes, which fixes what each rank owns (the route `bring`);
 *   ids and homes go to a directory, which sees copies that do not agree, and tells homes of vertices that others
 * bring; faces, edges and points go to the home of their first vertex (deal_parts.c); homes ask each other for the ends
 * that they lack (the route `support`). */
#include "mpi/deal/dealing.h"

#include <string.h>

graze_status gz_deal_out(gz_dealing *d, graze_status mine, const void *items, const uint32_t *to, size_t count,
                         size_t size, void **received, size_t *received_count) {
    char *packed = NULL;
    gz_hold_drop(&d->hold, d->order);
    d->order = NULL;
    if (mine == GRAZE_OK) {
        d->order = gz_hold_get(&d->hold, count, sizeof *d->order);
        packed = gz_hold_get(&d->hold, count, size);
        mine = gz_room(d->order && packed);
    }
    if (mine == GRAZE_OK) {
        memset(d->counts[0], 0, d->ranks->count * sizeof *d->counts[0]);
        for (size_t i = 0; i < count; i++) d->counts[0][to[i]]++;
        for (uint32_t r = 0; r < d->ranks->count; r++) d->starts[r] = r ? d->starts[r - 1] + d->counts[0][r - 1] : 0;
        for (size_t i = 0; i < count; i++) d->order[d->starts[to[i]]++] = (uint32_t)i;
        for (size_t i = 0; i < count; i++) memcpy(packed + i * size, (const char *)items + d->order[i] * size, size);
    }
    mine = gz_ranks_exchange(d->ranks, mine, &d->hold, packed, d->counts[0], size, received, d->counts[1]);
    gz_hold_drop(&d->hold, packed);
    if (mine == GRAZE_OK) *received_count = gz_ranks_sum(d->ranks, d->counts[1]);
    return mine;
}

/* ---- homes of vertices ---- */

static const double *position(const gz_brought *brought, size_t i) {
    return (const double *)(const void *)(brought->x0 + i * brought->stride);
}

/* The part's own vertices are the first that it knows; none may come twice. */
static graze_status know_own(gz_dealing *d) {
    const graze_mpi_part *part = &d->brought->part;
    d->known_home = gz_hold_get(&d->hold, part->vertex_count, sizeof *d->known_home);
    if (!d->known_home || !gz_id_table_open(&d->hold, part->vertex_count, &d->known)) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < part->vertex_count; i++) {
        uint32_t at = gz_id_table_add(&d->known, part->vertex_ids[i]);
        if (at == GZ_NOWHERE) return GRAZE_ERR_OUT_OF_MEMORY;
        if (at != i)
            return gz_fail(d->context, GRAZE_ERR_INVALID_ARGUMENT, i, "vertex %llu is twice in one part",
                           (unsigned long long)part->vertex_ids[i]);
        d->known_home[i] = gz_home_of(&d->dealt->homes, position(d->brought, i));
    }
    return GRAZE_OK;
}

/* At home every id that came has a place, the same for all its copies. */
static graze_status place_brought(gz_dealing *d, const uint64_t *ids) {
    gz_route *bring = &d->dealt->bring;
    bring->to = gz_hold_get(&d->dealt->hold, bring->received, sizeof *bring->to);
    if (!bring->to || !gz_id_table_open(&d->hold, bring->received, &d->here)) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < bring->received; i++)
        if ((bring->to[i] = gz_id_table_add(&d->here, ids[i])) == GZ_NOWHERE) return GRAZE_ERR_OUT_OF_MEMORY;
    d->dealt->own_vertices = (uint32_t)d->here.count;
    return GRAZE_OK;
}

static graze_status bring_ids(gz_dealing *d) {
    const graze_mpi_part *part = &d->brought->part;
    gz_route *bring = &d->dealt->bring;
    uint64_t *received;
    graze_status status = know_own(d);
    status = gz_deal_out(d, status, part->vertex_ids, d->known_home, part->vertex_count, sizeof *received,
                         (void **)&received, &bring->received);
    if (status != GRAZE_OK) return status;
    bring->sent = part->vertex_count;
    bring->from = gz_hold_get(&d->dealt->hold, bring->sent, sizeof *bring->from);
    if (bring->from) memcpy(bring->from, d->order, bring->sent * sizeof *bring->from);
    memcpy(bring->from_counts, d->counts[0], d->ranks->count * sizeof *bring->from_counts);
    memcpy(bring->to_counts, d->counts[1], d->ranks->count * sizeof *bring->to_counts);
    status = bring->from ? place_brought(d, received) : GRAZE_ERR_OUT_OF_MEMORY;
    gz_hold_drop(&d->hold, received);
    return gz_ranks_agree(d->ranks, status);
}

/* ---- the directory ---- */

typedef struct told_home {
    uint64_t id;
    uint32_t home, rank;
} told_home;

static uint32_t directory_of(const gz_dealing *d, uint64_t id) { return (uint32_t)(gz_id_hash(id) % d->ranks->count); }

static graze_status tell_homes(gz_dealing *d, told_home **told, size_t *told_count) {
    const graze_mpi_part *part = &d->brought->part;
    told_home *mine = gz_hold_get(&d->hold, part->vertex_count, sizeof *mine);
    uint32_t *to = gz_hold_get(&d->hold, part->vertex_count, sizeof *to);
    bool room = mine && to;
    for (size_t i = 0; room && i < part->vertex_count; i++) {
        mine[i] = (told_home){part->vertex_ids[i], d->known_home[i], d->ranks->rank};
        to[i] = directory_of(d, part->vertex_ids[i]);
    }
    graze_status status =
        gz_deal_out(d, gz_room(room), mine, to, part->vertex_count, sizeof *mine, (void **)told, told_count);
    gz_hold_drop(&d->hold, mine);
    gz_hold_drop(&d->hold, to);
    return status;
}

/* Copies of a vertex that do not start at one place may have several homes; those of one home are compared there. */
static graze_status fill_directory(gz_dealing *d, told_home *told, size_t count, gz_id_table *directory) {
    if (!gz_id_table_open(&d->hold, count, directory)) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) {
        size_t before = directory->count;
        uint32_t at = gz_id_table_add(directory, told[i].id);
        if (at == GZ_NOWHERE) return GRAZE_ERR_OUT_OF_MEMORY;
        if (at == before) told[at] = told[i];
        if (told[at].home != told[i].home)
            return gz_fail(d->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
                           "vertex %llu: ranks %u and %u do not agree about x0", (unsigned long long)told[i].id,
                           told[at].rank, told[i].rank);
    }
    return GRAZE_OK;
}

/* Every vertex that the part names is known by a number, those that it does not bring after those that it does. */
static graze_status know_named(gz_dealing *d) {
    const graze_mpi_part *part = &d->brought->part;
    const uint64_t *lists[3] = {part->face_count ? part->faces[0] : NULL, part->edge_count ? part->edges[0] : NULL,
                                part->points};
    size_t counts[3] = {3 * part->face_count, 2 * part->edge_count, part->point_count};
    for (int list = 0; list < 3; list++)
        for (size_t i = 0; i < counts[list]; i++)
            if (gz_id_table_add(&d->known, lists[list][i]) == GZ_NOWHERE) return GRAZE_ERR_OUT_OF_MEMORY;
    uint32_t *homes = gz_hold_get(&d->hold, d->known.count, sizeof *homes);
    if (!homes) return GRAZE_ERR_OUT_OF_MEMORY;
    memcpy(homes, d->known_home, part->vertex_count * sizeof *homes);
    gz_hold_drop(&d->hold, d->known_home);
    d->known_home = homes;
    return GRAZE_OK;
}

static graze_status take_homes(gz_dealing *d, const uint32_t *homes, const uint64_t *ids, size_t count, size_t before) {
    for (size_t i = 0; i < count; i++) {
        if (homes[i] == GZ_NOWHERE)
            return gz_fail(d->context, GRAZE_ERR_BAD_INDEX, UINT64_MAX, "no rank brings vertex %llu",
                           (unsigned long long)ids[d->order[i]]);
        d->known_home[before + d->order[i]] = homes[i];
    }
    return GRAZE_OK;
}

static graze_status ask_homes(gz_dealing *d, const told_home *told, const gz_id_table *directory) {
    size_t before = d->brought->part.vertex_count, count = 0, asked = 0;
    graze_status status = know_named(d);
    uint32_t *to = NULL;
    if (status == GRAZE_OK) {
        count = d->known.count - before;
        status = gz_room((to = gz_hold_get(&d->hold, count, sizeof *to)) != NULL);
    }
    for (size_t i = 0; status == GRAZE_OK && i < count; i++) to[i] = directory_of(d, d->known.ids[before + i]);
    uint64_t *ids;
    status = gz_deal_out(d, status, d->known.ids + before, to, count, sizeof *ids, (void **)&ids, &asked);
    if (status != GRAZE_OK) return status;
    uint32_t *answers = gz_hold_get(&d->hold, asked, sizeof *answers),
             *homes = gz_hold_get(&d->hold, count, sizeof *homes);
    for (size_t i = 0; answers && i < asked; i++) {
        uint32_t at = gz_id_table_find(directory, ids[i]);
        answers[i] = at == GZ_NOWHERE ? GZ_NOWHERE : told[at].home;
    }
    status =
        gz_ranks_pass(d->ranks, gz_room(answers && homes), answers, d->counts[1], sizeof *answers, homes, d->counts[0]);
    if (status == GRAZE_OK) status = take_homes(d, homes, d->known.ids + before, count, before);
    gz_hold_drop(&d->hold, to);
    gz_hold_drop(&d->hold, ids);
    gz_hold_drop(&d->hold, answers);
    gz_hold_drop(&d->hold, homes);
    return gz_ranks_agree(d->ranks, status);
}

static graze_status use_directory(gz_dealing *d) {
    told_home *told;
    size_t count;
    gz_id_table directory = {.hold = &d->hold};
    graze_status status = tell_homes(d, &told, &count);
    if (status != GRAZE_OK) return status;
    status = gz_ranks_agree(d->ranks, fill_directory(d, told, count, &directory));
    if (status == GRAZE_OK) status = ask_homes(d, told, &directory);
    gz_id_table_close(&directory);
    gz_hold_drop(&d->hold, told);
    return status;
}

/* ---- all of it ---- */

static graze_status open_dealing(gz_dealing *d) {
    gz_hold *kept = &d->dealt->hold;
    bool room = gz_route_open(d->ranks, kept, &d->dealt->bring) && gz_route_open(d->ranks, kept, &d->dealt->support);
    for (int i = 0; i < 2; i++)
        room &= (d->counts[i] = gz_hold_zeros(&d->hold, d->ranks->count, sizeof(size_t))) != NULL;
    room &= (d->starts = gz_hold_get(&d->hold, d->ranks->count, sizeof *d->starts)) != NULL;
    return gz_ranks_agree(d->ranks, gz_room(room));
}

graze_status gz_deal_lists(gz_ranks *ranks, const gz_brought *brought, const gz_summary *all, const gz_homes *before,
                           gz_dealt *dealt) {
    gz_dealing d = {.ranks = ranks,
                    .context = ranks->context,
                    .brought = brought,
                    .all = all,
                    .dealt = dealt,
                    .hold = {.context = ranks->context}};
    graze_status status = open_dealing(&d);
    if (status == GRAZE_OK) status = gz_homes_cut(ranks, brought, all, before, &dealt->hold, &dealt->homes);
    if (status == GRAZE_OK) status = bring_ids(&d);
    if (status == GRAZE_OK) status = use_directory(&d);
    if (status == GRAZE_OK) status = gz_deal_faces(&d);
    if (status == GRAZE_OK) status = gz_deal_edges(&d);
    if (status == GRAZE_OK) status = gz_deal_points(&d);
    if (status == GRAZE_OK) status = gz_deal_support(&d);
    if (status == GRAZE_OK) status = gz_deal_piece(&d);
    gz_hold_free(&d.hold);
    return status;
}

void gz_dealt_free(gz_dealt *dealt) {
    graze_context *context = dealt->hold.context;
    if (dealt->cross.object) dealt->cross.destroy(context, dealt->cross.object);
    gz_piece_free(&dealt->piece);
    gz_hold_free(&dealt->hold);
    *dealt = (gz_dealt){.hold = {.context = context}, .piece = {.hold = {.context = context}}};
}
