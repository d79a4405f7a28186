/* The first probe of many pairs on cubic curves, one pair to a lane and in float, as that of straight ones. A direction
   along which every control point of every difference is far enough proves the pair apart at all times.
   docs/numerics.md, section 4.13. */
#include "graze/curve.h"

#include "pair/narrowed.h"

#include <stdbool.h>

#include "numerics/as_float.h"

/* The largest |component| of the differences' control points. */
static GZ_INLINE v_vec curve_size(const v_vec (*w)[4], int count) {
    v_vec size = vec_abs(w[0][0]);
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < count; k++) size = vec_max_abs(size, w[j][k]);
    return size;
}

/* Eight times the difference half-way: a direction has no length. */
static GZ_INLINE v_vec curve_middle(const v_vec (*w)[4], int k) {
    return vec_add(vec_add(w[0][k], w[3][k]), vec_scale(vec_add(w[1][k], w[2][k]), v_set1(3)));
}

/* A bit for each pair that is proven apart. */
static GZ_INLINE unsigned curve_lanes(graze_kind kind, const char *queries, const size_t (*offsets)[f_width],
                                      v_real separation, bool separated) {
    int count = gz_difference_count(kind);
    v_vec w[4][4], middle[4]; /* control point, difference */
    for (int j = 0; j < 4; j++) narrowed_differences(kind, queries + (size_t)j * sizeof(double[3]), offsets, w[j]);
    v_vec size = curve_size((const v_vec(*)[4])w, count);
    v_real scale = narrowed_scale(&size), zero = v_set1(0);
    for (int k = 0; k < count; k++) {
        for (int j = 0; j < 4; j++) w[j][k] = vec_scale(w[j][k], scale);
        middle[k] = curve_middle((const v_vec(*)[4])w, k);
    }
    v_vec n = probe_direction(middle, count);
    v_real least = narrowed_least(size, n, scale, separation, separated);
    v_mask apart = v_eq(zero, zero);
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < count; k++) apart = m_and(apart, v_lt(zero, v_sub(vec_dot(n, w[j][k]), least)));
    return m_bits(apart);
}

/* `kind` is a constant at every call: one loop is compiled for each. */
static GZ_INLINE void curve_first(graze_kind kind, const graze_curve_query *queries, float separation, size_t count,
                                  bool *apart) {
    v_real kept = v_set1(separation);
    for (size_t i = 0; i < count; i += f_width) {
        size_t offsets[4][f_width];
        for (size_t lane = 0; lane < f_width; lane++) { /* empty lanes repeat the last pair */
            size_t pair = i + lane < count ? i + lane : count - 1;
            for (size_t row = 0; row < 4; row++)
                offsets[row][lane] = pair * sizeof *queries + row * sizeof queries->x[row];
        }
        unsigned bits =
            curve_lanes(kind, (const char *)queries, (const size_t(*)[f_width])offsets, kept, separation > 0);
        for (size_t lane = 0; lane < f_width && i + lane < count; lane++) apart[i + lane] = bits >> lane & 1;
    }
}

static void curve_first_kernel(graze_kind kind, const graze_curve_query *queries, float separation, size_t count,
                               bool *apart) {
    switch (kind) {
    case GRAZE_VF: curve_first(GRAZE_VF, queries, separation, count, apart); break;
    case GRAZE_EE: curve_first(GRAZE_EE, queries, separation, count, apart); break;
    case GRAZE_PE: curve_first(GRAZE_PE, queries, separation, count, apart); break;
    case GRAZE_PP: curve_first(GRAZE_PP, queries, separation, count, apart); break;
    }
}

#include "numerics/as_double.h"
