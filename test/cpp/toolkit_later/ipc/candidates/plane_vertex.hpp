/// A stand-in for what versions after 1.5 know of planes.
#pragma once

#include <Eigen/Geometry>
#include <ipc/ccd/narrow_phase_ccd.hpp>

namespace ipc {

struct PlaneVertexCandidate {
    PlaneVertexCandidate(const Eigen::Hyperplane<double, 3> &of, index_t vertex) : plane(of), vertex_id(vertex) {}

    bool ccd(const Eigen::Vector3d &x0, const Eigen::Vector3d &x1, double &toi, double, double,
             const NarrowPhaseCCD &) const {
        const double before = plane.signedDistance(x0), after = plane.signedDistance(x1);
        if (after > 0) return false;
        toi = 0.5 * before / (before - after);
        return true;
    }

    Eigen::Hyperplane<double, 3> plane;
    index_t vertex_id;
};

} // namespace ipc
