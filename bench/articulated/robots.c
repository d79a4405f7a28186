/* Times the edges of a planner, in mode ANY, beside FCL where that is built in. */
#include "bench/articulated/robots.h"

#include "bench/articulated/fcl_robots.h"
#include "bench/articulated/robot_distance.h"
#include "bench/articulated/robot_growth.h"
#include "bench/articulated/robot_plans.h"
#include "bench/articulated/robot_world.h"

#include "io/folder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const set_names[BENCH_EDGE_SETS] = {"short", "long"};

/* ---- times ---- */

typedef struct times {
    double *seconds;
    size_t count, capacity;
} times;

static void add_time(times *t, double seconds) {
    t->seconds = bench_grow(t->seconds, t->count, &t->capacity, sizeof *t->seconds);
    t->seconds[t->count++] = seconds;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double mean_us(const times *t) {
    double sum = 0;
    for (size_t i = 0; i < t->count; i++) sum += t->seconds[i];
    return t->count ? 1e6 * sum / (double)t->count : NAN;
}

static double median_us(times *t) {
    if (t->count == 0) return NAN;
    qsort(t->seconds, t->count, sizeof *t->seconds, ascending);
    return 1e6 * t->seconds[t->count / 2];
}

/* ---- what was found in one set of edges ---- */

enum { FREE = 0, BLOCKED = 1, KINDS = 2, STEPS = 2 };

static const double fcl_steps[STEPS] = {0.01, 0.05};

typedef struct found {
    times graze[KINDS], fcl[STEPS][KINDS];
    times pose[KINDS], fcl_pose[KINDS]; /* where edges begin */
    uint64_t unresolved, missed[STEPS]; /* missed: a proven contact that FCL's poses step over */
    bool with_fcl;
} found;

static void free_found(found *f) {
    for (int k = 0; k < KINDS; k++) {
        free(f->graze[k].seconds);
        free(f->pose[k].seconds);
        free(f->fcl_pose[k].seconds);
        for (int s = 0; s < STEPS; s++) free(f->fcl[s][k].seconds);
    }
}

/* A planner's question of an edge, or of the pose that it begins with. */
typedef graze_status ask(graze_context *context, const graze_world *world, const graze_body_motion *motions,
                         size_t count, const graze_articulated_options *options, graze_articulated_result *result);

/* The least of the repeats, as of our own. */
static bool solve_by_fcl(bench_fcl_robots *fcl, const graze_motion *motions, double turn, double step, uint64_t repeat,
                         bool *hit, double *least) {
    *least = INFINITY;
    for (uint64_t i = 0; i < repeat; i++) {
        double seconds;
        if (!bench_fcl_robots_edge(fcl, motions, turn, step, hit, &seconds)) return false;
        *least = fmin(*least, seconds);
    }
    return true;
}

static bool solve(const bench_robots *robots, ask *question, const graze_body_motion *motions, uint64_t repeat,
                  graze_articulated_result *result, double *seconds, io_error *error) {
    graze_articulated_options options = robots->options;
    options.mode = GRAZE_ARTICULATED_ANY;
    options.link_pairs = NULL;
    options.check_inside = question == graze_world_valid; /* as without options */
    *seconds = INFINITY;
    for (uint64_t i = 0; i < repeat; i++) {
        *result = graze_default_articulated_result();
        double begin = bench_cpu_seconds();
        graze_status status = question(robots->context, robots->world, motions, robots->model_count, &options, result);
        *seconds = fmin(*seconds, bench_cpu_seconds() - begin);
        if (status != GRAZE_OK) return io_fail(error, robots->scene, 0, "%s", graze_status_name(status));
    }
    return true;
}

static bool run_pose(const bench_robots *robots, bench_fcl_robots *fcl, const graze_motion *motions,
                     const graze_body_motion *body_motions, uint64_t repeat, found *f, io_error *error) {
    graze_articulated_result r;
    double seconds;
    bool hit;
    if (!solve(robots, graze_world_valid, body_motions, repeat, &r, &seconds, error)) return false;
    if (r.verdict == GRAZE_UNRESOLVED) return true;
    int kind = r.verdict == GRAZE_CLEAR ? FREE : BLOCKED;
    add_time(&f->pose[kind], seconds);
    double least = INFINITY;
    for (uint64_t i = 0; i < repeat && fcl; i++) {
        if (!bench_fcl_robots_pose(fcl, motions, &hit, &seconds))
            return io_fail(error, robots->scene, 0, "FCL: out of memory");
        least = fmin(least, seconds);
    }
    if (fcl) add_time(&f->fcl_pose[kind], least);
    return true;
}

static bool run_edge(const bench_robots *robots, bench_fcl_robots *fcl, int set, size_t edge, uint64_t repeat, found *f,
                     io_error *error) {
    const graze_motion *motions = robots->edges[set] + edge * robots->model_count;
    graze_body_motion *body_motions = bench_allocate(robots->model_count, sizeof *body_motions);
    graze_articulated_result r;
    double seconds;
    bench_body_motions(motions, robots->model_count, body_motions);
    bool good = solve(robots, graze_world_step, body_motions, repeat, &r, &seconds, error) &&
                run_pose(robots, fcl, motions, body_motions, repeat, f, error);
    free(body_motions);
    if (!good) return false;
    f->unresolved += r.verdict == GRAZE_UNRESOLVED;
    int kind = r.verdict == GRAZE_CLEAR ? FREE : BLOCKED;
    if (r.verdict != GRAZE_UNRESOLVED) add_time(&f->graze[kind], seconds);
    for (int s = 0; s < STEPS && fcl && r.verdict != GRAZE_UNRESOLVED; s++) {
        bool hit;
        if (!solve_by_fcl(fcl, motions, robots->turns[set][edge], fcl_steps[s], repeat, &hit, &seconds))
            return io_fail(error, robots->scene, 0, "FCL: out of memory");
        add_time(&f->fcl[s][kind], seconds);
        f->missed[s] += !hit && kind == BLOCKED && r.contact.proven;
    }
    return true;
}

/* ---- the report ---- */

static const bench_column columns[] = {
    {"scene", "scene", NULL},
    {"set", "edges", NULL},
    {"by", "by", NULL},
    {"free", "free", NULL},
    {"free_mean_us", "mean, free", "µs"},
    {"free_median_us", "median, free", "µs"},
    {"blocked", "blocked", NULL},
    {"blocked_mean_us", "mean, blocked", "µs"},
    {"blocked_median_us", "median, blocked", "µs"},
    {"unresolved", "unresolved", NULL},
    {"missed", "called free though a contact is proven", NULL},
};

static void add_row(bench_table *table, const bench_robots *robots, int set, const char *by, times t[KINDS],
                    const uint64_t *unresolved, const uint64_t *missed) {
    bench_cell *row = bench_add_row(table);
    row[0] = bench_text("%s", robots->scene);
    row[1] = bench_text("%s", set_names[set]);
    row[2] = bench_text("%s", by);
    for (int k = 0; k < KINDS; k++) {
        row[3 + 3 * k] = bench_count(t[k].count);
        row[4 + 3 * k] = bench_number(mean_us(&t[k]));
        row[5 + 3 * k] = bench_number(median_us(&t[k]));
    }
    if (unresolved) row[9] = bench_count(*unresolved);
    if (missed) row[10] = bench_count(*missed);
}

static void put_times(char *text, size_t size, times t[KINDS]) {
    static const char *const names[KINDS] = {"free", "blocked"};
    for (int k = 0; k < KINDS; k++) {
        size_t used = strlen(text);
        if (t[k].count)
            snprintf(text + used, size - used, "%s\"%s\":{\"count\":%zu,\"mean_us\":%.6g,\"median_us\":%.6g}",
                     k ? "," : "", names[k], t[k].count, mean_us(&t[k]), median_us(&t[k]));
        else
            snprintf(text + used, size - used, "%s\"%s\":{\"count\":0,\"mean_us\":null,\"median_us\":null}",
                     k ? "," : "", names[k]);
    }
}

static void put_poses(char *text, size_t size, const char *name, times t[KINDS]) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", name);
    put_times(text, size, t);
    used = strlen(text);
    snprintf(text + used, size - used, "}");
}

