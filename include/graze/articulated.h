/// Articulated and rigid models: links of triangles on a tree of joints that turn and slide between two poses.
///
/// A model is a tree of links. Each hangs on its parent, or on the world, by a joint, and carries triangles of any
/// kind: closed meshes, open ones, soups. A rigid body is a model of one link on a free joint, an obstacle one of one
/// link on a fixed joint.
///
/// From t = 0 to t = 1 the origin of a link moves straight in its joint's frame, or by a screw where that is asked for,
/// while it turns at constant angular velocity, or along a straight rotation vector. graze_articulated_step() says
/// whether, when and where two links first touch.
#ifndef GRAZE_ARTICULATED_H
#define GRAZE_ARTICULATED_H

#include "graze/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a joint moves its link, and the values that it takes.
typedef enum graze_joint_kind {
    GRAZE_JOINT_FIXED = 0, ///< no value
    GRAZE_JOINT_REVOLUTE,  ///< 1 value: angle about `axis`, in radians, never reduced to a shorter turn
    GRAZE_JOINT_PRISMATIC, ///< 1 value: length along `axis`
    GRAZE_JOINT_SPHERICAL, ///< 3 values: rotation vector
    GRAZE_JOINT_PLANAR,    ///< 3 values: x and y in the frame's xy-plane, angle about z
    GRAZE_JOINT_FREE,      ///< 6 values: translation, then rotation vector
} graze_joint_kind;

/// A position and a rotation.
typedef struct graze_frame {
    double position[3];
    double rotation[4]; ///< quaternion w, x, y, z of any nonzero length; it is normalized
} graze_frame;

/// Triangles of a link, borrowed during the call, which copies them. Begin with graze_default_link_mesh().
///
/// Meshes, links and motions come in arrays. Elements are spaced by the struct_size of the first one, and all have that
/// size. A different size (0, for example) is GRAZE_ERR_INVALID_ARGUMENT, and the last error names the element.
typedef struct graze_link_mesh {
    size_t struct_size;
    uint32_t vertex_count, face_count;
    const double (*vertices)[3];
    const uint32_t (*faces)[3];
    graze_frame origin; ///< place in the link's frame; default: the identity
    double scale[3];    ///< applied first; answers are about the rounded result. Default: 1
    double radius;      ///< ≥ 0: grows its triangles, in addition to the link's padding. Default: 0
} graze_link_mesh;

/// A link and the joint that carries it. Its vertices and faces are those of its meshes, in order. Begin with
/// graze_default_link(): a link without geometry, fixed to the world.
typedef struct graze_link {
    size_t struct_size;
    int32_t parent; ///< its parent link, listed before it; −1: the world
    graze_joint_kind joint;
    graze_frame origin; ///< joint frame in the parent's frame; default: the identity
    double axis[3];     ///< REVOLUTE and PRISMATIC: of any nonzero length; default: z
    const graze_link_mesh *meshes;
    size_t mesh_count; ///< 0: a link without geometry
    double padding;    ///< ≥ 0: grows the link; together with a radius, by their sum, rounded up
} graze_link;

typedef struct graze_model graze_model;

/// Highest degree of a motion's `bezier` and of a graze_path.
#define GRAZE_MAX_DEGREE 7

/// Motion of a model. Begin with graze_default_motion(): every joint stays at zero.
typedef struct graze_motion {
    size_t struct_size;
    const double *from, *to; ///< values of all joints, in the order of the links; NULL: zeros
    /// NULL, or for each link the rotation vector, in the joint's frame, by which a spherical or free joint turns: R(t)
    /// = exp(t·turn)·R(from); the rotation of `to` is not read. NULL, or a vector with NaN: the shorter rotation from
    /// R(from) to R(to).
    const double (*turns)[3];
    /// NULL, or for each value the four Bézier values of a cubic in t; `from` and `to` are not read. Not for spherical
    /// or free joints.
    const double (*cubic)[4];
    /// NULL, or a byte for each link: nonzero if a planar or free joint moves as a screw: at constant angular velocity
    /// about one axis, fixed in the joint's frame, and at constant speed along it. The rotation is as without it; the
    /// origin follows an arc or a helix. `turns` may give the turn, but a whole number of turns is
    /// GRAZE_ERR_INVALID_ARGUMENT. Not with `cubic`.
    const uint8_t *screws;
    /// NULL, or for each value the degree + 1 Bézier values of a polynomial in t, one value after the other; `from` and
    /// `to` are not read. Not for spherical or free joints, and not with `cubic` or `screws`.
    const double *bezier;
    const double *bezier_error; ///< NULL, or for each value a bound on the error of its Bézier values
    uint32_t degree;            ///< of `bezier`: 1 … GRAZE_MAX_DEGREE
    /// NULL, or a byte for each link: nonzero if the rotation vector of a spherical or free joint moves straight from
    /// that of `from` to that of `to`: R(t) = exp((1 − t)·r0 + t·r1). Lengths up to 2^20. Such a joint has no entry in
    /// `turns` or `screws`. graze_articulated_certificate() does not accept them.
    const uint8_t *rotvecs;
} graze_motion;

