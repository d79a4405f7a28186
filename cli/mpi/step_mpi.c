#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "cli/mpi/step_mpi.h"

#include "app/outputs.h"
#include "app/start.h"
#include "cli/contacts.h"

#include "graze/mpi.h"
#include "io/output.h"
#include "io/ply_share.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Data that this rank brings. */
typedef struct brought {
    graze_mpi_part part;
    uint64_t *ids, (*faces)[3], *face_ids, (*edges)[2];
    double (*x0)[3], (*x1)[3], *thickness;
} brought;

typedef struct run {
    const cli_mpi_step *asked;
    graze_context *context;
    graze_mpi_comm world;
    uint32_t rank, ranks;
    brought mine;
    uint64_t vertices, faces; /* of the files, by their headers; 0 where they are not read in shares */
    size_t fanned;
    char *pairs_out; /* where its links lead */
} run;

/* All ranks end here when one does; rank 0 says why. */
static void agree(run *r, graze_status status, const char *message) {
    status = graze_mpi_agree(r->context, r->world, status, message);
    if (status == GRAZE_OK) return;
    graze_error error;
    if (r->rank == 0 && graze_context_last_error(r->context, &error) == GRAZE_OK)
        fprintf(stderr, "graze: %s\n", error.message);
    graze_mpi_finish(r->context);
    exit(2);
}

/* ---- shares of binary PLY files ---- */

static void room_for_vertices(brought *mine, size_t count) {
    mine->ids = app_allocate(count, sizeof *mine->ids);
    mine->x0 = app_allocate(count, sizeof *mine->x0);
    mine->x1 = app_allocate(count, sizeof *mine->x1);
    mine->part.vertex_count = count;
    mine->part.vertex_ids = mine->ids;
}

static void room_for_faces(brought *mine, size_t count) {
    mine->faces = app_allocate(count, sizeof *mine->faces);
    mine->face_ids = app_allocate(count, sizeof *mine->face_ids);
    mine->part.face_count = count;
    mine->part.faces = (const uint64_t(*)[3])mine->faces;
    mine->part.face_ids = mine->face_ids;
}

static uint64_t cut(uint64_t count, uint32_t rank, uint32_t ranks) {
    return count / ranks * rank + count % ranks * rank / ranks;
}

/* In mode vertices rank 0 brings all of them, and so gets all times, which it prints. */
static bool read_vertices(run *r, const io_ply_plan plans[2], io_error *error) {
    bool whole = r->asked->settings->options.mode == GRAZE_STEP_VERTICES && r->rank == 0;
    uint64_t begin = whole ? 0 : cut(plans->vertex_count, r->rank, r->ranks);
    uint64_t end = whole ? plans->vertex_count : cut(plans->vertex_count, r->rank + 1, r->ranks);
    room_for_vertices(&r->mine, end - begin);
    for (uint64_t i = begin; i < end; i++) r->mine.ids[i - begin] = i;
    return io_read_ply_vertices(&plans[0], begin, end, r->mine.x0, error) &&
           io_read_ply_vertices(&plans[1], begin, end, r->mine.x1, error);
}

static bool read_faces(run *r, const io_ply_plan plans[2], io_error *error) {
    uint64_t begin = cut(plans->face_count, r->rank, r->ranks), end = cut(plans->face_count, r->rank + 1, r->ranks);
    room_for_faces(&r->mine, end - begin);
    uint64_t(*other)[3] = app_allocate(end - begin, sizeof *other);
    bool good = io_read_ply_faces(&plans[0], begin, end, r->mine.faces, error) &&
                io_read_ply_faces(&plans[1], begin, end, other, error);
    for (uint64_t i = begin; good && i < end; i++) {
        r->mine.face_ids[i - begin] = i;
        if (memcmp(r->mine.faces[i - begin], other[i - begin], sizeof *other))
            good =
                io_fail(error, plans[1].path, 0, "face %llu is not that of %s", (unsigned long long)i, plans[0].path);
    }
    free(other);
    return good;
}

/* ---- other files ---- */

