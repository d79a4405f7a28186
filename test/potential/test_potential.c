/* Potentials of single contacts, against central differences of their formulas in 256 bits. */
#include "check.h"
#include "sim/differences.h"

typedef struct posed {
    graze_contact contact;
    graze_potential_options options;
} posed;

/* ---- formulas ---- */

static real point_line(vector p, vector a, vector b) {
    vector n = outer(between(a, p), between(a, b));
    return over(inner(n, n), inner(between(a, b), between(a, b)));
}

static real point_segment(vector p, vector a, vector b) {
    vector e = between(a, b), q = between(a, p), r = between(b, p);
    real along = inner(q, e);
    if (!less(number(0), along)) return inner(q, q);
    return less(along, inner(e, e)) ? point_line(p, a, b) : inner(r, r);
}

static real least(real a, real b) { return less(a, b) ? a : b; }

/* ⟨n, q⟩²/|n|² where the parameters are inside (0, 1), or NULL. */
static real plane_distance(graze_kind kind, const vector x[4]) {
    bool vf = kind == GRAZE_VF;
    vector e1 = vf ? between(x[1], x[2]) : between(x[0], x[1]), e2 = vf ? between(x[1], x[3]) : between(x[2], x[3]);
    vector q = vf ? between(x[1], x[0]) : between(x[0], x[2]), n = outer(e1, e2);
    real whole = inner(n, n);
    real s = over(inner(outer(q, e2), n), whole), t = over(inner(vf ? outer(e1, q) : outer(q, e1), n), whole);
    bool inside = less(number(0), s) && less(number(0), t);
    inside &= vf ? less(plus(s, t), number(1)) : less(s, number(1)) && less(t, number(1));
    return inside ? over(square(inner(n, q)), whole) : NULL;
}

static real distance_formula(graze_kind kind, const vector x[4]) {
    if (kind == GRAZE_PP) return inner(between(x[0], x[1]), between(x[0], x[1]));
    if (kind == GRAZE_PE) return point_segment(x[0], x[1], x[2]);
    real inside = plane_distance(kind, x);
    if (inside) return inside;
    if (kind == GRAZE_VF) {
        real two = least(point_segment(x[0], x[1], x[2]), point_segment(x[0], x[2], x[3]));
        return least(two, point_segment(x[0], x[3], x[1]));
    }
    real first = least(point_segment(x[0], x[2], x[3]), point_segment(x[1], x[2], x[3]));
    return least(first, least(point_segment(x[2], x[0], x[1]), point_segment(x[3], x[0], x[1])));
}

static real contact_formula(const void *what, const vector x[4]) {
    const posed *p = what;
    real o = number(p->contact.offset), most = plus(o, number(p->options.distance));
    real d = minus(distance_formula(p->contact.kind, x), square(o)), reach = minus(square(most), square(o));
    if (!less(d, reach)) return number(0);
    real value = square(minus(d, reach));
    if (p->options.barrier == GRAZE_BARRIER_LOG) value = times(value, logarithm(over(reach, d)));
    value = times(value, times(number(p->options.stiffness), number(p->contact.multiplicity)));
    if (p->contact.parallel == 0) return value;
    vector n = outer(between(x[0], x[1]), between(x[2], x[3]));
    real c = over(inner(n, n), number(p->contact.parallel));
    return less(c, number(1)) ? times(value, times(c, minus(number(2), c))) : value;
}

/* ---- differences ---- */

/* The largest error of value, gradient and Hessian, each as a part of its largest entry. */
static double error_of(formula *f, const void *what, double x[4][3], const graze_term *term) {
    double g[12] = {0}, h[12][12] = {{0}}, off = 0;
    reals_forget();
    double value = value_of(shifted(f, what, x, 0, 0, 0, 0));
    for (int i = 0; i < term->rows; i++) {
        g[i] = slope(f, what, x, i);
        for (int j = 0; j <= i; j++) h[i][j] = h[j][i] = curvature(f, what, x, i, j);
    }
    double most = largest(g, 12), most_h = largest(&h[0][0], 144);
    off = fabs(term->value - value) / fabs(value);
    for (int i = 0; i < 12; i++) {
        off = fmax(off, fabs(term->gradient[i] - g[i]) / most);
        for (int j = 0; j < 12; j++) off = fmax(off, fabs(term->hessian[i][j] - h[i][j]) / most_h);
    }
    return off;
}

