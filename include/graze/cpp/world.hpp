/// Worlds that are prepared once and tested for many motions: bodies, rules for pairs, and versions that share the
/// unchanged parts.
#ifndef GRAZE_CPP_WORLD_HPP
#define GRAZE_CPP_WORLD_HPP

#include "graze/cpp/articulated.hpp"
#include "graze/world.h"

#include <algorithm>

namespace graze {

/// A body of a world: a model, triangles that never move, or a mesh that moves in its own way. Models, meshes and
/// positions are borrowed until the world is made.
class body {
  public:
    /// Its vertices move straight, or on Bézier curves of four control positions.
    static body straight(const mesh &shape, double padding = 0) {
        return {GRAZE_BODY_STRAIGHT, shape, {nullptr, 0}, padding};
    }
    static body cubic(const mesh &shape, double padding = 0) {
        return {GRAZE_BODY_CUBIC, shape, {nullptr, 0}, padding};
    }
    /// Its rest positions move between two poses, by two matrices, or not at all.
    static body rigid(const mesh &shape, points rest, double padding = 0) {
        return {GRAZE_BODY_RIGID, shape, std::move(rest), padding};
    }
    static body affine(const mesh &shape, points rest, double padding = 0) {
        return {GRAZE_BODY_AFFINE, shape, std::move(rest), padding};
    }
    static body standing(const mesh &shape, points rest, double padding = 0) {
        return {GRAZE_BODY_STATIC, shape, std::move(rest), padding};
    }
    body(const model &moving) : model_(&moving) {}
    body(link_mesh mesh, const frame &origin = {}, double padding = 0) : origin_(origin), padding_(padding) {
        meshes_.push_back(std::move(mesh));
    }
    body(std::vector<link_mesh> meshes, const frame &origin = {}, double padding = 0)
        : meshes_(std::move(meshes)), origin_(origin), padding_(padding) {}

    const model *moving() const { return model_; }
    const std::vector<link_mesh> &meshes() const { return meshes_; }
    /// Vertices of a mesh of its own; 0 without.
    uint32_t vertex_count() const { return shape_ ? static_cast<uint32_t>(shape_->vertex_count()) : 0; }
    /// Rest positions are as many as its vertices, or none where they come with motions.
    bool fits() const {
        const bool rests = kind_ != GRAZE_BODY_STRAIGHT && kind_ != GRAZE_BODY_CUBIC;
        return !shape_ || (rest_.columns() == 3 && rest_.size() == (rests ? vertex_count() : 0));
    }
    /// As the library takes it, without its meshes. It points to positions of this one.
    graze_body c() const {
        graze_body made = graze_default_body();
        made.kind = model_ ? GRAZE_BODY_MODEL : kind_;
        made.mesh = shape_ ? &shape_->c() : nullptr;
        made.rest = shape_ && rest_.size() ? rest_.rows() : nullptr;
        made.model = model_ ? model_->c() : nullptr;
        made.origin = origin_;
        made.padding = padding_;
        return made;
    }

  private:
    body(graze_body_kind kind, const mesh &shape, points rest, double padding)
        : kind_(kind), shape_(&shape), rest_(std::move(rest)), padding_(padding) {
        rest_.make_tight();
    }

    graze_body_kind kind_ = GRAZE_BODY_STATIC;
    const model *model_ = nullptr;
    const mesh *shape_ = nullptr;
    points rest_{nullptr, 0};
    std::vector<link_mesh> meshes_;
    frame origin_;
    double padding_ = 0;
};

/// A link of a body, or all of its links.
struct side {
    uint32_t body, link = GRAZE_EVERY_LINK;
};

/// graze_world_pair: how two links, or two bodies, are tested.
struct world_pair : graze_world_pair {
    static world_pair skip(const side &a, const side &b) { return {a, b, GRAZE_PAIR_SKIP, 0}; }
    static world_pair test(const side &a, const side &b) { return {a, b, GRAZE_PAIR_TEST, 0}; }
    static world_pair apart(const side &a, const side &b, double separation) {
        return {a, b, GRAZE_PAIR_APART, separation};
    }

  private:
    world_pair(const side &a, const side &b, graze_pair_rule how, double distance)
        : graze_world_pair(graze_default_world_pair()) {
        body_a = a.body, link_a = a.link, body_b = b.body, link_b = b.link;
        rule = how;
        separation = distance;
    }
};

/// As graze_world_options. An exception from the filter comes out of the call that ran it.
struct world_options {
    std::vector<graze_world_pair> pairs;
    std::function<graze_pair_rule(const side &, const side &, double &separation)> filter;

