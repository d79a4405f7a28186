/// A stand-in for the filters of versions after 1.5.
#pragma once

#include <functional>
#include <ipc/utils/eigen_ext.hpp>
#include <type_traits>

namespace ipc {

class CollisionFilter {
  public:
    CollisionFilter() : function_([](size_t, size_t) { return true; }) {}
    template <class Function, class = std::enable_if_t<!std::is_same_v<std::decay_t<Function>, CollisionFilter>>>
    CollisionFilter(Function &&function) : function_(std::forward<Function>(function)) {}

    bool operator()(size_t i, size_t j) const { return function_(i, j); }
    operator std::function<bool(size_t, size_t)>() const { return function_; }

  private:
    std::function<bool(size_t, size_t)> function_;
};

inline CollisionFilter make_vertex_patches_filter(Eigen::VectorXi patches) {
    return CollisionFilter([patches = std::move(patches)](size_t i, size_t j) {
        return patches[static_cast<Eigen::Index>(i)] != patches[static_cast<Eigen::Index>(j)];
    });
}

inline CollisionFilter make_static_obstacle_filter(size_t first) {
    return CollisionFilter([first](size_t i, size_t j) { return i < first || j < first; });
}

} // namespace ipc
