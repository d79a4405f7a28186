/// A narrow phase for IPC Toolkit.
#ifndef GRAZE_COMPAT_IPC_TOOLKIT_NARROW_PHASE_HPP
#define GRAZE_COMPAT_IPC_TOOLKIT_NARROW_PHASE_HPP

#include "graze/graze.hpp"

#include <ipc/ccd/narrow_phase_ccd.hpp>

#include <algorithm>
#include <limits>

namespace graze {

namespace detail {

/// Versions 1.6 and later have `conservative_rescaling` in the base class; before it was that of each class.
template <class Base, class = void> struct own_rescaling { double conservative_rescaling = 0; };
template <class Base>
struct own_rescaling<Base, std::void_t<decltype(std::declval<Base &>().conservative_rescaling)>> {};

} // namespace detail

/// Narrow-phase CCD for the toolkit. A collision is reported when it cannot be excluded, and never missed; [0, toi)
/// keeps more than `min_distance`.
///
/// A step of length toi does not land on contact: as the toolkit's own classes do, it keeps a part of the distance that
/// a pair starts at, 1 − conservative_rescaling of what is beyond min_distance, and at most `largest_gap`. Where that
/// leaves next to no step it asks for min_distance alone and goes conservative_rescaling of the way. Pairs that start
/// within min_distance, coordinates that are not finite, and tmax outside [0, 1] are collisions with toi 0.
class ipc_ccd : public ::ipc::NarrowPhaseCCD, public detail::own_rescaling<::ipc::NarrowPhaseCCD> {
  public:
    static constexpr double DEFAULT_CONSERVATIVE_RESCALING = 0.8;
    static constexpr double SMALL_TOI = 1e-6; ///< next to no step

    explicit ipc_ccd(graze_method by = GRAZE_METHOD_CERTIFIED, double rescaling = DEFAULT_CONSERVATIVE_RESCALING)
        : method(by) {
        this->conservative_rescaling = rescaling;
    }

    graze_method method;
    double largest_gap = 1e-4;
    double tolerance = 0;    ///< as graze_options
    uint64_t max_checks = 0; ///< as graze_options

    using vector_3d = Eigen::Vector3d;
    using vector_max_3d = ::ipc::VectorMax3d;

    bool point_point_ccd(Eigen::ConstRef<vector_max_3d> p0_t0, Eigen::ConstRef<vector_max_3d> p1_t0,
                         Eigen::ConstRef<vector_max_3d> p0_t1, Eigen::ConstRef<vector_max_3d> p1_t1, double &toi,
                         const double min_distance = 0.0, const double tmax = 1.0) const override {
        graze_query query{};
        set(query.x0, p0_t0, p1_t0);
        set(query.x1, p0_t1, p1_t1);
        return collide(GRAZE_PP, query, toi, min_distance, tmax);
    }

    bool point_edge_ccd(Eigen::ConstRef<vector_max_3d> p_t0, Eigen::ConstRef<vector_max_3d> e0_t0,
                        Eigen::ConstRef<vector_max_3d> e1_t0, Eigen::ConstRef<vector_max_3d> p_t1,
                        Eigen::ConstRef<vector_max_3d> e0_t1, Eigen::ConstRef<vector_max_3d> e1_t1, double &toi,
                        const double min_distance = 0.0, const double tmax = 1.0) const override {
        graze_query query{};
        set(query.x0, p_t0, e0_t0, e1_t0);
        set(query.x1, p_t1, e0_t1, e1_t1);
        return collide(GRAZE_PE, query, toi, min_distance, tmax);
    }

    bool point_triangle_ccd(Eigen::ConstRef<vector_3d> p_t0, Eigen::ConstRef<vector_3d> t0_t0,
                            Eigen::ConstRef<vector_3d> t1_t0, Eigen::ConstRef<vector_3d> t2_t0,
                            Eigen::ConstRef<vector_3d> p_t1, Eigen::ConstRef<vector_3d> t0_t1,
                            Eigen::ConstRef<vector_3d> t1_t1, Eigen::ConstRef<vector_3d> t2_t1, double &toi,
                            const double min_distance = 0.0, const double tmax = 1.0) const override {
        graze_query query;
        set(query.x0, p_t0, t0_t0, t1_t0, t2_t0);
        set(query.x1, p_t1, t0_t1, t1_t1, t2_t1);
        return collide(GRAZE_VF, query, toi, min_distance, tmax);
    }

    bool edge_edge_ccd(Eigen::ConstRef<vector_3d> ea0_t0, Eigen::ConstRef<vector_3d> ea1_t0,
                       Eigen::ConstRef<vector_3d> eb0_t0, Eigen::ConstRef<vector_3d> eb1_t0,
                       Eigen::ConstRef<vector_3d> ea0_t1, Eigen::ConstRef<vector_3d> ea1_t1,
                       Eigen::ConstRef<vector_3d> eb0_t1, Eigen::ConstRef<vector_3d> eb1_t1, double &toi,
                       const double min_distance = 0.0, const double tmax = 1.0) const override {
        graze_query query;
        set(query.x0, ea0_t0, ea1_t0, eb0_t0, eb1_t0);
        set(query.x1, ea0_t1, ea1_t1, eb0_t1, eb1_t1);
        return collide(GRAZE_EE, query, toi, min_distance, tmax);
    }

  private:
    /// Points of the plane have z = 0.
    template <class... Vectors> static void set(double (&rows)[4][3], const Vectors &...vectors) {
        std::size_t row = 0;
        const auto one = [&](const auto &x) {
            for (Eigen::Index c = 0; c < 3; c++) rows[row][c] = c < x.size() ? x[c] : 0;
            row++;
        };
        (one(vectors), ...);
    }

    /// Returns whether a contact is possible. Bad input: unresolved with toi 0.
    bool ask(graze_kind kind, const graze_query &query, double separation, double tmax, double &toi) const {
        options asked(method, separation);
        asked.t_max = tmax;
        asked.tolerance = tolerance;
        asked.max_checks = max_checks;
        graze_result result;
        graze_ccd(kind, &query, &asked, &result);
        const bool clear = result.verdict == GRAZE_CLEAR;
        toi = clear ? std::numeric_limits<double>::infinity() : result.toi;
        return !clear;
    }

    bool collide(graze_kind kind, const graze_query &query, double &toi, double min_distance, double tmax) const {
        // most pairs keep more than can be asked of any: no distance is needed for them
        if (!ask(kind, query, min_distance + largest_gap, tmax, toi)) return false;
        graze_distance_result start;
        graze_distance(kind, query.x0, &start);
        if (!(start.value > min_distance)) {
            toi = 0;
            return true;
        }
        const double rescaling = this->conservative_rescaling, beyond = start.value - min_distance;
        const double kept = min_distance + std::min((1 - rescaling) * beyond, largest_gap);
        if (!ask(kind, query, kept, tmax, toi)) return false;
        if (toi >= SMALL_TOI) return true;
        const bool hit = ask(kind, query, min_distance, tmax, toi);
        if (hit) toi *= rescaling;
        return hit;
    }
};

} // namespace graze
#endif
