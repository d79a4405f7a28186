/* The modes of a step over ranks. Each rank searches its own piece first: what the earliest contact of all ranks is
 * then says how large the window is in which anything else can matter, and only what comes near in that window crosses.
 * A pair's answer is a function of the pair, so it does not matter who asks, nor how often: the modes earliest, any and
 * vertices test some pairs twice, lists have filters that keep each pair to one rank. */
#include "mpi/run.h"

#include "mpi/edge_ids.h"
#include "mpi/found.h"
#include "mpi/halo.h"
#include "mpi/ranks/spread.h"
#include "pair/swept.h"
#include "step/list.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

#define FIRST_WINDOW 0x1p-6
#define WINDOW_GROWTH 8
#define KEPT_WINDOW 2

typedef struct pair_rows {
    void *items;         /* graze_mpi_pair_result, or graze_mpi_pair */
    size_t count, first; /* all, and those of the piece, which come first */
    size_t room;
} pair_rows;

typedef struct run {
    gz_ranks *ranks;
    graze_context *context;
    gz_dealt *dealt;
    graze_step_options options;
    graze_options narrow;
    gz_found found;
    pair_rows rows;
    graze_mpi_result *result;
    gz_hold hold;
} run;

/* ---- one piece ---- */

static graze_status add_rows(run *r, const gz_piece *piece, const graze_step_result *result) {
    pair_rows *rows = &r->rows;
    if (!result->pair_count) return GRAZE_OK;
    if (!gz_grow(r->context, &rows->items, &rows->room, rows->count + result->pair_count,
                 sizeof(graze_mpi_pair_result)))
        return GRAZE_ERR_OUT_OF_MEMORY;
    graze_mpi_pair_result *to = (graze_mpi_pair_result *)rows->items + rows->count;
    for (size_t i = 0; i < result->pair_count; i++) {
        memset(&to[i], 0, sizeof to[i]);
        gz_global_pair(piece, result->pairs[i].pair, to[i].vertices, &to[i].pair);
        to[i].result = result->pairs[i].result;
    }
    rows->count += result->pair_count;
    return GRAZE_OK;
}

/* A step of a part of the time knows when its earliest contact is, but not all that the whole step says of it. */
static graze_status solve_again(run *r, const gz_piece *piece, graze_step_result *result) {
    graze_step_options options = r->options;
    options.narrow = &r->narrow;
    return gz_pair_solve(r->context, &piece->mesh, (const double(*)[3])piece->x0, (const double(*)[3])piece->x1,
                         result->limiting.pair, &options, &result->limiting.result);
}

/* A step on a piece up to `t_max`; not collective. */
static graze_status search(run *r, const gz_piece *piece, graze_pair_filter *filter, void *user, double t_max,
                           double *times) {
    graze_mesh mesh = piece->mesh;
    graze_options narrow = r->narrow;
    graze_step_options options = r->options;
    graze_step_result result;
    double start = gz_seconds();
    mesh.filter = filter;
    mesh.filter_user = user;
    narrow.t_max = t_max;
    options.narrow = &narrow;
    options.vertex_toi = times;
    graze_status status =
        gz_step_run(r->context, &mesh, (const double(*)[3])piece->x0, (const double(*)[3])piece->x1, &options, &result);
    if (status == GRAZE_OK && result.has_pair && t_max < r->narrow.t_max) status = solve_again(r, piece, &result);
    if (status == GRAZE_OK) {
        gz_found_add(&r->found, piece, &result);
        r->found.stopped |= options.mode == GRAZE_STEP_ANY && result.has_pair && result.limiting.result.proven;
        status = add_rows(r, piece, &result);
        graze_step_release(r->context, &result);
    }
    r->found.seconds += gz_seconds() - start;
    return status;
}

/* A step keeps the order of its trees in the context: what crosses has an order of its own. */
static void change_kept(run *r) {
    gz_kept other = r->dealt->cross;
    r->dealt->cross = r->context->step;
    r->context->step = other;
}

static gz_window window_of(const run *r, double t) {
    bool at_start = r->narrow.t_max == 0;
    return (gz_window){.grow = gz_half_up(r->narrow.min_separation), .t = at_start ? 1 : t, .at_start = at_start};
}

static graze_status open_halo(run *r, double t, gz_halo *halo) {
    gz_window window = window_of(r, t);
    graze_status status = gz_halo_open(r->ranks, r->dealt, &window, halo);
    r->result->crossing += halo->crossing;
    return status;
}

/* ---- earliest and any ---- */

