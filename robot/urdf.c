/* URDF and SRDF: links, joints and collision shapes of robots as ROS describes them. */
#include "io/file.h"
#include "io/nearest.h"
#include "robot/memory.h"
#include "robot/shapes.h"
#include "robot/tree.h"
#include "robot/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct urdf {
    robot_xml_file xml;
    robot_tree *tree;
    const robot_packages *packages;
} urdf;

static bool out_of_memory(const urdf *file) { return io_fail(file->xml.error, file->xml.name, 0, "out of memory"); }

/* ---- xacro ---- */

#define EXPAND "expand it first: xacro robot.xacro > robot.urdf"

/* True if the element binds this prefix to a name space of xacro, or it is called xacro anyway. */
static bool is_xacro(const robot_xml_file *xml, const robot_xml *element) {
    const char *colon = strchr(element->name, ':');
    if (!colon) return false;
    if (strncmp(element->name, "xacro:", 6) == 0) return true;
    for (uint32_t i = 0; i < xml->root->attribute_count; i++) {
        const robot_xml_attribute *a = &xml->root->attributes[i];
        size_t length = (size_t)(colon - element->name);
        if (strncmp(a->name, "xmlns:", 6) == 0 && strlen(a->name) == 6 + length && strstr(a->value, "xacro") &&
            strncmp(a->name + 6, element->name, length) == 0)
            return true;
    }
    return false;
}

static bool refuse_xacro(const robot_xml_file *xml) {
    for (uint32_t i = 0; i < xml->count; i++)
        if (is_xacro(xml, &xml->root[i]))
            return robot_xml_fail(xml, &xml->root[i], "<%.60s>: this is xacro; " EXPAND, xml->root[i].name);
    return true;
}

/* A name that xacro has yet to fill in is none. */
static bool needed(const robot_xml_file *xml, const robot_xml *element, const char *name, const char **value) {
    if (!robot_xml_need(xml, element, name, value)) return false;
    return (!strstr(*value, "${") && !strstr(*value, "$(")) ||
           robot_xml_fail(xml, element, "%s=\"%.100s\": this is xacro; " EXPAND, name, *value);
}

/* Unknown elements are passed over, unless they seem to be this one. */
static bool is_spelt(const urdf *file, const robot_xml *element, const char *name, size_t edits) {
    size_t distance = io_word_distance(element->name, name);
    return distance == 0 || distance > edits ||
           robot_xml_fail(&file->xml, element, "unknown element <%.60s>: did you mean <%s>?", element->name, name);
}

/* An element with these attributes alone. */
static bool strict(const urdf *file, const robot_xml *element, const char *attributes) {
    return robot_xml_only_attributes(&file->xml, element, attributes) &&
           robot_xml_only_children(&file->xml, element, "");
}

/* ---- shapes ---- */

static bool origin_of(const urdf *file, const robot_xml *element, graze_frame *frame) {
    double xyz[3] = {0, 0, 0}, rpy[3] = {0, 0, 0};
    const robot_xml *origin = robot_xml_child(element, "origin");
    if (origin && !strict(file, origin, "xyz rpy")) return false;
    if (!robot_xml_numbers(&file->xml, origin, "xyz", 3, xyz) || !robot_xml_numbers(&file->xml, origin, "rpy", 3, rpy))
        return false;
    *frame = graze_frame_of_angles(xyz, rpy);
    return true;
}

/* PACKAGE/REST by the table; the path is NULL with the error set where it is not there. */
static char *package_path(const urdf *file, const robot_xml *shape, const char *name) {
    const char *package = name + strspn(name, "/"), *slash = strchr(package, '/'); /* some write three slashes */
    size_t length = slash ? (size_t)(slash - package) : 0;
    for (size_t i = 0; slash && i < file->packages->count; i++) {
        const char *known = file->packages->names[i];
        if (strlen(known) != length || strncmp(known, package, length) != 0) continue;
        const char *base = file->packages->base ? file->packages->base : "";
        char *folder = robot_path_beside(base, file->packages->folders[i]);
        char *path = folder ? realloc(folder, strlen(folder) + strlen(slash) + 1) : NULL;
        if (path) return strcat(path, slash);
        free(folder);
        out_of_memory(file);
        return NULL;
    }
    if (slash)
        robot_xml_fail(&file->xml, shape, "'package://%.200s': \"packages\" does not say where that package is", name);
    else
        robot_xml_fail(&file->xml, shape, "'package://%.200s' names no file", name);
    return NULL;
}

