#include "exact/root_search.h"

void gz_root_search_begin(gz_root_search *search, gz_arena *arena, double t_max, gz_root_search_test *test,
                          void *state) {
    search->arena = arena;
    search->t_max = t_max;
    search->test = test;
    search->state = state;
    search->first = gz_root_from(arena, 0);
    search->hit = test(state, &search->first, &search->place);
}

void gz_root_search_roots(gz_root_search *search, const gz_poly *p) { gz_root_search_divisor(search, p, p); }

void gz_root_search_divisor(gz_root_search *search, const gz_poly *p, const gz_poly *of) {
    gz_root roots[GZ_DEGREE];
    gz_place place;
    int count = gz_roots_isolate(search->arena, p, roots);
    for (int i = 0; i < count; i++) {
        roots[i].of = of;
        if (search->t_max < 1 && gz_root_side(search->arena, &roots[i], search->t_max) < 0) return;
        if (search->hit && gz_root_compare(search->arena, &roots[i], &search->first) >= 0) return;
        if (!search->test(search->state, &roots[i], &place)) continue;
        search->hit = true;
        search->first = roots[i];
        search->first.of = NULL; /* p may not live as long */
        search->place = place;
        return;
    }
}
