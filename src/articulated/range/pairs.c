/* Pairs of links over their ranges: a pose that touches is looked for first, then cells are cut, in rounds that go
   deeper and deeper, so that no pair takes the time of all and no corner of a range that of the rest. */
#include "articulated/door.h"
#include "articulated/inside.h"
#include "articulated/range/hunt.h"
#include "articulated/range/job.h"

#include <math.h>
#include <string.h>

#define EIGHTHS 8 /* logarithms to the base 2 are counted in them */
enum {
    FIRST_BITS = 8,        /* the first round goes to 2^-8 of the range */
    MOST_MORE_BITS = 12,   /* that a round goes deeper than the one before */
    GROWTH = 6 * EIGHTHS,  /* of the cells from round to round, about */
    RESERVE = EIGHTHS / 2, /* of max_cells, for a guess that is too low */
    MOST_WRITTEN = 1 << 13 /* cells of a proof that leaves something open: a checker's work is bounded */
};

/* ---- poses ---- */

static double middle_of(double lower, double upper) { return fmin(fmax(lower + 0.5 * (upper - lower), lower), upper); }

double gz_range_middle(const graze_joint_range *range) { return middle_of(range->lower, range->upper); }

void gz_range_follow(const gz_range_job *job, double *values) {
    for (size_t i = 0; i < job->values; i++)
        if (job->ranges[i].follows >= 0)
            values[i] = job->ranges[i].multiplier * values[job->ranges[i].follows] + job->ranges[i].offset;
}

/* All values: those between the links from a point of their cell, the others as they stand. */
static void pose_of(const gz_range_job *job, const gz_range_links *links, const double *point, double *values) {
    memcpy(values, job->stand, job->values * sizeof *values);
    for (int v = 0; v < links->variables; v++) values[links->values[v]] = point[v];
    gz_range_follow(job, values);
}

/* Solids that overlap while their faces meet in one plane, as boxes of fingers do: no two triangles cross for certain.
 */
static bool overlap(gz_range_worker *worker, const gz_range_links *links) {
    gz_link_pair pair = {.a = links->a, .b = links->b};
    gz_middle middle;
    uint64_t checks = 0;
    gz_frames_window(&worker->search.narrow, 0, 0);
    return gz_middle_inside(&worker->search.narrow, &pair, &middle, &checks);
}

graze_verdict gz_range_ask(const gz_range_job *job, gz_range_worker *worker, const gz_range_links *links,
                           const double *values) {
    size_t all = job->scene.count;
    graze_articulated_options options = graze_default_articulated_options();
    options.mode = GRAZE_ARTICULATED_ANY;
    options.min_separation = job->options.min_separation;
    options.check_inside = 1;
    options.link_pairs = worker->table;
    for (size_t m = 0; m < job->count; m++) {
        worker->motions[m] = graze_default_motion();
        worker->motions[m].from = worker->motions[m].to = values + job->first_value[m];
    }
    worker->table[links->a * all + links->b] = worker->table[links->b * all + links->a] = 1;
    graze_articulated_result found = graze_default_articulated_result();
    graze_articulated_options read;
    graze_status status = gz_articulated_options_read(job->context, &options, &read);
    if (status == GRAZE_OK) status = gz_search_reopen(&worker->search, job->context, job->models, job->count, &read);
    if (status == GRAZE_OK) status = gz_articulated_solve(&worker->search, gz_motions_from(worker->motions, 0), &found);
    worker->table[links->a * all + links->b] = worker->table[links->b * all + links->a] = 0;
    if (status != GRAZE_OK) worker->status = status;
    bool proven = found.verdict != GRAZE_HIT || found.contact.proven || found.contact.inside;
    if (status == GRAZE_OK && proven && found.verdict != GRAZE_UNRESOLVED) return found.verdict;
    return status == GRAZE_OK && overlap(worker, links) ? GRAZE_HIT : GRAZE_UNRESOLVED;
}

/* ---- the joints between two links ---- */

static int variable_of(const gz_range_job *job, gz_range_links *links, size_t value) {
    if (job->ranges[value].lower == job->ranges[value].upper) return -1;
    for (int v = 0; v < links->variables; v++)
        if (links->values[v] == value) return v;
    if (links->variables == GZ_MOST_VARIABLES) return -2;
    links->values[links->variables] = value;
    return links->variables++;
}