/* The window that holds every pair whose toi is at most that of the earliest so far: docs/numerics.md, section 3. */
static double window_after(const run *r, const gz_found *found) {
    double best = found->has_pair ? found->best.result.toi : INFINITY;
    return best < r->narrow.t_max ? fmin(best * (1 + 0x1p-30) + 0x1p-800, r->narrow.t_max) : r->narrow.t_max;
}

/* Findings of all ranks so far; those of each rank stay as they are. */
static graze_status look_around(run *r, graze_status mine, gz_found *so_far) {
    double imbalance;
    *so_far = r->found;
    return gz_found_reduce(r->ranks, mine, so_far, &imbalance);
}

/* All pairs in [0, window], or, once a piece has a contact, in as much of it as can still matter. */
static graze_status search_window(run *r, double window, gz_found *so_far) {
    gz_halo halo;
    graze_status status = look_around(r, search(r, &r->dealt->piece, NULL, NULL, window, NULL), so_far);
    if (status != GRAZE_OK || so_far->stopped || so_far->cancelled) return status;
    double left = fmin(window_after(r, so_far), window);
    status = open_halo(r, left, &halo);
    change_kept(r);
    if (status == GRAZE_OK && halo.crossing) status = search(r, &halo.cross, NULL, NULL, left, NULL);
    change_kept(r);
    gz_halo_free(&halo);
    return look_around(r, status, so_far);
}

/* Windows first: a contact that one rank has early spares all others the rest of the step. The first window is what the
   last step needed, and more. */
static graze_status find_earliest(run *r) {
    gz_found so_far = {0};
    double t_max = r->narrow.t_max, window = r->dealt->window > 0 ? r->dealt->window : t_max * FIRST_WINDOW;
    graze_status status = GRAZE_OK;
    for (bool done = false; status == GRAZE_OK && !done; window *= WINDOW_GROWTH) {
        if (!(window < t_max)) window = t_max;
        status = search_window(r, window, &so_far);
        done = so_far.stopped || so_far.cancelled || window == t_max || window_after(r, &so_far) <= window;
    }
    if (status == GRAZE_OK) r->dealt->window = so_far.has_pair ? KEPT_WINDOW * window_after(r, &so_far) : t_max;
    return status;
}

/* ---- vertices ---- */

static void lower(double *times, const uint32_t *places, const double *more, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (more[i] < times[places[i]]) times[places[i]] = more[i];
}

/* Times of what crossed go back to the pieces that sent it, and from there home. */
static graze_status take_back(run *r, graze_status mine, const gz_halo *halo, const double *crossed, double *times) {
    double *back;
    const gz_route *support = &r->dealt->support;
    graze_status status =
        gz_route_return(r->ranks, mine, &r->hold, &halo->route, crossed, sizeof *crossed, (void **)&back);
    if (status != GRAZE_OK) return status;
    lower(times, halo->route.from, back, halo->route.sent);
    status = gz_route_return(r->ranks, GRAZE_OK, &r->hold, support, times, sizeof *times, (void **)&back);
    if (status == GRAZE_OK) lower(times, support->from, back, support->sent);
    return status;
}

/* From home to the parts' vertices. */
static graze_status hand_out(run *r, const gz_asked *asked, const double *times) {
    const gz_route *bring = &r->dealt->bring;
    double *mine, *to = asked->options.vertex_toi;
    graze_status status = gz_route_return(r->ranks, GRAZE_OK, &r->hold, bring, times, sizeof *times, (void **)&mine);
    for (size_t i = 0; status == GRAZE_OK && i < bring->sent; i++) to[bring->from[i]] = mine[i];
    return status;
}

static graze_status find_times(run *r, const gz_asked *asked) {
    gz_halo halo;
    const gz_piece *piece = &r->dealt->piece;
    double *times = gz_hold_get(&r->hold, piece->vertex_count, sizeof *times), *crossed = NULL;
    for (size_t v = 0; v < asked->brought.part.vertex_count; v++) asked->options.vertex_toi[v] = 0;
    graze_status status = times ? search(r, piece, NULL, NULL, r->narrow.t_max, times) : GRAZE_ERR_OUT_OF_MEMORY;
    status = gz_ranks_agree(r->ranks, status);
    if (status != GRAZE_OK) return status;
    status = open_halo(r, r->narrow.t_max, &halo);
    if (status == GRAZE_OK) {
        crossed = gz_hold_get(&r->hold, halo.cross.vertex_count, sizeof *crossed);
        change_kept(r);
        status = crossed ? search(r, &halo.cross, NULL, NULL, r->narrow.t_max, crossed) : GRAZE_ERR_OUT_OF_MEMORY;
        change_kept(r);
        status = take_back(r, status, &halo, crossed, times);
    }
    if (status == GRAZE_OK && !(status = gz_found_reduce(r->ranks, status, &r->found, &r->result->imbalance))) {
        if (!r->found.cancelled) status = hand_out(r, asked, times);
    }
    gz_halo_free(&halo);
    return status;
}

