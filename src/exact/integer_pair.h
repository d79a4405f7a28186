/* A pair of moving primitives in integers, and the polynomials in t that its contacts are decided by. */
#ifndef GZ_EXACT_INTEGER_PAIR_H
#define GZ_EXACT_INTEGER_PAIR_H

#include "graze/exact.h"

#include "exact/roots.h"

typedef struct gz_vector {
    gz_poly c[3];
} gz_vector;

/* A number in [0, 1] at a root: over / under, or the plain `value` where `over` is NULL. */
typedef struct gz_fraction {
    const gz_poly *over, *under;
    double value;
} gz_fraction;

/* The place of a contact on the two primitives; u and v as in graze_result. */
typedef struct gz_place {
    gz_fraction u, v;
    bool boundary; /* on an edge or end of a primitive; only at separation 0 */
    bool anywhere; /* u and v are not known */
    bool bounded;  /* they are known by these bounds instead */
    double bounds[2][2];
} gz_place;

/* A point p against a segment ab: q = p − a, e = b − a. */
typedef struct gz_point_edge {
    gz_vector q, e, cross; /* cross = q × e */
    gz_poly along;         /* ⟨q, e⟩ */
    gz_poly rest;          /* ⟨e, e⟩ − ⟨q, e⟩ */
    gz_poly length2;       /* ⟨e, e⟩ */
    gz_poly start2;        /* ⟨q, q⟩ */
} gz_point_edge;

typedef struct gz_pair {
    gz_arena *arena;
    graze_kind kind;
    gz_vector x[4];
    int unit[3]; /* the integers of an axis are its coordinates over 2^unit; 0 for an axis of zeros */
    gz_int separation;
    gz_vector q;            /* VF: vertex − f0. EE: b0 − a0. PE, PP: in `edges` */
    gz_vector e1, e2;       /* VF: f1 − f0, f2 − f0. EE: the edges */
    gz_vector n;            /* e1 × e2 */
    gz_poly n2;             /* ⟨n, n⟩ */
    gz_poly f;              /* ⟨n, q⟩: zero when the four points are in a plane */
    gz_poly inside[4];      /* VF: weights of f1, f2, f0; EE: along a, its rest, along b, its rest; times ⟨n, n⟩ */
    int inside_count;       /* 0 until they are made */
    gz_point_edge edges[4]; /* the pairs of point and segment that the pair is made of */
    int edge_count;         /* 0 until they are made */
} gz_pair;

/* Reads the query; makes f and n. The integers are the coordinates (and the separation) times one power of two. */
void gz_pair_load(gz_pair *pair, gz_arena *arena, graze_kind kind, const graze_query *query, double separation);
/* As gz_pair_load, but for a separation that is a sum of doubles. */
void gz_pair_load_sum(gz_pair *pair, gz_arena *arena, graze_kind kind, const graze_query *query,
                      const double separation[3]);
/* Makes `inside` and n2; VF and EE only. */
void gz_pair_make_inside(gz_pair *pair);
/* Makes `edges`. */
void gz_pair_make_edges(gz_pair *pair);

void gz_vector_subtract(gz_arena *arena, const gz_vector *a, const gz_vector *b, gz_vector *difference);
void gz_vector_cross(gz_arena *arena, const gz_vector *a, const gz_vector *b, gz_vector *product);
void gz_vector_dot(gz_arena *arena, const gz_vector *a, const gz_vector *b, gz_poly *product);
bool gz_vector_is_zero(const gz_vector *a);

/* u and v of a contact of the pair's k-th point and segment: at the segment's start, or at along / length2 of it. */
void gz_pair_place_on_edge(const gz_pair *pair, int k, bool at_start, gz_place *place);
/* u and v of a contact in the face, or of the lines through the edges. */
void gz_pair_place_inside(const gz_pair *pair, gz_place *place);

#endif
