#include "app/step_run.h"

#include "app/certificate.h"
#include "app/query_files.h"
#include "app/start.h"

#include "io/file.h"
#include "io/scan.h"
#include "io/topology.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- frames ---- */

/* Derives the mesh from the faces and lines of frame a. */
static bool derive_mesh(graze_context *home, app_frames *frames, io_error *error) {
    if (frames->a.edge_count > INT32_MAX) return io_fail(error, frames->path_a, 0, "more than 2^31 edges");
    graze_status status = io_mesh_topology(home, &frames->a, &frames->mesh);
    return status == GRAZE_OK || app_frames_error(status, home, frames, error);
}

void app_load_state(graze_context *home, const char *path, app_frames *frames) {
    *frames = (app_frames){.path_a = path, .path_b = path, .mesh = graze_default_mesh()};
    io_error error;
    if (!io_read_mesh(path, &frames->a, &error) || !derive_mesh(home, frames, &error)) app_fail("%s", error.message);
}

/* Adds the frames of one more set; its vertices have a group of their own. */
static bool join_set(const char *path_a, const char *path_b, uint32_t group, app_frames *frames, io_error *error) {
    io_mesh a, b;
    if (!io_read_mesh_pair(path_a, path_b, &a, &b, error)) return false;
    size_t before = frames->a.vertex_count, count = before + a.vertex_count;
    bool good = io_join_mesh(&frames->a, &a) && io_join_mesh(&frames->b, &b);
    uint32_t *groups = good ? realloc(frames->groups, (count ? count : 1) * sizeof *groups) : NULL;
    if (groups) frames->groups = groups;
    for (size_t i = before; groups && i < count; i++) groups[i] = group;
    io_free_mesh(&a);
    io_free_mesh(&b);
    return groups != NULL || io_fail(error, path_a, 0, "out of memory, or more than 2^31 vertices");
}

bool app_try_frames(graze_context *home, const char *const *paths_a, const char *const *paths_b, size_t sets,
                    app_frames *frames, io_error *error) {
    *frames = (app_frames){.path_a = paths_a[0], .path_b = paths_b[0], .mesh = graze_default_mesh()};
    bool good = sets > 1 || io_read_mesh_pair(paths_a[0], paths_b[0], &frames->a, &frames->b, error);
    for (size_t i = 0; good && sets > 1 && i < sets; i++)
        good = join_set(paths_a[i], paths_b[i], (uint32_t)i, frames, error);
    good = good && derive_mesh(home, frames, error);
    if (good && frames->groups) {
        frames->mesh.groups = frames->groups;
        frames->mesh.group_count = (uint32_t)sets;
    }
    if (!good) app_free_frames(home, frames);
    return good;
}

void app_load_frames(graze_context *home, const char *path_a, const char *path_b, app_frames *frames) {
    io_error error;
    if (!app_try_frames(home, &path_a, &path_b, 1, frames, &error)) app_fail("%s", error.message);
}

void app_load_thickness(const char *text, app_frames *frames) {
    uint32_t count = frames->mesh.vertex_count;
    double *radii = frames->thickness = app_allocate(count, sizeof *radii);
    frames->mesh.thickness = radii;
    char *end;
    double all = strtod(text, &end);
    if (end != text && !*end) {
        if (!(all >= 0 && all <= GRAZE_MAX_COORDINATE)) app_fail("--thickness: %s is not a radius", text);
        for (uint32_t v = 0; v < count; v++) radii[v] = all;
        return;
    }
    char *bytes;
    size_t size;
    io_error error;
    if (!io_read_file(text, &bytes, &size, &error)) app_fail("--thickness: %s", error.message);
    io_scan scan = io_scan_open(text, bytes, size, &error);
    io_scan_join_lines(&scan);
    for (uint32_t v = 0; v < count; v++) {
        if (io_scan_at_stop(&scan)) app_fail("--thickness: %s: %u numbers for %u vertices", text, v, count);
        if (!io_scan_number(&scan, "a radius", &radii[v])) app_fail("--thickness: %s", error.message);
        if (!(radii[v] >= 0 && radii[v] <= GRAZE_MAX_COORDINATE))
            app_fail("--thickness: %s: number %u, %g, is not a radius", text, v + 1, radii[v]);
    }
    if (!io_scan_at_stop(&scan)) app_fail("--thickness: %s: more numbers than the %u vertices", text, count);
    free(bytes);
}

