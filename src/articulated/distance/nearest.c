/* Goes down one tree to the face that is nearest to a point. */
#include "articulated/distance/nearest.h"

#include "articulated/touch.h"
#include "numerics/closest.h"

#include <math.h>

typedef struct nearest {
    const gz_link *link;
    gz_vec3 point;
    double squared;
    uint32_t face;
} nearest;

static double node_squared(const nearest *job, const gz_face_node *node) {
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        double gap = fabs(job->point.c[c] - node->center[c]) - node->half[c];
        sum += gap > 0 ? gap * gap : 0;
    }
    return sum;
}

static void try_face(nearest *job, uint32_t face) {
    gz_triangle f = gz_triangle_of(job->link, face);
    gz_vec3 rows[4] = {job->point, f.x[0], f.x[1], f.x[2]};
    gz_closest at = gz_closest_points(GRAZE_VF, rows);
    if (!(at.squared < job->squared)) return;
    job->squared = at.squared;
    job->face = face;
}

/* The nearer child first. */
static void search(nearest *job, uint32_t index, double squared) {
    const gz_face_node *nodes = job->link->tree.nodes, *node = &nodes[index];
    if (!(squared < job->squared)) return;
    if (gz_face_node_is_leaf(node)) {
        try_face(job, node->face);
        return;
    }
    double left = node_squared(job, &nodes[index + 1]), right = node_squared(job, &nodes[node->right]);
    bool swap = right < left;
    search(job, swap ? node->right : index + 1, swap ? right : left);
    search(job, swap ? index + 1 : node->right, swap ? left : right);
}

uint32_t gz_nearest_face(const gz_link *link, gz_vec3 point) {
    nearest job = {.link = link, .point = point, .squared = INFINITY};
    search(&job, 0, 0);
    return job.face;
}
