#include "robot/tree.h"

#include "io/text.h"
#include "robot/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool robot_fail(const robot_tree *tree, const char *format, ...) {
    char reason[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return io_fail(tree->error, tree->file, 0, "model '%.100s'%s", tree->name, reason);
}

static void *no_memory(const robot_tree *tree) {
    io_fail(tree->error, tree->file, 0, "out of memory");
    return NULL;
}

/* ---- links ---- */

static bool set_name(robot_tree *tree, robot_link *link, const char *name) {
    link->name = robot_copy_text(name);
    robot_naming named =
        link->name ? robot_name_add(&tree->link_names, link->name, (uint32_t)tree->count) : ROBOT_NO_MEMORY;
    if (named == ROBOT_NAMED) return true;
    if (named == ROBOT_NO_MEMORY) no_memory(tree);
    if (named == ROBOT_NAMED_TWICE) robot_fail(tree, " has two links '%.100s'", name);
    free(link->name);
    return false;
}

robot_link *robot_add_link(robot_tree *tree, const char *name) {
    if (tree->count == ROBOT_MOST_LINKS) return robot_fail(tree, ": more than %zu links", ROBOT_MOST_LINKS), NULL;
    robot_link *links = robot_grown(tree->links, &tree->room, tree->count, sizeof *links);
    if (!links) return no_memory(tree);
    tree->links = links;
    robot_link *link = &links[tree->count];
    if (!set_name(tree, link, name)) return NULL;
    link->parent = link->mimic = link->owner = -1;
    link->origin.rotation[0] = 1;
    link->axis[2] = 1;
    link->limits[0] = link->soft_limits[0] = -INFINITY;
    link->limits[1] = link->soft_limits[1] = link->velocity = INFINITY;
    tree->count++;
    return link;
}

robot_link *robot_add_part(robot_tree *tree, int32_t link) {
    int32_t owner = tree->links[link].owner >= 0 ? tree->links[link].owner : link;
    char name[300];
    snprintf(name, sizeof name, "%.200s (radius %zu)", tree->links[owner].name, tree->count);
    robot_link *part = robot_add_link(tree, name);
    if (!part) return NULL;
    part->parent = part->owner = owner;
    part->padding = tree->links[link].padding;
    return part;
}

int32_t robot_find_link(const robot_tree *tree, const char *name) {
    return (int32_t)robot_name_find(&tree->link_names, name);
}

int32_t robot_find_joint(const robot_tree *tree, const char *name) {
    return (int32_t)robot_name_find(&tree->joint_names, name);
}

bool robot_name_joints(robot_tree *tree) {
    for (int own = 1; own >= 0; own--) /* a joint without a name of its own comes behind all that have one */
        for (size_t i = 0; i < tree->count; i++) {
            const robot_link *link = &tree->links[i];
            if ((link->joint != NULL) != own) continue;
            robot_naming named = robot_name_add(&tree->joint_names, own ? link->joint : link->name, (uint32_t)i);
            if (named == ROBOT_NO_MEMORY) return no_memory(tree) != NULL;
            if (named == ROBOT_NAMED_TWICE && own) return robot_fail(tree, " has two joints '%.100s'", link->joint);
        }
    return true;
}

/* ---- meshes ---- */

static bool is_collada(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ".dae") == 0;
}

robot_mesh *robot_take_mesh(robot_tree *tree, robot_link *link, io_mesh mesh) {
    tree->vertices += mesh.vertex_count;
    robot_mesh *meshes = robot_grown(link->meshes, &link->mesh_room, link->mesh_count, sizeof *meshes);
    if (!meshes || tree->vertices > ROBOT_MOST_VERTICES) {
        if (meshes) link->meshes = meshes;
        io_free_mesh(&mesh);
        if (!meshes) return no_memory(tree);
        return robot_fail(tree, ": more than %zu vertices", ROBOT_MOST_VERTICES), NULL;
    }
    link->meshes = meshes;
    robot_mesh *added = &meshes[link->mesh_count++];
    *added = (robot_mesh){.mesh = mesh, .origin.rotation = {1, 0, 0, 0}, .scale = {1, 1, 1}};
    return added;
}

robot_mesh *robot_add_mesh(robot_tree *tree, robot_link *link, const char *path) {
    io_mesh mesh;
    if (!(is_collada(path) ? robot_read_collada : io_read_regular_mesh)(path, &mesh, tree->error)) return NULL;
    if (mesh.face_count > 0) return robot_take_mesh(tree, link, mesh);
    io_free_mesh(&mesh);
    io_fail(tree->error, path, 0, "no triangles");
    return NULL;
}

/* ---- values ---- */

size_t robot_joint_values(graze_joint_kind kind) {
    static const size_t values[] = {0, 1, 1, 3, 3, 6};
    return values[kind];
}

void robot_fill_mimics(const robot_tree *tree, double *values) {
    for (size_t i = 0; i < tree->count; i++) {
        const robot_link *link = &tree->links[i];
        if (link->mimic < 0 || robot_joint_values(link->kind) != 1) continue;
        values[link->first_value] = link->multiplier * values[tree->links[link->mimic].first_value] + link->offset;
    }
}

