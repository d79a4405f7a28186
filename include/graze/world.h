/// A world: bodies that are prepared once, then tested for many motions by many threads.
///
/// Bodies may move in every way that the library supports: links on joints, straight vertices, matrices, rigid poses,
/// cubic curves. One step answers for all of them.
///
/// A planner tests thousands of edges among the same obstacles. A world holds their trees, the pairs of links to test,
/// and one tree over everything that never moves, so obstacles out of reach cost almost nothing. A world never changes:
/// graze_world_update() makes a new version that shares the unchanged parts.
#ifndef GRAZE_WORLD_H
#define GRAZE_WORLD_H

#include "graze/articulated.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Kind of a body, and the fields of graze_body that describe it.
typedef enum graze_body_kind {
    GRAZE_BODY_MODEL = 0, ///< `model`: links on joints
    GRAZE_BODY_STATIC,   ///< `meshes`, `origin`, `padding`: one link, 0, that never moves; or `mesh`, `rest`, `padding`
    GRAZE_BODY_STRAIGHT, ///< `mesh`, `padding`: each vertex moves straight, from x0 to x1
    GRAZE_BODY_AFFINE,   ///< `mesh`, `rest`, `padding`: each vertex moves straight, from matrix0·rest to matrix1·rest
    GRAZE_BODY_RIGID,    ///< `mesh`, `rest`, `padding`: turns and moves from pose0 to pose1
    GRAZE_BODY_CUBIC,    ///< `mesh`, `padding`: each vertex moves on the Bézier curve of four control positions
} graze_body_kind;

/// Path of a RIGID body from pose0 to pose1.
typedef enum graze_pose_path {
    GRAZE_PATH_TURN = 0, ///< its origin moves straight, and it turns the shorter way at constant angular velocity
    GRAZE_PATH_SCREW,    ///< it turns in the same way about one fixed axis, and slides along it
    GRAZE_PATH_ROTVEC, ///< its origin and its rotation vector move straight: R(t) = exp((1−t)·rotvec0 + t·rotvec1)
} graze_pose_path;

/// One body of a world. Begin with graze_default_body(). In an array all bodies have the struct_size of the first.
typedef struct graze_body {
    size_t struct_size;
    graze_body_kind kind;
    const graze_model *model; ///< its present links: later changes of the model, and destroying it, have no effect
    const graze_link_mesh *meshes;
    size_t mesh_count;
    graze_frame origin;
    double padding;
    /// STRAIGHT, AFFINE, RIGID, CUBIC, and STATIC instead of `meshes`: copied, once for all bodies with the same mesh
    /// and rest. Groups, filter and thickness are GRAZE_ERR_UNSUPPORTED: use the world's rules and paddings
    const graze_mesh *mesh;
    const double (*rest)[3]; ///< AFFINE, RIGID, and STATIC with a mesh: positions in the body's frame, 24 bytes apart
} graze_body;

/// A link number that stands for every link of a body.
#define GRAZE_EVERY_LINK UINT32_MAX

typedef enum graze_pair_rule {
    GRAZE_PAIR_SKIP = 0, ///< not tested
    GRAZE_PAIR_TEST,     ///< tested with the min_separation of the call, as without a rule
    GRAZE_PAIR_APART,    ///< tested with `separation` instead of min_separation
} graze_pair_rule;

/// How two links, or two bodies, are tested. Of several rules for the same two links the last one counts. Links that a
/// joint connects directly, and links that no joint moves relative to each other, are never tested.
typedef struct graze_world_pair {
    size_t struct_size;
    uint32_t body_a, link_a, body_b, link_b; ///< in any order; links may be GRAZE_EVERY_LINK
    graze_pair_rule rule;
    double separation; ///< APART: finite, ≥ 0
} graze_world_pair;

/// Called once for each two links that may be tested, when a world or a version of it is made. Returns a
/// graze_pair_rule, and for APART sets the separation. Rules in `pairs` override it.
typedef graze_pair_rule graze_world_filter(void *user, uint32_t body_a, uint32_t link_a, uint32_t body_b,
                                           uint32_t link_b, double *separation);

