/* Handcrafted queries: each family has what its name promises, shown in exact rationals. */
#include "check.h"

#include "scenes/handcraft.h"

#include <gmp.h>

/* ---- exact geometry at one time, on rationals ---- */

typedef struct vec {
    mpq_t c[3];
} vec;

static void vec_init(vec *a) {
    for (int k = 0; k < 3; k++) mpq_init(a->c[k]);
}
static void vec_clear(vec *a) {
    for (int k = 0; k < 3; k++) mpq_clear(a->c[k]);
}
static void minus(vec *out, const vec *a, const vec *b) {
    for (int k = 0; k < 3; k++) mpq_sub(out->c[k], a->c[k], b->c[k]);
}
static void cross(vec *out, const vec *a, const vec *b) {
    mpq_t left, right;
    mpq_inits(left, right, NULL);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        mpq_mul(left, a->c[i], b->c[j]);
        mpq_mul(right, a->c[j], b->c[i]);
        mpq_sub(out->c[k], left, right);
    }
    mpq_clears(left, right, NULL);
}
static void dot(mpq_t out, const vec *a, const vec *b) {
    mpq_t part, sum;
    mpq_inits(part, sum, NULL);
    for (int k = 0; k < 3; k++) {
        mpq_mul(part, a->c[k], b->c[k]);
        mpq_add(sum, sum, part);
    }
    mpq_set(out, sum);
    mpq_clears(part, sum, NULL);
}
static bool is_zero(const vec *a) { return !mpq_sgn(a->c[0]) && !mpq_sgn(a->c[1]) && !mpq_sgn(a->c[2]); }

/* The four points at t. */
static void points_at(const graze_query *query, const mpq_t t, vec x[4]) {
    mpq_t end;
    mpq_init(end);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            mpq_set_d(x[i].c[k], query->x0[i][k]);
            mpq_set_d(end, query->x1[i][k]);
            mpq_sub(end, end, x[i].c[k]);
            mpq_mul(end, end, t);
            mpq_add(x[i].c[k], x[i].c[k], end);
        }
    mpq_clear(end);
}

static bool point_on_segment(const vec *p, const vec *a, const vec *b) {
    vec q, e, n;
    mpq_t along, length;
    vec_init(&q);
    vec_init(&e);
    vec_init(&n);
    mpq_inits(along, length, NULL);
    minus(&q, p, a);
    minus(&e, b, a);
    cross(&n, &q, &e);
    dot(along, &q, &e);
    dot(length, &e, &e);
    bool on = is_zero(&e) ? is_zero(&q) : is_zero(&n) && mpq_sgn(along) >= 0 && mpq_cmp(along, length) <= 0;
    vec_clear(&q);
    vec_clear(&e);
    vec_clear(&n);
    mpq_clears(along, length, NULL);
    return on;
}

typedef struct moment {
    vec x[4], e1, e2, q, n, s;
    mpq_t f, first, second, square, t;
} moment;

static void moment_init(moment *m) {
    for (int i = 0; i < 4; i++) vec_init(&m->x[i]);
    vec_init(&m->e1);
    vec_init(&m->e2);
    vec_init(&m->q);
    vec_init(&m->n);
    vec_init(&m->s);
    mpq_inits(m->f, m->first, m->second, m->square, m->t, NULL);
}
static void moment_clear(moment *m) {
    for (int i = 0; i < 4; i++) vec_clear(&m->x[i]);
    vec_clear(&m->e1);
    vec_clear(&m->e2);
    vec_clear(&m->q);
    vec_clear(&m->n);
    vec_clear(&m->s);
    mpq_clears(m->f, m->first, m->second, m->square, m->t, NULL);
}