/* ---- contacts ---- */

static int rows_of(graze_kind kind) { return kind == GRAZE_PP ? 2 : kind == GRAZE_PE ? 3 : 4; }

static double sine(const double *a, const double *b, const double *c, const double *d) {
    double e[3], f[3], n = 0;
    for (int k = 0; k < 3; k++) e[k] = b[k] - a[k], f[k] = d[k] - c[k];
    for (int k = 0; k < 3; k++) {
        double part = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
        n += part * part;
    }
    double ee = e[0] * e[0] + e[1] * e[1] + e[2] * e[2], ff = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
    return ee > 0.04 && ff > 0.04 ? sqrt(n / (ee * ff)) : 0;
}

static bool is_plain(graze_kind kind, double x[4][3]) {
    if (kind == GRAZE_PP) return true;
    if (kind == GRAZE_PE) return sine(x[1], x[2], x[1], x[2]) == 0 && fabs(x[1][0] - x[2][0]) > 0.2;
    if (kind == GRAZE_EE) return sine(x[0], x[1], x[2], x[3]) > 0.01;
    return sine(x[1], x[2], x[1], x[3]) > 0.01 && sine(x[2], x[1], x[2], x[3]) > 0.01;
}

/* A pair of size about 1 whose distance is `part` of the reach; every closest feature occurs. */
static bool pose(test_random *random, graze_kind kind, posed *p, double part, double x[4][3]) {
    graze_distance_result d;
    for (int k = 0; k < 12; k++) x[k / 3][k % 3] = test_random_between(random, -1, 1);
    if (!is_plain(kind, x)) return false;
    CHECK(graze_distance(kind, (const double(*)[3])x, &d) == GRAZE_OK);
    if (!(d.value > 0.05)) return false;
    double wanted = p->contact.offset + part * p->options.distance, move = (wanted - d.value) / d.value;
    for (int i = 0; i < (kind == GRAZE_EE ? 2 : 1); i++)
        for (int c = 0; c < 3; c++) x[i][c] += move * d.vector[c];
    p->contact.kind = kind;
    for (uint32_t i = 0; i < 4; i++) p->contact.vertices[i] = i < (uint32_t)rows_of(kind) ? i : 0;
    return true;
}

static posed some_options(test_random *random, int n) {
    posed p = {.contact = {.multiplicity = 1}, .options = graze_default_potential_options()};
    p.options.distance = pow(10, test_random_between(random, -3, 0));
    p.options.barrier = n % 4 == 3 ? GRAZE_BARRIER_QUADRATIC : GRAZE_BARRIER_LOG;
    if (n % 5 == 2) p.contact.offset = pow(10, test_random_between(random, -3, -1));
    if (n % 3 == 1) p.contact.multiplicity = 3, p.options.stiffness = 1e4;
    return p;
}

static void compare_contacts(graze_kind kind, uint64_t seed) {
    test_random random = {seed};
    double worst = 0;
    int done = 0;
    for (int n = 0; n < 400 && done < 60; n++) {
        posed p = some_options(&random, n);
        double x[4][3], part = n % 7 == 0 ? 1 - pow(10, test_random_between(&random, -6, 0))
                                          : pow(10, test_random_between(&random, -3, 0));
        graze_term term;
        if (!pose(&random, kind, &p, part, x)) continue;
        CHECK(graze_contact_term(&p.contact, (const double(*)[3])x, &p.options, GRAZE_ORDER_HESSIAN, &term) ==
              GRAZE_OK);
        if (part > 1 - 1e-12 && term.rows == 0) continue;
        CHECK(term.rows == 3 * rows_of(kind));
        double off = error_of(contact_formula, &p, x, &term);
        CHECK_MSG(off <= 1e-12, "distance %g of %g, offset %g, barrier %d: off by %g", part * p.options.distance,
                  p.options.distance, p.contact.offset, (int)p.options.barrier, off);
        worst = fmax(worst, off);
        done++;
    }
    printf("      %s: largest error %.2g of the largest entry, %d contacts\n", test_kind_name(kind), worst, done);
    CHECK(done >= 30);
}

