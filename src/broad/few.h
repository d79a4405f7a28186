/* Meshes so small that every box against every other, many at a time, is faster than any tree. */
#ifndef GZ_BROAD_FEW_H
#define GZ_BROAD_FEW_H

#include "broad/boxes.h"
#include "broad/emit.h"

#define GZ_FEW_VERTICES 64u
#define GZ_FEW 128u   /* faces, and edges */
#define GZ_FEWEST 12u /* so many that lanes do not pay either */

/* Codimensional pairs have ids of their own: a mesh with any is not one. */
bool gz_is_few(const graze_mesh *mesh);

/* As gz_few_kernel, but for meshes that pass gz_is_fewest. */
bool gz_is_fewest(const graze_mesh *mesh);
void gz_fewest_find(const gz_box *vertices, gz_emitter *emitter);

#endif
