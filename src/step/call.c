#include "step/call.h"

#include "base/sizes.h"
#include "mesh/mesh.h"

#include <string.h>

/* Pairs in a block: enough for the kernels, few enough that a worker's results stay in its second-level cache. */
#define ROOM_MOST 512
#define ROOM_LEAST 16
/* Bytes that a step of mode earliest holds for each vertex, edge and face; beside that for each vertex, for each item
   that is sorted at once, and for each thread; and the range of primitives: enough for large pages to fill, and not so
   many that each of its lists fills some of them. */
#define EACH_BYTES 48u
#define VERTEX_BYTES 64u
#define SORTED_BYTES 8u
#define THREAD_BYTES ((size_t)160 << 10)
#define SHARE_FROM 50000u
#define SHARE_TO 1000000u

/* The largest part of a start distance that may be kept: below 1, so that no rounding exceeds the distance. */
#define RELATIVE_MOST 0.999

static const graze_step_options option_defaults = {.struct_size = sizeof(graze_step_options)};

void graze_init_step_options(graze_step_options *options, size_t size) {
    gz_sized_init(options, size, &option_defaults, sizeof option_defaults);
}

static graze_status bad(graze_context *context, const char *what) {
    return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "%s", what);
}

static void destroy_workspace(graze_context *context, void *object) {
    gz_workspace_clear(context, object);
    gz_release(context, object, sizeof(gz_workspace));
}

static gz_workspace *open_workspace(graze_context *context) {
    if (!context->step.object) {
        gz_workspace *made = gz_allocate(context, sizeof *made);
        if (!made) return NULL;
        memset(made, 0, sizeof *made);
        context->step = (gz_kept){.object = made, .destroy = destroy_workspace};
    }
    return context->step.object;
}

graze_status gz_step_options_read(graze_context *context, const graze_step_options *given,
                                  graze_step_options *options) {
    *options = option_defaults;
    const size_t least = GZ_SIZE_UP_TO(graze_step_options, vertex_toi);
    return given ? gz_sized_read(context, "step options", options, sizeof *options, least, given) : GRAZE_OK;
}

graze_status gz_step_on_host(graze_context *context, const graze_step_options *options) {
    if (options->positions_in == GRAZE_MEMORY_HOST && options->pairs_in == GRAZE_MEMORY_HOST) return GRAZE_OK;
    return gz_fail(
        context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX,
        "positions or pairs in the memory of a device: graze_step, graze_candidates, graze_earliest_of_pairs "
        "and graze_proximity alone take them");
}

graze_status gz_stride_read(graze_context *context, size_t *stride, uint32_t vertex_count) {
    if (*stride == 0) *stride = sizeof(double[3]);
    if (*stride % sizeof(double) || *stride < sizeof(double[3]))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
                       "stride %zu: it must be a multiple of 8 and at least 24", *stride);
    if (vertex_count && *stride > PTRDIFF_MAX / vertex_count)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
                       "stride %zu: %u positions go beyond the address space", *stride, vertex_count);
    return GRAZE_OK;
}

static graze_status read_options(graze_context *context, const graze_step_options *given, gz_step_call *call) {
    graze_status status = gz_step_options_read(context, given, &call->options);
    if (status == GRAZE_OK) status = gz_options_read(context, call->options.narrow, &call->narrow);
    if (status != GRAZE_OK) return status;
    if ((unsigned)call->options.mode > GRAZE_STEP_ALL) return bad(context, "mode names none");
    if (!graze_broad_name(call->options.broad)) return bad(context, "broad is not a graze_broad");
    if (!graze_broad_available(call->options.broad))
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "broad phase %s is not in this build",
                       graze_broad_name(call->options.broad));
    if (!graze_backend_name(call->options.backend)) return bad(context, "backend names none");
    if (call->options.kinds >> GZ_KINDS) return bad(context, "kinds: a bit that stands for no kind");
    if (call->options.kinds == 0) call->options.kinds = (1u << GZ_KINDS) - 1;
    if ((unsigned)call->options.positions_in > GRAZE_MEMORY_DEVICE ||
        (unsigned)call->options.pairs_in > GRAZE_MEMORY_DEVICE)
        return bad(context, "positions_in or pairs_in is not a graze_memory");
    if (!(call->options.relative_separation >= 0 && call->options.relative_separation <= RELATIVE_MOST))
        return bad(context, "relative_separation must lie in [0, 0.999]");
    call->at_start = call->narrow.t_max == 0;
    call->question = (gz_question){.separation = call->narrow.min_separation,
                                   .t_max = call->at_start ? 1 : call->narrow.t_max,
                                   .tolerance = call->narrow.tolerance,
                                   .max_checks = call->narrow.max_checks};
    call->method = gz_method_get(call->narrow.method);
    return GRAZE_OK;
}

