/* Steps over ranks, with threads for ranks: what each rank computes, holds and sends, without a network. Processor time
 * of the slowest rank is what a step would take if messages took no time; docs/scaling.md adds what messages take. */
#include "bench/scale/virtual_ranks.h"
#include "bench/step/steps.h"

#include "graze/mpi.h"
#include "mpi/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RANKS 8u
#define QUICK 8 /* part of the triangles */
#define KEPT 5  /* steps that keep what was dealt; the least time counts */
#define LONG 20 /* … where work that is not even is dealt out anew between them */

/* Work of one rank. */
typedef struct rank_work {
    graze_status status;
    graze_mpi_result result;
    double first, kept[LONG]; /* processor seconds of a first step, and of those after it */
    double wall[LONG];        /* of those after it, with the wait for other ranks */
    uint64_t peak;            /* bytes */
} rank_work;

typedef struct trial {
    const bench_scene *scene;
    uint32_t ranks;
    graze_step_mode mode;
    int kept;
    rank_work *work;
} trial;

/* Outcome of a trial: of the slowest or largest rank. */
typedef struct outcome {
    double first, kept, wall, imbalance;
    uint64_t peak, crossing, messages, bytes, collectives, gathered;
    uint64_t all_messages, all_bytes; /* of all ranks together */
    double toi;
    uint64_t pairs;
} outcome;

/* ---- one rank ---- */

typedef struct share {
    graze_mpi_part part;
    uint64_t *ids, (*faces)[3], *face_ids;
    size_t first;
} share;

static size_t cut(size_t count, uint32_t rank, uint32_t ranks) { return (size_t)((double)count * rank / ranks); }

/* A run of vertices and a run of faces, as the program reads them from a file. */
static share share_of(const trial *t, uint32_t rank) {
    const graze_mesh *mesh = &t->scene->mesh;
    share s = {.part = graze_default_mpi_part(), .first = cut(mesh->vertex_count, rank, t->ranks)};
    size_t faces = cut(mesh->face_count, rank, t->ranks);
    s.part.vertex_count = cut(mesh->vertex_count, rank + 1, t->ranks) - s.first;
    s.part.face_count = cut(mesh->face_count, rank + 1, t->ranks) - faces;
    s.ids = bench_allocate(s.part.vertex_count + 1, sizeof *s.ids);
    s.faces = bench_allocate(s.part.face_count + 1, sizeof *s.faces);
    s.face_ids = bench_allocate(s.part.face_count + 1, sizeof *s.face_ids);
    for (size_t i = 0; i < s.part.vertex_count; i++) s.ids[i] = s.first + i;
    for (size_t i = 0; i < s.part.face_count; i++) {
        s.face_ids[i] = faces + i;
        for (int k = 0; k < 3; k++) s.faces[i][k] = mesh->faces[faces + i][k];
    }
    s.part.vertex_ids = s.ids;
    s.part.faces = (const uint64_t(*)[3])s.faces;
    s.part.face_ids = s.face_ids;
    return s;
}

static void share_free(share *s) {
    free(s->ids);
    free(s->faces);
    free(s->face_ids);
}

/* Processor seconds. */
static double step_once(const trial *t, graze_context *context, const share *s, rank_work *work) {
    graze_step_options options = graze_default_step_options();
    options.mode = t->mode;
    graze_mpi_step_release(context, &work->result);
    double begin = bench_cpu_seconds();
    work->status = graze_mpi_step(context, 0, &s->part, (const double(*)[3])(t->scene->x0 + s->first),
                                  (const double(*)[3])(t->scene->x1 + s->first), &options, &work->result);
    return bench_cpu_seconds() - begin;
}

