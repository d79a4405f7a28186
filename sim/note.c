#include "sim/note.h"

#include "sim/frames.h"

#include "app/folders.h"
#include "app/outputs.h"
#include "io/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* FNV-1a: a note is compared with an honest one. */
static uint64_t hash(const void *bytes, size_t size, uint64_t state) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++) state = (state ^ at[i]) * 0x100000001b3u;
    return state;
}

/* The text, and the places of all vertices: they follow from the size and from files that the text names. */
static char *scene_hash(const sim_scene *scene, const char *text) {
    uint64_t state = hash(text, strlen(text), 0xcbf29ce484222325u);
    state = hash(scene->world.x, scene->world.count * sizeof *scene->world.x, state);
    return app_text("%016llx", (unsigned long long)state);
}

cJSON *sim_note_make(const sim_arguments *arguments, const sim_scene *scene, const char *text) {
    cJSON *note = cJSON_CreateObject();
    char *hashed = scene_hash(scene, text), *tolerance = app_text("%.17g", arguments->tolerance);
    cJSON_AddStringToObject(note, "version", graze_version());
    cJSON_AddStringToObject(note, "scene", hashed);
    cJSON_AddStringToObject(note, "method", arguments->method ? arguments->method : "certified");
    cJSON_AddStringToObject(note, "tolerance", tolerance);
    cJSON_AddStringToObject(note, "step-filter", arguments->filter ? arguments->filter : "global");
    free(hashed);
    free(tolerance);
    return note;
}

static char *note_path(const char *folder, const char *name) { return app_text("%s/%s.run.json", folder, name); }

void sim_note_write(const char *folder, const char *name, const cJSON *note) {
    io_output file;
    io_error error;
    char *path = note_path(folder, name), *text = cJSON_PrintUnformatted(note);
    if (!text) app_fail("sim: out of memory");
    if (!io_open_output(path, &file, &error)) app_fail("sim: %s", error.message);
    fprintf(file.stream, "%s\n", text);
    if (!io_close_output(&file, &error)) app_fail("sim: %s", error.message);
    cJSON_free(text);
    free(path);
}

static cJSON *read_note(const char *path) {
    char *text;
    size_t size;
    io_error error;
    if (access(path, F_OK) != 0 || !io_read_file(path, &text, &size, &error)) return NULL;
    io_forget_input(path);
    cJSON *note = cJSON_Parse(text);
    free(text);
    return note;
}

void sim_note_check(const char *folder, const char *name, const cJSON *note) {
    static const char again[] = "without --resume it is begun anew";
    char *path = note_path(folder, name), *first = sim_frame_path(folder, name, 0);
    cJSON *old = read_note(path);
    if (!old && access(first, F_OK) == 0)
        app_fail("sim: %s: --resume: there is no note of the run that made the frames; %s", path, again);
    const cJSON *item;
    cJSON_ArrayForEach(item, note) if (old && !cJSON_Compare(item, cJSON_GetObjectItem(old, item->string), true))
        app_fail("sim: %s: --resume: the run was made with another %s; %s", path, item->string, again);
    cJSON_Delete(old);
    free(first);
    free(path);
}
