/* Robots from files to models of the library. */
#include "cli/robot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *cli_copy_text(const char *text) {
    char *copy = cli_allocate(strlen(text) + 1, 1);
    return strcpy(copy, text);
}

char *cli_path_beside(const char *base, const char *name) {
    const char *slash = strrchr(base, '/');
    size_t folder = name[0] != '/' && slash ? (size_t)(slash - base) + 1 : 0;
    char *path = cli_allocate(folder + strlen(name) + 1, 1);
    memcpy(path, base, folder);
    strcpy(path + folder, name);
    return path;
}

/* Room for one more of `size`, zeroed; the array moves. */
static void *grown(void *array, size_t count, size_t size) {
    char *larger = realloc(array, (count + 1) * size);
    if (!larger) cli_fail("out of memory");
    memset(larger + count * size, 0, size);
    return larger;
}

cli_robot_link *cli_robot_add(cli_robot *robot, const char *name) {
    if (cli_robot_find(robot, name) >= 0) cli_fail("%s: model '%s' has two links '%s'", robot->file, robot->name, name);
    robot->links = grown(robot->links, robot->count, sizeof *robot->links);
    cli_robot_link *link = &robot->links[robot->count++];
    link->name = cli_copy_text(name);
    link->parent = link->mimic = -1;
    link->origin.rotation[0] = 1;
    link->axis[2] = 1;
    return link;
}

cli_link_mesh *cli_robot_take_mesh(cli_robot_link *link, io_mesh mesh) {
    link->meshes = grown(link->meshes, link->mesh_count, sizeof *link->meshes);
    cli_link_mesh *added = &link->meshes[link->mesh_count++];
    *added = (cli_link_mesh){.mesh = mesh, .origin.rotation = {1, 0, 0, 0}, .scale = {1, 1, 1}};
    return added;
}

cli_link_mesh *cli_robot_add_mesh(cli_robot_link *link, const char *path) {
    io_mesh mesh;
    io_error error;
    const char *dot = strrchr(path, '.');
    if (dot && (strcmp(dot, ".dae") == 0 || strcmp(dot, ".DAE") == 0))
        mesh = cli_read_collada(path);
    else if (!io_read_mesh(path, &mesh, &error))
        cli_fail("%s", error.message);
    if (mesh.face_count == 0) cli_fail("%s: no triangles", path);
    return cli_robot_take_mesh(link, mesh);
}

int32_t cli_robot_find(const cli_robot *robot, const char *name) {
    for (size_t i = 0; i < robot->count; i++)
        if (strcmp(robot->links[i].name, name) == 0) return (int32_t)i;
    return -1;
}

int32_t cli_robot_find_joint(const cli_robot *robot, const char *name) {
    for (size_t i = 0; i < robot->count; i++) {
        const cli_robot_link *link = &robot->links[i];
        if (strcmp(link->joint ? link->joint : link->name, name) == 0) return (int32_t)i;
    }
    return -1;
}

size_t cli_joint_values(graze_joint_kind kind) {
    static const size_t values[] = {0, 1, 1, 3, 3, 6};
    return values[kind];
}

size_t cli_robot_values(const cli_robot *robot) {
    size_t values = 0;
    for (size_t i = 0; i < robot->count; i++)
        if (robot->links[i].mimic < 0) values += cli_joint_values(robot->links[i].kind);
    return values;
}

/* ---- to the library ---- */

/* Places link i after everything that carries it. */
static void place(cli_robot *robot, size_t i, unsigned char *state, uint32_t *next) {
    enum { NEW, UNDER_WAY, PLACED };
    cli_robot_link *link = &robot->links[i];
    if (state[i] == PLACED) return;
    if (state[i] == UNDER_WAY)
        cli_fail("%s: model '%s': link '%s' hangs on itself: the links form a cycle", robot->file, robot->name,
                 link->name);
    state[i] = UNDER_WAY;
    if (link->parent >= 0) place(robot, (size_t)link->parent, state, next);
    state[i] = PLACED;
    link->place = (*next)++;
}

static void check_link(const cli_robot *robot, const cli_robot_link *link) {
    const double *q = link->origin.rotation, *a = link->axis;
    bool has_axis = link->kind == GRAZE_JOINT_REVOLUTE || link->kind == GRAZE_JOINT_PRISMATIC;
    if (!isfinite(q[0] + q[1] + q[2] + q[3]) || (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0))
        cli_fail("%s: model '%s': the rotation of link '%s' is zero or not finite", robot->file, robot->name,
                 link->name);
    if (has_axis && (!isfinite(a[0] + a[1] + a[2]) || (a[0] == 0 && a[1] == 0 && a[2] == 0)))
        cli_fail("%s: model '%s': the axis of link '%s' is zero or not finite", robot->file, robot->name, link->name);
}

