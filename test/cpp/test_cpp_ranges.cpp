/* Ranges, plans, clearances and swept volumes of the C++ front: what the C calls say, and what does not fit. */
#include "scene.hpp"

namespace {

const std::vector<position> rod = {{0, 0, -0.1}, {1, 0, -0.1}, {1, 0, 0.1}},
                            post = {{0, 0.5, -0.05}, {-1, 0.7, -0.5}, {-1, 0.7, 0.5}};
const std::vector<std::array<int, 3>> triangle = {{0, 1, 2}};

/// Two rods in a row, each on a revolute joint about z, and a post that both can reach.
struct arm_and_post {
    graze::context context;
    graze::model arm{context, links()}, obstacle = graze::model::obstacle(context, post, triangle);
    graze::world world{context, {graze::body(arm), graze::body(graze::link_mesh(post, triangle))}};
    const graze_model *c[2] = {arm.c(), obstacle.c()};

    static std::vector<graze::link> links() {
        std::vector<graze::link> made(2);
        for (graze::link &link : made) {
            link.joint = GRAZE_JOINT_REVOLUTE;
            link.meshes.push_back({rod, triangle});
        }
        made[1].parent = 0;
        made[1].origin = graze::frame({1.1, 0, 0});
        return made;
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

bool same_bits(const std::vector<double> &a, const double *b, std::size_t count) {
    if (!b || a.empty()) return !b && a.empty();
    return a.size() == count && std::memcmp(a.data(), b, count * sizeof *b) == 0;
}

/// Turns the first joint from −1 to `end` in two seconds.
graze::path turn_to(double end, uint32_t degree = 1) {
    graze::path made;
    made.degree = degree;
    for (uint32_t i = 0; i <= 2 * degree + 1; i++) made.knots.push_back(i > degree ? 2 : 0);
    for (uint32_t i = 0; i <= degree; i++) {
        made.control.push_back(-1 + (end + 1) * i / degree);
        made.control.push_back(0.1 * i);
    }
    return made;
}

graze_path c_path(const graze::path &path) {
    graze_path made = graze_default_path();
    made.degree = path.degree;
    made.count = path.control.size() / 2;
    made.knots = path.knots.data();
    made.control = path.control.data();
    return made;
}

int append(void *user, const char *text, size_t size) {
    static_cast<std::string *>(user)->append(text, size);
    return 0;
}

} // namespace

TEST(ranges_are_those_of_the_c_function) {
    arm_and_post scene;
    int seen[3] = {0, 0, 0};
    for (const double reach : {0.2, 1.2, 3.0}) {
        const std::vector<graze::joint_range> ranges = {{-1, reach}, graze::joint_range::following(0, -0.5, 0.1)};
        graze::range_options options;
        options.max_cells = reach == 1.2 ? 3 : 0;
        options.samples = reach == 1.2 ? 0 : 100;
        const auto made = graze::range_certificate(scene.context, {scene.arm, scene.obstacle}, ranges, options);
        graze_range_result found = graze_default_range_result();
        std::string text;
        CHECK(graze_range_certificate(scene.context.get(), scene.c, 2, ranges.data(), &options, append, &text,
                                      &found) == GRAZE_OK);
        CHECK(made.certificate == text && !text.empty() && made.cells == found.cells);
        CHECK(made.pairs.size() == found.pair_count && found.pair_count == 2);
        for (std::size_t i = 0; i < made.pairs.size(); i++) {
            const graze::range_pair &pair = made.pairs[i];
            const graze_range_pair &c = found.pairs[i];
            CHECK(pair.verdict == c.verdict && pair.reason == c.reason && pair.unresolved == c.unresolved &&
                  pair.cells == c.cells && pair.model_a == c.model_a && pair.link_a == c.link_a &&
                  pair.model_b == c.model_b && pair.link_b == c.link_b);
            CHECK(same_bits(pair.pose, c.pose, 2) && same_bits(pair.lower, c.lower, 2) &&
                  same_bits(pair.upper, c.upper, 2));
            seen[pair.verdict]++;
        }
        graze_range_release(scene.context.get(), &found);
        const auto plain = graze::articulated_range(scene.context, {scene.arm, scene.obstacle}, ranges, options);
        CHECK(plain.certificate.empty() && plain.pairs.size() == 2 && plain.cells == made.cells);
    }
    CHECK_MSG(seen[0] && seen[1] && seen[2], "%d %d %d", seen[0], seen[1], seen[2]);
    graze::range_options none;
    none.link_pairs.assign(9, 0);
    CHECK(graze::articulated_range(scene.context, {scene.arm, scene.obstacle}, {{0, 1}, {0, 1}}, none).pairs.empty());
}

TEST(plans_and_their_certificates_are_those_of_the_c_functions) {
    arm_and_post scene;
    for (const uint32_t degree : {1u, 3u, 7u})
        for (const double end : {0.1, 3.0}) {
            const graze::path path = turn_to(end, degree);
            const graze_path c = c_path(path);
            const graze_plan_result made = graze::world_plan(scene.context, scene.world, {path});
            graze_plan_result found = graze_default_plan_result();
            CHECK(graze_world_plan(scene.context.get(), scene.world.c(), &c, 1, nullptr, &found) == GRAZE_OK);
            CHECK(made.verdict == found.verdict && made.time == found.time && made.toi == found.toi &&
                  made.checks == found.checks && made.segments == 1);
            CHECK(made.verdict == (end > 1 ? GRAZE_HIT : GRAZE_CLEAR));
            const auto proof = graze::plan_certificate(scene.context, {scene.arm, scene.obstacle}, {path});
            CHECK(proof.result.verdict == (end > 1 ? GRAZE_UNRESOLVED : GRAZE_CLEAR));
            std::string text;
            CHECK(graze_plan_certificate(scene.context.get(), scene.c, 2, &c, 1, nullptr, append, &text, &found) ==
                  GRAZE_OK);
            CHECK(end > 1 ? proof.certificate.empty() : proof.certificate == text && !text.empty());
        }
}

TEST(clearances_of_motions_and_plans_are_those_of_the_c_functions) {
    arm_and_post scene;
    graze::clearance_options options;
    options.most = 0;
    options.gradients = 1;
    const graze::path path = turn_to(0.4);
    const graze_path c = c_path(path);
    const graze::motion first({-1, 0}, {0.4, 0.1}), back({0.4, 0.1}, {0, 0});
    const auto plan = graze::world_plan_clearance(scene.context, scene.world, {path}, options);
    const auto moved = graze::world_clearance(scene.context, scene.world, {{0, first}, {0, back}}, 2, options);
    graze_clearance_result found = graze_default_clearance_result();
    CHECK(graze_world_plan_clearance(scene.context.get(), scene.world.c(), &c, 1, &options, &found) == GRAZE_OK);
    CHECK(plan.pairs.size() == 2 && found.pair_count == 2 && plan.segments == 1 && plan.lower == found.lower);
    CHECK(plan.gradients.size() == 2 && moved.pairs.size() == 2 && plan.checks == found.checks);
    for (std::size_t i = 0; i < plan.pairs.size(); i++) {
        CHECK(std::memcmp(&plan.pairs[i], &found.pairs[i], sizeof plan.pairs[i]) == 0);
        CHECK(same_bits(plan.gradients[i], found.gradients + 2 * i, 2));
        CHECK(moved.pairs[i].segment == 0 && std::abs(moved.pairs[i].upper - plan.pairs[i].upper) < 1e-5);
    }
    graze_clearance_release(scene.context.get(), &found);
    CHECK(plan.pairs[0].lower > 0.01 &&
          graze::world_clearance(scene.context, scene.world, {{0, first}}).pairs.size() == 1);
}

TEST(swept_volumes_are_those_of_the_c_function) {
    arm_and_post scene;
    const graze::motion there({-1, 0}, {0.4, 0.1}), back({0.4, 0.1}, {0, 0});
    const auto made = graze::model_swept(scene.context, scene.arm, 1, {there, back}, graze::swept_options(0.1));
    graze_motion motions[2] = {graze_default_motion(), graze_default_motion()};
    motions[0].from = there.from.data(), motions[0].to = there.to.data();
    motions[1].from = back.from.data(), motions[1].to = back.to.data();
    graze_swept_options options = graze_default_swept_options();
    graze_swept_result found = graze_default_swept_result();
    options.size = 0.1;
    CHECK(graze_model_swept(scene.context.get(), scene.arm.c(), 1, motions, 2, &options, &found) == GRAZE_OK);
    CHECK(made.cells.size() == found.cell_count && made.whole && made.root_half == found.root_half);
    CHECK(std::memcmp(made.cells.data(), found.cells, found.cell_count * sizeof *found.cells) == 0);
    for (int i = 0; i < 3; i++) CHECK(made.counts[i] == found.counts[i] && made.root_center[i] == found.root_center[i]);
    CHECK(made.counts[GRAZE_CELL_TOUCHED] > 10);
    graze_swept_release(scene.context.get(), &found);
}

TEST(ranges_and_plans_that_do_not_fit_are_errors) {
    arm_and_post scene;
    const graze::models both = {scene.arm, scene.obstacle};
    const auto range_status = [&](const std::vector<graze::joint_range> &ranges, const graze::range_options &options) {
        return status_of([&] { graze::articulated_range(scene.context, both, ranges, options); });
    };
    graze::range_options table;
    table.link_pairs.assign(4, 1);
    CHECK(range_status({{0, 1}}, {}) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(range_status({{0, 1}, {1, 0}}, {}) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(range_status({{0, 1}, {0, 1}}, table) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(range_status({{0, 1}, {0, NAN}}, {}) == GRAZE_ERR_INVALID_ARGUMENT);

    graze::path wrong[4] = {turn_to(1), turn_to(1), turn_to(1), turn_to(1)};
    wrong[0].knots.pop_back();
    wrong[1].control.pop_back();
    wrong[2].body = 7;
    wrong[3].degree = 4000000000;
    for (const graze::path &path : wrong) {
        CHECK(status_of([&] { graze::world_plan(scene.context, scene.world, {path}); }) == GRAZE_ERR_INVALID_ARGUMENT);
        CHECK(status_of([&] { graze::plan_certificate(scene.context, both, {path}); }) == GRAZE_ERR_INVALID_ARGUMENT);
        CHECK(status_of([&] { graze::world_plan_clearance(scene.context, scene.world, {path}); }) ==
              GRAZE_ERR_INVALID_ARGUMENT);
    }
    try {
        graze::world_plan(scene.context, scene.world, {wrong[0]});
    } catch (const graze::error &error) {
        CHECK_MSG(std::strstr(error.what(), "knots: 3, not 4"), "%s", error.what());
    }
    std::error_code code;
    const graze_plan_result plan = graze::world_plan(scene.context, scene.world, {wrong[0]}, {}, code);
    CHECK(code && plan.verdict == GRAZE_UNRESOLVED && std::isinf(plan.time) && plan.time < 0);

    const graze::motion fits({0, 0}, {1, 1}), short_one({0}, {1});
    const auto closest = [&](const std::vector<graze::body_motion> &motions, std::size_t segments) {
        return status_of([&] { graze::world_clearance(scene.context, scene.world, motions, segments); });
    };
    CHECK(closest({{0, fits}}, 2) == GRAZE_ERR_INVALID_ARGUMENT &&
          closest({{0, fits}}, 0) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(closest({{0, short_one}}, 1) == GRAZE_ERR_INVALID_ARGUMENT);
    const auto sweep = [&](std::size_t link, const std::vector<graze::motion> &motions, double size) {
        return status_of(
            [&] { graze::model_swept(scene.context, scene.arm, link, motions, graze::swept_options(size)); });
    };
    CHECK(sweep(1, {fits}, 0) == GRAZE_ERR_INVALID_ARGUMENT && sweep(2, {fits}, 0.1) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(sweep(1, {}, 0.1) == GRAZE_ERR_INVALID_ARGUMENT && sweep(1, {short_one}, 0.1) == GRAZE_ERR_INVALID_ARGUMENT);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
