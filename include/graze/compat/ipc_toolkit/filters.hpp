/// Filters of IPC Toolkit as rules of a graze_mesh: those that say something about groups of vertices become groups,
/// which cost nothing; all others are asked.
#ifndef GRAZE_COMPAT_IPC_TOOLKIT_FILTERS_HPP
#define GRAZE_COMPAT_IPC_TOOLKIT_FILTERS_HPP

#include "graze/graze.hpp"

#include <ipc/collision_mesh.hpp>
#if __has_include(<ipc/collision_filter.hpp>)
#include <ipc/collision_filter.hpp>
#define GRAZE_COMPAT_TOOLKIT_HAS_FILTERS 1
#endif

#include <functional>
#include <numeric>
#include <typeinfo>
#include <unordered_map>

namespace graze {
namespace ipc {

/// A filter for `mesh.can_collide`: vertices of one patch do not collide. Where every edge and face lies in one patch
/// it costs nothing, unlike a function of one's own.
class vertex_patches {
  public:
    explicit vertex_patches(std::vector<int> patch_of_vertex) : patches_(std::move(patch_of_vertex)) {}
    bool operator()(std::size_t i, std::size_t j) const { return patches_[i] != patches_[j]; }
    const std::vector<int> &patches() const { return patches_; }

  private:
    std::vector<int> patches_;
};

/// A filter for `mesh.can_collide`: vertices from `first` on are obstacles, which do not collide with each other. As
/// cheap as vertex_patches.
class static_obstacles {
  public:
    explicit static_obstacles(std::size_t first) : first_(first) {}
    bool operator()(std::size_t i, std::size_t j) const { return i < first_ || j < first_; }
    std::size_t first() const { return first_; }

  private:
    std::size_t first_;
};

} // namespace ipc

namespace detail {

using can_collide = std::function<bool(std::size_t, std::size_t)>;

inline const can_collide &function_of(const can_collide &filter) { return filter; }
#ifdef GRAZE_COMPAT_TOOLKIT_HAS_FILTERS
inline can_collide function_of(const ::ipc::CollisionFilter &filter) {
    return filter.operator std::function<bool(std::size_t, std::size_t)>();
}
#endif

/// True if `filter` is `first`, the function without state that a mesh or a broad phase begins with.
template <class Pointer> bool is_pointer(const can_collide &filter, const can_collide &first) {
    const Pointer *a = filter.target<Pointer>(), *b = first.target<Pointer>();
    return !b || (a && *a == *b);
}
inline bool is_first(const can_collide &filter, const can_collide &first) {
    return first && filter.target_type() == first.target_type() &&
           is_pointer<bool (*)(std::size_t, std::size_t)>(filter, first) &&
           is_pointer<int (*)(std::size_t, std::size_t)>(filter, first); // that of version 1.4
}
inline bool is_of_mesh(const can_collide &filter) {
    static const ::ipc::CollisionMesh fresh;
    static const can_collide first = function_of(fresh.can_collide);
    return is_first(filter, first);
}

/// For each vertex the least one that edges connect it with.
inline std::vector<uint32_t> components_of(std::size_t vertices, const std::vector<std::array<uint32_t, 2>> &edges) {
    std::vector<uint32_t> least(vertices);
    std::iota(least.begin(), least.end(), 0u);
    const auto root = [&](uint32_t v) {
        while (least[v] != v) v = least[v] = least[least[v]];
        return v;
    };
    for (const auto &edge : edges) {
        if (edge[0] >= vertices || edge[1] >= vertices) continue; // the library names it
        const uint32_t a = root(edge[0]), b = root(edge[1]);
        least[std::max(a, b)] = std::min(a, b);
    }
    for (uint32_t v = 0; v < vertices; v++) least[v] = root(v);
    return least;
}

/// Which pairs may touch, as a graze_mesh takes it.
class rules {
  public:
    /// @param components  components_of the mesh: its edges hold the sides of its faces
    void read(const can_collide &filter, const std::vector<uint32_t> &components, const can_collide &first) {
        clear();
        if (is_of_mesh(filter) || is_first(filter, first)) return;
        asks_ = !reads_groups(filter, components);
        if (asks_) groups_.clear();
    }