static graze_link_mesh mesh_of(const cli_link_mesh *mesh) {
    graze_link_mesh out = {(uint32_t)mesh->mesh.vertex_count,
                           (uint32_t)mesh->mesh.face_count,
                           (const double(*)[3])mesh->mesh.positions,
                           (const uint32_t(*)[3])mesh->mesh.faces,
                           mesh->origin,
                           {mesh->scale[0], mesh->scale[1], mesh->scale[2]}};
    return out;
}

static graze_link_mesh *meshes_of(const cli_robot_link *link) {
    graze_link_mesh *meshes = cli_allocate(link->mesh_count + 1, sizeof *meshes);
    for (size_t i = 0; i < link->mesh_count; i++) meshes[i] = mesh_of(&link->meshes[i]);
    return meshes;
}

static graze_link link_of(const cli_robot *robot, const cli_robot_link *link) {
    int32_t parent = link->parent < 0 ? -1 : (int32_t)robot->links[link->parent].place;
    return (graze_link){parent,          link->kind,       link->origin, {link->axis[0], link->axis[1], link->axis[2]},
                        meshes_of(link), link->mesh_count, link->padding};
}

static void set_first_values(cli_robot *robot) {
    size_t value = 0;
    for (uint32_t place = 0; place < robot->count; place++)
        for (size_t i = 0; i < robot->count; i++)
            if (robot->links[i].place == place) {
                robot->links[i].first_value = value;
                value += cli_joint_values(robot->links[i].kind);
            }
}

static void fail_link(graze_context *context, const cli_robot *robot) {
    graze_error error = {0};
    graze_context_last_error(context, &error);
    for (size_t i = 0; i < robot->count; i++)
        if (robot->links[i].place == error.index)
            cli_fail("%s: model '%s', link '%s': %s", robot->file, robot->name, robot->links[i].name, error.message);
    cli_fail("%s: model '%s': %s", robot->file, robot->name, error.message);
}

void cli_robot_finish(graze_context *context, cli_robot *robot) {
    if (robot->count == 0) cli_fail("%s: model '%s' has no links", robot->file, robot->name);
    unsigned char *state = cli_allocate(robot->count, 1);
    graze_link *links = cli_allocate(robot->count, sizeof *links);
    uint32_t next = 0;
    for (size_t i = 0; i < robot->count; i++) {
        check_link(robot, &robot->links[i]);
        place(robot, i, state, &next);
    }
    for (size_t i = 0; i < robot->count; i++) links[robot->links[i].place] = link_of(robot, &robot->links[i]);
    set_first_values(robot);
    if (graze_model_create(context, links, robot->count, &robot->model) != GRAZE_OK) fail_link(context, robot);
    for (size_t i = 0; i < robot->count; i++) free((void *)links[i].meshes);
    free(links);
    free(state);
}

void cli_robot_free(graze_context *context, cli_robot *robot) {
    graze_model_destroy(context, robot->model);
    for (size_t i = 0; i < robot->count; i++) {
        cli_robot_link *link = &robot->links[i];
        for (size_t k = 0; k < link->mesh_count; k++) io_free_mesh(&link->meshes[k].mesh);
        free(link->meshes);
        free(link->name);
        free(link->joint);
    }
    free(robot->links);
    free(robot->name);
}

/* ---- shapes ---- */

static io_mesh empty_mesh(size_t vertices, size_t faces) {
    io_mesh mesh = {.vertex_count = vertices, .face_count = faces};
    mesh.positions = cli_allocate(vertices, sizeof *mesh.positions);
    mesh.faces = cli_allocate(faces, sizeof *mesh.faces);
    return mesh;
}

io_mesh cli_box_mesh(const double size[3]) {
    static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    io_mesh mesh = empty_mesh(8, 12);
    memcpy(mesh.faces, faces, sizeof faces);
    for (int i = 0; i < 8; i++)
        for (int c = 0; c < 3; c++) mesh.positions[i][c] = (i >> c & 1 ? 0.5 : -0.5) * size[c];
    return mesh;
}

static void unit_middle(const double a[3], const double b[3], double out[3]) {
    double m[3] = {a[0] + b[0], a[1] + b[1], a[2] + b[2]}, length = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
    for (int c = 0; c < 3; c++) out[c] = m[c] / length;
}

