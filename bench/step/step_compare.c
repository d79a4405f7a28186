/* The fused step against its parts one after the other, and against itself done otherwise. */
#include "bench/step/step.h"

#include "bench/narrow/measure.h"
#include "bench/narrow/methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- candidates, then the narrow phase ---- */

static const bench_column unfused_columns[] = {
    {"scene", "scene", NULL},
    {"method", "method", NULL},
    {"candidates", "candidates", NULL},
    {"covered", "answered", NULL},
    {"ms_candidates", "candidates", "ms"},
    {"ms_narrow", "narrow phase", "ms"},
    {"ms_unfused", "together", "ms"},
    {"ms_step", "fused step", "ms"},
    {"ratio", "the step is faster by", NULL},
    {"toi", "time of impact", NULL},
    {"step_toi", "of the step", NULL},
    {"exact_toi", "exact", NULL},
    {"late", "steps after the contact", NULL},
};

bool bench_step_first_contact(const bench_step_run *run, const bench_scene *scene, double bracket[2], io_error *error) {
    size_t count = scene->pair_count;
    unsigned char *hit = bench_allocate(count, 1);
    double *lower = bench_allocate(count, sizeof *lower), *upper = bench_allocate(count, sizeof *upper);
    for (size_t i = 0; i < count; i++) lower[i] = upper[i] = NAN;
    bench_truth_job job = {.options = graze_default_truth_options(),
                           .count = count,
                           .scene = scene,
                           .wanted = scene->hit,
                           .hit = hit,
                           .lower = lower,
                           .upper = upper};
    bool good = bench_find_truths(run->settings, &job, "first contact", error);
    bracket[0] = bracket[1] = INFINITY;
    for (size_t i = 0; good && i < count; i++) {
        if (!scene->hit[i]) continue;
        bracket[0] = fmin(bracket[0], lower[i]);
        bracket[1] = fmin(bracket[1], upper[i]);
    }
    free(hit);
    free(lower);
    free(upper);
    return good;
}

typedef struct unfused {
    bench_times candidates, narrow;
    size_t count, covered;
    double toi;
} unfused;

static bool run_unfused(const bench_step_run *run, const bench_scene *scene, int method, unfused *u, io_error *error) {
    *u = (unfused){.toi = 1};
    graze_context *context = bench_context(run->settings, run->threads, run->budget, error);
    if (!context) return false;
    graze_options narrow = graze_default_options();
    narrow.method = (graze_method)method;
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    const double(*x0)[3] = (const double(*)[3])scene->x0, (*x1)[3] = (const double(*)[3])scene->x1;
    graze_result *results = NULL;
    graze_status status = GRAZE_OK;
    const char *fault = NULL;
    /* the first round warms the context; where it ran out of time it is all there is */
    for (int round = 0; status == GRAZE_OK && !fault && bench_times_more(&u->narrow, run->repeat, run->budget);
         round++) {
        if (bench_stopped(run->settings)) break;
        graze_pair *pairs;
        double begin = bench_seconds();
        status = graze_candidates(context, &scene->mesh, x0, x1, NULL, &pairs, &u->count);
        double listed = bench_seconds();
        if (status != GRAZE_OK) break;
        if (!results) results = bench_allocate(u->count, sizeof *results);
        bench_cost cost;
        fault = bench_ccd_pairs(run->settings, context, scene, pairs, u->count, &options, bench_seconds() + run->budget,
                                results, &cost);
        double answered = bench_seconds();
        u->covered = 0;
        u->toi = 1;
        for (size_t i = 0; !fault && i < u->count; i++) {
            if (results[i].verdict == GRAZE_UNRESOLVED && results[i].reason == GRAZE_REASON_CANCELLED) continue;
            u->covered++;
            if (results[i].verdict != GRAZE_CLEAR) u->toi = fmin(u->toi, results[i].toi);
        }
        graze_pairs_release(context, pairs, u->count);
        bool whole = u->covered == u->count;
        if (round > 0 || !whole || answered - begin > run->budget / 2) {
            bench_times_add(&u->candidates, listed - begin);
            bench_times_add(&u->narrow, cost.wall);
        }
        if (!whole) break;
    }
    if (status != GRAZE_OK) bench_call_failed(context, scene->name, status, error);
    if (fault) io_fail(error, scene->name, 0, "%s: %s", bench_method(run->settings, method)->name, fault);
    free(results);
    graze_context_destroy(context);
    return status == GRAZE_OK && !fault;
}

