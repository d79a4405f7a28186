/// Shapes for links and static bodies, as graze/shapes.h: meshes, grown by the radius of the shape.
#ifndef GRAZE_CPP_SHAPES_HPP
#define GRAZE_CPP_SHAPES_HPP

#include "graze/cpp/articulated.hpp"
#include "graze/shapes.h"

namespace graze {

namespace detail {

/// The shape that a call makes, as a mesh with its radius; an empty one where the call failed.
template <class Make>
link_mesh shape_of(context &context, const frame &origin, const report &report, const Make &make) {
    graze_shape made = graze_default_shape();
    const graze_status status = make(&made);
    const span<const std::array<double, 3>> corners(reinterpret_cast<const std::array<double, 3> *>(made.mesh.vertices),
                                                    made.mesh.vertex_count);
    const span<const std::array<uint32_t, 3>> faces(reinterpret_cast<const std::array<uint32_t, 3> *>(made.mesh.faces),
                                                    made.mesh.face_count);
    link_mesh mesh(std::vector<std::array<double, 3>>(corners.begin(), corners.end()),
                   std::vector<std::array<uint32_t, 3>>(faces.begin(), faces.end()), origin);
    mesh.radius = made.radius;
    graze_shape_release(context.get(), &made);
    context.finish(status, report);
    return mesh;
}

} // namespace detail

/// graze_shape_…: `origin` is the place in the frame of the link or body.
namespace shapes {

/// Exact: a point with a radius.
inline link_mesh sphere(context &context, double radius, const frame &origin = {}, const report &report = {}) {
    return detail::shape_of(context, origin, report,
                            [&](graze_shape *made) { return graze_shape_sphere(context.get(), radius, made); });
}
/// Exact: a segment along z with a radius; `length` is the distance between the centers of its ends.
inline link_mesh capsule(context &context, double length, double radius, const frame &origin = {},
                         const report &report = {}) {
    return detail::shape_of(context, origin, report, [&](graze_shape *made) {
        return graze_shape_capsule(context.get(), length, radius, made);
    });
}
/// Centered at the origin, with edges along the axes, rounded by `radius`.
inline link_mesh box(context &context, const std::array<double, 3> &size, double radius = 0, const frame &origin = {},
                     const report &report = {}) {
    return detail::shape_of(context, origin, report, [&](graze_shape *made) {
        return graze_shape_box(context.get(), size.data(), radius, made);
    });
}
/// A prism around a cylinder of radius `across` along z, at most 2⁻¹⁰ of that outside it.
inline link_mesh cylinder(context &context, double across, double length, double radius = 0, const frame &origin = {},
                          const report &report = {}) {
    return detail::shape_of(context, origin, report, [&](graze_shape *made) {
        return graze_shape_cylinder(context.get(), across, length, radius, made);
    });
}
/// The convex hull of points, by exact arithmetic.
inline link_mesh hull(context &context, const std::vector<std::array<double, 3>> &points, double radius = 0,
                      const frame &origin = {}, const report &report = {}) {
    return detail::shape_of(context, origin, report, [&](graze_shape *made) {
        return graze_shape_hull(context.get(), reinterpret_cast<const double(*)[3]>(points.data()), points.size(),
                                radius, made);
    });
}
/// Exact: a ball around each point.
inline link_mesh points(context &context, const std::vector<std::array<double, 3>> &centers, double radius,
                        const frame &origin = {}, const report &report = {}) {
    return detail::shape_of(context, origin, report, [&](graze_shape *made) {
        return graze_shape_points(context.get(), reinterpret_cast<const double(*)[3]>(centers.data()), centers.size(),
                                  radius, made);
    });
}
/// Ground, solid from its surface to the floor; begin with graze_default_height_map().
inline link_mesh height_map(context &context, const graze_height_map &map, double radius = 0, const frame &origin = {},
                            const report &report = {}) {
    return detail::shape_of(context, origin, report, [&](graze_shape *made) {
        return graze_shape_height_map(context.get(), &map, radius, made);
    });
}

} // namespace shapes

} // namespace graze
#endif
