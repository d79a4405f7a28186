/* All vertices as integers within one common error; signs of determinants of them, where the error leaves no doubt. */
#include "verify/ranges/range_poses.h"

#include "verify/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A vector of integers, each within `error` of what is meant. */
typedef struct vector {
    mpz_t x[3], error;
} vector;

/* The vertices of one link in the frame that carries both. */
typedef struct placed_link {
    const path_mesh *mesh;
    vector *vertices;
    bool placed; /* they are */
    mesh_parts parts;
} placed_link;

typedef struct pose {
    placed_link links[2];
    char *reason;
    vector edge[2], to[3]; /* room */
    mpz_t product[3], most, term;
} pose;

static bool fail(pose *p, const char *why) {
    snprintf(p->reason, VERIFY_TEXT, "%s", why);
    return false;
}

static void vector_init(vector *v) {
    for (int i = 0; i < 3; i++) mpz_init(v->x[i]);
    mpz_init(v->error);
}

static void vector_clear(vector *v) {
    for (int i = 0; i < 3; i++) mpz_clear(v->x[i]);
    mpz_clear(v->error);
}

static void subtract(vector *d, const vector *a, const vector *b) {
    for (int i = 0; i < 3; i++) mpz_sub(d->x[i], a->x[i], b->x[i]);
    mpz_add(d->error, a->error, b->error);
}

/* ---- signs ---- */

static void largest(mpz_t most, const vector *v) {
    mpz_set_ui(most, 0);
    for (int i = 0; i < 3; i++)
        if (mpz_cmpabs(v->x[i], most) > 0) mpz_abs(most, v->x[i]);
}

/* Error that three vectors' errors make in a sum of six products: 6·((A + a)(B + b)(C + c) - ABC). */
static void determinant_error(pose *p, const vector *const v[3], mpz_t error) {
    mpz_set_ui(p->product[0], 6);
    mpz_set_ui(p->product[1], 6);
    for (int k = 0; k < 3; k++) {
        largest(p->most, v[k]);
        mpz_mul(p->product[0], p->product[0], p->most);
        mpz_add(p->most, p->most, v[k]->error);
        mpz_mul(p->product[1], p->product[1], p->most);
    }
    mpz_sub(error, p->product[1], p->product[0]);
}

/* The sign of det(a, b, c) for all vectors within their errors; 0: not known. */
static int sign_of(pose *p, const vector *a, const vector *b, const vector *c) {
    const vector *v[3] = {a, b, c};
    determinant_error(p, v, p->term);
    mpz_set_ui(p->product[0], 0);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        mpz_mul(p->product[1], b->x[j], c->x[k]);
        mpz_submul(p->product[1], b->x[k], c->x[j]);
        mpz_addmul(p->product[0], a->x[i], p->product[1]);
    }
    return mpz_cmpabs(p->product[0], p->term) > 0 ? mpz_sgn(p->product[0]) : 0;
}

static const vector *corner(const placed_link *link, size_t face, int k) {
    return &link->vertices[link->mesh->faces[face][k]];
}

/* True if the line from x along d passes through the inside of a face: 1 and -1 are certain. */
static int line_pierces(pose *p, const vector *x, const vector *d, const placed_link *link, size_t face) {
    int signs[3];
    for (int k = 0; k < 3; k++) subtract(&p->to[k], corner(link, face, k), x);
    for (int k = 0; k < 3; k++) signs[k] = sign_of(p, d, &p->to[k], &p->to[(k + 1) % 3]);
    for (int k = 0; k < 3; k++)
        if (signs[k] * signs[(k + 1) % 3] < 0) return -1;
    return signs[0] && signs[1] && signs[2] ? 1 : 0;
}

/* The side of a face's plane that a direction, or a point as seen from its first corner, is on. */
static int side_of(pose *p, const placed_link *link, size_t face, const vector *d) {
    for (int k = 0; k < 2; k++) subtract(&p->edge[k], corner(link, face, k + 1), corner(link, face, 0));
    return sign_of(p, &p->edge[0], &p->edge[1], d);
}

/* ---- triangles that touch ---- */

