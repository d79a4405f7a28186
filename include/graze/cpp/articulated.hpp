/// Links on joints: models that release themselves, and their motions.
#ifndef GRAZE_CPP_ARTICULATED_HPP
#define GRAZE_CPP_ARTICULATED_HPP

#include "graze/articulated.h"
#include "graze/cpp/mesh.hpp"

#include <cstring>
#include <initializer_list>
#include <optional>
#include <string>

namespace graze {

/// graze_frame; default: the identity.
struct frame : graze_frame {
    frame(const std::array<double, 3> &at = {0, 0, 0}, const std::array<double, 4> &turned = {1, 0, 0, 0}) {
        for (std::size_t i = 0; i < 3; i++) position[i] = at[i];
        for (std::size_t i = 0; i < 4; i++) rotation[i] = turned[i];
    }

    /// From roll, pitch and yaw about fixed x, y and z, as in URDF.
    static frame of_angles(const std::array<double, 3> &at, const std::array<double, 3> &angles) {
        frame made;
        static_cast<graze_frame &>(made) = graze_frame_of_angles(at.data(), angles.data());
        return made;
    }
};

/// Triangles of a link, copied from arrays and matrices as a mesh takes them.
struct link_mesh {
    std::vector<std::array<double, 3>> vertices;
    std::vector<std::array<uint32_t, 3>> faces;
    frame origin;                            ///< where it is in the link's frame
    std::array<double, 3> scale = {1, 1, 1}; ///< applied first
    double radius = 0;                       ///< its triangles count as grown by it, beside the link's padding

    link_mesh(const points &positions, indices<3> triangles, const frame &at = {}) : origin(at) {
        columns_ = positions.columns() != 3 ? positions.columns() : triangles.columns();
        if (columns_ != 3) return;
        vertices.resize(positions.size());
        detail::copy_rows(positions, positions.size(), reinterpret_cast<double(*)[3]>(vertices.data()));
        faces = triangles.take();
    }

    /// 3, or what the positions or faces have in place of it: no model is made of that.
    std::size_t columns() const { return columns_; }
    /// The C struct; it points into this one.
    graze_link_mesh c() const {
        graze_link_mesh made = graze_default_link_mesh();
        made.vertex_count = detail::as_index(vertices.size());
        made.face_count = detail::as_index(faces.size());
        made.vertices = reinterpret_cast<const double(*)[3]>(vertices.data());
        made.faces = reinterpret_cast<const uint32_t(*)[3]>(faces.data());
        made.origin = origin;
        for (std::size_t i = 0; i < 3; i++) made.scale[i] = scale[i];
        made.radius = radius;
        return made;
    }

  private:
    std::size_t columns_;
};

/// A link and the joint that carries it, as graze_link.
struct link {
    int32_t parent = -1; ///< a link that is listed before it; −1: the world
    graze_joint_kind joint = GRAZE_JOINT_FIXED;
    frame origin;
    std::array<double, 3> axis = {0, 0, 1};
    std::vector<link_mesh> meshes;
    double padding = 0;
};

namespace detail {

/// Links as the library takes them, and what they point to.
class c_links {
  public:
    explicit c_links(span<const link> links) {
        for (const link &one : links) meshes_.push_back(meshes_of(one));
        for (std::size_t i = 0; i < links.size(); i++) links_.push_back(with_meshes(links[i], meshes_[i]));
    }
    const graze_link *data() const { return links_.data(); }
    std::size_t size() const { return links_.size(); }
    /// Numbers in a row of the first mesh that has not three of them, else 3.
    std::size_t columns() const { return columns_; }

  private:
    std::vector<graze_link_mesh> meshes_of(const link &link) {
        std::vector<graze_link_mesh> made;
        for (const link_mesh &mesh : link.meshes) {
            if (columns_ == 3) columns_ = mesh.columns();
            made.push_back(mesh.c());
        }
        return made;
    }
    static graze_link with_meshes(const link &link, const std::vector<graze_link_mesh> &meshes) {
        graze_link made = graze_default_link();
        made.parent = link.parent;
        made.joint = link.joint;
        made.origin = link.origin;
        for (std::size_t i = 0; i < 3; i++) made.axis[i] = link.axis[i];
        made.meshes = meshes.data();
        made.mesh_count = meshes.size();
        made.padding = link.padding;
        return made;
    }

