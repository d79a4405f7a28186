/* graze inside OMPL: motions and states of its own spaces, by its own interpolation. */
#include "scene.hpp"

#ifdef GRAZE_WITH_OMPL
#include "graze/compat/ompl.hpp"

#include <ompl/base/ConstrainedSpaceInformation.h>
#include <ompl/base/Constraint.h>
#include <ompl/base/spaces/DiscreteStateSpace.h>
#include <ompl/base/spaces/TimeStateSpace.h>
#include <ompl/base/spaces/constraint/ProjectedStateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>

#include <ompl/util/RandomNumbers.h>

#include <cmath>
#include <thread>

namespace ob = ompl::base;

namespace {

const double pi = 3.141592653589793;
const std::vector<std::array<int, 3>> triangle = {{0, 1, 2}};

/// From its joint to x = 1, in the plane of x and z.
graze::link_mesh rod() { return {std::vector<position>{{0, 0, -0.1}, {1, 0, -0.1}, {1, 0, 0.1}}, triangle}; }
/// An upright edge at an angle, half way to the end of a rod, and a triangle that goes on outward from it.
graze::link_mesh post(double angle) {
    const double x = std::cos(angle), y = std::sin(angle);
    return {std::vector<position>{{0.5 * x, 0.5 * y, -1}, {0.5 * x, 0.5 * y, 1}, {2 * x, 2 * y, 0}}, triangle};
}
/// A closed tetrahedron.
graze::link_mesh solid(double size) {
    return {std::vector<position>{{size, size, size}, {size, -size, -size}, {-size, size, -size}, {-size, -size, size}},
            std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}};
}

graze::link on(graze_joint_kind joint, graze::link_mesh mesh, int32_t parent = -1, const graze::frame &origin = {}) {
    graze::link made;
    made.joint = joint;
    made.parent = parent;
    made.origin = origin;
    made.meshes.push_back(std::move(mesh));
    return made;
}

graze::world world_of(graze::context &context, const std::vector<graze::link> &links,
                      std::vector<graze::link_mesh> still, const graze::world_options &options = {}) {
    const graze::model moving(context, links);
    return graze::world(context, {graze::body(moving), graze::body(std::move(still))}, options);
}

std::shared_ptr<ob::RealVectorStateSpace> vectors(unsigned size, double low, double high) {
    auto space = std::make_shared<ob::RealVectorStateSpace>(size);
    space->setBounds(low, high);
    return space;
}

std::shared_ptr<ob::SE2StateSpace> plane() {
    auto space = std::make_shared<ob::SE2StateSpace>();
    ob::RealVectorBounds bounds(2);
    bounds.setLow(-2);
    bounds.setHigh(2);
    space->setBounds(bounds);
    return space;
}

std::shared_ptr<ob::SE3StateSpace> room() {
    auto space = std::make_shared<ob::SE3StateSpace>();
    ob::RealVectorBounds bounds(3);
    bounds.setLow(-2);
    bounds.setHigh(2);
    space->setBounds(bounds);
    return space;
}

/// The space, scene and motion validator that a planner is given.
struct setup {
    ob::SpaceInformationPtr si;
    std::shared_ptr<graze::ompl_scene> scene;
    std::shared_ptr<graze::ompl_motion_validator> motions;

    setup(const ob::StateSpacePtr &space, const graze::world &world,
          const std::vector<graze::ompl_joints> &joints = {graze::ompl_joints()},
          const graze::ompl_options &options = {})
        : si(std::make_shared<ob::SpaceInformation>(space)),
          scene(std::make_shared<graze::ompl_scene>(space, world, joints, options)),
          motions(std::make_shared<graze::ompl_motion_validator>(si, scene)) {
        si->setStateValidityChecker(std::make_shared<graze::ompl_state_checker>(si, scene));
        si->setMotionValidator(motions);
        si->setup();
    }
};

template <class Space> ob::ScopedState<Space> vector_state(const setup &s, const std::vector<double> &values) {
    ob::ScopedState<Space> state(s.si);
    for (std::size_t i = 0; i < values.size(); i++) state[static_cast<unsigned>(i)] = values[i];
    return state;
}

bool refuses(const ob::StateSpacePtr &space, const graze::world &world,
             const std::vector<graze::ompl_joints> &joints = {graze::ompl_joints()},
             const graze::ompl_options &options = {}) {
    try {
        graze::ompl_scene(space, world, joints, options);
    } catch (const ompl::Exception &error) {
        const std::string line = error.what();
        CHECK_MSG(line.rfind("graze: ", 0) == 0 && line.find('\n') == std::string::npos, "%s", line.c_str());
        return true;
    }
    return false;
}

