#include "sim/run.h"

#include "sim/frames.h"
#include "sim/note.h"
#include "sim/reader/import.h"
#include "sim/reader/path.h"
#include "sim/reader/scene.h"
#include "sim/replay.h"
#include "sim/solver/active.h"
#include "sim/solver/stepper.h"

#include "app/app.h"
#include "app/folders.h"
#include "app/outputs.h"
#include "io/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct run {
    const sim_arguments *arguments;
    graze_context *ccd, *contacts;
    sim_scene scene;
    sim_stepper stepper;
    sim_report report;
    cJSON *note;
    uint32_t frames, first; /* how many, and the one to go on from */
    uint64_t intersections, most_contacts;
    uint32_t bad_frames;
    double began;
} run;

/* ---- the scene ---- */

static void open_scene(run *r) {
    const sim_arguments *a = r->arguments;
    const sim_builtin *builtin = sim_builtin_find(a->scene);
    if (builtin) {
        sim_scene_read(&r->scene, builtin->name, builtin->text, a->size, r->contacts);
        r->note = sim_note_make(a, &r->scene, builtin->text);
    } else {
        char *text;
        size_t size;
        io_error error;
        if (!strchr(a->scene, '.') && access(a->scene, F_OK) != 0)
            app_fail("sim: there is no scene '%s'; `graze sim --list` lists them", a->scene);
        if (!io_read_file(a->scene, &text, &size, &error)) app_fail("sim: %s", error.message);
        char *json = sim_ends_with(a->scene, ".txt") ? sim_import(a->scene, text) : NULL;
        sim_scene_read(&r->scene, a->scene, json ? json : text, a->size, r->contacts);
        r->note = sim_note_make(a, &r->scene, json ? json : text);
        free(json);
        free(text);
    }
    r->frames = a->frames ? (uint32_t)a->frames : r->scene.frames;
}

static void open_filter(run *r) {
    const sim_arguments *a = r->arguments;
    sim_filter *filter = &r->stepper.filter;
    sim_filter_method(filter, app_method(a->method), a->tolerance);
    filter->broad = app_broad(a->broad);
    if (a->filter && !sim_filter_find(a->filter, &filter->kind))
        app_fail_choice("sim: --step-filter:", a->filter, "global, relative, vertex");
}

/* ---- frames ---- */

static void write_frame(const run *r, uint32_t frame) {
    io_error error;
    char *path = sim_frame_path(r->arguments->out, r->scene.name, frame);
    if (!sim_frame_write(path, &r->scene.world, &error)) app_fail("sim: %s", error.message);
    free(path);
}

static bool read_frame(run *r, uint32_t frame) {
    io_error error;
    char *path = sim_frame_path(r->arguments->out, r->scene.name, frame);
    bool good = sim_frame_read(path, &r->scene.world, &error);
    free(path);
    return good;
}

/* Removes frames from `first` on, and the proofs of the steps that lead to them. */
static void remove_frames(const run *r, uint32_t first) {
    char *frames = app_text("%s/frames", r->arguments->out), *proofs = app_text("%s/certificates", r->arguments->out);
    app_remove_numbered(frames, r->scene.name, ".ply", first);
    app_remove_numbered(proofs, r->scene.name, ".json", first ? first - 1 : 0);
    free(frames);
    free(proofs);
}

static void refuse_more(const run *r) {
    char *next = sim_frame_path(r->arguments->out, r->scene.name, r->frames);
    if (access(next, F_OK) == 0)
        app_fail("sim: %s: --resume: the run already has more than %u frames; without --resume it starts again", next,
                 (unsigned)r->frames);
    free(next);
}

/* The last frame of a run without gaps; frame 0 is made anew when it is not there. What comes after a gap goes. */
static void resume(run *r) {
    uint32_t frame = 0;
    sim_note_check(r->arguments->out, r->scene.name, r->note);
    while (frame < r->frames && read_frame(r, frame)) frame++;
    if (frame == r->frames) refuse_more(r);
    remove_frames(r, frame);
    r->first = frame ? frame - 1 : 0;
}

/* Nothing of an earlier run is left among the frames. */
static void begin_anew(run *r) {
    remove_frames(r, 0);
    sim_note_write(r->arguments->out, r->scene.name, r->note);
}

