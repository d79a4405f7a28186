/* Poses of robots in plain doubles, by code that shares nothing with the library: frames from origins and joints,
   triangles that certainly cross, triangles that are close. */
#ifndef GRAZE_TEST_ROBOT_JUDGE_H
#define GRAZE_TEST_ROBOT_JUDGE_H

#include "graze/articulated.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define JUDGE_SURE 1e-9 /* crossings by less are left out */

typedef struct judge_frame {
    double r[3][3], t[3];
} judge_frame;

typedef struct judge_link {
    int32_t parent; /* among all links; −1: the world */
    int32_t body;   /* the first link that fixed joints hold it to; −1: the world */
    graze_joint_kind joint;
    judge_frame origin, now;
    double axis[3], lo[3], hi[3];
    size_t value; /* of its joint, among all */
    size_t vertex_count, face_count;
    double (*local)[3], (*vertices)[3];
    uint32_t (*faces)[3];
} judge_link;

typedef struct judge {
    judge_link *links;
    size_t count, values;
    const uint8_t *pairs; /* NULL, or count × count: 0 is not tested */
} judge;

/* ---- frames ---- */

static inline judge_frame judge_frame_of(const graze_frame *f) {
    double n = 0, q[4];
    for (int k = 0; k < 4; k++) n += f->rotation[k] * f->rotation[k];
    for (int k = 0; k < 4; k++) q[k] = f->rotation[k] / sqrt(n);
    double w = q[0], x = q[1], y = q[2], z = q[3];
    judge_frame out = {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                        {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                        {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}},
                       {f->position[0], f->position[1], f->position[2]}};
    return out;
}

static inline void judge_apply(const judge_frame *f, const double x[3], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = f->t[i] + f->r[i][0] * x[0] + f->r[i][1] * x[1] + f->r[i][2] * x[2];
}

static inline judge_frame judge_product(const judge_frame *a, const judge_frame *b) {
    judge_frame out;
    judge_apply(a, b->t, out.t);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out.r[i][j] = a->r[i][0] * b->r[0][j] + a->r[i][1] * b->r[1][j] + a->r[i][2] * b->r[2][j];
    return out;
}

/* Revolute and prismatic joints; others stand. */
static inline judge_frame judge_joint(const judge_link *link, const double *values) {
    graze_frame frame = {{0, 0, 0}, {1, 0, 0, 0}};
    double n = sqrt(link->axis[0] * link->axis[0] + link->axis[1] * link->axis[1] + link->axis[2] * link->axis[2]);
    for (int c = 0; c < 3; c++) {
        if (link->joint == GRAZE_JOINT_REVOLUTE)
            frame.rotation[1 + c] = sin(values[link->value] / 2) * link->axis[c] / n;
        if (link->joint == GRAZE_JOINT_PRISMATIC) frame.position[c] = values[link->value] * link->axis[c] / n;
    }
    if (link->joint == GRAZE_JOINT_REVOLUTE) frame.rotation[0] = cos(values[link->value] / 2);
    return judge_frame_of(&frame);
}

static inline void judge_pose(judge *j, const double *values) {
    for (size_t i = 0; i < j->count; i++) {
        judge_link *link = &j->links[i];
        judge_frame joint = judge_joint(link, values);
        link->now = judge_product(&link->origin, &joint);
        if (link->parent >= 0) link->now = judge_product(&j->links[link->parent].now, &link->now);
        for (int c = 0; c < 3; c++) link->lo[c] = INFINITY, link->hi[c] = -INFINITY;
        for (size_t v = 0; v < link->vertex_count; v++) {
            judge_apply(&link->now, link->local[v], link->vertices[v]);
            for (int c = 0; c < 3; c++) {
                link->lo[c] = fmin(link->lo[c], link->vertices[v][c]);
                link->hi[c] = fmax(link->hi[c], link->vertices[v][c]);
            }
        }
    }
}

/* ---- links ---- */

