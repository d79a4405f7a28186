/* Contacts that are exact by construction: Tight Inclusion misses none, whatever the size and the offset. */
#include "check.h"

#include <gmp.h>

/* All coordinates are integers times one power of two. A point is c + (s − t)·m at time s; c is a multiple of 2^2 and
   m of 2^3, t a multiple of 1/8 and u, v multiples of 1/4: then both ends of every path are integers again. */
#define UV_PARTS 4
#define T_PARTS 8

typedef struct lattice {
    double unit, offset[3]; /* offset counts units */
    double reach;           /* in units */
    test_random random;
} lattice;

/* A multiple of `step` of at most `reach` in size, in units; every other one is among the largest. */
static double lattice_number(lattice *l, double step) {
    double count = floor(l->reach / step);
    double least = test_random_below(&l->random, 2) ? floor(0.8 * count) : 0;
    double size = floor(test_random_between(&l->random, least, count));
    return test_random_below(&l->random, 2) ? size * step : -size * step;
}

static void set_path(graze_query *query, int row, int axis, double c, double m, int t, double unit) {
    query->x0[row][axis] = (c - m / T_PARTS * t) * unit;
    query->x1[row][axis] = (c + m / T_PARTS * (T_PARTS - t)) * unit;
}

/* A query with a contact at (t, u, v), counted in eighths and quarters. */
static graze_query make_contact(lattice *l, graze_kind kind, int t, int u, int v) {
    graze_query query;
    for (int axis = 0; axis < 3; axis++) {
        double c[4], at = l->offset[axis];
        if (kind == GRAZE_VF) {
            for (int i = 1; i < 4; i++) c[i] = at + lattice_number(l, UV_PARTS);
            c[0] = c[1] + (c[2] - c[1]) / UV_PARTS * u + (c[3] - c[1]) / UV_PARTS * v;
        } else {
            double contact = at + lattice_number(l, 1), along_a = lattice_number(l, UV_PARTS);
            double along_b = lattice_number(l, UV_PARTS);
            c[0] = contact - along_a / UV_PARTS * u;
            c[1] = contact + along_a / UV_PARTS * (UV_PARTS - u);
            c[2] = contact - along_b / UV_PARTS * v;
            c[3] = contact + along_b / UV_PARTS * (UV_PARTS - v);
        }
        for (int i = 0; i < 4; i++) set_path(&query, i, axis, c[i], lattice_number(l, T_PARTS), t, l->unit);
    }
    return query;
}

/* out = (1 − s)·a + s·b */
static void mix(mpq_t out, const mpq_t a, const mpq_t b, const mpq_t s) {
    mpq_t d;
    mpq_init(d);
    mpq_sub(d, b, a);
    mpq_mul(d, d, s);
    mpq_add(out, a, d);
    mpq_clear(d);
}

/* True if A(t, u) = B(t, v) in exact arithmetic, from the doubles of the query. */
static bool touches(graze_kind kind, const graze_query *query, int t, int u, int v) {
    mpq_t x[4], a, b, tq, uq, vq;
    mpq_inits(x[0], x[1], x[2], x[3], a, b, tq, uq, vq, NULL);
    mpq_set_si(tq, t, T_PARTS);
    mpq_set_si(uq, u, UV_PARTS);
    mpq_set_si(vq, v, UV_PARTS);
    mpq_canonicalize(tq);
    mpq_canonicalize(uq);
    mpq_canonicalize(vq);
    bool same = true;
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < 4; i++) {
            mpq_set_d(a, query->x0[i][axis]);
            mpq_set_d(b, query->x1[i][axis]);
            mix(x[i], a, b, tq);
        }
        if (kind == GRAZE_VF) {
            mix(a, x[1], x[2], uq); /* f0 + u (f1 − f0) */
            mpq_sub(b, x[3], x[1]);
            mpq_mul(b, b, vq);
            mpq_add(b, a, b);
            mpq_set(a, x[0]);
        } else {
            mix(a, x[0], x[1], uq);
            mix(b, x[2], x[3], vq);
        }
        same = same && mpq_equal(a, b);
    }
    mpq_clears(x[0], x[1], x[2], x[3], a, b, tq, uq, vq, NULL);
    return same;
}

