/* graze articulate: the first contact of articulated models. */
#include "app/folders.h"
#include "app/input_hash.h"
#include "app/narrow.h"
#include "app/query_files.h"
#include "cli/commands.h"
#include "cli/example_model.h"
#include "cli/robots/clearance.h"
#include "cli/robots/distance.h"
#include "cli/robots/link_contact.h"
#include "cli/robots/plan.h"
#include "cli/robots/range.h"
#include "cli/robots/range_map.h"
#include "cli/robots/swept.h"
#include "cli/shard.h"
#include "robot/limits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct outcome {
    graze_articulated_result result;
    double ms;
} outcome;

static graze_articulated_mode mode_of(const char *name) {
    if (!name || strcmp(name, "earliest") == 0) return GRAZE_ARTICULATED_EARLIEST;
    if (strcmp(name, "any") == 0) return GRAZE_ARTICULATED_ANY;
    if (strcmp(name, "all") == 0) return GRAZE_ARTICULATED_ALL;
    app_fail("articulate: --mode %s: there are earliest, any, all", name);
}

static outcome solve(graze_context *context, const cli_model_file *file, size_t segment,
                     const graze_articulated_options *options) {
    const graze_model **models = cli_models_of(file);
    graze_motion *motions = cli_segment(file, segment);
    outcome found = {.result = graze_default_articulated_result()};
    double start = app_seconds();
    graze_status status = graze_articulated_step(context, models, file->read.count, motions, options, &found.result);
    found.ms = 1e3 * (app_seconds() - start);
    free(motions);
    free(models);
    if (status != GRAZE_OK) cli_fail_models(context, file, status);
    return found;
}

/* ---- the certificate ---- */

static int write_text(void *user, const char *text, size_t size) {
    io_output *file = user;
    return fwrite(text, 1, size, file->stream) != size;
}

static graze_motion *all_motions(const cli_model_file *file) {
    graze_motion *motions = app_allocate(file->read.segments * file->read.count, sizeof *motions);
    for (size_t s = 0; s < file->read.segments; s++) {
        graze_motion *segment = cli_segment(file, s);
        memcpy(motions + s * file->read.count, segment, file->read.count * sizeof *motions);
        free(segment);
    }
    return motions;
}

/* All segments, which are clear, in one file. */
static void write_certificate(graze_context *context, const cli_model_file *file,
                              const graze_articulated_options *options, io_output *out) {
    const graze_model **models = cli_models_of(file);
    graze_motion *motions = all_motions(file);
    graze_articulated_options asked = *options;
    asked.mode = GRAZE_ARTICULATED_ANY; /* is as clear, and a batch has no list of all pairs */
    graze_articulated_result *results = app_allocate(file->read.segments, sizeof *results);
    results[0] = graze_default_articulated_result();
    graze_status status = graze_articulated_certificate(context, models, file->read.count, motions, file->read.segments,
                                                        &asked, write_text, out, results);
    if (status != GRAZE_OK) app_fail_status(status, context, "--certificate");
    for (size_t s = 0; s < file->read.segments; s++)
        if (results[s].verdict != GRAZE_CLEAR)
            app_fail(
                "articulate: --certificate: segment %zu is clear, but links are too close for a written proof (%s)", s,
                graze_reason_name(results[s].reason));
    app_close_output(out);
    free(results);
    free(motions);
    free(models);
}

/* ---- JSON ---- */

static cJSON *contact_json(const cli_model_file *file, const graze_link_contact *contact) {
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "verdict", graze_verdict_name(contact->verdict));
    cJSON_AddItemToObject(object, "toi", app_json_double(contact->toi));
    cJSON_AddItemToObject(object, "toi_upper", app_json_double(contact->toi_upper));
    cli_add_place(object, file, contact);
    return object;
}

