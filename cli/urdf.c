/* URDF and SRDF: links, joints and collision shapes of robots as ROS describes them. */
#include "cli/robot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !defined(GRAZE_HAVE_XML)

void cli_read_urdf(cli_robot *robot, const char *path, const cJSON *packages) {
    (void)robot;
    (void)packages;
    cli_fail("%s: this build reads no URDF (it was made without libxml2)", path);
}

void cli_read_srdf(const cli_robot *robot, const char *path, cli_skip_links *skip, void *user) {
    (void)robot;
    (void)skip;
    (void)user;
    cli_fail("%s: this build reads no SRDF (it was made without libxml2)", path);
}

#else

#include "cli/xml.h"

typedef struct urdf {
    const char *path;
    cli_robot *robot;
    const cJSON *packages;
} urdf;

static char *needed(const urdf *file, xmlNode *node, const char *name) {
    char *value = cli_xml_attribute(node, name);
    if (!value)
        cli_fail("%s:%ld: <%s> without %s", file->path, xmlGetLineNo(node), node ? (const char *)node->name : "?",
                 name);
    return value;
}

/* Numbers of an attribute, as many as there should be; false where the attribute is not there. */
static bool numbers(const urdf *file, xmlNode *node, const char *name, int count, double *out) {
    char *value = cli_xml_attribute(node, name), *at = value;
    if (!value) return false;
    for (int i = 0; i < count; i++) {
        char *end;
        out[i] = strtod(at, &end);
        if (end == at || !isfinite(out[i]))
            cli_fail("%s:%ld: %s=\"%s\" is not %d numbers", file->path, xmlGetLineNo(node), name, value, count);
        at = end;
    }
    free(value);
    return true;
}

static graze_frame origin_of(const urdf *file, xmlNode *node) {
    double xyz[3] = {0, 0, 0}, rpy[3] = {0, 0, 0};
    xmlNode *origin = cli_xml_child(node, "origin");
    numbers(file, origin, "xyz", 3, xyz);
    numbers(file, origin, "rpy", 3, rpy);
    return graze_frame_of_angles(xyz, rpy);
}

/* ---- shapes ---- */

/* package://NAME/REST by the table of packages, else as a path beside the URDF; file:// paths as they are. */
static char *mesh_path(const urdf *file, const char *name) {
    if (strncmp(name, "file://", 7) == 0) return cli_path_beside(file->path, name + 7);
    if (strncmp(name, "package://", 10) != 0) return cli_path_beside(file->path, name);
    const char *package = name + 10 + strspn(name + 10, "/"),
               *slash = strchr(package, '/'); /* some write three slashes */
    if (!slash) cli_fail("%s: '%s' names no file", file->path, name);
    const cJSON *entry;
    cJSON_ArrayForEach(entry, file->packages) {
        if (!cJSON_IsString(entry) || strlen(entry->string) != (size_t)(slash - package)) continue;
        if (strncmp(entry->string, package, (size_t)(slash - package)) != 0) continue;
        char *folder = cli_path_beside(file->robot->file, entry->valuestring);
        char *path = cli_allocate(strlen(folder) + strlen(slash) + 1, 1);
        strcat(strcpy(path, folder), slash);
        free(folder);
        return path;
    }
    cli_fail("%s: '%s': \"packages\" does not say where that package is", file->path, name);
}

static void add_mesh(const urdf *file, cli_robot_link *link, xmlNode *shape, graze_frame origin) {
    char *name = needed(file, shape, "filename"), *path = mesh_path(file, name);
    cli_link_mesh *mesh = cli_robot_add_mesh(link, path);
    numbers(file, shape, "scale", 3, mesh->scale);
    mesh->origin = origin;
    free(path);
    free(name);
}

static void add_shape(const urdf *file, cli_robot_link *link, xmlNode *collision) {
    xmlNode *geometry = cli_xml_child(collision, "geometry"), *box = cli_xml_child(geometry, "box");
    xmlNode *sphere = cli_xml_child(geometry, "sphere"), *cylinder = cli_xml_child(geometry, "cylinder");
    xmlNode *mesh = cli_xml_child(geometry, "mesh");
    graze_frame origin = origin_of(file, collision);
    double size[3] = {0, 0, 0};
    if (mesh) {
        add_mesh(file, link, mesh, origin);
    } else if (box && numbers(file, box, "size", 3, size)) {
        cli_robot_take_mesh(link, cli_box_mesh(size))->origin = origin;
    } else if (sphere && numbers(file, sphere, "radius", 1, size)) {
        cli_robot_take_mesh(link, cli_sphere_mesh(size[0]))->origin = origin;
    } else if (cylinder && numbers(file, cylinder, "radius", 1, size) &&
               numbers(file, cylinder, "length", 1, size + 1)) {
        cli_robot_take_mesh(link, cli_cylinder_mesh(size[0], size[1]))->origin = origin;
    } else {
        cli_fail("%s:%ld: a shape that is no mesh, box, sphere or cylinder", file->path, xmlGetLineNo(collision));
    }
}

