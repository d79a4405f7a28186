/// The functions of the library Tight-Inclusion, answered by graze: include this instead of its ccd.hpp, and link
/// graze. Needs Eigen.
///
/// Names, arguments and their order are those of the library. `true` is a collision; there is none before toi.
/// Differences:
///
/// - The separation `ms` is a Euclidean distance; there it is measured along each axis (the largest norm).
/// - `err` is not read: every query has its own bounds of rounding errors, which cannot be set too small.
/// - toi > 0 whenever the pair starts farther apart than `ms`, with or without `no_zero_toi`.
/// - `max_itr` counts probes: a few hundred are many, so limits made for Tight-Inclusion are rarely reached. For −1 and
///   0 graze's own limit holds. At the limit the answer is `true`, with a safe toi.
/// - `output_tolerance` is `tolerance`, or infinity if the limit was reached: then no precision is promised.
/// - Coordinates that are not finite or beyond GRAZE_MAX_COORDINATE: `true` with toi 0.
///
/// The namespace is graze::ticcd, and `ticcd` is another name of it, unless GRAZE_NO_TICCD_NAME is defined because the
/// library itself is included, too.
#ifndef GRAZE_COMPAT_TIGHT_INCLUSION_HPP
#define GRAZE_COMPAT_TIGHT_INCLUSION_HPP

