/// A stand-in for the toolkit's interface of broad phases, as narrow_phase_ccd.hpp.
#pragma once

#include <ipc/candidates/candidates.hpp>
#include <string>

namespace ipc {

struct AABB {
    Eigen::Array3d min, max;
};
using AABBs = std::vector<AABB>;

class BroadPhase {
  public:
    virtual ~BroadPhase() = default;
    virtual std::string name() const = 0;

    virtual void build(Eigen::ConstRef<Eigen::MatrixXd> vertices, Eigen::ConstRef<Eigen::MatrixXi> edges,
                       Eigen::ConstRef<Eigen::MatrixXi> faces, const double inflation_radius = 0) = 0;
    virtual void build(Eigen::ConstRef<Eigen::MatrixXd> vertices_t0, Eigen::ConstRef<Eigen::MatrixXd> vertices_t1,
                       Eigen::ConstRef<Eigen::MatrixXi> edges, Eigen::ConstRef<Eigen::MatrixXi> faces,
                       const double inflation_radius = 0) = 0;
    virtual void build(const AABBs &boxes, Eigen::ConstRef<Eigen::MatrixXi> edges,
                       Eigen::ConstRef<Eigen::MatrixXi> faces, const uint8_t dim) = 0;
    virtual void clear() { dim = 0; }

    virtual void detect_vertex_vertex_candidates(std::vector<VertexVertexCandidate> &) const = 0;
    virtual void detect_edge_vertex_candidates(std::vector<EdgeVertexCandidate> &) const = 0;
    virtual void detect_edge_edge_candidates(std::vector<EdgeEdgeCandidate> &) const = 0;
    virtual void detect_face_vertex_candidates(std::vector<FaceVertexCandidate> &) const = 0;
    virtual void detect_edge_face_candidates(std::vector<EdgeFaceCandidate> &) const = 0;
    virtual void detect_face_face_candidates(std::vector<FaceFaceCandidate> &) const = 0;

#if __has_include(<ipc/collision_filter.hpp>)
    CollisionFilter can_vertices_collide;
#else
    std::function<bool(size_t, size_t)> can_vertices_collide = default_can_vertices_collide;
#endif

  protected:
    static bool default_can_vertices_collide(size_t, size_t) { return true; }

    uint8_t dim = 0;
};

} // namespace ipc
