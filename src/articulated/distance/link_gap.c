/* Links that are all but convex are measured by their hulls: faces near the closest points of these, then a proof along
   the direction between them. For others nodes are bounded along the axes of both links, the nearer ones first.
   docs/numerics.md, section 9.9. */
#include "articulated/distance/link_gap.h"

#include "articulated/distance/face_batch.h"
#include "articulated/distance/gjk.h"
#include "articulated/distance/nearest.h"
#include "articulated/distance/side.h"
#include "articulated/node_pairs.h"
#include "articulated/tilted.h"
#include "motion/rounding.h"

#include <math.h>

#define MOST_SIDE_PAIRS 8192 /* of faces along one direction: beyond it trees are faster */

/* A pair of nodes that is not closer than `bound`. */
typedef struct node_pair {
    double bound;
    uint32_t a, b;
} node_pair;

typedef struct descent {
    const gz_scene *scene;
    const gz_link_pair *pair;
    gz_frame_model frame;
    gz_link_view view;
    const gz_kernels *kernels;
    double down;     /* by which lengths of gaps are bounds */
    double unit;     /* at most one over the length of the direction of choice; 0: there is none */
    double margin;   /* of distances of points */
    double sizes[2]; /* of both links, in all: sums of their extents */
    double reach;    /* what is not closer is left out */
    gz_link_gap found;
    node_pair stack[160]; /* two trees of depth 33 at most, and room */
    int count;
    gz_face_visit *visit; /* NULL: faces are measured */
    void *user;
    gz_faces waiting[GZ_FACE_BATCH]; /* in `batch`, to be measured */
    int waiting_count;
    gz_face_batch batch;
} descent;

static double larger(double x, double y) { return x > y ? x : y; }
static double lesser(double x, double y) { return x < y ? x : y; }

/* Left out: nothing in it is closer. */
static bool is_far(descent *d, double bound) {
    if (!(bound >= d->reach)) return false;
    d->found.lower = lesser(d->found.lower, bound);
    return true;
}

/* ---- directions ---- */

/* n times a power of two, about 1 long: its products with coordinates lose no more than GZ_TAYLOR_TINY. */
static gz_vec3 scaled(gz_vec3 n) {
    int exponent;
    frexp(larger(fabs(n.c[0]), larger(fabs(n.c[1]), fabs(n.c[2]))), &exponent);
    return (gz_vec3){{ldexp(n.c[0], -exponent), ldexp(n.c[1], -exponent), ldexp(n.c[2], -exponent)}};
}

/* Nodes and faces may be apart along n. */
static void choose(descent *d, gz_vec3 n, double length) {
    gz_view_choose(&d->view, n.c);
    d->unit = GZ_LENGTH_DOWN / length;
}

static const gz_projection *chosen(const descent *d) { return &d->view.along[GZ_VIEW_CHOICE]; }

/* Not more than the distance beyond contact of points that are `gap` apart along p, whose length `unit` is of. */
static double bound_along(const descent *d, const gz_projection *p, double unit, double gap) {
    double along = gap - p->margin;
    return along > 0 ? larger(0, along * unit - d->pair->contact) : 0;
}

/* ---- faces ---- */

/* Gap between the triangles along n, margin aside. */
static double gap_along(gz_vec3 n, const gz_triangle *x, const gz_triangle *y) {
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 3; k++) {
        low = lesser(low, gz_vec3_dot(n, x->x[k]));
        high = larger(high, gz_vec3_dot(n, y->x[k]));
    }
    return low - high;
}

/* A pair of faces with a distance less than that of all before. */
static void keep(descent *d, gz_faces faces, const gz_face_gap *closest, double upper, bool apart) {
    d->found.upper = upper;
    d->found.faces = faces;
    d->found.closest = *closest;
    d->found.apart = apart;
    d->reach = lesser(d->reach, upper - 2 * d->margin);
}