/// On a random motion every state that OMPL's interpolation gives before the last valid one is free, the last valid
/// one is, and one a few roundings later is not, or is no longer before the contact.
struct agreement {
    long valid = 0, blocked = 0, late = 0, loose = 0;

    void look(const setup &s, const ob::State *from, const ob::State *to, bool exact) {
        ob::State *at = s.si->allocState(), *last = s.si->allocState();
        std::pair<ob::State *, double> found(last, 2);
        const bool free = s.motions->checkMotion(from, to, found);
        CHECK(free == s.motions->checkMotion(from, to));
        const double until = free ? 1 : found.second;
        for (int k = 0; k <= 64; k++) {
            s.si->getStateSpace()->interpolate(from, to, until * k / 64, at);
            late += !s.si->isValid(at);
        }
        (free ? valid : blocked)++;
        if (free) CHECK(found.first == last && found.second == 2); // untouched
        if (!free) look_at_end(s, from, to, found, at, exact);
        s.si->freeState(at);
        s.si->freeState(last);
    }

  private:
    void look_at_end(const setup &s, const ob::State *from, const ob::State *to,
                     const std::pair<ob::State *, double> &found, ob::State *at, bool exact) {
        CHECK(found.second >= 0 && found.second < 1);
        s.si->getStateSpace()->interpolate(from, to, found.second, at);
        CHECK(s.si->equalStates(at, found.first) && s.si->isValid(found.first));
        const double next = found.second + 0x1p-46, until = s.scene->free_until(from, to);
        s.si->getStateSpace()->interpolate(from, to, next, at);
        if (exact) loose += next < until && s.si->isValid(at);
        CHECK(found.second < until || until == 0);
    }
};

agreement random_motions(const setup &s, int count, bool exact) {
    const ob::StateSamplerPtr sampler = s.si->allocStateSampler();
    ob::ScopedState<> from(s.si), to(s.si);
    agreement all;
    while (all.valid + all.blocked < count) {
        sampler->sampleUniform(from.get());
        sampler->sampleUniform(to.get());
        if (s.si->isValid(from.get())) all.look(s, from.get(), to.get(), exact);
    }
    return all;
}

void check_agreement(const agreement &all, long at_least) {
    CHECK_MSG(all.valid >= at_least && all.blocked >= at_least, "%ld valid, %ld blocked", all.valid, all.blocked);
    CHECK_MSG(all.late == 0, "%ld states before the last valid one touch", all.late);
    CHECK_MSG(all.loose == 0, "%ld later states are free", all.loose);
}

} // namespace

TEST(the_last_valid_time_is_just_before_the_contact_of_a_closed_formula) {
    graze::context context;
    for (const double at : {0.3, 1.0, 2.2}) {
        const setup s(vectors(1, -pi, pi), world_of(context, {on(GRAZE_JOINT_REVOLUTE, rod())}, {post(at)}));
        for (const double end : {2.5, 3.0}) {
            const auto from = vector_state<ob::RealVectorStateSpace>(s, {0}),
                       to = vector_state<ob::RealVectorStateSpace>(s, {end});
            auto last = vector_state<ob::RealVectorStateSpace>(s, {-3});
            std::pair<ob::State *, double> found(last.get(), 2);
            CHECK(!s.motions->checkMotion(from.get(), to.get(), found));
            CHECK_MSG(found.second < at / end && found.second > at / end - 1e-7, "%.17g of %.17g", found.second,
                      at / end);
            CHECK(std::fabs(last[0] - end * found.second) < 1e-15 && s.si->isValid(last.get()));
            found = {nullptr, 2};
            CHECK(!s.motions->checkMotion(from.get(), to.get(), found) && found.second < 1);
            found = {last.get(), 2};
            s.si->copyState(last.get(), from.get());
            CHECK(!s.motions->checkMotion(last.get(), to.get(), found) && last[0] > 0.9 * at); // the state is s1 itself
        }
    }
}

