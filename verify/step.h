/* The pairs of a step: which ones a mesh has, which of them come near each other, and whether a list has all of them.
 */
#ifndef GRAZE_VERIFY_STEP_H
#define GRAZE_VERIFY_STEP_H

#include "verify/verify.h"

/* A pair of the mesh: vertex and face, edges a < b, point and edge, points a < b. */
typedef struct step_pair {
    uint32_t kind, a, b; /* kind: a verify_kind */
} step_pair;

/* A mesh, its edges, and what was asked. */
typedef struct step {
    verify_mesh mesh;
    double separation, t_max;
    const double *radii, *groups; /* of the vertices; NULL: none */
    uint32_t (*edges)[2];         /* i < j, sorted by j, then by i */
    bool *is_free;                /* of each edge: it belongs to no face */
    bool *is_point;               /* of each vertex: it belongs to no edge, and there are edges without faces */
    size_t edge_count;
} step;

/* False without memory. */
bool step_init(step *s, const verify_mesh *mesh);
void step_clear(step *s);

/* True if the mesh has that pair, with these coordinates and radii; `reason` says why not. */
bool step_has(const step *s, const step_pair *id, const verify_pair *pair, char reason[VERIFY_TEXT]);

/* Looks for every pair whose boxes come within the separation, in the list. `missing` is how many are not in it, and
   `first` the first of them; `twice` how many are in it more than once. The list is sorted. False without memory. */
bool step_compare(const step *s, step_pair *list, size_t count, uint64_t *missing, uint64_t *twice, step_pair *first);

#endif
