/* The bounds of mode vertices (docs/numerics.md, section 3) one by one, against exact rationals. The source is included
   for its static functions. */
#include "step/parting.c"

#include "bound_queries.h"

static double of_any_size(test_random *random, int low, int high) {
    return ldexp(some_unit(random), low + (int)test_random_below(random, (uint64_t)(high - low + 1)));
}

/* The excess of gz_reach() over ±<n, x − o>, x − o rounded, in units of u·Σ|n||x − o|. Fails when it is below. */
static double check_reach(const double n[3], const double x[3], const double o[3], double sign) {
    double w[3] = {x[0] - o[0], x[1] - o[1], x[2] - o[2]}, bound = gz_reach(n, w, 0, sign);
    double size = fabs(n[0] * w[0]) + fabs(n[1] * w[1]) + fabs(n[2] * w[2]), units = 8;
    if (!(fabs(bound) < INFINITY)) return units;
    rational_vector a, b, c;
    mpq_t exact, above;
    rational_init(&a), rational_init(&b), rational_init(&c);
    mpq_inits(exact, above, NULL);
    rational_set(&a, x), rational_set(&b, o), rational_set(&c, n);
    rational_sub(&a, &a, &b);
    rational_dot(exact, &a, &c);
    if (sign < 0) mpq_neg(exact, exact);
    mpq_set_d(above, bound);
    CHECK_MSG(mpq_cmp(above, exact) >= 0, "%a %a %a along %a %a %a", w[0], w[1], w[2], n[0], n[1], n[2]);
    if (size > 0x1p-900) {
        mpq_sub(above, above, exact);
        mpq_set_d(exact, size);
        mpq_div(above, above, exact);
        units = mpq_get_d(above) * 0x1p53;
    }
    rational_clear(&a), rational_clear(&b), rational_clear(&c);
    mpq_clears(exact, above, NULL);
    return units;
}

TEST(a_reach_is_never_below_the_exact_one) {
    test_random random = {501};
    double n[3], x[3], o[3], least = 8;
    for (int i = 0; i < 30000; i++) { /* of all sizes; products that underflow; the largest coordinates */
        for (int c = 0; c < 3; c++) {
            n[c] = i % 3 ? of_any_size(&random, -540, -530) : of_any_size(&random, -1060, 0);
            x[c] = i % 3 ? of_any_size(&random, -546, -540) : of_any_size(&random, -1060, 160);
            o[c] = i % 2 ? 0 : i % 3 ? of_any_size(&random, -546, -540) : of_any_size(&random, -1060, 160);
        }
        check_reach(n, x, o, i & 4 ? 1 : -1);
    }
    for (int i = 0; i < 60; i++) {
        double units = 8;
        for (int c = 0; c < 3; c++) n[c] = some_unit(&random), x[c] = some_unit(&random), o[c] = some_unit(&random);
        for (int step = 0; step < 400; step++) {
            double *at = (double *[]){n, x, o}[test_random_below(&random, 3)] + test_random_below(&random, 3);
            double before = *at;
            if (test_random_below(&random, 4))
                for (int k = 0; k < 3; k++) *at = nextafter(*at, test_random_bits(&random) & 1 ? 2 : -2);
            else
                *at = some_unit(&random);
            double less = check_reach(n, x, o, 1);
            if (less <= units)
                units = less;
            else
                *at = before;
        }
        least = fmin(least, units);
    }
    printf("    at most %.2f of 8 units were used\n", 8 - least);
    CHECK(8 - least > 2 && least > 3);
}