/* Sets the points, e1, e2, q, n = e1 × e2 and f = ⟨n, q⟩ at m->t. */
static void moment_set(moment *m, graze_kind kind, const graze_query *query) {
    points_at(query, m->t, m->x);
    bool faces = kind == GRAZE_VF;
    minus(&m->e1, &m->x[faces ? 2 : 1], &m->x[faces ? 1 : 0]);
    minus(&m->e2, &m->x[3], &m->x[faces ? 1 : 2]);
    minus(&m->q, &m->x[faces ? 0 : 2], &m->x[faces ? 1 : 0]);
    cross(&m->n, &m->e1, &m->e2);
    dot(m->f, &m->n, &m->q);
}

/* Do the closed primitives meet at m->t? */
static bool moment_touches(moment *m, graze_kind kind, const graze_query *query) {
    moment_set(m, kind, query);
    if (mpq_sgn(m->f) != 0) return false;
    const vec *x = m->x;
    if (is_zero(&m->n)) {
        if (kind == GRAZE_VF)
            return point_on_segment(&x[0], &x[1], &x[2]) || point_on_segment(&x[0], &x[2], &x[3]) ||
                   point_on_segment(&x[0], &x[3], &x[1]);
        return point_on_segment(&x[0], &x[2], &x[3]) || point_on_segment(&x[1], &x[2], &x[3]) ||
               point_on_segment(&x[2], &x[0], &x[1]) || point_on_segment(&x[3], &x[0], &x[1]);
    }
    dot(m->square, &m->n, &m->n);
    cross(&m->s, &m->q, &m->e2);
    dot(m->first, &m->s, &m->n);
    if (kind == GRAZE_VF)
        cross(&m->s, &m->e1, &m->q);
    else
        cross(&m->s, &m->q, &m->e1);
    dot(m->second, &m->s, &m->n);
    if (mpq_sgn(m->first) < 0 || mpq_sgn(m->second) < 0) return false;
    if (kind == GRAZE_EE) return mpq_cmp(m->first, m->square) <= 0 && mpq_cmp(m->second, m->square) <= 0;
    mpq_add(m->first, m->first, m->second);
    return mpq_cmp(m->first, m->square) <= 0;
}

/* ---- the tests ---- */

enum { COUNT = 120 };
static const graze_kind kinds[2] = {GRAZE_VF, GRAZE_EE};

static bool is_family(const handcraft_family *family, const char *name) { return strcmp(family->name, name) == 0; }

TEST(every_query_is_finite_in_range_and_the_same_for_the_same_seed) {
    size_t families = 0;
    for (; handcraft_get(families); families++) {
        const handcraft_family *family = handcraft_get(families);
        CHECK(handcraft_find(family->name) == family && family->value_count > 0);
        for (int k = 0; k < 2; k++) {
            static graze_query a[COUNT], b[COUNT], other[COUNT];
            CHECK(handcraft_generate(family->name, kinds[k], 5, a, COUNT) == COUNT);
            CHECK(handcraft_generate(family->name, kinds[k], 5, b, COUNT) == COUNT);
            CHECK(handcraft_generate(family->name, kinds[k], 6, other, COUNT) == COUNT);
            CHECK_MSG(memcmp(a, b, sizeof a) == 0, "%s", family->name);
            CHECK_MSG(memcmp(a, other, sizeof a) != 0, "%s", family->name);
            for (int i = 0; i < COUNT; i++)
                for (int p = 0; p < 12; p++) {
                    double x0 = a[i].x0[p / 3][p % 3], x1 = a[i].x1[p / 3][p % 3];
                    CHECK_QUERY(fabs(x0) <= GRAZE_MAX_COORDINATE && fabs(x1) <= GRAZE_MAX_COORDINATE, kinds[k], &a[i]);
                }
        }
    }
    CHECK(families >= 25);
    graze_query none;
    CHECK(handcraft_generate("no-such-family", GRAZE_VF, 1, &none, 1) == 0);
    CHECK(handcraft_generate("inside", GRAZE_PP, 1, &none, 1) == 0);
}

