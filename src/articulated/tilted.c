#include "articulated/tilted.h"

#include "numerics/error_bounds.h"

#include <math.h>

typedef struct tilted_job {
    const gz_face_tree *tree;
    const double (*vertices)[3];
    const uint32_t (*faces)[3];
    double size;
    gz_tilted_box *boxes;
} tilted_job;

static double larger(double x, double y) { return x > y ? x : y; }
static double lesser(double x, double y) { return x < y ? x : y; }

static gz_vec3 corner(const tilted_job *job, uint32_t face, int k) {
    return gz_vec3_of(job->vertices[job->faces[face][k]]);
}

static gz_vec3 normal_of(const tilted_job *job, uint32_t face) {
    gz_vec3 a = corner(job, face, 0);
    return gz_vec3_cross(gz_vec3_sub(corner(job, face, 1), a), gz_vec3_sub(corner(job, face, 2), a));
}

gz_vec3 gz_tilted_unit(gz_vec3 v) {
    double length = gz_vec3_norm(v);
    if (!(length >= 0x1p-500 && length <= 0x1p500)) return (gz_vec3){{0, 0, 1}};
    return (gz_vec3){{v.c[0] / length, v.c[1] / length, v.c[2] / length}};
}

/* True if Σ ⟨u_i, x⟩·u_i is x but for 2⁻⁴⁶ of it. */
static bool are_square(const gz_vec3 u[3]) {
    double off = 0;
    for (int c = 0; c < 3; c++)
        for (int d = 0; d < 3; d++)
            off += fabs((c == d) - (u[0].c[c] * u[0].c[d] + u[1].c[c] * u[1].c[d] + u[2].c[c] * u[2].c[d]));
    return off <= 0x1p-47;
}

/* Along the normal, and along `way` beside it. */
static void set_axes(gz_tilted_box *box, gz_vec3 normal, gz_vec3 way) {
    box->u[0] = gz_tilted_unit(normal);
    box->u[2] = gz_tilted_unit(gz_vec3_cross(box->u[0], gz_tilted_unit(way)));
    box->u[1] = gz_tilted_unit(gz_vec3_cross(box->u[2], box->u[0]));
    for (int i = 0; i < 3 && !are_square(box->u); i++) box->u[i] = (gz_vec3){{i == 0, i == 1, i == 2}};
}

/* Nodes from `first` to `end` are those below the node, itself included. */
static void set_sides(const tilted_job *job, gz_tilted_box *box, uint32_t first, uint32_t end) {
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t at = first; at < end; at++) {
        const gz_face_node *node = &job->tree->nodes[at];
        for (int k = 0; k < 3 && gz_face_node_is_leaf(node); k++)
            for (int i = 0; i < 3; i++) {
                double along = gz_vec3_dot(box->u[i], corner(job, node->face, k));
                lo[i] = lesser(lo[i], along);
                hi[i] = larger(hi[i], along);
            }
    }
    for (int i = 0; i < 3; i++) {
        box->mid[i] = 0.5 * lo[i] + 0.5 * hi[i];
        box->half[i] = larger(hi[i] - box->mid[i], box->mid[i] - lo[i]) + GZ_TILTED_SLACK * job->size + GZ_TAYLOR_TINY;
    }
}

/* Boxes of a node and all below it. Returns the node after these; `normal` is the sum of their triangles'. */
static uint32_t build(const tilted_job *job, uint32_t index, gz_vec3 *normal) {
    const gz_face_node *node = &job->tree->nodes[index];
    uint32_t end = index + 1;
    gz_vec3 way;
    if (gz_face_node_is_leaf(node)) {
        *normal = normal_of(job, node->face);
        way = gz_vec3_sub(corner(job, node->face, 1), corner(job, node->face, 0));
    } else {
        gz_vec3 other;
        build(job, index + 1, normal);
        end = build(job, node->right, &other);
        *normal = gz_vec3_along(*normal, 1, other);
        way = gz_vec3_sub(gz_vec3_of(job->tree->nodes[node->right].center), gz_vec3_of(node[1].center));
    }
    set_axes(&job->boxes[index], *normal, way);
    set_sides(job, &job->boxes[index], index, end);
    return end;
}

void gz_tilted_build(const gz_face_tree *tree, const double (*vertices)[3], const uint32_t (*faces)[3], double size,
                     gz_tilted_box *boxes) {
    tilted_job job = {tree, vertices, faces, size, boxes};
    gz_vec3 normal;
    build(&job, 0, &normal);
}

double gz_tilted_interval(const gz_tilted_box *box, double size, gz_vec3 n, double *half) {
    double middle = 0, width = 0;
    for (int i = 0; i < 3; i++) {
        double k = gz_vec3_dot(n, box->u[i]);
        middle += k * box->mid[i];
        width += fabs(k) * box->half[i];
    }
    *half = width + GZ_TILTED_SLACK * size + GZ_TAYLOR_TINY;
    return middle;
}
