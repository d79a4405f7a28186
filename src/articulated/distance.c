/* Distance of links in one pose: branch and bound over their trees. */
#include "articulated/search.h"
#include "motion/rounding.h"

#include "base/sizes.h"

#include <math.h>
#include <string.h>

typedef struct distance_job {
    gz_search *search;
    double upper; /* least distance of two points found so far */
    double lower; /* least lower bound of what was left out */
    size_t pair;
    gz_face_gap closest;
} distance_job;

/* Both of one pair of nodes: a lower bound of the distance, contact included, from the axes of b. */
static double node_distance(const gz_link_view *view, const gz_face_node *a, const gz_face_node *b) {
    double gap[3];
    for (int i = 0; i < 3; i++) {
        const gz_projection *p = &view->along[i];
        double half, sweep, middle = gz_node_interval(p, a, &half, &sweep);
        gap[i] = fmax(0, fabs(middle - b->center[i]) - (half + b->half[i] + p->margin));
    }
    return gz_length_below(gap);
}

static double position_margin(const gz_link_view *view) {
    return 2 * (view->along[0].margin + view->along[1].margin + view->along[2].margin);
}

/* n times a power of two, about 1 long: its products with coordinates lose no more than GZ_TAYLOR_TINY. */
static gz_vec3 scaled(gz_vec3 n) {
    int exponent;
    frexp(fmax(fabs(n.c[0]), fmax(fabs(n.c[1]), fabs(n.c[2]))), &exponent);
    return (gz_vec3){{ldexp(n.c[0], -exponent), ldexp(n.c[1], -exponent), ldexp(n.c[2], -exponent)}};
}

static void try_faces(distance_job *job, const gz_link_view *view, size_t pair, gz_faces faces) {
    gz_triangle x = gz_triangle_at(view->frame, view->a, faces.a, 0), y = gz_triangle_of(view->b, faces.b);
    gz_face_gap closest = gz_gap_of_faces(&x, &y);
    double margin = position_margin(view), contact = job->search->pairs[pair].pair.contact;
    bool cross = gz_triangles_cross(&x, &y, 0);
    double distance = cross ? 0 : gz_length(gz_vec3_sub(closest.a, closest.b).c);
    /* along the direction of the closest points, a lower bound that holds */
    gz_vec3 n = scaled(closest.n);
    double along = INFINITY, high = -INFINITY, length = gz_length(n.c);
    for (int k = 0; k < 3; k++) {
        along = fmin(along, gz_vec3_dot(n, x.x[k]));
        high = fmax(high, gz_vec3_dot(n, y.x[k]));
    }
    double proven = cross || !(length > 0) ? 0 : (along - high) / length - margin;
    job->lower = fmin(job->lower, fmax(0, proven - contact));
    if (distance + margin - contact < job->upper) {
        job->upper = fmax(0, distance + margin - contact);
        job->pair = pair;
        job->closest = closest;
    }
}

static void descend(distance_job *job, const gz_link_view *view, size_t pair) {
    double contact = job->search->pairs[pair].pair.contact;
    gz_node_stack stack;
    gz_node_stack_open(&stack, (gz_front_item){0});
    while (stack.count) {
        gz_front_item at = stack.items[--stack.count];
        const gz_face_node *x = &view->a->tree.nodes[at.a], *y = &view->b->tree.nodes[at.b];
        double bound = fmax(0, node_distance(view, x, y) - contact);
        if (bound >= job->upper) {
            job->lower = fmin(job->lower, bound);
            continue;
        }
        if (gz_face_node_is_leaf(x) && gz_face_node_is_leaf(y))
            try_faces(job, view, pair, (gz_faces){x->face, y->face});
        else
            gz_push_children(&stack, view, at);
    }
}

static void search_pair(distance_job *job, size_t pair) {
    gz_search *search = job->search;
    const gz_link_pair *links = &search->pairs[pair].pair;
    gz_frame_model frame;
    gz_link_view view;
    gz_frames_relative(&search->wide, links->a, links->b, &frame);
    gz_view_open(&view, &search->scene, links->a, links->b, &frame, 0, false);
    descend(job, &view, pair);
}

static void place(const gz_frame_model *frame, gz_vec3 x, double out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] =
            frame->c[0][i][3] + (frame->c[0][i][0] * x.c[0] + frame->c[0][i][1] * x.c[1] + frame->c[0][i][2] * x.c[2]);
}

static void answer(const distance_job *job, graze_link_distance *result) {
    if (!(job->upper < INFINITY)) {
        result->lower = INFINITY;
        return;
    }
    gz_search *search = job->search;
    const gz_link_pair *links = &search->pairs[job->pair].pair;
    bool swap = links->a > links->b;
    const gz_scene_link *a = &search->scene.links[swap ? links->b : links->a];
    const gz_scene_link *b = &search->scene.links[swap ? links->a : links->b];
    result->upper = job->upper;
    result->lower = fmin(job->lower, job->upper);
    result->model_a = a->model;
    result->link_a = a->index;
    result->model_b = b->model;
    result->link_b = b->index;
    const gz_frame_model *frame = gz_frames_world(&search->wide, links->b);
    place(frame, swap ? job->closest.b : job->closest.a, result->point_a);
    place(frame, swap ? job->closest.a : job->closest.b, result->point_b);
}

static graze_status measure(graze_context *context, const graze_model *const *models, size_t count,
                            const graze_motion *motions, const graze_articulated_options *options,
                            graze_link_distance *result) {
    gz_search search;
    graze_status status = gz_search_open(&search, context, models, count, options);
    if (status == GRAZE_OK) status = gz_search_stand(&search, gz_motions_from(motions, 0));
    if (status == GRAZE_OK) {
        distance_job job = {.search = &search, .upper = INFINITY, .lower = INFINITY};
        for (size_t i = 0; i < search.pair_count; i++) search_pair(&job, i);
        answer(&job, result);
    }
    gz_search_close(&search);
    return status;
}

static const graze_link_distance closed = {.lower = 0, .upper = INFINITY};
#define DISTANCE_LEAST GZ_SIZE_UP_TO(graze_link_distance, point_b)

void graze_init_link_distance(graze_link_distance *result, size_t size) {
    gz_sized_init(result, size, &closed, sizeof closed);
}

graze_status graze_articulated_distance(graze_context *context, const graze_model *const *models, size_t count,
                                        const graze_motion *motions, const graze_articulated_options *options,
                                        graze_link_distance *result) {
    if (!result || gz_sized_check(NULL, "link distance", result, DISTANCE_LEAST) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    gz_sized_write(result, &closed, sizeof closed);
    if (!context) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    graze_articulated_options asked;
    graze_link_distance found = graze_default_link_distance();
    gz_pieces written = gz_bytes_at(result, result->struct_size);
    status = gz_motions_check(context, models, count, motions, 1, written, options, &asked);
    if (status == GRAZE_OK) status = measure(context, models, count, motions, &asked, &found);
    if (status == GRAZE_OK) gz_sized_write(result, &found, sizeof found);
    return gz_context_leave(context, &env, status);
}
