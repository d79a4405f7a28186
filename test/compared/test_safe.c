/* The failure-proof cubic test against exact truth: it misses nothing, its false alarms are near misses, its times are
   early; the basic test misses what it is known to miss. */
#include "check.h"
#include "safe_queries.h"

#include "compared/narrow/safe.h"
#include "exact/decide.h"

static const gz_safe_setup safe = {.t_max = 1, .plane_cull = true, .edge_cull = true};
static const gz_safe_setup basic = {.t_max = 1, .plane_cull = true, .basic = true};

static bool decide(graze_kind kind, const graze_query *query, double separation, double t_max, gz_exact_answer *exact) {
    bool known = gz_exact_decide(NULL, 0, kind, query, separation, t_max, exact);
    CHECK_QUERY(known, kind, query);
    return known;
}

/* Checks that every answer must pass. `reach` is the largest distance of a false alarm. */
static void judge(graze_kind kind, const graze_query *query, double t_max, gz_safe_answer answer, double reach) {
    gz_exact_answer exact;
    if (!decide(kind, query, 0, t_max, &exact)) return;
    if (exact.hit) {
        CHECK_QUERY(answer.positive, kind, query);
        CHECK_QUERY(answer.toi <= exact.lower, kind, query);
    }
    if (answer.positive) CHECK_QUERY(answer.toi >= 0 && answer.toi <= t_max, kind, query);
    if (answer.positive && !exact.hit && decide(kind, query, reach, t_max, &exact)) CHECK_QUERY(exact.hit, kind, query);
}

static void judge_f64(graze_kind kind, const graze_query *query, double t_max) {
    gz_safe_setup setup = safe;
    gz_safe_counts counts = {0};
    setup.t_max = t_max;
    gz_safe_answer answer = gz_safe_test_f64(kind, query, &setup, &counts);
    judge(kind, query, t_max, answer, gz_safe_reach_f64(gz_safe_bound_f64(kind, query)));
}

static void judge_f32(graze_kind kind, const graze_query_f32 *query, double t_max) {
    gz_safe_setup setup = safe;
    gz_safe_counts counts = {0};
    graze_query wide = to_double(query);
    setup.t_max = t_max;
    gz_safe_answer answer = gz_safe_test_f32(kind, query, &setup, &counts);
    judge(kind, &wide, t_max, answer, gz_safe_reach_f32(gz_safe_bound_f32(kind, query)));
}

enum { PER_FAMILY = 3000 };

TEST(no_contact_is_missed_in_double_and_false_alarms_are_near) {
    test_random random = {17};
    for (int kind = GRAZE_VF; kind <= GRAZE_PP; kind++)
        for (int family = 0; family < SAFE_FAMILIES; family++)
            for (int i = 0; i < PER_FAMILY; i++) {
                graze_query query;
                safe_query(&random, (graze_kind)kind, family, &query);
                if (i % 4 == 3) scale_query(&query, (int)integer_between(&random, -900, 140));
                judge_f64((graze_kind)kind, &query, i % 2 ? 1 : test_random_between(&random, 0.01, 1));
            }
}

TEST(no_contact_is_missed_in_float_and_false_alarms_are_near) {
    test_random random = {18};
    for (int kind = GRAZE_VF; kind <= GRAZE_PP; kind++)
        for (int family = 0; family < SAFE_FAMILIES; family++)
            for (int i = 0; i < PER_FAMILY; i++) {
                graze_query query;
                safe_query(&random, (graze_kind)kind, family, &query);
                if (i % 4 == 3) scale_query(&query, (int)integer_between(&random, -140, 95));
                graze_query_f32 narrow = to_float(&query);
                judge_f32((graze_kind)kind, &narrow, i % 2 ? 1 : test_random_between(&random, 0.01, 1));
            }
}

