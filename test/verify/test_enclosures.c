/* The checker's enclosures against real numbers of 256 bits: whatever they say of a motion holds for the exact one. */
#include "articulated/big_real.h"

#include "verify/joints.h"

/* In units of 2^-FIXED_BITS. */
static real real_of_units(const mpz_t n) {
    real r = real_new();
    mpfr_set_z_2exp(r, n, -FIXED_BITS, MPFR_RNDN);
    return r;
}

static real polynomial(const enclosure *f, real s) {
    real sum = real_of(0);
    for (int k = f->terms - 1; k >= 0; k--) sum = real_add(real_mul(sum, s), real_of_units(f->c[k]));
    return sum;
}

/* As far as 256 bits tell. */
static void check_holds(const enclosure *f, real value, real s, const char *what) {
    real off = real_sub(value, polynomial(f, s)), room = real_add(real_of_units(f->r), real_of(0x1p-180));
    mpfr_abs(off, off, MPFR_RNDN);
    CHECK_MSG(mpfr_cmp(off, room) <= 0, "%s: off by %g, bound %g", what, mpfr_get_d(off, MPFR_RNDN),
              mpfr_get_d(room, MPFR_RNDN));
}

static void set_random(enclosure *f, test_random *random, int terms, double size, double bound) {
    enclosure part;
    enclosure_init(&part);
    f->terms = terms;
    for (int k = 0; k < terms; k++) {
        enclosure_set_double(&part, test_random_between(random, -size, size), 0);
        mpz_set(f->c[k], part.c[0]);
    }
    enclosure_set_double(&part, bound * test_random_unit(random), 0);
    mpz_set(f->r, part.c[0]);
    enclosure_clear(&part);
}

/* A function that the enclosure holds. */
static real some_value(const enclosure *f, real s, int sign) {
    return real_add(polynomial(f, s), real_mul(real_of(sign), real_of_units(f->r)));
}

TEST(doubles_of_every_size_are_enclosed) {
    test_random random = {6};
    enclosure f, shifted;
    enclosure_init(&f);
    enclosure_init(&shifted);
    for (int i = 0; i < 3000; i++) {
        real_reset();
        int exponent = (int)test_random_below(&random, 200) - 100;
        double x = ldexp(test_random_between(&random, -1, 1), (int)test_random_below(&random, 300) - 200);
        enclosure_set_double(&f, x, exponent);
        check_holds(&f, real_of(ldexp(x, -exponent)), real_of(0), "double");
        enclosure_shift(&shifted, &f, -exponent);
        check_holds(&shifted, real_of(ldexp(x, -2 * exponent)), real_of(0), "shift");
    }
    enclosure_clear(&f);
    enclosure_clear(&shifted);
}

TEST(sums_products_and_quotients_enclose_those_of_their_functions) {
    test_random random = {1};
    enclosure a, b, product, sum, quotient, root, part, multiple;
    enclosure *all[] = {&a, &b, &product, &sum, &quotient, &root, &part, &multiple};
    for (int i = 0; i < 8; i++) enclosure_init(all[i]);
    for (int i = 0; i < 3000; i++) {
        real_reset();
        double bound = i % 3 ? 0x1p-100 : 0.25;
        set_random(&a, &random, (int)test_random_below(&random, ENCLOSURE_TERMS + 1), 2, bound);
        set_random(&b, &random, (int)test_random_below(&random, ENCLOSURE_TERMS + 1), 2, i % 5 ? bound : 0);
        enclosure_mul(&product, &a, &b);
        enclosure_sub(&sum, &a, &b);
        enclosure_divide_long(&part, &a, 7);
        enclosure_scale_long(&multiple, &a, -3);
        for (int k = 0; k < 12; k++) {
            real s = real_of(k < 4 ? 2 * (k & 1) - 1 : test_random_between(&random, -1, 1));
            real f = some_value(&a, s, k & 1 ? 1 : -1), g = some_value(&b, s, k & 2 ? 1 : -1);
            check_holds(&product, real_mul(f, g), s, "product");
            check_holds(&sum, real_sub(f, g), s, "difference");
            check_holds(&part, real_div(f, real_of(7)), s, "seventh");
            check_holds(&multiple, real_mul(f, real_of(-3)), s, "multiple");
        }
        a.terms = b.terms = 1;
        mpz_abs(b.c[0], b.c[0]);
        bool divided = enclosure_divide(&quotient, &a, &b), rooted = enclosure_sqrt(&root, &b);
        CHECK(divided == (mpz_cmp(b.c[0], b.r) > 0) && rooted == divided);
        for (int k = 0; divided && k < 4; k++) {
            real f = some_value(&a, real_of(0), k & 1 ? 1 : -1), g = some_value(&b, real_of(0), k & 2 ? 1 : -1);
            check_holds(&quotient, real_div(f, g), real_of(0), "quotient");
            check_holds(&root, real_root(g), real_of(0), "root");
        }
    }
    for (int i = 0; i < 8; i++) enclosure_clear(all[i]);
}

