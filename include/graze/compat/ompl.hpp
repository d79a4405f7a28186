/// graze inside OMPL, versions 1.5 and later: a motion validator and a state validity checker over a world. Include it
/// with OMPL's headers on the include path, and link both.
///
///     auto scene = std::make_shared<graze::ompl_scene>(si->getStateSpace(), world);
///     si->setStateValidityChecker(std::make_shared<graze::ompl_state_checker>(si, scene));
///     si->setMotionValidator(std::make_shared<graze::ompl_motion_validator>(si, scene));
///
/// A motion or a state is valid if it is proven to touch nothing. Unresolved ones are invalid. There is no resolution
/// to set.
///
/// Compile callers of OMPL and Eigen as their packages were compiled: -march=native changes the alignment of Eigen.
#ifndef GRAZE_COMPAT_OMPL_HPP
#define GRAZE_COMPAT_OMPL_HPP

#include "graze/graze.hpp"

#include <ompl/base/MotionValidator.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/StateValidityChecker.h>
#include <ompl/base/spaces/DubinsStateSpace.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/base/spaces/ReedsSheppStateSpace.h>
#include <ompl/base/spaces/SE2StateSpace.h>
#include <ompl/base/spaces/SE3StateSpace.h>
#include <ompl/base/spaces/SO2StateSpace.h>
#include <ompl/base/spaces/SO3StateSpace.h>
#include <ompl/base/spaces/WrapperStateSpace.h>
#include <ompl/util/Console.h>
#include <ompl/util/Exception.h>

#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace graze {

/// Which joint values of a body the values of a state set.
struct ompl_joints {
    /// A value that follows another one of the same body: multiplier · value + offset.
    struct mimic {
        std::size_t value, of;
        double multiplier = 1, offset = 0;
    };

    uint32_t body = 0;
    std::vector<std::size_t> values; ///< of the body, in the order of the state's values; empty: all but mimics
    std::vector<double> rest;        ///< all values of the body, for those that no state sets; empty: zeros
    std::vector<mimic> mimics;       ///< in an order in which they can be computed
};

struct ompl_options {
    double min_separation = 0;  ///< as graze_articulated_options
    double tolerance = 0;       ///< as graze_articulated_options
    uint64_t max_checks = 0;    ///< as graze_articulated_options
    bool check_inside = true;   ///< of states: a link inside another one is not valid
    bool allow_derived = false; ///< classes derived from OMPL's own spaces interpolate as these do: the caller says so
};

namespace detail {

/// A part of a state: numbers of a vector, an angle that wraps, or a rotation, which sets three values.
struct ompl_part {
    enum class kind { numbers, angle, rotation };
    kind is;
    std::vector<unsigned> path; ///< through compound states
    std::size_t first, count;   ///< of the values that it sets

    const ompl::base::State *in(const ompl::base::State *state) const {
        for (const unsigned i : path) state = state->as<ompl::base::CompoundState>()->components[i];
        return state;
    }
};

/// A value that a state sets.
struct ompl_target {
    std::size_t group, value, link; ///< of the list of joints, of its body
    graze_joint_kind joint;
    std::size_t within; ///< the joint's values
};

[[noreturn]] inline void ompl_refuse(const std::string &why) { throw ompl::Exception("graze", why); }

/// The parts of a space, in the order of its states' values.
class ompl_parts {
  public:
    ompl_parts(const ompl::base::StateSpace &space, bool allow_derived) : allow_derived_(allow_derived) {
        add(space, {});
    }
    const std::vector<ompl_part> &list() const { return list_; }
    std::size_t values() const { return values_; }

  private:
    using kind = ompl_part::kind;

    template <class Space> bool is(const ompl::base::StateSpace &space) const {
        return typeid(space) == typeid(Space) || (allow_derived_ && dynamic_cast<const Space *>(&space));
    }
    template <class Space> static bool is_like(const ompl::base::StateSpace &space) {
        return dynamic_cast<const Space *>(&space) != nullptr;
    }

