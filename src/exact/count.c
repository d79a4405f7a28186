#include "exact/count.h"

#include "exact/touch.h"

/* Every root of every candidate, and the two ends. */
#define MAX_TIMES (4 * GZ_MAX_CANDIDATES + 2)

typedef struct times {
    gz_root at[MAX_TIMES];
    int count;
} times;

/* The polynomials that are all zero at a contact; those that are always zero are left out. */
static int equations(gz_pair *pair, const gz_poly *list[3]) {
    int count = 0;
    if (pair->kind == GRAZE_VF || pair->kind == GRAZE_EE) {
        if (!gz_poly_is_zero(&pair->f)) list[count++] = &pair->f;
        return count;
    }
    gz_pair_make_edges(pair);
    const gz_point_edge *edge = &pair->edges[0];
    const gz_vector *vector = gz_vector_is_zero(&edge->e) ? &edge->q : &edge->cross;
    for (int c = 0; c < 3; c++)
        if (!gz_poly_is_zero(&vector->c[c])) list[count++] = &vector->c[c];
    return count;
}

static int multiplicity(gz_arena *arena, gz_root *root, const gz_poly *p) {
    gz_poly derivative = *p;
    int count = 0;
    do {
        count++;
        gz_poly_derivative(arena, &derivative, &derivative);
    } while (gz_root_sign(arena, root, &derivative) == 0);
    return count;
}

static void count_at(gz_pair *pair, gz_root *root, const gz_poly *const *list, int equation_count, double t_max,
                     gz_contact_count *found) {
    gz_place place;
    if (!gz_touch_test(pair, root, &place)) return;
    int least = equation_count ? GZ_DEGREE : 1;
    for (int i = 0; i < equation_count; i++) {
        int here = multiplicity(pair->arena, root, list[i]);
        if (here < least) least = here;
    }
    found->times += least;
    gz_root_bracket(pair->arena, root);
    if (place.boundary || root->above == 0 || root->below == t_max) found->boundary = true;
}

/* Inserts in order; a time that is there already, or is beyond t_max, is left out. */
static void insert(gz_arena *arena, times *sorted, gz_root *root, double t_max) {
    if (gz_root_side(arena, root, t_max) < 0) return;
    int i = sorted->count, order; /* the first one is t = 0 and not later than any */
    while ((order = gz_root_compare(arena, root, &sorted->at[i - 1])) < 0) i--;
    if (order == 0) return;
    for (int k = sorted->count++; k > i; k--) sorted->at[k] = sorted->at[k - 1];
    sorted->at[i] = *root;
}

/* Contacts of a pair whose equations always hold: they can only begin and end at the candidates, so one time between
   two neighbors tells of all times between them. */
static gz_contact_count count_lasting(gz_pair *pair, double t_max) {
    gz_arena *arena = pair->arena;
    gz_contact_count found = {0, false};
    gz_candidates candidates;
    gz_touch_candidates(pair, &candidates);
    times sorted;
    sorted.count = 1;
    sorted.at[0] = gz_root_from(arena, 0);
    gz_root end = gz_root_from(arena, t_max);
    insert(arena, &sorted, &end, t_max);
    for (int i = 0; i < candidates.count; i++) {
        gz_root roots[GZ_DEGREE];
        int count = gz_roots_isolate(arena, candidates.p[i], roots);
        for (int k = 0; k < count; k++) insert(arena, &sorted, &roots[k], t_max);
    }
    for (int i = 0; i < sorted.count; i++) {
        gz_place place;
        if (i > 0) {
            gz_root between = gz_root_between(arena, &sorted.at[i - 1], &sorted.at[i]);
            if (gz_touch_test(pair, &between, &place)) return (gz_contact_count){-1, true};
        }
        count_at(pair, &sorted.at[i], NULL, 0, t_max, &found);
    }
    return found;
}

gz_contact_count gz_count_contacts(gz_pair *pair, double t_max) {
    gz_arena *arena = pair->arena;
    const gz_poly *list[3];
    int equation_count = equations(pair, list);
    if (equation_count == 0) return count_lasting(pair, t_max);
    gz_contact_count found = {0, false};
    gz_root start = gz_root_from(arena, 0), roots[GZ_DEGREE];
    count_at(pair, &start, list, equation_count, t_max, &found);
    int count = gz_roots_isolate(arena, list[0], roots);
    for (int i = 0; i < count; i++)
        if (gz_root_side(arena, &roots[i], t_max) >= 0) count_at(pair, &roots[i], list, equation_count, t_max, &found);
    return found;
}
