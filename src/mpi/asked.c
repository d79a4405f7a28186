#include "mpi/asked.h"

#include "mesh/mesh.h"
#include "mpi/deal/homes.h"
#include "narrow/method.h"
#include "step/call.h"

#include <math.h>
#include <string.h>

static const graze_mpi_part no_part = {.struct_size = sizeof no_part};

void graze_init_mpi_part(graze_mpi_part *part, size_t size) { gz_sized_init(part, size, &no_part, sizeof no_part); }

static graze_status bad(graze_context *context, uint64_t index, const char *what) {
    return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, index, "%s", what);
}

/* ---- options ---- */

static graze_status check_options(graze_context *context, const gz_asked *asked) {
    const graze_step_options *options = &asked->options;
    const gz_method *method = gz_method_get(asked->narrow.method);
    graze_status status = gz_step_on_host(context, options);
    if (status != GRAZE_OK) return status;
    if ((unsigned)options->mode > GRAZE_STEP_ALL) return bad(context, UINT64_MAX, "mode names none");
    if (!method->windowed)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX,
                       "method %s: steps over ranks take certified, exact and oracle", method->info.name);
    if (options->relative_separation != 0)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX,
                       "relative_separation: steps over ranks do not take it");
    bool times = options->mode != GRAZE_STEP_VERTICES || options->vertex_toi || !asked->brought.part.vertex_count;
    return times ? GRAZE_OK : bad(context, UINT64_MAX, "mode vertices: vertex_toi is NULL");
}

/* ---- parts ---- */

static graze_status check_pointers(graze_context *context, const graze_mpi_part *part) {
    if (part->vertex_count && !part->vertex_ids) return bad(context, UINT64_MAX, "vertex_ids is NULL");
    if (part->face_count && !part->faces) return bad(context, UINT64_MAX, "faces is NULL");
    if (part->edge_count && !part->edges) return bad(context, UINT64_MAX, "edges is NULL");
    if (part->point_count && !part->points) return bad(context, UINT64_MAX, "points is NULL");
    size_t most = INT32_MAX / 4;
    if (part->vertex_count > most || part->face_count > most || part->edge_count > most || part->point_count > most)
        return bad(context, UINT64_MAX, "a part has at most 2^29 vertices, faces, edges and points");
    return GRAZE_OK;
}

static graze_status check_ends(graze_context *context, const graze_mpi_part *part) {
    for (size_t i = 0; i < part->edge_count; i++)
        if (part->edges[i][0] == part->edges[i][1])
            return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, i, "edge %zu of the part: both ends are one vertex", i);
    return GRAZE_OK;
}

static graze_status check_vertices(graze_context *context, const graze_mpi_part *part) {
    for (size_t v = 0; v < part->vertex_count; v++) {
        if (part->thickness && !(part->thickness[v] >= 0 && part->thickness[v] <= GRAZE_MAX_COORDINATE))
            return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, v,
                           "thickness %g of vertex %zu of the part is no radius", part->thickness[v], v);
        if (part->groups && part->groups[v] >= part->group_count)
            return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, v, "group %u of vertex %zu of the part: there are %u",
                           part->groups[v], v, part->group_count);
    }
    return GRAZE_OK;
}

static graze_status check_positions(graze_context *context, gz_asked *asked) {
    gz_brought *b = &asked->brought;
    uint32_t count = (uint32_t)b->part.vertex_count;
    int any = gz_method_get(asked->narrow.method)->any_finite;
    if (count && (!b->x0 || !b->x1)) return bad(context, UINT64_MAX, "positions are NULL");
    graze_status status = gz_positions_check(context, "x0", b->x0, b->stride, count, any);
    return status == GRAZE_OK ? gz_positions_check(context, "x1", b->x1, b->stride, count, any) : status;
}

/* ---- hashes ---- */

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static uint64_t word_at(const void *words, size_t i) {
    uint64_t word;
    memcpy(&word, (const char *)words + 8 * i, sizeof word);
    return word;
}

