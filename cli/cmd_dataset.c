/* graze dataset: scores broad and narrow phase on a scene folder with ground truth. */
#include "app/folders.h"
#include "app/input_hash.h"
#include "app/query_files.h"
#include "app/step_run.h"
#include "cli/commands.h"
#include "cli/dataset/default.h"
#include "cli/dataset/make.h"
#include "cli/dataset/pair_sample.h"
#include "cli/shard.h"

#include "io/scene_truth.h"

#include <stdlib.h>
#include <string.h>

typedef struct settings {
    app_step_settings step;
    uint64_t limit; /* 0: all candidates */
    const char *lines;
    cli_shard shard;
    bool json, exit_code, resume;
} settings;

/* All counts by kind, GRAZE_NOT_COUNTED for a kind without ground truth; only vf and ee are used. */
typedef struct step_score {
    uint64_t step;
    uint64_t candidates[4], sampled[4], listed[4], listed_missed[4];
    uint64_t truth[4], broad_missed[4], false_negatives[4], false_positives[4], hits[4], unresolved[4];
    double ms_broad, ms_narrow, ms_total;
} step_score;

/* Its counts, in the order of JSON. */
static const struct {
    const char *name;
    size_t at;
} fields[] = {{"candidates", offsetof(step_score, candidates)},
              {"sampled", offsetof(step_score, sampled)},
              {"listed", offsetof(step_score, listed)},
              {"listed_missed", offsetof(step_score, listed_missed)},
              {"truth", offsetof(step_score, truth)},
              {"broad_missed", offsetof(step_score, broad_missed)},
              {"hits", offsetof(step_score, hits)},
              {"unresolved", offsetof(step_score, unresolved)},
              {"false_negatives", offsetof(step_score, false_negatives)},
              {"false_positives", offsetof(step_score, false_positives)}};
enum { COUNTS = sizeof fields / sizeof *fields };

static uint64_t *count_at(step_score *s, size_t i) { return (uint64_t *)(void *)((char *)s + fields[i].at); }
static const uint64_t *count_of(const step_score *s, size_t i) {
    return (const uint64_t *)(const void *)((const char *)s + fields[i].at);
}

/* ---- broad phase ---- */

/* Index of the first pair of a kind; `pairs` is sorted by kind, a, b. */
static size_t begin_of(const graze_pair *pairs, size_t count, int kind) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((int)pairs[middle].kind < kind)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The number of keys that are not among the pairs of one kind. Both are sorted. */
static uint64_t count_missing(const uint64_t *keys, size_t key_count, const graze_pair *pairs, size_t count) {
    uint64_t missing = 0;
    size_t at = 0;
    for (size_t i = 0; i < key_count; i++) {
        while (at < count && io_pair_key(pairs[at].a, pairs[at].b) < keys[i]) at++;
        missing += at == count || io_pair_key(pairs[at].a, pairs[at].b) != keys[i];
    }
    return missing;
}

static void score_broad(const graze_pair *pairs, size_t count, const io_scene_truth truth[2], step_score *s) {
    for (int kind = 0; kind < 2; kind++) {
        size_t begin = begin_of(pairs, count, kind), end = begin_of(pairs, count, kind + 1);
        const io_scene_truth *list = &truth[kind];
        s->candidates[kind] = end - begin;
        if (!list->known) {
            s->listed[kind] = s->listed_missed[kind] = s->truth[kind] = s->broad_missed[kind] = GRAZE_NOT_COUNTED;
            continue;
        }
        s->listed[kind] = list->listed_count;
        s->truth[kind] = list->colliding_count;
        s->listed_missed[kind] = count_missing(list->listed, list->listed_count, pairs + begin, end - begin);
        s->broad_missed[kind] = count_missing(list->colliding, list->colliding_count, pairs + begin, end - begin);
    }
}

/* ---- narrow phase ---- */

static void score_narrow(const graze_pair *pairs, const graze_result *results, size_t count,
                         const io_scene_truth truth[2], bool sampled, step_score *s) {
    for (size_t i = 0; i < count; i++) {
        int kind = (int)pairs[i].kind;
        if (kind > 1) continue;
        bool touches = results[i].verdict != GRAZE_CLEAR; /* unresolved counts as a hit when scoring */
        s->sampled[kind]++;
        s->hits[kind] += results[i].verdict == GRAZE_HIT;
        s->unresolved[kind] += results[i].verdict == GRAZE_UNRESOLVED;
        if (!truth[kind].known) continue;
        uint64_t key = io_pair_key(pairs[i].a, pairs[i].b);
        if (sampled && !io_has_key(truth[kind].listed, truth[kind].listed_count, key)) continue;
        bool collides = io_has_key(truth[kind].colliding, truth[kind].colliding_count, key);
        s->false_positives[kind] += touches && !collides;
        s->false_negatives[kind] += !touches && collides;
    }
}