/* A pair counts as contact within separation + 2 × the largest radius at most, which must be in range. */
static graze_status check_thickness(graze_context *context, const gz_step_call *call) {
    for (uint32_t v = 0; call->mesh->thickness && v < call->mesh->vertex_count; v++)
        if (call->question.separation + 2 * call->mesh->thickness[v] > GRAZE_MAX_COORDINATE)
            return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, v,
                           "thickness %g of vertex %u: with the separation it goes beyond 2^160",
                           call->mesh->thickness[v], v);
    return GRAZE_OK;
}

static size_t memory_limit_of(const gz_step_call *call) {
    return call->options.memory_limit ? call->options.memory_limit : call->context->options.memory_limit;
}

/* The bytes that the lists of the call are to share. */
static size_t shared_bytes(const gz_step_call *call) {
    const graze_mesh *mesh = call->mesh;
    size_t primitives = (size_t)mesh->vertex_count + mesh->edge_count + mesh->face_count;
    if (primitives < SHARE_FROM || primitives > SHARE_TO || memory_limit_of(call)) return 0;
    size_t sorted = mesh->vertex_count > mesh->edge_count ? mesh->vertex_count : mesh->edge_count;
    if (mesh->face_count > sorted) sorted = mesh->face_count;
    return primitives * EACH_BYTES + mesh->vertex_count * VERTEX_BYTES + sorted * SORTED_BYTES +
           call->context->threads * THREAD_BYTES;
}

/* Pairs in a block under a limit of memory. */
static size_t room_for(const gz_step_call *call) {
    uint32_t threads = call->context->threads;
    size_t limit = memory_limit_of(call);
    size_t bytes = sizeof(uint32_t[2]) + sizeof(uint32_t[4]) + sizeof(graze_result);
    if (!limit || limit / bytes / threads >= ROOM_MOST) return ROOM_MOST;
    return limit / bytes / threads < ROOM_LEAST ? ROOM_LEAST : limit / bytes / threads;
}

graze_status gz_step_read(graze_context *context, const graze_mesh *given, const double (*x0)[3], const double (*x1)[3],
                          const graze_step_options *options, gz_step_call *call) {
    *call = (gz_step_call){.context = context};
    call->mesh = &call->given_mesh;
    graze_status status = read_options(context, options, call);
    if (status == GRAZE_OK) status = gz_mesh_read_shape(context, given, &call->given_mesh);
    if (status == GRAZE_OK) status = gz_stride_read(context, &call->options.stride, call->mesh->vertex_count);
    if (status != GRAZE_OK) return status;
    const graze_mesh *mesh = call->mesh;
    if ((!x0 || !x1) && mesh->vertex_count) return bad(context, "positions are NULL");
    call->positions = (gz_positions){(const char *)x0, (const char *)x1, call->options.stride, mesh->thickness};
    call->workspace = open_workspace(context);
    if (!call->workspace) return GRAZE_ERR_OUT_OF_MEMORY;
    call->workspace->shared_bytes = shared_bytes(call);
    call->room = room_for(call);
    return GRAZE_OK;
}

/* Checked once for a topology: a hash of its lists, which is cheap, tells whether that was done. */
static graze_status check_topology(gz_step_call *call) {
    if (gz_mesh_is_as_made(call->mesh)) return GRAZE_OK;
    gz_workspace *workspace = call->workspace;
    uint64_t hash = gz_topology_hash(call->mesh);
    for (int i = 0; i < GZ_TOPOLOGIES; i++)
        if (workspace->topologies[i] == hash) return GRAZE_OK;
    graze_status status = gz_topology_check(call->context, call->mesh);
    if (status == GRAZE_OK) workspace->topologies[workspace->topology_next++ % GZ_TOPOLOGIES] = hash;
    return status;
}

graze_status gz_step_check_mesh(gz_step_call *call, bool whole) {
    graze_status status = gz_mesh_check_lists(call->context, call->mesh);
    if (status == GRAZE_OK) status = check_thickness(call->context, call);
    return status == GRAZE_OK && whole ? check_topology(call) : status;
}

graze_status gz_step_check_positions(gz_step_call *call) {
    gz_positions *x = &call->positions;
    uint32_t count = call->mesh->vertex_count;
    int any = call->method->any_finite;
    graze_status status = gz_positions_check(call->context, "x0", x->x0, x->stride, count, any);
    if (status == GRAZE_OK) status = gz_positions_check(call->context, "x1", x->x1, x->stride, count, any);
    if (call->at_start) x->x1 = x->x0; /* everything rests */
    return status;
}

