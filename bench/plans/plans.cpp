/* Plans of OMPL's RRTConnect, with edges that graze proves and with edges that FCL samples.

   graze-plans SCENE.json… [--problems 20] [--seeds 10] [--limit SECONDS]

   Problems are pairs of free poses whose straight edge is proven to touch. Each is planned with every seed by graze and
   by OMPL's discrete validator, poses of FCL at most 0.01 and 0.05 rad of the largest joint apart. Every plan is then
   asked about by graze. Times are of the processor. */
#include "bench/plans/scene.hpp"

#include "graze/compat/ompl.hpp"

#include <ompl/base/DiscreteMotionValidator.h>
#include <ompl/base/ScopedState.h>
#include <ompl/geometric/PathGeometric.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/RandomNumbers.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>

namespace ob = ompl::base;

namespace {

double processor_seconds() {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/* Joint values; a motion has so many segments that its largest joint moves by `step` in each. */
class joint_space : public ob::RealVectorStateSpace {
  public:
    joint_space(const std::vector<std::pair<double, double>> &limits, double step)
        : RealVectorStateSpace(static_cast<unsigned>(limits.size())), step_(step) {
        for (std::size_t i = 0; i < limits.size(); i++) {
            bounds_.setLow(static_cast<unsigned>(i), limits[i].first);
            bounds_.setHigh(static_cast<unsigned>(i), limits[i].second);
        }
    }
    unsigned int validSegmentCount(const ob::State *a, const ob::State *b) const override {
        double most = 0;
        for (unsigned i = 0; i < dimension_; i++)
            most = std::max(most, std::fabs(a->as<StateType>()->values[i] - b->as<StateType>()->values[i]));
        return std::max(1u, static_cast<unsigned>(std::ceil(most / step_)));
    }

  private:
    double step_;
};

const double *values_of(const ob::State *state) { return state->as<ob::RealVectorStateSpace::StateType>()->values; }

struct settings {
    std::vector<std::string> scenes;
    unsigned problems = 20, seeds = 10;
    double limit = 5;
};

/* A judge of edges: graze, or FCL with steps of some size. */
struct judge {
    std::string name;
    double step; /* 0: graze */
    double seconds = 0;
    unsigned solved = 0, proven = 0, touching = 0, edges = 0;
};

class bench {
  public:
    bench(plans::scene &scene, const settings &asked) : scene_(scene), asked_(asked) {}

    void run(const std::string &name) {
        make_problems();
        judge judges[] = {{"graze", 0}, {"FCL, each 0.01 rad", 0.01}, {"FCL, each 0.05 rad", 0.05}};
        for (std::size_t p = 0; p < problems_.size(); p++)
            for (unsigned seed = 1; seed <= asked_.seeds; seed++)
                for (judge &each : judges) plan(problems_[p], seed, each);
        std::printf("%s: %zu problems, %u seeds, at most %g s each; %u of %u free poses differ\n", name.c_str(),
                    problems_.size(), asked_.seeds, asked_.limit, differ_, poses_);
        for (const judge &each : judges)
            std::printf("  %-20s %9.3f s  solved %4u  proven free %4u  proven to touch %4u  edges %u\n",
                        each.name.c_str(), each.seconds, each.solved, each.proven, each.touching, each.edges);
        std::printf("  time by graze / time by FCL at 0.01 rad: %.3f\n", judges[0].seconds / judges[1].seconds);
    }

  private:
    using values = std::vector<double>;
    using problem = std::pair<values, values>;

    ob::StateSpacePtr space(double step) const { return std::make_shared<joint_space>(scene_.limits(), step); }

    std::shared_ptr<graze::ompl_scene> proofs(const ob::StateSpacePtr &space) const {
        graze::ompl_joints joints;
        joints.values = scene_.planned();
        graze::ompl_options options;
        options.allow_derived = true; // its interpolation is that of its base
        return std::make_shared<graze::ompl_scene>(space, scene_.world(), std::vector<graze::ompl_joints>{joints},
                                                   options);
    }

    static bool is_proven(const graze::articulated_result &found) {
        return found.verdict == GRAZE_HIT && found.contact && found.contact->proven;
    }

    /* A contact on the straight way is proven: by the search, or a little after a hit that is within the tolerance. */
    bool touches(const double *from, const double *to) {
        values a(scene_.values()), b(scene_.values());
        for (std::size_t k = 0; k < scene_.planned().size(); k++) {
            a[scene_.planned()[k]] = from[k];
            b[scene_.planned()[k]] = to[k];
        }
        const graze::articulated_options any(GRAZE_ARTICULATED_ANY);
        if (is_proven(graze::world_step(scene_.context(), scene_.world(), {{0, {a, b}}}, any))) return true;
        const auto first = graze::world_step(scene_.context(), scene_.world(), {{0, {a, b}}});
        for (double ahead = 0x1p-4; first.verdict == GRAZE_HIT && ahead > 0x1p-30; ahead /= 2) {
            values at = a;
            for (std::size_t k = 0; k < at.size(); k++) at[k] += std::min(first.toi + ahead, 1.0) * (b[k] - a[k]);
            if (is_proven(graze::world_valid(scene_.context(), scene_.world(), {{0, {at, {}}}}, any))) return true;
        }
        return false;
    }

    void make_problems() {
        const ob::StateSpacePtr joints = space(1);
        joints->setup();
        const auto by_graze = proofs(joints);
        ompl::RNG random(7);
        ob::ScopedState<> from(joints), to(joints);
        const auto draw = [&](ob::State *state) {
            do {
                for (std::size_t i = 0; i < scene_.limits().size(); i++)
                    state->as<ob::RealVectorStateSpace::StateType>()->values[i] =
                        random.uniformReal(scene_.limits()[i].first, scene_.limits()[i].second);
                poses_++;
                differ_ += by_graze->is_free(state) == scene_.fcl_touches(values_of(state));
            } while (!by_graze->is_free(state) || scene_.fcl_touches(values_of(state)));
        };
        while (problems_.size() < asked_.problems) {
            draw(from.get());
            draw(to.get());
            if (touches(values_of(from.get()), values_of(to.get()))) problems_.emplace_back(from.reals(), to.reals());
        }
    }

    void plan(const problem &asked, unsigned seed, judge &by) {
        ompl::RNG::setSeed(seed);
        const ob::StateSpacePtr joints = space(by.step > 0 ? by.step : 1);
        const auto si = std::make_shared<ob::SpaceInformation>(joints);
        if (by.step > 0) {
            si->setStateValidityChecker([this](const ob::State *s) { return !scene_.fcl_touches(values_of(s)); });
            si->setMotionValidator(std::make_shared<ob::DiscreteMotionValidator>(si));
        } else {
            const auto scene = proofs(joints);
            si->setStateValidityChecker(std::make_shared<graze::ompl_state_checker>(si, scene));
            si->setMotionValidator(std::make_shared<graze::ompl_motion_validator>(si, scene));
        }
        si->setup();
        const auto definition = std::make_shared<ob::ProblemDefinition>(si);
        ob::ScopedState<> from(joints), to(joints);
        from = asked.first;
        to = asked.second;
        definition->setStartAndGoalStates(from, to);
        ompl::geometric::RRTConnect planner(si);
        planner.setProblemDefinition(definition);
        planner.setup();
        const double begin = processor_seconds();
        planner.solve(ob::PlannerTerminationCondition([&] { return processor_seconds() - begin > asked_.limit; }));
        by.seconds += processor_seconds() - begin;
        by.edges += si->getMotionValidator()->getCheckedMotionCount();
        if (definition->hasExactSolution()) judge_plan(*definition, proofs(joints), by);
    }

    void judge_plan(const ob::ProblemDefinition &definition, const std::shared_ptr<graze::ompl_scene> &proofs,
                    judge &by) {
        const auto &states = definition.getSolutionPath()->as<ompl::geometric::PathGeometric>()->getStates();
        bool proven = true, touching = false;
        for (std::size_t i = 1; i < states.size(); i++) {
            const bool free = proofs->is_free(states[i - 1], states[i]);
            proven = proven && free;
            touching = touching || (!free && touches(values_of(states[i - 1]), values_of(states[i])));
        }
        by.solved++;
        by.proven += proven;
        by.touching += touching;
    }

    plans::scene &scene_;
    const settings &asked_;
    std::vector<problem> problems_;
    unsigned poses_ = 0, differ_ = 0;
};

[[noreturn]] void usage(const char *wrong) {
    std::fprintf(stderr,
                 "graze-plans: %s; usage: graze-plans SCENE.json… [--problems N] [--seeds N] [--limit SECONDS]\n",
                 wrong);
    std::exit(2);
}

double number(const char *text, double least, double most) {
    char *end = nullptr;
    const double value = text ? std::strtod(text, &end) : 0;
    if (!text || end == text || *end || !(value >= least && value <= most)) usage(text ? text : "a number is missing");
    return value;
}

settings read_arguments(char **arguments) {
    settings asked;
    for (; *arguments; arguments++) {
        const std::string one = *arguments;
        if (one.rfind("--", 0) != 0) {
            asked.scenes.push_back(one);
            continue;
        }
        const double value = number(arguments[1], one == "--limit" ? 1e-3 : 1, 1e6);
        arguments++;
        if (one == "--problems")
            asked.problems = static_cast<unsigned>(value);
        else if (one == "--seeds")
            asked.seeds = static_cast<unsigned>(value);
        else if (one == "--limit")
            asked.limit = value;
        else
            usage(one.c_str());
    }
    if (asked.scenes.empty()) usage("no scene");
    return asked;
}

} // namespace

int main(int, char **argv) {
    const settings asked = read_arguments(argv + 1);
    ompl::msg::noOutputHandler();
    try {
        for (const std::string &path : asked.scenes) {
            plans::scene scene(path);
            bench(scene, asked).run(path);
        }
    } catch (const std::exception &error) {
        std::fprintf(stderr, "graze-plans: %s\n", error.what());
        return 2;
    }
    return 0;
}
