/// Two primitives at rest: how far apart, and where are they closest?
#ifndef GRAZE_DISTANCE_H
#define GRAZE_DISTANCE_H

#include "graze/step.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The smallest part of a primitive that holds a point. Bit i stands for corner i; the part is spanned by the corners
/// whose bits are set. A point primitive has one corner.
typedef enum graze_feature {
    GRAZE_FEATURE_NONE = 0,
    GRAZE_FEATURE_VERTEX_0 = 1,
    GRAZE_FEATURE_VERTEX_1 = 2,
    GRAZE_FEATURE_EDGE_01 = 3,
    GRAZE_FEATURE_VERTEX_2 = 4,
    GRAZE_FEATURE_EDGE_02 = 5,
    GRAZE_FEATURE_EDGE_12 = 6,
    GRAZE_FEATURE_FACE = 7,
} graze_feature;

/// Distance of a pair, and its closest points.
typedef struct graze_distance_result {
    double value;      ///< Euclidean distance
    double u, v;       ///< of the closest points, as in graze_result; 0 where the kind has none
    double weights[4]; ///< of the rows: those of a are ≥ 0 and sum to 1, those of b ≤ 0 and sum to −1. Their absolute
                       ///< values are barycentric coordinates of the closest points; 0 for rows that are not read
    double vector[3]; ///< from the closest point of b to that of a: the sum of weights[i] · x[i], up to rounding
    graze_feature feature[2]; ///< of a and of b, on which the closest points lie: the rows whose weights are not 0
} graze_distance_result;

/// Distance and closest points of one pair at rest; x holds the rows of a query, as many as the kind has.
///
/// Accuracy: `value` and the length of `vector` differ from the exact distance by at most 2⁻⁴⁸ of the pair's size, the
/// largest difference of two of its coordinates on one axis (and 2⁻¹⁰⁷²). This holds for every shape, also flat faces,
/// parallel edges, and edges and faces that are points. A distance of 0 does not prove contact, and a small one does
/// not disprove it: graze_start_violations decides.
///
/// If several points are (nearly) equally close, any of them may be given. Then u, v, weights, vector and feature may
/// jump when x changes in the last place. `value` does not jump.
///
/// @param x       finite, at most GRAZE_MAX_COORDINATE
/// @param result  always written; on any status but GRAZE_OK it is { value 0, feature NONE, the rest NaN }
///
/// Does not allocate, lock or log; any number of threads may call it at once.
GRAZE_API graze_status graze_distance(graze_kind kind, const double (*x)[3], graze_distance_result *result);

/// As graze_distance, but for a list of pairs of a mesh with its vertices at x, on the context's threads: results[i]
/// answers pairs[i], with the bits of graze_distance. Only the option `stride` is read. Thickness is not subtracted.
/// Any pair is accepted; primitives that share a vertex have the distance 0.
///
/// @param options  NULL for graze_default_step_options()
GRAZE_API graze_status graze_distances(graze_context *context, const graze_mesh *mesh, const double (*x)[3],
                                       const graze_pair *pairs, size_t count, const graze_step_options *options,
                                       graze_distance_result *results);

#ifdef __cplusplus
}
#endif
#endif