static char *mesh_path(const urdf *file, const robot_xml *shape, const char *name) {
    if (strncmp(name, "package://", 10) == 0) return package_path(file, shape, name + 10);
    char *path = robot_path_beside(file->xml.name, strncmp(name, "file://", 7) == 0 ? name + 7 : name);
    if (!path) out_of_memory(file);
    return path;
}

static robot_mesh *add_mesh(const urdf *file, robot_link *link, const robot_xml *shape) {
    const char *name;
    if (!robot_xml_only_attributes(&file->xml, shape, "filename scale") ||
        !robot_xml_only_own_children(&file->xml, shape, "") || !needed(&file->xml, shape, "filename", &name))
        return NULL;
    char *path = mesh_path(file, shape, name);
    robot_mesh *mesh = path ? robot_add_mesh(file->tree, link, path) : NULL;
    free(path);
    return mesh && robot_xml_numbers(&file->xml, shape, "scale", 3, mesh->scale) ? mesh : NULL;
}

/* Numbers that have to be there and are not negative. */
static bool sizes(const urdf *file, const robot_xml *shape, const char *name, size_t count, double *size) {
    const char *text;
    if (!robot_xml_need(&file->xml, shape, name, &text)) return false;
    if (!robot_xml_numbers(&file->xml, shape, name, count, size)) return false;
    for (size_t i = 0; i < count; i++)
        if (size[i] < 0) return robot_xml_fail(&file->xml, shape, "%s=\"%.60s\" is negative", name, text);
    return true;
}

/* One element on its way to a shape of the library. */
typedef struct shape_job {
    const urdf *file;
    const robot_xml *element;
    graze_context *context;
    graze_shape *shape;
} shape_job;

static bool made(const shape_job *job, graze_status status) {
    char reason[300];
    return robot_shape_made(job->context, status, reason, sizeof reason) ||
           robot_xml_fail(&job->file->xml, job->element, "%s", reason);
}

static bool make_box(const shape_job *job) {
    double size[3];
    return strict(job->file, job->element, "size") && sizes(job->file, job->element, "size", 3, size) &&
           made(job, graze_shape_box(job->context, size, 0, job->shape));
}

static bool make_sphere(const shape_job *job) {
    double radius;
    return strict(job->file, job->element, "radius") && sizes(job->file, job->element, "radius", 1, &radius) &&
           made(job, graze_shape_sphere(job->context, radius, job->shape));
}

/* Radius and length of a cylinder or capsule. */
static bool round_sizes(const shape_job *job, double size[2]) {
    return strict(job->file, job->element, "radius length") && sizes(job->file, job->element, "radius", 1, size) &&
           sizes(job->file, job->element, "length", 1, size + 1);
}

static bool make_cylinder(const shape_job *job) {
    double size[2];
    return round_sizes(job, size) && made(job, graze_shape_cylinder(job->context, size[0], size[1], 0, job->shape));
}

static bool make_capsule(const shape_job *job) {
    double size[2];
    return round_sizes(job, size) && made(job, graze_shape_capsule(job->context, size[1], size[0], job->shape));
}

static bool make_shape(void *given, graze_context *context, graze_shape *shape) {
    static const struct {
        const char *name;
        bool (*make)(const shape_job *job);
    } kinds[] = {{"box", make_box}, {"sphere", make_sphere}, {"cylinder", make_cylinder}, {"capsule", make_capsule}};
    shape_job *job = given;
    job->context = context;
    job->shape = shape;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (robot_xml_is(job->element, kinds[i].name)) return kinds[i].make(job);
    return robot_xml_fail(&job->file->xml, job->element,
                          "<%.60s>: a shape is one mesh, box, sphere, cylinder or capsule", job->element->name);
}

