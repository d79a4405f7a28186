/* A step by IPC Toolkit with its own parts, with graze's handed in, and by graze's functions in their place, then the
   pairs that are near: CPU time of all threads, medians. usage: ipc_step BEFORE AFTER [ROUNDS] */
#include <graze/compat/ipc_toolkit.hpp>

#include <ipc/broad_phase/lbvh.hpp>
#include <ipc/ccd/additive_ccd.hpp>
#include <ipc/ccd/tight_inclusion_ccd.hpp>
#include <ipc/ipc.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

extern "C" {
#include "io/mesh.h"
}

namespace {

using rows = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;

/// Of all threads together, so that a busy machine does not show.
double processor_ms() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

Eigen::MatrixXd positions_of(const io_mesh &mesh) {
    return Eigen::Map<const rows>(&mesh.positions[0][0], static_cast<Eigen::Index>(mesh.vertex_count), 3);
}

template <class Rows> Eigen::MatrixXi matrix_of(const Rows &list) {
    Eigen::MatrixXi made(list.size(), list[0].size());
    for (Eigen::Index i = 0; i < made.rows(); i++)
        for (Eigen::Index c = 0; c < made.cols(); c++)
            made(i, c) = static_cast<int>(list[static_cast<std::size_t>(i)][static_cast<std::size_t>(c)]);
    return made;
}

struct scene {
    ipc::CollisionMesh mesh;
    Eigen::MatrixXd x0, x1;
};

/// A thing to measure: what it returned last, and how long it took each time.
struct measured {
    const char *name;
    std::function<double()> call;
    double value = 0;
    std::vector<double> ms = {};

