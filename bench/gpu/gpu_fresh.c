/* First steps of contexts, and the scene whose poles touch. */
#include "bench/gpu/gpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- spheres ---- */

#define SPHERES 8u
#define CELLS 96u /* around a sphere, and from pole to pole */
#define CORNERS (CELLS * (CELLS - 1) + 2)
#define FACES (2 * CELLS * (CELLS - 1))

/* Corner 0 is the lower pole, the last one the upper pole. */
static uint32_t corner(uint32_t ring, uint32_t around) {
    return ring == 0 ? 0 : ring == CELLS ? CORNERS - 1 : 1 + (ring - 1) * CELLS + around % CELLS;
}

static void place(uint32_t sphere, uint32_t ring, uint32_t around, double turn, double x[3]) {
    double up = acos(-1) * ring / CELLS, angle = 2 * acos(-1) * around / CELLS + turn;
    bool pole = ring == 0 || ring == CELLS;
    x[0] = pole ? 0 : sin(up) * cos(angle);
    x[1] = pole ? 0 : sin(up) * sin(angle);
    x[2] = 2.0 * sphere - (ring == 0 ? 1 : ring == CELLS ? -1 : cos(up));
}

static void add_sphere(uint32_t sphere, bench_scene *scene, uint32_t (*faces)[3]) {
    uint32_t first = sphere * CORNERS;
    for (uint32_t ring = 0; ring <= CELLS; ring++)
        for (uint32_t around = 0; around < CELLS; around++) {
            uint32_t a = corner(ring, around), b = corner(ring, around + 1);
            uint32_t c = corner(ring + 1, around), d = corner(ring + 1, around + 1);
            place(sphere, ring, around, 0, scene->x0[first + a]);
            place(sphere, ring, around, sphere % 2 ? 0.02 : -0.02, scene->x1[first + a]);
            scene->x1[first + a][2] += 0x1p-6 * (0.5 * (SPHERES - 1) - sphere); /* towards each other */
            if (ring == CELLS) continue;
            if (ring > 0) memcpy(faces++, (uint32_t[3]){first + a, first + b, first + d}, sizeof *faces);
            if (ring + 1 < CELLS) memcpy(faces++, (uint32_t[3]){first + a, first + d, first + c}, sizeof *faces);
        }
}

bool gpu_poles(gpu_run *run, bench_scene *scene, io_error *error) {
    *scene = (bench_scene){.name = bench_copy("spheres that touch at their poles"), .mesh = graze_default_mesh()};
    scene->x0 = bench_allocate(SPHERES * CORNERS, sizeof *scene->x0);
    scene->x1 = bench_allocate(SPHERES * CORNERS, sizeof *scene->x1);
    scene->faces = bench_allocate(SPHERES * FACES, sizeof *scene->faces);
    for (uint32_t sphere = 0; sphere < SPHERES; sphere++) add_sphere(sphere, scene, scene->faces + sphere * FACES);
    graze_status status = graze_mesh_from_faces(run->context, SPHERES * CORNERS, (const uint32_t(*)[3])scene->faces,
                                                SPHERES * FACES, &scene->mesh);
    return status == GRAZE_OK || bench_call_failed(run->context, scene->name, status, error);
}

/* ---- first steps ---- */

#define TRIALS 9u

static const bench_column columns[] = {
    {"scene", "scene", NULL},
    {"triangles", "triangles", NULL},
    {"ms_least", "first step, least", "ms"},
    {"ms_median", "median", "ms"},
};

static bool add_row(gpu_run *run, bench_table *table, const bench_scene *scene, io_error *error) {
    bench_times times = {.count = 0};
    graze_step_options options = graze_default_step_options();
    options.backend = GRAZE_BACKEND_CUDA;
    for (uint32_t i = 0; i < TRIALS && !bench_stopped(run->settings); i++) {
        graze_step_result result = graze_default_step_result();
        graze_context *context = bench_context(run->settings, run->settings->threads, 0, error);
        if (!context) return false;
        double begin = bench_seconds();
        graze_status status = graze_step(context, &scene->mesh, (const double(*)[3])scene->x0,
                                         (const double(*)[3])scene->x1, &options, &result);
        bench_times_add(&times, bench_seconds() - begin);
        bool good = status == GRAZE_OK || bench_call_failed(context, scene->name, status, error);
        graze_step_release(context, &result);
        graze_context_destroy(context);
        if (!good) return false;
    }
    if (!times.count) return true;
    bench_cell *row = bench_add_row(table);
    row[0] = bench_text("%s", scene->name);
    row[1] = bench_count(scene->mesh.face_count);
    row[2] = bench_number(1e3 * bench_times_least(&times));
    row[3] = bench_number(1e3 * bench_times_median(&times));
    return true;
}

bool gpu_fresh(gpu_run *run, const bench_data *data, io_error *error) {
    bench_scene poles;
    bench_add_heading(run->report, "First steps");
    bench_table *table = bench_add_table(run->report, "gpu-fresh", "The first step of a context",
                                         "Wall time of graze_step, mode earliest; the device is open.", columns,
                                         sizeof columns / sizeof *columns);
    for (size_t s = 0; s < data->scene_count && !bench_stopped(run->settings); s++)
        if (!add_row(run, table, &data->scenes[s], error)) return false;
    bool good = gpu_poles(run, &poles, error) && add_row(run, table, &poles, error);
    bench_sheets_free(run->context, &poles);
    return good;
}
