/* Pieces of splines against exact rationals, with knots and control points of sizes of their own; times of plans. */
#include "articulated/world/spline.h"
#include "check.h"

#include "numerics/error_bounds.h"

#include <gmp.h>

enum { MOST_COUNT = 12, MOST_KNOTS = MOST_COUNT + GRAZE_MAX_DEGREE + 1 };

typedef struct random_spline {
    graze_path path;
    double knots[MOST_KNOTS], control[MOST_COUNT];
} random_spline;

static double drawn(test_random *random, int range) {
    return ldexp(test_random_between(random, -1, 1), -(int)test_random_below(random, (unsigned)range));
}

/* Some knots are repeated, and steps between them are of any size. */
static void make_spline(test_random *random, random_spline *spline) {
    int range = test_random_below(random, 2) ? 1 : 60;
    size_t degree = 1 + (size_t)test_random_below(random, GRAZE_MAX_DEGREE);
    size_t count = degree + 1 + (size_t)test_random_below(random, MOST_COUNT - degree), run = 1;
    double time = drawn(random, range), first = time;
    do {
        for (size_t i = 0; i <= count + degree; i++) {
            bool again = i == 0 || (run < degree && test_random_below(random, 3) == 0);
            run = again ? run + 1 : 1;
            if (!again) time += fabs(drawn(random, range));
            spline->knots[i] = time;
        }
    } while (!(spline->knots[degree] < spline->knots[count]) && (time = first, run = 1));
    int small = test_random_below(random, 4) ? 0 : -1040; /* down to where products vanish */
    for (size_t i = 0; i < count; i++) spline->control[i] = ldexp(drawn(random, range), small);
    spline->path = graze_default_path();
    spline->path.degree = (uint32_t)degree;
    spline->path.count = count;
    spline->path.knots = spline->knots;
    spline->path.control = spline->control;
}

/* The Bézier value with `begins` arguments at the beginning, exactly. */
static void exact_blossom(const graze_path *path, size_t span, size_t begins, double begin, double end, mpq_t out) {
    size_t degree = path->degree;
    mpq_t d[GRAZE_MAX_DEGREE + 1], u, from, to;
    mpq_inits(u, from, to, NULL);
    for (size_t i = 0; i <= degree; i++) {
        mpq_init(d[i]);
        mpq_set_d(d[i], path->control[span - degree + i]);
    }
    for (size_t level = 1; level <= degree; level++)
        for (size_t j = degree; j >= level; j--) {
            mpq_set_d(u, level <= begins ? begin : end);
            mpq_set_d(from, path->knots[j + span - degree]);
            mpq_set_d(to, path->knots[j + 1 + span - level]);
            mpq_sub(u, u, from);
            mpq_sub(to, to, from);
            mpq_div(u, u, to);
            mpq_sub(from, d[j], d[j - 1]);
            mpq_mul(from, from, u);
            mpq_add(d[j], d[j - 1], from);
        }
    mpq_set(out, d[degree]);
    for (size_t i = 0; i <= degree; i++) mpq_clear(d[i]);
    mpq_clears(u, from, to, NULL);
}

TEST(pieces_of_splines_are_within_their_error_of_the_exact_ones) {
    test_random random = {20261116};
    double share = 0;
    int tried = 0;
    mpq_t exact, found;
    mpq_inits(exact, found, NULL);
    for (int n = 0; n < 20000; n++) {
        random_spline spline;
        make_spline(&random, &spline);
        const graze_path *path = &spline.path;
        if (gz_spline_fault(path)) continue; /* a step below rounding repeats a knot too often */
        tried++;
        double begin = gz_spline_begin(path), end = gz_spline_end(path), bezier[GRAZE_MAX_DEGREE + 1];
        double at = begin + test_random_unit(&random) * (end - begin);
        size_t span = gz_spline_span(path, at < end ? at : begin);
        double from = spline.knots[span], to = spline.knots[span + 1];
        CHECK(from < to && from >= begin && to <= end);
        double middle = from + 0.37 * (to - from); /* a part of a span: other paths have knots, too */
        if (n % 2 && middle > from && middle < to) *(n % 4 == 1 ? &from : &to) = middle;
        double error = gz_spline_piece(path, span, 0, 1, from, to, bezier);
        for (size_t k = 0; k <= path->degree; k++) {
            exact_blossom(path, span, path->degree - k, from, to, exact);
            mpq_set_d(found, bezier[k]);
            mpq_sub(exact, exact, found);
            double off = fabs(mpq_get_d(exact));
            CHECK_MSG(off <= error, "case %d: off by %g, bound %g", n, off, error);
            if (error > 0x1p-900) share = fmax(share, off / error);
        }
    }
    CHECK(tried > 19000);
    printf("bound GZ_SPLINE_ERROR used %.3f\n", share);
    mpq_clears(exact, found, NULL);
}

