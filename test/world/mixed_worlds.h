/* Random worlds of bodies of every motion, and where their vertices are at any time: computed here, not by the library.
 */
#ifndef GRAZE_TEST_MIXED_WORLDS_H
#define GRAZE_TEST_MIXED_WORLDS_H

#include "check.h"

enum { MIXED_BODIES = 5, MIXED_VERTICES = 9, MIXED_FACES = 8, MIXED_KINDS = 9 };

/* The kind of a body; RIGID comes on every path, MODEL as a link on a free and on a revolute joint. */
typedef enum mixed_kind {
    MIXED_STATIC,
    MIXED_STRAIGHT,
    MIXED_AFFINE,
    MIXED_TURN,
    MIXED_SCREW,
    MIXED_ROTVEC,
    MIXED_CUBIC,
    MIXED_FREE,
    MIXED_REVOLUTE,
} mixed_kind;

typedef struct mixed_body {
    mixed_kind kind;
    graze_mesh mesh;
    uint32_t faces[MIXED_FACES][3];
    double rest[MIXED_VERTICES][3];
    double x[4][MIXED_VERTICES][3]; /* control positions; x[0] and x[3] of one that moves straight */
    graze_body_motion motion;
    graze_motion joints;
    double from[6], to[6];
    graze_link_mesh link_mesh;
    graze_model *model;
    double padding;
} mixed_body;

typedef struct mixed_world {
    graze_context *context; /* that meshes and models are made by */
    size_t count;
    mixed_body bodies[MIXED_BODIES];
    graze_body given[MIXED_BODIES];
    graze_body_motion motions[MIXED_BODIES];
    double separation, t_max;
} mixed_world;

/* ---- small vectors ---- */

static inline void mixed_sub(const double a[3], const double b[3], double out[3]) {
    for (int c = 0; c < 3; c++) out[c] = a[c] - b[c];
}
static inline double mixed_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static inline void mixed_cross(const double a[3], const double b[3], double out[3]) {
    for (int c = 0; c < 3; c++) out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

/* v turned by `angle` about the unit vector `axis`. */
static inline void mixed_turn(const double axis[3], double angle, const double v[3], double out[3]) {
    double across[3], along = mixed_dot(axis, v);
    mixed_cross(axis, v, across);
    for (int c = 0; c < 3; c++)
        out[c] = cos(angle) * v[c] + sin(angle) * across[c] + (1 - cos(angle)) * along * axis[c];
}

/* v turned by a quaternion of any length. */
static inline void mixed_turn_by(const double q[4], const double v[3], double out[3]) {
    double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), s = sqrt(mixed_dot(q + 1, q + 1));
    double axis[3] = {0, 0, 1};
    for (int c = 0; c < 3 && s > 0; c++) axis[c] = q[1 + c] / s;
    mixed_turn(axis, 2 * atan2(s / n, q[0] / n), v, out);
}

/* The shorter turn from q0 to q1: axis and angle. */
static inline double mixed_between(const double q0[4], const double q1[4], double axis[3]) {
    double w = q1[0] * q0[0] + mixed_dot(q1 + 1, q0 + 1), v[3], cross[3];
    mixed_cross(q1 + 1, q0 + 1, cross);
    for (int c = 0; c < 3; c++) v[c] = q0[0] * q1[1 + c] - q1[0] * q0[1 + c] - cross[c];
    double s = sqrt(mixed_dot(v, v));
    for (int c = 0; c < 3; c++) axis[c] = s > 0 ? v[c] / s * (w < 0 ? -1 : 1) : c == 2;
    return 2 * atan2(s, fabs(w));
}

/* ---- where vertices are ---- */

