/// Swept volumes: an octree of the space that a link passes through during a motion, for safety zones.
#ifndef GRAZE_SWEPT_H
#define GRAZE_SWEPT_H

#include "graze/articulated.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Proven state of a cell, a closed cube.
typedef enum graze_cell_state {
    GRAZE_CELL_OUTSIDE = 0, ///< no point of the link is ever in it
    GRAZE_CELL_TOUCHED,     ///< some point of the link is in it at some time
    GRAZE_CELL_UNDECIDED,   ///< neither is proven
} graze_cell_state;

/// Resolution of the octree. Begin with graze_default_swept_options().
typedef struct graze_swept_options {
    size_t struct_size;
    double size;        ///< > 0: the side of the smallest cells is the largest power of two that is at most this
    uint64_t max_cells; ///< about the most cells; at the limit some larger cells stay UNDECIDED. 0: 4·10⁶
} graze_swept_options;

/// A leaf of the octree: the cube from center − half to center + half, exactly. Its size is fixed.
typedef struct graze_swept_cell {
    double center[3], half;
    int32_t state; ///< graze_cell_state
    int32_t reserved;
} graze_swept_cell;

/// Result of graze_model_swept().
typedef struct graze_swept_result {
    size_t struct_size;
    graze_swept_cell *cells; ///< all leaves; they fill the root cube. Owned: graze_swept_release
    size_t cell_count;
    size_t cell_size;                 ///< bytes from one of `cells` to the next
    uint64_t counts[3];               ///< cells by state
    double root_center[3], root_half; ///< no part of the link is ever outside the root cube
    int32_t whole;                    ///< nonzero: nothing ended the search early; only smallest cells are UNDECIDED
} graze_swept_result;

GRAZE_DEFAULTS(graze_swept_options, graze_default_swept_options, graze_init_swept_options)
GRAZE_DEFAULTS(graze_swept_result, graze_default_swept_result, graze_init_swept_result)

/// Builds an octree of what a link of a model sweeps, padding included, on the context's threads.
///
/// Guarantee: an OUTSIDE cell shares no point with the link at any time, neither with its triangles, grown by their
/// padding, nor with the inside of its closed parts. A TOUCHED cell does at some time. As in graze_articulated_step(),
/// joint values are exact numbers, and the bounds cover rounding. Where max_cells, the cancel callback or the deadline
/// ends the search, larger cells are UNDECIDED. Bits do not depend on the number of threads, unless the call is
/// cancelled.
///
/// @param motions   one for each of `segments` segments, in order
/// @param options   `size` must be set
/// @param result    from graze_default_swept_result(); on any status but GRAZE_OK it is empty. A size that would take
///                  more than 30 levels is GRAZE_ERR_OUT_OF_RANGE, a link without triangles GRAZE_ERR_INVALID_ARGUMENT
GRAZE_API graze_status graze_model_swept(graze_context *context, const graze_model *model, uint32_t link,
                                         const graze_motion *motions, size_t segments,
                                         const graze_swept_options *options, graze_swept_result *result);

/// Releases result->cells.
GRAZE_API void graze_swept_release(graze_context *context, graze_swept_result *result);

#ifdef __cplusplus
}
#endif
#endif
