#include "potential/barrier.h"

#include "base/self_test.h"
#include "potential/parallel_edges.h"

#include <math.h>
#include <string.h>

/* Two unit vectors that are orthogonal to the unit vector n and to each other. */
static void tangents_of(gz_vec3 n, double out[2][3]) {
    const double *c = n.c;
    int least = fabs(c[0]) < fabs(c[1]) ? (fabs(c[0]) < fabs(c[2]) ? 0 : 2) : (fabs(c[1]) < fabs(c[2]) ? 1 : 2);
    gz_vec3 axis = {{least == 0, least == 1, least == 2}}, first = gz_vec3_cross(n, axis);
    first = gz_vec3_scale(first, 1 / gz_vec3_norm(first));
    gz_vec3 second = gz_vec3_cross(n, first);
    memcpy(out[0], first.c, sizeof out[0]);
    memcpy(out[1], second.c, sizeof out[1]);
}

static void make(const graze_contact *contact, const double (*x)[3], const graze_potential_options *options,
                 double coefficient, graze_friction *out) {
    gz_gap gap;
    gz_barrier_value b;
    if (!gz_gap_find(contact->kind, x, options->distance + contact->offset, &gap)) return;
    if (!gz_barrier_at(&gap, contact->offset, options, &b) || !(b.value < INFINITY) || !(gap.square.hi > 0)) return;
    double distance = sqrt(gap.square.hi), factor = gz_parallel_is(contact, x) ? gz_parallel_factor(contact, x) : 1;
    memcpy(out->weights, gap.weight, sizeof out->weights);
    tangents_of(gz_vec3_scale(gap.vector, 1 / distance), out->tangents);
    out->force = coefficient * options->stiffness * contact->multiplicity * factor * -b.first * 2 * distance;
}

graze_status graze_friction_make(const graze_contact *contact, const double (*x)[3],
                                 const graze_potential_options *given, double coefficient, graze_friction *friction) {
    gz_fp_environment env;
    graze_potential_options options;
    if (!friction) return GRAZE_ERR_INVALID_ARGUMENT;
    bool apart = gz_rows_apart(friction, sizeof *friction, x);
    memset(friction, 0, sizeof *friction);
    if (!apart || !(coefficient >= 0 && coefficient < INFINITY)) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = gz_contact_read(contact, x, given, &options);
    if (status != GRAZE_OK) return status;
    if (!gz_enter(&env)) return GRAZE_ERR_FP_ENVIRONMENT;
    friction->kind = contact->kind;
    memcpy(friction->vertices, contact->vertices, sizeof friction->vertices);
    make(contact, x, &options, coefficient, friction);
    gz_fp_leave(&env);
    return GRAZE_OK;
}

/* ---- sliding ---- */

/* Energy of a unit force over a sliding distance, its slope divided by the distance, and (second derivative − that)
   divided by its square. */
typedef struct sliding {
    double value, first, second;
} sliding;

static sliding slide(double y, double slip) {
    if (!(y < slip)) return (sliding){y, 1 / y, -1 / (y * y * y)};
    return (sliding){y * y / slip * (1 - y / (3 * slip)) + slip / 3, 2 / slip - y / (slip * slip),
                     y > 0 ? -1 / (slip * slip * y) : 0};
}

void gz_friction_term(const graze_friction *friction, const double (*x0)[3], const double (*x)[3],
                      const graze_potential_options *options, graze_order order, graze_term *term) {
    int rows = 3 * gz_kind_rows(friction->kind);
    gz_vec3 motion = {{0}};
    double u[2], across[2][GZ_TERM], along[GZ_TERM], force = friction->force;
    gz_term_begin(term, force > 0 ? rows : 0, order);
    if (!(force > 0)) return;
    for (int i = 0; i < rows; i++) motion.c[i % 3] += friction->weights[i / 3] * (x[i / 3][i % 3] - x0[i / 3][i % 3]);
    for (int k = 0; k < 2; k++) u[k] = gz_vec3_dot(gz_vec3_of(friction->tangents[k]), motion);
    sliding f = slide(sqrt(u[0] * u[0] + u[1] * u[1]), options->slip);
    term->value = force * f.value;
    if (order < GRAZE_ORDER_GRADIENT) return;
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < 2; k++) across[k][i] = friction->weights[i / 3] * friction->tangents[k][i % 3];
        along[i] = u[0] * across[0][i] + u[1] * across[1][i];
        term->gradient[i] = force * f.first * along[i];
    }
    if (order < GRAZE_ORDER_HESSIAN) return;
    for (int k = 0; k < 2; k++) gz_term_outer(term, force * f.first, across[k]);
    gz_term_outer(term, force * f.second, along);
}

graze_status graze_friction_term(const graze_friction *friction, const double (*x0)[3], const double (*x)[3],
                                 const graze_potential_options *given, graze_order order, graze_term *term) {
    gz_fp_environment env;
    graze_potential_options options;
    if (!term) return GRAZE_ERR_INVALID_ARGUMENT;
    bool apart = gz_rows_apart(term, sizeof *term, x0) && gz_rows_apart(term, sizeof *term, x);
    gz_term_begin(term, 0, GRAZE_ORDER_HESSIAN);
    if (!apart || !friction || !x0 || !x || (unsigned)order > GRAZE_ORDER_PROJECTED ||
        (unsigned)friction->kind > GRAZE_PP)
        return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = gz_potential_options_read(NULL, given, &options);
    if (status == GRAZE_OK) status = gz_rows_check(friction->kind, x0);
    if (status == GRAZE_OK) status = gz_rows_check(friction->kind, x);
    if (status != GRAZE_OK) return status;
    if (!gz_enter(&env)) return GRAZE_ERR_FP_ENVIRONMENT;
    gz_friction_term(friction, x0, x, &options, order, term);
    gz_fp_leave(&env);
    return GRAZE_OK;
}
