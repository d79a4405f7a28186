// graze on the threads of oneTBB: a program that has its threads in TBB's arena lends them to a context, and no others
// are started. The answer has the same bits as with graze's own threads.
#include <graze/graze.hpp>

#include <iostream>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

int main() {
    // two sheets of 60 × 60 cells that move towards each other
    constexpr int side = 61;
    std::vector<std::array<double, 3>> now, wanted;
    std::vector<std::array<int, 3>> faces;
    for (int sheet = 0; sheet < 2; sheet++)
        for (int i = 0; i < side * side; i++) {
            const double x = i % side + 0.3 * sheet, y = i / side + 0.4 * sheet, z = sheet + 0.2 * ((i * 7) % 5) / 5;
            now.push_back({x, y, z});
            wanted.push_back({x, y, z + (sheet ? -0.9 : 0.4)});
            const int at = sheet * side * side + i;
            if (i % side == side - 1 || i / side == side - 1) continue;
            faces.push_back({at, at + 1, at + side});
            faces.push_back({at + 1, at + side + 1, at + side});
        }

    graze::context_options options;
    options.threads = static_cast<uint32_t>(tbb::this_task_arena::max_concurrency()); // pieces that work is cut into
    options.parallel_for = [](std::size_t count, const std::function<void(std::size_t)> &piece) {
        tbb::parallel_for(std::size_t{0}, count, piece);
    };
    graze::context lent(options), own;
    const graze::mesh mesh = graze::mesh::from_faces(lent, now.size(), faces);
    const graze::step_result by_tbb = graze::step(lent, mesh, now, wanted),
                             by_graze = graze::step(own, mesh, now, wanted);
    std::cout << graze_verdict_name(by_tbb.verdict) << " at " << by_tbb.toi << " on " << options.threads
              << " threads of TBB\n";
    return by_tbb.verdict == GRAZE_HIT && by_tbb.toi == by_graze.toi ? 0 : 1;
}