static const struct {
    int u, v;
} vf_places[] = {{0, 0}, {4, 0}, {0, 4}, {2, 0}, {0, 3}, {1, 3}, {2, 2}, {1, 1}, {1, 2}},
  ee_places[] = {{0, 0}, {4, 0}, {0, 4}, {4, 4}, {0, 1}, {4, 3}, {2, 0}, {1, 4}, {2, 2}, {3, 1}};

/* Runs `rounds` contacts for every place, time, size and offset; returns how many there were. */
static size_t run_family(graze_kind kind, int rounds) {
    static const double sizes[] = {1e-6, 1e-3, 1, 30, 1e3, 1e5, 1e7}, offsets[] = {0, 1, 1e3, 1e7};
    static const int times[] = {0, 1, 4, 7, 8};
    size_t places = kind == GRAZE_VF ? sizeof vf_places / sizeof *vf_places : sizeof ee_places / sizeof *ee_places;
    size_t made = 0;
    graze_options options = graze_default_options();
    options.method = GRAZE_METHOD_TI;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t o = 0; o < sizeof offsets / sizeof *offsets; o++)
            for (size_t p = 0; p < places; p++)
                for (size_t k = 0; k < sizeof times / sizeof *times; k++)
                    for (int n = 0; n < rounds; n++) {
                        lattice l = {.random = {.state = 1 + made}};
                        /* coordinates as long as 53 bits allow, so that differences of them round */
                        l.unit = ldexp(1, ilogb(sizes[s] + offsets[o]) - 51);
                        l.reach = fmin(sizes[s] / l.unit, (0x1p53 - offsets[o] / l.unit) / (kind == GRAZE_VF ? 2 : 3));
                        for (int c = 0; c < 3; c++)
                            l.offset[c] = UV_PARTS * floor(offsets[o] / l.unit / UV_PARTS *
                                                           (test_random_below(&l.random, 2) ? -0.7 : 0.9));
                        int u = kind == GRAZE_VF ? vf_places[p].u : ee_places[p].u;
                        int v = kind == GRAZE_VF ? vf_places[p].v : ee_places[p].v;
                        graze_query query = make_contact(&l, kind, times[k], u, v);
                        made++;
                        CHECK_QUERY(touches(kind, &query, times[k], u, v), kind, &query);
                        double contact = (double)times[k] / T_PARTS;
                        graze_result result;
                        options.t_max = 1;
                        CHECK(graze_ccd(kind, &query, &options, &result) == GRAZE_OK);
                        CHECK_QUERY(result.verdict != GRAZE_CLEAR, kind, &query);
                        CHECK_QUERY(result.toi <= contact, kind, &query);
                        if (contact == 0) continue;
                        options.t_max = contact; /* the contact is the last moment looked at */
                        CHECK(graze_ccd(kind, &query, &options, &result) == GRAZE_OK);
                        CHECK_QUERY(result.verdict != GRAZE_CLEAR, kind, &query);
                    }
    return made;
}

TEST(vf_exact_contacts_are_never_missed) { printf("    %zu contacts\n", run_family(GRAZE_VF, 4)); }

TEST(ee_exact_contacts_are_never_missed) { printf("    %zu contacts\n", run_family(GRAZE_EE, 4)); }

/* A double of about the given size whose lowest bits are clear, so that 7 times it is one, too. */
static double with_room(test_random *random, double size) {
    double x = size * test_random_between(random, 0.5, 1);
    double unit = ldexp(1, ilogb(x) - 48);
    return floor(x / unit) * unit * (test_random_below(random, 2) ? 1 : -1);
}

