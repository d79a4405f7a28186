/* The bounds that the failure-proof cubic test rests on (docs/numerics.md, section 6), against exact rationals. Built
   twice: for double, and from test_safe_numerics_f32.c for float. */
#include "check.h"
#include "rational_vector.h"
#include "safe_queries.h"

#include "compared/narrow/safe_kernel.h"

static void set(rational *a, vec v) { rational_set(a, v.x, v.y, v.z); }

/* Components in [−size, size]: often at the ends, often tiny, else anything. */
static vec some_vector(test_random *random, double size) {
    real x[3];
    double shrink = test_random_below(random, 3) ? 1 : ldexp(1, -(int)test_random_below(random, 30));
    for (int c = 0; c < 3; c++) {
        double unit = test_random_between(random, -1, 1);
        if (test_random_below(random, 3) == 0) unit = (unit > 0 ? 1 : -1) * (1 - 0x1p-10 * fabs(unit));
        x[c] = (real)(size * shrink * unit);
    }
    return (vec){x[0], x[1], x[2]};
}

/* A difference whose position and change stay within `size`, at t = 0, at t = 1 and between. */
static moving some_moving(test_random *random, double size) {
    vec x = some_vector(random, size), end = some_vector(random, size);
    vec v = vec_sub(end, x);
    /* velocities are bounded by B as well */
    if (vec_size(v) > 1) v = vec_scale(vec_sub(end, x), (real)(0.5 / size));
    return (moving){x, v};
}

static pair some_pair(test_random *random, graze_kind kind) {
    pair w = {.kind = kind, .end = 1, .k = tolerances_of(1, 1)};
    w.p = some_moving(random, 1);
    w.q = some_moving(random, 1);
    w.r = some_moving(random, 1);
    return w;
}

enum { P, PV, Q, QV, R, RV, CROSS, OTHER, PLACES };

typedef struct place {
    rational v[PLACES];
    mpq_t value;
} place;

static void place_init(place *e) {
    for (int i = 0; i < PLACES; i++) rational_init(&e->v[i]);
    mpq_init(e->value);
}
static void place_clear(place *e) {
    for (int i = 0; i < PLACES; i++) rational_clear(&e->v[i]);
    mpq_clear(e->value);
}
static void place_set(place *e, const pair *w) {
    set(&e->v[P], w->p.x);
    set(&e->v[PV], w->p.v);
    set(&e->v[Q], w->q.x);
    set(&e->v[QV], w->q.v);
    set(&e->v[R], w->r.x);
    set(&e->v[RV], w->r.v);
}
static void add_volume(place *e, int p, int q, int r) {
    rational_cross(&e->v[CROSS], &e->v[q], &e->v[r]);
    rational_add_dot(e->value, &e->v[p], &e->v[CROSS]);
}

static void check_error(const mpq_t exact, real value, double bound, double *worst) {
    double error = rational_error(exact, value) / EPS;
    if (error > *worst) *worst = error;
    CHECK_MSG(error <= bound, "error %g eps, bound %g eps", error, bound);
}

enum { ROUNDS = 4000 };

TEST(coefficients_of_the_cubic_err_within_their_bounds) {
    test_random random = {41};
    place e;
    place_init(&e);
    double outer = 0, inner = 0;
    for (int i = 0; i < ROUNDS; i++) {
        pair w = some_pair(&random, GRAZE_VF);
        cubic f = volume(&w);
        place_set(&e, &w);
        mpq_set_ui(e.value, 0, 1);
        add_volume(&e, PV, QV, RV);
        check_error(e.value, f.a, 15.1, &outer);
        mpq_set_ui(e.value, 0, 1);
        add_volume(&e, P, QV, RV);
        add_volume(&e, PV, Q, RV);
        add_volume(&e, PV, QV, R);
        check_error(e.value, f.b, 63.1, &inner);
        mpq_set_ui(e.value, 0, 1);
        add_volume(&e, P, Q, RV);
        add_volume(&e, P, QV, R);
        add_volume(&e, PV, Q, R);
        check_error(e.value, f.c, 63.1, &inner);
        mpq_set_ui(e.value, 0, 1);
        add_volume(&e, P, Q, R);
        check_error(e.value, f.d, 15.1, &outer);
    }
    CHECK(outer > 0.1 && inner > 0.1); /* the samples do strain it */
    place_clear(&e);
}

