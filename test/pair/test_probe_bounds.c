/* The bounds of a probe (docs/numerics.md, 4.2) one by one, against exact rationals. A probe's other slacks often hide
   an error of one, so each is looked at alone: probe_advance takes the size of the pair as an argument, and with the
   size 0 there is no slack for the dot products, which are exact in these tests. Built twice: for double, and from
   test_probe_bounds_f32.c for float. */
#include "pair/probe.h"

#ifdef TEST_F32
#include "numerics/as_float.h"
#define UNIT 0x1p-24
#define LOWEST (-148) /* exponents of coordinates */
#define HIGHEST 126
#define SMALLEST 0x1p-149f
#define next_after nextafterf
#define NAME(constant) constant "_F32"
#define RANGE scaled_floats
#else
#define UNIT 0x1p-53
#define LOWEST (-1073)
#define HIGHEST 160
#define SMALLEST 0x1p-1074
#define next_after nextafter
#define NAME(constant) constant
#define RANGE scaled_doubles
#endif

#include "check.h"
#include "rational.h"
#include "scaled_pairs.h"

/* any sign, exponents from `low` on; sometimes next to a power of two, where a rounding is relatively largest */
static v_element some_number(test_random *random, int low, int high) {
    double x = test_random_between(random, 1, 2);
    if (test_random_below(random, 4) == 0) x = 1 + 2 * UNIT * (double)test_random_below(random, 64);
    if (test_random_bits(random) & 1) x = -x;
    return (v_element)ldexp(x, low + (int)test_random_below(random, (uint64_t)(high - low + 1)));
}

static v_element neighbour(test_random *random, v_element x) {
    for (int steps = 1 + (int)test_random_below(random, 8); steps > 0; steps--)
        x = test_random_bits(random) & 1 ? next_after(x, (v_element)INFINITY) : next_after(x, -(v_element)INFINITY);
    return x;
}

static v_element advance(v_vec w0, v_vec w1, v_vec size, v_vec n, v_element t, v_element separation) {
    return probe_advance(&w0, &w1, 1, size, n, t, separation);
}

/* The least x in [low, high] that `holds`, which does for high and for all above the least. */
typedef bool condition(v_element x, const void *state);
static v_element least_that(condition *holds, const void *state, v_element low, v_element high) {
    if (holds(low, state)) return low;
    for (;;) {
        v_element middle = low + (high - low) / 2;
        /* far apart, halve the exponent rather than the number */
        if (low > 0 && high / low > 4 && low >= SMALLEST * 0x1p30f) middle = low * v_sqrt(high / low);
        if (!(middle > low && middle < high)) return high;
        if (holds(middle, state))
            high = middle;
        else
            low = middle;
    }
}

/* ---- the times ---- */

typedef struct piece {
    v_element a, z; /* gaps at t = 0 and t = 1 */
} piece;

/* α/(α − ζ), the exact root, α and ζ what the threshold leaves of a and z */
static void exact_root(mpq_t root, const piece *p) {
    mpq_t a, z, tiny;
    mpq_inits(a, z, tiny, NULL);
    mpq_set_d(tiny, V_CONSTANT(GZ_DOT_TINY));
    mpq_set_d(a, p->a), mpq_set_d(z, p->z);
    mpq_sub(a, a, tiny), mpq_sub(z, z, tiny);
    mpq_sub(z, a, z);
    mpq_div(root, a, z);
    mpq_clears(a, z, tiny, NULL);
}

static const v_vec no_size = {0, 0, 0}, along_x = {1, 0, 0};

static v_element falling_time(const piece *p) {
    return advance((v_vec){p->a, 0, 0}, (v_vec){p->z, 0, 0}, no_size, along_x, 0, 0);
}

static bool rising_is_accepted(v_element t, const void *state) {
    const piece *p = (const piece *)state;
    return advance((v_vec){p->a, 0, 0}, (v_vec){p->z, 0, 0}, no_size, along_x, t, 0) == 1;
}

/* The share of the slack that the roundings used: 0 when time is the root moved by all of it, above 1 when it is wrong.
 */
