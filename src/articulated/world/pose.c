/* Goes down the trees of links at a single time: frames are made once for all pairs, and no time is searched. */
#include "articulated/world/pose.h"

#include "articulated/wide/descent.h"

#include <math.h>

/* A pair of links on the way down. */
typedef struct pose_job {
    gz_search *search;
    size_t pair;
    gz_frame_model frame; /* of its first link, seen from the second */
    gz_link_view view;
    gz_window window;
    gz_touch_test test;
} pose_job;

/* A hit ends the search; what is not resolved stays as long as nothing else touches. */
static void keep(gz_search *search, size_t pair, const gz_touch *touch) {
    gz_touch *kept = &search->pairs[pair].touch;
    bool hit = touch->verdict == GRAZE_HIT;
    if (kept->verdict != GRAZE_HIT && (hit || kept->reason == GRAZE_REASON_NONE)) *kept = *touch;
    bool first = search->found == SIZE_MAX || (hit && search->pairs[search->found].touch.verdict != GRAZE_HIT);
    if (first) search->found = pair;
    search->limit = 0;
    if (hit && search->options.mode != GRAZE_ARTICULATED_ALL) search->done = true;
}

static void set_guide(pose_job *job, const gz_touch *touch) {
    job->search->pairs[job->pair].guided = true;
    gz_view_choose(&job->view, touch->closest.n.c);
}

/* Proven: the faces are apart along the direction of choice. As gz_faces_apart(), where nothing depends on time. */
static bool guide_tells(const pose_job *job, gz_faces faces) {
    const gz_projection *p = &job->view.along[GZ_VIEW_CHOICE];
    gz_triangle a = gz_triangle_of(job->view.a, faces.a), b = gz_triangle_of(job->view.b, faces.b);
    double low = INFINITY, high = -INFINITY;
    for (int v = 0; v < 3; v++) {
        const double *x = a.x[v].c, *y = b.x[v].c;
        double at = p->t[0] + (p->x[0][0] * x[0] + p->x[1][0] * x[1] + p->x[2][0] * x[2]);
        double to = p->n[0] * y[0] + p->n[1] * y[1] + p->n[2] * y[2];
        low = at < low ? at : low;
        high = to > high ? to : high;
    }
    return low > high + (p->margin + p->reach);
}

static gz_touch touch_of(const pose_job *job, gz_faces faces) {
    gz_triangle x = gz_triangle_at(&job->frame, job->view.a, faces.a, 0), y = gz_triangle_of(job->view.b, faces.b);
    return (gz_touch){.verdict = GRAZE_HIT, .faces = faces, .closest = gz_gap_of_faces(&x, &y)};
}

/* True if two triangles touch; where they are apart, others may be so along the same direction. */
static bool test_faces(pose_job *job, gz_faces faces) {
    gz_search *search = job->search;
    gz_pair_state *state = &search->pairs[job->pair];
    state->close = true;
    search->checks++;
    if (state->guided && guide_tells(job, faces)) return false;
    gz_touch touch;
    if (gz_touch_proven(&job->test, faces))
        touch = touch_of(job, faces);
    else
        touch = gz_touch_advance(&search->narrow, &state->pair, faces, &job->frame, job->window, 0, 0, &search->checks);
    if (touch.verdict == GRAZE_CLEAR)
        set_guide(job, &touch);
    else
        keep(search, job->pair, &touch);
    return touch.verdict == GRAZE_HIT;
}

static void descend(pose_job *job) {
    gz_search *search = job->search;
    gz_close_stack stack;
    search->checks++;
    gz_close_stack_open(&stack, &job->view, 0, 0);
    search->pairs[job->pair].looked = stack.count;
    while (stack.count) {
        gz_close_nodes at = stack.items[--stack.count];
        const gz_face_node *x = &job->view.a->tree.nodes[at.a], *y = &job->view.b->tree.nodes[at.b];
        if (search->checks > search->options.max_checks) {
            search->reason = GRAZE_REASON_BUDGET;
            search->ended_at = 0;
            return;
        }
        if (!gz_face_node_is_leaf(x) || !gz_face_node_is_leaf(y))
            search->checks += gz_push_close(&stack, &job->view, at);
        else if (test_faces(job, (gz_faces){x->face, y->face}))
            return;
    }
}

static bool has_ended(const gz_search *search) { return search->done || search->reason != GRAZE_REASON_NONE; }

static void test_pair(gz_search *search, size_t pair) {
    pose_job job; /* view and frame are made below */
    const gz_link_pair *links = &search->pairs[pair].pair;
    job.search = search;
    job.pair = pair;
    job.window = search->wide.window;
    gz_frames_relative(&search->wide, links->a, links->b, &job.frame);
    gz_view_open(&job.view, &search->scene, links->a, links->b, &job.frame, links->contact, true);
    job.test = gz_touch_test_of(&search->scene, links, &job.frame);
    descend(&job);
}

/* Links whose boxes are apart are not inside each other. */
static void look_inside(gz_search *search, size_t pair) {
    const gz_pair_state *state = &search->pairs[pair];
    if (!state->looked || state->touch.verdict == GRAZE_HIT) return;
    gz_inside inside = gz_links_inside_at(&search->wide, &state->pair, 0, &search->checks);
    gz_touch touch = {.verdict = GRAZE_HIT, .inside = true};
    if (inside == GZ_INSIDE_UNKNOWN)
        touch = (gz_touch){.reason = GRAZE_REASON_PRECISION, .proven = INFINITY, .inside = true};
    if (inside != GZ_OUTSIDE) keep(search, pair, &touch);
}

graze_status gz_search_pose(gz_search *search, gz_motions motions) {
    graze_status status = gz_search_begin(search, motions);
    if (status != GRAZE_OK) return status;
    status = gz_search_pairs_at(search, 0);
    if (status != GRAZE_OK) return status;
    if (search->options.mode == GRAZE_ARTICULATED_EARLIEST) search->options.mode = GRAZE_ARTICULATED_ANY;
    for (size_t i = 0; i < search->pair_count && !has_ended(search); i++) test_pair(search, i);
    for (size_t i = 0; search->options.check_inside && i < search->pair_count && !has_ended(search); i++)
        look_inside(search, i);
    if (search->reason == GRAZE_REASON_NONE && !search->done && gz_cancelled(search->scene.context)) {
        search->reason = GRAZE_REASON_CANCELLED;
        search->ended_at = 0;
    }
    return status;
}
