/// Whole steps of a mesh, and what solvers build on them.
#ifndef GRAZE_CPP_STEP_HPP
#define GRAZE_CPP_STEP_HPP

#include "graze/cpp/mesh.hpp"
#include "graze/proximity.h"
#include "graze/step.h"

#include <optional>

namespace graze {

/// graze_step_options with its defaults set; `narrow` is a member here, not a pointer. The stride comes from the
/// positions, and the times of mode VERTICES are in the result.
struct step_options : graze_step_options {
    options narrow;

    step_options() : graze_step_options(graze_default_step_options()) {}
    explicit step_options(graze_step_mode asked) : step_options() { mode = asked; }

    /// The C struct; it points to `narrow`, so do not call it on a temporary.
    graze_step_options c(std::size_t bytes) const & {
        graze_step_options made = *this;
        made.narrow = &narrow;
        made.stride = bytes;
        return made;
    }
    graze_step_options c(std::size_t bytes) const && = delete;
};

/// As graze_step_result. Nothing touches before `toi`.
struct step_result {
    graze_verdict verdict = GRAZE_UNRESOLVED;
    graze_reason reason = GRAZE_REASON_NONE;
    double toi = 0, toi_upper = 0;
    std::optional<graze_pair_result> limiting;
    std::array<uint64_t, 4> candidates{}, hits{}; ///< by graze_kind, or GRAZE_NOT_COUNTED
    list<graze_pair_result> pairs;                ///< mode ALL
    std::vector<double> vertex_toi;               ///< mode VERTICES
    double ms_boxes = 0, ms_broad = 0, ms_narrow = 0, ms_total = 0;
    double alpha = 0; ///< step_to
    graze_backend backend = GRAZE_BACKEND_CPU;
};

namespace detail {

/// The list may outlive the result.
inline void release_pair_results(graze_context *context, graze_pair_result *pairs, std::size_t count) {
    graze_step_result result = graze_default_step_result();
    result.pairs = pairs;
    result.pair_count = count;
    graze_step_release(context, &result);
}

inline step_result take(const std::shared_ptr<core> &core, const graze_step_result &c) {
    step_result made;
    made.verdict = c.verdict;
    made.reason = c.reason;
    made.toi = c.toi;
    made.toi_upper = c.toi_upper;
    if (c.has_pair) made.limiting = c.limiting;
    for (std::size_t kind = 0; kind < 4; kind++) {
        made.candidates[kind] = c.candidates[kind];
        made.hits[kind] = c.hits[kind];
    }
    made.pairs = {core, c.pairs, c.pair_count, release_pair_results};
    made.ms_boxes = c.ms_boxes;
    made.ms_broad = c.ms_broad;
    made.ms_narrow = c.ms_narrow;
    made.ms_total = c.ms_total;
    made.alpha = c.alpha;
    made.backend = c.backend;
    return made;
}

inline bool are_positions(const char *name, const points &x, std::size_t vertices, const report &report) {
    if (!are_points(name, x, report)) return false;
    if (x.size() == vertices) return true;
    report(GRAZE_ERR_INVALID_ARGUMENT, std::string(name) + ": " + std::to_string(x.size()) + " points for " +
                                           std::to_string(vertices) + " vertices");
    return false;
}

/// Both of a length and of one stride: rows that lie differently are copied.
inline bool are_states(const mesh &mesh, points &x0, points &x1, const report &report) {
    if (!are_positions("x0", x0, mesh.vertex_count(), report)) return false;
    if (!are_positions("x1", x1, mesh.vertex_count(), report)) return false;
    if (x0.stride() == x1.stride()) return true;
    x0.make_tight();
    x1.make_tight();
    return true;
}

/// Runs a call that lists pairs.
template <class T, class Call>
list<T> listed(context &context, const mesh &mesh, typename list<T>::release_function release, const report &report,
               const Call &call) {
    T *items = nullptr;
    std::size_t count = 0;
    const graze_status status = call(&items, &count);
    list<T> made(context.core(), items, count, release);
    mesh.finish(context, status, report);
    return made;
}

using rows = const double (*)[3];
using state_list_function = graze_status (*)(graze_context *, const graze_mesh *, rows, const graze_step_options *,
                                             graze_pair **, std::size_t *);

inline list<graze_pair> listed_at(state_list_function function, context &context, const mesh &mesh, const points &x,
                                  const step_options &options, const report &report) {
    if (!are_positions("x", x, mesh.vertex_count(), report)) return {};
    const graze_step_options c = options.c(x.stride());
    return listed<graze_pair>(context, mesh, graze_pairs_release, report, [&](graze_pair **pairs, std::size_t *count) {
        return function(context.get(), &mesh.c(), x.rows(), &c, pairs, count);
    });
}

} // namespace detail

/// Finds the first contact of a mesh whose vertices move on straight lines from x0 to x1, in every mode.
inline step_result step(context &context, const mesh &mesh, points x0, points x1, const step_options &options = {},
                        const report &report = {}) {
    if (!detail::are_states(mesh, x0, x1, report)) return {};
    graze_step_options c = options.c(x0.stride());
    std::vector<double> vertex_toi(options.mode == GRAZE_STEP_VERTICES ? mesh.vertex_count() : 0);
    c.vertex_toi = vertex_toi.empty() ? nullptr : vertex_toi.data();
    graze_step_result found = graze_default_step_result();
    const graze_status status = graze_step(context.get(), &mesh.c(), x0.rows(), x1.rows(), &c, &found);
    step_result made = detail::take(context.core(), found);
    made.vertex_toi = std::move(vertex_toi);
    mesh.finish(context, status, report);
    return made;
}

/// A step of one mesh against another; ids are those of mesh::join.
inline step_result step_between(context &context, const mesh &a, points xa0, points xa1, const mesh &b, points xb0,
                                points xb1, const step_options &options = {}, const report &report = {}) {
    if (!detail::are_states(a, xa0, xa1, report) || !detail::are_states(b, xb0, xb1, report)) return {};
    if (xa0.stride() != xb0.stride())
        for (points *x : {&xa0, &xa1, &xb0, &xb1}) x->make_tight();
    graze_step_options c = options.c(xa0.stride());
    std::vector<double> vertex_toi(options.mode == GRAZE_STEP_VERTICES ? a.vertex_count() + b.vertex_count() : 0);
    c.vertex_toi = vertex_toi.empty() ? nullptr : vertex_toi.data();
    graze_step_result found = graze_default_step_result();
    const graze_status status =
        graze_step_between(context.get(), &a.c(), xa0.rows(), xa1.rows(), &b.c(), xb0.rows(), xb1.rows(), &c, &found);
    step_result made = detail::take(context.core(), found);
    made.vertex_toi = std::move(vertex_toi);
    context.finish(status, report);
    return made;
}

/// A safe step: its result, and the positions to move to. graze::write copies them into a matrix.
struct safe_step {
    step_result result;
    std::vector<std::array<double, 3>> x;
};

inline safe_step step_to(context &context, const mesh &mesh, points x0, points x1, const step_options &options = {},
                         const report &report = {}) {
    if (!detail::are_states(mesh, x0, x1, report)) return {};
    x0.make_tight();
    x1.make_tight();
    const graze_step_options c = options.c(24);
    safe_step made;
    made.x.resize(mesh.vertex_count());
    graze_step_result found = graze_default_step_result();
    const graze_status status = graze_step_to(context.get(), &mesh.c(), x0.rows(), x1.rows(), &c,
                                              reinterpret_cast<double(*)[3]>(made.x.data()), &found);
    made.result = detail::take(context.core(), found);
    if (status != GRAZE_OK) made.x.clear();
    mesh.finish(context, status, report);
    return made;
}

/// The pairs whose swept boxes meet, sorted by kind, a, b.
inline list<graze_pair> candidates(context &context, const mesh &mesh, points x0, points x1,
                                   const step_options &options = {}, const report &report = {}) {
    if (!detail::are_states(mesh, x0, x1, report)) return {};
    const graze_step_options c = options.c(x0.stride());
    return detail::listed<graze_pair>(
        context, mesh, graze_pairs_release, report, [&](graze_pair **pairs, std::size_t *count) {
            return graze_candidates(context.get(), &mesh.c(), x0.rows(), x1.rows(), &c, pairs, count);
        });
}

/// The pairs that touch in a step, with their times.
inline list<graze_pair_result> active_set(context &context, const mesh &mesh, points x0, points x1,
                                          const step_options &options = {}, const report &report = {}) {
    if (!detail::are_states(mesh, x0, x1, report)) return {};
    const graze_step_options c = options.c(x0.stride());
    return detail::listed<graze_pair_result>(
        context, mesh, graze_active_set_release, report, [&](graze_pair_result **pairs, std::size_t *count) {
            return graze_active_set(context.get(), &mesh.c(), x0.rows(), x1.rows(), &c, pairs, count);
        });
}

/// The pairs within the separation at x.
inline list<graze_pair> start_violations(context &context, const mesh &mesh, const points &x,
                                         const step_options &options = {}, const report &report = {}) {
    return detail::listed_at(graze_start_violations, context, mesh, x, options, report);
}

/// The pairs of faces that intersect at x.
inline list<graze_pair> static_intersections(context &context, const mesh &mesh, const points &x,
                                             const step_options &options = {}, const report &report = {}) {
    return detail::listed_at(graze_static_intersections, context, mesh, x, options, report);
}

/// The narrow phase on a list of pairs: element i answers pairs[i].
inline std::vector<graze_result> ccd_pairs(context &context, const mesh &mesh, points x0, points x1,
                                           span<const graze_pair> pairs, const step_options &options = {},
                                           const report &report = {}) {
    std::vector<graze_result> results(pairs.size());
    if (!detail::are_states(mesh, x0, x1, report)) return results;
    const graze_step_options c = options.c(x0.stride());
    mesh.finish(
        context,
        graze_ccd_pairs(context.get(), &mesh.c(), x0.rows(), x1.rows(), pairs.data(), pairs.size(), &c, results.data()),
        report);
    return results;
}

/// The first contact of a list of pairs.
inline step_result earliest_of_pairs(context &context, const mesh &mesh, points x0, points x1,
                                     span<const graze_pair> pairs, const step_options &options = {},
                                     const report &report = {}) {
    if (!detail::are_states(mesh, x0, x1, report)) return {};
    const graze_step_options c = options.c(x0.stride());
    graze_step_result found = graze_default_step_result();
    const graze_status status =
        graze_earliest_of_pairs(context.get(), &mesh.c(), x0.rows(), x1.rows(), pairs.data(), pairs.size(), &c, &found);
    step_result made = detail::take(context.core(), found);
    mesh.finish(context, status, report);
    return made;
}

/// Distances of pairs with the vertices at x.
inline std::vector<graze_distance_result> distances(context &context, const mesh &mesh, const points &x,
                                                    span<const graze_pair> pairs, const report &report = {}) {
    std::vector<graze_distance_result> results(pairs.size());
    if (!detail::are_positions("x", x, mesh.vertex_count(), report)) return results;
    const step_options options;
    const graze_step_options c = options.c(x.stride());
    context.finish(graze_distances(context.get(), &mesh.c(), x.rows(), pairs.data(), pairs.size(), &c, results.data()),
                   report);
    return results;
}

/// The pairs whose exact distance at x is at most `distance`. `vertex_distance` receives for each vertex the least
/// distance of its pairs, INFINITY where it has none.
inline std::vector<graze_proximity_pair> proximity(context &context, const mesh &mesh, const points &x, double distance,
                                                   std::vector<double> *vertex_distance, const report &report = {}) {
    if (!detail::are_positions("x", x, mesh.vertex_count(), report)) return {};
    graze_proximity_options options = graze_default_proximity_options();
    graze_proximity_result found = graze_default_proximity_result();
    options.stride = x.stride();
    if (vertex_distance) vertex_distance->resize(mesh.vertex_count());
    if (vertex_distance) options.vertex_distance = vertex_distance->data();
    const graze_status status = graze_proximity(context.get(), &mesh.c(), x.rows(), distance, &options, &found);
    std::vector<graze_proximity_pair> pairs(found.pairs, found.pairs + found.pair_count);
    graze_proximity_release(context.get(), &found);
    mesh.finish(context, status, report);
    return pairs;
}
inline std::vector<graze_proximity_pair> proximity(context &context, const mesh &mesh, const points &x, double distance,
                                                   const report &report = {}) {
    return proximity(context, mesh, x, distance, nullptr, report);
}

/// The query of a mesh's pair.
inline graze_query pair_query(const mesh &mesh, points x0, points x1, graze_pair pair, const report &report = {}) {
    if (!detail::are_states(mesh, x0, x1, report)) return detail::closed_query();
    graze_query query;
    report(graze_pair_query(&mesh.c(), x0.rows(), x1.rows(), x0.stride(), pair, &query));
    return query;
}

/// The vertices of a pair, and their weights at u and v.
inline graze_stencil pair_stencil(const mesh &mesh, graze_pair pair, double u, double v, const report &report = {}) {
    graze_stencil stencil;
    report(graze_pair_stencil(&mesh.c(), pair, u, v, &stencil));
    return stencil;
}

/// graze_line_search_options with its defaults set; `step` is a member here, not a pointer.
struct line_search_options : graze_line_search_options {
    step_options step;

