/* Method `oracle`: exact arithmetic and nothing else. The verdict and its bracket are exact; the contact's parameters
   are middles of narrow enclosures; its point and normal are worked out from them in plain floating point. */
#include "narrow/method.h"

#include "exact/decide.h"

#include <float.h>
#include <math.h>

/* Coordinates divided by a power of two, so that no product below overflows. */
typedef struct scaled_pair {
    double x0[4][3], x1[4][3];
    int exponent;
} scaled_pair;

static void scale(graze_kind kind, const graze_query *query, scaled_pair *pair) {
    int rows = gz_kind_rows(kind);
    double largest = 0;
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < 3; c++) largest = fmax(largest, fmax(fabs(query->x0[i][c]), fabs(query->x1[i][c])));
    frexp(largest, &pair->exponent);
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < 3; c++) {
            pair->x0[i][c] = ldexp(query->x0[i][c], -pair->exponent);
            pair->x1[i][c] = ldexp(query->x1[i][c], -pair->exponent);
        }
}

static double position(const scaled_pair *pair, double t, int row, int c) {
    return (1 - t) * pair->x0[row][c] + t * pair->x1[row][c];
}

/* The contact's points at another time: `a` on the vertex (edge a, point), `b` on the face (edge b, edge, point b). */
static void contact_points(const scaled_pair *pair, graze_kind kind, double u, double v, double t, double a[3],
                           double b[3]) {
    for (int c = 0; c < 3; c++) {
        double x[4] = {0};
        for (int i = 0; i < gz_kind_rows(kind); i++) x[i] = position(pair, t, i, c);
        a[c] = kind == GRAZE_EE ? x[0] + u * (x[1] - x[0]) : x[0];
        b[c] = x[1];
        if (kind == GRAZE_VF) b[c] = x[1] + u * (x[2] - x[1]) + v * (x[3] - x[1]);
        if (kind == GRAZE_EE) b[c] = x[2] + v * (x[3] - x[2]);
        if (kind == GRAZE_PE) b[c] = x[1] + u * (x[2] - x[1]);
    }
}

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Makes it a unit vector; false when there is no direction in it. */
static bool make_unit(double a[3]) {
    double largest = fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));
    if (!(largest > 0)) return false;
    int exponent;
    frexp(largest, &exponent);
    for (int c = 0; c < 3; c++) a[c] = ldexp(a[c], -exponent);
    double length = sqrt(dot(a, a));
    for (int c = 0; c < 3; c++) a[c] /= length;
    return true;
}

/* e1 × e2 as a unit vector, where a kind has it. */
static bool plane_normal(const scaled_pair *pair, graze_kind kind, double t, double n[3]) {
    if (kind != GRAZE_VF && kind != GRAZE_EE) return false;
    double e1[3], e2[3];
    for (int c = 0; c < 3; c++) {
        int from1 = kind == GRAZE_VF ? 1 : 0, to1 = kind == GRAZE_VF ? 2 : 1, from2 = kind == GRAZE_VF ? 1 : 2;
        e1[c] = position(pair, t, to1, c) - position(pair, t, from1, c);
        e2[c] = position(pair, t, 3, c) - position(pair, t, from2, c);
    }
    if (!make_unit(e1) || !make_unit(e2)) return false;
    for (int c = 0; c < 3; c++) n[c] = e1[(c + 1) % 3] * e2[(c + 2) % 3] - e1[(c + 2) % 3] * e2[(c + 1) % 3];
    return make_unit(n);
}

/* Before they touch, the contact's own points a and b differ by a vector of constant direction: it tells the side. */
static void find_normal(const scaled_pair *pair, const gz_narrow_call *call, const graze_result *result,
                        double normal[3]) {
    double a[3], b[3], n[3], apart[3];
    bool known = false;
    if (call->separation > 0) {
        contact_points(pair, call->kind, result->u, result->v, result->toi, a, b);
        for (int c = 0; c < 3; c++) normal[c] = a[c] - b[c];
        known = make_unit(normal);
    }
    if (known) return;
    /* a contact at t = 0 has no time before it: go on backwards from t = 1 */
    double t = result->toi > 0 ? 0 : 1;
    contact_points(pair, call->kind, result->u, result->v, t, a, b);
    for (int c = 0; c < 3; c++) apart[c] = t > 0 ? b[c] - a[c] : a[c] - b[c];
    bool moved = make_unit(apart), spanned = plane_normal(pair, call->kind, result->toi, n);
    double side = moved && spanned ? dot(apart, n) : 0;
    bool across = fabs(side) > 0x1p-40; /* else they move in the plane, and its normal tells nothing */
    for (int c = 0; c < 3; c++) {
        if (spanned && (across || !moved))
            normal[c] = side < 0 ? -n[c] : n[c];
        else
            normal[c] = moved ? apart[c] : c == 2;
    }
}

static void solve(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    gz_exact_answer answer;
    call->counts->oracle_calls++;
    call->counts->checks++;
    result->checks = 1;
    if (!gz_exact_decide(call->context, call->worker, call->kind, query, call->separation, call->t_max, &answer)) {
        result->reason = GRAZE_REASON_MEMORY;
        return;
    }
    if (!answer.hit) {
        gz_result_clear(result, call->t_max);
        return;
    }
    result->verdict = GRAZE_HIT;
    result->proven = 1;
    result->toi = answer.lower;
    result->toi_upper = answer.upper;
    result->u = 0.5 * (answer.u[0] + answer.u[1]);
    result->v = 0.5 * (answer.v[0] + answer.v[1]);
    scaled_pair pair;
    scale(call->kind, query, &pair);
    double a[3], b[3];
    contact_points(&pair, call->kind, result->u, result->v, result->toi, a, b);
    for (int c = 0; c < 3; c++) {
        double x = ldexp(call->kind == GRAZE_EE ? a[c] : b[c], pair.exponent);
        result->point[c] = fmin(fmax(x, -DBL_MAX), DBL_MAX);
    }
    find_normal(&pair, call, result, result->normal);
}

const gz_method gz_method_oracle = {
    .info = {.method = GRAZE_METHOD_ORACLE,
             .name = "oracle",
             .summary = "exact arithmetic only",
             .available = 1,
             .conservative = 1,
             .exact = 1,
             .gives_toi = 1,
             .kinds = 1u << GRAZE_VF | 1u << GRAZE_EE | 1u << GRAZE_PE | 1u << GRAZE_PP},
    .solve = solve,
    .any_finite = 1,
    .windowed = 1,
};