/* Every triangle into four, corners on the unit sphere; corners are not shared. */
static io_mesh refine_sphere(io_mesh coarse) {
    io_mesh fine = empty_mesh(12 * coarse.face_count, 4 * coarse.face_count);
    for (size_t f = 0; f < coarse.face_count; f++) {
        double x[6][3];
        for (int k = 0; k < 3; k++) memcpy(x[k], coarse.positions[coarse.faces[f][k]], sizeof x[k]);
        for (int k = 0; k < 3; k++) unit_middle(x[k], x[(k + 1) % 3], x[3 + k]);
        static const int parts[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
        for (size_t p = 0; p < 4; p++)
            for (size_t k = 0; k < 3; k++) {
                size_t v = 12 * f + 3 * p + k;
                memcpy(fine.positions[v], x[parts[p][k]], sizeof x[0]);
                fine.faces[4 * f + p][k] = (uint32_t)v;
            }
    }
    io_free_mesh(&coarse);
    return fine;
}

/* Distance of the face's plane from the origin. */
static double plane_distance(const io_mesh *mesh, size_t f) {
    const double *a = mesh->positions[mesh->faces[f][0]], *b = mesh->positions[mesh->faces[f][1]],
                 *c = mesh->positions[mesh->faces[f][2]];
    double u[3], v[3], n[3], length = 0, along = 0;
    for (int i = 0; i < 3; i++) {
        u[i] = b[i] - a[i];
        v[i] = c[i] - a[i];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = u[j] * v[k] - u[k] * v[j];
        length += n[i] * n[i];
        along += n[i] * a[i];
    }
    return fabs(along) / sqrt(length);
}

static void scale_mesh(io_mesh *mesh, double x, double y, double z) {
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        mesh->positions[i][0] *= x;
        mesh->positions[i][1] *= y;
        mesh->positions[i][2] *= z;
    }
}

io_mesh cli_sphere_mesh(double radius) {
    io_mesh mesh = empty_mesh(6, 8);
    for (int i = 0; i < 6; i++) mesh.positions[i][i / 2] = i % 2 ? -1 : 1;
    for (uint32_t f = 0; f < 8; f++) {
        mesh.faces[f][0] = f & 1;
        mesh.faces[f][1] = 2 + (f >> 1 & 1);
        mesh.faces[f][2] = 4 + (f >> 2 & 1);
    }
    for (int level = 0; level < 4; level++) mesh = refine_sphere(mesh);
    double least = 1;
    for (size_t f = 0; f < mesh.face_count; f++) least = fmin(least, plane_distance(&mesh, f));
    double size = radius / least * (1 + 1e-12); /* every plane is then outside the sphere */
    scale_mesh(&mesh, size, size, size);
    return mesh;
}

enum { SIDES = 64 };

/* Corners of a regular polygon around the unit circle, by halving right angles. */
static void circle_corners(double corners[SIDES][3]) {
    for (int i = 0; i < 4; i++) {
        double *x = corners[i * (SIDES / 4)];
        x[0] = i == 0 ? 1 : i == 2 ? -1 : 0;
        x[1] = i == 1 ? 1 : i == 3 ? -1 : 0;
        x[2] = 0;
    }
    for (int step = SIDES / 4; step > 1; step /= 2)
        for (int i = 0; i < SIDES; i += step)
            unit_middle(corners[i], corners[(i + step) % SIDES], corners[i + step / 2]);
    double middle[3] = {0.5 * (corners[0][0] + corners[1][0]), 0.5 * (corners[0][1] + corners[1][1]), 0};
    double least = sqrt(middle[0] * middle[0] + middle[1] * middle[1]) * (1 - 1e-12);
    for (int i = 0; i < SIDES; i++)
        for (int c = 0; c < 2; c++) corners[i][c] /= least;
}

io_mesh cli_cylinder_mesh(double radius, double length) {
    double corners[SIDES][3];
    circle_corners(corners);
    io_mesh mesh = empty_mesh(2 * SIDES + 2, 4 * SIDES);
    for (uint32_t i = 0; i < SIDES; i++)
        for (uint32_t end = 0; end < 2; end++) {
            uint32_t next = (i + 1) % SIDES, at = end * SIDES, centre = 2 * SIDES + end;
            memcpy(mesh.positions[at + i], corners[i], sizeof corners[i]);
            mesh.positions[at + i][2] = mesh.positions[centre][2] = end ? 0.5 : -0.5;
            uint32_t cap[3] = {centre, at + i, at + next}, wall[3] = {i + at, next + at, end ? i : next + SIDES};
            memcpy(mesh.faces[4 * i + 2 * end], cap, sizeof cap);
            memcpy(mesh.faces[4 * i + 2 * end + 1], wall, sizeof wall);
        }
    scale_mesh(&mesh, radius, radius, length);
    return mesh;
}