TEST(contacts_are_exact_at_the_time_that_the_family_names) {
    static const char *const names[] = {"inside", "point-edge", "vertex-vertex", "point-point", "graze"};
    moment m;
    moment_init(&m);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (int k = 0; k < 2; k++)
            for (uint64_t i = 0; i < COUNT; i++) {
                const handcraft_family *family = handcraft_find(names[n]);
                graze_query query;
                CHECK(handcraft_make(family, kinds[k], 3, i, &query) == HANDCRAFT_TOUCHES);
                mpq_set_d(m.t, family->values[i % family->value_count]);
                CHECK_QUERY(moment_touches(&m, kinds[k], &query), kinds[k], &query);
            }
    moment_clear(&m);
}

TEST(contacts_of_every_family_that_promises_one_are_exact_at_an_eighth_of_the_step) {
    moment m;
    moment_init(&m);
    for (size_t n = 0; handcraft_get(n); n++) {
        const handcraft_family *family = handcraft_get(n);
        if (is_family(family, "near-contact") || family->separation > 0) continue; /* have their own tests */
        for (int k = 0; k < 2; k++)
            for (uint64_t i = 0; i < COUNT; i++) {
                graze_query query;
                handcraft_promise promise = handcraft_make(family, kinds[k], 11, i, &query);
                bool published = is_family(family, "hourglass") && family->values[i % family->value_count] == 0.1;
                if (promise == HANDCRAFT_OPEN) continue;
                bool touches = false;
                for (unsigned eighth = 0; eighth <= 8; eighth++) {
                    mpq_set_ui(m.t, eighth, 8);
                    mpq_canonicalize(m.t);
                    touches |= moment_touches(&m, kinds[k], &query);
                }
                if (published) { /* the height is the double 0.1, not 1/10, times a power of two */
                    mpq_set_d(m.t, query.x0[0][2] / query.x0[3][2]);
                    mpq_set_d(m.f, 1);
                    mpq_sub(m.t, m.f, m.t);
                    touches = moment_touches(&m, kinds[k], &query);
                }
                CHECK_QUERY(touches == (promise == HANDCRAFT_TOUCHES), kinds[k], &query);
                if (touches != (promise == HANDCRAFT_TOUCHES)) printf("      family %s\n", family->name);
            }
    }
    moment_clear(&m);
}

TEST(touching_at_the_start_or_the_end_happens_at_no_other_time) {
    moment m;
    mpq_t start, end;
    moment_init(&m);
    mpq_inits(start, end, NULL);
    for (int last = 0; last < 2; last++)
        for (int k = 0; k < 2; k++)
            for (uint64_t i = 0; i < COUNT; i++) {
                graze_query query;
                handcraft_make(handcraft_find(last ? "touch-end" : "touch-start"), kinds[k], 3, i, &query);
                mpq_set_ui(m.t, 0, 1);
                CHECK_QUERY(moment_touches(&m, kinds[k], &query) == !last, kinds[k], &query);
                mpq_set(start, m.f);
                mpq_set_ui(m.t, 1, 1);
                CHECK_QUERY(moment_touches(&m, kinds[k], &query) == last, kinds[k], &query);
                mpq_set(end, m.f);
                /* the only root: f is linear, which the values at thirds show of a cubic, and not zero throughout */
                for (unsigned third = 1; third < 3; third++) {
                    mpq_set_ui(m.t, third, 3);
                    moment_set(&m, kinds[k], &query);
                    mpq_sub(m.first, end, start);
                    mpq_mul(m.first, m.first, m.t);
                    mpq_add(m.first, m.first, start);
                    CHECK_QUERY(mpq_equal(m.first, m.f) && mpq_sgn(m.f) != 0, kinds[k], &query);
                }
            }
    mpq_clears(start, end, NULL);
    moment_clear(&m);
}