    std::vector<std::vector<graze_link_mesh>> meshes_;
    std::vector<graze_link> links_;
    std::size_t columns_ = 3;
};

} // namespace detail

/// A tree of links, copied in. Movable, not copyable: calls with a moved-from model return GRAZE_ERR_INVALID_ARGUMENT.
/// It keeps the needed parts of its context alive.
class model {
  public:
    model(context &context, span<const link> links, const report &report = {}) : core_(context.core()) {
        with(links, report, [&](const detail::c_links &c) {
            graze_model *made = nullptr;
            const graze_status status = graze_model_create(at(), c.data(), c.size(), &made);
            model_ = {made, destroy{core_}};
            return status;
        });
    }
    model(context &context, std::initializer_list<link> links, const report &report = {})
        : model(context, span<const link>(links.begin(), links.size()), report) {}

    /// A static obstacle: one link on a fixed joint.
    static model obstacle(context &context, const points &vertices, indices<3> faces, const frame &origin = {},
                          const report &report = {}) {
        return of_one(context, GRAZE_JOINT_FIXED, {vertices, std::move(faces)}, origin, report);
    }
    /// A rigid body: one link on a free joint, with a translation and a rotation vector as its values.
    static model rigid(context &context, const points &vertices, indices<3> faces, const report &report = {}) {
        return of_one(context, GRAZE_JOINT_FREE, {vertices, std::move(faces)}, {}, report);
    }

    std::size_t links() const { return model_ ? graze_model_links(c()) : 0; }
    /// Number of joint values in a pose.
    std::size_t values() const { return model_ ? graze_model_values(c()) : 0; }

    /// Adds a link to the model, as its last.
    void attach(const link &link, const report &report = {}) {
        with({&link, 1}, report,
             [&](const detail::c_links &c) { return graze_model_attach(at(), model_.get(), c.data()); });
    }
    /// Removes the last link.
    void detach(const report &report = {}) { finish(graze_model_detach(at(), model_.get()), report); }
    void place(std::size_t link, const frame &origin, const report &report = {}) {
        finish(graze_model_place(at(), model_.get(), detail::as_index(link), &origin), report);
    }
    void pad(std::size_t link, double padding, const report &report = {}) {
        finish(graze_model_pad(at(), model_.get(), detail::as_index(link), padding), report);
    }

    const graze_model *c() const { return model_.get(); }
    const std::shared_ptr<detail::core> &core() const { return core_; }

  private:
    struct destroy {
        std::shared_ptr<detail::core> core;
        void operator()(graze_model *model) const { graze_model_destroy(core->get(), model); }
    };

    static model of_one(context &context, graze_joint_kind joint, link_mesh mesh, const frame &origin,
                        const report &report) {
        link made;
        made.joint = joint;
        made.origin = origin;
        made.meshes.push_back(std::move(mesh));
        return model(context, {&made, 1}, report);
    }

    graze_context *at() const { return core_ ? core_->get() : nullptr; }
    void finish(graze_status status, const report &report) const {
        if (core_)
            core_->finish(status, report);
        else
            report(GRAZE_ERR_INVALID_ARGUMENT, "the model, or its context, was moved from");
    }

    template <class Call> void with(span<const link> links, const report &report, const Call &call) {
        const detail::c_links c(links);
        if (c.columns() != 3)
            return report(GRAZE_ERR_INVALID_ARGUMENT, detail::wrong_columns("a mesh of a link", c.columns(), 3));
        finish(call(c), report);
    }

    std::shared_ptr<detail::core> core_;
    std::unique_ptr<graze_model, destroy> model_;
};

/// Models of a call: `{arm, post}`, or a list of models. The view is valid as long as they are.
class models {
  public:
    models(std::initializer_list<std::reference_wrapper<const model>> list) {
        for (const model &one : list) add(one);
    }
    models(span<const model> list) {
        for (const model &one : list) add(one);
    }
    models(const std::vector<model> &list) : models(span<const model>(list)) {}

    const graze_model *const *data() const { return pointers_.data(); }
    std::size_t size() const { return pointers_.size(); }
    /// Links and joint values of one model.
    std::size_t links(std::size_t i) const { return links_[i]; }
    std::size_t values(std::size_t i) const { return values_[i]; }
    std::size_t all_links() const {
        std::size_t sum = 0;
        for (const std::size_t count : links_) sum += count;
        return sum;
    }

  private:
    void add(const model &one) {
        pointers_.push_back(one.c());
        links_.push_back(one.links());
        values_.push_back(one.values());
    }

    std::vector<const graze_model *> pointers_;
    std::vector<std::size_t> links_, values_;
};

/// Motion of a model, as graze_motion; an empty list means NULL there.
struct motion {
    std::vector<double> from, to;             ///< a number for each joint value
    std::vector<std::array<double, 3>> turns; ///< a rotation vector for each link
    std::vector<std::array<double, 4>> cubic; ///< four Bézier values for each joint value
    std::vector<uint8_t> screws;              ///< for each link, whether a planar or free joint moves by a screw
    std::vector<uint8_t> rotvecs;             ///< for each link, whether its rotation vector moves straight