TEST(sines_and_cosines_are_enclosed_and_not_by_much) {
    test_random random = {2};
    enclosure angle, sine, cosine;
    enclosure *all[] = {&angle, &sine, &cosine};
    for (int i = 0; i < 3; i++) enclosure_init(all[i]);
    for (int i = 0; i < 4000; i++) {
        real_reset();
        double size = ldexp(1, (int)test_random_below(&random, 51) - 30);
        double turn = ldexp(1, -(int)test_random_below(&random, 30)) * (i % 50 == 0 ? 5 : 1);
        set_random(&angle, &random, i % 4 ? 1 + (int)test_random_below(&random, 4) : 1, turn / 4, i % 3 ? 0 : 0x1p-90);
        enclosure_set_double(&sine, test_random_between(&random, -size, size), 0);
        mpz_set(angle.c[0], sine.c[0]);
        enclosure_sine(&sine, &cosine, &angle);
        if (angle.terms == 1 && mpz_sgn(angle.r) == 0)
            CHECK_MSG(mpz_cmp_ui(sine.r, 12) <= 0 && mpz_cmp_ui(cosine.r, 12) <= 0, "a wide enclosure of one angle");
        for (int k = 0; k < 6; k++) {
            real s = real_of(k < 2 ? 2 * k - 1 : test_random_between(&random, -1, 1));
            real x = some_value(&angle, s, k & 1 ? 1 : -1);
            check_holds(&sine, real_sin(x), s, "sine");
            check_holds(&cosine, real_cos(x), s, "cosine");
        }
    }
    for (int i = 0; i < 3; i++) enclosure_clear(all[i]);
}

/* ---- joints ---- */

typedef struct random_joint {
    graze_link link;
    double from[6], to[6], turn[1][3], cubic[6][4], values[24];
    uint8_t screws[1];
    bool screw[1];
    graze_motion motion;
    path_link read;
    path_motion path;
} random_joint;

static void make_joint(random_joint *to, test_random *random, int kind, double size, bool cubic, bool screw) {
    *to = (random_joint){.link = graze_default_link(), .motion = graze_default_motion()};
    to->link.joint = (graze_joint_kind)kind;
    double length = ldexp(1, (int)test_random_below(random, 5) * 100 - 200);
    for (int k = 0; k < 4; k++) {
        to->link.origin.rotation[k] = test_random_between(random, -1, 1) * length;
        if (k < 3) to->link.origin.position[k] = test_random_between(random, -3, 3);
        if (k < 3) to->link.axis[k] = test_random_between(random, -1, 1) * length;
        if (k < 3) to->turn[0][k] = test_random_between(random, -3, 3);
    }
    bool turned = test_random_below(random, 2), close = test_random_below(random, 3) == 0;
    bool far = !close && !screw && test_random_below(random, 2); /* the shorter way may be the other way round */
    size_t count = joint_values((joint_kind)kind);
    for (size_t v = 0; v < count; v++) {
        to->from[v] = test_random_between(random, -size, size);
        to->to[v] = to->from[v] + test_random_between(random, -1, 1) * (close ? ldexp(1, -50) : 1);
        if (far) to->to[v] = test_random_between(random, -size, size);
        for (int k = 0; k < 4; k++) to->cubic[v][k] = to->from[v] + test_random_between(random, -1, 1);
        to->values[v] = to->from[v];
        to->values[v + count] = to->to[v];
    }
    if (cubic) memcpy(to->values, to->cubic, count * sizeof to->cubic[0]);
    to->motion.from = to->from;
    to->motion.to = to->to;
    if (turned) to->motion.turns = (const double(*)[3])to->turn;
    if (cubic) to->motion.cubic = (const double(*)[4])to->cubic;
    to->motion.screws = to->screws;
    to->screws[0] = to->screw[0] = screw;
    to->path = (path_motion){cubic, to->values, to->motion.turns, to->screw};
    to->read.joint = (joint_kind)kind;
    memcpy(to->read.position, to->link.origin.position, sizeof to->read.position);
    memcpy(to->read.rotation, to->link.origin.rotation, sizeof to->read.rotation);
    memcpy(to->read.axis, to->link.axis, sizeof to->read.axis);
}

