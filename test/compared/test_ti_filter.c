/* Tight Inclusion's filters against exact rationals: no corner of a box errs by more than they allow. */
#include "check.h"

#include "compared/narrow/ti.h"
#include "numerics/error_bounds.h"

#include <gmp.h>

typedef struct exact_corner {
    mpq_t value, a, b, c, t, one;
} exact_corner;

static void corner_begin(exact_corner *e) {
    mpq_t *all[] = {&e->value, &e->a, &e->b, &e->c, &e->t, &e->one};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) mpq_init(*all[i]);
    mpq_set_si(e->one, 1, 1);
}

static void corner_end(exact_corner *e) {
    mpq_t *all[] = {&e->value, &e->a, &e->b, &e->c, &e->t, &e->one};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) mpq_clear(*all[i]);
}

/* e->value += factor · x_row(t) on one axis, straight from the definition of the motion */
static void add_point(exact_corner *e, const graze_query *query, int row, int axis, mpq_t factor) {
    mpq_set_d(e->a, query->x0[row][axis]);
    mpq_set_d(e->b, query->x1[row][axis]);
    mpq_sub(e->b, e->b, e->a);
    mpq_mul(e->b, e->b, e->t);
    mpq_add(e->a, e->a, e->b);
    mpq_mul(e->a, e->a, factor);
    mpq_add(e->value, e->value, e->a);
}

static void add_weighted(exact_corner *e, const graze_query *query, int row, int axis, double constant, double u,
                         double v) {
    /* factor = constant + u + v, exactly */
    mpq_set_d(e->c, constant);
    mpq_set_d(e->b, u);
    mpq_add(e->c, e->c, e->b);
    mpq_set_d(e->b, v);
    mpq_add(e->c, e->c, e->b);
    mpq_t factor;
    mpq_init(factor);
    mpq_set(factor, e->c);
    add_point(e, query, row, axis, factor);
    mpq_clear(factor);
}

/* F(t, u, v) = A − B on one axis */
static void exact_value(exact_corner *e, graze_kind kind, const graze_query *query, int axis, double t, double u,
                        double v) {
    mpq_set_si(e->value, 0, 1);
    mpq_set_d(e->t, t);
    if (kind == GRAZE_VF) {
        add_weighted(e, query, 0, axis, 1, 0, 0);
        add_weighted(e, query, 1, axis, -1, u, v);
        add_weighted(e, query, 2, axis, 0, -u, 0);
        add_weighted(e, query, 3, axis, 0, 0, -v);
    } else {
        add_weighted(e, query, 0, axis, 1, -u, 0);
        add_weighted(e, query, 1, axis, 0, u, 0);
        add_weighted(e, query, 2, axis, -1, 0, v);
        add_weighted(e, query, 3, axis, 0, 0, -v);
    }
}

static double dyadic(test_random *random) {
    int bits = (int)test_random_below(random, 53);
    double unit = ldexp(1, -bits);
    return (double)test_random_below(random, ((uint64_t)1 << bits) + 1) * unit;
}

/* Coordinates that make rounding as bad as it gets: full mantissas, opposite signs, mixed exponents, tiny ones. */
static double coordinate(test_random *random, int style, double size) {
    double x = test_random_between(random, -1, 1);
    switch (style) {
    case 0: return x * size;
    case 1: return (x < 0 ? -size : size) * (1 - ldexp(test_random_unit(random), -20));
    case 2: return x * size * ldexp(1, -(int)test_random_below(random, 60));
    case 3: return x * ldexp(1, -1060) + (test_random_below(random, 2) ? size : 0);
    default: return (x < 0 ? -1 : 1) * nextafter(size, test_random_below(random, 2) ? 0 : INFINITY);
    }
}

