/* graze's functions in the place of IPC Toolkit's: held against exact arithmetic on every pair. */
#include "resident.h"
#include "toolkit_scene.hpp"

namespace {

using graze::ipc::compute_collision_free_stepsize;
using graze::ipc::is_step_collision_free;

constexpr int SCENES = 12;

/// Space and the plane by turns, with all kinds of pairs.
toolkit_scene scene_of(uint64_t seed, double reach = 0.4) { return {seed % 3 ? 3 : 2, 6, 3, 4, seed, reach}; }

/// The answer of exact arithmetic for these pairs, on the way to `end`.
struct expected {
    bool touches = false, touches_at_start = false;
    std::vector<graze::truth> contacts;

    expected(const toolkit_scene &scene, const std::vector<graze_pair> &pairs, const Eigen::MatrixXd &end,
             double separation = 0) {
        graze::truth_options options;
        options.min_separation = separation;
        for (const graze_pair &pair : pairs) {
            graze::truth truth(pair.kind, scene.query(pair, end), options);
            if (!truth.hit()) continue;
            touches = true;
            touches_at_start = touches_at_start || truth.compare(0) >= 0;
            contacts.push_back(std::move(truth));
        }
    }
    /// True if one of them is at t or earlier.
    bool by(double t) const {
        for (const graze::truth &truth : contacts)
            if (truth.compare(t) >= 0) return true;
        return false;
    }
};

void check_step(const toolkit_scene &scene, const std::vector<graze_pair> &pairs, double alpha,
                const Eigen::MatrixXd &x, double rescaling, double separation) {
    const expected truth(scene, pairs, scene.x1, separation);
    if (!truth.touches) {
        CHECK(alpha == 1 && x == scene.x1);
        return;
    }
    CHECK(alpha >= 0 && alpha < 1 && (alpha > 0) == !truth.touches_at_start);
    CHECK(truth.by(alpha / rescaling + 1e-3)); // no earlier than it has to be
    if (alpha > 0) CHECK(!truth.by(alpha));
    if (!truth.touches_at_start) CHECK(!expected(scene, pairs, x, separation).touches);
    CHECK((x - scene.x0 - alpha * (scene.x1 - scene.x0)).cwiseAbs().maxCoeff() < 1e-14);
}

} // namespace

TEST(a_step_of_a_toolkit_mesh_is_as_long_as_it_may_be_and_ends_free_of_contact) {
    long stopped = 0, whole = 0;
    for (uint64_t seed = 1; seed <= SCENES; seed++) {
        const toolkit_scene scene = scene_of(seed, seed % 4 ? 0.4 : 0.02);
        const auto pairs = scene.pairs(anything);
        for (const double separation : {0.0, 1e-3}) {
            const double rescaling = seed % 2 ? 0.8 : 0.5;
            Eigen::MatrixXd x;
            const double alpha =
                compute_collision_free_stepsize(scene.mesh, scene.x0, scene.x1, x, separation, rescaling);
            CHECK(alpha == compute_collision_free_stepsize(scene.mesh, scene.x0, scene.x1, separation, rescaling));
            check_step(scene, pairs, alpha, x, rescaling, separation);
            CHECK(is_step_collision_free(scene.mesh, scene.x0, scene.x1, separation) ==
                  !expected(scene, pairs, scene.x1, separation).touches);
            if (alpha > 0) CHECK(is_step_collision_free(scene.mesh, scene.x0, x, separation));
            stopped += alpha > 0 && alpha < 1, whole += alpha == 1;
        }
    }
    CHECK_MSG(stopped > 5 && whole > 1, "%ld stopped, %ld whole", stopped, whole);
}

