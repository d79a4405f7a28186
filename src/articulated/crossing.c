/* Goes down two trees at a single time, the nearer nodes first, to triangles that cross. */
#include "articulated/crossing.h"

#include "articulated/wide/descent.h"

static gz_touch touch_at(const gz_link_view *view, gz_faces faces, double t) {
    gz_triangle x = gz_triangle_at(view->frame, view->a, faces.a, 0), y = gz_triangle_of(view->b, faces.b);
    return (gz_touch){.verdict = GRAZE_HIT, .toi = t, .proven = t, .faces = faces, .closest = gz_gap_of_faces(&x, &y)};
}

bool gz_links_cross_at(gz_frames *frames, const gz_link_pair *pair, double t, int most, uint64_t *checks,
                       gz_touch *touch) {
    gz_link_view view;
    gz_frame_model frame;
    const gz_link *a = gz_scene_at(frames->scene, pair->a)->link, *b = gz_scene_at(frames->scene, pair->b)->link;
    gz_frames_window(frames, t, t);
    gz_frames_relative(frames, pair->a, pair->b, &frame);
    gz_view_open(&view, frames->scene, pair->a, pair->b, &frame, pair->contact, true);
    gz_touch_test test = gz_touch_test_of(frames->scene, pair, &frame);
    gz_close_stack stack;
    gz_close_stack_open(&stack, &view, 0, 0);
    for (int left = most; stack.count && left > 0;) {
        gz_close_nodes at = stack.items[--stack.count];
        const gz_face_node *x = &a->tree.nodes[at.a], *y = &b->tree.nodes[at.b];
        gz_faces faces = {x->face, y->face};
        if (!gz_face_node_is_leaf(x) || !gz_face_node_is_leaf(y)) {
            *checks += gz_push_close(&stack, &view, at);
            left--;
            continue;
        }
        ++*checks;
        if (gz_touch_proven(&test, faces)) {
            *touch = touch_at(&view, faces, t);
            return true;
        }
    }
    return false;
}
