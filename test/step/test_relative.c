/* A separation of a part of each pair's own start distance. */
#include "soup.h"

#define POSITIONS(s) (const double(*)[3])(s)->x0, (const double(*)[3])(s)->x1

static graze_step_result run(graze_context *context, const soup *s, const graze_step_options *options) {
    graze_step_result result = graze_default_step_result();
    CHECK(graze_step(context, &s->mesh, POSITIONS(s), options, &result) == GRAZE_OK);
    return result;
}

static double distance_at(const soup *s, const graze_pair *pair, double t) {
    graze_query query;
    graze_distance_result d;
    CHECK(graze_pair_query(&s->mesh, POSITIONS(s), 0, *pair, &query) == GRAZE_OK);
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) query.x0[i][c] += t * (query.x1[i][c] - query.x0[i][c]);
    CHECK(graze_distance(pair->kind, (const double(*)[3])query.x0, &d) == GRAZE_OK);
    return d.value;
}

/* Every candidate is listed, or keeps its part all the way; what is listed keeps it until toi, and no longer where that
   is proven. Times are looked at one by one: nothing is taken from the code under test but toi. */
TEST(each_candidate_keeps_its_part_until_toi) {
    static soup s;
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    size_t listed = 0, seen = 0;
    for (int scene = 0; scene < 12; scene++) {
        const double part = (const double[]){0.2, 0.5, 0.999}[scene % 3];
        soup_make(&s, context, scene % 2 ? SOUP_CLUSTERED : SOUP_UNIFORM, 60, (uint64_t)scene);
        graze_options narrow = graze_default_options();
        narrow.method = scene % 4 < 2 ? GRAZE_METHOD_CERTIFIED : GRAZE_METHOD_EXACT;
        graze_step_options options = graze_default_step_options();
        options.narrow = &narrow;
        options.mode = GRAZE_STEP_ALL;
        options.relative_separation = part;
        graze_step_result all = run(context, &s, &options);
        graze_pair *pairs;
        size_t count, at = 0;
        CHECK(graze_candidates(context, &s.mesh, POSITIONS(&s), &options, &pairs, &count) == GRAZE_OK);
        for (size_t i = 0; i < count; i++) {
            const graze_pair_result *hit = at < all.pair_count ? &all.pairs[at] : NULL;
            bool is_listed = hit && memcmp(&hit->pair, &pairs[i], sizeof pairs[i]) == 0;
            double start = distance_at(&s, &pairs[i], 0), free = is_listed ? hit->result.toi : 1;
            at += is_listed;
            for (int k = 0; k <= 64; k++)
                CHECK_MSG(distance_at(&s, &pairs[i], free * k / 64) >= part * start * (1 - 1e-9) - 1e-12,
                          "scene %d, pair %zu, k %d", scene, i, k);
            if (is_listed && hit->result.proven && hit->result.toi_upper <= 1) {
                CHECK(distance_at(&s, &pairs[i], hit->result.toi_upper) <= part * start * (1 + 1e-9) + 1e-9);
                seen++;
            }
        }
        CHECK(at == all.pair_count);
        listed += at;
        options.mode = GRAZE_STEP_EARLIEST;
        graze_step_result first = run(context, &s, &options);
        CHECK(first.toi == all.toi && first.has_pair == all.has_pair &&
              memcmp(&first.limiting.pair, &all.limiting.pair, sizeof first.limiting.pair) == 0);
        graze_pairs_release(context, pairs, count);
        graze_step_release(context, &all);
        graze_mesh_release(context, &s.mesh);
    }
    CHECK_MSG(listed > 1000 && seen > 500, "%zu, %zu", listed, seen);
    graze_context_destroy(context);
}

/* The larger of the two counts, and 0 is as if it were not there, for a list of pairs too. */
TEST(the_larger_separation_counts) {
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 90, 3);
    graze_options narrow = graze_default_options();
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    graze_pair *pairs;
    size_t count;
    CHECK(graze_candidates(context, &s.mesh, POSITIONS(&s), &options, &pairs, &count) == GRAZE_OK);
    for (size_t i = 0; i < count; i++) {
        graze_result both, plain;
        graze_query query;
        double start = distance_at(&s, &pairs[i], 0);
        narrow.min_separation = 0.01;
        options.relative_separation = 0.25;
        CHECK(graze_ccd_pairs(context, &s.mesh, POSITIONS(&s), &pairs[i], 1, &options, &both) == GRAZE_OK);
        CHECK(graze_pair_query(&s.mesh, POSITIONS(&s), 0, pairs[i], &query) == GRAZE_OK);
        narrow.min_separation = fmax(0.01, 0.25 * start);
        CHECK(graze_ccd(pairs[i].kind, &query, &narrow, &plain) == GRAZE_OK);
        CHECK(both.verdict == plain.verdict && fabs(both.toi - plain.toi) < 1e-6);
    }
    graze_pairs_release(context, pairs, count);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* Many pairs go through lanes, one alone does not. */