/* ---- lists ---- */

static int compare_pairs(const void *a, const void *b) {
    const graze_mpi_pair *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

/* Each search finds sorted rows, so there are as many runs as searches were; a new block of `hold`. */
static void *merge_found(run *r, size_t size) {
    pair_rows *rows = &r->rows;
    void *sorted = gz_hold_get(&r->hold, rows->count, size);
    size_t ends[2] = {rows->first, rows->count};
    if (sorted) gz_merge_runs(rows->items, sorted, ends, 2, size, compare_pairs);
    gz_release(r->context, rows->items, rows->room * size);
    *rows = (pair_rows){.count = rows->count};
    return sorted;
}

/* A sorted run from each rank, as one block of the context. */
static graze_status merge_received(run *r, void *received, size_t *counts, size_t size, void **list, size_t *count) {
    size_t sum = 0;
    for (uint32_t i = 0; i < r->ranks->count; i++) counts[i] = sum += counts[i];
    *count = sum;
    *list = sum ? gz_allocate_array(r->context, sum, size) : NULL;
    if (*list) gz_merge_runs(received, *list, counts, r->ranks->count, size, compare_pairs);
    return *list || !sum ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}

static void drop_rows(run *r, size_t size) {
    gz_release(r->context, r->rows.items, r->rows.room * size);
    r->rows = (pair_rows){0};
}

/* Each rank's range of the sorted list, as a block of the context. */
static graze_status spread_rows(run *r, graze_status mine, size_t size, void **list, size_t *count, uint64_t *first,
                                uint64_t *total) {
    void *received = NULL, *sorted = NULL;
    size_t *counts = gz_hold_get(&r->hold, 2 * (size_t)r->ranks->count, sizeof *counts);
    if (mine == GRAZE_OK && !(counts && (sorted = merge_found(r, size)))) mine = GRAZE_ERR_OUT_OF_MEMORY;
    graze_status status = gz_spread(r->ranks, mine, &r->hold, sorted, r->rows.count, size, compare_pairs, &received,
                                    counts, counts + r->ranks->count);
    drop_rows(r, size);
    gz_hold_drop(&r->hold, sorted);
    if (status != GRAZE_OK) return status;
    status = merge_received(r, received, counts + r->ranks->count, size, list, count);
    gz_hold_drop(&r->hold, received);
    status = gz_spread_first(r->ranks, status, &r->hold, *count, first, total);
    if (status == GRAZE_OK) return status;
    gz_release(r->context, *list, *count * size);
    *list = NULL;
    *count = 0;
    return status;
}

typedef graze_status search_list(run *r, const gz_piece *piece, graze_pair_filter *filter, void *user);

static graze_status search_results(run *r, const gz_piece *piece, graze_pair_filter *filter, void *user) {
    return search(r, piece, filter, user, r->narrow.t_max, NULL);
}

static graze_status search_candidates(run *r, const gz_piece *piece, graze_pair_filter *filter, void *user) {
    graze_mesh mesh = piece->mesh;
    graze_step_options options = r->options;
    gz_pair_list list = {0};
    mesh.filter = filter;
    mesh.filter_user = user;
    options.narrow = &r->narrow;
    pair_rows *rows = &r->rows;
    graze_status status = gz_candidates_run(r->context, &mesh, (const double(*)[3])piece->x0,
                                            (const double(*)[3])piece->x1, &options, &list);
    if (status == GRAZE_OK && list.count &&
        !gz_grow(r->context, &rows->items, &rows->room, rows->count + list.count, sizeof(graze_mpi_pair)))
        status = GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; status == GRAZE_OK && i < list.count; i++) {
        uint64_t vertices[4];
        graze_mpi_pair *to = (graze_mpi_pair *)rows->items + rows->count++;
        memset(to, 0, sizeof *to);
        gz_global_pair(piece, list.pairs[i], vertices, to);
    }
    gz_list_release(r->context, &list);
    return status;
}

