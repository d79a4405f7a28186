/* State kept by a context from step to step changes no answer; nor do the short ways for few primitives and many pairs.
 */
#include "soup.h"

#include "base/context.h"
#include "broad/few.h"
#include "broad/rough.h"
#include "broad/workspace.h"

#define POSITIONS(s) (const double(*)[3])(s)->x0, (const double(*)[3])(s)->x1

static bool same_double(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }

static bool same_answer(const graze_step_result *a, const graze_step_result *b) {
    const graze_result *p = &a->limiting.result, *q = &b->limiting.result;
    bool same = a->verdict == b->verdict && a->reason == b->reason && same_double(a->toi, b->toi) &&
                same_double(a->toi_upper, b->toi_upper) && a->has_pair == b->has_pair;
    if (!same || !a->has_pair) return same;
    same = a->limiting.pair.kind == b->limiting.pair.kind && a->limiting.pair.a == b->limiting.pair.a &&
           a->limiting.pair.b == b->limiting.pair.b && p->verdict == q->verdict && p->proven == q->proven &&
           p->checks == q->checks && same_double(p->u, q->u) && same_double(p->v, q->v);
    for (int c = 0; c < 3; c++)
        same &= same_double(p->point[c], q->point[c]) && same_double(p->normal[c], q->normal[c]);
    return same;
}

/* The step in a context that has done nothing before, by the plainest broad phase. */
static graze_step_result fresh_step(const soup *s, const graze_options *narrow) {
    graze_context *context = test_context(1, GRAZE_ISA_SCALAR);
    graze_step_options options = graze_default_step_options();
    options.broad = GRAZE_BROAD_BRUTE;
    options.narrow = narrow;
    graze_step_result r = graze_default_step_result();
    CHECK(graze_step(context, &s->mesh, POSITIONS(s), &options, &r) == GRAZE_OK);
    graze_context_destroy(context);
    return r;
}

/* Goes on to a part of the way to contact, as a simulation does. */
static void move_on(soup *s, double part) {
    for (uint32_t v = 0; v < s->mesh.vertex_count; v++)
        for (int c = 0; c < 3; c++) s->x0[v][c] += part * (s->x1[v][c] - s->x0[v][c]);
}

static int some_pairs(void *user, graze_kind kind, uint32_t a, uint32_t b) {
    (void)user;
    return (a + b + (uint32_t)kind) % 5 != 0;
}

enum { USED = 4 };

/* Steps on in contexts that have seen other steps, meshes and options before. */
static void step_on(graze_context *used[USED], soup *s, const graze_options *narrow, int steps, size_t *contacts) {
    graze_step_options options = graze_default_step_options();
    options.narrow = narrow;
    for (int k = 0; k < steps; k++) {
        graze_step_result expected = fresh_step(s, narrow);
        for (int i = 0; i < USED; i++) {
            graze_step_result r = graze_default_step_result();
            CHECK(graze_step(used[i], &s->mesh, POSITIONS(s), &options, &r) == GRAZE_OK);
            CHECK_MSG(same_answer(&r, &expected), "step %d, %u threads: toi %a, fresh %a", k,
                      graze_context_threads(used[i]), r.toi, expected.toi);
        }
        *contacts += expected.has_pair != 0;
        move_on(s, 0.75 * expected.toi);
    }
}

TEST(a_used_context_answers_like_a_fresh_one) {
    static soup s;
    graze_context *used[USED];
    static const uint32_t threads[USED] = {1, 2, 5, 8};
    for (int i = 0; i < USED; i++) used[i] = test_context(threads[i], GRAZE_ISA_AUTO);
    size_t contacts = 0;
    uint32_t seeds = 0;
    for (uint64_t seed = 0; seed < 3; seed++)
        for (int style = 0; style < SOUP_STYLES; style++) {
            if (style == SOUP_SAME) continue;
            /* as many triangles each time: what is kept belongs to another mesh, and fits */
            soup_make(&s, used[0], (soup_style)style, 120, 70 + seed);
            graze_options narrow = graze_default_options();
            if (seed == 1) s.mesh.skip_same_group = 1, s.mesh.group_count = 3, s.mesh.groups = s.groups;
            if (seed == 2) s.mesh.filter = some_pairs;
            if (seed == 2 && style == SOUP_CLUSTERED) narrow.min_separation = 1e-3;
            if (seed == 1 && style == SOUP_UNIFORM) narrow.t_max = 0.625;
            if (seed == 0 && style == SOUP_FLAT) narrow.method = GRAZE_METHOD_EXACT;
            step_on(used, &s, &narrow, 4, &contacts);
            seeds += ((gz_workspace *)used[0]->step.object)->seed_count;
            graze_mesh_release(used[0], &s.mesh);
        }
    CHECK(contacts > 20 && seeds > 0);
    for (int i = 0; i < USED; i++) graze_context_destroy(used[i]);
}

