/* Bodies with meshes of their own in the C++ front, steps that are taken, many worlds. */
#include "scene.hpp"

#include <algorithm>

namespace {

using points = std::vector<position>;

const std::vector<std::array<int, 3>> triangle = {{0, 1, 2}};
const points plate = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}, floor_corners = {{-4, -4, 0}, {4, -4, 0}, {0, 4, 0}};

points at(double height) {
    points moved = plate;
    for (position &x : moved) x[2] = height;
    return moved;
}

graze::body_motion::matrix raised(double height) { return {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, height}}}; }

struct plates {
    graze::context context;
    graze::mesh mesh = graze::mesh::from_faces(context, 3, triangle);

    graze::body ground() { return graze::body::standing(mesh, floor_corners); }
};

template <class Call> graze_status status_of(const Call &call) {
    try {
        call();
    } catch (const graze::error &error) {
        return error.status();
    }
    return GRAZE_OK;
}

} // namespace

TEST(bodies_of_every_kind_fall_to_the_floor_and_go_on_from_above_it) {
    plates scene;
    const points high = at(1), low = at(-1), third = at(1.0 / 3), lower = at(-1.0 / 3);
    const std::vector<std::pair<graze::body, graze::body_motion>> falls = {
        {graze::body::straight(scene.mesh), graze::body_motion::straight(1, high, low)},
        {graze::body::affine(scene.mesh, plate), graze::body_motion::affine(1, raised(1), raised(-1))},
        {graze::body::rigid(scene.mesh, plate),
         graze::body_motion::rigid(1, graze::frame({0, 0, 1}), graze::frame({0, 0, -1}))},
        {graze::body::cubic(scene.mesh), graze::body_motion::cubic(1, {high, third, lower, low})}};
    graze::articulated_options options;
    options.min_separation = 1e-3;
    for (const auto &[body, motion] : falls) {
        const graze::world world(scene.context, {scene.ground(), body});
        const graze::articulated_result found = graze::world_step(scene.context, world, {motion}, options);
        CHECK(found.verdict == GRAZE_HIT && found.toi <= 0.4995 && found.toi > 0.499);
        const graze::world_safe_step step = graze::world_step_to(scene.context, world, {motion}, options);
        CHECK(step.result.toi == found.toi && step.alpha <= found.toi && step.alpha > 0.499 && step.size() == 1);
        CHECK(graze::world_step_taken(scene.context, world, step, options).verdict == GRAZE_CLEAR);
        const graze::world_safe_step copy = step;
        CHECK(copy[0].body == 1 && &copy[0] == &step[0]);
    }
}

TEST(many_worlds_answer_as_each_alone_and_fail_by_themselves) {
    plates scene;
    std::vector<graze::body> bodies = {scene.ground()};
    std::vector<graze::body_motion> motions;
    std::vector<int32_t> world_of = {-1};
    for (int32_t i = 0; i < 9; i++) {
        bodies.push_back(graze::body::rigid(scene.mesh, plate));
        world_of.push_back(i);
        motions.push_back(graze::body_motion::rigid(static_cast<uint32_t>(i) + 1, graze::frame({0, 0, 1}),
                                                    graze::frame({0, 0, -2 + 0.5 * i}, {0.9, 0.1, 0.2, 0})));
    }
    const graze::worlds worlds(scene.context, graze::span<const graze::body>(bodies.data(), bodies.size()), world_of);
    const graze::world alone(scene.context, {scene.ground(), graze::body::rigid(scene.mesh, plate)});
    motions[4].own->pose1.position[0] = std::nan("");
    const graze::worlds_result found = graze::worlds_step(scene.context, worlds, motions);
    CHECK(worlds.size() == 9 && found.results.size() == 9);
    for (std::size_t w = 0; w < 9; w++) {
        CHECK((found.statuses[w] == GRAZE_OK) == (w != 4));
        if (w == 4) continue;
        graze::body_motion one = motions[w];
        one.body = 1;
        const graze::articulated_result own = graze::world_step(scene.context, alone, {one});
        CHECK(found.results[w].verdict == own.verdict && found.results[w].toi == own.toi);
    }
}

TEST(positions_that_do_not_fit_are_errors) {
    plates scene;
    const points few(2), high = at(1);
    CHECK(status_of([&] { graze::world(scene.context, {graze::body::rigid(scene.mesh, few)}); }) ==
          GRAZE_ERR_INVALID_ARGUMENT);
    const graze::world world(scene.context, {scene.ground(), graze::body::straight(scene.mesh)});
    CHECK(status_of([&] { graze::world_step(scene.context, world, {graze::body_motion::straight(1, high, few)}); }) ==
          GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(status_of([&] { graze::world_step(scene.context, world, {}); }) == GRAZE_ERR_INVALID_ARGUMENT);
    const std::vector<graze::body> bodies = {scene.ground()};
    CHECK(status_of([&] {
              graze::worlds(scene.context, graze::span<const graze::body>(bodies.data(), 1), {0, 1});
          }) == GRAZE_ERR_INVALID_ARGUMENT);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
