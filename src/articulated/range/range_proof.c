/* Writes the proof in one walk over cells: each holds pairs of nodes, and each of them is apart along a direction, or
   split, or left to the two halves of the cell. What is proven in a cell holds in all of its parts. Tests ask for a
   little more than they need, so that a checker that cuts the range in exact numbers comes to the same end. */
#include "articulated/range/range_proof.h"

#include "articulated/node_pairs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NODE_SWEEP 1.0 /* nodes that move more than this many times their size wait for smaller cells */
#define ROOM 0x1p-30   /* part of what is needed that is asked for beyond it */
#define FIRST_BITS 7   /* of the whole numbers that make a direction; then 2^8 times as many steps, … */
#define MOST_BITS 47

/* The axes of the frame, directions that were given before, and the axes of b in the middle of the cell. */
enum { AXES = 3, PLACES = 8, OWN = AXES + PLACES, DIRECTIONS = OWN + 3 };

typedef struct direction {
    double n[3]; /* whole numbers */
    bool exists, known;
    gz_cell_line line; /* of this cell, where it is known */
} direction;

typedef struct cell_bounds {
    double lower[GZ_MOST_VARIABLES], upper[GZ_MOST_VARIABLES];
    double share;
} cell_bounds;

typedef struct range_prover {
    graze_context *context;
    const gz_range_links *links;
    const gz_range_search *search;
    const cell_bounds *cell; /* that is looked at */
    gz_cell_view view;
    direction directions[DIRECTIONS];
    unsigned given; /* how many directions were given */
    int last;       /* the one that told two nodes apart last */
    gz_range_faces *front;
    size_t front_count, front_room;
    gz_range_proof *out;
} range_prover;

/* ---- text ---- */

static void put(range_prover *job, const char *text) {
    gz_proof *proof = &job->out->proof;
    size_t size = strlen(text);
    if (!job->search->text) return;
    if (!gz_grow(job->context, (void **)&proof->text, &proof->room, proof->size + size, 1)) job->out->failed = true;
    if (job->out->failed) return;
    memcpy(proof->text + proof->size, text, size);
    proof->size += size;
}

static void put_letter(range_prover *job, char letter) { put(job, (char[2]){letter, '\0'}); }

/* A direction becomes the next one that was given. */
static int give(range_prover *job, const double n[3]) {
    char text[100];
    int at = AXES + (int)(job->given++ % PLACES);
    direction *to = &job->directions[at];
    memcpy(to->n, n, sizeof to->n);
    to->exists = true;
    to->known = false;
    snprintf(text, sizeof text, "(%lld,%lld,%lld)", (long long)n[0], (long long)n[1], (long long)n[2]);
    put(job, text);
    return at;
}

static void put_direction(range_prover *job, int which) {
    if (which >= OWN)
        which = give(job, job->directions[which].n);
    else
        put_letter(job, which < AXES ? "xyz"[which] : (char)('0' + which - AXES));
    job->last = which;
}

/* ---- directions ---- */

/* The direction n as whole numbers of so many bits. */
static bool rounded(const double n[3], int bits, double whole[3]) {
    double most = fmax(fabs(n[0]), fmax(fabs(n[1]), fabs(n[2])));
    if (!(most > 0) || !isfinite(most)) return false;
    for (int c = 0; c < 3; c++) whole[c] = rint(n[c] / most * ldexp(1, bits));
    return true;
}

static const gz_cell_line *line_of(range_prover *job, int which) {
    direction *at = &job->directions[which];
    if (!at->known) gz_cell_line_set(&job->view, at->n, &at->line);
    at->known = true;
    return &at->line;
}

/* False where a joint cannot take the values: then nothing is known of the cell. */
static bool open_cell(range_prover *job, const cell_bounds *cell) {
    job->cell = cell;
    if (!gz_cell_view_open(&job->view, job->links, cell->lower, cell->upper)) return false;
    for (int i = 0; i < OWN; i++) job->directions[i].known = false;
    for (int j = 0; j < 3; j++) {
        direction *own = &job->directions[OWN + j];
        const gz_forms *b = &job->view.forms[1];
        own->known = false;
        own->exists = rounded((double[3]){b->c0[0][j], b->c0[1][j], b->c0[2][j]}, FIRST_BITS, own->n);
    }
    return true;
}

/* ---- hulls ---- */

/* Along a direction that is known. */
static bool hulls_tell_along(range_prover *job, int which, gz_range_faces at) {
    if (!job->directions[which].exists) return false;
    if (!gz_cell_hulls_apart(&job->view, line_of(job, which), at, ROOM)) return false;
    put(job, "h");
    put_direction(job, which);
    return true;
}

