/* The constants that "clear" rests on. Each is derived in docs/numerics.md and tested against exact rationals. */
#ifndef GZ_NUMERICS_ERROR_BOUNDS_H
#define GZ_NUMERICS_ERROR_BOUNDS_H

/* ---- Tight Inclusion (docs/numerics.md, section 2) ----
   On each axis a corner of the inclusion box errs by less than constant · max(x, 1)³, x the largest |coordinate| of the
   pair on that axis; with a separation d, x is also at least d and the bound covers the comparison with it.
   They are the paper's (5) and (8): 56, 60, 64 and 68 times 2⁻⁵³. */
#define GZ_TI_FILTER_EE 0x1.cp-48
#define GZ_TI_FILTER_VF 0x1.ep-48
#define GZ_TI_FILTER_EE_SEPARATION 0x1p-47
#define GZ_TI_FILTER_VF_SEPARATION 0x1.1p-47

#endif
