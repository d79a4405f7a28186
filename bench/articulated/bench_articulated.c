/* graze bench articulated: the motions of seed 002's tables on examples of our own, and the edges of a planner. */
#include "bench/articulated/bench_rigid.h"
#include "bench/articulated/robots.h"
#include "bench/suite.h"

#include "scenes/articulated.h"

#include "articulated/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- an example, ready to run ---- */

typedef struct example {
    scene_articulated *scene;
    graze_context *context;
    graze_model *models[SCENE_MOST_MODELS];
    double values[2][SCENE_MOST_MODELS][SCENE_MOST_VALUES]; /* at the start and end of a frame */
    graze_motion motions[SCENE_MOST_MODELS];
} example;

static bool failed(io_error *error, const example *e, const char *what) {
    graze_error last = {0};
    if (e->context) graze_context_last_error(e->context, &last);
    return io_fail(error, what, 0, "%s", last.message[0] ? last.message : "out of memory");
}

static bool open_example(example *e, const bench_settings *settings, const char *name, io_error *error) {
    memset(e, 0, sizeof *e);
    e->scene = scene_articulated_make(name);
    e->context = bench_context(settings, 1, 0, error);
    if (!e->context) return false;
    if (!e->scene) return failed(error, e, name);
    for (size_t i = 0; i < e->scene->count; i++) {
        const scene_machine *machine = &e->scene->machines[i];
        if (graze_model_create(e->context, machine->links, machine->count, &e->models[i]) != GRAZE_OK)
            return failed(error, e, name);
    }
    return true;
}

static void close_example(example *e) {
    for (size_t i = 0; e->scene && i < e->scene->count; i++) graze_model_destroy(e->context, e->models[i]);
    graze_context_destroy(e->context);
    scene_articulated_free(e->scene);
}

static void set_frame(example *e, uint32_t frame) {
    for (size_t i = 0; i < e->scene->count; i++) {
        for (uint32_t end = 0; end < 2; end++) {
            memset(e->values[end][i], 0, sizeof e->values[end][i]);
            e->scene->pose(e->scene, frame + end, i, e->values[end][i]);
        }
        e->motions[i] = graze_default_motion();
        e->motions[i].from = e->values[0][i];
        e->motions[i].to = e->values[1][i];
    }
}

static bool solve(example *e, const graze_articulated_options *options, uint64_t repeat,
                  graze_articulated_result *result, double *seconds, io_error *error) {
    *seconds = INFINITY;
    for (uint64_t i = 0; i < repeat; i++) {
        *result = graze_default_articulated_result();
        double begin = bench_cpu_seconds();
        graze_status status = graze_articulated_step(e->context, (const graze_model *const *)e->models, e->scene->count,
                                                     e->motions, options, result);
        *seconds = fmin(*seconds, bench_cpu_seconds() - begin);
        if (status != GRAZE_OK) return failed(error, e, e->scene->name);
    }
    return true;
}

/* ---- what is culled, against boxes of dense samples ---- */

enum { SAMPLES = 64 };

typedef struct box_count {
    gz_search *search;
    uint64_t pairs;
} box_count;

static bool count_pair(void *user, uint32_t a, uint32_t b) {
    box_count *count = user;
    count->pairs += gz_scene_is_pair(&count->search->scene, a, b);
    return true;
}

static void join_boxes(gz_link_box *all, const gz_link_box *more) {
    for (int c = 0; c < 3; c++) {
        all->lo[c] = fmin(all->lo[c], more->lo[c]);
        all->hi[c] = fmax(all->hi[c], more->hi[c]);
    }
}

