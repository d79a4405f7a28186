#include "robot/world_file.h"

#include "io/file.h"
#include "io/json_reader.h"
#include "robot/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct world_reader {
    io_json_file json;
    robot_world *world;
    robot_names names;
} world_reader;

static bool out_of_memory(const world_reader *r) { return io_fail(r->json.error, r->json.name, 0, "out of memory"); }

/* ---- meshes ---- */

/* The path that a file's name leads to; NULL with the error set. */
static char *path_of(const world_reader *r, const io_json *value) {
    const char *name;
    if (!io_json_text(&r->json, value, &name)) return NULL;
    char *path = robot_path_beside(r->json.name, name);
    if (!path) out_of_memory(r);
    return path;
}

/* Reports the error of a file that this one names, behind the place that names it. */
static bool fail_file(const world_reader *r, const io_json *value, const io_error *why) {
    return io_json_fail(&r->json, value, "%s", why->message);
}

static bool read_mesh(const world_reader *r, const io_json *value, io_mesh *mesh) {
    io_error why;
    char *path = path_of(r, value);
    if (!path) return false;
    bool good = io_read_regular_mesh(path, mesh, &why);
    free(path);
    return good || fail_file(r, value, &why);
}

static bool read_pair(const world_reader *r, const io_json *mesh, const io_json *to, robot_world_body *body) {
    io_error why;
    char *path_a = path_of(r, mesh), *path_b = path_a ? path_of(r, to) : NULL;
    bool good = path_b && io_read_mesh_pair(path_a, path_b, &body->meshes[0], &body->meshes[1], &why);
    if (path_b && !good) fail_file(r, to, &why);
    if (good) body->mesh_count = 2;
    free(path_a);
    free(path_b);
    return good;
}

static bool has_lists_of(const io_mesh *a, const io_mesh *b) {
    return a->vertex_count == b->vertex_count && a->face_count == b->face_count && a->edge_count == b->edge_count &&
           (a->face_count == 0 || memcmp(a->faces, b->faces, a->face_count * sizeof *a->faces) == 0) &&
           (a->edge_count == 0 || memcmp(a->edges, b->edges, a->edge_count * sizeof *a->edges) == 0);
}

/* ---- motions ---- */

static bool read_matrix(const world_reader *r, const io_json *value, double m[3][4]) {
    if (!io_json_list(&r->json, value)) return false;
    if (value->count != 3) return io_json_fail(&r->json, value, "must be three rows of four numbers");
    for (int i = 0; i < 3; i++)
        if (!io_json_numbers(&r->json, &value->items[i], 4, m[i])) return false;
    return true;
}

static bool read_affine(const world_reader *r, const io_json *motion, robot_world_body *body) {
    const io_json *from, *to;
    body->kind = GRAZE_BODY_AFFINE;
    return io_json_keys(&r->json, motion, "kind from to") && io_json_need(&r->json, motion, "from", &from) &&
           io_json_need(&r->json, motion, "to", &to) && read_matrix(r, from, body->motion.matrix0) &&
           read_matrix(r, to, body->motion.matrix1);
}

static bool read_path(const world_reader *r, const io_json *value, graze_pose_path *path) {
    static const char *const names[] = {"turn", "screw", "rotvec"};
    const char *name;
    *path = GRAZE_PATH_TURN;
    if (!value) return true;
    if (!io_json_text(&r->json, value, &name)) return false;
    for (int i = 0; i < 3; i++)
        if (strcmp(name, names[i]) == 0) {
            *path = (graze_pose_path)i;
            return true;
        }
    return io_json_fail(&r->json, value, "no path is called '%.60s' (turn, screw, rotvec)", name);
}

