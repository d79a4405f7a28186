/* graze sequence: every consecutive pair of a folder of frames. */
#include "app/folders.h"
#include "app/input_hash.h"
#include "app/query_files.h"
#include "cli/commands.h"
#include "cli/contacts.h"
#include "cli/frame_sets.h"
#include "cli/sequence_report.h"
#include "cli/shard.h"
#include "cli/view/motion.h"

#include "io/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct settings {
    app_step_settings step;
    const char *html, *contacts, *pairs_out, *thickness, *range, *out;
    app_texts with;
    cli_shard shard;
    bool between, resume, exit_code;
} settings;

/* A run: all that it writes and works with. */
typedef struct sequence {
    settings *set;
    cli_frame_sets frames;
    size_t count;                    /* of steps, in this shard or all */
    graze_context *home, *context;   /* of the meshes; of the steps, kept from one to the next */
    io_output page, pairs;           /* --html, --pairs-out */
    cli_lines lines;                 /* --out */
    cli_contacts contacts;           /* --contacts */
    cli_motion_page motion, *viewer; /* NULL: a plain page */
    char *asked;                     /* all that answers depend on but the frames, in each line of --out */
    cJSON **old;                     /* steps of an earlier run, one for each old line; NULL: none, or taken */
    cJSON *steps;
    uint64_t pairs_written;
    io_error first_error;
} sequence;

/* "certified, mode all, separation 0.1, with floor.obj" */
static char *what_is_asked(const settings *set) {
    const graze_options *narrow = &set->step.narrow_options;
    char *text =
        app_text("%s, mode %s, separation %.17g, t_max %.17g, tolerance %.17g, max_checks %llu%s%s",
                 graze_method_get(narrow->method)->name, graze_step_mode_name(set->step.options.mode),
                 narrow->min_separation, narrow->t_max, narrow->tolerance, (unsigned long long)narrow->max_checks,
                 set->thickness ? ", thickness " : "", set->thickness ? set->thickness : "");
    for (size_t i = 0; i < set->with.count; i++) {
        char *longer = app_text("%s, with %s", text, set->with.texts[i]);
        free(text);
        text = longer;
    }
    char *whole = app_text("%s%s", text, set->between ? ", between" : "");
    free(text);
    io_make_printable(whole); /* names of files are in it */
    return whole;
}

/* ---- steps of an earlier run ---- */

static bool same_text(const cJSON *a, const cJSON *b, const char *name) {
    const cJSON *x = cJSON_GetObjectItemCaseSensitive(a, name), *y = cJSON_GetObjectItemCaseSensitive(b, name);
    return cJSON_IsString(x) && cJSON_IsString(y) && strcmp(x->valuestring, y->valuestring) == 0;
}

static bool same_number(const cJSON *a, const cJSON *b, const char *name) {
    const cJSON *x = cJSON_GetObjectItemCaseSensitive(a, name), *y = cJSON_GetObjectItemCaseSensitive(b, name);
    return cJSON_IsNumber(x) && cJSON_IsRaw(y) && x->valuedouble == strtod(y->valuestring, NULL);
}

static void read_old_lines(sequence *run) {
    run->old = app_allocate(run->lines.count, sizeof *run->old);
    for (size_t i = 0; i < run->lines.count; i++) {
        run->old[i] = cli_old_line(&run->lines, i);
        if (!run->old[i]) cli_drop_line(&run->lines, i);
    }
}

/* True if an old step is of the same frames. Exits 2 where it was asked for in another way. */
static bool is_old_of(const sequence *run, const cJSON *old, const cJSON *step) {
    if (!same_number(old, step, "step") || !same_text(old, step, "from") || !same_text(old, step, "to")) return false;
    if (!same_text(old, step, "asked"))
        app_fail("%s: made with other options than these (%s); --resume continues with the same", run->set->out,
                 run->asked);
    return true;
}

/* The old step like `step`, which has names, settings and input only, and its line; NULL where there is none, or where
   the frames have changed since. */
static cJSON *take_old(sequence *run, const cJSON *step, size_t *line) {
    for (*line = 0; run->old && *line < run->lines.count; ++*line) {
        cJSON *old = run->old[*line];
        if (!old || !is_old_of(run, old, step)) continue;
        run->old[*line] = NULL;
        graze_verdict verdict;
        bool same = same_text(old, step, "input") && cli_line_has_its_times(old, run->set->shard.no_times) &&
                    app_verdict_read(cJSON_GetObjectItemCaseSensitive(old, "verdict"), &verdict);
        if (same) return old;
        cli_drop_line(&run->lines, *line);
        cJSON_Delete(old);
    }
    return NULL;
}

