/* graze scene: writes a procedural scene as PLY frames. */
#include "app/app.h"
#include "app/complete.h"
#include "app/folders.h"
#include "cli/commands.h"

#include "io/mesh.h"
#include "scenes/scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    const scene_info *scene;
    const char *folder;
    uint32_t frames;
    size_t vertices, faces;
    app_progress progress;
} writer;

static char *frame_path(const writer *w, uint32_t frame) {
    return app_text("%s/frames/%s_%u.ply", w->folder, w->scene->name, (unsigned)frame);
}

static bool write_frame(void *user, uint32_t frame, const scene_mesh *mesh) {
    writer *w = user;
    io_error error;
    char *path = frame_path(w, frame);
    if (!io_write_ply(path, (const double(*)[3])mesh->positions, mesh->vertex_count, (const uint32_t(*)[3])mesh->faces,
                      mesh->face_count, &error))
        app_fail("scene: %s", error.message);
    free(path);
    w->vertices = mesh->vertex_count;
    w->faces = mesh->face_count;
    app_progress_update(&w->progress, frame + 1);
    return true;
}

static int list_scenes(bool json) {
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; scene_get(i); i++) {
        const scene_info *scene = scene_get(i);
        if (!json) printf("%-12s %s (size %u)\n", scene->name, scene->summary, (unsigned)scene->default_size);
        cJSON *entry = cJSON_CreateObject();
        cJSON_AddStringToObject(entry, "name", scene->name);
        cJSON_AddStringToObject(entry, "summary", scene->summary);
        cJSON_AddItemToObject(entry, "default_size", app_json_count(scene->default_size));
        cJSON_AddItemToArray(list, entry);
    }
    if (!json) {
        cJSON_Delete(list);
        return APP_OK;
    }
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "scenes", list);
    app_print_json(object);
    return APP_OK;
}

static void fail_unknown(const char *name) {
    app_guess guess = {name, strlen(name), NULL, 0};
    for (size_t i = 0; scene_get(i); i++) app_guess_try(&guess, scene_get(i)->name);
    if (guess.name) app_fail("scene: '%s' does not exist: did you mean %s?", name, guess.name);
    app_fail("scene: '%s' does not exist; `graze scene --list` lists them", name);
}

int cmd_scene(int argc, char **argv) {
    bool json = false, list = false;
    const char *out = NULL;
    uint64_t frames = 10, size = 0, seed = 1, threads = 0;
    const app_option options[] = {
        {"--out", APP_TEXT, &out, "DIR", "folder for the scene; its frames go to DIR/frames/NAME_<k>.ply"},
        {"--frames", APP_COUNT, &frames, "N", "frames to write (10)"},
        {"--size", APP_COUNT, &size, "S", "cells along the longest side; vertices grow with its square (per scene)"},
        {"--seed", APP_COUNT, &seed, "K", "another seed gives another scene (1)"},
        {"--list", APP_FLAG, &list, NULL, "list the scenes"},
        {"--threads", APP_COUNT, &threads, "N", "accepted, without effect: one thread makes a scene"},
        {"--json", APP_FLAG, &json, NULL, "one JSON object on stdout"},
        {0},
    };
    const app_usage usage = {
        "scene", "NAME --out DIR [options] | --list",
        "Writes a generated scene as PLY frames (binary, double). A scene has the same bits on every machine.", options,
        "example:\n  graze scene cloth-ball --out /tmp/cloth && graze sequence /tmp/cloth"};
    const char **operands = app_allocate((size_t)argc, sizeof *operands);
    int count = app_parse(&usage, argc, argv, operands);
    const char *name = count > 0 ? operands[0] : NULL;
    free(operands);
    if (list && count == 0) return list_scenes(json);
    if (list || count != 1) app_fail("scene: give one scene's name, or --list");
    writer w = {.scene = scene_find(name), .folder = out};
    if (!w.scene) fail_unknown(name);
    if (!out || !*out) app_fail("scene: --out DIR is missing");
    if (frames < 1 || frames > UINT32_MAX) app_fail("scene: --frames: at least 1");
    scene_options wanted = {(uint32_t)frames, w.scene->default_size, seed};
    if (size > SCENE_MAX_SIZE) app_fail("scene: --size: at most %d", SCENE_MAX_SIZE);
    if (size) wanted.size = (uint32_t)size;
    char *frames_folder = app_text("%s/frames", out);
    app_make_folder(frames_folder);
    app_remove_numbered(frames_folder, w.scene->name, ".ply", 0); /* of another size or seed, or more of them */
    app_progress_begin(&w.progress, w.scene->name, frames);
    if (w.scene->generate(&wanted, write_frame, &w) != SCENE_DONE) app_fail("scene: out of memory");
    app_progress_end(&w.progress);
    if (json) {
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "scene", w.scene->name);
        cJSON_AddItemToObject(object, "out", app_json_text(out));
        cJSON_AddItemToObject(object, "frames", app_json_count(frames));
        cJSON_AddItemToObject(object, "size", app_json_count(wanted.size));
        cJSON_AddItemToObject(object, "seed", app_json_count(seed));
        cJSON_AddItemToObject(object, "vertices", app_json_count(w.vertices));
        cJSON_AddItemToObject(object, "faces", app_json_count(w.faces));
        app_print_json(object);
    } else {
        char *shown = app_shown(frames_folder, 1000);
        printf("%s: %u frames of %zu vertices and %zu faces in %s\n", w.scene->name, (unsigned)frames, w.vertices,
               w.faces, shown);
        free(shown);
    }
    free(frames_folder);
    return APP_OK;
}
