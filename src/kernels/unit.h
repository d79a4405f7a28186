/* Every kernel, for the instruction set that the including unit names: see numerics/lanes.h. */
#include "kernels/kernels.h"

#include "articulated/wide/children_kernel.h"
#include "broad/brute_kernel.h"
#include "broad/bvh_kernel.h"
#include "broad/few_kernel.h"
#include "broad/fill_kernel.h"
#include "broad/hilbert_kernel.h"
#include "broad/windows_kernel.h"
#include "motion/frame_kernel.h"
#include "numerics/ieee_kernel.h"
#include "pair/certified_first_kernel.h"
#include "pair/curve_first_kernel.h"
#include "pair/far_kernel.h"
#include "world/extreme_kernel.h"

#include "numerics/as_float.h"

#include "pair/certified_kernel.h"

#include "numerics/as_double.h"

#include "pair/certified_kernel.h"

#include "pair/parting_kernel.h"

#include "articulated/distance/faces_kernel.h"

#include "potential/gaps_kernel.h"

#if GRAZE_COMPARED
#include "compared/narrow/ti_kernel.h"
#define GZ_COMPARED_KERNELS .ti = ti_kernel, .ti_prepare = ti_prepare_kernel, .ti_range = ti_range_kernel,
#else
#define GZ_COMPARED_KERNELS
#endif

#define GZ_KERNELS(which, narrower)                                                                                    \
    {                                                                                                                  \
        .isa = which, .doubles = d_width, .floats = f_width, .half = narrower, .first = first_kernel,                  \
        .curve_first = curve_first_kernel, .round = d_round_kernel, .round_f32 = f_round_kernel,                       \
        GZ_COMPARED_KERNELS.brute = brute_kernel, .few = few_kernel, .bvh = bvh_kernel, .windows = windows_kernel,     \
        .fill = fill_kernel, .hilbert = hilbert_kernel, .apart = apart_kernel, .apart_still = apart_still_kernel,      \
        .gaps = gap_kernel, .faces = faces_kernel, .children = children_kernel,                                        \
        .children_still = children_still_kernel, GZ_FRAME_KERNELS, .far = far_kernel, .parted = parted_kernel,         \
        .stops = stops_kernel, .distances = distances_kernel, .closest = closest_kernel,                               \
        .contact_gaps = contact_gaps_kernel, .lowest = lowest_kernel, .highest = highest_kernel, .ieee = ieee_kernel   \
    }