TEST(derivatives_of_a_vertex_and_a_face_are_within_1e_12) { compare_contacts(GRAZE_VF, 1); }
TEST(derivatives_of_two_edges_are_within_1e_12) { compare_contacts(GRAZE_EE, 2); }
TEST(derivatives_of_a_vertex_and_an_edge_are_within_1e_12) { compare_contacts(GRAZE_PE, 3); }
TEST(derivatives_of_two_vertices_are_within_1e_12) { compare_contacts(GRAZE_PP, 4); }

/* Edges at a small angle, inside of each other and beside. */
TEST(derivatives_of_edges_that_count_as_parallel_are_within_1e_12) {
    test_random random = {5};
    double worst = 0;
    int softened = 0;
    for (int n = 0; n < 300 && softened < 60; n++) {
        posed p = some_options(&random, n);
        double x[4][3], angle = pow(10, test_random_between(&random, -4, -1.4));
        graze_distance_result d;
        graze_term term;
        for (int c = 0; c < 3; c++) {
            x[0][c] = test_random_between(&random, -1, 1);
            x[1][c] = x[0][c] + (c == n % 3) + 0.3 * test_random_between(&random, -1, 1);
            x[2][c] = x[0][c] + 0.5 * test_random_between(&random, -1, 1);
            x[3][c] = x[2][c] + (x[1][c] - x[0][c]) * 0.8 + angle * test_random_between(&random, -1, 1);
        }
        CHECK(graze_distance(GRAZE_EE, (const double(*)[3])x, &d) == GRAZE_OK);
        double part = pow(10, test_random_between(&random, -3, 0));
        double move = (p.contact.offset + part * p.options.distance - d.value) / d.value;
        for (int k = 0; k < 6; k++) x[k / 3][k % 3] += move * d.vector[k % 3];
        p.contact = (graze_contact){.kind = GRAZE_EE,
                                    .vertices = {0, 1, 2, 3},
                                    .multiplicity = 1,
                                    .offset = p.contact.offset,
                                    .parallel = 2e-3};
        CHECK(graze_contact_term(&p.contact, (const double(*)[3])x, &p.options, GRAZE_ORDER_HESSIAN, &term) ==
              GRAZE_OK);
        double s = sine(x[0], x[1], x[2], x[3]);
        if (term.rows == 0 || s < 1e-4 || s > 0.03) continue;
        double off = error_of(contact_formula, &p, x, &term);
        CHECK_MSG(off <= 1e-12, "distance %g of %g, sine %g: off by %g", part * p.options.distance, p.options.distance,
                  s, off);
        worst = fmax(worst, off);
        softened++;
    }
    printf("      largest error %.2g of the largest entry, %d contacts\n", worst, softened);
    CHECK(softened >= 30);
}

TEST(parallel_edges_feel_no_barrier_and_their_derivatives_are_finite) {
    double x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0.2, 0.5, 0}, {1.2, 0.5, 0}};
    graze_contact contact = {.kind = GRAZE_EE, .multiplicity = 1, .parallel = 1e-3};
    graze_potential_options options = graze_default_potential_options();
    graze_term term;
    options.distance = 1;
    CHECK(graze_contact_term(&contact, (const double(*)[3])x, &options, GRAZE_ORDER_PROJECTED, &term) == GRAZE_OK);
    CHECK(term.rows == 12 && term.value == 0);
    for (int i = 0; i < 144; i++) CHECK(isfinite(term.hessian[i / 12][i % 12]));
}

TEST(a_broken_barrier_is_infinite_and_beyond_its_distance_there_is_none) {
    double x[2][3] = {{0, 0, 0}, {0.1, 0, 0}};
    graze_contact contact = {.kind = GRAZE_PP, .vertices = {0, 1}, .multiplicity = 1, .offset = 0.1};
    graze_potential_options options = graze_default_potential_options();
    graze_term term;
    CHECK(graze_contact_term(&contact, (const double(*)[3])x, &options, GRAZE_ORDER_HESSIAN, &term) == GRAZE_OK);
    CHECK(term.rows == 6 && term.value == INFINITY && term.gradient[0] == 0 && term.hessian[0][0] == 0);
    options.barrier = GRAZE_BARRIER_QUADRATIC;
    CHECK(graze_contact_term(&contact, (const double(*)[3])x, &options, GRAZE_ORDER_HESSIAN, &term) == GRAZE_OK);
    CHECK(term.value > 0 && term.value < 1 && term.gradient[0] > 0 && term.gradient[3] == -term.gradient[0]);
    contact.offset = 0;
    CHECK(graze_contact_term(&contact, (const double(*)[3])x, &options, GRAZE_ORDER_HESSIAN, &term) == GRAZE_OK);
    CHECK(term.rows == 0 && term.value == 0);
}

