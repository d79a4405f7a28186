/* Structs with a struct_size: callers that know fewer or more fields than the library does. */
#include "check.h"

#include "base/sizes.h"
#include "soup.h"

#define SURPLUS 24

/* A caller's struct from a later version: SURPLUS bytes more than the library knows. */
#define LATER(type, name)                                                                                              \
    struct {                                                                                                           \
        type known;                                                                                                    \
        unsigned char surplus[SURPLUS];                                                                                \
    } name

static bool all_are(const void *bytes, size_t count, unsigned char value) {
    for (size_t i = 0; i < count; i++)
        if (((const unsigned char *)bytes)[i] != value) return false;
    return true;
}

static const graze_query crossing = {{{0, 0, 1}, {-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}},
                                     {{0, 0, -1}, {-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}}};

/* ---- defaults ---- */

#define CHECK_INIT(type, init)                                                                                         \
    do {                                                                                                               \
        LATER(type, later);                                                                                            \
        memset(&later, 0xAA, sizeof later);                                                                            \
        init(&later.known, sizeof later);                                                                              \
        CHECK(later.known.struct_size == sizeof later && all_are(later.surplus, SURPLUS, 0));                          \
        memset(&later, 0xAA, sizeof later);                                                                            \
        init(&later.known, sizeof(type) - 8);                                                                          \
        CHECK(later.known.struct_size == sizeof(type) - 8 && all_are(later.surplus - 8, SURPLUS + 8, 0xAA));           \
        init(&later.known, 0);                                                                                         \
        init(NULL, sizeof(type));                                                                                      \
        CHECK(later.known.struct_size == sizeof(type) - 8);                                                            \
    } while (0)

TEST(defaults_fill_the_bytes_that_the_caller_has_and_no_more) {
    CHECK_INIT(graze_context_options, graze_init_context_options);
    CHECK_INIT(graze_stats, graze_init_stats);
    CHECK_INIT(graze_options, graze_init_options);
    CHECK_INIT(graze_truth_options, graze_init_truth_options);
    CHECK_INIT(graze_mesh, graze_init_mesh);
    CHECK_INIT(graze_step_options, graze_init_step_options);
    CHECK_INIT(graze_step_result, graze_init_step_result);
    CHECK_INIT(graze_line_search_options, graze_init_line_search_options);
    CHECK_INIT(graze_line_search_result, graze_init_line_search_result);
    CHECK_INIT(graze_link_mesh, graze_init_link_mesh);
    CHECK_INIT(graze_link, graze_init_link);
    CHECK_INIT(graze_motion, graze_init_motion);
    CHECK_INIT(graze_articulated_options, graze_init_articulated_options);
    CHECK_INIT(graze_articulated_result, graze_init_articulated_result);
    CHECK_INIT(graze_link_distance, graze_init_link_distance);
}

/* ---- options ---- */

/* Calls `status_of`, an expression on `later`, with surplus bytes that are zero, then with one that is not. */
#define CHECK_SURPLUS(type, init, status_of)                                                                           \
    do {                                                                                                               \
        LATER(type, later);                                                                                            \
        init(&later.known, sizeof later);                                                                              \
        CHECK((status_of) == GRAZE_OK);                                                                                \
        later.surplus[SURPLUS - 1] = 1;                                                                                \
        CHECK((status_of) == GRAZE_ERR_INVALID_ARGUMENT);                                                              \
    } while (0)

static graze_status try_context(const graze_context_options *options) {
    graze_context *context = NULL;
    graze_status status = graze_context_create(options, &context);
    graze_context_destroy(context);
    return status;
}

static graze_status try_truth(const graze_truth_options *options) {
    graze_truth *truth = NULL;
    graze_status status = graze_truth_find(NULL, GRAZE_VF, &crossing, options, &truth);
    graze_truth_destroy(NULL, truth);
    return status;
}

TEST(options_of_a_later_version_are_taken_where_its_fields_are_zero) {
    graze_result result;
    graze_certificate_entry entries[64];
    size_t count;
    CHECK_SURPLUS(graze_context_options, graze_init_context_options, try_context(&later.known));
    CHECK_SURPLUS(graze_options, graze_init_options, graze_ccd(GRAZE_VF, &crossing, &later.known, &result));
    CHECK_SURPLUS(graze_options, graze_init_options,
                  graze_ccd_batch(NULL, GRAZE_VF, &crossing, 1, &later.known, &result));
    CHECK_SURPLUS(graze_options, graze_init_options,
                  graze_ccd_certificate(GRAZE_VF, &crossing, &later.known, entries, 64, &count, &result));
    CHECK_SURPLUS(graze_truth_options, graze_init_truth_options, try_truth(&later.known));
}

static graze_status try_step(graze_context *context, const soup *s, const graze_mesh *mesh,
                             const graze_step_options *options) {
    graze_step_result result = graze_default_step_result();
    graze_status status =
        graze_step(context, mesh, (const double(*)[3])s->x0, (const double(*)[3])s->x1, options, &result);
    graze_step_release(context, &result);
    return status;
}

