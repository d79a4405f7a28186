// Plans with OMPL's RRTConnect for an arm of six joints between posts; every edge of the plan is proven free.
#include <graze/compat/ompl.hpp>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>

#include <iostream>

namespace {

/// A box between two corners.
graze::link_mesh box(const std::array<double, 3> &low, const std::array<double, 3> &high) {
    std::vector<std::array<double, 3>> corners;
    for (int i = 0; i < 8; i++)
        corners.push_back({i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]});
    return {corners, std::vector<std::array<int, 3>>{{0, 2, 3},
                                                     {0, 3, 1},
                                                     {4, 5, 7},
                                                     {4, 7, 6},
                                                     {0, 1, 5},
                                                     {0, 5, 4},
                                                     {2, 6, 7},
                                                     {2, 7, 3},
                                                     {0, 4, 6},
                                                     {0, 6, 2},
                                                     {1, 3, 7},
                                                     {1, 7, 5}}};
}

/// Joints turn about z and y in turn; each carries a bar along x.
std::vector<graze::link> arm() {
    std::vector<graze::link> links(6);
    for (int i = 0; i < 6; i++) {
        graze::link &link = links[static_cast<std::size_t>(i)];
        link.parent = i - 1;
        link.joint = GRAZE_JOINT_REVOLUTE;
        link.axis = i % 2 ? std::array<double, 3>{0, 1, 0} : std::array<double, 3>{0, 0, 1};
        link.origin = graze::frame({i ? 0.3 : 0.0, 0, 0});
        link.meshes.push_back(box({0.03, -0.02, -0.02}, {0.27, 0.02, 0.02}));
    }
    return links;
}

} // namespace

int main() {
    graze::context context;
    const graze::model moving(context, arm());
    const std::vector<graze::link_mesh> posts = {box({0.5, 0.5, -1}, {0.6, 0.6, 1}),
                                                 box({0.5, -0.6, -1}, {0.6, -0.5, 1}), box({-2, -2, -1.1}, {2, 2, -1})};
    const graze::world world(context, {graze::body(moving), graze::body(posts)});

    const auto space = std::make_shared<ompl::base::RealVectorStateSpace>(6);
    space->setBounds(-2.5, 2.5);
    ompl::geometric::SimpleSetup setup(space);
    const auto &si = setup.getSpaceInformation();
    const auto scene = std::make_shared<graze::ompl_scene>(space, world);
    si->setStateValidityChecker(std::make_shared<graze::ompl_state_checker>(si, scene));
    si->setMotionValidator(std::make_shared<graze::ompl_motion_validator>(si, scene));

    ompl::base::ScopedState<> start(space), goal(space);
    for (unsigned i = 0; i < 6; i++) start[i] = goal[i] = 0;
    start[0] = -1.4; // from one side of both posts to the other
    goal[0] = 1.4;
    setup.setStartAndGoalStates(start, goal);
    setup.setPlanner(std::make_shared<ompl::geometric::RRTConnect>(si));
    if (setup.solve(30.0) != ompl::base::PlannerStatus::EXACT_SOLUTION) return 1;
    setup.simplifySolution();
    const ompl::geometric::PathGeometric &path = setup.getSolutionPath();
    std::cout << path.getStateCount() << " states, " << (path.check() ? "proven free" : "not proven") << "; "
              << si->getMotionValidator()->getCheckedMotionCount() << " motions were checked\n";
    return path.check() ? 0 : 1;
}