/* Steps of an earlier run that this one has not asked for keep their lines. */
static void keep_other_lines(sequence *run) {
    for (size_t i = 0; run->old && i < run->lines.count; i++) {
        if (run->old[i]) cli_keep_line(&run->lines, i);
        cJSON_Delete(run->old[i]);
    }
    free(run->old);
    run->old = NULL;
}

/* ---- one step ---- */

static cJSON *begin_step(const sequence *run, size_t i) {
    const io_frame *from = &run->frames.sets[0].frames[i], *to = from + 1;
    const app_step_settings *how = &run->set->step;
    cJSON *step = cJSON_CreateObject();
    cJSON_AddItemToObject(step, "from", app_json_text(from->path));
    cJSON_AddItemToObject(step, "to", app_json_text(to->path));
    cJSON_AddItemToObject(step, "step", app_json_count(from->step));
    cJSON_AddItemToObject(step, "next", app_json_count(to->step));
    cJSON_AddStringToObject(step, "mode", graze_step_mode_name(how->options.mode));
    cJSON_AddItemToObject(step, "separation", app_json_double(how->narrow_options.min_separation));
    cJSON_AddStringToObject(step, "asked", run->asked);
    return step;
}

/* Adds what the step found to all that is written. */
static void keep_outcome(sequence *run, size_t i, app_frames *frames, app_step_outcome *outcome, cJSON *step) {
    const settings *set = run->set;
    const io_frame *from = &run->frames.sets[0].frames[i];
    app_check_start(&set->step, frames, outcome);
    app_add_step_json(step, &set->step, frames, outcome);
    const graze_step_result *result = &outcome->result;
    if (set->contacts) cli_contacts_add(&run->contacts, frames, result, from->step);
    for (size_t k = 0; set->pairs_out && k < result->pair_count; k++)
        cli_put_pair(run->pairs.stream, run->pairs_written++ == 0, frames, &result->pairs[k], &from->step);
    if (run->viewer) {
        char *name = app_text("%llu–%llu", (unsigned long long)from->step, (unsigned long long)from[1].step);
        cli_motion_step(run->viewer, run->context, frames, name);
        free(name);
    }
    if (i == 0) app_notice_fans(frames);
}

/* Reads both states of step i; false with the error set. */
static bool load_step(sequence *run, size_t i, app_frames *frames, io_error *error) {
    const settings *set = run->set;
    const char **paths = app_allocate(2 * run->frames.count, sizeof *paths), **next = paths + run->frames.count;
    bool good = cli_frame_paths(&run->frames, i, paths, error) && cli_frame_paths(&run->frames, i + 1, next, error) &&
                app_try_frames(run->home, paths, next, run->frames.count, frames, error);
    if (good && set->thickness) app_load_thickness(set->thickness, frames);
    if (good) frames->mesh.skip_same_group = set->between;
    free(paths);
    return good;
}

static void add_input(const sequence *run, const app_frames *frames, cJSON *step) {
    io_sha256 hash = app_hash_step(&run->set->step);
    char input[IO_SHA256_SHORT];
    app_hash_frames(&hash, frames);
    app_hash_end(&hash, input);
    cJSON_AddStringToObject(step, "input", input);
}

static bool try_step(sequence *run, size_t i, app_frames *frames, cJSON *step, io_error *error) {
    app_step_outcome outcome;
    if (!app_try_step(&run->set->step, frames, run->context, &outcome, error)) return false;
    keep_outcome(run, i, frames, &outcome, step);
    app_free_outcome(&outcome);
    return true;
}

/* A line of --out, at once: what was done is kept. */
static void put_line(sequence *run, const cJSON *step) {
    char *text = cJSON_PrintUnformatted(step);
    if (!text) app_fail("out of memory");
    cli_put_line(&run->lines, text);
    cli_flush_lines(&run->lines);
    cJSON_free(text);
}

/* A line has what a step found, but not all that the other outputs show: for those it is taken again. */
static bool lines_suffice(const settings *set) { return !set->html && !set->contacts && !set->pairs_out; }

static void note_failure(sequence *run, cJSON *step, const io_error *error) {
    cJSON_AddNullToObject(step, "verdict");
    cJSON_AddStringToObject(step, "error", error->message);
    if (!run->first_error.message[0]) run->first_error = *error;
    if (!run->viewer) return;
    cli_motion_close(run->viewer); /* its frames must follow on each other: the page ends here */
    run->viewer = NULL;
    app_close_output(&run->page);
}

/* Takes the step, or its old line where that agrees and suffices. Returns what stands for the step; `step` is used up.
 */
static cJSON *take_step(sequence *run, size_t i, app_frames *frames, cJSON *step, io_error *error) {
    size_t line;
    add_input(run, frames, step);
    cJSON *old = take_old(run, step, &line);
    if (old) cli_keep_line(&run->lines, line);
    if (old && lines_suffice(run->set)) {
        cJSON_Delete(step);
        return old;
    }
    if (!try_step(run, i, frames, step, error))
        note_failure(run, step, error);
    else if (!old && run->set->out)
        put_line(run, step);
    cJSON_Delete(old);
    return step;
}

