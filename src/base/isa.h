/* Which instruction set to run. GRAZE_HAVE_* say what this build has code for; see the per-ISA translation units. */
#ifndef GZ_BASE_ISA_H
#define GZ_BASE_ISA_H

#include "graze/base.h"

/* The best available one for AUTO (GRAZE_ISA overrides it); an unavailable request gives GRAZE_ISA_AUTO back. */
graze_isa gz_isa_resolve(graze_isa requested);

/* What the environment variable GRAZE_ISA asks for; false when it names nothing that can run here. */
int gz_isa_from_environment(graze_isa *isa);

#endif
