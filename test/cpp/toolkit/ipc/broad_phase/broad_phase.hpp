/// A stand-in for the toolkit's interface, as narrow_phase_ccd.hpp: boxes that somebody has made, and filters.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ipc {

struct AABB {
    Eigen::Array3d min, max;
};
using AABBs = std::vector<AABB>;

template <int Which> struct candidate {
    candidate(long first, long second) : a(first), b(second) {}
    long a, b;
};
using VertexVertexCandidate = candidate<0>;
using EdgeVertexCandidate = candidate<1>;
using EdgeEdgeCandidate = candidate<2>;
using FaceVertexCandidate = candidate<3>;
using EdgeFaceCandidate = candidate<4>;
using FaceFaceCandidate = candidate<5>;

class BroadPhase {
  public:
    virtual ~BroadPhase() = default;
    virtual std::string name() const = 0;
    virtual void detect_vertex_vertex_candidates(std::vector<VertexVertexCandidate> &) const = 0;
    virtual void detect_edge_vertex_candidates(std::vector<EdgeVertexCandidate> &) const = 0;
    virtual void detect_edge_edge_candidates(std::vector<EdgeEdgeCandidate> &) const = 0;
    virtual void detect_face_vertex_candidates(std::vector<FaceVertexCandidate> &) const = 0;
    virtual void detect_edge_face_candidates(std::vector<EdgeFaceCandidate> &) const = 0;
    virtual void detect_face_face_candidates(std::vector<FaceFaceCandidate> &) const = 0;

    void build(const AABBs &vertices, const AABBs &edges, const AABBs &faces) {
        vertex_boxes = vertices;
        edge_boxes = edges;
        face_boxes = faces;
    }

    std::function<bool(size_t, size_t)> can_vertices_collide = [](size_t, size_t) { return true; };

  protected:
    /// Any rule will do, as long as it tells the kinds and the sides apart.
    virtual bool can_edge_vertex_collide(size_t a, size_t b) const { return (a + 2 * b) % 7 != 0; }
    virtual bool can_edges_collide(size_t a, size_t b) const { return (a + b) % 5 != 0; }
    virtual bool can_face_vertex_collide(size_t a, size_t b) const { return (2 * a + b) % 7 != 1; }
    virtual bool can_edge_face_collide(size_t a, size_t b) const { return (a + 3 * b) % 7 != 2; }
    virtual bool can_faces_collide(size_t a, size_t b) const { return (a + b) % 6 != 0; }

    AABBs vertex_boxes, edge_boxes, face_boxes;
    uint8_t dim = 3;
};

} // namespace ipc
