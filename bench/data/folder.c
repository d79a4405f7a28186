/* Data from a folder in the format of the public datasets: query files and scene folders, at any depth. */
#include "bench/data/data.h"

#include "io/mesh.h"
#include "io/query_csv.h"
#include "io/scene_truth.h"

#include <stdlib.h>
#include <string.h>

/* ---- query files ---- */

/* Name for the queries of a file: its folder, or the one above vertex-face and edge-edge. */
static void name_of(const char *path, char *name, size_t size) {
    const char *end = strrchr(path, '/'), *start = end;
    while (start && start > path && start[-1] != '/') start--;
    size_t length = end ? (size_t)(end - start) : 0;
    if (start > path && ((length == 11 && memcmp(start, "vertex-face", 11) == 0) ||
                         (length == 9 && memcmp(start, "edge-edge", 9) == 0))) {
        end = start - 1;
        start = end;
        while (start > path && start[-1] != '/') start--;
    }
    snprintf(name, size, "%.*s", end ? (int)(end - start) : 0, start ? start : "");
}

static bool add_query_file(bench_data *data, const char *path, io_error *error) {
    int told = io_query_kind_of(path);
    if (told < 0) return io_fail(error, path, 0, "vertex-face or edge-edge? Neither folder nor name tells");
    graze_kind kind = told == 0 ? GRAZE_VF : GRAZE_EE;
    char name[200];
    name_of(path, name, sizeof name);
    io_queries queries;
    if (!io_read_query_csv(path, &queries, error)) return false;
    uint32_t source = bench_data_source(data, name);
    data->files = bench_grow(data->files, data->file_count, &data->file_capacity, sizeof *data->files);
    const char *file = data->files[data->file_count++] = bench_copy(path);
    bench_queries *set = &data->sets[BENCH_HANDCRAFTED][kind];
    for (size_t i = 0; i < queries.count; i++) {
        size_t before = set->count;
        bench_data_query(data, BENCH_HANDCRAFTED, kind, source, &queries.queries[i],
                         queries.truth ? queries.truth[i] : 2);
        if (set->count > before) set->origin[before] = (bench_origin){file, i};
    }
    io_free_queries(&queries);
    return true;
}

/* ---- scene folders ---- */

/* The truth of a kind as the folder lists it: pairs that are not listed do not collide. */
static bool read_truth(const io_scene_step *step, graze_kind kind, bench_scene *scene, io_error *error) {
    io_scene_truth truth;
    if (!io_read_scene_truth(step, (int)kind, &scene->mesh, &truth, error)) return false;
    scene->unseen += truth.colliding_count;
    for (size_t i = 0; i < scene->pair_count; i++) {
        const graze_pair *p = &scene->pairs[i];
        if (p->kind != kind) continue;
        scene->hit[i] = io_has_key(truth.colliding, truth.colliding_count, io_pair_key(p->a, p->b));
        scene->unseen -= scene->hit[i];
    }
    io_free_scene_truth(&truth);
    return true;
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

bool bench_read_frames(bench_data *data, const char *const *paths, size_t count, io_error *error) {
    bench_scene *scene = &data->scenes[data->scene_count - 1];
    size_t first = count > BENCH_MOST_FRAMES ? count - BENCH_MOST_FRAMES : 0;
    for (size_t i = first; data->with_frames && i < count; i++) {
        io_mesh mesh;
        if (!io_read_mesh(paths[i], &mesh, error)) return false;
        bool same = mesh.vertex_count == scene->mesh.vertex_count;
        if (same) bench_scene_frame(data, scene, (const double(*)[3])mesh.positions);
        io_free_mesh(&mesh);
        if (!same) return io_fail(error, paths[i], 0, "another number of vertices than in the frames of its step");
    }
    return true;
}

/* The frames up to one of them, as far as they follow each other. */
static bool read_frames_to(bench_data *data, const io_frames *frames, const char *last, io_error *error) {
    const char *paths[BENCH_MOST_FRAMES];
    size_t end = 0, first, count = 0;
    while (end + 1 < frames->count && strcmp(frames->frames[end].path, last) != 0) end++;
    for (first = end; first > 0 && end - first + 1 < BENCH_MOST_FRAMES; first--)
        if (frames->frames[first - 1].step + 1 != frames->frames[first].step) break;
    for (size_t i = first; i <= end && i < frames->count; i++) paths[count++] = frames->frames[i].path;
    return bench_read_frames(data, paths, count, error);
}

/* The steps with ground truth, the last of them with the frames before it; the first step where there is none. */
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
        good = bench_add_step(settings, data, name, scene.steps[s].frame_a, scene.steps[s].frame_b,
                              scene.sampled ? NULL : &scene.steps[s], error);
    }
    if (good && scene.step_count)
        good = read_frames_to(data, &scene.frames, scene.steps[scene.step_count - 1].frame_b, error);
    if (scene.step_count == 0 && scene.frames.count >= 2) {
        char name[200];
        snprintf(name, sizeof name, "%.*s", (int)length, base);
        good = bench_add_step(settings, data, name, scene.frames.frames[0].path, scene.frames.frames[1].path, NULL,
                              error) &&
               read_frames_to(data, &scene.frames, scene.frames.frames[scene.frames.count - 1].path, error);
    }
    io_free_scene(&scene);
    return good;
}

/* ---- walking ---- */

typedef struct reading {
    const bench_settings *settings;
    bench_data *data;
} reading;

/* A scene folder is taken as a whole; of any other its query files, and what is below it. */
static bool read_one_folder(void *user, const char *folder, bool *deeper, io_error *error) {
    const reading *to = user;
    char *frames = io_join_path(folder, "frames");
    if (!frames) return io_fail(error, folder, 0, "out of memory");
    *deeper = !io_is_folder(frames);
    free(frames);
    if (!*deeper) return add_scene_folder(to->settings, to->data, folder, error);
    io_paths files = {0};
    bool good = io_list_folder(folder, ".csv", false, &files, error);
    for (size_t i = 0; good && i < files.count; i++) good = add_query_file(to->data, files.paths[i], error);
    io_free_paths(&files);
    return good;
}

bool bench_read_folder(const bench_settings *settings, bench_data *data, io_error *error) {
    if (!io_is_folder(settings->data)) return io_fail(error, settings->data, 0, "is not a folder");
    reading to = {settings, data};
    if (!io_walk_folders(settings->data, read_one_folder, &to, error)) return false;
    size_t count = data->scene_count;
    for (int kind = 0; kind < 2; kind++) count += data->sets[BENCH_HANDCRAFTED][kind].count;
    return count > 0 || io_fail(error, settings->data, 0, "neither query files nor scene folders in it");
}