static double root_slack_used(const mpq_t root, v_element time) {
    mpq_t gap, slack, tiny;
    mpq_inits(gap, slack, tiny, NULL);
    mpq_set_d(gap, time);
    mpq_sub(gap, root, gap);
    mpq_abs(gap, gap);
    mpq_set_d(slack, 8 * UNIT);
    mpq_mul(slack, slack, root);
    mpq_set_d(tiny, V_CONSTANT(GZ_ROOT_TINY));
    mpq_add(slack, slack, tiny);
    mpq_div(gap, gap, slack);
    double used = 1 - mpq_get_d(gap);
    mpq_clears(gap, slack, tiny, NULL);
    return used;
}

/* The share of the slack that was used. Fails where a time is not strictly before (rising: after) the exact root. */
static double check_piece(const piece *p, bool rising) {
    mpq_t root;
    mpq_init(root);
    exact_root(root, p);
    double used = 0;
    if (rising) {
        v_element t = least_that(rising_is_accepted, p, 0, 1);
        if (t < 1) {
            CHECK_MSG(rational_compare_double(root, t) < 0, "from %a to %a: accepted at %a", (double)p->a, (double)p->z,
                      (double)t);
            used = root_slack_used(root, t);
        }
    } else {
        v_element t = falling_time(p);
        if (t > 0) {
            CHECK_MSG(rational_compare_double(root, t) > 0, "from %a to %a: up to %a", (double)p->a, (double)p->z,
                      (double)t);
            used = root_slack_used(root, t);
        }
    }
    mpq_clear(root);
    return used;
}

/* a from subnormals on, z up to the largest: quotients as small as they get */
static piece some_piece(test_random *random, bool rising) {
    piece p;
    if (test_random_below(random, 2)) {
        p.a = some_number(random, -3, 3), p.z = some_number(random, -3, 3);
    } else {
        p.a = some_number(random, LOWEST / 2, HIGHEST / 2), p.z = some_number(random, LOWEST / 2, HIGHEST / 2);
        if (test_random_below(random, 2)) p.a = some_number(random, LOWEST, LOWEST + 60);
    }
    p.a = rising ? -v_abs(p.a) : v_abs(p.a);
    p.z = rising ? v_abs(p.z) : -v_abs(p.z);
    return p;
}

static void times_are_on_the_safe_side(bool rising) {
    test_random random = {101 + (uint64_t)rising};
    double worst = 0;
    for (int i = 0; i < 4000; i++)
        check_piece(&(piece){some_piece(&random, rising).a, some_piece(&random, rising).z}, rising);
    for (int i = 0; i < 100; i++) { /* uphill among the neighbors, where the relative error counts */
        piece p = {some_number(&random, -2, 2), some_number(&random, -2, 2)};
        p.a = rising ? -v_abs(p.a) : v_abs(p.a);
        p.z = rising ? v_abs(p.z) : -v_abs(p.z);
        double used = check_piece(&p, rising);
        for (int step = 0; step < 60; step++) {
            piece next = p;
            if (test_random_bits(&random) & 1)
                next.a = neighbour(&random, p.a);
            else
                next.z = neighbour(&random, p.z);
            double more = check_piece(&next, rising);
            if (more >= used) p = next, used = more;
        }
        worst = fmax(worst, used);
    }
    test_bound_used(rising ? NAME("GZ_ROOT_UP") : NAME("GZ_ROOT_DOWN"), worst);
    CHECK(worst > 0.2 && worst < 0.75);
}

TEST(a_time_is_before_the_exact_root_of_a_falling_piece) { times_are_on_the_safe_side(false); }

TEST(a_time_is_after_the_exact_root_of_a_rising_piece) { times_are_on_the_safe_side(true); }

/* ---- the threshold ---- */

typedef struct threshold {
    v_vec n; /* n.x is a power of two, so that n.x·s is exact */
    v_element separation;
} threshold;

/* w = (s, 0, 0) at both ends is farther than the separation along n */
static bool is_apart(v_element s, const void *state) {
    const threshold *h = (const threshold *)state;
    v_vec w = {s, 0, 0};
    return advance(w, w, no_size, h->n, 0, h->separation) == 1;
}