static bool add_joint(const gz_range_job *job, gz_range_links *links, int side, uint32_t link) {
    const gz_scene_link *at = gz_scene_at(&job->scene, link);
    size_t first = job->first_value[at->model];
    gz_range_joint joint = {.link = link, .variable = -1, .multiplier = 1, .stand = job->stand + first};
    if (gz_joint_values(at->link->joint) == 1) {
        size_t value = first + at->link->first_value;
        const graze_joint_range *range = &job->ranges[value];
        if (range->follows >= 0) {
            joint.follows = true;
            joint.multiplier = range->multiplier;
            joint.offset = range->offset;
            value = (size_t)range->follows;
        }
        joint.variable = variable_of(job, links, value);
    }
    if (joint.variable == -2 || links->joint_count[side] == GZ_MOST_JOINTS) return false;
    links->joints[side][links->joint_count[side]++] = joint;
    return true;
}

/* False with more joints than there is room for. */
static bool find_joints(const gz_range_job *job, gz_range_links *links) {
    int32_t ancestor = gz_scene_ancestor(&job->scene, links->a, links->b);
    for (int side = 0; side < 2; side++) {
        for (int32_t i = (int32_t)(side ? links->b : links->a); i != ancestor;
             i = gz_scene_at(&job->scene, (uint32_t)i)->parent)
            if (!add_joint(job, links, side, (uint32_t)i)) return false;
        size_t count = links->joint_count[side];
        for (size_t k = 0; k < count / 2; k++) { /* from the top down */
            gz_range_joint kept = links->joints[side][k];
            links->joints[side][k] = links->joints[side][count - 1 - k];
            links->joints[side][count - 1 - k] = kept;
        }
    }
    return true;
}

bool gz_range_links_find(const gz_range_job *job, gz_range_worker *worker, uint32_t a, uint32_t b,
                         gz_range_links *links) {
    *links = (gz_range_links){.scene = &job->scene, .a = a, .b = b};
    memcpy(links->ends, worker->ends, sizeof links->ends);
    double paddings = gz_scene_at(&job->scene, a)->link->padding + gz_scene_at(&job->scene, b)->link->padding;
    links->contact = (job->options.min_separation + paddings) * GZ_REACH_UP;
    return find_joints(job, links);
}

/* ---- cells ---- */

/* How far the next round of a pair goes: to cells of 2^-bits of the range. */
typedef struct pair_depth {
    int bits, before; /* and how far the last one went */
    uint64_t cells;   /* of the last one; 0: there was none */
    bool over;        /* no other round follows */
} pair_depth;

typedef struct pair_search {
    const gz_range_job *job;
    gz_range_worker *worker;
    gz_range_links links;
    graze_range_pair *pair;
    double *pose;
    gz_range_proof *proof; /* NULL, or where the best one is kept */
} pair_search;

/* True when the links are proven to touch there; then the pair is settled. */
static bool settle_at(void *user, const double *point) {
    pair_search *s = user;
    pose_of(s->job, &s->links, point, s->pose);
    if (gz_range_ask(s->job, s->worker, &s->links, s->pose) != GRAZE_HIT) return false;
    s->pair->verdict = GRAZE_HIT;
    s->pair->reason = GRAZE_REASON_NONE;
    s->pair->unresolved = 0;
    s->pair->lower = s->pair->upper = NULL;
    return true;
}

/* The largest part that is left. */
static void name_cell(pair_search *s, const double *lower, const double *upper) {
    size_t values = s->job->values;
    pose_of(s->job, &s->links, lower, s->pose + values);
    pose_of(s->job, &s->links, upper, s->pose + 2 * values);
    s->pair->lower = s->pose + values;
    s->pair->upper = s->pose + 2 * values;
}

/* The pose in the middle of that part. */
static void stand_in_cell(pair_search *s) {
    double middle[GZ_MOST_VARIABLES];
    for (int v = 0; v < s->links.variables; v++)
        middle[v] = middle_of(s->pair->lower[s->links.values[v]], s->pair->upper[s->links.values[v]]);
    pose_of(s->job, &s->links, middle, s->pose);
}