TEST(a_state_far_from_the_origin_is_free_of_contact_as_it_is_rounded) {
    // a triangle goes down on another: gaps are as small as rounding there, or some thousand times as large
    long short_steps = 0;
    for (int i = 0; i < 400; i++) {
        test_random random = {static_cast<uint64_t>(i) + 1};
        const double far = 0x1p40, ulp = 0x1p-12,
                     gap = ulp * std::floor(std::exp2(test_random_between(&random, 1, 18)));
        toolkit_scene scene(3, 2, 0, 0, 5, 0);
        for (int v = 0; v < 6; v++) {
            scene.x0.row(v) << far + v % 3 % 2, far + v % 3 / 2, far + (v < 3 ? 0 : gap);
            scene.x1.row(v) << far + v % 3 % 2, far + v % 3 / 2,
                far + (v < 3 ? 0 : -ulp * std::floor(40 * test_random_unit(&random)));
        }
        scene.x0.bottomRows(3).leftCols(2).array() += 0.25;
        scene.x1.bottomRows(3).leftCols(2).array() += 0.25;
        Eigen::MatrixXd x;
        const double alpha = compute_collision_free_stepsize(scene.mesh, scene.x0, scene.x1, x);
        CHECK(alpha > 0 || gap < 8 * ulp);
        CHECK(!expected(scene, scene.pairs(anything), x).touches);
        short_steps += alpha < 1;
        if (gap < 0x1p-4) continue; // beyond it the step is free in whatever order it is rounded
        const Eigen::MatrixXd y = (1 - alpha) * scene.x0 + alpha * scene.x1;
        CHECK(!expected(scene, scene.pairs(anything), y).touches);
    }
    CHECK(short_steps > 300);
}

TEST(a_step_of_candidates_is_about_these_alone) {
    long shorter = 0;
    for (uint64_t seed = 1; seed <= SCENES; seed++) {
        const toolkit_scene scene = scene_of(seed);
        const auto all = scene.pairs(anything);
        std::vector<graze_pair> some;
        for (std::size_t i = seed % 5; i < all.size(); i += 5) some.push_back(all[i]);
        some.insert(some.end(), some.begin(), some.begin() + 3); // twice
        const ipc::Candidates candidates = scene.candidates(some);
        Eigen::MatrixXd x;
        const double alpha = compute_collision_free_stepsize(candidates, scene.mesh, scene.x0, scene.x1, x);
        CHECK(alpha == compute_collision_free_stepsize(candidates, scene.mesh, scene.x0, scene.x1));
        check_step(scene, some, alpha, x, 0.8, 0);
        CHECK(is_step_collision_free(candidates, scene.mesh, scene.x0, scene.x1) == (alpha == 1));
        const double of_all = compute_collision_free_stepsize(scene.mesh, scene.x0, scene.x1);
        CHECK(compute_collision_free_stepsize(scene.candidates(all), scene.mesh, scene.x0, scene.x1) == of_all);
        shorter += of_all < alpha;
    }
    CHECK(shorter > 2);
    const toolkit_scene scene = scene_of(1);
    CHECK(compute_collision_free_stepsize(ipc::Candidates(), scene.mesh, scene.x0, scene.x1) == 1);
}

namespace {

/// Patches that hold whole primitives, or not.
std::vector<int> patches_of(const toolkit_scene &scene, bool split) {
    std::vector<int> made;
    for (int v = 0; v < scene.x0.rows(); v++) made.push_back(split ? v % 3 : 7 * (v / 6));
    return made;
}

template <class Filter> void check_filter(toolkit_scene &scene, const Filter &filter, bool asks) {
    scene.mesh.can_collide = filter;
    graze::detail::topology topology;
    graze::detail::rules rules;
    topology.take(scene.mesh.num_vertices(), scene.mesh.edges(), scene.mesh.faces());
    rules.read(graze::detail::function_of(scene.mesh.can_collide), topology.components(), {});
    CHECK(rules.asks() == asks);
    Eigen::MatrixXd x;
    const double alpha = compute_collision_free_stepsize(scene.mesh, scene.x0, scene.x1, x);
    check_step(scene, scene.pairs(filter), alpha, x, 0.8, 0);
}

} // namespace