/* Faces without area, edges without length, vertices in one place, parallel edges, all on a coarse lattice. */
TEST(degenerate_contacts_have_finite_derivatives) {
    test_random random = {13};
    size_t acting = 0;
    for (int n = 0; n < 20000; n++) {
        graze_contact contact = {.kind = (graze_kind)(n % 4), .multiplicity = 1, .parallel = n % 8 == 1 ? 1e-3 : 0};
        graze_potential_options options = graze_default_potential_options();
        double x[4][3];
        graze_term term;
        options.distance = 1.25;
        options.barrier = n % 3 ? GRAZE_BARRIER_LOG : GRAZE_BARRIER_QUADRATIC;
        for (int k = 0; k < 12; k++) x[k / 3][k % 3] = (double)test_random_below(&random, 3);
        CHECK(graze_contact_term(&contact, (const double(*)[3])x, &options,
                                 n % 5 ? GRAZE_ORDER_PROJECTED : GRAZE_ORDER_HESSIAN, &term) == GRAZE_OK);
        bool sound = !isnan(term.value);
        for (int i = 0; i < 12; i++) sound &= isfinite(term.gradient[i]) != 0;
        for (int i = 0; i < 144; i++) sound &= isfinite(term.hessian[i / 12][i % 12]) != 0;
        CHECK_MSG(sound, "%s, case %d", test_kind_name(contact.kind), n);
        acting += term.rows > 0;
    }
    CHECK(acting > 5000);
}

/* ---- friction ---- */

typedef struct slid {
    graze_friction friction;
    double x0[4][3], slip;
} slid;

static real friction_formula(const void *what, const vector x[4]) {
    const slid *s = what;
    real u[2], slip = number(s->slip);
    for (int k = 0; k < 2; k++) {
        u[k] = number(0);
        for (int i = 0; i < 3 * rows_of(s->friction.kind); i++) {
            real moved = minus(x[i / 3].c[i % 3], number(s->x0[i / 3][i % 3]));
            real part = times(number(s->friction.weights[i / 3]), number(s->friction.tangents[k][i % 3]));
            u[k] = plus(u[k], times(part, moved));
        }
    }
    real y = root(plus(square(u[0]), square(u[1])));
    if (!less(y, slip)) return times(number(s->friction.force), y);
    real cube = over(times(square(y), y), times(number(3), square(slip)));
    real sum = plus(minus(over(square(y), slip), cube), over(slip, number(3)));
    return times(number(s->friction.force), sum);
}

TEST(friction_derivatives_are_within_1e_12_when_it_sticks_and_when_it_slides) {
    test_random random = {10};
    double worst = 0;
    int stuck = 0, moved = 0;
    for (int n = 0; n < 120; n++) {
        posed p = some_options(&random, n);
        slid s;
        double x[4][3];
        graze_term term;
        if (!pose(&random, (graze_kind)(n % 4), &p, 0.5, s.x0)) continue;
        p.options.slip = s.slip = n % 8 < 4 ? 0.01 : 3;
        for (int k = 0; k < 12; k++) x[k / 3][k % 3] = s.x0[k / 3][k % 3] + 0.3 * test_random_between(&random, -1, 1);
        CHECK(graze_friction_make(&p.contact, (const double(*)[3])s.x0, &p.options, 0.3, &s.friction) == GRAZE_OK);
        CHECK(s.friction.force > 0);
        CHECK(graze_friction_term(&s.friction, (const double(*)[3])s.x0, (const double(*)[3])x, &p.options,
                                  GRAZE_ORDER_HESSIAN, &term) == GRAZE_OK);
        double off = error_of(friction_formula, &s, x, &term);
        CHECK_MSG(off <= 1e-12, "off by %g", off);
        worst = fmax(worst, off);
        *(s.slip > 1 ? &stuck : &moved) += 1;
    }
    printf("      largest error %.2g of the largest entry\n", worst);
    CHECK(stuck > 10 && moved > 10);
}

