/* Questions of simulators around a step: line search, a time for each vertex, short steps, separations that are
   violated, contact at the start, static checks, candidates. Each answer is held against exact arithmetic. */
#include "bench/step/step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHECKED = 2000 }; /* pairs of one answer that exact arithmetic is asked about */

#define SHORT_STEP 0.125
#define SEPARATION 1e-3 /* of the scene's size */

/* Subject of the questions. */
typedef struct around {
    const bench_step_run *run;
    const bench_scene *scene;
    double separation;     /* violated at the start, most likely */
    double contact[2];     /* the first one lies between these */
    double (*touching)[3]; /* x0 with a vertex on another's place; NULL where there is no pair for it */
    double *vertex_toi, (*x)[3];
} around;

/* Times are those of steps; pairs are the context's. */
typedef struct answer {
    graze_step_result step;
    double alpha;
    graze_pair *pairs;
    size_t count;
} answer;

typedef struct tally {
    uint64_t checked, wrong;
} tally;

typedef graze_status ask_call(const around *a, graze_context *context, answer *out);
typedef bool check_answer(const around *a, graze_context *context, const answer *out, tally *t, io_error *error);

/* ---- the calls ---- */

static const double (*start_of(const around *a))[3] { return (const double(*)[3])a->scene->x0; }
static const double (*end_of(const around *a))[3] { return (const double(*)[3])a->scene->x1; }

static graze_status ask_step(const around *a, graze_context *context, const double (*x0)[3], graze_step_mode mode,
                             double separation, double t_max, answer *out) {
    graze_options narrow = graze_default_options();
    graze_step_options options = graze_default_step_options();
    narrow.min_separation = separation;
    narrow.t_max = t_max;
    options.narrow = &narrow;
    options.mode = mode;
    options.vertex_toi = a->vertex_toi;
    return graze_step(context, &a->scene->mesh, x0, end_of(a), &options, &out->step);
}

static graze_status ask_vertices(const around *a, graze_context *context, answer *out) {
    return ask_step(a, context, start_of(a), GRAZE_STEP_VERTICES, 0, 1, out);
}

static graze_status ask_short(const around *a, graze_context *context, answer *out) {
    return ask_step(a, context, start_of(a), GRAZE_STEP_EARLIEST, 0, SHORT_STEP, out);
}

static graze_status ask_separated(const around *a, graze_context *context, answer *out) {
    return ask_step(a, context, start_of(a), GRAZE_STEP_EARLIEST, a->separation, 1, out);
}

static graze_status ask_touching(const around *a, graze_context *context, answer *out) {
    return ask_step(a, context, (const double(*)[3])a->touching, GRAZE_STEP_EARLIEST, 0, 1, out);
}

static graze_status ask_line_search(const around *a, graze_context *context, answer *out) {
    graze_line_search_options options = graze_default_line_search_options();
    graze_line_search_result result = graze_default_line_search_result();
    options.x = a->x;
    graze_status status =
        graze_line_search(context, &a->scene->mesh, start_of(a), end_of(a), NULL, NULL, &options, &result);
    out->alpha = result.alpha;
    return status;
}

static graze_status ask_intersections(const around *a, graze_context *context, answer *out) {
    return graze_static_intersections(context, &a->scene->mesh, start_of(a), NULL, &out->pairs, &out->count);
}

static graze_status ask_violations(const around *a, graze_context *context, answer *out) {
    graze_options narrow = graze_default_options();
    graze_step_options options = graze_default_step_options();
    narrow.min_separation = a->separation;
    options.narrow = &narrow;
    return graze_start_violations(context, &a->scene->mesh, start_of(a), &options, &out->pairs, &out->count);
}

static graze_status ask_candidates(const around *a, graze_context *context, answer *out) {
    return graze_candidates(context, &a->scene->mesh, start_of(a), end_of(a), NULL, &out->pairs, &out->count);
}

/* ---- held against exact arithmetic ---- */

static int order_of(const graze_pair *x, const graze_pair *y) {
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return x->b != y->b ? (x->b < y->b ? -1 : 1) : 0;
}

static int compare_pairs(const void *x, const void *y) { return order_of(x, y); }

static bool is_listed(const answer *out, const graze_pair *pair) {
    return out->count && bsearch(pair, out->pairs, out->count, sizeof *pair, compare_pairs) != NULL;
}

