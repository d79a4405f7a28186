/* Links, meshes and motions as callers give them, of the size that their version knows, in arrays whose stride is that
   size. All code behind this sees whole structs. */
#ifndef GZ_ARTICULATED_GIVEN_H
#define GZ_ARTICULATED_GIVEN_H

#include "graze/articulated.h"

#include "base/overlap.h"

/* Motions of one path: one for each model. */
typedef struct gz_motions {
    const char *first;
    size_t stride;
} gz_motions;

/* Those of a caller's array from number `index` on. */
gz_motions gz_motions_from(const graze_motion *motions, size_t index);
/* One that gz_motion_read has accepted. */
graze_motion gz_motion_at(gz_motions motions, size_t index);

/* Element `index` of a caller's array; those before it have been read. */
graze_status gz_motion_read(graze_context *context, const graze_motion *motions, size_t index, graze_motion *motion);
graze_status gz_link_read(graze_context *context, const graze_link *links, size_t index, graze_link *link);
graze_status gz_link_mesh_read(graze_context *context, uint64_t link, const graze_link_mesh *meshes, size_t index,
                               graze_link_mesh *mesh);
/* Memory of a caller's array. A struct_size that gz_motion_read would refuse counts as the smallest one: a result that
   lies over the array may have been written into it. */
gz_pieces gz_motion_bytes(const graze_motion *motions, size_t count);

#endif
