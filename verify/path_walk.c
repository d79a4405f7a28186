#include "verify/path_walk.h"

#include "verify/node_pairs.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_HALVINGS 60 /* of time: the number of a window is an unsigned long */
_Static_assert(sizeof(unsigned long) == 8, "windows are counted in 64 bits");
#define MOST_DIGITS 18 /* of a component of a direction */

enum { GUIDE = 3, DIRECTIONS = 4 };

/* View of one link along a direction of the other: position and axes of the one, times the direction. */
typedef struct sighting {
    bool known; /* for this window */
    mpz_t n[3], squared;
    enclosure along[4]; /* the three axes, then the position */
    mpz_t spread[3];    /* twice the largest size of the axes */
} sighting;

/* One link as it is seen from the other. */
typedef struct sight {
    int mover; /* 0: a, seen from b */
    bool known, guided;
    frame seen;
    sighting by[DIRECTIONS];
} sight;

typedef struct walk {
    const path_scene *scene;
    const joint_motion *joints; /* NULL: count only */
    path_pair pair;
    const char *at, *end;
    path_cost cost;
    pair_list front, stack;
    char *reason;
    /* of the window under way: */
    int halvings;
    unsigned long place; /* it is number `place` of 2^halvings */
    bool framed;
    enclosure time;
    frame chain[2], spare[2];
    sight sights[2];
    /* for comparing: */
    mpz_t contact, low[3], high[3], least[2], most[2], corner[2], term, sum, middle, half;
    mpz_t c[ENCLOSURE_TERMS];
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

static uint32_t link_of(const walk *w, int side) { return side ? w->pair.b : w->pair.a; }
static const path_mesh *mesh_of(const walk *w, int side) { return &w->scene->meshes[link_of(w, side)]; }

/* ---- frames of a window ---- */

/* Parents come before their children. */
int path_ancestor(const path_scene *scene, path_pair pair) {
    int a = (int)pair.a, b = (int)pair.b;
    while (a != b) {
        if (a > b)
            a = scene->links[a].parent;
        else
            b = scene->links[b].parent;
    }
    return a;
}

size_t path_joints_between(const path_scene *scene, path_pair pair) {
    int ancestor = path_ancestor(scene, pair);
    size_t count = 0;
    for (int side = 0; side < 2; side++)
        for (int i = (int)(side ? pair.b : pair.a); i != ancestor; i = scene->links[i].parent) count++;
    return count;
}

static void set_time(walk *w) {
    enclosure t_max;
    enclosure_init(&t_max);
    enclosure_set_double(&t_max, w->scene->t_max, 0);
    enclosure_shift(&t_max, &t_max, -(w->halvings + 1));
    mpz_set(w->time.c[1], t_max.c[0]);
    mpz_mul_ui(w->time.c[0], t_max.c[0], 2 * w->place + 1);
    mpz_mul_ui(w->time.r, t_max.r, 2 * w->place + 2);
    w->time.terms = 2;
    enclosure_clear(&t_max);
}

static void set_identity(frame *f) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) enclosure_set_whole(&f->m[i][j], i == j);
}

static void swap_frames(frame *a, frame *b) {
    frame t = *a;
    *a = *b;
    *b = t;
}

/* Sets the place of that side's link, seen from the ancestor. */
static void set_chain(walk *w, int side, int ancestor) {
    frame *chain = &w->chain[side];
    int link = (int)link_of(w, side);
    if (link == ancestor) {
        set_identity(chain);
        return;
    }
    joint_frame(&w->joints[link], &w->time, chain);
    for (int i = w->scene->links[link].parent; i != ancestor; i = w->scene->links[i].parent) {
        joint_frame(&w->joints[i], &w->time, &w->spare[0]);
        frame_compose(&w->spare[1], &w->spare[0], chain);
        swap_frames(&w->spare[1], chain);
    }
}

static void set_frames(walk *w) {
    int ancestor = path_ancestor(w->scene, w->pair);
    set_time(w);
    set_chain(w, 0, ancestor);
    set_chain(w, 1, ancestor);
    w->framed = true;
}

static void open_window(walk *w, int halvings, unsigned long place) {
    w->halvings = halvings;
    w->place = place;
    w->framed = false;
    w->cost.windows++;
    for (int side = 0; side < 2; side++) {
        w->sights[side].known = false;
        for (int d = 0; d < DIRECTIONS; d++) w->sights[side].by[d].known = false;
    }
}

/* ---- directions ---- */

