/* Counts how often a ray from a vertex passes through a closed part: an odd number is inside. */
#include "articulated/inside.h"

#include <math.h>

#define DIRECTIONS 6
#define MOST_PARTS 256   /* that a ray is in at once */
#define MOST_MIDDLES 256 /* of triangles of a link that are looked for in the other */

/* A segment that ends outside of the link's box, and how far it and the triangles may be off along each axis. */
typedef struct ray {
    gz_vec3 from, to;
    double lo[3], hi[3]; /* its box */
    double error;
} ray;

static ray ray_of(gz_vec3 from, const gz_link *link, int direction, double error) {
    double extent[3], length = 0;
    gz_link_extent(link, extent);
    ray r = {.from = from, .error = error};
    for (int c = 0; c < 3; c++) length += 4 * (extent[c] + fabs(from.c[c]) + error);
    for (int c = 0; c < 3; c++) {
        /* along an axis, and aside by amounts that no mesh is likely to be made of */
        double share = c == direction / 2 ? 1 : c == (direction / 2 + 1) % 3 ? 0.0813 : 0.0437;
        r.to.c[c] = from.c[c] + (direction % 2 ? -share : share) * length;
        r.lo[c] = fmin(from.c[c], r.to.c[c]) - error;
        r.hi[c] = fmax(from.c[c], r.to.c[c]) + error;
    }
    return r;
}

static bool misses(const ray *r, const gz_face_node *node) {
    for (int c = 0; c < 3; c++)
        if (node->center[c] + node->half[c] < r->lo[c] || node->center[c] - node->half[c] > r->hi[c]) return true;
    return false;
}

/* Closed parts that the ray passed an odd number of times so far. */
typedef struct open_parts {
    uint32_t list[MOST_PARTS], count;
} open_parts;

static bool pass(open_parts *open, uint32_t part) {
    for (uint32_t i = 0; i < open->count; i++)
        if (open->list[i] == part) {
            open->list[i] = open->list[--open->count];
            return true;
        }
    if (open->count == MOST_PARTS) return false;
    open->list[open->count++] = part;
    return true;
}

static bool pass_face(const ray *r, const gz_link *link, uint32_t face, open_parts *open) {
    uint32_t part = link->parts.of_face[face];
    if (!link->parts.list[part].closed) return true;
    gz_triangle f = gz_triangle_of(link, face);
    int passes = gz_segment_pierces(r->from, r->to, &f, r->error);
    return passes < 0 || (passes > 0 && pass(open, part));
}

/* False when some pass is not certain. */
static bool count_passes(const ray *r, const gz_link *link, open_parts *open, uint64_t *checks) {
    uint32_t stack[64], depth = 1;
    stack[0] = open->count = 0;
    while (depth) {
        uint32_t at = stack[--depth];
        const gz_face_node *node = &link->tree.nodes[at];
        ++*checks;
        if (misses(r, node)) continue;
        if (gz_face_node_is_leaf(node)) {
            if (!pass_face(r, link, node->face, open)) return false;
        } else {
            stack[depth++] = at + 1;
            stack[depth++] = node->right;
        }
    }
    return true;
}

bool gz_is_beyond(gz_vec3 x, double error, const gz_face_node *root) {
    for (int c = 0; c < 3; c++)
        if (fabs(x.c[c] - root->center[c]) > root->half[c] + error) return true; /* rounding keeps order */
    return false;
}

gz_inside gz_point_inside(gz_vec3 x, double error, const gz_link *link, uint64_t *checks) {
    if (gz_is_beyond(x, error, link->tree.nodes)) return GZ_OUTSIDE;
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        ray r = ray_of(x, link, direction, error);
        open_parts open;
        if (count_passes(&r, link, &open, checks)) return open.count ? GZ_INSIDE : GZ_OUTSIDE;
    }
    return GZ_INSIDE_UNKNOWN;
}

/* Parts of one link that may be inside another one, whose surface they do not touch. */
typedef struct parts_job {
    const gz_link *x, *y;
    gz_frame_model frame; /* of x, seen from y */
    double error;         /* of its points */
    gz_inside found;
    uint64_t *checks;
} parts_job;

/* One vertex tells: where surfaces do not touch, the rest of the part is with it. */
static void look_at_part(parts_job *job, uint32_t part) {
    gz_vec3 at = gz_link_point_at(&job->frame, gz_vec3_of(job->x->vertices[job->x->parts.list[part].vertex]), 0);
    gz_inside inside = gz_point_inside(at, job->error, job->y, job->checks);
    if (inside != GZ_OUTSIDE) job->found = inside;
}