static inline void mixed_pose_at(const mixed_body *body, const double x[3], double t, double out[3]) {
    const graze_body_motion *m = &body->motion;
    double turned[3], axis[3], origin[3], angle = mixed_between(m->pose0.rotation, m->pose1.rotation, axis);
    mixed_turn_by(m->pose0.rotation, x, turned);
    mixed_turn(axis, t * angle, turned, out);
    for (int c = 0; c < 3; c++) origin[c] = (1 - t) * m->pose0.position[c] + t * m->pose1.position[c];
    if (m->path == GRAZE_PATH_SCREW && angle > 0) { /* by way of a point on its axis */
        double way[3], across[3], around[3], p[3], moved[3];
        mixed_sub(m->pose1.position, m->pose0.position, way);
        double along = mixed_dot(axis, way);
        for (int c = 0; c < 3; c++) across[c] = way[c] - along * axis[c];
        mixed_cross(axis, way, around);
        for (int c = 0; c < 3; c++) p[c] = -(across[c] + around[c] / tan(angle / 2)) / 2;
        mixed_turn(axis, t * angle, p, moved);
        for (int c = 0; c < 3; c++) origin[c] = m->pose0.position[c] + moved[c] - p[c] + t * along * axis[c];
    }
    for (int c = 0; c < 3; c++) out[c] += origin[c];
}

/* Links: a free joint turns the shorter way between rotation vectors, a revolute one about z. */
static inline void mixed_link_at(const mixed_body *body, const double x[3], double t, double out[3]) {
    const double z[3] = {0, 0, 1};
    if (body->kind == MIXED_REVOLUTE) {
        mixed_turn(z, (1 - t) * body->from[0] + t * body->to[0], x, out);
        return;
    }
    double q[2][4], axis[3], turned[3];
    for (int e = 0; e < 2; e++) {
        const double *v = (e ? body->to : body->from) + 3;
        double angle = sqrt(mixed_dot(v, v));
        q[e][0] = cos(angle / 2);
        for (int c = 0; c < 3; c++) q[e][1 + c] = angle > 0 ? sin(angle / 2) * v[c] / angle : 0;
    }
    double angle = mixed_between(q[0], q[1], axis);
    mixed_turn_by(q[0], x, turned);
    mixed_turn(axis, t * angle, turned, out);
    for (int c = 0; c < 3; c++) out[c] += (1 - t) * body->from[c] + t * body->to[c];
}

static inline void mixed_rotvec_at(const mixed_body *body, const double x[3], double t, double out[3]) {
    const graze_body_motion *m = &body->motion;
    double r[3], axis[3] = {0, 0, 1};
    for (int c = 0; c < 3; c++) r[c] = (1 - t) * m->rotvec0[c] + t * m->rotvec1[c];
    double angle = sqrt(mixed_dot(r, r));
    for (int c = 0; c < 3 && angle > 0; c++) axis[c] = r[c] / angle;
    mixed_turn(axis, angle, x, out);
    for (int c = 0; c < 3; c++) out[c] += (1 - t) * m->pose0.position[c] + t * m->pose1.position[c];
}

static inline void mixed_at(const mixed_body *body, uint32_t v, double t, double out[3]) {
    double s = 1 - t;
    switch (body->kind) {
    case MIXED_TURN:
    case MIXED_SCREW: mixed_pose_at(body, body->rest[v], t, out); return;
    case MIXED_ROTVEC: mixed_rotvec_at(body, body->rest[v], t, out); return;
    case MIXED_FREE:
    case MIXED_REVOLUTE: mixed_link_at(body, body->rest[v], t, out); return;
    case MIXED_CUBIC:
        for (int c = 0; c < 3; c++)
            out[c] = s * s * s * body->x[0][v][c] + 3 * s * s * t * body->x[1][v][c] +
                     3 * s * t * t * body->x[2][v][c] + t * t * t * body->x[3][v][c];
        return;
    default:
        for (int c = 0; c < 3; c++) out[c] = s * body->x[0][v][c] + t * body->x[3][v][c];
    }
}

/* ---- making ---- */

static inline double mixed_random(test_random *random, double most) { return test_random_between(random, -most, most); }

static inline graze_frame mixed_frame(test_random *random, const double at[3]) {
    graze_frame frame;
    for (int c = 0; c < 3; c++) frame.position[c] = at[c];
    do
        for (int c = 0; c < 4; c++) frame.rotation[c] = mixed_random(random, 1);
    while (fabs(frame.rotation[0]) < 0.2);
    return frame;
}