static bool segment_pierces(pose *p, const vector *from, const vector *to, const placed_link *link, size_t face) {
    vector d;
    vector_init(&d);
    subtract(&d, to, from);
    bool good = line_pierces(p, from, &d, link, face) > 0;
    int sides[2] = {0, 0};
    for (int i = 0; i < 2 && good; i++) {
        subtract(&d, i ? to : from, corner(link, face, 0));
        sides[i] = side_of(p, link, face, &d);
    }
    vector_clear(&d);
    return good && sides[0] * sides[1] < 0;
}

static bool faces_cross(pose *p, const uint32_t faces[2]) {
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++)
            if (segment_pierces(p, corner(&p->links[side], faces[side], k),
                                corner(&p->links[side], faces[side], (k + 1) % 3), &p->links[!side], faces[!side]))
                return true;
    return false;
}

/* The point of a face at u, v. */
static void point_of(const placed_link *link, size_t face, const double at[2], vector *x) {
    mpz_t weight, rest;
    mpz_init(weight);
    mpz_init_set_ui(rest, 1);
    mpz_mul_2exp(rest, rest, FIXED_BITS);
    for (int i = 0; i < 3; i++) mpz_set_ui(x->x[i], 0);
    mpz_set_ui(x->error, 0);
    for (int k = 2; k >= 0; k--) {
        if (k) fixed_floor(weight, at[k - 1], 0); /* rounding down stays in the triangle: it is another point of it */
        if (k) mpz_sub(rest, rest, weight);
        if (mpz_cmp(corner(link, face, k)->error, x->error) > 0) mpz_set(x->error, corner(link, face, k)->error);
        for (int i = 0; i < 3; i++) mpz_addmul(x->x[i], corner(link, face, k)->x[i], k ? weight : rest);
    }
    for (int i = 0; i < 3; i++) mpz_fdiv_q_2exp(x->x[i], x->x[i], FIXED_BITS);
    mpz_add_ui(x->error, x->error, 1);
    mpz_clears(weight, rest, NULL);
}

/* Points within the separation and both paddings, rounded down. */
static bool points_touch(pose *p, const range_scene *scene, path_pair pair, const range_claim *claim) {
    const path_scene *base = &scene->base;
    double parts[3] = {base->separation, base->links[pair.a].padding, base->links[pair.b].padding};
    vector x[2];
    for (int i = 0; i < 2; i++) {
        vector_init(&x[i]);
        point_of(&p->links[i], claim->faces[i], claim->at + 2 * i, &x[i]);
    }
    subtract(&x[0], &x[0], &x[1]);
    mpz_set_ui(p->most, 0);
    for (int i = 0; i < 3; i++) {
        fixed_floor(p->term, parts[i], base->exponent);
        mpz_add(p->most, p->most, p->term);
    }
    mpz_mul(p->most, p->most, p->most);
    mpz_set_ui(p->term, 0);
    for (int i = 0; i < 3; i++) {
        mpz_abs(x[0].x[i], x[0].x[i]);
        mpz_add(x[0].x[i], x[0].x[i], x[0].error);
        mpz_addmul(p->term, x[0].x[i], x[0].x[i]);
    }
    bool good = mpz_cmp(p->term, p->most) <= 0;
    for (int i = 0; i < 2; i++) vector_clear(&x[i]);
    return good;
}

/* ---- inside ---- */

/* Directions that no mesh is likely to be made of. */
static const int rays[][3] = {{1009, 82, 44},   {-31, 997, 76},  {58, -49, 1013},  {-991, 63, -97},
                              {37, -1019, 101}, {-71, 92, -983}, {613, 577, -541}, {-593, 631, 557}};

/* Counts the passes of the ray from x through each closed part, odd or even; false where it is not certain. */
static bool count_passes(pose *p, const vector *x, const vector *d, const placed_link *link, bool *odd) {
    memset(odd, 0, link->parts.count * sizeof *odd);
    for (size_t f = 0; f < link->mesh->face_count; f++) {
        uint32_t part = link->parts.of_face[f];
        if (!link->parts.closed[part]) continue;
        int pierces = line_pierces(p, x, d, link, f);
        if (pierces < 0) continue;
        vector ahead;
        vector_init(&ahead);
        subtract(&ahead, corner(link, f, 0), x);
        int sides = side_of(p, link, f, &ahead) * side_of(p, link, f, d);
        vector_clear(&ahead);
        if (pierces == 0 || sides == 0) return false;
        if (sides > 0) odd[part] = !odd[part];
    }
    return true;
}

