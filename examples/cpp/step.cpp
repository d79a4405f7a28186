// A step of a small cloth in C++: how far may it go, and where to? Positions are whatever the program has; here a
// vector of structs of its own.
#include <graze/graze.hpp>

#include <iostream>

struct particle { // position first; graze reads it where it lies
    double position[3];
    double mass;
    const double &operator[](std::size_t i) const { return position[i]; }
};

int main() {
    const std::vector<std::array<int, 3>> faces = {{0, 1, 2}, {3, 4, 5}};
    const std::vector<particle> now = {{{0, 0, 0}, 1},   {{1, 0, 0}, 1},      {{0, 1, 0}, 1},
                                       {{.2, .2, 1}, 1}, {{1.2, .2, 1.5}, 1}, {{.2, 1.2, 1.5}, 1}};
    std::vector<particle> wanted = now;
    for (std::size_t i = 3; i < 6; i++) wanted[i].position[2] -= 2;

    graze::context context; // one for each thread that calls
    const graze::mesh mesh = graze::mesh::from_faces(context, now.size(), faces);
    const graze::step_result found = graze::step(context, mesh, now, wanted);
    if (found.limiting)
        std::cout << graze_verdict_name(found.verdict) << " at " << found.toi << ": "
                  << graze_kind_name(found.limiting->pair.kind) << ' ' << found.limiting->pair.a << ' '
                  << found.limiting->pair.b << '\n';

    // positions that may be taken, as the doubles that they are
    const graze::safe_step taken = graze::step_to(context, mesh, now, wanted);
    std::cout << "go " << taken.result.alpha << " of the way: vertex 3 to z = " << taken.x[3][2] << '\n';
    return graze::step(context, mesh, now, taken.x).verdict == GRAZE_CLEAR ? 0 : 1;
}
