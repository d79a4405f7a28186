/* In the largest norm the pair is within d if and only if the polygon of differences w (a corner of one primitive less
   a corner of the other: a triangle, a parallelogram, a segment or a point) meets the cube |x|, |y|, |z| ≤ d. A polygon
   and a cube are apart if and only if one of these directions separates them: the axes, the polygon's normal, the
   products of its sides with the axes. Contact begins where the last separating direction is lost, which is a root of
   one of its differences ⟨n, w⟩ − d·(±n_x ± n_y ± n_z), of degree 3 at most. */
#include "exact/separation.h"

#define MAX_DIRECTIONS 13

typedef struct cube_problem {
    gz_pair *pair;
    gz_vector corner[4];
    int corners;
    gz_vector direction[MAX_DIRECTIONS]; /* as polynomials: axes 0, sides × axes 1, normal 2 in degree */
    int directions;
} cube_problem;

static void add_side(cube_problem *problem, const gz_vector *side) {
    /* side × axis */
    for (int axis = 0; axis < 3; axis++) {
        gz_vector *n = &problem->direction[problem->directions++];
        int j = (axis + 1) % 3, k = (axis + 2) % 3;
        const gz_poly zero = {.degree = -1};
        n->c[axis] = zero;
        n->c[j] = side->c[k];
        gz_poly_add(problem->pair->arena, &zero, &side->c[j], -1, &n->c[k]);
    }
}

static void make_problem(cube_problem *problem, gz_pair *pair) {
    gz_arena *arena = pair->arena;
    const gz_vector *x = pair->x;
    *problem = (cube_problem){.pair = pair, .directions = 3};
    for (int axis = 0; axis < 3; axis++)
        for (int c = 0; c < 3; c++)
            problem->direction[axis].c[c] =
                c == axis ? (gz_poly){.degree = 0, .c = {gz_int_from(arena, 1)}} : (gz_poly){.degree = -1};
    if (pair->kind == GRAZE_EE) {
        problem->corners = 4;
        for (int i = 0; i < 4; i++) gz_vector_subtract(arena, &x[i / 2], &x[2 + i % 2], &problem->corner[i]);
        add_side(problem, &pair->e1);
        add_side(problem, &pair->e2);
        problem->direction[problem->directions++] = pair->n;
        return;
    }
    problem->corners = pair->kind == GRAZE_VF ? 3 : pair->kind == GRAZE_PE ? 2 : 1;
    for (int i = 0; i < problem->corners; i++) gz_vector_subtract(arena, &x[0], &x[i + 1], &problem->corner[i]);
    int sides = problem->corners == 3 ? 3 : problem->corners - 1;
    for (int i = 0; i < sides; i++) {
        gz_vector side;
        gz_vector_subtract(arena, &problem->corner[(i + 1) % problem->corners], &problem->corner[i], &side);
        add_side(problem, &side);
    }
    if (pair->kind == GRAZE_VF) problem->direction[problem->directions++] = pair->n;
}

/* ⟨n, w⟩ − d·Σ sign_c·n_c */
static void make_difference(cube_problem *problem, const gz_vector *n, const gz_vector *w, const int sign[3],
                            gz_poly *difference) {
    gz_arena *arena = problem->pair->arena;
    gz_vector_dot(arena, n, w, difference);
    for (int c = 0; c < 3; c++) {
        gz_poly part;
        gz_poly_scale(arena, &n->c[c], problem->pair->separation, &part);
        if (sign[c]) gz_poly_add(arena, difference, &part, -sign[c], difference);
    }
}

/* True if direction n has every corner beyond the cube, on the side that `side` names. */
static bool separates(cube_problem *problem, const gz_vector *n, int side, gz_root *root) {
    gz_arena *arena = problem->pair->arena;
    int sign[3];
    for (int c = 0; c < 3; c++) sign[c] = side * gz_root_sign(arena, root, &n->c[c]);
    for (int i = 0; i < problem->corners; i++) {
        gz_poly difference;
        make_difference(problem, n, &problem->corner[i], sign, &difference);
        if (side * gz_root_sign(arena, root, &difference) <= 0) return false;
    }
    return true;
}

static bool meets(void *state, gz_root *root, gz_place *place) {
    cube_problem *problem = state;
    for (int k = 0; k < problem->directions; k++)
        for (int side = -1; side <= 1; side += 2)
            if (separates(problem, &problem->direction[k], side, root)) return false;
    *place = (gz_place){.anywhere = true};
    return true;
}

void gz_solve_separation_max(gz_pair *pair, double t_max, gz_root_search *search) {
    cube_problem problem;
    make_problem(&problem, pair);
    gz_root_search_begin(search, pair->arena, t_max, meets, &problem);
    if (search->hit) return;
    for (int k = 0; k < problem.directions; k++)
        for (int i = 0; i < problem.corners; i++)
            for (int signs = 0; signs < 8; signs++) {
                const gz_vector *n = &problem.direction[k];
                int sign[3];
                bool twice = false; /* the sign of a component that is always zero does not matter: take one */
                for (int c = 0; c < 3; c++) {
                    sign[c] = signs >> c & 1 ? 1 : -1;
                    if (sign[c] > 0 && gz_poly_is_zero(&n->c[c])) twice = true;
                }
                if (twice) continue;
                size_t mark = gz_arena_mark(pair->arena);
                gz_poly difference;
                make_difference(&problem, n, &problem.corner[i], sign, &difference);
                if (!gz_poly_is_zero(&difference)) gz_root_search_roots(search, &difference);
                if (!search->hit) gz_arena_release(pair->arena, mark);
            }
}