/* Returns the milliseconds that the narrow phase took; scores into `s` where that is not NULL. */
static double run_narrow(const settings *set, graze_context *context, const app_frames *frames, const graze_pair *pairs,
                         size_t count, const io_scene_truth truth[2], bool sampled, step_score *s,
                         app_progress *progress) {
    enum { CHUNK = 1 << 16 };
    size_t room = count < CHUNK ? count : CHUNK;
    graze_result *results = app_allocate(room, sizeof *results);
    double ms = 0;
    for (size_t begin = 0; begin < count; begin += CHUNK) {
        size_t here = count - begin < CHUNK ? count - begin : CHUNK;
        double start = app_seconds();
        graze_status status =
            graze_ccd_pairs(context, &frames->mesh, (const double(*)[3])frames->a.positions,
                            (const double(*)[3])frames->b.positions, pairs + begin, here, &set->step.options, results);
        ms += 1e3 * (app_seconds() - start);
        if (status != GRAZE_OK) app_fail_frames(status, context, frames);
        if (s) score_narrow(pairs + begin, results, here, truth, sampled, s);
        app_progress_update(progress, progress->done + here);
    }
    free(results);
    return ms;
}

/* ---- one step ---- */

/* Data that is read for one step. */
typedef struct step_files {
    app_frames frames;
    io_scene_truth truth[2];
} step_files;

static void load_step(graze_context *home, const io_scene_step *step, step_files *files) {
    io_error error;
    app_load_frames(home, step->frame_a, step->frame_b, &files->frames);
    for (int kind = 0; kind < 2; kind++)
        if (!io_read_scene_truth(step, kind, &files->frames.mesh, &files->truth[kind], &error))
            app_fail("%s", error.message);
}

static void free_step(graze_context *home, step_files *files) {
    for (int kind = 0; kind < 2; kind++) io_free_scene_truth(&files->truth[kind]);
    app_free_frames(home, &files->frames);
}

static void score_step(const settings *set, const step_files *files, bool sampled, step_score *s) {
    const app_frames *frames = &files->frames;
    app_progress progress;
    for (uint64_t r = 0; r < set->step.repeat; r++) {
        graze_context *context = app_context(set->step.threads);
        graze_pair *pairs;
        size_t count;
        double start = app_seconds();
        graze_status status =
            graze_candidates(context, &frames->mesh, (const double(*)[3])frames->a.positions,
                             (const double(*)[3])frames->b.positions, &set->step.options, &pairs, &count);
        double broad = 1e3 * (app_seconds() - start);
        if (status != GRAZE_OK) app_fail_frames(status, context, frames);
        bool some = set->limit > 0 && set->limit < count;
        graze_pair *chosen = some ? cli_sample_pairs(pairs, count, (size_t)set->limit) : pairs;
        size_t chosen_count = some ? (size_t)set->limit : count;
        if (r == 0) {
            score_broad(pairs, count, files->truth, s);
            app_progress_begin(&progress, "narrow phase", set->step.repeat * chosen_count);
        }
        double narrow =
            run_narrow(set, context, frames, chosen, chosen_count, files->truth, sampled, r == 0 ? s : NULL, &progress);
        if (r == 0 || broad + narrow < s->ms_total) {
            s->ms_broad = broad;
            s->ms_narrow = narrow;
            s->ms_total = broad + narrow;
        }
        if (some) free(chosen);
        graze_pairs_release(context, pairs, count);
        graze_context_destroy(context);
    }
    app_progress_end(&progress);
    for (int kind = 0; kind < 2; kind++)
        if (!files->truth[kind].known) s->false_positives[kind] = s->false_negatives[kind] = GRAZE_NOT_COUNTED;
    app_notice_fans(frames);
}

static void add_counts(uint64_t sum[4], const uint64_t counts[4]) {
    for (int kind = 0; kind < 2; kind++) {
        if (counts[kind] == GRAZE_NOT_COUNTED) continue;
        sum[kind] = (sum[kind] == GRAZE_NOT_COUNTED ? 0 : sum[kind]) + counts[kind];
    }
}

static step_score total_of(const step_score *steps, size_t count) {
    step_score total = count ? steps[0] : (step_score){0};
    for (size_t i = 1; i < count; i++) {
        for (size_t k = 0; k < COUNTS; k++) add_counts(count_at(&total, k), count_of(&steps[i], k));
        total.ms_broad += steps[i].ms_broad;
        total.ms_narrow += steps[i].ms_narrow;
        total.ms_total += steps[i].ms_total;
    }
    return total;
}

