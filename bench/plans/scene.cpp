#include "bench/plans/scene.hpp"

extern "C" {
#include "robot/model_file.h"
}

#include <cstdlib>
#include <stdexcept>

namespace plans {

struct scene::file {
    robot_models models{};
    uint8_t *table = nullptr; /* links × links; NULL: nothing is skipped */
    std::size_t links = 0;

    explicit file(const std::string &path) {
        io_error error;
        if (!robot_read_models(path.c_str(), &models, &error)) throw std::runtime_error(error.message);
        links = models.first_link[models.count];
        if (!robot_link_table(&models, &table)) {
            robot_free_models(&models);
            throw std::runtime_error(error.message);
        }
    }
    ~file() {
        std::free(table);
        robot_free_models(&models);
    }
    file(const file &) = delete;
    file &operator=(const file &) = delete;
};

namespace {

Eigen::Isometry3d isometry(const graze_frame &frame) {
    const double *q = frame.rotation, *p = frame.position;
    Eigen::Isometry3d made = Eigen::Isometry3d::Identity();
    made.linear() = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
    made.translation() = Eigen::Vector3d(p[0], p[1], p[2]);
    return made;
}

/* The links of a model as the library takes them. */
std::unique_ptr<graze_link, decltype(&std::free)> library_links(const robot_tree &tree) {
    std::unique_ptr<graze_link, decltype(&std::free)> links(robot_library_links(&tree), &std::free);
    if (!links) throw std::bad_alloc();
    return links;
}

/* The triangles of a link in its frame. */
struct triangles {
    std::vector<std::array<double, 3>> vertices;
    std::vector<std::array<uint32_t, 3>> faces;

    explicit triangles(const graze_link &link) {
        for (std::size_t m = 0; m < link.mesh_count; m++) add(link.meshes[m]);
    }

