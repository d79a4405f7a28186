/* Pairs of a mesh that may be listed, drawn at random. */
#ifndef GRAZE_TEST_DRAWN_PAIRS_H
#define GRAZE_TEST_DRAWN_PAIRS_H

#include "check.h"

static inline bool share(const graze_mesh *mesh, graze_pair pair) {
    graze_stencil s;
    CHECK(graze_pair_stencil(mesh, pair, NAN, NAN, &s) == GRAZE_OK);
    for (uint32_t i = 0; i < s.count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (s.vertices[i] == s.vertices[k] && (s.weights[i] > 0) != (s.weights[k] > 0)) return true;
    uint32_t in_a = pair.kind == GRAZE_EE ? 2 : 1;
    for (uint32_t i = 0; i < in_a; i++)
        for (uint32_t k = in_a; k < s.count; k++)
            if (s.vertices[i] == s.vertices[k]) return true;
    return false;
}

/* Any pair that may be listed, in any order of its edges, a candidate or not. */
static inline graze_pair draw_pair(test_random *random, const graze_mesh *mesh, unsigned kinds) {
    for (;;) {
        graze_pair pair = {.kind = (graze_kind)test_random_below(random, kinds)};
        bool edges = pair.kind == GRAZE_EE;
        pair.a = (uint32_t)test_random_below(random, edges ? mesh->edge_count : mesh->vertex_count);
        pair.b = (uint32_t)test_random_below(random, pair.kind == GRAZE_VF   ? mesh->face_count
                                                     : pair.kind == GRAZE_PP ? mesh->vertex_count
                                                                             : mesh->edge_count);
        if (!share(mesh, pair)) return pair;
    }
}

static inline void shuffle(test_random *random, graze_pair *pairs, size_t count) {
    for (size_t i = count; i > 1; i--) {
        size_t k = test_random_below(random, i);
        graze_pair other = pairs[k];
        pairs[k] = pairs[i - 1];
        pairs[i - 1] = other;
    }
}

#endif
