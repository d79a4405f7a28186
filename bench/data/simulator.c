#include "bench/data/simulator.h"

#include "app/sim_frames.h"
#include "app/sim_program.h"

#include <stdlib.h>

static bool simulate_scene(const bench_settings *settings, bench_data *data, const char *program, const char *scene,
                           io_error *error) {
    char frames[BENCH_MOST_FRAMES][APP_KEPT_ROOM + 100], folder[APP_KEPT_ROOM], name[80];
    const char *paths[BENCH_MOST_FRAMES];
    unsigned end;
    if (!app_kept_frames(program, scene, folder, &end, error)) return false;
    unsigned kept = end < BENCH_MOST_FRAMES ? end : BENCH_MOST_FRAMES;
    for (unsigned k = 0; k < kept; k++) {
        snprintf(frames[k], sizeof frames[k], "%s/frames/%s_%u.ply", folder, scene, end - kept + k);
        paths[k] = frames[k];
    }
    snprintf(name, sizeof name, "%s, simulated", scene);
    return bench_add_step(settings, data, name, frames[kept - 2], frames[kept - 1], NULL, error) &&
           bench_read_frames(data, paths, kept, error);
}

bool bench_simulate(const bench_settings *settings, bench_data *data, io_error *error) {
    char place[APP_KEPT_ROOM], *program = app_sim_program();
    const char *scene;
    bool good = true;
    for (size_t i = 0; (scene = app_kept_scene(i)) && good && program && app_kept_place(place); i++) {
        if (bench_stopped(settings)) break;
        bench_progress(settings, scene, 0);
        good = simulate_scene(settings, data, program, scene, error);
    }
    free(program);
    return good || bench_stopped(settings);
}
