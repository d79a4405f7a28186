/* Closest points of two triangles, and their crossing. */
#include "articulated/triangles.h"

#include "base/platform.h"
#include "numerics/error_bounds.h"

static gz_vec3 sub(gz_vec3 a, gz_vec3 b) { return gz_vec3_sub(a, b); }

static double clamp01(double x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

/* Parameters of the closest points of p + s·d and q + t·e, s and t in [0, 1]. */
static void closest_on_segments(gz_vec3 p, gz_vec3 d, gz_vec3 q, gz_vec3 e, double *s, double *t) {
    gz_vec3 w = sub(p, q);
    double dd = gz_vec3_dot(d, d), ee = gz_vec3_dot(e, e), de = gz_vec3_dot(d, e), dw = gz_vec3_dot(d, w),
           ew = gz_vec3_dot(e, w), determinant = dd * ee - de * de;
    *s = determinant > 0 ? clamp01((de * ew - ee * dw) / determinant) : 0;
    *t = ee > 0 ? (de * *s + ew) / ee : 0;
    if (*t >= 0 && *t <= 1) return;
    *t = clamp01(*t);
    *s = dd > 0 ? clamp01((de * *t - dw) / dd) : 0;
}

/* n on the side of a − b; a − b itself where n is no better. */
static gz_vec3 on_side(gz_vec3 n, gz_vec3 gap) {
    double side = gz_vec3_dot(n, gap);
    if (side == 0) return gap;
    return side > 0 ? n : sub((gz_vec3){{0, 0, 0}}, n);
}

static void try_sides(const gz_triangle *a, const gz_triangle *b, int i, int j, gz_closest *best) {
    gz_vec3 d = sub(a->x[(i + 1) % 3], a->x[i]), e = sub(b->x[(j + 1) % 3], b->x[j]);
    double s, t;
    closest_on_segments(a->x[i], d, b->x[j], e, &s, &t);
    gz_closest found = {.a = gz_vec3_along(a->x[i], s, d), .b = gz_vec3_along(b->x[j], t, e), .kind = GRAZE_EE};
    gz_vec3 gap = sub(found.a, found.b);
    found.squared = gz_vec3_dot(gap, gap);
    if (!(found.squared < best->squared)) return;
    bool inside = s > 0 && s < 1 && t > 0 && t < 1;
    found.n = inside ? on_side(gz_vec3_cross(d, e), gap) : gap;
    found.i = i;
    found.j = j;
    *best = found;
}

/* The corner above the inside of the triangle; elsewhere the sides have it. */
static void try_corner(gz_vec3 p, const gz_triangle *f, int corner, bool swapped, gz_closest *best) {
    gz_vec3 e1 = sub(f->x[1], f->x[0]), e2 = sub(f->x[2], f->x[0]), q = sub(p, f->x[0]), n = gz_vec3_cross(e1, e2);
    double n2 = gz_vec3_dot(n, n), u = gz_vec3_dot(n, gz_vec3_cross(q, e2)), v = gz_vec3_dot(n, gz_vec3_cross(e1, q));
    if (!(n2 > 0 && u >= 0 && v >= 0 && u + v <= n2)) return;
    double height = gz_vec3_dot(n, q);
    gz_closest found = {.squared = height * (height / n2), .kind = GRAZE_VF, .swapped = swapped, .i = corner};
    if (!(found.squared <= best->squared)) return; /* a face before an edge */
    gz_vec3 foot = gz_vec3_along(gz_vec3_along(f->x[0], u / n2, e1), v / n2, e2);
    found.a = swapped ? foot : p;
    found.b = swapped ? p : foot;
    found.n = (height < 0) != swapped ? sub((gz_vec3){{0, 0, 0}}, n) : n;
    *best = found;
}

gz_closest gz_closest_of_triangles(const gz_triangle *a, const gz_triangle *b) {
    gz_closest best = {.squared = INFINITY};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) try_sides(a, b, i, j, &best);
    for (int i = 0; i < 3; i++) {
        try_corner(a->x[i], b, i, false, &best);
        try_corner(b->x[i], a, i, true, &best);
    }
    return best;
}

/* ---- crossing ---- */

/* The sign of ⟨p − o, (q − o) × (r − o)⟩, 0 when corners within `error` may give another. */
static int side_of(gz_vec3 o, gz_vec3 p, gz_vec3 q, gz_vec3 r, double error) {
    gz_vec3 d[3] = {sub(p, o), sub(q, o), sub(r, o)};
    double size = 0;
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) size = fabs(d[i].c[c]) > size ? fabs(d[i].c[c]) : size;
    double determinant = gz_vec3_dot(d[0], gz_vec3_cross(d[1], d[2]));
    double reach = size + 2 * error, slack = GZ_CROSSING_SLACK * reach * reach * (error + 0x1p-53 * reach) + 0x1p-1000;
    return (determinant > slack) - (determinant < -slack);
}

/* The segment p q passes through the inside of the triangle: its ends are on both sides, and it passes the three sides
   in one sense. */
static bool pierces(gz_vec3 p, gz_vec3 q, const gz_triangle *f, double error) {
    int above = side_of(f->x[0], f->x[1], f->x[2], p, error), below = side_of(f->x[0], f->x[1], f->x[2], q, error);
    if (above * below >= 0) return false;
    int sense = side_of(p, q, f->x[0], f->x[1], error);
    if (sense == 0) return false;
    return side_of(p, q, f->x[1], f->x[2], error) == sense && side_of(p, q, f->x[2], f->x[0], error) == sense;
}

bool gz_triangles_cross(const gz_triangle *a, const gz_triangle *b, double error) {
    for (int i = 0; i < 3; i++) {
        if (pierces(a->x[i], a->x[(i + 1) % 3], b, error)) return true;
        if (pierces(b->x[i], b->x[(i + 1) % 3], a, error)) return true;
    }
    return false;
}