/* ---- what is printed ---- */

static void add_times(cJSON *object, const step_score *s) {
    cJSON *time = cJSON_AddObjectToObject(object, "time_ms");
    cJSON_AddNullToObject(time, "boxes"); /* part of broad */
    cJSON_AddItemToObject(time, "broad", app_json_double(s->ms_broad));
    cJSON_AddItemToObject(time, "narrow", app_json_double(s->ms_narrow));
    cJSON_AddItemToObject(time, "total", app_json_double(s->ms_total));
}

static cJSON *score_json(const step_score *s, bool total, bool no_times) {
    cJSON *object = cJSON_CreateObject();
    if (!total) cJSON_AddItemToObject(object, "step", app_json_count(s->step));
    for (size_t i = 0; i < COUNTS; i++)
        cJSON_AddItemToObject(object, fields[i].name, app_kinds_json(count_of(s, i), false));
    if (!no_times) add_times(object, s);
    return object;
}

/* ---- --lines ---- */

static void hash_keys(io_sha256 *hash, const uint64_t *keys, size_t count) {
    io_sha256_count(hash, count);
    for (size_t i = 0; i < count; i++) io_sha256_count(hash, keys[i]);
}

static void input_of(const settings *set, const io_scene *scene, const step_files *files, char input[IO_SHA256_SHORT]) {
    io_sha256 hash = app_hash_step(&set->step);
    io_sha256_text(&hash, graze_broad_name(set->step.options.broad));
    io_sha256_count(&hash, set->limit);
    io_sha256_count(&hash, scene->sampled);
    app_hash_frames(&hash, &files->frames);
    for (int kind = 0; kind < 2; kind++) {
        const io_scene_truth *truth = &files->truth[kind];
        io_sha256_count(&hash, truth->known);
        hash_keys(&hash, truth->listed, truth->listed_count);
        hash_keys(&hash, truth->colliding, truth->colliding_count);
    }
    app_hash_end(&hash, input);
}

static void put_line(cli_lines *lines, const step_score *s, const char *input, bool no_times) {
    cJSON *object = score_json(s, false, no_times);
    cJSON_AddStringToObject(object, "input", input);
    char *text = cJSON_PrintUnformatted(object);
    if (!text) app_fail("out of memory");
    cli_put_line(lines, text);
    cli_flush_lines(lines);
    cJSON_free(text);
    cJSON_Delete(object);
}

static bool read_counts(const cJSON *line, step_score *s) {
    for (size_t i = 0; i < 2 * COUNTS; i++) {
        const cJSON *kinds = cJSON_GetObjectItemCaseSensitive(line, fields[i / 2].name),
                    *count = cJSON_GetObjectItemCaseSensitive(kinds, graze_kind_name((graze_kind)(i % 2)));
        if (!cJSON_IsNumber(count) && !cJSON_IsNull(count)) return false;
        count_at(s, i / 2)[i % 2] = cJSON_IsNull(count) ? GRAZE_NOT_COUNTED : (uint64_t)count->valuedouble;
    }
    return true;
}

/* True if old line i is this step's: then it is kept, and the score is its. */
static bool take_old(cli_lines *lines, size_t i, const char *input, bool no_times, step_score *s) {
    if (i >= lines->count) return false;
    step_score old = *s;
    cJSON *line = cli_old_line(lines, i);
    const cJSON *step = cJSON_GetObjectItemCaseSensitive(line, "step");
    bool same = cJSON_IsNumber(step) && step->valuedouble == (double)s->step && cli_line_has_input(line, input) &&
                cli_line_has_its_times(line, no_times) && read_counts(line, &old);
    cJSON_Delete(line);
    if (same) {
        cli_keep_line(lines, i);
        *s = old;
    } else {
        cli_drop_line(lines, i);
    }
    return same;
}

/* The steps of this shard, or all. */
static void score_steps(const settings *set, const io_scene *scene, cli_lines *lines, step_score *steps) {
    graze_context *home = app_context(1);
    for (size_t i = set->shard.first; i < set->shard.end; i++) {
        size_t k = i - set->shard.first;
        step_files files;
        char input[IO_SHA256_SHORT];
        load_step(home, &scene->steps[i], &files);
        input_of(set, scene, &files, input);
        steps[k] = (step_score){.step = scene->steps[i].step};
        if (!take_old(lines, k, input, set->shard.no_times, &steps[k])) {
            score_step(set, &files, scene->sampled, &steps[k]);
            if (set->lines) put_line(lines, &steps[k], input, set->shard.no_times);
        }
        free_step(home, &files);
    }
    graze_context_destroy(home);
}

