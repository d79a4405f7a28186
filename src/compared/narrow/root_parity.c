#include "compared/narrow/root_parity.h"

/* VF: 2 + 3·2 triangles; EE: 4 + 4·2. */
#define MAX_TRIANGLES 12

typedef struct triangle {
    int a, b, c;
} triangle;

typedef struct surface {
    graze_kind kind;
    const gz_parity_signs *signs;
    void *self;
    triangle triangles[MAX_TRIANGLES];
    int count;
} surface;

static void add(surface *s, int a, int b, int c) { s->triangles[s->count++] = (triangle){a, b, c}; }

/* True if the origin, in the plane of the triangle, lies in it. The products A×B, B×C, C×A are then multiples of the
   normal by the weights of the origin. All zero: the triangle is flat, and what there is of it belongs to a patch. */
static bool holds_origin(const surface *s, triangle t) {
    bool some = false;
    for (int c = 0; c < 3; c++) {
        int x = s->signs->cross(s->self, c, t.a, t.b), y = s->signs->cross(s->self, c, t.b, t.c);
        int z = s->signs->cross(s->self, c, t.c, t.a);
        if ((x > 0 || y > 0 || z > 0) && (x < 0 || y < 0 || z < 0)) return false;
        some |= x || y || z;
    }
    return some;
}

/* Adds an end of the domain, flat, and returns whether the origin is on it. */
static bool add_flat(surface *s, int a, int b, int c) {
    add(s, a, b, c);
    return s->signs->det(s->self, a, b, c) == 0 && holds_origin(s, (triangle){a, b, c});
}

/* Adds the patch that the segment between two moving corners sweeps, and returns whether the origin is on it.
 *
 * In the tetrahedron ABCD the patch is the set of points whose weights have αγ = βδ, none negative. It parts the
 * tetrahedron: the triangles ABC, ACD are on the side αγ > βδ, ABD, BCD on the other. From an origin that is not
 * between them, a ray crosses the two triangles as often as the patch, but for an even number. */
static bool add_patch(surface *s, int from, int to) {
    int half = gz_corner_half(s->kind);
    const int patch[4] = {from, to, to + half, from + half};
    int a = patch[0], b = patch[1], c = patch[2], d = patch[3];
    const int weight[4] = {s->signs->det(s->self, b, c, d), -s->signs->det(s->self, a, c, d),
                           s->signs->det(s->self, a, b, d), -s->signs->det(s->self, a, b, c)};
    bool flat = !weight[0] && !weight[1] && !weight[2] && !weight[3];
    /* the four corners and the origin in one plane: a ray out of that plane does not meet the patch */
    if (flat) return s->signs->planar_contact(s->self, from, to);
    int volume = s->signs->volume(s->self, patch);
    bool inside = volume != 0;
    for (int i = 0; i < 4; i++) inside = inside && weight[i] != -volume;
    int side = inside ? s->signs->saddle(s->self, patch) : -1;
    if (side == 0) return true;
    if (side < 0) {
        add(s, a, b, c);
        add(s, a, c, d);
    } else {
        add(s, a, b, d);
        add(s, b, c, d);
    }
    return false;
}

static bool build(surface *s) {
    int half = gz_corner_half(s->kind);
    for (int end = 0; end <= half; end += half) {
        if (s->kind == GRAZE_VF) {
            if (add_flat(s, end, end + 1, end + 2)) return true;
        } else if (add_flat(s, end, end + 2, end + 3) || add_flat(s, end, end + 3, end + 1)) {
            return true;
        }
    }
    if (s->kind == GRAZE_VF) return add_patch(s, 0, 1) || add_patch(s, 1, 2) || add_patch(s, 2, 0);
    return add_patch(s, 0, 1) || add_patch(s, 2, 3) || add_patch(s, 0, 2) || add_patch(s, 1, 3);
}

/* 1 when the ray crosses the triangle, 0 when not, −1 when it meets an edge or runs in the triangle's plane. */
static int crossing(const surface *s, const int ray[3], triangle t) {
    int x = s->signs->ray(s->self, ray, t.a, t.b), y = s->signs->ray(s->self, ray, t.b, t.c);
    int z = s->signs->ray(s->self, ray, t.c, t.a);
    bool positive = x > 0 || y > 0 || z > 0, negative = x < 0 || y < 0 || z < 0;
    if (positive && negative) return 0;
    if (!positive && !negative) {
        /* in the plane, unless the triangle is on a line through the origin: then every ray is, and none meets it */
        for (int c = 0; c < 3; c++)
            if (s->signs->cross(s->self, c, t.a, t.b) || s->signs->cross(s->self, c, t.b, t.c) ||
                s->signs->cross(s->self, c, t.c, t.a))
                return -1;
        return 0;
    }
    int ahead = s->signs->det(s->self, t.a, t.b, t.c) * (positive ? 1 : -1);
    if (ahead <= 0) return 0;
    return x && y && z ? 1 : -1;
}

/* 0 or 1, or −1 when this ray cannot tell. */
static int parity_along(const surface *s, const int ray[3]) {
    int parity = 0;
    for (int i = 0; i < s->count; i++) {
        int crosses = crossing(s, ray, s->triangles[i]);
        if (crosses < 0) return -1;
        parity ^= crosses;
    }
    return parity;
}

bool gz_parity_contact(graze_kind kind, const gz_parity_signs *signs, void *self) {
    surface s = {.kind = kind, .signs = signs, .self = self};
    if (build(&s)) return true;
    /* A plane through the origin holds at most two of the vectors (1, k, k²), and there are at most 12·4 planes to stay
       out of: three edges and the triangle itself. So one of the first 97 rays can tell. */
    for (int k = 1;; k++) {
        const int ray[3] = {1, k, k * k};
        int parity = parity_along(&s, ray);
        if (parity >= 0) return parity == 1;
    }
}

void gz_parity_result(bool contact, double t_max, graze_result *result) {
    if (!contact) {
        gz_result_clear(result, t_max);
        return;
    }
    result->verdict = GRAZE_HIT;
    result->proven = 1;
    result->toi_upper = t_max;
}

bool gz_parity_box_is_clear(graze_kind kind, const graze_query *query) {
    int half = gz_corner_half(kind);
    for (int c = 0; c < 3; c++) {
        bool all_above = true, all_below = true;
        for (int k = 0; k < half; k++) {
            gz_corner rows = gz_corner_rows(kind, k);
            double a0 = query->x0[rows.from][c], b0 = query->x0[rows.to][c];
            double a1 = query->x1[rows.from][c], b1 = query->x1[rows.to][c];
            all_above = all_above && b0 > a0 && b1 > a1;
            all_below = all_below && b0 < a0 && b1 < a1;
        }
        if (all_above || all_below) return true;
    }
    return false;
}
