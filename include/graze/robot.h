/// Robots from files: URDF, with SRDF and the meshes that it names, as plain arrays for graze_model_create().
///
/// Part of libgraze_robot, a library beside libgraze that needs Expat. graze.h does not include this header.
#ifndef GRAZE_ROBOT_H
#define GRAZE_ROBOT_H

#include "graze/articulated.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Options of reading a robot. Fill it by graze_default_robot_options(). Names are borrowed during the call.
typedef struct graze_robot_options {
    size_t struct_size;
    const char *srdf; ///< NULL, or a file whose `disable_collisions` become `skips`
    /// Folders of package://NAME/REST: NAME is package_names[i], and package_folders[i] stands in its place.
    const char *const *package_names, *const *package_folders;
    size_t package_count;
} graze_robot_options;

/// The reason of a failed call in one line: file, line, what is wrong.
typedef struct graze_robot_error {
    char message[600];
} graze_robot_error;

/// A robot. Arrays have an entry for each link, parents before their children; what is said of a joint is said of the
/// one that carries the link. Later versions may add fields at the end.
typedef struct graze_robot {
    const char *name;
    size_t link_count;
    size_t value_count;      ///< of all joints: a pose of graze_motion
    const graze_link *links; ///< for graze_model_create(), links->struct_size bytes apart: boxes are exact, spheres and
                             ///< cylinders polyhedra around them
    const char *const *link_names;
    const char *const *joint_names; ///< "" for a link that hangs on the world
    const size_t *first_values;     ///< where the values of each joint begin
    const double (*limits)[2];      ///< lower and upper; −INFINITY and INFINITY where there are none
    const double (*soft_limits)[2]; ///< of the safety controller; the same where there are none
    const double *velocities;       ///< the largest speed; INFINITY where the file names none
    const uint8_t *continuous;      ///< 1 for a revolute joint that turns without end
    const int32_t *mimics;          ///< link whose joint this one follows; −1: none
    const double (*mimic_lines)[2]; ///< value = multiplier · value of the other + offset
    const uint32_t (*skips)[2];     ///< pairs of links that the SRDF leaves out
    size_t skip_count;
} graze_robot;

GRAZE_DEFAULTS(graze_robot_options, graze_default_robot_options, graze_init_robot_options)

/// Reads a robot: links with any number of collision shapes, joints, limits, mimicking joints.
///
/// Reading is strict: a number that is none, an unknown element or attribute inside of a collision, a geometry, a
/// joint, its limits or its mimic, and a file that xacro has yet to expand are errors. Meshes may be OBJ, PLY, STL,
/// OFF, MSH or COLLADA; files that are not regular, and XML with a DOCTYPE, are errors.
///
/// @param path     a URDF file
/// @param options  NULL for graze_default_robot_options()
/// @param robot    set to NULL on any status but GRAZE_OK; graze_robot_free() it
/// @param error    NULL, or where the reason goes; "" on success
///
/// Uses malloc, no context. Any number of threads may call it at once.
GRAZE_API graze_status graze_robot_load(const char *path, const graze_robot_options *options, graze_robot **robot,
                                        graze_robot_error *error);
/// NULL is fine.
GRAZE_API void graze_robot_free(graze_robot *robot);

/// Fills in the values of joints that mimic others: `values` has value_count entries.
GRAZE_API void graze_robot_mimic(const graze_robot *robot, double *values);
/// The table of graze_articulated_options.link_pairs for a call with this robot alone: link_count × link_count bytes.
GRAZE_API void graze_robot_link_pairs(const graze_robot *robot, uint8_t *link_pairs);

#ifdef __cplusplus
}
#endif
#endif
