/// Whole steps of a CollisionMesh of IPC Toolkit, and of a list of its candidates.
///
/// Topology, context and memory are kept from call to call for each of the last meshes that a thread asked about, so a
/// call costs what graze_step does. A mesh whose edges or faces have changed is noticed.
#ifndef GRAZE_COMPAT_IPC_TOOLKIT_STEPS_HPP
#define GRAZE_COMPAT_IPC_TOOLKIT_STEPS_HPP

#include "graze/compat/ipc_toolkit/narrow_phase.hpp"
#include "graze/compat/ipc_toolkit/topology.hpp"

#include <ipc/candidates/candidates.hpp>

#include <list>

namespace graze {
namespace detail {

/// One CollisionMesh, and a motion of it.
class kept_mesh {
  public:
    struct answer {
        bool clear = true;
        double toi = 1;
    };

    explicit kept_mesh(const ::ipc::CollisionMesh *address) : address_(address) {}
    bool is(const ::ipc::CollisionMesh &mesh) const { return address_ == &mesh; }

    void begin(const ::ipc::CollisionMesh &mesh, const matrix &x0, const matrix &x1) {
        for (const matrix *x : {&x0, &x1})
            if (x->rows() != static_cast<Eigen::Index>(mesh.num_vertices()) || (x->cols() != 2 && x->cols() != 3) ||
                x->cols() != x0.cols())
                report()(GRAZE_ERR_INVALID_ARGUMENT, wrong_size(mesh, *x));
        topology_.take(mesh.num_vertices(), mesh.edges(), mesh.faces());
        plane_ = x0.cols() == 2;
        x0_.read(x0);
        x1_.read(x1);
    }

    /// The first contact of all pairs that the mesh's filter allows, on the way to x1 or to another state.
    answer step(const ::ipc::CollisionMesh &mesh, graze_step_mode mode, double min_distance, bool whole) {
        const can_collide &filter = function_of(mesh.can_collide);
        rules_.read(filter, topology_.components(), {});
        if (!plane_) return step_of(topology_.in_space(), 0, filter, mode, min_distance, whole);
        answer found = step_of(topology_.vertices_and_edges(), 1u << GRAZE_PE, filter, mode, min_distance, whole);
        if (!topology_.has_points()) return found;
        const answer points = step_of(topology_.in_space(), 1u << GRAZE_PP, filter, mode, min_distance, whole);
        return {found.clear && points.clear, std::min(found.toi, points.toi)};
    }

    /// The first contact of the listed pairs.
    answer listed(double min_distance, bool whole) {
        const graze_mesh mesh = topology_.in_space();
        step_options options(GRAZE_STEP_EARLIEST);
        options.narrow.min_separation = min_distance;
        const graze_step_options c = options.c(24);
        graze_step_result found = graze_default_step_result();
        context_.finish(graze_earliest_of_pairs(context_.get(), &mesh, x0_.c(), target(whole), pairs_.data(),
                                                pairs_.size(), &c, &found),
                        {});
        return {found.verdict == GRAZE_CLEAR, found.toi};
    }

    void list(const ::ipc::Candidates &candidates) {
        pairs_.clear();
        pairs_.reserve(candidates.size());
        for (const auto &pair : candidates.fv_candidates) add(GRAZE_VF, pair.vertex_id, pair.face_id);
        for (const auto &pair : candidates.ee_candidates) add(GRAZE_EE, pair.edge0_id, pair.edge1_id);
        for (const auto &pair : candidates.ev_candidates) add(GRAZE_PE, pair.vertex_id, pair.edge_id);
        for (const auto &pair : candidates.vv_candidates) add(GRAZE_PP, pair.vertex0_id, pair.vertex1_id);
    }

    /// The largest coordinate of the motion.
    double size() const { return std::max(x0_.largest(), x1_.largest()); }

    /// Goes to a state on the way.
    void go(double alpha) { x_.read_between(x0_, x1_, alpha); }
    void write(Eigen::MatrixXd &x) const { x_.write(x); }

  private:
    static std::string wrong_size(const ::ipc::CollisionMesh &mesh, const matrix &x) {
        return "positions: a matrix of " + std::to_string(x.rows()) + " × " + std::to_string(x.cols()) + " for " +
               std::to_string(mesh.num_vertices()) + " vertices";
    }

    void add(graze_kind kind, long a, long b) { pairs_.push_back({kind, as_index(a), as_index(b)}); }

    const double (*target(bool whole) const)[3] { return whole ? x1_.c() : x_.c(); }

    answer step_of(graze_mesh mesh, unsigned kinds, const can_collide &filter, graze_step_mode mode,
                   double min_distance, bool whole) {
        asked_filter asked(topology_, filter);
        rules_.set(mesh);
        if (rules_.asks()) asked.set(mesh);
        step_options options(mode);
        options.narrow.min_separation = min_distance;
        options.kinds = kinds;
        const graze_step_options c = options.c(24);
        graze_step_result found = graze_default_step_result();
        asked.finish(context_, graze_step(context_.get(), &mesh, x0_.c(), target(whole), &c, &found));
        return {found.verdict == GRAZE_CLEAR, found.toi};
    }