static void limits_of(const pair_search *s, double *lower, double *upper) {
    for (int v = 0; v < s->links.variables; v++) {
        lower[v] = s->job->ranges[s->links.values[v]].lower;
        upper[v] = s->job->ranges[s->links.values[v]].upper;
    }
}

/* Keeps what a round proved where that is more than was proven before; for the certificate only what may be written. */
static void keep_proof(pair_search *s, gz_range_proof *found) {
    graze_range_pair *pair = s->pair;
    bool better = found->open < pair->unresolved;
    if (better || pair->unresolved == 1) pair->cells = found->cells;
    if (better) {
        pair->unresolved = found->open;
        if (found->open > 0) name_cell(s, found->lower, found->upper);
    }
    if (s->proof && found->open < s->proof->open && (found->open == 0 || found->cells <= MOST_WRITTEN)) {
        gz_range_proof before = *s->proof;
        *s->proof = *found;
        *found = before;
    }
    gz_proof_release(s->job->context, &found->proof);
}

/* log2 x for x ≥ 1, in eighths, rounded down: by products alone, the same on all machines. */
static int eighths_of(double x) {
    int exponent, eighths;
    double rest = 2 * frexp(x, &exponent);
    eighths = EIGHTHS * (exponent - 1);
    for (int step = EIGHTHS / 2; step; step /= 2) {
        rest *= rest;
        if (rest < 2) continue;
        rest /= 2;
        eighths += step;
    }
    return eighths;
}

/* With room for every cell down to this share of the range. */
static pair_depth first_depth(const graze_range_options *options) {
    pair_depth depth = {.bits = FIRST_BITS};
    while (depth.bits > 0 && ((uint64_t)2 << depth.bits) - 1 > options->max_cells) depth.bits--;
    return depth;
}

/* The next round is to take some times as many cells, as the last ones grew, and no more than there may be: one that
   ends early knows nothing of the last corners of the range. After one of these comes one that goes half as far. */
static void go_deeper(const graze_range_options *options, uint64_t cells, pair_depth *depth) {
    if (cells >= options->max_cells && depth->cells && depth->bits - depth->before > 1) {
        depth->bits = (depth->bits + depth->before) / 2;
        return;
    }
    int now = eighths_of((double)cells), before = depth->cells ? eighths_of((double)depth->cells) : 0;
    int grown = now - before, bits = depth->bits - depth->before;
    int room = eighths_of((double)options->max_cells) - RESERVE - now, wanted = room < GROWTH ? room : GROWTH;
    int more = wanted > 0 ? wanted * (bits > 0 ? bits : 1) / (grown > 0 ? grown : 1) : 0;
    depth->over = more < 1 || cells >= options->max_cells || ldexp(1, -depth->bits) <= options->least_share;
    depth->before = depth->bits;
    depth->cells = cells;
    depth->bits += more < MOST_MORE_BITS ? more : MOST_MORE_BITS;
}

/* True if the pair is settled, or all that can be said of it is. */
static bool search_cells(pair_search *s, pair_depth *depth) {
    double lower[GZ_MOST_VARIABLES], upper[GZ_MOST_VARIABLES];
    limits_of(s, lower, upper);
    const graze_range_options *options = &s->job->options;
    double share = fmax(ldexp(1, -depth->bits), options->least_share);
    gz_range_search search = {lower, upper, options->max_cells, share, s->job->write, settle_at, s};
    if (!depth->cells && gz_range_hunt(s->job->context, &s->links, &search, options->samples)) return true;
    gz_range_proof found = {0};
    gz_range_prove(s->job->context, &s->links, &search, &found);
    if (found.failed) s->worker->status = GRAZE_ERR_OUT_OF_MEMORY;
    if (found.touched) s->pair->cells = found.cells;
    if (found.touched || found.failed) {
        gz_proof_release(s->job->context, &found.proof);
        return true;
    }
    s->pair->reason = found.cancelled ? GRAZE_REASON_CANCELLED : GRAZE_REASON_BUDGET;
    go_deeper(options, found.cells, depth);
    keep_proof(s, &found);
    return s->pair->unresolved == 0;
}

/* ---- rounds ---- */

