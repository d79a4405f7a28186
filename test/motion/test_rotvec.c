/* Rotation vectors that move straight, against real numbers of 256 bits. */
#include "articulated/big_real.h"

#include "motion/rotvec.h"
#include "motion/sine.h"

#define PI 3.141592653589793

static real value_at(const gz_taylor *f, real s) {
    real sum = real_of(f->c[3]);
    for (int k = 2; k >= 0; k--) sum = real_add(real_mul(sum, s), real_of(f->c[k]));
    return sum;
}

static double size_of(test_random *random, int low, int high) {
    return ldexp(1 + test_random_unit(random), low + (int)test_random_below(random, (uint64_t)(high - low + 1)));
}

/* ---- the three functions ---- */

/* (−1)^n·C(n, k)/(2n + f)!·s^(n − k), summed: slow and far beyond what cancels for s up to 2^12. */
static real by_series(int f, int k, real s) {
    real sum = real_of(0), power = real_of(1), choose = real_of(1), factorial = real_of(1);
    for (int n = 2; n <= 2 * k + f; n++) factorial = real_mul(factorial, real_of(n));
    for (int n = k; n < k + 400; n++) {
        real term = real_div(real_mul(choose, power), factorial);
        sum = n % 2 ? real_sub(sum, term) : real_add(sum, term);
        power = real_mul(power, s);
        choose = real_div(real_mul(choose, real_of(n + 1)), real_of(n + 1 - k));
        factorial = real_mul(factorial, real_mul(real_of(2 * n + f + 1), real_of(2 * n + f + 2)));
    }
    return sum;
}

/* Of functions whose coefficient k − 1 is c: that of cos √s by that of sin √s/√s, and so on. */
static void by_recurrence(real s, real made[3][5]) {
    real root = real_root(s), cosine = real_cos(root);
    made[0][0] = cosine;
    made[1][0] = real_div(real_sin(root), root);
    made[2][0] = real_div(real_sub(real_of(1), cosine), s);
    for (int k = 0; k < 4; k++) {
        real rest = real_sub(made[0][k], real_mul(real_of(2 * k + 1), made[1][k]));
        made[1][k + 1] = real_div(rest, real_mul(s, real_of(2 * (k + 1))));
        made[0][k + 1] = real_div(made[1][k], real_of(-2 * (k + 1)));
        made[2][k + 1] = real_div(real_minus(real_add(made[0][k + 1], made[2][k])), s);
    }
}

static void exact_coefficients(double at, real made[3][5]) {
    if (at > 4096) {
        by_recurrence(real_of(at), made);
        return;
    }
    for (int f = 0; f < 3; f++)
        for (int k = 0; k < 5; k++) made[f][k] = by_series(f, k, real_of(at));
}

TEST(series_and_recurrence_agree) {
    for (int i = 0; i < 40; i++) {
        real_reset();
        real s = real_of(0.9 + 100 * i), closed[3][5];
        by_recurrence(s, closed);
        for (int f = 0; f < 3; f++)
            for (int k = 0; k < 5; k++)
                CHECK(fabs(mpfr_get_d(real_sub(closed[f][k], by_series(f, k, s)), MPFR_RNDN)) < 1e-40);
    }
}

/* Squares from nothing to 2^40, many of them near those of multiples of π. */
static double random_square(test_random *random, int i) {
    double multiple = PI * (double)(1 + test_random_below(random, i % 4 ? 8 : 300000));
    if (i % 3 == 0) multiple += test_random_between(random, -1, 1) * ldexp(1, -(int)test_random_below(random, 50));
    if (i % 3 < 2) return fmin(multiple * multiple, 0x1p40);
    return fmin(size_of(random, i % 6 == 2 ? -1074 : -20, 39), 0x1p40);
}

TEST(coefficients_are_within_their_error) {
    test_random random = {70};
    double used = 0;
    for (int i = 0; i < 1500; i++) {
        real_reset();
        double s = i ? random_square(&random, i) : 0, z = fmax(1, sqrt(s)), made[3][4];
        if (i % 10 == 0) s = test_random_unit(&random), z = 1;
        real exact[3][5];
        gz_rotvec_coefficients(s, made);
        exact_coefficients(s, exact);
        for (int f = 0; f < 3; f++)
            for (int k = 0; k < 4; k++) {
                double off = fabs(mpfr_get_d(real_sub(exact[f][k], real_of(made[f][k])), MPFR_RNDN));
                double bound = GZ_ROTVEC_ERROR * pow(z, 1 - f - k);
                CHECK_MSG(off <= bound, "function %d, power %d at %a: off by %g of the bound", f, k, s, off / bound);
                used = fmax(used, off / bound);
            }
    }
    printf("  bound GZ_ROTVEC_ERROR used %.3g\n", used);
}

