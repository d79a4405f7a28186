#include "bench/simulator.h"

#include "sim/start.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

cJSON *bench_start_simulator(const char *program, io_error *error, const char *format, ...) {
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

/* Where frames are kept; false where there is no such place. A new version makes them anew. */
static bool cache_folder(char *folder, size_t size) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool own = cache && *cache == '/';
    if (!own && !(home && *home == '/')) return false;
    int used = snprintf(folder, size, "%s%s/graze/sim-%s", own ? cache : home, own ? "" : "/.cache", graze_version());
    return used > 0 && (size_t)used < size && !strchr(folder, '\'');
}

static bool simulate_scene(const bench_settings *settings, bench_data *data, const char *program, const char *folder,
                           const char *scene, io_error *error) {
    char frames[BENCH_MOST_FRAMES][1200], name[80];
    const char *paths[BENCH_MOST_FRAMES];
    cJSON *run = bench_start_simulator(program, error, "%s --resume --out '%s/%s'", scene, folder, scene);
    if (!run) return false;
    const cJSON *count = cJSON_GetObjectItem(run, "frames");
    unsigned end = cJSON_IsNumber(count) ? (unsigned)count->valuedouble : 2;
    unsigned kept = end < BENCH_MOST_FRAMES ? end : BENCH_MOST_FRAMES;
    cJSON_Delete(run);
    for (unsigned k = 0; k < kept; k++) {
        snprintf(frames[k], sizeof frames[k], "%s/%s/frames/%s_%u.ply", folder, scene, scene, end - kept + k);
        paths[k] = frames[k];
    }
    snprintf(name, sizeof name, "%s, simulated", scene);
    return bench_add_step(settings, data, name, frames[kept - 2], frames[kept - 1], NULL, error) &&
           bench_read_frames(data, paths, kept, error);
}

bool bench_simulate(const bench_settings *settings, bench_data *data, io_error *error) {
    static const char *const scenes[] = {"rollers", "cloth-ball", "cloth-funnel", "n-body", "rod-twist"};
    enum { SCENES = sizeof scenes / sizeof *scenes };
    char folder[1000], *program = sim_program_path();
    bool good = true;
    for (int i = 0; i < SCENES && good && program && cache_folder(folder, sizeof folder); i++) {
        if (bench_stopped(settings)) break;
        bench_progress(settings, scenes[i], 0);
        good = simulate_scene(settings, data, program, folder, scenes[i], error);
    }
    free(program);
    return good || bench_stopped(settings);
}
