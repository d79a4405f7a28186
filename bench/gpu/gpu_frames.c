/* Step after step on both, and by the published pipeline's narrow phase on the device. */
#include "bench/gpu/gpu.h"
#include "bench/step/course.h"

#include "step/on_backend.h"

typedef struct frames_figures {
    bench_plot *times, *boxes;
} frames_figures;

static graze_status take_step(graze_context *context, const bench_scene *step, void *user, graze_step_result *result) {
    graze_step_options options = graze_default_step_options();
    options.backend = *(const graze_backend *)user;
    return graze_step(context, &step->mesh, (const double(*)[3])step->x0, (const double(*)[3])step->x1, &options,
                      result);
}

static graze_status take_ti(graze_context *context, const bench_scene *step, void *user, graze_step_result *result) {
    graze_step_options options = graze_default_step_options();
    double begin = bench_seconds();
    uint64_t checks;
    (void)user;
    graze_status status = gz_step_ti_on_backend(context, &step->mesh, (const double(*)[3])step->x0,
                                                (const double(*)[3])step->x1, &options, &result->toi, &checks);
    result->ms_total = 1e3 * (bench_seconds() - begin);
    return status;
}

/* Both took the same steps: the answers are held against each other. */
static void compare(gpu_run *run, const char *scene, const bench_course *here, const bench_course *there) {
    for (size_t k = 0; k < here->count && k < there->count; k++)
        gpu_compare_steps(run, scene, &here->best[k], &there->best[k]);
}

static bool take_scene(gpu_run *run, const bench_scene *scene, const frames_figures *to, io_error *error) {
    static const graze_backend backends[] = {GRAZE_BACKEND_CPU, GRAZE_BACKEND_CUDA};
    static const char *const names[] = {"CPU", "GPU"};
    bench_course courses[2], ti;
    for (int i = 0; i < 2; i++) {
        if (!bench_take_course(run->settings, scene, run->context, take_step, (void *)&backends[i], &courses[i], error))
            return false;
        bench_add_course(to->times, to->boxes, scene, names[i], &courses[i]);
    }
    compare(run, scene->name, &courses[0], &courses[1]);
    if (!bench_take_course(run->settings, scene, run->context, take_ti, NULL, &ti, error)) return false;
    bench_add_course(to->times, to->boxes, scene, "GPU, interval-parallel ti", &ti);
    return true;
}

bool gpu_frames(gpu_run *run, const bench_data *data, io_error *error) {
    bench_axis step = {"step", NULL, false}, time = {"time", "ms", true};
    frames_figures to;
    bench_add_heading(run->report, "Step after step");
    to.times = bench_add_plot(run->report, "gpu-frames-time", "Earliest impact, step by step",
                              "One context from step to step, as in a simulator; wall time with positions uploaded, "
                              "least of three passes; the CPU with all threads.",
                              BENCH_LINES, step, time);
    to.boxes =
        bench_add_plot(run->report, "gpu-frames-box", "Earliest impact over all steps", NULL, BENCH_BOXES, step, time);
    to.times->paper = to.boxes->paper = "Scalable CCD, figure 8";
    for (size_t s = 0; s < data->scene_count && !bench_stopped(run->settings); s++)
        if (bench_frame_steps(&data->scenes[s]) && !take_scene(run, &data->scenes[s], &to, error)) return false;
    return true;
}
