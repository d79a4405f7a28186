/// A broad phase for IPC Toolkit.
#ifndef GRAZE_COMPAT_IPC_TOOLKIT_BROAD_PHASE_HPP
#define GRAZE_COMPAT_IPC_TOOLKIT_BROAD_PHASE_HPP

#include "graze/compat/ipc_toolkit/topology.hpp"

#include <ipc/broad_phase/broad_phase.hpp>

#include <string>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#if __has_include(                                                                                                     \
    <ipc/utils/default_init_allocator.hpp>) // from version 1.5 on boxes may be given, and dim is a member
#define GRAZE_COMPAT_TOOLKIT_TAKES_BOXES 1
#endif

namespace graze {

namespace detail {

/// Asks for large pages: filling millions of candidates for the first time takes longer by small ones than finding
/// them. Advice to the system, nothing depends on it.
template <class Candidate> void reserve_in_large_pages(std::vector<Candidate> &found, std::size_t more) {
    found.reserve(found.size() + more);
#if defined(MADV_HUGEPAGE)
    constexpr std::uintptr_t large = std::uintptr_t(1) << 21;
    const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(found.data() + found.size());
    const std::uintptr_t first = (begin + large - 1) / large * large;
    const std::uintptr_t end = (begin + more * sizeof(Candidate)) / large * large;
    if (first < end) static_cast<void>(madvise(reinterpret_cast<void *>(first), end - first, MADV_HUGEPAGE));
#endif
}

} // namespace detail

/// A broad phase for the toolkit: the pairs whose boxes, grown by the inflation radius, overlap, in double precision;
/// each once, in the order of their ids. Topology and memory are kept from build to build, and boxes of vertices are
/// all that is made of a mesh. Of the toolkit's rules it asks can_vertices_collide, and that of vertices only.
class ipc_broad_phase : public ::ipc::BroadPhase {
  public:
    ipc_broad_phase() : first_filter_(detail::function_of(can_vertices_collide)) {}

    std::string name() const override { return "graze"; }

    void build(Eigen::ConstRef<Eigen::MatrixXd> vertices, Eigen::ConstRef<Eigen::MatrixXi> edges,
               Eigen::ConstRef<Eigen::MatrixXi> faces, const double inflation_radius = 0) override {
        build(vertices, vertices, edges, faces, inflation_radius);
    }

    void build(Eigen::ConstRef<Eigen::MatrixXd> vertices_t0, Eigen::ConstRef<Eigen::MatrixXd> vertices_t1,
               Eigen::ConstRef<Eigen::MatrixXi> edges, Eigen::ConstRef<Eigen::MatrixXi> faces,
               const double inflation_radius = 0) override {
        begin(vertices_t0.rows(), vertices_t0.cols(), edges, faces, inflation_radius);
        x0_.read(vertices_t0);
        x1_.read(vertices_t1);
    }

#ifdef GRAZE_COMPAT_TOOLKIT_TAKES_BOXES
    /// A box is what a point sweeps on its way from the least corner to the largest.
    void build(const ::ipc::AABBs &boxes, Eigen::ConstRef<Eigen::MatrixXi> edges,
               Eigen::ConstRef<Eigen::MatrixXi> faces, const uint8_t dimension) override {
        begin(static_cast<Eigen::Index>(boxes.size()), dimension, edges, faces, 0);
        x0_.resize(boxes.size());
        x1_.resize(boxes.size());
        for (std::size_t i = 0; i < boxes.size(); i++)
            for (std::size_t c = 0; c < 3; c++) {
                x0_[i][c] = c < dimension ? boxes[i].min[static_cast<Eigen::Index>(c)] : 0;
                x1_[i][c] = c < dimension ? boxes[i].max[static_cast<Eigen::Index>(c)] : 0;
            }
    }
#endif

    /// Topology stays, for the next build.
    void clear() override {
        ::ipc::BroadPhase::clear();
        built_ = false;
    }

    void detect_vertex_vertex_candidates(std::vector<::ipc::VertexVertexCandidate> &found) const override {
        append(GRAZE_PP, found, [](const graze_pair &pair) { return std::pair(pair.a, pair.b); });
    }
    void detect_edge_vertex_candidates(std::vector<::ipc::EdgeVertexCandidate> &found) const override {
        append(GRAZE_PE, found, [](const graze_pair &pair) { return std::pair(pair.b, pair.a); });
    }
    void detect_edge_edge_candidates(std::vector<::ipc::EdgeEdgeCandidate> &found) const override {
        append(GRAZE_EE, found, [](const graze_pair &pair) { return std::pair(pair.a, pair.b); });
    }
    void detect_face_vertex_candidates(std::vector<::ipc::FaceVertexCandidate> &found) const override {
        append(GRAZE_VF, found, [](const graze_pair &pair) { return std::pair(pair.b, pair.a); });
    }
    void detect_edge_face_candidates(std::vector<::ipc::EdgeFaceCandidate> &found) const override {
        const graze_mesh mesh = topology_.in_space();
        append_between(boxes_of(mesh.edges, mesh.edge_count), boxes_of(mesh.faces, mesh.face_count), found);
    }
    void detect_face_face_candidates(std::vector<::ipc::FaceFaceCandidate> &found) const override {
        const graze_mesh mesh = topology_.in_space();
        append_within(boxes_of(mesh.faces, mesh.face_count), found);
    }