static void check_frame(run *r, uint32_t frame) {
    char first[300];
    sim_world *world = &r->scene.world;
    size_t count = sim_world_intersections(world, r->contacts, world->x, first, sizeof first);
    if (!count) return;
    r->intersections += count;
    if (r->bad_frames++ == 0) app_notice("sim: frame %u: %zu intersections: %s", (unsigned)frame, count, first);
}

static void tell(const run *r, uint32_t frame, uint64_t iterations) {
    const sim_world *world = &r->scene.world;
    double spent = app_seconds() - r->began;
    if (r->arguments->json) return;
    printf("frame %u of %u: %llu Newton steps, %llu contacts, energy %.6g (kinetic %.6g), CCD %.0f %% of the time\n",
           (unsigned)frame, (unsigned)r->frames - 1, (unsigned long long)iterations,
           (unsigned long long)r->report.contacts, sim_world_elastic(world) + sim_world_kinetic(world),
           sim_world_kinetic(world), spent > 0 ? 100 * r->stepper.filter.seconds / spent : 0);
    fflush(stdout);
}

/* False when it was stopped on the way: a part of a step is none. */
static bool make_frame(run *r, uint32_t frame) {
    uint64_t before = r->report.iterations;
    sim_proof proof;
    r->scene.world.time = (frame - 1) * r->scene.world.settings.time_step;
    if (r->arguments->certificates) {
        char *path = app_text("%s/certificates/%s_%u.json", r->arguments->out, r->scene.name, (unsigned)frame - 1);
        sim_proof_begin(&proof, path, r->scene.name, &r->scene.world, r->contacts);
        r->stepper.proof = &proof;
        free(path);
    }
    if (r->scene.active_set)
        sim_active_step(&r->stepper, r->scene.offset, &r->report);
    else
        sim_stepper_step(&r->stepper, &r->report);
    if (app_is_stopped()) return false;
    if (r->stepper.proof) sim_proof_end(&proof);
    r->stepper.proof = NULL;
    if (r->report.contacts > r->most_contacts) r->most_contacts = r->report.contacts;
    check_frame(r, frame);
    write_frame(r, frame);
    tell(r, frame, r->report.iterations - before);
    return true;
}

/* ---- the answer ---- */

static void print_json(const run *r) {
    const sim_filter *filter = &r->stepper.filter;
    const sim_world *world = &r->scene.world;
    cJSON *object = cJSON_CreateObject(), *time = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "scene", r->scene.name);
    cJSON_AddItemToObject(object, "frames", app_json_count(r->frames));
    cJSON_AddItemToObject(object, "intersections", app_json_count(r->intersections));
    cJSON_AddItemToObject(object, "frames_with_intersections", app_json_count(r->bad_frames));
    cJSON_AddItemToObject(object, "contacts", app_json_count(r->most_contacts));
    cJSON_AddItemToObject(object, "newton_iterations", app_json_count(r->report.iterations));
    cJSON_AddItemToObject(object, "unconverged", app_json_count(r->report.unconverged));
    cJSON_AddItemToObject(object, "late", app_json_count(r->report.late));
    cJSON_AddItemToObject(object, "closest", app_json_double(r->report.closest));
    cJSON_AddItemToObject(object, "ccd_calls", app_json_count(filter->calls));
    cJSON_AddItemToObject(object, "zero_steps", app_json_count(filter->zero));
    cJSON_AddItemToObject(object, "vertices", app_json_count(world->count));
    cJSON_AddItemToObject(object, "faces", app_json_count(world->faces.count));
    cJSON_AddItemToObject(object, "elements", app_json_count(world->elements.count));
    cJSON_AddItemToObject(object, "resumed_from", app_json_count(r->first));
    cJSON_AddStringToObject(object, "method", graze_method_get(filter->narrow.method)->name);
    cJSON_AddItemToObject(time, "total", app_json_double(1e3 * (app_seconds() - r->began)));
    cJSON_AddItemToObject(time, "ccd", app_json_double(1e3 * filter->seconds));
    cJSON_AddItemToObject(time, "solve", app_json_double(1e3 * r->stepper.system.seconds_solve));
    cJSON_AddItemToObject(object, "time_ms", time);
    app_print_json(object);
}

