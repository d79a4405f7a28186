/* Whole steps of meshes with a radius for each vertex. */
#include "soup.h"
#include "thick_reference.h"

static void thicken(soup *s, double *radii, uint64_t seed) {
    test_random random = {seed};
    for (uint32_t v = 0; v < s->mesh.vertex_count; v++)
        radii[v] = test_random_below(&random, 5) ? 0.02 * test_random_unit(&random) : 0;
    s->mesh.thickness = radii;
}

static void gather(const soup *s, graze_pair pair, const double (*x0)[3], const double (*x1)[3], graze_query *query,
                   double radii[4]) {
    const graze_mesh *mesh = &s->mesh;
    const uint32_t *b = pair.kind == GRAZE_VF   ? mesh->faces[pair.b]
                        : pair.kind == GRAZE_PP ? &pair.b
                                                : mesh->edges[pair.b];
    const uint32_t *a = pair.kind == GRAZE_EE ? mesh->edges[pair.a] : &pair.a;
    for (int i = 0; i < rows_of(pair.kind); i++) {
        uint32_t v = i < rows_of_a(pair.kind) ? a[i] : b[i - rows_of_a(pair.kind)];
        memcpy(query->x0[i], x0[v], sizeof query->x0[i]);
        memcpy(query->x1[i], x1[v], sizeof query->x1[i]);
        radii[i] = mesh->thickness[v];
    }
}

#define X0(s) ((const double(*)[3])(s)->x0)
#define X1(s) ((const double(*)[3])(s)->x1)

TEST(a_step_answers_as_its_pairs_do_for_every_broad_phase_thread_count_and_instruction_set) {
    static soup s;
    static double radii[3 * SOUP_MAX];
    for (int method = 0; method < 2; method++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            graze_context *context = test_context(1, GRAZE_ISA_SCALAR);
            soup_make(&s, context, SOUP_UNIFORM, 150, seed);
            thicken(&s, radii, seed);
            graze_options narrow = graze_default_options();
            narrow.method = method ? GRAZE_METHOD_EXACT : GRAZE_METHOD_CERTIFIED;
            narrow.min_separation = seed == 2 ? 0.005 : 0;
            plain_list all = plain_candidates(&s, 0.005 + 2 * 0.02);
            graze_pair_result first = {.result.toi = 1};
            size_t hits = 0;
            for (size_t i = 0; i < all.count; i++) {
                graze_query query;
                double r[4];
                graze_result result;
                gather(&s, all.pairs[i], X0(&s), X1(&s), &query, r);
                CHECK(graze_ccd_thick(all.pairs[i].kind, &query, r, &narrow, &result) == GRAZE_OK);
                if (result.verdict == GRAZE_CLEAR) continue;
                if (hits++ == 0 || result.toi < first.result.toi) first = (graze_pair_result){all.pairs[i], result};
            }
            CHECK(hits > 20);
            static const graze_broad broads[] = {GRAZE_BROAD_AUTO, GRAZE_BROAD_BRUTE, GRAZE_BROAD_SAP, GRAZE_BROAD_HASH,
                                                 GRAZE_BROAD_STQ};
            for (int threads = 1; threads <= 4; threads += 3)
                for (int isa = 0; isa < 2; isa++) {
                    graze_context *other = test_context((uint32_t)threads, isa ? GRAZE_ISA_SCALAR : GRAZE_ISA_AUTO);
                    for (size_t b = 0; b < sizeof broads / sizeof *broads; b++)
                        for (int mode = 0; mode < 2; mode++) {
                            graze_step_options options = graze_default_step_options();
                            graze_step_result r = graze_default_step_result();
                            options.narrow = &narrow;
                            options.broad = broads[b];
                            options.mode = mode ? GRAZE_STEP_ALL : GRAZE_STEP_EARLIEST;
                            CHECK(graze_step(other, &s.mesh, X0(&s), X1(&s), &options, &r) == GRAZE_OK);
                            CHECK(r.verdict != GRAZE_CLEAR && r.toi == first.result.toi);
                            CHECK(r.has_pair && r.limiting.pair.kind == first.pair.kind &&
                                  r.limiting.pair.a == first.pair.a && r.limiting.pair.b == first.pair.b);
                            CHECK(r.limiting.result.toi_upper == first.result.toi_upper);
                            if (mode) CHECK(r.pair_count == hits);
                            graze_step_release(other, &r);
                        }
                    graze_context_destroy(other);
                }
            free(all.pairs);
            graze_mesh_release(context, &s.mesh);
            graze_context_destroy(context);
        }
}

