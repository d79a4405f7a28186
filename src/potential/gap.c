#include "potential/gap.h"

#include "numerics/closest.h"
#include "potential/gap_constants.h"

/* ---- the closest features ---- */

/* The first row of a side that has a part in the closest feature. */
static int base_of(const gz_closest *at, int first, int end) {
    while (first < end - 1 && at->weight[first] == 0) first++;
    return first;
}

/* A side of the pair, rows first to end − 1: its closest point moves along the edges from the base to each of the
   feature's other corners. Their part of r is added. */
static void add_side(const gz_closest *at, const double (*x)[3], int first, int end, gz_gap *gap, gz_dd_vec *r) {
    int base = base_of(at, first, end);
    for (int i = base + 1; i < end; i++) {
        if (at->weight[i] == 0) continue;
        gz_dd_vec edge = {dd_two_sum(x[i][0], -x[base][0]), dd_two_sum(x[i][1], -x[base][1]),
                          dd_two_sum(x[i][2], -x[base][2])};
        *r = dd_vec_add(*r, dd_vec_scale(edge, at->weight[i]));
        gap->motion[gap->parameters] = (gz_vec3){{edge.x.hi, edge.y.hi, edge.z.hi}};
        gap->slope[gap->parameters][i] = 1;
        gap->slope[gap->parameters++][base] = -1;
    }
}

static gz_dd along(const gz_dd_vec *r, gz_vec3 motion) {
    return dd_add(dd_add(dd_scale(r->x, motion.c[0]), dd_scale(r->y, motion.c[1])), dd_scale(r->z, motion.c[2]));
}

/* The second parameter's motion, freed of its part along the first one's: at a small angle of two edges each keeps its
   own accuracy. */
static void part_motions(gz_gap *gap) {
    if (gap->parameters < 2) return;
    gz_vec3 first = gap->motion[0], second = gap->motion[1];
    double part = gz_vec3_dot(first, second) / gz_vec3_dot(first, first), whole = gz_vec3_dot(second, second);
    gap->motion[1] = gz_vec3_along(second, -part, first);
    for (int i = 0; i < 4; i++) gap->slope[1][i] -= part * gap->slope[0][i];
    /* parallel for what double can tell: one parameter does the work of both */
    if (!(gz_vec3_dot(gap->motion[1], gap->motion[1]) > GZ_GAP_PARALLEL_TELLS * whole)) gap->parameters = 1;
}

/* Weights are off by a rounding, and r by that part of an edge, which may be a large part of r: one step of Newton's
   method takes it back. */
static void refine(gz_gap *gap, gz_dd_vec *r) {
    for (int k = 0; k < gap->parameters; k++) {
        gz_vec3 m = gap->motion[k];
        double by = -along(r, m).hi / gz_vec3_dot(m, m);
        gz_dd_vec step = {dd_two_product(by, m.c[0]), dd_two_product(by, m.c[1]), dd_two_product(by, m.c[2])};
        *r = dd_vec_add(*r, step);
        for (int i = 0; i < 4; i++) gap->weight[i] += by * gap->slope[k][i];
    }
}

bool gz_gap_find(graze_kind kind, const double (*x)[3], double most, gz_gap *gap) {
    int rows = gz_kind_rows(kind), in_a = gz_kind_rows_of_a(kind);
    gz_vec3 scaled[4] = {{{0}}};
    for (int i = 0; i < rows; i++) scaled[i] = gz_vec3_of(x[i]);
    int exponent = gz_closest_scale(kind, scaled);
    gz_closest at = gz_closest_points(kind, scaled);
    if (ldexp(sqrt(at.squared) - GZ_GAP_ROUNDING, exponent) > most) return false;
    *gap = (gz_gap){.parameters = 0};
    for (int i = 0; i < 4; i++) gap->weight[i] = at.weight[i];
    const double *a = x[base_of(&at, 0, in_a)], *b = x[base_of(&at, in_a, rows)];
    gz_dd_vec r = {dd_two_sum(a[0], -b[0]), dd_two_sum(a[1], -b[1]), dd_two_sum(a[2], -b[2])};
    add_side(&at, x, 0, in_a, gap, &r);
    add_side(&at, x, in_a, rows, gap, &r);
    part_motions(gap);
    refine(gap, &r);
    gap->vector = (gz_vec3){{r.x.hi, r.y.hi, r.z.hi}};
    gap->square = dd_vec_dot(r, r);
    return true;
}

/* ---- from lanes ---- */

static void set_slopes(graze_kind kind, double part, gz_gap *gap) {
    int first = kind == GRAZE_EE ? 0 : 1, base = kind == GRAZE_EE ? 2 : 1;
    gap->slope[0][first] = -1;
    gap->slope[0][first + 1] = 1;
    if (gap->parameters < 2) return;
    gap->slope[1][base] = -1;
    gap->slope[1][3] = 1;
    for (int i = 0; i < 4; i++) gap->slope[1][i] -= part * gap->slope[0][i];
}

bool gz_gap_take(graze_kind kind, const gz_gap_block *block, size_t k, double most, gz_gap *gap) {
    if (block->least[k] > most) return false;
    *gap = (gz_gap){.square = {block->square[0][k], block->square[1][k]}, .parameters = kind == GRAZE_PE ? 1 : 2};
    for (int i = 0; i < 4; i++) gap->weight[i] = block->weight[i][k];
    for (int c = 0; c < 3; c++) {
        gap->vector.c[c] = block->vector[c][k];
        for (int p = 0; p < gap->parameters; p++) gap->motion[p].c[c] = block->motion[p][c][k];
    }
    set_slopes(kind, block->part[k], gap);
    return true;
}

/* ---- derivatives ---- */

/* ∂²|r|²/∂x∂parameter. */
static void mixed(const gz_gap *gap, int k, int rows, double column[GZ_TERM]) {
    for (int i = 0; i < rows; i++)
        column[i] = 2 * (gap->slope[k][i / 3] * gap->vector.c[i % 3] + gap->weight[i / 3] * gap->motion[k].c[i % 3]);
}

/* Takes −C·S⁻¹·Cᵀ to the Hessian, where C has the mixed columns and S is diagonal: twice the squares of the motions. */
static void follow_parameters(const gz_gap *gap, graze_term *term) {
    for (int k = 0; k < gap->parameters; k++) {
        double column[GZ_TERM];
        mixed(gap, k, term->rows, column);
        gz_term_outer(term, -1 / (2 * gz_vec3_dot(gap->motion[k], gap->motion[k])), column);
    }
}

void gz_gap_term(graze_kind kind, const gz_gap *gap, graze_order order, graze_term *term) {
    gz_term_begin(term, 3 * gz_kind_rows(kind), order);
    term->value = gap->square.hi;
    if (order < GRAZE_ORDER_GRADIENT) return;
    for (int corner = 0; corner < term->rows / 3; corner++)
        for (int c = 0; c < 3; c++) term->gradient[3 * corner + c] = 2 * gap->weight[corner] * gap->vector.c[c];
    if (order < GRAZE_ORDER_HESSIAN) return;
    for (int i = 0; i < term->rows; i++)
        for (int b = 0; b < term->rows / 3; b++)
            term->hessian[i][3 * b + i % 3] = 2 * gap->weight[i / 3] * gap->weight[b];
    follow_parameters(gap, term);
}