/* A window of time, as m + h·s. */
static void set_window(enclosure *time, double begin, double end) {
    enclosure part;
    enclosure_init(&part);
    enclosure_set_double(time, 0.5 * (begin + end), 0);
    enclosure_set_double(&part, 0.5 * (end - begin), 0);
    mpz_set(time->c[1], part.c[0]);
    time->terms = 2;
    enclosure_clear(&part);
}

static void check_joint(test_random *random, const random_joint *joint, const joint_motion *motion) {
    enclosure time;
    frame f;
    enclosure_init(&time);
    frame_init(&f);
    for (int i = 0; i < 4; i++) {
        real_reset();
        double length = ldexp(1, -(int)test_random_below(random, 8)), begin = (1 - length) * test_random_unit(random);
        double middle = 0.5 * (begin + (begin + length)), half = 0.5 * ((begin + length) - begin);
        set_window(&time, begin, begin + length);
        joint_frame(motion, &time, &f);
        for (int column = 0; column < 4; column++) {
            real s = real_of(i == 0 ? 1 : test_random_between(random, -1, 1));
            real t = real_add(real_of(middle), real_mul(real_of(half), s)), at[3], origin[3];
            real3 unit = {{real_of(column == 0), real_of(column == 1), real_of(column == 2)}};
            real3 zero = {{real_of(0), real_of(0), real_of(0)}};
            real_joint(&joint->link, 0, 0, &joint->motion, t, zero.c, origin);
            real_joint(&joint->link, 0, 0, &joint->motion, t, unit.c, at);
            for (int row = 0; row < 3; row++)
                check_holds(&f.m[row][column], column < 3 ? real_sub(at[row], origin[row]) : origin[row], s, "frame");
        }
    }
    enclosure_clear(&time);
    frame_clear(&f);
}

static void check_joints(uint64_t seed, int kind, double size, bool cubic, bool screw) {
    test_random random = {seed};
    joint_motion motion;
    joint_init(&motion);
    for (int i = 0; i < 60; i++) {
        random_joint joint;
        char reason[VERIFY_TEXT] = "";
        make_joint(&joint, &random, kind, size, cubic, screw);
        size_t count = joint_values((joint_kind)kind);
        bool good = joint_set(&motion, &joint.read, &joint.path, 0, count, 0, 0, reason);
        CHECK_MSG(good, "%s", reason);
        if (good) check_joint(&random, &joint, &motion);
    }
    joint_clear(&motion);
}

TEST(the_frame_of_each_kind_of_joint_is_enclosed) {
    for (int kind = JOINT_FIXED; kind <= JOINT_FREE; kind++) {
        check_joints(10 + (uint64_t)kind, kind, 3, false, false);
        check_joints(20 + (uint64_t)kind, kind, 1000, false, false);
    }
    check_joints(30, JOINT_REVOLUTE, 100, true, false);
    check_joints(31, JOINT_PRISMATIC, 100, true, false);
    check_joints(32, JOINT_PLANAR, 100, true, false);
}

TEST(screws_are_enclosed) {
    check_joints(40, JOINT_PLANAR, 3, false, true);
    check_joints(41, JOINT_FREE, 3, false, true);
    check_joints(42, JOINT_PLANAR, 1000, false, true);
    check_joints(43, JOINT_FREE, 1000, false, true);
}

/* Turns that are hardly any, and none. */
TEST(the_smallest_turns_are_enclosed) {
    test_random random = {5};
    joint_motion motion;
    joint_init(&motion);
    for (int i = 0; i < 120; i++) {
        random_joint joint;
        char reason[VERIFY_TEXT] = "";
        bool is_free = i >= 60;
        size_t turn = is_free ? 3 : 0, count = turn + 3;
        make_joint(&joint, &random, is_free ? JOINT_FREE : JOINT_SPHERICAL, i % 2 ? 1 : 0, false, is_free);
        joint.motion.turns = NULL;
        joint.path.turns = NULL;
        for (size_t v = turn; v < count; v++) {
            joint.to[v] = joint.from[v];
            if (i % 3) joint.to[v] += ldexp(test_random_between(&random, -1, 1), i % 2 ? -52 : -2 * (i % 60));
            joint.values[count + v] = joint.to[v];
        }
        joint.screws[0] = joint.screw[0] = is_free && i % 3; /* without a turn there is no axis to compare with */
        bool good = joint_set(&motion, &joint.read, &joint.path, 0, count, 0, 0, reason);
        CHECK_MSG(good, "%s", reason);
        if (good) check_joint(&random, &joint, &motion);
    }
    joint_clear(&motion);
}

