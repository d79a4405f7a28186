/* Root parity: whether F(t, u, v) = 0 has an odd number of roots in its domain.
 *
 * F, the vector from one primitive to the other, maps the boundary of the domain to a closed surface of triangles and
 * bilinear patches. A ray from the origin crosses that surface an odd number of times exactly when F has an odd number
 * of roots, counted with multiplicity, and none on the boundary (Brochu, Edwards and Bridson 2012). A root on the
 * boundary puts the origin on the surface; that is found first and is a hit.
 *
 * Everything below is decided by signs of expressions in the corners of the surface. Who provides exact signs gets the
 * exact parity. */
#ifndef GZ_COMPARED_NARROW_ROOT_PARITY_H
#define GZ_COMPARED_NARROW_ROOT_PARITY_H

#include "narrow/method.h"

#include "exact/integer_pair.h"
#include "numerics/intervals.h"

/* Corner k of the surface is the difference of two moving points at the start, corner k + half at the end.
   VF: k = 0 1 2 is vertex − face corner. EE: k = 2i + j is a_i − b_j. */
typedef struct gz_corner {
    int from, to; /* rows of the query: corner = x[to] − x[from] */
} gz_corner;

static inline int gz_corner_half(graze_kind kind) { return kind == GRAZE_VF ? 3 : 4; }
static inline gz_corner gz_corner_rows(graze_kind kind, int k) {
    return kind == GRAZE_VF ? (gz_corner){1 + k, 0} : (gz_corner){2 + k % 2, k / 2};
}

/* Signs (−1, 0, 1) of expressions in corners A, B, C, D with the numbers a, b, c, d. The weights of the origin in the
   tetrahedron ABCD are α = det(B, C, D), β = −det(A, C, D), γ = det(A, B, D), δ = −det(A, B, C), over their sum. */
typedef struct gz_parity_signs {
    int (*det)(void *self, int a, int b, int c);            /* det(A, B, C) */
    int (*volume)(void *self, const int patch[4]);          /* α + β + γ + δ: 0 when the corners are in a plane */
    int (*saddle)(void *self, const int patch[4]);          /* αγ − βδ */
    int (*ray)(void *self, const int ray[3], int a, int b); /* det(ray, A, B) */
    int (*cross)(void *self, int component, int a, int b);  /* (A × B)[component] */
    bool (*planar_contact)(void *self, int from, int to);   /* the origin, in the plane of the patch that the moving
                                                               segment from–to sweeps, is on the patch */
} gz_parity_signs;

/* True if a root lies on the boundary of the domain or the number of roots inside is odd. */
bool gz_parity_contact(graze_kind kind, const gz_parity_signs *signs, void *self);

/* An odd number of roots, or one on the boundary, proves a contact; its time is not known. An even number is said to be
   none. */
void gz_parity_result(bool contact, double t_max, graze_result *result);

/* True if some coordinate has the same sign, not zero, in all corners: then F has no root, and no ray is needed. */
bool gz_parity_box_is_clear(graze_kind kind, const graze_query *query);

/* Signs in integers: the coordinates of each axis times a power of two of its own, and rays as well. */
typedef struct gz_parity_exact {
    gz_arena *arena;
    graze_kind kind;
    double t_max;
    gz_int corner[8][3];
    size_t ray_shift[3]; /* brings a ray to the units of the axes, so that it is the same one in doubles */
    gz_vector path[4];   /* of the corners, as polynomials in t */
} gz_parity_exact;

extern const gz_parity_signs gz_parity_exact_signs; /* self is a gz_parity_exact */
void gz_parity_exact_load(gz_parity_exact *exact, gz_arena *arena, graze_kind kind, const graze_query *query,
                          double t_max);

#endif
