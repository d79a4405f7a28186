/* Times graze_articulated_distance() on single pairs of links, beside FCL where that is built in. */
#include "bench/articulated/robot_distance.h"

#include "bench/articulated/fcl.h"

#include "articulated/search.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_POSES = 40, QUICK_POSES = 2, OBBRSS = 2 };

static const bench_column columns[] = {
    {"scene", "scene", NULL},
    {"pair", "links", NULL},
    {"poses", "poses", NULL},
    {"graze_us", "graze, mean", "µs"},
    {"fcl_us", "FCL, mean", "µs"},
    {"ratio", "graze / FCL", NULL},
    {"differ", "poses in which FCL's distance is not between the bounds", NULL},
};

bench_table *bench_add_distances(bench_report *report) {
    return bench_add_table(report, "articulated_distances", "Distance of two links of a robot, one thread",
                           "Processor time of a call, the least of the repeats. Poses are those that edges begin with, "
                           "frames of FCL are made before. FCL: OBBRSS, no nearest points, differences beyond 1e-9.",
                           columns, sizeof columns / sizeof *columns);
}

typedef struct distances {
    const bench_robots *robots;
    gz_scene scene;
    gz_frames frames;
    uint8_t *mask; /* of all links, for one pair at a time */
    size_t poses;
    uint64_t repeat;
#ifdef GRAZE_HAVE_FCL
    bench_fcl_body **bodies;
#endif
} distances;

/* ---- FCL ---- */

#ifdef GRAZE_HAVE_FCL
static void open_fcl(distances *d) {
    d->bodies = bench_allocate(d->scene.count, sizeof *d->bodies);
    for (size_t i = 0; i < d->scene.count; i++) {
        const gz_link *link = d->scene.links[i].link;
        if (link->face_count)
            d->bodies[i] = bench_fcl_body_make(OBBRSS, (const double(*)[3])link->vertices, link->vertex_count,
                                               (const uint32_t(*)[3])link->faces, link->face_count);
    }
}

static void close_fcl(distances *d) {
    for (size_t i = 0; d->bodies && i < d->scene.count; i++) bench_fcl_body_free(d->bodies[i]);
    free(d->bodies);
}

/* NaN without FCL. */
static double fcl_distance(distances *d, uint32_t a, uint32_t b, double *seconds) {
    const gz_frame_model *x = gz_frames_world(&d->frames, a), *y = gz_frames_world(&d->frames, b);
    double distance = NAN;
    *seconds = INFINITY;
    for (uint64_t r = 0; r < d->repeat; r++) {
        double begin = bench_cpu_seconds();
        distance = bench_fcl_distance(d->bodies[a], x->c[0], d->bodies[b], y->c[0]);
        *seconds = fmin(*seconds, bench_cpu_seconds() - begin);
    }
    return fmax(0, distance);
}
#else
static void open_fcl(distances *d) { (void)d; }
static void close_fcl(distances *d) { (void)d; }
static double fcl_distance(distances *d, uint32_t a, uint32_t b, double *seconds) {
    (void)d, (void)a, (void)b;
    return *seconds = NAN;
}
#endif

/* ---- one pair ---- */

static graze_status graze_seconds(const distances *d, const graze_motion *motions, graze_link_distance *found,
                                  double *seconds) {
    graze_articulated_options options = graze_default_articulated_options();
    graze_status status = GRAZE_OK;
    options.link_pairs = d->mask;
    *seconds = INFINITY;
    for (uint64_t r = 0; r < d->repeat && status == GRAZE_OK; r++) {
        *found = graze_default_link_distance();
        double begin = bench_cpu_seconds();
        status = graze_articulated_distance(d->robots->context, d->robots->models, d->robots->model_count, motions,
                                            &options, found);
        *seconds = fmin(*seconds, bench_cpu_seconds() - begin);
    }
    return status;
}

typedef struct pair_sums {
    double graze, fcl;
    uint64_t differ;
} pair_sums;

static graze_status measure_pose(distances *d, uint32_t a, uint32_t b, const graze_motion *motions, pair_sums *sums) {
    graze_link_distance found;
    double seconds;
    graze_status status = graze_seconds(d, motions, &found, &seconds);
    if (status == GRAZE_OK) status = gz_scene_move(&d->scene, gz_motions_from(motions, 0));
    if (status != GRAZE_OK) return status;
    sums->graze += seconds;
    gz_frames_forget(&d->frames);
    gz_frames_window(&d->frames, 0, 0);
    double other = fcl_distance(d, a, b, &seconds), padding = d->scene.links[a].link->padding;
    padding += d->scene.links[b].link->padding;
    other = fmax(0, other - padding);
    sums->fcl += seconds;
    sums->differ += other < found.lower - 1e-9 || other > found.upper + 1e-9;
    return GRAZE_OK;
}

static void set_mask(distances *d, uint32_t a, uint32_t b, uint8_t to) {
    d->mask[a * d->scene.count + b] = d->mask[b * d->scene.count + a] = to;
}

static graze_status measure_pair(distances *d, uint32_t a, uint32_t b, bench_table *table) {
    const bench_robots *robots = d->robots;
    pair_sums sums = {0};
    graze_status status = GRAZE_OK;
    set_mask(d, a, b, 1);
    for (size_t p = 0; p < d->poses && status == GRAZE_OK; p++)
        status = measure_pose(d, a, b, robots->edges[0] + p * robots->model_count, &sums);
    set_mask(d, a, b, 0);
    if (status != GRAZE_OK) return status;
    bench_cell *row = bench_add_row(table);
    row[0] = bench_text("%s", robots->scene);
    row[1] = bench_text("%u, %u", d->scene.links[a].index, d->scene.links[b].index);
    row[2] = bench_count(d->poses);
    row[3] = bench_number(1e6 * sums.graze / (double)d->poses);
    row[4] = bench_number(1e6 * sums.fcl / (double)d->poses);
    row[5] = bench_number(sums.graze / sums.fcl);
    row[6] = bench_count(sums.differ);
    return GRAZE_OK;
}

bool bench_robot_distances(const bench_settings *settings, const bench_robots *robots, bench_table *table,
                           io_error *error) {
    distances d = {.robots = robots, .repeat = settings->repeat ? settings->repeat : 3};
    size_t most = settings->quick ? QUICK_POSES : MOST_POSES;
    d.poses = robots->edge_counts[0] < most ? robots->edge_counts[0] : most;
    if (d.poses == 0) return true;
    graze_status status = gz_scene_open(&d.scene, robots->context, robots->models, robots->model_count);
    if (status == GRAZE_OK) status = gz_frames_open(&d.frames, &d.scene);
    uint32_t count = (uint32_t)d.scene.count;
    d.mask = bench_allocate((size_t)count * count, 1);
    if (status == GRAZE_OK) open_fcl(&d);
    for (uint32_t a = 0; a < count && status == GRAZE_OK && !bench_stopped(settings); a++)
        for (uint32_t b = a + 1; b < count && status == GRAZE_OK; b++)
            if (d.scene.links[a].model == d.scene.links[b].model && gz_scene_is_pair(&d.scene, a, b))
                status = measure_pair(&d, a, b, table);
    close_fcl(&d);
    free(d.mask);
    gz_frames_close(&d.frames);
    gz_scene_close(&d.scene);
    return status == GRAZE_OK || io_fail(error, robots->scene, 0, "%s", graze_status_name(status));
}