/* Every pair once: own pieces, then what crosses. */
static graze_status find_list(run *r, search_list *search_one) {
    gz_halo halo;
    gz_piece *piece = &r->dealt->piece;
    graze_status status = gz_edge_ids_find(r->ranks, r->dealt);
    if (status != GRAZE_OK) return status;
    bool alone = r->dealt->support.received == 0;
    status = gz_ranks_agree(r->ranks, search_one(r, piece, alone ? NULL : gz_piece_allows, piece));
    if (status != GRAZE_OK) return status;
    r->rows.first = r->rows.count;
    status = open_halo(r, r->narrow.t_max, &halo);
    change_kept(r);
    if (status == GRAZE_OK && halo.crossing) status = search_one(r, &halo.cross, gz_halo_allows, &halo);
    change_kept(r);
    gz_halo_free(&halo);
    return status;
}

/* ---- the result ---- */

static void give_up(run *r) {
    gz_release(r->context, r->result->pairs, r->result->pair_count * sizeof *r->result->pairs);
    r->result->pairs = NULL;
    r->result->pair_count = 0;
    r->result->pair_first = r->result->pair_total = 0;
    r->result->reason = GRAZE_REASON_CANCELLED;
    r->result->toi_upper = INFINITY;
    for (int kind = 0; kind < 4; kind++) r->result->candidates[kind] = r->result->hits[kind] = GRAZE_NOT_COUNTED;
}

static void conclude(run *r) {
    graze_mpi_result *result = r->result;
    const gz_found *found = &r->found;
    const graze_result *limit = &found->best.result;
    bool counted = r->options.mode == GRAZE_STEP_ALL;
    result->verdict = found->has_pair ? limit->verdict : GRAZE_CLEAR;
    result->reason = found->has_pair ? limit->reason : GRAZE_REASON_NONE;
    result->toi = found->stopped ? 0 : found->has_pair ? limit->toi : r->narrow.t_max;
    result->toi_upper = found->has_pair ? limit->toi_upper : INFINITY;
    result->has_pair = found->has_pair;
    if (found->has_pair) result->limiting = found->best;
    for (int kind = 0; kind < 4; kind++) {
        result->candidates[kind] = counted ? found->candidates[kind] : GRAZE_NOT_COUNTED;
        result->hits[kind] = counted ? found->hits[kind] : GRAZE_NOT_COUNTED;
    }
}

/* The ids of the edges of the pair that limits the step. */
static graze_status name_edges(run *r) {
    graze_mpi_pair_result *best = &r->found.best;
    const uint64_t *v = best->vertices;
    bool two = best->pair.kind == GRAZE_EE;
    uint64_t ids[2], edges[2][2] = {{two ? v[0] : v[1], two ? v[1] : v[2]}, {two ? v[2] : v[1], two ? v[3] : v[2]}};
    if (!r->found.has_pair || (!two && best->pair.kind != GRAZE_PE)) return GRAZE_OK;
    graze_status status = gz_edge_ids_count(r->ranks, r->dealt, (const uint64_t(*)[2])edges, ids);
    if (two) best->pair.a = ids[0];
    best->pair.b = ids[1];
    return status;
}

/* What takes about as long as a vertex, edge or face with its boxes. Only mode all counts them; in others what a rank
   holds and what crosses is most of the work. */
#define CANDIDATES_OF_WORK 5.0
#define WORK_OF_A_HIT 9.0

static double work_of(const run *r) {
    const gz_piece *piece = &r->dealt->piece;
    double work = (double)piece->vertex_count + piece->edge_count + piece->face_count + (double)r->result->crossing;
    for (int kind = 0; kind < 4; kind++)
        work += (double)r->found.candidates[kind] / CANDIDATES_OF_WORK + WORK_OF_A_HIT * (double)r->found.hits[kind];
    return work;
}

static graze_status find(run *r, const gz_asked *asked) {
    graze_mpi_result *result = r->result;
    if (r->options.mode == GRAZE_STEP_VERTICES) return find_times(r, asked);
    bool all = r->options.mode == GRAZE_STEP_ALL;
    graze_status status = all ? find_list(r, search_results) : find_earliest(r);
    if (all) {
        status = spread_rows(r, status, sizeof *result->pairs, (void **)&result->pairs, &result->pair_count,
                             &result->pair_first, &result->pair_total);
        if (status != GRAZE_OK) return status;
    }
    r->found.work = work_of(r);
    return gz_found_reduce(r->ranks, status, &r->found, &result->imbalance);
}

static run open_run(gz_ranks *ranks, const gz_asked *asked, gz_dealt *dealt, graze_mpi_result *result) {
    return (run){.ranks = ranks,
                 .context = ranks->context,
                 .dealt = dealt,
                 .options = asked->options,
                 .narrow = asked->narrow,
                 .result = result,
                 .hold = {.context = ranks->context}};
}

