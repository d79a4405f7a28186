/* A step of one mesh against another: they are joined, as two groups whose own pairs are no pairs. */
#include "mesh/mesh.h"
#include "step/call.h"
#include "step/step.h"

static void copy_positions(const double (*x)[3], size_t stride, uint32_t count, double (*to)[3]) {
    for (uint32_t v = 0; v < count; v++) memcpy(to[v], gz_position((const char *)x, stride, v), sizeof to[v]);
}

/* Positions of the vertices of one of the two meshes. */
typedef struct placed {
    uint32_t count;
    const double (*x0)[3], (*x1)[3];
} placed;

static graze_status step_joined(graze_context *context, const graze_mesh *joined, const placed *a, const placed *b,
                                graze_step_options *options, graze_step_result *result) {
    uint32_t count = joined->vertex_count;
    graze_status status = gz_stride_read(context, &options->stride, count);
    if (status != GRAZE_OK) return status;
    if ((a->count && (!a->x0 || !a->x1)) || (b->count && (!b->x0 || !b->x1)))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "positions are NULL");
    double(*x)[3] = gz_allocate_array(context, 2 * (size_t)count, sizeof *x);
    if (!x) return GRAZE_ERR_OUT_OF_MEMORY;
    copy_positions(a->x0, options->stride, a->count, x);
    copy_positions(b->x0, options->stride, b->count, x + a->count);
    copy_positions(a->x1, options->stride, a->count, x + count);
    copy_positions(b->x1, options->stride, b->count, x + count + a->count);
    options->stride = sizeof *x;
    status = gz_step_run(context, joined, (const double(*)[3])x, (const double(*)[3])(x + count), options, result);
    gz_release(context, x, 2 * (size_t)count * sizeof *x);
    return status;
}

static graze_status step_between(graze_context *context, const graze_mesh *mesh_a, placed a, const graze_mesh *mesh_b,
                                 placed b, const graze_step_options *given, graze_step_result *result) {
    graze_step_options options;
    graze_mesh joined = graze_default_mesh();
    graze_status status = gz_step_options_read(context, given, &options);
    if (status == GRAZE_OK) status = gz_step_on_host(context, &options);
    if (status == GRAZE_OK) status = gz_mesh_join(context, mesh_a, mesh_b, &joined);
    if (status != GRAZE_OK) return status;
    a.count = mesh_a->vertex_count;
    b.count = mesh_b->vertex_count;
    status = step_joined(context, &joined, &a, &b, &options, result);
    graze_mesh_release(context, &joined);
    return status;
}

graze_status graze_step_between(graze_context *context, const graze_mesh *a, const double (*xa0)[3],
                                const double (*xa1)[3], const graze_mesh *b, const double (*xb0)[3],
                                const double (*xb1)[3], const graze_step_options *options, graze_step_result *result) {
    gz_fp_environment env;
    graze_step_result found;
    placed in_a = {.x0 = xa0, .x1 = xa1}, in_b = {.x0 = xb0, .x1 = xb1};
    graze_status status = gz_step_enter(context, result, &env);
    if (status != GRAZE_OK) return status;
    status = step_between(context, a, in_a, b, in_b, options, &found);
    return gz_step_leave(context, &env, status, &found, result);
}
