/* Data from a folder in the format of the public datasets: query files and scene folders, at any depth. */
#include "bench/data.h"

#include "io/mesh.h"
#include "io/pairs_json.h"
#include "io/query_csv.h"
#include "io/scene_folder.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* ---- query files ---- */

/* vertex-face or edge-edge by the folder, else by a stem that ends in vf or ee. `name` is what the queries are called:
   the folder above. */
static bool kind_of(const char *path, graze_kind *kind, char *name, size_t size) {
    const char *end = strrchr(path, '/'), *start = end;
    if (!end) return false;
    while (start > path && start[-1] != '/') start--;
    size_t length = (size_t)(end - start);
    bool vf = length == 11 && memcmp(start, "vertex-face", 11) == 0;
    bool ee = length == 9 && memcmp(start, "edge-edge", 9) == 0;
    if (!vf && !ee) {
        const char *dot = strrchr(end, '.');
        if (!dot || dot - end < 3) return false;
        vf = memcmp(dot - 2, "vf", 2) == 0;
        ee = memcmp(dot - 2, "ee", 2) == 0;
    } else if (start > path) {
        end = start - 1;
        start = end;
        while (start > path && start[-1] != '/') start--;
    }
    snprintf(name, size, "%.*s", (int)(end - start), start);
    *kind = vf ? GRAZE_VF : GRAZE_EE;
    return vf || ee;
}

static bool add_query_file(bench_data *data, const char *path, io_error *error) {
    graze_kind kind;
    char name[200];
    if (!kind_of(path, &kind, name, sizeof name))
        return io_fail(error, path, 0, "vertex-face or edge-edge? Neither folder nor name tells");
    io_queries queries;
    if (!io_read_query_csv(path, &queries, error)) return false;
    uint32_t source = bench_data_source(data, name);
    for (size_t i = 0; i < queries.count; i++)
        bench_data_query(data, BENCH_HANDCRAFTED, kind, source, &queries.queries[i],
                         queries.truth ? queries.truth[i] : 2);
    io_free_queries(&queries);
    return true;
}

/* ---- scene folders ---- */