    motion() = default;
    motion(std::vector<double> start, std::vector<double> end) : from(std::move(start)), to(std::move(end)) {}
};

/// graze_articulated_options with its defaults set; the table of pairs of links is a separate list.
struct articulated_options : graze_articulated_options {
    std::vector<uint8_t> link_pairs; ///< empty, or links × links over all models: 0 where a pair is not tested

    articulated_options() : graze_articulated_options(graze_default_articulated_options()) {}
    explicit articulated_options(graze_articulated_mode asked) : articulated_options() { mode = asked; }

    /// The C struct; it points to `link_pairs`, so do not call it on a temporary.
    graze_articulated_options c() const & {
        graze_articulated_options made = *this;
        made.link_pairs = link_pairs.empty() ? nullptr : link_pairs.data();
        return made;
    }
    graze_articulated_options c() const && = delete;
};

/// As graze_articulated_result. Nothing touches before `toi`.
struct articulated_result {
    graze_verdict verdict = GRAZE_UNRESOLVED;
    graze_reason reason = GRAZE_REASON_NONE;
    double toi = 0, toi_upper = 0;
    std::optional<graze_link_contact> contact; ///< the one that limits the motion
    std::vector<graze_link_contact> contacts;  ///< mode ALL
    uint64_t checks = 0, pairs_tested = 0, pairs_near = 0, pairs_close = 0;
};

namespace detail {

inline bool has_length(const char *what, std::size_t length, std::size_t asked, std::size_t index,
                       const report &report) {
    if (length == 0 || length == asked) return true;
    report(GRAZE_ERR_INVALID_ARGUMENT,
           std::string(what) + ": " + std::to_string(length) + ", not " + std::to_string(asked), index);
    return false;
}

/// A motion as the library takes it: it points into the one that it is made of. False where that does not fit.
inline bool c_motion(const motion &motion, std::size_t links, std::size_t values, std::size_t index,
                     const report &report, graze_motion &made) {
    if (!has_length("from", motion.from.size(), values, index, report) ||
        !has_length("to", motion.to.size(), values, index, report) ||
        !has_length("turns", motion.turns.size(), links, index, report) ||
        !has_length("cubic", motion.cubic.size(), values, index, report) ||
        !has_length("screws", motion.screws.size(), links, index, report) ||
        !has_length("rotvecs", motion.rotvecs.size(), links, index, report))
        return false;
    made.from = motion.from.empty() ? nullptr : motion.from.data();
    made.to = motion.to.empty() ? nullptr : motion.to.data();
    made.turns = motion.turns.empty() ? nullptr : reinterpret_cast<const double(*)[3]>(motion.turns.data());
    made.cubic = motion.cubic.empty() ? nullptr : reinterpret_cast<const double(*)[4]>(motion.cubic.data());
    made.screws = motion.screws.empty() ? nullptr : motion.screws.data();
    made.rotvecs = motion.rotvecs.empty() ? nullptr : motion.rotvecs.data();
    return true;
}

/// Motions as the library takes them: they point into those that they are made of.
class c_motions {
  public:
    /// `count` times as many motions as models.
    c_motions(const models &models, span<const motion> motions, std::size_t count, const report &report) {
        const std::size_t asked = count * models.size();
        if (motions.size() != asked) {
            report(GRAZE_ERR_INVALID_ARGUMENT,
                   std::to_string(motions.size()) + " motions, not " + std::to_string(asked) + ": one for each model");
            return;
        }
        c_.reserve(asked);
        for (std::size_t i = 0; i < asked; i++)
            if (!add(motions[i], models.links(i % models.size()), models.values(i % models.size()), i, report)) return;
        valid_ = true;
    }
    bool valid() const { return valid_; }
    const graze_motion *data() const { return c_.data(); }

  private:
    bool add(const motion &motion, std::size_t links, std::size_t values, std::size_t index, const report &report) {
        c_.push_back(graze_default_motion());
        return c_motion(motion, links, values, index, report, c_.back());
    }