/* No surfaces meet anywhere: then one pose says whether one link is inside the other everywhere. */
static void settle_clear(pair_search *s) {
    double lower[GZ_MOST_VARIABLES], upper[GZ_MOST_VARIABLES];
    limits_of(s, lower, upper);
    name_cell(s, lower, upper);
    stand_in_cell(s);
    s->pair->verdict = gz_range_ask(s->job, s->worker, &s->links, s->pose);
    s->pair->reason = s->pair->verdict == GRAZE_UNRESOLVED ? GRAZE_REASON_PRECISION : GRAZE_REASON_NONE;
    s->pair->unresolved = s->pair->verdict == GRAZE_UNRESOLVED;
    if (s->pair->verdict != GRAZE_UNRESOLVED) s->pair->lower = s->pair->upper = NULL;
}

/* The first round finds the numbers of the scene in place of those of models. */
static void open_pair(pair_search *s) {
    graze_range_pair *pair = s->pair;
    double lower[GZ_MOST_VARIABLES], upper[GZ_MOST_VARIABLES];
    const gz_scene_link *a = gz_scene_at(&s->job->scene, s->links.a), *b = gz_scene_at(&s->job->scene, s->links.b);
    *pair = (graze_range_pair){.model_a = a->model,
                               .link_a = a->index,
                               .model_b = b->model,
                               .link_b = b->index,
                               .verdict = GRAZE_UNRESOLVED,
                               .reason = GRAZE_REASON_BUDGET,
                               .unresolved = 1,
                               .pose = s->pose};
    limits_of(s, lower, upper);
    name_cell(s, lower, upper);
    stand_in_cell(s);
}

typedef struct round_job {
    const gz_range_job *job;
    gz_link_pair *links; /* of the scene */
    pair_depth *depths;
    bool first;
} round_job;

static void search_pair(const round_job *round, gz_range_worker *worker, size_t index) {
    const gz_range_job *job = round->job;
    graze_range_pair *pair = &job->pairs[index];
    pair_search s = {.job = job, .worker = worker, .pair = pair};
    s.pose = job->poses + index * GZ_RANGE_POSES * job->values;
    s.proof = job->proofs ? &job->proofs[index] : NULL;
    bool fits = gz_range_links_find(job, worker, round->links[index].a, round->links[index].b, &s.links);
    if (round->first) open_pair(&s);
    round->depths[index].over = round->depths[index].over || !fits;
    if (!fits) return;
    if (gz_cancelled(job->context)) {
        pair->reason = GRAZE_REASON_CANCELLED;
        round->depths[index].over = true;
        return;
    }
    bool settled = search_cells(&s, &round->depths[index]);
    if (pair->verdict == GRAZE_UNRESOLVED && settled && worker->status == GRAZE_OK) settle_clear(&s);
    if (pair->verdict == GRAZE_UNRESOLVED) stand_in_cell(&s);
    if (settled) round->depths[index].over = true;
}

static void search_pairs(void *state, size_t begin, size_t end, uint32_t worker) {
    const round_job *round = state;
    for (size_t i = begin; i < end; i++)
        if (!round->depths[i].over) search_pair(round, &round->job->workers[worker], i);
}

static bool any_is_open(const round_job *round) {
    for (size_t i = 0; i < round->job->pair_count; i++)
        if (!round->depths[i].over) return true;
    return false;
}

graze_status gz_range_settle(gz_range_job *job) {
    round_job round = {.job = job, .first = true};
    size_t pairs = job->pair_count;
    round.links = gz_allocate_array(job->context, pairs, sizeof *round.links);
    round.depths = gz_allocate_array(job->context, pairs, sizeof *round.depths);
    graze_status status = round.links && round.depths ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < pairs && status == GRAZE_OK; i++) {
        round.links[i] = (gz_link_pair){.a = job->pairs[i].link_a, .b = job->pairs[i].link_b};
        round.depths[i] = first_depth(&job->options);
    }
    for (; status == GRAZE_OK && any_is_open(&round); round.first = false) {
        gz_parallel(job->context, pairs, 1, search_pairs, &round);
        for (uint32_t i = 0; i < job->context->threads; i++)
            if (job->workers[i].status != GRAZE_OK) status = job->workers[i].status;
    }
    gz_release(job->context, round.depths, pairs * sizeof *round.depths);
    gz_release(job->context, round.links, pairs * sizeof *round.links);
    return status;
}