TEST(crafted_contacts_are_contacts) {
    /* else the families above would test less than they say */
    test_random random = {19};
    for (int kind = GRAZE_VF; kind <= GRAZE_EE; kind++)
        for (int i = 0; i < 500; i++) {
            graze_query query;
            contact_query(&random, (graze_kind)kind, &query);
            gz_exact_answer exact;
            if (decide((graze_kind)kind, &query, 0, 1, &exact))
                CHECK_QUERY(exact.hit && exact.lower <= 0.5, kind, &query);
        }
}

/* ---- what the basic test misses ---- */

static void check_missed_by_basic(graze_kind kind, const graze_query *query) {
    gz_safe_counts counts = {0};
    gz_exact_answer exact;
    if (decide(kind, query, 0, 1, &exact)) CHECK_QUERY(exact.hit, kind, query);
    CHECK_QUERY(!gz_safe_test_f64(kind, query, &basic, &counts).positive, kind, query);
    CHECK_QUERY(gz_safe_test_f64(kind, query, &safe, &counts).positive, kind, query);
}

TEST(provot_misses_a_vertex_through_a_small_triangle) {
    /* the vertex crosses the middle of a triangle of size 2^-20 at t = 1/2, and is one away from it before and after */
    const double s = 0x1p-20;
    const graze_query query = {.x0 = {{-1, 0.5, 1}, {-s, -s, 0}, {s, -s, 0}, {0, s, 0}},
                               .x1 = {{1, -0.5, -1}, {-s, -s, 0}, {s, -s, 0}, {0, s, 0}}};
    check_missed_by_basic(GRAZE_VF, &query);
}

TEST(provot_misses_a_vertex_that_moves_along_the_plane) {
    /* it goes from beside the triangle, over its edge and through its middle, to the other side, and sinks by 2^-40 */
    const double h = 0x1p-40;
    const graze_query query = {.x0 = {{-2, 0, h}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}},
                               .x1 = {{2, 0, -h}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}};
    check_missed_by_basic(GRAZE_VF, &query);
}

TEST(provot_misses_short_edges_that_cross) {
    const double s = 0x1p-20;
    const graze_query query = {.x0 = {{-s, 0, 0}, {s, 0, 0}, {-1, -s, 1}, {-1, s, 1}},
                               .x1 = {{-s, 0, 0}, {s, 0, 0}, {1, -s, -1}, {1, s, -1}}};
    check_missed_by_basic(GRAZE_EE, &query);
}

TEST(provot_misses_edges_that_slide_across_each_other) {
    const double h = 0x1p-40;
    const graze_query query = {.x0 = {{-1, 0, 0}, {1, 0, 0}, {-3, -1, h}, {-3, 1, h}},
                               .x1 = {{-1, 0, 0}, {1, 0, 0}, {3, -1, -h}, {3, 1, -h}}};
    check_missed_by_basic(GRAZE_EE, &query);
}

/* ---- culls ---- */

TEST(culls_take_away_work_and_false_alarms_only) {
    test_random random = {23};
    gz_safe_setup plain = safe, edges = safe, planes = safe;
    plain.plane_cull = plain.edge_cull = false;
    edges.plane_cull = false;
    planes.edge_cull = false;
    gz_safe_counts none = {0}, by_edges = {0}, by_planes = {0};
    for (int i = 0; i < 20000; i++) {
        graze_kind kind = i % 2 ? GRAZE_EE : GRAZE_VF;
        graze_query query;
        safe_query(&random, kind, (i / 2) % SAFE_FAMILIES, &query);
        bool all = gz_safe_test_f64(kind, &query, &plain, &none).positive;
        bool with_edges = gz_safe_test_f64(kind, &query, &edges, &by_edges).positive;
        bool with_planes = gz_safe_test_f64(kind, &query, &planes, &by_planes).positive;
        CHECK_QUERY(all || !with_edges, kind, &query);
        CHECK_QUERY(all || !with_planes, kind, &query);
        gz_exact_answer exact;
        if (decide(kind, &query, 0, 1, &exact) && exact.hit)
            CHECK_QUERY(all && with_edges && with_planes, kind, &query);
    }
    CHECK(none.plane_culled == 0 && by_edges.plane_culled == 0 && by_planes.plane_culled > 1000);
    CHECK(by_edges.edge_run < none.edge_run / 2);
    CHECK(by_edges.edge_wanted == none.edge_wanted);
}

