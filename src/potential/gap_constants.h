/* Choices of gap.c, which no proof rests on. */
#ifndef GZ_POTENTIAL_GAP_CONSTANTS_H
#define GZ_POTENTIAL_GAP_CONSTANTS_H

#define GZ_GAP_ROUNDING                                                                                                \
    0x1p-46 /* of its size: more than a distance errs by, and what is left out is 0 but for rounding */
#define GZ_GAP_PARALLEL_TELLS 1e-20 /* squared sine of the angle of two motions below which they count as one */

#endif