/* The force is the slope of the barrier along the gap, the tangents are orthogonal unit vectors across it. */
TEST(friction_has_the_force_of_the_barrier_and_the_plane_of_the_contact) {
    test_random random = {11};
    int done = 0;
    for (int n = 0; n < 200; n++) {
        posed p = some_options(&random, n);
        graze_kind kind = (graze_kind)(n % 4);
        double x[4][3], along = 0;
        graze_friction f;
        graze_term term;
        graze_distance_result d;
        if (!pose(&random, kind, &p, 0.4, x)) continue;
        if (kind == GRAZE_EE && n % 8 == 1) p.contact.parallel = 10; /* softened */
        CHECK(graze_friction_make(&p.contact, (const double(*)[3])x, &p.options, 0.25, &f) == GRAZE_OK);
        CHECK(graze_contact_term(&p.contact, (const double(*)[3])x, &p.options, GRAZE_ORDER_GRADIENT, &term) ==
              GRAZE_OK);
        CHECK(graze_distance(kind, (const double(*)[3])x, &d) == GRAZE_OK);
        if (p.contact.parallel == 0) {
            for (int i = 0; i < 3 * (kind == GRAZE_EE ? 2 : 1); i++)
                along += term.gradient[i] * d.vector[i % 3] / d.value;
            CHECK_MSG(fabs(f.force + 0.25 * along) <= 1e-9 * f.force, "%g, %g", f.force, along);
        }
        for (int k = 0; k < 2; k++)
            for (int l = 0; l <= k; l++) {
                double dot = 0, out = 0;
                for (int c = 0; c < 3; c++) {
                    dot += f.tangents[k][c] * f.tangents[l][c];
                    out += f.tangents[k][c] * d.vector[c] / d.value;
                }
                CHECK(fabs(dot - (k == l)) < 1e-12 && fabs(out) < 1e-7);
            }
        done++;
    }
    CHECK(done > 50);
}

/* ---- projection ---- */

/* No vector finds a negative curvature, and what was positive stays. */
TEST(projected_hessians_have_no_negative_eigenvalue_and_keep_what_is_positive) {
    test_random random = {12};
    int changed = 0, done = 0;
    for (int n = 0; n < 200; n++) {
        posed p = some_options(&random, n);
        double x[4][3];
        graze_term raw, projected;
        if (!pose(&random, (graze_kind)(n % 4), &p, 0.5, x)) continue;
        graze_contact_term(&p.contact, (const double(*)[3])x, &p.options, GRAZE_ORDER_HESSIAN, &raw);
        graze_contact_term(&p.contact, (const double(*)[3])x, &p.options, GRAZE_ORDER_PROJECTED, &projected);
        double most = largest(&raw.hessian[0][0], 144), change = 0;
        for (int t = 0; t < 200; t++) {
            double v[12], before = 0, after = 0, length = 0;
            for (int i = 0; i < 12; i++) v[i] = test_random_between(&random, -1, 1), length += v[i] * v[i];
            for (int i = 0; i < 144; i++) {
                before += v[i / 12] * raw.hessian[i / 12][i % 12] * v[i % 12];
                after += v[i / 12] * projected.hessian[i / 12][i % 12] * v[i % 12];
            }
            CHECK(after >= -1e-11 * most * length && after >= before - 1e-11 * most * length);
            change = fmax(change, after - before);
        }
        changed += change > 1e-6 * most;
        CHECK(graze_project(&raw.hessian[0][0], raw.rows, 12) == GRAZE_OK); /* all rows, whatever they act on */
        for (int i = 0; i < 144; i++)
            CHECK(fabs(raw.hessian[i / 12][i % 12] - projected.hessian[i / 12][i % 12]) <= 1e-11 * most);
        done++;
    }
    CHECK_MSG(changed > 10 && done > 50, "%d of %d", changed, done);
    double matrix[2][3] = {{1, 2, 7}, {2, 1, 7}}; /* 3 and −1 */
    CHECK(graze_project(&matrix[0][0], 2, 3) == GRAZE_OK);
    for (int i = 0; i < 4; i++) CHECK(fabs(matrix[i / 2][i % 2] - 1.5) < 1e-14);
    CHECK(matrix[0][2] == 7 && graze_project(&matrix[0][0], 13, 13) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_project(&matrix[0][0], 3, 2) == GRAZE_ERR_INVALID_ARGUMENT);
}