static bool add_shape(const urdf *file, robot_link *link, const robot_xml *collision) {
    const robot_xml *geometry = robot_xml_child(collision, "geometry"), *shape = geometry ? geometry->child : NULL;
    graze_frame origin;
    if (!robot_xml_only_own_children(&file->xml, collision,
                                     "origin geometry material verbose surface contact_coefficients sdf") ||
        !origin_of(file, collision, &origin))
        return false;
    if (!shape || shape->next)
        return robot_xml_fail(&file->xml, shape ? shape->next : collision,
                              "%s: a shape is one mesh, box, sphere, cylinder or capsule",
                              shape ? "a second shape" : "no geometry");
    shape_job job = {.file = file, .element = shape};
    robot_mesh *mesh =
        robot_xml_is(shape, "mesh") ? add_mesh(file, link, shape) : robot_add_shape(file->tree, link, make_shape, &job);
    if (mesh) mesh->origin = origin;
    return mesh != NULL;
}

static bool read_link(const urdf *file, const robot_xml *element) {
    const char *name;
    if (!needed(&file->xml, element, "name", &name)) return false;
    robot_link *link = robot_add_link(file->tree, name);
    if (!link) return false;
    for (const robot_xml *child = element->child; child; child = child->next) {
        if (!is_spelt(file, child, "collision", 2)) return false;
        if (robot_xml_is(child, "collision") && !add_shape(file, link, child)) return false;
    }
    return true;
}

/* ---- joints ---- */

static bool kind_of(const urdf *file, const robot_xml *element, robot_link *link) {
    static const struct {
        const char *name;
        graze_joint_kind kind;
    } kinds[] = {{"fixed", GRAZE_JOINT_FIXED},         {"revolute", GRAZE_JOINT_REVOLUTE},
                 {"continuous", GRAZE_JOINT_REVOLUTE}, {"prismatic", GRAZE_JOINT_PRISMATIC},
                 {"floating", GRAZE_JOINT_FREE},       {"planar", GRAZE_JOINT_PLANAR}};
    const char *type;
    if (!needed(&file->xml, element, "type", &type)) return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(type, kinds[i].name) == 0) {
            link->kind = kinds[i].kind;
            link->continuous = i == 2;
            return true;
        }
    return robot_xml_fail(&file->xml, element, "no joint is of type '%.60s'", type);
}

static int32_t named_link(const urdf *file, const robot_xml *element, const char *which) {
    const robot_xml *child = robot_xml_child(element, which);
    const char *name;
    if (!child) return robot_xml_fail(&file->xml, element, "a joint without <%s>", which), -1;
    if (!strict(file, child, "link") || !robot_xml_need(&file->xml, child, "link", &name)) return -1;
    int32_t link = robot_find_link(file->tree, name);
    if (link < 0) robot_xml_fail(&file->xml, child, "there is no link '%.100s'", name);
    return link;
}

/* A missing end is 0, as URDF has it. Bullet writes a lower limit above the upper one for none. */
static bool read_limits(const urdf *file, const robot_xml *element, robot_link *link) {
    const robot_xml *limit = robot_xml_child(element, "limit"), *safety = robot_xml_child(element, "safety_controller");
    if (limit && !(robot_xml_only_children(&file->xml, limit, "") &&
                   robot_xml_spelt_attributes(&file->xml, limit, "lower upper effort velocity")))
        return false;
    bool given = robot_xml_attribute_of(limit, "lower") || robot_xml_attribute_of(limit, "upper");
    double lower = 0, upper = 0;
    if (!robot_xml_numbers(&file->xml, limit, "lower", 1, &lower) ||
        !robot_xml_numbers(&file->xml, limit, "upper", 1, &upper) ||
        !robot_xml_numbers(&file->xml, limit, "velocity", 1, &link->velocity) ||
        !robot_xml_numbers(&file->xml, safety, "soft_lower_limit", 1, &link->soft_limits[0]) ||
        !robot_xml_numbers(&file->xml, safety, "soft_upper_limit", 1, &link->soft_limits[1]))
        return false;
    if (given && !link->continuous && lower <= upper) {
        link->limits[0] = lower;
        link->limits[1] = upper;
    }
    return true;
}