static cJSON *outcome_json(const cli_model_file *file, const outcome *found, graze_articulated_mode mode,
                           bool no_times) {
    const graze_articulated_result *r = &found->result;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "verdict", graze_verdict_name(r->verdict));
    if (r->verdict == GRAZE_UNRESOLVED) cJSON_AddStringToObject(object, "reason", graze_reason_name(r->reason));
    cJSON_AddItemToObject(object, "toi", app_json_double(r->toi));
    cJSON_AddItemToObject(object, "toi_upper", app_json_double(r->toi_upper));
    cli_add_place(object, file, r->has_contact ? &r->contact : NULL);
    cJSON_AddItemToObject(object, "checks", app_json_count(r->checks));
    if (!no_times) cJSON_AddItemToObject(object, "time_ms", app_json_double(found->ms));
    if (mode == GRAZE_ARTICULATED_ALL) {
        cJSON *pairs = cJSON_AddArrayToObject(object, "pairs");
        for (size_t i = 0; i < r->contact_count; i++) cJSON_AddItemToArray(pairs, contact_json(file, &r->contacts[i]));
    }
    return object;
}

/* ---- text ---- */

static void print_outcome(const cli_model_file *file, const outcome *found, bool no_times) {
    const graze_articulated_result *r = &found->result;
    printf("%-10s %s", "verdict", graze_verdict_name(r->verdict));
    if (r->verdict == GRAZE_UNRESOLVED) printf(" (%s)", graze_reason_name(r->reason));
    if (r->verdict == GRAZE_HIT && !r->contact.proven) printf(" (within the tolerance, not proven)");
    printf("\n%-10s %.17g", "toi", r->toi);
    if (r->toi_upper <= 1) printf(" to %.17g", r->toi_upper);
    printf("\n");
    if (r->has_contact) cli_print_contact(file, &r->contact);
    for (size_t i = 0; i < r->contact_count; i++) {
        printf("%-10s %.17g\n", "contact", r->contacts[i].toi);
        cli_print_contact(file, &r->contacts[i]);
    }
    printf("%-10s %llu pair%s of links, %llu with boxes that meet, %llu looked at\n", "pairs",
           (unsigned long long)r->pairs_tested, app_plural(r->pairs_tested), (unsigned long long)r->pairs_near,
           (unsigned long long)r->pairs_close);
    if (no_times)
        printf("%-10s %llu\n", "checks", (unsigned long long)r->checks);
    else
        printf("%-10s %.3f ms, %llu checks\n", "time", found->ms, (unsigned long long)r->checks);
}

/* ---- the command ---- */

typedef struct settings {
    graze_articulated_options asked;
    const char *lines;
    cli_shard shard;
    bool json, resume;
} settings;

/* The segments of a run, or of a shard of it. */
typedef struct articulation {
    const settings *set;
    graze_context *context;
    const cli_model_file *file;
    cli_lines list;
    io_sha256 begun; /* files and options, in front of each segment's hash */
} articulation;

static io_sha256 hash_run(const graze_articulated_options *asked) {
    io_sha256 hash;
    io_sha256_begin(&hash);
    io_sha256_doubles(&hash, (const double[]){asked->min_separation, asked->tolerance}, 2);
    io_sha256_count(&hash, asked->max_checks);
    io_sha256_count(&hash, (uint64_t)asked->mode);
    io_sha256_count(&hash, asked->check_inside != 0);
    app_hash_files(&hash);
    return hash;
}

static void input_of(const articulation *run, size_t segment, char input[IO_SHA256_SHORT]) {
    io_sha256 hash = run->begun;
    io_sha256_count(&hash, segment);
    app_hash_end(&hash, input);
}

/* The answer of an old line, which is kept; NULL where it is not of this segment or of other input. */
static cJSON *take_old(articulation *run, size_t place, const char *input) {
    if (place >= run->list.count) return NULL;
    graze_verdict verdict;
    cJSON *line = cli_old_line(&run->list, place);
    if (cli_line_has_input(line, input) && cli_line_has_its_times(line, run->set->shard.no_times) &&
        app_verdict_read(cJSON_GetObjectItemCaseSensitive(line, "verdict"), &verdict)) {
        cli_keep_line(&run->list, place);
        return line;
    }
    cli_drop_line(&run->list, place);
    cJSON_Delete(line);
    return NULL;
}

/* An answer as a line: its segment and input in front. */
static void put_line(articulation *run, size_t segment, const char *input, const cJSON *answer) {
    char *text = cJSON_PrintUnformatted(answer);
    if (!text) app_fail("out of memory");
    char *line = app_text("{\"segment\":%zu,\"input\":\"%s\",%s", segment, input, text + 1);
    cli_put_line(&run->list, line);
    cli_flush_lines(&run->list);
    free(line);
    cJSON_free(text);
}

