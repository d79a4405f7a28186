/* The steps of a scene one after the other, as a simulator takes them, and how they are drawn. */
#ifndef GRAZE_BENCH_STEP_COURSE_H
#define GRAZE_BENCH_STEP_COURSE_H

#include "bench/step/steps.h"

/* The least time of each step over some passes, and that call's result, its list of pairs released. */
typedef struct bench_course {
    graze_step_result best[BENCH_MOST_FRAMES];
    size_t count;
} bench_course;

/* Takes a step of a scene; sets ms_total and reason of the result, at least. */
typedef graze_status bench_step_taker(graze_context *context, const bench_scene *step, void *user,
                                      graze_step_result *result);

/* Three passes on one context; `taker` NULL: graze_step by its defaults. A call that is cancelled ends a pass. */
bool bench_take_course(const bench_settings *settings, const bench_scene *scene, graze_context *context,
                       bench_step_taker *taker, void *user, bench_course *course, io_error *error);

/* Adds it to a figure of times by step, and to one of boxes. */
void bench_add_course(bench_plot *times, bench_plot *boxes, const bench_scene *scene, const char *name,
                      const bench_course *course);

#endif