/* Pairs of links whose boxes, sampled densely over the motion, meet: no sound box can leave out more. */
static uint64_t sampled_pairs(example *e) {
    gz_search search;
    graze_articulated_options options = graze_default_articulated_options();
    uint64_t pairs = GRAZE_NOT_COUNTED;
    graze_status status =
        gz_search_open(&search, e->context, (const graze_model *const *)e->models, e->scene->count, &options);
    if (status == GRAZE_OK) status = gz_scene_move(&search.scene, gz_motions_from(e->motions, 0));
    size_t links = search.scene.count;
    gz_link_box *sampled = bench_allocate(4 * links + 1, sizeof *sampled), *boxes = sampled + links,
                *tree = boxes + links;
    if (status == GRAZE_OK) {
        for (int k = 0; k <= SAMPLES; k++) {
            gz_cull_boxes_at(&search.wide, (double)k / SAMPLES, 0, boxes);
            for (size_t i = 0; i < links; i++) k ? join_boxes(&sampled[i], &boxes[i]) : (void)(sampled[i] = boxes[i]);
        }
        box_count count = {&search, 0};
        gz_cull_pairs(sampled, links, tree, count_pair, &count);
        pairs = count.pairs;
    }
    free(sampled);
    gz_search_close(&search);
    return pairs;
}

/* ---- tables 1 and 2 ---- */

static const bench_column time_columns[] = {
    {"example", "example", NULL},
    {"triangles", "triangles", NULL},
    {"mode", "mode", NULL},
    {"frames", "motions", NULL},
    {"hits", "colliding", NULL},
    {"proven", "of these proven", NULL},
    {"unresolved", "unresolved", NULL},
    {"ms_mean", "mean", "ms"},
    {"ms_free", "mean, free", "ms"},
    {"ms_hit", "mean, colliding", "ms"},
    {"ms_worst", "worst", "ms"},
    {"ms_paper", "mean in the paper (Pentium 4)", "ms"},
};

static const bench_column cull_columns[] = {
    {"example", "example", NULL},
    {"tested", "pairs of links", NULL},
    {"sampled", "whose sampled boxes meet", NULL},
    {"near", "after spatial culling", NULL},
    {"near_intervals", "by interval arithmetic", NULL},
    {"close", "after temporal culling", NULL},
    {"rate_spatial", "culled in space", "%"},
    {"rate_temporal", "culled in time", "%"},
};

typedef struct sums {
    uint64_t frames, hits, proven, unresolved;
    double total, free, hit, worst;
    double tested, sampled, near, near_intervals, close;
} sums;

static double paper_mean(const char *name) {
    static const struct {
        const char *name;
        double ms;
    } paper[] = {{"walk", 1.22},        {"exercise", 0.38},   {"excavator-drive", 780}, {"excavator-load", 100},
                 {"crane-swing", 5.66}, {"crane-drop", 15.1}, {"four-trains", 535},     {"falling-train", 274}};
    for (size_t i = 0; i < sizeof paper / sizeof *paper; i++)
        if (strcmp(name, paper[i].name) == 0) return paper[i].ms;
    return NAN;
}

static bool run_frame(example *e, uint64_t repeat, bool count_boxes, sums *s, io_error *error) {
    graze_articulated_options options = graze_default_articulated_options();
    graze_articulated_result r, boxes, flat;
    double seconds, ignored;
    options.mode = e->scene->any ? GRAZE_ARTICULATED_ANY : GRAZE_ARTICULATED_EARLIEST;
    if (!solve(e, &options, repeat, &r, &seconds, error)) return false;
    options.mode = GRAZE_ARTICULATED_EARLIEST; /* boxes of the whole motion */
    if (!solve(e, &options, 1, &boxes, &ignored, error)) return false;
    options.interval_arithmetic = 1;
    if (!solve(e, &options, 1, &flat, &ignored, error)) return false;
    bool hit = r.verdict != GRAZE_CLEAR;
    s->frames++;
    s->hits += hit;
    s->proven += hit && r.contact.proven;
    s->unresolved += r.verdict == GRAZE_UNRESOLVED;
    s->total += seconds;
    *(hit ? &s->hit : &s->free) += seconds;
    s->worst = fmax(s->worst, seconds);
    s->tested += (double)boxes.pairs_tested;
    s->near += (double)boxes.pairs_near;
    s->near_intervals += (double)flat.pairs_near;
    s->close += (double)boxes.pairs_close;
    if (count_boxes) s->sampled += (double)sampled_pairs(e);
    return true;
}