/* Of whole links, along the line between the closest points of their hulls. *apart: they are, in the middle of the
 * cell.
 */
static bool links_tell(range_prover *job, bool *apart) {
    double middle[3];
    *apart = gz_cell_hull_direction(&job->view, middle);
    for (int bits = FIRST_BITS; bits <= FIRST_BITS + 8 && *apart; bits += 8) {
        gz_cell_line line;
        double n[3];
        if (!rounded(middle, bits, n)) return false;
        gz_cell_line_set(&job->view, n, &line);
        if (!gz_cell_hulls_apart(&job->view, &line, (gz_range_faces){0, 0}, ROOM)) continue;
        put(job, "h");
        job->last = give(job, n);
        return true;
    }
    return false;
}

/* ---- boxes and triangles ---- */

static bool tells(range_prover *job, int which, gz_range_faces at, bool faces) {
    if (!job->directions[which].exists) return false;
    const gz_face_node *a = &job->view.a->tree.nodes[at.a], *b = &job->view.b->tree.nodes[at.b];
    const gz_cell_line *line = line_of(job, which);
    return faces ? gz_cell_faces_apart(&job->view, line, at, ROOM) : gz_cell_boxes_part(&job->view, line, a, b, ROOM);
}

static bool directions_tell(range_prover *job, gz_range_faces at, bool faces) {
    for (int i = -1; i < DIRECTIONS; i++) {
        int which = i < 0 ? job->last : i;
        if (!tells(job, which, at, faces)) continue;
        put_direction(job, which);
        return true;
    }
    return false;
}

static void middle_of(const range_prover *job, const cell_bounds *cell, double *middle) {
    for (int v = 0; v < job->links->variables; v++) {
        double x = cell->lower[v] + 0.5 * (cell->upper[v] - cell->lower[v]);
        middle[v] = fmin(fmax(x, cell->lower[v]), cell->upper[v]);
    }
}

/* Two triangles that seem to touch in the middle of the cell. */
static void ask(range_prover *job, const gz_triangle *x, const gz_triangle *y, double squared) {
    double contact = job->links->contact, middle[GZ_MOST_VARIABLES];
    if (!job->search->touches || !(squared <= contact * contact || gz_triangles_cross(x, y, 0))) return;
    middle_of(job, job->cell, middle);
    job->out->touched = job->search->touches(job->search->user, middle);
}

/* The line through the closest points of two triangles in the middle of the cell. */
static bool faces_tell(range_prover *job, gz_range_faces at) {
    gz_triangle x = gz_cell_triangle(&job->view, 0, at.a), y = gz_cell_triangle(&job->view, 1, at.b);
    gz_face_gap gap = gz_gap_of_faces(&x, &y);
    for (int bits = FIRST_BITS; bits <= MOST_BITS; bits += 8) {
        gz_cell_line line;
        double n[3];
        if (!rounded(gap.n.c, bits, n)) return false;
        gz_cell_line_set(&job->view, n, &line);
        if (!gz_cell_faces_apart(&job->view, &line, at, ROOM)) continue;
        job->last = give(job, n);
        return true;
    }
    ask(job, &x, &y, gap.squared);
    return false;
}

/* ---- one cell ---- */

static bool is_over(const range_prover *job) { return job->out->failed || job->out->touched; }

/* The distance that the middle of a node moves in the cell. */
static double sweep_of(range_prover *job, int side, const gz_face_node *node) {
    static const double point[3] = {0, 0, 0};
    double most = 0;
    for (int i = 0; i < AXES; i++) {
        double half;
        gz_line_box(&line_of(job, i)->of[side], job->links->variables, node->center, point, &half);
        most = fmax(most, half);
    }
    return most;
}

static bool waits(range_prover *job, const gz_face_node *a, const gz_face_node *b) {
    if (gz_face_node_is_leaf(a) && gz_face_node_is_leaf(b)) return true;
    return sweep_of(job, 0, a) + sweep_of(job, 1, b) > NODE_SWEEP * (gz_node_size(a) + gz_node_size(b));
}

static void leave(range_prover *job, gz_range_faces at) {
    if (!gz_grow(job->context, (void **)&job->front, &job->front_room, job->front_count + 1, sizeof *job->front)) {
        job->out->failed = true;
        return;
    }
    job->front[job->front_count++] = at;
    put(job, "c");
}