/* The largest error seen, in units of 2⁻⁵³·max(x, 1). */
static double worst_error(graze_kind kind, int samples) {
    static const double sizes[] = {1e-300, 1e-6, 0.3, 1, 1.5, 30, 1e3, 1e7, 1e20, 0x1p160};
    test_random random = {.state = 11 + (uint64_t)kind};
    exact_corner e;
    corner_begin(&e);
    mpq_t error;
    mpq_init(error);
    double worst = 0;
    for (int n = 0; n < samples; n++) {
        graze_query query;
        double size = sizes[test_random_below(&random, sizeof sizes / sizeof *sizes)];
        int style = (int)test_random_below(&random, 5);
        if (size == 0x1p160 && style == 4) style = 1;
        for (int i = 0; i < 4; i++)
            for (int c = 0; c < 3; c++) {
                query.x0[i][c] = coordinate(&random, style, size);
                query.x1[i][c] = coordinate(&random, style, size);
            }
        gz_ti_pair pair;
        gz_kernels_scalar.ti_prepare(kind, &query, 0, &pair);
        double t = dyadic(&random), u = dyadic(&random), v = dyadic(&random);
        if (test_random_below(&random, 3) == 0) t = 1;
        if (test_random_below(&random, 3) == 0) u = v = 1;
        const double corner[3] = {t, u, v}, width[3] = {0, 0, 0};
        for (int c = 0; c < 3; c++) {
            double range[2], x = 1;
            gz_kernels_scalar.ti_range(&pair, c, corner, width, range);
            for (int i = 0; i < 4; i++) x = fmax(x, fmax(fabs(query.x0[i][c]), fabs(query.x1[i][c])));
            exact_value(&e, kind, &query, c, t, u, v);
            for (int k = 0; k < 2; k++) {
                mpq_set_d(error, range[k]);
                mpq_sub(error, error, e.value);
                mpq_abs(error, error);
                double seen = mpq_get_d(error); /* rounds towards 0: one more place for the comparison */
                CHECK_QUERY(seen < pair.reach[c], kind, &query);
                worst = fmax(worst, seen / (0x1p-53 * x));
            }
        }
    }
    mpq_clear(error);
    corner_end(&e);
    return worst;
}

TEST(no_corner_errs_by_more_than_the_filter) {
    double vf = worst_error(GRAZE_VF, 40000), ee = worst_error(GRAZE_EE, 40000);
    printf("    largest error seen, in units of 2^-53 max(x, 1): vf %.1f of 46, ee %.1f of 44\n", vf, ee);
    /* the derivation's own, sharper bounds, and a sign that the samples are hard enough to mean something */
    CHECK(vf <= 46 && ee <= 44);
    CHECK(vf > 6 && ee > 6);
}

TEST(a_range_holds_the_exact_values_at_all_its_corners) {
    test_random random = {.state = 5};
    exact_corner e;
    corner_begin(&e);
    mpq_t bound;
    mpq_init(bound);
    for (int n = 0; n < 4000; n++) {
        graze_kind kind = n % 2 ? GRAZE_EE : GRAZE_VF;
        graze_query query;
        double size = n % 3 ? 1 : 1e3;
        for (int i = 0; i < 4; i++)
            for (int c = 0; c < 3; c++) {
                query.x0[i][c] = coordinate(&random, 0, size);
                query.x1[i][c] = coordinate(&random, 0, size);
            }
        gz_ti_pair pair;
        gz_kernels_scalar.ti_prepare(kind, &query, 0, &pair);
        double width[3], corner[3];
        for (int k = 0; k < 3; k++) {
            int depth = (int)test_random_below(&random, 30);
            width[k] = ldexp(1, -depth);
            corner[k] = (double)test_random_below(&random, (uint64_t)1 << depth) * width[k];
        }
        int c = (int)test_random_below(&random, 3);
        double range[2];
        gz_kernels_scalar.ti_range(&pair, c, corner, width, range);
        for (int k = 0; k < 8; k++) {
            exact_value(&e, kind, &query, c, corner[0] + (k & 1 ? width[0] : 0), corner[1] + (k & 2 ? width[1] : 0),
                        corner[2] + (k & 4 ? width[2] : 0));
            mpq_set_d(bound, range[0] - pair.reach[c]);
            CHECK_QUERY(mpq_cmp(bound, e.value) < 0, kind, &query);
            mpq_set_d(bound, range[1] + pair.reach[c]);
            CHECK_QUERY(mpq_cmp(bound, e.value) > 0, kind, &query);
        }
    }
    mpq_clear(bound);
    corner_end(&e);
}

TEST(the_reach_covers_filter_and_separation) {
    static const double separations[] = {1e-300, 1e-12, 0.01, 1, 50, 1e9, 0x1p160};
    const graze_query query = {.x0 = {{1, 20, 3e5}, {0}, {0}, {0}}};
    mpq_t need, part;
    mpq_inits(need, part, NULL);
    for (int k = 0; k < 2; k++) {
        graze_kind kind = k ? GRAZE_EE : GRAZE_VF;
        for (size_t s = 0; s < sizeof separations / sizeof *separations; s++) {
            double d = separations[s];
            gz_ti_pair pair;
            gz_kernels_scalar.ti_prepare(kind, &query, d, &pair);
            for (int c = 0; c < 3; c++) {
                double x = fmax(1, fabs(query.x0[0][c]));
                /* a corner errs by 46·2⁻⁵³·x at most; what is beyond the reach must be beyond d in truth */
                mpq_set_d(need, 46.001 * 0x1p-53 * x);
                mpq_set_d(part, d);
                mpq_add(need, need, part);
                mpq_set_d(part, pair.reach[c]);
                CHECK_MSG(mpq_cmp(part, need) > 0, "separation %g axis %d", d, c);
            }
        }
    }
    mpq_clears(need, part, NULL);
}