static void measure(descent *d, gz_faces faces) {
    gz_triangle x = gz_triangle_at(&d->frame, d->view.a, faces.a, 0), y = gz_triangle_of(d->view.b, faces.b);
    gz_face_gap closest = gz_gap_of_faces(&x, &y);
    gz_vec3 n = scaled(closest.n);
    gz_link_pair own = *d->pair;
    gz_pair_narrow(d->scene, &own, faces);
    double length = gz_length(n.c), contact = own.contact;
    double proven = length > 0 ? gap_along(n, &x, &y) / length - d->margin : 0;
    bool cross = !(proven > 0) && gz_triangles_cross(&x, &y, 0);
    double distance = cross ? 0 : gz_length(gz_vec3_sub(closest.a, closest.b).c);
    d->found.lower = lesser(d->found.lower, larger(0, proven - contact));
    double upper = larger(0, distance + d->margin - own.contact_low);
    if (!(upper < d->found.upper)) return;
    keep(d, faces, &closest, upper, proven > 0);
    if (proven > 0) choose(d, n, length);
}

static void look_at(descent *d, gz_faces faces) {
    if (!d->visit) {
        measure(d, faces);
    } else if (!d->visit(d->user, faces)) {
        d->reach = -1; /* all else is far */
    }
}

/* Those that wait, as far as lanes do not tell that they are not closer. */
static void measure_waiting(descent *d) {
    double gaps[GZ_FACE_BATCH];
    if (d->waiting_count == 0) return;
    d->kernels->faces(&d->batch, gaps);
    for (int i = 0; i < d->waiting_count; i++)
        if (!(gaps[i] > d->margin && is_far(d, (gaps[i] - d->margin) * GZ_LENGTH_DOWN - d->pair->contact)))
            look_at(d, d->waiting[i]);
    d->waiting_count = 0;
}

static void wait_for(descent *d, gz_faces faces) {
    gz_triangle x = gz_triangle_at(&d->frame, d->view.a, faces.a, 0), y = gz_triangle_of(d->view.b, faces.b);
    const gz_projection *p = chosen(d);
    if (d->unit > 0 && is_far(d, bound_along(d, p, d->unit, gap_along(gz_vec3_of(p->n), &x, &y)))) return;
    int i = d->waiting_count++;
    d->waiting[i] = faces;
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++) {
            d->batch.a[k][c][i] = x.x[k].c[c];
            d->batch.b[k][c][i] = y.x[k].c[c];
        }
    if (d->waiting_count == GZ_FACE_BATCH) measure_waiting(d);
}

/* ---- nodes ---- */

static double squared(const double g[3]) { return g[0] * g[0] + g[1] * g[1] + g[2] * g[2]; }

/* Not more than the distance of two nodes beyond contact. */
static double node_bound(const descent *d, const gz_face_node *x, const gz_face_node *y) {
    double g[GZ_VIEW_LANES];
    d->kernels->gaps(&d->view.lanes, x, y, g);
    double along = g[GZ_VIEW_CHOICE] * d->unit, most = larger(squared(g), squared(g + GZ_VIEW_AXES));
    double length = sqrt(larger(most, along * along)) * d->down - GZ_LENGTH_TINY;
    return larger(0, length - d->pair->contact);
}

/* The interval of a node along n, tilted where the link has such boxes. */
static double node_interval(const gz_link *link, double size, uint32_t node, gz_vec3 n, double *half) {
    if (link->tilted) return gz_tilted_interval(&link->tilted[node], size, n, half);
    const gz_face_node *box = &link->tree.nodes[node];
    *half = fabs(n.c[0]) * box->half[0] + fabs(n.c[1]) * box->half[1] + fabs(n.c[2]) * box->half[2];
    return gz_vec3_dot(n, gz_vec3_of(box->center));
}

/* Not more than the distance of two nodes beyond contact, along n in the frame of b, which is about 1 long. */
static double tilted_bound_along(const descent *d, uint32_t a, uint32_t b, gz_vec3 n) {
    double half_a, half_b, at = 0;
    gz_vec3 turned = {{0, 0, 0}};
    for (int i = 0; i < 3; i++) {
        const double *row = d->frame.c[0][i];
        for (int j = 0; j < 3; j++) turned.c[j] += n.c[i] * row[j];
        at += n.c[i] * row[3];
    }
    at += node_interval(d->view.a, d->sizes[0], a, turned, &half_a);
    at -= node_interval(d->view.b, d->sizes[1], b, n, &half_b);
    double gap = fabs(at) - (half_a + half_b) - d->margin;
    return gap > 0 ? larger(0, gap * GZ_LENGTH_DOWN - d->pair->contact) : 0;
}

