/* Goes down the trees of two links with forms of the cell in place of frames of a time. */
#include "articulated/range/cell.h"

#include "articulated/triangles.h"

#include <math.h>
#include <string.h>

/* The axes of both links in the middle of the cell, and the last direction that told triangles apart. */
enum { AXES = 6, LINES = 7, STACK = 512 };

typedef struct cell_view {
    const gz_range_links *links;
    const gz_link *a, *b;
    gz_forms forms[2];
    gz_form_line lines[LINES][2];
    int line_count;
} cell_view;

/* ---- forms ---- */

/* The value of a joint at both ends of the cell, and how far it may be off in between. */
static double value_ends(const gz_range_joint *joint, const double *lower, const double *upper, double ends[2]) {
    double low = joint->multiplier * lower[joint->variable], high = joint->multiplier * upper[joint->variable];
    ends[0] = low + joint->offset;
    ends[1] = high + joint->offset;
    if (!joint->follows) return 0;
    return GZ_PATH_ERROR * (fabs(low) + fabs(high) + fabs(joint->offset));
}

static bool append_joint(const gz_range_links *links, const gz_range_joint *joint, const double *lower,
                         const double *upper, gz_forms *forms) {
    const gz_scene_link *at = gz_scene_at(links->scene, joint->link);
    double ends[2], error = 0;
    const char *why = "";
    graze_motion motion = graze_default_motion();
    motion.from = motion.to = joint->stand;
    if (joint->variable < 0 && joint->follows) { /* multiplier·value + offset was rounded twice */
        double value = joint->stand[at->link->first_value];
        error = GZ_PATH_ERROR * (fabs(value) + fabs(joint->offset));
    } else if (joint->variable >= 0) {
        error = value_ends(joint, lower, upper, ends);
        for (int k = 0; k < 2; k++) links->ends[k][at->link->first_value] = ends[k]; /* the only one that is read */
        motion.from = links->ends[0];
        motion.to = links->ends[1];
    }
    gz_joint_motion moved;
    if (gz_joint_prepare(at->link, at->index, &motion, &moved, &why) != GRAZE_OK) return false;
    gz_frame_model frame;
    gz_forms before = *forms;
    gz_joint_frame(links->scene->context->kernels, &moved, gz_window_of(0, 1), false, &frame);
    gz_forms_append(&before, &frame, joint->variable, error, forms);
    return true;
}

static bool make_forms(cell_view *view, const double *lower, const double *upper) {
    const gz_range_links *links = view->links;
    for (int side = 0; side < 2; side++) {
        gz_forms_identity(&view->forms[side], links->variables);
        for (size_t k = 0; k < links->joint_count[side]; k++)
            if (!append_joint(links, &links->joints[side][k], lower, upper, &view->forms[side])) return false;
    }
    return true;
}

static void set_line(cell_view *view, int at, const double n[3]) {
    for (int side = 0; side < 2; side++) gz_forms_along(&view->forms[side], n, &view->lines[at][side]);
    if (at >= view->line_count) view->line_count = at + 1;
}

static void set_axes(cell_view *view) {
    for (int side = 0; side < 2; side++)
        for (int j = 0; j < 3; j++) {
            double n[3];
            for (int i = 0; i < 3; i++) n[i] = view->forms[side].c0[i][j];
            set_line(view, 3 * side + j, n);
        }
}

/* The variable whose coefficients move the points of both links most. */
static int widest(const cell_view *view) {
    int best = 0;
    double most = -1;
    for (int v = 0; v < view->links->variables; v++) {
        double moves = 0;
        for (int side = 0; side < 2; side++) {
            double radius = (side ? view->b : view->a)->radius;
            for (int i = 0; i < 3; i++) {
                const double *c = view->forms[side].c[v][i];
                moves += fabs(c[3]) + radius * (fabs(c[0]) + fabs(c[1]) + fabs(c[2]));
            }
        }
        if (moves > most) most = moves, best = v;
    }
    return best;
}