void app_notice_fans(const app_frames *frames) {
    if (frames->a.fanned)
        app_notice("%s: %zu faces with more than three corners are cut into triangles", frames->path_a,
                   frames->a.fanned);
}

void app_free_frames(graze_context *home, app_frames *frames) {
    graze_mesh_release(home, &frames->mesh);
    free(frames->thickness);
    free(frames->groups);
    io_free_mesh(&frames->a);
    io_free_mesh(&frames->b);
    *frames = (app_frames){0};
}

bool app_frames_error(graze_status status, const graze_context *context, const app_frames *frames, io_error *error) {
    graze_error last;
    if (status == GRAZE_ERR_OUT_OF_RANGE) {
        bool in_b = frames->a.largest <= GRAZE_MAX_COORDINATE;
        const io_mesh *mesh = in_b ? &frames->b : &frames->a;
        const char *path = in_b ? frames->path_b : frames->path_a;
        if (mesh->largest_line)
            return io_fail(error, path, mesh->largest_line, "coordinate %g is beyond 2^160", mesh->largest);
        return io_fail(error, path, 0, "byte %zu: coordinate %g is beyond 2^160", mesh->largest_byte, mesh->largest);
    }
    if (context && graze_context_last_error(context, &last) == GRAZE_OK && last.status == status && last.message[0])
        return io_fail(error, frames->path_a, 0, "%s", last.message);
    return io_fail(error, frames->path_a, 0, "%s", graze_status_name(status));
}

void app_fail_frames(graze_status status, const graze_context *context, const app_frames *frames) {
    io_error error;
    app_frames_error(status, context, frames, &error);
    app_fail("%s", error.message);
}

/* ---- settings ---- */

void app_step_prepare(const char *command, app_step_settings *settings) {
    app_certificate_choose(command, settings->certificate, &settings->narrow);
    settings->narrow_options = app_narrow_options(command, &settings->narrow);
    settings->options = graze_default_step_options();
    settings->options.narrow = &settings->narrow_options;
    settings->options.broad = app_broad(settings->broad);
    settings->options.backend = app_backend(settings->backend);
    if (settings->device != APP_ANY_DEVICE && settings->options.backend == GRAZE_BACKEND_CPU)
        app_fail("%s: --device: the back end cpu has no devices", command);
    app_context_settings(settings->device, settings->verbose);
    settings->options.memory_limit = (size_t)settings->memory_limit;
    if (settings->repeat == 0) app_fail("%s: --repeat: at least 1", command);
    if (settings->mode && !graze_step_mode_find(settings->mode, &settings->options.mode))
        app_fail_choice("mode", settings->mode, "earliest, any, vertices, all");
}

/* ---- running ---- */

bool app_try_step(const app_step_settings *settings, const app_frames *frames, graze_context *kept,
                  app_step_outcome *outcome, io_error *error) {
    *outcome = (app_step_outcome){.kept = kept != NULL};
    graze_step_options options = settings->options;
    if (options.mode == GRAZE_STEP_VERTICES) {
        outcome->vertex_toi = app_allocate(frames->mesh.vertex_count, sizeof *outcome->vertex_toi);
        options.vertex_toi = outcome->vertex_toi;
    }
    for (uint64_t r = 0; r < settings->repeat; r++) {
        graze_context *context = kept ? kept : app_context(settings->threads);
        graze_step_result result = graze_default_step_result();
        double begin = app_seconds();
        graze_status status = graze_step(context, &frames->mesh, (const double(*)[3])frames->a.positions,
                                         (const double(*)[3])frames->b.positions, &options, &result);
        double ms = 1e3 * (app_seconds() - begin);
        if (status != GRAZE_OK) {
            app_frames_error(status, context, frames, error);
            if (r == 0 && !kept) graze_context_destroy(context);
            if (r > 0) app_free_outcome(outcome);
            return false;
        }
        if (r == 0 || ms < outcome->ms_total) {
            outcome->ms_boxes = result.ms_boxes;
            outcome->ms_broad = result.ms_broad;
            outcome->ms_narrow = result.ms_narrow;
            outcome->ms_total = ms;
        }
        if (r == 0) { /* the answer is the same every time */
            outcome->context = context;
            outcome->result = result;
            outcome->threads = graze_context_threads(context);
        } else {
            graze_step_release(context, &result);
            if (!kept) graze_context_destroy(context);
        }
    }
    return true;
}

