/* All of one pair in a single unit, for a compiler that is not the library's: a device's. What these files define is
   marked GZ_PAIR_FN, needs no context and includes nothing of the CPU's; gz_certified_pair and gz_certified_finish with
   `ask` NULL, first_kernel, d_round_kernel and gz_certified_after are the ways in. Compile without contraction, with
   IEEE division and square root and with subnormals (nvcc: --fmad=false --prec-div=true --prec-sqrt=true --ftz=false):
   then every answer has the bits of the CPU's. */
#ifndef GZ_NARROW_PAIR_UNIT_H
#define GZ_NARROW_PAIR_UNIT_H

#include "narrow/adjacent.c"
#include "narrow/careful.c"
#include "narrow/contact.c"
#include "narrow/finish.c"
#include "narrow/motion.c"
#include "narrow/pair.c"
#include "narrow/thick.c"
#include "narrow/volume.c"

#endif
