/* Separations far below the last bit of the coordinates: decided between none and a larger one, in short integers. */
#ifndef GZ_EXACT_TINY_H
#define GZ_EXACT_TINY_H

#include "exact/solve.h"

/* False when the separation is not tiny, or when the two do not tell: then nothing is known, and `answer` is not
   written. */
bool gz_decide_tiny(gz_arena_home home, const gz_exact_question *question, gz_exact_answer *answer);

/* Writes a gz_exact_answer; a gz_use_solution. */
gz_use_solution gz_take_answer;

#endif
