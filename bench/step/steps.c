#include "bench/step/steps.h"

#include "scenes/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- contexts ---- */

uint32_t bench_threads(const bench_settings *settings, io_error *error) {
    graze_context *context = bench_context(settings, settings->threads, 0, error);
    uint32_t threads = context ? graze_context_threads(context) : 0;
    graze_context_destroy(context);
    return threads;
}

bool bench_call_failed(const graze_context *context, const char *name, graze_status status, io_error *error) {
    graze_error what = {0};
    graze_context_last_error(context, &what);
    return io_fail(error, name, 0, "%s", what.message[0] ? what.message : graze_status_name(status));
}

/* ---- scenes that grow ---- */

/* Corner (i, j) of a sheet: on a grid of unit cells, moved about by a fraction of a cell. */
static void put_corner(scene_random *random, uint32_t i, uint32_t j, double height, double motion, double x0[3],
                       double x1[3]) {
    double shift[6];
    for (int k = 0; k < 6; k++) shift[k] = scene_random_unit(random) - 0.5;
    x0[0] = i + 0.4 * shift[0];
    x0[1] = j + 0.4 * shift[1];
    x0[2] = height + 0.5 * shift[2];
    x1[0] = x0[0] + 0.3 * shift[3];
    x1[1] = x0[1] + 0.3 * shift[4];
    x1[2] = x0[2] + motion + 0.3 * shift[5];
}

bool bench_sheets(const bench_settings *settings, graze_context *owner, uint64_t triangles, bench_scene *scene,
                  io_error *error) {
    uint32_t cells = (uint32_t)fmax(1, round(sqrt((double)triangles / 4))), corners = cells + 1;
    size_t sheet = (size_t)corners * corners, faces = (size_t)4 * cells * cells, face = 0;
    *scene = (bench_scene){.name = bench_copy("sheets")};
    scene->x0 = bench_allocate(2 * sheet, sizeof *scene->x0);
    scene->x1 = bench_allocate(2 * sheet, sizeof *scene->x1);
    scene->faces = bench_allocate(faces, sizeof *scene->faces);
    scene_random random = {settings->seed};
    for (uint32_t s = 0; s < 2; s++)
        for (uint32_t i = 0; i < corners; i++)
            for (uint32_t j = 0; j < corners; j++) {
                uint32_t at = (uint32_t)(s * sheet + (size_t)i * corners + j);
                /* half a cell apart sideways too, so that no corner is above another */
                put_corner(&random, i, j, s ? 1 : 0, s ? -0.3 : 0.3, scene->x0[at], scene->x1[at]);
                scene->x0[at][0] += s ? 0.5 : 0;
                scene->x1[at][0] += s ? 0.5 : 0;
                if (i == cells || j == cells) continue;
                memcpy(scene->faces[face++], (uint32_t[3]){at, at + 1, at + corners}, sizeof *scene->faces);
                memcpy(scene->faces[face++], (uint32_t[3]){at + 1, at + corners + 1, at + corners},
                       sizeof *scene->faces);
            }
    scene->mesh = graze_default_mesh();
    graze_status status = graze_mesh_from_faces(owner, (uint32_t)(2 * sheet), (const uint32_t(*)[3])scene->faces,
                                                (uint32_t)faces, &scene->mesh);
    return status == GRAZE_OK || bench_call_failed(owner, scene->name, status, error);
}

void bench_sheets_free(graze_context *owner, bench_scene *scene) {
    graze_mesh_release(owner, &scene->mesh);
    free(scene->name);
    free(scene->x0);
    free(scene->x1);
    free(scene->faces);
    *scene = (bench_scene){0};
}

uint64_t bench_boxes(const bench_scene *scene) {
    return (uint64_t)scene->mesh.vertex_count + scene->mesh.edge_count + scene->mesh.face_count;
}

const bench_scene *bench_largest_scene(const bench_data *data) {
    const bench_scene *scene = &data->scenes[0];
    for (size_t s = 1; s < data->scene_count; s++)
        if (bench_boxes(&data->scenes[s]) > bench_boxes(scene)) scene = &data->scenes[s];
    return scene;
}

/* ---- numbers of threads ---- */

uint32_t bench_next_threads(uint32_t threads, uint32_t all) {
    uint32_t next = threads < 8 ? threads + 1 : 2 * threads;
    return threads < all && next > all ? all : next;
}

void bench_add_perfect_scaling(bench_plot *plot, uint32_t threads) {
    bench_series *series = bench_add_series(plot, NULL, "perfect");
    for (uint32_t t = 1; t <= threads; t = bench_next_threads(t, threads)) bench_add_point(series, t, t);
}

/* ---- frames ---- */

size_t bench_frame_steps(const bench_scene *scene) { return scene->frame_count ? scene->frame_count - 1 : 0; }

bench_scene bench_frame_step(const bench_scene *scene, size_t step) {
    return (bench_scene){.name = scene->name,
                         .mesh = scene->mesh,
                         .faces = scene->faces,
                         .x0 = scene->frames[step],
                         .x1 = scene->frames[step + 1]};
}

/* ---- times ---- */

bool bench_times_more(const bench_times *times, uint64_t repeat, double budget) {
    if (times->count == 0) return true;
    if (times->count >= repeat || times->count >= BENCH_MOST_TIMES) return false;
    return times->spent * (1 + 1 / (double)times->count) <= budget;
}

void bench_times_add(bench_times *times, double seconds) {
    size_t at = times->count++;
    for (; at > 0 && times->all[at - 1] > seconds; at--) times->all[at] = times->all[at - 1];
    times->all[at] = seconds;
    times->spent += seconds;
}

double bench_times_least(const bench_times *times) { return times->count ? times->all[0] : NAN; }

double bench_times_median(const bench_times *times) { return times->count ? times->all[times->count / 2] : NAN; }

/* ---- growth ---- */

void bench_growth_add(bench_growth *growth, double size, double seconds) {
    if (growth->count == BENCH_MOST_SIZES || !(seconds > 0)) return;
    growth->size[growth->count] = size;
    growth->seconds[growth->count++] = seconds;
}

double bench_growth_exponent(const bench_growth *growth) {
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < growth->count; i++) {
        mean_x += log(growth->size[i]) / (double)growth->count;
        mean_y += log(growth->seconds[i]) / (double)growth->count;
    }
    for (size_t i = 0; i < growth->count; i++) {
        double x = log(growth->size[i]) - mean_x, y = log(growth->seconds[i]) - mean_y;
        xx += x * x;
        xy += x * y;
    }
    return growth->count > 1 && xx > 0 ? xy / xx : NAN;
}

double bench_growth_expect(const bench_growth *growth, double size) {
    if (growth->count == 0) return NAN;
    size_t last = growth->count - 1;
    double slope = 1;
    if (last > 0) {
        double ratio = growth->size[last] / growth->size[last - 1];
        slope = log(growth->seconds[last] / growth->seconds[last - 1]) / log(ratio);
    }
    return growth->seconds[last] * pow(size / growth->size[last], fmax(slope, 1));
}

size_t bench_growth_sizes(double first, double last, uint64_t sizes[BENCH_MOST_SIZES]) {
    size_t count = 0;
    for (double size = first; size < last * 0.99 && count < BENCH_MOST_SIZES - 1; size *= sqrt(10))
        sizes[count++] = (uint64_t)size;
    sizes[count++] = (uint64_t)last;
    return count;
}