/* True if the exact method finds the motion to `x` free. */
static bool check_motion(const around *a, graze_context *context, tally *t, io_error *error) {
    graze_options narrow = graze_default_options();
    graze_step_options options = graze_default_step_options();
    graze_step_result result = graze_default_step_result();
    narrow.method = GRAZE_METHOD_EXACT;
    options.narrow = &narrow;
    graze_status status =
        graze_step(context, &a->scene->mesh, start_of(a), (const double(*)[3])a->x, &options, &result);
    t->checked++;
    /* what touches already touches however little it moves */
    t->wrong += result.verdict == GRAZE_HIT && !(a->contact[0] == 0 && result.toi == 0);
    return status == GRAZE_OK || bench_call_failed(context, a->scene->name, status, error);
}

static bool check_line_search(const around *a, graze_context *context, const answer *out, tally *t, io_error *error) {
    t->checked++;
    t->wrong += out->alpha > a->contact[1];
    return check_motion(a, context, t, error);
}

/* Every vertex all but its own way. */
static bool check_vertices(const around *a, graze_context *context, const answer *out, tally *t, io_error *error) {
    (void)out;
    for (uint32_t v = 0; v < a->scene->mesh.vertex_count; v++)
        for (int c = 0; c < 3; c++)
            a->x[v][c] = a->scene->x0[v][c] + 0.999 * a->vertex_toi[v] * (a->scene->x1[v][c] - a->scene->x0[v][c]);
    return check_motion(a, context, t, error);
}

static bool check_short(const around *a, graze_context *context, const answer *out, tally *t, io_error *error) {
    (void)context;
    (void)error;
    t->checked++;
    t->wrong += a->contact[0] < SHORT_STEP ? out->step.verdict == GRAZE_CLEAR || out->step.toi > a->contact[1]
                                           : out->step.toi > SHORT_STEP;
    return true;
}

static bool check_touching(const around *a, graze_context *context, const answer *out, tally *t, io_error *error) {
    (void)a;
    (void)context;
    (void)error;
    t->checked++;
    t->wrong += out->step.verdict == GRAZE_CLEAR || out->step.toi != 0;
    return true;
}

/* Exact truth of queries at rest; `hit` has room for them. */
static bool ask_truth(const around *a, graze_kind kind, const graze_query *queries, size_t count, double separation,
                      unsigned char *hit, io_error *error) {
    bench_truth_job job = {
        .options = graze_default_truth_options(), .kind = kind, .count = count, .queries = queries, .hit = hit};
    job.options.min_separation = separation;
    return bench_find_truths(a->run->settings, &job, "truth", error);
}

/* An even sample of the scene's candidates at rest: are those within the separation listed, and no others? */
static bool check_violations(const around *a, graze_context *context, const answer *out, tally *t, io_error *error) {
    (void)context;
    const bench_scene *scene = a->scene;
    size_t step = scene->pair_count / MOST_CHECKED + 1;
    graze_query *query = bench_allocate(1, sizeof *query);
    bool good = true;
    for (size_t i = 0; good && i < scene->pair_count && !bench_stopped(a->run->settings); i += step) {
        unsigned char hit = 0;
        bench_scene_query(scene, i, query);
        memcpy(query->x1, query->x0, sizeof query->x1);
        good = ask_truth(a, scene->pairs[i].kind, query, 1, a->separation, &hit, error);
        t->checked++;
        t->wrong += (hit != 0) != is_listed(out, &scene->pairs[i]);
    }
    free(query);
    return good;
}

/* A separation that is violated leaves no way to go. */
static bool check_separated(const around *a, graze_context *context, const answer *out, tally *t, io_error *error) {
    answer listed = {.pairs = NULL};
    graze_status status = ask_violations(a, context, &listed);
    if (status != GRAZE_OK) return bench_call_failed(context, a->scene->name, status, error);
    bool stuck = out->step.verdict != GRAZE_CLEAR && out->step.toi == 0;
    t->checked++;
    t->wrong += listed.count ? !stuck || !is_listed(&listed, &out->step.limiting.pair) : stuck;
    graze_pairs_release(context, listed.pairs, listed.count);
    return true;
}

