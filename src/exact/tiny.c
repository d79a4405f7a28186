/* Integers that hold coordinates and a separation of 2^-1074 have a thousand bits, and polynomials of them ten
 * thousand.
 *
 * Contact with a separation d begins no later than touching, and no earlier than contact with a separation above d.
 * Both of these have short integers. Where neither is a contact, d is none; where both begin between the same two
 * doubles, so does d. docs/numerics.md, section 5. */
#include "exact/tiny.h"

#include "exact/touch.h"

#include <float.h>
#include <math.h>

#define ROOM 64  /* bits between the coordinates' last and the larger separation */
#define LONG 128 /* a separation whose last bit is so far below theirs costs more than two answers */

/* The exponent of the last bit of x; DBL_MAX_EXP for 0. */
static int last_bit(double x) {
    int exponent;
    int64_t n = (int64_t)(frexp(x, &exponent) * 0x1p53);
    return n == 0 ? DBL_MAX_EXP : exponent - 53 + __builtin_ctzll((uint64_t)n);
}

static int last_bit_of_points(const gz_exact_question *question) {
    int rows = question->kind == GRAZE_PP ? 2 : question->kind == GRAZE_PE ? 3 : 4, least = DBL_MAX_EXP;
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < 3; c++) {
            int x0 = last_bit(question->query->x0[i][c]), x1 = last_bit(question->query->x1[i][c]);
            least = x0 < least ? x0 : least;
            least = x1 < least ? x1 : least;
        }
    return least;
}

/* A power of two above the separation with its radii, 2^-ROOM of the coordinates' last bit; 0 where they are not tiny.
 */
static double larger_of(const gz_exact_question *question) {
    const double parts[3] = {question->separation, question->radii[0], question->radii[1]};
    int points = last_bit_of_points(question), least = DBL_MAX_EXP;
    for (int i = 0; i < 3; i++) {
        int last = last_bit(parts[i]);
        least = last < least ? last : least;
    }
    if (question->norm != GRAZE_NORM_EUCLIDEAN || points == DBL_MAX_EXP || least > points - LONG) return 0;
    double larger = ldexp(1, points - ROOM);
    for (int i = 0; i < 3; i++)
        if (parts[i] > larger / 4) return 0;
    return larger;
}

typedef struct touching {
    double larger;
    gz_exact_answer answer;
    bool known;   /* u and v are those of any contact within `larger` between the two times */
    double below; /* … this one and answer.upper */
} touching;

/* Contact with a separation begins before touching does: where that is at a double, below it. */
static void take_touching(void *state, gz_pair *pair, gz_root_search *search) {
    touching *found = state;
    gz_exact_answer *answer = &found->answer;
    gz_place place;
    gz_take_answer(answer, pair, search);
    if (!answer->hit || answer->upper == 0) return;
    found->below = answer->lower < answer->upper ? answer->lower : nextafter(answer->lower, 0);
    found->known = gz_bound_parameters(pair, found->below, found->larger, &place);
    for (int i = 0; i < 2 && found->known; i++) {
        answer->u[i] = place.bounds[0][i];
        answer->v[i] = place.bounds[1][i];
    }
}

/* True if contact within `larger`, and so any between it and touching, begins between the same two doubles. */
static bool agree(const touching *touch, const gz_exact_answer *within) {
    if (within->hit != touch->answer.hit) return false;
    return !within->hit || (within->lower == touch->below && within->upper == touch->answer.upper);
}

bool gz_decide_tiny(gz_arena_home home, const gz_exact_question *question, gz_exact_answer *answer) {
    double larger = larger_of(question);
    if (larger == 0) return false;
    gz_exact_question other = *question;
    touching touch = {.larger = larger};
    gz_exact_answer within;
    other.separation = other.radii[0] = other.radii[1] = 0;
    if (!gz_solve(home, &other, take_touching, &touch)) return false;
    bool at_start = touch.answer.hit && touch.answer.upper == 0; /* and so with any separation */
    if (touch.answer.hit && !at_start && !touch.known) return false;
    other.separation = larger;
    if (!at_start && !(gz_solve(home, &other, gz_take_answer, &within) && agree(&touch, &within))) return false;
    *answer = touch.answer;
    if (answer->hit && !at_start) answer->lower = touch.below;
    return true;
}