/* Twice the values of a polynomial are within `half` of `middle`. */
static void range_of(mpz_t middle, mpz_t half, mpz_t *c, int terms) {
    mpz_set_ui(middle, 0);
    mpz_set_ui(half, 0);
    for (int k = 0; k < terms; k++) {
        int times = k % 2 ? 2 : 1; /* s^2 and s^4 lie in [0, 1]: half of their coefficient joins the middle */
        if (k == 0)
            mpz_mul_2exp(middle, c[0], 1);
        else if (k % 2 == 0)
            mpz_add(middle, middle, c[k]);
        if (k > 0 && mpz_sgn(c[k]) > 0)
            mpz_addmul_ui(half, c[k], (unsigned long)times);
        else if (k > 0)
            mpz_submul_ui(half, c[k], (unsigned long)times);
    }
}

/* Twice the largest size. */
static void set_spread(walk *w, mpz_t spread, enclosure *axis) {
    range_of(w->term, spread, axis->c, axis->terms);
    mpz_abs(w->term, w->term);
    mpz_add(spread, spread, w->term);
    mpz_addmul_ui(spread, axis->r, 2);
}

static void set_sighting(walk *w, sight *from, int direction) {
    sighting *to = &from->by[direction];
    enclosure part;
    if (!w->framed) set_frames(w);
    if (!from->known) frame_seen_from(&from->seen, &w->chain[from->mover], &w->chain[!from->mover]);
    from->known = true;
    for (int i = 0; direction != GUIDE && i < 3; i++) mpz_set_ui(to->n[i], i == direction);
    enclosure_init(&part);
    mpz_set_ui(to->squared, 0);
    for (int i = 0; i < 3; i++) mpz_addmul(to->squared, to->n[i], to->n[i]);
    for (int j = 0; j < 4; j++) {
        enclosure_set_whole(&to->along[j], 0);
        for (int i = 0; i < 3; i++) {
            if (mpz_sgn(to->n[i]) == 0) continue;
            enclosure_scale(&part, &from->seen.m[i][j], to->n[i]);
            enclosure_add(&to->along[j], &to->along[j], &part);
        }
        if (j < 3) set_spread(w, to->spread[j], &to->along[j]);
    }
    enclosure_clear(&part);
    to->known = true;
}

/* ---- whether two nodes are apart ---- */

/* A box in units: coordinates lie in [low, high + 1]. */
static void set_box(walk *w, const double low[3], const double high[3]) {
    for (int c = 0; c < 3; c++) {
        fixed_floor(w->low[c], low[c], w->scene->exponent);
        fixed_floor(w->high[c], high[c], w->scene->exponent);
    }
}

/* Four times where the points of the box are along the direction, in units of 2^(-2 FIXED_BITS): with V = low + high
   and H = high - low + 2 twice a point is within H of V. */
static void moving_range(walk *w, sighting *by, mpz_t least, mpz_t most) {
    int terms = 0;
    for (int j = 0; j < 4; j++)
        if (by->along[j].terms > terms) terms = by->along[j].terms;
    for (int k = 0; k < terms; k++) {
        mpz_set_ui(w->c[k], 0);
        if (k < by->along[3].terms) mpz_mul_2exp(w->c[k], by->along[3].c[k], FIXED_BITS + 1);
    }
    mpz_mul_2exp(w->sum, by->along[3].r, FIXED_BITS + 2);
    for (int j = 0; j < 3; j++) {
        mpz_add(w->term, w->low[j], w->high[j]);
        for (int k = 0; k < by->along[j].terms; k++) mpz_addmul(w->c[k], by->along[j].c[k], w->term);
        mpz_abs(w->term, w->term);
        mpz_mul_2exp(w->term, w->term, 1);
        mpz_addmul(w->sum, by->along[j].r, w->term);
        mpz_sub(w->term, w->high[j], w->low[j]);
        mpz_add_ui(w->term, w->term, 2);
        mpz_addmul(w->sum, by->spread[j], w->term);
    }
    range_of(w->middle, w->half, w->c, terms);
    mpz_add(w->half, w->half, w->sum);
    mpz_sub(least, w->middle, w->half);
    mpz_add(most, w->middle, w->half);
}

/* As moving_range, but for a box that stands. */
static void standing_range(walk *w, sighting *by, mpz_t least, mpz_t most) {
    mpz_set_ui(least, 0);
    mpz_set_ui(most, 0);
    for (int c = 0; c < 3; c++) {
        mpz_add_ui(w->term, w->high[c], 1);
        bool up = mpz_sgn(by->n[c]) > 0;
        mpz_addmul(least, by->n[c], up ? w->low[c] : w->term);
        mpz_addmul(most, by->n[c], up ? w->term : w->low[c]);
    }
    mpz_mul_2exp(least, least, FIXED_BITS + 2);
    mpz_mul_2exp(most, most, FIXED_BITS + 2);
}

