/// A world: bodies that are prepared once and then tested for many motions, by many threads.
///
/// Bodies move in every way that the library knows: links on joints, straight vertices, matrices, rigid poses, cubic
/// curves. One step answers for all of them.
///
/// A planner asks about thousands of edges among the same obstacles. A world holds their trees, the pairs of links that
/// are tested, and one tree over everything that never moves, so that obstacles out of reach cost next to nothing.
/// A world never changes: graze_world_update() makes a new version that shares what stayed.
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

/// One body of a world. Fill it by graze_default_body(). In an array all bodies have the struct_size of the first.
typedef struct graze_body {
    size_t struct_size;
    graze_body_kind kind;
    const graze_model *model; ///< its links as they are now: changing or destroying the model later changes nothing
    const graze_link_mesh *meshes;
    size_t mesh_count;
    graze_frame origin;
    double padding;
    /// STRAIGHT, AFFINE, RIGID, CUBIC, and STATIC in place of `meshes`: copied, once for all bodies that name the same
    /// mesh and rest. No groups, no filter and no thickness: rules and paddings of the world take their place
    /// (GRAZE_ERR_UNSUPPORTED)
    const graze_mesh *mesh;
    const double (*rest)[3]; ///< AFFINE, RIGID, and STATIC with a mesh: positions in the body's frame, 24 bytes apart
} graze_body;

/// A link number that stands for every link of a body.
#define GRAZE_EVERY_LINK UINT32_MAX

typedef enum graze_pair_rule {
    GRAZE_PAIR_SKIP = 0, ///< not tested
    GRAZE_PAIR_TEST,     ///< tested with the min_separation of the call, as without a rule
    GRAZE_PAIR_APART,    ///< tested with `separation` in place of min_separation
} graze_pair_rule;

/// Says how two links, or two bodies, are tested. Of several rules for the same two links the last one counts. Links
/// that a joint itself connects, and links that no joint moves against each other, are never tested.
typedef struct graze_world_pair {
    size_t struct_size;
    uint32_t body_a, link_a, body_b, link_b; ///< in any order; links may be GRAZE_EVERY_LINK
    graze_pair_rule rule;
    double separation; ///< APART: finite, ≥ 0
} graze_world_pair;

/// Asked for two links that may be tested, once for each when a world or a version of it is made: a graze_pair_rule,
/// and for APART the separation. Rules of `pairs` come after it.
typedef graze_pair_rule graze_world_filter(void *user, uint32_t body_a, uint32_t link_a, uint32_t body_b,
                                           uint32_t link_b, double *separation);

/// Options of a world. Fill it by graze_default_world_options().
typedef struct graze_world_options {
    size_t struct_size;
    const graze_world_pair *pairs; ///< copied
    size_t pair_count;
    graze_world_filter *filter; ///< default NULL; has to stay as long as versions are made
    void *filter_user;
} graze_world_options;

/// Bodies, their trees and pairs. Any number of contexts may use one at once. It counts who holds it:
/// graze_world_create() and graze_world_update() give one hold, graze_world_retain() one more.
typedef struct graze_world graze_world;

typedef enum graze_world_change_kind {
    GRAZE_WORLD_PLACE = 0, ///< the origin of `link`'s joint becomes `origin`: of a static body, the body
    GRAZE_WORLD_PAD,       ///< the padding of `link` becomes `padding`
    GRAZE_WORLD_ATTACH,    ///< one more link, `attached`, as the last of the body
    GRAZE_WORLD_DETACH,    ///< the last link of the body is taken off, and the rules that name it; at least one stays
    GRAZE_WORLD_RULE,      ///< `pair` comes after all other rules
} graze_world_change_kind;

/// One change of a body. Fill it by graze_default_world_change().
typedef struct graze_world_change {
    size_t struct_size;
    graze_world_change_kind kind;
    uint32_t body, link;
    graze_frame origin;
    double padding;
    const graze_link *attached;
    const graze_world_pair *pair;
} graze_world_change;

/// Motion of one body. Models that are not listed stand at zeros, AFFINE and RIGID bodies at the identity; STRAIGHT
/// and CUBIC ones have to be listed. Fill it by graze_default_body_motion().
typedef struct graze_body_motion {
    size_t struct_size;
    uint32_t body;
    const graze_motion *joints;          ///< MODEL; NULL: zeros
    const double (*x0)[3], (*x1)[3];     ///< STRAIGHT: positions at t = 0 and t = 1
    const double (*control[4])[3];       ///< CUBIC: control positions
    size_t stride;                       ///< bytes from one position to the next, a multiple of 8; 0: 24
    double matrix0[3][4], matrix1[3][4]; ///< AFFINE; default: the identity. A vertex is at the sums of products, taken
                                         ///< from left to right, each operation rounded
    graze_frame pose0, pose1;            ///< RIGID, TURN and SCREW; ROTVEC takes their positions. Default: the identity
    graze_pose_path path;                ///< RIGID
    double rotvec0[3], rotvec1[3];       ///< ROTVEC
} graze_body_motion;

GRAZE_DEFAULTS(graze_body, graze_default_body, graze_init_body)
GRAZE_DEFAULTS(graze_world_pair, graze_default_world_pair, graze_init_world_pair)
GRAZE_DEFAULTS(graze_world_options, graze_default_world_options, graze_init_world_options)
GRAZE_DEFAULTS(graze_world_change, graze_default_world_change, graze_init_world_change)
GRAZE_DEFAULTS(graze_body_motion, graze_default_body_motion, graze_init_body_motion)

