#include "articulated/range/view.h"

#include "articulated/distance/gjk.h"

#include <math.h>
#include <string.h>

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

bool gz_cell_view_open(gz_cell_view *view, const gz_range_links *links, const double *lower, const double *upper) {
    view->links = links;
    view->a = gz_scene_at(links->scene, links->a)->link;
    view->b = gz_scene_at(links->scene, links->b)->link;
    for (int side = 0; side < 2; side++) {
        gz_forms_identity(&view->forms[side], links->variables);
        for (size_t k = 0; k < links->joint_count[side]; k++)
            if (!append_joint(links, &links->joints[side][k], lower, upper, &view->forms[side])) return false;
    }
    return true;
}

int gz_cell_widest(const gz_cell_view *view) {
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

/* ---- lines ---- */

void gz_cell_line_set(const gz_cell_view *view, const double n[3], gz_cell_line *line) {
    for (int side = 0; side < 2; side++) gz_forms_along(&view->forms[side], n, &line->of[side]);
}

static double contact_along(const gz_cell_view *view, const gz_cell_line *line) {
    return view->links->contact * line->of[0].length * GZ_TAYLOR_UP;
}

bool gz_cell_boxes_part(const gz_cell_view *view, const gz_cell_line *line, const gz_face_node *a,
                        const gz_face_node *b, double room) {
    int variables = view->links->variables;
    double half_a, half_b, at_a = gz_line_box(&line->of[0], variables, a->center, a->half, &half_a);
    double at_b = gz_line_box(&line->of[1], variables, b->center, b->half, &half_b);
    return fabs(at_a - at_b) > (half_a + half_b + contact_along(view, line)) * (1 + room) * GZ_TAYLOR_UP;
}

/* The least, or with `way` −1 the largest, that a corner of a triangle reaches along a line. */
static double corner_end(const gz_cell_view *view, const gz_cell_line *line, int side, uint32_t node, double way,
                         double room) {
    static const double point[3] = {0, 0, 0};
    const gz_link *link = side ? view->b : view->a;
    const uint32_t *face = link->faces[link->tree.nodes[node].face];
    double end = INFINITY;
    for (int k = 0; k < 3; k++) {
        double half, at = gz_line_box(&line->of[side], view->links->variables, link->vertices[face[k]], point, &half);
        end = fmin(end, way * at - half * (1 + room));
    }
    return way * end;
}

/* Side `ahead` is beyond the other one. */
static bool is_ahead(const gz_cell_view *view, const gz_cell_line *line, gz_range_faces faces, int ahead, double room) {
    uint32_t nodes[2] = {faces.a, faces.b};
    double low = corner_end(view, line, ahead, nodes[ahead], 1, room);
    double high = corner_end(view, line, !ahead, nodes[!ahead], -1, room);
    return low - high > contact_along(view, line) * (1 + room) + GZ_PROJECTION_SLACK * (fabs(low) + fabs(high));
}

bool gz_cell_faces_apart(const gz_cell_view *view, const gz_cell_line *line, gz_range_faces faces, double room) {
    return is_ahead(view, line, faces, 0, room) || is_ahead(view, line, faces, 1, room);
}

/* ---- hulls ---- */

/* The least, or with `way` −1 the largest, that corners below a node reach along a line: nodes that lie behind what was
   found are passed over. */
static double hull_end(const gz_cell_view *view, const gz_cell_line *line, int side, uint32_t root, double way,
                       double room) {
    const gz_face_node *nodes = (side ? view->b : view->a)->tree.nodes;
    uint32_t stack[64] = {root};
    int count = 1;
    double end = INFINITY;
    while (count) {
        uint32_t at = stack[--count];
        double half,
            middle = gz_line_box(&line->of[side], view->links->variables, nodes[at].center, nodes[at].half, &half);
        if (way * middle - half * (1 + room) >= end) continue;
        if (gz_face_node_is_leaf(&nodes[at])) {
            end = fmin(end, way * corner_end(view, line, side, at, way, room));
            continue;
        }
        stack[count++] = nodes[at].right;
        stack[count++] = at + 1;
    }
    return way * end;
}

bool gz_cell_hulls_apart(const gz_cell_view *view, const gz_cell_line *line, gz_range_faces nodes, double room) {
    uint32_t roots[2] = {nodes.a, nodes.b};
    double middles[2];
    for (int side = 0; side < 2; side++) {
        const gz_face_node *root = &(side ? view->b : view->a)->tree.nodes[roots[side]];
        double half;
        middles[side] = gz_line_box(&line->of[side], view->links->variables, root->center, root->half, &half);
    }
    int ahead = middles[1] > middles[0]; /* the other way they are not apart */
    double low = hull_end(view, line, ahead, roots[ahead], 1, room);
    double high = hull_end(view, line, !ahead, roots[!ahead], -1, room);
    return low - high > contact_along(view, line) * (1 + room) + GZ_PROJECTION_SLACK * (fabs(low) + fabs(high));
}

/* Link a in the middle of the cell, seen from b. */
static void relative_middle(const gz_cell_view *view, gz_frame_model *frame) {
    const gz_forms *a = &view->forms[0], *b = &view->forms[1];
    memset(frame, 0, sizeof *frame);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 3; k++) frame->c[0][i][j] += b->c0[k][i] * (a->c0[k][j] - (j == 3 ? b->c0[k][3] : 0));
}

bool gz_cell_hull_direction(const gz_cell_view *view, double n[3]) {
    gz_frame_model frame;
    gz_hull_gap gap;
    relative_middle(view, &frame);
    gz_link_view links = {.a = view->a, .b = view->b, .frame = &frame};
    if (!gz_hulls_gap(&links, &gap)) return false;
    for (int i = 0; i < 3; i++) {
        const double *row = view->forms[1].c0[i];
        n[i] = row[0] * gap.n.c[0] + row[1] * gap.n.c[1] + row[2] * gap.n.c[2];
    }
    return true;
}

gz_triangle gz_cell_triangle(const gz_cell_view *view, int side, uint32_t node) {
    const gz_link *link = side ? view->b : view->a;
    const uint32_t *face = link->faces[link->tree.nodes[node].face];
    gz_triangle at;
    for (int k = 0; k < 3; k++) {
        const double *x = link->vertices[face[k]];
        for (int i = 0; i < 3; i++) {
            const double *row = view->forms[side].c0[i];
            at.x[k].c[i] = row[3] + (row[0] * x[0] + row[1] * x[1] + row[2] * x[2]);
        }
    }
    return at;
}