    const ::ipc::CollisionMesh *address_;
    context context_;
    topology topology_;
    rules rules_;
    bool plane_ = false;
    rows_of_positions x0_, x1_, x_;
    std::vector<graze_pair> pairs_;
};

/// The one of this mesh, with the motion from x0 to x1.
inline kept_mesh &kept(const ::ipc::CollisionMesh &mesh, const matrix &x0, const matrix &x1) {
    constexpr std::size_t MOST_MESHES = 4; // for each thread
    thread_local std::list<kept_mesh> recent;
    auto found = std::find_if(recent.begin(), recent.end(), [&](const kept_mesh &one) { return one.is(mesh); });
    if (found == recent.end()) {
        if (recent.size() == MOST_MESHES) recent.pop_back();
        recent.emplace_front(&mesh);
    } else {
        recent.splice(recent.begin(), recent, found);
    }
    recent.front().begin(mesh, x0, x1);
    return recent.front();
}

#if __has_include(<ipc/candidates/plane_vertex.hpp>)
/// Part of the way that vertices may go towards planes, by the toolkit's own function: 1 where none is met.
template <class Pairs>
double step_to_planes(const Pairs &pairs, const matrix &x0, const matrix &x1, double min_distance, double rescaling) {
    const ipc_ccd narrow(GRAZE_METHOD_CERTIFIED, rescaling);
    double step = 1;
    for (const auto &pair : pairs) {
        if (min_distance != 0) report()(GRAZE_ERR_UNSUPPORTED, "planes: the toolkit has no min_distance for them");
        double toi = 1;
        if (pair.ccd(x0.row(pair.vertex_id).transpose(), x1.row(pair.vertex_id).transpose(), toi, 0, 1, narrow))
            step = std::min(step, toi);
    }
    return step;
}
inline double step_to_planes(const ::ipc::Candidates &candidates, const ::ipc::CollisionMesh &, const matrix &x0,
                             const matrix &x1, double min_distance, double rescaling) {
    return step_to_planes(candidates.pv_candidates, x0, x1, min_distance, rescaling);
}
inline double step_to_planes(const ::ipc::CollisionMesh &mesh, const matrix &x0, const matrix &x1, double min_distance,
                             double rescaling) {
    std::vector<::ipc::PlaneVertexCandidate> pairs;
    for (const auto &plane : mesh.planes)
        for (Eigen::Index v = 0; v < x0.rows(); v++)
            if (plane.signedDistance(x0.row(v).transpose()) <= 0 || plane.signedDistance(x1.row(v).transpose()) <= 0)
                pairs.emplace_back(plane, static_cast<::ipc::index_t>(v));
    return step_to_planes(pairs, x0, x1, min_distance, rescaling);
}
#else
inline double step_to_planes(const ::ipc::Candidates &, const ::ipc::CollisionMesh &, const matrix &, const matrix &,
                             double, double) {
    return 1;
}
inline double step_to_planes(const ::ipc::CollisionMesh &, const matrix &, const matrix &, double, double) { return 1; }
#endif

/// Of the largest coordinate: more than rounding, in whatever order, moves two points of a state towards each other.
/// docs/numerics.md, section 3.
#define GRAZE_ROUNDED_STATE 0x1p-45
constexpr double SMALL_STEP = 1e-6;

/// By halves until the motion there, as the doubles that it ends in, is proven.
template <class Ask> double proven_step(kept_mesh &mesh, double alpha, double min_distance, const Ask &ask) {
    constexpr int HALVINGS = 60;
    for (int i = 0; i < HALVINGS && alpha > 0; i++, alpha /= 2) {
        mesh.go(alpha);
        if (ask(min_distance, false).clear) return alpha;
    }
    mesh.go(0);
    return 0;
}

/// `rescaling` of the way to the first contact, at most `limit`. Asked for a little more than min_distance, one answer
/// holds for the rounded state, too; where that leaves next to no step, the rounded state is asked about by itself.
/// @param ask  whether the motion to x1 (true), or to where the mesh went (false), is clear, and when it is not
template <class Ask>
double step_of(kept_mesh &mesh, double min_distance, double rescaling, double limit, const Ask &ask) {
    const double size = std::max(mesh.size(), min_distance);
    const bool rounds_little = size >= 0x1p-1000 && size <= GRAZE_MAX_COORDINATE;
    kept_mesh::answer first = ask(rounds_little ? min_distance + GRAZE_ROUNDED_STATE * size : min_distance, true);
    if (rounds_little && (first.clear || first.toi >= SMALL_STEP)) {
        const double alpha = first.clear ? limit : std::min(limit, rescaling * first.toi);
        mesh.go(alpha);
        return alpha;
    }
    if (rounds_little) first = ask(min_distance, true);
    const double alpha = first.clear ? limit : std::min(limit, rescaling * first.toi);
    if (!first.clear || alpha < 1) return proven_step(mesh, alpha, min_distance, ask);
    mesh.go(1);
    return 1;
}

inline double stepsize(kept_mesh &kept, const ::ipc::CollisionMesh &mesh, const matrix &x0, const matrix &x1,
                       double min_distance, double rescaling) {
    const double limit = step_to_planes(mesh, x0, x1, min_distance, rescaling);
    return step_of(kept, min_distance, rescaling, limit, [&](double distance, bool whole) {
        return kept.step(mesh, whole ? GRAZE_STEP_EARLIEST : GRAZE_STEP_ANY, distance, whole);
    });
}

inline double stepsize(kept_mesh &kept, const ::ipc::Candidates &candidates, const ::ipc::CollisionMesh &mesh,
                       const matrix &x0, const matrix &x1, double min_distance, double rescaling) {
    const double limit = step_to_planes(candidates, mesh, x0, x1, min_distance, rescaling);
    kept.list(candidates);
    return step_of(kept, min_distance, rescaling, limit,
                   [&](double distance, bool whole) { return kept.listed(distance, whole); });
}

} // namespace detail

namespace ipc {

/// Part of the way from x0 to x1 that all vertices may go: 1 for all of it, 0 where something touches at the start.
/// Replaces ipc::compute_collision_free_stepsize.
///
/// It is `rescaling` of the time of the first contact of all pairs, so that room is left for the next step. The motion
/// to x0 + alpha (x1 − x0), rounded in any order, is proven to keep more than min_distance, its end included; where
/// pairs start so close that rounding matters, only the state that the function below writes is.
///
/// Planes of the mesh, which versions after 1.5 have, are answered by the toolkit's own function, without min_distance.
/// Bad input throws graze::error.
inline double compute_collision_free_stepsize(const ::ipc::CollisionMesh &mesh, const detail::matrix &x0,
                                              const detail::matrix &x1, double min_distance = 0,
                                              double rescaling = 0.8) {
    return detail::stepsize(detail::kept(mesh, x0, x1), mesh, x0, x1, min_distance, rescaling);
}

/// Writes the positions, too: those that are proven, in a matrix of the size of x0.
inline double compute_collision_free_stepsize(const ::ipc::CollisionMesh &mesh, const detail::matrix &x0,
                                              const detail::matrix &x1, Eigen::MatrixXd &x, double min_distance = 0,
                                              double rescaling = 0.8) {
    detail::kept_mesh &kept = detail::kept(mesh, x0, x1);
    const double alpha = detail::stepsize(kept, mesh, x0, x1, min_distance, rescaling);
    x.resize(x0.rows(), x0.cols());
    kept.write(x);
    return alpha;
}

/// Of these candidates alone, in place of candidates.compute_collision_free_stepsize: no boxes are made, and the
/// mesh's filter is not asked again.
inline double compute_collision_free_stepsize(const ::ipc::Candidates &candidates, const ::ipc::CollisionMesh &mesh,
                                              const detail::matrix &x0, const detail::matrix &x1,
                                              double min_distance = 0, double rescaling = 0.8) {
    return detail::stepsize(detail::kept(mesh, x0, x1), candidates, mesh, x0, x1, min_distance, rescaling);
}

inline double compute_collision_free_stepsize(const ::ipc::Candidates &candidates, const ::ipc::CollisionMesh &mesh,
                                              const detail::matrix &x0, const detail::matrix &x1, Eigen::MatrixXd &x,
                                              double min_distance = 0, double rescaling = 0.8) {
    detail::kept_mesh &kept = detail::kept(mesh, x0, x1);
    const double alpha = detail::stepsize(kept, candidates, mesh, x0, x1, min_distance, rescaling);
    x.resize(x0.rows(), x0.cols());
    kept.write(x);
    return alpha;
}

/// True if nothing comes within min_distance on the way from x0 to x1. In place of ipc::is_step_collision_free.
inline bool is_step_collision_free(const ::ipc::CollisionMesh &mesh, const detail::matrix &x0, const detail::matrix &x1,
                                   double min_distance = 0) {
    return detail::step_to_planes(mesh, x0, x1, min_distance, 1) == 1 &&
           detail::kept(mesh, x0, x1).step(mesh, GRAZE_STEP_ANY, min_distance, true).clear;
}

inline bool is_step_collision_free(const ::ipc::Candidates &candidates, const ::ipc::CollisionMesh &mesh,
                                   const detail::matrix &x0, const detail::matrix &x1, double min_distance = 0) {
    if (detail::step_to_planes(candidates, mesh, x0, x1, min_distance, 1) != 1) return false;
    detail::kept_mesh &kept = detail::kept(mesh, x0, x1);
    kept.list(candidates);
    return kept.listed(min_distance, true).clear;
}

} // namespace ipc
} // namespace graze
#endif
