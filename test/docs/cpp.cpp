// Runs the functions of docs/cpp.md: an answer by codes, and a step by a stand-in for IPC Toolkit with graze inside.
#include <cmath>

int main() {
    graze_query query = {{{0, 0, 1}, {1, 0, 1}, {.5, -1, 0}, {.5, 1, 0}},
                         {{0, 0, -1}, {1, 0, -1}, {.5, -1, 0}, {.5, 1, 0}}};
    const graze_result hit = answer(query);
    if (hit.verdict != GRAZE_HIT || !(hit.toi > 0.49 && hit.toi < 0.5)) return 1;
    query.x0[0][0] = std::nan("");
    const graze_result refused = answer(query);
    if (refused.verdict != GRAZE_UNRESOLVED || refused.toi != 0) return 2;

    Eigen::MatrixXd x0(4, 3), x1(4, 3);
    x0 << 0, 0, 0, 1, 0, 0, 0, 1, 0, .25, .25, 1;
    x1 = x0;
    x1(3, 2) = -1;
    const ipc::CollisionMesh mesh{Eigen::RowVector3i(0, 1, 2)};
    const double step = step_size(mesh, x0, x1);
    return step > 0.4 && step < 0.5 && step_size(mesh, x0, x0) == 1 ? 0 : 3;
}