    void run() {
        const double begin = processor_ms();
        value = call();
        ms.push_back(processor_ms() - begin);
    }
    double median() const {
        std::vector<double> sorted = ms;
        std::sort(sorted.begin(), sorted.end());
        return sorted[sorted.size() / 2];
    }
};

/// One after the other, again and again, so that a busy machine slows all of them; times as parts of the first's.
void compare(const char *title, std::vector<measured> things, int rounds) {
    for (int i = 0; i < rounds; i++)
        for (measured &one : things) one.run();
    std::printf("%s\n", title);
    for (const measured &one : things)
        std::printf("  %-44s %10.2f ms  first %10.2f ms  1 : %-8.1f %.9g\n", one.name, one.median(), one.ms[0],
                    things[0].median() / one.median(), one.value);
}

double built(const scene &s, ipc::BroadPhase &broad, ipc::Candidates &candidates) {
    candidates.build(s.mesh, s.x0, s.x1, 0.0, &broad);
    return static_cast<double>(candidates.ee_candidates.size() + candidates.fv_candidates.size());
}

/// As built, but into vectors that have no memory yet.
double built_anew(const scene &s, ipc::BroadPhase &broad) {
    ipc::Candidates candidates;
    return built(s, broad, candidates);
}

double listed(graze::context &context, const graze::mesh &mesh, const rows &x0, const rows &x1) {
    return static_cast<double>(graze::candidates(context, mesh, x0, x1).size());
}

/// The pairs within a distance at x0, as a toolkit program finds them: candidates, and the distance of each.
template <class List> double near_of(const List &list, const scene &s, double distance) {
    double count = 0;
    for (const auto &one : list)
        count += one.compute_distance(s.x0, s.mesh.edges(), s.mesh.faces()) <= distance * distance;
    return count;
}
double near_by_toolkit(const scene &s, ipc::BroadPhase &broad, ipc::Candidates &candidates, double distance) {
    candidates.build(s.mesh, s.x0, 0.5 * distance, &broad);
    return near_of(candidates.ee_candidates, s, distance) + near_of(candidates.fv_candidates, s, distance);
}

double near_at(graze::context &context, const graze::mesh &mesh, const rows &x, double distance) {
    return static_cast<double>(graze::proximity(context, mesh, x, distance).size());
}

/// Searched: the state before was far away. Kept: it was near.
void compare_near(const scene &s, const graze::mesh &topology, int rounds) {
    graze::context far, near;
    const rows x = s.x0;
    const double size = (x.colwise().maxCoeff() - x.colwise().minCoeff()).maxCoeff(), distance = 1e-3 * size;
    rows shifted = x, moved = x;
    ipc::LBVH lbvh;
    ipc::Candidates kept;
    compare("pairs within a thousandth of the size",
            {{"LBVH, and the distance of each candidate", [&] { return near_by_toolkit(s, lbvh, kept, distance); }},
             {"graze_proximity, searched",
              [&] {
                  shifted.array() += 2 * size;
                  return near_at(far, topology, shifted, distance);
              }},
             {"graze_proximity, kept",
              [&] {
                  moved.array() += 1e-4 * distance;
                  return near_at(near, topology, moved, distance);
              }}},
            rounds);
}

void compare_all(const scene &s, const graze::mesh &topology, int rounds) {
    graze::context context;
    const rows x0 = s.x0, x1 = s.x1;
    ipc::LBVH lbvh;
    graze::ipc_broad_phase broad;
    ipc::Candidates candidates;
    candidates.build(s.mesh, s.x0, s.x1, 0.0, &lbvh);
    const ipc::TightInclusionCCD tight;
    const ipc::AdditiveCCD additive;
    const graze::ipc_ccd certified;
    const auto narrow = [&](const ipc::NarrowPhaseCCD &ccd) {
        return candidates.compute_collision_free_stepsize(s.mesh, s.x0, s.x1, 0.0, ccd);
    };
    compare("step",
            {{"ipc::compute_collision_free_stepsize",
              [&] { return ipc::compute_collision_free_stepsize(s.mesh, s.x0, s.x1); }},
             {"the same, graze's parts handed in",
              [&] { return ipc::compute_collision_free_stepsize(s.mesh, s.x0, s.x1, 0.0, &broad, certified); }},
             {"graze::ipc::compute_collision_free_stepsize",
              [&] { return graze::ipc::compute_collision_free_stepsize(s.mesh, s.x0, s.x1); }}},
            rounds);
    compare("free of collisions",
            {{"ipc::is_step_collision_free", [&] { return double(ipc::is_step_collision_free(s.mesh, s.x0, s.x1)); }},
             {"graze::ipc::is_step_collision_free",
              [&] { return double(graze::ipc::is_step_collision_free(s.mesh, s.x0, s.x1)); }}},
            rounds);
    compare("existing candidates",
            {{"Tight Inclusion", [&] { return narrow(tight); }},
             {"additive CCD", [&] { return narrow(additive); }},
             {"graze::ipc_ccd", [&] { return narrow(certified); }},
             {"graze::ipc::compute_collision_free_stepsize",
              [&] { return graze::ipc::compute_collision_free_stepsize(candidates, s.mesh, s.x0, s.x1); }}},
            rounds);
    ipc::Candidates kept; // as a solver keeps its own
    compare("broad phase",
            {{"LBVH", [&] { return built(s, lbvh, kept); }},
             {"graze::ipc_broad_phase", [&] { return built(s, broad, kept); }},
             {"LBVH, into new vectors", [&] { return built_anew(s, lbvh); }},
             {"graze::ipc_broad_phase, into new vectors", [&] { return built_anew(s, broad); }},
             {"graze_candidates", [&] { return listed(context, topology, x0, x1); }}},
            rounds);
    compare_near(s, topology, rounds);
}

} // namespace

int main(int argc, char **argv) {
    io_mesh before, after;
    io_error error;
    const bool asked = argc == 3 || argc == 4;
    const int rounds = argc == 4 ? std::atoi(argv[3]) : 5;
    if (!asked || rounds < 1 || !io_read_mesh_pair(argv[1], argv[2], &before, &after, &error)) {
        std::fprintf(stderr, "ipc_step: %s\n",
                     asked && rounds > 0 ? error.message : "usage: ipc_step BEFORE AFTER [ROUNDS]");
        return 2;
    }
    if (before.face_count == 0) {
        std::fprintf(stderr, "ipc_step: %s: no faces\n", argv[1]);
        return 2;
    }
    graze::context context;
    const graze::mesh topology = graze::mesh::from_faces(
        context, before.vertex_count,
        graze::span<const uint32_t>(&before.faces[0][0], 3 * static_cast<std::size_t>(before.face_count)));
    const Eigen::MatrixXd x0 = positions_of(before);
    compare_all(
        {ipc::CollisionMesh(x0, matrix_of(topology.edges()), matrix_of(topology.faces())), x0, positions_of(after)},
        topology, rounds);
    io_free_mesh(&before);
    io_free_mesh(&after);
    return 0;
}