/* f(t) − value, exactly, as a double */
static double value_of(const cubic *f, double t) {
    mpq_t sum, s, c;
    mpq_inits(sum, s, c, NULL);
    mpq_set_d(s, t);
    const double coefficients[4] = {f->a, f->b, f->c, f->d};
    for (int i = 0; i < 4; i++) {
        mpq_mul(sum, sum, s);
        mpq_set_d(c, coefficients[i]);
        mpq_add(sum, sum, c);
    }
    double value = mpq_get_d(sum);
    mpq_clears(sum, s, c, NULL);
    return value;
}

TEST(values_of_the_cubic_err_within_their_bound) {
    test_random random = {43};
    for (int i = 0; i < ROUNDS; i++) {
        pair w = some_pair(&random, GRAZE_VF);
        cubic f = volume(&w);
        real t = (real)test_random_unit(&random);
        double error = fabs(value_of(&f, t) - cubic_value(&f, t)) / EPS;
        CHECK_MSG(error <= 93.2, "error %g eps", error);
    }
}

TEST(normals_and_weights_err_within_their_bounds) {
    test_random random = {47};
    place e;
    place_init(&e);
    rational p, q, r;
    rational_init(&p);
    rational_init(&q);
    rational_init(&r);
    double normal = 0, weight = 0, sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        pair w = some_pair(&random, i % 2 ? GRAZE_EE : GRAZE_VF);
        real t = (real)test_random_unit(&random);
        weights b = weights_at(&w, t);
        place_set(&e, &w);
        rational_along(&p, &e.v[P], t, &e.v[PV]);
        rational_along(&q, &e.v[Q], t, &e.v[QV]);
        rational_along(&r, &e.v[R], t, &e.v[RV]);
        rational_cross(&e.v[CROSS], &q, &r);
        check_error(e.v[CROSS].x[0], b.n.x, 6.06, &normal);
        check_error(e.v[CROSS].x[1], b.n.y, 6.06, &normal);
        check_error(e.v[CROSS].x[2], b.n.z, 6.06, &normal);
        mpq_t whole;
        mpq_init(whole);
        rational_add_dot(whole, &e.v[CROSS], &e.v[CROSS]);
        check_error(whole, b.whole, 90.2, &weight);
        rational_cross(&e.v[OTHER], &p, &r);
        mpq_set_ui(e.value, 0, 1);
        rational_add_dot(e.value, &e.v[CROSS], &e.v[OTHER]);
        check_error(e.value, b.u, 90.2, &weight);
        mpq_sub(whole, whole, e.value);
        if (w.kind == GRAZE_VF)
            rational_cross(&e.v[OTHER], &q, &p);
        else
            rational_cross(&e.v[OTHER], &p, &q);
        mpq_set_ui(e.value, 0, 1);
        rational_add_dot(e.value, &e.v[CROSS], &e.v[OTHER]);
        check_error(e.value, b.v, 90.2, &weight);
        mpq_sub(whole, whole, e.value);
        /* what the test compares: whole − (u + v), in the order of inside() and of candidate_is_empty() */
        check_error(whole, b.whole - (b.u + b.v), 283, &sum);
        check_error(whole, b.whole - b.u - b.v, 283, &sum);
        mpq_clear(whole);
    }
    CHECK(normal > 0.1 && weight > 0.1);
    rational_clear(&p);
    rational_clear(&q);
    rational_clear(&r);
    place_clear(&e);
}

TEST(vectors_stand_for_the_points_within_their_bound) {
    /* x + t·v against the exact difference of the moving points, both far from the origin and near */
    test_random random = {53};
    rational a, b, step;
    rational_init(&a);
    rational_init(&b);
    rational_init(&step);
    for (int i = 0; i < ROUNDS; i++) {
        graze_query wide;
        safe_query(&random, GRAZE_VF, i % SAFE_FAMILIES, &wide);
#ifdef GZ_SAFE_F32
        real_query query = to_float(&wide);
#else
        real_query query = wide;
#endif
        pair w = {.query = &query, .up = 1, .scale = 1};
        moving m = seen_from(&w, 2, 1);
        double bound = fmax(vec_size(m.x), fmax(vec_size(vec_add(m.x, m.v)), vec_size(m.v)));
        double t = test_random_unit(&random);
        rational_set(&a, query.x0[2][0], query.x0[2][1], query.x0[2][2]);
        rational_set(&b, query.x0[1][0], query.x0[1][1], query.x0[1][2]);
        rational_sub(&a, &a, &b);
        rational_set(&step, query.x1[2][0], query.x1[2][1], query.x1[2][2]);
        rational_set(&b, query.x1[1][0], query.x1[1][1], query.x1[1][2]);
        rational_sub(&b, &step, &b);
        rational_sub(&step, &b, &a);
        rational_along(&a, &a, t, &step); /* exact */
        set(&b, m.x);
        set(&step, m.v);
        rational_along(&b, &b, t, &step);
        rational_sub(&a, &a, &b);
        for (int c = 0; c < 3; c++) {
            double error = fabs(mpq_get_d(a.x[c])) / EPS;
            CHECK_MSG(error <= bound * (1 + 4 * EPS), "error %g eps, bound %g", error, bound);
        }
    }
    rational_clear(&a);
    rational_clear(&b);
    rational_clear(&step);
}