    world_options() = default;
    world_options(std::initializer_list<world_pair> rules) : pairs(rules.begin(), rules.end()) {}
};

/// One change of a world, as graze_world_change.
class world_change {
  public:
    static world_change place(uint32_t body, uint32_t link, const frame &origin) {
        world_change made(GRAZE_WORLD_PLACE, body);
        made.c_.link = link;
        made.c_.origin = origin;
        return made;
    }
    static world_change pad(uint32_t body, uint32_t link, double padding) {
        world_change made(GRAZE_WORLD_PAD, body);
        made.c_.link = link;
        made.c_.padding = padding;
        return made;
    }
    static world_change attach(uint32_t body, link attached) {
        world_change made(GRAZE_WORLD_ATTACH, body);
        made.link_ = std::move(attached);
        return made;
    }
    static world_change detach(uint32_t body) { return {GRAZE_WORLD_DETACH, body}; }
    static world_change rule(const world_pair &pair) {
        world_change made(GRAZE_WORLD_RULE, 0);
        made.pair_ = pair;
        return made;
    }

    const graze_world_change &c() const { return c_; }
    const std::optional<link> &attached() const { return link_; }
    const std::optional<graze_world_pair> &pair() const { return pair_; }

  private:
    world_change(graze_world_change_kind kind, uint32_t body) : c_(graze_default_world_change()) {
        c_.kind = kind;
        c_.body = body;
    }

    graze_world_change c_;
    std::optional<link> link_;
    std::optional<graze_world_pair> pair_;
};

/// Motion of one body of a world: of the joints of a model, or one that is made by a function below.
struct body_motion {
    uint32_t body;
    motion joints{};
    std::optional<graze_body_motion> own{}; ///< of a body with a mesh of its own, without its positions
    std::vector<points> x{};                ///< these

    static body_motion straight(uint32_t body, points x0, points x1) {
        return of_positions(body, {std::move(x0), std::move(x1)});
    }
    /// Four control positions.
    static body_motion cubic(uint32_t body, std::vector<points> control) {
        return of_positions(body, std::move(control));
    }
    /// Of a rigid body. For GRAZE_PATH_ROTVEC set own->rotvec0 and own->rotvec1.
    static body_motion rigid(uint32_t body, const frame &from, const frame &to,
                             graze_pose_path path = GRAZE_PATH_TURN) {
        body_motion made = of_positions(body, {});
        made.own->pose0 = from;
        made.own->pose1 = to;
        made.own->path = path;
        return made;
    }
    using matrix = std::array<std::array<double, 4>, 3>;
    static body_motion affine(uint32_t body, const matrix &from, const matrix &to) {
        body_motion made = of_positions(body, {});
        for (std::size_t i = 0; i < 3; i++)
            for (std::size_t j = 0; j < 4; j++)
                made.own->matrix0[i][j] = from[i][j], made.own->matrix1[i][j] = to[i][j];
        return made;
    }

    /// As the library takes it; it points to the positions of this one.
    graze_body_motion c() const {
        graze_body_motion made = own ? *own : graze_default_body_motion();
        made.body = body;
        if (x.size() == 2) made.x0 = x[0].rows(), made.x1 = x[1].rows();
        for (std::size_t k = 0; x.size() == 4 && k < 4; k++) made.control[k] = x[k].rows();
        return made;
    }

  private:
    static body_motion of_positions(uint32_t body, std::vector<points> x) {
        for (points &one : x) one.make_tight();
        return {body, {}, graze_default_body_motion(), std::move(x)};
    }
};

namespace detail {

/// Bodies as the library takes them, and what they point to.
class c_bodies {
  public:
    explicit c_bodies(span<const body> bodies) {
        for (const body &one : bodies) add(one);
        for (std::size_t i = 0; i < bodies_.size(); i++) {
            bodies_[i].meshes = meshes_[i].data();
            bodies_[i].mesh_count = meshes_[i].size();
        }
    }
    const graze_body *data() const { return bodies_.data(); }
    std::size_t size() const { return bodies_.size(); }
    /// Numbers in a row of the first mesh that has not three of them, else 3.
    std::size_t columns() const { return columns_; }

  private:
    void add(const body &one) {
        std::vector<graze_link_mesh> made;
        for (const link_mesh &mesh : one.meshes()) {
            if (columns_ == 3) columns_ = mesh.columns();
            made.push_back(mesh.c());
        }
        meshes_.push_back(std::move(made));
        bodies_.push_back(one.c());
    }