/// @param bodies   copied, but triangles are shared with their models: contexts that made models have to stay as long
///                 as this world and its versions do; `index` of the last error is the body or the rule at fault
/// @param options  NULL for graze_default_world_options()
/// @param world    set to NULL on any status but GRAZE_OK; graze_world_release() it before the context is destroyed
GRAZE_API graze_status graze_world_create(graze_context *context, const graze_body *bodies, size_t count,
                                          const graze_world_options *options, graze_world **world);

/// A world with these changes, made one after the other. `world` stays as it is; triangles, trees and bodies that did
/// not change are shared, and so is the tree over all that never moves where none of that changed.
///
/// @param context  any one; those that made earlier versions have to stay as long as this one does
/// @param changes  `index` of the last error is the one at fault
/// @param updated  set to NULL on any status but GRAZE_OK
GRAZE_API graze_status graze_world_update(graze_context *context, const graze_world *world,
                                          const graze_world_change *changes, size_t count, graze_world **updated);

/// One more hold on the world, which it returns. Any thread may call it. NULL is fine.
GRAZE_API graze_world *graze_world_retain(graze_world *world);
/// Gives a hold back; the last one frees the world, by the context that made it. Any thread may call it. NULL is fine.
GRAZE_API void graze_world_release(graze_world *world);

GRAZE_API size_t graze_world_bodies(const graze_world *world);
/// 0 for a body that the world does not have.
GRAZE_API size_t graze_world_links(const graze_world *world, uint32_t body);
GRAZE_API size_t graze_world_values(const graze_world *world, uint32_t body);
/// The joint that carries a link; FIXED for one that the world does not have.
GRAZE_API graze_joint_kind graze_world_joint(const graze_world *world, uint32_t body, uint32_t link);

/// First contact between and within the bodies of a world. In the result models are bodies. options->link_pairs is
/// GRAZE_ERR_UNSUPPORTED: the world has the pairs.
///
/// A world of MODEL and STATIC bodies alone is answered as by graze_articulated_step() with the bodies as its models,
/// bit for bit.
///
/// With a body of another kind the pairs are those of graze_step: vertices with faces, edges with edges, and so on for
/// what has no face or edge around it, between bodies and within STRAIGHT and CUBIC ones. As there, CLEAR holds only
/// where nothing intersects at the start. STATIC bodies, and links that
/// no joint moves, are at their rounded positions. Contacts name the primitives by body, link (0 but for models) and
/// `pair`; mode ALL lists all that touch, sorted by kind, a and b as if the meshes of all bodies were joined in their
/// order, and ties are broken so; time may be cut elsewhere than in the other modes, and toi differ in its last bits.
/// Pairs of STRAIGHT, AFFINE and STATIC bodies have the bits that graze_step of the joined mesh gives; a hit of another
/// pair that is not proven is within min_separation + tolerance of contact at toi. What rounding of a pose or a curve
/// loses is covered by the bounds, and grows with the coordinates: keep them near the origin. check_inside,
/// interval_arithmetic, links without triangles of their own, and rules APART between straight bodies are
/// GRAZE_ERR_UNSUPPORTED.
///
/// @param motions  `count` bodies that move, each listed once; NULL where there are none
/// @param options  NULL for graze_default_articulated_options()
/// @param result   always written; on any status but GRAZE_OK it is { GRAZE_UNRESOLVED, toi = 0 }
GRAZE_API graze_status graze_world_step(graze_context *context, const graze_world *world,
                                        const graze_body_motion *motions, size_t count,
                                        const graze_articulated_options *options, graze_articulated_result *result);

/// Counts the pairs of faces that intersect at the start, with each body at its rounded positions: faces of two bodies,
/// and of one body that may deform. Bodies that overlap there may never touch on the way. Rules that skip pairs apply.
/// For at most
/// 4096 bodies and links, and for worlds with a body other than models and static ones.
GRAZE_API graze_status graze_world_intersections(graze_context *context, const graze_world *world,
                                                 const graze_body_motion *motions, size_t count, uint64_t *found);

/// graze_world_step for `paths` motions on the context's threads: motions[p·count + i] is that of path p. Each result
/// has the bits that a call of its own gives. Not for mode ALL, and for MODEL and STATIC bodies alone. Set struct_size
/// of the first result and of the first motion: all are of that size.
GRAZE_API graze_status graze_world_batch(graze_context *context, const graze_world *world,
                                         const graze_body_motion *motions, size_t count, size_t paths,
                                         const graze_articulated_options *options, graze_articulated_result *results);

/// True if a single pose is free: bodies stand at `from` of their motions, and nothing else of these is read. CLEAR
/// proves that no two links touch and, by check_inside, that none is inside another; HIT that two do, or are within the
/// tolerance. Mode ALL lists every pair of links in contact; the other modes end with the first. For MODEL and STATIC
/// bodies alone.
///
/// @param options  NULL for graze_default_articulated_options() with check_inside set
GRAZE_API graze_status graze_world_valid(graze_context *context, const graze_world *world,
                                         const graze_body_motion *pose, size_t count,
                                         const graze_articulated_options *options, graze_articulated_result *result);

#ifdef __cplusplus
}
#endif
#endif