TEST(grazing_volumes_are_a_square_times_a_constant) {
    moment m;
    mpq_t ratio, part;
    moment_init(&m);
    mpq_inits(ratio, part, NULL);
    const handcraft_family *family = handcraft_find("graze");
    for (int k = 0; k < 2; k++)
        for (uint64_t i = 0; i < COUNT; i++) {
            graze_query query;
            handcraft_make(family, kinds[k], 3, i, &query);
            for (unsigned sample = 0; sample < 5; sample++) { /* five places fix a cubic, with one to spare */
                mpq_set_ui(m.t, sample, 5);
                mpq_canonicalize(m.t);
                moment_set(&m, kinds[k], &query);
                mpq_set_d(part, family->values[i % family->value_count]);
                mpq_sub(part, m.t, part);
                mpq_mul(part, part, part);
                mpq_div(part, m.f, part);
                if (sample == 0) mpq_set(ratio, part);
                CHECK_QUERY(mpq_equal(ratio, part) && mpq_sgn(ratio) != 0, kinds[k], &query);
            }
        }
    mpq_clears(ratio, part, NULL);
    moment_clear(&m);
}

TEST(near_contacts_end_past_the_plane_or_short_of_it_as_the_sign_of_their_parameter_says) {
    moment m;
    mpq_t start, end;
    moment_init(&m);
    mpq_inits(start, end, NULL);
    const handcraft_family *family = handcraft_find("near-contact");
    for (int k = 0; k < 2; k++)
        for (uint64_t i = 0; i < COUNT; i++) {
            graze_query query;
            handcraft_promise promise = handcraft_make(family, kinds[k], 3, i, &query);
            CHECK((promise == HANDCRAFT_TOUCHES) == (family->values[i % family->value_count] > 0));
            mpq_set_ui(m.t, 0, 1);
            moment_set(&m, kinds[k], &query);
            mpq_set(start, m.f);
            mpq_set_ui(m.t, 1, 1);
            moment_set(&m, kinds[k], &query);
            mpq_set(end, m.f);
            int product = mpq_sgn(start) * mpq_sgn(end);
            CHECK_QUERY(product == (promise == HANDCRAFT_TOUCHES ? -1 : 1), kinds[k], &query);
            if (kinds[k] == GRAZE_VF && product < 0) { /* a rigid face: f is linear, its root exact */
                mpq_sub(end, start, end);
                mpq_div(m.t, start, end);
                CHECK_QUERY(moment_touches(&m, kinds[k], &query), kinds[k], &query);
            }
        }
    mpq_clears(start, end, NULL);
    moment_clear(&m);
}

TEST(many_roots_are_as_many_changes_of_sign_with_a_contact_between) {
    moment m;
    moment_init(&m);
    const handcraft_family *family = handcraft_find("many-roots");
    for (int k = 0; k < 2; k++)
        for (uint64_t i = 0; i < COUNT; i++) {
            graze_query query;
            handcraft_make(family, kinds[k], 3, i, &query);
            int changes = 0, last = 0;
            for (unsigned step = 0; step <= 64; step++) {
                mpq_set_ui(m.t, step, 64);
                mpq_canonicalize(m.t);
                moment_set(&m, kinds[k], &query);
                int now = mpq_sgn(m.f);
                changes += last * now < 0;
                if (now) last = now;
            }
            CHECK_QUERY(changes == (int)family->values[i % family->value_count], kinds[k], &query);
        }
    moment_clear(&m);
}

TEST(degenerate_families_are_degenerate_always_or_once) {
    moment m;
    moment_init(&m);
    for (int k = 0; k < 2; k++)
        for (uint64_t i = 0; i < COUNT; i++) {
            static const char *const names[] = {"degenerate-always", "degenerate-once", "collinear", "coplanar"};
            for (int n = 0; n < 4; n++) {
                graze_query query;
                handcraft_make(handcraft_find(names[n]), kinds[k], 3, i, &query);
                int flat = 0, zero = 0;
                for (unsigned eighth = 0; eighth <= 8; eighth++) {
                    mpq_set_ui(m.t, eighth, 8);
                    mpq_canonicalize(m.t);
                    moment_set(&m, kinds[k], &query);
                    flat += is_zero(&m.n);
                    zero += mpq_sgn(m.f) == 0;
                }
                /* e1 × e2 has degree 2: more than two zeros are all of them */
                if (n == 0 || n == 2) CHECK_QUERY(flat == 9, kinds[k], &query);
                if (n == 1) CHECK_QUERY(flat == 1 || flat == 2, kinds[k], &query);
                if (n == 3) CHECK_QUERY(zero == 9, kinds[k], &query);
            }
        }
    moment_clear(&m);
}

