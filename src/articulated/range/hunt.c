#include "articulated/range/hunt.h"

#include <math.h>
#include <string.h>

#define FIRST_STEP 0.25 /* of a range, on the way downhill; then halves of it */
#define LEAST_STEP 0x1p-12
#define NEARLY 0x1p-40 /* of the links' sizes: worth the proof that they touch */
enum { KEPT = 4, STACK = 512 };

/* A pose, and how far the hulls of the links are apart there. */
typedef struct hunted {
    double at[GZ_MOST_VARIABLES], gap;
} hunted;

typedef struct hunt {
    graze_context *context;
    const gz_range_links *links;
    const gz_range_search *search;
    uint64_t random;
    hunted kept[KEPT]; /* the closest so far, in order */
    bool found;
} hunt;

/* ---- triangles ---- */

static bool boxes_part(const gz_cell_view *view, const gz_cell_line *lines, const gz_face_node *a,
                       const gz_face_node *b) {
    for (int k = 0; k < 6; k++)
        if (gz_cell_boxes_part(view, &lines[k], a, b, 0)) return true;
    return false;
}

/* Rounding may part triangles that lie in one plane. */
static bool faces_touch(const gz_cell_view *view, gz_range_faces at) {
    gz_triangle x = gz_cell_triangle(view, 0, at.a), y = gz_cell_triangle(view, 1, at.b);
    double contact = view->links->contact + NEARLY * (view->a->radius + view->b->radius);
    return gz_triangles_cross(&x, &y, 0) || gz_gap_of_faces(&x, &y).squared <= contact * contact;
}

/* The node of the larger box is split; a leaf is not. */
static bool splits_a(const gz_face_node *a, const gz_face_node *b) {
    if (gz_face_node_is_leaf(a) || gz_face_node_is_leaf(b)) return gz_face_node_is_leaf(b);
    return fmax(a->half[0], fmax(a->half[1], a->half[2])) >= fmax(b->half[0], fmax(b->half[1], b->half[2]));
}

/* True if some triangles seem to touch, along the axes of both links. */
static bool triangles_touch(const gz_cell_view *view) {
    gz_cell_line lines[6];
    gz_range_faces stack[STACK] = {{0, 0}};
    size_t count = 1;
    for (int k = 0; k < 6; k++) {
        const gz_forms *f = &view->forms[k / 3];
        gz_cell_line_set(view, (double[3]){f->c0[0][k % 3], f->c0[1][k % 3], f->c0[2][k % 3]}, &lines[k]);
    }
    while (count && count + 2 <= STACK) {
        gz_range_faces at = stack[--count];
        const gz_face_node *a = &view->a->tree.nodes[at.a], *b = &view->b->tree.nodes[at.b];
        if (boxes_part(view, lines, a, b)) continue;
        if (gz_face_node_is_leaf(a) && gz_face_node_is_leaf(b)) {
            if (faces_touch(view, at)) return true;
            continue;
        }
        bool first = splits_a(a, b);
        stack[count++] = first ? (gz_range_faces){a->right, at.b} : (gz_range_faces){at.a, b->right};
        stack[count++] = first ? (gz_range_faces){at.a + 1, at.b} : (gz_range_faces){at.a, at.b + 1};
    }
    return false;
}

/* ---- poses ---- */

/* Sets pose->gap; job->found where the links touch. */
static void look(hunt *job, hunted *pose) {
    gz_cell_view view;
    double n[3];
    pose->gap = INFINITY;
    if (!gz_cell_view_open(&view, job->links, pose->at, pose->at)) return;
    bool apart = gz_cell_hull_direction(&view, n);
    pose->gap = apart ? sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) : 0;
    if (pose->gap > 2 * job->links->contact || !triangles_touch(&view)) return;
    job->found = job->search->touches(job->search->user, pose->at);
}

static void keep(hunt *job, const hunted *pose) {
    int place = KEPT;
    while (place > 0 && pose->gap < job->kept[place - 1].gap) place--;
    if (place == KEPT) return;
    memmove(&job->kept[place + 1], &job->kept[place], (size_t)(KEPT - 1 - place) * sizeof *pose);
    job->kept[place] = *pose;
}

static double within(const hunt *job, int v, double x) {
    return fmin(fmax(x, job->search->lower[v]), job->search->upper[v]);
}

static double range_of(const hunt *job, int v) { return job->search->upper[v] - job->search->lower[v]; }

static bool is_over(const hunt *job) { return job->found || gz_cancelled(job->context); }

static double next_random(uint64_t *state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return ldexp((double)((x ^ (x >> 31)) >> 11), -53);
}

static void draw(hunt *job) {
    hunted pose;
    for (int v = 0; v < job->links->variables; v++)
        pose.at[v] = within(job, v, job->search->lower[v] + next_random(&job->random) * range_of(job, v));
    look(job, &pose);
    keep(job, &pose);
}

/* ---- downhill ---- */

/* One value up or down; true where that is closer. */
static bool go(hunt *job, hunted *from, int v, double step) {
    hunted pose = *from;
    pose.at[v] = within(job, v, from->at[v] + step * range_of(job, v));
    if (pose.at[v] == from->at[v]) return false;
    look(job, &pose);
    if (!(pose.gap < from->gap)) return false;
    *from = pose;
    return true;
}

static void go_downhill(hunt *job, hunted from) {
    for (double step = FIRST_STEP; step > LEAST_STEP && from.gap > 0 && !is_over(job);) {
        bool closer = false;
        for (int v = 0; v < job->links->variables && !is_over(job); v++)
            closer |= go(job, &from, v, step) || (!job->found && go(job, &from, v, -step));
        if (!closer) step *= 0.5;
    }
}

bool gz_range_hunt(graze_context *context, const gz_range_links *links, const gz_range_search *search,
                   uint32_t samples) {
    hunt job = {.context = context, .links = links, .search = search};
    job.random = ((uint64_t)links->a << 32) + links->b; /* the poses depend on the pair alone */
    for (int k = 0; k < KEPT; k++) job.kept[k].gap = INFINITY;
    if (samples && !links->variables) samples = 1; /* there is one pose */
    for (uint32_t k = 0; k < samples && !is_over(&job); k++) draw(&job);
    for (int k = 0; k < KEPT && links->variables && !is_over(&job); k++)
        if (isfinite(job.kept[k].gap)) go_downhill(&job, job.kept[k]);
    return job.found;
}