/* A node's box, or where it is a single face its corners one by one. */
static void node_range(walk *w, sighting *by, int side, const node *of, bool moves, mpz_t least, mpz_t most) {
    const path_mesh *mesh = mesh_of(w, side);
    void (*range)(walk *, sighting *, mpz_t, mpz_t) = moves ? moving_range : standing_range;
    if (of->count > 1) {
        set_box(w, mesh->nodes[of->index].low, mesh->nodes[of->index].high);
        range(w, by, least, most);
        return;
    }
    for (int k = 0; k < 3; k++) {
        const double *x = mesh->vertices[mesh->faces[of->first][k]];
        set_box(w, x, x);
        range(w, by, w->corner[0], w->corner[1]);
        if (k == 0 || mpz_cmp(w->corner[0], least) < 0) mpz_set(least, w->corner[0]);
        if (k == 0 || mpz_cmp(w->corner[1], most) > 0) mpz_set(most, w->corner[1]);
    }
}

/* low - high is positive, and its square more than that of the contact's distance times the direction's length. */
static bool is_ahead(walk *w, const mpz_t low, const mpz_t high, const sighting *by) {
    mpz_sub(w->term, low, high);
    if (mpz_sgn(w->term) <= 0) return false;
    mpz_mul(w->term, w->term, w->term);
    mpz_mul(w->sum, w->contact, w->contact);
    mpz_mul(w->sum, w->sum, by->squared);
    mpz_mul_2exp(w->sum, w->sum, 2 * (FIXED_BITS + 2));
    return mpz_cmp(w->term, w->sum) > 0;
}

static bool are_apart(walk *w, const node_pair *nodes, int which, int direction) {
    sight *from = &w->sights[which];
    sighting *by = &from->by[direction];
    w->cost.directions++;
    if (direction == GUIDE && !from->guided) return fail(w, "a direction that was not given before");
    if (!w->joints) return true;
    if (!by->known) set_sighting(w, from, direction);
    for (int i = 0; i < 2; i++) {
        int side = i ? !from->mover : from->mover;
        node_range(w, by, side, &nodes->of[side], i == 0, w->least[i], w->most[i]);
    }
    if (is_ahead(w, w->least[0], w->most[1], by) || is_ahead(w, w->least[1], w->most[0], by)) return true;
    return fail(w, "not apart in window %lu of 2^%d", w->place, w->halvings);
}

/* ---- letters ---- */

/* A whole number as JSON writes it. */
static bool read_component(walk *w, mpz_t n) {
    bool minus = w->at < w->end && *w->at == '-';
    const char *digits = w->at + minus;
    size_t count = 0;
    while (digits + count < w->end && digits[count] >= '0' && digits[count] <= '9') count++;
    if (count == 0 || count > MOST_DIGITS || (count > 1 && *digits == '0'))
        return fail(w, "a direction of numbers that are not whole, or too long");
    long value = 0;
    for (size_t i = 0; i < count; i++) value = 10 * value + (digits[i] - '0');
    mpz_set_si(n, minus ? -value : value);
    w->at = digits + count;
    return true;
}

/* After the bracket: three numbers, which are not all zero, and the other bracket. */
static bool read_guide(walk *w, int which) {
    sighting *by = &w->sights[which].by[GUIDE];
    for (int i = 0; i < 3; i++) {
        if (!read_component(w, by->n[i])) return false;
        if (w->at == w->end || *w->at++ != (i < 2 ? ',' : which ? ']' : ')'))
            return fail(w, "a direction has three numbers");
    }
    w->sights[which].guided = true;
    by->known = false;
    return mpz_sgn(by->n[0]) || mpz_sgn(by->n[1]) || mpz_sgn(by->n[2]) || fail(w, "a direction that is zero");
}

static bool split(walk *w, const node_pair *nodes, int side) {
    const node *whole = &nodes->of[side];
    if (whole->count == 1) return fail(w, "a single triangle cannot be split");
    size_t half = whole->count / 2;
    node_pair first = *nodes, second = *nodes;
    first.of[side] = (node){whole->index + 1, whole->first, half};
    second.of[side] = (node){whole->index + 2 * half, whole->first + half, whole->count - half};
    return push(w, &w->stack, second) && push(w, &w->stack, first);
}