/* Parts whose vertices are proven outside of the other link's box are so together. */
static void look_at_tree(parts_job *job, const gz_kernels *kernels) {
    gz_link_view view;
    const gz_face_tree *tree = &job->x->parts.tree;
    const gz_face_node *root = job->y->tree.nodes;
    gz_view_make(&view, kernels, job->x->tree.nodes, root, &job->frame, 0, true);
    uint32_t stack[64], depth = 1;
    stack[0] = 0;
    while (depth && job->found != GZ_INSIDE) {
        uint32_t at = stack[--depth];
        const gz_face_node *node = &tree->nodes[at];
        double sweep;
        ++*job->checks;
        if (gz_view_apart(&view, node, root, &sweep)) continue;
        if (gz_face_node_is_leaf(node)) {
            look_at_part(job, node->face);
        } else {
            stack[depth++] = node->right;
            stack[depth++] = at + 1;
        }
    }
}

/* Parts of link a against link b. */
static gz_inside parts_inside(gz_frames *frames, uint32_t a, uint32_t b, uint64_t *checks) {
    const gz_scene *scene = frames->scene;
    parts_job job = {.x = gz_scene_at(scene, a)->link, .y = gz_scene_at(scene, b)->link, .checks = checks};
    job.found = GZ_OUTSIDE;
    if (!job.y->parts.closed_count) return job.found;
    gz_frames_relative(frames, a, b, &job.frame);
    double extent[3];
    gz_link_extent(job.x, extent);
    job.error = gz_position_error(&job.frame, extent);
    if (job.x->parts.tree.nodes) {
        look_at_tree(&job, scene->context->kernels);
    } else {
        for (uint32_t i = 0; i < job.x->parts.count && job.found != GZ_INSIDE; i++) look_at_part(&job, i);
    }
    return job.found;
}

gz_inside gz_links_inside_at(gz_frames *frames, const gz_link_pair *pair, double t, uint64_t *checks) {
    gz_frames_window(frames, t, t);
    gz_inside one = parts_inside(frames, pair->a, pair->b, checks);
    if (one == GZ_INSIDE) return one;
    gz_inside other = parts_inside(frames, pair->b, pair->a, checks);
    return other == GZ_OUTSIDE ? one : other;
}

static gz_vec3 middle_of(const gz_link *link, uint32_t face) {
    gz_vec3 at;
    const uint32_t *f = link->faces[face];
    for (int c = 0; c < 3; c++)
        at.c[c] = (link->vertices[f[0]][c] + link->vertices[f[1]][c] + link->vertices[f[2]][c]) / 3;
    return at;
}

/* Middles are rounded three times in each coordinate: less than GZ_PROJECTION_SLACK of the link's extent. */
static bool some_middle(gz_frames *frames, uint32_t a, uint32_t b, uint32_t *found, uint64_t *checks) {
    const gz_link *x = gz_scene_at(frames->scene, a)->link, *y = gz_scene_at(frames->scene, b)->link;
    if (!y->parts.closed_count) return false;
    gz_frame_model frame;
    gz_frames_relative(frames, a, b, &frame);
    double extent[3];
    gz_link_extent(x, extent);
    double error =
        gz_position_error(&frame, extent) + GZ_PROJECTION_SLACK * (extent[0] + extent[1] + extent[2]) + GZ_TAYLOR_TINY;
    int looked = 0;
    for (uint32_t i = 0; i < x->tree.count && looked < MOST_MIDDLES; i++) {
        if (!gz_face_node_is_leaf(&x->tree.nodes[i])) continue;
        *found = x->tree.nodes[i].face;
        gz_vec3 at = gz_link_point_at(&frame, middle_of(x, *found), 0);
        if (gz_is_beyond(at, error, y->tree.nodes)) continue;
        looked++;
        if (gz_point_inside(at, error, y, checks) == GZ_INSIDE) return true;
    }
    return false;
}

bool gz_middle_inside(gz_frames *frames, const gz_link_pair *pair, gz_middle *found, uint64_t *checks) {
    for (found->side = 0; found->side < 2; found->side++)
        if (some_middle(frames, found->side ? pair->b : pair->a, found->side ? pair->a : pair->b, &found->face, checks))
            return true;
    return false;
}
