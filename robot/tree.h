/* Robots as files describe them: links in their own order and with names, before the library's models are made. */
#ifndef GRAZE_ROBOT_TREE_H
#define GRAZE_ROBOT_TREE_H

#include "graze/articulated.h"

#include "io/mesh.h"
#include "robot/names.h"

#define ROBOT_MOST_LINKS ((size_t)1 << 20)
#define ROBOT_MOST_VERTICES ((size_t)1 << 28) /* of one robot */

typedef struct robot_mesh {
    io_mesh mesh;
    graze_frame origin;
    double scale[3];
    double radius; /* that it is grown by */
} robot_mesh;

typedef struct robot_link {
    char *name, *joint; /* values are given by the joint's name; without one of its own it is the link's */
    int32_t parent;     /* in the file's order; −1: the world */
    int32_t owner;      /* the link that this one is a part of, for a radius of its own; −1: none */
    graze_joint_kind kind;
    bool continuous;
    graze_frame origin;
    double axis[3];
    double limits[2], soft_limits[2], velocity; /* infinite where there are none */
    bool stands;                                /* limits say that a joint of several values does: at these */
    double stand[6];
    robot_mesh *meshes;
    size_t mesh_count, mesh_room;
    double padding;
    int32_t mimic; /* the link whose joint this one follows, value = multiplier·its + offset; −1: none */
    double multiplier, offset;
    uint32_t place;     /* in the library's order: parents first */
    size_t first_value; /* of the library's values */
} robot_link;

typedef struct robot_tree {
    const char *file; /* for messages */
    char *name;
    robot_link *links;
    size_t count, room;
    robot_names link_names, joint_names;
    uint32_t *order;      /* the link at each place, once it is closed */
    size_t values, given; /* all of the joints, and those that no mimicking joint takes */
    size_t vertices;      /* of all meshes */
    bool by_name;         /* values are given by the names of joints (URDF) */
    io_error *error;
} robot_tree;

/* Each returns NULL or false with the error set. */

/* A new link at the end, on the world by a fixed joint. Valid until the next one is added. */
robot_link *robot_add_link(robot_tree *tree, const char *name);
/* A part of a link, fixed to it, at the end: with its padding, without meshes. */
robot_link *robot_add_part(robot_tree *tree, int32_t link);
/* Reads a mesh file, COLLADA included; a file without triangles is an error. */
robot_mesh *robot_add_mesh(robot_tree *tree, robot_link *link, const char *path);
/* A mesh made here: `mesh` is taken over. */
robot_mesh *robot_take_mesh(robot_tree *tree, robot_link *link, io_mesh mesh);
/* Finds links by their joints' names from now on; two joints of one name are an error. */
bool robot_name_joints(robot_tree *tree);
/* Checks axes and rotations, places parents before children, counts values. A cycle is an error. */
bool robot_close(robot_tree *tree);
void robot_free_tree(robot_tree *tree);

/* −1 where no link or joint has that name. */
int32_t robot_find_link(const robot_tree *tree, const char *name);
int32_t robot_find_joint(const robot_tree *tree, const char *name);

/* "file: model 'name': reason"; returns false. */
bool robot_fail(const robot_tree *tree, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Values that a joint of that kind takes. */
size_t robot_joint_values(graze_joint_kind kind);
/* Fills in the values of joints that mimic others. */
void robot_fill_mimics(const robot_tree *tree, double *values);

/* The links for graze_model_create, in the library's order; NULL without memory. One free() frees them. */
graze_link *robot_library_links(const robot_tree *tree);

/* Links, joints and meshes of a URDF file. */
typedef struct robot_packages {
    const char *base; /* folders are seen from this file; NULL: from the current folder */
    const char *const *names, *const *folders;
    size_t count;
} robot_packages;
bool robot_read_urdf(robot_tree *tree, const char *path, const robot_packages *packages);
bool robot_parse_urdf(robot_tree *tree, io_source source, const robot_packages *packages);

/* Two links, in the file's order. */
typedef struct robot_pairs {
    uint32_t (*pairs)[2];
    size_t count, room;
} robot_pairs;
/* Pairs that an SRDF file leaves out. */
bool robot_read_srdf(const robot_tree *tree, const char *path, robot_pairs *pairs);
bool robot_parse_srdf(const robot_tree *tree, io_source source, robot_pairs *pairs);

/* The triangles of a COLLADA file. */
bool robot_read_collada(const char *path, io_mesh *mesh, io_error *error);
bool robot_parse_collada(io_source source, io_mesh *mesh, io_error *error);

#endif