/* One segment, solved, written and told. */
static cJSON *answer_segment(articulation *run, size_t segment, const char *input) {
    const settings *set = run->set;
    outcome found = solve(run->context, run->file, segment, &set->asked);
    cJSON *answer = outcome_json(run->file, &found, set->asked.mode, set->shard.no_times);
    if (set->lines) put_line(run, segment, input, answer);
    if (!set->json) print_outcome(run->file, &found, set->shard.no_times);
    graze_articulated_release(run->context, &found.result);
    return answer;
}

/* An old line as the answer that it was made of. */
static cJSON *tell_old(const settings *set, cJSON *line) {
    static const char *const more[] = {"segment", "input", "check"};
    for (int i = 0; i < 3; i++) cJSON_DeleteItemFromObjectCaseSensitive(line, more[i]);
    if (!set->json)
        printf("%-10s %s, by the line of an earlier run\n", "verdict",
               cJSON_GetObjectItemCaseSensitive(line, "verdict")->valuestring);
    return line;
}

static cJSON *run_segment(articulation *run, size_t segment, graze_verdict *verdict) {
    char input[IO_SHA256_SHORT] = "";
    if (run->set->lines) input_of(run, segment, input);
    if (run->file->read.is_path && !run->set->json) printf("segment    %zu\n", segment);
    cJSON *old = take_old(run, segment - run->set->shard.first, input);
    cJSON *answer = old ? tell_old(run->set, old) : answer_segment(run, segment, input);
    app_verdict_read(cJSON_GetObjectItemCaseSensitive(answer, "verdict"), verdict);
    return answer;
}

/* A path is told as a whole, a single motion by its answer. */
static void print_answers(const articulation *run, cJSON *segments, long first) {
    cJSON *object = run->file->read.is_path ? cJSON_CreateObject() : cJSON_DetachItemFromArray(segments, 0);
    if (!run->file->read.is_path) {
        cJSON_Delete(segments);
        app_print_json(object);
        return;
    }
    cJSON_AddItemToObject(object, "segments", segments);
    cJSON_AddItemToObject(object, "first", first < 0 ? cJSON_CreateNull() : cJSON_CreateNumber((double)first));
    app_print_json(object);
}

/* All segments up to the first that is not clear decide; all are answered. */
static graze_verdict run_segments(articulation *run) {
    const settings *set = run->set;
    cJSON *segments = cJSON_CreateArray();
    graze_verdict verdict = GRAZE_CLEAR;
    long first = -1;
    for (size_t s = set->shard.first; s < set->shard.end; s++) {
        graze_verdict found = GRAZE_UNRESOLVED;
        cJSON_AddItemToArray(segments, run_segment(run, s, &found));
        if (found != GRAZE_CLEAR && first < 0) {
            first = (long)s;
            verdict = found;
        }
    }
    if (set->json)
        print_answers(run, segments, first);
    else
        cJSON_Delete(segments);
    return verdict;
}

/* Opens the list, answers, closes it. */
static graze_verdict run_all(graze_context *context, const cli_model_file *file, settings *set) {
    articulation run = {.set = set, .context = context, .file = file};
    cli_shard_deal(&set->shard, file->read.segments);
    if (set->lines) run.begun = hash_run(&set->asked);
    run.list = cli_shard_open(&set->shard, "--lines", set->lines, set->resume, set->json);
    graze_verdict verdict = run_segments(&run);
    cli_close_lines(&run.list);
    return verdict;
}

static int write_example(const char *name, const char *out, uint64_t frames, bool json) {
    if (!out || !*out) app_fail("articulate: --out DIR is missing");
    char *path = cli_write_example_model(name, out, frames);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "file", app_json_text(path));
    if (json)
        app_print_json(object);
    else
        cJSON_Delete(object);
    if (!json) printf("%s\n", path);
    free(path);
    return APP_OK;
}

/* Settings of --distance, if it is asked for. */
typedef struct distance_settings {
    bool asked;
    uint64_t most;
    double within;
} distance_settings;

/* A stop ends the search; what was found until then is told, and the program ends as the signal would have ended it. */
static void end_if_stopped(void) {
    if (!app_is_stopped()) return;
    app_notice("articulate: stopped: what was not done until then is left open");
    app_end_stopped();
}