    std::vector<std::vector<graze_link_mesh>> meshes_;
    std::vector<graze_body> bodies_;
    std::size_t columns_ = 3;
};

/// Changes as the library takes them, and what they point to.
class c_changes {
  public:
    explicit c_changes(span<const world_change> changes) {
        for (const world_change &one : changes) links_.emplace_back(of(one.attached()));
        for (std::size_t i = 0; i < changes.size(); i++) {
            changes_.push_back(changes[i].c());
            if (changes[i].attached()) changes_[i].attached = links_[i].data();
            if (changes[i].pair()) changes_[i].pair = &*changes[i].pair();
            if (columns_ == 3) columns_ = links_[i].columns();
        }
    }
    const graze_world_change *data() const { return changes_.data(); }
    std::size_t size() const { return changes_.size(); }
    std::size_t columns() const { return columns_; }

  private:
    static span<const link> of(const std::optional<link> &attached) {
        return {attached ? &*attached : nullptr, attached ? std::size_t(1) : std::size_t(0)};
    }

    std::vector<c_links> links_;
    std::vector<graze_world_change> changes_;
    std::size_t columns_ = 3;
};

/// A filter, for as long as versions of its world are made.
struct world_filter {
    decltype(world_options::filter) function;
    thrown raised;

    /// A pair is tested where the function threw.
    static graze_pair_rule ask(void *user, uint32_t body_a, uint32_t link_a, uint32_t body_b, uint32_t link_b,
                               double *separation) {
        auto &self = *static_cast<world_filter *>(user);
        return self.raised.guard(GRAZE_PAIR_TEST, [&] {
            return self.function({body_a, link_a}, {body_b, link_b}, *separation);
        });
    }
};

} // namespace detail

/// Bodies, their trees and the pairs to test. It never changes; a copy shares the world. Any number of threads may use
/// it at once, each with its own context. It keeps the needed parts of contexts alive.
class world {
  public:
    world(context &context, span<const body> bodies, const world_options &options = {}, const report &report = {}) {
        if (options.filter) {
            filter_ = std::make_shared<detail::world_filter>();
            filter_->function = options.filter;
        }
        graze_world_options c = graze_default_world_options();
        c.pairs = options.pairs.data();
        c.pair_count = options.pairs.size();
        c.filter = filter_ ? detail::world_filter::ask : nullptr;
        c.filter_user = filter_.get();
        for (const body &one : bodies) {
            if (one.moving()) keep(one.moving()->core()); // it shares its triangles
            if (!one.fits()) {
                report(GRAZE_ERR_INVALID_ARGUMENT, "rest positions do not fit the mesh of a body");
                return;
            }
            vertices_.push_back(one.vertex_count());
        }
        const detail::c_bodies made(bodies);
        take(context, made.columns(), report,
             [&](graze_world **out) { return graze_world_create(context.get(), made.data(), made.size(), &c, out); });
    }
    world(context &context, std::initializer_list<body> bodies, const world_options &options = {},
          const report &report = {})
        : world(context, span<const body>(bodies.begin(), bodies.size()), options, report) {}

    /// Returns a version with these changes, applied in order; this world stays as it is.
    world update(context &context, span<const world_change> changes, const report &report = {}) const {
        world next;
        next.cores_ = cores_;
        next.filter_ = filter_;
        next.vertices_ = vertices_;
        const detail::c_changes made(changes);
        next.take(context, made.columns(), report, [&](graze_world **out) {
            return graze_world_update(context.get(), c(), made.data(), made.size(), out);
        });
        return next;
    }
    world update(context &context, std::initializer_list<world_change> changes, const report &report = {}) const {
        return update(context, span<const world_change>(changes.begin(), changes.size()), report);
    }

    std::size_t bodies() const { return c() ? graze_world_bodies(c()) : 0; }
    std::size_t links(uint32_t body) const { return c() ? graze_world_links(c(), body) : 0; }
    std::size_t values(uint32_t body) const { return c() ? graze_world_values(c(), body) : 0; }
    /// The joint that carries a link.
    graze_joint_kind joint(uint32_t body, uint32_t link) const { return graze_world_joint(c(), body, link); }

    /// Vertices of a body with a mesh of its own.
    uint32_t vertex_count(uint32_t body) const { return body < vertices_.size() ? vertices_[body] : 0; }

    const graze_world *c() const { return world_.get(); }

  private:
    world() = default;

    void keep(const std::shared_ptr<detail::core> &core) {
        if (std::find(cores_.begin(), cores_.end(), core) == cores_.end()) cores_.push_back(core);
    }
    template <class Make> void take(context &context, std::size_t columns, const report &report, const Make &make) {
        if (columns != 3)
            return report(GRAZE_ERR_INVALID_ARGUMENT, detail::wrong_columns("vertices or faces", columns, 3));
        keep(context.core());
        graze_world *made = nullptr;
        const graze_status status = make(&made);
        world_ = {made, [cores = cores_](graze_world *last) { graze_world_release(last); }};
        if (filter_) filter_->raised.rethrow();
        context.finish(status, report);
    }

