/* Models as files describe them: links in their own order and with names, before the library's models are made. */
#ifndef GRAZE_CLI_ROBOT_H
#define GRAZE_CLI_ROBOT_H

#include "app/app.h"

#include "io/mesh.h"

typedef struct cli_link_mesh {
    io_mesh mesh;
    graze_frame origin;
    double scale[3];
} cli_link_mesh;

typedef struct cli_robot_link {
    char *name, *joint; /* values are given by the joint's name; without one of its own it is the link's */
    int32_t parent;     /* in the file's order; −1: the world */
    graze_joint_kind kind;
    graze_frame origin;
    double axis[3];
    cli_link_mesh *meshes;
    size_t mesh_count;
    double padding;
    int32_t mimic; /* the link whose joint this one follows, value = multiplier·its + offset; −1: none */
    double multiplier, offset;
    uint32_t place;     /* in the library's order: parents first */
    size_t first_value; /* of the library's values */
} cli_robot_link;

typedef struct cli_robot {
    const char *file; /* for messages */
    char *name;
    cli_robot_link *links;
    size_t count, capacity;
    bool by_name; /* values are given by the names of joints (URDF) */
    graze_model *model;
} cli_robot;

/* A new link at the end, on the world by a fixed joint. Valid until the next one is added. */
cli_robot_link *cli_robot_add(cli_robot *robot, const char *name);
/* Reads a mesh file, COLLADA included; exits 2 where it cannot be read or has no triangles. */
cli_link_mesh *cli_robot_add_mesh(cli_robot_link *link, const char *path);
/* A mesh made here: `mesh` is taken over. */
cli_link_mesh *cli_robot_take_mesh(cli_robot_link *link, io_mesh mesh);
/* −1 where no link has that name. */
int32_t cli_robot_find(const cli_robot *robot, const char *name);
int32_t cli_robot_find_joint(const cli_robot *robot, const char *name);

/* Orders the links and makes the model; a cycle, a bad axis or rotation is exit 2 by name. */
void cli_robot_finish(graze_context *context, cli_robot *robot);
void cli_robot_free(graze_context *context, cli_robot *robot);

/* Values that a joint of that kind takes. */
size_t cli_joint_values(graze_joint_kind kind);
size_t cli_robot_values(const cli_robot *robot);

/* The path of `name`, seen from the folder of the file `base`. Free it. */
char *cli_path_beside(const char *base, const char *name);
char *cli_copy_text(const char *text);

/* Shapes whose surface lies on or outside the shape, within 1 % of its size. */
io_mesh cli_box_mesh(const double size[3]);
io_mesh cli_sphere_mesh(double radius);
io_mesh cli_cylinder_mesh(double radius, double length);

/* The triangles of a COLLADA file (.dae); exits 2 where it cannot be read or this build has no XML reader. */
io_mesh cli_read_collada(const char *path);

/* Links, joints and meshes of a URDF file; `packages` says where package:// paths lead (may be NULL). Exits 2 where
   this build has no XML reader. */
void cli_read_urdf(cli_robot *robot, const char *path, const cJSON *packages);
/* Calls `skip` for every two links that an SRDF file leaves out. */
typedef void cli_skip_links(void *user, int32_t a, int32_t b);
void cli_read_srdf(const cli_robot *robot, const char *path, cli_skip_links *skip, void *user);

#endif