/* xᵀ·H·x of random x, before and after: never negative, never less, and unchanged where H had nothing negative. */
TEST(projection_removes_what_is_negative_and_nothing_else) {
    test_random random = {11};
    for (int n = 0; n < 200; n++) {
        int size = 2 + (int)test_random_below(&random, 11), bad = 0;
        double h[12][12], p[12][12], x[12];
        for (int i = 0; i < size; i++)
            for (int j = 0; j <= i; j++) h[i][j] = h[j][i] = test_random_between(&random, -1, 1) + (i == j) * (n % 7);
        memcpy(p, h, sizeof p);
        graze_project(&p[0][0], size, 12);
        for (int k = 0; k < 50; k++) {
            double before = 0, after = 0;
            for (int i = 0; i < size; i++) x[i] = test_random_between(&random, -1, 1);
            for (int i = 0; i < size; i++)
                for (int j = 0; j < size; j++) before += x[i] * h[i][j] * x[j], after += x[i] * p[i][j] * x[j];
            bad += !(after >= -1e-13) || !(after >= before - 1e-12);
        }
        CHECK_MSG(bad == 0, "%d of 50 directions", bad);
        double twice[12][12];
        memcpy(twice, p, sizeof p);
        graze_project(&twice[0][0], size, 12);
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++) CHECK(fabs(twice[i][j] - p[i][j]) < 1e-12);
    }
}

TEST(bad_arguments_of_a_term_are_refused) {
    double x[2][3] = {{0, 0, 0}, {0.1, 0, 0}};
    const double(*at)[3] = (const double(*)[3])x;
    graze_contact contact = {.kind = GRAZE_PP, .vertices = {0, 1}, .multiplicity = 1};
    graze_friction friction;
    graze_term term;
    const double bad[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        graze_potential_options options = graze_default_potential_options();
        options.distance = bad[i];
        CHECK(graze_contact_term(&contact, at, &options, GRAZE_ORDER_VALUE, &term) == GRAZE_ERR_INVALID_ARGUMENT);
        options.distance = 1;
        options.slip = bad[i];
        CHECK(graze_contact_term(&contact, at, &options, GRAZE_ORDER_VALUE, &term) == GRAZE_ERR_INVALID_ARGUMENT);
        options.slip = 1;
        options.stiffness = i ? bad[i] : -1;
        CHECK(graze_contact_term(&contact, at, &options, GRAZE_ORDER_VALUE, &term) == GRAZE_ERR_INVALID_ARGUMENT);
        if (i) CHECK(graze_friction_make(&contact, at, NULL, bad[i], &friction) == GRAZE_ERR_INVALID_ARGUMENT);
        CHECK(friction.force == 0 || i == 0);
    }
    contact.offset = -1;
    CHECK(graze_contact_term(&contact, at, NULL, GRAZE_ORDER_VALUE, &term) == GRAZE_ERR_INVALID_ARGUMENT);
    contact.offset = 0;
    CHECK(graze_contact_term(&contact, at, NULL, (graze_order)9, &term) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_contact_term(NULL, at, NULL, GRAZE_ORDER_VALUE, &term) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_contact_term(&contact, NULL, NULL, GRAZE_ORDER_VALUE, &term) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_contact_term(&contact, at, NULL, GRAZE_ORDER_VALUE, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    x[1][2] = NAN;
    CHECK(graze_contact_term(&contact, at, NULL, GRAZE_ORDER_VALUE, &term) == GRAZE_ERR_NOT_FINITE);
    x[1][2] = 0x1p161;
    CHECK(graze_contact_term(&contact, at, NULL, GRAZE_ORDER_VALUE, &term) == GRAZE_ERR_OUT_OF_RANGE);
    CHECK(term.rows == 0 && term.value == 0);
    const double(*over)[3] = (const double(*)[3])term.gradient;
    CHECK(graze_contact_term(&contact, over, NULL, GRAZE_ORDER_VALUE, &term) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_friction_make(&contact, (const double(*)[3])friction.weights, NULL, 1, &friction) ==
          GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_friction_term(&friction, over, at, NULL, GRAZE_ORDER_VALUE, &term) == GRAZE_ERR_INVALID_ARGUMENT);
    contact.kind = (graze_kind)7;
    CHECK(graze_contact_term(&contact, at, NULL, GRAZE_ORDER_VALUE, &term) == GRAZE_ERR_INVALID_ARGUMENT);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