    /// True if the filter itself has to be asked.
    bool asks() const { return asks_; }

    void set(graze_mesh &mesh) const {
        if (groups_.empty()) return;
        mesh.groups = groups_.data();
        mesh.group_count = group_count_;
        mesh.skip_same_group = !obstacles_;
        mesh.group_pairs = obstacles_ ? obstacles_do_not_meet : nullptr;
    }

  private:
    static constexpr uint8_t obstacles_do_not_meet[4] = {1, 1, 1, 0};
    static constexpr std::size_t MOST_PATCHES = 64; // that are found by asking

    void clear() {
        groups_.clear();
        group_count_ = 0;
        obstacles_ = asks_ = false;
    }

    bool reads_groups(const can_collide &filter, const std::vector<uint32_t> &components) {
        if (const auto *patches = filter.target<ipc::vertex_patches>()) return reads(patches->patches(), components);
        if (const auto *obstacles = filter.target<ipc::static_obstacles>())
            return reads_obstacles(obstacles->first(), components);
#ifdef GRAZE_COMPAT_TOOLKIT_HAS_FILTERS
        static const can_collide patches = function_of(::ipc::make_vertex_patches_filter(Eigen::VectorXi()));
        static const can_collide obstacles = function_of(::ipc::make_static_obstacle_filter(0));
        if (filter.target_type() == patches.target_type()) return asks_for_patches(filter, components);
        if (filter.target_type() == obstacles.target_type())
            return reads_obstacles(first_obstacle(filter, components.size()), components);
#endif
        return false;
    }

    bool reads(const std::vector<int> &patches, const std::vector<uint32_t> &components) {
        if (patches.size() < components.size()) return false;
        std::unordered_map<int, uint32_t> numbers;
        for (std::size_t v = 0; v < components.size(); v++) {
            if (patches[v] != patches[components[v]]) return false;
            groups_.push_back(numbers.try_emplace(patches[v], static_cast<uint32_t>(numbers.size())).first->second);
        }
        group_count_ = static_cast<uint32_t>(numbers.size());
        return true;
    }

    bool reads_obstacles(std::size_t first, const std::vector<uint32_t> &components) {
        for (std::size_t v = 0; v < components.size(); v++) {
            if ((v >= first) != (components[v] >= first)) return false;
            groups_.push_back(v >= first);
        }
        group_count_ = 2;
        obstacles_ = true;
        return true;
    }

#ifdef GRAZE_COMPAT_TOOLKIT_HAS_FILTERS
    /// A vertex that does not collide with itself is an obstacle, and so are all after it.
    static std::size_t first_obstacle(const can_collide &filter, std::size_t vertices) {
        std::size_t low = 0, high = vertices;
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (filter(middle, middle))
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    /// Two vertices are in one patch where the filter says no: one vertex of each patch tells the patch of any other.
    bool asks_for_patches(const can_collide &filter, const std::vector<uint32_t> &components) {
        std::vector<std::size_t> known;
        for (std::size_t v = 0; v < components.size(); v++) {
            if (components[v] != v) {
                if (filter(v, components[v])) return false;
                groups_.push_back(groups_[components[v]]);
                continue;
            }
            std::size_t group = 0;
            while (group < known.size() && filter(v, known[group])) group++;
            if (group == MOST_PATCHES) return false;
            if (group == known.size()) known.push_back(v);
            groups_.push_back(static_cast<uint32_t>(group));
        }
        group_count_ = static_cast<uint32_t>(known.size());
        return true;
    }
#endif

    std::vector<uint32_t> groups_; // empty: there are none
    uint32_t group_count_ = 0;
    bool obstacles_ = false; // group 1 does not meet itself; else no group does
    bool asks_ = false;
};

} // namespace detail
} // namespace graze
#endif
