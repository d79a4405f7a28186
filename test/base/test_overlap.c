/* A call that would write over what it reads is refused, whatever part of it. */
#include "check.h"

#include "base/overlap.h"
#include "soup.h"

TEST(pieces_overlap_where_a_byte_is_in_both) {
    static char memory[256];
    test_random random = {5};
    long overlaps = 0;
    for (long i = 0; i < 200000; i++) {
        gz_pieces p[2];
        unsigned char seen[sizeof memory] = {0};
        bool same = i % 2, expected = false;
        for (int k = 0; k < 2; k++) {
            size_t stride = same && k ? p[0].stride : 1 + test_random_below(&random, 24);
            size_t size = 1 + test_random_below(&random, stride), count = 1 + test_random_below(&random, 5);
            p[k] = (gz_pieces){memory + test_random_below(&random, 100), count, size, stride};
            for (size_t j = 0; j < count * size; j++) {
                size_t at = (size_t)((const char *)p[k].first - memory) + j / size * stride + j % size;
                expected |= k && seen[at];
                seen[at] = 1;
            }
        }
        bool found = gz_overlap(p[0], p[1]);
        CHECK(found == gz_overlap(p[1], p[0]));
        CHECK(!expected || found);                              /* never missed */
        CHECK(p[0].stride != p[1].stride || found == expected); /* and exact where pieces may lie between each other */
        overlaps += expected;
    }
    CHECK(overlaps > 20000);
    CHECK(!gz_overlap(gz_bytes_at(NULL, 8), gz_bytes_at(memory, 8)));
    CHECK(!gz_overlap(gz_bytes_at(memory, 0), gz_bytes_at(memory, 8)));
}

/* Positions of a soup in one array, with room to write beside them: bytes from the start of it to x0, x1 and x. */
typedef struct laid_out {
    double room[6 * 3 * SOUP_MAX * 3];
} laid_out;

static const double (*rows_at(laid_out *l, size_t bytes))[3] {
    return (const double(*)[3])(void *)((char *)l->room + bytes);
}

static void place(laid_out *l, const double (*x)[3], uint32_t count, size_t at, size_t stride) {
    for (uint32_t v = 0; v < count; v++) memcpy((char *)l->room + at + v * stride, x[v], sizeof x[v]);
}

/* graze_step_to and graze_line_search with x0, x1 and x at these places. */
static void check_targets(graze_context *context, soup *s, laid_out *l, size_t at0, size_t at1, size_t at,
                          size_t stride, graze_status expected) {
    uint32_t count = s->mesh.vertex_count;
    graze_step_options options = graze_default_step_options();
    options.stride = stride;
    graze_line_search_options search = graze_default_line_search_options();
    search.step = &options;
    search.x = (double(*)[3])(void *)((char *)l->room + at);
    for (int k = 0; k < 2; k++) {
        place(l, (const double(*)[3])s->x0, count, at0, stride);
        place(l, (const double(*)[3])s->x1, count, at1, stride);
        graze_step_result result = graze_default_step_result();
        graze_line_search_result found = graze_default_line_search_result();
        graze_status status =
            k ? graze_line_search(context, &s->mesh, rows_at(l, at0), rows_at(l, at1), NULL, NULL, &search, &found)
              : graze_step_to(context, &s->mesh, rows_at(l, at0), rows_at(l, at1), &options, search.x, &result);
        CHECK_MSG(status == expected, "%s at %zu, %zu, %zu, stride %zu: %d", k ? "search" : "step", at0, at1, at,
                  stride, (int)status);
        CHECK(result.verdict != GRAZE_CLEAR && (k || (result.alpha > 0) == (expected == GRAZE_OK)));
    }
}