static bool read_pose(const world_reader *r, const io_json *object, graze_pose_path path, graze_frame *pose,
                      double rotvec[3]) {
    bool turns = path == GRAZE_PATH_ROTVEC;
    if (!io_json_keys(&r->json, object, turns ? "position rotvec" : "position rotation")) return false;
    const io_json *position = io_json_get(object, "position"), *rotation = io_json_get(object, "rotation");
    const io_json *vector = io_json_get(object, "rotvec");
    const double *q = pose->rotation;
    if (position && !io_json_numbers(&r->json, position, 3, pose->position)) return false;
    if (vector && !io_json_numbers(&r->json, vector, 3, rotvec)) return false;
    if (rotation && !io_json_numbers(&r->json, rotation, 4, pose->rotation)) return false;
    return q[0] != 0 || q[1] != 0 || q[2] != 0 || q[3] != 0 || io_json_fail(&r->json, rotation, "the rotation is zero");
}

static bool read_rigid(const world_reader *r, const io_json *motion, robot_world_body *body) {
    const io_json *from, *to;
    graze_body_motion *m = &body->motion;
    body->kind = GRAZE_BODY_RIGID;
    return io_json_keys(&r->json, motion, "kind path from to") && io_json_need(&r->json, motion, "from", &from) &&
           io_json_need(&r->json, motion, "to", &to) && read_path(r, io_json_get(motion, "path"), &m->path) &&
           read_pose(r, from, m->path, &m->pose0, m->rotvec0) && read_pose(r, to, m->path, &m->pose1, m->rotvec1);
}

/* The mesh itself gives faces and edges; its positions are not read. */
static bool read_cubic(const world_reader *r, const io_json *motion, robot_world_body *body) {
    const io_json *control;
    io_mesh lists = body->meshes[0];
    bool good = io_json_keys(&r->json, motion, "kind control") && io_json_need(&r->json, motion, "control", &control) &&
                io_json_list(&r->json, control);
    body->kind = GRAZE_BODY_CUBIC;
    body->mesh_count = 0;
    if (good && control->count != 4) good = io_json_fail(&r->json, control, "must be four files");
    for (size_t k = 0; good && k < 4; k++) {
        good = read_mesh(r, &control->items[k], &body->meshes[k]);
        if (!good) break;
        body->mesh_count = k + 1;
        if (!has_lists_of(&lists, &body->meshes[k]))
            good = io_json_fail(&r->json, &control->items[k], "has other vertices, faces or edges than \"mesh\"");
    }
    io_free_mesh(&lists);
    return good;
}

static bool read_motion(const world_reader *r, const io_json *motion, robot_world_body *body) {
    const io_json *value;
    const char *kind;
    if (motion->kind != IO_JSON_OBJECT) return io_json_fail(&r->json, motion, "must be an object");
    if (!io_json_need(&r->json, motion, "kind", &value) || !io_json_text(&r->json, value, &kind)) return false;
    if (strcmp(kind, "rigid") == 0) return read_rigid(r, motion, body);
    if (strcmp(kind, "affine") == 0) return read_affine(r, motion, body);
    if (strcmp(kind, "cubic") == 0) return read_cubic(r, motion, body);
    return io_json_fail(&r->json, value, "no motion is called '%.60s' (rigid, affine, cubic)", kind);
}

/* ---- bodies ---- */

static bool read_model(const world_reader *r, const io_json *value, robot_world_body *body) {
    io_error why;
    body->model_path = path_of(r, value);
    if (!body->model_path) return false;
    body->kind = GRAZE_BODY_MODEL;
    if (!robot_read_models(body->model_path, &body->models, &why)) return fail_file(r, value, &why);
    body->models.error = NULL;
    if (body->models.count != 1)
        return io_json_fail(&r->json, value, "%s has %zu models; a body is one model", body->model_path,
                            body->models.count);
    if (body->models.segments > 1)
        return io_json_fail(&r->json, value, "%s has a path of %zu segments; a step is one segment", body->model_path,
                            body->models.segments);
    return true;
}

