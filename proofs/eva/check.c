/* The proof of a pair: any finite coordinates, any claims, pieces of every kind. */
#include "verify/verify.h"

#include "__fc_builtin.h"
#include <float.h>
#include <math.h>

static double any(void) { return Frama_C_double_interval(-DBL_MAX, DBL_MAX); }
static double in_unit(void) { return Frama_C_double_interval(0, 1); }
static double not_negative(void) { return Frama_C_double_interval(0, DBL_MAX); }

static void check(verify_kind kind) {
    enum { PIECES = 3 };
    verify_piece pieces[PIECES];
    for (int i = 0; i < PIECES; i++)
        pieces[i] = (verify_piece){.proof = Frama_C_interval(VERIFY_DIRECTION, VERIFY_DECIDED),
                                   .n = {any(), any(), any()},
                                   .t0 = in_unit(),
                                   .t1 = in_unit()};
    verify_pair pair = {.kind = kind,
                        .separation = not_negative(),
                        .t_max = in_unit(),
                        .verdict = Frama_C_interval(VERIFY_CLEAR, VERIFY_UNRESOLVED),
                        .toi = in_unit(),
                        .toi_upper = Frama_C_nondet(0, 1) ? in_unit() : INFINITY,
                        .free = pieces,
                        .free_count = PIECES,
                        .contact = Frama_C_interval(VERIFY_NO_CONTACT, VERIFY_WITNESS),
                        .at = {any(), any()}};
    for (int i = 0; i < 4; i++) {
        pair.radii[i] = not_negative();
        for (int c = 0; c < 3; c++) pair.x0[i][c] = any(), pair.x1[i][c] = any();
    }
    char reason[VERIFY_TEXT];
    verify_check(&pair, reason);
}

int main(void) {
    check(VERIFY_VF);
    check(VERIFY_EE);
    check(VERIFY_PE);
    check(VERIFY_PP);
    return 0;
}
