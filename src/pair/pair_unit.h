/* All of one pair in a single unit, for a compiler that is not the library's: a device's. What these files define is
   marked GZ_PAIR_FN, needs no context and includes nothing of the CPU's; gz_certified_pair and gz_certified_finish with
   `ask` NULL, first_kernel, d_round_kernel and gz_certified_after are the ways in. Compile without contraction, with
   IEEE division and square root and with subnormals (nvcc: --fmad=false --prec-div=true --prec-sqrt=true --ftz=false):
   then every answer has the bits of the CPU's. */
#ifndef GZ_PAIR_PAIR_UNIT_H
#define GZ_PAIR_PAIR_UNIT_H

#include "pair/adjacent.c"
#include "pair/careful.c"
#include "pair/contact.c"
#include "pair/finish.c"
#include "pair/motion.c"
#include "pair/pair.c"
#include "pair/thick.c"
#include "pair/volume.c"

#endif
