/* Candidates of a step, enumerated by sweeping boxes along an axis. Doubles only sort and sift: where they are close to
   the separation, rationals decide. So what is looked for is exact: the pairs whose boxes, over all of the time, come
   within the separation and the radii on every axis. All others are apart along that axis, and need no proof. */
#include "verify/step.h"

#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- edges ---- */

typedef struct side {
    uint32_t i, j;
    bool of_face;
} side;

static int by_side(const void *a, const void *b) {
    const side *x = a, *y = b;
    if (x->j != y->j) return x->j < y->j ? -1 : 1;
    if (x->i != y->i) return x->i < y->i ? -1 : 1;
    return (int)y->of_face - (int)x->of_face; /* sides of faces first */
}

static side side_of(uint32_t i, uint32_t j, bool of_face) { return (side){i < j ? i : j, i < j ? j : i, of_face}; }

static size_t list_sides(const verify_mesh *mesh, side *sides) {
    size_t count = 0;
    for (size_t f = 0; f < mesh->face_count; f++)
        for (int k = 0; k < 3; k++) {
            uint32_t i = mesh->faces[f][k], j = mesh->faces[f][(k + 1) % 3];
            if (i != j) sides[count++] = side_of(i, j, true);
        }
    for (size_t e = 0; e < mesh->edge_count; e++)
        if (mesh->edges[e][0] != mesh->edges[e][1])
            sides[count++] = side_of(mesh->edges[e][0], mesh->edges[e][1], false);
    qsort(sides, count, sizeof *sides, by_side);
    return count;
}

static void take_edges(step *s, const side *sides, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (k && sides[k].i == sides[k - 1].i && sides[k].j == sides[k - 1].j) continue;
        s->edges[s->edge_count][0] = sides[k].i;
        s->edges[s->edge_count][1] = sides[k].j;
        s->is_free[s->edge_count++] = !sides[k].of_face;
    }
}

/* Vertices of no edge are points only in a mesh that has edges without faces; else they are spare. */
static void find_points(step *s) {
    bool some_free = false;
    for (size_t e = 0; e < s->edge_count; e++) some_free = some_free || s->is_free[e];
    for (size_t v = 0; v < s->mesh.vertex_count; v++) s->is_point[v] = some_free;
    for (size_t e = 0; e < s->edge_count; e++) s->is_point[s->edges[e][0]] = s->is_point[s->edges[e][1]] = false;
}

bool step_init(step *s, const verify_mesh *mesh) {
    *s = (step){.mesh = *mesh};
    size_t most = 3 * mesh->face_count + mesh->edge_count + 1;
    side *sides = malloc(most * sizeof *sides);
    s->edges = malloc(most * sizeof *s->edges);
    s->is_free = malloc(most * sizeof *s->is_free);
    s->is_point = malloc((mesh->vertex_count + 1) * sizeof *s->is_point);
    bool good = sides && s->edges && s->is_free && s->is_point;
    if (good) take_edges(s, sides, list_sides(mesh, sides));
    if (good) find_points(s);
    free(sides);
    if (!good) step_clear(s);
    return good;
}

void step_clear(step *s) {
    free(s->edges);
    free(s->is_free);
    free(s->is_point);
    s->edges = NULL;
    s->is_free = s->is_point = NULL;
}

/* ---- primitives ---- */

enum { VERTEX, EDGE, FACE };

typedef struct primitive {
    int type;
    uint32_t id;
    uint32_t vertices[3];
    int count;
} primitive;

static primitive primitive_of(const step *s, int type, uint32_t id) {
    primitive p = {.type = type, .id = id, .count = type + 1};
    if (type == VERTEX)
        p.vertices[0] = id;
    else
        memcpy(p.vertices, type == EDGE ? s->edges[id] : s->mesh.faces[id], (size_t)p.count * sizeof *p.vertices);
    return p;
}

static const int first_type[] = {VERTEX, EDGE, VERTEX, VERTEX}, second_type[] = {FACE, EDGE, EDGE, VERTEX};

static size_t count_of(const step *s, int type) {
    return type == VERTEX ? s->mesh.vertex_count : type == EDGE ? s->edge_count : s->mesh.face_count;
}

/* True if a primitive takes part in pairs of this kind. */
static bool takes_part(const step *s, uint32_t kind, const primitive *p) {
    if (kind == VERIFY_VF || kind == VERIFY_EE) return true;
    return p->type == VERTEX ? s->is_point[p->id] : s->is_free[p->id];
}

