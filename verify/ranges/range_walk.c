#include "verify/ranges/range_walk.h"

#include "verify/node_pairs.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DIGITS 18 /* of a component of a direction */
#define MOST_DEPTH 900 /* of cells within cells */

enum { AXES = 3, PLACES = 8, DIRECTIONS = AXES + PLACES };

/* Both links along a direction of the frame that carries them: position and axes, times the direction. */
typedef struct sighting {
    bool exists, known; /* known: for this cell */
    mpz_t n[3], squared;
    form along[2][4];   /* the three axes, then the position */
    mpz_t spread[2][3]; /* the largest sizes of the axes */
} sighting;

typedef struct walk {
    const range_scene *scene;
    const joint_motion *joints; /* NULL: count only */
    path_pair pair;
    const char *at, *end;
    double claimed; /* share that may be given up */
    range_cost cost;
    mpz_t open; /* share that was given up, in units of 2^-MOST_DEPTH */
    pair_list front, stack;
    char *reason;
    range_cell cell;
    int depth;
    bool framed, given_up;
    range_frames frames;
    sighting by[DIRECTIONS];
    size_t given;
    mpz_t box[2], contact, least[2], most[2], low[3], high[3], term, sum, half;
} walk;

static bool fail(walk *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(walk *w, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(w->reason, VERIFY_TEXT, format, list);
    va_end(list);
    return false;
}

static bool push(walk *w, pair_list *list, node_pair pair) {
    return pair_list_add(list, pair) || fail(w, "out of memory");
}

static const path_mesh *mesh_of(const walk *w, int side) {
    return &w->scene->base.meshes[side ? w->pair.b : w->pair.a];
}

/* ---- directions ---- */

static void open_cell(walk *w) {
    w->framed = w->given_up = false;
    w->cost.cells++;
    for (int d = 0; d < DIRECTIONS; d++) w->by[d].known = false;
}

static void set_sighting(walk *w, sighting *to) {
    form part;
    if (!w->framed) range_frames_set(w->scene, w->joints, w->pair, &w->cell, &w->frames);
    w->framed = true;
    form_init(&part);
    mpz_set_ui(to->squared, 0);
    for (int i = 0; i < 3; i++) mpz_addmul(to->squared, to->n[i], to->n[i]);
    for (int side = 0; side < 2; side++)
        for (int j = 0; j < 4; j++) {
            form *along = &to->along[side][j];
            form_set_whole(along, 0);
            for (int i = 0; i < 3; i++) {
                if (mpz_sgn(to->n[i]) == 0) continue;
                form_scale(&part, &w->frames.of[side].m[i][j], to->n[i]);
                form_add(along, along, &part);
            }
            if (j < 3) form_most(to->spread[side][j], along);
        }
    form_clear(&part);
    to->known = true;
}

/* ---- whether two nodes are apart ---- */

/* A box in units: coordinates lie in [low, high + 1]. */
static void set_box(walk *w, const double low[3], const double high[3]) {
    for (int c = 0; c < 3; c++) {
        fixed_floor(w->low[c], low[c], w->scene->base.exponent);
        fixed_floor(w->high[c], high[c], w->scene->base.exponent);
    }
}

/* Twice where the points of the box are along the direction, in units of 2^(-2 FIXED_BITS), joined to what is known:
   with V = low + high + 1 and H = high - low + 1 twice a point is within H of V. */
static void join_range(walk *w, const sighting *by, int side, mpz_t least, mpz_t most, bool first) {
    const form *along = by->along[side];
    mpz_t middle;
    mpz_init(middle);
    mpz_mul_2exp(w->half, along[3].r, FIXED_BITS + 1);
    for (int j = 0; j < 3; j++) {
        mpz_sub(w->term, w->high[j], w->low[j]);
        mpz_add_ui(w->term, w->term, 1);
        mpz_addmul(w->half, by->spread[side][j], w->term);
        mpz_add(w->high[j], w->high[j], w->low[j]);
        mpz_add_ui(w->high[j], w->high[j], 1); /* V */
        mpz_abs(w->term, w->high[j]);
        mpz_addmul(w->half, along[j].r, w->term);
    }
    for (int k = 0; k < FORM_TERMS; k++) {
        mpz_set_ui(w->sum, 0);
        if (k < along[3].terms) mpz_mul_2exp(w->sum, along[3].c[k], FIXED_BITS + 1);
        for (int j = 0; j < 3; j++)
            if (k < along[j].terms) mpz_addmul(w->sum, along[j].c[k], w->high[j]);
        if (k == 0)
            mpz_set(middle, w->sum);
        else
            (mpz_sgn(w->sum) < 0 ? mpz_sub : mpz_add)(w->half, w->half, w->sum);
    }
    mpz_sub(w->sum, middle, w->half);
    if (first || mpz_cmp(w->sum, least) < 0) mpz_set(least, w->sum);
    mpz_add(w->sum, middle, w->half);
    if (first || mpz_cmp(w->sum, most) > 0) mpz_set(most, w->sum);
    mpz_clear(middle);
}

/* The three corners of a face. */
static void face_range(walk *w, const sighting *by, int side, size_t face, mpz_t least, mpz_t most, bool first) {
    const path_mesh *mesh = mesh_of(w, side);
    for (int k = 0; k < 3; k++) {
        const double *x = mesh->vertices[mesh->faces[face][k]];
        set_box(w, x, x);
        join_range(w, by, side, least, most, first && k == 0);
    }
}

static void box_range(walk *w, const sighting *by, int side, const node *of, mpz_t least, mpz_t most) {
    const path_node *box = &mesh_of(w, side)->nodes[of->index];
    set_box(w, box->low, box->high);
    join_range(w, by, side, least, most, true);
}

static void halves_of(const node *whole, node halves[2]) {
    size_t half = whole->count / 2;
    halves[0] = (node){whole->index + 1, whole->first, half};
    halves[1] = (node){whole->index + 2 * half, whole->first + half, whole->count - half};
}

/* All corners below a node; boxes that lie between the ends found so far are passed over. */
static void corner_range(walk *w, const sighting *by, int side, const node *of, mpz_t least, mpz_t most, bool first) {
    node halves[2];
    if (of->count == 1) {
        face_range(w, by, side, of->first, least, most, first);
        return;
    }
    if (!first) {
        box_range(w, by, side, of, w->box[0], w->box[1]);
        if (mpz_cmp(w->box[0], least) >= 0 && mpz_cmp(w->box[1], most) <= 0) return;
    }
    halves_of(of, halves);
    corner_range(w, by, side, &halves[0], least, most, first);
    corner_range(w, by, side, &halves[1], least, most, false);
}

static void node_range(walk *w, const sighting *by, int side, const node *of, bool corners, mpz_t least, mpz_t most) {
    if (corners || of->count == 1)
        corner_range(w, by, side, of, least, most, true);
    else
        box_range(w, by, side, of, least, most);
}

/* low - high is positive, and its square more than that of the contact's distance times the direction's length. */
static bool is_ahead(walk *w, const mpz_t low, const mpz_t high, const sighting *by) {
    mpz_sub(w->term, low, high);
    if (mpz_sgn(w->term) <= 0) return false;
    mpz_mul(w->term, w->term, w->term);
    mpz_mul(w->sum, w->contact, w->contact);
    mpz_mul(w->sum, w->sum, by->squared);
    mpz_mul_2exp(w->sum, w->sum, 2 * (FIXED_BITS + 1));
    return mpz_cmp(w->term, w->sum) > 0;
}

static bool are_apart(walk *w, const node_pair *nodes, int direction, bool corners) {
    sighting *by = &w->by[direction];
    w->cost.directions++;
    w->cost.corners += corners ? (double)nodes->of[0].count + (double)nodes->of[1].count : 2;
    if (!by->exists) return fail(w, "a direction that was not given before");
    if (!w->joints) return true;
    if (!by->known) set_sighting(w, by);
    for (int side = 0; side < 2; side++)
        node_range(w, by, side, &nodes->of[side], corners, w->least[side], w->most[side]);
    if (is_ahead(w, w->least[0], w->most[1], by) || is_ahead(w, w->least[1], w->most[0], by)) return true;
    return fail(w, "not apart in cell %llu", (unsigned long long)w->cost.cells - 1);
}

/* ---- letters ---- */

/* A whole number as JSON writes it. */
static bool read_whole(walk *w, long *value) {
    bool minus = w->at < w->end && *w->at == '-';
    const char *digits = w->at + minus;
    size_t count = 0;
    while (digits + count < w->end && digits[count] >= '0' && digits[count] <= '9') count++;
    if (count == 0 || count > MOST_DIGITS || (count > 1 && *digits == '0'))
        return fail(w, "numbers that are not whole, or too long");
    *value = 0;
    for (size_t i = 0; i < count; i++) *value = 10 * *value + (digits[i] - '0');
    if (minus) *value = -*value;
    w->at = digits + count;
    return true;
}

/* After the bracket: three numbers, which are not all zero, and the other bracket. The direction takes its place. */
static bool read_direction(walk *w, int *which) {
    *which = AXES + (int)(w->given++ % PLACES);
    sighting *by = &w->by[*which];
    for (int i = 0; i < 3; i++) {
        long n;
        if (!read_whole(w, &n)) return false;
        mpz_set_si(by->n[i], n);
        if (w->at == w->end || *w->at++ != (i < 2 ? ',' : ')')) return fail(w, "a direction has three numbers");
    }
    by->exists = true;
    by->known = false;
    return mpz_sgn(by->n[0]) || mpz_sgn(by->n[1]) || mpz_sgn(by->n[2]) || fail(w, "a direction that is zero");
}

static bool split(walk *w, const node_pair *nodes, int side) {
    node halves[2];
    if (nodes->of[side].count == 1) return fail(w, "a single triangle cannot be split");
    halves_of(&nodes->of[side], halves);
    node_pair first = *nodes, second = *nodes;
    first.of[side] = halves[0];
    second.of[side] = halves[1];
    return push(w, &w->stack, second) && push(w, &w->stack, first);
}

static bool follow_direction(walk *w, const node_pair *nodes, char letter, bool corners) {
    static const char letters[] = "xyz01234567";
    const char *found = letter ? strchr(letters, letter) : NULL;
    int which;
    if (found) return are_apart(w, nodes, (int)(found - letters), corners);
    if (letter != '(') return fail(w, "a letter that means nothing");
    return read_direction(w, &which) && are_apart(w, nodes, which, corners);
}

static bool give_up(walk *w) {
    w->given_up = true;
    mpz_set_ui(w->term, 1);
    mpz_mul_2exp(w->term, w->term, (mp_bitcnt_t)(MOST_DEPTH - w->depth));
    mpz_add(w->open, w->open, w->term);
    return true;
}

static bool follow_letter(walk *w, node_pair nodes) {
    if (w->at == w->end) return fail(w, "it ends before all triangles are apart in all cells");
    char letter = *w->at++;
    switch (letter) {
    case 'a': return split(w, &nodes, 0);
    case 'b': return split(w, &nodes, 1);
    case 'c': return push(w, &w->front, nodes);
    case 'u': return give_up(w);
    case 'h':
        if (w->at == w->end) return fail(w, "it ends before all triangles are apart in all cells");
        letter = *w->at++;
        return follow_direction(w, &nodes, letter, true);
    default: return follow_direction(w, &nodes, letter, false);
    }
}

/* ---- cells ---- */

static bool follow_cell(walk *w, size_t first, size_t last);

/* <v>: both halves of the cell along value v. */
static bool follow_halves(walk *w, size_t first, size_t last) {
    long value;
    if (w->at == w->end || *w->at++ != '<' || !read_whole(w, &value) || w->at == w->end || *w->at++ != '>')
        return fail(w, "it does not say how to cut the cell");
    int which = 0;
    while (which < w->cell.count && (long)w->cell.parts[which].value != value) which++;
    if (which == w->cell.count) return fail(w, "a cut along a value that is not between the links");
    range_part *part = &w->cell.parts[which], kept = *part;
    if (part->halvings == MOST_HALVINGS || w->depth == MOST_DEPTH) return fail(w, "a cell is cut too often");
    w->depth++;
    for (unsigned long half = 0; half < 2; half++) {
        *part = (range_part){kept.value, kept.halvings + 1, 2 * kept.place + half};
        if (!follow_cell(w, first, last)) return false;
    }
    w->depth--;
    *part = kept;
    return true;
}

/* The pairs [first, last) of the front; what they leave to smaller cells is done in both halves. */
static bool follow_cell(walk *w, size_t first, size_t last) {
    size_t mark = w->front.count;
    open_cell(w);
    for (size_t i = first; i < last && !w->given_up; i++) {
        w->stack.count = 0;
        if (!push(w, &w->stack, w->front.items[i])) return false;
        while (w->stack.count && !w->given_up)
            if (!follow_letter(w, w->stack.items[--w->stack.count])) return false;
    }
    size_t left = w->front.count;
    bool good = true;
    if (!w->given_up && left > mark) {
        if (w->at < w->end && *w->at == 'u') {
            w->at++;
            good = give_up(w);
        } else {
            good = follow_halves(w, mark, left);
        }
    }
    w->front.count = mark;
    return good;
}

static bool follow(walk *w) {
    node_pair all = {0};
    for (int side = 0; side < 2; side++) all.of[side].count = mesh_of(w, side)->face_count;
    if (!push(w, &w->front, all) || !follow_cell(w, 0, 1)) return false;
    if (w->at != w->end) return fail(w, "it goes on after all is apart");
    fixed_floor(w->term, w->claimed, FIXED_BITS - MOST_DEPTH);
    return mpz_cmp(w->open, w->term) <= 0 || fail(w, "more is given up than the file says");
}

/* ---- the call ---- */

/* The separation and both paddings, rounded up. */
static void set_contact(walk *w) {
    const path_scene *base = &w->scene->base;
    double parts[3] = {base->separation, base->links[w->pair.a].padding, base->links[w->pair.b].padding};
    for (int i = 0; i < 3; i++) {
        bool exact = fixed_floor(w->term, parts[i], base->exponent);
        mpz_add(w->contact, w->contact, w->term);
        if (!exact) mpz_add_ui(w->contact, w->contact, 1);
    }
}

static void set_direction_numbers(sighting *by, bool begin) {
    mpz_ptr numbers[] = {by->n[0],         by->n[1],         by->n[2],         by->squared,      by->spread[0][0],
                         by->spread[0][1], by->spread[0][2], by->spread[1][0], by->spread[1][1], by->spread[1][2]};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) (begin ? mpz_init : mpz_clear)(numbers[i]);
    for (int i = 0; i < 8; i++) (begin ? form_init : form_clear)(&by->along[i / 4][i % 4]);
}

