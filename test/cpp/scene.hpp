/// Two sheets of triangles that pass through each other, and a few queries: what the tests of the C++ front ask about.
#ifndef GRAZE_TEST_CPP_SCENE_HPP
#define GRAZE_TEST_CPP_SCENE_HPP

#include "check.h"
#include "graze/graze.hpp"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>

using position = std::array<double, 3>;

struct sheets {
    std::vector<std::array<uint32_t, 3>> faces;
    std::vector<position> x0, x1;

    explicit sheets(uint32_t side = 6) {
        test_random random = {7};
        for (uint32_t sheet = 0; sheet < 2; sheet++) add(sheet, side, random);
    }

  private:
    void add(uint32_t sheet, uint32_t side, test_random &random) {
        const auto first = static_cast<uint32_t>(x0.size());
        for (uint32_t i = 0; i < side * side; i++) {
            const double jitter = test_random_between(&random, -0.1, 0.1), height = sheet ? 1 : -1;
            x0.push_back({i % side + jitter, i / side - jitter, height + jitter});
            x1.push_back({i % side - jitter, i / side + 2 * jitter, 3 * jitter - height});
        }
        for (uint32_t i = 0; i + 1 < side; i++)
            for (uint32_t j = 0; j + 1 < side; j++) {
                const uint32_t v = first + i * side + j;
                faces.push_back({v, v + 1, v + side});
                faces.push_back({v + 1, v + side + 1, v + side});
            }
    }
};

inline std::vector<graze_query> random_queries(std::size_t count, uint64_t seed) {
    std::vector<graze_query> queries(count);
    test_random random = {seed};
    for (graze_query &query : queries)
        for (auto *x : {&query.x0, &query.x1})
            for (auto &row : *x)
                for (double &number : row) number = test_random_between(&random, -1, 1);
    return queries;
}

/// Every field, bit for bit.
inline bool same_result(const graze_result &a, const graze_result &b) {
    const auto same = [](double p, double q) { return std::memcmp(&p, &q, sizeof p) == 0; };
    bool equal = a.verdict == b.verdict && a.reason == b.reason && a.proven == b.proven && a.checks == b.checks &&
                 same(a.toi, b.toi) && same(a.toi_upper, b.toi_upper) && same(a.u, b.u) && same(a.v, b.v);
    for (int c = 0; c < 3; c++) equal = equal && same(a.point[c], b.point[c]) && same(a.normal[c], b.normal[c]);
    return equal;
}

/// Counts the blocks that are in use.
struct counting_allocator {
    std::atomic<long> blocks{0};
    graze_allocator c{[](void *self, std::size_t size, std::size_t alignment) -> void * {
                          static_cast<counting_allocator *>(self)->blocks++;
                          return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
                      },
                      [](void *self, void *block, std::size_t) {
                          static_cast<counting_allocator *>(self)->blocks--;
                          std::free(block);
                      },
                      this};
};

inline bool same_pair(const graze_pair &a, const graze_pair &b) { return a.kind == b.kind && a.a == b.a && a.b == b.b; }

#endif
