#include "compared/numerics/polynomial.h"

/* The root between a and b, where p changes its sign: Newton steps while they stay between and help, else halving. */
static double bracketed_root(const gz_polynomial *p, const gz_polynomial *derivative, double a, double b) {
    bool rising = gz_polynomial_value(p, a) < 0;
    double t = 0.5 * (a + b);
    for (int i = 0; i < 200 && t > a && t < b; i++) {
        double value = gz_polynomial_value(p, t);
        if (value == 0) return t;
        double width = b - a;
        if ((value < 0) == rising)
            a = t;
        else
            b = t;
        double newton = t - value / gz_polynomial_value(derivative, t);
        /* a bracket that Newton does not shrink from both sides is halved every third time */
        bool use = newton > a && newton < b && (i % 3 != 2 || b - a < 0.25 * width);
        t = use ? newton : 0.5 * (a + b);
    }
    return a;
}

static gz_polynomial derivative_of(const gz_polynomial *p) {
    gz_polynomial d = {.degree = p->degree > 0 ? p->degree - 1 : 0};
    for (int i = 1; i <= p->degree; i++) d.c[i - 1] = i * p->c[i];
    return d;
}

int gz_polynomial_turns(const gz_polynomial *p, double end, double turns[GZ_POLYNOMIAL_DEGREE + 2]) {
    gz_polynomial d = derivative_of(p);
    return gz_polynomial_roots(&d, end, turns);
}

int gz_polynomial_roots(const gz_polynomial *p, double end, double roots[GZ_POLYNOMIAL_DEGREE + 2]) {
    gz_polynomial trimmed = *p;
    while (trimmed.degree > 0 && trimmed.c[trimmed.degree] == 0) trimmed.degree--;
    if (trimmed.degree == 0) return 0;
    gz_polynomial derivative = derivative_of(&trimmed);

    /* Between the places where it turns, p is monotone (degree 1: it never turns). */
    double turns[GZ_POLYNOMIAL_DEGREE + 2];
    int turn_count = trimmed.degree > 1 ? gz_polynomial_roots(&derivative, end, turns) : 0, count = 0;
    turns[turn_count] = end;
    double a = 0, at_a = gz_polynomial_value(&trimmed, 0);
    if (at_a == 0) roots[count++] = 0;
    for (int i = 0; i <= turn_count; i++) {
        double b = turns[i], at_b = gz_polynomial_value(&trimmed, b);
        if (b <= a) continue;
        if ((at_a < 0 && at_b > 0) || (at_a > 0 && at_b < 0))
            roots[count++] = bracketed_root(&trimmed, &derivative, a, b);
        else if (at_b == 0)
            roots[count++] = b;
        if (count > trimmed.degree) break;
        a = b;
        at_a = at_b;
    }
    return count;
}