/* Four chains, which run side by side, each of two words at a time: every step looks at all lists. */
static uint64_t mix_words(uint64_t hash, const void *words, size_t count) {
    uint64_t chains[4] = {hash, hash + 1, hash + 2, hash + 3};
    size_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (size_t k = 0; k < 4; k++)
            chains[k] = mix(chains[k], word_at(words, i + 2 * k) * 0xbf58476d1ce4e5b9u + word_at(words, i + 2 * k + 1));
    for (; i < count; i++) chains[0] = mix(chains[0], word_at(words, i));
    return mix(mix(mix(mix(chains[0], chains[1]), chains[2]), chains[3]), count);
}

static uint64_t mix_numbers(uint64_t hash, const uint32_t *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) hash = mix(hash, numbers[i]);
    return mix(hash, count);
}

/* Groups do not change where vertices go, but pieces hold them. */
static uint64_t lists_hash(const graze_mpi_part *part) {
    uint64_t hash = mix_words(1, part->vertex_ids, part->vertex_count);
    hash = mix_words(hash, part->faces, 3 * part->face_count);
    hash = mix_words(hash, part->face_ids, part->face_ids ? part->face_count : 0);
    hash = mix_words(hash, part->edges, 2 * part->edge_count);
    hash = mix_words(hash, part->points, part->point_count);
    hash = mix_numbers(hash, part->groups, part->groups ? part->vertex_count : 0);
    hash = mix(mix(mix(hash, part->group_count), (uint64_t)(part->skip_same_group != 0)), part->thickness != NULL);
    size_t pairs = part->group_pairs ? (size_t)part->group_count * part->group_count : 0;
    for (size_t i = 0; i < pairs; i++) hash = mix(hash, part->group_pairs[i]);
    return hash ? hash : 1;
}

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t question_hash(const gz_asked *asked) {
    const graze_options *narrow = &asked->narrow;
    uint64_t hash = mix(mix(1, (uint64_t)asked->options.mode), asked->options.kinds);
    hash = mix(mix(hash, (uint64_t)narrow->method), bits_of(narrow->min_separation));
    hash = mix(mix(hash, bits_of(narrow->t_max)), bits_of(narrow->tolerance));
    return mix(hash, narrow->max_checks);
}

/* ---- one rank ---- */

graze_status gz_asked_read(graze_context *context, const graze_mpi_part *part, const double (*x0)[3],
                           const double (*x1)[3], const graze_step_options *options, gz_asked *asked) {
    memset(asked, 0, sizeof *asked);
    gz_brought *b = &asked->brought;
    b->part = no_part;
    if (!part) return bad(context, UINT64_MAX, "part is NULL");
    graze_status status =
        gz_sized_read(context, "part", &b->part, sizeof b->part, GZ_SIZE_UP_TO(graze_mpi_part, thickness), part);
    if (status == GRAZE_OK) status = gz_step_options_read(context, options, &asked->options);
    if (status == GRAZE_OK) status = gz_options_read(context, asked->options.narrow, &asked->narrow);
    if (status == GRAZE_OK) status = check_options(context, asked);
    if (status == GRAZE_OK) status = check_pointers(context, &b->part);
    if (status == GRAZE_OK) status = gz_stride_read(context, &asked->options.stride, (uint32_t)b->part.vertex_count);
    if (status == GRAZE_OK) status = check_ends(context, &b->part);
    if (status == GRAZE_OK) status = check_vertices(context, &b->part);
    b->x0 = (const char *)x0;
    b->x1 = (const char *)x1;
    b->stride = asked->options.stride;
    if (status == GRAZE_OK) status = check_positions(context, asked);
    if (status == GRAZE_OK) asked->hash = lists_hash(&b->part);
    asked->options.narrow = &asked->narrow;
    asked->options.stride = 0; /* that of pieces */
    return status;
}

/* ---- all ranks ---- */

/* Dealing lists anew takes the time of so many units of gz_found.work for each vertex, edge and face. */
#define DEALING 10

/* What was lost by waiting has grown to what dealing out the work anew would have taken. */
static bool unfair(const gz_ranks *ranks, const gz_dealt *dealt) {
    uint64_t all = dealt->vertex_total + dealt->edge_total + dealt->face_total;
    return dealt->behind * ranks->count > DEALING * (double)all;
}