static gz_vec3 turned_to_b(const descent *d, gz_vec3 u) {
    gz_vec3 n;
    for (int i = 0; i < 3; i++)
        n.c[i] = d->frame.c[0][i][0] * u.c[0] + d->frame.c[0][i][1] * u.c[1] + d->frame.c[0][i][2] * u.c[2];
    return n;
}

/* From the middle of b's node to that of a's, about 1 long. */
static gz_vec3 between_middles(const descent *d, uint32_t a, uint32_t b) {
    gz_vec3 middle = gz_link_point_at(&d->frame, gz_vec3_of(d->view.a->tree.nodes[a].center), 0);
    return gz_tilted_unit(gz_vec3_sub(middle, gz_vec3_of(d->view.b->tree.nodes[b].center)));
}

/* The largest of the bounds along the normals of two nodes, as far as they have some, and between their middles. */
static double tilted_bound(const descent *d, uint32_t a, uint32_t b) {
    const gz_tilted_box *x = d->view.a->tilted, *y = d->view.b->tilted;
    if (!x && !y) return 0;
    double bound = x ? tilted_bound_along(d, a, b, turned_to_b(d, x[a].u[0])) : 0;
    if (y && !(bound >= d->reach)) bound = larger(bound, tilted_bound_along(d, a, b, y[b].u[0]));
    if (!(bound >= d->reach)) bound = larger(bound, tilted_bound_along(d, a, b, between_middles(d, a, b)));
    return bound;
}

static void push(descent *d, uint32_t a, uint32_t b) {
    double bound = node_bound(d, &d->view.a->tree.nodes[a], &d->view.b->tree.nodes[b]);
    if (!(bound >= d->reach)) bound = larger(bound, tilted_bound(d, a, b));
    if (!is_far(d, bound)) d->stack[d->count++] = (node_pair){bound, a, b};
}

/* Between the middles of two nodes. */
static double squared_between(const descent *d, node_pair at) {
    gz_vec3 x = gz_link_point_at(&d->frame, gz_vec3_of(d->view.a->tree.nodes[at.a].center), 0);
    gz_vec3 between = gz_vec3_sub(x, gz_vec3_of(d->view.b->tree.nodes[at.b].center));
    return gz_vec3_dot(between, between);
}

/* True if the first of two pairs of nodes is to be looked at first. Nodes that overlap are compared by their middles.
 */
static bool is_nearer(const descent *d, node_pair x, node_pair y) {
    if (x.bound > 0 || y.bound > 0) return x.bound < y.bound;
    return squared_between(d, x) < squared_between(d, y);
}

/* The larger node gives way to its children; the closer one is on top. */
static void push_children(descent *d, node_pair at) {
    const gz_face_node *x = &d->view.a->tree.nodes[at.a], *y = &d->view.b->tree.nodes[at.b];
    bool split_a = !gz_face_node_is_leaf(x) && (gz_face_node_is_leaf(y) || gz_node_size(x) > gz_node_size(y));
    int first = d->count;
    push(d, split_a ? at.a + 1 : at.a, split_a ? at.b : at.b + 1);
    push(d, split_a ? x->right : at.a, split_a ? at.b : y->right);
    if (d->count == first + 2 && is_nearer(d, d->stack[first], d->stack[first + 1])) {
        node_pair nearer = d->stack[first];
        d->stack[first] = d->stack[first + 1];
        d->stack[first + 1] = nearer;
    }
}

static void descend(descent *d) {
    d->count = 0;
    push(d, 0, 0);
    while (d->count) {
        node_pair at = d->stack[--d->count];
        if (is_far(d, at.bound)) continue;
        const gz_face_node *x = &d->view.a->tree.nodes[at.a], *y = &d->view.b->tree.nodes[at.b];
        if (gz_face_node_is_leaf(x) && gz_face_node_is_leaf(y))
            wait_for(d, (gz_faces){x->face, y->face});
        else
            push_children(d, at);
        if (d->count == 0) measure_waiting(d);
    }
    measure_waiting(d);
}

/* ---- hulls ---- */

/* Both links along a direction: what reaches farthest towards the other. */
typedef struct sides {
    gz_projection p;
    double unit;
    double back[3]; /* against the direction, in the frame of a */
    double low, high;
} sides;

