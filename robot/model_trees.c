/* "models": links with meshes, one mesh, or a URDF file. */
#include "robot/memory.h"
#include "robot/model_reader.h"

#include <stdlib.h>
#include <string.h>

bool robot_read_frame(const robot_reader *r, const io_json *object, graze_frame *frame) {
    *frame = (graze_frame){.rotation = {1, 0, 0, 0}};
    if (!object) return true;
    if (!io_json_keys(&r->json, object, "position rotation")) return false;
    const io_json *position = io_json_get(object, "position"), *rotation = io_json_get(object, "rotation");
    const double *q = frame->rotation;
    if (position && !io_json_numbers(&r->json, position, 3, frame->position)) return false;
    if (rotation && !io_json_numbers(&r->json, rotation, 4, frame->rotation)) return false;
    return q[0] != 0 || q[1] != 0 || q[2] != 0 || q[3] != 0 || io_json_fail(&r->json, rotation, "the rotation is zero");
}

/* ---- links ---- */

static bool read_kind(const robot_reader *r, const io_json *value, graze_joint_kind *kind) {
    static const char *const names[] = {"fixed", "revolute", "prismatic", "spherical", "planar", "free"};
    const char *name;
    if (!io_json_text(&r->json, value, &name)) return false;
    for (int i = 0; i < 6; i++)
        if (strcmp(name, names[i]) == 0) {
            *kind = (graze_joint_kind)i;
            return true;
        }
    return io_json_fail(&r->json, value,
                        "no joint is called '%.60s' (fixed, revolute, prismatic, spherical, planar, free)", name);
}

static bool read_joint(const robot_reader *r, const io_json *object, robot_link *link) {
    const io_json *kind, *axis = io_json_get(object, "axis"), *name = io_json_get(object, "name");
    const char *text;
    if (!object) return true;
    if (!io_json_keys(&r->json, object, "kind axis name") || !io_json_need(&r->json, object, "kind", &kind) ||
        !read_kind(r, kind, &link->kind) || (axis && !io_json_numbers(&r->json, axis, 3, link->axis)))
        return false;
    if (!name) return true;
    if (!io_json_text(&r->json, name, &text)) return false;
    link->joint = robot_copy_text(text);
    return link->joint || robot_out_of_memory(r);
}

static robot_mesh *add_file(const robot_reader *r, robot_tree *tree, robot_link *link, const io_json *name) {
    const char *text;
    if (!io_json_text(&r->json, name, &text)) return NULL;
    char *path = robot_path_beside(r->json.name, text);
    if (!path) return robot_out_of_memory(r), NULL;
    robot_mesh *mesh = robot_add_mesh(tree, link, path);
    free(path);
    return mesh;
}

/* A file's name, or an object with more about it. */
static bool add_mesh(const robot_reader *r, robot_tree *tree, robot_link *link, const io_json *object) {
    const io_json *name, *scale;
    if (object->kind == IO_JSON_TEXT) return add_file(r, tree, link, object) != NULL;
    if (!io_json_keys(&r->json, object, "mesh origin scale") || !io_json_need(&r->json, object, "mesh", &name))
        return false;
    robot_mesh *mesh = add_file(r, tree, link, name);
    scale = io_json_get(object, "scale");
    return mesh && robot_read_frame(r, io_json_get(object, "origin"), &mesh->origin) &&
           (!scale || io_json_numbers(&r->json, scale, 3, mesh->scale));
}

/* "mesh": a file, or null for a link without geometry; "meshes" and "shapes": lists. */
static bool read_meshes(const robot_reader *r, robot_tree *tree, const io_json *object, robot_link *link) {
    const io_json *mesh = io_json_get(object, "mesh"), *meshes = io_json_get(object, "meshes"),
                  *shapes = io_json_get(object, "shapes");
    bool none = mesh && mesh->kind == IO_JSON_NULL;
    if (mesh && !none && !add_file(r, tree, link, mesh)) return false;
    if (meshes && !io_json_list(&r->json, meshes)) return false;
    for (size_t i = 0; meshes && i < meshes->count; i++)
        if (!add_mesh(r, tree, link, &meshes->items[i])) return false;
    if (shapes && !io_json_list(&r->json, shapes)) return false;
    for (size_t i = 0; shapes && i < shapes->count; i++)
        if (!robot_read_shape(r, tree, link, &shapes->items[i])) return false;
    return link->mesh_count > 0 || none ||
           io_json_fail(&r->json, object, "link '%.100s' is empty: no mesh (\"mesh\":null for a link without geometry)",
                        link->name);
}

static bool read_link(const robot_reader *r, robot_tree *tree, const io_json *object) {
    const io_json *name, *padding;
    const char *text;
    if (!io_json_keys(&r->json, object, "name parent joint origin mesh meshes shapes padding") ||
        !io_json_need(&r->json, object, "name", &name) || !io_json_text(&r->json, name, &text))
        return false;
    robot_link *link = robot_add_link(tree, text);
    padding = io_json_get(object, "padding");
    return link && read_joint(r, io_json_get(object, "joint"), link) &&
           robot_read_frame(r, io_json_get(object, "origin"), &link->origin) &&
           (!padding || io_json_number(&r->json, padding, &link->padding)) && read_meshes(r, tree, object, link);
}

