/// Triangles, edges and points that move at random, as a mesh of IPC Toolkit, and every pair of them, one by one.
#ifndef GRAZE_TEST_CPP_TOOLKIT_SCENE_HPP
#define GRAZE_TEST_CPP_TOOLKIT_SCENE_HPP

#include "graze/compat/ipc_toolkit.hpp"
#include "scene.hpp"

struct toolkit_scene {
    Eigen::MatrixXd x0, x1;
    ipc::CollisionMesh mesh;

    /// @param columns  2 for the plane, without triangles
    /// @param reach  how far vertices move
    toolkit_scene(int columns, int triangles, int edges, int points, uint64_t seed, double reach = 0.4)
        : random_{seed}, columns_(columns) {
        if (columns == 2) edges += 2 * std::exchange(triangles, 0);
        x0.resize(3 * triangles + 2 * edges + points, columns);
        x1.resize(x0.rows(), columns);
        edges_.resize(3 * triangles + edges, 2);
        faces_.resize(triangles, 3);
        for (int i = 0; i < triangles; i++) {
            place(3, reach);
            faces_.row(i) << placed_ - 3, placed_ - 1, placed_ - 2;
            for (int k = 0; k < 3; k++) add_edge(placed_ - 3 + (k + 1) % 3, placed_ - 3 + k);
        }
        for (int i = 0; i < edges; i++) {
            place(2, reach);
            add_edge(placed_ - 1, placed_ - 2);
        }
        for (int i = 0; i < points; i++) place(1, reach);
        mesh = ipc::CollisionMesh(x0, edges_, faces_);
    }

    /// Pairs as a step has them, none that share a vertex, those that `can_collide` allows.
    template <class Filter> std::vector<graze_pair> pairs(const Filter &can_collide) const {
        std::vector<graze_pair> made;
        const auto count = static_cast<uint32_t>(x0.rows());
        for (uint32_t kind = 0; kind < 4; kind++)
            for (uint32_t a = 0; a < (kind == GRAZE_EE ? uint32_t(edges_.rows()) : count); a++)
                for (uint32_t b = first_of_b(kind, a); b < count_of_b(kind); b++) {
                    const graze_pair pair = {static_cast<graze_kind>(kind), a, b};
                    if (is_one(pair) && may_meet(pair, can_collide)) made.push_back(pair);
                }
        return made;
    }

    graze_query query(const graze_pair &pair, const Eigen::MatrixXd &end) const {
        graze_query made{};
        std::size_t row = 0;
        for (const std::vector<int> &side : sides(pair))
            for (const int v : side) {
                for (int c = 0; c < columns_; c++) made.x0[row][c] = x0(v, c), made.x1[row][c] = end(v, c);
                row++;
            }
        return made;
    }

    ipc::Candidates candidates(const std::vector<graze_pair> &pairs) const {
        ipc::Candidates made;
        for (const graze_pair &pair : pairs) {
            const int a = static_cast<int>(pair.a), b = static_cast<int>(pair.b);
            if (pair.kind == GRAZE_VF) made.fv_candidates.emplace_back(b, a);
            if (pair.kind == GRAZE_EE) made.ee_candidates.emplace_back(b, a); // in any order
            if (pair.kind == GRAZE_PE) made.ev_candidates.emplace_back(b, a);
            if (pair.kind == GRAZE_PP) made.vv_candidates.emplace_back(a, b);
        }
        return made;
    }

    std::array<std::vector<int>, 2> sides(const graze_pair &pair) const {
        const int a = static_cast<int>(pair.a), b = static_cast<int>(pair.b);
        if (pair.kind == GRAZE_VF) return {{{a}, {faces_(b, 0), faces_(b, 1), faces_(b, 2)}}};
        if (pair.kind == GRAZE_EE) return {{{edges_(a, 0), edges_(a, 1)}, {edges_(b, 0), edges_(b, 1)}}};
        if (pair.kind == GRAZE_PE) return {{{a}, {edges_(b, 0), edges_(b, 1)}}};
        return {{{a}, {b}}};
    }

  private:
    void place(int count, double reach) {
        Eigen::RowVector3d at, move;
        for (int c = 0; c < 3; c++) at[c] = number(0, 2), move[c] = number(-reach, reach);
        for (int i = 0; i < count; i++, placed_++)
            for (int c = 0; c < columns_; c++) {
                x0(placed_, c) = at[c] + number(-0.3, 0.3);
                x1(placed_, c) = x0(placed_, c) + move[c] + number(-0.1, 0.1);
            }
    }
    double number(double low, double high) { return test_random_between(&random_, low, high); }
    void add_edge(int a, int b) { edges_.row(added_++) << a, b; }

    uint32_t first_of_b(uint32_t kind, uint32_t a) const { return kind == GRAZE_EE || kind == GRAZE_PP ? a + 1 : 0; }
    uint32_t count_of_b(uint32_t kind) const {
        return static_cast<uint32_t>(kind == GRAZE_VF ? faces_.rows() : kind == GRAZE_PP ? x0.rows() : edges_.rows());
    }

    bool is_free_point(int v) const { return (edges_.array() != v).all(); }
    bool is_free_edge(uint32_t e) const { return e >= 3 * faces_.rows(); }

    bool is_one(const graze_pair &pair) const {
        const auto both = sides(pair);
        for (const int i : both[0])
            for (const int j : both[1])
                if (i == j) return false;
        if (pair.kind == GRAZE_EE) return columns_ == 3;
        if (pair.kind == GRAZE_PP) return is_free_point(both[0][0]) && is_free_point(both[1][0]);
        if (pair.kind == GRAZE_PE) return columns_ == 2 || (is_free_point(both[0][0]) && is_free_edge(pair.b));
        return true;
    }

    template <class Filter> bool may_meet(const graze_pair &pair, const Filter &can_collide) const {
        const auto both = sides(pair);
        for (const int i : both[0])
            for (const int j : both[1])
                if (can_collide(static_cast<std::size_t>(i), static_cast<std::size_t>(j))) return true;
        return false;
    }

    test_random random_;
    int columns_, placed_ = 0, added_ = 0;
    Eigen::MatrixXi edges_, faces_;
};

inline bool anything(std::size_t, std::size_t) { return true; }

#endif
