/* Closest points of two triangles, feature by feature as numerics/closest.h has them, and their crossing. */
#include "articulated/triangles.h"

#include "base/platform.h"
#include "numerics/closest.h"
#include "numerics/error_bounds.h"

static gz_vec3 sub(gz_vec3 a, gz_vec3 b) { return gz_vec3_sub(a, b); }

/* n on the side of a − b; a − b itself where n is no better. */
static gz_vec3 on_side(gz_vec3 n, gz_vec3 gap) {
    double side = gz_vec3_dot(n, gap);
    if (side == 0) return gap;
    return side > 0 ? n : sub((gz_vec3){{0, 0, 0}}, n);
}

static void try_sides(const gz_triangle *a, const gz_triangle *b, int i, int j, gz_face_gap *best) {
    gz_vec3 p = a->x[i], q = b->x[j], d = sub(a->x[(i + 1) % 3], p), e = sub(b->x[(j + 1) % 3], q);
    gz_closest at = {.squared = best->squared};
    gz_closest_try_inside(sub(p, q), d, e, &at);
    if (!(at.squared < best->squared)) return;
    double u = at.weight[1], v = -at.weight[3];
    bool inside = u > 0 && u < 1 && v > 0 && v < 1;
    *best = (gz_face_gap){.squared = at.squared, .kind = GRAZE_EE, .i = i, .j = j};
    best->a = gz_vec3_along(p, u, d);
    best->b = gz_vec3_along(q, v, e);
    best->n = inside ? on_side(gz_vec3_cross(d, e), at.vector) : at.vector;
}

/* The corner above the inside of the triangle; elsewhere the sides have it. */
static void try_corner(gz_vec3 p, const gz_triangle *f, int corner, bool swapped, gz_face_gap *best) {
    gz_vec3 e1 = sub(f->x[1], f->x[0]), e2 = sub(f->x[2], f->x[0]), q = sub(p, f->x[0]);
    double s, t;
    if (gz_vec3_dot(e1, e1) >= gz_vec3_dot(e2, e2))
        gz_closest_in_plane(q, e1, e2, &s, &t);
    else
        gz_closest_in_plane(q, e2, e1, &t, &s);
    if (!(s >= 0 && t >= 0 && s + t <= 1)) return;
    gz_vec3 foot = gz_vec3_along(gz_vec3_along(f->x[0], s, e1), t, e2), gap = swapped ? sub(foot, p) : sub(p, foot);
    double squared = gz_vec3_dot(gap, gap);
    if (!(squared <= best->squared)) return; /* a face before an edge */
    *best = (gz_face_gap){.squared = squared, .kind = GRAZE_VF, .swapped = swapped, .i = corner};
    best->a = swapped ? foot : p;
    best->b = swapped ? p : foot;
    best->n = on_side(gz_vec3_cross(e1, e2), gap);
}

gz_face_gap gz_gap_of_faces(const gz_triangle *a, const gz_triangle *b) {
    gz_face_gap best = {.squared = INFINITY};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) try_sides(a, b, i, j, &best);
    for (int i = 0; i < 3; i++) {
        try_corner(a->x[i], b, i, false, &best);
        try_corner(b->x[i], a, i, true, &best);
    }
    return best;
}

bool gz_gap_of_feature(const gz_triangle *a, const gz_triangle *b, int feature, gz_face_gap *gap) {
    *gap = (gz_face_gap){.squared = INFINITY};
    if (feature < 9)
        try_sides(a, b, feature / 3, feature % 3, gap);
    else if (feature < 12)
        try_corner(a->x[feature - 9], b, feature - 9, false, gap);
    else
        try_corner(b->x[feature - 12], a, feature - 12, true, gap);
    return gap->squared < INFINITY;
}

/* ---- axes ---- */

/* The distance of a beyond b along n, times |n|. */
static double gap_along(const gz_triangle *a, const gz_triangle *b, gz_vec3 n) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 3; i++) {
        double x = gz_vec3_dot(n, a->x[i]), y = gz_vec3_dot(n, b->x[i]);
        low = x < low ? x : low;
        high = y > high ? y : high;
    }
    return low - high;
}

typedef struct best_axis {
    gz_vec3 n;
    double gap;
} best_axis;