/* Parents may be listed after their children: a second round finds them. */
static bool set_parent(const robot_reader *r, robot_tree *tree, size_t i, const io_json *parent) {
    const char *name;
    if (!parent || parent->kind == IO_JSON_NULL) return true;
    if (!io_json_text(&r->json, parent, &name)) return false;
    tree->links[i].parent = robot_find_link(tree, name);
    return tree->links[i].parent >= 0 ||
           io_json_fail(&r->json, parent, "link '%.100s' has a parent that does not exist", tree->links[i].name);
}

static bool read_links(const robot_reader *r, robot_tree *tree, const io_json *links) {
    if (!io_json_list(&r->json, links)) return false;
    for (size_t i = 0; i < links->count; i++)
        if (!read_link(r, tree, &links->items[i])) return false;
    for (size_t i = 0; i < links->count; i++)
        if (!set_parent(r, tree, i, io_json_get(&links->items[i], "parent"))) return false;
    return robot_split_radii(r, tree) && robot_name_joints(tree);
}

/* ---- models ---- */

static bool read_single(const robot_reader *r, robot_tree *tree, const io_json *object) {
    if (!io_json_keys(&r->json, object, "name mesh meshes shapes origin")) return false;
    robot_link *link = robot_add_link(tree, tree->name);
    return link && robot_read_frame(r, io_json_get(object, "origin"), &link->origin) &&
           read_meshes(r, tree, object, link) && robot_split_radii(r, tree) && robot_name_joints(tree);
}

static bool list_packages(const robot_reader *r, const io_json *object, const char **names, const char **folders) {
    for (size_t i = 0; i < object->count; i++) {
        names[i] = object->items[i].key;
        if (!io_json_text(&r->json, &object->items[i], &folders[i])) return false;
    }
    return true;
}

static bool read_urdf(const robot_reader *r, robot_tree *tree, const io_json *object) {
    const io_json *urdf = io_json_get(object, "urdf"), *table = io_json_get(object, "packages");
    const char *text;
    if (!io_json_keys(&r->json, object, "name urdf srdf packages") || !io_json_text(&r->json, urdf, &text))
        return false;
    if (table && table->kind != IO_JSON_OBJECT) return io_json_fail(&r->json, table, "must be an object");
    size_t count = table ? table->count : 0;
    const char **names = robot_allocate(2 * count, sizeof *names), **folders = names + count;
    char *path = robot_path_beside(r->json.name, text);
    robot_packages packages = {r->json.name, names, folders, count};
    bool good = names && path ? !table || list_packages(r, table, names, folders) : robot_out_of_memory(r);
    good = good && robot_read_urdf(tree, path, &packages) && robot_split_radii(r, tree);
    free(path);
    free(names);
    return good;
}

static bool name_model(robot_reader *r, robot_tree *tree, const io_json *object) {
    const io_json *name;
    const char *text;
    if (object->kind != IO_JSON_OBJECT) return io_json_fail(&r->json, object, "must be an object");
    if (!io_json_need(&r->json, object, "name", &name) || !io_json_text(&r->json, name, &text)) return false;
    tree->name = robot_copy_text(text);
    robot_naming named =
        tree->name ? robot_name_add(&r->names, tree->name, (uint32_t)(tree - r->models->trees)) : ROBOT_NO_MEMORY;
    if (named == ROBOT_NAMED_TWICE) return io_json_fail(&r->json, name, "two models are called '%.100s'", text);
    return named == ROBOT_NAMED || robot_out_of_memory(r);
}

static bool read_tree(robot_reader *r, robot_tree *tree, const io_json *object) {
    const io_json *links = io_json_get(object, "links");
    bool by_file = io_json_get(object, "urdf") != NULL, good;
    *tree = (robot_tree){.file = r->json.name, .error = r->json.error};
    if (!name_model(r, tree, object) || !robot_alone(r, object, "urdf", "links mesh meshes shapes origin") ||
        !robot_alone(r, object, "links", "mesh meshes shapes origin packages"))
        return false;
    if (links)
        good = io_json_keys(&r->json, object, "name links srdf") && read_links(r, tree, links);
    else
        good = (by_file ? read_urdf : read_single)(r, tree, object);
    return good && robot_close(tree);
}

bool robot_read_trees(robot_reader *r) {
    robot_models *models = r->models;
    const io_json *list;
    if (!io_json_need(&r->json, r->json.root, "models", &list) || !io_json_list(&r->json, list)) return false;
    if (list->count == 0) return io_json_fail(&r->json, list, "is empty");
    models->trees = robot_allocate(list->count, sizeof *models->trees);
    models->first_link = robot_allocate(list->count + 1, sizeof *models->first_link);
    if (!models->trees || !models->first_link) return robot_out_of_memory(r);
    for (size_t i = 0; i < list->count; i++) {
        models->count++;
        if (!read_tree(r, &models->trees[i], &list->items[i])) return false;
        models->first_link[i + 1] = models->first_link[i] + models->trees[i].count;
    }
    return true;
}
