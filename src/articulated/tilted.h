/* Boxes that lean as the triangles of a node do: of a fine, curved surface they are far thinner than boxes along the
   axes. docs/numerics.md, section 9.9. */
#ifndef GZ_ARTICULATED_TILTED_H
#define GZ_ARTICULATED_TILTED_H

#include "articulated/face_tree.h"
#include "numerics/vec3.h"

enum { GZ_TILTED_LEAST = 1024 }; /* triangles of a link that has them */

/* Every vertex x of a node has ⟨u[i], x⟩ within half[i] of mid[i], rounding included. The directions, exact as they
   are, are square to each other and 1 long but for 2⁻⁴⁶. */
typedef struct gz_tilted_box {
    gz_vec3 u[3]; /* the first along the normals of the triangles */
    double mid[3], half[3];
} gz_tilted_box;

/* A box for each node of a tree. No coordinates of a vertex are larger than `size` together. */
void gz_tilted_build(const gz_face_tree *tree, const double (*vertices)[3], const uint32_t (*faces)[3], double size,
                     gz_tilted_box *boxes);

/* About 1 long; the z axis where v has no length. */
gz_vec3 gz_tilted_unit(gz_vec3 v);

/* ⟨n, x⟩ of all vertices of the node is within *half of the result. No coordinate of n is above 1 + 2⁻⁴⁰. */
double gz_tilted_interval(const gz_tilted_box *box, double size, gz_vec3 n, double *half);

#endif