TEST(an_order_that_no_longer_serves_is_given_up) {
    static soup s;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 300, 5);
    graze_step_result r = graze_default_step_result();
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), NULL, &r) == GRAZE_OK);
    const gz_workspace *workspace = context->step.object;
    double spread = workspace->trees[1].spread;
    CHECK(spread > 0 && workspace->trees[1].count == 300);
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), NULL, &r) == GRAZE_OK);
    CHECK(workspace->trees[1].spread == spread); /* kept */
    test_random random = {9};
    for (uint32_t f = 0; f < 300; f += 3) { /* triangles change places */
        uint32_t other = 3 * (uint32_t)test_random_below(&random, 100);
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++) {
                uint32_t v = s.faces[f][k], w = s.faces[other][k];
                double x0 = s.x0[v][c], x1 = s.x1[v][c];
                s.x0[v][c] = s.x0[w][c], s.x1[v][c] = s.x1[w][c];
                s.x0[w][c] = x0, s.x1[w][c] = x1;
            }
    }
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), NULL, &r) == GRAZE_OK);
    CHECK(workspace->trees[1].spread != spread && workspace->trees[1].spread < 1.5 * spread); /* ordered anew */
    graze_step_result expected = fresh_step(&s, NULL);
    CHECK(same_answer(&r, &expected));
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(a_pair_of_the_last_step_may_be_none_of_this_one) {
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    size_t changed = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        soup_make(&s, context, SOUP_CLUSTERED, 60, seed);
        s.mesh.codim_point_count = 0;
        graze_step_result r = graze_default_step_result(), expected = graze_default_step_result();
        CHECK(graze_step(context, &s.mesh, POSITIONS(&s), NULL, &r) == GRAZE_OK);
        if (r.has_pair && r.limiting.pair.kind == GRAZE_VF) { /* the vertex becomes a corner of the face */
            s.faces[r.limiting.pair.b][0] = r.limiting.pair.a;
            changed++;
        }
        expected = fresh_step(&s, NULL);
        CHECK(graze_step(context, &s.mesh, POSITIONS(&s), NULL, &r) == GRAZE_OK);
        CHECK_MSG(same_answer(&r, &expected), "seed %d: toi %a, fresh %a", (int)seed, r.toi, expected.toi);
        graze_mesh_release(context, &s.mesh);
    }
    CHECK(changed > 4);
    graze_context_destroy(context);
}

TEST(another_list_of_as_many_points_is_another_list) {
    static soup s;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 200, 4);
    graze_mesh_release(context, &s.mesh);
    CHECK(graze_mesh_from_faces(context, 400, NULL, 0, &s.mesh) == GRAZE_OK); /* the others are spare */
    s.mesh.codim_points = s.codim_points;
    s.mesh.codim_point_count = 100;
    graze_options narrow = graze_default_options();
    narrow.min_separation = 0.1;
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    for (uint32_t shift = 0; shift < 4; shift++) {
        for (uint32_t i = 0; i < 100; i++) s.codim_points[i] = 4 * i + shift;
        graze_step_result r = graze_default_step_result(), expected = fresh_step(&s, &narrow);
        CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &r) == GRAZE_OK);
        CHECK_MSG(same_answer(&r, &expected) && r.has_pair, "points %u + 4 i: toi %a, fresh %a", shift, r.toi,
                  expected.toi);
    }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* A vertex stops an ulp before a face: not even their boxes touch. Seen from a far corner of the scene, in float, they
   do, and what the narrow phase would say of the pair must not count. */
static void just_miss(graze_context *context, uint32_t faces) {
    static soup s;
    uint32_t count = 0;
    for (uint32_t f = 0; f < faces; f++)
        for (int k = 0; k < 3; k++) {
            double corner[3] = {-1 + k, 50 + 2 * (double)f + (k == 1), k == 2};
            memcpy(s.x0[count], corner, sizeof corner);
            s.faces[f][k] = count++;
        }
    static const double face[3][3] = {{0, -1, -1}, {0, 1, -1}, {0, 0, 1}};
    static const double falling[3][3] = {{1, 0, 0}, {10, 10, 10}, {10, 10, 11}};
    memcpy(s.x0[0 + 3], face, sizeof face);
    memcpy(s.x0[3 + 3], falling, sizeof falling);
    memcpy(s.x1, s.x0, sizeof s.x0);
    s.x1[6][0] = -2;
    s.mesh = graze_default_mesh();
    CHECK(graze_mesh_from_faces(context, count, (const uint32_t(*)[3])s.faces, faces, &s.mesh) == GRAZE_OK);
    CHECK(gz_is_few(&s.mesh) == (faces < 22));
    graze_options narrow = graze_default_options();
    narrow.t_max = nextafter(1.0 / 3, 0);
    while (fma(-3, narrow.t_max, 1) <= 0) narrow.t_max = nextafter(narrow.t_max, 0);
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    graze_step_result r = graze_default_step_result(), expected = fresh_step(&s, &narrow);
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &r) == GRAZE_OK);
    CHECK(expected.verdict == GRAZE_CLEAR);
    CHECK_MSG(same_answer(&r, &expected), "%u faces: toi %a, plain %a", faces, r.toi, expected.toi);
    graze_mesh_release(context, &s.mesh);
}