/* ---- splines ---- */

/* By the sum of all control values times their basis functions, which are defined by recursion. */
static real basis(const spline *path, size_t i, int degree, real t, size_t span) {
    if (degree == 0) return real_of(i == span);
    real sum = real_of(0), from = real_of(path->knots[i]), to = real_of(path->knots[i + (size_t)degree]);
    real from1 = real_of(path->knots[i + 1]), to1 = real_of(path->knots[i + (size_t)degree + 1]);
    if (mpfr_cmp(to, from) > 0)
        sum = real_mul(real_div(real_sub(t, from), real_sub(to, from)), basis(path, i, degree - 1, t, span));
    if (mpfr_cmp(to1, from1) > 0)
        sum = real_add(
            sum, real_mul(real_div(real_sub(to1, t), real_sub(to1, from1)), basis(path, i + 1, degree - 1, t, span)));
    return sum;
}

static void check_spline(const spline *path, test_random *random, double size) {
    enclosure c[SPLINE_TERMS];
    enclosure_init_all(c, SPLINE_TERMS);
    for (size_t span = (size_t)path->degree; span < path->count; span++) {
        double begin = path->knots[span], end = path->knots[span + 1], part = test_random_unit(random);
        if (!(begin < end)) continue;
        spline_piece(c, path, 0, begin, end, 0);
        real_reset();
        real at = real_of(part), value = real_of(0), found = real_of(0), bound = real_of(0x1p-160 * size);
        real t = real_add(real_of(begin), real_mul(at, real_sub(real_of(end), real_of(begin))));
        for (size_t i = span - (size_t)path->degree; i <= span; i++)
            value = real_add(value, real_mul(real_of(path->control[i]), basis(path, i, path->degree, t, span)));
        for (int k = SPLINE_TERMS - 1; k >= 0; k--) {
            found = real_add(real_mul(found, at), real_of_units(c[k].c[0]));
            bound = real_add(bound, real_of_units(c[k].r));
        }
        real off = real_sub(found, value);
        mpfr_abs(off, off, MPFR_RNDN);
        CHECK_MSG(mpfr_cmp(off, bound) <= 0 && mpfr_cmp_d(bound, 0x1p-100 * (1 + size)) < 0,
                  "degree %d: off by %g, bound %g", path->degree, mpfr_get_d(off, MPFR_RNDN),
                  mpfr_get_d(bound, MPFR_RNDN));
    }
    enclosure_clear_all(c, SPLINE_TERMS);
}

TEST(pieces_of_splines_are_enclosed) {
    test_random random = {71};
    double knots[24], control[16];
    for (int n = 0; n < 400; n++) {
        spline path = {.degree = 1 + n % 7, .values = 1, .knots = knots, .control = control};
        path.count = (size_t)path.degree + 1 + test_random_below(&random, 4);
        double scale = ldexp(1, (int)test_random_below(&random, 40) - 20), at = test_random_between(&random, -9, 9);
        for (size_t i = 0; i <= path.count + (size_t)path.degree; i++) {
            if (test_random_below(&random, 5)) at += scale * test_random_unit(&random);
            knots[i] = at;
        }
        double size = n % 5 ? 3 : 1e9;
        for (size_t i = 0; i < path.count; i++) control[i] = test_random_between(&random, -size, size);
        if (!spline_fault(&path)) check_spline(&path, &random, size);
    }
}

TEST(values_that_say_no_motion_are_refused) {
    random_joint joint = {.read = {.joint = JOINT_SPHERICAL, .rotation = {1, 0, 0, 0}}};
    joint.path.values = joint.values;
    char reason[VERIFY_TEXT] = "";
    joint_motion motion;
    joint_init(&motion);
    joint.values[3] = 3.141592653589793; /* half a circle is 1.2e-16 more */
    CHECK(joint_set(&motion, &joint.read, &joint.path, 0, 3, 0, 0, reason));
    memset(joint.read.rotation, 0, sizeof joint.read.rotation);
    CHECK(!joint_set(&motion, &joint.read, &joint.path, 0, 3, 0, 0, reason) && strstr(reason, "rotation"));
    joint.read.rotation[2] = 1e-300;
    joint.values[4] = 0x1.0p21;
    CHECK(!joint_set(&motion, &joint.read, &joint.path, 0, 3, 0, 0, reason) && strstr(reason, "2^20"));
    joint_clear(&motion);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