    std::vector<graze_motion> c_;
    bool valid_ = false;
};

/// True if the table of pairs is one of these models.
inline bool is_table(const models &models, const articulated_options &options, const report &report) {
    const std::size_t links = models.all_links();
    return has_length("link_pairs", options.link_pairs.size(), links * links, UINT64_MAX, report);
}

inline void release_contacts(graze_context *context, graze_link_contact *contacts, std::size_t count) {
    graze_articulated_result result = graze_default_articulated_result();
    result.contacts = contacts;
    result.contact_count = count;
    graze_articulated_release(context, &result);
}

/// Copies: a later library may have longer contacts.
inline std::vector<graze_link_contact> contacts_of(const graze_articulated_result &result) {
    const auto *bytes = reinterpret_cast<const unsigned char *>(result.contacts);
    std::vector<graze_link_contact> made(result.contact_count);
    for (std::size_t i = 0; i < made.size(); i++)
        std::memcpy(&made[i], bytes + i * result.contact_size, sizeof made[i]);
    return made;
}

/// A result of its own, and the end of the call that found it.
inline articulated_result take_result(context &context, graze_status status, graze_articulated_result &found,
                                      const report &report) {
    const list<graze_link_contact> owned = {context.core(), found.contacts, found.contact_count, release_contacts};
    articulated_result made;
    made.verdict = found.verdict;
    made.reason = found.reason;
    made.toi = found.toi;
    made.toi_upper = found.toi_upper;
    if (found.has_contact) made.contact = found.contact;
    made.contacts = contacts_of(found);
    made.checks = found.checks;
    made.pairs_tested = found.pairs_tested;
    made.pairs_near = found.pairs_near;
    made.pairs_close = found.pairs_close;
    context.finish(status, report);
    return made;
}

} // namespace detail

/// Finds the first contact between and within models that move from one pose to another, in every mode.
/// @param motions  one for each model
inline articulated_result articulated_step(context &context, const models &models, const std::vector<motion> &motions,
                                           const articulated_options &options = {}, const report &report = {}) {
    articulated_result made;
    const detail::c_motions moved(models, motions, 1, report);
    if (!moved.valid() || !detail::is_table(models, options, report)) return made;
    const graze_articulated_options c = options.c();
    graze_articulated_result found = graze_default_articulated_result();
    const graze_status status =
        graze_articulated_step(context.get(), models.data(), models.size(), moved.data(), &c, &found);
    return detail::take_result(context, status, found, report);
}

/// Answers many motions of the same models: motions[p·models + i] moves model i on path p. Not for mode ALL.
inline std::vector<graze_articulated_result> articulated_batch(context &context, const models &models,
                                                               const std::vector<motion> &motions,
                                                               const articulated_options &options = {},
                                                               const report &report = {}) {
    const std::size_t paths = models.size() ? motions.size() / models.size() : 0;
    std::vector<graze_articulated_result> results(paths, graze_default_articulated_result());
    const detail::c_motions moved(models, motions, paths, report);
    if (!moved.valid() || !detail::is_table(models, options, report)) return results;
    const graze_articulated_options c = options.c();
    context.finish(
        graze_articulated_batch(context.get(), models.data(), models.size(), moved.data(), paths, &c, results.data()),
        report);
    return results;
}

/// Results of the paths and, if all of them are clear, the text of a certificate for `graze verify`; else the text is
/// empty.
struct articulated_proof {
    std::vector<graze_articulated_result> results;
    std::string certificate;
};

namespace detail {

/// An exception must not pass through C: without memory for the text the call ends.
inline int append_text(void *user, const char *text, std::size_t size) {
    try {
        static_cast<std::string *>(user)->append(text, size);
    } catch (...) {
        return 1;
    }
    return 0;
}

} // namespace detail

/// articulated_batch with a certificate. Not for mode ALL and check_inside.
inline articulated_proof articulated_certificate(context &context, const models &models,
                                                 const std::vector<motion> &motions,
                                                 const articulated_options &options = {}, const report &report = {}) {
    const std::size_t paths = models.size() ? motions.size() / models.size() : 0;
    articulated_proof made{std::vector<graze_articulated_result>(paths, graze_default_articulated_result()), {}};
    const detail::c_motions moved(models, motions, paths, report);
    if (!moved.valid() || !detail::is_table(models, options, report)) return made;
    const graze_articulated_options c = options.c();
    const graze_status status =
        graze_articulated_certificate(context.get(), models.data(), models.size(), moved.data(), paths, &c,
                                      detail::append_text, &made.certificate, made.results.data());
    for (const graze_articulated_result &result : made.results)
        if (result.verdict != GRAZE_CLEAR) made.certificate.clear(); // what was written by then has no end
    context.finish(status, report);
    return made;
}

/// The distance of the two closest links, with models at `from` of their motions.
inline graze_link_distance articulated_distance(context &context, const models &models,
                                                const std::vector<motion> &poses,
                                                const articulated_options &options = {}, const report &report = {}) {
    graze_link_distance found = graze_default_link_distance();
    found.upper = std::numeric_limits<double>::infinity(); // nothing is known of it
    const detail::c_motions moved(models, poses, 1, report);
    if (!moved.valid() || !detail::is_table(models, options, report)) return found;
    const graze_articulated_options c = options.c();
    context.finish(graze_articulated_distance(context.get(), models.data(), models.size(), moved.data(), &c, &found),
                   report);
    return found;
}

} // namespace graze
#endif
