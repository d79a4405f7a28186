/* Spatial and temporal culling of pairs of links. */
#include "articulated/cull.h"

#include "articulated/projection.h"
#include "motion/rounding.h"

#include <math.h>

#define TURN_OF_A_WINDOW 1.5 /* radians that all joints of a chain may turn by in one Taylor model of a box */
#define MOST_WINDOWS 64
#define LEAST_ADVANCE 0x1p-6
#define FEW_LINKS 16 /* so many are sooner compared each with each */

/* ---- boxes ---- */

static void join(gz_link_box *box, const gz_link_box *more) {
    for (int c = 0; c < 3; c++) {
        if (more->lo[c] < box->lo[c]) box->lo[c] = more->lo[c];
        if (more->hi[c] > box->hi[c]) box->hi[c] = more->hi[c];
    }
    box->fixed = box->fixed && more->fixed;
}

static gz_link_box nothing(bool fixed) {
    return (gz_link_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, fixed};
}

static double growth_of(const gz_scene_link *link, double separation) {
    return (0.5 * fmax(separation, link->margin) + link->link->padding) * GZ_TAYLOR_UP;
}

/* The interval of a link along an axis, margins included, where its frame moves. */
static double sweep_along(const gz_frame_model *frame, const gz_link *link, const double extent[3], int axis,
                          double grow, double *half) {
    gz_projection p;
    double sweep;
    gz_project_axis(frame, extent, 0, axis, grow, &p);
    double middle = gz_node_interval(&p, link->tree.nodes, half, &sweep);
    *half = (*half + p.margin + p.reach) * GZ_TAYLOR_UP;
    return middle;
}

/* As sweep_along(), to the bit, where the frame does not move. */
static double stand_along(const gz_frame_model *frame, const gz_link *link, const double extent[3], int axis,
                          double grow, double *half) {
    const gz_face_node *root = link->tree.nodes;
    const double *x = frame->c[0][axis], *n = frame->n[axis], *r = frame->r[axis];
    double size = n[3] + n[0] * extent[0] + n[1] * extent[1] + n[2] * extent[2];
    double rest = r[3] + r[0] * extent[0] + r[1] * extent[1] + r[2] * extent[2];
    double margin = (rest + (GZ_PROJECTION_SLACK * size + GZ_TAYLOR_TINY)) * GZ_TAYLOR_UP;
    double own = fabs(x[0]) * root->half[0] + fabs(x[1]) * root->half[1] + fabs(x[2]) * root->half[2];
    *half = (own + margin + (grow > 0 ? grow * GZ_TAYLOR_UP : 0)) * GZ_TAYLOR_UP;
    return x[3] + (x[0] * root->center[0] + x[1] * root->center[1] + x[2] * root->center[2]);
}

gz_link_box gz_cull_box(gz_frames *frames, uint32_t index, double separation) {
    const gz_scene_link *at = gz_scene_at(frames->scene, index);
    const gz_link *link = at->link;
    if (!link->tree.nodes) return nothing(link->on_world);
    const gz_frame_model *frame = gz_frames_world(frames, index);
    bool still = at->still || frames->window.h == 0;
    double extent[3], grow = growth_of(at, separation);
    gz_link_extent(link, extent);
    gz_link_box swept = {.fixed = link->on_world};
    for (int i = 0; i < 3; i++) {
        double half, middle = still ? stand_along(frame, link, extent, i, grow, &half)
                                    : sweep_along(frame, link, extent, i, grow, &half);
        swept.lo[i] = middle - half;
        swept.hi[i] = middle + half;
    }
    return swept;
}

/* Total turn of the joints that carry a link. */
static double turn_of(const gz_scene *scene, uint32_t index) {
    double turn = 0;
    for (int32_t i = (int32_t)index; i >= 0; i = gz_scene_at(scene, (uint32_t)i)->parent)
        turn += gz_scene_at(scene, (uint32_t)i)->joint.spin;
    return turn;
}