static void count_values(robot_tree *tree) {
    for (size_t place = 0; place < tree->count; place++) {
        robot_link *link = &tree->links[tree->order[place]];
        link->first_value = tree->values;
        tree->values += robot_joint_values(link->kind);
        if (link->mimic < 0) tree->given += robot_joint_values(link->kind);
    }
}

/* ---- order ---- */

static bool check_link(const robot_tree *tree, const robot_link *link) {
    const double *q = link->origin.rotation, *a = link->axis;
    bool has_axis = link->kind == GRAZE_JOINT_REVOLUTE || link->kind == GRAZE_JOINT_PRISMATIC;
    if (!isfinite(q[0] + q[1] + q[2] + q[3]) || (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0))
        return robot_fail(tree, ": the rotation of link '%.100s' is zero or not finite", link->name);
    if (has_axis && (!isfinite(a[0] + a[1] + a[2]) || (a[0] == 0 && a[1] == 0 && a[2] == 0)))
        return robot_fail(tree, ": the axis of link '%.100s' is zero or not finite", link->name);
    return true;
}

enum { NEW, UNDER_WAY, PLACED };

/* Places link i after everything that carries it: up to the first that is placed, then down again. */
static bool place(robot_tree *tree, size_t i, unsigned char *state, uint32_t *way, uint32_t *next) {
    size_t steps = 0;
    for (int64_t at = (int64_t)i; at >= 0 && state[at] != PLACED; at = tree->links[at].parent) {
        if (state[at] == UNDER_WAY)
            return robot_fail(tree, ": link '%.100s' hangs on itself: the links form a cycle", tree->links[at].name);
        state[at] = UNDER_WAY;
        way[steps++] = (uint32_t)at;
    }
    while (steps > 0) {
        uint32_t at = way[--steps];
        state[at] = PLACED;
        tree->order[*next] = at;
        tree->links[at].place = (*next)++;
    }
    return true;
}

static bool place_all(robot_tree *tree, unsigned char *state, uint32_t *way) {
    uint32_t next = 0;
    for (size_t i = 0; i < tree->count; i++)
        if (!check_link(tree, &tree->links[i]) || !place(tree, i, state, way, &next)) return false;
    return true;
}

bool robot_close(robot_tree *tree) {
    if (tree->count == 0) return robot_fail(tree, " has no links");
    unsigned char *state = robot_allocate(tree->count, 1);
    uint32_t *way = robot_allocate(tree->count, sizeof *way);
    tree->order = robot_allocate(tree->count, sizeof *tree->order);
    bool good = state && way && tree->order ? place_all(tree, state, way) : no_memory(tree) != NULL;
    free(way);
    free(state);
    if (good) count_values(tree);
    return good;
}

void robot_free_tree(robot_tree *tree) {
    for (size_t i = 0; i < tree->count; i++) {
        robot_link *link = &tree->links[i];
        for (size_t k = 0; k < link->mesh_count; k++) io_free_mesh(&link->meshes[k].mesh);
        free(link->meshes);
        free(link->name);
        free(link->joint);
    }
    robot_names_free(&tree->link_names);
    robot_names_free(&tree->joint_names);
    free(tree->links);
    free(tree->order);
    free(tree->name);
    *tree = (robot_tree){0};
}

/* ---- to the library ---- */

static graze_link_mesh mesh_of(const robot_mesh *mesh) {
    graze_link_mesh made = graze_default_link_mesh();
    made.vertex_count = (uint32_t)mesh->mesh.vertex_count;
    made.face_count = (uint32_t)mesh->mesh.face_count;
    made.vertices = (const double(*)[3])mesh->mesh.positions;
    made.faces = (const uint32_t(*)[3])mesh->mesh.faces;
    made.origin = mesh->origin;
    memcpy(made.scale, mesh->scale, sizeof made.scale);
    made.radius = mesh->radius;
    return made;
}

static graze_link link_of(const robot_tree *tree, const robot_link *link, const graze_link_mesh *meshes) {
    graze_link made = graze_default_link();
    if (link->parent >= 0) made.parent = (int32_t)tree->links[link->parent].place;
    made.joint = link->kind;
    made.origin = link->origin;
    memcpy(made.axis, link->axis, sizeof made.axis);
    made.meshes = meshes;
    made.mesh_count = link->mesh_count;
    made.padding = link->padding;
    return made;
}

graze_link *robot_library_links(const robot_tree *tree) {
    size_t meshes = 0;
    for (size_t i = 0; i < tree->count; i++) meshes += tree->links[i].mesh_count;
    graze_link *links = malloc(tree->count * sizeof *links + meshes * sizeof(graze_link_mesh));
    if (!links) return NULL;
    graze_link_mesh *next = (graze_link_mesh *)(links + tree->count);
    for (size_t place = 0; place < tree->count; place++) {
        const robot_link *link = &tree->links[tree->order[place]];
        links[place] = link_of(tree, link, next);
        for (size_t k = 0; k < link->mesh_count; k++) *next++ = mesh_of(&link->meshes[k]);
    }
    return links;
}