    line_search_options() : graze_line_search_options(graze_default_line_search_options()) {}
};

/// As graze_line_search_result, and the positions at alpha: the motion to them is proven free.
struct line_search_result {
    double alpha = 0, alpha_free = 0, energy = 0;
    uint32_t energy_calls = 0;
    std::optional<graze_pair> limiting;
    double distance = 0;
    std::vector<std::array<double, 3>> x;
};

/// Energy of the positions of all vertices, as graze_energy. An exception ends the search.
using energy_function = std::function<double(span<const std::array<double, 3>> x)>;

namespace detail {

struct energy_call {
    const energy_function &function;
    core &owner;
    std::size_t vertices;

    static double ask(void *user, rows x) {
        const auto &call = *static_cast<energy_call *>(user);
        return call.owner.callbacks().guard(-std::numeric_limits<double>::infinity(), [&] {
            return call.function({reinterpret_cast<const std::array<double, 3> *>(x), call.vertices});
        });
    }
};

} // namespace detail

/// A step length along x1 − x0 that is free of contact and lowers the energy; with an empty energy, only the first.
inline line_search_result line_search(context &context, const mesh &mesh, points x0, points x1,
                                      const energy_function &energy, const line_search_options &options = {},
                                      const report &report = {}) {
    if (!context.core()) return context.finish(GRAZE_ERR_INVALID_ARGUMENT, report), line_search_result{};
    if (!detail::are_states(mesh, x0, x1, report)) return {};
    x0.make_tight();
    x1.make_tight();
    line_search_result made;
    made.x.resize(mesh.vertex_count());
    const graze_step_options step = options.step.c(24);
    graze_line_search_options c = options;
    c.step = &step;
    c.x = reinterpret_cast<double(*)[3]>(made.x.data());
    detail::energy_call call{energy, *context.core(), mesh.vertex_count()};
    graze_line_search_result found = graze_default_line_search_result();
    const graze_status status = graze_line_search(context.get(), &mesh.c(), x0.rows(), x1.rows(),
                                                  energy ? detail::energy_call::ask : nullptr, &call, &c, &found);
    made.alpha = found.alpha;
    made.alpha_free = found.alpha_free;
    made.energy = found.energy;
    made.energy_calls = found.energy_calls;
    if (found.has_pair) made.limiting = found.limiting;
    made.distance = found.distance;
    if (status != GRAZE_OK) made.x.clear();
    mesh.finish(context, status, report);
    return made;
}

} // namespace graze
#endif