/* ---- the solvers ---- */

/* True when root p in [0, 1] has a computed root near it. */
static bool root_is_found(double p, const real *roots, int count) {
    for (int i = 0; i < count; i++)
        if (fabs(roots[i] - p) <= 5.4 * sqrt(EPS / 2)) return true;
    return false;
}

TEST(roots_of_quadratics_are_found) {
    test_random random = {59};
    mpf_t a, h, c, square, p;
    mpf_set_default_prec(512);
    mpf_inits(a, h, c, square, p, NULL);
    int doubles = 0;
    for (int i = 0; i < 40000; i++) {
        real qa = (real)ldexp(test_random_between(&random, -1, 1), -(int)test_random_below(&random, 40));
        double r1 = test_random_unit(&random);
        double r2 = i % 2 ? r1 + ldexp(test_random_between(&random, -1, 1), -(int)test_random_below(&random, 60))
                          : test_random_between(&random, -10, 10);
        real qh = (real)(-qa * (r1 + r2) / 2), qc = (real)(qa * r1 * r2), roots[2];
        if (i % 8 == 5) qa = 0;
        int count = quadratic_roots(qa, qh, qc, roots);
        mpf_set_d(a, qa);
        mpf_set_d(h, qh);
        mpf_set_d(c, qc);
        mpf_mul(square, h, h);
        mpf_mul(p, a, c);
        mpf_sub(square, square, p);
        if (mpf_sgn(square) < 0) continue;
        mpf_sqrt(square, square);
        for (int sign = -1; sign <= 1; sign += 2) {
            if (qa != 0) {
                if (sign < 0)
                    mpf_neg(p, square);
                else
                    mpf_set(p, square);
                mpf_sub(p, p, h);
                mpf_div(p, p, a);
            } else if (qh != 0) {
                mpf_div(p, c, h);
                mpf_div_ui(p, p, 2);
                mpf_neg(p, p);
            } else {
                continue;
            }
            double root = mpf_get_d(p);
            if (root < 0 || root > 1) continue;
            doubles += fabs(r1 - r2) < 1e-5;
            CHECK_MSG(root_is_found(root, roots, count), "%a t2 + 2 %a t + %a, root %.17g", (double)qa, (double)qh,
                      (double)qc, root);
        }
    }
    CHECK(doubles > 1000);
    mpf_clears(a, h, c, square, p, NULL);
}

/* Largest |f| between two times: sampled, and at the computed extrema. */
static double largest_between(const cubic *f, double s, double t) {
    double largest = 0;
    for (int i = 0; i <= 24; i++) largest = fmax(largest, fabs(value_of(f, s + (t - s) * i / 24)));
    real extrema[2];
    int count = quadratic_roots(3 * f->a, f->b, f->c, extrema);
    for (int i = 0; i < count; i++)
        if ((extrema[i] > s) != (extrema[i] > t)) largest = fmax(largest, fabs(value_of(f, extrema[i])));
    return largest;
}

