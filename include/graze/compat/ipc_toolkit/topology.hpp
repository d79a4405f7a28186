/// A mesh of IPC Toolkit as graze takes it, with the toolkit's ids.
#ifndef GRAZE_COMPAT_IPC_TOOLKIT_TOPOLOGY_HPP
#define GRAZE_COMPAT_IPC_TOOLKIT_TOPOLOGY_HPP

#include "graze/compat/ipc_toolkit/filters.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace graze {
namespace detail {

using matrix = Eigen::Ref<const Eigen::MatrixXd>;
using id_matrix = Eigen::Ref<const Eigen::MatrixXi>;
using id_list = std::vector<uint32_t>;

/// Positions, one after the other; in the plane z is 0.
class rows_of_positions {
  public:
    void read(const matrix &x) {
        rows_.resize(static_cast<std::size_t>(x.rows()));
        for (Eigen::Index c = 0; c < 3; c++)
            for (Eigen::Index i = 0; i < x.rows(); i++)
                rows_[static_cast<std::size_t>(i)][static_cast<std::size_t>(c)] = c < x.cols() ? x(i, c) : 0;
    }
    /// x0 + alpha (x1 − x0), each operation rounded, and never beyond the ends.
    void read_between(const rows_of_positions &x0, const rows_of_positions &x1, double alpha) {
        rows_.resize(x0.rows_.size());
        for (std::size_t i = 0; i < rows_.size(); i++)
            for (std::size_t c = 0; c < 3; c++) {
                const double a = x0.rows_[i][c], b = x1.rows_[i][c], x = a + alpha * (b - a);
                rows_[i][c] = alpha == 1 ? b : std::min(std::max(x, std::min(a, b)), std::max(a, b));
            }
    }
    void write(Eigen::MatrixXd &x) const {
        for (Eigen::Index i = 0; i < x.rows(); i++)
            for (Eigen::Index c = 0; c < x.cols(); c++)
                x(i, c) = rows_[static_cast<std::size_t>(i)][static_cast<std::size_t>(c)];
    }
    /// The largest coordinate in size; INFINITY where one is not finite.
    double largest() const {
        double most = 0;
        for (const auto &row : rows_)
            for (const double x : row) most = std::abs(x) <= most ? most : std::isfinite(x) ? std::abs(x) : INFINITY;
        return most;
    }
    std::array<double, 3> &operator[](std::size_t i) { return rows_[i]; }
    void resize(std::size_t count) { rows_.resize(count); }
    const double (*c() const)[3] { return reinterpret_cast<const double(*)[3]>(rows_.data()); }

  private:
    std::vector<std::array<double, 3>> rows_;
};

/// A copy of a matrix of ids, and whether another holds the same.
class kept_ids {
  public:
    bool is(const id_matrix &ids) const {
        if (ids.rows() != copy_.rows() || ids.cols() != copy_.cols()) return false;
        for (Eigen::Index c = 0; c < ids.cols(); c++)
            if (ids.rows() && std::memcmp(&ids.coeffRef(0, c), &copy_.coeffRef(0, c),
                                          static_cast<std::size_t>(ids.rows()) * sizeof(int)) != 0)
                return false;
        return true;
    }
    void keep(const id_matrix &ids) { copy_ = ids; }

  private:
    Eigen::MatrixXi copy_;
};

/// Vertices, edges and faces, what belongs to none of them, and a graze_mesh that points to them.
class topology {
  public:
    topology() = default;
    topology(const topology &) = delete;
    topology &operator=(const topology &) = delete;

    /// Returns whether it was made anew.
    bool take(std::size_t vertices, const id_matrix &edges, const id_matrix &faces) {
        if (vertices == mesh_.vertex_count && edges_as_given_.is(edges) && faces_as_given_.is(faces)) return false;
        edges_as_given_.keep(edges);
        faces_as_given_.keep(faces);
        edges_ = indices<2>(edges).take();
        faces_ = indices<3>(faces).take();
        components_ = components_of(vertices, edges_);
        mesh_ = graze_default_mesh();
        mesh_.vertex_count = static_cast<uint32_t>(vertices);
        mesh_.edge_count = static_cast<uint32_t>(edges_.size());
        mesh_.edges = reinterpret_cast<const uint32_t(*)[2]>(edges_.data());
        mesh_.face_count = static_cast<uint32_t>(faces_.size());
        mesh_.faces = reinterpret_cast<const uint32_t(*)[3]>(faces_.data());
        free_points_ = points_of_no_edge();
        free_edges_ = edges_of_no_face();
        return true;
    }