static void take_mesh(run *r, const io_mesh *a, const io_mesh *b) {
    brought *mine = &r->mine;
    room_for_vertices(mine, a->vertex_count);
    room_for_faces(mine, a->face_count);
    memcpy(mine->x0, a->positions, a->vertex_count * sizeof *mine->x0);
    memcpy(mine->x1, b->positions, a->vertex_count * sizeof *mine->x1);
    for (size_t i = 0; i < a->vertex_count; i++) mine->ids[i] = i;
    for (size_t i = 0; i < a->face_count; i++) {
        mine->face_ids[i] = i;
        for (int k = 0; k < 3; k++) mine->faces[i][k] = a->faces[i][k];
    }
    mine->edges = app_allocate(a->edge_count, sizeof *mine->edges);
    size_t edges = 0;
    for (size_t i = 0; i < a->edge_count; i++) {
        if (a->edges[i][0] == a->edges[i][1]) continue; /* none, as in one process */
        mine->edges[edges][0] = a->edges[i][0];
        mine->edges[edges++][1] = a->edges[i][1];
    }
    mine->part.edges = (const uint64_t(*)[2])mine->edges;
    mine->part.edge_count = edges;
    mine->part.points = edges ? mine->ids : NULL; /* vertices in no edge are points where there are lines */
    mine->part.point_count = edges ? a->vertex_count : 0;
    r->fanned = a->fanned;
}

/* Rank 0 brings all; the step deals it out. */
static bool read_whole(run *r, io_error *error) {
    io_mesh a, b;
    if (r->rank != 0) return true;
    if (!io_read_mesh_pair(r->asked->path_a, r->asked->path_b, &a, &b, error)) return false;
    take_mesh(r, &a, &b);
    io_free_mesh(&a);
    io_free_mesh(&b);
    return true;
}

static bool read_thickness(run *r, io_error *error) {
    char *end;
    double all = strtod(r->asked->thickness, &end);
    if (end == r->asked->thickness || *end || !(all >= 0 && all <= GRAZE_MAX_COORDINATE))
        return io_fail(error, "--thickness", 0, "with --mpi it is one radius for all vertices");
    r->mine.thickness = app_allocate(r->mine.part.vertex_count, sizeof *r->mine.thickness);
    for (size_t i = 0; i < r->mine.part.vertex_count; i++) r->mine.thickness[i] = all;
    r->mine.part.thickness = r->mine.thickness;
    return true;
}

static void read_part(run *r) {
    io_ply_plan plans[2];
    io_error error = {""};
    r->mine.part = graze_default_mpi_part();
    bool shares = io_plan_ply(r->asked->path_a, &plans[0]) && io_plan_ply(r->asked->path_b, &plans[1]) &&
                  plans[0].vertex_count == plans[1].vertex_count && plans[0].face_count == plans[1].face_count;
    r->vertices = shares ? plans->vertex_count : 0;
    r->faces = shares ? plans->face_count : 0;
    bool good = shares ? read_vertices(r, plans, &error) && read_faces(r, plans, &error) : read_whole(r, &error);
    if (good && r->asked->thickness) good = read_thickness(r, &error);
    agree(r, good ? GRAZE_OK : GRAZE_ERR_INVALID_ARGUMENT, error.message);
}

static void free_part(brought *mine) {
    void *const blocks[] = {mine->ids, mine->faces, mine->face_ids, mine->edges, mine->x0, mine->x1, mine->thickness};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
}

/* ---- the answer, as one process has it ---- */

static graze_stencil stencil_of(const graze_mpi_pair_result *pair) {
    static const uint32_t rows[] = {4, 4, 3, 2};
    graze_stencil stencil = {.count = rows[pair->pair.kind]};
    for (int i = 0; i < 4; i++) stencil.vertices[i] = (uint32_t)pair->vertices[i];
    return stencil;
}

/* Files have 32-bit indices, so their ids fit. */
static graze_pair_result pair_of(const graze_mpi_pair_result *pair) {
    return (graze_pair_result){{pair->pair.kind, (uint32_t)pair->pair.a, (uint32_t)pair->pair.b}, pair->result};
}