TEST(a_list_has_the_bits_of_each_pair_by_itself) {
    static soup s;
    static const graze_isa isas[] = {GRAZE_ISA_AUTO, GRAZE_ISA_AVX2, GRAZE_ISA_SCALAR};
    size_t touching = 0, clear = 0;
    for (int run = 0; run < 12; run++) {
        if (!graze_isa_available(isas[run % 3])) continue;
        graze_context *context = test_context(1, isas[run % 3]);
        soup_make(&s, context, run % 4 ? SOUP_CLUSTERED : SOUP_UNIFORM, 70 + 3 * (uint32_t)run, (uint64_t)run);
        graze_options narrow = graze_default_options();
        narrow.method = run % 2 ? GRAZE_METHOD_EXACT : GRAZE_METHOD_CERTIFIED;
        if (run % 5 == 0) narrow.min_separation = 0.01;
        graze_step_options options = graze_default_step_options();
        options.narrow = &narrow;
        options.relative_separation = run % 3 ? 0.2 : 0.9;
        graze_pair *pairs;
        size_t count;
        CHECK(graze_candidates(context, &s.mesh, POSITIONS(&s), &options, &pairs, &count) == GRAZE_OK);
        graze_result *all = calloc(count, sizeof *all), one;
        CHECK(graze_ccd_pairs(context, &s.mesh, POSITIONS(&s), pairs, count, &options, all) == GRAZE_OK);
        for (size_t i = 0; i < count; i++) {
            CHECK(graze_ccd_pairs(context, &s.mesh, POSITIONS(&s), &pairs[i], 1, &options, &one) == GRAZE_OK);
            CHECK_MSG(one.verdict == all[i].verdict && one.toi == all[i].toi && one.checks == all[i].checks,
                      "run %d, pair %zu: toi %a, by itself %a", run, i, all[i].toi, one.toi);
            *(one.verdict == GRAZE_CLEAR ? &clear : &touching) += 1;
        }
        free(all);
        graze_pairs_release(context, pairs, count);
        graze_mesh_release(context, &s.mesh);
        graze_context_destroy(context);
    }
    CHECK_MSG(touching > 1000 && clear > 1000, "%zu, %zu", touching, clear);
}

/* A point and a triangle so close that the computed distance is mostly rounding. */
static void close_to_face(test_random *random, double x[4][3]) {
    double gap = ldexp(test_random_between(random, 1, 2), -48 - (int)test_random_below(random, 12));
    for (int i = 1; i < 4; i++)
        for (int c = 0; c < 3; c++) x[i][c] = test_random_between(random, -1, 1);
    double u = test_random_between(random, 0, 0.5), v = test_random_between(random, 0, 0.5);
    for (int c = 0; c < 3; c++) x[0][c] = x[1][c] + u * (x[2][c] - x[1][c]) + v * (x[3][c] - x[1][c]);
    x[0][test_random_below(random, 3)] += gap;
}

/* A point and an edge on the lattice of the smallest numbers. */
static void close_to_edge(test_random *random, double x[4][3]) {
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) x[i][c] = 0x1p-1074 * (double)test_random_below(random, 9);
}

/* Vertex 0 and the face or edge of the others. */
static void mesh_of(bool edge, graze_mesh *mesh) {
    static const uint32_t face[1][3] = {{1, 2, 3}}, edges[3][2] = {{1, 2}, {2, 3}, {1, 3}}, point[1] = {0},
                          first[1] = {0};
    *mesh = graze_default_mesh();
    mesh->vertex_count = edge ? 3 : 4;
    mesh->edges = edges;
    mesh->edge_count = edge ? 1 : 3;
    mesh->faces = face;
    mesh->face_count = !edge;
    mesh->codim_points = point;
    mesh->codim_point_count = 1;
    mesh->codim_edges = first;
    mesh->codim_edge_count = edge;
}

/* `exact` tells whether a pair that rests starts within what it has to keep. */
TEST(no_pair_that_is_apart_starts_within_its_part) {
    test_random random = {77};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    size_t apart = 0;
    for (int i = 0; i < 20000; i++) {
        double x[4][3];
        graze_mesh mesh;
        bool edge = i % 4 == 0;
        (edge ? close_to_edge : close_to_face)(&random, x);
        mesh_of(edge, &mesh);
        graze_options narrow = graze_default_options();
        narrow.method = GRAZE_METHOD_EXACT;
        graze_step_options options = graze_default_step_options();
        options.narrow = &narrow;
        graze_step_result result = graze_default_step_result();
        const double(*at)[3] = (const double(*)[3])x;
        CHECK(graze_step(context, &mesh, at, at, &options, &result) == GRAZE_OK);
        if (result.verdict != GRAZE_CLEAR) continue;
        apart++;
        options.relative_separation = i % 3 ? 0.999 : 0.7;
        CHECK(graze_step(context, &mesh, at, at, &options, &result) == GRAZE_OK);
        CHECK_MSG(result.verdict == GRAZE_CLEAR, "pair %d", i);
    }
    CHECK_MSG(apart > 15000, "%zu", apart);
    graze_context_destroy(context);
}

TEST(what_does_not_go_with_it_is_refused) {
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 12, 1);
    graze_options narrow = graze_default_options();
    graze_step_options options = graze_default_step_options();
    graze_step_result result = graze_default_step_result();
    options.narrow = &narrow;
    const double bad[] = {-0.1, 1, NAN, 0.9991};
    for (int i = 0; i < 4; i++) {
        options.relative_separation = bad[i];
        CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &result) == GRAZE_ERR_INVALID_ARGUMENT);
    }
    options.relative_separation = 0.2;
    double times[3 * SOUP_MAX];
    options.vertex_toi = times;
    options.mode = GRAZE_STEP_VERTICES;
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &result) == GRAZE_ERR_UNSUPPORTED);
    options.mode = GRAZE_STEP_EARLIEST;
    narrow.method = GRAZE_METHOD_FPRF;
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &result) == GRAZE_ERR_UNSUPPORTED);
    narrow.method = GRAZE_METHOD_CERTIFIED;
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &result) == GRAZE_OK);
    graze_line_search_options search = graze_default_line_search_options();
    graze_line_search_result found = graze_default_line_search_result();
    search.step = &options;
    CHECK(graze_line_search(context, &s.mesh, POSITIONS(&s), NULL, NULL, &search, &found) == GRAZE_ERR_UNSUPPORTED);
    double radii[3 * SOUP_MAX] = {0};
    s.mesh.thickness = radii;
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &result) == GRAZE_ERR_UNSUPPORTED);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
