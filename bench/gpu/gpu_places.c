/* Places of positions and pairs: brought from the host and back in every call, or left on the device. Two different
   steps alternate, as in a simulator: nothing that one found is of use to the next. */
#include "bench/gpu/device_memory.h"
#include "bench/gpu/gpu.h"

#include <stdint.h>
#include <stdlib.h>

static const bench_column columns[] = {
    {"scene", "scene", NULL},
    {"mode", "mode", NULL},
    {"triangles", "triangles", NULL},
    {"ms_uploaded", "uploaded and downloaded, least", "ms"},
    {"ms_uploaded_median", "median", "ms"},
    {"ms_device", "on the device, least", "ms"},
    {"ms_device_median", "median", "ms"},
};

typedef const double (*positions)[3];

/* The steps of a scene in one place. */
typedef struct placed_steps {
    const bench_scene *scene;
    graze_memory place;
    positions x0, x1[2]; /* the second end is a little nearer */
    graze_step_mode mode;
    int turn;
    bench_times times;
    graze_step_result result; /* of the first */
} placed_steps;

static graze_status ask(gpu_run *run, void *state) {
    placed_steps *p = state;
    graze_step_options options = graze_default_step_options();
    options.mode = p->mode;
    options.backend = GRAZE_BACKEND_CUDA;
    options.positions_in = p->place;
    if (p->mode == GRAZE_STEP_ALL) options.pairs_in = p->place;
    graze_step_release(run->context, &p->result);
    p->turn = !p->turn;
    return graze_step(run->context, &p->scene->mesh, p->x0, p->x1[p->turn], &options, &p->result);
}

/* Times both steps in turn; then the result is that of the first. */
static bool measure(gpu_run *run, placed_steps *p, graze_step_mode mode, io_error *error) {
    p->mode = mode;
    p->result = graze_default_step_result();
    if (!gpu_time(run, run->context, p->scene->name, ask, p, &p->times, error)) return false;
    p->turn = 1;
    graze_status status = ask(run, p);
    return status == GRAZE_OK || bench_call_failed(run->context, p->scene->name, status, error);
}

/* The list of the one is on the device, which was used last: it is brought here. */
static void compare(gpu_run *run, const bench_device *device, const placed_steps places[2]) {
    const char *name = places[0].scene->name;
    graze_step_result there = places[1].result;
    size_t size = there.pair_count * sizeof *there.pairs;
    if (there.pair_count) there.pairs = bench_allocate(there.pair_count, sizeof *there.pairs);
    if (bench_device_fetch(device, there.device_pairs, there.pairs, size))
        gpu_compare_steps(run, name, &places[0].result, &there);
    else
        gpu_differs(run, "%s: the pairs left on the device cannot be read", name);
    free(there.pairs);
}

static void add_row(bench_table *table, const placed_steps places[2], int count) {
    const bench_scene *scene = places[0].scene;
    bench_cell *row = bench_add_row(table);
    row[0] = bench_text("%s", scene->name);
    row[1] = bench_text("%s", graze_step_mode_name(places[0].mode));
    row[2] = bench_count(scene->mesh.face_count);
    for (int i = 0; i < count; i++) {
        row[3 + 2 * i] = bench_number(1e3 * bench_times_least(&places[i].times));
        row[4 + 2 * i] = bench_number(1e3 * bench_times_median(&places[i].times));
    }
}

/* `count` of the places are there. */
static bool measure_places(gpu_run *run, bench_table *table, const bench_device *device, placed_steps places[2],
                           int count, io_error *error) {
    static const graze_step_mode modes[] = {GRAZE_STEP_EARLIEST, GRAZE_STEP_ALL};
    bool good = true;
    for (int m = 0; good && m < 2; m++) {
        for (int i = 0; good && i < count; i++) good = measure(run, &places[i], modes[m], error);
        bool whole = good && !bench_stopped(run->settings); /* a step that was stopped is no answer */
        if (whole && count == 2) compare(run, device, places);
        if (whole) add_row(table, places, count);
        for (int i = 0; i < count; i++) graze_step_release(run->context, &places[i].result);
    }
    return good;
}

static positions address(bench_address there) { return (positions)(uintptr_t)there; }

/* `device` may be NULL. */
static bool add_scene(gpu_run *run, bench_table *table, const bench_device *device, const bench_scene *scene,
                      io_error *error) {
    size_t count = scene->mesh.vertex_count, size = count * sizeof *scene->x0;
    double(*shorter)[3] = bench_allocate(count, sizeof *shorter);
    for (size_t v = 0; v < count; v++)
        for (int c = 0; c < 3; c++)
            shorter[v][c] = scene->x0[v][c] + (1 - 0x1p-10) * (scene->x1[v][c] - scene->x0[v][c]);
    const positions from[3] = {(positions)scene->x0, (positions)scene->x1, (positions)shorter};
    bench_address there[3] = {0, 0, 0};
    for (int i = 0; device && i < 3; i++) there[i] = bench_device_copy(device, from[i], size);
    placed_steps places[2] = {{scene, GRAZE_MEMORY_HOST, from[0], {from[1], from[2]}},
                              {scene, GRAZE_MEMORY_DEVICE, address(there[0]), {address(there[1]), address(there[2])}}};
    bool good = measure_places(run, table, device, places, there[0] && there[1] && there[2] ? 2 : 1, error);
    for (int i = 0; i < 3; i++) bench_device_free(device, there[i]);
    free(shorter);
    return good;
}

bool gpu_places(gpu_run *run, const bench_data *data, io_error *error) {
    static const uint64_t sheets[] = {100000, 1000000, 4000000, 20000000};
    size_t sizes = run->settings->quick ? 1 : sizeof sheets / sizeof *sheets;
    bench_device device;
    bool found = bench_device_open(&device, run->settings->device ? (int)run->settings->device - 1 : 0), good = true;
    bench_add_heading(run->report, "Places");
    bench_table *table = bench_add_table(run->report, "gpu-places", "Where positions and pairs lie",
                                         "Wall time of graze_step with a kept context, two different steps in turn; "
                                         "in plain memory of the host, or with positions_in and in mode all pairs_in "
                                         "on the device.",
                                         columns, sizeof columns / sizeof *columns);
    for (size_t s = 0; good && s < data->scene_count && !bench_stopped(run->settings); s++)
        good = add_scene(run, table, found ? &device : NULL, &data->scenes[s], error);
    if (good && !bench_stopped(run->settings)) {
        bench_scene poles;
        good = gpu_poles(run, &poles, error) && add_scene(run, table, found ? &device : NULL, &poles, error);
        bench_sheets_free(run->context, &poles);
    }
    for (size_t i = 0; good && i < sizes && !bench_stopped(run->settings); i++) {
        bench_scene scene;
        bench_progress(run->settings, "places", 0.4 + 0.05 * (double)i);
        good = bench_sheets(run->settings, run->context, sheets[i], &scene, error) &&
               add_scene(run, table, found ? &device : NULL, &scene, error);
        bench_sheets_free(run->context, &scene);
    }
    return good;
}