/* A frame that cannot be read, or another mesh, costs its steps and no others. */
static void run_step(sequence *run, size_t i) {
    cJSON *step = begin_step(run, i);
    app_frames frames;
    io_error error;
    if (load_step(run, i, &frames, &error)) {
        step = take_step(run, i, &frames, step, &error);
        app_free_frames(run->home, &frames);
    } else {
        note_failure(run, step, &error);
    }
    cJSON_AddItemToArray(run->steps, step);
}

/* ---- the command ---- */

static void hash_frame(const cli_frame_sets *frames, size_t i, char text[IO_SHA256_TEXT]) {
    io_sha256 hash;
    io_sha256_begin(&hash);
    cli_hash_frame(&hash, frames, i);
    io_sha256_end(&hash, text);
}

/* Neighbors both read the frame between them, and must have found the same; of all frames they have seen samples. */
static void hash_shard(settings *set, const cli_frame_sets *frames) {
    io_sha256 hash;
    if (!set->shard.path) return;
    io_sha256_begin(&hash);
    cli_hash_frame_sets(&hash, frames);
    if (set->thickness) app_hash_file(&hash, set->thickness);
    io_sha256_end(&hash, set->shard.inputs);
    hash_frame(frames, set->shard.first, set->shard.begins);
    hash_frame(frames, set->shard.end, set->shard.ends);
}

static void open_outputs(sequence *run, const char *name) {
    settings *set = run->set;
    bool json = set->step.json;
    if (set->html) app_open_output("--html", set->html, json, &run->page);
    if (set->contacts) cli_contacts_open(&run->contacts, set->contacts, json);
    if (set->pairs_out) app_open_output("--pairs-out", set->pairs_out, json, &run->pairs);
    if (set->pairs_out) fputc('[', run->pairs.stream);
    run->lines = cli_shard_open(&set->shard, "--out", set->out, set->resume, json);
    if (set->resume) read_old_lines(run);
    if (set->html && cli_has_viewer()) run->viewer = &run->motion;
    if (run->viewer) cli_motion_open(run->viewer, run->page.stream, name, &set->step, run->count);
}

static void close_outputs(sequence *run, const char *name) {
    const settings *set = run->set;
    if (set->contacts) cli_contacts_close(&run->contacts);
    if (set->pairs_out) {
        fputs("\n]\n", run->pairs.stream);
        app_close_output(&run->pairs);
    }
    if (run->viewer) cli_motion_close(run->viewer);
    if (run->page.open) {
        if (!run->viewer) cli_sequence_page(run->page.stream, &set->step, name, run->steps, run->count);
        app_close_output(&run->page);
        if (!run->viewer) app_notice("%s; %s is a plain table", cli_no_viewer, set->html);
    }
    keep_other_lines(run);
    if (app_is_stopped())
        cli_abandon_lines(&run->lines); /* the lines stay, for --resume */
    else
        cli_close_lines(&run->lines);
}

static void print_json(const sequence *run) {
    cli_sequence_total total = cli_sequence_count(run->steps);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "frames", app_json_count(run->count + 1));
    cJSON_AddItemToObject(object, "gaps", cli_sequence_gaps(run->steps));
    cJSON_AddItemToObject(object, "steps", run->steps);
    cJSON_AddItemToObject(object, "total", cli_sequence_total_json(&total));
    cJSON_AddBoolToObject(object, "complete", total.steps == run->count && total.failed == 0);
    app_print_json(object);
}

static void report(sequence *run) {
    cJSON *gaps = cli_sequence_gaps(run->steps);
    const cJSON *gap;
    cJSON_ArrayForEach(gap, gaps)
        app_notice("a gap of %s frames between %s and %s", cJSON_GetObjectItem(gap, "missing")->valuestring,
                   cJSON_GetObjectItem(gap, "after")->valuestring, cJSON_GetObjectItem(gap, "before")->valuestring);
    cJSON_Delete(gaps);
    if (run->set->step.json) {
        print_json(run);
    } else {
        cli_sequence_print(run->steps, run->count);
        cJSON_Delete(run->steps);
    }
}

static const char *output_of_a_whole_run(const settings *set) {
    return set->html ? "--html" : set->contacts ? "--contacts" : set->pairs_out ? "--pairs-out" : NULL;
}

static void check(settings *set) {
    bool all = set->contacts || set->pairs_out;
    if (all && !set->step.mode) set->step.mode = "all";
    app_step_prepare("sequence", &set->step);
    if (set->pairs_out && set->step.options.mode != GRAZE_STEP_ALL) app_fail("sequence: --pairs-out needs --mode all");
    if (set->resume && !set->out) app_fail("sequence: --resume needs --out FILE");
    if (set->resume && strcmp(set->out, "-") == 0) app_fail("sequence: --out -: standard output cannot be continued");
}

