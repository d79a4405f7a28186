#include "bench/articulated/robot_plans.h"

#include "graze/plan.h"

#include "bench/articulated/edge_part.h"

#include <math.h>
#include <stdlib.h>

enum { FAR = 1, SEGMENTS = 100, DEGREE = 5, POINTS = DEGREE * SEGMENTS + 1, KNOTS = POINTS + DEGREE + 1 };

#define TURN 10.0    /* of the largest joint, in all */
#define SECONDS 10.0 /* of the plan */
#define SWAY 0.01    /* beside the straight way, so that no two joints move alike */

static const bench_column columns[] = {
    {"scene", "scene", NULL},       {"edges", "far edges that are free", NULL},
    {"clear", "clear plans", NULL}, {"mean_ms", "mean, clear", "ms"},
    {"max_ms", "largest", "ms"},    {"checks", "checks, mean", NULL},
};

bench_table *bench_add_plans(bench_report *report) {
    return bench_add_table(
        report, "articulated_plans", "Whole plans of 100 quintic segments, one thread",
        "Forth and back along a far edge that is free, swaying by 0.01; the largest joint turns by 10 "
        "rad in all.",
        columns, sizeof columns / sizeof *columns);
}

/* ---- a plan ---- */

typedef struct plan {
    double knots[KNOTS];
    graze_path *paths;
    double **controls;
    size_t count;
} plan;

/* Value, velocity and acceleration of a joint at a time. */
static void joint_at(double from, double to, size_t joint, double rate, double time, double x[3]) {
    double phase = 3 * time + (double)joint, half = (to - from) / 2;
    x[0] = from + half * (1 - cos(rate * time)) + SWAY * (sin(phase) - sin((double)joint));
    x[1] = half * rate * sin(rate * time) + 3 * SWAY * cos(phase);
    x[2] = half * rate * rate * cos(rate * time) - 9 * SWAY * sin(phase);
}

/* Bézier values of quintic segments: what trajectory messages with accelerations mean. */
static void fill_joint(double from, double to, size_t joint, size_t joints, double rate, double *control) {
    double step = SECONDS / SEGMENTS;
    for (int k = 0; k < SEGMENTS; k++) {
        double a[3], b[3], *c = control + (size_t)(DEGREE * k) * joints + joint;
        joint_at(from, to, joint, rate, k * step, a);
        joint_at(from, to, joint, rate, (k + 1) * step, b);
        c[0] = a[0];
        c[joints] = a[0] + a[1] * step / 5;
        c[2 * joints] = a[0] + 2 * a[1] * step / 5 + a[2] * step * step / 20;
        c[3 * joints] = b[0] - 2 * b[1] * step / 5 + b[2] * step * step / 20;
        c[4 * joints] = b[0] - b[1] * step / 5;
        c[5 * joints] = b[0];
    }
}

static void make_plan(const bench_robots *robots, const graze_motion *motions, double turn, plan *p) {
    double rate = TURN / turn * acos(-1) / SECONDS;
    for (int i = 0; i < KNOTS; i++) p->knots[i] = SECONDS / SEGMENTS * (i == 0 ? 0 : fmin((i - 1) / DEGREE, SEGMENTS));
    p->count = 0;
    for (size_t m = 0; m < robots->model_count; m++) {
        size_t joints = graze_model_values(robots->models[m]);
        if (!joints) continue;
        double *control = p->controls[p->count] = bench_allocate(POINTS * joints, sizeof *control);
        for (size_t j = 0; j < joints; j++)
            fill_joint(motions[m].from ? motions[m].from[j] : 0, motions[m].to ? motions[m].to[j] : 0, j, joints, rate,
                       control);
        graze_path *path = &p->paths[p->count++];
        *path = graze_default_path();
        path->body = (uint32_t)m;
        path->degree = DEGREE;
        path->count = POINTS;
        path->knots = p->knots;
        path->control = control;
    }
}

static void free_plan(plan *p) {
    for (size_t i = 0; i < p->count; i++) free(p->controls[i]);
}

/* ---- measuring ---- */

typedef struct sums {
    size_t edges, clear;
    double seconds, most, checks;
} sums;

static bool add_plan(const bench_robots *robots, const plan *p, uint64_t repeat, sums *s, io_error *error) {
    graze_plan_result result = graze_default_plan_result();
    double least = INFINITY;
    graze_status status = GRAZE_OK;
    for (uint64_t r = 0; r < repeat && status == GRAZE_OK; r++) {
        double begin = bench_cpu_seconds();
        status = graze_world_plan(robots->context, robots->world, p->paths, p->count, NULL, &result);
        least = fmin(least, bench_cpu_seconds() - begin);
    }
    if (status != GRAZE_OK) return io_fail(error, robots->scene, 0, "a plan: %s", graze_status_name(status));
    s->edges++;
    if (result.verdict != GRAZE_CLEAR) return true;
    s->clear++;
    s->seconds += least;
    s->most = fmax(s->most, least);
    s->checks += (double)result.checks;
    return true;
}

static void add_row(bench_table *table, const bench_robots *robots, const sums *s) {
    bench_cell *row = bench_add_row(table);
    row[0] = bench_text("%s", robots->scene);
    row[1] = bench_count(s->edges);
    row[2] = bench_count(s->clear);
    row[3] = bench_number(s->clear ? 1e3 * s->seconds / (double)s->clear : NAN);
    row[4] = bench_number(s->clear ? 1e3 * s->most : NAN);
    row[5] = bench_number(s->clear ? s->checks / (double)s->clear : NAN);
}

bool bench_robot_plans(const bench_settings *settings, const bench_robots *robots, bench_table *table,
                       io_error *error) {
    size_t most = settings->quick ? 5 : 40;
    plan p = {.paths = bench_allocate(robots->model_count, sizeof *p.paths),
              .controls = bench_allocate(robots->model_count, sizeof *p.controls)};
    bench_edge_part edge;
    sums s = {0};
    bool good = true;
    bench_edge_part_open(robots, &edge);
    for (size_t e = 0; good && e < robots->edge_counts[FAR] && s.edges < most && !bench_stopped(settings); e++) {
        graze_verdict verdict;
        double seconds;
        bench_edge_part_set(robots, FAR, e, 0, 1, &edge);
        good = bench_edge_part_solve(robots, &edge, 1, &verdict, &seconds, error);
        if (!good || verdict != GRAZE_CLEAR || !(robots->turns[FAR][e] > 0)) continue;
        make_plan(robots, edge.motions, robots->turns[FAR][e], &p);
        good = add_plan(robots, &p, settings->repeat ? settings->repeat : 3, &s, error);
        free_plan(&p);
    }
    bench_edge_part_close(&edge);
    free(p.paths);
    free(p.controls);
    if (good) add_row(table, robots, &s);
    return good;
}