static int tell_distance(graze_context *context, cli_model_file *file, const distance_settings *distance,
                         const settings *set) {
    graze_world_distance_options options = graze_default_world_distance_options();
    options.most = (size_t)distance->most;
    options.min_separation = set->asked.min_separation;
    options.gradients = 1;
    if (!isnan(distance->within)) options.distance = distance->within;
    if (!(options.distance >= 0)) app_fail("articulate: --within must not be negative");
    cli_articulate_distance(context, file, &options, set->json);
    cli_free_model_file(context, file);
    graze_context_destroy(context);
    return APP_OK;
}

static int tell_clearance(graze_context *context, cli_model_file *file, const char *plan,
                          const distance_settings *distance, const settings *set) {
    graze_clearance_options options = graze_default_clearance_options();
    options.most = (size_t)distance->most;
    options.min_separation = set->asked.min_separation;
    options.tolerance = set->asked.tolerance;
    options.max_checks = set->asked.max_checks;
    if (!isnan(distance->within)) options.distance = distance->within;
    if (!(options.distance >= 0)) app_fail("articulate: --within must not be negative");
    cli_articulate_clearance(context, file, plan, &options, set->json);
    end_if_stopped();
    cli_free_model_file(context, file);
    graze_context_destroy(context);
    return APP_OK;
}

static int write_swept(graze_context *context, cli_model_file *file, cli_swept_ask *ask, const settings *set) {
    if (!(ask->size > 0)) app_fail("articulate: --size must be a length above 0");
    ask->json = set->json;
    cli_articulate_swept(context, file, ask);
    end_if_stopped();
    cli_free_model_file(context, file);
    graze_context_destroy(context);
    return APP_OK;
}

static void read_limits(const char *path, cli_model_file *file) {
    io_error error;
    if (!robot_read_limits(path, &file->read, &error)) app_fail("%s", error.message);
}

static void drop_skips(cli_model_file *file) {
    free(file->link_pairs);
    file->link_pairs = NULL;
}

static int answer_range(graze_context *context, cli_model_file *file, cli_range_ask *ask, const settings *set,
                        bool exit_code) {
    ask->separation = set->asked.min_separation;
    ask->json = set->json;
    ask->no_times = set->shard.no_times;
    graze_verdict verdict = cli_answer_range(context, file, ask);
    end_if_stopped();
    cli_free_model_file(context, file);
    graze_context_destroy(context);
    return app_verdict_status(exit_code, verdict == GRAZE_HIT, verdict == GRAZE_UNRESOLVED);
}

static int draw_map(graze_context *context, cli_model_file *file, cli_map_ask *ask, const settings *set) {
    ask->separation = set->asked.min_separation;
    ask->json = set->json;
    ask->no_times = set->shard.no_times;
    cli_draw_range_map(context, file, ask);
    cli_free_model_file(context, file);
    graze_context_destroy(context);
    return APP_OK;
}

static int answer_plan(graze_context *context, cli_model_file *file, const char *path, const char *certificate,
                       const settings *set, bool exit_code) {
    cli_plan_ask ask = {path, certificate, set->asked, set->json, set->shard.no_times};
    graze_verdict verdict = cli_answer_plan(context, file, &ask);
    end_if_stopped();
    cli_free_model_file(context, file);
    graze_context_destroy(context);
    return app_verdict_status(exit_code, verdict == GRAZE_HIT, verdict == GRAZE_UNRESOLVED);
}

