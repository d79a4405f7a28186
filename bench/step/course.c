#include "bench/step/course.h"

#define PASSES 3

static graze_status take_plainly(graze_context *context, const bench_scene *step, void *user,
                                 graze_step_result *result) {
    (void)user;
    return graze_step(context, &step->mesh, (const double(*)[3])step->x0, (const double(*)[3])step->x1, NULL, result);
}

static bool take_pass(const bench_settings *settings, const bench_scene *scene, graze_context *context,
                      bench_step_taker *taker, void *user, bench_course *c, io_error *error) {
    for (size_t k = 0; k < bench_frame_steps(scene) && !bench_stopped(settings); k++) {
        graze_step_result result = graze_default_step_result();
        bench_scene step = bench_frame_step(scene, k);
        graze_status status = taker(context, &step, user, &result);
        graze_step_release(context, &result);
        if (status != GRAZE_OK) return bench_call_failed(context, scene->name, status, error);
        if (result.reason == GRAZE_REASON_CANCELLED) break;
        if (k >= c->count || result.ms_total < c->best[k].ms_total) c->best[k] = result;
        if (k >= c->count) c->count = k + 1;
    }
    return true;
}

bool bench_take_course(const bench_settings *settings, const bench_scene *scene, graze_context *context,
                       bench_step_taker *taker, void *user, bench_course *course, io_error *error) {
    *course = (bench_course){.count = 0};
    for (int pass = 0; pass < PASSES && !bench_stopped(settings); pass++)
        if (!take_pass(settings, scene, context, taker ? taker : take_plainly, user, course, error)) return false;
    return true;
}

void bench_add_course(bench_plot *times, bench_plot *boxes, const bench_scene *scene, const char *name,
                      const bench_course *course) {
    bench_series *frame = bench_add_series(times, scene->name, name);
    bench_series *box = bench_add_series(boxes, scene->name, name);
    for (size_t k = 0; k < course->count; k++) {
        bench_add_point(frame, (double)k, course->best[k].ms_total);
        bench_add_point(box, (double)k, course->best[k].ms_total);
    }
}