/* begin + t·(end − begin), exactly. */
static void exact_time(const double ends[2], double t, mpq_t time) {
    mpq_t part;
    mpq_init(part);
    mpq_set_d(time, ends[1]);
    mpq_set_d(part, ends[0]);
    mpq_sub(time, time, part);
    mpq_set_d(part, t);
    mpq_mul(time, time, part);
    mpq_set_d(part, ends[0]);
    mpq_add(time, time, part);
    mpq_clear(part);
}

TEST(seconds_are_rounded_to_their_side) {
    test_random random = {7};
    double share = 0;
    mpq_t exact, found;
    mpq_inits(exact, found, NULL);
    for (int n = 0; n < 200000; n++) {
        double ends[2] = {drawn(&random, 60), 0}, t = fabs(drawn(&random, n % 2 ? 3 : 60));
        ends[1] = ends[0] + fabs(drawn(&random, 60));
        if (n % 4 == 0) ends[0] = ldexp(ends[0], -1020), ends[1] = ldexp(ends[1], -1020);
        if (n % 16 == 5) ends[0] = -ends[1];
        if (!(ends[0] < ends[1])) continue;
        double before = gz_spline_seconds(ends, t, -1), after = gz_spline_seconds(ends, t, 1);
        exact_time(ends, t, exact);
        mpq_set_d(found, before);
        CHECK_MSG(mpq_cmp(found, exact) <= 0 && before >= ends[0], "%a %a %a", ends[0], ends[1], t);
        mpq_set_d(found, after);
        CHECK_MSG(mpq_cmp(found, exact) >= 0 && after <= ends[1], "%a %a %a", ends[0], ends[1], t);
        mpq_set_d(found, ends[0] + t * (ends[1] - ends[0]));
        mpq_sub(exact, exact, found);
        double off = GZ_PLAN_TIME * (fabs(ends[0]) + fabs(ends[1]));
        if (off > 0x1p-900) share = fmax(share, fabs(mpq_get_d(exact)) / off);
    }
    printf("bound GZ_PLAN_TIME used %.3f\n", share);
    mpq_clears(exact, found, NULL);
}

TEST(what_is_no_spline_is_refused) {
    double knots[9] = {0, 0, 0, 1, 1, 2, 3, 3, 3}, control[6] = {0};
    graze_path good = graze_default_path();
    good.degree = 2;
    good.count = 6;
    good.knots = knots;
    good.control = control;
    CHECK(gz_spline_fault(&good) == NULL);
    graze_path bad = good;
    bad.degree = 0;
    CHECK(strstr(gz_spline_fault(&bad), "degree"));
    bad.degree = 8;
    CHECK(strstr(gz_spline_fault(&bad), "degree"));
    bad = good;
    bad.count = 2;
    CHECK(strstr(gz_spline_fault(&bad), "control points"));
    bad = good;
    bad.knots = NULL;
    CHECK(strstr(gz_spline_fault(&bad), "no knots"));
    static const struct {
        double knots[9];
        const char *why;
    } wrong[] = {{{0, 0, 0, 1, 0.5, 2, 2, 2, 2}, "must not decrease"},
                 {{0, 0, 0, 1, (double)NAN, 2, 2, 2, 2}, "not finite"},
                 {{0, 0, 0, 0, 0, 0, 0, 0, 0}, "ends when it begins"},
                 {{-1, -1, -1, 0, 0, 0, 1, 1, 1}, "leaps"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        bad = good;
        bad.knots = wrong[i].knots;
        const char *fault = gz_spline_fault(&bad);
        CHECK_MSG(fault && strstr(fault, wrong[i].why), "%zu: %s", i, fault ? fault : "accepted");
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
