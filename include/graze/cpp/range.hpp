/// Which links can touch at all while joints take any values in range, and what a link sweeps, as graze/range.h and
/// graze/swept.h.
#ifndef GRAZE_CPP_RANGE_HPP
#define GRAZE_CPP_RANGE_HPP

#include "graze/cpp/articulated.hpp"
#include "graze/range.h"
#include "graze/swept.h"

namespace graze {

/// graze_joint_range: from `lower` to `upper`, or what another value gives.
struct joint_range : graze_joint_range {
    joint_range(double from, double to) : graze_joint_range(graze_default_joint_range()) { lower = from, upper = to; }
    /// multiplier times value number `value` of all models, plus offset.
    static joint_range following(int32_t value, double multiplier, double offset = 0) {
        joint_range made(0, 0);
        made.follows = value;
        made.multiplier = multiplier;
        made.offset = offset;
        return made;
    }
};

/// graze_range_options with its defaults set; the table of pairs of links is a list of its own.
struct range_options : graze_range_options {
    std::vector<uint8_t> link_pairs; ///< as in articulated_options

    range_options() : graze_range_options(graze_default_range_options()) {}
    /// As the library takes them; they point to `link_pairs`, so not of a temporary.
    graze_range_options c() const & {
        graze_range_options made = *this;
        made.link_pairs = link_pairs.empty() ? nullptr : link_pairs.data();
        return made;
    }
    graze_range_options c() const && = delete;
};

/// graze_range_pair; poses have the values of all models.
struct range_pair {
    uint32_t model_a = 0, link_a = 0, model_b = 0, link_b = 0;
    graze_verdict verdict = GRAZE_UNRESOLVED;
    graze_reason reason = GRAZE_REASON_NONE;
    double unresolved = 1;            ///< share of the range that is not settled
    uint64_t cells = 0;               ///< parts that were searched
    std::vector<double> pose;         ///< of the contact, or in the middle of the largest part that is left
    std::vector<double> lower, upper; ///< of UNRESOLVED: the ends of that part
};

/// As graze_range_result, with the text of the certificate where one was asked for.
struct range_result {
    std::vector<range_pair> pairs;
    uint64_t cells = 0;
    std::string certificate;
};

/// graze_swept_options: the smallest cells have the largest power of two that is not above `smallest` as their side.
struct swept_options : graze_swept_options {
    explicit swept_options(double smallest) : graze_swept_options(graze_default_swept_options()) { size = smallest; }
};

/// As graze_swept_result.
struct swept_result {
    std::vector<graze_swept_cell> cells;
    std::array<uint64_t, 3> counts{}; ///< of cells, by their state
    std::array<double, 3> root_center{};
    double root_half = 0;
    bool whole = false; ///< only the smallest cells are UNDECIDED
};

namespace detail {

/// Releases what a call found, also where copying throws.
template <class Result, void (*Release)(graze_context *, Result *)> struct found_result {
    graze_context *context;
    Result result;

    found_result(graze_context *at, const Result &empty) : context(at), result(empty) {}
    found_result(const found_result &) = delete;
    found_result &operator=(const found_result &) = delete;
    ~found_result() { Release(context, &result); }
};

inline range_pair pair_of(const graze_range_pair &found, std::size_t values) {
    range_pair made;
    made.model_a = found.model_a, made.link_a = found.link_a;
    made.model_b = found.model_b, made.link_b = found.link_b;
    made.verdict = found.verdict;
    made.reason = found.reason;
    made.unresolved = found.unresolved;
    made.cells = found.cells;
    made.pose.assign(found.pose, found.pose + values);
    if (found.lower) made.lower.assign(found.lower, found.lower + values);
    if (found.upper) made.upper.assign(found.upper, found.upper + values);
    return made;
}

inline std::size_t all_values(const models &models) {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < models.size(); i++) sum += models.values(i);
    return sum;
}

/// With `certified` the certificate, too.
inline range_result ask_range(context &context, const models &models, const std::vector<joint_range> &ranges,
                              const range_options &options, bool certified, const report &report) {
    range_result made;
    const std::size_t values = all_values(models), links = models.all_links();
    if (ranges.size() != values) {
        report(GRAZE_ERR_INVALID_ARGUMENT, std::to_string(ranges.size()) + " ranges, not " + std::to_string(values) +
                                               ": one for each joint value of all models");
        return made;
    }
    if (!has_length("link_pairs", options.link_pairs.size(), links * links, UINT64_MAX, report)) return made;
    const graze_range_options c = options.c();
    found_result<graze_range_result, graze_range_release> found(context.get(), graze_default_range_result());
    const graze_status status =
        certified
            ? graze_range_certificate(context.get(), models.data(), models.size(), ranges.data(), &c, append_text,
                                      &made.certificate, &found.result)
            : graze_articulated_range(context.get(), models.data(), models.size(), ranges.data(), &c, &found.result);
    if (status != GRAZE_OK) made.certificate.clear();
    for (std::size_t i = 0; i < found.result.pair_count; i++)
        made.pairs.push_back(pair_of(found.result.pairs[i], found.result.values));
    made.cells = found.result.cells;
    context.finish(status, report);
    return made;
}

} // namespace detail

/// Every pair of links: clear for all values in range, or a pose at which they touch, or what is left.
/// @param ranges  one for each joint value of all models, in their order
inline range_result articulated_range(context &context, const models &models, const std::vector<joint_range> &ranges,
                                      const range_options &options = {}, const report &report = {}) {
    return detail::ask_range(context, models, ranges, options, false, report);
}

/// articulated_range(), and a text that `graze verify` checks.
inline range_result range_certificate(context &context, const models &models, const std::vector<joint_range> &ranges,
                                      const range_options &options = {}, const report &report = {}) {
    return detail::ask_range(context, models, ranges, options, true, report);
}

/// An octree around what a link passes through during motions, one after the other: cells proven outside, proven
/// touched, or undecided.
inline swept_result model_swept(context &context, const model &model, std::size_t link,
                                const std::vector<motion> &motions, const swept_options &options,
                                const report &report = {}) {
    swept_result made;
    const detail::c_motions moved({model}, motions, motions.size(), report);
    if (!moved.valid()) return made;
    detail::found_result<graze_swept_result, graze_swept_release> found(context.get(), graze_default_swept_result());
    const graze_status status = graze_model_swept(context.get(), model.c(), detail::as_index(link), moved.data(),
                                                  motions.size(), &options, &found.result);
    const graze_swept_result &c = found.result;
    const auto *bytes = reinterpret_cast<const unsigned char *>(c.cells);
    made.cells.resize(c.cell_count);
    for (std::size_t i = 0; i < c.cell_count; i++)
        std::memcpy(&made.cells[i], bytes + i * c.cell_size, sizeof made.cells[i]);
    for (std::size_t i = 0; i < 3; i++) made.counts[i] = c.counts[i], made.root_center[i] = c.root_center[i];
    made.root_half = c.root_half;
    made.whole = c.whole != 0;
    context.finish(status, report);
    return made;
}

} // namespace graze
#endif