static void run_rank(void *user, uint32_t rank) {
    const trial *t = user;
    rank_work *work = &t->work[rank];
    graze_context_options options = graze_default_context_options();
    graze_context *context = NULL;
    gz_mpi_kept *kept;
    graze_stats stats = graze_default_stats();
    options.threads = 1;
    work->result = graze_default_mpi_result();
    /* without a context the others would wait for ever */
    if (graze_context_create(&options, &context) != GRAZE_OK || gz_mpi_open_with(context, &virtual_transport, &kept))
        abort();
    share s = share_of(t, rank);
    work->first = step_once(t, context, &s, work);
    for (int i = 0; i < t->kept && work->status == GRAZE_OK; i++) {
        double begin = bench_seconds();
        work->kept[i] = step_once(t, context, &s, work);
        work->wall[i] = bench_seconds() - begin;
    }
    graze_context_stats(context, &stats);
    work->peak = stats.peak_bytes;
    graze_mpi_step_release(context, &work->result);
    share_free(&s);
    graze_context_destroy(context);
}

/* ---- all ranks ---- */

static uint64_t more(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void take(outcome *o, const rank_work *work) {
    o->first = fmax(o->first, work->first);
    o->imbalance = work->result.imbalance;
    o->peak = more(o->peak, work->peak);
    o->crossing = more(o->crossing, work->result.crossing);
    o->messages = more(o->messages, work->result.messages);
    o->bytes = more(o->bytes, work->result.bytes);
    o->collectives = more(o->collectives, work->result.collectives);
    o->gathered = more(o->gathered, work->result.gathered);
    o->all_messages += work->result.messages;
    o->all_bytes += work->result.bytes;
    o->toi = work->result.toi;
    o->pairs = work->result.pair_total;
}

/* The ranks of a step wait for the slowest one. */
static void take_best_step(const trial *t, outcome *o) {
    o->kept = o->wall = INFINITY;
    for (int i = 0; i < t->kept; i++) {
        double slowest = 0, wall = 0;
        for (uint32_t r = 0; r < t->ranks; r++) {
            slowest = fmax(slowest, t->work[r].kept[i]);
            wall = fmax(wall, t->work[r].wall[i]);
        }
        o->kept = fmin(o->kept, slowest);
        o->wall = fmin(o->wall, wall);
    }
}

static bool run_trial(const bench_scene *scene, uint32_t ranks, graze_step_mode mode, int kept, outcome *o,
                      io_error *error) {
    trial t = {scene, ranks, mode, kept, bench_allocate(ranks, sizeof *t.work)};
    *o = (outcome){0};
    bool good = virtual_ranks_run(ranks, run_rank, &t);
    for (uint32_t r = 0; good && r < ranks; r++) {
        good = t.work[r].status == GRAZE_OK ||
               io_fail(error, scene->name, 0, "rank %u of %u: %s", r, ranks, graze_status_name(t.work[r].status));
        take(o, &t.work[r]);
    }
    take_best_step(&t, o);
    free(t.work);
    return good;
}

/* One process makes the same steps: seconds, those of the processor with one thread, and bytes. */
static bool run_process(const bench_settings *settings, const bench_scene *scene, graze_step_mode mode,
                        uint32_t threads, int kept, outcome *o, io_error *error) {
    graze_context *context = bench_context(settings, threads, 0, error);
    graze_step_options options = graze_default_step_options();
    graze_stats stats = graze_default_stats();
    bool good = context != NULL;
    *o = (outcome){.kept = INFINITY, .wall = INFINITY};
    options.mode = mode;
    for (int i = 0; good && i <= kept; i++) {
        graze_step_result result = graze_default_step_result();
        double begin = bench_cpu_seconds(), wall = bench_seconds();
        graze_status status = graze_step(context, &scene->mesh, (const double(*)[3])scene->x0,
                                         (const double(*)[3])scene->x1, &options, &result);
        if (i) o->kept = fmin(o->kept, bench_cpu_seconds() - begin);
        if (i) o->wall = fmin(o->wall, bench_seconds() - wall);
        o->toi = result.toi;
        o->pairs = result.pair_count;
        graze_step_release(context, &result);
        good = status == GRAZE_OK || bench_call_failed(context, scene->name, status, error);
    }
    if (context) graze_context_stats(context, &stats);
    o->peak = stats.peak_bytes;
    graze_context_destroy(context);
    return good;
}

static bool run_alone(const bench_settings *settings, const bench_scene *scene, graze_step_mode mode, outcome *o,
                      io_error *error) {
    return run_process(settings, scene, mode, 1, KEPT, o, error);
}

/* ---- tables ---- */

static const bench_column columns[] = {
    {"scaling", "scaling", NULL},
    {"mode", "mode", NULL},
    {"triangles", "triangles", NULL},
    {"ranks", "ranks", NULL},
    {"ms_first", "first step", "ms"},
    {"ms_kept", "kept", "ms"},
    {"speed_up", "over one process", NULL},
    {"imbalance", "imbalance", NULL},
    {"megabytes", "memory", "MB"},
    {"memory_part", "memory × ranks", NULL},
    {"memory_of_share", "memory ÷ share", NULL},
    {"ms_wall", "wall", "ms"},
    {"ms_threads", "as many threads", "ms"},
    {"over_threads", "÷ threads", NULL},
    {"crossing", "crossing", NULL},
    {"messages", "messages", NULL},
    {"kilobytes", "sent", "KB"},
    {"collectives", "collectives", NULL},
    {"gathered_kilobytes", "gathered", "KB"},
};

typedef struct scale {
    const bench_settings *settings;
    bench_table *table;
    bench_plot *plot;
    graze_context *home;
} scale;

/* Bytes that one process holds for as much as a rank has: its part, and what crosses to it. */
static double share_bytes(const bench_scene *scene, uint32_t ranks, const outcome *one, const outcome *many) {
    double all = (double)bench_boxes(scene);
    return (double)one->peak * (1.0 / ranks + (double)many->crossing / all);
}

/* `threads`: wall seconds of a process with as many threads as there are ranks; NaN where that was not run. */
static void add_row(const scale *s, const char *name, graze_step_mode mode, const bench_scene *scene, uint32_t ranks,
                    const outcome *one, const outcome *many, double threads) {
    bench_cell *row = bench_add_row(s->table);
    *row++ = bench_text("%s", name);
    *row++ = bench_text("%s", graze_step_mode_name(mode));
    *row++ = bench_count(scene->mesh.face_count);
    *row++ = ranks ? bench_count(ranks) : bench_text("one process");
    *row++ = bench_number(ranks ? 1e3 * many->first : NAN);
    *row++ = bench_number(1e3 * many->kept);
    *row++ = bench_number(one->kept / many->kept);
    *row++ = bench_number(ranks ? many->imbalance : NAN);
    *row++ = bench_number(1e-6 * (double)many->peak);
    *row++ = bench_number((double)many->peak * (ranks ? ranks : 1) / (double)one->peak);
    *row++ = bench_number(ranks ? (double)many->peak / share_bytes(scene, ranks, one, many) : 1);
    *row++ = bench_number(1e3 * many->wall);
    *row++ = bench_number(1e3 * threads);
    *row++ = bench_number(many->wall / threads);
    if (!ranks) return;
    *row++ = bench_count(many->crossing);
    *row++ = bench_count(many->messages);
    *row++ = bench_number(1e-3 * (double)many->bytes);
    *row++ = bench_count(many->collectives);
    *row++ = bench_number(1e-3 * (double)many->gathered);
}

static bool check_answer(const bench_scene *scene, uint32_t ranks, const outcome *one, const outcome *many,
                         io_error *error) {
    if (memcmp(&one->toi, &many->toi, sizeof one->toi) == 0 && one->pairs == many->pairs) return true;
    return io_fail(error, scene->name, 0, "%u ranks say toi %a and %llu pairs, one process says %a and %llu", ranks,
                   many->toi, (unsigned long long)many->pairs, one->toi, (unsigned long long)one->pairs);
}

/* One number of ranks on one scene; `series` gets the speed-up. */
static bool add_trial(const scale *s, const char *name, const bench_scene *scene, uint32_t ranks, graze_step_mode mode,
                      int kept, const outcome *one, bench_series *series, io_error *error) {
    outcome many;
    char label[80];
    snprintf(label, sizeof label, "%s, %s, %u ranks", name, graze_step_mode_name(mode), ranks);
    bench_progress(s->settings, label, 0.5);
    if (!run_trial(scene, ranks, mode, kept, &many, error) || !check_answer(scene, ranks, one, &many, error))
        return false;
    uint32_t cores = bench_threads(s->settings, error);
    outcome threads = {.wall = NAN};
    if (!cores || (ranks <= cores && !run_process(s->settings, scene, mode, ranks, kept, &threads, error)))
        return false;
    add_row(s, name, mode, scene, ranks, one, &many, threads.wall);
    if (series) bench_add_point(series, ranks, one->kept / many.kept);
    return true;
}

static const graze_step_mode modes[] = {GRAZE_STEP_EARLIEST, GRAZE_STEP_ALL};

/* One mesh on more and more ranks. */
static bool strong(const scale *s, uint64_t triangles, io_error *error) {
    bench_scene scene;
    bool good = bench_sheets(s->settings, s->home, triangles, &scene, error);
    for (size_t m = 0; good && m < sizeof modes / sizeof *modes; m++) {
        outcome one;
        char name[40];
        snprintf(name, sizeof name, "strong, %s", graze_step_mode_name(modes[m]));
        good = run_alone(s->settings, &scene, modes[m], &one, error);
        if (good) add_row(s, "strong", modes[m], &scene, 0, &one, &one, NAN);
        bench_series *series = bench_add_series(s->plot, NULL, name);
        for (uint32_t ranks = 1; good && ranks <= MOST_RANKS && !bench_stopped(s->settings); ranks *= 2)
            good = add_trial(s, "strong", &scene, ranks, modes[m], KEPT, &one, series, error);
    }
    if (good) bench_sheets_free(s->home, &scene);
    return good;
}

/* As many triangles for each rank: one process does them all, and is as many times slower. */
static bool weak(const scale *s, uint64_t triangles, io_error *error) {
    bool good = true;
    bench_series *series = bench_add_series(s->plot, NULL, "weak, earliest");
    for (uint32_t ranks = 1; good && ranks <= MOST_RANKS && !bench_stopped(s->settings); ranks *= 2) {
        bench_scene scene;
        outcome one, many;
        good = bench_sheets(s->settings, s->home, triangles * ranks, &scene, error) &&
               run_alone(s->settings, &scene, GRAZE_STEP_EARLIEST, &one, error) &&
               run_trial(&scene, ranks, GRAZE_STEP_EARLIEST, KEPT, &many, error) &&
               check_answer(&scene, ranks, &one, &many, error);
        if (!good) break;
        add_row(s, "weak", GRAZE_STEP_EARLIEST, &scene, ranks, &one, &many, NAN);
        bench_add_point(series, ranks, one.kept / many.kept);
        bench_sheets_free(s->home, &scene);
    }
    return good;
}

/* A mesh so large that what is left over of pages is little of what a rank holds. */
static bool large(const scale *s, uint64_t triangles, io_error *error) {
    bench_scene scene;
    outcome one;
    bool good = bench_sheets(s->settings, s->home, triangles, &scene, error) &&
                run_alone(s->settings, &scene, GRAZE_STEP_EARLIEST, &one, error);
    if (good) add_row(s, "large", GRAZE_STEP_EARLIEST, &scene, 0, &one, &one, NAN);
    for (uint32_t ranks = 2; good && ranks <= MOST_RANKS && !bench_stopped(s->settings); ranks *= 2)
        good = add_trial(s, "large", &scene, ranks, GRAZE_STEP_EARLIEST, 1, &one, NULL, error);
    if (good) bench_sheets_free(s->home, &scene);
    return good;
}

/* Contacts come in clusters: what is uneven is dealt out anew meanwhile. */
static bool scenes(const scale *s, io_error *error) {
    bench_data data;
    bool good = bench_data_load_scenes(s->settings, &data, error);
    for (size_t i = 0; good && i < data.scene_count; i++)
        for (size_t m = 0; good && m < sizeof modes / sizeof *modes && !bench_stopped(s->settings); m++) {
            const bench_scene *scene = &data.scenes[i];
            outcome one;
            good = run_alone(s->settings, scene, modes[m], &one, error);
            if (good) add_row(s, scene->name, modes[m], scene, 0, &one, &one, NAN);
            for (uint32_t ranks = 2; good && ranks <= 4 && !bench_stopped(s->settings); ranks *= 2)
                good = add_trial(s, scene->name, scene, ranks, modes[m], LONG, &one, NULL, error);
        }
    bench_data_free(&data);
    return good;
}

/* ---- many ranks ---- */

static const bench_column many_columns[] = {
    {"mode", "mode", NULL},
    {"triangles", "triangles", NULL},
    {"ranks", "ranks", NULL},
    {"messages", "messages, most of a rank", NULL},
    {"mean_messages", "mean", NULL},
    {"kilobytes", "sent, most of a rank", "KB"},
    {"mean_kilobytes", "mean", "KB"},
    {"collectives", "collectives", NULL},
    {"gathered_kilobytes", "gathered by a rank", "KB"},
    {"crossing", "crossing, most of a rank", NULL},
};

static bool exchange(const scale *s, bench_table *table, uint32_t ranks, uint64_t triangles, io_error *error) {
    bench_scene scene;
    bool good = bench_sheets(s->settings, s->home, triangles, &scene, error);
    for (size_t m = 0; good && m < 2; m++) {
        outcome many;
        bench_progress(s->settings, "many ranks", 0.9);
        good = run_trial(&scene, ranks, modes[m], KEPT, &many, error);
        if (!good) break;
        bench_cell *row = bench_add_row(table);
        row[0] = bench_text("%s", graze_step_mode_name(modes[m]));
        row[1] = bench_count(scene.mesh.face_count);
        row[2] = bench_count(ranks);
        row[3] = bench_count(many.messages);
        row[4] = bench_number((double)many.all_messages / ranks);
        row[5] = bench_number(1e-3 * (double)many.bytes);
        row[6] = bench_number(1e-3 * (double)many.all_bytes / ranks);
        row[7] = bench_count(many.collectives);
        row[8] = bench_number(1e-3 * (double)many.gathered);
        row[9] = bench_count(many.crossing);
    }
    if (good) bench_sheets_free(s->home, &scene);
    return good;
}

bool bench_scale(const bench_settings *settings, bench_report *report, io_error *error) {
    uint64_t part = settings->quick ? QUICK : 1;
    scale s = {.settings = settings, .home = bench_context(settings, 1, 0, error)};
    if (!s.home) return false;
    bench_add_heading(report, "Steps over ranks");
    s.table = bench_add_table(
        report, "scale-ranks", "Ranks that are threads: processor time of the slowest one",
        "Two rough sheets that face each other, and the scenes of --data. Each rank has one thread. `kept`: the best "
        "of "
        "five more steps on the same lists, of the scenes of twenty, between which work may be dealt out anew. `memory "
        "× ranks`: the largest rank's, over one process's divided by the ranks; `memory ÷ share`: over what one "
        "process "
        "holds for as many vertices, edges and faces as are the rank's part and what crosses. `wall`, and that of as "
        "many threads of one process: of a machine that nobody else uses. Messages of the last step.",
        columns, sizeof columns / sizeof *columns);
    s.plot = bench_add_plot(report, "scale-speed-up", "Speed-up by ranks",
                            "Processor time of one process over that of the slowest rank; messages take no time here.",
                            BENCH_LINES, (bench_axis){"ranks", NULL, true}, (bench_axis){"speed-up", NULL, true});
    bool good = strong(&s, 800000 / part, error) && weak(&s, 100000 / part, error) &&
                large(&s, 3200000 / part, error) && scenes(&s, error);
    bench_add_perfect_scaling(s.plot, MOST_RANKS);
    if (good) {
        bench_table *table =
            bench_add_table(report, "scale-exchange", "The exchange of many ranks", "A step that keeps what was dealt.",
                            many_columns, sizeof many_columns / sizeof *many_columns);
        good = exchange(&s, table, settings->quick ? 125 : 1000, 1000000 / part, error);
    }
    report->interrupted = bench_stopped(settings);
    graze_context_destroy(s.home);
    return good;
}