  private:
    void add(const graze_link_mesh &mesh) {
        const Eigen::Isometry3d origin = isometry(mesh.origin);
        const auto first = static_cast<uint32_t>(vertices.size());
        for (uint32_t v = 0; v < mesh.vertex_count; v++) {
            const double *x = mesh.vertices[v], *s = mesh.scale;
            const Eigen::Vector3d at = origin * Eigen::Vector3d(s[0] * x[0], s[1] * x[1], s[2] * x[2]);
            vertices.push_back({at[0], at[1], at[2]});
        }
        for (uint32_t f = 0; f < mesh.face_count; f++) {
            const uint32_t *face = mesh.faces[f];
            faces.push_back({face[0] + first, face[1] + first, face[2] + first});
        }
    }
};

} // namespace

scene::scene(const std::string &path) {
    const file read(path);
    add_links(read);
    make_world(read);
    make_fcl(read);
}

void scene::add_links(const file &read) {
    values_ = read.models.trees[0].values;
    for (std::size_t m = 0; m < read.models.count; m++) {
        const robot_tree &tree = read.models.trees[m];
        const auto links = library_links(tree);
        first_link_.push_back(links_.size());
        const int first = static_cast<int>(links_.size());
        for (std::size_t i = 0; i < tree.count; i++) {
            const graze_link &link = links.get()[i];
            const robot_link &named = tree.links[tree.order[i]];
            const bool has_value = link.joint == GRAZE_JOINT_REVOLUTE || link.joint == GRAZE_JOINT_PRISMATIC;
            if (link.joint != GRAZE_JOINT_FIXED && (!has_value || m > 0))
                throw std::runtime_error("plans: joints of the first model turn or slide, all others are fixed");
            const int parent = link.parent < 0 ? -1 : first + link.parent, own = static_cast<int>(links_.size());
            const int above = parent < 0 ? -1 : links_[static_cast<std::size_t>(parent)].rigid;
            links_.push_back({parent, link.joint, isometry(link.origin),
                              Eigen::Vector3d(link.axis[0], link.axis[1], link.axis[2]).normalized(), named.first_value,
                              link.joint == GRAZE_JOINT_FIXED ? above : own});
            if (link.joint == GRAZE_JOINT_REVOLUTE && named.mimic < 0) {
                planned_.push_back(named.first_value);
                limits_.emplace_back(std::max(named.limits[0], -3.2), std::min(named.limits[1], 3.2));
            }
        }
    }
    poses_.resize(links_.size());
    pose_values_.assign(values_, 0.0);
}

/* As graze has it: what a joint itself connects, and what no joint moves against each other, is not tested. */
bool scene::is_pair(const file &read, std::size_t a, std::size_t b) const {
    if (a == b || links_[a].rigid == links_[b].rigid) return false;
    const bool joined = links_[a].parent == static_cast<int>(b) || links_[b].parent == static_cast<int>(a);
    return !joined && (!read.table || read.table[a * read.links + b]);
}

void scene::make_world(const file &read) {
    std::vector<graze_model *> models;
    std::vector<graze_body> bodies;
    graze::world_options options;
    options.filter = [&](const graze::side &a, const graze::side &b, double &) {
        return is_pair(read, first_link_[a.body] + a.link, first_link_[b.body] + b.link) ? GRAZE_PAIR_TEST
                                                                                         : GRAZE_PAIR_SKIP;
    };
    std::vector<graze::model> made;
    for (std::size_t m = 0; m < read.models.count; m++) {
        const auto links = library_links(read.models.trees[m]);
        std::vector<graze::link> copies;
        for (std::size_t i = 0; i < read.models.trees[m].count; i++) {
            const graze_link &c = links.get()[i];
            graze::link link;
            link.parent = c.parent;
            link.joint = c.joint;
            static_cast<graze_frame &>(link.origin) = c.origin;
            link.axis = {c.axis[0], c.axis[1], c.axis[2]};
            link.padding = c.padding;
            const triangles shape(c);
            if (!shape.faces.empty()) link.meshes.emplace_back(shape.vertices, shape.faces);
            copies.push_back(std::move(link));
        }
        made.emplace_back(context_, copies);
    }
    std::vector<graze::body> all;
    for (const graze::model &one : made) all.emplace_back(one);
    world_ = std::make_unique<graze::world>(context_, all, options);
}

void scene::make_fcl(const file &read) {
    const std::size_t n = links_.size();
    pairs_.assign(n * n, 0);
    for (std::size_t a = 0; a < n; a++)
        for (std::size_t b = 0; b < n; b++) pairs_[a * n + b] = is_pair(read, a, b);
    fcl_ = bench_fcl_scene_make(pairs_.data(), n);
    if (!fcl_) throw std::bad_alloc();
    for (std::size_t m = 0; m < read.models.count; m++) {
        const auto links = library_links(read.models.trees[m]);
        for (std::size_t i = 0; i < read.models.trees[m].count; i++) {
            const graze_link &link = links.get()[i];
            const triangles shape(link);
            if (!bench_fcl_scene_add(fcl_, reinterpret_cast<const double(*)[3]>(shape.vertices.data()),
                                     shape.vertices.size(), reinterpret_cast<const uint32_t(*)[3]>(shape.faces.data()),
                                     shape.faces.size(), link.padding, links_[first_link_[m] + i].rigid < 0))
                throw std::runtime_error("plans: FCL has no padded triangles");
        }
    }
}

bool scene::fcl_touches(const double *values) {
    for (std::size_t k = 0; k < planned_.size(); k++) pose_values_[planned_[k]] = values[k];
    for (std::size_t i = 0; i < links_.size(); i++) {
        const placed_link &link = links_[i];
        Eigen::Isometry3d &pose = poses_[i];
        pose = link.parent < 0 ? link.origin : poses_[static_cast<std::size_t>(link.parent)] * link.origin;
        if (link.joint == GRAZE_JOINT_REVOLUTE) pose.rotate(Eigen::AngleAxisd(pose_values_[link.value], link.axis));
        if (link.joint == GRAZE_JOINT_PRISMATIC) pose.translate(pose_values_[link.value] * link.axis);
        double rows[3][4];
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 4; c++) rows[r][c] = pose.matrix()(r, c);
        bench_fcl_scene_place(fcl_, i, rows);
    }
    return bench_fcl_scene_collides(fcl_);
}

} // namespace plans
