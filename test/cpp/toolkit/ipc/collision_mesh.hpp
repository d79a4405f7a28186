/// A stand-in for the toolkit's mesh, as narrow_phase_ccd.hpp. With toolkit_later in reach its filter is that of
/// versions after 1.5, and it has planes.
#pragma once

#include <functional>
#include <ipc/utils/eigen_ext.hpp>
#include <vector>
#if __has_include(<ipc/collision_filter.hpp>)
#include <Eigen/Geometry>
#include <ipc/collision_filter.hpp>
#endif

namespace ipc {

class CollisionMesh {
  public:
    CollisionMesh() = default;
    explicit CollisionMesh(Eigen::ConstRef<Eigen::MatrixXd> rest_positions,
                           Eigen::ConstRef<Eigen::MatrixXi> edges = Eigen::MatrixXi(),
                           Eigen::ConstRef<Eigen::MatrixXi> faces = Eigen::MatrixXi())
        : vertices_(static_cast<size_t>(rest_positions.rows())), edges_(edges), faces_(faces) {}

    size_t num_vertices() const { return vertices_; }
    const Eigen::MatrixXi &edges() const { return edges_; }
    const Eigen::MatrixXi &faces() const { return faces_; }

#if __has_include(<ipc/collision_filter.hpp>)
    CollisionFilter can_collide;
    std::vector<Eigen::Hyperplane<double, 3>> planes;
#else
    std::function<bool(size_t, size_t)> can_collide = default_can_collide;
#endif

  private:
    static bool default_can_collide(size_t, size_t) { return true; }

    size_t vertices_ = 0;
    Eigen::MatrixXi edges_, faces_;
};

} // namespace ipc
