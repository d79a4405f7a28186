/* Shapes whose surface lies on or outside the shape, within 1 % of its size. False without memory. */
#ifndef GRAZE_ROBOT_SHAPES_H
#define GRAZE_ROBOT_SHAPES_H

#include "io/mesh.h"

bool robot_box(const double size[3], io_mesh *mesh);
bool robot_sphere(double radius, io_mesh *mesh);
bool robot_cylinder(double radius, double length, io_mesh *mesh);
/* Along z, around the origin: what a radius makes a capsule. */
bool robot_spine(double length, io_mesh *mesh);

#endif
