/* One pair of links over a cell of joint values: proof that they are apart throughout it. */
#ifndef GZ_ARTICULATED_RANGE_CELL_H
#define GZ_ARTICULATED_RANGE_CELL_H

#include "graze/range.h"

#include "articulated/range/forms.h"
#include "articulated/scene.h"

/* The joints between two links: how their values follow from those of the cell. */
typedef struct gz_range_joint {
    uint32_t link; /* in the scene */
    int variable;  /* −1: it stands */
    bool follows;  /* its value is multiplier·another + offset */
    double multiplier, offset;
    const double *stand; /* values of its model where nothing moves */
} gz_range_joint;

enum { GZ_MOST_JOINTS = 64 };

typedef struct gz_range_links {
    const gz_scene *scene;
    uint32_t a, b;
    double contact;                           /* separation and paddings, rounded up */
    gz_range_joint joints[2][GZ_MOST_JOINTS]; /* from the link that carries both down to a, and to b */
    size_t joint_count[2];
    int variables;
    size_t values[GZ_MOST_VARIABLES]; /* which value of all models each of them is */
    double *ends[2];                  /* room for the values of a model */
} gz_range_links;

/* Two triangles, as nodes of the links' trees; none: GZ_NO_FACES. */
typedef struct gz_range_faces {
    uint32_t a, b;
} gz_range_faces;

#define GZ_NO_FACES ((gz_range_faces){UINT32_MAX, UINT32_MAX})

typedef struct gz_cell_proof {
    bool clear;
    bool touches;         /* else: the triangles below seem to touch in the middle of the cell */
    gz_range_faces faces; /* that could not be told apart */
    int split;            /* the variable that moves the links most */
} gz_cell_proof;

/* `first` are tried before all others: what could not be told apart in a larger cell. */
gz_cell_proof gz_cell_prove(const gz_range_links *links, const double *lower, const double *upper,
                            gz_range_faces first);

#endif