TEST(a_pair_whose_boxes_just_miss_each_other_is_no_pair) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    just_miss(context, 14);
    just_miss(context, 60);
    graze_context_destroy(context);
}

/* Groups that come back again and again along the lists; triangle 3k + 2 hangs on the one before it. */
static void mix_groups(soup *s, uint32_t faces, const uint8_t *table) {
    for (uint32_t f = 0; f < faces; f++)
        for (int k = 0; k < 3; k++) s->groups[s->faces[f][k]] = (f - (f % 3 == 2)) % 4;
    s->mesh.groups = s->groups;
    s->mesh.group_count = 4;
    s->mesh.group_pairs = table;
}

/* Around the sizes up to which there is no tree, by each instruction set. */
TEST(a_handful_of_triangles_has_the_step_of_the_plain_loops) {
    static soup s;
    static const graze_isa isas[] = {GRAZE_ISA_AUTO, GRAZE_ISA_SCALAR, GRAZE_ISA_AVX2};
    static const uint8_t table[4 * 4] = {1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0}; /* 0 and 2 never touch */
    size_t contacts = 0, few = 0, fewest = 0, tried = 0;
    for (int isa = 0; isa < 3; isa++) {
        if (!graze_isa_available(isas[isa])) continue;
        tried++;
        graze_context *context = test_context(3, isas[isa]);
        for (uint64_t seed = 0; seed < 700; seed++) {
            soup_style style = seed % 2 ? (soup_style)(seed / 2 % SOUP_STYLES) : SOUP_UNIFORM;
            uint32_t faces = 2 + (uint32_t)(seed % 3 ? seed % 30 : seed / 3 % 3);
            soup_make(&s, context, style, faces, seed);
            s.mesh.codim_point_count = 0;
            if (seed % 2 == 0) /* closer together */
                for (uint32_t v = 0; v < s.mesh.vertex_count; v++)
                    for (int c = 0; c < 3; c++) {
                        double shift = 0.9375 * s.x0[v - v % 3][c];
                        s.x0[v][c] -= shift;
                        s.x1[v][c] -= shift;
                    }
            if (seed % 5 == 0) s.mesh.skip_same_group = 1, s.mesh.group_count = 3, s.mesh.groups = s.groups;
            if (seed % 5 == 1) mix_groups(&s, faces, seed % 2 ? table : NULL);
            if (seed % 7 == 0) s.mesh.filter = some_pairs;
            graze_step_result r = graze_default_step_result(), expected = fresh_step(&s, NULL);
            CHECK(graze_step(context, &s.mesh, POSITIONS(&s), NULL, &r) == GRAZE_OK);
            CHECK_MSG(same_answer(&r, &expected), "isa %d, seed %d: toi %a, plain %a", isa, (int)seed, r.toi,
                      expected.toi);
            contacts += expected.has_pair != 0;
            few += gz_is_few(&s.mesh);
            fewest += gz_is_fewest(&s.mesh) && expected.has_pair != 0;
            graze_mesh_release(context, &s.mesh);
        }
        graze_context_destroy(context);
    }
    CHECK_MSG(contacts > 200 * tried && few > 280 * tried && fewest > 12 * tried, "%zu, %zu, %zu of %zu", contacts, few,
              fewest, tried);
}

TEST(a_list_of_many_pairs_is_sorted_and_whole) {
    static soup s;
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        graze_context *context = test_context(threads, GRAZE_ISA_AUTO);
        soup_make(&s, context, SOUP_SAME, SOUP_MAX, 3); /* every box meets every other */
        plain_list expected = plain_candidates(&s, 0);
        graze_pair *pairs;
        size_t count;
        CHECK(graze_candidates(context, &s.mesh, POSITIONS(&s), NULL, &pairs, &count) == GRAZE_OK);
        CHECK_MSG(count == expected.count && count > 500000, "%zu", count);
        CHECK(count == expected.count && memcmp(pairs, expected.pairs, count * sizeof *pairs) == 0);
        graze_pairs_release(context, pairs, count);
        free(expected.pairs);
        graze_mesh_release(context, &s.mesh);
        graze_context_destroy(context);
    }
}