static void print(run *r, const graze_mpi_result *result, double *times, double ms, uint64_t intersections,
                  double ms_start) {
    app_frames frames = {.path_a = r->asked->path_a, .path_b = r->asked->path_b, .mesh = graze_default_mesh()};
    app_step_outcome outcome = {
        .context = r->context, .vertex_toi = times, .ms_start = ms_start, .ms_boxes = NAN, .ms_broad = NAN};
    graze_stencil stencil = stencil_of(&result->limiting);
    frames.known = &stencil;
    frames.mesh.vertex_count = (uint32_t)result->vertex_total;
    frames.mesh.edge_count = (uint32_t)result->edge_total;
    frames.mesh.face_count = (uint32_t)result->face_total;
    frames.mesh.codim_edge_count = (uint32_t)result->codim_edge_total;
    graze_step_result *one = &outcome.result;
    *one = graze_default_step_result();
    one->verdict = result->verdict;
    one->reason = result->reason;
    one->toi = result->toi;
    one->toi_upper = result->toi_upper;
    one->has_pair = result->has_pair;
    one->limiting = pair_of(&result->limiting);
    memcpy(one->candidates, result->candidates, sizeof one->candidates);
    memcpy(one->hits, result->hits, sizeof one->hits);
    one->backend = GRAZE_BACKEND_CPU;
    outcome.ms_narrow = result->ms_search;
    outcome.ms_total = ms;
    outcome.intersections = intersections;
    outcome.threads = graze_context_threads(r->context);
    outcome.ranks = r->ranks;
    r->asked->print(r->asked->settings, &frames, &outcome);
    if (r->fanned)
        app_notice("%s: %zu faces with more than three corners are cut into triangles", r->asked->path_a, r->fanned);
}

/* ---- --pairs-out ---- */

static void check_pairs_out(run *r) {
    const char *path = r->asked->pairs_out;
    io_error error = {"--pairs-out: with --mpi it must be a file, and not one of the inputs"};
    bool good = !path || (*path && strcmp(path, "-") != 0 && !io_is_input(path));
    if (good && path) good = (r->pairs_out = io_follow_links(path, &error)) != NULL;
    agree(r, good ? GRAZE_OK : GRAZE_ERR_INVALID_ARGUMENT, error.message);
}

/* Each rank's range of the list, as text; together they are what one process writes. */
static void write_pairs(run *r, const graze_mpi_result *result) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    graze_stencil stencil;
    app_frames frames = {.known = &stencil};
    if (stream && r->rank == 0) fputc('[', stream);
    for (size_t i = 0; stream && i < result->pair_count; i++) {
        graze_pair_result pair = pair_of(&result->pairs[i]);
        stencil = stencil_of(&result->pairs[i]);
        cli_put_pair(stream, result->pair_first + i == 0, &frames, &pair, NULL);
    }
    if (stream && r->rank + 1 == r->ranks) fputs("\n]\n", stream);
    bool good = stream && fclose(stream) == 0;
    agree(r, good ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY, "--pairs-out: out of memory");
    graze_status status = graze_mpi_write(r->context, r->world, r->pairs_out, text, size);
    graze_error error = {0};
    graze_context_last_error(r->context, &error);
    agree(r, status, error.message);
    free(text);
}

/* ---- all of it ---- */

/* To the library of one MPI all processes that the launcher of another one started are alone: each would take the whole
   step, and write the same files. */
static void check_launcher(const run *r) {
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *size = getenv(sizes[i]);
        if (r->ranks == 1 && size && atoi(size) > 1)
            app_fail("step: --mpi: the launcher started %.20s processes, and MPI knows of this one alone: it is the "
                     "launcher of another MPI than GRAZE_MPI_LIBRARY is for",
                     size);
    }
}

static void start(run *r) {
    graze_status status = graze_mpi_start(r->context, &r->world);
    if (status == GRAZE_OK) status = graze_mpi_ranks(r->context, r->world, &r->rank, &r->ranks);
    if (status != GRAZE_OK) app_fail_status(status, r->context, "step: --mpi");
    check_launcher(r);
}

