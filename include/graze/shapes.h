/// Shapes for links and static bodies: triangles, and a radius that grows them.
///
///     graze_shape ball = graze_default_shape();
///     graze_shape_sphere(context, 0.2, &ball);
///     link.meshes = &ball.mesh;
///     link.mesh_count = 1;
///     link.padding = ball.radius;
///
/// For shapes of different radii in one link set `radius` of each mesh instead of the link's padding.
///
/// With check_inside a pose is in contact if something lies inside a solid. Boxes, cylinders, hulls and height maps are
/// closed, so they are solid. Spheres, capsules and points are solid through their radius. A radius thickens any shape
/// on the outside.
#ifndef GRAZE_SHAPES_H
#define GRAZE_SHAPES_H

#include "graze/articulated.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Begin with graze_default_shape(). The shape owns what `mesh` points to: graze_shape_release().
typedef struct graze_shape {
    size_t struct_size;
    double radius;        ///< copy it to the padding of its link, or to mesh.radius, which is 0
    graze_link_mesh mesh; ///< origin and scale may be set; scale does not change the radius
} graze_shape;

/// A grid of heights, row after row: heights[row·columns + column] is the z of x = column·cell[0], y = row·cell[1].
/// Begin with graze_default_height_map().
typedef struct graze_height_map {
    size_t struct_size;
    size_t rows, columns; ///< at least 2 each
    const double *heights;
    double cell[2]; ///< > 0; default: 1
    double floor;   ///< z of the bottom, below every height
} graze_height_map;

GRAZE_DEFAULTS(graze_shape, graze_default_shape, graze_init_shape)
GRAZE_DEFAULTS(graze_height_map, graze_default_height_map, graze_init_height_map)

// Each call writes `shape`. On any status but GRAZE_OK it has no triangles. Lengths and radii are finite and ≥ 0,
// coordinates at most GRAZE_MAX_COORDINATE.

/// Exact: a point with a radius.
GRAZE_API graze_status graze_shape_sphere(graze_context *context, double radius, graze_shape *shape);
/// Exact: a segment along z with a radius. `length` is the distance between the centers of its ends.
GRAZE_API graze_status graze_shape_capsule(graze_context *context, double length, double radius, graze_shape *shape);
/// Centered at the origin, with edges along the axes.
GRAZE_API graze_status graze_shape_box(graze_context *context, const double size[3], double radius, graze_shape *shape);
/// A prism around a cylinder along z, centered at the origin. Its sides are never inside the cylinder, and at most 2⁻¹⁰
/// of `across`, the cylinder's radius, outside it. Its ends are exact.
GRAZE_API graze_status graze_shape_cylinder(graze_context *context, double across, double length, double radius,
                                            graze_shape *shape);
/// The exact convex hull of points; exact arithmetic decides where doubles cannot. Points in one plane are
/// GRAZE_ERR_INVALID_ARGUMENT. Time grows as points times faces of the hull.
GRAZE_API graze_status graze_shape_hull(graze_context *context, const double (*points)[3], size_t count, double radius,
                                        graze_shape *shape);
/// Exact: a ball around each point.
GRAZE_API graze_status graze_shape_points(graze_context *context, const double (*points)[3], size_t count,
                                          double radius, graze_shape *shape);
/// Solid between the surface and the floor. Each cell is two triangles that meet on the diagonal from its first corner
/// to its last.
GRAZE_API graze_status graze_shape_height_map(graze_context *context, const graze_height_map *map, double radius,
                                              graze_shape *shape);

/// Frees the triangles; the shape then has none.
GRAZE_API void graze_shape_release(graze_context *context, graze_shape *shape);

#ifdef __cplusplus
}
#endif
#endif