static void add_rows(const example *e, const sums *s, bench_table *times, bench_table *culling) {
    double n = (double)s->frames;
    bench_cell *row = bench_add_row(times);
    row[0] = bench_text("%s", e->scene->name);
    row[1] = bench_count(e->scene->triangles);
    row[2] = bench_text("%s", e->scene->any ? "any" : "earliest");
    row[3] = bench_count(s->frames);
    row[4] = bench_count(s->hits);
    row[5] = bench_count(s->proven);
    row[6] = bench_count(s->unresolved);
    row[7] = bench_number(1e3 * s->total / n);
    row[8] = bench_number(s->hits < s->frames ? 1e3 * s->free / (double)(s->frames - s->hits) : NAN);
    row[9] = bench_number(s->hits ? 1e3 * s->hit / (double)s->hits : NAN);
    row[10] = bench_number(1e3 * s->worst);
    row[11] = bench_number(paper_mean(e->scene->name));
    row = bench_add_row(culling);
    row[0] = bench_text("%s", e->scene->name);
    row[1] = bench_number(s->tested / n);
    row[2] = bench_number(s->sampled / n);
    row[3] = bench_number(s->near / n);
    row[4] = bench_number(s->near_intervals / n);
    row[5] = bench_number(s->close / n);
    row[6] = bench_number(100 * (1 - s->near / s->tested));
    row[7] = bench_number(s->near > 0 ? 100 * (1 - s->close / s->near) : NAN);
}

static bool run_example(const bench_settings *settings, const char *name, bench_table *times, bench_table *culling,
                        io_error *error) {
    example e;
    sums s = {0};
    bool good = open_example(&e, settings, name, error);
    uint32_t step = settings->quick ? 20 : 1;
    for (uint32_t frame = 0; good && frame < e.scene->frames && !bench_stopped(settings); frame += step) {
        if (e.scene->pose == NULL) break;
        set_frame(&e, frame);
        good = run_frame(&e, settings->repeat ? settings->repeat : 3, true, &s, error);
        bench_progress(settings, name, (double)frame / e.scene->frames);
    }
    if (good && s.frames) add_rows(&e, &s, times, culling);
    close_example(&e);
    return good;
}

/* ---- the edges of a planner ---- */

static const bench_column edge_columns[] = {
    {"edges", "edges", NULL},
    {"paths", "paths", NULL},
    {"free", "free", NULL},
    {"blocked", "blocked", NULL},
    {"us_free", "median, free", "µs"},
    {"us_blocked", "median, blocked", "µs"},
    {"samples", "samples of an edge", NULL},
    {"us_sampling", "sampling, mean", "µs"},
    {"wrong", "called free by sampling though a contact is proven", NULL},
};

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *x, size_t count) {
    if (count == 0) return NAN;
    qsort(x, count, sizeof *x, ascending);
    return 1e6 * x[count / 2];
}

/* True if one of `samples` poses of the edge touches. */
static bool sampling_hits(example *e, int samples, double *seconds, bool *hit, io_error *error) {
    double from[7], to[7];
    memcpy(from, e->values[0][0], sizeof from);
    memcpy(to, e->values[1][0], sizeof to);
    graze_articulated_options options = graze_default_articulated_options();
    options.mode = GRAZE_ARTICULATED_ANY;
    bool good = true;
    *hit = false;
    for (int k = 0; k < samples && good && !*hit; k++) {
        graze_articulated_result r;
        double spent, t = (double)k / (samples - 1);
        for (int i = 0; i < 7; i++) e->values[0][0][i] = e->values[1][0][i] = from[i] + t * (to[i] - from[i]);
        good = solve(e, &options, 3, &r, &spent, error);
        *seconds += spent;
        *hit = r.verdict != GRAZE_CLEAR;
    }
    memcpy(e->values[0][0], from, sizeof from);
    memcpy(e->values[1][0], to, sizeof to);
    return good;
}