#include "graze/query.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace graze {
namespace ticcd {

using Scalar = double;
using Vector3 = Eigen::Vector3d;
using Array3 = Eigen::Array3d;

static constexpr bool DEFAULT_NO_ZERO_TOI = false;
static constexpr Scalar DEFAULT_CCD_DISTANCE_TOL = 1e-6;

/// Read by nothing: there is one way here.
enum class CCDRootFindingMethod { DEPTH_FIRST_SEARCH, BREADTH_FIRST_SEARCH };

namespace detail {

using rows = std::array<const Vector3 *, 4>;

inline graze_query query_of(const rows &x0, const rows &x1) {
    graze_query query;
    for (std::size_t i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            query.x0[i][c] = (*x0[i])[c];
            query.x1[i][c] = (*x1[i])[c];
        }
    return query;
}

struct limits {
    Scalar ms, tolerance, t_max;
    long max_itr;
};

inline bool collide(graze_kind kind, const graze_query &query, const limits &limits, Scalar &toi,
                    Scalar &output_tolerance) {
    graze_options options = graze_default_options();
    options.min_separation = limits.ms;
    options.t_max = limits.t_max;
    if (limits.tolerance > 0) options.tolerance = limits.tolerance;
    if (limits.max_itr > 0) options.max_checks = static_cast<uint64_t>(limits.max_itr);
    graze_result result;
    graze_ccd(kind, &query, &options, &result); // bad input: unresolved with toi 0
    const bool clear = result.verdict == GRAZE_CLEAR;
    toi = clear ? std::numeric_limits<Scalar>::infinity() : result.toi;
    output_tolerance = result.verdict == GRAZE_UNRESOLVED ? std::numeric_limits<Scalar>::infinity() : limits.tolerance;
    return !clear;
}

/// Differences of the two primitives at the eight corners of (t, u, v), by the bits 4, 2, 1 of the index.
using corners = std::array<Vector3, 8>;

/// Largest change of a coordinate along the edges of the domain in one direction.
inline Scalar largest_change(const corners &p, unsigned direction) {
    Scalar largest = 0;
    for (unsigned i = 0; i < 8; i++)
        if (!(i & direction)) largest = std::max(largest, (p[i | direction] - p[i]).lpNorm<Eigen::Infinity>());
    return largest;
}

/// A third of the tolerance each for t, u and v, in units of the parameter; at most 1, which is all of it.
inline Array3 tolerances(const corners &p, Scalar distance_tolerance) {
    Array3 made;
    for (int i = 0; i < 3; i++) {
        const Scalar change = 3 * largest_change(p, 4u >> i);
        made[i] = change > distance_tolerance ? distance_tolerance / change : 1;
    }
    return made;
}

} // namespace detail

/// True if a moving vertex comes within `ms` of a moving triangle in [0, t_max].
/// @param toi  no contact in [0, toi); infinite without a collision
inline bool vertexFaceCCD(const Vector3 &v_t0, const Vector3 &f0_t0, const Vector3 &f1_t0, const Vector3 &f2_t0,
                          const Vector3 &v_t1, const Vector3 &f0_t1, const Vector3 &f1_t1, const Vector3 &f2_t1,
                          const Array3 & /*err*/, const Scalar ms, Scalar &toi, const Scalar tolerance,
                          const Scalar t_max, const long max_itr, Scalar &output_tolerance,
                          bool /*no_zero_toi*/ = DEFAULT_NO_ZERO_TOI,
                          const CCDRootFindingMethod = CCDRootFindingMethod::BREADTH_FIRST_SEARCH) {
    const graze_query query = detail::query_of({&v_t0, &f0_t0, &f1_t0, &f2_t0}, {&v_t1, &f0_t1, &f1_t1, &f2_t1});
    return detail::collide(GRAZE_VF, query, {ms, tolerance, t_max, max_itr}, toi, output_tolerance);
}

/// True if two moving edges come within `ms` of each other in [0, t_max].
/// @param toi  no contact in [0, toi); infinite without a collision
inline bool edgeEdgeCCD(const Vector3 &ea0_t0, const Vector3 &ea1_t0, const Vector3 &eb0_t0, const Vector3 &eb1_t0,
                        const Vector3 &ea0_t1, const Vector3 &ea1_t1, const Vector3 &eb0_t1, const Vector3 &eb1_t1,
                        const Array3 & /*err*/, const Scalar ms, Scalar &toi, const Scalar tolerance,
                        const Scalar t_max, const long max_itr, Scalar &output_tolerance,
                        bool /*no_zero_toi*/ = DEFAULT_NO_ZERO_TOI,
                        const CCDRootFindingMethod = CCDRootFindingMethod::BREADTH_FIRST_SEARCH) {
    const graze_query query =
        detail::query_of({&ea0_t0, &ea1_t0, &eb0_t0, &eb1_t0}, {&ea0_t1, &ea1_t1, &eb0_t1, &eb1_t1});
    return detail::collide(GRAZE_EE, query, {ms, tolerance, t_max, max_itr}, toi, output_tolerance);
}

/// Steps in t, u and v that together move the difference of vertex and face by at most `distance_tolerance` on an axis.
inline Array3 compute_vertex_face_tolerances(const Vector3 &v_t0, const Vector3 &f0_t0, const Vector3 &f1_t0,
                                             const Vector3 &f2_t0, const Vector3 &v_t1, const Vector3 &f0_t1,
                                             const Vector3 &f1_t1, const Vector3 &f2_t1,
                                             const Scalar distance_tolerance = DEFAULT_CCD_DISTANCE_TOL) {
    const Vector3 *x[2][4] = {{&v_t0, &f0_t0, &f1_t0, &f2_t0}, {&v_t1, &f0_t1, &f1_t1, &f2_t1}};
    detail::corners p;
    for (unsigned i = 0; i < 8; i++) {
        const auto &row = x[i >> 2];
        const Scalar u = i >> 1 & 1, v = i & 1;
        p[i] = *row[0] - *row[1] - u * (*row[2] - *row[1]) - v * (*row[3] - *row[1]);
    }
    return detail::tolerances(p, distance_tolerance);
}

/// As compute_vertex_face_tolerances, but for two edges; u along the first, v along the second.
inline Array3 compute_edge_edge_tolerances(const Vector3 &ea0_t0, const Vector3 &ea1_t0, const Vector3 &eb0_t0,
                                           const Vector3 &eb1_t0, const Vector3 &ea0_t1, const Vector3 &ea1_t1,
                                           const Vector3 &eb0_t1, const Vector3 &eb1_t1,
                                           const Scalar distance_tolerance = DEFAULT_CCD_DISTANCE_TOL) {
    const Vector3 *x[2][4] = {{&ea0_t0, &ea1_t0, &eb0_t0, &eb1_t0}, {&ea0_t1, &ea1_t1, &eb0_t1, &eb1_t1}};
    detail::corners p;
    for (unsigned i = 0; i < 8; i++) p[i] = *x[i >> 2][i >> 1 & 1] - *x[i >> 2][2 + (i & 1)];
    return detail::tolerances(p, distance_tolerance);
}

/// {−1, −1, −1}, which asks for the bounds of each query: graze has these always.
inline Array3 get_numerical_error(const std::vector<Vector3> &, const bool, const bool) { return Array3::Constant(-1); }

} // namespace ticcd
} // namespace graze

#if !defined(GRAZE_NO_TICCD_NAME)
namespace ticcd = graze::ticcd;
#endif
#endif
