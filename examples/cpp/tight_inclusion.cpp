// A program written for Tight-Inclusion: the include is what changed.
#include <graze/compat/tight_inclusion.hpp>

#include <iostream>

int main() {
    const Eigen::Vector3d v_t0(0, 0, 1), v_t1(0, 0, -1), f0(-1, -1, 0), f1(2, -1, 0), f2(-1, 2, 0);
    const Eigen::Array3d err(-1, -1, -1); // ask for the bounds of this query
    const double ms = 1e-3, tolerance = 1e-6, t_max = 1;
    const long max_itr = 1000000;
    double toi, output_tolerance;
    const bool hit = ticcd::vertexFaceCCD(v_t0, f0, f1, f2, v_t1, f0, f1, f2, err, ms, toi, tolerance, t_max, max_itr,
                                          output_tolerance);
    std::cout << (hit ? "hit" : "clear") << " at " << toi << " within " << output_tolerance << '\n';
    return hit && toi <= 0.4995 && toi > 0.499 ? 0 : 1;
}
