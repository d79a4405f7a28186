// The matrices that programs with Eigen and libigl have: V of n × 3 doubles, F of m × 3 ints.
#include <graze/graze.hpp>

#include <Eigen/Core>
#include <iostream>

int main() {
    Eigen::MatrixXi F(2, 3);
    F << 0, 1, 2, 3, 4, 5;
    Eigen::MatrixXd V0(6, 3);
    V0 << 0, 0, 0, 1, 0, 0, 0, 1, 0, .2, .2, 1, 1.2, .2, 1.5, .2, 1.2, 1.5;
    Eigen::MatrixXd V1 = V0;
    V1.bottomRows(3).col(2).array() -= 2;

    graze::context context;
    const graze::mesh mesh = graze::mesh::from_faces(context, V0.rows(), F);
    const auto energy = [](graze::span<const std::array<double, 3>> x) {
        return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>>(x[0].data(), x.size(), 3)
            .col(2)
            .sum();
    };
    const graze::line_search_result found = graze::line_search(context, mesh, V0, V1, energy);
    Eigen::MatrixXd V(V0.rows(), 3);
    graze::write(found.x, V); // the motion from V0 to V is proven free
    std::cout << "step length " << found.alpha << ", energy " << found.energy << '\n' << V << '\n';
    return graze::step(context, mesh, V0, V).verdict == GRAZE_CLEAR && found.alpha > 0 ? 0 : 1;
}