  private:
    void begin(Eigen::Index vertices, Eigen::Index columns, const detail::id_matrix &edges,
               const detail::id_matrix &faces, double inflation_radius) {
        clear();
        topology_.take(static_cast<std::size_t>(vertices), edges, faces);
        inflation_radius_ = inflation_radius;
#ifdef GRAZE_COMPAT_TOOLKIT_TAKES_BOXES
        dim = static_cast<uint8_t>(columns);
#else
        static_cast<void>(columns);
#endif
        built_ = true;
    }

    // ---- pairs of a step ----

    /// Each box is grown by half of the separation.
    step_options options_of(graze_kind kind) const {
        step_options made;
        made.narrow.min_separation = 2 * inflation_radius_;
        made.kinds = 1u << kind;
        return made;
    }

    list<graze_pair> pairs_of(graze_kind kind) const {
        const detail::can_collide &filter = detail::function_of(can_vertices_collide);
        detail::asked_filter asked(topology_, filter);
        const bool whole = kind == GRAZE_VF || kind == GRAZE_EE;
        graze_mesh mesh = whole ? topology_.in_space() : topology_.vertices_and_edges();
        rules_.read(filter, topology_.components(), first_filter_);
        rules_.set(mesh);
        if (rules_.asks()) asked.set(mesh);
        const step_options options = options_of(kind);
        const graze_step_options c = options.c(24);
        graze_pair *pairs = nullptr;
        std::size_t count = 0;
        const graze_status status = graze_candidates(context_.get(), &mesh, x0_.c(), x1_.c(), &c, &pairs, &count);
        list<graze_pair> made(context_.core(), pairs, count, graze_pairs_release);
        asked.finish(context_, status);
        return made;
    }

    template <class Candidate, class Ids>
    void append(graze_kind kind, std::vector<Candidate> &found, const Ids &ids_of) const {
        if (!built_) return;
        const list<graze_pair> pairs = pairs_of(kind);
        detail::reserve_in_large_pages(found, pairs.size());
        for (const graze_pair &pair : pairs) {
            const auto ids = ids_of(pair);
            found.emplace_back(static_cast<id>(ids.first), static_cast<id>(ids.second));
        }
    }

    // ---- pairs of boxes, for kinds that no step has ----

    using id = decltype(::ipc::EdgeEdgeCandidate::edge0_id);
    using corner = std::array<double, 3>;
    struct box {
        corner least, largest;
        detail::id_list vertices;
    };

    template <std::size_t Width> std::vector<box> boxes_of(const uint32_t (*rows)[Width], uint32_t count) const {
        std::vector<box> made;
        for (uint32_t i = 0; built_ && i < count; i++) {
            made.push_back({{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, {}});
            for (const uint32_t v : rows[i]) grow(made.back(), v);
        }
        return made;
    }

    void grow(box &grown, uint32_t v) const {
        grown.vertices.push_back(v);
        for (std::size_t c = 0; c < 3; c++) {
            grown.least[c] = std::min({grown.least[c], x0_.c()[v][c], x1_.c()[v][c]});
            grown.largest[c] = std::max({grown.largest[c], x0_.c()[v][c], x1_.c()[v][c]});
        }
    }

    bool allowed(const box &a, const box &b) const {
        bool any = false;
        for (const uint32_t i : a.vertices)
            for (const uint32_t j : b.vertices) {
                if (i == j) return false;
                any = any || can_vertices_collide(i, j);
            }
        return any;
    }

    template <class Candidate> void append_within(const std::vector<box> &boxes, std::vector<Candidate> &found) const {
        mesh points = points_of(boxes);
        append_overlaps(points, boxes, 0, found);
    }

    template <class Candidate>
    void append_between(std::vector<box> a, const std::vector<box> &b, std::vector<Candidate> &found) const {
        const std::size_t first = a.size();
        a.insert(a.end(), b.begin(), b.end());
        mesh points = points_of(a);
        std::vector<uint32_t> groups(a.size(), 1);
        std::fill_n(groups.begin(), first, 0u);
        points.set_groups(std::move(groups));
        append_overlaps(points, a, static_cast<uint32_t>(first), found);
    }

    mesh points_of(const std::vector<box> &boxes) const {
        return mesh::from_parts(context_, boxes.size(), indices<3>(), indices<2>());
    }

    /// A box is what a point sweeps on its way from the least corner to the largest.
    template <class Candidate>
    void append_overlaps(mesh &points, const std::vector<box> &boxes, uint32_t offset,
                         std::vector<Candidate> &found) const {
        std::vector<corner> least, largest;
        for (const box &one : boxes) least.push_back(one.least), largest.push_back(one.largest);
        points.set_filter([&](graze_kind, uint32_t i, uint32_t j) { return allowed(boxes[i], boxes[j]); });
        for (const graze_pair &pair : candidates(context_, points, least, largest, options_of(GRAZE_PP)))
            found.emplace_back(static_cast<id>(pair.a), static_cast<id>(pair.b - offset));
    }

    detail::can_collide first_filter_;
    mutable context context_;
    mutable detail::topology topology_;
    mutable detail::rules rules_;
    detail::rows_of_positions x0_, x1_;
    double inflation_radius_ = 0;
    bool built_ = false;
};

} // namespace graze
#endif
