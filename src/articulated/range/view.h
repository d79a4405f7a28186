/* Two links over a cell of joint values: frames as forms, and what directions tell of boxes and triangles. */
#ifndef GZ_ARTICULATED_RANGE_VIEW_H
#define GZ_ARTICULATED_RANGE_VIEW_H

#include "articulated/range/forms.h"
#include "articulated/scene.h"
#include "articulated/triangles.h"

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

typedef struct gz_cell_view {
    const gz_range_links *links;
    const gz_link *a, *b;
    gz_forms forms[2]; /* of a and b, in the frame of the lowest link that carries both */
} gz_cell_view;

/* Two triangles, as nodes of the links' trees. */
typedef struct gz_range_faces {
    uint32_t a, b;
} gz_range_faces;

/* Both links along one direction of that frame. */
typedef struct gz_cell_line {
    gz_form_line of[2];
} gz_cell_line;

/* False where a joint cannot take the values. */
bool gz_cell_view_open(gz_cell_view *view, const gz_range_links *links, const double *lower, const double *upper);
/* The variable whose coefficients move the points of both links most. */
int gz_cell_widest(const gz_cell_view *view);

void gz_cell_line_set(const gz_cell_view *view, const double n[3], gz_cell_line *line);
/* Boxes are apart along the line, by more than the contact's distance and `room` times what they sweep. */
bool gz_cell_boxes_part(const gz_cell_view *view, const gz_cell_line *line, const gz_face_node *a,
                        const gz_face_node *b, double room);
/* Triangles, either of them ahead. */
bool gz_cell_faces_apart(const gz_cell_view *view, const gz_cell_line *line, gz_range_faces faces, double room);

/* The hulls of all triangles below two nodes, either of them ahead. */
bool gz_cell_hulls_apart(const gz_cell_view *view, const gz_cell_line *line, gz_range_faces nodes, double room);
/* The direction between the closest points of the links' hulls in the middle of the cell; false where they meet. */
bool gz_cell_hull_direction(const gz_cell_view *view, double n[3]);

/* A triangle in the middle of the cell. */
gz_triangle gz_cell_triangle(const gz_cell_view *view, int side, uint32_t node);

#endif