static void read_link(const urdf *file, xmlNode *node) {
    char *name = needed(file, node, "name");
    cli_robot_link *link = cli_robot_add(file->robot, name);
    for (xmlNode *child = node->children; child; child = child->next)
        if (cli_xml_is(child, "collision")) add_shape(file, link, child);
    free(name);
}

/* ---- joints ---- */

static graze_joint_kind kind_of(const urdf *file, xmlNode *node) {
    static const struct {
        const char *name;
        graze_joint_kind kind;
    } kinds[] = {{"fixed", GRAZE_JOINT_FIXED},         {"revolute", GRAZE_JOINT_REVOLUTE},
                 {"continuous", GRAZE_JOINT_REVOLUTE}, {"prismatic", GRAZE_JOINT_PRISMATIC},
                 {"floating", GRAZE_JOINT_FREE},       {"planar", GRAZE_JOINT_PLANAR}};
    char *type = needed(file, node, "type");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(type, kinds[i].name) == 0) {
            free(type);
            return kinds[i].kind;
        }
    cli_fail("%s:%ld: no joint is of type '%s'", file->path, xmlGetLineNo(node), type);
}

static int32_t named_link(const urdf *file, xmlNode *node, const char *which) {
    xmlNode *child = cli_xml_child(node, which);
    if (!child) cli_fail("%s:%ld: a joint without <%s>", file->path, xmlGetLineNo(node), which);
    char *name = needed(file, child, "link");
    int32_t link = cli_robot_find(file->robot, name);
    if (link < 0) cli_fail("%s:%ld: there is no link '%s'", file->path, xmlGetLineNo(child), name);
    free(name);
    return link;
}

static void read_joint(const urdf *file, xmlNode *node) {
    cli_robot_link *link = &file->robot->links[named_link(file, node, "child")];
    if (link->joint) cli_fail("%s:%ld: link '%s' has two parents", file->path, xmlGetLineNo(node), link->name);
    link->joint = needed(file, node, "name");
    link->parent = named_link(file, node, "parent");
    link->kind = kind_of(file, node);
    link->origin = origin_of(file, node);
    double axis[3] = {1, 0, 0};
    numbers(file, cli_xml_child(node, "axis"), "xyz", 3, axis);
    memcpy(link->axis, axis, sizeof axis);
}

/* <mimic joint="…" multiplier="…" offset="…"/>, once all joints are known. */
static void read_mimic(const urdf *file, xmlNode *node) {
    xmlNode *mimic = cli_xml_child(node, "mimic");
    if (!mimic) return;
    cli_robot_link *link = &file->robot->links[named_link(file, node, "child")];
    char *name = needed(file, mimic, "joint");
    link->mimic = cli_robot_find_joint(file->robot, name);
    if (link->mimic < 0) cli_fail("%s:%ld: there is no joint '%s'", file->path, xmlGetLineNo(mimic), name);
    link->multiplier = 1;
    numbers(file, mimic, "multiplier", 1, &link->multiplier);
    numbers(file, mimic, "offset", 1, &link->offset);
    free(name);
}

/* A joint that mimics one that mimics another follows the first of them. */
static void resolve_mimics(const urdf *file) {
    for (size_t i = 0; i < file->robot->count; i++) {
        cli_robot_link *link = &file->robot->links[i];
        for (size_t steps = 0; link->mimic >= 0 && file->robot->links[link->mimic].mimic >= 0; steps++) {
            const cli_robot_link *other = &file->robot->links[link->mimic];
            if (steps > file->robot->count) cli_fail("%s: joint '%s' mimics itself", file->path, link->joint);
            link->offset += link->multiplier * other->offset;
            link->multiplier *= other->multiplier;
            link->mimic = other->mimic;
        }
    }
}

void cli_read_urdf(cli_robot *robot, const char *path, const cJSON *packages) {
    urdf file = {path, robot, packages};
    xmlDoc *doc = cli_xml_open(path, "robot");
    xmlNode *root = xmlDocGetRootElement(doc);
    for (xmlNode *node = root->children; node; node = node->next)
        if (cli_xml_is(node, "link")) read_link(&file, node);
    for (xmlNode *node = root->children; node; node = node->next)
        if (cli_xml_is(node, "joint")) read_joint(&file, node);
    for (xmlNode *node = root->children; node; node = node->next)
        if (cli_xml_is(node, "joint")) read_mimic(&file, node);
    resolve_mimics(&file);
    xmlFreeDoc(doc);
}

void cli_read_srdf(const cli_robot *robot, const char *path, cli_skip_links *skip, void *user) {
    xmlDoc *doc = cli_xml_open(path, "robot");
    for (xmlNode *node = xmlDocGetRootElement(doc)->children; node; node = node->next) {
        if (!cli_xml_is(node, "disable_collisions")) continue;
        char *a = cli_xml_attribute(node, "link1"), *b = cli_xml_attribute(node, "link2");
        int32_t i = a ? cli_robot_find(robot, a) : -1, j = b ? cli_robot_find(robot, b) : -1;
        if (i < 0 || j < 0) cli_fail("%s:%ld: a pair of links that are not there", path, xmlGetLineNo(node));
        skip(user, i, j);
        free(a);
        free(b);
    }
    xmlFreeDoc(doc);
}

#endif
