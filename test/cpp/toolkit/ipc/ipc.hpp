/// A stand-in for the toolkit's step, as broad_phase.hpp: vertices against faces, which is enough to see that what is
/// handed to it is used.
#pragma once

#include <algorithm>
#include <ipc/broad_phase/broad_phase.hpp>
#include <ipc/ccd/narrow_phase_ccd.hpp>

namespace ipc {

struct CollisionMesh {
    Eigen::MatrixXi faces;
};

inline void grow(AABB &box, const Eigen::MatrixXd &x, long row) {
    const Eigen::Array3d point = x.row(row).transpose().array();
    box.min = box.min.min(point);
    box.max = box.max.max(point);
}

inline AABB swept(const Eigen::MatrixXd &x0, const Eigen::MatrixXd &x1, const Eigen::VectorXi &rows) {
    const double far = std::numeric_limits<double>::infinity();
    AABB box{Eigen::Array3d::Constant(far), Eigen::Array3d::Constant(-far)};
    for (const int row : rows) grow(box, x0, row), grow(box, x1, row);
    return box;
}

inline double compute_collision_free_stepsize(const CollisionMesh &mesh, const Eigen::MatrixXd &x0,
                                              const Eigen::MatrixXd &x1, double min_distance, BroadPhase *broad_phase,
                                              const NarrowPhaseCCD &ccd) {
    AABBs vertices, faces;
    for (int v = 0; v < x0.rows(); v++) vertices.push_back(swept(x0, x1, Eigen::VectorXi::Constant(1, v)));
    for (int f = 0; f < mesh.faces.rows(); f++) faces.push_back(swept(x0, x1, mesh.faces.row(f)));
    broad_phase->build(vertices, {}, faces);
    std::vector<FaceVertexCandidate> found;
    broad_phase->detect_face_vertex_candidates(found);
    double step = 1;
    for (const FaceVertexCandidate &pair : found) {
        const Eigen::Vector3i f = mesh.faces.row(pair.a);
        if ((f.array() == pair.b).any()) continue;
        const auto at = [&](const Eigen::MatrixXd &x, long row) -> Eigen::Vector3d { return x.row(row); };
        double toi;
        if (ccd.point_triangle_ccd(at(x0, pair.b), at(x0, f[0]), at(x0, f[1]), at(x0, f[2]), at(x1, pair.b),
                                   at(x1, f[0]), at(x1, f[1]), at(x1, f[2]), toi, min_distance))
            step = std::min(step, toi);
    }
    return step;
}

} // namespace ipc
