/* Pairs whose edges, offsets, motions and separation each have a size of their own, the same on every machine.
 *
 * Tests that scale a pair as a whole never see an edge of 2^-300 beside one of 1. Here every vector is drawn between
 * 2^-500 and 1 of the pair's size, and the pair's size between the subnormals and 2^160. */
#ifndef GRAZE_TEST_AGREEMENT_DRAW_H
#define GRAZE_TEST_AGREEMENT_DRAW_H

#include "check.h"

/* A query with all that is asked about it. */
typedef struct drawn {
    graze_kind kind;
    graze_query query;
    double separation, t_max;
    double radii[4];
    bool thick;
    bool flattened; /* a vector was drawn with a length, and the doubles hold none of it */
} drawn;

int draw_rows(graze_kind kind);
int draw_rows_of_a(graze_kind kind);

/* Exponent of the size of a whole pair: coordinates stay below 2^160. */
int draw_exponent(test_random *random);

/* In (0, 1]: 2^-500 to 1. */
double draw_size(test_random *random);

/* A vector no longer than about `size`: along an axis, of one size, or with a size for each coordinate. */
void draw_vector(test_random *random, double size, double vector[3]);

/* A pair that comes as close as a drawn gap at a drawn time, before rounding. */
void draw_pair(test_random *random, graze_kind kind, int exponent, drawn *out);

/* Balls in place of a part of the separation: one radius for each primitive (`uniform`), or one for each point. */
void draw_radii(test_random *random, bool uniform, drawn *out);

/* The third coordinate becomes 0, and with it all motion one of the plane. */
void draw_flat(drawn *out);

/* Changes coordinates until (2 x0 + x1) / 3 and (x0 + 2 x1) / 3 are doubles, and writes the straight motion as cubics.
 */
void draw_raised(test_random *random, drawn *out, graze_curve_query *curve);

#endif