    void add(const ompl::base::StateSpace &space, std::vector<unsigned> path) {
        using namespace ompl::base;
        if (is_like<DubinsStateSpace>(space) || is_like<ReedsSheppStateSpace>(space) ||
            is_like<WrapperStateSpace>(space))
            ompl_refuse("motions of the state space " + space.getName() + " are not straight: they cannot be proven");
        if (is<RealVectorStateSpace>(space)) return put(kind::numbers, std::move(path), space.getDimension());
        if (is<SO2StateSpace>(space)) return put(kind::angle, std::move(path), 1);
        if (is<SO3StateSpace>(space)) return put(kind::rotation, std::move(path), 3);
        if (!is<CompoundStateSpace>(space) && !is<SE2StateSpace>(space) && !is<SE3StateSpace>(space))
            ompl_refuse("the state space " + space.getName() + " is of a class that graze does not know");
        const auto *compound = space.as<CompoundStateSpace>();
        for (unsigned i = 0; i < compound->getSubspaceCount(); i++) {
            path.push_back(i);
            add(*compound->getSubspace(i), path);
            path.pop_back();
        }
    }
    void put(kind is, std::vector<unsigned> path, std::size_t count) {
        list_.push_back({is, std::move(path), values_, count});
        values_ += count;
    }

    bool allow_derived_;
    std::vector<ompl_part> list_;
    std::size_t values_ = 0;
};

/// The change of an angle that OMPL's SO2 takes.
inline double ompl_shorter(double from, double to) {
    const double change = to - from, turn = 2 * 3.14159265358979323846;
    if (std::fabs(change) <= turn / 2) return change;
    return change > 0 ? change - turn : change + turn;
}

using ompl_quaternion = std::array<double, 4>; ///< w, x, y, z

inline ompl_quaternion ompl_quaternion_of(const ompl::base::State *state) {
    const auto *q = state->as<ompl::base::SO3StateSpace::StateType>();
    return {q->w, q->x, q->y, q->z};
}

/// The rotation vector of a quaternion, by the shorter way where w ≥ 0.
inline std::array<double, 3> ompl_rotation(const ompl_quaternion &q) {
    const double sine = std::sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    const double factor = sine > 0 ? 2 * std::atan2(sine, q[0]) / sine : 0;
    return {factor * q[1], factor * q[2], factor * q[3]};
}

/// b · a⁻¹, with the sign for which OMPL's interpolation turns from a to b.
inline ompl_quaternion ompl_between(const ompl_quaternion &a, const ompl_quaternion &b) {
    const double cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], sign = cosine < 0 ? -1 : 1;
    return {sign * cosine, sign * (a[0] * b[1] - b[0] * a[1] + a[2] * b[3] - a[3] * b[2]),
            sign * (a[0] * b[2] - b[0] * a[2] + a[3] * b[1] - a[1] * b[3]),
            sign * (a[0] * b[3] - b[0] * a[3] + a[1] * b[2] - a[2] * b[1])};
}

/// One body on its way, and a context to ask with: of one thread at a time.
struct ompl_lease {
    graze::context context;
    std::vector<std::vector<double>> from, to;
    std::vector<std::vector<std::array<double, 3>>> turns;
    std::vector<graze_motion> joints;
    std::vector<graze_body_motion> motions;

    explicit ompl_lease(const context_options &options) : context(options) {}
};

} // namespace detail

/// A world, what states mean in it, and a pool of contexts: shared by the validators of one space, asked by any number
/// of threads at once.
///
/// Spaces: RealVector, SO2, SO3, SE2, SE3 and compounds of them; others are refused by an ompl::Exception, and so is a
/// state that does not fit the joints. A vector's numbers set revolute, prismatic and planar joints and translations of
/// free ones; SO2 sets revolute joints and angles of planar ones, and takes the shorter way; SO3 sets spherical joints
/// and rotations of free ones. An SE2 is a planar joint, an SE3 a free one.
///
/// A vector's numbers are taken as they are. Angles that wrap, and rotations, are right to some 2⁻⁵⁰ rad, because a
/// turn and OMPL's quaternions are rounded numbers; the pose that such a motion ends in is proven by itself.
class ompl_scene {
  public:
    ompl_scene(ompl::base::StateSpacePtr space, world world, std::vector<ompl_joints> joints = {ompl_joints()},
               const ompl_options &options = {})
        : space_(std::move(space)), world_(std::move(world)), joints_(std::move(joints)),
          parts_(*space_, options.allow_derived) {
        for (std::size_t g = 0; g < joints_.size(); g++) add_group(g);
        if (parts_.values() != targets_.size())
            detail::ompl_refuse("a state sets " + std::to_string(parts_.values()) + " values, and the joints take " +
                                std::to_string(targets_.size()));
        for (const detail::ompl_part &part : parts_.list()) check_part(part);
        check_mimics();
        set_options(options);
        give(take()); // whoever cannot make a context says so now
    }