TEST(positions_that_lie_over_the_states_are_refused) {
    static soup s;
    static laid_out l;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 20, 3);
    graze_step_result plain = graze_default_step_result();
    CHECK(graze_step(context, &s.mesh, (const double(*)[3])s.x0, (const double(*)[3])s.x1, NULL, &plain) == GRAZE_OK);
    CHECK(plain.verdict == GRAZE_HIT);
    size_t bytes = s.mesh.vertex_count * sizeof(double[3]);
    check_targets(context, &s, &l, 0, bytes, 2 * bytes, 24, GRAZE_OK);
    for (size_t at = 0; at < 2 * bytes; at += 8)
        check_targets(context, &s, &l, 0, bytes, at, 24, GRAZE_ERR_INVALID_ARGUMENT);
    check_targets(context, &s, &l, bytes, 2 * bytes, 8, 24, GRAZE_ERR_INVALID_ARGUMENT);
    check_targets(context, &s, &l, 0, 24, 48, 72, GRAZE_OK); /* structs of three positions */
    check_targets(context, &s, &l, 48, 0, 24, 72, GRAZE_OK);
    for (size_t at = 0; at < 72; at += 8)
        if (at != 48) check_targets(context, &s, &l, 0, 24, at, 72, GRAZE_ERR_INVALID_ARGUMENT);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(times_of_vertices_that_lie_over_the_states_are_refused) {
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 20, 3);
    double thickness[2 * 3 * 20] = {0};
    uint32_t last = s.mesh.vertex_count - 1;
    double *outputs[] = {&s.x0[0][0], &s.x0[last / 2][1], &s.x1[0][0], &s.x1[last][2], thickness, thickness + last};
    s.mesh.thickness = thickness;
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        graze_step_options options = graze_default_step_options();
        options.mode = GRAZE_STEP_VERTICES;
        options.vertex_toi = outputs[i];
        graze_step_result result = graze_default_step_result();
        CHECK(graze_step(context, &s.mesh, (const double(*)[3])s.x0, (const double(*)[3])s.x1, &options, &result) ==
              GRAZE_ERR_INVALID_ARGUMENT);
        CHECK(result.verdict == GRAZE_UNRESOLVED && result.toi == 0);
    }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* A query that hits at 1/2. */
static const graze_query hitting = {.x0 = {{0, 0, 1}, {-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}},
                                    .x1 = {{0, 0, -1}, {-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}}};

typedef union query_and_result {
    graze_query queries[4];
    graze_query_f32 floats[8];
    graze_query_2d flat[4];
    graze_curve_query curves[4];
    double numbers[400];
    graze_result results[8];
} query_and_result;

static graze_result *result_at(query_and_result *both, size_t number) {
    return (graze_result *)(void *)(both->numbers + number);
}

/* The result of a refused call never says that anything is clear. */
#define REFUSED(call, result) CHECK((call) == GRAZE_ERR_INVALID_ARGUMENT && (result)->verdict == GRAZE_UNRESOLVED)

TEST(results_that_lie_over_queries_are_refused) {
    static query_and_result both;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    for (size_t at = 0; at < 24; at += 7) {
        graze_result *result = result_at(&both, at);
        both.queries[0] = hitting;
        REFUSED(graze_ccd(GRAZE_VF, both.queries, NULL, result), result);
        both.queries[0] = hitting;
        REFUSED(graze_ccd_thick(GRAZE_VF, both.queries, (double[4]){0}, NULL, result), result);
        both.queries[0] = hitting;
        REFUSED(graze_ccd_thick(GRAZE_VF, &hitting, both.numbers + at, NULL, result), result);
        size_t count;
        graze_certificate_entry entries[4];
        both.queries[0] = hitting;
        REFUSED(graze_ccd_certificate(GRAZE_VF, both.queries, NULL, entries, 4, &count, result), result);
        both.queries[0] = hitting;
        REFUSED(graze_ccd_batch(context, GRAZE_VF, both.queries, 1, NULL, result), result);
        REFUSED(graze_ccd_batch(context, GRAZE_VF, both.queries, 4, NULL, result), result);
        REFUSED(graze_ccd_curve(GRAZE_VF, both.curves, NULL, result), result);
        REFUSED(graze_ccd_curve_batch(context, GRAZE_VF, both.curves, 2, NULL, result), result);
        if (at < 12) {
            REFUSED(graze_ccd_f32(GRAZE_VF, both.floats, NULL, result), result);
            REFUSED(graze_ccd_2d(GRAZE_PP, both.flat, NULL, result), result);
        }
        REFUSED(graze_ccd_batch_f32(context, GRAZE_VF, both.floats, 8, NULL, result), result);
        graze_query_arrays arrays = graze_default_query_arrays();
        arrays.x0 = both.numbers;
        arrays.x1 = &hitting.x1[0][0];
        REFUSED(graze_ccd_batch_strided(context, GRAZE_VF, &arrays, 2, NULL, result, sizeof *result), result);
        arrays.x1 = both.numbers;
        arrays.x0 = &hitting.x0[0][0];
        REFUSED(graze_ccd_batch_strided(context, GRAZE_VF, &arrays, 2, NULL, result, sizeof *result), result);
    }
    graze_context_destroy(context);
}