TEST(methods_without_radii_take_the_largest_and_are_earlier) {
    static soup s;
    static double radii[3 * SOUP_MAX];
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 100, 7);
    thicken(&s, radii, 7);
    graze_options narrow = graze_default_options();
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    options.mode = GRAZE_STEP_ALL;
    graze_step_result certified = graze_default_step_result(), oracle = graze_default_step_result();
    narrow.method = GRAZE_METHOD_CERTIFIED;
    CHECK(graze_step(context, &s.mesh, X0(&s), X1(&s), &options, &certified) == GRAZE_OK);
    narrow.method = GRAZE_METHOD_ORACLE;
    CHECK(graze_step(context, &s.mesh, X0(&s), X1(&s), &options, &oracle) == GRAZE_OK);
    CHECK(oracle.pair_count > certified.pair_count && certified.pair_count > 20);
    size_t j = 0, later = 0;
    for (size_t i = 0; i < certified.pair_count && j < oracle.pair_count; i++) {
        const graze_pair *pair = &certified.pairs[i].pair;
        while (j < oracle.pair_count && plain_order(&oracle.pairs[j].pair, pair) < 0) j++;
        CHECK(j < oracle.pair_count && plain_order(&oracle.pairs[j].pair, pair) == 0);
        if (j == oracle.pair_count) break;
        CHECK(oracle.pairs[j].result.toi <= certified.pairs[i].result.toi + 1e-9);
        later += certified.pairs[i].result.toi > oracle.pairs[j].result.toi + 1e-4;
    }
    CHECK(later > 10);
    graze_step_release(context, &certified);
    graze_step_release(context, &oracle);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(start_violations_are_the_pairs_whose_hulls_of_balls_are_too_close) {
    static soup s;
    static double radii[3 * SOUP_MAX];
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    size_t violating = 0, wider = 0;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        soup_make(&s, context, SOUP_UNIFORM, 120, seed + 20);
        memcpy(s.x1, s.x0, sizeof s.x1);
        thicken(&s, radii, seed);
        graze_options narrow = graze_default_options();
        narrow.min_separation = seed == 1 ? 0.005 : 0;
        graze_step_options options = graze_default_step_options();
        options.narrow = &narrow;
        graze_pair *pairs;
        size_t count, next = 0;
        CHECK(graze_start_violations(context, &s.mesh, X0(&s), &options, &pairs, &count) == GRAZE_OK);
        plain_list all = plain_candidates(&s, narrow.min_separation + 2 * 0.02);
        for (size_t i = 0; i < all.count; i++) {
            graze_query query;
            double r[4], most[4];
            gather(&s, all.pairs[i], X0(&s), X0(&s), &query, r);
            bool listed = next < count && plain_order(&pairs[next], &all.pairs[i]) == 0;
            next += listed;
            bool close = search_finds_contact(all.pairs[i].kind, &query, r, narrow.min_separation, 0);
            CHECK_QUERY(listed == close, all.pairs[i].kind, &query); /* random: none is too close to tell */
            violating += close;
            for (int k = 0; k < 4; k++) most[k] = 0.02;
            wider += !close && search_finds_contact(all.pairs[i].kind, &query, most, narrow.min_separation, 0);
        }
        CHECK(next == count);
        free(all.pairs);
        graze_pairs_release(context, pairs, count);
        graze_mesh_release(context, &s.mesh);
    }
    CHECK(violating > 20 && wider > 20);
    graze_context_destroy(context);
}

