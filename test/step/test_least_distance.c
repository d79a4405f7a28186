/* The least distance at the start, by a search that shrinks, against all candidates. The source is included for its
   static functions, and with a sample so small that it begins again on small meshes. */
#define SAMPLE 24u
#include "step/least_distance.c"

#include "soup.h"
#include "step/mesh_pair.h"

#define POSITIONS(s) (const double(*)[3])(s)->x0, (const double(*)[3])(s)->x1

/* The least distance of all candidates, one by one. */
static double least_of_all(graze_context *context, const soup *s, graze_step_options options, double separation) {
    graze_options narrow = graze_default_options();
    narrow.min_separation = separation;
    narrow.t_max = options.narrow->t_max;
    options.narrow = &narrow;
    graze_pair *pairs;
    size_t count;
    CHECK(graze_candidates(context, &s->mesh, POSITIONS(s), &options, &pairs, &count) == GRAZE_OK);
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        uint32_t ids[4] = {0};
        double x[4][3];
        gz_pair_vertices(&s->mesh, pairs[i].kind, pairs[i].a, pairs[i].b, ids);
        for (int k = 0; k < 4; k++) memcpy(x[k], s->x0[ids[k]], sizeof x[k]);
        double distance = gz_closest_distance(pairs[i].kind, (const double(*)[3])x);
        if (distance < least) least = distance;
    }
    graze_pairs_release(context, pairs, count);
    return least;
}

static size_t again_without_search;

static void check_soup(graze_context *context, const soup *s, graze_step_options options, const double separations[2]) {
    gz_step_call call;
    gz_fp_environment env;
    static gz_nearest nearest;
    double found[2];
    CHECK(gz_context_enter(context, &env) == GRAZE_OK);
    CHECK(gz_step_open_whole(context, &s->mesh, POSITIONS(s), &options, &call) == GRAZE_OK);
    CHECK(gz_find_nearest(&call, separations[0], INFINITY, &nearest) == GRAZE_OK);
    found[0] = nearest.least;
    again_without_search += nearest.all_others && nearest.other_count;
    CHECK(gz_find_nearest_again(&call, separations[1], &nearest) == GRAZE_OK);
    found[1] = nearest.least;
    CHECK(gz_context_leave(context, &env, GRAZE_OK) == GRAZE_OK);
    for (int i = 0; i < 2; i++) {
        double expected = least_of_all(context, s, options, separations[i]);
        CHECK_MSG(found[i] == expected, "%g, not %g", found[i], expected);
    }
}

/* Moves everything by so much of its own way. */
static void slow_down(soup *s, double part) {
    for (uint32_t v = 0; v < s->mesh.vertex_count; v++)
        for (int c = 0; c < 3; c++) s->x1[v][c] = s->x0[v][c] + part * (s->x1[v][c] - s->x0[v][c]);
}

TEST(the_least_distance_is_that_of_all_candidates) {
    static soup s;
    static const double parts[] = {1, 0.1, 1e-6, 0, 30};
    static const graze_broad broads[] = {GRAZE_BROAD_AUTO, GRAZE_BROAD_AUTO, GRAZE_BROAD_SAP};
    graze_options narrow = graze_default_options();
    for (uint32_t i = 0; i < 240; i++) {
        graze_context *context = test_context(1 + i % 3, GRAZE_ISA_AUTO);
        soup_style style = (soup_style)(i % SOUP_STYLES);
        graze_step_options options = graze_default_step_options();
        soup_make(&s, context, style, i % 5 ? 30 : 300, i);
        if (style != SOUP_TINY && style != SOUP_HUGE) slow_down(&s, parts[i / SOUP_STYLES % 5]);
        double size = style == SOUP_OFFSET ? 1e-9 : 0.02;
        double separations[2] = {i % 4 == 3 ? size : 0, i % 4 == 3 ? 2 * size : size / (1 + i % 7)};
        narrow.t_max = i % 6 == 5 ? 0.25 : 1;
        options.narrow = &narrow;
        options.broad = broads[i % 3];
        check_soup(context, &s, options, separations);
        graze_mesh_release(context, &s.mesh);
        graze_context_destroy(context);
    }
    CHECK_MSG(again_without_search > 10, "%zu", again_without_search);
}

/* The end of an edge that points at another: what is computed from the other end is below the gap of the boxes, which
   is the distance. */
TEST(pairs_within_a_computed_distance_are_near_enough_to_be_found) {
    test_random random = {5};
    size_t below = 0;
    for (int i = 0; i < 20000; i++) {
        double gap = ldexp(test_random_between(&random, 1, 2), -(int)test_random_below(&random, 40));
        double far = test_random_between(&random, 2.1, 4), shift = i % 2 ? 0x1p10 : 0;
        const double x[4][3] = {{shift, 0, far}, {shift, 0, gap}, {shift - 1, -0.5, 0}, {shift + 1, 0.5, 0}};
        double distance = gz_closest_distance(GRAZE_EE, x);
        below += distance < gap;
        CHECK_MSG(gap <= near_enough(distance, fmax(far, shift + 1)), "%a, computed %a", gap, distance);
    }
    CHECK(below > 1000);
    CHECK(near_enough(0, 0) > 0);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
