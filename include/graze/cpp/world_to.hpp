/// Safe steps of a world, and steps of many worlds at once.
#ifndef GRAZE_CPP_WORLD_TO_HPP
#define GRAZE_CPP_WORLD_TO_HPP

#include "graze/cpp/world.hpp"
#include "graze/world_to.h"

namespace graze {

/// A safe step: its result, and motions to take instead of the given ones, which end at `alpha` of them.
struct world_safe_step {
    articulated_result result;
    double alpha = 0;
    std::shared_ptr<graze_world_moved> moved;

    std::size_t size() const { return moved ? moved->count : 0; }
    /// Where the motion of a body ends: pose1, x1, matrix1, control or joints->to, as long as this step or a copy
    /// stays.
    const graze_body_motion &operator[](std::size_t i) const { return moved->motions[i]; }
};

/// graze_world_step_to: motions to take, proven for their rounded numbers.
inline world_safe_step world_step_to(context &context, const world &world, const std::vector<body_motion> &motions,
                                     const articulated_options &options = {}, const report &report = {}) {
    world_safe_step made;
    const graze_articulated_options c = options.c();
    made.moved = {new graze_world_moved(graze_default_world_moved()), [core = context.core()](graze_world_moved *last) {
                      graze_world_moved_release(core->get(), last);
                      delete last;
                  }};
    made.result = detail::world_answer(
        context, world, motions, report, [&](const graze_body_motion *moved, graze_articulated_result *found) {
            return graze_world_step_to(context.get(), world.c(), moved, motions.size(), &c, made.moved.get(), found);
        });
    made.alpha = made.moved->alpha;
    return made;
}

/// graze_world_step of motions that a step gave.
inline articulated_result world_step_taken(context &context, const world &world, const world_safe_step &step,
                                           const articulated_options &options = {}, const report &report = {}) {
    const graze_articulated_options c = options.c();
    graze_articulated_result found = graze_default_articulated_result();
    const graze_status status =
        graze_world_step(context.get(), world.c(), step.moved ? step.moved->motions : nullptr, step.size(), &c, &found);
    return detail::take_result(context, status, found, report);
}

/// Many worlds: world_of gives each body the number of its world, or −1 for all worlds.
class worlds {
  public:
    worlds(context &context, span<const body> bodies, const std::vector<int32_t> &world_of,
           const world_options &options = {}, const report &report = {})
        : cores_{context.core()} {
        graze_world_options c = graze_default_world_options();
        c.pairs = options.pairs.data();
        c.pair_count = options.pairs.size();
        if (options.filter || world_of.size() != bodies.size()) {
            report(GRAZE_ERR_INVALID_ARGUMENT, "many worlds take a number for each body, and no filter");
            return;
        }
        for (const body &one : bodies) {
            if (one.moving()) cores_.push_back(one.moving()->core()); // it shares its triangles
            if (!one.fits()) {
                report(GRAZE_ERR_INVALID_ARGUMENT, "rest positions do not fit the mesh of a body");
                return;
            }
            sizes_.push_back({one.moving() ? one.moving()->links() : 1, one.moving() ? one.moving()->values() : 0,
                              one.vertex_count()});
        }
        const detail::c_bodies made(bodies);
        graze_worlds *out = nullptr;
        const graze_status status =
            graze_worlds_create(context.get(), made.data(), world_of.data(), made.size(), &c, &out);
        worlds_ = {out, [cores = cores_](graze_worlds *last) { graze_worlds_release(last); }};
        context.finish(status, report);
    }

    std::size_t size() const { return graze_worlds_count(worlds_.get()); }
    const graze_worlds *c() const { return worlds_.get(); }

    /// As of one world, for motions whose bodies are counted among all.
    std::size_t links(uint32_t body) const { return body < sizes_.size() ? sizes_[body].links : 0; }
    std::size_t values(uint32_t body) const { return body < sizes_.size() ? sizes_[body].values : 0; }
    uint32_t vertex_count(uint32_t body) const { return body < sizes_.size() ? sizes_[body].vertices : 0; }

  private:
    struct sizes {
        std::size_t links, values;
        uint32_t vertices;
    };
    std::vector<sizes> sizes_;
    std::vector<std::shared_ptr<detail::core>> cores_;
    std::shared_ptr<graze_worlds> worlds_;
};

/// The answer and status of each world; a world that fails does not affect the others.
struct worlds_result {
    std::vector<graze_articulated_result> results;
    std::vector<graze_status> statuses;
};

/// graze_worlds_step: each world has the bits of a separate call. Not for mode ALL.
inline worlds_result worlds_step(context &context, const worlds &worlds, const std::vector<body_motion> &motions,
                                 const articulated_options &options = {}, const report &report = {}) {
    worlds_result made;
    made.results.assign(worlds.size(), graze_default_articulated_result());
    made.statuses.assign(worlds.size(), GRAZE_ERR_INVALID_ARGUMENT);
    const detail::c_body_motions moved(worlds, motions, report);
    if (!moved.valid()) return made;
    const graze_articulated_options c = options.c();
    context.finish(graze_worlds_step(context.get(), worlds.c(), moved.data(), motions.size(), &c, made.results.data(),
                                     made.statuses.data()),
                   report);
    return made;
}

} // namespace graze
#endif