TEST(an_angle_of_so2_goes_the_shorter_way_and_one_of_a_vector_does_not) {
    graze::context context;
    const auto across = [&](double obstacle) {
        return world_of(context, {on(GRAZE_JOINT_REVOLUTE, rod())}, {post(obstacle)});
    };
    for (const double sign : {1.0, -1.0})
        for (const bool behind : {true, false}) {
            const graze::world world = across(behind ? pi : 0);
            const setup circle(std::make_shared<ob::SO2StateSpace>(), world), line(vectors(1, -pi, pi), world);
            const auto a = vector_state<ob::SO2StateSpace>(circle, {sign * 2.9}),
                       b = vector_state<ob::SO2StateSpace>(circle, {sign * -2.8});
            const auto c = vector_state<ob::RealVectorStateSpace>(line, {sign * 2.9}),
                       d = vector_state<ob::RealVectorStateSpace>(line, {sign * -2.8});
            CHECK(circle.motions->checkMotion(a.get(), b.get()) == !behind);
            CHECK(line.motions->checkMotion(c.get(), d.get()) == behind);
        }
}

TEST(a_motion_that_wraps_is_not_valid_where_its_last_state_is_not) {
    graze::context context;
    test_random random = {11};
    for (int i = 0; i < 200; i++) {
        const double at = test_random_between(&random, -3, -1.5);
        const setup s(std::make_shared<ob::SO2StateSpace>(),
                      world_of(context, {on(GRAZE_JOINT_REVOLUTE, rod())}, {post(at)}));
        ob::ScopedState<ob::SO2StateSpace> from(s.si), to(s.si);
        double free = at - 1e-3, touches = at; // neighbors among doubles in the end
        for (double middle = (free + touches) / 2; middle > free && middle < touches; middle = (free + touches) / 2) {
            to->value = middle;
            (s.si->isValid(to.get()) ? free : touches) = middle;
        }
        to->value = touches;
        from->value = test_random_between(&random, 2, 3);
        CHECK(!s.motions->checkMotion(from.get(), to.get()));
    }
}

TEST(states_of_every_space_are_free_up_to_the_last_valid_one) {
    graze::context context;
    const std::vector<graze::link> arm = {on(GRAZE_JOINT_REVOLUTE, rod()),
                                          on(GRAZE_JOINT_REVOLUTE, rod(), 0, graze::frame({1.1, 0, 0}))};
    const setup vector(vectors(2, -pi, pi), world_of(context, arm, {post(1), post(-2)}));
    check_agreement(random_motions(vector, 150, true), 20);

    auto circles = std::make_shared<ob::CompoundStateSpace>();
    for (int i = 0; i < 2; i++) circles->addSubspace(std::make_shared<ob::SO2StateSpace>(), 1);
    const setup circle(circles, world_of(context, arm, {post(1), post(-2)}));
    check_agreement(random_motions(circle, 150, true), 20);

    const setup se2(plane(), world_of(context, {on(GRAZE_JOINT_PLANAR, rod())}, {post(0.4)}));
    check_agreement(random_motions(se2, 150, true), 20);

    const setup se3(room(), world_of(context, {on(GRAZE_JOINT_FREE, rod())}, {post(0.4), solid(0.6)}));
    check_agreement(random_motions(se3, 150, true), 20);

    const setup so3(std::make_shared<ob::SO3StateSpace>(),
                    world_of(context, {on(GRAZE_JOINT_SPHERICAL, rod())}, {post(1)}));
    check_agreement(random_motions(so3, 150, true), 20);
}

TEST(rotations_of_half_a_turn_go_the_way_of_the_interpolation) {
    graze::context context;
    const setup s(std::make_shared<ob::SO3StateSpace>(),
                  world_of(context, {on(GRAZE_JOINT_SPHERICAL, rod())}, {post(pi / 2)}));
    test_random random = {5};
    agreement all;
    ob::ScopedState<ob::SO3StateSpace> from(s.si), to(s.si);
    for (int i = 0; i < 60; i++) {
        // about z, by half a turn and next to nothing more or less, by either quaternion
        const double start = test_random_between(&random, -0.4, 0.4),
                     little = (i % 3 - 1) * test_random_unit(&random) * 1e-15;
        from->setAxisAngle(0, 0, 1, start);
        to->setAxisAngle(0, 0, 1, start + (i % 2 ? pi : -pi) + little);
        all.look(s, from.get(), to.get(), true);
    }
    check_agreement(all, 5);
}