/* True if a side of one face meets the other, by a point that moves along it. */
static bool faces_meet(const around *a, uint32_t f, uint32_t g, bool *meet, io_error *error) {
    graze_query queries[6];
    unsigned char hit[6] = {0};
    for (int k = 0; k < 6; k++) {
        const uint32_t *side = a->scene->faces[k < 3 ? f : g], *face = a->scene->faces[k < 3 ? g : f];
        memcpy(queries[k].x0[0], a->scene->x0[side[k % 3]], sizeof queries[k].x0[0]);
        memcpy(queries[k].x1[0], a->scene->x0[side[(k + 1) % 3]], sizeof queries[k].x1[0]);
        for (int i = 0; i < 3; i++) {
            memcpy(queries[k].x0[i + 1], a->scene->x0[face[i]], sizeof queries[k].x0[0]);
            memcpy(queries[k].x1[i + 1], a->scene->x0[face[i]], sizeof queries[k].x1[0]);
        }
    }
    bool good = ask_truth(a, GRAZE_VF, queries, 6, 0, hit, error);
    *meet = hit[0] | hit[1] | hit[2] | hit[3] | hit[4] | hit[5];
    return good;
}

/* The faces that are listed meet, and so do no faces beside them: those next in the list of all. */
static bool check_intersections(const around *a, graze_context *context, const answer *out, tally *t, io_error *error) {
    (void)context;
    size_t step = out->count / (MOST_CHECKED / 8) + 1;
    bool good = true;
    for (size_t i = 0; good && i < out->count && !bench_stopped(a->run->settings); i += step)
        for (uint32_t aside = 0; good && aside < 2; aside++) {
            graze_pair pair = {(graze_kind)0, out->pairs[i].a, out->pairs[i].b + aside};
            if (pair.b >= a->scene->mesh.face_count) continue;
            bool meet = false, shared = false;
            for (int k = 0; k < 9; k++) shared |= a->scene->faces[pair.a][k / 3] == a->scene->faces[pair.b][k % 3];
            if (shared) continue;
            good = faces_meet(a, pair.a, pair.b, &meet, error);
            t->checked++;
            t->wrong += meet != is_listed(out, &pair);
        }
    return good;
}

static bool check_candidates(const around *a, graze_context *context, const answer *out, tally *t, io_error *error) {
    (void)context;
    (void)error;
    for (size_t i = 0; i < a->scene->pair_count; i++) {
        if (!a->scene->hit[i]) continue;
        t->checked++;
        t->wrong += !is_listed(out, &a->scene->pairs[i]);
    }
    return true;
}

/* ---- the table ---- */

typedef struct question {
    const char *name;
    ask_call *ask;
    check_answer *check;
} question;

static const question questions[] = {
    {"line search", ask_line_search, check_line_search},
    {"mode vertices", ask_vertices, check_vertices},
    {"first eighth of the step", ask_short, check_short},
    {"separation violated at the start", ask_separated, check_separated},
    {"contact at the start", ask_touching, check_touching},
    {"static intersections", ask_intersections, check_intersections},
    {"start violations", ask_violations, check_violations},
    {"candidates", ask_candidates, check_candidates},
};

static const bench_column around_columns[] = {
    {"scene", "scene", NULL},
    {"call", "call", NULL},
    {"ms_fresh", "fresh context", "ms"},
    {"ms_kept", "kept context", "ms"},
    {"peak_mb", "memory", "MB"},
    {"pairs", "pairs listed", NULL},
    {"checked", "checked exactly", NULL},
    {"wrong", "wrong", NULL},
};

typedef struct timing {
    bench_times fresh, kept;
    uint64_t peak_bytes;
    size_t pairs;
    tally t;
} timing;

/* One call; its answer is checked when `t` is not NULL. */
static bool call_once(const around *a, const question *q, graze_context *context, double *seconds, timing *m, tally *t,
                      io_error *error) {
    answer out = {.step = graze_default_step_result()};
    double begin = bench_seconds();
    graze_status status = q->ask(a, context, &out);
    *seconds = bench_seconds() - begin;
    if (status != GRAZE_OK) return bench_call_failed(context, a->scene->name, status, error);
    graze_stats stats = graze_default_stats();
    if (graze_context_stats(context, &stats) == GRAZE_OK) m->peak_bytes = stats.peak_bytes;
    m->pairs = out.count;
    bool good = !t || q->check(a, context, &out, t, error);
    graze_pairs_release(context, out.pairs, out.count);
    return good;
}

