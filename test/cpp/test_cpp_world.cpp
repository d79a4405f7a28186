/* Worlds of the C++ front: the bits of calls with models, versions, rules, filters, and what does not fit. */
#include "scene.hpp"

#include <thread>

namespace {

const std::vector<position> rod = {{0, 0, -0.1}, {1, 0, -0.1}, {1, 0, 0.1}},
                            post = {{0, 0.5, -0.05}, {-1, 0.7, -0.5}, {-1, 0.7, 0.5}};
const std::vector<std::array<int, 3>> triangle = {{0, 1, 2}};
const double half_turn = 3.141592653589793;

/// Two rods in a row, each on a revolute joint about z.
std::vector<graze::link> arm_links() {
    std::vector<graze::link> links(2);
    for (graze::link &link : links) {
        link.joint = GRAZE_JOINT_REVOLUTE;
        link.meshes.push_back({rod, triangle});
    }
    links[1].parent = 0;
    links[1].origin = graze::frame({1.1, 0, 0});
    return links;
}

struct arm_and_post {
    graze::context context;
    graze::model arm{context, arm_links()}, obstacle = graze::model::obstacle(context, post, triangle);

    graze::world world(const graze::world_options &options = {}) {
        return {context, {graze::body(arm), graze::body(graze::link_mesh(post, triangle))}, options};
    }
    graze_verdict swing(const graze::world &world) {
        return graze::world_step(context, world, {{0, {{}, {half_turn, 0}}}}).verdict;
    }
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

TEST(steps_batches_and_poses_of_a_world_are_those_of_its_models) {
    arm_and_post scene;
    const graze::world world = scene.world();
    CHECK(world.bodies() == 2 && world.links(0) == 2 && world.values(0) == 2 && world.values(1) == 0);
    CHECK(world.joint(0, 1) == GRAZE_JOINT_REVOLUTE && world.joint(1, 0) == GRAZE_JOINT_FIXED);
    CHECK(world.joint(0, 2) == GRAZE_JOINT_FIXED && world.joint(7, 0) == GRAZE_JOINT_FIXED);
    std::vector<graze::body_motion> paths;
    long hits = 0, clear = 0;
    for (int i = 0; i < 40; i++) {
        const graze::motion motion({0.01 * i, 0.1}, {0.1 * i, 2 - 0.05 * i});
        paths.push_back({0, motion});
        for (const auto mode : {GRAZE_ARTICULATED_EARLIEST, GRAZE_ARTICULATED_ANY, GRAZE_ARTICULATED_ALL}) {
            const graze::articulated_options options(mode);
            const auto expected =
                graze::articulated_step(scene.context, {scene.arm, scene.obstacle}, {motion, {}}, options);
            const auto found = graze::world_step(scene.context, world, {{0, motion}}, options);
            CHECK(found.verdict == expected.verdict && found.toi == expected.toi && found.checks == expected.checks);
            CHECK(found.contact.has_value() == expected.contact.has_value());
            CHECK(found.contacts.size() == expected.contacts.size());
            hits += found.verdict == GRAZE_HIT, clear += found.verdict == GRAZE_CLEAR;
        }
    }
    CHECK_MSG(hits > 20 && clear > 20, "%ld hits, %ld clear", hits, clear);
    const auto batch = graze::world_batch(scene.context, world, paths, 1);
    CHECK(batch.size() == paths.size());
    for (std::size_t i = 0; i < batch.size(); i++) {
        const auto one = graze::world_step(scene.context, world, {paths[i]});
        CHECK(one.verdict == batch[i].verdict && one.toi == batch[i].toi);
    }
    CHECK(graze::world_valid(scene.context, world, {{0, {{0, 0}, {}}}}).verdict == GRAZE_CLEAR);
    CHECK(graze::world_valid(scene.context, world, {{0, {{half_turn / 2, 0}, {}}}}).verdict == GRAZE_HIT);
    const graze::articulated_options all(GRAZE_ARTICULATED_ALL);
    CHECK(graze::world_valid(scene.context, world, {{0, {{half_turn / 2, 0}, {}}}}, all).contacts.size() == 1);
}

TEST(versions_leave_the_world_that_they_are_made_of) {
    arm_and_post scene;
    const graze::world first = scene.world(), copy = first;
    CHECK(scene.swing(first) == GRAZE_HIT);
    const graze::world away = first.update(scene.context, {graze::world_change::place(1, 0, graze::frame({0, 5, 0}))});
    CHECK(scene.swing(away) == GRAZE_CLEAR && scene.swing(first) == GRAZE_HIT && scene.swing(copy) == GRAZE_HIT);
    CHECK(scene.swing(away.update(scene.context, {graze::world_change::pad(1, 0, 4)})) == GRAZE_HIT);
    graze::link held;
    held.parent = 1;
    held.meshes.push_back({rod, triangle});
    held.meshes[0].scale = {6, 1, 1};
    const graze::world holding = away.update(scene.context, {graze::world_change::attach(0, held)});
    CHECK(holding.links(0) == 3 && scene.swing(holding) == GRAZE_HIT);
    const auto skip = graze::world_change::rule(graze::world_pair::skip({0, 2}, {1}));
    CHECK(scene.swing(holding.update(scene.context, {skip})) == GRAZE_CLEAR);
    CHECK(scene.swing(holding.update(scene.context, {skip, graze::world_change::detach(0)})) == GRAZE_CLEAR);
    CHECK(holding.update(scene.context, {graze::world_change::detach(0)}).links(0) == 2);
}

TEST(rules_and_filters_reach_the_world) {
    arm_and_post scene;
    CHECK(scene.swing(scene.world({graze::world_pair::skip({0}, {1})})) == GRAZE_CLEAR);
    CHECK(scene.swing(scene.world({graze::world_pair::skip({0}, {1}), graze::world_pair::test({0, 0}, {1})})) ==
          GRAZE_HIT);
    const graze::world apart = scene.world({graze::world_pair::apart({0}, {1}, 1)});
    CHECK(graze::world_valid(scene.context, apart, {}).verdict == GRAZE_HIT); // 0.5 away
    graze::world_options asked;
    int questions = 0;
    asked.filter = [&](const graze::side &a, const graze::side &b, double &) {
        questions++;
        return a.body != b.body ? GRAZE_PAIR_SKIP : GRAZE_PAIR_TEST;
    };
    const graze::world filtered = scene.world(asked);
    CHECK(questions > 0 && scene.swing(filtered) == GRAZE_CLEAR);
    const int before = questions;
    const graze::world next =
        filtered.update(scene.context, {graze::world_change::place(1, 0, graze::frame({0, 0, 1}))});
    CHECK(questions > before); // the filter outlives the options
    asked.filter = [](const graze::side &, const graze::side &, double &) -> graze_pair_rule { throw 7; };
    int caught = 0;
    try {
        scene.world(asked);
    } catch (int number) {
        caught = number;
    }
    CHECK(caught == 7);
}

TEST(what_does_not_fit_a_world_is_an_error) {
    arm_and_post scene;
    const graze::world world = scene.world();
    graze::context moved_from, taken = std::move(moved_from);
    const graze::link_mesh flat(std::vector<double>{1, 2}, triangle);
    const std::vector<std::function<void()>> calls = {
        [&] { graze::world(scene.context, {graze::body(flat)}); },
        [&] { graze::world(moved_from, {graze::body(scene.arm)}); },
        [&] {
            scene.world({graze::world_pair::skip({0, 5}, {1})});
        },
        [&] { scene.world({graze::world_pair::apart({0}, {1}, -1)}); },
        [&] { world.update(scene.context, {graze::world_change::place(2, 0, {})}); },
        [&] { world.update(scene.context, {graze::world_change::pad(0, 0, -1)}); },
        [&] {
            graze::world_step(scene.context, world, {{0, {{1}, {}}}});
        },
        [&] {
            graze::world_step(scene.context, world, {{2, {}}});
        },
        [&] {
            graze::world_step(scene.context, world, {{0, {{}, {NAN, 0}}}});
        },
        [&] { graze::world_step(moved_from, world, {}); },
        [&] {
            graze::world_batch(scene.context, world, {{0, {}}, {0, {}}, {0, {}}}, 2);
        },
        [&] {
            graze::articulated_options options;
            options.link_pairs = {1};
            graze::world_step(scene.context, world, {}, options);
        },
    };
    for (std::size_t i = 0; i < calls.size(); i++) CHECK_MSG(status_of(calls[i]) != GRAZE_OK, "call %zu", i);
    std::error_code code;
    const auto closed = graze::world_step(scene.context, world, {{2, {}}}, {}, code);
    CHECK(code && closed.verdict == GRAZE_UNRESOLVED && closed.toi == 0);
    const graze::world none(scene.context, {graze::body(flat)}, {}, code);
    CHECK(code && none.bodies() == 0 && none.values(0) == 0 && !none.c());
    graze::world_step(scene.context, none, {}, {}, code);
    CHECK(code == graze::error_code(GRAZE_ERR_INVALID_ARGUMENT));
}

TEST(worlds_outlive_contexts_and_models_and_threads_share_them) {
    counting_allocator counting;
    {
        std::vector<graze::world> versions;
        {
            graze::context_options options;
            options.allocator = &counting.c;
            graze::context context(options), second(options), third(options);
            const graze::model arm(third, arm_links());
            versions.push_back({context, {graze::body(arm), graze::body(graze::link_mesh(post, triangle))}});
            versions.push_back(versions[0].update(second, {graze::world_change::pad(0, 0, 0.01)}));
        }
        versions.erase(versions.begin());
        CHECK(counting.blocks > 0);
        std::array<graze_verdict, 4> found;
        std::vector<std::thread> threads;
        for (graze_verdict &verdict : found)
            threads.emplace_back([&verdict, world = versions[0]] {
                graze::context own;
                verdict = graze::world_step(own, world, {{0, {{}, {half_turn, 0}}}}).verdict;
            });
        for (std::thread &thread : threads) thread.join();
        for (const graze_verdict verdict : found) CHECK(verdict == GRAZE_HIT);
    }
    CHECK_MSG(counting.blocks == 0, "%ld blocks are left", counting.blocks.load());
}

/* ---- shapes and distances ---- */

/// A ball and a smaller one beside it in one link, on a free joint; a box below.
struct balls_and_box {
    graze::context context;
    graze::world world = make();