static sides sides_along_choice(const descent *d) {
    sides s = {.p = *chosen(d), .unit = d->unit};
    for (int j = 0; j < 3; j++) s.back[j] = -s.p.x[j][0];
    const double *a = gz_farthest_vertex(d->view.a, s.back, NULL), *b = gz_farthest_vertex(d->view.b, s.p.n, NULL);
    s.low = s.p.t[0] - (s.back[0] * a[0] + s.back[1] * a[1] + s.back[2] * a[2]);
    s.high = s.p.n[0] * b[0] + s.p.n[1] * b[1] + s.p.n[2] * b[2];
    return s;
}

/* Faces that are not far along the direction, each with each. False when there are too many. */
static bool measure_sides(descent *d, const sides *s) {
    gz_side_face a[GZ_SIDE_FACES], b[GZ_SIDE_FACES];
    int of_a, of_b;
    double room = (d->reach + d->pair->contact) / s->unit + s->p.margin;
    if (!gz_side_faces(d->view.a, s->back, s->p.t[0] - (s->high + room), a, &of_a)) return false;
    if (!gz_side_faces(d->view.b, s->p.n, s->low - room, b, &of_b)) return false;
    if (of_a * of_b > MOST_SIDE_PAIRS) return false;
    d->found.lower = lesser(d->found.lower, bound_along(d, &s->p, s->unit, room));
    for (int i = 0; i < of_a; i++)
        for (int j = 0; j < of_b; j++)
            if (!is_far(d, bound_along(d, &s->p, s->unit, (s->p.t[0] - a[i].most) - b[j].most)))
                wait_for(d, (gz_faces){a[i].face, b[j].face});
    measure_waiting(d);
    return true;
}

/* Along the direction of choice alone. False when that does not tell. */
static bool look_along_choice(descent *d) {
    sides s = sides_along_choice(d);
    return is_far(d, bound_along(d, &s.p, s.unit, s.low - s.high)) || measure_sides(d, &s);
}

/* From faces near the closest points of the hulls. */
static bool look_at_hulls(descent *d) {
    gz_hull_gap hulls;
    if (!gz_hulls_gap(&d->view, &hulls)) return false;
    gz_vec3 n = scaled(hulls.n);
    choose(d, n, gz_length(n.c));
    measure(d, (gz_faces){gz_nearest_face(d->view.a, hulls.a), gz_nearest_face(d->view.b, hulls.b)});
    return look_along_choice(d);
}

/* ---- a pair of links ---- */

static void open(descent *d, gz_frames *frames, const gz_link_pair *pair, double reach) {
    d->scene = frames->scene;
    d->pair = pair;
    d->reach = reach;
    d->found = (gz_link_gap){.lower = INFINITY, .upper = INFINITY};
    gz_frames_relative(frames, pair->a, pair->b, &d->frame);
    gz_view_open(&d->view, frames->scene, pair->a, pair->b, &d->frame, 0, true);
    d->kernels = frames->scene->context->kernels;
    d->margin = 2 * (d->view.along[0].margin + d->view.along[1].margin + d->view.along[2].margin);
    d->sizes[0] = d->view.extent_a[0] + d->view.extent_a[1] + d->view.extent_a[2];
    d->sizes[1] = d->view.extent_b[0] + d->view.extent_b[1] + d->view.extent_b[2];
    double off = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) off += d->frame.r[i][j];
    d->down = GZ_LENGTH_DOWN / (1 + off);
    d->unit = 0;
    d->visit = NULL;
    d->waiting_count = 0;
    d->batch = (gz_face_batch){{{{0}}}, {{{0}}}};
}

gz_link_gap gz_links_gap(gz_frames *frames, const gz_link_pair *pair, double reach) {
    descent d;
    open(&d, frames, pair, reach);
    if (is_far(&d, node_bound(&d, d.view.a->tree.nodes, d.view.b->tree.nodes))) return d.found;
    if (!look_at_hulls(&d)) descend(&d);
    d.found.lower = lesser(d.found.lower, d.found.upper);
    return d.found;
}

void gz_faces_within(gz_frames *frames, const gz_link_pair *pair, double reach, gz_vec3 n, gz_face_visit *visit,
                     void *user) {
    descent d;
    open(&d, frames, pair, reach);
    d.visit = visit;
    d.user = user;
    n = scaled(n);
    double length = gz_length(n.c);
    if (length > 0) choose(&d, n, length);
    if (!(length > 0) || !look_along_choice(&d)) descend(&d);
}