/* The three functions of a model, at places of the window. */
static void check_functions(const gz_taylor *square, test_random *random) {
    gz_taylor made[3];
    gz_rotvec_functions(square, made);
    for (int k = 0; k < 6; k++) {
        real at = real_of(k < 2 ? 2 * k - 1 : test_random_between(random, -1, 1)), s = value_at(square, at);
        s = real_add(s, real_mul(real_of(k % 2 ? 1 : -1), real_of(square->r)));
        if (mpfr_sgn(s) < 0) continue; /* no square */
        real root = real_root(s), cosine = real_cos(root), zero = real_of(0);
        bool none = mpfr_cmp_d(s, 0x1p-200) < 0;
        real values[3] = {cosine, none ? real_of(1) : real_div(real_sin(root), root),
                          none ? real_of(0.5) : real_div(real_sub(real_of(1), cosine), s)};
        for (int f = 0; f < 3; f++) {
            real off = real_sub(values[f], value_at(&made[f], at));
            mpfr_abs(off, off, MPFR_RNDN);
            mpfr_max(off, off, zero, MPFR_RNDN);
            CHECK_MSG(mpfr_cmp_d(off, made[f].r) <= 0, "function %d at %a + %a s + %a s^2: off by %g, remainder %g", f,
                      square->c[0], square->c[1], square->c[2], mpfr_get_d(off, MPFR_RNDN), made[f].r);
        }
    }
}

TEST(functions_of_squares_are_held_by_their_models) {
    test_random random = {71};
    for (int i = 0; i < 20000; i++) {
        real_reset();
        gz_taylor square = {.c = {random_square(&random, i)}};
        double width = square.c[0] * ldexp(1, -(int)test_random_below(&random, i % 2 ? 60 : 3));
        square.c[1] = test_random_between(&random, -width, width);
        if (i % 5 == 0) square.c[2] = test_random_unit(&random) * (width - fabs(square.c[1]));
        if (i % 7 == 0) square.r = ldexp(width, -30);
        gz_taylor_close(&square);
        check_functions(&square, &random);
    }
}

/* Close to 0, and where the bound for far squares takes over, remainders are little more than what is left out. */
TEST(remainders_are_what_order_three_leaves_out) {
    test_random random = {72};
    for (int i = 0; i < 400; i++) {
        real_reset();
        gz_taylor square = {.c = {i % 2 ? 0.5 : test_random_between(&random, 10, 40), 0.4}};
        gz_taylor_close(&square);
        check_functions(&square, &random);
    }
}

/* ---- frames ---- */

static void random_vector(test_random *random, int i, double v[3]) {
    double size = i % 4 == 0   ? size_of(random, -1074, -400)
                  : i % 4 == 1 ? size_of(random, -60, 3)
                  : i % 4 == 2 ? PI * (double)(1 + test_random_below(random, 6)) / sqrt(3)
                               : size_of(random, 3, 18);
    for (int c = 0; c < 3; c++) v[c] = i % 4 == 2 ? size : test_random_between(random, -size, size);
    if (i % 5 == 0) v[(i / 5) % 3] = 0;
}

static void check_frame(const double from[3], const double to[3], double begin, double end, double t) {
    gz_rotvec path = gz_rotvec_between(from, to);
    double m = 0.5 * (begin + end), h = fmax(end - m, m - begin) * GZ_TAYLOR_UP;
    gz_frame_model frame;
    gz_rotvec_frame(&path, (gz_window){m, h}, &frame);
    real s = h > 0 ? real_div(real_sub(real_of(t), real_of(m)), real_of(h)) : real_of(0), r[3][3];
    real_matrix(real_exponential(real_between(from, to, real_of(t))), r);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            gz_taylor entry = gz_frame_entry(&frame, i, j);
            real off = real_sub(r[i][j], value_at(&entry, s));
            mpfr_abs(off, off, MPFR_RNDN);
            CHECK_MSG(mpfr_cmp_d(off, entry.r) <= 0,
                      "entry %d %d from (%a, %a, %a) to (%a, %a, %a) at %a: off by %g, remainder %g", i, j, from[0],
                      from[1], from[2], to[0], to[1], to[2], t, mpfr_get_d(off, MPFR_RNDN), entry.r);
        }
}

TEST(frames_hold_the_exact_rotation) {
    test_random random = {73};
    for (int i = 0; i < 6000; i++) {
        real_reset();
        double from[3], to[3], t = test_random_unit(&random), w = ldexp(1, -(int)test_random_below(&random, 30));
        random_vector(&random, i, from);
        random_vector(&random, (int)test_random_below(&random, 20), to);
        if (i % 3 == 0)
            for (int c = 0; c < 3; c++) to[c] = -from[c] * (1 + ldexp(test_random_unit(&random), -20)); /* across 0 */
        if (i % 7 == 0) w = 0;
        check_frame(from, to, fmax(0, t - w), fmin(1, t + w * test_random_unit(&random)), t);
    }
}

/* A motion of a radian or so is known to all digits over a short window, at any length of its vectors. */
TEST(short_windows_leave_little) {
    static const double lengths[] = {1e-300, 1e-3, 1, 3, 6, 30, 1000, 1e5, 1e6};
    for (int i = 0; i < 9; i++) {
        double x = lengths[i] / sqrt(3), from[3] = {x, x, -x}, to[3] = {x + 0.5, x - 0.5, -x};
        gz_rotvec path = gz_rotvec_between(from, to);
        gz_frame_model frame;
        double w = 0x1p-12 / fmax(1, lengths[i] / 100), most = 0;
        gz_rotvec_frame(&path, (gz_window){0.5, w}, &frame);
        for (int k = 0; k < 9; k++) most = fmax(most, frame.r[k / 3][k % 3]);
        CHECK_MSG(most < 1e-12 * fmax(1, lengths[i]), "length %g: %g", lengths[i], most);
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
