/* Pairs of a mesh as a caller sees them: queries, stencils, names. */
#include "soup.h"

/* The soup's pairs that touch or nearly do, all four kinds among them. */
static graze_pair *some_pairs(graze_context *context, const soup *s, size_t *count) {
    graze_pair *pairs;
    CHECK(graze_candidates(context, &s->mesh, (const double(*)[3])s->x0, (const double(*)[3])s->x1, NULL, &pairs,
                           count) == GRAZE_OK);
    return pairs;
}

TEST(a_pair_query_is_the_query_that_the_narrow_phase_answers) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    static soup s;
    soup_make(&s, context, SOUP_CLUSTERED, 250, 5);
    size_t count, kinds[4] = {0};
    graze_pair *pairs = some_pairs(context, &s, &count);
    graze_result *results = malloc(count * sizeof *results);
    CHECK(graze_ccd_pairs(context, &s.mesh, (const double(*)[3])s.x0, (const double(*)[3])s.x1, pairs, count, NULL,
                          results) == GRAZE_OK);
    for (size_t i = 0; i < count; i++) {
        graze_query query;
        graze_result one;
        kinds[pairs[i].kind]++;
        CHECK(graze_pair_query(&s.mesh, (const double(*)[3])s.x0, (const double(*)[3])s.x1, 0, pairs[i], &query) ==
              GRAZE_OK);
        CHECK(graze_ccd(pairs[i].kind, &query, NULL, &one) == GRAZE_OK);
        CHECK_QUERY(one.verdict == results[i].verdict && one.toi == results[i].toi, pairs[i].kind, &query);
    }
    for (int kind = 0; kind < 4; kind++) CHECK_MSG(kinds[kind] > 0, "no pair of kind %d", kind);
    free(results);
    graze_pairs_release(context, pairs, count);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* Of a hit the gap is nothing but rounding and what toi is early by; of closest points it is their vector. */
TEST(the_weights_of_a_stencil_give_the_gap) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    static soup s;
    soup_make(&s, context, SOUP_CLUSTERED, 60, 6);
    size_t count;
    graze_pair *pairs = some_pairs(context, &s, &count);
    graze_distance_result *distances = malloc(count * sizeof *distances);
    CHECK(graze_distances(context, &s.mesh, (const double(*)[3])s.x0, pairs, count, NULL, distances) == GRAZE_OK);
    size_t hits = 0;
    for (size_t i = 0; i < count; i++) {
        graze_stencil stencil;
        graze_query query;
        graze_result result;
        const graze_distance_result *d = &distances[i];
        CHECK(graze_pair_query(&s.mesh, (const double(*)[3])s.x0, (const double(*)[3])s.x1, 0, pairs[i], &query) ==
              GRAZE_OK);
        CHECK(graze_pair_stencil(&s.mesh, pairs[i], d->u, d->v, &stencil) == GRAZE_OK);
        CHECK(graze_ccd(pairs[i].kind, &query, NULL, &result) == GRAZE_OK);
        for (int c = 0; c < 3; c++) {
            double gap = 0;
            for (uint32_t k = 0; k < stencil.count; k++) gap += stencil.weights[k] * s.x0[stencil.vertices[k]][c];
            CHECK_QUERY(fabs(gap - d->vector[c]) < 1e-12, pairs[i].kind, &query);
        }
        if (result.verdict != GRAZE_HIT || !result.proven) continue;
        hits++;
        CHECK(graze_pair_stencil(&s.mesh, pairs[i], result.u, result.v, &stencil) == GRAZE_OK);
        for (int c = 0; c < 3; c++) {
            double gap = 0;
            for (uint32_t k = 0; k < stencil.count; k++)
                gap += stencil.weights[k] * ((1 - result.toi) * query.x0[k][c] + result.toi * query.x1[k][c]);
            CHECK_QUERY(fabs(gap) < 1e-6, pairs[i].kind, &query);
        }
    }
    CHECK(hits > 20);
    free(distances);
    graze_pairs_release(context, pairs, count);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(a_pair_that_is_none_is_refused) {
    const uint32_t edges[3][2] = {{0, 1}, {1, 2}, {0, 2}}, faces[1][3] = {{0, 1, 2}};
    const double x[4][3] = {{0}};
    graze_mesh mesh = graze_default_mesh();
    mesh.vertex_count = 4;
    mesh.edge_count = 3;
    mesh.edges = edges;
    graze_query query;
    graze_stencil stencil;
    graze_pair vf = {GRAZE_VF, 3, 0}, ee = {GRAZE_EE, 0, 3}, pp = {GRAZE_PP, 0, 4}, none = {(graze_kind)7, 0, 0};
    CHECK(graze_pair_query(&mesh, x, x, 0, vf, &query) == GRAZE_ERR_BAD_INDEX); /* there are no faces */
    mesh.faces = faces;
    mesh.face_count = 1;
    CHECK(graze_pair_query(&mesh, x, x, 0, vf, &query) == GRAZE_OK);
    CHECK(graze_pair_query(&mesh, x, x, 20, vf, &query) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_pair_query(&mesh, NULL, x, 0, vf, &query) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_pair_query(NULL, x, x, 0, vf, &query) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_pair_stencil(&mesh, ee, 0, 0, &stencil) == GRAZE_ERR_BAD_INDEX && stencil.count == 0);
    CHECK(graze_pair_stencil(&mesh, pp, 0, 0, &stencil) == GRAZE_ERR_BAD_INDEX);
    CHECK(graze_pair_stencil(&mesh, none, 0, 0, &stencil) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_pair_stencil(&mesh, vf, 0, 0, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    mesh.vertex_count = 2; /* the face names a vertex that is not there */
    CHECK(graze_pair_stencil(&mesh, (graze_pair){GRAZE_VF, 0, 0}, 0, 0, &stencil) == GRAZE_ERR_BAD_INDEX);
}

TEST(names_go_there_and_back) {
    for (int i = 0; i < 4; i++) {
        graze_kind kind = (graze_kind)9;
        graze_step_mode mode = (graze_step_mode)9;
        CHECK(graze_kind_find(graze_kind_name((graze_kind)i), &kind) == 1 && (int)kind == i);
        CHECK(graze_step_mode_find(graze_step_mode_name((graze_step_mode)i), &mode) == 1 && (int)mode == i);
    }
    graze_kind kind = GRAZE_PE;
    CHECK(graze_kind_find("VF", &kind) == 0 && graze_kind_find(NULL, &kind) == 0 && kind == GRAZE_PE);
    CHECK(graze_kind_find("vf", NULL) == 0 && graze_step_mode_find("first", &(graze_step_mode){GRAZE_STEP_ALL}) == 0);
    CHECK(!graze_kind_name((graze_kind)4) && !graze_kind_name((graze_kind)-1));
    CHECK(!graze_step_mode_name((graze_step_mode)4) && strcmp(graze_step_mode_name(GRAZE_STEP_ANY), "any") == 0);
    CHECK(strcmp(graze_kind_name(GRAZE_PP), "pp") == 0);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
