/// Robots from files: URDF, with SRDF and meshes, as plain arrays for graze_model_create().
///
/// Part of libgraze_robot, a separate library that needs Expat. graze.h does not include this header.
#ifndef GRAZE_ROBOT_H
#define GRAZE_ROBOT_H

#include "graze/articulated.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Options for reading a robot. Begin with graze_default_robot_options(). Names are borrowed during the call.
typedef struct graze_robot_options {
    size_t struct_size;
    const char *srdf; ///< NULL, or a file whose `disable_collisions` become `skips`
    /// Folders for package://NAME/REST: package_folders[i] replaces package://NAME if NAME is package_names[i].
    const char *const *package_names, *const *package_folders;
    size_t package_count;
} graze_robot_options;

/// The reason of a failed call in one line: file, line, what is wrong.
typedef struct graze_robot_error {
    char message[600];
} graze_robot_error;

/// A robot. Arrays have an entry for each link, parents first; entries about joints are about the joint that carries
/// the link. Later versions may add fields at the end.
typedef struct graze_robot {
    const char *name;
    size_t link_count;
    size_t value_count;      ///< number of values of all joints: the length of a pose of graze_motion
    const graze_link *links; ///< for graze_model_create(), links->struct_size bytes apart. Shapes are those of
                             ///< shapes.h: all are exact but cylinders
    const char *const *link_names;
    const char *const *joint_names; ///< "" for a link that is attached to the world
    const size_t *first_values;     ///< index of each joint's first value
    const double (*limits)[2];      ///< lower and upper; −INFINITY and INFINITY without limits
    const double (*soft_limits)[2]; ///< of the safety controller; −INFINITY and INFINITY without one
    const double *velocities;       ///< the largest speed; INFINITY if the file gives none
    const uint8_t *continuous;      ///< 1 for a revolute joint without limits
    const int32_t *mimics;          ///< link whose joint this joint follows; −1: none
    const double (*mimic_lines)[2]; ///< {multiplier, offset}: value = multiplier · the other's value + offset
    const uint32_t (*skips)[2];     ///< pairs of links that the SRDF disables
    size_t skip_count;
} graze_robot;

GRAZE_DEFAULTS(graze_robot_options, graze_default_robot_options, graze_init_robot_options)

/// Reads a robot: links with any number of collision shapes, joints, limits, mimicking joints.
///
/// Reading is strict. Errors are: text where a number belongs, an unknown element or attribute inside a collision,
/// geometry, joint, limit or mimic, a file that xacro must expand first, a file that is not regular, and XML with a
/// DOCTYPE. Meshes may be OBJ, PLY, STL, OFF, MSH or COLLADA.
///
/// @param path     a URDF file
/// @param options  NULL for graze_default_robot_options()
/// @param robot    set to NULL on any status but GRAZE_OK; graze_robot_free() it
/// @param error    NULL, or receives the reason; "" on success
///
/// Uses malloc and no context. Any number of threads may call it at once.
GRAZE_API graze_status graze_robot_load(const char *path, const graze_robot_options *options, graze_robot **robot,
                                        graze_robot_error *error);
/// NULL is fine.
GRAZE_API void graze_robot_free(graze_robot *robot);

/// Computes the values of joints that mimic others. `values` has value_count entries.
GRAZE_API void graze_robot_mimic(const graze_robot *robot, double *values);
/// Fills the table graze_articulated_options.link_pairs for a call with only this robot: link_count × link_count bytes.
GRAZE_API void graze_robot_link_pairs(const graze_robot *robot, uint8_t *link_pairs);

#ifdef __cplusplus
}
#endif
#endif