    std::vector<uint32_t> vertices_;
    std::vector<std::shared_ptr<detail::core>> cores_; ///< of models, of this version and of those before it
    std::shared_ptr<detail::world_filter> filter_;
    std::shared_ptr<graze_world> world_;
};

namespace detail {

/// Motions of bodies as the library takes them: they point into those that they are made of.
class c_body_motions {
  public:
    /// Of a world, or of many.
    template <class World>
    c_body_motions(const World &world, span<const body_motion> motions, const report &report)
        : joints_(motions.size(), graze_default_motion()), c_(motions.size(), graze_default_body_motion()) {
        for (std::size_t i = 0; i < motions.size(); i++) {
            const uint32_t body = motions[i].body;
            c_[i] = motions[i].c();
            if (motions[i].own) {
                if (!fits(motions[i].x, world.vertex_count(body), report)) return;
                continue;
            }
            if (!c_motion(motions[i].joints, world.links(body), world.values(body), i, report, joints_[i])) return;
            c_[i].joints = &joints_[i];
        }
        valid_ = true;
    }
    static bool fits(const std::vector<points> &x, uint32_t vertices, const report &report) {
        for (const points &one : x)
            if (one.columns() != 3 || one.size() != vertices) {
                report(GRAZE_ERR_INVALID_ARGUMENT, "positions of a motion do not fit the mesh of its body");
                return false;
            }
        return true;
    }
    bool valid() const { return valid_; }
    const graze_body_motion *data() const { return c_.data(); }

  private:
    std::vector<graze_motion> joints_;
    std::vector<graze_body_motion> c_;
    bool valid_ = false;
};

template <class Call>
articulated_result world_answer(context &context, const world &world, const std::vector<body_motion> &motions,
                                const report &report, const Call &call) {
    articulated_result made;
    const c_body_motions moved(world, motions, report);
    if (!moved.valid()) return made;
    graze_articulated_result found = graze_default_articulated_result();
    const graze_status status = call(moved.data(), &found);
    return take_result(context, status, found, report);
}

} // namespace detail

/// graze_world_step: the first contact between and within the bodies of a world; bodies that are not listed stand at
/// zeros.
inline articulated_result world_step(context &context, const world &world, const std::vector<body_motion> &motions,
                                     const articulated_options &options = {}, const report &report = {}) {
    const graze_articulated_options c = options.c();
    return detail::world_answer(context, world, motions, report,
                                [&](const graze_body_motion *moved, graze_articulated_result *found) {
                                    return graze_world_step(context.get(), world.c(), moved, motions.size(), &c, found);
                                });
}

/// graze_world_valid: tests that the pose at `from` of the motions is free, and that no link is inside another.
inline articulated_result world_valid(context &context, const world &world, const std::vector<body_motion> &pose,
                                      const report &report = {}) {
    return detail::world_answer(
        context, world, pose, report, [&](const graze_body_motion *moved, graze_articulated_result *found) {
            return graze_world_valid(context.get(), world.c(), moved, pose.size(), nullptr, found);
        });
}
/// With options; check_inside is one of them.
inline articulated_result world_valid(context &context, const world &world, const std::vector<body_motion> &pose,
                                      const articulated_options &options, const report &report = {}) {
    const graze_articulated_options c = options.c();
    return detail::world_answer(context, world, pose, report,
                                [&](const graze_body_motion *moved, graze_articulated_result *found) {
                                    return graze_world_valid(context.get(), world.c(), moved, pose.size(), &c, found);
                                });
}

/// Answers many motions of the same bodies: motions[p·count + i] is the i-th of path p. Not for mode ALL.
inline std::vector<graze_articulated_result> world_batch(context &context, const world &world,
                                                         const std::vector<body_motion> &motions, std::size_t count,
                                                         const articulated_options &options = {},
                                                         const report &report = {}) {
    const std::size_t paths = count ? motions.size() / count : 0;
    std::vector<graze_articulated_result> results(paths, graze_default_articulated_result());
    const detail::c_body_motions moved(world, motions, report);
    if (!moved.valid()) return results;
    if (paths * count != motions.size()) {
        report(GRAZE_ERR_INVALID_ARGUMENT,
               std::to_string(motions.size()) + " motions are no multiple of " + std::to_string(count));
        return results;
    }
    const graze_articulated_options c = options.c();
    context.finish(graze_world_batch(context.get(), world.c(), moved.data(), count, paths, &c, results.data()), report);
    return results;
}

} // namespace graze
#endif
