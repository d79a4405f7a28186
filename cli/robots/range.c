#include "cli/robots/range.h"

#include "graze/range.h"

#include "app/folders.h"
#include "app/outputs.h"
#include "cli/robots/link_contact.h"
#include "cli/robots/range_srdf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Half a circle, rounded up. */
#define HALF_CIRCLE 0x1.921fb54442d19p+1

/* ---- limits ---- */

static void set_stand(graze_joint_range *range, double value) { range->lower = range->upper = value; }

static const char *joint_name(const robot_link *link) { return link->joint ? link->joint : link->name; }

/* Whoever asks about all values has to say where a joint stands that cannot move. */
static void set_several(const cli_model_file *file, const robot_tree *tree, const robot_link *link, const double *pose,
                        const size_t *moving, graze_joint_range *range) {
    size_t values = robot_joint_values(link->kind);
    if (values > 1 && !moving && !link->stands)
        app_fail("%s: model '%s', joint '%s' takes %zu values: say where it stands, by \"limits\" or --limits, "
                 "{\"%s\": {\"%s\": [[v, v], ...]}}",
                 file->read.path, tree->name, joint_name(link), values, tree->name, joint_name(link));
    for (size_t k = 0; k < values; k++)
        set_stand(&range[k], values > 1 && link->stands ? link->stand[k] : pose[link->first_value + k]);
}

static void set_range(const cli_model_file *file, const robot_tree *tree, const robot_link *link, size_t first,
                      const double *pose, const size_t *moving, graze_joint_range *ranges) {
    graze_joint_range *range = &ranges[first + link->first_value];
    set_several(file, tree, link, pose, moving, range);
    if (robot_joint_values(link->kind) != 1) return;
    if (link->mimic >= 0) {
        range->follows = (int32_t)(first + tree->links[link->mimic].first_value);
        range->multiplier = link->multiplier;
        range->offset = link->offset;
        return;
    }
    if (moving && first + link->first_value != moving[0] && first + link->first_value != moving[1]) return;
    bool turns = link->kind == GRAZE_JOINT_REVOLUTE, limited = isfinite(link->limits[0]) && isfinite(link->limits[1]);
    if (!limited && !turns)
        app_fail("%s: model '%s', joint '%s' has no limits: give them by --limits", file->read.path, tree->name,
                 joint_name(link));
    bool whole = turns && (!limited || link->continuous);
    range->lower = whole ? -HALF_CIRCLE : link->limits[0];
    range->upper = whole ? HALF_CIRCLE : link->limits[1];
}

graze_joint_range *cli_ranges_of(const cli_model_file *file, const size_t *moving) {
    size_t values = 0, first = 0;
    for (size_t m = 0; m < file->read.count; m++) values += file->read.trees[m].values;
    graze_joint_range *ranges = app_allocate(values + 1, sizeof *ranges);
    for (size_t i = 0; i <= values; i++) ranges[i] = graze_default_joint_range();
    for (size_t m = 0; m < file->read.count; m++) {
        const robot_tree *tree = &file->read.trees[m];
        for (size_t i = 0; i < tree->count; i++)
            set_range(file, tree, &tree->links[i], first, file->read.motions[m].poses, moving, ranges);
        first += tree->values;
    }
    return ranges;
}

/* ---- JSON ---- */

static const char *verdict_of(const graze_range_pair *pair) {
    return pair->verdict == GRAZE_HIT ? "touch" : graze_verdict_name(pair->verdict);
}

/* A value, or both ends of a range. */
static cJSON *value_json(double lower, const double *upper) {
    if (!upper) return app_json_double(lower);
    cJSON *ends = cJSON_CreateArray();
    cJSON_AddItemToArray(ends, app_json_double(lower));
    cJSON_AddItemToArray(ends, app_json_double(*upper));
    return ends;
}

/* Values by the names of their joints, or with `upper` those ranges that hold more than one. A name that several models
   have is MODEL/JOINT. */
static cJSON *named_json(const cli_model_file *file, const double *pose, const double *upper) {
    cJSON *object = cJSON_CreateObject();
    size_t first = 0;
    for (size_t m = 0; m < file->read.count; first += file->read.trees[m++].values) {
        const robot_tree *tree = &file->read.trees[m];
        for (size_t i = 0; i < tree->count; i++) {
            const robot_link *link = &tree->links[i];
            const char *name = joint_name(link);
            size_t at = first + link->first_value;
            if (robot_joint_values(link->kind) != 1 || (upper && pose[at] == upper[at])) continue;
            char *full = cJSON_HasObjectItem(object, name) ? app_text("%s/%s", tree->name, name) : app_text("%s", name);
            cJSON_AddItemToObject(object, full, value_json(pose[at], upper ? &upper[at] : NULL));
            free(full);
        }
    }
    return object;
}

static cJSON *pair_json(const cli_model_file *file, const graze_range_pair *pair) {
    cJSON *object = cJSON_CreateObject(), *links = cJSON_AddArrayToObject(object, "links");
    cJSON_AddItemToArray(links, cli_link_json(file, pair->model_a, pair->link_a));
    cJSON_AddItemToArray(links, cli_link_json(file, pair->model_b, pair->link_b));
    cJSON_AddStringToObject(object, "verdict", verdict_of(pair));
    bool touch = pair->verdict == GRAZE_HIT, open = pair->verdict == GRAZE_UNRESOLVED;
    cJSON_AddItemToObject(object, "witness", touch ? named_json(file, pair->pose, NULL) : cJSON_CreateNull());
    cJSON_AddItemToObject(object, "unresolved", app_json_double(pair->unresolved));
    if (open) cJSON_AddItemToObject(object, "near", named_json(file, pair->pose, NULL));
    if (open && pair->lower) cJSON_AddItemToObject(object, "cell", named_json(file, pair->lower, pair->upper));
    if (open) cJSON_AddStringToObject(object, "reason", graze_reason_name(pair->reason));
    cJSON_AddItemToObject(object, "cells", app_json_count(pair->cells));
    return object;
}