/* Some write rpy="0 0 0" beside it; an angle would turn nothing anywhere. */
static bool read_axis(const urdf *file, const robot_xml *element, double axis[3]) {
    double rpy[3] = {0, 0, 0};
    axis[0] = 1;
    axis[1] = axis[2] = 0;
    if (!element) return true;
    if (!strict(file, element, "xyz rpy") || !robot_xml_numbers(&file->xml, element, "xyz", 3, axis) ||
        !robot_xml_numbers(&file->xml, element, "rpy", 3, rpy))
        return false;
    return (rpy[0] == 0 && rpy[1] == 0 && rpy[2] == 0) || robot_xml_fail(&file->xml, element, "an axis has no rpy");
}

static bool read_joint(const urdf *file, const robot_xml *element) {
    const char *name;
    if (!robot_xml_spelt_children(&file->xml, element,
                                  "origin parent child axis limit mimic calibration dynamics safety_controller") ||
        !robot_xml_spelt_attributes(&file->xml, element, "name type") || !needed(&file->xml, element, "name", &name))
        return false;
    int32_t child = named_link(file, element, "child"), parent = child < 0 ? -1 : named_link(file, element, "parent");
    if (parent < 0) return false;
    robot_link *link = &file->tree->links[child];
    if (link->joint) return robot_xml_fail(&file->xml, element, "link '%.100s' has two parents", link->name);
    link->joint = robot_copy_text(name);
    link->parent = parent;
    if (!link->joint) return out_of_memory(file);
    return kind_of(file, element, link) && origin_of(file, element, &link->origin) &&
           read_axis(file, robot_xml_child(element, "axis"), link->axis) && read_limits(file, element, link);
}

/* <mimic joint="…" multiplier="…" offset="…"/>, once all joints are known. */
static bool read_mimic(const urdf *file, const robot_xml *element) {
    const robot_xml *mimic = robot_xml_child(element, "mimic");
    const char *name;
    if (!mimic) return true;
    robot_link *link = &file->tree->links[named_link(file, element, "child")];
    if (!strict(file, mimic, "joint multiplier offset") || !needed(&file->xml, mimic, "joint", &name)) return false;
    int32_t followed = robot_find_joint(file->tree, name);
    if (followed < 0) return robot_xml_fail(&file->xml, mimic, "there is no joint '%.100s'", name);
    if (link->kind == GRAZE_JOINT_FIXED) return true;
    if (robot_joint_values(link->kind) != 1 || robot_joint_values(file->tree->links[followed].kind) != 1)
        return robot_xml_fail(&file->xml, mimic, "only a joint with one value mimics another with one");
    link->mimic = followed;
    link->multiplier = 1;
    return robot_xml_numbers(&file->xml, mimic, "multiplier", 1, &link->multiplier) &&
           robot_xml_numbers(&file->xml, mimic, "offset", 1, &link->offset);
}

/* Follows joint i to the first that mimics none, then back, so that each of them follows that one. */
static bool resolve_mimic(const urdf *file, size_t i, uint32_t *way, unsigned char *done) {
    robot_link *links = file->tree->links;
    size_t steps = 0;
    for (int64_t at = (int64_t)i; links[at].mimic >= 0 && done[at] != 2; at = links[at].mimic) {
        if (done[at] == 1)
            return io_fail(file->xml.error, file->xml.name, 0, "joint '%.100s' mimics itself", links[at].joint);
        done[at] = 1;
        way[steps++] = (uint32_t)at;
    }
    while (steps-- > 0) {
        robot_link *link = &links[way[steps]];
        const robot_link *other = &links[link->mimic];
        done[way[steps]] = 2;
        if (other->mimic < 0) continue;
        link->offset += link->multiplier * other->offset;
        link->multiplier *= other->multiplier;
        link->mimic = other->mimic;
    }
    return true;
}