static graze_status try_search(graze_context *context, const soup *s, const graze_line_search_options *options) {
    graze_line_search_result result = graze_default_line_search_result();
    return graze_line_search(context, &s->mesh, (const double(*)[3])s->x0, (const double(*)[3])s->x1, NULL, NULL,
                             options, &result);
}

static graze_status try_active_set(graze_context *context, const soup *s, const graze_step_options *options) {
    graze_pair_result *pairs;
    size_t count;
    graze_status status = graze_active_set(context, &s->mesh, (const double(*)[3])s->x0, (const double(*)[3])s->x1,
                                           options, &pairs, &count);
    graze_active_set_release(context, pairs, count);
    return status;
}

TEST(meshes_and_step_options_of_a_later_version_are_taken_where_its_fields_are_zero) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    static soup s;
    soup_make(&s, context, SOUP_CLUSTERED, 30, 7);
    CHECK_SURPLUS(graze_step_options, graze_init_step_options, try_step(context, &s, &s.mesh, &later.known));
    CHECK_SURPLUS(graze_step_options, graze_init_step_options, try_active_set(context, &s, &later.known));
    CHECK_SURPLUS(graze_line_search_options, graze_init_line_search_options, try_search(context, &s, &later.known));
    LATER(graze_mesh, later);
    memset(&later, 0, sizeof later);
    later.known = s.mesh;
    later.known.struct_size = sizeof later;
    CHECK(try_step(context, &s, &later.known, NULL) == GRAZE_OK);
    later.surplus[0] = 1;
    CHECK(try_step(context, &s, &later.known, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(options_of_the_first_release_have_the_defaults_of_what_they_lack) {
    graze_options options = graze_default_options();
    options.struct_size = GZ_SIZE_UP_TO(graze_options, inside_tolerance);
    memset((char *)&options + options.struct_size, 0x5A, sizeof options - options.struct_size); /* not the caller's */
    graze_result result;
    CHECK(graze_ccd_batch(NULL, GRAZE_VF, &crossing, 1, &options, &result) == GRAZE_OK && result.verdict == GRAZE_HIT);
    options.struct_size -= 8;
    CHECK(graze_ccd_batch(NULL, GRAZE_VF, &crossing, 1, &options, &result) == GRAZE_ERR_INVALID_ARGUMENT);
}

/* ---- results ---- */

TEST(results_are_written_up_to_their_struct_size_and_no_further) {
    graze_stats from = {.queries = 1, .peak_bytes = 6}, to;
    memset(&to, 0xAA, sizeof to);
    to.struct_size = sizeof to - 8;
    gz_sized_write(&to, &from, sizeof from);
    CHECK(to.struct_size == sizeof to - 8 && to.queries == 1 && all_are(&to.peak_bytes, 8, 0xAA));

    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    static soup s;
    soup_make(&s, context, SOUP_CLUSTERED, 30, 7);
    LATER(graze_step_result, step);
    LATER(graze_line_search_result, search);
    LATER(graze_stats, stats);
    graze_init_step_result(&step.known, sizeof step);
    graze_init_line_search_result(&search.known, sizeof search);
    graze_init_stats(&stats.known, sizeof stats);
    memset(step.surplus, 0xAA, SURPLUS), memset(search.surplus, 0xAA, SURPLUS), memset(stats.surplus, 0xAA, SURPLUS);
    const double(*x0)[3] = (const double(*)[3])s.x0, (*x1)[3] = (const double(*)[3])s.x1;
    CHECK(graze_step(context, &s.mesh, x0, x1, NULL, &step.known) == GRAZE_OK);
    CHECK(graze_line_search(context, &s.mesh, x0, x1, NULL, NULL, NULL, &search.known) == GRAZE_OK);
    CHECK(graze_context_stats(context, &stats.known) == GRAZE_OK);
    CHECK(step.known.struct_size == sizeof step && all_are(step.surplus, SURPLUS, 0xAA));
    CHECK(search.known.struct_size == sizeof search && all_are(search.surplus, SURPLUS, 0xAA));
    CHECK(stats.known.struct_size == sizeof stats && all_are(stats.surplus, SURPLUS, 0xAA));
    CHECK(stats.known.queries > 0);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(a_result_without_a_size_is_refused_and_left_alone) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    static soup s;
    soup_make(&s, context, SOUP_CLUSTERED, 30, 7);
    graze_step_result step;
    graze_line_search_result search;
    graze_stats stats;
    graze_mesh mesh;
    memset(&step, 0, sizeof step), memset(&search, 0, sizeof search);
    memset(&stats, 0, sizeof stats), memset(&mesh, 0, sizeof mesh);
    const double(*x0)[3] = (const double(*)[3])s.x0, (*x1)[3] = (const double(*)[3])s.x1;
    CHECK(graze_step(context, &s.mesh, x0, x1, NULL, &step) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_line_search(context, &s.mesh, x0, x1, NULL, NULL, NULL, &search) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_context_stats(context, &stats) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_mesh_from_faces(context, 0, NULL, 0, &mesh) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(all_are(&step, sizeof step, 0) && all_are(&search, sizeof search, 0));
    CHECK(all_are(&stats, sizeof stats, 0) && all_are(&mesh, sizeof mesh, 0));
    graze_step_release(context, &step); /* of no size: there is nothing that it could hold */
    graze_mesh_release(context, &mesh);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* ---- arrays of results ---- */

#define QUERIES 300

typedef struct spread_result {
    graze_result result;
    unsigned char between[16];
} spread_result;

static void check_spread(const graze_result *packed, const spread_result *spread) {
    for (size_t i = 0; i < QUERIES; i++) {
        CHECK(spread[i].result.verdict == packed[i].verdict && spread[i].result.toi == packed[i].toi);
        CHECK(spread[i].result.checks == packed[i].checks);
        CHECK(all_are(spread[i].between, sizeof spread[i].between, 0xAA));
    }
}

TEST(results_lie_a_stride_apart_and_what_is_between_is_left_alone) {
    static graze_query queries[QUERIES];
    static graze_query_f32 floats[QUERIES];
    static graze_result packed[QUERIES];
    static spread_result spread[QUERIES];
    test_random random = {11};
    for (size_t i = 0; i < QUERIES; i++)
        for (int k = 0; k < 12; k++) {
            floats[i].x0[k / 3][k % 3] = (float)test_random_between(&random, -1, 1);
            floats[i].x1[k / 3][k % 3] = (float)test_random_between(&random, -1, 1);
            queries[i].x0[k / 3][k % 3] = floats[i].x0[k / 3][k % 3];
            queries[i].x1[k / 3][k % 3] = floats[i].x1[k / 3][k % 3];
        }
    graze_options options = graze_default_options();
    options.result_stride = sizeof *spread;
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        graze_context *context = test_context(threads, GRAZE_ISA_AUTO);
        memset(spread, 0xAA, sizeof spread);
        CHECK(graze_ccd_batch(context, GRAZE_EE, queries, QUERIES, NULL, packed) == GRAZE_OK);
        CHECK(graze_ccd_batch(context, GRAZE_EE, queries, QUERIES, &options, &spread->result) == GRAZE_OK);
        check_spread(packed, spread);
        memset(spread, 0xAA, sizeof spread);
        CHECK(graze_ccd_batch_f32(context, GRAZE_EE, floats, QUERIES, NULL, packed) == GRAZE_OK);
        CHECK(graze_ccd_batch_f32(context, GRAZE_EE, floats, QUERIES, &options, &spread->result) == GRAZE_OK);
        check_spread(packed, spread);
        queries[QUERIES - 1].x0[0][0] = NAN;
        CHECK(graze_ccd_batch(context, GRAZE_EE, queries, QUERIES, &options, &spread->result) == GRAZE_ERR_NOT_FINITE);
        for (size_t i = 0; i < QUERIES; i++)
            CHECK(spread[i].result.verdict == GRAZE_UNRESOLVED && spread[i].between[0] == 0xAA);
        queries[QUERIES - 1].x0[0][0] = 0.5;
        graze_context_destroy(context);
    }
}

TEST(answers_to_a_list_of_pairs_lie_a_stride_apart) {
    static graze_pair pairs[QUERIES];
    static graze_result packed[QUERIES];
    static spread_result spread[QUERIES];
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    static soup s;
    soup_make(&s, context, SOUP_CLUSTERED, 30, 7);
    test_random random = {12};
    for (size_t i = 0; i < QUERIES; i++) {
        graze_kind kind = test_random_below(&random, 2) ? GRAZE_VF : GRAZE_EE;
        uint32_t a = kind == GRAZE_VF ? s.mesh.vertex_count : s.mesh.edge_count;
        uint32_t b = kind == GRAZE_VF ? s.mesh.face_count : s.mesh.edge_count;
        pairs[i] = (graze_pair){kind, (uint32_t)test_random_below(&random, a), (uint32_t)test_random_below(&random, b)};
    }
    graze_options narrow = graze_default_options();
    graze_step_options options = graze_default_step_options();
    const double(*x0)[3] = (const double(*)[3])s.x0, (*x1)[3] = (const double(*)[3])s.x1;
    options.narrow = &narrow;
    CHECK(graze_ccd_pairs(context, &s.mesh, x0, x1, pairs, QUERIES, &options, packed) == GRAZE_OK);
    narrow.result_stride = sizeof *spread;
    memset(spread, 0xAA, sizeof spread);
    CHECK(graze_ccd_pairs(context, &s.mesh, x0, x1, pairs, QUERIES, &options, &spread->result) == GRAZE_OK);
    check_spread(packed, spread);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

TEST(a_stride_that_cannot_be_is_refused_and_nothing_is_written) {
    const size_t strides[] = {8, sizeof(graze_result) - 8, SIZE_MAX - 7, SIZE_MAX / 2 + 1};
    graze_query queries[3] = {crossing, crossing, crossing};
    graze_result results[3];
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        graze_options options = graze_default_options();
        options.result_stride = strides[i];
        memset(results, 0xAA, sizeof results);
        CHECK(graze_ccd_batch(NULL, GRAZE_VF, queries, 3, &options, results) == GRAZE_ERR_INVALID_ARGUMENT);
        CHECK(all_are(results, sizeof results, 0xAA));
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