/* The first call on each context is that of a fresh one, the second that of a kept one. */
static bool time_question(const around *a, const question *q, timing *m, io_error *error) {
    const bench_step_run *run = a->run;
    bool good = true;
    *m = (timing){.pairs = 0};
    while (good && bench_times_more(&m->fresh, run->repeat, run->budget / 2) && !bench_stopped(run->settings)) {
        graze_context *context = bench_context(run->settings, run->threads, 0, error);
        double fresh, kept;
        good = context != NULL && call_once(a, q, context, &fresh, m, NULL, error) &&
               call_once(a, q, context, &kept, m, m->fresh.count ? NULL : &m->t, error);
        if (good) bench_times_add(&m->fresh, fresh);
        if (good) bench_times_add(&m->kept, kept);
        graze_context_destroy(context);
    }
    return good;
}

static bool add_questions(const around *a, bench_table *table, io_error *error) {
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        const question *q = &questions[i];
        timing m;
        if (q->ask == ask_touching && !a->touching) continue;
        if (!time_question(a, q, &m, error)) return false;
        if (bench_stopped(a->run->settings)) return true;
        bench_cell *row = bench_add_row(table);
        row[0] = bench_text("%s", a->scene->name);
        row[1] = bench_text("%s", q->name);
        row[2] = bench_number(1e3 * bench_times_least(&m.fresh));
        row[3] = bench_number(1e3 * bench_times_least(&m.kept));
        row[4] = bench_number((double)m.peak_bytes / 1e6);
        if (q->ask == ask_intersections || q->ask == ask_violations || q->ask == ask_candidates)
            row[5] = bench_count(m.pairs);
        row[6] = bench_count(m.t.checked);
        row[7] = bench_count(m.t.wrong);
    }
    return true;
}

/* ---- scenes ---- */

static double size_of(const bench_scene *scene) {
    double size = 0;
    for (int c = 0; c < 3; c++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t v = 0; v < scene->mesh.vertex_count; v++) {
            low = fmin(low, scene->x0[v][c]);
            high = fmax(high, scene->x0[v][c]);
        }
        size = fmax(size, high - low);
    }
    return size;
}

/* The vertex of the first pair of vertex and face goes to a corner of that face. */
static double (*make_touching(const bench_scene *scene))[3] {
    if (scene->pair_count == 0 || scene->pairs[0].kind != GRAZE_VF) return NULL;
    double(*x)[3] = bench_allocate(scene->mesh.vertex_count, sizeof *x);
    memcpy(x, scene->x0, scene->mesh.vertex_count * sizeof *x);
    memcpy(x[scene->pairs[0].a], x[scene->faces[scene->pairs[0].b][0]], sizeof *x);
    return x;
}

static bool add_scene(const bench_step_run *run, bench_table *table, const bench_scene *scene, io_error *error) {
    around a = {.run = run, .scene = scene, .separation = SEPARATION * size_of(scene)};
    if (!bench_step_first_contact(run, scene, a.contact, error)) return false;
    a.touching = make_touching(scene);
    a.vertex_toi = bench_allocate(scene->mesh.vertex_count, sizeof *a.vertex_toi);
    a.x = bench_allocate(scene->mesh.vertex_count, sizeof *a.x);
    bool good = add_questions(&a, table, error);
    free(a.touching);
    free(a.vertex_toi);
    free(a.x);
    return good;
}

bool bench_step_around(bench_step_run *run, io_error *error) {
    char note[600];
    snprintf(
        note, sizeof note,
        "Wall times of one call, %u threads, least of the repeats: on a fresh context, and once more on the same one. "
        "The "
        "separation is %g of the scene's size; contact at the start: a vertex lies on a corner of a face. What is "
        "checked, "
        "by exact arithmetic: the motion that a line search and mode vertices leave is free; steps neither miss the "
        "first "
        "contact nor end after it; up to %d pairs of a list are as listed; no contact is missing among the candidates.",
        run->threads, SEPARATION, MOST_CHECKED);
    bench_add_heading(run->report, "Around a step");
    bench_table *table = bench_add_table(run->report, "step-around", "What is asked around a step", note,
                                         around_columns, sizeof around_columns / sizeof *around_columns);
    for (size_t s = 0; s < run->data.scene_count && !bench_stopped(run->settings); s++) {
        bench_progress(run->settings, run->data.scenes[s].name, 0.25 + 0.1 * (double)s / (double)run->data.scene_count);
        if (!add_scene(run, table, &run->data.scenes[s], error)) return false;
    }
    return true;
}