TEST(most_edge_tests_are_culled_in_a_random_cube) {
    test_random random = {29};
    gz_safe_counts counts = {0};
    for (int i = 0; i < 20000; i++) {
        graze_kind kind = i % 2 ? GRAZE_EE : GRAZE_VF;
        graze_query query;
        safe_query(&random, kind, 0, &query);
        gz_safe_test_f64(kind, &query, &safe, &counts);
    }
    CHECK_MSG((double)counts.edge_run < 0.01 * (double)counts.edge_wanted, "%.0f of %.0f", (double)counts.edge_run,
              (double)counts.edge_wanted);
}

/* ---- symmetry ---- */

TEST(the_answer_does_not_depend_on_the_offset_or_the_unit) {
    test_random random = {31};
    for (int i = 0; i < 3000; i++) {
        graze_kind kind = i % 2 ? GRAZE_EE : GRAZE_VF;
        graze_query query, far;
        gz_safe_counts counts = {0};
        for (int j = 0; j < 4; j++)
            for (int c = 0; c < 3; c++) {
                query.x0[j][c] = integer_between(&random, -1000, 1000) / 1024;
                query.x1[j][c] = integer_between(&random, -1000, 1000) / 1024;
            }
        far = query;
        for (int j = 0; j < 4; j++)
            for (int c = 0; c < 3; c++) {
                far.x0[j][c] += 0x1p40;
                far.x1[j][c] += 0x1p40 + 0x1p38 * c; /* and a common velocity */
            }
        gz_safe_answer near = gz_safe_test_f64(kind, &query, &safe, &counts);
        gz_safe_answer away = gz_safe_test_f64(kind, &far, &safe, &counts);
        CHECK_QUERY(near.positive == away.positive && near.toi == away.toi, kind, &query);
        CHECK(gz_safe_bound_f64(kind, &query) == gz_safe_bound_f64(kind, &far));
        scale_query(&query, 77);
        away = gz_safe_test_f64(kind, &query, &safe, &counts);
        CHECK_QUERY(near.positive == away.positive && near.toi == away.toi, kind, &query);
    }
}

TEST(a_bound_of_the_whole_scene_misses_nothing_either) {
    test_random random = {37};
    gz_safe_setup scene = safe;
    scene.bound = 64;
    for (int i = 0; i < 6000; i++) {
        graze_kind kind = i % 2 ? GRAZE_EE : GRAZE_VF;
        graze_query query;
        gz_safe_counts counts = {0};
        safe_query(&random, kind, (i / 2) % SAFE_FAMILIES, &query);
        gz_safe_answer answer = gz_safe_test_f64(kind, &query, &scene, &counts);
        judge(kind, &query, 1, answer, gz_safe_reach_f64(fmax(64, gz_safe_bound_f64(kind, &query))));
    }
}

/* ---- the door ---- */

static const graze_query crossing = {
    .x0 = {{0, 0, 1}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}},
    .x1 = {{0, 0, -1}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}},
};

TEST(a_crossing_is_a_hit_whose_time_is_close) {
    const graze_method methods[] = {GRAZE_METHOD_SAFE, GRAZE_METHOD_PROVOT};
    for (int i = 0; i < 2; i++) {
        graze_options options = graze_default_options();
        graze_result result;
        options.method = methods[i];
        CHECK(graze_ccd(GRAZE_VF, &crossing, &options, &result) == GRAZE_OK);
        CHECK(result.verdict == GRAZE_HIT && !result.proven && result.toi_upper == INFINITY);
        CHECK_MSG(result.toi <= 0.5 && result.toi > 0.4999999, "toi %.17g", result.toi);
        CHECK(fabs(result.u - 0.25) < 1e-6 && fabs(result.v - 0.5) < 1e-6);
        options.t_max = 0.25;
        CHECK(graze_ccd(GRAZE_VF, &crossing, &options, &result) == GRAZE_OK);
        CHECK(result.verdict == GRAZE_CLEAR && result.toi == 0.25);
    }
}

