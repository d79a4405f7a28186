#include "potential/barrier.h"

#include "base/context.h"
#include "base/overlap.h"
#include "base/self_test.h"
#include "base/sizes.h"
#include "potential/parallel_edges.h"

#include <math.h>

static gz_barrier_value logarithmic(double s, double square, double reach) {
    double part = s / reach, ln = part > -0.5 ? log1p(part) : log(square / reach);
    return (gz_barrier_value){.value = -s * s * ln,
                              .first = -2 * s * ln - s * s / square,
                              .second = -2 * ln - 4 * s / square + s * s / (square * square)};
}

bool gz_barrier_at(const gz_gap *gap, double offset, const graze_potential_options *options,
                   gz_barrier_value *barrier) {
    gz_dd most = dd_two_sum(options->distance, offset), most_square = dd_mul(most, most);
    gz_dd least_square = dd_two_product(offset, offset);
    double s = dd_sub(gap->square, most_square).hi, square = dd_sub(gap->square, least_square).hi;
    if (!(s < 0)) return false;
    if (options->barrier == GRAZE_BARRIER_QUADRATIC)
        *barrier = (gz_barrier_value){.value = s * s, .first = 2 * s, .second = 2};
    else if (square > 0)
        *barrier = logarithmic(s, square, dd_sub(most_square, least_square).hi);
    else
        *barrier = (gz_barrier_value){.value = INFINITY};
    return true;
}

/* From the squared distance to the barrier. */
static void chain(const gz_barrier_value *b, graze_order order, graze_term *term) {
    term->value = b->value;
    if (order >= GRAZE_ORDER_HESSIAN) {
        for (int i = 0; i < term->rows; i++)
            for (int j = 0; j < term->rows; j++) term->hessian[i][j] *= b->first;
        gz_term_outer(term, b->second, term->gradient);
    }
    for (int i = 0; i < term->rows; i++) term->gradient[i] *= b->first;
}

void gz_contact_term_of(const graze_contact *contact, const double (*x)[3], const gz_gap *gap,
                        const graze_potential_options *options, graze_order order, graze_term *term) {
    gz_barrier_value b;
    if (!gap || !gz_barrier_at(gap, contact->offset, options, &b)) {
        gz_term_begin(term, 0, order);
        return;
    }
    if (b.value == INFINITY) {
        gz_term_begin(term, 3 * gz_kind_rows(contact->kind), order);
        term->value = INFINITY;
        return;
    }
    gz_gap_term(contact->kind, gap, order, term);
    chain(&b, order, term);
    bool softened = gz_parallel_is(contact, x);
    if (softened) gz_parallel_soften(contact, x, order, term);
    if (order >= GRAZE_ORDER_PROJECTED && softened) gz_term_project(&term->hessian[0][0], GZ_TERM, GZ_TERM);
    if (order >= GRAZE_ORDER_PROJECTED && !softened) gz_gap_project(gap, term);
    gz_term_scale(term, options->stiffness * contact->multiplicity, order);
}

void gz_contact_term(const graze_contact *contact, const double (*x)[3], const graze_potential_options *options,
                     graze_order order, graze_term *term) {
    gz_gap gap;
    bool near = gz_gap_find(contact->kind, x, options->distance + contact->offset, &gap);
    gz_contact_term_of(contact, x, near ? &gap : NULL, options, order, term);
}

/* ---- options and the public face ---- */

static const graze_potential_options option_defaults = {
    .struct_size = sizeof option_defaults, .distance = 1e-3, .stiffness = 1, .slip = 1e-5};

void graze_init_potential_options(graze_potential_options *options, size_t size) {
    gz_sized_init(options, size, &option_defaults, sizeof option_defaults);
}

static graze_status bad(graze_context *context, const char *what) {
    return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "%s", what);
}

graze_status gz_potential_options_read(graze_context *context, const graze_potential_options *given,
                                       graze_potential_options *options) {
    *options = option_defaults;
    if (!given) return GRAZE_OK;
    graze_status status = gz_sized_read(context, "potential options", options, sizeof *options,
                                        GZ_SIZE_UP_TO(graze_potential_options, stride), given);
    if (status != GRAZE_OK) return status;
    if ((unsigned)options->barrier > GRAZE_BARRIER_QUADRATIC) return bad(context, "barrier names none");
    if (!(options->distance > 0 && options->distance <= GRAZE_MAX_COORDINATE))
        return bad(context, "distance must lie in (0, 2^160]");
    if (!(options->stiffness >= 0 && options->stiffness < INFINITY))
        return bad(context, "stiffness must be finite, not negative");
    if (!(options->slip > 0 && options->slip < INFINITY)) return bad(context, "slip must be finite and more than 0");
    return GRAZE_OK;
}

/* Two rows are read of every kind. */
bool gz_rows_apart(const void *result, size_t bytes, const double (*x)[3]) {
    return !gz_overlap(gz_bytes_at(result, bytes), gz_bytes_at(x, 2 * sizeof *x));
}

graze_status gz_rows_check(graze_kind kind, const double (*x)[3]) {
    for (int i = 0; i < 3 * gz_kind_rows(kind); i++) {
        double size = fabs(x[i / 3][i % 3]);
        if (!(size <= GRAZE_MAX_COORDINATE)) return isfinite(size) ? GRAZE_ERR_OUT_OF_RANGE : GRAZE_ERR_NOT_FINITE;
    }
    return GRAZE_OK;
}

graze_status gz_contact_read(const graze_contact *contact, const double (*x)[3], const graze_potential_options *given,
                             graze_potential_options *options) {
    if (!contact || !x || (unsigned)contact->kind > GRAZE_PP) return GRAZE_ERR_INVALID_ARGUMENT;
    if (!(contact->offset >= 0 && contact->offset <= GRAZE_MAX_COORDINATE && contact->parallel >= 0))
        return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = gz_potential_options_read(NULL, given, options);
    return status == GRAZE_OK ? gz_rows_check(contact->kind, x) : status;
}

graze_status graze_contact_term(const graze_contact *contact, const double (*x)[3],
                                const graze_potential_options *given, graze_order order, graze_term *term) {
    gz_fp_environment env;
    graze_potential_options options;
    if (!term) return GRAZE_ERR_INVALID_ARGUMENT;
    bool apart = gz_rows_apart(term, sizeof *term, x);
    gz_term_begin(term, 0, GRAZE_ORDER_HESSIAN);
    if (!apart || (unsigned)order > GRAZE_ORDER_PROJECTED) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = gz_contact_read(contact, x, given, &options);
    if (status != GRAZE_OK) return status;
    if (!gz_enter(&env)) return GRAZE_ERR_FP_ENVIRONMENT;
    gz_contact_term(contact, x, &options, order, term);
    gz_fp_leave(&env);
    return GRAZE_OK;
}
