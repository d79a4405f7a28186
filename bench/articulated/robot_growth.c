/* Far edges that are free, shortened, among more obstacles, with finer meshes; and all edges in one piece and in
 * several. */
#include "bench/articulated/robot_growth.h"

#include "bench/articulated/edge_part.h"
#include "bench/articulated/fcl_robots.h"
#include "bench/articulated/refine.h"
#include "bench/articulated/robot_world.h"

#include <math.h>
#include <stdlib.h>

enum { SHORT = 0, FAR = 1, MOST_CUTS = 5 }; /* MOST_CUTS: 1, 2, 4, 8 and 16 pieces */

static const bench_column growth_columns[] = {
    {"scene", "scene", NULL},          {"by", "by", NULL},        {"x", "how much", NULL},
    {"edges", "free edges", NULL},     {"mean_us", "mean", "µs"}, {"ratio", "over the first", NULL},
    {"fcl_us", "FCL, 0.01 rad", "µs"},
};

static const bench_column piece_columns[] = {
    {"scene", "scene", NULL},     {"set", "edges", NULL},
    {"kind", "which are", NULL},  {"count", "number", NULL},
    {"in_1", "in 1 piece", "µs"}, {"in_2", "in 2", "µs"},
    {"in_4", "in 4", "µs"},       {"in_8", "in 8", "µs"},
    {"in_16", "in 16", "µs"},     {"over_best", "in 1 piece, over the best", NULL},
};

bench_robot_growth bench_robot_growth_open(bench_report *report) {
    bench_axis time = {"mean time of a free edge", "µs", true};
    bench_robot_growth g;
    g.growth = bench_add_table(report, "articulated_growth", "Far edges that are free: what they cost by what",
                               "turn: the mean turn of the largest joint, in radians; obstacles: boxes out of reach; "
                               "triangles: of the robot, each cut into four.",
                               growth_columns, sizeof growth_columns / sizeof *growth_columns);
    g.pieces = bench_add_table(report, "articulated_pieces", "Edges in one piece and cut by the caller",
                               "Pieces are asked one after the other, up to the first that is blocked.", piece_columns,
                               sizeof piece_columns / sizeof *piece_columns);
    g.turn = bench_add_plot(report, "robot-turn", "Cost by turn", NULL, BENCH_LINES,
                            (bench_axis){"turn of the largest joint, mean", "rad", true}, time);
    g.obstacles = bench_add_plot(report, "robot-obstacles", "Cost by obstacles out of reach", NULL, BENCH_LINES,
                                 (bench_axis){"boxes", NULL, true}, time);
    g.triangles = bench_add_plot(report, "robot-triangles", "Cost by triangles of the robot", NULL, BENCH_LINES,
                                 (bench_axis){"triangles", NULL, true}, time);
    return g;
}

/* ---- free edges ---- */

/* Far edges that are free, some of them. */
typedef struct free_edges {
    size_t list[40], count;
} free_edges;

typedef struct growth_job {
    const bench_settings *settings;
    const bench_robot_growth *growth;
    const bench_robots *robots; /* as they were read */
    free_edges edges;
    bench_edge_part part;
    uint64_t repeat;
} growth_job;

static bool find_free(growth_job *job, io_error *error) {
    size_t most = job->settings->quick ? 5 : sizeof job->edges.list / sizeof *job->edges.list;
    for (size_t e = 0; e < job->robots->edge_counts[FAR] && job->edges.count < most; e++) {
        graze_verdict verdict;
        double seconds;
        bench_edge_part_set(job->robots, FAR, e, 0, 1, &job->part);
        if (!bench_edge_part_solve(job->robots, &job->part, 1, &verdict, &seconds, error)) return false;
        if (verdict == GRAZE_CLEAR) job->edges.list[job->edges.count++] = e;
    }
    return true;
}

/* Mean seconds of the free edges up to time `end`, and FCL's where there is one (else NAN). */
static bool mean_of(growth_job *job, const bench_robots *robots, bench_fcl_robots *fcl, double end, double *mean,
                    double *fcl_mean, io_error *error) {
    *mean = *fcl_mean = 0;
    for (size_t i = 0; i < job->edges.count && !bench_stopped(job->settings); i++) {
        size_t e = job->edges.list[i];
        graze_verdict verdict;
        double seconds, by_fcl = 0;
        bool hit;
        bench_edge_part_set(job->robots, FAR, e, 0, end, &job->part);
        if (!bench_edge_part_solve(robots, &job->part, job->repeat, &verdict, &seconds, error)) return false;
        double turn = end * job->robots->turns[FAR][e];
        if (fcl && !bench_fcl_robots_edge(fcl, job->part.motions, turn, 0.01, &hit, &by_fcl))
            return io_fail(error, job->robots->scene, 0, "FCL: out of memory");
        *mean += seconds / (double)job->edges.count;
        *fcl_mean += by_fcl / (double)job->edges.count;
    }
    if (!fcl) *fcl_mean = NAN;
    return true;
}

/* One line of the table, one point of a figure. */
typedef struct growth_line {
    const char *by;
    bench_series *graze, *fcl;
    double first;
} growth_line;

static growth_line line_of(const growth_job *job, const char *by, bench_plot *plot) {
    growth_line line = {by, NULL, NULL, NAN};
    line.graze = bench_add_series(plot, job->robots->scene, "graze");
    line.fcl = bench_add_series(plot, job->robots->scene, "FCL, each 0.01 rad");
    return line;
}

