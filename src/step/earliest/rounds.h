/* The fused step on a large mesh. */
#ifndef GZ_STEP_EARLIEST_ROUNDS_H
#define GZ_STEP_EARLIEST_ROUNDS_H

#include "step/earliest/fused.h"

/* Every pair, by a tree that shrinks with the window. False when there is no memory. */
bool gz_fused_rounds(gz_fused *f);

#endif
