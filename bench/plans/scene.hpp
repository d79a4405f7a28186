/* A robot among obstacles from a model file, as a world of graze and as meshes of FCL, both with the same pairs. */
#ifndef GRAZE_BENCH_PLANS_SCENE_HPP
#define GRAZE_BENCH_PLANS_SCENE_HPP

#include "bench/articulated/fcl.h"

#include "graze/graze.hpp"

#include <Eigen/Geometry>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace plans {

/* A link of any model: where its joint is, and what turns or shifts it. */
struct placed_link {
    int parent; /* among all links; −1: the world */
    graze_joint_kind joint;
    Eigen::Isometry3d origin;
    Eigen::Vector3d axis;
    std::size_t value; /* among those of the first model, where the joint has one */
    int rigid;         /* the first link that fixed joints hold it to; −1: the world */
};

/* The first model of the file is the robot. Its revolute joints are planned, all others stay at zero. */
class scene {
  public:
    explicit scene(const std::string &path); /* throws std::runtime_error with the reader's line */
    ~scene() { bench_fcl_scene_free(fcl_); }
    scene(const scene &) = delete;
    scene &operator=(const scene &) = delete;

    const graze::world &world() const { return *world_; }
    graze::context &context() { return context_; }
    /* Values of the robot that are planned, and their limits. */
    const std::vector<std::size_t> &planned() const { return planned_; }
    const std::vector<std::pair<double, double>> &limits() const { return limits_; }
    std::size_t values() const { return values_; }

    /* True if FCL finds two links that touch; `values` are those that are planned. */
    bool fcl_touches(const double *values);

  private:
    struct file;

    void add_links(const file &read);
    void make_world(const file &read);
    void make_fcl(const file &read);
    bool is_pair(const file &read, std::size_t a, std::size_t b) const;

    graze::context context_;
    std::vector<placed_link> links_;
    std::vector<std::size_t> first_link_; /* of each model */
    std::vector<Eigen::Isometry3d, Eigen::aligned_allocator<Eigen::Isometry3d>> poses_;
    std::vector<double> pose_values_;
    std::vector<std::size_t> planned_;
    std::vector<std::pair<double, double>> limits_;
    std::size_t values_ = 0;
    std::unique_ptr<graze::world> world_;
    std::vector<uint8_t> pairs_;
    bench_fcl_scene *fcl_ = nullptr;
};

} // namespace plans

#endif