TEST(validators_count_what_they_checked_and_threads_agree) {
    graze::context context;
    const setup s(vectors(2, -pi, pi), world_of(context,
                                                {on(GRAZE_JOINT_REVOLUTE, rod()),
                                                 on(GRAZE_JOINT_REVOLUTE, rod(), 0, graze::frame({1.1, 0, 0}))},
                                                {post(1), post(-2)}));
    const int count = 200, threads = 4;
    std::vector<ob::ScopedState<>> states;
    test_random random = {3};
    for (int i = 0; i <= count; i++)
        states.push_back(vector_state<ob::StateSpace>(
            s, {test_random_between(&random, -pi, pi), test_random_between(&random, -pi, pi)}));
    std::vector<std::vector<char>> answers(threads, std::vector<char>(count));
    std::vector<std::thread> running;
    for (int t = 0; t < threads; t++)
        running.emplace_back([&, t] {
            for (int i = 0; i < count; i++) {
                const auto k = static_cast<std::size_t>(i), own = static_cast<std::size_t>(t);
                answers[own][k] =
                    s.motions->checkMotion(states[k].get(), states[k + 1].get()) && s.si->isValid(states[k].get());
            }
        });
    for (std::thread &one : running) one.join();
    unsigned valid = 0;
    for (std::size_t i = 0; i < count; i++) {
        valid += s.scene->is_free(states[i].get(), states[i + 1].get());
        for (const auto &each : answers) CHECK(each[i] == answers[0][i]);
    }
    CHECK(valid > 10 && valid < count - 10);
    CHECK(s.motions->getValidMotionCount() == threads * valid);
    CHECK(s.motions->getCheckedMotionCount() == unsigned(threads * count));
}

TEST(a_state_inside_a_solid_is_not_valid) {
    graze::context context;
    const graze::world world = world_of(context, {on(GRAZE_JOINT_FREE, solid(0.1))}, {solid(1)});
    const setup s(room(), world);
    ob::ScopedState<ob::SE3StateSpace> inside(s.si);
    inside->setXYZ(0, 0, 0);
    inside->rotation().setIdentity();
    CHECK(!s.si->isValid(inside.get()));
    graze::ompl_options options;
    options.check_inside = false;
    CHECK(setup(room(), world, {graze::ompl_joints()}, options).scene->is_free(inside.get()));
    inside->setXYZ(1.9, 1.9, -1.9);
    CHECK(s.si->isValid(inside.get()));
    inside->setX(NAN); // a call that fails is not a proof
    ompl::msg::noOutputHandler();
    CHECK(!s.si->isValid(inside.get()) && !s.motions->checkMotion(inside.get(), inside.get()));
    ompl::msg::restorePreviousOutputHandler();
}

/// A ball of radius 0.25 on a planar joint beside one of radius 0.5 at the origin.
TEST(clearance_is_the_distance_of_the_closest_links_and_zero_where_a_state_is_not_valid) {
    graze::context context;
    const graze::world world = world_of(context, {on(GRAZE_JOINT_PLANAR, graze::shapes::sphere(context, 0.25))},
                                        {graze::shapes::sphere(context, 0.5)});
    graze::ompl_options options;
    options.min_separation = 0.125;
    const setup s(plane(), world), apart(plane(), world, {graze::ompl_joints()}, options);
    const ob::StateValidityChecker &checker = *s.si->getStateValidityChecker();
    CHECK(checker.getSpecs().clearanceComputationType == ob::StateValidityCheckerSpecs::BOUNDED_APPROXIMATE);
    ompl::RNG random(5);
    for (int i = 0; i < 200; i++) {
        const double x = random.uniformReal(-2, 2), y = random.uniformReal(-2, 2), far = std::hypot(x, y) - 0.75;
        const auto state = vector_state<ob::SE2StateSpace>(s, {x, y, random.uniformReal(-3, 3)});
        const double clearance = checker.clearance(state.get());
        CHECK_MSG(far > 0 ? clearance <= far && clearance > far - 1e-9 : clearance == 0, "%.17g, not %.17g", clearance,
                  far);
        double told;
        CHECK(checker.isValid(state.get(), told) == (far > 0) && told == clearance);
        if (far > 0.125)
            CHECK(std::fabs(apart.si->getStateValidityChecker()->clearance(state.get()) - (far - 0.125)) < 1e-9);
    }
    const graze::world closed = world_of(context, {on(GRAZE_JOINT_PLANAR, solid(0.1))}, {solid(1)});
    const setup inside(plane(), closed);
    const auto middle = vector_state<ob::SE2StateSpace>(inside, {0, 0, 0});
    CHECK(inside.si->getStateValidityChecker()->clearance(middle.get()) == 0); /* surfaces are apart */
    const graze::model lone(context, {on(GRAZE_JOINT_PLANAR, solid(0.1))});
    const setup alone(plane(), graze::world(context, {graze::body(lone)}));
    CHECK(alone.si->getStateValidityChecker()->clearance(vector_state<ob::SE2StateSpace>(alone, {0, 0, 0}).get()) ==
          std::numeric_limits<double>::infinity());
}