TEST(filters_of_a_toolkit_mesh_are_kept_and_those_that_are_known_are_not_asked) {
    for (uint64_t seed = 1; seed <= SCENES; seed++) {
        toolkit_scene scene = scene_of(seed);
        const ipc::CollisionMesh fresh;
        check_filter(scene, fresh.can_collide, false);
        for (const bool split : {false, true}) {
            check_filter(scene, graze::ipc::vertex_patches(patches_of(scene, split)), split);
            check_filter(scene, graze::ipc::static_obstacles(split ? 7 : 6), split);
#ifdef GRAZE_COMPAT_TOOLKIT_HAS_FILTERS
            const std::vector<int> patches = patches_of(scene, split);
            const Eigen::VectorXi ids = Eigen::Map<const Eigen::VectorXi>(patches.data(), scene.x0.rows());
            check_filter(scene, ipc::make_vertex_patches_filter(ids), split);
            check_filter(scene, ipc::make_static_obstacle_filter(split ? 7 : 6), split);
#endif
        }
        check_filter(
            scene, [](std::size_t i, std::size_t j) { return (i + j) % 3 != 0; }, true);
    }
}

#ifdef GRAZE_COMPAT_TOOLKIT_HAS_FILTERS
TEST(more_patches_than_are_looked_for_are_asked) {
    toolkit_scene scene(3, 80, 0, 0, 5, 0.1);
    Eigen::VectorXi patches(scene.x0.rows());
    for (int v = 0; v < patches.size(); v++) patches[v] = v / 3;
    check_filter(scene, ipc::make_vertex_patches_filter(patches), true);
    for (int v = 0; v < patches.size(); v++) patches[v] = v / 3 % 60;
    check_filter(scene, ipc::make_vertex_patches_filter(patches), false);
}

TEST(planes_end_a_step) {
    toolkit_scene scene(3, 1, 0, 0, 5, 0);
    scene.mesh.planes.emplace_back(Eigen::Vector3d(0, 0, 1), -scene.x0.col(2).minCoeff() + 0.25);
    scene.x1 = scene.x0;
    scene.x1.col(2).array() -= 1;
    const double alpha = compute_collision_free_stepsize(scene.mesh, scene.x0, scene.x1);
    CHECK(alpha > 0.12 && alpha <= 0.125 + 1e-12); // the stand-in goes half of the way to the plane
    CHECK(!is_step_collision_free(scene.mesh, scene.x0, scene.x1));
    CHECK(is_step_collision_free(scene.mesh, scene.x0, scene.x0));
    ipc::Candidates candidates;
    for (int v = 0; v < 3; v++) candidates.pv_candidates.emplace_back(scene.mesh.planes[0], v);
    CHECK(compute_collision_free_stepsize(candidates, scene.mesh, scene.x0, scene.x1) == alpha);
    CHECK(!is_step_collision_free(candidates, scene.mesh, scene.x0, scene.x1));
    graze_status status = GRAZE_OK;
    try {
        compute_collision_free_stepsize(scene.mesh, scene.x0, scene.x1, 0.1);
    } catch (const graze::error &error) {
        status = error.status();
    }
    CHECK(status == GRAZE_ERR_UNSUPPORTED);
}
#endif

TEST(a_filter_of_ones_own_is_asked_about_close_pairs_only_and_may_throw) {
    toolkit_scene scene(3, 300, 0, 0, 9, 0.05);
    std::atomic<long> calls{0};
    scene.mesh.can_collide = [&](std::size_t, std::size_t) { return ++calls, false; };
    CHECK(compute_collision_free_stepsize(scene.mesh, scene.x0, scene.x1) == 1);
    const long asked = calls;
    graze::ipc_broad_phase broad;
    std::vector<ipc::EdgeEdgeCandidate> ee;
    std::vector<ipc::FaceVertexCandidate> fv;
    broad.build(scene.x0, scene.x1, scene.mesh.edges(), scene.mesh.faces());
    broad.detect_edge_edge_candidates(ee), broad.detect_face_vertex_candidates(fv);
    const long listed = static_cast<long>(4 * ee.size() + 3 * fv.size());
    CHECK_MSG(asked > 0 && 2 * asked < listed, "asked %ld times, %ld for all", asked, listed);
    scene.mesh.can_collide = [](std::size_t, std::size_t) -> bool { throw 42; };
    int caught = 0;
    try {
        compute_collision_free_stepsize(scene.mesh, scene.x0, scene.x1);
    } catch (const int number) {
        caught = number;
    }
    CHECK(caught == 42);
    scene.mesh.can_collide = anything;
    CHECK(compute_collision_free_stepsize(scene.mesh, scene.x0, scene.x1) < 1);
}

