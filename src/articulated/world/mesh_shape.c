#include "articulated/world/mesh_shape.h"

#include "articulated/world/columns.h"

#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

static bool has_rest(graze_body_kind kind) {
    return kind == GRAZE_BODY_STATIC || kind == GRAZE_BODY_AFFINE || kind == GRAZE_BODY_RIGID;
}

double gz_points_size(const double (*x)[3], uint32_t count) {
    double most = 0;
    for (int c = 0; c < 3; c++) {
        double lo = INFINITY, hi = -INFINITY;
        for (uint32_t v = 0; v < count; v++) {
            lo = fmin(lo, x[v][c]);
            hi = fmax(hi, x[v][c]);
        }
        most = fmax(most, 0.5 * (hi - lo));
    }
    return most;
}

bool gz_mesh_shape_is_of(const gz_mesh_shape *shape, const graze_body *body) {
    return shape->given == body->mesh && shape->given_rest == (has_rest(body->kind) ? body->rest : NULL);
}

static graze_status check(graze_context *context, const graze_body *body, graze_mesh *mesh) {
    if (!body->mesh || (has_rest(body->kind) && !body->rest))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "no mesh, or no rest positions");
    if (body->mesh_count) return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "both mesh and meshes");
    if (!(body->padding >= 0 && body->padding <= GRAZE_MAX_COORDINATE))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "its padding is outside its range");
    graze_status status = gz_mesh_read(context, body->mesh, mesh);
    if (status != GRAZE_OK) return status;
    if (mesh->groups || mesh->filter || mesh->thickness)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX,
                       "its mesh has groups, a filter or thickness: a world takes rules and paddings");
    return has_rest(body->kind) ? gz_positions_check(context, "rest", (const char *)body->rest, sizeof *body->rest,
                                                     mesh->vertex_count, 0)
                                : GRAZE_OK;
}

static graze_status copy(graze_context *context, const graze_body *body, const graze_mesh *mesh, gz_mesh_shape *shape) {
    graze_mesh none = graze_default_mesh();
    graze_status status = gz_mesh_join(context, mesh, &none, &shape->mesh);
    shape->mesh.groups = NULL; /* two meshes that are joined are two groups */
    shape->mesh.skip_same_group = 0;
    if (status != GRAZE_OK || !has_rest(body->kind)) return status;
    shape->rest = gz_allocate_array(context, mesh->vertex_count, sizeof *shape->rest);
    if (!shape->rest) return GRAZE_ERR_OUT_OF_MEMORY;
    memcpy(shape->rest, body->rest, mesh->vertex_count * sizeof *shape->rest);
    return GRAZE_OK;
}

graze_status gz_mesh_shape_make(graze_context *context, const graze_body *body, gz_mesh_shape **made) {
    graze_mesh mesh;
    graze_status status = check(context, body, &mesh);
    if (status != GRAZE_OK) return status;
    gz_mesh_shape *shape = gz_allocate(context, sizeof *shape);
    if (!shape) return GRAZE_ERR_OUT_OF_MEMORY;
    *shape = (gz_mesh_shape){.context = context,
                             .given = body->mesh,
                             .given_rest = has_rest(body->kind) ? body->rest : NULL,
                             .mesh = graze_default_mesh()};
    atomic_init(&shape->holds, 1);
    status = copy(context, body, &mesh, shape);
    if (status == GRAZE_OK)
        *made = shape;
    else
        gz_mesh_shape_release(shape);
    return status;
}

graze_status gz_mesh_shape_tree(graze_context *context, gz_mesh_shape *shape) {
    bool whole = true;
    if (shape->has_tree) return GRAZE_OK;
    shape->parts = gz_face_parts_make(context, &shape->mesh, &whole);
    if (!shape->parts && whole) return GRAZE_ERR_OUT_OF_MEMORY;
    shape->has_tree = true;
    shape->size = gz_points_size((const double(*)[3])shape->rest, shape->mesh.vertex_count);
    if (!whole) return GRAZE_OK;
    shape->columns = gz_columns_make(context, (const double(*)[3])shape->rest, shape->mesh.vertex_count);
    if (!shape->columns) return GRAZE_ERR_OUT_OF_MEMORY;
    return gz_face_tree_build_plain(context, (const double(*)[3])shape->rest, shape->mesh.faces, shape->mesh.face_count,
                                    &shape->tree);
}

gz_mesh_shape *gz_mesh_shape_hold(gz_mesh_shape *shape) {
    if (shape) atomic_fetch_add(&shape->holds, 1);
    return shape;
}

void gz_mesh_shape_release(gz_mesh_shape *shape) {
    if (!shape || atomic_fetch_sub(&shape->holds, 1) != 1) return;
    graze_context *context = shape->context;
    if (shape->rest) gz_release(context, shape->rest, shape->mesh.vertex_count * sizeof *shape->rest);
    gz_face_tree_release(context, &shape->tree);
    gz_columns_release(context, shape->columns, shape->mesh.vertex_count);
    gz_release(context, shape->parts, shape->mesh.face_count * sizeof *shape->parts);
    graze_mesh_release(context, &shape->mesh);
    gz_release(context, shape, sizeof *shape);
}
