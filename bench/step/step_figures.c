/* Whole steps as figures: frame after frame, by phases, by threads, and with little memory. */
#include "bench/step/course.h"
#include "bench/step/step.h"

#include <math.h>
#include <string.h>

/* ---- frame after frame ---- */

/* Instructions and threads that the steps are made with. */
typedef struct machine {
    graze_isa isa;
    uint32_t threads;
    char name[60];
} machine;

/* Plain instructions on one thread, the best ones on one and on all threads. */
static size_t list_machines(const bench_step_run *run, machine machines[3]) {
    const struct {
        graze_isa isa;
        uint32_t threads;
    } all[3] = {{GRAZE_ISA_SCALAR, 1}, {graze_isa_in_use(), 1}, {graze_isa_in_use(), run->threads}};
    size_t count = 0;
    for (int i = 0; i < 3; i++) {
        if (i == 1 && all[1].isa == GRAZE_ISA_SCALAR) continue;
        if (i == 2 && run->threads == 1) continue;
        machine *m = &machines[count++];
        *m = (machine){.isa = all[i].isa, .threads = all[i].threads};
        snprintf(m->name, sizeof m->name, "%s, %u thread%s", graze_isa_name(m->isa), m->threads,
                 m->threads > 1 ? "s" : "");
    }
    return count;
}

typedef struct frames_figures {
    bench_plot *times, *boxes, *phases;
} frames_figures;

static bool take_course(const bench_step_run *run, const bench_scene *scene, const machine *m, bench_course *c,
                        io_error *error) {
    graze_context_options options = graze_default_context_options();
    options.threads = m->threads;
    options.isa = m->isa;
    options.deadline_seconds = run->budget;
    graze_context *context = bench_context_from(run->settings, options, error);
    bool good = context && bench_take_course(run->settings, scene, context, NULL, NULL, c, error);
    graze_context_destroy(context);
    return good;
}

enum { PHASES = 4 };

/* The shares of the phases in the sum over all steps; what is in none of them is the last. */
static void phase_shares(const bench_course *c, double shares[PHASES]) {
    double total = 0;
    memset(shares, 0, PHASES * sizeof *shares);
    for (size_t k = 0; k < c->count; k++) {
        shares[0] += c->best[k].ms_boxes;
        shares[1] += c->best[k].ms_broad;
        shares[2] += c->best[k].ms_narrow;
        total += c->best[k].ms_total;
    }
    shares[3] = fmax(0, total - shares[0] - shares[1] - shares[2]);
    for (int i = 0; i < PHASES; i++) shares[i] *= 100 / total;
}

static void add_phases(const frames_figures *to, const bench_scene *scene, const uint32_t *threads,
                       const bench_course *courses, size_t count) {
    static const char *const names[PHASES] = {"boxes", "broad phase", "narrow phase", "other"};
    double shares[2][PHASES];
    for (size_t i = 0; i < count; i++) phase_shares(&courses[i], shares[i]);
    for (int p = 0; p < PHASES; p++) {
        bench_series *series = bench_add_series(to->phases, scene->name, names[p]);
        for (size_t i = 0; i < count; i++) bench_add_point(series, threads[i], shares[i][p]);
    }
}

static bool take_scene(const bench_step_run *run, const bench_scene *scene, const frames_figures *to, io_error *error) {
    machine machines[3];
    bench_course kept[2];
    uint32_t threads[2];
    size_t count = list_machines(run, machines), bars = 0;
    for (size_t i = 0; i < count; i++) {
        bench_course c;
        if (!take_course(run, scene, &machines[i], &c, error)) return false;
        if (c.count == 0) return true; /* stopped, or out of time */
        bench_add_course(to->times, to->boxes, scene, machines[i].name, &c);
        if (machines[i].isa != graze_isa_in_use()) continue;
        threads[bars] = machines[i].threads;
        kept[bars++] = c;
    }
    add_phases(to, scene, threads, kept, bars);
    return true;
}