static double any_double(test_random *random) {
    static const double hard[] = {0, -0.0, 1e-320, -5e-324, 1e308, -1.7e308, INFINITY, -INFINITY, 0x1p159, 1e7};
    uint64_t kind = test_random_below(random, 4);
    if (kind == 0) return hard[test_random_below(random, sizeof hard / sizeof *hard)];
    double x = test_random_between(random, -1, 1);
    return kind == 1   ? x
           : kind == 2 ? 1e7 + 0x1p-28 * floor(8 * x)
                       : ldexp(x, (int)test_random_below(random, 600) - 300);
}

TEST(boxes_that_meet_in_double_meet_in_float) {
    enum { COUNT = 64 };
    test_random random = {12};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    size_t meet = 0, apart = 0;
    for (int round = 0; round < 300; round++) {
        gz_box boxes[COUNT];
        gz_rough rough[COUNT];
        for (int i = 0; i < COUNT; i++)
            for (int c = 0; c < 3; c++) {
                double x = any_double(&random), y = test_random_below(&random, 3) ? any_double(&random) : x;
                boxes[i].lo[c] = fmin(x, y);
                boxes[i].hi[c] = fmax(x, y);
            }
        gz_view view = gz_view_of(boxes, COUNT);
        gz_rough_boxes(context, &view, boxes, COUNT, rough);
        for (int i = 0; i < COUNT; i++)
            for (int j = 0; j < COUNT; j++) {
                gz_rough_limit limit = gz_rough_limit_of(&rough[i]);
                bool seen = true;
                for (int k = 0; k < 6; k++) seen &= rough[j].side[k + k / 3] <= limit.side[k];
                if (gz_boxes_meet(&boxes[i], &boxes[j])) {
                    meet++;
                    CHECK(seen);
                } else {
                    apart += !seen;
                }
            }
    }
    CHECK(meet > 10000 && apart > 10000);
    graze_context_destroy(context);
}

/* ---- memory ---- */

/* Square number `i` of `side` × `side`, as two triangles, from vertex `first` on. */
static void two_triangles(uint32_t side, uint32_t first, uint32_t i, uint32_t faces[2][3]) {
    uint32_t corner = first + i / side * (side + 1) + i % side, next = corner + side + 1;
    memcpy(faces, (uint32_t[2][3]){{corner, corner + 1, next}, {corner + 1, next + 1, next}}, sizeof(uint32_t[2][3]));
}

TEST(an_earliest_step_holds_less_than_200_bytes_a_triangle) {
    enum { SIDE = 400, POINTS = (SIDE + 1) * (SIDE + 1), SQUARES = SIDE * SIDE };
    graze_context *context = test_context(1, GRAZE_ISA_AUTO), *owner = test_context(1, GRAZE_ISA_AUTO);
    double(*x)[2 * POINTS][3] = malloc(2 * sizeof *x);
    uint32_t(*faces)[3] = malloc(4 * SQUARES * sizeof *faces);
    for (uint32_t v = 0; v < 2 * POINTS; v++) /* two sheets, one falls towards the other */
        for (int end = 0; end < 2; end++) {
            uint32_t place = v % POINTS;
            double height = v < POINTS ? 0.25 * sin(place) : 1.5 - end;
            memcpy(x[end][v], (double[3]){place / (SIDE + 1), place % (SIDE + 1), height}, sizeof x[end][v]);
        }
    for (uint32_t i = 0; i < 2 * SQUARES; i++)
        two_triangles(SIDE, i < SQUARES ? 0 : POINTS, i % SQUARES, faces + 2 * (size_t)i);
    graze_mesh mesh = graze_default_mesh();
    graze_step_result result = graze_default_step_result();
    graze_stats stats = graze_default_stats();
    CHECK(graze_mesh_from_faces(owner, 2 * POINTS, (const uint32_t(*)[3])faces, 4 * SQUARES, &mesh) == GRAZE_OK);
    CHECK(graze_step(context, &mesh, (const double(*)[3])x[0], (const double(*)[3])x[1], NULL, &result) == GRAZE_OK);
    CHECK(graze_context_stats(context, &stats) == GRAZE_OK);
    CHECK_MSG(stats.peak_bytes < 200 * (uint64_t)mesh.face_count, "%g", (double)stats.peak_bytes / mesh.face_count);
    graze_mesh_release(owner, &mesh);
    graze_context_destroy(context);
    graze_context_destroy(owner);
    free(x);
    free(faces);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
