/* Certificates hold in rational arithmetic, as docs/numerics.md says they are to be checked, and no others do. */
#include "check.h"
#include "rational.h"

#define CAPACITY 4096
static graze_certificate_entry entries[CAPACITY];

/* exact b - a of difference k at time t */
static void difference_at(rational_vector *w, graze_kind kind, const graze_query *query, int k, const mpq_t t) {
    int i = kind == GRAZE_EE ? k >> 1 : 0, j = kind == GRAZE_EE ? 2 + (k & 1) : k + 1;
    rational_vector a, b;
    rational_init(&a), rational_init(&b);
    rational_row(&a, query, i, t), rational_row(&b, query, j, t);
    rational_sub(w, &b, &a);
    rational_clear(&a), rational_clear(&b);
}

static bool separates(graze_kind kind, const graze_query *query, const double n[3], double t, double separation) {
    static const int counts[] = {3, 4, 2, 1};
    rational_vector w, direction;
    mpq_t time, dot, least, d;
    rational_init(&w), rational_init(&direction);
    mpq_inits(time, dot, least, d, NULL);
    mpq_set_d(time, t), mpq_set_d(d, separation);
    rational_set(&direction, n);
    rational_dot(least, &direction, &direction);
    mpq_mul(least, least, d), mpq_mul(least, least, d);
    bool apart = true;
    for (int k = 0; k < counts[kind] && apart; k++) {
        difference_at(&w, kind, query, k, time);
        rational_dot(dot, &direction, &w);
        apart = mpq_sgn(dot) > 0;
        mpq_mul(dot, dot, dot);
        apart = apart && mpq_cmp(dot, least) > 0;
    }
    rational_clear(&w), rational_clear(&direction);
    mpq_clears(time, dot, least, d, NULL);
    return apart;
}

/* The sign of f² - d² <N,N> at t (of f itself when d = 0). */
static int volume_sign(graze_kind kind, const graze_query *query, const mpq_t t, double separation) {
    static const int ends[2][3][2] = {{{1, 2}, {1, 3}, {1, 0}}, {{0, 1}, {2, 3}, {0, 2}}};
    rational_vector x[4], e[3], n;
    mpq_t f, least, d;
    rational_init(&n);
    for (int i = 0; i < 4; i++) rational_init(&x[i]), rational_row(&x[i], query, i, t);
    for (int i = 0; i < 3; i++) {
        rational_init(&e[i]);
        rational_sub(&e[i], &x[ends[kind][i][1]], &x[ends[kind][i][0]]);
    }
    mpq_inits(f, least, d, NULL);
    rational_cross(&n, &e[0], &e[1]);
    rational_dot(f, &n, &e[2]);
    int sign = mpq_sgn(f);
    if (separation > 0) {
        mpq_set_d(d, separation);
        rational_dot(least, &n, &n);
        mpq_mul(least, least, d), mpq_mul(least, least, d);
        mpq_mul(f, f, f);
        sign = mpq_cmp(f, least) > 0 ? sign : 0;
    }
    for (int i = 0; i < 4; i++) rational_clear(&x[i]);
    for (int i = 0; i < 3; i++) rational_clear(&e[i]);
    rational_clear(&n);
    mpq_clears(f, least, d, NULL);
    return sign;
}

/* A polynomial of degree at most 6 that has no root in an interval has one sign at many points of it. */
static bool volume_holds(graze_kind kind, const graze_query *query, double t0, double t1, double separation) {
    mpq_t t, from, part;
    mpq_inits(t, from, part, NULL);
    mpq_set_d(from, t0);
    int first = 0;
    bool holds = true;
    for (unsigned i = 0; i <= 16 && holds; i++) {
        mpq_set_d(t, t1);
        mpq_sub(t, t, from);
        mpq_set_ui(part, i, 16);
        mpq_canonicalize(part);
        mpq_mul(t, t, part), mpq_add(t, t, from);
        int sign = volume_sign(kind, query, t, separation);
        if (i == 0) first = sign;
        holds = sign != 0 && sign == first;
    }
    mpq_clears(t, from, part, NULL);
    return holds;
}

static bool entry_holds(graze_kind kind, const graze_query *query, const graze_certificate_entry *entry,
                        double separation) {
    if (entry->direction[0] == 0 && entry->direction[1] == 0 && entry->direction[2] == 0)
        return volume_holds(kind, query, entry->t0, entry->t1, separation);
    return separates(kind, query, entry->direction, entry->t0, separation) &&
           separates(kind, query, entry->direction, entry->t1, separation);
}

static void random_query(test_random *random, graze_query *query) {
    bool lattice = test_random_below(random, 3) == 0;
    double offset = test_random_below(random, 3) == 0 ? 100 : 0, speed = ldexp(1, -(int)test_random_below(random, 8));
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            double a = test_random_between(random, -1, 1), b = a + speed * test_random_between(random, -2, 2);
            if (lattice) a = (double)test_random_below(random, 9) - 4, b = (double)test_random_below(random, 9) - 4;
            query->x0[i][c] = offset + a;
            query->x1[i][c] = offset + b;
        }
}