static void print_text(const run *r) {
    printf("%s: %u frames of %zu vertices and %zu faces in %s/frames, ", r->scene.name, (unsigned)r->frames,
           r->scene.world.outside, r->scene.world.faces.count, r->arguments->out);
    if (r->intersections)
        printf("%llu intersections in %u of them\n", (unsigned long long)r->intersections, (unsigned)r->bad_frames);
    else
        printf("no intersection in any\n");
    if (r->report.unconverged)
        printf("%llu steps ended before Newton's method came to rest\n", (unsigned long long)r->report.unconverged);
}

static void make_folders(const sim_arguments *a) {
    char *frames = app_text("%s/frames", a->out), *certificates = app_text("%s/certificates", a->out);
    app_make_folder(frames);
    if (a->certificates) app_make_folder(certificates);
    free(frames);
    free(certificates);
}

/* Says how to go on, and ends as the signal would. */
static void end_stopped(const run *r, uint32_t whole) {
    app_notice("sim: stopped; %u of %u frames are in %s/frames, and the same command with --resume goes on from there",
               (unsigned)whole, (unsigned)r->frames, r->arguments->out);
    app_end_stopped();
}

static void make_steps(run *r) {
    const sim_arguments *a = r->arguments;
    app_progress progress;
    app_catch_stop();
    app_progress_begin(&progress, r->scene.name, r->frames - r->first - 1);
    if (!a->json && isatty(STDOUT_FILENO)) progress.shown = false; /* the lines of the frames are seen */
    for (uint32_t frame = r->first + 1; frame < r->frames; frame++) {
        if (a->seconds > 0 && app_seconds() - r->began > a->seconds) r->frames = frame;
        bool made = frame < r->frames && make_frame(r, frame);
        if (app_is_stopped()) app_progress_end(&progress), end_stopped(r, made ? frame + 1 : frame);
        app_progress_update(&progress, frame - r->first);
    }
    app_progress_end(&progress);
}

static void make_frames(run *r) {
    const sim_arguments *a = r->arguments;
    make_folders(a);
    if (a->resume) resume(r);
    if (r->first == 0) begin_anew(r);
    FILE *record = a->record ? fopen(a->record, "wb") : NULL;
    if (a->record && !record) app_fail("sim: cannot write %s", a->record);
    r->stepper.filter.record = record;
    check_frame(r, r->first);
    if (r->first == 0) write_frame(r, 0);
    make_steps(r);
    if (a->json)
        print_json(r);
    else
        print_text(r);
    if (record && fclose(record) != 0) app_fail("sim: cannot write %s", a->record);
}

static void replay(run *r) {
    const sim_arguments *a = r->arguments;
    sim_replay found = sim_replay_run(&r->stepper.filter, a->replay, a->seconds, a->calls);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "scene", r->scene.name);
    cJSON_AddItemToObject(object, "calls", app_json_count(found.calls));
    cJSON_AddItemToObject(object, "ccd_ms", app_json_double(1e3 * found.seconds));
    cJSON_AddItemToObject(object, "mean_toi", app_json_double(found.calls ? found.toi_sum / (double)found.calls : NAN));
    cJSON_AddItemToObject(object, "zero_steps", app_json_count(found.zero));
    app_print_json(object);
}

int sim_run(const sim_arguments *arguments) {
    run r = {.arguments = arguments, .report.closest = INFINITY};
    r.ccd = app_context(arguments->threads);
    r.contacts = app_context(arguments->threads);
    open_scene(&r);
    sim_stepper_begin(&r.stepper, &r.scene.world, r.ccd, r.contacts);
    open_filter(&r);
    r.began = app_seconds();
    if (arguments->replay)
        replay(&r);
    else
        make_frames(&r);
    bool found = r.intersections > 0;
    cJSON_Delete(r.note);
    sim_stepper_end(&r.stepper);
    sim_scene_free(&r.scene, r.contacts);
    graze_context_destroy(r.ccd);
    graze_context_destroy(r.contacts);
    return found && arguments->exit_code ? APP_FOUND : APP_OK;
}