static graze_status open_call(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                              const double (*x1)[3], const graze_step_options *options, bool whole,
                              gz_step_call *call) {
    graze_status status = gz_step_read(context, mesh, x0, x1, options, call);
    if (status == GRAZE_OK) status = gz_step_on_host(context, &call->options);
    if (status == GRAZE_OK) status = gz_step_check_mesh(call, whole);
    return status == GRAZE_OK ? gz_step_check_positions(call) : status;
}

graze_status gz_step_open(graze_context *context, const graze_mesh *mesh, const double (*x0)[3], const double (*x1)[3],
                          const graze_step_options *options, gz_step_call *call) {
    return open_call(context, mesh, x0, x1, options, false, call);
}

graze_status gz_step_open_whole(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                                const double (*x1)[3], const graze_step_options *options, gz_step_call *call) {
    return open_call(context, mesh, x0, x1, options, true, call);
}

static graze_status check_apart(const gz_step_call *call, const char *name, gz_pieces written) {
    const gz_positions *p = &call->positions;
    gz_pieces read = {p->x0, call->mesh->vertex_count, sizeof(double[3]), p->stride};
    graze_status status = gz_apart_check(call->context, name, written, "x0", read);
    read.first = p->x1;
    if (status == GRAZE_OK) status = gz_apart_check(call->context, name, written, "x1", read);
    if (status != GRAZE_OK) return status;
    size_t radii = call->mesh->vertex_count * sizeof *call->mesh->thickness;
    return gz_apart_check(call->context, name, written, "thickness", gz_bytes_at(call->mesh->thickness, radii));
}

graze_status gz_step_check_target(const gz_step_call *call, const char *name, const double (*x)[3]) {
    return check_apart(call, name, (gz_pieces){x, call->mesh->vertex_count, sizeof *x, call->positions.stride});
}

graze_status gz_step_check_numbers(const gz_step_call *call, const char *name, const double *numbers) {
    return check_apart(call, name, gz_bytes_at(numbers, call->mesh->vertex_count * sizeof *numbers));
}

graze_status gz_step_check_times(const gz_step_call *call) {
    bool on_host = call->options.pairs_in == GRAZE_MEMORY_HOST && call->options.positions_in == GRAZE_MEMORY_HOST;
    if (call->options.mode != GRAZE_STEP_VERTICES || !on_host) return GRAZE_OK;
    return gz_step_check_numbers(call, "vertex_toi", call->options.vertex_toi);
}

graze_status gz_step_check_results(const gz_step_call *call, gz_pieces results, const graze_pair *pairs, size_t count) {
    graze_status status = check_apart(call, "results", results);
    if (status != GRAZE_OK) return status;
    return gz_apart_check(call->context, "results", results, "pairs", gz_bytes_at(pairs, count * sizeof *pairs));
}

bool gz_step_has_kind(const gz_step_call *call, graze_kind kind) {
    const graze_mesh *mesh = call->mesh;
    if ((int)kind == GZ_FF) return mesh->face_count > 1;
    if (!(call->options.kinds >> kind & 1u)) return false;
    switch (kind) {
    case GRAZE_VF: return mesh->face_count > 0;
    case GRAZE_EE: return mesh->edge_count > 1;
    case GRAZE_PE: return mesh->codim_point_count > 0 && mesh->codim_edge_count > 0;
    case GRAZE_PP: return mesh->codim_point_count > 1;
    }
    return false;
}

graze_status gz_step_relative_check(const gz_step_call *call) {
    if (call->options.relative_separation == 0) return GRAZE_OK;
    const char *why = call->mesh->thickness                       ? "it is not taken with thickness"
                      : call->options.mode == GRAZE_STEP_VERTICES ? "mode vertices does not take it"
                      : call->method->no_separation               ? "the method does not take a separation"
                                                                  : NULL;
    return why ? gz_fail(call->context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "relative_separation: %s", why) : GRAZE_OK;
}

graze_status gz_step_open_narrow(gz_step_call *call) {
    graze_status relative = gz_step_relative_check(call);
    if (relative != GRAZE_OK) return relative;
    for (int kind = 0; kind < GZ_KINDS; kind++) {
        if (!gz_step_has_kind(call, (graze_kind)kind)) continue;
        graze_status status =
            gz_narrow_prepare(call->context, (graze_kind)kind, &call->narrow, &call->calls[kind], &call->method);
        if (status != GRAZE_OK) return status;
    }
    return GRAZE_OK;
}