/* Two communicators may have this rank in the same place, and the same lists: what one of them dealt is nothing to the
   other one's ranks. They meet only if all hold the same dealing, and are to go on from it in the same way. */
static uint64_t state_of(const gz_dealt *dealt) {
    uint64_t hash = mix(dealt->dealing, dealt->piece.edge_ids != NULL);
    hash = mix_words(hash, dealt->homes.points, dealt->homes.point_count * sizeof *dealt->homes.points / 8);
    return mix(mix(hash, bits_of(dealt->window)), bits_of(dealt->behind));
}

static gz_summary summary_of(const gz_ranks *ranks, const gz_asked *asked, const gz_dealt *dealt) {
    const graze_mpi_part *part = &asked->brought.part;
    gz_summary s = {.lo = {INFINITY, INFINITY, INFINITY}, .hi = {-INFINITY, -INFINITY, -INFINITY}};
    s.vertices = part->vertex_count;
    s.faces = part->face_count;
    s.question = question_hash(asked);
    s.lists = asked->hash;
    s.state = state_of(dealt);
    s.kept = dealt->hash == mix(mix(asked->hash, ranks->rank), ranks->count);
    s.unfair = unfair(ranks, dealt);
    s.work = dealt->work;
    s.groups = !part->vertex_count ? 2 : part->groups != NULL;
    s.radii = !part->vertex_count ? 2 : part->thickness != NULL;
    s.face_ids = !part->face_count ? 2 : part->face_ids != NULL;
    return s;
}

/* Only lists that are dealt out need to know where everything is. */
static graze_status share_boxes(gz_ranks *ranks, const gz_asked *asked, gz_summary *all) {
    gz_summary mine = all[ranks->rank];
    for (size_t v = 0; v < asked->brought.part.vertex_count; v++) {
        const double *x = (const double *)(const void *)(asked->brought.x0 + v * asked->brought.stride);
        for (int c = 0; c < 3; c++) {
            mine.lo[c] = fmin(mine.lo[c], x[c]);
            mine.hi[c] = fmax(mine.hi[c], x[c]);
            mine.starts = mix(mine.starts, bits_of(x[c]));
        }
    }
    return gz_ranks_gather(ranks, GRAZE_OK, &mine, sizeof mine, all);
}

/* Value of one field on all ranks: 0 or 1; −1 where they do not agree. Ranks that have nothing to say send 2. */
static int common(const gz_summary *all, uint32_t count, size_t field) {
    uint32_t said = 2;
    for (uint32_t r = 0; r < count; r++) {
        uint32_t mine;
        memcpy(&mine, (const char *)&all[r] + field, sizeof mine);
        if (mine == 2) continue;
        if (said != 2 && said != mine) return -1;
        said = mine;
    }
    return said == 1;
}

static graze_status check_summaries(gz_ranks *ranks, const gz_summary *all) {
    for (uint32_t r = 1; r < ranks->count; r++)
        if (all[r].question != all[0].question)
            return gz_fail(ranks->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
                           "ranks 0 and %u do not have the same options", r);
    const size_t fields[] = {offsetof(gz_summary, groups), offsetof(gz_summary, radii), offsetof(gz_summary, face_ids)};
    const char *const names[] = {"groups", "thickness", "face_ids"};
    for (int i = 0; i < 3; i++)
        if (common(all, ranks->count, fields[i]) < 0)
            return gz_fail(ranks->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
                           "some ranks bring %s and some do not", names[i]);
    return GRAZE_OK;
}

/* Groups of a rank that has them are those of all, also of ranks that bring no vertex. */
static graze_status share_rules(gz_ranks *ranks, const gz_brought *brought, const gz_summary *all, gz_dealt *dealt) {
    uint32_t from = 0;
    if (common(all, ranks->count, offsetof(gz_summary, groups)) == 0) return GRAZE_OK;
    while (all[from].groups != 1) from++;
    const graze_mpi_part *part = &brought->part;
    uint32_t words[3] = {part->group_count, part->skip_same_group != 0, part->group_pairs != NULL};
    bool good = ranks->transport->broadcast(ranks->handle, from, words, sizeof words);
    dealt->rules = (gz_rules){.group_count = words[0], .skip_same_group = (int)words[1]};
    size_t size = (size_t)words[0] * words[0];
    uint8_t *pairs = good && words[2] ? gz_hold_get(&dealt->hold, size, 1) : NULL;
    graze_status status = gz_ranks_agree(ranks, words[2] && !pairs ? GRAZE_ERR_OUT_OF_MEMORY : GRAZE_OK);
    if (status != GRAZE_OK || !pairs) return status;
    if (ranks->rank == from) memcpy(pairs, part->group_pairs, size);
    good = ranks->transport->broadcast(ranks->handle, from, pairs, size);
    dealt->rules.group_pairs = pairs;
    return gz_ranks_agree(ranks, good ? GRAZE_OK : GRAZE_ERR_DEVICE);
}