/// Options of a world. Begin with graze_default_world_options().
typedef struct graze_world_options {
    size_t struct_size;
    const graze_world_pair *pairs; ///< copied
    size_t pair_count;
    graze_world_filter *filter; ///< default NULL; must stay valid as long as versions are made
    void *filter_user;
} graze_world_options;

/// Bodies, their trees and pairs. Any number of contexts may use one at once. It is reference-counted:
/// graze_world_create() and graze_world_update() return one reference, graze_world_retain() adds one.
typedef struct graze_world graze_world;

typedef enum graze_world_change_kind {
    GRAZE_WORLD_PLACE = 0, ///< the origin of `link`'s joint becomes `origin`; for a static body this moves the body
    GRAZE_WORLD_PAD,       ///< the padding of `link` becomes `padding`
    GRAZE_WORLD_ATTACH,    ///< adds the link `attached` as the last of the body
    GRAZE_WORLD_DETACH,    ///< removes the last link of the body, and the rules that name it; at least one stays
    GRAZE_WORLD_RULE,      ///< adds `pair` after all other rules
} graze_world_change_kind;

/// One change of a body. Begin with graze_default_world_change().
typedef struct graze_world_change {
    size_t struct_size;
    graze_world_change_kind kind;
    uint32_t body, link;
    graze_frame origin;
    double padding;
    const graze_link *attached;
    const graze_world_pair *pair;
} graze_world_change;

/// Motion of one body. Models that are not listed stand at zeros, AFFINE and RIGID bodies at the identity; STRAIGHT and
/// CUBIC bodies must be listed. Begin with graze_default_body_motion().
typedef struct graze_body_motion {
    size_t struct_size;
    uint32_t body;
    const graze_motion *joints;          ///< MODEL; NULL: zeros
    const double (*x0)[3], (*x1)[3];     ///< STRAIGHT: positions at t = 0 and t = 1
    const double (*control[4])[3];       ///< CUBIC: control positions
    size_t stride;                       ///< bytes from one position to the next, a multiple of 8; 0: 24
    double matrix0[3][4], matrix1[3][4]; ///< AFFINE; default: the identity. A vertex is the sum of products, from left
                                         ///< to right, each operation rounded
    graze_frame pose0, pose1;            ///< RIGID, TURN and SCREW; ROTVEC takes their positions. Default: the identity
    graze_pose_path path;                ///< RIGID
    double rotvec0[3], rotvec1[3];       ///< ROTVEC
} graze_body_motion;

GRAZE_DEFAULTS(graze_body, graze_default_body, graze_init_body)
GRAZE_DEFAULTS(graze_world_pair, graze_default_world_pair, graze_init_world_pair)
GRAZE_DEFAULTS(graze_world_options, graze_default_world_options, graze_init_world_options)
GRAZE_DEFAULTS(graze_world_change, graze_default_world_change, graze_init_world_change)
GRAZE_DEFAULTS(graze_body_motion, graze_default_body_motion, graze_init_body_motion)

/// @param bodies   copied, but triangles are shared with their models: contexts that made models must outlive this
///                 world and its versions. `index` of the last error is the faulty body or rule
/// @param options  NULL for graze_default_world_options()
/// @param world    set to NULL on any status but GRAZE_OK; graze_world_release() it before the context is destroyed
GRAZE_API graze_status graze_world_create(graze_context *context, const graze_body *bodies, size_t count,
                                          const graze_world_options *options, graze_world **world);

/// Makes a world with these changes, applied in order. `world` stays as it is. Unchanged triangles, trees and bodies
/// are shared, and so is the tree over everything that never moves, if none of that changed.
///
/// @param context  any context; those that made earlier versions must outlive this one
/// @param changes  `index` of the last error is the faulty one
/// @param updated  set to NULL on any status but GRAZE_OK
GRAZE_API graze_status graze_world_update(graze_context *context, const graze_world *world,
                                          const graze_world_change *changes, size_t count, graze_world **updated);