    const ompl::base::StateSpacePtr &space() const { return space_; }

    /// True if the pose of a state is proven free.
    bool is_free(const ompl::base::State *state) const {
        auto lease = take();
        set_pose(*lease, state);
        const bool free = ask(*lease, pose_, true).verdict == GRAZE_CLEAR;
        give(std::move(lease));
        return free;
    }

    /// A lower bound on how far apart the closest links of a state are, in the world, less paddings and separation. 0
    /// where the pose is not proven free; infinity where no two links are tested.
    double clearance(const ompl::base::State *state) const {
        auto lease = take();
        set_pose(*lease, state);
        const double distance = ask(*lease, pose_, true).verdict == GRAZE_CLEAR ? measure(*lease) : 0;
        give(std::move(lease));
        return distance;
    }

    /// True if the way from one state to another is proven free, both ends included.
    bool is_free(const ompl::base::State *from, const ompl::base::State *to) const {
        return free_until(from, to, any_) == 1;
    }

    /// The way is proven free before this time; 1 where it is proven free and so is the state that it leads to.
    double free_until(const ompl::base::State *from, const ompl::base::State *to) const {
        return free_until(from, to, earliest_);
    }

  private:
    using leased = std::unique_ptr<detail::ompl_lease>;

    // ---- what states set ----

    void add_group(std::size_t g) {
        ompl_joints &group = joints_[g];
        const std::size_t count = world_.values(group.body);
        if (group.rest.empty()) group.rest.assign(count, 0.0);
        if (group.rest.size() != count)
            detail::ompl_refuse("body " + std::to_string(group.body) + " has " + std::to_string(count) +
                                " values, not " + std::to_string(group.rest.size()));
        const std::vector<detail::ompl_target> all = all_values(g);
        if (group.values.empty())
            for (const detail::ompl_target &one : all)
                if (!follows(group, one.value)) targets_.push_back(one);
        for (const std::size_t value : group.values) {
            check_value(group, value);
            if (follows(group, value)) refuse_value(group, value, "is set by a state and follows another");
            targets_.push_back(all[value]);
        }
        check_once();
    }
    static bool follows(const ompl_joints &group, std::size_t value) {
        return std::any_of(group.mimics.begin(), group.mimics.end(),
                           [value](const ompl_joints::mimic &mimic) { return mimic.value == value; });
    }
    [[noreturn]] static void refuse_value(const ompl_joints &group, std::size_t value, const char *why) {
        detail::ompl_refuse("value " + std::to_string(value) + " of body " + std::to_string(group.body) + " " + why);
    }
    std::vector<detail::ompl_target> all_values(std::size_t g) const {
        static constexpr std::size_t widths[] = {0, 1, 1, 3, 3, 6}; // of the kinds of joints
        std::vector<detail::ompl_target> all;
        for (std::size_t link = 0; link < world_.links(joints_[g].body); link++) {
            const graze_joint_kind kind = world_.joint(joints_[g].body, static_cast<uint32_t>(link));
            for (std::size_t k = 0; k < widths[kind]; k++) all.push_back({g, all.size(), link, kind, k});
        }
        return all;
    }
    void check_value(const ompl_joints &group, std::size_t value) const {
        if (value >= group.rest.size()) refuse_value(group, value, "is not there");
    }
    void check_once() const {
        for (std::size_t i = 0; i < targets_.size(); i++)
            for (std::size_t j = 0; j < i; j++)
                if (joints_[targets_[i].group].body == joints_[targets_[j].group].body &&
                    (targets_[i].group != targets_[j].group || targets_[i].value == targets_[j].value))
                    refuse_value(joints_[targets_[i].group], targets_[i].value, "or its body is listed twice");
    }