int gz_cull_windows(const gz_scene *scene, double t_max) {
    double most = 0;
    for (size_t i = scene->still_count; i < scene->count; i++)
        if (gz_scene_at(scene, i)->link->tree.nodes) most = fmax(most, t_max * turn_of(scene, (uint32_t)i));
    double wanted = ceil(most / TURN_OF_A_WINDOW);
    return wanted < 1 ? 1 : wanted < MOST_WINDOWS ? (int)wanted : MOST_WINDOWS;
}

double gz_cull_window_begin(double t_max, int index, int windows) {
    return index == windows ? t_max : t_max * index / windows;
}

void gz_cull_boxes(gz_frames *frames, double t_max, double separation, int windows, gz_link_box *boxes) {
    const gz_scene *scene = frames->scene;
    size_t movers = scene->count - scene->still_count;
    for (int w = 0; w < windows; w++) {
        gz_link_box *of_window = boxes + (size_t)(w + 1) * movers;
        gz_frames_window(frames, gz_cull_window_begin(t_max, w, windows), gz_cull_window_begin(t_max, w + 1, windows));
        for (size_t i = 0; i < movers; i++) {
            bool known = w > 0 && scene->links[i].still;
            of_window[i] = known ? boxes[i] : gz_cull_box(frames, (uint32_t)(scene->still_count + i), separation);
            if (w == 0)
                boxes[i] = of_window[i];
            else
                join(&boxes[i], &of_window[i]);
        }
    }
}

void gz_cull_boxes_at(gz_frames *frames, double t, double separation, gz_link_box *boxes) {
    const gz_scene *scene = frames->scene;
    gz_frames_window(frames, t, t);
    for (size_t i = scene->still_count; i < scene->count; i++)
        boxes[i - scene->still_count] = gz_cull_box(frames, (uint32_t)i, separation);
}

/* ---- the hierarchy ---- */

bool gz_link_boxes_meet(const gz_link_box *a, const gz_link_box *b) {
    for (int c = 0; c < 3; c++)
        if (!(a->lo[c] <= b->hi[c] && b->lo[c] <= a->hi[c])) return false;
    return true;
}

/* Links [begin, end) and the place of their box in the tree: the first half's node follows, then the second half's. */
typedef struct link_range {
    size_t begin, end, node;
} link_range;

static link_range half_of(link_range range, int second) {
    size_t middle = range.begin + (range.end - range.begin) / 2;
    if (!second) return (link_range){range.begin, middle, range.node + 1};
    return (link_range){middle, range.end, range.node + 2 * (middle - range.begin)};
}

static void build(const gz_link_box *boxes, link_range range, gz_link_box *tree) {
    tree[range.node] = boxes[range.begin];
    if (range.end - range.begin == 1) return;
    for (int second = 0; second < 2; second++) {
        link_range half = half_of(range, second);
        build(boxes, half, tree);
        join(&tree[range.node], &tree[half.node]);
    }
}

typedef struct link_walk {
    const gz_link_box *tree;
    gz_pair_sink *sink;
    void *user;
} link_walk;

static bool walk_two(const link_walk *walk, link_range a, link_range b) {
    if (walk->tree[a.node].fixed && walk->tree[b.node].fixed) return true;
    if (!gz_link_boxes_meet(&walk->tree[a.node], &walk->tree[b.node])) return true;
    size_t links_a = a.end - a.begin, links_b = b.end - b.begin;
    if (links_a == 1 && links_b == 1) return walk->sink(walk->user, (uint32_t)a.begin, (uint32_t)b.begin);
    for (int second = 0; second < 2; second++) {
        bool go_on = links_a >= links_b ? walk_two(walk, half_of(a, second), b) : walk_two(walk, a, half_of(b, second));
        if (!go_on) return false;
    }
    return true;
}

static bool walk_within(const link_walk *walk, link_range range) {
    if (range.end - range.begin == 1 || walk->tree[range.node].fixed) return true;
    link_range first = half_of(range, 0), second = half_of(range, 1);
    return walk_within(walk, first) && walk_two(walk, first, second) && walk_within(walk, second);
}

