/* Intersections that exist already at the start of a step. */
#include "step/list.h"
#include "world/motions.h"

#include <string.h>

static void put_positions(gz_movers *movers, const gz_mover *mover, double (*x)[3]) {
    gz_frame_model frame;
    const gz_frame_model *at = NULL;
    if (gz_unit_has_frame(mover->unit)) at = gz_mover_frame(movers, 0, mover, (gz_span){0, 0}, &frame);
    for (uint32_t v = 0; v < mover->unit->mesh.vertex_count; v++) {
        const double *rest =
            at ? mover->unit->rest[v] : (const double *)(const void *)(mover->x[0] + mover->stride * v);
        for (int i = 0; i < 3; i++) {
            const double *row = at ? at->c[0][i] : NULL;
            x[v][i] = row ? row[3] + (row[0] * rest[0] + row[1] * rest[1] + row[2] * rest[2]) : rest[i];
        }
    }
}

static graze_status count_intersections(gz_movers *movers, const graze_mesh *joined, uint64_t *found) {
    graze_context *context = movers->context;
    gz_pair_list list = {0};
    double(*x)[3] = gz_allocate_array(context, joined->vertex_count, sizeof *x);
    if (!x) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < movers->count; i++)
        put_positions(movers, &movers->list[i], x + movers->list[i].unit->joined.vertices);
    graze_status status = gz_intersections_run(context, joined, (const double(*)[3])x, NULL, &list);
    *found = list.count;
    gz_list_release(context, &list);
    gz_release(context, x, joined->vertex_count * sizeof *x);
    return status;
}

static graze_status look(graze_context *context, const graze_world *world, const graze_body_motion *motions,
                         size_t count, uint64_t *found) {
    gz_movers movers;
    graze_mesh joined = graze_default_mesh();
    uint8_t *table = NULL;
    graze_articulated_options options;
    graze_status status =
        gz_world_check(context, world, motions, count, gz_bytes_at(found, sizeof *found), NULL, &options);
    if (status != GRAZE_OK) return status;
    if (!world->mixed)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX,
                       "a world of models and static bodies: graze_world_valid looks at its start");
    status = gz_movers_open(&movers, context, world, motions, count, &options);
    if (status == GRAZE_OK) status = gz_units_join(context, world, &world->units, true, &joined, &table);
    if (status == GRAZE_OK) status = count_intersections(&movers, &joined, found);
    gz_release(context, table, (size_t)joined.group_count * joined.group_count);
    graze_mesh_release(context, &joined);
    gz_movers_close(&movers);
    return status;
}

graze_status graze_world_intersections(graze_context *context, const graze_world *world,
                                       const graze_body_motion *motions, size_t count, uint64_t *found) {
    if (!found || !context) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    *found = 0;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    return gz_context_leave(context, &env, look(context, world, motions, count, found));
}