int cmd_articulate(int argc, char **argv) {
    const char *mode = NULL, *example = NULL, *out = NULL, *certificate = NULL, *plan = NULL;
    const char *limits = NULL, *srdf = NULL;
    double budget = NAN;
    double separation = NAN, tolerance = NAN;
    uint64_t threads = 0, max_checks = 0, frames = 0;
    bool exit_code = false, inside = false, list = false, range = false, no_skip = false, clearance = false;
    settings set = {.asked = graze_default_articulated_options()};
    distance_settings distance = {.most = 1, .within = NAN};
    cli_swept_ask swept = {.size = NAN};
    cli_map_ask map = {.cells = 64};
    const app_option options[] = {
        {"--mode", APP_TEXT, &mode, "earliest|any|all", "what to find (earliest)"},
        {"--separation", APP_NUMBER, &separation, "D", "distance that counts as contact (the file's, else 0)"},
        {"--tolerance", APP_NUMBER, &tolerance, "X",
         "gap at which an unproven hit is reported (the file's); with --clearance: width of brackets"},
        {"--max-checks", APP_COUNT, &max_checks, "N",
         "work allowed; beyond it the answer is unresolved (with --range: cells of a pair)"},
        {"--inside", APP_FLAG, &inside, NULL, "a start inside a closed mesh is a contact at 0"},
        {"--distance", APP_FLAG, &distance.asked, NULL,
         "distances of links at the start of the motion, in place of the motion"},
        {"--clearance", APP_FLAG, &clearance, NULL, "least distances during the motion or plan, and their times"},
        {"--most", APP_COUNT, &distance.most, "N",
         "with --distance, --clearance: number of pairs of links, closest first (1); 0: all"},
        {"--within", APP_NUMBER, &distance.within, "D",
         "with --distance, --clearance: only pairs within this distance"},
        {"--certificate", APP_TEXT, &certificate, "FILE", "write the proof of a clear answer, for `graze verify`"},
        {"--plan", APP_TEXT, &plan, "FILE", "joints follow this trajectory: JSON, .csv, or .yaml of ROS"},
        {"--swept", APP_TEXT, &swept.path, "FILE",
         "write what a link passes through as .ply or .npz; nothing else is answered"},
        {"--link", APP_TEXT, &swept.link, "NAME", "with --swept: the link, or MODEL/LINK"},
        {"--size", APP_NUMBER, &swept.size, "S", "with --swept: largest size of an undecided cell"},
        {"--range", APP_FLAG, &range, NULL,
         "find the links that can touch while joints take any values within their limits"},
        {"--limits", APP_TEXT, &limits, "FILE", "joint limits for --range, in place of the robot's"},
        {"--budget", APP_NUMBER, &budget, "SECONDS",
         "time limit of --range, --plan, --clearance, --swept; the rest stays open"},
        {"--srdf", APP_TEXT, &srdf, "FILE",
         "with --range: write an SRDF of the pairs without a contact, proven or not"},
        {"--map", APP_TEXT, &map.path, "FILE.svg",
         "with --range: draw where links touch over the range of two joints; nothing else is answered"},
        {"--joints", APP_TEXT, &map.joints, "A,B", "with --map: the two joints, or MODEL/JOINT"},
        {"--cells", APP_COUNT, &map.cells, "N", "with --map: cells along each side, to the next power of two (64)"},
        {"--no-skip", APP_FLAG, &no_skip, NULL, "also test the pairs that the file or its SRDF leaves out"},
        {"--lines", APP_TEXT, &set.lines, "FILE.jsonl",
         "write the answer to each segment of a path, a line of JSON each"},
        {"--resume", APP_FLAG, &set.resume, NULL,
         "continue an interrupted --lines file; everything is answered again if files or options have changed"},
        CLI_SHARD_OPTIONS(set.shard),
        {"--example", APP_TEXT, &example, "NAME", "write a generated example; nothing is answered"},
        {"--out", APP_TEXT, &out, "DIR", "folder for the example: NAME.json and its meshes"},
        {"--frames", APP_COUNT, &frames, "N", "segments of the example's path (all)"},
        {"--list", APP_FLAG, &list, NULL, "list the examples"},
        {"--threads", APP_COUNT, &threads, "N", "threads (0: all cores)"},
        {"--json", APP_FLAG, &set.json, NULL, "one JSON object on stdout"},
        {"--exit-code", APP_FLAG, &exit_code, NULL, "exit 1 for a hit, 3 for unresolved"},
        {0},
    };
    const app_usage usage = {
        "articulate", "MODEL.json [options] | --example NAME --out DIR | --list",
        "Finds the first contact of links on joints that move from one pose to another, along a path, or along a "
        "plan.\n"
        "The file names the models (links with meshes, single meshes, URDF), their motion and the pairs to skip.\n"
        "docs/articulated.md describes it.",
        options, "example:\n  graze articulate --example walk --out /tmp/walk && graze articulate /tmp/walk/walk.json"};
    const char **operands = app_allocate((size_t)argc, sizeof *operands);
    int count = app_parse(&usage, argc, argv, operands);
    if (count == 0 && (list || example)) {
        free(operands);
        return list ? cli_list_example_models(set.json) : write_example(example, out, frames, set.json);
    }
    if (count != 1) app_fail("articulate: no file: `graze articulate MODEL.json`");
    cli_shard_prepare(&usage, &set.shard, "--lines", &set.lines, set.json, certificate ? "--certificate" : NULL);
    if (set.resume && !set.lines) app_fail("articulate: --resume needs --lines FILE");
    if (!isnan(budget) && !(budget > 0)) app_fail("articulate: --budget must be a number of seconds above 0");
    if (!range && (limits || srdf)) app_fail("articulate: --limits and --srdf are for --range");
    bool anytime = (range && !map.path) || plan || clearance || swept.path;
    if (!anytime && !isnan(budget))
        app_fail("articulate: --budget is for --range without --map, --plan, --clearance and --swept");
    if (anytime) app_catch_stop();
    graze_context *context = app_context_within(threads, isnan(budget) ? 0 : budget);
    cli_model_file file;
    cli_read_model_file(context, operands[0], &file);
    if (limits) read_limits(limits, &file);
    if (no_skip) drop_skips(&file);
    set.asked.mode = mode_of(mode);
    set.asked.min_separation = isnan(separation) ? file.read.separation : separation;
    set.asked.tolerance = isnan(tolerance) ? file.read.tolerance : tolerance;
    set.asked.max_checks = max_checks;
    set.asked.link_pairs = file.link_pairs;
    set.asked.check_inside = inside;
    if (!(set.asked.min_separation >= 0) || !(set.asked.tolerance >= 0))
        app_fail("articulate: separation and tolerance must not be negative");
    if (distance.asked && (certificate || set.lines || inside || mode || plan || range))
        app_fail("articulate: --distance takes no --mode, --inside, --certificate, --plan, --range or --lines");
    if (distance.asked) {
        free(operands);
        return tell_distance(context, &file, &distance, &set);
    }
    if (clearance && (certificate || set.lines || inside || mode || range))
        app_fail("articulate: --clearance takes no --mode, --inside, --certificate, --range or --lines");
    if (clearance) {
        free(operands);
        return tell_clearance(context, &file, plan, &distance, &set);
    }
    if (swept.path && (certificate || set.lines || inside || mode || range || plan))
        app_fail("articulate: --swept takes no --mode, --inside, --certificate, --plan, --range or --lines");
    if (!swept.path != !swept.link || !swept.path != isnan(swept.size))
        app_fail("articulate: --swept, --link and --size go together");
    if (swept.path) {
        free(operands);
        return write_swept(context, &file, &swept, &set);
    }
    if (range && (plan || set.lines || inside))
        app_fail("articulate: --range does not go with --plan, --lines, --shard or --inside");
    if (plan && (set.lines || set.asked.mode == GRAZE_ARTICULATED_ALL))
        app_fail("articulate: --plan does not go with --lines, --shard or --mode all");
    if (certificate && inside)
        app_fail("articulate: --certificate does not go with --inside: containment is not certified");
    if ((map.path && !range) || !map.path != !map.joints)
        app_fail("articulate: --map and --joints go together, with --range");
    if (map.path && (certificate || srdf)) app_fail("articulate: --map takes no --certificate or --srdf");
    map.max_cells = max_checks;
    if (map.path) return draw_map(context, &file, &map, &set);
    cli_range_ask ranges = {.max_cells = max_checks, .certificate = certificate, .srdf = srdf};
    if (range) return answer_range(context, &file, &ranges, &set, exit_code);
    if (plan) return answer_plan(context, &file, plan, certificate, &set, exit_code);
    io_output proof = {0};
    if (certificate) app_open_output("--certificate", certificate, set.json, &proof);
    graze_verdict verdict = run_all(context, &file, &set);
    if (certificate && verdict == GRAZE_CLEAR) {
        write_certificate(context, &file, &set.asked, &proof);
    } else if (certificate) {
        io_abandon_output(&proof);
        app_notice("articulate: not clear: no certificate is written");
    }
    cli_free_model_file(context, &file);
    cli_shard_free(&set.shard);
    graze_context_destroy(context);
    free(operands);
    return app_verdict_status(exit_code, verdict == GRAZE_HIT, verdict == GRAZE_UNRESOLVED);
}