typedef enum graze_articulated_mode {
    GRAZE_ARTICULATED_EARLIEST = 0, ///< the first contact
    GRAZE_ARTICULATED_ANY,          ///< the verdict alone, as soon as it is known
    GRAZE_ARTICULATED_ALL, ///< every pair of links that touches, with its own time. Time is cut in other places than
                           ///< for EARLIEST, so toi and toi_upper of a contact may differ in their last bits; both are
                           ///< proven
} graze_articulated_mode;

/// Options of an articulated query. Begin with graze_default_articulated_options().
typedef struct graze_articulated_options {
    size_t struct_size;
    graze_articulated_mode mode;
    double min_separation; ///< distance that counts as contact, finite, ≥ 0
    double t_max;          ///< end of the time interval, in (0, 1]
    double tolerance;    ///< gap at which an unproven hit is reported, a length ≥ 0; 0: 2⁻³⁰ of the links' size
    uint64_t max_checks; ///< most boxes and probes of a motion; a window of time counts as 16; 0: 2·10⁷
    /// NULL, or links × links bytes over all models in order, symmetric: 0 skips a pair. Two links that a joint
    /// connects directly, and links that no joint moves relative to each other, are never tested. Anything fixed to a
    /// link (a tool, a held object, a table) is tested against the links around it.
    const uint8_t *link_pairs;
    int32_t interval_arithmetic; ///< nonzero: bounds boxes of links by Taylor models of order 0, for comparison;
                                 ///< answers stay
    /// Nonzero: a link with a part inside a closed part of another at the start is in contact at 0. A part is a set of
    /// triangles connected by common vertices; it is closed if each of its edges belongs to two triangles.
    int32_t check_inside;
} graze_articulated_options;

/// A contact of two links. Its size is fixed: fields of later versions go into `reserved`.
typedef struct graze_link_contact {
    graze_verdict verdict; ///< HIT or UNRESOLVED
    graze_reason reason;
    int32_t proven; ///< HIT: 1 if a contact at or before toi_upper is proven, 0 if only the tolerance was reached
    double toi, toi_upper;
    uint32_t model_a, link_a, model_b, link_b; ///< for EE, or without a pair: ordered by model, then link
    int32_t has_pair;                          ///< `pair`, `point` and `normal` are set
    int32_t inside;     ///< check_inside: one link is inside the other (UNRESOLVED: may be); there is no pair
    graze_pair pair;    ///< VF: vertex a of link_a, face b of link_b; EE: edge a of link_a, edge b of link_b
    double point[3];    ///< where they touch at toi, in the world; mode ANY: where they touch at some time
    double normal[3];   ///< unit, from link_b towards link_a just before contact
    double u, v;        ///< as in graze_result; 0 if a world has only models and static bodies
    double reserved[6]; ///< zeros
} graze_link_contact;

typedef struct graze_articulated_result {
    size_t struct_size;
    graze_verdict verdict;
    graze_reason reason;
    double toi;       ///< proven: nothing touches in [0, toi). CLEAR: t_max. Mode ANY with a hit: 0
    double toi_upper; ///< a contact at or before it is proven; else INFINITY
    int32_t has_contact;
    graze_link_contact contact;   ///< the contact that limits the motion; ties: the first pair of links
    graze_link_contact *contacts; ///< mode ALL: sorted by links. Owned: graze_articulated_release
    size_t contact_count;
    size_t contact_size; ///< bytes from one of `contacts` to the next, at least sizeof(graze_link_contact)
    uint64_t checks;
    /// Pairs of links: all that are tested, those whose boxes meet, and those whose triangles were examined; mode ANY
    /// with a hit: at the pose of that hit
    uint64_t pairs_tested, pairs_near, pairs_close;
} graze_articulated_result;

GRAZE_DEFAULTS(graze_link_mesh, graze_default_link_mesh, graze_init_link_mesh)
GRAZE_DEFAULTS(graze_link, graze_default_link, graze_init_link)
GRAZE_DEFAULTS(graze_motion, graze_default_motion, graze_init_motion)
GRAZE_DEFAULTS(graze_articulated_options, graze_default_articulated_options, graze_init_articulated_options)
GRAZE_DEFAULTS(graze_articulated_result, graze_default_articulated_result, graze_init_articulated_result)

/// Copies the links. `index` of the last error is the faulty link.
///
/// @param model  set to NULL on any status but GRAZE_OK
GRAZE_API graze_status graze_model_create(graze_context *context, const graze_link *links, size_t count,
                                          graze_model **model);
