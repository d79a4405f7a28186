/* Gradients and Hessians of every energy against central differences of its textbook formula in 256 bits. */
#include "check.h"
#include "sim/differences.h"

#include "sim/energy/constraint.h"
#include "sim/energy/elastic.h"

typedef void code(const void *what, double x[4][3], sim_order order, sim_term *term);

/* Every entry within `part` of the largest one. */
static void compare(formula *f, code *c, const void *what, double x[4][3], int rows, double part) {
    sim_term term;
    double g[12] = {0}, h[12][12] = {{0}};
    c(what, x, GRAZE_ORDER_HESSIAN, &term);
    CHECK(term.rows == rows);
    reals_forget();
    double value = value_of(shifted(f, what, x, 0, 0, 0, 0));
    for (int i = 0; i < rows; i++) {
        g[i] = slope(f, what, x, i);
        for (int j = 0; j < rows; j++) h[i][j] = curvature(f, what, x, i, j);
    }
    double most = largest(g, 12), most_h = largest(&h[0][0], 144);
    CHECK_MSG(fabs(term.value - value) <= part * (fabs(value) + most), "%.17g, not %.17g", term.value, value);
    for (int i = 0; i < rows; i++) {
        CHECK_MSG(fabs(term.gradient[i] - g[i]) <= part * most, "gradient %d: %.17g, not %.17g", i, term.gradient[i],
                  g[i]);
        for (int j = 0; j < rows; j++)
            CHECK_MSG(fabs(term.hessian[i][j] - h[i][j]) <= part * most_h, "Hessian %d %d: %.17g, not %.17g", i, j,
                      term.hessian[i][j], h[i][j]);
    }
}

static void random_points(test_random *random, double x[4][3]) {
    for (int k = 0; k < 12; k++) x[k / 3][k % 3] = test_random_between(random, -1, 1);
}

static vector exactly(const double x[3]) { return (vector){{number(x[0]), number(x[1]), number(x[2])}}; }

/* ---- elastic ---- */

typedef struct at_rest {
    sim_element element;
    double rest[4][3];
} at_rest;

static real neo_hookean(const sim_element *e, real stretch, real j, double volume) {
    real ln = logarithm(j);
    real value = times(number(e->mu / 2), minus(stretch, number(e->dimension)));
    value = minus(value, times(number(e->mu), ln));
    return times(number(volume), plus(value, times(number(e->lambda / 2), square(ln))));
}

/* |F|² and J from the edges: F·E = D, so F = D·E⁻¹ with the inverse by cofactors. */
static real solid_formula(const void *what, const vector x[4]) {
    const at_rest *a = what;
    vector e[3], d[3], dual[3];
    for (int k = 0; k < 3; k++) {
        e[k] = between(exactly(a->rest[0]), exactly(a->rest[k + 1]));
        d[k] = between(x[0], x[k + 1]);
    }
    real volume = inner(e[0], outer(e[1], e[2])), stretch = number(0);
    for (int k = 0; k < 3; k++) dual[k] = outer(e[(k + 1) % 3], e[(k + 2) % 3]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            real f = number(0);
            for (int k = 0; k < 3; k++) f = plus(f, times(d[k].c[i], over(dual[k].c[j], volume)));
            stretch = plus(stretch, square(f));
        }
    real ratio = over(inner(d[0], outer(d[1], d[2])), volume);
    return neo_hookean(&a->element, stretch, ratio, value_of(volume) / 6);
}

/* |F|² = (|d0|²·|e1|² − 2·⟨d0,d1⟩⟨e0,e1⟩ + |d1|²·|e0|²) / |e0 × e1|² */
static real sheet_formula(const void *what, const vector x[4]) {
    const at_rest *a = what;
    vector e[2], d[2];
    for (int k = 0; k < 2; k++) {
        e[k] = between(exactly(a->rest[0]), exactly(a->rest[k + 1]));
        d[k] = between(x[0], x[k + 1]);
    }
    real whole = inner(outer(e[0], e[1]), outer(e[0], e[1]));
    real sum = plus(times(inner(d[0], d[0]), inner(e[1], e[1])), times(inner(d[1], d[1]), inner(e[0], e[0])));
    sum = minus(sum, times(number(2), times(inner(d[0], d[1]), inner(e[0], e[1]))));
    real ratio = root(over(inner(outer(d[0], d[1]), outer(d[0], d[1])), whole));
    return neo_hookean(&a->element, over(sum, whole), ratio, 0.01 * value_of(root(whole)) / 2);
}

static void element_code(const void *what, double x[4][3], sim_order order, sim_term *term) {
    sim_element_term(&((const at_rest *)what)->element, x, order, term);
}

static void compare_elements(int dimension, formula *f, uint64_t seed) {
    test_random random = {seed};
    static const uint32_t vertex[4] = {0, 1, 2, 3};
    for (int n = 0, done = 0; done < 20 && n < 1000; n++) {
        at_rest a;
        double x[4][3];
        sim_term term;
        random_points(&random, a.rest);
        random_points(&random, x);
        if (!sim_element_make(&a.element, dimension, vertex, (const double(*)[3])a.rest, 0.01)) continue;
        sim_element_material(&a.element, 1e5, 0.4);
        element_code(&a, x, GRAZE_ORDER_VALUE, &term);
        if (!(term.value < 1e7)) continue; /* inside out, or nearly flat */
        compare(f, element_code, &a, x, 3 * (dimension + 1), 1e-9);
        done++;
    }
}

