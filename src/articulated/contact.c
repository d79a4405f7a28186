/* Contacts from triangles: which features, where, and until when a contact is proven. */
#include "articulated/contact.h"

#include <math.h>

#define MOST_NODES 500 /* pairs of nodes that the search for another crossing may look at, at each time */

/* ---- proof ---- */

/* A time at or after toi at which contact is proven; INFINITY without. */
static double proven_time(gz_search *search, const gz_pair_state *state) {
    double t_max = search->options.t_max, toi = state->touch.toi;
    if (state->touch.proven < INFINITY) return state->touch.proven;
    double proven = gz_touch_proven_after(&search->narrow, &state->pair, state->touch.faces, toi, t_max);
    if (proven < INFINITY || search->options.mode == GRAZE_ARTICULATED_ANY) return proven;
    for (double wait = 0x1p-41; wait <= GZ_LAST_WAIT; wait *= 1024) {
        double t = fmin(toi + wait, t_max);
        gz_touch other;
        if (gz_links_cross_at(&search->narrow, &state->pair, t, MOST_NODES, &search->checks, &other)) return t;
        if (t >= t_max) break;
    }
    return INFINITY;
}

/* ---- features ---- */

static uint32_t side_id(const gz_link *link, uint32_t face, int side) {
    return gz_mesh_edge_id(&link->mesh, link->faces[face][side], link->faces[face][(side + 1) % 3]);
}

/* A point or, without the origin, a direction of link b's frame at toi, in the world. */
static void to_world(const gz_frame_model *frame, gz_vec3 x, bool point, double out[3]) {
    for (int i = 0; i < 3; i++) {
        const double *row = frame->c[0][i];
        out[i] = (point ? row[3] : 0) + row[0] * x.c[0] + row[1] * x.c[1] + row[2] * x.c[2];
    }
}

static void set_place(gz_search *search, const gz_pair_state *state, bool swap, graze_link_contact *contact) {
    const gz_face_gap *closest = &state->touch.closest;
    gz_frames_window(&search->wide, state->touch.toi, state->touch.toi);
    const gz_frame_model *frame = gz_frames_world(&search->wide, state->pair.b);
    gz_vec3 middle = gz_vec3_along(closest->a, 0.5, gz_vec3_sub(closest->b, closest->a)), n = closest->n;
    to_world(frame, middle, true, contact->point);
    double normal[3];
    to_world(frame, n, false, normal);
    if (!gz_normalise(normal, contact->normal)) contact->normal[0] = contact->normal[1] = contact->normal[2] = 0;
    for (int c = 0; swap && c < 3; c++) contact->normal[c] = -contact->normal[c];
}

/* Vertex and face, or edge and edge: `a` is the feature of link_a. `swap`: link_a is the pair's second link. */
static bool set_pair(const gz_search *search, const gz_pair_state *state, graze_link_contact *contact) {
    const gz_face_gap *closest = &state->touch.closest;
    const gz_link *a = gz_scene_at(&search->scene, state->pair.a)->link,
                  *b = gz_scene_at(&search->scene, state->pair.b)->link;
    gz_faces faces = state->touch.faces;
    contact->has_pair = 1;
    contact->pair.kind = closest->kind;
    if (closest->kind == GRAZE_VF) {
        contact->pair.a = closest->swapped ? b->faces[faces.b][closest->i] : a->faces[faces.a][closest->i];
        contact->pair.b = closest->swapped ? faces.a : faces.b;
        return closest->swapped;
    }
    bool swap = gz_scene_before(&search->scene, state->pair.b, state->pair.a);
    uint32_t edge_a = side_id(a, faces.a, closest->i), edge_b = side_id(b, faces.b, closest->j);
    contact->pair.a = swap ? edge_b : edge_a;
    contact->pair.b = swap ? edge_a : edge_b;
    return swap;
}

graze_link_contact gz_contact_of(gz_search *search, size_t index) {
    const gz_pair_state *state = &search->pairs[index];
    graze_link_contact contact = {.verdict = state->touch.verdict, .reason = state->touch.reason};
    contact.toi = search->options.mode == GRAZE_ARTICULATED_ANY ? 0 : state->touch.toi;
    contact.toi_upper = INFINITY;
    contact.inside = state->touch.inside;
    bool swap = contact.inside ? gz_scene_before(&search->scene, state->pair.b, state->pair.a)
                               : set_pair(search, state, &contact);
    const gz_scene_link *a = gz_scene_at(&search->scene, swap ? state->pair.b : state->pair.a);
    const gz_scene_link *b = gz_scene_at(&search->scene, swap ? state->pair.a : state->pair.b);
    contact.model_a = a->model;
    contact.link_a = a->index;
    contact.model_b = b->model;
    contact.link_b = b->index;
    if (!contact.inside) set_place(search, state, swap, &contact);
    if (contact.verdict == GRAZE_HIT) contact.toi_upper = proven_time(search, state);
    contact.proven = contact.toi_upper <= 1;
    return contact;
}
