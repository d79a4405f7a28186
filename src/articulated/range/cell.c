/* Goes down the trees of two links with forms of the cell in place of frames of a time. */
#include "articulated/range/cell.h"

#include <math.h>
#include <string.h>

/* The axes of both links in the middle of the cell, and the last direction that told triangles apart. */
enum { AXES = 6, LINES = 7, STACK = 512 };

typedef struct cell_walk {
    gz_cell_view view;
    gz_cell_line lines[LINES];
    int line_count;
} cell_walk;

static void set_axes(cell_walk *walk) {
    for (int side = 0; side < 2; side++)
        for (int j = 0; j < 3; j++) {
            double n[3];
            for (int i = 0; i < 3; i++) n[i] = walk->view.forms[side].c0[i][j];
            gz_cell_line_set(&walk->view, n, &walk->lines[3 * side + j]);
        }
    walk->line_count = AXES;
}

static bool lines_part(const cell_walk *walk, const gz_face_node *a, const gz_face_node *b) {
    for (int k = 0; k < walk->line_count; k++)
        if (gz_cell_boxes_part(&walk->view, &walk->lines[k], a, b, 0)) return true;
    return false;
}

static bool triangles_part(cell_walk *walk, gz_range_faces faces, const double n[3]) {
    gz_cell_line_set(&walk->view, n, &walk->lines[AXES]);
    walk->line_count = LINES;
    return gz_cell_faces_part(&walk->view, &walk->lines[AXES], faces);
}

/* Proven for two triangles; else *touches says what it looks like in the middle. */
static bool faces_part(cell_walk *walk, gz_range_faces faces, bool *touches) {
    gz_triangle x = gz_cell_triangle(&walk->view, 0, faces.a), y = gz_cell_triangle(&walk->view, 1, faces.b);
    gz_face_gap gap = gz_gap_of_faces(&x, &y);
    *touches = false;
    if (!gz_triangles_cross(&x, &y, 0) && triangles_part(walk, faces, gap.n.c)) return true;
    walk->line_count = AXES; /* that direction is of no use to others */
    double contact = walk->view.links->contact;
    *touches = gz_triangles_cross(&x, &y, 0) || gap.squared <= contact * contact;
    return false;
}

/* ---- the way down ---- */

/* Node of the larger box is split; a leaf is not. */
static bool splits_a(const gz_face_node *a, const gz_face_node *b) {
    if (gz_face_node_is_leaf(a) || gz_face_node_is_leaf(b)) return gz_face_node_is_leaf(b);
    double x = fmax(a->half[0], fmax(a->half[1], a->half[2])), y = fmax(b->half[0], fmax(b->half[1], b->half[2]));
    return x >= y;
}

static bool descend(cell_walk *walk, gz_cell_proof *proof) {
    gz_range_faces stack[STACK] = {{0, 0}};
    size_t count = 1;
    while (count) {
        gz_range_faces at = stack[--count];
        const gz_face_node *a = &walk->view.a->tree.nodes[at.a], *b = &walk->view.b->tree.nodes[at.b];
        if (lines_part(walk, a, b)) continue;
        if (gz_face_node_is_leaf(a) && gz_face_node_is_leaf(b)) {
            if (faces_part(walk, at, &proof->touches)) continue;
            proof->faces = at;
            return false;
        }
        if (count + 2 > STACK) return false;
        bool first = splits_a(a, b);
        stack[count++] = first ? (gz_range_faces){a->right, at.b} : (gz_range_faces){at.a, b->right};
        stack[count++] = first ? (gz_range_faces){at.a + 1, at.b} : (gz_range_faces){at.a, at.b + 1};
    }
    return true;
}

gz_cell_proof gz_cell_prove(const gz_range_links *links, const double *lower, const double *upper,
                            gz_range_faces first) {
    cell_walk walk;
    gz_cell_proof proof = {.faces = first};
    if (!gz_cell_view_open(&walk.view, links, lower, upper)) return proof;
    proof.split = gz_cell_widest(&walk.view);
    set_axes(&walk);
    if (first.a != UINT32_MAX && !faces_part(&walk, first, &proof.touches)) return proof;
    proof.faces = GZ_NO_FACES;
    proof.clear = descend(&walk, &proof);
    return proof;
}