/* Methods to run on all candidates: three of the build, and every plugin that answers both kinds. */
static bool is_baseline(const bench_settings *settings, int m) {
    if (!bench_method_brought(settings, m))
        return m == GRAZE_METHOD_CERTIFIED || m == GRAZE_METHOD_TI || m == GRAZE_METHOD_ACCD;
    return bench_method_answers_calls(settings, m) && bench_method_answers_kind(settings, m, GRAZE_VF) &&
           bench_method_answers_kind(settings, m, GRAZE_EE);
}

static bool compare_scene(bench_step_run *run, bench_table *table, const bench_scene *scene, io_error *error) {
    double bracket[2];
    bench_step_times step;
    if (!bench_step_first_contact(run, scene, bracket, error)) return false;
    for (int m = 1; bench_method(run->settings, m); m++) {
        if (!run->settings->methods[m] || !is_baseline(run->settings, m) || bench_stopped(run->settings)) continue;
        unfused u;
        /* beside each baseline, so that both see the same machine */
        if (!bench_step_time(run, scene, GRAZE_STEP_EARLIEST, run->threads, false, &step, error)) return false;
        if (!run_unfused(run, scene, m, &u, error)) return false;
        if (bench_stopped(run->settings)) return true;
        double fused = bench_times_least(&step.times);
        double candidates = bench_times_least(&u.candidates), narrow = bench_times_least(&u.narrow);
        bool whole = u.covered == u.count;
        bench_cell *row = bench_add_row(table);
        row[0] = bench_text("%s", scene->name);
        row[1] = bench_text("%s", bench_method(run->settings, m)->name);
        row[2] = bench_count(u.count);
        row[3] = bench_count(u.covered);
        row[4] = bench_number(1e3 * candidates);
        row[5] = bench_number(1e3 * narrow);
        row[6] = bench_number(1e3 * (candidates + narrow));
        row[7] = bench_number(1e3 * fused);
        row[8] = bench_number((candidates + narrow) / fused);
        if (whole) row[9] = bench_number(u.toi);
        row[10] = bench_number(step.result.toi);
        row[11] = bench_number(bracket[0]);
        row[12] = bench_count(step.result.toi > bracket[1]);
    }
    return true;
}

bool bench_step_unfused(bench_step_run *run, io_error *error) {
    char note[500];
    snprintf(note, sizeof note,
             "graze_candidates, then graze_ccd_pairs on the whole list with the method named, against one fused step "
             "of mode earliest; %u threads, kept contexts, least times. Where fewer pairs are answered than there are, "
             "the narrow phase was ended after %g s, and the ratio is a lower bound. The exact time is the first "
             "contact by exact arithmetic, rounded down.",
             run->threads, run->budget);
    bench_add_heading(run->report, "Fused and one after the other");
    bench_table *table = bench_add_table(run->report, "step-unfused", "Earliest impact, fused and not", note,
                                         unfused_columns, sizeof unfused_columns / sizeof *unfused_columns);
    for (size_t s = 0; s < run->data.scene_count && !bench_stopped(run->settings); s++) {
        bench_progress(run->settings, run->data.scenes[s].name, 0.3 + 0.2 * (double)s / (double)run->data.scene_count);
        if (!compare_scene(run, table, &run->data.scenes[s], error)) return false;
    }
    return true;
}

/* ---- the same bits however it is done ---- */

static const bench_column difference_columns[] = {
    {"scene", "scene", NULL},
    {"mode", "mode", NULL},
    {"varied", "what varies", NULL},
    {"variants", "variants", NULL},
    {"ended", "out of time", NULL},
    {"differences", "differences", NULL},
    {"hash", "hash of the answer", NULL},
};

/* Means by which an answer is reached. */
typedef struct way {
    uint32_t threads;
    graze_isa isa;
    graze_broad broad;
} way;

static uint64_t hash_pair(uint64_t hash, const graze_pair_result *pair) {
    hash = bench_hash(hash, (int)pair->pair.kind, (double)pair->pair.a);
    hash = bench_hash(hash, (int)pair->result.verdict, (double)pair->pair.b);
    return bench_hash(bench_hash(hash, pair->result.proven, pair->result.toi), 0, pair->result.toi_upper);
}