static bool share_vertex(const primitive *a, const primitive *b) {
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            if (a->vertices[i] == b->vertices[j]) return true;
    return false;
}

/* Pairs that share a vertex, and those within one group, are no pairs. */
static bool is_pair(const step *s, const primitive *a, const primitive *b) {
    if (share_vertex(a, b)) return false;
    return !s->groups || s->groups[a->vertices[0]] != s->groups[b->vertices[0]];
}

/* ---- one pair of the list ---- */

static bool refuse(char *reason, const char *text) {
    snprintf(reason, VERIFY_TEXT, "%s", text);
    return false;
}

static bool same_point(const double a[3], const double b[3]) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

bool step_has(const step *s, const step_pair *id, const verify_pair *pair, char reason[VERIFY_TEXT]) {
    int types[2] = {first_type[id->kind], second_type[id->kind]};
    if (id->a >= count_of(s, types[0]) || id->b >= count_of(s, types[1]))
        return refuse(reason, "the mesh has no such pair");
    if (types[0] == types[1] && id->a >= id->b) return refuse(reason, "a is not less than b");
    primitive both[2] = {primitive_of(s, types[0], id->a), primitive_of(s, types[1], id->b)};
    if (!takes_part(s, id->kind, &both[0]) || !takes_part(s, id->kind, &both[1]) || !is_pair(s, &both[0], &both[1]))
        return refuse(reason, "the mesh has no such pair");
    for (int p = 0, row = 0; p < 2; p++)
        for (int i = 0; i < both[p].count; i++, row++) {
            uint32_t v = both[p].vertices[i];
            if (!same_point(pair->x0[row], s->mesh.x0[v]) || !same_point(pair->x1[row], s->mesh.x1[v]))
                return refuse(reason, "its coordinates are not those of the mesh");
            if (pair->radii[row] != (s->radii ? s->radii[v] : 0))
                return refuse(reason, "its radii are not those of the vertices");
        }
    return true;
}

/* ---- boxes ---- */

typedef struct box {
    double low[3], high[3];
    double size; /* the largest number that went into it */
} box;

static box box_of(const step *s, const primitive *p) {
    box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0};
    for (int i = 0; i < p->count; i++) {
        uint32_t v = p->vertices[i];
        double radius = s->radii ? s->radii[v] : 0;
        for (int c = 0; c < 3; c++) {
            double from = s->mesh.x0[v][c], end = s->mesh.x1[v][c], to = from + (end - from) * s->t_max;
            b.low[c] = fmin(b.low[c], fmin(from, to) - radius);
            b.high[c] = fmax(b.high[c], fmax(from, to) + radius);
            b.size = fmax(b.size, fmax(fabs(from), fmax(fabs(end), radius)));
        }
    }
    return b;
}

/* The lower end of a primitive along an axis, or, with sign −1, minus its upper end. */
static void exact_end(const step *s, const primitive *p, int axis, int sign, mpq_t end) {
    mpq_t from, to, t;
    mpq_inits(from, to, t, NULL);
    for (int i = 0; i < p->count; i++) {
        uint32_t v = p->vertices[i];
        mpq_set_d(from, sign * s->mesh.x0[v][axis]);
        mpq_set_d(to, sign * s->mesh.x1[v][axis]);
        mpq_set_d(t, s->t_max);
        mpq_sub(to, to, from);
        mpq_mul(to, to, t);
        mpq_add(to, to, from);
        if (mpq_cmp(to, from) < 0) mpq_swap(to, from);
        mpq_set_d(t, s->radii ? s->radii[v] : 0);
        mpq_sub(from, from, t);
        if (i == 0 || mpq_cmp(from, end) < 0) mpq_set(end, from);
    }
    mpq_clears(from, to, t, NULL);
}

/* True if b begins more than the separation after a ends. */
static bool is_behind(const step *s, const primitive *a, const primitive *b, int axis) {
    mpq_t low, minus_high, separation;
    mpq_inits(low, minus_high, separation, NULL);
    exact_end(s, b, axis, 1, low);
    exact_end(s, a, axis, -1, minus_high);
    mpq_add(low, low, minus_high);
    mpq_set_d(separation, s->separation);
    bool behind = mpq_cmp(low, separation) > 0;
    mpq_clears(low, minus_high, separation, NULL);
    return behind;
}