/* True if a vertex is inside a closed part of a link: 1 and -1 are certain. */
static int vertex_is_inside(pose *p, const vector *x, const placed_link *link) {
    int found = 0;
    bool *odd = calloc(link->parts.count + 1, sizeof *odd);
    vector d;
    vector_init(&d);
    for (size_t r = 0; r < sizeof rays / sizeof *rays && odd && !found; r++) {
        for (int i = 0; i < 3; i++) mpz_set_si(d.x[i], rays[r][i]);
        if (!count_passes(p, x, &d, link, odd)) continue;
        found = -1;
        for (size_t k = 0; k < link->parts.count; k++)
            if (odd[k]) found = 1;
    }
    vector_clear(&d);
    free(odd);
    return found;
}

/* The vertex is beyond all of the link's along an axis. */
static bool is_beyond(const vector *x, const placed_link *link) {
    for (int i = 0; i < 3; i++) {
        bool above = true, below = true;
        for (size_t v = 0; v < link->mesh->vertex_count && (above || below); v++) {
            const vector *y = &link->vertices[v];
            int way = mpz_cmp(x->x[i], y->x[i]);
            mpz_t room;
            mpz_init(room);
            mpz_sub(room, x->x[i], y->x[i]);
            mpz_abs(room, room);
            mpz_sub(room, room, x->error);
            bool clear = mpz_cmp(room, y->error) > 0;
            mpz_clear(room);
            above = above && clear && way > 0;
            below = below && clear && way < 0;
        }
        if (above || below) return true;
    }
    return false;
}

/* True if a part of one link is inside the other. Where no triangles touch, one vertex speaks for its part. */
static int is_inside(pose *p, int side) {
    const placed_link *one = &p->links[side], *other = &p->links[!side];
    int found = -1;
    for (size_t k = 0; k < one->parts.count && found < 0; k++) {
        const vector *x = &one->vertices[one->parts.first[k]];
        if (!is_beyond(x, other)) found = vertex_is_inside(p, x, other);
    }
    return found;
}

/* True if the middle of a face is inside a closed part of the other link. */
static bool middle_is_inside(pose *p, const range_claim *claim) {
    const placed_link *one = &p->links[claim->side], *other = &p->links[!claim->side];
    static const double third[2] = {1.0 / 3, 1.0 / 3}; /* rounded down: a point of the triangle */
    vector x;
    vector_init(&x);
    point_of(one, claim->faces[0], third, &x);
    bool inside = vertex_is_inside(p, &x, other) > 0;
    vector_clear(&x);
    return inside;
}

/* ---- the pose ---- */

/* p + R·x in units, from forms that vary with nothing. */
static void place_vertex(const form_frame *f, const double vertex[3], int exponent, vector *to) {
    mpz_t x, size;
    mpz_inits(x, size, NULL);
    mpz_set_ui(to->error, 0);
    for (int i = 0; i < 3; i++) {
        mpz_t off;
        mpz_init(off);
        mpz_set_ui(to->x[i], 0);
        if (f->m[i][3].terms) mpz_mul_2exp(to->x[i], f->m[i][3].c[0], FIXED_BITS);
        mpz_mul_2exp(off, f->m[i][3].r, FIXED_BITS);
        for (int j = 0; j < 3; j++) {
            const form *axis = &f->m[i][j];
            fixed_floor(x, vertex[j], exponent); /* and 1 at most */
            if (axis->terms) mpz_addmul(to->x[i], axis->c[0], x);
            form_most(size, axis);
            mpz_add(off, off, size);
            mpz_abs(x, x);
            mpz_addmul(off, axis->r, x);
        }
        mpz_fdiv_q_2exp(to->x[i], to->x[i], FIXED_BITS);
        mpz_cdiv_q_2exp(off, off, FIXED_BITS);
        mpz_add_ui(off, off, 1);
        if (mpz_cmp(off, to->error) > 0) mpz_set(to->error, off);
        mpz_clear(off);
    }
    mpz_clears(x, size, NULL);
}

