/// Articulated models: links of triangles on a tree of joints, moving between two poses.
#ifndef GRAZE_ARTICULATED_H
#define GRAZE_ARTICULATED_H

#include "graze/step.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum graze_joint_kind {
    GRAZE_JOINT_FIXED = 0,
    GRAZE_JOINT_REVOLUTE,  ///< 1 value: angle about `axis`
    GRAZE_JOINT_PRISMATIC, ///< 1 value: length along `axis`
    GRAZE_JOINT_SPHERICAL, ///< 3 values: rotation vector
    GRAZE_JOINT_FREE,      ///< 6 values: translation, then rotation vector
} graze_joint_kind;

/// A link and the joint that carries it.
typedef struct graze_link {
    int32_t parent; ///< link it hangs on, listed before it; −1: the world
    graze_joint_kind joint;
    double origin[12]; ///< joint frame in the parent's frame: 3×3 rotation row by row, then translation
    double axis[3];    ///< unit
    uint32_t vertex_count, face_count;
    const double (*vertices)[3]; ///< in the link's own frame
    const uint32_t (*faces)[3];
} graze_link;

typedef struct graze_model graze_model;

typedef struct graze_articulated_options {
    size_t struct_size;
    double min_separation;
    double t_max;
    double tolerance; ///< gap at which contact is reported
    uint64_t max_checks;
    const uint8_t *link_pairs; ///< NULL, or links × links bytes over all models in order: 0 where a pair is not tested
} graze_articulated_options;

typedef struct graze_articulated_result {
    size_t struct_size;
    graze_verdict verdict;
    graze_reason reason;
    double toi, toi_upper;
    uint32_t model_a, link_a, model_b, link_b; ///< the links that limit the motion
    graze_pair pair;                           ///< their features: ids within the links
    double point[3], normal[3];
} graze_articulated_result;

GRAZE_DEFAULTS(graze_articulated_options, graze_default_articulated_options, graze_init_articulated_options)
GRAZE_DEFAULTS(graze_articulated_result, graze_default_articulated_result, graze_init_articulated_result)

GRAZE_API graze_status graze_model_create(graze_context *context, const graze_link *links, size_t count,
                                          graze_model **model);
GRAZE_API void graze_model_destroy(graze_context *context, graze_model *model);

/// Joint values that a pose of the model has.
GRAZE_API size_t graze_model_values(const graze_model *model);

/// First contact between and within `count` models whose joint values go linearly from q0[i] to q1[i].
GRAZE_API graze_status graze_articulated_step(graze_context *context, const graze_model *const *models, size_t count,
                                              const double *const *q0, const double *const *q1,
                                              const graze_articulated_options *options,
                                              graze_articulated_result *result);

#ifdef __cplusplus
}
#endif
#endif