static void print_json(const settings *set, const char *name, const step_score *steps, size_t count,
                       const step_score *total) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "scene", app_json_text(name));
    cJSON_AddStringToObject(object, "method", graze_method_get(set->step.narrow_options.method)->name);
    cJSON_AddStringToObject(object, "broad", graze_broad_name(set->step.options.broad));
    cJSON_AddStringToObject(object, "backend", graze_backend_name(GRAZE_BACKEND_CPU));
    cJSON *list = cJSON_AddArrayToObject(object, "steps");
    for (size_t i = 0; i < count; i++) cJSON_AddItemToArray(list, score_json(&steps[i], false, set->shard.no_times));
    cJSON_AddItemToObject(object, "total", score_json(total, true, set->shard.no_times));
    app_print_json(object);
}

static void print_row(const step_score *s, int kind, const char *name, bool no_times) {
    const uint64_t shown[] = {s->candidates[kind],   s->sampled[kind],         s->truth[kind],
                              s->broad_missed[kind], s->false_negatives[kind], s->false_positives[kind],
                              s->unresolved[kind]};
    printf("%-8s %-4s", name, graze_kind_name((graze_kind)kind));
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        if (shown[i] == GRAZE_NOT_COUNTED)
            printf(" %10s", "-");
        else
            printf(" %10llu", (unsigned long long)shown[i]);
    }
    if (kind == 0 && !no_times)
        printf(" %10.1f %10.1f\n", s->ms_broad, s->ms_narrow);
    else
        printf("\n");
}

static void print_table(const settings *set, const char *name, const step_score *steps, size_t count,
                        const step_score *total) {
    char *shown = app_shown(name, 200);
    bool no_times = set->shard.no_times;
    printf("%s: method %s, broad phase %s%s\n\n", shown, graze_method_get(set->step.narrow_options.method)->name,
           graze_broad_name(set->step.options.broad), no_times ? "" : ", times in ms");
    free(shown);
    printf("%-8s %-4s %10s %10s %10s %10s %10s %10s %10s", "step", "kind", "candidates", "sampled", "truth", "missed",
           "false-", "false+", "unresolved");
    if (!no_times) printf(" %10s %10s", "broad", "narrow");
    printf("\n");
    for (size_t i = 0; i < count; i++)
        for (int kind = 0; kind < 2; kind++) {
            char step[24];
            snprintf(step, sizeof step, "%llu", (unsigned long long)steps[i].step);
            print_row(&steps[i], kind, kind == 0 ? step : "", no_times);
        }
    if (count > 1)
        for (int kind = 0; kind < 2; kind++) print_row(total, kind, kind == 0 ? "total" : "", no_times);
}

/* ---- the command ---- */

static void note_inputs(const io_scene *scene) {
    for (size_t i = 0; i < scene->step_count; i++) {
        const io_scene_step *step = &scene->steps[i];
        const char *const paths[] = {step->frame_a,  step->frame_b,  step->boxes[0],
                                     step->boxes[1], step->truth[0], step->truth[1]};
        for (size_t k = 0; k < sizeof paths / sizeof *paths; k++)
            if (paths[k]) io_note_input(paths[k]);
    }
}

