/* Parts of scenes: vectors, rotations, spheres, sheets, and particles on springs. */
#ifndef GRAZE_SCENES_PARTS_H
#define GRAZE_SCENES_PARTS_H

#include "scenes/scenes.h"

typedef struct scene_rotation {
    double m[3][3];
} scene_rotation;

/* Rotation about `axis` (any length) by the angle whose half has the tangent |axis|: Cayley's formula, no sine needed.
 */
scene_rotation scene_rotation_about(const double axis[3]);
void scene_rotate(const scene_rotation *rotation, double x[3]);

/* Room for a mesh; false without memory, and then nothing is held. */
bool scene_mesh_allocate(scene_mesh *mesh, size_t vertex_count, size_t face_count);
void scene_mesh_free(scene_mesh *mesh);

/* A unit sphere: an octahedron whose edges are cut into `cells`. */
size_t scene_sphere_vertices(uint32_t cells); /* 4·cells² + 2 */
size_t scene_sphere_faces(uint32_t cells);    /* 8·cells² */
/* Writes the sphere; faces are numbered from `base`, turned outwards. */
void scene_sphere(uint32_t cells, uint32_t base, double (*x)[3], uint32_t (*faces)[3]);

/* Point masses held together by links that want to keep their length (Verlet steps, then the links one by one). */
typedef struct scene_link {
    uint32_t a, b;
    double length;
} scene_link;

typedef struct scene_springs {
    size_t count, link_count;
    double (*x)[3];        /* borrowed */
    double (*before)[3];   /* a step earlier: the difference is the velocity */
    unsigned char *pinned; /* nonzero: moved by the scene, not by the links */
    scene_link *links;
} scene_springs;

/* Links along the edges of the faces, and across each edge between two faces, at their present length. Everything is
   at rest. `particles` first vertices of the mesh take part; faces with another vertex are left out. */
bool scene_springs_from_mesh(scene_springs *springs, const scene_mesh *mesh, size_t particles);
void scene_springs_free(scene_springs *springs);

/* One step of unit time: `gravity` is added to each velocity, which keeps the part `keep` of itself. */
void scene_springs_move(scene_springs *springs, const double gravity[3], double keep);
/* Pulls every link towards its length once, in order. */
void scene_springs_relax(scene_springs *springs);

#endif