TEST(joints_that_no_state_sets_rest_and_those_that_mimic_follow) {
    graze::context context;
    // two fingers that slide apart, on a slide
    graze::link left = on(GRAZE_JOINT_PRISMATIC, solid(0.1), 0), right = left,
                slide = on(GRAZE_JOINT_PRISMATIC, solid(0.01));
    left.axis = {0, 1, 0};
    right.axis = {0, -1, 0};
    slide.axis = {1, 0, 0};
    graze::link_mesh wall = solid(0.1);
    wall.origin = graze::frame({1, -0.5, 0});
    graze::ompl_joints joints;
    joints.values = {0};
    joints.mimics = {{2, 1, 1, 0}};
    const graze::world world = world_of(context, {slide, left, right}, {wall});
    for (const double open : {0.25, 0.5}) {
        joints.rest = {0, open, 0};
        const setup s(vectors(1, 0, 2), world, {joints});
        const auto from = vector_state<ob::RealVectorStateSpace>(s, {0}),
                   to = vector_state<ob::RealVectorStateSpace>(s, {2});
        CHECK(s.motions->checkMotion(from.get(), to.get()) == (open < 0.3)); // the right finger at −0.5 meets the wall
    }
    joints.values = {0, 1};
    joints.rest = {};
    const setup both(vectors(2, 0, 2), world, {joints});
    const auto from = vector_state<ob::RealVectorStateSpace>(both, {1, 0.15}),
               to = vector_state<ob::RealVectorStateSpace>(both, {1, 0.5});
    CHECK(both.si->isValid(from.get()) && !both.motions->checkMotion(from.get(), to.get()));
    joints.values = {}; // all but the one that follows
    CHECK(!setup(vectors(2, 0, 2), world, {joints}).motions->checkMotion(from.get(), to.get()));
}

namespace {

class own_space : public ob::RealVectorStateSpace {
  public:
    own_space() : RealVectorStateSpace(2) { setBounds(-1, 1); }
};

class on_circle : public ob::Constraint {
  public:
    on_circle() : Constraint(2, 1) {}
    using Constraint::function;
    void function(const Eigen::Ref<const Eigen::VectorXd> &x, Eigen::Ref<Eigen::VectorXd> out) const override {
        out[0] = x.norm() - 1;
    }
};

} // namespace

TEST(spaces_whose_motions_are_not_straight_are_refused) {
    graze::context context;
    const graze::world planar = world_of(context, {on(GRAZE_JOINT_PLANAR, rod())}, {post(0)});
    const graze::world two =
        world_of(context, {on(GRAZE_JOINT_REVOLUTE, rod()), on(GRAZE_JOINT_PRISMATIC, rod())}, {post(0)});
    graze::ompl_options trusting;
    trusting.allow_derived = true;
    for (const graze::ompl_options &options : {graze::ompl_options(), trusting}) {
        const std::vector<graze::ompl_joints> first = {graze::ompl_joints()};
        CHECK(!refuses(plane(), planar, first, options));
        CHECK(refuses(std::make_shared<ob::DubinsStateSpace>(), planar, first, options));
        CHECK(refuses(std::make_shared<ob::ReedsSheppStateSpace>(), planar, first, options));
        CHECK(refuses(
            std::make_shared<ob::CompoundStateSpace>(
                std::vector<ob::StateSpacePtr>{std::make_shared<ob::DubinsStateSpace>()}, std::vector<double>{1}),
            planar, first, options));
        CHECK(refuses(std::make_shared<ob::ProjectedStateSpace>(vectors(2, -2, 2), std::make_shared<on_circle>()), two,
                      first, options));
        CHECK(refuses(std::make_shared<ob::TimeStateSpace>(), two, first, options));
        CHECK(refuses(std::make_shared<ob::DiscreteStateSpace>(0, 1), two, first, options));
        CHECK(refuses(std::make_shared<own_space>(), two, first, options) == !options.allow_derived);
    }
}