/* The lattice makes most of the arithmetic exact by chance. Here nothing is: the first point of A goes from j·s to
   (8−j)·b and the first of B from j·b to (8−j)·s, s small and b big. They meet at t = j/8, exactly, but s − b needs
   more bits than a double has. The other points are anywhere. */
static graze_query make_rounding_contact(test_random *random, graze_kind kind, double size, int j) {
    graze_query query;
    int first_of_b = kind == GRAZE_VF ? 1 : 2;
    for (int axis = 0; axis < 3; axis++) {
        double big = with_room(random, size),
               small = with_room(random, ldexp(size, -1 - (int)test_random_below(random, 40)));
        for (int i = 0; i < 4; i++) {
            query.x0[i][axis] = size * test_random_between(random, -7, 7);
            query.x1[i][axis] = size * test_random_between(random, -7, 7);
        }
        query.x0[0][axis] = j * small;
        query.x1[0][axis] = (T_PARTS - j) * big;
        query.x0[first_of_b][axis] = j * big;
        query.x1[first_of_b][axis] = (T_PARTS - j) * small;
    }
    return query;
}

TEST(exact_contacts_that_round_in_every_operation_are_never_missed) {
    static const double sizes[] = {1e-6, 1e-3, 1, 30, 100, 1e3, 1e4, 1e5, 1e7};
    graze_options options = graze_default_options();
    options.method = GRAZE_METHOD_TI;
    test_random random = {.state = 99};
    for (int n = 0; n < 20000; n++) {
        graze_kind kind = n % 2 ? GRAZE_EE : GRAZE_VF;
        int j = 1 + (int)test_random_below(&random, T_PARTS - 1);
        double size = sizes[test_random_below(&random, sizeof sizes / sizeof *sizes)];
        graze_query query = make_rounding_contact(&random, kind, size, j);
        if (n % 10 == 0) CHECK_QUERY(touches(kind, &query, j, 0, 0), kind, &query);
        graze_result result;
        CHECK(graze_ccd(kind, &query, &options, &result) == GRAZE_OK);
        CHECK_QUERY(result.verdict != GRAZE_CLEAR && result.toi <= (double)j / T_PARTS, kind, &query);
    }
}

TEST(exact_contacts_survive_every_reordering_of_the_points) {
    static const int orders[2][6][4] = {
        {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 1, 3, 2}, {0, 3, 2, 1}, {0, 2, 1, 3}},
        {{0, 1, 2, 3}, {1, 0, 2, 3}, {0, 1, 3, 2}, {2, 3, 0, 1}, {3, 2, 0, 1}, {3, 2, 1, 0}}};
    graze_options options = graze_default_options();
    options.method = GRAZE_METHOD_TI;
    for (int n = 0; n < 1200; n++) {
        graze_kind kind = n % 2 ? GRAZE_EE : GRAZE_VF;
        lattice l = {.unit = ldexp(1, -47 + n % 7), .reach = 0x1p53 / 3, .random = {.state = 77u + (uint64_t)n}};
        int t = (int)test_random_below(&l.random, T_PARTS + 1), u = (int)test_random_below(&l.random, UV_PARTS + 1);
        int v = (int)test_random_below(&l.random, kind == GRAZE_VF ? (uint64_t)(UV_PARTS + 1 - u) : UV_PARTS + 1);
        graze_query query = make_contact(&l, kind, t, u, v), moved;
        for (int order = 0; order < 6; order++) {
            for (int i = 0; i < 4; i++) {
                memcpy(moved.x0[i], query.x0[orders[n % 2][order][i]], sizeof moved.x0[i]);
                memcpy(moved.x1[i], query.x1[orders[n % 2][order][i]], sizeof moved.x1[i]);
            }
            graze_result result;
            CHECK(graze_ccd(kind, &moved, &options, &result) == GRAZE_OK);
            CHECK_QUERY(result.verdict != GRAZE_CLEAR && result.toi <= (double)t / T_PARTS, kind, &moved);
        }
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
