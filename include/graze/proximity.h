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
    /// As graze_distance gives it. `value` is at most the distance asked for plus `offset`, rounded up.
    graze_distance_result distance;
    double offset; ///< the largest thickness of a vertex of a, plus that of b, rounded up; 0 without thickness
} graze_proximity_pair;

/// Options of a search for close pairs. Fill it by graze_default_proximity_options().
typedef struct graze_proximity_options {
    size_t struct_size;
    size_t stride;         ///< bytes from one position to the next, a multiple of 8; 0: 24
    unsigned kinds;        ///< bit (1u << graze_kind) for each kind of pair that is looked for; 0: all
    graze_backend backend; ///< AUTO: what the context says
    /// Memory of x. DEVICE: the call runs there, as if GRAZE_BACKEND_CUDA was asked for by name, and reads x after what
    /// was put into `stream` before it; when it returns x has been read
    graze_memory positions_in;
    graze_memory pairs_in; ///< where the list is left. DEVICE: as result->device_pairs, and the call runs there, too
    void *stream;          ///< with positions on the device: a cudaStream_t; NULL: CUDA's default stream
} graze_proximity_options;

/// Result of graze_proximity().
typedef struct graze_proximity_result {
    size_t struct_size;
    graze_proximity_pair *pairs; ///< sorted by kind, a, b. Owned: graze_proximity_release
    size_t pair_count;
    double ms_total;       ///< wall time
    graze_backend backend; ///< where it ran: GRAZE_BACKEND_CPU or GRAZE_BACKEND_CUDA
    /// with pairs_in DEVICE, in place of `pairs`: pair_count of them in the memory of the device, complete when the
    /// call returns. The context's own, and there until it is used again
    const graze_proximity_pair *device_pairs;
} graze_proximity_result;

GRAZE_DEFAULTS(graze_proximity_options, graze_default_proximity_options, graze_init_proximity_options)
GRAZE_DEFAULTS(graze_proximity_result, graze_default_proximity_result, graze_init_proximity_result)

/// Lists the pairs whose distance at x is at most `distance`, with their closest points: what a contact potential acts
/// on.
///
/// Guarantee: the list holds exactly the pairs whose exact distance, in the doubles that x holds, is at most
/// `distance`. Pairs that are too close to that limit for double are decided exactly. With thickness the limit of a
/// pair is `distance` plus the largest thickness of a vertex of a plus that of b, and that sum is exact, too.
///
/// Pairs are those of a step: none that share a vertex; groups and the filter have their say. List and numbers have the
/// same bits for every number of threads and every instruction set, on the CPU and on a GPU, and for a new context as
/// for one that is used again. On the CPU a context keeps the pairs of the last state, with a margin, and does not
/// search again while no coordinate has moved far (with a filter it searches every time). Cancel and deadline do not
/// end the search: a part of the list would hide pairs.
///
/// In the plane z is 0, and edges and points are codimensional. A mesh made by hand that lists all of its vertices as
/// points has each vertex with each edge once, as PE.
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