/* The children in the order of the tree. */
static void split(range_prover *job, gz_node_stack *stack, gz_range_faces at, const gz_face_node *a,
                  const gz_face_node *b) {
    bool of_a = !gz_face_node_is_leaf(a) && (gz_face_node_is_leaf(b) || gz_node_size(a) > gz_node_size(b));
    gz_front_item first = {0, at.a, at.b}, second = first;
    if (of_a) {
        first.a = at.a + 1;
        second.a = a->right;
    } else {
        first.b = at.b + 1;
        second.b = b->right;
    }
    stack->items[stack->count++] = second;
    stack->items[stack->count++] = first;
    put(job, of_a ? "a" : "b");
}

static void walk(range_prover *job, gz_range_faces start) {
    gz_node_stack stack;
    gz_node_stack_open(&stack, (gz_front_item){0, start.a, start.b});
    while (stack.count && !is_over(job)) {
        gz_front_item item = stack.items[--stack.count];
        gz_range_faces at = {item.a, item.b};
        const gz_face_node *a = &job->view.a->tree.nodes[at.a], *b = &job->view.b->tree.nodes[at.b];
        bool faces = gz_face_node_is_leaf(a) && gz_face_node_is_leaf(b), roots = at.a == 0 && at.b == 0, apart = false;
        if (!faces && (hulls_tell_along(job, job->last, at) || (roots && links_tell(job, &apart)))) continue;
        if (apart) {
            leave(job, at);
            continue;
        }
        if (directions_tell(job, at, faces) || (faces && faces_tell(job, at))) continue;
        if (waits(job, a, b))
            leave(job, at);
        else
            split(job, &stack, at, a, b);
    }
}

/* ---- all cells ---- */

static void give_up(range_prover *job, const cell_bounds *cell) {
    gz_range_proof *out = job->out;
    out->open += cell->share;
    put(job, "u");
    if (!(cell->share > out->largest)) return;
    out->largest = cell->share;
    memcpy(out->lower, cell->lower, sizeof out->lower);
    memcpy(out->upper, cell->upper, sizeof out->upper);
}

static bool is_spent(range_prover *job) {
    if (gz_cancelled(job->context)) job->out->cancelled = true;
    return job->out->cancelled || job->out->cells >= job->search->max_cells;
}

/* The variable to cut; −1: none can be, or the cell is too small. */
static int cut_of(const range_prover *job, const cell_bounds *cell) {
    if (job->links->variables == 0 || cell->share <= job->search->least_share) return -1;
    int v = gz_cell_widest(&job->view);
    double middle = cell->lower[v] + 0.5 * (cell->upper[v] - cell->lower[v]);
    return cell->lower[v] < middle && middle < cell->upper[v] ? v : -1;
}

static void prove(range_prover *job, const cell_bounds *cell, size_t first, size_t last) {
    if (is_spent(job)) {
        give_up(job, cell);
        return;
    }
    job->out->cells++;
    if (!open_cell(job, cell)) {
        give_up(job, cell);
        return;
    }
    size_t mark = job->front_count;
    int cut = cut_of(job, cell);
    for (size_t i = first; i < last && !is_over(job); i++) walk(job, job->front[i]);
    if (is_over(job)) return;
    if (job->front_count > mark && cut < 0) {
        give_up(job, cell);
    } else if (job->front_count > mark) {
        char place[40];
        size_t left = job->front_count;
        snprintf(place, sizeof place, "<%zu>", job->links->values[cut]);
        put(job, place);
        double middle = cell->lower[cut] + 0.5 * (cell->upper[cut] - cell->lower[cut]);
        for (int half = 0; half < 2 && !is_over(job); half++) {
            cell_bounds part = *cell;
            part.share = 0.5 * cell->share;
            *(half ? &part.lower[cut] : &part.upper[cut]) = middle;
            prove(job, &part, mark, left);
        }
    }
    job->front_count = mark;
}

void gz_range_prove(graze_context *context, const gz_range_links *links, const gz_range_search *search,
                    gz_range_proof *proof) {
    range_prover job = {.context = context, .links = links, .search = search, .out = proof};
    cell_bounds whole = {.share = 1};
    for (int i = 0; i < AXES; i++) job.directions[i] = (direction){.n = {i == 0, i == 1, i == 2}, .exists = true};
    memcpy(whole.lower, search->lower, (size_t)links->variables * sizeof *whole.lower);
    memcpy(whole.upper, search->upper, (size_t)links->variables * sizeof *whole.upper);
    proof->failed = !gz_grow(context, (void **)&job.front, &job.front_room, 1, sizeof *job.front);
    job.front_count = 1;
    if (!proof->failed) {
        job.front[0] = (gz_range_faces){0, 0};
        prove(&job, &whole, 0, 1);
    }
    gz_release(context, job.front, job.front_room * sizeof *job.front);
}