/* True if two rows are the same point for all time. */
static int together(const graze_query *query, int i, int j) {
    return memcmp(query->x0[i], query->x0[j], sizeof query->x0[i]) == 0 &&
           memcmp(query->x1[i], query->x1[j], sizeof query->x1[i]) == 0;
}

TEST(variants_collapse_the_points_that_they_say) {
    for (uint64_t i = 0; i < COUNT; i++) {
        graze_query face, edges;
        int variant = (int)(i % 3);
        handcraft_make(handcraft_find("degenerate-always"), GRAZE_VF, 3, i, &face);
        handcraft_make(handcraft_find("degenerate-always"), GRAZE_EE, 3, i, &edges);
        int corners = together(&face, 1, 2) + together(&face, 2, 3) + together(&face, 3, 1);
        CHECK_QUERY(corners == (variant == 0 ? 1 : variant == 1 ? 0 : 3), GRAZE_VF, &face);
        CHECK_QUERY(together(&edges, 0, 1) == (variant != 1), GRAZE_EE, &edges);
        CHECK_QUERY(together(&edges, 2, 3) == (variant != 0), GRAZE_EE, &edges);
        handcraft_make(handcraft_find("identical"), GRAZE_VF, 3, i, &face);
        handcraft_make(handcraft_find("identical"), GRAZE_EE, 3, i, &edges);
        CHECK_QUERY(together(&face, 0, 1) && together(&face, 0, 2) + together(&face, 0, 3) == variant, GRAZE_VF, &face);
        CHECK_QUERY(together(&edges, 0, 2) && together(&edges, 0, 1) + together(&edges, 0, 3) == variant, GRAZE_EE,
                    &edges);
    }
}

static bool oracle_says(graze_kind kind, const graze_query *query, double separation, double *lower, double *upper,
                        int *contacts) {
    graze_truth_options options = graze_default_truth_options();
    options.min_separation = separation;
    graze_truth *truth;
    *lower = *upper = NAN;
    *contacts = 0;
    CHECK_QUERY(graze_truth_find(NULL, kind, query, &options, &truth) == GRAZE_OK, kind, query);
    if (!truth) return false;
    bool hit = graze_truth_hit(truth);
    graze_truth_bracket(truth, lower, upper);
    *contacts = graze_truth_contact_count(truth);
    graze_truth_destroy(NULL, truth);
    return hit;
}

TEST(the_oracle_agrees_with_every_promise) {
    for (size_t n = 0; handcraft_get(n); n++) {
        const handcraft_family *family = handcraft_get(n);
        for (int k = 0; k < 2; k++)
            for (uint64_t i = 0; i < COUNT; i++) {
                graze_query query;
                handcraft_promise promise = handcraft_make(family, kinds[k], 17, i, &query);
                double lower, upper;
                int contacts;
                bool hit = oracle_says(kinds[k], &query, family->separation, &lower, &upper, &contacts);
                if (promise != HANDCRAFT_OPEN) CHECK_QUERY(hit == (promise == HANDCRAFT_TOUCHES), kinds[k], &query);
                if (is_family(family, "touch-start") || is_family(family, "identical"))
                    CHECK_QUERY(lower == 0 && upper == 0, kinds[k], &query);
                if (is_family(family, "touch-end"))
                    CHECK_QUERY(lower == 1 && upper == 1 && contacts == 1, kinds[k], &query);
                if (is_family(family, "graze")) CHECK_QUERY(contacts >= 2, kinds[k], &query);
                if (is_family(family, "many-roots"))
                    CHECK_QUERY(contacts == (int)family->values[i % family->value_count], kinds[k], &query);
            }
    }
}