/// Adds a reference and returns the world. Any thread may call it. NULL is fine.
GRAZE_API graze_world *graze_world_retain(graze_world *world);
/// Drops a reference; the last one frees the world by the context that made it. Any thread may call it. NULL is fine.
GRAZE_API void graze_world_release(graze_world *world);

GRAZE_API size_t graze_world_bodies(const graze_world *world);
/// 0 for an unknown body.
GRAZE_API size_t graze_world_links(const graze_world *world, uint32_t body);
GRAZE_API size_t graze_world_values(const graze_world *world, uint32_t body);
/// The joint that carries a link; FIXED for an unknown one.
GRAZE_API graze_joint_kind graze_world_joint(const graze_world *world, uint32_t body, uint32_t link);

/// Finds the first contact between and within the bodies of a world. In the result models are bodies.
/// options->link_pairs is GRAZE_ERR_UNSUPPORTED, since the world has the pairs.
///
/// For a world of only MODEL and STATIC bodies the answer is that of graze_articulated_step() with the bodies as
/// models, bit for bit.
///
/// With a body of any other kind the following holds:
///
/// - Pairs are those of graze_step (vertices with faces, edges with edges, codimensional points and edges), between
///   bodies and within STRAIGHT and CUBIC ones. As there, CLEAR holds only if nothing intersects at the start.
/// - STATIC bodies, and links that no joint moves, are at their rounded positions.
/// - Contacts name the primitives by body, link (0 except for models) and `pair`. Mode ALL lists all that touch, sorted
///   by kind, a and b as if the meshes of all bodies were joined in their order; ties are broken in that order. It may
///   cut time in other places than the other modes, so toi may differ in its last bits.
/// - Pairs of STRAIGHT, AFFINE and STATIC bodies have the bits of graze_step of the joined mesh. An unproven hit of
///   another pair is within min_separation + tolerance of contact at toi.
/// - The bounds cover the rounding of poses and curves, which grows with the coordinates: keep them near the origin.
/// - check_inside, interval_arithmetic, links without triangles, and rules APART between straight bodies are
///   GRAZE_ERR_UNSUPPORTED.
///
/// @param motions  `count` bodies that move, each listed once; NULL if there are none
/// @param options  NULL for graze_default_articulated_options()
/// @param result   always written; on any status but GRAZE_OK it is { GRAZE_UNRESOLVED, toi = 0 }
GRAZE_API graze_status graze_world_step(graze_context *context, const graze_world *world,
                                        const graze_body_motion *motions, size_t count,
                                        const graze_articulated_options *options, graze_articulated_result *result);

/// Counts the pairs of faces that intersect at the start, with each body at its rounded positions: faces of two bodies,
/// and of one body that may deform. Bodies that overlap there may never touch on the way. Rules that skip pairs apply.
/// For at most 4096 bodies and links, and only for worlds with a body that is neither MODEL nor STATIC.
GRAZE_API graze_status graze_world_intersections(graze_context *context, const graze_world *world,
                                                 const graze_body_motion *motions, size_t count, uint64_t *found);

/// graze_world_step for `paths` motions on the context's threads: motions[p·count + i] belongs to path p. Each result
/// has the bits of a separate call. Not for mode ALL, and only for MODEL and STATIC bodies. Set struct_size of the
/// first result and of the first motion: all have that size.
GRAZE_API graze_status graze_world_batch(graze_context *context, const graze_world *world,
                                         const graze_body_motion *motions, size_t count, size_t paths,
                                         const graze_articulated_options *options, graze_articulated_result *results);

/// Tests a single pose: bodies stand at `from` of their motions; nothing else of the motions is read. CLEAR proves that
/// no two links touch and, with check_inside, that none is inside another. HIT means that two do, or are within the
/// tolerance. Mode ALL lists every pair of links in contact; the other modes end at the first. Only for MODEL and
/// STATIC bodies.
///
/// @param options  NULL for graze_default_articulated_options() with check_inside set
GRAZE_API graze_status graze_world_valid(graze_context *context, const graze_world *world,
                                         const graze_body_motion *pose, size_t count,
                                         const graze_articulated_options *options, graze_articulated_result *result);

#ifdef __cplusplus
}
#endif
#endif