static bool resolve_mimics(const urdf *file) {
    uint32_t *way = robot_allocate(file->tree->count, sizeof *way);
    unsigned char *done = robot_allocate(file->tree->count, 1);
    bool good = way && done ? true : out_of_memory(file);
    for (size_t i = 0; good && i < file->tree->count; i++) good = resolve_mimic(file, i, way, done);
    free(way);
    free(done);
    return good;
}

/* ---- the files ---- */

typedef bool read_element(const urdf *file, const robot_xml *element);

static bool for_each(const urdf *file, const char *name, read_element *read) {
    for (const robot_xml *element = file->xml.root->child; element; element = element->next)
        if (robot_xml_is(element, name) && !read(file, element)) return false;
    return true;
}

static bool check_names(const urdf *file) {
    for (const robot_xml *element = file->xml.root->child; element; element = element->next)
        if (!is_spelt(file, element, "link", 1) || !is_spelt(file, element, "joint", 1)) return false;
    return true;
}

static bool read_robot(const urdf *file) {
    return refuse_xacro(&file->xml) && check_names(file) && for_each(file, "link", read_link) &&
           for_each(file, "joint", read_joint) && robot_name_joints(file->tree) &&
           for_each(file, "joint", read_mimic) && resolve_mimics(file);
}

static bool take_name(const urdf *file) {
    const char *name = robot_xml_attribute_of(file->xml.root, "name");
    if (file->tree->name) return true;
    file->tree->name = robot_copy_text(name ? name : "robot");
    return file->tree->name || out_of_memory(file);
}

bool robot_parse_urdf(robot_tree *tree, io_source source, const robot_packages *packages) {
    urdf file = {.tree = tree, .packages = packages};
    tree->by_name = true;
    if (!robot_xml_parse(source, "robot", &file.xml, tree->error)) return false;
    bool good = take_name(&file) && read_robot(&file);
    robot_xml_free(&file.xml);
    return good;
}

bool robot_read_urdf(robot_tree *tree, const char *path, const robot_packages *packages) {
    char *bytes;
    size_t size;
    if (!io_read_regular_file(path, &bytes, &size, tree->error)) return false;
    bool good = robot_parse_urdf(tree, (io_source){path, bytes, size}, packages);
    free(bytes);
    return good;
}

static bool add_pair(const robot_tree *tree, const robot_xml_file *xml, const robot_xml *element, robot_pairs *pairs) {
    const char *a, *b;
    if (!robot_xml_need(xml, element, "link1", &a) || !robot_xml_need(xml, element, "link2", &b)) return false;
    int32_t i = robot_find_link(tree, a), j = robot_find_link(tree, b);
    if (i < 0 || j < 0) return robot_xml_fail(xml, element, "unknown link: '%.100s'", i < 0 ? a : b);
    uint32_t(*larger)[2] = robot_grown(pairs->pairs, &pairs->room, pairs->count, sizeof *larger);
    if (!larger) return io_fail(xml->error, xml->name, 0, "out of memory");
    pairs->pairs = larger;
    larger[pairs->count][0] = (uint32_t)i;
    larger[pairs->count++][1] = (uint32_t)j;
    return true;
}

bool robot_parse_srdf(const robot_tree *tree, io_source source, robot_pairs *pairs) {
    robot_xml_file xml;
    if (!robot_xml_parse(source, "robot", &xml, tree->error)) return false;
    bool good = refuse_xacro(&xml);
    for (const robot_xml *element = xml.root->child; good && element; element = element->next)
        if (robot_xml_is(element, "disable_collisions")) good = add_pair(tree, &xml, element, pairs);
    robot_xml_free(&xml);
    return good;
}

bool robot_read_srdf(const robot_tree *tree, const char *path, robot_pairs *pairs) {
    char *bytes;
    size_t size;
    if (!io_read_regular_file(path, &bytes, &size, tree->error)) return false;
    bool good = robot_parse_srdf(tree, (io_source){path, bytes, size}, pairs);
    free(bytes);
    return good;
}