TEST(points_and_edges_have_contacts_too) {
    const graze_query query = {.x0 = {{0.25, 0, 1}, {0, 0, 0}, {1, 0, 0}}, .x1 = {{0.25, 0, -1}, {0, 0, 0}, {1, 0, 0}}};
    graze_options options = graze_default_options();
    graze_result result;
    options.method = GRAZE_METHOD_SAFE;
    CHECK(graze_ccd(GRAZE_PE, &query, &options, &result) == GRAZE_OK);
    CHECK(result.verdict == GRAZE_HIT && result.toi > 0.499 && result.toi <= 0.5);
    CHECK(fabs(result.u - 0.25) < 1e-6 && fabs(result.point[0] - 0.25) < 1e-6 && result.normal[2] > 0.999);
    graze_query points = query;
    points.x0[0][0] = points.x1[0][0] = 0;
    CHECK(graze_ccd(GRAZE_PP, &points, &options, &result) == GRAZE_OK);
    CHECK(result.verdict == GRAZE_HIT && result.toi > 0.499 && result.toi <= 0.5 && result.normal[2] > 0.999);
}

TEST(float_queries_have_results_too) {
    graze_query_f32 query = to_float(&crossing);
    gz_counts counts = {0};
    gz_narrow_call call = {.kind = GRAZE_VF, .question.t_max = 1, .counts = &counts};
    graze_result result;
    gz_result_unresolved(&result, GRAZE_REASON_NONE);
    gz_safe_solve_f32(&call, &query, &result);
    CHECK(result.verdict == GRAZE_HIT && result.toi <= 0.5 && result.toi > 0.4999);
    CHECK(fabs(result.u - 0.25) < 1e-3 && fabs(result.v - 0.5) < 1e-3);
    call.question.t_max = 0.125;
    gz_result_unresolved(&result, GRAZE_REASON_NONE);
    gz_safe_solve_f32(&call, &query, &result);
    CHECK(result.verdict == GRAZE_CLEAR && result.toi == 0.125);
}

TEST(a_separation_is_refused) {
    const graze_method methods[] = {GRAZE_METHOD_SAFE, GRAZE_METHOD_PROVOT};
    for (int i = 0; i < 2; i++) {
        graze_options options = graze_default_options();
        graze_result result;
        options.method = methods[i];
        options.min_separation = 0.01;
        CHECK(graze_ccd(GRAZE_VF, &crossing, &options, &result) == GRAZE_ERR_UNSUPPORTED);
        CHECK(result.verdict == GRAZE_UNRESOLVED && result.toi == 0);
    }
}

TEST(the_float_door_leads_to_the_float_test) {
    test_random random = {41};
    size_t hits = 0, clears = 0;
    for (int i = 0; i < 2000; i++) {
        graze_query_f32 query;
        for (int k = 0; k < 24; k++) (&query.x0[0][0])[k] = (float)test_random_between(&random, -1, 1);
        graze_kind kind = i % 2 ? GRAZE_EE : GRAZE_VF;
        graze_options options = graze_default_options();
        options.method = GRAZE_METHOD_SAFE;
        graze_result door, inside;
        CHECK(graze_ccd_f32(kind, &query, &options, &door) == GRAZE_OK);
        gz_counts counts = {0};
        gz_narrow_call call = {.kind = kind, .question.t_max = 1, .counts = &counts};
        memset(&inside, 0, sizeof inside);
        gz_safe_solve_f32(&call, &query, &inside);
        CHECK(door.verdict == inside.verdict && door.toi == inside.toi);
        hits += door.verdict == GRAZE_HIT;
        clears += door.verdict == GRAZE_CLEAR;
    }
    CHECK(hits > 100 && clears > 100);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
