#include "cli/robots/plan.h"

#include "app/outputs.h"
#include "cli/robots/link_contact.h"
#include "cli/robots/plan_paths.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static graze_status solve(graze_context *context, const cli_model_file *file, const cli_plan_paths *made,
                          const graze_articulated_options *asked, graze_plan_result *result) {
    graze_articulated_options options = *asked;
    graze_world *world = cli_world_of(context, file);
    options.link_pairs = NULL; /* the world has them */
    graze_status status = graze_world_plan(context, world, made->paths, made->count, &options, result);
    graze_world_release(world);
    return status;
}

/* ---- the certificate ---- */

static int write_text(void *user, const char *text, size_t size) {
    io_output *file = user;
    return fwrite(text, 1, size, file->stream) != size;
}

static void write_certificate(graze_context *context, const cli_model_file *file, const cli_plan_paths *made,
                              const graze_articulated_options *asked, io_output *out) {
    const graze_model **models = cli_models_of(file);
    graze_plan_result proven = graze_default_plan_result();
    graze_status status = graze_plan_certificate(context, models, file->read.count, made->paths, made->count, asked,
                                                 write_text, out, &proven);
    if (status != GRAZE_OK) app_fail_status(status, context, "--certificate");
    if (proven.verdict != GRAZE_CLEAR)
        app_fail("articulate: --certificate: segment %zu is clear, but links are too close for a written proof (%s)",
                 proven.segment, graze_reason_name(proven.reason));
    app_close_output(out);
    free(models);
}

/* ---- the answer ---- */

static void print_json(const cli_model_file *file, const graze_plan_result *r, double ms, bool no_times) {
    bool found = r->verdict != GRAZE_CLEAR;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "verdict", graze_verdict_name(r->verdict));
    if (r->verdict == GRAZE_UNRESOLVED) cJSON_AddStringToObject(object, "reason", graze_reason_name(r->reason));
    cJSON_AddItemToObject(object, "time", found ? app_json_double(r->time) : cJSON_CreateNull());
    cJSON_AddItemToObject(object, "time_upper", app_json_double(r->time_upper));
    cJSON_AddItemToObject(object, "segment", found ? app_json_count(r->segment) : cJSON_CreateNull());
    cJSON_AddItemToObject(object, "toi", app_json_double(r->toi));
    cli_add_place(object, file, r->has_contact ? &r->contact : NULL);
    cJSON_AddItemToObject(object, "segments", app_json_count(r->segments));
    cJSON_AddItemToObject(object, "checks", app_json_count(r->checks));
    if (!no_times) cJSON_AddItemToObject(object, "time_ms", app_json_double(ms));
    app_print_json(object);
}

static void print_text(const cli_model_file *file, const graze_plan_result *r, double ms, bool no_times) {
    printf("%-10s %s", "verdict", graze_verdict_name(r->verdict));
    if (r->verdict == GRAZE_UNRESOLVED) printf(" (%s)", graze_reason_name(r->reason));
    if (r->verdict == GRAZE_HIT && !r->contact.proven) printf(" (within the tolerance, not proven)");
    printf("\n%-10s free until %.17g s\n", "time", r->time);
    if (r->verdict == GRAZE_CLEAR)
        printf("%-10s %zu, all clear\n", "segments", r->segments);
    else
        printf("%-10s %zu of %zu, at %g of it\n", "segment", r->segment, r->segments, r->toi);
    if (r->has_contact) cli_print_contact(file, &r->contact);
    if (!no_times) printf("%-10s %.3f ms, %llu checks\n", "took", ms, (unsigned long long)r->checks);
}

graze_verdict cli_answer_plan(graze_context *context, const cli_model_file *file, const cli_plan_ask *ask) {
    robot_plan plan;
    io_error error;
    io_output proof = {0};
    if (!robot_read_plan(ask->path, &file->read, &plan, &error)) app_fail("%s", error.message);
    if (ask->certificate) app_open_output("--certificate", ask->certificate, ask->json, &proof);
    cli_plan_paths made = cli_plan_paths_of(file, &plan);
    graze_plan_result result = graze_default_plan_result();
    double start = app_seconds();
    graze_status status = solve(context, file, &made, &ask->options, &result);
    double ms = 1e3 * (app_seconds() - start);
    if (status != GRAZE_OK) app_fail_status(status, context, ask->path);
    if (ask->certificate && result.verdict == GRAZE_CLEAR) {
        write_certificate(context, file, &made, &ask->options, &proof);
    } else if (ask->certificate) {
        io_abandon_output(&proof);
        app_notice("articulate: not clear: no certificate is written");
    }
    (ask->json ? print_json : print_text)(file, &result, ms, ask->no_times);
    cli_free_plan_paths(&made);
    robot_free_plan(&plan);
    return result.verdict;
}