static void set_numbers(walk *w, bool begin) {
    mpz_ptr own[] = {w->box[0],  w->box[1], w->contact, w->least[0], w->least[1], w->most[0],
                     w->most[1], w->low[0], w->low[1],  w->low[2],   w->high[0],  w->high[1],
                     w->high[2], w->term,   w->sum,     w->half,     w->open};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) (begin ? mpz_init : mpz_clear)(own[i]);
    for (int d = 0; d < DIRECTIONS; d++) set_direction_numbers(&w->by[d], begin);
    (begin ? range_frames_init : range_frames_clear)(&w->frames);
    for (int d = 0; d < AXES && begin; d++) {
        w->by[d].exists = true;
        mpz_set_ui(w->by[d].n[d], 1);
    }
}

static bool open_walk(walk *w) {
    set_numbers(w, true);
    set_contact(w);
    return range_cell_open(w->scene, w->pair, &w->cell) || fail(w, "more than %d values between them", FORM_TERMS - 1);
}

static void close_walk(walk *w) {
    set_numbers(w, false);
    free(w->front.items);
    free(w->stack.items);
}

bool range_walk_check(const range_scene *scene, const joint_motion *joints, path_pair pair, path_text proof,
                      double open, range_cost *cost, char reason[VERIFY_TEXT]) {
    walk w = {.scene = scene, .joints = joints, .pair = pair, .at = proof.begin, .claimed = open, .reason = reason};
    w.end = proof.begin + proof.size;
    bool good = open_walk(&w) && follow(&w);
    *cost = w.cost;
    close_walk(&w);
    return good;
}