/* Verdict, times, the limiting pair, every pair and every vertex; 0 where the call ran out of time. */
static bool answer_hash(const bench_step_run *run, const bench_scene *scene, graze_step_mode mode, way w,
                        uint64_t *hash, io_error *error) {
    graze_context_options made = graze_default_context_options();
    made.threads = w.threads;
    made.isa = w.isa;
    made.deadline_seconds = 4 * run->budget;
    graze_context *context = bench_context_from(run->settings, made, error);
    if (!context) return false;
    graze_step_options options = graze_default_step_options();
    options.mode = mode;
    options.broad = w.broad;
    if (mode == GRAZE_STEP_VERTICES)
        options.vertex_toi = bench_allocate(scene->mesh.vertex_count, sizeof *options.vertex_toi);
    graze_step_result result = graze_default_step_result();
    graze_status status = graze_step(context, &scene->mesh, (const double(*)[3])scene->x0,
                                     (const double(*)[3])scene->x1, &options, &result);
    *hash = bench_hash(bench_hash(BENCH_HASH_START, result.verdict, result.toi), result.has_pair, result.toi_upper);
    if (result.has_pair) *hash = hash_pair(*hash, &result.limiting);
    for (size_t i = 0; i < result.pair_count; i++) *hash = hash_pair(*hash, &result.pairs[i]);
    for (uint32_t i = 0; options.vertex_toi && i < scene->mesh.vertex_count; i++)
        *hash = bench_hash(*hash, 0, options.vertex_toi[i]);
    if (result.reason == GRAZE_REASON_CANCELLED) *hash = 0;
    if (status != GRAZE_OK) bench_call_failed(context, scene->name, status, error);
    graze_step_release(context, &result);
    graze_context_destroy(context);
    free(options.vertex_toi);
    return status == GRAZE_OK;
}

/* The ways that vary one thing; their number. */
static size_t list_ways(const char *varied, uint32_t threads, way *ways) {
    size_t count = 0;
    if (strcmp(varied, "threads") == 0) {
        for (uint32_t t = 1; t <= 8; t++) ways[count++] = (way){.threads = t};
        if (threads > 8) ways[count++] = (way){.threads = threads};
    } else if (strcmp(varied, "instruction set") == 0) {
        for (int isa = GRAZE_ISA_SCALAR; isa <= GRAZE_ISA_WASM; isa++)
            if (graze_isa_available((graze_isa)isa)) ways[count++] = (way){.threads = threads, .isa = (graze_isa)isa};
    } else {
        for (int broad = GRAZE_BROAD_AUTO; broad <= GRAZE_BROAD_LBVH; broad++)
            if (graze_broad_available((graze_broad)broad))
                ways[count++] = (way){.threads = threads, .broad = (graze_broad)broad};
    }
    return count;
}

static bool compare_ways(bench_step_run *run, bench_table *table, const bench_scene *scene, graze_step_mode mode,
                         io_error *error) {
    static const char *const varied[] = {"threads", "instruction set", "broad phase"};
    enum { MOST_WAYS = 32 };
    uint64_t reference;
    if (!answer_hash(run, scene, mode, (way){.threads = 1}, &reference, error)) return false;
    for (int v = 0; v < 3 && !bench_stopped(run->settings); v++) {
        way ways[MOST_WAYS];
        size_t count = list_ways(varied[v], run->threads, ways);
        uint64_t ended = 0, differences = 0;
        for (size_t i = 0; i < count && !bench_stopped(run->settings); i++) {
            uint64_t hash;
            if (!answer_hash(run, scene, mode, ways[i], &hash, error)) return false;
            ended += hash == 0;
            differences += hash != 0 && reference != 0 && hash != reference;
        }
        if (bench_stopped(run->settings)) return true;
        bench_cell *row = bench_add_row(table);
        row[0] = bench_text("%s", scene->name);
        row[1] = bench_text("%s", graze_step_mode_name(mode));
        row[2] = bench_text("%s", varied[v]);
        row[3] = bench_count(count);
        row[4] = bench_count(ended);
        row[5] = bench_count(differences);
        if (reference) row[6] = bench_text("%016llx", (unsigned long long)reference);
    }
    return true;
}

bool bench_step_differences(bench_step_run *run, io_error *error) {
    bench_add_heading(run->report, "The same answer");
    bench_table *table = bench_add_table(
        run->report, "step-differences", "Threads, instruction sets and broad phases",
        "Each variant's verdict, times, limiting pair, list of pairs and times of the vertices against those of one "
        "thread, bit for bit. Mode any is left out: which contact it stops at is free.",
        difference_columns, sizeof difference_columns / sizeof *difference_columns);
    for (size_t s = 0; s < run->data.scene_count && !bench_stopped(run->settings); s++)
        for (int mode = 0; mode < BENCH_MODES; mode++) {
            if (mode == GRAZE_STEP_ANY) continue;
            bench_progress(run->settings, run->data.scenes[s].name,
                           0.5 + 0.2 * (double)s / (double)run->data.scene_count);
            if (!compare_ways(run, table, &run->data.scenes[s], (graze_step_mode)mode, error)) return false;
        }
    return true;
}