/* Share of the slack of 8u that was used, where that is most of it; fails when n.x·s <= d‖n‖ for the least s. */
static double check_threshold(const threshold *h) {
    v_element high = (v_element)ldexp(1, HIGHEST);
    if (!is_apart(high, h)) return 0; /* overflow, or n too small for any s */
    v_element s = least_that(is_apart, h, 0, high);
    rational_vector n;
    mpq_t gap, least, d;
    rational_init(&n);
    mpq_inits(gap, least, d, NULL);
    rational_set(&n, (double[3]){h->n.x, h->n.y, h->n.z});
    mpq_set_d(d, h->separation);
    rational_dot(least, &n, &n);
    mpq_mul(least, least, d), mpq_mul(least, least, d); /* (d‖n‖)² */
    mpq_set_d(gap, s);
    mpq_mul(gap, gap, n.x[0]);
    mpq_mul(gap, gap, gap);
    double used = 0;
    CHECK_MSG(mpq_cmp(gap, least) > 0, "n %a %a %a, separation %a: apart from %a on", (double)h->n.x, (double)h->n.y,
              (double)h->n.z, (double)h->separation, (double)s);
    if (mpq_sgn(least) > 0) {
        mpq_sub(gap, gap, least);
        mpq_div(gap, gap, least); /* twice the relative distance of the threshold from d‖n‖ */
        used = 1 - mpq_get_d(gap) / (2 * 8 * UNIT);
    }
    rational_clear(&n);
    mpq_clears(gap, least, d, NULL);
    return used;
}

static threshold some_threshold(test_random *random, int low, int high) {
    int exponent = low + (int)test_random_below(random, (uint64_t)(high - low + 1));
    threshold h = {.separation = v_abs(some_number(random, low < 0 ? 0 : low, high < 60 ? high : 60))};
    h.n.x = (v_element)ldexp(1, exponent);
    h.n.y = (v_element)ldexp(some_number(random, 0, 3), exponent - (int)test_random_below(random, 4));
    h.n.z = (v_element)ldexp(some_number(random, 0, 3), exponent - (int)test_random_below(random, 4));
    return h;
}

TEST(a_threshold_of_a_probe_is_above_separation_times_length) {
    test_random random = {103};
    for (int i = 0; i < 2000; i++) { /* also where squares underflow, and where they nearly overflow */
        threshold h = some_threshold(&random, LOWEST / 2 - 10, HIGHEST / 2 - 10);
        check_threshold(&h);
    }
    double worst = 0;
    for (int i = 0; i < 60; i++) {
        threshold h = some_threshold(&random, 0, 0);
        double used = check_threshold(&h);
        for (int step = 0; step < 200; step++) {
            threshold next = h;
            v_element *x = (v_element *[]){&next.n.y, &next.n.z, &next.separation}[test_random_below(&random, 3)];
            *x = test_random_below(&random, 4) ? neighbour(&random, *x) : v_abs(some_number(&random, -3, 3));
            double more = check_threshold(&next);
            if (more >= used) h = next, used = more;
        }
        worst = fmax(worst, used);
    }
    test_bound_used(NAME("GZ_NORM_UP"), worst);
    CHECK(worst > 0.15 && worst < 0.75);
}

/* ---- the dot product ---- */

typedef struct product {
    v_element a[3], b[3], n[3];
} product;

static v_vec vector_of(const v_element x[3]) { return (v_vec){x[0], x[1], x[2]}; }

/* |fl<n, w> − <n, b − a>| over u·Σ|n||w|; where the products are normal it is at most 4 (and a little). Fails when it
   exceeds what the slack leaves for it, or when the probe of these points claims what is not so. */