/// NULL is fine. Pass the context that made the model.
GRAZE_API void graze_model_destroy(graze_context *context, graze_model *model);

/// Makes a frame from roll, pitch and yaw about fixed x, y and z, in this order, as in URDF. The bits are equal on all
/// machines. The vector of angles may be up to 2^20 long. If it is longer, or not finite, the rotation is zero, which
/// no call accepts.
GRAZE_API graze_frame graze_frame_of_angles(const double position[3], const double angles[3]);

GRAZE_API size_t graze_model_links(const graze_model *model);
/// Number of joint values in a pose of the model.
GRAZE_API size_t graze_model_values(const graze_model *model);

/// Adds a link to the model, as its last: an object that a hand holds, for example. Other links keep their numbers. The
/// values of its joint follow the others.
GRAZE_API graze_status graze_model_attach(graze_context *context, graze_model *model, const graze_link *link);
/// Removes the last link; at least one stays.
GRAZE_API graze_status graze_model_detach(graze_context *context, graze_model *model);
/// Moves the origin of a link's joint. For link 0 of an obstacle this moves the obstacle.
GRAZE_API graze_status graze_model_place(graze_context *context, graze_model *model, uint32_t link,
                                         const graze_frame *origin);
/// Changes the padding of a link.
GRAZE_API graze_status graze_model_pad(graze_context *context, graze_model *model, uint32_t link, double padding);

/// First contact between and within `count` models.
///
/// Guarantee: nothing touches in [0, toi): no triangle of one link comes within min_separation and both paddings of a
/// triangle of another. GRAZE_CLEAR is a proof for [0, t_max]. The premise: links that pass through each other, or lie
/// inside one another, without their triangles touching, are not in contact; check_inside asks whether they start so.
///
/// Angles, lengths along axes and the shorter rotation are the exact numbers that the values define: the bounds cover
/// errors of sines, normalization and rounding. Angles up to 2^20.
///
/// @param motions  one for each model; `index` of the last error is the faulty link, counted over all models, or the
///                 motion whose struct_size is wrong
/// @param options  NULL for graze_default_articulated_options()
/// @param result   always written; on any status but GRAZE_OK it is { GRAZE_UNRESOLVED, toi = 0 }
GRAZE_API graze_status graze_articulated_step(graze_context *context, const graze_model *const *models, size_t count,
                                              const graze_motion *motions, const graze_articulated_options *options,
                                              graze_articulated_result *result);

/// graze_articulated_step for `paths` motions of the same models, on the context's threads: motions[p·count + i] moves
/// model i on path p. Each result has the bits of a separate call. Not for mode ALL. Set struct_size of the first
/// result: all have that size.
GRAZE_API graze_status graze_articulated_batch(graze_context *context, const graze_model *const *models, size_t count,
                                               const graze_motion *motions, size_t paths,
                                               const graze_articulated_options *options,
                                               graze_articulated_result *results);

/// Receives the next part of a text; any value but 0 ends the call with GRAZE_ERR_CALLBACK.
typedef int graze_write(void *user, const char *text, size_t size);

/// As graze_articulated_batch, and writes a certificate if every path is CLEAR: a text that describes models, motions
/// and pairs. `graze verify` checks it in exact arithmetic, without this library (docs/certificates.md).
///
/// Without CLEAR there is no certificate: `write` was not called, or its text is incomplete (UNRESOLVED with reason
/// BUDGET if a pair of links took more than max_checks tests, or PRECISION if triangles are too close to each other).
/// Initial containment is not certified: check_inside is GRAZE_ERR_UNSUPPORTED.
GRAZE_API graze_status graze_articulated_certificate(graze_context *context, const graze_model *const *models,
                                                     size_t count, const graze_motion *motions, size_t paths,
                                                     const graze_articulated_options *options, graze_write *write,
                                                     void *user, graze_articulated_result *results);

/// Releases result->contacts.
GRAZE_API void graze_articulated_release(graze_context *context, graze_articulated_result *result);

/// The distance of the closest two links in one pose.
typedef struct graze_link_distance {
    size_t struct_size;
    double lower, upper; ///< the exact distance lies between them; both INFINITY without a pair of links
    uint32_t model_a, link_a, model_b, link_b;
    double point_a[3], point_b[3]; ///< closest points, in the world
} graze_link_distance;

GRAZE_DEFAULTS(graze_link_distance, graze_default_link_distance, graze_init_link_distance)

/// Distance between and within models at the poses `motions[i].from`, minus paddings and min_separation, and at least
/// 0. It reads the options link_pairs and min_separation.
GRAZE_API graze_status graze_articulated_distance(graze_context *context, const graze_model *const *models,
                                                  size_t count, const graze_motion *motions,
                                                  const graze_articulated_options *options,
                                                  graze_link_distance *result);

#ifdef __cplusplus
}
#endif
#endif
