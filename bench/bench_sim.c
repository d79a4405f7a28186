/* The simulator: collision detection on the calls of real runs, whole runs, and what tolerance and method do to them.
 *
 * The simulator is a program of its own: it is started for every run, and for every replay of recorded calls. */
#include "bench/suite.h"

#include "app/sim_frames.h"
#include "app/sim_program.h"
#include "io/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct sim_suite {
    const bench_settings *settings;
    bench_report *report;
    char *program;
    char folder[1000]; /* of the runs, without quotes in its name; removed in the end */
    double budget;     /* seconds that the baseline may take for a replay */
} sim_suite;

/* ---- answers of the simulator ---- */

static double number(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItem(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static double time_of(const cJSON *object, const char *key) {
    return number(cJSON_GetObjectItem(object, "time_ms"), key);
}

/* ---- recorded calls, and whole runs ---- */

static const bench_column run_columns[] = {
    {"scene", "scene", NULL},
    {"vertices", "vertices", NULL},
    {"elements", "elements", NULL},
    {"frames", "frames", NULL},
    {"newton", "Newton steps", NULL},
    {"contacts", "most contacts", NULL},
    {"calls", "calls compared", NULL},
    {"ms_hash_ti", "CCD hash + ti", "ms"},
    {"ms_ours", "CCD ours", "ms"},
    {"ccd_ratio", "CCD faster by", NULL},
    {"frames_run", "frames of runs", NULL},
    {"s_total_hash_ti", "run hash + ti", "s"},
    {"s_total_ours", "run ours", "s"},
    {"total_ratio", "run faster by", NULL},
    {"intersections", "intersections ours", NULL},
    {"intersections_hash_ti", "hash + ti", NULL},
    {"zero_ours", "zero times ours", NULL},
    {"zero_hash_ti", "hash + ti", NULL},
};

/* As the papers' solver asks: every pair keeps 0.2 of the distance that it starts at. */
#define OURS "--step-filter relative"
#define BASELINE OURS " --method ti --broad hash"

/* Least times of both on the calls that the baseline gets through, in turn so that both see the same machine. */
static bool replay(const sim_suite *suite, const char *scene, double ms[2], double *calls, io_error *error) {
    cJSON *base = app_sim_start(suite->program, error, "%s --replay '%s/calls' " BASELINE " --seconds %g", scene,
                                suite->folder, suite->budget);
    ms[0] = base ? number(base, "ccd_ms") : NAN;
    *calls = base ? number(base, "calls") : NAN;
    cJSON_Delete(base);
    ms[1] = INFINITY;
    for (int i = 0; base && i < 2; i++) {
        cJSON *ours = app_sim_start(suite->program, error, "%s --replay '%s/calls' " OURS " --calls %.0f", scene,
                                    suite->folder, *calls);
        if (!ours) return false;
        ms[1] = fmin(ms[1], number(ours, "ccd_ms"));
        cJSON_Delete(ours);
        if (i || ms[0] > 2000) continue; /* a long one is not worth a second time */
        cJSON *again = app_sim_start(suite->program, error, "%s --replay '%s/calls' " BASELINE " --calls %.0f", scene,
                                     suite->folder, *calls);
        if (!again) return false;
        ms[0] = fmin(ms[0], number(again, "ccd_ms"));
        cJSON_Delete(again);
    }
    return base != NULL;
}

/* The baseline from the start, for as long as it may take; *ours becomes a run of as many frames. */
static cJSON *run_both(const sim_suite *suite, const char *scene, const char *frames, cJSON **ours, io_error *error) {
    double most = fmax(3 * suite->budget, 3e-3 * time_of(*ours, "total"));
    cJSON *base = app_sim_start(suite->program, error, "%s --out '%s/base' " BASELINE "%s --seconds %g", scene,
                                suite->folder, frames, most);
    if (base && number(base, "frames") < number(*ours, "frames")) {
        cJSON_Delete(*ours);
        *ours = app_sim_start(suite->program, error, "%s --out '%s/run' " OURS " --frames %.0f", scene, suite->folder,
                              number(base, "frames"));
    }
    if (*ours) return base;
    cJSON_Delete(base);
    return NULL;
}

static bool measure_scene(const sim_suite *suite, bench_table *table, const char *scene, io_error *error) {
    /* the small scenes take no time, and meet nothing in so few frames */
    bool large = strcmp(scene, "mat-knives") == 0 || strcmp(scene, "five-cubes") == 0;
    const char *frames = suite->settings->quick && large ? " --frames 12" : "";
    cJSON *ours = app_sim_start(suite->program, error, "%s --out '%s/run' --record '%s/calls' " OURS "%s", scene,
                                suite->folder, suite->folder, frames);
    if (!ours) return false;
    double ms[2], calls;
    if (!replay(suite, scene, ms, &calls, error)) {
        cJSON_Delete(ours);
        return false;
    }
    bench_cell cells[7] = {bench_text("%s", scene),
                           bench_count((uint64_t)number(ours, "vertices")),
                           bench_count((uint64_t)number(ours, "elements")),
                           bench_count((uint64_t)number(ours, "frames")),
                           bench_count((uint64_t)number(ours, "newton_iterations")),
                           bench_count((uint64_t)number(ours, "contacts")),
                           bench_count((uint64_t)calls)};
    double broken = number(ours, "intersections"), zero = number(ours, "zero_steps");
    cJSON *base = run_both(suite, scene, frames, &ours, error);
    if (base) {
        bench_cell *row = bench_add_row(table);
        double total[2] = {time_of(base, "total"), time_of(ours, "total")};
        memcpy(row, cells, sizeof cells);
        row[7] = bench_number(ms[0]);
        row[8] = bench_number(ms[1]);
        row[9] = bench_number(ms[0] / ms[1]);
        row[10] = bench_count((uint64_t)number(base, "frames"));
        row[11] = bench_number(1e-3 * total[0]);
        row[12] = bench_number(1e-3 * total[1]);
        row[13] = bench_number(total[0] / total[1]);
        row[14] = bench_count((uint64_t)broken);
        row[15] = bench_count((uint64_t)number(base, "intersections"));
        row[16] = bench_count((uint64_t)zero);
        row[17] = bench_count((uint64_t)number(base, "zero_steps"));
    }
    cJSON_Delete(ours);
    cJSON_Delete(base);
    return base != NULL;
}

static bool measure_runs(const sim_suite *suite, io_error *error) {
    static const char *const scenes[] = {
        "spikes",      "spike-wedge",    "spike-hole",    "wedge-crack",  "sliding-spike", "spike-crack",
        "cliff-edges", "internal-edges", "sliding-wedge", "wedges",       "five-cubes",    "mat-knives",
        "mat-twist",   "rollers",        "cloth-ball",    "cloth-funnel", "n-body",        "rod-twist",
        "soft-plane",  "two-heads",      "chain",         "ball-wall"};
    size_t count = suite->settings->quick ? 12 : sizeof scenes / sizeof *scenes;
    bench_add_heading(suite->report, "Collision detection in a simulator");
    bench_table *table = bench_add_table(
        suite->report, "sim-ccd", "Recorded calls, and whole runs (Scalable CCD, table 2)",
        "CCD: how far each Newton step of a run may go when every pair keeps 0.2 of its distance, least "
        "times on the calls that hash + ti gets through in its time; one thread, processor time, kept contexts. Runs: "
        "separate ones, with everything in them, of all frames or of those that hash + ti gets to in a few times ours. "
        "hash + ti is our "
        "own `ti` on the broad phase `hash`.",
        run_columns, sizeof run_columns / sizeof *run_columns);
    for (size_t i = 0; i < count && !bench_stopped(suite->settings); i++) {
        bench_progress(suite->settings, scenes[i], 0.8 * (double)i / (double)count);
        if (!measure_scene(suite, table, scenes[i], error)) return false;
    }
    return true;
}

/* ---- tolerance and method ---- */

static const bench_column tolerance_columns[] = {
    {"figure", "figure", NULL},
    {"scene", "scene", NULL},
    {"method", "method", NULL},
    {"tolerance", "tolerance", NULL},
    {"frames", "frames", NULL},
    {"intersections", "intersections", NULL},
    {"bad_frames", "frames with some", NULL},
    {"unconverged", "steps not settled", NULL},
    {"s_total", "run", "s"},
    {"s_ccd", "CCD", "s"},
    {"apart", "last frame differs by", NULL},
};

typedef struct variant {
    const char *figure, *scene, *method;
    double tolerance; /* 0: the method's own */
} variant;

/* The largest difference of a coordinate between the last frames of two runs. */
static double difference(const sim_suite *suite, const char *scene, unsigned frame) {
    char path[2][1200];
    io_mesh a, b;
    io_error error;
    double most = 0;
    snprintf(path[0], sizeof path[0], "%s/reference/frames/%s_%u.ply", suite->folder, scene, frame);
    snprintf(path[1], sizeof path[1], "%s/run/frames/%s_%u.ply", suite->folder, scene, frame);
    if (!io_read_mesh_pair(path[0], path[1], &a, &b, &error)) return NAN;
    for (size_t i = 0; i < 3 * a.vertex_count; i++)
        most = fmax(most, fabs(a.positions[i / 3][i % 3] - b.positions[i / 3][i % 3]));
    io_free_mesh(&a);
    io_free_mesh(&b);
    return most;
}

static bool measure_variant(const sim_suite *suite, bench_table *table, const variant *v, bool reference,
                            io_error *error) {
    unsigned frames = suite->settings->quick ? 6 : strcmp(v->scene, "blades") == 0 ? 12 : 40;
    cJSON *run =
        app_sim_start(suite->program, error, "%s --out '%s/%s' --method %s --tolerance %g --frames %u", v->scene,
                      suite->folder, reference ? "reference" : "run", v->method, v->tolerance, frames);
    if (!run) return false;
    bench_cell *row = bench_add_row(table);
    row[0] = bench_text("%s", v->figure);
    row[1] = bench_text("%s", v->scene);
    row[2] = bench_text("%s", v->method);
    if (v->tolerance > 0) row[3] = bench_number(v->tolerance);
    row[4] = bench_count(frames);
    row[5] = bench_count((uint64_t)number(run, "intersections"));
    row[6] = bench_count((uint64_t)number(run, "frames_with_intersections"));
    row[7] = bench_count((uint64_t)number(run, "unconverged"));
    row[8] = bench_number(1e-3 * time_of(run, "total"));
    row[9] = bench_number(1e-3 * time_of(run, "ccd"));
    if (!reference) row[10] = bench_number(difference(suite, v->scene, frames - 1));
    cJSON_Delete(run);
    return true;
}

static bool measure_tolerances(const sim_suite *suite, io_error *error) {
    static const variant variants[] = {
        {"12", "torus-cone", "exact", 0}, {"12", "torus-cone", "certified", 0},
        {"12", "torus-cone", "ti", 1e-1}, {"12", "torus-cone", "ti", 1e-3},
        {"12", "torus-cone", "ti", 1e-6}, {"12", "torus-cone", "fprf", 0},
        {"13", "soft-plane", "exact", 0}, {"13", "soft-plane", "certified", 0},
        {"13", "soft-plane", "ti", 1e-3}, {"13", "soft-plane", "ti", 3.1622776601683795e-5},
        {"13", "soft-plane", "ti", 1e-6}, {"13", "soft-plane", "fprf", 0},
        {"–", "blades", "exact", 0},      {"–", "blades", "certified", 0},
        {"–", "blades", "fprf", 0},
    };
    size_t count = sizeof variants / sizeof *variants;
    bench_table *table = bench_add_table(suite->report, "sim-tolerance",
                                         "Effect of the tolerance on a run (Tight Inclusion, figures 12 and 13)",
                                         "Figure 12: a ring on a cone by constraints on the active set, with an offset "
                                         "of 0.001; intersections are possible "
                                         "there. Figure 13: a soft body on a plane by barriers and line searches. The "
                                         "last frame is compared with that of the "
                                         "run with `exact`.",
                                         tolerance_columns, sizeof tolerance_columns / sizeof *tolerance_columns);
    for (size_t i = 0; i < count && !bench_stopped(suite->settings); i++) {
        bench_progress(suite->settings, variants[i].scene, 0.8 + 0.2 * (double)i / (double)count);
        if (!measure_variant(suite, table, &variants[i], strcmp(variants[i].method, "exact") == 0, error)) return false;
    }
    return true;
}

static bool make_folder(sim_suite *suite, io_error *error) {
    const char *where = getenv("TMPDIR");
    if (!where || !*where) where = "/tmp";
    int length = snprintf(suite->folder, sizeof suite->folder, "%s/graze-bench-sim-XXXXXX", where);
    if (length < 0 || (size_t)length >= sizeof suite->folder || strchr(suite->folder, '\''))
        return io_fail(error, where, 0, "TMPDIR is too long, or has a quote in it");
    return mkdtemp(suite->folder) || io_fail(error, suite->folder, 0, "cannot make a folder");
}

bool bench_sim(const bench_settings *settings, bench_report *report, io_error *error) {
    sim_suite suite = {.settings = settings, .report = report};
    suite.budget = settings->time_budget > 0 ? settings->time_budget : settings->quick ? 2 : 20;
    suite.program = app_sim_program();
    if (!suite.program)
        return io_fail(error, "sim", 0,
                       "the simulator is not in this build: it needs SuiteSparse (libsuitesparse-dev)");
    if (!make_folder(&suite, error)) {
        free(suite.program);
        return false;
    }
    bool good = measure_runs(&suite, error) && measure_tolerances(&suite, error);
    report->interrupted = report->interrupted || bench_stopped(settings);
    if (bench_stopped(settings)) good = true; /* the simulator was stopped with us */
    char command[1020];
    snprintf(command, sizeof command, "rm -rf '%s'", suite.folder);
    if (system(command) != 0) good = good && io_fail(error, suite.folder, 0, "cannot be removed");
    free(suite.program);
    return good;
}