static double check_product(const product *p) {
    v_vec w = vec_sub(vector_of(p->b), vector_of(p->a)), n = vector_of(p->n), size = vec_abs(w);
    v_element sum = vec_dot(vec_abs(n), size), dot = vec_dot(n, w);
    if (!(sum < INFINITY)) return 0;
    rational_vector a, b, direction;
    mpq_t exact, error, slack;
    rational_init(&a), rational_init(&b), rational_init(&direction);
    mpq_inits(exact, error, slack, NULL);
    rational_set(&a, (double[3]){p->a[0], p->a[1], p->a[2]});
    rational_set(&b, (double[3]){p->b[0], p->b[1], p->b[2]});
    rational_set(&direction, (double[3]){p->n[0], p->n[1], p->n[2]});
    rational_sub(&b, &b, &a);
    rational_dot(exact, &b, &direction);
    if (advance(w, w, size, n, 0, 0) == 1) CHECK(mpq_sgn(exact) > 0);
    mpq_set_d(error, dot);
    mpq_sub(error, error, exact);
    mpq_abs(error, error);
    mpq_set_d(slack, sum * (double)V_CONSTANT(GZ_DOT_SLACK));
    mpq_set_d(exact, V_CONSTANT(GZ_DOT_TINY));
    mpq_add(slack, slack, exact);
    mpq_set_d(exact, 0.625); /* the other 3 of 8u cover the threshold */
    mpq_mul(slack, slack, exact);
    CHECK_MSG(mpq_cmp(error, slack) <= 0, "off by %g, slack %g", mpq_get_d(error), mpq_get_d(slack));
    double units = 0;
    if (sum > SMALLEST * 0x1p60f) {
        mpq_set_d(slack, sum);
        mpq_div(error, error, slack);
        units = mpq_get_d(error) / UNIT;
    }
    rational_clear(&a), rational_clear(&b), rational_clear(&direction);
    mpq_clears(exact, error, slack, NULL);
    return units;
}

TEST(a_dot_product_errs_by_four_units_at_most_and_a_probe_knows) {
    test_random random = {104};
    for (int i = 0; i < 20000; i++) {
        product p;
        int low = i & 1 ? LOWEST / 2 - 4 : LOWEST, high = i & 1 ? LOWEST / 2 + 4 : HIGHEST;
        for (int c = 0; c < 3; c++) {
            p.a[c] = some_number(&random, low, high);
            p.b[c] = test_random_below(&random, 3) ? some_number(&random, low, high) : 0;
            p.n[c] = some_number(&random, low, high);
        }
        check_product(&p);
    }
    double worst = 0;
    for (int i = 0; i < 150; i++) {
        product p;
        for (int c = 0; c < 3; c++) {
            p.a[c] = some_number(&random, -2, 2), p.b[c] = some_number(&random, -2, 2);
            p.n[c] = some_number(&random, -2, 2);
        }
        double units = check_product(&p);
        for (int step = 0; step < 400; step++) {
            product next = p;
            v_element *x = (v_element *[]){next.a, next.b, next.n}[test_random_below(&random, 3)];
            x += test_random_below(&random, 3);
            *x = test_random_below(&random, 4) ? neighbour(&random, *x) : some_number(&random, -2, 2);
            double more = check_product(&next);
            if (more >= units) p = next, units = more;
        }
        worst = fmax(worst, units);
    }
    test_bound_used(NAME("GZ_DOT_SLACK"), worst / 8); /* 4 units are proven */
    CHECK(worst > 2 && worst <= 4.001);
}

/* Underflow alone: products of less than half the least number each, whose rounded sum has the wrong sign. */
TEST(a_probe_does_not_trust_products_that_underflow) {
    test_random random = {105};
    size_t wrong = 0;
    for (int i = 0; i < 20000; i++) {
        v_element n[3], b[3];
        mpq_t exact, x, y;
        mpq_inits(exact, x, y, NULL);
        for (int c = 0; c < 3; c++) {
            n[c] = (v_element)ldexp(some_number(&random, 0, 1), LOWEST / 2);
            b[c] = (v_element)ldexp(some_number(&random, 0, 1), LOWEST - 4 - LOWEST / 2);
            mpq_set_d(x, n[c]), mpq_set_d(y, b[c]);
            mpq_mul(x, x, y);
            mpq_add(exact, exact, x);
        }
        v_vec w = vector_of(b);
        wrong += vec_dot(vector_of(n), w) > 0 && mpq_sgn(exact) <= 0;
        if (advance(w, w, vec_abs(w), vector_of(n), 0, 0) == 1) CHECK(mpq_sgn(exact) > 0);
        mpq_clears(exact, x, y, NULL);
    }
    CHECK_MSG(wrong > 200, "only %zu sums had the wrong sign", wrong);
}

/* ---- whole pairs ---- */

typedef struct differences_of_pair {
    v_vec w0[4], w1[4], size;
    v_element reach[4];
    int count;
} differences_of_pair;