static bool place_link(const path_mesh *mesh, const form_frame *f, int exponent, placed_link *to) {
    to->mesh = mesh;
    to->vertices = calloc(mesh->vertex_count + 1, sizeof *to->vertices);
    if (!to->vertices || !mesh_parts_find(&to->parts, mesh)) return false;
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        vector_init(&to->vertices[v]);
        place_vertex(f, mesh->vertices[v], exponent, &to->vertices[v]);
    }
    return to->placed = true;
}

static bool open_pose(pose *p, const range_scene *scene, const joint_motion *joints, path_pair pair,
                      const double *values, char *reason) {
    range_cell cell;
    range_frames frames;
    *p = (pose){.reason = reason};
    vector *own[] = {&p->edge[0], &p->edge[1], &p->to[0], &p->to[1], &p->to[2]};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) vector_init(own[i]);
    for (int i = 0; i < 3; i++) mpz_init(p->product[i]);
    mpz_inits(p->most, p->term, NULL);
    if (!range_cell_open(scene, pair, &cell)) return fail(p, "more values between them than there is room for");
    cell.pose = values;
    range_frames_init(&frames);
    range_frames_set(scene, joints, pair, &cell, &frames);
    bool good = true;
    for (int side = 0; side < 2 && good; side++)
        good = place_link(&scene->base.meshes[side ? pair.b : pair.a], &frames.of[side], scene->base.exponent,
                          &p->links[side]);
    range_frames_clear(&frames);
    return good || fail(p, "out of memory");
}

static void close_pose(pose *p) {
    vector *own[] = {&p->edge[0], &p->edge[1], &p->to[0], &p->to[1], &p->to[2]};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) vector_clear(own[i]);
    for (int i = 0; i < 3; i++) mpz_clear(p->product[i]);
    mpz_clears(p->most, p->term, NULL);
    for (int side = 0; side < 2; side++) {
        placed_link *link = &p->links[side];
        for (size_t v = 0; link->placed && v < link->mesh->vertex_count; v++) vector_clear(&link->vertices[v]);
        free(link->vertices);
        mesh_parts_free(&link->parts);
    }
}

/* ---- the calls ---- */

bool range_touch_check(const range_scene *scene, const joint_motion *joints, path_pair pair, const range_claim *claim,
                       char reason[VERIFY_TEXT]) {
    pose p;
    bool good = open_pose(&p, scene, joints, pair, claim->pose, reason);
    if (good && claim->inside)
        good = is_inside(&p, 0) > 0 || is_inside(&p, 1) > 0 || fail(&p, "neither link is seen to be inside the other");
    else if (good && claim->overlaps)
        good = middle_is_inside(&p, claim) || fail(&p, "the middle of the face is not seen to be inside");
    else if (good)
        good = faces_cross(&p, claim->faces) || (claim->placed && points_touch(&p, scene, pair, claim)) ||
               fail(&p, "the triangles are not seen to touch at this pose");
    close_pose(&p);
    return good;
}

static double *middle_of_all(const range_scene *scene) {
    double *values = calloc(scene->value_count + 1, sizeof *values);
    for (size_t i = 0; values && i < scene->value_count; i++) {
        const range_value *range = &scene->values[i];
        double middle = 0.5 * range->lower + 0.5 * range->upper;
        values[i] = middle < range->lower ? range->lower : middle > range->upper ? range->upper : middle;
    }
    return values;
}

bool range_outside_check(const range_scene *scene, const joint_motion *joints, path_pair pair,
                         char reason[VERIFY_TEXT]) {
    pose p;
    double *values = middle_of_all(scene);
    if (!values) return rotation_refuse(reason, "out of memory");
    bool good = open_pose(&p, scene, joints, pair, values, reason);
    if (good) good = (is_inside(&p, 0) < 0 && is_inside(&p, 1) < 0) || fail(&p, "one link may be inside the other");
    close_pose(&p);
    free(values);
    return good;
}

double range_outside_cost(const range_scene *scene, path_pair pair) {
    double total = 0;
    for (int side = 0; side < 2; side++) {
        const path_mesh *one = &scene->base.meshes[side ? pair.b : pair.a];
        const path_mesh *other = &scene->base.meshes[side ? pair.a : pair.b];
        mesh_parts parts;
        if (mesh_parts_find(&parts, one))
            total += (double)parts.count * (double)(other->face_count + other->vertex_count);
        mesh_parts_free(&parts);
    }
    return total;
}
