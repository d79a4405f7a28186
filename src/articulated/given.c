#include "articulated/given.h"

#include "base/sizes.h"

#include <stdio.h>
#include <string.h>

static const graze_link_mesh mesh_defaults = {.origin = {.rotation = {1}}, .scale = {1, 1, 1}};
static const graze_link link_defaults = {.parent = -1, .origin = {.rotation = {1}}, .axis = {0, 0, 1}};
static const graze_motion motion_defaults = {.from = NULL};
#define MESH_LEAST GZ_SIZE_UP_TO(graze_link_mesh, scale)
#define LINK_LEAST GZ_SIZE_UP_TO(graze_link, padding)
#define MOTION_LEAST GZ_SIZE_UP_TO(graze_motion, screws)

void graze_init_link_mesh(graze_link_mesh *mesh, size_t size) {
    gz_sized_init(mesh, size, &mesh_defaults, sizeof mesh_defaults);
}

void graze_init_link(graze_link *link, size_t size) { gz_sized_init(link, size, &link_defaults, sizeof link_defaults); }

void graze_init_motion(graze_motion *motion, size_t size) {
    gz_sized_init(motion, size, &motion_defaults, sizeof motion_defaults);
}

/* ---- motions ---- */

gz_pieces gz_motion_bytes(const graze_motion *motions, size_t count) {
    bool sized = gz_sized_check(NULL, "motion", motions, MOTION_LEAST) == GRAZE_OK;
    return gz_bytes_at(motions, count * (sized ? motions->struct_size : MOTION_LEAST));
}

graze_status gz_motion_read(graze_context *context, const graze_motion *motions, size_t index, graze_motion *motion) {
    static const gz_sized_kind kind = {"motion", sizeof *motion, MOTION_LEAST};
    *motion = motion_defaults;
    return gz_sized_read_at(context, &kind, index, motion, motions, index);
}

gz_motions gz_motions_from(const graze_motion *motions, size_t index) {
    return (gz_motions){(const char *)motions + index * motions->struct_size, motions->struct_size};
}

graze_motion gz_motion_at(gz_motions motions, size_t index) {
    graze_motion motion = motion_defaults;
    size_t known = sizeof motion;
    memcpy(&motion, motions.first + index * motions.stride, motions.stride < known ? motions.stride : known);
    return motion;
}

/* ---- links ---- */

graze_status gz_link_read(graze_context *context, const graze_link *links, size_t index, graze_link *link) {
    static const gz_sized_kind kind = {"link", sizeof *link, LINK_LEAST};
    *link = link_defaults;
    return gz_sized_read_at(context, &kind, index, link, links, index);
}

graze_status gz_link_mesh_read(graze_context *context, uint64_t link, const graze_link_mesh *meshes, size_t index,
                               graze_link_mesh *mesh) {
    char name[40];
    snprintf(name, sizeof name, "link %llu: mesh", (unsigned long long)link);
    const gz_sized_kind kind = {name, sizeof *mesh, MESH_LEAST};
    *mesh = mesh_defaults;
    return gz_sized_read_at(context, &kind, link, mesh, meshes, index);
}
