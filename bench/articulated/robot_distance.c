/* Times graze_world_distance() on single pairs of links, beside FCL where that is built in. */
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
                           "Processor time of graze_world_distance in a world of these two, the least of the repeats. "
                           "Poses are those that edges begin with, "
                           "frames of FCL are made before. FCL: OBBRSS, no nearest points, differences beyond 1e-9.",
                           columns, sizeof columns / sizeof *columns);
}

typedef struct distances {
    const bench_robots *robots;
    gz_scene scene;
    gz_frames frames;
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

/* Two links of a robot, in a world of its own where no others are tested. */
typedef struct link_pair {
    uint32_t a, b; /* in the scene */
    uint32_t model, link_a, link_b;
    graze_world *world;
} link_pair;

static graze_pair_rule ask_pair(void *user, uint32_t body_a, uint32_t link_a, uint32_t body_b, uint32_t link_b,
                                double *separation) {
    const link_pair *pair = user;
    (void)body_a, (void)body_b, (void)separation;
    bool is = (link_a == pair->link_a && link_b == pair->link_b) || (link_a == pair->link_b && link_b == pair->link_a);
    return is ? GRAZE_PAIR_TEST : GRAZE_PAIR_SKIP;
}

static graze_status open_pair(const distances *d, link_pair *pair) {
    graze_body body = graze_default_body();
    graze_world_options options = graze_default_world_options();
    body.model = d->robots->models[pair->model];
    options.filter = ask_pair;
    options.filter_user = pair;
    return graze_world_create(d->robots->context, &body, 1, &options, &pair->world);
}

static graze_status graze_seconds(const distances *d, const link_pair *pair, const graze_motion *motions,
                                  graze_link_gap *found, double *seconds) {
    graze_context *context = d->robots->context;
    graze_body_motion pose = graze_default_body_motion();
    graze_status status = GRAZE_OK;
    pose.joints = &motions[pair->model];
    *seconds = INFINITY;
    for (uint64_t r = 0; r < d->repeat && status == GRAZE_OK; r++) {
        graze_world_distance_result result = graze_default_world_distance_result();
        double begin = bench_cpu_seconds();
        status = graze_world_distance(context, pair->world, &pose, 1, NULL, &result);
        *seconds = fmin(*seconds, bench_cpu_seconds() - begin);
        if (status == GRAZE_OK && result.gap_count) *found = result.gaps[0];
        graze_world_distance_release(context, &result);
    }
    return status;
}

typedef struct pair_sums {
    double graze, fcl;
    uint64_t differ;
} pair_sums;

static graze_status measure_pose(distances *d, const link_pair *pair, const graze_motion *motions, pair_sums *sums) {
    graze_link_gap found = {0};
    double seconds;
    graze_status status = graze_seconds(d, pair, motions, &found, &seconds);
    if (status == GRAZE_OK) status = gz_scene_move(&d->scene, gz_motions_from(motions, 0));
    if (status != GRAZE_OK) return status;
    sums->graze += seconds;
    gz_frames_forget(&d->frames);
    gz_frames_window(&d->frames, 0, 0);
    double padding = d->scene.links[pair->a].link->padding + d->scene.links[pair->b].link->padding;
    double other = fmax(0, fcl_distance(d, pair->a, pair->b, &seconds) - padding);
    sums->fcl += seconds;
    sums->differ += other < found.lower - 1e-9 || other > found.upper + 1e-9;
    return GRAZE_OK;
}

static graze_status measure_poses(distances *d, const link_pair *pair, bench_table *table) {
    const bench_robots *robots = d->robots;
    pair_sums sums = {0};
    graze_status status = GRAZE_OK;
    for (size_t p = 0; p < d->poses && status == GRAZE_OK; p++)
        status = measure_pose(d, pair, robots->edges[0] + p * robots->model_count, &sums);
    if (status != GRAZE_OK) return status;
    bench_cell *row = bench_add_row(table);
    row[0] = bench_text("%s", robots->scene);
    row[1] = bench_text("%u, %u", pair->link_a, pair->link_b);
    row[2] = bench_count(d->poses);
    row[3] = bench_number(1e6 * sums.graze / (double)d->poses);
    row[4] = bench_number(1e6 * sums.fcl / (double)d->poses);
    row[5] = bench_number(sums.graze / sums.fcl);
    row[6] = bench_count(sums.differ);
    return GRAZE_OK;
}

static graze_status measure_pair(distances *d, uint32_t a, uint32_t b, bench_table *table) {
    const gz_scene_link *x = &d->scene.links[a], *y = &d->scene.links[b];
    link_pair pair = {a, b, x->model, x->index, y->index, NULL};
    graze_status status = open_pair(d, &pair);
    if (status == GRAZE_OK) status = measure_poses(d, &pair, table);
    graze_world_release(pair.world);
    return status;
}

/* Every two links of one model. */
static graze_status measure_pairs(distances *d, const bench_settings *settings, bench_table *table) {
    uint32_t count = (uint32_t)d->scene.count;
    graze_status status = GRAZE_OK;
    for (uint32_t a = 0; a < count && status == GRAZE_OK && !bench_stopped(settings); a++)
        for (uint32_t b = a + 1; b < count && status == GRAZE_OK; b++)
            if (d->scene.links[a].model == d->scene.links[b].model && gz_scene_is_pair(&d->scene, a, b))
                status = measure_pair(d, a, b, table);
    return status;
}

bool bench_robot_distances(const bench_settings *settings, const bench_robots *robots, bench_table *table,
                           io_error *error) {
    distances d = {.robots = robots, .repeat = settings->repeat ? settings->repeat : 3};
    size_t most = settings->quick ? QUICK_POSES : MOST_POSES;
    d.poses = robots->edge_counts[0] < most ? robots->edge_counts[0] : most;
    if (d.poses == 0) return true;
    graze_status status = gz_scene_open(&d.scene, robots->context, robots->models, robots->model_count);
    if (status == GRAZE_OK) status = gz_frames_open(&d.frames, &d.scene);
    if (status == GRAZE_OK) open_fcl(&d);
    if (status == GRAZE_OK) status = measure_pairs(&d, settings, table);
    close_fcl(&d);
    gz_frames_close(&d.frames);
    gz_scene_close(&d.scene);
    return status == GRAZE_OK || io_fail(error, robots->scene, 0, "%s", graze_status_name(status));
}