TEST(results_beside_their_queries_in_one_struct_are_written) {
    typedef struct row {
        graze_query query;
        graze_result result;
    } row;
    row rows[5];
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_query_arrays arrays = graze_default_query_arrays();
    for (int way = 1; way >= -1; way -= 2) { /* forwards, and from the last to the first */
        for (int i = 0; i < 5; i++) rows[i].query = hitting;
        row *first = way > 0 ? rows : rows + 4;
        arrays.x0 = &first->query.x0[0][0];
        arrays.x1 = &first->query.x1[0][0];
        ptrdiff_t strides[3] = {way * (ptrdiff_t)sizeof(row), sizeof(double[3]), sizeof(double)};
        memcpy(arrays.strides0, strides, sizeof strides);
        memcpy(arrays.strides1, strides, sizeof strides);
        CHECK(graze_ccd_batch_strided(context, GRAZE_VF, &arrays, 5, NULL, &rows[0].result, sizeof(row)) == GRAZE_OK);
        for (int i = 0; i < 5; i++) CHECK(rows[i].result.verdict == GRAZE_HIT && rows[i].result.toi > 0.49);
        graze_result *over = (graze_result *)(void *)&rows[0].query.x1[3][2];
        CHECK(graze_ccd_batch_strided(context, GRAZE_VF, &arrays, 5, NULL, over, sizeof(row)) ==
              GRAZE_ERR_INVALID_ARGUMENT);
    }
    graze_context_destroy(context);
}

TEST(results_that_lie_over_a_list_of_pairs_or_positions_are_refused) {
    static soup s;
    static union {
        graze_pair pairs[100];
        graze_result results[10];
        graze_distance_result distances[10];
    } both;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 20, 3);
    const double(*x0)[3] = (const double(*)[3])s.x0, (*x1)[3] = (const double(*)[3])s.x1;
    graze_result *over = (graze_result *)(void *)s.x1;
    graze_distance_result *distance_over = (graze_distance_result *)(void *)s.x0;
    graze_pair pair = {GRAZE_VF, 0, 5};
    REFUSED(graze_ccd_pairs(context, &s.mesh, x0, x1, both.pairs, 3, NULL, both.results), both.results);
    REFUSED(graze_ccd_pairs(context, &s.mesh, x0, x1, both.pairs + 11, 1, NULL, both.results), both.results);
    REFUSED(graze_ccd_pairs(context, &s.mesh, x0, x1, &pair, 1, NULL, over), over);
    CHECK(graze_distances(context, &s.mesh, x0, both.pairs, 3, NULL, both.distances) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_distances(context, &s.mesh, x0, &pair, 1, NULL, distance_over) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_distance(GRAZE_VF, x0, distance_over) == GRAZE_ERR_INVALID_ARGUMENT);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(a_query_of_a_pair_may_lie_over_the_positions) {
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_UNIFORM, 20, 3);
    const double(*x0)[3] = (const double(*)[3])s.x0, (*x1)[3] = (const double(*)[3])s.x1;
    graze_query expected, *over = (graze_query *)(void *)s.x0;
    graze_pair pair = {GRAZE_VF, 3, 0};
    CHECK(graze_pair_query(&s.mesh, x0, x1, 0, pair, &expected) == GRAZE_OK && expected.x0[0][0] != 0);
    CHECK(graze_pair_query(&s.mesh, x0, x1, 0, pair, over) == GRAZE_OK &&
          memcmp(over, &expected, sizeof expected) == 0);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(results_that_lie_over_motions_or_their_values_are_refused) {
    static const double vertices[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t faces[1][3] = {{0, 1, 2}};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_link_mesh mesh = graze_default_link_mesh();
    mesh.vertex_count = 3;
    mesh.face_count = 1;
    mesh.vertices = vertices;
    mesh.faces = faces;
    graze_link link = graze_default_link();
    link.joint = GRAZE_JOINT_PRISMATIC;
    link.meshes = &mesh;
    link.mesh_count = 1;
    graze_model *made = NULL;
    CHECK(graze_model_create(context, &link, 1, &made) == GRAZE_OK);
    const graze_model *models[2] = {made, made};
    union {
        graze_articulated_result results[2];
        graze_link_distance distance;
        graze_motion motions[8];
        double values[64];
    } both;
    for (int k = 0; k < 2; k++) {
        memset(&both, 0, sizeof both);
        graze_motion apart[4];
        for (int i = 0; i < 4; i++) apart[i] = both.motions[i] = both.motions[i + 4] = graze_default_motion();
        *(k ? &apart[0].from : &apart[0].to) = both.values + 9;
        for (int over_values = 0; over_values < 2; over_values++) {
            const graze_motion *motions = over_values ? apart : both.motions + k;
            both.results[0] = both.results[1] = graze_default_articulated_result();
            graze_articulated_result *result = both.results;
            REFUSED(graze_articulated_step(context, models, 2, motions, NULL, result), result);
            graze_error error;
            CHECK(graze_context_last_error(context, &error) == GRAZE_OK && strstr(error.message, "the result"));
            both.results[0] = graze_default_articulated_result();
            REFUSED(graze_articulated_batch(context, models, 2, motions, 2, NULL, result), result);
            both.distance = graze_default_link_distance();
            CHECK(graze_articulated_distance(context, models, 2, motions, NULL, &both.distance) ==
                  GRAZE_ERR_INVALID_ARGUMENT);
        }
    }
    graze_model_destroy(context, made);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
