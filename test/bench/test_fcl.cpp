/* FCL as the benchmarks call it: the same distances and contacts of boxes as graze, where FCL is. */
#include "cpp/scene.hpp"

#ifdef GRAZE_WITH_FCL
#include "bench/articulated/fcl.h"

#include <cmath>

namespace {

struct placed {
    double frame[3][4];
    std::vector<double> values; ///< of a free joint
};

/// Anywhere in a cube around the origin, turned about z.
placed draw(test_random &random) {
    const double x = test_random_between(&random, -2, 2), y = test_random_between(&random, -2, 2),
                 z = test_random_between(&random, -2, 2), turn = test_random_between(&random, -3, 3);
    const double c = std::cos(turn), s = std::sin(turn);
    return {{{c, -s, 0, x}, {s, c, 0, y}, {0, 0, 1, z}}, {x, y, z, 0, 0, turn}};
}

const placed at_origin = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, {}};

/// Two boxes, as FCL and as graze have them.
struct boxes {
    graze::context context;
    graze::link_mesh moving = graze::shapes::box(context, {1, 0.5, 0.25}),
                     still = graze::shapes::box(context, {1, 1, 1});
    graze::world world = make();

    graze::world make() {
        graze::link link;
        link.joint = GRAZE_JOINT_FREE;
        link.meshes = {moving};
        const graze::model model(context, {link});
        return {context, {graze::body(model), graze::body(still)}};
    }
};

const double (*corners(const graze::link_mesh &mesh))[3] { return mesh.c().vertices; }
const uint32_t (*faces(const graze::link_mesh &mesh))[3] { return mesh.c().faces; }

bench_fcl_body *body_of(const graze::link_mesh &mesh, int volume) {
    return bench_fcl_body_make(volume, corners(mesh), mesh.vertices.size(), faces(mesh), mesh.faces.size());
}

} // namespace

TEST(distances_of_boxes_are_those_of_fcl) {
    boxes b;
    test_random random = {7};
    for (int volume = 0; volume < BENCH_FCL_VOLUMES; volume++) {
        bench_fcl_body *moving = body_of(b.moving, volume), *still = body_of(b.still, volume);
        for (int i = 0; i < 100; i++) {
            const placed at = draw(random);
            const double fcl = std::fmax(0, bench_fcl_distance(moving, at.frame, still, at_origin.frame));
            const auto found = graze::world_distance(b.context, b.world, {{0, {at.values, {}}}});
            CHECK_MSG(fcl >= found.gaps[0].lower - 1e-9 && fcl <= found.gaps[0].upper + 1e-9, "%g, not %g", fcl,
                      found.gaps[0].upper);
        }
        bench_fcl_body_free(moving);
        bench_fcl_body_free(still);
    }
}

TEST(poses_of_boxes_touch_where_fcl_says) {
    boxes b;
    test_random random = {8};
    const uint8_t pairs[4] = {0, 1, 1, 0};
    bench_fcl_scene *scene = bench_fcl_scene_make(pairs, 2);
    bench_fcl_scene_add(scene, corners(b.moving), 8, faces(b.moving), 12, 0, false);
    bench_fcl_scene_add(scene, corners(b.still), 8, faces(b.still), 12, 0, true);
    graze::articulated_options surfaces; // FCL does not look for what is inside
    int hits = 0;
    for (int i = 0; i < 300; i++) {
        const placed at = draw(random);
        bench_fcl_scene_place(scene, 0, at.frame);
        bench_fcl_scene_place(scene, 1, at_origin.frame);
        const bool hit = bench_fcl_scene_collides(scene);
        CHECK(hit == (graze::world_valid(b.context, b.world, {{0, {at.values, {}}}}, surfaces).verdict == GRAZE_HIT));
        hits += hit;
    }
    CHECK_MSG(hits > 10 && hits < 200, "%d", hits);
    bench_fcl_scene_free(scene);
}

#else
TEST(fcl_is_here) { test_skip("FCL was not found (Debian: libfcl-dev)"); }
#endif

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