/* Two points `gap` apart along a direction of any length, also one whose square underflows. */
TEST(planes_are_placed_only_where_the_gap_exceeds_the_separation) {
    test_random random = {502};
    size_t placed = 0, short_ones = 0;
    for (int i = 0; i < 30000; i++) {
        double gap = ldexp(1 + test_random_unit(&random), (int)test_random_below(&random, 300) - 140);
        double length = ldexp(1, i % 2 ? 0 : -(int)test_random_below(&random, 700)), front[2];
        double separation = gap * test_random_between(&random, 0.5, 1.5);
        if (i % 3 == 0) separation = i % 6 ? gap : nextafter(gap, 0);
        /* along (2, 3, 6)/7, which is not rounded; the second point is `gap`·n / |n| away */
        const double n[3] = {2 * length, 3 * length, 6 * length};
        local_pair pair = {.rows = 2, .in_a = 1, .x0 = {{0, 0, 0}, {2 * gap, 3 * gap, 6 * gap}}};
        short_ones += length < 0x1p-537;
        if (!place_planes(&pair, n, 7 * separation, front)) continue;
        placed++;
        CHECK_MSG(separation < gap, "gap %a, separation %a, direction of length %a", gap, separation, length);
    }
    CHECK_MSG(placed > 5000 && short_ones > 100, "%zu, %zu", placed, short_ones);
}

/* A whole step past an edge so long that the gap, beside it, has no square. The pair starts within the separation. */
TEST(a_point_within_the_separation_of_a_very_long_edge_stays_where_it_is) {
    const uint32_t edges[1][2] = {{1, 2}}, edge = 0, point = 0;
    const double x0[3][3] = {{0x1p-378, 0, 0}, {0, -0x1p159, 0}, {0, 0x1p159, 0}};
    const double x1[3][3] = {{0x1p-380, 0, 0}, {0, -0x1p159, 0}, {0, 0x1p159, 0}};
    graze_mesh mesh = graze_default_mesh();
    mesh.vertex_count = 3;
    mesh.edge_count = mesh.codim_edge_count = mesh.codim_point_count = 1;
    mesh.edges = edges, mesh.codim_edges = &edge, mesh.codim_points = &point;
    graze_context *context = test_context(1, GRAZE_ISA_SCALAR);
    graze_options narrow = graze_default_options();
    graze_step_options options = graze_default_step_options();
    graze_step_result result = graze_default_step_result();
    double limit[3];
    options.narrow = &narrow;
    options.mode = GRAZE_STEP_VERTICES;
    options.vertex_toi = limit;
    narrow.min_separation = 0x1p-300;
    CHECK(graze_step(context, &mesh, x0, x1, &options, &result) == GRAZE_OK);
    CHECK_MSG(limit[0] == 0 && result.toi == 0, "%g", limit[0]);
    graze_step_release(context, &result);
    graze_context_destroy(context);
}

TEST(a_vertex_stops_before_its_plane) {
    test_random random = {503};
    const double n[3] = {1, 0, 0};
    mpq_t f, q0, q1, stop;
    mpq_inits(f, q0, q1, stop, NULL);
    double worst = 0;
    for (int i = 0; i < 30000; i++) {
        bool tiny = i % 4 == 0;
        local_pair pair = {.rows = 2, .in_a = 1};
        pair.x0[0][0] = tiny ? -of_any_size(&random, -1000, -900) : -test_random_unit(&random);
        pair.x1[0][0] = tiny ? ldexp(1 + test_random_unit(&random), 100) : 1 + test_random_unit(&random);
        double start = gz_reach(n, pair.x0[0], 0, 1), end = gz_reach(n, pair.x1[0], 0, 1);
        double front[2] = {tiny ? start + fabs(start) : test_random_unit(&random), 0};
        double time = stop_at(&pair, 0, n, front, 1);
        if (time == 0) continue;
        mpq_set_d(f, front[0]), mpq_set_d(q0, start), mpq_set_d(q1, end), mpq_set_d(stop, time);
        mpq_sub(f, f, q0), mpq_sub(q1, q1, q0);
        mpq_div(f, f, q1);
        CHECK_MSG(mpq_cmp(stop, f) <= 0, "from %a to %a, plane %a: %a", start, end, front[0], time);
        mpq_set_d(q0, 0x1p-50);
        mpq_mul(q0, q0, f);
        if (!tiny) worst = fmax(worst, 1 - rational_share(f, stop, q0));
    }
    printf("    at most %.2f of the slack was used\n", worst);
    CHECK(worst > 0.15 && worst < 0.75);
    mpq_clears(f, q0, q1, stop, NULL);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