TEST(certified_and_exact_leave_no_family_open_with_and_without_a_separation) {
    graze_context *context = NULL;
    CHECK(graze_context_create(NULL, &context) == GRAZE_OK);
    const handcraft_family *family;
    for (size_t f = 0; (family = handcraft_get(f)); f++) {
        const double separations[] = {family->separation, 1e-2, 1e-16};
        for (int kind = 0; kind < 2; kind++)
            for (uint64_t i = 0; i < 60; i++) {
                graze_query query;
                handcraft_make(family, kinds[kind], 2, i, &query);
                /* with a separation only some: the wider the exponents, the longer the integers */
                for (int d = 0; d < (i < 12 ? 3 : 1); d++) {
                    graze_truth_options ask = graze_default_truth_options();
                    ask.min_separation = separations[d];
                    graze_truth *truth;
                    CHECK(graze_truth_find(context, kinds[kind], &query, &ask, &truth) == GRAZE_OK);
                    graze_options options = graze_default_options();
                    options.min_separation = separations[d];
                    graze_result result;
                    options.method = GRAZE_METHOD_EXACT;
                    CHECK(graze_ccd_batch(context, kinds[kind], &query, 1, &options, &result) == GRAZE_OK);
                    graze_verdict verdict = graze_truth_hit(truth) ? GRAZE_HIT : GRAZE_CLEAR;
                    CHECK_MSG(result.verdict == verdict, "%s %d: exact says %d", family->name, (int)i, result.verdict);
                    options.method = GRAZE_METHOD_CERTIFIED;
                    CHECK(graze_ccd_batch(context, kinds[kind], &query, 1, &options, &result) == GRAZE_OK);
                    CHECK_MSG(result.verdict != GRAZE_UNRESOLVED, "%s %d: certified is open, separation %g",
                              family->name, (int)i, separations[d]);
                    CHECK(result.verdict == GRAZE_HIT || verdict == GRAZE_CLEAR);
                    CHECK_QUERY(verdict == GRAZE_CLEAR || graze_truth_compare(truth, result.toi) <= 0, kinds[kind],
                                &query);
                    graze_truth_destroy(context, truth);
                }
            }
    }
    graze_context_destroy(context);
}

/* Squared, at an eighth of the step: of the corners that the construction brings above each other. */
static bool within_half(moment *m, graze_kind kind, const graze_query *query) {
    bool within = false;
    for (unsigned eighth = 0; eighth <= 8 && !within; eighth++) {
        mpq_set_ui(m->t, eighth, 8);
        mpq_canonicalize(m->t);
        points_at(query, m->t, m->x);
        minus(&m->q, &m->x[kind == GRAZE_VF ? 1 : 2], &m->x[0]);
        dot(m->square, &m->q, &m->q);
        within = mpq_cmp_ui(m->square, 1, 4) <= 0;
    }
    return within;
}

/* All of B is ahead of all of A by more than that along an axis, at both ends and so between. Differences are exact. */
static bool beyond_half(graze_kind kind, const graze_query *query) {
    int b = kind == GRAZE_VF ? 1 : 2;
    for (int axis = 0; axis < 6; axis++) {
        bool beyond = true;
        for (int i = 0; i < b; i++)
            for (int j = b; j < 4; j++) {
                double start = query->x0[j][axis / 2] - query->x0[i][axis / 2];
                double end = query->x1[j][axis / 2] - query->x1[i][axis / 2];
                beyond = beyond && (axis & 1 ? fmin(start, end) > 0.5 : fmax(start, end) < -0.5);
            }
        if (beyond) return true;
    }
    return false;
}