TEST(another_mesh_at_the_same_address_is_noticed) {
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ipc::CollisionMesh mesh;
        for (const uint64_t which : {seed, seed + 1, seed, seed + 20}) {
            const toolkit_scene scene = scene_of(which);
            mesh = scene.mesh;
            Eigen::MatrixXd x;
            const double alpha = compute_collision_free_stepsize(mesh, scene.x0, scene.x1, x);
            CHECK(alpha == compute_collision_free_stepsize(scene.mesh, scene.x0, scene.x1));
        }
        // as many vertices, edges and faces as before
        const toolkit_scene scene(3, 3, 0, 0, seed, 0.4);
        ipc::Candidates one;
        one.ee_candidates.emplace_back(0, 1);
        mesh = scene.mesh;
        bool shared = false;
        try {
            compute_collision_free_stepsize(one, mesh, scene.x0, scene.x1);
        } catch (const graze::error &) {
            shared = true;
        }
        Eigen::MatrixXi edges = scene.mesh.edges();
        edges.row(0).swap(edges.row(3));
        mesh = ipc::CollisionMesh(scene.x0, edges, scene.mesh.faces());
        CHECK(shared && compute_collision_free_stepsize(one, mesh, scene.x0, scene.x1) > 0);
    }
}

TEST(bad_input_of_a_toolkit_step_is_one_clear_error) {
    const toolkit_scene scene = scene_of(1);
    const auto message = [](const auto &call) -> std::string {
        try {
            call();
        } catch (const graze::error &error) {
            return error.what();
        }
        return "none";
    };
    Eigen::MatrixXd bad = scene.x1, x;
    bad(2, 1) = NAN;
    const Eigen::MatrixXd narrow = scene.x1.leftCols(1), few = scene.x1.topRows(5);
    const auto to = [&](const Eigen::MatrixXd &end, double distance = 0) {
        return message([&] { compute_collision_free_stepsize(scene.mesh, scene.x0, end, x, distance); });
    };
    CHECK(to(scene.x1) == "none");
    CHECK(to(bad).find("vertex 2") != std::string::npos);
    CHECK(to(narrow).find("× 1") != std::string::npos);
    CHECK(to(few).find("a matrix of 5 × 3") != std::string::npos);
    CHECK(to(scene.x1, -1) != "none" && to(scene.x1, NAN) != "none");
    ipc::Candidates candidates;
    candidates.ee_candidates.emplace_back(0, 1); // of one triangle
    const auto listed = [&] {
        return message([&] { compute_collision_free_stepsize(candidates, scene.mesh, scene.x0, scene.x1); });
    };
    CHECK(listed().find("share a vertex") != std::string::npos);
    candidates.ee_candidates[0] = {0, 4000};
    CHECK(listed().find("4000") != std::string::npos);
    candidates.ee_candidates[0] = {-1, 0};
    CHECK(listed() != "none");
}

TEST(many_calls_on_many_meshes_leave_nothing_behind) {
    const auto round = [](uint64_t calls) {
        for (uint64_t i = 0; i < calls; i++) {
            const toolkit_scene scene(3, 1, 1, 2, i % 7);
            compute_collision_free_stepsize(scene.mesh, scene.x0, scene.x1);
            is_step_collision_free(scene.candidates({}), scene.mesh, scene.x0, scene.x1);
        }
    };
    round(1000);
    const long before = resident_pages();
    round(10000);
    CHECK_MSG(resident_pages() - before < 512, "%ld pages more", resident_pages() - before);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
