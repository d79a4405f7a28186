// Runs the functions of docs/cpp.md: an answer by codes, and steps of a stand-in for IPC Toolkit, by graze and with
// graze inside.
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
    Eigen::MatrixXi edges(3, 2);
    edges << 0, 1, 1, 2, 2, 0;
    const ipc::CollisionMesh mesh(x0, edges, Eigen::RowVector3i(0, 1, 2));
    const double handed_in = step_size(mesh, x0, x1);
    if (!(handed_in > 0.4 && handed_in < 0.5 && step_size(mesh, x0, x0) == 1)) return 3;
    Eigen::MatrixXd x;
    const double alpha = step(mesh, x0, x1, x);
    return alpha > 0.399 && alpha <= 0.4 && x(3, 2) > 0.19 && x(3, 2) < 0.21 ? 0 : 4;
}
