#include "pair/closest_direction.h"

#include "numerics/closest.h"

static void load(graze_kind kind, const double (*x)[3], gz_vec3 rows[4]) {
    for (int i = 0; i < gz_kind_rows(kind); i++) rows[i] = gz_vec3_of(x[i]);
}

/* Across the face or both edges, on the side from a to b. Where `towards` does not tell it, the corners do. */
static gz_vec3 across(graze_kind kind, const gz_vec3 x[4], gz_vec3 towards) {
    int from = kind == GRAZE_VF ? 1 : 0, other = kind == GRAZE_VF ? 1 : 2, last = 3;
    gz_vec3 flat = gz_vec3_cross(gz_vec3_sub(x[from + 1], x[from]), gz_vec3_sub(x[last], x[other]));
    double side = gz_vec3_dot(flat, towards);
    if (side == 0) side = gz_vec3_dot(flat, gz_vec3_sub(x[other], x[0]));
    return gz_vec3_scale(flat, side < 0 ? -1 : 1);
}

void gz_closest_direction(graze_kind kind, const double (*x)[3], double n[3]) {
    gz_vec3 rows[4];
    load(kind, x, rows);
    gz_closest_scale(kind, rows);
    gz_closest at = gz_closest_points(kind, rows);
    gz_vec3 towards = gz_vec3_scale(at.vector, -1);
    if (kind <= GRAZE_EE && at.squared < GZ_CLOSEST_TELLS) {
        gz_vec3 flat = across(kind, rows, towards);
        if (gz_vec3_dot(flat, flat) > 0) towards = flat;
    }
    double length = gz_vec3_norm(towards);
    if (!(length > 0)) length = 1;
    for (int c = 0; c < 3; c++) n[c] = towards.c[c] / length;
}

double gz_closest_distance(graze_kind kind, const double (*x)[3]) {
    gz_vec3 rows[4];
    load(kind, x, rows);
    int exponent = gz_closest_scale(kind, rows);
    gz_closest at = gz_closest_points(kind, rows);
    return ldexp(sqrt(at.squared), exponent);
}
