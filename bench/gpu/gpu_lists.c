/* Candidates and mode vertices on both. */
#include "bench/gpu/gpu.h"

#include <stdlib.h>
#include <string.h>

/* Found pairs, or times of vertices. */
typedef struct found_list {
    graze_pair *pairs;
    double *times;
    size_t count;
    graze_step_result result;
} found_list;

static const bench_column columns[] = {
    {"scene", "scene", NULL},         {"what", "what", NULL},
    {"triangles", "triangles", NULL}, {"count", "pairs listed, or vertices that stop", NULL},
    {"ms_cpu", "CPU, least", "ms"},   {"ms_gpu", "GPU, least", "ms"},
    {"ratio", "GPU faster by", NULL},
};

static void free_found(const gpu_run *run, found_list *found) {
    if (found->pairs) graze_pairs_release(run->context, found->pairs, found->count);
    found->pairs = NULL;
}

typedef struct asked_list {
    const bench_scene *scene;
    graze_backend backend;
    found_list *found;
} asked_list;

static graze_status ask(gpu_run *run, void *state) {
    const asked_list *asked = state;
    const bench_scene *scene = asked->scene;
    found_list *found = asked->found;
    const double(*x0)[3] = (const double(*)[3])scene->x0, (*x1)[3] = (const double(*)[3])scene->x1;
    graze_step_options options = graze_default_step_options();
    options.backend = asked->backend;
    free_found(run, found);
    if (!found->times)
        return graze_candidates(run->context, &scene->mesh, x0, x1, &options, &found->pairs, &found->count);
    options.mode = GRAZE_STEP_VERTICES;
    options.vertex_toi = found->times;
    return graze_step(run->context, &scene->mesh, x0, x1, &options, &found->result);
}

static void compare(gpu_run *run, const bench_scene *scene, const found_list found[2]) {
    if (found[0].times) {
        gpu_compare_steps(run, scene->name, &found[0].result, &found[1].result);
        run->answers += scene->mesh.vertex_count;
        for (uint32_t v = 0; v < scene->mesh.vertex_count; v++)
            if (memcmp(&found[0].times[v], &found[1].times[v], sizeof(double)) != 0)
                gpu_differs(run, "%s: vertex %u may go to %.17g and %.17g", scene->name, v, found[0].times[v],
                            found[1].times[v]);
        return;
    }
    run->answers += found[0].count;
    if (found[0].count != found[1].count)
        gpu_differs(run, "%s: %zu and %zu candidates", scene->name, found[0].count, found[1].count);
    else
        for (size_t i = 0; i < found[0].count; i++)
            if (memcmp(&found[0].pairs[i], &found[1].pairs[i], sizeof(graze_pair)) != 0)
                gpu_differs(run, "%s: candidate %zu", scene->name, i);
}

static bool add_row(gpu_run *run, bench_table *table, const bench_scene *scene, bool vertices, io_error *error) {
    static const graze_backend backends[] = {GRAZE_BACKEND_CPU, GRAZE_BACKEND_CUDA};
    found_list found[2] = {{.result = graze_default_step_result()}, {.result = graze_default_step_result()}};
    bench_times times[2];
    bool good = true;
    for (int i = 0; i < 2 && good; i++) {
        if (vertices) found[i].times = bench_allocate(scene->mesh.vertex_count, sizeof(double));
        asked_list asked = {scene, backends[i], &found[i]};
        good = gpu_time(run, run->context, scene->name, ask, &asked, &times[i], error);
    }
    if (good && !bench_stopped(run->settings)) {
        compare(run, scene, found);
        size_t count = found[1].count;
        for (uint32_t v = 0; vertices && v < scene->mesh.vertex_count; v++) count += found[1].times[v] < 1;
        double cpu = 1e3 * bench_times_least(&times[0]), gpu = 1e3 * bench_times_least(&times[1]);
        bench_cell *row = bench_add_row(table);
        row[0] = bench_text("%s", scene->name);
        row[1] = bench_text("%s", vertices ? "mode vertices" : "candidates");
        row[2] = bench_count(scene->mesh.face_count);
        row[3] = bench_count(count);
        row[4] = bench_number(cpu);
        row[5] = bench_number(gpu);
        row[6] = bench_number(cpu / gpu);
    }
    for (int i = 0; i < 2; i++) {
        free_found(run, &found[i]);
        free(found[i].times);
    }
    return good;
}

bool gpu_lists(gpu_run *run, const bench_data *data, io_error *error) {
    bench_add_heading(run->report, "Candidates and vertices");
    bench_table *table = bench_add_table(run->report, "gpu-lists", "Candidates, and how far each vertex may go",
                                         "Wall time of graze_candidates and of graze_step in mode vertices, kept "
                                         "context; lists and times are downloaded in every call.",
                                         columns, sizeof columns / sizeof *columns);
    for (size_t s = 0; s < data->scene_count && !bench_stopped(run->settings); s++)
        for (int vertices = 0; vertices < 2; vertices++)
            if (!add_row(run, table, &data->scenes[s], vertices, error)) return false;
    return true;
}