    graze::world make() {
        graze::link link;
        link.joint = GRAZE_JOINT_FREE;
        link.meshes = {graze::shapes::sphere(context, 0.5),
                       graze::shapes::sphere(context, 0.125, graze::frame({2, 0, 0}))};
        const graze::model balls(context, {link});
        return {context, {graze::body(balls), graze::body(graze::shapes::box(context, {8, 8, 1}))}};
    }
    graze_verdict at(double height, double tilt) {
        return graze::world_valid(context, world, {{0, {{0, 0, height, 0, tilt, 0}, {}}}}).verdict;
    }
};

TEST(shapes_of_one_link_have_radii_of_their_own) {
    balls_and_box scene;
    CHECK(scene.at(1.001, 0) == GRAZE_CLEAR && scene.at(0.999, 0) == GRAZE_HIT); // the large ball, on the box at 0.5
    const double tilt = half_turn / 2;                                           // about y: the small one is 2 below
    CHECK(scene.at(2.626, tilt) == GRAZE_CLEAR && scene.at(2.624, tilt) == GRAZE_HIT);
}

/// The mesh has the bits of what a C function makes.
template <class Make> void check_shape(graze::context &context, const graze::link_mesh &mesh, const Make &make) {
    graze_shape shape = graze_default_shape();
    CHECK(make(&shape) == GRAZE_OK && mesh.radius == 0.25 && shape.radius == 0.25 && mesh.columns() == 3);
    CHECK(mesh.vertices.size() == shape.mesh.vertex_count && mesh.faces.size() == shape.mesh.face_count);
    CHECK(std::memcmp(mesh.vertices.data(), shape.mesh.vertices, mesh.vertices.size() * sizeof(position)) == 0);
    CHECK(std::memcmp(mesh.faces.data(), shape.mesh.faces, mesh.faces.size() * sizeof(mesh.faces[0])) == 0);
    graze_shape_release(context.get(), &shape);
}

TEST(every_shape_has_the_triangles_and_the_radius_of_the_c_function) {
    graze::context context;
    graze_context *c = context.get();
    graze_height_map map = graze_default_height_map();
    const std::array<double, 4> heights = {1, 2, 3, 4};
    map.rows = map.columns = 2;
    map.heights = heights.data();
    const std::array<double, 3> size = {1, 2, 3};
    const std::vector<position> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const auto *x = reinterpret_cast<const double(*)[3]>(corners.data());
    namespace shapes = graze::shapes;
    const double r = 0.25;
    check_shape(context, shapes::sphere(context, r), [&](graze_shape *s) { return graze_shape_sphere(c, r, s); });
    check_shape(context, shapes::capsule(context, 1, r),
                [&](graze_shape *s) { return graze_shape_capsule(c, 1, r, s); });
    check_shape(context, shapes::box(context, size, r),
                [&](graze_shape *s) { return graze_shape_box(c, size.data(), r, s); });
    check_shape(context, shapes::cylinder(context, 1, 2, r),
                [&](graze_shape *s) { return graze_shape_cylinder(c, 1, 2, r, s); });
    check_shape(context, shapes::hull(context, corners, r),
                [&](graze_shape *s) { return graze_shape_hull(c, x, 4, r, s); });
    check_shape(context, shapes::points(context, corners, r),
                [&](graze_shape *s) { return graze_shape_points(c, x, 4, r, s); });
    check_shape(context, shapes::height_map(context, map, r),
                [&](graze_shape *s) { return graze_shape_height_map(c, &map, r, s); });
    CHECK(status_of([&] { graze::shapes::sphere(context, -1); }) == GRAZE_ERR_INVALID_ARGUMENT);
    std::error_code code;
    CHECK(graze::shapes::hull(context, {{0, 0, 0}}, 0, {}, code).faces.empty() && code);
}

TEST(distances_of_a_world_are_those_of_the_c_function) {
    arm_and_post scene;
    const graze::world world = scene.world();
    graze::world_distance_options options;
    options.most = 0;
    options.gradients = 1;
    const graze::motion pose({0.3, 0.4}, {});
    const auto found = graze::world_distance(scene.context, world, {{0, pose}}, options);
    CHECK(found.gaps.size() == 2 && found.gradients.size() == 2 && found.lower == INFINITY);
    for (std::size_t i = 0; i < 2; i++) {
        const graze_link_gap &gap = found.gaps[i];
        CHECK(gap.body_a == 0 && gap.body_b == 1 && gap.lower <= gap.upper && found.gradients[i].size() == 2);
        double squared = 0;
        for (int c = 0; c < 3; c++) squared += std::pow(gap.point_a[c] - gap.point_b[c], 2);
        CHECK(std::fabs(std::sqrt(squared) - gap.upper) < 1e-9);
    }
    CHECK(found.gaps[0].upper <= found.gaps[1].upper);
    const auto closest = graze::world_distance(scene.context, world, {{0, pose}});
    CHECK(closest.gaps.size() == 1 && closest.gaps[0].link_a == found.gaps[0].link_a && closest.gradients.empty());
    std::error_code code;
    options.distance = -1;
    CHECK(graze::world_distance(scene.context, world, {{0, pose}}, options, code).gaps.empty() && code);
    CHECK(graze::world_distance(scene.context, world, {{0, graze::motion({1}, {})}}, {}, code).lower == 0 && code);
}

TEST(derivatives_of_a_time_of_contact_are_those_of_differences) {
    arm_and_post scene;
    const graze::world world = scene.world();
    const graze::motion motion({0.2, 0.1}, {half_turn, 0.1});
    const auto found = graze::world_step(scene.context, world, {{0, motion}});
    CHECK(found.verdict == GRAZE_HIT && found.contact);
    const auto gradient = graze::world_toi_gradient(scene.context, world, {{0, motion}}, *found.contact);
    CHECK(gradient.from.size() == 2 && gradient.to.size() == 2);
    const double step = 0x1p-16;
    for (const bool at_end : {false, true}) {
        graze::motion before = motion, after = motion;
        (at_end ? before.to : before.from)[0] -= step;
        (at_end ? after.to : after.from)[0] += step;
        const double change = graze::world_step(scene.context, world, {{0, after}}).toi -
                              graze::world_step(scene.context, world, {{0, before}}).toi;
        CHECK(std::fabs(change / (2 * step) - (at_end ? gradient.to : gradient.from)[0]) < 1e-3);
    }
    graze_link_contact other = *found.contact;
    other.link_a = 9;
    std::error_code code;
    CHECK(graze::world_toi_gradient(scene.context, world, {{0, motion}}, other, {}, code).from.empty() && code);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
