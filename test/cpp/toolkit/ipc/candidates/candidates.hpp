/// A stand-in for the toolkit's candidates, as narrow_phase_ccd.hpp.
#pragma once

#include <ipc/collision_mesh.hpp>
#if __has_include(<ipc/candidates/plane_vertex.hpp>)
#include <ipc/candidates/plane_vertex.hpp>
#endif

namespace ipc {

struct VertexVertexCandidate {
    VertexVertexCandidate(index_t a, index_t b) : vertex0_id(a), vertex1_id(b) {}
    index_t vertex0_id, vertex1_id;
};
struct EdgeVertexCandidate {
    EdgeVertexCandidate(index_t edge, index_t vertex) : edge_id(edge), vertex_id(vertex) {}
    index_t edge_id, vertex_id;
};
struct EdgeEdgeCandidate {
    EdgeEdgeCandidate(index_t a, index_t b) : edge0_id(a), edge1_id(b) {}
    index_t edge0_id, edge1_id;
};
struct FaceVertexCandidate {
    FaceVertexCandidate(index_t face, index_t vertex) : face_id(face), vertex_id(vertex) {}
    index_t face_id, vertex_id;
};
struct EdgeFaceCandidate {
    EdgeFaceCandidate(index_t edge, index_t face) : edge_id(edge), face_id(face) {}
    index_t edge_id, face_id;
};
struct FaceFaceCandidate {
    FaceFaceCandidate(index_t a, index_t b) : face0_id(a), face1_id(b) {}
    index_t face0_id, face1_id;
};

class Candidates {
  public:
    size_t size() const {
        return vv_candidates.size() + ev_candidates.size() + ee_candidates.size() + fv_candidates.size();
    }

    std::vector<VertexVertexCandidate> vv_candidates;
    std::vector<EdgeVertexCandidate> ev_candidates;
    std::vector<EdgeEdgeCandidate> ee_candidates;
    std::vector<FaceVertexCandidate> fv_candidates;
#if __has_include(<ipc/candidates/plane_vertex.hpp>)
    std::vector<PlaneVertexCandidate> pv_candidates;
#endif
};

} // namespace ipc