TEST(every_near_zero_of_a_cubic_leads_to_a_candidate) {
    test_random random = {61};
    const double zero = 175 * EPS;
    int starts = 0;
    for (int i = 0; i < 6000; i++) {
        /* the least that the proof allows, and what is used */
        const double mu = i % 2 ? 273 * EPS : tolerances_of(1, 1).mu;
        /* up to three roots, often close to each other, often nearly touched only */
        double r[3], size = ldexp(1, -(int)test_random_below(&random, 30));
        for (int k = 0; k < 3; k++) r[k] = test_random_between(&random, -0.2, 1.2);
        for (int k = 1; k < 3; k++)
            if (test_random_below(&random, 2))
                r[k] = r[k - 1] + ldexp(test_random_between(&random, -1, 1), -(int)test_random_below(&random, 30));
        double lift = test_random_below(&random, 2) ? 0 : test_random_between(&random, -400, 400) * EPS;
        cubic f = {(real)size, (real)(-size * (r[0] + r[1] + r[2])),
                   (real)(size * (r[0] * r[1] + r[1] * r[2] + r[0] * r[2])), (real)(-size * r[0] * r[1] * r[2] + lift)};
        real end = test_random_below(&random, 2) ? 1 : (real)test_random_between(&random, 0.3, 1);
        real candidates[CUBIC_CANDIDATES];
        int count = cubic_candidates(&f, end, (real)mu, candidates);
        for (int k = 0; k < 12; k++) {
            double t = r[k % 3] +
                       (k < 3 ? 0 : ldexp(test_random_between(&random, -1, 1), -(int)test_random_below(&random, 50)));
            if (k >= 9) t = test_random_unit(&random);
            if (!(t >= 0 && t <= end) || fabs(value_of(&f, t)) > zero) continue;
            starts++;
            bool found = false;
            for (int j = 0; j < count && !found; j++) found = largest_between(&f, t, candidates[j]) <= mu + 97 * EPS;
            CHECK_MSG(found, "%a t3 + %a t2 + %a t + %a at %.17g, %d candidates", (double)f.a, (double)f.b, (double)f.c,
                      (double)f.d, t, count);
        }
    }
    CHECK(starts > 3000);
}

/* ---- vertex–edge and vertex–vertex ---- */

static vec direction(test_random *random) {
    for (;;) {
        vec v = {(real)test_random_between(random, -1, 1), (real)test_random_between(random, -1, 1),
                 (real)test_random_between(random, -1, 1)};
        real length = real_sqrt(vec_dot(v, v));
        if (length > 0.1f && length <= 1) return vec_scale(v, 1 / length);
    }
}

/* A velocity that keeps x + (s − t)·v within `size` for all s in [0, 1], often slow. */
static vec some_velocity(test_random *random, vec x, double size) {
    vec v = vec_scale(direction(random), (real)ldexp(1, -(int)test_random_below(random, 20)));
    double room = size - vec_size(x);
    return vec_size(v) > room ? vec_scale(v, (real)(room / vec_size(v))) : v;
}

TEST(every_vertex_within_R_of_an_edge_is_seen) {
    test_random random = {67};
    const tolerances k = tolerances_of(1, 1);
    for (int i = 0; i < 100000; i++) {
        real t = i % 16 ? (real)test_random_unit(&random) : 0;
        vec e = vec_scale(direction(&random), (real)(0.9 * ldexp(1, -(int)test_random_below(&random, 12))));
        vec away = direction(&random);
        real part = i % 3 ? (real)test_random_unit(&random) : 0,
             distance = (real)(0.99 * test_random_unit(&random)) * 6 * EPS_1_4; /* R */
        vec q = vec_add(vec_scale(e, part), vec_scale(away, distance));
        vec ve = some_velocity(&random, e, 1), vq = some_velocity(&random, q, 1);
        moving edge = {vec_sub(e, vec_scale(ve, t)), ve}, vertex = {vec_sub(q, vec_scale(vq, t)), vq};
        moving other = {vec_sub(vertex.x, edge.x), vec_sub(vertex.v, edge.v)};
        real time;
        bool seen = vertex_edge(&vertex, &edge, &other, &k, 1, &time);
        CHECK_MSG(seen, "q %a %a %a + t %a %a %a, e %a %a %a + t %a %a %a at %g", (double)vertex.x.x,
                  (double)vertex.x.y, (double)vertex.x.z, (double)vq.x, (double)vq.y, (double)vq.z, (double)edge.x.x,
                  (double)edge.x.y, (double)edge.x.z, (double)ve.x, (double)ve.y, (double)ve.z, (double)t);
    }
}

TEST(the_vertex_edge_function_alone_sees_long_edges) {
    /* with the ends of the edge far away, the vertex–vertex tests cannot help: each candidate counts */
    test_random random = {71};
    const tolerances k = tolerances_of(1, 1);
    for (int i = 0; i < 100000; i++) {
        real t = (real)test_random_unit(&random), part = (real)test_random_between(&random, 0.2, 0.8);
        vec e = vec_scale(direction(&random), (real)0.95), away = direction(&random);
        real distance = (real)(0.99 * test_random_unit(&random)) * 6 * EPS_1_4;
        vec q = vec_add(vec_scale(e, part), vec_scale(away, distance));
        vec ve = some_velocity(&random, e, 1), vq = some_velocity(&random, q, 1);
        moving edge = {vec_sub(e, vec_scale(ve, t)), ve}, vertex = {vec_sub(q, vec_scale(vq, t)), vq};
        moving far = {.x = {1, 1, 1}};
        real time;
        bool near_end = vertex_vertex(&vertex, k.squared, 1, &time);
        moving other = {vec_sub(vertex.x, edge.x), vec_sub(vertex.v, edge.v)};
        near_end = near_end || vertex_vertex(&other, k.squared, 1, &time);
        CHECK(near_end || vertex_edge(&vertex, &edge, &far, &k, 1, &time));
    }
}