/* Vertices go any part of the way to their own times; no pair comes too close. */
TEST(vertex_times_keep_the_hulls_of_balls_apart) {
    static soup s;
    static double radii[3 * SOUP_MAX], limit[3 * SOUP_MAX], x[3 * SOUP_MAX][3];
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    test_random random = {9};
    soup_make(&s, context, SOUP_UNIFORM, 60, 33);
    thicken(&s, radii, 5);
    graze_options narrow = graze_default_options();
    graze_step_options options = graze_default_step_options();
    options.narrow = &narrow;
    options.mode = GRAZE_STEP_VERTICES;
    options.vertex_toi = limit;
    graze_step_result r = graze_default_step_result();
    CHECK(graze_step(context, &s.mesh, X0(&s), X1(&s), &options, &r) == GRAZE_OK);
    graze_pair *bad;
    size_t bad_count, held = 0, moved = 0;
    CHECK(graze_start_violations(context, &s.mesh, X0(&s), &options, &bad, &bad_count) == GRAZE_OK);
    for (uint32_t v = 0; v < s.mesh.vertex_count; v++) held += limit[v]<1, moved += limit[v]> 0;
    CHECK(held > 20 && moved > 20);
    plain_list all = plain_candidates(&s, 2 * 0.02);
    for (int trial = 0; trial < 6; trial++) {
        for (uint32_t v = 0; v < s.mesh.vertex_count; v++) {
            double part = trial == 0 ? 0.999999 : test_random_below(&random, 2) ? 0.999999 : test_random_unit(&random);
            for (int c = 0; c < 3; c++) x[v][c] = s.x0[v][c] + part * limit[v] * (s.x1[v][c] - s.x0[v][c]);
        }
        for (size_t i = 0, next = 0; i < all.count; i++) {
            while (next < bad_count && plain_order(&bad[next], &all.pairs[i]) < 0) next++;
            if (next < bad_count && plain_order(&bad[next], &all.pairs[i]) == 0) continue;
            graze_query query;
            double own[4];
            gather(&s, all.pairs[i], (const double(*)[3])x, (const double(*)[3])x, &query, own);
            CHECK_QUERY(!search_finds_contact(all.pairs[i].kind, &query, own, 0, 0), all.pairs[i].kind, &query);
        }
    }
    free(all.pairs);
    graze_pairs_release(context, bad, bad_count);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(a_line_search_stops_before_the_hulls_of_balls_touch) {
    /* a point above a tapered edge */
    static const uint32_t edges[1][2] = {{1, 2}}, codim_edges[1] = {0}, codim_points[1] = {0};
    static const double radii[3] = {0, 0.5, 0};
    const double x0[3][3] = {{0.75, 1, 0}, {0, 0, 0}, {1, 0, 0}}, x1[3][3] = {{0.75, -1, 0}, {0, 0, 0}, {1, 0, 0}};
    graze_mesh mesh = graze_default_mesh();
    mesh.vertex_count = 3;
    mesh.edge_count = mesh.codim_edge_count = mesh.codim_point_count = 1;
    mesh.edges = edges;
    mesh.codim_edges = codim_edges;
    mesh.codim_points = codim_points;
    mesh.thickness = radii;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_line_search_result result = graze_default_line_search_result();
    CHECK(graze_line_search(context, &mesh, x0, x1, NULL, NULL, NULL, &result) == GRAZE_OK);
    double side = tan(asin(0.5)), touch = 0.5 * (1 - 0.25 * side);
    /* the start distance from the cone's side is (1 - 0.25 tan) cos; a fifth of it is kept */
    double kept = 0.2 * (1 - 0.25 * side) * cos(asin(0.5));
    double when = touch - 0.5 * kept / cos(asin(0.5));
    CHECK_MSG(result.alpha < touch && fabs(result.alpha - when) < 1e-9, "%.17g, not %.17g", result.alpha, when);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