void app_run_step(const app_step_settings *settings, const app_frames *frames, graze_context *kept,
                  app_step_outcome *outcome) {
    io_error error;
    if (!app_try_step(settings, frames, kept, outcome, &error)) app_fail("%s", error.message);
}

void app_check_start(const app_step_settings *settings, const app_frames *frames, app_step_outcome *outcome) {
    outcome->intersections = GRAZE_NOT_COUNTED;
    outcome->ms_start = NAN;
    if (settings->no_start_check) return;
    double begin = app_seconds();
    outcome->intersections = app_find_intersections(outcome->context, frames, NULL);
    outcome->ms_start = 1e3 * (app_seconds() - begin);
}

void app_print_start(const app_step_outcome *outcome) {
    uint64_t count = outcome->intersections;
    if (count == 0 || count == GRAZE_NOT_COUNTED) return;
    printf("%-12s %llu %s already; parts that overlap at the start may never touch\n", "start",
           (unsigned long long)count, count == 1 ? "pair of faces intersects" : "pairs of faces intersect");
}

void app_free_outcome(app_step_outcome *outcome) {
    graze_step_release(outcome->context, &outcome->result);
    if (!outcome->kept) graze_context_destroy(outcome->context);
    free(outcome->vertex_toi);
    *outcome = (app_step_outcome){0};
}

/* ---- JSON ---- */

cJSON *app_kinds_json(const uint64_t counts[4], bool codim) {
    cJSON *object = cJSON_CreateObject();
    for (int kind = 0; kind < (codim ? 4 : 2); kind++)
        cJSON_AddItemToObject(object, graze_kind_name((graze_kind)kind), app_json_count(counts[kind]));
    return object;
}

static cJSON *vector_json(const double x[3]) {
    if (isnan(x[0] + x[1] + x[2])) return cJSON_CreateNull();
    cJSON *list = cJSON_CreateArray();
    for (int c = 0; c < 3; c++) cJSON_AddItemToArray(list, app_json_double(x[c]));
    return list;
}

static graze_stencil stencil_of(const app_frames *frames, const graze_pair_result *pair) {
    graze_stencil stencil;
    if (frames->known) return *frames->known;
    graze_status status = graze_pair_stencil(&frames->mesh, pair->pair, pair->result.u, pair->result.v, &stencil);
    if (status != GRAZE_OK) app_fail_status(status, NULL, frames->path_a);
    return stencil;
}

static cJSON *pair_json(const app_frames *frames, const graze_pair_result *pair) {
    graze_stencil stencil = stencil_of(frames, pair);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "kind", graze_kind_name(pair->pair.kind));
    cJSON_AddItemToObject(object, "a", app_json_count(pair->pair.a));
    cJSON_AddItemToObject(object, "b", app_json_count(pair->pair.b));
    cJSON_AddItemToObject(object, "u", app_json_double(pair->result.u));
    cJSON_AddItemToObject(object, "v", app_json_double(pair->result.v));
    cJSON_AddItemToObject(object, "point", vector_json(pair->result.point));
    cJSON_AddItemToObject(object, "normal", vector_json(pair->result.normal));
    cJSON *vertices = cJSON_AddArrayToObject(object, "vertices");
    for (uint32_t i = 0; i < stencil.count; i++) cJSON_AddItemToArray(vertices, app_json_count(stencil.vertices[i]));
    return object;
}

