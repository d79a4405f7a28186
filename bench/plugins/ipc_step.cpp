/* A step by IPC Toolkit with its own parts and with graze's handed in: usage: ipc_step BEFORE AFTER */
#include <graze/compat/ipc_toolkit.hpp>

#include <ipc/broad_phase/lbvh.hpp>
#include <ipc/candidates/candidates.hpp>
#include <ipc/ccd/additive_ccd.hpp>
#include <ipc/ccd/tight_inclusion_ccd.hpp>

#include <cstdio>
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

void run(const char *name, const ipc::CollisionMesh &mesh, const Eigen::MatrixXd &x0, const Eigen::MatrixXd &x1,
         ipc::BroadPhase &broad, const ipc::NarrowPhaseCCD &narrow) {
    const double begin = processor_ms();
    ipc::Candidates candidates;
    candidates.build(mesh, x0, x1, 0.0, &broad);
    const double built = processor_ms();
    const double step = candidates.compute_collision_free_stepsize(mesh, x0, x1, 0.0, narrow);
    const double end = processor_ms();
    std::printf("%-24s %9zu candidates, step %-12.9g broad %8.1f ms, narrow %8.1f ms, together %8.1f ms\n", name,
                candidates.ee_candidates.size() + candidates.fv_candidates.size(), step, built - begin, end - built,
                end - begin);
}

} // namespace

int main(int argc, char **argv) {
    io_mesh before, after;
    io_error error;
    if (argc != 3 || !io_read_mesh_pair(argv[1], argv[2], &before, &after, &error)) {
        std::fprintf(stderr, "ipc_step: %s\n", argc == 3 ? error.message : "usage: ipc_step BEFORE AFTER");
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
    const Eigen::MatrixXd x0 = positions_of(before), x1 = positions_of(after);
    const ipc::CollisionMesh mesh(x0, matrix_of(topology.edges()), matrix_of(topology.faces()));
    ipc::LBVH lbvh;
    graze::ipc_broad_phase broad;
    run("LBVH, Tight Inclusion", mesh, x0, x1, lbvh, ipc::TightInclusionCCD());
    run("LBVH, additive CCD", mesh, x0, x1, lbvh, ipc::AdditiveCCD());
    run("LBVH, graze", mesh, x0, x1, lbvh, graze::ipc_ccd());
    run("graze, graze", mesh, x0, x1, broad, graze::ipc_ccd());
    io_free_mesh(&before);
    io_free_mesh(&after);
    return 0;
}