static bool run_edges(const bench_settings *settings, const char *name, uint32_t paths, int samples, bench_table *table,
                      io_error *error) {
    example e;
    bool good = open_example(&e, settings, name, error);
    double *times[2] = {bench_allocate(paths, sizeof(double)), bench_allocate(paths, sizeof(double))}, sampling = 0;
    size_t counts[2] = {0, 0}, wrong = 0;
    graze_articulated_options options = graze_default_articulated_options();
    options.mode = GRAZE_ARTICULATED_ANY;
    for (uint32_t p = 0; good && p < paths && !bench_stopped(settings); p++) {
        graze_articulated_result r;
        double seconds;
        bool sampled = false;
        set_frame(&e, 2 * p);
        good = solve(&e, &options, settings->repeat ? settings->repeat : 3, &r, &seconds, error);
        int blocked = r.verdict != GRAZE_CLEAR;
        times[blocked][counts[blocked]++] = seconds;
        good = good && sampling_hits(&e, samples, &sampling, &sampled, error);
        wrong += !sampled && blocked && r.contact.proven;
        if (p % 64 == 0) bench_progress(settings, name, (double)p / paths);
    }
    size_t all = counts[0] + counts[1];
    if (good && all) {
        bench_cell *row = bench_add_row(table);
        row[0] = bench_text("%s", name);
        row[1] = bench_count(all);
        row[2] = bench_count(counts[0]);
        row[3] = bench_count(counts[1]);
        row[4] = bench_number(median(times[0], counts[0]));
        row[5] = bench_number(median(times[1], counts[1]));
        row[6] = bench_count((uint64_t)samples);
        row[7] = bench_number(1e6 * sampling / (double)all);
        row[8] = bench_count(wrong);
    }
    free(times[0]);
    free(times[1]);
    close_example(&e);
    return good;
}

bool bench_articulated(const bench_settings *settings, bench_report *report, io_error *error) {
    bench_add_heading(report, "Articulated models");
    if (settings->data && settings->robots && bench_has_robots(settings->data))
        return bench_robot_edges(settings, report, error);
    if (!bench_rigid(settings, report, error)) return false;
    bench_table *times =
        bench_add_table(report, "articulated_times", "Time of one motion, one thread",
                        "Processor time. The examples are our own, made to the sizes of the paper's table 1; its times "
                        "are of another machine and other meshes.",
                        time_columns, sizeof time_columns / sizeof *time_columns);
    bench_table *culling =
        bench_add_table(report, "articulated_culling", "Pairs of links that are left, mean of a motion",
                        "Sampled boxes are of 65 poses: no sound box leaves out more. Interval arithmetic: the "
                        "same code with Taylor models of order 0.",
                        cull_columns, sizeof cull_columns / sizeof *cull_columns);
    bool good = true;
    for (size_t i = 0; good && i < 8 && !bench_stopped(settings); i++)
        good = run_example(settings, scene_articulated_name(i), times, culling, error);
    bench_table *edges =
        bench_add_table(report, "articulated_edges", "Edges of a planner: a seven-joint arm, one thread",
                        "Processor time, against sampling the same edge by static checks of the same library.",
                        edge_columns, sizeof edge_columns / sizeof *edge_columns);
    if (good) good = run_edges(settings, "arm-reach", settings->quick ? 200 : 10000, 5, edges, error);
    if (good) good = run_edges(settings, "arm-sweep", settings->quick ? 50 : 1000, 20, edges, error);
    report->interrupted |= bench_stopped(settings);
    return good;
}
