#include "exact/touch.h"

static void add(gz_candidates *candidates, const gz_poly *p) {
    if (!gz_poly_is_zero(p)) candidates->p[candidates->count++] = p;
}

/* A point touches a segment only where q × e vanishes. When that is always so, all three points stay on a line, and
   contact begins where the point passes an end: a root of ⟨q, e⟩ or of the rest; when the segment is a point all the
   time, a root of ⟨q, q⟩. */
static void point_edge_candidates(const gz_point_edge *edge, gz_candidates *candidates) {
    for (int c = 0; c < 3; c++)
        if (!gz_poly_is_zero(&edge->cross.c[c])) {
            add(candidates, &edge->cross.c[c]);
            return;
        }
    add(candidates, &edge->along);
    add(candidates, &edge->rest);
    if (gz_vector_is_zero(&edge->e)) add(candidates, &edge->start2);
}

void gz_touch_candidates(gz_pair *pair, gz_candidates *candidates) {
    candidates->count = 0;
    bool flat = pair->kind == GRAZE_PE || pair->kind == GRAZE_PP || gz_vector_is_zero(&pair->n);
    if (flat) {
        /* a face or two edges that never span a plane: contact is always on a segment */
        gz_pair_make_edges(pair);
        for (int k = 0; k < pair->edge_count; k++) point_edge_candidates(&pair->edges[k], candidates);
    } else if (gz_poly_is_zero(&pair->f)) {
        /* always in one plane: contact begins where an inside condition changes or n vanishes, and there they all do;
           they are not all zero at all times, for they add up to ⟨n, n⟩ */
        gz_pair_make_inside(pair);
        for (int i = 0; i < pair->inside_count; i++) add(candidates, &pair->inside[i]);
    } else {
        add(candidates, &pair->f);
    }
}

static bool point_edge_test(gz_pair *pair, int k, gz_root *root, gz_place *place) {
    gz_arena *arena = pair->arena;
    const gz_point_edge *edge = &pair->edges[k];
    if (gz_root_sign(arena, root, &edge->length2) == 0) {
        if (gz_root_sign(arena, root, &edge->start2) != 0) return false;
        gz_pair_place_on_edge(pair, k, true, place);
        place->boundary = true;
        return true;
    }
    for (int c = 0; c < 3; c++)
        if (gz_root_sign(arena, root, &edge->cross.c[c]) != 0) return false;
    int along = gz_root_sign(arena, root, &edge->along), rest = gz_root_sign(arena, root, &edge->rest);
    if (along < 0 || rest < 0) return false;
    gz_pair_place_on_edge(pair, k, false, place);
    /* the segment is a part of the boundary, unless it is the primitive itself */
    place->boundary = pair->kind != GRAZE_PE || along == 0 || rest == 0;
    return true;
}

bool gz_touch_test(gz_pair *pair, gz_root *root, gz_place *place) {
    gz_arena *arena = pair->arena;
    bool spanned = false;
    *place = (gz_place){0};
    if (pair->kind == GRAZE_VF || pair->kind == GRAZE_EE) {
        if (gz_root_sign(arena, root, &pair->f) != 0) return false;
        if (!arena->integers_only) {
            gz_root_bracket(arena, root);
            gz_filtered filtered = gz_touch_filter(pair, root, place);
            if (filtered != GZ_FILTER_UNSURE) return filtered == GZ_FILTER_TOUCHES;
        }
        gz_pair_make_inside(pair);
        for (int i = 0; i < pair->inside_count; i++) {
            int sign = gz_root_sign(arena, root, &pair->inside[i]);
            if (sign < 0) return false;
            if (sign > 0) spanned = true;
            if (sign == 0) place->boundary = true;
        }
    }
    /* the conditions add up to ⟨n, n⟩ (once or twice), so they are all zero only where n is */
    if (spanned) {
        gz_pair_place_inside(pair, place);
        return true;
    }
    gz_pair_make_edges(pair);
    for (int k = 0; k < pair->edge_count; k++)
        if (point_edge_test(pair, k, root, place)) return true;
    return false;
}
