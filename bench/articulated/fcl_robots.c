/* Poses of an edge by our own frames, collisions by FCL. */
#include "bench/articulated/fcl_robots.h"

#ifdef GRAZE_HAVE_FCL
#include "bench/articulated/fcl.h"

#include "articulated/search.h"

#include <stdlib.h>

struct bench_fcl_robots {
    gz_scene scene;
    gz_frames frames;
    bench_fcl_scene *bodies;
    uint8_t *pairs;
};

/* False where FCL has no such bodies. */
static bool add_bodies(bench_fcl_robots *fcl) {
    for (size_t i = 0; i < fcl->scene.count; i++) {
        const gz_link *link = fcl->scene.links[i].link;
        if (link->radii ||
            !bench_fcl_scene_add(fcl->bodies, (const double(*)[3])link->vertices, link->vertex_count,
                                 (const uint32_t(*)[3])link->faces, link->face_count, link->padding, link->on_world))
            return false;
    }
    return true;
}

static void set_pairs(bench_fcl_robots *fcl, const uint8_t *mask) {
    size_t n = fcl->scene.count;
    fcl->pairs = bench_allocate(n * n, 1);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++)
            fcl->pairs[a * n + b] = a != b && gz_scene_is_pair(&fcl->scene, a, b) && (!mask || mask[a * n + b]);
}

bench_fcl_robots *bench_fcl_robots_open(const bench_robots *robots) {
    bench_fcl_robots *fcl = bench_allocate(1, sizeof *fcl);
    graze_status status = gz_scene_open(&fcl->scene, robots->context, robots->models, robots->model_count);
    if (status == GRAZE_OK) status = gz_frames_open(&fcl->frames, &fcl->scene);
    if (status == GRAZE_OK) set_pairs(fcl, robots->options.link_pairs);
    fcl->bodies = status == GRAZE_OK ? bench_fcl_scene_make(fcl->pairs, fcl->scene.count) : NULL;
    if (fcl->bodies && add_bodies(fcl)) return fcl;
    bench_fcl_robots_close(fcl);
    return NULL;
}

void bench_fcl_robots_close(bench_fcl_robots *fcl) {
    if (!fcl) return;
    bench_fcl_scene_free(fcl->bodies);
    gz_frames_close(&fcl->frames);
    gz_scene_close(&fcl->scene);
    free(fcl->pairs);
    free(fcl);
}

/* True if the pose at time t touches. */
static bool touches(bench_fcl_robots *fcl, double t) {
    gz_frames_window(&fcl->frames, t, t);
    for (uint32_t i = 0; i < fcl->scene.count; i++)
        bench_fcl_scene_place(fcl->bodies, i, gz_frames_world(&fcl->frames, i)->c[0]);
    return bench_fcl_scene_collides(fcl->bodies);
}

/* Poses k/count of odd k at every power of two below count, then the rest of them. */
static bool touches_between(bench_fcl_robots *fcl, uint64_t count) {
    uint64_t width = 1;
    while (width < count) width *= 2;
    for (; width >= 2; width /= 2)
        for (uint64_t k = width / 2; k < count; k += width)
            if (touches(fcl, (double)k / (double)count)) return true;
    return false;
}

bool bench_fcl_robots_edge(bench_fcl_robots *fcl, const graze_motion *motions, double turn, double step, bool *hit,
                           double *seconds) {
    double begin = bench_cpu_seconds();
    if (gz_scene_move(&fcl->scene, gz_motions_from(motions, 0)) != GRAZE_OK) return false;
    gz_frames_forget(&fcl->frames);
    uint64_t count = turn > step ? (uint64_t)(turn / step) + 1 : 1;
    *hit = touches(fcl, 0) || touches(fcl, 1) || touches_between(fcl, count);
    *seconds = bench_cpu_seconds() - begin;
    return true;
}

bool bench_fcl_robots_pose(bench_fcl_robots *fcl, const graze_motion *motions, bool *hit, double *seconds) {
    double begin = bench_cpu_seconds();
    if (gz_scene_move(&fcl->scene, gz_motions_from(motions, 0)) != GRAZE_OK) return false;
    gz_frames_forget(&fcl->frames);
    *hit = touches(fcl, 0);
    *seconds = bench_cpu_seconds() - begin;
    return true;
}

#else
bench_fcl_robots *bench_fcl_robots_open(const bench_robots *robots) {
    (void)robots;
    return NULL;
}

void bench_fcl_robots_close(bench_fcl_robots *fcl) { (void)fcl; }

bool bench_fcl_robots_edge(bench_fcl_robots *fcl, const graze_motion *motions, double turn, double step, bool *hit,
                           double *seconds) {
    (void)fcl, (void)motions, (void)turn, (void)step;
    *hit = false;
    *seconds = 0;
    return false;
}

bool bench_fcl_robots_pose(bench_fcl_robots *fcl, const graze_motion *motions, bool *hit, double *seconds) {
    return bench_fcl_robots_edge(fcl, motions, 0, 1, hit, seconds);
}
#endif