/* Ranks of several machines may see other files under one name, or none. */
static void check_totals(run *r, const graze_mpi_result *result) {
    char message[256] = "";
    bool good = !r->faces || (r->vertices == result->vertex_total && r->faces == result->face_total);
    if (!good)
        snprintf(message, sizeof message,
                 "%.80s has %llu vertices and %llu faces, and all ranks together read %llu and %llu", r->asked->path_a,
                 (unsigned long long)r->vertices, (unsigned long long)r->faces,
                 (unsigned long long)result->vertex_total, (unsigned long long)result->face_total);
    agree(r, good ? GRAZE_OK : GRAZE_ERR_INVALID_ARGUMENT, message);
}

static void step(run *r, double *times, graze_mpi_result *result, double *ms) {
    graze_step_options options = r->asked->settings->options;
    options.vertex_toi = times;
    for (uint64_t i = 0; i < r->asked->settings->repeat; i++) {
        graze_error error = {0};
        graze_mpi_step_release(r->context, result);
        double begin = app_seconds();
        graze_status status = graze_mpi_step(r->context, r->world, &r->mine.part, (const double(*)[3])r->mine.x0,
                                             (const double(*)[3])r->mine.x1, &options, result);
        double took = 1e3 * (app_seconds() - begin);
        graze_context_last_error(r->context, &error);
        agree(r, status, error.message);
        if (i == 0 || took < *ms) *ms = took;
    }
    check_totals(r, result);
}

/* A free edge counts as a face without area. A mesh that has some was read by rank 0, as a whole. */
static uint64_t look_with_lines(run *r) {
    app_frames frames;
    graze_context *home = app_context(1);
    app_load_frames(home, r->asked->path_a, r->asked->path_b, &frames);
    uint64_t count = app_find_intersections(home, &frames, NULL);
    app_free_frames(home, &frames);
    graze_context_destroy(home);
    return count;
}

static uint64_t look_at_start(run *r, bool lines, double *ms) {
    uint64_t count = GRAZE_NOT_COUNTED;
    graze_error error = {0};
    if (r->asked->settings->no_start_check) return count;
    double begin = app_seconds();
    if (lines) {
        if (r->rank == 0) count = look_with_lines(r);
    } else {
        graze_status status = graze_mpi_static_intersections(r->context, r->world, &r->mine.part,
                                                             (const double(*)[3])r->mine.x0, NULL, &count);
        graze_context_last_error(r->context, &error);
        agree(r, status, error.message);
    }
    *ms = 1e3 * (app_seconds() - begin);
    return count;
}

bool cli_step_over_ranks(const cli_mpi_step *asked, graze_verdict *verdict) {
    run r = {.asked = asked, .context = app_context(asked->settings->threads)};
    graze_mpi_result result = graze_default_mpi_result();
    double ms = 0;
    start(&r);
    read_part(&r);
    check_pairs_out(&r);
    bool timed = asked->settings->options.mode == GRAZE_STEP_VERTICES;
    double *times = timed ? app_allocate(r.mine.part.vertex_count, sizeof *times) : NULL;
    step(&r, times, &result, &ms);
    double ms_start = NAN;
    uint64_t intersections = look_at_start(&r, result.codim_edge_total > 0, &ms_start);
    if (r.pairs_out) write_pairs(&r, &result);
    if (r.rank == 0) print(&r, &result, times, ms, intersections, ms_start);
    if (asked->settings->verbose)
        fprintf(stderr,
                "rank %u of %u: %.2f ms (deal %.2f, search %.2f, exchange %.2f), %llu messages, %llu bytes, %llu "
                "crossing, imbalance %.2f\n",
                r.rank, r.ranks, result.ms_total, result.ms_deal, result.ms_search, result.ms_exchange,
                (unsigned long long)result.messages, (unsigned long long)result.bytes,
                (unsigned long long)result.crossing, result.imbalance);
    bool hit = result.verdict == GRAZE_HIT || result.reason == GRAZE_REASON_STOPPED;
    *verdict = result.verdict;
    graze_mpi_step_release(r.context, &result);
    graze_mpi_finish(r.context);
    graze_context_destroy(r.context);
    free(times);
    free(r.pairs_out);
    free_part(&r.mine);
    return hit;
}