static v_vec row_difference(const double a[3], const double b[3]) {
    return (v_vec){(v_element)b[0] - (v_element)a[0], (v_element)b[1] - (v_element)a[1],
                   (v_element)b[2] - (v_element)a[2]};
}

/* Rounds the pair to v_element, and takes its differences as a probe does. `reach` is rounded up. */
static void take_differences(graze_kind kind, scaled_pair *pair, differences_of_pair *out) {
    for (int i = 0; i < 12; i++) {
        pair->query.x0[i / 3][i % 3] = (v_element)pair->query.x0[i / 3][i % 3];
        pair->query.x1[i / 3][i % 3] = (v_element)pair->query.x1[i / 3][i % 3];
        pair->radii[i / 3] = (v_element)pair->radii[i / 3];
    }
    pair->separation = (v_element)pair->separation;
    out->count = gz_difference_count(kind);
    for (int k = 0; k < out->count; k++) {
        int from = gz_difference_from(kind, k), to = gz_difference_to(kind, k);
        out->w0[k] = row_difference(pair->query.x0[from], pair->query.x0[to]);
        out->w1[k] = row_difference(pair->query.x1[from], pair->query.x1[to]);
        v_element sum = (v_element)pair->separation + (v_element)pair->radii[from] + (v_element)pair->radii[to];
        out->reach[k] = sum * (1 + 8 * (v_element)UNIT);
    }
    out->size = probe_size(out->w0, out->w1, out->count);
}

/* With one separation, or with radii; in directions good and bad, short and long, from where the last probe ended. */
TEST(a_probe_of_parts_of_any_size_claims_only_what_its_direction_proves) {
    test_random random = {107};
    size_t claims = 0, degenerate = 0;
    for (int i = 0; i < 20000; i++) {
        graze_kind kind = (graze_kind)(i % 4);
        scaled_pair pair;
        differences_of_pair d;
        scaled_draw(&random, kind, RANGE, &pair);
        bool thick = i / 4 % 3 == 0;
        if (i / 4 % 3 == 1) pair.separation = 0;
        take_differences(kind, &pair, &d);
        degenerate += pair.degenerate;
        v_element t = 0;
        for (int step = 0; step < 3; step++) {
            v_vec w[4], n;
            probe_at(d.w0, d.w1, d.count, t, w);
            n = vec_scale(probe_direction(w, d.count), (v_element)scaled_size(&random, 0, -LOWEST / 2));
            if (test_random_below(&random, 3) == 0) n.x *= (v_element)test_random_unit(&random);
            v_element next = thick ? probe_advance_thick(d.w0, d.w1, d.count, d.size, n, t, d.reach)
                                   : probe_advance(d.w0, d.w1, d.count, d.size, n, t, (v_element)pair.separation);
            if (!(next > t)) continue;
            claims++;
            const double direction[3] = {n.x, n.y, n.z}, *radii = thick ? pair.radii : NULL;
            CHECK_QUERY(rational_apart_along(kind, &pair.query, radii, pair.separation, direction, t), kind,
                        &pair.query);
            CHECK_QUERY(rational_apart_along(kind, &pair.query, radii, pair.separation, direction, next), kind,
                        &pair.query);
            t = next;
        }
    }
    CHECK_MSG(claims > 2000 && degenerate < 12000, "%zu claims, %zu degenerate", claims, degenerate);
}

/* These choices change the worth of a direction, not what it proves. */
TEST(directions_are_finite_also_for_points_that_coincide) {
    test_random random = {106};
    for (int i = 0; i < 20000; i++) {
        v_vec w[4];
        int exponent = LOWEST + (int)test_random_below(&random, (uint64_t)(HIGHEST / 4 - LOWEST));
        for (int k = 0; k < 4; k++) {
            v_element x[3];
            for (int c = 0; c < 3; c++)
                x[c] = test_random_below(&random, 3) ? (v_element)ldexp(some_number(&random, -1, 1), exponent) : 0;
            w[k] = vector_of(x);
            if (k > 0 && test_random_below(&random, 3) == 0) w[k] = w[k - 1];
        }
        for (int count = 1; count <= 4; count++) {
            v_vec n = probe_direction(w, count);
            CHECK(n.x - n.x == 0 && n.y - n.y == 0 && n.z - n.z == 0);
        }
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