/* Every two of them. */
static bool meet_all(const gz_link_box *boxes, size_t count, gz_pair_sink *sink, void *user) {
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = a + 1; b < count; b++) {
            bool fixed = boxes[a].fixed && boxes[b].fixed;
            if (!fixed && gz_link_boxes_meet(&boxes[a], &boxes[b]) && !sink(user, a, b)) return false;
        }
    return true;
}

bool gz_cull_pairs(const gz_link_box *boxes, size_t count, gz_link_box *tree, gz_pair_sink *sink, void *user) {
    link_range all = {0, count, 0};
    link_walk walk = {tree, sink, user};
    if (count <= FEW_LINKS) return meet_all(boxes, count, sink, user);
    build(boxes, all, tree);
    return walk_within(&walk, all);
}

/* ---- safe times ---- */

/* A box of a link at one time, in the frame of the ancestor. */
typedef struct placed_box {
    double center[3], side[3][3], half[3], error; /* side[j] is axis j */
} placed_box;

static placed_box place_box(gz_frames *frames, uint32_t index, int32_t ancestor) {
    const gz_face_node *root = gz_scene_at(frames->scene, index)->link->tree.nodes;
    const gz_frame_model *frame = gz_frames_chain(frames, index, ancestor);
    double size = 0, rest = 0;
    placed_box box;
    for (int i = 0; i < 3; i++) {
        const double *row = frame->c[0][i];
        box.center[i] = row[3];
        size += frame->n[i][3];
        rest += frame->r[i][3];
        for (int j = 0; j < 3; j++) {
            double extent = fabs(root->center[j]) + root->half[j];
            box.center[i] += row[j] * root->center[j];
            box.side[j][i] = row[j];
            size += frame->n[i][j] * extent;
            rest += frame->r[i][j] * extent;
        }
        box.half[i] = root->half[i];
    }
    box.error = (rest + GZ_PROJECTION_SLACK * size) * GZ_TAYLOR_UP + GZ_TAYLOR_TINY;
    return box;
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double half_along(const placed_box *box, const double n[3]) {
    return box->half[0] * fabs(dot(box->side[0], n)) + box->half[1] * fabs(dot(box->side[1], n)) +
           box->half[2] * fabs(dot(box->side[2], n));
}

/* Gap between the boxes along n, which is of length 1 but for rounding. */
static double gap_along(const placed_box *a, const placed_box *b, const double n[3], double contact) {
    double centers[3] = {a->center[0] - b->center[0], a->center[1] - b->center[1], a->center[2] - b->center[2]};
    double widths = half_along(a, n) + half_along(b, n);
    return fabs(dot(centers, n)) - (widths + (gz_contact_along(contact) + 2 * (a->error + b->error)));
}

/* The farthest that a gap takes them, as time. */
static double best_step(gz_frames *frames, uint32_t a, uint32_t b, int32_t ancestor, double contact) {
    placed_box at[2] = {place_box(frames, a, ancestor), place_box(frames, b, ancestor)};
    double best = 0;
    for (int i = 0; i < 6; i++) {
        double n[3];
        gz_unit_of(at[i / 3].side[i % 3], n); /* a column of a rotation, so about 1 long */
        double gap = gap_along(&at[0], &at[1], n, contact);
        if (!(gap > 0)) continue;
        double speed =
            gz_scene_motion_bound(frames->scene, a, ancestor, n) + gz_scene_motion_bound(frames->scene, b, ancestor, n);
        best = fmax(best, gap / speed);
    }
    return best * GZ_WAIT_DOWN;
}

double gz_cull_safe_time(gz_frames *frames, uint32_t a, uint32_t b, double contact, double from, double t_max,
                         int steps, uint64_t *checks) {
    int32_t ancestor = gz_scene_ancestor(frames->scene, a, b);
    if (ancestor == (int32_t)a || ancestor == (int32_t)b) return from; /* one carries the other: boxes hardly tell */
    double t = from;
    for (int i = 0; i < steps && t < t_max; i++) {
        gz_frames_window(frames, t, t);
        double step = best_step(frames, a, b, ancestor, contact);
        ++*checks;
        if (!(step > LEAST_ADVANCE)) break; /* triangles will tell more */
        t = fmin(t_max, gz_time_after(t, step));
    }
    return t;
}