static void print_json(const cli_model_file *file, const graze_range_result *r, uint64_t bytes, double ms,
                       bool no_times) {
    cJSON *object = cJSON_CreateObject(), *pairs = cJSON_AddArrayToObject(object, "pairs");
    for (size_t i = 0; i < r->pair_count; i++) cJSON_AddItemToArray(pairs, pair_json(file, &r->pairs[i]));
    cJSON_AddItemToObject(object, "cells", app_json_count(r->cells));
    if (bytes) cJSON_AddItemToObject(object, "certificate_bytes", app_json_count(bytes));
    if (!no_times) cJSON_AddItemToObject(object, "time_ms", app_json_double(ms));
    app_print_json(object);
}

/* ---- text ---- */

static const char *link_name(const cli_model_file *file, uint32_t model, uint32_t link) {
    return cli_link_name(&file->read.trees[model], link);
}

static void print_text(const cli_model_file *file, const graze_range_result *r, uint64_t bytes, double ms,
                       bool no_times) {
    size_t clear = 0, touch = 0;
    for (size_t i = 0; i < r->pair_count; i++) {
        const graze_range_pair *pair = &r->pairs[i];
        const char *model_a = file->read.trees[pair->model_a].name, *model_b = file->read.trees[pair->model_b].name;
        printf("%-10s %s/%s and %s/%s", verdict_of(pair), model_a, link_name(file, pair->model_a, pair->link_a),
               model_b, link_name(file, pair->model_b, pair->link_b));
        if (pair->verdict == GRAZE_UNRESOLVED)
            printf(", %.3g of the range (%s)", pair->unresolved, graze_reason_name(pair->reason));
        printf("\n");
        clear += pair->verdict == GRAZE_CLEAR;
        touch += pair->verdict == GRAZE_HIT;
    }
    printf("%zu pair%s: %zu clear, %zu touch, %zu unresolved\n", r->pair_count, app_plural(r->pair_count), clear, touch,
           r->pair_count - clear - touch);
    if (bytes) printf("certificate of %llu bytes\n", (unsigned long long)bytes);
    if (!no_times) printf("%.3f ms, %llu cells\n", ms, (unsigned long long)r->cells);
}

/* ---- the certificate ---- */

/* A file and how many bytes it has so far. */
typedef struct counted_output {
    io_output file;
    uint64_t bytes;
} counted_output;

static int write_text(void *user, const char *text, size_t size) {
    counted_output *to = user;
    to->bytes += size;
    return fwrite(text, 1, size, to->file.stream) != size;
}

/* ---- the answer ---- */

static graze_verdict verdict_of_all(const graze_range_result *r) {
    graze_verdict verdict = GRAZE_CLEAR;
    for (size_t i = 0; i < r->pair_count; i++) {
        if (r->pairs[i].verdict == GRAZE_HIT) return GRAZE_HIT;
        if (r->pairs[i].verdict == GRAZE_UNRESOLVED) verdict = GRAZE_UNRESOLVED;
    }
    return verdict;
}

/* Ends with what is wrong with a range, and the name of its joint. */
static void fail_range(const cli_model_file *file, const graze_context *context, graze_status status) {
    graze_error error;
    bool told = graze_context_last_error(context, &error) == GRAZE_OK && error.status == status;
    size_t first = 0;
    for (size_t m = 0; m < file->read.count && told; first += file->read.trees[m++].values) {
        const robot_tree *tree = &file->read.trees[m];
        for (size_t i = 0; i < tree->count; i++) {
            const robot_link *link = &tree->links[i];
            size_t at = first + link->first_value;
            if (error.index < at || error.index - at >= robot_joint_values(link->kind)) continue;
            const char *why = strstr(error.message, "): ");
            app_fail("%s: model '%s', joint '%s': %s", file->read.path, tree->name, joint_name(link),
                     why ? why + 3 : error.message);
        }
    }
    app_fail_status(status, context, file->read.path);
}

graze_verdict cli_answer_range(graze_context *context, const cli_model_file *file, const cli_range_ask *ask) {
    graze_joint_range *ranges = cli_ranges_of(file, NULL);
    const graze_model **models = cli_models_of(file);
    graze_range_options options = graze_default_range_options();
    options.min_separation = ask->separation;
    options.link_pairs = file->link_pairs;
    options.max_cells = ask->max_cells;
    graze_range_result result = graze_default_range_result();
    io_output srdf = {0};
    counted_output proof = {0};
    if (ask->certificate) app_open_output("--certificate", ask->certificate, ask->json, &proof.file);
    if (ask->srdf) app_open_output("--srdf", ask->srdf, ask->json, &srdf); /* told before long work */
    double start = app_seconds();
    graze_status status =
        ask->certificate
            ? graze_range_certificate(context, models, file->read.count, ranges, &options, write_text, &proof, &result)
            : graze_articulated_range(context, models, file->read.count, ranges, &options, &result);
    double ms = 1e3 * (app_seconds() - start);
    if (status != GRAZE_OK) fail_range(file, context, status);
    if (ask->certificate) app_close_output(&proof.file);
    if (ask->srdf) cli_write_range_srdf(file, &result, &srdf);
    (ask->json ? print_json : print_text)(file, &result, proof.bytes, ms, ask->no_times);
    graze_verdict verdict = verdict_of_all(&result);
    graze_range_release(context, &result);
    free(models);
    free(ranges);
    return verdict;
}
