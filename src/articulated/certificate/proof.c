/* Writes the proof in one walk: a window of time holds pairs of nodes; each is apart along a direction, or split, or
   left to the two halves of the window. Every test asks for twice the margin that it needs, so that a checker with
   enclosures of its own comes to the same end. */
#include "articulated/certificate/proof.h"

#include "articulated/touch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHORTEST_WINDOW 0x1p-40 /* of the whole time: a pair of triangles that needs less is left unproven */
#define NODE_SWEEP 2.0          /* a node that moves more than this many times its size waits for a shorter window */
#define FIRST_BITS 7            /* of the whole numbers that make a direction; then four times as many steps, … */
#define MOST_BITS 47

enum { GUIDE = 3, DIRECTIONS = 4 };

/* One link seen from the other, along the axes of the other and along a direction that was found for triangles. */
typedef struct sight {
    const gz_link *mover, *stander;
    double extent[2][3];
    gz_frame_model frame; /* of the mover, seen from the stander */
    gz_projection along[DIRECTIONS];
    bool guided;
    double guide[3];
} sight;

typedef struct prover {
    gz_frames *frames;
    uint32_t a, b;
    double contact, shortest;
    uint64_t tests, most;
    sight sights[2]; /* a seen from b, b seen from a */
    gz_front_item *front;
    size_t front_count, front_room;
    gz_proof *proof;
    graze_reason reason;
} prover;

static bool has_failed(prover *job, bool failed, graze_reason reason) {
    if (failed && job->reason == GRAZE_REASON_NONE) job->reason = reason;
    return job->reason != GRAZE_REASON_NONE;
}

/* ---- text ---- */

static void put(prover *job, const char *text) {
    gz_proof *proof = job->proof;
    size_t size = strlen(text);
    bool fits = gz_grow(job->frames->scene->context, (void **)&proof->text, &proof->room, proof->size + size, 1);
    if (has_failed(job, !fits, GRAZE_REASON_MEMORY)) return;
    memcpy(proof->text + proof->size, text, size);
    proof->size += size;
}

static void put_direction(prover *job, int which, int direction) {
    static const char letters[2][DIRECTIONS][2] = {{"x", "y", "z", "k"}, {"X", "Y", "Z", "K"}};
    put(job, letters[which][direction]);
}

/* A direction that becomes the guide. */
static void put_guide(prover *job, int which) {
    char text[100];
    const double *n = job->sights[which].guide;
    snprintf(text, sizeof text, which ? "[%lld,%lld,%lld]" : "(%lld,%lld,%lld)", (long long)n[0], (long long)n[1],
             (long long)n[2]);
    put(job, text);
}

/* ---- what a window shows ---- */

static void project(prover *job, sight *at, int direction, const double n[3]) {
    gz_project(&at->frame, at->extent[0], at->extent[1], n, job->contact, &at->along[direction]);
}

static void open_window(prover *job, double begin, double end) {
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    gz_frames_window(job->frames, begin, end);
    gz_frames_relative(job->frames, job->a, job->b, &job->sights[0].frame);
    gz_frames_relative(job->frames, job->b, job->a, &job->sights[1].frame);
    for (int which = 0; which < 2; which++) {
        sight *at = &job->sights[which];
        for (int i = 0; i < 3; i++) project(job, at, i, axes[i]);
        if (at->guided) project(job, at, GUIDE, at->guide);
    }
}

typedef struct interval {
    double low, high;
} interval;

static interval join(interval a, interval b) { return (interval){fmin(a.low, b.low), fmax(a.high, b.high)}; }

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static interval moving_interval(const gz_projection *p, const gz_link *link, const gz_face_node *node) {
    double half, sweep, middle = gz_node_interval(p, node, &half, &sweep);
    interval all = {middle - half, middle + half};
    if (!gz_face_node_is_leaf(node)) return all;
    for (int k = 0; k < 3; k++) {
        gz_face_node corner = {0};
        memcpy(corner.center, link->vertices[link->faces[node->face][k]], sizeof corner.center);
        middle = gz_node_interval(p, &corner, &half, &sweep);
        interval one = {middle - half, middle + half};
        all = k ? join(all, one) : one;
    }
    return all;
}