static void add_point(const growth_job *job, growth_line *line, double x, double mean, double fcl) {
    if (isnan(line->first)) line->first = mean;
    bench_cell *row = bench_add_row(job->growth->growth);
    row[0] = bench_text("%s", job->robots->scene);
    row[1] = bench_text("%s", line->by);
    row[2] = bench_number(x);
    row[3] = bench_count(job->edges.count);
    row[4] = bench_number(1e6 * mean);
    row[5] = bench_number(mean / line->first);
    row[6] = bench_number(1e6 * fcl);
    bench_add_point(line->graze, x, 1e6 * mean);
    if (!isnan(fcl)) bench_add_point(line->fcl, x, 1e6 * fcl);
}

static bool grow_turn(growth_job *job, io_error *error) {
    bench_fcl_robots *fcl = bench_fcl_robots_open(job->robots);
    growth_line line = line_of(job, "turn", job->growth->turn);
    bool good = true;
    for (double end = 1.0 / 32; good && end <= 1 && !bench_stopped(job->settings); end *= 2) {
        double mean, by_fcl, turn = 0;
        good = mean_of(job, job->robots, fcl, end, &mean, &by_fcl, error);
        for (size_t i = 0; i < job->edges.count; i++)
            turn += end * job->robots->turns[FAR][job->edges.list[i]] / (double)job->edges.count;
        if (good) add_point(job, &line, turn, mean, by_fcl);
    }
    bench_fcl_robots_close(fcl);
    return good;
}

static bool grow_obstacles(growth_job *job, io_error *error) {
    growth_line line = line_of(job, "obstacles", job->growth->obstacles);
    bool good = true;
    for (size_t boxes = 0; good && boxes <= 10000 && !bench_stopped(job->settings); boxes = boxes ? 10 * boxes : 10) {
        bench_robots among = *job->robots;
        double mean, none;
        good = bench_robot_world(&among, boxes, error) && mean_of(job, &among, NULL, 1, &mean, &none, error);
        if (good) add_point(job, &line, (double)boxes, mean, NAN);
        graze_world_release(among.world);
    }
    return good;
}

static bool grow_triangles(growth_job *job, io_error *error) {
    growth_line line = line_of(job, "triangles", job->growth->triangles);
    bool good = true;
    for (int times = 0; good && times <= (job->settings->quick ? 1 : 2) && !bench_stopped(job->settings); times++) {
        bench_robots fine = *job->robots;
        size_t triangles;
        double mean, by_fcl;
        fine.world = NULL;
        fine.models = bench_refine(job->robots, times, &triangles);
        good = fine.models != NULL || io_fail(error, job->robots->scene, 0, "out of memory");
        if (!good) break;
        bench_fcl_robots *fcl = bench_fcl_robots_open(&fine);
        good = bench_robot_world(&fine, 0, error) && mean_of(job, &fine, fcl, 1, &mean, &by_fcl, error);
        if (good) add_point(job, &line, (double)triangles, mean, by_fcl);
        bench_fcl_robots_close(fcl);
        graze_world_release(fine.world);
        bench_refine_free(&fine);
    }
    return good;
}

/* ---- pieces ---- */

/* Seconds of an edge in so many pieces, up to the first that is blocked. */
static bool solve_pieces(growth_job *job, int set, size_t edge, int pieces, bool *blocked, double *seconds,
                         io_error *error) {
    *blocked = false;
    *seconds = 0;
    for (int p = 0; p < pieces && !*blocked; p++) {
        graze_verdict verdict;
        double taken;
        bench_edge_part_set(job->robots, set, edge, (double)p / pieces, (double)(p + 1) / pieces, &job->part);
        if (!bench_edge_part_solve(job->robots, &job->part, job->repeat, &verdict, &taken, error)) return false;
        *blocked = verdict != GRAZE_CLEAR;
        *seconds += taken;
    }
    return true;
}

static void add_pieces(const growth_job *job, int set, bool blocked, size_t count, const double sums[MOST_CUTS]) {
    double best = INFINITY;
    bench_cell *row = bench_add_row(job->growth->pieces);
    row[0] = bench_text("%s", job->robots->scene);
    row[1] = bench_text("%s", set == FAR ? "long" : "short");
    row[2] = bench_text("%s", blocked ? "blocked" : "free");
    row[3] = bench_count(count);
    for (int k = 0; k < MOST_CUTS; k++) {
        row[4 + k] = bench_number(count ? 1e6 * sums[k] / (double)count : NAN);
        best = fmin(best, sums[k]);
    }
    row[4 + MOST_CUTS] = bench_number(count ? sums[0] / best : NAN);
}

static bool cut_edges(growth_job *job, int set, io_error *error) {
    double sums[2][MOST_CUTS] = {{0}};
    size_t counts[2] = {0, 0}, step = job->settings->quick ? 20 : set == FAR ? 1 : 4;
    for (size_t e = 0; e < job->robots->edge_counts[set] && !bench_stopped(job->settings); e += step) {
        bool blocked = false, ignored;
        double seconds;
        for (int k = 0; k < MOST_CUTS; k++) {
            if (!solve_pieces(job, set, e, 1 << k, k ? &ignored : &blocked, &seconds, error)) return false;
            sums[blocked][k] += seconds;
        }
        counts[blocked]++;
    }
    for (int blocked = 0; blocked < 2; blocked++) add_pieces(job, set, blocked, counts[blocked], sums[blocked]);
    return true;
}

bool bench_robot_growth_run(const bench_settings *settings, const bench_robots *robots,
                            const bench_robot_growth *growth, io_error *error) {
    growth_job job = {settings, growth, robots, .repeat = settings->repeat ? settings->repeat : 3};
    bench_edge_part_open(robots, &job.part);
    bool good = find_free(&job, error);
    if (good && job.edges.count)
        good = grow_turn(&job, error) && grow_obstacles(&job, error) && grow_triangles(&job, error);
    for (int set = 0; good && set < BENCH_EDGE_SETS; set++) good = cut_edges(&job, set, error);
    bench_edge_part_close(&job.part);
    return good;
}
