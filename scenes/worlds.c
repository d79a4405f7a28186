#include "scenes/worlds.h"

#include "scenes/random.h"

#include <stdlib.h>
#include <string.h>

enum { RINGS = 9 }; /* vertices around half of a seal */

#define EDGE 0.1      /* of a part in the bin: half of its longest side */
#define GRIP 0.25     /* half of the width that is held; fingers are narrower */
#define FINGER 0.02   /* from the cloth to a finger */
#define STEP_TAN 0.03 /* tangent of half of the angle that the gripper turns by in one frame */

/* ---- shapes ---- */

static bool make_box(scene_mesh *mesh, const double half[3]) {
    static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                          {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    if (!scene_mesh_allocate(mesh, 8, 12)) return false;
    memcpy(mesh->faces, faces, sizeof faces);
    for (int i = 0; i < 8; i++)
        for (int c = 0; c < 3; c++) mesh->positions[i][c] = i >> c & 1 ? half[c] : -half[c];
    return true;
}

/* Rows of `columns` vertices, faces between them. */
static bool make_grid(scene_mesh *mesh, uint32_t rows, uint32_t columns) {
    if (!scene_mesh_allocate(mesh, (size_t)rows * columns, (size_t)2 * (rows - 1) * (columns - 1))) return false;
    uint32_t(*face)[3] = mesh->faces;
    for (uint32_t i = 0; i + 1 < rows; i++)
        for (uint32_t j = 0; j + 1 < columns; j++) {
            uint32_t a = i * columns + j, b = a + 1, c = a + columns, d = c + 1;
            uint32_t two[2][3] = {{a, c, b}, {b, c, d}};
            memcpy(face, two, sizeof two);
            face += 2;
        }
    return true;
}

/* Open at the top: a floor and four walls, each of two triangles. */
static bool make_bin(scene_mesh *mesh, double side, double height) {
    static const uint32_t corners[5][4] = {{0, 1, 3, 2}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
    if (!scene_mesh_allocate(mesh, 8, 10)) return false;
    for (int i = 0; i < 8; i++) {
        mesh->positions[i][0] = i & 1 ? side : -side;
        mesh->positions[i][1] = i & 2 ? side : -side;
        mesh->positions[i][2] = i & 4 ? height : 0;
    }
    for (int i = 0; i < 5; i++) {
        const uint32_t *q = corners[i], two[2][3] = {{q[0], q[1], q[2]}, {q[0], q[2], q[3]}};
        memcpy(mesh->faces[2 * i], two, sizeof two);
    }
    return true;
}

/* ---- bodies ---- */

static bool make_bodies(scene_world *world, size_t count) {
    world->bodies = calloc(count, sizeof *world->bodies);
    world->count = world->bodies ? count : 0;
    for (size_t i = 0; i < world->count; i++) world->bodies[i].pose.rotation[0] = 1;
    return world->bodies;
}

static void set_body(scene_world *world, size_t i, const char *name, graze_body_kind kind, const scene_mesh *mesh) {
    scene_body *body = &world->bodies[i];
    body->name = name;
    body->kind = kind;
    body->mesh = mesh;
    body->yields = kind == GRAZE_BODY_STRAIGHT;
}

static bool make_wanted(scene_world *world, const scene_mesh *mesh) {
    world->wanted = calloc(mesh->vertex_count, sizeof *world->wanted);
    return world->wanted;
}

/* The shorter turn whose half has this tangent, after the rotation q. */
static void turn_by(const double spin[3], const double q[4], double to[4]) {
    double w = 1, made[4] = {w * q[0], w * q[1], w * q[2], w * q[3]};
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        made[0] -= spin[c] * q[1 + c];
        made[1 + c] += spin[c] * q[0] + spin[i] * q[1 + j] - spin[j] * q[1 + i];
    }
    double most = 0;
    for (int c = 0; c < 4; c++) most = made[c] > most ? made[c] : -made[c] > most ? -made[c] : most;
    for (int c = 0; c < 4; c++) to[c] = made[c] / most;
}

/* ---- a gripper folds a cloth ---- */

static bool is_held(const double x[3]) { return x[0] > 0.89 && x[1] < GRIP && x[1] > -GRIP; }

static bool make_cloth(scene_world *world, uint32_t cells) {
    scene_mesh *cloth = &world->meshes[0];
    if (!make_grid(cloth, cells + 1, cells + 1)) return false;
    for (size_t v = 0; v < cloth->vertex_count; v++) {
        cloth->positions[v][0] = -1 + 2 * (double)(v / (cells + 1)) / cells;
        cloth->positions[v][1] = -1 + 2 * (double)(v % (cells + 1)) / cells;
        cloth->positions[v][2] = 0.1;
    }
    if (!scene_springs_from_mesh(&world->springs, cloth, cloth->vertex_count)) return false;
    for (size_t v = 0; v < cloth->vertex_count; v++) world->springs.pinned[v] = is_held(cloth->positions[v]);
    return make_wanted(world, cloth);
}

static bool make_gripper(scene_world *world, uint32_t size) {
    const double finger[3] = {0.02, 0.6 * GRIP, 0.01}, table[3] = {3, 3, 0.01};
    world->frames = 40;
    world->separation = 1e-3;
    if (!make_bodies(world, 4) || !make_cloth(world, size ? size : 20)) return false;
    if (!make_box(&world->meshes[1], finger) || !make_box(&world->meshes[2], table)) return false;
    set_body(world, 0, "cloth", GRAZE_BODY_STRAIGHT, &world->meshes[0]);
    set_body(world, 1, "upper finger", GRAZE_BODY_RIGID, &world->meshes[1]);
    set_body(world, 2, "lower finger", GRAZE_BODY_RIGID, &world->meshes[1]);
    set_body(world, 3, "table", GRAZE_BODY_STATIC, &world->meshes[2]);
    for (int i = 1; i < 3; i++) {
        world->bodies[i].pose.position[0] = 0.96;
        world->bodies[i].pose.position[2] = 0.1 + (i == 1 ? 1 : -1) * (FINGER + finger[2]);
        world->bodies[i].spin[1] = -STEP_TAN;
    }
    return true;
}

/* About the line x = 0.1, z = 0.1 along y. */
static void carry(const scene_rotation *turn, double x[3]) {
    x[0] -= 0.1;
    x[2] -= 0.1;
    scene_rotate(turn, x);
    x[0] += 0.1;
    x[2] += 0.1;
}

/* Three frames of hanging, and then the fold. */
static void want_gripper(scene_world *world, uint32_t frame, graze_body_motion *motions) {
    const scene_mesh *cloth = &world->meshes[0];
    const double none[3] = {0, 0, 0}, gravity[3] = {0, 0, -0.002};
    scene_rotation turn = scene_rotation_about(frame < 3 ? none : world->bodies[1].spin);
    double(*x)[3] = malloc(cloth->vertex_count * sizeof *x);
    if (!x) abort();
    memcpy(x, cloth->positions, cloth->vertex_count * sizeof *x);
    world->springs.x = x;
    scene_springs_move(&world->springs, gravity, 0.9);
    for (size_t v = 0; v < cloth->vertex_count; v++)
        if (world->springs.pinned[v]) carry(&turn, x[v]);
    for (int i = 0; i < 10; i++) scene_springs_relax(&world->springs);
    for (size_t v = 0; v < cloth->vertex_count; v++) {
        memcpy(world->wanted[v][0], cloth->positions[v], sizeof *x);
        memcpy(world->wanted[v][3], x[v], sizeof *x);
    }
    free(x);
    for (int i = 1; i < 3 && frame >= 3; i++) {
        carry(&turn, motions[i].pose1.position);
        turn_by(world->bodies[i].spin, world->bodies[i].pose.rotation, motions[i].pose1.rotation);
    }
}

/* ---- parts tumble in a bin ---- */

static void place_part(scene_world *world, size_t i, uint32_t side, scene_random *random) {
    scene_body *body = &world->bodies[i];
    size_t at[3] = {(i - 1) % side, (i - 1) / side % side, (i - 1) / side / side};
    set_body(world, i, "part", GRAZE_BODY_RIGID, &world->meshes[1 + i % 3]);
    body->yields = true;
    for (int c = 0; c < 3; c++) {
        body->pose.position[c] = 4 * EDGE * ((double)at[c] - (c < 2 ? 0.5 * (side - 1) : -1));
        body->speed[c] = scene_random_between(random, -0.3, 0.3) * EDGE;
        body->spin[c] = scene_random_between(random, -0.1, 0.1);
    }
    for (int c = 0; c < 4; c++) body->pose.rotation[c] = scene_random_between(random, c ? -0.5 : 0.5, c ? 0.5 : 1);
}

static bool make_parts(scene_world *world, uint32_t size) {
    static const double halves[3][3] = {{1, 0.6, 0.4}, {0.8, 0.8, 0.3}, {1, 0.35, 0.35}};
    uint32_t count = size ? size : 1000, side = 1;
    scene_random random = {7};
    while (side * side * side < count) side++;
    world->frames = 12;
    world->separation = 1e-3 * EDGE;
    if (!make_bodies(world, (size_t)count + 1)) return false;
    if (!make_bin(&world->meshes[0], 2 * EDGE * (side + 1), 4 * EDGE * (side + 2))) return false;
    for (int k = 0; k < 3; k++) {
        double half[3];
        for (int c = 0; c < 3; c++) half[c] = EDGE * halves[k][c];
        if (!make_box(&world->meshes[1 + k], half)) return false;
    }
    set_body(world, 0, "bin", GRAZE_BODY_STATIC, &world->meshes[0]);
    for (size_t i = 1; i <= count; i++) place_part(world, i, side, &random);
    return true;
}

static void want_parts(scene_world *world, uint32_t frame, graze_body_motion *motions) {
    (void)frame;
    for (size_t i = 1; i < world->count; i++) {
        scene_body *body = &world->bodies[i];
        body->speed[2] -= 0.1 * EDGE;
        for (int c = 0; c < 3; c++) motions[i].pose1.position[c] += body->speed[c];
        turn_by(body->spin, body->pose.rotation, motions[i].pose1.rotation);
    }
}

/* ---- a door closes on its seal ---- */

/* Half of a tube along x, on a jamb at z = 0. */
static void shape_seal(scene_mesh *seal, uint32_t cells) {
    static const double circle[RINGS][2] = {{-1, 0},      {-0.92, 0.38}, {-0.7, 0.71}, {-0.38, 0.92}, {0, 1},
                                            {0.38, 0.92}, {0.7, 0.71},   {0.92, 0.38}, {1, 0}};
    for (size_t v = 0; v < seal->vertex_count; v++) {
        seal->positions[v][0] = -1 + 2 * (double)(v / RINGS) / cells;
        seal->positions[v][1] = 0.1 * circle[v % RINGS][0];
        seal->positions[v][2] = 0.01 + 0.1 * circle[v % RINGS][1];
    }
}

static bool make_seal(scene_world *world, uint32_t size) {
    const double panel[3] = {1.1, 0.35, 0.025}, jamb[3] = {1.2, 0.3, 0.005};
    uint32_t cells = size ? size : 60;
    world->frames = 1;
    world->separation = 1e-3;
    if (!make_bodies(world, 3) || !make_grid(&world->meshes[0], cells + 1, RINGS)) return false;
    shape_seal(&world->meshes[0], cells);
    if (!make_box(&world->meshes[1], panel) || !make_box(&world->meshes[2], jamb)) return false;
    set_body(world, 0, "seal", GRAZE_BODY_CUBIC, &world->meshes[0]);
    set_body(world, 1, "door", GRAZE_BODY_RIGID, &world->meshes[1]);
    set_body(world, 2, "jamb", GRAZE_BODY_STATIC, &world->meshes[2]);
    scene_mesh *door = &world->meshes[1];
    for (size_t v = 0; v < door->vertex_count; v++) door->positions[v][1] += 0.4; /* from its hinge */
    world->bodies[1].pose = (graze_frame){{0, -0.4, 0.105}, {1, 0.36, 0, 0}};
    return make_wanted(world, &world->meshes[0]);
}

/* The door turns about its hinge; the seal gives way on a curve, slowly at first and at the end. */
static void want_seal(scene_world *world, uint32_t frame, graze_body_motion *motions) {
    (void)frame;
    const scene_mesh *seal = &world->meshes[0];
    motions[1].pose1.rotation[1] = 0;
    for (size_t v = 0; v < seal->vertex_count; v++) {
        const double *x = seal->positions[v];
        double low[3] = {x[0], 1.3 * x[1], 0.01 + 0.5 * (x[2] - 0.01)};
        for (int k = 0; k < 4; k++) memcpy(world->wanted[v][k], k < 2 ? x : low, sizeof low);
    }
}

/* ---- any world ---- */

typedef struct world_kind {
    const char *name, *summary;
    bool (*make)(scene_world *world, uint32_t size);
    void (*want)(scene_world *world, uint32_t frame, graze_body_motion *motions);
} world_kind;

static const world_kind kinds[] = {
    {"gripper", "two fingers fold a cloth that lies on a table", make_gripper, want_gripper},
    {"bin", "parts tumble into a bin", make_parts, want_parts},
    {"seal", "a car door closes on its seal", make_seal, want_seal},
};
#define KINDS (sizeof kinds / sizeof *kinds)

static const world_kind *find(const char *name) {
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
    return NULL;
}

const char *scene_world_name(size_t index) { return index < KINDS ? kinds[index].name : NULL; }

scene_world *scene_world_make(const char *name, uint32_t size) {
    const world_kind *kind = find(name);
    scene_world *world = kind ? calloc(1, sizeof *world) : NULL;
    if (!world) return NULL;
    world->name = kind->name;
    world->summary = kind->summary;
    if (kind->make(world, size)) return world;
    scene_world_free(world);
    return NULL;
}

void scene_world_free(scene_world *world) {
    if (!world) return;
    scene_springs_free(&world->springs);
    for (int i = 0; i < 4; i++) scene_mesh_free(&world->meshes[i]);
    free(world->bodies);
    free(world->wanted);
    free(world);
}

/* ---- frames ---- */

static bool deforms(const scene_body *body) {
    return body->kind == GRAZE_BODY_STRAIGHT || body->kind == GRAZE_BODY_CUBIC;
}

void scene_world_want(scene_world *world, uint32_t frame, graze_body_motion *motions) {
    for (size_t i = 0; i < world->count; i++) {
        const scene_body *body = &world->bodies[i];
        motions[i] = graze_default_body_motion();
        motions[i].body = (uint32_t)i;
        motions[i].pose0 = motions[i].pose1 = body->pose;
        if (!deforms(body)) continue;
        for (int k = 0; k < 4; k++) motions[i].control[k] = (const double(*)[3]) & world->wanted[0][k];
        motions[i].x0 = motions[i].control[0];
        motions[i].x1 = motions[i].control[3];
        motions[i].stride = sizeof *world->wanted;
    }
    find(world->name)->want(world, frame, motions);
}

bool scene_world_stop(scene_world *world, graze_body_motion *motions, uint32_t body, uint32_t vertex) {
    graze_body_motion *motion = &motions[body];
    if (!world->bodies[body].yields) return false;
    if (!deforms(&world->bodies[body])) {
        bool moves = memcmp(&motion->pose0, &motion->pose1, sizeof motion->pose0) != 0;
        motion->pose1 = motion->pose0;
        return moves;
    }
    double(*x)[3] = world->wanted[vertex];
    bool moves = memcmp(x[0], x[3], sizeof x[0]) != 0 && !world->springs.pinned[vertex];
    if (moves) memcpy(x[3], x[0], sizeof x[0]);
    return moves;
}

static void take_positions(scene_world *world, const graze_body_motion *motion, bool straight) {
    const char *x = (const char *)(straight ? motion->x1 : motion->control[3]);
    size_t stride = motion->stride ? motion->stride : sizeof(double[3]);
    for (size_t v = 0; v < world->meshes[0].vertex_count; v++) {
        double *at = world->meshes[0].positions[v];
        if (world->springs.before) memcpy(world->springs.before[v], at, sizeof(double[3]));
        memcpy(at, x + v * stride, sizeof(double[3]));
    }
}

void scene_world_take(scene_world *world, const graze_body_motion *motions) {
    for (size_t i = 0; i < world->count; i++) {
        scene_body *body = &world->bodies[i];
        if (body->kind == GRAZE_BODY_STATIC) continue;
        if (deforms(body)) {
            take_positions(world, &motions[i], body->kind == GRAZE_BODY_STRAIGHT);
            continue;
        }
        bool stopped = memcmp(&motions[i].pose0, &motions[i].pose1, sizeof body->pose) == 0;
        body->pose = motions[i].pose1;
        for (int c = 0; c < 3 && stopped && body->yields; c++) {
            body->speed[c] *= -0.3;
            body->spin[c] *= -0.7;
        }
    }
}
