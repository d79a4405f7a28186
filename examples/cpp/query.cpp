// One pair in C++: a vertex falls through a triangle. When do they touch, exactly, and how is it proven?
#include <graze/graze.hpp>

#include <iostream>

int main() {
    const graze_query query = {{{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                               {{0.25, 0.25, -2}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    const graze_result result = graze::ccd(GRAZE_VF, query);
    const graze::truth exact(GRAZE_VF, query);
    std::cout.precision(17);
    std::cout << graze_verdict_name(result.verdict) << ": free until " << result.toi << "; exactly it is the root of";
    for (const std::string &coefficient : exact.polynomial()) std::cout << ' ' << coefficient; // -1 3: 3 t − 1 = 0
    std::cout << '\n';

    // errors are exceptions, or a std::error_code in the last place
    graze_query broken = query;
    broken.x1[0][2] = std::numeric_limits<double>::quiet_NaN();
    std::error_code code;
    const graze_result closed = graze::ccd(GRAZE_VF, broken, {}, code);
    std::cout << code.message() << ", so " << graze_verdict_name(closed.verdict) << " from " << closed.toi << '\n';
    return result.verdict == GRAZE_HIT && exact.compare(result.toi) <= 0 && code ? 0 : 1;
}
