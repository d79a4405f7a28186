/* Shapes that bodies are made from: points, tetrahedra, faces and edges, in a place of their own. */
#ifndef GRAZE_SIM_READER_SHAPE_H
#define GRAZE_SIM_READER_SHAPE_H

#include "sim/world.h"

typedef struct sim_tetrahedron {
    uint32_t v[4];
} sim_tetrahedron;

typedef struct sim_shape {
    SIM_LIST(sim_vector) points;
    SIM_LIST(sim_tetrahedron) tetrahedra;
    SIM_LIST(sim_face) faces; /* turned outwards where there are tetrahedra */
    SIM_LIST(sim_edge) edges; /* of no face */
} sim_shape;

void sim_shape_free(sim_shape *shape);

/* Solids, around the origin. All have their surface in `faces`. */
void sim_shape_box(sim_shape *shape, const double size[3], const uint32_t cells[3]);
/* An ellipsoid of shells around its center; `bumps` > 0 gives it a nose, ears and a chin of that height. */
void sim_shape_ball(sim_shape *shape, const double size[3], uint32_t cells, double bumps);
/* A ring about the y axis. */
void sim_shape_torus(sim_shape *shape, double radius, double tube, uint32_t around, uint32_t across);

/* Surfaces. A sheet lies in the xz plane; its squares are cut along alternating diagonals. */
void sim_shape_sheet(sim_shape *shape, const double size[2], const uint32_t cells[2]);
/* Turns a profile of (radius, height) pairs about the y axis; a radius of 0 is a point on the axis. */
void sim_shape_lathe(sim_shape *shape, const double (*profile)[2], size_t count, uint32_t around);

/* A straight line of edges. */
void sim_shape_line(sim_shape *shape, const double from[3], const double to[3], uint32_t cells);

/* Moves the mean of its points to the origin, and makes its largest extent 1. */
void sim_shape_centre(sim_shape *shape);

/* Leaves the surface alone: no tetrahedra, no points inside. */
void sim_shape_hollow(sim_shape *shape);

/* The faces of tetrahedra that no other one shares. */
void sim_shape_skin(sim_shape *shape);

#endif
