/* Chooses the instruction set to run. */
#ifndef GZ_BASE_ISA_H
#define GZ_BASE_ISA_H

#include "graze/base.h"

/* The best available one for AUTO (GRAZE_ISA overrides it); an unavailable request gives GRAZE_ISA_AUTO back. */
graze_isa gz_isa_resolve(graze_isa requested);

/* The choice of the environment variable GRAZE_ISA; false when it names nothing that can run here. */
int gz_isa_from_environment(graze_isa *isa);

/* The kernels of `isa`, which is not AUTO: src/kernels/ has them. NULL where this build has none. */
const struct gz_kernels *gz_kernels_of(graze_isa isa);

#endif