static void fill_in(const run *r, double start, double dealt_at) {
    graze_mpi_result *result = r->result;
    result->rank = r->ranks->rank;
    result->ranks = r->ranks->count;
    result->vertex_total = r->dealt->vertex_total;
    result->edge_total = r->dealt->edge_total;
    result->face_total = r->dealt->face_total;
    result->codim_edge_total = r->dealt->codim_edge_total;
    result->point_total = r->dealt->point_total;
    result->messages = r->ranks->messages;
    result->bytes = r->ranks->bytes;
    result->collectives = r->ranks->collectives;
    result->gathered = r->ranks->gathered;
    result->ms_deal = 1e3 * (dealt_at - start);
    result->ms_total = 1e3 * (gz_seconds() - start);
    result->ms_exchange = result->ms_total - result->ms_deal - result->ms_search;
}

graze_status gz_mpi_run(gz_ranks *ranks, graze_status mine, const gz_asked *asked, gz_dealt *dealt,
                        graze_mpi_result *result) {
    double start = gz_seconds();
    graze_status status = gz_asked_deal(ranks, mine, asked, dealt);
    double dealt_at = gz_seconds();
    if (status != GRAZE_OK) return status;
    run r = open_run(ranks, asked, dealt, result);
    status = find(&r, asked);
    result->ms_search = 1e3 * r.found.seconds;
    if (status == GRAZE_OK && r.found.cancelled)
        give_up(&r);
    else if (status == GRAZE_OK && (status = name_edges(&r)) == GRAZE_OK)
        conclude(&r);
    dealt->work += r.found.work;
    dealt->behind += r.found.behind;
    drop_rows(&r, sizeof(graze_mpi_pair_result));
    gz_hold_free(&r.hold);
    fill_in(&r, start, dealt_at);
    return status;
}

graze_status gz_mpi_list(gz_ranks *ranks, graze_status mine, const gz_asked *asked, gz_dealt *dealt,
                         graze_mpi_pair **pairs, size_t *count, uint64_t *first) {
    uint64_t total;
    graze_mpi_result result = {0};
    graze_status status = gz_asked_deal(ranks, mine, asked, dealt);
    if (status != GRAZE_OK) return status;
    run r = open_run(ranks, asked, dealt, &result);
    status = find_list(&r, search_candidates);
    status = spread_rows(&r, status, sizeof **pairs, (void **)pairs, count, first, &total);
    gz_hold_free(&r.hold);
    return status;
}

/* ---- intersections at the start ---- */

static graze_status intersect(run *r, const gz_piece *piece, gz_pair_list *list) {
    graze_step_options options = r->options;
    options.narrow = &r->narrow;
    return gz_intersections_run(r->context, &piece->mesh, (const double(*)[3])piece->x0, &options, list);
}

/* Those of the piece, then those of what crosses that are this rank's. */
static graze_status count_intersections(run *r, uint64_t *count) {
    gz_halo halo;
    gz_pair_list own = {0}, crossing = {0};
    gz_window at_rest = {.t = 1, .at_start = true};
    graze_status status = gz_ranks_agree(r->ranks, intersect(r, &r->dealt->piece, &own));
    *count = own.count;
    gz_list_release(r->context, &own);
    if (status != GRAZE_OK) return status;
    status = gz_halo_open(r->ranks, r->dealt, &at_rest, &halo);
    change_kept(r);
    if (status == GRAZE_OK && halo.crossing) status = intersect(r, &halo.cross, &crossing);
    change_kept(r);
    for (size_t i = 0; i < crossing.count; i++)
        *count += gz_halo_has_faces(&halo, crossing.pairs[i].a, crossing.pairs[i].b);
    gz_list_release(r->context, &crossing);
    gz_halo_free(&halo);
    return status;
}

graze_status gz_mpi_intersections(gz_ranks *ranks, graze_status mine, const gz_asked *asked, gz_dealt *dealt,
                                  uint64_t *count) {
    graze_mpi_result result = {0};
    uint64_t first, counted = 0;
    graze_status status = gz_asked_deal(ranks, mine, asked, dealt);
    if (status != GRAZE_OK) return status;
    run r = open_run(ranks, asked, dealt, &result);
    status = count_intersections(&r, &counted);
    status = gz_spread_first(ranks, status, &r.hold, counted, &first, count);
    gz_hold_free(&r.hold);
    return status;
}