    void check_part(const detail::ompl_part &part) {
        for (std::size_t k = 0; k < part.count; k++)
            if (!fits(part, k))
                detail::ompl_refuse("value " + std::to_string(part.first + k) +
                                    " of a state sets a joint that does not move as the state space does");
        exact_ = exact_ && part.is == detail::ompl_part::kind::numbers;
    }
    bool fits(const detail::ompl_part &part, std::size_t k) const {
        using kind = detail::ompl_part::kind;
        const detail::ompl_target &target = targets_[part.first + k], &first = targets_[part.first];
        const bool turns =
            target.joint == GRAZE_JOINT_SPHERICAL || (target.joint == GRAZE_JOINT_FREE && target.within > 2);
        if (part.is == kind::numbers) return !turns;
        if (part.is == kind::angle)
            return target.joint == GRAZE_JOINT_REVOLUTE || (target.joint == GRAZE_JOINT_PLANAR && target.within == 2);
        return turns && target.link == first.link && target.group == first.group && target.value == first.value + k &&
               target.within % 3 == k;
    }

    /// Followers move straight where what they follow does.
    void check_mimics() const {
        for (std::size_t g = 0; g < joints_.size(); g++) {
            const std::vector<detail::ompl_target> all = all_values(g);
            for (const ompl_joints::mimic &mimic : joints_[g].mimics) {
                check_value(joints_[g], mimic.value);
                check_value(joints_[g], mimic.of);
                if (!is_straight(all[mimic.value]) || !is_straight(all[mimic.of]) || wraps(g, mimic.of))
                    refuse_value(joints_[g], mimic.value,
                                 "follows one that wraps, or is not of a revolute or prismatic joint");
            }
        }
    }
    static bool is_straight(const detail::ompl_target &target) {
        return target.joint == GRAZE_JOINT_REVOLUTE || target.joint == GRAZE_JOINT_PRISMATIC;
    }
    bool wraps(std::size_t group, std::size_t value) const {
        for (const detail::ompl_part &part : parts_.list())
            if (part.is == detail::ompl_part::kind::angle && targets_[part.first].group == group &&
                targets_[part.first].value == value)
                return true;
        return false;
    }

    void set_options(const ompl_options &options) {
        pose_.mode = any_.mode = GRAZE_ARTICULATED_ANY;
        for (articulated_options *each : {&pose_, &any_, &earliest_}) {
            each->min_separation = options.min_separation;
            each->tolerance = options.tolerance;
            each->max_checks = options.max_checks;
        }
        pose_.check_inside = options.check_inside;
    }

    // ---- the pool ----