static bool read_shape(const world_reader *r, const io_json *object, robot_world_body *body) {
    const io_json *mesh, *to = io_json_get(object, "to"), *motion = io_json_get(object, "motion");
    const io_json *model = io_json_get(object, "model");
    if (model && (io_json_get(object, "mesh") || to || motion))
        return io_json_fail(&r->json, model, "stands beside \"mesh\", \"to\" or \"motion\": one of them, not both");
    if (model) return read_model(r, model, body);
    if (!io_json_need(&r->json, object, "mesh", &mesh)) return false;
    if (to && motion) return io_json_fail(&r->json, to, "stands beside \"motion\": one of them, not both");
    body->kind = to ? GRAZE_BODY_STRAIGHT : GRAZE_BODY_STATIC;
    if (to) return read_pair(r, mesh, to, body);
    if (!read_mesh(r, mesh, &body->meshes[0])) return false;
    body->mesh_count = 1;
    return !motion || read_motion(r, motion, body);
}

static bool read_length(const world_reader *r, const io_json *value, double *x) {
    if (!value) return true;
    return io_json_number(&r->json, value, x) && (*x >= 0 || io_json_fail(&r->json, value, "is negative"));
}

static bool read_name(world_reader *r, const io_json *object, size_t index, robot_world_body *body) {
    const io_json *value;
    const char *name;
    if (!io_json_need(&r->json, object, "name", &value) || !io_json_text(&r->json, value, &name)) return false;
    body->name = robot_copy_text(name);
    if (!body->name) return out_of_memory(r);
    robot_naming naming = robot_name_add(&r->names, body->name, (uint32_t)index);
    if (naming == ROBOT_NO_MEMORY) return out_of_memory(r);
    return naming == ROBOT_NAMED || io_json_fail(&r->json, value, "another body is called '%.100s'", name);
}

static bool read_body(world_reader *r, const io_json *object, size_t index) {
    robot_world_body *body = &r->world->bodies[index];
    body->motion = graze_default_body_motion();
    body->motion.body = (uint32_t)index;
    return io_json_keys(&r->json, object, "name mesh to motion model padding") && read_name(r, object, index, body) &&
           read_shape(r, object, body) && read_length(r, io_json_get(object, "padding"), &body->padding);
}

static bool read_all(world_reader *r) {
    const io_json *bodies;
    if (!io_json_keys(&r->json, r->json.root, "bodies separation") ||
        !io_json_need(&r->json, r->json.root, "bodies", &bodies) || !io_json_list(&r->json, bodies))
        return false;
    if (bodies->count == 0) return io_json_fail(&r->json, bodies, "has no body");
    r->world->bodies = robot_allocate(bodies->count, sizeof *r->world->bodies);
    if (!r->world->bodies) return out_of_memory(r);
    for (size_t i = 0; i < bodies->count; i++) {
        r->world->count = i + 1;
        if (!read_body(r, &bodies->items[i], i)) return false;
    }
    return read_length(r, io_json_get(r->json.root, "separation"), &r->world->separation);
}

bool robot_parse_world(io_source source, robot_world *world, io_error *error) {
    *world = (robot_world){.path = source.name};
    world_reader reader = {.world = world};
    if (!io_json_parse(source, &reader.json, error)) return false;
    bool good = read_all(&reader);
    robot_names_free(&reader.names);
    io_json_free(&reader.json);
    if (!good) robot_free_world(world);
    return good;
}

bool robot_read_world(const char *path, robot_world *world, io_error *error) {
    char *bytes;
    size_t size;
    *world = (robot_world){0};
    if (!io_read_file(path, &bytes, &size, error)) return false;
    bool good = robot_parse_world((io_source){path, bytes, size}, world, error);
    free(bytes);
    return good;
}

void robot_free_world(robot_world *world) {
    for (size_t i = 0; i < world->count; i++) {
        robot_world_body *body = &world->bodies[i];
        for (size_t k = 0; k < body->mesh_count; k++) io_free_mesh(&body->meshes[k]);
        if (body->models.trees) robot_free_models(&body->models);
        free(body->name);
        free(body->model_path);
    }
    free(world->bodies);
    *world = (robot_world){0};
}