int cmd_sequence(int argc, char **argv) {
    settings set = {.step = APP_STEP_DEFAULTS};
    const app_option options[] = {
        APP_STEP_OPTIONS(set.step),
        {"--mode", APP_TEXT, &set.step.mode, "earliest|any|vertices|all", "what to find in each step (earliest)"},
        {"--thickness", APP_TEXT, &set.thickness, "R|FILE",
         "a radius for all vertices, or a file with one number for each"},
        {"--range", APP_TEXT, &set.range, "A:B", "only the frames with numbers from A to B"},
        {"--with", APP_LIST, &set.with, "FILE|DIR|GLOB",
         "more meshes beside the frames: one file stands still, several carry the frames' numbers; may be repeated"},
        {"--between", APP_FLAG, &set.between, NULL, "with --with: only pairs of different sets"},
        {"--out", APP_TEXT, &set.out, "FILE.jsonl", "write each step as a line of JSON when it is done"},
        {"--resume", APP_FLAG, &set.resume, NULL,
         "continue an interrupted --out file with the same options; changed lines and frames are done again, and "
         "all steps with --html, --contacts or --pairs-out"},
        CLI_SHARD_OPTIONS(set.shard),
        {"--pairs-out", APP_TEXT, &set.pairs_out, "FILE.json", "write all pairs that touch (implies --mode all)"},
        {"--contacts", APP_TEXT, &set.contacts, "FILE",
         "write where pairs touch, as .ply, .vtk, .obj or .json (implies --mode all)"},
        {"--html", APP_TEXT, &set.html, "FILE", "write a self-contained page that shows where each step touches"},
        {"--json", APP_FLAG, &set.step.json, NULL, "one JSON object on stdout"},
        {"--exit-code", APP_FLAG, &set.exit_code, NULL, "exit 1 when a step hits, else 3 when one is unresolved"},
        {0},
    };
    const app_usage usage = {
        "sequence", "DIR|FILE… [options]",
        "Steps from each frame to the next. The number at the end of a file's name orders the frames. For a folder it\n"
        "takes the meshes in it, or in its subfolder `frames`. Missing numbers are reported, and the step goes to the\n"
        "next frame. A frame that cannot be read, or has another mesh, loses only its own steps. Ctrl-C prints the\n"
        "steps done so far. Faces that intersect at the start of a step are counted: `clear` holds only without them.",
        options,
        "examples: graze sequence scenes/cloth-ball --html report.html\n"
        "          graze sequence character/ --with 'cloth_*.obj' --with floor.obj --range 20:80 --contacts where.ply"};
    const char **operands = app_allocate((size_t)argc, sizeof *operands);
    int operand_count = app_parse(&usage, argc, argv, operands);
    cli_shard_prepare(&usage, &set.shard, "--out", &set.out, set.step.json, output_of_a_whole_run(&set));
    set.step.no_times = set.shard.no_times;
    check(&set);
    sequence run = {.set = &set, .steps = cJSON_CreateArray(), .home = app_context(1)};
    run.frames = cli_find_frame_sets(operands, operand_count, &set.with, set.range);
    if (set.thickness) io_note_input(set.thickness);
    cli_shard_deal(&set.shard, run.frames.sets[0].count - 1);
    hash_shard(&set, &run.frames);
    run.count = set.shard.end - set.shard.first;
    run.context = app_context(set.step.threads);
    run.asked = what_is_asked(&set);
    open_outputs(&run, operands[0]);
    app_catch_stop();
    app_progress progress;
    app_progress_begin(&progress, "steps", run.count);
    for (size_t i = 0; i < run.count && !app_is_stopped(); i++) {
        run_step(&run, set.shard.first + i);
        app_progress_update(&progress, i + 1);
    }
    app_progress_end(&progress);
    close_outputs(&run, operands[0]);
    cli_sequence_total total = cli_sequence_count(run.steps);
    report(&run);
    free(run.asked);
    cli_shard_free(&set.shard);
    graze_context_destroy(run.context);
    graze_context_destroy(run.home);
    cli_free_frame_sets(&run.frames);
    free(operands);
    if (app_is_stopped()) {
        app_notice("stopped after %llu of %zu steps", (unsigned long long)total.steps, run.count);
        app_end_stopped();
    }
    if (total.failed)
        app_fail("%llu of %zu steps could not be taken, the first: %s", (unsigned long long)total.failed, run.count,
                 run.first_error.message);
    return app_verdict_status(set.exit_code, total.hit > 0, total.unresolved > 0);
}