    leased take() const {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            if (!pool_.empty()) {
                leased taken = std::move(pool_.back());
                pool_.pop_back();
                return taken;
            }
        }
        context_options options;
        options.threads = 1;
        auto made = std::make_unique<detail::ompl_lease>(options);
        const std::size_t groups = joints_.size();
        made->joints.assign(groups, graze_default_motion());
        made->motions.assign(groups, graze_default_body_motion());
        for (std::size_t g = 0; g < groups; g++) {
            made->from.push_back(joints_[g].rest);
            made->to.push_back(joints_[g].rest);
            const double none = std::numeric_limits<double>::quiet_NaN(); // the joint turns by its values
            made->turns.emplace_back(world_.links(joints_[g].body), std::array<double, 3>{none, none, none});
        }
        for (std::size_t g = 0; g < groups; g++) {
            made->joints[g].from = made->from[g].data();
            made->joints[g].to = made->to[g].data();
            made->joints[g].turns = reinterpret_cast<const double(*)[3]>(made->turns[g].data());
            made->motions[g].body = joints_[g].body;
            made->motions[g].joints = &made->joints[g];
        }
        return made;
    }
    void give(leased taken) const {
        const std::lock_guard<std::mutex> lock(mutex_);
        pool_.push_back(std::move(taken));
    }

    // ---- asking ----

    double &at(std::vector<std::vector<double>> &values, std::size_t i) const {
        return values[targets_[i].group][targets_[i].value];
    }

    void set_pose(detail::ompl_lease &lease, const ompl::base::State *state) const {
        for (const detail::ompl_part &part : parts_.list()) set_part(part, part.in(state), lease.from);
        follow(lease.from);
    }
    void set_part(const detail::ompl_part &part, const ompl::base::State *state,
                  std::vector<std::vector<double>> &values) const {
        using namespace ompl::base;
        if (part.is == detail::ompl_part::kind::numbers) {
            for (std::size_t k = 0; k < part.count; k++)
                at(values, part.first + k) = state->as<RealVectorStateSpace::StateType>()->values[k];
        } else if (part.is == detail::ompl_part::kind::angle) {
            at(values, part.first) = state->as<SO2StateSpace::StateType>()->value;
        } else {
            const std::array<double, 3> rotation = detail::ompl_rotation(detail::ompl_quaternion_of(state));
            for (std::size_t k = 0; k < 3; k++) at(values, part.first + k) = rotation[k];
        }
    }
    void follow(std::vector<std::vector<double>> &values) const {
        for (std::size_t g = 0; g < joints_.size(); g++)
            for (const ompl_joints::mimic &mimic : joints_[g].mimics)
                values[g][mimic.value] = mimic.multiplier * values[g][mimic.of] + mimic.offset;
    }

    void set_way(detail::ompl_lease &lease, const ompl::base::State *from, const ompl::base::State *to) const {
        set_pose(lease, from);
        for (const detail::ompl_part &part : parts_.list()) {
            set_part(part, part.in(to), lease.to);
            if (part.is == detail::ompl_part::kind::angle) {
                const double start = at(lease.from, part.first);
                at(lease.to, part.first) = start + detail::ompl_shorter(start, at(lease.to, part.first));
            } else if (part.is == detail::ompl_part::kind::rotation) {
                const detail::ompl_target &target = targets_[part.first];
                lease.turns[target.group][target.link] = detail::ompl_rotation(detail::ompl_between(
                    detail::ompl_quaternion_of(part.in(from)), detail::ompl_quaternion_of(part.in(to))));
            }
        }
        follow(lease.to);
    }

    graze_articulated_result ask(const detail::ompl_lease &lease, const articulated_options &options, bool pose) const {
        graze_articulated_result result = graze_default_articulated_result();
        graze_context *context = lease.context.get();
        const graze_body_motion *motions = lease.motions.data();
        const graze_status status =
            pose ? graze_world_valid(context, world_.c(), motions, lease.motions.size(), &options, &result)
                 : graze_world_step(context, world_.c(), motions, lease.motions.size(), &options, &result);
        log(context, status);
        return result; // unresolved, with toi 0, where the call failed
    }
    static void log(graze_context *context, graze_status status) {
        graze_error error;
        if (status != GRAZE_OK && graze_context_last_error(context, &error) == GRAZE_OK)
            OMPL_ERROR("graze: %s: %s", graze_status_name(status), error.message);
    }

    double measure(const detail::ompl_lease &lease) const {
        graze_context *context = lease.context.get();
        graze_world_distance_options options = graze_default_world_distance_options();
        options.min_separation = pose_.min_separation;
        graze_world_distance_result found = graze_default_world_distance_result();
        log(context,
            graze_world_distance(context, world_.c(), lease.motions.data(), lease.motions.size(), &options, &found));
        const double lower = found.gap_count ? std::min(found.gaps[0].lower, found.lower) : found.lower;
        graze_world_distance_release(context, &found);
        return lower; // 0 where the call failed
    }

    double free_until(const ompl::base::State *from, const ompl::base::State *to,
                      const articulated_options &options) const {
        auto lease = take();
        set_way(*lease, from, to);
        const graze_articulated_result result = ask(*lease, options, false);
        bool free = result.verdict == GRAZE_CLEAR;
        if (free && !exact_) {
            set_pose(*lease, to);
            free = ask(*lease, pose_, true).verdict == GRAZE_CLEAR;
        }
        give(std::move(lease));
        return free ? 1 : std::min(result.toi, std::nextafter(1.0, 0.0));
    }

    ompl::base::StateSpacePtr space_;
    world world_;
    std::vector<ompl_joints> joints_;
    detail::ompl_parts parts_;
    std::vector<detail::ompl_target> targets_; ///< for each value of a state
    bool exact_ = true;                        ///< a motion ends in the very pose of its last state
    articulated_options pose_, any_, earliest_;
    mutable std::mutex mutex_;
    mutable std::vector<leased> pool_;
};

