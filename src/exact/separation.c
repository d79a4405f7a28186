/* Feature by feature: the distance is d or less if and only if some corner, some point of an edge's interior or some
   point of the face's interior is that near, measured along the feature's own normal, with its foot in the feature.
   At a first contact after t = 0 one of the differences below is zero and not zero all the time. */
#include "exact/separation.h"

typedef struct features {
    gz_pair *pair;
    gz_poly corner[4]; /* ⟨q, q⟩ − d² */
    gz_poly line[4];   /* ⟨q × e, q × e⟩ − d²·⟨e, e⟩ */
    gz_poly plane;     /* f² − d²·⟨n, n⟩ */
} features;

static bool spans(const gz_pair *pair) { return pair->kind == GRAZE_VF || pair->kind == GRAZE_EE; }

/* a − d²·b */
static void less_squared_distance(gz_pair *pair, const gz_poly *a, const gz_poly *b, gz_poly *difference) {
    gz_poly scaled;
    gz_int squared = gz_int_multiply(pair->arena, pair->separation, pair->separation);
    gz_poly_scale(pair->arena, b, squared, &scaled);
    gz_poly_add(pair->arena, a, &scaled, -1, difference);
}

static void make_features(features *all, gz_pair *pair) {
    all->pair = pair;
    const gz_poly one = {.degree = 0, .c = {gz_int_from(pair->arena, 1)}};
    gz_pair_make_edges(pair);
    for (int k = 0; k < pair->edge_count; k++) {
        const gz_point_edge *edge = &pair->edges[k];
        gz_poly squared;
        less_squared_distance(pair, &edge->start2, &one, &all->corner[k]);
        gz_vector_dot(pair->arena, &edge->cross, &edge->cross, &squared);
        less_squared_distance(pair, &squared, &edge->length2, &all->line[k]);
    }
    if (!spans(pair)) return;
    gz_pair_make_inside(pair);
    gz_poly squared;
    gz_poly_product product = {&pair->f, &pair->f, false};
    gz_poly_sum_of_products(pair->arena, &product, 1, &squared);
    less_squared_distance(pair, &squared, &pair->n2, &all->plane);
}

static bool near_plane(const features *all, gz_root *root) {
    gz_pair *pair = all->pair;
    if (gz_root_sign(pair->arena, root, &all->plane) > 0) return false;
    if (gz_root_sign(pair->arena, root, &pair->n2) == 0) return false;
    for (int i = 0; i < pair->inside_count; i++)
        if (gz_root_sign(pair->arena, root, &pair->inside[i]) < 0) return false;
    return true;
}

static bool near_line(const features *all, int k, gz_root *root) {
    const gz_point_edge *edge = &all->pair->edges[k];
    gz_arena *arena = all->pair->arena;
    return gz_root_sign(arena, root, &all->line[k]) <= 0 && gz_root_sign(arena, root, &edge->length2) > 0 &&
           gz_root_sign(arena, root, &edge->along) >= 0 && gz_root_sign(arena, root, &edge->rest) >= 0;
}

static bool near(void *state, gz_root *root, gz_place *place) {
    const features *all = state;
    gz_pair *pair = all->pair;
    *place = (gz_place){0};
    if (spans(pair) && near_plane(all, root)) {
        gz_pair_place_inside(pair, place);
        return true;
    }
    for (int k = 0; k < pair->edge_count; k++)
        if (near_line(all, k, root)) {
            gz_pair_place_on_edge(pair, k, false, place);
            return true;
        }
    for (int k = 0; k < pair->edge_count; k++)
        if (gz_root_sign(pair->arena, root, &all->corner[k]) <= 0) {
            gz_pair_place_on_edge(pair, k, true, place);
            return true;
        }
    return false;
}

/* A face or two edges that keep their plane's direction while they shrink have n = g·m with one polynomial g, which
   then divides f = ⟨n, q⟩ too, and f² − d²·⟨n, n⟩ twice. With long integers it is far quicker to divide it out here
   than to find it in the whole. Its roots are left in once. */
static void search_plane(const features *all, gz_root_search *search) {
    gz_pair *pair = all->pair;
    gz_arena *arena = pair->arena;
    gz_poly common = pair->f, divided;
    for (int c = 0; c < 3 && common.degree > 0; c++) {
        const gz_poly *n = &pair->n.c[c];
        if (gz_poly_is_zero(n)) continue;
        if (n->degree == 0 || gz_poly_surely_coprime(&common, n)) {
            common.degree = 0;
        } else {
            gz_poly both;
            gz_poly_gcd(arena, &common, n, &both);
            common = both;
        }
    }
    if (common.degree > 0 && all->plane.degree > common.degree) {
        gz_poly_divide(arena, &all->plane, &common, &divided);
        gz_root_search_divisor(search, &divided, &all->plane);
    } else {
        gz_root_search_roots(search, &all->plane);
    }
}

void gz_solve_separation(gz_pair *pair, double t_max, gz_root_search *search) {
    features all;
    make_features(&all, pair);
    gz_root_search_begin(search, pair->arena, t_max, near, &all);
    if (search->hit) return;
    if (spans(pair) && !gz_poly_is_zero(&all.plane)) search_plane(&all, search);
    for (int k = 0; k < pair->edge_count; k++) {
        if (!gz_poly_is_zero(&all.line[k])) gz_root_search_roots(search, &all.line[k]);
        gz_root_search_roots(search, &all.corner[k]); /* zero all the time would have been a contact at t = 0 */
    }
}
