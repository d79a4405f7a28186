/// Meshes that own their lists.
#ifndef GRAZE_CPP_MESH_HPP
#define GRAZE_CPP_MESH_HPP

#include "graze/cpp/query.hpp"
#include "graze/mesh.h"

namespace graze {

/// Mesh that moves in a step, as graze_mesh: faces, edges and points are copied in, the other lists are derived.
/// Movable, not copyable: calls with a moved-from mesh return GRAZE_ERR_INVALID_ARGUMENT.
class mesh {
  public:
    /// Returns whether the pair is tested. Called by several threads at once.
    using pair_filter = std::function<bool(graze_kind kind, uint32_t a, uint32_t b)>;

    /// Empty: nothing touches.
    mesh() : state_(std::make_unique<state>()) {}

    /// A triangle mesh. Vertices without a face are tested only against faces.
    /// @param faces  a matrix of 3 columns, or a list of rows or of indices; signed integers are fine
    /// @param vertex_count  of any integer type: V.rows() of Eigen is signed
    template <class Count>
    static mesh from_faces(context &context, Count vertex_count, indices<3> faces, const report &report = {}) {
        mesh made;
        made.state_->faces = faces.take();
        made.make(context, "faces", faces.columns(), 3, report, [&](state &s) {
            return graze_mesh_from_faces(context.get(), detail::as_index(vertex_count), s.face_rows(), s.face_count(),
                                         &s.c);
        });
        return made;
    }

    /// Faces and free edges; every other vertex is a point.
    template <class Count>
    static mesh from_parts(context &context, Count vertex_count, indices<3> faces, const indices<2> &edges,
                           const report &report = {}) {
        return from_lists(context, detail::as_index(vertex_count), std::move(faces), edges, nullptr, 0, report);
    }

    /// Faces, free edges and points; other vertices without an edge are tested only against faces.
    template <class Count>
    static mesh from_parts(context &context, Count vertex_count, indices<3> faces, const indices<2> &edges,
                           const indices<1> &points, const report &report = {}) {
        static const uint32_t none = 0;
        const auto &rows = points.rows();
        return from_lists(context, detail::as_index(vertex_count), std::move(faces), edges,
                          rows.empty() ? &none : rows[0].data(), rows.size(), report);
    }

    /// Joins two meshes, to search the pairs of one with the other; filters are not copied.
    static mesh join(context &context, const mesh &a, const mesh &b, const report &report = {}) {
        mesh made;
        graze_mesh without[2] = {a.c(), b.c()};
        for (graze_mesh &one : without) one.filter = nullptr;
        made.make(context, "faces", 3, 3, report,
                  [&](state &s) { return graze_mesh_join(context.get(), &without[0], &without[1], &s.c); });
        return made;
    }

    std::size_t vertex_count() const { return c().vertex_count; }
    /// All edges, sides of faces included: pairs i < j, sorted by j, then by i.
    span<const std::array<uint32_t, 2>> edges() const {
        return {reinterpret_cast<const std::array<uint32_t, 2> *>(c().edges), c().edge_count};
    }
    span<const std::array<uint32_t, 3>> faces() const {
        return {reinterpret_cast<const std::array<uint32_t, 3> *>(c().faces), c().face_count};
    }

    /// A group for each vertex; a list of another length is refused.
    void set_groups(std::vector<uint32_t> groups, bool skip_same_group = true, const report &report = {}) {
        if (!is_here(report) || !has_length("groups", groups.size(), report)) return;
        uint32_t count = 0;
        for (const uint32_t group : groups) count = group < count ? count : group + 1;
        state_->groups = std::move(groups);
        state_->c.groups = state_->groups.data();
        state_->c.group_count = count;
        state_->c.skip_same_group = skip_same_group;
    }
    /// A radius for each vertex.
    void set_thickness(std::vector<double> radii, const report &report = {}) {
        if (!is_here(report) || !has_length("thickness", radii.size(), report)) return;
        state_->thickness = std::move(radii);
        state_->c.thickness = state_->thickness.data();
    }
    /// Replaces the filter; an empty one removes it.
    void set_filter(pair_filter filter, const report &report = {}) {
        if (!is_here(report)) return;
        state_->filter = std::move(filter);
        state_->c.filter = state_->filter ? ask : nullptr;
        state_->c.filter_user = state_.get();
    }

    const graze_mesh &c() const {
        static const graze_mesh none{}; // without a struct_size: every call refuses it
        return state_ ? state_->c : none;
    }

    /// The end of a call on the mesh: what its filter threw comes first.
    void finish(context &context, graze_status status, const report &report) const {
        if (status == GRAZE_ERR_CALLBACK && state_) state_->thrown.rethrow();
        context.finish(status, report);
    }

  private:
    struct state {
        graze_mesh c = graze_default_mesh();
        std::shared_ptr<detail::core> core;
        std::vector<std::array<uint32_t, 3>> faces;
        std::vector<uint32_t> groups;
        std::vector<double> thickness;
        pair_filter filter;
        detail::thrown thrown;

        ~state() {
            if (core) graze_mesh_release(core->get(), &c);
        }
        const uint32_t (*face_rows() const)[3] { return reinterpret_cast<const uint32_t(*)[3]>(faces.data()); }
        uint32_t face_count() const { return detail::as_index(faces.size()); }
    };

    static int ask(void *user, graze_kind kind, uint32_t a, uint32_t b) {
        state &s = *static_cast<state *>(user);
        return s.thrown.guard(-1, [&] { return int(s.filter(kind, a, b)); });
    }

    static mesh from_lists(context &context, std::size_t vertex_count, indices<3> faces, const indices<2> &edges,
                           const uint32_t *points, std::size_t point_count, const report &report) {
        mesh made;
        made.state_->faces = faces.take();
        const bool edges_fit = edges.columns() == 2;
        made.make(context, edges_fit ? "faces" : "edges", edges_fit ? faces.columns() : edges.columns(),
                  edges_fit ? 3 : 2, report, [&](state &s) {
                      const auto *edge_rows = reinterpret_cast<const uint32_t(*)[2]>(edges.rows().data());
                      return graze_mesh_from_parts(context.get(), detail::as_index(vertex_count), s.face_rows(),
                                                   s.face_count(), edge_rows, detail::as_index(edges.rows().size()),
                                                   points, detail::as_index(point_count), &s.c);
                  });
        return made;
    }

    template <class Make>
    void make(context &context, const char *what, std::size_t columns, std::size_t asked, const report &report,
              const Make &make) {
        if (columns != asked) return report(GRAZE_ERR_INVALID_ARGUMENT, detail::wrong_columns(what, columns, asked));
        if (!context.core()) return context.finish(GRAZE_ERR_INVALID_ARGUMENT, report);
        state_->core = context.core();
        context.finish(make(*state_), report);
    }

    bool is_here(const report &report) const {
        if (!state_) report(GRAZE_ERR_INVALID_ARGUMENT, "the mesh was moved from");
        return state_ != nullptr;
    }
    bool has_length(const char *what, std::size_t length, const report &report) const {
        if (length == vertex_count()) return true;
        report(GRAZE_ERR_INVALID_ARGUMENT, std::string(what) + ": " + std::to_string(length) + " for " +
                                               std::to_string(vertex_count()) + " vertices");
        return false;
    }

    std::unique_ptr<state> state_;
};

} // namespace graze
#endif