/* {"scene":…,"set":…,"free":{…},"blocked":{…},"unresolved":N,"fcl_0.01":{…}|null,…} */
static void add_record(bench_report *report, const bench_robots *robots, int set, found *f) {
    char text[2000] = "", name[300];
    bench_json_text(robots->scene, name, sizeof name);
    snprintf(text, sizeof text, "{\"scene\":%s,\"set\":\"%s\",", name, set_names[set]);
    put_times(text, sizeof text, f->graze);
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, ",\"unresolved\":%llu", (unsigned long long)f->unresolved);
    for (int s = 0; s < STEPS; s++) {
        used = strlen(text);
        snprintf(text + used, sizeof text - used, ",\"fcl_%g\":%s", fcl_steps[s], f->with_fcl ? "{" : "null");
        if (!f->with_fcl) continue;
        put_times(text, sizeof text, f->fcl[s]);
        used = strlen(text);
        snprintf(text + used, sizeof text - used, ",\"missed\":%llu}", (unsigned long long)f->missed[s]);
    }
    put_poses(text, sizeof text, ",\"pose\":{", f->pose);
    if (f->with_fcl) put_poses(text, sizeof text, ",\"fcl_pose\":{", f->fcl_pose);
    used = strlen(text);
    snprintf(text + used, sizeof text - used, "%s}", f->with_fcl ? "" : ",\"fcl_pose\":null");
    bench_add_record(report, "robots", text);
}