static bool add_frames(bench_step_run *run, io_error *error) {
    bench_axis step = {"step", NULL, false}, time = {"time", "ms", true};
    frames_figures to;
    to.times = bench_add_plot(run->report, "step-frames-time", "Earliest impact, step by step",
                              "One context from step to step, as in a simulator; least of three passes.", BENCH_LINES,
                              step, time);
    to.boxes =
        bench_add_plot(run->report, "step-frames-box", "Earliest impact over all steps", NULL, BENCH_BOXES, step, time);
    to.phases =
        bench_add_plot(run->report, "step-phases", "Phases of a step",
                       "Sums over the steps. Traversal and narrow phase go hand in hand: their shares are of "
                       "what all threads did.",
                       BENCH_BARS, (bench_axis){"threads", NULL, false}, (bench_axis){"share of the time", "%", false});
    to.times->paper = to.boxes->paper = "Scalable CCD, figure 8";
    to.phases->paper = "Scalable CCD, figure 9";
    for (size_t s = 0; s < run->data.scene_count && !bench_stopped(run->settings); s++) {
        const bench_scene *scene = &run->data.scenes[s];
        bench_progress(run->settings, scene->name, 0.5);
        if (bench_frame_steps(scene) && !take_scene(run, scene, &to, error)) return false;
    }
    return true;
}

/* ---- memory ---- */

static const graze_step_mode shown[] = {GRAZE_STEP_EARLIEST, GRAZE_STEP_ALL};
enum { SHOWN = sizeof shown / sizeof *shown };

static const bench_column memory_columns[] = {
    {"mode", "mode", NULL},
    {"limit_kb", "for candidates", "kB"},
    {"peak_mb", "held at most", "MB"},
    {"ms", "time", "ms"},
    {"slower", "times as slow as without", NULL},
    {"verdict", "verdict", NULL},
    {"toi", "time of impact", NULL},
};

static void add_memory_row(bench_table *table, graze_step_mode mode, double limit, const bench_step_times *l,
                           double free_ms) {
    double ms = 1e3 * bench_times_least(&l->times);
    bench_cell *row = bench_add_row(table);
    row[0] = bench_text("%s", graze_step_mode_name(mode));
    row[1] = bench_number(limit / 1e3);
    row[2] = bench_number((double)l->peak_bytes / 1e6);
    row[3] = bench_number(ms);
    row[4] = bench_number(ms / free_ms);
    row[5] = bench_text("%s", graze_verdict_name(l->result.verdict));
    row[6] = bench_number(l->result.toi);
}

/* Limits from one that changes nothing down to one where a batch is as small as it may be. */
static bool add_memory_mode(const bench_step_run *run, const bench_scene *scene, graze_step_mode mode, bench_plot *plot,
                            bench_table *table, io_error *error) {
    static const double limits[] = {NAN, 256e3, 128e3, 64e3, 32e3, 16e3, 8e3, 4e3, 2e3};
    bench_series *series = bench_add_series(plot, NULL, graze_step_mode_name(mode));
    double free_ms = NAN;
    for (size_t i = 0; i < sizeof limits / sizeof *limits && !bench_stopped(run->settings); i++) {
        bench_step_run limited = *run;
        bench_step_times l;
        limited.memory_limit = isnan(limits[i]) ? 0 : (size_t)limits[i];
        if (!bench_step_time(&limited, scene, mode, run->threads, false, &l, error)) return false;
        double ms = 1e3 * bench_times_least(&l.times);
        if (i == 0) free_ms = ms;
        add_memory_row(table, mode, limits[i], &l, free_ms);
        if (i > 0) bench_add_point(series, limits[i] / 1e3, ms);
    }
    return true;
}

static bool add_memory(bench_step_run *run, const bench_scene *scene, io_error *error) {
    char title[200];
    snprintf(title, sizeof title, "Time by memory limit on %s", scene->name);
    bench_plot *plot = bench_add_plot(run->report, "step-memory", title,
                                      "memory_limit of a step: candidates are worked off in batches that fit. Boxes "
                                      "and trees, and the list of mode all, "
                                      "come on top.",
                                      BENCH_LINES, (bench_axis){"memory for candidates", "kB", true},
                                      (bench_axis){"time", "ms", true});
    plot->paper = "Scalable CCD, figure 10";
    bench_table *table = bench_add_table(run->report, "step-memory-limits", title,
                                         "The first row of a mode is without a limit. Answers do not depend on it.",
                                         memory_columns, sizeof memory_columns / sizeof *memory_columns);
    for (int i = 0; i < SHOWN && !bench_stopped(run->settings); i++)
        if (!add_memory_mode(run, scene, shown[i], plot, table, error)) return false;
    return true;
}

bool bench_step_figures(bench_step_run *run, io_error *error) {
    const bench_scene *largest = bench_largest_scene(&run->data);
    bench_add_heading(run->report, "Step after step");
    if (!add_frames(run, error)) return false;
    bench_add_heading(run->report, "Threads and memory");
    return bench_step_threads(run, error) && add_memory(run, largest, error);
}
