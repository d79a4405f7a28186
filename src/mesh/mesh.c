/* Topology: edges from faces. */
#include "graze/mesh.h"

#include "base/context.h"

graze_mesh graze_default_mesh(void) { return (graze_mesh){.struct_size = sizeof(graze_mesh)}; }

graze_status graze_mesh_from_faces(graze_context *context, uint32_t vertex_count, const uint32_t (*faces)[3],
                                   uint32_t face_count, graze_mesh *mesh) {
    (void)vertex_count;
    (void)faces;
    (void)face_count;
    if (!mesh) return GRAZE_ERR_INVALID_ARGUMENT;
    *mesh = graze_default_mesh();
    return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "meshes are not in this build");
}

void graze_mesh_release(graze_context *context, graze_mesh *mesh) {
    (void)context;
    if (mesh) *mesh = graze_default_mesh();
}