static inline void judge_take_meshes(judge_link *link, const graze_link *given) {
    for (size_t m = 0; m < given->mesh_count; m++) {
        link->vertex_count += given->meshes[m].vertex_count;
        link->face_count += given->meshes[m].face_count;
    }
    link->local = malloc((link->vertex_count + 1) * sizeof *link->local);
    link->vertices = malloc((link->vertex_count + 1) * sizeof *link->vertices);
    link->faces = malloc((link->face_count + 1) * sizeof *link->faces);
    size_t v = 0, f = 0;
    for (size_t m = 0; m < given->mesh_count; m++) {
        const graze_link_mesh *mesh = &given->meshes[m];
        judge_frame at = judge_frame_of(&mesh->origin);
        for (uint32_t k = 0; k < mesh->face_count; k++, f++)
            for (int c = 0; c < 3; c++) link->faces[f][c] = (uint32_t)v + mesh->faces[k][c];
        for (uint32_t k = 0; k < mesh->vertex_count; k++, v++) {
            double x[3];
            for (int c = 0; c < 3; c++) x[c] = mesh->scale[c] * mesh->vertices[k][c];
            judge_apply(&at, x, link->local[v]);
        }
    }
}

/* Adds the links of one model. */
static inline void judge_add(judge *j, const graze_link *links, size_t count) {
    size_t first = j->count;
    j->links = realloc(j->links, (j->count + count) * sizeof *j->links);
    for (size_t i = 0; i < count; i++) {
        judge_link *link = &j->links[j->count];
        *link = (judge_link){.parent = links[i].parent < 0 ? -1 : (int32_t)first + links[i].parent};
        link->joint = links[i].joint;
        link->origin = judge_frame_of(&links[i].origin);
        memcpy(link->axis, links[i].axis, sizeof link->axis);
        link->body = (int32_t)j->count;
        if (link->joint == GRAZE_JOINT_FIXED) link->body = link->parent < 0 ? -1 : j->links[link->parent].body;
        link->value = j->values;
        j->values += link->joint != GRAZE_JOINT_FIXED;
        judge_take_meshes(link, &links[i]);
        j->count++;
    }
}

static inline void judge_free(judge *j) {
    for (size_t i = 0; i < j->count; i++) {
        free(j->links[i].local);
        free(j->links[i].vertices);
        free(j->links[i].faces);
    }
    free(j->links);
}

static inline bool judge_tests(const judge *j, size_t a, size_t b) {
    const judge_link *x = &j->links[a], *y = &j->links[b];
    if (x->body == y->body || x->parent == (int32_t)b || y->parent == (int32_t)a) return false;
    return !j->pairs || j->pairs[a * j->count + b];
}

/* ---- triangles ---- */