TEST(states_that_do_not_fit_the_joints_are_refused) {
    graze::context context;
    const graze::world two =
        world_of(context, {on(GRAZE_JOINT_REVOLUTE, rod()), on(GRAZE_JOINT_PRISMATIC, rod())}, {post(0)});
    const graze::world ball = world_of(context, {on(GRAZE_JOINT_SPHERICAL, rod())}, {post(0)});
    const graze::world free = world_of(context, {on(GRAZE_JOINT_FREE, rod())}, {post(0)});
    const auto circle = std::make_shared<ob::SO2StateSpace>();
    const auto list = [](std::vector<std::size_t> values) {
        graze::ompl_joints joints;
        joints.values = std::move(values);
        return std::vector<graze::ompl_joints>{joints};
    };
    CHECK(!refuses(vectors(2, 0, 1), two) && refuses(vectors(1, 0, 1), two) && refuses(vectors(3, 0, 1), two));
    CHECK(!refuses(vectors(1, 0, 1), two, list({1})) && !refuses(circle, two, list({0})) &&
          refuses(circle, two, list({1})));
    CHECK(refuses(vectors(2, 0, 1), two, list({0, 0})) && refuses(vectors(1, 0, 1), two, list({2})));
    CHECK(refuses(vectors(3, 0, 1), ball) && refuses(vectors(6, 0, 1), free) &&
          !refuses(vectors(3, 0, 1), free, list({0, 1, 2})));
    CHECK(!refuses(std::make_shared<ob::SO3StateSpace>(), ball) &&
          !refuses(std::make_shared<ob::SO3StateSpace>(), free, list({3, 4, 5})));
    CHECK(refuses(std::make_shared<ob::SO3StateSpace>(), free, list({0, 1, 2})));
    CHECK(refuses(std::make_shared<ob::SO3StateSpace>(), ball, list({1, 0, 2})));
    auto joints = list({0});
    joints[0].mimics = {{1, 0, 2, 0}};
    CHECK(!refuses(vectors(1, 0, 1), two, joints) && refuses(circle, two, joints));
    joints[0].mimics = {{0, 1, 2, 0}};
    CHECK(refuses(vectors(1, 0, 1), two, joints));
    joints[0].mimics = {{1, 7, 2, 0}};
    CHECK(refuses(vectors(1, 0, 1), two, joints));
    joints = list({0});
    joints[0].rest = {1, 2, 3};
    CHECK(refuses(vectors(1, 0, 1), two, joints));
    joints = list({0});
    joints.push_back(list({1})[0]);
    CHECK(refuses(vectors(2, 0, 1), two, joints)); // one body twice
    const setup s(vectors(2, 0, 1), two);
    const auto another = std::make_shared<ob::SpaceInformation>(vectors(2, 0, 1));
    try {
        graze::ompl_motion_validator(another, s.scene);
        CHECK(!"a scene of another space");
    } catch (const ompl::Exception &) {
    }
}

TEST(a_plan_of_rrt_connect_is_proven_free) {
    graze::context context;
    const setup s(
        vectors(2, -pi, pi),
        world_of(context,
                 {on(GRAZE_JOINT_REVOLUTE, rod()), on(GRAZE_JOINT_REVOLUTE, rod(), 0, graze::frame({1.1, 0, 0}))},
                 {graze::link_mesh(std::vector<position>{{1.3, 0.8, -1}, {1.3, 0.8, 1}, {3, 2, 0}}, triangle)}));
    const auto from = vector_state<ob::RealVectorStateSpace>(s, {-0.5, 0}),
               to = vector_state<ob::RealVectorStateSpace>(s, {1.5, 0});
    CHECK(s.si->isValid(from.get()) && s.si->isValid(to.get()) && !s.motions->checkMotion(from.get(), to.get()));
    ompl::msg::noOutputHandler();
    ompl::geometric::SimpleSetup simple(s.si);
    simple.setStartAndGoalStates(from, to);
    simple.setPlanner(std::make_shared<ompl::geometric::RRTConnect>(s.si));
    CHECK(simple.solve(20.0) == ob::PlannerStatus::EXACT_SOLUTION);
    ompl::geometric::PathGeometric path = simple.getSolutionPath();
    ompl::msg::restorePreviousOutputHandler();
    CHECK(path.getStateCount() > 2 && path.check());
    path.interpolate(2000);
    for (const ob::State *state : path.getStates()) CHECK(s.si->isValid(state));
}
#else
TEST(ompl_is_here) { test_skip("OMPL was not found (Debian: libompl-dev)"); }
#endif

int main(int argc, char **argv) {
#ifdef GRAZE_WITH_OMPL
    ompl::RNG::setSeed(1);
#endif
    return RUN_TESTS(argc, argv);
}
