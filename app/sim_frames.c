#include "app/sim_frames.h"

#include "graze/graze.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cJSON *sim_start(const char *program, io_error *error, const char *format, ...) {
    char arguments[2000], command[6200], text[4000];
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    snprintf(command, sizeof command, "OPENBLAS_NUM_THREADS=1 '%s' %s --json --threads 1 2>&1", program, arguments);
    FILE *stream = popen(command, "r");
    size_t size = stream ? fread(text, 1, sizeof text - 1, stream) : 0;
    int status = stream ? pclose(stream) : -1;
    while (size && text[size - 1] == '\n') size--;
    text[size] = '\0';
    const char *line = strrchr(text, '\n');
    line = line ? line + 1 : text; /* notices come before the object */
    cJSON *object = status == 0 ? cJSON_Parse(line) : NULL;
    if (!object) io_fail(error, "graze-sim", 0, "%s: %s", arguments, *line ? line : "it ended without an answer");
    return object;
}

const char *sim_kept_scene(size_t index) {
    static const char *const scenes[] = {"rollers", "cloth-ball", "cloth-funnel", "n-body", "rod-twist"};
    return index < sizeof scenes / sizeof *scenes ? scenes[index] : NULL;
}

bool sim_kept_place(char folder[SIM_KEPT_ROOM]) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool own = cache && *cache == '/';
    if (!own && !(home && *home == '/')) return false;
    int used = snprintf(folder, SIM_KEPT_ROOM - 100, "%s%s/graze/sim-%s", own ? cache : home, own ? "" : "/.cache",
                        graze_version());
    return used > 0 && used < SIM_KEPT_ROOM - 100 && !strchr(folder, '\'');
}

bool sim_kept_frames(const char *program, const char *scene, char folder[SIM_KEPT_ROOM], unsigned *frames,
                     io_error *error) {
    if (!sim_kept_place(folder)) return io_fail(error, scene, 0, "there is no place for its frames: HOME is not set");
    size_t used = strlen(folder);
    snprintf(folder + used, SIM_KEPT_ROOM - used, "/%s", scene);
    cJSON *run = sim_start(program, error, "%s --resume --out '%s'", scene, folder);
    if (!run)
        run = sim_start(program, error, "%s --out '%s'", scene, folder); /* frames of a run that is another by now */
    if (!run) return false;
    const cJSON *count = cJSON_GetObjectItem(run, "frames");
    *frames = cJSON_IsNumber(count) ? (unsigned)count->valuedouble : 2;
    cJSON_Delete(run);
    return true;
}