    /// The pairs of a step in space.
    graze_mesh in_space() const { return with(free_points_, free_edges_); }
    /// Kind PE: every vertex with every edge.
    graze_mesh vertices_and_edges() {
        all_points_.resize(mesh_.vertex_count);
        all_edges_.resize(mesh_.edge_count);
        std::iota(all_points_.begin(), all_points_.end(), 0u);
        std::iota(all_edges_.begin(), all_edges_.end(), 0u);
        return with(all_points_, all_edges_);
    }
    /// Kind PP: points of no edge.
    bool has_points() const { return !free_points_.empty(); }
    const std::vector<uint32_t> &components() const { return components_; }

    /// True if a vertex of a may collide with one of b.
    bool allows(const can_collide &filter, graze_kind kind, uint32_t a, uint32_t b) const {
        const uint32_t *of_a = kind == GRAZE_EE ? edges_[a].data() : &a, count_a = kind == GRAZE_EE ? 2 : 1;
        const uint32_t *of_b = kind == GRAZE_VF ? faces_[b].data() : kind == GRAZE_PP ? &b : edges_[b].data();
        const uint32_t count_b = kind == GRAZE_VF ? 3 : kind == GRAZE_PP ? 1 : 2;
        for (uint32_t i = 0; i < count_a; i++)
            for (uint32_t j = 0; j < count_b; j++)
                if (filter(of_a[i], of_b[j])) return true;
        return false;
    }

  private:
    graze_mesh with(const id_list &points, const id_list &edges) const {
        graze_mesh made = mesh_;
        made.codim_points = points.data();
        made.codim_point_count = static_cast<uint32_t>(points.size());
        made.codim_edges = edges.data();
        made.codim_edge_count = static_cast<uint32_t>(edges.size());
        return made;
    }

    id_list points_of_no_edge() const {
        std::vector<bool> used(mesh_.vertex_count);
        for (const auto &edge : edges_)
            for (const uint32_t v : edge)
                if (v < used.size()) used[v] = true;
        id_list made;
        for (uint32_t v = 0; v < used.size(); v++)
            if (!used[v]) made.push_back(v);
        return made;
    }

    static uint64_t side(uint32_t a, uint32_t b) { return uint64_t{std::max(a, b)} << 32 | std::min(a, b); }

    id_list edges_of_no_face() const {
        std::vector<uint64_t> sides;
        sides.reserve(3 * faces_.size());
        for (const auto &face : faces_)
            for (std::size_t i = 0; i < 3; i++) sides.push_back(side(face[i], face[(i + 1) % 3]));
        std::sort(sides.begin(), sides.end());
        id_list made;
        for (uint32_t e = 0; e < edges_.size(); e++)
            if (!std::binary_search(sides.begin(), sides.end(), side(edges_[e][0], edges_[e][1]))) made.push_back(e);
        return made;
    }

    kept_ids edges_as_given_, faces_as_given_;
    std::vector<std::array<uint32_t, 2>> edges_;
    std::vector<std::array<uint32_t, 3>> faces_;
    id_list free_points_, free_edges_, all_points_, all_edges_;
    std::vector<uint32_t> components_;
    graze_mesh mesh_ = graze_default_mesh();
};

/// A filter that a graze_mesh asks. What it throws comes out of the call.
class asked_filter {
  public:
    asked_filter(const topology &topology, const can_collide &filter) : topology_(topology), filter_(filter) {}

    void set(graze_mesh &mesh) {
        mesh.filter = ask;
        mesh.filter_user = this;
    }
    void finish(context &context, graze_status status) {
        if (status == GRAZE_ERR_CALLBACK) thrown_.rethrow();
        context.finish(status, {});
    }

  private:
    static int ask(void *user, graze_kind kind, uint32_t a, uint32_t b) {
        asked_filter &self = *static_cast<asked_filter *>(user);
        return self.thrown_.guard(-1, [&] { return int(self.topology_.allows(self.filter_, kind, a, b)); });
    }

    const topology &topology_;
    const can_collide &filter_;
    thrown thrown_;
};

} // namespace detail
} // namespace graze
#endif
