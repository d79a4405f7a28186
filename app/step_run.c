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

/* What the faces and lines of frame a are made of. */
static bool derive_mesh(graze_context *home, cli_frames *frames, io_error *error) {
    if (frames->a.edge_count > INT32_MAX) return io_fail(error, frames->path_a, 0, "more than 2^31 edges");
    graze_status status = io_mesh_topology(home, &frames->a, &frames->mesh);
    return status == GRAZE_OK || cli_frames_error(status, home, frames, error);
}

void cli_load_state(graze_context *home, const char *path, cli_frames *frames) {
    *frames = (cli_frames){.path_a = path, .path_b = path, .mesh = graze_default_mesh()};
    io_error error;
    if (!io_read_mesh(path, &frames->a, &error) || !derive_mesh(home, frames, &error)) cli_fail("%s", error.message);
}

/* Adds the frames of one more set; its vertices have a group of their own. */
static bool join_set(const char *path_a, const char *path_b, uint32_t group, cli_frames *frames, io_error *error) {
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

bool cli_try_frames(graze_context *home, const char *const *paths_a, const char *const *paths_b, size_t sets,
                    cli_frames *frames, io_error *error) {
    *frames = (cli_frames){.path_a = paths_a[0], .path_b = paths_b[0], .mesh = graze_default_mesh()};
    bool good = sets > 1 || io_read_mesh_pair(paths_a[0], paths_b[0], &frames->a, &frames->b, error);
    for (size_t i = 0; good && sets > 1 && i < sets; i++)
        good = join_set(paths_a[i], paths_b[i], (uint32_t)i, frames, error);
    good = good && derive_mesh(home, frames, error);
    if (good && frames->groups) {
        frames->mesh.groups = frames->groups;
        frames->mesh.group_count = (uint32_t)sets;
    }
    if (!good) cli_free_frames(home, frames);
    return good;
}

void cli_load_frames(graze_context *home, const char *path_a, const char *path_b, cli_frames *frames) {
    io_error error;
    if (!cli_try_frames(home, &path_a, &path_b, 1, frames, &error)) cli_fail("%s", error.message);
}

void cli_load_thickness(const char *text, cli_frames *frames) {
    uint32_t count = frames->mesh.vertex_count;
    double *radii = frames->thickness = cli_allocate(count, sizeof *radii);
    frames->mesh.thickness = radii;
    char *end;
    double all = strtod(text, &end);
    if (end != text && !*end) {
        if (!(all >= 0 && all <= GRAZE_MAX_COORDINATE)) cli_fail("--thickness: %s is not a radius", text);
        for (uint32_t v = 0; v < count; v++) radii[v] = all;
        return;
    }
    char *bytes;
    size_t size;
    io_error error;
    if (!io_read_file(text, &bytes, &size, &error)) cli_fail("--thickness: %s", error.message);
    io_scan scan = io_scan_open(text, bytes, size, &error);
    io_scan_join_lines(&scan);
    for (uint32_t v = 0; v < count; v++) {
        if (io_scan_at_stop(&scan)) cli_fail("--thickness: %s: %u numbers for %u vertices", text, v, count);
        if (!io_scan_number(&scan, "a radius", &radii[v])) cli_fail("--thickness: %s", error.message);
        if (!(radii[v] >= 0 && radii[v] <= GRAZE_MAX_COORDINATE))
            cli_fail("--thickness: %s: number %u, %g, is not a radius", text, v + 1, radii[v]);
    }
    if (!io_scan_at_stop(&scan)) cli_fail("--thickness: %s: more numbers than the %u vertices", text, count);
    free(bytes);
}

void cli_notice_fans(const cli_frames *frames) {
    if (frames->a.fanned)
        cli_notice("%s: %zu faces with more than three corners are cut into triangles", frames->path_a,
                   frames->a.fanned);
}

void cli_free_frames(graze_context *home, cli_frames *frames) {
    graze_mesh_release(home, &frames->mesh);
    free(frames->thickness);
    free(frames->groups);
    io_free_mesh(&frames->a);
    io_free_mesh(&frames->b);
    *frames = (cli_frames){0};
}

bool cli_frames_error(graze_status status, const graze_context *context, const cli_frames *frames, io_error *error) {
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

void cli_fail_frames(graze_status status, const graze_context *context, const cli_frames *frames) {
    io_error error;
    cli_frames_error(status, context, frames, &error);
    cli_fail("%s", error.message);
}

/* ---- settings ---- */

void cli_step_prepare(const char *command, cli_step_settings *settings) {
    cli_certificate_choose(command, settings->certificate, &settings->narrow);
    settings->narrow_options = cli_narrow_options(command, &settings->narrow);
    settings->options = graze_default_step_options();
    settings->options.narrow = &settings->narrow_options;
    settings->options.broad = cli_broad(settings->broad);
    settings->options.backend = cli_backend(settings->backend);
    if (settings->device != CLI_ANY_DEVICE && settings->options.backend == GRAZE_BACKEND_CPU)
        cli_fail("%s: --device: the back end cpu has none", command);
    cli_context_settings(settings->device, settings->verbose);
    settings->options.memory_limit = (size_t)settings->memory_limit;
    if (settings->repeat == 0) cli_fail("%s: --repeat: at least 1", command);
    if (settings->mode && !graze_step_mode_find(settings->mode, &settings->options.mode))
        cli_fail("%s: mode '%s' does not exist; there are: earliest, any, vertices, all", command, settings->mode);
}

/* ---- running ---- */

bool cli_try_step(const cli_step_settings *settings, const cli_frames *frames, graze_context *kept,
                  cli_step_outcome *outcome, io_error *error) {
    *outcome = (cli_step_outcome){.kept = kept != NULL};
    graze_step_options options = settings->options;
    if (options.mode == GRAZE_STEP_VERTICES) {
        outcome->vertex_toi = cli_allocate(frames->mesh.vertex_count, sizeof *outcome->vertex_toi);
        options.vertex_toi = outcome->vertex_toi;
    }
    for (uint64_t r = 0; r < settings->repeat; r++) {
        graze_context *context = kept ? kept : cli_context(settings->threads);
        graze_step_result result = graze_default_step_result();
        double begin = cli_seconds();
        graze_status status = graze_step(context, &frames->mesh, (const double(*)[3])frames->a.positions,
                                         (const double(*)[3])frames->b.positions, &options, &result);
        double ms = 1e3 * (cli_seconds() - begin);
        if (status != GRAZE_OK) {
            cli_frames_error(status, context, frames, error);
            if (r == 0 && !kept) graze_context_destroy(context);
            if (r > 0) cli_free_outcome(outcome);
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

void cli_run_step(const cli_step_settings *settings, const cli_frames *frames, graze_context *kept,
                  cli_step_outcome *outcome) {
    io_error error;
    if (!cli_try_step(settings, frames, kept, outcome, &error)) cli_fail("%s", error.message);
}

void cli_check_start(const cli_step_settings *settings, const cli_frames *frames, cli_step_outcome *outcome) {
    outcome->intersections = GRAZE_NOT_COUNTED;
    outcome->ms_start = NAN;
    if (settings->no_start_check) return;
    double begin = cli_seconds();
    outcome->intersections = cli_find_intersections(outcome->context, frames, NULL);
    outcome->ms_start = 1e3 * (cli_seconds() - begin);
}

void cli_print_start(const cli_step_outcome *outcome) {
    uint64_t count = outcome->intersections;
    if (count == 0 || count == GRAZE_NOT_COUNTED) return;
    printf("%-12s %llu %s already; what passes through at the start need not touch on the way\n", "start",
           (unsigned long long)count, count == 1 ? "pair of faces intersects" : "pairs of faces intersect");
}

void cli_free_outcome(cli_step_outcome *outcome) {
    graze_step_release(outcome->context, &outcome->result);
    if (!outcome->kept) graze_context_destroy(outcome->context);
    free(outcome->vertex_toi);
    *outcome = (cli_step_outcome){0};
}

/* ---- JSON ---- */

cJSON *cli_kinds_json(const uint64_t counts[4], bool codim) {
    cJSON *object = cJSON_CreateObject();
    for (int kind = 0; kind < (codim ? 4 : 2); kind++)
        cJSON_AddItemToObject(object, graze_kind_name((graze_kind)kind), cli_json_count(counts[kind]));
    return object;
}

static cJSON *vector_json(const double x[3]) {
    if (isnan(x[0] + x[1] + x[2])) return cJSON_CreateNull();
    cJSON *list = cJSON_CreateArray();
    for (int c = 0; c < 3; c++) cJSON_AddItemToArray(list, cli_json_double(x[c]));
    return list;
}

static graze_stencil stencil_of(const cli_frames *frames, const graze_pair_result *pair) {
    graze_stencil stencil;
    graze_status status = graze_pair_stencil(&frames->mesh, pair->pair, pair->result.u, pair->result.v, &stencil);
    if (status != GRAZE_OK) cli_fail_status(status, NULL, frames->path_a);
    return stencil;
}

static cJSON *pair_json(const cli_frames *frames, const graze_pair_result *pair) {
    graze_stencil stencil = stencil_of(frames, pair);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "kind", graze_kind_name(pair->pair.kind));
    cJSON_AddItemToObject(object, "a", cli_json_count(pair->pair.a));
    cJSON_AddItemToObject(object, "b", cli_json_count(pair->pair.b));
    cJSON_AddItemToObject(object, "u", cli_json_double(pair->result.u));
    cJSON_AddItemToObject(object, "v", cli_json_double(pair->result.v));
    cJSON_AddItemToObject(object, "point", vector_json(pair->result.point));
    cJSON_AddItemToObject(object, "normal", vector_json(pair->result.normal));
    cJSON *vertices = cJSON_AddArrayToObject(object, "vertices");
    for (uint32_t i = 0; i < stencil.count; i++) cJSON_AddItemToArray(vertices, cli_json_count(stencil.vertices[i]));
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

void cli_put_contact(FILE *stream, const cli_frames *frames, const graze_pair_result *pair) {
    graze_stencil stencil = stencil_of(frames, pair);
    put_number(stream, "u", pair->result.u);
    put_number(stream, "v", pair->result.v);
    put_vector(stream, "point", pair->result.point);
    put_vector(stream, "normal", pair->result.normal);
    for (uint32_t i = 0; i < stencil.count; i++)
        fprintf(stream, "%s%u", i ? "," : ",\"vertices\":[", (unsigned)stencil.vertices[i]);
    fputc(']', stream);
}

static void add_times(cJSON *object, const cli_step_outcome *outcome) {
    cJSON *time = cJSON_AddObjectToObject(object, "time_ms");
    cJSON_AddItemToObject(time, "start", cli_json_double(outcome->ms_start));
    cJSON_AddItemToObject(time, "boxes", cli_json_double(outcome->ms_boxes));
    cJSON_AddItemToObject(time, "broad", cli_json_double(outcome->ms_broad));
    cJSON_AddItemToObject(time, "narrow", cli_json_double(outcome->ms_narrow));
    cJSON_AddItemToObject(time, "total", cli_json_double(outcome->ms_total));
}

void cli_add_step_json(cJSON *object, const cli_step_settings *settings, const cli_frames *frames,
                       const cli_step_outcome *outcome) {
    const graze_step_result *result = &outcome->result;
    bool codim = frames->mesh.codim_edge_count > 0;
    cJSON_AddStringToObject(object, "verdict", graze_verdict_name(result->verdict));
    if (result->verdict == GRAZE_UNRESOLVED)
        cJSON_AddStringToObject(object, "reason", graze_reason_name(result->reason));
    if (result->verdict == GRAZE_HIT && result->has_pair)
        cJSON_AddBoolToObject(object, "proven", result->limiting.result.proven);
    cJSON_AddItemToObject(object, "toi", cli_json_double(result->toi));
    cJSON_AddItemToObject(object, "toi_upper", cli_json_double(result->toi_upper));
    cJSON_AddItemToObject(object, "pair", result->has_pair ? pair_json(frames, &result->limiting) : cJSON_CreateNull());
    cJSON_AddItemToObject(object, "candidates", cli_kinds_json(result->candidates, codim));
    cJSON_AddItemToObject(object, "hits", cli_kinds_json(result->hits, codim));
    cJSON *start = cJSON_AddObjectToObject(object, "start");
    cJSON_AddItemToObject(start, "intersections", cli_json_count(outcome->intersections));
    if (!settings->no_times) add_times(object, outcome);
    if (settings->options.relative_separation > 0)
        cJSON_AddItemToObject(object, "relative_separation", cli_json_double(settings->options.relative_separation));
    cJSON_AddStringToObject(object, "method", graze_method_get(settings->narrow_options.method)->name);
    cJSON_AddStringToObject(object, "broad", graze_broad_name(settings->options.broad));
    if (!settings->no_times || settings->options.backend != GRAZE_BACKEND_AUTO)
        cJSON_AddStringToObject(object, "backend", graze_backend_name(result->backend));
    if (!settings->no_times) cJSON_AddItemToObject(object, "threads", cli_json_count(outcome->threads));
}