static void put_number(FILE *stream, const char *name, double x) {
    if (isfinite(x))
        fprintf(stream, ",\"%s\":%.17g", name, x);
    else
        fprintf(stream, ",\"%s\":null", name);
}

static void put_vector(FILE *stream, const char *name, const double x[3]) {
    if (isnan(x[0] + x[1] + x[2]))
        fprintf(stream, ",\"%s\":null", name);
    else
        fprintf(stream, ",\"%s\":[%.17g,%.17g,%.17g]", name, x[0], x[1], x[2]);
}

void app_put_contact(FILE *stream, const app_frames *frames, const graze_pair_result *pair) {
    graze_stencil stencil = stencil_of(frames, pair);
    put_number(stream, "u", pair->result.u);
    put_number(stream, "v", pair->result.v);
    put_vector(stream, "point", pair->result.point);
    put_vector(stream, "normal", pair->result.normal);
    for (uint32_t i = 0; i < stencil.count; i++)
        fprintf(stream, "%s%u", i ? "," : ",\"vertices\":[", (unsigned)stencil.vertices[i]);
    fputc(']', stream);
}

static void add_times(cJSON *object, const app_step_outcome *outcome) {
    cJSON *time = cJSON_AddObjectToObject(object, "time_ms");
    cJSON_AddItemToObject(time, "start", app_json_double(outcome->ms_start));
    cJSON_AddItemToObject(time, "boxes", app_json_double(outcome->ms_boxes));
    cJSON_AddItemToObject(time, "broad", app_json_double(outcome->ms_broad));
    cJSON_AddItemToObject(time, "narrow", app_json_double(outcome->ms_narrow));
    cJSON_AddItemToObject(time, "total", app_json_double(outcome->ms_total));
}

void app_add_step_json(cJSON *object, const app_step_settings *settings, const app_frames *frames,
                       const app_step_outcome *outcome) {
    const graze_step_result *result = &outcome->result;
    bool codim = frames->mesh.codim_edge_count > 0;
    cJSON_AddStringToObject(object, "verdict", graze_verdict_name(result->verdict));
    if (result->verdict == GRAZE_UNRESOLVED)
        cJSON_AddStringToObject(object, "reason", graze_reason_name(result->reason));
    if (result->verdict == GRAZE_HIT && result->has_pair)
        cJSON_AddBoolToObject(object, "proven", result->limiting.result.proven);
    cJSON_AddItemToObject(object, "toi", app_json_double(result->toi));
    cJSON_AddItemToObject(object, "toi_upper", app_json_double(result->toi_upper));
    cJSON_AddItemToObject(object, "pair", result->has_pair ? pair_json(frames, &result->limiting) : cJSON_CreateNull());
    cJSON_AddItemToObject(object, "candidates", app_kinds_json(result->candidates, codim));
    cJSON_AddItemToObject(object, "hits", app_kinds_json(result->hits, codim));
    cJSON *start = cJSON_AddObjectToObject(object, "start");
    cJSON_AddItemToObject(start, "intersections", app_json_count(outcome->intersections));
    if (!settings->no_times) add_times(object, outcome);
    if (settings->options.relative_separation > 0)
        cJSON_AddItemToObject(object, "relative_separation", app_json_double(settings->options.relative_separation));
    cJSON_AddStringToObject(object, "method", graze_method_get(settings->narrow_options.method)->name);
    cJSON_AddStringToObject(object, "broad", graze_broad_name(settings->options.broad));
    if (!settings->no_times || settings->options.backend != GRAZE_BACKEND_AUTO)
        cJSON_AddStringToObject(object, "backend", graze_backend_name(result->backend));
    if (!settings->no_times) cJSON_AddItemToObject(object, "threads", app_json_count(outcome->threads));
}