static void try_axis(const gz_triangle *a, const gz_triangle *b, gz_vec3 n, best_axis *best) {
    double length = gz_vec3_norm(n);
    for (int sign = 0; sign < 2 && length > 0; sign++) {
        double gap = gap_along(a, b, n) / length;
        if (gap > best->gap) *best = (best_axis){n, gap};
        n = sub((gz_vec3){{0, 0, 0}}, n);
    }
}

gz_vec3 gz_parting_axis(const gz_triangle *a, const gz_triangle *b) {
    gz_vec3 d[3], e[3];
    best_axis best = {.gap = -INFINITY};
    for (int i = 0; i < 3; i++) {
        d[i] = sub(a->x[(i + 1) % 3], a->x[i]);
        e[i] = sub(b->x[(i + 1) % 3], b->x[i]);
    }
    gz_vec3 of_a = gz_vec3_cross(d[0], d[1]), of_b = gz_vec3_cross(e[0], e[1]);
    try_axis(a, b, of_a, &best);
    try_axis(a, b, of_b, &best);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) try_axis(a, b, gz_vec3_cross(d[i], e[j]), &best);
        try_axis(a, b, gz_vec3_cross(of_a, d[i]), &best); /* in one plane these tell */
        try_axis(a, b, gz_vec3_cross(of_b, e[i]), &best);
    }
    return best.n;
}

/* ---- crossing ---- */

/* The sign of ⟨p − o, (q − o) × (r − o)⟩, 0 when corners within `error` may give another. */
static int side_of(gz_vec3 o, gz_vec3 p, gz_vec3 q, gz_vec3 r, double error) {
    gz_vec3 d[3] = {sub(p, o), sub(q, o), sub(r, o)};
    double size = 0;
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) size = fabs(d[i].c[c]) > size ? fabs(d[i].c[c]) : size;
    double determinant = gz_vec3_dot(d[0], gz_vec3_cross(d[1], d[2]));
    double reach = size + 2 * error,
           slack = GZ_CROSSING_SLACK * reach * reach * (error + 0x1p-53 * reach) + GZ_CROSSING_TINY;
    return (determinant > slack) - (determinant < -slack);
}

/* A segment with its ends on both sides of the triangle's plane: 1 when it passes the three sides in one sense, −1 when
   two senses are certain and differ, 0 when that is not known. */
static int passes_inside(gz_vec3 p, gz_vec3 q, const gz_triangle *f, double error) {
    int sense[3], sum = 0;
    for (int k = 0; k < 3; k++) sum += sense[k] = side_of(p, q, f->x[k], f->x[(k + 1) % 3], error);
    if (sum == 3 || sum == -3) return 1;
    bool both = (sense[0] > 0 || sense[1] > 0 || sense[2] > 0) && (sense[0] < 0 || sense[1] < 0 || sense[2] < 0);
    return both ? -1 : 0;
}

int gz_segment_pierces(gz_vec3 p, gz_vec3 q, const gz_triangle *f, double error) {
    int above = side_of(f->x[0], f->x[1], f->x[2], p, error), below = side_of(f->x[0], f->x[1], f->x[2], q, error);
    if (above * below > 0) return -1;
    return above * below == 0 ? 0 : passes_inside(p, q, f, error);
}

/* On which side of the plane of f the corners of a are. False when all are on one: then nothing crosses. */
static bool sides_of_plane(const gz_triangle *a, const gz_triangle *f, double error, int side[3]) {
    for (int i = 0; i < 3; i++) side[i] = side_of(f->x[0], f->x[1], f->x[2], a->x[i], error);
    return !(side[0] != 0 && side[0] == side[1] && side[1] == side[2]);
}

static bool side_pierces(const gz_triangle *a, const int side[3], const gz_triangle *f, double error) {
    for (int i = 0; i < 3; i++) {
        int next = (i + 1) % 3;
        if (side[i] * side[next] < 0 && passes_inside(a->x[i], a->x[next], f, error) > 0) return true;
    }
    return false;
}

bool gz_triangles_cross(const gz_triangle *a, const gz_triangle *b, double error) {
    int of_a[3], of_b[3];
    if (!sides_of_plane(a, b, error, of_a) || !sides_of_plane(b, a, error, of_b)) return false;
    return side_pierces(a, of_a, b, error) || side_pierces(b, of_b, a, error);
}