/* A crumpled sheet of 3 × 3 vertices, or a tetrahedron. */
static inline uint32_t mixed_shape(test_random *random, mixed_body *body, double size) {
    static const uint32_t tetrahedron[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
    bool sheet = test_random_below(random, 4) == 0;
    uint32_t vertices = sheet ? 9 : 4;
    for (uint32_t v = 0; v < vertices; v++)
        for (int c = 0; c < 3; c++) {
            double place = c == 2 ? 0 : (double)(c ? v / 3 : v % 3) - 1;
            body->rest[v][c] = sheet ? size * (place + mixed_random(random, 0.2)) : mixed_random(random, size);
        }
    memcpy(body->faces, tetrahedron, sizeof tetrahedron);
    for (uint32_t q = 0; sheet && q < 4; q++) {
        uint32_t at = q / 2 * 3 + q % 2;
        uint32_t two[2][3] = {{at, at + 1, at + 3}, {at + 1, at + 4, at + 3}};
        memcpy(body->faces[2 * q], two, sizeof two);
    }
    return sheet ? 8 : 4;
}

static inline void mixed_positions(test_random *random, mixed_body *body, const double from[3], const double to[3]) {
    bool cubic = body->kind == MIXED_CUBIC, still = body->kind == MIXED_STATIC;
    for (uint32_t v = 0; v < body->mesh.vertex_count; v++)
        for (int k = 0; k < 4; k++)
            for (int c = 0; c < 3; c++) {
                double way = still ? 0 : k / 3.0;
                body->x[k][v][c] = body->rest[v][c] + (1 - way) * from[c] + way * to[c];
                if (!still && k) body->x[k][v][c] += mixed_random(random, cubic && k < 3 ? 0.5 : 0.1);
            }
}

/* Rows of a matrix that is near the identity, and a place. */
static inline void mixed_matrix(test_random *random, const double at[3], double m[3][4]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) m[i][j] = j == 3 ? at[i] : (i == j) + mixed_random(random, 0.4);
}

static inline void mixed_affine(mixed_body *body) {
    for (uint32_t v = 0; v < body->mesh.vertex_count; v++)
        for (int k = 0; k < 4; k += 3)
            for (int i = 0; i < 3; i++) {
                const double *m = k ? body->motion.matrix1[i] : body->motion.matrix0[i], *x = body->rest[v];
                body->x[k][v][i] = m[0] * x[0] + m[1] * x[1] + m[2] * x[2] + m[3];
            }
}

static inline graze_link_mesh mixed_link_mesh(mixed_body *body, const double (*x)[3]) {
    graze_link_mesh mesh = graze_default_link_mesh();
    mesh.vertex_count = body->mesh.vertex_count;
    mesh.face_count = body->mesh.face_count;
    mesh.vertices = x;
    mesh.faces = (const uint32_t(*)[3])body->faces;
    return mesh;
}

static inline void mixed_joint(test_random *random, mixed_world *world, mixed_body *body, const double from[3],
                               const double to[3]) {
    graze_link link = graze_default_link();
    bool is_free = body->kind == MIXED_FREE;
    for (int c = 0; c < 3; c++) {
        body->from[c] = is_free ? from[c] : mixed_random(random, 1.5);
        body->to[c] = is_free ? to[c] : mixed_random(random, 1.5);
        body->from[3 + c] = mixed_random(random, 0.8);
        body->to[3 + c] = mixed_random(random, 0.8);
    }
    for (uint32_t v = 0; !is_free && v < body->mesh.vertex_count; v++)
        for (int c = 0; c < 3; c++) body->rest[v][c] += from[c];
    body->link_mesh = mixed_link_mesh(body, (const double(*)[3])body->rest);
    link.joint = is_free ? GRAZE_JOINT_FREE : GRAZE_JOINT_REVOLUTE;
    link.meshes = &body->link_mesh;
    link.mesh_count = 1;
    link.padding = body->padding;
    CHECK(graze_model_create(world->context, &link, 1, &body->model) == GRAZE_OK);
    body->joints = graze_default_motion();
    body->joints.from = body->from;
    body->joints.to = body->to;
}

