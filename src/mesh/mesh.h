/* A mesh from the inside: what every call that takes one checks first. */
#ifndef GZ_MESH_MESH_H
#define GZ_MESH_MESH_H

#include "graze/mesh.h"

#include "base/context.h"
#include "base/sizes.h"

#include <stdbool.h>

/* The caller's mesh with every field that it lacks, or what is wrong with its counts, pointers, indices, groups or
   thickness; the first bad index is named. */
graze_status gz_mesh_read(graze_context *context, const graze_mesh *given, graze_mesh *mesh);

/* The two halves of it: without a look into the lists, which takes a time that does not grow with the mesh; and what is
   in the lists. */
graze_status gz_mesh_read_shape(graze_context *context, const graze_mesh *given, graze_mesh *mesh);
graze_status gz_mesh_check_lists(graze_context *context, const graze_mesh *mesh);

/* Asked for at least: the size of the struct in its first release. */
#define GZ_MESH_LEAST GZ_SIZE_UP_TO(graze_mesh, owned)

/* A mesh as it was made, and its lists. */
typedef struct gz_owned_lists {
    size_t bytes; /* the size that the allocator wants back */
    graze_mesh made;
    uint32_t unasked; /* bits of kinds of pairs that a filter on it always allows */
    /* NULL, or which pairs can be wanted at all, before any filter: those of GZ_HALF_A with GZ_HALF_B. Of each vertex;
       a primitive is what its least vertex is. */
    const uint8_t *halves;
    uint8_t halves_of_longer; /* where all edges and faces have the same: these; else 0 */
    _Alignas(double) uint32_t ids[];
} gz_owned_lists;

#define GZ_HALF_A 1u
#define GZ_HALF_B 2u
#define GZ_HALF_ASKED 4u /* a filter is asked of its pairs; of two without it, it is not */
#define GZ_HALF_VALUES 8

/* gz_owned_lists.halves, if any. */
const uint8_t *gz_mesh_halves(const graze_mesh *mesh);

/* True if whole blocks of primitives may be left out. */
bool gz_mesh_has_rules(const graze_mesh *mesh);

/* Room for so many ids, and an empty mesh that owns it; NULL when there is no memory. */
gz_owned_lists *gz_mesh_own(graze_context *context, uint64_t ids);

/* graze_mesh_join inside a call that has entered the context. */
graze_status gz_mesh_join(graze_context *context, const graze_mesh *a, const graze_mesh *b, graze_mesh *joined);

/* True if pairs of this kind are to be asked for. */
bool gz_mesh_filters(const graze_mesh *mesh, graze_kind kind);

/* True if the lists are those that graze_mesh_from_faces, _from_parts or _join made, or hold them. */
bool gz_mesh_is_as_made(const graze_mesh *mesh);

/* GRAZE_OK, or what a list lacks: a side of a face among the edges, an edge of no face among the codimensional ones, a
   vertex of no edge among the points. Of a mesh from gz_mesh_read. */
graze_status gz_topology_check(graze_context *context, const graze_mesh *mesh);

/* Tells topologies apart, for all but those that were made to be confused; never 0. */
uint64_t gz_topology_hash(const graze_mesh *mesh);

/* GRAZE_OK, or the first vertex with a coordinate that is not finite or, unless `any_finite`, beyond
   GRAZE_MAX_COORDINATE. `name` is what the message calls the array. */
graze_status gz_positions_check(graze_context *context, const char *name, const char *x, size_t stride, uint32_t count,
                                int any_finite);

#endif