static interval standing_interval(const double n[3], const gz_link *link, const gz_face_node *node) {
    double middle = dot(n, node->center), half = 0;
    for (int c = 0; c < 3; c++) half += fabs(n[c]) * node->half[c];
    interval all = {middle - half, middle + half};
    for (int k = 0; k < 3 && gz_face_node_is_leaf(node); k++) {
        double at = dot(n, link->vertices[link->faces[node->face][k]]);
        all = k ? join(all, (interval){at, at}) : (interval){at, at};
    }
    return all;
}

/* `nodes`: of a, of b. */
static bool apart_along(prover *job, const gz_face_node *const nodes[2], int which, int direction) {
    const sight *at = &job->sights[which];
    const gz_projection *p = &at->along[direction];
    interval moving = moving_interval(p, at->mover, nodes[which]);
    interval standing = standing_interval(p->n, at->stander, nodes[!which]);
    double room = (2 * p->margin + p->reach) * GZ_TAYLOR_UP;
    job->tests++;
    return moving.low - standing.high > room || standing.low - moving.high > room;
}

/* ---- directions ---- */

static bool axes_tell(prover *job, const gz_face_node *const nodes[2]) {
    for (int direction = DIRECTIONS - 1; direction >= 0; direction--)
        for (int which = 0; which < 2; which++) {
            if (direction == GUIDE && !job->sights[which].guided) continue;
            if (!apart_along(job, nodes, which, direction)) continue;
            put_direction(job, which, direction);
            return true;
        }
    return false;
}

/* The direction n as whole numbers of so many bits. */
static bool rounded(const double n[3], int bits, double whole[3]) {
    double most = fmax(fabs(n[0]), fmax(fabs(n[1]), fabs(n[2])));
    if (!(most > 0) || !isfinite(most)) return false;
    for (int c = 0; c < 3; c++) whole[c] = rint(n[c] / most * ldexp(1, bits));
    return true;
}

static bool try_guide(prover *job, const gz_face_node *const nodes[2], int which, const double n[3], int bits) {
    sight *at = &job->sights[which];
    double before[3];
    memcpy(before, at->guide, sizeof before);
    if (!rounded(n, bits, at->guide)) return false;
    project(job, at, GUIDE, at->guide);
    if (apart_along(job, nodes, which, GUIDE)) {
        at->guided = true;
        put_guide(job, which);
        return true;
    }
    memcpy(at->guide, before, sizeof before);
    if (at->guided) project(job, at, GUIDE, at->guide);
    return false;
}

/* The line through the closest points of two triangles, halfway through the window. */
static bool faces_tell(prover *job, const gz_face_node *const nodes[2]) {
    const sight *at = &job->sights[0];
    gz_triangle a = gz_triangle_at(&at->frame, at->mover, nodes[0]->face, 0);
    gz_triangle b = gz_triangle_of(at->stander, nodes[1]->face);
    gz_face_gap gap = gz_gap_of_faces(&a, &b);
    double n[2][3] = {{gap.n.c[0], gap.n.c[1], gap.n.c[2]}};
    for (int j = 0; j < 3; j++)
        n[1][j] = at->frame.c[0][0][j] * n[0][0] + at->frame.c[0][1][j] * n[0][1] + at->frame.c[0][2][j] * n[0][2];
    for (int bits = FIRST_BITS; bits <= MOST_BITS; bits += 8)
        for (int which = 0; which < 2; which++)
            if (try_guide(job, nodes, which, n[which], bits)) return true;
    return false;
}

/* ---- the walk ---- */

static bool waits(const prover *job, const gz_face_node *const nodes[2], double length) {
    double most = 0;
    if (gz_face_node_is_leaf(nodes[0]) && gz_face_node_is_leaf(nodes[1])) return true;
    if (!(length > job->shortest)) return false;
    for (int i = 0; i < 3; i++) {
        const gz_projection *p = &job->sights[0].along[i];
        double half, sweep;
        gz_node_interval(p, nodes[0], &half, &sweep);
        most = fmax(most, sweep + p->margin);
    }
    return most > NODE_SWEEP * (gz_node_size(nodes[0]) + gz_node_size(nodes[1]));
}

