/* graze's broad phase inside IPC Toolkit: held against every pair of boxes. */
#include "toolkit_scene.hpp"

namespace {

using id_pairs = std::vector<std::pair<int, int>>;

struct box {
    std::array<double, 3> least, largest;
    std::vector<int> vertices;
};

bool meet(const box &a, const box &b, double room) {
    for (std::size_t c = 0; c < 3; c++)
        if (a.least[c] - room > b.largest[c] + room || b.least[c] - room > a.largest[c] + room) return false;
    return true;
}

bool odd_sums_do_not(std::size_t i, std::size_t j) { return (i + j) % 3 != 0; }

template <class Filter> bool allowed(const box &a, const box &b, const Filter &can_collide) {
    bool any = false;
    for (const int i : a.vertices)
        for (const int j : b.vertices) {
            if (i == j) return false;
            any = any || can_collide(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
        }
    return any;
}

/// Coordinates on a lattice of quarters, so that many boxes just touch.
struct lattice_scene : toolkit_scene {
    lattice_scene(int columns, uint64_t seed) : toolkit_scene(columns, 20, 10, 10, seed) {
        for (Eigen::MatrixXd *x : {&x0, &x1}) *x = (4 * *x).array().floor() / 4;
    }

    template <class Ids> box box_of(const Ids &ids) const {
        box made{{INFINITY, INFINITY, 0}, {-INFINITY, -INFINITY, 0}, {}};
        if (x0.cols() == 3) made.least[2] = INFINITY, made.largest[2] = -INFINITY;
        for (const int v : ids) {
            made.vertices.push_back(v);
            for (int c = 0; c < x0.cols(); c++) {
                double &least = made.least[static_cast<std::size_t>(c)],
                       &largest = made.largest[static_cast<std::size_t>(c)];
                least = std::min({least, x0(v, c), x1(v, c)});
                largest = std::max({largest, x0(v, c), x1(v, c)});
            }
        }
        return made;
    }
    std::vector<box> boxes_of(const Eigen::MatrixXi &rows) const {
        std::vector<box> made;
        for (Eigen::Index i = 0; i < rows.rows(); i++) made.push_back(box_of(rows.row(i)));
        return made;
    }
    std::vector<box> vertex_boxes() const {
        std::vector<box> made;
        for (int v = 0; v < x0.rows(); v++) made.push_back(box_of(std::vector<int>{v}));
        return made;
    }
    ipc::AABBs toolkit_boxes() const {
        ipc::AABBs made;
        for (const box &one : vertex_boxes()) {
            ipc::AABB given;
            for (int c = 0; c < 3; c++) { // beyond the dimension nothing is read
                given.min[c] = c < x0.cols() ? one.least[static_cast<std::size_t>(c)] : NAN;
                given.max[c] = c < x0.cols() ? one.largest[static_cast<std::size_t>(c)] : NAN;
            }
            made.push_back(given);
        }
        return made;
    }
};

template <class Filter>
id_pairs plain(const std::vector<box> &as, const std::vector<box> &bs, bool within, double room,
               const Filter &can_collide) {
    id_pairs made;
    for (std::size_t a = 0; a < as.size(); a++)
        for (std::size_t b = within ? a + 1 : 0; b < bs.size(); b++)
            if (meet(as[a], bs[b], room) && allowed(as[a], bs[b], can_collide)) made.emplace_back(a, b);
    return made;
}

/// Sorted by the first id, then by the second.
template <class Candidate, class First, class Second>
id_pairs ids(const std::vector<Candidate> &found, First first, Second second) {
    id_pairs made;
    for (const Candidate &pair : found) made.emplace_back(pair.*first, pair.*second);
    std::sort(made.begin(), made.end());
    return made;
}

template <class Filter>
void check_all(const graze::ipc_broad_phase &broad, const lattice_scene &scene, double room, const Filter &filter) {
    const std::vector<box> vertices = scene.vertex_boxes(), edges = scene.boxes_of(scene.mesh.edges()),
                           faces = scene.boxes_of(scene.mesh.faces());
    std::vector<ipc::VertexVertexCandidate> vv;
    std::vector<ipc::EdgeVertexCandidate> ev;
    std::vector<ipc::EdgeEdgeCandidate> ee;
    std::vector<ipc::FaceVertexCandidate> fv;
    std::vector<ipc::EdgeFaceCandidate> ef;
    std::vector<ipc::FaceFaceCandidate> ff;
    broad.detect_vertex_vertex_candidates(vv), broad.detect_edge_vertex_candidates(ev);
    broad.detect_edge_edge_candidates(ee), broad.detect_face_vertex_candidates(fv);
    broad.detect_edge_face_candidates(ef), broad.detect_face_face_candidates(ff);
    CHECK(ids(vv, &ipc::VertexVertexCandidate::vertex0_id, &ipc::VertexVertexCandidate::vertex1_id) ==
          plain(vertices, vertices, true, room, filter));
    CHECK(ids(ev, &ipc::EdgeVertexCandidate::edge_id, &ipc::EdgeVertexCandidate::vertex_id) ==
          plain(edges, vertices, false, room, filter));
    CHECK(ids(ee, &ipc::EdgeEdgeCandidate::edge0_id, &ipc::EdgeEdgeCandidate::edge1_id) ==
          plain(edges, edges, true, room, filter));
    CHECK(ids(fv, &ipc::FaceVertexCandidate::face_id, &ipc::FaceVertexCandidate::vertex_id) ==
          plain(faces, vertices, false, room, filter));
    CHECK(ids(ef, &ipc::EdgeFaceCandidate::edge_id, &ipc::EdgeFaceCandidate::face_id) ==
          plain(edges, faces, false, room, filter));
    CHECK(ids(ff, &ipc::FaceFaceCandidate::face0_id, &ipc::FaceFaceCandidate::face1_id) ==
          plain(faces, faces, true, room, filter));
    CHECK(vv.size() > 20 && ev.size() > 50);
}

} // namespace

TEST(the_toolkits_broad_phase_finds_every_overlap_once_in_space_and_in_the_plane) {
    graze::ipc_broad_phase broad;
    for (int columns = 2; columns <= 3; columns++)
        for (uint64_t seed = 1; seed < 6; seed++) {
            lattice_scene scene(columns, seed);
            for (const double room : {0.0, 0.125}) { // exact, so that touching is touching
                broad.build(scene.x0, scene.x1, scene.mesh.edges(), scene.mesh.faces(), room);
                check_all(broad, scene, room, anything);
            }
            broad.can_vertices_collide = odd_sums_do_not;
            check_all(broad, scene, 0.125, odd_sums_do_not);
            const graze::ipc::static_obstacles obstacles(12); // no primitive is on both sides
            broad.can_vertices_collide = obstacles;
            check_all(broad, scene, 0.125, obstacles);
            broad.can_vertices_collide = graze::ipc_broad_phase().can_vertices_collide;
            scene.x1 = scene.x0;
            broad.build(scene.x0, scene.mesh.edges(), scene.mesh.faces(), 0.25);
            check_all(broad, scene, 0.25, anything);
        }
}

TEST(the_toolkits_broad_phase_takes_boxes_of_vertices) {
    graze::ipc_broad_phase broad;
    for (int columns = 2; columns <= 3; columns++) {
        const lattice_scene scene(columns, 3);
        broad.build(scene.toolkit_boxes(), scene.mesh.edges(), scene.mesh.faces(), static_cast<uint8_t>(columns));
        check_all(broad, scene, 0, anything);
    }
}

TEST(a_broad_phase_that_is_not_built_or_cleared_finds_nothing) {
    const lattice_scene scene(3, 1);
    graze::ipc_broad_phase broad;
    std::vector<ipc::EdgeEdgeCandidate> ee;
    std::vector<ipc::FaceFaceCandidate> ff;
    for (int round = 0; round < 2; round++) {
        broad.detect_edge_edge_candidates(ee), broad.detect_face_face_candidates(ff);
        CHECK(ee.empty() && ff.empty());
        broad.build(scene.x0, scene.x1, scene.mesh.edges(), scene.mesh.faces());
        broad.clear();
    }
    // what is found is added to what is there
    ee.emplace_back(1, 2);
    broad.build(scene.x0, scene.x1, scene.mesh.edges(), scene.mesh.faces());
    broad.detect_edge_edge_candidates(ee);
    CHECK(ee.size() > 10 && ee[0].edge1_id == 2);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
