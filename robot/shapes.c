#include "robot/shapes.h"

#include "robot/memory.h"

#include <string.h>

static bool no_memory(const robot_tree *tree) { return io_fail(tree->error, tree->file, 0, "out of memory"); }

static bool copy_mesh(const robot_tree *tree, const graze_link_mesh *from, io_mesh *mesh) {
    *mesh = (io_mesh){.vertex_count = from->vertex_count, .face_count = from->face_count};
    mesh->positions = robot_allocate(mesh->vertex_count, sizeof *mesh->positions);
    mesh->faces = robot_allocate(mesh->face_count, sizeof *mesh->faces);
    if (!mesh->positions || !mesh->faces) {
        io_free_mesh(mesh);
        return no_memory(tree);
    }
    memcpy(mesh->positions, from->vertices, mesh->vertex_count * sizeof *mesh->positions);
    memcpy(mesh->faces, from->faces, mesh->face_count * sizeof *mesh->faces);
    return true;
}

robot_mesh *robot_add_shape(robot_tree *tree, robot_link *link, robot_make_shape *make, void *given) {
    graze_context_options options = graze_default_context_options();
    options.threads = 1;
    graze_context *context;
    graze_shape shape = graze_default_shape();
    io_mesh mesh;
    robot_mesh *added = NULL;
    if (graze_context_create(&options, &context) != GRAZE_OK) return no_memory(tree), NULL;
    if (make(given, context, &shape) && copy_mesh(tree, &shape.mesh, &mesh)) added = robot_take_mesh(tree, link, mesh);
    if (added) added->radius = shape.radius;
    graze_shape_release(context, &shape);
    graze_context_destroy(context);
    return added;
}

bool robot_shape_made(graze_context *context, graze_status status, char *reason, size_t size) {
    graze_error error = {0};
    if (status == GRAZE_OK) return true;
    graze_context_last_error(context, &error);
    snprintf(reason, size, "%s", error.message[0] ? error.message : graze_status_name(status));
    return false;
}