/* ---- boxes and triangles ---- */

static bool lines_part(const cell_view *view, const gz_face_node *a, const gz_face_node *b) {
    int variables = view->links->variables;
    for (int k = 0; k < view->line_count; k++) {
        double half_a, half_b, contact = view->links->contact * view->lines[k][0].length * GZ_TAYLOR_UP;
        double at_a = gz_line_box(&view->lines[k][0], variables, a->center, a->half, &half_a);
        double at_b = gz_line_box(&view->lines[k][1], variables, b->center, b->half, &half_b);
        if (fabs(at_a - at_b) > (half_a + half_b + contact) * GZ_TAYLOR_UP) return true;
    }
    return false;
}

static gz_triangle placed(const gz_forms *forms, const gz_link *link, uint32_t node) {
    const uint32_t *face = link->faces[link->tree.nodes[node].face];
    gz_triangle at;
    for (int k = 0; k < 3; k++) {
        const double *x = link->vertices[face[k]];
        for (int i = 0; i < 3; i++) {
            const double *row = forms->c0[i];
            at.x[k].c[i] = row[3] + (row[0] * x[0] + row[1] * x[1] + row[2] * x[2]);
        }
    }
    return at;
}

/* The least, or with `way` −1 the largest, that a corner of a triangle reaches along a line. */
static double corner_end(const cell_view *view, int line, int side, uint32_t node, double way) {
    static const double point[3] = {0, 0, 0};
    const gz_link *link = side ? view->b : view->a;
    const uint32_t *face = link->faces[link->tree.nodes[node].face];
    double end = INFINITY;
    for (int k = 0; k < 3; k++) {
        double half,
            at = gz_line_box(&view->lines[line][side], view->links->variables, link->vertices[face[k]], point, &half);
        end = fmin(end, way * at - half);
    }
    return way * end;
}

static bool triangles_part(cell_view *view, gz_range_faces faces, const double n[3]) {
    set_line(view, AXES, n);
    double low = corner_end(view, AXES, 0, faces.a, 1), high = corner_end(view, AXES, 1, faces.b, -1);
    double contact = view->links->contact * view->lines[AXES][0].length * GZ_TAYLOR_UP;
    return low - high > contact + GZ_PROJECTION_SLACK * (fabs(low) + fabs(high));
}

/* Proven for two triangles; else *touches says what it looks like in the middle. */
static bool faces_part(cell_view *view, gz_range_faces faces, bool *touches) {
    gz_triangle x = placed(&view->forms[0], view->a, faces.a), y = placed(&view->forms[1], view->b, faces.b);
    gz_face_gap gap = gz_gap_of_faces(&x, &y);
    *touches = false;
    if (!gz_triangles_cross(&x, &y, 0) && triangles_part(view, faces, gap.n.c)) return true;
    view->line_count = AXES; /* that direction is of no use to others */
    double contact = view->links->contact;
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

static bool descend(cell_view *view, gz_cell_proof *proof) {
    gz_range_faces stack[STACK] = {{0, 0}};
    size_t count = 1;
    while (count) {
        gz_range_faces at = stack[--count];
        const gz_face_node *a = &view->a->tree.nodes[at.a], *b = &view->b->tree.nodes[at.b];
        if (lines_part(view, a, b)) continue;
        if (gz_face_node_is_leaf(a) && gz_face_node_is_leaf(b)) {
            if (faces_part(view, at, &proof->touches)) continue;
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
    cell_view view = {
        .links = links, .a = gz_scene_at(links->scene, links->a)->link, .b = gz_scene_at(links->scene, links->b)->link};
    gz_cell_proof proof = {.faces = first};
    if (!make_forms(&view, lower, upper)) return proof;
    proof.split = widest(&view);
    set_axes(&view);
    if (first.a != UINT32_MAX && !faces_part(&view, first, &proof.touches)) return proof;
    proof.faces = GZ_NO_FACES;
    proof.clear = descend(&view, &proof);
    return proof;
}