static bool run_set(const bench_settings *settings, const bench_robots *robots, bench_fcl_robots *fcl, int set,
                    bench_report *report, bench_table *table, io_error *error) {
    found f = {.with_fcl = fcl != NULL};
    bool good = true;
    size_t step = settings->quick ? 10 : 1;
    for (size_t e = 0; good && e < robots->edge_counts[set] && !bench_stopped(settings); e += step) {
        good = run_edge(robots, fcl, set, e, settings->repeat ? settings->repeat : 3, &f, error);
        bench_progress(settings, robots->scene, (double)e / (double)robots->edge_counts[set]);
    }
    if (good) {
        add_row(table, robots, set, "graze", f.graze, &f.unresolved, NULL);
        add_row(table, robots, set, "graze, the first pose", f.pose, NULL, NULL);
        if (fcl) add_row(table, robots, set, "FCL, the first pose", f.fcl_pose, NULL, NULL);
        for (int s = 0; s < STEPS && fcl; s++) {
            char by[40];
            snprintf(by, sizeof by, "FCL, each %g rad", fcl_steps[s]);
            add_row(table, robots, set, by, f.fcl[s], NULL, &f.missed[s]);
        }
        add_record(report, robots, set, &f);
    }
    free_found(&f);
    return good;
}

/* Tables that every scene adds rows to. */
typedef struct tables {
    bench_table *edges, *distances, *plans;
    bench_robot_growth growth;
} tables;

static bool run_scene(const bench_settings *settings, const char *path, bench_report *report, const tables *to,
                      io_error *error) {
    bench_robots robots = {.context = bench_context(settings, 1, 0, error)};
    if (!robots.context) return false;
    settings->robots->open(robots.context, path, &robots);
    bench_fcl_robots *fcl = bench_fcl_robots_open(&robots);
    bool good = bench_robot_world(&robots, 0, error);
    for (int set = 0; good && set < BENCH_EDGE_SETS; set++)
        if (robots.edge_counts[set]) good = run_set(settings, &robots, fcl, set, report, to->edges, error);
    if (good) good = bench_robot_distances(settings, &robots, to->distances, error);
    bench_fcl_robots_close(fcl);
    if (good) good = bench_robot_plans(settings, &robots, to->plans, error);
    if (good) good = bench_robot_growth_run(settings, &robots, &to->growth, error);
    graze_world_release(robots.world);
    settings->robots->close(&robots);
    graze_context_destroy(robots.context);
    return good;
}

bool bench_has_robots(const char *folder) {
    io_paths paths = {0};
    io_error ignored;
    bool any = io_list_folder(folder, "-edges.json", false, &paths, &ignored) && paths.count > 0;
    io_free_paths(&paths);
    return any;
}

bool bench_robot_edges(const bench_settings *settings, bench_report *report, io_error *error) {
    io_paths paths = {0};
    if (!io_list_folder(settings->data, "-edges.json", false, &paths, error)) return false;
    bool good = true;
    tables to;
    to.edges = bench_add_table(
        report, "articulated_robots", "Edges of a planner, mode any, one thread",
        "Processor time of a call, the least of the repeats. FCL: OBBRSS, its broad-phase manager, one contact, "
        "poses in bisection order, so many that the largest joint moves by no more than that from pose to pose.",
        columns, sizeof columns / sizeof *columns);
    to.distances = bench_add_distances(report);
    to.plans = bench_add_plans(report);
    to.growth = bench_robot_growth_open(report);
    for (size_t i = 0; good && i < paths.count && !bench_stopped(settings); i++)
        good = run_scene(settings, paths.paths[i], report, &to, error);
    io_free_paths(&paths);
    return good;
}
