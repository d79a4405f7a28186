/// Distances of the links of a world in one pose, and derivatives of times of contact, as graze/world_distance.h.
#ifndef GRAZE_CPP_WORLD_DISTANCE_HPP
#define GRAZE_CPP_WORLD_DISTANCE_HPP

#include "graze/cpp/world.hpp"
#include "graze/world_distance.h"

namespace graze {

/// graze_world_distance_options with its defaults set.
struct world_distance_options : graze_world_distance_options {
    world_distance_options() : graze_world_distance_options(graze_default_world_distance_options()) {}
};

/// As graze_world_distance_result.
struct world_distance_result {
    double lower = 0;                 ///< pairs that are not listed are at least this far apart
    std::vector<graze_link_gap> gaps; ///< sorted by `upper`
    std::vector<std::vector<double>>
        gradients; ///< where asked for: of each gap, by all joint values in order of bodies
};

/// The derivatives of a time of contact by the joint values at the start and at the end.
struct toi_gradient {
    std::vector<double> from, to;
};

namespace detail {

/// Copies: a later library may have longer gaps.
inline world_distance_result distances_of(const graze_world_distance_result &found) {
    world_distance_result made;
    made.lower = found.lower;
    const auto *bytes = reinterpret_cast<const unsigned char *>(found.gaps);
    made.gaps.resize(found.gap_count);
    for (std::size_t i = 0; i < found.gap_count; i++)
        std::memcpy(&made.gaps[i], bytes + i * found.gap_size, sizeof made.gaps[i]);
    for (std::size_t i = 0; found.gradients && i < found.gap_count; i++)
        made.gradients.emplace_back(found.gradients + i * found.value_count,
                                    found.gradients + (i + 1) * found.value_count);
    return made;
}

/// Releases what a call found, also where copying throws.
struct found_distances {
    graze_context *context;
    graze_world_distance_result result = graze_default_world_distance_result();

    explicit found_distances(graze_context *at) : context(at) {}
    found_distances(const found_distances &) = delete;
    found_distances &operator=(const found_distances &) = delete;
    ~found_distances() { graze_world_distance_release(context, &result); }
};

inline std::size_t all_values(const world &world) {
    std::size_t sum = 0;
    for (std::size_t body = 0; body < world.bodies(); body++) sum += world.values(static_cast<uint32_t>(body));
    return sum;
}

} // namespace detail

/// graze_world_distance: the closest pairs of links at `from` of the motions; bodies that are not listed stand at
/// zeros.
inline world_distance_result world_distance(context &context, const world &world, const std::vector<body_motion> &pose,
                                            const world_distance_options &options = {}, const report &report = {}) {
    world_distance_result made;
    const detail::c_body_motions moved(world, pose, report);
    if (!moved.valid()) return made;
    detail::found_distances found(context.get());
    const graze_status status =
        graze_world_distance(context.get(), world.c(), moved.data(), pose.size(), &options, &found.result);
    if (status == GRAZE_OK) made = detail::distances_of(found.result);
    context.finish(status, report);
    return made;
}

/// graze_world_toi_gradient, of a contact that world_step found with these motions and options.
inline toi_gradient world_toi_gradient(context &context, const world &world, const std::vector<body_motion> &motions,
                                       const graze_link_contact &contact, const articulated_options &options = {},
                                       const report &report = {}) {
    toi_gradient made;
    const detail::c_body_motions moved(world, motions, report);
    if (!moved.valid()) return made;
    const std::size_t values = detail::all_values(world);
    std::vector<double> from(values + 1), to(values + 1); // the library asks for an array, even of no values
    const graze_articulated_options c = options.c();
    const graze_status status = graze_world_toi_gradient(context.get(), world.c(), moved.data(), motions.size(), &c,
                                                         &contact, from.data(), to.data());
    if (status == GRAZE_OK) {
        made.from.assign(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(values));
        made.to.assign(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(values));
    }
    context.finish(status, report);
    return made;
}

} // namespace graze
#endif
