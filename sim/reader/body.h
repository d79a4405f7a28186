/* Bodies: a shape, a material and a place become vertices and elements of a world. */
#ifndef GRAZE_SIM_READER_BODY_H
#define GRAZE_SIM_READER_BODY_H

#include "sim/reader/shape.h"

/* Vertices in a box (in the world, at the start) that are fixed or moved. */
typedef struct sim_handle {
    double low[3], high[3];
    bool relative; /* the box is in parts of the shape's own, before it is placed */
    bool moves;
    sim_motion motion;
} sim_handle;

typedef struct sim_body_options {
    const char *name;
    double position[3], rotation[3], scale[3]; /* scaled, turned (degrees about x, then y, then z), then shifted */
    bool z_first;                              /* turned about z, then y, then x */
    double velocity[3];
    double density, young, poisson;
    double thickness; /* of cloth, strings and points */
    double bending;   /* of cloth, N·m */
    bool obstacle;    /* no vertex of it is free */
    SIM_LIST(sim_handle) handles;
} sim_body_options;

/* The place that a point of the shape is put at. */
void sim_body_place(const sim_body_options *options, const sim_vector *point, double out[3]);

/* Holds the free vertices in boxes that are given in parts of the box around all of them; a centered motion turns about
   the middle of that. */
void sim_body_hold(sim_world *world, const sim_handle *handles, size_t count);

/* NULL, or what is wrong with the shape: "tetrahedron 7 is inverted or flat". */
const char *sim_body_add(sim_world *world, const sim_shape *shape, const sim_body_options *options);

#endif