static int by_key(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The truth of a kind as the folder lists it: pairs that are not listed do not collide. */
static bool read_truth(const io_scene_step *step, graze_kind kind, bench_scene *scene, io_error *error) {
    io_id_pairs boxes = {0};
    io_booleans truth = {0};
    if (!io_read_id_pairs(step->boxes[kind], &boxes, error)) return false;
    bool good = io_read_booleans(step->truth[kind], &truth, error);
    if (good && boxes.count != truth.count)
        good = io_fail(error, step->truth[kind], 0, "%zu entries, but %s has %zu pairs", truth.count, step->boxes[kind],
                       boxes.count);
    uint64_t *keys = bench_allocate(boxes.count, sizeof *keys);
    size_t key_count = 0;
    uint64_t edges = scene->mesh.vertex_count, faces = edges + scene->mesh.edge_count;
    for (size_t i = 0; good && i < boxes.count; i++) {
        uint64_t a = boxes.pairs[i][0], b = boxes.pairs[i][1], low = a < b ? a : b, high = a < b ? b : a;
        bool vf = low < edges && high >= faces && high < faces + scene->mesh.face_count;
        bool ee = low >= edges && low < high && high < faces;
        if (kind == GRAZE_VF ? !vf : !ee)
            good = io_fail(error, step->boxes[kind], 0, "entry %zu is not a pair of box ids of this kind", i);
        else if (truth.values[i])
            keys[key_count++] = kind == GRAZE_VF ? low << 32 | (high - faces) : (low - edges) << 32 | (high - edges);
    }
    qsort(keys, key_count, sizeof *keys, by_key);
    for (size_t i = 0; good && i < key_count; i++) scene->unseen += i == 0 || keys[i] != keys[i - 1];
    for (size_t i = 0; good && i < scene->pair_count; i++) {
        const graze_pair *p = &scene->pairs[i];
        uint64_t key = (uint64_t)p->a << 32 | p->b;
        if (p->kind != kind) continue;
        scene->hit[i] = key_count && bsearch(&key, keys, key_count, sizeof key, by_key);
        scene->unseen -= scene->hit[i];
    }
    free(keys);
    io_free_id_pairs(&boxes);
    io_free_booleans(&truth);
    return good;
}

/* Truth by the oracle where the folder has none. */
static bool find_truth(const bench_settings *settings, graze_kind kind, bench_scene *scene, io_error *error) {
    size_t begin = 0, end;
    while (begin < scene->pair_count && scene->pairs[begin].kind < kind) begin++;
    for (end = begin; end < scene->pair_count && scene->pairs[end].kind == kind;) end++;
    bench_truth_job job = {.options = graze_default_truth_options(),
                           .count = end - begin,
                           .scene = scene,
                           .first = begin,
                           .hit = scene->hit + begin};
    return bench_find_truths(settings, &job, "exact truth", error);
}

bool bench_add_step(const bench_settings *settings, bench_data *data, const char *name, const char *frame_a,
                    const char *frame_b, const io_scene_step *step, io_error *error) {
    io_mesh a, b;
    if (!io_read_mesh_pair(frame_a, frame_b, &a, &b, error)) return false;
    bench_scene *scene = bench_data_scene(data, name);
    scene->x0 = a.positions;
    scene->x1 = b.positions;
    scene->faces = a.faces;
    a.positions = b.positions = NULL;
    a.faces = NULL;
    scene->mesh = graze_default_mesh();
    graze_status status =
        graze_mesh_from_faces(data->context, (uint32_t)a.vertex_count, (const uint32_t(*)[3])scene->faces,
                              (uint32_t)a.face_count, &scene->mesh);
    io_free_mesh(&a);
    io_free_mesh(&b);
    if (status != GRAZE_OK) return io_fail(error, frame_a, 0, "edges: %s", graze_status_name(status));
    if (!bench_scene_prepare(settings, data, scene, error)) return false;
    for (int kind = 0; kind < 2; kind++) {
        bool listed = step && step->boxes[kind];
        if (!(listed ? read_truth(step, (graze_kind)kind, scene, error)
                     : find_truth(settings, (graze_kind)kind, scene, error)))
            return false;
    }
    return true;
}

/* The steps with ground truth; the first step where there is none. */
static bool add_scene_folder(const bench_settings *settings, bench_data *data, const char *folder, io_error *error) {
    io_scene scene;
    if (!io_open_scene(folder, &scene, error)) return false;
    size_t length;
    const char *base = io_base_name(folder, &length);
    bool good = true;
    for (size_t s = 0; good && s < scene.step_count; s++) {
        char name[200];
        if (scene.step_count == 1)
            snprintf(name, sizeof name, "%.*s", (int)length, base);
        else
            snprintf(name, sizeof name, "%.*s %llu", (int)length, base, (unsigned long long)scene.steps[s].step);
        good = bench_add_step(settings, data, name, scene.steps[s].frame_a, scene.steps[s].frame_b, &scene.steps[s],
                              error);
    }
    if (scene.step_count == 0 && scene.frames.count >= 2) {
        char name[200];
        snprintf(name, sizeof name, "%.*s", (int)length, base);
        good =
            bench_add_step(settings, data, name, scene.frames.frames[0].path, scene.frames.frames[1].path, NULL, error);
    }
    io_free_scene(&scene);
    return good;
}

/* ---- walking ---- */

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static bool walk(const bench_settings *settings, bench_data *data, const char *folder, int depth, io_error *error) {
    char *frames = io_join_path(folder, "frames");
    if (!frames) return io_fail(error, folder, 0, "out of memory");
    bool is_scene = io_is_folder(frames);
    free(frames);
    if (is_scene) return add_scene_folder(settings, data, folder, error);
    io_paths files = {0};
    bool good = io_list_folder(folder, ".csv", false, &files, error);
    for (size_t i = 0; good && i < files.count; i++) good = add_query_file(data, files.paths[i], error);
    io_free_paths(&files);
    if (!good || depth == 0) return good;
    DIR *stream = opendir(folder);
    if (!stream) return io_fail(error, folder, 0, "cannot be read");
    char **below = NULL;
    size_t count = 0, capacity = 0;
    const struct dirent *entry;
    while ((entry = readdir(stream))) {
        if (entry->d_name[0] == '.') continue;
        char *path = io_join_path(folder, entry->d_name);
        if (!path || !io_is_folder(path)) {
            free(path);
            continue;
        }
        below = bench_grow(below, count, &capacity, sizeof *below);
        below[count++] = path;
    }
    closedir(stream);
    if (count) qsort(below, count, sizeof *below, by_name);
    for (size_t i = 0; i < count; i++) {
        good = good && walk(settings, data, below[i], depth - 1, error);
        free(below[i]);
    }
    free(below);
    return good;
}

bool bench_read_folder(const bench_settings *settings, bench_data *data, io_error *error) {
    enum { DEPTH = 8 };
    if (!io_is_folder(settings->data)) return io_fail(error, settings->data, 0, "is not a folder");
    if (!walk(settings, data, settings->data, DEPTH, error)) return false;
    size_t count = data->scene_count;
    for (int kind = 0; kind < 2; kind++) count += data->sets[BENCH_HANDCRAFTED][kind].count;
    return count > 0 || io_fail(error, settings->data, 0, "neither query files nor scene folders in it");
}