/* More than all roundings of box_of and of a difference of two of them: 8 roundings of numbers of at most 4 × size. */
static double margin_of(const step *s, const box *a, const box *b) {
    return 0x1p-46 * (a->size + b->size + s->separation) + 0x1p-1060;
}

static bool are_near(const step *s, const primitive *a, const box *x, const primitive *b, const box *y) {
    double margin = margin_of(s, x, y);
    for (int c = 0; c < 3; c++) {
        double after = y->low[c] - x->high[c], before = x->low[c] - y->high[c];
        if (after > s->separation + margin || before > s->separation + margin) return false;
        if (after > s->separation - margin && is_behind(s, a, b, c)) return false;
        if (before > s->separation - margin && is_behind(s, b, a, c)) return false;
    }
    return true;
}

/* ---- the sweep ---- */

typedef struct item {
    primitive what;
    box where;
    int part;   /* 0: the first of a pair, 1: the second, 2: either */
    double low; /* along the axis of the sweep */
} item;

typedef struct sweep {
    const step *s;
    uint32_t kind;
    const step_pair *list;
    size_t count;
    uint64_t missing;
    step_pair first;
} sweep;

static int by_pair(const void *a, const void *b) {
    const step_pair *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

static void look_for(sweep *w, const item *x, const item *y) {
    bool swapped = x->part == 2 ? x->what.id > y->what.id : x->part == 1;
    step_pair pair = {w->kind, swapped ? y->what.id : x->what.id, swapped ? x->what.id : y->what.id};
    if (bsearch(&pair, w->list, w->count, sizeof pair, by_pair)) return;
    if (w->missing++ == 0 || by_pair(&pair, &w->first) < 0) w->first = pair;
}

static int by_low(const void *a, const void *b) {
    double x = ((const item *)a)->low, y = ((const item *)b)->low;
    return (x > y) - (x < y);
}

static size_t add_items(const sweep *w, int type, int part, item *items) {
    size_t count = 0;
    for (size_t i = 0; i < count_of(w->s, type); i++) {
        primitive p = primitive_of(w->s, type, (uint32_t)i);
        if (takes_part(w->s, w->kind, &p)) items[count++] = (item){.what = p, .where = box_of(w->s, &p), .part = part};
    }
    return count;
}

/* The axis along which the boxes spread most. */
static int widest_axis(const item *items, size_t count) {
    int widest = 0;
    double most = -1;
    for (int c = 0; c < 3; c++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            low = fmin(low, items[i].where.low[c]);
            high = fmax(high, items[i].where.low[c]);
        }
        if (high - low > most) widest = c;
        most = fmax(most, high - low);
    }
    return widest;
}

static void sweep_items(sweep *w, item *items, size_t count, double size) {
    double reach = w->s->separation + 0x1p-44 * (size + w->s->separation) + 0x1p-1050; /* more than any margin */
    int axis = widest_axis(items, count);
    for (size_t i = 0; i < count; i++) items[i].low = items[i].where.low[axis];
    qsort(items, count, sizeof *items, by_low);
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            const item *x = &items[i], *y = &items[j];
            if (y->low > x->where.high[axis] + reach) break;
            if (x->part != 2 && x->part == y->part) continue;
            if (is_pair(w->s, &x->what, &y->what) && are_near(w->s, &x->what, &x->where, &y->what, &y->where))
                look_for(w, x, y);
        }
}

static bool sweep_kind(sweep *w, uint32_t kind) {
    int first = first_type[kind], second = second_type[kind];
    w->kind = kind;
    item *items = malloc((count_of(w->s, first) + count_of(w->s, second) + 1) * sizeof *items);
    if (!items) return false;
    size_t count = add_items(w, first, first == second ? 2 : 0, items);
    if (first != second) count += add_items(w, second, 1, items + count);
    double size = 0;
    for (size_t i = 0; i < count; i++) size = fmax(size, items[i].where.size);
    sweep_items(w, items, count, size);
    free(items);
    return true;
}

bool step_compare(const step *s, step_pair *list, size_t count, uint64_t *missing, uint64_t *twice, step_pair *first) {
    qsort(list, count, sizeof *list, by_pair);
    *twice = 0;
    for (size_t i = 1; i < count; i++) *twice += by_pair(&list[i - 1], &list[i]) == 0;
    sweep w = {.s = s, .list = list, .count = count};
    bool good = true;
    for (uint32_t kind = VERIFY_VF; good && kind <= VERIFY_PP; kind++) good = sweep_kind(&w, kind);
    *missing = w.missing;
    *first = w.first;
    return good;
}