static bool follow_letter(walk *w, node_pair nodes) {
    static const char letters[] = "xyzkXYZK";
    if (w->at == w->end) return fail(w, "it ends before all triangles are apart at all times");
    char letter = *w->at++;
    const char *direction = strchr(letters, letter);
    if (letter && direction)
        return are_apart(w, &nodes, (int)(direction - letters) / 4, (int)(direction - letters) % 4);
    switch (letter) {
    case 'a': return split(w, &nodes, 0);
    case 'b': return split(w, &nodes, 1);
    case 't': return push(w, &w->front, nodes);
    case '(':
    case '[': return read_guide(w, letter == '[') && are_apart(w, &nodes, letter == '[', GUIDE);
    default: return fail(w, "a letter that means nothing");
    }
}

/* ---- windows ---- */

/* The pairs [first, last) of the front; what they leave to shorter windows is done in both halves. */
static bool follow_window(walk *w, int halvings, unsigned long place, size_t first, size_t last) {
    if (halvings > MOST_HALVINGS) return fail(w, "time is halved too often");
    size_t mark = w->front.count;
    open_window(w, halvings, place);
    for (size_t i = first; i < last; i++) {
        if (!push(w, &w->stack, w->front.items[i])) return false;
        while (w->stack.count)
            if (!follow_letter(w, w->stack.items[--w->stack.count])) return false;
    }
    size_t left = w->front.count;
    bool good = left == mark || (follow_window(w, halvings + 1, 2 * place, mark, left) &&
                                 follow_window(w, halvings + 1, 2 * place + 1, mark, left));
    w->front.count = mark;
    return good;
}

static bool follow(walk *w) {
    node_pair all = {0};
    for (int side = 0; side < 2; side++) all.of[side].count = mesh_of(w, side)->face_count;
    if (!push(w, &w->front, all) || !follow_window(w, 0, 0, 0, 1)) return false;
    return w->at == w->end || fail(w, "it goes on after all is apart");
}

/* ---- the calls ---- */

/* The separation and both paddings, rounded up. */
static void set_contact(walk *w) {
    const path_scene *scene = w->scene;
    double parts[3] = {scene->separation, scene->links[w->pair.a].padding, scene->links[w->pair.b].padding};
    for (int i = 0; i < 3; i++) {
        bool exact = fixed_floor(w->term, parts[i], scene->exponent);
        mpz_add(w->contact, w->contact, w->term);
        if (!exact) mpz_add_ui(w->contact, w->contact, 1);
    }
}

static void set_numbers(walk *w, bool begin) {
    mpz_ptr own[] = {w->contact,   w->low[0],   w->low[1],   w->low[2],  w->high[0], w->high[1],
                     w->high[2],   w->least[0], w->least[1], w->most[0], w->most[1], w->corner[0],
                     w->corner[1], w->term,     w->sum,      w->middle,  w->half};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) (begin ? mpz_init : mpz_clear)(own[i]);
    for (int k = 0; k < ENCLOSURE_TERMS; k++) (begin ? mpz_init : mpz_clear)(w->c[k]);
    (begin ? enclosure_init : enclosure_clear)(&w->time);
    for (int side = 0; side < 2; side++) {
        frame *frames[3] = {&w->chain[side], &w->spare[side], &w->sights[side].seen};
        for (int i = 0; i < 3; i++) (begin ? frame_init : frame_clear)(frames[i]);
        for (int d = 0; d < DIRECTIONS; d++) {
            sighting *by = &w->sights[side].by[d];
            mpz_ptr numbers[] = {by->n[0],      by->n[1],      by->n[2],     by->squared,
                                 by->spread[0], by->spread[1], by->spread[2]};
            for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) (begin ? mpz_init : mpz_clear)(numbers[i]);
            (begin ? enclosure_init_all : enclosure_clear_all)(by->along, 4);
        }
    }
}

static bool run(walk *w, const path_scene *scene, path_pair pair, path_text proof, char reason[VERIFY_TEXT]) {
    w->scene = scene;
    w->pair = pair;
    w->at = proof.begin;
    w->end = proof.begin + proof.size;
    w->reason = reason;
    set_numbers(w, true);
    w->sights[1].mover = 1;
    set_contact(w);
    bool good = follow(w);
    set_numbers(w, false);
    free(w->front.items);
    free(w->stack.items);
    return good;
}

bool path_walk_count(const path_scene *scene, path_pair pair, path_text proof, path_cost *cost,
                     char reason[VERIFY_TEXT]) {
    walk w = {0};
    bool good = run(&w, scene, pair, proof, reason);
    *cost = w.cost;
    return good;
}

bool path_walk_check(const path_scene *scene, const joint_motion *joints, path_pair pair, path_text proof,
                     char reason[VERIFY_TEXT]) {
    walk w = {.joints = joints};
    return run(&w, scene, pair, proof, reason);
}
