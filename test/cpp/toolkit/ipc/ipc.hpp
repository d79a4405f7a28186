/// A stand-in for the toolkit's step, as broad_phase.hpp: vertices against faces, which is enough to see that what is
/// handed to it is used.
#pragma once

#include <algorithm>
#include <ipc/broad_phase/broad_phase.hpp>
#include <ipc/ccd/narrow_phase_ccd.hpp>

namespace ipc {

inline double compute_collision_free_stepsize(const CollisionMesh &mesh, const Eigen::MatrixXd &x0,
                                              const Eigen::MatrixXd &x1, double min_distance, BroadPhase *broad_phase,
                                              const NarrowPhaseCCD &ccd) {
    broad_phase->can_vertices_collide = mesh.can_collide;
    broad_phase->build(x0, x1, mesh.edges(), mesh.faces(), min_distance / 2);
    std::vector<FaceVertexCandidate> found;
    broad_phase->detect_face_vertex_candidates(found);
    double step = 1;
    for (const FaceVertexCandidate &pair : found) {
        const Eigen::Vector3i f = mesh.faces().row(pair.face_id);
        const auto at = [&](const Eigen::MatrixXd &x, long row) -> Eigen::Vector3d { return x.row(row); };
        const int v = pair.vertex_id;
        double toi;
        if (ccd.point_triangle_ccd(at(x0, v), at(x0, f[0]), at(x0, f[1]), at(x0, f[2]), at(x1, v), at(x1, f[0]),
                                   at(x1, f[1]), at(x1, f[2]), toi, min_distance))
            step = std::min(step, toi);
    }
    return step;
}

} // namespace ipc