static inline void mixed_make_body(test_random *random, mixed_world *world, size_t index, mixed_kind kind) {
    mixed_body *body = &world->bodies[index];
    graze_body *given = &world->given[index];
    graze_body_motion *motion = &body->motion;
    double from[3], to[3];
    for (int c = 0; c < 3; c++) from[c] = mixed_random(random, 2), to[c] = mixed_random(random, 2);
    *given = graze_default_body();
    *motion = graze_default_body_motion();
    motion->body = (uint32_t)index;
    body->kind = kind;
    body->mesh = graze_default_mesh();
    body->padding = given->padding = test_random_below(random, 4) == 0 ? 0.03 : 0;
    uint32_t faces = mixed_shape(random, body, test_random_between(random, 0.2, 0.8));
    CHECK(graze_mesh_from_faces(world->context, faces == 8 ? 9 : 4, (const uint32_t(*)[3])body->faces, faces,
                                &body->mesh) == GRAZE_OK);
    mixed_positions(random, body, from, to);
    given->mesh = &body->mesh;
    given->rest = (const double(*)[3])body->rest;
    motion->x0 = (const double(*)[3])body->x[0];
    motion->x1 = (const double(*)[3])body->x[3];
    for (int k = 0; k < 4; k++) motion->control[k] = (const double(*)[3])body->x[k];
    switch (kind) {
    case MIXED_STATIC:
        body->link_mesh = mixed_link_mesh(body, (const double(*)[3])body->x[0]);
        given->kind = GRAZE_BODY_STATIC;
        given->rest = (const double(*)[3])body->x[0];
        if (test_random_below(random, 2)) break;
        given->mesh = NULL;
        given->meshes = &body->link_mesh;
        given->mesh_count = 1;
        break;
    case MIXED_STRAIGHT: given->kind = GRAZE_BODY_STRAIGHT; break;
    case MIXED_AFFINE:
        given->kind = GRAZE_BODY_AFFINE;
        mixed_matrix(random, from, motion->matrix0);
        mixed_matrix(random, to, motion->matrix1);
        mixed_affine(body);
        break;
    case MIXED_TURN:
    case MIXED_SCREW:
    case MIXED_ROTVEC:
        given->kind = GRAZE_BODY_RIGID;
        motion->path = kind == MIXED_SCREW  ? GRAZE_PATH_SCREW
                       : kind == MIXED_TURN ? GRAZE_PATH_TURN
                                            : GRAZE_PATH_ROTVEC;
        for (int c = 0; c < 3; c++)
            motion->rotvec0[c] = mixed_random(random, 2), motion->rotvec1[c] = mixed_random(random, 2);
        motion->pose0 = mixed_frame(random, from);
        motion->pose1 = mixed_frame(random, to);
        break;
    case MIXED_CUBIC: given->kind = GRAZE_BODY_CUBIC; break;
    case MIXED_FREE:
    case MIXED_REVOLUTE:
        mixed_joint(random, world, body, from, to);
        given->kind = GRAZE_BODY_MODEL;
        given->model = body->model;
        motion->joints = &body->joints;
        break;
    }
    world->motions[index] = *motion;
}

/* `kinds`: the first so many kinds alone, which for 3 are those that move straight. The first body has a mesh of its
   own: worlds of models and static bodies are answered by other means. */
static inline void mixed_make(test_random *random, graze_context *context, unsigned kinds, mixed_world *world) {
    memset(world, 0, sizeof *world);
    world->context = context;
    world->count = 2 + test_random_below(random, MIXED_BODIES - 1);
    world->separation = test_random_below(random, 2) ? 0 : test_random_between(random, 0.001, 0.1);
    world->t_max = test_random_below(random, 3) ? 1 : test_random_between(random, 0.1, 1);
    for (size_t i = 0; i < world->count; i++)
        mixed_make_body(random, world, i,
                        (mixed_kind)(i ? test_random_below(random, kinds)
                                       : 1 + test_random_below(random, (kinds < 7 ? kinds : 7) - 1)));
}

static inline void mixed_release(mixed_world *world) {
    for (size_t i = 0; i < world->count; i++) {
        graze_mesh_release(world->context, &world->bodies[i].mesh);
        graze_model_destroy(world->context, world->bodies[i].model);
    }
}

static inline bool mixed_deforms(const mixed_body *body) {
    return body->kind == MIXED_STRAIGHT || body->kind == MIXED_CUBIC;
}

#endif