static inline void judge_sub(const double a[3], const double b[3], double out[3]) {
    for (int c = 0; c < 3; c++) out[c] = a[c] - b[c];
}
static inline double judge_dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static inline void judge_cross(const double a[3], const double b[3], double out[3]) {
    for (int c = 0; c < 3; c++) out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

/* The segment passes the triangle well inside, its ends well away from the plane. */
static inline bool judge_pierces(const double *p, const double *q, const double *const f[3]) {
    double d[3], e1[3], e2[3], n[3], to[3], h[3];
    judge_sub(q, p, d);
    judge_sub(f[1], f[0], e1);
    judge_sub(f[2], f[0], e2);
    judge_cross(e1, e2, n);
    double length = sqrt(judge_dot(n, n));
    if (!(length > 1e-12)) return false;
    judge_sub(p, f[0], to);
    double above = judge_dot(to, n) / length, below = above + judge_dot(d, n) / length;
    if (!(above * below < 0 && fabs(above) > JUDGE_SURE && fabs(below) > JUDGE_SURE)) return false;
    double s = above / (above - below), at[3];
    for (int c = 0; c < 3; c++) at[c] = to[c] + s * d[c];
    judge_cross(at, e2, h);
    double u = judge_dot(h, n) / (length * length);
    judge_cross(e1, at, h);
    double v = judge_dot(h, n) / (length * length);
    return u > 1e-6 && v > 1e-6 && u + v < 1 - 1e-6;
}

static inline bool judge_crosses(const double *const a[3], const double *const b[3]) {
    for (int k = 0; k < 3; k++)
        if (judge_pierces(a[k], a[(k + 1) % 3], b) || judge_pierces(b[k], b[(k + 1) % 3], a)) return true;
    return false;
}

/* Squared distance of a point and a segment. */
static inline double judge_to_segment(const double p[3], const double q[3], const double e[3]) {
    double d[3];
    judge_sub(p, q, d);
    double t = fmin(1, fmax(0, judge_dot(d, e) / fmax(judge_dot(e, e), 1e-300)));
    for (int c = 0; c < 3; c++) d[c] -= t * e[c];
    return judge_dot(d, d);
}

static inline double judge_segments(const double *p, const double *p2, const double *q, const double *q2) {
    double d[3], e[3], r[3], n[3];
    judge_sub(p2, p, d);
    judge_sub(q2, q, e);
    judge_sub(q, p, r);
    judge_cross(d, e, n);
    double best = fmin(fmin(judge_to_segment(p, q, e), judge_to_segment(p2, q, e)),
                       fmin(judge_to_segment(q, p, d), judge_to_segment(q2, p, d)));
    double nn = judge_dot(n, n), x[3], y[3];
    judge_cross(r, e, x);
    judge_cross(r, d, y);
    double s = judge_dot(x, n), t = judge_dot(y, n), gap = judge_dot(r, n);
    return nn > 1e-24 && s > 0 && s < nn && t > 0 && t < nn ? fmin(best, gap * gap / nn) : best;
}

static inline double judge_corner(const double *p, const double *const f[3]) {
    double e1[3], e2[3], n[3], to[3], h[3];
    judge_sub(f[1], f[0], e1);
    judge_sub(f[2], f[0], e2);
    judge_cross(e1, e2, n);
    judge_sub(p, f[0], to);
    double nn = judge_dot(n, n), above = judge_dot(to, n);
    judge_cross(to, e2, h);
    double u = judge_dot(h, n);
    judge_cross(e1, to, h);
    double v = judge_dot(h, n);
    return nn > 0 && u >= 0 && v >= 0 && u + v <= nn ? above * above / nn : INFINITY;
}

static inline double judge_squared(const double *const a[3], const double *const b[3]) {
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) best = fmin(best, judge_segments(a[i], a[(i + 1) % 3], b[k], b[(k + 1) % 3]));
        best = fmin(best, fmin(judge_corner(a[i], b), judge_corner(b[i], a)));
    }
    return best;
}

/* ---- links against each other ---- */

static inline void judge_face(const judge_link *link, size_t f, const double *x[3]) {
    for (int k = 0; k < 3; k++) x[k] = link->vertices[link->faces[f][k]];
}

/* True if boxes of triangles come within `reach`. */
static inline bool judge_near(const double *const a[3], const double lo[3], const double hi[3], double reach) {
    for (int c = 0; c < 3; c++) {
        if (fmin(a[0][c], fmin(a[1][c], a[2][c])) > hi[c] + reach) return false;
        if (fmax(a[0][c], fmax(a[1][c], a[2][c])) < lo[c] - reach) return false;
    }
    return true;
}

/* True if two links certainly cross, or with reach > 0 come within it. */
static inline bool judge_meets(const judge *j, size_t a, size_t b, double reach) {
    const judge_link *x = &j->links[a], *y = &j->links[b];
    const double *p[3], *q[3];
    for (int c = 0; c < 3; c++)
        if (x->lo[c] > y->hi[c] + reach || y->lo[c] > x->hi[c] + reach) return false;
    for (size_t f = 0; f < x->face_count; f++) {
        judge_face(x, f, p);
        if (!judge_near(p, y->lo, y->hi, reach)) continue;
        double lo[3], hi[3];
        for (int c = 0; c < 3; c++) {
            lo[c] = fmin(p[0][c], fmin(p[1][c], p[2][c]));
            hi[c] = fmax(p[0][c], fmax(p[1][c], p[2][c]));
        }
        for (size_t g = 0; g < y->face_count; g++) {
            judge_face(y, g, q);
            if (!judge_near(q, lo, hi, reach)) continue;
            if (judge_crosses(p, q) || (reach > 0 && judge_squared(p, q) <= reach * reach)) return true;
        }
    }
    return false;
}

/* True if any two links of the pose certainly cross. */
static inline bool judge_collides(const judge *j) {
    for (size_t a = 0; a < j->count; a++)
        for (size_t b = a + 1; b < j->count; b++)
            if (judge_tests(j, a, b) && judge_meets(j, a, b, 0)) return true;
    return false;
}

#endif
