/* Every branch of the exact decision, on pairs whose answer is known by construction. */
#include "check.h"

#include "exact/decide.h"

/* The answer expected of a pair: no contact, or the first one between two doubles. */
typedef struct expected {
    bool hit;
    double lower, upper;
    int count; /* contacts with multiplicity */
    int boundary;
} expected;

static const expected clear = {false, 0, 0, 0, 0};

static expected hit_at(double t, int count, int boundary) { return (expected){true, t, t, count, boundary}; }

static void check_with(graze_kind kind, const graze_query *query, double separation, graze_norm norm, double t_max,
                       expected want) {
    graze_truth_options options = graze_default_truth_options();
    options.min_separation = separation;
    options.norm = norm;
    options.t_max = t_max;
    graze_truth *truth;
    CHECK(graze_truth_find(NULL, kind, query, &options, &truth) == GRAZE_OK);
    if (!truth) return;
    double lower, upper;
    graze_truth_bracket(truth, &lower, &upper);
    CHECK_QUERY(graze_truth_hit(truth) == want.hit, kind, query);
    if (want.hit && graze_truth_hit(truth)) {
        CHECK_QUERY(lower == want.lower && upper == want.upper, kind, query);
        if (lower != want.lower || upper != want.upper) printf("      got %a %a\n", lower, upper);
    }
    if (separation == 0) {
        CHECK_QUERY(graze_truth_contact_count(truth) == want.count, kind, query);
        CHECK_QUERY(graze_truth_on_boundary(truth) == want.boundary, kind, query);
    }
    graze_truth_destroy(NULL, truth);
    gz_exact_answer answer;
    if (norm == GRAZE_NORM_MAX) return;
    CHECK(gz_exact_decide(NULL, 0, kind, query, separation, t_max, &answer));
    CHECK_QUERY(answer.hit == want.hit, kind, query);
    if (want.hit) CHECK_QUERY(answer.lower == lower && answer.upper == upper, kind, query);
    if (!want.hit) CHECK(isnan(answer.lower) && isnan(answer.u[0]) && isnan(answer.v[1]));
}

static void check(graze_kind kind, graze_query query, expected want) { check_with(kind, &query, 0, 0, 1, want); }

