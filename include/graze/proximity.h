/// Pairs of a mesh that are close to each other, at one state.
#ifndef GRAZE_PROXIMITY_H
#define GRAZE_PROXIMITY_H

#include "graze/distance.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which features of the two primitives hold the closest points.
typedef enum graze_proximity_type {
    GRAZE_PROXIMITY_VV = 0, ///< two vertices
    GRAZE_PROXIMITY_VE,     ///< a vertex and the inside of an edge
    GRAZE_PROXIMITY_VF,     ///< a vertex and the inside of a face
    GRAZE_PROXIMITY_EE,     ///< the insides of two edges
} graze_proximity_type;

/// A pair that is close.
typedef struct graze_proximity_pair {
    graze_pair pair;
    graze_proximity_type type;
    uint32_t vertices[4]; ///< in the order of a query's rows; 0 where the kind has none
    /// As from graze_distance. `value` is at most the given distance plus `offset`, rounded up.
    graze_distance_result distance;
    double offset; ///< the largest thickness of a vertex of a, plus that of b, rounded up; 0 without thickness
} graze_proximity_pair;

/// Options of a search for close pairs. Begin with graze_default_proximity_options().
typedef struct graze_proximity_options {
    size_t struct_size;
    size_t stride;         ///< bytes from one position to the next, a multiple of 8; 0: 24
    unsigned kinds;        ///< bit (1u << graze_kind) for each kind of pair to search; 0: all
    graze_backend backend; ///< AUTO: what the context says
    /// Where x is. DEVICE: the call runs on the GPU, as if GRAZE_BACKEND_CUDA were asked for by name. It waits for
    /// earlier work in `stream`, and has read x when it returns
    graze_memory positions_in;
    /// Where the list is left. DEVICE: in result->device_pairs, and the call runs on the GPU too
    graze_memory pairs_in;
    void *stream; ///< with positions on the device: a cudaStream_t; NULL: CUDA's default stream
    /// NULL, or receives vertex_count numbers: the least distance, less `offset` and at least 0, of the listed pairs
    /// that have the vertex; INFINITY where none has it. In the host's memory; use it only on GRAZE_OK. Not with
    /// pairs_in DEVICE
    double *vertex_distance;
} graze_proximity_options;

/// Result of graze_proximity().
typedef struct graze_proximity_result {
    size_t struct_size;
    graze_proximity_pair *pairs; ///< sorted by kind, a, b. Owned: graze_proximity_release
    size_t pair_count;
    double ms_total;       ///< wall time
    graze_backend backend; ///< where it ran: GRAZE_BACKEND_CPU or GRAZE_BACKEND_CUDA
    /// With pairs_in DEVICE, instead of `pairs`: pair_count pairs in device memory, complete when the call returns. The
    /// context owns them, until its next call
    const graze_proximity_pair *device_pairs;
} graze_proximity_result;

GRAZE_DEFAULTS(graze_proximity_options, graze_default_proximity_options, graze_init_proximity_options)
GRAZE_DEFAULTS(graze_proximity_result, graze_default_proximity_result, graze_init_proximity_result)

/// Lists the pairs whose distance at x is at most `distance`, with their closest points. Contact potentials act on
/// these pairs.
///
/// Guarantee: the list holds exactly the pairs whose exact distance, for the doubles in x, is at most `distance`. Pairs
/// too close to that limit for double are decided exactly. With thickness the limit of a pair is `distance` plus the
/// largest thickness of a vertex of a plus that of b; that sum is exact too.
///
/// Pairs are those of a step: none share a vertex, and groups and the filter apply. Bits do not depend on the number of
/// threads, the instruction set, CPU or GPU, or whether the context is new. On the CPU a context keeps the pairs of the
/// last state, with a margin, and searches again only after a coordinate has moved far (with a filter it searches every
/// time). Cancel and deadline do not end the search, since a partial list would hide pairs.
///
/// In the plane z is 0, and edges and points are codimensional. A mesh made by hand that lists all its vertices as
/// points gives each pair of vertex and edge once, as PE.
///
/// @param distance  0 to GRAZE_MAX_COORDINATE; 0 lists the pairs that touch
/// @param options   NULL for graze_default_proximity_options()
/// @param result    from graze_default_proximity_result(); empty on any status but GRAZE_OK
///
/// Runs on the context's threads, or on a GPU as graze_step does; a mesh with a filter stays on the CPU. Memory comes
/// from the context.
GRAZE_API graze_status graze_proximity(graze_context *context, const graze_mesh *mesh, const double (*x)[3],
                                       double distance, const graze_proximity_options *options,
                                       graze_proximity_result *result);

/// Releases result->pairs.
GRAZE_API void graze_proximity_release(graze_context *context, graze_proximity_result *result);

#ifdef __cplusplus
}
#endif
#endif
