/// Whole plans and clearances over motions of a world, as graze/plan.h and graze/clearance.h.
#ifndef GRAZE_CPP_PLAN_HPP
#define GRAZE_CPP_PLAN_HPP

#include "graze/clearance.h"
#include "graze/cpp/range.hpp"
#include "graze/cpp/world.hpp"
#include "graze/plan.h"

namespace graze {

/// graze_path: a B-spline for each joint value of a body.
struct path {
    uint32_t body = 0;
    uint32_t degree = 1;
    std::vector<double> knots;   ///< as many as control points, and degree + 1 more
    std::vector<double> control; ///< rows of a value for each joint value of the body
};

/// A plan that is clear has the text of a certificate for `graze verify`; of any other the text is empty.
struct plan_proof {
    graze_plan_result result = graze_default_plan_result();
    std::string certificate;
};

/// graze_clearance_options with its defaults set.
struct clearance_options : graze_clearance_options {
    clearance_options() : graze_clearance_options(graze_default_clearance_options()) {}
};

/// As graze_clearance_result.
struct clearance_result {
    double lower = 0;                        ///< pairs that are not listed stay at least this far apart
    std::vector<graze_link_clearance> pairs; ///< sorted by `upper`
    std::vector<std::vector<double>>
        gradients;            ///< where asked for: of each pair, by all joint values in order of bodies
    std::size_t segments = 0; ///< of a plan
    uint64_t pairs_tested = 0, checks = 0;
};

namespace detail {

/// Paths as the library takes them: they point into those that they are made of.
class c_paths {
  public:
    /// `values(body)`: how many joint values it has.
    template <class Values> c_paths(const std::vector<path> &paths, const Values &values, const report &report) {
        for (std::size_t i = 0; i < paths.size(); i++) {
            const path &one = paths[i];
            const std::size_t wide = values(one.body), rows = wide ? one.control.size() / wide : 0;
            if (wide * rows != one.control.size()) {
                report(GRAZE_ERR_INVALID_ARGUMENT,
                       "control points of the path have " + std::to_string(wide) + " values each", i);
                return;
            }
            const std::size_t asked = rows + one.degree + 1;
            if (one.knots.size() != asked) {
                report(GRAZE_ERR_INVALID_ARGUMENT,
                       "knots: " + std::to_string(one.knots.size()) + ", not " + std::to_string(asked), i);
                return;
            }
            c_.push_back(graze_default_path());
            c_.back().body = one.body;
            c_.back().degree = one.degree;
            c_.back().count = rows;
            c_.back().knots = one.knots.data();
            c_.back().control = one.control.data();
        }
        valid_ = true;
    }
    bool valid() const { return valid_; }
    const graze_path *data() const { return c_.data(); }
    std::size_t size() const { return c_.size(); }

  private:
    std::vector<graze_path> c_;
    bool valid_ = false;
};

inline auto values_of(const world &world) {
    return [&world](uint32_t body) { return world.values(body); };
}

using found_clearances = found_result<graze_clearance_result, graze_clearance_release>;

/// Copies: a later library may have longer pairs.
inline clearance_result clearances_of(const graze_clearance_result &found) {
    clearance_result made;
    made.lower = found.lower;
    made.segments = found.segments;
    made.pairs_tested = found.pairs_tested;
    made.checks = found.checks;
    const auto *bytes = reinterpret_cast<const unsigned char *>(found.pairs);
    made.pairs.resize(found.pair_count);
    for (std::size_t i = 0; i < found.pair_count; i++)
        std::memcpy(&made.pairs[i], bytes + i * found.pair_size, sizeof made.pairs[i]);
    for (std::size_t i = 0; found.gradients && i < found.pair_count; i++)
        made.gradients.emplace_back(found.gradients + i * found.value_count,
                                    found.gradients + (i + 1) * found.value_count);
    return made;
}

} // namespace detail

/// graze_world_plan: the first contact along a plan; bodies without a path stand at zeros.
inline graze_plan_result world_plan(context &context, const world &world, const std::vector<path> &paths,
                                    const articulated_options &options = {}, const report &report = {}) {
    graze_plan_result found = graze_default_plan_result();
    found.verdict = GRAZE_UNRESOLVED;
    found.time = -std::numeric_limits<double>::infinity(); // nothing is known to be free
    const detail::c_paths given(paths, detail::values_of(world), report);
    if (!given.valid()) return found;
    const graze_articulated_options c = options.c();
    context.finish(graze_world_plan(context.get(), world.c(), given.data(), given.size(), &c, &found), report);
    return found;
}

/// graze_plan_certificate; `body` of a path is the number of a model. It looks for no contact: ask world_plan() first.
inline plan_proof plan_certificate(context &context, const models &models, const std::vector<path> &paths,
                                   const articulated_options &options = {}, const report &report = {}) {
    plan_proof made;
    made.result.verdict = GRAZE_UNRESOLVED;
    made.result.time = -std::numeric_limits<double>::infinity();
    const auto values = [&models](uint32_t model) { return model < models.size() ? models.values(model) : 0; };
    const detail::c_paths given(paths, values, report);
    if (!given.valid() || !detail::is_table(models, options, report)) return made;
    const graze_articulated_options c = options.c();
    const graze_status status =
        graze_plan_certificate(context.get(), models.data(), models.size(), given.data(), given.size(), &c,
                               detail::append_text, &made.certificate, &made.result);
    if (made.result.verdict != GRAZE_CLEAR) made.certificate.clear(); // what was written by then has no end
    context.finish(status, report);
    return made;
}

/// graze_world_clearance: the pairs of links that come closest during a motion, and when.
/// @param motions  of `segments` segments, one after the other, with as many bodies in each
inline clearance_result world_clearance(context &context, const world &world, const std::vector<body_motion> &motions,
                                        std::size_t segments = 1, const clearance_options &options = {},
                                        const report &report = {}) {
    clearance_result made;
    if (segments == 0 || motions.size() % segments) {
        report(GRAZE_ERR_INVALID_ARGUMENT,
               std::to_string(motions.size()) + " motions are not " + std::to_string(segments) + " equal segments");
        return made;
    }
    const detail::c_body_motions moved(world, motions, report);
    if (!moved.valid()) return made;
    detail::found_clearances found(context.get(), graze_default_clearance_result());
    const graze_status status = graze_world_clearance(context.get(), world.c(), moved.data(), motions.size() / segments,
                                                      segments, &options, &found.result);
    if (status == GRAZE_OK) made = detail::clearances_of(found.result);
    context.finish(status, report);
    return made;
}

/// graze_world_plan_clearance: world_clearance() along a plan.
inline clearance_result world_plan_clearance(context &context, const world &world, const std::vector<path> &paths,
                                             const clearance_options &options = {}, const report &report = {}) {
    clearance_result made;
    const detail::c_paths given(paths, detail::values_of(world), report);
    if (!given.valid()) return made;
    detail::found_clearances found(context.get(), graze_default_clearance_result());
    const graze_status status =
        graze_world_plan_clearance(context.get(), world.c(), given.data(), given.size(), &options, &found.result);
    if (status == GRAZE_OK) made = detail::clearances_of(found.result);
    context.finish(status, report);
    return made;
}

} // namespace graze
#endif