/* A vertex against the triangle (0,0,0) (1,0,0) (0,1,0) at rest. */
static graze_query over_triangle(double x0, double y0, double z0, double x1, double y1, double z1) {
    return (graze_query){
        .x0 = {{x0, y0, z0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
        .x1 = {{x1, y1, z1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
    };
}

/* ---- vertex and face ---- */

TEST(vf_vertex_through_the_face_touches_half_way) {
    check(GRAZE_VF, over_triangle(0.25, 0.25, 1, 0.25, 0.25, -1), hit_at(0.5, 1, 0));
    check(GRAZE_VF, over_triangle(0.25, 0.25, -1, 0.25, 0.25, 3), hit_at(0.25, 1, 0));
}

TEST(vf_vertex_that_crosses_the_plane_outside_is_clear) {
    check(GRAZE_VF, over_triangle(-0.25, 0.25, 1, -0.25, 0.25, -1), clear);
    check(GRAZE_VF, over_triangle(0.25, -0.25, 1, 0.25, -0.25, -1), clear);
    check(GRAZE_VF, over_triangle(0.75, 0.75, 1, 0.75, 0.75, -1), clear);
    check(GRAZE_VF, over_triangle(0.25, 0.25, 1, 0.25, 0.25, 2), clear);
}

TEST(vf_irrational_time_is_bracketed_by_adjacent_doubles) {
    /* 1 − 3t: the root 1/3 lies between the doubles around 1/3 */
    double third = 1.0 / 3; /* below 1/3 */
    check(GRAZE_VF, over_triangle(0.25, 0.25, 1, 0.25, 0.25, -2), (expected){true, third, nextafter(third, 1), 1, 0});
}

TEST(vf_touching_at_the_start_and_at_the_end_counts) {
    check(GRAZE_VF, over_triangle(0.25, 0.25, 0, 0.25, 0.25, 1), hit_at(0, 1, 1));
    check(GRAZE_VF, over_triangle(0.25, 0.25, 1, 0.25, 0.25, 0), hit_at(1, 1, 1));
    check(GRAZE_VF, over_triangle(0.25, 0.25, 1, 0.25, 0.25, 0x1p-60), clear);
    check(GRAZE_VF, over_triangle(0.25, 0.25, 1, 0.25, 0.25, 0x1p-1074), clear);
}

TEST(vf_edges_and_corners_belong_to_the_face) {
    check(GRAZE_VF, over_triangle(0, 0.5, 1, 0, 0.5, -1), hit_at(0.5, 1, 1));
    check(GRAZE_VF, over_triangle(0.5, 0, 1, 0.5, 0, -1), hit_at(0.5, 1, 1));
    check(GRAZE_VF, over_triangle(0.5, 0.5, 1, 0.5, 0.5, -1), hit_at(0.5, 1, 1));
    check(GRAZE_VF, over_triangle(0, 0, 1, 0, 0, -1), hit_at(0.5, 1, 1));
    check(GRAZE_VF, over_triangle(1, 0, 1, 1, 0, -1), hit_at(0.5, 1, 1));
    check(GRAZE_VF, over_triangle(0, 1, 1, 0, 1, -1), hit_at(0.5, 1, 1));
}

TEST(vf_one_ulp_beyond_an_edge_is_clear) {
    double below = nextafter(0, -1), above = nextafter(0.5, 1);
    check(GRAZE_VF, over_triangle(below, 0.5, 1, below, 0.5, -1), clear);
    check(GRAZE_VF, over_triangle(above, 0.5, 1, above, 0.5, -1), clear);
    check(GRAZE_VF, over_triangle(0.5, below, 3, 0.5, below, -1), clear);
    /* at an irrational time, with the edge condition off by 2^-54: beyond what the bracket alone can see */
    check(GRAZE_VF, over_triangle(above, 0.5, 1, above, 0.5, -2), clear);
    double third = 1.0 / 3;
    check(GRAZE_VF, over_triangle(0.5, nextafter(0.5, 0), 1, 0.5, nextafter(0.5, 0), -2),
          (expected){true, third, nextafter(third, 1), 1, 0});
    check(GRAZE_VF, over_triangle(0.5, 0.5, 1, 0.5, 0.5, -2), (expected){true, third, nextafter(third, 1), 1, 1});
}

/* Along z the face tilts about the y axis by 2t − 1 and the vertex is at x = 3/8 − t/4, so that f = (2t − 1)²/8 + ε. */
static graze_query grazing(double epsilon) {
    return (graze_query){
        .x0 = {{0.375, 0.25, -0.25 + epsilon}, {0, 0, 0}, {1, 0, -1}, {0, 1, 0}},
        .x1 = {{0.125, 0.25, 0.25 + epsilon}, {0, 0, 0}, {1, 0, 1}, {0, 1, 0}},
    };
}

TEST(vf_grazing_contact_is_a_double_root) {
    check(GRAZE_VF, grazing(0), hit_at(0.5, 2, 0));
    check(GRAZE_VF, grazing(0x1p-54), clear);
    /* two roots, (1 ± 2^-25.5)/2 with ε = −2^-54 */
    graze_query query = grazing(-0x1p-54);
    gz_exact_answer answer;
    CHECK(gz_exact_decide(NULL, 0, GRAZE_VF, &query, 0, 1, &answer));
    double root = 0.5 - 0x1p-26 / sqrt(2.0) * 0.5 * 2;
    CHECK(answer.hit && answer.upper == nextafter(answer.lower, 1) && fabs(answer.lower - root) < 0x1p-50);
    check(GRAZE_VF, query, (expected){true, answer.lower, answer.upper, 2, 0});
}

TEST(vf_grazing_at_an_irrational_time_is_a_double_root) {
    /* the tilt is 3t − 1 instead: f = (3t − 1)²/8, x = 1/4 − (3t − 1)/8, z = (3t − 1)/4 */
    graze_query query = {
        .x0 = {{0.375, 0.25, -0.25}, {0, 0, 0}, {1, 0, -1}, {0, 1, 0}},
        .x1 = {{0, 0.25, 0.5}, {0, 0, 0}, {1, 0, 2}, {0, 1, 0}},
    };
    double third = 1.0 / 3;
    check(GRAZE_VF, query, (expected){true, third, nextafter(third, 1), 2, 0});
}

TEST(vf_in_one_plane_contact_begins_at_an_edge) {
    check(GRAZE_VF, over_triangle(-1, 0.25, 0, 1, 0.25, 0), hit_at(0.5, -1, 1));
    check(GRAZE_VF, over_triangle(0.25, -1, 0, 0.25, 1, 0), hit_at(0.5, -1, 1));
    check(GRAZE_VF, over_triangle(1, 1, 0, 0, 0, 0), hit_at(0.5, -1, 1));
    check(GRAZE_VF, over_triangle(0.25, 0.25, 0, 5, 5, 0), hit_at(0, -1, 1));
    check(GRAZE_VF, over_triangle(0.25, 0.25, 0, 0.25, 0.25, 0), hit_at(0, -1, 1));
    check(GRAZE_VF, over_triangle(-1, 0.25, 0, -0.5, 0.25, 0), clear);
    check(GRAZE_VF, over_triangle(-1, 0.25, 0, 0.25, -1, 0), clear);
    /* past the corner (0, 0) alone, once */
    check(GRAZE_VF, over_triangle(-1, 1, 0, 1, -1, 0), hit_at(0.5, 1, 1));
    /* along an edge's line, into the edge */
    check(GRAZE_VF, over_triangle(-1, 0, 0, 0.5, 0, 0), (expected){true, 2.0 / 3, nextafter(2.0 / 3, 1), -1, 1});
}

TEST(vf_in_one_plane_a_face_that_turns_inside_out_touches_only_as_a_point) {
    /* corners (1 − 2t)·(1, 0), (1 − 2t)·(2, 1), (1 − 2t)·(2, −1): all of them at the vertex (0, 0) at t = 1/2 */
    graze_query query = {
        .x0 = {{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {2, -1, 0}},
        .x1 = {{0, 0, 0}, {-1, 0, 0}, {-2, -1, 0}, {-2, 1, 0}},
    };
    check(GRAZE_VF, query, hit_at(0.5, 1, 1));
    query.x0[0][2] = query.x1[0][2] = 1;
    check(GRAZE_VF, query, clear);
}

TEST(vf_a_face_that_is_a_segment_at_the_root_is_met_on_its_edges) {
    /* the corner (0, 1, 0) moves to (0, −1, 0): a segment at t = 1/2; the vertex comes down on it, and beside it */
    graze_query query = over_triangle(0.25, 0, 1, 0.25, 0, -1);
    query.x1[3][1] = -1;
    check(GRAZE_VF, query, hit_at(0.5, 2, 1));
    query.x0[0][0] = query.x1[0][0] = -0.25;
    check(GRAZE_VF, query, clear);
    query.x0[0][0] = query.x1[0][0] = 1.25;
    check(GRAZE_VF, query, clear);
    query.x0[0][0] = query.x1[0][0] = 0.25;
    query.x0[0][1] = query.x1[0][1] = 0.25;
    check(GRAZE_VF, query, clear);
}

TEST(vf_a_face_that_is_always_a_segment_is_met_on_its_edges) {
    graze_query query = {
        .x0 = {{0.5, 0, 1}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
        .x1 = {{0.5, 0, -1}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
    };
    check(GRAZE_VF, query, hit_at(0.5, 1, 1));
    query.x0[0][0] = query.x1[0][0] = 1.5;
    check(GRAZE_VF, query, hit_at(0.5, 1, 1));
    query.x0[0][0] = query.x1[0][0] = 2.5;
    check(GRAZE_VF, query, clear);
    query.x0[0][0] = query.x1[0][0] = 1.5;
    query.x1[0][1] = 1;
    check(GRAZE_VF, query, clear);
}

TEST(vf_a_face_that_is_always_a_point_is_met_there) {
    graze_query query = {
        .x0 = {{0, 0, 1}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
        .x1 = {{0, 0, -1}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
    };
    check(GRAZE_VF, query, hit_at(0.5, 1, 1));
    query.x1[0][0] = 0x1p-1074;
    check(GRAZE_VF, query, clear);
}

TEST(vf_pair_at_rest_touches_at_once_or_never) {
    check(GRAZE_VF, over_triangle(0.25, 0.25, 0, 0.25, 0.25, 0), hit_at(0, -1, 1));
    check(GRAZE_VF, over_triangle(0.25, 0.25, 1, 0.25, 0.25, 1), clear);
    check(GRAZE_VF, (graze_query){0}, hit_at(0, -1, 1));
}

TEST(vf_three_contacts_are_counted) {
    /* e1 = (1, 0, α), e2 = (0, β, 0) and the vertex at (x, y, z): f = β·(z − αx); with α = 4t − 2, x = ½ − α/8 and
       z = α/2 − 1/32 that is β·(α²/8 − 1/32), zero at α = ±½ (t = 3/8, 5/8); β = 4t − 1/2 adds t = 1/8, where the
       face is a segment, and y = 1/8 keeps the vertex off it */
    graze_query query = {
        .x0 = {{0.75, 0.125, -1 - 0x1p-5}, {0, 0, 0}, {1, 0, -2}, {0, -0.5, 0}},
        .x1 = {{0.25, 0.125, 1 - 0x1p-5}, {0, 0, 0}, {1, 0, 2}, {0, 3.5, 0}},
    };
    check(GRAZE_VF, query, hit_at(0.375, 2, 0));
    check_with(GRAZE_VF, &query, 0, 0, 0.5, hit_at(0.375, 1, 0));
    check_with(GRAZE_VF, &query, 0, 0, 0.375, hit_at(0.375, 1, 1));
    check_with(GRAZE_VF, &query, 0, 0, nextafter(0.375, 0), clear);
    /* with y = 0 the vertex is on the segment at t = 1/8 if it meets it: z = αx at α = −3/2? z − αx = 1/4 there: no */
    query.x0[0][1] = query.x1[0][1] = 0;
    check(GRAZE_VF, query, hit_at(0.375, 2, 1));
}

/* ---- edge and edge ---- */

/* Edge a from (−1,0,z) to (1,0,z) over edge b from (0,−1,0) to (0,1,0), both moved by (x, y). */
static graze_query crossing(double z0, double z1) {
    return (graze_query){
        .x0 = {{-1, 0, z0}, {1, 0, z0}, {0, -1, 0}, {0, 1, 0}},
        .x1 = {{-1, 0, z1}, {1, 0, z1}, {0, -1, 0}, {0, 1, 0}},
    };
}

static void move(graze_query *query, int row, double x, double y, double z) {
    const double by[3] = {x, y, z};
    for (int c = 0; c < 3; c++) {
        query->x0[row][c] += by[c];
        query->x1[row][c] += by[c];
    }
}

TEST(ee_crossing_edges_touch_half_way) {
    check(GRAZE_EE, crossing(1, -1), hit_at(0.5, 1, 0));
    check(GRAZE_EE, crossing(-1, 3), hit_at(0.25, 1, 0));
    check(GRAZE_EE, crossing(1, 0.5), clear);
    check(GRAZE_EE, crossing(0, 1), hit_at(0, 1, 1));
    check(GRAZE_EE, crossing(1, 0), hit_at(1, 1, 1));
}

TEST(ee_edges_that_pass_beside_each_other_are_clear) {
    for (int which = 0; which < 2; which++)
        for (int side = -1; side <= 1; side += 2) {
            graze_query query = crossing(1, -1);
            for (int i = 0; i < 2; i++)
                move(&query, 2 * which + i, which == 0 ? 1.5 * side : 0, which == 0 ? 0 : 1.5 * side, 0);
            check(GRAZE_EE, query, clear);
        }
}

TEST(ee_ends_belong_to_the_edges) {
    for (int which = 0; which < 2; which++)
        for (int side = -1; side <= 1; side += 2) {
            graze_query query = crossing(1, -1);
            for (int i = 0; i < 2; i++) move(&query, 2 * which + i, which == 0 ? side : 0, which == 0 ? 0 : side, 0);
            check(GRAZE_EE, query, hit_at(0.5, 1, 1));
        }
    graze_query corner = crossing(1, -1);
    for (int i = 0; i < 2; i++) move(&corner, i, 1, 1, 0);
    check(GRAZE_EE, corner, hit_at(0.5, 1, 1));
}

TEST(ee_in_one_plane_contact_begins_at_an_end) {
    /* a slides along y towards b's end (0, −1), or along x into b */
    graze_query query = {
        .x0 = {{-1, -3, 0}, {1, -3, 0}, {0, -1, 0}, {0, 1, 0}},
        .x1 = {{-1, 1, 0}, {1, 1, 0}, {0, -1, 0}, {0, 1, 0}},
    };
    check(GRAZE_EE, query, hit_at(0.5, -1, 1));
    query = (graze_query){
        .x0 = {{-3, 0, 0}, {-2, 0, 0}, {0, -1, 0}, {0, 1, 0}},
        .x1 = {{1, 0, 0}, {2, 0, 0}, {0, -1, 0}, {0, 1, 0}},
    };
    check(GRAZE_EE, query, hit_at(0.5, -1, 1));
    for (int i = 0; i < 2; i++) query.x1[i][0] -= 2.5;
    check(GRAZE_EE, query, clear);
}

TEST(ee_parallel_edges_touch_where_an_end_meets_the_other) {
    /* a comes down on b, displaced along it */
    graze_query query = {
        .x0 = {{0, 0, 1}, {2, 0, 1}, {1, 0, 0}, {4, 0, 0}},
        .x1 = {{0, 0, -1}, {2, 0, -1}, {1, 0, 0}, {4, 0, 0}},
    };
    check(GRAZE_EE, query, hit_at(0.5, 1, 1));
    move(&query, 0, -2, 0, 0);
    move(&query, 1, -2, 0, 0);
    check(GRAZE_EE, query, clear);
    move(&query, 0, 1, 0, 0);
    move(&query, 1, 1, 0, 0);
    check(GRAZE_EE, query, hit_at(0.5, 1, 1));
    /* on one line: a slides into b, or starts in it, or never reaches it */
    query = (graze_query){
        .x0 = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}},
        .x1 = {{2, 0, 0}, {3, 0, 0}, {2, 0, 0}, {3, 0, 0}},
    };
    check(GRAZE_EE, query, hit_at(0.5, -1, 1));
    query.x1[0][0] = 0.5, query.x1[1][0] = 1.5;
    check(GRAZE_EE, query, clear);
    query.x0[1][0] = query.x1[1][0] = 2;
    check(GRAZE_EE, query, hit_at(0, -1, 1));
}

TEST(ee_edges_parallel_at_the_root_are_decided_by_their_ends) {
    /* a turns in its plane z = 1 − 2t and is parallel to b at t = 1/2 */
    graze_query query = {
        .x0 = {{-1, -1, 1}, {1, 1, 1}, {0.5, 0, 0}, {3, 0, 0}},
        .x1 = {{-1, 1, -1}, {1, -1, -1}, {0.5, 0, 0}, {3, 0, 0}},
    };
    check(GRAZE_EE, query, hit_at(0.5, 2, 1));
    move(&query, 2, 1, 0, 0);
    check(GRAZE_EE, query, clear);
    move(&query, 2, -1, 0, 0);
    move(&query, 2, 0, 0.25, 0);
    move(&query, 3, 0, 0.25, 0);
    check(GRAZE_EE, query, clear);
}

TEST(ee_edges_that_are_points_touch_as_points) {
    graze_query query = {
        .x0 = {{0, 0, 1}, {0, 0, 1}, {-1, 0, 0}, {1, 0, 0}},
        .x1 = {{0, 0, -1}, {0, 0, -1}, {-1, 0, 0}, {1, 0, 0}},
    };
    check(GRAZE_EE, query, hit_at(0.5, 1, 1));
    query.x0[2][0] = query.x1[2][0] = 1;
    check(GRAZE_EE, query, clear);
    query.x0[2][0] = query.x1[2][0] = 0;
    query.x0[3][0] = query.x1[3][0] = 0;
    check(GRAZE_EE, query, hit_at(0.5, 1, 1));
}

TEST(ee_in_one_plane_edges_that_shrink_to_points_touch_only_then) {
    /* a = (1 − 2t)·[(1, 0), (2, 0)], b = (1 − 2t)·[(1, 1), (1, 2)]: both are the point (0, 0) at t = 1/2 */
    graze_query query = {
        .x0 = {{1, 0, 0}, {2, 0, 0}, {1, 1, 0}, {1, 2, 0}},
        .x1 = {{-1, 0, 0}, {-2, 0, 0}, {-1, -1, 0}, {-1, -2, 0}},
    };
    check(GRAZE_EE, query, hit_at(0.5, 1, 1));
}

/* ---- point and edge, point and point ---- */

static graze_query on_edge(double x0, double y0, double z0, double x1, double y1, double z1) {
    return (graze_query){
        .x0 = {{x0, y0, z0}, {0, 0, 0}, {1, 0, 0}, {NAN, NAN, NAN}},
        .x1 = {{x1, y1, z1}, {0, 0, 0}, {1, 0, 0}, {NAN, NAN, NAN}},
    };
}

TEST(pe_point_meets_the_edge_or_passes_it) {
    check(GRAZE_PE, on_edge(0.5, 0, 1, 0.5, 0, -1), hit_at(0.5, 1, 0));
    check(GRAZE_PE, on_edge(0.5, 1, 1, 0.5, -1, -1), hit_at(0.5, 1, 0));
    check(GRAZE_PE, on_edge(0.5, 1, 1, 0.5, -1, 0), clear);
    check(GRAZE_PE, on_edge(0.5, 1, 0, 0.5, -1, 0), hit_at(0.5, 1, 0));
    check(GRAZE_PE, on_edge(0, 0, 1, 0, 0, -1), hit_at(0.5, 1, 1));
    check(GRAZE_PE, on_edge(1, 0, 1, 1, 0, -1), hit_at(0.5, 1, 1));
    check(GRAZE_PE, on_edge(1.5, 0, 1, 1.5, 0, -1), clear);
    check(GRAZE_PE, on_edge(-0.5, 0, 1, -0.5, 0, -1), clear);
    check(GRAZE_PE, on_edge(0.5, 0, 0, 0.5, 0, 1), hit_at(0, 1, 1));
}

TEST(pe_on_one_line_contact_begins_at_an_end) {
    check(GRAZE_PE, on_edge(-1, 0, 0, 1, 0, 0), hit_at(0.5, -1, 1));
    check(GRAZE_PE, on_edge(2, 0, 0, 0, 0, 0), hit_at(0.5, -1, 1));
    check(GRAZE_PE, on_edge(-1, 0, 0, 0, 0, 0), hit_at(1, 1, 1));
    check(GRAZE_PE, on_edge(-2, 0, 0, -1, 0, 0), clear);
    check(GRAZE_PE, on_edge(0.5, 0, 0, 0.5, 0, 0), hit_at(0, -1, 1));
}

TEST(pe_edge_that_is_a_point_at_the_root) {
    /* the end at (1, 0, 0) moves to (−1, 0, 0): a point at t = 1/2, where the point comes down on it */
    graze_query query = on_edge(0, 0, 1, 0, 0, -1);
    query.x1[2][0] = -1;
    check(GRAZE_PE, query, hit_at(0.5, 2, 1));
    query.x0[0][0] = query.x1[0][0] = 0x1p-40;
    check(GRAZE_PE, query, clear);
    /* always a point */
    query = on_edge(0, 0, 1, 0, 0, -1);
    query.x0[2][0] = query.x1[2][0] = 0;
    check(GRAZE_PE, query, hit_at(0.5, 1, 1));
}

TEST(pp_points_meet_or_pass) {
    graze_query query = {.x0 = {{0, 0, 1}, {1, 0, 0}}, .x1 = {{2, 0, -1}, {1, 0, 0}}};
    query.x0[2][0] = NAN;
    check(GRAZE_PP, query, hit_at(0.5, 1, 1));
    query.x1[0][1] = 0x1p-1074;
    check(GRAZE_PP, query, clear);
    graze_query same = {.x0 = {{1, 2, 3}, {1, 2, 3}}, .x1 = {{4, 5, 6}, {4, 5, 6}}};
    check(GRAZE_PP, same, hit_at(0, -1, 1));
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