namespace detail {

inline void ompl_check_space(const ompl::base::SpaceInformation &si, const ompl_scene &scene) {
    if (si.getStateSpace() != scene.space()) ompl_refuse("the scene was made for another state space");
}

} // namespace detail

/// States are valid where their pose is proven free.
class ompl_state_checker : public ompl::base::StateValidityChecker {
  public:
    ompl_state_checker(const ompl::base::SpaceInformationPtr &si, std::shared_ptr<const ompl_scene> scene)
        : StateValidityChecker(si), scene_(std::move(scene)) {
        detail::ompl_check_space(*si, *scene_);
        specs_.clearanceComputationType = ompl::base::StateValidityCheckerSpecs::BOUNDED_APPROXIMATE;
    }
    using StateValidityChecker::clearance;
    using StateValidityChecker::isValid;
    bool isValid(const ompl::base::State *state) const override { return scene_->is_free(state); }
    /// Lower bound on the distance of the closest links; 0 for a state that is not valid. Depth is not measured.
    double clearance(const ompl::base::State *state) const override { return scene_->clearance(state); }

  private:
    std::shared_ptr<const ompl_scene> scene_;
};

/// Motions are valid where they are proven free from one end to the other.
class ompl_motion_validator : public ompl::base::MotionValidator {
  public:
    ompl_motion_validator(const ompl::base::SpaceInformationPtr &si, std::shared_ptr<const ompl_scene> scene)
        : MotionValidator(si), scene_(std::move(scene)) {
        detail::ompl_check_space(*si, *scene_);
    }

    bool checkMotion(const ompl::base::State *s1, const ompl::base::State *s2) const override {
        return counted(scene_->is_free(s1, s2));
    }

    /// `lastValid` of a motion that is not valid: the largest time below the time of contact, up to rounding, whose
    /// state, as OMPL's interpolation rounds it, is itself proven free; s1 with time 0 where there is none.
    bool checkMotion(const ompl::base::State *s1, const ompl::base::State *s2,
                     std::pair<ompl::base::State *, double> &lastValid) const override {
        const double until = scene_->free_until(s1, s2);
        if (until < 1) set_last(s1, s2, until, lastValid);
        return counted(until == 1);
    }

  private:
    bool counted(bool valid) const {
        const std::lock_guard<std::mutex> lock(counting_);
        (valid ? valid_ : invalid_)++;
        return valid;
    }

    void set_last(const ompl::base::State *s1, const ompl::base::State *s2, double until,
                  std::pair<ompl::base::State *, double> &lastValid) const {
        const ompl::base::StateSpace &space = *scene_->space();
        ompl::base::State *state = space.allocState(); // lastValid.first may be s1 or s2
        lastValid.second = largest_free(s1, s2, until, state);
        if (lastValid.first) {
            space.interpolate(s1, s2, lastValid.second, state);
            space.copyState(lastValid.first, state);
        }
        space.freeState(state);
    }

    /// Back from `until` by longer and longer steps, then halves between the last time that failed and the first that
    /// did not.
    double largest_free(const ompl::base::State *s1, const ompl::base::State *s2, double until,
                        ompl::base::State *state) const {
        const auto is_free = [&](double t) {
            scene_->space()->interpolate(s1, s2, t, state);
            return scene_->is_free(state);
        };
        double failed = until, step = 0x1p-53, free = std::max(until - step, 0.0);
        while (free > 0 && !is_free(free)) {
            failed = free;
            step *= 4;
            free = std::max(until - step, 0.0);
        }
        while (failed - free > 0x1p-53) {
            const double middle = free + (failed - free) / 2;
            (is_free(middle) ? free : failed) = middle;
        }
        return free;
    }

    std::shared_ptr<const ompl_scene> scene_;
    mutable std::mutex counting_;
};

} // namespace graze
#endif