/* A dealing follows from the lists, where they start, and where the curve is cut. */
static uint64_t dealing_hash(const gz_ranks *ranks, const gz_summary *all, const gz_dealt *dealt) {
    uint64_t hash = mix_words(1, dealt->homes.cuts, ranks->count - 1);
    for (uint32_t r = 0; r < ranks->count; r++) hash = mix(mix(hash, all[r].lists), all[r].starts);
    return hash;
}

static graze_status deal_anew(gz_ranks *ranks, const gz_asked *asked, gz_summary *all, const gz_homes *before,
                              gz_dealt *dealt) {
    gz_dealt_free(dealt);
    dealt->radii = common(all, ranks->count, offsetof(gz_summary, radii)) == 1;
    graze_status status = share_boxes(ranks, asked, all);
    if (status == GRAZE_OK) status = share_rules(ranks, &asked->brought, all, dealt);
    if (status == GRAZE_OK) status = gz_deal_lists(ranks, &asked->brought, all, before, dealt);
    if (status == GRAZE_OK) status = gz_deal_groups(ranks, &asked->brought, dealt);
    if (status == GRAZE_OK) status = gz_deal_positions(ranks, &asked->brought, dealt);
    if (status == GRAZE_OK) status = gz_ranks_agree(ranks, gz_deal_nodes(ranks, dealt));
    if (status != GRAZE_OK) return status;
    dealt->hash = mix(mix(asked->hash, ranks->rank), ranks->count);
    dealt->dealing = dealing_hash(ranks, all, dealt);
    return status;
}

/* The same lists, cut where each rank gets as much work as the others had in the steps so far. */
static graze_status deal_fairly(gz_ranks *ranks, const gz_asked *asked, gz_summary *all, gz_dealt *dealt) {
    gz_hold hold = {.context = ranks->context};
    gz_homes before;
    double window = dealt->window;
    graze_status status =
        gz_ranks_agree(ranks, gz_homes_copy(&hold, &dealt->homes, &before) ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY);
    if (status == GRAZE_OK) {
        status = deal_anew(ranks, asked, all, &before, dealt);
        dealt->window = window;
    }
    gz_hold_free(&hold);
    return status;
}

graze_status gz_asked_deal(gz_ranks *ranks, graze_status mine, const gz_asked *asked, gz_dealt *dealt) {
    gz_hold hold = {.context = ranks->context};
    gz_summary *all = gz_hold_get(&hold, ranks->count, sizeof *all), summary = {0};
    if (mine == GRAZE_OK && !all) mine = GRAZE_ERR_OUT_OF_MEMORY;
    if (mine == GRAZE_OK) summary = summary_of(ranks, asked, dealt);
    graze_status status = gz_ranks_gather(ranks, mine, &summary, sizeof summary, all);
    if (status == GRAZE_OK) status = gz_ranks_agree(ranks, check_summaries(ranks, all));
    uint32_t kept = 1;
    for (uint32_t r = 0; status == GRAZE_OK && r < ranks->count; r++)
        kept &= all[r].kept && all[r].state == all[0].state;
    if (status == GRAZE_OK && !kept)
        status = deal_anew(ranks, asked, all, NULL, dealt);
    else if (status == GRAZE_OK)
        status =
            all[0].unfair ? deal_fairly(ranks, asked, all, dealt) : gz_deal_positions(ranks, &asked->brought, dealt);
    gz_hold_free(&hold);
    if (status != GRAZE_OK) dealt->hash = 0;
    return status;
}