static void leave(prover *job, gz_front_item at, double length) {
    bool too_short = !(length > job->shortest);
    if (has_failed(job, too_short, GRAZE_REASON_PRECISION)) return;
    bool fits = gz_grow(job->frames->scene->context, (void **)&job->front, &job->front_room, job->front_count + 1,
                        sizeof *job->front);
    if (has_failed(job, !fits, GRAZE_REASON_MEMORY)) return;
    job->front[job->front_count++] = at;
    put(job, "t");
}

/* The children in the order of the tree. */
static void split(prover *job, gz_node_stack *stack, gz_front_item at, const gz_face_node *const nodes[2]) {
    bool of_a = !gz_face_node_is_leaf(nodes[0]) &&
                (gz_face_node_is_leaf(nodes[1]) || gz_node_size(nodes[0]) > gz_node_size(nodes[1]));
    gz_front_item first = at, second = at;
    if (of_a) {
        first.a = at.a + 1;
        second.a = nodes[0]->right;
    } else {
        first.b = at.b + 1;
        second.b = nodes[1]->right;
    }
    stack->items[stack->count++] = second;
    stack->items[stack->count++] = first;
    put(job, of_a ? "a" : "b");
}

static void walk(prover *job, gz_front_item start, double length) {
    gz_node_stack stack;
    gz_node_stack_open(&stack, start);
    while (stack.count && !has_failed(job, job->tests > job->most, GRAZE_REASON_BUDGET)) {
        gz_front_item at = stack.items[--stack.count];
        const gz_face_node *nodes[2] = {&job->sights[0].mover->tree.nodes[at.a],
                                        &job->sights[0].stander->tree.nodes[at.b]};
        bool faces = gz_face_node_is_leaf(nodes[0]) && gz_face_node_is_leaf(nodes[1]);
        if (axes_tell(job, nodes) || (faces && faces_tell(job, nodes))) continue;
        if (waits(job, nodes, length))
            leave(job, at, length);
        else
            split(job, &stack, at, nodes);
    }
}

/* Proves items [first, last) of the front. Those left over go to both halves of the window. */
static void prove(prover *job, double begin, double end, size_t first, size_t last) {
    if (has_failed(job, gz_cancelled(job->frames->scene->context), GRAZE_REASON_CANCELLED)) return;
    open_window(job, begin, end);
    size_t mark = job->front_count;
    for (size_t i = first; i < last; i++) walk(job, job->front[i], end - begin);
    size_t left = job->front_count;
    if (left > mark && job->reason == GRAZE_REASON_NONE) {
        double middle = 0.5 * (begin + end);
        prove(job, begin, middle, mark, left);
        prove(job, middle, end, mark, left);
    }
    job->front_count = mark;
}

static void set_sight(sight *at, const gz_link *mover, const gz_link *stander) {
    *at = (sight){.mover = mover, .stander = stander};
    gz_link_extent(mover, at->extent[0]);
    gz_link_extent(stander, at->extent[1]);
}

graze_reason gz_prove_apart(gz_frames *frames, uint32_t a, uint32_t b, double contact, double t_max, uint64_t most,
                            gz_proof *proof) {
    const gz_link *links[2] = {gz_scene_at(frames->scene, a)->link, gz_scene_at(frames->scene, b)->link};
    prover job = {.frames = frames, .a = a, .b = b, .contact = contact, .most = most, .proof = proof};
    job.shortest = SHORTEST_WINDOW * t_max;
    set_sight(&job.sights[0], links[0], links[1]);
    set_sight(&job.sights[1], links[1], links[0]);
    graze_context *context = frames->scene->context;
    job.front_count = 1;
    if (!gz_grow(context, (void **)&job.front, &job.front_room, 1, sizeof *job.front)) return GRAZE_REASON_MEMORY;
    job.front[0] = (gz_front_item){0};
    prove(&job, 0, t_max, 0, 1);
    gz_release(context, job.front, job.front_room * sizeof *job.front);
    return job.reason;
}

void gz_proof_release(graze_context *context, gz_proof *proof) {
    gz_release(context, proof->text, proof->room);
    *proof = (gz_proof){0};
}