TEST(every_entry_holds_exactly_and_together_they_cover_the_time) {
    test_random random = {31};
    size_t directions = 0, volumes = 0, decided = 0, clear = 0;
    for (int i = 0; i < 4000; i++) {
        graze_query query;
        random_query(&random, &query);
        graze_kind kind = (graze_kind)test_random_below(&random, 4);
        graze_options options = graze_default_options();
        options.min_separation = i & 1 ? test_random_unit(&random) * 0.1 : 0;
        options.t_max = i % 3 ? 1 : 0.5;
        graze_result result, plain;
        size_t count;
        CHECK(graze_ccd_certificate(kind, &query, &options, entries, CAPACITY, &count, &result) == GRAZE_OK);
        options.method = GRAZE_METHOD_CERTIFIED;
        CHECK(graze_ccd(kind, &query, &options, &plain) == GRAZE_OK);
        CHECK_QUERY(memcmp(&result, &plain, sizeof result) == 0, kind, &query);
        double reached = 0;
        for (size_t k = 0; k < count; k++) {
            CHECK_QUERY(entries[k].t0 == reached && entries[k].t1 > reached, kind, &query);
            reached = entries[k].t1;
            if (isnan(entries[k].direction[0])) {
                decided++;
                CHECK(count == 1);
                continue;
            }
            bool volume = entries[k].direction[0] == 0 && entries[k].direction[1] == 0 && entries[k].direction[2] == 0;
            volumes += volume;
            directions += !volume;
            CHECK_QUERY(entry_holds(kind, &query, &entries[k], options.min_separation), kind, &query);
        }
        CHECK_QUERY(reached == result.toi, kind, &query);
        if (result.verdict == GRAZE_CLEAR) {
            clear++;
            CHECK_QUERY(reached == options.t_max, kind, &query);
        }
    }
    CHECK_MSG(directions > 3000 && volumes > 100 && clear > 1000 && decided < 200,
              "%zu directions, %zu volumes, %zu decided exactly", directions, volumes, decided);
}

TEST(a_certificate_that_was_tampered_with_does_not_hold) {
    test_random random = {32};
    size_t tried = 0;
    for (int i = 0; i < 2000; i++) {
        graze_query query;
        random_query(&random, &query);
        graze_kind kind = i & 1 ? GRAZE_EE : GRAZE_VF;
        graze_result result;
        size_t count;
        CHECK(graze_ccd_certificate(kind, &query, NULL, entries, CAPACITY, &count, &result) == GRAZE_OK);
        if (count == 0 || isnan(entries[0].direction[0])) continue;
        tried++;
        graze_certificate_entry *entry = &entries[test_random_below(&random, count)];
        if (entry->direction[0] == 0 && entry->direction[1] == 0 && entry->direction[2] == 0) continue;
        graze_certificate_entry turned = *entry, later = *entry;
        for (int c = 0; c < 3; c++) turned.direction[c] = -turned.direction[c];
        CHECK_QUERY(!entry_holds(kind, &query, &turned, 0), kind, &query);
        /* a direction goes as far as it can, or to the end */
        later.t1 = fmin(1, entry->t1 * (1 + 1e-6) + 1e-9);
        if (entry->t1 < 1 && result.verdict == GRAZE_HIT && entry == &entries[count - 1] && result.proven) {
            later.t1 = result.toi_upper;
            CHECK_QUERY(!entry_holds(kind, &query, &later, 0), kind, &query);
        }
    }
    CHECK(tried > 1000);
}

TEST(a_list_that_is_too_short_says_how_long_it_would_be) {
    graze_query query = {
        .x0 = {{0.1, 0.2, 1}, {0, 0, 0}, {1, 0, 0.1}, {0, 1, 0}},
        .x1 = {{0.3, 0.2, -1}, {0, 0.1, 0}, {1, 0.2, 0.4}, {0.2, 1, -0.1}},
    };
    graze_result result, cut;
    size_t count, needed;
    CHECK(graze_ccd_certificate(GRAZE_VF, &query, NULL, entries, CAPACITY, &needed, &result) == GRAZE_OK);
    CHECK(needed >= 1);
    memset(entries, 0, sizeof entries);
    CHECK(graze_ccd_certificate(GRAZE_VF, &query, NULL, entries, needed - 1, &count, &cut) == GRAZE_ERR_OUT_OF_MEMORY);
    CHECK(count == needed && entries[needed - 1].t1 == 0);
    CHECK(cut.verdict == GRAZE_UNRESOLVED && cut.toi == 0 && cut.toi_upper == INFINITY && !cut.proven);
    CHECK(graze_ccd_certificate(GRAZE_VF, &query, NULL, NULL, 1, &count, &cut) == GRAZE_ERR_INVALID_ARGUMENT);
    query.x0[0][0] = INFINITY;
    CHECK(graze_ccd_certificate(GRAZE_VF, &query, NULL, entries, CAPACITY, &count, &cut) == GRAZE_ERR_NOT_FINITE);
    CHECK(cut.verdict == GRAZE_UNRESOLVED && cut.toi == 0 && count == 0);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
