/* Tools that make all shapes. */
#ifndef GZ_ARTICULATED_SHAPES_SHAPE_H
#define GZ_ARTICULATED_SHAPES_SHAPE_H

#include "graze/shapes.h"

#include "base/context.h"

#include <math.h>

/* Triangles that are being made. */
typedef struct gz_shape_mesh {
    double (*vertices)[3];
    uint32_t (*faces)[3];
} gz_shape_mesh;

/* Fills an empty shape with triangles, by what the caller gave. */
typedef graze_status gz_shape_maker(graze_context *context, const void *given, graze_shape *shape);
/* The door of every shape: checks it and its radius, then has it made. */
graze_status gz_shape_make(graze_context *context, double radius, gz_shape_maker *make, const void *given,
                           graze_shape *shape);
/* Room for the triangles of the shape. */
graze_status gz_shape_reserve(graze_context *context, size_t vertices, size_t faces, graze_shape *shape,
                              gz_shape_mesh *mesh);
graze_status gz_shape_refuse(graze_context *context, const char *reason);

static inline bool gz_is_length(double x) { return x >= 0 && x <= GRAZE_MAX_COORDINATE; }

typedef struct gz_shape_points {
    const double (*list)[3];
    size_t count;
} gz_shape_points;

/* The first point that is not finite or out of range is named. */
graze_status gz_shape_check_points(graze_context *context, const gz_shape_points *points);

#endif