/* With a separation just not below the exact value at a corner: how far beyond it, as a part of the filter, the corner
   is computed. Fails when that is beyond the reach: a box with a contact would be dropped. */
static double filter_used(exact_corner *e, graze_kind kind, const graze_query *query, int axis,
                          const double corner[3]) {
    exact_value(e, kind, query, axis, corner[0], corner[1], corner[2]);
    mpq_abs(e->value, e->value);
    double separation = nextafter(mpq_get_d(e->value), INFINITY), range[2];
    if (!(separation <= GRAZE_MAX_COORDINATE)) return 0;
    gz_ti_pair pair;
    gz_kernels_scalar.ti_prepare(kind, query, separation, &pair);
    gz_kernels_scalar.ti_range(&pair, axis, corner, (double[3]){0, 0, 0}, range);
    double seen = fmax(fabs(range[0]), fabs(range[1])), filter = pair.reach[axis] - separation;
    CHECK_QUERY(seen <= pair.reach[axis], kind, query);
    return filter > 0 ? (seen - separation) / filter : 0;
}

TEST(a_corner_within_the_separation_is_within_reach) {
    static const double sizes[] = {1e-300, 0.3, 1, 1.5, 30, 1e7, 0x1p159};
    exact_corner e;
    corner_begin(&e);
    test_random random = {.state = 19};
    graze_query query;
    for (int n = 0; n < 20000; n++) {
        double size = sizes[test_random_below(&random, sizeof sizes / sizeof *sizes)];
        int style = (int)test_random_below(&random, 4);
        for (int k = 0; k < 12; k++) {
            query.x0[k / 3][k % 3] = coordinate(&random, style, size);
            query.x1[k / 3][k % 3] = coordinate(&random, style, size);
        }
        const double corner[3] = {dyadic(&random), dyadic(&random), dyadic(&random)};
        filter_used(&e, n % 2 ? GRAZE_EE : GRAZE_VF, &query, n % 3, corner);
    }
    double worst[2] = {0, 0};
    for (int n = 0; n < 40; n++) { /* uphill: one coordinate or parameter at a time */
        double used = 0, corner[3];
        for (int k = 0; k < 12; k++) {
            query.x0[k / 3][k % 3] = coordinate(&random, 0, 1);
            query.x1[k / 3][k % 3] = coordinate(&random, 0, 1);
        }
        for (int k = 0; k < 3; k++) corner[k] = dyadic(&random);
        for (int step = 0; step < 1000; step++) {
            graze_query next = query;
            double moved[3] = {corner[0], corner[1], corner[2]};
            int i = (int)test_random_below(&random, 11);
            double *x = i < 8 ? &(i & 1 ? next.x1 : next.x0)[i / 2][0] : &moved[i - 8];
            if (test_random_bits(&random) & 1)
                *x = i < 8 ? coordinate(&random, (int)test_random_below(&random, 2), 1) : dyadic(&random);
            else if (i < 8)
                for (int k = 0; k < 3; k++) *x = nextafter(*x, test_random_bits(&random) & 1 ? 1 : -1);
            double more = filter_used(&e, n % 2 ? GRAZE_EE : GRAZE_VF, &next, 0, moved);
            if (!(more >= used)) continue;
            used = more;
            query = next;
            memcpy(corner, moved, sizeof corner);
        }
        worst[n % 2] = fmax(worst[n % 2], used);
    }
    printf("    largest part of the filter used: vf %.2f, ee %.2f\n", worst[0], worst[1]);
    CHECK(worst[0] > 0.12 && worst[1] > 0.12);
    corner_end(&e);
}

TEST(the_constants_are_the_papers) {
    CHECK(GZ_TI_FILTER_EE == 6.217248937900877e-15);
    CHECK(GZ_TI_FILTER_VF == 6.661338147750939e-15);
    CHECK(GZ_TI_FILTER_EE_SEPARATION == 7.105427357601002e-15);
    CHECK(GZ_TI_FILTER_VF_SEPARATION == 7.549516567451064e-15);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