int cmd_dataset(int argc, char **argv) {
    settings set = {.step = APP_STEP_DEFAULTS};
    bool make = false, quick = false;
    const char *out = NULL;
    const app_option options[] = {
        {"--method", APP_TEXT, &set.step.narrow.method, "M", "method for each pair; `graze info` lists them"},
        {"--tolerance", APP_NUMBER, &set.step.narrow.tolerance, "X", "gap at which an unproven hit is reported"},
        {"--max-checks", APP_COUNT, &set.step.narrow.max_checks, "N",
         "most checks of one pair (0: the method's default)"},
        {"--broad", APP_TEXT, &set.step.broad, "B", "broad phase; `graze info` lists them"},
        {"--backend", APP_TEXT, &set.step.backend, "auto|cpu|cuda", "where it runs (auto)"},
        {"--memory-limit", APP_COUNT, &set.step.memory_limit, "BYTES", "memory for candidates; K, M, G may follow"},
        {"--limit", APP_COUNT, &set.limit, "N", "decide only N candidates of each step, evenly spread"},
        {"--repeat", APP_COUNT, &set.step.repeat, "N", "run N times and report the least times (1)"},
        {"--lines", APP_TEXT, &set.lines, "FILE.jsonl", "write the score of each step as a line of JSON"},
        {"--resume", APP_FLAG, &set.resume, NULL,
         "continue an interrupted --lines file; steps whose line, frames or truth have changed are scored again"},
        CLI_SHARD_OPTIONS(set.shard),
        {"--make", APP_FLAG, &make, NULL, "write boxes, truth and queries for a folder that has only frames"},
        {"--out", APP_TEXT, &out, "OUT", "with --make and no DIR: where the scenes go (graze-dataset)"},
        {"--quick", APP_FLAG, &quick, NULL, "with --make and no DIR: generated scenes, which take no simulating"},
        {"--threads", APP_COUNT, &set.step.threads, "N", "threads (0: all cores)"},
        {"--json", APP_FLAG, &set.json, NULL, "one JSON object on stdout"},
        {"--exit-code", APP_FLAG, &set.exit_code, NULL, "exit 1 when a pair hits, else 3 when one is unresolved"},
        {0},
    };
    const app_usage usage = {
        "dataset", "DIR [options] | --make [options]",
        "Scores the broad and the narrow phase on a scene folder: frames/, boxes/ (the listed pairs) and mma_bool/\n"
        "(which of them collide). Pairs that are not listed do not collide. A colliding pair that is no candidate\n"
        "counts as missed by the broad phase; false- and false+ count wrong answers of the narrow phase on the\n"
        "candidates.\n"
        "With --make it turns a folder of frames into such a scene, with exact truth for every candidate, or for N of\n"
        "each step with --limit; sample.json then says that other pairs are unknown. An interrupted --make leaves\n"
        "make.incomplete and continues when it is run again. Without DIR it takes the last step of five simulated\n"
        "scenes. Simulating their frames takes minutes, once: the cache of `graze bench` keeps them. With --quick, or\n"
        "without the simulator, it takes one step of each generated scene.",
        options, "example: graze dataset scenes/cloth-funnel --method ti"};
    const char **operands = app_allocate((size_t)argc, sizeof *operands);
    int count = app_parse(&usage, argc, argv, operands);
    bool by_default = make && count == 0;
    if (count != 1 && !by_default) app_fail("dataset: no folder: `graze dataset DIR`");
    if ((out || quick) && !by_default) app_fail("dataset: %s goes with --make and no DIR", out ? "--out" : "--quick");
    if (make && (set.lines || set.resume || set.shard.text || set.shard.folder || set.shard.no_times))
        app_fail("dataset: --lines, --resume, --shard and --no-times do not go with --make");
    cli_shard_prepare(&usage, &set.shard, "--lines", &set.lines, set.json, NULL);
    if (set.resume && !set.lines) app_fail("dataset: --resume needs --lines FILE");
    app_step_prepare("dataset", &set.step);
    if (set.step.options.backend == GRAZE_BACKEND_CUDA)
        app_fail("dataset: --backend cuda: candidates and their truth are found on the CPU only");
    if (set.limit >> 32) app_fail("dataset: --limit: below 2^32");
    const char *folder = operands[0];
    if (make) {
        cJSON *made =
            by_default ? cli_dataset_default(out ? out : "graze-dataset", quick, set.step.threads, set.limit, set.json)
                       : cli_dataset_make(folder, set.step.threads, set.limit, false, set.json);
        free(operands);
        if (made) app_print_json(made);
        return APP_OK;
    }
    io_error error;
    io_scene scene;
    if (!io_open_scene(folder, &scene, &error)) app_fail("%s", error.message);
    if (scene.step_count == 0)
        app_fail("%s: no ground truth in it (boxes/<step>vf.json, boxes/<step>ee.json); --make writes it", folder);
    note_inputs(&scene);
    cli_shard_deal(&set.shard, scene.step_count);
    size_t step_count = set.shard.end - set.shard.first;
    step_score *steps = app_allocate(step_count, sizeof *steps);
    cli_lines lines = cli_shard_open(&set.shard, "--lines", set.lines, set.resume, set.json);
    score_steps(&set, &scene, &lines, steps);
    cli_close_lines(&lines);
    step_score total = total_of(steps, step_count);
    size_t length;
    const char *base = io_base_name(folder, &length);
    char *name = app_text("%.*s", (int)length, base);
    (set.json ? print_json : print_table)(&set, name, steps, step_count, &total);
    free(name);
    free(steps);
    io_free_scene(&scene);
    cli_shard_free(&set.shard);
    free(operands);
    return app_verdict_status(set.exit_code, total.hits[0] + total.hits[1] > 0,
                              total.unresolved[0] + total.unresolved[1] > 0);
}