/* A rotation after which no two components of the edge below agree at the closest time. */
static vec turned(double x, double y) {
    return (vec){(real)((2 * x + 3 * y) / 7), (real)((3 * x - 6 * y) / 7), (real)((6 * x + 2 * y) / 7)};
}

TEST(an_approach_that_crosses_no_plane_of_the_edge_is_seen) {
    /* in the plane, with s = t − 1/2: the edge (0.9, s), the vertex (0.45 − s, near + s/2). q × e = −0.9 near − s² has
       no zero; it is least where the quadratic is, and the ends of the edge are far away then */
    const tolerances k = tolerances_of(1, 1);
    for (int i = 0; i < 100; i++) {
        double near = 6 * EPS_1_4 * (i + 1) / 102;
        moving e = {turned(0.9, -0.5), turned(0, 1)}, q = {turned(0.95, near - 0.25), turned(-1, 0.5)};
        moving far = {.x = {1, 1, 1}};
        real time;
        CHECK_MSG(vertex_edge(&q, &e, &far, &k, 1, &time), "distance %g", near);
    }
}

TEST(every_vertex_within_D_of_a_vertex_is_seen) {
    test_random random = {73};
    const tolerances k = tolerances_of(1, 1);
    for (int i = 0; i < 50000; i++) {
        real t = (real)test_random_unit(&random);
        vec q = vec_scale(direction(&random), (real)(31.1 * EPS_1_4 * test_random_unit(&random)));
        vec v = some_velocity(&random, q, 1);
        moving m = {vec_sub(q, vec_scale(v, t)), v};
        real time;
        CHECK(vertex_vertex(&m, k.squared, 1, &time));
    }
}

/* ---- planes ---- */

TEST(gaps_along_a_direction_err_within_their_slack) {
    test_random random = {79};
    for (int i = 0; i < ROUNDS; i++) {
        graze_kind kind = i % 2 ? GRAZE_EE : GRAZE_VF;
        graze_query wide;
        safe_query(&random, kind, (i / 2) % SAFE_FAMILIES, &wide);
#ifdef GZ_SAFE_F32
        real_query query = to_float(&wide);
#else
        real_query query = wide;
#endif
        differences d;
        take_differences(kind, &query, &d);
        real end = i % 3 ? (real)test_random_unit(&random) : 1;
        cut_at(&d, end);
        vec n = some_vector(&random, 1);
        real gap[2][GAPS], slack = gap_slack(&d, n);
        gaps_along(&d, 0, n, gap[0]);
        gaps_along(&d, 1, n, gap[1]);
        static const int vf[3][2] = {{0, 1}, {0, 2}, {0, 3}}, ee[4][2] = {{2, 0}, {2, 1}, {3, 0}, {3, 1}};
        for (int at = 0; at < 2; at++)
            for (int g = 0; g < (kind == GRAZE_EE ? 4 : 3); g++) {
                const int *rows = kind == GRAZE_EE ? ee[g] : vf[g];
                rational a, b, s;
                mpq_t dot;
                rational_init(&a);
                rational_init(&b);
                rational_init(&s);
                mpq_init(dot);
                const real *j0 = query.x0[rows[0]], *i0 = query.x0[rows[1]], *j1 = query.x1[rows[0]],
                           *i1 = query.x1[rows[1]];
                rational_set(&a, j0[0], j0[1], j0[2]);
                rational_set(&s, i0[0], i0[1], i0[2]);
                rational_sub(&a, &a, &s);
                rational_set(&b, j1[0], j1[1], j1[2]);
                rational_set(&s, i1[0], i1[1], i1[2]);
                rational_sub(&b, &b, &s);
                rational_sub(&b, &b, &a);
                rational_along(&a, &a, at ? end : 0, &b);
                set(&s, n);
                rational_add_dot(dot, &s, &a);
                CHECK_QUERY(rational_error(dot, gap[at][g]) <= slack, kind, &wide);
                mpq_clear(dot);
                rational_clear(&a);
                rational_clear(&b);
                rational_clear(&s);
            }
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