TEST(families_with_a_separation_touch_within_it_or_stay_beyond_as_they_promise) {
    moment m;
    moment_init(&m);
    size_t families = 0, touching = 0, apart = 0;
    for (size_t n = 0; handcraft_get(n); n++) {
        const handcraft_family *family = handcraft_get(n);
        families += family->separation > 0;
        for (int k = 0; k < 2 && family->separation > 0; k++)
            for (uint64_t i = 0; i < COUNT; i++) {
                graze_query query;
                bool touches = handcraft_make(family, kinds[k], 7, i, &query) == HANDCRAFT_TOUCHES;
                CHECK_QUERY(within_half(&m, kinds[k], &query) == touches, kinds[k], &query);
                CHECK_QUERY(beyond_half(kinds[k], &query) == !touches, kinds[k], &query);
                touching += touches;
                apart += !touches;
            }
    }
    CHECK(families == 3 && touching > 300 && apart > 100);
    moment_clear(&m);
}

/* Largest coordinate difference of two rows at the start or the end. */
static double length_of(const graze_query *query, int i, int j) {
    double length = 0;
    for (int c = 0; c < 3; c++)
        length = fmax(length, fmax(fabs(query->x0[i][c] - query->x0[j][c]), fabs(query->x1[i][c] - query->x1[j][c])));
    return length;
}

TEST(edges_of_the_families_of_sizes_are_as_short_as_they_say) {
    static const char *const names[] = {"short-edges", "needles", "tiny-apart"};
    for (int n = 0; n < 3; n++)
        for (uint64_t i = 0; i < COUNT; i++) {
            const handcraft_family *family = handcraft_find(names[n]);
            graze_query query;
            handcraft_make(family, GRAZE_VF, 7, i, &query);
            int a = ilogb(length_of(&query, 1, 2)), b = ilogb(length_of(&query, 1, 3));
            int value = (int)family->values[i % family->value_count];
            int wanted = n == 2 ? 2 * value : value; /* the product, and a factor of up to 8 for each edge */
            CHECK_QUERY(-(a + b) <= wanted && -(a + b) >= wanted - 8, GRAZE_VF, &query);
            if (n == 0) CHECK_QUERY(a >= 0 || b >= 0, GRAZE_VF, &query);
            if (n == 2) CHECK_QUERY(abs(a + value) <= 4 && abs(b + value) <= 4, GRAZE_VF, &query);
        }
}

TEST(near_misses_are_as_near_as_they_say_and_certified_clears_them) {
    const handcraft_family *family = handcraft_find("near-miss");
    for (int k = 0; k < 2; k++)
        for (uint64_t i = 0; i < 4 * COUNT; i++) {
            graze_query query;
            handcraft_make(family, kinds[k], 19, i, &query);
            graze_options options = graze_default_options();
            graze_result result;
            options.tolerance = 1e-30;
            CHECK(graze_ccd(kinds[k], &query, &options, &result) == GRAZE_OK);
            CHECK_QUERY(result.verdict == GRAZE_CLEAR, kinds[k], &query);
            options.method = GRAZE_METHOD_EXACT;
            options.min_separation = ldexp(64, -(int)family->values[i % family->value_count]); /* |n| is less */
            CHECK(graze_ccd(kinds[k], &query, &options, &result) == GRAZE_OK);
            CHECK_QUERY(result.verdict == GRAZE_HIT, kinds[k], &query);
        }
}

TEST(open_families_have_hits_and_misses) {
    static const char *const names[] = {"near-graze", "nudged", "lattice", "rounded", "random"};
    for (int n = 0; n < 5; n++)
        for (int k = 0; k < 2; k++) {
            int hits = 0;
            for (uint64_t i = 0; i < 4 * COUNT; i++) {
                graze_query query;
                double lower, upper;
                int contacts;
                handcraft_make(handcraft_find(names[n]), kinds[k], 17, i, &query);
                hits += oracle_says(kinds[k], &query, 0, &lower, &upper, &contacts);
            }
            CHECK_MSG(hits > 0 && hits < 4 * COUNT, "%s: %d hits", names[n], hits);
        }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
