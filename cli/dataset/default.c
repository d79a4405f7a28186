#include "cli/dataset/default.h"

#include "app/folders.h"
#include "app/outputs.h"
#include "cli/dataset/make.h"

#include "app/sim_frames.h"
#include "app/sim_program.h"
#include "io/file.h"
#include "io/folder.h"
#include "io/mesh.h"
#include "scenes/scenes.h"

#include <stdlib.h>
#include <string.h>

static char *frame_path(const char *folder, const char *scene, unsigned frame) {
    return app_text("%s/frames/%s_%u.ply", folder, scene, frame);
}

/* OUT/SCENE, with its folder of frames. Free it. */
static char *make_scene_folder(const char *out, const char *scene) {
    char *folder = app_text("%s/%s", out, scene), *frames = app_text("%s/frames", folder);
    app_make_folder(frames);
    free(frames);
    return folder;
}

static void copy_frame(const char *from, const char *to, const char *scene, unsigned frame) {
    char *source = frame_path(from, scene, frame), *target = frame_path(to, scene, frame), *bytes;
    size_t size;
    io_error error;
    io_output file;
    if (!io_read_file(source, &bytes, &size, &error)) app_fail("dataset: %s", error.message);
    app_open_output("dataset: --make", target, false, &file);
    fwrite(bytes, 1, size, file.stream); /* closing tells whether it went well */
    app_close_output(&file);
    free(bytes);
    free(source);
    free(target);
}

/* The folder may hold the frames of this step, from a run that was cut off, and no others. */
static void require_no_others(const char *folder, const char *scene, unsigned first) {
    char *frames = app_text("%s/frames", folder),
         *own[2] = {frame_path(folder, scene, first), frame_path(folder, scene, first + 1)};
    io_paths there = {0};
    io_error error;
    if (!io_list_folder(frames, NULL, false, &there, &error)) app_fail("dataset: %s", error.message);
    for (size_t i = 0; i < there.count; i++)
        if (strcmp(there.paths[i], own[0]) != 0 && strcmp(there.paths[i], own[1]) != 0)
            app_fail("dataset: %s: is not a frame of this step; choose another folder by --out", there.paths[i]);
    io_free_paths(&there);
    for (int i = 0; i < 2; i++) free(own[i]);
    free(frames);
}

static char *simulated_scene(const char *out, const char *program, const char *scene) {
    char kept[APP_KEPT_ROOM], *folder = make_scene_folder(out, scene);
    unsigned frames;
    io_error error;
    app_notice("%s: simulated where its frames are not in the cache yet", scene);
    if (!app_kept_frames(program, scene, kept, &frames, &error)) app_fail("dataset: %s", error.message);
    require_no_others(folder, scene, frames - 2);
    for (unsigned k = frames - 2; k < frames; k++) copy_frame(kept, folder, scene, k);
    return folder;
}

/* ---- generated ones ---- */

enum { GENERATED = 7 }; /* the frame that the step starts from: by then every scene has contacts */

typedef struct writer {
    const char *folder, *scene;
} writer;

static bool write_generated(void *user, uint32_t frame, const scene_mesh *mesh) {
    const writer *w = user;
    io_error error;
    if (frame < GENERATED) return true;
    char *path = frame_path(w->folder, w->scene, frame);
    if (!io_write_ply(path, (const double(*)[3])mesh->positions, mesh->vertex_count, (const uint32_t(*)[3])mesh->faces,
                      mesh->face_count, &error))
        app_fail("dataset: %s", error.message);
    free(path);
    return true;
}

static char *generated_scene(const char *out, const scene_info *info) {
    char *folder = make_scene_folder(out, info->name);
    writer w = {folder, info->name};
    require_no_others(folder, info->name, GENERATED);
    const scene_options options = {GENERATED + 2, info->default_size, 1};
    if (info->generate(&options, write_generated, &w) != SCENE_DONE) app_fail("dataset: out of memory");
    return folder;
}

/* ---- all of them ---- */

cJSON *cli_dataset_default(const char *out, bool quick, uint64_t threads, uint64_t limit, bool json) {
    char place[APP_KEPT_ROOM], *program = quick ? NULL : app_sim_program();
    bool simulated = program && app_kept_place(place);
    cJSON *object = json ? cJSON_CreateObject() : NULL;
    cJSON *list = json ? cJSON_AddArrayToObject(object, "scenes") : NULL;
    for (size_t i = 0; simulated ? app_kept_scene(i) != NULL : scene_get(i) != NULL; i++) {
        char *folder =
            simulated ? simulated_scene(out, program, app_kept_scene(i)) : generated_scene(out, scene_get(i));
        cJSON *made = cli_dataset_make(folder, threads, limit, true, json);
        if (made) cJSON_AddItemToArray(list, made);
        free(folder);
    }
    free(program);
    return object;
}