TEST(solid_derivatives_are_those_of_the_energy) { compare_elements(3, solid_formula, 1); }
TEST(sheet_derivatives_are_those_of_the_energy) { compare_elements(2, sheet_formula, 2); }

TEST(elements_at_rest_have_no_energy_and_no_force) {
    static const uint32_t vertex[4] = {0, 1, 2, 3};
    double x[4][3] = {{0, 0, 0}, {1, 0.2, 0}, {0.1, 1, 0.3}, {0.2, 0.1, 1}};
    for (int dimension = 2; dimension <= 3; dimension++) {
        sim_element e;
        sim_term term;
        CHECK(sim_element_make(&e, dimension, vertex, (const double(*)[3])x, 1));
        sim_element_material(&e, 1, 0.3);
        sim_element_term(&e, x, GRAZE_ORDER_GRADIENT, &term);
        CHECK(fabs(term.value) < 1e-15);
        for (int i = 0; i < term.rows; i++) CHECK(fabs(term.gradient[i]) < 1e-15);
    }
}

TEST(an_inverted_tetrahedron_has_infinite_energy_and_none_is_made_from_one) {
    static const uint32_t vertex[4] = {0, 1, 2, 3};
    double rest[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    sim_element e;
    sim_term term;
    CHECK(sim_element_make(&e, 3, vertex, (const double(*)[3])rest, 0));
    sim_element_material(&e, 1, 0.3);
    rest[3][2] = -0.5;
    sim_element_term(&e, rest, GRAZE_ORDER_VALUE, &term);
    CHECK(term.value == INFINITY);
    CHECK(!sim_element_make(&e, 3, vertex, (const double(*)[3])rest, 0));
    rest[3][2] = 0;
    CHECK(!sim_element_make(&e, 3, vertex, (const double(*)[3])rest, 0));
    rest[2][0] = 2, rest[2][1] = 0;
    CHECK(!sim_element_make(&e, 2, vertex, (const double(*)[3])rest, 1));
}

static real hinge_formula(const void *what, const vector x[4]) {
    const sim_hinge *h = what;
    real sum = number(0);
    for (int c = 0; c < 3; c++) {
        real bend = number(0);
        for (int a = 0; a < 4; a++) bend = plus(bend, times(number(h->weight[a]), x[a].c[c]));
        sum = plus(sum, square(bend));
    }
    return times(number(h->stiffness / 2), sum);
}

static void hinge_code(const void *what, double x[4][3], sim_order order, sim_term *term) {
    sim_hinge_term(what, x, order, term);
}

TEST(hinge_derivatives_are_those_of_the_energy_and_flat_sheets_have_none) {
    test_random random = {3};
    static const uint32_t vertex[4] = {0, 1, 2, 3};
    double rest[4][3] = {{0, 0, 0}, {1, 0.1, 0}, {0.4, 0.8, 0}, {0.6, -0.7, 0}}, x[4][3];
    sim_hinge hinge;
    sim_term term;
    CHECK(sim_hinge_make(&hinge, vertex, (const double(*)[3])rest, 0.5));
    sim_hinge_term(&hinge, rest, GRAZE_ORDER_GRADIENT, &term);
    CHECK(fabs(term.value) < 1e-28);
    for (int n = 0; n < 5; n++) {
        random_points(&random, x);
        compare(hinge_formula, hinge_code, &hinge, x, 12, 1e-12);
    }
}

static real string_formula(const void *what, const vector x[4]) {
    const sim_string *s = what;
    vector d = between(x[0], x[1]);
    real strain = minus(over(root(inner(d, d)), number(s->length)), number(1));
    return times(number(s->stiffness / 2 * s->length), square(strain));
}

static void string_code(const void *what, double x[4][3], sim_order order, sim_term *term) {
    sim_string_term(what, x, order, term);
}

TEST(string_derivatives_are_those_of_the_energy) {
    test_random random = {4};
    const sim_string string = {{0, 1}, 1.25, 100};
    for (int n = 0; n < 20; n++) {
        double x[4][3];
        random_points(&random, x);
        compare(string_formula, string_code, &string, x, 6, 1e-11);
    }
}

/* ---- constraints ---- */

static real constraint_formula(const void *what, const vector x[4]) {
    const sim_constraint *c = what;
    real gap = number(0);
    for (int i = 0; i < 12; i++)
        gap = plus(gap, times(times(number(c->weight[i / 3]), number(c->normal[i % 3])), x[i / 3].c[i % 3]));
    real missing = plus(minus(number(c->offset), gap), over(number(c->multiplier), number(c->stiffness)));
    if (less(missing, number(0))) return number(0);
    return times(number(c->stiffness / 2), square(missing));
}

static void constraint_code(const void *what, double x[4][3], sim_order order, sim_term *term) {
    sim_constraint_term(what, x, order, term);
}

TEST(constraint_derivatives_are_those_of_the_energy_and_a_kept_constraint_has_none) {
    test_random random = {12};
    int pushed = 0, kept = 0;
    for (int n = 0; n < 20; n++) {
        sim_constraint c = {.rows = 12, .weight = {1, -0.25, -0.25, -0.5}, .normal = {0.6, 0, 0.8}};
        double x[4][3];
        c.offset = 0.1;
        c.multiplier = test_random_unit(&random);
        c.stiffness = 50;
        random_points(&random, x);
        compare(constraint_formula, constraint_code, &c, x, 12, 1e-11);
        (sim_constraint_gap(&c, x) < c.offset ? pushed++ : kept++);
    }
    CHECK(pushed > 2 && kept > 2);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
