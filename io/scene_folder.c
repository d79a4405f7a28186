#include "io/scene_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* 0 for "92vf.json", 1 for "92ee.json", −1 for other names. */
static int kind_of(const char *path) {
    size_t length = strlen(path);
    if (length < 7 || strcmp(path + length - 5, ".json") != 0) return -1;
    if (memcmp(path + length - 7, "vf", 2) == 0) return 0;
    return memcmp(path + length - 7, "ee", 2) == 0 ? 1 : -1;
}

static io_scene_step *step_numbered(io_scene *scene, uint64_t number) {
    for (size_t i = 0; i < scene->step_count; i++)
        if (scene->steps[i].step == number) return &scene->steps[i];
    io_scene_step *step = &scene->steps[scene->step_count++];
    step->step = number;
    for (size_t i = 0; i < scene->frames.count; i++) {
        if (scene->frames.frames[i].step == number) step->frame_a = scene->frames.frames[i].path;
        if (scene->frames.frames[i].step == number + 1) step->frame_b = scene->frames.frames[i].path;
    }
    return step;
}

/* "folder/kind/STEM" + tail beside the boxes file "folder/boxes/STEM.json". */
static char *sibling(const char *folder, const char *kind, const char *boxes, const char *tail) {
    size_t length;
    const char *name = io_base_name(boxes, &length);
    size_t size = strlen(folder) + strlen(kind) + length + strlen(tail) + 3;
    char *path = malloc(size);
    if (path) snprintf(path, size, "%s/%s/%.*s%s", folder, kind, (int)(length - 5), name, tail);
    return path;
}

static bool take_boxes(const char *folder, io_scene *scene, const char *path, io_error *error) {
    uint64_t number;
    int kind = kind_of(path);
    if (kind < 0 || !io_step_of(path, &number)) return true;
    io_scene_step *step = step_numbered(scene, number);
    if (!step->frame_a || !step->frame_b)
        return io_fail(error, path, 0, "frame %llu of this step is missing",
                       (unsigned long long)(step->frame_a ? number + 1 : number));
    if (step->boxes[kind]) return io_fail(error, path, 0, "a second list of boxes for this step");
    step->boxes[kind] = malloc(strlen(path) + 1);
    step->truth[kind] = sibling(folder, "mma_bool", path, "_mma_bool.json");
    step->queries[kind] = sibling(folder, "queries", path, ".csv");
    if (!step->boxes[kind] || !step->truth[kind] || !step->queries[kind])
        return io_fail(error, path, 0, "out of memory");
    strcpy(step->boxes[kind], path);
    if (access(step->truth[kind], F_OK) != 0)
        return io_fail(error, step->truth[kind], 0, "missing: the truth of the pairs in boxes");
    if (access(step->queries[kind], F_OK) != 0) {
        free(step->queries[kind]);
        step->queries[kind] = NULL;
    }
    return true;
}

static int by_step(const void *a, const void *b) {
    uint64_t x = ((const io_scene_step *)a)->step, y = ((const io_scene_step *)b)->step;
    return (x > y) - (x < y);
}

static bool has_file(const char *folder, const char *name) {
    char *path = io_join_path(folder, name);
    bool there = path && access(path, F_OK) == 0;
    free(path);
    return there;
}

bool io_open_scene(const char *folder, io_scene *scene, io_error *error) {
    *scene = (io_scene){.sampled = has_file(folder, IO_SCENE_SAMPLE)};
    if (has_file(folder, IO_SCENE_INCOMPLETE))
        return io_fail(error, folder, 0,
                       "its lists are not complete (%s): `graze dataset --make` was cut off, and goes on",
                       IO_SCENE_INCOMPLETE);
    if (!io_list_frames(folder, &scene->frames, error)) return false;
    char *boxes = io_join_path(folder, "boxes");
    io_paths lists = {0};
    bool good = boxes != NULL || io_fail(error, folder, 0, "out of memory");
    if (good && io_is_folder(boxes)) good = io_list_folder(boxes, ".json", false, &lists, error);
    free(boxes);
    scene->steps = good ? calloc(lists.count ? lists.count : 1, sizeof *scene->steps) : NULL;
    if (good && !scene->steps) good = io_fail(error, folder, 0, "out of memory");
    for (size_t i = 0; good && i < lists.count; i++) good = take_boxes(folder, scene, lists.paths[i], error);
    if (good && scene->step_count) qsort(scene->steps, scene->step_count, sizeof *scene->steps, by_step);
    io_free_paths(&lists);
    if (!good) io_free_scene(scene);
    return good;
}

void io_free_scene(io_scene *scene) {
    for (size_t i = 0; i < scene->step_count; i++)
        for (int kind = 0; kind < 2; kind++) {
            free(scene->steps[i].boxes[kind]);
            free(scene->steps[i].truth[kind]);
            free(scene->steps[i].queries[kind]);
        }
    free(scene->steps);
    io_free_frames(&scene->frames);
    *scene = (io_scene){0};
}
